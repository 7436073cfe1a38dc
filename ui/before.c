/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "before.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

void before_take(struct before *b, struct gpudbg *g)
{
    b->machine = g->running.machine;
    b->wave = g->selection.wave;
    b->n = 0;
    if (!g->running.machine) return;
    struct machine_history history;
    machine_history(g->running.machine, &history);
    b->position = history.position;
    b->edits = history.edits;
    struct gpudbg_wave *wave = gpudbg_session_wave(g);
    if (!wave || !wave->words) return;
    size_t n = g->running.machine->wave_words;
    b->words = xrealloc(b->words, n + 1, sizeof *b->words);
    memcpy(b->words, wave->words, n * sizeof *b->words);
    b->n = n;
}

bool before_moved(const struct before *b, struct gpudbg *g)
{
    if (b->machine != g->running.machine) return true;
    if (!g->running.machine) return false;
    struct machine_history history;
    machine_history(g->running.machine, &history);
    return history.position != b->position || history.edits != b->edits;
}

uint64_t before_distance(const struct before *b, struct gpudbg *g)
{
    struct machine_history history;
    if (!g->running.machine || b->machine != g->running.machine) return UINT64_MAX;
    machine_history(g->running.machine, &history);
    return history.position > b->position ? history.position - b->position : b->position - history.position;
}

void before_free(struct before *b)
{
    free(b->words);
    *b = (struct before){0};
}

bool before_changed(const struct before *b, struct gpudbg *g, const uint32_t *words, size_t n)
{
    struct gpudbg_wave *wave = gpudbg_session_wave(g);
    if (!b->machine || b->machine != g->running.machine || !wave || b->wave != wave->id || words < wave->words)
        return false;
    size_t at = (size_t)(words - wave->words);
    return at + n <= b->n && memcmp(b->words + at, words, n * sizeof *words) != 0;
}
