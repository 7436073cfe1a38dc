/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_actual.c: runner->actual: which registers an element of an indexed temporary is now.  Where lanes pick different
 * elements, the operand is the whole array, in all lanes: whoever asks tries out which of it counts.  What a copy is
 * stored to is read, too: the components and elements that it does not store stay as they were.
 */
#include "run/il_run.h"

/* The array that a place is in: its first register is number *before of the file. */
static const struct il_range *array_of(const struct il *r, const struct il_location *p, uint32_t *before)
{
    *before = 0;
    for (uint32_t i = 0; i < r->nranges; i++) {
        const struct il_range *range = &r->range[i];
        if (range->scope || range->type != IL_REG_ITEMP) continue;
        if (p->slot >= range->slot && p->slot - range->slot < range->count) return range;
        *before += range->count;
    }
    return NULL;
}

/* Whether finding the index touches nothing but registers. */
static bool plain_index(const struct il_location *p)
{
    const struct il_source *by = p->index[0].by;
    return !by || by->at.slot != IL_NO_SLOT || by->at.constant;
}

/* The element that all lanes which run pick; -1: they differ, or it is not there. */
static int64_t element_of(struct gpudbg_wave *w, struct il *r, const struct il_location *p)
{
    int64_t at[IL_LANES], first = -1;
    unsigned l;
    il_index_rows(w, r, p, 0, at);
    IL_EACH_LANE(l, il_exec(w))
    {
        if (first < 0) first = at[l];
        if (at[l] != first) return -1;
    }
    return first < p->slots ? first : -1;
}

static bool resolve(
    struct gpudbg_wave *w, struct il *r, const struct il_location *p, bool written, struct gpudbg_operand *o)
{
    uint32_t before;
    if (p->type != IL_REG_ITEMP || p->slot == IL_NO_SLOT || p->scope) return false;
    const struct il_range *range = array_of(r, p, &before);
    if (!range || (before + range->count) * 4 > UINT16_MAX || !o->count) return false;
    int64_t element = p->slot - range->slot;
    if (p->relative) element = plain_index(p) ? element_of(w, r, p) : -1;
    o->kind = GPUDBG_REGISTER;
    if (element < 0) {
        o->reg = (uint16_t)(before * 4);
        o->count = (uint16_t)(range->count * 4);
        if (!written) o->flags |= GPUDBG_ALL_LANES;
    } else if (written) { /* its mask may have holes */
        o->reg = (uint16_t)((before + (uint32_t)element) * 4);
        o->count = 4;
    } else {
        o->reg = (uint16_t)((before + (uint32_t)element) * 4 + o->reg % 4);
    }
    return true;
}

const struct gpudbg_insn *il_actual(struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct gpudbg_insn *own)
{
    struct il *r = il_of(w);
    const uint32_t at = il_op_at(r, w->pc);
    const struct gpudbg_insn *result = insn;
    if (at == IL_NO_OP) return insn;
    const struct il_exec_op *op = &r->op[at];
    for (unsigned i = 0; i < insn->noperands && i < (unsigned)op->ndst + op->nsrc; i++) {
        const struct il_location *p = i < op->ndst ? &op->dst[i].at : &op->src[i - op->ndst].at;
        struct gpudbg_operand o = insn->operands[i];
        if (o.kind != GPUDBG_SPECIAL || !resolve(w, r, p, i < op->ndst, &o)) continue;
        if (i < op->ndst && insn->op->flags & GPUDBG_OP_COPY) o.flags |= GPUDBG_READ;
        if (result == insn) *own = *insn;
        own->operands[i] = o;
        result = own;
    }
    return result;
}
