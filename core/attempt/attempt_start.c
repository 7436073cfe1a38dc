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

static bool has_code(const struct gpudbg_image *image, const struct gpudbg_segment *s)
{
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *c = &image->sections[i];
        if (c->addr < s->base + s->size && s->base < c->addr + c->size) return true;
    }
    return false;
}

/* Every segment becomes a buffer at its address.  The runner takes any number of them for buffers without a meaning. */
bool attempt_start_memory(struct attempt *a, struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    struct launching *l = (struct launching *)launch;
    const struct gpudbg_space *space = &a->env->now->machine->space[GPUDBG_GLOBAL];
    if (a->env->isa->alone && a->env->isa->alone->before) return true; /* its memory is what a program declares */
    struct gpudbg_bound *bound = launching_keep(l, (launch->nbound + space->count + 1) * sizeof *bound);
    uint64_t total = 0;
    if (!bound) return launching_no_memory(err);
    if (launch->nbound) memcpy(bound, launch->bound, launch->nbound * sizeof *bound);
    launch->bound = bound;
    for (size_t i = 0; i < space->count; i++) {
        const struct gpudbg_segment *s = space->segment[i];
        char *name = has_code(a->image, s) ? NULL : launching_keep(l, 24);
        if (!name) continue;
        if ((total += s->size) > MEMORY_MOST)
            return gpudbg_fail(
                err, "too-large", "start=now: the launch has more than %" PRIu64 " MB of memory", MEMORY_MOST >> 20);
        snprintf(name, 24, "buf%zu", 1000000 + i);
        bound[launch->nbound++] = (struct gpudbg_bound){.name = name,
            .kind = GPUDBG_BOUND_BUFFER,
            .text = "",
            .bytes = s->bytes,
            .size = s->size,
            .address = s->base,
            .placed = true,
            .flags = s->flags & (GPUDBG_SEG_READONLY | GPUDBG_SEG_WRITEONLY)};
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
            if (from->segment[k]->base != b->address) continue;
            free((char *)(uintptr_t)b->segment->name);
            b->segment->name = xstrdup(from->segment[k]->name ? from->segment[k]->name : "memory");
        }
    }
}

bool attempt_start_registers(struct attempt *a, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = a->env->isa;
    struct gpudbg_wave *now = a->env->now;
    name_memory(a);
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
