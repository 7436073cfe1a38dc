/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waves.c: groups come into being, end, are kept for a while, and come back when time runs back. */
#include "base/alloc.h"
#include "machine/hash.h"
#include "machine/machine_core.h"
#include "machine/unknown.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 4096                       /* in a chunk */
#define KEPT_BYTES ((uint64_t)2 << 20)   /* of groups that have ended: the first ones, and the latest two */
#define FINAL_BYTES ((uint64_t)16 << 20) /* of waves that ended in groups that go on, while time is before their ends */
#define GROUP_BYTES ((uint64_t)64 << 20) /* one group may need at most */

static size_t round_up(size_t n) { return (n + 63) & ~(size_t)63; }

static size_t words_bytes(const struct gpudbg_machine *m) { return round_up((size_t)m->wave_words * 4); }

bool waves_open(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct waves *s = &core_of(m)->waves;
    uint64_t local = m->lds_size ? round_up(m->lds_size) + 64 + round_up(door_pages(m->lds_size) * 4) : 0;
    uint64_t waves = (uint64_t)m->waves_per_group * (words_bytes(m) + sizeof(struct gpudbg_wave) + 1);
    s->group_bytes = round_up(sizeof(struct group)) + round_up(waves) + 128 + local;
    if (s->group_bytes > GROUP_BYTES)
        return gpudbg_fail(
            err, "too-large", "a group would need %llu bytes of registers and LDS", (unsigned long long)s->group_bytes);
    s->slot = calloc((s->ngroups + (size_t)SLOTS - 1) / SLOTS, sizeof *s->slot);
    return s->slot || gpudbg_fail(err, "memory", "no memory for %u groups", s->ngroups);
}

static struct group_slot *slot_of(const struct gpudbg_machine *m, uint32_t group)
{
    const struct waves *s = &core_of(m)->waves;
    struct group_slot *chunk = s->slot[group / SLOTS];
    return chunk ? &chunk[group % SLOTS] : NULL;
}

static struct group_slot *slot_made(struct gpudbg_machine *m, uint32_t group)
{
    struct group_slot **chunk = &core_of(m)->waves.slot[group / SLOTS];
    if (!*chunk) *chunk = calloc(SLOTS, sizeof **chunk);
    return *chunk ? &(*chunk)[group % SLOTS] : NULL;
}

struct group *waves_live(const struct gpudbg_machine *m, uint32_t group)
{
    const struct group_slot *slot = slot_of(m, group);
    return slot ? slot->live : NULL;
}

size_t waves_end_index(const struct gpudbg_machine *m, uint32_t group)
{
    const struct group_slot *slot = slot_of(m, group);
    return slot ? slot->ended : 0;
}

const struct ended_group *waves_ended(const struct gpudbg_machine *m, uint32_t group)
{
    const struct waves *s = &core_of(m)->waves;
    const size_t index = waves_end_index(m, group);
    return index && index <= s->nended ? &s->ended[index - 1] : NULL;
}

/* ---- Memory of groups: one block each, all of one size ---- */

static void group_destroy(struct group *g)
{
    if (g) free(g->end);
    free(g);
}

static void group_free(struct waves *s, struct group *g)
{
    if (!g) return;
    if ((s->nspare + 1) * s->group_bytes > KEPT_BYTES && s->nspare) {
        group_destroy(g);
        return;
    }
    g->next = s->spare;
    s->spare = g;
    s->nspare++;
}

static struct group *group_alloc(struct gpudbg_machine *m)
{
    struct waves *s = &core_of(m)->waves;
    struct group *g = s->spare;
    struct wave_end *end = g ? g->end : NULL;
    if (g) {
        s->spare = g->next;
        s->nspare--;
    } else {
        g = aligned_alloc(64, round_up(s->group_bytes));
    }
    if (!g) return NULL;
    *g = (struct group){.end = end};
    uint8_t *p = (uint8_t *)g + round_up(sizeof *g);
    uint8_t *words = p;
    p += m->waves_per_group * words_bytes(m);
    if (m->lds_size) {
        g->local.bytes = p;
        p += round_up(m->lds_size) + 64;
        memset(g->local.bytes, 0, (size_t)(p - g->local.bytes));
        g->local.page = (uint32_t *)(void *)p;
        p += round_up(door_pages(m->lds_size) * 4);
        memset(g->local.page, 0, (size_t)(p - (uint8_t *)g->local.page));
    }
    g->wave = (struct gpudbg_wave *)(void *)p;
    memset(g->wave, 0, m->waves_per_group * sizeof *g->wave);
    g->lost = (bool *)(g->wave + m->waves_per_group);
    memset(g->lost, 0, m->waves_per_group);
    for (uint32_t i = 0; i < m->waves_per_group; i++)
        g->wave[i].words = (uint32_t *)(void *)(words + i * words_bytes(m));
    return g;
}

void waves_close(struct gpudbg_machine *m)
{
    struct waves *s = &core_of(m)->waves;
    for (size_t i = 0; i < s->nlive; i++) group_destroy(s->live[i]);
    for (size_t i = 0; i < s->known; i++) {
        group_destroy(s->ended[i].kept);
        free(s->ended[i].wave);
    }
    while (s->nfinals) free(s->final[--s->nfinals].words);
    free(s->final);
    while (s->spare) {
        struct group *next = s->spare->next;
        group_destroy(s->spare);
        s->spare = next;
    }
    for (size_t i = 0; s->slot && i < (s->ngroups + (size_t)SLOTS - 1) / SLOTS; i++) free(s->slot[i]);
    free(s->slot);
    free(s->live);
    free(s->ended);
}

/* ---- Life ---- */

void waves_restart(struct gpudbg_wave *w)
{
    w->pc = w->executed = 0;
    w->state = w->lanes ? GPUDBG_UNSTARTED : GPUDBG_ENDED;
    memset(w->words, 0, words_bytes(w->machine));
    if (w->lanes) w->machine->isa->run->start(w);
    unknown_start(w);
}

/* What the waves of a group have in common: where it is, and its work-items.  At the edge of the grid those are as
 * many as are left in each direction. */
struct place {
    uint32_t group, id[3];
    uint64_t items;
};

static struct place place_of(const struct gpudbg_machine *m, uint32_t group)
{
    const struct gpudbg_launch *l = m->launch;
    const uint32_t row = group / l->groups[0];
    struct place p = {group, {group % l->groups[0], row % l->groups[1], row / l->groups[1]}, 1};
    for (int i = 0; i < 3; i++) {
        const uint64_t left = l->global[i] - (uint64_t)p.id[i] * l->local[i];
        p.items *= left < l->local[i] ? left : l->local[i];
    }
    return p;
}

static void identify(const struct gpudbg_machine *m, const struct place *p, uint32_t index, struct gpudbg_wave *w)
{
    w->machine = (struct gpudbg_machine *)m;
    w->id = p->group * m->waves_per_group + index;
    w->group = p->group;
    w->index = index;
    memcpy(w->group_id, p->id, sizeof w->group_id);
    const uint64_t first = (uint64_t)index * m->lanes;
    uint64_t n = p->items > first ? p->items - first : 0;
    if (n > m->lanes) n = m->lanes;
    w->lanes = n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

void waves_identity(const struct gpudbg_machine *m, uint32_t wave, struct gpudbg_wave *w)
{
    const struct place p = place_of(m, wave / m->waves_per_group);
    identify(m, &p, wave % m->waves_per_group, w);
}

/* All lanes of all waves of the group work. */
static bool is_whole(const struct gpudbg_machine *m, uint32_t group)
{
    return place_of(m, group).items == (uint64_t)m->waves_per_group * m->lanes;
}

uint32_t waves_alike(const struct gpudbg_machine *m, uint32_t group)
{
    const struct waves *s = &core_of(m)->waves;
    const struct gpudbg_launch *l = m->launch;
    const bool ended = waves_ended(m, group);
    const bool whole = !(l->global[0] % l->local[0] || l->global[1] % l->local[1] || l->global[2] % l->local[2]);
    uint32_t next = group;
    while (next < s->ngroups && !waves_live(m, next) && (waves_ended(m, next) != NULL) == ended &&
           (whole && next > group ? true : is_whole(m, next)))
        next += !ended && whole && next > group && !slot_of(m, next) ? SLOTS - next % SLOTS : 1;
    return next < s->ngroups ? next : s->ngroups;
}

static size_t live_index(const struct waves *s, uint32_t group)
{
    size_t i = s->nlive;
    while (i && s->live[i - 1]->id >= group) i--;
    return i;
}

struct group *waves_group(struct gpudbg_machine *m, uint32_t group)
{
    struct waves *s = &core_of(m)->waves;
    struct group_slot *slot = slot_made(m, group);
    if (!slot || slot->live) return slot ? slot->live : NULL;
    if (waves_ended(m, group) || !CORE_GROW(s->live, s->live_room, s->nlive)) return NULL;
    /* What its end needs is had now, where a want of memory stops the run: an end that is not noted would be forgotten.
     */
    struct group *g = CORE_GROW(s->ended, s->ended_room, s->known + s->nlive) ? group_alloc(m) : NULL;
    if (g && !g->end) g->end = calloc(m->waves_per_group, sizeof *g->end);
    if (!g) return NULL;
    if (!g->end) {
        group_free(s, g);
        return NULL;
    }
    g->id = group;
    if (m->lds_size) {
        g->local.name = "lds";
        g->local.size = m->lds_size;
        g->local.param = -1;
        door_mark(m, GPUDBG_LOCAL, &g->local);
    }
    const struct place place = place_of(m, group);
    for (uint32_t i = 0; i < m->waves_per_group; i++) {
        struct gpudbg_wave *w = &g->wave[i];
        identify(m, &place, i, w);
        w->lds = m->lds_size ? &g->local : NULL;
        waves_restart(w);
    }
    size_t at = live_index(s, group);
    memmove(s->live + at + 1, s->live + at, (s->nlive - at) * sizeof *s->live);
    s->live[at] = g;
    s->nlive++;
    slot->live = g;
    return g;
}

static void unlist(struct gpudbg_machine *m, struct group *g)
{
    struct waves *s = &core_of(m)->waves;
    size_t at = live_index(s, g->id);
    memmove(s->live + at, s->live + at + 1, (--s->nlive - at) * sizeof *s->live);
    slot_of(m, g->id)->live = NULL;
}

void waves_drop(struct gpudbg_machine *m, struct group *g)
{
    unlist(m, g);
    group_free(&core_of(m)->waves, g);
}

static void unkeep(struct waves *s, struct ended_group *e)
{
    if (!e->kept) return;
    s->kept_bytes -= s->group_bytes;
    group_free(s, e->kept);
    e->kept = NULL;
}

/* What is known of the end of a group: g's, or that of one that did not run here. */
static bool note_end(struct gpudbg_machine *m, uint32_t id, struct wave_end **wave)
{
    struct waves *s = &core_of(m)->waves;
    if (!CORE_GROW(s->ended, s->ended_room, s->known)) return false;
    struct ended_group *e = &s->ended[s->known];
    *e = (struct ended_group){.id = id, .wave = *wave};
    *wave = NULL;
    e->digest = s->known ? s->ended[s->known - 1].digest : 0;
    for (uint32_t i = 0; i < m->waves_per_group; i++)
        e->digest += hash_fold(
            hash_fold(hash_fold(1, id * m->waves_per_group + i), e->wave[i].pc), e->wave[i].executed);
    s->known++;
    slot_of(m, id)->ended = (uint32_t)s->known;
    return true;
}

static void note_live_end(struct gpudbg_machine *m, struct group *g)
{
    if (!g->end) g->end = xcalloc(m->waves_per_group, sizeof *g->end);
    for (uint32_t i = 0; i < m->waves_per_group; i++) g->end[i] = (struct wave_end){g->wave[i].pc, g->wave[i].executed};
    if (!note_end(m, g->id, &g->end)) xalloc_end(); /* only of one that has ended before */
}

/* A group that ends again, in recorded time, puts nothing out that was kept: a look at the past leaves what can be seen
 * at the present as it was. */
static void retire_again(struct waves *s, struct ended_group *e, struct group *g)
{
    if (e->kept || s->kept_bytes + s->group_bytes > KEPT_BYTES) {
        group_free(s, g);
        return;
    }
    e->kept = g;
    s->kept_bytes += s->group_bytes;
}

/* Groups that are kept from the first one on; with the latest two they reach the limit. */
static size_t first_kept(const struct waves *s)
{
    const uint64_t most = KEPT_BYTES / s->group_bytes;
    return most < 3 ? 0 : (size_t)(most - 2);
}

bool waves_stays(const struct gpudbg_machine *m, size_t n) { return n < first_kept(&core_of(m)->waves); }

/* The one before the latest two goes, and its memory, which is warm, is the next group's. */
static void leave_latest(struct gpudbg_machine *m)
{
    struct waves *s = &core_of(m)->waves;
    if (s->nended >= 3 && !waves_stays(m, s->nended - 3)) unkeep(s, &s->ended[s->nended - 3]);
}

void waves_retire(struct gpudbg_machine *m, struct group *g)
{
    struct waves *s = &core_of(m)->waves;
    const bool again = s->nended < s->known;
    if (!again) note_live_end(m, g);
    struct ended_group *e = &s->ended[s->nended];
    unlist(m, g);
    if (s->kept_from > s->nended) s->kept_from = s->nended;
    s->nended++;
    if (again) {
        retire_again(s, e, g);
        return;
    }
    e->kept = g;
    s->kept_bytes += s->group_bytes;
    leave_latest(m);
    while (s->kept_bytes > KEPT_BYTES && s->kept_from + 1 < s->nended) unkeep(s, &s->ended[s->kept_from++]);
}

bool waves_retire_unkept(struct gpudbg_machine *m, uint32_t group, const struct wave_end *end)
{
    struct waves *s = &core_of(m)->waves;
    struct wave_end *wave = slot_made(m, group) ? malloc(m->waves_per_group * sizeof *wave) : NULL;
    if (!wave) return false;
    memcpy(wave, end, m->waves_per_group * sizeof *wave);
    if (!note_end(m, group, &wave)) {
        free(wave);
        return false;
    }
    s->nended++;
    leave_latest(m);
    return true;
}

size_t waves_kept_size(const struct gpudbg_machine *m)
{
    return (m->waves_per_group * words_bytes(m) + m->lds_size + 7) & ~(size_t)7;
}

void waves_put_kept(const struct gpudbg_machine *m, const struct group *g, uint8_t *to)
{
    for (uint32_t i = 0; i < m->waves_per_group; i++) memcpy(to + i * words_bytes(m), g->wave[i].words, words_bytes(m));
    if (m->lds_size) memcpy(to + m->waves_per_group * words_bytes(m), g->local.bytes, m->lds_size);
}

void waves_take_kept(const struct gpudbg_machine *m, const uint8_t *from, const struct wave_end *end, struct group *g)
{
    for (uint32_t i = 0; i < m->waves_per_group; i++) {
        struct gpudbg_wave *w = &g->wave[i];
        memcpy(w->words, from + i * words_bytes(m), words_bytes(m));
        w->pc = end[i].pc;
        w->executed = end[i].executed;
        w->state = GPUDBG_ENDED;
    }
    if (m->lds_size) memcpy(g->local.bytes, from + m->waves_per_group * words_bytes(m), m->lds_size);
}

void waves_forget(struct gpudbg_machine *m)
{
    struct waves *s = &core_of(m)->waves;
    while (s->known > s->nended) {
        struct ended_group *e = &s->ended[--s->known];
        slot_of(m, e->id)->ended = 0;
        unkeep(s, e);
        free(e->wave);
    }
    if (s->kept_from > s->known) s->kept_from = s->known;
    while (s->nfinals) free(s->final[--s->nfinals].words);
}

/* ---- Registers of waves that have ended, in groups that have not ---- */

static struct final *final_of(struct waves *s, uint32_t wave)
{
    for (size_t i = 0; i < s->nfinals; i++)
        if (s->final[i].wave == wave) return &s->final[i];
    return NULL;
}

/* What is kept of the group after its end, which may be yet to come. */
static const struct group *kept_of(const struct gpudbg_machine *m, uint32_t group)
{
    const size_t index = waves_end_index(m, group);
    return index ? core_of(m)->waves.ended[index - 1].kept : NULL;
}

static void note_final(struct gpudbg_machine *m, const struct gpudbg_wave *w)
{
    struct waves *s = &core_of(m)->waves;
    const size_t bytes = words_bytes(m);
    if (kept_of(m, w->group) || final_of(s, w->id)) return;
    uint32_t *words = NULL;
    if (s->nfinals && (s->nfinals + 1) * bytes > FINAL_BYTES) { /* the oldest goes */
        words = s->final[0].words;
        memmove(s->final, s->final + 1, --s->nfinals * sizeof *s->final);
    }
    if (!words) words = malloc(bytes);
    if (!words || !CORE_GROW(s->final, s->final_room, s->nfinals)) {
        free(words);
        return;
    }
    memcpy(words, w->words, bytes);
    s->final[s->nfinals++] = (struct final){w->id, words};
}

void waves_leave(struct gpudbg_machine *m)
{
    const struct waves *s = &core_of(m)->waves;
    for (size_t i = 0; i < s->nlive; i++)
        for (uint32_t k = 0; k < m->waves_per_group && s->live[i]->touched; k++) {
            const struct gpudbg_wave *w = &s->live[i]->wave[k];
            if (w->state == GPUDBG_ENDED && w->lanes && !s->live[i]->lost[k]) note_final(m, w);
        }
}

bool waves_final(struct gpudbg_wave *w)
{
    const struct group *kept = kept_of(w->machine, w->group);
    const struct final *f = final_of(&core_of(w->machine)->waves, w->id);
    const uint32_t *words = kept && !kept->lost[w->index] ? kept->wave[w->index].words : f ? f->words : NULL;
    if (words) memcpy(w->words, words, words_bytes(w->machine));
    return words;
}
