/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operand kinds, modifiers and vector widths: an instruction with scalars, constants, literals, negation and so on
 * gives what the same instruction gives on VGPRs that hold those values; and every compiled vector width leaves the
 * same bits in every register.  Then the instructions that reach across lanes.
 */
#include "decoders/gcn/alu/gcn_lanes_simd.h"
#include "tap.h"

#include "core/exact.h"
#include "wave.h"

#define ENDPGM 0xbf810000u
#define ROWS 32

static uint64_t seed = 0x853c49e6748fea9bu;

static uint32_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

/* Halves of doubles and floats that matter, small integers, or anything. */
static uint32_t value(void)
{
    static const uint32_t corners[] = {0, 0x80000000, 1, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x800000,
        0x7fffff, 0x3f800000, 0xbf800000, 0x3ff00000, 0xbff00000, 0x7ff00000, 0x7ff80000, 0x7fefffff, 0xffffffff, 31,
        32, 5, 0x100000, 0xfffff, 0x40490fdb};
    uint32_t v = any();
    switch (v % 4) {
    case 0: return corners[(v >> 8) % (sizeof corners / sizeof *corners)];
    case 1: return (any() & 0x807fffff) | (115 + v / 4 % 25) << 23;
    case 2: return (any() & 0x800fffff) | (1000 + v / 4 % 50) << 20;
    }
    return any();
}

/* ---- An instruction in VOP3 form: what stands in its fields ---- */

struct form {
    uint32_t number, src[3], neg, abs, omod, clamp, dst;
    bool sdst, mask, mask_in, scalar;
};

static bool form_of(const struct gpudbg_op *op, struct form *f)
{
    const char *layout = gcn_chips[GCN_CHIP_gfx7].isa.rows[op->id].format->name;
    *f = (struct form){.src = {256 + 4, 256 + 8, 256 + 12}};
    if (strncmp(layout, "VOP", 3) || op->flags & (GCN_E32 | GCN_ALL | GCN_M0_R)) return false;
    f->mask = !strcmp(layout, "VOPC");
    f->number = (unsigned)gcn_chips[GCN_CHIP_gfx7].isa.rows[op->id].code + (f->mask || !strncmp(layout, "VOP3", 4) ? 0
                                                                               : !strcmp(layout, "VOP2")           ? 256
                                                                                                         : 384u);
    f->sdst = (f->number >= 293 && f->number <= 298) || f->number == 365 || f->number == 366 || f->number == 374 ||
              f->number == 375;
    f->mask_in = f->number == 256 || (f->number >= 296 && f->number <= 298);
    if (f->mask_in) f->src[2] = 24;
    return true;
}

static void encode(const struct form *f, uint32_t code[3])
{
    code[0] = 0xd0000000u | f->number << 17 | (f->sdst ? 20u << 8 : f->clamp << 11 | f->abs << 8) |
              (f->mask ? 20u : 16u);
    code[1] = f->src[0] | f->src[1] << 9 | f->src[2] << 18 | f->omod << 27 | f->neg << 29;
    code[2] = ENDPGM;
}

static bool decode(const uint32_t *code, struct gpudbg_insn *insn)
{
    return gcn_chips[GCN_CHIP_gfx7].isa.decode(
               &gcn_chips[GCN_CHIP_gfx7].isa, (const uint8_t *)code, 8, CODE_BASE, insn) > 0;
}

/* ---- A state to start from and the state after ---- */

struct state {
    uint32_t mode, scc, sgpr[104], v[ROWS][64];
    uint64_t exec, vcc;
};

static void make_state(struct state *st, unsigned turn)
{
    static const uint32_t modes[] = {0xc0, 0xf0, 0x2f0, 0x1c0, 0xc5, 0xfa, 0xcf, 0x3c0};
    st->mode = modes[turn % (sizeof modes / sizeof *modes)];
    for (unsigned i = 0; i < 104; i++) st->sgpr[i] = value();
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned l = 0; l < 64; l++) st->v[r][l] = value();
    st->exec = turn % 2 ? UINT64_MAX : any() | (uint64_t)any() << 32;
    st->vcc = turn % 3 ? any() | (uint64_t)any() << 32 : 0;
    st->scc = any() & 1;
}

static enum gpudbg_ran run_from(struct wave7 *t, const struct state *st, const uint32_t *code, unsigned dwords)
{
    wave7_open(t, code, dwords, ROWS);
    memcpy(t->s, st->sgpr, sizeof st->sgpr);
    for (unsigned r = 0; r < ROWS; r++) memcpy(wave7_row(t, r), st->v[r], sizeof st->v[r]);
    t->s[GCN_MODE] = st->mode;
    gcn_set_pair(t->s, GCN_EXEC, st->exec);
    gcn_set_pair(t->s, GCN_VCC, st->vcc);
    t->s[GCN_M0] = 3;
    t->s[GCN_SCC] = st->scc;
    return wave7_run(t, 1);
}

/* ---- Levels ---- */

static bool have_level(const char *level)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return *level == '1' || (*level == '3' ? __builtin_cpu_supports("avx2") : __builtin_cpu_supports("avx512dq"));
#else
    return *level == '1';
#endif
}

static void check_levels(const struct gpudbg_op *op)
{
    static const char *const levels[] = {"1", "3", "4"};
    struct form f;
    struct gpudbg_insn insn;
    unsigned wrong = 0;
    if (!form_of(op, &f)) return;
    for (unsigned turn = 0; turn < 64; turn++) {
        static struct state st;
        uint32_t code[3], *first = NULL;
        size_t words = 0;
        make_state(&st, turn);
        f.neg = turn % 3 ? 0 : any() & 7;
        f.abs = turn % 3 ? 0 : any() & 7;
        f.omod = turn % 5 ? 0 : any() & 3;
        f.clamp = turn % 5 ? 0 : any() & 1;
        encode(&f, code);
        if (!decode(code, &insn)) break;
        for (unsigned i = 0; i < 3; i++) {
            struct wave7 t;
            if (!have_level(levels[i])) continue;
            setenv("GPUDBG_SIMD", levels[i], 1);
            if (run_from(&t, &st, code, 3) != GPUDBG_RAN_LIMIT) wrong++;
            if (!first) {
                words = t.machine.wave_words;
                first = malloc(4 * words);
                memcpy(first, t.s, 4 * words);
            } else if (memcmp(first, t.s, 4 * words))
                wrong++;
            wave7_close(&t);
        }
        free(first);
    }
    unsetenv("GPUDBG_SIMD");
    ok(wrong == 0, "%s: every vector width leaves the same registers", op->name);
}

/* ---- Operand kinds and input modifiers ---- */

static const struct gpudbg_operand *source(const struct gpudbg_insn *insn, unsigned i)
{
    return gcn_operand(insn, i == 0 ? GCN_IN_SRC0 : i == 1 ? GCN_IN_SRC1 : GCN_IN_SRC2);
}

/* Writes the operand's value to rows, as many as its type has. */
static void store(struct state *st, unsigned row, uint64_t value64, unsigned dwords, unsigned l)
{
    for (unsigned k = 0; k < dwords; k++) st->v[row + k][l] = k < 2 ? (uint32_t)(value64 >> (32 * k)) : 0;
}

static bool same_result(struct wave7 *a, struct wave7 *b, const char *name, unsigned turn, const char *what)
{
    for (unsigned k = 16; k < 20; k++)
        for (unsigned l = 0; l < 64; l++)
            if (wave7_row(a, k)[l] != wave7_row(b, k)[l]) {
                fprintf(stderr, "# %s, turn %u, %s: v%u[%u] 0x%x, not 0x%x\n", name, turn, what, k, l,
                    wave7_row(a, k)[l], wave7_row(b, k)[l]);
                return false;
            }
    return gcn_pair(a->s, 20) == gcn_pair(b->s, 20) && gcn_active(&a->wave) == gcn_active(&b->wave);
}

/* A scalar source's code, at random: an SGPR, VCC, a constant, or what only stands for one; and its value, 64 bits
 * wide. */
static uint32_t scalar_code(const struct state *st, unsigned i, unsigned type, uint64_t *value64)
{
    static const uint8_t constants[] = {128, 129, 150, 192, 193, 208, 240, 243, 247};
    uint32_t code = 0;
    switch (any() % 6) {
    case 0:
    case 1: *value64 = st->sgpr[28 + 4 * i] | (uint64_t)st->sgpr[29 + 4 * i] << 32; return 28 + 4 * i;
    case 2: *value64 = st->vcc; return GCN_CODE_VCC;
    case 3:
        code = GCN_CODE_VCCZ + any() % 3;
        *value64 = code == GCN_CODE_VCCZ ? !st->vcc : code == GCN_CODE_EXECZ ? !st->exec : st->scc;
        return code;
    }
    code = constants[any() % sizeof constants];
    gcn_inline(code, type, value64);
    return code;
}

static void check_kinds(const struct gpudbg_op *op)
{
    struct form plain, other;
    struct gpudbg_insn insn;
    uint32_t code[3], plain_code[3];
    bool right = true;
    if (!form_of(op, &plain)) return;
    encode(&plain, plain_code);
    if (!decode(plain_code, &insn)) return;
    for (unsigned turn = 0; turn < 48 && right; turn++) {
        static struct state st, expected;
        struct wave7 a, b;
        other = plain;
        make_state(&st, turn);
        expected = st;
        for (unsigned i = 0; i < 3; i++) {
            const struct gpudbg_operand *o = source(&insn, i);
            uint64_t v = 0;
            if (!o) continue;
            if (o->type == GCN_MASK) {
                other.src[i] = scalar_code(&st, i, o->type, &v);
                expected.sgpr[24] = (uint32_t)v;
                expected.sgpr[25] = (uint32_t)(v >> 32);
                continue;
            }
            unsigned dwords = gcn_type_dwords(o->type), row = 4 + 4 * i;
            bool is_float = o->type == GCN_F32 || o->type == GCN_F64 || o->type == GCN_F16;
            if (any() % 3 && dwords <= 2) {
                other.src[i] = scalar_code(&st, i, o->type, &v);
                for (unsigned l = 0; l < 64; l++) store(&expected, row, v, dwords, l);
            }
            if (is_float && !plain.sdst && any() % 2) { /* abs, then neg */
                uint32_t sign = o->type == GCN_F16 ? 0x8000 : 0x80000000u, neg = any() & 1, abs = any() & 1;
                other.neg |= neg << i;
                other.abs |= abs << i;
                for (unsigned l = 0; l < 64; l++) {
                    uint32_t *top = &expected.v[row + dwords - 1][l];
                    *top = (abs ? *top & ~sign : *top) ^ (neg ? sign : 0);
                }
            }
        }
        encode(&other, code);
        run_from(&a, &st, code, 3);
        enum gpudbg_ran ran = run_from(&b, &expected, plain_code, 3);
        right = ran == GPUDBG_RAN_LIMIT && same_result(&a, &b, op->name, turn, "kinds and modifiers");
        wave7_close(&a);
        wave7_close(&b);
    }
    ok(right, "%s: scalars, constants and modifiers are what VGPRs with their values are", op->name);
}

/* What an operand's field may say and no register is: it stops, and nothing is written. */
static bool stops(const struct form *f, const struct state *st)
{
    struct wave7 t;
    uint32_t code[3];
    encode(f, code);
    if (f->mask || f->scalar) code[0] = (code[0] & ~0xffu) | f->dst;
    bool faults = run_from(&t, st, code, 3) == GPUDBG_RAN_FAULT, same = true;
    const struct gcn_run *g = gcn_of(&t.wave);
    for (unsigned i = 0; i < GCN_VCCZ - GCN_INLINE; i++) same = same && t.s[GCN_INLINE + i] == g->constants[i];
    for (unsigned i = 0; i < 104; i++) same = same && t.s[i] == st->sgpr[i];
    wave7_close(&t);
    return faults && same;
}

static void check_refused(const struct gpudbg_op *op)
{
    static struct state st;
    struct form f;
    struct gpudbg_insn insn;
    uint32_t code[3];
    bool right = true;
    unsigned tried = 0;
    const bool lane = op->id == GCN_v_readlane_b32 || op->id == GCN_v_readfirstlane_b32;
    if (lane)
        f = (struct form){.number = op->id == GCN_v_readlane_b32 ? 257 : 386, .src = {256 + 4, 3, 0}, .scalar = true};
    else if (!form_of(op, &f))
        return;
    encode(&f, code);
    if (!decode(code, &insn)) return;
    make_state(&st, 1);
    for (f.dst = 125; (f.mask || f.scalar) && f.dst < 256;
         f.dst++, tried++) /* no destinations: constants, a pair from 125 on */
        right = right && ((f.scalar && (f.dst == 126 || f.dst == 127)) || (f.mask && f.dst == 126) || stops(&f, &st));
    f.dst = 20;
    for (unsigned i = 0; i < 3; i++) {
        const struct gpudbg_operand *o = source(&insn, i);
        const uint32_t old = f.src[i];
        if (!o || (lane && i)) continue;
        if (o->type == GCN_MASK) { /* of lanes: never in VGPRs */
            f.src[i] = 256 + 10;
            right = right && stops(&f, &st);
            tried++;
        }
        if (gcn_type_dwords(o->type) > 1) { /* LDS_DIRECT is one dword */
            f.src[i] = GCN_CODE_LDS;
            right = right && stops(&f, &st);
            tried++;
        }
        f.src[i] = old;
    }
    if (tried) ok(right, "%s: stops at constants as destinations, VGPRs as masks, LDS_DIRECT as a pair", op->name);
}

/* The 4-byte form with a scalar or literal first source. */
static void check_short(const struct gpudbg_op *op)
{
    const char *layout = gcn_chips[GCN_CHIP_gfx7].isa.rows[op->id].format->name;
    struct form plain;
    struct gpudbg_insn insn;
    uint32_t plain_code[3];
    bool right = true;
    if (!form_of(op, &plain) || !strncmp(layout, "VOP3", 4)) return;
    encode(&plain, plain_code);
    if (!decode(plain_code, &insn) || !source(&insn, 0)) return;
    unsigned type = source(&insn, 0)->type, dwords = gcn_type_dwords(type);
    for (unsigned turn = 0; turn < 24 && right; turn++) {
        static struct state st, expected;
        struct wave7 a, b;
        make_state(&st, turn);
        uint32_t literal = value(), src0 = turn % 3 == 0 ? 255 : turn % 3 == 1 ? 30 : 242;
        uint64_t v = turn % 3 == 0 ? gcn_literal(literal, type) : st.sgpr[30] | (uint64_t)st.sgpr[31] << 32;
        if (turn % 3 == 2) gcn_inline(242, type, &v);
        uint32_t code[3] = {src0, src0 == 255 ? literal : ENDPGM, ENDPGM};
        code[0] |= !strcmp(layout, "VOP1")
                       ? 0x7e000000u | 16u << 17 | (uint32_t)gcn_chips[GCN_CHIP_gfx7].isa.rows[op->id].code << 9
                   : !strcmp(layout, "VOP2")
                       ? (uint32_t)gcn_chips[GCN_CHIP_gfx7].isa.rows[op->id].code << 25 | 16u << 17 | 8u << 9
                       : 0x7c000000u | (uint32_t)gcn_chips[GCN_CHIP_gfx7].isa.rows[op->id].code << 17 | 8u << 9;
        /* The short form's masks are VCC. */
        expected = st;
        expected.sgpr[24] = (uint32_t)st.vcc;
        expected.sgpr[25] = (uint32_t)(st.vcc >> 32);
        for (unsigned l = 0; l < 64; l++) store(&expected, 4, v, dwords, l);
        run_from(&a, &st, code, 3);
        run_from(&b, &expected, plain_code, 3);
        if (plain.mask || plain.sdst)
            gcn_set_pair(a.s, 20, gcn_pair(a.s, GCN_VCC));
        else
            gcn_set_pair(b.s, 20, gcn_pair(a.s, 20));
        right = same_result(&a, &b, op->name, turn, "short form");
        wave7_close(&a);
        wave7_close(&b);
    }
    ok(right, "%s: the short form computes the same", op->name);
}

/* ---- Output modifiers ---- */

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static void check_output(void)
{
    static const struct {
        uint32_t a, b, omod, clamp, mode, want;
    } rows[] = {
        {0x3fc00000, 0x3f800000, 0, 0, 0xc0, 0x40200000},  /* 1.5 + 1 */
        {0x3fc00000, 0x3f800000, 1, 0, 0xc0, 0x40a00000},  /* * 2 */
        {0x3fc00000, 0x3f800000, 2, 0, 0xc0, 0x41200000},  /* * 4 */
        {0x3fc00000, 0x3f800000, 3, 0, 0xc0, 0x3fa00000},  /* / 2 */
        {0x3fc00000, 0x3f800000, 0, 1, 0xc0, 0x3f800000},  /* clamped to 1 */
        {0xbfc00000, 0x3f800000, 0, 1, 0xc0, 0},           /* clamped to 0 */
        {0x3e800000, 0x00000000, 0, 1, 0xc0, 0x3e800000},  /* left alone */
        {0x3e800000, 0x00000000, 2, 1, 0xc0, 0x3f800000},  /* OMOD, then CLAMP */
        {0x3fc00000, 0x3f800000, 1, 0, 0xf0, 0x40200000},  /* no OMOD where denormals are kept */
        {0x3fc00000, 0x3f800000, 1, 0, 0x2c0, 0x40200000}, /* nor in IEEE mode */
        {0x7fc00000, 0x3f800000, 0, 1, 0x1c0, 0},          /* DX10_CLAMP: NaN to 0 */
        {0x7fc00001, 0x3f800000, 0, 1, 0xc0, 0x7fc00001},  /* else it stays */
        {0x80000000, 0x80000000, 0, 1, 0xc0, 0},           /* -0 to +0 */
        {0x00800000, 0x00000000, 3, 0, 0xc0, 0},           /* halved to a denormal, flushed */
        {0x80000000, 0x80000000, 1, 0, 0xc0, 0},           /* OMOD knows no -0 */
        {0x7f000000, 0x00000000, 1, 0, 0xc0, 0x7f800000},  /* doubled to infinity */
        {0x7f000000, 0x00000000, 1, 0, 0xc3, 0x7f7fffff},  /* ... but not when rounding to zero */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct form f;
        uint32_t code[3];
        static struct state st;
        struct wave7 t;
        form_of(&gcn_ops[GCN_v_add_f32], &f);
        f.src[2] = 0;
        f.omod = rows[i].omod;
        f.clamp = rows[i].clamp;
        encode(&f, code);
        make_state(&st, 1);
        st.mode = rows[i].mode;
        for (unsigned l = 0; l < 64; l++) {
            st.v[4][l] = rows[i].a;
            st.v[8][l] = rows[i].b;
        }
        run_from(&t, &st, code, 3);
        is_int(wave7_row(&t, 16)[9], rows[i].want, "v_add_f32 %g, %g omod %u clamp %u mode 0x%x", as_float(rows[i].a),
            as_float(rows[i].b), rows[i].omod, rows[i].clamp, rows[i].mode);
        wave7_close(&t);
    }
}

/* What OMOD and CLAMP make of a result. */
static uint64_t modified(uint64_t r, struct exact_format f, uint32_t mode, unsigned omod, bool clamp)
{
    const uint64_t one = ((1ull << (f.exp - 1)) - 1) << f.mant, sign = 1ull << (f.mant + f.exp),
                   least_normal = 1ull << f.mant;
    const bool single = f.mant == exact_f32.mant, keeps = mode >> (single ? 5 : 7) & 1, ieee = mode >> 9 & 1,
               dx10 = mode >> 8 & 1;
    if (exact_from(r, f).nan) return clamp && dx10 ? 0 : r;
    if (omod && !keeps && !ieee) {
        const bool zero = (r & ~sign) < least_normal; /* of either sign, or to be flushed */
        struct exact product = exact_mul(r,
            omod == 1   ? one + least_normal
            : omod == 2 ? one + 2 * least_normal
                        : one - least_normal,
            f);
        r = exact_round(&product, f, single ? mode & 3 : mode >> 2 & 3);
        if ((r & ~sign) < least_normal) r &= sign;
        if (zero) r = 0;
    }
    return !clamp ? r : r & sign ? 0 : r > one ? one : r;
}

/* Every row that makes a float: with output modifiers the result is what they make of the result without. */
static void check_output_of(const struct gpudbg_op *op)
{
    struct form plain, other;
    struct gpudbg_insn insn;
    uint32_t code[3], plain_code[3];
    unsigned wrong = 0;
    if (!form_of(op, &plain) || plain.mask) return;
    encode(&plain, plain_code);
    if (!decode(plain_code, &insn)) return;
    const struct gpudbg_operand *vdst = gcn_operand(&insn, GCN_IN_VDST);
    const bool pair = op->id == GCN_v_cvt_pkrtz_f16_f32;
    const unsigned type = pair ? GCN_F16 : vdst ? vdst->type : 0;
    if (type != GCN_F16 && type != GCN_F32 && type != GCN_F64) return;
    const struct exact_format f = type == GCN_F16 ? exact_f16 : type == GCN_F32 ? exact_f32 : exact_f64;
    for (unsigned turn = 0; turn < 24; turn++) {
        static struct state st;
        struct wave7 a, b;
        make_state(&st, turn);
        st.mode &= turn & 1 ? ~0x2a0u : ~0u; /* mostly where OMOD works */
        other = plain;
        other.omod = any() & 3;
        other.clamp = !plain.sdst && turn & 2;
        encode(&other, code);
        run_from(&a, &st, plain_code, 3);
        if (run_from(&b, &st, code, 3) != GPUDBG_RAN_LIMIT) wrong++;
        for (unsigned l = 0; l < 64; l++) {
            if (!(st.exec >> l & 1)) continue;
            uint64_t r = wave7_row(&a, 16)[l], got = wave7_row(&b, 16)[l], want;
            if (type == GCN_F64) {
                r |= (uint64_t)wave7_row(&a, 17)[l] << 32;
                got |= (uint64_t)wave7_row(&b, 17)[l] << 32;
            }
            want = modified(pair ? r & 0xffff : r, f, st.mode, other.omod, other.clamp);
            if (pair) want |= modified(r >> 16, f, st.mode, other.omod, other.clamp) << 16;
            if (got != want && wrong++ < 2)
                fprintf(stderr, "# %s 0x%" PRIx64 " omod %u clamp %u mode 0x%x: 0x%" PRIx64 ", not 0x%" PRIx64 "\n",
                    op->name, r, other.omod, other.clamp, st.mode, got, want);
        }
        wave7_close(&a);
        wave7_close(&b);
    }
    ok(wrong == 0, "%s: what OMOD and CLAMP make of its result", op->name);
}

/* ---- Across lanes ---- */

static void check_lanes(void)
{
    static const uint32_t code[] = {0x02000000u | 16u << 17 | 2u << 9 | (256 + 5), /* v_readlane_b32 s16, v5, s2 */
        0x04000000u | 3u << 17 | 6u << 9 | 4,                                      /* v_writelane_b32 v3, s4, s6 */
        0x7e000000u | 17u << 17 | 2u << 9 | (256 + 5),                             /* v_readfirstlane_b32 s17, v5 */
        0xbefe0480u,                                                               /* s_mov_b64 exec, 0 */
        0x7e000000u | 18u << 17 | 2u << 9 | (256 + 5),                             /* v_readfirstlane_b32 s18, v5 */
        0x02000000u | 19u << 17 | (128 + 63u) << 9 | (256 + 5),                    /* v_readlane_b32 s19, v5, 63 */
        ENDPGM};
    static struct state st;
    struct wave7 t;
    make_state(&st, 1);
    st.sgpr[2] = 64 + 37;
    st.sgpr[6] = 62;
    st.exec = 0xfffffff0fffff000u;
    wave7_open(&t, code, 7, ROWS);
    memcpy(t.s, st.sgpr, sizeof st.sgpr);
    for (unsigned r = 0; r < ROWS; r++) memcpy(wave7_row(&t, r), st.v[r], sizeof st.v[r]);
    gcn_set_pair(t.s, GCN_EXEC, st.exec);
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "lane reads and writes run");
    is_int(t.s[16], st.v[5][37], "v_readlane_b32: the lane number is taken modulo 64");
    is_int(wave7_row(&t, 3)[62], st.sgpr[4], "v_writelane_b32 writes one lane");
    is_int(wave7_row(&t, 3)[61], st.v[3][61], "... and no other");
    is_int(t.s[17], st.v[5][12], "v_readfirstlane_b32: the lowest active lane");
    is_int(t.s[18], st.v[5][0], "v_readfirstlane_b32: lane 0 when none is active");
    is_int(t.s[19], st.v[5][63], "v_readlane_b32 with a constant, EXEC being 0");
    wave7_close(&t);
}

static void check_moves(void)
{
    static const uint32_t code[] = {0x7e000000u | 10u << 17 | 66u << 9 | (256 + 5), /* v_movreld_b32 v10, v5 */
        0x7e000000u | 14u << 17 | 67u << 9 | (256 + 5),                             /* v_movrels_b32 v14, v5 */
        0x7e000000u | 16u << 17 | 68u << 9 | (256 + 6),                             /* v_movrelsd_b32 v16, v6 */
        0x7e000000u | 20u << 17 | 66u << 9 | 129,                                   /* v_movreld_b32 v20, 1 */
        ENDPGM};
    static struct state st;
    struct wave7 t;
    make_state(&st, 1);
    st.exec = 0xff;
    wave7_open(&t, code, 5, ROWS);
    for (unsigned r = 0; r < ROWS; r++) memcpy(wave7_row(&t, r), st.v[r], sizeof st.v[r]);
    gcn_set_pair(t.s, GCN_EXEC, st.exec);
    t.s[GCN_M0] = 2;
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "moves by M0 run");
    is_int(wave7_row(&t, 12)[3], st.v[5][3], "v_movreld_b32");
    is_int(wave7_row(&t, 12)[9], st.v[12][9], "... under EXEC");
    is_int(wave7_row(&t, 14)[3], st.v[7][3], "v_movrels_b32");
    is_int(wave7_row(&t, 18)[3], st.v[8][3], "v_movrelsd_b32");
    is_int(wave7_row(&t, 22)[3], 1, "v_movreld_b32 of a constant");
    t.s[GCN_M0] = 30;
    is_int(wave7_run(&t, 1), GPUDBG_RAN_FAULT, "a register that the launch has not stops");
    wave7_close(&t);
}

/* The levels are weak symbols, which a link may leave out without a word: then nothing here would try what users run.
 */
static void levels_are_linked(void)
{
#if defined(__x86_64__) && !defined(ONE_LEVEL)
    const struct gcn_level *const volatile levels[] = {&gcn_level_1, &gcn_level_3, &gcn_level_4};
    for (unsigned i = 0; i < 3; i++) ok(levels[i] != NULL, "vector level %u is linked", i ? i + 2 : 1);
#endif
}

int main(void)
{
    levels_are_linked();
    for (unsigned id = 0; id < GCN_OPS; id++) {
        if (!gpudbg_has_op(&gcn_chips[GCN_CHIP_gfx7].isa, id)) continue;
        check_levels(&gcn_ops[id]);
        check_kinds(&gcn_ops[id]);
        check_short(&gcn_ops[id]);
        check_refused(&gcn_ops[id]);
        check_output_of(&gcn_ops[id]);
    }
    check_output();
    check_lanes();
    check_moves();
    return tap_done();
}
