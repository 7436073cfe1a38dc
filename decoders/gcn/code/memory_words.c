/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory_words.c: memory words of newer chips: SMEM; FLAT with its segments; MUBUF and MTBUF with dlc and one number
 * for the format; MIMG with dimensions and addresses in any VGPRs.  Their operands, from the template of the row and
 * the fields of the word, and their text.  Source: LLVM 19, gfx1010 and gfx1030.
 */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* ---- What a word has ---- */

bool is_ray(const struct gpudbg_op *op)
{
    return op->id == GCN_image_bvh_intersect_ray || op->id == GCN_image_bvh64_intersect_ray;
}

static bool is_flat(int encoding) { return encoding >= GCN_FLAT_NEWER && encoding <= GCN_GLOBAL; }

/* All three layouts of FLAT have the same places, as both of MTBUF have those of MUBUF. */
#define SAME(layout, other, name) static_assert(MASK(layout, name) == MASK(other, name), #name)
SAME(FLAT_NEWER, GLOBAL, saddr);
SAME(FLAT_NEWER, SCRATCH, saddr);
SAME(MUBUF_NEWER, MTBUF_NEWER, vdata);
SAME(MUBUF_NEWER, MTBUF_NEWER, vaddr);
SAME(MUBUF_NEWER, MTBUF_NEWER, offen);
SAME(MUBUF_NEWER, MTBUF_NEWER, idxen);
SAME(MUBUF_NEWER, MTBUF_NEWER, glc);
SAME(MUBUF_NEWER, MTBUF_NEWER, tfe);
SAME(MUBUF_NEWER, MTBUF_D16, soffset);
SAME(MUBUF_NEWER, MIMG_NEWER, vdata);
SAME(MUBUF_NEWER, MIMG_NEWER, vaddr);
SAME(MUBUF_NEWER, MIMG_NEWER, srsrc);

/* A scratch word without registers has this code in saddr. */
enum { SADDR_ALONE = 127 };

bool has_saddr(const struct gcn_chip *chip, int encoding, uint64_t w)
{
    const unsigned saddr = GET(w, FLAT_NEWER, saddr);
    if (encoding == GCN_SCRATCH && chip->scratch_alone && saddr == SADDR_ALONE) return false;
    return encoding != GCN_FLAT_NEWER && saddr != GCN_CODE_NULL;
}

bool has_vaddr(const struct gcn_chip *chip, int encoding, uint64_t w)
{
    (void)chip;
    return encoding != GCN_SCRATCH || GET(w, FLAT_NEWER, saddr) == GCN_CODE_NULL;
}

bool memory_to_lds(const struct decoder *d)
{
    return d->encoding == GCN_MUBUF_NEWER ? GET(d->word, MUBUF_NEWER, lds)
                                          : is_flat(d->encoding) && GET(d->word, FLAT_NEWER, lds);
}

static int64_t as_signed(uint32_t value, unsigned bits)
{
    const uint32_t sign = UINT32_C(1) << (bits - 1);
    return (int64_t)(value ^ sign) - (int64_t)sign;
}

int64_t memory_offset(const struct decoder *d)
{
    const uint64_t w = d->word;
    if (d->encoding == GCN_SMEM) return as_signed(GET(w, SMEM, offset), LEN_OF(SMEM, offset));
    if (d->encoding == GCN_FLAT_NEWER) return GET(w, FLAT_NEWER, offset);
    if (is_flat(d->encoding)) return as_signed(GET(w, GLOBAL, offset), LEN_OF(GLOBAL, offset));
    return is_image(d->encoding) ? 0 : GET(w, MUBUF_NEWER, offset);
}

/* What the name of an image operation says about its address, a word of the name each. */
struct image_kind {
    bool level, mip, gradients, halves;
    unsigned extra; /* dwords that come first: offset, bias, reference */
};

static struct image_kind image_kind(const struct gpudbg_op *op)
{
    struct image_kind kind = {0};
    for (const char *p = op->name; (p = strchr(p, '_')) != NULL;) {
        const size_t n = strcspn(++p, "_");
        const bool coarse = n == 2 && memcmp(p, "cd", 2) == 0;
        kind.extra += n == 1 && strchr("cbo", *p);
        kind.level |= (n == 1 && *p == 'l') || (n == 2 && memcmp(p, "cl", 2) == 0);
        kind.mip |= n == 3 && memcmp(p, "mip", 3) == 0;
        kind.gradients |= (n == 1 && *p == 'd') || coarse;
        kind.halves |= n == 3 && memcmp(p, "g16", 3) == 0;
    }
    return kind;
}

unsigned image_address_dwords(const struct gpudbg_op *op, uint64_t w)
{
    static const uint8_t coordinates[8] = {1, 2, 3, 3, 2, 3, 3, 4}, gradients[8] = {2, 4, 6, 4, 2, 4, 4, 4};
    const unsigned dim = GET(w, MIMG_NEWER, dim), a16 = GET(w, MIMG_NEWER, a16);
    const struct image_kind kind = image_kind(op);
    if (op->id == GCN_image_bvh_intersect_ray) return a16 ? 8 : 11;
    if (op->id == GCN_image_bvh64_intersect_ray) return a16 ? 9 : 12;
    const unsigned own = op->id == GCN_image_get_resinfo ? 1 : coordinates[dim] + (kind.level || kind.mip ? 1u : 0u);
    unsigned n = kind.extra + (a16 ? (own + 1) / 2 : own);
    if (kind.gradients) n += kind.halves ? (gradients[dim] / 2u + 1) / 2 * 2 : gradients[dim];
    return n;
}

static bool gathers(const struct gpudbg_op *op) { return strncmp(op->name, "image_gather4", 13) == 0; }

unsigned memory_data_dwords(const struct gpudbg_op *op, int encoding, uint64_t w, unsigned dwords)
{
    if (!is_image(encoding)) {
        if (encoding == GCN_MUBUF_NEWER && GET(w, MUBUF_NEWER, lds)) return 0;
        return dwords + GET(w, MUBUF_NEWER, tfe);
    }
    if (is_ray(op)) return dwords;
    const unsigned n = gathers(op) ? 4 : mask_dwords(GET(w, MIMG_NEWER, dmask));
    const bool atomic = (op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
    return (GET(w, MIMG_NEWER, d16) && !atomic ? (n + 1) / 2 : n) + GET(w, MIMG_NEWER, tfe);
}

bool memory_operand_is_there(const struct gpudbg_op *op, int encoding, uint64_t w, unsigned slot)
{
    const bool atomic = (op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
    if (slot == GCN_IN_VDST) return !GET(w, FLAT_NEWER, lds) && (!atomic || GET(w, FLAT_NEWER, glc));
    return slot != GCN_IN_VDATA || memory_data_dwords(op, encoding, w, 1);
}

/* ---- Operands ---- */

static void add_off(struct decoder *d, unsigned slot) { add_constant(d, GPUDBG_SPECIAL, 0, slot, 0); }

/* The data of a scalar word. */
static void add_scalar_data(struct decoder *d, unsigned type)
{
    const bool memory = d->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
    const unsigned flags = memory ? data_flags(d->op, GET(d->word, SMEM, glc)) : GPUDBG_WRITE;
    if (layout_on(d->chip, d->op) == &gcn_layouts[GCN_W_SMEM_PROBE])
        add_constant(d, GPUDBG_INTEGER, type, GCN_IN_SDST, GET(d->word, SMEM_PROBE, mode));
    else
        add_code(d, GET(d->word, SMEM, sdata), flags | GPUDBG_ALL_LANES, type, GCN_IN_SDST);
}

/* The offset of a scalar word: a register, a constant, or their sum, whose constant is a modifier in the text. */
static void add_scalar_offset(struct decoder *d, unsigned type)
{
    const unsigned soffset = GET(d->word, SMEM, soffset);
    if (soffset != GCN_CODE_NULL || !memory_offset(d))
        add_code(d, soffset, GPUDBG_READ | GPUDBG_ALL_LANES, type, GCN_IN_SOFFSET);
    else
        add_constant(d, GPUDBG_INTEGER, type, GCN_IN_OFFSET, memory_offset(d));
}

static void add_image_address(struct decoder *d, unsigned type)
{
    const uint64_t w = d->word;
    const unsigned n = image_address_dwords(d->op, w), nsa = gcn_nsa(d->encoding, (uint32_t)w);
    if (!nsa) {
        add_vgprs(d, GET(w, MIMG_NEWER, vaddr), n, GPUDBG_READ, type, GCN_IN_VADDR);
        return;
    }
    for (unsigned i = 0; i < n && i <= 4 * nsa; i++) {
        const unsigned vgpr = i ? d->raw[7 + i] : GET(w, MIMG_NEWER, vaddr);
        add_vgprs(d, vgpr, 1, GPUDBG_READ, GCN_B32, GCN_IN_VADDR);
    }
}

static void add_vector_address(struct decoder *d, unsigned type)
{
    const unsigned n = buffer_address_dwords(GET(d->word, MUBUF_NEWER, offen) << LO_OF(MUBUF, offen) |
                                             GET(d->word, MUBUF_NEWER, idxen) << LO_OF(MUBUF, idxen));
    if (is_image(d->encoding))
        add_image_address(d, type);
    else if (n)
        add_vgprs(d, GET(d->word, MUBUF_NEWER, vaddr), n, GPUDBG_READ, n == 2 ? GCN_B64 : GCN_U32, GCN_IN_VADDR);
    else
        add_off(d, GCN_IN_VADDR);
}

/* ADDR of FLAT: a pair, or with a base one VGPR with an offset. */
static void add_flat_address(struct decoder *d)
{
    const bool pair = d->encoding == GCN_FLAT_NEWER ||
                      (d->encoding == GCN_GLOBAL && !has_saddr(d->chip, d->encoding, d->word));
    if (has_vaddr(d->chip, d->encoding, d->word))
        add_vgprs(d, GET(d->word, FLAT_NEWER, addr), pair ? 2 : 1, GPUDBG_READ, pair ? GCN_U64 : GCN_U32, GCN_IN_ADDR);
    else
        add_off(d, GCN_IN_ADDR);
}

static void add_memory_operand(struct decoder *d, unsigned slot, unsigned type, unsigned dwords)
{
    const uint64_t w = d->word;
    const bool image = is_image(d->encoding);
    const bool glc = image                  ? GET(w, MIMG_NEWER, glc)
                     : is_flat(d->encoding) ? GET(w, FLAT_NEWER, glc)
                                            : GET(w, MUBUF_NEWER, glc);
    const unsigned kept = d->op->flags & GCN_DRW ? GPUDBG_READ : 0; /* the other half of the register */
    const unsigned flags = data_flags(d->op, glc) | kept;
    switch (slot) {
    case GCN_IN_SDST: add_scalar_data(d, type); break;
    case GCN_IN_SBASE: add_code(d, 2 * GET(w, SMEM, sbase), GPUDBG_READ | GPUDBG_ALL_LANES, type, slot); break;
    case GCN_IN_OFFSET: add_scalar_offset(d, type); break;
    case GCN_IN_VDST: add_vgprs(d, GET(w, FLAT_NEWER, vdst), dwords, GPUDBG_WRITE | kept, type, slot); break;
    case GCN_IN_ADDR: add_flat_address(d); break;
    case GCN_IN_DATA: add_vgprs(d, GET(w, FLAT_NEWER, data), dwords, GPUDBG_READ, type, slot); break;
    case GCN_IN_SADDR:
        if (has_saddr(d->chip, d->encoding, w))
            add_code(d, GET(w, FLAT_NEWER, saddr), GPUDBG_READ | GPUDBG_ALL_LANES, type, slot);
        else
            add_off(d, slot);
        break;
    case GCN_IN_VDATA:
        add_vgprs(d, GET(w, MUBUF_NEWER, vdata), memory_data_dwords(d->op, d->encoding, w, dwords), flags, type, slot);
        break;
    case GCN_IN_VADDR: add_vector_address(d, type); break;
    case GCN_IN_SRSRC: add_code(d, 4 * GET(w, MUBUF_NEWER, srsrc), GPUDBG_READ | GPUDBG_ALL_LANES, type, slot); break;
    case GCN_IN_SSAMP: add_code(d, 4 * GET(w, MIMG_NEWER, ssamp), GPUDBG_READ | GPUDBG_ALL_LANES, type, slot); break;
    case GCN_IN_SOFFSET: add_code(d, GET(w, MUBUF_NEWER, soffset), GPUDBG_READ | GPUDBG_ALL_LANES, type, slot); break;
    }
}

void decode_memory_operands(struct decoder *d)
{
    for (const uint32_t *operand = operands_on(d->chip, d->op); *operand; operand++) {
        const unsigned slot = *operand & 255;
        if (memory_operand_is_there(d->op, d->encoding, d->word, slot))
            add_memory_operand(d, slot, *operand >> 8 & 255, *operand >> 16);
    }
}

/* ---- Text ---- */

char *put_memory_operands(char *p, struct decoder *d)
{
    struct gpudbg_insn insn;
    insn.addr = d->addr;
    insn.isa = &d->chip->isa;
    d->insn = &insn;
    decode_layouts(d, d->raw);
    decode_memory_operands(d);
    const bool listed = gcn_nsa(d->encoding, (uint32_t)d->word);
    bool open = false;
    for (unsigned i = 0; i < insn.noperands; i++) {
        const bool address = listed && insn.operands[i].swizzle == GCN_IN_VADDR;
        if (open && !address) *p++ = ']';
        p = i ? PUT(p, ", ") : PUT(p, " ");
        if (address && !open) *p++ = '[';
        open = address;
        p = put_operand(p, &insn, &insn.operands[i]);
    }
    return open ? PUT(p, "]") : p;
}

/* " offset:8", " offset:-8", or with hexadecimal digits. */
static char *put_distance(char *p, int64_t value, bool hexadecimal)
{
    if (!value) return p;
    p = PUT(p, " offset:");
    if (!hexadecimal) return put_number(p, value);
    if (value < 0) *p++ = '-';
    return put_hex(p, (uint64_t)(value < 0 ? -value : value));
}

static char *put_one_format(char *p, unsigned format)
{
    /* The enumeration has a row for each number, in their order. */
    const char *name = gcn_enum[GCN_E_BUF_FORMAT_NEWER].values[format].name;
    if (format == 1) return p; /* the assembler's default */
    p = PUT(p, " format:");
    if (strncmp(name, "BUF_", 4) != 0) return put_number(p, format);
    *p++ = '[';
    p = put(p, name);
    return PUT(p, "]");
}

static char *put_image_flags(char *p, const struct decoder *d)
{
    const uint64_t w = d->word;
    const bool ray = is_ray(d->op);
    if (!ray) {
        if (GET(w, MIMG_NEWER, dmask)) p = put_hex(PUT(p, " dmask:"), GET(w, MIMG_NEWER, dmask));
        p = put(PUT(p, " dim:"), gpudbg_enum_name(&gcn_enum[GCN_E_IMAGE_DIM], GET(w, MIMG_NEWER, dim)));
        p = PUT_FLAG(p, w, MIMG_NEWER, unorm);
    }
    p = PUT_FLAG(p, w, MIMG_NEWER, glc);
    p = PUT_FLAG(p, w, MIMG_NEWER, slc);
    p = PUT_FLAG(p, w, MIMG_NEWER, dlc);
    if (!ray) p = PUT_FLAG(p, w, MIMG_NEWER, r128);
    p = PUT_FLAG(p, w, MIMG_NEWER, a16);
    p = PUT_FLAG(p, w, MIMG_NEWER, tfe);
    p = PUT_FLAG(p, w, MIMG_NEWER, lwe);
    return PUT_FLAG(p, w, MIMG_NEWER, d16);
}

static char *put_buffer_flags(char *p, const struct decoder *d)
{
    const uint64_t w = d->word;
    if (d->encoding != GCN_MUBUF_NEWER) p = put_one_format(p, GET(w, MTBUF_NEWER, format));
    p = PUT_FLAG(p, w, MUBUF_NEWER, idxen);
    p = PUT_FLAG(p, w, MUBUF_NEWER, offen);
    p = put_distance(p, memory_offset(d), false);
    p = PUT_FLAG(p, w, MUBUF_NEWER, glc);
    p = PUT_FLAG(p, w, MUBUF_NEWER, slc);
    p = PUT_FLAG(p, w, MUBUF_NEWER, dlc);
    p = PUT_FLAG(p, w, MUBUF_NEWER, tfe);
    return d->encoding == GCN_MUBUF_NEWER ? PUT_FLAG(p, w, MUBUF_NEWER, lds) : p;
}

char *put_memory_modifiers(char *p, const struct decoder *d)
{
    const uint64_t w = d->word;
    if (!gcn_templates[d->op->id].operand[0]) return p;
    if (is_image(d->encoding)) return put_image_flags(p, d);
    if (d->encoding == GCN_SMEM) {
        const struct gpudbg_format *layout = layout_on(d->chip, d->op);
        if (layout == &gcn_layouts[GCN_W_SMEM_TIME]) return p;
        if (GET(w, SMEM, soffset) != GCN_CODE_NULL) p = put_distance(p, memory_offset(d), true);
        p = PUT_FLAG(p, w, SMEM, glc);
        return PUT_FLAG(p, w, SMEM, dlc);
    }
    if (!is_flat(d->encoding)) return put_buffer_flags(p, d);
    p = put_distance(p, memory_offset(d), false);
    p = PUT_FLAG(p, w, FLAT_NEWER, glc);
    p = PUT_FLAG(p, w, FLAT_NEWER, slc);
    p = PUT_FLAG(p, w, FLAT_NEWER, dlc);
    return PUT_FLAG(p, w, FLAT_NEWER, lds);
}
