/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.c: the hash of bytes, and the hash of a whole machine. */
#include "machine/hash.h"
#include "machine/machine_core.h"

#include <xxhash.h>
_Static_assert(XXH_VERSION_NUMBER >= 800, "XXH3 before libxxhash 0.8 gives other numbers");

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed) { return XXH3_64bits_withSeed(bytes, size, seed); }

static uint64_t hash_group(const struct gpudbg_machine *m, const struct group *g, uint64_t h)
{
    h = hash_fold(h, g->id);
    if (m->lds_size) h = hash_bytes(g->local.bytes, m->lds_size, h);
    for (uint32_t i = 0; i < m->waves_per_group; i++) {
        const struct gpudbg_wave *w = &g->wave[i];
        h = hash_fold(h, w->state);
        if (w->state == GPUDBG_UNSTARTED) continue;
        h = hash_fold(hash_fold(h, w->pc), w->executed);
        if (!wave_state_words(w)) continue;
        const uint32_t shown = w->words[m->hidden_word];
        w->words[m->hidden_word] &= ~m->hidden_bits;
        h = hash_bytes(w->words, wave_state_words(w) * sizeof *w->words, h);
        w->words[m->hidden_word] = shown;
    }
    return h;
}

uint64_t machine_hash(struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    uint64_t h = 0;
    for (size_t i = 0; i < m->space[GPUDBG_GLOBAL].count; i++) {
        const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[i];
        if (!(s->flags & GPUDBG_SEG_READONLY)) h = hash_bytes(s->bytes, s->size, hash_fold(h, s->base));
    }
    for (size_t i = 0; i < c->waves.nlive; i++)
        if (c->waves.live[i]->touched) h = hash_group(m, c->waves.live[i], h);
    h = hash_fold(h, c->waves.nended ? c->waves.ended[c->waves.nended - 1].digest : 0);
    const struct cursor *at = &c->schedule.cursor;
    return hash_fold(hash_fold(hash_fold(h, at->group), at->wave), at->left);
}
