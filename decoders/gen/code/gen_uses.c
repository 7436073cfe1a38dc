/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_uses.c: registers and channels that instructions use, for live registers (gpudbg/uses.h).
 *
 * Core adds the elements of regions, with their channels.  This file adds flags (a byte holds the bits of eight
 * channels), accumulators that the text does not show, registers of messages whose channels the layout does not give,
 * and the blocks in which the machine masks channels.
 */
#include "code/footprint.h"
#include "code/gen_decoder.h"
#include "code/predicate.h"
#include "ops.h"

/* Uses of flag bits have lane numbers that regions do not have: numbers from 64 on, one for each eight channels. */
enum { FLAG_LANES = 64 };

static bool follows(unsigned file) { return file == GEN_GRF || file == GEN_A0 || file == GEN_ACC || file == GEN_F; }

static void use(struct gpudbg_uses *u, unsigned file, unsigned flags, unsigned lane, unsigned at, unsigned n)
{
    gpudbg_use_add(
        u, (struct gpudbg_use){
               .file = (uint8_t)file, .flags = (uint8_t)flags, .lane = (uint8_t)lane, .n = (uint16_t)n, .at = at});
}

/* ---- Flags ---- */

/* A predicate, or a condition's answers, one bit for each channel. */
static void use_flag(struct gpudbg_uses *u, const struct gen_insn *x, unsigned reg, unsigned flags, bool groups)
{
    const unsigned at = reg * 4, all = x->no_mask ? GPUDBG_USE_ALL : 0, n = gen_channels(x);
    if (groups) { /* any, all: channels look at others' bits */
        use(u, GEN_F, flags | GPUDBG_USE_ALL, 0, at, 4);
        return;
    }
    unsigned seen = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned bit = gen_flag_bit(x, i), byte = bit / 8, chan = x->chan_off + i * gen_channel_step(x);
        if (seen >> byte & 1) continue;
        seen |= 1u << byte;
        /* Some bits of the byte may belong to channels outside of the instruction. */
        const unsigned last = gen_flag_bit(x, n - 1);
        const bool whole = n >= 8 && bit % 8 == 0 && (last / 8 != byte || last % 8 == 7) && gen_channel_step(x) == 1;
        const bool part = flags == GPUDBG_USE_WRITE && (!whole || x->pred);
        use(u, GEN_F, flags | all | (part ? GPUDBG_USE_PART : 0), FLAG_LANES + chan / 8, at + byte, 1);
    }
}

static void use_flags(struct gpudbg_uses *u, const struct gen_insn *x)
{
    if (x->pred) {
        const bool joins = gen_joins_flags(x);
        use_flag(u, x, x->flag_reg, GPUDBG_USE_READ, x->pred > 1 && !joins);
        if (joins) use_flag(u, x, !x->flag_reg, GPUDBG_USE_READ, false);
    }
    if (!x->cmod || GEN_IS(x->op, CHOOSES)) return;
    use_flag(u, x, x->flag_reg, GPUDBG_USE_WRITE, false);
}

/* ---- Accumulators ---- */

/* Accumulators that the text does not show begin with acc0, whatever the first channel is. */
static void use_accumulators(struct gpudbg_uses *u, const struct gen_insn *x)
{
    const unsigned bytes = gen_register_bytes(x->eu, GEN_ACC);
    const bool reads = GEN_IS(x->op, READS_ACC);
    const bool wide = x->exec_size >= 8;
    const unsigned size = gen_element_size(x->eu, &x->src[0]) == 8 ? 8 : 4;
    if (reads)
        for (unsigned i = 0; i < x->exec_size && size * (i + 1) <= 2 * bytes; i++)
            use(u, GEN_ACC, GPUDBG_USE_READ | (x->no_mask || !wide ? GPUDBG_USE_ALL : 0), x->chan_off + i, size * i,
                size);
    if (x->acc_wr_en || GEN_IS(x->op, WRITES_ACC))
        use(u, GEN_ACC, GPUDBG_USE_WRITE | GPUDBG_USE_PART | GPUDBG_USE_ALL, 0, 0, 2 * bytes);
}

/* ---- Registers ---- */

static bool is_read(const struct gpudbg_use *use) { return use->flags & GPUDBG_USE_READ; }

/* Registers of a message that no element covers: the layout is not known, or they hold no values of channels. */
static void use_rest(struct gpudbg_uses *u, const struct gen_insn *x, const struct gen_operand *o, unsigned registers)
{
    bool covered[32 * 32] = {false};
    const unsigned first = o->reg * 32u, n = (registers < 32 ? registers : 32) * 32;
    if (o->mode != GEN_DIRECT || o->file != GEN_GRF) return;
    for (size_t i = 0; i < u->n; i++)
        for (unsigned k = 0; is_read(&u->use[i]) && u->use[i].file == GEN_GRF && k < u->use[i].n; k++)
            if (u->use[i].at + k >= first && u->use[i].at + k < first + n) covered[u->use[i].at + k - first] = true;
    for (unsigned i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && covered[end] == covered[i]; end++) continue;
        if (!covered[i] && first + end <= gen_registers(x->eu) * 32)
            use(u, GEN_GRF, GPUDBG_USE_READ | GPUDBG_USE_ALL, 0, first + i, end - i);
    }
}

static void use_message(struct gpudbg_uses *u, const struct gen_insn *x)
{
    unsigned sent = 0, more = 0, back = 0;
    if (!gen_message_lengths(x, &sent, &more, &back)) {
        use(u, GEN_GRF, GPUDBG_USE_READ | GPUDBG_USE_ALL | GPUDBG_USE_MAYBE, 0, 0, GPUDBG_USE_FILE);
        use_rest(u, x, &x->src[0], 1);
        return;
    }
    use_rest(u, x, &x->src[0], sent);
    if (gen_is_split(x)) use_rest(u, x, &x->src[1], more);
}

/* Samplers use the coordinates of all four pixels of a quad. */
static bool crosses_channels(const struct gen_insn *x)
{
    const char *name = x->shape == GEN_SEND ? gen_sfid_name(x->eu, x->sfid) : NULL;
    return name && strcmp(name, "smpl") == 0;
}

/* Whether parts of the destination may keep their values: channels without the predicate, registers that a message does
 * not return. */
static bool leaves_parts(const struct gen_insn *x)
{
    return (x->pred && !GEN_IS(x->op, BY_FLAG)) || x->shape == GEN_SEND || x->dst.mode == GEN_INDIRECT ||
           GEN_IS(x->op, PAIRS) || x->op == GEN_OP_movi;
}

/* A message without a predicate returns whole elements of channels. */
static bool fills(const struct gen_insn *x, const struct gpudbg_use *use)
{
    return x->shape == GEN_SEND && !x->pred && !(use->flags & GPUDBG_USE_ALL) && !crosses_channels(x);
}

static void settle(struct gpudbg_uses *u, const struct gpudbg_insn *insn, const struct gen_insn *x)
{
    bool alike = false;
    for (unsigned i = 0; i < insn->noperands; i++) alike = alike || insn->operands[i].flags & GPUDBG_NO_MATTER;
    size_t n = 0;
    for (size_t i = 0; i < u->n; i++) {
        struct gpudbg_use one = u->use[i];
        if (alike && is_read(&one) && one.file == GEN_GRF) continue; /* x == x */
        if (one.flags & GPUDBG_USE_WRITE && leaves_parts(x) && !fills(x, &one)) one.flags |= GPUDBG_USE_PART;
        if (is_read(&one) && crosses_channels(x)) one.flags |= GPUDBG_USE_ALL;
        u->use[n++] = one;
    }
    u->n = n;
}

/* ---- Masks ---- */

static unsigned nest_of(const struct gen_insn *x)
{
    switch (x->op) {
    case GEN_OP_if: return GPUDBG_NEST_OPEN;
    case GEN_OP_else: return GPUDBG_NEST_ELSE;
    case GEN_OP_endif: return GPUDBG_NEST_CLOSE;
    case GEN_OP_while: return GPUDBG_NEST_AGAIN;
    case GEN_OP_break:
    case GEN_OP_cont:
    case GEN_OP_halt:
    case GEN_OP_goto:
    case GEN_OP_brc:
    case GEN_OP_brd:
    case GEN_OP_call:
    case GEN_OP_calla:
    case GEN_OP_ret: return GPUDBG_NEST_LESS;
    case GEN_OP_join: return GPUDBG_NEST_JOIN;
    default: return GPUDBG_NEST_NONE;
    }
}

static void uses(const struct gpudbg_insn *insn, struct gpudbg_uses *u)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    settle(u, insn, &x);
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].flags & GPUDBG_IMPLICIT && insn->operands[i].file == GEN_A0)
            use(u, GEN_A0, GPUDBG_USE_READ | GPUDBG_USE_ALL, 0, 0, gen_register_bytes(x.eu, GEN_A0));
    use_flags(u, &x);
    use_accumulators(u, &x);
    if (x.shape == GEN_SEND) use_message(u, &x);
    u->nest = (uint8_t)nest_of(&x);
}

const struct gpudbg_using gen_uses = {
    .follows = follows,
    .uses = uses,
};
