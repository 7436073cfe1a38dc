/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesa_log.c: see mesa_log.h. */
#include "files/mesa_log.h"
#include "files/products.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "code/gen_decoder.h"
#include "gpudbg/text.h"

#define LINE_MOST 4096u

/* ---- Lines ---- */

bool mesa_next_line(const uint8_t *b, size_t n, size_t *at, struct mesa_line *line)
{
    if (*at >= n) return false;
    const uint8_t *end = memchr(b + *at, '\n', n - *at);
    const size_t stop = end ? (size_t)(end - b) : n;
    size_t from = *at;
    *at = stop + 1;
    while (from < stop && isspace(b[from])) from++;
    *line = (struct mesa_line){
        (const char *)b + from, stop - from > LINE_MOST ? LINE_MOST : stop - from, line->number + 1};
    return true;
}

bool mesa_starts(const struct mesa_line *l, const char *what)
{
    return l->n >= strlen(what) && memcmp(l->text, what, strlen(what)) == 0;
}

static bool holds(const struct mesa_line *l, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= l->n; i++)
        if (memcmp(l->text + i, what, n) == 0) return true;
    return false;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

unsigned mesa_bytes(const struct mesa_line *l, uint8_t bytes[MESA_LONG], struct mesa_line *rest)
{
    unsigned n = 0;
    size_t at = 0;
    for (; n < MESA_LONG && l->n - at >= 3 && digit(l->text[at]) >= 0 && digit(l->text[at + 1]) >= 0 &&
           l->text[at + 2] == ' ';
         n++, at += 3)
        bytes[n] = (uint8_t)(digit(l->text[at]) << 4 | digit(l->text[at + 1]));
    while (at < l->n && l->text[at] == ' ') at++;
    *rest = (struct mesa_line){l->text + at, l->n - at, l->number};
    return (n == 8 || n == MESA_LONG) && rest->n && (islower((unsigned char)rest->text[0]) || rest->text[0] == '(') ? n
                                                                                                                    : 0;
}

/* ---- Instructions ---- */

/* The start of the name, after the predicate: "(+f0.0) mov(8)". */
static size_t behind_predicate(const char *text, size_t n)
{
    size_t at = 0;
    if (!n || text[0] != '(') return 0;
    while (at < n && text[at] != ')') at++;
    for (at++; at < n && text[at] == ' '; at++) {
    }
    return at < n ? at : n;
}

static size_t name_length(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && (islower((unsigned char)text[i]) || isdigit((unsigned char)text[i]))) i++;
    return i;
}

void mesa_name(const char *text, size_t n, char *name, size_t size)
{
    const size_t at = behind_predicate(text, n), length = name_length(text + at, n - at);
    snprintf(name, size, "%.*s", (int)(length < size ? length : 0), text + at);
}

/* An instruction's name on any of our chips, or on others, whose logs are refused by their contents. */
static bool is_op(const char *name, size_t n)
{
    static const char *const others[] = {"sends", "sendsc", "do", "iff", "msave", "add3", "bfn", "dpas"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == n && memcmp(others[i], name, n) == 0) return true;
    const struct gpudbg_isa *any = &gen_eus[0].isa; /* all share the table */
    for (size_t i = 0; i < any->nops; i++)
        if (strlen(any->ops[i].name) == n && memcmp(any->ops[i].name, name, n) == 0) return true;
    return false;
}

/* Registers of IR before they are numbers: "mov(8) vgrf3:F, attr0:F". */
static bool is_ir(const struct mesa_line *l)
{
    return holds(l, "vgrf") || holds(l, "vreg") || holds(l, "hw_reg") || holds(l, "attr");
}

bool mesa_is_instruction(const struct mesa_line *l)
{
    size_t at = behind_predicate(l->text, l->n);
    const size_t n = name_length(l->text + at, l->n - at);
    if (!n || !is_op(l->text + at, n)) return false;
    const bool nop = n == 3 && memcmp(l->text + at, "nop", 3) == 0;
    at += n;
    if (nop) {
        while (at < l->n && l->text[at] == ' ') at++;
        return at < l->n && l->text[at] == ';';
    }
    while (at < l->n && (isalnum((unsigned char)l->text[at]) || l->text[at] == '.' || l->text[at] == ' ')) at++;
    if (at == l->n || l->text[at++] != '(') return false;
    const size_t from = at;
    while (at < l->n && isdigit((unsigned char)l->text[at])) at++;
    return at > from && at < l->n && l->text[at] == ')' && !is_ir(l);
}

bool mesa_is_label(const struct mesa_line *l)
{
    size_t at = 5;
    if (!mesa_starts(l, "LABEL")) return false;
    while (at < l->n && isdigit((unsigned char)l->text[at])) at++;
    return at > 5 && at < l->n && l->text[at] == ':' && at < 22;
}

size_t mesa_statement(const uint8_t *b, size_t size, const struct mesa_line *line)
{
    const char *end = (const char *)b + size;
    const size_t room = (size_t)(end - line->text);
    unsigned lines = 0;
    for (size_t i = 0; i < room && i < LINE_MOST; i++) {
        if (line->text[i] == ';') return i + 1;
        if (line->text[i] != '\n') continue;
        struct mesa_line next = {line->text + i + 1, room - i - 1 < LINE_MOST ? room - i - 1 : LINE_MOST, 0};
        while (next.n && (*next.text == ' ' || *next.text == '\t')) next.text++, next.n--;
        if (++lines == 4 || mesa_is_instruction(&next) || mesa_is_label(&next) || !next.n || *next.text == '\n') break;
    }
    return line->n; /* a semicolon is missing: the line alone */
}

bool mesa_is_compacted(const char *text, size_t n)
{
    static const char word[] = "compacted";
    size_t at = n;
    while (at && text[at - 1] != '{') at--;
    for (; at && n - at >= sizeof word - 1 && text[at] != '}'; at++)
        if (memcmp(text + at, word, sizeof word - 1) == 0) return true;
    return false;
}

bool mesa_has_number(const char *text, size_t n)
{
    bool number = false;
    for (size_t i = 0; n - i >= 8; i++) {
        number |= memcmp(text + i, " 0x", 3) == 0;
        if (memcmp(text + i, "MsgDesc:", 8) == 0) return number;
    }
    return false;
}

/* ---- Headings ---- */

const char *mesa_stage(const struct mesa_line *l)
{
    static const struct {
        const char *text, *name;
    } stages[] = {{"vertex shader", "vs"}, {"tessellation control shader", "tcs"},
        {"tessellation evaluation shader", "tes"}, {"geometry shader", "gs"}, {"fragment shader", "fs"},
        {"compute shader", "cs"}, {"fragment program", "fs"}, {"vertex program", "vs"}, {"blorp", "blorp"},
        {"meta clear", "fs"}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (holds(l, stages[i].text)) return stages[i].name;
    return "shader";
}

unsigned mesa_width(const struct mesa_line *l)
{
    static const struct {
        const char *text;
        unsigned width;
    } widths[] = {{"SIMD8", 8}, {"SIMD16", 16}, {"SIMD32", 32}, {"(8-wide", 8}, {"(16-wide", 16}, {"SIMD4x2", 0}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (holds(l, widths[i].text)) return widths[i].width;
    return 0;
}

bool mesa_is_nir_heading(const struct mesa_line *l)
{
    return (mesa_starts(l, "NIR (") && holds(l, "form) for")) || mesa_starts(l, "GLSL IR for native ");
}

const char *mesa_heading(const struct mesa_line *l)
{
    static const struct {
        const char *begin, *name;
    } rows[] = {{"NIR (", "NIR"}, {"shader: MESA_SHADER_", "NIR"}, {"GLSL IR for ", "GLSL IR"},
        {"GLSL source for ", "GLSL source"}, {"ARB_vertex_program", "ARB program"},
        {"ARB_fragment_program", "ARB program"}, {"Mesa IR for ", "Mesa IR"}, {"VUE map", "VUE map"},
        {"VS Output ", "IR"}, {"; SPIR-V", "SPIR-V"}, {"BLOCK B0", "IR"}, {"START B0", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (mesa_starts(l, rows[i].begin)) return rows[i].name;
    return NULL;
}

void mesa_skip(struct mesa_skipped *s, const char *kind, uint32_t line)
{
    for (unsigned i = 0; s->open && i < MESA_KINDS; i++) {
        if (s->kind[i].name && strcmp(s->kind[i].name, s->open) != 0) continue;
        s->kind[i].name = s->open;
        s->kind[i].sections++;
        s->kind[i].lines += line - s->from;
        break;
    }
    s->open = kind;
    s->from = line;
}

bool mesa_say_skipped(const struct mesa_skipped *s, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < MESA_KINDS && s->kind[i].name; i++)
        text_add(&t, "%s%s (%u sections, %u lines)", i ? ", " : "", s->kind[i].name, (unsigned)s->kind[i].sections,
            (unsigned)s->kind[i].lines);
    return t.n > 0;
}

/* ---- Chips ---- */

void mesa_chip_of_line(struct mesa_chip *chip, const struct mesa_line *l)
{
    static const struct {
        const char *word, *generation;
        const struct gpudbg_isa *isa;
    } rows[] = {
#define SPOKEN(word, generation, isa) {word, generation, isa},
#include "files/products.def"
    };
    if (chip->name || !holds(l, "Intel")) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (holds(l, rows[i].word))
            *chip = (struct mesa_chip){
                rows[i].word + (rows[i].word[0] == '('), rows[i].generation, rows[i].isa, l->number};
}
