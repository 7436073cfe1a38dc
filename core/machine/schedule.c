/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c: turns, barriers, and the log that repeats them. */
#include "machine/machine_core.h"

#include <stdlib.h>
#include "base/alloc.h"

static bool runnable(const struct gpudbg_wave *w) { return w->state == GPUDBG_READY || w->state == GPUDBG_UNSTARTED; }

/* ---- The cursor ---- */

/* The next wave of the cursor's group that can run, from `from` on, gets the turn.  false: none can. */
static bool pass_turn(struct gpudbg_machine *m, const struct group *g, uint32_t from)
{
    struct cursor *at = &core_of(m)->schedule.cursor;
    for (uint32_t i = 0; i < m->waves_per_group; i++) {
        uint32_t wave = (from + i) % m->waves_per_group;
        if (!runnable(&g->wave[wave])) continue;
        at->wave = wave;
        at->left = SCHEDULE_QUANTUM;
        return true;
    }
    return false;
}

/* Moves the cursor to the next group that has not ended. */
static void pass_group(struct gpudbg_machine *m)
{
    struct cursor *at = &core_of(m)->schedule.cursor;
    for (at->group++; at->group < core_of(m)->waves.ngroups; at->group++) {
        if (waves_ended(m, at->group)) continue;
        const struct group *g = waves_live(m, at->group);
        if (g && !pass_turn(m, g, 0)) continue;
        if (g) return;
        break;
    }
    at->wave = 0;
    at->left = at->group < core_of(m)->waves.ngroups ? SCHEDULE_QUANTUM : 0;
}

/* Opens the barrier when all waves that still run have arrived; retires the group when none does. */
static bool settle_group(struct gpudbg_machine *m, struct group *g)
{
    uint32_t waiting = 0, running = 0;
    for (uint32_t i = 0; i < m->waves_per_group; i++) {
        waiting += g->wave[i].state == GPUDBG_AT_BARRIER;
        running += runnable(&g->wave[i]);
    }
    if (running) return true;
    if (!waiting) return false;
    for (uint32_t i = 0; i < m->waves_per_group; i++)
        if (g->wave[i].state == GPUDBG_AT_BARRIER) g->wave[i].state = GPUDBG_READY;
    return true;
}

/* After a wave has run: brings group and cursor to the one state that follows from what ran. */
static void settle(struct gpudbg_machine *m, struct gpudbg_wave *w, enum gpudbg_ran ran)
{
    struct cursor *at = &core_of(m)->schedule.cursor;
    struct group *g = waves_live(m, w->group);
    const bool here = at->group == w->group;
    if (!runnable(w) && !settle_group(m, g)) {
        waves_retire(m, g);
        if (here) pass_group(m);
        return;
    }
    if (!here) return;
    const bool mine = at->wave == w->index;
    /* A barrier ends the turn even when it opens at once. */
    const bool over = mine && (ran == GPUDBG_RAN_YIELD || ran == GPUDBG_RAN_BARRIER || !at->left);
    if (over || !runnable(&g->wave[at->wave])) pass_turn(m, g, at->wave + 1);
}

/* ---- The log ---- */

static bool at_end(const struct log_entry *e, uint64_t done) { return e->edit ? done : done == e->n; }

/* The entry that comes next, or NULL at the end of the log. */
static struct log_entry *upcoming(struct schedule *s)
{
    while (s->place.entry < s->nlog && at_end(&s->log[s->place.entry], s->place.done)) {
        if (s->place.entry + 1 == s->nlog) return NULL; /* stays: this entry may grow */
        s->place.entry++;
        s->place.done = 0;
    }
    return s->place.entry < s->nlog ? &s->log[s->place.entry] : NULL;
}

/* Adds n instructions at the end of the log, which has room. */
static void append(struct schedule *s, uint32_t as, uint64_t n)
{
    struct log_entry *last = s->nlog ? &s->log[s->nlog - 1] : NULL;
    if (last && !last->edit && last->wave == as) {
        last->n += n;
        s->place.done += n;
        return;
    }
    s->log[s->nlog++] = (struct log_entry){.n = n, .wave = as};
    s->place.entry = s->nlog - 1;
    s->place.done = n;
}

const struct log_entry *schedule_upcoming(const struct gpudbg_machine *m) { return upcoming(&core_of(m)->schedule); }

void schedule_open(struct gpudbg_machine *m) { core_of(m)->schedule.cursor = (struct cursor){0, 0, SCHEDULE_QUANTUM}; }

static void free_edits(struct schedule *s, size_t from)
{
    for (size_t i = from; i < s->nlog; i++)
        if (s->log[i].edit) s->edit_free(s->log[i].edit);
}

void schedule_close(struct gpudbg_machine *m)
{
    struct schedule *s = &core_of(m)->schedule;
    free_edits(s, 0);
    free(s->log);
    free(s->cut);
}

/* Those at or behind this position are hidden by it. */
static void add_cut(struct schedule *s)
{
    while (s->ncuts && s->cut[s->ncuts - 1].position >= s->position) s->ncuts--;
    if (!CORE_GROW(s->cut, s->cuts_room, s->ncuts)) xalloc_end();
    s->cut[s->ncuts++] = (struct cut){s->futures++, s->position};
}

bool schedule_forgot(const struct gpudbg_machine *m, uint64_t future, uint64_t position)
{
    const struct schedule *s = &core_of(m)->schedule;
    for (size_t i = 0; i < s->ncuts; i++)
        if (s->cut[i].future >= future && s->cut[i].position < position) return true;
    return false;
}

void schedule_truncate(struct gpudbg_machine *m)
{
    struct schedule *s = &core_of(m)->schedule;
    if (s->recorded > s->position) add_cut(s);
    s->recorded = s->position;
    if (!upcoming(s)) return;
    struct log_entry *cut = &s->log[s->place.entry];
    size_t keep = s->place.entry;
    if (s->place.done) {
        cut->n = cut->edit ? 0 : s->place.done;
        keep++;
    }
    free_edits(s, keep);
    s->nlog = keep;
    if (!s->place.done && keep) {
        s->place.entry = keep - 1;
        s->place.done = s->log[keep - 1].edit ? 1 : s->log[keep - 1].n;
    }
    s->nedits = s->place.edits;
}

bool schedule_edit_due(const struct gpudbg_machine *m)
{
    const struct log_entry *e = upcoming(&core_of(m)->schedule);
    return e && e->edit;
}

void schedule_edit(struct gpudbg_machine *m)
{
    struct schedule *s = &core_of(m)->schedule;
    const struct log_entry *e = upcoming(s);
    s->edit(m, e->edit);
    s->place.done = 1;
    s->place.edits++;
}

bool schedule_log_edit(struct gpudbg_machine *m, struct edit *edit)
{
    struct schedule *s = &core_of(m)->schedule;
    if (!CORE_GROW(s->log, s->log_room, s->nlog)) return false;
    s->log[s->nlog++] = (struct log_entry){.edit = edit, .wave = MACHINE_NO_WAVE};
    s->place.entry = s->nlog - 1;
    s->place.done = 1;
    s->nedits = ++s->place.edits;
    return true;
}

/* ---- Turns ---- */

bool schedule_ended(const struct gpudbg_machine *m)
{
    return core_of(m)->schedule.cursor.group == core_of(m)->waves.ngroups;
}

bool schedule_default(struct gpudbg_machine *m, struct turn *turn)
{
    const struct cursor *at = &core_of(m)->schedule.cursor;
    struct group *g = schedule_ended(m) ? NULL : waves_group(m, at->group);
    if (!g) return false;
    *turn = (struct turn){&g->wave[at->wave], at->left, MACHINE_NO_WAVE};
    return true;
}

bool schedule_alone(struct gpudbg_machine *m, uint32_t wave, struct turn *turn)
{
    struct group *g = waves_group(m, wave / m->waves_per_group);
    if (!g) return false;
    struct gpudbg_wave *w = &g->wave[wave % m->waves_per_group];
    if (w->state == GPUDBG_ENDED) return false;
    for (uint32_t i = 1; w->state == GPUDBG_AT_BARRIER && i < m->waves_per_group; i++) {
        struct gpudbg_wave *other = &g->wave[(w->index + i) % m->waves_per_group];
        if (runnable(other)) w = other;
    }
    *turn = (struct turn){w, SCHEDULE_QUANTUM, w->id};
    return true;
}

bool schedule_recorded(struct gpudbg_machine *m, struct turn *turn)
{
    struct schedule *s = &core_of(m)->schedule;
    const struct log_entry *e = upcoming(s);
    if (!e || e->edit) return false;
    const uint64_t left = e->n - s->place.done;
    bool found = e->wave == MACHINE_NO_WAVE ? schedule_default(m, turn) : schedule_alone(m, e->wave, turn);
    if (!found) return false;
    if (e->wave != MACHINE_NO_WAVE) turn->limit = left;
    if (turn->limit > left) turn->limit = left;
    return true;
}

enum gpudbg_ran schedule_run(struct gpudbg_machine *m, const struct turn *turn, uint64_t limit, bool over, uint64_t *n)
{
    struct schedule *s = &core_of(m)->schedule;
    struct gpudbg_wave *w = turn->wave;
    *n = 0;
    if (!CORE_GROW(s->log, s->log_room, s->nlog)) return gpudbg_fault(w, -1, "no memory left to keep history in");
    if (m->watch_hit) door_clear_hits(m);
    const bool unstarted = w->state == GPUDBG_UNSTARTED;
    if (unstarted) w->state = GPUDBG_READY;
    const uint64_t before = w->executed;
    if (limit > turn->limit) limit = turn->limit;
    struct core *c = core_of(m);
    const bool whole = c->tallied == s->position;
    s->runs = w;
    s->ran = before;
    enum gpudbg_ran ran = m->isa->run->run(w, limit, over);
    *n = w->executed - before;
    c->tallied = whole ? s->position + *n : UINT64_MAX;
    if (ran == GPUDBG_RAN_BREAK && *n == limit) ran = GPUDBG_RAN_LIMIT; /* it is not its turn to meet the breakpoint */
    if (turn->as == MACHINE_NO_WAVE) s->cursor.left -= (uint32_t)*n;
    if (*n) {
        if (s->position < s->recorded) {
            s->place.done += *n;
            s->position += *n;
        } else {
            append(s, turn->as, *n);
            s->recorded = s->position += *n;
        }
        waves_live(m, w->group)->touched = true;
        s->barriers += ran == GPUDBG_RAN_BARRIER;
        settle(m, w, ran);
    } else if (unstarted) {
        w->state = GPUDBG_UNSTARTED;
    }
    return ran;
}

void schedule_leap(struct gpudbg_machine *m, uint32_t group)
{
    core_of(m)->schedule.cursor = (struct cursor){group, 0, SCHEDULE_QUANTUM};
}

bool schedule_room(struct gpudbg_machine *m)
{
    struct schedule *s = &core_of(m)->schedule;
    return CORE_GROW(s->log, s->log_room, s->nlog);
}

void schedule_passed(struct gpudbg_machine *m, uint64_t n)
{
    struct schedule *s = &core_of(m)->schedule;
    append(s, MACHINE_NO_WAVE, n);
    s->recorded = s->position += n;
    pass_group(m);
}
