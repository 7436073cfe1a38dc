/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lds_bounds.c: the least address that code can give an access to LDS, against runs of random code: no lane that runs
 * ever has a lower one.
 */
#include "decoders/gcn/flow/lds_bounds.h"
#include "tap.h"
#include "wave.h"

enum { LENGTH = 12, WORDS = 2 * LENGTH + 8, REGISTERS = 6 };
#define VOP2(op, dst, src0, src1) ((uint32_t)(op) << 25 | (uint32_t)(dst) << 17 | (uint32_t)(src1) << 9 | (src0))
#define VOP3(op, dst) (0xd0000000u | (uint32_t)(op) << 17 | (uint32_t)(dst))
#define S_ENDPGM 0xbf810000u

static uint64_t state = 1;

static uint32_t chance(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((state >> 33) % n);
}

static uint32_t source(void)
{
    if (chance(3) == 0) return 128 + chance(65); /* 0 to 64 */
    if (chance(8) == 0) return chance(REGISTERS);
    return 256 + chance(REGISTERS);
}

/* A random instruction; its number of words. */
static unsigned some_insn(uint32_t *w)
{
    static const uint8_t vop2[] = {11, 21, 22, 25, 26, 27, 28, 37, 37, 38};
    static const uint16_t vop3[] = {361, 363, 323, 328};
    const uint32_t dst = chance(REGISTERS);
    if (chance(14) == 0) { /* s_mov_b64 exec, one of some masks */
        static const uint32_t masks[] = {193, 193, 129, 143, 192};
        w[0] = 0xbe800400u | 126u << 16 | masks[chance(5)];
        return 1;
    }
    if (chance(5) == 0) {
        w[0] = VOP3(vop3[chance(4)], dst);
        w[1] = source() | source() << 9 | source() << 18;
        for (unsigned at = 0, scalars = 0; at < 27; at += 9) /* one scalar is what a VOP3 word can read */
            if ((w[1] >> at & 511) < 128 && scalars++) w[1] |= 256u << at;
        return 2;
    }
    if (chance(6) == 0)
        w[0] = 0x7e000200u | dst << 17 | source(); /* v_mov_b32 */
    else
        w[0] = VOP2(vop2[chance(sizeof vop2)], dst, source(), chance(REGISTERS));
    return 1;
}

struct heard {
    uint32_t least;
    unsigned n;
};

static void hear(void *to, const struct gpudbg_insn *insn, uint32_t least)
{
    struct heard *h = to;
    (void)insn;
    h->least = least;
    h->n++;
}

/* The address that the code at CODE_BASE gives its one access, at least. */
static struct heard bound(const struct wave7 *t)
{
    struct heard h = {0, 0};
    const struct gpudbg_kernel kernel = {.entry = CODE_BASE, .size = t->section.size};
    if (!gcn_local_accesses(&t->image, &kernel, hear, &h)) h.n = 0;
    return h;
}

static bool runs_above(struct wave7 *t, uint32_t offset, unsigned reg, uint64_t insns, uint32_t least)
{
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned lane = 0; lane < 64; lane++)
            wave7_row(t, r)[lane] = r < 3 ? chance(1024) : chance(4) ? chance(65536) : chance(UINT32_MAX);
    for (unsigned r = 0; r < REGISTERS; r++) t->s[r] = chance(2) ? chance(4096) : chance(UINT32_MAX);
    wave7_run(t, insns);
    const uint64_t exec = (uint64_t)t->s[GCN_CODE_EXEC + 1] << 32 | t->s[GCN_CODE_EXEC];
    for (unsigned lane = 0; lane < 64; lane++)
        if (exec >> lane & 1 && (uint64_t)wave7_row(t, reg)[lane] + offset < least) return false;
    return true;
}

static void random_code(void)
{
    unsigned wrong = 0, said = 0, n_programs = 6000 / tap_sample();
    for (unsigned i = 0; i < n_programs; i++) {
        uint32_t code[WORDS];
        const uint32_t reg = chance(REGISTERS), offset = chance(2) ? 0 : chance(2048);
        unsigned n = 0;
        for (unsigned k = 0; k < LENGTH; k++) n += some_insn(&code[n]);
        code[n++] = 0xd8340000u | offset; /* ds_write_b32 */
        code[n++] = reg;
        code[n++] = S_ENDPGM;
        struct wave7 t;
        wave7_open(&t, code, n, REGISTERS);
        const struct heard h = bound(&t);
        if (h.n != 1) wrong++;
        said += h.least > offset;
        for (unsigned times = 0; times < 4; times++) wrong += !runs_above(&t, offset, reg, LENGTH, h.least);
        wave7_close(&t);
    }
    is_int(wrong, 0, "no lane of random code goes below the address that was said");
    ok(said > n_programs / 40, "more than the constant was said for %u of %u", said, n_programs);
}

static uint32_t bound_of(const uint32_t *code, size_t n)
{
    struct wave7 t;
    wave7_open(&t, code, n, 8);
    const struct heard h = bound(&t);
    wave7_close(&t);
    return h.n ? h.least : UINT32_MAX;
}

static void by_hand(void)
{
    static const uint32_t grows[] = {0x7e0602ffu, 0x400, /* v_mov_b32 v3, 0x400 */
        0x4a0606c0u,                                     /* L: v_add_i32 v3, vcc, 64, v3 */
        0xd8340000u, 0x003,                              /* ds_write_b32 v3, v0 */
        0xbf84fffcu,                                     /* s_cbranch_scc0 L */
        S_ENDPGM};
    is_int(bound_of(grows, sizeof grows / 4), 0, "a loop that adds may wrap");
    static const uint32_t shrinks[] = {0x7e0602ffu, 0x400, /* v_mov_b32 v3, 0x400 */
        0xd8340000u, 0x003,                                /* L: ds_write_b32 v3, v0 */
        0x4c0606c0u,                                       /* v_sub_i32 v3, vcc, 64, v3 */
        0xbf84fffcu,                                       /* s_cbranch_scc0 L */
        S_ENDPGM};
    is_int(bound_of(shrinks, sizeof shrinks / 4), 0, "what a later turn may write counts");
    static const uint32_t either[] = {0x7e0602ffu, 0x400, /* v_mov_b32 v3, 0x400 */
        0xbf840002u,                                      /* s_cbranch_scc0 L */
        0x7e0602ffu, 0x300,                               /* v_mov_b32 v3, 0x300 */
        0xd8340010u, 0x003,                               /* L: ds_write_b32 v3, v0 offset:16 */
        S_ENDPGM};
    is_int(bound_of(either, sizeof either / 4), 0x310, "the lower one of two ways");
    static const uint32_t masked[] = {0x7e0602ffu, 0x400, /* v_mov_b32 v3, 0x400 */
        0xbefe0481u,                                      /* s_mov_b64 exec, 1 */
        0x7e0602ffu, 0x800,                               /* v_mov_b32 v3, 0x800 */
        0xbefe04c1u,                                      /* s_mov_b64 exec, -1 */
        0xd8340000u, 0x003,                               /* ds_write_b32 v3, v0 */
        S_ENDPGM};
    is_int(bound_of(masked, sizeof masked / 4), 0x400, "lanes that were off keep the older value");
}

int main(void)
{
    random_code();
    by_hand();
    return tap_done();
}
