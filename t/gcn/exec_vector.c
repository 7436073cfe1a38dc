/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every row of the vector ALU against an answer made another way: floats by whole numbers (exact.h), integers by loops
 * over bits and bytes.  Each row runs on corners and random values, under partial masks and in several float modes.
 */
#include "tap.h"

#include "vector_model.h"
#include "wave.h"

/* ---- Values ---- */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static const uint32_t corners32[] = {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x80800000, 0x800001,
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000, 0x3effffff, 0x3f000001, 0x40000000,
    0x40200000, 0x3fc00000, 0xc0200000, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000, 0xcf000000,
    0x4f7fffff, 0x4f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
    0xff812345, 0x7e800000, 0x7e800001, 0x7f000000, 0x477fe000, 0x477ff000, 0x38800000, 0x387fffff, 0x33000000,
    0x33000001, 0x33800000, 0x437f0000, 0x437f8000, 0x42ff0000, 0x5f800000, 0x20000000, 0x0b000000, 0x43800000,
    0xc3800000, 0x3e800000, 0x3e000000};
static const uint64_t corners64[] = {0, 1ull << 63, 1, 0x8000000000000001u, 0xfffffffffffffu, 0x10000000000000u,
    0x8010000000000000u, 0x3ff0000000000000u, 0xbff0000000000000u, 0x3fefffffffffffffu, 0x3ff0000000000001u,
    0x3fe0000000000000u, 0x4004000000000000u, 0x41dfffffffc00000u, 0x41dfffffffe00000u, 0x41e0000000000000u,
    0xc1e0000000000000u, 0xc1e0000000200000u, 0x41efffffffe00000u, 0x41effffffff00000u, 0x7fefffffffffffffu,
    0xffefffffffffffffu, 0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u, 0xfff8123456789abcu,
    0x7ff0000000000001u, 0xfff4000000000000u, 0x4330000000000000u, 0x4340000000000000u, 0x47efffffe0000000u,
    0x47effffff0000000u, 0x3690000000000000u, 0x36a0000000000000u, 0x380fffffffffffffu, 0x7fd0000000000000u,
    0x7fd0000000000001u, 0x4ff0000000000000u, 0x0350000000000000u, 0x3ff8000000000000u, 0xc004000000000000u};
static const uint32_t corners16[] = {0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x8400, 0x3c00, 0xbc00, 0x3bff, 0x3c01,
    0x3800, 0xb800, 0x4000, 0x4200, 0x4900, 0x5bff, 0x5c00, 0x5c01, 0x63ff, 0x77ff, 0x7800, 0xf800, 0x7bff, 0xfbff,
    0x7c00, 0xfc00, 0x7e00, 0xfe12, 0x7c01, 0xfd23, 0x3400, 0x3555};
static const uint32_t integers[] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
    0x10000, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
    0xffff0000, 0xff00ff00, 0x01020304, 0xffffff80, 0x100010, 0x1f001f, 0x200010, 0x7f0000};

#define PICK(list) list[any() % (sizeof list / sizeof *list)]

static uint64_t value_of(unsigned type)
{
    bool corner = any() % 3 == 0;
    switch (type) {
    case GCN_F32: {
        if (corner) return PICK(corners32);
        uint32_t bits = (uint32_t)any();
        /* Mostly of a middling size, so that sums meet; else anything. */
        return any() % 4 ? (bits & 0x807fffff) | (uint32_t)(110 + any() % 40) << 23 : bits;
    }
    case GCN_F64: {
        if (corner) return PICK(corners64);
        uint64_t bits = any();
        return any() % 4 ? (bits & 0x800fffffffffffffu) | (1000 + any() % 60) << 52 : bits;
    }
    case GCN_F16: { /* the high half, which is not read, is anything */
        const uint32_t bits = (uint32_t)any();
        if (corner) return (bits & 0xffff0000) | PICK(corners16);
        return any() % 4 ? (bits & 0xffff83ff) | (uint32_t)(5 + any() % 20) << 10 : bits;
    }
    case GCN_B64:
    case GCN_U64:
    case GCN_I64: return corner ? PICK(integers) | (uint64_t)PICK(integers) << 32 : any();
    default: return corner ? PICK(integers) : (uint32_t)any();
    }
}

/* ---- Running a row ---- */

/* Rows that other tests cover: lanes, exchanges, nothing, and v_trig_preop_f64 below. */
static const char *const elsewhere[] = {"v_nop", "v_clrexcp", "v_readfirstlane_b32", "v_readlane_b32",
    "v_writelane_b32", "v_trig_preop_f64", "v_dot2_f32_f16", "v_dot2c_f32_f16", "v_swap_b32", "v_permlane16_b32",
    "v_permlanex16_b32", "v_pipeflush"};

static bool is_elsewhere(const struct gpudbg_op *op)
{
    /* Registers by number (exec_operands.c, parts.c), parameters of a primitive (graphics.t, gfx10_graphics.t). */
    if (op->flags & GCN_M0_R) return true;
    for (unsigned i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (!strcmp(elsewhere[i], op->name)) return true;
    return false;
}

static unsigned base_of(const char *layout)
{
    return !strcmp(layout, "VOPC") ? 0 : !strcmp(layout, "VOP2") ? 256 : !strcmp(layout, "VOP1") ? 384 : 0;
}

/* Chips whose long words have other places, whose v_cmpx writes EXEC alone, and of which not all rows run. */
static bool newer(void) { return gcn_chips[wave7_chip].newer_vop3; }

/* v4.. v8.. v12..: sources; v16..: result; s[20:21] mask result; s[22:23] mask read.  false: no such form. */
static bool encode(const struct gpudbg_op *op, bool longer, uint32_t code[4])
{
    const char *layout = gcn_chips[wave7_chip].isa.rows[op->id].format->name;
    bool mask = op->flags & GPUDBG_OP_VECTOR && !strcmp(layout, "VOPC");
    if (longer) {
        unsigned number = (!strncmp(layout, "VOP3", 4) ? 0 : base_of(layout)) +
                          (unsigned)gcn_chips[wave7_chip].isa.rows[op->id].code;
        const bool high = !strcmp(layout, "VOP3H");
        bool sdst = op->flags & GCN_CARRY,
             reads_mask = strstr(op->name, "_co_ci_") || !strncmp(op->name, "v_cndmask", 9) ||
                          !strncmp(op->name, "v_addc", 6) || !strncmp(op->name, "v_subb", 6);
        code[0] = 0xd0000000u | number << 17 | (sdst ? 20u << 8 : 0) | (mask ? 20u : 16u);
        if (newer()) {
            const bool cmpx = mask && op->flags & GCN_EXEC_W;
            code[0] = 0xd4000000u | (high ? 1u << 25 : 0) | number << 16 | (sdst ? 20u << 8 : 0) |
                      (cmpx      ? 126u
                          : mask ? 20u
                                 : 16u);
        }
        const bool packed = !strcmp(layout, "VOP3P"), mixed = strstr(op->name, "_mix") != NULL;
        if (packed) code[0] = 0xcc000010u | number << 16 | (mixed ? 0 : 1u << 14);
        code[1] = 260u | 264u << 9 | (reads_mask ? 22u : 268u) << 18 | (packed && !mixed ? 3u << 27 : 0);
        code[2] = 0xbf810000u;
        if (op->flags & (GCN_E32 | GCN_ALONE)) return false;
    } else {
        bool literal = op->flags & GCN_E32;
        if (!strcmp(layout, "VOP1"))
            code[0] = 0x7e000000u | 16u << 17 | (uint32_t)gcn_chips[wave7_chip].isa.rows[op->id].code << 9 | 260u;
        else if (mask)
            code[0] = 0x7c000000u | (uint32_t)gcn_chips[wave7_chip].isa.rows[op->id].code << 17 | 8u << 9 | 260u;
        else if (!strncmp(layout, "VOP2", 4))
            code[0] = (uint32_t)gcn_chips[wave7_chip].isa.rows[op->id].code << 25 | 16u << 17 | 8u << 9 | 260u;
        else
            return false;
        code[1] = literal ? 0 : 0xbf810000u;
        code[2] = 0xbf810000u;
    }
    return true;
}

static const uint32_t modes[] = {
    0xc0, 0x2f0, 0x1c0 | 1, 0x0f0 | 2, 0x3c0 | 3, 0xf0 | 4, 0x2f0 | 8, 0xc0 | 12, 0x90, 0x60, 0xff};

static const struct gpudbg_operand *source(const struct gpudbg_insn *insn, unsigned i)
{
    const struct gpudbg_operand *k = gcn_operand(insn, GCN_IN_K);
    if (i == 2 && k) return k;
    const struct gpudbg_operand *o = gcn_operand(insn, i == 0 ? GCN_IN_SRC0 : i == 1 ? GCN_IN_SRC1 : GCN_IN_SRC2);
    if (i == 2 && !o && insn->op->flags & GCN_DRW) return gcn_operand(insn, GCN_IN_VDST);
    return o && !gcn_is_mask(o->type) ? o : NULL;
}

static bool about(const char *name)
{
    return (strstr(name, "_f16") && (strstr(name, "_rcp_") || strstr(name, "_rsq_"))) || !strncmp(name, "v_exp", 5) ||
           !strncmp(name, "v_log", 5) || !strncmp(name, "v_sin", 5) || !strncmp(name, "v_cos", 5);
}

static bool close_enough(const char *name, uint64_t got, uint64_t want)
{
    if (got == want) return true;
    int64_t distance = (int64_t)got - (int64_t)want;
    return about(name) && distance >= -1 && distance <= 1;
}

static void check_row(const struct gpudbg_op *op, const struct model *model, bool longer)
{
    uint32_t code[4] = {0};
    struct gpudbg_insn insn;
    if (!encode(op, longer, code)) return;
    if (gcn_chips[wave7_chip].isa.decode(&gcn_chips[wave7_chip].isa, (const uint8_t *)code, 12, CODE_BASE, &insn) <=
            0 ||
        insn.op != op) {
        ok(false, "%s %s decodes", op->name, longer ? "e64" : "e32");
        return;
    }
    const struct gpudbg_operand *vdst = gcn_operand(&insn, GCN_IN_VDST), *sdst = gcn_operand(&insn, GCN_IN_SDST);
    bool mask_only = !vdst || gcn_is_mask(vdst->type), cmpx = mask_only && op->flags & GCN_EXEC_W;
    const bool narrow = gcn_chips[wave7_chip].isa.lanes < 64;
    unsigned out_at = mask_only ? (cmpx && newer() ? 126 : longer ? 20 : 106) : sdst ? sdst->sub : 0;
    unsigned in_at = op->flags & GCN_VCC_R ? 106
                     : longer              ? 22
                                           : 106,
             dwords = mask_only ? 0 : gcn_type_dwords(vdst->type);
    unsigned wrong = 0;
    for (unsigned turn = 0; turn < 33 && wrong < 4; turn++) {
        struct wave7 t;
        uint64_t s[3][64], high[64], exec = turn % 3 == 0 ? UINT64_MAX : turn % 3 == 1 ? any() : any() & any() & any();
        uint32_t literal = (uint32_t)value_of(GCN_F32), old[4][64];
        at.mode = modes[turn % (sizeof modes / sizeof *modes)];
        if (op->flags & GCN_E32) code[1] = literal;
        wave7_open(&t, code, 4, 32);
        t.s[GCN_MODE] = at.mode;
        gcn_set_pair(t.s, GCN_EXEC, exec);
        for (unsigned r = 0; r < 32; r++)
            for (unsigned l = 0; l < 64; l++) wave7_row(&t, r)[l] = (uint32_t)any();
        uint64_t mask_in = any();
        gcn_set_pair(t.s, in_at, mask_in);
        gcn_set_pair(t.s, 20, any());
        const uint32_t above = t.s[out_at + 1]; /* in a wave of 32, a register as any other */
        if (narrow) exec = (uint32_t)exec;
        for (unsigned l = 0; l < 64; l++) {
            high[l] = any();
            for (unsigned i = 0; i < 3; i++) {
                const struct gpudbg_operand *o = source(&insn, i);
                if (!o) {
                    s[i][l] = 0;
                    continue;
                }
                s[i][l] = o->kind == GPUDBG_LITERAL ? literal : value_of(o->type);
                if (i == 0 && strstr(op->name, "div_scale")) continue;
                if (i == 2 && strstr(op->name, "div_scale")) s[0][l] = s[1 + any() % 2][l];
            }
            for (unsigned i = 0; i < 3; i++) {
                const struct gpudbg_operand *o = source(&insn, i);
                if (!o || o->kind == GPUDBG_LITERAL) continue;
                wave7_row(&t, o->reg)[l] = (uint32_t)s[i][l];
                if (gcn_type_dwords(o->type) > 1) wave7_row(&t, o->reg + 1u)[l] = (uint32_t)(s[i][l] >> 32);
                if (gcn_type_dwords(o->type) > 2) {
                    wave7_row(&t, o->reg + 2u)[l] = (uint32_t)high[l];
                    wave7_row(&t, o->reg + 3u)[l] = (uint32_t)(high[l] >> 32);
                }
            }
            for (unsigned k = 0; k < dwords; k++) old[k][l] = wave7_row(&t, vdst->reg + k)[l];
        }
        if (wave7_run(&t, 1) != GPUDBG_RAN_LIMIT) {
            fprintf(stderr, "# %s: %s\n", op->name, t.machine.stop.message);
            wrong = 4;
        }
        uint64_t mask_out = gcn_pair(t.s, out_at);
        if (narrow) {
            if ((mask_only || sdst) && t.s[out_at + 1] != above) wrong = 4;
            mask_out = (uint32_t)mask_out;
        }
        for (unsigned l = 0; l < 64 && wrong < 4; l++) {
            bool active = exec >> l & 1, bit = mask_out >> l & 1;
            at.lane = l;
            at.old = dwords ? old[0][l] : 0;
            at.in = mask_in >> l & 1;
            at.out = false;
            at.high = high[l];
            if (mask_only) {
                bool want = active && compare(op->name, s[0][l], s[1][l]);
                if (bit != want && wrong++ < 2)
                    fprintf(stderr, "# %s 0x%" PRIx64 " 0x%" PRIx64 " mode 0x%x: %d, not %d\n", op->name, s[0][l],
                        s[1][l], at.mode, bit, want);
                continue;
            }
            uint64_t want = model->fn(s[0][l], s[1][l], s[2][l]), wants[2] = {want, at.high};
            uint64_t got = wave7_row(&t, vdst->reg)[l];
            if (dwords > 1) got |= (uint64_t)wave7_row(&t, vdst->reg + 1u)[l] << 32;
            uint64_t got_high = dwords > 2 ? wave7_row(&t, vdst->reg + 2u)[l] |
                                                 (uint64_t)wave7_row(&t, vdst->reg + 3u)[l] << 32
                                           : 0;
            if (!active) {
                wants[0] = old[0][l] | (dwords > 1 ? (uint64_t)old[1][l] << 32 : 0);
                wants[1] = dwords > 2 ? old[2][l] | (uint64_t)old[3][l] << 32 : 0;
            }
            bool good = close_enough(op->name, got, wants[0]) && (dwords <= 2 || got_high == wants[1]) &&
                        (!sdst || bit == (active && at.out));
            if (!good && wrong++ < 2)
                fprintf(stderr,
                    "# %s 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " mode 0x%x lane %u %s: 0x%" PRIx64
                    " bit %d, not 0x%" PRIx64 " bit %d\n",
                    op->name, s[0][l], s[1][l], s[2][l], at.mode, l, active ? "on" : "off", got, bit, wants[0],
                    active && at.out);
        }
        if (cmpx && gcn_active(&t.wave) != mask_out) wrong = 4;
        wave7_close(&t);
    }
    ok(wrong == 0, "%s: %s %s", gcn_chips[wave7_chip].isa.name, op->name, longer ? "e64" : "e32");
}

/* ---- v_trig_preop_f64: segments of 2/pi put together again ---- */

static double preop(double x, unsigned segment)
{
    const uint32_t number = 372;
    uint32_t code[4] = {newer() ? 0xd4000000u | number << 16 | 16u : 0xd0000000u | number << 17 | 16u,
        260u | (128u + segment) << 9, 0xbf810000u, 0};
    struct wave7 t;
    uint64_t bits;
    memcpy(&bits, &x, 8);
    wave7_open(&t, code, 4, 32);
    wave7_row(&t, 4)[5] = (uint32_t)bits;
    wave7_row(&t, 5)[5] = (uint32_t)(bits >> 32);
    wave7_run(&t, 1);
    bits = wave7_row(&t, 16)[5] | (uint64_t)wave7_row(&t, 17)[5] << 32;
    wave7_close(&t);
    double r;
    memcpy(&r, &bits, 8);
    return r;
}

static void check_trig_preop(void)
{
    long double all = (long double)preop(1, 0) + (long double)preop(1, 1);
    ok(fabsl(all - 2 / 3.14159265358979323846264338327950288L) < 0x1p-63L, "v_trig_preop_f64: two segments make 2/pi");
    is_int(
        (uint64_t)(preop(0x1p54, 1) == preop(0x1p107, 0)), 1, "v_trig_preop_f64: a larger exponent starts further on");
    ok(preop(1, 2) > 0 && preop(1, 2) < 0x1p-106,
        "v_trig_preop_f64: the third segment is worth less than the second's last bit");
    ok(preop(0x1p1000, 0) > 0x1p-1000 && preop(0x1p1000, 31) == 0,
        "v_trig_preop_f64: scaled up for huge angles, 0 beyond 1201 bits");
}

static void check_chip(void)
{
    unsigned ran = 0, stopped = 0;
    for (unsigned id = 0; id < GCN_OPS; id++) {
        if (!gpudbg_has_op(&gcn_chips[wave7_chip].isa, id)) continue;
        const struct gpudbg_op *op = &gcn_ops[id];
        const struct model *model = NULL;
        if (strncmp(gcn_chips[wave7_chip].isa.rows[op->id].format->name, "VOP", 3)) continue;
        if (!gcn_is_checked(&gcn_chips[wave7_chip], op)) {
            stopped++;
            continue;
        }
        bool compares = !strncmp(op->name, "v_cmp", 5);
        for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
            if (!strcmp(models[i].name, op->name)) model = &models[i];
        char own[64]; /* where RDNA's differs */
        snprintf(own, sizeof own, "%s_newer", op->name);
        for (unsigned i = 0; newer() && i < sizeof models / sizeof *models; i++)
            if (!strcmp(models[i].name, own)) model = &models[i];
        if (is_elsewhere(op)) continue;
        if (!model && !compares) {
            ok(false, "%s: %s has a model", gcn_chips[wave7_chip].isa.name, op->name);
            continue;
        }
        check_row(op, model, false);
        check_row(op, model, true);
        ran++;
    }
    if (newer()) ok(ran > 400 && stopped < 40, "%u rows run, %u stop", ran, stopped);
}

int main(void)
{
    static const enum gcn_chip_number chips[] = {
        GCN_CHIP_gfx7, GCN_CHIP_gfx10, GCN_CHIP_gfx10_64, GCN_CHIP_gfx1011, GCN_CHIP_gfx10_3};
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
        wave7_chip = chips[i];
        check_chip();
        check_trig_preop();
    }
    return tap_done();
}
