/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_regs.c: registers as a tree: blocks, registers, fields; those of a dump with their values, by capture, or, without a
 * dump, those of the databases.  Enter and left, right unfold and fold; looking for something unfolds what leads to it.  `*`
 * stands before what a reset would not leave, `~` before what differs from the capture before.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "inside.h"
#include "../core/dump_show.h"
#include "../core/registers.h"

#define RECORDS_MOST 20000 /* of a dump, shown as a tree */

enum node { CAPTURE, BLOCK, REGISTER, FIELD };

struct row {
    enum node node;
    uint64_t key;                /* of itself: stays the same while the rows change */
    const struct gpudbg_reg *reg;
    const struct gpudbg_field *field;
    struct gpudbg_record record; /* of a dump; name NULL: none */
    uint32_t capture;
    const char *text;            /* of a block or capture */
    bool open;
};

struct regs_pane {
    struct row *row;
    size_t room;
    uint64_t *open; /* keys of what is unfolded */
    size_t nopen;
    const struct gpudbg_dump *dump; /* what the rows are of */
    bool all;       /* everything counts as unfolded, while looking for something */
};

static uint64_t key_of(uint64_t parent, const char *name, uint64_t n)
{
    uint64_t h = parent ^ UINT64_C(1469598103934665603) ^ n * UINT64_C(0x9e3779b97f4a7c15);
    for (; name && *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return h;
}

static bool is_open(const struct regs_pane *s, uint64_t key)
{
    if (s->all)
        return true;
    for (size_t i = 0; i < s->nopen; i++)
        if (s->open[i] == key)
            return true;
    return false;
}

static void set_open(struct regs_pane *s, uint64_t key, bool open)
{
    for (size_t i = 0; i < s->nopen; i++)
        if (s->open[i] == key) {
            if (!open)
                s->open[i] = s->open[--s->nopen];
            return;
        }
    uint64_t *grown = open ? realloc(s->open, (s->nopen + 1) * sizeof *grown) : NULL;
    if (grown) {
        s->open = grown;
        s->open[s->nopen++] = key;
    }
}

/* ---- Rows ---- */

static struct row *add(struct pane *p, enum node node, uint64_t key)
{
    struct regs_pane *s = p->own;
    if ((size_t)p->count == s->room) {
        size_t room = s->room ? 2 * s->room : 256;
        struct row *grown = realloc(s->row, room * sizeof *grown);
        if (!grown)
            return NULL;
        s->row = grown;
        s->room = room;
    }
    struct row *r = &s->row[p->count++];
    *r = (struct row){.node = node, .key = key, .open = is_open(s, key)};
    return r;
}

static void add_register(struct pane *p, uint64_t parent, const struct gpudbg_reg *reg, const struct gpudbg_record *record, size_t n)
{
    uint64_t key = key_of(parent, reg ? reg->name : record->name, n + 1);
    struct row *r = add(p, REGISTER, key);
    if (!r)
        return;
    r->reg = reg;
    if (record) {
        r->record = *record;
        r->capture = record->capture;
    }
    bool open = r->open;
    for (size_t i = 0; open && reg && i < reg->format->count; i++) {
        struct row *f = add(p, FIELD, key_of(key, reg->format->fields[i].name, i));
        if (!f)
            return;
        f->reg = reg;
        f->field = &reg->format->fields[i];
        if (record)
            f->record = *record;
    }
}

/* The block of a record: its register's, else the unit that the dump names. */
static const char *block_of(const struct gpudbg_reg *reg, const struct gpudbg_record *r)
{
    return reg ? reg->block : r->unit ? r->unit : "other";
}

static void dump_block(struct pane *p, const struct gpudbg_dump *d, uint32_t capture, uint64_t parent, const char *block)
{
    struct gpudbg_record r;
    struct row *b = add(p, BLOCK, key_of(parent, block, 0));
    if (!b)
        return;
    b->text = block;
    bool open = b->open;
    uint64_t key = b->key; /* rows move while they are added */
    for (size_t i = 0; open && i < RECORDS_MOST && gpudbg_dump_record(d, i, &r); i++) {
        const struct gpudbg_reg *reg = r.capture == capture ? dump_reg(p->g, d, &r) : NULL;
        if (r.capture == capture && strcmp(block_of(reg, &r), block) == 0)
            add_register(p, key, reg, &r, i);
    }
}

/* Names of blocks met, in their order. */
struct met {
    const char *name[256];
    unsigned n;
};

static bool meet(struct met *m, const char *name)
{
    for (unsigned i = 0; i < m->n; i++)
        if (strcmp(m->name[i], name) == 0)
            return false;
    if (m->n < sizeof m->name / sizeof *m->name)
        m->name[m->n++] = name;
    return true;
}

static void dump_rows(struct pane *p, const struct gpudbg_dump *d)
{
    size_t n;
    const struct gpudbg_capture *capture = gpudbg_dump_captures(d, &n);
    struct gpudbg_record r;
    for (size_t c = 0; c < n; c++) {
        struct row *row = add(p, CAPTURE, key_of(1, capture[c].title, c));
        struct met met = {.n = 0};
        if (!row)
            return;
        row->text = capture[c].title;
        row->capture = (uint32_t)c;
        bool open = row->open;
        uint64_t key = row->key;
        for (size_t i = 0; open && i < RECORDS_MOST && gpudbg_dump_record(d, i, &r); i++)
            if (r.capture == c) {
                const char *block = block_of(dump_reg(p->g, d, &r), &r);
                if (meet(&met, block))
                    dump_block(p, d, (uint32_t)c, key, block);
            }
    }
}

static const char *isa_in_use(const struct gpudbg *g)
{
    return g->isa ? g->isa->name : g->image && g->image->isa ? g->image->isa->name : NULL;
}

static void database_rows(struct pane *p)
{
    const struct registers *regs = registers_of(p->g);
    const char *isa = isa_in_use(p->g);
    const struct gpudbg_reg *reg, *first;
    struct met met = {.n = 0};
    char name[64];
    for (size_t i = 0; (first = registers_each(regs, i)); i++) {
        if (!first->isa || (isa && strcmp(isa, first->isa) != 0) || !meet(&met, first->block))
            continue;
        snprintf(name, sizeof name, "%s", first->block);
        struct row *b = add(p, BLOCK, key_of(2, name, 0));
        if (!b)
            return;
        b->text = first->block;
        bool open = b->open;
        uint64_t key = b->key;
        for (size_t k = i; open && (reg = registers_each(regs, k)); k++)
            if (reg->isa && strcmp(reg->block, first->block) == 0 && (!isa || strcmp(isa, reg->isa) == 0))
                add_register(p, key, reg, NULL, k);
    }
}

static void take_rows(struct pane *p)
{
    struct regs_pane *s = p->own;
    const struct gpudbg_dump *d = gpudbg_session_dump(p->g, 0);
    size_t n;
    if (d != s->dump) {
        s->dump = d;
        s->nopen = 0;
        p->cursor = 0;
        const struct gpudbg_capture *capture = d ? gpudbg_dump_captures(d, &n) : NULL;
        for (size_t i = 0; capture && i < n; i++) /* the first with registers */
            if (capture[i].records) {
                set_open(s, key_of(1, capture[i].title, i), true);
                break;
            }
    }
    p->count = 0;
    if (d)
        dump_rows(p, d);
    else
        database_rows(p);
}

/* ---- Text ---- */

static uint64_t bits_of(const struct gpudbg_field *f, uint64_t value)
{
    uint64_t mask = f->run[0].len < 64 ? (UINT64_C(1) << f->run[0].len) - 1 : UINT64_MAX;
    return value >> f->run[0].lo & mask;
}

/* Whether the capture before has another value of the register. */
static bool differs_from_before(const struct regs_pane *s, const struct gpudbg_record *r)
{
    struct gpudbg_record before;
    return s->dump && r->capture && r->name && gpudbg_dump_find(s->dump, r->capture - 1, r->unit, r->name, &before) &&
           before.value != r->value;
}

static char mark_of(const struct regs_pane *s, const struct row *r)
{
    if (!s->dump || !r->reg || r->node < REGISTER)
        return ' ';
    if (r->node == REGISTER)
        return differs_from_before(s, &r->record) ? '~' : register_differs(r->reg, r->record.value & r->record.mask) ? '*' : ' ';
    bool known = r->reg->reset_mask >> r->field->run[0].lo & 1;
    return known && bits_of(r->field, r->record.value) != bits_of(r->field, r->reg->reset) ? '*' : ' ';
}

static int register_text(const struct regs_pane *s, const struct row *r, char *buf, size_t size)
{
    const char *doc = r->reg && r->reg->doc ? r->reg->doc : "";
    char title[96];
    if (s->dump) {
        dump_record_title(&r->record, title, sizeof title);
        return snprintf(buf, size, "%-26s 0x%0*" PRIx64 "  %s", title, r->record.bits == 64 ? 16 : 8, r->record.value, doc);
    }
    if (r->reg->addr == GPUDBG_NOWHERE)
        return snprintf(buf, size, "%-32s %-8s %s", r->reg->name, "", doc);
    return snprintf(buf, size, "%-32s 0x%05" PRIx64 "  %s", r->reg->name, r->reg->addr, doc);
}

static int field_text(const struct regs_pane *s, const struct row *r, char *buf, size_t size)
{
    const struct gpudbg_field *f = r->field;
    char bits[16], meaning[160] = "";
    const char *doc = f->doc ? f->doc : "";
    snprintf(bits, sizeof bits, "%u:%u", f->run[0].lo + f->run[0].len - 1u, f->run[0].lo);
    if (!s->dump)
        return snprintf(buf, size, "%7s  %-28s %s", bits, f->name, doc);
    if (!(r->record.mask >> f->run[0].lo & 1))
        return snprintf(buf, size, "%7s  %-28s not told", bits, f->name);
    uint64_t value = bits_of(f, r->record.value);
    gpudbg_field_meaning(f, NULL, value, meaning, sizeof meaning);
    return snprintf(buf, size, "%7s  %-28s 0x%-6" PRIx64 " %-18s %s", bits, f->name, value, meaning, doc);
}

static int row_text(struct pane *p, int at, char *buf, size_t size)
{
    const struct regs_pane *s = p->own;
    const struct row *r = &s->row[at];
    size_t n;
    switch (r->node) {
    case CAPTURE: {
        const struct gpudbg_capture *c = gpudbg_dump_captures(s->dump, &n) + r->capture;
        return snprintf(buf, size, "capture %u%s%s%s%s%s%s", r->capture, c->title ? ": " : "", c->title ? c->title : "",
            c->chip ? ", " : "", c->chip ? c->chip : "", c->family ? ", " : "", c->family ? c->family : "");
    }
    case BLOCK:
        return snprintf(buf, size, "%s", r->text);
    case REGISTER:
        return register_text(s, r, buf, size);
    case FIELD:
        return field_text(s, r, buf, size);
    }
    return 0;
}

/* ---- The pane ---- */

static void draw(struct pane *p, const struct area *a)
{
    const struct regs_pane *s = p->own;
    static const int indent[] = {1, 3, 5, 8};
    char text[600];
    take_rows(p);
    if (!p->count) {
        area_text(a, 1, 0, STYLE_comment, s->dump ? "the dump holds no registers" : "no registers in the databases");
        return;
    }
    pane_list_fit(p, a->h);
    for (int y = 0; y < a->h && p->top + y < p->count; y++) {
        const struct row *r = &s->row[p->top + y];
        char mark = mark_of(s, r);
        int x = indent[r->node] - (s->dump ? 0 : r->node > CAPTURE ? 2 : 0);
        row_text(p, p->top + y, text, sizeof text);
        if (r->node != FIELD)
            area_text(a, x, y, STYLE_comment, r->node == REGISTER && !r->reg ? " " : r->open ? "-" : "+");
        if (mark != ' ')
            area_put(a, x + 1, y, STYLE_changed, "%c", mark);
        area_text(a, x + 2, y, mark != ' ' ? STYLE_changed : r->node <= BLOCK ? STYLE_title : r->node == REGISTER ? STYLE_name : STYLE_text, text);
        if (p->active && p->top + y == p->cursor)
            area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct regs_pane *s = p->own;
    if (s->dump)
        return snprintf(buf, size, "%s", path_base(gpudbg_dump_path(s->dump)));
    return snprintf(buf, size, "%s", isa_in_use(p->g) ? isa_in_use(p->g) : "");
}

/* Unfolds or folds what is under the cursor; a field folds its register. */
static void fold(struct pane *p, int how)
{
    struct regs_pane *s = p->own;
    while (p->cursor > 0 && (s->row[p->cursor].node == FIELD || (how < 0 && !s->row[p->cursor].open && s->row[p->cursor].node > CAPTURE)))
        if (s->row[--p->cursor].node < REGISTER || s->row[p->cursor].open)
            break;
    const struct row *r = &s->row[p->cursor];
    if (r->node != FIELD)
        set_open(s, r->key, how > 0 || (how == 0 && !r->open));
    take_rows(p);
}

/* The next row that holds the text (NULL: the one of that line of the dump), folded ones too; what leads to it is unfolded. */
static bool find(struct pane *p, const char *what, uint32_t line, int step, struct gpudbg_error *err)
{
    struct regs_pane *s = p->own;
    uint64_t here = p->cursor < p->count ? s->row[p->cursor].key : 0, found = 0;
    char text[600];
    s->all = true;
    take_rows(p);
    int at = 0, count = p->count;
    while (at < count && s->row[at].key != here)
        at++;
    for (int i = 1; i <= count && !found; i++) {
        int row = ((at + step * i) % count + count) % count;
        row_text(p, row, text, sizeof text);
        if (what ? !strcasestr(text, what) : s->row[row].node != REGISTER || s->row[row].record.line != line)
            continue;
        if (!what)
            set_open(s, s->row[row].key, true);
        found = s->row[row].key;
        enum node below = s->row[row].node;
        for (int up = row; up >= 0; up--)
            if (s->row[up].node < below) {
                below = s->row[up].node;
                set_open(s, s->row[up].key, true);
            }
    }
    s->all = false;
    take_rows(p);
    for (int i = 0; found && i < p->count; i++)
        if (s->row[i].key == found)
            p->cursor = i;
    pane_list_fit(p, p->shown > 0 ? p->shown : 1);
    return found || gpudbg_fail(err, "command", "'%s' is not in pane %s", what ? what : "that line", p->name);
}

bool regs_show_line(struct screen *s, uint32_t line, struct gpudbg_error *err)
{
    struct pane *p = pane_named(s, "regs", err);
    if (!p)
        return false;
    take_rows(p);
    if (!find(p, NULL, line, 1, err))
        return false;
    screen_focus(s, p);
    return true;
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    take_rows(p);
    if (!p->count)
        return gpudbg_fail(err, "command", "pane %s is empty", p->name);
    switch (action) {
    case PANE_FOLLOW:        fold(p, 0); break;
    case PANE_RIGHT:         fold(p, 1); break;
    case PANE_LEFT:          fold(p, -1); break;
    case PANE_FIND:
    case PANE_FIND_NEXT:     return find(p, arg, 0, 1, err);
    case PANE_FIND_PREVIOUS: return find(p, arg, 0, -1, err);
    default:                 return pane_list_act(p, action, arg, err);
    }
    pane_list_fit(p, p->shown > 0 ? p->shown : 1);
    return true;
}

static void close_regs(struct pane *p)
{
    struct regs_pane *s = p->own;
    free(s->row);
    free(s->open);
}

const struct pane_kind pane_regs = {
    .name = "regs",
    .summary = "registers of a dump or of the databases, by block, with their fields",
    .own = sizeof(struct regs_pane),
    .draw = draw,
    .title = title,
    .act = act,
    .row_text = row_text,
    .close = close_regs,
};
