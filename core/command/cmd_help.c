/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help and apropos: everything they say comes from rows: commands, listings, opcodes; and the topics of share/help. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "session/define.h"
#include "base/alloc.h"
#include "base/error_kind.h"
#include "base/open_file.h"
#include "session/command.h"
#include "command/cmd_set.h"
#include "out/say.h"
#include "word/registry.h"
#include "session/habits.h"
#include "session/script.h"
#include "session/session.h"
#include "gpudbg/text.h"

/* ---- Commands ---- */

static void command_line(struct gpudbg_out *out, const char *name, const char *summary)
{
    RECORD(out, "help", "  {name:-18} {summary}\n", STRING("name", name), STRING("summary", summary ? summary : ""));
}

static bool first_of_family(const struct gpudbg *g, size_t i)
{
    const char *family = registry_command(g->registry, i)->family;
    for (size_t j = 0; j < i; j++) {
        const char *other = registry_command(g->registry, j)->family;
        if (other && family && strcmp(other, family) == 0) return false;
    }
    return true;
}

static void list_family(struct gpudbg *g, struct gpudbg_out *out, const char *family)
{
    const struct gpudbg_command *c;
    gpudbg_out_print(out, "%s\n", family ? family : "Other");
    for (size_t i = 0; (c = registry_command(g->registry, i)); i++)
        if (c->family == family || (c->family && family && strcmp(c->family, family) == 0))
            command_line(out, c->name, c->summary);
}

/* The topics of share/help, one file each. */
static bool list_topics(struct gpudbg *g, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char folder[1024];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%s/help", g->data);
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0 && errno != ENOENT)
        return gpudbg_fail(err, errno == ENOMEM ? "memory" : "io", "%.400s: %s", folder, strerror(errno));
    if (n > 0) gpudbg_out_print(out, "Topics (help TOPIC):");
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.') gpudbg_out_print(out, " %s", entries[i]->d_name);
        free(entries[i]);
    }
    if (n > 0) gpudbg_out_print(out, " errors, habits, limits, keys, insn OPCODE\n");
    free(entries);
    return true;
}

static bool help_all(struct gpudbg *g, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_command *c;
    const struct define *d = NULL;
    for (size_t i = 0; (c = registry_command(g->registry, i)); i++)
        if (first_of_family(g, i)) list_family(g, out, c->family);
    while ((d = define_next(g, d))) command_line(out, d->name, d->doc ? d->doc : "defined here");
    return list_topics(g, out, err);
}

/* Lines that can be pasted at the prompt: examples.def. */
static const struct example {
    const char *command, *demo, *lines;
} examples[] = {
#define EXAMPLE(command, demo, lines) {command, demo, lines},
#include "command/examples.def"
};

/* The example of a command, or of "info SUBJECT", as lines of the prompt; NULL: of a plug-in's. */
static const char *example_of(const char *before, const char *name, char *buf, size_t size)
{
    char whole[64];
    text_put(whole, sizeof whole, "%s%s", before, name);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *e = &examples[i];
        if (strcmp(e->command, whole) != 0) continue;
        text_put(buf, size, "%s%s%s%s", *e->demo ? "demo " : "", e->demo, *e->demo ? "\n" : "", e->lines);
        return buf;
    }
    return NULL;
}

/* As text, the lines stand under a head, indented. */
static void show_example(struct gpudbg_out *out, const char *lines)
{
    gpudbg_out_print(out, "\nExample:\n");
    for (const char *at = lines; at && *at;) {
        const int n = (int)strcspn(at, "\n");
        gpudbg_out_print(out, "    %.*s\n", n, at);
        at += at[n] ? n + 1 : n;
    }
}

static void help_command(struct gpudbg_out *out, const struct gpudbg_command *c)
{
    char lines[4096];
    const char *example = example_of("", c->name, lines, sizeof lines);
    RECORD(out, "help", "{name}[ {takes}]\n{summary}\n[Also: {aliases}\n][\n{help}\n]", STRING("example", example),
        STRING("name", c->name), STRING("usage", c->usage ? c->usage : ""),
        STRING("family", c->family ? c->family : ""), STRING("summary", c->summary ? c->summary : ""),
        STRING("aliases", c->aliases), STRING("help", c->help), TEXT("takes", c->usage && *c->usage ? c->usage : NULL));
    if (example) show_example(out, example);
}

/* A listing is asked for as "info NAME", and so it is named. */
static void help_listing(struct gpudbg_out *out, const struct gpudbg_listing *l)
{
    char lines[4096], name[64];
    const char *example = example_of("info ", l->name, lines, sizeof lines);
    text_put(name, sizeof name, "info %s", l->name);
    RECORD(out, "help", "{name}\n{summary}\nColumns:", STRING("name", name), STRING("summary", l->summary),
        STRING("example", example));
    for (size_t i = 0; i < l->ncolumns; i++) gpudbg_out_print(out, " %s", l->columns[i].key);
    gpudbg_out_print(out, "\n");
    if (example) show_example(out, example);
}

/* "info" and other words that begin two-word names: all of those. */
static bool help_second_words(struct gpudbg *g, struct gpudbg_out *out, const char *word)
{
    const struct gpudbg_command *c;
    const struct gpudbg_listing *l;
    size_t len = strlen(word);
    bool any = false;
    for (size_t i = 0; (c = registry_command(g->registry, i)); i++)
        if (strncmp(c->name, word, len) == 0 && c->name[len] == ' ') {
            if (!any) gpudbg_out_print(out, "\n");
            command_line(out, c->name, c->summary);
            any = true;
        }
    for (size_t i = 0; strcmp(word, "info") == 0 && (l = registry_listing(g->registry, i)); i++) {
        char name[64];
        snprintf(name, sizeof name, "info %s", l->name);
        command_line(out, name, l->summary);
        any = true;
    }
    return any;
}

/* ---- Opcodes ---- */

/* A word of this format with this opcode and every other field zero, decoded; false if it is not of the row. */
static bool sample_insn(const struct gpudbg_isa *isa, const struct gpudbg_op *op, const struct gpudbg_format *f,
    unsigned code, uint8_t *bytes, struct gpudbg_insn *insn)
{
    memset(bytes, 0, 32);
    for (unsigned i = 0; i < 16; i++) bytes[i] = (uint8_t)(f->match[i / 8] >> 8 * (i % 8));
    for (size_t i = 0; i < f->count; i++) {
        unsigned done = 0;
        for (unsigned r = 0; f->fields[i].kind == GPUDBG_OPCODE && r < GPUDBG_RUNS && f->fields[i].run[r].len; r++)
            for (unsigned b = 0; b < f->fields[i].run[r].len && done < 32; b++, done++) {
                unsigned bit = f->fields[i].run[r].lo + b;
                bytes[bit / 8] = (uint8_t)((bytes[bit / 8] & ~(1u << bit % 8)) | (code >> done & 1) << bit % 8);
            }
    }
    return isa->decode(isa, bytes, 32, 0, insn) > 0 && insn->op == op;
}

/* How many bits choose the opcode; 0: the format is of one instruction. */
static unsigned opcode_bits(const struct gpudbg_format *f)
{
    unsigned bits = 0;
    for (size_t i = 0; i < f->count; i++)
        for (unsigned r = 0; f->fields[i].kind == GPUDBG_OPCODE && r < GPUDBG_RUNS && f->fields[i].run[r].len; r++)
            bits += f->fields[i].run[r].len;
    return bits;
}

static void print_uses(struct gpudbg_out *out, const struct gpudbg_insn *insn, unsigned flag, const char *verb)
{
    char text[256];
    bool any = false;
    gpudbg_out_array(out, verb);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & flag) || !insn->isa->operand_text) continue;
        *text = 0;
        insn->isa->operand_text(insn, i, text, sizeof text);
        if (!*text) continue;
        SAY(out, any ? ", {text}[{implied} (implied)]" : "    {verb:-7} {text}[{implied} (implied)]",
            STRING(NULL, text), TEXT("verb", verb), TEXT("text", text),
            TEXT_ONLY(FLAG("implied", o->flags & GPUDBG_IMPLICIT)));
        any = true;
    }
    gpudbg_out_close(out);
    if (any) gpudbg_out_print(out, "\n");
}

static void print_flags(struct gpudbg_out *out, uint64_t flags)
{
    static const struct {
        uint32_t flag;
        const char *words;
    } names[] = {
        {GPUDBG_OP_BRANCH, "branches"},
        {GPUDBG_OP_COND, "or falls through"},
        {GPUDBG_OP_CALL, "calls"},
        {GPUDBG_OP_RETURN, "returns"},
        {GPUDBG_OP_END, "ends the wave"},
        {GPUDBG_OP_BARRIER, "barrier"},
        {GPUDBG_OP_LOAD, "reads memory"},
        {GPUDBG_OP_STORE, "writes memory"},
        {GPUDBG_OP_WAIT, "waits"},
        {GPUDBG_OP_VECTOR, "per lane, under the mask"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (flags & names[i].flag) {
            gpudbg_out_print(out, "%s %s", any ? "," : "    flags  ", names[i].words);
            any = true;
        }
    if (any) gpudbg_out_print(out, "\n");
}

/* Every encoding that decodes to the row, by trying all opcodes of all formats; the first one's operands. */
static void print_forms(
    struct gpudbg *g, struct gpudbg_out *out, const struct gpudbg_isa *isa, const struct gpudbg_op *op)
{
    struct gpudbg_insn insn, first;
    uint8_t bytes[32], first_bytes[32];
    char text[512];
    bool any = false;
    gpudbg_out_array(out, "forms");
    for (const struct gpudbg_format *const *f = isa->formats; f && *f; f++) {
        unsigned bits = opcode_bits(*f);
        if ((!bits && *f != isa->rows[op->id].format) || bits > 12) continue;
        for (unsigned code = 0; code < 1u << bits; code++) {
            if (!sample_insn(isa, op, *f, code, bytes, &insn) || insn.parts[0].format != *f) continue;
            isa->text(&insn, settings_syntax(&g->settings, isa), GPUDBG_READABLE, NULL, text, sizeof text);
            ITEM(out, NULL, "    form    {format}, opcode {code} ({in_hex}), {size} bytes: {example}\n",
                STRING("format", (*f)->name), NUMBER("code", code), NUMBER("size", insn.size), STRING("example", text),
                TEXT_ONLY(HEX("in_hex", code)));
            if (!any) {
                memcpy(first_bytes, bytes, sizeof bytes);
                first = insn;
                first.raw = first_bytes;
            }
            any = true;
        }
    }
    gpudbg_out_close(out);
    if (any) {
        print_uses(out, &first, GPUDBG_READ, "reads");
        print_uses(out, &first, GPUDBG_WRITE, "writes");
    }
}

static void help_op(struct gpudbg *g, struct gpudbg_out *out, const struct gpudbg_isa *isa, const struct gpudbg_op *op)
{
    const struct gpudbg_row *row = &isa->rows[op->id];
    const char *known = isa->known ? isa->known(isa, op) : NULL;
    BEGIN(out, "opcode", "{name} {operands}\n    {doc}\n[    ({source}, {format})\n][    known   {known}\n]",
        STRING("isa", isa->name), STRING("name", op->name), STRING("operands", op->operands ? op->operands : ""),
        STRING("format", row->format->name), NUMBER("code", row->code), STRING("doc", op->doc ? op->doc : ""),
        TEXT("source", op->source), STRING("known", known));
    print_flags(out, op->flags);
    print_forms(g, out, isa, op);
    gpudbg_out_end(out);
}

/* Without suffixes that an assembler's text has and the row has not: v_add_f32_e64 is v_add_f32. */
static bool op_matches(const char *row, const char *asked)
{
    size_t n = strlen(row);
    return strncasecmp(row, asked, n) == 0 &&
           (!asked[n] || (asked[n] == '_' && (asked[n + 1] == 'e' || asked[n + 1] == 'E')));
}

static bool help_insn(struct gpudbg *g, const char *name, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa,
        *only = g->loaded.image && g->loaded.image->isa ? g->loaded.image->isa : g->loaded.isa;
    char like[400];
    struct text others = text_in(like, sizeof like);
    bool any = false;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (size_t o = 0; (!only || isa == only) && o < isa->nops; o++) {
            if (!gpudbg_has_op(isa, o)) continue;
            if (op_matches(isa->ops[o].name, name)) {
                if (any) gpudbg_out_print(out, "\n");
                help_op(g, out, isa, &isa->ops[o]);
                any = true;
            } else if (strcasestr(isa->ops[o].name, name) && others.n < 300 && !strstr(like, isa->ops[o].name)) {
                text_add(&others, " %s", isa->ops[o].name);
            }
        }
    if (any) return true;
    return gpudbg_fail(err, "no-such-name", "no instruction \"%.60s\"%s%.300s", name, *like ? "; there are" : "", like);
}

static char *complete_help(struct gpudbg *g, const char *text, unsigned state)
{
    const struct gpudbg_isa *isa = g->loaded.image && g->loaded.image->isa ? g->loaded.image->isa
                                                                           : registry_isa(g->registry, 0);
    size_t len = strlen(text);
    bool opcode = len > 1 && text[1] == '_';
    for (size_t o = 0; opcode && isa && o < isa->nops; o++)
        if (gpudbg_has_op(isa, o) && strncmp(isa->ops[o].name, text, len) == 0 && state-- == 0)
            return xstrdup(isa->ops[o].name);
    return opcode ? NULL : complete_command(g, text, state);
}

/* ---- Topics ---- */

#define TOPIC_MOST (1 << 20) /* bytes */

static bool help_file(struct gpudbg *g, const char *folder, const char *name, struct gpudbg_out *out)
{
    char path[1024], line[1024];
    if (strchr(name, '/') || *name == '.') return false;
    snprintf(path, sizeof path, "%s/%s/%s", g->data, folder, name);
    struct gpudbg_error ignored = {0};
    FILE *f = stream_named(path, TOPIC_MOST, &ignored);
    if (!f) return false;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        RECORD(out, "text", "{text}\n", STRING("text", line));
    }
    fclose(f);
    return true;
}

/* The kinds of errors: a record each, whose family says where the kind belongs. */
static void help_errors(struct gpudbg_out *out)
{
    const char *about = NULL;
    const struct error_kind *k;
    gpudbg_out_print(out, "Kinds of errors: what \"kind\" of a record of type \"error\" says (--json).\n");
    for (size_t i = 0; (k = error_kind(i)); i++) {
        if (!about || strcmp(about, k->about) != 0) gpudbg_out_print(out, "%s\n", k->about);
        about = k->about;
        RECORD(out, "help", "  {name:-20} {summary}\n", STRING("name", k->word), STRING("family", k->about),
            STRING("summary", k->meaning));
    }
}

/* A row of the words of other debuggers. */
static void help_habit(struct gpudbg_out *out, const struct habit *h)
{
    char here[300];
    if (h->kind == HABIT_SAME && h->with && !strchr(h->with, '%'))
        text_put(here, sizeof here, "`%s` does this, `%s` with arguments", h->text, h->with);
    else if (h->kind == HABIT_SAME || (h->kind == HABIT_FORM && h->text))
        text_put(here, sizeof here, "`%s` does this", h->text);
    else if (h->kind == HABIT_FORM)
        text_put(here, sizeof here, "%s", h->with);
    else
        text_put(here, sizeof here, "%s", h->text ? h->text : "accepted; it changes nothing here");
    RECORD(out, "help", "  {name}: {summary}\n", STRING("name", h->words), STRING("family", h->program),
        STRING("summary", here));
}

static void help_habits(struct gpudbg_out *out)
{
    const char *program = "";
    const struct habit *h;
    gpudbg_out_print(out,
        "What gpudbg does with the words that you type from other programs.  Where a command is named, it\n"
        "runs; a word that has a sentence answers with it.  A capital letter stands for an argument: 0xA takes\n"
        "it as a hexadecimal number, (B-A) is a difference.  `set` accepts settings that would change nothing here.\n");
    for (size_t i = 0; (h = habit_at(i)); i++) {
        if (strcmp(program, h->program) != 0) gpudbg_out_print(out, "%s\n", h->program);
        program = h->program;
        help_habit(out, h);
    }
}

static bool run_help(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct command_found found;
    struct gpudbg_args name;
    char copy[256];
    const char *rest;
    if (!*gpudbg_args_rest(a)) return help_all(g, out, err);
    snprintf(copy, sizeof copy, "%s", gpudbg_args_rest(a));
    const char *word = gpudbg_args_word(a);
    if (strcmp(word, "insn") == 0) {
        word = args_need(a, "an instruction", err);
        return word && help_insn(g, word, out, err);
    }
    if (strcmp(word, "keys") == 0)
        return help_file(g, "keys", "default", out) ||
               gpudbg_fail(err, "missing", "%s/keys/default: no key bindings", g->data);
    if (strcmp(word, "errors") == 0) {
        help_errors(out);
        return true;
    }
    if (strcmp(word, "limits") == 0) {
        limits_help(g, out);
        return true;
    }
    if (strcmp(word, "habits") == 0) {
        help_habits(out);
        return true;
    }
    if (help_file(g, "help", word, out)) return true;
    const struct habit *habit = command_habit(g, copy, &rest);
    if (habit) {
        help_habit(out, habit);
        return true;
    }
    if (!args_open(&name, &g->eval, copy, err)) return false;
    bool known = command_find(g, &name, &found, err);
    args_close(&name);
    if (!known) {
        struct gpudbg_error ignored = {0};
        if (strchr("0123456789$(-", *copy)) /* rizin's ? */
            return gpudbg_fail(err, "usage", "`help` explains commands; `print %.100s` computes", copy);
        return help_insn(g, word, out, &ignored) || help_second_words(g, out, word);
    }
    if (found.define)
        gpudbg_out_print(out, "%s\n%s\n", found.define->name, found.define->doc ? found.define->doc : "defined here");
    else if (found.listing)
        help_listing(out, found.listing);
    else {
        help_command(out, found.command);
        help_second_words(g, out, found.command->name);
    }
    return true;
}

static const struct gpudbg_command help = {
    .name = "help",
    .aliases = "h ?",
    .usage = "[COMMAND | insn OPCODE | keys | errors | habits | limits | TOPIC]",
    .summary = "explain commands, instructions and topics",
    .help = "help COMMAND      what the command does\n"
            "help insn OPCODE  what an instruction computes, reads and writes: help insn v_mad_f32\n"
            "help keys         the keys of the screen\n"
            "help errors       the kinds of errors\n"
            "help habits       what words of gdb, ROCgdb, cuda-gdb, lldb, rizin, umr, IGA and RenderDoc do here\n"
            "help limits       how much memory and time the program takes at most\n"
            "help TOPIC        one of the topics at the end of `help`",
    .family = "Help",
    .run = run_help,
    .complete = complete_help,
};

static bool mentions(const char *text, const char *word) { return text && strcasestr(text, word); }

static bool run_apropos(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_command *c;
    const struct gpudbg_listing *l;
    const struct gpudbg_isa *isa;
    const char *word = gpudbg_args_rest(a);
    char name[64];
    if (!*word) return gpudbg_fail(err, "usage", "a word is missing");
    for (size_t i = 0; (c = registry_command(g->registry, i)); i++)
        if (mentions(c->name, word) || mentions(c->summary, word) || mentions(c->help, word))
            command_line(out, c->name, c->summary);
    for (size_t i = 0; (l = registry_listing(g->registry, i)); i++)
        if (mentions(l->name, word) || mentions(l->summary, word)) {
            snprintf(name, sizeof name, "info %s", l->name);
            command_line(out, name, l->summary);
        }
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (size_t o = 0; o < isa->nops; o++)
            if (gpudbg_has_op(isa, o) && (mentions(isa->ops[o].name, word) || mentions(isa->ops[o].doc, word)))
                command_line(out, isa->ops[o].name, isa->ops[o].doc);
    return true;
}

static const struct gpudbg_command apropos = {
    .name = "apropos",
    .usage = "WORD",
    .summary = "list commands and instructions that mention a word",
    .family = "Help",
    .run = run_apropos,
};

static bool run_version(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!args_end(a, err)) return false;
    RECORD(out, "text", "{text}\n", STRING("text", "gpudbg " GPUDBG_VERSION));
    RECORD(out, "text", "data: {text}\n", STRING("text", g->data));
    return true;
}

static const struct gpudbg_command version = {
    .name = "info version",
    .usage = "",
    .summary = "show the version of gpudbg and the folder of its data",
    .family = "Info",
    .run = run_version,
};

static const struct gpudbg_command *const commands[] = {&version, &help, &apropos, NULL};
COMMAND_FAMILY(cmd_help, "help", .summary = "help", .commands = commands);
