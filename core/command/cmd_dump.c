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
#include "command/dump_code.h"
#include "session/command.h"
#include "dump/dump.h"
#include "dump/dump_diff.h"
#include "dump/dump_lanes.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "code/records.h"
#include "out/say.h"
#include "word/registers.h"
#include "session/session.h"
#include "eval/show.h"

struct wanted { /* filters of `info dump` */
    struct gpudbg *g;
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
    le_put(bytes, r->value, 8);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
        const bool shown = all || dump_field_tells(reg, &it, r->mask), hole = strcmp(it.field->name, "-") == 0;
        field_record(out, &it,
            !shown ? NULL
            : hole ? "         {bits:7}  {value} in bits that no field claims\n"
                   : "         {bits:7}  {name:-26} {meaning}[  {doc}]\n");
    }
}

static void print_record(const struct gpudbg_reg *reg, const struct gpudbg_record *r, bool all, struct gpudbg_out *out)
{
    char title[256];
    const bool differs = reg && register_differs(reg, r->value), rebuilt = r->flags & GPUDBG_REC_REBUILT;
    const bool masked = r->mask != (r->bits == 64 ? UINT64_MAX : UINT32_MAX);
    const bool renamed = reg && r->name && strcmp(reg->name, r->name) != 0;
    const bool other = reg && (!r->name || strcasecmp(reg->name, r->name) != 0);
    const uint64_t addr = reg && reg->addr != GPUDBG_NOWHERE ? reg->addr : r->addr;
    dump_record_title(r, title, sizeof title);
    BEGIN(out, "register",
        "{line:6} {mark} {title:-34} {value}[{rebuilt}  put together from fields, mask {whole_mask}]"
        "[{!rebuilt}  mask {mask}][{written}  written][  {known_as}]\n",
        STRING("name", r->name ? r->name
                       : reg   ? reg->name
                               : title),
        STRING("register", renamed ? reg->name : NULL), STRING("unit", r->unit),
        IF(addr != GPUDBG_NO_ADDR, HEX("addr", addr)), HEX_DIGITS("value", r->value, r->bits / 4),
        IF(masked, HEX("mask", r->mask)), NUMBER("capture", r->capture), NUMBER("line", r->line),
        STRING("isa", reg ? reg->isa : NULL), FLAG("rebuilt", rebuilt), FLAG("written", r->flags & GPUDBG_REC_WRITE),
        FLAG("differs", differs), TEXT("mark", differs ? "*" : " "), TEXT("title", title),
        TEXT_ONLY(HEX("whole_mask", r->mask)), TEXT("known_as", other ? reg->name : NULL));
    gpudbg_out_array(out, "fields");
    if (reg) print_fields(reg, r, all, out);
    gpudbg_out_close(out);
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
        const struct gpudbg_reg *reg = gpudbg_dump_reg(d, &r);
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
        const bool lost = dump_lost(d, (uint32_t)i);
        RECORD(out, "capture",
            "capture {number}, line {line}: [{title}][{!title}{format}][, device {device}][, {chip}]"
            "[, {decoded_as}[{assumed} (assumed: the dump does not say)]]"
            "[{!decoded_as}{registers_only}, {family}: its registers are decoded, its code is not]"
            "[{!decoded_as}{!registers_only}, {family}: another generation, its registers are not decoded]"
            "[{!family}, generation not said: give --isa to decode]"
            "[{lost}; all registers are ones, nothing is decoded]\n",
            NUMBER("number", i), NUMBER("line", c[i].line), STRING("format", gpudbg_dump_format(d)),
            STRING("title", c[i].title), STRING("device", c[i].device), STRING("chip", c[i].chip),
            STRING("family", c[i].family ? c[i].family : family), BOOL("decoded", family != NULL && !lost),
            BOOL("assumed", assumed), NUMBER("registers", c[i].records), TEXT("decoded_as", family),
            TEXT_ONLY(FLAG("lost", lost)), TEXT_ONLY(FLAG("registers_only", dump_has_registers(d, (uint32_t)i))));
    }
}

static void show_facts(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    size_t n;
    const struct gpudbg_dump_fact *f = gpudbg_dump_facts(d, &n);
    for (size_t i = 0; i < n; i++) {
        if (!is_wanted(w, f[i].capture, f[i].line)) continue;
        RECORD(out, "fact", "{line:6}   {key:-20} [{text}][{value}]\n", STRING("key", f[i].key),
            STRING("text", f[i].text), IF(!f[i].text, HEX("value", f[i].value)), NUMBER("capture", f[i].capture),
            NUMBER("line", f[i].line));
    }
}

static void incidents(const struct gpudbg_dump *d, const struct wanted *w, bool buffers, struct gpudbg_out *out)
{
    const struct gpudbg_incident *n;
    char text[512];
    for (size_t i = 0; (n = gpudbg_dump_incident_at(d, i)) && !out_broken(out); i++) {
        if (!is_wanted(w, n->capture, n->line) || (strcmp(n->kind->word, "buffer") == 0) != buffers) continue;
        dump_incident_text(n, text, sizeof text);
        BEGIN(out, "incident", "{line:6}   {whole}\n", STRING("kind", n->kind->word), STRING("unit", n->unit),
            STRING("text", n->text), TEXT("whole", text), TEXT_ONLY(NUMBER("line", n->line)));
        gpudbg_out_object(out, "values");
        for (unsigned k = 0; k < GPUDBG_INCIDENT_VALUES && n->kind->keys[k]; k++)
            if (n->have & 1u << k) gpudbg_out_hex(out, n->kind->keys[k], n->values[k]);
        gpudbg_out_close(out);
        SAY(out, NULL, NUMBER("capture", n->capture), NUMBER("line", n->line), NUMBER("last", n->last));
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
        bool assumed;
        const struct gpudbg_isa *isa = dump_code_isa(d, &s[i], &assumed);
        RECORD(out, "stream",
            "{line:6}   stream {number}: {kind}[ of {unit}][ {name}], {size} bytes[ at {addr}][, read pointer at "
            "+{read}]"
            "[, write pointer at +{write}][{cut}, cut off][, {isa}[{assumed} (the dump does not say for how many "
            "lanes)]][, packets of {unread} are not decoded]\n",
            NUMBER("number", i), STRING("kind", s[i].kind), STRING("unit", s[i].unit), STRING("name", s[i].name),
            IF(s[i].addr != GPUDBG_NO_ADDR, HEX("addr", s[i].addr)),
            IF(s[i].read != GPUDBG_NO_ADDR, HEX("read", s[i].read)),
            IF(s[i].write != GPUDBG_NO_ADDR, HEX("write", s[i].write)),
            IF(s[i].vmid != UINT32_MAX, NUMBER("vmid", s[i].vmid)), STRING("isa", isa ? isa->name : NULL),
            IF(assumed, BOOL("assumed", assumed)), STRING("unread", dump_stream_unread(d, &s[i])),
            NUMBER("size", s[i].size), BOOL("cut", s[i].cut), NUMBER("capture", s[i].capture),
            NUMBER("line", s[i].line));
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
    const struct gpudbg_image *image = *dump_env_of(d)->image;
    const bool placed = dump_placed(d, family, &shift);
    for (size_t i = 0; i < n; i++) {
        uint64_t at;
        char where[256] = "";
        if (!is_wanted(w, v[i].capture, v[i].line)) continue;
        const bool pc = dump_wave_pc(dump_waves_isa(d, v[i].capture), d, &v[i], &at);
        if (pc && placed && gpudbg_image_at(image, at - shift)) image_where(image, at - shift, where, sizeof where);
        const bool general = v[i].r.count;
        BEGIN(out, "dump-wave",
            "{line:6}   wave {number}: {unit}[, pc {pc}[ at {where}]], {registers} registers[, {general} general "
            "registers]"
            "[{!general}, {scalars} scalars, {known} vectors]\n",
            NUMBER("number", i), STRING("unit", v[i].unit), IF(pc, HEX("pc", at)),
            STRING("where", where[0] ? where : NULL), TEXT_ONLY(NUMBER("registers", v[i].nrecords)),
            TEXT_ONLY(IF(general, NUMBER("general", known_of(&v[i].r)))),
            TEXT_ONLY(NUMBER("scalars", known_of(&v[i].s))), TEXT_ONLY(NUMBER("known", known_of(&v[i].v))),
            TEXT_ONLY(NUMBER("line", v[i].line)));
        gprs_record(out, "s", &v[i].s);
        gprs_record(out, "ttmp", &v[i].t);
        SAY(out, NULL, NUMBER("vectors", known_of(&v[i].v)), IF(general, NUMBER("general", known_of(&v[i].r))),
            NUMBER("capture", v[i].capture), NUMBER("line", v[i].line));
        gpudbg_out_end(out);
    }
}

static void show_notes(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    size_t n;
    const struct gpudbg_dump_note *note = gpudbg_dump_notes(d, &n);
    for (size_t i = 0; i < n; i++) {
        if (!is_wanted(w, note[i].capture, note[i].line)) continue;
        RECORD(out, "note", "{line:6}   {kind}: {text}\n", STRING("kind", note[i].kind), STRING("text", note[i].text),
            NUMBER("capture", note[i].capture), NUMBER("line", note[i].line));
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

/* Another view of the waves. */
static void show_code(const struct gpudbg_dump *d, const struct wanted *w, struct gpudbg_out *out)
{
    dump_code_show(w->g, d, w->capture, out);
}

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
    {"code", NULL, NULL, show_code},
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
    if (!w->part && !w->pattern)
        RECORD(out, "dump", "dump {number}: {file}, {format}, {lines} lines\n", NUMBER("number", number),
            STRING("file", gpudbg_dump_path(d)), STRING("format", gpudbg_dump_format(d)),
            NUMBER("lines", gpudbg_dump_lines(d)));
    for (size_t i = 0; i < PARTS; i++) {
        const char *part = w->part ? w->part : w->pattern ? "registers" : NULL;
        if (part ? strcmp(part, parts[i].word) != 0 : parts[i].show == show_code) continue; /* it is asked for */
        if (!part && parts[i].title && parts[i].count(d)) gpudbg_out_print(out, "%s:\n", parts[i].title);
        parts[i].show(d, w, out);
    }
}

static bool run_dump(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct wanted w = {.g = g, .dump = -1, .capture = -1, .to = UINT32_MAX};
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
    if (w.dump >= 0 && !session_dump_numbered(g, (uint64_t)w.dump, err)) return false;
    for (size_t i = 0; i < g->loaded.ndumps; i++)
        if (w.dump < 0 || (size_t)w.dump == i) show_dump(g, i, &w, out);
    return true;
}

static const struct gpudbg_command info_dump = {
    .name = "info dump",
    .usage = "[/a] [-d DUMP] [-c CAPTURE] [-l FROM-TO] [PART | code | changed | PATTERN] | diff OTHER",
    .summary = "show what the open dumps contain, decoded, or what changed",
    .help = "PART                captures, facts, incidents, registers, waves, streams, buffers or notes; without\n"
            "                    PART, all of them\n"
            "code                the instructions at which waves are: how many waves, what they wait for, the\n"
            "                    descriptors that loads and stores use (BAD: they cannot work), the source line; with\n"
            "                    the code around, in whichever open file of code has it, found by the waves' words\n"
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
