/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa_listing.c: shaders as Mesa's drivers for Intel print them with INTEL_DEBUG and a stage (fs, vs, cs, ...), among
 * the other text of a log.  A container: each shader is a member, with the lines of the log as its source.
 *
 *     Native code for unnamed fragment shader GLSL3 (src_hash 0x...)     a heading: begins a shader
 *     SIMD8 shader: 12 instructions. 0 loops. ...                        its width
 *        START B0 (44 cycles)
 *     mov(8)          g4<1>F  ... { align1 1Q };                         an instruction, to its semicolon: assembled
 *     01 02 60 20 3d 00 22 00 00 00 00 00 00 00 00 00 mov(8)  g4<1>F ... the same of INTEL_DEBUG=hex: 16 bytes, or 8
 *     LABEL0:
 *        END B0
 *
 * Known by three lines of instructions in the first 64 KB, or a heading.  The text does not name its chip.  If another
 * line of the log does ("Mesa DRI Intel(R) Haswell Mobile"), or --isa, the shaders are of that; else they are of the
 * first of gen12, gen7.5 and gen7 that takes all of them: if there are bytes, they must give the names of the text.
 * Text that is not native code (NIR, IR, GLSL) is skipped, and its kinds are named.  Source: the text that Mesa's
 * disassembler writes (brw_disasm_info.c, brw_disassemble_with_labels).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files/gen_binary.h"
#include "files/mesa_log.h"
#include "gen.h"

#define CODE_MOST 1048576u /* bytes of a shader */
#define SHADERS_MOST 4096u
#define LINES_LEAST 3u

struct statement {
    const char *text; /* in the file */
    uint32_t n, line; /* characters, to the semicolon; number of its line */
    uint32_t at;      /* address */
    uint8_t size;
    bool has_bytes;
    uint8_t bytes[MESA_LONG];
};

struct label {
    char name[24];
    uint32_t statement; /* the statement after it */
};

struct shader {
    const char *stage;
    unsigned width;
    struct statement *insn;
    size_t n, room, bytes;
    struct label *label;
    size_t nlabels;
    bool too_long;
    uint8_t other; /* a bit for each chip that does not have these instructions */
    uint32_t line; /* of the first instruction that no chip has */
    char why[400]; /* why the first of those chips does not take it */
};

struct log {
    struct gpudbg_image *image;
    struct shader *shader;
    size_t n;
    struct shader *open; /* NULL: the lines belong to no shader */
    bool marked;         /* a line says that it is compacted, or has its bytes */
    bool headed;         /* the log has headings: instructions outside of shaders are other text */
    struct mesa_chip chip;
    struct mesa_skipped skipped;
    bool memory_ended;
};

/* ---- Shaders ---- */

static struct shader *begin(struct log *log, const char *stage)
{
    if (log->n && !log->shader[log->n - 1].n) log->n--; /* it has only a heading */
    if (log->n >= SHADERS_MOST) return log->open = NULL;
    log->open = &log->shader[log->n++];
    *log->open = (struct shader){.stage = stage};
    return log->open;
}

static void *more(struct log *log, void *list, size_t n, size_t size)
{
    if (n & (n - 1) || n == 1) return list; /* room for the next power of two */
    void *grown = realloc(list, (n ? 2 * n : 2) * size);
    if (!grown) log->memory_ended = true;
    return grown ? grown : list;
}

static void add_statement(struct log *log, const struct statement *s)
{
    struct shader *to = log->open;
    if (to->bytes + s->size > CODE_MOST) to->too_long = true;
    if (to->too_long) return;
    to->insn = more(log, to->insn, to->n, sizeof *s);
    if (log->memory_ended) return;
    to->insn[to->n] = *s;
    to->insn[to->n++].at = (uint32_t)to->bytes;
    to->bytes += s->size;
}

static void add_label(struct log *log, const struct mesa_line *line)
{
    struct shader *to = log->open;
    to->label = more(log, to->label, to->nlabels, sizeof *to->label);
    if (log->memory_ended) return;
    struct label *l = &to->label[to->nlabels++];
    snprintf(l->name, sizeof l->name, "%.*s", (int)(line->n - 1 < 23 ? line->n - 1 : 23), line->text);
    l->statement = (uint32_t)to->n;
}

/* ---- Assembling ---- */

static uint32_t label_address(const struct shader *s, const struct label *l)
{
    return l->statement < s->n ? s->insn[l->statement].at : (uint32_t)s->bytes;
}

static bool symbol(const struct gpudbg_reading *r, const char *name, size_t n, uint64_t *value, bool *known)
{
    const struct shader *s = r->data;
    *known = true;
    for (size_t i = 0; i < s->nlabels; i++)
        if (strlen(s->label[i].name) == n && memcmp(s->label[i].name, name, n) == 0) {
            *value = label_address(s, &s->label[i]);
            return true;
        }
    return false;
}

static unsigned mesa_syntax(const struct gpudbg_isa *isa)
{
    unsigned n = 0;
    while (strcmp(isa->syntaxes[n], "mesa") != 0) n++;
    return n;
}

/* The bytes of a statement on a chip. */
static bool take(const struct shader *s, const struct statement *i, const struct gpudbg_isa *isa,
    uint8_t bytes[MESA_LONG], struct gpudbg_error *err)
{
    char text[MESA_TEXT + 1], name[32];
    struct gpudbg_insn insn;
    if (i->has_bytes) {
        memcpy(bytes, i->bytes, i->size);
        mesa_name(i->text, i->n, name, sizeof name);
        return (gpudbg_insn_at(isa, bytes, i->size, i->at, &insn) && insn.size == i->size &&
                   strcmp(name, insn.op->name) == 0) ||
               gpudbg_fail(err, "not-recognised", "its bytes are not the instruction that the text names");
    }
    if (i->n > MESA_TEXT) return gpudbg_fail(err, "too-large", "an instruction of %u characters", (unsigned)i->n);
    memcpy(text, i->text, i->n);
    text[i->n] = 0;
    for (char *p = text; *p; p++)
        if (*p == '\n' || *p == '\r' || *p == '\t') *p = ' ';
    uint8_t out[MESA_LONG];
    struct gpudbg_reading r = {.text = text,
        .at = text,
        .isa = isa,
        .syntax = mesa_syntax(isa),
        .addr = i->at,
        .symbol = symbol,
        .data = (void *)(uintptr_t)s,
        .err = err};
    const int n = isa->assembler.line(&r, out, sizeof out);
    if (n != i->size) {
        if (n > 0) gpudbg_fail(err, "syntax", "%d bytes, where its text says %u", n, i->size);
        return false;
    }
    memcpy(bytes, out, (size_t)n);
    return true;
}

/* Which chips take the shader.  Only the first reason is kept. */
static void try_chips(struct shader *s)
{
    uint8_t bytes[MESA_LONG];
    for (unsigned c = 0; c < GEN_EUS; c++)
        for (size_t k = 0; k < s->n; k++) {
            struct gpudbg_error err = {.offset = -1};
            if (take(s, &s->insn[k], gen_tried(c), bytes, &err)) continue;
            s->other |= (uint8_t)(1u << c);
            if (!*s->why || gen_eu_of(gen_tried(c))->usual) {
                s->line = s->insn[k].line;
                snprintf(s->why, sizeof s->why, "%.380s", err.message);
            }
            break;
        }
}

/* ---- Which chip ---- */

#define ALL_CHIPS ((1u << GEN_EUS) - 1)

static bool fits_none(const struct shader *s) { return s->n && (s->other & ALL_CHIPS) == ALL_CHIPS; }

/* The chip of all shaders, and why. */
static const struct gpudbg_isa *choose(struct log *log, char why[200])
{
    const struct gpudbg_isa *asked = log->image->isa;
    unsigned other = 0;
    for (unsigned i = 0; i < GEN_EUS; i++)
        if (asked == gen_tried(i)) {
            snprintf(why, 200, "%s, by --isa%s%s", asked->name, log->chip.name ? "; the log names " : "",
                log->chip.name ? log->chip.name : "");
            return asked;
        }
    if (log->chip.name && log->chip.isa) {
        snprintf(
            why, 200, "%s: line %u of the log names %s", log->chip.isa->name, (unsigned)log->chip.line, log->chip.name);
        return log->chip.isa;
    }
    for (size_t i = 0; i < log->n; i++) /* bytes that fit no chip concern only their shader */
        if (!fits_none(&log->shader[i]) || !log->shader[i].insn[0].has_bytes) other |= log->shader[i].other;
    const unsigned fit = ~other & ALL_CHIPS;
    const struct gpudbg_isa *first = NULL, *last = NULL;
    for (unsigned i = 0; i < GEN_EUS; i++) {
        if (!(fit >> i & 1)) continue;
        if (!first) first = gen_tried(i);
        last = gen_tried(i);
    }
    if (first && fit & (fit - 1))
        snprintf(why, 200,
            "%s, a guess: the log does not name it, and %s takes the text, too; other generations print such text "
            "as well.  --isa decides",
            first->name, last->name);
    else if (first)
        snprintf(why, 200, "%s, a guess: the log does not name it; no other one that gpudbg reads takes the text",
            first->name);
    return first;
}

/* ---- Members ---- */

static const char *refusal(struct log *log, const struct shader *s, const struct gpudbg_isa *isa)
{
    char text[700];
    if (s->too_long) return "it has more than 1 MB of code";
    if (log->chip.name && !log->chip.isa && !log->image->isa)
        snprintf(text, sizeof text, "line %u of the log names %s (%s), whose code is not read here",
            (unsigned)log->chip.line, log->chip.name, log->chip.generation);
    else if (s->n && s->insn[0].has_bytes && (!isa || fits_none(s)))
        return "its bytes are not, on any chip that gpudbg knows (or on that of --isa), the instructions that the "
               "text names";
    else if (!isa && fits_none(s))
        snprintf(text, sizeof text, "line %u: %s", (unsigned)s->line, s->why);
    else if (!isa)
        snprintf(text, sizeof text,
            "other shaders of the log are of no chip that gpudbg reads, or of different ones: --isa names the chip");
    else
        return NULL;
    return gpudbg_image_string(log->image, text, strlen(text));
}

/* ---- Headers of messages ---- */

enum { RENDER = 5, SAMPLER = 2, HEADER = 19 /* bit of the descriptor, which is the upper dword */ };

/* Mesa before 2019 does not print whether a message has a header; it makes one by copying g0 to the payload's first
 * register.  copies: which registers hold such a copy.  false: the instruction is not one whose header is found so. */
static bool mend_header(const struct statement *s, const struct gpudbg_isa *isa, uint8_t bytes[MESA_LONG], bool *copies)
{
    struct gpudbg_insn insn;
    struct gen_insn i;
    if (!gpudbg_insn_at(isa, bytes, s->size, s->at, &insn)) return false;
    gen_unpack(&insn, &i);
    const bool sends = i.shape == GEN_SEND && !gen_is_split(&i) && i.src[0].mode == GEN_DIRECT;
    const bool header = sends && i.src[0].file == GEN_GRF && copies[i.src[0].reg];
    const bool found = sends && (i.sfid == RENDER || i.sfid == SAMPLER) && !i.desc_is_reg && !s->has_bytes &&
                       !mesa_has_number(s->text, s->n);
    const unsigned bit = 1u << HEADER % 8, others = bytes[12 + HEADER / 8] & ~bit;
    if (found) bytes[12 + HEADER / 8] = (uint8_t)(header ? others | bit : others);
    if (i.dst.mode != GEN_DIRECT || i.dst.file != GEN_GRF || i.shape >= GEN_JUMP) return found;
    const struct gen_operand *from = &i.src[0];
    const bool copy = GEN_IS(i.op, MOVE) && i.no_mask && i.exec_size >= 8 && from->mode == GEN_DIRECT &&
                      from->file == GEN_GRF && from->reg == 0 && from->sub == 0 && !from->neg && !from->abs;
    const unsigned element = (unsigned)i.dst.hstride * gen_type_size[i.dst.type];
    const unsigned size = sends ? 32 * (i.desc >> 20 & 31) : i.exec_size * element;
    if (!copy && size < 32 && !sends) return found; /* a part of a header is changed: it stays a header */
    for (unsigned r = i.dst.reg; r < 128 && r < i.dst.reg + (size + 31) / 32; r++) copies[r] = copy && r == i.dst.reg;
    return found;
}

/* Assembles the shader; *made counts messages whose header was found.  false: err says what is wrong. */
static bool lay_out(const struct shader *s, const struct gpudbg_isa *isa, uint8_t *bytes, struct gpudbg_line *lines,
    uint32_t *line, unsigned *made, struct gpudbg_error *err)
{
    bool copies[256] = {false};
    for (size_t k = 0; k < s->n; k++) {
        uint8_t *to = bytes + s->insn[k].at;
        *line = s->insn[k].line;
        if (!take(s, &s->insn[k], isa, to, err)) return false;
        *made += mend_header(&s->insn[k], isa, to, copies);
        lines[k] = (struct gpudbg_line){.addr = s->insn[k].at, .line = s->insn[k].line, .column = 1};
    }
    return true;
}

/* Jumps whose targets are numbers. */
static unsigned numbered_jumps(const struct shader *s, const struct gpudbg_isa *isa, const uint8_t *bytes)
{
    unsigned n = 0;
    struct gpudbg_insn insn;
    for (size_t k = 0; k < s->n; k++) {
        const struct statement *t = &s->insn[k];
        if (!gpudbg_insn_at(isa, bytes + t->at, t->size, t->at, &insn) || !insn.op) continue;
        n += gpudbg_insn_does(&insn) & GPUDBG_OP_BRANCH && !memmem(t->text, t->n, "LABEL", 5);
    }
    return n;
}

static bool give(struct log *log, struct shader *s, const struct gpudbg_isa *isa, const char *why,
    gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct gpudbg_image *image = log->image;
    char name[48], text[500];
    uint32_t line = 0;
    unsigned made = 0;
    struct gpudbg_error failed = {.offset = -1};
    const int n = s->width ? snprintf(name, sizeof name, "%s_simd%u", s->stage, s->width)
                           : snprintf(name, sizeof name, "%s", s->stage);
    uint8_t *bytes = gpudbg_image_alloc(image, s->bytes + MESA_LONG);
    struct gpudbg_line *lines = gpudbg_image_alloc(image, (s->n + 1) * sizeof *lines);
    struct gpudbg_symbol *labels = gpudbg_image_alloc(image, (s->nlabels + 1) * sizeof *labels);
    struct gpudbg_fact *facts = gpudbg_image_alloc(image, 3 * sizeof *facts);
    if (!bytes || !lines || !labels || !facts) return gpudbg_fail(err, "too-large", "its shaders take too much memory");
    struct gpudbg_member m = {
        .name = gpudbg_image_string(image, name, (size_t)n),
        .contents = isa ? isa->title : "shader",
        .refused = refusal(log, s, isa),
        .isa = isa ? isa->name : NULL,
        .bytes = bytes,
        .size = s->bytes,
        .facts = facts,
        .nfacts = isa ? 1 : 0,
        .lines = lines,
        .nlines = s->n,
        .symbols = labels,
        .nsymbols = s->nlabels,
    };
    facts[0] = (struct gpudbg_fact){"chip", gpudbg_image_string(image, why, strlen(why)), 0};
    if (!m.refused && !lay_out(s, isa, bytes, lines, &line, &made, &failed)) {
        snprintf(text, sizeof text, "line %u: %.400s", (unsigned)line, failed.message);
        m.refused = gpudbg_image_string(image, text, strlen(text));
    }
    if (made) {
        const int length = snprintf(text, sizeof text,
            "%u without a number: it is made of the words, and a header is where the payload begins with a copy of g0",
            made);
        facts[m.nfacts++] = (struct gpudbg_fact){"messages", gpudbg_image_string(image, text, (size_t)length), made};
    }
    const unsigned jumps = m.refused || log->marked ? 0 : numbered_jumps(s, isa, bytes);
    if (jumps) {
        const int length = snprintf(text, sizeof text,
            "%u with numbers, and no line is marked as compacted: Mesa before May 2014 did not say it, so their "
            "targets "
            "may be wrong",
            jumps);
        facts[m.nfacts++] = (struct gpudbg_fact){"jumps", gpudbg_image_string(image, text, (size_t)length), jumps};
    }
    for (size_t i = 0; i < s->nlabels; i++) {
        const char *label = gpudbg_image_string(image, s->label[i].name, strlen(s->label[i].name));
        labels[i] = (struct gpudbg_symbol){label, label_address(s, &s->label[i]), 0, GPUDBG_SYM_LABEL};
    }
    return each(to, &m);
}

/* ---- The log ---- */

static void take_line(struct log *log, const struct mesa_line *line)
{
    struct statement s = {.line = line->number};
    struct mesa_line rest;
    if (mesa_starts(line, "Native code for ")) {
        mesa_skip(&log->skipped, NULL, line->number);
        struct shader *made = begin(log, mesa_stage(line));
        if (made) made->width = mesa_width(line);
        return;
    }
    const char *other = mesa_heading(line);
    if (other) {
        mesa_skip(&log->skipped, other, line->number);
        log->open = NULL;
        return;
    }
    if (mesa_starts(line, "SIMD") && log->open && !log->open->n) {
        const unsigned width = mesa_width(line);
        if (width) log->open->width = width;
        return;
    }
    const unsigned n = mesa_bytes(line, s.bytes, &rest);
    const bool is = n || mesa_is_instruction(line);
    if (!is && !(log->open && mesa_is_label(line))) {
        mesa_chip_of_line(&log->chip, line);
        return;
    }
    if (!log->open && (log->headed || !begin(log, "shader"))) return;
    if (!is) {
        add_label(log, line);
        return;
    }
    s.text = n ? rest.text : line->text;
    s.has_bytes = n > 0;
    s.n = (uint32_t)(n ? rest.n : mesa_statement(log->image->bytes, log->image->size, line));
    s.size = (uint8_t)(n ? n : mesa_is_compacted(s.text, s.n) ? 8 : 16);
    log->marked |= s.has_bytes || s.size == 8;
    add_statement(log, &s);
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    struct mesa_line line = {.number = 0}, rest;
    uint8_t bytes[MESA_LONG];
    unsigned found = 0, plain = 0;
    bool heading = false;
    size_t at = 0;
    *why = "text with instructions as Mesa's drivers for Intel print shaders (INTEL_DEBUG)";
    if (memchr(b, 0, n < 4096 ? n : 4096)) return 0; /* not text */
    while (found + plain < LINES_LEAST && mesa_next_line(b, n, &at, &line)) {
        found += mesa_bytes(&line, bytes, &rest) > 0;
        plain += mesa_is_instruction(&line);
        heading |= mesa_starts(&line, "Native code for ") || mesa_is_nir_heading(&line);
    }
    return found + plain == LINES_LEAST ? 70 : heading ? 40 : 0;
}

static void read_log(struct log *log)
{
    struct mesa_line line = {.number = 0};
    size_t at = 0;
    while (!log->headed && mesa_next_line(log->image->bytes, log->image->size, &at, &line))
        log->headed = mesa_starts(&line, "Native code for ");
    line.number = 0;
    at = 0;
    while (!log->memory_ended && mesa_next_line(log->image->bytes, log->image->size, &at, &line)) take_line(log, &line);
    mesa_skip(&log->skipped, NULL, line.number + 1);
    if (log->n && !log->shader[log->n - 1].n) log->n--;
}

static void describe(struct log *log)
{
    char text[300];
    for (size_t i = 0; i < log->image->nfacts; i++) /* the fact is there from an earlier call */
        if (strcmp(log->image->facts[i].key, "skipped") == 0) return;
    if (mesa_say_skipped(&log->skipped, text, sizeof text)) gpudbg_image_fact(log->image, "skipped", text, 0);
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct log log = {.image = image, .shader = calloc(SHADERS_MOST, sizeof *log.shader)};
    char why[200] = "";
    bool more_wanted = true;
    err->kind = NULL;
    if (!log.shader) return gpudbg_fail(err, "memory", "no memory for its shaders");
    read_log(&log);
    for (size_t i = 0; i < log.n; i++)
        if (!log.shader[i].too_long) try_chips(&log.shader[i]);
    const struct gpudbg_isa *isa = choose(&log, why);
    describe(&log);
    for (size_t i = 0; i < log.n && more_wanted && !log.memory_ended; i++)
        more_wanted = give(&log, &log.shader[i], isa, why, each, to, err);
    for (size_t i = 0; i < log.n; i++) {
        free(log.shader[i].insn);
        free(log.shader[i].label);
    }
    free(log.shader);
    if (log.memory_ended) return gpudbg_fail(err, "memory", "no memory for its shaders");
    return more_wanted || !err->kind;
}

const struct gpudbg_loader gen_listing_loader = {
    .name = "intel-debug",
    .summary = "shaders as Mesa's drivers for Intel print them: text of instructions, with their bytes or without",
    .probe = probe,
    .members = members,
};
