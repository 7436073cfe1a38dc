/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_parse.c: operands of memory words of newer chips, from text (memory_words.c), and which words LLVM's assembler
 * does not write. */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* Replaces the bits of a field. */
#define REPLACE(a, layout, name, value) \
    ((a)->w = ((a)->w & ~MASK(layout, name)) | (IN_PLACE(value, layout, name) & MASK(layout, name)))

/* The place of a field that holds a scalar's operand code, divided by 2 to the shift. */
#define SCALAR_IN(layout, name, shift, use)                                                                         \
    (struct gcn_field_place)                                                                                        \
    {                                                                                                               \
        (uint16_t) ONES(LEN_OF(layout, name)), (uint16_t)-GCN_CODE_FLAT_SCRATCH, LO_OF(layout, name), shift, use, 0 \
    }

/* The offset of a scalar word: a register, to which a modifier may add, or a constant. */
static bool take_scalar_offset(struct gcn_assembly *a, unsigned type)
{
    struct registers reg;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    uint32_t value;
    const int ok = take_register(a->r, &reg);
    if (ok < 0) return false;
    if (ok) {
        a->r->at = from;
        a->w &= ~MASK(SMEM, soffset);
        return take_placed(a, SCALAR_IN(SMEM, soffset, 0, 2), type, GCN_IN_SOFFSET, 1);
    }
    if (!gcn_take_signed(a, LEN_OF(SMEM, offset), "the offset", &value)) return false;
    REPLACE(a, SMEM, offset, value);
    return true;
}

/* One VGPR of a list. */
static bool take_listed(struct gcn_assembly *a, unsigned *vgpr)
{
    struct registers reg;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    const int ok = take_register(a->r, &reg);
    if (ok < 0) return false;
    if (!ok || reg.code < GCN_CODE_VGPR || reg.dwords != 1)
        return gpudbg_reading_wants(a->r, from, "syntax", "a VGPR of the list is expected here: [v0, v5, v2]");
    *vgpr = reg.code - GCN_CODE_VGPR;
    return true;
}

/* An image address: VGPRs in a row, or a list of any. */
static bool take_image_address(struct gcn_assembly *a)
{
    const unsigned n = image_address_dwords(a->op, a->w);
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gpudbg_reading_takes(a->r, '[')) return take_vgprs(a, LO_OF(MIMG_NEWER, vaddr), n, n);
    for (unsigned i = 0; i < n; i++) {
        unsigned vgpr = 0;
        if (i && !gpudbg_reading_takes(a->r, ',')) break;
        if (!take_listed(a, &vgpr)) return false;
        if (i)
            a->more[(i - 1) / 4] |= vgpr << (i - 1) % 4 * 8;
        else
            REPLACE(a, MIMG_NEWER, vaddr, vgpr);
        if (i + 1 == n && gpudbg_reading_takes(a->r, ']')) {
            a->w |= IN_PLACE((i + 3) / 4, MIMG_NEWER, nsa);
            return true;
        }
    }
    return gpudbg_reading_wants(a->r, from, "operand-count", "the address of these dimensions has %u VGPRs", n);
}

static bool take_off(struct gcn_assembly *a, const char *why)
{
    return gpudbg_reading_word(a->r, "off") || gpudbg_reading_wants(a->r, a->r->at, "syntax", "%s", why);
}

/* ADDR: of scratch words off, if there is none. */
static bool take_flat_address(struct gcn_assembly *a)
{
    if (a->encoding == GCN_SCRATCH && gpudbg_reading_word(a->r, "off")) {
        REPLACE(a, FLAT_NEWER, saddr, 127);
        return true;
    }
    /* A base comes later in the text, so the pair or the single VGPR is checked there. */
    return take_vgprs(a, LO_OF(FLAT_NEWER, addr), 1, a->encoding == GCN_SCRATCH ? 1 : 2);
}

static bool take_saddr(struct gcn_assembly *a, unsigned type, unsigned dwords)
{
    const bool alone = GET(a->w, FLAT_NEWER, saddr) == 127;
    if (gpudbg_reading_word(a->r, "off")) return true;
    if (a->encoding == GCN_SCRATCH && !alone)
        return gpudbg_reading_wants(a->r, a->r->at, "syntax", "off is expected here: a VGPR has the address");
    a->w &= ~MASK(FLAT_NEWER, saddr);
    return take_placed(a, SCALAR_IN(FLAT_NEWER, saddr, 0, 2), type, GCN_IN_SADDR, dwords);
}

static bool take_buffer_address(struct gcn_assembly *a)
{
    const unsigned n = GET(a->w, MUBUF_NEWER, offen) + GET(a->w, MUBUF_NEWER, idxen);
    return n ? take_vgprs(a, LO_OF(MUBUF_NEWER, vaddr), n, n)
             : take_off(a, "off is expected here: without offen or idxen no VGPR has an address");
}

static bool take_scalar_data(struct gcn_assembly *a, unsigned type, unsigned dwords)
{
    uint32_t value;
    if (layout_on(gcn_chip_of(a->r->isa), a->op) != &gcn_layouts[GCN_W_SMEM_PROBE])
        return take_placed(a, SCALAR_IN(SMEM, sdata, 0, 2), type, GCN_IN_SDST, dwords);
    if (!gcn_take_bits(a, LEN_OF(SMEM_PROBE, mode), "what is asked for", &value)) return false;
    a->w |= IN_PLACE(value, SMEM_PROBE, mode);
    return true;
}

bool take_memory_operand(struct gcn_assembly *a, uint32_t operand)
{
    const unsigned slot = operand & 255, type = operand >> 8 & 255, dwords = operand >> 16;
    switch (slot) {
    case GCN_IN_SDST: return take_scalar_data(a, type, dwords);
    case GCN_IN_SBASE: return take_placed(a, SCALAR_IN(SMEM, sbase, 1, 2), type, slot, dwords);
    case GCN_IN_OFFSET: return take_scalar_offset(a, type);
    case GCN_IN_VDST: return take_vgprs(a, LO_OF(FLAT_NEWER, vdst), dwords, dwords);
    case GCN_IN_ADDR: return take_flat_address(a);
    case GCN_IN_DATA: return take_vgprs(a, LO_OF(FLAT_NEWER, data), dwords, dwords);
    case GCN_IN_SADDR: return take_saddr(a, type, dwords);
    case GCN_IN_VADDR: return is_image(a->encoding) ? take_image_address(a) : take_buffer_address(a);
    case GCN_IN_SRSRC: return take_placed(a, SCALAR_IN(MUBUF_NEWER, srsrc, 2, 2), type, slot, dwords);
    case GCN_IN_SSAMP: return take_placed(a, SCALAR_IN(MIMG_NEWER, ssamp, 2, 2), type, slot, dwords);
    case GCN_IN_SOFFSET: return take_placed(a, SCALAR_IN(MUBUF_NEWER, soffset, 0, 0), type, slot, dwords);
    case GCN_IN_VDATA: {
        const unsigned n = memory_data_dwords(a->op, a->encoding, a->w, dwords);
        return take_vgprs(a, LO_OF(MUBUF_NEWER, vdata), n, n);
    }
    }
    return false;
}

/* ---- Words that LLVM's assembler does not write ---- */

#define TOGETHER "the operation does not take these modifiers together"

static bool is_atomic(const struct gpudbg_op *op)
{
    return (op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
}
static bool is_load(const struct gpudbg_op *op)
{
    return (op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == GPUDBG_OP_LOAD;
}

static const char *scalar_refused(const struct gpudbg_insn *insn, uint64_t w)
{
    const struct gpudbg_operand *data = gcn_operand(insn, GCN_IN_SDST), *base = gcn_operand(insn, GCN_IN_SBASE);
    if (data && data->kind == GPUDBG_REGISTER && (data->file == GCN_FILE_EXEC || data->file == GCN_FILE_M0))
        return "a scalar memory word cannot name this register as its data";
    if (data && data->kind == GPUDBG_SPECIAL && gcn_type_dwords(data->type) > 2)
        return "null replaces one or two registers";
    if (base && base->type == GCN_B128 && GET(w, SMEM, offset) >> (LEN_OF(SMEM, offset) - 1))
        return "the offset into a buffer is not negative";
    if (base && !(insn->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) && (GET(w, SMEM, glc) || GET(w, SMEM, dlc)))
        return TOGETHER;
    return NULL;
}

/* Loads of a dword or less may go to LDS. */
static bool takes_lds(const struct gpudbg_op *op)
{
    switch (op->id) {
    case GCN_buffer_load_format_x:
    case GCN_buffer_load_ubyte:
    case GCN_buffer_load_sbyte:
    case GCN_buffer_load_ushort:
    case GCN_buffer_load_sshort:
    case GCN_buffer_load_dword:
    case GCN_global_load_ubyte:
    case GCN_global_load_sbyte:
    case GCN_global_load_ushort:
    case GCN_global_load_sshort:
    case GCN_global_load_dword:
    case GCN_scratch_load_ubyte:
    case GCN_scratch_load_sbyte:
    case GCN_scratch_load_ushort:
    case GCN_scratch_load_sshort:
    case GCN_scratch_load_dword: return true;
    }
    return false;
}

static const char *flat_refused(const struct gpudbg_insn *insn, uint64_t w)
{
    const unsigned saddr = GET(w, FLAT_NEWER, saddr);
    const bool flat = insn->variant == GCN_FLAT_NEWER;
    if (flat && saddr != GCN_CODE_NULL) return "a flat word has no base: saddr is null";
    if (flat && GET(w, FLAT_NEWER, offset) >> 11) return "the offset of a flat word has eleven bits";
    if (GET(w, FLAT_NEWER, lds) && !takes_lds(insn->op)) return TOGETHER;
    if (insn->variant == GCN_SCRATCH && saddr == 127 && has_saddr(gcn_chip_of(insn->isa), GCN_SCRATCH, w))
        return "exec_hi cannot be the base of a scratch address";
    return NULL;
}

static const char *buffer_refused(const struct gpudbg_insn *insn, uint64_t w)
{
    const bool lds = insn->variant == GCN_MUBUF_NEWER && GET(w, MUBUF_NEWER, lds);
    if (is_atomic(insn->op) && GET(w, MUBUF_NEWER, dlc)) return TOGETHER; /* LLVM takes the text, and leaves it out */
    if (GET(w, MUBUF_NEWER, tfe) && (lds || !is_load(insn->op) || insn->variant != GCN_MUBUF_NEWER)) return TOGETHER;
    return lds && !takes_lds(insn->op) ? TOGETHER : NULL;
}

/* Data widths of image atomics for which the assembler has an instruction, by bits of dmask and tfe; one bit of dmask
 * for gathers; whole dwords of operations that do not convert. */
static bool dmask_is_taken(const struct gpudbg_op *op, uint64_t w)
{
    const unsigned dmask = GET(w, MIMG_NEWER, dmask), tfe = GET(w, MIMG_NEWER, tfe);
    const bool raw = is_atomic(op) || strstr(op->name, "_pck") || op->id == GCN_image_get_lod ||
                     op->id == GCN_image_get_resinfo;
    if (raw && GET(w, MIMG_NEWER, d16)) return false;
    if (strncmp(op->name, "image_gather4", 13) == 0)
        return dmask && !(dmask & (dmask - 1)) && !(tfe && GET(w, MIMG_NEWER, d16));
    if (!is_atomic(op)) return true;
    if (op->id == GCN_image_atomic_cmpswap || op->id == GCN_image_atomic_fcmpswap)
        return dmask == 3 || dmask == 15 || (dmask == 1 && tfe);
    return dmask == 1 || dmask == 3 || (dmask == 15 && tfe);
}

/* Samples have no dimensions with samples of a texel, levels neither. */
static bool dimensions_are_taken(const struct gpudbg_op *op, uint64_t w, bool listed)
{
    const uint64_t volume = IN_PLACE(2, MIMG_NEWER, dim), without = w & ~MASK(MIMG_NEWER, dim) & ~MASK(MIMG_NEWER, a16);
    const bool sampled = strncmp(op->name, "image_sample", 12) == 0 || strncmp(op->name, "image_gather", 12) == 0 ||
                         op->id == GCN_image_get_lod || strstr(op->name, "_mip");
    if (op->id == GCN_image_msaa_load) return GET(w, MIMG_NEWER, dim) >= 6;
    const unsigned n = image_address_dwords(op, w), most = image_address_dwords(op, without | volume);
    return !sampled || n <= most || (n == most + 1 && !(n & (n - 1)) && !listed); /* 4 or 8 registers */
}

static const char *image_refused(const struct gpudbg_insn *insn, uint64_t w)
{
    const unsigned n = image_address_dwords(insn->op, w), nsa = gcn_nsa((int)insn->variant, (uint32_t)w);
    if (nsa && nsa != (n + 2) / 4) return "the dimensions need another number of VGPRs than the word names";
    for (unsigned i = 7 + n; nsa && i < 8 + 4 * nsa; i++)
        if (insn->raw[i]) return "bits are set that the text does not show";
    if (!is_ray(insn->op) && !dmask_is_taken(insn->op, w))
        return "the operation does not take this dmask or d16: an atomic has 1 or 3, a gather one bit";
    if (!is_ray(insn->op) && !dimensions_are_taken(insn->op, w, nsa))
        return "the operation does not take these dimensions";
    const uint64_t of_ray = MASK(MIMG_NEWER, unorm) | MASK(MIMG_NEWER, r128) | MASK(MIMG_NEWER, dmask);
    const uint64_t others = MASK(MIMG_NEWER, dim) | MASK(MIMG_NEWER, glc) | MASK(MIMG_NEWER, slc) |
                            MASK(MIMG_NEWER, dlc) | MASK(MIMG_NEWER, tfe) | MASK(MIMG_NEWER, lwe) |
                            MASK(MIMG_NEWER, d16);
    if (is_ray(insn->op) && (w & (of_ray | others)) != of_ray) return TOGETHER;
    return NULL;
}

const char *memory_refused(const struct gpudbg_insn *insn, uint64_t w)
{
    switch (insn->variant) {
    case GCN_SMEM: return scalar_refused(insn, w);
    case GCN_FLAT_NEWER:
    case GCN_SCRATCH:
    case GCN_GLOBAL: return flat_refused(insn, w);
    case GCN_MIMG_NEWER:
    case GCN_MIMG_HIGH: return image_refused(insn, w);
    }
    return buffer_refused(insn, w);
}
