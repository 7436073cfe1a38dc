/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * umr_ring.c: rings and indirect buffers as umr prints them (A5).  Only the raw words are taken; they are decoded again here.
 *
 *     bonaire.gfx.ring[ 512] == 0xc0012800   r..     index, word, read and write pointers
 *     [0@0x00000400 + 0x0004]	[        0x00000200]	|---> OFFSET=0x200
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

#define NO_STREAM ((size_t)-1)

struct ring {
    size_t stream;
    uint64_t next;       /* address or index that the next word must have */
    char unit[64];
    bool is_ring;
    uint64_t vmid;
    uint32_t header;     /* the packet being printed */
    uint64_t header_at;
    bool packets;        /* there were some of the command processor */
};

static void add(struct gpudbg_dump *d, size_t stream, uint64_t value, unsigned n, uint32_t line)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    gpudbg_dump_stream_add(d, stream, bytes, n, line);
}

/* ---- Rings ---- */

static bool take_ring(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent, *at = strstr(p, ".ring[");
    char unit[64];
    uint64_t index, word;
    if (!at || (size_t)(at - p) >= sizeof unit)
        return false;
    memcpy(unit, p, (size_t)(at - p));
    unit[at - p] = 0;
    at += 6;
    scan_blanks(&at);
    if (!scan_decimal(&at, &index) || !scan_word(&at, "]"))
        return false;
    scan_blanks(&at);
    scan_word(&at, "==");
    scan_blanks(&at);
    if (!scan_0x(&at, 8, &word)) {
        gpudbg_dump_note(d, line->number, "cut-off", "a ring's word without a value");
        return true;
    }
    char *dot = strchr(unit, '.');
    if (dot) {
        *dot = 0;
        if (chip_family(unit))
            gpudbg_dump_family(d, line->number, chip_family(unit), unit);
        memmove(unit, dot + 1, strlen(dot + 1) + 1);
    }
    if (r->stream == NO_STREAM || !r->is_ring || strcmp(unit, r->unit) != 0 || r->next != index) {
        struct gpudbg_stream s = {.kind = "ring", .unit = unit, .engine = ring_engine(unit), .addr = index * 4, .read = GPUDBG_NO_ADDR, .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX, .line = line->number};
        r->stream = gpudbg_dump_stream(d, &s);
        r->is_ring = true;
        r->packets = true;
        strcpy(r->unit, unit);
    }
    scan_blanks(&at);
    struct gpudbg_stream *s = gpudbg_dump_stream_at(d, r->stream);
    if (at[0] == 'r')
        s->read = s->size;
    if (at[0] && at[1] == 'w')
        s->write = s->size;
    add(d, r->stream, word, 4, line->number);
    r->next = index + 1;
    return true;
}

/* "bonaire.gfx.rptr == 12" */
static bool take_pointer(struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    static const char *const names[] = {".drv_wptr", ".rptr", ".wptr"};
    const char *p = line->text + line->indent;
    uint64_t value;
    for (int i = 0; i < 3; i++) {
        const char *at = strstr(p, names[i]);
        char unit[64];
        if (!at || at == p || (size_t)(at - p) >= sizeof unit)
            continue;
        memcpy(unit, p, (size_t)(at - p));
        unit[at - p] = 0;
        at += strlen(names[i]);
        scan_blanks(&at);
        if (!scan_word(&at, "=="))
            return false;
        scan_blanks(&at);
        if (!scan_decimal(&at, &value))
            return false;
        const char *dot = strchr(unit, '.');
        struct gpudbg_record r = {.name = names[i] + 1, .unit = dot ? dot + 1 : unit, .addr = GPUDBG_NO_ADDR, .value = value,
            .line = line->number, .flags = GPUDBG_REC_DRIVER, .bits = value >> 32 ? 64 : 32};
        gpudbg_dump_register(d, &r);
        return true;
    }
    return false;
}

/* ---- Indirect buffers ---- */

/* Some versions leave out the word with a register's offset and only name the register: it is put back where the database
 * knows the register, else the buffer goes on as another stream. */
static bool put_offset_back(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *text)
{
    static const struct {
        uint8_t opcode;
        uint32_t base;
    } set[] = {{0x68, 0x8000}, {0x69, 0x28000}, {0x76, 0xb000}, {0x79, 0x30000}};
    char ip[64], name[96];
    uint64_t ignored;
    bool indirect;
    if (!scan_word(&text, "|---> ") || !scan_until(&text, ".", ip, sizeof ip) || !scan_name(&text, name, sizeof name))
        return false;
    const char *family = block_family(ip);
    struct gpudbg *g = gpudbg_dump_session(d);
    const struct gpudbg_reg *reg = family && g ? gpudbg_reg_named(g, family, plain_register(name, &ignored, &indirect)) : NULL;
    for (int i = 0; reg && i < 4; i++) {
        if (set[i].opcode == (r->header >> 8 & 0xff) && r->header >> 30 == 3 && reg->addr >= set[i].base) {
            add(d, r->stream, (reg->addr - set[i].base) / 4, 4, line->number);
            r->next += 4;
            return true;
        }
    }
    return false;
}

static bool take_word(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t vmid, base, offset, word;
    char bare[24];
    if (!scan_word(&p, "[") || !scan_decimal(&p, &vmid) || !scan_word(&p, "@") || !scan_0x(&p, 16, &base) || !scan_word(&p, " + ") ||
        !scan_0x(&p, 8, &offset) || !scan_word(&p, "]"))
        return false;
    scan_blanks(&p);
    if (!scan_word(&p, "["))
        return true;
    scan_blanks(&p);
    const char *digits = p;
    if (!scan_0x(&p, 16, &word) || *p != ']') {
        gpudbg_dump_note(d, line->number, "cut-off", "a packet's word without a value");
        return true;
    }
    unsigned n = (unsigned)(p - digits - 2) / 2; /* bytes: 2, 4 or 8 */
    p++;
    scan_blanks(&p);
    const bool header = strncmp(p, "Opcode ", 7) == 0;
    const bool aql = header && strstr(p, "[HSA_") != NULL;
    if (aql)
        n = 2;
    const char *family_at = strstr(p, "|---> ");
    if (family_at && scan_find(&family_at, "|---> ") && scan_until(&family_at, ".", bare, sizeof bare) && block_family(bare))
        gpudbg_dump_family(d, line->number, block_family(bare), NULL);
    const uint64_t addr = base + offset;
    bool goes_on = r->stream != NO_STREAM && !r->is_ring && r->next == addr && r->vmid == vmid;
    if (!goes_on && r->stream != NO_STREAM && !r->is_ring && r->vmid == vmid && r->next + 4 == addr && r->header_at + 4 == r->next)
        goes_on = put_offset_back(r, d, line, p);
    if (!goes_on) {
        struct gpudbg_stream s = {.kind = aql ? "aql" : "ib", .addr = addr, .read = GPUDBG_NO_ADDR, .write = GPUDBG_NO_ADDR,
            .vmid = (uint32_t)vmid, .line = line->number};
        if (r->stream != NO_STREAM && !r->is_ring && r->vmid == vmid && addr > r->next && addr - r->next < 4096) {
            gpudbg_dump_stream_at(d, r->stream)->cut = true;
            gpudbg_dump_note(d, line->number, "cut-off", "%llu bytes before 0x%llx are not printed", (unsigned long long)(addr - r->next),
                (unsigned long long)addr);
        }
        r->stream = gpudbg_dump_stream(d, &s);
        r->packets |= !aql;
        r->is_ring = false;
        r->vmid = vmid;
    }
    add(d, r->stream, word, n, line->number);
    r->next = addr + n;
    if (header) {
        r->header = (uint32_t)word;
        r->header_at = addr;
    }
    return true;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if (head_has(bytes, n, "]\t[        0x") || head_has(bytes, n, "Decoding IB at ")) {
        *why = "umr's packets";
        return 65;
    }
    if (head_has(bytes, n, ".ring[")) {
        *why = "umr's rings";
        return 65;
    }
    return 0;
}

static void *open_ring(struct gpudbg_dump *d)
{
    (void)d;
    struct ring *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->stream = NO_STREAM;
    return r;
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct ring *r = state;
    if (strncmp(line->text + line->indent, "Decoding IB at ", 15) == 0) {
        r->stream = NO_STREAM;
        return true;
    }
    return take_word(r, d, line) || take_ring(r, d, line) || take_pointer(d, line);
}

static void close_ring(void *state, struct gpudbg_dump *d)
{
    struct ring *r = state;
    if (r->packets)
        gpudbg_dump_assume(d, "gfx7", "umr's rings do not name the chip");
    free(state);
}

const struct gpudbg_reader reader_umr_ring = {
    .name = "umr-ring", .summary = "umr's rings and indirect buffers", .probe = probe, .open = open_ring, .line = take, .close = close_ring,
};
