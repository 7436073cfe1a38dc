/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode_operands.c: the operands that an instruction reads and writes, from the template of its row and the fields of
 * its word. */
#include <assert.h>
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* ---- Places of fields ---- */

/* How an operand's field is used. */
enum use { SOURCE_FIELD, DESTINATION, SCALAR_DESTINATION };

#define FIRST GCN_CODE_FLAT_SCRATCH
/* A code is base + (the bits << shift). */
#define PLACE(lo, len, base, shift, use)                                             \
    {                                                                                \
        (uint16_t) ONES(len), (uint16_t)((base)-FIRST), (uint8_t)(lo), shift, use, 0 \
    }

/* The column "shown as" of formats.def, followed by (bits): the place of an operand, or nothing. */
#define NONE(range)
#define OF_NUMBER(shift) NONE
#define OF_SIGNED NONE
#define OF_FLAG NONE
#define OF_NAMED(id) NONE
#define OF_CODE NONE
#define OF_SAY(what) NONE
#define OF_REG(kind, slot) [GCN_IN_##slot] = OF_##kind
#define AT(range, base, shift, use) PLACE(RANGE_LO(range), RANGE_LEN(range), base, shift, use),
#define OF_VGPR(range) AT(range, GCN_CODE_VGPR, 0, SOURCE_FIELD)
#define OF_VDST(range) AT(range, GCN_CODE_VGPR, 0, DESTINATION)
#define OF_SOURCE(range) AT(range, 0, 0, SOURCE_FIELD)
#define OF_SDST(range) AT(range, 0, 0, SCALAR_DESTINATION)
#define OF_PAIR(range) AT(range, 0, 1, SOURCE_FIELD)
#define OF_QUAD(range) AT(range, 0, 2, SOURCE_FIELD)
#define NOWHERE          \
    {                    \
        0, 0, 0, 0, 0, 0 \
    }
#define OF_SOME(range) NOWHERE,
#define OF_PART(range) NOWHERE,
#define VCC_SOURCE                                     \
    {                                                  \
        0, GCN_CODE_VCC - FIRST, 0, 0, SOURCE_FIELD, 0 \
    }
#define VCC_SDST                                             \
    {                                                        \
        0, GCN_CODE_VCC - FIRST, 0, 0, SCALAR_DESTINATION, 0 \
    }

/* clang-format off */
const struct gcn_field_place gcn_places[GCN_WORD_LAYOUTS][GCN_IN_COUNT] = {
#define FORMAT(layout, word, bits, mask, match, doc) [GCN_W_##layout] = {[GCN_IN_NONE] = NOWHERE,
#define FIELD(name, range, how, doc) OF_##how(range)
#define REST(range, how, doc)
#define OPERAND(slot, range)
#define IMPLIED(kind, slot) [GCN_IN_##slot] = VCC_##kind,
#define END },
#include "formats.def"
};
/* clang-format on */

static inline void set_registers(
    struct gpudbg_operand *o, unsigned code, unsigned n, unsigned flags, unsigned type, unsigned slot)
{
    static_assert(GCN_FILE_S == 0 && GCN_FILE_V == 1 && GCN_CODE_VGPR == 256, "the file is bit 8 of the code");
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

void add_vgprs(struct decoder *d, unsigned first, unsigned n, unsigned flags, unsigned type, unsigned slot)
{
    set_registers(&d->insn->operands[d->insn->noperands++], GCN_CODE_VGPR + first, n, flags, type, slot);
}

/* Registers of the codes 104 to 127. */
static void set_special_register(const struct gcn_chip *chip, struct gpudbg_operand *o, unsigned code, unsigned dwords)
{
    static const uint8_t files[12] = {GCN_FILE_FLAT_SCRATCH, GCN_FILE_VCC, GCN_FILE_TBA, GCN_FILE_TMA, GCN_FILE_TTMP,
        GCN_FILE_TTMP, GCN_FILE_TTMP, GCN_FILE_TTMP, GCN_FILE_TTMP, GCN_FILE_TTMP, GCN_FILE_M0, GCN_FILE_EXEC};
    o->file = code >= chip->ttmp && code < GCN_CODE_M0 ? GCN_FILE_TTMP : files[(code - GCN_CODE_FLAT_SCRATCH) / 2];
    o->count = 1;
    if (o->file == GCN_FILE_TTMP) {
        unsigned left = GCN_CODE_M0 - code;
        o->reg = (uint16_t)(code - chip->ttmp);
        o->count = (uint16_t)(dwords < left ? dwords : left);
    }
}

/* Codes 104 to 255: registers with names, constants, the literal. */
static void add_special_code(struct decoder *d, unsigned code, unsigned flags, unsigned type, unsigned slot)
{
    struct gpudbg_operand *o = add(d, GPUDBG_REGISTER, flags, type, slot);
    uint64_t value;
    o->sub = (uint16_t)code;
    if (code < d->chip->sgprs)
        set_registers(o, code, dwords_of(type), flags, type, slot);
    else if (lacks_flat_scratch(d->chip, code) || code == GCN_CODE_NULL)
        o->kind = GPUDBG_SPECIAL;
    else if (code < GCN_CODE_INT)
        set_special_register(d->chip, o, code, dwords_of(type));
    else if (gcn_inline(code, type, &value)) {
        o->kind = code < GCN_CODE_FLOAT ? GPUDBG_INTEGER : GPUDBG_NUMBER;
        o->imm = (int64_t)value;
    } else if (code == GCN_CODE_INV_2PI && d->chip->inv_2pi) {
        o->kind = GPUDBG_NUMBER;
        o->imm = (int64_t)gcn_inv_2pi(type);
    } else if (code == GCN_CODE_LITERAL && has_literal(d->encoding, d->size) && !d->lanes) {
        o->kind = GPUDBG_LITERAL;
        o->imm = (int64_t)gcn_literal(d->literal, type);
    } else if (code >= GCN_CODE_VCCZ && code <= GCN_CODE_SCC) {
        o->file = code == GCN_CODE_VCCZ ? GCN_FILE_VCC : code == GCN_CODE_EXECZ ? GCN_FILE_EXEC : GCN_FILE_SCC;
        o->count = 1;
    } else {
        o->kind = GPUDBG_SPECIAL; /* reserved codes, and LDS_DIRECT */
        if (code == GCN_CODE_LDS) d->lds_direct = true;
    }
}

/* Codes of SGPRs and VGPRs: nearly all. */
static inline bool is_register_code(unsigned code) { return code >= GCN_CODE_VGPR || code < GCN_CODE_FLAT_SCRATCH; }

/* Adds the operand that has the code. */
void add_code(struct decoder *d, unsigned code, unsigned flags, unsigned type, unsigned slot)
{
    if (is_register_code(code))
        set_registers(&d->insn->operands[d->insn->noperands++], code, dwords_of(type), flags, type, slot);
    else
        add_special_code(d, code, flags, type, slot);
}

/* Operands of vector words that are in a field of another kind: a scalar result in VDST, a scalar or a lane's number in
 * a source. */
#define SCALAR_AT(layout, name, use) PLACE(LO_OF(layout, name), LEN_OF(layout, name), 0, 0, use)

static struct gcn_field_place scalar_result_place(const struct gpudbg_op *op, int encoding, unsigned type)
{
    static const struct gcn_field_place vop3 = SCALAR_AT(VOP3, vdst, SCALAR_DESTINATION),
                                        in_short = SCALAR_AT(VOP1, vdst, SCALAR_DESTINATION);
    if (is_long(encoding)) return is_vop3b(op) ? gcn_places[GCN_W_VOP3B][GCN_IN_SDST] : vop3;
    return gcn_is_mask(type) ? gcn_places[GCN_W_VOPC][GCN_IN_SDST] : in_short;
}

struct gcn_field_place gcn_place(const struct gpudbg_op *op, int encoding, uint32_t operand)
{
    static const struct gcn_field_place scalar[2] = {SCALAR_AT(VOP1, src0, SOURCE_FIELD),
        SCALAR_AT(VOP3, src0, SOURCE_FIELD)},
                                        lane[2] = {
                                            SCALAR_AT(VOP2, vsrc1, SOURCE_FIELD), SCALAR_AT(VOP3, src1, SOURCE_FIELD)};
    unsigned slot = operand & 255;
    if (slot == GCN_IN_SCALAR) return scalar[is_long(encoding)];
    if (slot == GCN_IN_LANE) return lane[is_long(encoding)]; /* an operand code even where VOP2 has a VGPR number */
    bool vector = encoding == GCN_VOP1 || encoding == GCN_VOP2 || encoding == GCN_VOP3 || encoding == GCN_VOP3H;
    return slot == GCN_IN_SDST && vector ? scalar_result_place(op, encoding, operand >> 8 & 255)
                                         : gcn_places[gcn_layout_of[encoding]][slot];
}

/* The scalar result of a vector instruction: a lane mask, or the word of v_readlane. */
static void add_scalar_result(struct decoder *d, unsigned type)
{
    const struct gcn_field_place place = scalar_result_place(d->op, d->encoding, type);
    bool own = place.lo == LO_OF(VOP3B, sdst) || !place.mask; /* a field of its own, or no field */
    add_code(d, (code_above_sgprs(place, d->word) + FIRST) & 511, GPUDBG_WRITE | GPUDBG_ALL_LANES, type,
        own ? GCN_IN_SDST : GCN_IN_VDST);
}

/* How the data field of a memory instruction is used. */
unsigned data_flags(const struct gpudbg_op *op, bool glc)
{
    if ((op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == GPUDBG_OP_LOAD) return GPUDBG_WRITE;
    return GPUDBG_READ | (op->flags & GPUDBG_OP_LOAD && glc ? GPUDBG_WRITE : 0);
}

static bool is_gather(const struct gpudbg_op *op)
{
    return op->id >= GCN_image_gather4 && op->id <= GCN_image_gather4_c_lz_o;
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

/* Both buffer encodings have these fields in the same place, so code for both reads them as MUBUF's fields. */
#define BOTH(name) static_assert(MASK(MUBUF, name) == MASK(MTBUF, name), #name)
BOTH(offset);
BOTH(offen);
BOTH(idxen);
BOTH(glc);
BOTH(addr64);
BOTH(vaddr);
BOTH(vdata);
BOTH(srsrc);
BOTH(slc);
BOTH(tfe);
BOTH(soffset);

unsigned buffer_address_dwords(uint64_t w)
{
    return GET(w, MUBUF, addr64) ? 2 : GET(w, MUBUF, offen) + GET(w, MUBUF, idxen);
}

/* VADDR: for images, as many VGPRs as a 2D image needs, unless the VGPRs end before; for buffers, by the flags that ask
 * for them. */
static void add_address(struct decoder *d, unsigned type, unsigned slot)
{
    const bool image = d->encoding == GCN_MIMG;
    unsigned first = image ? GET(d->word, MIMG, vaddr) : GET(d->word, MUBUF, vaddr), n = dwords_of(type);
    if (image) {
        unsigned least = first + n > 256 ? image_address_least(d->op) : 0;
        if (first + n > 256) n = 256 - first > least ? 256 - first : least;
    } else {
        n = buffer_address_dwords(d->word);
        type = GET(d->word, MUBUF, addr64) ? GCN_U64 : n == 2 ? GCN_B64 : GCN_U32;
    }
    if (n)
        add_vgprs(d, first, n, GPUDBG_READ, type, slot);
    else
        add(d, GPUDBG_SPECIAL, 0, 0, slot);
}

unsigned mask_dwords(unsigned dmask)
{
    static const uint8_t set[16] = {1, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return set[dmask & 15];
}

unsigned data_dwords(const struct decoder *d, unsigned dwords)
{
    uint64_t w = d->word;
    if (d->encoding == GCN_MIMG) return (is_gather(d->op) ? 4 : mask_dwords(GET(w, MIMG, dmask))) + GET(w, MIMG, tfe);
    if (d->encoding == GCN_MUBUF && GET(w, MUBUF, lds)) return 0;
    return dwords + GET(w, MUBUF, tfe);
}

static void add_data(struct decoder *d, unsigned type, unsigned slot)
{
    const bool image = d->encoding == GCN_MIMG, glc = image ? GET(d->word, MIMG, glc) : GET(d->word, MUBUF, glc);
    const unsigned n = data_dwords(d, dwords_of(type));
    const unsigned first = image ? GET(d->word, MIMG, vdata) : GET(d->word, MUBUF, vdata);
    if (n) add_vgprs(d, first, n, data_flags(d->op, glc), type, slot);
}

static void add_export_source(struct decoder *d, unsigned n, unsigned type, unsigned slot)
{
    if (GET(d->word, EXP, en) >> n & 1)
        add_vgprs(d, export_source(d->word, GET(d->word, EXP, compr) ? n / 2 : n), 1, GPUDBG_READ, type, slot);
    else
        add(d, GPUDBG_SPECIAL, 0, 0, slot);
}

struct gpudbg_operand *add_constant(struct decoder *d, unsigned kind, unsigned type, unsigned slot, int64_t value)
{
    struct gpudbg_operand *o = add(d, kind, 0, type, slot);
    o->imm = value;
    return o;
}

static void add_simm16(struct decoder *d, unsigned type)
{
    uint16_t value = (uint16_t)d->word;
    switch (type) {
    case GCN_TARGET:
        add_constant(d, GPUDBG_CODE, type, GCN_IN_SIMM16, (int64_t)branch_target(d->insn->addr, value));
        break;
    case GCN_WAITCNT:
    case GCN_DEPCTR:
    case GCN_SENDMSG: add_constant(d, GPUDBG_SPECIAL, type, GCN_IN_SIMM16, value); break;
    case GCN_HWREG: /* read; written if it is the first operand */
        add_constant(d, GPUDBG_SPECIAL, type, GCN_IN_SIMM16, value)->flags = d->insn->noperands > 1 ? GPUDBG_READ
                                                                                                    : GPUDBG_WRITE;
        break;
    case GCN_I16: add_constant(d, GPUDBG_INTEGER, type, GCN_IN_SIMM16, (int16_t)value); break;
    default: add_constant(d, GPUDBG_INTEGER, type, GCN_IN_SIMM16, value);
    }
}

/* Operands that are more than a field. */
static void add_apart(struct decoder *d, unsigned type, unsigned slot)
{
    uint64_t w = d->word;
    switch (slot) {
    case GCN_IN_SDST: add_scalar_result(d, type); break;
    case GCN_IN_SIMM16: add_simm16(d, type); break;
    case GCN_IN_LITERAL:
    case GCN_IN_K:
        add_constant(d, GPUDBG_LITERAL, type, slot, (int64_t)gcn_literal(d->literal, type))->sub = GCN_CODE_LITERAL;
        break;
    case GCN_IN_OFFSET: /* of SMRD */
        if (GET(w, SMRD, imm))
            add_constant(d, GPUDBG_INTEGER, type, slot, GET(w, SMRD, offset));
        else
            add_code(d, GET(w, SMRD, offset), GPUDBG_READ, type, slot);
        break;
    case GCN_IN_SCALAR:
    case GCN_IN_LANE:
        add_code(d, (code_above_sgprs(gcn_place(d->op, d->encoding, slot), w) + FIRST) & 511, GPUDBG_READ, type,
            slot == GCN_IN_SCALAR ? GCN_IN_SRC0 : GCN_IN_SRC1);
        break;
    case GCN_IN_VDST: /* of FLAT: atomics return only with glc */
        if (!(d->op->flags & GPUDBG_OP_STORE) || GET(w, FLAT, glc))
            add_vgprs(d, GET(w, FLAT, vdst), dwords_of(type) + GET(w, FLAT, tfe), GPUDBG_WRITE, type, slot);
        break;
    case GCN_IN_VSRC:
        if (type == GCN_SLOT)
            add_constant(d, GPUDBG_SPECIAL, type, slot,
                is_long(d->encoding) ? GET(w, VOP3H_INTERP_MOV, vsrc) : GET(w, VINTRP_MOV, vsrc));
        else
            add_vgprs(d, GET(w, VINTRP, vsrc), 1, GPUDBG_READ, type, slot);
        break;
    case GCN_IN_ATTR:
        add_constant(d, GPUDBG_SPECIAL, type, slot,
            is_long(d->encoding) ? GET(w, VOP3H_INTERP, attr) << 2 | GET(w, VOP3H_INTERP, attrchan)
                                 : GET(w, VINTRP, attr) << 2 | GET(w, VINTRP, attrchan))
            ->flags = GPUDBG_READ;
        break;
    case GCN_IN_VDATA: add_data(d, type, slot); break;
    case GCN_IN_VADDR: add_address(d, type, slot); break;
    case GCN_IN_TGT: add_constant(d, GPUDBG_SPECIAL, type, slot, GET(w, EXP, tgt))->flags = GPUDBG_WRITE; break;
    case GCN_IN_VSRC0:
    case GCN_IN_VSRC1:
    case GCN_IN_VSRC2:
    case GCN_IN_VSRC3: add_export_source(d, slot - GCN_IN_VSRC0, type, slot); break;
    }
}

/* Operands that are more than a register. */
__attribute__((noinline)) static void add_other(
    struct decoder *d, struct gcn_field_place place, unsigned code, unsigned flags, uint32_t operand)
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
    const uint32_t sdwa = d->literal;
    unsigned neg = GET(d->word, VOP3, neg), abs = is_vop3b(d->op) ? 0 : GET(d->word, VOP3, abs), sext = 0;
    if (d->encoding == GCN_VOP3P) {
        neg = GET(d->word, VOP3P, neg_lo);
        abs = GET(d->word, VOP3P, neg_hi);
    } else if (d->lanes == GCN_W_DPP) {
        neg = GET(sdwa, DPP, src0_neg) | GET(sdwa, DPP, src1_neg) << 1;
        abs = GET(sdwa, DPP, src0_abs) | GET(sdwa, DPP, src1_abs) << 1;
    } else if (d->lanes) {
        sext = GET(sdwa, SDWA, src0_sext) | GET(sdwa, SDWA, src1_sext) << 1;
        neg = GET(sdwa, SDWA, src0_neg) | GET(sdwa, SDWA, src1_neg) << 1;
        abs = GET(sdwa, SDWA, src0_abs) | GET(sdwa, SDWA, src1_abs) << 1;
    }
    for (unsigned i = 0; i < d->insn->noperands; i++) {
        struct gpudbg_operand *o = &d->insn->operands[i];
        unsigned n = o->swizzle - GCN_IN_SRC0;
        if (n >= 3) continue;
        o->mods = (uint8_t)((neg >> n & 1 ? GCN_NEG : 0) | (abs >> n & 1 ? GCN_ABS : 0));
        if (sext >> n & 1) o->mods |= GCN_SEXT;
        if (d->chip->newer_vop3 && d->lanes != GCN_W_SDWA && n && takes_sext(d->op))
            o->mods = neg >> n & 1 ? GCN_SEXT : 0;
    }
}

/* How a destination field of the row is used. */
static unsigned destination_flags(uint64_t flags)
{
    return (flags & GCN_DIN      ? GPUDBG_READ
               : flags & GCN_DRW ? GPUDBG_READ | GPUDBG_WRITE
                                 : GPUDBG_WRITE) |
           (flags & GCN_ALL ? GPUDBG_ALL_LANES : 0);
}

/* The operands of a template, up to the 0 that ends it.  The loop keeps its values in locals, because stores to an
 * operand's bytes may alias anything. */
static void add_operands(struct decoder *d, const uint32_t *template)
{
    const struct gcn_field_place *here = gcn_places[gcn_layout_of[d->encoding]];
    const uint64_t w = d->word;
    const unsigned destination = destination_flags(d->op->flags);
    const uint8_t flags[] = {(uint8_t)(GPUDBG_READ | (destination & GPUDBG_ALL_LANES)), (uint8_t)destination,
        (uint8_t)(destination | GPUDBG_ALL_LANES)};
    struct gpudbg_insn *insn = d->insn;
    struct gpudbg_operand *o = insn->operands;
    for (uint32_t operand; (operand = *template) != 0; template ++) {
        const struct gcn_field_place place = here[operand & 255];
        unsigned above = code_above_sgprs(place, w);
        if (above >= GCN_CODE_VGPR - FIRST) {
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

/* An SDWA word may name an SGPR where a short word has a VGPR, and another destination for a comparison. */
static void sdwa_operands(struct decoder *d)
{
    for (unsigned i = 0; i < d->insn->noperands; i++) {
        struct gpudbg_operand *o = &d->insn->operands[i], whole = *o;
        const bool scalar = o->swizzle == GCN_IN_SRC1 && GET(d->literal, SDWA, s1);
        const bool result = d->lanes == GCN_W_SDWA_VOPC && o->swizzle == GCN_IN_SDST && GET(d->literal, SDWA_VOPC, sd);
        const uint8_t n = d->insn->noperands;
        if (is_dpp(d->lanes) || (!scalar && !result)) continue;
        d->insn->noperands = (uint8_t)i;
        add_code(
            d, scalar ? whole.sub & 0xff : GET(d->literal, SDWA_VOPC, sdst), whole.flags, whole.type, whole.swizzle);
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

/* ---- Reads and writes besides the operands ---- */

static void add_implicit(struct decoder *d, unsigned file, unsigned flags)
{
    struct gpudbg_operand *o = add(
        d, GPUDBG_REGISTER, flags | GPUDBG_IMPLICIT | GPUDBG_ALL_LANES, GCN_B32, GCN_IN_NONE);
    o->file = (uint8_t)file;
    o->count = 1;
    /* In waves of 32 lanes a mask is the first of the pair alone. */
    if (d->chip->isa.lanes > 32) return;
    if (file == GCN_FILE_VCC) o->sub = GCN_CODE_VCC;
    if (file == GCN_FILE_EXEC) o->sub = GCN_CODE_EXEC;
}

/* The memory that is read or written: space, address operand, constant part of the address. */
static void add_memory(struct decoder *d)
{
    uint64_t w = d->word;
    unsigned flags = (d->op->flags & GPUDBG_OP_LOAD ? GPUDBG_READ : 0) |
                     (d->op->flags & GPUDBG_OP_STORE ? GPUDBG_WRITE : 0);
    struct gpudbg_operand *o = add(d, GPUDBG_MEMORY, flags | GPUDBG_IMPLICIT, GCN_B32, GCN_IN_NONE);
    static const uint8_t address[] = {GCN_IN_ADDR, GCN_IN_VADDR, GCN_IN_SBASE, GCN_IN_SADDR};
    for (unsigned i = 0; i < sizeof address && o->index < 0; i++) {
        const struct gpudbg_operand *from = gcn_operand(d->insn, address[i]);
        if (from) o->index = (int8_t)(from - d->insn->operands);
    }
    o->file = GPUDBG_GLOBAL;
    if (is_memory_word(d->encoding))
        o->imm = memory_offset(d);
    else if (d->encoding == GCN_DS) {
        o->sub = (uint16_t)GET(w, DS, gds);
        o->file = o->sub ? GPUDBG_GLOBAL : GPUDBG_LOCAL;
        if (layout_on(d->chip, d->op) == &gcn_layouts[GCN_W_DS]) o->imm = GET(w, DS, offset);
    } else if (d->encoding == GCN_MUBUF || d->encoding == GCN_MTBUF)
        o->imm = GET(w, MUBUF, offset);
    else if (d->encoding == GCN_SMRD)
        o->imm = GET(w, SMRD, imm) ? 4 * (int64_t)GET(w, SMRD, offset) : 4 * (int64_t)d->literal;
}

/* A buffer load with lds set goes to LDS, at M0. */
static void add_lds_target(struct decoder *d)
{
    struct gpudbg_operand *o = add(d, GPUDBG_MEMORY, GPUDBG_WRITE | GPUDBG_IMPLICIT, GCN_B32, GCN_IN_NONE);
    o->file = GPUDBG_LOCAL;
    o->index = (int8_t)d->insn->noperands;
    add_implicit(d, GCN_FILE_M0, GPUDBG_READ);
}

static void add_implicits(struct decoder *d)
{
    const uint64_t flags = d->op->flags;
    const uint64_t any = GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GCN_SCC_R | GCN_SCC_W | GCN_VCC_R | GCN_EXEC_R |
                         GCN_EXEC_W | GCN_M0_R | GCN_MODE_W;
    if (!(flags & any || d->lds_direct)) return;
    if (flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) add_memory(d);
    if (d->encoding == GCN_MUBUF ? GET(d->word, MUBUF, lds) : memory_to_lds(d)) add_lds_target(d);
    if (flags & (GCN_SCC_R | GCN_SCC_W))
        add_implicit(d, GCN_FILE_SCC, (flags & GCN_SCC_R ? GPUDBG_READ : 0) | (flags & GCN_SCC_W ? GPUDBG_WRITE : 0));
    if (flags & GCN_VCC_R) add_implicit(d, GCN_FILE_VCC, GPUDBG_READ);
    if (flags & (GCN_EXEC_R | GCN_EXEC_W))
        add_implicit(
            d, GCN_FILE_EXEC, (flags & GCN_EXEC_R ? GPUDBG_READ : 0) | (flags & GCN_EXEC_W ? GPUDBG_WRITE : 0));
    const bool limits = d->encoding == GCN_DS && gcn_operand(d->insn, GCN_IN_ADDR) && !d->chip->lds_by_m0;
    if ((flags & GCN_M0_R && !limits) || d->lds_direct) add_implicit(d, GCN_FILE_M0, GPUDBG_READ);
    if (flags & GCN_MODE_W) add_implicit(d, GCN_FILE_MODE, GPUDBG_WRITE);
}

void decode_operands(struct decoder *d)
{
    if (is_memory_word(d->encoding))
        decode_memory_operands(d);
    else
        add_operands(d, operands_on(d->chip, d->op));
    if (d->lanes) sdwa_operands(d);
    add_implicits(d);
}
