/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prm_words.c: text of usual instructions before Gen12 straight from the word, in the manual's syntax: one and two
 * sources and math with Align1, three sources with Align16 or with regions, messages of two payloads, and those of one
 * whose descriptor is a constant.
 *
 * The text for the assembler needs every bit that means nothing to be 0: each form finds these bits when a word of it
 * is met first.  gen_print.c decodes words that have one of them, or a value that is marked in a table.
 */
#include "gpudbg/listing.h"
#include "ops.h"
#include "text/word_tables.h"

/* How an operand is given; of three sources, which are constants; of a message of two payloads, which descriptors are
 * registers. */
enum { DIRECT, BY_ADDRESS, CONSTANT, WAYS };
enum { FIRST_OF_THREE = 1, LAST_OF_THREE = 2, DESC_REG = 1, EX_DESC_REG = 2 };
enum { COMBINATIONS = 2 * WAYS * WAYS };

/* What is known of an opcode. */
struct form {
    struct piece name;              /* "add", "math.inv" */
    uint64_t zero[COMBINATIONS][2]; /* bits of the word that mean nothing, by the ways of the operands */
    bool known[COMBINATIONS];
    uint8_t shape, sources, cond_mask, logic;
    bool quick, split, typed;
};

enum { MATH_FORMS = 128, FORMS = MATH_FORMS + 16, TYPES = 16 };

struct prm_words {
    const struct gen_eu *eu;
    struct gen_insn plain, three; /* of one or two sources, of three */
    bool exact;
    struct form form[FORMS]; /* by opcode, then by function of math */
    struct long_piece predicate[256], channels[256];
    struct wide_piece options[128];
    struct piece exec[16], condition[128], reg[1024], sub[256], result[4], mods[8], region[512], by_address[512],
        type[TYPES], typed[TYPES * 512], result_type[4 * TYPES], three_type[8], enabled[16], address[16], offset[1024],
        swizzle[512];
    /* Of three sources with regions: types by the bit of all operands and the code of one, with the regions. */
    struct piece three_result[32], three_region[256], three_last[64];
    uint8_t size[TYPES], three_size[16]; /* 32 times the size of a type's elements as a power of two, by code */
    uint8_t bare[1024];                  /* where the texts of subregisters begin: 128 where no 0 is written */
    bool nameless[1024];                 /* a register of which only the file and the number are known */
};

size_t prm_words_size(void) { return sizeof(struct prm_words); }

/* ---- Making the tables ---- */

/* Predicate, size of execution and saturation, condition: of bits of control.  A bit that means nothing is marked where
 * the text has to give all bits. */
static void make_controls(struct prm_words *t)
{
    char text[TEXT_OPERAND], *p;
    for (unsigned n = 0; n < 256; n++) {
        const struct gen_insn i = {.eu = t->eu,
            .flag_sub = n & 1,
            .flag_reg = n >> 1 & 1,
            .pred = n >> 2 & 15,
            .pred_inv = n >> 6 & 1,
            .align16 = n >> 7};
        set_long_piece(&t->predicate[n], text, gen_prm_predicate(text, &i), !t->exact || i.pred || !i.pred_inv);
    }
    for (unsigned n = 0; n < 16; n++) {
        p = n & 8 ? PUT(text, ".sat (") : PUT(text, " (");
        set_piece(&t->exec[n], text, PUT(gen_put_dec(p, 1u << (n & 7)), ") "), true);
    }
    for (unsigned n = 0; n < 128; n++) { /* bit 0: there is a predicate, which has the flag, too */
        const struct gen_insn i = {.flag_sub = n >> 1 & 1, .flag_reg = n >> 2 & 1};
        const unsigned cond = n >> 3;
        const char *name = gen_cmod_name(cond, true);
        p = text;
        if (cond) {
            p = name ? put(PUT(p, "."), name) : gen_put_code(PUT(p, "."), cond);
            p = gen_put_flag(PUT(p, "."), &i);
        }
        set_piece(&t->condition[n], text, p, !t->exact || cond || n & 1 || !(n & 6));
    }
}

static void make_options(struct prm_words *t)
{
    char text[TEXT_OPERAND];
    for (unsigned n = 0; n < 256; n++) {
        const struct gen_insn i = {.eu = t->eu,
            .exec_size = (uint8_t)(1u << (n & 7)),
            .chan_off = (uint8_t)(4 * (n >> 3 & 7)),
            .no_mask = n >> 6 & 1,
            .align16 = n >> 7};
        set_long_piece(&t->channels[n], text, gen_prm_channels(text, &i), true);
    }
    for (unsigned n = 0; n < 128; n++) {
        const struct gen_insn i = {.eu = t->eu,
            .no_dd_clr = n & 1,
            .no_dd_chk = n >> 1 & 1,
            .thread_ctrl = n >> 2 & 3,
            .acc_wr_en = n >> 4 & 1,
            .breakpoint = n >> 5 & 1,
            .eot = n >> 6};
        set_wide_piece(&t->options[n], text, gen_prm_options(text, NULL, &i, false), true);
    }
}

/* Names of registers by file and number, and their numbers of elements by bytes. */
static void make_registers(struct prm_words *t)
{
    const unsigned e = t->eu->column;
    const struct gen_place file = gen_places[e][GEN_P_dst_file], reg = gen_places[e][GEN_P_dst_reg];
    char text[TEXT_OPERAND], *p;
    for (unsigned n = 0; n < 1024; n++) {
        struct gpudbg_insn insn;
        struct gen_insn i;
        uint64_t w[2] = {1, 0}; /* mov with this result */
        put_field(w, file, n >> 8);
        put_field(w, reg, n & 255);
        if (!decode_word(t->eu, w, &insn, &i)) i.dst.file = GEN_NOFILE;
        const uint8_t of = i.dst.file;
        const bool bare = of == GEN_NULL || of == GEN_IP || of == GEN_CE;
        p = gen_prm_register(text, &i, &i.dst, GEN_UB);
        set_piece(&t->reg[n], text, bare ? p : p - 2, true); /* without the ".0" */
        t->bare[n] = bare ? 128 : 0;
        t->nameless[n] = of == GEN_NOFILE;
    }
    for (unsigned n = 0; n < 256; n++) {
        const unsigned size = 1u << (n >> 5 & 3), sub = n & 31;
        p = sub || n < 128 ? gen_put_dec(PUT(text, "."), sub / size) : text;
        if (sub % size) p = gen_put_dec(PUT(p, "+"), sub % size);
        set_piece(&t->sub[n], text, p, true);
    }
    for (unsigned n = 0; n < 16; n++) set_piece(&t->address[n], text, gen_put_dec(PUT(text, "r[a0."), n), true);
    for (unsigned n = 0; n < 1024; n++) {
        const int offset = gen_signed(n, 10);
        p = offset ? gen_put_number(PUT(text, ","), offset) : text;
        set_piece(&t->offset[n], text, PUT(p, "]"), true);
    }
}

static void set_type(struct piece *x, uint8_t *size, unsigned type, unsigned code, const char *behind)
{
    char text[TEXT_OPERAND], *p = PUT(text, ":");
    p = type == GEN_BADTYPE ? gen_put_code(p, code) : put(p, gen_type_name[type]);
    set_piece(x, text, put(p, behind), true);
    *size = (uint8_t)(32 * __builtin_ctz(gen_type_size[type]));
}

/* Regions, modifiers, types. */
static void make_regions(struct prm_words *t)
{
    char text[TEXT_OPERAND], *p;
    const struct gen_insn i = {.eu = t->eu, .shape = GEN_BINARY};
    for (unsigned n = 0; n < 16; n++) set_type(&t->type[n], &t->size[n], t->eu->types[n], n, " ");
    for (unsigned n = 0; n < 8 && !t->eu->three_regions; n++)
        set_type(&t->three_type[n], &t->three_size[n], t->eu->ternary_types[n], n, " ");
    for (unsigned n = 0; n < 4; n++)
        set_piece(&t->result[n], text, PUT(gen_put_dec(PUT(text, "<"), gen_hstrides[n]), ">"), true);
    for (unsigned n = 0; n < 8; n++) {
        p = n & 2 ? put(text, n & 4 ? "~" : "-") : text;
        set_piece(&t->mods[n], text, n & 1 ? PUT(p, "(abs)") : p, true);
    }
    for (unsigned n = 0; n < 1024; n++) { /* behind r0.0 or r[a0.0], as of one byte */
        struct gen_operand o = {.mode = n >> 9 ? GEN_INDIRECT : GEN_DIRECT,
            .file = GEN_GRF,
            .type = GEN_UB,
            .vcode = (uint8_t)(n >> 5 & 15),
            .wcode = (uint8_t)(n >> 2 & 7),
            .vstride = gen_strides[n >> 5 & 15],
            .width = gen_widths[n >> 2 & 7],
            .hstride = gen_hstrides[n & 3],
            .vx = n >> 9 && (n >> 5 & 15) == 15};
        p = gen_prm_operand(text, &i, &o, false) - 3; /* without ":ub" */
        const char *from = strchr(text, '<');
        set_piece(n >> 9 ? &t->by_address[n & 511] : &t->region[n], from, p, true);
    }
    for (unsigned n = 0; n < TYPES * 512; n++) set_both(&t->typed[n], &t->region[n & 511], &t->type[n >> 9]);
    for (unsigned n = 0; n < 4 * TYPES; n++) set_both(&t->result_type[n], &t->result[n & 3], &t->type[n >> 2]);
    const struct gen_insn three = {.eu = t->eu, .shape = GEN_TERNARY, .align16 = true};
    for (unsigned n = 0; n < 512 && !t->eu->three_regions; n++) {
        struct gen_operand o = {
            .mode = GEN_DIRECT, .file = GEN_GRF, .type = GEN_UB, .swizzle = (uint8_t)n, .rep = n >> 8, .align16 = true};
        p = gen_prm_operand(text, &three, &o, false) - 3;
        set_piece(&t->swizzle[n], strchr(text, '<'), p, !t->exact || !o.rep || o.swizzle == 0xe4);
        o.chan_en = n & 15;
        o.hstride = 1;
        p = gen_prm_operand(text, &three, &o, true) - 3;
        set_piece(&t->enabled[n & 15], strchr(text, '<'), p, true);
    }
}

/* Results and regions of three sources, by type << bits of the region | hstride | vstride << 2. */
static void make_three(struct prm_words *t)
{
    char text[TEXT_OPERAND];
    const struct gen_eu *eu = t->eu;
    for (unsigned n = 0; n < 256; n++) {
        const unsigned type = eu->region_types[n >> 7][n >> 4 & 7], h = n & 3, v = n >> 2 & 3;
        const bool good = type != GEN_BADTYPE && type != GEN_NF; /* which may be in accumulators */
        struct gen_insn i = t->three;
        struct gen_operand *first = &i.src[0], *last = &i.src[2];
        t->three_size[n >> 4] = (uint8_t)(32 * __builtin_ctz(gen_type_size[type]));
        *first = *last = i.dst = (struct gen_operand){.mode = GEN_DIRECT, .file = GEN_GRF, .type = (uint8_t)type};
        first->vstride = eu->row_steps[v];
        first->hstride = last->hstride = last->vstride = gen_hstrides[h];
        i.dst.hstride = (uint8_t)(h + 1);
        if (!good) first->type = last->type = i.dst.type = GEN_UB;
#define BEHIND(x, o, dst)                                                \
    do {                                                                 \
        char *p = PUT(gen_prm_operand(text, &i, o, dst), " ");           \
        set_piece(x, strchr(text, '<'), p, good); /* behind the place */ \
    } while (0)
        BEHIND(&t->three_region[n], first, false);
        if (!v) BEHIND(&t->three_last[n >> 4 << 2 | h], last, false);
        if (!v && h < 2) BEHIND(&t->three_result[n >> 4 << 1 | h], &i.dst, true);
    }
}

static void make_form(struct prm_words *t, struct form *f, unsigned op, unsigned function)
{
    const struct gen_eu *eu = t->eu;
    const unsigned shape = gen_shapes[op];
    char text[TEXT_OPERAND], *p = put(text, eu->isa.ops[op].name);
    if (shape == GEN_MATH) {
        const char *name = gen_math_name(eu, function);
        p = name ? put(PUT(p, "."), name) : gen_put_code(PUT(p, "."), function);
    }
    set_piece(&f->name, text, p, true);
    f->shape = (uint8_t)shape;
    f->sources = (uint8_t)(shape == GEN_MATH ? gen_math_sources(eu, function) : shape == GEN_UNARY ? 1 : 2);
    f->cond_mask = shape == GEN_MATH || shape == GEN_SEND ? 0 : 15;
    f->logic = eu->inverts && GEN_IS(op, LOGIC) ? 4 : 0;
    f->split = shape == GEN_SEND && gen_splits(eu, op);
    f->typed = shape == GEN_SEND && gen_types_answer(eu, op);
    f->quick = (shape == GEN_UNARY || shape == GEN_BINARY || shape == GEN_MATH || shape == GEN_SEND ||
                   shape == GEN_TERNARY) &&
               !GEN_IS(op, GATHERS) && !GEN_IS(op, IMM64) && !GEN_IS(op, MACRO) &&
               !(eu->macros && shape == GEN_MATH && function >= GEN_MATH_INVM);
}

void prm_words_make(struct prm_words *t, const struct gen_eu *eu, bool exact)
{
    t->eu = eu;
    t->exact = exact;
    t->plain = (struct gen_insn){.eu = eu, .shape = GEN_BINARY};
    t->three = (struct gen_insn){.eu = eu, .shape = GEN_TERNARY};
    make_controls(t);
    make_options(t);
    make_registers(t);
    make_regions(t);
    if (eu->three_regions) make_three(t);
    for (unsigned code = 0; code < MATH_FORMS; code++) {
        if (!eu->by_code[code]) continue;
        const unsigned op = eu->by_code[code] - 1u;
        const bool math = gen_shapes[op] == GEN_MATH;
        for (unsigned n = 0; n < (math ? 16u : 1u); n++)
            make_form(t, math ? &t->form[MATH_FORMS + n] : &t->form[code], op, n);
        t->form[code].shape = gen_shapes[op];
    }
}

/* ---- Bits that mean nothing ---- */

#define INLINE static inline __attribute__((always_inline))
#define FIELD(name) gen_places[e][GEN_P_##name]

/* Clears the field: its bits are in a table, where those that mean nothing are marked. */
static void take(uint64_t zero[2], struct gen_place at)
{
    if (at.len) zero[at.lo >> 6] &= ~((UINT64_MAX >> (64 - at.len)) << (at.lo & 63));
}

static void find_zeros(const struct prm_words *t, struct form *f, const uint64_t w[2], unsigned way)
{
    const unsigned e = t->eu->column, dst = way % 2, src0 = way / 2 % WAYS, src1 = way / 2 / WAYS;
    uint64_t base[2] = {w[0] & 127, 0}, *zero = f->zero[way];
    struct gpudbg_insn insn;
    struct gen_insn i;
    f->known[way] = true;
    if (f->shape == GEN_MATH) put_field(base, FIELD(cond_mod), GET(e, w, cond_mod));
    if (f->split) {
        put_field(base, FIELD(desc_is_reg), way & DESC_REG);
        put_field(base, FIELD(ex_desc_is_reg), (way & EX_DESC_REG) != 0);
    } else if (f->shape == GEN_TERNARY) {
        put_field(base, FIELD(ter_src0_is_imm), way & FIRST_OF_THREE);
        put_field(base, FIELD(ter_src2_is_imm), (way & LAST_OF_THREE) != 0);
    } else {
        put_field(base, FIELD(dst_file), 1);
        put_field(base, FIELD(dst_addr_mode), dst);
        put_field(base, FIELD(src0_file), src0 == CONSTANT ? 3 : 1);
        put_field(base, FIELD(src0_addr_mode), src0 == BY_ADDRESS);
        put_field(base, FIELD(src1_file), src1 == CONSTANT ? 3 : f->sources == 2);
        put_field(base, FIELD(src1_addr_mode), src1 == BY_ADDRESS);
    }
    zero[0] = zero[1] = UINT64_MAX;
    if (!decode_word(t->eu, base, &insn, &i)) return;
    gen_meaningless_bits(&insn, &i, zero);
    take(zero, f->shape == GEN_TERNARY ? FIELD(ter_flag_subreg) : FIELD(flag_subreg));
    take(zero, f->shape == GEN_TERNARY ? FIELD(ter_flag_reg) : FIELD(flag_reg));
    take(zero, FIELD(pred_inv));
    if (!t->exact || !(f->split || (f->shape == GEN_TERNARY && t->eu->three_regions))) return;
    uint64_t fixed[2] = {0, 0};
    static const uint8_t its[] = {GEN_P_opcode, GEN_P_compact, GEN_P_access_mode};
    static const uint8_t of_split[] = {GEN_P_desc_is_reg, GEN_P_ex_desc_is_reg};
    static const uint8_t of_three[] = {GEN_P_ter_exec_type, GEN_P_ter_dst_type, GEN_P_ter_src0_type,
        GEN_P_ter_src1_type, GEN_P_ter_src2_type, GEN_P_ter_src0_is_imm, GEN_P_ter_src2_is_imm};
    for (unsigned n = 0; n < sizeof its; n++) add_field(fixed, gen_places[e][its[n]]);
    for (unsigned n = 0; f->split && n < sizeof of_split; n++) add_field(fixed, gen_places[e][of_split[n]]);
    for (unsigned n = 0; !f->split && n < sizeof of_three; n++) add_field(fixed, gen_places[e][of_three[n]]);
    find_unsaid(t->eu, GEN_SYNTAX_PRM, base, fixed, zero);
}

/* ---- Text ---- */

INLINE unsigned way_of(unsigned file, unsigned addr_mode)
{
    return file == 3 ? CONSTANT : addr_mode ? BY_ADDRESS : DIRECT;
}

/* A register and the number of its element; `size`: of the type. */
#define REGISTER(file, number, subreg, size)                         \
    do {                                                             \
        const unsigned which = (file) << 8 | (number);               \
        PIECE(t->reg, which);                                        \
        PIECE(t->sub, (unsigned)t->bare[which] + (size) + (subreg)); \
    } while (0)
#define BY(subreg, imm, sign)                  \
    do {                                       \
        PIECE(t->address, subreg);             \
        PIECE(t->offset, (imm) | (sign) << 9); \
    } while (0)

/* A register that is source n, with its region: `half` has the fields of the source in the places of source 0. */
INLINE char *put_source(
    const struct prm_words *t, char *p, uint64_t half, unsigned file, unsigned sign, unsigned type, const unsigned e)
{
    const uint64_t w[2] = {0, half};
    const unsigned region = GET_REGION(e, w);
    if (GET(e, w, src0_addr_mode)) {
        ODD_IF(file != 1);
        BY(GET(e, w, src0_addr_subreg), GET(e, w, src0_addr_imm), sign);
        PIECE(t->by_address, region);
        PIECE(t->type, type);
    } else {
        REGISTER(file, GET(e, w, src0_reg), GET(e, w, src0_subreg), t->size[type]);
        PIECE(t->typed, region | type << 9);
    }
    return p;
}

/* A constant of 32 bits. */
static char *put_constant(const struct prm_words *t, char *p, unsigned type, uint64_t bits)
{
    const struct gen_operand o = {.mode = GEN_IMMEDIATE, .type = t->eu->imm_types[type], .imm = bits};
    if (o.type == GEN_BADTYPE || gen_type_size[o.type] == 8) return p + PIECE_ODD; /* seldom */
    return PUT(gen_prm_operand(p, &t->plain, &o, false), " ");
}

/* A constant of three sources has 16 bits; `type`: the bit of all operands and its code. */
static char *put_short(const struct prm_words *t, char *p, unsigned type, unsigned bits)
{
    const struct gen_operand o = {.mode = GEN_IMMEDIATE, .type = t->eu->region_types[type >> 3][type & 7], .imm = bits};
    if (o.type == GEN_BADTYPE || o.type == GEN_NF) return p + PIECE_ODD;
    return PUT(gen_prm_operand(p, &t->three, &o, false), " ");
}

INLINE char *put_result(const struct prm_words *t, char *p, const uint64_t w[2], const unsigned e)
{
    const unsigned type = GET(e, w, dst_type), file = GET(e, w, dst_file);
    if (GET(e, w, dst_addr_mode)) {
        ODD_IF(file != 1);
        BY(GET(e, w, dst_addr_subreg), GET(e, w, dst_addr_imm), GET(e, w, dst_addr_sign));
    } else {
        REGISTER(file, GET(e, w, dst_reg), GET(e, w, dst_subreg), t->size[type]);
    }
    PIECE(t->result_type, type << 2 | GET(e, w, dst_hstride));
    return p;
}

INLINE char *put_sources(
    const struct prm_words *t, char *p, const uint64_t w[2], const struct form *f, const unsigned e)
{
    if (GET(e, w, src0_file) == 3) {
        p = put_constant(t, p, GET(e, w, src0_type), w[1] >> 32);
    } else {
        PIECE(t->mods, f->logic | GET2(e, w, src0_abs, src0_neg));
        p = put_source(t, p, w[1], GET(e, w, src0_file), GET(e, w, src0_addr_sign), GET(e, w, src0_type), e);
    }
    if (f->sources == 2) {
        if (GET(e, w, src1_file) == 3) {
            p = put_constant(t, p, GET(e, w, src1_type), w[1] >> 32);
        } else {
            PIECE(t->mods, f->logic | GET2(e, w, src1_abs, src1_neg));
            p = put_source(t, p, w[1] >> 32, GET(e, w, src1_file), GET(e, w, src1_addr_sign), GET(e, w, src1_type), e);
        }
    }
    return p;
}

/* Three sources with Align16: registers and their components. */
INLINE char *put_three(const struct prm_words *t, char *p, const uint64_t w[2], const struct form *f, const unsigned e)
{
    const unsigned dst = GET(e, w, ter_dst_type), type = GET(e, w, ter_src_type), is = t->eu->ternary_types[type];
    /* Where floats and half floats can be mixed, a bit says which the source is: codes 0 and 4. */
    const bool mixed = t->eu->half_places && (is == GEN_F32 || is == GEN_HF);
    /* Of other types these bits mean nothing. */
    ODD_IF(t->exact && !mixed && (GET(e, w, ter_src1_is_half) | GET(e, w, ter_src2_is_half)));
    REGISTER(1, GET(e, w, ter_dst_reg), 4 * GET(e, w, ter_dst_subreg16), t->three_size[dst]);
    PIECE(t->enabled, GET(e, w, ter_chan_en));
    PIECE(t->three_type, dst);
#define SOURCE(n, its)                                                                                     \
    do {                                                                                                   \
        const unsigned code = its;                                                                         \
        PIECE(t->mods, f->logic | GET2(e, w, ter_src##n##_abs, ter_src##n##_neg));                         \
        REGISTER(1, GET(e, w, ter_src##n##_reg),                                                           \
            4 * GET(e, w, ter_src##n##_subreg16) + 2 * GET(e, w, ter_src##n##_half), t->three_size[code]); \
        PIECE(t->swizzle, GET(e, w, ter_src##n##_swz) | GET(e, w, ter_src##n##_rep) << 8);                 \
        PIECE(t->three_type, code);                                                                        \
    } while (0)
    SOURCE(0, type);
    SOURCE(1, !mixed ? type : 4 * GET(e, w, ter_src1_is_half));
    SOURCE(2, !mixed ? type : 4 * GET(e, w, ter_src2_is_half));
#undef SOURCE
    return p;
}

/* Three sources with regions. */
INLINE char *put_regions(
    const struct prm_words *t, char *p, const uint64_t w[2], const struct form *f, const unsigned e)
{
    const unsigned all = GET(e, w, ter_exec_type) << 3, dst = all | GET(e, w, ter_dst_type),
                   src0 = all | GET(e, w, ter_src0_type), src1 = all | GET(e, w, ter_src1_type),
                   src2 = all | GET(e, w, ter_src2_type);
    /* Of the destination and source 1, 1 is the architecture's file. */
    REGISTER(1u ^ GET(e, w, ter_dst_file), GET(e, w, ter_dst_reg), 8 * GET(e, w, ter_dst_subreg), t->three_size[dst]);
    PIECE(t->three_result, dst << 1 | GET(e, w, ter_dst_hstride));
    if (GET(e, w, ter_src0_is_imm)) {
        p = put_short(t, p, src0, GET(e, w, ter_src0_imm));
    } else {
        PIECE(t->mods, f->logic | GET2(e, w, ter_src0_abs, ter_src0_neg));
        REGISTER(1, GET(e, w, ter_src0_reg), GET(e, w, ter_src0_subreg), t->three_size[src0]);
        PIECE(t->three_region, src0 << 4 | GET2(e, w, ter_src0_hstride, ter_src0_vstride));
    }
    PIECE(t->mods, f->logic | GET2(e, w, ter_src1_abs, ter_src1_neg));
    REGISTER(1u ^ GET(e, w, ter_src1_file), GET(e, w, ter_src1_reg), GET(e, w, ter_src1_subreg), t->three_size[src1]);
    PIECE(t->three_region, src1 << 4 | GET2(e, w, ter_src1_hstride, ter_src1_vstride));
    if (GET(e, w, ter_src2_is_imm)) return put_short(t, p, src2, GET(e, w, ter_src2_imm));
    PIECE(t->mods, f->logic | GET2(e, w, ter_src2_abs, ter_src2_neg));
    REGISTER(1, GET(e, w, ter_src2_reg), GET(e, w, ter_src2_subreg), t->three_size[src2]);
    PIECE(t->three_last, src2 << 2 | GET(e, w, ter_src2_hstride));
    return p;
}

INLINE char *put_message(
    const struct prm_words *t, char *p, const uint64_t w[2], const struct form *f, const unsigned e)
{
    uint32_t ex_desc = GET(e, w, cond_mod) | GET(e, w, eot) << 5;
    if (f->split) {
        const uint32_t pieces = (uint32_t)e8_SENDS_ex_desc_get(w);
        ex_desc |= (pieces & 15) << 6 | pieces >> 4 << 16;
        /* IGA marks a type: its bit is found by decoding. */
        ODD_IF(t->exact && GET(e, w, desc_is_reg) && t->eu->types[GET(e, w, send_dst_type)] == t->eu->iga_marked);
        REGISTER(GET(e, w, send_dst_file), GET(e, w, send_dst_reg), 0, 0);
        if (f->typed)
            PIECE(t->type, GET(e, w, send_dst_type));
        else
            *p++ = ' ';
        REGISTER(1, GET(e, w, send_src0_reg), 0, 0);
        *p++ = ' ';
        REGISTER(GET(e, w, send_src1_file), GET(e, w, send_src1_reg), 0, 0);
        *p++ = ' ';
        ODD_IF(t->nameless[GET(e, w, send_dst_file) << 8 | GET(e, w, send_dst_reg)] |
               t->nameless[GET(e, w, send_src1_file) << 8 | GET(e, w, send_src1_reg)]); /* of another field's file */
    } else {
        ODD_IF(GET(e, w, src1_file) != 3 || GET(e, w, src0_file) == 3);
        p = put_result(t, p, w, e);
        if (e == GEN_COLUMN_e8 && t->eu->has_ex_desc) {
            const unsigned type = GET(e, w, src0_type);
            ex_desc |= (uint32_t)e8_SRC0S_ex_desc_get(w) << 16;
            REGISTER(GET(e, w, src0_file), GET(e, w, src0_reg), 16 * GET(e, w, src0_subreg16), t->size[type]);
            PIECE(t->typed, type << 9);
        } else {
            PIECE(t->mods, f->logic | GET2(e, w, src0_abs, src0_neg));
            p = put_source(t, p, w[1], GET(e, w, src0_file), GET(e, w, src0_addr_sign), GET(e, w, src0_type), e);
        }
    }
    p = f->split && GET(e, w, ex_desc_is_reg) ? gen_put_dec(PUT(p, "a0."), GET(e, w, ex_desc_addr))
                                              : put_hex(p, ex_desc, 1);
    *p++ = ' ';
    return f->split && GET(e, w, desc_is_reg) ? PUT(p, "a0.0") : put_hex(p, (uint32_t)(w[1] >> 32) & 0x7fffffff, 8);
}

INLINE bool put_word(struct prm_words *t, const uint64_t w[2], char *buf, size_t *len, const unsigned e)
{
    struct form *f = &t->form[w[0] & 127];
    if (f->shape == GEN_MATH) f = &t->form[MATH_FORMS + GET(e, w, cond_mod)];
    const bool three = f->shape == GEN_TERNARY, sends = f->shape == GEN_SEND;
    const unsigned align16 = t->eu->align16 ? GET(e, w, access_mode) : 0;
    if (!f->quick || (align16 && !three)) return false;
    if (t->exact) {
        unsigned way = 0;
        if (f->split)
            way = GET(e, w, desc_is_reg) | GET(e, w, ex_desc_is_reg) << 1;
        else if (three)
            way = GET(e, w, ter_src0_is_imm) | GET(e, w, ter_src2_is_imm) << 1;
        else
            way = GET(e, w, dst_addr_mode) + 2 * way_of(GET(e, w, src0_file), GET(e, w, src0_addr_mode)) +
                  (f->sources == 2 ? 2 * WAYS * way_of(GET(e, w, src1_file), GET(e, w, src1_addr_mode)) : 0);
        if (!f->known[way]) find_zeros(t, f, w, way);
        if ((w[0] & f->zero[way][0]) | (w[1] & f->zero[way][1])) return false;
    }
    const unsigned flag = three ? GET2(e, w, ter_flag_subreg, ter_flag_reg) : GET2(e, w, flag_subreg, flag_reg);
    const unsigned pred = GET(e, w, pred_ctrl), cond = GET(e, w, cond_mod) & f->cond_mask, exec = GET(e, w, exec_size);
    char *p = buf;
    LONG_PIECE(t->predicate, flag | GET2(e, w, pred_ctrl, pred_inv) << 2 | align16 << 7);
    PIECE(&f->name, 0);
    PIECE(t->condition, (pred != 0) | flag << 1 | cond << 3);
    PIECE(t->exec, exec | (f->split ? 0 : GET(e, w, saturate) << 3));
    p = three   ? e == GEN_COLUMN_e8 && t->eu->three_regions ? put_regions(t, p, w, f, e) : put_three(t, p, w, f, e)
          : sends ? put_message(t, p, w, f, e)
                : put_sources(t, put_result(t, p, w, e), w, f, e);
    if (!sends) p--; /* the blank behind the last operand */
    LONG_PIECE(t->channels, exec | GET2(e, w, nib_ctrl, qtr_ctrl) << 3 | GET(e, w, mask_ctrl) << 6 | align16 << 7);
    const unsigned acc = f->split ? 0 : GET(e, w, acc_wr_en), eot = sends ? GET(e, w, eot) : 0;
    WIDE_PIECE(t->options,
        GET2(e, w, no_dd_clr, no_dd_chk) | GET(e, w, thread_ctrl) << 2 | acc << 4 | GET(e, w, debug) << 5 | eot << 6);
    *len = (size_t)(p - buf);
    return *len < PIECE_ODD;
}

INLINE int print(void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf,
    size_t *len, const unsigned e)
{
    const struct gen_printer_words *words = printer;
    const uint64_t low = n >= 16 ? le_u64(p) : UINT64_MAX;
    if (!gen_is_compacted(low)) {
        const uint64_t w[2] = {low, le_u64(p + 8)};
        if (put_word(words->prm, w, buf, len, e)) return 16;
    }
    return gen_print_decoded(printer, p, n, addr, names, buf, len);
}

/* The functions of a column of places.def. */
#define WAYS_OF(e)                                                                                                   \
    INLINE int e##_print(void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, \
        char *buf, size_t *len)                                                                                      \
    {                                                                                                                \
        return print(printer, p, n, addr, names, buf, len, GEN_COLUMN_##e);                                          \
    }                                                                                                                \
    static int e##_print_one(void *printer, const uint8_t *p, size_t n, uint64_t addr,                               \
        const struct gpudbg_names *names, char *buf, size_t *len)                                                    \
    {                                                                                                                \
        return e##_print(printer, p, n, addr, names, buf, len);                                                      \
    }                                                                                                                \
    static unsigned e##_lines(void *printer, struct gpudbg_lines *lines)                                             \
    {                                                                                                                \
        return gpudbg_lines_loop(printer, lines, lines->ends, e##_print);                                            \
    }
WAYS_OF(e1)
WAYS_OF(e8)
const struct gen_print_ways prm_words_ways[] = {
    [GEN_COLUMN_e1] = {e1_print_one, e1_lines}, [GEN_COLUMN_e8] = {e8_print_one, e8_lines}};
