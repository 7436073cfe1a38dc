/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_exec.c: masks and predicates, the generic execution of an instruction, and the run loop. */
#include "engine/gen_exec.h"
#include "alu/gen_alu.h"
#include "engine/gate.h"
#include "launch/gen_launch.h"

#define SLICE 65536u /* instructions between checks of machine->interrupt */

/* Returned by a handler that needs the number of instructions executed by the thread: it is called again at once. */
#define GEN_COUNT_FIRST ((enum gpudbg_ran)64)

/* ---- Masks ---- */

static uint32_t ones(unsigned n) { return n >= 32 ? UINT32_MAX : (1u << n) - 1; }

uint32_t gen_mask(const struct gpudbg_wave *w, const struct gen_insn *insn)
{
    unsigned n = gen_channels(insn), step = gen_channel_step(insn);
    if (insn->no_mask) return ones(n);
    uint32_t active = w->words[GEN_W_ACTIVE], mask = 0;
    if (step == 1) return (insn->chan_off < 32 ? active >> insn->chan_off : 0) & ones(n);
    for (unsigned i = 0; i < n; i++)
        mask |= (insn->chan_off + step * i < 32 ? active >> (insn->chan_off + step * i) & 1 : 0) << i;
    return mask;
}

uint32_t gen_pass_mask(const struct gpudbg_wave *w, const struct gen_insn *insn)
{
    if (!insn->pred) return ones(gen_channels(insn));
    struct gen_gate gate;
    const bool simple = gen_channels(insn) == insn->exec_size && gen_gate_make(insn, &gate);
    uint32_t pass = simple ? gen_gate_passes(&gate, w) : gen_predicate(insn, w->words + GEN_W_F);
    /* Single program flow: channel 0 decides. */
    if (w->words[GEN_W_CR0] & GEN_SPF && insn->shape >= GEN_JUMP) return pass & 1 ? ones(gen_channels(insn)) : 0;
    return pass;
}

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
        if (k->write >> i & 1 && (at[i] < 0 || at[i] + size > GEN_GRF_BYTES)) return (int)i;
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

const struct gen_step *gen_alu(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_insn *insn = op->insn;
    struct gen_work k; /* large, so not cleared: elements are written before they are read */
    int64_t at[GEN_CHANNELS];
    k.wave = w;
    k.insn = insn;
    k.fp = gen_fp_of(w);
    k.type = gen_exec_type(insn);
    k.size = gen_exec_size(insn);
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
    bool grf = insn->dst.mode == GEN_INDIRECT || insn->dst.file == GEN_GRF;
    for (unsigned i = 0; i < k.n; i++) at[i] = gen_element(w, insn, -1, i);
    int outside = grf ? lane_outside(&k, at) : -1;
    if (outside >= 0)
        return GEN_FAULT(
            w, op, outside, "writes byte %lld of the registers, which have %u", (long long)at[outside], GEN_GRF_BYTES);
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
    if (!gen_compute(&k)) return GEN_FAULT(w, op, -1, "%s: not implemented with these types", insn->row->name);
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

uint32_t gen_ip(const struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen *g = gen_of(w);
    return (uint32_t)(gen_pc(g, op) - g->base);
}

/* ---- Running ---- */

void gen_find_join(struct gpudbg_wave *w)
{
    struct gen *g = gen_of(w);
    g->join = w->words[GEN_W_JOIN] == GEN_NOWHERE ? NULL : gen_op_inside(g, g->base + w->words[GEN_W_JOIN]);
}

/* Executes up to n instructions from *op on; returns the number executed.  *op is NULL if a handler left the loop. */
static uint64_t run_ops(struct gpudbg_wave *w, const struct gen_step **op, uint64_t n)
{
    struct gen *g = gen_of(w);
    const struct gen_step *next = *op;
    uint64_t left = n;
    do {
        next = next->fn(w, next);
        if (!next) {
            left -= g->ran != GPUDBG_RAN_FAULT && g->ran != GPUDBG_RAN_BREAK && g->ran != GEN_COUNT_FIRST;
            break;
        }
        if (next == g->join) next = gen_flow_join(w, next);
    } while (--left);
    *op = next;
    return n - left;
}

static enum gpudbg_ran run_slices(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    struct gen *g = gen_of(w);
    const struct gen_step *op = gen_op_at(g, w->pc);
    uint64_t left = limit;
    g->counted = false;
    gen_find_join(w);
    while (left) {
        uint64_t done, slice = g->counted ? 1 : left < SLICE ? left : SLICE;
        if (over && op->fn != gen_real_fn(g, op)) {
            op = gen_real_fn(g, op)(w, op);
            done = op || (g->ran != GPUDBG_RAN_FAULT && g->ran != GEN_COUNT_FIRST);
            if (op && op == g->join) op = gen_flow_join(w, op);
        } else {
            done = run_ops(w, &op, slice);
        }
        left -= done;
        w->executed += done;
        if (!op && g->ran == GEN_COUNT_FIRST) {
            op = gen_op_at(g, w->pc);
            g->counted = true;
            continue;
        }
        over = g->counted = false;
        if (!op) return g->ran;
        if (w->machine->interrupt) break;
    }
    w->pc = gen_pc(g, op);
    return GPUDBG_RAN_LIMIT;
}

static enum gpudbg_ran run(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    uint64_t before = w->executed;
    enum gpudbg_ran ran = run_slices(w, limit, over);
    bool left = ran != GPUDBG_RAN_LIMIT && ran != GPUDBG_RAN_FAULT &&
                ran != GPUDBG_RAN_BREAK; /* the loop has not looked for a join there */
    if (left && w->executed != before && w->state != GPUDBG_ENDED &&
        w->words[GEN_W_JOIN] == (uint32_t)(w->pc - gen_of(w)->base))
        gen_flow_join(w, NULL);
    return ran;
}

/* ---- Registers, as core sees them ---- */

/* The place of a file's registers in the wave's words, and the dwords of one. */
static const struct {
    uint16_t word;
    uint8_t count, dwords;
} files[GEN_FILES] = {
    [GEN_GRF] = {GEN_W_GRF, 128, 8},
    [GEN_A0] = {GEN_W_A0, 1, 8},
    [GEN_ACC] = {GEN_W_ACC, 10, 8},
    [GEN_F] = {GEN_W_F, 2, 1},
    [GEN_CE] = {GEN_W_CE, 1, 1},
    [GEN_SP] = {GEN_W_SP, 1, 4},
    [GEN_SR0] = {GEN_W_SR0, 1, 4},
    [GEN_CR0] = {GEN_W_CR0, 1, 4},
    [GEN_N0] = {GEN_W_N0, 1, 3},
    [GEN_IP] = {GEN_W_IP, 1, 1},
    [GEN_TDR] = {GEN_W_TDR, 1, 4},
    [GEN_TM0] = {GEN_W_TM0, 1, 4},
    [GEN_FC] = {GEN_W_FC, 1, 4},
    [GEN_DBG] = {GEN_W_DBG, 1, 4},
};

static unsigned count(const struct gpudbg_machine *m, unsigned file)
{
    unsigned n = file < m->isa->nfiles ? m->isa->files[file].count : 0;
    return file < GEN_FILES && n > files[file].count ? files[file].count : n;
}

/* The present values of registers that are computed when an instruction reads them, and are not stored in the thread's
 * state. */
static uint32_t *shown(struct gpudbg_wave *w, unsigned file)
{
    struct gen *g = gen_of(w);
    g->shown[GEN_SHOWN_IP] = (uint32_t)(w->pc - g->base);
    g->shown[GEN_SHOWN_CE] = w->words[GEN_W_ACTIVE];
    g->shown[GEN_SHOWN_TM0] = (uint32_t)w->executed;
    g->shown[GEN_SHOWN_TM0 + 1] = (uint32_t)(w->executed >> 32);
    return g->shown + (file == GEN_IP ? GEN_SHOWN_IP : file == GEN_CE ? GEN_SHOWN_CE : GEN_SHOWN_TM0);
}

static uint32_t *reg(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    if (file >= GEN_FILES || !files[file].dwords || index >= count(w->machine, file)) return NULL;
    if (file == GEN_IP || file == GEN_CE || file == GEN_TM0) return shown(w, file);
    return w->words + files[file].word + index * files[file].dwords;
}

static void changed(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    (void)index;
    if (file == GEN_ACC) memset(w->words + GEN_W_ACC_HIGH, 0, (GEN_W_LIVE - GEN_W_ACC_HIGH) * 4);
    if (file == GEN_CE) gen_flow_enable(w, gen_of(w)->shown[GEN_SHOWN_CE]);
    if (file == GEN_IP) {
        gen_flow_send(w, w->words[GEN_W_ACTIVE], gen_of(w)->shown[GEN_SHOWN_IP] & ~7u);
        gen_flow_settle(w);
    }
}

static uint64_t active(const struct gpudbg_wave *w) { return w->words[GEN_W_ACTIVE]; }

static unsigned width(const struct gpudbg_machine *m) { return gen_launch_width(m); }

const struct gpudbg_runner gen_runner = {
    .launch = gen_launch,
    .start = gen_start,
    .run = run,
    .reg = reg,
    .count = count,
    .changed = changed,
    .active = active,
    .breakpoint = gen_breakpoint,
    .finish = gen_finish,
    .lanes = width,
    .holds = gen_holds,
    .printed = gen_printed,
    .recode = gen_recode,
    .actual = gen_actual,
};
