/* SPDX-License-Identifier: GPL-3.0-or-later */
/* intel_fault.c: faults of Intel's GPUs: a heading, then a line each for address, kind, place. */
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

void intel_fault_end(struct intel_fault *f, struct gpudbg_dump *d)
{
    struct gpudbg_incident *i = &f->incident;
    if (f->unit[0]) i->unit = f->unit;
    if (f->space[0]) i->text = f->space;
    i->kind = &incident_gpu_fault;
    if (i->have & 1) gpudbg_dump_incident(d, i); /* without an address nothing was told */
    f->incident = (struct gpudbg_incident){0};
    f->unit[0] = f->space[0] = 0;
}

/* i915: "Addr: 0x678fa000", "Addr: 0x00012345_678fa000"; xe: "Faulted Address: 0x00012345678fa000".  All digits are
 * there and it begins a page, or the line was cut. */
static bool scan_fault_address(const char **at, bool xe, uint64_t *address)
{
    uint64_t low;
    const char *p = *at, *start = p;
    if (!scan_0x(&p, 16, address)) return false;
    *at = p;
    if (xe) return p - start == 18;
    const char *second = p;
    if (scan_word(&p, "_") && scan_hex(&p, 8, &low)) {
        *address = *address << 32 | low;
        return *at = p, p - second == 9;
    }
    return p == second && p - start == 10 && !(*address & 0xfff);
}

/* Several are on one line: what follows is taken, too. */
static bool rest_of_line(
    struct intel_fault *f, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    p += strspn(p, ", \t");
    if (*p) intel_fault_line(f, d, line, p);
    return true;
}

bool intel_fault_line(struct intel_fault *f, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const struct {
        const char *word;
        unsigned value;
    } numbers[] = {/* i915; xe */
        {"Source ID: ", 2}, {"Type: ", 3}, {"Level: ", 5}, {"ASID: ", 4}, {"FaultType: ", 3}, {"AccessType: ", 1},
        {"FaultLevel: ", 5}};
    struct gpudbg_incident *i = &f->incident;
    uint64_t v;
    const bool new = strcmp(p, "Unexpected fault") == 0 || begins(p, "ASID: ") ||
                     (!i->line && begins(p, "Faulted Address: ")); /* the lines before it are missing */
    if (new || (i->line && (line->number - i->line > 40 || lines_apart(f->time, line->time, FAULT_SECONDS))))
        intel_fault_end(f, d);
    if (new) {
        i->line = line->number;
        f->time = line->time;
    }
    if (!i->line) return false;
    i->last = line->number;
    if (scan_word(&p, "Address space: ")) {
        snprintf(f->space, sizeof f->space, "%s", p);
        return true;
    }
    if (scan_word(&p, "EngineClass: ")) {
        if (scan_decimal(&p, &v) && scan_word(&p, " "))
            snprintf(f->unit, sizeof f->unit, "%.*s", (int)strcspn(p, " ,\t"), p);
        if (strstr(p, "EngineInstance: ")) intel_fault_end(f, d);
        return true;
    }
    const bool xe = scan_word(&p, "Faulted Address: ");
    if (xe || scan_word(&p, "Addr: ")) {
        if (scan_fault_address(&p, xe, &i->values[0]))
            i->have |= 1;
        else
            gpudbg_dump_note(d, line->number, "cut-off", "the fault has no address");
        return rest_of_line(f, d, line, p);
    }
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (scan_word(&p, numbers[n].word)) {
            if (scan_decimal(&p, &i->values[numbers[n].value])) i->have |= 1u << numbers[n].value;
            if (*p) return rest_of_line(f, d, line, p);
            if (numbers[n].word[0] == 'T' || numbers[n].word[0] == 'L') intel_fault_end(f, d); /* i915's last line */
            return true;
        }
    if (!begins(p, "EngineInstance: ")) return new;
    intel_fault_end(f, d); /* xe's last line */
    return true;
}
