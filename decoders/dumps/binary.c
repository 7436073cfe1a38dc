/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * binary.c: raw little-endian dwords that say nothing about themselves (A8, I4): the register file of amdgpu's debugfs,
 * one wave's state, one wave's general registers, a copy of Intel's register space, records of EU threads, command
 * buffers.
 */
#include <stdio.h>
#include <string.h>
#include "dumps.h"

static void leftover(struct gpudbg_dump *d, size_t n)
{
    if (n % 4) gpudbg_dump_note(d, 0, "cut-off", "%zu bytes follow the last dword", n % 4);
}

/* Registers of a space: all that the database knows, and others that hold something. */
static void registers(struct gpudbg_dump *d, const char *family, const uint8_t *bytes, size_t n)
{
    struct regdb *databases = gpudbg_dump_databases(d);
    const uint64_t base = gpudbg_dump_base(d);
    for (size_t at = 0; at + 4 <= n; at += 4) {
        uint32_t value = le_u32(bytes + at);
        const struct gpudbg_reg *reg = family ? gpudbg_reg_at(databases, family, "mmio", base + at) : NULL;
        struct gpudbg_record r = {.name = reg ? reg->name : NULL, .addr = base + at, .value = value};
        if ((reg || (value && value != UINT32_MAX)) && !gpudbg_dump_register(d, &r)) return;
    }
}

/* ---- amdgpu_regs ---- */

/* CONFIG_MEMSIZE, in MB: a power of two. */
static bool plausible_size(uint32_t megabytes)
{
    return megabytes >= 128 && megabytes <= 16384 && (megabytes & (megabytes - 1)) == 0;
}

/* The tiling modes have reserved bits 31 to 27. */
static bool plausible_tiles(const uint8_t *bytes)
{
    for (size_t at = 0x9910; at <= 0x998c; at += 4)
        if (le_u32(bytes + at) >> 27) return false;
    return true;
}

static int probe_amdgpu_regs(const uint8_t *bytes, size_t n, const char **why)
{
    if (n < 0x9990 || n % 4 || n > 0x40000 || !plausible_size(le_u32(bytes + 0x5428)) || !plausible_tiles(bytes))
        return 0;
    size_t ones = 0;
    for (size_t at = 0; at < n; at += 4) ones += le_u32(bytes + at) == UINT32_MAX;
    *why = "dwords where the memory size and the tiling modes of a register file are plausible";
    return ones * 10 < n / 4 * 9 ? 20 : 0;
}

static bool read_amdgpu_regs(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    if (n < 4) return gpudbg_fail(err, "truncated", "the file has %zu bytes: a register takes 4", n);
    if (n > (size_t)1 << 22)
        return gpudbg_fail(err, "too-large", "the file has %zu bytes: a copy of all registers has 4 MB at most", n);
    leftover(d, n);
    gpudbg_dump_capture(d, 0, "register file");
    gpudbg_dump_family(d, 0, "gfx7", NULL);
    if (gpudbg_dump_base(d) == 0 && n > 0x998c && (!plausible_size(le_u32(bytes + 0x5428)) || !plausible_tiles(bytes)))
        gpudbg_dump_note(d, 0, "impossible", "memory size 0x%x or tiling modes are not those of a register file",
            le_u32(bytes + 0x5428));
    registers(d, "gfx7", bytes, n);
    return true;
}

const struct gpudbg_reader reader_amdgpu_regs = {
    .name = "amdgpu-regs",
    .summary = "binary copy of amdgpu_regs (or the register BAR), from --base on",
    .probe = probe_amdgpu_regs,
    .bytes = read_amdgpu_regs,
};

/* ---- amdgpu_wave, amdgpu_gpr ---- */

static bool read_amdgpu_wave(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    static const char *const names[] = {"STATUS", "PC_LO", "PC_HI", "EXEC_LO", "EXEC_HI", "HW_ID", "INST_DW0",
        "INST_DW1", "GPR_ALLOC", "LDS_ALLOC", "TRAPSTS", "IB_STS", "TBA_LO", "TBA_HI", "TMA_LO", "TMA_HI", "IB_DBG0",
        "M0", "MODE"};
    enum { NAMES = sizeof names / sizeof *names, HW_ID = 6 };
    if (n < 4 * (HW_ID + 1))
        return gpudbg_fail(err, "truncated", "the file has %zu bytes: a wave has its type and %d dwords", n, NAMES);
    leftover(d, n);
    if (le_u32(bytes) != 0)
        return gpudbg_fail(err, "unsupported", "the wave has type %u: waves of gfx7 have type 0", le_u32(bytes));
    gpudbg_dump_capture(d, 0, "a wave");
    gpudbg_dump_family(d, 0, "gfx7", NULL);
    const uint32_t id = le_u32(bytes + 4 * HW_ID);
    struct gpudbg_dump_wave *w = gpudbg_dump_add_wave(
        d, 0, id >> 13 & 3, id >> 12 & 1, id >> 8 & 15, id >> 4 & 3, id & 15);
    char unit[96];
    snprintf(unit, sizeof unit, "%s", w->unit);
    for (size_t i = 0; i < NAMES && 4 * (i + 2) <= n; i++) {
        char name[48];
        snprintf(name, sizeof name, "SQ_WAVE_%s", names[i]);
        struct gpudbg_record r = {.name = name,
            .unit = unit,
            .addr = GPUDBG_NO_ADDR,
            .value = le_u32(bytes + 4 * (i + 1)),
            .flags = GPUDBG_REC_INDIRECT};
        gpudbg_dump_register(d, &r);
    }
    if (n < 4 * (NAMES + 1))
        gpudbg_dump_note(d, 0, "cut-off", "the wave has only %zu of %d registers", n / 4 - 1, NAMES);
    return true;
}

const struct gpudbg_reader reader_amdgpu_wave = {
    .name = "amdgpu-wave",
    .summary = "binary amdgpu_wave: one wave's registers",
    .bytes = read_amdgpu_wave,
};

static bool read_amdgpu_gpr(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    uint32_t values[512];
    if (n < 4 || n > sizeof values)
        return gpudbg_fail(err, n < 4 ? "truncated" : "too-large",
            "the file has %zu bytes: a wave has 1 to 512 registers of 4 bytes", n);
    leftover(d, n);
    for (size_t i = 0; i < n / 4; i++) values[i] = le_u32(bytes + 4 * i);
    gpudbg_dump_capture(d, 0, "registers of a wave");
    gpudbg_dump_family(d, 0, "gfx7", NULL);
    gpudbg_dump_gprs(d, gpudbg_dump_add_wave(d, 0, 0, 0, 0, 0, 0), 's', 0, (unsigned)(n / 4), 1, values);
    return true;
}

const struct gpudbg_reader reader_amdgpu_gpr = {
    .name = "amdgpu-gpr",
    .summary = "binary amdgpu_gpr: the scalar registers of one wave",
    .bytes = read_amdgpu_gpr,
};

/* ---- Intel ---- */

static bool read_i915_mmio(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    const char *family = gpudbg_dump_family_asked(d);
    if (!is_intel(family))
        return gpudbg_fail(
            err, "not-recognised", "the file copies Intel's registers: name their generation with --isa");
    leftover(d, n);
    gpudbg_dump_capture(d, 0, "register file");
    gpudbg_dump_family(d, 0, family, NULL);
    registers(d, family, bytes, n);
    return true;
}

const struct gpudbg_reader reader_i915_mmio = {
    .name = "i915-mmio",
    .summary = "binary copy of Intel's register space, with --isa",
    .bytes = read_i915_mmio,
};

/* Our own container: 128 GRFs of 32 bytes, then architecture registers, 32 bytes each; records one after another. */
enum { EU_GRFS = 128, EU_ARFS = 10, EU_RECORD = 32 * (EU_GRFS + EU_ARFS) };

/* Registers as they are addressed: NAME.N, dwords or (halves) words. */
static bool thread_registers(struct gpudbg_dump *d, const char *unit, const uint8_t *at, bool gen12)
{
    static const struct {
        const char *name;
        uint8_t dwords, dwords12; /* on Gen12, where it is another size */
        bool halves;
    } arf[EU_ARFS] = {{"sr0", 4, 4, false}, {"cr0", 4, 4, false}, {"n0", 3, 3, false}, {"ip", 1, 1, false},
        {"tdr0", 4, 4, true}, {"f0", 1, 1, true}, {"f1", 1, 1, true}, {"a0", 4, 8, true}, {"acc0", 8, 8, false},
        {"acc1", 8, 8, false}};
    for (size_t r = 0; r < EU_ARFS; r++, at += 32) {
        const unsigned dwords = gen12 ? arf[r].dwords12 : arf[r].dwords;
        for (unsigned k = 0; k < (arf[r].halves ? 2 * dwords : dwords); k++) {
            char name[32];
            snprintf(name, sizeof name, strcmp(arf[r].name, "ip") == 0 ? "%s" : "%s.%u", arf[r].name, k);
            const uint32_t mask = !arf[r].halves ? UINT32_MAX : k % 2 ? 0xffff0000 : 0xffff;
            struct gpudbg_record record = {.name = name,
                .unit = unit,
                .addr = GPUDBG_NO_ADDR,
                .value = le_u32(at + 4 * (arf[r].halves ? k / 2 : k)) & mask,
                .mask = mask,
                .flags = GPUDBG_REC_INDIRECT};
            if (!gpudbg_dump_register(d, &record)) return false;
        }
    }
    return true;
}

static bool read_eu_state(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    const char *family = gpudbg_dump_family_asked(d);
    if (n < EU_RECORD)
        return gpudbg_fail(err, "truncated", "the file has %zu bytes: a thread's record has %d", n, (int)EU_RECORD);
    gpudbg_dump_capture(d, 0, "state of EU threads");
    if (is_intel(family))
        gpudbg_dump_family(d, 0, family, NULL);
    else
        gpudbg_dump_assume(d, "gen7", "records of EU threads do not say their generation; --isa does");
    const bool gen12 = family && strcmp(family, "gen12") == 0;
    for (size_t t = 0; (t + 1) * EU_RECORD <= n; t++, bytes += EU_RECORD) {
        uint32_t grf[8 * EU_GRFS];
        char unit[32];
        for (size_t i = 0; i < 8 * EU_GRFS; i++) grf[i] = le_u32(bytes + 4 * i);
        struct gpudbg_dump_wave *w = gpudbg_dump_add_thread(d, 0, (unsigned)t);
        snprintf(unit, sizeof unit, "%s", w->unit);
        if (w->wave != (uint16_t)t || !gpudbg_dump_gprs(d, w, 'r', 0, EU_GRFS, 8, grf) ||
            !thread_registers(d, unit, bytes + 32 * EU_GRFS, gen12))
            return true; /* no more room, which is noted */
    }
    if (n % EU_RECORD)
        gpudbg_dump_note(
            d, 0, "cut-off", "%zu bytes follow the last thread's record of %d", n % EU_RECORD, (int)EU_RECORD);
    return true;
}

const struct gpudbg_reader reader_eu_state = {
    .name = "eu-state",
    .summary = "binary records of EU threads: 128 GRFs, sr0, cr0, n0, ip, tdr0, f0, f1, a0, acc0, acc1",
    .bytes = read_eu_state,
};

/* ---- Memory ---- */

static bool read_memory(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    if (!n) return gpudbg_fail(err, "truncated", "the file is empty");
    gpudbg_dump_capture(d, 0, "memory");
    struct gpudbg_stream s = {.kind = "memory",
        .addr = gpudbg_dump_base(d),
        .read = GPUDBG_NO_ADDR,
        .write = GPUDBG_NO_ADDR,
        .vmid = UINT32_MAX};
    gpudbg_dump_stream_add(d, gpudbg_dump_stream(d, &s), bytes, n, 0);
    return true;
}

const struct gpudbg_reader reader_memory = {
    .name = "memory",
    .summary = "bytes of the GPU's memory from --base on, which may hold page tables",
    .bytes = read_memory,
};

/* ---- Command buffers ---- */

static bool read_commands(struct gpudbg_dump *d, const char *kind, const char *family, const uint8_t *bytes, size_t n,
    struct gpudbg_error *err)
{
    if (n < 4) return gpudbg_fail(err, "truncated", "the file has %zu bytes: a command takes 4 at least", n);
    leftover(d, n);
    gpudbg_dump_capture(d, 0, "command buffer");
    gpudbg_dump_family(d, 0, family, NULL);
    struct gpudbg_stream s = {
        .kind = kind, .addr = gpudbg_dump_base(d), .read = GPUDBG_NO_ADDR, .write = GPUDBG_NO_ADDR, .vmid = UINT32_MAX};
    gpudbg_dump_stream_add(d, gpudbg_dump_stream(d, &s), bytes, n, 0);
    return true;
}

static bool read_pm4(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    return read_commands(d, "ib", "gfx7", bytes, n, err);
}

const struct gpudbg_reader reader_pm4_buffer = {
    .name = "pm4-buffer",
    .summary = "binary PM4 packets: an indirect buffer or a ring, at --base",
    .bytes = read_pm4,
};

static bool read_batch(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    const char *family = gpudbg_dump_family_asked(d);
    if (!is_intel(family))
        return gpudbg_fail(err, "not-recognised", "the file is a batch: name its generation with --isa");
    return read_commands(d, "batch", family, bytes, n, err);
}

const struct gpudbg_reader reader_batch_buffer = {
    .name = "batch-buffer",
    .summary = "binary commands of an Intel batch or ring, at --base, with --isa",
    .bytes = read_batch,
};
