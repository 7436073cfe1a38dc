/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine_state.c: an engine as i915 prints it into the log when it hangs (intel_engine_cs.c): its name alone on a line,
 * behind a word that says who asks, then a register or a number on each line:
 *
 *     hangcheck rcs0
 *     hangcheck         RING_HEAD:  0x00003a10
 *     hangcheck         RING_TAIL:  0x00003a58 [busy]
 *     hangcheck         ACTHD:  0x00000000_0c21a010
 *     hangcheck         IPEHR: 0x7a000004
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

enum { E_HEAD, E_TAIL, E_LEFT };
#define NEAR 120 /* lines of one engine */

void engine_state_end(struct engine_state *e, struct gpudbg_dump *d)
{
    struct gpudbg_incident *i = &e->incident;
    if (!i->line) return;
    if ((i->have & 3) == 3) {
        i->unit = e->unit;
        i->values[E_LEFT] = i->values[E_HEAD] != i->values[E_TAIL];
        i->have |= 1u << E_LEFT;
        gpudbg_dump_incident_in(d, e->capture, i);
    }
    *i = (struct gpudbg_incident){0};
}

/* "rcs0", "vecs1": the name of one of Intel's engines, and nothing else. */
static bool is_engine(const char *p)
{
    static const char *const names[] = {"rcs", "bcs", "vcs", "vecs", "ccs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (scan_word(&p, names[i]))
            return isdigit((unsigned char)*p) && !p[1 + (p[1] && isdigit((unsigned char)p[1]))];
    return false;
}

bool engine_state_line(
    struct engine_state *e, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const char *const names[] = {"RING_START", "RING_HEAD", "RING_TAIL", "RING_CTL", "RING_MODE", "RING_IMR",
        "ACTHD", "BBADDR", "DMA_FADDR", "IPEIR", "IPEHR", "RING_ESR", "RING_EMR", "RING_EIR"};
    struct gpudbg_incident *i = &e->incident;
    char name[32];
    uint64_t v, low;
    const bool asked = scan_word(&p, "hangcheck ") || (i->line && scan_word(&p, "heartbeat "));
    if (asked) scan_blanks(&p);
    if (is_engine(p)) {
        engine_state_end(e, d);
        snprintf(e->unit, sizeof e->unit, "%s", p);
        e->capture = gpudbg_dump_current(d, line->number);
        *i = (struct gpudbg_incident){.kind = &incident_engine_state, .line = line->number, .last = line->number};
        return true;
    }
    if (!i->line) return false;
    if (line->number - i->line > NEAR) return engine_state_end(e, d), false;
    static const char *const numbers[] = {"Awake?", "Barriers?",
        "Latency:", "Runtime:", "Forcewake:", "Heartbeat:", "Reset count:", "Requests:", "Idle?",
        "MMIO base:", "Execlist ", "Hangcheck ", "Hung? ", "current seqno ", "Irq count "};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (begins(p, numbers[n])) return true;
    if (!isupper((unsigned char)*p) || !scan_name(&p, name, sizeof name) || !scan_word(&p, ":")) return asked;
    scan_blanks(&p);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        if (strcmp(names[n], name) != 0) continue;
        if (!scan_0x(&p, 16, &v)) return true;
        if (scan_word(&p, "_") && scan_hex(&p, 8, &low)) v = v << 32 | low;
        const struct gpudbg_record r = {
            .name = name, .unit = e->unit, .addr = GPUDBG_NO_ADDR, .value = v, .line = line->number};
        gpudbg_dump_register(d, &r);
        const bool head = strcmp(name, "RING_HEAD") == 0;
        if (head || strcmp(name, "RING_TAIL") == 0) { /* bits above are counts of wraps */
            i->values[head ? E_HEAD : E_TAIL] = v & 0x1ffffc;
            i->have |= 1u << (head ? E_HEAD : E_TAIL);
        }
        i->last = line->number;
        return true;
    }
    return asked;
}
