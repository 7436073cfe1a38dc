/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_code.c: the code, one unit a row, with the lines that stand before it: symbol or label, source line.
 *
 *     B >01a0   ds_read_b32 v7, v12 offset:64      (before the text brackets of loop, if, switch, where there are such,
 *     || |    |                                     and lines from what is waited for to who waits: links.h)
 *     || |    '-- gutter: ^ v a branch up or down, + where the branch under the cursor goes, ? no instruction
 *     || '-- address
 *     |'-- > the selected wave is here, w another wave of its group, ! the fault
 *     '--- B a breakpoint, b one that is off
 *
 * Nothing is decoded that is not shown, so it opens a file of any size at once.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "beside.h"
#include "blocks.h"
#include "code.h"
#include "inside.h"
#include "code/walk.h"
#include "links.h"
#include "operand_value.h"
#include "operands.h"
#include "rounds.h"
#include "seek.h"
#include "check/check.h"
#include "eval/location.h"
#include "eval/source_file.h"
#include "machine/machine.h"
#include "control/stop.h"
#include "gpudbg/text.h"

#define GUTTER 3 /* columns before the address */
#define TRAIL 64 /* jumps that Backspace knows */
#define ROWS_MAX 512

struct code_pane {
    const struct gpudbg_image *image; /* that the addresses belong to */
    uint64_t top, cursor;
    bool placed; /* top is right; else it is chosen anew around the cursor */
    uint64_t trail[TRAIL];
    int trailed;
    uint64_t row[ROWS_MAX]; /* address on each row last drawn */
    int rows;
    uint64_t unit[ROWS_MAX]; /* the same, GPUDBG_NO_ADDR on rows without an instruction */
    int links_at, links;     /* column and number of columns of the links; 0: there are none */
    struct code_labels labels;
    struct blocks blocks;
    struct sources sources;
    struct beside beside;
    struct rounds rounds; /* `set lane-values on` */
    int besides;          /* columns of live registers and heat; 0: there are none */
};

/* ---- State ---- */

/* Follows what is loaded: a new image starts at its first kernel, or at its first code. */
static struct code_pane *code_ready(struct pane *p)
{
    struct code_pane *c = p->own;
    const struct gpudbg_image *image = p->g->loaded.image;
    if (c->image == image) return c;
    code_labels_close(&c->labels);
    blocks_close(&c->blocks);
    beside_close(&c->beside);
    links_close(&p->screen->links);
    sources_close(&c->sources);
    *c = (struct code_pane){.image = image};
    if (image && !(image->nkernels && code_section(image, c->cursor = image->kernels[0].entry)))
        code_first(image, &c->cursor);
    return c;
}

static struct pane *code_pane_of(struct screen *s)
{
    struct gpudbg_error err = {0};
    return pane_named(s, "code", &err);
}

uint64_t code_cursor(struct screen *s)
{
    struct pane *p = code_pane_of(s);
    return p ? code_ready(p)->cursor : 0;
}

void code_show(struct screen *s, uint64_t addr)
{
    struct pane *p = code_pane_of(s);
    struct code_pane *c = p ? code_ready(p) : NULL;
    if (c && code_section(c->image, addr)) c->cursor = addr;
}

void code_show_near(struct screen *s, uint64_t pc)
{
    uint64_t addr = pc;
    if (!code_section(s->g->loaded.image, pc) && code_back(s->g->loaded.image, &addr, 1) == 1) pc = addr;
    code_show(s, pc);
}

bool code_insn(struct screen *s, uint64_t addr, struct gpudbg_insn *insn)
{
    bool is_insn = false;
    return s->g->loaded.image && code_at(s->g->loaded.image, addr, insn, &is_insn) && is_insn;
}

static void trail_add(struct code_pane *c)
{
    if (c->trailed == TRAIL) memmove(c->trail, c->trail + 1, sizeof c->trail - sizeof *c->trail), c->trailed--;
    c->trail[c->trailed++] = c->cursor;
}

bool code_jump(struct screen *s, uint64_t addr, struct gpudbg_error *err)
{
    struct pane *p = pane_named(s, "code", err);
    struct code_pane *c = p ? code_ready(p) : NULL;
    if (!c || !code_section(c->image, addr)) return gpudbg_fail(err, "out-of-range", "no code at 0x%" PRIx64, addr);
    trail_add(c);
    c->cursor = addr;
    return true;
}

/* ---- Rows ---- */

/* The source line that begins at addr, or NULL. */
static const struct gpudbg_line *line_at(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_line *line = image->nlines ? gpudbg_image_line(image, addr) : NULL;
    if (!line || line->addr != addr || !line->line) return NULL;
    if (!strcmp(line->file, image->path)) return NULL; /* the instruction says the same */
    return line > image->lines && line[-1].line == line->line && line[-1].file == line->file ? NULL : line;
}

static bool symbol_at(const struct gpudbg_image *image, uint64_t addr, const struct gpudbg_symbol **symbol)
{
    *symbol = gpudbg_image_symbol_at(image, addr);
    return *symbol && (*symbol)->addr == addr;
}

/* A source pane beside shows the lines; else they stand between the instructions. */
static bool lines_shown(const struct pane *p)
{
    if (!p->g->settings.source_lines) return false;
    for (int i = 0; i < p->screen->layout.count; i++)
        if (p->screen->layout.place[i].pane->kind == &pane_source && p->screen->layout.place[i].h > 0)
            return p->screen->zoomed != NULL;
    return true;
}

/* Rows that stand before the unit at addr. */
static int rows_before(struct pane *p, uint64_t addr)
{
    struct code_pane *c = p->own;
    const struct gpudbg_symbol *symbol;
    char name[256];
    code_labels_around(&c->labels, c->image, addr);
    int n = symbol_at(c->image, addr, &symbol) || code_label(&c->labels, addr, name, sizeof name);
    return n + (lines_shown(p) && line_at(c->image, addr));
}

/* The row on which `wanted` would be, counting from top; rows or more if it is not inside. */
static int row_of(struct pane *p, uint64_t wanted, int rows)
{
    struct code_pane *c = p->own;
    uint64_t at = c->top;
    for (int row = 0; row < rows;) {
        row += rows_before(p, at);
        if (at == wanted) return row;
        row++;
        if (!code_forward(c->image, &at)) break;
    }
    return rows;
}

/* Chooses `top` so that the cursor is shown: as it was if it is, by a line if it has just left, else with some code
 * before. */
static void top_choose(struct pane *p, int rows)
{
    struct code_pane *c = p->own;
    if (c->placed && c->cursor >= c->top && row_of(p, c->cursor, rows) < rows) return;
    uint64_t up = c->top, down = c->cursor;
    bool above = c->placed && c->cursor < c->top && code_back(c->image, &up, 3) && c->cursor >= up;
    bool below = c->placed && c->cursor > c->top && code_back(c->image, &down, rows + 2) && down <= c->top;
    int lead = above ? 0 : below ? rows - 2 : rows / 3, after = 0;
    for (uint64_t at = c->cursor; after < rows && code_forward(c->image, &at);) after++;
    if (lead < rows - 1 - after) /* at the end of the code nothing comes below: show what is above */
        lead = rows - 1 - after;
    c->top = c->cursor;
    code_back(c->image, &c->top, lead > 0 ? lead : 0);
    while (c->top < c->cursor && row_of(p, c->cursor, rows) >= rows)
        if (!code_forward(c->image, &c->top)) break;
    c->placed = true;
}

/* ---- Drawing ---- */

/* What the rows need to know of the running program. */
struct here {
    bool running;
    uint64_t pc;          /* of the selected wave */
    uint64_t wave_pc[64]; /* of the other waves of its group */
    uint32_t wave_id[64];
    int waves;
};

static void here_take(struct gpudbg *g, struct here *here)
{
    *here = (struct here){0};
    struct gpudbg_machine *m = g->running.machine;
    struct machine_wave_info info;
    if (!m || g->selection.wave >= m->nwaves) return;
    machine_wave_info(m, g->selection.wave, &info);
    here->running = info.state != GPUDBG_ENDED && !info.lost_pc;
    here->pc = info.pc;
    uint32_t n = m->waves_per_group ? m->waves_per_group : 1, first = g->selection.wave - g->selection.wave % n;
    for (uint32_t i = first; i < first + n && i < m->nwaves && here->waves < 64; i++) {
        machine_wave_info(m, i, &info);
        if (i == g->selection.wave || info.state == GPUDBG_ENDED || info.state == GPUDBG_UNSTARTED || info.lost_pc)
            continue;
        here->wave_pc[here->waves] = info.pc;
        here->wave_id[here->waves++] = i;
    }
}

/* "w1 w3" for the other waves at addr, or how many there are; empty if there are none. */
static void waves_text(const struct here *here, uint64_t addr, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    int n = 0;
    for (int i = 0; i < here->waves; i++)
        if (here->wave_pc[i] == addr) text_add(&t, "%sw%" PRIu32, n++ ? " " : "", here->wave_id[i]);
    if (text_is_cut(&t)) snprintf(buf, size, "%d waves", n);
}

/* The words of an instruction stand beside it where there is room for both; instructions that name regions are long. */
static bool words_shown(const struct pane *p)
{
    const struct code_pane *c = p->own;
    const struct gpudbg_isa *isa = c->image ? c->image->isa : NULL;
    if (p->g->settings.lane_values) return false; /* values need the room more */
    return p->columns >= (isa && isa->regions.footprints ? 104 : 62);
}

static int address_digits(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_section *s = code_section(image, addr);
    uint64_t end = s ? s->addr + s->size - 1 : addr;
    int n = 4;
    while (n < 16 && end >> (4 * n)) n++;
    return n;
}

/* The branch that the cursor is on, as the rows it crosses; false if it is on none. */
struct arrow {
    uint64_t from, to;
};
static bool arrow_take(struct code_pane *c, struct arrow *arrow)
{
    struct gpudbg_insn insn;
    bool is_insn;
    arrow->from = c->cursor;
    return code_at(c->image, c->cursor, &insn, &is_insn) && is_insn && insn_target(&insn, &arrow->to) &&
           arrow->to != arrow->from;
}

static void gutter_draw(
    const struct area *a, int x, int y, const struct gpudbg_insn *insn, bool is_insn, const struct arrow *arrow)
{
    uint64_t target;
    if (!is_insn)
        area_put(a, x, y, STYLE_error, "?");
    else if (insn_target(insn, &target))
        area_repeat(a, x, y, 1, STYLE_symbol, target <= insn->addr ? 0x2191 : 0x2193, target <= insn->addr ? '^' : 'v');
    else if (arrow && insn->addr == arrow->to)
        area_repeat(a, x, y, 1, STYLE_symbol, arrow->to < arrow->from ? 0x250c : 0x2514, '+');
    else if (arrow && (insn->addr > arrow->from) != (insn->addr >= arrow->to) && insn->addr != arrow->from)
        area_repeat(a, x, y, 1, STYLE_rule, 0x2502, '|');
}

/* Brackets of the blocks that the unit stands in, opens, divides or closes; returns the column after them. */
static int blocks_draw(struct code_pane *c, const struct area *a, int x, int y, uint64_t addr)
{
    const struct blocks_unit *u = blocks_at(&c->blocks, c->image, addr);
    for (unsigned level = 0; u && level < u->depth && level < BLOCKS_DEEP; level++, x += 2)
        area_repeat(a, x, y, 1, STYLE_rule, 0x2502, '|');
    if (!u || !u->mark || u->depth >= BLOCKS_DEEP) return x;
    uint32_t corner = u->mark & GPUDBG_OP_OPEN ? 0x250c : u->mark & GPUDBG_OP_CLOSE ? 0x2514 : 0x251c;
    area_repeat(a, x, y, 1, STYLE_rule, corner, '+');
    return x + 1;
}

static void unit_draw(
    struct pane *p, const struct area *a, int y, uint64_t addr, const struct here *here, const struct arrow *arrow)
{
    struct code_pane *c = p->own;
    struct gpudbg_insn insn;
    bool is_insn = false;
    char text[512], waves[64];
    if (!code_at(c->image, addr, &insn, &is_insn)) return;
    const struct stop_point *stop = p->g->control.stops ? stops_at(&p->g->control, addr) : NULL;
    bool current = here->running && addr == here->pc;
    waves_text(here, addr, waves, sizeof waves);
    const bool on = stop && stop->on && stop_location_at(stop, addr)->on;
    if (stop) area_put(a, 0, y, STYLE_breakpoint, on ? "B" : "b");
    bool fault = current && p->g->running.last.reason == GPUDBG_STOP_FAULT && p->g->running.last.pc == addr;
    if (fault || checks_at(p->g->control.checks, addr))
        area_put(a, 1, y, STYLE_error, "!");
    else if (waves[0])
        area_put(a, 1, y, STYLE_name, "w");
    if (current) area_put(a, 2, y, STYLE_current, ">");
    int x = area_put(a, 3, y, STYLE_address, "%0*" PRIx64, address_digits(c->image, addr), addr) + 1;
    if (words_shown(p)) {
        char bytes[40];
        struct text t = text_in(bytes, sizeof bytes);
        for (uint32_t i = 0; i < insn.size && i < 8; i += 4) {
            uint32_t word = 0;
            memcpy(&word, insn.raw + i, insn.size - i < 4 ? insn.size - i : 4);
            text_add(&t, "%08" PRIx32 " ", word);
        }
        if (insn.size > 8) text_add(&t, "+"); /* there are more */
        area_left(a, x, y, 19, STYLE_comment, bytes);
        x += 18;
    }
    if (c->besides) beside_draw(&c->beside, p->g, a, x, y, addr);
    x += c->besides;
    gutter_draw(a, x, y, &insn, is_insn, arrow);
    if (c->links) {
        c->links_at = x + 1;
        x += c->links;
    }
    x = blocks_draw(c, a, x + 2, y, addr);
    code_text(p->g, &c->labels, &insn, is_insn, text, sizeof text);
    const struct area beside = pane_scrolled(p, a, x);
    int end = x - p->side + area_text(&beside, 0, y, current ? STYLE_current : STYLE_text, text);
    if (!current) area_restyle(&beside, 0, y, (int)strcspn(text, " "), STYLE_mnemonic);
    if (!current && is_insn) operands_style(&beside, 0, y, insn.isa, text);
    const int room = p->columns - end - 4 - (int)strlen(waves);
    if (c->besides && !p->g->settings.lane_values && !p->wrap && room > 6 &&
        beside_names(&c->beside, addr, text, sizeof text) > 0)
        area_put(&beside, (end - (x - p->side)) + 2, y, STYLE_comment, "%.*s%s", room - 1, text,
            (int)strlen(text) >= room ? ">" : "");
    const char *wrote = p->g->settings.lane_values && is_insn ? rounds_at(&c->rounds, addr) : NULL;
    if (wrote && !p->wrap && (int)strlen(wrote) + 2 <= p->columns - end - (waves[0] ? (int)strlen(waves) + 2 : 0))
        area_text(&beside, end - (x - p->side) + 2, y, STYLE_constant, wrote);
    const int edge = p->wrap ? end + 2 + (int)strlen(waves) : p->columns;
    if (waves[0] && end + 2 + (int)strlen(waves) <= edge) area_text(a, edge - (int)strlen(waves), y, STYLE_name, waves);
    if (!p->active || addr != c->cursor) return;
    area_cursor(a, 0, y, a->w, STYLE_cursor);
    if (stop) area_restyle(a, 0, y, 1, STYLE_breakpoint); /* red under the cursor, too */
}

/* Where text begins: behind the address, the bytes and a gutter. A number of a line there is taken for no address. */
static int text_column(const struct pane *p, uint64_t addr)
{
    const struct code_pane *c = p->own;
    return 3 + address_digits(c->image, addr) + 1 + (words_shown(p) ? 18 : 0) + 2 + c->links + c->besides;
}

/* The rows before the unit at addr, from row y on; returns the row after them. */
static int before_draw(struct pane *p, const struct area *a, int y, uint64_t addr)
{
    struct code_pane *c = p->own;
    const struct gpudbg_symbol *symbol;
    char name[256];
    code_labels_around(&c->labels, c->image, addr);
    if (symbol_at(c->image, addr, &symbol)) {
        c->row[y] = addr;
        area_put(a, 3, y++, STYLE_symbol, "%s:", symbol->name);
    } else if (code_label(&c->labels, addr, name, sizeof name)) {
        c->row[y] = addr;
        area_put(a, 3, y++, STYLE_symbol, "%s:", name);
    }
    const struct gpudbg_line *line = lines_shown(p) ? line_at(c->image, addr) : NULL;
    if (line && y < a->h && y < ROWS_MAX) {
        size_t n = 0;
        const char *text = source_line(sources_of(&c->sources, &p->g->loaded, line->file), line->line, &n);
        const struct area beside = pane_scrolled(p, a, text_column(p, addr));
        c->row[y] = addr;
        while (text && n && (*text == ' ' || *text == '\t')) { /* the indentation says nothing here */
            text++;
            n--;
        }
        if (text)
            area_put(&beside, 0, y++, STYLE_source, "%" PRIu32 ": %.*s", line->line, (int)(n < 900 ? n : 900), text);
        else
            area_put(&beside, 0, y++, STYLE_source, "%s:%" PRIu32, path_base(line->file), line->line);
    }
    return y;
}

static void code_draw(struct pane *p, const struct area *a)
{
    struct code_pane *c = code_ready(p);
    struct gpudbg_insn insn;
    bool is_insn;
    c->rows = 0;
    if (!c->image || !code_at(c->image, c->cursor, &insn, &is_insn)) {
        area_put(a, 1, 0, STYLE_comment, c->image ? "no code in this file" : "nothing is loaded");
        return;
    }
    top_choose(p, a->h);
    struct here here;
    struct arrow arrow;
    here_take(p->g, &here);
    bool arrowed = arrow_take(c, &arrow);
    c->links = links_take(&p->screen->links, c->image, c->cursor) ? links_columns(p->columns) : 0;
    if (p->g->settings.lane_values) rounds_take(&c->rounds, p->g);
    c->besides = beside_take(&c->beside, p->g, c->cursor, p->columns);
    uint64_t addr = c->top;
    int y = 0;
    do {
        int before = y;
        y = before_draw(p, a, y, addr);
        while (before < y && before < ROWS_MAX) c->unit[before++] = GPUDBG_NO_ADDR;
        if (y >= a->h || y >= ROWS_MAX) break;
        c->row[y] = c->unit[y] = addr;
        unit_draw(p, a, y++, addr, &here, arrowed ? &arrow : NULL);
    } while (y < a->h && y < ROWS_MAX && code_forward(c->image, &addr));
    c->rows = y;
    if (c->links) links_draw(&p->screen->links, a, c->links_at, c->links, c->unit, y, c->cursor);
}

static int code_title(struct pane *p, char *buf, size_t size)
{
    struct code_pane *c = code_ready(p);
    const struct gpudbg_symbol *symbol = c->image ? gpudbg_image_symbol_at(c->image, c->cursor) : NULL;
    if (!symbol) return snprintf(buf, size, "%s", "");
    return snprintf(buf, size, "%s+0x%" PRIx64, symbol->name, c->cursor - symbol->addr);
}

/* ---- Actions ---- */

static void cursor_move(struct pane *p, int n)
{
    struct code_pane *c = p->own;
    if (n < 0) code_back(c->image, &c->cursor, -n);
    while (n-- > 0 && code_forward(c->image, &c->cursor))
        ;
}

/* A page: the code moves and the cursor with it. */
static void page_move(struct pane *p, int n)
{
    struct code_pane *c = p->own;
    uint64_t top = c->top;
    cursor_move(p, n);
    if (n < 0) code_back(c->image, &top, -n);
    while (n-- > 0 && code_forward(c->image, &top))
        ;
    c->top = top;
}

/* From the cursor on (or back), the unit or label whose text holds `what`. */
static bool code_find(struct pane *p, const char *what, bool back, struct gpudbg_error *err)
{
    struct code_pane *c = p->own;
    struct seek seek;
    uint64_t at = c->cursor;
    seek_open(&seek, p->g, what);
    const enum seek_end end = back ? seek_before(&seek, &at) : seek_after(&seek, &at);
    seek_close(&seek);
    if (end == SEEK_STOPPED) return gpudbg_fail(err, "interrupt", "find: interrupted at 0x%" PRIx64, at);
    if (end == SEEK_NOWHERE)
        return gpudbg_fail(
            err, "no-such-name", "'%s' is not in the code %s the cursor", what, back ? "before" : "after");
    trail_add(c);
    c->cursor = at;
    return true;
}

static bool code_follow(struct pane *p, struct gpudbg_error *err)
{
    struct code_pane *c = p->own;
    struct gpudbg_insn insn;
    uint64_t target;
    if (!code_insn(p->screen, c->cursor, &insn) || !insn_target(&insn, &target))
        return gpudbg_fail(err, "not-now", "no branch at 0x%" PRIx64, c->cursor);
    return code_jump(p->screen, target, err);
}

static bool code_goto(struct pane *p, const char *expr, struct gpudbg_error *err)
{
    uint64_t addr;
    return gpudbg_evaluate(p->g, expr, &addr, err) && code_jump(p->screen, addr, err);
}

static bool code_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct code_pane *c = code_ready(p);
    struct gpudbg_wave *wave;
    int page = p->shown > 2 ? p->shown - 1 : 1, half = page > 1 ? page / 2 : 1, row;
    if (!c->image || !code_section(c->image, c->cursor)) return gpudbg_fail(err, "no-file", "no code is loaded");
    switch (action) {
    case PANE_UP: cursor_move(p, -1); break;
    case PANE_DOWN: cursor_move(p, 1); break;
    case PANE_PAGE_UP: page_move(p, -page); break;
    case PANE_PAGE_DOWN: page_move(p, page); break;
    case PANE_HALF_UP: page_move(p, -half); break;
    case PANE_HALF_DOWN: page_move(p, half); break;
    case PANE_SCROLL_UP: page_move(p, -3); break;
    case PANE_SCROLL_DOWN: page_move(p, 3); break;
    case PANE_TOP:
        trail_add(c);
        code_first(c->image, &c->cursor);
        break;
    case PANE_BOTTOM:
        trail_add(c);
        code_last(c->image, &c->cursor);
        break;
    case PANE_FIND:
    case PANE_FIND_NEXT: return code_find(p, arg, false, err);
    case PANE_FIND_PREVIOUS: return code_find(p, arg, true, err);
    case PANE_FOLLOW: return code_follow(p, err);
    case PANE_GOTO: return code_goto(p, arg, err);
    case PANE_BACK:
        if (!c->trailed) return gpudbg_fail(err, "not-now", "there is no place to go back to");
        c->cursor = c->trail[--c->trailed];
        break;
    case PANE_HERE:
        if (!(wave = gpudbg_session_wave(p->g))) return gpudbg_fail(err, "no-launch", "nothing is launched");
        code_show_near(p->screen, wave->pc);
        break;
    case PANE_ROW:
        row = atoi(arg);
        if (row < 0 || row >= c->rows) break;
        c->cursor = c->row[row];
        if (pane_click_column(arg) < GUTTER && c->unit[row] == c->cursor) screen_key_line(p->screen, "toggle");
        break;
    default: return gpudbg_fail(err, "unsupported", "pane code has no action '%s'", pane_action_name(action));
    }
    return true;
}

static bool code_address(struct pane *p, uint64_t *addr)
{
    struct gpudbg_insn insn;
    return code_insn(p->screen, *addr = code_ready(p)->cursor, &insn);
}

static bool code_operand(struct pane *p, unsigned n, char *buf, size_t size, struct gpudbg_error *err)
{
    struct gpudbg_insn insn = {.op = NULL};
    code_insn(p->screen, code_ready(p)->cursor, &insn);
    return operand_value(p->g, &insn, n, buf, size, err);
}

static bool code_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    return code_operand(p, 0, buf, size, err);
}

static void code_close(struct pane *p)
{
    struct code_pane *c = p->own;
    code_labels_close(&c->labels);
    blocks_close(&c->blocks);
    beside_close(&c->beside);
    sources_close(&c->sources);
}

const struct pane_kind pane_code = {
    .name = "code",
    .keeps = true,
    .summary = "instructions, breakpoints, where each wave is, branches",
    .own = sizeof(struct code_pane),
    .draw = code_draw,
    .title = code_title,
    .act = code_act,
    .address = code_address,
    .value = code_value,
    .operand = code_operand,
    .close = code_close,
};
