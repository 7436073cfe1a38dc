/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_unwind.c: finds a function's epilogue.  LLVM returns by s_setpc_b64; before it come the instructions that restore
 * the values that the prologue saved: lanes of VGPRs (v_readlane_b32), dwords of scratch (buffer_load_dword), the
 * stack's and the frame's register (s32, s33), with EXEC opened around them.  Similar instructions before them, in the
 * function's body, do no harm: they, too, change only registers that the caller does not expect to be kept.
 */
#include "engine/setup.h"

#include "gcn.h"
#include "gcn_ops.h"

#define FAR 128 /* instructions before the return */

static bool brings_back(const struct gpudbg_insn *insn)
{
    switch (insn->op->id) {
    case GCN_v_readlane_b32:
    case GCN_s_mov_b32:
    case GCN_s_mov_b64:
    case GCN_s_add_i32:
    case GCN_s_sub_i32:
    case GCN_s_add_u32:
    case GCN_s_sub_u32:
    case GCN_s_addk_i32:
    case GCN_s_or_saveexec_b64:
    case GCN_s_xor_saveexec_b64:
    case GCN_buffer_load_dword:
    case GCN_s_nop:
    case GCN_s_waitcnt: return true;
    default: return false;
    }
}

bool gcn_epilogue(const struct gpudbg_image *image, uint64_t pc, uint64_t from, uint64_t to, uint64_t ready,
    uint64_t *start, uint64_t *last)
{
    size_t n = 0;
    const uint8_t *bytes = gpudbg_image_bytes(image, from, &n);
    struct gpudbg_insn insn;
    uint64_t begins = UINT64_MAX; /* start of the latest run of such instructions */
    unsigned length = 0;
    bool found = false;
    if (!bytes || to - from > n) return false;
    for (uint64_t at = from; at < to; at += insn.size) {
        if (!gpudbg_insn_at(image->isa, bytes + (at - from), (size_t)(to - at), at, &insn)) {
            length = 0;
            continue;
        }
        if (insn.op->id == GCN_s_setpc_b64) {
            *start = length ? begins : at;
            *last = at;
            found = true;
            if (at >= pc) break; /* the first one from here on */
            length = 0;
        } else if (!brings_back(&insn)) {
            length = 0;
        } else if (!length++ || length > FAR) {
            begins = at;
            length = 1;
        }
    }
    if (!found) return false;
    if (pc == from) *start = *last; /* nothing was saved yet */
    return pc == from || pc >= ready;
}
