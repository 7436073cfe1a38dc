/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa_listing.c: shaders as Mesa's drivers for Intel print them with INTEL_DEBUG=hex and a stage (fs, vs, cs, ...),
 * among whatever else the log has.  A container: each shader is a member.
 *
 *     Native code for unnamed fragment shader GLSL3 (src_hash 0x...)     a heading: begins a shader
 *     SIMD8 shader: 12 instructions. 0 loops. ...                        its width
 *        START B0 (44 cycles)
 *     01 02 60 20 3d 00 22 00 00 00 00 00 00 00 00 00 mov(8)  g4<1>F ... an instruction: 16 bytes, or 8 if compacted
 *        END B0
 *
 * Known by three lines of instructions in the first 64 KB.  The text does not name its chip: a shader is opened as of
 * the first of gen12, gen7.5, gen7 (or as --isa says) whose instructions at all these bytes have the names that the
 * text has.  Source: the text that Mesa's disassembler writes (brw_disasm_info.c, brw_disassemble_with_labels).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "binary/gen_binary.h"
#include "gen.h"

#define LINE_MOST 4096u    /* bytes of a line that are looked at */
#define CODE_MOST 1048576u /* bytes of a shader */
#define LINES_LEAST 3u
#define LONG 16u

/* ---- Lines ---- */

struct line {
    const char *text;
    size_t n;
};

static bool next_line(const uint8_t *b, size_t n, size_t *at, struct line *line)
{
    if (*at >= n) return false;
    const uint8_t *end = memchr(b + *at, '\n', n - *at);
    const size_t stop = end ? (size_t)(end - b) : n;
    size_t from = *at;
    *at = stop + 1;
    while (from < stop && isspace(b[from])) from++;
    *line = (struct line){(const char *)b + from, stop - from > LINE_MOST ? LINE_MOST : stop - from};
    return true;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Bytes at the start of a line, 8 or 16 of them in pairs of digits; *rest: the text behind.  0: another line. */
static unsigned bytes_of(const struct line *l, uint8_t bytes[LONG], struct line *rest)
{
    unsigned n = 0;
    size_t at = 0;
    for (;
         n < LONG && l->n - at >= 3 && digit(l->text[at]) >= 0 && digit(l->text[at + 1]) >= 0 && l->text[at + 2] == ' ';
         n++, at += 3)
        bytes[n] = (uint8_t)(digit(l->text[at]) << 4 | digit(l->text[at + 1]));
    while (at < l->n && l->text[at] == ' ') at++;
    *rest = (struct line){l->text + at, l->n - at};
    return (n == 8 || n == LONG) && rest->n && (islower((unsigned char)rest->text[0]) || rest->text[0] == '(') ? n : 0;
}

static bool starts(const struct line *l, const char *what)
{
    return l->n >= strlen(what) && memcmp(l->text, what, strlen(what)) == 0;
}

static bool holds(const struct line *l, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= l->n; i++)
        if (memcmp(l->text + i, what, n) == 0) return true;
    return false;
}

/* Whether the text names the row's instruction, behind its predicate: "(+f0.0) mov(8)". */
static bool names(const struct line *l, const char *name)
{
    size_t at = 0, n = 0;
    if (l->text[0] == '(') {
        while (at < l->n && l->text[at] != ')') at++;
        for (at++; at < l->n && l->text[at] == ' '; at++) {
        }
    }
    while (at + n < l->n && (islower((unsigned char)l->text[at + n]) || isdigit((unsigned char)l->text[at + n]))) n++;
    return strlen(name) == n && at < l->n && memcmp(l->text + at, name, n) == 0;
}

/* ---- A shader in the making ---- */

struct shader {
    bool open, too_long;
    const char *stage;
    unsigned width, other; /* other: a bit a chip whose instructions these are not */
    uint8_t *bytes;        /* CODE_MOST of them */
    size_t n;
};

static const char *stage_of(const struct line *l)
{
    static const struct {
        const char *text, *name;
    } stages[] = {{"vertex shader", "vs"}, {"tessellation control shader", "tcs"},
        {"tessellation evaluation shader", "tes"}, {"geometry shader", "gs"}, {"fragment shader", "fs"},
        {"compute shader", "cs"}, {"blorp", "blorp"}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (holds(l, stages[i].text)) return stages[i].name;
    return "shader";
}

static void take_insn(struct shader *s, const uint8_t *bytes, unsigned n, const struct line *text)
{
    struct gpudbg_insn insn;
    if (CODE_MOST - s->n < n) {
        s->too_long = true;
        return;
    }
    memcpy(s->bytes + s->n, bytes, n);
    for (unsigned i = 0; i < GEN_CHIPS; i++)
        if (!gpudbg_insn_at(gen_chips[i], bytes, n, s->n, &insn) || insn.size != n || !names(text, insn.op->name))
            s->other |= 1u << i;
    s->n += n;
}

/* The first chip that it can be of, which the user may have named. */
static const struct gpudbg_isa *chip_of(const struct gpudbg_image *image, const struct shader *s)
{
    for (unsigned i = 0; i < GEN_CHIPS; i++)
        if (image->isa == gen_chips[i]) return s->other >> i & 1 ? NULL : gen_chips[i];
    for (unsigned i = 0; i < GEN_CHIPS; i++)
        if (!(s->other >> i & 1)) return gen_chips[i];
    return NULL;
}

/* Gives the open shader, if there is code of it, and closes it.  false: no more is wanted, or err is set. */
static bool give(
    struct gpudbg_image *image, struct shader *s, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = chip_of(image, s);
    char name[48];
    bool more = true;
    if (s->open && s->n) {
        uint8_t *copy = gpudbg_image_alloc(image, s->n);
        if (!copy) return gpudbg_fail(err, "too-large", "its shaders take too much memory");
        memcpy(copy, s->bytes, s->n);
        const int n = s->width ? snprintf(name, sizeof name, "%s_simd%u", s->stage, s->width)
                               : snprintf(name, sizeof name, "%s", s->stage);
        const struct gpudbg_member m = {
            .name = gpudbg_image_string(image, name, (size_t)n),
            .contents = isa ? isa->title : "shader",
            .refused = s->too_long ? "it has more than 1 MB of code"
                       : isa       ? NULL
                                   : "its bytes are not, on any chip that gpudbg knows (or on that of --isa), the "
                                     "instructions that the text names",
            .isa = isa ? isa->name : NULL,
            .bytes = copy,
            .size = s->n,
        };
        more = each(to, &m);
    }
    *s = (struct shader){.bytes = s->bytes, .stage = "shader"};
    return more;
}

/* ---- The loader ---- */

static int probe(const uint8_t *b, size_t n, const char **why)
{
    struct line line, rest;
    uint8_t bytes[LONG];
    unsigned found = 0;
    size_t at = 0;
    *why = "text with instructions and their bytes, as Mesa's drivers for Intel print shaders (INTEL_DEBUG=hex)";
    if (memchr(b, 0, n < 4096 ? n : 4096)) return 0; /* no text */
    while (found < LINES_LEAST && next_line(b, n, &at, &line)) found += bytes_of(&line, bytes, &rest) > 0;
    return found == LINES_LEAST ? 70 : 0;
}

static bool take_line(struct gpudbg_image *image, struct shader *s, const struct line *line, gpudbg_member_fn *each,
    void *to, struct gpudbg_error *err)
{
    struct line rest;
    uint8_t bytes[LONG];
    if (starts(line, "Native code for ")) {
        if (!give(image, s, each, to, err)) return false;
        s->open = true;
        s->stage = stage_of(line);
        return true;
    }
    if (starts(line, "SIMD") && !s->n) {
        for (size_t i = 4; i < line->n && isdigit((unsigned char)line->text[i]) && s->width < 64; i++)
            s->width = 10 * s->width + (unsigned)(line->text[i] - '0');
        return true;
    }
    const unsigned n = bytes_of(line, bytes, &rest);
    if (!n) return true;
    s->open = true;
    take_insn(s, bytes, n, &rest);
    return true;
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct shader s = {.bytes = malloc(CODE_MOST), .stage = "shader"};
    struct line line;
    size_t at = 0;
    bool more = true;
    err->kind = NULL;
    if (!s.bytes) return gpudbg_fail(err, "memory", "no memory for a shader");
    while (more && next_line(image->bytes, image->size, &at, &line)) more = take_line(image, &s, &line, each, to, err);
    if (more) more = give(image, &s, each, to, err);
    free(s.bytes);
    return more || !err->kind;
}

const struct gpudbg_loader gen_listing_loader = {
    .name = "intel-debug",
    .summary = "shaders as Mesa's drivers for Intel print them: text with instructions and their bytes",
    .probe = probe,
    .members = members,
};
