/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_compare.c: two of something side by side, in lock step: code above, below it what differs, or what a value comes
 * from.
 *
 *       1738 v_lshlrev_b32 v5, 6, v1          |   1738 v_lshlrev_b32 v5, 6, v1
 *     !>1744 v_sub_i32     v6, vcc, v5, v0    |!> 1744 v_add_i32     v6, vcc, v5, v0
 *     differs ------ here -------------------- there -------------------- 2 values
 *      $v6[31]       4                         124                        63 more
 *
 * ! rows that differ, > the next instruction of each side.  s and S move both, ] and [ go to the next instruction whose
 * results differ, y shows what the value under the cursor comes from, with both values; Enter goes there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/sides.h"
#include "gpudbg/text.h"
#include "inside.h"
#include "machine/machine.h"

struct compare_pane {
    const struct sides *of; /* what the cursor is about */
    bool why;               /* the list is the way back */
    uint64_t position[2];   /* where y was pressed */
    uint32_t wave[2];
    int scroll; /* rows of code from where the first side stands */
};

/* What is compared; a new comparison begins at its beginning. */
static struct sides *compared(struct pane *p, struct gpudbg_error *err)
{
    struct compare_pane *v = p->own;
    struct sides *t = sides_now(p->g, err);
    if (t != v->of) {
        *v = (struct compare_pane){.of = t};
        p->cursor = p->top = 0;
    }
    p->count = !t ? 0 : v->why ? t->nsteps : t->machine[0] ? t->nvalues : 0;
    return t;
}

/* ---- Drawing ---- */

static void half_draw(const struct sides *t, const struct area *a, int y, int i, int s, bool here)
{
    const struct side_row *r = &t->row[i];
    if (r->differs) area_text(a, 0, y, STYLE_changed, "!");
    if (here) area_text(a, 1, y, STYLE_current, ">");
    if (r->at[s] < 0) {
        area_text(a, 2, y, STYLE_masked, "....");
        return;
    }
    const struct side_line *l = &t->line[s][r->at[s]];
    const int x = area_put(a, 2, y, here ? STYLE_current : STYLE_address, "%04" PRIx64, l->pc);
    area_text(a, x + 1, y, r->differs ? STYLE_changed : here ? STYLE_current : STYLE_mnemonic, l->text);
}

/* The first row of each column.  Both have the same rows, with where each side stands among them; where that has no
 * room, each column is about where its own side stands. */
static void rows_choose(const struct compare_pane *v, const struct sides *t, const int here[2], int rows, int first[2])
{
    const int none = t->machine[0] ? t->nrows : 0; /* both have ended */
    const int one = here[0] >= 0 ? here[0] : here[1] >= 0 ? here[1] : none;
    const int middle = here[0] >= 0 && here[1] >= 0 ? (here[0] + here[1]) / 2 : one;
    const bool apart = here[0] >= 0 && here[1] >= 0 && abs(here[0] - here[1]) + 1 > rows;
    for (int s = 0; s < 2; s++) {
        first[s] = (apart ? here[s] : middle) + v->scroll - rows / 2;
        if (first[s] > t->nrows - rows) first[s] = t->nrows - rows;
        if (first[s] < 0) first[s] = 0;
    }
}

static void code_draw(struct pane *p, const struct sides *t, const struct area *a, int rows)
{
    int here[2], first[2];
    for (int s = 0; s < 2; s++) here[s] = t->machine[0] ? sides_row_at(t, s, t->pc[s]) : -1;
    const int left = (a->w - 1) / 2;
    rows_choose(p->own, t, here, rows, first);
    const struct area half[2] = {
        {a->cells, a->x, a->y, left, a->h, 0}, {a->cells, a->x + left + 1, a->y, a->w - left - 1, a->h, 0}};
    for (int y = 0; y < rows; y++) {
        area_repeat(a, left, y, 1, STYLE_rule, 0x2502, '|');
        for (int s = 0; s < 2; s++)
            if (first[s] + y < t->nrows)
                half_draw(t, &half[s], y, first[s] + y, s, t->there[s] && here[s] == first[s] + y);
    }
}

struct columns {
    int name, value, note;
};

static struct columns columns_of(const struct pane *p, const struct sides *t)
{
    const struct compare_pane *v = p->own;
    struct columns c = {8, 8, 0};
    for (int i = 0; i < p->count; i++) {
        const int n = text_columns(v->why ? t->step[i].name : t->value[i].name, true);
        c.name = n > c.name ? n : c.name;
        for (int s = 0; s < 2; s++) {
            const int m = text_columns(v->why ? t->step[i].text[s] : t->value[i].text[s], true);
            c.value = m > c.value ? m : c.value;
        }
    }
    const int numbers = v->why ? 9 : 0; /* the position before the name */
    if (c.name > p->columns / 4) c.name = p->columns / 4;
    const int most = (p->columns - c.name - numbers - 2) / (v->why ? 4 : 3);
    if (c.value > most) c.value = most;
    c.name += numbers;
    c.note = 2 + c.name + 1 + 2 * (c.value + 1);
    return c;
}

static void value_draw(const struct area *a, int y, const struct side_value *v, const struct columns *c)
{
    area_left(a, 2, y, c->name, STYLE_name, v->name);
    for (int s = 0; s < 2; s++) area_left(a, 3 + c->name + s * (c->value + 1), y, c->value, STYLE_changed, v->text[s]);
    if (v->more) area_put(a, c->note, y, STYLE_comment, "and %u more", v->more);
}

static void step_draw(const struct sides *t, const struct area *a, int y, const struct side_step *e, struct columns c)
{
    char text[GPUDBG_PRINT + 64];
    const bool here = e->there[0] && t->position[0] == e->position[0];
    const int s = e->there[0] ? 0 : 1;
    if (here) area_text(a, 0, y, STYLE_current, ">");
    if (e->there[s]) {
        snprintf(text, sizeof text, "%" PRIu64, e->position[s]);
        area_right(a, 1, y, 8, STYLE_address, text);
    }
    area_left(a, 10, y, c.name - 8, STYLE_name, e->name);
    for (int k = 0; k < 2; k++) area_left(a, 3 + c.name + k * (c.value + 1), y, c.value, STYLE_changed, e->text[k]);
    struct text note = text_in(text, sizeof text);
    text[0] = 0;
    for (int k = 0; k < 2; k++) {
        if (!e->there[k]) continue;
        for (int i = 0; i < t->nlines[k]; i++)
            if (t->line[k][i].pc == e->pc[k] && (k == s || t->machine[0] != t->machine[1] || e->pc[0] != e->pc[1])) {
                if (k != s && strcmp(t->line[k][i].text, text) == 0) continue;
                text_add(&note, "%s%s", k != s ? " | " : "", t->line[k][i].text);
            }
    }
    if (*e->leaf) text_add(&note, "%s%s", note.n ? "; " : "", e->leaf);
    if (e->begins) text_add(&note, "  begins here");
    area_text(a, c.note, y, e->begins ? STYLE_error : STYLE_comment, text);
}

static void list_draw(struct pane *p, const struct sides *t, const struct area *a)
{
    const struct compare_pane *v = p->own;
    const struct columns c = columns_of(p, t);
    area_repeat(a, 0, 0, a->w, STYLE_rule, 0x2500, '-');
    if (v->why)
        area_put(a, 1, 0, STYLE_title, "what %s comes from ", t->asked);
    else if (t->machine[0])
        area_put(a, 1, 0, STYLE_title, "%d %s ", t->nvalues, t->nvalues == 1 ? "value differs" : "values differ");
    else
        area_put(a, 1, 0, STYLE_title, "%d of %d rows differ ", t->ndiffer, t->nrows);
    const int rows = a->h - 1;
    if (!v->why && t->machine[0] && !t->alike && !t->nvalues)
        area_text(a, 2, 1, STYLE_comment, "registers of other code are not compared; no buffer differs here");
    else if (!p->count && t->machine[0])
        area_text(a, 2, 1, STYLE_comment, "nothing differs here: ] goes to the next difference");
    pane_list_fit(p, rows);
    for (int y = 0; y < rows && p->top + y < p->count; y++) {
        const int i = p->top + y;
        if (v->why)
            step_draw(t, a, 1 + y, &t->step[i], c);
        else
            value_draw(a, 1 + y, &t->value[i], &c);
        if (p->active && i == p->cursor) area_cursor(a, 0, 1 + y, a->w, STYLE_cursor);
    }
}

/* Rows of code; the rule and the list have the others. */
static int code_rows(const struct pane *p, const struct sides *t, int h)
{
    const int wanted = p->count ? p->count + 1 : t->machine[0] ? 2 : 1;
    const int list = wanted > h / 2 ? h / 2 : wanted;
    return h > 3 ? h - (list > 1 ? list : 1) : h;
}

static void draw(struct pane *p, const struct area *a)
{
    struct gpudbg_error err = {.offset = -1};
    struct sides *t = compared(p, &err);
    if (!t) {
        area_text(a, 1, 0, STYLE_comment, err.message);
        return;
    }
    const int rows = code_rows(p, t, a->h);
    code_draw(p, t, a, rows);
    const struct area list = {a->cells, a->x, a->y + rows, a->w, a->h - rows, 0};
    if (list.h > 0) list_draw(p, t, &list);
}

static int title(struct pane *p, char *buf, size_t size)
{
    struct gpudbg_error err = {.offset = -1};
    const struct sides *t = compared(p, &err);
    struct text text = text_in(buf, size);
    if (size) buf[0] = 0;
    if (!t) return 0;
    for (int s = 0; s < 2; s++) {
        char at[32];
        grouped_text(t->position[s], at, sizeof at);
        if (!t->machine[0] || t->of == SIDES_RUNS)
            text_add(&text, "%s%s", s ? " | " : "", t->title[s]);
        else
            text_add(&text, "%swave %" PRIu32 " at %s", s ? " | " : "", t->wave[s], at);
        if (t->machine[0] && t->of == SIDES_RUNS) text_add(&text, " at %s wave %" PRIu32, at, t->wave[s]);
        if (t->machine[0] && !t->there[s]) text_add(&text, ", ended");
    }
    return text_length(&text);
}

/* ---- Actions ---- */

static bool step(struct pane *p, struct sides *t, int by, const char *arg, struct gpudbg_error *err)
{
    struct compare_pane *v = p->own;
    const long n = *arg ? strtol(arg, NULL, 10) : 1;
    v->why = false;
    v->scroll = 0;
    for (long i = 0; i < n; i++)
        if (!sides_step(t, by, err)) return false;
    return true;
}

/* The next row of code that differs, where nothing runs. */
static bool row_next(struct pane *p, const struct sides *t, int by, struct gpudbg_error *err)
{
    struct compare_pane *v = p->own;
    int i = v->scroll;
    while (i >= 0 && i < t->nrows && t->row[i].differs) i += by; /* out of the ones that one is in */
    while (i >= 0 && i < t->nrows && !t->row[i].differs) i += by;
    if (i < 0 || i >= t->nrows)
        return gpudbg_fail(err, "not-now", "no row %s here differs", by > 0 ? "below" : "above");
    v->scroll = i;
    return true;
}

static bool next(struct pane *p, struct sides *t, int by, struct gpudbg_error *err)
{
    struct compare_pane *v = p->own;
    if (!t->machine[0]) return row_next(p, t, by, err);
    v->why = false;
    v->scroll = 0;
    return sides_next(t, by, err);
}

/* Both sides go where the step under the cursor is. */
static bool step_show(struct pane *p, struct sides *t, struct gpudbg_error *err)
{
    if (p->cursor >= t->nsteps) return true;
    const struct side_step e = t->step[p->cursor];
    if (!e.there[0] && !e.there[1]) return true;
    const uint64_t position[2] = {
        e.there[0] ? e.position[0] : t->position[0], e.there[1] ? e.position[1] : t->position[1]};
    const uint32_t wave[2] = {e.there[0] ? e.wave[0] : t->wave[0], e.there[1] ? e.wave[1] : t->wave[1]};
    ((struct compare_pane *)p->own)->scroll = 0;
    return sides_go(t, position, wave, err);
}

static bool why(struct pane *p, struct sides *t, struct gpudbg_error *err)
{
    struct compare_pane *v = p->own;
    if (v->why) { /* on to what it comes from */
        p->cursor += p->cursor + 1 < t->nsteps;
        return step_show(p, t, err);
    }
    if (!sides_why(t, p->cursor, err)) return false;
    v->why = true;
    memcpy(v->position, t->position, sizeof v->position);
    memcpy(v->wave, t->wave, sizeof v->wave);
    p->count = t->nsteps;
    p->cursor = p->top = 0;
    return step_show(p, t, err);
}

/* To the values, where y was pressed. */
static bool back(struct pane *p, struct sides *t, struct gpudbg_error *err)
{
    struct compare_pane *v = p->own;
    if (!v->why) return true;
    v->why = false;
    v->scroll = p->cursor = p->top = 0;
    return sides_go(t, v->position, v->wave, err);
}

/* Takes what runs to where the first side is; of two runs, to the same place of the session's own. */
static bool follow(struct pane *p, struct sides *t, struct gpudbg_error *err)
{
    const struct compare_pane *v = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    char line[64];
    if (!t->machine[0] || !m) return gpudbg_fail(err, "not-now", "nothing runs here");
    if (t->position[0] > machine_recorded(m))
        return gpudbg_fail(err, "not-now", "what is launched has run to %" PRIu64 " only: `continue`, then Enter",
            machine_recorded(m));
    p->g->selection.wave = t->wave[0];
    if (v->why && p->cursor < t->nsteps && t->step[p->cursor].lane >= 0) p->g->selection.lane = t->step[p->cursor].lane;
    snprintf(line, sizeof line, "goto %" PRIu64, t->position[0]);
    screen_key_line(p->screen, line);
    return true;
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct compare_pane *v = p->own;
    struct sides *t = compared(p, err);
    if (!t) return false;
    switch (action) {
    case PANE_STEP: return step(p, t, 1, arg, err);
    case PANE_STEP_BACK: return step(p, t, -1, arg, err);
    case PANE_SEGMENT: return next(p, t, *arg == '-' ? -1 : 1, err);
    case PANE_ORIGIN: return why(p, t, err);
    case PANE_FOLLOW: return follow(p, t, err);
    case PANE_BACK: return back(p, t, err);
    case PANE_SCROLL_UP: v->scroll -= 3; return true;
    case PANE_SCROLL_DOWN: v->scroll += 3; return true;
    default: break;
    }
    if (!t->machine[0]) { /* there is only code to move in */
        const int page = p->shown > 2 ? p->shown - 2 : 1;
        v->scroll += action == PANE_UP          ? -1
                     : action == PANE_DOWN      ? 1
                     : action == PANE_PAGE_UP   ? -page
                     : action == PANE_PAGE_DOWN ? page
                                                : 0;
        if (action == PANE_TOP) v->scroll = 0;
        if (action == PANE_BOTTOM || v->scroll > t->nrows) v->scroll = t->nrows;
        if (v->scroll < 0) v->scroll = 0;
        return true;
    }
    if (action == PANE_ROW) { /* a click in the list */
        const int row = atoi(arg) - code_rows(p, t, p->shown) - 1;
        if (row >= 0 && p->top + row < p->count) p->cursor = p->top + row;
        return !v->why || step_show(p, t, err);
    }
    return pane_list_act(p, action, arg, err) && (!v->why || step_show(p, t, err));
}

static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    struct gpudbg_error err = {.offset = -1};
    const struct compare_pane *v = p->own;
    const struct sides *t = sides_now(p->g, &err);
    if (!t || row >= p->count) return snprintf(buf, size, "%s", "");
    if (v->why)
        return snprintf(buf, size, "%s = %s, %s", t->step[row].name, t->step[row].text[0], t->step[row].text[1]);
    return snprintf(buf, size, "%s = %s, %s", t->value[row].name, t->value[row].text[0], t->value[row].text[1]);
}

/* Of code alone nothing runs. */
static uint64_t lacks(struct pane *p)
{
    struct gpudbg_error err = {.offset = -1};
    const struct sides *t = compared(p, &err);
    if (!t || t->machine[0]) return 0;
    return PANE_BIT(STEP) | PANE_BIT(STEP_BACK) | PANE_BIT(ORIGIN) | PANE_BIT(FOLLOW) | PANE_BIT(BACK);
}

const struct pane_kind pane_compare = {
    .name = "compare",
    .summary = "two runs, positions, waves or files side by side, in lock step",
    .own = sizeof(struct compare_pane),
    .fits = true,
    .takes = PANE_BIT(ORIGIN) | PANE_BIT(SEGMENT),
    .draw = draw,
    .title = title,
    .act = act,
    .lacks = lacks,
    .row_text = row_text,
};
