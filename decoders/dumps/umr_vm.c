/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * umr_vm.c: how page tables translate addresses, as `umr -v` prints it while it reads memory (umr, read_vram.c).  Up to
 * gfx8 an entry's VA is the part of the address that chose it, in ten digits; later it is the whole page:
 *
 *     mmVM_CONTEXT1_PAGE_TABLE_START_ADDR=0x0
 *     PDE=0x00000000f5fd0001, VA=0x0100000000, PBA==0x00f5fd0000, V=1
 *     \-> PTE=0x0000000123456077, VA=0x0000041000, PBA==0x0123456000, V=1, S=1
 *
 *     === VM Decoding of address 3@0x800100041000 ===
 *     PTE=0x0000000123456077, VA=0x0000800100041000, PBA==0x000123456000, F=0, V=1, S=1
 *     [ERROR]: No valid mapping for 3@800100041000
 */
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

#define SHORT_VA 10 /* digits */

struct walks {
    uint64_t start, vmid, pde, pde_part; /* start: of the page table; pde_part: of the address */
    bool has_vmid, has_pde;
    uint32_t line;   /* of the walk's first entry; 0: none is being read */
    uint64_t untold; /* the page of an entry that is not valid, told already */
    bool has_untold;
};

struct entry {
    uint64_t value, va, physical, valid, system;
    unsigned digits; /* of va */
    bool has_system;
};

static bool take_entry(const char *p, struct entry *e)
{
    if (!scan_find(&p, "=0x") || !scan_hex(&p, 16, &e->value) || !scan_word(&p, ", VA=0x")) return false;
    const char *digits = p;
    if (!scan_hex(&p, 16, &e->va)) return false;
    e->digits = (unsigned)(p - digits);
    const char *system = p;
    if (!scan_word(&p, ", PBA==0x") || !scan_hex(&p, 16, &e->physical) || !scan_find(&p, ", V=") ||
        !scan_decimal(&p, &e->valid))
        return false;
    e->has_system = scan_find(&system, ", S=") && scan_decimal(&system, &e->system);
    return true;
}

static void tell(struct walks *w, struct gpudbg_dump *d, uint32_t line, uint64_t address, const struct entry *pte)
{
    struct gpudbg_incident i = {.kind = &incident_page_walk,
        .line = w->line ? w->line : line,
        .last = line,
        .have = 1 | 1u << 5,
        .values = {address, w->vmid, w->pde}};
    i.have |= (w->has_vmid ? 2u : 0) | (w->has_pde ? 4u : 0);
    if (pte) {
        i.have |= 8 | (pte->valid ? 16u : 0) | (pte->has_system ? 1u << 6 : 0);
        i.values[3] = pte->value;
        i.values[4] = pte->physical;
        i.values[5] = pte->valid;
        i.values[6] = pte->system;
    }
    gpudbg_dump_incident(d, &i);
    w->has_untold = !i.values[5];
    w->untold = address >> 12;
    w->line = 0;
}

static bool take_walk(struct walks *w, struct gpudbg_dump *d, uint32_t line, const char *p)
{
    struct entry e = {.value = 0};
    scan_word(&p, "\\->");
    scan_blanks(&p);
    const bool directory = begins(p, "PDE");
    if ((!directory && !begins(p, "PTE")) || !take_entry(p, &e)) return false;
    if (!w->line) w->line = line;
    if (directory) {
        w->pde = e.value;
        w->pde_part = e.va;
        w->has_pde = true;
        return true;
    }
    tell(w, d, line, w->start + (e.digits == SHORT_VA && w->has_pde ? w->pde_part | e.va : e.va), &e);
    return true;
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct walks *w = state;
    const char *p = line->text + line->indent, *start = p;
    uint64_t address;
    if (scan_word(&p, "=== VM Decoding of address ") && scan_decimal(&p, &w->vmid) && scan_word(&p, "@0x") &&
        scan_hex(&p, 16, &address)) {
        w->vmid &= 0xff; /* the hub is above it */
        w->has_vmid = true;
        w->has_pde = false;
        w->start = w->line = 0;
        return true;
    }
    p = start;
    if (begins(p, "mmVM_CONTEXT") && scan_find(&p, "_PAGE_TABLE_START_ADDR=0x") && scan_hex(&p, 8, &w->start)) {
        w->start <<= 12;
        w->has_pde = w->has_vmid = false;
        w->line = 0;
        return false; /* it is a register, too */
    }
    p = start;
    if (scan_find(&p, "[ERROR]: No valid mapping for ") && scan_decimal(&p, &w->vmid) && scan_word(&p, "@") &&
        scan_hex(&p, 16, &address)) {
        w->vmid &= 0xff;
        w->has_vmid = true;
        address += w->start;
        if (!w->has_untold || w->untold != address >> 12) tell(w, d, line->number, address, NULL);
        return true;
    }
    return take_walk(w, d, line->number, start);
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if (!head_has(bytes, n, "=== VM Decoding of address ") && !head_has(bytes, n, ", PBA==0x") &&
        !head_has(bytes, n, "[ERROR]: No valid mapping for "))
        return 0;
    *why = "umr's walks of page tables";
    return 60;
}

static void *open_walks(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(NULL, sizeof(struct walks));
}

const struct gpudbg_reader reader_umr_vm = {
    .name = "umr-vm",
    .summary = "how page tables translate addresses, as `umr -v` prints it",
    .probe = probe,
    .open = open_walks,
    .line = take,
    .close = reader_state_free,
};
