/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug_agent.c: waves as rocm-debug-agent prints them when a queue fails, and as rocgdb lists threads:
 *
 *     Disassembly for function NAME:
 *      => 0x7ff734dcbf3c <+7484>:    s_waitcnt vmcnt(0) lgkmcnt(0)
 *     wave_249: pc=0x7ff734dcbf3c (kernel_code_entry=0x7ff736b8c040 <NAME>, kernargs=0x7f..) (stopped, reason: WHY)
 *
 *       8    AMDGPU Wave 1:2:1:3 (2,0,0)/1 "NAME"   0x00007ffff5c05154 in NAME () from ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

struct agent {
    char function[160];  /* whose code is listed */
    uint64_t pc, offset; /* of the instruction that an arrow points at */
    char insn[96];
    struct wave_groups waves;
};

/* " => 0x7ff734dcbf3c <+7484>:    s_waitcnt vmcnt(0)": the offset from the function's start is in decimal. */
static bool take_arrow(struct agent *a, const char *p)
{
    if (!scan_word(&p, "=> ") || !scan_0x(&p, 16, &a->pc)) return false;
    a->offset = UINT64_MAX;
    if (scan_word(&p, " <+")) scan_decimal(&p, &a->offset);
    if (!scan_find(&p, ":")) return true;
    scan_blanks(&p);
    snprintf(a->insn, sizeof a->insn, "%s", p);
    wave_group_insn(&a->waves, a->pc, a->insn);
    return true;
}

static bool take_wave(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[40], kernel[160] = "", reason[48] = "", place[224] = "";
    uint64_t number;
    struct wave_told wave = {.name = name};
    if (!scan_word(&p, "wave_") || !scan_decimal(&p, &number) || !scan_word(&p, ": pc=") || !scan_0x(&p, 16, &wave.pc))
        return false;
    snprintf(name, sizeof name, "wave_%llu", (unsigned long long)number);
    const char *at = p;
    if (scan_find(&at, "kernel_code_entry=")) {
        if (scan_find(&at, " <")) scan_until(&at, ">", kernel, sizeof kernel);
    }
    at = p;
    if (scan_find(&at, "reason: ")) scan_until(&at, ")", reason, sizeof reason);
    if (a->pc == wave.pc) {
        if (a->offset != UINT64_MAX && a->function[0])
            snprintf(place, sizeof place, "%s+0x%llx", a->function, (unsigned long long)a->offset);
        wave.insn = a->insn;
    }
    if (!place[0] && kernel[0]) snprintf(place, sizeof place, "0x%llx in %s", (unsigned long long)wave.pc, kernel);
    wave.place = place[0] ? place : NULL;
    wave.reason = reason;
    wave_group_add(&a->waves, d, line->number, &wave);
    return true;
}

static bool take_thread(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[64], place[224];
    struct wave_told wave = {.name = name, .place = place};
    if (!scan_find(&p, "AMDGPU Wave ")) return false;
    const size_t n = strcspn(p, " ");
    snprintf(name, sizeof name, "wave %.*s", n < 40 ? (int)n : 40, p);
    const char *at = strstr(p, " 0x");
    if (!at || !(at++, scan_0x(&at, 16, &wave.pc))) return true; /* it runs, or the line has no address */
    snprintf(place, sizeof place, "0x%llx", (unsigned long long)wave.pc);
    if (scan_word(&at, " in "))
        snprintf(place, sizeof place, "0x%llx in %.*s", (unsigned long long)wave.pc, (int)strcspn(at, " ("), at);
    wave_group_add(&a->waves, d, line->number, &wave);
    return true;
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct agent *a = state;
    const char *p = line->text + line->indent;
    if (scan_word(&p, "Disassembly for function ")) {
        snprintf(a->function, sizeof a->function, "%.*s", (int)strcspn(p, ":"), p);
        return true;
    }
    if (begins(p, "End of disassembly.")) return a->function[0] != 0;
    return take_arrow(a, p) || take_wave(a, d, line, p) || take_thread(a, d, line, p);
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "waves as rocm-debug-agent or rocgdb prints them";
    return (head_has(bytes, n, "wave_") && head_has(bytes, n, ": pc=0x")) || head_has(bytes, n, "AMDGPU Wave ") ? 60
                                                                                                                : 0;
}

static void *open_agent(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(NULL, sizeof(struct agent));
}

static void close_agent(void *state, struct gpudbg_dump *d)
{
    struct agent *a = state;
    wave_groups_end(&a->waves, d);
    free(a);
}

const struct gpudbg_reader reader_debug_agent = {
    .name = "debug-agent",
    .summary = "waves as rocm-debug-agent prints them, and rocgdb's list of threads",
    .probe = probe,
    .open = open_agent,
    .line = take,
    .close = close_agent,
};
