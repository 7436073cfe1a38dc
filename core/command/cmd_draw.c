/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info draws, info draw: what the commands of a dump start, how far the engine was, and the state at one draw. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "base/alloc.h"
#include "code/records.h"
#include "dump/dump_draw.h"
#include "dump/dump_show.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"
#include "word/registers.h"

/* ---- What is started ---- */

static const char *progress_of(const struct draw_event *e, const struct draws *all)
{
    if (e->progress == PROGRESS_TAKEN && e->kind == DRAW_WORK && e->number == all->chosen) return "last";
    return e->progress == PROGRESS_UNKNOWN ? NULL : e->progress == PROGRESS_TAKEN ? "taken" : "ahead";
}

static const char *progress_words(const char *progress)
{
    return !progress                        ? ""
           : strcmp(progress, "last") == 0  ? "last"
           : strcmp(progress, "ahead") == 0 ? "not yet"
                                            : "taken";
}

static void mark_text(const struct draw_event *e, char *buf, size_t size)
{
    if (e->mark.numbered)
        snprintf(buf, size, "trace point %" PRIu32 "%s", e->mark.point, e->reached ? ", reached" : "");
    else
        snprintf(buf, size, "\"%.*s\"", (int)(e->mark.n < 200 ? e->mark.n : 200), e->mark.text ? e->mark.text : "");
}

static void stream_text(const struct gpudbg_stream *s, size_t number, char *buf, size_t size)
{
    char at[40] = "";
    if (s->addr != GPUDBG_NO_ADDR) snprintf(at, sizeof at, " at 0x%" PRIx64, s->addr);
    snprintf(buf, size, "%s%s%s%s, stream %zu", s->kind, s->unit ? " of " : "", s->unit ? s->unit : "", at, number);
}

static void event_text(const struct gpudbg_dump *d, const struct draw_event *e, char *buf, size_t size)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    if (e->kind == DRAW_STREAM)
        stream_text(&s[e->stream], e->stream, buf, size);
    else if (e->kind == DRAW_MARK)
        mark_text(e, buf, size);
    else
        draw_text(d, e, buf, size);
}

static void say_event(const struct gpudbg_dump *d, const struct draws *all, const struct draw_event *e, size_t dump,
    struct gpudbg_out *out)
{
    static const char *const kinds[] = {"stream", "work", "mark"};
    char text[1100], title[32] = "", blanks[32];
    const char *progress = e->kind == DRAW_STREAM ? NULL : progress_of(e, all);
    event_text(d, e, text, sizeof text);
    if (e->kind == DRAW_WORK) snprintf(title, sizeof title, "draw %u", e->number);
    snprintf(blanks, sizeof blanks, "%*s", (int)(2 * (e->depth < 14 ? e->depth : 14)), "");
    RECORD(out, "draw", "{line:6} {mark} {words:-8}{blanks}[{title}  ]{text}\n", STRING("kind", kinds[e->kind]),
        IF(e->kind == DRAW_WORK, NUMBER("number", e->number)), STRING("text", text), NUMBER("depth", e->depth),
        STRING("progress", progress), NUMBER("stream", e->stream), HEX("offset", e->offset), NUMBER("dump", dump),
        NUMBER("line", gpudbg_dump_stream_line(d, e->stream, e->offset)), TEXT("words", progress_words(progress)),
        TEXT("blanks", blanks), TEXT("title", title[0] ? title : NULL),
        TEXT("mark", progress && strcmp(progress, "last") == 0 ? ">" : " "));
}

static bool nothing_started(const struct draws *all, struct gpudbg_error *err)
{
    return gpudbg_fail(err, "not-now",
        all->n ? "no stream of the dump draws or dispatches anything; `packets` lists them"
               : "the dump contains no streams of commands that are decoded; see `info dump streams`");
}

static bool run_draws(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_dump *d;
    uint64_t number;
    if (!(d = session_dump_asked(g, a, &number, err)) || !args_end(a, err)) return false;
    struct draws all = draws_of(d);
    bool ok = all.work > 0;
    for (size_t i = 0; i < all.n; i++) ok |= all.event[i].kind == DRAW_MARK;
    for (size_t i = 0; ok && i < all.n && !out_broken(out); i++) say_event(d, &all, &all.event[i], (size_t)number, out);
    if (!ok) nothing_started(&all, err);
    draws_end(&all);
    return ok;
}

/* ---- The state at one ---- */

static const struct gpudbg_reg *reg_of(const struct gpudbg_dump *d, const char *family, const struct draw_state *s)
{
    if (s->key >= DRAW_SETTING || !family) return NULL;
    return gpudbg_reg_at(gpudbg_dump_databases(d), family, "mmio", s->key);
}

static void value_text(const uint8_t *bytes, size_t n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (size_t i = 0; bytes && i + 4 <= n; i += 4) text_add(&t, "%s0x%08" PRIx32, i ? " " : "", le_u32(bytes + i));
}

/* The command, or its part, as text: not for registers. */
static void setting_text(const struct gpudbg_dump *d, const struct draw_state *s, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    buf[0] = 0;
    if (!s->bytes || !gpudbg_insn_at(s->isa, s->command, s->command_size, s->command_addr, &insn)) return;
    insn.databases = gpudbg_dump_databases(d);
    if (s->setting.format) { /* only the part */
        insn.parts[1].bit = insn.parts[0].bit = 0;
        insn.parts[0] = (struct gpudbg_part){.format = s->setting.format, .count = 1};
        insn.nparts = 1;
        insn.raw = s->bytes;
        insn.size = s->size;
    }
    struct gpudbg_field_iter it;
    struct text t = text_in(buf, size);
    if (!s->setting.format) {
        s->isa->text(&insn, 0, GPUDBG_READABLE, NULL, buf, size);
        const size_t name = strlen(insn.op->name);
        if (strncmp(buf, insn.op->name, name) == 0) memmove(buf, buf + name + (buf[name] == ' '), strlen(buf + name));
        return;
    }
    char meaning[128];
    for (gpudbg_insn_fields(&it, &insn); gpudbg_next_field(&it);) {
        if (!it.value || strcmp(it.field->name, "-") == 0) continue;
        if (gpudbg_field_meaning(it.field, &insn, it.value, meaning, sizeof meaning) <= 0)
            snprintf(meaning, sizeof meaning, "0x%" PRIx64, it.value << it.field->scale);
        text_add(&t, "%s%s=%s", text_length(&t) ? " " : "", it.field->name, meaning);
    }
}

struct shown {
    bool changed, fields;
};

static void say_state(const struct gpudbg_dump *d, const char *family, const struct draw_state *s,
    const struct shown *shown, struct gpudbg_out *out)
{
    const struct gpudbg_reg *reg = reg_of(d, family, s);
    char number[32], value[700], before[700], text[1100] = "";
    const bool differs = draw_state_differs(s);
    snprintf(number, sizeof number, "0x%05" PRIx64, s->key & UINT32_MAX);
    value_text(s->bytes, s->size, value, sizeof value);
    value_text(s->before, s->before_size, before, sizeof before);
    const bool is_register = s->key < DRAW_SETTING;
    if (!is_register) setting_text(d, s, text, sizeof text);
    BEGIN(out, "draw-state",
        "{line:6} {mark}   {name:-34} [{text}][{shown}][{lost}not known: a command changed it out of sight][  was "
        "{was}]\n",
        STRING("name", !is_register ? s->setting.name
                       : reg        ? reg->name
                                    : number),
        STRING("block", reg ? reg->block : NULL), IF(is_register, HEX("addr", s->key)),
        IF(s->bytes, STRING("value", value)), IF(s->before, STRING("before", before)), BOOL("differs", differs),
        FLAG("lost", s->lost), IF(!is_register && s->bytes, STRING("text", text)), NUMBER("stream", s->stream),
        HEX("offset", s->offset), NUMBER("line", gpudbg_dump_stream_line(d, s->stream, s->offset)),
        TEXT_ONLY(IF(is_register && s->bytes, STRING("shown", value))),
        TEXT_ONLY(IF(differs && s->before, STRING("was", before))), TEXT("mark", differs ? "*" : " "));
    gpudbg_out_array(out, "fields");
    if (reg && s->bytes) {
        struct gpudbg_field_iter it;
        uint8_t bytes[8] = {0};
        memcpy(bytes, s->bytes, 4);
        for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);)
            field_record(out, &it,
                shown->fields && dump_field_tells(reg, &it, UINT64_MAX)
                    ? "             {bits:7}  {name:-26} {meaning}[  {doc}]\n"
                    : NULL);
    }
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

/* Settings of the instruction set first, then registers by the block that they belong to. */
static void say_states(const struct gpudbg_dump *d, const char *family, const struct draw_state *s, size_t n,
    const struct shown *shown, struct gpudbg_out *out)
{
    bool *done = xcalloc(n + 1, sizeof *done);
    for (size_t i = 0; i < n; i++) {
        if (done[i]) continue;
        const struct gpudbg_reg *reg = reg_of(d, family, &s[i]);
        const char *block = s[i].key >= DRAW_SETTING ? "commands" : reg && reg->block ? reg->block : "other registers";
        bool headed = false;
        for (size_t k = i; k < n; k++) {
            const struct gpudbg_reg *other = reg_of(d, family, &s[k]);
            const char *its = s[k].key >= DRAW_SETTING ? "commands"
                              : other && other->block  ? other->block
                                                       : "other registers";
            if (done[k] || strcmp(its, block) != 0) continue;
            done[k] = true;
            if (shown->changed && !draw_state_differs(&s[k])) continue;
            if (!headed) gpudbg_out_print(out, "  %s\n", block);
            headed = true;
            say_state(d, family, &s[k], shown, out);
        }
    }
    free(done);
}

static void say_draw(const struct gpudbg_dump *d, const struct draws *all, const struct draw_event *e, size_t dump,
    const struct shown *shown, struct gpudbg_out *out)
{
    char text[1100], where[160];
    size_t n, states;
    bool assumed;
    const struct gpudbg_stream *s = &gpudbg_dump_streams(d, &n)[e->stream];
    const char *progress = progress_of(e, all);
    struct draw_state *state = draw_state_at(d, e->number, &states);
    event_text(d, e, text, sizeof text);
    stream_text(s, e->stream, where, sizeof where);
    const bool chosen = all->told && e->number == all->chosen;
    RECORD(out, "draw",
        "draw {number} of {work}: {text}, at +{offset} of {where}, line {line}[; the last before {before}]"
        "[; the first after {behind}][; {words}]\n",
        STRING("kind", "work"), NUMBER("number", e->number), STRING("text", text), NUMBER("depth", e->depth),
        STRING("progress", progress), NUMBER("stream", e->stream), HEX("offset", e->offset), NUMBER("dump", dump),
        NUMBER("line", gpudbg_dump_stream_line(d, e->stream, e->offset)), TEXT_ONLY(NUMBER("work", all->work)),
        TEXT("where", where), TEXT("before", chosen && e->progress == PROGRESS_TAKEN ? all->told : NULL),
        TEXT("behind", chosen && e->progress == PROGRESS_AHEAD ? all->told : NULL),
        TEXT("words", !chosen && progress ? progress_words(progress) : NULL));
    if (!states)
        gpudbg_out_print(out, "the streams set no state before it\n");
    else
        say_states(d, dump_family(d, s->capture, &assumed), state, states, shown, out);
    free(state);
}

static bool run_draw(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_dump *d;
    struct shown shown = {.fields = strchr(gpudbg_args_format(a), 'f') != NULL};
    uint64_t dump, number = UINT64_MAX;
    if (!(d = session_dump_asked(g, a, &dump, err))) return false;
    const char *word = gpudbg_args_word(a);
    if (word && strcmp(word, "changed") != 0) {
        if (!gpudbg_evaluate(g, word, &number, err)) return false;
        word = gpudbg_args_word(a);
    }
    shown.changed = word && strcmp(word, "changed") == 0;
    if (word && !shown.changed)
        return gpudbg_fail(err, "usage", "\"%.40s\" is neither a number of a draw nor `changed`", word);
    if (!args_end(a, err)) return false;
    struct draws all = draws_of(d);
    if (number == UINT64_MAX) number = all.chosen;
    bool ok = number < all.work;
    if (!all.work)
        nothing_started(&all, err);
    else if (!ok)
        gpudbg_fail(err, "out-of-range", "draw %" PRIu64 ": the dump has %u; see `info draws`", number, all.work);
    for (size_t i = 0; ok && i < all.n; i++)
        if (all.event[i].kind == DRAW_WORK && all.event[i].number == number)
            say_draw(d, &all, &all.event[i], (size_t)dump, &shown, out);
    draws_end(&all);
    return ok;
}

static const struct gpudbg_command info_draws = {
    .name = "info draws",
    .usage = "[-d DUMP]",
    .summary = "list the draws, dispatches and marks in a dump's commands, as a tree",
    .help = "A buffer is listed below the command that runs it, and commands between two marks below the first mark.\n"
            "A dump may tell how far the engine was: by a read pointer, its head, or a trace point that it reached.\n"
            "Then `taken` means that the engine had read the draw, and `not yet` that it had not; > marks the last\n"
            "draw that it had read, which may still be under way.  A row begins with its line in the dump's file.",
    .family = "Dumps",
    .run = run_draws,
};

static const struct gpudbg_command info_draw = {
    .name = "info draw",
    .usage = "[/f] [-d DUMP] [N] [changed]",
    .summary = "show the state at a draw or dispatch in a dump's commands",
    .help = "N         a number that `info draws` shows.  Without it, the command shows the last draw that the engine\n"
            "          took; if the dump does not tell how far the engine was, it shows the last of all\n"
            "changed   only what differs from the draw before\n"
            "/f        with the fields that say something\n"
            "Shows the state that the dump's command streams have set by that point, registers by block; * marks what\n"
            "differs from the draw before.  State set before these streams begin is not known and not shown.",
    .family = "Dumps",
    .run = run_draw,
};

static const struct gpudbg_command *const commands[] = {&info_draws, &info_draw, NULL};
COMMAND_FAMILY(cmd_draw, "draw", .summary = "commands about draws in dumps", .commands = commands);
