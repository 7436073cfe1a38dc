/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oa.c: reports of Intel's observation counters (I5).  A report's layout follows from its format number; `info oa ADDR`
 * shows the one at an address of the launch, of the loaded file or of a dump's stream; an i915-perf recording holds
 * many.
 *
 * Source: the manuals' "Performance Counter Report Formats", and the driver for names and for the sizes that they leave
 * out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

/* ---- Layouts ---- */

/* `count` counters of a letter from `first` on, at dword `at`. */
struct run {
    char letter;
    uint8_t first, count, at;
};

struct layout {
    uint8_t number;
    bool wide; /* Gen8 on: its own head, and high bytes of A0 to A31 behind A35 */
    const char *name;
    uint16_t bytes;
    struct run run[4];
};

static const struct layout layouts[] = {
    {0, false, "A13", 64, {{'A', 0, 13, 3}}},
    {1, false, "A29", 128, {{'A', 0, 29, 3}}},
    {2, false, "A13_B8_C8", 128, {{'A', 0, 13, 3}, {'B', 0, 8, 16}, {'C', 0, 8, 24}}},
    {3, false, "A29_B8_C8", 192, {{'A', 0, 29, 3}, {'B', 0, 8, 32}, {'C', 0, 8, 40}}},
    {4, false, "B4_C8", 64, {{'B', 0, 4, 4}, {'C', 0, 8, 8}}},
    {5, false, "A45_B8_C8", 256, {{'A', 0, 45, 3}, {'B', 0, 8, 48}, {'C', 0, 8, 56}}},
    {6, false, "B4_C8_A16", 128, {{'B', 0, 4, 4}, {'C', 0, 8, 8}, {'A', 29, 16, 16}}},
    {7, false, "C4_B8", 64, {{'C', 0, 4, 4}, {'B', 0, 8, 8}}},
    {2, true, "A12_B8_C8", 128, {{'A', 0, 12, 4}, {'B', 0, 8, 16}, {'C', 0, 8, 24}}},
    {5, true, "A32u40_A4u32_B8_C8", 256, {{'A', 0, 32, 4}, {'A', 32, 4, 36}, {'B', 0, 8, 48}, {'C', 0, 8, 56}}},
    {7, true, "C4_B8", 64, {{'C', 0, 4, 4}, {'B', 0, 8, 8}}},
};

static const struct layout *layout_of(bool wide, unsigned number)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].wide == wide && layouts[i].number == number) return &layouts[i];
    return NULL;
}

/* ---- Rows ---- */

struct row {
    char name[16];
    unsigned offset; /* bytes in the report */
    uint64_t value;
    const char *note;
};

static uint32_t dword(const uint8_t *bytes, size_t at) { return le_u32(bytes + 4 * at); }

static bool give(gpudbg_row_fn *each, void *to, const char *name, unsigned offset, uint64_t value, const char *note)
{
    struct row row = {.offset = offset, .value = value, .note = note};
    snprintf(row.name, sizeof row.name, "%s", name);
    return each(to, &row);
}

static const char *reason_of(uint32_t id)
{
    switch (id >> 19 & 0x3f) {
    case 0: return "reason: none told";
    case 1: return "reason: timer";
    case 2: return "reason: trigger 1";
    case 4: return "reason: trigger 2";
    case 8: return "reason: context switch";
    case 16: return "reason: transition to or from the GO state"; /* IGT, i915_perf: GO; clock ratio */
    case 32: return "reason: the ratio of clocks changed";
    default: return "reason: several, see bits 24:19";
    }
}

static bool head_rows(const struct layout *l, const uint8_t *b, gpudbg_row_fn *each, void *to)
{
    if (!l->wide)
        return give(each, to, "RPT_ID", 0, dword(b, 0), "") && give(each, to, "TIME_STAMP", 4, dword(b, 1), "");
    const bool valid = dword(b, 0) >> 16 & 1;
    return give(each, to, "RPT_ID", 0, dword(b, 0), reason_of(dword(b, 0))) &&
           give(each, to, "TIME_STAMP", 4, dword(b, 1), "") &&
           give(each, to, "CTX_ID", 8, dword(b, 2), valid ? "valid" : "not valid") &&
           give(each, to, "GPU_TICKS", 12, dword(b, 3), "");
}

static bool report_rows(const struct layout *l, const uint8_t *b, gpudbg_row_fn *each, void *to)
{
    char name[16];
    if (!head_rows(l, b, each, to)) return false;
    for (size_t r = 0; r < 4 && l->run[r].count; r++) {
        for (unsigned i = 0; i < l->run[r].count; i++) {
            const unsigned n = l->run[r].first + i, at = l->run[r].at + i;
            uint64_t value = dword(b, at);
            const bool forty = l->wide && l->number == 5 && l->run[r].letter == 'A' && n < 32;
            if (forty) value |= (uint64_t)b[160 + n] << 32; /* 40 bits: the high bytes stand together */
            snprintf(name, sizeof name, "%c%u", l->run[r].letter, n);
            if (!give(each, to, name, 4 * at, value, forty ? "40 bits" : "")) return false;
        }
    }
    return true;
}

/* ---- info oa ---- */

struct found {
    uint8_t bytes[256];
    size_t size;
};

static void look(struct gpudbg *g, uint64_t addr, struct found *f)
{
    struct gpudbg_wave *w = gpudbg_session_wave(g);
    struct gpudbg_segment *segment = w ? gpudbg_mem_find(w, GPUDBG_GLOBAL, addr, 1) : NULL;
    const uint8_t *from = NULL;
    size_t n = 0;
    if (segment) {
        from = segment->bytes + (addr - segment->base);
        n = segment->size - (addr - segment->base);
    } else if (gpudbg_session_image(g)) {
        from = gpudbg_image_bytes(gpudbg_session_image(g), addr, &n);
    }
    struct gpudbg_dump *d;
    for (size_t i = 0; !from && (d = gpudbg_session_dump(g, i)); i++) {
        size_t streams;
        const struct gpudbg_stream *s = gpudbg_dump_streams(d, &streams);
        for (size_t k = 0; k < streams && !from; k++) {
            if (s[k].addr != GPUDBG_NO_ADDR && addr >= s[k].addr && addr - s[k].addr < s[k].size) {
                from = s[k].bytes + (addr - s[k].addr);
                n = s[k].size - (addr - s[k].addr);
            }
        }
    }
    f->size = n < sizeof f->bytes ? n : sizeof f->bytes;
    if (from) memcpy(f->bytes, from, f->size);
}

/* The generation: of the loaded code, of a dump, or as asked. */
static const char *family_of(struct gpudbg *g)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    struct gpudbg_dump *d = gpudbg_session_dump(g, 0);
    if (image && image->isa && is_intel(image->isa->name)) return image->isa->name;
    if (d && is_intel(gpudbg_dump_family_asked(d))) return gpudbg_dump_family_asked(d);
    size_t n = 0;
    const struct gpudbg_capture *c = d ? gpudbg_dump_captures(d, &n) : NULL;
    return n && is_intel(c[0].family) ? c[0].family : NULL;
}

/* ADDR [FORMAT] [GENERATION] */
static bool oa_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    char words[4][64] = {""};
    unsigned n = 0;
    const char *family = family_of(g);
    for (const char *p = args; *p && n < 4; n++) {
        p += strspn(p, " \t");
        size_t length = strcspn(p, " \t");
        if (!length) break;
        snprintf(words[n], sizeof words[n], "%.*s", (int)length, p);
        p += length;
    }
    if (n == 0 || n > 3)
        return gpudbg_fail(
            err, "usage", "info oa needs the report's address: info oa ADDR [FORMAT] [gen7|gen7.5|gen12]");
    uint64_t addr;
    if (!gpudbg_evaluate(g, words[0], &addr, err)) return false;
    if (n == 3)
        family = words[2];
    else if (n == 2 && begins(words[1], "gen"))
        family = words[1];
    if (!family)
        return gpudbg_fail(
            err, "usage", "info oa needs the report's generation: info oa ADDR FORMAT gen7|gen7.5|gen12");
    if (strcmp(family, "gen7") != 0 && strcmp(family, "gen7.5") != 0 && strcmp(family, "gen12") != 0)
        return gpudbg_fail(
            err, "no-such-name", "'%s' is not a known generation of reports: gen7, gen7.5 and gen12 are", family);
    const bool wide = strcmp(family, "gen12") == 0;
    const struct layout *layout = layout_of(wide, 5);
    if (n >= 2 && !begins(words[1], "gen")) {
        char *end;
        unsigned long number = strtoul(words[1], &end, 0);
        layout = end != words[1] && !*end && number < 8 ? layout_of(wide, (unsigned)number) : NULL;
        for (size_t i = 0; *end && !layout && i < sizeof layouts / sizeof *layouts; i++)
            if (layouts[i].wide == wide && strcmp(layouts[i].name, words[1]) == 0) layout = &layouts[i];
        if (!layout)
            return gpudbg_fail(
                err, "no-such-name", "'%s' is not the number or name of a report format of %s", words[1], family);
    }
    struct found f = {.size = 0};
    look(g, addr, &f);
    if (f.size < layout->bytes)
        return gpudbg_fail(err, "out-of-range",
            "0x%" PRIx64 ": memory holds %zu bytes here, a report of format %s takes %u", addr, f.size, layout->name,
            layout->bytes);
    report_rows(layout, f.bytes, each, to);
    return true;
}

static int name_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->name);
}
static int offset_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct row *)row)->offset);
}
static int value_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct row *)row)->value);
}
static int note_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->note);
}

static const struct gpudbg_column columns[] = {
    {.key = "name", .title = "counter", .style = GPUDBG_NAME, .cell = name_cell},
    {.key = "offset", .title = "byte", .style = GPUDBG_COUNT, .cell = offset_cell},
    {.key = "value", .title = "value", .style = GPUDBG_HEXVALUE, .cell = value_cell},
    {.key = "note", .title = "note", .style = GPUDBG_NOTE, .cell = note_cell},
};

const struct gpudbg_listing listing_oa = {
    .name = "oa",
    .summary = "show the counters of an Intel OA report: info oa ADDR [FORMAT] [gen7|gen7.5|gen12]",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = oa_rows,
    .empty = "no report",
};

/* ---- Raw reports and recordings ---- */

static bool read_reports(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    if (n < 64) return gpudbg_fail(err, "truncated", "the file has %zu bytes: the smallest report has 64", n);
    const char *family = gpudbg_dump_family_asked(d);
    gpudbg_dump_capture(d, 0, "OA reports");
    gpudbg_dump_family(d, 0, is_intel(family) ? family : NULL, NULL);
    struct gpudbg_stream s = {
        .kind = "oa", .addr = gpudbg_dump_base(d), .read = GPUDBG_NO_ADDR, .write = GPUDBG_NO_ADDR, .vmid = UINT32_MAX};
    gpudbg_dump_stream_add(d, gpudbg_dump_stream(d, &s), bytes, n, 0);
    if (n % 64) gpudbg_dump_note(d, 0, "cut-off", "%zu bytes follow the last 64", n % 64);
    return true;
}

const struct gpudbg_reader reader_oa_report = {
    .name = "oa-report",
    .summary = "raw OA reports; see info oa",
    .bytes = read_reports,
};

enum { SAMPLE = 1, REPORT_LOST = 2, BUFFER_LOST = 3, VERSION = 65536, DEVICE_INFO, TOPOLOGY, CORRELATION };

static int probe_perf(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "the version record of an i915-perf recording";
    return n >= 16 && dword(bytes, 0) == VERSION && bytes[6] == 16 && bytes[7] == 0 && dword(bytes, 2) == 1 ? 80 : 0;
}

static void device_info(struct gpudbg_dump *d, const uint8_t *b, size_t n)
{
    char name[257] = "";
    if (n < 36 + 256) {
        gpudbg_dump_note(d, 0, "cut-off", "device information of %zu bytes", n);
        return;
    }
    const uint32_t id = dword(b, 2);
    char chip[24];
    snprintf(chip, sizeof chip, "0x%04x", id);
    gpudbg_dump_family(d, 0, pci_family(id), chip);
    gpudbg_dump_fact(d, 0, "timestamp-frequency", NULL, le_u64(b));
    gpudbg_dump_fact(d, 0, "pci-id", NULL, id);
    gpudbg_dump_fact(d, 0, "oa-format", NULL, dword(b, 8));
    memcpy(name, b + 36, 256);
    for (size_t i = 0; name[i]; i++)
        if ((unsigned char)name[i] < 32 || (unsigned char)name[i] > 126) name[i] = '?';
    gpudbg_dump_fact(d, 0, "metric-set", name, 0);
}

static bool read_perf(struct gpudbg_dump *d, const uint8_t *bytes, size_t n, struct gpudbg_error *err)
{
    size_t at = 0, samples = 0, lost = 0;
    if (n < 8) return gpudbg_fail(err, "truncated", "the file has %zu bytes: the smallest record has 8", n);
    gpudbg_dump_capture(d, 0, "i915-perf recording");
    while (n - at >= 8) {
        const uint32_t type = dword(bytes + at, 0);
        const size_t size = bytes[at + 6] | (size_t)bytes[at + 7] << 8;
        if (size < 8 || size > n - at) {
            gpudbg_dump_note(
                d, 0, "cut-off", "record at 0x%zx: %zu bytes of type %u, %zu are there", at, size, type, n - at);
            break;
        }
        const uint8_t *body = bytes + at + 8;
        if (type == SAMPLE) {
            char name[32];
            snprintf(name, sizeof name, "report%zu", samples++);
            struct gpudbg_stream s = {.kind = "oa",
                .name = name,
                .addr = at + 8,
                .read = GPUDBG_NO_ADDR,
                .write = GPUDBG_NO_ADDR,
                .vmid = UINT32_MAX};
            if (!gpudbg_dump_stream_add(d, gpudbg_dump_stream(d, &s), body, size - 8, 0)) break;
        } else if (type == REPORT_LOST || type == BUFFER_LOST) {
            lost++;
            gpudbg_dump_note(
                d, 0, "lost", "record at 0x%zx: %s lost", at, type == REPORT_LOST ? "a report was" : "the buffer was");
        } else if (type == DEVICE_INFO) {
            device_info(d, body, size - 8);
        } else if (type != VERSION && type != TOPOLOGY && type != CORRELATION) {
            gpudbg_dump_note(d, 0, "garbage", "record at 0x%zx: type %u", at, type);
        }
        at += size;
    }
    gpudbg_dump_fact(d, 0, "reports", NULL, samples);
    gpudbg_dump_fact(d, 0, "lost", NULL, lost);
    return true;
}

const struct gpudbg_reader reader_i915_perf = {
    .name = "i915-perf",
    .summary = "recording of i915-perf, or its stream of records",
    .probe = probe_perf,
    .bytes = read_perf,
};
