/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * restore: the waves of a dump become the waves of the machine.  Every wave is a group of its own; registers that the
 * dump tells are set, the others are unknown (unknown.h).  The code is the loaded file's: where the dump's addresses
 * lie in it is found by the words around the program counters.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command/cmd_restore.h"
#include "base/alloc.h"
#include "image/image.h"
#include "command/cmd_memory.h"
#include "check/check.h"
#include "session/command.h"
#include "dump/dump.h"
#include "dump/dump_lanes.h"
#include "dump/dump_place.h"
#include "dump/dump_show.h"
#include "machine/launch.h"
#include "eval/location.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/session.h"
#include "control/stop.h"
#include "machine/unknown.h"

/* ---- Registers ---- */

static int file_named(const struct gpudbg_isa *isa, const char *name)
{
    for (unsigned f = 0; f < isa->nfiles; f++)
        if (strcmp(isa->files[f].name, name) == 0) return (int)f;
    return -1;
}

static void set(struct gpudbg_machine *m, uint32_t wave, unsigned file, unsigned index, const uint32_t *words, size_t n,
    unsigned first)
{
    struct gpudbg_error ignored = {0};
    machine_set_register(m, wave, file, index, first, words, n, &ignored);
}

static const struct gpudbg_dump_gprs *general(const struct gpudbg_dump_wave *w, const char *record)
{
    const struct gpudbg_dump_gprs *files[] = {&w->s, &w->v, &w->t, &w->r};
    const char *letters = "svtr", *at = strchr(letters, record[0]);
    return at && strcmp(record + 1, "[]") == 0 ? files[at - letters] : NULL;
}

static void set_general(struct gpudbg_machine *m, uint32_t wave, unsigned file, const struct gpudbg_dump_gprs *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->known[i] && i < m->isa->run->count(m, file))
            set(m, wave, file, i, r->values + (size_t)i * r->lanes, r->lanes, 0);
}

static bool is_first(const struct gpudbg_dumped_register *rows, const struct gpudbg_dumped_register *row)
{
    for (; rows < row; rows++)
        if (strcmp(rows->file, row->file) == 0 && rows->index == row->index) return false;
    return true;
}

/* A register is known when all of its dwords are.  row: its first. */
static void set_special(struct gpudbg_machine *m, uint32_t wave, const struct gpudbg_dump *d,
    const struct gpudbg_dump_wave *w, const struct gpudbg_dumped_register *row, unsigned file)
{
    const struct gpudbg_regfile *f = &m->isa->files[file];
    uint32_t words[16] = {0}, have = 0;
    const unsigned dwords = (f->bits + 31u) / 32;
    for (const struct gpudbg_dumped_register *other = row; other->record; other++) {
        struct gpudbg_record r;
        if (strcmp(other->file, row->file) == 0 && other->index == row->index && other->dword < 16 &&
            dump_wave_register(d, w, other->record, &r)) {
            words[other->dword] |= dumped_bits(other, r.value); /* two halves may be two records */
            have |= UINT32_C(1) << other->dword;
        }
    }
    if (dwords <= 16 && have == (UINT32_C(1) << dwords) - 1) set(m, wave, file, row->index, words, dwords, 0);
}

static void set_registers(
    struct gpudbg_machine *m, uint32_t wave, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w)
{
    for (const struct gpudbg_dumped_register *row = m->isa->dumped->registers; row->record; row++) {
        const int file = file_named(m->isa, row->file);
        const struct gpudbg_dump_gprs *r = general(w, row->record);
        if (file >= 0 && r)
            set_general(m, wave, (unsigned)file, r);
        else if (file >= 0 && is_first(m->isa->dumped->registers, row))
            set_special(m, wave, d, w, row, (unsigned)file);
    }
}

/* ---- The command ---- */

bool restore_machine(struct gpudbg *g, size_t waves, struct gpudbg_error *err)
{
    char words[96];
    if (!session_may_change(g, err)) return false;
    const unsigned lanes = g->loaded.image->isa->lanes;
    const char *more = g->loaded.image->isa->dumped->launch;
    snprintf(words, sizeof words, "-g %zu -l %u%s%s", waves * lanes, lanes, more ? " " : "", more ? more : "");
    /* The waves stand in the middle of their kernels: arguments were taken long ago, so this is a launch of bare code.
     */
    const size_t kernels = g->loaded.image->nkernels;
    g->loaded.image->nkernels = 0;
    struct gpudbg_launch *launch = launch_parse(g->loaded.image, words, NULL, &g->ticker, err);
    const struct machine_options options = {.session = g,
        .history_budget = g->settings.history_budget,
        .profile = g->settings.profile,
        .ticker = &g->ticker,
        .observed = &g->settings.observer,
        .threads = (unsigned)g->settings.threads,
        .memory = g->settings.memory_limit,
        .restoring = true};
    struct gpudbg_machine *m = launch ? machine_new(&options, g->loaded.image, launch, err) : NULL;
    g->loaded.image->nkernels = kernels;
    if (!m) return false;
    session_end_machine(g);
    g->running.machine = m;
    return true;
}

static void restore_wave(struct gpudbg *g, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w,
    uint32_t number, uint64_t shift, struct gpudbg_out *out)
{
    struct gpudbg_error ignored = {0};
    uint64_t pc = 0;
    char where[256] = "";
    const bool has_pc = dump_wave_pc(g->running.machine->isa, d, w, &pc);
    set_registers(g->running.machine, number, d, w);
    if (has_pc) {
        machine_set_pc(g->running.machine, number, pc - shift, &ignored);
        image_where(g->loaded.image, pc - shift, where, sizeof where);
    }
    RECORD(out, "restored", "wave {wave}: {unit}, [line {on_line}, ][at {where}][{!where}program counter not known]\n",
        NUMBER("wave", number), STRING("unit", w->unit), IF(has_pc, HEX("pc", pc - shift)),
        IF(has_pc, HEX("dump_pc", pc)), STRING("where", has_pc ? where : NULL), NUMBER("line", w->line),
        TEXT_ONLY(IF(w->line, NUMBER("on_line", w->line))));
}

/* What is taken for registers that these dumps do not tell. */
static void say_otherwise(
    const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, struct gpudbg_out *out)
{
    struct gpudbg_record r;
    for (const struct gpudbg_dumped_register *row = isa->dumped->registers; row->record; row++)
        if (row->otherwise && !dump_wave_register(d, w, row->record, &r))
            gpudbg_out_print(out, "the dump does not contain %s: %s\n", row->record, row->otherwise);
}

/* A wave whose program counter is not known is taken: the user may set it. */
static bool stands_here(
    const struct gpudbg_image *image, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w, uint64_t shift)
{
    uint64_t pc;
    return !dump_wave_pc(image->isa, d, w, &pc) || dump_wave_fits(image, d, w, shift);
}

/* The error for a dump whose waves are not of the code's size: how the dump says it, and what the user has to type. */
static bool fail_lanes(const struct gpudbg_image *image, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w,
    struct gpudbg_error *err)
{
    char how[96] = "", base[40] = "";
    const unsigned lanes = dump_wave_lanes(image->isa, d, w, how, sizeof how);
    const struct gpudbg_isa *other = dump_isa_of_lanes(image->isa, lanes);
    const bool raw = strcmp(image->kind, "raw") == 0;
    if (raw && image->sections[0].addr) snprintf(base, sizeof base, " --base 0x%" PRIx64, image->sections[0].addr);
    return gpudbg_fail(err, "unsupported",
        "the dump's waves have %u lanes (%s), but the loaded code is %s, for waves of %u: type `file --isa %s%s%s %s`, "
        "then `restore`",
        lanes, how, image->isa->name, image->isa->lanes, other ? other->name : "ISA", raw ? " --raw" : "", base,
        image->path);
}

static bool run_restore(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t base = 0, shift = 0;
    const bool given = *gpudbg_args_rest(a) != 0;
    size_t n = 0, good = 0;
    const struct gpudbg_dump *d = NULL;
    const char *problem = NULL;
    if (given && restore_is_binary(gpudbg_args_rest(a))) return restore_binary(g, a, out, err);
    if (given && (!gpudbg_args_number(a, &base, err) || !args_end(a, err))) return false;
    if (!eval_need_image(&g->eval, err)) return false;
    const struct gpudbg_isa *isa = g->loaded.image->isa;
    if (!isa || !isa->run)
        return gpudbg_fail(
            err, "unsupported", "gpudbg decodes %s, but does not execute it", isa ? isa->name : g->loaded.image->path);
    if (!isa->dumped)
        return gpudbg_fail(err, "unsupported", "gpudbg cannot restore waves of %s from a dump", isa->name);
    const struct gpudbg_dump_wave *w = NULL;
    for (size_t i = 0; i < g->loaded.ndumps && !n; i++) {
        d = g->loaded.dumps[i];
        w = gpudbg_dump_waves(d, &n);
    }
    if (!n) return gpudbg_fail(err, "not-now", "no open dump contains waves");
    size_t captures;
    const char *family = gpudbg_dump_captures(d, &captures)[w[0].capture].family;
    if (!dump_family_fits(family, isa))
        return gpudbg_fail(
            err, "unsupported", "the dump's waves run %s code, but the loaded code is %s", family, isa->name);
    for (size_t i = 0; given && i < g->loaded.image->nsections; i++) {
        if (g->loaded.image->sections[i].flags & GPUDBG_CODE_BYTES) {
            shift = base - g->loaded.image->sections[i].addr;
            break;
        }
    }
    if (!dump_place(g->loaded.image, d, given, &shift, &good, &problem))
        return gpudbg_fail(err, "not-now", "%s", problem);
    size_t taken = 0, others = 0, other = 0; /* other: the first of those */
    size_t *which = xcalloc(n, sizeof *which);
    for (size_t i = 0; i < n; i++) {
        if (!given && !stands_here(g->loaded.image, d, &w[i], shift)) continue;
        if (dump_wave_suits(isa, d, &w[i]))
            which[taken++] = i;
        else if (!others++)
            other = i;
    }
    if (!taken && others) {
        free(which);
        return fail_lanes(g->loaded.image, d, &w[other], err);
    }
    if (!taken || !restore_machine(g, taken, err)) {
        free(which);
        return taken || gpudbg_fail(err, "not-now", "no wave of the dump is in the loaded code");
    }
    gpudbg_out_print(out, "%zu wave%s; ", taken, taken == 1 ? "" : "s");
    if (good || given)
        gpudbg_out_print(out, "the dump's address 0x%" PRIx64 " is 0x0 here; the words of %zu fit\n", shift, good);
    else
        gpudbg_out_print(out, "no words of code to compare; gpudbg takes the dump's addresses as those of the file\n");
    for (size_t i = 0; i < taken; i++) restore_wave(g, d, &w[which[i]], (uint32_t)i, shift, out);
    if (others)
        gpudbg_out_print(out,
            "%zu other wave%s here: not of %u lanes, as this code's are; `info dump code` shows them\n", others,
            others == 1 ? "" : "s", isa->lanes);
    if (taken + others < n)
        gpudbg_out_print(out, "%zu other wave%s of the dump: not in this code; `info dump code` says in which file\n",
            n - taken - others, n - taken - others == 1 ? "" : "s");
    say_otherwise(isa, d, &w[which[0]], out);
    free(which);
    checks_watch(g->control.checks);
    g->selection.wave = 0;
    g->selection.lane = 0;
    g->running.last = (struct gpudbg_stop){.wave = 0, .lane = -1};
    g->selection.cursor = g->running.last.pc = location_here(&g->eval);
    stops_arm(&g->control);
    return true;
}

static const struct gpudbg_command restore = {
    .name = "restore",
    .usage = "[ADDR] | FILE binary ADDRESS [START [END]]",
    .summary = "copy the waves of a dump into the machine, or a file into memory",
    .help = "    restore tile.bin binary lds:0          the bytes of a file into memory, as in gdb\n"
            "    restore a.bin binary a+64 0 1024       its bytes 0 to 1023\n"
            "\n"
            "Without a file, `restore` takes the waves of a dump.  The loaded file must contain their code.  gpudbg\n"
            "finds its address by the words around the program counters; otherwise give the address of its first\n"
            "byte as ADDR.  Registers that the dump does not contain are unknown: an instruction that needs one\n"
            "stops, and the message names the register.  `set` gives it a value.",
    .family = "Dumps",
    .effect = GPUDBG_CHANGES,
    .run = run_restore,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&restore, NULL};
COMMAND_FAMILY(cmd_restore, "restore", .summary = "commands about the waves of a dump", .commands = commands);
