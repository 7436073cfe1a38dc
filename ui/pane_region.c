/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_region.c: which bytes of which registers feed which channels, of the instruction under the code pane's cursor;
 * the picture is drawn by core/region.c.  While a thread runs, its address registers and masks count, and below each
 * row of a source stands what its registers hold.
 *
 * Where not all rows have room, narrower ones are tried, with the values at the right, then the pane scrolls.
 */
#include "code/region.h"
#include "code.h"
#include "inside.h"
#include "operand_value.h"
#include "registers_shown.h"

#define REGION_ROWS 512

struct region_pane {
    uint64_t seen;            /* the code cursor when it was last drawn: elsewhere it starts at the top */
    int operand[REGION_ROWS]; /* of the rows that were last drawn, see region.h */
};

static const struct {
    enum style style;
    const char *utf8; /* what stands for the character of the picture; NULL: itself */
} looks[] = {
    [REGION_TEXT] = {STYLE_text, NULL},
    [REGION_ROLE] = {STYLE_mnemonic, NULL},
    [REGION_NAME] = {STYLE_name, NULL},
    [REGION_BORDER] = {STYLE_rule, "│"},
    [REGION_LANE] = {STYLE_value, NULL},
    [REGION_OFF] = {STYLE_masked, NULL},
    [REGION_EMPTY] = {STYLE_comment, "·"},
    [REGION_NOTE] = {STYLE_comment, NULL},
    [REGION_RULER] = {STYLE_address, NULL},
    [REGION_VALUE] = {STYLE_constant, NULL},
};

static void row_draw(const struct area *a, int y, const struct region_row *row)
{
    for (int x = 0; x < row->n;) {
        const char *utf8 = a->cells->utf8 ? looks[row->mark[x]].utf8 : NULL;
        char text[sizeof row->text + 1];
        int n = 0; /* what is alike is one text: a number is whole or marked */
        for (; x + n < row->n && row->mark[x + n] == row->mark[x]; n++) text[n] = row->text[x + n];
        text[n] = 0;
        if (!utf8) area_text(a, x, y, looks[row->mark[x]].style, text);
        for (int i = 0; utf8 && i < n; i++)
            area_text(a, x + i, y, looks[row->mark[x]].style, text[i] == ' ' ? " " : utf8);
        x += n;
    }
}

/* What the wave's registers hold now, as the operand's type shows it. */
static int value_text(
    void *data, const struct gpudbg_footprint *f, int32_t at, unsigned size, int room, char *buf, size_t n)
{
    struct pane *p = data;
    const struct gpudbg_isa *isa = p->g->running.machine->isa;
    const unsigned bytes = f->file < isa->nfiles ? isa->files[f->file].bits / 8u : 0;
    const struct form *form = *f->type ? form_named(f->type) : NULL;
    const struct cells ascii = {.utf8 = false};
    if (bytes < 4 || at < 0 || !form || form->size != size || (unsigned)at % bytes + size > bytes) return 0;
    const uint32_t *words = register_words(p->g, f->file, (unsigned)at / bytes);
    if (!words || form->kind == 'a') return 0;
    pane_elements(&ascii, form, (const uint8_t *)words + (unsigned)at % bytes, size, room, buf, n);
    return (int)strlen(buf);
}

static void region_draw_pane(struct pane *p, const struct area *a)
{
    struct region_pane *r = p->own;
    struct region_picture picture = {NULL, 0};
    struct gpudbg_insn insn;
    uint64_t at = code_cursor(p->screen);
    if (r->seen != at) {
        r->seen = at;
        p->cursor = p->top = 0;
    }
    p->count = 0;
    if (!p->g->loaded.image || !code_insn(p->screen, at, &insn)) {
        area_put(a, 1, 0, STYLE_comment, p->g->loaded.image ? "no instruction here" : "nothing is loaded");
        return;
    }
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    const struct region_values values = {value_text, p};
    if (!region_draw(&picture, &insn, wave, a->w, false, wave && p->g->running.machine ? &values : NULL)) {
        area_put(a, 1, 0, STYLE_comment, "operands are whole registers here");
        return;
    }
    if (picture.n > (size_t)a->h) {
        region_free(&picture);
        region_draw(&picture, &insn, wave, a->w, true, wave && p->g->running.machine ? &values : NULL);
    }
    if (!picture.n) area_put(a, 1, 0, STYLE_comment, "no operands");
    p->count = picture.n < REGION_ROWS ? (int)picture.n : REGION_ROWS;
    for (int i = 0; i < p->count; i++) r->operand[i] = picture.row[i].operand;
    pane_list_fit(p, a->h);
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        row_draw(a, y, &picture.row[p->top + y]);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
    region_free(&picture);
}

static int region_title(struct pane *p, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    if (!p->g->loaded.image || !code_insn(p->screen, code_cursor(p->screen), &insn))
        return snprintf(buf, size, "%s", "");
    const char *more = p->count > p->shown ? "  (more below)" : "";
    return snprintf(buf, size, "%s%s", insn.op->name, p->top && p->count > p->shown ? "  (scrolled)" : more);
}

/* What the operand of the row under the cursor is in the selected lane. */
static bool region_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    const struct region_pane *r = p->own;
    struct gpudbg_insn insn = {.op = NULL};
    code_insn(p->screen, code_cursor(p->screen), &insn);
    if (p->cursor >= p->count || r->operand[p->cursor] < 0) return operand_value(p->g, &insn, 0, buf, size, err);
    return operand_of_region(p->g, &insn, (unsigned)r->operand[p->cursor], buf, size, err);
}

const struct pane_kind pane_region = {
    .name = "region",
    .summary = "which bytes of which registers feed which channels",
    .own = sizeof(struct region_pane),
    .draw = region_draw_pane,
    .title = region_title,
    .value = region_value,
};
