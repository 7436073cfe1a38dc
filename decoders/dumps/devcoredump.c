/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devcoredump.c: amdgpu's device core dump (A6): facts, the page fault, register lists of the blocks, rings from which
 * the driver fed the GPU, the buffers of the job that did not end.  Ring pointers are dword indices, the mask cuts them
 * to the ring's size.  No version of the driver prints waves (amdgpu_dev_coredump.c of Linux 6.9 to 7.1).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

struct core {
    bool inside; /* behind the title */
    enum { FACTS, IP_DUMP, RINGS, BUFFERS, REGISTERS } part;
    char block[48];     /* IP of the list, or queue heading */
    char ring[48];      /* the stream's name: of a ring, or "IB #0" */
    char timed_out[48]; /* the ring whose job did not end */
    size_t stream;
    uint64_t next;      /* offset that the next word of the ring must have */
    uint64_t size_said; /* dwords */
    uint32_t ring_line;
    uint64_t fault;
    uint32_t fault_line;
    bool has_fault;
};

/* A ring or a buffer whose words are fewer than it says. */
static void ring_end(struct core *c, struct gpudbg_dump *d, uint32_t line)
{
    if (c->stream == NO_STREAM) return;
    struct gpudbg_stream *s = gpudbg_dump_stream_at(d, c->stream);
    const bool buffer = c->part == BUFFERS;
    if (c->size_said && s->size < c->size_said * 4) {
        s->cut = true;
        if (buffer && !s->size)
            gpudbg_dump_note(d, c->ring_line, "cut-off", "%.40s: the driver could not read its words", c->ring);
        else
            gpudbg_dump_note(d, line, "cut-off", "%s%.40s: %zu of %llu dwords are there", buffer ? "" : "ring ",
                c->ring, s->size / 4, (unsigned long long)c->size_said);
    }
    if (!s->cut && ((s->read != GPUDBG_NO_ADDR && s->read > s->size && s->size) ||
                       (s->write != GPUDBG_NO_ADDR && s->write > s->size && s->size)))
        gpudbg_dump_note(d, c->ring_line, "impossible", "ring %.40s: a pointer is past its end", c->ring);
    c->stream = NO_STREAM;
    c->size_said = 0;
}

static bool take_ring(struct core *c, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t read, write, mask, offset, value;
    const char *start = p;
    if (scan_word(&p, "ring name: ")) {
        ring_end(c, d, line->number);
        snprintf(c->ring, sizeof c->ring, "%s", p);
        struct gpudbg_stream s = {.kind = "ring",
            .unit = c->ring,
            .engine = ring_engine(c->ring),
            .addr = 0,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = line->number};
        c->stream = gpudbg_dump_stream(d, &s);
        c->next = 0;
        c->ring_line = line->number;
        c->part = RINGS;
        return true;
    }
    if (c->stream == NO_STREAM) return false;
    if (scan_word(&p, "Rptr: ") && scan_0x(&p, 16, &read) && scan_word(&p, " Wptr: ") && scan_0x(&p, 16, &write)) {
        struct gpudbg_stream *s = gpudbg_dump_stream_at(d, c->stream);
        if (scan_word(&p, " RB mask: ") && (scan_0x(&p, 8, &mask) || scan_hex(&p, 8, &mask))) {
            read &= mask;
            write &= mask;
        }
        s->read = read * 4;
        s->write = write * 4;
        struct gpudbg_record r = {.name = "rptr",
            .unit = c->ring,
            .addr = GPUDBG_NO_ADDR,
            .value = read,
            .line = line->number,
            .flags = GPUDBG_REC_DRIVER};
        gpudbg_dump_register(d, &r);
        r.name = "wptr";
        r.value = write;
        gpudbg_dump_register(d, &r);
        return true;
    }
    p = start;
    if (scan_word(&p, "Ring size in dwords: ")) {
        scan_decimal(&p, &c->size_said);
        return true;
    }
    if (begins(start, "Ring contents") || begins(start, "Offset")) return true;
    p = start;
    if (!scan_0x(&p, 8, &offset)) return false;
    scan_blanks(&p);
    if (!scan_0x(&p, 8, &value)) {
        gpudbg_dump_note(
            d, line->number, "cut-off", "ring %.40s: no value at 0x%llx", c->ring, (unsigned long long)offset);
        return true;
    }
    if (offset != c->next) {
        gpudbg_dump_note(d, line->number, "mixed", "ring %.40s: 0x%llx follows 0x%llx", c->ring,
            (unsigned long long)offset, (unsigned long long)c->next);
        struct gpudbg_stream s = *gpudbg_dump_stream_at(d, c->stream);
        gpudbg_dump_stream_at(d, c->stream)->cut = true;
        s.addr = offset;
        s.line = line->number;
        s.read = s.write = GPUDBG_NO_ADDR;
        c->stream = gpudbg_dump_stream(d, &s);
        c->size_said = 0;
    }
    stream_add(d, c->stream, value, 4, line->number);
    c->next = offset + 4;
    return true;
}

/* "IB #0 0x8000012a0000 64 dw", then a word a line: the commands of the job that did not end, from Linux 7.1 on
 * (amdgpu_devcoredump_print_ibs).  Where the buffer could not be read its words are missing. */
static bool take_buffer(struct core *c, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t number, address, size, value;
    const char *start = p;
    if (scan_word(&p, "IB #") && scan_decimal(&p, &number) && scan_word(&p, " ") && scan_0x(&p, 16, &address) &&
        scan_word(&p, " ") && scan_decimal(&p, &size) && scan_word(&p, " dw")) {
        ring_end(c, d, line->number);
        snprintf(c->ring, sizeof c->ring, "IB #%u", (unsigned)number);
        struct gpudbg_stream s = {.kind = "ib",
            .unit = c->timed_out[0] ? c->timed_out : NULL,
            .engine = c->timed_out[0] ? ring_engine(c->timed_out) : NULL,
            .addr = address,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = line->number};
        c->stream = gpudbg_dump_stream(d, &s);
        c->ring_line = line->number;
        c->size_said = size;
        c->part = BUFFERS;
        return true;
    }
    p = start;
    if (c->part != BUFFERS || c->stream == NO_STREAM || !begins(p, "0x")) return false;
    if (p[2 + strspn(p + 2, "0123456789abcdefABCDEF")] || strlen(p) != 10 || !scan_0x(&p, 8, &value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%.40s: a word without all its digits", c->ring);
        return true;
    }
    stream_add(d, c->stream, value, 4, line->number);
    return true;
}

/* "mmGRBM_STATUS    0xa0003028"; a line without a value is a heading of a pipe or queue. */
static bool take_register(struct core *c, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char name[96];
    uint64_t value, addr = GPUDBG_NO_ADDR;
    bool indirect = false;
    const char *start = p;
    if (c->part != IP_DUMP) return false;
    if (scan_word(&p, "IP: ")) {
        snprintf(c->block, sizeof c->block, "%s", p);
        return true;
    }
    p = start;
    if (scan_name(&p, name, sizeof name) && (*p == ' ' || *p == '\t')) {
        scan_blanks(&p);
        if (scan_0x(&p, 16, &value) && !*p) {
            const char *plain = plain_register(name, &addr, &indirect);
            if (gpudbg_dump_has(d, plain, c->block[0] ? c->block : NULL))
                gpudbg_dump_note(d, line->number, "mixed", "%.60s of %.40s again", plain, c->block);
            struct gpudbg_record r = {.name = plain,
                .unit = c->block[0] ? c->block : NULL,
                .addr = addr,
                .value = value,
                .line = line->number,
                .bits = value >> 32 ? 64 : 32};
            gpudbg_dump_register(d, &r);
            return true;
        }
    }
    if (strchr(start, ':') || begins(start, "pipe") || begins(start, "queue") || begins(start, "me")) {
        snprintf(c->block, sizeof c->block, "%s", start);
        c->block[strcspn(c->block, "\n")] = 0;
        size_t n = strlen(c->block);
        while (n && (c->block[n - 1] == ':' || c->block[n - 1] == ' ')) c->block[--n] = 0;
        return true;
    }
    return false;
}

/* "0x00028a40: 0x00000003": lists that somebody asked the driver for; the offsets are dword indices. */
static bool take_listed(struct core *c, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t offset, value;
    if (c->part != REGISTERS || !scan_0x(&p, 8, &offset) || !scan_word(&p, ":")) return false;
    scan_blanks(&p);
    if (!scan_0x(&p, 8, &value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "register 0x%llx: no value", (unsigned long long)offset);
        return true;
    }
    struct gpudbg_record r = {.addr = offset * 4, .value = value, .line = line->number};
    gpudbg_dump_register(d, &r);
    return true;
}

/* status: NULL if the line that has it is cut off.  Where there was no fault the driver prints zeros. */
static void page_fault(struct core *c, struct gpudbg_dump *d, const uint64_t *status, uint32_t line)
{
    const uint64_t bits = status ? *status : 0;
    if (!c->fault && !bits && status) gpudbg_dump_fact(d, line, "page-fault", "none", 0);
    if (c->fault || bits) {
        struct gpudbg_incident i = {.kind = &incident_page_fault,
            .line = c->fault_line,
            .last = line,
            .have = status ? 3 : 1,
            .values = {c->fault, bits}};
        gpudbg_dump_incident(d, &i);
    }
    size_t n;
    const uint32_t capture = gpudbg_dump_current(d, line);
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const char *family = capture < n ? captures[capture].family : NULL;
    const bool of_hub = family && (begins(family, "gfx9") || begins(family, "gfx1"));
    struct gpudbg_record r = {.name = of_hub ? "VM_L2_PROTECTION_FAULT_STATUS" : "VM_CONTEXT1_PROTECTION_FAULT_STATUS",
        .addr = GPUDBG_NO_ADDR,
        .value = bits,
        .line = line};
    if (status) gpudbg_dump_register(d, &r);
    c->has_fault = false;
}

static bool take_fact(struct core *c, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char text[128];
    uint64_t v;
    const char *start = p;
    if (begins(p, "SOC Family: ")) {
        p += 12;
        if (scan_decimal(&p, &v)) {
            gpudbg_dump_fact(d, line->number, "soc-family", NULL, v);
            if (soc_family((unsigned)v)) gpudbg_dump_family(d, line->number, soc_family((unsigned)v), NULL);
        }
        return true;
    }
    if (scan_word(&p, "SOC External Revision id: ")) { /* of family 143, the first of gfx10.3 is 0x28 (Linux, nv.c) */
        size_t n;
        const uint32_t capture = gpudbg_dump_current(d, line->number);
        const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
        const char *family = capture < n ? captures[capture].family : NULL;
        if (scan_decimal(&p, &v) && family && strcmp(family, GFX10_ALL) == 0)
            gpudbg_dump_family(d, line->number, v >= 0x28 && v < 0x80 ? "gfx10.3" : "gfx10", NULL);
        return true;
    }
    p = start;
    if (scan_word(&p, "SOC Device id: ")) {
        if (scan_decimal(&p, &v)) gpudbg_dump_fact(d, line->number, "device-id", NULL, v);
        return true;
    }
    p = start;
    if (scan_word(&p, "IP Type: ") && scan_decimal(&p, &v) && scan_word(&p, " Ring Name: ")) {
        struct gpudbg_incident i = {.kind = &incident_timeout, .unit = p, .line = line->number};
        gpudbg_dump_incident(d, &i);
        snprintf(c->timed_out, sizeof c->timed_out, "%s", p);
        return true;
    }
    p = start;
    if (scan_word(&p, "process_name: ") && scan_until(&p, " PID: ", text, sizeof text)) {
        struct gpudbg_incident i = {
            .kind = &incident_process, .text = text, .line = line->number, .have = scan_decimal(&p, &v), .values = {v}};
        gpudbg_dump_incident(d, &i);
        return true;
    }
    p = start;
    if (scan_word(&p, "Faulty page starting at address")) { /* older kernels: no colon */
        p += strspn(p, ": ");
        c->has_fault = scan_0x(&p, 16, &c->fault);
        c->fault_line = line->number;
        return true;
    }
    p = start;
    if (scan_word(&p, "Protection fault status register:")) {
        scan_blanks(&p);
        if (c->has_fault && scan_0x(&p, 8, &v)) page_fault(c, d, &v, line->number);
        return true;
    }
    if (begins(start, "VRAM lost check is skipped")) {
        gpudbg_dump_fact(d, line->number, "vram", "whether it was lost is not known: the driver did not look", 0);
        return true;
    }
    if (begins(start, "VRAM is lost")) {
        struct gpudbg_incident i = {.kind = &incident_vram_lost, .line = line->number};
        gpudbg_dump_incident(d, &i);
        return true;
    }
    static const char *const keys[] = {"kernel", "module", "time", "version"};
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(keys[i]);
        if (strncmp(start, keys[i], n) == 0 && start[n] == ':') {
            const char *value = start + n + 1;
            scan_blanks(&value);
            gpudbg_dump_fact(d, line->number, keys[i], value, 0);
            return true;
        }
    }
    return false;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "the title of amdgpu's device core dump";
    return head_has(bytes, n, "**** AMDGPU Device Coredump ****") ? 90 : 0;
}

static void *open_core(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct core){.stream = NO_STREAM}, sizeof(struct core));
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct core *c = state;
    const char *p = line->text + line->indent;
    if (strstr(p, "**** AMDGPU Device Coredump ****")) {
        ring_end(c, d, line->number);
        c->inside = true;
        c->part = FACTS;
        c->timed_out[0] = 0;
        gpudbg_dump_capture(d, line->number, "device core dump");
        return true;
    }
    if (!c->inside || !*p) return false;
    if (begins(p, "IP Dump")) {
        c->part = IP_DUMP;
        c->block[0] = 0;
        return true;
    }
    if (begins(p, "Ring buffer information")) {
        c->part = RINGS;
        return true;
    }
    if (begins(p, "AMDGPU register dumps:")) {
        ring_end(c, d, line->number);
        c->part = REGISTERS;
        return true;
    }
    return take_buffer(c, d, line, p) || take_ring(c, d, line, p) || take_listed(c, d, line, p) ||
           take_fact(c, d, line, p) || take_register(c, d, line, p);
}

static void close_core(void *state, struct gpudbg_dump *d)
{
    struct core *c = state;
    ring_end(c, d, gpudbg_dump_lines(d));
    if (c->has_fault) page_fault(c, d, NULL, c->fault_line);
    free(c);
}

const struct gpudbg_reader reader_devcoredump = {
    .name = "devcoredump",
    .summary = "amdgpu's device core dump",
    .probe = probe,
    .open = open_core,
    .line = take,
    .close = close_core,
};
