/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aql_queue.c: what the HIP runtime prints of its queues when one of them fails:
 *
 *     VGPU=0x15197ab9c400 SWq=0x151bff1fe000, HWq=0x151ba7100000, id=2
 *             Dispatch Header =0xb02 (type=2, barrier=1, acquire=1, release=1), setup=0
 *             grid=[123008, 1, 1], workgroup=[128, 1, 1]
 *             private_seg_size=64, group_seg_size=0
 *             kernel_obj=0x1512f5489a80, kernarg_address=0x0x1512c8306100
 *             completion_signal=0x0, correlation_id=0
 *             rptr=155, wptr=442
 *      Kernel Name: NAME
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/text.h"
#include "dumps.h"

struct queue {
    bool inside;
    uint64_t id, read, write, kernel;
    bool has_pointers;
    char size[96]; /* "grid=[..], workgroup=[..]" */
    uint32_t line;
};

static void queue_end(struct queue *q, struct gpudbg_dump *d, const char *name)
{
    char unit[32], text[600];
    struct text t = text_in(text, sizeof text);
    snprintf(unit, sizeof unit, "queue %u", (unsigned)q->id);
    text_add(&t, "%s", name);
    if (q->size[0]) text_add(&t, "%s%s", name[0] ? ", " : "", q->size);
    const struct gpudbg_incident i = {.kind = &incident_queue_dispatch,
        .unit = unit,
        .text = text,
        .line = q->line,
        .last = q->line,
        .have = (q->has_pointers ? 3u : 0u) | (q->kernel ? 4u : 0u),
        .values = {q->read, q->write, q->kernel}};
    gpudbg_dump_incident(d, &i);
    memset(q, 0, sizeof *q);
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct queue *q = state;
    const char *p = line->text + line->indent, *at = p;
    uint64_t v;
    if (scan_word(&at, "VGPU=0x") && scan_find(&at, "SWq=0x")) {
        if (q->inside) queue_end(q, d, "");
        q->inside = true;
        q->line = line->number;
        if (scan_find(&at, "id=")) scan_decimal(&at, &q->id);
        return true;
    }
    if (!q->inside) return false;
    at = p;
    if (scan_word(&at, "Kernel Name: ")) {
        queue_end(q, d, at);
        return true;
    }
    if (begins(p, "grid=["))
        snprintf(q->size, sizeof q->size, "%s", p);
    else if (scan_word(&at, "rptr=") && scan_decimal(&at, &q->read) && scan_word(&at, ", wptr="))
        q->has_pointers = scan_decimal(&at, &q->write);
    else if (scan_word(&at, "kernel_obj=") && scan_0x(&at, 16, &v))
        q->kernel = v;
    else
        return begins(p, "Dispatch Header") || begins(p, "private_seg_size=") || begins(p, "completion_signal=");
    return true;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "queues as the HIP runtime prints them";
    return head_has(bytes, n, "VGPU=0x") && head_has(bytes, n, "SWq=0x") ? 60 : 0;
}

static void *open_queues(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(NULL, sizeof(struct queue));
}

static void close_queues(void *state, struct gpudbg_dump *d)
{
    struct queue *q = state;
    if (q->inside) queue_end(q, d, "");
    free(q);
}

const struct gpudbg_reader reader_aql_queues = {
    .name = "aql-queues",
    .summary = "queues of compute as the HIP runtime prints them when one fails",
    .probe = probe,
    .open = open_queues,
    .line = take,
    .close = close_queues,
};
