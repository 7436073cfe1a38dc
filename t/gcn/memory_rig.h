/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_rig.h: a machine with one instruction, and the model's copy of its registers and memory. */
#ifndef MEMORY_RIG_H
#define MEMORY_RIG_H

#include "launched.h"

#include <math.h>
#include <stdlib.h>

enum { LDS = 2048, BUF = 16384 };

/* Numbers that comparisons and floats care about, among plain ones. */
static uint32_t interesting(void)
{
    static const uint32_t some[] = {0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7fc00000,
        0x7f800000, 0xff800000, 3, 0x80000001};
    return random32() % 3 ? some[random32() % (sizeof some / sizeof *some)] : random32();
}

/* ---- A machine with one instruction ---- */

struct rig {
    struct launched at;
    /* The model's copy of everything. */
    uint32_t v[256][64], s[128];
    uint8_t mem[BUF], lds[LDS];
    uint64_t exec;
};

static struct rig *r;
static enum gcn_chip_number rig_chip = GCN_CHIP_gfx7;
static bool met[GCN_OPS]; /* rows of the opcode table that some test has executed */

static bool rig_open(const uint32_t *code, size_t n)
{
    uint32_t words[8] = {0};
    memcpy(words, code, 4 * n);
    words[n] = 0xbf810000; /* s_endpgm */
    struct gpudbg_insn insn;
    if (gcn_decode(&gcn_chips[rig_chip].isa, (const uint8_t *)words, sizeof words, 0, &insn) > 0)
        met[insn.op->id] = true;
    if (!launched_open(&r->at, rig_chip, words, n + 1, "-g 64 -l 64 lds=2048 buf0=zero:16384")) return false;
    for (unsigned i = 0; i < 24; i++)
        for (unsigned l = 0; l < 64; l++) r->v[i][l] = interesting();
    for (unsigned i = 0; i < 104; i++) r->s[i] = random32();
    for (unsigned i = 0; i < BUF; i += 4) {
        uint32_t x = interesting();
        memcpy(r->mem + i, &x, 4);
        memcpy(r->lds + i % LDS, &x, 4);
    }
    r->s[124] = 0xffffffff; /* M0 */
    r->exec = random32() % 2 ? UINT64_MAX : (uint64_t)random32() << 32 | random32();
    return true;
}

/* ---- Somebody who watches ---- */

static enum { NOBODY, ONE_BY_ONE, TOGETHER, WATCHERS } watched;
static const char *const watcher[WATCHERS] = {"", ", watched", ", watched together"};

/* The memory that follows from what he was told, and how often that was not what it should be. */
static struct {
    uint8_t mem[BUF], lds[LDS];
    unsigned wrong;
} told;

static void hear(void *data, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    uint8_t *at = (a->segment == r->at.buf ? told.mem : told.lds) + (a->addr - a->segment->base);
    (void)data;
    if (a->segment != r->at.buf && a->segment != w->lds) return;
    told.wrong += memcmp(a->segment->bytes + (a->addr - a->segment->base), at, a->size) != 0;
    if (a->write)
        memcpy(at, a->bytes, a->size);
    else
        told.wrong += memcmp(a->bytes, at, a->size) != 0;
}

static void hear_all(void *data, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    for (unsigned l = 0; l < 64; l++) {
        if (!(all->lanes >> l & 1)) continue;
        const struct gpudbg_access a = gpudbg_access_of(all, l);
        told.wrong += a.lane != (int)l || a.size != all->size || a.write != all->write;
        hear(data, w, &a);
    }
}

/* Puts the model's state into the machine and executes the instruction. */
static struct gpudbg_stop rig_run(void)
{
    const struct machine_observer observer = {.access = hear, .accesses = watched == TOGETHER ? hear_all : NULL};
    struct machine_want want = {.until = MACHINE_STEPS, .count = 1, .observed = watched};
    for (unsigned i = 0; i < 24; i++) memcpy(gcn_v(r->at.w, i), r->v[i], 256);
    memcpy(gcn_s(r->at.w), r->s, 4 * 104);
    gcn_s(r->at.w)[GCN_M0] = r->s[124];
    gcn_set_pair(gcn_s(r->at.w), GCN_EXEC, r->exec);
    memcpy(r->at.buf->bytes, r->mem, BUF);
    memcpy(r->at.w->lds->bytes, r->lds, LDS);
    memcpy(told.mem, r->mem, BUF);
    memcpy(told.lds, r->lds, LDS);
    told.wrong = 0;
    if (watched) machine_observe(r->at.m, &observer);
    const struct gpudbg_stop stop = machine_run(r->at.m, &want);
    if (watched) machine_observe(r->at.m, NULL);
    return stop;
}

static void rig_close(void) { launched_close(&r->at); }

/* Compares all of the state with the model. */
static void rig_check(const char *name)
{
    for (unsigned i = 0; i < 24; i++)
        for (unsigned l = 0; l < 64; l++)
            if (gcn_v(r->at.w, i)[l] != r->v[i][l]) {
                ok(false, "%s: v%u of lane %u is 0x%x, not 0x%x", name, i, l, gcn_v(r->at.w, i)[l], r->v[i][l]);
                return;
            }
    for (unsigned i = 0; i < 104; i++)
        if (gcn_s(r->at.w)[i] != r->s[i]) {
            ok(false, "%s: s%u is 0x%x, not 0x%x", name, i, gcn_s(r->at.w)[i], r->s[i]);
            return;
        }
    for (unsigned i = 0; i < BUF; i++)
        if (r->at.buf->bytes[i] != r->mem[i]) {
            ok(false, "%s: byte %u of the buffer is 0x%02x, not 0x%02x", name, i, r->at.buf->bytes[i], r->mem[i]);
            return;
        }
    for (unsigned i = 0; i < LDS; i++)
        if (r->at.w->lds->bytes[i] != r->lds[i]) {
            ok(false, "%s: byte %u of LDS is 0x%02x, not 0x%02x", name, i, r->at.w->lds->bytes[i], r->lds[i]);
            return;
        }
    const bool right = !watched || !(told.wrong || memcmp(told.mem, r->mem, BUF) || memcmp(told.lds, r->lds, LDS));
    ok(right, "%s%s", name, watcher[watched]);
}

static bool active(unsigned lane) { return r->exec >> lane & 1; }

/* ---- The manual's operations ---- */

typedef uint64_t model_fn(uint64_t mem, uint64_t d0, uint64_t d1, unsigned bits);

static int64_t s_of(uint64_t v, unsigned bits) { return bits == 32 ? (int32_t)v : (int64_t)v; }

static double f_of(uint64_t v, unsigned bits)
{
    float f;
    double d;
    uint32_t low = (uint32_t)v;
    memcpy(&f, &low, 4);
    memcpy(&d, &v, 8);
    return bits == 32 ? f : d;
}

#define MODEL(name, expr)                                                     \
    static uint64_t name(uint64_t m, uint64_t d0, uint64_t d1, unsigned bits) \
    {                                                                         \
        (void)m, (void)d0, (void)d1, (void)bits;                              \
        return expr;                                                          \
    }
MODEL(m_swap, d0)
MODEL(m_add, m + d0)
MODEL(m_sub, m - d0)
MODEL(m_rsub, d0 - m)
MODEL(m_inc, m >= d0 ? 0 : m + 1)
MODEL(m_dec, m == 0 || m > d0 ? d0 : m - 1)
MODEL(m_smin, s_of(m, bits) < s_of(d0, bits) ? m : d0)
MODEL(m_smax, s_of(m, bits) > s_of(d0, bits) ? m : d0)
MODEL(m_umin, m < d0 ? m : d0)
MODEL(m_umax, m > d0 ? m : d0)
MODEL(m_and, m &d0)
MODEL(m_or, m | d0)
MODEL(m_xor, m ^ d0)
MODEL(m_mskor, (m & ~d0) | d1)
MODEL(m_cmpst, m == d0 ? d1 : m)
MODEL(m_fcmpst, f_of(m, bits) == f_of(d0, bits) ? d1 : m)
MODEL(m_fmin, f_of(d0, bits) < f_of(m, bits) ? d0 : m)
MODEL(m_fmax, f_of(d0, bits) > f_of(m, bits) ? d0 : m)
MODEL(m_wrap, m >= d0 ? m - d0 : m + d1)

static const struct row {
    const char *name;
    model_fn *fn;
    int ds, ds_rtn, ds64, ds64_rtn, src2, src2_64; /* opcodes, -1: none */
    int vmem;                                      /* FLAT and MUBUF; +32 for 64 bits */
} rows[] = {
    {"add", m_add, 0, 32, 64, 96, 128, 192, 50},
    {"sub", m_sub, 1, 33, 65, 97, 129, 193, 51},
    {"rsub", m_rsub, 2, 34, 66, 98, 130, 194, -1},
    {"inc", m_inc, 3, 35, 67, 99, 131, 195, 60},
    {"dec", m_dec, 4, 36, 68, 100, 132, 196, 61},
    {"smin", m_smin, 5, 37, 69, 101, 133, 197, 53},
    {"smax", m_smax, 6, 38, 70, 102, 134, 198, 55},
    {"umin", m_umin, 7, 39, 71, 103, 135, 199, 54},
    {"umax", m_umax, 8, 40, 72, 104, 136, 200, 56},
    {"and", m_and, 9, 41, 73, 105, 137, 201, 57},
    {"or", m_or, 10, 42, 74, 106, 138, 202, 58},
    {"xor", m_xor, 11, 43, 75, 107, 139, 203, 59},
    {"mskor", m_mskor, 12, 44, 76, 108, -1, -1, -1},
    {"swap", m_swap, -1, 45, -1, 109, 141, 205, 48},
    {"cmpswap", m_cmpst, 16, 48, 80, 112, -1, -1, 49},
    {"fcmpswap", m_fcmpst, 17, 49, 81, 113, -1, -1, 62},
    {"fmin", m_fmin, 18, 50, 82, 114, 146, 210, 63},
    {"fmax", m_fmax, 19, 51, 83, 115, 147, 211, 64},
    {"wrap", m_wrap, -1, 52, -1, -1, -1, -1, -1},
};
enum { ROWS = sizeof rows / sizeof *rows };

static uint64_t mem_get(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static void mem_put(uint8_t *p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t reg_get(unsigned reg, unsigned lane, unsigned bytes)
{
    return bytes == 8 ? r->v[reg][lane] | (uint64_t)r->v[reg + 1][lane] << 32 : r->v[reg][lane];
}

static void reg_put(unsigned reg, unsigned lane, uint64_t v, unsigned bytes)
{
    r->v[reg][lane] = (uint32_t)v;
    if (bytes == 8) r->v[reg + 1][lane] = (uint32_t)(v >> 32);
}

/* ---- Accesses ---- */

static const struct access {
    const char *name;
    int ds_read, ds_write, vmem_load, vmem_store; /* opcodes, -1: none */
    unsigned bytes;
    bool sign;
} accesses[] = {
    {"byte", 58, 30, 8, 24, 1, false},
    {"signed byte", 57, -1, 9, -1, 1, true},
    {"short", 60, 31, 10, 26, 2, false},
    {"signed short", 59, -1, 11, -1, 2, true},
    {"dword", 54, 13, 12, 28, 4, false},
    {"2 dwords", 118, 77, 13, 29, 8, false},
    {"3 dwords", 254, 222, 15, 31, 12, false},
    {"4 dwords", 255, 223, 14, 30, 16, false},
};
enum { ACCESSES = sizeof accesses / sizeof *accesses };

static uint32_t extended(uint32_t v, unsigned bytes, bool sign)
{
    return !sign ? v : bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
}

static void load_model(unsigned reg, unsigned lane, const uint8_t *p, const struct access *a)
{
    for (unsigned i = 0; 4 * i < a->bytes; i++)
        r->v[reg + i][lane] = !p             ? 0
                              : a->bytes < 4 ? extended((uint32_t)mem_get(p, a->bytes), a->bytes, a->sign)
                                             : (uint32_t)mem_get(p + 4 * i, 4);
}

static void store_model(unsigned reg, unsigned lane, uint8_t *p, const struct access *a)
{
    for (unsigned i = 0; i < a->bytes; i++) p[i] = (uint8_t)(r->v[reg + i / 4][lane] >> 8 * (i % 4));
}

#endif
