/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * actual.c: the registers that an instruction reads and writes in the wave's present state, for code that takes them
 * from operands.  M0 decides which registers a relative move uses, a T# how many VGPRs the address of an image takes,
 * MODE.vskip whether a vector instruction is executed at all.
 */
#include "code/gcn_decoder.h"
#include "image/gcn_image.h"
#include "gcn_ops.h"

/* ---- Relative moves ---- */

static bool moves_from(unsigned id)
{
    return id == GCN_s_movrels_b32 || id == GCN_s_movrels_b64 || id == GCN_v_movrels_b32 || id == GCN_v_movrelsd_b32;
}

static bool moves_to(unsigned id)
{
    return id == GCN_s_movreld_b32 || id == GCN_s_movreld_b64 || id == GCN_v_movreld_b32 || id == GCN_v_movrelsd_b32;
}

/* Adds M0 to the number of the register.  A number past the last register will stop the wave; the operand then becomes
 * one that is not a register. */
static void move_operand(struct gpudbg_operand *o, uint32_t m0)
{
    const uint64_t moved = o->reg + (uint64_t)m0;
    if (o->kind != GPUDBG_REGISTER || (o->file != GCN_FILE_S && o->file != GCN_FILE_V)) return;
    if (moved + o->count > (o->file == GCN_FILE_S ? (unsigned)GCN_SGPRS : (unsigned)GCN_CODE_VGPR))
        o->kind = GPUDBG_SPECIAL;
    o->reg = (uint16_t)moved;
    o->sub = (uint16_t)(o->sub + m0);
}

static const struct gpudbg_insn *relative(
    const struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct gpudbg_insn *own)
{
    const uint32_t m0 = gcn_s(w)[GCN_M0];
    *own = *insn;
    for (unsigned i = 0; i < own->noperands; i++) {
        struct gpudbg_operand *o = &own->operands[i];
        const bool destination = o->swizzle == GCN_IN_SDST || o->swizzle == GCN_IN_VDST;
        const bool source = o->swizzle == GCN_IN_SSRC0 || o->swizzle == GCN_IN_SRC0;
        if ((destination && moves_to(insn->op->id)) || (source && moves_from(insn->op->id))) move_operand(o, m0);
    }
    return own;
}

/* ---- Addresses of images ---- */

static bool takes_derivatives(const struct gpudbg_op *op)
{
    return op->id >= GCN_image_sample && (strstr(op->name, "_d") || strstr(op->name, "_cd"));
}

/* The decoded operand is for a plain 2D image. */
static const struct gpudbg_insn *image(
    const struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct gpudbg_insn *own)
{
    const struct gpudbg_operand *t = gcn_operand(insn, GCN_IN_SRSRC), *address = gcn_operand(insn, GCN_IN_VADDR);
    if (!t || !address || insn->op->id == GCN_image_get_resinfo) return insn;
    const struct gcn_image im = {.type = (enum gcn_image_type)GET(gcn_s(w) + t->sub, T_SHARP, type)};
    const struct gcn_op op = {.mods = GET(word_of(insn), MIMG, da) ? GCN_IMAGE_DA : 0};
    if (im.type < GCN_IMAGE_1D) return insn; /* it will stop the wave */
    const unsigned more = (unsigned)gcn_image_takes_slice(&im, &op) + (im.type >= GCN_IMAGE_2D_MSAA);
    const unsigned plain = gcn_type_dwords(address->type), each = takes_derivatives(insn->op) ? 3 : 1;
    *own = *insn;
    own->operands[address - insn->operands].count = (uint16_t)(plain + more + each * gcn_image_dimensions(&im) -
                                                               each * 2);
    return own;
}

const struct gpudbg_insn *gcn_actual(struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct gpudbg_insn *own)
{
    if (insn->op->flags & GPUDBG_OP_VECTOR && gcn_s(w)[GCN_MODE] & GCN_VSKIP) return NULL;
    if (moves_from(insn->op->id) || moves_to(insn->op->id)) return relative(w, insn, own);
    return insn->variant == GCN_MIMG ? image(w, insn, own) : insn;
}
