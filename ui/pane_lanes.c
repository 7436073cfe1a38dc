/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_lanes.c: vector registers as a grid, a register a row, a lane a column.
 *
 *     lane    36   [37]   38      the selected lane stands in brackets
 *     v3    *1.5  *2.25     .     * changed by the last step, . masked off: the value is still there, see `print`
 *
 * Formats: x hex, d and u decimal, f float, p doubles of pairs of rows, a: for each register what its lanes look like.  Where there is no room for all
 * registers, those that matter now are shown; moving the cursor lists all, `pane here` goes back.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

#define CELL_MAX 11

struct lanes_pane {
    bool listing;
    char format; /* 0: a */
    struct register_choice choice;
    int first, fit; /* lanes shown */
};

static int lanes_file(struct pane *p)
{
    const struct gpudbg_isa *isa = p->g->machine ? p->g->machine->isa : NULL;
    int first = -1;
    for (unsigned i = 0; isa && i < isa->nfiles; i++)
        if (isa->files[i].lanes > 1 && isa->files[i].indexed && !isa->files[i].mask) {
            if (register_count(p->g, i))
                return (int)i;
            first = first < 0 ? (int)i : first;
        }
    return first;
}

static unsigned lanes_of(struct pane *p, int file)
{
    return p->g->machine->isa->files[file].lanes;
}

/* ---- Values as text ---- */

/* Whether a pattern reads as a float that someone may have computed: zero, or of ordinary size. */
static bool float_like(uint32_t bits)
{
    unsigned exponent = bits >> 23 & 0xff;
    return bits == 0 || (exponent > 127 - 40 && exponent < 127 + 40) || (bits & 0x7fffffff) == 0x7f800000;
}

/* The format that suits a row: float if all active lanes that are not zero look so, hex if some are large, else decimal. */
static char row_format(const uint32_t *row, unsigned lanes, uint64_t active)
{
    bool floats = true, small = true, any = false;
    for (unsigned i = 0; i < lanes; i++) {
        if (!(active >> i & 1) || !row[i])
            continue;
        any = true;
        floats = floats && float_like(row[i]);
        small = small && ((int32_t)row[i] > -100000 && (int32_t)row[i] < 1000000);
    }
    return !any || small ? 'd' : floats ? 'f' : 'x';
}

static void cell_text(uint32_t bits, char format, char *buf, size_t size)
{
    float real;
    switch (format) {
    case 'd': snprintf(buf, size, "%" PRId32, (int32_t)bits); break;
    case 'u': snprintf(buf, size, "%" PRIu32, bits); break;
    case 'f':
        memcpy(&real, &bits, sizeof real);
        for (int digits = 7; digits > 1 && snprintf(buf, size, "%.*g", digits, (double)real) > 9; digits--)
            ;
        break;
    default: snprintf(buf, size, "%08" PRIx32, bits); break;
    }
}

/* A double whose low word is in this row and whose high word in the next; nothing in the rows between. */
static void pair_text(struct pane *p, unsigned file, unsigned index, int lane, char *buf, size_t size)
{
    const uint32_t *low = register_words(p->g, file, index), *high = register_words(p->g, file, index + 1);
    double real;
    buf[0] = 0;
    if (index % 2 || !low || !high)
        return;
    const uint64_t bits = low[lane] | (uint64_t)high[lane] << 32;
    memcpy(&real, &bits, sizeof real);
    for (int digits = 9; digits > 1 && snprintf(buf, size, "%.*g", digits, real) > 9; digits--)
        ;
}

/* ---- Drawing ---- */

struct grid { /* what is drawn */
    int file;
    unsigned lanes;
    uint64_t active;
    uint16_t row[1024];
    char format[1024];
    int rows;
    int cell; /* columns of a cell, the gap before it included */
};

static int sort_u16(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static void rows_take(struct pane *p, struct grid *grid, int height)
{
    struct lanes_pane *l = p->own;
    unsigned all = register_count(p->g, (unsigned)grid->file);
    grid->rows = 0;
    p->count = (int)all;
    if (l->listing || (int)all <= height) {
        pane_list_fit(p, height);
        for (int i = l->listing ? p->top : 0; i < (int)all && grid->rows < height && grid->rows < 1024; i++)
            grid->row[grid->rows++] = (uint16_t)i;
        return;
    }
    registers_choose(p->screen, (unsigned)grid->file, &l->choice, height);
    memcpy(grid->row, l->choice.index, (size_t)l->choice.count * sizeof *grid->row);
    grid->rows = l->choice.count;
    qsort(grid->row, (size_t)grid->rows, sizeof *grid->row, sort_u16);
}

/* Format of each row, and columns for the widest value of lanes from..to. */
static void cells_measure(struct pane *p, struct grid *grid)
{
    struct lanes_pane *l = p->own;
    char text[32];
    int widest = 3;
    for (int i = 0; i < grid->rows; i++) {
        const uint32_t *row = register_words(p->g, (unsigned)grid->file, grid->row[i]);
        grid->format[i] = l->format && l->format != 'a' ? l->format : row ? row_format(row, grid->lanes, grid->active) : 'x';
        for (unsigned k = 0; row && k < grid->lanes; k++) {
            if (!(grid->active >> k & 1))
                continue;
            if (grid->format[i] == 'p')
                pair_text(p, (unsigned)grid->file, grid->row[i], (int)k, text, sizeof text);
            else
                cell_text(row[k], grid->format[i], text, sizeof text);
            int n = (int)strlen(text);
            widest = n > widest ? n : widest;
        }
    }
    grid->cell = (widest < CELL_MAX ? widest : CELL_MAX) + 2;
}

static void row_draw(struct pane *p, const struct area *a, int y, const struct grid *grid, int i)
{
    struct lanes_pane *l = p->own;
    unsigned index = grid->row[i];
    const uint32_t *row = register_words(p->g, (unsigned)grid->file, index);
    char text[32];
    register_name(p->g, (unsigned)grid->file, index, text, sizeof text);
    area_text(a, 1, y, STYLE_name, text);
    for (int k = l->first; row && k < l->first + l->fit && k < (int)grid->lanes; k++) {
        int right = 6 + (k - l->first + 1) * grid->cell;
        bool active = grid->active >> k & 1, changed = register_changed(p->screen, (unsigned)grid->file, index, k);
        if (!active)
            snprintf(text, sizeof text, ".");
        else if (grid->format[i] == 'p')
            pair_text(p, (unsigned)grid->file, index, k, text + 1, sizeof text - 1);
        else
            cell_text(row[k], grid->format[i], text + 1, sizeof text - 1);
        text[0] = !active ? '.' : changed ? '*' : ' ';
        area_text(a, right - (int)strlen(text), y, !active ? STYLE_masked : changed ? STYLE_changed : STYLE_value, text);
    }
    if (p->active && l->listing && (int)index == p->cursor)
        area_cursor(a, 0, y, a->w, STYLE_cursor);
}

static void lanes_draw(struct pane *p, const struct area *a)
{
    struct lanes_pane *l = p->own;
    char text[160];
    const char *missing = registers_missing(p->g, text, sizeof text);
    struct grid grid = {.file = lanes_file(p)};
    if (missing || grid.file < 0) {
        area_text(a, 1, 0, STYLE_comment, missing ? missing : "no registers with lanes");
        p->count = 0;
        return;
    }
    grid.lanes = lanes_of(p, grid.file);
    grid.active = p->g->machine->isa->run->active(gpudbg_session_wave(p->g));
    rows_take(p, &grid, a->h - 1);
    cells_measure(p, &grid);
    l->fit = (a->w - 6) / grid.cell > 0 ? (a->w - 6) / grid.cell : 1;
    int lane = p->g->lane < 0 ? 0 : p->g->lane;
    if (lane < l->first || lane >= l->first + l->fit || l->first + l->fit > (int)grid.lanes)
        l->first = lane - lane % l->fit;
    if (l->first + l->fit > (int)grid.lanes)
        l->first = (int)grid.lanes > l->fit ? (int)grid.lanes - l->fit : 0;
    area_put(a, 1, 0, STYLE_address, "lane");
    for (int k = l->first; k < l->first + l->fit && k < (int)grid.lanes; k++) {
        int right = 6 + (k - l->first + 1) * grid.cell;
        snprintf(text, sizeof text, k == lane ? "[%d]" : "%d", k);
        area_text(a, right - (int)strlen(text) + (k == lane), 0, k == lane ? STYLE_current : STYLE_address, text);
    }
    for (int i = 0; i < grid.rows; i++)
        row_draw(p, a, i + 1, &grid, i);
}

static int lanes_title(struct pane *p, char *buf, size_t size)
{
    struct lanes_pane *l = p->own;
    return snprintf(buf, size, ":%c%s", l->format ? l->format : 'a', l->listing ? " all" : "");
}

/* ---- Actions ---- */

static bool lane_select(struct pane *p, int lane, struct gpudbg_error *err)
{
    int file = lanes_file(p);
    if (file < 0 || lane < 0 || lane >= (int)lanes_of(p, file))
        return gpudbg_fail(err, "command", "no lane %d", lane);
    p->g->lane = lane;
    return true;
}

void lanes_show(struct pane *p, unsigned index)
{
    struct lanes_pane *l = p->own;
    l->listing = true;
    p->cursor = (int)index;
}

static bool lanes_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct lanes_pane *l = p->own;
    switch (action) {
    case PANE_FORMAT:
        if (!arg[0] || !strchr("axdufp", arg[0]) || arg[1])
            return gpudbg_fail(err, "command", "format '%s' is none of a x d u f p", arg);
        l->format = arg[0];
        return true;
    case PANE_HERE:
    case PANE_BACK:  l->listing = false; return true;
    case PANE_LEFT:  return lane_select(p, p->g->lane - 1, err);
    case PANE_RIGHT: return lane_select(p, p->g->lane + 1, err);
    case PANE_ROW:   return true;
    default:         break;
    }
    if (!l->listing) {
        l->listing = true;
        p->cursor = p->top = 0;
        if (action == PANE_UP || action == PANE_DOWN)
            return true;
    }
    return pane_list_act(p, action, arg, err);
}

static int lanes_row_text(struct pane *p, int row, char *buf, size_t size)
{
    int file = lanes_file(p);
    return file < 0 ? snprintf(buf, size, "%s", "") : register_name(p->g, (unsigned)file, (unsigned)row, buf, size);
}

const struct pane_kind pane_lanes = {
    .name = "lanes",
    .summary = "vector registers, a lane a column",
    .own = sizeof(struct lanes_pane),
    .draw = lanes_draw,
    .title = lanes_title,
    .act = lanes_act,
    .row_text = lanes_row_text,
};
