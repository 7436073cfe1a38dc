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
 *
 * and the requests that it has and that wait for it, here or alone, with a letter (E: the engine has it; Q, V, U: it
 * waits), or a word in front; "*": it has begun, "!": it has ended:
 *
 *     heartbeat         E  2d9a:1402*-  prio=2 @ 10341ms: Xorg[1234]
 *     hangcheck         active 1e5 [2f:1a] prio=1 @ 6520ms: Xorg[1051]/1
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

enum { E_HEAD, E_TAIL, E_LEFT };
#define NEAR 120     /* lines of one engine */
#define LATE_MS 1000 /* a request that has not ended by then is a trouble */

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

struct request {
    char id[64], of[64]; /* as the log has them: context and number; the program */
    uint64_t ms;         /* since it was handed in */
    bool taken, begun, ended;
};

static bool take_request(const char *p, struct request *r)
{
    const bool letter = *p && p[1] == ' ' && strchr("EQVU", *p);
    if (!letter && !begins(p, "first ") && !begins(p, "last ") && !begins(p, "active ")) return false; /* most lines */
    *r = (struct request){.taken = *p == 'E' || *p == 'a'};
    p += strcspn(p, " ");
    scan_blanks(&p);
    const char *priority = strstr(p, "prio=");
    size_t n = strspn(p, "0123456789abcdef:");
    const char *flags = p + n;
    if (!n || !priority || !scan_find(&priority, " @ ") || !scan_decimal(&priority, &r->ms) ||
        !scan_word(&priority, "ms: ") || !*priority)
        return false;
    for (const char *f = flags; *f && strchr("!*&+-", *f); f++) {
        r->begun |= *f == '*';
        r->ended |= *f == '!';
    }
    snprintf(r->id, sizeof r->id, "%.*s", (int)n, p);
    snprintf(r->of, sizeof r->of, "%s", priority);
    return true;
}

static void tell_request(struct gpudbg_dump *d, const char *unit, uint32_t line, const struct request *r)
{
    char text[256];
    const bool late = r->taken && !r->ended && r->ms >= LATE_MS;
    const char *is = r->ended   ? "has ended"
                     : r->begun ? "has begun and has not ended"
                     : r->taken ? "was given to the engine and has not ended"
                                : "waits";
    snprintf(text, sizeof text, "request %s of %s %s, %llu ms after it was handed in", r->id, r->of, is,
        (unsigned long long)r->ms);
    const struct gpudbg_incident i = {.kind = late ? &incident_engine_trouble : &incident_noted,
        .line = line,
        .unit = unit && unit[0] ? unit : NULL,
        .text = text};
    gpudbg_dump_incident(d, &i);
}

bool engine_state_begins(const char *p)
{
    struct request r;
    if (scan_word(&p, "hangcheck ") || scan_word(&p, "heartbeat ")) {
        scan_blanks(&p);
        if (is_engine(p)) return true;
    }
    return take_request(p, &r);
}

bool engine_state_line(
    struct engine_state *e, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const char *const names[] = {"RING_START", "RING_HEAD", "RING_TAIL", "RING_CTL", "RING_MODE", "RING_IMR",
        "ACTHD", "BBADDR", "DMA_FADDR", "IPEIR", "IPEHR", "RING_ESR", "RING_EMR", "RING_EIR"};
    struct gpudbg_incident *i = &e->incident;
    char name[32];
    uint64_t v, low;
    struct request request;
    const bool asked = scan_word(&p, "hangcheck ") ||
                       ((i->line || engine_state_begins(p)) && scan_word(&p, "heartbeat "));
    if (asked) scan_blanks(&p);
    if (take_request(p, &request))
        return tell_request(d, i->line && line->number - i->line <= NEAR ? e->unit : NULL, line->number, &request),
               true;
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
