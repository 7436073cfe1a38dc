/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/trial.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine_core.h"

static size_t words_size(const struct gpudbg_machine *m)
{
    const size_t size = ((size_t)m->wave_words * 4 + 63) & ~(size_t)63;
    return size ? size : 64;
}

static uint8_t *bytes_at(struct gpudbg_wave *w, const struct trial_access *a)
{
    struct gpudbg_segment *s = gpudbg_mem_find(w, a->space, a->addr, a->size);
    return s ? s->bytes + (a->addr - s->base) : NULL;
}

static void told(void *data, struct gpudbg_wave *w, const struct gpudbg_access *of)
{
    struct trial *t = data;
    if (t->naccess == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->access = xrealloc(t->access, t->room, sizeof *t->access);
    }
    struct trial_access *a = &t->access[t->naccess];
    *a = (struct trial_access){
        .space = of->space, .addr = of->addr, .size = of->size, .lane = of->lane, .write = of->write};
    const uint8_t *now = of->write ? bytes_at(w, a) : NULL;
    if (now) {
        a->before = xalloc((size_t)of->size);
        memcpy(a->before, now, (size_t)of->size);
    }
    t->naccess++;
}

static void forget_accesses(struct trial *t)
{
    for (size_t i = 0; i < t->naccess; i++) {
        free(t->access[i].before);
        free(t->access[i].after);
    }
    t->naccess = 0;
}

/* Keeps what was stored, and puts memory back. */
static void take_back(struct trial *t)
{
    for (size_t i = 0; i < t->naccess; i++) {
        struct trial_access *a = &t->access[i];
        const uint8_t *now = a->before ? bytes_at(&t->wave, a) : NULL;
        if (!now) continue;
        a->after = xalloc((size_t)a->size);
        memcpy(a->after, now, (size_t)a->size);
    }
    for (size_t i = t->naccess; i-- > 0;) {
        const struct trial_access *a = &t->access[i];
        uint8_t *now = a->before ? bytes_at(&t->wave, a) : NULL;
        if (now) memcpy(now, a->before, (size_t)a->size);
    }
}

bool trial_open(struct trial *t, struct gpudbg_machine *m, bool memory)
{
    *t = (struct trial){.machine = m, .memory = memory};
    t->wave.words = aligned_alloc(64, words_size(m));
    if (m->isa->regions.footprints) t->footprint = malloc(GPUDBG_FOOTPRINTS * sizeof *t->footprint);
    if (!t->wave.words || (m->isa->regions.footprints && !t->footprint)) {
        free(t->wave.words);
        free(t->footprint);
        *t = (struct trial){0};
        return false;
    }
    if (memory) t->observer = machine_observe(m, NULL);
    if (memory) door_tell(m, true);
    machine_tally(m, false); /* trials do not count, and a profile starts anew */
    return true;
}

void trial_close(struct trial *t)
{
    forget_accesses(t);
    free(t->access);
    free(t->footprint);
    free(t->wave.words);
    if (t->memory && t->machine) {
        door_tell(t->machine, false);
        machine_observe(t->machine, t->observer);
    }
    *t = (struct trial){0};
}

bool trial_run(struct trial *t, const struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct trial_bits *flip, size_t n)
{
    struct gpudbg_machine *m = t->machine;
    struct core *c = core_of(m);
    const struct machine_observer watching = {.data = t, .access = told}, *before = c->observer;
    const struct gpudbg_stop stop = m->stop;
    const bool deaf = c->door.deaf, observing = c->observing;
    const int hit = m->watch_hit;
    forget_accesses(t);
    if (!t->memory && insn->op->flags & (GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE)) return false;
    uint32_t *words = t->wave.words;
    t->wave = *w;
    t->wave.words = words;
    if (t->wave.state == GPUDBG_UNSTARTED) t->wave.state = GPUDBG_READY;
    memcpy(words, w->words, (size_t)m->wave_words * 4);
    for (size_t i = 0; i < n; i++) words[flip[i].at] ^= flip[i].bits;
    c->door.deaf = true;
    if (t->memory) c->observer = &watching;
    c->observing = t->memory;
    const uint32_t stamp = t->memory ? m->stamp : door_drop(m);
    const enum gpudbg_ran ran = m->isa->run->run(&t->wave, 1, true);
    door_drop_end(m, stamp);
    c->observing = observing;
    c->observer = before;
    c->door.deaf = deaf;
    core_events_drop(m);
    take_back(t);
    t->fault[0] = 0;
    if (ran == GPUDBG_RAN_FAULT) snprintf(t->fault, sizeof t->fault, "%s", m->stop.message);
    m->stop = stop;
    m->watch_hit = hit;
    return ran != GPUDBG_RAN_FAULT && t->wave.executed == w->executed + 1;
}
