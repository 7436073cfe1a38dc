/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_fields.c: what every bit means: of the instruction under the code pane's cursor, or of a register that has
 * fields.
 *
 *     31   26 25      18 17 16 15     8 7      0     a ruler: where each field begins and ends, above its bits
 *     110110 [00110110] 0  0  00000000 01000000     the field under the cursor stands in brackets
 *     ENCODING 31:26 DS   >OP 25:18 ds_read_b32      name, range, meaning
 *     reads v12=128  writes v7                       with live values while a thread runs
 *
 * Where there is no room for every bit, the ruler names only where fields begin and shows their values in hex.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "inside.h"
#include "operand_value.h"
#include "registers_shown.h"
#include "ruler.h"
#include "code/records.h"
#include "code/walk.h"
#include "eval/expr.h"
#include "gpudbg/text.h"
#include "base/alloc.h"

#define ITEMS 192
#define NUMBER_MOST 12 /* columns of a value that an instruction reads */
#define WORD_MAX 256   /* bits of a register word */
#define PARTS_AT 4096  /* where registers of messages are ranked: behind all bits */

struct item { /* a field of the word */
    const struct gpudbg_field *field;
    struct gpudbg_field hole; /* copy, where the iterator made the field */
    uint32_t bit;             /* of the word it is in */
    uint64_t value;
    bool derived;
    char place[24]; /* of registers of a message, which are no bits of the word; else "" */
    char meaning[128];
};

struct fields_pane {
    bool is_register; /* else the instruction at the code cursor */
    unsigned file, index;
    uint64_t at; /* the code cursor then: moving it comes back to the instruction */
    uint64_t seen;
    struct item item[ITEMS], *shown[ITEMS]; /* as they come; in the order shown */
    struct ruler ruler;
    struct gpudbg_insn insn;
    bool is_insn, list; /* list: each field has a row of its own */
    int head;           /* rows above the list */
    uint8_t bytes[WORD_MAX / 8];
    struct spot {
        int x, row, names, ranges;
    } spot[ITEMS]; /* where each stands in the list: x on a row, its name and range padded */
};

/* ---- Taking the fields ---- */

/* The items in the order of the ruler; derived ones, which are not in the bytes, behind. */
static uint32_t item_top(const struct item *item)
{
    uint32_t hi = 0;
    for (int i = 0; i < GPUDBG_RUNS && item->field->run[i].len; i++) {
        uint32_t top = item->field->run[i].lo + item->field->run[i].len - 1u;
        hi = top > hi ? top : hi;
    }
    return item->bit + hi;
}
static int item_order(const void *a, const void *b)
{
    const struct item *x = *(const struct item *const *)a, *y = *(const struct item *const *)b;
    if (x->derived != y->derived) return x->derived ? 1 : -1;
    uint32_t i = item_top(x), k = item_top(y);
    if (i / 32 != k / 32) return i < k ? -1 : 1;
    return i > k ? -1 : i < k;
}

/* What stands in which register of a message, as items behind the fields. */
static void parts_take(struct pane *p)
{
    struct fields_pane *f = p->own;
    const struct gpudbg_isa *isa = f->insn.isa;
    struct gpudbg_footprint *print = isa->regions.footprints && f->insn.op ? xcalloc(GPUDBG_FOOTPRINTS, sizeof *print)
                                                                           : NULL;
    unsigned n = print ? isa->regions.footprints(&f->insn, gpudbg_session_wave(p->g), print, GPUDBG_FOOTPRINTS) : 0;
    for (unsigned i = 0; i < n && p->count < ITEMS; i++) {
        if (!print[i].part) continue;
        struct item *item = &f->item[p->count];
        int first = print[i].n ? print[i].element[0].lane : -1,
            last = print[i].n ? print[i].element[print[i].n - 1].lane : -1;
        *item = (struct item){
            .derived = true, .bit = PARTS_AT + 32 * i, .hole = {.name = print[i].role, .kind = GPUDBG_UINT}};
        item->field = &item->hole;
        struct text place = text_in(item->place, sizeof item->place);
        text_add(&place, "%s", print[i].text);
        struct text meaning = text_in(item->meaning, sizeof item->meaning);
        text_add(&meaning, "%s", print[i].part);
        if (first >= 0) text_add(&meaning, " of channels %d to %d", first, last);
        if (*print[i].note) text_add(&meaning, ": %s", print[i].note);
        p->count++;
    }
    free(print);
}

static void items_take(struct pane *p)
{
    struct fields_pane *f = p->own;
    struct gpudbg_field_iter iter;
    const struct gpudbg_isa *isa = p->g->loaded.image ? p->g->loaded.image->isa : NULL;
    p->count = f->ruler.count = 0;
    struct item *sorted[ITEMS];
    f->is_insn = false;
    if (f->is_register && isa && register_words(p->g, f->file, f->index)) {
        const struct gpudbg_regfile *file = &isa->files[f->file];
        size_t size = file->format->bits / 8 < sizeof f->bytes ? file->format->bits / 8 : sizeof f->bytes;
        memset(f->bytes, 0, sizeof f->bytes);
        memcpy(f->bytes, register_words(p->g, f->file, f->index), size < 4 ? 4 : size);
        gpudbg_word_fields(&iter, file->format, f->bytes);
    } else if (p->g->loaded.image && code_at(p->g->loaded.image, code_cursor(p->screen), &f->insn, &f->is_insn)) {
        gpudbg_insn_fields(&iter, &f->insn);
    } else {
        return;
    }
    while (p->count < ITEMS && gpudbg_next_field(&iter)) {
        struct item *item = &f->item[p->count];
        *item = (struct item){.field = iter.field, .bit = iter.bit, .value = iter.value, .derived = iter.derived};
        if (iter.field == &iter.hole) {
            item->hole = iter.hole;
            item->field = &item->hole;
        }
        gpudbg_field_meaning(item->field, iter.insn, item->value, item->meaning, sizeof item->meaning);
        p->count++;
    }
    if (f->is_insn) parts_take(p);
    for (int i = 0; i < p->count; i++) sorted[i] = &f->item[i];
    qsort(sorted, (size_t)p->count, sizeof *sorted, item_order);
    for (int i = 0; i < p->count; i++) {
        f->shown[i] = sorted[i];
        if (!sorted[i]->derived) ruler_add(&f->ruler, i, sorted[i]->field->run, sorted[i]->bit);
    }
    ruler_sort(&f->ruler);
    f->ruler.bytes = f->is_register ? f->bytes : f->insn.raw;
}

/* "25:18", "17", "31:28,7:0". */
static int item_bits(const struct item *item, char *buf, size_t size)
{
    int runs = 0;
    struct text t = text_in(buf, size);
    if (*item->place) return snprintf(buf, size, "%s", item->place);
    while (runs < GPUDBG_RUNS && item->field->run[runs].len) runs++;
    for (int i = runs - 1; i >= 0; i--) {
        unsigned lo = item->bit + item->field->run[i].lo, hi = lo + item->field->run[i].len - 1;
        const char *comma = i < runs - 1 ? "," : "";
        if (hi == lo)
            text_add(&t, "%s%u", comma, lo);
        else
            text_add(&t, "%s%u:%u", comma, hi, lo);
    }
    return text_length(&t);
}

/* ---- The list of names and meanings ---- */

static int widest(struct pane *p, int from, int step, bool names)
{
    struct fields_pane *f = p->own;
    char bits[64];
    int most = 1;
    for (int i = from; i < p->count; i += step) {
        int n = names ? (int)strlen(f->shown[i]->field->name) : item_bits(f->shown[i], bits, sizeof bits);
        most = n > most ? n : most;
    }
    return most < 16 ? most : 16;
}

/* n columns, read along the rows; returns the columns of the screen they take. */
static int spots_align(struct pane *p, int n, struct spot *spot)
{
    struct fields_pane *f = p->own;
    int x = 0;
    for (int k = 0; k < n; k++) {
        int names = widest(p, k, n, true), ranges = widest(p, k, n, false), meaning = 1;
        for (int i = k; i < p->count; i += n) {
            int text = text_columns(f->shown[i]->meaning, true);
            meaning = text > meaning ? text : meaning;
            spot[i] = (struct spot){x, i / n, names, ranges};
        }
        x += names + ranges + meaning + 5;
    }
    return x - 2;
}

/* One behind the other, as text runs. */
static void spots_flow(struct pane *p, int width, struct spot *spot)
{
    struct fields_pane *f = p->own;
    int x = 0, row = 0;
    for (int i = 0; i < p->count; i++) {
        int names = widest(p, i, p->count, true), ranges = widest(p, i, p->count, false);
        int w = names + ranges + 3 + text_columns(f->shown[i]->meaning, true);
        if (x && x + w > width) {
            x = 0;
            row++;
        }
        spot[i] = (struct spot){x, row, names, ranges};
        x += w + 1;
    }
}

/* Places the fields; whether each has a row of its own. */
static bool spots_choose(struct pane *p, int width, int rows, struct spot *spot)
{
    for (int n = 1; n <= 8; n++)
        if ((p->count + n - 1) / n <= rows && (spots_align(p, n, spot) <= width || n == 1)) return n == 1;
    spots_flow(p, width, spot);
    return false;
}

/* Where docs stand when every field has a row of its own. */
static int docs_at(struct pane *p, const struct area *a, const struct spot *spot)
{
    struct fields_pane *f = p->own;
    int most = 1;
    for (int i = 0; i < p->count; i++) {
        int n = text_columns(f->shown[i]->meaning, true);
        most = n > most ? n : most;
    }
    return spot->names + spot->ranges + 3 + (a->w >= 60 ? 9 : 0) + (most < 24 ? most : 24) + 2;
}

static void item_draw(struct pane *p, const struct area *a, int i, const struct spot *spot, int end_x)
{
    struct fields_pane *f = p->own;
    const struct item *item = f->shown[i];
    struct area cell = {a->cells, a->x + spot->x, a->y, end_x - spot->x, 1, 0};
    char bits[64];
    bool here = p->active && i == p->cursor, alone = f->list;
    item_bits(item, bits, sizeof bits);
    if (here) {
        area_put(&cell, 0, 0, STYLE_current, ">");
        area_cursor(&cell, 0, 0, 1, STYLE_current);
    }
    area_left(&cell, 1, 0, spot->names, here ? STYLE_field : STYLE_name, item->field->name);
    area_right(&cell, spot->names + 2, 0, spot->ranges, STYLE_address, bits);
    int end = spot->names + spot->ranges + 3;
    if (alone && a->w >= 60)
        end = *item->place ? end + 9 : area_put(&cell, end, 0, STYLE_value, "%-8" PRIx64 " ", item->value);
    end = area_text(&cell, end, 0, item->derived ? STYLE_comment : STYLE_text, item->meaning);
    int docs = alone ? docs_at(p, a, spot) : 0;
    if (alone && item->field->doc && strcmp(item->field->doc, item->meaning) && end + 2 < a->w)
        area_put(&cell, end + 2 < docs ? docs : end + 2, 0, STYLE_comment, "%s", item->field->doc);
}

static void list_draw(struct pane *p, const struct area *a, int y, int rows)
{
    struct fields_pane *f = p->own;
    if (rows < 1) return;
    f->head = y;
    f->list = spots_choose(p, a->w, rows, f->spot);
    int count = p->count, cursor = p->cursor;
    p->count = f->spot[count - 1].row + 1; /* the list scrolls by rows, its cursor moves by fields */
    p->cursor = f->spot[cursor].row;
    pane_list_fit(p, rows);
    p->count = count;
    p->cursor = cursor;
    for (int i = 0; i < count; i++) {
        int row = f->spot[i].row - p->top;
        struct area line = {a->cells, a->x, a->y + y + row, a->w, 1, 0};
        bool last = i + 1 == count || f->spot[i + 1].row != f->spot[i].row;
        if (row >= 0 && row < rows) item_draw(p, &line, i, &f->spot[i], last ? a->w : f->spot[i + 1].x);
    }
}

static struct pane_spot field_spot(const struct pane *p, int item)
{
    const struct fields_pane *f = p->own;
    return (struct pane_spot){f->spot[item].row, f->spot[item].x};
}

/* ---- What the instruction reads and writes ---- */

static int operand_live(struct pane *p, unsigned i, bool live, char *buf, size_t size)
{
    struct fields_pane *f = p->own;
    const struct gpudbg_operand *o = &f->insn.operands[i];
    struct text t = text_in(buf, size);
    if (f->insn.isa->operand_text) text_wrote(&t, f->insn.isa->operand_text(&f->insn, i, buf, size));
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    bool readable = o->kind == GPUDBG_REGISTER && o->count <= 2 && (o->flags & GPUDBG_READ) &&
                    f->insn.isa->files[o->file].bits <= 64; /* wider ones have the pane region */
    if (!live || !wave || !readable || !t.n) return text_length(&t);
    text_add(&t, "=");
    text_wrote(&t, register_typed(p->g, o->file, o->reg, o->count, p->g->selection.lane, NUMBER_MOST, text_end(&t),
                       text_room(&t)));
    return text_length(&t);
}

static void operands_text(struct pane *p, unsigned flag, const char *title, bool live, char *buf, size_t size)
{
    struct fields_pane *f = p->own;
    char seen[GPUDBG_OPERANDS][96];
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < f->insn.noperands; i++) {
        const struct gpudbg_operand *o = &f->insn.operands[i];
        bool known = false;
        seen[i][0] = 0;
        if (!(o->flags & flag) || (o->kind != GPUDBG_REGISTER && o->kind != GPUDBG_MEMORY)) continue;
        if (flag == GPUDBG_READ)
            operand_live(p, i, live, seen[i], sizeof seen[i]);
        else if (f->insn.isa->operand_text)
            f->insn.isa->operand_text(&f->insn, i, seen[i], sizeof seen[i]);
        for (unsigned k = 0; k < i; k++) known = known || !strcmp(seen[k], seen[i]);
        if (!known && seen[i][0]) text_add(&t, "%s %s", t.n ? "" : title, seen[i]);
    }
}

/* "sends r24-r25 addresses, r26-r27 x": says more of a message than the registers it reads.  0: it is none, and
 * buf stays as it is. */
static size_t parts_text(struct pane *p, bool answer, char *buf, size_t size)
{
    const struct fields_pane *f = p->own;
    struct text t = {buf, size, 0};
    for (int i = 0; i < p->count; i++) {
        const struct item *item = f->shown[i];
        if (!*item->place || !strcmp(item->field->name, "dst") != answer) continue;
        int what = (int)strcspn(item->meaning, ":");
        const char *of = strstr(item->meaning, " of channels");
        if (of && of - item->meaning < what) what = (int)(of - item->meaning);
        text_add(&t, "%s %s %.*s", t.n ? "," : answer ? "gets" : "sends", item->place, what, item->meaning);
    }
    return t.n;
}

/* "$3.dst 0040 send or 0090 send": what the instruction waits for, or who waits for it. */
static size_t waits_text(struct pane *p, bool forward, char *buf, size_t size)
{
    const struct fields_pane *f = p->own;
    const struct links *l = &p->screen->links;
    const char *how = "";
    struct text t = text_in(buf, size);
    for (size_t i = 0; i < l->n && !text_is_cut(&t); i++) {
        const struct gpudbg_wait *w = &l->wait[i];
        if ((forward ? w->producer : w->consumer) != f->insn.addr) continue;
        struct gpudbg_insn other = {.op = NULL};
        uint64_t at = forward ? w->consumer : w->producer;
        code_insn(p->screen, at, &other);
        bool same = t.n && !strcmp(how, w->how);
        text_add(&t, "%s%s %04" PRIx64 " %s",
            !same     ? " "
            : forward ? ","
                      : " or",
            same ? "" : w->how, at, other.op ? other.op->name : "");
        how = w->how;
    }
    return t.n;
}

/* Rules that the instruction breaks, what it waits for and who waits for it: a row each, from the bottom up; returns
 * how many. */
static int notes_draw(struct pane *p, const struct area *a, int most)
{
    struct fields_pane *f = p->own;
    struct gpudbg_problem problem[INSN_PROBLEMS];
    const struct gpudbg_isa *isa = f->insn.isa;
    char text[512];
    unsigned broken = isa->rules.problems ? isa->rules.problems(&f->insn, problem, INSN_PROBLEMS) : 0;
    int rows = 0;
    links_take(&p->screen->links, p->g->loaded.image, f->insn.addr);
    if (rows < most && waits_text(p, true, text, sizeof text))
        area_put(a, 1, a->h - ++rows, STYLE_comment, "awaited by%s", text);
    if (rows < most && waits_text(p, false, text, sizeof text))
        area_put(a, 1, a->h - ++rows, STYLE_comment, "waits for%s", text);
    for (unsigned i = broken; i-- > 0 && rows < most;)
        area_put(a, 0, a->h - ++rows, STYLE_error, "! %s: %s", problem[i].rule, problem[i].text);
    return rows;
}

static void fields_draw(struct pane *p, const struct area *whole)
{
    struct area rest = *whole, *a = &rest;
    struct fields_pane *f = p->own;
    uint64_t at = code_cursor(p->screen);
    if (f->is_register && f->at != at) f->is_register = false;
    if (f->seen != at) {
        f->seen = at;
        p->cursor = p->top = 0;
    }
    items_take(p);
    if (!p->count) {
        area_put(a, 1, 0, STYLE_comment, p->g->loaded.image ? "no instruction here" : "nothing is loaded");
        return;
    }
    if (p->cursor >= p->count) p->cursor = p->count - 1;
    char reads[512] = "", writes[512] = "";
    bool live = false;
    if (f->is_insn) {
        rest.h -= notes_draw(p, whole, whole->h / 2);
        operands_text(p, GPUDBG_READ, "reads", true, reads, sizeof reads);
        operands_text(p, GPUDBG_WRITE, "writes", false, writes, sizeof writes);
        bool message = parts_text(p, false, reads, sizeof reads);
        message = parts_text(p, true, writes, sizeof writes) || message;
        live = !message;
    }
    int one = (int)(strlen(reads) + strlen(writes)) + 4, last = 0;
    if (*reads || *writes) last = one > a->w && *reads && *writes && a->h > 5 ? 2 : 1;
    if (live && last == 1 && one > a->w && (int)strlen(reads) + 2 > a->w) /* in one row, not even alone */
        operands_text(p, GPUDBG_READ, "reads", false, reads, sizeof reads);
    int list = p->count < 5 ? (p->count + 1) / 2 : 3, y = 0;   /* rows that the list should have at least */
    if (a->h - last >= 2 && (a->h == whole->h || a->h >= 5)) { /* notes take the ruler's place where there is little */
        int keep = last + list - (a->h < 6);
        struct area top = *a;
        top.h = a->h - keep < 2 ? 2 : (a->h - keep) / 2 * 2;
        y = ruler_draw(&f->ruler, &top, p->active ? p->cursor : -1, 0);
        y = y > top.h ? top.h : y;
    }
    list_draw(p, a, y, a->h - last - y);
    if (last == 2) {
        area_text(a, 1, a->h - 2, STYLE_text, reads);
        area_text(a, 1, a->h - 1, STYLE_text, writes);
    } else if (last == 1) {
        int x = area_text(a, 1, a->h - 1, STYLE_text, reads);
        area_text(a, *reads ? x + 2 : x, a->h - 1, STYLE_text, writes);
    }
}

static int fields_title(struct pane *p, char *buf, size_t size)
{
    struct fields_pane *f = p->own;
    struct gpudbg_insn insn;
    char name[64];
    if (f->is_register && f->at == code_cursor(p->screen))
        return register_name(p->g, f->file, f->index, name, sizeof name), snprintf(buf, size, "%s", name);
    if (!code_insn(p->screen, code_cursor(p->screen), &insn))
        return snprintf(buf, size, "%s", p->g->loaded.image ? "data" : "");
    return snprintf(buf, size, "%s", insn.op->name);
}

void fields_show_register(struct screen *s, unsigned file, unsigned index)
{
    struct gpudbg_error err = {0};
    struct pane *p = pane_named(s, "fields", &err);
    const struct gpudbg_isa *isa = s->g->loaded.image ? s->g->loaded.image->isa : NULL;
    if (!p || !isa || !isa->files[file].format) return;
    struct fields_pane *f = p->own;
    f->is_register = true;
    f->file = file;
    f->index = index;
    f->at = f->seen = code_cursor(s);
    p->cursor = p->top = 0;
}

bool fields_shows(struct screen *s, unsigned file, unsigned index)
{
    struct gpudbg_error err = {0};
    const struct pane *p = pane_named(s, "fields", &err);
    const struct fields_pane *f = p ? p->own : NULL;
    return f && f->is_register && f->at == code_cursor(s) && f->file == file && f->index == index;
}

bool fields_edit(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    const struct fields_pane *f = p->own;
    const struct item *item = p->cursor < p->count ? f->shown[p->cursor] : NULL;
    if (!item || f->is_register || !f->is_insn || *item->place || strcmp(item->field->name, "-") == 0)
        return gpudbg_fail(err, "not-now", "no field of an instruction is under the cursor");
    if (item->derived)
        return gpudbg_fail(err, "not-now", "%s follows from other fields: change those", item->field->name);
    snprintf(buf, size, "patch -f *0x%" PRIx64 " %s=0x%" PRIx64, f->insn.addr, item->field->name, item->value);
    return true;
}

/* A register field leads to the register, a target to the code. */
static bool fields_follow(struct pane *p, struct gpudbg_error *err)
{
    struct fields_pane *f = p->own;
    if (p->cursor >= p->count) return gpudbg_fail(err, "not-now", "no field under the cursor");
    const struct item *item = f->shown[p->cursor];
    uint64_t target;
    if (f->is_insn && insn_target(&f->insn, &target) &&
        (item->field->kind == GPUDBG_TARGET || strtoull(item->meaning, NULL, 0) == target))
        return code_jump(p->screen, target, err);
    if (!p->g->running.machine)
        return gpudbg_fail(err, "no-launch", "nothing is launched, so %s has no value", item->meaning);
    char expr[160];
    struct value value;
    const char *name = *item->place ? item->place : item->meaning;
    snprintf(expr, sizeof expr, "$%.*s", (int)(*item->place ? strcspn(name, "-") : strlen(name)), name);
    if (!expr_value(&p->g->eval, expr, &value, err) || value.place != PLACE_REGISTER)
        return gpudbg_fail(err, "no-such-name", "%s is not a register: %s", item->field->name, item->meaning);
    registers_show(p->screen, value.file, value.reg);
    return true;
}

/* The register that the field under the cursor is about, or whose fields are shown. */
static bool fields_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    const struct fields_pane *f = p->own;
    const struct item *item = p->cursor < p->count ? f->shown[p->cursor] : NULL;
    if (f->is_register && !eval_need_machine(&p->g->eval, err)) return false;
    if (f->is_register) register_value(p->g, f->file, f->index, 1, buf, size);
    if (f->is_register) return true;
    if (!item || !f->is_insn) return gpudbg_fail(err, "not-now", "no field of an instruction is under the cursor");
    if (*item->place) return operand_of_region(p->g, &f->insn, (item->bit - PARTS_AT) / 32, buf, size, err);
    return operand_of_field(p->g, &f->insn, item->field->name, item->meaning, buf, size, err);
}

static bool fields_operand(struct pane *p, unsigned n, char *buf, size_t size, struct gpudbg_error *err)
{
    const struct fields_pane *f = p->own;
    if (f->is_register || !f->is_insn) return gpudbg_fail(err, "not-now", "no instruction is shown here");
    return operand_value(p->g, &f->insn, n, buf, size, err);
}

static bool fields_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct fields_pane *f = p->own;
    switch (action) {
    case PANE_LEFT: p->cursor -= p->cursor > 0; return true;
    case PANE_RIGHT: p->cursor += p->cursor + 1 < p->count; return true;
    case PANE_UP: pane_cursor_row(p, field_spot, -1); return true;
    case PANE_DOWN: pane_cursor_row(p, field_spot, 1); return true;
    case PANE_FOLLOW: return fields_follow(p, err);
    case PANE_BACK: f->is_register = false; return true;
    case PANE_ROW: {
        const int i = atoi(arg) < f->head ? -1 : pane_item_at(p, field_spot, atoi(arg) - f->head + p->top, arg);
        p->cursor = i < 0 ? p->cursor : i;
        return true;
    }
    default: return pane_list_act(p, action, arg, err);
    }
}

static int fields_row_text(struct pane *p, int row, char *buf, size_t size)
{
    struct fields_pane *f = p->own;
    return snprintf(buf, size, "%s %s", f->shown[row]->field->name, f->shown[row]->meaning);
}

const struct pane_kind pane_fields = {
    .name = "fields",
    .across = true,
    .fits = true,
    .summary = "every bit of the instruction under the cursor, or of a register",
    .own = sizeof(struct fields_pane),
    .draw = fields_draw,
    .title = fields_title,
    .act = fields_act,
    .row_text = fields_row_text,
    .value = fields_value,
    .operand = fields_operand,
};
