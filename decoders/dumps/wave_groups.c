/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wave_groups.c: waves of any generation by where they stand: those at one address of one program are an incident, with
 * their number, the instruction there as the dump prints it, what that waits for, and why they stopped.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/text.h"
#include "dumps.h"

/* What the instruction makes a wave wait for, by its text; NULL: nothing that is known. */
static const char *waits_for(const char *insn)
{
    static const struct {
        const char *begins, *has, *what;
    } rows[] = {{"s_waitcnt", "vmcnt(0)", "vector memory"}, {"s_waitcnt", "vmcnt", "vector memory"},
        {"s_waitcnt", "vscnt", "stores to vector memory"}, {"s_waitcnt", "lgkmcnt", "LDS, scalar memory or messages"},
        {"s_waitcnt", "expcnt", "exports"}, {"s_wait_loadcnt", "", "vector memory"},
        {"s_wait_storecnt", "", "stores to vector memory"}, {"s_wait_samplecnt", "", "samples of images"},
        {"s_wait_kmcnt", "", "scalar memory or messages"}, {"s_wait_dscnt", "", "LDS"},
        {"s_wait_expcnt", "", "exports"}, {"s_barrier", "", "the other waves of its group, at a barrier"},
        {"s_sleep", "", "a time that passes, likely in a loop"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (begins(insn, rows[i].begins) && strstr(insn, rows[i].has)) return rows[i].what;
    return NULL;
}

/* A state that other waves of the group have, too, is told once. */
static void join(char *have, size_t size, const char *more)
{
    if (!*more || strcmp(have, more) == 0) return;
    struct text t = text_behind(have, size);
    if (*have && !strstr(have, more) && t.n + strlen(more) + 5 < size)
        text_add(&t, " or %s", more);
    else if (!*have)
        text_add(&t, "%s", more);
}

static void copied(char *to, size_t size, const char *text) { snprintf(to, size, "%s", text ? text : ""); }

void wave_group_add(struct wave_groups *g, struct gpudbg_dump *d, uint32_t line, const struct wave_told *wave)
{
    static const struct wave_state none;
    const struct wave_state *state = wave->state ? wave->state : &none;
    struct wave_group *at = NULL;
    for (size_t i = 0; i < g->n && !at; i++)
        if (g->group[i].pc == wave->pc && strcmp(g->group[i].reason, wave->reason ? wave->reason : "") == 0 &&
            strcmp(g->group[i].waits, state->waits) == 0 &&
            (wave->pc || strcmp(g->group[i].place, wave->place ? wave->place : "") == 0))
            at = &g->group[i];
    if (!at) {
        if (g->n == WAVE_GROUPS) {
            g->others++;
            return;
        }
        at = &g->group[g->n++];
        *at = (struct wave_group){
            .pc = wave->pc, .line = line, .told = state->told, .capture = gpudbg_dump_current(d, line)};
        const struct wave_group *same = NULL; /* there, for another reason */
        for (size_t i = 0; wave->pc && i + 1 < g->n && !same; i++)
            if (g->group[i].pc == wave->pc && g->group[i].insn[0]) same = &g->group[i];
        copied(at->place, sizeof at->place, same ? same->place : wave->place);
        if (same && !wave->insn) copied(at->insn, sizeof at->insn, same->insn);
        copied(at->reason, sizeof at->reason, wave->reason);
        copied(at->sample, sizeof at->sample, wave->name);
        copied(at->waits, sizeof at->waits, state->waits);
        copied(at->words, sizeof at->words, state->words);
    }
    if (wave->insn && !at->insn[0]) copied(at->insn, sizeof at->insn, wave->insn);
    join(at->outstanding, sizeof at->outstanding, state->outstanding);
    join(at->state, sizeof at->state, state->state);
    const unsigned more = wave->count ? wave->count : 1;
    at->waves = more > UINT_MAX - at->waves ? UINT_MAX : at->waves + more;
    if (line > at->last) at->last = line;
}

bool wave_group_at(const struct wave_groups *g, uint64_t pc)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->group[i].pc == pc) return true;
    return false;
}

void wave_group_insn(struct wave_groups *g, uint64_t pc, const char *insn)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->group[i].pc == pc && !g->group[i].insn[0])
            snprintf(g->group[i].insn, sizeof g->group[i].insn, "%s", insn);
}

void wave_group_place(struct wave_groups *g, uint64_t pc, const char *place)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->group[i].pc == pc) copied(g->group[i].place, sizeof g->group[i].place, place);
}

void wave_group_state(struct wave_groups *g, uint64_t pc, const char *state)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->group[i].pc == pc) join(g->group[i].state, sizeof g->group[i].state, state);
}

static void group_text(const struct wave_group *at, const char *what, char *text, size_t size)
{
    struct text t = text_in(text, size);
    if (at->place[0])
        text_add(&t, "%s", at->place);
    else
        text_add(&t, "0x%llx", (unsigned long long)at->pc);
    if (at->insn[0])
        text_add(&t, ": %s", at->insn);
    else if (at->words[0])
        text_add(&t, ": words %s", at->words);
    if (at->reason[0] && what) text_add(&t, ", which waits for %s", what);
    if (at->outstanding[0] && (!what || strcmp(what, at->outstanding) != 0))
        text_add(&t, "; under way: %s", at->outstanding);
    if (at->state[0]) text_add(&t, "; %s", at->state);
    if (at->reason[0]) text_add(&t, "; stopped: %s", at->reason);
    if (at->sample[0]) text_add(&t, " (for example %s)", at->sample);
}

/* Most waves first. */
static int by_waves(const void *a, const void *b)
{
    const struct wave_group *x = a, *y = b;
    if (x->waves != y->waves) return x->waves > y->waves ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

void wave_groups_end(struct wave_groups *g, struct gpudbg_dump *d)
{
    char text[768];
    if (g->n) qsort(g->group, g->n, sizeof *g->group, by_waves);
    for (size_t i = 0; i < g->n; i++) {
        const struct wave_group *at = &g->group[i];
        const char *what = at->waits[0] ? at->waits : at->told ? NULL : waits_for(at->insn);
        group_text(at, what, text, sizeof text);
        const struct gpudbg_incident x = {.kind = &incident_waves_at,
            .unit = at->reason[0] ? NULL : what, /* one that was stopped does not wait */
            .text = text,
            .line = at->line,
            .last = at->last,
            .have = at->pc ? 3 : 2, /* a debugger may tell the place in its source alone */
            .values = {at->pc, at->waves}};
        gpudbg_dump_incident_in(d, at->capture, &x);
    }
    if (g->others)
        gpudbg_dump_note(
            d, 0, "limit", "waves are at more than %d places: %u of them are not listed", WAVE_GROUPS, g->others);
    g->n = g->others = 0;
}

#define STANDS_MOST 65536

void wave_stand_add(struct wave_stands *w, size_t index)
{
    if (w->n == w->room) {
        const size_t room = w->room ? 2 * w->room : 64;
        struct wave_stand *more = room > STANDS_MOST ? NULL : realloc(w->stand, room * sizeof *more);
        if (!more) return; /* it is among the waves, and not among the groups */
        w->stand = more;
        w->room = room;
    }
    w->stand[w->n++] = (struct wave_stand){.index = index};
}

struct wave_stand *wave_stand_latest(const struct wave_stands *w) { return w->n ? &w->stand[w->n - 1] : NULL; }

void wave_stands_end(struct wave_stands *w, struct gpudbg_dump *d)
{
    struct wave_groups *groups = w->n ? calloc(1, sizeof *groups) : NULL;
    size_t n;
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    for (size_t i = 0; groups && i < w->n; i++) {
        const struct wave_stand *s = &w->stand[i];
        const struct gpudbg_dump_wave *wave = gpudbg_dump_wave_at(d, s->index);
        const char *family = wave && wave->capture < n ? captures[wave->capture].family : NULL;
        struct wave_state state;
        char place[64] = "";
        const struct gpudbg_isa *isa = family ? gpudbg_dump_isa_named(d, family) : NULL;
        if (!family || (isa && isa->run)) continue;
        wave_state_of(d, wave, s->insn, &state);
        if (!state.has_pc) continue;
        if (s->offset && s->base + s->offset == state.pc)
            snprintf(place, sizeof place, "0x%llx+0x%llx", (unsigned long long)s->base, (unsigned long long)s->offset);
        const struct wave_told told = {.pc = state.pc,
            .place = place[0] ? place : NULL,
            .insn = s->insn[0] ? s->insn : NULL,
            .name = wave->unit,
            .state = &state};
        wave_group_add(groups, d, wave->line, &told);
    }
    if (groups) wave_groups_end(groups, d);
    free(groups);
    free(w->stand);
    *w = (struct wave_stands){0};
}

size_t wave_latest(const struct gpudbg_dump *d)
{
    size_t n;
    gpudbg_dump_waves(d, &n);
    return n - 1;
}

void wave_register(struct gpudbg_dump *d, const char *unit, uint32_t line, const char *name, uint64_t value)
{
    const struct gpudbg_record r = {
        .name = name, .unit = unit, .addr = GPUDBG_NO_ADDR, .value = value, .line = line, .flags = GPUDBG_REC_INDIRECT};
    gpudbg_dump_register(d, &r);
}
