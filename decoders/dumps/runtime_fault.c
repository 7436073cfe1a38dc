/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime_fault.c: faults as the runtime of compute tells them to its program (ROCr, LLVM's offloading):
 *
 *     Memory access fault by GPU node-1 (Agent handle: 0x...) on address 0x7f12a000. Reason: Page not present ...
 *
 * The line names no device, and the kernel tells the same fault with more: at the end of the log those of the kernel's
 * pages are told beside them (runtime-told), the others are faults of their own.
 */
#include <stdio.h>
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
