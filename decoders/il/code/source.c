/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.c: IL text as lines without comments; names and numbers. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "code/assemble.h"

#define TOKENS_MOST ((size_t)1 << 26)

/* ---- Errors and tokens ---- */

bool il_parse_fail(struct il_parser *s, const char *at, const char *kind, const char *fmt, ...)
{
    char message[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    for (char *p = message; *p; p++) /* the message quotes text, which may contain any character */
        *p = *p < ' ' || *p > '~' ? '?' : *p;
    s->err->line = s->number;
    s->err->column = at ? (long)(at - s->line) + 1 : 1;
    return gpudbg_fail(s->err, kind, "%s: %s", kind, message);
}

bool il_emit(struct il_parser *s, const char *at, uint32_t token)
{
    struct il_program *p = s->to;
    if (p->n == p->room) {
        size_t room = p->room ? 2 * p->room : 256;
        uint32_t *tokens = room <= TOKENS_MOST ? realloc(p->token, room * sizeof *tokens) : NULL;
        if (tokens) p->token = tokens;
        struct il_place *places = tokens ? realloc(p->place, room * sizeof *places) : NULL;
        if (!places) return il_parse_fail(s, at, "too-large", "the program has more than %zu tokens", p->room);
        p->place = places;
        p->room = room;
    }
    p->place[p->n] = (struct il_place){s->number, at ? (uint32_t)(at - s->line) + 1 : 1, s->verbatim, false};
    p->token[p->n++] = token;
    return true;
}

/* ---- Names ---- */

const char *il_blanks(const char *p) { return p + strspn(p, " \t\r\f\v"); }

const char *il_comma(const char *p)
{
    p = il_blanks(p);
    return *p == ',' ? il_blanks(p + 1) : p;
}

size_t il_word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

bool il_same(const char *a, size_t n, const char *b) { return strlen(b) == n && strncasecmp(a, b, n) == 0; }

int64_t il_enum_value(const struct gpudbg_enum *e, const char *name, size_t n)
{
    for (size_t i = 0; i < e->count; i++)
        if (il_same(name, n, e->values[i].name)) return (int64_t)e->values[i].value;
    return -1;
}

/* ---- Numbers ---- */

static size_t number_length(const char *p)
{
    size_t n = *p == '-' || *p == '+';
    if (p[n] == '0' && (p[n + 1] == 'x' || p[n + 1] == 'X')) {
        n += 2;
        while (isxdigit((unsigned char)p[n])) n++;
        return n;
    }
    while (isalnum((unsigned char)p[n]) || p[n] == '.' ||
           ((p[n] == '-' || p[n] == '+') && (p[n - 1] == 'e' || p[n - 1] == 'E')))
        n++;
    return n;
}

static uint32_t float_bits(double value)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

bool il_number(struct il_parser *s, const char **p, enum il_number_kind kind, uint32_t *value)
{
    char text[64], *end;
    const char *at = *p;
    size_t n = number_length(at);
    if (n == 0 || n >= sizeof text ||
        !(isdigit((unsigned char)at[*at == '-' || *at == '+']) || at[*at == '-' || *at == '+'] == '.'))
        return il_parse_fail(s, at, "syntax", "a number is expected, not \"%.20s\"", at);
    memcpy(text, at, n);
    text[n] = 0;
    *p = at + n;
    bool hex = strpbrk(text, "xX") != NULL, real = !hex && strpbrk(text, ".eEfF") != NULL;
    if (real) {
        if (kind == IL_UNSIGNED) return il_parse_fail(s, at, "syntax", "a whole number is expected, not \"%s\"", text);
        *value = float_bits(strtof(text, &end));
        if (end != text && (*end == 'f' || *end == 'F')) end++;
    } else {
        errno = 0;
        long long whole = strtoll(text, &end, hex ? 16 : 10);
        if (errno || whole > UINT32_MAX || whole < (kind == IL_UNSIGNED ? 0 : INT32_MIN))
            return il_parse_fail(s, at, "syntax", "number %s does not fit into 32 bits", text);
        *value = (uint32_t)whole;
        if (!hex && kind == IL_RAW_FLOAT) *value = float_bits((double)whole);
        if (*text == '-' && whole == 0 && kind == IL_RAW_FLOAT) *value = 0x80000000;
    }
    if (*end || end == text) return il_parse_fail(s, at, "syntax", "\"%s\" is not a number", text);
    return true;
}

/* ---- Annotations ---- */

static const char mark[] = ";!";

static size_t token_length(const char *p)
{
    size_t n = 2;
    if (p[0] != '0' || (p[1] != 'x' && p[1] != 'X')) return 0;
    while (n < 10 && isxdigit((unsigned char)p[n])) n++;
    return n > 2 && !isalnum((unsigned char)p[n]) ? n : 0;
}

/* Length of the text after a mark, if all of it is an annotation; 0: it is an ordinary comment. */
static size_t annotation_length(const char *p)
{
    const char *at = il_blanks(p);
    size_t n = il_word_length(at), tokens = 0;
    if (il_same(at, n, "vertex") || il_same(at, n, "input")) return *il_blanks(at + n) == 0 ? (size_t)(at + n - p) : 0;
    if (strncmp(at, ".long", 5) == 0) at = il_blanks(at + 5);
    for (; (n = token_length(at)) > 0; tokens++) at = il_comma(at + n);
    return tokens && (*at == 0 || strncmp(at, "//", 2) == 0) ? (size_t)(at - p) : 0;
}

/* Position in a comment of n characters where an annotation begins, or n. */
static size_t find_annotation(const char *comment, size_t n)
{
    char *copy = malloc(n + 1);
    size_t found = n;
    if (!copy) return n;
    memcpy(copy, comment, n);
    copy[n] = 0;
    for (size_t i = 0; i + 1 < n && found == n; i++)
        if (copy[i] == mark[0] && copy[i + 1] == mark[1] && annotation_length(copy + i + 2)) found = i;
    free(copy);
    return found;
}

char *il_annotation(const struct il_parser *s) { return strstr(s->line, mark); }

long il_parse_tokens(struct il_parser *s, const char *at)
{
    long count = 0;
    if (strncmp(il_blanks(at), ".long", 5) == 0) at = il_blanks(at) + 5;
    s->verbatim = true;
    for (at = il_blanks(at); token_length(at); count++) {
        const uint32_t token = (uint32_t)strtoul(at, NULL, 16);
        if (!il_emit(s, at, token)) return -1;
        at = il_comma(at + token_length(at));
    }
    s->verbatim = false;
    return count;
}

/* ---- Lines ---- */

static bool starts(const char *text, size_t n, const char *word)
{
    return n >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* Overwrites comments with blanks, so that columns do not change; keeps line ends and annotations.  AMD's OpenCL
 * compiler leaves directives of an assembler (.file "a.cl") between two comments of its own. */
static void blank_comments(char *text, size_t size)
{
    bool fresh = true, whole = false, block = false, directives = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (c == '\n') {
            fresh = true;
            whole = false;
            continue;
        }
        if (block && c == '*' && i + 1 < size && text[i + 1] == '/') {
            block = false;
            text[i] = text[i + 1] = ' ';
            i++;
            continue;
        }
        if (!block && !whole) {
            bool two = i + 1 < size;
            whole = c == ';' || (fresh && (c == '#' || (c == '.' && directives))) ||
                    (c == '/' && two && text[i + 1] == '/');
            if (c == ';') {
                const char *end = memchr(text + i, '\n', size - i);
                const size_t n = end ? (size_t)(end - text) - i : size - i, annotation = find_annotation(text + i, n);
                directives = starts(text + i, n, ";DEBUGSTART") || (directives && !starts(text + i, n, ";DEBUGEND"));
                memset(text + i, ' ', annotation);
                i += n - 1;
                continue;
            }
            block = !whole && c == '/' && two && text[i + 1] == '*';
            if (block) text[i++] = ' ';
        }
        if (block || whole)
            text[i] = ' ';
        else if (!isspace((unsigned char)c))
            fresh = false;
    }
}

/* "; language dx11_ps" above the version line keeps the language token of a stream that was disassembled. */
static void find_language(struct il_parser *s, const char *text, size_t n)
{
    static const char lead[] = "; language ";
    char line[64];
    while (n && (*text == ' ' || *text == '\t')) {
        text++;
        n--;
    }
    snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line), text);
    if (strncmp(line, lead, sizeof lead - 1) != 0) return;
    const char *name = line + sizeof lead - 1;
    int64_t value = il_enum_value(&il_enum[IL_E_LANGUAGE], name, il_word_length(name));
    if (value < 0 && isdigit((unsigned char)*name)) value = (int64_t)strtoul(name, NULL, 0) & UINT32_MAX;
    if (value >= 0) s->language = (uint32_t)value;
}

static bool parse_lines(struct il_parser *s, const char *text, char *copy, size_t size)
{
    for (size_t at = 0; at < size;) {
        char *end = memchr(copy + at, '\n', size - at);
        size_t n = end ? (size_t)(end - copy) - at : size - at;
        s->line = copy + at;
        s->number++;
        char *nul = memchr(s->line, 0, n);
        if (nul) return il_parse_fail(s, nul, "syntax", "the text contains a zero byte");
        if (!s->has_version) find_language(s, text + at, n);
        copy[at + n] = 0;
        if (!il_parse_line(s)) return false;
        at += n + 1;
    }
    s->to->lines = s->number;
    if (s->has_version) return true;
    s->number = 1;
    return il_parse_fail(s, NULL, "bad-version", "no version line (il_cs_2_0, il_ps_2_0, ...)");
}

bool il_assemble(const char *text, size_t size, struct il_program *program, struct gpudbg_error *err)
{
    struct il_parser *s = calloc(1, sizeof *s); /* too large for the stack */
    char *copy = malloc(size + 1);
    memset(program, 0, sizeof *program);
    if (!s || !copy) {
        free(s);
        free(copy);
        return gpudbg_fail(err, "memory", "out of memory for %zu bytes of text", size);
    }
    s->to = program;
    s->err = err;
    memcpy(copy, text, size);
    copy[size] = 0;
    blank_comments(copy, size);
    bool ok = parse_lines(s, text, copy, size);
    free(copy);
    free(s);
    if (!ok) il_program_free(program);
    return ok;
}

bool il_assemble_line(const char *text, struct il_program *program, struct gpudbg_error *err)
{
    struct il_parser *s = calloc(1, sizeof *s);
    memset(program, 0, sizeof *program);
    if (!s || !(s->line = strdup(text))) {
        free(s);
        return gpudbg_fail(err, "memory", "out of memory for a line of %zu bytes", strlen(text));
    }
    s->to = program;
    s->err = err;
    s->number = 1;
    blank_comments(s->line, strlen(text));
    s->has_version = strncmp(text, "il_", 3) != 0;
    s->macro = 1; /* so that a definition may follow, as well as a packet */
    bool ok = il_parse_line(s);
    free(s->line);
    free(s);
    if (!ok) il_program_free(program);
    return ok;
}

void il_program_free(struct il_program *p)
{
    free(p->token);
    free(p->place);
    memset(p, 0, sizeof *p);
}
