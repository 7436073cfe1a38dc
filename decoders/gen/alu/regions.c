/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regions.c: instructions prepared for the loops of channels_simd.c, and their execution. */
#include "alu/regions.h"

#include <stdlib.h>

#include "engine/gate.h"
#include "alu/channels_simd.h"
#include "alu/elements.h"
#include "alu/gen_alu.h"
#include "alu/rows.h"

/* ---- What is prepared ---- */

enum source_kind { CONSTANT, SCALAR, PACKED, TABLE };
enum element { UB, B, UW, W, DWORD };

struct source {
    uint8_t kind, element;    /* enum source_kind, element */
    uint8_t negate, absolute; /* floats: applied to the sign; integers: 1 negate, 2 invert */
    uint16_t at;              /* bytes from the start of the wave's words */
    uint16_t table[GEN_CHANNELS];
    uint32_t constant[GEN_CHANNELS];
};

struct gen_fast {
    struct gen_hot hot;              /* comes first */
    gen_row *row, *convert, *second; /* convert: to the destination's type; second: saturates the result */
    gen_test *test;                  /* of cmp, or of results against 0 */
    const struct gen_level *level;
    gen_fn *handler, *shape; /* shape: once fast_checked has found that all channels run */
    uint8_t n, rows, nsrc;   /* channels; rounded up to 8, 16, 32; sources */
    bool floats, saturate, select, compares, packed, discards;
    struct gen_gate gate;
    bool sets_flags, float_acc, reads_acc;
    bool flush_later;    /* denormals are flushed unless cr0 keeps them */
    uint8_t size;        /* of a destination's element: 1, 2, 4 */
    uint16_t to, stride; /* bytes */
    uint16_t grf_bytes;  /* that a thread of the launch has */
    struct source src[3];
};

/* ---- Sources ---- */

static uint32_t widen(unsigned element, const uint8_t *p)
{
    uint32_t v = 0;
    switch (element) {
    case UB: return *p;
    case B: return (uint32_t)(int8_t)*p;
    case UW: memcpy(&v, p, 2); return v;
    case W: memcpy(&v, p, 2); return (uint32_t)(int16_t)v;
    default: memcpy(&v, p, 4); return v;
    }
}

/* The elements as dwords: in place if they are dwords already, else in `room`. */
static const uint32_t *load(
    const struct gpudbg_wave *w, const struct gen_fast *f, const struct source *s, uint32_t *room)
{
    if (s->kind == CONSTANT) return s->constant;
    const uint8_t *at = gen_bytes(w, s->at, 1);
    const uint32_t *values = room;
    if (s->kind == SCALAR) {
        f->level->fill(room, widen(s->element, at), f->rows);
    } else if (s->kind == PACKED && s->element == DWORD) {
        values = (const uint32_t *)(const void *)at;
    } else if (s->kind == PACKED && s->element >= UW) {
        f->level->words(room, at, f->rows, s->element == W);
    } else if (s->element == DWORD) {
        for (unsigned i = 0; i < f->n; i++) memcpy(&room[i], gen_bytes(w, s->table[i], 4), 4);
    } else {
        for (unsigned i = 0; i < f->n; i++) room[i] = widen(s->element, gen_bytes(w, s->table[i], 1));
    }
    if (!s->negate && !s->absolute) return values;
    if (f->floats)
        f->level->modify(room, values, f->rows, s->absolute ? 0x7fffffff : UINT32_MAX, s->negate ? 0x80000000 : 0, 0);
    else if (s->negate)
        f->level->modify(room, values, f->rows, UINT32_MAX, UINT32_MAX, s->negate == 1);
    return room;
}

/* ---- Execution ---- */

static void store(struct gpudbg_wave *w, const struct gen_fast *f, const uint32_t *d, uint32_t mask)
{
    uint8_t *to = gen_bytes(w, f->to, (f->n - 1u) * f->stride + f->size);
    if (f->packed && f->n == f->rows) {
        uint32_t *row = (uint32_t *)(void *)to;
        f->level->select(row, d, row, f->rows, mask);
        return;
    }
    if (f->size == 2 && f->stride == 2 && mask == gen_ones(f->n)) {
        uint16_t words[GEN_CHANNELS];
        for (unsigned i = 0; i < f->n; i++) words[i] = (uint16_t)d[i];
        memcpy(to, words, 2u * f->n);
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        memcpy(to + i * f->stride, &d[i], f->size);
    }
}

static void set_flags(struct gpudbg_wave *w, const struct gen_fast *f, uint32_t answer, uint32_t mask)
{
    uint32_t *flag = &w->words[GEN_W_F + f->gate.flag];
    *flag = (*flag & ~(mask << f->gate.flag_shift)) | (answer & mask) << f->gate.flag_shift;
}

/* Rounding to nearest and IEEE mode, which the loops use. */
static bool usual_mode(const struct gpudbg_wave *w) { return !(w->words[GEN_W_CR0] & 0x31); }

/* Marks accumulators that hold floats from now on. */
static void forget_acc_sizes(struct gpudbg_wave *w, const struct gen_fast *f)
{
    for (unsigned r = 0; r < (4u * f->n + 31) / 32; r++)
        w->words[GEN_W_ACC_SIZE + (f->to / 4u - GEN_W_ACC) / 8 + r] = 0;
}

static const struct gen_step *fast(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_fast *f = op->fast;
    uint32_t room[3][GEN_CHANNELS] __attribute__((aligned(64))), d[GEN_CHANNELS] __attribute__((aligned(64)));
    if ((f->flush_later && !usual_mode(w)) || (f->reads_acc && gen_of(w)->has_native)) return gen_alu(w, op);
    uint32_t mask = gen_gate_runs(&f->gate, w), pass = gen_gate_passes(&f->gate, w);
    if (!f->select) mask &= pass;
    if (!mask) return gen_next(op);
    const uint32_t *a = load(w, f, &f->src[0], room[0]), *b = f->nsrc > 1 ? load(w, f, &f->src[1], room[1]) : NULL;
    const uint32_t *c = f->nsrc > 2 ? load(w, f, &f->src[2], room[2]) : NULL;
    const bool flush = f->flush_later && !(w->words[GEN_W_CR0] & gen_of(w)->eu->keep_f);
    if (f->compares) {
        uint32_t answer = f->test(a, b, f->rows, flush);
        if (!f->discards) f->level->masks(d, f->rows, answer);
        set_flags(w, f, answer, mask);
    } else if (f->select) {
        f->level->select(d, a, b, f->rows, pass);
    } else {
        f->row(d, a, b, c, f->rows, flush);
    }
    if (f->saturate) f->second(d, d, NULL, NULL, f->rows, flush);
    if (f->convert) f->convert(d, d, NULL, NULL, f->rows, flush);
    if (f->sets_flags) {
        static const uint32_t zeros[GEN_CHANNELS];
        set_flags(w, f, f->test(d, zeros, f->rows, flush), mask);
    }
    if (f->float_acc) forget_acc_sizes(w, f);
    if (!f->discards) store(w, f, d, mask);
    return gen_next(op);
}

/* One row of the loops, from registers to registers. */
static const struct gen_step *fast_plain(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_fast *f = op->fast;
    const uint32_t *from[3] = {NULL, NULL, NULL};
    uint32_t room[3][GEN_CHANNELS] __attribute__((aligned(64))), d[GEN_CHANNELS] __attribute__((aligned(64)));
    if ((f->flush_later && !usual_mode(w)) || (f->reads_acc && gen_of(w)->has_native)) return gen_alu(w, op);
    const uint32_t mask = gen_gate_runs(&f->gate, w) & gen_gate_passes(&f->gate, w), all = gen_ones(f->n);
    const bool flush = f->flush_later && !(w->words[GEN_W_CR0] & gen_of(w)->eu->keep_f);
    if (!mask) return gen_next(op);
    for (unsigned k = 0; k < f->nsrc; k++) {
        const struct source *s = &f->src[k];
        const uint8_t *at = gen_bytes(w, s->at, 0);
        from[k] = s->kind == CONSTANT ? s->constant : (const uint32_t *)(const void *)at;
        if (s->kind == SCALAR) {
            f->level->fill(room[k], widen(s->element, at), f->rows);
            from[k] = room[k];
        }
    }
    uint32_t *to = (uint32_t *)(void *)gen_bytes(w, f->to, 4u * f->n);
    if (f->float_acc) forget_acc_sizes(w, f);
    if (mask == all) {
        f->row(to, from[0], from[1], from[2], f->rows, flush);
        return gen_next(op);
    }
    f->row(d, from[0], from[1], from[2], f->rows, flush);
    f->level->select(to, d, to, f->rows, mask);
    return gen_next(op);
}

/* A shape that has a predicate or an accumulator. */
static const struct gen_step *fast_checked(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_fast *f = op->fast;
    const uint32_t mask = gen_gate_runs(&f->gate, w) & gen_gate_passes(&f->gate, w);
    const bool unusual = (f->flush_later && !usual_mode(w)) || (f->reads_acc && gen_of(w)->has_native);
    if (!mask) return gen_next(op);
    if (mask != f->hot.ones || unusual) return f->hot.other(w, op);
    if (f->float_acc) forget_acc_sizes(w, f);
    return f->shape(w, op);
}

/* Changes nothing: a selection between the destination and itself. */
static const struct gen_step *fast_nothing(struct gpudbg_wave *w, const struct gen_step *op)
{
    (void)w;
    return gen_next(op);
}

/* A logic operation on a dword of the control register and a constant: kernels start with one. */
static const struct gen_step *fast_control(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_fast *f = op->fast;
    uint32_t before[4], d[8], *to = &w->words[f->to / 4];
    const uint32_t was[8] = {*to};
    memcpy(before, w->words + GEN_W_CR0, sizeof before);
    f->row(d, was, f->src[1].constant, NULL, 8, false);
    *to = d[0];
    const struct gen_step *next = gen_control_written(w, op, before);
    return next ? next : gen_next(op);
}

/* A dword channel of the accumulators, with the bits above it. */
static void set_acc(struct gpudbg_wave *w, unsigned channel, int64_t value)
{
    if (w->words[GEN_W_ACC_SIZE + channel / 8] != 4) {
        gen_acc_write(w, 4 * (int64_t)channel, 4, value);
        return;
    }
    w->words[GEN_W_ACC + channel] = (uint32_t)value;
    w->words[GEN_W_ACC_HIGH + 2 * channel] = (uint32_t)((uint64_t)value >> 32);
}

/* addc and subb: a carry for each dword channel. */
static const struct gen_step *fast_carry(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_fast *f = op->fast;
    uint32_t room[2][GEN_CHANNELS] __attribute__((aligned(64))), d[GEN_CHANNELS];
    const uint32_t mask = gen_gate_runs(&f->gate, w) & gen_gate_passes(&f->gate, w);
    const bool keeps = op->insn->acc_wr_en && !(w->words[GEN_W_CR0] & GEN_ACC_DISABLE),
               adds = GEN_IS(op->insn->op, SUM);
    const uint32_t *a = load(w, f, &f->src[0], room[0]), *b = load(w, f, &f->src[1], room[1]);
    for (unsigned i = 0; i < f->n; i++) d[i] = adds ? a[i] + b[i] : a[i] - b[i];
    for (uint32_t m = keeps ? mask : 0; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctz(m);
        set_acc(w, i, adds ? d[i] < a[i] : a[i] < b[i]);
    }
    if (!f->discards) store(w, f, d, mask);
    return gen_next(op);
}

/* ---- mul to the accumulator, and the mach that follows it: products of 64 bits, by dword channel ---- */

/* Whether the n channels from `first` on are dwords of the accumulators, with the bits above them. */
static bool acc_is_dwords(const struct gpudbg_wave *w, unsigned first, unsigned n)
{
    const uint32_t *size = &w->words[GEN_W_ACC_SIZE + first / 8];
    return size[0] == 4 && (n <= 8 || size[1] == 4);
}

static const struct gen_step *fast_mul_acc(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_fast *f = op->fast;
    const unsigned first = f->to / 4u - GEN_W_ACC;
    uint32_t room[2][GEN_CHANNELS] __attribute__((aligned(64))), acc[16], above[32];
    uint32_t mask = gen_gate_runs(&f->gate, w);
    const uint32_t *a = load(w, f, &f->src[0], room[0]), *b = load(w, f, &f->src[1], room[1]);
    if (f->n == f->rows && mask == gen_ones(f->n) && acc_is_dwords(w, first, f->n)) {
        f->level->mul_acc(
            &w->words[GEN_W_ACC + first], &w->words[GEN_W_ACC_HIGH + 2 * first], a, b, f->rows, f->hot.product);
        return gen_next(op);
    }
    memset(above, 0, sizeof above);
    f->level->mul_acc(acc, above, a, b, f->rows, f->hot.product);
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        set_acc(w, first + i, (int64_t)(acc[i] | (uint64_t)above[2 * i] << 32));
    }
    return gen_next(op);
}

static const struct gen_step *fast_mach(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_fast *f = op->fast;
    uint32_t room[2][GEN_CHANNELS] __attribute__((aligned(64))), d[GEN_CHANNELS] __attribute__((aligned(64))), acc[16],
        above[32];
    uint32_t mask = gen_gate_runs(&f->gate, w);
    if (!acc_is_dwords(w, 0, f->n) || w->words[GEN_W_CR0] & GEN_ACC_DISABLE) return gen_alu(w, op);
    const uint32_t *a = load(w, f, &f->src[0], room[0]), *b = load(w, f, &f->src[1], room[1]);
    uint32_t *to_acc = &w->words[GEN_W_ACC], *to_above = &w->words[GEN_W_ACC_HIGH];
    const bool all = f->n == f->rows && mask == gen_ones(f->n);
    if (!all) {
        memcpy(acc, to_acc, sizeof acc);
        memcpy(above, to_above, sizeof above);
    }
    f->level->mach(d, all ? to_acc : acc, all ? to_above : above, a, b, f->rows, f->hot.product);
    for (uint32_t m = !all && f->hot.product.keeps ? mask : 0; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctz(m);
        to_acc[i] = acc[i];
        to_above[2 * i] = above[2 * i];
    }
    if (!f->discards) store(w, f, d, mask);
    return gen_next(op);
}

/* ---- Preparation ---- */

static bool element_of(unsigned type, uint8_t *element)
{
    switch (type) {
    case GEN_UB: *element = UB; return true;
    case GEN_B: *element = B; return true;
    case GEN_UW: *element = UW; return true;
    case GEN_W: *element = W; return true;
    case GEN_UD:
    case GEN_D:
    case GEN_F32: *element = DWORD; return true;
    default: return false;
    }
}

/* The start of an operand's file in the wave's words, in bytes, and its length; not for accumulators if
 * wide_accumulators. */
static bool file_of(
    const struct gen_fast *f, const struct gen_insn *insn, const struct gen_operand *o, unsigned *start, unsigned *size)
{
    if (o->mode != GEN_DIRECT) return false;
    if (o->file == GEN_F &&
        insn->exec_size == 1) { /* stored as one dword after the other, 32 bytes apart as operands */
        *start = 4 * GEN_W_F + o->reg * 4u - o->reg * 32u;
        *size = o->reg * 32u + 4;
        return o->reg < 2;
    }
    if (o->file != GEN_GRF && (o->file != GEN_ACC || insn->eu->wide_accumulators)) return false;
    *start = 4 * (o->file == GEN_GRF ? GEN_W_GRF : GEN_W_ACC);
    *size = o->file == GEN_GRF ? f->grf_bytes : 320;
    return true;
}

static bool constant_source(const struct gen_insn *insn, unsigned k, unsigned n, struct source *s)
{
    struct gpudbg_wave none = {0};
    unsigned type = insn->src[k].type;
    s->kind = CONSTANT;
    for (unsigned i = 0; i < n; i++) {
        uint64_t bits = gen_read_element(&none, insn, k, i);
        if (type == GEN_V || type == GEN_W || type == GEN_B)
            s->constant[i] = (uint32_t)(int16_t)bits;
        else if (type == GEN_UV || type == GEN_UW || type == GEN_UB)
            s->constant[i] = (uint16_t)bits;
        else if (type == GEN_D || type == GEN_UD || type == GEN_F32 || type == GEN_VF)
            s->constant[i] = (uint32_t)bits;
        else
            return false;
    }
    return type != GEN_B && type != GEN_UB;
}

/* Prepares the region, if the places of its elements are constant. */
static bool prepare_source(const struct gen_insn *insn, unsigned k, struct gen_fast *f, bool packed_too)
{
    const struct gen_operand *o = &insn->src[k];
    struct source *s = &f->src[k];
    struct gpudbg_wave none = {0};
    unsigned start, size, bytes = gen_type_size[o->type];
    if (o->mode == GEN_IMMEDIATE) return constant_source(insn, k, f->n, s);
    if (!element_of(o->type, &s->element) || !file_of(f, insn, o, &start, &size)) return false;
    bool scalar = true, packed = true;
    int64_t first = gen_element(&none, insn, (int)k, 0);
    for (unsigned i = 0; i < f->n; i++) {
        int64_t at = gen_element(&none, insn, (int)k, i);
        if (at < 0 || at + bytes > size) return false;
        scalar &= at == first;
        packed &= at == first + (int64_t)i * bytes;
        s->table[i] = (uint16_t)(start + at);
    }
    s->at = (uint16_t)(start + first);
    f->reads_acc |= o->file == GEN_ACC;
    s->kind = scalar ? SCALAR : packed && bytes > 1 && s->at % bytes == 0 ? PACKED : TABLE;
    if (!packed_too) s->kind = TABLE;
    return true;
}

static bool prepare_modifiers(const struct gen_insn *insn, unsigned k, struct gen_fast *f)
{
    const struct gen_operand *o = &insn->src[k];
    struct source *s = &f->src[k];
    const bool inverts = GEN_IS(insn->op, LOGIC) && insn->eu->inverts;
    if (!o->neg && !o->abs) return true;
    if (o->mode == GEN_IMMEDIATE) return false;
    if (f->floats) {
        s->negate = o->neg;
        s->absolute = o->abs;
        return true;
    }
    if (o->abs && !inverts) return false;
    s->negate = !o->neg ? 0 : inverts ? 2 : 1;
    /* The low bits are those of the exact value; if more bits matter, the generic way is needed. */
    return GEN_IS(insn->op, MODULAR) && !insn->cmod && !gen_type_is_float(insn->dst.type);
}

static bool prepare_destination(const struct gen_insn *insn, struct gen_fast *f)
{
    const struct gen_operand *d = &insn->dst;
    struct gpudbg_wave none = {0};
    unsigned start, size;
    f->size = gen_type_size[d->type];
    if (d->mode == GEN_ABSENT || (d->mode == GEN_DIRECT && d->file == GEN_NULL)) {
        f->discards = true;
        return true;
    }
    if (!file_of(f, insn, d, &start, &size) || f->size > 4) return false;
    int64_t first = gen_element(&none, insn, -1, 0), last = gen_element(&none, insn, -1, f->n - 1u);
    int64_t step = f->n > 1 ? gen_element(&none, insn, -1, 1) - first : f->size;
    if (first < 0 || last + f->size > size) return false;
    f->to = (uint16_t)(start + first);
    f->stride = (uint16_t)step;
    f->packed = f->size == 4 && step == 4 && f->to % 4 == 0;
    f->float_acc = d->file == GEN_ACC;
    return !f->float_acc || d->type == GEN_F32;
}

/* The type of the comparison: both numbers must fit 32 bits, both signed or both unsigned. */
static bool compare_type(const struct gen_insn *insn, const struct gen_fast *f, unsigned *type)
{
    bool s[2], narrow[2];
    *type = GEN_T_FLOAT;
    if (f->floats) return true;
    for (unsigned i = 0; i < 2; i++) {
        s[i] = gen_type_is_signed(insn->src[i].type);
        narrow[i] = gen_type_size[insn->src[i].type] < 4;
        uint32_t signs = 0;
        for (unsigned c = 0; c < f->n; c++) signs |= f->src[i].constant[c] >> 31;
        if (insn->src[i].mode == GEN_IMMEDIATE && !signs && (insn->src[i].type == GEN_D || insn->src[i].type == GEN_UD))
            narrow[i] = true;
        if (insn->src[i].mode == GEN_IMMEDIATE && narrow[i] && !signs) s[i] = false;
    }
    *type = GEN_T_INT;
    if ((s[0] || narrow[0]) && (s[1] || narrow[1])) return true;
    *type = GEN_T_UINT;
    return !s[0] && !s[1];
}

static bool all_floats(const struct gen_insn *insn)
{
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (insn->src[i].type != GEN_F32 && insn->src[i].type != GEN_VF) return false;
    return insn->nsrc > 0;
}

static bool all_integers(const struct gen_insn *insn)
{
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (gen_type_is_float(insn->src[i].type) || gen_type_size[insn->src[i].type] > 4) return false;
    return insn->nsrc > 0 && !GEN_IS(insn->op, HALF_SOURCE);
}

static bool prepare_result(const struct gen_insn *insn, struct gen_fast *f, const struct gen_level *level)
{
    unsigned row = f->floats ? gen_float_row(insn) : gen_int_row(insn), to = insn->dst.type,
             type = f->floats ? GEN_T_FLOAT : GEN_T_INT;
    f->compares = row == GEN_COMPARISON;
    f->select = GEN_IS(insn->op, BY_FLAG) && !insn->cmod;
    f->sets_flags = insn->cmod && !GEN_IS(insn->op, CHOOSES) && !f->compares;
    if (insn->cmod > 6 || (!f->compares && row == GEN_ROWS)) return false;
    if (GEN_IS(insn->op, BY_FLAG) && insn->cmod && insn->pred) return false;
    if (f->compares) {
        if (!insn->cmod || !compare_type(insn, f, &type)) return false;
        f->test = level->test[type][insn->cmod];
        f->flush_later = f->floats;
        return true;
    }
    if (f->select && f->floats && (insn->saturate || to != GEN_F32)) return false;
    f->row = level->row[row];
    if (f->sets_flags) { /* tested in the destination's type */
        if (to != GEN_D && to != GEN_UD && (!f->floats || to != GEN_F32)) return false;
        type = to == GEN_UD ? GEN_T_UINT : to == GEN_D ? GEN_T_INT : GEN_T_FLOAT;
        f->test = level->test[type][insn->cmod];
    }
    if (!f->floats) {
        bool unsigned_source = insn->src[0].type == GEN_UD;
        if (insn->saturate) return false;
        if (to == GEN_F32) {
            if (!GEN_IS(insn->op, MOVE)) return false;
            f->row = level->row[unsigned_source ? GEN_R_F_OF_UD : GEN_R_F_OF_D];
            f->flush_later = true; /* rounded */
        }
        return to == GEN_F32 || !gen_type_is_float(to);
    }
    f->flush_later = row != GEN_R_COPY;
    f->saturate = insn->saturate;
    f->second = level->row[GEN_R_SATURATE];
    if (to == GEN_D || to == GEN_UD) {
        f->saturate = false;
        gen_row *convert = level->row[to == GEN_D ? GEN_R_D_OF_F : GEN_R_UD_OF_F];
        if (row == GEN_R_COPY)
            f->row = convert;
        else
            f->convert = convert;
        return !GEN_IS(insn->op, BY_FLAG);
    }
    return to == GEN_F32 || f->discards;
}

/* Are the channels of the destination at the same places in the accumulator, from channel 0 on? */
static bool from_channel_0(const struct gen_fast *f)
{
    return !f->float_acc && (f->discards || (f->to % 32 == 0 && f->size == 4 && (f->stride == 4 || f->n == 1)));
}

/* A product with one multiplier for all channels has a handler of its own. */
static void find_product_shape(struct gen_fast *f, bool mul)
{
    struct gen_hot *h = &f->hot;
    const struct source *a = &f->src[0], *b = &f->src[1];
    const bool a_fits = f->n == 1 ? a->kind == SCALAR : a->kind == PACKED && a->element == DWORD,
               b_fits = b->kind == SCALAR && b->at % (b->element == DWORD ? 4 : 2) == 0 && b->element >= UW;
    if ((f->n != 1 && f->n != 8 && f->n != 16) || !a_fits || a->element != DWORD || a->at % 4 || !b_fits ||
        (!mul && (f->discards || b->element != DWORD)))
        return;
    const bool apart = a->at + 4u * f->n <= f->to || f->to + 4u * f->n <= a->at || a->at == f->to;
    if (!apart && f->n > 1) return;
    h->other = f->handler;
    h->need = f->gate.no_mask ? 0 : gen_ones(f->n) << f->gate.from;
    h->d = f->to / 4;
    h->at[0] = a->at / 4;
    h->at[1] = b->at / 4;
    h->word[1] = b->element == W && !h->product.low ? 2 : mul ? 1 : 0;
    h->shift[1] = 8 * (b->at % 4);
    const unsigned size = f->n == 1 ? 0 : f->n / 8;
    f->handler = mul ? f->level->shapes->mul_acc[size] : f->level->shapes->mach[size];
}

static bool prepare_products(const struct gen_insn *insn, struct gen_fast *f, bool gate)
{
    bool mul = GEN_IS(insn->op, PRODUCT);
    bool dwords = gen_type_size[insn->src[0].type] == 4 && (insn->dst.type == GEN_D || insn->dst.type == GEN_UD);
    if (insn->pred || insn->cmod || insn->saturate || f->floats || !dwords || insn->eu->wide_accumulators ||
        insn->exec_size > 16)
        return false;
    if (insn->src[0].neg || insn->src[0].abs || insn->src[1].neg || insn->src[1].abs) return false;
    f->hot.product = (struct gen_product){.a_signed = gen_type_is_signed(insn->src[0].type),
        .b_signed = gen_type_is_signed(insn->src[1].type),
        .low = mul ? gen_type_size[insn->src[1].type] == 4 : insn->eu->low_half && !insn->acc_wr_en,
        .keeps = insn->acc_wr_en};
    if (mul) {
        f->handler = fast_mul_acc;
        f->to = (uint16_t)(4 * GEN_W_ACC + insn->dst.reg * 32u + insn->dst.sub);
        const bool fits = !insn->acc_wr_en && gen_exec_size(insn) == 4 && insn->dst.reg + f->n / 8 <= 10 &&
                          !insn->dst.sub && insn->dst.hstride == 1;
        if (fits && gate) find_product_shape(f, true);
        return fits;
    }
    f->handler = fast_mach;
    const bool fits = gen_type_size[insn->src[1].type] == 4 && prepare_destination(insn, f) && from_channel_0(f);
    if (fits && gate) find_product_shape(f, false);
    return fits;
}

static bool changes_nothing(const struct gen_insn *insn, unsigned grf_bytes)
{
    struct gpudbg_wave none = {0};
    const struct gen_operand *d = &insn->dst;
    if (!GEN_IS(insn->op, CHOOSES) || insn->shape != GEN_TERNARY || gen_type_is_float(d->type) ||
        d->mode != GEN_DIRECT || d->file != GEN_GRF || insn->acc_wr_en || insn->saturate)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const struct gen_operand *o = &insn->src[k];
        if (o->mode != GEN_DIRECT || o->file != GEN_GRF || o->neg || o->abs || o->type != d->type ||
            insn->exec_size > GEN_CHANNELS)
            return false;
        for (unsigned i = 0; i < insn->exec_size; i++) {
            int64_t at = gen_element(&none, insn, (int)k, i);
            if (at != gen_element(&none, insn, -1, i) || at < 0 || at + gen_type_size[d->type] > grf_bytes)
                return false;
        }
    }
    return true;
}

/* May the row write directly to the destination?  Each source is apart from it or at the same place. */
static bool is_plain(const struct gen_insn *insn, const struct gen_fast *f)
{
    if (f->handler != fast || !f->row || f->compares || f->select || f->saturate || f->convert || f->sets_flags ||
        f->discards || !f->packed || f->n != f->rows || insn->align16)
        return false;
    for (unsigned k = 0; k < f->nsrc; k++) {
        const struct source *s = &f->src[k];
        bool apart = s->at + 4u * f->rows <= f->to || f->to + 4u * f->rows <= s->at || s->at == f->to;
        if (s->negate || s->absolute || s->kind == TABLE || (s->kind == PACKED && (s->element != DWORD || !apart)))
            return false;
    }
    return true;
}

static bool prepare_carry(const struct gen_insn *insn, struct gen_fast *f)
{
    for (unsigned k = 0; k < 2; k++)
        if (insn->src[k].type != GEN_UD || insn->src[k].neg || insn->src[k].abs) return false;
    f->handler = fast_carry;
    return insn->dst.type == GEN_UD && !insn->cmod && !insn->saturate &&
           f->n <= (insn->eu->second_accumulator ? 16 : 8) && prepare_destination(insn, f) && from_channel_0(f) &&
           !(insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_ACC);
}

static bool prepare_control(const struct gen_insn *insn, struct gen_fast *f, const struct gen_level *level)
{
    const struct gen_operand *d = &insn->dst, *a = &insn->src[0], *b = &insn->src[1];
    if (!GEN_IS(insn->op, LOGIC) || insn->shape != GEN_BINARY || insn->exec_size != 1 || !insn->no_mask || insn->pred ||
        insn->cmod || insn->saturate || insn->acc_wr_en || insn->align16)
        return false;
    if (d->mode != GEN_DIRECT || d->file != GEN_CR0 || d->type != GEN_UD || d->reg || d->sub > 8 || d->sub % 4 ||
        a->mode != GEN_DIRECT || a->file != GEN_CR0 || a->type != GEN_UD || a->reg || a->sub != d->sub || a->neg ||
        a->abs)
        return false;
    f->n = 1;
    f->to = (uint16_t)(4 * GEN_W_CR0 + d->sub);
    f->handler = fast_control;
    const unsigned row = gen_int_row(insn);
    if (row >= GEN_ROWS) return false;
    f->row = level->row[row];
    return b->mode == GEN_IMMEDIATE && (b->type == GEN_UD || b->type == GEN_UW) &&
           constant_source(insn, 1, 1, &f->src[1]);
}

/* ---- The usual shapes ---- */

/* Sources that are one dword for all channels: a bit for each.  false: a source is neither such a dword nor a row. */
static bool sources_of(const struct gen_fast *f, struct gen_hot *h, unsigned *ones)
{
    *ones = 0;
    for (unsigned k = 0; k < f->nsrc; k++) {
        const struct source *s = &f->src[k];
        bool one = s->kind == SCALAR || s->kind == CONSTANT, constant = s->kind == CONSTANT;
        for (unsigned i = 1; constant && i < f->n; i++) one &= s->constant[i] == s->constant[0];
        const bool word = s->kind == SCALAR && (s->element == UW || s->element == W) && s->at % 2 == 0 && f->compares;
        if (s->negate || s->absolute || s->kind == TABLE || (!one && constant)) return false;
        if (!constant && !word && (s->element != DWORD || s->at % 4)) return false;
        if (word) h->word[k] = s->element == UW ? 1 : 2;
        h->shift[k] = 8 * (s->at % 4);
        *ones |= (uint32_t)one << k;
        h->at[k] = s->at / 4;
        h->k[k] = s->constant[0];
        h->constant |= (uint8_t)(constant << k);
    }
    return true;
}

/* Rows write directly to the destination: each source is apart from it or at the same place. */
static bool keeps_apart(const struct gen_fast *f)
{
    for (unsigned k = 0; k < f->nsrc; k++) {
        const struct source *s = &f->src[k];
        bool apart = s->at + 4u * f->n <= f->to || f->to + 4u * f->n <= s->at || s->at == f->to;
        if (s->kind == PACKED && !apart) return false;
    }
    return true;
}

/* The shape's place among those of its size; -1: no such shape. */
static int shape_of(const struct gen_fast *f, unsigned ones, unsigned one, unsigned of_8, unsigned of_16)
{
    const bool all = ones == (1u << f->nsrc) - 1;
    if (f->n == 1) return (int)one;
    if ((f->n != 8 && f->n != 16) || (all && f->nsrc > 1)) return -1;
    return (int)((f->n == 8 ? of_8 : of_16) + ones);
}

/* The comparison that gives the condition's answer, perhaps with the sources exchanged or the answer inverted. */
static unsigned order_of(unsigned type, unsigned cmod, bool *exchanged, bool *inverted)
{
    const bool floats = type == GEN_T_FLOAT, greater = cmod == GEN_C_G || cmod == GEN_C_GE,
               or_equal = cmod == GEN_C_GE || cmod == GEN_C_LE;
    *inverted = cmod == GEN_C_NZ || (!floats && or_equal);
    if (cmod == GEN_C_Z || cmod == GEN_C_NZ) return floats ? GEN_O_FEQUAL : GEN_O_EQUAL;
    *exchanged = greater != *inverted;
    return !floats ? type == GEN_T_INT ? GEN_O_LESS : GEN_O_BELOW : or_equal ? GEN_O_FLESS_EQUAL : GEN_O_FLESS;
}

static gen_fn *compare_shape(const struct gen_insn *insn, const struct gen_fast *f, struct gen_hot *h)
{
    unsigned ones, type;
    bool exchanged = false, inverted = false;
    if (!f->discards || f->gate.predicated || !sources_of(f, h, &ones) || !compare_type(insn, f, &type)) return NULL;
    const unsigned order = order_of(type, insn->cmod, &exchanged, &inverted);
    if (ones != 3 && (h->word[0] || h->word[1])) return NULL;
    int shape = ones == 3 ? GEN_PAIR_ALL : shape_of(f, ones, GEN_PAIR_ALL, GEN_PAIR_8, GEN_PAIR_16);
    h->flip = inverted ? UINT32_MAX : 0;
    h->forced = f->gate.no_mask ? UINT32_MAX : 0;
    if (exchanged) {
        const struct gen_hot was = *h;
        for (unsigned k = 0; k < 2; k++) {
            h->at[k] = was.at[!k];
            h->k[k] = was.k[!k];
            h->word[k] = was.word[!k];
            h->shift[k] = was.shift[!k];
        }
        h->constant = (uint8_t)(was.constant >> 1 | (was.constant & 1) << 1);
        if (shape != GEN_PAIR_ALL && ones) shape += ones == 1 ? 1 : -1;
    }
    return shape < 0 ? NULL : f->level->shapes->compare[order][shape];
}

static gen_fn *select_shape(const struct gen_fast *f, struct gen_hot *h)
{
    unsigned ones;
    if (f->saturate || f->convert || !f->gate.predicated || f->gate.group || !sources_of(f, h, &ones)) return NULL;
    const int shape = shape_of(f, ones, GEN_SHAPE_ONE, GEN_SHAPE_8, GEN_SHAPE_16);
    h->flip = f->gate.inverted ? UINT32_MAX : 0;
    return shape < 0 ? NULL : f->level->shapes->select[shape];
}

static gen_fn *row_shape(const struct gen_fast *f, struct gen_hot *h)
{
    unsigned ones, row = 0;
    if (f->saturate || f->convert || f->sets_flags || !sources_of(f, h, &ones)) return NULL;
    while (f->level->row[row] != f->row) row++;
    const int shape = shape_of(f, ones, GEN_SHAPE_ONE, GEN_SHAPE_8, GEN_SHAPE_16);
    return shape < 0 ? NULL : f->level->shapes->row[row][shape];
}

/* The handler of the instruction's shape, or NULL. */
static gen_fn *find_shape(const struct gen *g, const struct gen_insn *insn, struct gen_fast *f)
{
    struct gen_hot *h = &f->hot;
    const uint32_t ones = gen_ones(f->n);
    if (insn->align16 || ((f->reads_acc || f->float_acc) && (f->compares || f->select))) return NULL;
    if (!f->compares && (f->discards || !f->packed || !keeps_apart(f))) return NULL;
    *h = (struct gen_hot){.other = f->handler,
        .need = f->gate.no_mask ? 0 : ones << f->gate.from,
        .keeps = g->eu->keep_f,
        .d = f->to / 4,
        .flag = f->gate.flag,
        .flag_shift = f->gate.flag_shift,
        .from = f->gate.from,
        .ones = ones};
    return f->compares ? compare_shape(insn, f, h) : f->select ? select_shape(f, h) : row_shape(f, h);
}

static bool prepare(const struct gen *g, const struct gen_insn *insn, struct gen_fast *f)
{
    const struct gen_level *level = lanes_widest(&gen_level_1, &gen_level_3, &gen_level_4);
    if (prepare_control(insn, f, level)) return true;
    f->grf_bytes = (uint16_t)(32 * g->grfs);
    if (changes_nothing(insn, f->grf_bytes)) {
        f->handler = fast_nothing;
        return true;
    }
    const bool to_acc = insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_ACC, keeps = GEN_IS(insn->op, WRITES_ACC),
               products = (GEN_IS(insn->op, PRODUCT) && to_acc) || (keeps && GEN_IS(insn->op, READS_ACC));
    f->n = (uint8_t)gen_channels(insn);
    f->rows = f->n <= 8 ? 8 : f->n <= 16 ? 16 : 32;
    f->nsrc = insn->nsrc;
    f->level = level;
    f->handler = fast;
    f->floats = all_floats(insn);
    if ((insn->align16 && insn->dst.align16 && insn->dst.chan_en != 15) || f->n != insn->exec_size ||
        (!f->floats && !all_integers(insn)))
        return false;
    for (unsigned i = 0; i < f->nsrc; i++)
        if (!prepare_source(insn, i, f, g->paths == GEN_ALL_PATHS)) return false;
    bool gate = gen_gate_make(insn, &f->gate);
    if (products) return prepare_products(insn, f, gate && g->paths == GEN_ALL_PATHS);
    if (gate && keeps) return prepare_carry(insn, f);
    if (insn->acc_wr_en || !gate || !prepare_destination(insn, f)) return false;
    for (unsigned i = 0; i < f->nsrc; i++)
        if (!prepare_modifiers(insn, i, f)) return false;
    if (insn->shape == GEN_SEND || !prepare_result(insn, f, level)) return false;
    /* Rows run over 8, 16 or 32 channels: the bytes that they read after the region must exist. */
    for (unsigned i = 0; i < f->nsrc; i++)
        if (f->src[i].kind == PACKED && f->src[i].at + 4u * f->rows > 4u * gen_words(g)) f->src[i].kind = TABLE;
    if (g->paths == GEN_ALL_PATHS && is_plain(insn, f)) f->handler = fast_plain;
    f->shape = g->paths == GEN_ALL_PATHS ? find_shape(g, insn, f) : NULL;
    const bool checked = !f->compares && !f->select && (f->gate.predicated || f->reads_acc || f->float_acc);
    if (f->shape) f->handler = checked ? fast_checked : f->shape;
    return true;
}

const struct gen_fast *gen_fast_new(const struct gen *g, const struct gen_insn *insn)
{
    struct gen_fast *f = calloc(1, sizeof *f);
    if (f && prepare(g, insn, f)) return f;
    free(f);
    return NULL;
}

void gen_fast_free(const struct gen_fast *f) { free((void *)f); }

gen_fn *gen_fast_handler(const struct gen_fast *f) { return f->handler; }
