/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_lanes.c: vector registers as a grid, a register a row, a lane a column.
 *
 *      #^##|###....^###            who executes: # runs, . masked off, | the selected lane (: if it is off), ^ the
 *                                  register under the cursor has another value than in the lane before that runs
 *     lane    36   [37]   38.     the selected lane stands in brackets; . masked off
 *     v3    *1.5  *2.25     7     * changed by the last step; values of masked lanes are dimmed
 *
 * Lanes that were pinned (`pane pin`) stand first.  `pane differing` shows one lane for each set of values: 37x12 is
 * lane 37 and eleven more that have the same.  `pane grid` shows one register as a square of all lanes, as wide as the
 * launch's groups where that fits.
 *
 * Registers of several parts stand as such, in one row or two, for as many lanes as there is room for; where a part a
 * row gives room to eight lanes, and parts side by side do not, each part has a row:
 *
 *     [37]      x      y      z      w
 *     r2      1.5  *2.25      0      1
 *
 * Formats are those of eval/form.h; a: for each register what its last writer says (eval/typed.h); df: doubles of
 * pairs; v: parts side by side or in rows of their own.  `pane file` shows the registers of another file.  Where there
 * is no room for all registers, those that matter now are shown; moving the cursor lists all, `pane here` goes back.
 */
#include <stdlib.h>
#include <string.h>

#include "heat.h"
#include "registers_shown.h"
#include "machine/machine.h"
#include "gpudbg/text.h"

#define MARKS_FROM 4  /* rows from which on one says who executes */
#define CELL_MAX 13   /* columns, the mark and the gap before it included */
#define NUMBER_MOST 7 /* columns of a number that is rounded, so that eight lanes have room in 80 columns */
#define LANES_MATTER 8
#define WIDE_FROM 100 /* columns of a pane that shows all digits */
#define ROWS 1024     /* that a pane may show */

struct lanes_pane {
    bool listing;
    enum { PARTS_BY_WIDTH, PARTS_APART, PARTS_BESIDE } parts; /* apart: in rows of their own */
    int width;                                                /* of the pane, as it was drawn */
    const struct form *form;                                  /* NULL: by the last writer of each register */
    int file; /* that the user chose + 1; 0: the first that has registers */
    struct register_choice choice;
    int first, fit;             /* the lanes that are not pinned: the first one shown; how many columns have room */
    uint64_t pinned;            /* lanes */
    bool heat;                  /* all lanes in one look: heat.h */
    struct heat_view view;      /* as it was drawn; its rows are not kept */
    struct channels channels;   /* where no registers have lanes */
    bool differing, grid;       /* one lane for each set of values; one register as a square */
    uint8_t lane[64], same[64]; /* the lanes shown; how many have the values of each, 1 where nobody counts */
    int shown;
    int left, step;     /* the column where they begin, columns of each */
    int runs;           /* lanes that execute */
    int each;           /* lanes of a mark in the row above them, 0: there is no such row */
    int square, top;    /* lanes on a row of a square, 0: there is none; its first row shown */
    int last;           /* and its last lane shown */
    int hidden;         /* registers that changed and are not shown */
    uint16_t row[ROWS]; /* the registers shown, in order; the row of the first one; rows of each */
    int rows, head, folded;
};

/* A file of registers with lanes that this launch has. */
static bool file_shown(struct pane *p, unsigned file)
{
    const struct gpudbg_isa *isa = p->g->running.machine ? p->g->running.machine->isa : NULL;
    return isa && file < isa->nfiles && isa->files[file].lanes > 1 && !isa->files[file].mask &&
           register_count(p->g, file);
}

static int lanes_file(struct pane *p)
{
    const struct lanes_pane *l = p->own;
    const struct gpudbg_isa *isa = p->g->running.machine ? p->g->running.machine->isa : NULL;
    int first = -1;
    if (l->file && file_shown(p, (unsigned)l->file - 1)) return l->file - 1;
    for (unsigned i = 0; isa && i < isa->nfiles; i++)
        if (isa->files[i].lanes > 1 && isa->files[i].indexed && !isa->files[i].mask) {
            if (register_count(p->g, i)) return (int)i;
            first = first < 0 ? (int)i : first;
        }
    return first;
}

/* Where the user did not choose, parts have rows of their own if eight lanes have room so, and only so. */
static bool parts_apart(const struct lanes_pane *l, unsigned parts)
{
    const int name = 7, cell = 5;
    if (l->parts != PARTS_BY_WIDTH) return l->parts == PARTS_APART;
    return l->width >= name + LANES_MATTER * (NUMBER_MOST + 2) && l->width < name + LANES_MATTER * (int)parts * cell;
}

/* Parts of a register that stand side by side; 1: a row each. */
static unsigned parts_of(struct pane *p, int file)
{
    const struct lanes_pane *l = p->own;
    const char *parts = file >= 0 ? p->g->running.machine->isa->files[file].parts : NULL;
    const unsigned n = parts ? (unsigned)strlen(parts) : 1;
    return !l->heat && !parts_apart(l, n) ? n : 1;
}

/* There are no registers with lanes, but such of many bytes. */
static bool by_channels(struct pane *p)
{
    return p->g->running.machine && lanes_file(p) < 0 && register_wide_file(p->g) >= 0;
}

/* file -1: of channels. */
static unsigned lanes_of(struct pane *p, int file)
{
    const struct gpudbg_machine *m = p->g->running.machine;
    return file >= 0 ? m->isa->files[file].lanes : by_channels(p) ? m->lanes : 0;
}

/* ---- Values as text ---- */

#define WHOLE 24 /* columns that any value has room in */

/* The value of a lane in `form`; of doubles the register with the low word has it, the other is empty. */
static void lane_text(struct pane *p, const struct cells *cells, const struct form *form, unsigned file, unsigned index,
    int lane, int width, char *buf, size_t size)
{
    const uint32_t *words = register_words(p->g, file, index);
    const uint32_t *high = form->size == 8 ? register_words(p->g, file, index + 1) : NULL;
    const uint32_t both[2] = {words ? words[lane] : 0, high ? high[lane] : 0};
    buf[0] = 0;
    if (!words || form->kind == 'h' || (form->size == 8 && !high)) return;
    if (form->size == 8 && index % 2 &&
        register_form(p->g, file, index - 1, ((struct lanes_pane *)p->own)->form) == form)
        return; /* the user has chosen it for both */
    pane_elements(cells, form, both, form->size == 8 ? 8 : 4, width, buf, size);
}

/* ---- Drawing ---- */

struct grid { /* what is drawn */
    int file;
    unsigned lanes, parts; /* parts: side by side */
    uint64_t active;
    uint16_t row[ROWS]; /* registers; of those with parts the first one */
    const struct form *form[ROWS];
    int rows;
    int cell;   /* columns of a cell, the gap and the mark before it included */
    int left;   /* columns of the longest name, the gap before it included */
    int folded; /* lines of a register: 1, or 2 where its parts do not fit beside each other */
};

static int sort_u16(const void *a, const void *b) { return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b; }

static const struct form *form_of_register(struct pane *p, const struct grid *grid, unsigned index)
{
    const struct lanes_pane *l = p->own;
    return register_lanes_form(p->g, (unsigned)grid->file, index, grid->active, l->form);
}

static void rows_take(struct pane *p, struct grid *grid, int height)
{
    struct lanes_pane *l = p->own;
    const unsigned parts = grid->parts, all = register_count(p->g, (unsigned)grid->file) / parts;
    grid->rows = 0;
    l->hidden = 0;
    p->count = (int)all;
    if (l->listing || (int)all <= height) {
        pane_list_fit(p, height);
        for (int i = l->listing ? p->top : 0; i < (int)all && grid->rows < height && grid->rows < ROWS; i++)
            if (l->listing || register_words(p->g, (unsigned)grid->file, (unsigned)i * parts)) /* some have holes */
                grid->row[grid->rows++] = (uint16_t)((unsigned)i * parts);
        return;
    }
    /* Of registers with parts those are shown of which a part matters: the choice is in the order of that. */
    const bool named = p->g->running.machine->isa->files[grid->file].parts;
    registers_choose(p->screen, (unsigned)grid->file, &l->choice, named ? 256 : height);
    for (int i = 0; i < l->choice.count && grid->rows < height; i++) {
        uint16_t index = (uint16_t)(l->choice.index[i] / parts * parts);
        int k = 0;
        if (named && parts == 1 && index && form_of_register(p, grid, index)->kind == 'h') index--; /* of a double */
        if (!register_words(p->g, (unsigned)grid->file, index)) continue;
        while (k < grid->rows && grid->row[k] != index) k++;
        grid->row[k] = index;
        grid->rows += k == grid->rows;
    }
    qsort(grid->row, (size_t)grid->rows, sizeof *grid->row, sort_u16);
    l->hidden = l->choice.changed;
    for (int i = 0; i < grid->rows; i++)
        for (unsigned k = 0; k < parts; k++)
            l->hidden -= register_changed(p->screen, (unsigned)grid->file, grid->row[i] + k, -1);
    for (int i = 0; named && parts == 1 && i < grid->rows; i++) /* the high halves of doubles stand in their rows */
        if (form_of_register(p, grid, grid->row[i])->size == 8 &&
            (i + 1 == grid->rows || grid->row[i + 1] != grid->row[i] + 1))
            l->hidden -= register_changed(p->screen, (unsigned)grid->file, grid->row[i] + 1u, -1);
}

/* Which register a click is on. */
static void rows_keep(struct lanes_pane *l, const uint16_t *row, int rows, int head, int folded)
{
    l->rows = rows < ROWS ? rows : ROWS;
    l->head = head;
    l->folded = folded;
    memcpy(l->row, row, (size_t)l->rows * sizeof *row);
}

/* ---- Registers of several parts ---- */

static const char *parts_names(struct pane *p, const struct grid *grid)
{
    return p->g->running.machine->isa->files[grid->file].parts;
}

/* The form of a row, or of a part of it. */
static const struct form *form_of(struct pane *p, const struct grid *grid, int i, unsigned part)
{
    return form_of_register(p, grid, grid->row[i] + part);
}

static const struct form *form_in(
    struct pane *p, const struct grid *grid, unsigned index, int lane, const struct form *of_row)
{
    const struct lanes_pane *l = p->own;
    return register_lane_form(p->g, (unsigned)grid->file, index, lane, l->form, of_row);
}

static bool is_as_before(const uint32_t *words, int lane) { return words && words[lane] == words[lane - 1]; }

/* How many lanes have room in cells of such a width, of the eight that matter. */
static int lanes_fit(const struct area *a, const struct grid *grid, int cell)
{
    const int n = (a->w - grid->left) / (cell * (int)grid->parts);
    return n < LANES_MATTER ? n : LANES_MATTER;
}

/* Names, and columns of the widest value of lanes from..to that run; numbers are rounded where that gives room to more
 * lanes. */
static void grid_measure(struct pane *p, const struct area *a, struct grid *grid, int from, int to)
{
    char text[256];
    int widest = 3, rounded = 3;
    grid->left = 5;
    for (int i = 0; i < grid->rows; i++) {
        register_name(p->g, (unsigned)grid->file, grid->row[i], text, sizeof text);
        const int name = (int)(grid->parts > 1 ? strcspn(text, ".") : strlen(text)) + 2;
        grid->left = name > grid->left ? name < 20 ? name : 20 : grid->left;
        for (unsigned k = 0; k < grid->parts; k++) {
            const struct form *form = form_of(p, grid, i, k), *before = NULL;
            const uint32_t *words = register_words(p->g, (unsigned)grid->file, grid->row[i] + k),
                           *high = register_words(p->g, (unsigned)grid->file, grid->row[i] + k + 1);
            for (int lane = from; lane < to && lane < (int)grid->lanes; lane++) {
                const struct form *here = form_in(p, grid, grid->row[i] + k, lane, form);
                const bool same = here == before && is_as_before(words, lane); /* as wide, too */
                before = here;
                if (same && (here->size < 8 || is_as_before(high, lane))) continue;
                lane_text(p, a->cells, here, (unsigned)grid->file, grid->row[i] + k, lane, WHOLE, text, sizeof text);
                int n = text_columns(text, true);
                int less = strchr("fudi", here->kind) && n > NUMBER_MOST && a->w < WIDE_FROM ? NUMBER_MOST : n;
                if (here->size == 8 && grid->parts > 1) { /* it stands over two parts */
                    n = (n + 3) / 2 - 2;
                    less = (less + 3) / 2 - 2;
                }
                widest = n > widest ? n : widest;
                rounded = less > rounded ? less : rounded;
            }
        }
    }
    grid->cell = widest + 2 < CELL_MAX ? widest + 2 : CELL_MAX;
    if (lanes_fit(a, grid, grid->cell) < lanes_fit(a, grid, rounded + 2)) grid->cell = rounded + 2;
    if (grid->cell > a->w - grid->left && a->w - grid->left > 4) grid->cell = a->w - grid->left;
}

/* A lane's value in `cell` columns that end before column `right`: its mark, and as much as has room behind that. */
static void value_draw(struct pane *p, const struct area *a, int right, int cell, int y, const struct grid *grid,
    unsigned index, int lane, const struct form *form)
{
    char text[256];
    const bool runs = grid->active >> lane & 1;
    const struct form *here = form_in(p, grid, index, lane, form);
    const bool changed = register_changed(p->screen, (unsigned)grid->file, index, lane) ||
                         (here->size == 8 && register_changed(p->screen, (unsigned)grid->file, index + 1, lane));
    lane_text(p, a->cells, here, (unsigned)grid->file, index, lane, cell - 2, text, sizeof text);
    const int n = text_columns(text, a->cells->utf8);
    if (changed) area_text(a, right - n - 1, y, changed_style(p->screen), "*");
    if (n)
        area_right(a, right - cell + 2, y, cell - 2,
            !runs     ? STYLE_masked /* the mark alone says that it changed */
            : changed ? changed_style(p->screen)
                      : STYLE_value,
            text);
}

/* ---- Which lanes ---- */

/* Whether two lanes have the same values in all registers shown. */
static bool lanes_agree(struct pane *p, const struct grid *grid, int one, int other)
{
    for (int i = 0; i < grid->rows; i++)
        for (unsigned k = 0; k < grid->parts; k++) {
            const uint32_t *words = register_words(p->g, (unsigned)grid->file, grid->row[i] + k);
            if (words && words[one] != words[other]) return false;
        }
    return true;
}

/* The lanes that want a column, pinned ones first; `differing`: one of those that run for each set of values, the
 * selected one for its own.  Returns how many are pinned. */
static int lanes_wanted(struct pane *p, const struct grid *grid, int selected, uint8_t *lane, uint8_t *same, int *n)
{
    const struct lanes_pane *l = p->own;
    int pinned = 0;
    *n = 0;
    for (int k = 0; k < (int)grid->lanes && k < 64; k++)
        if (l->pinned >> k & 1) {
            lane[*n] = (uint8_t)k;
            same[(*n)++] = 1;
        }
    pinned = *n;
    for (int k = 0; k < (int)grid->lanes && k < 64; k++) {
        int at = pinned;
        if (l->pinned >> k & 1 || (l->differing && !(grid->active >> k & 1) && k != selected)) continue;
        while (l->differing && at < *n && !lanes_agree(p, grid, lane[at], k)) at++;
        if (!l->differing || at == *n) {
            lane[*n] = (uint8_t)k;
            same[(*n)++] = 1;
        } else {
            same[at]++;
            if (k == selected) lane[at] = (uint8_t)k;
        }
    }
    return pinned;
}

/* Chooses the lanes that `fit` columns show: the pinned ones, and of the rest a stretch with the selected one. */
static void lanes_choose(struct pane *p, const struct grid *grid, int selected, bool pages)
{
    struct lanes_pane *l = p->own;
    uint8_t lane[64], same[64];
    int n, at = 0;
    const int pinned = lanes_wanted(p, grid, selected, lane, same, &n);
    const int before = pinned < l->fit ? pinned : l->fit - 1, room = l->fit - before, rest = n - pinned;
    while (at < n && lane[at] != selected) at++;
    at -= pinned;
    if (at >= 0 && at < rest && (at < l->first || at >= l->first + room)) l->first = pages ? at - at % room : at;
    if (l->first + room > rest) l->first = rest - room;
    if (l->first < 0) l->first = 0;
    l->shown = 0;
    for (int i = 0; i < n; i++)
        if (i < before || (i >= pinned + l->first && i < pinned + l->first + room)) {
            l->lane[l->shown] = lane[i];
            l->same[l->shown++] = same[i];
        }
}

/* ---- Who executes ---- */

/* The lanes that run and in which the register under the cursor (of parts one of them) has another value than in the
 * lane before that runs. */
static uint64_t lanes_differing(struct pane *p, const struct grid *grid)
{
    const struct lanes_pane *l = p->own;
    const unsigned lanes = grid->lanes < 64 ? grid->lanes : 64;
    uint64_t differing = 0;
    if (!l->listing || p->cursor >= p->count) return 0;
    for (unsigned part = 0; part < grid->parts; part++) {
        const uint32_t *words = register_words(p->g, (unsigned)grid->file, (unsigned)p->cursor * grid->parts + part);
        int before = -1;
        for (unsigned k = 0; words && k < lanes; k++) {
            if (!(grid->active >> k & 1)) continue;
            if (before >= 0 && words[k] != words[before]) differing |= (uint64_t)1 << k;
            before = (int)k;
        }
    }
    return differing;
}

/* One line: a mark for each lane, or for two or more where they have no room. */
static void marks_draw(struct pane *p, const struct area *a, int y, const struct grid *grid, int selected)
{
    struct lanes_pane *l = p->own;
    const uint64_t differing = lanes_differing(p, grid);
    const int lanes = grid->lanes < 64 ? (int)grid->lanes : 64, room = a->w - 1 > 1 ? a->w - 1 : 1;
    const int each = l->each = (lanes + room - 1) / room;
    for (int x = 0; x * each < lanes; x++) {
        int on = 0, of = 0;
        bool other = false;
        for (int k = x * each; k < (x + 1) * each && k < lanes; k++, of++) {
            on += (int)(grid->active >> k & 1);
            other |= differing >> k & 1;
        }
        const bool here = selected / each == x, alone = here && each == 1;
        const bool first = each == 2 && (grid->active >> (2 * x) & 1);
        const uint32_t half = first ? 0x258c : 0x2590; /* of two lanes the left or the right one */
        area_repeat(a, 1 + x, y, 1,
            here ? STYLE_current
            : on ? STYLE_address /* a bar of lanes that all run is not what one looks for */
                 : STYLE_masked,
            alone       ? on ? '|' : LANE_OFF_SELECTED
            : other     ? '^'
            : on == of  ? (each == 1 ? '#' : 0x2588)
            : !on       ? '.'
            : each == 2 ? half
                        : ':',
            alone      ? on ? '|' : ':'
            : other    ? '^'
            : on == of ? '#'
            : !on      ? '.'
                       : ':');
    }
}

/* "[17]", "20." masked off, "17x12" with the values of twelve lanes. */
static void lane_label(const struct grid *grid, int lane, int same, int selected, char *buf, size_t size)
{
    char name[24];
    struct text t = text_in(name, sizeof name);
    text_add(&t, "%d", lane);
    if (same > 1) text_add(&t, "x%d", same);
    snprintf(buf, size, lane == selected ? "[%s]%s" : "%s%s", name, grid->active >> lane & 1 ? "" : ".");
}

static void name_draw(struct pane *p, const struct area *a, int y, const struct grid *grid, int i)
{
    char text[32];
    register_name(p->g, (unsigned)grid->file, grid->row[i], text, sizeof text);
    if (grid->parts > 1) text[strcspn(text, ".")] = 0;
    area_left(a, 1, y, grid->left - 1, STYLE_name, text);
}

/* ---- Parts side by side ---- */

static void parts_line(
    struct pane *p, const struct area *a, int y, const struct grid *grid, int i, unsigned from, unsigned to)
{
    struct lanes_pane *l = p->own;
    for (int c = 0, x = grid->left; c < l->shown; c++, x += 1)
        for (unsigned k = from; k < to; k++) {
            const struct form *form = form_of(p, grid, i, k);
            const bool pair = k + 1 < to && form_in(p, grid, grid->row[i] + k, l->lane[c], form)->size == 8;
            x += pair ? 2 * grid->cell : grid->cell;
            value_draw(p, a, x, pair ? 2 * grid->cell : grid->cell, y, grid, grid->row[i] + k, l->lane[c], form);
            k += pair;
        }
}

static void parts_head(struct pane *p, const struct area *a, int y, const struct grid *grid, unsigned each)
{
    struct lanes_pane *l = p->own;
    const int selected = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    char text[32];
    for (int c = 0, x = grid->left; c < l->shown; c++, x += (int)each * grid->cell + 1) {
        lane_label(grid, l->lane[c], l->same[c], selected, text, sizeof text);
        const int label = c == 0 ? 1 : x, end = label + (int)strlen(text);
        area_text(a, label, y, l->lane[c] == selected ? STYLE_current : STYLE_address, text);
        for (unsigned k = 0; k < each; k++) {
            snprintf(text, sizeof text, "%c%s%c", parts_names(p, grid)[k], each < grid->parts ? "," : "",
                each < grid->parts ? parts_names(p, grid)[each + k] : 0);
            const int at = x + (int)(k + 1) * grid->cell - (int)strlen(text);
            if (at > end) area_text(a, at, y, STYLE_address, text);
        }
    }
}

static void parts_draw(struct pane *p, const struct area *a, struct grid *grid)
{
    struct lanes_pane *l = p->own;
    const int lane = p->g->selection.lane < 0 ? 0 : p->g->selection.lane, head = 1 + (a->h >= MARKS_FROM);
    rows_take(p, grid, a->h - head);
    grid_measure(p, a, grid, lane, lane + 1);
    grid->folded = grid->left + (int)grid->parts * grid->cell > a->w ? 2 : 1;
    if (grid->folded == 2) {
        rows_take(p, grid, (a->h - head) / 2);
        grid_measure(p, a, grid, lane, lane + 1);
    }
    const unsigned each = grid->folded == 2 ? grid->parts / 2 : grid->parts;
    if (grid->left + (int)each * grid->cell > a->w) grid->cell = (a->w - grid->left) / (int)each;
    l->fit = (a->w - grid->left + 1) / ((int)each * grid->cell + 1);
    l->fit = l->fit < 1 ? 1 : l->fit;
    lanes_choose(p, grid, lane, false);
    l->left = grid->left;
    l->step = (int)each * grid->cell + 1;
    rows_keep(l, grid->row, grid->rows, head, grid->folded);
    if (head == 2) marks_draw(p, a, 0, grid, lane);
    parts_head(p, a, head - 1, grid, each);
    for (int i = 0; i < grid->rows; i++) {
        const int y = head + i * grid->folded;
        name_draw(p, a, y, grid, i);
        parts_line(p, a, y, grid, i, 0, each);
        if (grid->folded == 2) parts_line(p, a, y + 1, grid, i, each, grid->parts);
        if (p->active && l->listing && grid->row[i] / (int)grid->parts == p->cursor)
            area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

/* ---- A register a row ---- */

static void row_draw(struct pane *p, const struct area *a, int y, const struct grid *grid, int i)
{
    struct lanes_pane *l = p->own;
    const struct form *form = form_of(p, grid, i, 0);
    name_draw(p, a, y, grid, i);
    for (int c = 0; c < l->shown; c++)
        value_draw(p, a, grid->left + (c + 1) * grid->cell, grid->cell, y, grid, grid->row[i], l->lane[c], form);
    if (p->active && l->listing && (int)grid->row[i] == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
}

static void lanes_head(const struct lanes_pane *l, const struct area *a, int y, const struct grid *grid, int selected)
{
    char text[32];
    area_put(a, 1, y, STYLE_address, "lane");
    for (int c = 0; c < l->shown; c++) {
        const bool here = l->lane[c] == selected, masked = !(grid->active >> l->lane[c] & 1);
        const int right = grid->left + (c + 1) * grid->cell;
        lane_label(grid, l->lane[c], l->same[c], selected, text, sizeof text);
        const int beyond = (here || masked) && right < a->w; /* the bracket or the point stands behind the digits */
        area_text(a, right - (int)strlen(text) + beyond, y,
            here     ? STYLE_current
            : masked ? STYLE_masked
                     : STYLE_address,
            text);
    }
}

/* ---- One register as a square ---- */

#define SQUARE_CELL 7 /* a gap, a mark and five columns: what a number can be rounded to and still tells lanes apart */

/* As many columns as a group of the launch is wide, where that divides the lanes; else eight.  square_draw halves them
 * until each value has room. */
static int square_columns(struct pane *p, const struct grid *grid)
{
    const struct gpudbg_machine *m = p->g->running.machine;
    const uint32_t wide = m->launch->local[0];
    if (wide > 1 && wide <= 16 && grid->lanes % wide == 0) return (int)wide;
    return grid->lanes % 8 == 0 && grid->lanes > 8 ? 8 : 4;
}

static void square_draw(struct pane *p, const struct area *a, struct grid *grid, int selected)
{
    struct lanes_pane *l = p->own;
    char name[32];
    int columns = square_columns(p, grid);
    grid->row[0] = (uint16_t)((unsigned)(p->cursor < p->count ? p->cursor : 0) * grid->parts);
    grid->rows = 1;
    grid_measure(p, a, grid, 0, (int)grid->lanes);
    grid->left = 4;
    const struct form *form = form_of(p, grid, 0, 0);
    const int least = strchr("fudi", form->kind) && grid->cell > SQUARE_CELL ? SQUARE_CELL : grid->cell;
    while (columns > 1 && grid->left + columns * least > a->w) columns /= 2;
    if (grid->left + columns * grid->cell > a->w) grid->cell = (a->w - grid->left) / columns;
    const int rows = ((int)grid->lanes + columns - 1) / columns, here = selected / columns;
    const int top = rows <= a->h - 1 || here < a->h - 1 ? 0 : here - (a->h - 2);
    register_name(p->g, (unsigned)grid->file, grid->row[0], name, sizeof name);
    area_put(a, 1, 0, STYLE_name, "%s", name);
    l->left = grid->left;
    l->step = grid->cell;
    l->square = columns;
    l->top = top;
    l->last = (top + a->h - 1) * columns - 1;
    for (int c = 0; c < columns; c++) {
        char text[12];
        snprintf(text, sizeof text, "+%d", c);
        const int x = grid->left + (c + 1) * grid->cell - (int)strlen(text);
        if (x > (int)strlen(name) + 1) area_text(a, x, 0, STYLE_address, text);
    }
    for (int y = 0; y < a->h - 1 && top + y < rows; y++) {
        area_put(a, 1, 1 + y, STYLE_address, "%2d", (top + y) * columns);
        for (int c = 0; c < columns; c++) {
            const int lane = (top + y) * columns + c, right = grid->left + (c + 1) * grid->cell;
            if (lane >= (int)grid->lanes) break;
            value_draw(p, a, right, grid->cell, 1 + y, grid, grid->row[0], lane, form);
            if (lane == selected) area_cursor(a, right - grid->cell + 1, 1 + y, grid->cell - 1, STYLE_current);
        }
    }
}

/* ---- All lanes in one look ---- */

static void heat_rows(struct pane *p, const struct area *a, struct grid *grid, int selected)
{
    struct lanes_pane *l = p->own;
    rows_take(p, grid, a->h - 2);
    int cursor = -1;
    for (int i = 0; i < grid->rows && l->listing; i++)
        if ((int)grid->row[i] == p->cursor) cursor = i;
    l->view = (struct heat_view){.file = (unsigned)grid->file,
        .lanes = grid->lanes,
        .active = grid->active,
        .selected = selected,
        .row = grid->row,
        .rows = grid->rows,
        .cursor = p->active ? cursor : -1,
        .form = l->form,
        .sorted = !l->differing || !grid->rows ? -1
                  : cursor >= 0                ? grid->row[cursor]
                                               : grid->row[0]};
    heat_draw(p, a, &l->view);
    rows_keep(l, grid->row, grid->rows, heat_head(&l->view), 1);
    l->view.row = NULL;
    l->fit = l->shown = 0;
}

/* ---- Channels of registers of many bytes ---- */

/* The rows that matter: those that hold a register that matters (register_choice), or all from the cursor's page on. */
static int channel_rows(struct pane *p, int height, uint16_t *row)
{
    struct lanes_pane *l = p->own;
    const struct channels *c = &l->channels;
    const int file = register_wide_file(p->g);
    const unsigned bytes = p->g->running.machine->isa->files[file].bits / 8u, lanes = lanes_of(p, -1);
    int n = 0;
    if (l->listing || c->rows <= height) {
        pane_list_fit(p, height);
        for (int i = l->listing ? p->top : 0; i < c->rows && n < height; i++) row[n++] = c->row[i];
        return n;
    }
    registers_choose(p->screen, (unsigned)file, &l->choice, CHANNEL_ROWS);
    for (int i = 0; i < l->choice.count && n < height; i++)
        for (int k = 0; k < c->rows && n < height; k++) {
            const unsigned size = channels_form(c, p->g, c->row[k], l->form)->size, index = l->choice.index[i];
            bool there = index < c->row[k] || (index - c->row[k]) * bytes >= size * lanes;
            for (int j = 0; j < n; j++) there = there || row[j] == c->row[k];
            if (!there) row[n++] = c->row[k];
        }
    qsort(row, (size_t)n, sizeof *row, sort_u16);
    return n;
}

static void channels_draw(struct pane *p, const struct area *a)
{
    struct lanes_pane *l = p->own;
    uint16_t row[CHANNEL_ROWS];
    channels_take(&l->channels, p->g);
    p->count = l->channels.rows;
    const int n = channel_rows(p, a->h - (l->heat ? 2 : 1), row), selected = p->g->selection.lane;
    int cursor = -1;
    for (int i = 0; i < n && l->listing; i++)
        if (p->cursor < p->count && row[i] == l->channels.row[p->cursor]) cursor = i;
    l->view = (struct heat_view){.channels = &l->channels,
        .numbers = !l->heat,
        .file = (unsigned)register_wide_file(p->g),
        .lanes = lanes_of(p, -1),
        .active = p->g->running.machine->isa->run->active(gpudbg_session_wave(p->g)),
        .selected = selected < 0 ? 0 : selected,
        .row = row,
        .rows = n,
        .cursor = p->active ? cursor : -1,
        .form = l->form,
        .sorted = !l->differing || !n ? -1 : row[cursor >= 0 ? cursor : 0]};
    l->runs = __builtin_popcountll(l->view.active & (((uint64_t)1 << (l->view.lanes & 63)) - 1));
    heat_draw(p, a, &l->view);
    rows_keep(l, row, n, heat_head(&l->view), 1);
    l->view.row = NULL;
    l->fit = l->shown = 0;
    if (!n) area_text(a, 1, 2, STYLE_comment, "no operand of the code has a number for each channel");
}

static void lanes_draw(struct pane *p, const struct area *a)
{
    struct lanes_pane *l = p->own;
    char text[160];
    const char *missing = registers_missing(p->g, text, sizeof text);
    struct grid grid = {.file = lanes_file(p)};
    l->hidden = l->rows = 0;
    l->width = a->w;
    if (!missing && by_channels(p)) {
        channels_draw(p, a);
        return;
    }
    if (missing || grid.file < 0) {
        area_text(a, 1, 0, STYLE_comment, missing ? missing : "no registers with lanes");
        p->count = 0;
        return;
    }
    grid.lanes = lanes_of(p, grid.file);
    grid.active = p->g->running.machine->isa->run->active(gpudbg_session_wave(p->g));
    grid.parts = parts_of(p, grid.file);
    const int lane = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    l->runs = __builtin_popcountll(grid.lanes < 64 ? grid.active & (((uint64_t)1 << grid.lanes) - 1) : grid.active);
    l->square = l->each = 0;
    p->count = (int)(register_count(p->g, (unsigned)grid.file) / grid.parts);
    if (l->grid && p->count) {
        square_draw(p, a, &grid, lane);
        return;
    }
    if (l->heat) {
        heat_rows(p, a, &grid, lane);
        return;
    }
    if (grid.parts > 1) {
        parts_draw(p, a, &grid);
        return;
    }
    const int head = 1 + (a->h >= MARKS_FROM);
    rows_take(p, &grid, a->h - head);
    grid_measure(p, a, &grid, 0, (int)grid.lanes);
    l->fit = (a->w - grid.left) / grid.cell > 0 ? (a->w - grid.left) / grid.cell : 1;
    lanes_choose(p, &grid, lane, true);
    l->left = grid.left;
    l->step = grid.cell;
    rows_keep(l, grid.row, grid.rows, head, 1);
    if (head == 2) marks_draw(p, a, 0, &grid, lane);
    lanes_head(l, a, head - 1, &grid, lane);
    for (int i = 0; i < grid.rows; i++) row_draw(p, a, i + head, &grid, i);
}

static int lanes_title(struct pane *p, char *buf, size_t size)
{
    struct lanes_pane *l = p->own;
    const int file = lanes_file(p);
    const char *name = file >= 0 && p->g->running.machine->isa->files[file].parts
                           ? p->g->running.machine->isa->files[file].name
                           : "";
    char more[32] = "";
    if (l->hidden > 0) snprintf(more, sizeof more, "  +%d changed", l->hidden);
    const int first = l->top * l->square, last = l->last;
    if (l->square && (first > 0 || last + 1 < (int)lanes_of(p, file)))
        snprintf(more, sizeof more, "  lanes %d to %d", first,
            last + 1 < (int)lanes_of(p, file) ? last : (int)lanes_of(p, file) - 1);
    const bool unknown = !l->form && file >= 0 && typed_too_large(&p->g->eval, gpudbg_session_wave(p->g));
    char runs[48] = "";
    const bool channels = by_channels(p) && gpudbg_session_wave(p->g);
    if (file >= 0 || channels) snprintf(runs, sizeof runs, "  %d of %u run", l->runs, lanes_of(p, file));
    return snprintf(buf, size, "%s%s:%s%s%s%s%s%s", name, *name ? " " : "", l->form ? l->form->name : "a",
        l->listing && !l->grid ? " all" : "",
        l->square      ? " square"
        : l->heat      ? l->differing ? " heat sorted" : " heat"
        : l->differing ? channels ? " sorted" : " differing"
                       : "",
        runs, more, unknown ? "  (types: too much code)" : "");
}

/* The number of the selected channel in the row under the cursor; without one in the first that has changed. */
static bool channel_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    struct lanes_pane *l = p->own;
    const struct channels *c = &l->channels;
    const unsigned file = (unsigned)register_wide_file(p->g), lanes = lanes_of(p, -1),
                   bytes = p->g->running.machine->isa->files[file].bits / 8u;
    const unsigned lane = p->g->selection.lane < 0 ? 0 : (unsigned)p->g->selection.lane;
    int at = l->listing ? p->cursor : 0;
    while (!l->listing && at < c->rows &&
           !channels_changed(p->screen, c->row[at], channels_form(c, p->g, c->row[at], l->form)->size, lanes))
        at++;
    if (at >= c->rows && !l->listing && c->rows) {
        l->listing = true;
        p->cursor = p->top = 0;
        return register_unchosen(err);
    }
    if (at >= c->rows) return gpudbg_fail(err, "not-now", "no operand of the code has a number for each channel");
    const struct form *form = channels_form(c, p->g, c->row[at], l->form);
    const unsigned from = lane * form->size;
    char name[32];
    register_name(p->g, file, c->row[at] + from / bytes, name, sizeof name);
    snprintf(buf, size, "$%s.%u:%s", name, from % bytes / form->size,
        form->kind == 'x' || form->kind == 'i' ? "ud" : form->name);
    return true;
}

/* A row without a cursor is the first that the last step changed in the selected lane; of parts side by side the same
 * is said of parts, or it is the first. */
static bool lanes_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    struct lanes_pane *l = p->own;
    const int file = lanes_file(p), lane = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    const unsigned parts = file < 0 ? 1 : parts_of(p, file), all = file < 0 ? 0 : register_count(p->g, (unsigned)file);
    char name[32];
    if (by_channels(p)) return channel_value(p, buf, size, err);
    if (!all) return gpudbg_fail(err, "no-launch", "no registers with lanes");
    unsigned index = (unsigned)p->cursor * parts, end = index + parts;
    if (!l->listing) index = 0, end = all;
    while (index < end && !register_changed(p->screen, (unsigned)file, index, lane)) index++;
    if (index == end && !l->listing) {
        l->listing = true;
        p->cursor = p->top = 0;
        return register_unchosen(err);
    }
    if (index == end) index = (unsigned)p->cursor * parts;
    register_name(p->g, (unsigned)file, index, name, sizeof name);
    snprintf(buf, size, "$%s[%d]", name, lane);
    return true;
}

/* ---- Actions ---- */

static bool lane_select(struct pane *p, int lane, struct gpudbg_error *err)
{
    if (!p->g->running.machine || lane < 0 || lane >= (int)lanes_of(p, lanes_file(p)))
        return gpudbg_fail(err, "out-of-range", "no lane %d", lane);
    p->g->selection.lane = lane;
    return true;
}

/* To the lane beside: as they are shown, and behind the last one shown as they are numbered. */
static bool lane_move(struct pane *p, int step, struct gpudbg_error *err)
{
    const struct lanes_pane *l = p->own;
    const int selected = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    if ((l->heat && !l->grid) || by_channels(p)) {
        for (int i = 0; i < (int)l->view.lanes; i++)
            if (l->view.order[i] == selected && i + step >= 0 && i + step < (int)l->view.lanes)
                return lane_select(p, l->view.order[i + step], err);
        return true;
    }
    if (l->grid || (!l->differing && !l->pinned)) return lane_select(p, selected + step, err);
    for (int c = 0; c < l->shown; c++)
        if (l->lane[c] == selected && c + step >= 0 && c + step < l->shown)
            return lane_select(p, l->lane[c + step], err);
    return lane_select(p, selected + step, err);
}

/* A click on the row of a register: the cursor goes there, and the row stays where it is. */
static void row_click(struct pane *p, int y)
{
    struct lanes_pane *l = p->own;
    const int at = y < l->head || !l->rows ? -1 : (y - l->head) / l->folded;
    if (at < 0 || at >= l->rows) return;
    int row = 0;
    if (by_channels(p))
        while (row < l->channels.rows && l->channels.row[row] != l->row[at]) row++;
    else
        row = l->row[at] / (int)parts_of(p, lanes_file(p));
    if (row >= p->count) return;
    p->cursor = row;
    if (!l->listing) p->top = row - at;
    l->listing = true;
}

/* A click on the column of a lane. */
static bool lane_click(struct pane *p, int x, int y, struct gpudbg_error *err)
{
    const struct lanes_pane *l = p->own;
    const int column = l->step > 0 && x >= l->left ? (x - l->left) / l->step : -1;
    if ((l->heat && !l->grid) || by_channels(p))
        return heat_lane(&l->view, x) < 0 || lane_select(p, heat_lane(&l->view, x), err);
    if (y == 0 && l->each) /* a mark, of one lane or more */
        return x < 1 || (x - 1) * l->each >= (int)p->g->running.machine->lanes ||
               lane_select(p, (x - 1) * l->each, err);
    if (column < 0) return true;
    if (l->square) return y < 1 || column >= l->square || lane_select(p, (l->top + y - 1) * l->square + column, err);
    return column >= l->shown || lane_select(p, l->lane[column], err);
}

void lanes_show(struct pane *p, unsigned file, unsigned index)
{
    struct lanes_pane *l = p->own;
    l->listing = true;
    l->file = (int)file + 1;
    p->cursor = (int)(index / parts_of(p, (int)file));
}

/* Another file: by name, or the next or previous of those that this launch has. */
static bool file_select(struct pane *p, const char *arg, struct gpudbg_error *err)
{
    struct lanes_pane *l = p->own;
    const int now = lanes_file(p), n = now >= 0 ? (int)p->g->running.machine->isa->nfiles : 0;
    const int step = strcmp(arg, "previous") == 0 ? n - 1 : 1;
    const bool named = *arg && strcmp(arg, "next") != 0 && strcmp(arg, "previous") != 0;
    if (!n) return gpudbg_fail(err, "no-launch", "nothing is launched");
    for (int i = 1; i <= n; i++) {
        const int file = named ? i - 1 : (now + i * step) % n;
        if (!file_shown(p, (unsigned)file) || (named && strcmp(arg, p->g->running.machine->isa->files[file].name) != 0))
            continue;
        l->file = file + 1;
        l->choice.count = 0;
        p->cursor = p->top = 0;
        return true;
    }
    return gpudbg_fail(err, "no-such-name", "this launch has no registers '%s' with lanes", arg);
}

static bool lanes_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct lanes_pane *l = p->own;
    switch (action) {
    case PANE_FORMAT:
        if (strcmp(arg, "v") != 0) return pane_form(p, arg, &l->form, err);
        l->parts = parts_apart(l, 4) ? PARTS_BESIDE : PARTS_APART;
        return true;
    case PANE_FILE: return file_select(p, arg, err);
    case PANE_HERE:
    case PANE_BACK: l->listing = l->grid = false; return true;
    case PANE_LEFT: return lane_move(p, -1, err);
    case PANE_RIGHT: return lane_move(p, 1, err);
    case PANE_HEAT:
        if (!l->heat && strcmp(arg, "left") == 0) return lane_move(p, -1, err); /* the key h, where it is no switch */
        l->heat = !l->heat;
        l->grid = false;
        p->cursor = p->top = 0;
        l->choice.count = 0;
        return true;
    case PANE_DIFFERING: l->differing = !l->differing; return true;
    case PANE_PIN:
        if (p->g->selection.lane >= 0 && p->g->selection.lane < 64) l->pinned ^= (uint64_t)1 << p->g->selection.lane;
        return true;
    case PANE_FOLLOW:
        l->grid = !l->grid && !by_channels(p);
        if (l->grid) l->listing = true;
        return true;
    case PANE_ROW:
        if (!p->g->running.machine) return true;
        row_click(p, atoi(arg));
        return lane_click(p, pane_click_column(arg), atoi(arg), err);
    default: break;
    }
    if (!l->listing) {
        l->listing = true;
        p->cursor = p->top = 0;
        if (action == PANE_UP || action == PANE_DOWN) return true;
    }
    return pane_list_act(p, action, arg, err);
}

static int lanes_row_text(struct pane *p, int row, char *buf, size_t size)
{
    const struct lanes_pane *l = p->own;
    int file = lanes_file(p);
    if (by_channels(p) && row < l->channels.rows)
        return register_name(p->g, (unsigned)register_wide_file(p->g), l->channels.row[row], buf, size);
    return file < 0 ? snprintf(buf, size, "%s", "")
                    : register_name(p->g, (unsigned)file, (unsigned)row * parts_of(p, file), buf, size);
}

/* A launch may have no registers of this kind. */
static bool lanes_idle(struct pane *p) { return p->g->running.machine && lanes_file(p) < 0 && !by_channels(p); }

static bool lanes_reg(struct pane *p, unsigned *file, unsigned *index)
{
    const struct lanes_pane *l = p->own;
    const int at = lanes_file(p);
    if (at < 0 || !l->listing || p->cursor >= p->count) return false;
    *file = (unsigned)at;
    *index = (unsigned)p->cursor * parts_of(p, at);
    return true;
}

const struct pane_kind pane_lanes = {
    .name = "lanes",
    .across = true,
    .fits = true,
    .summary = "vector registers, a lane a column",
    .own = sizeof(struct lanes_pane),
    .draw = lanes_draw,
    .title = lanes_title,
    .act = lanes_act,
    .row_text = lanes_row_text,
    .reg = lanes_reg,
    .idle = lanes_idle,
    .value = lanes_value,
};
