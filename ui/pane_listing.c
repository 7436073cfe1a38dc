/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_listing.c: any listing as a pane: waves, buffers, breakpoints, events, ...  Where not all has room, empty
 * columns and gaps, then names and remarks become narrower, then columns are left out from the right, those with values
 * last.  A first column without a title is a mark.  Enter does what suits the listing.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "base/alloc.h"
#include "control/stop.h"
#include "control/watched.h"
#include "inside.h"
#include "word/registry.h"
#include "gpudbg/text.h"

#define CELLS 12
#define CELL_SIZE 160
#define NAME_LEAST 8   /* columns of a name that has no room for all of it */
#define VALUE_USUAL 40 /* columns of a value that is not cut while another column can give way */
#define HEADING_FROM 2 /* rows */
#define FIND_ROWS 4096 /* made at a time when looking for something */

struct listing_row {
    uint16_t at[CELLS]; /* of each cell in text */
    char *text;
};

#define KNOWN_MOST 256

/* The values of a listing that has names and values. */
struct known {
    struct known_value {
        char *name, *value;
    } * of;
    int n;
};

/* Rows are made when they are shown: a launch may have a million waves. */
struct listing_pane {
    const struct gpudbg_listing *listing;
    struct listing_row *row; /* rows `from` to `from + rows` */
    int from, want, rows;
    int count;    /* of all, up to `most` */
    int most;     /* `set row-limit` */
    int selected; /* the first row with a mark, -1: none */
    char error[512];
    uint32_t wave;              /* selected when last drawn */
    struct known before, marks; /* values: taken before this command; those that marks compare with */
};

/* Listings whose rows are values of the program, and the column whose cell is one's expression. */
static const struct {
    const char *listing, *name;
} valued[] = {{"locals", "name"}, {"args", "name"}, {"breakpoints", "what"}, {"watchpoints", "what"}};

/* What Enter runs, by listing: the command, and the column whose cell, up to a '-' or a ',', it is about. */
static const struct {
    const char *listing, *command, *column;
} follow[] = {{"waves", "wave", "wave"}, {"lanes", "lane", "lane"}, {"groups", "group", "group"},
    {"where", "wave", "waves"}, {"bookmarks", "goto", "name"}, {"events", "goto", "position"},
    {"stores", "goto", "position"}, {"writes", "goto", "position"}};

static size_t columns_of(const struct gpudbg_listing *l) { return l->ncolumns < CELLS ? l->ncolumns : CELLS; }

/* A first column without a title holds a mark. */
static size_t first_column(const struct listing_pane *l)
{
    return l->listing->ncolumns > 1 && !l->listing->columns[0].title[0];
}

static bool row_make(struct listing_pane *l, const void *row)
{
    char text[CELLS * CELL_SIZE];
    size_t n = 0;
    struct listing_row *r = &l->row[l->rows];
    for (size_t i = 0; i < columns_of(l->listing); i++) {
        r->at[i] = (uint16_t)n;
        text[n] = 0;
        l->listing->columns[i].cell(row, text + n, CELL_SIZE);
        n += strlen(text + n) + 1;
    }
    r->text = xalloc(n);
    memcpy(r->text, text, n);
    l->rows++;
    return true;
}

static bool row_add(void *to, const void *row)
{
    struct listing_pane *l = to;
    char mark[CELL_SIZE] = "";
    int at = l->count++;
    if (l->selected < 0 && first_column(l)) {
        l->listing->columns[0].cell(row, mark, sizeof mark);
        if (mark[0]) l->selected = at;
    }
    if (at >= l->from && l->rows < l->want && !row_make(l, row)) return false;
    return l->count < l->most;
}

static void rows_forget(struct listing_pane *l)
{
    while (l->rows > 0) free(l->row[--l->rows].text);
}

/* Makes rows from..from + want, and counts all. */
static void rows_take(struct pane *p, int from, int want)
{
    struct listing_pane *l = p->own;
    struct gpudbg_error err = {0};
    if (!l->listing)
        for (size_t i = 0; (l->listing = registry_listing(p->g->registry, i)); i++)
            if (l->listing->name == p->name) break;
    rows_forget(l);
    l->row = xrealloc(l->row, (size_t)(want > 0 ? want : 1), sizeof *l->row);
    l->from = from > 0 ? from : 0;
    l->want = want;
    l->count = 0;
    l->most = pane_rows_most(p);
    l->selected = -1;
    l->error[0] = 0;
    p->g->control.glance = true;
    if (l->listing && !session_rows(p->g, l->listing, "", row_add, l, &err))
        snprintf(l->error, sizeof l->error, "%s", err.message);
    p->g->control.glance = false;
    p->count = l->count;
}

/* A cell of a row; "" for a row that is not made. */
static const char *cell_of(const struct listing_pane *l, int row, size_t column)
{
    const struct listing_row *r = row >= l->from && row < l->from + l->rows ? &l->row[row - l->from] : NULL;
    return r ? r->text + r->at[column] : "";
}

static bool is_selected(const struct pane *p, int row)
{
    const struct listing_pane *l = p->own;
    return first_column(l) && cell_of(l, row, 0)[0];
}

/* ---- What has changed ---- */

static void known_none(struct known *k)
{
    for (int i = 0; i < k->n; i++) {
        free(k->of[i].name);
        free(k->of[i].value);
    }
    free(k->of);
    *k = (struct known){NULL, 0};
}

static int column_of(const struct listing_pane *l, const char *key)
{
    for (size_t i = 0; l->listing && i < columns_of(l->listing); i++)
        if (!strcmp(l->listing->columns[i].key, key)) return (int)i;
    return -1;
}

/* The column that names what the column value is of. */
static int named_column(const struct listing_pane *l)
{
    for (size_t i = 0; l->listing && i < sizeof valued / sizeof *valued; i++)
        if (!strcmp(valued[i].listing, l->listing->name)) return column_of(l, valued[i].name);
    return column_of(l, "name");
}

struct knowing {
    struct known *k;
    const struct gpudbg_listing *listing;
    int name, value;
};

static bool know(void *to, const void *row)
{
    struct knowing *w = to;
    char name[CELL_SIZE] = "", value[CELL_SIZE] = "";
    w->listing->columns[w->name].cell(row, name, sizeof name);
    w->listing->columns[w->value].cell(row, value, sizeof value);
    w->k->of = xrealloc(w->k->of, (size_t)w->k->n + 1, sizeof *w->k->of);
    w->k->of[w->k->n++] = (struct known_value){xstrdup(name), xstrdup(value)};
    return w->k->n < KNOWN_MOST;
}

static void listing_remember(struct pane *p, bool settle)
{
    struct listing_pane *l = p->own;
    struct gpudbg_error ignored = {0};
    struct knowing w = {&l->before, l->listing, named_column(l), column_of(l, "value")};
    if (w.name < 0 || w.value < 0) return;
    if (settle) {
        known_none(&l->marks);
        l->marks = l->before;
        l->before = (struct known){NULL, 0};
        return;
    }
    known_none(&l->before);
    p->g->control.glance = true;
    session_rows(p->g, l->listing, "", know, &w, &ignored);
    p->g->control.glance = false;
}

/* Whether the value of the row was another one. */
static bool row_changed(const struct listing_pane *l, int row)
{
    const int name = named_column(l), value = column_of(l, "value");
    for (int i = 0; name >= 0 && value >= 0 && i < l->marks.n; i++)
        if (!strcmp(l->marks.of[i].name, cell_of(l, row, (size_t)name)))
            return strcmp(l->marks.of[i].value, cell_of(l, row, (size_t)value)) != 0;
    return false;
}

static bool is_number(uint8_t style)
{
    return style == GPUDBG_COUNT || style == GPUDBG_ADDRESS || style == GPUDBG_HEXVALUE;
}

static enum style style_of(uint8_t style)
{
    switch (style) {
    case GPUDBG_ADDRESS: return STYLE_address;
    case GPUDBG_NAME: return STYLE_name;
    case GPUDBG_NOTE: return STYLE_comment;
    default: return STYLE_text;
    }
}

/* Columns that say what is so now give way last. */
static bool holds_value(const struct gpudbg_column *c)
{
    static const char *const keys[] = {"value", "active", "when", "old", "new", "state", "where", "addr"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(c->key, keys[i])) return true;
    return false;
}

/* What gives way first, from the right: 0, then 1; a value is what the row is for, a condition what makes it a stop,
 * and neither says anything without what it is of. */
static int worth(const struct gpudbg_column *c)
{
    return !strcmp(c->key, "value") || !strcmp(c->key, "when") || !strcmp(c->key, "what") ? 2 : holds_value(c);
}

/* Columns that a cell keeps.  A name may lose its end; a number and a short word may not.  A value is cut, and marked
 * so, only above VALUE_USUAL columns (arrays; a condition where the others are worth 1, so that no name is left to give
 * way), or where no other column is left (2). */
static int width_least(const struct gpudbg_column *c, int width, int others)
{
    const bool condition = !strcmp(c->key, "when") && others < 1;
    const int least = is_number(c->style) || condition ? width
                      : !holds_value(c) || others == 2 ? NAME_LEAST
                                                       : VALUE_USUAL;
    return width < least ? width : least;
}

/* The widest column that can become narrower; n: there is none. */
static size_t widest_of(const struct listing_pane *l, size_t first, const int *width, int others)
{
    const size_t n = columns_of(l->listing);
    size_t widest = n;
    for (size_t i = first; i < n; i++)
        if (width[i] > width_least(&l->listing->columns[i], width[i], others) &&
            (widest == n || width[i] > width[widest]))
            widest = i;
    return widest;
}

/* The columns of widths that are not 0; what they need without gaps. */
static int columns_need(const struct listing_pane *l, size_t first, const int *width, int *shown)
{
    int need = 0;
    *shown = 0;
    for (size_t i = first; i < columns_of(l->listing); i++) {
        *shown += width[i] > 0;
        need += width[i];
    }
    return need;
}

/* Makes columns narrower and takes some away (width 0), until they fit; returns the gap between them. */
static int columns_fit(const struct listing_pane *l, size_t first, int room, int *width, const bool *filled, bool *more)
{
    const size_t n = columns_of(l->listing);
    int gap = 2, shown, need = columns_need(l, first, width, &shown);
    if (need + gap * (shown - 1) > room) {
        gap = 1;
        for (size_t i = first + 1; i < n; i++)
            if (!filled[i]) width[i] = 0;
        need = columns_need(l, first, width, &shown);
    }
    while (shown && need + gap * (shown - 1) > room) {
        size_t widest = n, last = n;
        for (size_t i = first + 1; i < n; i++)
            if (width[i] && (last == n || worth(&l->listing->columns[i]) <= worth(&l->listing->columns[last])))
                last = i;
        const int least = last == n ? 2 : worth(&l->listing->columns[last]);
        for (int others = 0; widest == n && others <= least; others++) widest = widest_of(l, first, width, others);
        if (widest == n && last == n) break; /* the only one: what has no room is marked */
        *more = true;
        const size_t at = widest < n ? widest : last;
        const int gone = widest < n ? 1 : width[last];
        need -= gone;
        width[at] -= gone;
        shown -= !width[at];
    }
    return gap;
}

static void listing_draw(struct pane *p, const struct area *a)
{
    struct listing_pane *l = p->own;
    bool heading = a->h >= HEADING_FROM;
    int rows = a->h - heading, width[CELLS], x = 2;
    bool filled[CELLS] = {false};
    rows_take(p, p->top, rows);
    if (!l->count) {
        const char *empty = l->listing && l->listing->empty ? l->listing->empty : "none";
        area_text(a, 1, 0, STYLE_comment, l->error[0] ? l->error : empty);
        return;
    }
    if (l->wave != p->g->selection.wave) {
        l->wave = p->g->selection.wave; /* the selection moved: the cursor goes with it */
        p->cursor = l->selected >= 0 ? l->selected : p->cursor;
    }
    pane_list_fit(p, rows);
    if (p->top != l->from) rows_take(p, p->top, rows);
    for (size_t i = 0; i < columns_of(l->listing); i++) { /* as wide as what is shown */
        width[i] = heading ? text_columns(l->listing->columns[i].title, a->cells->utf8) : 0;
        for (int r = p->top; r < p->top + rows && r < l->count; r++) {
            int n = text_columns(cell_of(l, r, i), a->cells->utf8);
            width[i] = n > width[i] ? n : width[i];
            filled[i] = filled[i] || n;
        }
    }
    const int gap = columns_fit(l, first_column(l), a->w - x, width, filled, &p->more);
    for (size_t i = first_column(l); i < columns_of(l->listing) && x < a->w; i++) {
        const struct gpudbg_column *c = &l->listing->columns[i];
        if (!width[i]) continue;
        void (*put)(const struct area *, int, int, int, enum style, const char *) = is_number(c->style) ? area_right
                                                                                                        : area_left;
        if (heading) put(a, x, 0, width[i], STYLE_address, c->title);
        for (int r = p->top; r < p->top + rows && r < l->count; r++) {
            const bool changed = !strcmp(c->key, "value") && row_changed(l, r);
            if (changed) area_text(a, x - 1, r - p->top + heading, changed_style(p->screen), "*");
            put(a, x, r - p->top + heading, width[i],
                is_selected(p, r) ? STYLE_current
                : changed         ? changed_style(p->screen)
                                  : style_of(c->style),
                cell_of(l, r, i));
        }
        x += width[i] + gap;
    }
    for (int r = p->top; r < p->top + rows && r < l->count; r++) {
        if (is_selected(p, r)) area_put(a, 0, r - p->top + heading, STYLE_current, "%s", cell_of(l, r, 0));
        if (p->active && r == p->cursor) area_cursor(a, 0, r - p->top + heading, a->w, STYLE_cursor);
    }
}

static int listing_title(struct pane *p, char *buf, size_t size)
{
    struct listing_pane *l = p->own;
    return l->count > p->shown && p->shown > 0 ? snprintf(buf, size, "%d%s", l->count, l->count == l->most ? "+" : "")
                                               : snprintf(buf, size, "%s", "");
}

static size_t column_keyed(const struct listing_pane *l, const char *key)
{
    for (size_t i = 0; i < columns_of(l->listing); i++)
        if (!strcmp(l->listing->columns[i].key, key)) return i;
    return first_column(l);
}

/* Enter: the listing's own command; else the first address of the row, in the code or in memory. */
static bool listing_follow(struct pane *p, struct gpudbg_error *err)
{
    struct listing_pane *l = p->own;
    char line[256];
    if (p->cursor < l->from || p->cursor >= l->from + l->rows)
        return gpudbg_fail(err, "not-now", "nothing under the cursor");
    if (!strcmp(p->name, "locals") || !strcmp(p->name, "args")) { /* in all lanes */
        snprintf(line, sizeof line, "print uniq(%.200s)", cell_of(l, p->cursor, column_keyed(l, "name")));
        screen_key_line(p->screen, line);
        return true;
    }
    for (size_t i = 0; i < sizeof follow / sizeof *follow; i++)
        if (!strcmp(follow[i].listing, p->name)) {
            const char *cell = cell_of(l, p->cursor, column_keyed(l, follow[i].column));
            snprintf(line, sizeof line, "%s %.*s", follow[i].command,
                (int)(isdigit((unsigned char)*cell) ? strcspn(cell, "-,") : strlen(cell)), cell);
            screen_key_line(p->screen, line);
            return true;
        }
    const int what = column_of(l, "what");
    const char *watched = what >= 0 ? cell_of(l, p->cursor, (size_t)what) : "";
    if (*watched == '$') { /* a register that is watched: in all lanes, where it has them */
        const int number = atoi(cell_of(l, p->cursor, column_keyed(l, "number")));
        const struct stop_point *point = stops_find(&p->g->control, number);
        const bool laned = point && watched_lane_bytes(point);
        snprintf(line, sizeof line, "print %s%.200s%s", laned ? "uniq(" : "", watched, laned ? ")" : "");
        screen_key_line(p->screen, line);
        return true;
    }
    for (size_t i = 0; i < columns_of(l->listing); i++)
        if (l->listing->columns[i].style == GPUDBG_ADDRESS && *cell_of(l, p->cursor, i)) {
            bool is_insn;
            struct gpudbg_insn insn;
            uint64_t addr = strtoull(cell_of(l, p->cursor, i), NULL, 16);
            if (p->g->loaded.image && code_at(p->g->loaded.image, addr, &insn, &is_insn)) {
                code_show(p->screen, addr);
                return true;
            }
            snprintf(line, sizeof line, "view 0x%" PRIx64, addr);
            screen_key_line(p->screen, line);
            return true;
        }
    return gpudbg_fail(err, "unsupported", "a row of pane %s has nothing to follow", p->name);
}

/* The first address of the row, where code is. */
static bool listing_address(struct pane *p, uint64_t *addr)
{
    struct listing_pane *l = p->own;
    struct gpudbg_insn insn;
    for (size_t i = 0; l->listing && p->cursor < l->from + l->rows && i < columns_of(l->listing); i++)
        if (l->listing->columns[i].style == GPUDBG_ADDRESS) {
            const char *cell = cell_of(l, p->cursor, i);
            char *end;
            *addr = strtoull(cell, &end, 16);
            if (end != cell && !*end && code_insn(p->screen, *addr, &insn)) return true;
        }
    return false;
}

static bool listing_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct listing_pane *l = p->own;
    if (action == PANE_FOLLOW) return listing_follow(p, err);
    if (action == PANE_ROW) {
        char row[16];
        snprintf(row, sizeof row, "%d", atoi(arg) - (p->shown >= HEADING_FROM));
        return l->count ? pane_list_act(p, action, row, err) : true;
    }
    return pane_list_act(p, action, arg, err);
}

static int listing_row_text(struct pane *p, int row, char *buf, size_t size)
{
    struct listing_pane *l = p->own;
    struct text t = text_in(buf, size);
    if (row < l->from || row >= l->from + l->rows) rows_take(p, row - row % FIND_ROWS, FIND_ROWS);
    for (size_t i = 0; i < columns_of(l->listing); i++) text_add(&t, "%s ", cell_of(l, row, i));
    return text_length(&t);
}

/* The value of the row, as an expression. */
static bool listing_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    const struct listing_pane *l = p->own;
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        const int column = strcmp(valued[i].listing, p->name) == 0 ? column_of(l, valued[i].name) : -1;
        if (column < 0) continue;
        const char *cell = cell_of(l, p->cursor, (size_t)column);
        if (!*cell) return gpudbg_fail(err, "not-now", "nothing under the cursor");
        snprintf(buf, size, "%s", cell);
        return true;
    }
    return gpudbg_fail(err, "not-now", "pane %s has no value under a cursor", p->name);
}

static void listing_close(struct pane *p)
{
    struct listing_pane *l = p->own;
    known_none(&l->before);
    known_none(&l->marks);
    rows_forget(l);
    free(l->row);
}

const struct pane_kind pane_listing = {
    .name = "listing",
    .summary = "rows of a listing, as `info NAME` shows them",
    .own = sizeof(struct listing_pane),
    .draw = listing_draw,
    .title = listing_title,
    .act = listing_act,
    .address = listing_address,
    .row_text = listing_row_text,
    .value = listing_value,
    .remember = listing_remember,
    .close = listing_close,
};
