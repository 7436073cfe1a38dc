/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat.c: a register a row, a lane a cell, as high as its value is between the least and the largest of the lanes that
 * run (in ASCII a digit, 0 to 9).
 *
 *     lane 0       8       16      24             [11]
 *     exec ###########.....################       off     # runs, . off, | the selected lane
 *    *v2 f 1111222233.......11112222333344       0.042   * changed by the last step; f its type
 *     v3 f 9776543211!......7765432111111        3       ! NaN or infinite
 *     v4 d 16 in all lanes                       16
 */
#include "heat.h"

#include <stdlib.h>
#include <string.h>

#include "gpudbg/lanes.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

#define HEAD 2  /* rows above the registers */
#define VALUE 8 /* columns of the selected lane's value: with it, 64 lanes have room in 80 columns */

/* The value of a lane, and whether it is a finite number. */
static bool lane_value(
    struct pane *p, const struct heat_view *h, unsigned reg, unsigned lane, const struct form *of_row, double *value)
{
    const uint32_t *words = register_words(p->g, h->file, reg);
    const struct form *form = register_lane_form(p->g, h->file, reg, (int)lane, h->form, of_row);
    const uint32_t *high = form->size == 8 ? register_words(p->g, h->file, reg + 1) : NULL;
    *value = 0;
    if (!words) return false;
    const uint32_t w = words[lane];
    if (form->kind == 'f' && form->size == 8)
        *value = lanes_f64(w | (uint64_t)(high ? high[lane] : 0) << 32);
    else if (form->kind == 'f')
        *value = (double)lanes_f32(form->size == 2 ? lanes_f32_from_f16((uint16_t)w, true) : w);
    else if (form->kind == 'd' || (form->kind == 'i' && w > (uint32_t)-FORM_SMALL_NEGATIVE))
        *value = (int32_t)w;
    else
        *value = w;
    return *value - *value == 0;
}

static bool runs(const struct heat_view *h, unsigned lane) { return h->active >> lane & 1; }

struct extent {
    double least, most;
    bool any, odd; /* odd: a lane is NaN or infinite */
};

static struct extent extent_of(struct pane *p, const struct heat_view *h, unsigned reg, const struct form *form)
{
    struct extent e = {0, 0, false, false};
    for (unsigned lane = 0; lane < h->lanes; lane++) {
        double v;
        if (!runs(h, lane)) continue;
        if (!lane_value(p, h, reg, lane, form, &v)) {
            e.odd = true;
            continue;
        }
        if (!e.any || v < e.least) e.least = v;
        if (!e.any || v > e.most) e.most = v;
        e.any = true;
    }
    return e;
}

/* ---- The order of lanes ---- */

static void order_lanes(struct pane *p, struct heat_view *h)
{
    double value[64];
    for (unsigned i = 0; i < h->lanes; i++) h->order[i] = (uint8_t)i;
    if (h->sorted < 0) return;
    const unsigned reg = (unsigned)h->sorted;
    const struct form *form = register_lanes_form(p->g, h->file, reg, h->active, h->form);
    for (unsigned i = 0; i < h->lanes; i++)
        if (!lane_value(p, h, reg, i, form, &value[i])) value[i] = 1e308; /* NaNs behind all others */
    for (unsigned i = 1; i < h->lanes; i++) /* those that run first; equal ones as they are numbered */
        for (unsigned k = i; k > 0; k--) {
            const unsigned a = h->order[k - 1], b = h->order[k];
            if (runs(h, a) != runs(h, b) ? runs(h, a) : value[a] <= value[b]) break;
            h->order[k - 1] = (uint8_t)b;
            h->order[k] = (uint8_t)a;
        }
}

/* ---- Drawing ---- */

/* A level from 0 to 7, of the lanes of a cell the highest; -1: none runs; 8: one is NaN or infinite. */
static int level_of(
    struct pane *p, const struct heat_view *h, unsigned reg, unsigned cell, const struct form *form, struct extent e)
{
    int level = -1;
    for (unsigned i = cell * (unsigned)h->each; i < (cell + 1) * (unsigned)h->each && i < h->lanes; i++) {
        const unsigned lane = h->order[i];
        double v;
        if (!runs(h, lane)) continue;
        if (!lane_value(p, h, reg, lane, form, &v)) return 8;
        const int own = e.most > e.least ? (int)((v - e.least) / (e.most - e.least) * 7.999) : 0;
        level = own > level ? own : level;
    }
    return level;
}

static bool holds_selected(const struct heat_view *h, unsigned cell)
{
    for (unsigned i = cell * (unsigned)h->each; i < (cell + 1) * (unsigned)h->each && i < h->lanes; i++)
        if (h->order[i] == h->selected) return true;
    return false;
}

static unsigned cells_of(const struct heat_view *h) { return (h->lanes + (unsigned)h->each - 1) / (unsigned)h->each; }

static void draw_cells(struct pane *p, const struct area *a, int y, const struct heat_view *h, unsigned reg,
    const struct form *form, struct extent e)
{
    static const enum style styles[] = {STYLE_heat1, STYLE_heat2, STYLE_heat3, STYLE_heat4};
    for (unsigned c = 0; c < cells_of(h); c++) {
        const int level = level_of(p, h, reg, c, form, e), x = h->left + (int)c;
        const enum style style = holds_selected(h, c) ? STYLE_current
                                 : level < 0          ? STYLE_masked
                                 : level > 7          ? STYLE_error
                                                      : styles[level / 2];
        if (level < 0)
            area_repeat(a, x, y, 1, style, '.', '.');
        else if (level > 7)
            area_repeat(a, x, y, 1, style, '!', '!');
        else
            area_repeat(a, x, y, 1, style, 0x2581 + (uint32_t)level, (char)('0' + level * 9 / 7));
    }
}

/* A lane's value: of the selected one, or of one that stands for all where they are alike. */
static void value_text(struct pane *p, const struct area *a, const struct heat_view *h, unsigned reg, int lane,
    const struct form *form, int width, char *buf, size_t size)
{
    const uint32_t *words = register_words(p->g, h->file, reg);
    const struct form *own = register_lane_form(p->g, h->file, reg, lane, h->form, form);
    const uint32_t *high = own->size == 8 ? register_words(p->g, h->file, reg + 1) : NULL;
    const uint32_t both[2] = {words ? words[lane] : 0, high ? high[lane] : 0};
    buf[0] = 0;
    if (words && own->kind != 'h' && (own->size < 8 || high))
        pane_elements(a->cells, own, both, own->size == 8 ? 8 : 4, width, buf, size);
}

static void draw_row(struct pane *p, const struct area *a, int y, const struct heat_view *h, unsigned reg)
{
    char text[256];
    const struct form *form = register_lanes_form(p->g, h->file, reg, h->active, h->form);
    const bool changed = register_changed(p->screen, h->file, reg, -1);
    const int right = h->left + (int)cells_of(h), room = a->w - right - 1;
    if (!register_words(p->g, h->file, reg)) return;
    if (changed) area_text(a, 0, y, changed_style(p->screen), "*");
    register_name(p->g, h->file, reg, text, sizeof text);
    area_left(a, 1, y, h->left - 4, changed ? changed_style(p->screen) : STYLE_name, text);
    if (form->kind == 'h') return; /* it stands in the row above */
    const char kind[2] = {form->kind == 'i' ? 'd' : form->kind, 0};
    area_text(a, h->left - 2, y, STYLE_comment, kind);
    const struct extent e = extent_of(p, h, reg, form);
    if (e.any && !e.odd && e.least == e.most) {
        char all[300];
        value_text(p, a, h, reg, __builtin_ctzll(h->active), form, 24, text, sizeof text); /* it may be off itself */
        snprintf(all, sizeof all, "%s in all lanes%s", text,
            (h->lanes < 64 ? h->active & ((UINT64_C(1) << h->lanes) - 1) : h->active) ==
                    (h->lanes < 64 ? (UINT64_C(1) << h->lanes) - 1 : UINT64_MAX)
                ? ""
                : " that run");
        area_text(a, h->left, y, STYLE_value, all);
    } else {
        draw_cells(p, a, y, h, reg, form, e);
    }
    value_text(p, a, h, reg, h->selected, form, room < VALUE ? room : VALUE, text, sizeof text);
    if (room > 3)
        area_right(a, right + 1, y, room < VALUE ? room : VALUE,
            runs(h, (unsigned)h->selected) ? STYLE_value : STYLE_masked, text);
}

/* Numbers of lanes above every eighth of them; in another order, the register that gives it. */
static void draw_head(struct pane *p, const struct area *a, const struct heat_view *h)
{
    char name[40];
    const int right = h->left + (int)cells_of(h), room = a->w - right - 1;
    area_text(a, 1, 0, STYLE_address, "lane");
    if (h->sorted >= 0) {
        register_name(p->g, h->file, (unsigned)h->sorted, name, sizeof name);
        area_put(a, h->left, 0, STYLE_address, "by %s, least first", name);
    }
    const unsigned step = 8u * (unsigned)h->each;
    for (unsigned i = 0; h->sorted < 0 && i < h->lanes; i += step)
        area_put(a, h->left + (int)(i / (unsigned)h->each), 0, STYLE_address, "%u", i);
    snprintf(name, sizeof name, "[%d]", h->selected);
    if (room > 3) area_right(a, right + 1, 0, room < VALUE ? room : VALUE, STYLE_current, name);
    area_text(a, 1, 1, STYLE_name, "exec");
    for (unsigned c = 0; c < cells_of(h); c++) {
        unsigned on = 0, all = 0;
        for (unsigned i = c * (unsigned)h->each; i < (c + 1) * (unsigned)h->each && i < h->lanes; i++, all++)
            on += runs(h, h->order[i]);
        const bool here = holds_selected(h, c);
        const bool alone = here && h->each == 1;
        area_repeat(a, h->left + (int)c, 1, 1,
            here ? STYLE_current
            : on ? STYLE_address
                 : STYLE_masked,
            alone       ? on ? '|' : LANE_OFF_SELECTED
            : on == all ? 0x2588
            : on        ? ':'
                        : '.',
            alone       ? on ? '|' : ':'
            : on == all ? '#'
            : on        ? ':'
                        : '.');
    }
    if (room > 3)
        area_right(a, right + 1, 1, room < VALUE ? room : VALUE, STYLE_comment,
            runs(h, (unsigned)h->selected) ? "runs" : "off");
}

int heat_lane(const struct heat_view *h, int x)
{
    const int i = (x - h->left) * h->each;
    return x < h->left || i < 0 || i >= (int)h->lanes ? -1 : h->order[i];
}

void heat_draw(struct pane *p, const struct area *a, struct heat_view *h)
{
    char name[40];
    h->left = 7;
    for (int i = 0; i < h->rows; i++) {
        const int n = register_name(p->g, h->file, h->row[i], name, sizeof name);
        h->left = n + 4 > h->left ? n + 4 : h->left;
    }
    if (h->lanes > 64) h->lanes = 64;
    int cells = a->w - h->left - VALUE - 1;
    if (cells < 8) cells = a->w - h->left;
    if (cells < 1) cells = 1;
    h->each = ((int)h->lanes + cells - 1) / cells;
    order_lanes(p, h);
    draw_head(p, a, h);
    for (int i = 0; i < h->rows && HEAD + i < a->h; i++) {
        draw_row(p, a, HEAD + i, h, h->row[i]);
        if (i == h->cursor) area_cursor(a, 0, HEAD + i, a->w, STYLE_cursor);
    }
}
