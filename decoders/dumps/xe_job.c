/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xe_job.c: a job that did not end, as xe tells it (xe_guc_submit.c): the queue's number is that of a line before,
 * which names the engine, and the line behind it says when the work is the driver's own:
 *
 *     GT0: Engine reset: engine_class=bcs, logical_mask: 0x2, guc_id=0
 *     GT0: Timedout job: seqno=24496, lrc_seqno=24496, guc_id=0, flags=0x13 in no process [-1]
 *     GT0: Kernel-submitted job timed out
 */
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

enum { V_SEQNO, V_PID, V_QUEUE, V_KERNEL };
#define SOON 8 /* lines between the two */

void xe_job_end(struct xe_job *x, struct gpudbg_dump *d)
{
    if (!x->incident.line) return;
    x->incident.kind = &incident_job_timeout;
    x->incident.unit = x->unit[0] ? x->unit : NULL;
    x->incident.text = x->process[0] ? x->process : NULL;
    gpudbg_dump_incident_in(d, x->capture, &x->incident);
    x->incident = (struct gpudbg_incident){0};
    x->unit[0] = x->process[0] = 0;
}

static void set(struct xe_job *x, unsigned at, uint64_t value)
{
    x->incident.values[at] = value;
    x->incident.have |= 1u << at;
}

bool xe_job_line(struct xe_job *x, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t v;
    const char *q = p;
    if (x->incident.line && line->number - x->incident.line > SOON) xe_job_end(x, d);
    if (begins(p, "Engine reset: engine_class=")) { /* GuC has done it; phrases.c tells that */
        scan_find(&q, "engine_class=");
        const char *name = q;
        const size_t n = strcspn(name, ",");
        if (scan_find(&q, "guc_id=") && scan_decimal(&q, &v) && v < XE_QUEUES)
            snprintf(x->engine[v], sizeof x->engine[v], "%.*s", n < sizeof x->engine[v] ? (int)n : 0, name);
        return false;
    }
    if (begins(p, "Kernel-submitted job timed out")) {
        if (!x->incident.line) {
            x->incident.line = line->number;
            x->capture = gpudbg_dump_current(d, line->number);
        }
        x->incident.last = line->number;
        set(x, V_KERNEL, 1);
        return true;
    }
    if (!scan_word(&p, "Timedout job: seqno=")) return false;
    xe_job_end(x, d);
    x->incident.line = x->incident.last = line->number;
    x->capture = gpudbg_dump_current(d, line->number);
    if (scan_decimal(&p, &v)) set(x, V_SEQNO, v);
    q = p;
    if (scan_find(&q, "guc_id=") && scan_decimal(&q, &v)) {
        set(x, V_QUEUE, v);
        if (v < XE_QUEUES) snprintf(x->unit, sizeof x->unit, "%s", x->engine[v]);
    }
    q = p;
    if (scan_find(&q, " in no process ")) return true;
    q = p;
    if (scan_find(&q, " in ") && scan_until(&q, " [", x->process, sizeof x->process) && scan_decimal(&q, &v))
        set(x, V_PID, v);
    return true;
}
