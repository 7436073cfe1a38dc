/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_families.c: which function executes an instruction. */
#include "alu/gen_alu.h"
#include "alu/regions.h"
#include "message/message_run.h"
#include "message/quick.h"
#include "ops.h"

static const struct gen_step *nop(struct gpudbg_wave *w, const struct gen_step *op)
{
    (void)w;
    return gen_next(op);
}

static const struct gen_step *bad_operand(struct gpudbg_wave *w, const struct gen_step *op)
{
    return GEN_FAULT(w, op, -1, "%s: a reserved size, type or register", op->insn->row->name);
}

static const struct gen_step *bad_bf(struct gpudbg_wave *w, const struct gen_step *op)
{
    return GEN_FAULT(w, op, -1, "%s has no operands of type bf, or not beside other types than f", op->insn->row->name);
}

static bool has_bf(const struct gen_insn *insn)
{
    bool found = insn->dst.mode != GEN_ABSENT && insn->dst.type == GEN_BF;
    for (unsigned i = 0; i < insn->nsrc; i++) found |= insn->src[i].type == GEN_BF;
    return found;
}

/* A bf stands beside bf and f, of which it is computed as, and in these operations alone (Intel's compiler,
 * documentation of vISA: their type maps).  Inferred: it is rounded as cr0.0 says. */
static bool takes_bf(const struct gen_insn *insn)
{
    const unsigned op = insn->op, d = insn->dst.type;
    bool good = insn->dst.mode == GEN_ABSENT || d == GEN_BF || d == GEN_F32;
    for (unsigned i = 0; i < insn->nsrc; i++) good &= insn->src[i].type == GEN_BF || insn->src[i].type == GEN_F32;
    return good && (op == GEN_OP_mov || op == GEN_OP_add || op == GEN_OP_mul || op == GEN_OP_mad || op == GEN_OP_cmp ||
                       op == GEN_OP_sel);
}

static bool operand_fits(const struct gen_operand *o)
{
    return o->mode == GEN_ABSENT || (o->type != GEN_BADTYPE && o->type < GEN_TYPES && o->type != 8 &&
                                        (o->mode != GEN_DIRECT || o->file < GEN_NOFILE));
}

static gen_fn *handler(const struct gen_insn *insn)
{
    bool fits = insn->exec_size <= GEN_CHANNELS;
    if (insn->shape == GEN_NONE) return GEN_IS(insn->op, ILLEGAL) ? gen_illegal : nop;
    if (insn->shape == GEN_SEND) return fits ? gen_send : bad_operand;
    if (insn->shape == GEN_SYNC) return gen_sync_op;
    if (insn->shape == GEN_WAIT) return gen_wait;
    if (insn->shape >= GEN_JUMP) return gen_flow;
    if (insn->shape == GEN_DPAS)
        return !fits ? bad_operand : GEN_IS(insn->op, FUSED) ? gen_systolic_pair : gen_systolic;
    if (has_bf(insn) && !takes_bf(insn)) return bad_bf;
    fits &= operand_fits(&insn->dst);
    for (unsigned i = 0; i < insn->nsrc; i++) fits &= operand_fits(&insn->src[i]);
    return !fits ? bad_operand : gen_uses_native(insn) ? gen_native_mad : gen_alu;
}

static gen_fn *made_handler(const struct gen_step *op)
{
    gen_fn *usual = handler(op->insn);
    if (op->insn->breakpoint) return gen_debug_break;
    if (usual == gen_send && op->quick) return gen_quick_handler(op->quick);
    return usual == gen_alu && op->fast ? gen_fast_handler(op->fast) : usual;
}

static void free_prepared(const struct gen_step *op)
{
    if (op->insn && op->insn->shape == GEN_SEND)
        gen_quick_free(op->quick);
    else
        gen_fast_free(op->fast);
}

static gen_fn *prepare(struct gen *g, struct gen_step *op)
{
    const struct gen_insn *insn = op->insn;
    g->has_native |= gen_uses_native(insn);
    gen_fn *usual = handler(insn);
    if (usual == gen_alu && g->paths != GEN_GENERIC_PATH && !insn->breakpoint && !has_bf(insn))
        op->fast = gen_fast_new(g, insn);
    if (usual == gen_send && g->paths == GEN_ALL_PATHS && !insn->breakpoint) op->quick = gen_quick_new(g, insn);
    return made_handler(op);
}

const struct gen_families gen_families = {.handler = handler, .prepare = prepare, .free = free_prepared};
