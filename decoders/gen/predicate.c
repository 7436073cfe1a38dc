/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * predicate.c: see predicate.h.  Codes: EU enumerations PredCtrl (align1) and PredCtrl (align16).  Groups for anyNh and
 * allNh are aligned groups of N flag bits; channels look at whole groups, also those outside the instruction.
 */
#include "predicate.h"

/* The flag bits as channels see them: bit c is channel c's.  Subregister 1 starts at bit 16, and its 16 bits serve both halves. */
static uint32_t by_channel(const struct gen_insn *x, uint32_t flag)
{
    return x->flag_sub ? (flag >> 16) * UINT32_C(0x10001) : flag;
}

/* In each aligned group of n bits: all ones if any (or all) are. */
static uint32_t over_groups(uint32_t bits, unsigned n, bool all)
{
    uint32_t group = n == 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1, result = 0;
    for (unsigned at = 0; at < 32; at += n) {
        uint32_t part = bits >> at & group;
        if (all ? part == group : part != 0) result |= group << at;
    }
    return result;
}

/* Each channel looks at one of its group of four. */
static uint32_t replicate(uint32_t bits, unsigned which)
{
    uint32_t result = 0;
    for (unsigned at = 0; at < 32; at += 4) result |= (bits >> (at + which) & 1) * UINT32_C(0xf) << at;
    return result;
}

uint32_t gen_predicate(const struct gen_insn *x, const uint32_t flags[2])
{
    static const uint8_t group[16] = {[4] = 2, [5] = 2, [6] = 4, [7] = 4, [8] = 8, [9] = 8, [10] = 16, [11] = 16, [12] = 32, [13] = 32};
    uint32_t own = by_channel(x, flags[x->flag_reg & 1]), other = by_channel(x, flags[1]), first = by_channel(x, flags[0]), bits = 0;
    if (x->pred == 0) return UINT32_MAX;
    if (x->pred == 1) bits = own;
    else if (x->align16 && x->pred <= 5) bits = replicate(own, x->pred - 2u);
    else if (x->align16 && x->pred > 7) return 0;
    else if (x->pred == 2) bits = first | other;
    else if (x->pred == 3) bits = first & other;
    else if (group[x->pred & 15]) bits = over_groups(own, group[x->pred & 15], x->pred & 1);
    else return 0;
    return x->pred_inv ? ~bits : bits;
}
