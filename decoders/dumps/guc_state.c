/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guc_state.c: the state of GuC, which schedules Intel's engines, as xe prints it into a log or a core dump
 * (xe_guc_ct.c, xe_guc_submit.c, xe_lrc.c): the two rings of messages, then the queues:
 *
 *     H2G CTB (all sizes in DW):           GuC ID: 5
 *       size: 1024                           Name: vcs5
 *       head (memory): 465                   LRC Head: (memory) 0
 *       tail (memory): 469                   LRC Tail: (internal) 632, (memory) 632
 *                                            Start seqno: (memory) -127
 *                                            Seqno: (memory) -128
 *
 * Driver and GuC keep head and tail in memory; the driver's own copies stand before them.  A queue's ring writes the
 * first number where a job begins, the second where it ends.
 */
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

enum { R_HEAD, R_TAIL, R_WAITING, R_SIZE, R_BROKEN, R_STATUS };
enum { Q_ID, Q_HEAD, Q_TAIL, Q_START, Q_SEQNO, Q_BEHIND };
#define NEAR 60 /* lines of one ring or queue */

static bool has(const struct gpudbg_incident *i, unsigned at) { return i->have >> at & 1; }

static void set(struct gpudbg_incident *i, unsigned at, uint64_t value)
{
    i->values[at] = value;
    i->have |= 1u << at;
}

void guc_state_end(struct guc_state *g, struct gpudbg_dump *d)
{
    struct gpudbg_incident *i = &g->incident;
    if (!i->line) return;
    i->unit = g->unit[0] ? g->unit : NULL;
    if (i->kind == &incident_message_ring && has(i, R_HEAD) && has(i, R_TAIL)) {
        const uint64_t size = has(i, R_SIZE) && i->values[R_SIZE] ? i->values[R_SIZE] : 1;
        if (i->values[R_HEAD] < size && i->values[R_TAIL] < size)
            set(i, R_WAITING, (i->values[R_TAIL] + size - i->values[R_HEAD]) % size);
        gpudbg_dump_incident_in(d, g->capture, i);
    }
    if (i->kind == &incident_queue_state && has(i, Q_START) && has(i, Q_SEQNO)) {
        set(i, Q_BEHIND, (uint64_t)(int64_t)(int32_t)((uint32_t)i->values[Q_START] - (uint32_t)i->values[Q_SEQNO]));
        gpudbg_dump_incident_in(d, g->capture, i);
    }
    *i = (struct gpudbg_incident){0};
    g->unit[0] = 0;
}

static bool begin(struct guc_state *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line,
    const struct gpudbg_incident_kind *kind, const char *unit)
{
    guc_state_end(g, d);
    g->incident = (struct gpudbg_incident){.kind = kind, .line = line->number, .last = line->number};
    g->capture = gpudbg_dump_current(d, line->number);
    snprintf(g->unit, sizeof g->unit, "%s", unit);
    return true;
}

static bool scan_signed(const char **p, uint64_t *value)
{
    const bool negative = scan_word(p, "-");
    if (!scan_decimal(p, value)) return false;
    if (negative) *value = (uint64_t) - (int64_t)*value;
    return true;
}

bool guc_state_line(struct guc_state *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const struct {
        const char *word;
        unsigned value;
        bool queue;
    } numbers[] = {{"size: ", R_SIZE, false}, {"broken: ", R_BROKEN, false}, {"head (memory): ", R_HEAD, false},
        {"tail (memory): ", R_TAIL, false}, {"status (memory): 0x", R_STATUS, false},
        {"LRC Head: (memory) ", Q_HEAD, true}, {"Start seqno: (memory) ", Q_START, true},
        {"Seqno: (memory) ", Q_SEQNO, true}};
    struct gpudbg_incident *i = &g->incident;
    uint64_t v;
    if (!strchr("HGNsbhtLSrcg", *p)) return false; /* most lines */
    if (begins(p, "H2G CTB")) return begin(g, d, line, &incident_message_ring, "H2G");
    if (begins(p, "G2H CTB")) return begin(g, d, line, &incident_message_ring, "G2H");
    if (scan_word(&p, "GuC ID: ") && scan_decimal(&p, &v) && !*p) {
        begin(g, d, line, &incident_queue_state, "");
        set(i, Q_ID, v);
        return true;
    }
    if (!i->line) return false;
    if (line->number - i->last > NEAR) return guc_state_end(g, d), false;
    const bool queue = i->kind == &incident_queue_state;
    if (queue && scan_word(&p, "Name: ")) {
        snprintf(g->unit, sizeof g->unit, "%s", p);
        i->last = line->number;
        return true;
    }
    if (queue && begins(p, "LRC Tail: ") && scan_find(&p, "(memory) ") && scan_decimal(&p, &v)) {
        set(i, Q_TAIL, v);
        return true;
    }
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        if (numbers[n].queue != queue || !scan_word(&p, numbers[n].word)) continue;
        const bool hex = numbers[n].word[strlen(numbers[n].word) - 1] == 'x';
        if (hex ? scan_hex(&p, 8, &v) : scan_signed(&p, &v)) set(i, numbers[n].value, v);
        i->last = line->number;
        return true;
    }
    /* The driver's own copy of the ring, and the messages that wait. */
    static const char *const others[] = {"resv_space: ", "head: ", "tail: ", "space: ", "cmd[", "g2h outstanding: "};
    for (size_t n = 0; !queue && n < sizeof others / sizeof *others; n++)
        if (begins(p, others[n])) {
            i->last = line->number;
            return true;
        }
    return false;
}
