/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quick ways of check race, against slow ones: lanes as bytes of lines, one byte after another; and a line that a
 * wave touches alone, as any line is.  The files are compiled here once more, with names of their own. */
#define race_loads own_loads
#define race_updates own_updates
#define race_stores own_stores
#define race_stores_alike own_stores_alike
#define race_load_waits own_load_waits
#define race_update_waits own_update_waits
#define race_wait_ends own_wait_ends
#define race_settle own_settle
#define race_group_ends own_group_ends
#define race_comes_from_barrier own_comes_from_barrier
#define race_touch own_touch
#define race_touch_range own_touch_range
#define race_stores_same own_stores_same
#define race_owns own_owns
#define race_meet_words own_meet_words
#define race_report own_report
#define race_report_order own_report_order
#define race_note own_note
#include <stdlib.h>
#include <string.h>
#include "check/clocks_inside.h"
#include "check/race.h"
#include "check/watch.h"
#include "tap.h"

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return (seed >> 8) % n;
}

/* ---- Lanes, as bytes ---- */

#define ROOM 16384u
static uint8_t touched[2][ROOM]; /* as found: changed or loaded; stored as it was */

static void touch_line(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m)
{
    (void)r, (void)w, (void)area;
    for (unsigned i = 0; i < LINE; i++)
        if (m->me.bytes >> i & 1) touched[m->me.same][m->at + i]++;
}

static void touch_range(
    struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m, uint64_t from, uint64_t size)
{
    (void)r, (void)w, (void)area;
    for (uint64_t i = from; i < from + size; i++) touched[m->me.same][i]++;
}

#undef race_touch
#undef race_touch_range
#define race_touch touch_line
#define race_touch_range touch_range
#include "check/race_rows.c"
#undef race_touch
#undef race_touch_range
#define race_touch own_touch
#define race_touch_range own_touch_range

/* Lanes at random: side by side, at distances of all sorts, in one place, and some of them elsewhere. */
static uint64_t place_lanes(uint32_t offset[64], uint32_t size, bool write)
{
    static const uint32_t steps[] = {0, 1, 2, 4, 8, 12, 16, 20, 24, 32, 48, 64, 68, 128};
    const uint64_t some[] = {UINT64_MAX, 0xffff, 0xffff0000, UINT64_C(0xffff00000000ffff), below(UINT32_MAX), 1};
    uint32_t step = steps[below(sizeof steps / sizeof *steps)];
    if (write && step < size) step = size;
    const uint32_t at = 512 + below(64) * (below(2) ? 1 : 4);
    for (uint32_t i = 0; i < 64; i++) offset[i] = at + step * i;
    for (uint32_t n = below(3); n; n--) offset[below(64)] = ROOM - 64 - 64 * n;
    const uint64_t lanes = some[below(sizeof some / sizeof *some)];
    return lanes ? lanes : 1;
}

static bool row_is_right(uint32_t number)
{
    static const uint32_t sizes[] = {1, 2, 4, 4, 4, 8, 8, 12, 16};
    static uint8_t memory[ROOM], stored[64 * 16], want[2][ROOM];
    struct group_clocks group = {0};
    struct clocks clocks = {.group = &group};
    struct race r = {.clocks = &clocks, .report_equal = number % 7 == 0};
    struct gpudbg_wave w = {0};
    struct gpudbg_segment segment = {.size = ROOM, .bytes = memory};
    struct meeting m = {.segment = &segment, .local = true};
    struct area area = {NULL, 0};
    uint32_t offset[64];
    seed = number;
    const bool write = below(2);
    const uint32_t size = sizes[below(sizeof sizes / sizeof *sizes)], equal = below(3);
    struct gpudbg_accesses all = {.space = GPUDBG_LOCAL, .write = write, .size = size, .segment = &segment};
    all.lanes = place_lanes(offset, size, write);
    all.offset = offset;
    all.bytes = stored;
    for (uint32_t i = 0; i < ROOM; i++) memory[i] = (uint8_t)below(256);
    for (uint32_t i = 0; i < sizeof stored; i++) stored[i] = (uint8_t)below(256);
    for (uint32_t i = 0; i < 64; i++)
        if (equal == 2 || (equal == 1 && below(2))) memcpy(stored + i * size, memory + offset[i], size);
    memset(touched, 0, sizeof touched);
    memset(want, 0, sizeof want);
    for (uint32_t i = 0; i < 64; i++) {
        if (!(all.lanes >> i & 1)) continue;
        const bool same = write && !r.report_equal && !memcmp(stored + i * size, memory + offset[i], size);
        for (uint32_t k = 0; k < size; k++) want[same][offset[i] + k] = 1;
    }
    if (write)
        race_stores(&r, &w, &all, &area, &m);
    else
        race_loads(&r, &w, &all, &area, &m);
    for (uint32_t i = 0; i < 2 * ROOM; i++) touched[i / ROOM][i % ROOM] = touched[i / ROOM][i % ROOM] != 0;
    return memcmp(touched, want, sizeof want) == 0;
}

static void rows(void)
{
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 1; i <= 20000; i++)
        if (!row_is_right(i) && !wrong++) first = i;
    is_int(wrong, 0, "lanes touch the bytes that they access, and no others (first wrong: %u)", first);
}

/* ---- Dwords of lanes that are told together ---- */

struct part {
    const struct gpudbg_accesses *whole;
    unsigned n, wrong;
    uint32_t same;
};

/* The n-th dword of each lane: where it is, and what is stored there. */
static bool meet_part(void *with, const struct gpudbg_accesses *one)
{
    struct part *p = with;
    const struct gpudbg_accesses *all = p->whole;
    uint64_t from, size;
    bool row = true;
    p->wrong += one->size != 4 || one->lanes != all->lanes || one->row & ROW_DWORDS;
    for (unsigned i = 0, before = 64; i < 64; i++) {
        if (!(all->lanes >> i & 1)) continue;
        p->wrong += one->offset[i] != all->offset[i] + 4 * p->n;
        const uint8_t *stored = all->bytes + i * all->size + 4 * p->n;
        if (all->write) p->wrong += memcmp(one->bytes + 4 * i, stored, 4) != 0;
        p->same += all->write && !memcmp(all->segment->bytes + one->offset[i], stored, 4);
        row &= before == 64 || (before + 1 == i && one->offset[i] == one->offset[before] + 4);
        before = i;
    }
    p->wrong += row != accesses_in_row(one, &from, &size);
    p->n++;
    return true;
}

static bool dwords_are_right(uint32_t number)
{
    static uint8_t memory[ROOM], stored[64 * 16];
    struct gpudbg_segment segment = {.size = ROOM, .bytes = memory};
    uint32_t offset[64], lanes = 0;
    seed = number;
    const uint32_t n = 2 + below(3), equal = below(4);
    struct race r = {.report_equal = number % 7 == 0};
    struct gpudbg_accesses all = {.write = below(2), .size = 4 * n, .segment = &segment, .row = ROW_DWORDS};
    all.lanes = place_lanes(offset, 4 * n, all.write);
    all.offset = offset;
    all.bytes = stored;
    for (uint32_t i = 0; i < ROOM; i++) memory[i] = (uint8_t)(1 + below(255));
    memset(stored, 0, sizeof stored);
    for (uint32_t i = 0; i < 64; i++)
        if (equal == 2) memcpy(stored + i * all.size, memory + offset[i], all.size);
    const uint32_t lane = below(64), dword = 4 * below(n);
    if (equal == 1) memcpy(stored + lane * all.size + dword, memory + offset[lane] + dword, 4);
    struct part p = {.whole = &all};
    row_each_dword(&all, meet_part, &p);
    for (uint32_t i = 0; i < 64; i++) lanes += all.lanes >> i & 1;
    const bool alike = r.report_equal || !p.same || p.same == n * lanes;
    return !p.wrong && p.n == n && (!all.write || race_stores_alike(&r, &all) == alike);
}

static void dwords(void)
{
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 1; i <= 20000; i++)
        if (!dwords_are_right(i) && !wrong++) first = i;
    is_int(wrong, 0, "dwords that are told together are those of each lane, in turn (first wrong: %u)", first);
}

/* ---- Lanes of an atomic that meet ---- */

static bool apart_is_right(uint32_t number)
{
    uint32_t offset[64];
    uint64_t want = 0;
    bool odd, odd_wanted = false;
    seed = number;
    const uint32_t size = below(2) ? 4 : 8, places = 1 + below(300), step = below(4) ? size : size * 256;
    const struct gpudbg_accesses all = {.size = size, .offset = offset};
    const uint64_t lanes = below(2) ? UINT64_MAX : (uint64_t)below(UINT32_MAX) << below(40) | 1;
    for (unsigned i = 0; i < 64; i++) offset[i] = step * below(places) + (below(64) ? 0 : below(2));
    for (unsigned i = 0; i < 64; i++) {
        bool first = lanes >> i & 1;
        if (first) odd_wanted |= offset[i] % size != 0;
        for (unsigned k = 0; k < i; k++) first &= !(lanes >> k & 1) || offset[k] != offset[i];
        want |= (uint64_t)first << i;
    }
    return row_apart(&all, lanes, &odd) == want && odd == odd_wanted;
}

static void apart(void)
{
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 1; i <= 20000; i++)
        if (!apart_is_right(i) && !wrong++) first = i;
    is_int(wrong, 0, "lanes whose places no lane before them has (first wrong: %u)", first);
}

/* ---- A line ---- */

#include "check/race_meet.c"

static unsigned reports;

void race_report(struct race *r, const struct gpudbg_wave *w, const struct meeting *m, const struct trace *by)
{
    (void)r, (void)w, (void)m, (void)by;
    reports++;
}

void race_report_order(struct race *r, const struct gpudbg_wave *w, const struct lock_race *race)
{
    (void)r, (void)w, (void)race;
}

void race_note(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a, const char *message)
{
    (void)r, (void)w, (void)a, (void)message;
}

/* As race_touch, without the quick way. */
static void touch_slowly(struct race *r, struct gpudbg_wave *w, struct meeting *m)
{
    if (adds_load(r, w, m)) return;
    if (m->me.same ? !stored(r, m->line, &m->me) : meet(r, w, m))
        line_add(r->traces, m->line, &m->me, m->epoch, NULL, r);
}

static bool same_line(struct line *a, struct line *b)
{
    if (a->n != b->n || a->kinds != b->kinds || a->stored != b->stored) return false;
    for (unsigned i = 0; i < a->n; i++) {
        const struct trace *x = &line_traces(a)[i], *y = &line_traces(b)[i];
        if (x->bytes != y->bytes || x->time != y->time || x->wave != y->wave || x->place != y->place) return false;
        if (x->kind != y->kind || x->lane != y->lane || x->same != y->same || x->several != y->several) return false;
        if (x->several && memcmp(x->place_of, y->place_of, sizeof x->place_of) != 0) return false;
    }
    return true;
}

static uint64_t some_bytes(void)
{
    const uint64_t all = UINT64_MAX >> below(64), part = UINT64_C(0xf) << 4 * below(16);
    return below(3) ? part : below(2) ? all : UINT64_MAX;
}

/* A random story of a line, told to both. */
static bool line_is_right(struct race *r, uint32_t number, unsigned *quick)
{
    struct line lines[2][BLOCK] = {{{0}}};
    struct line *block[2] = {lines[0], lines[1]};
    struct area area[2] = {{&block[0], 1}, {&block[1], 1}};
    struct gpudbg_segment segment = {.size = ROOM};
    struct gpudbg_wave w = {.machine = r->machine};
    struct meeting m = {.segment = &segment, .local = true};
    bool right = true;
    seed = number;
    for (uint32_t time = 1; right && time < 30; time += below(2)) {
        m.all = &(struct gpudbg_accesses){.size = 4};
        m.me = (struct trace){.bytes = some_bytes(), .time = time, .wave = below(8) ? 0 : below(3)};
        m.me.place = time % 3;
        m.me.kind = (uint8_t)below(4);
        m.me.lane = below(4) ? SEVERAL_LANES : (uint8_t)below(2);
        m.me.same = m.me.kind == TRACE_LOAD && below(4) == 0;
        m.near = m.me.kind == TRACE_LOAD && below(9) == 0;
        m.epoch = time > 5 ? time - below(5) : 0;
        w.id = w.index = m.me.wave;
        struct meeting slow = m;
        slow.line = lines[1];
        reports = 0;
        race_touch(r, &w, &area[0], &m);
        const unsigned said = reports;
        touch_slowly(r, &w, &slow);
        right = same_line(&lines[0][0], &lines[1][0]) && said + said == reports;
        *quick += lines[0][0].n == 1;
    }
    free(lines[0][0].many);
    free(lines[1][0].many);
    return right;
}

static void lines(void)
{
    struct watcher watcher = {0};
    struct gpudbg_checks checks = {.now = &watcher};
    struct gpudbg_machine machine = {.waves_per_group = 3, .nwaves = 3};
    struct wave_clock *wave[3] = {NULL, NULL, NULL};
    struct clocks clocks = {.checks = &checks, .per_group = 3, .nwaves = 3, .wave = wave};
    struct place place[3] = {
        {.asked = true, .known = true}, {.asked = true, .known = true}, {.asked = true, .known = true}};
    struct race r = {.machine = &machine, .checks = &checks, .clocks = &clocks, .traces = traces_new(&checks)};
    uint32_t wrong = 0, first = 0;
    unsigned quick = 0;
    r.place = place;
    r.nplaces = 3;
    for (uint32_t i = 1; i <= 20000; i++)
        if (!line_is_right(&r, i, &quick) && !wrong++) first = i;
    is_int(wrong, 0, "a line keeps the traces that it would keep without the quick way (first wrong: %u)", first);
    ok(quick > 10000, "many lines were one wave's alone");
    traces_free(r.traces);
}

int main(void)
{
    rows();
    dwords();
    apart();
    lines();
    return tap_done();
}
