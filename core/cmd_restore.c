/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * restore: the waves of a dump become the waves of the machine.  Every wave is a group of its own; registers that the dump tells
 * are set, the others are unknown (unknown.h).  The code is the loaded file's: where the dump's addresses lie in it is found by
 * the words around the program counters.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "command.h"
#include "dump.h"
#include "dump_place.h"
#include "launch.h"
#include "location.h"
#include "machine.h"
#include "out.h"
#include "session.h"
#include "stop.h"
#include "unknown.h"

/* ---- Registers ---- */

static int file_named(const struct gpudbg_isa *isa, const char *name)
{
    for (unsigned f = 0; f < isa->nfiles; f++)
        if (strcmp(isa->files[f].name, name) == 0)
            return (int)f;
    return -1;
}

static void set(struct gpudbg_machine *m, uint32_t wave, unsigned file, unsigned index, const uint32_t *words, size_t n, unsigned first)
{
    struct gpudbg_error ignored = {0};
    machine_set_register(m, wave, file, index, first, words, n, &ignored);
}

static void set_general(struct gpudbg_machine *m, uint32_t wave, const char *file, const struct gpudbg_dump_gprs *r)
{
    const int f = file_named(m->isa, file);
    for (uint32_t i = 0; f >= 0 && i < r->count; i++)
        if (r->known[i] && i < m->isa->run->count(m, (unsigned)f))
            set(m, wave, (unsigned)f, i, r->values + (size_t)i * r->lanes, r->lanes, 0);
}

/* "SQ_WAVE_EXEC_LO" is the low half of "exec", "SQ_WAVE_M0" is "m0". */
static void set_special(struct gpudbg_machine *m, uint32_t wave, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w)
{
    struct gpudbg_record r;
    for (size_t i = w->first; i < w->first + w->nrecords && gpudbg_dump_record(d, i, &r); i++) {
        char name[48], other[64];
        uint64_t low, high;
        size_t n = 0;
        if (!r.unit || strcmp(r.unit, w->unit) != 0 || !r.name || strncmp(r.name, "SQ_WAVE_", 8) != 0)
            continue;
        for (const char *p = r.name + 8; *p && n + 1 < sizeof name; p++)
            name[n++] = (char)tolower((unsigned char)*p);
        name[n] = 0;
        const bool half = n > 3 && (strcmp(name + n - 3, "_lo") == 0 || strcmp(name + n - 3, "_hi") == 0);
        if (half && strcmp(name + n - 3, "_hi") == 0)
            continue; /* with its low half */
        if (half)
            name[n - 3] = 0;
        const int f = file_named(m->isa, name);
        if (f < 0)
            continue;
        uint32_t words[2] = {(uint32_t)r.value, 0};
        if (half) {
            snprintf(other, sizeof other, "%.*s_HI", (int)strlen(r.name) - 3, r.name);
            low = r.value;
            if (!dump_wave_register(d, w, other, &high))
                continue; /* half a register is not known */
            words[0] = (uint32_t)low;
            words[1] = (uint32_t)high;
        }
        set(m, wave, (unsigned)f, 0, words, half ? 2 : 1, 0);
        /* Condition bits that are a register of their own here stand in the status word there. */
        const int scc = strcmp(name, "status") == 0 ? file_named(m->isa, "scc") : -1;
        if (scc >= 0) {
            words[0] &= 1;
            set(m, wave, (unsigned)scc, 0, words, 1, 0);
        }
    }
}

/* ---- The command ---- */

static bool make_machine(struct gpudbg *g, size_t waves, struct gpudbg_error *err)
{
    char words[64];
    const unsigned lanes = g->image->isa->lanes;
    snprintf(words, sizeof words, "-g %zu -l %u", waves * lanes, lanes);
    /* The waves stand in the middle of their kernels: arguments were taken long ago, so this is a launch of bare code. */
    const size_t kernels = g->image->nkernels;
    g->image->nkernels = 0;
    struct gpudbg_launch *launch = launch_parse(g->image, words, NULL, err);
    g->restoring = true;
    struct gpudbg_machine *m = launch ? machine_new(g, g->image, launch, err) : NULL;
    g->restoring = false;
    g->image->nkernels = kernels;
    if (!m)
        return false;
    session_end_machine(g);
    g->machine = m;
    return true;
}

static bool run_restore(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t base = 0, shift = 0;
    const bool given = *gpudbg_args_rest(a) != 0;
    size_t n = 0, good = 0;
    const struct gpudbg_dump *d = NULL;
    const char *problem = NULL;
    if (given && (!gpudbg_args_number(a, &base, err) || !args_end(a, err)))
        return false;
    if (!session_need_image(g, err))
        return false;
    if (!g->image->isa || !g->image->isa->run)
        return gpudbg_fail(err, "unsupported", "%s is decoded, not executed", g->image->isa ? g->image->isa->name : g->image->path);
    const struct gpudbg_dump_wave *w = NULL;
    for (size_t i = 0; i < g->ndumps && !n; i++) {
        d = g->dumps[i];
        w = gpudbg_dump_waves(d, &n);
    }
    if (!n)
        return gpudbg_fail(err, "command", "no open dump holds waves");
    size_t captures;
    const char *family = gpudbg_dump_captures(d, &captures)[w[0].capture].family;
    if (family && strcmp(family, g->image->isa->name) != 0)
        return gpudbg_fail(err, "unsupported", "the dump's waves are of %s, the loaded code is %s", family, g->image->isa->name);
    for (size_t i = 0; given && i < g->image->nsections; i++) {
        if (g->image->sections[i].flags & GPUDBG_CODE_BYTES) {
            shift = base - g->image->sections[i].addr;
            break;
        }
    }
    if (!dump_place(g->image, d, given, &shift, &good, &problem))
        return gpudbg_fail(err, "command", "%s", problem);
    if (!make_machine(g, n, err))
        return false;
    gpudbg_out_print(out, "%zu wave%s; the dump's address 0x%" PRIx64 " is 0x0 here; the words of %zu fit\n", n, n == 1 ? "" : "s", shift, good);
    bool mode = false;
    for (size_t i = 0; i < n; i++) {
        struct gpudbg_error ignored = {0};
        uint64_t value;
        set_general(g->machine, (uint32_t)i, "s", &w[i].s);
        set_general(g->machine, (uint32_t)i, "v", &w[i].v);
        set_general(g->machine, (uint32_t)i, "ttmp", &w[i].t);
        set_special(g->machine, (uint32_t)i, d, &w[i]);
        mode |= dump_wave_register(d, &w[i], "SQ_WAVE_MODE", &value);
        uint64_t pc = 0;
        const bool has_pc = dump_wave_pc(d, &w[i], &pc);
        if (has_pc)
            machine_set_pc(g->machine, (uint32_t)i, pc - shift, &ignored);
        char where[256];
        session_where(g, pc - shift, where, sizeof where);
        gpudbg_out_print(out, "wave %zu: %s, line %" PRIu32 ", %s%s\n", i, w[i].unit, w[i].line, has_pc ? "at " : "program counter not known",
            has_pc ? where : "");
        gpudbg_out_begin(out, "restored");
        gpudbg_out_number(out, "wave", (int64_t)i);
        gpudbg_out_string(out, "unit", w[i].unit);
        if (has_pc) {
            gpudbg_out_hex(out, "pc", pc - shift);
            gpudbg_out_hex(out, "dump_pc", pc);
            gpudbg_out_string(out, "where", where);
        }
        gpudbg_out_number(out, "line", w[i].line);
        gpudbg_out_end(out);
    }
    if (!mode)
        gpudbg_out_print(out, "the dump does not tell MODE: floats round and flush as at a launch\n");
    checks_watch(g->checks);
    g->wave = 0;
    g->lane = 0;
    g->last = (struct gpudbg_stop){.wave = 0, .lane = -1};
    g->cursor = g->last.pc = location_here(g);
    stops_arm(g);
    return true;
}

static const struct gpudbg_command restore = {
    .name = "restore", .usage = "[ADDR]", .summary = "make the waves of a dump those of the machine",
    .help = "The loaded file must hold their code; where it lies is found by the words around the program counters, or ADDR says\n"
            "where its first byte was.  Registers that the dump does not tell are unknown: an instruction that needs one stops with\n"
            "its name, and `set` gives it a value.",
    .family = "Dumps", .run = run_restore,
};

static const struct gpudbg_command *const commands[] = {&restore, NULL};
COMMAND_FAMILY(cmd_restore, "restore", .summary = "commands about the waves of a dump", .commands = commands);
