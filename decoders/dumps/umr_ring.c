/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * umr_ring.c: rings and indirect buffers as umr prints them (A5).  Only the raw words are taken; they are decoded again
 * here.
 *
 *     bonaire.gfx.ring[ 512] == 0xc0012800   r..     index, word, read and write pointers
 *     [0@0x00000400 + 0x0004]	[        0x00000200]	|---> OFFSET=0x200        VMID@base + offset; newer versions write
 *                                                                            the VMID in hex
 *     Dumping IB at (gfxhub) VMID:5 0x101ff7000 of 7376 words from ring[1549]    older versions, with --ring and
 *                                                                                --dump-ib
 *     IB[5@0x101ff7000 + 0x4   ] = 0x00000800 ... |---+ PKT3 OPCODE 0x3f, ...
 *     IB[    1] = 0x00000800 ... |---+ PKT3 OPCODE 0x3f, ...                    still older ones
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

struct ring {
    size_t stream;
    uint64_t next; /* address or index that the next word must have */
    char unit[64];
    bool is_ring;
    uint64_t vmid;
    uint64_t dumped, dumped_vmid; /* the buffer that the latest "Dumping IB" announced */
    bool from_ring;               /* ... and what ran it: the ring printed above */
    uint32_t header;              /* the packet being printed */
    uint64_t header_at;
    bool packets; /* there were some of the command processor */
};

/* ---- Rings ---- */

static bool take_ring(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent, *at = strstr(p, ".ring[");
    char unit[64];
    uint64_t index, word;
    if (!at || (size_t)(at - p) >= sizeof unit) return false;
    memcpy(unit, p, (size_t)(at - p));
    unit[at - p] = 0;
    at += 6;
    scan_blanks(&at);
    if (!scan_decimal(&at, &index) || !scan_word(&at, "]")) return false;
    scan_blanks(&at);
    scan_word(&at, "==");
    scan_blanks(&at);
    if (!scan_0x(&at, 8, &word)) {
        gpudbg_dump_note(d, line->number, "cut-off", "a word of a ring has no value");
        return true;
    }
    char *dot = strchr(unit, '.');
    if (dot) {
        *dot = 0;
        if (chip_family(unit)) gpudbg_dump_family(d, line->number, chip_family(unit), unit);
        memmove(unit, dot + 1, strlen(dot + 1) + 1);
    }
    if (r->stream == NO_STREAM || !r->is_ring || strcmp(unit, r->unit) != 0 || r->next != index) {
        struct gpudbg_stream s = {.kind = "ring",
            .unit = unit,
            .engine = ring_engine(unit),
            .addr = index * 4,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = line->number};
        r->stream = gpudbg_dump_stream(d, &s);
        r->is_ring = true;
        r->packets = true;
        snprintf(r->unit, sizeof r->unit, "%s", unit);
    }
    scan_blanks(&at);
    struct gpudbg_stream *s = gpudbg_dump_stream_at(d, r->stream);
    if (at[0] == 'r') s->read = s->size;
    if (at[0] && at[1] == 'w') s->write = s->size;
    stream_add(d, r->stream, word, 4, line->number);
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
        if (!at || at == p || (size_t)(at - p) >= sizeof unit) continue;
        memcpy(unit, p, (size_t)(at - p));
        unit[at - p] = 0;
        at += strlen(names[i]);
        scan_blanks(&at);
        if (!scan_word(&at, "==")) return false;
        scan_blanks(&at);
        if (!scan_decimal(&at, &value)) return false;
        const char *dot = strchr(unit, '.');
        struct gpudbg_record r = {.name = names[i] + 1,
            .unit = dot ? dot + 1 : unit,
            .addr = GPUDBG_NO_ADDR,
            .value = value,
            .line = line->number,
            .flags = GPUDBG_REC_DRIVER,
            .bits = value >> 32 ? 64 : 32};
        gpudbg_dump_register(d, &r);
        return true;
    }
    return false;
}

/* ---- Indirect buffers ---- */

/* Some versions leave out the word with a register's offset and only name the register: it is put back where the
 * database knows the register, else the buffer goes on as another stream. */
static bool put_offset_back(
    struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *text)
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
    struct regdb *databases = gpudbg_dump_databases(d);
    const struct gpudbg_reg *reg = family
                                       ? gpudbg_reg_named(databases, family, plain_register(name, &ignored, &indirect))
                                       : NULL;
    for (int i = 0; reg && i < 4; i++) {
        if (set[i].opcode == (r->header >> 8 & 0xff) && r->header >> 30 == 3 && reg->addr >= set[i].base) {
            stream_add(d, r->stream, (reg->addr - set[i].base) / 4, 4, line->number);
            r->next += 4;
            return true;
        }
    }
    return false;
}

/* A VMID and its hub, 8 bits each, in decimal or with 0x. */
static bool scan_vmid(const char **p, uint64_t *vmid)
{
    const bool good = scan_0x(p, 8, vmid) || scan_decimal(p, vmid);
    *vmid &= 0xff;
    return good;
}

/* A word of a buffer. */
struct word {
    uint64_t vmid, addr, value;
    unsigned bytes;   /* 2, 4 or 8 */
    bool header;      /* the first of a packet */
    bool aql;         /* ... of a user's queue */
    bool sdma;        /* ... of the DMA engine: those have suboperations */
    const char *text; /* what umr says of it */
};

static void take(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const struct word *w)
{
    bool goes_on = r->stream != NO_STREAM && !r->is_ring && r->next == w->addr && r->vmid == w->vmid;
    if (!goes_on && r->stream != NO_STREAM && !r->is_ring && r->vmid == w->vmid && r->next + 4 == w->addr &&
        r->header_at + 4 == r->next)
        goes_on = put_offset_back(r, d, line, w->text);
    if (!goes_on) {
        struct gpudbg_stream s = {.kind = w->aql ? "aql" : "ib",
            .engine = w->sdma        ? "sdma"
                      : r->from_ring ? ring_engine(r->unit)
                                     : NULL,
            .addr = w->addr,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = (uint32_t)w->vmid,
            .line = line->number};
        if (r->stream != NO_STREAM && !r->is_ring && r->vmid == w->vmid && w->addr > r->next &&
            w->addr - r->next < 4096) {
            gpudbg_dump_stream_at(d, r->stream)->cut = true;
            gpudbg_dump_note(d, line->number, "cut-off", "%llu bytes before 0x%llx are not printed",
                (unsigned long long)(w->addr - r->next), (unsigned long long)w->addr);
        }
        r->stream = gpudbg_dump_stream(d, &s);
        r->packets |= !w->aql;
        r->is_ring = false;
        r->vmid = w->vmid;
    }
    stream_add(d, r->stream, w->value, w->bytes, line->number);
    r->next = w->addr + w->bytes;
    if (w->header) {
        r->header = (uint32_t)w->value;
        r->header_at = w->addr;
    }
}

/* "[0@0x00000400 + 0x0004] [        0x00000200] |---> OFFSET=0x200" */
static bool take_word(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t base, offset;
    char bare[24];
    struct word w;
    if (!scan_word(&p, "[") || !scan_vmid(&p, &w.vmid) || !scan_word(&p, "@") || !scan_0x(&p, 16, &base) ||
        !scan_word(&p, " + ") || !scan_0x(&p, 8, &offset) || !scan_word(&p, "]"))
        return false;
    scan_blanks(&p);
    if (!scan_word(&p, "[")) return true;
    scan_blanks(&p);
    const char *digits = p;
    if (!scan_0x(&p, 16, &w.value) || *p != ']') {
        gpudbg_dump_note(d, line->number, "cut-off", "a word of a packet has no value");
        return true;
    }
    w.bytes = (unsigned)(p - digits - 2) / 2;
    p++;
    scan_blanks(&p);
    w.text = p;
    w.addr = base + offset;
    w.header = scan_word(&p, "Opcode ");
    w.aql = w.header && strstr(p, "[HSA_") != NULL;
    w.sdma = w.header && p[strcspn(p, "/ ")] == '/';
    if (w.aql) w.bytes = 2;
    const char *family_at = strstr(w.text, "|---> ");
    if (family_at && scan_find(&family_at, "|---> ") && scan_until(&family_at, ".", bare, sizeof bare) &&
        block_family(bare))
        gpudbg_dump_family(d, line->number, block_family(bare), NULL);
    take(r, d, line, &w);
    return true;
}

/* "IB[5@0x101ff7000 + 0x4   ] = 0x00000800 ... TEXT", "IB[    1] = 0x00000800 ... TEXT" */
static bool take_dumped_word(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t base = r->dumped, offset;
    struct word w = {.vmid = r->dumped_vmid, .bytes = 4};
    if (!scan_word(&p, "IB[")) return false;
    scan_blanks(&p);
    const char *place = p;
    if (scan_vmid(&p, &w.vmid) && scan_word(&p, "@")) {
        if (!scan_0x(&p, 16, &base) || !scan_word(&p, " + ") || !scan_0x(&p, 8, &offset)) return false;
    } else {
        p = place;
        w.vmid = r->dumped_vmid;
        if (!scan_decimal(&p, &offset)) return false;
        offset *= 4;
    }
    scan_blanks(&p);
    if (!scan_word(&p, "] = ")) return false;
    if (!scan_0x(&p, 8, &w.value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "a word of a packet has no value");
        return true;
    }
    scan_blanks(&p);
    scan_word(&p, "...");
    scan_blanks(&p);
    w.addr = base + offset;
    w.text = p;
    w.sdma = scan_word(&p, "OPCODE: [");
    w.header = w.sdma || begins(p, "PKT");
    take(r, d, line, &w);
    return true;
}

/* "Decoding IB at ...": the next word begins a buffer; "Dumping IB at (gfxhub) VMID:5 0x101ff7000 of 7376 words from
 * ring[1549]" says where. */
static bool take_title(struct ring *r, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t vmid, base;
    const bool dumping = scan_word(&p, "Dumping IB at ");
    if (!dumping && !scan_word(&p, "Decoding IB at ")) return false;
    r->stream = NO_STREAM;
    r->from_ring = false;
    if (dumping && scan_find(&p, "VMID:") && scan_vmid(&p, &vmid)) {
        scan_blanks(&p);
        r->dumped_vmid = vmid;
        r->dumped = scan_0x(&p, 16, &base) ? base : 0;
        r->from_ring = strstr(p, "from ring[") != NULL;
    }
    return true;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if (head_has(bytes, n, "]\t[        0x") || head_has(bytes, n, "Decoding IB at ") ||
        head_has(bytes, n, "Dumping IB at ")) {
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
    return reader_state(&(struct ring){.stream = NO_STREAM}, sizeof(struct ring));
}

static bool take_line(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct ring *r = state;
    return take_title(r, line) || take_word(r, d, line) || take_dumped_word(r, d, line) || take_ring(r, d, line) ||
           take_pointer(d, line);
}

static void close_ring(void *state, struct gpudbg_dump *d)
{
    struct ring *r = state;
    if (r->packets) gpudbg_dump_assume(d, "gfx7", "umr's rings do not name the chip");
    free(state);
}

const struct gpudbg_reader reader_umr_ring = {
    .name = "umr-ring",
    .summary = "umr's rings and indirect buffers",
    .probe = probe,
    .open = open_ring,
    .line = take_line,
    .close = close_ring,
};
