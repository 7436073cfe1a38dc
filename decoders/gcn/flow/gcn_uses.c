/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_uses.c: registers and masks of lanes that instructions use, for live registers (gpudbg/uses.h).
 *
 * Slot 0 is EXEC; the mask that begins with operand code c is slot c + 1: a pair of scalars, one in waves of 32.  A
 * comparison writes 0 for lanes that do not run, so its result is a subset of EXEC.
 */
#include "code/gcn_decoder.h"
#include "flow/lds_bounds.h"
#include "gcn_ops.h"

static bool follows(unsigned file)
{
    return file == GCN_FILE_S || file == GCN_FILE_V || file == GCN_FILE_VCC || file == GCN_FILE_EXEC ||
           file == GCN_FILE_SCC || file == GCN_FILE_M0;
}

/* Scalars that a mask has. */
static unsigned mask_scalars(const struct gpudbg_insn *insn) { return insn->isa->lanes > 32 ? 2 : 1; }

/* ---- Registers ---- */

static bool has_part(const struct gpudbg_insn *insn, enum gcn_layout layout)
{
    for (unsigned i = 0; i < insn->nparts; i++)
        if (insn->parts[i].format == &gcn_layouts[layout]) return true;
    return false;
}

static bool samples(const struct gpudbg_insn *insn)
{
    return gcn_access_of(insn) == GCN_IMAGES && gcn_operand(insn, GCN_IN_SSAMP);
}

/* Whether lanes read values of other lanes: a permutation, or samples of a quad, whose level of detail follows from the
 * coordinates of all four. */
static bool crosses_lanes(const struct gpudbg_insn *insn)
{
    switch (insn->op->id) {
    case GCN_ds_swizzle_b32:
    case GCN_ds_permute_b32:
    case GCN_ds_bpermute_b32:
    case GCN_v_permlane16_b32:
    case GCN_v_permlanex16_b32: return true;
    }
    return has_part(insn, GCN_W_DPP) || has_part(insn, GCN_W_DPP_NEWER) || has_part(insn, GCN_W_DPP8) || samples(insn);
}

static void use(struct gpudbg_uses *u, unsigned file, unsigned flags, unsigned at, unsigned n)
{
    const bool own = file == GCN_FILE_V;
    gpudbg_use_add(u, (struct gpudbg_use){.file = (uint8_t)file,
                          .flags = (uint8_t)(flags | (own ? 0 : GPUDBG_USE_ALL)),
                          .lane = own ? GPUDBG_USE_OWN : 0,
                          .n = (uint16_t)n,
                          .at = at});
}

/* Scalars by operand code; a run of them may continue into registers with names. */
static void put_scalars(struct gpudbg_uses *u, unsigned flags, struct gcn_codes codes)
{
    for (unsigned c = codes.first; c < codes.first + (unsigned)codes.count; c++) {
        if (c < GCN_CODE_FLAT_SCRATCH)
            use(u, GCN_FILE_S, flags, c, 1);
        else if (c == GCN_CODE_VCC || c == GCN_CODE_VCC + 1)
            use(u, GCN_FILE_VCC, flags, c - GCN_CODE_VCC, 1);
        else if (c == GCN_CODE_EXEC || c == GCN_CODE_EXEC + 1)
            use(u, GCN_FILE_EXEC, flags, c - GCN_CODE_EXEC, 1);
        else if (c == GCN_CODE_M0)
            use(u, GCN_FILE_M0, flags, 0, 1);
    }
}

static void put_operand_uses(struct gpudbg_uses *u, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    const unsigned flags = (o->flags & GPUDBG_READ ? GPUDBG_USE_READ : 0u) |
                           (o->flags & GPUDBG_WRITE ? GPUDBG_USE_WRITE : 0u);
    struct gcn_codes codes;
    if (o->kind != GPUDBG_REGISTER) return;
    if (o->file == GCN_FILE_V) {
        const bool all = o->flags & GPUDBG_ALL_LANES || (flags == GPUDBG_USE_READ && crosses_lanes(insn));
        const unsigned count = o->reg + o->count > 256 ? 256u - o->reg : o->count;
        use(u, GCN_FILE_V, flags | (all ? GPUDBG_USE_ALL : 0) | (has_part(insn, GCN_W_SDWA) ? GPUDBG_USE_PART : 0),
            o->reg, count);
    } else if (o->file == GCN_FILE_SCC) {
        use(u, GCN_FILE_SCC, flags, 0, 1);
    } else if (gcn_codes_of(o, &codes)) {
        put_scalars(u, flags, codes);
    }
}

/* M0 decides which register a relative move accesses. */
static void put_relative(struct gpudbg_uses *u, const struct gpudbg_insn *insn)
{
    const unsigned id = insn->op->id;
    const bool scalar = id >= GCN_s_movrels_b32 && id <= GCN_s_movreld_b64;
    const bool vector = id >= GCN_v_movreld_b32 && id <= GCN_v_movrelsd_b32;
    const bool from = id == GCN_s_movrels_b32 || id == GCN_s_movrels_b64 || id == GCN_v_movrels_b32 ||
                      id == GCN_v_movrelsd_b32;
    const bool to = id == GCN_s_movreld_b32 || id == GCN_s_movreld_b64 || id == GCN_v_movreld_b32 ||
                    id == GCN_v_movrelsd_b32;
    if (!scalar && !vector) return;
    for (size_t i = 0; i < u->n; i++) {
        struct gpudbg_use *use = &u->use[i];
        if (use->file != GCN_FILE_S && use->file != GCN_FILE_V) continue;
        if (from && use->flags & GPUDBG_USE_READ) use->flags |= GPUDBG_USE_MAYBE;
        if (to && use->flags & GPUDBG_USE_WRITE) use->flags |= GPUDBG_USE_PART;
    }
    if (!from) return;
    use(u, scalar ? GCN_FILE_S : GCN_FILE_V, GPUDBG_USE_READ | GPUDBG_USE_MAYBE, 0, GPUDBG_USE_FILE);
    if (scalar) use(u, GCN_FILE_VCC, GPUDBG_USE_READ | GPUDBG_USE_MAYBE, 0, 2);
}

/* The operand is the address of a plain 2D image; its T# may ask for a slice, a sample, a third dimension. */
static void put_image_address(struct gpudbg_uses *u, const struct gpudbg_insn *insn)
{
    const struct gpudbg_operand *address = insn->variant == GCN_MIMG ? gcn_operand(insn, GCN_IN_VADDR) : NULL;
    if (!address || insn->op->id == GCN_image_get_resinfo) return;
    const unsigned more = insn->op->id >= GCN_image_sample && strstr(insn->op->name, "d") ? 5 : 3;
    const unsigned first = address->reg + address->count;
    if (first >= 256) return;
    use(u, GCN_FILE_V, GPUDBG_USE_READ | GPUDBG_USE_MAYBE | (crosses_lanes(insn) ? GPUDBG_USE_ALL : 0), first,
        first + more > 256 ? 256 - first : more);
}

/* ---- Masks ---- */

/* The slot of a mask operand, a constant mask, or unknown. */
static unsigned slot_of(const struct gpudbg_insn *insn, unsigned operand)
{
    if (operand >= insn->noperands) return GPUDBG_MASK_UNKNOWN;
    const struct gpudbg_operand *o = &insn->operands[operand];
    struct gcn_codes codes;
    if (o->kind == GPUDBG_INTEGER && o->imm == 0) return GPUDBG_MASK_NO_LANE;
    if (o->kind == GPUDBG_INTEGER && o->imm == -1) return GPUDBG_MASK_ALL_LANES;
    if (o->kind != GPUDBG_REGISTER || o->file == GCN_FILE_V || !gcn_codes_of(o, &codes) ||
        codes.count != mask_scalars(insn))
        return GPUDBG_MASK_UNKNOWN;
    if (codes.first == GCN_CODE_EXEC) return 0;
    return codes.first + 1u < GPUDBG_MASK_SLOTS - 1u ? codes.first + 1u : GPUDBG_MASK_UNKNOWN;
}

/* Forgets the slots that overlap written scalars, but not EXEC. */
static void forget(struct gpudbg_uses *u, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    struct gcn_codes codes;
    if (!(o->flags & GPUDBG_WRITE) || o->file == GCN_FILE_V || o->file == GCN_FILE_EXEC || !gcn_codes_of(o, &codes) ||
        codes.first >= GPUDBG_MASK_SLOTS - 1)
        return;
    const bool overlap = codes.first && mask_scalars(insn) > 1; /* the mask that begins before it */
    const unsigned first = codes.first + (overlap ? 0u : 1u), last = codes.first + (unsigned)codes.count;
    gpudbg_mask_move_add(u, GPUDBG_MASK_ANY, first, last - first, 0);
}

/* In waves of 32 exec_hi is a register as any other. */
static bool is_exec(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    struct gcn_codes codes;
    return o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_EXEC && gcn_codes_of(o, &codes) &&
           (codes.first == GCN_CODE_EXEC || mask_scalars(insn) > 1);
}

/* What operations make of masks, in both widths. */
struct making {
    uint16_t op;
    uint8_t makes;
};
#define BOTH(op, makes) \
    {GCN_##op##_b32, GPUDBG_MASK_##makes}, { GCN_##op##_b64, GPUDBG_MASK_##makes }

/* Operations whose result is a mask if it is as wide as one. */
static const struct making mask_ops[] = {
    BOTH(s_mov, COPY), BOTH(s_and, AND), BOTH(s_andn2, BELOW), BOTH(s_or, OR), BOTH(s_xor, XOR), BOTH(s_cselect, XOR)};
/* Operations that make a new EXEC, and save the old one. */
static const struct making saving_ops[] = {BOTH(s_and_saveexec, AND), BOTH(s_or_saveexec, OR),
    BOTH(s_xor_saveexec, XOR), BOTH(s_andn2_saveexec, BELOW), BOTH(s_andn1_saveexec, ANY), BOTH(s_orn1_saveexec, ANY),
    BOTH(s_orn2_saveexec, ANY), BOTH(s_nand_saveexec, ANY), BOTH(s_nor_saveexec, ANY), BOTH(s_xnor_saveexec, ANY)};

/* -1: it is another operation. */
static int made_by(const struct making *ops, size_t n, unsigned id)
{
    for (size_t i = 0; i < n; i++)
        if (ops[i].op == id) return ops[i].makes;
    return -1;
}

static void put_moves(struct gpudbg_uses *u, const struct gpudbg_insn *insn)
{
    bool exec = false, compares = false; /* compares: a vector comparison writes EXEC alone */
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const bool writes = o->flags & GPUDBG_WRITE && is_exec(insn, o);
        exec = exec || writes;
        compares = compares || (writes && o->flags & GPUDBG_IMPLICIT && insn->op->flags & GPUDBG_OP_VECTOR);
        if (o->kind == GPUDBG_REGISTER) forget(u, insn, o);
    }
    const unsigned id = insn->op->id, to = slot_of(insn, 0), a = slot_of(insn, 1), b = slot_of(insn, 2);
    const int op = made_by(mask_ops, sizeof mask_ops / sizeof *mask_ops, id),
              saving = made_by(saving_ops, sizeof saving_ops / sizeof *saving_ops, id);
    if (saving >= 0) {
        if (to && to < GPUDBG_MASK_SLOTS) gpudbg_mask_move_add(u, GPUDBG_MASK_COPY, to, 0, 0);
        gpudbg_mask_move_add(u, (unsigned)saving, 0, saving == GPUDBG_MASK_ANY ? 0 : a, 0);
    } else if (op >= 0 && to < GPUDBG_MASK_SLOTS) {
        gpudbg_mask_move_add(u, (unsigned)op, to, a, b);
    } else if (insn->noperands && gcn_is_mask(insn->operands[0].type) && insn->op->flags & GPUDBG_OP_VECTOR &&
               insn->operands[0].flags & GPUDBG_WRITE) { /* a comparison */
        if (to && to < GPUDBG_MASK_SLOTS) gpudbg_mask_move_add(u, GPUDBG_MASK_BELOW, to, 0, 0);
        if (exec) gpudbg_mask_move_add(u, GPUDBG_MASK_BELOW, 0, 0, 0);
    } else if (exec) {
        const bool fork = id == GCN_s_cbranch_i_fork || id == GCN_s_cbranch_g_fork;
        gpudbg_mask_move_add(u, fork || compares ? GPUDBG_MASK_BELOW : GPUDBG_MASK_ANY, 0, 0, 0);
    }
}

static void uses(const struct gpudbg_insn *insn, struct gpudbg_uses *u)
{
    u->n = 0;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        put_operand_uses(u, insn, o);
        if (o->type == GCN_HWREG && o->flags & GPUDBG_READ && (o->imm & 63) == GCN_HW_STATUS) {
            use(u, GCN_FILE_SCC, GPUDBG_USE_READ, 0, 1);
            use(u, GCN_FILE_VCC, GPUDBG_USE_READ, 0, mask_scalars(insn));
            use(u, GCN_FILE_EXEC, GPUDBG_USE_READ, 0, mask_scalars(insn));
        }
    }
    put_relative(u, insn);
    put_image_address(u, insn);
    if (insn->op->flags & GPUDBG_OP_VECTOR) use(u, GCN_FILE_EXEC, GPUDBG_USE_READ, 0, mask_scalars(insn));
    put_moves(u, insn);
}

const struct gpudbg_using gcn_uses = {
    .follows = follows,
    .uses = uses,
    .local_accesses = gcn_local_accesses,
};
