/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region.c: see region.h. */
#include "code/region.h"
#include "out/say.h"
#include "gpudbg/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define NAME_COLUMNS 7 /* "acc0   " */
#define ROW_BYTES 32   /* of a register that is wider: the rest stands on further rows */

/* ---- Rows of text ---- */

static struct region_row *new_row(struct region_picture *p)
{
    if ((p->n & (p->n - 1)) == 0) p->row = xrealloc(p->row, p->n ? 2 * p->n : 1, sizeof *p->row);
    struct region_row *row = &p->row[p->n++];
    memset(row, 0, sizeof *row);
    row->operand = -1;
    return row;
}

static void put(struct region_row *row, int x, enum region_mark mark, const char *text)
{
    for (; *text && x < REGION_COLUMNS; text++, x++) {
        if (x < 0) continue;
        while (row->n <= x) row->text[row->n++] = ' ';
        row->text[x] = *text;
        row->mark[x] = (uint8_t)mark;
    }
}

/* ---- Elements that coincide ---- */

struct slot {
    int32_t at;
    uint8_t size;
    bool lanes, all_off; /* lanes: it belongs to some; all_off: none of them takes part */
    uint64_t mask, off;  /* lanes that take part, and those that do not */
};

static int slot_order(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : (x->size > y->size) - (x->size < y->size);
}

/* Sorted by place; returns how many. */
static size_t slots_of(const struct gpudbg_footprint *f, struct slot *slot)
{
    size_t n = 0;
    for (unsigned i = 0; i < f->n; i++) {
        const struct gpudbg_element *e = &f->element[i];
        size_t k = 0;
        while (k < n && (slot[k].at != e->at || slot[k].size != e->size)) k++;
        if (k == n) slot[n++] = (struct slot){.at = e->at, .size = e->size};
        if (e->lane < 0) continue;
        slot[k].lanes = true;
        *(e->off ? &slot[k].off : &slot[k].mask) |= UINT64_C(1) << (e->lane & 63);
    }
    for (size_t k = 0; k < n; k++) slot[k].all_off = slot[k].lanes && !slot[k].mask;
    if (n) qsort(slot, n, sizeof *slot, slot_order);
    return n;
}

/* "3", "0-7", "0,4", "x3": what fits in `room` columns, at worst "*" or "x". */
static void slot_text(const struct slot *s, int room, char *buf, size_t size)
{
    uint64_t mask = s->all_off ? s->off : s->mask;
    char text[256];
    struct text t = text_in(text, sizeof text);
    if (!s->lanes) {
        snprintf(buf, size, "=");
        return;
    }
    for (int i = 0; i < 64; i++) {
        if (!(mask >> i & 1)) continue;
        int end = i;
        while (end < 63 && mask >> (end + 1) & 1) end++;
        text_add(&t, "%s%d", t.n ? "," : "", i);
        if (end > i) text_add(&t, "%c%d", end == i + 1 ? ',' : '-', end);
        i = end;
    }
    if (s->all_off)
        snprintf(buf, size, text_length(&t) < room ? "x%s" : "x", text);
    else
        snprintf(buf, size, "%s", text_length(&t) <= room ? text : "*");
}

/* ---- A register's row ---- */

static unsigned file_bytes(const struct gpudbg_isa *isa, unsigned file)
{
    unsigned bytes = file < isa->nfiles ? isa->files[file].bits / 8u : 0;
    return bytes < 1 ? 1 : bytes;
}

static void row_name(const struct gpudbg_isa *isa, unsigned file, int32_t reg, char *buf, size_t size)
{
    const struct gpudbg_regfile *f = &isa->files[file];
    if (f->indexed)
        snprintf(buf, size, "%s%" PRId32, f->name, reg);
    else
        snprintf(buf, size, "%s", f->name);
}

/* The bytes from..from + bytes of the file, scale columns a byte, from column x of the row on. */
struct strip {
    struct region_row *row;
    int x, scale;
    int32_t from, bytes;
    unsigned unit; /* bytes of an element */
};

static bool has_borders(const struct strip *s) { return s->unit * (unsigned)s->scale >= 3; }

/* Text in the middle of the bytes at..at + size, behind a border where there is room for one. */
static void strip_put(const struct strip *s, int32_t at, int32_t size, enum region_mark mark, const char *text)
{
    int32_t lo = at < s->from ? s->from : at, hi = at + size > s->from + s->bytes ? s->from + s->bytes : at + size;
    int x = s->x + (lo - s->from) * s->scale, room = (hi - lo) * s->scale, n = (int)strlen(text);
    if (room <= 0) return;
    if (has_borders(s)) {
        put(s->row, x, REGION_BORDER, "|");
        x++, room--;
    } else if (room == 2 && n == 1 && mark != REGION_EMPTY) {
        x++, room--; /* two digits a byte: units stand below each other */
    }
    if (n > room) n = room;
    char cut[64];
    snprintf(cut, sizeof cut, "%.*s", n, text);
    put(s->row, x + (room - n) / 2, mark, cut);
}

static void strip_draw(const struct strip *s, const struct slot *slot, size_t n)
{
    int32_t end = s->from + s->bytes, unit = (int32_t)s->unit, first = slot[0].at;
    int32_t phase = ((first - s->from) % unit + unit) % unit; /* of elements against the row */
    char text[256];
    put(s->row, s->x + s->bytes * s->scale, REGION_BORDER, "|");
    for (int32_t at = s->from + phase; at + unit <= end; at += unit) { /* what nobody touches */
        bool touched = false;
        for (size_t i = 0; i < n && !touched; i++) touched = slot[i].at < at + unit && slot[i].at + slot[i].size > at;
        if (!touched) strip_put(s, at, unit, REGION_EMPTY, ".");
    }
    for (size_t i = 0; i < n; i++) {
        if (slot[i].at >= end || slot[i].at + slot[i].size <= s->from) continue;
        slot_text(&slot[i], slot[i].size * s->scale - has_borders(s), text, sizeof text);
        strip_put(s, slot[i].at, slot[i].size, slot[i].all_off ? REGION_OFF : REGION_LANE, text);
    }
    put(s->row, s->x, REGION_BORDER, "|"); /* also where the row begins inside an element */
}

/* The same elements with what they hold. */
static void strip_values(const struct strip *s, const struct slot *slot, size_t n, const struct gpudbg_footprint *f,
    const struct region_values *v)
{
    char text[64];
    put(s->row, s->x + s->bytes * s->scale, REGION_BORDER, "|");
    for (size_t i = 0; i < n; i++) {
        const int room = slot[i].size * s->scale - has_borders(s);
        if (slot[i].at < s->from || slot[i].at + slot[i].size > s->from + s->bytes) continue;
        const bool known = v->text(v->data, f, slot[i].at, slot[i].size, room, text, sizeof text) > 0;
        if (known) strip_put(s, slot[i].at, slot[i].size, slot[i].all_off ? REGION_OFF : REGION_VALUE, text);
    }
    put(s->row, s->x, REGION_BORDER, "|");
}

/* Writes the values in one line from column x on: "0 3 -1".  "..." stands for those that have no room before `columns`.
 */
static void line_values(const struct strip *s, const struct slot *slot, size_t n, const struct gpudbg_footprint *f,
    const struct region_values *v, int x, int columns)
{
    enum { LEAST = 7, MOST = 11 }; /* columns of a number */
    char text[GPUDBG_ELEMENTS][MOST + 5];
    size_t in[GPUDBG_ELEMENTS], shown = 0;
    int left = 0, width = -1;
    for (size_t i = 0; i < n; i++)
        if (slot[i].at >= s->from && slot[i].at + slot[i].size <= s->from + s->bytes) in[left++] = i;
    if (!left || columns - x < LEAST) return;
    const int share = (columns - x + 1) / left - 1, room = share < LEAST ? LEAST : share > MOST ? MOST : share;
    for (int k = 0; k < left; k++) {
        const struct slot *at = &slot[in[k]];
        if (v->text(v->data, f, at->at, at->size, room, text[shown], sizeof text[shown]) <= 0) continue;
        width += (int)strlen(text[shown]) + 1;
        in[shown++] = in[k];
    }
    const bool whole = x + width <= columns;
    for (size_t k = 0; k < shown; x += (int)strlen(text[k++]) + 1) {
        if (!whole && x + (int)strlen(text[k]) + (int)strlen(" ...") > columns) {
            put(s->row, x, REGION_NOTE, "...");
            return;
        }
        put(s->row, x, slot[in[k]].all_off ? REGION_OFF : REGION_VALUE, text[k]);
    }
}

/* ---- An operand ---- */

struct drawing {
    struct region_picture *picture;
    const struct gpudbg_insn *insn;
    int columns, scale;
    bool compact;
    const struct region_values *values;
};

static void put_operand(struct region_row *row, int x, const struct gpudbg_footprint *f)
{
    char text[160];
    snprintf(text, sizeof text, "%-4s", f->role);
    put(row, x, REGION_ROLE, text);
    put(row, x + 5, REGION_TEXT, f->text);
    snprintf(text, sizeof text, "%s%s", f->part ? f->part : "", f->part && *f->note ? ": " : "");
    x += 7 + (int)strlen(f->text);
    put(row, x, REGION_ROLE, text);
    put(row, x + (int)strlen(text), REGION_NOTE, f->note);
}

static void draw_ruler(const struct drawing *d)
{
    struct region_row *row = new_row(d->picture);
    char text[16];
    for (int byte = 0; byte<ROW_BYTES; byte += d->scale> 1 ? 4 : 8) {
        snprintf(text, sizeof text, "%d", byte);
        put(row, NAME_COLUMNS + byte * d->scale + (d->scale > 1), REGION_RULER, text);
    }
}

static void draw_operand(const struct drawing *d, const struct gpudbg_footprint *f)
{
    struct slot slot[GPUDBG_ELEMENTS];
    size_t n = slots_of(f, slot);
    bool titled = !d->compact || n == 0;
    int values_at = 0; /* compact: the column where the values of the operand begin */
    char name[32];
    if (titled) put_operand(new_row(d->picture), 0, f);
    if (n == 0) return;
    int32_t bytes = (int32_t)file_bytes(d->insn->isa, f->file), piece = bytes < ROW_BYTES ? bytes : ROW_BYTES;
    for (int32_t at = slot[0].at < 0 ? -((-slot[0].at + piece - 1) / piece) * piece : slot[0].at / piece * piece;;
         at += piece) {
        bool touched = false, later = false;
        for (size_t i = 0; i < n; i++) {
            touched = touched || (slot[i].at < at + piece && slot[i].at + slot[i].size > at);
            later = later || slot[i].at + slot[i].size > at;
        }
        if (!later) return;
        if (!touched) continue;
        struct region_row *row = new_row(d->picture);
        struct strip s = {row, NAME_COLUMNS, d->scale, at, piece, f->size ? f->size : 4};
        row_name(d->insn->isa, f->file, at / bytes, name, sizeof name);
        put(row, 1, REGION_NAME, name);
        strip_draw(&s, slot, n);
        if (!titled) put_operand(row, NAME_COLUMNS + piece * d->scale + 2, f);
        titled = true;
        if (!d->values || strncmp(f->role, "src", 3) != 0) continue;
        if (d->compact) {
            if (!values_at) values_at = row->n + 2;
            line_values(&s, slot, n, f, d->values, values_at, d->columns);
            continue;
        }
        s.row = new_row(d->picture);
        strip_values(&s, slot, n, f, d->values);
    }
}

/* Sources first: they are read first. */
static void draw_in_order(const struct drawing *d, const struct gpudbg_footprint *f, unsigned n)
{
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < n; i++) {
            bool last = strcmp(f[i].role, "dst") == 0 || strcmp(f[i].role, "mask") == 0;
            const size_t from = d->picture->n;
            if (last == (pass == 1)) draw_operand(d, &f[i]);
            for (size_t row = from; row < d->picture->n; row++) d->picture->row[row].operand = (int)i;
        }
}

bool region_draw(struct region_picture *p, const struct gpudbg_insn *insn, struct gpudbg_wave *wave, int columns,
    bool compact, const struct region_values *values)
{
    *p = (struct region_picture){NULL, 0};
    if (!insn->op || !insn->isa->regions.footprints) return false;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    unsigned n = insn->isa->regions.footprints(insn, wave, f, GPUDBG_FOOTPRINTS), elements = 0;
    int scale = compact ? 1 : (columns - NAME_COLUMNS - 1) / ROW_BYTES;
    struct drawing d = {p, insn, columns, scale < 1 ? 1 : scale > 4 ? 4 : scale, compact, values};
    for (unsigned i = 0; i < n; i++) elements += f[i].n;
    if (elements && !compact) draw_ruler(&d);
    draw_in_order(&d, f, n);
    free(f);
    return true;
}

void region_free(struct region_picture *p)
{
    free(p->row);
    *p = (struct region_picture){NULL, 0};
}

/* ---- Records ---- */

static void record_operand(struct gpudbg_out *out, const struct gpudbg_isa *isa, const struct gpudbg_footprint *f)
{
    int32_t bytes = (int32_t)file_bytes(isa, f->file);
    char name[32];
    gpudbg_out_object(out, NULL);
    gpudbg_out_string(out, "role", f->role);
    gpudbg_out_string(out, "text", f->text);
    if (f->part) gpudbg_out_string(out, "part", f->part);
    if (*f->type) gpudbg_out_string(out, "element_type", f->type);
    if (f->size) gpudbg_out_number(out, "element_size", f->size);
    if (*f->note) gpudbg_out_string(out, "note", f->note);
    gpudbg_out_array(out, "elements");
    for (unsigned i = 0; i < f->n; i++) {
        const struct gpudbg_element *e = &f->element[i];
        int32_t reg = e->at >= 0 ? e->at / bytes : -((-e->at + bytes - 1) / bytes);
        gpudbg_out_object(out, NULL);
        if (e->lane >= 0) gpudbg_out_number(out, "channel", e->lane);
        row_name(isa, f->file, reg, name, sizeof name);
        gpudbg_out_string(out, "register", name);
        gpudbg_out_number(out, "byte", e->at - reg * bytes);
        gpudbg_out_number(out, "size", e->size);
        gpudbg_out_bool(out, "masked", e->off);
        gpudbg_out_close(out);
    }
    gpudbg_out_close(out);
    gpudbg_out_close(out);
}

void region_record(struct gpudbg_out *out, const struct gpudbg_insn *insn, struct gpudbg_wave *wave, unsigned syntax)
{
    char text[2048] = "";
    if (!insn->op || !insn->isa->regions.footprints) return;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    unsigned n = insn->isa->regions.footprints(insn, wave, f, GPUDBG_FOOTPRINTS);
    insn->isa->text(insn, syntax, GPUDBG_READABLE, NULL, text, sizeof text);
    BEGIN(out, "region", NULL, HEX("addr", insn->addr), STRING("text", text), BOOL("live", wave != NULL));
    gpudbg_out_array(out, "operands");
    for (unsigned i = 0; i < n; i++) record_operand(out, insn->isa, &f[i]);
    gpudbg_out_close(out);
    gpudbg_out_end(out);
    free(f);
}
