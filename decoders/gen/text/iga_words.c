/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iga_words.c: text of Gen12's usual instructions straight from the word: one to three sources, math and messages.
 *
 * Entries whose text IGA would not turn into the same bits are marked, and so are the bits that mean nothing in each
 * form: gen_print.c decodes words that meet a mark.
 */
#include "gpudbg/listing.h"
#include "ops.h"
#include "text/word_tables.h"

enum { E = GEN_COLUMN_e2 };

/* What is known of an opcode, by its code: its forms without and with a constant as last source; with three sources:
 * by which of the first and the last are constants. */
struct form {
    struct long_piece name;                               /* "add (", "math.inv (": up to the number of channels */
    uint64_t zero[4][2];                                  /* bits of the word that must be 0 */
    uint8_t shape, sources, cond_mask, logic, scoreboard; /* the last: 1 of messages, 2 of math */
    bool quick;
};

enum { MATH_FORMS = 128, FORMS = MATH_FORMS + 16 };

struct iga_words {
    const struct gen_eu *eu;
    struct gen_insn plain, three; /* of one or two sources, of three */
    bool exact;
    struct form form[FORMS]; /* by opcode, then by function of math */
    struct long_piece predicate[256];
    struct wide_piece options[64];
    struct piece exec[64], condition[256], reg[512], sub[256], result[64], mods[16], region[512], by_address[512],
        type[16], typed[16 * 512], shared[16], scoreboard[3][256], address[16], offset[1024];
    /* Of three sources: types by the bit of all operands and the code of one; regions of the first two, and of the last
     * one, with the type. */
    struct piece three_result[32], three_region[256], three_last[64];
    uint8_t three_size[16], three_type[16];
    uint8_t size[16];  /* 32 times the size of a type's elements as a power of two, by code */
    uint8_t bare[512]; /* where the texts of a register's subregisters begin: 128 where no 0 is written */
};

/* ---- Making the tables ---- */

/* Predicate, number of channels, condition and saturation: of bits of control. */
static void make_controls(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    for (unsigned n = 0; n < 256; n++) {
        const struct gen_insn i = {.eu = t->eu,
            .flag_sub = n & 1,
            .flag_reg = n >> 1 & 1,
            .pred = n >> 2 & 15,
            .pred_inv = n >> 6 & 1,
            .no_mask = n >> 7};
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

/* Parts of an operand. */
static void make_operands(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    const struct gen_insn i = {.eu = t->eu, .shape = GEN_BINARY};
    for (unsigned n = 0; n < 512; n++) {
        struct gpudbg_insn insn;
        struct gen_insn one;
        uint8_t bytes[16];
        const uint64_t w = 0x61 | (uint64_t)(n >> 8) << gen_places[E][GEN_P_dst_file].lo |
                           (uint64_t)(n & 255) << gen_places[E][GEN_P_dst_reg].lo; /* mov with this result */
        le_put(bytes, w, 8);
        le_put(bytes + 8, 0, 8);
        gen_decode_words(&t->eu->isa, bytes, 16, 0, &insn, &one);
        const struct gen_operand *o = &one.dst;
        p = gen_put_register(text, o, false);
        set_piece(&t->reg[n], text, p, !gen_iga_operand_lacks(&one, o) && !gen_iga_counts_bytes(o));
        t->bare[n] = o->file == GEN_NULL ? 128 : 0;
    }
    for (unsigned n = 0; n < 256; n++) {
        const unsigned size = 1u << (n >> 5 & 3), sub = n & 31;
        p = sub || n < 128 ? gen_put_dec(PUT(text, "."), sub / size) : text;
        set_piece(&t->sub[n], text, p, sub % size == 0);
    }
    for (unsigned n = 0; n < 16; n++) {
        const unsigned type = t->eu->types[n];
        t->size[n] = (uint8_t)(32 * __builtin_ctz(gen_type_size[type]));
        set_piece(&t->type[n], text, put(text, gen_type_name[type]), type != GEN_BADTYPE);
        for (unsigned h = 0; h < 4; h++) {
            p = PUT(gen_put_dec(PUT(text, "<"), gen_hstrides[h]), ">:");
            set_piece(&t->result[n << 2 | h], text, PUT(put(p, gen_type_name[type]), " "), type != GEN_BADTYPE);
        }
        p = PUT(gen_put_dec(PUT(text, "r[a0."), n), "");
        set_piece(&t->address[n], text, p, true);
        const char *name = gen_sfid_name(t->eu, n);
        set_piece(&t->shared[n], text, PUT(put(PUT(text, "."), name ? name : ""), " ("), name != NULL);
    }
    for (unsigned n = 0; n < 16; n++) { /* bit 3: of source 1 */
        p = n & 8 ? PUT(text, " ") : text;
        if (n & 2) *p++ = n & 4 ? '~' : '-';
        set_piece(&t->mods[n], text, n & 1 ? PUT(p, "(abs)") : p, true);
    }
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
        t->three_size[n >> 4] = (uint8_t)(32 * __builtin_ctz(gen_type_size[type]));
        *first = *last = (struct gen_operand){.mode = GEN_DIRECT, .file = GEN_GRF, .type = (uint8_t)type};
        first->vstride = eu->row_steps[v];
        first->hstride = last->hstride = last->vstride = gen_hstrides[h];
        last->width = 1;
        p = put(PUT(gen_iga_region(text, &with, first), ":"), name);
        set_piece(&t->three_region[n], text, p, !gen_iga_source_lacks(&with, first));
        p = put(PUT(gen_iga_region(text, &with, last), ":"), name);
        if (!v) set_piece(&t->three_last[n >> 4 << 2 | h], text, p, !gen_iga_source_lacks(&with, last));
        p = PUT(put(PUT(gen_put_dec(PUT(text, "<"), h + 1), ">:"), name), " ");
        if (!v && h < 2) set_piece(&t->three_result[n >> 4 << 1 | h], text, p, type != GEN_BADTYPE);
    }
}

/* The options in braces, but for the scoreboard, which comes last: bit 0: it follows. */
static void make_options(struct iga_words *t)
{
    char text[TEXT_OPERAND], *p;
    for (unsigned n = 0; n < 64; n++) {
        const bool sends = n & 32;
        const struct gen_insn i = {.eu = t->eu,
            .shape = sends ? GEN_SEND : GEN_BINARY,
            .breakpoint = n >> 1 & 1,
            .thread_ctrl = n >> 2 & 1,
            .acc_wr_en = !sends && n & 8,
            .eot = sends && n & 16,
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
    uint8_t bytes[16];
    le_put(bytes, w[0], 8);
    le_put(bytes + 8, w[1], 8);
    if (gen_decode_words(&eu->isa, bytes, 16, 0, &insn, &i) != 16) return false;
    gen_meaningless_bits(&insn, &i, zero);
#define FIELD(name) ((UINT64_MAX >> (64 - gen_places[E][GEN_P_##name].len)) << (gen_places[E][GEN_P_##name].lo & 63))
    zero[0] &= ~(FIELD(flag_subreg) | FIELD(flag_reg) | FIELD(pred_inv));
    zero[0] |= FIELD(compact);
    if (!(gen_may[i.op] & GEN_MAY_PREDICATE)) zero[0] |= FIELD(pred_ctrl);
    if (i.shape == GEN_SEND) {
        zero[0] |= FIELD(desc_is_reg) | FIELD(ex_desc_is_reg);
        return true;
    }
    if (!gen_iga_saturates(&i)) zero[0] |= FIELD(saturate);
    if (i.shape != GEN_MATH && !(gen_may[i.op] & GEN_MAY_CONDITION)) zero[1] |= FIELD(cond_mod);
    return true;
}

static void make_form(struct iga_words *t, struct form *f, unsigned code, unsigned function)
{
    const struct gen_eu *eu = t->eu;
    const unsigned op = eu->by_code[code] - 1u, shape = gen_shapes[op];
    char text[TEXT_OPERAND], *p = put(text, eu->isa.ops[op].name);
    const uint64_t w[2] = {code, (uint64_t)function << (gen_places[E][GEN_P_cond_mod].lo - 64)};
    const bool three = shape == GEN_TERNARY;
    if (shape != GEN_UNARY && shape != GEN_BINARY && shape != GEN_MATH && shape != GEN_SEND && !three) return;
    if (GEN_IS(op, GATHERS) || GEN_IS(op, IMM64) || (three && (GEN_IS(op, MACRO) || GEN_IS(op, TRUTH)))) return;
    f->shape = (uint8_t)shape;
    f->sources = (uint8_t)(three ? 3 : shape == GEN_MATH ? gen_math_sources(eu, function) : 1 + (shape != GEN_UNARY));
    f->cond_mask = shape == GEN_UNARY || shape == GEN_BINARY || three ? 15 : 0;
    f->logic = GEN_IS(op, LOGIC) ? 4 : 0;
    f->scoreboard = shape == GEN_SEND ? 1 : shape == GEN_MATH ? 2 : 0;
    if (shape == GEN_MATH) {
        const char *name = gen_math_name(eu, function);
        if (!name || function >= GEN_MATH_INVM) return;
        p = put(PUT(p, "."), name);
    }
    if (shape != GEN_SEND) p = PUT(p, " ("); /* else the shared function comes before it */
    set_long_piece(&f->name, text, p, true);
    f->quick = f->name.n != PIECE_ODD && find_zeros(eu, w, f->zero[0]);
    for (unsigned n = 1; n < (three ? 4u : 2u) && shape != GEN_SEND; n++) {
        const bool first = three ? n & 1 : f->sources == 1, last = three ? n & 2 : f->sources == 2;
        const uint64_t constant[2] = {w[0] | (uint64_t)first << gen_places[E][GEN_P_src0_is_imm].lo |
                                          (uint64_t)last << gen_places[E][GEN_P_src1_is_imm].lo |
                                          (uint64_t)(three ? 0 : 2) << gen_places[E][GEN_P_src0_type].lo,
            w[1]};
        f->quick = f->quick && find_zeros(eu, constant, f->zero[n]);
    }
}

size_t iga_words_size(void) { return sizeof(struct iga_words); }

void iga_words_make(struct iga_words *t, const struct gen_eu *eu, bool exact)
{
    t->eu = eu;
    t->exact = exact;
    t->plain = (struct gen_insn){.eu = eu, .shape = GEN_BINARY};
    t->three = (struct gen_insn){.eu = eu, .shape = GEN_TERNARY};
    make_controls(t);
    make_operands(t);
    make_three(t);
    make_options(t);
    for (unsigned code = 0; code < MATH_FORMS; code++) {
        if (!eu->by_code[code]) continue;
        if (gen_shapes[eu->by_code[code] - 1u] != GEN_MATH) make_form(t, &t->form[code], code, 0);
        for (unsigned n = 0; gen_shapes[eu->by_code[code] - 1u] == GEN_MATH && n < 16; n++)
            make_form(t, &t->form[MATH_FORMS + n], code, n);
        if (gen_shapes[eu->by_code[code] - 1u] == GEN_MATH) t->form[code].shape = GEN_MATH;
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
        PIECE(t->sub, (unsigned)t->bare[its] + (size) + (subreg)); \
    } while (0)

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

INLINE char *put_message(const struct iga_words *t, char *p, const uint64_t w[2])
{
    const unsigned dst = GET(E, w, send_dst_file) << 8 | GET(E, w, send_dst_reg),
                   src1 = GET(E, w, send_src1_file) << 8 | GET(E, w, send_src1_reg),
                   src0 = GET(E, w, send_src0_file) << 8 | GET(E, w, send_src0_reg);
    ODD_IF(!(dst >> 8 || !dst) || !(src1 >> 8 || !src1) || !(src0 >> 8));
    PIECE(t->reg, dst);
    *p++ = ' ';
    PIECE(t->reg, src0);
    *p++ = ' ';
    PIECE(t->reg, src1);
    uint32_t ex_desc = (uint32_t)e2_SEND_ex_desc_get(w) << 6;
    if (t->eu->bindless_offsets) { /* its length is written here */
        p = gen_put_dec(PUT(p, ":"), ex_desc >> 6 & 31);
        ex_desc &= ~UINT32_C(0x7c0);
    }
    *p++ = ' ';
    p = put_hex(p, ex_desc, 1);
    *p++ = ' ';
    return put_hex(p, (uint32_t)e2_SEND_desc_get(w), 8);
}

INLINE char *put_operands(const struct iga_words *t, char *p, const uint64_t w[2], const struct form *f)
{
    const unsigned type = GET(E, w, dst_type);
    if (GET(E, w, dst_addr_mode))
        BY(GET(E, w, dst_addr_subreg), GET(E, w, dst_addr_imm));
    else
        REGISTER(GET(E, w, dst_file) << 8 | GET(E, w, dst_reg), GET(E, w, dst_subreg), t->size[type]);
    PIECE(t->result, type << 2 | GET(E, w, dst_hstride));
    if (GET(E, w, src0_is_imm)) {
        ODD_IF(f->sources == 2); /* seldom */
        return put_constant(t, p, f, GET(E, w, src0_type), w[1] >> 32);
    }
    PIECE(t->mods, f->logic | GET2(E, w, src0_abs, src0_neg));
    p = put_source(t, p, w[1], GET(E, w, src0_type));
    if (f->sources == 1) {
    } else if (GET(E, w, src1_is_imm)) {
        *p = ' ';
        p = put_constant(t, p + 1, f, GET(E, w, src1_type), w[1] >> 32);
    } else {
        PIECE(t->mods, 8 | f->logic | GET2(E, w, src1_abs, src1_neg));
        p = put_source(t, p, w[1] >> 32, GET(E, w, src1_type));
    }
    return p;
}

/* A constant of three sources has 16 bits. */
static char *put_short(const struct iga_words *t, char *p, unsigned type, unsigned bits)
{
    const struct gen_operand o = {.mode = GEN_IMMEDIATE, .type = (uint8_t)type, .imm = bits};
    ODD_IF(gen_iga_source_lacks(&t->three, &o) || gen_type_size[type] == 1);
    return gen_put_imm(p, type, bits, t->exact);
}

INLINE char *put_three(const struct iga_words *t, char *p, const uint64_t w[2], const struct form *f)
{
    const unsigned all = GET(E, w, ter_exec_type) << 3, dst = all | GET(E, w, ter_dst_type),
                   src0 = all | GET(E, w, ter_src0_type), src1 = all | GET(E, w, ter_src1_type),
                   src2 = all | GET(E, w, ter_src2_type);
    REGISTER(GET(E, w, ter_dst_file) << 8 | GET(E, w, ter_dst_reg), GET(E, w, ter_dst_subreg), t->three_size[dst]);
    PIECE(t->three_result, dst << 1 | GET(E, w, ter_dst_hstride));
    if (GET(E, w, ter_src0_is_imm)) {
        p = put_short(t, p, t->three_type[src0], GET(E, w, ter_src0_imm));
    } else {
        PIECE(t->mods, f->logic | GET2(E, w, ter_src0_abs, ter_src0_neg));
        REGISTER(
            GET(E, w, ter_src0_file) << 8 | GET(E, w, ter_src0_reg), GET(E, w, ter_src0_subreg), t->three_size[src0]);
        PIECE(t->three_region, src0 << 4 | GET(E, w, ter_src0_hstride) | (unsigned)e2_TER1_src0_vstride_get(w) << 2);
    }
    PIECE(t->mods, 8 | f->logic | GET2(E, w, ter_src1_abs, ter_src1_neg));
    REGISTER(GET(E, w, ter_src1_file) << 8 | GET(E, w, ter_src1_reg), GET(E, w, ter_src1_subreg), t->three_size[src1]);
    PIECE(t->three_region, src1 << 4 | GET(E, w, ter_src1_hstride) | (unsigned)e2_TER2_src1_vstride_get(w) << 2);
    if (GET(E, w, ter_src2_is_imm)) {
        *p = ' ';
        p = put_short(t, p + 1, t->three_type[src2], GET(E, w, ter_src2_imm));
    } else {
        PIECE(t->mods, 8 | f->logic | GET2(E, w, ter_src2_abs, ter_src2_neg));
        REGISTER(
            GET(E, w, ter_src2_file) << 8 | GET(E, w, ter_src2_reg), GET(E, w, ter_src2_subreg), t->three_size[src2]);
        PIECE(t->three_last, src2 << 2 | GET(E, w, ter_src2_hstride));
    }
    return p;
}

/* false: the word has to be decoded. */
INLINE bool put_word(const struct iga_words *t, uint64_t low, uint64_t high, char *buf, size_t *len)
{
    const uint64_t w[2] = {low, high};
    const struct form *f = &t->form[low & 127];
    if (f->shape == GEN_MATH) f = &t->form[MATH_FORMS + GET(E, w, cond_mod)];
    if (!f->quick) return false;
    const bool sends = f->shape == GEN_SEND;
    const unsigned constant = sends             ? 0
                              : f->sources == 3 ? GET2(E, w, src0_is_imm, src1_is_imm)
                              : f->sources == 1 ? GET(E, w, src0_is_imm)
                                                : GET(E, w, src1_is_imm);
    if ((w[0] & f->zero[constant][0]) | (w[1] & f->zero[constant][1])) return false;
    const unsigned flag = GET2(E, w, flag_subreg, flag_reg), pred = GET(E, w, pred_ctrl);
    const unsigned cond = GET(E, w, cond_mod) & f->cond_mask, swsb = GET(E, w, swsb);
    char *p = buf;
    LONG_PIECE(t->predicate, flag | GET2(E, w, pred_ctrl, pred_inv) << 2 | GET(E, w, mask_ctrl) << 7);
    LONG_PIECE(&f->name, 0);
    if (sends) PIECE(t->shared, GET(E, w, cond_mod));
    PIECE(t->exec, GET2(E, w, exec_size, chan_off));
    PIECE(t->condition, (pred != 0) | flag << 1 | cond << 3 | (sends ? 0 : GET(E, w, saturate) << 7));
    p = sends ? put_message(t, p, w) : f->sources == 3 ? put_three(t, p, w, f) : put_operands(t, p, w, f);
    const unsigned options = (swsb != 0) | GET(E, w, debug) << 1 | GET2(E, w, thread_ctrl, acc_wr_en) << 2 |
                             (sends ? GET(E, w, eot) << 4 | 32 : 0);
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
