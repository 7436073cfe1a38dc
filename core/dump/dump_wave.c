/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_wave.c: waves, threads and their general registers. */
#include "base/alloc.h"
#include "dump/dump_own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gpudbg_dump_wave *add_wave(struct gpudbg_dump *d, const char *unit, const struct gpudbg_dump_wave *wave)
{
    uint32_t capture = gpudbg_dump_current(d, wave->line);
    if (d->nwaves && !dump_spend(d, sizeof *d->waves, wave->line)) return &d->waves[d->nwaves - 1];
    d->waves = dump_grow(d->waves, d->nwaves, sizeof *d->waves);
    struct gpudbg_dump_wave *w = &d->waves[d->nwaves++];
    *w = *wave;
    w->unit = dump_string(d, unit);
    w->capture = capture;
    w->first = d->values.count;
    return w;
}

struct gpudbg_dump_wave *gpudbg_dump_add_wave(
    struct gpudbg_dump *d, uint32_t line, unsigned se, unsigned sh, unsigned cu, unsigned simd, unsigned wave)
{
    char unit[96];
    snprintf(unit, sizeof unit, "se%u.sh%u.cu%u.simd%u.wave%u", se, sh, cu, simd, wave);
    return add_wave(d, unit,
        &(struct gpudbg_dump_wave){.se = (uint16_t)se,
            .sh = (uint16_t)sh,
            .cu = (uint16_t)cu,
            .simd = (uint16_t)simd,
            .wave = (uint16_t)wave,
            .line = line});
}

struct gpudbg_dump_wave *gpudbg_dump_add_unit(struct gpudbg_dump *d, uint32_t line, const char *unit, unsigned wave)
{
    return add_wave(d, unit, &(struct gpudbg_dump_wave){.wave = (uint16_t)wave, .line = line});
}

struct gpudbg_dump_wave *gpudbg_dump_add_thread(struct gpudbg_dump *d, uint32_t line, unsigned thread)
{
    char unit[32];
    snprintf(unit, sizeof unit, "thread%u", thread);
    return add_wave(d, unit, &(struct gpudbg_dump_wave){.wave = (uint16_t)thread, .line = line});
}

bool gpudbg_dump_gprs(struct gpudbg_dump *d, struct gpudbg_dump_wave *w, char file, unsigned first, unsigned n,
    unsigned lanes, const uint32_t *values)
{
    struct gpudbg_dump_gprs *g = file == 's' ? &w->s : file == 'v' ? &w->v : file == 'r' ? &w->r : &w->t;
    if (first > 511 || n > 512 - first || !lanes || lanes > 64 || (g->lanes && g->lanes != lanes)) return false;
    if (!n) return true;
    if (first + n > g->count) {
        if (!dump_spend(d, (first + n - g->count) * (lanes * 4 + 1), w->line)) return false;
        g->values = xrealloc(g->values, (size_t)(first + n) * lanes, sizeof *g->values);
        g->known = xrealloc(g->known, first + n, sizeof *g->known);
        memset(g->values + (size_t)g->count * lanes, 0, (size_t)(first + n - g->count) * lanes * 4);
        memset(g->known + g->count, 0, first + n - g->count);
        g->count = first + n;
        g->lanes = lanes;
    }
    memcpy(g->values + (size_t)first * lanes, values, (size_t)n * lanes * 4);
    memset(g->known + first, 1, n);
    return true;
}

struct gpudbg_dump_wave *gpudbg_dump_wave_at(struct gpudbg_dump *d, size_t index)
{
    return index < d->nwaves ? &d->waves[index] : NULL;
}

const struct gpudbg_dump_wave *gpudbg_dump_waves(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nwaves;
    return d->waves;
}
