/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_flow.c: the blocks of the function under the code's cursor, in the order of addresses, and the edges between
 * them as lines to their left.
 *
 *          >  0 # 2700-274c  18 insns  live  8   s_cbranch_scc1 L27bc        > the selected wave is here, w another
 *      +----  ...                                                            # heat: how often it was executed
 *      | +->  2 # 2774-27bc  14 insns  live 10   s_cbranch_vccnz L2774       a line with <- comes back: a loop
 *      | +<-
 *      +--->  3 . 27bc-27e4   9 insns  live  6   s_endpgm
 *
 * Left and Right go against and along the edges, Enter shows the block in the pane code.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "beside.h"
#include "code.h"
#include "inside.h"
#include "flow/graph.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

struct flow_pane {
    const struct gpudbg_image *image; /* that the graph is of */
    uint64_t from, to;                /* the addresses for which it is the same */
    struct graph *graph;              /* NULL: there is none, and `why` says the reason */
    struct beside beside;             /* live registers and heat */
    char why[520];
    uint64_t shown; /* the code's cursor when it was last drawn */
    unsigned way;   /* how often Right was pressed at a block with several ways on */
};

static void drop(struct flow_pane *f)
{
    graph_free(f->graph);
    beside_close(&f->beside);
    f->graph = NULL;
    f->image = NULL;
}

/* Makes the graph of the function that the code pane shows. */
static struct flow_pane *flow_ready(struct pane *p)
{
    struct flow_pane *f = p->own;
    const struct gpudbg_image *image = p->g->loaded.image;
    const uint64_t cursor = code_cursor(p->screen);
    if (!image || !image->isa) {
        drop(f);
        snprintf(f->why, sizeof f->why, "%s", "nothing is loaded");
        return f;
    }
    if (f->image != image || cursor - f->from >= f->to - f->from) {
        struct gpudbg_error err = {.offset = -1};
        const struct gpudbg_symbol *s = gpudbg_image_symbol_at(image, cursor);
        const struct gpudbg_section *section = code_section(image, cursor);
        drop(f);
        f->image = image;
        f->from = s && s->size ? s->addr : section ? section->addr : cursor;
        f->to = s && s->size ? s->addr + s->size : section ? section->addr + section->size : cursor + 1;
        f->graph = graph_new(image, cursor, &err);
        snprintf(f->why, sizeof f->why, "%s", f->graph ? "" : err.message);
        f->shown = cursor + 1;
    }
    p->count = f->graph ? (int)f->graph->nblocks : 0;
    if (f->graph && cursor != f->shown) {
        const uint32_t at = graph_at(f->graph, cursor);
        if (at != UINT32_MAX) p->cursor = (int)at;
        f->shown = cursor;
    }
    return f;
}

/* ---- Drawing ---- */

#define BLOCK_ROWS 2 /* a block, and a row for lines that end at the next one */

static enum style edge_style(const struct pane *p, const struct graph_edge *e)
{
    const uint32_t here = (uint32_t)p->cursor;
    if (e->from == here || e->to == here) return STYLE_current;
    return e->back ? STYLE_changed : STYLE_rule;
}

/* The row of a block's box, from the top of the pane; lines leave below it. */
static int row_of(const struct pane *p, uint32_t block, bool below)
{
    return ((int)block - p->top) * BLOCK_ROWS + (below ? 1 : 0);
}

static void edge_draw(const struct pane *p, const struct area *a, const struct graph *g, const struct graph_edge *e)
{
    const int x = 2 * (g->lanes - 1 - e->lane), end = 2 * g->lanes + 1;
    const int from = row_of(p, e->from, true), to = row_of(p, e->to, false);
    const int lo = from < to ? from : to, hi = from < to ? to : from;
    const enum style style = edge_style(p, e);
    for (int y = lo < 0 ? 0 : lo; y <= hi && y < a->h; y++)
        if (y != from && y != to) area_repeat(a, x, y, 1, style, 0x2502, '|');
    if (from >= 0 && from < a->h) {
        area_repeat(a, x + 1, from, end - x - 1, style, 0x2500, '-');
        area_repeat(a, x, from, 1, style, from < to ? 0x250c : 0x2514, '+');
    }
    if (to >= 0 && to < a->h) {
        area_repeat(a, x + 1, to, end - x - 2, style, 0x2500, '-');
        area_repeat(a, x, to, 1, style, from < to ? 0x2514 : 0x250c, '+');
        area_repeat(a, end - 1, to, 1, style, 0x25b6, '>');
    }
}

/* "> " where the selected wave is, "w " where another one of its group is. */
static const char *waves_in(const struct gpudbg *g, const struct graph_block *b)
{
    struct gpudbg_machine *m = g->running.machine;
    struct machine_wave_info info;
    bool other = false;
    if (!m || g->selection.wave >= m->nwaves) return " ";
    const uint32_t n = m->waves_per_group ? m->waves_per_group : 1, first = g->selection.wave - g->selection.wave % n;
    for (uint32_t i = first; i < first + n && i < m->nwaves; i++) {
        machine_wave_info(m, i, &info);
        if (info.state == GPUDBG_ENDED || info.lost_pc) continue;
        if (info.state == GPUDBG_UNSTARTED && i != g->selection.wave) continue;
        if (info.pc - b->addr >= b->end - b->addr) continue;
        if (i == g->selection.wave) return ">";
        other = true;
    }
    return other ? "w" : " ";
}

static unsigned peak_of(const struct flow_pane *f, const struct graph_block *b)
{
    unsigned most = 0;
    const struct lives *l = f->beside.lives;
    for (uint32_t i = l ? lives_find(l, b->addr) : UINT32_MAX; l && i < l->n && l->addr[i] < b->end; i++)
        if (l->at[i].vector > most) most = l->at[i].vector;
    return most;
}

static void notes_text(const struct graph *g, uint32_t i, char *buf, size_t size)
{
    const struct graph_block *b = &g->block[i];
    struct text t = text_in(buf, size);
    for (uint32_t e = 0; e < g->nedges; e++)
        if (g->edge[e].from == i) text_add(&t, "%s%" PRIu32, t.n ? " " : "to ", g->block[g->edge[e].to].number);
    const char *const words[] = {b->entry ? "entry" : NULL, b->header ? "loop" : NULL, b->call ? "calls" : NULL,
        b->returns ? "returns" : NULL, b->unknown ? "goes where a register says" : NULL, b->ends ? "end" : NULL};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k]) text_add(&t, "%s%s", t.n ? ", " : "", words[k]);
}

static void block_draw(struct pane *p, const struct area *a, uint32_t i)
{
    const struct flow_pane *f = p->own;
    const struct graph_block *b = &f->graph->block[i];
    const int y = row_of(p, i, false);
    const bool here = (int)i == p->cursor;
    const char *waves = waves_in(p->g, b);
    char text[300];
    int x = 2 * f->graph->lanes + 1;
    area_text(a, x, y, *waves == '>' ? STYLE_current : STYLE_name, waves);
    x = area_put(a, x + 1, y, STYLE_label, "%3" PRIu32, b->number) + 1;
    if (f->beside.most)
        beside_draw(&(struct beside){.profile = f->beside.profile, .most = f->beside.most}, p->g, a, x, y, b->addr);
    x += f->beside.most ? 2 : 0;
    x += 2 * (int)(b->depth < 8 ? b->depth : 8);
    x = area_put(a, x, y, STYLE_address, "%04" PRIx64 "-%04" PRIx64, b->addr, b->end) + 1;
    x = area_put(a, x, y, STYLE_comment, "%" PRIu32 " insn%s", b->ninsns, b->ninsns == 1 ? "" : "s") + 1;
    if (f->beside.lives) x = area_put(a, x, y, STYLE_comment, "live %u", peak_of(f, b)) + 1;
    notes_text(f->graph, i, text, sizeof text);
    x = area_text(a, x, y, STYLE_text, text) + 2;
    struct gpudbg_insn insn;
    bool is_insn;
    if (x < a->w && code_at(f->image, b->last, &insn, &is_insn) && is_insn) {
        code_insn_text(f->image, &insn, p->g->settings.syntax, text, sizeof text);
        area_text(a, x, y, STYLE_mnemonic, text);
    }
    if (p->active && here) area_cursor(a, 2 * f->graph->lanes + 1, y, a->w - 2 * f->graph->lanes - 1, STYLE_cursor);
}

static void draw(struct pane *p, const struct area *a)
{
    struct flow_pane *f = flow_ready(p);
    if (!f->graph) {
        area_text(a, 1, 0, STYLE_comment, f->why);
        return;
    }
    struct gpudbg *g = p->g;
    const bool was = g->settings.live_registers;
    g->settings.live_registers = true; /* here they are always shown */
    beside_take(&f->beside, g, f->graph->block[0].addr, 80);
    g->settings.live_registers = was;
    const int rows = a->h / BLOCK_ROWS ? a->h / BLOCK_ROWS : 1;
    pane_list_fit(p, rows);
    for (uint32_t e = 0; e < f->graph->nedges; e++)
        if (f->graph->edge[e].lane >= 0) edge_draw(p, a, f->graph, &f->graph->edge[e]);
    for (uint32_t e = 0; e < f->graph->nedges; e++) /* those of the block under the cursor lie above */
        if (f->graph->edge[e].lane >= 0 && edge_style(p, &f->graph->edge[e]) == STYLE_current)
            edge_draw(p, a, f->graph, &f->graph->edge[e]);
    for (int i = p->top; i < p->count && (i - p->top) * BLOCK_ROWS < a->h; i++) block_draw(p, a, (uint32_t)i);
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct flow_pane *f = flow_ready(p);
    if (!f->graph) return snprintf(buf, size, "%s", "");
    const struct gpudbg_symbol *s = gpudbg_image_symbol_at(f->image, f->graph->block[0].addr);
    return snprintf(buf, size, "%s%s%" PRIu32 " blocks", s ? s->name : "", s ? "  " : "", f->graph->nblocks);
}

/* ---- Actions ---- */

/* Goes along the edges of the block under the cursor, or against them; pressed again at once, along the next one. */
static bool go(struct pane *p, bool along, struct gpudbg_error *err)
{
    struct flow_pane *f = p->own;
    const struct graph *g = f->graph;
    uint32_t n = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        uint32_t met = 0;
        for (uint32_t e = 0; e < g->nedges; e++) {
            const struct graph_edge *edge = &g->edge[e];
            if ((along ? edge->from : edge->to) != (uint32_t)p->cursor) continue;
            if (pass && met++ == f->way % n) {
                p->cursor = (int)(along ? edge->to : edge->from);
                f->way++;
                return true;
            }
            n += !pass;
        }
        if (!n) break;
    }
    return gpudbg_fail(err, "not-now", along ? "no block follows" : "no block leads here");
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct flow_pane *f = flow_ready(p);
    struct gpudbg_wave *wave;
    if (!f->graph) return gpudbg_fail(err, "not-now", "%s", f->why);
    switch (action) {
    case PANE_LEFT: return go(p, false, err);
    case PANE_RIGHT: return go(p, true, err);
    case PANE_FOLLOW:
        f->shown = f->graph->block[p->cursor].addr;
        return code_jump(p->screen, f->graph->block[p->cursor].addr, err);
    case PANE_HERE:
        if (!(wave = gpudbg_session_wave(p->g))) return gpudbg_fail(err, "no-launch", "nothing is launched");
        code_show_near(p->screen, wave->pc);
        return true;
    case PANE_ROW: {
        const int row = p->top + atoi(arg) / BLOCK_ROWS;
        if (row < p->count) p->cursor = row;
        return true;
    }
    default: return pane_list_act(p, action, arg, err);
    }
}

static int row_text(struct pane *p, int row, char *buf, size_t size)
{
    const struct flow_pane *f = flow_ready(p);
    char notes[300];
    if (!f->graph || row >= p->count) return snprintf(buf, size, "%s", "");
    notes_text(f->graph, (uint32_t)row, notes, sizeof notes);
    return snprintf(
        buf, size, "%" PRIu32 " %04" PRIx64 " %s", f->graph->block[row].number, f->graph->block[row].addr, notes);
}

static bool address(struct pane *p, uint64_t *addr)
{
    const struct flow_pane *f = flow_ready(p);
    if (!f->graph || p->cursor >= p->count) return false;
    *addr = f->graph->block[p->cursor].addr;
    return true;
}

static void close_flow(struct pane *p) { drop(p->own); }

const struct pane_kind pane_flow = {
    .name = "flow",
    .across = true,
    .fits = true,
    .summary = "blocks of the function and the edges between them, with waves, heat and live registers",
    .own = sizeof(struct flow_pane),
    .draw = draw,
    .title = title,
    .act = act,
    .row_text = row_text,
    .address = address,
    .close = close_flow,
};
