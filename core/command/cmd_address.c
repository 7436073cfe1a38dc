/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info address: the life of an address: faults, buffers, streams, page tables, the addresses and descriptors that
 * commands set, and the descriptors of waves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "dump/dump.h"
#include "dump/dump_descriptor.h"
#include "dump/dump_paging.h"
#include "dump/dump_draw.h"
#include "dump/dump_lanes.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

static bool value_of(const struct gpudbg_incident *x, const char *key, uint64_t *value)
{
    for (unsigned k = 0; k < GPUDBG_INCIDENT_VALUES && x->kind->keys[k]; k++)
        if (strcmp(x->kind->keys[k], key) == 0 && x->have >> k & 1) return *value = x->values[k], true;
    return false;
}

struct place { /* of an address beside a range */
    const char *how;
    uint64_t distance;
};

static struct place place_beside(uint64_t addr, uint64_t start, uint64_t end)
{
    if (addr < start) return (struct place){"before", start - addr};
    if (addr < end) return (struct place){"inside", addr - start};
    return (struct place){"past", addr - end};
}

static void say_range(struct gpudbg_out *out, const char *what, const char *text, uint64_t addr, uint64_t start,
    uint64_t end, size_t dump, uint32_t line)
{
    const struct place at = place_beside(addr, start, end);
    const char *words = strcmp(at.how, "inside") == 0 ? "bytes into"
                        : strcmp(at.how, "past") == 0 ? "bytes past the end of"
                                                      : "bytes before";
    RECORD(out, "address", "{line:6}   {distance} {words} {what} {start}-{end}[, {text}][ (dump {of})]\n",
        STRING("what", what), STRING("where", at.how), HEX("distance", at.distance), HEX("start", start),
        HEX("end", end), IF(text && *text, STRING("text", text)), NUMBER("dump", dump), IF(line, NUMBER("line", line)),
        IF(dump, TEXT_ONLY(NUMBER("of", dump))), TEXT("words", words));
}

/* What is close: within 16 MB of it. */
#define CLOSE (UINT64_C(1) << 24)

/* ---- What commands and waves describe ---- */

#define USES_MOST 64 /* different ones that are kept */
#define BACK 16      /* instructions before a wave's that it may wait for */

#define ISAS_MOST 8    /* generations among the dumps */
#define SPACES_MOST 16 /* address spaces of a device */

struct use {             /* of memory near the address; alike ones are one */
    uint64_t start, end; /* end 0: how much it is is not known */
    char text[160];
    unsigned draw; /* of commands: the first that it holds for */
    bool has_draw;
    uint32_t line;
    size_t n; /* how often */
};

struct uses {
    uint64_t addr;
    struct use use[USES_MOST];
    size_t n, dropped;
};

static bool is_near(uint64_t addr, uint64_t start, uint64_t end)
{
    return addr >= start && (end ? addr < end || addr - end < CLOSE : addr - start < CLOSE);
}

static void add_use(struct uses *u, const struct use *x)
{
    if (!x->start || !is_near(u->addr, x->start, x->end)) return;
    for (size_t i = 0; i < u->n; i++)
        if (u->use[i].start == x->start && u->use[i].end == x->end && strcmp(u->use[i].text, x->text) == 0) {
            u->use[i].n++;
            return;
        }
    if (u->n == USES_MOST)
        u->dropped++;
    else
        u->use[u->n++] = *x;
}

static void say_uses(struct gpudbg_out *out, const char *what, const struct uses *u, size_t dump, unsigned *found)
{
    for (size_t i = 0; i < u->n; i++) {
        const struct use *x = &u->use[i];
        const bool sized = x->end != 0, inside = !sized || u->addr < x->end;
        const uint64_t distance = inside ? u->addr - x->start : u->addr - x->end;
        RECORD(out, "address",
            "{line:6}   {distance} {words} {what} {start}[-{end}], {text}[, from draw {draw} on][, {times} times]"
            "[ (dump {of})]\n",
            STRING("what", what), STRING("where", inside ? "inside" : "past"), HEX("distance", distance),
            HEX("start", x->start), IF(sized, HEX("end", x->end)), STRING("text", x->text),
            IF(x->has_draw, NUMBER("draw", x->draw)), IF(x->n > 1, NUMBER("times", x->n)), NUMBER("dump", dump),
            IF(x->line, NUMBER("line", x->line)), IF(dump, TEXT_ONLY(NUMBER("of", dump))),
            TEXT("words", !sized   ? "bytes behind"
                          : inside ? "bytes into"
                                   : "bytes past the end of"));
        ++*found;
    }
    if (u->dropped) gpudbg_out_print(out, "... and %zu more\n", u->dropped);
}

static bool wants_address(void *to, uint64_t start, uint64_t bytes)
{
    const struct uses *u = to;
    return is_near(u->addr, start, bytes ? start + bytes : 0);
}

static void each_address(void *to, const struct gpudbg_dump *d, const struct draw_address *a)
{
    struct use x = {.start = a->start,
        .end = a->bytes ? a->start + a->bytes : 0,
        .draw = a->draw,
        .has_draw = a->has_draw,
        .line = gpudbg_dump_stream_line(d, a->stream, a->offset),
        .n = 1};
    snprintf(x.text, sizeof x.text, "%s", a->name);
    add_use(to, &x);
}

static void wave_uses(struct uses *u, const struct dump_holder *holder, const struct gpudbg_insn *insn)
{
    struct dump_descriptor x;
    char kind[64], place[64];
    for (unsigned i = 0; dump_descriptor(insn, i, 0, holder, &x); i++) {
        for (size_t which = 0; dump_descriptor(insn, i, which, holder, &x); which++) {
            uint64_t bytes;
            struct use use = {.line = holder->w->line, .n = 1};
            if (!x.known || !dump_descriptor_range(insn->isa, &x, &use.start, &bytes)) continue;
            use.end = bytes ? use.start + bytes : 0;
            dump_descriptor_kind(&x, kind, sizeof kind);
            dump_descriptor_place(&x, place, sizeof place);
            snprintf(
                use.text, sizeof use.text, "%s in %s for %s at 0x%" PRIx64, kind, place, insn->op->name, insn->addr);
            add_use(u, &use);
        }
    }
}

/* Descriptors of the instruction whose words the dump gives for the wave; in the loaded code, also those of loads that
 * the wave may wait for. */
static void uses_of_wave(struct gpudbg *g, const struct gpudbg_dump *d, const struct gpudbg_isa *isa, bool placed,
    uint64_t shift, const struct dump_holder *holder, struct uses *u)
{
    const struct gpudbg_dump_wave *w = holder->w;
    uint64_t pc;
    struct gpudbg_insn insn;
    struct gpudbg_record r;
    uint8_t code[8];
    size_t words = 0;
    if (!dump_wave_pc(isa, d, w, &pc)) return;
    if (placed && dump_wave_fits(g->loaded.image, d, w, shift)) {
        uint64_t at = pc - shift;
        if (insn_at(g->loaded.image, at, &insn)) wave_uses(u, holder, &insn);
        for (unsigned k = 0; k < BACK && insn_before(g->loaded.image, at, &insn); k++, at = insn.addr)
            if (dump_descriptor_stays(g->loaded.image, &insn, pc - shift)) wave_uses(u, holder, &insn);
        return;
    }
    for (; words < 2 && dump_wave_part(isa, d, w, "code", (unsigned)words, &r); words++)
        le_put(code + 4 * words, r.value, 4);
    if (words && isa->decode(isa, code, 4 * words, pc, &insn) > 0) wave_uses(u, holder, &insn);
}

static void address_of_waves(struct gpudbg *g, const struct gpudbg_dump *d, size_t number, uint64_t addr,
    struct gpudbg_out *out, unsigned *found)
{
    size_t n;
    const struct gpudbg_dump_wave *w = gpudbg_dump_waves(d, &n);
    struct uses *u = xcalloc(1, sizeof *u);
    struct dump_programs programs = {.n = 0};
    for (size_t i = 0; n && i < g->loaded.ndumps; i++) dump_programs_add(&programs, g->loaded.dumps[i]);
    u->addr = addr;
    for (size_t i = 0; i < n; i++) {
        bool assumed;
        uint64_t shift = 0;
        const struct dump_holder holder = {d, &w[i], &programs};
        const char *family = dump_family(d, w[i].capture, &assumed);
        const struct gpudbg_isa *isa = dump_wave_isa(d, &w[i], &assumed);
        const bool placed = dump_placed(d, family, &shift);
        if (isa) uses_of_wave(g, d, isa, placed, shift, &holder, u);
    }
    say_uses(out, "a wave's descriptor", u, number, found);
    dump_programs_end(&programs);
    free(u);
}

/* What messages of the programs that commands start take from tables. */
static void program_uses(struct uses *u, const struct gpudbg_dump *d, const struct dump_program *p)
{
    struct dump_descriptor x;
    struct gpudbg_insn insn;
    size_t held;
    uint64_t base, bytes;
    const uint8_t *code = dump_program_code(p, &base, &held);
    for (size_t at = 0; code && p->isa && at < held; at += insn.size) {
        if (!gpudbg_insn_at(p->isa, code + at, held - at, base + at, &insn)) continue;
        for (unsigned i = 0; dump_descriptor_of_program(&insn, i, p, &x); i++) {
            struct use use = {.line = gpudbg_dump_stream_line(d, p->stream, p->offset), .n = 1};
            char place[64];
            if (!dump_descriptor_range(p->isa, &x, &use.start, &bytes)) continue;
            use.end = bytes ? use.start + bytes : 0;
            dump_descriptor_place(&x, place, sizeof place);
            snprintf(use.text, sizeof use.text, "%s in %s of %s %s for %s at 0x%" PRIx64, x.entry.structure, place,
                p->command, p->name, insn.op->name, insn.addr);
            add_use(u, &use);
        }
    }
}

static void address_of_programs(
    const struct gpudbg_dump *d, size_t number, uint64_t addr, struct gpudbg_out *out, unsigned *found)
{
    struct dump_programs programs = {.n = 0};
    struct uses *u = xcalloc(1, sizeof *u);
    u->addr = addr;
    dump_programs_add(&programs, d);
    for (size_t i = 0; i < programs.n; i++) program_uses(u, d, &programs.at[i]);
    say_uses(out, "a program's descriptor", u, number, found);
    dump_programs_end(&programs);
    free(u);
}

static void address_of_commands(
    const struct gpudbg_dump *d, size_t number, uint64_t addr, struct gpudbg_out *out, unsigned *found)
{
    struct uses *u = xcalloc(1, sizeof *u);
    u->addr = addr;
    draw_addresses(d, &(struct draw_address_sink){.wants = wants_address, .each = each_address, .to = u});
    say_uses(out, "what commands set", u, number, found);
    free(u);
}

/* ---- Page tables ---- */

struct levels {
    struct gpudbg_out *out;
    unsigned space, *found;
};

static void say_level(void *to, const struct gpudbg_level *l)
{
    struct levels *w = to;
    char fields[320], value[24] = "";
    if (l->held) {
        dump_level_text(l, fields, sizeof fields);
        snprintf(value, sizeof value, "0x%016" PRIx64, l->value);
    }
    RECORD(w->out, "page-entry",
        "         address space {space}: {text} {index} at {address}: [{value}  {fields}][{missing}]\n",
        STRING("text", l->what), NUMBER("space", w->space), HEX("index", l->index), HEX("address", l->addr),
        IF(l->held, STRING("value", value)), IF(l->held, STRING("fields", fields)),
        TEXT("missing", l->held ? NULL : "not in an open dump"));
    ++*w->found;
}

static void translate(struct gpudbg *g, const struct gpudbg_isa *isa, const char *family, unsigned space, uint64_t addr,
    struct gpudbg_out *out, unsigned *found)
{
    const struct dump_memory memory = {g->loaded.dumps, g->loaded.ndumps, isa, family};
    struct levels w = {out, space, found};
    struct gpudbg_translation t;
    char text[240];
    if (!dump_translate(&memory, space, addr, say_level, &w, &t)) return;
    if (t.whole)
        snprintf(
            text, sizeof text, "it is 0x%" PRIx64 " of %s memory", t.physical, t.system ? "the host's" : "the GPU's");
    else
        snprintf(text, sizeof text, "%s", t.why);
    RECORD(out, "translation", "         address space {space}: {text}\n", STRING("text", text), NUMBER("space", space),
        IF(t.whole, HEX("physical", t.physical)));
    ++*found;
}

/* Through the page tables of each generation among the dumps, once. */
static void address_in_tables(struct gpudbg *g, uint64_t addr, struct gpudbg_out *out, unsigned *found)
{
    const char *done[ISAS_MOST];
    size_t ndone = 0;
    for (size_t i = 0; i < g->loaded.ndumps; i++) {
        size_t captures;
        gpudbg_dump_captures(g->loaded.dumps[i], &captures);
        for (uint32_t c = 0; c < captures && ndone < ISAS_MOST; c++) {
            size_t k = 0;
            const struct gpudbg_isa *isa;
            const char *family = dump_paging_of(g->loaded.dumps[i], c, &isa);
            while (family && k < ndone && strcmp(done[k], family) != 0) k++;
            if (!family || k < ndone) continue;
            done[ndone++] = family;
            for (unsigned space = 0; space < SPACES_MOST; space++) translate(g, isa, family, space, addr, out, found);
        }
    }
}

/* ---- Buffers, faults, streams ---- */

static void address_in(
    const struct gpudbg_dump *d, size_t number, uint64_t addr, struct gpudbg_out *out, unsigned *found)
{
    const struct gpudbg_incident *x, *below = NULL, *above = NULL;
    uint64_t start, end, at, best_below = 0, best_above = UINT64_MAX;
    size_t n;
    char text[512];
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++) {
        if (value_of(x, "start", &start) && value_of(x, "end", &end)) {
            if (addr >= start && addr < end) {
                say_range(out, "a buffer", x->text, addr, start, end, number, x->line);
                ++*found;
            } else if (addr >= end && end >= best_below) {
                best_below = end;
                below = x;
            } else if (addr < start && start <= best_above) {
                best_above = start;
                above = x;
            }
            continue;
        }
        const bool page = value_of(x, "page", &at);
        const bool walked = strcmp(x->kind->word, "page-walk") == 0;
        if (!page && !((strstr(x->kind->word, "fault") || walked) && value_of(x, "address", &at))) continue;
        if ((page ? at : at >> 12) != addr >> 12) continue;
        dump_incident_text(x, text, sizeof text);
        RECORD(out, "address", "{line:6}   {text}[ (dump {of})]\n", STRING("what", walked ? "page walk" : "fault"),
            STRING("text", text), NUMBER("dump", number), NUMBER("line", x->line),
            IF(number, TEXT_ONLY(NUMBER("of", number))));
        ++*found;
    }
    if (below && addr - best_below < CLOSE && value_of(below, "start", &start)) {
        say_range(out, "a buffer", below->text, addr, start, best_below, number, below->line);
        ++*found;
    }
    if (above && best_above - addr < CLOSE && value_of(above, "end", &end)) {
        say_range(out, "a buffer", above->text, addr, best_above, end, number, above->line);
        ++*found;
    }
    const struct gpudbg_stream *s = gpudbg_dump_streams(d, &n);
    for (size_t i = 0; i < n; i++) {
        if (s[i].addr == GPUDBG_NO_ADDR || addr < s[i].addr || addr - s[i].addr >= s[i].size) continue;
        snprintf(text, sizeof text, "%s%s%s", s[i].kind, s[i].unit ? " of " : "", s[i].unit ? s[i].unit : "");
        say_range(out, "a stream", text, addr, s[i].addr, s[i].addr + s[i].size, number,
            gpudbg_dump_stream_line(d, i, (size_t)(addr - s[i].addr)));
        ++*found;
    }
}

static bool run_address(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t addr;
    unsigned found = 0;
    if (!args_value(a, "an address", &addr, err) || !args_end(a, err)) return false;
    if (!g->loaded.ndumps && g->loaded.image) { /* as gdb's command of this name */
        char line[48];
        snprintf(line, sizeof line, "info symbol 0x%" PRIx64, addr);
        return gpudbg_execute(g, line, out, err);
    }
    if (!g->loaded.ndumps) return gpudbg_fail(err, "no-file", "no dump is open; `file FILE` opens one");
    for (size_t i = 0; i < g->loaded.ndumps && !out_broken(out); i++) {
        address_in(g->loaded.dumps[i], i, addr, out, &found);
        address_of_commands(g->loaded.dumps[i], i, addr, out, &found);
        address_of_programs(g->loaded.dumps[i], i, addr, out, &found);
        address_of_waves(g, g->loaded.dumps[i], i, addr, out, &found);
    }
    address_in_tables(g, addr, out, &found);
    return found || gpudbg_fail(err, "no-such-name", "no open dump mentions 0x%" PRIx64 " or anything near it", addr);
}

static const struct gpudbg_command info_address = {
    .name = "info address",
    .usage = "ADDR",
    .summary = "show what the open dumps say about an address",
    .help = "Faults in its page; how page tables translate it (umr -vm, or the tables' own bytes); buffers that hold\n"
            "it, when they were allocated or freed, and the buffers next to it; rings and buffers of commands;\n"
            "addresses and descriptors that commands set, and the first draw that they apply to; descriptors of\n"
            "waves at loads and stores; the table entries that running shaders' messages use.\n"
            "Buffers that end less than 16 MB below it are listed as well.  Words that commands write into registers\n"
            "without a layout are tried as descriptors and addresses.  The number at the start of a row is the\n"
            "line.  Files of one hang are opened together: gpudbg dmesg.log bo_history.log bo_ranges.log\n"
            "With code and no dump it shows the symbol at the address, as `info symbol` does.",
    .family = "Dumps",
    .run = run_address,
};

static const struct gpudbg_command *const commands[] = {&info_address, NULL};
COMMAND_FAMILY(cmd_address, "address", .summary = "what dumps tell of an address", .commands = commands);
