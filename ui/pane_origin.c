/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_origin.c: where a value comes from, as a tree to walk back in time.
 *
 *     > 45102 4:1 - *(f32*)(c+0x44) = -3.75   v_mac_f32_e32 v0, v12, v13   (1 copy)
 *       45088 4:1   + $v0[1] = 2.25           v_mac_f32_e32 v0, v12, v13
 *                     $v12[1] = -6            buffer a as launched, byte 548
 *
 * A row is a value and the instruction that computed it: position, wave:lane (* several), and `>` where the machine
 * stands.  Rows below are its inputs, with the values that they had: - unfolded, + it has inputs.  A row without a
 * position is where a value begins.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "base/alloc.h"
#include "past/origin.h"
#include "past/off.h"
#include "image/image.h"
#include "machine/machine.h"
#include "gpudbg/text.h"

#define ROWS_MOST 2000
#define BELOW 96 /* inputs of a row at most */

struct origin_pane {
    const struct gpudbg_machine *machine; /* that the answers are of */
    char expression[256];                 /* "": why the lane is off */
    uint64_t asked;                       /* the position at which it was asked */
    uint32_t wave;
    int lane;
    char returns[GPUDBG_PRINT]; /* where the lane runs again */
    bool copies;                /* they are shown */
    struct origin_row {
        struct origin_node node;
        bool open;
    } * row;
    /* What the screen was before. */
    char layout[512];
    bool layout_chosen;
    struct pane *focus;
};

/* ---- Rows ---- */

static void rows_none(struct pane *p)
{
    struct origin_pane *o = p->own;
    free(o->row);
    o->row = NULL;
    p->count = p->cursor = p->top = 0;
}

/* Answers of a machine that is gone are none, nor are those of a time that is no longer recorded. */
static struct origin_pane *origin_ready(struct pane *p)
{
    struct origin_pane *o = p->own;
    const struct gpudbg_machine *m = p->g->running.machine;
    if (o->machine != m || (p->count && o->asked > machine_recorded(m))) rows_none(p);
    o->machine = p->g->running.machine;
    return o;
}

/* Puts the nodes from `from` on before row `at`, `deeper` levels down. */
static void rows_insert(struct pane *p, int at, const struct origin_node *node, size_t from, size_t n, unsigned deeper)
{
    struct origin_pane *o = p->own;
    const int add = (int)(n - from);
    o->row = xrealloc(o->row, (size_t)(p->count + add) + 1, sizeof *o->row);
    memmove(o->row + at + add, o->row + at, (size_t)(p->count - at) * sizeof *o->row);
    for (int i = 0; i < add; i++) {
        o->row[at + i] = (struct origin_row){.node = node[from + (size_t)i]};
        o->row[at + i].node.depth += deeper;
    }
    p->count += add;
}

/* The row behind the last one below row i. */
static int below_end(const struct pane *p, int i)
{
    const struct origin_pane *o = p->own;
    int end = i + 1;
    while (end < p->count && o->row[end].node.depth > o->row[i].node.depth) end++;
    return end;
}

static void row_fold(struct pane *p, int i)
{
    struct origin_pane *o = p->own;
    const int end = below_end(p, i);
    memmove(o->row + i + 1, o->row + end, (size_t)(p->count - end) * sizeof *o->row);
    p->count -= end - i - 1;
    o->row[i].open = false;
}

/* ---- Asking ---- */

static struct origin_node *value_asked(struct pane *p, size_t *n, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    const struct origin_want want = {.depth = 1, .rows = BELOW, .copies = o->copies, .addresses = true};
    struct past_place place = {0};
    struct origin_node *node = NULL;
    char text[sizeof o->expression], what[96];
    snprintf(text, sizeof text, "%s", o->expression);
    text_put(what, sizeof what, "%s", text);
    bool good = past_named(&p->g->eval, o->wave, text, &place, err);
    if (good && !place.is_register && (place.npieces != 1 || place.size > 64))
        good = gpudbg_fail(err, "too-large", "%s has %" PRIu64 " bytes: name one element", what, place.size);
    if (good) node = origin_of(&p->g->eval, past_name(&place, what), &place, &want, n, err);
    past_free(&place);
    return node;
}

static void returns_text(struct pane *p, const struct off *off)
{
    struct origin_pane *o = p->own;
    char where[GPUDBG_PRINT / 2];
    image_where(p->g->loaded.image, off->returns ? off->returns_pc : off->may_return_pc, where, sizeof where);
    o->returns[0] = 0;
    if (off->returns)
        snprintf(o->returns, sizeof o->returns, "lane %d runs again after %s, position %" PRIu64, o->lane, where,
            off->returns_position);
    else if (off->may_return)
        snprintf(o->returns, sizeof o->returns, "lane %d may run again at %s", o->lane, where);
}

static struct origin_node *off_asked(struct pane *p, size_t *n, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    const struct origin_want want = {.depth = 1, .rows = BELOW, .copies = o->copies, .addresses = true};
    struct off off;
    char what[96];
    snprintf(what, sizeof what, "lane %d off", o->lane);
    if (!off_find(&p->g->eval, o->wave, o->lane, &off, err)) return NULL;
    returns_text(p, &off);
    if (off.how == OFF_TURNED) return origin_of_lane(&p->g->eval, o->wave, o->lane, off.position, what, &want, n, err);
    return off.how == OFF_RUNS ? origin_of_predicate(&p->g->eval, o->wave, o->lane, &want, n, err) : NULL;
}

/* The input that one goes on to: the first value that an instruction computed. */
static int input_first(const struct pane *p, int i)
{
    const struct origin_pane *o = p->own;
    int any = i;
    for (int k = i + 1; k < below_end(p, i); k++) {
        if (o->row[k].node.depth != o->row[i].node.depth + 1) continue;
        if (o->row[k].node.found && o->row[k].node.role == INPUT_VALUE) return k;
        if (any == i || (!o->row[any].node.found && o->row[k].node.found)) any = k;
    }
    return any;
}

/* Asks at the present and shows the answer; none: there are no rows then. */
static bool ask(struct pane *p, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    size_t n = 0;
    struct origin_node *node = *o->expression ? value_asked(p, &n, err) : off_asked(p, &n, err);
    rows_none(p);
    if (node) rows_insert(p, 0, node, 0, n, 0);
    if (p->count) o->row[0].open = true;
    free(node);
    return !err->kind;
}

/* The same question again, with copies or without. */
static bool ask_again(struct pane *p, struct gpudbg_error *err)
{
    const struct origin_pane *o = p->own;
    struct gpudbg_machine *m = p->g->running.machine;
    const struct gpudbg_stop stop = m->stop;
    const uint64_t now = machine_position(m);
    const int lane = p->g->selection.lane;
    p->g->selection.lane = o->lane; /* an expression may mean that of the selected one */
    const bool good = machine_go(m, o->asked, err) && ask(p, err);
    p->g->selection.lane = lane;
    machine_come_back(m, now);
    m->stop = stop;
    return good;
}

static bool row_unfold(struct pane *p, int i, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    const struct origin_want want = {.depth = 1, .rows = BELOW, .copies = o->copies, .addresses = true};
    size_t n = 0;
    if (o->row[i].open || (!o->row[i].node.found && !o->row[i].node.copies)) return true;
    if (i == 0) return ask_again(p, err); /* it is no input of anything */
    if (p->count > ROWS_MOST) return gpudbg_fail(err, "too-large", "the tree is too large: fold a part of it");
    struct origin_node *node = origin_of_input(&p->g->eval, &o->row[i].node, &want, &n, err);
    if (!node) return false;
    rows_insert(p, i + 1, node, 1, n, o->row[i].node.depth);
    o->row[i].open = true;
    free(node);
    return true;
}

/* Takes the machine to the row's instruction, and selects its wave and lane. */
static bool row_go(struct pane *p, int i, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    const struct origin_node *node = &o->row[i].node;
    const struct past_write *w = &node->write;
    char line[40];
    if (!node->found) return gpudbg_fail(err, "not-now", "%s begins here: %s", node->name, node->leaf);
    p->g->selection.wave = w->wave;
    if (w->lanes && !(p->g->selection.lane >= 0 && w->lanes >> p->g->selection.lane & 1))
        p->g->selection.lane = __builtin_ctzll(w->lanes);
    snprintf(line, sizeof line, "goto %" PRIu64, w->position);
    screen_key_line(p->screen, line);
    return true;
}

/* Goes to the row and on to its first input: the same key walks back.  A value that was only copied has no instruction
 * to go to: on to the address that chose it first, the last on its way. */
static bool row_walk(struct pane *p, int i, struct gpudbg_error *err)
{
    const struct origin_pane *o = p->own;
    if (!row_unfold(p, i, err)) return false;
    const int end = below_end(p, i);
    if (!o->row[i].node.found && end > i + 1) {
        p->cursor = i + 1;
        for (int k = i + 1; k < end; k++)
            if (o->row[k].node.depth == o->row[i].node.depth + 1 && o->row[k].node.found) p->cursor = k;
        return true;
    }
    if (!row_go(p, i, err)) return false;
    p->cursor = input_first(p, i);
    return true;
}

/* ---- The screen around it ---- */

/* Gives the pane a place, and remembers what was there. */
static bool place(struct pane *p, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    struct screen *s = p->screen;
    const struct gpudbg_isa *isa = p->g->running.machine->isa;
    if (!layout_place(&s->layout, p)) {
        if (s->layout_name[0])
            snprintf(o->layout, sizeof o->layout, "%s", s->layout_name);
        else
            layout_text(&s->layout, o->layout, sizeof o->layout);
        o->layout_chosen = s->layout_chosen;
        o->focus = s->focus;
        s->layout_chosen = true;
        if (!screen_layout(s, isa->regions.footprints ? "origin-rows" : "origin", err)) return false;
    }
    screen_focus(s, p);
    return true;
}

/* Back to where the question was asked, and to the panes of then. */
static bool leave(struct pane *p, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    struct screen *s = p->screen;
    char line[40];
    if (p->count) {
        p->g->selection.wave = o->wave;
        p->g->selection.lane = o->lane;
        snprintf(line, sizeof line, "goto %" PRIu64, o->asked);
        screen_key_line(s, line);
    }
    if (!*o->layout) return true;
    if (!screen_layout(s, o->layout, err)) return false;
    s->layout_chosen = o->layout_chosen;
    *o->layout = 0;
    if (o->focus && layout_place(&s->layout, o->focus)) screen_focus(s, o->focus);
    return true;
}

static struct origin_pane *question(struct pane *p, const char *expression, int lane)
{
    struct origin_pane *o = origin_ready(p);
    snprintf(o->expression, sizeof o->expression, "%s", expression);
    o->asked = machine_position(p->g->running.machine);
    o->copies = false;
    o->wave = p->g->selection.wave;
    o->lane = lane;
    return o;
}

bool origin_show(struct screen *s, const char *expression, struct gpudbg_error *err)
{
    struct pane *p = pane_named(s, "origin", err);
    if (!p || !eval_need_machine(&s->g->eval, err)) return false;
    question(p, expression, s->g->selection.lane);
    if (!ask(p, err) || !place(p, err)) return false;
    const struct origin_node *root = &((struct origin_pane *)p->own)->row[0].node;
    if (root->found) return row_walk(p, 0, err);
    screen_say(s, STYLE_text, "%s begins here: %s", root->name, root->leaf);
    return true;
}

bool origin_show_off(struct screen *s, struct gpudbg_error *err)
{
    struct pane *p = pane_named(s, "origin", err);
    char line[40];
    if (!p || !eval_need_machine(&s->g->eval, err)) return false;
    const struct origin_pane *o = question(p, "", s->g->selection.lane < 0 ? 0 : s->g->selection.lane);
    if (!ask(p, err)) return false;
    snprintf(line, sizeof line, "why off %d", o->lane);
    if (!p->count) screen_key_line(s, line); /* it says why there is nothing to show */
    if (!p->count) return true;
    if (*o->returns) screen_say(s, STYLE_text, "%s", o->returns);
    return place(p, err);
}

/* ---- Drawing ---- */

/* " 4:1", " 4:*"; of a leaf nothing. */
static void who_text(const struct origin_node *node, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    const uint64_t lanes = node->write.lanes;
    if (size) buf[0] = 0;
    if (!node->found) return;
    text_add(&t, "%" PRIu32, node->write.wave);
    if (lanes && !(lanes & (lanes - 1)))
        text_add(&t, ":%d", __builtin_ctzll(lanes));
    else if (lanes)
        text_add(&t, ":*");
}

/* The value as its type shows it; the bits alone where nothing else is known. */
static void tree_text(const struct origin_row *row, char *buf, size_t size)
{
    const struct origin_node *node = &row->node;
    struct text t = text_in(buf, size);
    const bool unfolds = node->found || node->copies;
    text_add(&t, "%*s%s%s", (int)(2 * node->depth), "", row->open ? "- " : unfolds ? "+ " : "  ", node->name);
    if (node->role != INPUT_VALUE) text_add(&t, node->role == INPUT_ADDRESS ? " (address)" : " (choice)");
    if (!*node->value) return;
    text_add(&t, " = %.*s", node->plain, node->value);
}

static void what_text(struct pane *p, const struct origin_node *node, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (node->found)
        text_wrote(&t, past_insn_text(&p->g->eval, node->write.pc, buf, size));
    else
        text_add(&t, "%s", node->leaf);
    if (node->copies) text_add(&t, "  (%u cop%s)", node->copies, node->copies == 1 ? "y" : "ies");
}

struct columns {
    int position, who, tree; /* columns of each */
};

static struct columns columns_of(struct pane *p)
{
    const struct origin_pane *o = p->own;
    struct columns c = {0, 0, 0};
    char text[1400];
    for (int i = 0; i < p->count; i++) {
        const struct origin_node *node = &o->row[i].node;
        const int digits = node->found ? snprintf(NULL, 0, "%" PRIu64, node->write.position) : 0;
        c.position = digits > c.position ? digits : c.position;
        who_text(node, text, sizeof text);
        c.who = (int)strlen(text) > c.who ? (int)strlen(text) : c.who;
        tree_text(&o->row[i], text, sizeof text);
        c.tree = (int)strlen(text) > c.tree ? (int)strlen(text) : c.tree;
    }
    const int room = (p->columns - 5 - c.position - c.who) * 3 / 5;
    if (c.tree > room) c.tree = room > 8 ? room : 8;
    return c;
}

static void origin_row_draw(struct pane *p, const struct area *a, int y, int i, const struct columns *c)
{
    const struct origin_pane *o = p->own;
    const struct origin_node *node = &o->row[i].node;
    char text[1400];
    const bool here = node->found && node->write.position == machine_position(p->g->running.machine);
    const int who = 2 + c->position, tree = who + c->who + 1;
    if (here) area_text(a, 0, y, STYLE_current, ">");
    if (node->found) {
        snprintf(text, sizeof text, "%" PRIu64, node->write.position);
        area_right(a, 1, y, c->position, STYLE_address, text);
    }
    who_text(node, text, sizeof text);
    area_text(a, who, y, STYLE_address, text);
    tree_text(&o->row[i], text, sizeof text);
    const bool quiet = node->role == INPUT_ADDRESS;
    area_left(a, tree, y, c->tree, here ? STYLE_current : quiet ? STYLE_comment : STYLE_value, text);
    what_text(p, node, text, sizeof text);
    area_text(a, tree + c->tree + 2, y, node->found && !quiet ? STYLE_mnemonic : STYLE_comment, text);
    if (p->active && i == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
}

static void origin_draw(struct pane *p, const struct area *a)
{
    origin_ready(p);
    if (!p->count) {
        area_text(a, 1, 0, STYLE_comment,
            p->g->running.machine ? "nothing was asked; y on a value asks where it comes from" : "nothing is launched");
        return;
    }
    const struct columns c = columns_of(p);
    pane_list_fit(p, a->h);
    for (int y = 0; y < a->h && p->top + y < p->count; y++) origin_row_draw(p, a, y, p->top + y, &c);
}

static int origin_title(struct pane *p, char *buf, size_t size)
{
    const struct origin_pane *o = p->own;
    if (!p->count) return 0;
    return snprintf(
        buf, size, "%s  asked at %" PRIu64 "%s", o->row[0].node.name, o->asked, o->copies ? "  with copies" : "");
}

/* ---- Actions ---- */

/* The row that row i is an input of; 0: i is 0. */
static int row_above(const struct pane *p, int i)
{
    const struct origin_pane *o = p->own;
    int up = i;
    while (up > 0 && o->row[up].node.depth >= o->row[i].node.depth) up--;
    return up;
}

/* With copies or without: the inputs among which the cursor is, so that the way to them stays. */
static bool copies_switch(struct pane *p, struct gpudbg_error *err)
{
    struct origin_pane *o = p->own;
    const int up = row_above(p, p->cursor);
    o->copies = !o->copies;
    if (up > 0) {
        const int nth = p->cursor - up;
        row_fold(p, up);
        p->cursor = up;
        if (!row_unfold(p, up, err)) return false;
        p->cursor = up + (nth < below_end(p, up) - up ? nth : 1);
        return true;
    }
    const bool good = ask_again(p, err);
    if (p->count) p->cursor = input_first(p, 0);
    return good;
}

/* Folds the row, or goes to the one that it belongs to. */
static void row_left(struct pane *p)
{
    const struct origin_pane *o = p->own;
    if (o->row[p->cursor].open)
        row_fold(p, p->cursor);
    else
        p->cursor = row_above(p, p->cursor);
}

static bool origin_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    origin_ready(p);
    if (action == PANE_BACK) return leave(p, err);
    if (!p->count) return gpudbg_fail(err, "not-now", "nothing was asked yet");
    switch (action) {
    case PANE_ORIGIN: return row_walk(p, p->cursor, err);
    case PANE_FOLLOW: return row_go(p, p->cursor, err);
    case PANE_RIGHT: return row_unfold(p, p->cursor, err);
    case PANE_LEFT: row_left(p); return true;
    case PANE_COPIES: return copies_switch(p, err);
    default: return pane_list_act(p, action, arg, err);
    }
}

static bool origin_address(struct pane *p, uint64_t *addr)
{
    const struct origin_pane *o = p->own;
    if (p->cursor >= p->count || !o->row[p->cursor].node.found) return false;
    *addr = o->row[p->cursor].node.write.pc;
    return true;
}

static int origin_row_text(struct pane *p, int row, char *buf, size_t size)
{
    const struct origin_pane *o = p->own;
    char tree[1400], what[GPUDBG_PRINT];
    tree_text(&o->row[row], tree, sizeof tree);
    what_text(p, &o->row[row].node, what, sizeof what);
    return snprintf(buf, size, "%s  %s", tree, what);
}

static void origin_close(struct pane *p) { rows_none(p); }

const struct pane_kind pane_origin = {
    .name = "origin",
    .across = true,
    .takes = PANE_BIT(ORIGIN),
    .summary = "where a value comes from; y goes back along it",
    .own = sizeof(struct origin_pane),
    .draw = origin_draw,
    .title = origin_title,
    .act = origin_act,
    .row_text = origin_row_text,
    .address = origin_address,
    .close = origin_close,
};
