/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions that are shown at every stop: display, undisplay, info display. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "out/say.h"
#include "session/command.h"
#include "command/display.h"
#include "eval/over_show.h"
#include "code/code_names.h"
#include "code/walk.h"
#include "eval/locals.h"
#include "session/session.h"
#include "eval/show.h"
#include "gpudbg/text.h"

#define TEXT_MAX 65536  /* of a variable of many parts */
#define TEXT_USUAL 4096 /* of an instruction */

struct display {
    struct display *next;
    int number;
    char format[16]; /* the letter first */
    char typed[16];  /* "/x " as the user has it, in front of the expression; "" */
    unsigned size;   /* of elements, or 0 */
    char text[256];
};

struct displays {
    struct display *first;
    int last; /* number given */
};

static void displays_empty(struct displays *d)
{
    for (struct display *at = d->first, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    d->first = NULL;
}

static void displays_free(void *data)
{
    displays_empty(data);
    free(data);
}

static struct displays *displays_of(struct gpudbg *g)
{
    if (!g->displays) {
        g->displays = xalloc(sizeof *g->displays);
        session_at_close(g, displays_free, g->displays);
    }
    return g->displays;
}

/* display/i: the instruction at the address. */
static char *insn_text(struct gpudbg *g, uint64_t addr)
{
    struct gpudbg_insn insn;
    char where[300], buf[TEXT_USUAL];
    struct text t = text_in(buf, sizeof buf);
    show_address(&g->eval, GPUDBG_GLOBAL, addr, where, sizeof where);
    text_add(&t, "%s:  ", where);
    if (!g->loaded.image || !insn_at(g->loaded.image, addr, &insn)) {
        text_add(&t, "no instruction");
        return xstrdup(buf);
    }
    code_insn_text(g->loaded.image, &insn, g->settings.syntax, text_end(&t), text_room(&t));
    return xstrdup(buf);
}

/* over_value; an expression that print shows as an ordinary one, such as lanes of several registers, is one here. */
static enum over_found found_over(
    struct gpudbg *g, const char *expr, struct over *o, enum over_kind *kind, struct gpudbg_error *err)
{
    struct gpudbg_error ignored = {0};
    struct value v;
    const enum over_found found = over_value(&g->eval, expr, o, kind, err);
    const bool plain = found == OVER_FAILED && *kind == OVER_EACH && !strchr(expr, ',') &&
                       expr_value(&g->eval, expr, &v, &ignored);
    return plain ? OVER_NO : found;
}

/* The text behind "N: EXPR = ".  Fills in *v if the expression has one value, *o if it has many (of lanes, of
 * elements).  The caller frees the text and closes *o. */
static char *display_text(
    struct gpudbg *g, const struct display *d, struct value *v, struct over *o, enum over_kind *kind)
{
    struct gpudbg_error err = {0};
    char *text = xalloc(TEXT_MAX);
    *v = value_signed(0);
    *o = (struct over){0};
    if (locals_text(&g->eval, d->text, d->format[0], text, TEXT_MAX)) return text;
    free(text);
    text = NULL;
    if (found_over(g, d->text, o, kind, &err) == OVER_YES) {
        struct gpudbg_error ignored = {0};
        if (o->lanes || o->uniform || *kind != OVER_EACH || !expr_value(&g->eval, d->text, v, &ignored))
            return over_line(&g->eval, o, *kind, d->format[0], g->front.utf8);
        over_close(o); /* elements of memory, and nothing is done with them */
    }
    err = (struct gpudbg_error){0};
    const bool good = expr_value(&g->eval, d->text, v, &err), code = d->format[0] == 'i';
    if (good && code) return insn_text(g, v->u);
    if (good) {
        show_size(&g->eval, v, d->format[0], d->size);
        text = show_text(&g->eval, v, d->format[0], &err);
    }
    if (text) return text;
    char why[sizeof err.message + 2];
    snprintf(why, sizeof why, "<%s>", err.message);
    return xstrdup(why);
}

bool displays_text(struct gpudbg *g, size_t i, size_t *name, char *buf, size_t size)
{
    struct value v;
    const struct display *d = g->displays ? g->displays->first : NULL;
    while (d && i--) d = d->next;
    if (!d) return false;
    struct over o;
    enum over_kind kind;
    char *text = display_text(g, d, &v, &o, &kind);
    struct text t = text_in(buf, size);
    text_add(&t, "%d: %s%s = ", d->number, d->typed, d->text);
    *name = (size_t)text_length(&t);
    text_add(&t, "%s", text);
    free(text);
    over_close(&o);
    return true;
}

static void show_one(struct gpudbg *g, struct gpudbg_out *out, const struct display *d)
{
    struct value v;
    struct over o;
    enum over_kind kind;
    char *text = display_text(g, d, &v, &o, &kind);
    BEGIN(out, "display", "{number}: {format}{expression} = {shown}\n", NUMBER("number", d->number),
        TEXT("format", d->typed), STRING("expression", d->text), TEXT("shown", text));
    if (o.bits) {
        over_members(out, &o, kind);
        gpudbg_out_string(out, "text", text);
    } else {
        show_members(&g->eval, out, &v, text);
    }
    gpudbg_out_end(out);
    over_close(&o);
    free(text);
}

void displays_show(struct gpudbg *g, struct gpudbg_out *out)
{
    for (const struct display *d = g->displays ? g->displays->first : NULL; d; d = d->next) show_one(g, out, d);
}

bool displays_at(struct gpudbg *g, size_t i, char *letter, unsigned *size, const char **text)
{
    const struct display *d = g->displays ? g->displays->first : NULL;
    while (d && i--) d = d->next;
    if (!d) return false;
    *letter = d->format[0];
    *size = d->size;
    *text = d->text;
    return true;
}

void displays_none(struct gpudbg *g)
{
    if (g->displays) displays_empty(g->displays);
}

static struct display *add_display(struct gpudbg *g, char letter, unsigned size, const char *format, const char *text)
{
    struct displays *all = displays_of(g);
    struct display *d = xalloc(sizeof *d), **at = &all->first;
    d->number = ++all->last;
    d->format[0] = letter;
    d->size = size;
    if (*format) snprintf(d->typed, sizeof d->typed, "/%.12s ", format);
    snprintf(d->text, sizeof d->text, "%s", text);
    while (*at) at = &(*at)->next;
    return *at = d;
}

bool displays_add(struct gpudbg *g, char letter, unsigned size, const char *text, struct gpudbg_error *err)
{
    if (strlen(text) >= sizeof g->displays->first->text)
        return gpudbg_fail(err, "too-large", "the expression has %zu letters; at most %zu are possible", strlen(text),
            sizeof g->displays->first->text - 1);
    static const char sizes[] = {[1] = 'b', [2] = 'h', [4] = 'w', [8] = 'g'};
    const char format[] = {letter, size < sizeof sizes ? sizes[size] : 0, 0};
    add_display(g, letter, size, letter ? format : "", text);
    return true;
}

/* A format with a number asks for memory, as in `x`: the expression that has so many elements of it. */
static bool elements_of(struct gpudbg_args *a, const char *at, char *buf, size_t room, struct gpudbg_error *err)
{
    static const char *const types[][9] = {
        [VALUE_UNSIGNED] = {[1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64"},
        [VALUE_SIGNED] = {[1] = "i8", [2] = "i16", [4] = "i32", [8] = "i64"},
        [VALUE_FLOAT] = {[1] = "u8", [2] = "f16", [4] = "f32", [8] = "f64"},
    };
    uint64_t count;
    unsigned size;
    char letter;
    if (!args_letters(a, &count, &letter, &size, err)) return false;
    if (letter == 'i' || letter == 's')
        return gpudbg_fail(err, "usage", "/%s: display shows one instruction, as display/i, or numbers", a->format);
    if (!count) return gpudbg_fail(err, "usage", "/%s: no elements", a->format);
    if (!size) size = letter == 'c' ? 1 : letter == 'a' ? 8 : 4;
    const int kind = letter == 'f' ? VALUE_FLOAT : letter == 'd' ? VALUE_SIGNED : VALUE_UNSIGNED;
    text_put(buf, room, "*(%s*)(%s)@%" PRIu64, types[kind][size], at, count);
    return true;
}

static bool run_display(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *expr = gpudbg_args_rest(a);
    char elements[sizeof g->displays->first->text + 64];
    struct value v;
    char letter;
    unsigned bytes = 0;
    if (*expr && isdigit((unsigned char)*gpudbg_args_format(a))) {
        if (!elements_of(a, expr, elements, sizeof elements, err)) return false;
        expr = elements;
    }
    if (!*expr) {
        displays_show(g, out);
        return true;
    }
    bool code = strcmp(gpudbg_args_format(a), "i") == 0;
    displays_of(g);
    if (!code && !show_letter(&g->eval, a, &letter, &bytes, err)) return false;
    if (code) letter = 'i';
    if (expr == elements) bytes = 0; /* the type says it */
    if (expr == elements && !letter) letter = 'x';
    if (!expr_readable(&g->eval, expr, err)) return false;
    if (strlen(expr) >= sizeof g->displays->first->text)
        return gpudbg_fail(err, "too-large", "the expression has %zu letters; at most %zu are possible", strlen(expr),
            sizeof g->displays->first->text - 1);
    char *parts = xalloc(TEXT_MAX);
    bool good = !g->running.machine || locals_text(&g->eval, expr, 0, parts, TEXT_MAX);
    if (!good) {
        struct over o;
        enum over_kind kind;
        const enum over_found found = found_over(g, expr, &o, &kind, err);
        if (found == OVER_YES) over_close(&o);
        good = found == OVER_YES || (found == OVER_NO && expr_value(&g->eval, expr, &v, err));
    }
    free(parts);
    if (!good) return false;
    const struct display *d = add_display(g, letter, bytes, gpudbg_args_format(a), expr);
    if (g->running.machine) show_one(g, out, d);
    return true;
}

static const struct gpudbg_command display = {
    .name = "display",
    .usage = "[/FMT] [EXPR]",
    .summary = "show an expression now and at each stop",
    .help = "FMT is a format of `print`, or i: the instruction at an address, as in display/i $pc.\n"
            "With a number it is one of `x`: display/4fw a shows four floats of memory, and names them as an\n"
            "expression.\n"
            "An expression over lanes ($v0[:] > 3) is one line of marks, as `print` has them; numbers become\n"
            "a bar chart from the smallest to the largest active lane.\n"
            "Without EXPR, the command shows all displays now.  `undisplay N` ends one.",
    .family = "Data",
    .run = run_display,
    .complete = complete_expression,
};

static bool run_undisplay(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    uint64_t number;
    if (!*gpudbg_args_rest(a)) {
        if (g->displays) displays_empty(g->displays);
        return true;
    }
    while (*gpudbg_args_rest(a)) {
        if (!gpudbg_args_number(a, &number, err)) return false;
        struct display **at = g->displays ? &g->displays->first : NULL;
        while (at && *at && (uint64_t)(*at)->number != number) at = &(*at)->next;
        if (!at || !*at) return gpudbg_fail(err, "out-of-range", "no display %" PRIu64, number);
        struct display *gone = *at;
        *at = gone->next;
        free(gone);
    }
    return true;
}

static const struct gpudbg_command undisplay = {
    .name = "undisplay",
    .usage = "[N]...",
    .summary = "end displays; without N, all of them",
    .family = "Data",
    .run = run_undisplay,
};

/* ---- info display ---- */

static int cell_number(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%d", ((const struct display *)row)->number);
}

static int cell_format(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct display *)row)->format);
}

static int cell_text(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct display *)row)->text);
}

static const struct gpudbg_column columns[] = {
    {"number", "n", 0, GPUDBG_COUNT, cell_number},
    {"format", "format", 0, GPUDBG_PLAIN, cell_format},
    {"expression", "expression", 0, GPUDBG_PLAIN, cell_text},
};

static bool display_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)args;
    (void)err;
    for (const struct display *d = g->displays ? g->displays->first : NULL; d && each(to, d);) d = d->next;
    return true;
}

static const struct gpudbg_listing display_listing = {
    .name = "display",
    .summary = "list the expressions that are shown at each stop",
    .type = "displayed",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = display_rows,
    .empty = "no displays",
};

static const struct gpudbg_command *const commands[] = {&display, &undisplay, NULL};
static const struct gpudbg_listing *const listings[] = {&display_listing, NULL};
COMMAND_FAMILY(
    cmd_display, "displays", .summary = "what is shown at every stop", .commands = commands, .listings = listings);
