/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_lanes.c: vector registers as a grid, a register a row, a lane a column.
 *
 *     lane    36   [37]   38      the selected lane stands in brackets
 *     v3    *1.5  *2.25     .     * changed by the last step, . masked off: the value is still there, see `print`
 *
 * Registers of several parts stand as such, in one row or two, for as many lanes as there is room for:
 *
 *     [37]      x      y      z      w
 *     r2      1.5  *2.25      0      1
 *
 * Formats: x hex, d and u decimal, f float, p doubles of pairs, a: for each register what its values look like; v:
 * parts side by side or in rows of their own.  `pane file` shows the registers of another file.  Where there is no room
 * for all registers, those that matter now are shown; moving the cursor lists all, `pane here` goes back.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "registers_shown.h"

#define CELL_MAX 11

struct lanes_pane {
    bool listing;
    bool apart;  /* parts of registers in rows of their own */
    char format; /* 0: a */
    int file;    /* that the user chose + 1; 0: the first that has registers */
    struct register_choice choice;
    int first, fit; /* lanes shown */
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

/* Parts of a register that stand side by side; 1: a row each. */
static unsigned parts_of(struct pane *p, int file)
{
    const struct lanes_pane *l = p->own;
    const char *parts = file >= 0 ? p->g->running.machine->isa->files[file].parts : NULL;
    return parts && !l->apart ? (unsigned)strlen(parts) : 1;
}

static unsigned lanes_of(struct pane *p, int file) { return p->g->running.machine->isa->files[file].lanes; }

/* ---- Values as text ---- */

/* Whether a pattern reads as a float that someone may have computed: zero, or of ordinary size. */
static bool float_like(uint32_t bits)
{
    unsigned exponent = bits >> 23 & 0xff;
    return bits == 0 || (exponent > 127 - 40 && exponent < 127 + 40) || (bits & 0x7fffffff) == 0x7f800000;
}

/* The format that suits a row: float if all active lanes that are not zero look so, hex if some are large, else
 * decimal. */
static char row_format(const uint32_t *row, unsigned lanes, uint64_t active)
{
    bool floats = true, small = true, any = false;
    for (unsigned i = 0; i < lanes; i++) {
        if (!(active >> i & 1) || !row[i]) continue;
        any = true;
        floats = floats && float_like(row[i]);
        small = small && ((int32_t)row[i] > -100000 && (int32_t)row[i] < 1000000);
    }
    return !any || small ? 'd' : floats ? 'f' : 'x';
}

static void double_text(uint32_t low, uint32_t high, char *buf, size_t size)
{
    const uint64_t bits = low | (uint64_t)high << 32;
    double real;
    memcpy(&real, &bits, sizeof real);
    pane_real(real, 2, 9, 9, buf, size);
}

/* A double whose low word is in this row and whose high word in the next; nothing in the rows between. */
static void pair_text(struct pane *p, unsigned file, unsigned index, int lane, char *buf, size_t size)
{
    const uint32_t *low = register_words(p->g, file, index), *high = register_words(p->g, file, index + 1);
    buf[0] = 0;
    if (index % 2 == 0 && low && high) double_text(low[lane], high[lane], buf, size);
}

/* ---- Drawing ---- */

struct grid { /* what is drawn */
    int file;
    unsigned lanes, parts; /* parts: side by side */
    uint64_t active;
    uint16_t row[1024]; /* registers; of those with parts the first one */
    char format[1024];
    int rows;
    int cell;   /* columns of a cell, the gap before it included */
    int left;   /* columns of the longest name */
    int folded; /* lines of a register: 1, or 2 where its parts do not fit beside each other */
};

static int sort_u16(const void *a, const void *b) { return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b; }

static void rows_take(struct pane *p, struct grid *grid, int height)
{
    struct lanes_pane *l = p->own;
    const unsigned parts = grid->parts, all = register_count(p->g, (unsigned)grid->file) / parts;
    grid->rows = 0;
    p->count = (int)all;
    if (l->listing || (int)all <= height) {
        pane_list_fit(p, height);
        for (int i = l->listing ? p->top : 0; i < (int)all && grid->rows < height && grid->rows < 1024; i++)
            if (l->listing || register_words(p->g, (unsigned)grid->file, (unsigned)i * parts)) /* some have holes */
                grid->row[grid->rows++] = (uint16_t)((unsigned)i * parts);
        return;
    }
    /* Of registers with parts those are shown of which a part matters: the choice is in the order of that. */
    registers_choose(p->screen, (unsigned)grid->file, &l->choice, parts > 1 ? 256 : height);
    for (int i = 0; i < l->choice.count && grid->rows < height; i++) {
        const uint16_t index = (uint16_t)(l->choice.index[i] / parts * parts);
        int k = 0;
        if (!register_words(p->g, (unsigned)grid->file, index)) continue;
        while (k < grid->rows && grid->row[k] != index) k++;
        grid->row[k] = index;
        grid->rows += k == grid->rows;
    }
    qsort(grid->row, (size_t)grid->rows, sizeof *grid->row, sort_u16);
}

/* ---- Registers of several parts ---- */

static const char *parts_names(struct pane *p, const struct grid *grid)
{
    return p->g->running.machine->isa->files[grid->file].parts;
}

/* Text of part k, a mark before it: of doubles the first of two parts has the text of both. */
static void part_text(struct pane *p, const struct grid *grid, int i, unsigned k, int lane, char *buf, size_t size)
{
    const unsigned index = grid->row[i] + k;
    const uint32_t *words = register_words(p->g, (unsigned)grid->file, index);
    snprintf(buf, size, grid->active >> lane & 1 && words ? " " : ".");
    if (buf[0] == '.') return;
    if (grid->format[i] == 'p' && k % 2) return;
    if (grid->format[i] == 'p')
        pair_text(p, (unsigned)grid->file, index, lane, buf + 1, size - 1);
    else
        pane_word(words[lane], grid->format[i] == 'a' ? row_format(words, grid->lanes, grid->active) : grid->format[i],
            9, buf + 1, size - 1);
    if (register_changed(p->screen, (unsigned)grid->file, index, lane)) buf[0] = '*';
}

/* Formats of rows, columns of cells, lines of a register, for an area of w columns. */
static void parts_measure(struct pane *p, struct grid *grid, int w)
{
    struct lanes_pane *l = p->own;
    char text[32];
    int widest = 5;
    const int lane = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    grid->left = 6;
    for (int i = 0; i < grid->rows; i++) {
        register_name(p->g, (unsigned)grid->file, grid->row[i], text, sizeof text);
        const int name = (int)strcspn(text, ".") + 1;
        grid->left = name > grid->left ? name < 20 ? name : 20 : grid->left;
        grid->format[i] = l->format ? l->format : 'a';
        for (unsigned k = 0; k < grid->parts; k++) {
            part_text(p, grid, i, k, lane, text, sizeof text);
            widest = (int)strlen(text) > widest ? (int)strlen(text) : widest;
        }
    }
    grid->cell = (widest < CELL_MAX ? widest : CELL_MAX) + 1;
    grid->folded = grid->left + (int)grid->parts * grid->cell > w ? 2 : 1;
}

static void parts_line(
    struct pane *p, const struct area *a, int y, const struct grid *grid, int i, unsigned from, unsigned to)
{
    struct lanes_pane *l = p->own;
    char text[32];
    for (int lane = l->first, x = grid->left; lane < l->first + l->fit && lane < (int)grid->lanes; lane++, x += 1)
        for (unsigned k = from; k < to; k++) {
            x += grid->cell;
            part_text(p, grid, i, k, lane, text, sizeof text);
            area_text(a, x - (int)strlen(text), y,
                text[0] == '.'   ? STYLE_masked
                : text[0] == '*' ? STYLE_changed
                                 : STYLE_value,
                text[1] || text[0] != ' ' ? text : "");
        }
}

static void parts_head(struct pane *p, const struct area *a, const struct grid *grid, unsigned each)
{
    struct lanes_pane *l = p->own;
    const int selected = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    char text[32];
    for (int lane = l->first, x = grid->left; lane < l->first + l->fit && lane < (int)grid->lanes;
         lane++, x += (int)each * grid->cell + 1) {
        snprintf(text, sizeof text, lane == selected ? "[%d]" : "%d", lane);
        const int label = lane == l->first ? 1 : x, end = label + (int)strlen(text);
        area_text(a, label, 0, lane == selected ? STYLE_current : STYLE_address, text);
        for (unsigned k = 0; k < each; k++) {
            snprintf(text, sizeof text, "%c%s%c", parts_names(p, grid)[k], each < grid->parts ? "," : "",
                each < grid->parts ? parts_names(p, grid)[each + k] : 0);
            const int at = x + (int)(k + 1) * grid->cell - (int)strlen(text);
            if (at > end) area_text(a, at, 0, STYLE_address, text);
        }
    }
}

static void parts_draw(struct pane *p, const struct area *a, struct grid *grid)
{
    struct lanes_pane *l = p->own;
    char text[32];
    const int lane = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    rows_take(p, grid, a->h - 1);
    parts_measure(p, grid, a->w);
    if (grid->folded == 2) {
        rows_take(p, grid, (a->h - 1) / 2);
        parts_measure(p, grid, a->w);
        grid->folded = 2;
    }
    const unsigned each = grid->folded == 2 ? grid->parts / 2 : grid->parts;
    l->fit = (a->w - grid->left + 1) / ((int)each * grid->cell + 1);
    l->fit = l->fit < 1 ? 1 : l->fit;
    if (lane < l->first || lane >= l->first + l->fit || l->first + l->fit > (int)grid->lanes)
        l->first = lane + l->fit > (int)grid->lanes ? (int)grid->lanes - l->fit : lane;
    if (l->first < 0) l->first = 0;
    parts_head(p, a, grid, each);
    for (int i = 0; i < grid->rows; i++) {
        const int y = 1 + i * grid->folded;
        register_name(p->g, (unsigned)grid->file, grid->row[i], text, sizeof text);
        text[strcspn(text, ".")] = 0;
        area_text(a, 1, y, STYLE_name, text);
        parts_line(p, a, y, grid, i, 0, each);
        if (grid->folded == 2) parts_line(p, a, y + 1, grid, i, each, grid->parts);
        if (p->active && l->listing && grid->row[i] / (int)grid->parts == p->cursor)
            area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

/* Format of each row, and columns for the widest value of lanes from..to. */
static void cells_measure(struct pane *p, struct grid *grid)
{
    struct lanes_pane *l = p->own;
    char text[32];
    int widest = 3;
    for (int i = 0; i < grid->rows; i++) {
        const uint32_t *row = register_words(p->g, (unsigned)grid->file, grid->row[i]);
        grid->format[i] = l->format && l->format != 'a' ? l->format
                          : row                         ? row_format(row, grid->lanes, grid->active)
                                                        : 'x';
        for (unsigned k = 0; row && k < grid->lanes; k++) {
            if (!(grid->active >> k & 1)) continue;
            if (grid->format[i] == 'p')
                pair_text(p, (unsigned)grid->file, grid->row[i], (int)k, text, sizeof text);
            else
                pane_word(row[k], grid->format[i], 9, text, sizeof text);
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
            pane_word(row[k], grid->format[i], 9, text + 1, sizeof text - 1);
        text[0] = !active ? '.' : changed ? '*' : ' ';
        area_text(a, right - (int)strlen(text), y,
            !active   ? STYLE_masked
            : changed ? STYLE_changed
                      : STYLE_value,
            text);
    }
    if (p->active && l->listing && (int)index == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
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
    grid.active = p->g->running.machine->isa->run->active(gpudbg_session_wave(p->g));
    grid.parts = parts_of(p, grid.file);
    if (grid.parts > 1) {
        parts_draw(p, a, &grid);
        return;
    }
    rows_take(p, &grid, a->h - 1);
    cells_measure(p, &grid);
    l->fit = (a->w - 6) / grid.cell > 0 ? (a->w - 6) / grid.cell : 1;
    int lane = p->g->selection.lane < 0 ? 0 : p->g->selection.lane;
    if (lane < l->first || lane >= l->first + l->fit || l->first + l->fit > (int)grid.lanes)
        l->first = lane - lane % l->fit;
    if (l->first + l->fit > (int)grid.lanes) l->first = (int)grid.lanes > l->fit ? (int)grid.lanes - l->fit : 0;
    area_put(a, 1, 0, STYLE_address, "lane");
    for (int k = l->first; k < l->first + l->fit && k < (int)grid.lanes; k++) {
        int right = 6 + (k - l->first + 1) * grid.cell;
        snprintf(text, sizeof text, k == lane ? "[%d]" : "%d", k);
        area_text(a, right - (int)strlen(text) + (k == lane), 0, k == lane ? STYLE_current : STYLE_address, text);
    }
    for (int i = 0; i < grid.rows; i++) row_draw(p, a, i + 1, &grid, i);
}

static int lanes_title(struct pane *p, char *buf, size_t size)
{
    struct lanes_pane *l = p->own;
    const int file = lanes_file(p);
    const char *name = file >= 0 && p->g->running.machine->isa->files[file].parts
                           ? p->g->running.machine->isa->files[file].name
                           : "";
    return snprintf(
        buf, size, "%s%s:%c%s", name, *name ? " " : "", l->format ? l->format : 'a', l->listing ? " all" : "");
}

/* ---- Actions ---- */

static bool lane_select(struct pane *p, int lane, struct gpudbg_error *err)
{
    int file = lanes_file(p);
    if (file < 0 || lane < 0 || lane >= (int)lanes_of(p, file))
        return gpudbg_fail(err, "out-of-range", "no lane %d", lane);
    p->g->selection.lane = lane;
    return true;
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
        if (!arg[0] || !strchr("axdufpv", arg[0]) || arg[1])
            return gpudbg_fail(
                err, "no-such-name", "'%s' is not a format of this pane; its formats are a x d u f p v", arg);
        if (arg[0] == 'v')
            l->apart = !l->apart;
        else
            l->format = arg[0];
        return true;
    case PANE_FILE: return file_select(p, arg, err);
    case PANE_HERE:
    case PANE_BACK: l->listing = false; return true;
    case PANE_LEFT: return lane_select(p, p->g->selection.lane - 1, err);
    case PANE_RIGHT: return lane_select(p, p->g->selection.lane + 1, err);
    case PANE_ROW: return true;
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
    int file = lanes_file(p);
    return file < 0 ? snprintf(buf, size, "%s", "")
                    : register_name(p->g, (unsigned)file, (unsigned)row * parts_of(p, file), buf, size);
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
