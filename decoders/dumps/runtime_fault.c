/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime_fault.c: lines of programs about a failure of which the kernel's own lines say more.  The runtimes of compute
 * (ROCr, LLVM's offloading) print faults:
 *
 *     Memory access fault by GPU node-1 (Agent handle: 0x...) on address 0x7f12a000. Reason: Page not present ...
 *
 * The line names no device, and the kernel tells the same fault with more: at the end of the log those of the kernel's
 * pages are told beside them (runtime-told), the others are faults of their own.  Mesa and Vulkan print that a context
 * is lost:
 *
 *     radv/amdgpu: The CS has been cancelled because the context is lost. This context is innocent.
 *
 * These lines name no device either.  If only one GPU fails in the log, such a line is told beside the latest failure
 * before it (context-told): after a failure the kernel throws away the commands of a context.
 */
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

#define PAGE_BITS 12

bool runtime_fault_line(struct runtime_faults *r, struct gpudbg_dump *d, const struct gpudbg_incident *told)
{
    if (r->n == RUNTIME_FAULTS || !(told->have & 1)) return false;
    struct runtime_fault *f = &r->fault[r->n++];
    f->address = told->values[0];
    f->line = told->line;
    f->capture = gpudbg_dump_current(d, told->line);
    snprintf(f->reason, sizeof f->reason, "%s", told->text ? told->text : "");
    for (size_t n = strlen(f->reason); n && strchr(" .`\"", f->reason[n - 1]);) f->reason[--n] = 0;
    return true;
}

/* The capture in which the kernel tells a fault of the page; false: it does not. */
static bool kernel_tells(const struct gpudbg_dump *d, uint64_t address, uint32_t *capture)
{
    const struct gpudbg_incident *x;
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++) {
        const bool page = x->kind == &incident_vm_fault && x->have & 1u << 2 && x->values[2] == address >> PAGE_BITS;
        const bool byte = x->kind == &incident_page_fault && x->have & 1 && /* with a client, a status, a hub */
                          x->have != 1 && x->values[0] >> PAGE_BITS == address >> PAGE_BITS;
        if (page || byte) return *capture = x->capture, true;
    }
    return false;
}

void runtime_faults_end(struct runtime_faults *r, struct gpudbg_dump *d)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct runtime_fault *f = &r->fault[i];
        struct gpudbg_incident told = {.kind = &incident_page_fault,
            .line = f->line,
            .text = f->reason[0] ? f->reason : NULL,
            .have = 1,
            .values = {f->address}};
        uint32_t capture = f->capture;
        if (kernel_tells(d, f->address, &capture)) told.kind = &incident_runtime_told;
        gpudbg_dump_incident_in(d, capture, &told);
    }
    r->n = 0;
}

/* Whether drivers declare contexts lost after such a failure. */
static bool loses_contexts(const struct gpudbg_incident *x)
{
    static const struct gpudbg_incident_kind *const kinds[] = {&incident_timeout, &incident_job_timeout,
        &incident_lockup, &incident_gpu_hang, &incident_reset, &incident_reset_done, &incident_reset_failed,
        &incident_wedged, &incident_device_silent};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (x->kind == kinds[i]) return true;
    return false;
}

/* The failure that caused the program's line: the latest one before it, or else the first one after it, because people
 * also paste a program's output above the kernel's log.  NULL: the log has no failure, or several GPUs fail in it. */
static const struct gpudbg_incident *loss_of(const struct gpudbg_dump *d, uint32_t line)
{
    const struct gpudbg_incident *x, *best = NULL;
    const char *device = NULL;
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++) {
        if (!loses_contexts(x)) continue;
        const char *of = x->capture < n ? captures[x->capture].device : NULL;
        if (device && of && strcmp(device, of) != 0) return NULL;
        if (of) device = of;
        const bool before = x->line < line;
        if (!best || (best->line < line ? before && x->line > best->line : before || x->line < best->line)) best = x;
    }
    return best;
}

static void tell_lost(struct gpudbg_dump *d, uint32_t capture, struct gpudbg_incident *told)
{
    const struct gpudbg_incident *cause = loss_of(d, told->line);
    if (cause) {
        told->kind = &incident_context_told;
        told->have = 1;
        told->values[0] = cause->line;
        capture = cause->capture;
    }
    gpudbg_dump_incident_in(d, capture, told);
}

bool lost_context_line(struct lost_contexts *l, struct gpudbg_dump *d, const struct gpudbg_incident *told)
{
    if (l->n == LOST_CONTEXTS) return false;
    struct lost_context lost = {.line = told->line, .capture = gpudbg_dump_current(d, told->line), .kind = told->kind};
    lost.have = told->have;
    lost.error = told->values[0];
    snprintf(lost.text, sizeof lost.text, "%s", told->text ? told->text : "");
    l->lost[l->n++] = lost;
    return true;
}

void lost_contexts_end(struct lost_contexts *l, struct gpudbg_dump *d)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct lost_context *x = &l->lost[i];
        struct gpudbg_incident told = {.kind = x->kind,
            .line = x->line,
            .text = x->text[0] ? x->text : NULL,
            .have = x->have,
            .values = {x->error}};
        tell_lost(d, x->capture, &told);
    }
    l->n = 0;
}
