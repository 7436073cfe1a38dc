/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempt_start.c: `start=now`: an attempt that starts as what is launched stands. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attempt/attempt.h"
#include "base/alloc.h"
#include "machine/argument.h"
#include "machine/launch.h"
#include "machine/machine.h"

#define MEMORY_MOST ((uint64_t)256 << 20) /* that is copied */

const struct gpudbg_bound *attempt_bound(const struct gpudbg_wave *w, const char *name)
{
    const struct gpudbg_launch *launch = w->machine->launch;
    for (size_t i = 0; i < launch->nbound; i++)
        if (launch->bound[i].name && strcmp(launch->bound[i].name, name) == 0 && launch->bound[i].segment)
            return &launch->bound[i];
    return NULL;
}

/* A buffer with the bytes [from, to) of a segment, at their address. */
static bool add_copy(struct launching *l, const struct gpudbg_segment *s, uint64_t from, uint64_t to, uint64_t *total,
    struct gpudbg_error *err)
{
    struct gpudbg_launch *launch = &l->launch;
    if (from >= to) return true;
    char *name = launching_keep(l, 24);
    if (!name) return launching_no_memory(err);
    if ((*total += to - from) > MEMORY_MOST)
        return gpudbg_fail(
            err, "too-large", "start=now: the launch has more than %" PRIu64 " MB of memory", MEMORY_MOST >> 20);
    snprintf(name, 24, "buf%zu", 1000000 + launch->nbound);
    launch->bound[launch->nbound++] = (struct gpudbg_bound){.name = name,
        .kind = GPUDBG_BOUND_BUFFER,
        .text = "",
        .bytes = s->bytes + (from - s->base),
        .size = to - from,
        .address = from,
        .placed = true,
        .flags = s->flags & (GPUDBG_SEG_READONLY | GPUDBG_SEG_WRITEONLY)};
    return true;
}

/* Every segment becomes a buffer at its address, without the bytes in whose place the tried code is.  The runner takes
 * any number of them for buffers without a meaning. */
bool attempt_start_memory(struct attempt *a, struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    struct launching *l = (struct launching *)launch;
    const struct gpudbg_space *space = &a->env->now->machine->space[GPUDBG_GLOBAL];
    const uint64_t code = a->base, end = a->base + a->size;
    if (a->env->isa->alone && a->env->isa->alone->before) return true; /* its memory is what a program declares */
    struct gpudbg_bound *bound = launching_keep(l, (launch->nbound + 2 * space->count + 1) * sizeof *bound);
    uint64_t total = 0;
    if (!bound) return launching_no_memory(err);
    if (launch->nbound) memcpy(bound, launch->bound, launch->nbound * sizeof *bound);
    launch->bound = bound;
    for (size_t i = 0; i < space->count; i++) {
        const struct gpudbg_segment *s = space->segment[i];
        const uint64_t first = s->base, last = s->base + s->size;
        const bool apart = end <= first || last <= code;
        if (!add_copy(l, s, first, apart || last < code ? last : code, &total, err)) return false;
        if (!apart && !add_copy(l, s, first > end ? first : end, last, &total, err)) return false;
    }
    return true;
}

/* The copies get the names of what they are copies of. */
static void name_memory(struct attempt *a)
{
    const struct gpudbg_space *from = &a->env->now->machine->space[GPUDBG_GLOBAL];
    const struct gpudbg_launch *launch = a->machine->launch;
    for (size_t i = 0; i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        for (size_t k = 0; k < from->count && b->placed && b->segment; k++) {
            if (b->address - from->segment[k]->base >= from->segment[k]->size) continue;
            free((char *)(uintptr_t)b->segment->name);
            b->segment->name = xstrdup(from->segment[k]->name ? from->segment[k]->name : "memory");
        }
    }
}

/* Resources that were made as large as those of the launch (launch_words) get their bytes. */
static void fill_resources(struct attempt *a, const struct attempt_line *line)
{
    const struct gpudbg_launch *launch = a->machine->launch;
    for (size_t i = 0; i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        const struct gpudbg_bound *from = b->param && b->segment ? attempt_bound(a->env->now, b->name) : NULL;
        bool given = false;
        for (size_t k = 0; k < line->nin; k++) given = given || strcmp(line->in[k].name, b->name) == 0;
        if (from && !given && from->segment->size == b->segment->size)
            memcpy(b->segment->bytes, from->segment->bytes, (size_t)b->segment->size);
    }
}

bool attempt_start_registers(struct attempt *a, const struct attempt_line *line, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = a->env->isa;
    struct gpudbg_wave *now = a->env->now;
    name_memory(a);
    fill_resources(a, line);
    if (isa->alone && isa->alone->resume) isa->alone->resume(a->machine, now->machine);
    for (unsigned f = 0; f < isa->nfiles; f++) {
        const unsigned count = isa->run->count(a->machine, f);
        if (isa->alone && isa->alone->repeating && strcmp(isa->files[f].name, isa->alone->repeating) == 0) continue;
        for (unsigned reg = 0; reg < count; reg++) {
            unsigned n;
            size_t have;
            const size_t at = attempt_dwords(a, f, reg, &n);
            const uint32_t *from = at == SIZE_MAX ? NULL : machine_register(now, f, reg, &have);
            if (!from) continue;
            for (unsigned i = 0; i < n; i++) a->known[at + i] = UINT32_MAX;
            if (memcmp(from, a->wave->words + at, 4 * (size_t)n) == 0) continue;
            if (!machine_set_register(a->machine, 0, f, reg, 0, from, n, err)) return false;
        }
    }
    const uint64_t local = now->lds && a->wave->lds ? now->lds->size : 0, room = a->wave->lds ? a->wave->lds->size : 0;
    return !local || machine_set_memory(a->machine, 0, GPUDBG_LOCAL, a->wave->lds->base, now->lds->bytes,
                         (size_t)(local < room ? local : room), err);
}
