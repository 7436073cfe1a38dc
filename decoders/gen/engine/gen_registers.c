/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_registers.c: the registers of a thread, and the places of an operand's elements in them.  Ivy Bridge manual,
 * volume 4 part 3, "Registers and Register Regions". */
#include "engine/gen_registers.h"
#include "code/predicate.h"

/* The place of each file of a thread: word of the wave, and size in bytes. */
static const struct {
    uint16_t word, bytes;
} places[GEN_FILES] = {
    [GEN_GRF] = {GEN_W_GRF, 0}, /* gen_grf_bytes */
    [GEN_A0] = {GEN_W_A0, 32},
    [GEN_ACC] = {GEN_W_ACC, 320},
    [GEN_F] = {GEN_W_F, 64},
    [GEN_CE] = {GEN_W_CE, 4},
    [GEN_SP] = {GEN_W_SP, 16},
    [GEN_SR0] = {GEN_W_SR0, 16},
    [GEN_CR0] = {GEN_W_CR0, 16},
    [GEN_N0] = {GEN_W_N0, 12},
    [GEN_IP] = {GEN_W_IP, 4},
    [GEN_TDR] = {GEN_W_TDR, 16},
    [GEN_TM0] = {GEN_W_TM0, 32},
    [GEN_FC] = {GEN_W_FC, 32},
    [GEN_DBG] = {GEN_W_DBG, 32},
};

/* f1 is one dword after f0 in storage, 32 bytes after it in operand addresses. */
static int64_t stored(unsigned file, int64_t offset)
{
    return file == GEN_F ? (offset / 32) * 4 + offset % 32 : offset;
}

static bool inside(const struct gpudbg_wave *w, unsigned file, int64_t offset, unsigned size)
{
    if (file >= GEN_FILES || offset < 0) return false;
    if (file == GEN_GRF) return offset + size <= gen_grf_bytes(w);
    if (offset + size > places[file].bytes) return false;
    return file != GEN_F || (offset & 31) + size <= 4;
}

uint64_t gen_load(const struct gpudbg_wave *w, unsigned file, int64_t offset, unsigned size)
{
    uint64_t bits = 0;
    if (!inside(w, file, offset, size)) return 0;
    memcpy(&bits, (const uint8_t *)(w->words + places[file].word) + stored(file, offset), size);
    return bits;
}

/* Not all bits of architecture registers can be written: gen7-arf.tsv. */
void gen_store(struct gpudbg_wave *w, unsigned file, int64_t offset, unsigned size, uint64_t bits)
{
    bool read_only = file == GEN_N0 || file == GEN_TM0 || file == GEN_CE;
    if (read_only || !inside(w, file, offset, size) || (file == GEN_CR0 && offset >= 12)) return;
    uint8_t *at = (uint8_t *)(w->words + places[file].word) + stored(file, offset);
    if (file == GEN_TDR) {
        for (unsigned i = 0; i < size; i++)
            if ((offset + i) & 1) at[i] &= 0x7f;
        return;
    }
    memcpy(at, &bits, size);
    const struct gen_eu *eu = gen_of(w)->eu;
    for (unsigned i = eu->descriptor_words; file == GEN_A0 && i < eu->address_words; i++)
        ((uint8_t *)(w->words + GEN_W_A0))[2 * i + 1] &= (uint8_t)(eu->address_mask >> 8);
}

/* ---- Places of elements ---- */

static int64_t align16_element(
    const struct gen_insn *insn, const struct gen_operand *o, int64_t origin, bool source, unsigned i)
{
    unsigned size = gen_type_size[o->type];
    if (!source) return origin + (int64_t)i * size;
    if (o->rep) return origin;
    if (size == 8) { /* two to a vector; the swizzle of its first dword gives its place */
        unsigned pair = (o->swizzle >> (i % 2 * 4) & 3) >> 1;
        int64_t stride = insn->shape == GEN_TERNARY || o->vstride ? 16 : 0;
        return origin + (i / 2) * stride + pair * 8;
    }
    unsigned swizzle = o->swizzle >> (i % 4 * 2) & 3;
    unsigned stride = insn->shape == GEN_TERNARY ? 4 : o->vstride == GEN_RESERVED ? 4 : o->vstride;
    return origin + (int64_t)(i / 4) * stride * size + swizzle * size;
}

static unsigned address(const struct gpudbg_wave *w, unsigned word)
{
    return (unsigned)gen_load(w, GEN_A0, 2 * (int64_t)word, 2) & gen_of(w)->eu->address_mask;
}

/* movi: one register for all channels, each channel has its own byte. */
static int64_t movi_element(const struct gpudbg_wave *w, const struct gen_operand *o, unsigned i)
{
    unsigned first = address(w, o->addr_sub) + (unsigned)o->addr_imm,
             own = address(w, o->addr_sub + i) + (unsigned)o->addr_imm;
    return (int64_t)((first & 0xfe0) | (own & 31));
}

int64_t gen_element(const struct gpudbg_wave *w, const struct gen_insn *insn, int n, unsigned i)
{
    const struct gen_operand *o = n < 0 ? &insn->dst : &insn->src[n];
    unsigned size = gen_type_size[o->type];
    int64_t origin = o->mode == GEN_INDIRECT ? (int64_t)address(w, o->addr_sub) + o->addr_imm : o->reg * 32 + o->sub;
    if (GEN_IS(insn->op, GATHERS) && n == 0 && o->mode == GEN_INDIRECT) return movi_element(w, o, i);
    bool pairs = gen_halves_channels(insn);
    if (insn->align16 && (o->align16 || insn->shape == GEN_TERNARY))
        return align16_element(insn, o, origin, n >= 0, pairs && size < 8 ? 2 * i : i);
    unsigned hstride = o->hstride == GEN_RESERVED ? 1 : o->hstride,
             width = o->width == GEN_RESERVED || !o->width ? 1 : o->width;
    unsigned vstride = o->vstride == GEN_RESERVED ? 0 : o->vstride;
    if (pairs) { /* strides and widths count dwords, and a double is two channels */
        i *= 2;
        size = size == 8 ? 4 : size;
    }
    if (n < 0) return origin + (int64_t)i * (hstride ? hstride : 1) * size;
    unsigned row = i / width, column = i % width;
    if (o->mode == GEN_INDIRECT && o->vx)
        return (int64_t)address(w, o->addr_sub + row) + o->addr_imm + (int64_t)column * hstride * size;
    return origin + ((int64_t)row * vstride + (int64_t)column * hstride) * size;
}
