/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of scripts: echo, printf, output. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/shown.h"
#include "session/command.h"
#include "eval/expr.h"
#include "out/say.h"
#include "session/session.h"
#include "eval/show.h"

/* A text that is being made, of any length. */
struct script_text {
    FILE *stream;
    char *bytes;
    size_t n;
};

static bool no_memory(struct gpudbg_error *err) { return gpudbg_fail(err, "memory", "no memory for a text"); }

static bool text_open(struct script_text *t, struct gpudbg_error *err)
{
    *t = (struct script_text){.bytes = NULL};
    return (t->stream = open_memstream(&t->bytes, &t->n)) || no_memory(err);
}

/* print: it is whole, and what of it did not come from the user's line went through shown.h. */
static bool text_close(
    struct gpudbg *g, struct script_text *t, bool print, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const bool whole = (int)!ferror(t->stream) & (fclose(t->stream) == 0) & (t->bytes != NULL);
    if (print && whole) {
        (g->foreign ? out_write : out_raw)(out, t->bytes, t->n); /* what the user spells out with a backslash is sent */
        RECORD(out, "text", NULL, STRING("text", t->bytes));
    }
    free(t->bytes);
    return print && (whole || no_memory(err));
}

/* What a backslash and the letter behind it stand for. */
static char escaped(char c)
{
    static const char from[] = "nrtae", to[] = "\n\r\t\a\033";
    const char *at = c ? strchr(from, c) : NULL;
    return at ? to[at - from] : c;
}

/* ---- echo ---- */

static bool run_echo(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct script_text t;
    if (!text_open(&t, err)) return false;
    for (const char *at = gpudbg_args_rest(a); *at; at++) fputc(*at == '\\' && at[1] ? escaped(*++at) : *at, t.stream);
    return text_close(g, &t, true, out, err);
}

static const struct gpudbg_command echo = {
    .name = "echo",
    .usage = "TEXT",
    .summary = "print text; \\n ends a line",
    .family = "Scripts",
    .run = run_echo,
};

/* ---- printf ---- */

#define SPEC_MAX 40

/* The end of an expression in a list: a comma that is in no bracket. */
static const char *expression_end(const char *at)
{
    for (int deep = 0; *at && (deep > 0 || *at != ','); at++) {
        if (strchr("([", *at))
            deep++;
        else if (strchr(")]", *at))
            deep--;
    }
    return at;
}

/* Takes the value of the next expression of the list behind the format. */
static bool next_value(struct gpudbg *g, const char **list, struct value *v, struct gpudbg_error *err)
{
    *list += strspn(*list, " \t");
    if (**list != ',') return gpudbg_fail(err, "usage", "there are fewer values than the format needs");
    const char *from = *list + 1, *end = expression_end(from);
    char *text = xstrndup(from, (size_t)(end - from));
    bool ok = expr_value(&g->eval, text, v, err);
    free(text);
    *list = end;
    return ok;
}

static bool is_one(const struct value *v, struct gpudbg_error *err)
{
    if (v->is_text) return gpudbg_fail(err, "usage", "\"%s\" is a text: only %%s prints it", v->text);
    return (v->type.bits && !v->many) ||
           gpudbg_fail(err, "usage", "the value has several registers or lanes, or is wide: only %%s prints it");
}

/* Bits that nothing has given a type are those of a float; anything else converts. */
static double as_real(const struct value *v)
{
    struct value typed = *v;
    if (!v->whole || v->type.bits < 32) return value_real(v);
    typed.type.kind = VALUE_FLOAT;
    value_set_bits(&typed, value_bits(v));
    return value_real(&typed);
}

/* The bits of an integer of its own width, a float's value; as_signed: the highest one is a sign. */
static uint64_t as_integer(const struct value *v, bool as_signed)
{
    struct value_type wide = {VALUE_SIGNED, 64};
    struct value typed = *v;
    if (v->type.kind == VALUE_FLOAT || v->untyped) return (uint64_t)value_convert(v, wide).i;
    typed.type.kind = as_signed ? VALUE_SIGNED : VALUE_UNSIGNED;
    value_set_bits(&typed, value_bits(v));
    return as_signed ? (uint64_t)value_convert(&typed, wide).i : typed.u;
}

/* One conversion of the format, from behind its '%': flags, width and precision are C's, sizes are read over. */
static const char *convert(
    struct gpudbg *g, const char *at, const char **list, struct script_text *t, struct gpudbg_error *err)
{
    char spec[SPEC_MAX];
    const size_t flags = strspn(at, "-+ #0"), width = strspn(at + flags, "0123456789");
    size_t n = flags + width, precision = 0;
    if (at[n] == '.') precision = 1 + strspn(at + n + 1, "0123456789");
    n += precision;
    if (flags > 5 || width > 3 || precision > 4) {
        gpudbg_fail(err, "syntax", "%%%.20s: a width or precision may have at most 3 digits", at);
        return NULL;
    }
    const char *end = at + n + strspn(at + n, "hlqjzt");
    const char letter = *end;
    struct value v;
    bool ok = letter && strchr("diouxXcaAeEfFgGsp", letter);
    if (!ok) {
        gpudbg_fail(err, "syntax", "%%%.*s%c: printf knows %%d i u o x X c a e f g s p and %%%%", (int)n, at,
            letter ? letter : ' ');
        return NULL;
    }
    if (!next_value(g, list, &v, err) || (letter != 's' && !is_one(&v, err))) return NULL;
    snprintf(spec, sizeof spec, "%%%s%.*s%s%c", letter == 'p' ? "#" : "", (int)n, at,
        strchr("diouxXp", letter) ? "ll" : "", letter == 'p' ? 'x' : letter);
    if (letter == 's') {
        char *text = v.is_text ? xstrdup(v.text) : show_text(&g->eval, &v, 0, err);
        if (!text) return NULL;
        const size_t size = shown_in(NULL, 0, text, strlen(text), SHOWN_TEXT) + 1;
        char *shown = malloc(size);
        if (!shown) {
            free(text);
            return alloc_failed(err, size, "a text"), NULL;
        }
        shown_in(shown, size, text, strlen(text), SHOWN_TEXT);
        fprintf(t->stream, spec, shown);
        free(shown);
        free(text);
    } else if (letter == 'c') {
        const unsigned char c = (unsigned char)as_integer(&v, false);
        char escape[SHOWN_MOST];
        shown_next(&(const char){(char)c}, 0, 1, SHOWN_TEXT, escape);
        spec[strlen(spec) - 1] = escape[0] ? 's' : 'c';
        if (c && escape[0]) /* what ends a text is no part of one */
            fprintf(t->stream, spec, escape);
        else if (c)
            fprintf(t->stream, spec, c);
    } else if (strchr("aAeEfFgG", letter)) {
        fprintf(t->stream, spec, as_real(&v));
    } else {
        fprintf(t->stream, spec, (unsigned long long)as_integer(&v, strchr("di", letter) != NULL));
    }
    return end + 1;
}

/* Formats up to the closing quote; NULL: an error. */
static bool format_all(struct gpudbg *g, const char *at, struct script_text *t, struct gpudbg_error *err)
{
    const char *list = at;
    for (; *list && *list != '"'; list++) list += *list == '\\' && list[1];
    if (!*list) return gpudbg_fail(err, "syntax", "the format has no closing quote");
    list++;
    while (at && *at != '"') {
        if (*at == '\\') {
            fputc(escaped(at[1]), t->stream);
            at += 2;
        } else if (*at != '%') {
            fputc(*at++, t->stream);
        } else if (at[1] == '%') {
            fputc('%', t->stream);
            at += 2;
        } else {
            at = convert(g, at + 1, &list, t, err);
        }
    }
    if (!at) return false;
    list += strspn(list, " \t");
    return !*list || gpudbg_fail(err, "usage", "there are more values than the format needs: \"%.40s\"", list);
}

static bool run_printf(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *at = gpudbg_args_rest(a);
    struct script_text t;
    if (*at != '"') return gpudbg_fail(err, "usage", "a format in quotes is missing");
    if (!text_open(&t, err)) return false;
    return text_close(g, &t, format_all(g, at + 1, &t, err), out, err);
}

static const struct gpudbg_command printf_command = {
    .name = "printf",
    .usage = "\"FORMAT\"[, EXPR]...",
    .summary = "print values in a format",
    .help = "FORMAT is C's:\n    %d %i %u %o %x %X %c   a number, as wide as its value, whatever size the format "
            "says\n    %f %e %g %a            a float; the bits of a register, or of memory without a type, are read "
            "as one\n    %p                     an address\n    %s                     a value as `print` shows it, "
            "also of several lanes\n    \\n \\t \\\" \\\\            end of line, tab, quote, backslash\nFlags, width "
            "and precision work as in C.",
    .family = "Scripts",
    .run = run_printf,
    .complete = complete_expression,
};

/* ---- output ---- */

static bool run_output(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char letter;
    unsigned size;
    struct value v;
    struct script_text t;
    if (!expr_value_changing(&g->eval, gpudbg_args_rest(a), &v, err) ||
        !show_letter(&g->eval, a, &letter, &size, err) || !text_open(&t, err))
        return false;
    show_size(&g->eval, &v, letter, size);
    char *text = show_text(&g->eval, &v, letter, err);
    if (text) shown_write(t.stream, text, strlen(text));
    free(text);
    return text_close(g, &t, text != NULL, out, err);
}

static const struct gpudbg_command output = {
    .name = "output",
    .usage = "[/FMT] EXPR",
    .summary = "print only a value: without a number and without an end of line",
    .family = "Scripts",
    .effect = GPUDBG_CHANGES,
    .run = run_output,
    .complete = complete_expression,
};

static const struct gpudbg_command *const commands[] = {&echo, &printf_command, &output, NULL};
COMMAND_FAMILY(cmd_printf, "text", .summary = "text of scripts", .commands = commands);
