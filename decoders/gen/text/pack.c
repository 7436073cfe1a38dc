/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pack.c: makes the native word of a text, field by field of fields.def: the inverse of unpack.c.  Bits that mean
 * nothing in an instruction are set as IGA sets them.
 */
#include "text/gen_assembly.h"
#include "ops.h"

static void set_bits(uint64_t w[2], unsigned lo, unsigned len, uint64_t value)
{
    const uint64_t mask = (UINT64_MAX >> (64 - len)) << (lo & 63);
    w[lo >> 6] = (w[lo >> 6] & ~mask) | (value << (lo & 63) & mask);
}
/* A field that the words of the generation lack stays out. */
#define SET(name, value) set_place(w, &gen_places[e][GEN_P_##name], (uint64_t)(value))
static void set_place(uint64_t w[2], const struct gen_place *at, uint64_t value)
{
    if (at->len) set_bits(w, at->lo, at->len, value);
}

/* Scattered fields: e2_SEND_desc_set(w, value). */
static void set_runs(uint64_t w[2], uint64_t value, const uint8_t (*run)[2], unsigned n)
{
    for (unsigned i = 0; i < n; value >>= run[i++][1]) set_bits(w, run[i][0], run[i][1], value);
}
#define RUN(range)                    \
    {                                 \
        GEN_LO(range), GEN_LEN(range) \
    }
#define RUNS2(a, b) RUN(a), RUN(b)
#define RUNS4(a, b, c, d) RUN(a), RUN(b), RUN(c), RUN(d)
#define RUNS5(a, b, c, d, e) RUN(a), RUN(b), RUN(c), RUN(d), RUN(e)
#define RUNS6(a, b, c, d, e, f) RUN(a), RUN(b), RUN(c), RUN(d), RUN(e), RUN(f)
#define RUNS(...) GEN_PICK(__VA_ARGS__, RUNS6, RUNS5, RUNS4, , RUNS2, , )(__VA_ARGS__)
#define FORMAT(layout, word, at, bits, doc)
#define FIELD(layout, name, at, range, how, doc)
#define SPLIT(layout, name, at, how, doc, ...)                              \
    static inline void layout##_##name##_set(uint64_t w[2], uint64_t value) \
    {                                                                       \
        static const uint8_t runs[][2] = {RUNS(__VA_ARGS__)};               \
        set_runs(w, value, runs, sizeof runs / sizeof *runs);               \
    }
#define END
#include "code/fields.def"
#undef FORMAT
#undef FIELD
#undef SPLIT
#undef END

static unsigned code_of(const uint8_t *types, unsigned n, const struct gen_written *o)
{
    if (o->type == GEN_BADTYPE) return o->code;
    for (unsigned i = 0; i < n; i++)
        if (types[i] == o->type) return i;
    return 0;
}

/* ---- One and two sources ---- */

static void control(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    SET(opcode, (unsigned)a->eu->isa.rows[a->row->id].code);
    if (a->shape == GEN_NONE) {
        if (!GEN_IS(a->op, ILLEGAL)) SET(swsb, a->swsb);
        return;
    }
    SET(exec_size, a->exec);
    SET(mask_ctrl, a->no_mask);
    SET(pred_ctrl, a->pred);
    SET(pred_inv, a->pred_inv);
    SET(debug, a->breakpoint);
    SET(swsb, a->swsb);
    SET(chan_off, a->chan_off / 4);
    SET(qtr_ctrl, a->chan_off / 8);
    SET(nib_ctrl, a->chan_off / 4 & 1);
    SET(thread_ctrl, a->thread_ctrl);
    SET(access_mode, a->align16);
    SET(no_dd_clr, a->no_dd_clr);
    SET(no_dd_chk, a->no_dd_chk);
    const bool branch = a->shape >= GEN_JUMP, own = e != GEN_COLUMN_e2 || (!branch && a->shape != GEN_SEND);
    if (own) { /* else other fields are there */
        SET(acc_wr_en, a->acc_wr_en);
        SET(saturate, a->saturate);
    }
    if (a->shape == GEN_TERNARY && !a->eu->three_regions) {
        SET(ter_flag_subreg, a->flag_sub);
        SET(ter_flag_reg, a->flag_reg);
    } else {
        SET(flag_subreg, a->flag_sub);
        SET(flag_reg, a->flag_reg);
    }
    if (a->shape == GEN_SEND) {
        SET(serialize, a->serialize);
        SET(cond_mod, a->sfid);
    } else if (branch) {
        if (a->eu->branch_control) SET(branch_ctrl, a->branch_ctrl);
        if (a->mesa && own) SET(cond_mod, a->cmod);
    } else if (own)
        SET(cond_mod, a->shape == GEN_MATH ? a->func : a->cmod);
}

static void destination(struct gen_assembly *a, const struct gen_written *o)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    SET(dst_type, code_of(a->eu->types, 16, o));
    SET(dst_hstride, o->h);
    if (o->mode != GEN_INDIRECT || e != GEN_COLUMN_e2) SET(dst_file, o->file);
    if (o->mode == GEN_INDIRECT) {
        SET(dst_addr_mode, 1);
        SET(dst_addr_subreg, o->addr_sub);
        if (a->align16)
            SET(dst_addr_imm16, o->addr_imm / 16);
        else
            SET(dst_addr_imm, o->addr_imm);
        SET(dst_addr_sign, o->addr_imm >> 9);
    } else {
        SET(dst_reg, o->reg);
        if (a->align16)
            SET(dst_subreg16, o->mme ? 0 : o->sub / 16);
        else
            SET(dst_subreg, o->sub);
    }
    if (a->align16) SET(dst_chan_en, o->mme ? o->sub : o->chan_en);
}

/* A field of source n of one or two. */
#define SET_SRC(name, value) (n ? SET(src1_##name, value) : SET(src0_##name, value))

/* A register with its region; of a source that also has a constant (Mesa) it takes no bit away. */
static void source_register(struct gen_assembly *a, const struct gen_written *o, unsigned n)
{
    uint64_t t[2] = {0, 0}, *w = a->w;
    const unsigned e = a->eu->column;
    if (e != GEN_COLUMN_e2) w = t;
    SET_SRC(abs, o->abs);
    SET_SRC(neg, o->neg);
    w = t;
    if (o->mode == GEN_INDIRECT) {
        SET_SRC(addr_mode, 1);
        SET_SRC(addr_subreg, o->addr_sub);
        if (a->align16)
            SET_SRC(addr_imm16, o->addr_imm / 16);
        else
            SET_SRC(addr_imm, o->addr_imm);
        SET_SRC(addr_sign, o->addr_imm >> 9);
    } else {
        SET_SRC(reg, o->reg);
        if (a->align16)
            SET_SRC(subreg16, o->mme ? 0 : o->sub / 16);
        else
            SET_SRC(subreg, o->sub);
    }
    SET_SRC(vstride, o->v);
    if (a->align16) {
        const unsigned swizzle = o->mme ? o->sub : o->swizzle;
        SET_SRC(swz_x, swizzle);
        SET_SRC(swz_y, swizzle >> 2);
        SET_SRC(swz_z, swizzle >> 4);
        SET_SRC(swz_w, swizzle >> 6);
    } else {
        SET_SRC(width, o->w);
        SET_SRC(hstride, o->h);
    }
    a->w[0] |= t[0];
    a->w[1] |= t[1];
}

/* The file and the type of source n. */
static void kind(struct gen_assembly *a, unsigned n, unsigned file, unsigned type)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    SET_SRC(file, file);
    SET_SRC(type, type);
}

enum { ARF_IP = 0xa0, CODE_UD = 0, CODE_D = 1, CODE_W = 3, CONSTANT = 3 }; /* before Gen12 */

static void source(struct gen_assembly *a, const struct gen_written *o, unsigned n)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    const bool constant = o->mode == GEN_IMMEDIATE, dim = GEN_IS(a->op, IMM64) && constant;
    const unsigned type = dim ? 7 : code_of(constant ? a->eu->imm_types : a->eu->types, 16, o);
    const bool wide = dim || (constant && !n && a->shape == GEN_UNARY && gen_type_size[o->type] == 8);
    if (e == GEN_COLUMN_e2) {
        SET_SRC(type, type);
        SET_SRC(is_imm, constant);
        if (!constant && o->mode != GEN_INDIRECT) SET_SRC(file, o->file);
    } else {
        kind(a, n, constant ? CONSTANT : o->file, type);
        if (a->mesa && constant && n == 0) kind(a, 1, 0, type); /* of a source that the instruction lacks */
    }
    if (!constant)
        source_register(a, o, n);
    else if (!wide)
        w[1] |= o->imm << 32;
    else if (e == GEN_COLUMN_e2)
        e2_IMM64_imm64_set(w, o->imm);
    else
        w[1] = o->imm;
}

/* ---- Three sources ---- */

static void ternary16(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    const struct gen_written *d = &a->dst, *s = a->src;
    SET(ter_dst_type, code_of(a->eu->ternary_types, 8, d));
    SET(ter_src_type, code_of(a->eu->ternary_types, 8, s));
    SET(ter_src1_is_half, a->eu->half_places && s[1].type == GEN_HF);
    SET(ter_src2_is_half, a->eu->half_places && s[2].type == GEN_HF);
    SET(ter_dst_reg, d->reg);
    SET(ter_dst_subreg16, d->mme ? 0 : d->sub / 4);
    SET(ter_chan_en, d->mme ? d->sub : d->chan_en);
#define SOURCE(n)                                              \
    SET(ter_src##n##_abs, s[n].abs);                           \
    SET(ter_src##n##_neg, s[n].neg);                           \
    SET(ter_src##n##_rep, s[n].rep);                           \
    SET(ter_src##n##_swz, s[n].mme ? s[n].sub : s[n].swizzle); \
    SET(ter_src##n##_subreg16, s[n].mme ? 0 : s[n].sub / 4);   \
    SET(ter_src##n##_half, s[n].mme ? 0 : s[n].sub / 2 & 1);   \
    SET(ter_src##n##_reg, s[n].reg)
    SOURCE(0);
    SOURCE(1);
    SOURCE(2);
#undef SOURCE
}

unsigned gen_written_row(const struct gen_assembly *a)
{
    const struct gen_written *all[4] = {&a->dst, &a->src[0], &a->src[1], &a->src[2]};
    bool point = false, whole = false;
    for (unsigned n = 0; n < 4; n++) {
        if (all[n]->type == GEN_BADTYPE) continue;
        const bool is = all[n]->type == GEN_NF || gen_type_is_float(all[n]->type);
        point |= is;
        whole |= !is;
    }
    return point || !whole;
}

static void ternary(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    const struct gen_written *d = &a->dst, *s = a->src;
    const unsigned exec = gen_written_row(a);
    const uint8_t *types = a->eu->region_types[exec];
    const bool e2 = e == GEN_COLUMN_e2;
    SET(ter_exec_type, exec);
    SET(ter_dst_type, code_of(types, 8, d));
    SET(ter_dst_hstride, d->h);
    SET(ter_dst_file, (d->file == 1) == e2); /* e8: 1 is the architecture's file */
    SET(ter_dst_reg, d->reg);
    SET(ter_dst_subreg, e2 ? d->sub : d->sub / 8);
    SET(ter_src0_is_imm, s[0].mode == GEN_IMMEDIATE || (!e2 && s[0].file != 1));
    SET(ter_src2_is_imm, s[2].mode == GEN_IMMEDIATE);
#define SOURCE(n)                                   \
    SET(ter_src##n##_hstride, s[n].h);              \
    SET(ter_src##n##_file, (s[n].file == 1) == e2); \
    SET(ter_src##n##_subreg, s[n].sub);             \
    SET(ter_src##n##_reg, s[n].reg);                \
    SET(ter_src##n##_abs, s[n].abs);                \
    SET(ter_src##n##_neg, s[n].neg)
    if (s[0].mode == GEN_IMMEDIATE)
        SET(ter_src0_imm, s[0].imm);
    else {
        if (e2) e2_TER1_src0_vstride_set(w, s[0].v);
        SET(ter_src0_vstride, s[0].v);
        SOURCE(0);
    }
    if (e2) e2_TER2_src1_vstride_set(w, s[1].v);
    SET(ter_src1_vstride, s[1].v);
    SOURCE(1);
    if (s[2].mode == GEN_IMMEDIATE)
        SET(ter_src2_imm, s[2].imm);
    else {
        SOURCE(2);
    }
#undef SOURCE
    if (!e2 && d->mme) { /* in place of subregisters */
        SET(ter_dst_mme, d->sub);
        if (s[0].mode != GEN_IMMEDIATE) SET(ter_src0_subreg, s[0].sub * 2u);
        SET(ter_src1_subreg, s[1].sub * 2u);
        if (s[2].mode != GEN_IMMEDIATE) SET(ter_src2_subreg, s[2].sub * 2u);
    }
    SET(ter_src0_type, code_of(types, 8, &s[0]));
    SET(ter_src1_type, code_of(types, 8, &s[1]));
    SET(ter_src2_type, code_of(types, 8, &s[2]));
    SET(cond_mod, a->cmod);
}

static void truth(struct gen_assembly *a)
{
    static const uint8_t codes[16] = {[1] = 1, [3] = 2, [5] = 3};
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    SET(bfn_low, a->func);
    SET(cond_mod, a->func >> 4);
    SET(bfn_cond, codes[a->cmod & 15]);
}

static void dpas(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    const struct gen_written *d = &a->dst, *s = a->src;
    struct gen_written whole[3] = {s[0], s[1], s[2]};
    unsigned bits[3] = {0, 0, 0};
    const unsigned exec = gen_written_row(a);
    for (unsigned n = 0; n < 3; n++) {
        if (gen_type_in_byte(s[n].type) == 1) continue;
        bits[n] = gen_type_in_byte(s[n].type) / 2;
        whole[n].type = s[n].type == GEN_U4 || s[n].type == GEN_U2 ? GEN_UB : GEN_B;
    }
    const uint8_t *types = a->eu->region_types[exec];
    SET(ter_exec_type, exec);
    SET(dpas_repeat, a->func);
    SET(dpas_depth, a->func >> 3);
    SET(saturate, 0);
    SET(ter_dst_type, code_of(types, 8, d));
    SET(ter_dst_file, d->file);
    SET(ter_dst_subreg, d->sub);
    SET(ter_dst_reg, d->reg);
#define SOURCE(n)                                         \
    SET(ter_src##n##_type, code_of(types, 8, &whole[n])); \
    SET(ter_src##n##_file, s[n].file);                    \
    SET(ter_src##n##_subreg, s[n].sub);                   \
    SET(ter_src##n##_reg, s[n].reg)
    SOURCE(0);
    SOURCE(1);
    SOURCE(2);
#undef SOURCE
    SET(dpas_src1_bits, bits[1]);
    SET(dpas_src2_bits, bits[2]);
}

/* ---- Messages ---- */

static void message_typed(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    destination(a, &a->dst);
    source(a, &a->src[0], 0);
    if (a->desc_is_reg) {
        kind(a, 1, a->desc_reg.file, code_of(a->eu->types, 16, &a->desc_reg));
        SET(desc_reg, a->desc_reg.reg);
        SET(desc_subreg, a->desc_reg.sub);
        if (a->has_desc) w[1] = (w[1] & UINT32_MAX) | (uint64_t)a->desc << 32; /* all of the dword */
    } else {
        kind(a, 1, CONSTANT, a->mesa && !a->has_desc); /* Mesa before 2019: a D, later a UD */
        w[1] |= (uint64_t)a->desc << 32;
    }
    SET(eot, a->eot);
    if (a->eu->has_ex_desc && !a->mesa) e8_SRC0S_ex_desc_set(w, a->ex_desc >> 16);
}

static void message(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    SET(eot, a->eot);
    SET(desc_is_reg, a->desc_is_reg);
    SET(ex_desc_is_reg, a->ex_desc_is_reg);
    SET(send_dst_file, a->dst.file);
    SET(send_dst_reg, a->dst.reg);
    SET(send_src0_file, a->src[0].file);
    SET(send_src0_reg, a->src[0].reg);
    SET(send_src1_file, a->src[1].file);
    SET(send_src1_reg, a->src[1].reg);
    if (e == GEN_COLUMN_e2 && !a->desc_is_reg)
        e2_SEND_desc_set(w, a->desc);
    else if (!a->desc_is_reg)
        w[1] |= (uint64_t)(a->desc & 0x7fffffff) << 32;
    if (e != GEN_COLUMN_e2) SET(send_dst_type, code_of(a->eu->types, 16, &a->dst));
    if (a->desc_is_reg && a->dst.type == a->eu->iga_marked)
        w[1] |= UINT64_C(1) << 62; /* as IGA has it; it means nothing */
    if (a->ex_desc_is_reg) {
        SET(ex_desc_addr, a->ex_desc_reg);
        if (a->ex_bso || a->length >= 0) {
            SET(ex_bso, 1);
            SET(send_cps, a->cps);
            SET(send_src1_len, a->length >= 0 ? (unsigned)a->length : 0);
        }
    } else if (e == GEN_COLUMN_e2)
        e2_SEND_ex_desc_set(
            w, (a->ex_desc | (a->length > 0 ? (uint32_t)a->length << 6 : 0) | (a->cps ? 0x800u : 0)) >> 6);
    else
        e8_SENDS_ex_desc_set(w, (a->ex_desc >> 6 & 15) | a->ex_desc >> 16 << 4);
}

/* ---- Branches ---- */

/* Converts a distance to the units of the instruction. */
static bool distance(struct gen_assembly *a, int64_t bytes, unsigned bits, const char *at, uint64_t *value)
{
    const struct gen_insn i = {.eu = a->eu, .op = a->op};
    const int64_t unit = gen_branch_unit(&i), most = (int64_t)1 << (bits - 1);
    *value = 0;
    if (!a->settled) return true;
    if (bytes % unit)
        return gen_wants(
            a, at, "the target is %lld bytes away; %s counts in %lld", (long long)bytes, a->row->name, (long long)unit);
    if (bytes / unit < -most || bytes / unit >= most)
        return gen_wants(a, at, "the target is %lld bytes away; %s reaches %lld", (long long)bytes, a->row->name,
            (long long)((most - 1) * unit));
    *value = (uint64_t)(bytes / unit) & (UINT64_MAX >> (64 - bits));
    return true;
}

static void ip_destination(struct gen_assembly *a, unsigned type)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    SET(dst_reg, ARF_IP);
    SET(dst_type, type);
}

/* Operands that branches do not use, as Mesa sets them: null or ip, twice, with a type and a region. */
static void mesa_branch(struct gen_assembly *a)
{
    static const struct {
        uint8_t op, reg, type, v, w, h, target_type;
    } rows[] = {{GEN_OP_if, 0, CODE_D, 0, 0, 0, CODE_W}, {GEN_OP_else, 0, CODE_D, 4, 3, 1, CODE_W},
        {GEN_OP_endif, 0, CODE_D, 4, 3, 1, CODE_W}, {GEN_OP_while, 0, CODE_D, 4, 3, 1, CODE_W},
        {GEN_OP_break, 0, CODE_D, 4, 3, 1, CODE_D}, {GEN_OP_halt, 0, CODE_D, 4, 3, 1, CODE_D},
        {GEN_OP_cont, ARF_IP, CODE_UD, 3, 0, 0, CODE_D}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].op != a->op) continue;
        const struct gen_written o = {.mode = GEN_DIRECT,
            .reg = rows[i].reg,
            .type = rows[i].type == CODE_D ? GEN_D : GEN_UD,
            .v = a->align16 && rows[i].v ? 3 : rows[i].v,
            .w = rows[i].w,
            .h = rows[i].h,
            .swizzle = 0xe4,
            .chan_en = 15};
        struct gen_written to = o;
        to.h = 1;
        destination(a, &to);
        source(a, &o, 0);
        kind(a, 1, CONSTANT, rows[i].target_type);
    }
}

/* The same for Gen8 to Gen11, where the second target is in place of the sources. */
static void mesa_branch_wide(struct gen_assembly *a)
{
    const bool ud = a->op == GEN_OP_cont || a->op == GEN_OP_endif;
    const struct gen_written to = {.mode = GEN_DIRECT,
        .reg = a->op == GEN_OP_cont ? ARF_IP : 0,
        .type = ud ? GEN_UD : GEN_D,
        .h = a->op != GEN_OP_endif,
        .chan_en = 15};
    destination(a, &to);
    kind(a, 0, CONSTANT, CODE_D);
    if (a->shape == GEN_JIP) {
        a->w[1] = 0;
        kind(a, 1, 0, CODE_D);
    }
}

/* Before Gen12: operands as in other instructions, which may be constants. */
static bool branch_typed(struct gen_assembly *a)
{
    uint64_t *w = a->w, jip = 0, uip = 0;
    const unsigned e = a->eu->column;
    const bool by_src0 = GEN_IS(a->op, EITHER) || a->shape == GEN_RET;
    const bool narrow = a->shape == GEN_JIP || a->shape == GEN_BRANCH;
    SET(dst_hstride, 1);
    if (a->shape == GEN_CALL) {
        destination(a, &a->dst);
        const unsigned codes = GEN_IS(a->op, ABSOLUTE) ? a->eu->iga_calla : a->eu->iga_call;
        SET(src0_vstride, codes >> 8);
        SET(src0_width, codes >> 4 & 15);
        SET(src0_hstride, codes & 15);
    }
    if (a->op == GEN_OP_brd || (!a->eu->word_targets && a->op == GEN_OP_brc)) ip_destination(a, CODE_D);
    if (GEN_IS(a->op, THREAD)) {
        ip_destination(a, CODE_UD);
        SET(src0_reg, ARF_IP);
    }
    if (a->nsrc) {
        source(a, &a->src[0], !by_src0);
        return true;
    }
    const unsigned bits = narrow ? gen_places[e][GEN_P_jip].len : 32;
    if (!distance(a, a->jip, bits, a->jip_at, &jip)) return false;
    if (a->shape == GEN_BRANCH && !distance(a, a->uip, bits, a->uip_at, &uip)) return false;
    const bool first = a->shape == GEN_BRANCH || GEN_IS(a->op, ELSE) || a->op == GEN_OP_brd;
    kind(a, !first, CONSTANT, first && a->eu->word_targets ? CODE_W : CODE_D);
    if (a->mesa && narrow) a->eu->word_targets ? mesa_branch(a) : mesa_branch_wide(a);
    if (narrow)
        SET(jip, jip);
    else
        SET(jip32, jip);
    if (a->shape == GEN_BRANCH) SET(uip, uip);
    return true;
}

static bool branch(struct gen_assembly *a)
{
    uint64_t *w = a->w, jip = 0, uip = 0;
    const unsigned e = a->eu->column;
    if (a->shape == GEN_CALL) {
        SET(dst_file, a->dst.file);
        SET(dst_subreg, a->dst.sub);
        SET(dst_reg, a->dst.reg);
    }
    if (a->nsrc) {
        SET(src0_file, a->src[0].file);
        SET(src0_subreg, a->src[0].sub);
        SET(src0_reg, a->src[0].reg);
        return true;
    }
    SET(jip_is_imm, 1);
    if (!distance(a, a->jip, 32, a->jip_at, &jip)) return false;
    SET(jip, jip);
    if (a->shape != GEN_BRANCH) return true;
    SET(uip_is_imm, 1);
    if (!distance(a, a->uip, 32, a->uip_at, &uip)) return false;
    SET(uip, uip);
    return true;
}

/* ---- The whole ---- */

bool gen_pack(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const unsigned e = a->eu->column;
    w[0] = w[1] = 0;
    control(a);
    switch ((enum gen_shape)a->shape) {
    case GEN_NONE: return true;
    case GEN_TERNARY:
        a->eu->three_regions ? ternary(a) : ternary16(a);
        if (GEN_IS(a->op, TRUTH)) truth(a);
        return true;
    case GEN_DPAS: dpas(a); return true;
    case GEN_SEND: gen_splits(a->eu, a->op) ? message(a) : message_typed(a); return true;
    case GEN_UNARY:
    case GEN_BINARY:
    case GEN_MATH:
    case GEN_SYNC:
    case GEN_WAIT: break;
    default: return e == GEN_COLUMN_e2 ? branch(a) : branch_typed(a);
    }
    destination(a, &a->dst);
    for (unsigned n = 0; n < (unsigned)a->nsrc + a->has_second; n++) source(a, &a->src[n], n);
    const struct gen_written *s = &a->src[0];
    const bool wide = e == GEN_COLUMN_e2 && a->shape == GEN_UNARY && s->mode == GEN_IMMEDIATE &&
                      gen_type_size[s->type] == 8;
    if (!wide) SET(cond_mod, a->shape == GEN_MATH || a->shape == GEN_SYNC ? a->func : a->cmod);
    if (wide && a->cmod)
        return gen_wants(a, s->at,
            "a constant of 64 bits leaves no room for a condition; a condition needs a register "
            "or a constant of 32 bits here");
    if (GEN_IS(a->op, IMM64) && a->has_flag && s->mode == GEN_IMMEDIATE &&
        (GET(e, w, flag_subreg) != a->flag_sub || GET(e, w, flag_reg) != a->flag_reg))
        return gen_wants(a, s->at, "bits 25 and 26 of dim's constant are the number of its flag: f%u.%u",
            (unsigned)GET(e, w, flag_reg), (unsigned)GET(e, w, flag_subreg));
    return true;
}
