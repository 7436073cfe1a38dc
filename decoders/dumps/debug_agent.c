/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug_agent.c: waves as rocm-debug-agent prints them when a queue fails, and as rocgdb lists threads:
 *
 *     Disassembly for function NAME:
 *      => 0x7ff734dcbf3c <+7484>:    s_waitcnt vmcnt(0) lgkmcnt(0)
 *     wave_249: pc=0x7ff734dcbf3c (kernel_code_entry=0x7ff736b8c040 <NAME>, kernargs=0x7f..) (stopped, reason: WHY)
 *
 *       8    AMDGPU Wave 1:2:1:3 (2,0,0)/1 "NAME"   0x00007ffff5c05154 in NAME () from ...
 *
 * The agent of ROCm 1.9 to 3.x counts waves by their place, and prints the first of each (its version 1.0):
 *
 *     Memory access fault by GPU agent: AMD gfx900        later: "at GPU Node: 2"
 *     Node: 1
 *     Address: 0x18DB4xxx (page not present;)             or "Queue ID: 7 (Debug trap;)"
 *     64 wavefront(s) found in XNACK error state @PC: 0x0000001100E01310
 *     printing the first one:
 *        EXEC: 0xFFFFFFFFFFFFFFFF
 *          s0: 0x00C00000    s1: 0x80000010 ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "gpudbg/text.h"
#include "dumps.h"

/* Since its version 2, whose debugger's library knows no older chips. */
#define AGENT_CHIPS "gfx9, gfx10, gfx10.3, gfx11 or gfx12"

struct agent {
    char function[160];  /* whose code is listed */
    uint64_t pc, offset; /* of the instruction that an arrow points at */
    char insn[96];
    uint32_t arrow; /* its line, while no wave is told that stands there; 0: one is */
    struct wave_groups waves;
    char unit[40]; /* of the wave whose registers follow; "": none */
    size_t index;
    uint64_t at;      /* of that wave: its pc */
    unsigned counted; /* waves of version 1.0 that are printed */
    bool numbered;    /* ... of later versions */
    size_t lds;       /* the latest wave's local memory, or NO_STREAM */
    uint64_t lds_next;
};

/* Code is listed for a wave that stands there. Where an excerpt has the code alone, that is told. */
static void tell_arrow(struct agent *a, struct gpudbg_dump *d)
{
    char place[224] = "";
    const struct wave_told wave = {
        .pc = a->pc, .place = place, .insn = a->insn, .reason = "the debug agent lists its code"};
    if (!a->arrow) return;
    if (a->offset != UINT64_MAX && a->function[0])
        snprintf(place, sizeof place, "%s+0x%llx", a->function, (unsigned long long)a->offset);
    wave_group_add(&a->waves, d, a->arrow, &wave);
    a->arrow = 0;
}

/* " => 0x7ff734dcbf3c <+7484>:    s_waitcnt vmcnt(0)": the offset from the function's start is in decimal. */
static bool take_arrow(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t pc;
    if (!scan_word(&p, "=> ") || !scan_0x(&p, 16, &pc)) return false;
    tell_arrow(a, d);
    a->pc = pc;
    a->insn[0] = 0;
    a->arrow = a->function[0] && !wave_group_at(&a->waves, pc) ? line->number : 0;
    a->offset = UINT64_MAX;
    if (scan_word(&p, " <+")) scan_decimal(&p, &a->offset);
    if (!scan_find(&p, ":")) return true;
    scan_blanks(&p);
    snprintf(a->insn, sizeof a->insn, "%s", p);
    wave_group_insn(&a->waves, a->pc, a->insn);
    if (a->offset != UINT64_MAX && a->function[0]) { /* of waves told before it */
        char place[224];
        snprintf(place, sizeof place, "%s+0x%llx", a->function, (unsigned long long)a->offset);
        wave_group_place(&a->waves, a->pc, place);
    }
    return true;
}

/* Of TRAPSTS, alike from gfx7 to gfx11: a violation of memory, and exceptions of arithmetic. */
enum { TRAPSTS_MEMORY = 0x100, TRAPSTS_ARITHMETIC = 0x7f };
/* Of gfx12's EXCP_FLAG_PRIV and EXCP_FLAG_USER. */
enum { FLAG_MEMORY = 0x10, FLAG_ARITHMETIC = 0x7f };

/* What the agent calls registers that others have names of the hardware for; high: it has two halves. */
static void named_register(
    struct agent *a, struct gpudbg_dump *d, uint32_t line, const char *name, uint64_t value, bool wide)
{
    static const char *const names[][3] = {{"m0", "SQ_WAVE_M0", NULL}, {"status", "SQ_WAVE_STATUS", NULL},
        {"trapsts", "SQ_WAVE_TRAPSTS", NULL}, {"mode", "SQ_WAVE_MODE", NULL}, {"hw_id", "SQ_WAVE_HW_ID", NULL},
        {"exec", "SQ_WAVE_EXEC_LO", "SQ_WAVE_EXEC_HI"}, {"pc", "SQ_WAVE_PC_LO", "SQ_WAVE_PC_HI"},
        {"vcc", "VCC_LO", "VCC_HI"}, {"flat_scratch", "SQ_WAVE_FLAT_SCRATCH_LO", "SQ_WAVE_FLAT_SCRATCH_HI"},
        {"scratch_base", "SQ_WAVE_SCRATCH_BASE_LO", "SQ_WAVE_SCRATCH_BASE_HI"},
        {"state_priv", "SQ_WAVE_STATE_PRIV", NULL}, {"excp_flag_priv", "SQ_WAVE_EXCP_FLAG_PRIV", NULL},
        {"excp_flag_user", "SQ_WAVE_EXCP_FLAG_USER", NULL}, {"trap_ctrl", "SQ_WAVE_TRAP_CTRL", NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(names[i][0], name) != 0) continue;
        wave_register(d, a->unit, line, names[i][1], value & UINT32_MAX);
        if (wide && names[i][2]) wave_register(d, a->unit, line, names[i][2], value >> 32);
    }
    const bool flags = strcmp(name, "excp_flag_priv") == 0, user = strcmp(name, "excp_flag_user") == 0;
    if (flags) gpudbg_dump_family(d, line, "gfx12", NULL);
    const uint64_t trapsts = strcasecmp(name, "trapsts") == 0 ? value : 0;
    if (trapsts & TRAPSTS_MEMORY || (flags && value & FLAG_MEMORY))
        wave_group_state(&a->waves, a->at, "met an access to memory that is not allowed");
    if (trapsts & TRAPSTS_ARITHMETIC || (user && value & FLAG_ARITHMETIC))
        wave_group_state(&a->waves, a->at, "raised an exception of arithmetic");
}

/* "     s4: 00000000    s5: 00007f3c", "  v0: [0] 00000000 [1] 00000001 ...": registers of the latest wave. */
static bool take_registers(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[24], *end;
    uint64_t value, lane;
    uint32_t lanes[64];
    bool any = false;
    struct gpudbg_dump_wave *wave = a->unit[0] ? gpudbg_dump_wave_at(d, a->index) : NULL;
    if (!wave) return false;
    if (strstr(p, " registers:")) return true;
    while (scan_blanks(&p), scan_name(&p, name, sizeof name)) {
        if (!scan_word(&p, ": ")) return any;
        scan_word(&p, "0x");
        const char *start = p;
        unsigned n = 0;
        while (n < 64 && scan_word(&p, "[") && scan_decimal(&p, &lane) && lane == n && scan_word(&p, "] ") &&
               scan_hex(&p, 8, &value)) {
            lanes[n++] = (uint32_t)value;
            scan_blanks(&p);
        }
        const unsigned long number = strtoul(name + 1, &end, 10);
        const bool numbered = name[1] && !*end && number < 512;
        if (n) {
            if (numbered && name[0] == 'v') gpudbg_dump_gprs(d, wave, 'v', (unsigned)number, 1, n, lanes);
        } else if (scan_hex(&p, 16, &value)) {
            lanes[0] = (uint32_t)value;
            const unsigned long of_trap = begins(name, "ttmp") ? strtoul(name + 4, &end, 10) : 16;
            if (numbered && name[0] == 's')
                gpudbg_dump_gprs(d, wave, 's', (unsigned)number, 1, 1, lanes);
            else if (of_trap < 16 && end != name + 4 && !*end)
                gpudbg_dump_gprs(d, wave, 't', (unsigned)of_trap, 1, 1, lanes);
            else
                named_register(a, d, line->number, name, value, p - start > 8);
        } else {
            return any;
        }
        any = true;
    }
    return any;
}

/* "Local memory content:", then "    0x0000: 22222222 11111111 ...", eight words a line. */
static bool take_local(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t addr, word;
    if (!a->unit[0]) return false;
    if (strcmp(p, "Local memory content:") == 0) {
        a->lds_next = 0;
        const struct gpudbg_stream s = {.kind = "lds",
            .unit = a->unit,
            .addr = 0,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .line = line->number};
        a->lds = gpudbg_dump_stream(d, &s);
        return true;
    }
    if (a->lds == NO_STREAM || !scan_0x(&p, 8, &addr) || !scan_word(&p, ":")) return false;
    if (addr != a->lds_next) {
        gpudbg_dump_note(d, line->number, "cut-off", "local memory: 0x%llx comes after 0x%llx",
            (unsigned long long)addr, (unsigned long long)a->lds_next);
        a->lds = NO_STREAM;
        return true;
    }
    for (scan_blanks(&p); scan_hex(&p, 8, &word); scan_blanks(&p)) {
        stream_add(d, a->lds, word, 4, line->number);
        a->lds_next += 4;
    }
    return true;
}

/* Of "void scan::kernel<true, int>(int*, unsigned long):", without its arguments and the colon at the end. */
static size_t name_length(const char *p)
{
    size_t n = strlen(p);
    if (n && p[n - 1] == ':') n--;
    unsigned depth = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '(' && !depth && i && p[i - 1] != ' ' && p[i - 1] != ':') return i;
        depth += p[i] == '<';
        depth -= p[i] == '>' && depth;
    }
    return n;
}

/* "<void index<a<b> >(int*)>" behind a pointer that is passed: a name, with brackets of its own. */
static void bracketed(const char **p, char *name, size_t size)
{
    unsigned depth = 1;
    const char *at = *p;
    for (; *at && depth; at++)
        if (*at == '<')
            depth++;
        else if (*at == '>' && at[-1] != '-') /* not of "operator->" */
            depth--;
    const size_t n = (size_t)(at - *p) - !depth;
    snprintf(name, size, "%.*s", (int)(n < size ? n : size - 1), *p);
    *p = at;
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
        const size_t n = strcspn(at, " ,)"); /* the entry's address; or "not available" */
        at += n;
        if (scan_word(&at, " <")) bracketed(&at, kernel, sizeof kernel);
    }
    at = p;
    if (scan_find(&at, "reason: ")) scan_until(&at, ")", reason, sizeof reason);
    if (a->pc == wave.pc) {
        a->arrow = 0;
        if (a->offset != UINT64_MAX && a->function[0])
            snprintf(place, sizeof place, "%s+0x%llx", a->function, (unsigned long long)a->offset);
        wave.insn = a->insn;
    }
    if (!place[0] && kernel[0])
        snprintf(place, sizeof place, "0x%llx in %.*s", (unsigned long long)wave.pc, (int)name_length(kernel), kernel);
    wave.place = place[0] ? place : NULL;
    wave.reason = reason;
    snprintf(a->unit, sizeof a->unit, "%s", name);
    gpudbg_dump_add_unit(d, line->number, name, (unsigned)number);
    a->index = wave_latest(d);
    wave_register(d, a->unit, line->number, "SQ_WAVE_PC_LO", wave.pc & UINT32_MAX);
    wave_register(d, a->unit, line->number, "SQ_WAVE_PC_HI", wave.pc >> 32);
    wave_group_add(&a->waves, d, line->number, &wave);
    a->at = wave.pc;
    a->numbered = true;
    a->lds = NO_STREAM;
    return true;
}

/* "page not present;write access to a read-only page;": with commas. */
static void with_commas(const char *reasons, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (size_t n; *reasons; reasons += n + strspn(reasons + n, "; ")) {
        n = strcspn(reasons, ";");
        text_add(&t, "%s%.*s", text_length(&t) ? ", " : "", (int)n, reasons);
    }
}

/* What version 1.0 says of the fault or the queue. */
static bool take_cause(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char told[96], why[128] = "", text[192], name[24];
    uint64_t value;
    const char *family = begins(p, "Memory access fault by GPU agent: ") ||
                                 begins(p, "Queue error state in GPU agent: ")
                             ? board_family(p, name, sizeof name)
                             : NULL;
    if (family) return gpudbg_dump_family(d, line->number, family, NULL), true;
    if (scan_word(&p, "Faulting page: 0x")) { /* of versions 2.0 to 2.0.3 */
        if (!scan_hex(&p, 16, &value)) return false;
        const struct gpudbg_incident x = {.kind = &incident_page_fault,
            .text = "no reason is given",
            .line = line->number,
            .have = 1,
            .values = {value}};
        return gpudbg_dump_incident(d, &x), true;
    }
    if (scan_word(&p, "Address: 0x")) {
        if (!scan_hex(&p, 13, &value) || !scan_word(&p, "xxx (") || !scan_until(&p, ")", told, sizeof told))
            return false;
        with_commas(told, why, sizeof why);
        const struct gpudbg_incident x = {.kind = &incident_page_fault,
            .text = why[0] ? why : "no reason is given",
            .line = line->number,
            .have = 1,
            .values = {value << 12}};
        return gpudbg_dump_incident(d, &x), true;
    }
    if (!scan_word(&p, "Queue ID: ") || !scan_decimal(&p, &value) || !scan_word(&p, " (") ||
        !scan_until(&p, ")", told, sizeof told))
        return false;
    with_commas(told, why, sizeof why);
    snprintf(text, sizeof text, "the runtime stopped queue %llu: %s", (unsigned long long)value, why);
    const struct gpudbg_incident x = {.kind = &incident_queue_trouble, .text = text, .line = line->number};
    return gpudbg_dump_incident(d, &x), true;
}

/* "64 wavefront(s) found in @PC: 0x0000001100E01310" */
static bool take_count(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t count;
    struct wave_told wave = {0};
    if (!scan_decimal(&p, &count) || !scan_word(&p, " wavefront(s) found in ")) return false;
    if (scan_word(&p, "XNACK error state ")) wave.reason = "met a page that could not be translated";
    if (!scan_word(&p, "@PC: ") || !scan_0x(&p, 16, &wave.pc)) return false;
    snprintf(a->unit, sizeof a->unit, "wave %u", a->counted);
    gpudbg_dump_add_unit(d, line->number, a->unit, a->counted++);
    a->index = wave_latest(d);
    wave_register(d, a->unit, line->number, "SQ_WAVE_PC_LO", wave.pc & UINT32_MAX);
    wave_register(d, a->unit, line->number, "SQ_WAVE_PC_HI", wave.pc >> 32);
    a->at = wave.pc;
    wave.count = count > UINT32_MAX ? UINT32_MAX : (unsigned)count;
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
        tell_arrow(a, d);
        const size_t n = name_length(p);
        snprintf(
            a->function, sizeof a->function, "%.*s", (int)(n < sizeof a->function ? n : sizeof a->function - 1), p);
        return true;
    }
    if (begins(p, "End of disassembly.")) return a->function[0] != 0;
    if (begins(p, "Lane 0x")) a->unit[0] = 0; /* rows of one lane follow */
    return take_cause(d, line, p) || take_count(a, d, line, p) || take_arrow(a, d, line, p) ||
           take_wave(a, d, line, p) || take_thread(a, d, line, p) || take_local(a, d, line, p) ||
           take_registers(a, d, line, p);
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "waves as rocm-debug-agent or rocgdb prints them";
    if (head_has(bytes, n, "rocr debug agent]") || head_has(bytes, n, " wavefront(s) found in ")) return 60;
    return (head_has(bytes, n, "wave_") && head_has(bytes, n, ": pc=0x")) || head_has(bytes, n, "AMDGPU Wave ") ? 60
                                                                                                                : 0;
}

static void *open_agent(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct agent){.lds = NO_STREAM}, sizeof(struct agent));
}

static void close_agent(void *state, struct gpudbg_dump *d)
{
    struct agent *a = state;
    tell_arrow(a, d);
    if (a->numbered) gpudbg_dump_assume(d, AGENT_CHIPS, "rocm-debug-agent does not name the chip");
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
