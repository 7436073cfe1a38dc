/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_nexts.c: where control goes after an instruction (gpudbg_isa.nexts). */
#include "code/gen_decoder.h"
#include "ops.h"

static bool is_branch(unsigned shape)
{
    return shape == GEN_JUMP || shape == GEN_JIP || shape == GEN_BRANCH || shape == GEN_CALL || shape == GEN_RET;
}

/* A branch takes the thread to the next instruction, to JIP, and with .b to UIP.  Channels that wait at UIP do not move
 * the thread there.  goto.b without a predicate takes all channels that run to UIP: the back edge of a loop. */
void gen_nexts(const struct gpudbg_insn *insn, struct gpudbg_nexts *to)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    const bool back = x.op == GEN_OP_goto && x.branch_ctrl && !x.pred && x.uip_is_imm;
    const bool always = back || (GEN_IS(x.op, THREAD) && !x.pred), ends = x.shape == GEN_SEND && x.eot;
    to->call = x.shape == GEN_CALL;
    to->returns = x.shape == GEN_RET;
    if (is_branch(x.shape) && x.jip_is_imm && !back) to->to[to->n++] = x.jip_target;
    if (is_branch(x.shape) && x.uip_is_imm && (x.branch_ctrl || x.op == GEN_OP_brc)) to->to[to->n++] = x.uip_target;
    to->unknown = is_branch(x.shape) && !to->n && !to->returns;
    if (!always && !ends && !to->returns) to->to[to->n++] = insn->addr + insn->size;
}
