/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iga_words.c: text of Gen12's usual instructions straight from the word: one to three sources, math, products of
 * matrices, messages and sync.
 *
 * Entries whose text IGA would not turn into the same bits are marked, and so are the bits that mean nothing in each
 * form: gen_print.c decodes words that meet a mark.
 */
#include "gpudbg/listing.h"
#include "ops.h"
#include "text/word_tables.h"

enum { E = GEN_COLUMN_e2 };

/* The ways of a form: of one or two sources, that the last one is a constant; of three, which are constants; of
 * messages, which descriptors are registers, and that the extended one is the offset of a surface. */
enum { LAST_CONSTANT = 1, FIRST_OF_THREE = 1, LAST_OF_THREE = 2, DESC_REG = 1, EX_DESC_REG = 2, EX_BSO = 4, WAYS = 8 };

/* What is known of an opcode, by its code. */
struct form {
    struct long_piece name; /* "add (", "math.inv (": up to the number of channels, if there is no other part */
    uint64_t zero[WAYS][2]; /* bits of the word that must be 0 */
    uint8_t shape, sources, cond_mask, logic;
    uint8_t scoreboard; /* 1 of messages, 2 of what takes a token */
    bool quick, truth;  /* truth: of bfn */
};

enum { MATH_FORMS = 128, FORMS = MATH_FORMS + 16 };
/* How the number of a register's element is written: not where it is 0; in bytes. */
enum { SUB_BARE = 1, SUB_BYTES = 2, SUB_WAYS = 4, SUB_SIZES = 8 };
/* Sizes of elements as the numbers of elements need them: bytes as a power of two, then of two and four in a byte. */
enum { IN_BYTE_2 = 4, IN_BYTE_4 = 5 };

/* Parts of names: the shared function of a message, the depth and the rows of a product, the truth table of bfn. */
enum { SHARED, SYSTOLIC = 16, TRUTH_TABLE = 48, PARTS = TRUTH_TABLE + 256 };

struct iga_words {
    const struct gen_eu *eu;
    struct gen_insn plain, three; /* of one or two sources, of three */
    bool exact;
    struct form form[FORMS]; /* by opcode, then by function of math */
    struct long_piece predicate[1024];
    struct wide_piece options[128];
    struct piece part[PARTS], exec[64], condition[256], reg[512], sub[SUB_WAYS * SUB_SIZES * 32], result[512], mods[8],
        region[512], by_address[512], type[16], typed[16 * 512], scoreboard[3][256], address[16], offset[1024];
    /* Of three sources: types by the bit of all operands and the code of one; regions of the first two, and of the last
     * one, with the type. */
    struct piece three_result[256], three_region[256], three_last[64];
    uint8_t three_size[16], three_type[16];
    /* Of dpas: types of sums, and of factors by the code and the bits of their elements. */
    struct piece sum[16], factor[64];
    uint8_t factor_size[64];
    uint8_t size[16];   /* 32 times the size of a type's elements as a power of two, by code */
    uint16_t ways[512]; /* where the texts of a register's subregisters begin */
};

/* ---- Making the tables ---- */

#define FIELD(name) gen_places[E][GEN_P_##name]
#define MASK(name) ((UINT64_MAX >> (64 - FIELD(name).len)) << (FIELD(name).lo & 63))

/* Predicate, number of channels, condition and saturation: of bits of control. */
static void make_controls(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    for (unsigned n = 0; n < 1024; n++) {
        const uint64_t w[2] = {(uint64_t)n << FIELD(flag_subreg).lo, 0};
        const struct gen_insn i = {.eu = t->eu,
            .flag_sub = (uint8_t)GET(E, w, flag_subreg),
            .flag_reg = (uint8_t)GET(E, w, flag_reg),
            .pred = (uint8_t)GET(E, w, pred_ctrl),
            .pred_inv = GET(E, w, pred_inv),
            .no_mask = GET(E, w, mask_ctrl)};
        if (GET(E, w, compact)) continue;
        p = gen_iga_predicate(text, &i);
        set_long_piece(&t->predicate[n], text, p, i.pred ? gen_pred_name(&i) != NULL : !i.pred_inv);
    }
    for (unsigned n = 0; n < 64; n++) {
        p = PUT(gen_put_dec(text, 1u << (n & 7)), "|M");
        set_piece(&t->exec[n], text, PUT(gen_put_dec(p, 4 * (n >> 3)), ") "), (n & 7) < 6);
    }
    for (unsigned n = 0; n < 256; n++) { /* bit 0: there is a predicate, which has the flag, too */
        const struct gen_insn i = {.flag_sub = n >> 1 & 1, .flag_reg = n >> 2 & 1};
        const unsigned cond = n >> 3 & 15;
        const char *name = gen_cmod_name(cond, false);
        p = text;
        if (name) p = PUT(gen_put_flag(PUT(put(PUT(text, "("), name), ")"), &i), " ");
        if (n >> 7) p = PUT(p, "(sat)");
        set_piece(&t->condition[n], text, p, cond ? name != NULL : n & 1 || !(n & 6));
    }
}

/* Where in the table the number of an element is. */
#define SUB(ways, size, sub) (((ways)*SUB_SIZES + (size)) * 32 + (sub))

/* Modifiers of a source: bits of abs and neg, and whether the operation is logic. */
static char *put_mods(char *p, unsigned mods)
{
    if (mods & 2) *p++ = mods & 4 ? '~' : '-';
    return mods & 1 ? PUT(p, "(abs)") : p;
}

/* Parts of an operand. */
static void make_operands(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    const struct gen_insn i = {.eu = t->eu, .shape = GEN_BINARY};
    for (unsigned n = 0; n < 512; n++) {
        struct gpudbg_insn insn;
        struct gen_insn one;
        uint64_t w[2] = {0x61, 0}; /* mov with this result */
        put_field(w, FIELD(dst_file), n >> 8);
        put_field(w, FIELD(dst_reg), n & 255);
        decode_word(t->eu, w, &insn, &one);
        const struct gen_operand *o = &one.dst;
        p = gen_put_register(text, o, false);
        set_piece(&t->reg[n], text, p, !gen_iga_operand_lacks(&one, o) && o->file != GEN_NOFILE);
        const unsigned ways = (gen_iga_counts_bytes(o) ? SUB_BYTES : 0) |
                              (o->file == GEN_NULL || o->file == GEN_IP || o->file == GEN_CE ? SUB_BARE : 0);
        t->ways[n] = (uint16_t)SUB(ways, 0, 0);
    }
    for (unsigned n = 0; n < SUB(SUB_WAYS, 0, 0); n++) {
        const unsigned ways = n / SUB(1, 0, 0), code = n / SUB(0, 1, 0) % SUB_SIZES, sub = n % SUB(0, 1, 0);
        const unsigned size = code < IN_BYTE_2 && !(ways & SUB_BYTES) ? 1u << code : 1, in_byte = code == IN_BYTE_4 ? 4
                                                                                                  : code == IN_BYTE_2
                                                                                                      ? 2
                                                                                                      : 1;
        p = sub || !(ways & SUB_BARE) ? gen_put_dec(PUT(text, "."), sub * in_byte / size) : text;
        set_piece(&t->sub[n], text, p, sub % size == 0);
    }
    for (unsigned n = 0; n < 16; n++) {
        const unsigned type = t->eu->types[n];
        t->size[n] = (uint8_t)SUB(0, (unsigned)__builtin_ctz(gen_type_size[type]), 0);
        set_piece(&t->type[n], text, put(text, gen_type_name[type]), type != GEN_BADTYPE);
        for (unsigned k = 0; k < 32; k++) {
            p = PUT(put(PUT(gen_put_dec(PUT(text, "<"), gen_hstrides[k >> 3]), ">:"), gen_type_name[type]), " ");
            set_piece(&t->result[n << 5 | k], text, put_mods(p, k & 7), type != GEN_BADTYPE);
        }
        p = PUT(gen_put_dec(PUT(text, "r[a0."), n), "");
        set_piece(&t->address[n], text, p, true);
    }
    for (unsigned n = 0; n < 8; n++) set_piece(&t->mods[n], text, put_mods(PUT(text, " "), n), true);
    for (unsigned n = 0; n < 1024; n++) {
        const int offset = gen_signed(n, 10);
        p = offset ? gen_put_number(PUT(text, ","), offset) : text;
        set_piece(&t->offset[n], text, PUT(p, "]"), true);
    }
    for (unsigned n = 0; n < 512; n++) {
        struct gen_operand o = {.mode = GEN_DIRECT,
            .type = GEN_UB,
            .vstride = gen_strides[n >> 5],
            .width = gen_widths[n >> 2 & 7],
            .hstride = gen_hstrides[n & 3]};
        set_piece(&t->region[n], text, PUT(gen_iga_region(text, &i, &o), ":"), !gen_iga_source_lacks(&i, &o));
        o.mode = GEN_INDIRECT;
        o.vx = n >> 5 == 15;
        set_piece(&t->by_address[n], text, PUT(gen_iga_region(text, &i, &o), ":"), !gen_iga_source_lacks(&i, &o));
    }
    for (unsigned n = 0; n < 16 * 512; n++) set_both(&t->typed[n], &t->region[n & 511], &t->type[n >> 9]);
}

/* Results and regions of three sources, by type << bits of the region | hstride | vstride << 2. */
static void make_three(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    const struct gen_eu *eu = t->eu;
    const struct gen_insn i = {.eu = eu, .shape = GEN_TERNARY};
    for (unsigned n = 0; n < 256; n++) {
        const unsigned type = eu->region_types[n >> 7][n >> 4 & 7], h = n & 3, v = n >> 2 & 3;
        struct gen_insn with = i;
        struct gen_operand *first = &with.src[0], *last = &with.src[2];
        const char *name = gen_type_name[type];
        t->three_type[n >> 4] = (uint8_t)type;
        t->three_size[n >> 4] = (uint8_t)SUB(0, (unsigned)__builtin_ctz(gen_type_size[type]), 0);
        *first = *last = (struct gen_operand){.mode = GEN_DIRECT, .file = GEN_GRF, .type = (uint8_t)type};
        first->vstride = eu->row_steps[v];
        first->hstride = last->hstride = last->vstride = gen_hstrides[h];
        last->width = 1;
        p = put(PUT(gen_iga_region(text, &with, first), ":"), name);
        set_piece(&t->three_region[n], text, p, !gen_iga_source_lacks(&with, first));
        p = put(PUT(gen_iga_region(text, &with, last), ":"), name);
        if (!v) set_piece(&t->three_last[n >> 4 << 2 | h], text, p, !gen_iga_source_lacks(&with, last));
        for (unsigned mods = 0; mods < 8 && !v && h < 2; mods++) {
            p = PUT(put(PUT(gen_put_dec(PUT(text, "<"), h + 1), ">:"), name), " ");
            set_piece(&t->three_result[n >> 4 << 4 | h << 3 | mods], text, put_mods(p, mods), type != GEN_BADTYPE);
        }
    }
}

/* Types of dpas: of the sums by code, of the factors also by the bits of their elements. */
static void make_products(struct iga_words *t)
{
    char text[TEXT_OPERAND];
    static const uint8_t sum_of[2] = {6, 2}, factor_of[2] = {0, 1}; /* d and f, ub and hf */
    unsigned code = 0;
    while (code < 128 && t->eu->by_code[code] != 1 + GEN_OP_dpas) code++;
    for (unsigned n = 0; n < 64 + 16 && code < 128; n++) {
        const unsigned floats = n >> 3 & 1, is_sum = n >> 6, sum = is_sum ? n & 7 : sum_of[floats],
                       factor = is_sum ? factor_of[floats] : n & 7, bits = is_sum ? 0 : n >> 4;
        uint64_t w[2] = {code, 0};
        put_field(w, FIELD(ter_exec_type), floats);
        put_field(w, FIELD(ter_dst_file), 1);
        put_field(w, FIELD(ter_dst_type), sum);
        put_field(w, FIELD(ter_src0_file), 1);
        put_field(w, FIELD(ter_src0_type), sum);
        put_field(w, FIELD(ter_src1_file), 1);
        put_field(w, FIELD(ter_src1_type), factor);
        put_field(w, FIELD(dpas_src1_bits), bits);
        put_field(w, FIELD(ter_src2_file), 1);
        put_field(w, FIELD(ter_src2_type), factor);
        put_field(w, FIELD(dpas_src2_bits), bits);
        struct gpudbg_insn insn;
        struct gen_insn i;
        const bool good = decode_word(t->eu, w, &insn, &i) && !gen_iga_lacks(&i);
        const unsigned type = is_sum ? i.dst.type : i.src[1].type, in_byte = gen_type_in_byte(type);
        char *p = PUT(put(PUT(text, ":"), gen_type_name[type]), " ");
        set_piece(is_sum ? &t->sum[n & 15] : &t->factor[n], text, p, good);
        if (!is_sum)
            t->factor_size[n] = (uint8_t)SUB(0,
                in_byte == 4   ? IN_BYTE_4
                : in_byte == 2 ? IN_BYTE_2
                               : (unsigned)__builtin_ctz(gen_type_size[type]),
                0);
    }
}

/* Parts of names, and what stands before the number of channels. */
static void make_parts(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    for (unsigned n = 0; n < PARTS; n++) {
        const char *name = n < SYSTOLIC ? gen_sfid_name(t->eu, n) : "";
        p = PUT(text, ".");
        p = n < SYSTOLIC      ? put(p, name ? name : "")
            : n < TRUTH_TABLE ? gen_put_systolic(p, n - SYSTOLIC)
                              : gen_put_hex(p, n - TRUTH_TABLE, 2);
        set_piece(&t->part[n], text, PUT(p, " ("), name != NULL);
    }
}

/* The options in braces, but for the scoreboard, which comes last: bit 0: it follows. */
static void make_options(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    for (unsigned n = 0; n < 128; n++) {
        const bool sends = n & 32;
        const struct gen_insn i = {.eu = t->eu,
            .shape = sends ? GEN_SEND : GEN_BINARY,
            .breakpoint = n >> 1 & 1,
            .thread_ctrl = n >> 2 & 1,
            .acc_wr_en = !sends && n & 8,
            .eot = sends && n & 16,
            .ex_bso = sends && n & 64,
            .w = {0, 0}};
        struct gen_insn with = i;
        if (sends && n & 8) with.w[0] = UINT64_C(1) << gen_places[E][GEN_P_serialize].lo;
        p = gen_iga_options(text, &with);
        if (n & 1) {
            if (p > text)
                p[-1] = ',';
            else
                p = PUT(p, " {");
        }
        set_wide_piece(&t->options[n], text, p, true);
    }
    for (unsigned n = 0; n < 768; n++) {
        static const uint8_t ops[3] = {GEN_OP_add, GEN_OP_send, GEN_OP_math};
        const unsigned op = ops[n >> 8], byte = n & 255;
        p = byte ? PUT(gen_put_swsb(text, t->eu, op, byte), "}") : text;
        set_piece(&t->scoreboard[n >> 8][byte], text, p, gen_iga_good_scoreboard(t->eu, byte));
    }
}

/* Bits that mean nothing in the form of a word, but for those of the flag, whose tables are told. */
static bool find_zeros(const struct gen_eu *eu, const uint64_t w[2], uint64_t zero[2])
{
    struct gpudbg_insn insn;
    struct gen_insn i;
    if (!decode_word(eu, w, &insn, &i)) return false;
    gen_meaningless_bits(&insn, &i, zero);
    zero[0] &= ~(MASK(flag_subreg) | MASK(flag_reg) | MASK(pred_inv));
    if (!(gen_may[i.op] & GEN_MAY_PREDICATE)) zero[0] |= MASK(pred_ctrl);
    if (i.shape == GEN_SEND) {
        const uint64_t way = MASK(desc_is_reg) | MASK(ex_desc_is_reg) | (eu->bindless_offsets ? MASK(ex_bso) : 0);
        const uint64_t fixed[2] = {MASK(opcode) | MASK(compact) | way, MASK(cond_mod)};
        find_unsaid(eu, GEN_SYNTAX_IGA, w, fixed, zero);
        if (i.ex_bso) zero[0] |= MASK(send_cps); /* seldom */
        return true;
    }
    if (!gen_iga_saturates(&i)) zero[0] |= MASK(saturate);
    if (i.shape != GEN_MATH && !(gen_may[i.op] & GEN_MAY_CONDITION)) zero[1] |= MASK(cond_mod);
    return true;
}

/* The word of an opcode in one of its ways; 0: it has no such way. */
static bool way_of(const struct gen_eu *eu, const struct form *f, unsigned way, uint64_t w[2])
{
    const bool three = f->shape == GEN_TERNARY;
    switch (f->shape) {
    case GEN_SEND:
        for (unsigned n = 0; !gen_sfid_name(eu, GET(E, w, cond_mod)); n++) put_field(w, FIELD(cond_mod), n);
        put_field(w, FIELD(desc_is_reg), way & DESC_REG);
        put_field(w, FIELD(ex_desc_is_reg), (way & EX_DESC_REG) != 0);
        put_field(w, FIELD(ex_bso), (way & EX_BSO) != 0);
        return !(way & EX_BSO) || (eu->bindless_offsets && way & EX_DESC_REG);
    case GEN_DPAS: return !way;
    default:
        put_field(w, FIELD(src0_is_imm), three ? (way & FIRST_OF_THREE) != 0 : way && f->sources == 1);
        put_field(w, FIELD(src1_is_imm), three ? (way & LAST_OF_THREE) != 0 : way && f->sources == 2);
        if (way && !three) put_field(w, FIELD(src0_type), 2); /* of 32 bits */
        return way < (three ? 4 : 2);
    }
}

static void make_form(struct iga_words *t, struct form *f, unsigned code, unsigned function)
{
    const struct gen_eu *eu = t->eu;
    const unsigned op = eu->by_code[code] - 1u, shape = gen_shapes[op];
    char text[TEXT_OPERAND], *p = put(text, eu->isa.ops[op].name);
    const bool math = shape == GEN_MATH, sends = shape == GEN_SEND;
    f->shape = (uint8_t)shape;
    if (shape > GEN_SEND || shape == GEN_NONE || GEN_IS(op, GATHERS) || GEN_IS(op, IMM64)) return;
    if (shape == GEN_TERNARY && GEN_IS(op, MACRO)) return;
    f->sources = (uint8_t)(shape == GEN_TERNARY ? 3 : math ? gen_math_sources(eu, function) : 1 + (shape != GEN_UNARY));
    f->cond_mask = sends || shape == GEN_DPAS ? 0 : math ? 16 : 31;
    f->logic = GEN_IS(op, LOGIC) ? 4 : 0;
    f->truth = GEN_IS(op, TRUTH);
    f->scoreboard = sends ? 1 : gen_takes_token(shape) ? 2 : 0;
    if (math) {
        const char *name = gen_math_name(eu, function);
        if (!name || function >= GEN_MATH_INVM) return;
        p = put(PUT(p, "."), name);
    }
    if (!sends && shape != GEN_DPAS && !f->truth) p = PUT(p, " ("); /* else a part comes before it */
    set_long_piece(&f->name, text, p, true);
    f->quick = f->name.n != PIECE_ODD;
    for (unsigned way = 0; way < WAYS; way++) {
        uint64_t w[2] = {code, 0};
        put_field(w, FIELD(cond_mod), function);
        if (way_of(eu, f, way, w)) f->quick = f->quick && find_zeros(eu, w, f->zero[way]);
    }
}

size_t iga_words_size(void) { return sizeof(struct iga_words); }

void iga_words_make(struct iga_words *t, const struct gen_eu *eu, bool exact)
{
    t->eu = eu;
    t->exact = exact;
    t->plain = (struct gen_insn){.eu = eu, .shape = GEN_BINARY};
    t->three = (struct gen_insn){.eu = eu, .shape = GEN_TERNARY};
    make_parts(t);
    make_controls(t);
    make_operands(t);
    make_three(t);
    make_products(t);
    make_options(t);
    for (unsigned code = 0; code < MATH_FORMS; code++) {
        if (!eu->by_code[code]) continue;
        const bool math = gen_shapes[eu->by_code[code] - 1u] == GEN_MATH;
        for (unsigned n = 0; n < (math ? 16u : 1u); n++)
            make_form(t, math ? &t->form[MATH_FORMS + n] : &t->form[code], code, n);
        t->form[code].shape = gen_shapes[eu->by_code[code] - 1u];
    }
}

/* ---- Text ---- */

#define INLINE static inline __attribute__((always_inline))
#define BY(subreg, imm)            \
    do {                           \
        PIECE(t->address, subreg); \
        PIECE(t->offset, imm);     \
    } while (0)
/* `size`: of the type. */
#define REGISTER(which, subreg, size)                              \
    do {                                                           \
        const unsigned its = which;                                \
        PIECE(t->reg, its);                                        \
        PIECE(t->sub, (unsigned)t->ways[its] + (size) + (subreg)); \
    } while (0)
/* Bits that mean nothing in this way of the form have to be 0. */
#define WAY(way) ODD_IF((w[0] & f->zero[way][0]) | (w[1] & f->zero[way][1]))

/* A register that is source n, with its region: `half` has the fields of the source in the places of source 0. */
INLINE char *put_source(const struct iga_words *t, char *p, uint64_t half, unsigned type)
{
    const uint64_t w[2] = {0, half};
    const unsigned region = GET_REGION(E, w);
    if (GET(E, w, src0_addr_mode)) {
        BY(GET(E, w, src0_addr_subreg), GET(E, w, src0_addr_imm));
        PIECE(t->by_address, region);
        PIECE(t->type, type);
    } else {
        REGISTER(GET(E, w, src0_file) << 8 | GET(E, w, src0_reg), GET(E, w, src0_subreg), t->size[type]);
        PIECE(t->typed, region | type << 9);
    }
    return p;
}

/* A constant of 32 bits. */
static char *put_constant(const struct iga_words *t, char *p, const struct form *f, unsigned type, uint64_t bits)
{
    const struct gen_operand o = {.mode = GEN_IMMEDIATE, .type = t->eu->imm_types[type], .imm = bits};
    if ((f->sources == 1 && gen_type_size[o.type] == 8) || gen_iga_source_lacks(&t->plain, &o)) return p + PIECE_ODD;
    return gen_put_imm(p, o.type, bits, t->exact);
}

INLINE char *put_message(const struct iga_words *t, char *p, const uint64_t w[2], const struct form *f, unsigned way)
{
    const unsigned dst = GET(E, w, send_dst_file) << 8 | GET(E, w, send_dst_reg),
                   src1 = GET(E, w, send_src1_file) << 8 | GET(E, w, send_src1_reg),
                   src0 = GET(E, w, send_src0_file) << 8 | GET(E, w, send_src0_reg);
    WAY(way);
    ODD_IF(!(dst >> 8 || !dst) || !(src1 >> 8 || !src1) || !(src0 >> 8));
    PIECE(t->reg, dst);
    *p++ = ' ';
    PIECE(t->reg, src0);
    *p++ = ' ';
    PIECE(t->reg, src1);
    uint32_t ex_desc = way & EX_DESC_REG ? GET(E, w, send_src1_len) << 6 : (uint32_t)e2_SEND_ex_desc_get(w) << 6;
    if (t->eu->bindless_offsets && way != EX_DESC_REG && way != (EX_DESC_REG | DESC_REG)) { /* its length is here */
        p = gen_put_dec(PUT(p, ":"), ex_desc >> 6 & 31);
        ex_desc &= ~UINT32_C(0x7c0);
    }
    *p++ = ' ';
    p = way & EX_DESC_REG ? gen_put_dec(PUT(p, "a0."), GET(E, w, ex_desc_addr)) : put_hex(p, ex_desc, 1);
    *p++ = ' ';
    return way & DESC_REG ? PUT(p, "a0.0") : put_hex(p, (uint32_t)e2_SEND_desc_get(w), 8);
}

INLINE char *put_operands(const struct iga_words *t, char *p, const uint64_t w[2], const struct form *f)
{
    const unsigned type = GET(E, w, dst_type), result = type << 5 | GET(E, w, dst_hstride) << 3;
    if (GET(E, w, dst_addr_mode))
        BY(GET(E, w, dst_addr_subreg), GET(E, w, dst_addr_imm));
    else
        REGISTER(GET(E, w, dst_file) << 8 | GET(E, w, dst_reg), GET(E, w, dst_subreg), t->size[type]);
    if (GET(E, w, src0_is_imm)) {
        ODD_IF(f->sources == 2); /* seldom */
        WAY(LAST_CONSTANT);
        PIECE(t->result, result);
        return put_constant(t, p, f, GET(E, w, src0_type), w[1] >> 32);
    }
    PIECE(t->result, result | f->logic | GET2(E, w, src0_abs, src0_neg));
    p = put_source(t, p, w[1], GET(E, w, src0_type));
    if (f->sources == 2 && GET(E, w, src1_is_imm)) {
        WAY(LAST_CONSTANT);
        *p = ' ';
        return put_constant(t, p + 1, f, GET(E, w, src1_type), w[1] >> 32);
    }
    WAY(0);
    if (f->sources == 1) return p;
    PIECE(t->mods, f->logic | GET2(E, w, src1_abs, src1_neg));
    return put_source(t, p, w[1] >> 32, GET(E, w, src1_type));
}

/* A constant of three sources has 16 bits. */
static char *put_short(const struct iga_words *t, char *p, unsigned type, unsigned bits)
{
    const struct gen_operand o = {.mode = GEN_IMMEDIATE, .type = (uint8_t)type, .imm = bits};
    ODD_IF(gen_iga_source_lacks(&t->three, &o) || gen_type_size[type] == 1);
    return gen_put_imm(p, type, bits, t->exact);
}

#define REGISTER_OF(n, code) \
    REGISTER(                \
        GET(E, w, ter_##n##_file) << 8 | GET(E, w, ter_##n##_reg), GET(E, w, ter_##n##_subreg), t->three_size[code])

INLINE char *put_three(const struct iga_words *t, char *p, const uint64_t w[2], const struct form *f)
{
    const unsigned all = GET(E, w, ter_exec_type) << 3, dst = all | GET(E, w, ter_dst_type),
                   src0 = all | GET(E, w, ter_src0_type), src1 = all | GET(E, w, ter_src1_type),
                   src2 = all | GET(E, w, ter_src2_type), result = dst << 4 | GET(E, w, ter_dst_hstride) << 3,
                   mods = f->truth ? 0 : 3; /* of bfn there are other bits in their place */
    WAY(GET2(E, w, src0_is_imm, src1_is_imm));
    REGISTER_OF(dst, dst);
    if (GET(E, w, ter_src0_is_imm)) {
        PIECE(t->three_result, result);
        p = put_short(t, p, t->three_type[src0], GET(E, w, ter_src0_imm));
    } else {
        PIECE(t->three_result, result | f->logic | (GET2(E, w, ter_src0_abs, ter_src0_neg) & mods));
        REGISTER_OF(src0, src0);
        PIECE(t->three_region, src0 << 4 | GET(E, w, ter_src0_hstride) | (unsigned)e2_TER1_src0_vstride_get(w) << 2);
    }
    PIECE(t->mods, f->logic | (GET2(E, w, ter_src1_abs, ter_src1_neg) & mods));
    REGISTER_OF(src1, src1);
    PIECE(t->three_region, src1 << 4 | GET(E, w, ter_src1_hstride) | (unsigned)e2_TER2_src1_vstride_get(w) << 2);
    if (GET(E, w, ter_src2_is_imm)) {
        *p = ' ';
        return put_short(t, p + 1, t->three_type[src2], GET(E, w, ter_src2_imm));
    }
    PIECE(t->mods, f->logic | (GET2(E, w, ter_src2_abs, ter_src2_neg) & mods));
    REGISTER_OF(src2, src2);
    PIECE(t->three_last, src2 << 2 | GET(E, w, ter_src2_hstride));
    return p;
}

/* The number of an element of dpas is not written where it is 0, but for the last source. */
#define FACTOR(n, ways, size)                                                     \
    do {                                                                          \
        PIECE(t->reg, GET(E, w, ter_##n##_file) << 8 | GET(E, w, ter_##n##_reg)); \
        PIECE(t->sub, SUB(ways, 0, 0) + (size) + GET(E, w, ter_##n##_subreg));    \
    } while (0)

INLINE char *put_product(const struct iga_words *t, char *p, const uint64_t w[2], const struct form *f)
{
    const unsigned all = GET(E, w, ter_exec_type) << 3, dst = all | GET(E, w, ter_dst_type),
                   src0 = all | GET(E, w, ter_src0_type),
                   src1 = all | GET(E, w, ter_src1_type) | GET(E, w, dpas_src1_bits) << 4,
                   src2 = all | GET(E, w, ter_src2_type) | GET(E, w, dpas_src2_bits) << 4;
    WAY(0);
    ODD_IF(!(GET(E, w, ter_dst_file) & GET(E, w, ter_src1_file) & GET(E, w, ter_src2_file)) ||
           (!GET(E, w, ter_src0_file) && (GET(E, w, ter_src0_reg) | GET(E, w, ter_src0_subreg))));
    FACTOR(dst, SUB_BARE, t->three_size[dst]);
    PIECE(t->sum, dst);
    FACTOR(src0, SUB_BARE, t->three_size[src0]);
    PIECE(t->sum, src0);
    FACTOR(src1, SUB_BARE, t->factor_size[src1]);
    PIECE(t->factor, src1);
    FACTOR(src2, 0, t->factor_size[src2]);
    PIECE(t->factor, src2);
    return p - 1; /* the blank behind the last operand */
}

/* What is waited for: everything, or the tokens of a mask.  All other fields have their usual values. */
static bool put_sync(const struct iga_words *t, const uint64_t w[2], char *buf, size_t *len)
{
    static const uint64_t shown = MASK(opcode) | MASK(swsb) | MASK(debug) | MASK(mask_ctrl);
    const unsigned function = GET(E, w, cond_mod), swsb = GET(E, w, swsb), tokens = GET(E, w, imm32);
    uint64_t usual[2] = {0, 0};
    char *p = buf;
    const char *name = gen_sync_name(function);
    put_field(usual, FIELD(dst_hstride), 1);
    put_field(usual, FIELD(cond_mod), function);
    put_field(usual, FIELD(imm32), tokens);
    if (tokens) {
        put_field(usual, FIELD(src0_is_imm), 1);
        put_field(usual, FIELD(src0_type), 2);
    }
    if (!name || (w[0] & ~shown) != usual[0] || w[1] != usual[1]) return false;
    if (tokens && ((function != 2 && function != 3) || tokens >> 16)) return false;
    LONG_PIECE(t->predicate, GET_RUN(E, w, flag_subreg, mask_ctrl));
    p = put(PUT(p, "sync."), name);
    char *open = p;
    for (unsigned left = tokens; left; left &= left - 1) p = gen_put_dec(PUT(p, ",$"), (unsigned)__builtin_ctz(left));
    if (tokens) {
        memmove(open + 2, open + 1, (size_t)(p - open - 1));
        memcpy(open, " (", 2);
        p = PUT(p + 1, ")");
    } else {
        p = PUT(p, " null");
    }
    WIDE_PIECE(t->options, (swsb != 0) | GET(E, w, debug) << 1);
    PIECE(t->scoreboard[0], swsb);
    *len = (size_t)(p - buf);
    return *len < PIECE_ODD;
}

/* false: the word has to be decoded. */
INLINE bool put_word(const struct iga_words *t, uint64_t low, uint64_t high, char *buf, size_t *len)
{
    const uint64_t w[2] = {low, high};
    const struct form *f = &t->form[low & 127];
    if (f->shape == GEN_MATH) f = &t->form[MATH_FORMS + GET(E, w, cond_mod)];
    if (!f->quick) return f->shape == GEN_SYNC && put_sync(t, w, buf, len);
    const unsigned pred = GET(E, w, pred_ctrl), flag = GET2(E, w, flag_subreg, flag_reg), swsb = GET(E, w, swsb);
    unsigned options = (swsb != 0) | GET(E, w, debug) << 1 | GET2(E, w, thread_ctrl, acc_wr_en) << 2;
    unsigned cond = (GET(E, w, cond_mod) | GET(E, w, saturate) << 4) & f->cond_mask, way = 0;
    char *p = buf;
    LONG_PIECE(t->predicate, GET_RUN(E, w, flag_subreg, mask_ctrl));
    LONG_PIECE(&f->name, 0);
    if (f->shape == GEN_SEND) {
        way = GET2(E, w, desc_is_reg, ex_desc_is_reg);
        if (way & EX_DESC_REG && t->eu->bindless_offsets) way |= GET(E, w, ex_bso) * EX_BSO;
        options |= GET(E, w, eot) << 4 | 32 | (way & EX_BSO ? 64 : 0);
        PIECE(t->part, SHARED + GET(E, w, cond_mod));
    } else if (f->shape == GEN_DPAS) {
        PIECE(t->part, SYSTOLIC + (GET(E, w, dpas_repeat) | GET(E, w, dpas_depth) << 3));
    } else if (f->truth) {
        PIECE(t->part, TRUTH_TABLE + (GET(E, w, bfn_low) | GET(E, w, cond_mod) << 4));
        cond = (cond & 16) | gen_truth_conditions[GET(E, w, bfn_cond)];
    }
    PIECE(t->exec, GET2(E, w, exec_size, chan_off));
    PIECE(t->condition, (pred != 0) | flag << 1 | cond << 3);
    p = f->shape == GEN_SEND   ? put_message(t, p, w, f, way)
        : f->shape == GEN_DPAS ? put_product(t, p, w, f)
        : f->sources == 3      ? put_three(t, p, w, f)
                               : put_operands(t, p, w, f);
    WIDE_PIECE(t->options, options);
    PIECE(t->scoreboard[f->scoreboard], swsb);
    *len = (size_t)(p - buf);
    return *len < PIECE_ODD;
}

INLINE int print(
    void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    const struct gen_printer_words *words = printer;
    const uint64_t low = n >= 16 ? le_u64(p) : UINT64_MAX;
    if (!gen_is_compacted(low) && put_word(words->iga, low, le_u64(p + 8), buf, len)) return 16;
    return gen_print_decoded(printer, p, n, addr, names, buf, len);
}

static int print_one(
    void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    return print(printer, p, n, addr, names, buf, len);
}

static unsigned print_lines(void *printer, struct gpudbg_lines *lines)
{
    return gpudbg_lines_loop(printer, lines, lines->ends, print);
}

const struct gen_print_ways iga_words_ways = {print_one, print_lines};
