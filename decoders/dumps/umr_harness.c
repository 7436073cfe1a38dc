/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * umr_harness.c: what umr's test harness records of a device: registers, pieces of memory, a ring, tables of the
 * driver.
 *
 *     MMIO@0x8010 = { 0xa0003028 } ; gfx720.mmGRBM_STATUS
 *     VRAM@0x9ab800 = {01a09a0002000000}                        bytes in memory order; SYSRAM alike
 *     RINGDATA = { 0x0, 0x6, 0x6, 0xc0012d00, ... }             read, write, driver's write pointer, words
 */
#include <stdio.h>
#include <string.h>
#include "dumps.h"

static void take_register(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t addr, value;
    char ip[64] = "", name[96] = "";
    bool indirect = false;
    uint64_t ignored;
    bool good = scan_0x(&p, 8, &addr) && scan_word(&p, " = {");
    const char *comment = good ? strchr(p, ';') : NULL;
    if (comment) {
        comment++;
        scan_blanks(&comment);
        if (!scan_until(&comment, ".", ip, sizeof ip) || !scan_name(&comment, name, sizeof name)) name[0] = 0;
        if (block_family(ip)) gpudbg_dump_family(d, line->number, block_family(ip), NULL);
    }
    scan_blanks(&p);
    if (!good || !scan_0x(&p, 8, &value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "a register has no value");
        return;
    }
    for (;;) { /* a register may have been read several times: all its values stand here */
        struct gpudbg_record r = {.name = name[0] ? plain_register(name, &ignored, &indirect) : NULL,
            .unit = ip[0] ? ip : NULL,
            .addr = addr,
            .value = value,
            .line = line->number};
        gpudbg_dump_register(d, &r);
        scan_word(&p, ",");
        scan_blanks(&p);
        if (!scan_0x(&p, 8, &value)) break;
    }
}

static void take_bytes(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *kind, const char *p)
{
    struct gpudbg_stream s = {
        .kind = kind, .read = GPUDBG_NO_ADDR, .write = GPUDBG_NO_ADDR, .vmid = UINT32_MAX, .line = line->number};
    uint64_t byte;
    if (!scan_0x(&p, 16, &s.addr) || !scan_find(&p, "{")) {
        gpudbg_dump_note(d, line->number, "cut-off", "the memory has no address");
        return;
    }
    const size_t stream = gpudbg_dump_stream(d, &s);
    for (scan_blanks(&p); p[0] && p[0] != '}' && p[1];) {
        const char two[3] = {p[0], p[1], 0}, *at = two;
        if (!scan_hex(&at, 2, &byte) || *at) break;
        const uint8_t b = (uint8_t)byte;
        gpudbg_dump_stream_add(d, stream, &b, 1, 0);
        p += 2;
    }
    scan_blanks(&p);
    if (*p != '}') {
        gpudbg_dump_stream_at(d, stream)->cut = true;
        gpudbg_dump_note(d, line->number, "cut-off", "memory at 0x%llx ends early", (unsigned long long)s.addr);
    }
}

static void take_ring(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const char *const pointers[] = {"rptr", "wptr", "drv_wptr"};
    struct gpudbg_stream s = {.kind = "ring",
        .addr = GPUDBG_NO_ADDR,
        .read = GPUDBG_NO_ADDR,
        .write = GPUDBG_NO_ADDR,
        .vmid = UINT32_MAX,
        .line = line->number};
    uint64_t word;
    size_t stream = 0;
    if (!scan_find(&p, "{")) return;
    for (unsigned i = 0;; i++) {
        scan_blanks(&p);
        if (!scan_0x(&p, 8, &word)) break;
        if (i < 3) {
            struct gpudbg_record r = {.name = pointers[i],
                .unit = "ring",
                .addr = GPUDBG_NO_ADDR,
                .value = word,
                .line = line->number,
                .flags = GPUDBG_REC_DRIVER};
            gpudbg_dump_register(d, &r);
        } else {
            if (i == 3) stream = gpudbg_dump_stream(d, &s);
            stream_add(d, stream, word, 4, 0);
        }
        scan_word(&p, ",");
    }
    if (*p != '}') gpudbg_dump_note(d, line->number, "cut-off", "a ring that ends early");
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    (void)state;
    if (scan_word(&p, "MMIO@"))
        take_register(d, line, p);
    else if (scan_word(&p, "VRAM@"))
        take_bytes(d, line, "vram", p);
    else if (scan_word(&p, "SYSRAM@"))
        take_bytes(d, line, "sysram", p);
    else if (begins(p, "RINGDATA = {"))
        take_ring(d, line, p);
    else if (begins(p, "GCACONFIG = {") || begins(p, "DISCOVERY = {"))
        gpudbg_dump_fact(
            d, line->number, *p == 'G' ? "gcaconfig" : "discovery", "a table of the driver; not decoded", 0);
    else
        return false;
    return true;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "records of umr's test harness";
    return head_has(bytes, n, "MMIO@0x") || head_has(bytes, n, "GCACONFIG = {") || head_has(bytes, n, "VRAM@0x") ? 50
                                                                                                                 : 0;
}

const struct gpudbg_reader reader_umr_harness = {
    .name = "umr-harness",
    .summary = "recordings of umr's test harness",
    .probe = probe,
    .line = take,
};
