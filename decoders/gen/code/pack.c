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
#define SET(w, layout, name, value) set_bits(w, layout##_##name##_lo, layout##_##name##_len, (uint64_t)(value))
#define SET_OF(w, layout, name, value) (e2 ? SET(w, e2_##layout, name, value) : SET(w, e1_##layout, name, value))

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
#define RUNS5(a, b, c, d, e) RUN(a), RUN(b), RUN(c), RUN(d), RUN(e)
#define RUNS6(a, b, c, d, e, f) RUN(a), RUN(b), RUN(c), RUN(d), RUN(e), RUN(f)
#define RUNS(...) GEN_PICK(__VA_ARGS__, RUNS6, RUNS5, , , RUNS2, , )(__VA_ARGS__)
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
    const bool e2 = a->eu->e2;
    SET_OF(w, CTRL, opcode, (unsigned)a->eu->isa.rows[a->row->id].code);
    if (a->shape == GEN_NONE) {
        if (e2 && !GEN_IS(a->op, ILLEGAL)) SET(w, e2_CTRL, swsb, a->swsb);
        return;
    }
    SET_OF(w, CTRL, exec_size, a->exec);
    SET_OF(w, CTRL, mask_ctrl, a->no_mask);
    SET_OF(w, CTRL, pred_ctrl, a->pred);
    SET_OF(w, CTRL, pred_inv, a->pred_inv);
    SET_OF(w, CTRL, debug, a->breakpoint);
    if (e2) {
        SET(w, e2_CTRL, swsb, a->swsb);
        SET(w, e2_CTRL, chan_off, a->chan_off / 4);
        SET(w, e2_CTRL, flag_subreg, a->flag_sub);
        SET(w, e2_CTRL, flag_reg, a->flag_reg);
        SET(w, e2_DST, atomic, a->thread_ctrl == 1);
        if (a->shape == GEN_SEND) {
            SET(w, e2_SEND, serialize, a->serialize);
            SET(w, e2_SEND, eot, a->eot);
        } else if (a->shape >= GEN_JUMP) {
            SET(w, e2_BRANCH, branch_ctrl, a->branch_ctrl);
        } else {
            SET(w, e2_DST, acc_wr_en, a->acc_wr_en);
            SET(w, e2_DST, saturate, a->saturate);
        }
        return;
    }
    SET(w, e1_CTRL, access_mode, a->align16);
    SET(w, e1_CTRL, no_dd_clr, a->no_dd_clr);
    SET(w, e1_CTRL, no_dd_chk, a->no_dd_chk);
    SET(w, e1_CTRL, qtr_ctrl, a->chan_off / 8);
    SET(w, e1_DST, nib_ctrl, a->chan_off / 4 & 1);
    SET(w, e1_CTRL, thread_ctrl, a->thread_ctrl);
    SET(w, e1_CTRL, acc_wr_en, a->acc_wr_en);
    SET(w, e1_CTRL, saturate, a->saturate);
    if (a->shape == GEN_TERNARY) {
        SET(w, e1_TER1, flag_subreg, a->flag_sub);
        SET(w, e1_TER1, flag_reg, a->flag_reg);
    } else {
        SET(w, e1_SRC0, flag_subreg, a->flag_sub);
        SET(w, e1_SRC0, flag_reg, a->flag_reg);
    }
    SET(w, e1_CTRL, cond_mod,
        a->shape == GEN_MATH             ? a->func
        : a->shape == GEN_SEND           ? a->sfid
        : a->shape < GEN_JUMP || a->mesa ? a->cmod
                                         : 0);
}

static void destination(struct gen_assembly *a, const struct gen_written *o)
{
    uint64_t *w = a->w;
    const bool e2 = a->eu->e2, align16 = a->align16;
    if (e2)
        SET(w, e2_DST, dst_type, code_of(gen_e2_types, 16, o));
    else {
        SET(w, e1_DST, dst_type, code_of(gen_e1_types, 8, o));
        SET(w, e1_DST, dst_file, o->file);
    }
    SET_OF(w, DST, dst_hstride, o->h);
    if (o->mode == GEN_INDIRECT) {
        SET_OF(w, DST, dst_addr_mode, 1);
        SET_OF(w, DSTI, dst_addr_subreg, o->addr_sub);
        if (align16)
            SET(w, e1_DST16I, dst_addr_imm, o->addr_imm / 16);
        else
            SET_OF(w, DSTI, dst_addr_imm, o->addr_imm);
    } else {
        if (e2) SET(w, e2_DST, dst_file, o->file);
        SET_OF(w, DST, dst_reg, o->reg);
        if (align16)
            SET(w, e1_DST16, dst_subreg16, o->sub / 16);
        else
            SET_OF(w, DST, dst_subreg, o->sub);
    }
    if (align16) SET(w, e1_DST16, dst_chan_en, o->chan_en);
}

/* A register with its region; source 1 is laid out as source 0, 32 bits higher. */
static void source_register(struct gen_assembly *a, const struct gen_written *o, unsigned n)
{
    uint64_t t[2] = {0, 0};
    const bool e2 = a->eu->e2, align16 = a->align16;
    if (e2 && n) {
        SET(a->w, e2_SRC1, src1_abs, o->abs);
        SET(a->w, e2_SRC1, src1_neg, o->neg);
    } else if (e2) {
        SET(a->w, e2_DST, src0_abs, o->abs);
        SET(a->w, e2_DST, src0_neg, o->neg);
    } else {
        SET(t, e1_SRC0, src0_abs, o->abs);
        SET(t, e1_SRC0, src0_neg, o->neg);
    }
    if (o->mode == GEN_INDIRECT) {
        SET_OF(t, SRC0, src0_addr_mode, 1);
        SET_OF(t, SRC0I, src0_addr_subreg, o->addr_sub);
        if (align16)
            SET(t, e1_SRC016I, src0_addr_imm, o->addr_imm / 16);
        else
            SET_OF(t, SRC0I, src0_addr_imm, o->addr_imm);
    } else {
        SET_OF(t, SRC0, src0_reg, o->reg);
        if (e2) SET(t, e2_SRC0, src0_file, o->file);
        if (align16)
            SET(t, e1_SRC016, src0_subreg16, o->sub / 16);
        else
            SET_OF(t, SRC0, src0_subreg, o->sub);
    }
    SET_OF(t, SRC0, src0_vstride, o->v);
    if (align16) {
        SET(t, e1_SRC016, src0_swz_x, o->swizzle);
        SET(t, e1_SRC016, src0_swz_y, o->swizzle >> 2);
        SET(t, e1_SRC016, src0_swz_z, o->swizzle >> 4);
        SET(t, e1_SRC016, src0_swz_w, o->swizzle >> 6);
    } else {
        SET_OF(t, SRC0, src0_width, o->w);
        SET_OF(t, SRC0, src0_hstride, o->h);
    }
    a->w[1] |= n ? t[1] << 32 : t[1];
}

/* Sets the file and the type of source n (e1). */
static void kind_e1(struct gen_assembly *a, unsigned n, unsigned file, unsigned type)
{
    if (n) {
        SET(a->w, e1_DST, src1_file, file);
        SET(a->w, e1_DST, src1_type, type);
    } else {
        SET(a->w, e1_DST, src0_file, file);
        SET(a->w, e1_DST, src0_type, type);
    }
}

static void source(struct gen_assembly *a, const struct gen_written *o, unsigned n)
{
    const bool constant = o->mode == GEN_IMMEDIATE;
    if (a->eu->e2) {
        const unsigned type = constant ? code_of(gen_e2_imm_types, 16, o) : code_of(gen_e2_types, 16, o);
        if (n) {
            SET(a->w, e2_SRC0, src1_type, type);
            SET(a->w, e2_DST, src1_is_imm, constant);
        } else {
            SET(a->w, e2_DST, src0_type, type);
            SET(a->w, e2_DST, src0_is_imm, constant);
        }
    } else {
        const bool dim = GEN_IS(a->op, IMM64) && constant;
        const unsigned type = dim ? 7 : constant ? code_of(gen_e1_imm_types, 8, o) : code_of(gen_e1_types, 8, o);
        kind_e1(a, n, constant ? 3 : o->file, type);
        if (a->mesa && constant && n == 0) kind_e1(a, 1, 0, type); /* of a source that the instruction lacks */
        if (dim) {
            a->w[1] = o->imm;
            return;
        }
    }
    if (!constant)
        source_register(a, o, n);
    else if (a->eu->e2 && !n && a->shape == GEN_UNARY && gen_type_size[o->type] == 8)
        e2_IMM64_imm64_set(a->w, o->imm);
    else
        a->w[1] |= o->imm << 32;
}

/* ---- Three sources ---- */

static void ternary_e1(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const struct gen_written *d = &a->dst, *s = a->src;
    SET(w, e1_TER1, dst_type, code_of(gen_e1_ternary_types, 4, d));
    SET(w, e1_TER1, src_type, code_of(gen_e1_ternary_types, 4, s));
    SET(w, e1_TER1, dst_reg, d->reg);
    SET(w, e1_TER1, dst_subreg, d->sub / 4);
    SET(w, e1_TER1, dst_chan_en, d->chan_en);
#define SOURCE(n)                                   \
    SET(w, e1_TER1, src##n##_abs, s[n].abs);        \
    SET(w, e1_TER1, src##n##_neg, s[n].neg);        \
    SET(w, e1_TER2, src##n##_rep, s[n].rep);        \
    SET(w, e1_TER2, src##n##_swz, s[n].swizzle);    \
    SET(w, e1_TER2, src##n##_subreg, s[n].sub / 4); \
    SET(w, e1_TER2, src##n##_reg, s[n].reg)
    SOURCE(0);
    SOURCE(1);
    SOURCE(2);
#undef SOURCE
}

static void ternary_e2(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    const struct gen_written *d = &a->dst, *s = a->src;
    const struct gen_written *all[4] = {d, &s[0], &s[1], &s[2]};
    bool exec = false;
    for (unsigned n = 0; n < 4; n++)
        exec |= all[n]->type == GEN_BADTYPE || all[n]->type == GEN_NF || gen_type_is_float(all[n]->type);
    const uint8_t *types = gen_e2_ternary_types[exec];
    SET(w, e2_TER1, exec_type, exec);
    SET(w, e2_TER1, dst_type, code_of(types, 8, d));
    SET(w, e2_TER1, dst_hstride, d->h);
    SET(w, e2_TER1, dst_file, d->file);
    SET(w, e2_TER1, dst_reg, d->reg);
    SET(w, e2_TER1, dst_subreg, d->sub);
    SET(w, e2_TER1, src0_type, code_of(types, 8, &s[0]));
    SET(w, e2_TER2, src1_type, code_of(types, 8, &s[1]));
    SET(w, e2_TER2, src2_type, code_of(types, 8, &s[2]));
    SET(w, e2_TER1, src0_is_imm, s[0].mode == GEN_IMMEDIATE);
    SET(w, e2_TER1, src2_is_imm, s[2].mode == GEN_IMMEDIATE);
    if (s[0].mode == GEN_IMMEDIATE)
        SET(w, e2_TER2_IMM, src0_imm16, s[0].imm);
    else {
        e2_TER1_src0_vstride_set(w, s[0].v);
        SET(w, e2_TER2, src0_hstride, s[0].h);
        SET(w, e2_TER2, src0_file, s[0].file);
        SET(w, e2_TER2, src0_subreg, s[0].sub);
        SET(w, e2_TER2, src0_reg, s[0].reg);
        SET(w, e2_TER1, src0_abs, s[0].abs);
        SET(w, e2_TER1, src0_neg, s[0].neg);
    }
    e2_TER2_src1_vstride_set(w, s[1].v);
    SET(w, e2_TER2, src1_abs, s[1].abs);
    SET(w, e2_TER2, src1_neg, s[1].neg);
    SET(w, e2_TER3, src1_hstride, s[1].h);
    SET(w, e2_TER3, src1_file, s[1].file);
    SET(w, e2_TER3, src1_subreg, s[1].sub);
    SET(w, e2_TER3, src1_reg, s[1].reg);
    if (s[2].mode == GEN_IMMEDIATE)
        SET(w, e2_TER3_IMM, src2_imm16, s[2].imm);
    else {
        SET(w, e2_TER2, src2_abs, s[2].abs);
        SET(w, e2_TER2, src2_neg, s[2].neg);
        SET(w, e2_TER3, src2_hstride, s[2].h);
        SET(w, e2_TER3, src2_file, s[2].file);
        SET(w, e2_TER3, src2_subreg, s[2].sub);
        SET(w, e2_TER3, src2_reg, s[2].reg);
    }
    SET(w, e2_TER2, cond_mod, a->cmod);
}

/* ---- Messages ---- */

static void message_e1(struct gen_assembly *a)
{
    destination(a, &a->dst);
    source(a, &a->src[0], 0);
    if (a->desc_is_reg) {
        kind_e1(a, 1, a->desc_reg.file, code_of(gen_e1_types, 8, &a->desc_reg));
        SET(a->w, e1_DESC_REG, desc_reg, a->desc_reg.reg);
        SET(a->w, e1_DESC_REG, desc_subreg, a->desc_reg.sub);
        if (a->has_desc) a->w[1] = (a->w[1] & UINT32_MAX) | (uint64_t)a->desc << 32; /* all of the dword */
    } else {
        kind_e1(a, 1, 3, a->mesa && !a->has_desc); /* Mesa before 2019: a D, later a UD */
        a->w[1] |= (uint64_t)a->desc << 32;
    }
    SET(a->w, e1_DESC_REG, eot, a->eot);
}

static void message_e2(struct gen_assembly *a)
{
    uint64_t *w = a->w;
    SET(w, e2_SEND, sfid, a->sfid);
    SET(w, e2_SEND, desc_is_reg, a->desc_is_reg);
    SET(w, e2_SEND, ex_desc_is_reg, a->ex_desc_is_reg);
    SET(w, e2_SEND, dst_file, a->dst.file);
    SET(w, e2_SEND, dst_reg, a->dst.reg);
    SET(w, e2_SEND, src0_file, a->src[0].file);
    SET(w, e2_SEND, src0_reg, a->src[0].reg);
    SET(w, e2_SEND, src1_file, a->src[1].file);
    SET(w, e2_SEND, src1_reg, a->src[1].reg);
    if (!a->desc_is_reg) e2_SEND_desc_set(w, a->desc);
    if (a->ex_desc_is_reg)
        SET(w, e2_SEND_X, ex_desc_addr, a->ex_desc_reg);
    else
        e2_SEND_ex_desc_set(w, a->ex_desc >> 6);
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

enum { ARF_IP = 0xa0, TYPE7_UD = 0, TYPE7_D = 1, TYPE7_W = 3, CONSTANT = 3 };

static void ip_destination(struct gen_assembly *a, unsigned type)
{
    SET(a->w, e1_DST, dst_reg, ARF_IP);
    SET(a->w, e1_DST, dst_type, type);
}

/* Operands that branches do not use, as Mesa sets them: null or ip, twice, with a type and a region. */
static void mesa_branch_e1(struct gen_assembly *a)
{
    static const struct {
        uint8_t op, reg, type, v, w, h, target_type;
    } rows[] = {{GEN_OP_if, 0, TYPE7_D, 0, 0, 0, TYPE7_W}, {GEN_OP_else, 0, TYPE7_D, 4, 3, 1, TYPE7_W},
        {GEN_OP_endif, 0, TYPE7_D, 4, 3, 1, TYPE7_W}, {GEN_OP_while, 0, TYPE7_D, 4, 3, 1, TYPE7_W},
        {GEN_OP_break, 0, TYPE7_D, 4, 3, 1, TYPE7_D}, {GEN_OP_halt, 0, TYPE7_D, 4, 3, 1, TYPE7_D},
        {GEN_OP_cont, ARF_IP, TYPE7_UD, 3, 0, 0, TYPE7_D}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].op != a->op) continue;
        const struct gen_written o = {.mode = GEN_DIRECT,
            .reg = rows[i].reg,
            .type = rows[i].type == TYPE7_D ? GEN_D : GEN_UD,
            .v = a->align16 && rows[i].v ? 3 : rows[i].v,
            .w = rows[i].w,
            .h = rows[i].h,
            .swizzle = 0xe4,
            .chan_en = 15};
        struct gen_written to = o;
        to.h = 1;
        destination(a, &to);
        source(a, &o, 0);
        kind_e1(a, 1, CONSTANT, rows[i].target_type);
    }
}

static bool branch_e1(struct gen_assembly *a)
{
    uint64_t *w = a->w, jip = 0, uip = 0;
    const bool by_src0 = GEN_IS(a->op, EITHER) || a->shape == GEN_RET;
    const bool narrow = a->shape == GEN_JIP || a->shape == GEN_BRANCH;
    SET(w, e1_DST, dst_hstride, 1);
    if (a->shape == GEN_CALL) {
        destination(a, &a->dst);
        SET(w, e1_SRC0, src0_vstride, 2); /* IGA: <2;2,1> */
        SET(w, e1_SRC0, src0_width, 1);
        SET(w, e1_SRC0, src0_hstride, 1);
    }
    if (a->op == GEN_OP_brd) ip_destination(a, TYPE7_D);
    if (GEN_IS(a->op, THREAD)) {
        ip_destination(a, TYPE7_UD);
        SET(w, e1_SRC0, src0_reg, ARF_IP);
    }
    if (a->nsrc) {
        source(a, &a->src[0], !by_src0);
        return true;
    }
    if (!distance(a, a->jip, narrow ? 16 : 32, a->jip_at, &jip)) return false;
    if (a->shape == GEN_BRANCH && !distance(a, a->uip, 16, a->uip_at, &uip)) return false;
    const bool first = a->shape == GEN_BRANCH || a->op == GEN_OP_else || a->op == GEN_OP_brd;
    kind_e1(a, !first, CONSTANT, first ? TYPE7_W : TYPE7_D);
    if (a->mesa && narrow) mesa_branch_e1(a);
    w[1] |= (jip | uip << 16) << 32;
    return true;
}

static bool branch_e2(struct gen_assembly *a)
{
    uint64_t *w = a->w, jip = 0, uip = 0;
    if (a->shape == GEN_CALL) {
        SET(w, e2_CALL, dst_file, a->dst.file);
        SET(w, e2_CALL, dst_subreg, a->dst.sub);
        SET(w, e2_CALL, dst_reg, a->dst.reg);
    }
    if (a->nsrc) {
        SET(w, e2_TARGET, src0_file, a->src[0].file);
        SET(w, e2_TARGET, src0_subreg, a->src[0].sub);
        SET(w, e2_TARGET, src0_reg, a->src[0].reg);
        return true;
    }
    SET(w, e2_BRANCH, jip_is_imm, 1);
    if (!distance(a, a->jip, 32, a->jip_at, &jip)) return false;
    SET(w, e2_JIP, jip, jip);
    if (a->shape != GEN_BRANCH) return true;
    SET(w, e2_BRANCH, uip_is_imm, 1);
    if (!distance(a, a->uip, 32, a->uip_at, &uip)) return false;
    SET(w, e2_UIP, uip, uip);
    return true;
}

/* ---- The whole ---- */

bool gen_pack(struct gen_assembly *a)
{
    a->w[0] = a->w[1] = 0;
    control(a);
    switch ((enum gen_shape)a->shape) {
    case GEN_NONE: return true;
    case GEN_TERNARY: a->eu->e2 ? ternary_e2(a) : ternary_e1(a); return true;
    case GEN_SEND: a->eu->e2 ? message_e2(a) : message_e1(a); return true;
    case GEN_UNARY:
    case GEN_BINARY:
    case GEN_MATH:
    case GEN_SYNC:
    case GEN_WAIT: break;
    default: return a->eu->e2 ? branch_e2(a) : branch_e1(a);
    }
    destination(a, &a->dst);
    for (unsigned n = 0; n < (unsigned)a->nsrc + a->has_second; n++) source(a, &a->src[n], n);
    const struct gen_written *s = &a->src[0];
    const bool wide = a->eu->e2 && a->shape == GEN_UNARY && s->mode == GEN_IMMEDIATE && gen_type_size[s->type] == 8;
    if (a->eu->e2 && !wide)
        SET(a->w, e2_COND, cond_mod, a->shape == GEN_MATH || a->shape == GEN_SYNC ? a->func : a->cmod);
    if (wide && a->cmod)
        return gen_wants(a, s->at,
            "a constant of 64 bits leaves no room for a condition; a condition needs a register "
            "or a constant of 32 bits here");
    if (GEN_IS(a->op, IMM64) && a->has_flag && s->mode == GEN_IMMEDIATE &&
        (GET(a->w, e1_SRC0, flag_subreg) != a->flag_sub || GET(a->w, e1_SRC0, flag_reg) != a->flag_reg))
        return gen_wants(a, s->at, "bits 25 and 26 of dim's constant are the number of its flag: f%u.%u",
            (unsigned)GET(a->w, e1_SRC0, flag_reg), (unsigned)GET(a->w, e1_SRC0, flag_subreg));
    return true;
}
