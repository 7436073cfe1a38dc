/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_timeline.c: waves over recorded time, and a cursor in time.
 *
 *      waves   0                                          45,760
 *     >0-3     ====----                                            # runs, o with lanes off, B comes to a barrier,
 *      4-7         ====----                                        = waits there, - others run
 *      c[17]      W R                                              written, read; X both
 *      stops    B                                                  B point, ! checker or fault
 *      y c[17]  y y                                                what the value comes from, in the waves' rows, too
 *      time       |    ^                                           | cursor, ^ now
 *
 * Left and right move the cursor through time, ] and [ from mark to mark, Enter goes there: to the first mark of the
 * cell, else to its start.  Nothing changes before that.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "control/stop.h"
#include "control/timing.h"
#include "gpudbg/text.h"
#include "inside.h"
#include "machine/machine.h"
#include "past/origin.h"

#define MARKS 4      /* rows of marks: watched values, and stops */
#define MOMENTS 1500 /* of a watched value: the latest reads, and the latest writes */
#define CHAIN 200    /* instructions that a value comes from */
#define CHAIN_DEPTH 40
#define QUICK 200000 /* instructions that may run again while one waits for a picture */
#define MARKS_FROM 7 /* rows of the pane from which on marks are shown */

struct wave_row {
    uint32_t from, to;
    struct wave_time sum;
};

/* What happened when: the first position of each cell where it did. */
struct mark_row {
    char name[40], mark[TIMING_CELLS];
    uint64_t position[TIMING_CELLS];
};

/* Where a watched value comes from. */
struct chain_row {
    uint64_t position;
    uint32_t wave;
    char text[160]; /* "$v12[0] = 2.0" */
};

struct timeline_pane {
    struct wave_row *row; /* malloc'ed, p->count of them */
    size_t room;
    struct mark_row mark[MARKS + 1]; /* the chain's is the last */
    int nmarks;
    struct chain_row chain[CHAIN];
    int nchain;
    const struct gpudbg_machine *machine; /* of which they are; NULL: none */
    uint64_t future, total;
    uint64_t points; /* a digest of the points that are watched */
    int cell;        /* of the cursor */
    uint64_t now;    /* position when it was last drawn: the cursor goes with it */
    bool ask;        /* it would take too long to look unasked */
    uint32_t wave;   /* that was selected when the cursor was put on its row */
    int left, each;  /* column where the cells begin; how many of them a character is */
    int wide;        /* columns of a cell, where there is room for more than one */
};

/* ---- Looking ---- */

static void mark_add(struct timeline_pane *t, struct mark_row *m, uint64_t position, char mark)
{
    const unsigned cell = timing_cell(position, t->total);
    const char old = m->mark[cell];
    const bool earlier = !old || position < m->position[cell], uses = old == 'W' || old == 'R';
    if (uses && mark != old)
        m->mark[cell] = 'X';
    else if (earlier && old != 'X')
        m->mark[cell] = mark;
    if (earlier) m->position[cell] = position;
}

/* When the value is written, or read. */
static bool moments_take(struct pane *p, struct past_place *place, bool reads, struct mark_row *m)
{
    struct gpudbg_error err = {0};
    uint64_t n = 0;
    struct past_write *w = calloc(MOMENTS, sizeof *w);
    const bool known = w && past_moments(&p->g->eval, place, reads, w, MOMENTS, &n, &err);
    for (uint64_t i = 0; known && i < n && i < MOMENTS; i++) mark_add(p->own, m, w[i].position, reads ? 'R' : 'W');
    free(w);
    return known;
}

static void point_take(struct pane *p, struct stop_point *point)
{
    struct timeline_pane *t = p->own;
    struct mark_row *m = &t->mark[t->nmarks];
    struct past_place place = {0};
    struct gpudbg_error err = {0};
    char what[512];
    *m = (struct mark_row){.name = ""};
    text_put(m->name, sizeof m->name, "%s", point->what);
    text_put(what, sizeof what, "%s", point->what);
    const uint32_t wave = point->place.is_register ? point->place.wave : p->g->selection.wave;
    const struct local_watch *v = point->place.followed;
    const bool named = v ? past_followed(&p->g->eval, v->wave, v->lane, v->at, what, &place)
                         : past_named(&p->g->eval, wave, what, &place, &err);
    if (named && moments_take(p, &place, false, m)) {
        if (!v) moments_take(p, &place, true, m);
        t->nmarks++;
    }
    past_free(&place);
}

static void stops_take(struct pane *p)
{
    struct timeline_pane *t = p->own;
    struct mark_row *m = &t->mark[t->nmarks];
    const struct stop_made *made;
    *m = (struct mark_row){.name = "stops"};
    for (size_t i = 0; (made = stops_made(&p->g->control, i)); i++)
        mark_add(t, m, made->position, made->number ? 'B' : '!');
    t->nmarks += memcmp(m->mark, (char[TIMING_CELLS]){0}, sizeof m->mark) != 0;
}

static void rows_take(struct pane *p, const struct timing *timing)
{
    struct timeline_pane *t = p->own;
    p->count = 0;
    for (uint32_t i = 0; i < timing->n;) {
        if ((size_t)p->count == t->room) t->row = xgrow(t->row, (size_t)p->count, &t->room, sizeof *t->row);
        struct wave_row *row = &t->row[p->count++];
        row->from = i;
        i = timing_fold(timing, i, &row->sum);
        row->to = i - 1;
    }
}

/* All of recorded time, whatever the present is. */
static void time_take(struct pane *p)
{
    struct timeline_pane *t = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    struct gpudbg_error err = {0};
    struct timing timing;
    const uint64_t now = machine_position(m);
    const bool there = now == machine_recorded(m) || machine_go(m, machine_recorded(m), &err);
    const bool taken = there && timing_take(&p->g->control, &timing, &err);
    t->machine = m;
    t->future = machine_futures(m);
    t->total = machine_recorded(m);
    t->nmarks = t->nchain = p->count = 0;
    if (taken) {
        rows_take(p, &timing);
        timing_free(&timing);
        for (struct stop_point *point = stops_next(&p->g->control, 0); point && t->nmarks < MARKS - 1;
             point = stops_next(&p->g->control, point->number))
            if (point->kind == STOP_WATCH && point->on) point_take(p, point);
        stops_take(p);
    }
    machine_come_back(m, now);
}

/* Which values are watched. */
static uint64_t points_now(struct pane *p)
{
    uint64_t h = 0;
    const struct stop_made *made = stops_made(&p->g->control, 0);
    for (struct stop_point *point = stops_next(&p->g->control, 0); point;
         point = stops_next(&p->g->control, point->number))
        if (point->kind == STOP_WATCH && point->on) h = h * 31 + (uint64_t)point->number;
    return h * 1000003 + (made ? made->position + (uint64_t)made->number : 0);
}

/* Whether there is something to draw.  What is shown may lack the latest 64th of time: it is not looked at again for
 * every step. */
static bool look(struct pane *p, bool asked)
{
    struct timeline_pane *t = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    if (!m) return false;
    const uint64_t recorded = machine_recorded(m), points = points_now(p);
    const bool fresh = t->machine == m && t->future == machine_futures(m) && recorded >= t->total &&
                       (recorded - t->total) * TIMING_CELLS <= t->total && t->points == points;
    t->ask = !fresh && !asked && recorded > QUICK;
    if (!fresh && !t->ask) {
        time_take(p);
        t->points = points;
    }
    if (t->ask && t->machine != m) p->count = 0;
    if (t->now != machine_position(m)) t->cell = (int)timing_cell(machine_position(m), t->total);
    t->now = machine_position(m);
    return p->count;
}

/* ---- Drawing ---- */

static int waves_text(const struct wave_row *r, char *buf, size_t size)
{
    return r->from == r->to ? snprintf(buf, size, "%" PRIu32, r->from)
                            : snprintf(buf, size, "%" PRIu32 "-%" PRIu32, r->from, r->to);
}

/* The strongest of the cells that share a character. */
static enum timing_mark mark_at(const struct timeline_pane *t, const struct wave_row *r, int cell)
{
    enum timing_mark most = TIMING_NOT;
    for (int i = cell; i < cell + t->each && i < (int)TIMING_CELLS; i++) {
        const enum timing_mark mark = timing_mark(&r->sum, (unsigned)i, t->total);
        most = mark > most ? mark : most;
    }
    return most;
}

#define SPAN 22 /* columns for "first to last" behind the cells */

static int column_of(const struct timeline_pane *t, int cell) { return t->left + cell / t->each * t->wide; }

static void row_draw(struct pane *p, const struct area *a, int y, const struct wave_row *r)
{
    static const struct {
        uint32_t glyph;
        char ascii;
        enum style style;
    } looks[] = {[TIMING_NOT] = {0xb7, '.', STYLE_masked},
        [TIMING_STANDS] = {0x2500, '-', STYLE_masked},
        [TIMING_HELD] = {0x2592, '=', STYLE_symbol},
        [TIMING_PARTLY] = {0x2584, 'o', STYLE_value},
        [TIMING_RUNS] = {0x2588, '#', STYLE_value},
        [TIMING_BARRIER] = {'B', 'B', STYLE_symbol}};
    const struct timeline_pane *t = p->own;
    const bool selected = p->g->selection.wave - r->from <= r->to - r->from;
    char text[32];
    waves_text(r, text, sizeof text);
    area_text(a, 1, y, selected ? STYLE_current : STYLE_name, text);
    if (selected) area_text(a, 0, y, STYLE_current, ">");
    for (int i = 0; i < (int)TIMING_CELLS; i += t->each) {
        const enum timing_mark mark = mark_at(t, r, i);
        const int x = column_of(t, i);
        area_repeat(a, x, y, t->wide, looks[mark].style, looks[mark].glyph, looks[mark].ascii);
        for (int k = 0; k < t->nchain; k++)
            if (t->chain[k].wave - r->from <= r->to - r->from &&
                (int)timing_cell(t->chain[k].position, t->total) / t->each == i / t->each)
                area_text(a, x, y, STYLE_current, "y");
    }
    const int end = column_of(t, TIMING_CELLS);
    if (a->w - end >= SPAN && r->sum.executed)
        area_put(a, end + 1, y, STYLE_comment, "%" PRIu64 " to %" PRIu64, r->sum.first, r->sum.last);
}

static void marks_draw(struct pane *p, const struct area *a, int y)
{
    const struct timeline_pane *t = p->own;
    for (int i = 0; i < t->nmarks; i++, y++) {
        area_left(a, 1, y, t->left - 2, STYLE_name, t->mark[i].name);
        for (int cell = 0; cell < (int)TIMING_CELLS; cell++)
            if (t->mark[i].mark[cell])
                area_repeat(a, column_of(t, cell), y, 1, STYLE_breakpoint, (uint32_t)t->mark[i].mark[cell],
                    t->mark[i].mark[cell]);
    }
    const int now = (int)timing_cell(t->now, t->total);
    area_text(a, 1, y, STYLE_name, "time");
    area_text(a, column_of(t, now), y, STYLE_current, "^");
    if (t->cell / t->each != now / t->each) area_repeat(a, column_of(t, t->cell), y, 1, STYLE_current, 0x2502, '|');
}

/* The cursor goes to the row of another wave when that is selected: so its row is seen. */
static void wave_follow(struct pane *p)
{
    struct timeline_pane *t = p->own;
    const uint32_t wave = p->g->selection.wave;
    if (wave == t->wave) return;
    t->wave = wave;
    for (int i = 0; i < p->count; i++)
        if (wave >= t->row[i].from && wave <= t->row[i].to) p->cursor = i;
}

/* As wide as the names need, and no wider than leaves room for time. */
static void fit(struct pane *p, const struct area *a, int rows)
{
    struct timeline_pane *t = p->own;
    char text[32];
    t->left = 7;
    for (int i = p->top; i < p->count && i < p->top + rows; i++) {
        const int n = waves_text(&t->row[i], text, sizeof text) + 2;
        t->left = n > t->left ? n : t->left;
    }
    for (int i = 0; i < t->nmarks && a->h >= MARKS_FROM; i++) {
        const int n = text_columns(t->mark[i].name, a->cells->utf8) + 2;
        if (n > t->left && n <= a->w / 4) t->left = n;
    }
    t->each = 1;
    while (t->left + (int)TIMING_CELLS / t->each > a->w && t->each < (int)TIMING_CELLS) t->each *= 2;
    t->wide = (a->w - t->left - SPAN) / (int)TIMING_CELLS;
    if (t->wide < 1) t->wide = 1;
}

static void draw(struct pane *p, const struct area *a)
{
    struct timeline_pane *t = p->own;
    if (!look(p, false)) {
        if (t->ask) {
            char n[32];
            grouped_text(machine_recorded(p->g->running.machine), n, sizeof n);
            area_put(a, 1, 0, STYLE_comment, "%s instructions would run again: w does it", n);
        } else
            area_text(a, 1, 0, STYLE_comment,
                p->g->running.machine ? "nothing has run" : "nothing is launched: `launch` starts the program");
        return;
    }
    const int head = a->h >= 4, foot = a->h >= MARKS_FROM ? t->nmarks + 1 : a->h >= 3, rows = a->h - head - foot;
    wave_follow(p);
    pane_list_fit(p, rows);
    fit(p, a, rows);
    if (head) {
        char end[32];
        const int n = grouped_text(t->total, end, sizeof end);
        const int right = column_of(t, TIMING_CELLS);
        area_text(a, 1, 0, STYLE_address, "waves");
        area_text(a, t->left, 0, STYLE_address, "0");
        area_text(a, right - n, 0, STYLE_address, end);
    }
    for (int i = p->top; i < p->count && i < p->top + rows; i++) {
        row_draw(p, a, head + i - p->top, &t->row[i]);
        if (p->active && i == p->cursor) area_cursor(a, 0, head + i - p->top, t->left - 1, STYLE_cursor);
    }
    const int shown = p->count - p->top < rows ? p->count - p->top : rows;
    if (a->h >= MARKS_FROM) {
        marks_draw(p, a, head + shown);
    } else if (foot) {
        const int marks = t->nmarks;
        t->nmarks = 0; /* there is room for time alone */
        marks_draw(p, a, head + shown);
        t->nmarks = marks;
    }
}

/* Where Enter goes: the first thing that happened in the cell, else its start; and what that is, "" if nothing. */
static uint64_t goal(const struct timeline_pane *t, char *what, size_t size)
{
    uint64_t first = UINT64_MAX;
    snprintf(what, size, "%s", "");
    for (int cell = t->cell; cell < t->cell + t->each && cell < (int)TIMING_CELLS; cell++)
        for (int i = 0; i < t->nmarks; i++) {
            const struct mark_row *m = &t->mark[i];
            if (!m->mark[cell] || m->position[cell] >= first) continue;
            first = m->position[cell];
            text_put(what, size, " %s%s", m->name,
                m->mark[cell] == 'W'   ? " is written"
                : m->mark[cell] == 'R' ? " is read"
                                       : "");
        }
    for (int i = 0; i < t->nchain; i++)
        if (t->chain[i].position == first) text_put(what, size, " %s", t->chain[i].text);
    return first == UINT64_MAX ? timing_position((unsigned)t->cell, t->total) : first;
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct timeline_pane *t = p->own;
    char now[32], to[32], cell[32], what[100];
    if (!p->g->running.machine || !p->count) return snprintf(buf, size, "%s", "");
    grouped_text(t->now, now, sizeof now);
    grouped_text(goal(t, what, sizeof what), to, sizeof to);
    grouped_text((t->total + TIMING_CELLS - 1) / TIMING_CELLS * (uint64_t)t->each, cell, sizeof cell);
    return snprintf(
        buf, size, "now %s  Enter: %s%s  a cell is %s%s", now, to, what, cell, t->ask ? "  w looks again" : "");
}

/* ---- Actions ---- */

static bool follow(struct pane *p, struct gpudbg_error *err)
{
    const struct timeline_pane *t = p->own;
    char line[40], what[100];
    if (!p->count) return gpudbg_fail(err, "not-now", "there is no time to go to");
    const uint64_t to = goal(t, what, sizeof what);
    for (int i = 0; i < t->nchain; i++)
        if (t->chain[i].position == to) p->g->selection.wave = t->chain[i].wave;
    snprintf(line, sizeof line, "goto %" PRIu64, to);
    screen_key_line(p->screen, line);
    return true;
}

static void cell_set(struct timeline_pane *t, int cell)
{
    t->cell = cell < 0 ? 0 : cell < (int)TIMING_CELLS ? cell : (int)TIMING_CELLS - 1;
}

static bool marked(const struct timeline_pane *t, int cell)
{
    bool any = false;
    for (int i = 0; i < t->nmarks; i++) any = any || t->mark[i].mark[cell];
    return any;
}

/* The next cell with a mark, or the one before. */
static bool mark_next(struct timeline_pane *t, int step, struct gpudbg_error *err)
{
    const int each = t->each ? t->each : 1; /* 0: nothing was drawn yet */
    for (int cell = t->cell / each * each + (step > 0 ? each : -1); cell >= 0 && cell < (int)TIMING_CELLS; cell += step)
        if (marked(t, cell)) return cell_set(t, cell), true;
    return gpudbg_fail(err, "not-now", "there is no mark %s here", step > 0 ? "behind" : "before");
}

/* ---- Where a watched value comes from ---- */

/* The watched value whose write is the latest at the cursor or before it; NULL: there is none. */
static struct stop_point *point_before(struct pane *p, uint64_t *position)
{
    const struct timeline_pane *t = p->own;
    struct stop_point *found = NULL;
    for (struct stop_point *point = stops_next(&p->g->control, 0); point;
         point = stops_next(&p->g->control, point->number))
        for (int i = 0; i < t->nmarks && point->kind == STOP_WATCH && point->on; i++)
            for (int cell = 0; cell < t->cell + t->each && cell < (int)TIMING_CELLS; cell++) {
                const struct mark_row *m = &t->mark[i];
                if (strncmp(m->name, point->what, sizeof m->name - 1) != 0 || m->mark[cell] < 'W') continue;
                if (found && m->position[cell] < *position) continue;
                found = point;
                *position = m->position[cell];
            }
    return found;
}

/* The tree of the value that stands at the end of the cursor's cell, as rows of the chain. */
static bool chain_ask(struct pane *p, struct stop_point *point, struct gpudbg_error *err)
{
    static const struct origin_want want = {.depth = CHAIN_DEPTH, .rows = CHAIN};
    struct timeline_pane *t = p->own;
    struct past_place place = {0};
    char what[512], name[96];
    size_t n = 0;
    text_put(what, sizeof what, "%s", point->what);
    text_put(name, sizeof name, "%s", point->what);
    const bool its = point->place.is_register || point->place.followed;
    const uint32_t wave = its ? point->place.wave : p->g->selection.wave;
    struct origin_node *node = past_named(&p->g->eval, wave, what, &place, err)
                                   ? origin_of(&p->g->eval, name, &place, &want, &n, err)
                                   : NULL;
    past_free(&place);
    for (size_t i = 0; node && i < n && t->nchain < CHAIN; i++) {
        if (!node[i].found) continue;
        struct chain_row *row = &t->chain[t->nchain++];
        *row = (struct chain_row){.position = node[i].write.position, .wave = node[i].write.wave};
        text_put(row->text, sizeof row->text, "%s = %.*s", node[i].name, node[i].plain, node[i].value);
    }
    free(node);
    return !err->kind;
}

static bool chain_draw(struct pane *p, struct gpudbg_error *err)
{
    struct timeline_pane *t = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    uint64_t at = 0, now;
    if (!m || !p->count) return gpudbg_fail(err, "not-now", "there is no time to look at");
    if (t->nchain) t->nmarks--; /* its row */
    t->nchain = 0;
    struct stop_point *point = point_before(p, &at);
    if (!point)
        return gpudbg_fail(err, "not-now",
            "no watched value is written at the cursor or before it: `watch PLACE`, and y draws where it comes from");
    now = machine_position(m);
    const struct gpudbg_stop stop = m->stop;
    uint64_t end = timing_position((unsigned)(t->cell + t->each), t->total);
    if (end > machine_recorded(m)) end = machine_recorded(m);
    const bool good = machine_go(m, end > at ? end : at + 1, err) && chain_ask(p, point, err);
    machine_come_back(m, now);
    m->stop = stop;
    if (!good || !t->nchain) return good && gpudbg_fail(err, "not-now", "no instruction computed %s", point->what);
    struct mark_row *row = &t->mark[t->nmarks++];
    *row = (struct mark_row){.name = ""};
    text_put(row->name, sizeof row->name, "y %s", point->what);
    for (int i = 0; i < t->nchain; i++) mark_add(t, row, t->chain[i].position, 'y');
    return true;
}

static bool click(struct pane *p, const char *arg)
{
    struct timeline_pane *t = p->own;
    const int row = p->top + atoi(arg) - (p->shown >= 4), x = pane_click_column(arg) - t->left;
    if (row >= 0 && row < p->count) p->cursor = row;
    if (x >= 0) cell_set(t, x / (t->wide > 0 ? t->wide : 1) * t->each);
    return true;
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct timeline_pane *t = p->own;
    const int n = t->each > 0 ? t->each * (*arg ? atoi(arg) : 1) : 1;
    switch (action) {
    case PANE_FOLLOW: return follow(p, err);
    case PANE_LEFT: cell_set(t, t->cell - n); return true;
    case PANE_RIGHT: cell_set(t, t->cell + n); return true;
    case PANE_SEGMENT: return mark_next(t, *arg == '-' ? -1 : 1, err);
    case PANE_ORIGIN: return chain_draw(p, err);
    case PANE_ROW: return click(p, arg);
    case PANE_HERE:
        look(p, true);
        cell_set(t, (int)timing_cell(t->now, t->total));
        return true;
    default: return pane_list_act(p, action, arg, err);
    }
}

static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    const struct timeline_pane *t = p->own;
    return row < p->count ? waves_text(&t->row[row], buf, size) : snprintf(buf, size, "%s", "");
}

static void close_timeline(struct pane *p) { free(((struct timeline_pane *)p->own)->row); }

const struct pane_kind pane_timeline = {
    .name = "timeline",
    .summary = "waves over recorded time; Left and Right move in it, Enter goes there",
    .takes = PANE_BIT(ORIGIN) | PANE_BIT(SEGMENT),
    .own = sizeof(struct timeline_pane),
    .across = true,
    .fits = true,
    .draw = draw,
    .title = title,
    .act = act,
    .row_text = row_text,
    .close = close_timeline,
};
