/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode_operands.c: what an instruction reads and writes, from the template of its row and the fields of its word.
 */
#include <assert.h>
#include "code/gfx7_decoder.h"

/* ---- Where fields stand ---- */

/* How an operand's field is used. */
enum use { SOURCE_FIELD, DESTINATION, SCALAR_DESTINATION };

/* clang-format off */
const struct gfx7_field_place gfx7_places[GFX7_ENCODINGS][GFX7_IN_COUNT] = {
#define FIRST GFX7_CODE_FLAT_SCRATCH
#define PLACE(lo, bits, base, shift, use) {(1 << (bits)) - 1, (uint16_t)((base) - FIRST), lo, shift, use, 0}
#define VGPR(lo) PLACE(lo, 8, GFX7_CODE_VGPR, 0, SOURCE_FIELD)
#define VDST(lo) PLACE(lo, 8, GFX7_CODE_VGPR, 0, DESTINATION)
#define SDST(lo) PLACE(lo, 7, 0, 0, SCALAR_DESTINATION)
#define SOURCE(lo, bits) PLACE(lo, bits, 0, 0, SOURCE_FIELD)
#define PAIR(lo, bits) PLACE(lo, bits, 0, 1, SOURCE_FIELD) /* of SGPRs, by half its number */
#define QUAD(lo) PLACE(lo, 5, 0, 2, SOURCE_FIELD)
#define LANES(use) PLACE(0, 0, GFX7_CODE_VCC, 0, use) /* VCC, without a field */
    [GFX7_DS] = {[GFX7_IN_ADDR] = VGPR(32), [GFX7_IN_DATA0] = VGPR(40),
        [GFX7_IN_DATA1] = VGPR(48), [GFX7_IN_VDST] = VDST(56)},
    [GFX7_FLAT] = {[GFX7_IN_ADDR] = VGPR(32), [GFX7_IN_DATA] = VGPR(40)},
    [GFX7_MIMG] = {[GFX7_IN_SRSRC] = QUAD(48), [GFX7_IN_SSAMP] = QUAD(53)},
    [GFX7_MTBUF] = {[GFX7_IN_SRSRC] = QUAD(48), [GFX7_IN_SOFFSET] = SOURCE(56, 8)},
    [GFX7_MUBUF] = {[GFX7_IN_SRSRC] = QUAD(48), [GFX7_IN_SOFFSET] = SOURCE(56, 8)},
    [GFX7_SMRD] = {[GFX7_IN_SBASE] = PAIR(9, 6), [GFX7_IN_SDST] = SDST(15)},
    [GFX7_SOP1] = {[GFX7_IN_SSRC0] = SOURCE(0, 8), [GFX7_IN_SDST] = SDST(16)},
    [GFX7_SOP2] = {[GFX7_IN_SSRC0] = SOURCE(0, 8), [GFX7_IN_SSRC1] = SOURCE(8, 8), [GFX7_IN_SDST] = SDST(16)},
    [GFX7_SOPC] = {[GFX7_IN_SSRC0] = SOURCE(0, 8), [GFX7_IN_SSRC1] = SOURCE(8, 8)},
    [GFX7_SOPK] = {[GFX7_IN_SDST] = SDST(16)},
    [GFX7_VINTRP] = {[GFX7_IN_VDST] = VDST(18)},
    [GFX7_VOP1] = {[GFX7_IN_VDST] = VDST(17), [GFX7_IN_SRC0] = SOURCE(0, 9)},
    [GFX7_VOP2] = {[GFX7_IN_VDST] = VDST(17), [GFX7_IN_SRC0] = SOURCE(0, 9),
        [GFX7_IN_SRC1] = VGPR(9), [GFX7_IN_SRC2] = LANES(SOURCE_FIELD)},
    [GFX7_VOP3] = {[GFX7_IN_VDST] = VDST(0), [GFX7_IN_SRC0] = SOURCE(32, 9),
        [GFX7_IN_SRC1] = SOURCE(41, 9), [GFX7_IN_SRC2] = SOURCE(50, 9)},
    [GFX7_VOP3H] = {[GFX7_IN_VDST] = VDST(0), [GFX7_IN_SRC0] = SOURCE(32, 9), [GFX7_IN_SRC1] = SOURCE(41, 9),
        [GFX7_IN_SRC2] = SOURCE(50, 9), [GFX7_IN_SDST] = PLACE(8, 7, 0, 0, SCALAR_DESTINATION)},
    [GFX7_VOP3P] = {[GFX7_IN_VDST] = VDST(0), [GFX7_IN_SRC0] = SOURCE(32, 9),
        [GFX7_IN_SRC1] = SOURCE(41, 9), [GFX7_IN_SRC2] = SOURCE(50, 9)},
    [GFX7_VOPC] = {[GFX7_IN_SDST] = LANES(SCALAR_DESTINATION), [GFX7_IN_SRC0] = SOURCE(0, 9), [GFX7_IN_SRC1] = VGPR(9)},
};
/* clang-format on */

static inline void set_registers(
    struct gpudbg_operand *o, unsigned code, unsigned n, unsigned flags, unsigned type, unsigned slot)
{
    static_assert(GFX7_FILE_S == 0 && GFX7_FILE_V == 1 && GFX7_CODE_VGPR == 256, "the file is bit 8 of the code");
    memset(o, 0, sizeof *o);
    o->kind = GPUDBG_REGISTER;
    o->flags = (uint8_t)flags;
    o->file = (uint8_t)(code >> 8);
    o->type = (uint8_t)type;
    o->index = -1;
    o->reg = (uint8_t)code;
    o->count = (uint16_t)n;
    o->sub = (uint16_t)code;
    o->swizzle = (uint16_t)slot;
}

static struct gpudbg_operand *add(struct decoder *d, unsigned kind, unsigned flags, unsigned type, unsigned slot)
{
    struct gpudbg_operand *o = &d->insn->operands[d->insn->noperands++];
    *o = (struct gpudbg_operand){
        .kind = (uint8_t)kind, .flags = (uint8_t)flags, .type = (uint8_t)type, .index = -1, .swizzle = (uint16_t)slot};
    return o;
}

static void add_vgprs(struct decoder *d, unsigned first, unsigned n, unsigned flags, unsigned type, unsigned slot)
{
    set_registers(&d->insn->operands[d->insn->noperands++], GFX7_CODE_VGPR + first, n, flags, type, slot);
}

/* Registers of the codes 104 to 127. */
static void set_special_register(struct gpudbg_operand *o, unsigned code, unsigned dwords)
{
    static const uint8_t files[12] = {GFX7_FILE_FLAT_SCRATCH, GFX7_FILE_VCC, GFX7_FILE_TBA, GFX7_FILE_TMA,
        GFX7_FILE_TTMP, GFX7_FILE_TTMP, GFX7_FILE_TTMP, GFX7_FILE_TTMP, GFX7_FILE_TTMP, GFX7_FILE_TTMP, GFX7_FILE_M0,
        GFX7_FILE_EXEC};
    o->file = files[(code - GFX7_CODE_FLAT_SCRATCH) / 2];
    o->count = 1;
    if (o->file == GFX7_FILE_TTMP) {
        unsigned left = GFX7_CODE_M0 - code;
        o->reg = (uint16_t)(code - GFX7_CODE_TTMP);
        o->count = (uint16_t)(dwords < left ? dwords : left);
    }
}

/* Codes 104 to 255: registers with names, constants, the literal. */
static void add_special_code(struct decoder *d, unsigned code, unsigned flags, unsigned type, unsigned slot)
{
    struct gpudbg_operand *o = add(d, GPUDBG_REGISTER, flags, type, slot);
    uint64_t value;
    o->sub = (uint16_t)code;
    if (code < GFX7_CODE_INT && code != GFX7_CODE_M0 + 1)
        set_special_register(o, code, dwords_of(type));
    else if (gfx7_inline(code, type, &value)) {
        o->kind = code < GFX7_CODE_FLOAT ? GPUDBG_INTEGER : GPUDBG_NUMBER;
        o->imm = (int64_t)value;
    } else if (code == GFX7_CODE_INV_2PI && d->pro) {
        o->kind = GPUDBG_NUMBER;
        o->imm = (int64_t)gfx7_inv_2pi(type);
    } else if (code == GFX7_CODE_LITERAL && !is_long(d->encoding)) {
        o->kind = GPUDBG_LITERAL;
        o->imm = (int64_t)gfx7_literal(d->literal, type);
    } else if (code >= GFX7_CODE_VCCZ && code <= GFX7_CODE_SCC) {
        o->file = code == GFX7_CODE_VCCZ ? GFX7_FILE_VCC : code == GFX7_CODE_EXECZ ? GFX7_FILE_EXEC : GFX7_FILE_SCC;
        o->count = 1;
    } else {
        o->kind = GPUDBG_SPECIAL; /* reserved codes, and LDS_DIRECT */
        if (code == GFX7_CODE_LDS) d->lds_direct = true;
    }
}

/* Codes of SGPRs and VGPRs: nearly all. */
static inline bool is_register_code(unsigned code) { return code >= GFX7_CODE_VGPR || code < GFX7_CODE_FLAT_SCRATCH; }

/* The operand that a code stands for. */
static void add_code(struct decoder *d, unsigned code, unsigned flags, unsigned type, unsigned slot)
{
    if (is_register_code(code))
        set_registers(&d->insn->operands[d->insn->noperands++], code, dwords_of(type), flags, type, slot);
    else
        add_special_code(d, code, flags, type, slot);
}

static struct gfx7_field_place scalar_result_place(const struct gpudbg_op *op, int encoding, uint64_t w, unsigned type)
{
    static const struct gfx7_field_place vcc = LANES(SCALAR_DESTINATION), vop3b = PLACE(8, 7, 0, 0, SCALAR_DESTINATION),
                                         vop3 = PLACE(0, 8, 0, 0, SCALAR_DESTINATION),
                                         in_short = PLACE(17, 8, 0, 0, SCALAR_DESTINATION);
    if (encoding == GFX7_VOP3) return is_vop3b(op, w) ? vop3b : vop3;
    return type == GFX7_MASK ? vcc : in_short;
}

struct gfx7_field_place gfx7_place(const struct gpudbg_op *op, int encoding, uint64_t w, uint32_t operand)
{
    static const struct gfx7_field_place scalar[2] = {SOURCE(0, 9), SOURCE(32, 9)},
                                         lane[2] = {SOURCE(9, 8), SOURCE(41, 9)};
    unsigned slot = operand & 255;
    if (slot == GFX7_IN_SCALAR) return scalar[encoding == GFX7_VOP3];
    if (slot == GFX7_IN_LANE)
        return lane[encoding == GFX7_VOP3]; /* an operand code even where VOP2 has a VGPR number */
    bool vector = encoding == GFX7_VOP1 || encoding == GFX7_VOP2 || encoding == GFX7_VOP3;
    return slot == GFX7_IN_SDST && vector ? scalar_result_place(op, encoding, w, operand >> 8 & 255)
                                          : gfx7_places[encoding][slot];
}

/* The scalar result of a vector instruction: a lane mask, or the word of v_readlane. */
static void add_scalar_result(struct decoder *d, unsigned type)
{
    const struct gfx7_field_place place = scalar_result_place(d->op, d->encoding, d->word, type);
    bool own = place.lo == 8 || !place.mask; /* a field for it alone, or none */
    add_code(d, (code_above_sgprs(place, d->word) + FIRST) & 511, GPUDBG_WRITE | GPUDBG_ALL_LANES, type,
        own ? GFX7_IN_SDST : GFX7_IN_VDST);
}

/* How the data field of a memory instruction is used. */
static unsigned data_flags(const struct gpudbg_op *op, bool glc)
{
    if ((op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == GPUDBG_OP_LOAD) return GPUDBG_WRITE;
    return GPUDBG_READ | (op->flags & GPUDBG_OP_LOAD && glc ? GPUDBG_WRITE : 0);
}

static bool is_gather(const struct gpudbg_op *op)
{
    return op->id >= GFX7_image_gather4 && op->id <= GFX7_image_gather4_c_lz_o;
}

unsigned image_address_least(const struct gpudbg_op *op)
{
    unsigned n = 1;
    for (const char *p = op->name; (p = strchr(p, '_')) != NULL;) {
        size_t len = strcspn(++p, "_");
        if ((len == 1 && strchr("cbdo", *p)) || (len == 2 && memcmp(p, "cd", 2) == 0)) n++;
    }
    return n;
}

unsigned buffer_address_dwords(uint64_t w)
{
    bool offen = bits_of(w, 12, 12), idxen = bits_of(w, 13, 13), addr64 = bits_of(w, 15, 15);
    return addr64 ? 2 : (unsigned)offen + idxen;
}

/* VADDR: for images as many VGPRs as a 2D image needs, if there are so many; for buffers by the flags that
 * ask for them. */
static void add_address(struct decoder *d, unsigned type, unsigned slot)
{
    unsigned first = bits_of(d->word, 39, 32), n = dwords_of(type);
    if (d->encoding == GFX7_MIMG) {
        unsigned least = first + n > 256 ? image_address_least(d->op) : 0;
        if (first + n > 256) n = 256 - first > least ? 256 - first : least;
    } else {
        n = buffer_address_dwords(d->word);
        type = bits_of(d->word, 15, 15) ? GFX7_U64 : n == 2 ? GFX7_B64 : GFX7_U32;
    }
    if (n)
        add_vgprs(d, first, n, GPUDBG_READ, type, slot);
    else
        add(d, GPUDBG_SPECIAL, 0, 0, slot);
}

unsigned data_dwords(const struct decoder *d, unsigned dwords)
{
    uint64_t w = d->word;
    if (d->encoding == GFX7_MIMG) {
        static const uint8_t set[16] = {1, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
        return (is_gather(d->op) ? 4 : set[bits_of(w, 11, 8)]) + bits_of(w, 16, 16);
    }
    if (d->encoding == GFX7_MUBUF && bits_of(w, 16, 16)) return 0; /* lds: no VGPR */
    return dwords + bits_of(w, 55, 55);
}

static void add_data(struct decoder *d, unsigned type, unsigned slot)
{
    unsigned n = data_dwords(d, dwords_of(type)), glc = d->encoding == GFX7_MIMG ? 13 : 14;
    if (n) add_vgprs(d, bits_of(d->word, 47, 40), n, data_flags(d->op, bits_of(d->word, glc, glc)), type, slot);
}

static void add_export_source(struct decoder *d, unsigned n, unsigned type, unsigned slot)
{
    bool compr = bits_of(d->word, 10, 10);
    if (bits_of(d->word, n, n)) {
        unsigned from = compr ? n / 2 : n;
        add_vgprs(d, bits_of(d->word, 39 + 8 * from, 32 + 8 * from), 1, GPUDBG_READ, type, slot);
    } else
        add(d, GPUDBG_SPECIAL, 0, 0, slot);
}

static struct gpudbg_operand *add_constant(
    struct decoder *d, unsigned kind, unsigned type, unsigned slot, int64_t value)
{
    struct gpudbg_operand *o = add(d, kind, 0, type, slot);
    o->imm = value;
    return o;
}

static void add_simm16(struct decoder *d, unsigned type)
{
    uint16_t value = (uint16_t)d->word;
    switch (type) {
    case GFX7_TARGET:
        add_constant(d, GPUDBG_CODE, type, GFX7_IN_SIMM16, (int64_t)branch_target(d->insn->addr, value));
        break;
    case GFX7_WAITCNT:
    case GFX7_SENDMSG: add_constant(d, GPUDBG_SPECIAL, type, GFX7_IN_SIMM16, value); break;
    case GFX7_HWREG: /* read, or written where it comes first */
        add_constant(d, GPUDBG_SPECIAL, type, GFX7_IN_SIMM16, value)->flags = d->insn->noperands > 1 ? GPUDBG_READ
                                                                                                     : GPUDBG_WRITE;
        break;
    case GFX7_I16: add_constant(d, GPUDBG_INTEGER, type, GFX7_IN_SIMM16, (int16_t)value); break;
    default: add_constant(d, GPUDBG_INTEGER, type, GFX7_IN_SIMM16, value);
    }
}

/* Operands that are not just a field. */
static void add_apart(struct decoder *d, unsigned type, unsigned slot)
{
    uint64_t w = d->word;
    switch (slot) {
    case GFX7_IN_SDST: add_scalar_result(d, type); break;
    case GFX7_IN_SIMM16: add_simm16(d, type); break;
    case GFX7_IN_LITERAL:
    case GFX7_IN_K:
        add_constant(d, GPUDBG_LITERAL, type, slot, (int64_t)gfx7_literal(d->literal, type))->sub = GFX7_CODE_LITERAL;
        break;
    case GFX7_IN_OFFSET: /* of SMRD */
        if (bits_of(w, 8, 8))
            add_constant(d, GPUDBG_INTEGER, type, slot, bits_of(w, 7, 0));
        else
            add_code(d, bits_of(w, 7, 0), GPUDBG_READ, type, slot);
        break;
    case GFX7_IN_SCALAR:
    case GFX7_IN_LANE:
        add_code(d, (code_above_sgprs(gfx7_place(d->op, d->encoding, w, slot), w) + FIRST) & 511, GPUDBG_READ, type,
            slot == GFX7_IN_SCALAR ? GFX7_IN_SRC0 : GFX7_IN_SRC1);
        break;
    case GFX7_IN_VDST: /* of FLAT: atomics return only with glc */
        if (!(d->op->flags & GPUDBG_OP_STORE) || bits_of(w, 16, 16))
            add_vgprs(d, bits_of(w, 63, 56), dwords_of(type) + bits_of(w, 55, 55), GPUDBG_WRITE, type, slot);
        break;
    case GFX7_IN_VSRC:
        if (type == GFX7_SLOT)
            add_constant(d, GPUDBG_SPECIAL, type, slot, bits_of(w, 7, 0));
        else
            add_vgprs(d, bits_of(w, 7, 0), 1, GPUDBG_READ, type, slot);
        break;
    case GFX7_IN_ATTR:
        add_constant(d, GPUDBG_SPECIAL, type, slot, bits_of(w, 15, 8))
            ->flags = GPUDBG_READ; /* attribute << 2 | channel */
        break;
    case GFX7_IN_VDATA: add_data(d, type, slot); break;
    case GFX7_IN_VADDR: add_address(d, type, slot); break;
    case GFX7_IN_TGT: add_constant(d, GPUDBG_SPECIAL, type, slot, bits_of(w, 9, 4))->flags = GPUDBG_WRITE; break;
    case GFX7_IN_VSRC0:
    case GFX7_IN_VSRC1:
    case GFX7_IN_VSRC2:
    case GFX7_IN_VSRC3: add_export_source(d, slot - GFX7_IN_VSRC0, type, slot); break;
    }
}

/* Operands that are not just a register. */
__attribute__((noinline)) static void add_other(
    struct decoder *d, struct gfx7_field_place place, unsigned code, unsigned flags, uint32_t operand)
{
    unsigned type = operand >> 8 & 255, slot = operand & 255;
    if (place.mask | place.bias)
        add_special_code(d, code, flags, type, slot);
    else
        add_apart(d, type, slot);
}

/* Signs and absolute values of the long form, and of SDWA. */
static void add_modifiers(struct decoder *d)
{
    const uint32_t sdwa = d->lanes ? d->literal : 0;
    unsigned neg = bits_of(d->word, 63, 61), abs = is_vop3b(d->op, d->word) ? 0 : bits_of(d->word, 10, 8);
    unsigned sext = 0;
    if (d->lanes) {
        sext = (sdwa >> 19 & 1) | (sdwa >> 27 & 1) << 1;
        neg = (sdwa >> 20 & 1) | (sdwa >> 28 & 1) << 1;
        abs = (sdwa >> 21 & 1) | (sdwa >> 29 & 1) << 1;
    }
    for (unsigned i = 0; i < d->insn->noperands; i++) {
        struct gpudbg_operand *o = &d->insn->operands[i];
        unsigned n = o->swizzle - GFX7_IN_SRC0;
        if (n >= 3) continue;
        o->mods = (uint8_t)((neg >> n & 1 ? GFX7_NEG : 0) | (abs >> n & 1 ? GFX7_ABS : 0));
        if (sext >> n & 1) o->mods |= GFX7_SEXT;
    }
}

/* How a destination field of the row is used. */
static unsigned destination_flags(uint32_t flags)
{
    return (flags & GFX7_DIN      ? GPUDBG_READ
               : flags & GFX7_DRW ? GPUDBG_READ | GPUDBG_WRITE
                                  : GPUDBG_WRITE) |
           (flags & GFX7_ALL ? GPUDBG_ALL_LANES : 0);
}

/* The operands of a template, up to the 0 that ends it.  What the loop needs is in locals: stores to an operand's bytes
 * may alias anything. */
static void add_operands(struct decoder *d, const uint32_t *template)
{
    const struct gfx7_field_place *here = gfx7_places[d->encoding];
    const uint64_t w = d->word;
    const unsigned destination = destination_flags(d->op->flags);
    const uint8_t flags[] = {(uint8_t)(GPUDBG_READ | (destination & GPUDBG_ALL_LANES)), (uint8_t)destination,
        (uint8_t)(destination | GPUDBG_ALL_LANES)};
    struct gpudbg_insn *insn = d->insn;
    struct gpudbg_operand *o = insn->operands;
    for (uint32_t operand; (operand = *template) != 0; template ++) {
        const struct gfx7_field_place place = here[operand & 255];
        unsigned above = code_above_sgprs(place, w);
        if (above >= GFX7_CODE_VGPR - FIRST) {
            set_registers(
                o++, (above + FIRST) & 511, operand >> 16, flags[place.use], operand >> 8 & 255, operand & 255);
            continue;
        }
        insn->noperands = (uint8_t)(o - insn->operands);
        add_other(d, place, above + FIRST, flags[place.use], operand);
        o = insn->operands + insn->noperands;
    }
    insn->noperands = (uint8_t)(o - insn->operands);
    if (has_source_modifiers(d)) add_modifiers(d);
}

/* SDWA may name an SGPR where a short word has a VGPR, and another result for a comparison. */
static void sdwa_operands(struct decoder *d)
{
    for (unsigned i = 0; i < d->insn->noperands; i++) {
        struct gpudbg_operand *o = &d->insn->operands[i], whole = *o;
        const bool scalar = o->swizzle == GFX7_IN_SRC1 && d->literal >> 31;
        const bool result = d->lanes == GFX7_W_SDWA_VOPC && o->swizzle == GFX7_IN_SDST && d->literal >> 15 & 1;
        const uint8_t n = d->insn->noperands;
        if (d->lanes == GFX7_W_DPP || (!scalar && !result)) continue;
        d->insn->noperands = (uint8_t)i;
        add_code(d, scalar ? whole.sub & 0xff : d->literal >> 8 & 0x7f, whole.flags, whole.type, whole.swizzle);
        d->insn->operands[i].mods = whole.mods;
        d->insn->noperands = n;
    }
}

bool decode_operand(struct decoder *d, uint32_t operand)
{
    add_operands(d, (const uint32_t[]){operand, 0});
    if (d->lanes) sdwa_operands(d);
    return d->insn->noperands != 0;
}

/* ---- What is read and written besides ---- */

static void add_implicit(struct decoder *d, unsigned file, unsigned flags)
{
    struct gpudbg_operand *o = add(
        d, GPUDBG_REGISTER, flags | GPUDBG_IMPLICIT | GPUDBG_ALL_LANES, GFX7_B32, GFX7_IN_NONE);
    o->file = (uint8_t)file;
    o->count = 1;
}

/* The memory that is read or written: space, address operand, constant part of the address. */
static void add_memory(struct decoder *d)
{
    uint64_t w = d->word;
    unsigned flags = (d->op->flags & GPUDBG_OP_LOAD ? GPUDBG_READ : 0) |
                     (d->op->flags & GPUDBG_OP_STORE ? GPUDBG_WRITE : 0);
    struct gpudbg_operand *o = add(d, GPUDBG_MEMORY, flags | GPUDBG_IMPLICIT, GFX7_B32, GFX7_IN_NONE);
    static const uint8_t address[] = {GFX7_IN_ADDR, GFX7_IN_VADDR, GFX7_IN_SBASE};
    for (unsigned i = 0; i < sizeof address && o->index < 0; i++) {
        const struct gpudbg_operand *from = gfx7_operand(d->insn, address[i]);
        if (from) o->index = (int8_t)(from - d->insn->operands);
    }
    o->file = GPUDBG_GLOBAL;
    if (d->encoding == GFX7_DS) {
        o->sub = (uint16_t)bits_of(w, 17, 17);
        o->file = o->sub ? GPUDBG_GLOBAL : GPUDBG_LOCAL;
        if (d->op->format == &gfx7_layouts[GFX7_W_DS]) o->imm = bits_of(w, 15, 0);
    } else if (d->encoding == GFX7_MUBUF || d->encoding == GFX7_MTBUF)
        o->imm = bits_of(w, 11, 0);
    else if (d->encoding == GFX7_SMRD)
        o->imm = bits_of(w, 8, 8) ? 4 * (int64_t)bits_of(w, 7, 0) : 4 * (int64_t)d->literal;
}

/* A buffer load with lds set goes to LDS, at M0. */
static void add_lds_target(struct decoder *d)
{
    struct gpudbg_operand *o = add(d, GPUDBG_MEMORY, GPUDBG_WRITE | GPUDBG_IMPLICIT, GFX7_B32, GFX7_IN_NONE);
    o->file = GPUDBG_LOCAL;
    o->index = (int8_t)d->insn->noperands;
    add_implicit(d, GFX7_FILE_M0, GPUDBG_READ);
}

static void add_implicits(struct decoder *d)
{
    uint32_t flags = d->op->flags;
    const uint32_t any = GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GFX7_SCC_R | GFX7_SCC_W | GFX7_VCC_R | GFX7_EXEC_R |
                         GFX7_EXEC_W | GFX7_M0_R | GFX7_MODE_W;
    if (!(flags & any || d->lds_direct)) return;
    if (flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) add_memory(d);
    if (d->encoding == GFX7_MUBUF && bits_of(d->word, 16, 16)) add_lds_target(d);
    if (flags & (GFX7_SCC_R | GFX7_SCC_W))
        add_implicit(
            d, GFX7_FILE_SCC, (flags & GFX7_SCC_R ? GPUDBG_READ : 0) | (flags & GFX7_SCC_W ? GPUDBG_WRITE : 0));
    if (flags & GFX7_VCC_R) add_implicit(d, GFX7_FILE_VCC, GPUDBG_READ);
    if (flags & (GFX7_EXEC_R | GFX7_EXEC_W))
        add_implicit(
            d, GFX7_FILE_EXEC, (flags & GFX7_EXEC_R ? GPUDBG_READ : 0) | (flags & GFX7_EXEC_W ? GPUDBG_WRITE : 0));
    if (flags & GFX7_M0_R || d->lds_direct) add_implicit(d, GFX7_FILE_M0, GPUDBG_READ);
    if (flags & GFX7_MODE_W) add_implicit(d, GFX7_FILE_MODE, GPUDBG_WRITE);
}

void decode_operands(struct decoder *d)
{
    add_operands(d, gfx7_templates[d->op->id].operand);
    if (d->lanes) sdwa_operands(d);
    add_implicits(d);
}
