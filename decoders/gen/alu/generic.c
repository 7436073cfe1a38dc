/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generic.c: the generic execution of an instruction: every element by itself. */
#include "alu/gen_alu.h"

/* ---- Results ---- */

static bool float_overflows(unsigned type, uint64_t bits)
{
    return !gen_is_nan(type, bits) && gen_is_nan(type, bits + 1); /* infinite */
}

/* The part of an exact result that an integer destination gets; a store takes its low bits. */
static gen_wide cut(const struct gen_insn *insn, gen_wide v)
{
    return insn->saturate ? gen_int_saturate(insn->dst.type, v) : v;
}

/* Channel i's result in the destination's type. */
static uint64_t result_bits(const struct gen_work *k, unsigned i, bool is_float)
{
    const struct gen_insn *insn = k->insn;
    unsigned to = insn->dst.type;
    if (GEN_IS(insn->op, COMPARES)) return k->flags >> i & 1 ? UINT64_MAX : 0;
    if (!is_float) {
        gen_wide v = k->out[i].i;
        if (GEN_IS(insn->op, HALF_RESULT)) return (uint64_t)v;
        if (!gen_type_is_float(to)) return (uint64_t)cut(insn, v);
        uint64_t bits = gen_int_to_float(to, v, &k->fp);
        return insn->saturate ? gen_float_saturate(to, bits) : bits;
    }
    uint64_t bits = k->out[i].f;
    if (!gen_type_is_float(to)) return (uint64_t)gen_float_to_int(k->type, to, bits);
    if (insn->saturate) bits = gen_float_saturate(k->type, bits);
    return gen_float_convert(k->type, to, bits, &k->fp);
}

/* Conditions of the result before saturation and conversion: overflow, and NaN. */
static bool unsaturated_condition(const struct gen_work *k, unsigned i, bool is_float)
{
    const unsigned to = k->insn->dst.type;
    const bool overflow = k->insn->cmod == GEN_C_O;
    if (GEN_IS(k->insn->op, HALF_RESULT)) { /* a half float, though its type says otherwise */
        uint64_t half = gen_float_convert(GEN_F32, GEN_HF, k->src[0][i].f, &k->fp);
        return overflow ? float_overflows(GEN_HF, half) : gen_is_nan(GEN_HF, half);
    }
    if (is_float) return overflow ? float_overflows(k->type, k->out[i].f) : gen_is_nan(k->type, k->out[i].f);
    return overflow && !gen_int_fits(gen_type_is_float(to) ? GEN_D : to, k->out[i].i);
}

/*
 * The condition of channel i's result, whose bits are given.  Its sign, and whether it is 0, are taken from the value
 * that the destination gets: "the final result after all the clamping, normalizing, or format conversion logic" (Kaby
 * Lake manual, volume 7, post_zero).  Another sentence there says that conditions are taken before .sat; Mesa's authors
 * tested chips and found that they are taken after it (brw_fs_cmod_propagation.cpp).  ocloc relies on all of it: it
 * makes `add (eq) (sat) :f` of clamp(a + b, 0, 1) == 0, `mov (eq) :d :f` of (int)x == 0, `add (lt) :d :d :d` of (int)(a
 * + b) < 0 with unsigned a and b.  Overflow and NaN are inferred to be taken before .sat.
 */
static bool condition(const struct gen_work *k, unsigned i, bool is_float, uint64_t bits)
{
    const unsigned cmod = k->insn->cmod, to = GEN_IS(k->insn->op, HALF_RESULT) ? (unsigned)GEN_HF : k->insn->dst.type;
    if (cmod == GEN_C_O || cmod == GEN_C_U) return unsaturated_condition(k, i, is_float);
    return gen_type_is_float(to) ? gen_condition_float(cmod, gen_float_order(to, bits, 0))
                                 : gen_condition_int(cmod, gen_int_read(to, bits));
}

static void write_flags(struct gen_work *k, bool is_float)
{
    const struct gen_insn *insn = k->insn;
    uint32_t *f = &k->wave->words[GEN_W_F + (insn->flag_reg & 1)];
    bool compares = GEN_IS(insn->op, COMPARES);
    for (unsigned i = 0; i < k->n; i++) {
        if (!(k->write >> i & 1)) continue;
        bool answer = compares ? k->flags >> i & 1 : condition(k, i, is_float, result_bits(k, i, is_float));
        unsigned step = gen_channel_step(insn);
        for (unsigned j = 0; j < step; j++) {
            uint32_t bit = 1u << (gen_flag_bit(insn, i) + j);
            *f = answer ? *f | bit : *f & ~bit;
        }
    }
}

static void write_acc(
    struct gen_work *k, unsigned i, int64_t at, unsigned size, bool is_float, uint64_t bits, bool second)
{
    if (is_float || gen_type_is_float(k->insn->dst.type)) {
        gen_store(k->wave, GEN_ACC, at, size, bits);
        if (at >= 0 && at < 320) k->wave->words[GEN_W_ACC_SIZE + at / 32] = 0;
        return;
    }
    gen_wide v = second ? k->second[i] : k->out[i].i;
    if (GEN_IS(k->insn->op, COMPARES)) v = k->flags >> i & 1 ? -1 : 0;
    gen_acc_write(k->wave, at, size, second ? v : cut(k->insn, v));
}

static unsigned implicit_size(const struct gen_work *k, bool is_float)
{
    const unsigned dst = gen_type_size[k->insn->dst.type];
    return is_float || dst > k->size ? dst : k->size;
}

/* Is the accumulator a second destination? */
static bool writes_implicit(const struct gen_work *k)
{
    const struct gen_operand *d = &k->insn->dst;
    return k->insn->acc_wr_en && !(k->wave->words[GEN_W_CR0] & GEN_ACC_DISABLE) &&
           (d->mode == GEN_INDIRECT || d->file != GEN_ACC);
}

/* Finds the accumulators that the text does not name; false: their channels are not known. */
static bool find_acc(struct gen_work *k, const int64_t *at, bool is_float)
{
    const unsigned reads = gen_acc_read_size(k), writes = writes_implicit(k) ? implicit_size(k, is_float) : 0;
    k->acc = 0;
    return (!reads || gen_implicit_acc(k->insn, at, k->n, reads, &k->acc)) &&
           (!writes || gen_implicit_acc(k->insn, at, k->n, writes, &k->acc));
}

static bool reads_native(const struct gen_work *k)
{
    const unsigned implicit = gen_acc_read_size(k);
    if (!gen_of(k->wave)->has_native) return false;
    if (implicit && gen_acc_is_native(k->wave, k->acc, k->n * implicit)) return true;
    for (unsigned s = 0; s < k->insn->nsrc; s++) {
        const struct gen_operand *o = &k->insn->src[s];
        for (unsigned i = 0; o->mode == GEN_DIRECT && o->file == GEN_ACC && i < k->n; i++)
            if (gen_acc_is_native(k->wave, gen_element(k->wave, k->insn, (int)s, i), gen_type_size[o->type]))
                return true;
    }
    return false;
}

static void write_implicit(struct gen_work *k, unsigned i, bool is_float, uint64_t bits)
{
    const unsigned size = implicit_size(k, is_float);
    write_acc(k, i, k->acc + (int64_t)i * size, size, is_float, bits, GEN_IS(k->insn->op, WRITES_ACC));
}

static bool channel_enabled(const struct gen_insn *insn, unsigned i)
{
    if (!insn->align16 || !insn->dst.align16) return true;
    unsigned lane = gen_type_size[insn->dst.type] == 8 ? i % 2 * 2 : i % 4;
    return insn->dst.chan_en >> lane & 1;
}

/* The first channel without a register to write to, or -1; nothing has been changed yet. */
static int lane_outside(const struct gen_work *k, const int64_t *at)
{
    unsigned size = gen_type_size[k->insn->dst.type];
    for (unsigned i = 0; i < k->n; i++)
        if (k->write >> i & 1 && (at[i] < 0 || at[i] + size > gen_grf_bytes(k->wave))) return (int)i;
    return -1;
}

/* idiv: the remainder goes to the register after the quotient's. */
static void write_remainder(const struct gen_work *k, unsigned i, int64_t at)
{
    unsigned registers = (k->n * 4 + 31) / 32;
    gen_store(k->wave, GEN_GRF, at + 32 * (int64_t)registers, 4, (uint64_t)k->second[i]);
}

static void write_results(struct gen_work *k, const int64_t *at, bool is_float)
{
    const struct gen_insn *insn = k->insn;
    const struct gen_operand *d = &insn->dst;
    unsigned size = gen_type_size[d->type], file = d->mode == GEN_INDIRECT ? (unsigned)GEN_GRF : d->file;
    bool implicit = writes_implicit(k);
    bool pairs = GEN_IS(insn->op, PAIRS);
    for (unsigned i = 0; i < k->n; i++) {
        if (!(k->write >> i & 1) || (pairs && i & 1)) continue;
        uint64_t bits = result_bits(k, i, is_float);
        if (implicit) write_implicit(k, i, is_float, bits);
        if (file == GEN_ACC)
            write_acc(k, i, at[i], size, is_float, bits, false);
        else
            gen_store(k->wave, file, at[i], size, bits);
        if (insn->shape == GEN_MATH && insn->func == GEN_MATH_IDIV && file == GEN_GRF) write_remainder(k, i, at[i]);
    }
}

/* ---- One instruction ---- */

/* Does the operation flush denormals in its sources?  A move does if it changes or tests a float. */
static bool flushes(const struct gen_insn *insn)
{
    if (GEN_IS(insn->op, MOVE)) return insn->dst.type == insn->src[0].type && (!gen_is_plain(insn, 0) || insn->cmod);
    return !GEN_IS(insn->op, RAW);
}

/* The source of f16to32 is half floats in words. */
static void read_sources(struct gen_work *k)
{
    const struct gen_insn *insn = k->insn;
    struct gen_insn half;
    if (GEN_IS(insn->op, HALF_SOURCE)) {
        half = *insn;
        half.src[0].type = GEN_HF;
        gen_read_source(k->wave, &half, 0, k->type, false, k->n, k->src[0]);
        return;
    }
    for (unsigned n = 0; n < insn->nsrc; n++)
        gen_read_source(k->wave, insn, n, k->type, flushes(insn), k->n, k->src[n]);
}

static bool reads_time(const struct gen_insn *insn)
{
    bool reads = false;
    for (unsigned i = 0; i < insn->nsrc; i++) reads |= insn->src[i].mode == GEN_DIRECT && insn->src[i].file == GEN_TM0;
    return reads;
}

static const struct gen_step *jump_to_ip(struct gpudbg_wave *w, const struct gen_step *op)
{
    uint32_t to = w->words[GEN_W_IP] & ~7u;
    gen_sync(w, op);
    gen_flow_send(w, w->words[GEN_W_ACTIVE], to);
    gen_flow_settle(w);
    return gen_go(w);
}

/* A shift has 64 bits if src0 or dst has, whatever src1 has: inferred of compiled code of Gen9. */
static unsigned shift_size(const struct gen_insn *insn)
{
    const unsigned size = gen_exec_size(insn);
    if (gen_type_size[insn->src[0].type] == 8 || gen_type_size[insn->dst.type] == 8) return 8;
    return size > 4 ? 4 : size;
}

/* Why the operation has no result, in words behind its name. */
static const char *lacks(const struct gen_insn *insn)
{
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (!gen_takes_type(insn->op, insn->src[n].type))
            return gen_takes[insn->op] == GEN_INTEGERS
                       ? "the manual allows integers alone, and does not say what it does with floats"
                       : "the manual allows floats alone, and does not say what it does with integers";
    return GEN_IS(insn->op, MACRO)      ? "a step of a macro that has ended: the bits of its accumulators are not known"
           : GEN_IS(insn->op, SCATTERS) ? "implemented for a source of one element and a constant mask"
                                        : "not implemented with these types";
}

/* Can the channels that src1 names get what src0 has? */
static bool scatters(const struct gen_insn *insn)
{
    const struct gen_operand *o = &insn->src[0];
    const bool one = o->mode == GEN_IMMEDIATE || (!o->vstride && o->width == 1 && !o->hstride);
    return one && insn->src[1].mode == GEN_IMMEDIATE && !insn->align16;
}

const struct gen_step *gen_alu(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_insn *insn = op->insn;
    struct gen_work k; /* large, so not cleared: elements are written before they are read */
    int64_t at[GEN_CHANNELS];
    k.wave = w;
    k.insn = insn;
    k.fp = gen_fp_of(w);
    k.type = gen_exec_type(insn);
    k.size = GEN_IS(insn->op, SHIFTS) ? shift_size(insn) : gen_exec_size(insn);
    k.n = gen_channels(insn);
    k.flags = 0;
    for (unsigned n = 0; n < 3; n++) /* operations on groups of four channels read zeros for missing channels */
        memset(k.src[n] + k.n, 0, k.n < 4 ? (4 - k.n) * sizeof *k.src[n] : 0);
    if (insn->nsrc < 2) memset(k.src[1], 0, k.n * sizeof *k.src[1]);
    if (reads_time(insn) && !gen_of(w)->counted) {
        gen_sync(w, op);
        return gen_stop(w, GEN_COUNT_FIRST);
    }
    k.pass = gen_pass_mask(w, insn);
    k.write = gen_mask(w, insn);
    if (!GEN_IS(insn->op, BY_FLAG)) k.write &= k.pass;
    for (unsigned i = 0; i < k.n; i++)
        if (!channel_enabled(insn, i)) k.write &= ~(1u << i);
    if (GEN_IS(insn->op, SCATTERS)) k.write &= (uint32_t)insn->src[1].imm;
    if (GEN_IS(insn->op, MACRO) && !k.write) return gen_next(op); /* the macros of all these channels have ended */
    bool grf = insn->dst.mode == GEN_INDIRECT || insn->dst.file == GEN_GRF;
    for (unsigned i = 0; i < k.n; i++) at[i] = gen_element(w, insn, -1, i);
    int outside = grf ? lane_outside(&k, at) : -1;
    if (outside >= 0)
        return GEN_FAULT(w, op, outside, "writes byte %lld of the registers, which have %u", (long long)at[outside],
            gen_grf_bytes(w));
    bool is_float = k.type != GEN_D && !GEN_IS(insn->op, HALF_RESULT);
    if (!find_acc(&k, at, is_float))
        return GEN_FAULT(w, op, -1,
            "%s: the channels of the accumulator are the destination's, and it has none for this destination (byte %u, "
            "%u channels, %s)",
            insn->row->name, (unsigned)at[0] & 31, k.n, gen_type_name[insn->dst.type]);
    if (reads_native(&k))
        return GEN_FAULT(
            w, op, -1, "%s: the accumulator holds native floats (nf), and is read as another type", insn->row->name);
    read_sources(&k);
    if ((GEN_IS(insn->op, SCATTERS) && !scatters(insn)) || !gen_compute(&k))
        return GEN_FAULT(w, op, -1, "%s: %s", insn->row->name, lacks(insn));
    bool sets_flags = insn->cmod && !GEN_IS(insn->op, CHOOSES);
    uint32_t before[4];
    memcpy(before, w->words + GEN_W_CR0, sizeof before);
    if (insn->shape == GEN_MATH && insn->func >= GEN_MATH_INVM) { /* all channels finish early: the result needs no
                                                                     refinement */
        k.flags = UINT32_MAX;
        for (unsigned i = 0; i < k.n; i++)
            w->words[GEN_W_F + (insn->flag_reg & 1)] |= (k.write >> i & 1) << gen_flag_bit(insn, i);
    }
    write_results(&k, at, is_float);
    if (sets_flags) write_flags(&k, is_float);
    if (insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_IP && k.write) return jump_to_ip(w, op);
    if (insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_CR0) {
        const struct gen_step *to = gen_control_written(w, op, before);
        if (to) return to;
    }
    return gen_next(op);
}
