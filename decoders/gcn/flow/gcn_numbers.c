/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_numbers.c: what instructions take their registers for (gpudbg_isa.numbers): the types of the operands in ops.def,
 * and which operations hand on what they move.
 */
#include <string.h>
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* Operations whose result has the bits of one of their sources. */
static bool moves(const struct gpudbg_insn *insn)
{
    static const uint16_t more[] = {GCN_s_cmov_b32, GCN_s_cmov_b64, GCN_s_mov_b32, GCN_s_mov_b64, GCN_s_cselect_b32,
        GCN_s_cselect_b64, GCN_v_cndmask_b32, GCN_ds_swizzle_b32};
    if (insn->op->flags & GPUDBG_OP_COPY && !(insn->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))) return true;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (insn->op->id == more[i]) return true;
    return false;
}

/* Older chips call additions signed that are of any sign. */
static bool of_any_sign(const struct gpudbg_insn *insn)
{
    const size_t n = strlen(insn->op->name);
    return n > 4 && strcmp(insn->op->name + n - 4, "_i32") == 0;
}

static void number_of(const struct gpudbg_insn *insn, const struct gpudbg_operand *o, struct gpudbg_number *n)
{
    n->kind = GPUDBG_IS_BITS;
    n->bits = 32;
    switch (o->type) {
    case GCN_F16: n->bits = 16; /* fall through */
    case GCN_F32: n->kind = GPUDBG_IS_FLOAT; break;
    case GCN_F64:
        n->kind = GPUDBG_IS_FLOAT;
        n->bits = 64;
        break;
    case GCN_I8:
    case GCN_I16:
    case GCN_I24:
    case GCN_I32: n->kind = GPUDBG_IS_SIGNED; break;
    case GCN_U8:
    case GCN_U16:
    case GCN_U24: n->kind = GPUDBG_IS_UNSIGNED; break;
    case GCN_U32: n->kind = of_any_sign(insn) ? GPUDBG_IS_WHOLE : GPUDBG_IS_UNSIGNED; break;
    }
    if (n->kind == GPUDBG_IS_BITS && o->mods & (GCN_NEG | GCN_ABS)) n->kind = GPUDBG_IS_FLOAT;
}

/* A constant that is moved: 1.0 is a float, 3 an integer; 0 and literals may be anything. */
static unsigned kind_of_constant(const struct gpudbg_operand *o)
{
    if (o->kind == GPUDBG_NUMBER ||
        (o->sub >= GCN_CODE_FLOAT && o->sub < GCN_CODE_FLOAT + 8 && o->kind != GPUDBG_REGISTER))
        return GPUDBG_IS_FLOAT;
    return o->kind == GPUDBG_INTEGER && o->imm ? GPUDBG_IS_WHOLE : GPUDBG_IS_BITS;
}

static bool is_followed(const struct gpudbg_operand *o)
{
    return o->kind == GPUDBG_REGISTER && (o->file == GCN_FILE_S || o->file == GCN_FILE_V || o->file == GCN_FILE_M0);
}

/* The sources of a move: two registers at most, and what constants say. */
static void put_moved(const struct gpudbg_insn *insn, unsigned dword, struct gpudbg_number *n)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & GPUDBG_READ) || o->flags & (GPUDBG_WRITE | GPUDBG_IMPLICIT) || gcn_is_mask(o->type) ||
            o->type == GCN_U32)
            continue;
        if (is_followed(o) && o->count > dword && n->nfrom < 2) {
            n->from[n->nfrom].file = o->file;
            n->from[n->nfrom++].at = o->reg + dword;
        } else if (o->kind != GPUDBG_REGISTER && kind_of_constant(o) > n->kind) {
            n->kind = (uint8_t)kind_of_constant(o);
        }
        if (o->mods & (GCN_NEG | GCN_ABS)) {
            n->kind = GPUDBG_IS_FLOAT;
            n->nfrom = 0;
            return;
        }
    }
}

static bool reads_mask(const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const bool mask = o->kind == GPUDBG_REGISTER && (o->file == GCN_FILE_VCC || o->file == GCN_FILE_EXEC);
        if (mask && o->flags & GPUDBG_READ) return true;
    }
    return false;
}

/* Masks and their halves: of comparisons, of logic, and moves of constants and of EXEC or VCC.  Logic of 32 bits is of
 * masks where one of its sources is EXEC or VCC, as in waves of 32 lanes. */
static bool shows_digits(const struct gpudbg_insn *insn, const struct gpudbg_operand *o, bool move, unsigned nfrom)
{
    if (o->file != GCN_FILE_S) return false;
    if (move) return !nfrom && (o->count == 2 || reads_mask(insn));
    return gcn_is_mask(o->type) || (insn->op->flags & GPUDBG_OP_BITWISE && (o->count == 2 || reads_mask(insn)));
}

static void add_from(struct gpudbg_number *n, const struct gpudbg_operand *o)
{
    if (!o || !is_followed(o) || n->nfrom == 2) return;
    n->from[n->nfrom].file = o->file;
    n->from[n->nfrom++].at = o->reg;
}

/* Where the `dword`-th dword that the instruction loads comes from. */
static void put_loaded(const struct gpudbg_insn *insn, unsigned dword, struct gpudbg_number *n)
{
    n->how = GPUDBG_FROM_ADDRESS;
    n->offset = UINT32_MAX;
    if (insn->op->flags & GPUDBG_OP_VECTOR && strncmp(insn->op->name, "ds_", 3) == 0) {
        n->how = GPUDBG_FROM_LOCAL;
        return;
    }
    const struct gpudbg_operand *base = gcn_operand(insn, GCN_IN_SBASE);
    if (base) {
        const struct gcn_scalar_place place = gcn_scalar_place(insn);
        add_from(n, base);
        if (!place.sgpr) n->offset = (uint32_t)place.bytes + 4 * dword;
        return;
    }
    add_from(n, gcn_operand(insn, GCN_IN_ADDR));
    add_from(n, gcn_operand(insn, GCN_IN_SADDR));
    add_from(n, gcn_operand(insn, GCN_IN_SRSRC));
    add_from(n, gcn_operand(insn, GCN_IN_VADDR));
}

/* Logic of 32 bits, of registers that may hold masks. */
static bool put_logic(const struct gpudbg_insn *insn, const struct gpudbg_operand *o, struct gpudbg_number *n)
{
    if (o->file != GCN_FILE_S || o->count != 1 || n->kind != GPUDBG_IS_BITS || !(insn->op->flags & GPUDBG_OP_BITWISE))
        return false;
    n->how = GPUDBG_FROM_MASKS;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].flags & GPUDBG_READ && !(insn->operands[i].flags & GPUDBG_IMPLICIT))
            add_from(n, &insn->operands[i]);
    return true;
}

/* Additions may move a pointer. */
static void put_sum(const struct gpudbg_insn *insn, struct gpudbg_number *n)
{
    const char *name = insn->op->name;
    if (strncmp(name, "v_add", 5) != 0 && strncmp(name, "v_sub", 5) != 0 && strncmp(name, "s_add", 5) != 0 &&
        strncmp(name, "s_sub", 5) != 0)
        return;
    n->how = GPUDBG_FROM_SUM;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].flags & GPUDBG_READ && !(insn->operands[i].flags & (GPUDBG_WRITE | GPUDBG_IMPLICIT)))
            add_from(n, &insn->operands[i]);
}

static bool gives_floats(const struct gpudbg_insn *insn)
{
    return gcn_access_of(insn) == GCN_IMAGES && strncmp(insn->op->name, "image_sample", 12) == 0;
}

void gcn_numbers(const struct gpudbg_insn *insn, gpudbg_number_fn *each, void *to)
{
    const bool move = moves(insn), load = insn->op->flags & GPUDBG_OP_LOAD && gcn_access_of(insn) != GCN_IMAGES;
    const bool local_store = insn->op->flags & GPUDBG_OP_STORE && strncmp(insn->op->name, "ds_", 3) == 0;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        struct gpudbg_number n = {.file = o->file};
        if (!is_followed(o)) continue;
        number_of(insn, o, &n);
        const unsigned step = n.bits == 64 ? 2 : 1, kind = n.kind;
        const bool stored = local_store && o->swizzle != GCN_IN_ADDR;
        n.how = stored ? GPUDBG_FROM_LOCAL : GPUDBG_FROM_MOVE;
        if (o->flags & GPUDBG_READ && (kind != GPUDBG_IS_BITS || stored))
            for (n.at = o->reg; n.at < o->reg + (unsigned)o->count; n.at += step) each(to, &n);
        if (!(o->flags & GPUDBG_WRITE)) continue;
        n.write = true;
        n.lanes = o->file == GCN_FILE_V && (!(o->flags & GPUDBG_ALL_LANES) || o->flags & GPUDBG_READ);
        if (kind == GPUDBG_IS_BITS && gives_floats(insn)) n.kind = GPUDBG_IS_FLOAT;
        for (n.at = o->reg; n.at < o->reg + (unsigned)o->count; n.at += step) {
            n.nfrom = 0;
            n.how = GPUDBG_FROM_MOVE;
            if (move) {
                n.kind = (uint8_t)kind;
                put_moved(insn, n.at - o->reg, &n);
            } else if (load) {
                put_loaded(insn, n.at - o->reg, &n);
            } else if (n.kind != GPUDBG_IS_FLOAT && step == 1 && !put_logic(insn, o, &n)) {
                put_sum(insn, &n);
            }
            if (n.kind != GPUDBG_IS_FLOAT && !load && shows_digits(insn, o, move, n.nfrom)) n.kind = GPUDBG_IS_DIGITS;
            each(to, &n);
        }
    }
}
