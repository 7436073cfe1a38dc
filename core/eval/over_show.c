/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What expressions over many elements look like; see over_show.h. */
#include "eval/over_show.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/value.h"
#include "machine/machine.h"

#define VALUE_TEXT 400

static int element_text(struct eval *ev, const struct over *o, size_t i, char letter, char *buf)
{
    struct value v = over_shown(o, i);
    if (!letter && o->truth) letter = 'u';
    return value_text(ev, &v, letter, buf, VALUE_TEXT);
}

/* How many elements count, and of how many of those the value is not 0. */
static void counted(const struct over *o, size_t *all, size_t *hold)
{
    *all = *hold = 0;
    for (size_t w = 0; w < o->nwaves; w++)
        for (size_t i = 0; i < o->wave[w].n; i++) {
            if (!over_counts(o, &o->wave[w], i)) continue;
            const struct value v = over_shown(o, o->wave[w].first + i);
            ++*all;
            *hold += expr_true(&v);
        }
}

static uint64_t mask_of(const struct over *o, const struct over_wave *w)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct value v = over_shown(o, w->first + i);
        if (over_counts(o, w, i) && expr_true(&v)) mask |= UINT64_C(1) << ((w->lane + i) & 63);
    }
    return mask;
}

/* ---- A line of marks ---- */

struct extent {
    bool any;
    struct value least, most;
};

static struct extent extent_of(const struct over *o)
{
    struct extent e = {0};
    for (size_t w = 0; w < o->nwaves; w++)
        for (size_t i = 0; i < o->wave[w].n; i++) {
            if (!over_counts(o, &o->wave[w], i)) continue;
            const struct value v = over_shown(o, o->wave[w].first + i);
            const double d = value_real(&v);
            if (d != d || d - d != 0) continue; /* NaN, infinite */
            if (!e.any || d < value_real(&e.least)) e.least = v;
            if (!e.any || d > value_real(&e.most)) e.most = v;
            e.any = true;
        }
    return e;
}

/* With blocks: a full one, a low one, a shaded one, a point. */
static const char *truth_mark(bool holds, bool on, bool blocks)
{
    if (blocks) return holds ? (on ? "\xe2\x96\x88" : "\xe2\x96\x92") : on ? "\xe2\x96\x81" : ".";
    return holds ? (on ? "#" : "+") : on ? "-" : ".";
}

static void put_mark(
    FILE *to, const struct over *o, const struct over_wave *w, size_t i, const struct extent *e, bool blocks)
{
    const struct value v = over_shown(o, w->first + i);
    const uint64_t bit = UINT64_C(1) << ((w->lane + i) & 63);
    const bool on = over_counts(o, w, i), there = !o->lanes || w->there & bit;
    const double least = value_real(&e->least), most = value_real(&e->most), d = value_real(&v);
    if (o->truth)
        fputs(!there ? " " : truth_mark(expr_true(&v), on, blocks), to);
    else if (!there || !on)
        fputc(there ? '.' : ' ', to);
    else if (d != d || d - d != 0)
        fputc('!', to);
    else if (blocks)
        fprintf(to, "\xe2\x96%c", (char)(0x81 + (most > least ? (int)((d - least) / (most - least) * 7.999) : 0)));
    else
        fputc('0' + (most > least ? (int)((d - least) / (most - least) * 9.999) : 0), to);
}

char *over_bar(const struct over *o, bool blocks)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to) return xstrdup("");
    const struct extent e = extent_of(o);
    for (size_t w = 0; w < o->nwaves; w++) {
        if (w && !o->uniform) fputc('|', to);
        for (size_t i = 0; i < o->wave[w].n; i++) put_mark(to, o, &o->wave[w], i, &e, blocks);
    }
    fclose(to);
    return text;
}

/* ---- Text ---- */

/* "3", "0-7,12": the elements of a wave that count and hold; with `is`, those that have these bits. */
static void put_ranges(FILE *to, const struct over *o, const struct over_wave *w, const uint64_t *is)
{
    bool comma = false;
    size_t from = 0;
    bool in = false;
    for (size_t i = 0; i <= w->n; i++) {
        bool on = false;
        if (i < w->n && over_counts(o, w, i)) {
            const struct value v = over_shown(o, w->first + i);
            on = is ? o->bits[w->first + i] == *is : expr_true(&v);
        }
        if (on && !in) from = i;
        if (!on && in) {
            fprintf(to, "%s%zu", comma ? "," : "", from + w->lane);
            if (i - 1 > from) fprintf(to, "-%zu", i - 1 + w->lane);
            comma = true;
        }
        in = on;
    }
}

static const char *unit_of(const struct over *o, size_t n)
{
    if (o->uniform) return n == 1 ? "wave" : "waves";
    if (o->lanes) return n == 1 ? "lane" : "lanes";
    return n == 1 ? "element" : "elements";
}

static void put_values(struct eval *ev, FILE *to, const struct over *o, const struct over_wave *w, char letter)
{
    char text[VALUE_TEXT];
    if (!o->uniform) fputc('{', to);
    for (size_t i = 0; i < w->n; i++) {
        const bool on = over_counts(o, w, i);
        const bool there = !o->lanes || w->there >> ((w->lane + i) & 63) & 1;
        element_text(ev, o, w->first + i, letter, text);
        fprintf(to, "%s%s%s%s", i ? ", " : "", on ? "" : "(", there ? text : "-", on ? "" : ")");
    }
    if (!o->uniform) fputc('}', to);
}

struct distinct {
    uint64_t bits;
    size_t n, first;
};

static int by_bits(const void *a, const void *b)
{
    const struct distinct *x = a, *y = b;
    if (x->bits != y->bits) return (x->bits > y->bits) - (x->bits < y->bits);
    return (x->first > y->first) - (x->first < y->first);
}

static int by_count(const void *a, const void *b)
{
    const struct distinct *x = a, *y = b;
    if (x->n != y->n) return (x->n < y->n) - (x->n > y->n);
    return (x->first > y->first) - (x->first < y->first);
}

/* The distinct values, the most frequent ones first; malloc'ed. */
static struct distinct *distinct_of(const struct over *o, size_t *n)
{
    struct distinct *d = xcalloc(o->n ? o->n : 1, sizeof *d);
    size_t all = 0;
    for (size_t w = 0; w < o->nwaves; w++)
        for (size_t i = 0; i < o->wave[w].n; i++)
            if (over_counts(o, &o->wave[w], i))
                d[all++] = (struct distinct){o->bits[o->wave[w].first + i], 1, o->wave[w].first + i};
    qsort(d, all, sizeof *d, by_bits);
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (*n && d[*n - 1].bits == d[i].bits)
            d[*n - 1].n++;
        else
            d[(*n)++] = d[i];
    qsort(d, *n, sizeof *d, by_count);
    return d;
}

static void put_distinct(struct eval *ev, FILE *to, const struct over *o, char letter)
{
    char text[VALUE_TEXT];
    size_t n;
    struct distinct *d = distinct_of(o, &n);
    fprintf(to, "%zu distinct", n);
    for (size_t i = 0; i < n; i++) {
        element_text(ev, o, d[i].first, letter, text);
        fprintf(to, "\n  %s  %zu %s", text, d[i].n, unit_of(o, d[i].n));
        if (o->nwaves == 1 && !o->uniform) {
            fputs(": ", to);
            put_ranges(to, o, &o->wave[0], &d[i].bits);
        }
    }
    free(d);
}

/* Whether the value is true in any element of the wave that counts. */
static bool holds_somewhere(const struct over *o, const struct over_wave *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct value v = over_shown(o, w->first + i);
        if (over_counts(o, w, i) && expr_true(&v)) return true;
    }
    return false;
}

char *over_text(struct eval *ev, const struct over *o, enum over_kind kind, char letter)
{
    char *text = NULL;
    size_t size, all, hold;
    FILE *to = open_memstream(&text, &size);
    if (!to) return xstrdup("");
    const bool one = o->nwaves == 1;
    counted(o, &all, &hold);
    if (kind == OVER_UNIQ)
        put_distinct(ev, to, o, letter);
    else if (o->truth || kind == OVER_WHERE) {
        if (one && o->lanes) fprintf(to, "0x%0*" PRIx64 "  ", o->wave[0].n > 32 ? 16 : 8, mask_of(o, &o->wave[0]));
        fprintf(to, "%zu of %zu %s", hold, all, unit_of(o, all));
    } else if (!one) {
        fprintf(to, "%zu waves", o->nwaves);
    }
    for (size_t w = 0; kind != OVER_UNIQ && w < o->nwaves; w++) {
        const struct over_wave *wave = &o->wave[w];
        struct over alone = *o;
        if (kind == OVER_WHERE && !holds_somewhere(o, wave)) continue;
        if (!one || o->truth || kind == OVER_WHERE) fputs("\n  ", to);
        if (!one) fprintf(to, "wave %u  ", (unsigned)wave->wave);
        alone.wave = &o->wave[w];
        alone.nwaves = 1;
        char *bar = o->truth && kind == OVER_EACH ? over_bar(&alone, false) : NULL;
        if (kind == OVER_WHERE) {
            if (!one && o->lanes) fprintf(to, "0x%0*" PRIx64 "  ", wave->n > 32 ? 16 : 8, mask_of(o, wave));
            put_ranges(to, o, wave, NULL);
        } else if (bar && !o->uniform) {
            fputs(bar, to);
        } else {
            put_values(ev, to, o, wave, letter);
        }
        free(bar);
    }
    fclose(to);
    return text;
}

char *over_line(struct eval *ev, const struct over *o, enum over_kind kind, char letter, bool blocks)
{
    char *text = NULL, *bar = over_bar(o, blocks), number[VALUE_TEXT];
    size_t size, all, hold, n;
    FILE *to = open_memstream(&text, &size);
    if (!to) return bar;
    counted(o, &all, &hold);
    const struct extent e = extent_of(o);
    fprintf(to, "%s  ", bar);
    if (kind == OVER_UNIQ) {
        free(distinct_of(o, &n));
        fprintf(to, "%zu distinct", n);
    } else if (o->truth || kind == OVER_WHERE) {
        fprintf(to, "%zu of %zu", hold, all);
    } else if (e.any) {
        value_text(ev, &e.least, letter, number, sizeof number);
        fprintf(to, "%s to ", number);
        value_text(ev, &e.most, letter, number, sizeof number);
        fputs(number, to);
    } else {
        fputs(all ? "no finite value" : "no lane executes", to);
    }
    fclose(to);
    free(bar);
    return text;
}

/* ---- Records ---- */

void over_members(struct gpudbg_out *out, const struct over *o, enum over_kind kind)
{
    static const char *const kinds[] = {"u", "i", "f"};
    char type[8];
    struct value_type one = o->n && o->shown[0].bits ? o->shown[0] : o->type;
    for (size_t i = 0; i < o->n; i++)
        if (o->shown[i].bits != o->shown[0].bits || o->shown[i].kind != o->shown[0].kind) one = o->type;
    snprintf(type, sizeof type, "%s%u", kinds[one.kind], one.bits);
    gpudbg_out_string(out, "type_name", o->truth ? "bool" : type);
    gpudbg_out_string(out, "per", o->uniform ? "wave" : o->lanes ? "lane" : "element");
    gpudbg_out_array(out, "waves");
    for (size_t i = 0; i < o->nwaves; i++) {
        const struct over_wave *w = &o->wave[i];
        gpudbg_out_object(out, NULL);
        gpudbg_out_number(out, "wave", w->wave);
        if (o->lanes) {
            gpudbg_out_number(out, "first", w->lane);
            gpudbg_out_hex(out, "active", w->active);
            gpudbg_out_hex(out, "there", w->there);
            if (o->truth || kind == OVER_WHERE) gpudbg_out_hex(out, "holds", mask_of(o, w));
        }
        gpudbg_out_array(out, "values");
        for (size_t k = 0; k < w->n; k++) gpudbg_out_hex(out, NULL, o->bits[w->first + k]);
        gpudbg_out_close(out);
        gpudbg_out_close(out);
    }
    gpudbg_out_close(out);
    if (kind != OVER_UNIQ) return;
    size_t n;
    struct distinct *d = distinct_of(o, &n);
    gpudbg_out_array(out, "distinct");
    for (size_t i = 0; i < n; i++) {
        gpudbg_out_object(out, NULL);
        gpudbg_out_hex(out, "value", d[i].bits);
        gpudbg_out_number(out, "count", (int64_t)d[i].n);
        gpudbg_out_close(out);
    }
    gpudbg_out_close(out);
    free(d);
}

/* ---- A grid ---- */

enum { LINE = 80 }; /* columns of a small terminal */

/* The element of a work-item, by its number in the group, x fastest; SIZE_MAX: there is none. */
static size_t item_element(const struct over *o, const struct gpudbg_machine *m, uint64_t item, bool *on)
{
    const uint32_t lanes = m->lanes ? m->lanes : m->isa->lanes;
    for (size_t i = 0; i < o->nwaves; i++) {
        const struct over_wave *w = &o->wave[i];
        const uint64_t first = (uint64_t)(w->wave % (m->waves_per_group ? m->waves_per_group : 1)) * lanes;
        if (item < first + w->lane || item - first - w->lane >= w->n || item - first >= lanes) continue;
        const uint64_t lane = item - first;
        *on = over_counts(o, w, (size_t)(lane - w->lane));
        return w->there >> (lane & 63) & 1 ? w->first + (size_t)(lane - w->lane) : SIZE_MAX;
    }
    return SIZE_MAX;
}

struct cells {
    int columns, before, gap; /* of each; blanks before the first of a line; blanks between two */
};

/* Where a line would be too long for a small terminal, the brackets around lanes that are off are the gap. */
static struct cells cells_of(
    struct eval *ev, const struct over *o, const struct gpudbg_machine *m, uint32_t width, uint64_t items, char letter)
{
    char value[VALUE_TEXT];
    int loose = 1, tight = 1;
    bool on;
    if (o->truth) return (struct cells){1, 2, 0};
    for (uint64_t i = 0; i < items; i++) {
        const size_t e = item_element(o, m, i, &on);
        const int n = e == SIZE_MAX ? 0 : element_text(ev, o, e, letter, value);
        if (n + (on ? 0 : 2) > loose) loose = n + (on ? 0 : 2);
        if (n + (on ? 1 : 2) > tight) tight = n + (on ? 1 : 2);
    }
    if (1 + width * (uint64_t)(loose + 1) > LINE && width * (uint64_t)tight <= LINE) return (struct cells){tight, 0, 0};
    return (struct cells){loose, 2, 1};
}

char *over_grid(
    struct eval *ev, const struct over *o, uint32_t width, uint32_t height, char letter, struct gpudbg_error *err)
{
    const struct gpudbg_machine *m = ev->running->machine;
    char *text = NULL, value[VALUE_TEXT];
    size_t size;
    bool on;
    if (!m || !o->lanes) {
        gpudbg_fail(err, "usage", "/grid shows lanes, and the expression has none: print/grid 16x16 $v0[:]");
        return NULL;
    }
    const uint64_t items = (uint64_t)width * height;
    const struct cells c = cells_of(ev, o, m, width, items, letter);
    FILE *to = open_memstream(&text, &size);
    if (!to) return xstrdup("");
    fprintf(to, "%ux%u", (unsigned)width, (unsigned)height);
    for (uint64_t i = 0; i < items; i++) {
        const size_t e = item_element(o, m, i, &on);
        char cell[VALUE_TEXT + 4] = " ";
        if (i % width == 0) fprintf(to, "\n%*s", c.before, "");
        if (e != SIZE_MAX && o->truth) {
            const struct value v = over_shown(o, e);
            snprintf(cell, sizeof cell, "%s", truth_mark(expr_true(&v), on, false));
        } else if (e != SIZE_MAX) {
            element_text(ev, o, e, letter, value);
            snprintf(cell, sizeof cell, on ? "%s" : "(%s)", value);
        }
        fprintf(to, "%*s%*s", i % width ? c.gap : 0, "", c.columns, cell);
    }
    fclose(to);
    return text;
}
