/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session/marks.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine.h"
#include "session/session.h"

struct mark_spot marks_here(const struct gpudbg *g)
{
    struct machine_wave_info info;
    struct mark_spot s = {.lane = -1};
    if (g->running.machine) {
        machine_wave_info(g->running.machine, g->selection.wave, &info);
        s = (struct mark_spot){.timed = true,
            .position = machine_position(g->running.machine),
            .future = machine_futures(g->running.machine),
            .wave = g->selection.wave,
            .lane = g->selection.lane,
            .placed = info.state != GPUDBG_ENDED && !info.lost_pc,
            .addr = info.pc};
    } else if (g->loaded.image) {
        s.placed = true;
        s.addr = g->selection.cursor;
    }
    return s;
}

bool marks_name_good(const char *name, struct gpudbg_error *err)
{
    const size_t n = strlen(name);
    bool good = isalpha((unsigned char)*name) && n <= MARK_NAME;
    for (size_t i = 0; i < n; i++) good &= isalnum((unsigned char)name[i]) || strchr("-_.", name[i]);
    return good || gpudbg_fail(err, "usage",
                       "\"%.60s\" is not a bookmark's name: a letter, then letters, digits, -, _ and ., %d at most",
                       name, MARK_NAME);
}

/* The first bookmark whose name is not before this one. */
static size_t place_of(const struct marks *m, const char *name)
{
    size_t lo = 0, hi = m->nbookmarks;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (strcmp(m->bookmark[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_there(const struct marks *m, size_t i, const char *name)
{
    return i < m->nbookmarks && strcmp(m->bookmark[i].name, name) == 0;
}

const struct bookmark *marks_named(const struct gpudbg *g, const char *name)
{
    const size_t i = place_of(&g->marks, name);
    return is_there(&g->marks, i, name) ? &g->marks.bookmark[i] : NULL;
}

void marks_put(struct gpudbg *g, const char *name, const struct mark_spot *spot)
{
    struct marks *m = &g->marks;
    const size_t i = place_of(m, name);
    if (!is_there(m, i, name)) {
        m->bookmark = xrealloc(m->bookmark, m->nbookmarks + 1, sizeof *m->bookmark);
        memmove(m->bookmark + i + 1, m->bookmark + i, (m->nbookmarks++ - i) * sizeof *m->bookmark);
        m->bookmark[i].name = xstrdup(name);
    }
    m->bookmark[i].spot = *spot;
}

static void drop_at(struct marks *m, size_t i)
{
    free(m->bookmark[i].name);
    memmove(m->bookmark + i, m->bookmark + i + 1, (--m->nbookmarks - i) * sizeof *m->bookmark);
}

bool marks_drop(struct gpudbg *g, const char *name)
{
    const size_t i = place_of(&g->marks, name);
    if (!is_there(&g->marks, i, name)) return false;
    drop_at(&g->marks, i);
    return true;
}

void marks_note(struct gpudbg *g, const char *text, const struct mark_spot *spot)
{
    struct marks *m = &g->marks;
    m->note = xrealloc(m->note, m->nnotes + 1, sizeof *m->note);
    m->note[m->nnotes++] = (struct note){xstrdup(text), *spot};
}

bool marks_note_drop(struct gpudbg *g, uint64_t number)
{
    struct marks *m = &g->marks;
    if (!number || number > m->nnotes) return false;
    const size_t i = (size_t)number - 1;
    free(m->note[i].text);
    memmove(m->note + i, m->note + i + 1, (--m->nnotes - i) * sizeof *m->note);
    return true;
}

bool marks_forgotten(const struct gpudbg *g, const struct mark_spot *s)
{
    const struct gpudbg_machine *m = g->running.machine;
    return s->forgotten || (s->timed && m && machine_forgot(m, s->future, s->position));
}

static void end_launch(struct gpudbg *g, struct mark_spot *s)
{
    s->forgotten = marks_forgotten(g, s);
    s->future = 0;
}

void marks_end_launch(struct gpudbg *g)
{
    for (size_t i = 0; i < g->marks.nbookmarks; i++) end_launch(g, &g->marks.bookmark[i].spot);
    for (size_t i = 0; i < g->marks.nnotes; i++) end_launch(g, &g->marks.note[i].spot);
}

void marks_other_code(struct marks *m)
{
    for (size_t i = m->nbookmarks; i-- > 0;)
        if (!m->bookmark[i].spot.line) drop_at(m, i);
    for (size_t i = 0; i < m->nnotes; i++) {
        struct mark_spot *s = &m->note[i].spot; /* of it, only the line of a dump is left */
        *s = (struct mark_spot){.lane = -1, .line = s->line, .dump = s->dump};
    }
}

void marks_free(struct marks *m)
{
    for (size_t i = 0; i < m->nbookmarks; i++) free(m->bookmark[i].name);
    for (size_t i = 0; i < m->nnotes; i++) free(m->note[i].text);
    free(m->bookmark);
    free(m->note);
    *m = (struct marks){0};
}
