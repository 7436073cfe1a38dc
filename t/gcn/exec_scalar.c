/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every row of the scalar ALU against an answer made another way, bit by bit where that is possible; then program
 * control by small programs.
 */
#include "tap.h"

#include "machine/machine_core.h"
#include "wave.h"

__extension__ typedef __int128 big;

/* ---- Models: sources a and b, the old destination d, SCC, the constant k; they return the destination ---- */

static struct {
    uint64_t d;
    int64_t k;
    bool scc;
} at;

static uint64_t nonzero(uint64_t x) { return at.scc = x != 0, x; }
static uint64_t flag(bool c, uint64_t x) { return at.scc = c, x; }

static uint64_t bits(uint64_t x, unsigned lo, unsigned n, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < n && i + lo < width; i++) r |= (x >> (lo + i) & 1) << i;
    return r;
}

/* The field of a signed number: bits above its width are its sign. */
static uint64_t signed_bits(uint64_t x, unsigned lo, unsigned n, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++) {
        unsigned from = n && i >= n ? lo + n - 1 : lo + i;
        if (from >= width) from = width - 1;
        if (n) r |= (x >> from & 1) << i;
    }
    return r;
}

static uint64_t logic(uint64_t a, uint64_t b, unsigned truth, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++) r |= (uint64_t)(truth >> (2 * (a >> i & 1) + (b >> i & 1)) & 1) << i;
    return nonzero(r);
}

static uint64_t reversed(uint64_t x, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++) r |= (x >> i & 1) << (width - 1 - i);
    return r;
}

static uint64_t counted(uint64_t x, unsigned bit, unsigned width)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < width; i++) n += (x >> i & 1) == bit;
    return nonzero(n);
}

static uint64_t first(uint64_t x, unsigned bit, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        if ((x >> i & 1) == bit) return i;
    return UINT32_MAX;
}

/* How many bits from the top are `bit`; all of them: -1. */
static uint64_t top_run(uint64_t x, unsigned bit, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        if ((x >> (width - 1 - i) & 1) != bit) return i;
    return UINT32_MAX;
}

static uint64_t by_fours(uint64_t x, unsigned width, bool packed)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i += 4)
        if (bits(x, i, 4, 64)) r |= packed ? 1ull << i / 4 : 15ull << i;
    return nonzero(r);
}

/* Each bit twice. */
static uint64_t doubled(uint64_t x)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 64; i++) r |= (x >> i / 2 & 1) << i;
    return r;
}

static uint64_t set_bit(uint64_t x, unsigned i, unsigned bit) { return (x & ~(1ull << i)) | (uint64_t)bit << i; }

static uint64_t exact_signed(big r)
{
    at.scc = r > INT32_MAX || r < INT32_MIN;
    return (uint32_t)r;
}

static uint64_t exact_unsigned(big r)
{
    at.scc = r > UINT32_MAX || r < 0;
    return (uint32_t)r;
}

static uint64_t ones(unsigned n, unsigned from, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = from; i < from + n && i < width; i++) r |= 1ull << i;
    return r;
}

static uint64_t magnitude(int64_t x) { return nonzero((uint32_t)(x < 0 ? -x : x)); }

#define I(x) ((int64_t)(int32_t)(x))
#define LOW(x) ((uint32_t)(x))

#define MODEL(name, ...)                                 \
    static uint64_t model_##name(uint64_t a, uint64_t b) \
    {                                                    \
        (void)a, (void)b;                                \
        return __VA_ARGS__;                              \
    }
#include "scalar_model.def"
#undef MODEL

static const struct model {
    const char *name;
    uint64_t (*fn)(uint64_t, uint64_t);
} models[] = {
#define MODEL(name, ...) {#name, model_##name},
#include "scalar_model.def"
#undef MODEL
};

/* ---- Values ---- */

static uint64_t seed = 0x2545f4914f6cdd1du;

static uint64_t any(void)
{
    static const uint64_t corners[] = {0, 1, 2, 31, 32, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0xffffffff80000000,
        UINT64_MAX, 1ull << 63, INT64_MAX, 0x200000, 0x80008, 0x1f0001, 0x7f0000, 0x400000, 0x100010};
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % 3 ? seed : corners[(seed >> 8) % (sizeof corners / sizeof *corners)];
}

/* ---- Running a row: sources in s[4:5] and s[8:9], destination s[16:17] ---- */

static bool encode(const struct gpudbg_op *op, uint16_t k, uint32_t code[2])
{
    const char *layout = gcn_chips[wave7_chip].isa.rows[op->id].format->name;
    uint32_t n = (unsigned)gcn_chips[wave7_chip].isa.rows[op->id].code;
    code[1] = 0xbf810000u;
    if (!strcmp(layout, "SOP2"))
        code[0] = 0x80000000u | n << 23 | 16u << 16 | 8u << 8 | 4u;
    else if (!strcmp(layout, "SOP1"))
        code[0] = 0xbe800000u | 16u << 16 | n << 8 | 4u;
    else if (!strcmp(layout, "SOPC"))
        code[0] = 0xbf000000u | n << 16 | 8u << 8 | 4u;
    else if (!strncmp(layout, "SOPK", 4))
        code[0] = 0xb0000000u | n << 23 | 16u << 16 | k;
    else
        return false;
    return true;
}

/* Puts another operand into the source field at bit `lo`, now and then: an inline constant, or what only stands for a
 * value; a is that of the registers.  The value, 64 bits wide. */
static uint64_t source(struct wave7 *t, const struct gpudbg_operand *o, uint32_t *code, unsigned lo, uint64_t a)
{
    static const uint8_t codes[] = {GCN_CODE_VCCZ, GCN_CODE_EXECZ, GCN_CODE_SCC, 128, 192, 193, 208, 241};
    unsigned choice = any() >> 20 & 31, n = o ? gcn_type_dwords(o->type) : 0;
    if (o && choice < sizeof codes) {
        unsigned sub = codes[choice];
        *code = (*code & ~(0xffu << lo)) | sub << lo;
        if (!gcn_inline(sub, o->type, &a))
            a = sub == GCN_CODE_VCCZ    ? !(gcn_pair(t->s, GCN_VCC) & gcn_pair(t->s, GCN_LANES))
                : sub == GCN_CODE_EXECZ ? !gcn_active(&t->wave)
                                        : t->s[GCN_SCC];
    }
    return n == 1 ? (uint32_t)a : a;
}

static void check_row(const struct gpudbg_op *op, const struct model *model)
{
    unsigned wrong = 0;
    for (unsigned turn = 0; turn < 600 && wrong < 2; turn++) {
        uint32_t code[2];
        struct gpudbg_insn insn;
        struct wave7 t;
        at.k = (int16_t)any();
        if (!encode(op, (uint16_t)at.k, code) ||
            gcn_chips[wave7_chip].isa.decode(&gcn_chips[wave7_chip].isa, (uint8_t *)code, 8, CODE_BASE, &insn) <= 0 ||
            insn.op != op) {
            wrong = 2;
            break;
        }
        wave7_open(&t, code, 2, 4);
        uint64_t a = any(), b = any();
        at.d = any();
        gcn_set_pair(t.s, 4, a);
        gcn_set_pair(t.s, 8, b);
        gcn_set_pair(t.s, 16, at.d);
        at.scc = turn & 1;
        t.s[GCN_SCC] = at.scc;
        const struct gpudbg_operand *oa = gcn_operand(&insn, GCN_IN_SSRC0), *ob = gcn_operand(&insn, GCN_IN_SSRC1),
                                    *od = gcn_operand(&insn, GCN_IN_SDST);
        gcn_set_pair(t.s, GCN_VCC, turn & 2 ? any() : 0);
        gcn_set_pair(t.s, GCN_EXEC, turn & 4 ? any() : 0);
        a = source(&t, oa, &code[0], 0, a);
        b = source(&t, ob, &code[0], 8, b);
        bool wide = od && gcn_type_dwords(od->type) == 2;
        if (!wide) at.d = (uint32_t)at.d;
        enum gpudbg_ran ran = wave7_run(&t, 1);
        uint64_t want = model->fn(a, b), got = wide ? gcn_pair(t.s, 16) : t.s[16];
        if (ran != GPUDBG_RAN_LIMIT || (od && got != want) || t.s[GCN_SCC] != at.scc) {
            wrong++;
            fprintf(stderr, "# %s 0x%" PRIx64 " 0x%" PRIx64 ": 0x%" PRIx64 " scc %u, not 0x%" PRIx64 " scc %d\n",
                op->name, a, b, got, t.s[GCN_SCC], want, at.scc);
        }
        wave7_close(&t);
    }
    ok(wrong == 0, "%s", op->name);
}

/* ---- Small programs ---- */

#define ENDPGM 0xbf810000u
/* clang-format off */
#define PROGRAM(...) \
    static const uint32_t code[] = {__VA_ARGS__}; \
    struct wave7 t; \
    struct core core; \
    memset(&core, 0, sizeof core); \
    meet(code, sizeof code / sizeof *code); \
    wave7_open(&t, code, sizeof code / sizeof *code, 8); \
    t.machine.core = &core

#define MOV(d, value) 0xbe800300u | (uint32_t)(d) << 16 | 0xff, (uint32_t)(value)
/* clang-format on */

/* Rows that some test has executed on the chip. */
static bool met[GCN_OPS];

static void meet(const uint32_t *code, unsigned dwords)
{
    struct gpudbg_insn insn;
    for (unsigned i = 0; i < dwords; i += insn.size / 4) {
        const int n = gcn_chips[wave7_chip].isa.decode(
            &gcn_chips[wave7_chip].isa, (const uint8_t *)(code + i), 4 * (dwords - i), CODE_BASE, &insn);
        if (n <= 0) return;
        if (insn.op) met[insn.op->id] = true;
    }
}

static const struct gpudbg_op *op_named(const char *name)
{
    for (unsigned id = 0; id < GCN_OPS; id++)
        if (gpudbg_has_op(&gcn_chips[wave7_chip].isa, id) && !strcmp(gcn_ops[id].name, name)) return &gcn_ops[id];
    return NULL;
}

/* What becomes of EXEC, by the words of the name: EXEC is b, the operand is a. */
static void check_saveexec(void)
{
    static const struct {
        const char *name;
        uint8_t truth;
    } rows[] = {{"and", 0x8}, {"or", 0xe}, {"xor", 0x6}, {"andn2", 0x4}, {"orn2", 0xd}, {"nand", 0x7}, {"nor", 0x1},
        {"xnor", 0x9}, {"andn1", 0x2}, {"orn1", 0xb}};
    for (unsigned i = 0; i < 4 * sizeof rows / sizeof *rows; i++) {
        const bool keeps = i & 1;
        const unsigned row = i / 4, width = i & 2 ? 32 : 64;
        char name[40];
        snprintf(name, sizeof name, "s_%s_%s_b%u", rows[row].name, keeps ? "saveexec" : "wrexec", width);
        const struct gpudbg_op *op = op_named(name);
        if (!op) continue;
        for (unsigned turn = 0; turn < 20; turn++) {
            const uint32_t number = (uint32_t)gcn_chips[wave7_chip].isa.rows[op->id].code;
            const uint32_t code[] = {0xbe800000u | 16u << 16 | number << 8 | 4u, ENDPGM};
            struct wave7 t;
            const uint64_t mask = any(), exec = any(), ones_ = width == 32 ? UINT32_MAX : UINT64_MAX, old = any();
            meet(code, 1);
            wave7_open(&t, code, 2, 4);
            gcn_set_pair(t.s, 4, mask);
            gcn_set_pair(t.s, 16, old);
            gcn_set_pair(t.s, GCN_EXEC, exec);
            wave7_run(&t, 1);
            const uint64_t now = logic(mask & ones_, exec & ones_, rows[row].truth, width) & ones_;
            const bool right = gcn_pair(t.s, 16) == ((old & ~ones_) | (keeps ? exec & ones_ : now)) &&
                               gcn_pair(t.s, GCN_EXEC) == ((exec & ~ones_) | now) && t.s[GCN_SCC] == (now != 0);
            wave7_close(&t);
            if (right && turn < 19) continue;
            ok(right, "%s: %s: EXEC, the register and SCC", gcn_chips[wave7_chip].isa.name, name);
            break;
        }
    }
}

static void check_branches(void)
{
    /* name, opcode, SCC, VCC, EXEC, taken */
    static const struct {
        const char *name;
        unsigned code;
        uint32_t scc, status;
        uint64_t vcc, exec;
        bool taken;
    } rows[] = {
        {"s_branch", 2, 0, 0, 0, 1, true},
        {"s_cbranch_scc0", 4, 0, 0, 0, 1, true},
        {"s_cbranch_scc0", 4, 1, 0, 0, 1, false},
        {"s_cbranch_scc1", 5, 1, 0, 0, 1, true},
        {"s_cbranch_scc1", 5, 0, 0, 0, 1, false},
        {"s_cbranch_vccz", 6, 0, 0, 0, 1, true},
        {"s_cbranch_vccz", 6, 0, 0, 1ull << 40, 1, false},
        {"s_cbranch_vccnz", 7, 0, 0, 1ull << 40, 1, true},
        {"s_cbranch_vccnz", 7, 0, 0, 0, 1, false},
        {"s_cbranch_execz", 8, 0, 0, 1, 0, true},
        {"s_cbranch_execz", 8, 0, 0, 1, 1ull << 63, false},
        {"s_cbranch_execnz", 9, 0, 0, 1, 1ull << 63, true},
        {"s_cbranch_execnz", 9, 0, 0, 1, 0, false},
        {"s_cbranch_cdbgsys", 23, 0, GCN_COND_DBG_SYS, 0, 1, true},
        {"s_cbranch_cdbgsys", 23, 0, GCN_COND_DBG_USER, 0, 1, false},
        {"s_cbranch_cdbguser", 24, 0, GCN_COND_DBG_USER, 0, 1, true},
        {"s_cbranch_cdbguser", 24, 0, GCN_COND_DBG_SYS, 0, 1, false},
        {"s_cbranch_cdbgsys_or_user", 25, 0, GCN_COND_DBG_USER, 0, 1, true},
        {"s_cbranch_cdbgsys_or_user", 25, 0, 0, 0, 1, false},
        {"s_cbranch_cdbgsys_and_user", 26, 0, GCN_COND_DBG_USER | GCN_COND_DBG_SYS, 0, 1, true},
        {"s_cbranch_cdbgsys_and_user", 26, 0, GCN_COND_DBG_USER, 0, 1, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t code[] = {0xbf800000u, 0xbf800000u | rows[i].code << 16 | 0xfffeu, ENDPGM};
        struct wave7 t;
        if (gcn_chips[wave7_chip].isa.lanes < 64 && ((rows[i].vcc | rows[i].exec) >> 32)) continue;
        meet(code, 3);
        wave7_open(&t, code, 3, 4);
        t.s[GCN_SCC] = rows[i].scc;
        t.s[GCN_STATUS] |= rows[i].status;
        gcn_set_pair(t.s, GCN_VCC, rows[i].vcc);
        gcn_set_pair(t.s, GCN_EXEC, rows[i].exec);
        wave7_run(&t, 2);
        is_int(
            t.wave.pc, CODE_BASE + (rows[i].taken ? 0 : 8), "%s is %staken", rows[i].name, rows[i].taken ? "" : "not ");
        wave7_close(&t);
    }
}

static void check_calls(void)
{
    PROGRAM(0xbe901f00u,                                  /* s_getpc_b64 s[16:17] */
        MOV(4, CODE_BASE + 0x1c), MOV(5, 0), 0xbe922104u, /* s_swappc_b64 s[18:19], s[4:5] */
        ENDPGM, 0xbe802012u /* 0x1c: s_setpc_b64 s[18:19] */, ENDPGM);
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "a call returns and the program ends");
    is_int(gcn_pair(t.s, 16), CODE_BASE + 4, "s_getpc_b64: the next instruction");
    is_int(gcn_pair(t.s, 18), CODE_BASE + 0x18, "s_swappc_b64: the next instruction");
    is_int(t.wave.executed, 6, "six instructions were executed");
    is_int(t.wave.state, GPUDBG_ENDED, "the wave's state is ENDED");
    wave7_close(&t);
}

/* if (mask) A; else B; join: each lane runs its side once. */
static void check_forks(void)
{
    uint32_t code[] = {
        0xb8900004u,                 /* s_cbranch_i_fork s[16:17], to 0x14; then s_cbranch_g_fork s[16:17], s[18:19] */
        0x4a000281u,                 /* v_add_i32 v0, vcc, 1, v1: the failed side */
        0xbe803280u,                 /* 0x08: s_cbranch_join 0 */
        ENDPGM, ENDPGM, 0x4a000290u, /* 0x14: v_add_i32 v0, vcc, 16, v1: the passed side */
        0xbf82fffbu,                 /* s_branch 0x08 */
    };
    for (unsigned turn = 0; turn < 6; turn++) {
        struct wave7 t;
        uint64_t mask = turn % 3 == 0 ? 0xff : turn % 3 == 1 ? ~0xffull : UINT64_MAX;
        if (turn == 3) code[0] = 0x95801210u;
        wave7_open(&t, code, sizeof code / sizeof *code, 8);
        gcn_set_pair(t.s, 16, mask);
        gcn_set_pair(t.s, 18, CODE_BASE + 0x14);
        is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "fork %u ends", turn);
        bool right = true;
        for (unsigned l = 0; l < 64; l++) right &= wave7_row(&t, 0)[l] == (mask >> l & 1 ? 16u : 1u);
        ok(right, "fork %u: every lane ran its side", turn);
        is_int(t.s[GCN_MODE] >> GCN_CSP, 0, "fork %u: the stack is empty again", turn);
        wave7_close(&t);
    }
}

static void check_rfe(void)
{
    PROGRAM(0xbe802212u, ENDPGM, 0xbf800000u, ENDPGM); /* s_rfe_b64 s[18:19] */
    t.s[GCN_STATUS] |= GCN_PRIV;
    gcn_set_pair(
        t.s, 18, (CODE_BASE + 8) | UINT64_C(0x1a05) << 48); /* as s_trap 5 leaves TTMP: PC[47:0], the number above */
    is_int(wave7_run(&t, 1), GPUDBG_RAN_LIMIT, "s_rfe_b64 runs");
    is_int(t.wave.pc, CODE_BASE + 8, "... jumps: the PC has 48 bits");
    is_int(t.s[GCN_STATUS] & GCN_PRIV, 0, "... and leaves the trap handler");
    wave7_close(&t);
}

static void check_empty_join(void)
{
    PROGRAM(0xbe803281u, ENDPGM); /* s_cbranch_join 1 with nothing on the stack */
    is_int(wave7_run(&t, 10), GPUDBG_RAN_FAULT, "a join without a fork stops");
    is_str(t.machine.stop.message, "the fork stack is empty", "... and says so");
    wave7_close(&t);
}

static void check_moves(void)
{
    PROGRAM(0xbe902e04u, /* s_movrels_b32 s16, s4 */
        0xbe922f04u,     /* s_movrels_b64 s[18:19], s[4:5] */
        0xbe94300cu,     /* s_movreld_b32 s20, s12 */
        0xbe96310cu,     /* s_movreld_b64 s[22:23], s[12:13] */
        ENDPGM);
    for (unsigned i = 0; i < 40; i++) t.s[i] = 100 + i;
    t.s[GCN_M0] = 2;
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "moves by M0 run");
    is_int(t.s[16], 106, "s_movrels_b32");
    is_int(gcn_pair(t.s, 18), 106 | 107ull << 32, "s_movrels_b64");
    is_int(t.s[22], 112, "s_movreld_b32");
    is_int(gcn_pair(t.s, 24), 112 | 113ull << 32, "s_movreld_b64");
    t.s[GCN_M0] = 100;
    is_int(wave7_run(&t, 1), GPUDBG_RAN_FAULT, "a register past the last SGPR stops");
    is_int(t.wave.pc, CODE_BASE, "... at the instruction");
    wave7_close(&t);
}

static void check_hardware_registers(void)
{
    PROGRAM(0xb9100000u | (1u << 11 | 4u << 6 | 1u),          /* s_getreg_b32 s16, hwreg(MODE, 4, 2) */
        0xb9820000u | (1u << 11 | 4u << 6 | 1u),              /* s_setreg_b32 hwreg(MODE, 4, 2), s2 */
        0xba800000u | (1u << 11 | 0u << 6 | 1u), 0xfffffffeu, /* s_setreg_imm32_b32 hwreg(MODE, 0, 2), -2 */
        0xb9110000u | (31u << 11 | 2u),                       /* s_getreg_b32 s17, hwreg(STATUS) */
        ENDPGM);
    t.s[GCN_MODE] = 0x2d0;
    t.s[2] = 0xfffffffe;
    t.s[GCN_SCC] = 1;
    gcn_set_pair(t.s, GCN_EXEC, 0);
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "hardware registers are read and written");
    is_int(t.s[16], 1, "s_getreg_b32 takes a field");
    is_int(t.s[GCN_MODE], 0x2e2, "s_setreg writes a field and nothing else");
    is_int(t.s[17] & 0x601, 0x601, "STATUS has SCC, EXECZ and VCCZ as they are");
    wave7_close(&t);
}

static void check_vskip(void)
{
    PROGRAM(0xbf108181u, /* s_setvskip 1, 1: bit 1 of 1 is clear, off */
        0xbf108081u,     /* s_setvskip 1, 0: on */
        0x7e000281u,     /* v_mov_b32 v0, 1: passed over */
        0xbe900385u,     /* s_mov_b32 s16, 5 */
        0xbf108080u,     /* s_setvskip 0, 0: off */
        0x7e020282u,     /* v_mov_b32 v1, 2 */
        ENDPGM);
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "VSKIP on and off");
    is_int(wave7_row(&t, 0)[3], 0, "a vector instruction is passed over");
    is_int(t.s[16], 5, "a scalar one is not");
    is_int(wave7_row(&t, 1)[3], 2, "after that vectors work again");
    is_int(t.wave.executed, 7, "what is passed over counts");
    wave7_close(&t);
}

/* What is passed over has its length also where no code was decoded yet, as when time is run again from a checkpoint.
 */
static void check_vskip_afresh(void)
{
    PROGRAM(0xd2060000u, 0x02020280u, /* v_add_f32_e64 v0, 0, v1: its second word may be taken for an instruction */
        0xbe900385u,                  /* s_mov_b32 s16, 5 */
        0xd2060000u, 0x02020280u,     /* another */
        ENDPGM);
    t.s[GCN_MODE] |= GCN_VSKIP;
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "VSKIP at the first instruction of code not met before");
    is_int(t.wave.executed, 4, "an instruction of two words is one that is passed over");
    is_int(t.s[16], 5, "... and what follows is executed");
    wave7_close(&t);
}

static void free_events(struct core *core)
{
    for (size_t i = 0; i < core->nevents; i++) {
        free((void *)core->events[i].kind);
        free((void *)core->events[i].text);
        free((void *)core->events[i].data);
    }
    free(core->events);
}

static void check_stops(void)
{
    {
        PROGRAM(0xbf8a0000u, 0xbf8e0001u, ENDPGM);
        is_int(wave7_run(&t, 10), GPUDBG_RAN_BARRIER, "s_barrier");
        is_int(t.wave.state, GPUDBG_AT_BARRIER, "... and the state says so");
        is_int(t.wave.pc, CODE_BASE + 4, "... and the pc is behind it");
        is_int(gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 10, false), GPUDBG_RAN_YIELD, "s_sleep yields");
        is_int(gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 10, false), GPUDBG_RAN_END, "s_endpgm ends");
        wave7_close(&t);
    }
    {
        /* s_setprio, s_icache_inv, s_incperflevel, s_decperflevel, s_setkill 0: none of them changes what a program
         * computes. */
        PROGRAM(0xbf8f0002u, 0xbf930000u, 0xbf940001u, 0xbf950001u, 0xbf8b0000u, 0xbf8b0001u, 0xbf800000u, ENDPGM);
        uint32_t before[GCN_INLINE];
        memcpy(before, t.s, sizeof before);
        is_int(wave7_run(&t, 5), GPUDBG_RAN_LIMIT, "five that do nothing here");
        is_int(t.wave.pc, CODE_BASE + 20, "... and go on");
        ok(memcmp(before, t.s, sizeof before) == 0, "... and leave all registers as they were");
        is_int(t.s[GCN_STATUS] >> 3 & 3, 2, "... but for the priority in STATUS");
        is_int(gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 5, false), GPUDBG_RAN_END, "s_setkill 1 ends the wave");
        is_int(t.wave.state, GPUDBG_ENDED, "... for good");
        free_events(&core);
        wave7_close(&t);
    }
    {
        PROGRAM(0xbf900003u, 0xbf910003u, 0xbf920007u, 0xbf8d0001u, 0xbf960000u, 0xbf920002u, ENDPGM);
        t.s[GCN_M0] = 0x55;
        for (unsigned i = 0; i < 5; i++)
            is_int(i ? gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 10, false) : wave7_run(&t, 10), GPUDBG_RAN_EVENT,
                "event %u returns", i);
        is_int(gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 10, false), GPUDBG_RAN_END, "trap 2 ends the wave");
        is_int(core.nevents, 6, "six events are recorded");
        is_str(core.nevents ? core.events[0].text : NULL, "s_sendmsg 0x3, m0 0x55", "the message is told");
        is_str(core.nevents > 2 ? core.events[2].text : NULL, "s_trap 7", "the trap is told");
        free_events(&core);
        wave7_close(&t);
    }
    if (!gcn_chips[wave7_chip].newer_hwregs) { /* else: t/gcn/gfx10_rest.t */
        PROGRAM(0xbf920005u, ENDPGM, 0, 0, ENDPGM);
        gcn_set_pair(t.s, GCN_TBA, CODE_BASE + 0x10);
        is_int(wave7_run(&t, 1), GPUDBG_RAN_LIMIT, "with a handler a trap jumps");
        is_int(t.wave.pc, CODE_BASE + 0x10, "... to TBA");
        is_int(gcn_pair(t.s, GCN_TTMP), CODE_BASE | 5ull << 48, "... and leaves pc and number in TTMP");
        free_events(&core);
        wave7_close(&t);
    }
    {
        PROGRAM(0xbf8d0001u, ENDPGM); /* s_sethalt 1 */
        t.s[GCN_STATUS] |= GCN_PRIV;
        is_int(wave7_run(&t, 10), GPUDBG_RAN_END, "in the trap handler halting is ignored");
        is_int(core.nevents, 0, "... and no event");
        free_events(&core);
        wave7_close(&t);
    }
}

static void check_faults(void)
{
    static const struct {
        const char *what, *message;
        uint32_t code[2];
        uint64_t pc;
    } rows[] = {
        {"an illegal word", "illegal instruction 0xbffe0000 0xbf810000", {0xbffe0000u, ENDPGM}, CODE_BASE},
        {"a VGPR that the launch has not", "v9 does not exist: the launch has 8 VGPRs", {0x7e120280u, ENDPGM},
            CODE_BASE},
        {"a reserved operand", "s_mov_b32: operand code 209 is not a register that it can use", {0xbe8003d1u, ENDPGM},
            CODE_BASE},
        {"LDS_DIRECT as 64 bits", "s_mov_b64: operand code 254 is not a register that it can use",
            {0xbe8004feu, ENDPGM}, CODE_BASE},
        {"SGPRs beyond s103", "s_load_dwordx8: operand code 100 is not a register that it can use",
            {0xc0f20300u, ENDPGM}, CODE_BASE},
        {"beyond ttmp11", "s_load_dwordx8: operand code 120 is not a register that it can use", {0xc0fc0300u, ENDPGM},
            CODE_BASE},
        {"beyond vcc", "s_load_dwordx4: operand code 106 is not a register that it can use", {0xc0b50300u, ENDPGM},
            CODE_BASE},
        {"the end of the code", "pc 0x1008 is outside the code", {0xbf800000u, 0xbf800000u}, CODE_BASE + 8},
        {"a branch out of the code", "pc 0x1404 is outside the code", {0xbf820100u, ENDPGM}, CODE_BASE + 0x404},
        {"a jump out of the code", "pc 0x0 is outside the code", {0xbe802004u, ENDPGM}, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct wave7 t;
        wave7_open(&t, rows[i].code, 2, 8);
        is_int(wave7_run(&t, 10), GPUDBG_RAN_FAULT, "%s stops", rows[i].what);
        is_str(t.machine.stop.message, rows[i].message, "... and says what it is");
        is_int(t.wave.pc, rows[i].pc, "... with the pc at it");
        wave7_close(&t);
    }
}

static void check_breakpoints(void)
{
    PROGRAM(0xbe900381u, 0x80108110u, 0x80108110u, 0xbf82fffeu,
        ENDPGM); /* s16 = 1; s16 += 1; again: s16 += 1; branch again */
    ok(gcn_chips[GCN_CHIP_gfx7].isa.run->breakpoint(&t.machine, CODE_BASE + 8, true), "a breakpoint is set");
    ok(!gcn_chips[GCN_CHIP_gfx7].isa.run->breakpoint(&t.machine, CODE_BASE + 0x100, true),
        "there is none where no code is");
    is_int(wave7_run(&t, 100), GPUDBG_RAN_BREAK, "run stops at it");
    is_int(t.wave.pc, CODE_BASE + 8, "... before the instruction");
    is_int(t.wave.executed, 2, "... which does not count");
    is_int(gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 100, true), GPUDBG_RAN_BREAK,
        "passed over once, it stops the next time");
    is_int(t.s[16], 3, "... after one round");
    is_int(
        gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 1, true), GPUDBG_RAN_LIMIT, "one instruction over a breakpoint");
    is_int(t.s[16], 4, "... executes it");
    ok(gcn_chips[GCN_CHIP_gfx7].isa.run->breakpoint(&t.machine, CODE_BASE + 8, false), "it is taken away");
    is_int(gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 101, false), GPUDBG_RAN_LIMIT, "then nothing stops");
    is_int(t.wave.executed, 2 + 2 + 1 + 101, "... and all are counted");
    wave7_close(&t);
}

/* The same where VSKIP is on: before a scalar instruction, which is executed, and a vector one, which is passed over.
 */
static void check_breakpoints_skipping(bool observed)
{
    PROGRAM(0xbe900381u, 0x7e020281u, 0xbe900382u, ENDPGM); /* s16 = 1; v_mov_b32 v1, 1; s16 = 2 */
    t.s[GCN_MODE] |= GCN_VSKIP;
    gcn_of(&t.wave)->observed = observed;
    for (unsigned i = 0; i < 2; i++) {
        const char *how = observed ? ", exceptions observed" : "";
        gcn_chips[GCN_CHIP_gfx7].isa.run->breakpoint(&t.machine, CODE_BASE + 4 * i, true);
        t.s[16] = 0;
        is_int(wave7_run(&t, 10), GPUDBG_RAN_BREAK, "VSKIP%s: a breakpoint", how);
        t.wave.executed = 0;
        is_int(gcn_chips[GCN_CHIP_gfx7].isa.run->run(&t.wave, 1, true), GPUDBG_RAN_LIMIT, "... is left");
        is_int(t.wave.pc, CODE_BASE + 4 * i + 4, "... by one instruction");
        is_int(t.wave.executed, 1, "... which counts");
        is_int(t.s[16], 1, "... executed if it is scalar");
        is_int(wave7_row(&t, 1)[3], 0, "... and not if it is vector");
        gcn_chips[GCN_CHIP_gfx7].isa.run->breakpoint(&t.machine, CODE_BASE + 4 * i, false);
    }
    wave7_close(&t);
}

/* The second word of a long instruction is one of its own when jumped to. */
static void check_middle(void)
{
    PROGRAM(0xbf820001u, MOV(16, 0xbe910385u), ENDPGM); /* branch into the literal: s_mov_b32 s17, 5 */
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "a jump into the middle of an instruction runs");
    is_int(t.s[17], 5, "... what stands there");
    is_int(t.s[16], 0, "... and not what it is part of");
    wave7_close(&t);
}

static void check_operands(void)
{
    PROGRAM(0xbe9004c1u,          /* s_mov_b64 s[16:17], -1 */
        0xbe9204f2u,              /* s_mov_b64 s[18:19], 1.0 */
        0xbe9404ffu, 0x80000000u, /* s_mov_b64 s[20:21], 0x80000000 */
        0xbe9603fbu,              /* s_mov_b32 s22, src_vccz */
        0xbe9703fcu,              /* s_mov_b32 s23, src_execz */
        0xbe9803fdu,              /* s_mov_b32 s24, src_scc */
        0xbe9903f1u,              /* s_mov_b32 s25, -0.5 */
        0x919aff10u, 4u,          /* s_ashr_i64 s[26:27], s[16:17], 4 */
        ENDPGM);
    t.s[GCN_SCC] = 1;
    is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "operands of all kinds");
    is_int(gcn_pair(t.s, 16), UINT64_MAX, "an inline integer is sign-extended");
    is_int(gcn_pair(t.s, 18), 0x3ff0000000000000u, "an inline float is a double");
    is_int(gcn_pair(t.s, 20), 0x80000000u, "a literal is zero-extended");
    is_int(t.s[22], 1, "src_vccz");
    is_int(t.s[23], 0, "src_execz");
    is_int(t.s[24], 1, "src_scc");
    is_int(t.s[25], 0xbf000000u, "-0.5");
    is_int(gcn_pair(t.s, 26), UINT64_MAX, "a shift by a literal");
    wave7_close(&t);
}

/* Every row of the chip that small programs do not cover, against its model. */
static void check_chip(void)
{
    static const char *const programs[] = {"s_getpc_b64", "s_setpc_b64", "s_swappc_b64", "s_rfe_b64", "s_movrels_b32",
        "s_movrels_b64", "s_movreld_b32", "s_movreld_b64", "s_cbranch_join", "s_cbranch_g_fork", "s_setvskip",
        "s_cbranch_i_fork", "s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32", "s_mov_regrd_b32",
        "s_getreg_regrd_b32", "s_call_b64", "s_movrelsd_2_b32", "s_subvector_loop_begin", "s_subvector_loop_end"};
    unsigned ran = 0;
    for (unsigned id = 0; id < GCN_OPS; id++) {
        if (!gpudbg_has_op(&gcn_chips[wave7_chip].isa, id)) continue;
        const struct gpudbg_op *op = &gcn_ops[id];
        const struct model *model = NULL;
        bool skip = strncmp(gcn_chips[wave7_chip].isa.rows[op->id].format->name, "SOP", 3) ||
                    !strncmp(gcn_chips[wave7_chip].isa.rows[op->id].format->name, "SOPP", 4) ||
                    strstr(op->name, "saveexec") || strstr(op->name, "wrexec") || strstr(op->name, "waitcnt");
        for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) skip |= !strcmp(programs[i], op->name);
        if (skip) continue;
        for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
            if (!strcmp(models[i].name, op->name)) model = &models[i];
        met[id] = true;
        if (model)
            check_row(op, model);
        else
            ok(false, "%s: %s has a model", gcn_chips[wave7_chip].isa.name, op->name);
        ran++;
    }
    ok(ran > 100, "%s: %u rows against their models", gcn_chips[wave7_chip].isa.name, ran);
}

static uint32_t number_of(const struct gpudbg_op *op) { return (uint32_t)gcn_chips[wave7_chip].isa.rows[op->id].code; }

/* Runs one instruction; returns what became of it.  The registers are as before, but for MODE and STATUS. */
static enum gpudbg_ran one(const char *name, uint16_t k, uint32_t mode, uint32_t *now)
{
    const struct gpudbg_op *op = op_named(name);
    const bool long_form = op && !strcmp(gcn_chips[wave7_chip].isa.rows[op->id].format->name, "SOPK");
    const uint32_t first = long_form ? 0xb0000000u | 125u << 16 : 0xbf800000u; /* null */
    const uint32_t code[] = {op ? first | number_of(op) << (long_form ? 23 : 16) | k : 0, ENDPGM};
    if (!ok(op != NULL, "%s: has %s", gcn_chips[wave7_chip].isa.name, name)) return GPUDBG_RAN_FAULT;
    uint32_t before[GCN_MODE];
    struct wave7 t;
    meet(code, 1);
    struct core core;
    memset(&core, 0, sizeof core);
    wave7_open(&t, code, 2, 4);
    t.machine.core = &core;
    for (unsigned i = 0; i < 100; i++) t.s[i] = (uint32_t)any();
    gcn_set_pair(t.s, GCN_EXEC, any());
    t.s[GCN_MODE] = mode;
    memcpy(before, t.s, sizeof before);
    const enum gpudbg_ran ran = wave7_run(&t, 1);
    if (now) *now = t.s[GCN_MODE];
    ok(!memcmp(before, t.s, sizeof before) && (now || t.s[GCN_MODE] == mode), "%s: %s changes no register",
        gcn_chips[wave7_chip].isa.name, name);
    free_events(&core);
    wave7_close(&t);
    return ran;
}

/* What RDNA has beside the rest, and rows that compute nothing. */
static void check_newer(void)
{
    static const char *const nothing[] = {"s_waitcnt", "s_waitcnt_vscnt", "s_waitcnt_vmcnt", "s_waitcnt_expcnt",
        "s_waitcnt_lgkmcnt", "s_waitcnt_depctr", "s_wait_idle", "s_clause", "s_inst_prefetch", "s_icache_inv",
        "s_incperflevel", "s_decperflevel", "s_setprio", "s_sethalt", "s_setkill", "s_wakeup"};
    static const struct {
        const char *name;
        enum gpudbg_ran ran;
    } ends[] = {{"s_barrier", GPUDBG_RAN_BARRIER}, {"s_sleep", GPUDBG_RAN_YIELD}, {"s_endpgm_saved", GPUDBG_RAN_END},
        {"s_endpgm_ordered_ps_done", GPUDBG_RAN_END}, {"s_code_end", GPUDBG_RAN_FAULT},
        {"s_ttracedata", GPUDBG_RAN_EVENT}, {"s_ttracedata_imm", GPUDBG_RAN_EVENT}};
    for (unsigned i = 0; i < sizeof nothing / sizeof *nothing; i++)
        is_int(one(nothing[i], 0, 0x3f0, NULL), GPUDBG_RAN_LIMIT, "%s: %s goes on", gcn_chips[wave7_chip].isa.name,
            nothing[i]);
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        is_int(one(ends[i].name, 0, 0x3f0, NULL), ends[i].ran, "%s: %s", gcn_chips[wave7_chip].isa.name, ends[i].name);
    for (unsigned k = 0; k < 16; k++) {
        uint32_t round, flush;
        one("s_round_mode", (uint16_t)k, 0xa5a5, &round);
        one("s_denorm_mode", (uint16_t)k, 0xa5a5, &flush);
        is_int(round, 0xa5a0 | k, "s_round_mode: MODE[3:0]");
        is_int(flush, 0xa505 | k << 4, "s_denorm_mode: MODE[7:4]");
    }
    {
        PROGRAM(0xbe904904u, ENDPGM); /* s_movrelsd_2_b32 s16, s4 */
        for (unsigned i = 0; i < 40; i++) t.s[i] = 100 + i;
        t.s[GCN_M0] = 5u << 16 | 3;
        is_int(wave7_run(&t, 1), GPUDBG_RAN_LIMIT, "s_movrelsd_2_b32 runs");
        is_int(t.s[21], 107, "... from s[4 + M0[9:0]] to s[16 + M0[25:16]]");
        wave7_close(&t);
    }
    {
        PROGRAM(
            0xbb120001u, ENDPGM, 0xbe802012u, ENDPGM); /* s_call_b64 s[18:19], 0x8; s_endpgm; s_setpc_b64 s[18:19] */
        is_int(wave7_run(&t, 100), GPUDBG_RAN_END, "s_call_b64 calls, and what is called returns");
        is_int(gcn_pair(t.s, 18), CODE_BASE + 4, "... behind it");
        is_int(t.wave.executed, 3, "... three instructions");
        wave7_close(&t);
    }
}

/* Every scalar row that runs is executed above, but for those that Perl tests run. */
static void check_all_met(void)
{
    static const char *const elsewhere[] = {"s_subvector_loop_begin", "s_subvector_loop_end"}; /* gfx10_rest.t */
    unsigned missing = 0;
    for (unsigned id = 0; id < GCN_OPS; id++) {
        const struct gpudbg_op *op = &gcn_ops[id];
        if (!gpudbg_has_op(&gcn_chips[wave7_chip].isa, id) || met[id] || !gcn_is_checked(&gcn_chips[wave7_chip], op) ||
            strncmp(gcn_chips[wave7_chip].isa.rows[id].format->name, "SOP", 3))
            continue;
        bool named = false;
        for (unsigned i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            named = named || !strcmp(elsewhere[i], op->name);
        if (named) continue;
        missing++;
        fprintf(stderr, "# no model: %s\n", op->name);
    }
    is_int(missing, 0, "%s: every scalar row has a model", gcn_chips[wave7_chip].isa.name);
}

int main(void)
{
    static const enum gcn_chip_number chips[] = {
        GCN_CHIP_gfx10, GCN_CHIP_gfx10_64, GCN_CHIP_gfx10_3, GCN_CHIP_gfx10_3_64, GCN_CHIP_gfx7};
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
        wave7_chip = chips[i];
        memset(met, 0, sizeof met);
        check_chip();
        check_saveexec();
        check_branches();
        check_calls();
        if (wave7_chip == GCN_CHIP_gfx7) break;
        check_moves();
        check_rfe();
        check_newer();
        check_hardware_registers();
        check_stops();
        check_all_met();
    }
    check_forks();
    check_empty_join();
    check_rfe();
    check_moves();
    check_hardware_registers();
    check_vskip();
    check_vskip_afresh();
    check_stops();
    check_faults();
    check_breakpoints();
    check_breakpoints_skipping(false);
    check_breakpoints_skipping(true);
    check_middle();
    check_operands();
    return tap_done();
}
