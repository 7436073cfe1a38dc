/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_operand.c: sources as rows of 64 words, and rows into destinations.
 *
 * Modifiers of a source act in the manual's order (2.2.7): swizzle, invert, bias, x2, sign, divComp, abs, neg, clamp;
 * those of a destination: scale, then clamp.  What is read beyond the end of an array or a buffer is 0, what is written
 * there is dropped, and that is an event.
 */
#include "run/il_run.h"

#include <string.h>

#include "gpudbg/lanes.h"

#define ONE_F 0x3f800000u
#define MOST_F 0x7f7fffffu

static const uint32_t zeros[IL_LANES];
#define X8(v) v, v, v, v, v, v, v, v
static const uint32_t ones[IL_LANES] = {
    X8(ONE_F), X8(ONE_F), X8(ONE_F), X8(ONE_F), X8(ONE_F), X8(ONE_F), X8(ONE_F), X8(ONE_F)};
#undef X8

/* ---- Registers that are memory ---- */

/* Where the registers of a type lie; 16 bytes each. */
struct backing {
    struct gpudbg_segment *segment;
    uint32_t bytes; /* a register */
};

static struct backing backing_of(const struct il *r, const struct il_location *p, uint32_t number)
{
    switch (p->type) {
    case IL_REG_CONST_BUFF: return (struct backing){number < 64 ? r->cb[number].segment : NULL, 16};
    case IL_REG_CONST_FLOAT: return (struct backing){r->c, 16};
    case IL_REG_CONST_INT: return (struct backing){r->i, 16};
    case IL_REG_CONST_BOOL: return (struct backing){r->b, 4};
    case IL_REG_GLOBAL: return (struct backing){r->global, 16};
    case IL_REG_PERSIST: return (struct backing){r->persist, 16};
    case IL_REG_THIS: return (struct backing){r->self, 16};
    default: return (struct backing){NULL, 0};
    }
}

static bool is_backed(unsigned type)
{
    switch (type) {
    case IL_REG_CONST_BUFF:
    case IL_REG_CONST_FLOAT:
    case IL_REG_CONST_INT:
    case IL_REG_CONST_BOOL:
    case IL_REG_GLOBAL:
    case IL_REG_PERSIST:
    case IL_REG_THIS: return true;
    default: return false;
    }
}

/* Number of the register within its backing, lane by lane; *buffer: which constant buffer, lane by lane. */
static void backed_places(
    struct gpudbg_wave *w, struct il *r, const struct il_location *p, int64_t at[IL_LANES], int64_t buffer[IL_LANES])
{
    if (p->dimensions == 2) {
        il_index_rows(w, r, p, 0, buffer);
        il_index_rows(w, r, p, 1, at);
    } else {
        for (unsigned l = 0; l < IL_LANES; l++) {
            at[l] = p->number;
            buffer[l] = p->number;
        }
        if (p->dimensions) il_index_rows(w, r, p, 0, at);
        if (p->dimensions && p->type == IL_REG_CONST_FLOAT)
            for (unsigned l = 0; l < IL_LANES; l++) at[l] += p->number;
    }
}

/* A constant that the program itself defines, or NULL. */
static const struct il_constant *defined(const struct il *r, const struct il_location *p, int64_t number)
{
    const struct il_location at = {.type = p->type, .scope = p->scope, .number = (uint32_t)number};
    const uint32_t found = number >= 0 && number <= UINT16_MAX ? il_constant_of(r, &at) : 0;
    return found ? &r->constant[found - 1] : NULL;
}

/* Notes that lanes named a register beyond the end of its backing. */
static void left_backing(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint64_t lanes,
    const int64_t at[IL_LANES], const int64_t buffer[IL_LANES])
{
    lanes &= il_storing(w);
    if (!lanes) return;
    const unsigned first = (unsigned)__builtin_ctzll(lanes);
    il_outside(w, r, il_register[p->type].text, p->type == IL_REG_CONST_BUFF ? (uint32_t)buffer[first] : IL_NO_ID,
        lanes, (uint64_t)at[first]);
}

/* Notes that lanes named an element that an array of registers does not have. */
static void left_array(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint64_t lanes,
    const int64_t at[IL_LANES], uint64_t length)
{
    uint64_t outside = 0;
    unsigned l, first = 0;
    IL_EACH_LANE(l, lanes)
    {
        if (at[l] >= 0 && (uint64_t)at[l] < length) continue;
        if (!outside) first = l;
        outside |= UINT64_C(1) << l;
    }
    if (!outside) return;
    il_outside(w, r, il_register[p->type].source_text, p->type == IL_REG_ITEMP ? p->number : IL_NO_ID, outside,
        (uint64_t)at[first]);
}

static void backed_rows(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
{
    int64_t at[IL_LANES], buffer[IL_LANES];
    uint64_t outside = 0;
    unsigned l, last = IL_LANES;
    backed_places(w, r, p, at, buffer);
    memset(rows, 0, 4 * sizeof *rows);
    IL_EACH_LANE(l, il_exec(w))
    {
        uint32_t v[4] = {0};
        if (last < IL_LANES && at[l] == at[last] && buffer[l] == buffer[last]) {
            for (unsigned c = 0; c < 4; c++) rows[c][l] = rows[c][last];
            outside |= (outside >> last & 1) << l;
            continue;
        }
        const struct il_constant *constant = p->type <= IL_REG_CONST_INT ? defined(r, p, at[l]) : NULL;
        const struct backing b = backing_of(r, p, buffer[l] < 0 ? UINT32_MAX : (uint32_t)buffer[l]);
        if (constant) {
            memcpy(v, constant->value, sizeof v);
        } else if (!(at[l] >= 0 && at[l] < INT32_MAX &&
                       il_read(w, b.segment, (uint64_t)at[l] * b.bytes, v, b.bytes, l)) &&
                   !r->refused && (b.segment || p->type == IL_REG_CONST_BUFF)) { /* other constants need not be given */
            outside |= UINT64_C(1) << l;
        }
        if (b.bytes == 4 && !constant) v[1] = v[2] = v[3] = v[0];
        for (unsigned c = 0; c < 4; c++) rows[c][l] = v[c];
        last = l;
    }
    left_backing(w, r, p, outside, at, buffer);
}

/* cbN[i] with constant numbers: read once for all lanes.  Not if it is watched, or out of range, which backed_rows
 * reports. */
bool il_fetch_uniform(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t to[4])
{
    const struct il_indexed *x = &p->index[p->dimensions - 1];
    const int64_t buffer = p->dimensions == 2 ? (int64_t)p->index[0].offset + p->index[0].number : p->number;
    const int64_t at = (int64_t)x->offset + x->number;
    const struct gpudbg_segment *s = buffer >= 0 && buffer < 64 ? r->cb[buffer].segment : NULL;
    if (!s || s->flags & GPUDBG_SEG_RWATCH || at < 0 || at >= INT32_MAX || !il_exec(w)) return false;
    return il_read(w, s, (uint64_t)at * 16, to, 16, 0);
}

/* An index that all lanes have, for which no row has to be gathered.  false: lanes may differ. */
static bool one_index(const struct gpudbg_wave *w, const struct il_location *p, int64_t *one)
{
    const struct il_indexed *x = &p->index[0];
    const struct il_source *by = x->by;
    const bool loop = x->relative && x->loop;
    *one = (int64_t)x->offset + x->number + (loop ? (int32_t)w->words[IL_AL] : 0);
    if (loop || !by) return true;
    if (by->modified || by->divcomp || by->negate || by->abs || by->clamp || by->select[0] >= 4) return false;
    if (by->at.slot == IL_NO_SLOT || by->at.relative) return false;
    const uint32_t *row = il_row_of(w, by->at.slot, by->select[0]);
    uint32_t differs = 0;
    for (unsigned l = 0; l < IL_LANES; l++) differs |= row[l] ^ row[0]; /* from 0: vectors of lanes */
    *one += (int32_t)row[0];
    return !differs;
}

static void icb_rows(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
{
    int64_t at[IL_LANES], one;
    if (one_index(w, p, &one) && one >= 0 && one * 4 + 3 < r->nicb) {
        for (unsigned c = 0; c < 4; c++) r->level->fill(rows[c], r->icb[one * 4 + c]);
        return;
    }
    il_index_rows(w, r, p, 0, at);
    left_array(w, r, p, il_storing(w), at, (r->nicb + 3u) / 4u);
    for (unsigned l = 0; l < IL_LANES; l++)
        for (unsigned c = 0; c < 4; c++) {
            const int64_t n = at[l] * 4 + c;
            rows[c][l] = n >= 0 && n < r->nicb ? r->icb[n] : 0;
        }
}

/* One copy for all wavefronts, a place a lane: register, component, lane. */
static uint64_t shared_place(uint64_t number, unsigned c, unsigned l) { return ((number * 4 + c) * IL_LANES + l) * 4; }

/* build.c made sure that it is addressed absolutely (5.43). */
static uint32_t shared_number(const struct il_location *p)
{
    return p->number + (p->dimensions ? (uint32_t)p->index[0].offset : 0);
}

/* Is there such a register?  Else notes that lanes named it. */
static bool is_shared(struct gpudbg_wave *w, struct il *r, uint32_t number, uint64_t lanes)
{
    if (r->shared && shared_place((uint64_t)number + 1, 0, 0) <= r->shared->size) return true;
    il_outside(w, r, "sr", number, lanes, 0);
    return false;
}

static void shared_rows(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
{
    const uint32_t number = shared_number(p);
    const bool has = is_shared(w, r, number, il_storing(w));
    memset(rows, 0, 4 * sizeof *rows);
    for (unsigned c = 0; c < 4 && has; c++)
        for (unsigned l = 0; l < IL_LANES; l++) il_read(w, r->shared, shared_place(number, c, l), &rows[c][l], 4, l);
}

/* ---- Sources ---- */

static void gathered_rows(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
{
    int64_t at[IL_LANES];
    il_index_rows(w, r, p, 0, at);
    left_array(w, r, p, il_storing(w), at, p->slots);
    for (unsigned l = 0; l < IL_LANES; l++)
        for (unsigned c = 0; c < 4; c++)
            rows[c][l] = at[l] >= 0 && at[l] < p->slots ? il_row_of(w, p->slot + (uint32_t)at[l], c)[l] : 0;
}

static void register_rows(struct gpudbg_wave *w, struct il *r, const struct il_location *p, const uint32_t *rows[4],
    uint32_t (*buffer)[IL_LANES])
{
    int64_t one = 0;
    const bool slots = p->slot != IL_NO_SLOT;
    if (slots && (!p->relative || (one_index(w, p, &one) && one >= 0 && one < p->slots))) {
        for (unsigned c = 0; c < 4; c++) rows[c] = il_row_of(w, p->slot + (uint32_t)one, c);
        return;
    }
    for (unsigned c = 0; c < 4; c++) rows[c] = buffer[c];
    if (p->constant) {
        for (unsigned c = 0; c < 4; c++) r->level->fill(buffer[c], r->constant[p->constant - 1].value[c]);
    } else if (p->slot != IL_NO_SLOT) {
        gathered_rows(w, r, p, buffer);
    } else if (is_backed(p->type)) {
        backed_rows(w, r, p, buffer);
    } else if (p->type == IL_REG_IMMED_CONST_BUFF) {
        icb_rows(w, r, p, buffer);
    } else if (p->type == IL_REG_SHARED_TEMP) {
        shared_rows(w, r, p, buffer);
    } else if (p->type == IL_REG_THREAD_ID_IN_GROUP) {
        const uint32_t(*threads)[IL_LANES] = il_threads(w);
        for (unsigned c = 0; c < 4; c++) rows[c] = threads[c];
    } else {
        il_special(w, r, p, buffer);
    }
}

static uint32_t computed(const struct il_source *s, uint32_t v)
{
    if (s->invert) v = il_float_add(ONE_F, v ^ LANES_SIGN32);
    if (s->bias) v = il_float_add(v, 0xbf000000);
    if (s->x2) v = il_mul(0x40000000, v, true);
    if (s->sign) {
        const float x = lanes_f32(lanes_flush32(v, false));
        v = x < 0 ? ONE_F | LANES_SIGN32 : x == 0 ? 0 : ONE_F;
    }
    return v;
}

static uint32_t clamped(uint32_t v)
{
    const float x = lanes_f32(lanes_flush32(v, false));
    return !(x > 0) ? 0 : x > 1 ? ONE_F : lanes_bits32(x);
}

/* divComp: the components before the named one are divided by it; by zero they become the largest number of their sign
 * (table 6.6). */
static void divide_components(unsigned by, uint32_t (*rows)[IL_LANES])
{
    for (unsigned c = 0; c < by; c++)
        for (unsigned l = 0; l < IL_LANES; l++)
            rows[c][l] = lanes_flush32(rows[by][l], false) << 1 ? il_div(rows[c][l], rows[by][l])
                                                                : MOST_F | (rows[c][l] & LANES_SIGN32);
}

static void modify(
    const struct il *r, const struct il_source *s, char class, const uint32_t *rows[4], uint32_t (*to)[IL_LANES])
{
    const bool pair = class == IL_DOUBLE;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < IL_LANES; l++) to[c][l] = s->modified && !pair ? computed(s, rows[c][l]) : rows[c][l];
    if (s->divcomp && !pair) divide_components(s->divcomp < 4 ? s->divcomp : 3u - r->choice[IL_CHOICE_DIVCOMP], to);
    for (unsigned c = 0; c < 4; c++) {
        const bool negate = s->negate >> c & 1, counts = !pair || (c & 1);
        for (unsigned l = 0; l < IL_LANES; l++) {
            uint32_t v = to[c][l];
            if (s->abs && counts) v &= ~LANES_SIGN32;
            if (negate && counts) v = class == IL_INT ? 0 - v : v ^ LANES_SIGN32;
            to[c][l] = s->clamp && !pair ? clamped(v) : v;
        }
    }
    for (unsigned c = 0; c < 4; c++) rows[c] = to[c];
}

static void fetch_into(struct gpudbg_wave *w, struct il *r, const struct il_source *s, char class,
    uint32_t (*buffer)[4][IL_LANES], const uint32_t *rows[4])
{
    const uint32_t *from[6] = {[4] = zeros, [5] = ones};
    register_rows(w, r, &s->at, from, buffer[0]);
    for (unsigned c = 0; c < 4; c++) rows[c] = from[s->select[c] < 6 ? s->select[c] : 4];
    if (s->modified || s->divcomp || s->negate || s->abs || s->clamp) modify(r, s, class, rows, buffer[1]);
}

void il_fetch(
    struct gpudbg_wave *w, struct il *r, const struct il_source *s, char class, unsigned n, const uint32_t *rows[4])
{
    fetch_into(w, r, s, class, r->row[n], rows);
}

/* An index register is a source of integers; only its x is used (2.2.8). */
void il_index_rows(
    struct gpudbg_wave *w, struct il *r, const struct il_location *p, unsigned dimension, int64_t out[IL_LANES])
{
    const struct il_indexed *x = &p->index[dimension];
    const int64_t fixed = (int64_t)x->offset + x->number;
    uint32_t buffer[2][4][IL_LANES];
    const uint32_t *rows[4] = {zeros};
    if (x->by) fetch_into(w, r, x->by, IL_INT, buffer, rows);
    for (unsigned l = 0; l < IL_LANES; l++)
        out[l] = fixed + (int32_t)(x->relative && x->loop ? w->words[IL_AL] : rows[0][l]);
}

/* ---- Destinations ---- */

static void finish_floats(const struct il_dest *d, uint32_t (*rows)[IL_LANES])
{
    static const uint32_t factor[8] = {
        ONE_F, 0x40000000, 0x40800000, 0x41000000, 0x3f000000, 0x3e800000, 0x3e000000, ONE_F};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < IL_LANES; l++) {
            uint32_t v = rows[c][l];
            if (d->scale) v = il_mul(v, factor[d->scale & 7], true);
            rows[c][l] = d->clamp ? clamped(v) : v;
        }
}

static void finish_doubles(const struct il_dest *d, uint32_t (*rows)[IL_LANES])
{
    static const double factor[8] = {1, 2, 4, 8, 0.5, 0.25, 0.125, 1};
    for (unsigned c = 0; d->scale && c < 4; c += 2)
        for (unsigned l = 0; l < IL_LANES; l++) {
            const uint64_t v = rows[c][l] | (uint64_t)rows[c + 1][l] << 32;
            const uint64_t scaled = lanes_isnan64(v) ? v : lanes_bits64(lanes_f64(v) * factor[d->scale & 7]);
            rows[c][l] = (uint32_t)scaled;
            rows[c + 1][l] = (uint32_t)(scaled >> 32);
        }
}

/* Words of a component for the lanes that store it. */
struct part {
    uint64_t lanes;
    const uint32_t *row;
};

static unsigned parts_of(const struct il_dest *d, uint64_t exec, unsigned writes, const uint64_t keep[4],
    uint32_t (*rows)[IL_LANES], struct part part[4])
{
    unsigned any = 0;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned mode = d->mask[c];
        part[c].row = mode == 1 ? rows[c] : mode == 2 ? zeros : ones;
        part[c].lanes = mode == 0 || (mode == 1 && !(writes >> c & 1)) ? 0 : exec & ~(keep ? keep[c] : 0);
        any |= (unsigned)(part[c].lanes != 0) << c;
    }
    return any;
}

static void store_slot(struct gpudbg_wave *w, const struct il *r, uint32_t slot, const struct part part[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (part[c].lanes) r->level->choose(il_row_of(w, slot, c), part[c].row, part[c].lanes);
}

static void store_scattered(struct gpudbg_wave *w, struct il *r, const struct il_location *p, const struct part part[4])
{
    int64_t at[IL_LANES], one;
    unsigned l;
    if (one_index(w, p, &one) && one >= 0 && one < p->slots) {
        store_slot(w, r, p->slot + (uint32_t)one, part);
        return;
    }
    il_index_rows(w, r, p, 0, at);
    for (unsigned c = 0; c < 4; c++) IL_EACH_LANE(l, part[c].lanes)
    if (at[l] >= 0 && at[l] < p->slots) il_row_of(w, p->slot + (uint32_t)at[l], c)[l] = part[c].row[l];
    left_array(w, r, p, (part[0].lanes | part[1].lanes | part[2].lanes | part[3].lanes) & il_storing(w), at, p->slots);
}

static bool store_backed(struct gpudbg_wave *w, struct il *r, const struct il_location *p, const struct part part[4])
{
    int64_t at[IL_LANES], buffer[IL_LANES];
    const struct backing b = backing_of(r, p, p->number);
    uint64_t outside = 0;
    unsigned l;
    backed_places(w, r, p, at, buffer);
    for (l = 0; l < IL_LANES; l++)
        for (unsigned c = 0; c < 4; c++) {
            const uint64_t offset = (uint64_t)at[l] * 16 + c * 4;
            if (!(part[c].lanes >> l & 1)) continue;
            if (!b.segment || at[l] < 0 || at[l] >= INT32_MAX || offset + 4 > b.segment->size) {
                outside |= UINT64_C(1) << l;
            } else if (!il_write(w, b.segment, offset, &part[c].row[l], 4, l)) {
                return false;
            }
        }
    left_backing(w, r, p, outside, at, buffer);
    return true;
}

static bool store_shared(struct gpudbg_wave *w, struct il *r, const struct il_location *p, const struct part part[4])
{
    const uint32_t number = shared_number(p);
    unsigned l;
    if (!is_shared(w, r, number, part[0].lanes | part[1].lanes | part[2].lanes | part[3].lanes)) return true;
    for (unsigned c = 0; c < 4; c++) IL_EACH_LANE(l, part[c].lanes)
    if (!il_write(w, r->shared, shared_place(number, c, l), &part[c].row[l], 4, l)) return false;
    return true;
}

bool il_store(struct gpudbg_wave *w, struct il *r, const struct il_dest *d, char class, unsigned writes,
    const uint64_t keep[4], uint32_t (*rows)[IL_LANES])
{
    struct part part[4];
    if (r->refused) return false;
    if (class == IL_DOUBLE)
        finish_doubles(d, rows);
    else if (class != IL_INT && (d->scale || d->clamp))
        finish_floats(d, rows);
    const bool memory = d->at.type == IL_REG_SHARED_TEMP || is_backed(d->at.type);
    if (!parts_of(d, memory ? il_storing(w) : il_exec(w), writes, keep, rows, part)) return true;
    if (d->at.slot != IL_NO_SLOT && d->at.relative)
        store_scattered(w, r, &d->at, part);
    else if (d->at.slot != IL_NO_SLOT)
        store_slot(w, r, d->at.slot, part);
    else if (d->at.type == IL_REG_SHARED_TEMP)
        return store_shared(w, r, &d->at, part);
    else if (is_backed(d->at.type))
        return store_backed(w, r, &d->at, part);
    return true;
}
