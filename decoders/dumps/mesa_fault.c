/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa_fault.c: VM faults as Mesa tells them (radv_debug.c, radv_queue.c, si_debug.c, ac_debug.c):
 *
 *     VM fault report.                                 radv: GPUVM fault detected at address 0x800064800000.
 *
 *     Failing VM page: 0x800064800000
 *
 * From 23.3 on RADV asks the kernel for the last fault (AMDGPU_INFO_GPUVM_FAULT): an address in bytes whatever the
 * heading says, and its status on the next line, "GCVM_L2_PROTECTION_FAULT_STATUS: 0x101431" from gfx10 on, else
 * "VM_CONTEXT1_PROTECTION_FAULT_STATUS: 0x804400c", also of gfx9, whose register is laid out as gfx10's.  Before that,
 * and in radeonsi, the number comes from the kernel's log: the page up to gfx8, the address from gfx9 on.
 */
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

static bool counts_pages(const char *family) /* the log of its driver */
{
    return family && (strstr(family, "gfx6") || strstr(family, "gfx7") || strstr(family, "gfx8")) &&
           !strstr(family, "gfx9") && !strstr(family, "gfx1");
}

/* No status came. */
void mesa_fault_end(struct mesa_fault *m, struct gpudbg_dump *d)
{
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const uint32_t line = m->line;
    const uint64_t v = m->value;
    char either[64];
    const char *family = m->capture < n ? captures[m->capture].family : NULL;
    if (!line) return;
    m->line = 0;
    /* Pages of gfx6 to gfx8 have 28 bits; the addresses that later drivers print begin a page. */
    const bool page = !m->address && (family ? counts_pages(family) : (v & 0xfff) != 0 || !v) && !(v >> 28);
    const bool address = m->address || v >> 28 || (family && !page);
    struct gpudbg_incident i = {.kind = address ? &incident_page_fault : &incident_vm_fault, .line = line};
    if (address) {
        i.have = 1;
        i.values[0] = v;
    } else if (page) {
        i.have = 1u << 2;
        i.values[2] = v;
    } else {
        snprintf(either, sizeof either, "page 0x%llx or address 0x%llx", (unsigned long long)v, (unsigned long long)v);
        i.text = either;
    }
    gpudbg_dump_incident_in(d, m->capture, &i);
}

static bool take_address(struct mesa_fault *m, struct vm_faults *vm, struct hub_faults *hubs, struct generations *g,
    struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t v;
    const bool address = scan_word(&p, "radv: GPUVM fault detected at address ");
    if (!address && !scan_word(&p, "Failing VM page: ")) return false;
    mesa_fault_end(m, d);
    if (!scan_0x(&p, 16, &v)) {
        gpudbg_dump_note(d, line->number, "cut-off", "the fault has no address");
        return true;
    }
    if (hubs->known_order && hubs->backwards) { /* its status came first */
        hub_fault_address(hubs, d, line, v);
    } else if (vm_fault_has_status_alone(vm, line->device)) {
        vm_fault_page(vm, g, d, line, v >> 12);
    } else {
        m->value = v;
        m->line = line->number;
        m->time = line->time;
        m->capture = gpudbg_dump_current(d, line->number);
        m->address = address;
    }
    return true;
}

/* The status behind Mesa's line. */
static bool take_status(struct mesa_fault *m, struct vm_faults *vm, struct hub_faults *hubs, struct generations *g,
    struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    struct gpudbg_dump_line first = *line;
    uint64_t v;
    first.number = m->line;
    if (!m->line || line->number - m->line > 60 || lines_apart(m->time, line->time, FAULT_SECONDS)) return false;
    if (hub_fault_status_line(p)) {
        hub_fault_address(hubs, d, &first, m->value);
        m->line = 0;
        return false; /* hub_fault.c reads it */
    }
    if (!scan_word(&p, "VM_CONTEXT1_PROTECTION_FAULT_STATUS: ") || !scan_0x(&p, 8, &v)) return false;
    /* A program's faults are in address spaces from 1 on: bits 28:25 up to gfx8 (gmc_8_1_sh_mask.h), 23:20 on gfx9
     * (gc_9_0_sh_mask.h), where 28:25 is 0 but in a virtual machine, and addresses have more than 40 bits. */
    const bool hub = m->value >> 40 || (!(v >> 25 & 15) && v >> 20 & 15);
    if (hub) {
        generation_sign(g, d, line->number, GENERATION_9, "only its faults are laid out so");
        hub_fault_address(hubs, d, &first, m->value);
        hub_fault_status(hubs, d, line, v);
    } else {
        generation_sign(g, d, line->number, GENERATION_6 | GENERATION_7 | GENERATION_8,
            "the driver of this generation writes faults so");
        vm_fault_page(vm, g, d, &first, m->value >> 12);
        vm_fault_status(vm, g, d, line, v);
    }
    m->line = 0;
    return true;
}

bool mesa_fault_line(struct mesa_fault *m, struct vm_faults *vm, struct hub_faults *hubs, struct generations *g,
    struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    return take_address(m, vm, hubs, g, d, line, p) || take_status(m, vm, hubs, g, d, line, p);
}
