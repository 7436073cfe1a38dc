/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/spins.h"
#include "code/walk.h"
#include "gpudbg/flow.h"

#define INSNS_MOST 128 /* of a loop */

/* Whether both name a register. */
static bool overlap(const struct gpudbg_operand *a, const struct gpudbg_operand *b)
{
    const unsigned na = a->count ? a->count : 1u, nb = b->count ? b->count : 1u;
    return a->file == b->file && a->reg < b->reg + nb && b->reg < a->reg + na;
}

/* Whether the instruction writes a register that the load reads. */
static bool moves(const struct gpudbg_insn *insn, const struct gpudbg_insn *load)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *to = &insn->operands[i];
        if (to->kind != GPUDBG_REGISTER || !(to->flags & GPUDBG_WRITE)) continue;
        for (unsigned k = 0; k < load->noperands; k++) {
            const struct gpudbg_operand *from = &load->operands[k];
            if (from->kind == GPUDBG_REGISTER && from->flags & GPUDBG_READ && !(from->flags & GPUDBG_IMPLICIT) &&
                overlap(to, from))
                return true;
        }
    }
    return false;
}

bool spins(const struct gpudbg_image *image, uint64_t pc, bool (*shares)(void *with, uint64_t pc), void *with)
{
    const uint64_t ends = GPUDBG_OP_END | GPUDBG_OP_BARRIER | GPUDBG_OP_CALL | GPUDBG_OP_RETURN;
    uint64_t list[INSNS_MOST];
    unsigned n = 0, at = 0;
    struct gpudbg_insn load, insn;
    struct gpudbg_nexts next;
    if (!insn_at(image, pc, &load) || moves(&load, &load)) return false;
    list[n++] = pc;
    for (; at < n; at++) {
        if (!insn_at(image, list[at], &insn)) continue;
        const uint64_t does = gpudbg_insn_does(&insn);
        if (at && (does & ends || moves(&insn, &load) || (does & GPUDBG_OP_STORE && shares(with, list[at])))) continue;
        gpudbg_insn_nexts(&insn, &next);
        for (unsigned i = 0; i < next.n; i++) {
            if (next.to[i] == pc) return true;
            unsigned k = 0;
            while (k < n && list[k] != next.to[i]) k++;
            if (k == n && n < INSNS_MOST) list[n++] = next.to[i];
        }
    }
    return false;
}
