/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * i915_error.c: i915's error state (I1).  Keys are matched without blanks and brackets, which differ by kernel; a
 * register belongs to the engine whose "command stream:" stands above.  Objects are hex lines, or one line of ASCII85,
 * packed (":") or not. The core dump of Xe, the driver after i915, is read too: other titles, "RING_" before keys,
 * objects by address.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "kernel_log.h"

#define XE_TITLE "**** Xe Device Coredump ****"

struct state {
    struct guc_state guc;
    bool inside;
    char engine[32];            /* canonical: "rcs0" */
    size_t stream;              /* object whose contents follow */
    uint64_t next;              /* offset that the next hex line must have */
    bool list;                  /* inside "Active [n]:" and the like */
    char section[32];           /* "pipe0": a part of the display, whose values have no 0x; "" outside */
    uint64_t start, head, tail; /* of the ring buffer of the engine being read, for its pointers */
    struct pointers {
        char engine[32];
        uint64_t head, tail;
        bool has;
    } ring[16];
    size_t nrings;
    uint64_t batch[8]; /* addresses of the job's batches */
    size_t nbatches;
};

/* ---- Engines ---- */

/* "render command stream", "rcs0 command stream", "bsd ring": the newer name. */
static const char *engine_name(const char *word)
{
    static const char *const old[][2] = {{"render", "rcs0"}, {"blitter", "bcs0"}, {"blt", "bcs0"}, {"bsd", "vcs0"},
        {"bsd2", "vcs1"}, {"vebox", "vecs0"}, {"video enhancement", "vecs0"}};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (strcmp(old[i][0], word) == 0) return old[i][1];
    return word;
}

/* The kind of engine whose commands are its own. */
static const char *engine_kind(const char *name)
{
    return begins(name, "vcs") ? "video" : begins(name, "vecs") ? "enhancer" : NULL;
}

static bool known_engine(const char *name)
{
    size_t n = strcspn(name, "0123456789");
    return (n == 3 && (begins(name, "rcs") || begins(name, "bcs") || begins(name, "vcs") || begins(name, "ccs"))) ||
           (n == 4 && begins(name, "vecs"));
}

static bool take_engine(struct state *s, const char *p)
{
    char word[32];
    const char *at = p;
    if (!scan_until(&at, " command stream:", word, sizeof word) &&
        !(scan_until(&at, " (physical), logical", word, sizeof word) && known_engine(word)))
        return false;
    snprintf(s->engine, sizeof s->engine, "%s", engine_name(word));
    s->stream = NO_STREAM;
    s->list = false;
    s->section[0] = 0;
    return true;
}

/* Keys of registers; reg: the database's name, behind "RCS_", "VCS_" and so on where it begins with "_"; NULL: it is
 * the key. */
static const struct {
    const char *key, *reg;
    bool driver;
} keys[] = {
    {"START", "_RING_BUFFER_START", false},
    {"HEAD", "_RING_BUFFER_HEAD", false},
    {"TAIL", "_RING_BUFFER_TAIL", false},
    {"CTL", "_RING_BUFFER_CTL", false},
    {"MODE", "_MI_MODE", false},
    {"HWS", "_HWS_PGA", false},
    {"ACTHD", "_ACTHD", false},
    {"IPEIR", "_IPEIR", false},
    {"IPEHR", "_IPEHR", false},
    {"ESR", "_ESR", false},
    {"INSTDONE", "_INSTDONE", false},
    {"INSTDONE1", "INSTDONE_2", false},
    {"SC_INSTDONE", NULL, false},
    {"SC_INSTDONE_EXTRA", NULL, false},
    {"SC_INSTDONE_EXTRA2", NULL, false},
    {"BBADDR", "_BBADDR", false},
    {"BB_STATE", "_BB_STATE", false},
    {"INSTPS", "_INSTPS", false},
    {"INSTPM", NULL, false},
    {"FADDR", "_FADDR", false},
    {"RC PSMI", "_RC_PSMI_CTRL", false},
    {"FAULT_REG", "_FAULT_REG", false},
    {"NOPID", "_NOPID", false},
    {"EXCC", "_EXCC", false},
    {"CMD_CCTL", "_CMD_CCTL", false},
    {"CSCMDOP", "_CSCMDOP", false},
    {"CTX_SR_CTL", "_CTX_SR_CTL", false},
    {"DMA_FADDR_HI", "_DMA_FADDR_HI", false},
    {"DMA_FADDR_LO", "_DMA_FADDR_LO", false},
    {"GFX_MODE", "_GFX_MODE", false},
    {"PP_DIR_BASE", "_PP_DIR_BASE", false},
    {"seqno", NULL, true},
    {"ring->head", NULL, true},
    {"ring->tail", NULL, true},
    {"hung", NULL, true},
    {"engine reset count", NULL, true},
    /* as Xe calls them */
    {"RING_START", "_RING_BUFFER_START", false},
    {"RING_HEAD", "_RING_BUFFER_HEAD", false},
    {"RING_TAIL", "_RING_BUFFER_TAIL", false},
    {"RING_CTL", "_RING_BUFFER_CTL", false},
    {"RING_MI_MODE", "_MI_MODE", false},
    {"RING_MODE", "_GFX_MODE", false},
    {"RING_HWS_PGA", "_HWS_PGA", false},
    {"RING_ESR", "_ESR", false},
    {"RING_IPEHR", "_IPEHR", false},
    {"RING_INSTDONE", "_INSTDONE", false},
    {"DMA_FADDR", "_FADDR", false},
    {"HWSTAM", NULL, false}, /* these: xe_guc_capture.c */
    {"RING_EMR", NULL, false},
    {"RING_EIR", NULL, false},
    {"RING_IMR", NULL, false},
    {"RING_BBADDR", "_BBADDR", false},
    {"RING_DMA_FADD", "_FADDR", false},
    {"RING_EXECLIST_STATUS", NULL, false},
    {"RING_EXECLIST_SQ_CONTENTS", NULL, false},
    {"INDIRECT_RING_STATE", NULL, false},
    {"RCU_MODE", NULL, false},
    {"FORCEWAKE_GT", NULL, false},
    /* of the device */
    {"EIR", NULL, false},
    {"IER", NULL, false},
    {"PGTBL_ER", NULL, false},
    {"FORCEWAKE", NULL, false},
    {"DERRMR", NULL, false},
    {"CCID", NULL, false},
    {"ERROR", NULL, false},
    {"DONE_REG", NULL, false},
    {"ERR_INT", NULL, false},
    {"AUX_ERR_DBG", NULL, false},
    {"GAM_DONE", NULL, false},
    {"FAULT_TLB_DATA", NULL, false},
    {"Missed interrupts", NULL, true},
    {"GTIER", NULL, false},
    /* as the GuC calls them that captures in the driver's stead */
    {"ACTHD_LDW", NULL, false},
    {"ACTHD_UDW", NULL, false},
    {"RING_BBADDR_LOW32", NULL, false},
    {"RING_BBADDR_UP32", NULL, false},
    {"RING_DMA_FADD_LDW", NULL, false},
    {"RING_DMA_FADD_UDW", NULL, false},
    {"RING_NOPID", "_NOPID", false},
    {"RING_CONTEXT_CONTROL", NULL, false},
    {"FAULT_TLB_DATA0", NULL, false},
    {"FAULT_TLB_DATA1", NULL, false},
};
static const char *const indexed[] = {"GTIER[", "SFC_DONE[", "SAMPLER_INSTDONE[", "ROW_INSTDONE[",
    "GEOM_SVGUNIT_INSTDONE[", "INSTDONE_GEOM_SVGUNIT[", "SC_INSTDONE[", "SC_INSTDONE_EXTRA[", "SC_INSTDONE_EXTRA2["};
static const char *const numbered[] = {"PDP", "SYNC_"};
/* Kernels from 3.5 to 4.9 count the units' registers of Gen7 in the order in which they read them. */
static const char *const counted[] = {"INSTDONE_1", "SC_INSTDONE", "SAMPLER_INSTDONE", "ROW_INSTDONE"};

/* Whether the error state has registers of that key, and what the database calls it for this engine. */
static bool known_key(const struct state *s, const char *key, char *reg, size_t size, bool *driver)
{
    uint64_t index;
    reg[0] = 0;
    *driver = false;
    for (size_t i = 0; i < sizeof indexed / sizeof *indexed; i++) {
        if (begins(key, indexed[i])) {
            snprintf(reg, size, "%.*s", (int)strlen(indexed[i]) - 1, key);
            return true;
        }
    }
    const char *digits = key;
    if (scan_word(&digits, "INSTDONE_") && scan_decimal(&digits, &index) && !*digits) {
        if (index < sizeof counted / sizeof *counted) snprintf(reg, size, "%s", counted[index]);
        return true;
    }
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        const char *at = key;
        if (scan_word(&at, numbered[i]) && scan_decimal(&at, &index) && !*at) return true;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].key, key) != 0) continue;
        *driver = keys[i].driver;
        if (keys[i].reg && keys[i].reg[0] == '_') {
            char class[8];
            size_t n = strcspn(s->engine, "0123456789");
            for (size_t k = 0; k < n && k < sizeof class; k++) class[k] = (char)toupper((unsigned char)s->engine[k]);
            if (strcmp(keys[i].reg, "_INSTDONE") == 0 && begins(s->engine, "rcs"))
                snprintf(reg, size, "INSTDONE_1");
            else if (n && n < sizeof class)
                snprintf(reg, size, "%.*s%s", (int)n, class, keys[i].reg);
        } else if (keys[i].reg) {
            snprintf(reg, size, "%s", keys[i].reg);
        }
        return true;
    }
    return false;
}

/* A value as the error state prints it: "0x00000000", "0x00000000 00a01048" and "0x00000000_00a01048" are one of 64
 * bits. */
static bool take_value(const char **p, uint64_t *value, unsigned *bits)
{
    uint64_t low;
    *bits = 32;
    scan_blanks(p);
    const char *start = *p;
    if (!scan_0x(p, 16, value)) {
        if (!scan_hex(p, 16, value)) return false;
        if (*p - start > 8) *bits = 64;
    } else if (*p - start > 10) {
        *bits = 64;
    }
    const char *after = *p;
    if (*p - start == 10 && (**p == ' ' || **p == '_') && (++*p, scan_hex(p, 8, &low)) && *p - after == 9) {
        *value = *value << 32 | low;
        *bits = 64;
    } else {
        *p = after;
    }
    return true;
}

static struct pointers *pointers_of(struct state *s, const char *engine)
{
    for (size_t i = 0; i < s->nrings; i++)
        if (strcmp(s->ring[i].engine, engine) == 0) return &s->ring[i];
    if (s->nrings == sizeof s->ring / sizeof *s->ring) s->nrings--;
    struct pointers *p = &s->ring[s->nrings++];
    *p = (struct pointers){0};
    snprintf(p->engine, sizeof p->engine, "%s", engine);
    return p;
}

static bool take_register(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    const char *index = p + strcspn(p, "[:"),
               *colon = strchr(*index == '[' ? index + strcspn(index, "]") : p, ':'); /* not that of "[0:1]" */
    char key[48], reg[64];
    uint64_t value;
    unsigned bits;
    if (!colon || colon == p || (size_t)(colon - p) >= sizeof key) return false;
    memcpy(key, p, (size_t)(colon - p));
    key[colon - p] = 0;
    p = colon + 1;
    bool driver;
    if (!known_key(s, key, reg, sizeof reg, &driver)) return false;
    const char *word = p + strspn(p, " ");
    if (driver && (strcmp(word, "yes") == 0 || strcmp(word, "no") == 0)) { /* some kernels write 1 and 0 */
        value = *word == 'y';
        bits = 32;
    } else if (driver && isdigit((unsigned char)p[strspn(p, " ")]) && !strstr(p, "0x")) {
        scan_blanks(&p);
        if (!scan_decimal(&p, &value)) return true;
        bits = 32;
    } else if (!take_value(&p, &value, &bits)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s: no value", key);
        return true;
    }
    /* The counted ones stand before all engines and are the render engine's. */
    const char *engine = s->engine[0] ? s->engine : begins(key, "INSTDONE_") ? "rcs0" : NULL;
    if (gpudbg_dump_has(d, key, engine))
        gpudbg_dump_note(d, line->number, "mixed", "%s of %s again: lines of two error states may be mixed", key,
            engine ? engine : "the device");
    struct gpudbg_record r = {.name = key,
        .unit = engine,
        .reg = reg[0] ? reg : NULL,
        .addr = GPUDBG_NO_ADDR,
        .value = value,
        .line = line->number,
        .bits = (uint8_t)bits,
        .flags = driver ? GPUDBG_REC_DRIVER : 0};
    if (strcmp(key, "FAULT_TLB_DATA") == 0) { /* two in a line, DATA1 first */
        scan_blanks(&p);
        r.name = "FAULT_TLB_DATA1";
        if (scan_0x(&p, 8, &value))
            gpudbg_dump_register(
                d, &(struct gpudbg_record){
                       .name = "FAULT_TLB_DATA0", .addr = GPUDBG_NO_ADDR, .value = value, .line = line->number});
        else
            gpudbg_dump_note(d, line->number, "cut-off", "%s has one value, not two", key);
    }
    gpudbg_dump_register(d, &r);
    if (strcmp(key, "HEAD") == 0 || strcmp(key, "TAIL") == 0) {
        struct pointers *ring = pointers_of(s, s->engine);
        if (key[0] == 'H') {
            ring->head = value & 0x1ffffc;
            ring->has = true;
        } else {
            ring->tail = value & 0x1ffff8;
        }
    }
    return true;
}

/* ---- Facts ---- */

/* "x-tiled, pitch 512, start 0xf6f8000, size 20480": the pitch lies lower before Gen6.  Fences before Gen4 have other
 * layouts. */
static void tell_fence(struct gpudbg_dump *d, uint32_t line, const char *name, uint64_t fence)
{
    size_t n;
    char text[128];
    const uint32_t capture = gpudbg_dump_current(d, line);
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const char *family = capture < n && captures[capture].family ? captures[capture].family : "";
    if (!(fence & 1) || !begins(family, "gen") || begins(family, "gen2") || begins(family, "gen3")) return;
    const bool low = begins(family, "gen4") || begins(family, "gen5");
    const uint64_t pitch = ((low ? fence >> 2 & 0x1ff : fence >> 32 & 0xfff) + 1) * 128, start = fence & 0xfffff000,
                   end = fence >> 32 & 0xfffff000;
    if (end < start) return;
    snprintf(text, sizeof text, "%c-tiled, pitch %llu, start 0x%llx, size %llu", fence & 2 ? 'y' : 'x',
        (unsigned long long)pitch, (unsigned long long)start, (unsigned long long)(end - start + 4096));
    gpudbg_dump_fact(d, line, name, text, 0);
}

static bool take_fact(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char word[96];
    uint64_t v;
    unsigned bits;
    const char *start = p;
    if (scan_word(&p, "PCI ID: ") && scan_0x(&p, 4, &v)) {
        const char *family = pci_family((unsigned)v);
        gpudbg_dump_fact(d, line->number, "pci-id", NULL, v);
        snprintf(word, sizeof word, "0x%04x", (unsigned)v);
        if (family) gpudbg_dump_family(d, line->number, family, word);
        s->inside = true;
        return true;
    }
    p = start;
    if (scan_word(&p, "fence[") && scan_decimal(&p, &v)) {
        snprintf(word, sizeof word, "fence[%u]", (unsigned)v);
        if (scan_find(&p, "= ") && scan_hex(&p, 16, &v)) {
            tell_fence(d, line->number, word, v);
            struct gpudbg_record r = {
                .name = word, .addr = GPUDBG_NO_ADDR, .value = v, .line = line->number, .bits = 64};
            gpudbg_dump_register(d, &r);
        } else {
            gpudbg_dump_note(d, line->number, "cut-off", "%s without a value", word);
        }
        return true;
    }
    p = start;
    if (scan_word(&p, "batch: [")) {
        uint64_t end;
        if (take_value(&p, &v, &bits) && scan_word(&p, ",") && take_value(&p, &end, &bits)) {
            struct gpudbg_incident i = {.kind = &incident_buffer,
                .unit = s->engine[0] ? s->engine : NULL,
                .text = "batch",
                .line = line->number,
                .have = 5,
                .values = {v, 0, end}};
            gpudbg_dump_incident(d, &i);
        }
        return true;
    }
    if (begins(start, "waiting:") || begins(start, "hangcheck:") || begins(start, "Active context:") ||
        begins(start, "ELSP[") || begins(start, "Active process")) {
        size_t n = strcspn(start, ":");
        if (n >= sizeof word || !start[n]) return true;
        snprintf(word, sizeof word, s->engine[0] ? "%.*s of %s" : "%.*s", (int)n, start, s->engine);
        p = start + n + 1;
        scan_blanks(&p);
        gpudbg_dump_fact(d, line->number, word, p, 0);
        return true;
    }
    return false;
}

/* All else that is "key: value", "key = value" or "i915.key=value": of the machine, the firmware, the driver's
 * settings. */
static bool take_any_fact(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char key[48];
    const size_t n = strcspn(p, ":=");
    size_t end = n;
    if (!p[n] || n == 0 || n >= sizeof key || !isalpha((unsigned char)*p) || (p[n] == '=' && !begins(p, "i915.")))
        return false;
    while (end && p[end - 1] == ' ') end--;
    memcpy(key, p, end);
    key[end] = 0;
    p += n + 1;
    scan_blanks(&p);
    if (*p) gpudbg_dump_fact(d, line->number, key, p, 0);
    return true;
}

/* "Pipe [0]:", "CPU transcoder: A", then "  SRC: 077f0437": values of the display, whose unit is the part of it. */
static bool take_display(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    static const char *const parts[] = {"Pipe [", "Plane [", "Cursor [", "CPU transcoder: "};
    static const char *const names[] = {"pipe", "plane", "cursor", "transcoder"};
    char key[32];
    uint64_t value;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *at = p;
        if (!line->indent && scan_word(&at, parts[i])) {
            snprintf(s->section, sizeof s->section, "%s%.*s", names[i], (int)strspn(at, "0123456789ABCDEP"), at);
            s->engine[0] = 0;
            s->stream = NO_STREAM;
            return true;
        }
    }
    if (!line->indent) s->section[0] = 0;
    const char *at = p;
    if (!s->section[0] || !scan_until(&at, ": ", key, sizeof key) || !scan_hex(&at, 8, &value) || *at) return false;
    struct gpudbg_record r = {.name = key,
        .unit = s->section,
        .addr = GPUDBG_NO_ADDR,
        .value = value,
        .line = line->number,
        .flags = GPUDBG_REC_DRIVER};
    gpudbg_dump_register(d, &r);
    return true;
}

/* ---- Objects ---- */

/* "rcs0 (submitted by demo [1]) --- batch = 0x00000000 00a01000": an object's title. */
static bool take_object(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char owner[96], object[64];
    const char *at = p;
    uint64_t addr = 0;
    unsigned bits;
    if (!scan_until(&at, " --- ", owner, sizeof owner)) return false;
    owner[strcspn(owner, "(")] = 0;
    for (size_t n = strlen(owner); n && owner[n - 1] == ' ';) owner[--n] = 0;
    char *ring = strstr(owner, " ring");
    if (ring) *ring = 0;
    const char *engine = engine_name(owner);
    const bool global = strcmp(owner, "global") == 0; /* of no engine */
    if (!global && !known_engine(engine)) return false;
    s->stream = NO_STREAM;
    s->list = false;
    if (isdigit((unsigned char)*at)) { /* "3 requests" */
        s->list = true;
        snprintf(s->engine, sizeof s->engine, "%s", engine);
        return true;
    }
    if (!scan_until(&at, " = ", object, sizeof object)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s: the object has no address", engine);
        return true;
    }
    if (!take_value(&at, &addr, &bits))
        gpudbg_dump_note(d, line->number, "cut-off", "%s %s: no address", engine, object);
    const char *kind = strcmp(object, "gtt_offset") == 0 || strcmp(object, "batch") == 0 ? "batch"
                       : strstr(object, "ring")                                          ? "ring"
                       : strstr(object, "HW Context") || strstr(object, "HW context")    ? "context"
                                                                                         : "object";
    struct gpudbg_stream stream = {.kind = kind,
        .unit = global ? NULL : engine,
        .engine = global ? NULL : engine_kind(engine),
        .name = object,
        .addr = addr,
        .read = GPUDBG_NO_ADDR,
        .write = GPUDBG_NO_ADDR,
        .vmid = UINT32_MAX,
        .line = line->number};
    s->stream = gpudbg_dump_stream(d, &stream);
    s->next = 0;
    if (strcmp(kind, "ring") == 0) {
        struct pointers *r = pointers_of(s, engine);
        if (r->has) {
            gpudbg_dump_stream_at(d, s->stream)->read = r->head;
            gpudbg_dump_stream_at(d, s->stream)->write = r->tail;
        }
    }
    return true;
}

/* "  seqno 0x0018f3f1, emitted 4294954212, tail 0x0000a6e8": what an engine still has to do. */
static bool take_request(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    char key[64];
    if (!s->list || (!begins(p, "seqno 0x") && !begins(p, "pid "))) return false;
    snprintf(key, sizeof key, "request of %s", s->engine[0] ? s->engine : "an engine");
    gpudbg_dump_fact(d, line->number, key, p, 0);
    return true;
}

/* "[00c0] 0018f3f0 00000000 00000000 00000000": a row of the status page or of the semaphores. */
static bool take_row(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t offset, word;
    uint8_t bytes[16];
    if (!scan_word(&p, "[") || !scan_hex(&p, 4, &offset) || !scan_word(&p, "]") || s->stream == NO_STREAM) return false;
    for (unsigned i = 0; i < 4; i++) {
        scan_blanks(&p);
        if (!scan_hex(&p, 8, &word)) {
            gpudbg_dump_note(
                d, line->number, "cut-off", "a row of fewer than four words at 0x%llx", (unsigned long long)offset);
            return true;
        }
        for (unsigned b = 0; b < 4; b++) bytes[4 * i + b] = (uint8_t)(word >> 8 * b);
    }
    if (offset != s->next) { /* rows between are left out */
        struct gpudbg_stream stream = *gpudbg_dump_stream_at(d, s->stream);
        if (stream.addr != GPUDBG_NO_ADDR) stream.addr += offset - (s->next - stream.size);
        stream.line = line->number;
        s->stream = gpudbg_dump_stream(d, &stream);
    }
    gpudbg_dump_stream_add(d, s->stream, bytes, sizeof bytes, line->number);
    s->next = offset + sizeof bytes;
    return true;
}

/* What somebody wrote behind a word: " // here". */
static bool is_remark(const char *p)
{
    return isblank((unsigned char)*p) && !isxdigit((unsigned char)p[strspn(p, " \t")]);
}

/* "0000001c :  61010006" */
static bool take_hex(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t offset, value;
    const char *start = p;
    if (!scan_hex(&p, 8, &offset) || p - start != 8) return false;
    scan_blanks(&p);
    if (!scan_word(&p, ":")) return false;
    scan_blanks(&p);
    start = p;
    if (!scan_hex(&p, 8, &value) || p - start != 8 || (*p && !is_remark(p))) {
        gpudbg_dump_note(d, line->number, "cut-off", "no word of eight digits at 0x%llx", (unsigned long long)offset);
        return s->stream != NO_STREAM;
    }
    if (s->stream == NO_STREAM) {
        struct gpudbg_stream stream = {.kind = "object",
            .addr = GPUDBG_NO_ADDR,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = line->number};
        gpudbg_dump_note(d, line->number, "cut-off", "contents of an object whose title is missing");
        s->stream = gpudbg_dump_stream(d, &stream);
        s->next = offset;
    }
    if (offset != s->next) {
        gpudbg_dump_note(
            d, line->number, "mixed", "0x%llx follows 0x%llx", (unsigned long long)offset, (unsigned long long)s->next);
        struct gpudbg_stream stream = *gpudbg_dump_stream_at(d, s->stream);
        uint64_t size = stream.size;
        gpudbg_dump_stream_at(d, s->stream)->cut = true;
        if (stream.addr != GPUDBG_NO_ADDR) stream.addr = stream.addr + offset - (s->next - size);
        stream.line = line->number;
        stream.read = stream.write = GPUDBG_NO_ADDR;
        s->stream = gpudbg_dump_stream(d, &stream);
    }
    stream_add(d, s->stream, value, 4, line->number);
    s->next = offset + 4;
    return true;
}

static void inflate_to(struct state *s, struct gpudbg_dump *d, uint32_t line, const uint8_t *bytes, size_t n)
{
    uint8_t block[16384];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)n};
    int r = inflateInit(&z);
    bool room = true;
    while (r == Z_OK && room) {
        z.next_out = block;
        z.avail_out = sizeof block;
        r = inflate(&z, Z_NO_FLUSH);
        room = gpudbg_dump_stream_add(d, s->stream, block, sizeof block - z.avail_out, line);
        if (r == Z_OK && !z.avail_in && z.avail_out) r = Z_BUF_ERROR;
    }
    inflateEnd(&z);
    if (room && r != Z_STREAM_END) {
        struct gpudbg_stream *stream = gpudbg_dump_stream_at(d, s->stream);
        stream->cut = true;
        gpudbg_dump_note(d, line, "cut-off", "the packed object ends early: %zu bytes of it came out%s%s", stream->size,
            z.msg ? ": " : "", z.msg ? z.msg : "");
    }
}

static bool take_packed(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    if (line->text[0] != '~' && line->text[0] != ':') return false;
    if (s->stream == NO_STREAM) {
        if (!s->inside) return false;
        gpudbg_dump_note(d, line->number, "cut-off", "contents of an object whose title is missing");
        return true;
    }
    /* A word takes at least one character. */
    uint8_t *bytes = malloc(line->n * 4 + 4);
    const char *end;
    if (!bytes) {
        gpudbg_dump_note(d, line->number, "limit", "the object is too large to unpack");
        return true;
    }
    size_t n = unpack_ascii85(line->text + 1, line->n - 1, bytes, &end);
    if (*end)
        gpudbg_dump_note(d, line->number, "cut-off", "character %zu of the object is not an ASCII85 character",
            (size_t)(end - line->text) + 1);
    if (line->text[0] == ':')
        inflate_to(s, d, line->number, bytes, n);
    else
        gpudbg_dump_stream_add(d, s->stream, bytes, n, line->number);
    free(bytes);
    s->stream = NO_STREAM; /* one line an object */
    return true;
}

/* A batch of the job that lies in an object: from its first byte on, as a stream of its own. */
static void batches_in(
    struct state *s, struct gpudbg_dump *d, uint32_t line, uint64_t addr, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < s->nbatches; i++) {
        if (s->batch[i] < addr || s->batch[i] - addr >= n) continue;
        const size_t at = (size_t)(s->batch[i] - addr);
        struct gpudbg_stream stream = {.kind = "batch",
            .unit = s->engine[0] ? s->engine : NULL,
            .engine = engine_kind(s->engine),
            .name = "batch",
            .addr = s->batch[i],
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = line};
        gpudbg_dump_stream_add(d, gpudbg_dump_stream(d, &stream), bytes + at, n - at, line);
    }
}

/* Xe: "	batch_addr[0]: 0x0000effeffff7000" of a job; "[effeffff7000].data: ..." of its memory. */
static bool take_xe(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t addr, index;
    const char *at = p, *end;
    if (scan_word(&at, "batch_addr[") && scan_decimal(&at, &index) && scan_word(&at, "]: ") &&
        scan_0x(&at, 16, &addr)) {
        if (s->nbatches < sizeof s->batch / sizeof *s->batch) s->batch[s->nbatches++] = addr;
        gpudbg_dump_fact(d, line->number, "batch", NULL, addr);
        return true;
    }
    at = p;
    if (line->indent || !scan_word(&at, "[") || !scan_hex(&at, 16, &addr) || !scan_word(&at, "].")) return false;
    if (!scan_word(&at, "data: ")) return begins(at, "length: ") || begins(at, "error: ") || begins(at, "properties: ");
    const size_t left = line->n - (size_t)(at - line->text);
    uint8_t *bytes = malloc(left * 4 + 4);
    if (!bytes) {
        gpudbg_dump_note(d, line->number, "limit", "the object is too large to unpack");
        return true;
    }
    const size_t n = unpack_ascii85(at, left, bytes, &end);
    if (*end)
        gpudbg_dump_note(d, line->number, "cut-off", "character %zu of the object is not an ASCII85 character",
            (size_t)(end - line->text) + 1);
    struct gpudbg_stream stream = {.kind = "object",
        .name = "object",
        .addr = addr,
        .read = GPUDBG_NO_ADDR,
        .write = GPUDBG_NO_ADDR,
        .vmid = UINT32_MAX,
        .line = line->number};
    gpudbg_dump_stream_add(d, gpudbg_dump_stream(d, &stream), bytes, n, line->number);
    batches_in(s, d, line->number, addr, bytes, n);
    free(bytes);
    return true;
}

/* "Active [16]:", "Pinned [28]:", then "  00439000     4096 0018 ..." */
static bool take_buffer(struct state *s, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t addr, low, size;
    const char *start = p;
    if ((begins(p, "Active") || begins(p, "Pinned") || begins(p, "Inactive")) && strchr(p, '[') && strstr(p, "]:")) {
        s->list = true;
        s->engine[0] = 0;
        return true;
    }
    if (!s->list || !line->indent || !scan_hex(&p, 8, &addr) || p - start < 8) return false;
    if (*p == '_' && (++p, scan_hex(&p, 8, &low))) addr = addr << 32 | low;
    scan_blanks(&p);
    if (!scan_decimal(&p, &size) || *p != ' ') return false;
    struct gpudbg_incident i = {.kind = &incident_buffer, .line = line->number, .have = 3, .values = {addr, size}};
    gpudbg_dump_incident(d, &i);
    return true;
}

/* ---- The reader ---- */

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    if (head_has(bytes, n, "PCI ID: 0x") && (head_has(bytes, n, " command stream:") || head_has(bytes, n, "EIR: 0x"))) {
        *why = "an error state of i915: PCI id and command streams";
        return 85;
    }
    if (head_has(bytes, n, XE_TITLE)) {
        *why = "a core dump of Xe: its title";
        return 85;
    }
    if (head_has(bytes, n, " command stream:") && head_has(bytes, n, "IPEHR:")) {
        *why = "command streams of an i915 error state";
        return 75;
    }
    return 0;
}

static void *open_state(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct state){.stream = NO_STREAM}, sizeof(struct state));
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct state *s = state;
    const char *p = line->text + line->indent;
    if (!*p) return false;
    const bool title = begins(p, "PCI ID: 0x") || (begins(p, "Time: ") && strstr(p, " us")) ||
                       (begins(p, "Kernel: ") && isdigit((unsigned char)p[8])) || begins(p, XE_TITLE);
    if (s->inside && s->engine[0] && title) { /* the next one */
        guc_state_end(&s->guc, d);
        gpudbg_dump_capture(d, line->number, "error state");
        struct state fresh = {.inside = true, .stream = NO_STREAM};
        *s = fresh;
    }
    if (take_engine(s, p)) {
        s->inside = true;
        return true;
    }
    if (!s->inside && !title && !begins(p, "EIR: ") && !strstr(p, " --- ")) return false;
    if (title || begins(p, "EIR: ")) s->inside = true;
    if (begins(p, "GPU HANG: ") || begins(p, "[LOG].")) return false; /* guc_log.c reads the second */
    if (guc_state_line(&s->guc, d, line, p)) return true;
    if (take_packed(s, d, line) || take_xe(s, d, line, p) || take_hex(s, d, line, p) || take_row(s, d, line, p))
        return true;
    if (take_object(s, d, line, p)) return s->inside = true; /* an object alone, as people quote it */
    return take_buffer(s, d, line, p) || take_request(s, d, line, p) || take_display(s, d, line, p) ||
           take_fact(s, d, line, p) || take_register(s, d, line, p) ||
           (line->time < 0 && take_any_fact(d, line, p)); /* a log's line is none, where a person wrote "Kernel: 6.8" */
}

/* Pointers of a ring whose contents end before them: the file was cut. */
static void close_state(void *state, struct gpudbg_dump *d)
{
    struct gpudbg_stream *s;
    guc_state_end(&((struct state *)state)->guc, d);
    for (size_t i = 0; ((struct state *)state)->inside && (s = gpudbg_dump_stream_at(d, i)); i++) {
        if (strcmp(s->kind, "ring") != 0 || s->read == GPUDBG_NO_ADDR || !s->size ||
            (s->read <= s->size && s->write <= s->size))
            continue;
        s->cut = true;
        gpudbg_dump_note(d, s->line, "cut-off",
            "ring of %s: 0x%zx bytes are there, its pointers are at 0x%llx and 0x%llx", s->unit ? s->unit : "?",
            s->size, (unsigned long long)s->read, (unsigned long long)s->write);
    }
    free(state);
}

const struct gpudbg_reader reader_i915_error = {
    .name = "i915-error-state",
    .summary = "error state of i915, core dump of Xe, with their objects",
    .probe = probe,
    .open = open_state,
    .line = take,
    .close = close_state,
};
