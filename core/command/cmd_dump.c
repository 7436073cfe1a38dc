/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info dump: what the dumps hold, decoded; and what differs between two. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "gpudbg/endian.h"
#include "image/image.h"
#include "session/command.h"
#include "dump/dump.h"
#include "dump/dump_diff.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "code/records.h"
#include "out/out.h"
#include "word/registers.h"
#include "session/session.h"
#include "eval/show.h"

struct wanted {          /* filters of `info dump` */
    const char *part;    /* one of the words of parts, or NULL: all */
    const char *pattern; /* of registers' names, units, fields */
    long dump, capture;  /* -1: all */
    uint32_t from, to;   /* lines of the file */
    bool all, changed;   /* every field; only what differs from a reset */
};

/* ---- Registers ---- */

static bool matches(const struct gpudbg_reg *reg, const struct gpudbg_record *r, const char *pattern)
{
    char wide[160];
    if (!pattern) return true;
    snprintf(wide, sizeof wide, strpbrk(pattern, "*?[") ? "%s" : "*%s*", pattern);
    if ((r->name && fnmatch(wide, r->name, FNM_CASEFOLD) == 0) ||
        (r->unit && fnmatch(wide, r->unit, FNM_CASEFOLD) == 0))
        return true;
    return reg && (fnmatch(wide, reg->name, FNM_CASEFOLD) == 0 || (reg->block && strcasecmp(reg->block, pattern) == 0));
}

static void print_fields(const struct gpudbg_reg *reg, const struct gpudbg_record *r, bool all, struct gpudbg_out *out)
{
    struct gpudbg_field_iter it;
    uint8_t bytes[8];
    char bits[64], meaning[256];
    le_put(bytes, r->value, 8);
    gpudbg_out_array(out, "fields");
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
        field_record(out, &it);
        if (!all && !dump_field_tells(reg, &it, r->mask)) continue;
        field_bits_text(&it, bits, sizeof bits);
        gpudbg_field_meaning(it.field, NULL, it.value, meaning, sizeof meaning);
        if (strcmp(it.field->name, "-") == 0)
            gpudbg_out_print(out, "         %7s  0x%" PRIx64 " in bits that no field claims\n", bits, it.value);
        else
            gpudbg_out_print(out, "         %7s  %-26s %s%s%s\n", bits, it.field->name, meaning,
                it.field->doc ? "  " : "", it.field->doc ? it.field->doc : "");
    }
    gpudbg_out_close(out);
}

static void print_record(const struct gpudbg_reg *reg, const struct gpudbg_record *r, bool all, struct gpudbg_out *out)
{
    char title[256];
    const bool differs = reg && register_differs(reg, r->value);
    dump_record_title(r, title, sizeof title);
    gpudbg_out_print(
        out, "%6" PRIu32 " %c %-34s 0x%0*" PRIx64, r->line, differs ? '*' : ' ', title, r->bits / 4, r->value);
    if (r->flags & GPUDBG_REC_REBUILT)
        gpudbg_out_print(out, "  put together from fields, mask 0x%" PRIx64, r->mask);
    else if (r->mask != (r->bits == 64 ? UINT64_MAX : UINT32_MAX))
        gpudbg_out_print(out, "  mask 0x%" PRIx64, r->mask);
    if (r->flags & GPUDBG_REC_WRITE) gpudbg_out_print(out, "  written");
    if (reg && (!r->name || strcasecmp(reg->name, r->name) != 0)) gpudbg_out_print(out, "  %s", reg->name);
    gpudbg_out_print(out, "\n");
    gpudbg_out_begin(out, "register");
    gpudbg_out_string(out, "name", r->name ? r->name : reg ? reg->name : title);
    if (reg && r->name && strcmp(reg->name, r->name) != 0) gpudbg_out_string(out, "register", reg->name);
    if (r->unit) gpudbg_out_string(out, "unit", r->unit);
    if (reg && reg->addr != GPUDBG_NOWHERE)
        gpudbg_out_hex(out, "addr", reg->addr);
    else if (r->addr != GPUDBG_NO_ADDR)
        gpudbg_out_hex(out, "addr", r->addr);
    gpudbg_out_hex(out, "value", r->value);
    if (r->mask != (r->bits == 64 ? UINT64_MAX : UINT32_MAX)) gpudbg_out_hex(out, "mask", r->mask);
    gpudbg_out_number(out, "capture", r->capture);
    gpudbg_out_number(out, "line", r->line);
    if (reg) gpudbg_out_string(out, "isa", reg->isa);
    if (r->flags & GPUDBG_REC_REBUILT) gpudbg_out_bool(out, "rebuilt", true);
    if (r->flags & GPUDBG_REC_WRITE) gpudbg_out_bool(out, "written", true);
    if (differs) gpudbg_out_bool(out, "differs", true);
    if (reg) {
        print_fields(reg, r, all, out);
    } else {
        gpudbg_out_array(out, "fields");
        gpudbg_out_close(out);
    }
    gpudbg_out_end(out);
}

static bool is_wanted(const struct wanted *w, uint32_t capture, uint32_t line)
{
    return (w->capture < 0 || (uint32_t)w->capture == capture) && line >= w->from && line <= w->to;
}

static void show_registers(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    struct gpudbg_record r;
    for (size_t i = 0; gpudbg_dump_record(d, i, &r) && !out_broken(out); i++) {
        if (!is_wanted(w, r.capture, r.line)) continue;
        const struct gpudbg_reg *reg = dump_reg(d, &r);
        if (matches(reg, &r, w->pattern) && (!w->changed || (reg && register_differs(reg, r.value))))
            print_record(reg, &r, w->all, out);
    }
}

/* ---- The other parts ---- */

static void show_captures(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    for (size_t i = 0; i < n; i++) {
        bool assumed;
        if (!is_wanted(w, (uint32_t)i, w->from)) continue;
        const char *family = dump_family(d, (uint32_t)i, &assumed);
        gpudbg_out_print(
            out, "capture %zu, line %" PRIu32 ": %s", i, c[i].line, c[i].title ? c[i].title : gpudbg_dump_format(d));
        if (c[i].device) gpudbg_out_print(out, ", device %s", c[i].device);
        if (c[i].chip) gpudbg_out_print(out, ", %s", c[i].chip);
        if (family)
            gpudbg_out_print(out, ", %s%s", family, assumed ? " (assumed: the dump does not say)" : "");
        else if (c[i].family)
            gpudbg_out_print(out, ", %s: another generation, its registers are not decoded", c[i].family);
        else
            gpudbg_out_print(out, ", generation not said: give --isa to decode");
        if (dump_lost(d, (uint32_t)i)) gpudbg_out_print(out, "; all registers are ones, nothing is decoded");
        gpudbg_out_print(out, "\n");
        gpudbg_out_begin(out, "capture");
        gpudbg_out_number(out, "number", (int64_t)i);
        gpudbg_out_number(out, "line", c[i].line);
        gpudbg_out_string(out, "format", gpudbg_dump_format(d));
        if (c[i].title) gpudbg_out_string(out, "title", c[i].title);
        if (c[i].device) gpudbg_out_string(out, "device", c[i].device);
        if (c[i].chip) gpudbg_out_string(out, "chip", c[i].chip);
        if (c[i].family || family) gpudbg_out_string(out, "family", c[i].family ? c[i].family : family);
        gpudbg_out_bool(out, "decoded", family != NULL && !dump_lost(d, (uint32_t)i));
        gpudbg_out_bool(out, "assumed", assumed);
        gpudbg_out_number(out, "registers", c[i].records);
        gpudbg_out_end(out);
    }
}

static void show_facts(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    size_t n;
    const struct gpudbg_dump_fact *f = gpudbg_dump_facts(d, &n);
    for (size_t i = 0; i < n; i++) {
        if (!is_wanted(w, f[i].capture, f[i].line)) continue;
        if (f[i].text)
            gpudbg_out_print(out, "%6" PRIu32 "   %-20s %s\n", f[i].line, f[i].key, f[i].text);
        else
            gpudbg_out_print(out, "%6" PRIu32 "   %-20s 0x%" PRIx64 "\n", f[i].line, f[i].key, f[i].value);
        gpudbg_out_begin(out, "fact");
        gpudbg_out_string(out, "key", f[i].key);
        if (f[i].text)
            gpudbg_out_string(out, "text", f[i].text);
        else
            gpudbg_out_hex(out, "value", f[i].value);
        gpudbg_out_number(out, "capture", f[i].capture);
        gpudbg_out_number(out, "line", f[i].line);
        gpudbg_out_end(out);
    }
}

static void incidents(const struct gpudbg_dump *d, const struct wanted *w, bool buffers, struct gpudbg_out *out)
{
    const struct gpudbg_incident *n;
    char text[512];
    for (size_t i = 0; (n = gpudbg_dump_incident_at(d, i)) && !out_broken(out); i++) {
        if (!is_wanted(w, n->capture, n->line) || (strcmp(n->kind->word, "buffer") == 0) != buffers) continue;
        dump_incident_text(n, text, sizeof text);
        gpudbg_out_print(out, "%6" PRIu32 "   %s\n", n->line, text);
        gpudbg_out_begin(out, "incident");
        gpudbg_out_string(out, "kind", n->kind->word);
        if (n->unit) gpudbg_out_string(out, "unit", n->unit);
        if (n->text) gpudbg_out_string(out, "text", n->text);
        gpudbg_out_object(out, "values");
        for (unsigned k = 0; k < GPUDBG_INCIDENT_VALUES && n->kind->keys[k]; k++)
            if (n->have & 1u << k) gpudbg_out_hex(out, n->kind->keys[k], n->values[k]);
        gpudbg_out_close(out);
        gpudbg_out_number(out, "capture", n->capture);
        gpudbg_out_number(out, "line", n->line);
        gpudbg_out_number(out, "last", n->last);
        gpudbg_out_end(out);
    }
}

static void show_incidents(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    incidents(d, w, false, out);
}

static void show_buffers(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    incidents(d, w, true, out);
}

static void show_streams(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    size_t n;
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    for (size_t i = 0; i < n; i++) {
        if (!is_wanted(w, s[i].capture, s[i].line)) continue;
        const struct gpudbg_isa *isa = dump_stream_isa(d, &s[i]);
        gpudbg_out_print(out, "%6" PRIu32 "   stream %zu: %s%s%s%s%s, %zu bytes", s[i].line, i, s[i].kind,
            s[i].unit ? " of " : "", s[i].unit ? s[i].unit : "", s[i].name ? " " : "", s[i].name ? s[i].name : "",
            s[i].size);
        if (s[i].addr != GPUDBG_NO_ADDR) gpudbg_out_print(out, " at 0x%" PRIx64, s[i].addr);
        if (s[i].read != GPUDBG_NO_ADDR) gpudbg_out_print(out, ", read pointer at +0x%" PRIx64, s[i].read);
        if (s[i].write != GPUDBG_NO_ADDR) gpudbg_out_print(out, ", write pointer at +0x%" PRIx64, s[i].write);
        gpudbg_out_print(out, "%s%s%s\n", s[i].cut ? ", cut off" : "", isa ? ", " : "", isa ? isa->name : "");
        gpudbg_out_begin(out, "stream");
        gpudbg_out_number(out, "number", (int64_t)i);
        gpudbg_out_string(out, "kind", s[i].kind);
        if (s[i].unit) gpudbg_out_string(out, "unit", s[i].unit);
        if (s[i].name) gpudbg_out_string(out, "name", s[i].name);
        if (s[i].addr != GPUDBG_NO_ADDR) gpudbg_out_hex(out, "addr", s[i].addr);
        if (s[i].read != GPUDBG_NO_ADDR) gpudbg_out_hex(out, "read", s[i].read);
        if (s[i].write != GPUDBG_NO_ADDR) gpudbg_out_hex(out, "write", s[i].write);
        if (s[i].vmid != UINT32_MAX) gpudbg_out_number(out, "vmid", s[i].vmid);
        if (isa) gpudbg_out_string(out, "isa", isa->name);
        gpudbg_out_number(out, "size", (int64_t)s[i].size);
        gpudbg_out_bool(out, "cut", s[i].cut);
        gpudbg_out_number(out, "capture", s[i].capture);
        gpudbg_out_number(out, "line", s[i].line);
        gpudbg_out_end(out);
    }
}

static unsigned known_of(const struct gpudbg_dump_gprs *f)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < f->count; i++) n += f->known[i];
    return n;
}

static void gprs_record(struct gpudbg_out *out, const char *key, const struct gpudbg_dump_gprs *f)
{
    if (f->lanes != 1) return;
    gpudbg_out_array(out, key);
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->known[i])
            gpudbg_out_hex(out, NULL, f->values[i]);
        else
            gpudbg_out_string(out, NULL, "unknown");
    }
    gpudbg_out_close(out);
}

static void show_waves(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    size_t n;
    const struct gpudbg_dump_wave *v = gpudbg_dump_waves(d, &n);
    uint64_t shift = 0;
    bool assumed;
    const char *family = n ? dump_family(d, v[0].capture, &assumed) : NULL;
    const struct gpudbg_isa *isa = family ? gpudbg_dump_isa_named(d, family) : NULL;
    const struct gpudbg_image *image = *dump_env_of(d)->image;
    const bool placed = dump_placed(d, family, &shift);
    for (size_t i = 0; i < n; i++) {
        uint64_t at;
        char where[256] = "";
        if (!is_wanted(w, v[i].capture, v[i].line)) continue;
        const bool pc = dump_wave_pc(isa, d, &v[i], &at);
        if (pc && placed && gpudbg_image_at(image, at - shift)) image_where(image, at - shift, where, sizeof where);
        gpudbg_out_print(out, "%6" PRIu32 "   wave %zu: %s", v[i].line, i, v[i].unit);
        if (pc) gpudbg_out_print(out, ", pc 0x%" PRIx64 "%s%s", at, where[0] ? " at " : "", where);
        gpudbg_out_print(out, ", %zu registers", v[i].nrecords);
        if (v[i].r.count)
            gpudbg_out_print(out, ", %u general registers\n", known_of(&v[i].r));
        else
            gpudbg_out_print(out, ", %u scalars, %u vectors\n", known_of(&v[i].s), known_of(&v[i].v));
        gpudbg_out_begin(out, "dump-wave");
        gpudbg_out_number(out, "number", (int64_t)i);
        gpudbg_out_string(out, "unit", v[i].unit);
        if (pc) gpudbg_out_hex(out, "pc", at);
        if (where[0]) gpudbg_out_string(out, "where", where);
        gprs_record(out, "s", &v[i].s);
        gprs_record(out, "ttmp", &v[i].t);
        gpudbg_out_number(out, "vectors", known_of(&v[i].v));
        if (v[i].r.count) gpudbg_out_number(out, "general", known_of(&v[i].r));
        gpudbg_out_number(out, "capture", v[i].capture);
        gpudbg_out_number(out, "line", v[i].line);
        gpudbg_out_end(out);
    }
}

static void show_notes(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    size_t n;
    const struct gpudbg_dump_note *note = gpudbg_dump_notes(d, &n);
    for (size_t i = 0; i < n; i++) {
        if (!is_wanted(w, note[i].capture, note[i].line)) continue;
        gpudbg_out_print(out, "%6" PRIu32 "   %s: %s\n", note[i].line, note[i].kind, note[i].text);
        gpudbg_out_begin(out, "note");
        gpudbg_out_string(out, "kind", note[i].kind);
        gpudbg_out_string(out, "text", note[i].text);
        gpudbg_out_number(out, "capture", note[i].capture);
        gpudbg_out_number(out, "line", note[i].line);
        gpudbg_out_end(out);
    }
}

static size_t count_facts(const struct gpudbg_dump *d)
{
    size_t n;
    gpudbg_dump_facts(d, &n);
    return n;
}
static size_t count_waves(const struct gpudbg_dump *d)
{
    size_t n;
    gpudbg_dump_waves(d, &n);
    return n;
}
static size_t count_streams(const struct gpudbg_dump *d)
{
    size_t n;
    gpudbg_dump_streams(d, &n);
    return n;
}
static size_t count_notes(const struct gpudbg_dump *d)
{
    size_t n;
    gpudbg_dump_notes(d, &n);
    return n;
}
static size_t count_kind(const struct gpudbg_dump *d, bool buffers)
{
    const struct gpudbg_incident *n;
    for (size_t i = 0; (n = gpudbg_dump_incident_at(d, i)); i++)
        if ((strcmp(n->kind->word, "buffer") == 0) == buffers) return 1;
    return 0;
}
static size_t count_incidents(const struct gpudbg_dump *d) { return count_kind(d, false); }
static size_t count_buffers(const struct gpudbg_dump *d) { return count_kind(d, true); }

static const struct part {
    const char *word, *title;
    size_t (*count)(const struct gpudbg_dump *); /* 0: there is nothing to say */
    void (*show)(const struct gpudbg_dump *, const struct wanted *, struct gpudbg_out *);
} parts[] = {
    {"captures", NULL, NULL, show_captures},
    {"facts", "facts", count_facts, show_facts},
    {"incidents", "what happened", count_incidents, show_incidents},
    {"registers", "registers (* differs from what a reset leaves)", gpudbg_dump_records, show_registers},
    {"waves", "waves", count_waves, show_waves},
    {"streams", "rings, buffers, code", count_streams, show_streams},
    {"buffers", "buffers", count_buffers, show_buffers},
    {"notes", "notes", count_notes, show_notes},
};
#define PARTS (sizeof parts / sizeof *parts)

/* ---- The command ---- */

static bool filters(struct wanted *w, struct gpudbg_args *a, struct gpudbg_error *err)
{
    const char *word;
    while ((word = gpudbg_args_word(a))) {
        const bool dump = strcmp(word, "-d") == 0, capture = strcmp(word, "-c") == 0;
        if (dump || capture) {
            const char *number = args_need(a, "a number", err);
            if (!number) return false;
            if (!dump_number(number, dump ? &w->dump : &w->capture))
                return gpudbg_fail(err, "usage", "\"%.40s\" is not a number", number);
            continue;
        }
        if (strcmp(word, "-l") == 0) {
            const char *lines = args_need(a, "lines", err);
            if (!lines) return false;
            if (sscanf(lines, "%" SCNu32 "-%" SCNu32, &w->from, &w->to) != 2 || w->from > w->to)
                return gpudbg_fail(err, "usage", "\"%.40s\" is not a range of lines; write FROM-TO", lines);
            continue;
        }
        if (strcmp(word, "-a") == 0) {
            w->all = true;
            continue;
        }
        if (strcmp(word, "changed") == 0) {
            w->changed = true;
            w->part = "registers";
            continue;
        }
        size_t i = 0;
        while (i < PARTS && strcmp(parts[i].word, word) != 0) i++;
        if (i < PARTS)
            w->part = parts[i].word;
        else if (w->pattern)
            return gpudbg_fail(err, "usage", "\"%.40s\" is a second pattern; write only one", word);
        else
            w->pattern = word;
    }
    return true;
}

static void show_dump(struct gpudbg *g, size_t number, const struct wanted *w, struct gpudbg_out *out)
{
    const struct gpudbg_dump *d = g->loaded.dumps[number];
    if (!w->part && !w->pattern) {
        gpudbg_out_print(out, "dump %zu: %s, %s, %" PRIu32 " lines\n", number, gpudbg_dump_path(d),
            gpudbg_dump_format(d), gpudbg_dump_lines(d));
        gpudbg_out_begin(out, "dump");
        gpudbg_out_number(out, "number", (int64_t)number);
        gpudbg_out_string(out, "file", gpudbg_dump_path(d));
        gpudbg_out_string(out, "format", gpudbg_dump_format(d));
        gpudbg_out_number(out, "lines", gpudbg_dump_lines(d));
        gpudbg_out_end(out);
    }
    for (size_t i = 0; i < PARTS; i++) {
        const char *part = w->part ? w->part : w->pattern ? "registers" : NULL;
        if (part && strcmp(part, parts[i].word) != 0) continue;
        if (!part && parts[i].title && parts[i].count(d)) gpudbg_out_print(out, "%s:\n", parts[i].title);
        parts[i].show(d, w, out);
    }
}

static bool run_dump(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct wanted w = {.dump = -1, .capture = -1, .to = UINT32_MAX};
    char pattern[128] = "";
    if (!g->loaded.ndumps) return gpudbg_fail(err, "no-file", "no dump is open; `load FILE` opens one");
    if (strncmp(gpudbg_args_rest(a), "diff", 4) == 0 &&
        (gpudbg_args_rest(a)[4] == 0 || gpudbg_args_rest(a)[4] == ' ')) {
        const struct dump_env env = session_dump_env(g);
        gpudbg_args_word(a);
        return dump_diff(g->sealed ? NULL : &env, g->loaded.dumps, g->loaded.ndumps, a, out, err);
    }
    w.all = strcmp(gpudbg_args_format(a), "a") == 0;
    if (!filters(&w, a, err)) return false;
    if (w.pattern) { /* the words are borrowed from the line */
        snprintf(pattern, sizeof pattern, "%s", w.pattern);
        w.pattern = pattern;
    }
    if (w.dump >= 0 && (size_t)w.dump >= g->loaded.ndumps)
        return gpudbg_fail(err, "out-of-range", "no dump %ld: %zu are open, numbered from 0", w.dump, g->loaded.ndumps);
    for (size_t i = 0; i < g->loaded.ndumps; i++)
        if (w.dump < 0 || (size_t)w.dump == i) show_dump(g, i, &w, out);
    return true;
}

static const struct gpudbg_command info_dump = {
    .name = "info dump",
    .usage = "[/a] [-d DUMP] [-c CAPTURE] [-l FROM-TO] [PART | changed | PATTERN] | diff OTHER",
    .summary = "show what the open dumps contain, decoded, or what changed",
    .help = "PART                captures, facts, incidents, registers, waves, streams, buffers or notes; without\n"
            "                    PART, all of them\n"
            "changed             the registers that differ from their values after a reset\n"
            "PATTERN             the registers with this text in their name, unit or block; * and ? work\n"
            "-d DUMP             only this dump; -c CAPTURE: only this capture; -l FROM-TO: only these lines of\n"
            "                    the file\n"
            "/a or -a            every field; without it, only the fields that say something\n"
            "diff FILE           compare the first dump with another file\n"
            "diff N [M]          compare captures of the first dump\n"
            "The number at the start of a row is the line in the dump's file.",
    .family = "Dumps",
    .run = run_dump,
};

static const struct gpudbg_command *const commands[] = {&info_dump, NULL};
COMMAND_FAMILY(cmd_dump, "dump", .summary = "commands about captured state", .commands = commands);
