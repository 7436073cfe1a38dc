/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image_ways.c: all code of a loaded file, and what holds in it, see gpudbg/flow.h. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg.h"

#define INSNS_MOST (UINT32_C(1) << 20)

static bool begins_in(const struct gpudbg_section *s, uint64_t addr) { return addr - s->addr < s->size; }

static bool section_ways(const struct gpudbg_image *image, const struct gpudbg_section *s, unsigned flags,
    gpudbg_ways_fn *each, void *to, struct gpudbg_error *err)
{
    uint64_t *entries = malloc((image->nkernels + image->nsymbols + 1) * sizeof *entries);
    if (!entries) return gpudbg_fail(err, "memory", "the code's ways: out of memory");
    unsigned n = 0;
    for (size_t i = 0; i < image->nkernels; i++)
        if (begins_in(s, image->kernels[i].entry)) entries[n++] = image->kernels[i].entry;
    for (size_t i = 0; i < image->nsymbols; i++)
        if (image->symbols[i].kind == GPUDBG_SYM_FUNCTION && begins_in(s, image->symbols[i].addr))
            entries[n++] = image->symbols[i].addr;
    if (!n) entries[n++] = s->addr;
    struct gpudbg_ways *w = gpudbg_ways_new(image->isa, s->bytes, s->size, s->addr, entries, n, flags, INSNS_MOST, err);
    free(entries);
    const bool ok = w && each(to, w, err);
    gpudbg_ways_free(w);
    return ok;
}

bool gpudbg_image_ways(
    const struct gpudbg_image *image, unsigned flags, gpudbg_ways_fn *each, void *to, struct gpudbg_error *err)
{
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!s->bytes || !s->size || !(s->flags & GPUDBG_CODE_BYTES)) continue;
        if (!section_ways(image, s, flags, each, to, err)) return false;
    }
    return true;
}

/* ---- Instruction by instruction ---- */

struct following {
    const struct gpudbg_stepper *stepper;
    const struct gpudbg_ways *ways;
    void *state;
    gpudbg_stepped_fn *each; /* NULL while the states are not final */
    void *to;
};

static bool follow_insn(void *data, const struct gpudbg_insn *insn, uint32_t number)
{
    const struct following *f = data;
    (void)number;
    if (f->each) f->each(f->to, f->state, insn);
    f->stepper->step(f->state, insn);
    return true;
}

static void meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *in)
{
    gpudbg_each_left(solution, block, false, ((const struct following *)with)->stepper->join, in);
}

static void pass(void *with, uint32_t block, void *state)
{
    struct following f = *(const struct following *)with;
    f.state = state;
    gpudbg_block_walk(f.ways, block, follow_insn, &f);
    if (f.stepper->pack) f.stepper->pack(state);
}

static bool follow_ways(void *to, const struct gpudbg_ways *ways, struct gpudbg_error *err)
{
    struct following final = *(const struct following *)to, f = {.stepper = final.stepper, .ways = ways};
    const struct gpudbg_solver solver = {.size = f.stepper->size, .meet = meet, .pass = pass};
    struct gpudbg_solution *solution = gpudbg_solve(ways, &solver, &f, err);
    final.state = xalloc(solver.size);
    for (uint32_t b = 0; solution && b < ways->nblocks; b++) {
        const void *in = gpudbg_entered(solution, b);
        if (!in) continue;
        memcpy(final.state, in, solver.size);
        gpudbg_block_walk(ways, b, follow_insn, &final);
    }
    free(final.state);
    gpudbg_solution_free(solution);
    return solution;
}

bool gpudbg_follow(const struct gpudbg_image *image, const struct gpudbg_stepper *stepper, gpudbg_stepped_fn *each,
    void *to, struct gpudbg_error *err)
{
    struct following f = {.stepper = stepper, .each = each, .to = to};
    return gpudbg_image_ways(image, 0, follow_ways, &f, err);
}
