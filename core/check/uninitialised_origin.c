/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised_origin.c: where unwritten values were born, and on which way they came. */
#include <inttypes.h>
#include <stdio.h>
#include "base/alloc.h"
#include "check/arrays.h"
#include "check/uninitialised.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

#define ORIGINS_MOST 4096
#define GIVEN_MOST 2048 /* most origins that are instructions; beyond that, the last register is named */
#define LOOP_MOST 64    /* instructions of a loop that are searched */

void uninitialised_place(unsigned space, const struct gpudbg_segment *s, uint64_t addr, char *buf, size_t size)
{
    if (space == GPUDBG_LOCAL)
        snprintf(buf, size, "local memory 0x%" PRIx64, addr);
    else
        text_put(buf, size, "%s+0x%" PRIx64, s->name, addr - s->base);
}

const struct origin *uninitialised_first(const struct uninitialised *u, uint32_t origin)
{
    const struct origin *o = &u->origin[origin];
    while (o->given && o->from) o = &u->origin[o->from];
    return o;
}

#define CHAIN 4 /* most instructions of a chain that are named: the last ones */

void uninitialised_origin(
    const struct uninitialised *u, const struct gpudbg_wave *w, uint32_t origin, char *buf, size_t size)
{
    const struct origin *o = &u->origin[origin], *first = uninitialised_first(u, origin);
    const struct origin *chain[CHAIN];
    char place[100], where[160], variable[ARRAY_NAME] = "";
    unsigned n = 0;
    struct text t = text_in(buf, size);
    if (first->given) {
        gpudbg_register_name(&u->machine->isa->files[first->file], first->index, place, sizeof place);
        text_add(&t, "%s was never written", place);
    } else {
        uninitialised_place(first->space, first->segment, first->addr, place, sizeof place);
        check_where(u->machine->image, first->pc, where, sizeof where);
        const struct array_variable *of = array_variable_at(
            checks_functions(u->checks), checks_eval(u->checks), w, first->lane, first->pc, first->space, first->addr);
        if (of) array_name(of, variable);
        text_add(&t, of ? "%s, of %s, was loaded at %s" : "%s%s was loaded at %s", place, variable, where);
    }
    for (; o->given && n < CHAIN; o = &u->origin[o->from]) {
        chain[n++] = o;
        if (!o->from) break;
    }
    for (unsigned i = n; i-- > 0;) {
        check_where(u->machine->image, chain[i]->pc, where, sizeof where);
        text_add(&t, i + 1 == n ? "; given on at %s" : ", %s", where);
    }
}

/* Where an equal origin is, if it is known: a cache, whose collisions only make equal origins twice. */
static uint32_t *near(struct uninitialised *u, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t h = ((a * 31 + b) * 31 + c) * UINT64_C(0x9e3779b97f4a7c15);
    return &u->near[h >> 32 & (ORIGINS_NEAR - 1)];
}

static uint32_t add(struct uninitialised *u, uint32_t *at, struct origin new)
{
    u->origin = xrealloc(u->origin, u->norigins + 2u, sizeof *u->origin);
    u->origin[++u->norigins] = new;
    return *at = u->norigins;
}

uint32_t uninitialised_given(struct uninitialised *u, uint64_t pc, const struct missing *m, uint64_t flags)
{
    uint32_t *at = near(u, pc, m->origin, (uint64_t)m->file << 32 | m->index);
    const struct origin *o = *at ? &u->origin[*at] : NULL;
    if (o && o->given && o->pc == pc && o->from == m->origin && o->file == m->file && o->index == m->index) return *at;
    /* A loop that computes with its own result: the chain does not grow. */
    o = m->origin ? &u->origin[m->origin] : NULL;
    for (unsigned n = 0; o && o->given && n < LOOP_MOST; n++) {
        if (o->pc == pc && o->file == m->file && o->index == m->index) return *at = (uint32_t)(o - u->origin);
        o = o->from ? &u->origin[o->from] : NULL;
    }
    if (u->norigins >= GIVEN_MOST) return m->origin;
    return add(u, at,
        (struct origin){.pc = pc,
            .given = true,
            .computed = !(flags & (GPUDBG_OP_COPY | GPUDBG_OP_BITWISE)),
            .copied = flags & GPUDBG_OP_COPY,
            .from = m->origin,
            .file = m->file,
            .index = m->index});
}

uint32_t uninitialised_loaded(struct uninitialised *u, uint64_t pc, const struct gpudbg_access *a)
{
    uint32_t *at = near(u, pc, a->addr, UINT64_MAX);
    const struct origin *o = *at ? &u->origin[*at] : NULL;
    if (o && !o->given && o->pc == pc && (o->addr == a->addr || u->norigins >= ORIGINS_MOST)) return *at;
    for (uint32_t i = u->norigins; i > 0 && u->norigins >= ORIGINS_MOST; i--)
        if (!u->origin[i].given && u->origin[i].pc == pc) return *at = i;
    return add(
        u, at, (struct origin){.pc = pc, .addr = a->addr, .segment = a->segment, .space = a->space, .lane = a->lane});
}

const struct missing *missing_source(const struct missings *all, int lane, unsigned k)
{
    const struct missing *first = NULL;
    for (unsigned i = 0; i < all->n; i++) {
        const struct missing *m = &all->of[i];
        if (lane >= 0 && m->lane >= 0 && m->lane != lane) continue;
        if (!first) first = m;
        if (m->file == first->file && m->index == first->index + k) return m;
    }
    return first;
}

bool uninitialised_computed(const struct uninitialised *u, uint32_t origin)
{
    while (origin && u->origin[origin].given && u->origin[origin].copied) origin = u->origin[origin].from;
    return origin && u->origin[origin].given && u->origin[origin].computed;
}
