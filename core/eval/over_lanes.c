/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions over many elements at once; see over_lanes.h. */
#include "eval/over_lanes.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/typed.h"
#include "eval/value.h"
#include "machine/machine.h"

#define NESTED_MOST 2 /* functions inside each other: each multiplies the work by the number of lanes */

/* Which waves are meant, first to last. */
struct scope {
    bool given, masked;
    uint32_t first, last;
};

static const struct {
    const char *name;
    enum over_kind kind;
} functions[] = {
    {"count", OVER_COUNT},
    {"any", OVER_ANY},
    {"all", OVER_ALL},
    {"min", OVER_MIN},
    {"max", OVER_MAX},
    {"sum", OVER_SUM},
    {"uniq", OVER_UNIQ},
    {"where", OVER_WHERE},
};

size_t over_function(const char *text, enum over_kind *kind)
{
    const size_t len = type_name_length(text);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) != len || strncmp(functions[i].name, text, len) != 0) continue;
        *kind = functions[i].kind;
        return text[len + strspn(text + len, " ")] == '(' ? len : 0;
    }
    return 0;
}

static const char *function_name(enum over_kind kind)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].kind == kind) return functions[i].name;
    return "";
}

void over_close(struct over *o)
{
    free(o->bits);
    free(o->shown);
    free(o->wave);
    *o = (struct over){0};
}

bool over_counts(const struct over *o, const struct over_wave *w, size_t i)
{
    if (!o->lanes) return true;
    const uint64_t bit = UINT64_C(1) << ((w->lane + i) & 63);
    return w->there & bit && (o->masked || w->active & bit);
}

struct value over_element(const struct over *o, size_t i)
{
    struct value v = {.type = o->type, .address = o->address};
    value_set_bits(&v, o->bits[i]);
    return v;
}

struct value over_shown(const struct over *o, size_t i)
{
    struct value v = {.type = o->shown[i].bits ? o->shown[i] : o->type,
        .address = o->address,
        .digits = o->digits && !o->shown[i].bits};
    value_set_bits(&v, o->bits[i]);
    return v;
}

/* ---- Reading ---- */

bool over_range(struct parser *p, uint64_t first, uint64_t n, bool lanes, uint64_t *at)
{
    struct lane_walk *w = p->over;
    *at = first + w->index;
    if (w->ranged && w->width != n && !p->skip)
        return gpudbg_fail(p->err, "out-of-range",
            "a range of %" PRIu64 " elements meets one of %zu; both must have the same number", n, w->width);
    if (n > OVER_MOST)
        return gpudbg_fail(p->err, "too-large", "%" PRIu64 " elements; at most %d are possible", n, OVER_MOST);
    if (lanes && !w->lanes) w->first = (unsigned)first;
    w->ranged = true;
    w->lanes |= lanes;
    w->width = (size_t)n;
    if (w->index >= n) *at = first; /* the first range of another wave is shorter; the walk ends there */
    return true;
}

/* "wave 3", "wave 0-3", "group", "group 2", "masked" behind commas. */
static bool parse_scope(struct parser *p, struct scope *s)
{
    const struct gpudbg_machine *m = p->ev->running->machine;
    *s = (struct scope){.first = p->wave, .last = p->wave};
    while (parser_accept(p, ",")) {
        parser_blanks(p);
        const size_t len = type_name_length(p->at);
        const char *word = p->at, *number = word + len + strspn(word + len, " ");
        char *end = (char *)number;
        unsigned long long a = 0, b = 0;
        const bool wave = len == 4 && strncmp(word, "wave", 4) == 0, group = len == 5 && strncmp(word, "group", 5) == 0,
                   numbered = isdigit((unsigned char)*number);
        if (len == 6 && strncmp(word, "masked", 6) == 0) {
            s->masked = true;
            p->at += len;
            continue;
        }
        if (!(wave && numbered) && !group)
            return gpudbg_fail(p->err, "syntax",
                "\", %.20s\": a comma is followed by \"wave N\", \"wave N-M\", \"group\", \"group N\" or \"masked\"",
                word);
        if (!m && !p->skip) return gpudbg_fail(p->err, "no-launch", "nothing is launched: there are no waves");
        if (numbered) a = b = strtoull(number, &end, 10);
        if (wave && *end == '-' && isdigit((unsigned char)end[1])) b = strtoull(end + 1, &end, 10);
        p->at = numbered ? end : word + len;
        s->given = true;
        if (!m) continue;
        const uint32_t each = m->waves_per_group ? m->waves_per_group : 1;
        if (group) {
            a = (numbered ? a < m->nwaves ? a : m->nwaves : p->wave / each) * each;
            b = a + each - 1;
        }
        if (b < a || b >= m->nwaves)
            return group ? gpudbg_fail(p->err, "out-of-range", "group %llu does not exist: there are %u", a / each,
                               (unsigned)(m->nwaves / each))
                         : gpudbg_fail(p->err, "out-of-range", "waves %llu to %llu: there are %u, numbered from 0", a,
                               b, (unsigned)m->nwaves);
        s->first = (uint32_t)a;
        s->last = (uint32_t)b;
    }
    return true;
}

/* ---- Evaluating ---- */

static bool add_element(
    struct over *o, const struct value *v, struct value_type shown, size_t index, struct gpudbg_error *err)
{
    struct value is = *v;
    if (o->n >= OVER_MOST)
        return gpudbg_fail(err, "too-large", "more than %d elements: name fewer waves or lanes", OVER_MOST);
    if (!o->bits) {
        o->type = v->type;
        o->truth = true;
        o->address = v->address || v->to.bits;
        o->digits = v->digits && v->type.bits == 64;
    }
    if (!(o->n & (o->n - 1))) {
        o->bits = xrealloc(o->bits, o->n ? 2 * o->n : 1, sizeof *o->bits);
        o->shown = xrealloc(o->shown, o->n ? 2 * o->n : 1, sizeof *o->shown);
    }
    o->truth = o->truth && v->truth;
    if (is.type.kind != o->type.kind || is.type.bits != o->type.bits) is = value_convert(v, o->type);
    (void)index;
    o->shown[o->n] = shown.bits == o->type.bits ? shown : (struct value_type){0, 0};
    o->bits[o->n++] = value_bits(&is);
    return true;
}

/* One element: the text from `at` on, for one wave and lane.  Where nothing is to be known of it, 0 stands for it. */
static bool element_at(
    struct parser *p, const char *at, struct over_wave *w, int lane, struct lane_walk *walk, struct value *v)
{
    struct parser q = *p;
    struct gpudbg_error was = *p->err;
    q.at = at;
    q.wave = w->wave;
    q.lane = lane;
    q.over = walk;
    bool refused = false;
    q.refused = &refused;
    const bool ok = parse_expression(&q, v) && value_one(v, q.err);
    if (refused && p->refused) *p->refused = true;
    if (ok) return true;
    const unsigned its = walk->lanes ? walk->first + (unsigned)walk->index : (unsigned)lane;
    if ((!walk->lanes && !walk->laned) || its > 63 || w->active >> its & 1) return false;
    if (refused) return false;
    *p->err = was; /* of a lane that does not execute: its address may be anything */
    w->there &= ~(UINT64_C(1) << its);
    *v = value_unsigned(0, 32);
    return true;
}

static bool wave_elements(struct parser *p, const char *at, uint32_t wave, bool ranged, struct over *o)
{
    struct machine_wave_info info = {.active = UINT64_MAX, .lanes = UINT64_MAX};
    struct gpudbg_machine *m = p->ev->running->machine;
    struct lane_walk walk = {0};
    struct value v;
    if (m) machine_wave_info(m, wave, &info);
    struct over_wave w = {.wave = wave,
        .active = info.state == GPUDBG_ENDED ? info.lanes : info.active,
        .there = info.lanes,
        .first = o->n};
    const unsigned lanes = m && m->lanes && m->lanes < 64 ? m->lanes : 64;
    const unsigned least = info.lanes ? (unsigned)__builtin_ctzll(info.lanes) : 0;
    if (ranged) do {
            if (!element_at(p, at, &w, p->lane, &walk, &v) ||
                !add_element(o, &v, typed_value(p->ev, wave, &v), walk.index, p->err))
                return false;
        } while (++walk.index < walk.width);
    else
        for (unsigned lane = least; lane < (walk.laned || lane == least ? lanes : 0); lane++)
            if (!element_at(p, at, &w, (int)lane, &walk, &v) ||
                !add_element(o, &v, typed_value(p->ev, wave, &v), lane, p->err))
                return false;
    w.n = o->n - w.first;
    w.lane = ranged ? walk.first : least;
    o->lanes = ranged ? walk.lanes : walk.laned;
    o->uniform = !ranged && !walk.laned;
    if (!(o->nwaves & (o->nwaves - 1))) o->wave = xrealloc(o->wave, o->nwaves ? 2 * o->nwaves : 1, sizeof *o->wave);
    o->wave[o->nwaves++] = w;
    return true;
}

/* The elements of the text between p->at and where `end` stands behind it. */
static bool all_elements(struct parser *p, const char *at, bool ranged, const struct scope *s, struct over *o)
{
    *o = (struct over){.masked = s->masked};
    for (uint64_t wave = s->first; wave <= s->last; wave++)
        if (!wave_elements(p, at, (uint32_t)wave, ranged, o)) {
            over_close(o);
            return false;
        }
    return true;
}

/* Reads an argument and what follows it, without evaluating. */
static bool skim(struct parser *p, struct lane_walk *walk, struct scope *s)
{
    struct parser q = *p;
    struct value v;
    q.over = walk;
    q.skip++;
    if (!parse_expression(&q, &v)) return false;
    p->at = q.at;
    return parse_scope(p, s);
}

/* ---- One number of many ---- */

static int by_bits(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t distinct(const struct over *o)
{
    uint64_t *seen = xcalloc(o->n ? o->n : 1, sizeof *seen);
    size_t n = 0, different = 0;
    for (size_t i = 0; i < o->nwaves; i++)
        for (size_t k = 0; k < o->wave[i].n; k++)
            if (over_counts(o, &o->wave[i], k)) seen[n++] = o->bits[o->wave[i].first + k];
    qsort(seen, n, sizeof *seen, by_bits);
    for (size_t i = 0; i < n; i++) different += !i || seen[i] != seen[i - 1];
    free(seen);
    return different;
}

static bool less(const struct value *a, const struct value *b)
{
    if (a->type.kind == VALUE_FLOAT) return a->f < b->f;
    return a->type.kind == VALUE_SIGNED ? a->i < b->i : a->u < b->u;
}

static bool fold(struct parser *p, const struct over *o, enum over_kind kind, struct value *v)
{
    size_t n = 0, holds = 0;
    uint64_t where = 0;
    struct value sum = {.type = {o->type.kind, 64}}, least = {0}, most = {0};
    for (size_t i = 0; i < o->nwaves; i++)
        for (size_t k = 0; k < o->wave[i].n; k++) {
            const struct over_wave *w = &o->wave[i];
            if (!over_counts(o, w, k)) continue;
            const struct value e = over_element(o, w->first + k);
            const bool nan = e.type.kind == VALUE_FLOAT && e.f != e.f;
            n++;
            holds += expr_true(&e);
            if (expr_true(&e)) where |= UINT64_C(1) << ((w->lane + k) & 63);
            if (e.type.kind == VALUE_FLOAT)
                sum.f += e.f;
            else
                sum.u += e.u;
            if (!nan && (!least.type.bits || less(&e, &least))) least = e;
            if (!nan && (!most.type.bits || less(&most, &e))) most = e;
        }
    *v = value_signed((int64_t)holds);
    switch (kind) {
    case OVER_ANY:
    case OVER_ALL:
        *v = value_signed(kind == OVER_ANY ? holds > 0 : holds == n);
        v->truth = true;
        return true;
    case OVER_SUM: *v = sum; return true;
    case OVER_UNIQ: *v = value_signed((int64_t)distinct(o)); return true;
    case OVER_MIN:
    case OVER_MAX:
        if (!least.type.bits)
            return gpudbg_fail(
                p->err, "out-of-range", n ? "%s: all values are NaN" : "%s: no lane executes", function_name(kind));
        *v = kind == OVER_MIN ? least : most;
        return true;
    case OVER_WHERE:
        if (!o->lanes || o->nwaves != 1)
            return gpudbg_fail(p->err, "syntax",
                "where: of lanes of one wave it is a mask; for %s, print where(...) alone",
                o->lanes ? "several waves" : "memory");
        *v = value_unsigned(where, o->wave[0].n > 32 ? 64 : 32);
        v->mask = true;
        return true;
    default: return true;
    }
}

bool parse_over(struct parser *p, enum over_kind kind, struct value *v)
{
    struct lane_walk walk = {0};
    struct scope s = {0};
    struct over o;
    if (!parser_expect(p, "(")) return false;
    if (p->functions >= NESTED_MOST)
        return gpudbg_fail(p->err, "too-large", "%s: functions over lanes are nested deeper than %d levels",
            function_name(kind), NESTED_MOST);
    const char *at = p->at;
    p->functions++;
    bool ok = skim(p, &walk, &s) && parser_expect(p, ")");
    *v = value_signed(0);
    if (ok && walk.assigns)
        ok = gpudbg_fail(p->err, "syntax", "%s: its argument must not store anything", function_name(kind));
    if (ok && !p->skip) {
        ok = all_elements(p, at, walk.ranged, &s, &o);
        if (ok) {
            ok = fold(p, &o, kind, v);
            over_close(&o);
        }
    }
    p->functions--;
    return ok;
}

/* ---- A whole expression ---- */

enum over_found over_value(
    struct eval *ev, const char *text, struct over *o, enum over_kind *kind, struct gpudbg_error *err)
{
    struct gpudbg_error ignored = {0};
    struct parser p = {.ev = ev,
        .at = text,
        .wave = ev->selection->wave,
        .lane = ev->selection->lane,
        .changes = true, /* nothing is stored while it is only read, and what would store is left to others */
        .err = &ignored};
    struct lane_walk walk = {0};
    struct scope s = {0};
    parser_blanks(&p);
    const char *begin = p.at;
    const size_t name = over_function(p.at, kind);
    const bool listed = name && (*kind == OVER_UNIQ || *kind == OVER_WHERE);
    if (listed) {
        p.at += name;
        parser_expect(&p, "(");
    } else {
        *kind = OVER_EACH;
    }
    const char *at = p.at;
    if (!skim(&p, &walk, &s)) { /* a range that is wrong, or what follows a comma, is said here; all else elsewhere */
        if (!walk.ranged && !s.given && !strchr(p.at, ',')) return OVER_NO;
        *err = ignored;
        return OVER_FAILED;
    }
    if (listed && (!parser_accept(&p, ")") || (parser_blanks(&p), *p.at))) { /* "where(...) & 1" */
        *kind = OVER_EACH;
        p = (struct parser){.ev = ev, .at = begin, .wave = p.wave, .lane = p.lane, .changes = true, .err = &ignored};
        walk = (struct lane_walk){0};
        at = begin;
        if (!skim(&p, &walk, &s)) return OVER_NO;
    }
    parser_blanks(&p);
    if (*p.at || walk.assigns || (*kind == OVER_EACH && !walk.ranged && !s.given && !s.masked)) return OVER_NO;
    p.err = err;
    p.changes = false;
    p.functions = *kind != OVER_EACH;
    return all_elements(&p, at, walk.ranged, &s, o) ? OVER_YES : OVER_FAILED;
}
