/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aca.c: banks of the architecture in which AMD's accelerators report errors of the hardware, as amdgpu prints them, a
 * register a line; "aca entry[00]" with fewer of them in older kernels:
 *
 *     {1}[Hardware Error]: Accelerator Check Architecture events logged
 *     {1}[Hardware Error]: ACA[01/01].STATUS=0xdc2040000000011b
 *     {1}[Hardware Error]: ACA[01/01].IPID=0x0000009600350f00
 *
 * The fields of STATUS, IPID and MISC are those of amdgpu_aca.h, alike on all chips whose driver prints these lines.
 * What the codes of an error mean is each block's own: they stay numbers.
 */
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"
#include "kernel_log.h"

static const char *const names[ACA_REGISTERS] = {"STATUS", "ADDR", "MISC", "IPID", "SYND"};
enum { STATUS, ADDR, MISC, IPID, SYND };

static uint64_t bits(uint64_t value, unsigned hi, unsigned lo)
{
    return value >> lo & ((hi - lo == 63 ? 0 : UINT64_C(1) << (hi - lo + 1)) - 1);
}

static bool bit(uint64_t value, unsigned at) { return value >> at & 1; }

/* Blocks by the two numbers in IPID: amdgpu_aca.c, and Linux's mce/amd.c for processors, which share them. */
static const char *block_name(unsigned hwid, unsigned type)
{
    static const struct {
        uint16_t hwid, type;
        const char *name;
    } blocks[] = {{0x96, 0, "a memory controller (UMC)"}, {0x01, 1, "the controller of power and clocks (SMU)"},
        {0x50, 0, "the links between GPUs (PCS_XGMI)"}, {0x2e, 0, "the data fabric (CS)"},
        {0x2e, 1, "the data fabric (PIE)"}, {0x2e, 2, "the data fabric (CS)"},
        {0xff, 0, "the security processor (PSP)"}, {0xff, 1, "the security processor (PSP)"},
        {0x18, 0, "the bus interface (NBIO)"}, {0x46, 0, "PCI Express (PCIE)"}, {0x46, 1, "PCI Express (PCIE)"}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i].hwid == hwid && blocks[i].type == type) return blocks[i].name;
    return NULL;
}

static void block_text(struct text *t, uint64_t ipid)
{
    const unsigned hwid = (unsigned)bits(ipid, 43, 32), type = (unsigned)bits(ipid, 63, 48);
    const unsigned high = (unsigned)bits(ipid, 47, 44);
    const char *name = block_name(hwid, type);
    if (name)
        text_add(t, " in %s", name);
    else
        text_add(t, " in block 0x%x, type 0x%x, which gpudbg does not know", hwid, type);
    text_add(t, " of socket %u, die %u", (unsigned)(bits(ipid, 0, 0) << 2 | (high & 3)), high >> 2 & 3);
}

static void status_text(struct text *t, uint64_t status)
{
    static const struct {
        unsigned bit;
        const char *words;
    } flags[] = {{62, "others were lost"}, {57, "the block's state may be damaged"},
        {55, "a task's state may be damaged"}, {46, "ECC corrected it"}, {45, "ECC could not correct it"},
        {40, "the scrubber found it"}};
    text_add(t, ", STATUS 0x%016llx: codes 0x%x and 0x%x", (unsigned long long)status, (unsigned)bits(status, 15, 0),
        (unsigned)bits(status, 21, 16));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (bit(status, flags[i].bit)) text_add(t, "; %s", flags[i].words);
}

void aca_end(struct aca *a, struct gpudbg_dump *d)
{
    char text[480];
    struct text t = text_in(text, sizeof text);
    const uint64_t status = a->value[STATUS], misc = a->value[MISC];
    const bool has = a->have & 1u << STATUS, deferred = bit(status, 44), poison = bit(status, 43);
    const bool severe = deferred || poison || bit(status, 61) || bit(status, 57) || bit(status, 55);
    if (!a->have) return;
    if (!has) {
        text_add(&t, "a bank of errors without its STATUS: what it reports is not told");
    } else if (!bit(status, 63)) {
        text_add(&t, "a bank of errors holds none that is valid: STATUS 0x%016llx", (unsigned long long)status);
    } else {
        text_add(&t, "%s",
            deferred          ? "an error was left to whoever uses the data (deferred)"
            : poison          ? "data that was known to be damaged was used (poison)"
            : bit(status, 61) ? "an error was not corrected"
                              : "an error was corrected");
        if (a->have & 1u << IPID) block_text(&t, a->value[IPID]);
        status_text(&t, status);
        if (a->have & 1u << ADDR && bit(status, 58))
            text_add(&t, "; the block's address 0x%llx", (unsigned long long)a->value[ADDR]);
        if (a->have & 1u << SYND && bit(status, 53))
            text_add(&t, "; syndrome 0x%llx", (unsigned long long)a->value[SYND]);
        if (a->have & 1u << MISC && bit(status, 59) && bit(misc, 63) && bits(misc, 43, 32))
            text_add(&t, "; counted: %u%s", (unsigned)bits(misc, 43, 32), bit(misc, 48) ? " and more" : "");
    }
    const struct gpudbg_incident x = {.kind = severe && bit(status, 63) ? &incident_ras_error : &incident_ras_count,
        .text = text,
        .line = a->line,
        .last = a->last};
    gpudbg_dump_incident_in(d, a->capture, &x);
    *a = (struct aca){0};
}

bool aca_line(struct aca *a, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    enum { APART = 24 }; /* lines of other devices may come between */
    uint64_t bank, value;
    char name[16];
    if (a->have && line->number - a->last > APART) aca_end(a, d);
    const char *front = strstr(p, "[Hardware ");
    if (!front || (!begins(front, "[Hardware Error]: ") && !begins(front, "[Hardware error] "))) return false;
    const char *at = strstr(front, "] ") ? strstr(front, "] ") + 2 : strchr(front, ':') + 2;
    if (begins(at, "Accelerator Check Architecture")) return aca_end(a, d), false; /* phrases.c tells that */
    if ((!scan_word(&at, "ACA[") && !scan_word(&at, "aca entry[")) || !scan_decimal(&at, &bank) ||
        !scan_find(&at, "].") || !scan_name(&at, name, sizeof name) || !scan_word(&at, "="))
        return false;
    if (!scan_0x(&at, 16, &value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s of a bank of errors: no value", name);
        return true;
    }
    unsigned i = 0;
    while (i < ACA_REGISTERS && strncmp(names[i], name, strlen(names[i])) != 0) i++;
    if (a->have && (a->bank != bank || (i < ACA_REGISTERS && a->have >> i & 1))) aca_end(a, d);
    if (i == ACA_REGISTERS) { /* CONTROL, CONFIG and others: no error */
        if (a->have) a->last = line->number;
        return true;
    }
    if (!a->have) {
        a->line = line->number;
        a->bank = bank;
        a->capture = gpudbg_dump_current(d, line->number);
    }
    a->value[i] = value;
    a->have |= 1u << i;
    a->last = line->number;
    return true;
}
