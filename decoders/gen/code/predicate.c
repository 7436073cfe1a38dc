/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * predicate.c: see predicate.h.  Codes: EU enumerations PredCtrl (align1) and PredCtrl (align16).  Groups for anyNh and
 * allNh are aligned groups of N flag bits; channels use whole groups, also the bits of channels outside the
 * instruction.
 */
#include "code/predicate.h"

enum { MOST = 32 };

bool gen_halves_channels(const struct gen_insn *insn)
{
    if (!insn->eu->paired_doubles || insn->shape == GEN_SEND) return false;
    bool doubles = insn->dst.type == GEN_DF && insn->dst.mode != GEN_ABSENT;
    for (unsigned i = 0; i < insn->nsrc; i++) doubles |= insn->src[i].type == GEN_DF;
    return doubles;
}

unsigned gen_channels(const struct gen_insn *insn)
{
    unsigned n = insn->exec_size > MOST ? MOST : insn->exec_size;
    return gen_halves_channels(insn) && n > 1 ? n / 2 : n;
}

unsigned gen_channel_step(const struct gen_insn *insn)
{
    return gen_channels(insn) < insn->exec_size && insn->exec_size <= MOST ? 2 : 1;
}

unsigned gen_flag_bit(const struct gen_insn *insn, unsigned i)
{
    unsigned at = insn->chan_off + i * gen_channel_step(insn);
    if (gen_whole_flag(insn)) return at & 31;
    return insn->flag_sub * 16 + (at & 15);
}

static uint32_t ones(unsigned n) { return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1; }

/* Whether any, or all, bits of the aligned group of flag bits around `bit` are set. */
static bool any_or_all(uint32_t flag, unsigned bit, unsigned group, bool all)
{
    uint32_t bits = (group == 32 ? flag : flag >> (bit & ~(group - 1))) & ones(group);
    return all ? bits == ones(group) : bits != 0;
}

static bool passes(const struct gen_insn *insn, const uint32_t f[2], unsigned i)
{
    uint32_t flag = f[insn->flag_reg & 1];
    unsigned bit = gen_flag_bit(insn, i);
    if (insn->pred == 1) return flag >> bit & 1;
    if (insn->pred > (insn->align16 ? 7 : 13)) return false; /* reserved */
    if (insn->align16) {
        if (insn->pred <= 5) return flag >> gen_flag_bit(insn, (i & ~3u) + insn->pred - 2) & 1;
        return any_or_all(flag, bit, 4, insn->pred & 1);
    }
    if (gen_joins_flags(insn)) return (insn->pred == 2 ? f[0] | f[1] : f[0] & f[1]) >> bit & 1;
    return any_or_all(flag, bit, 2u << (insn->pred / 2 - 2), insn->pred & 1);
}

uint32_t gen_predicate(const struct gen_insn *insn, const uint32_t flags[2])
{
    unsigned n = gen_channels(insn);
    uint32_t pass = 0;
    if (!insn->pred) return ones(n);
    for (unsigned i = 0; i < n; i++) pass |= (uint32_t)(passes(insn, flags, i) != insn->pred_inv) << i;
    return pass;
}
