/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lists.c: plain lists.  Addresses and values (A9), where the addresses may be bytes or dword indices; words alone, one
 * a line, which are a command buffer or code; and what intel_reg prints (I3).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

/* ---- Addresses and values ---- */

#define SAMPLE 2048 /* entries looked at before it is decided what the addresses count */

struct entry {
    char name[64];
    uint64_t addr, value, mask;
    uint32_t line;
    bool masked;
};

struct list {
    struct entry entry[SAMPLE];
    size_t count;
    bool decided;
    unsigned scale; /* 1 bytes, 4 dword indices */
};

static bool scan_number(const char **p, unsigned most, uint64_t *value)
{
    return scan_0x(p, most, value) || scan_hex(p, most, value);
}

/* NAME? ADDRESS SEPARATOR VALUE [VALUE] [(DECIMAL)] */
static bool parse_entry(const char *p, struct entry *e)
{
    uint64_t third;
    memset(e, 0, sizeof *e);
    scan_blanks(&p);
    const char *start = p;
    if (!(isdigit((unsigned char)*p) && scan_number(&p, 8, &e->addr)) || !*p || !strchr(" \t:=)", *p)) {
        p = start;
        if (*p == '(' || (scan_name(&p, e->name, sizeof e->name) && (*p == ' ' || *p == '\t'))) {
            scan_blanks(&p);
            scan_word(&p, "(");
            if (!scan_number(&p, 8, &e->addr)) return false;
        } else {
            p = start;
            e->name[0] = 0;
            if (!scan_hex(&p, 8, &e->addr)) return false;
        }
    }
    scan_word(&p, ")");
    const char *gap = p;
    scan_blanks(&p);
    if (!scan_word(&p, "=>") && !scan_word(&p, ":") && !scan_word(&p, "=") && p == gap) return false;
    scan_blanks(&p);
    const char *digits = p;
    if (!scan_number(&p, 8, &e->value) || (p - digits < 8 && digits[1] != 'x' && digits[1] != 'X')) return false;
    const char *after = p;
    scan_blanks(&p);
    scan_word(&p, ",");
    scan_blanks(&p);
    if (p > after && scan_number(&p, 8, &third)) {
        e->masked = true;
        e->mask = e->value;
        e->value = third;
        scan_blanks(&p);
    }
    scan_word(&p, ",");
    scan_blanks(&p);
    return !*p || *p == '(' || *p == '#' || *p == ';' || *p == '/';
}

static void give(struct list *l, struct gpudbg_dump *d, const struct entry *e)
{
    struct gpudbg_record r = {
        .name = e->name[0] ? e->name : NULL, .addr = e->addr * l->scale, .value = e->value, .line = e->line};
    if (e->masked) {
        r.mask = e->mask;
        r.flags = GPUDBG_REC_WRITE;
        if (!r.mask) return;
    }
    gpudbg_dump_register(d, &r);
}

/* Which map do most addresses hit?  Registers stand thinly in both, so a few lines are enough. */
static void decide(struct list *l, struct gpudbg_dump *d)
{
    static const struct {
        const char *family;
        unsigned scale;
    } maps[] = {{"gfx7", 1}, {"gfx7", 4}, {"gen7", 1}, {"gen7.5", 1}, {"gen12", 1}};
    struct regdb *databases = gpudbg_dump_databases(d);
    const char *asked = gpudbg_dump_family_asked(d);
    size_t best = 0, best_hits = 0;
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        size_t hits = 0;
        if (asked && strcmp(asked, maps[m].family) != 0) continue;
        for (size_t i = 0; i < l->count; i++)
            hits += gpudbg_reg_at(databases, maps[m].family, "mmio", l->entry[i].addr * maps[m].scale) != NULL;
        if (hits > best_hits) {
            best = m;
            best_hits = hits;
        }
    }
    l->scale = best_hits ? maps[best].scale : 1;
    l->decided = true;
    if (l->count) {
        const uint32_t line = l->entry[0].line;
        if (best_hits) gpudbg_dump_family(d, line, maps[best].family, NULL);
        gpudbg_dump_fact(d, line, "addresses", l->scale == 4 ? "dword indices" : "bytes", 0);
        if (best_hits)
            gpudbg_dump_note(d, line, "assumed",
                "addresses are taken as %s of %s: %zu of the first %zu are registers there",
                l->scale == 4 ? "dword indices" : "bytes", maps[best].family, best_hits, l->count);
    }
    for (size_t i = 0; i < l->count; i++) give(l, d, &l->entry[i]);
    l->count = 0;
}

static int probe_list(const uint8_t *bytes, size_t n, const char **why)
{
    size_t entries = 0, others = 0, lines = 0;
    char line[256];
    for (size_t at = 0; at < n && lines < 400; lines++) {
        const uint8_t *end = memchr(bytes + at, '\n', n - at);
        size_t length = end ? (size_t)(end - (bytes + at)) : n - at;
        if (!end && n >= 65536) break;
        struct entry e;
        if (length && length < sizeof line) {
            memcpy(line, bytes + at, length);
            line[length] = 0;
            while (length && isspace((unsigned char)line[length - 1])) line[--length] = 0;
            const char *p = line + strspn(line, " \t");
            if (*p && *p != '#' && *p != ';') *(parse_entry(line, &e) ? &entries : &others) += 1;
        } else if (length) {
            others++;
        }
        at += length + 1;
    }
    *why = "two columns of hex";
    return entries >= 2 && entries > 4 * others ? 15 : 0;
}

static void *open_list(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(NULL, sizeof(struct list));
}

static bool chosen(const struct gpudbg_dump *d, const struct gpudbg_reader *reader)
{
    return strcmp(gpudbg_dump_format(d), reader->name) == 0;
}

static bool take_list(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct list *l = state;
    struct entry e;
    const char *p = line->text + line->indent;
    if (!chosen(d, &reader_address_list) || !*p) return false;
    if (*p == '#' || *p == ';') return true;
    if (!parse_entry(p, &e)) {
        gpudbg_dump_note(d, line->number, "garbage", "no address and value");
        return true;
    }
    e.line = line->number;
    if (l->decided) {
        give(l, d, &e);
    } else {
        l->entry[l->count++] = e;
        if (l->count == SAMPLE) decide(l, d);
    }
    return true;
}

static void close_list(void *state, struct gpudbg_dump *d)
{
    struct list *l = state;
    if (!l->decided) decide(l, d);
    free(l);
}

const struct gpudbg_reader reader_address_list = {
    .name = "address-list",
    .summary = "lines of an address (or name and address) and a value, or a mask and a value",
    .probe = probe_list,
    .open = open_list,
    .line = take_list,
    .close = close_list,
};

/* ---- Words alone ---- */

#define LINE_WORDS 64

/* What a line held; address: in front of its words, UINT64_MAX if there is none. */
struct words_line {
    uint32_t word[LINE_WORDS], number;
    uint64_t address;
    size_t count;
};

struct words {
    size_t stream;
    bool second;             /* there were two lines */
    bool addressed;          /* the first word of each line is the address of the others */
    struct words_line first; /* until a second one shows whether it begins with its address */
};

static bool parse_word(const char *p, uint64_t *value)
{
    scan_blanks(&p);
    const char *start = p;
    bool good = scan_0x(&p, 8, value) || (scan_hex(&p, 8, value) && p - start == 8);
    scan_word(&p, ",");
    return good && !*p;
}

static int probe_words(const uint8_t *bytes, size_t n, const char **why)
{
    char line[32];
    size_t words = 0;
    uint64_t value;
    for (size_t at = 0; at < n;) {
        const uint8_t *end = memchr(bytes + at, '\n', n - at);
        size_t length = end ? (size_t)(end - (bytes + at)) : n - at;
        if (!end && n >= 65536) break;
        if (length >= sizeof line) return 0;
        memcpy(line, bytes + at, length);
        line[length] = 0;
        while (length && isspace((unsigned char)line[length - 1])) line[--length] = 0;
        if (length) {
            if (!parse_word(line, &value)) return 0;
            words++;
        }
        at += (size_t)(end ? end - (bytes + at) + 1 : (ptrdiff_t)(n - at));
    }
    *why = "one word of hex a line";
    return words >= 2 ? 20 : 0;
}

static void *open_words(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct words){.stream = NO_STREAM}, sizeof(struct words));
}

static void give_words(struct words *w, struct gpudbg_dump *d, const struct words_line *l)
{
    if (w->stream == NO_STREAM) {
        const uint64_t address = l->address == UINT64_MAX ? gpudbg_dump_base(d) : l->address;
        struct gpudbg_stream s = {.kind = "words",
            .addr = address,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = l->number};
        w->stream = gpudbg_dump_stream(d, &s);
    }
    for (size_t i = w->addressed; i < l->count; i++) stream_add(d, w->stream, l->word[i], 4, l->number);
}

/* A second line tells whether each begins with an address: it is so many words behind that of the first. */
static void decide_words(struct words *w, const struct words_line *second)
{
    struct words_line *first = &w->first;
    w->second = true;
    if (second->address != first->address + 4 * first->count) first->address = UINT64_MAX;
    if (first->address != UINT64_MAX || first->count < 2 || second->count < 2) return;
    w->addressed = second->word[0] == first->word[0] + 4 * (first->count - 1);
    if (w->addressed) first->address = first->word[0];
}

static bool take_word(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    struct words *w = state;
    struct words_line l = {.number = line->number};
    const char *wrong;
    const bool mine = chosen(d, &reader_word_list) || chosen(d, &reader_packet_list);
    if (!mine || !line->text[line->indent]) return false;
    l.count = gpudbg_pasted_words(line->text, l.word, LINE_WORDS, &l.address, &wrong);
    if (wrong)
        gpudbg_dump_note(d, line->number, "garbage", "\"%.*s\" is not a word of hex; it is read as 0",
            (int)strcspn(wrong, " \t,;"), wrong);
    else if (!l.count)
        gpudbg_dump_note(d, line->number, "garbage", "no word of hex");
    if (l.count > LINE_WORDS) {
        gpudbg_dump_note(
            d, line->number, "limit", "%zu words: only the first %d of a line are read", l.count, LINE_WORDS);
        l.count = LINE_WORDS;
    }
    if (!l.count) return true;
    if (!w->first.number) {
        w->first = l;
        return true;
    }
    if (!w->second) {
        decide_words(w, &l);
        give_words(w, d, &w->first);
    }
    give_words(w, d, &l);
    return true;
}

/* Whether all of it decodes, one after another, to its end. */
static bool chains(const struct gpudbg_isa *isa, const uint8_t *bytes, size_t n)
{
    struct gpudbg_insn insn;
    size_t at = 0, known = 0, unknown = 0;
    while (isa && at < n) {
        const int used = isa->decode(isa, bytes + at, n - at, at, &insn);
        if (used == GPUDBG_SHORT || (used < 0 && (insn.size <= isa->align || insn.size > n - at))) return false;
        known += used > 0;
        unknown += used < 0;
        at += insn.size;
    }
    return known > unknown;
}

static bool zeros(const uint8_t *b, size_t n)
{
    while (n && !b[n - 1]) n--;
    return !n;
}

/* Packets of HSA queues are 64 bytes: a header, then of dispatches dimensions 1 to 3 and sizes, of barriers signals. */
static bool is_aql(const uint8_t *b, size_t n)
{
    if (n < 64 || n % 64 || b[1] >> 5) return false;
    if (b[0] == 2) return b[2] >= 1 && b[2] <= 3 && b[3] == 0 && b[10] == 0 && b[11] == 0 && (b[4] || b[5]);
    if (b[0] == 3 || b[0] == 5) return zeros(b + 2, 6) && zeros(b + 48, 8) && !zeros(b + 8, 56);
    return b[0] == 4 && zeros(b + 4, 4) && zeros(b + 48, 8) && !zeros(b + 8, 56);
}

/* Whose packets PM4 words are: those of the instruction set that was asked for, gfx7's without one; NULL: nobody's. */
static const char *pm4_family(const char *asked)
{
    static const char *const families[] = {"gfx7", "gfx10.3", "gfx10"}; /* the longer name first */
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!asked || begins(asked, families[i])) return families[i];
    return NULL;
}

static const struct gpudbg_isa *commands_of(const struct gpudbg_dump *d, const char *family)
{
    char name[64];
    snprintf(name, sizeof name, "%s-commands", family ? family : "");
    return gpudbg_dump_isa_named(d, name);
}

static void close_words(void *state, struct gpudbg_dump *d)
{
    struct words *w = state;
    if (w->first.number && !w->second) {
        w->first.address = UINT64_MAX;
        give_words(w, d, &w->first);
    }
    struct gpudbg_stream *s = w->stream == NO_STREAM ? NULL : gpudbg_dump_stream_at(d, w->stream);
    const char *asked = gpudbg_dump_family_asked(d);
    if (s && s->size >= 4) {
        static const char *const batches[][2] = {
            {"gen7", "gen7-batch"}, {"gen7.5", "gen7.5-batch"}, {"gen12", "gen12-batch"}};
        const unsigned type = s->bytes[3] >> 6;
        const char *kind = "code", *family = NULL, *why = "no packets chain to its end", *pm4 = pm4_family(asked);
        if (pm4 && type >= 2 && chains(commands_of(d, pm4), s->bytes, s->size)) {
            kind = "ib", family = pm4, why = "PM4 packets chain to its end";
        } else if (is_aql(s->bytes, s->size)) {
            kind = "aql", why = "packets of an HSA queue, 64 bytes each";
        }
        for (size_t i = 0; i < 3 && strcmp(kind, "code") == 0; i++)
            if ((!asked || strcmp(asked, batches[i][0]) == 0) &&
                chains(gpudbg_dump_isa_named(d, batches[i][1]), s->bytes, s->size))
                kind = "batch", family = batches[i][0], why = "commands of a batch chain to its end";
        if (strcmp(kind, "code") == 0 && chosen(d, &reader_packet_list)) {
            if (is_intel(asked))
                kind = "batch", family = asked, why = "it was asked for";
            else if (type >= 2)
                kind = "ib", family = pm4 ? pm4 : "gfx7", why = "it was asked for";
        }
        s->kind = kind;
        gpudbg_dump_note(
            d, s->line, "assumed", "taken as %s: %s", strcmp(kind, "ib") == 0 ? "an indirect buffer" : kind, why);
        if (family || asked) gpudbg_dump_family(d, s->line, family ? family : asked, NULL);
    }
    free(w);
}

const struct gpudbg_reader reader_word_list = {
    .name = "word-list",
    .summary = "words of hex, one a line or more, with addresses or labels or without: a command buffer or code",
    .probe = probe_words,
    .open = open_words,
    .line = take_word,
    .close = close_words,
};

const struct gpudbg_reader reader_packet_list = {
    .name = "packet-list",
    .summary = "words of hex that are PM4 packets, or with --isa the commands of an Intel generation",
    .open = open_words,
    .line = take_word,
    .close = close_words,
};

/* ---- intel_reg ---- */

/* "   RENDER_RING_HEAD (0x00002034): 0x00003a10 (text)"; without a name where the tool knows none; "NAME
 * (0x00180000:0x00002034)", base and offset; behind a port "flisdsi:NAME (0x1b:0x00000100)", "portio-vga:0x000003c0
 * (portio-vga:0x000003c0)". */
static bool take_intel_reg(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    (void)state;
    char name[96], port[40] = "", unit[48];
    uint64_t addr = 0, base = 0, value;
    const char *p = line->text + line->indent, *colon = strpbrk(p, ": (");
    if (colon && *colon == ':' && !scan_until(&p, ":", port, sizeof port)) return false;
    if (!scan_name(&p, name, sizeof name)) name[0] = 0;
    scan_blanks(&p);
    if (!scan_word(&p, "(") || (!name[0] && port[0])) return false;
    const bool named_port = port[0] && scan_word(&p, port) && scan_word(&p, ":");
    if (!scan_0x(&p, 8, &addr)) return false;
    if (!named_port && scan_word(&p, ":")) {
        base = addr;
        if (!scan_0x(&p, 8, &addr)) return false;
    }
    if (!scan_word(&p, "): ")) return false;
    if (!scan_0x(&p, 8, &value)) {
        gpudbg_dump_note(d, line->number, "cut-off", "%s: no value", name);
        return true;
    }
    const bool has_port = port[0] || (base && base < 0x100);
    if (port[0])
        snprintf(unit, sizeof unit, "port %s", port);
    else
        snprintf(unit, sizeof unit, "port 0x%llx", (unsigned long long)base);
    struct gpudbg_record r = {.name = name[0] ? name : NULL,
        .unit = has_port ? unit : NULL,
        .addr = has_port ? addr : base + addr,
        .value = value,
        .line = line->number,
        .flags = has_port ? GPUDBG_REC_INDIRECT : 0};
    const char *asked = gpudbg_dump_family_asked(d);
    if (name[0] && gpudbg_dump_has(d, name, r.unit)) gpudbg_dump_capture(d, line->number, "registers read again");
    if (is_intel(asked)) gpudbg_dump_family(d, line->number, asked, NULL);
    gpudbg_dump_register(d, &r);
    return true;
}

static int probe_intel_reg(const uint8_t *bytes, size_t n, const char **why)
{
    const uint8_t *at = bytes, *end = bytes + n;
    *why = "intel_reg's lines: name (address): value";
    while ((at = memmem(at, (size_t)(end - at), "): 0x", 5))) {
        size_t back = (size_t)(at - bytes);
        if (back >= 12 && memmem(at - (back < 24 ? back : 24), back < 24 ? back : 24, " (0x", 4)) return 45;
        at += 5;
    }
    return 0;
}

const struct gpudbg_reader reader_intel_reg = {
    .name = "intel-reg",
    .summary = "registers as intel_reg prints them",
    .probe = probe_intel_reg,
    .line = take_intel_reg,
};
