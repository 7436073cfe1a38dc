/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements.c: the values of elements.  Ivy Bridge manual, volume 4 part 3, "Registers and Register
 * Regions". */
#include "alu/elements.h"

/* ---- Types ---- */

unsigned gen_exec_type(const struct gen_insn *insn)
{
    unsigned best = GEN_D;
    if (GEN_IS(insn->op, HALF_SOURCE) || GEN_IS(insn->op, HALF_RESULT)) return GEN_F32;
    for (unsigned i = 0; i < insn->nsrc; i++) {
        unsigned type = insn->src[i].type;
        if (type == GEN_VF || type == GEN_BF) type = GEN_F32;
        if (gen_type_is_float(type) && (best == GEN_D || type > best)) best = type;
    }
    if (best == GEN_HF && insn->dst.type == GEN_F32 && !GEN_IS(insn->op, COMPARES)) best = GEN_F32;
    return best;
}

unsigned gen_exec_size(const struct gen_insn *insn)
{
    unsigned size = 2;
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (gen_type_size[insn->src[i].type] > size) size = gen_type_size[insn->src[i].type];
    return size;
}

bool gen_is_plain(const struct gen_insn *insn, unsigned n)
{
    return !insn->src[n].neg && !insn->src[n].abs && !insn->saturate && insn->src[n].type == insn->dst.type;
}

/* ---- Elements ---- */

static uint64_t immediate_element(const struct gen_insn *insn, const struct gen_operand *o, unsigned i)
{
    unsigned stride = gen_type_size[insn->dst.type] *
                      (insn->dst.hstride == GEN_RESERVED || !insn->dst.hstride ? 1u : insn->dst.hstride);
    if (insn->dst.mode == GEN_ABSENT) stride = o->type == GEN_VF ? 4 : 2;
    switch (o->type) {
    case GEN_UV: return o->imm >> (i * stride / 2 % 8 * 4) & 15;
    case GEN_V: return (uint16_t)((int16_t)(uint16_t)(o->imm >> (i * stride / 2 % 8 * 4) << 12) >> 12);
    case GEN_VF: return gen_restricted_float((uint8_t)(o->imm >> (i * stride / 4 % 4 * 8)));
    default: return gen_type_size[o->type] == 2 ? o->imm & 0xffff : o->imm;
    }
}

/* Registers that are not stored: their values at this instruction. */
static uint64_t load_live(
    const struct gpudbg_wave *w, const struct gen_insn *insn, unsigned file, int64_t offset, unsigned size)
{
    uint32_t word[4] = {0};
    if (file == GEN_IP)
        word[0] = (uint32_t)(insn->addr - gen_of(w)->base) & ~7u;
    else if (file == GEN_CE)
        word[0] = w->words[GEN_W_ACTIVE];
    else {
        word[0] = (uint32_t)w->executed; /* tm0: instructions of the thread, counted when its turn began */
        word[1] = (uint32_t)(w->executed >> 32);
    }
    uint64_t bits = 0;
    if (offset >= 0 && offset + size <= 16) memcpy(&bits, (uint8_t *)word + offset, size);
    return bits;
}

uint64_t gen_read_element(struct gpudbg_wave *w, const struct gen_insn *insn, unsigned n, unsigned i)
{
    const struct gen_operand *o = &insn->src[n];
    if (o->mode == GEN_IMMEDIATE) return immediate_element(insn, o, i);
    if (o->mode == GEN_ABSENT) return 0;
    unsigned file = o->mode == GEN_INDIRECT ? (unsigned)GEN_GRF : o->file;
    int64_t at = gen_element(w, insn, (int)n, i);
    if (file == GEN_IP || file == GEN_CE || file == GEN_TM0)
        return load_live(w, insn, file, at, gen_type_size[o->type]);
    return gen_load(w, file, at, gen_type_size[o->type]);
}

/* ---- Accumulators ---- */

/*
 * 3.3.3.5: an accumulator's region must match the destination's, so `mac (1) r5.1:f` adds acc0.1.  The manual does not
 * define accumulators that match no region of the destination (other strides, parts of an element, more channels than
 * the accumulators have for the type).
 */
bool gen_implicit_acc(const struct gen_insn *insn, const int64_t *at, unsigned n, unsigned size, int64_t *first)
{
    const bool second_of_ints = insn->eu->second_accumulator, floats = gen_type_is_float(gen_exec_type(insn)),
               none = insn->dst.mode == GEN_ABSENT || (insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_NULL);
    const int64_t start = none ? 0 : at[0] & 31;
    const unsigned room = second_of_ints || (floats && size == 4) ? 64 : 32; /* F always has acc1 */
    bool second = false;
    if (start % size || n * size > room || (start && start + n * size > 32)) return false;
    if (n > 1 && !none && at[1] - at[0] != size) return false;
    if (insn->eu->quarter_accumulators && size == 4 && floats && insn->exec_size <= 8) second = insn->chan_off / 8 & 1;
    *first = (second ? 32 : 0) + start;
    return true;
}

static uint32_t *high_of(const struct gpudbg_wave *w, int64_t offset) { return w->words + GEN_W_ACC_HIGH + offset / 2; }

gen_wide gen_acc_read(const struct gpudbg_wave *w, int64_t offset, unsigned size)
{
    uint64_t low = gen_load(w, GEN_ACC, offset, size);
    if (offset < 0 || offset + size > 320) return 0;
    if (size > 4 || w->words[GEN_W_ACC_SIZE + offset / 32] != size)
        return gen_int_read(size == 8 ? GEN_Q : size == 4 ? GEN_D : GEN_W, low);
    return (gen_wide)(int32_t)*high_of(w, offset) * ((gen_wide)1 << 8 * size) + low;
}

/* A register whose elements change size loses the bits above the visible ones. */
void gen_acc_write(struct gpudbg_wave *w, int64_t offset, unsigned size, gen_wide value)
{
    if (offset < 0 || offset + size > 320) return;
    uint32_t *kept = &w->words[GEN_W_ACC_SIZE + offset / 32];
    gen_store(w, GEN_ACC, offset, size, (uint64_t)value);
    if (*kept != size) {
        memset(high_of(w, offset & ~(int64_t)31), 0, 64);
        *kept = 0;
        for (int64_t at = offset & ~(int64_t)31; size <= 4 && at < (offset | 31); at += size)
            *high_of(w, at) = gen_load(w, GEN_ACC, at, size) >> (8 * size - 1) & 1 ? UINT32_MAX : 0;
        *kept = size <= 4 ? size : 0;
    }
    if (size <= 4) *high_of(w, offset) = (uint32_t)(uint64_t)(value >> 8 * size);
}

/* ---- Whole sources ---- */

static uint64_t modify_float(const struct gen_operand *o, unsigned type, uint64_t bits)
{
    uint64_t sign = (uint64_t)1 << (gen_type_size[type] * 8 - 1);
    if (o->abs) bits &= ~sign;
    return o->neg ? bits ^ sign : bits;
}

/*
 * The number that operations and conditions use.  An unsigned number becomes a bit wider when it is negated (3.3.3.5:
 * 33 bits for a dword).  A signed dword or qword keeps its width, so that the lowest number stays as it is: the authors
 * of Mesa found it on chips (brw_fs.cpp, lower_sub_sat: 0 - 80000000h does not saturate), 3.3.3.5 counts 32 bits, and
 * code of ocloc needs it.  Bytes and words have as many bits as the widest operand, the destination among them, and at
 * most 32; null counts as a dword.  This is inferred of ocloc's code: `mov :d -r:w` is -(int)s, `cmp null -r:w r:w` is
 * -(int)s > t, `asr :w -r:w` is (short)-s >> n.  An accumulator has room for one bit more.
 */
static gen_wide modify_int(const struct gen_insn *insn, const struct gen_operand *o, gen_wide v)
{
    const struct gen_operand *d = &insn->dst;
    if (insn->eu->inverts && GEN_IS(insn->op, LOGIC)) return o->neg ? ~v : v;
    if (!o->abs && !o->neg) return v;
    if (o->abs && v < 0) v = -v;
    if (o->neg) v = -v;
    if (!gen_type_is_signed(o->type) || o->file == GEN_ACC) return v;
    if (gen_type_size[o->type] == 8) return gen_int_read(GEN_Q, (uint64_t)v);
    const bool discards = d->mode == GEN_ABSENT || (d->mode == GEN_DIRECT && d->file == GEN_NULL);
    const bool wide = discards || gen_exec_size(insn) >= 4 || gen_type_size[d->type] >= 4;
    return gen_int_read(wide ? GEN_D : GEN_W, (uint64_t)v);
}

static gen_wide read_int(struct gpudbg_wave *w, const struct gen_insn *insn, unsigned n, unsigned i)
{
    const struct gen_operand *o = &insn->src[n];
    unsigned size = gen_type_size[o->type];
    uint64_t bits = gen_read_element(w, insn, n, i);
    if (o->mode == GEN_DIRECT && o->file == GEN_ACC && insn->eu->wide_accumulators && !gen_type_is_float(o->type)) {
        int64_t at = gen_element(w, insn, (int)n, i);
        if (at >= 0 && at < 320 && size <= 4 && w->words[GEN_W_ACC_SIZE + at / 32] == size)
            return gen_acc_read(w, at, size);
    }
    if (o->type == GEN_UV || o->type == GEN_V) return gen_int_read(o->type == GEN_V ? GEN_W : GEN_UW, bits);
    return gen_int_read(o->type, bits);
}

void gen_read_source(struct gpudbg_wave *w, const struct gen_insn *insn, unsigned n, unsigned type, bool flush,
    unsigned count, struct gen_value *out)
{
    const struct gen_operand *o = &insn->src[n];
    struct gen_fp fp = gen_fp_of(w);
    unsigned own = o->type == GEN_VF ? (unsigned)GEN_F32 : o->type;
    for (unsigned i = 0; i < count; i++) {
        out[i] = (struct gen_value){0};
        if (!gen_type_is_float(own)) {
            gen_wide v = modify_int(insn, o, read_int(w, insn, n, i));
            if (type == GEN_D)
                out[i].i = v;
            else
                out[i].f = gen_int_to_float(type, v, &fp);
            continue;
        }
        uint64_t bits = gen_float_convert(own, type, gen_read_element(w, insn, n, i), &fp);
        bits = modify_float(o, type, bits);
        out[i].f = flush ? gen_float_in(type, bits, &fp) : bits;
    }
}
