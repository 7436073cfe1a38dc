/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live.c: what core/flow/live.h calls dead nobody reads.  Kernels run twice; in the second run, every register that is
 * dead where a wave stands is overwritten with rubbish before the instruction, and all that is stored must be the same.
 * So a register that is read is alive where it is read, over all ways that were taken.
 *
 *     live SCRIPT...      lines `file`, `launch`; without one: the launches of main (live.t has many more)
 */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "flow/live.h"
#include "machine/machine.h"
#include "out/out.h"
#include "session/session.h"
#include "tap.h"

#define SECTIONS 16

struct bench {
    const struct gpudbg_image *image;
    struct section {
        struct gpudbg_ways *ways;
        struct live *live;
        live_need *needs; /* before each instruction: ncells of them; NULL: not asked yet */
        bool *known;
    } section[SECTIONS];
    unsigned nsections;
    uint32_t seed;
    uint64_t overwritten, alive, asked;
};

static uint32_t rubbish(struct bench *b)
{
    b->seed = b->seed * 1664525u + 1013904223u;
    return b->seed ^ b->seed >> 15;
}

/* ---- The analysis of all code ---- */

static bool add_section(struct bench *b, const struct gpudbg_section *s)
{
    uint64_t entries[4096];
    unsigned n = 0;
    struct gpudbg_error err = {0};
    for (size_t i = 0; i < b->image->nkernels && n < 4000; i++)
        if (b->image->kernels[i].entry - s->addr < s->size) entries[n++] = b->image->kernels[i].entry;
    for (size_t i = 0; i < b->image->nsymbols && n < 4000; i++)
        if (b->image->symbols[i].kind == GPUDBG_SYM_FUNCTION && b->image->symbols[i].addr - s->addr < s->size)
            entries[n++] = b->image->symbols[i].addr;
    if (!n) entries[n++] = s->addr;
    struct section *to = &b->section[b->nsections++];
    to->ways = gpudbg_ways_new(b->image->isa, s->bytes, s->size, s->addr, entries, n, 0, 1u << 20, &err);
    to->live = to->ways ? live_new(to->ways, &err) : NULL;
    if (!to->live) {
        note("%s", err.message);
        return false;
    }
    to->needs = calloc((size_t)to->ways->ninsns * to->live->used->ncells + 1, sizeof *to->needs);
    to->known = calloc((size_t)to->ways->ninsns + 1, 1);
    return to->needs && to->known;
}

static bool keep(void *to, uint32_t number, const live_need *before, const live_need *after)
{
    struct section *s = to;
    const uint32_t n = s->live->used->ncells;
    (void)after;
    memcpy(s->needs + (size_t)number * n, before, n * sizeof *before);
    return s->known[number] = true;
}

static bool analyse(struct bench *b)
{
    bool good = true;
    for (size_t i = 0; i < b->image->nsections && b->nsections < SECTIONS && good; i++) {
        const struct gpudbg_section *s = &b->image->sections[i];
        if (s->bytes && s->size && s->flags & GPUDBG_CODE_BYTES) good = add_section(b, s);
    }
    for (unsigned i = 0; i < b->nsections && good; i++)
        for (uint32_t k = 0; k < b->section[i].ways->nblocks; k++)
            live_walk(b->section[i].live, k, keep, &b->section[i]);
    return good;
}

static void forget(struct bench *b)
{
    for (unsigned i = 0; i < b->nsections; i++) {
        free(b->section[i].needs);
        free(b->section[i].known);
        live_free(b->section[i].live);
        gpudbg_ways_free(b->section[i].ways);
    }
    b->nsections = 0;
}

/* ---- Rubbish ---- */

/* Whether anything of the cell's file is alive. */
static bool partly_alive(const struct section *s, const live_need *needs, uint32_t cell)
{
    const struct used *u = s->live->used;
    const unsigned file = u->cell[cell].file;
    for (uint32_t c = u->first_cell[file]; c < u->first_cell[file + 1]; c++)
        if (needs[c]) return true;
    return false;
}

static void overwrite(struct bench *b, struct gpudbg_wave *w, const struct used_cell *cell)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    const struct gpudbg_regfile *file = &isa->files[cell->file];
    const unsigned units = gpudbg_use_units(isa, cell->file), reg = cell->at / units, unit = cell->at % units;
    size_t n;
    uint32_t *words = machine_register(w, cell->file, reg, &n);
    if (!words) return;
    if (gpudbg_use_bits(isa) == 8) {
        if (unit < n * 4) ((uint8_t *)words)[unit] = (uint8_t)rubbish(b);
    } else if (file->lanes > 1) {
        for (size_t l = 0; l < n; l++) words[l] = rubbish(b);
    } else if (unit < n) {
        words[unit] = file->bits < 32 ? rubbish(b) & ((1u << file->bits) - 1) : rubbish(b);
    }
    if (isa->run->changed) isa->run->changed(w, cell->file, reg);
    b->overwritten++;
}

static bool before(void *data, struct gpudbg_wave *w)
{
    struct bench *b = data;
    for (unsigned i = 0; i < b->nsections; i++) {
        const struct section *s = &b->section[i];
        uint32_t number, block;
        if (w->pc - s->ways->base >= s->ways->size || !live_find(s->live, w->pc, &number, &block)) continue;
        if (!s->known[number]) return false;
        const uint32_t n = s->live->used->ncells;
        b->asked++;
        const live_need *needs = s->needs + (size_t)number * n;
        for (uint32_t c = 0; c < n; c++) {
            const struct used_cell *cell = &s->live->used->cell[c];
            b->alive += needs[c] != 0;
            /* An edit of one accumulator drops the hidden bits of all of them. */
            const bool hidden = strcmp(w->machine->isa->files[cell->file].name, "acc") == 0;
            if (!needs[c] && !(hidden && partly_alive(s, needs, c))) overwrite(b, w, cell);
        }
        return false;
    }
    return false;
}

/* ---- Runs ---- */

static bool execute(struct gpudbg *g, const char *line)
{
    struct gpudbg_error err = {0};
    struct gpudbg_out *out = out_memory(false);
    const bool good = gpudbg_execute(g, line, out, &err);
    if (!good) note("%s: %s", line, err.message);
    out_close(out);
    return good;
}

struct stored {
    uint8_t *bytes;
    size_t size;
    char stop[420];
    uint64_t position;
};

static struct stored run(struct gpudbg_machine *m)
{
    struct stored s = {.bytes = NULL};
    const struct gpudbg_stop stop = machine_run(
        m, &(struct machine_want){.until = MACHINE_POSITION, .count = 3000000, .observed = true});
    snprintf(s.stop, sizeof s.stop, "%d %s", (int)stop.reason, stop.message);
    s.position = machine_position(m);
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    for (size_t i = 0; i < space->count; i++) {
        const struct gpudbg_segment *segment = space->segment[i];
        if (segment->flags & GPUDBG_SEG_PRIVATE) continue; /* scratch: what is spilled may be dead */
        s.bytes = realloc(s.bytes, s.size + segment->size + 1);
        memcpy(s.bytes + s.size, segment->bytes, segment->size);
        s.size += segment->size;
    }
    return s;
}

static void mutate(struct gpudbg *g, const char *launch, const char *what)
{
    struct bench b = {.seed = 1};
    if (!execute(g, launch)) {
        ok(false, "%s: launches", what);
        return;
    }
    b.image = gpudbg_session_image(g);
    if (!analyse(&b)) {
        ok(false, "%s: is analysed", what);
        forget(&b);
        return;
    }
    struct stored first = run(gpudbg_session_machine(g));
    execute(g, launch);
    struct gpudbg_machine *m = gpudbg_session_machine(g);
    const struct machine_observer observer = {.data = &b, .before = before};
    const struct machine_observer *old = machine_observe(m, &observer);
    struct stored second = run(m);
    machine_observe(m, old);
    const bool same = first.size == second.size && first.position == second.position &&
                      memcmp(first.bytes, second.bytes, first.size) == 0;
    if (!same)
        note("%s at %llu; %s at %llu", first.stop, (unsigned long long)first.position, second.stop,
            (unsigned long long)second.position);
    ok(same && b.asked, "%s: %llu instructions, %llu dead parts of registers overwritten, %llu alive", what,
        (unsigned long long)b.asked, (unsigned long long)b.overwritten, (unsigned long long)b.alive);
    free(first.bytes);
    free(second.bytes);
    forget(&b);
}

static void script(struct gpudbg *g, const char *path)
{
    char line[8192], file[1024] = "";
    FILE *f = fopen(path, "r");
    ok(f != NULL, "%s opens", path);
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "file ", 5) == 0) {
            snprintf(file, sizeof file, "%.1000s", line + 5);
            execute(g, line);
        } else if (*line) {
            char what[1200];
            snprintf(what, sizeof what, "%.1000s: %.60s", file, line);
            mutate(g, line, what);
        }
    }
    if (f) fclose(f);
}

int main(int argc, char **argv)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    if (!g) return 1;
    static const char *const launches[][2] = {
        {"t/data/kernels/gfx7/loops-O2.co", "launch collatz -g 512 -l 64 fill:2048:255 500"},
        {"t/data/kernels/gfx7/loops-O0.co", "launch mandelbrot_fixed -g 64,48 -l 8,8 zero:11280 60 47 20"},
        {"t/data/kernels/gfx7/grid-O2.co", "launch grid_ids -g 10,7,5 -l 4,3,2 zero:11200"},
        {"t/data/kernels/gfx7/addresses-O2.co", "launch pointer_calls -g 128 -l 64 zero:512 1"},
    };
    for (size_t i = 0; argc == 1 && i < sizeof launches / sizeof *launches; i++) {
        char line[300];
        snprintf(line, sizeof line, "file %s", launches[i][0]);
        if (execute(g, line)) mutate(g, launches[i][1], launches[i][0]);
    }
    for (int i = 1; i < argc; i++) script(g, argv[i]);
    session_close(g);
    return tap_done();
}
