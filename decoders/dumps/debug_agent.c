/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug_agent.c: waves as rocm-debug-agent prints them when a queue fails, and ROCgdb where it stops (rocgdb.c):
 *
 *     Disassembly for function NAME:
 *      => 0x7ff734dcbf3c <+7484>:    s_waitcnt vmcnt(0) lgkmcnt(0)
 *     wave_249: pc=0x7ff734dcbf3c (kernel_code_entry=0x7ff736b8c040 <NAME>, kernargs=0x7f..) (stopped, reason: WHY)
 *
 *     => 0x7ffff5c05154 <NAME+20>:	s_waitcnt vmcnt(0)              of ROCgdb's x/i $pc; "<+20>" of `disassemble`
 *     pc             0x7ffff5c05154      0x7ffff5c05154 <NAME+20>   of its `info registers`
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
    struct rocgdb rocgdb;
    char unit[64]; /* of the wave whose registers follow; "": none */
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
    const struct wave_told wave = {.pc = a->pc, .place = place, .insn = a->insn, .reason = "its code is listed here"};
    if (!a->arrow) return;
    if (a->offset != UINT64_MAX && a->function[0])
        snprintf(place, sizeof place, "%s+0x%llx", a->function, (unsigned long long)a->offset);
    wave_group_add(&a->waves, d, a->arrow, &wave);
    a->arrow = 0;
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

/* Whether it is an instruction of AMD's GPUs: a debugger lists those of the processor, too. */
static bool is_gpu_insn(const char *text)
{
    static const char *const begin[] = {
        "s_", "v_", "ds_", "flat_", "global_", "scratch_", "buffer_", "tbuffer_", "image_", "exp", "bvh_"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (begins(text, begin[i])) return true;
    return false;
}

/* "00 00 6c dc 00 02 7c 00 flat_store_b64 ...": without the bytes that `disassemble /r` puts before it. */
static const char *behind_bytes(const char *p)
{
    const char *at = p;
    uint64_t byte;
    unsigned n = 0;
    while (scan_hex(&at, 2, &byte) && (*at == ' ' || *at == '\t')) {
        scan_blanks(&at);
        n++;
    }
    return n >= 4 ? at : p;
}

/* "<+7484>" behind the address, or "<NAME+20>": of which function, and how far from its start. */
static void arrow_place(struct agent *a, const char **p)
{
    char name[sizeof a->function + 16];
    a->offset = UINT64_MAX;
    if (!scan_word(p, " <")) return;
    bracketed(p, name, sizeof name);
    const char *plus = strrchr(name, '+'), *digits = plus ? plus + 1 : name;
    uint64_t offset;
    if (!plus || !scan_decimal(&digits, &offset) || *digits) return;
    a->offset = offset;
    const size_t n = (size_t)(plus - name);
    if (n && n < sizeof a->function) snprintf(a->function, sizeof a->function, "%.*s", (int)n, name);
}

/* " => 0x7ff734dcbf3c <+7484>:    s_waitcnt vmcnt(0)": the offset from the function's start is in decimal. */
static bool take_arrow(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t pc;
    if (!scan_word(&p, "=> ") || !scan_0x(&p, 16, &pc)) return false;
    const char *insn = strrchr(p, '>'); /* names have colons, too */
    if (!(insn = strchr(insn ? insn : p, ':'))) return false;
    insn++;
    insn = behind_bytes(insn + strspn(insn, " \t"));
    if (!is_gpu_insn(insn)) return false;
    tell_arrow(a, d);
    a->pc = pc;
    arrow_place(a, &p);
    a->arrow = a->function[0] && !wave_group_at(&a->waves, pc) ? line->number : 0;
    snprintf(a->insn, sizeof a->insn, "%.*s", (int)strcspn(insn, "\n"), insn);
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

/* "pc             0x7ffff5c05154      0x7ffff5c05154 <NAME+20>", "v0   {0x0 <repeats 31 times>, 0x7}" of the selected
 * wave. */
static bool take_info(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[24], *end;
    uint64_t value, times;
    uint32_t lanes[64];
    unsigned n = 0;
    struct gpudbg_dump_wave *wave = a->rocgdb.waves && a->unit[0] ? gpudbg_dump_wave_at(d, a->index) : NULL;
    if (!wave || !scan_name(&p, name, sizeof name) || (*p != ' ' && *p != '\t')) return false;
    scan_blanks(&p);
    const unsigned long number = strtoul(name + 1, &end, 10);
    const bool numbered = name[1] && !*end && number < 512;
    if (numbered && name[0] == 'v' && scan_word(&p, "{")) {
        while (n < 64 && scan_0x(&p, 8, &value)) {
            lanes[n++] = (uint32_t)value;
            if (scan_word(&p, " <repeats ") && scan_decimal(&p, &times))
                for (scan_find(&p, ">"); --times && n < 64;) lanes[n++] = (uint32_t)value;
            if (!scan_word(&p, ", ")) break;
        }
        if (*p == '}' && (n == 32 || n == 64)) gpudbg_dump_gprs(d, wave, 'v', (unsigned)number, 1, n, lanes);
        return n != 0;
    }
    const char *start = p;
    if (!scan_0x(&p, 16, &value) || (*p && *p != ' ' && *p != '\t')) return false;
    lanes[0] = (uint32_t)value;
    if (numbered && name[0] == 's')
        gpudbg_dump_gprs(d, wave, 's', (unsigned)number, 1, 1, lanes);
    else if (strcmp(name, "pc") != 0) /* it is told with the wave */
        named_register(a, d, line->number, name, value, p - start > 10 || strcmp(name, "exec") == 0);
    return true;
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
        snprintf(
            place, sizeof place, "0x%llx in %.*s", (unsigned long long)wave.pc, (int)function_length(kernel), kernel);
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

static bool take_rocgdb(struct agent *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    if (!rocgdb_line(&a->rocgdb, &a->waves, d, line, p)) return false;
    if (a->rocgdb.selected) { /* its registers may follow */
        snprintf(a->unit, sizeof a->unit, "%.*s", (int)sizeof a->unit - 1, a->rocgdb.unit);
        a->index = a->rocgdb.index;
        a->at = a->rocgdb.pc;
    }
    return true;
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct agent *a = state;
    const char *p = line->text + line->indent;
    if (scan_word(&p, "Disassembly for function ") || scan_word(&p, "Dump of assembler code for function ")) {
        tell_arrow(a, d);
        const size_t n = function_length(p);
        snprintf(
            a->function, sizeof a->function, "%.*s", (int)(n < sizeof a->function ? n : sizeof a->function - 1), p);
        return true;
    }
    if (begins(p, "End of disassembly.") || begins(p, "End of assembler dump.")) return a->function[0] != 0;
    if (begins(p, "Lane 0x")) a->unit[0] = 0; /* rows of one lane follow */
    return take_cause(d, line, p) || take_count(a, d, line, p) || take_arrow(a, d, line, p) ||
           take_wave(a, d, line, p) || take_rocgdb(a, d, line, p) || take_local(a, d, line, p) ||
           take_registers(a, d, line, p) || take_info(a, d, line, p);
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "waves as rocm-debug-agent or rocgdb prints them";
    if (head_has(bytes, n, "rocr debug agent]") || head_has(bytes, n, " wavefront(s) found in ")) return 60;
    return (head_has(bytes, n, "wave_") && head_has(bytes, n, ": pc=0x")) || head_has(bytes, n, "AMDGPU Wave ") ||
                   head_has(bytes, n, "(AMDGPU Lane ")
               ? 60
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
    rocgdb_end(&a->rocgdb, d);
    if (a->numbered) gpudbg_dump_assume(d, AGENT_CHIPS, "rocm-debug-agent does not name the chip");
    if (a->rocgdb.waves)
        gpudbg_dump_assume(d, AGENT_CHIPS, "ROCgdb names the chip where `info agents` is printed, only");
    wave_groups_end(&a->waves, d);
    free(a);
}

const struct gpudbg_reader reader_debug_agent = {
    .name = "debug-agent",
    .summary = "waves as rocm-debug-agent and ROCgdb print them",
    .probe = probe,
    .open = open_agent,
    .line = take,
    .close = close_agent,
};
