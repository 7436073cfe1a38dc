/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_regs.c: registers as a tree: blocks, registers, fields; those of a dump with their values, by capture, or,
 * without a dump, those of the databases.  Enter and left, right unfold and fold; looking for something unfolds what
 * leads to it.  `*` stands before what a reset would not leave, `~` before what differs from the capture before.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "inside.h"
#include "base/alloc.h"
#include "storm.h"
#include "dump/dump_show.h"
#include "word/registers.h"

#define NAME_LEAST 8        /* columns that a name is cut to at most */
#define FOLLOWED_MOST 20000 /* records of a dump in which other panes' moves are followed */
#define UNFOLDED_MOST 2000  /* records of a dump whose fields are looked through, too */

enum node { CAPTURE, BLOCK, REGISTER, FIELD, FOLD };

struct row {
    uint64_t key; /* of itself: stays the same while the rows change */
    const struct gpudbg_reg *reg;
    const struct gpudbg_field *field;
    const char *text;        /* of a block or capture */
    uint32_t record;         /* of a dump: its number */
    uint32_t capture, times; /* times: of a fold */
    uint8_t node;            /* enum node */
    bool open;
};

/* What a row may take. */
struct room {
    int columns;      /* 0: no limit */
    const char *mark; /* of what is left out */
};

/* A record of the dump and what it is a value of; sorted by capture and block, so that a block is a run of them. */
struct entry {
    const struct gpudbg_reg *reg;
    const char *block;
    uint32_t record, first, capture; /* first: of the block */
};

struct regs_pane {
    struct entry *entry;
    size_t nentries;
    const char *isa; /* whose databases the rows are of, without a dump */
    bool stale;      /* the rows must be made again */
    struct row *row;
    size_t room;
    uint64_t *open; /* keys of what is unfolded */
    size_t nopen;
    const struct gpudbg_dump *dump; /* what the rows are of */
    bool all;                       /* everything counts as unfolded, while looking for something */
};

static uint64_t key_of(uint64_t parent, const char *name, uint64_t n)
{
    uint64_t h = parent ^ UINT64_C(1469598103934665603) ^ n * UINT64_C(0x9e3779b97f4a7c15);
    for (; name && *name; name++) h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return h;
}

static bool is_open(const struct regs_pane *s, uint64_t key)
{
    if (s->all) return true;
    for (size_t i = 0; i < s->nopen; i++)
        if (s->open[i] == key) return true;
    return false;
}

static void set_open(struct regs_pane *s, uint64_t key, bool open)
{
    for (size_t i = 0; i < s->nopen; i++)
        if (s->open[i] == key) {
            if (!open) {
                s->open[i] = s->open[--s->nopen];
                s->stale = true;
            }
            return;
        }
    if (open) {
        s->stale = true;
        s->open = xrealloc(s->open, s->nopen + 1, sizeof *s->open);
        s->open[s->nopen++] = key;
    }
}

/* ---- Rows ---- */

static struct row *add(struct pane *p, enum node node, uint64_t key)
{
    struct regs_pane *s = p->own;
    if ((size_t)p->count == s->room) {
        size_t room = s->room + s->room / 4 + 256;
        s->row = xrealloc(s->row, room, sizeof *s->row);
        s->room = room;
    }
    struct row *r = &s->row[p->count++];
    *r = (struct row){.node = (uint8_t)node, .key = key, .open = is_open(s, key)};
    return r;
}

static void add_register(
    struct pane *p, uint64_t parent, const struct gpudbg_reg *reg, const struct entry *entry, size_t n)
{
    struct regs_pane *s = p->own;
    struct gpudbg_record record = {.name = NULL};
    if (entry) gpudbg_dump_record(s->dump, entry->record, &record);
    uint64_t key = key_of(parent, reg ? reg->name : record.name, n + 1);
    struct row *r = add(p, REGISTER, key);
    if (!r) return;
    r->reg = reg;
    if (entry) {
        r->record = entry->record;
        r->capture = entry->capture;
    }
    /* Not all of a very long dump at once. */
    bool open = r->open && !(s->all && s->nentries > UNFOLDED_MOST && entry && entry->record > UNFOLDED_MOST);
    for (size_t i = 0; open && reg && i < reg->format->count; i++) {
        struct row *f = add(p, FIELD, key_of(key, reg->format->fields[i].name, i));
        if (!f) return;
        f->reg = reg;
        f->field = &reg->format->fields[i];
        if (entry) f->record = entry->record;
    }
}

/* ---- The records of a dump, by capture and block ---- */

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->capture != y->capture) return x->capture < y->capture ? -1 : 1;
    const int names = x->block == y->block ? 0 : strcmp(x->block, y->block);
    return names ? names : (x->record > y->record) - (x->record < y->record);
}

static int by_first(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->capture != y->capture) return x->capture < y->capture ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

static void index_dump(struct pane *p, const struct gpudbg_dump *d)
{
    struct regs_pane *s = p->own;
    struct gpudbg_record r;
    free(s->entry);
    s->nentries = d && gpudbg_dump_records(d) < UINT32_MAX ? gpudbg_dump_records(d) : 0;
    s->entry = s->nentries ? xcalloc(s->nentries, sizeof *s->entry) : NULL;
    for (size_t i = 0; i < s->nentries && gpudbg_dump_record(d, i, &r); i++) {
        const struct gpudbg_reg *reg = gpudbg_dump_reg(d, &r);
        /* The block of its register, else the unit that the dump names. */
        s->entry[i] = (struct entry){.reg = reg,
            .block = reg      ? reg->block
                     : r.unit ? r.unit
                              : "other",
            .record = (uint32_t)i,
            .capture = r.capture};
    }
    if (!s->nentries) return;
    qsort(s->entry, s->nentries, sizeof *s->entry, by_name);
    for (size_t i = 0, first = 0; i < s->nentries; i++) {
        if (s->entry[i].capture != s->entry[first].capture || strcmp(s->entry[i].block, s->entry[first].block) != 0)
            first = i;
        s->entry[i].first = s->entry[first].record;
    }
    qsort(s->entry, s->nentries, sizeof *s->entry, by_first);
}

/* What makes two records of a storm the same. */
static uint64_t record_hash(const struct regs_pane *s, const struct entry *e)
{
    struct gpudbg_record r = {.name = NULL};
    gpudbg_dump_record(s->dump, e->record, &r);
    return key_of(r.value ^ r.mask, e->reg ? e->reg->name : r.name, 0);
}

/* The records from `at` to `end` of a block; what comes again and again is a row with a count. */
static void block_rows(struct pane *p, uint64_t below, size_t at, size_t end)
{
    struct regs_pane *s = p->own;
    const uint32_t n = (uint32_t)(end - at);
    struct storms storms = {.row = NULL};
    uint64_t *hash = s->all ? NULL : xcalloc(n, sizeof *hash);
    for (uint32_t i = 0; hash && i < n; i++) hash[i] = record_hash(s, &s->entry[at + i]);
    if (hash) storms_take(&storms, hash, n);
    for (uint32_t i = 0; i < (storms.row ? storms.rows : n); i++) {
        const struct storm_row row = storms.row ? storms.row[i] : (struct storm_row){.item = i};
        const struct entry *e = &s->entry[at + row.item];
        struct row *fold = row.items ? add(p, FOLD, key_of(below, "more", e->record)) : NULL;
        if (fold) fold->times = row.times;
        const bool open = !row.items || (fold && fold->open);
        for (uint32_t k = 0; open && k < (row.items ? row.items : 1); k++)
            add_register(p, below, e[k].reg, &e[k], e[k].record);
    }
    storms_free(&storms);
    free(hash);
}

static void dump_rows(struct pane *p, const struct gpudbg_dump *d)
{
    const struct regs_pane *s = p->own;
    size_t n, at = 0;
    const struct gpudbg_capture *capture = gpudbg_dump_captures(d, &n);
    for (size_t c = 0; c < n; c++) {
        struct row *row = add(p, CAPTURE, key_of(1, capture[c].title, c));
        if (!row) return;
        row->text = capture[c].title;
        row->capture = (uint32_t)c;
        const bool open = row->open;
        const uint64_t key = row->key; /* rows move while they are added */
        while (at < s->nentries && s->entry[at].capture == c) {
            size_t end = at;
            while (
                end < s->nentries && s->entry[end].capture == c && strcmp(s->entry[end].block, s->entry[at].block) == 0)
                end++;
            struct row *b = open ? add(p, BLOCK, key_of(key, s->entry[at].block, 0)) : NULL;
            const uint64_t below = b ? b->key : 0;
            const bool shown = b && b->open;
            if (b) b->text = s->entry[at].block;
            if (shown) block_rows(p, below, at, end);
            at = end;
        }
    }
}

static const char *isa_in_use(const struct gpudbg *g)
{
    return g->loaded.isa                             ? g->loaded.isa->name
           : g->loaded.image && g->loaded.image->isa ? g->loaded.image->isa->name
                                                     : NULL;
}

/* Names of blocks met, in their order. */
struct met {
    const char *name[256];
    unsigned n;
};

static bool meet(struct met *m, const char *name)
{
    for (unsigned i = 0; i < m->n; i++)
        if (strcmp(m->name[i], name) == 0) return false;
    if (m->n < sizeof m->name / sizeof *m->name) m->name[m->n++] = name;
    return true;
}

static void database_rows(struct pane *p)
{
    struct regdb *regs = gpudbg_session_databases(p->g);
    const char *isa = isa_in_use(p->g);
    const struct gpudbg_reg *reg, *first;
    struct met met = {.n = 0};
    char name[64];
    for (size_t i = 0; (first = registers_each(regs, i)); i++) {
        if (!first->isa || (isa && strcmp(isa, first->isa) != 0) || !meet(&met, first->block)) continue;
        snprintf(name, sizeof name, "%s", first->block);
        struct row *b = add(p, BLOCK, key_of(2, name, 0));
        if (!b) return;
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
        index_dump(p, d);
        s->stale = true;
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
    if (!d && s->isa != isa_in_use(p->g)) s->stale = true;
    if (!s->stale && p->count) return;
    s->stale = false;
    s->isa = isa_in_use(p->g);
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
    struct gpudbg_record record;
    if (!s->dump || !r->reg || r->node < REGISTER || r->node == FOLD ||
        !gpudbg_dump_record(s->dump, r->record, &record))
        return ' ';
    if (r->node == REGISTER)
        return differs_from_before(s, &record) ? '~' : register_differs(r->reg, record.value & record.mask) ? '*' : ' ';
    bool known = r->reg->reset_mask >> r->field->run[0].lo & 1;
    return known && bits_of(r->field, record.value) != bits_of(r->field, r->reg->reset) ? '*' : ' ';
}

/* A name and its value.  A value tells more than the front of its name: where both have no room (columns; 0: there is
   no limit), the name loses that, and all of itself where it must. */
static int named_value(const char *name, int column, const char *value, const struct room *room, char *buf, size_t size)
{
    const int left = room->columns - 1 - (int)strlen(value), n = (int)strlen(name);
    if (!room->columns) return snprintf(buf, size, "%-*s %s", column, name, value);
    if (left < NAME_LEAST && n > left) return snprintf(buf, size, "%s %s", value, name);
    if (n > left) return snprintf(buf, size, "%s%s %s", room->mark, name + n - left + 1, value);
    return snprintf(buf, size, "%-*s %s", column < left ? column : left, name, value);
}

static int register_text(
    const struct regs_pane *s, const struct row *r, const struct room *room, char *buf, size_t size)
{
    const char *doc = r->reg && r->reg->doc ? r->reg->doc : "";
    char title[96], value[24];
    struct gpudbg_record record;
    if (s->dump && gpudbg_dump_record(s->dump, r->record, &record)) {
        dump_record_title(&record, title, sizeof title);
        snprintf(value, sizeof value, "0x%0*" PRIx64, record.bits == 64 ? 16 : 8, record.value);
        const int n = named_value(title, 26, value, room, buf, size);
        return n < 0 || (size_t)n >= size ? n : n + snprintf(buf + n, size - (size_t)n, "  %s", doc);
    }
    if (r->reg->addr == GPUDBG_NOWHERE) return snprintf(buf, size, "%-32s %-8s %s", r->reg->name, "", doc);
    return snprintf(buf, size, "%-32s 0x%05" PRIx64 "  %s", r->reg->name, r->reg->addr, doc);
}

static int field_text(const struct regs_pane *s, const struct row *r, const struct room *room, char *buf, size_t size)
{
    const struct gpudbg_field *f = r->field;
    char bits[16], meaning[160] = "", said[192], named[320];
    const char *doc = f->doc ? f->doc : "";
    snprintf(bits, sizeof bits, "%u:%u", f->run[0].lo + f->run[0].len - 1u, f->run[0].lo);
    struct gpudbg_record record;
    if (!s->dump || !gpudbg_dump_record(s->dump, r->record, &record))
        return snprintf(buf, size, "%7s  %-28s %s", bits, f->name, doc);
    if (!(record.mask >> f->run[0].lo & 1)) return snprintf(buf, size, "%7s  %-28s not told", bits, f->name);
    uint64_t value = bits_of(f, record.value);
    gpudbg_field_meaning(f, NULL, value, meaning, sizeof meaning);
    const int digits = snprintf(said, sizeof said, "0x%" PRIx64, value);
    const struct room behind_bits = {room->columns > 9 ? room->columns - 9 : 0, room->mark};
    const int name = (int)strlen(f->name) > 28 ? (int)strlen(f->name) : 28,
              before = name + digits < 36 ? 36 : name + digits;
    const bool close = room->columns && meaning[0] && before + (int)strlen(meaning) > room->columns - 11;
    if (close) snprintf(said + digits, sizeof said - (size_t)digits, " %s", meaning); /* it is a value, too */
    named_value(f->name, 28, said, &behind_bits, named, sizeof named);
    if (close) return snprintf(buf, size, "%7s  %s %s", bits, named, doc);
    return snprintf(buf, size, "%7s  %-37s %-18s %s", bits, named, meaning, doc);
}

static int row_in_room(struct pane *p, int at, const struct room *room, char *buf, size_t size)
{
    const struct regs_pane *s = p->own;
    const struct row *r = &s->row[at];
    size_t n;
    switch ((enum node)r->node) {
    case CAPTURE: {
        const struct gpudbg_capture *c = gpudbg_dump_captures(s->dump, &n) + r->capture;
        return snprintf(buf, size, "capture %u%s%s%s%s%s%s", r->capture, c->title ? ": " : "", c->title ? c->title : "",
            c->chip ? ", " : "", c->chip ? c->chip : "", c->family ? ", " : "", c->family ? c->family : "");
    }
    case BLOCK: return snprintf(buf, size, "%s", r->text);
    case REGISTER: return register_text(s, r, room, buf, size);
    case FIELD: return field_text(s, r, room, buf, size);
    case FOLD: return snprintf(buf, size, ".. %" PRIu32 " times more", r->times);
    }
    return 0;
}

static int row_text(struct pane *p, int at, char *buf, size_t size)
{
    return row_in_room(p, at, &(struct room){0, ""}, buf, size);
}

/* ---- The pane ---- */

static void draw(struct pane *p, const struct area *a)
{
    const struct regs_pane *s = p->own;
    static const int indent[] = {1, 3, 5, 8, 5};
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
        const struct room room = {p->side ? 0 : a->w - x - 4, a->cells->utf8 ? "…" : ">"};
        row_in_room(p, p->top + y, &room, text, sizeof text);
        if (r->node != FIELD)
            area_text(a, x, y, STYLE_comment, r->node == REGISTER && !r->reg ? " " : r->open ? "-" : "+");
        if (mark != ' ') area_put(a, x + 1, y, STYLE_changed, "%c", mark);
        area_text(a, x + 2, y,
            mark != ' '           ? STYLE_changed
            : r->node <= BLOCK    ? STYLE_title
            : r->node == REGISTER ? STYLE_name
            : r->node == FOLD     ? STYLE_comment
                                  : STYLE_text,
            text);
        if (p->active && p->top + y == p->cursor) area_cursor(a, 0, y, a->w, STYLE_cursor);
    }
}

static int title(struct pane *p, char *buf, size_t size)
{
    const struct regs_pane *s = p->own;
    if (s->dump) return snprintf(buf, size, "%s", path_base(gpudbg_dump_path(s->dump)));
    return snprintf(buf, size, "%s", isa_in_use(p->g) ? isa_in_use(p->g) : "");
}

/* Unfolds or folds what is under the cursor; a field folds its register. */
static void fold(struct pane *p, int how)
{
    struct regs_pane *s = p->own;
    while (p->cursor > 0 && (s->row[p->cursor].node == FIELD ||
                                (how < 0 && !s->row[p->cursor].open && s->row[p->cursor].node > CAPTURE)))
        if (s->row[--p->cursor].node < REGISTER || s->row[p->cursor].open) break;
    const struct row *r = &s->row[p->cursor];
    if (r->node != FIELD) set_open(s, r->key, how > 0 || (how == 0 && !r->open));
    take_rows(p);
}

static bool stands_on(const struct regs_pane *s, const struct row *r, uint32_t line)
{
    struct gpudbg_record record;
    return r->node == REGISTER && s->dump && gpudbg_dump_record(s->dump, r->record, &record) && record.line == line;
}

static bool cursor_to(struct pane *p, uint64_t key)
{
    const struct regs_pane *s = p->own;
    for (int i = 0; i < p->count; i++)
        if (s->row[i].key == key) return p->cursor = i, true;
    return false;
}

/* The next row that holds the text (NULL: the one of that line of the dump), folded ones too; what leads to it is
 * unfolded. */
static bool find(struct pane *p, const char *what, uint32_t line, int step, struct gpudbg_error *err)
{
    struct regs_pane *s = p->own;
    uint64_t here = p->cursor < p->count ? s->row[p->cursor].key : 0, found = 0;
    char text[600];
    s->all = s->stale = true;
    take_rows(p);
    int at = 0, count = p->count;
    while (at < count && s->row[at].key != here) at++;
    for (int i = 1; i <= count && !found; i++) {
        int row = ((at + step * i) % count + count) % count;
        if (what) row_text(p, row, text, sizeof text);
        if (what ? !strcasestr(text, what) : !stands_on(s, &s->row[row], line)) continue;
        if (!what) set_open(s, s->row[row].key, true);
        found = s->row[row].key;
        unsigned below = s->row[row].node;
        for (int up = row; up >= 0; up--)
            if (s->row[up].node < below) {
                below = s->row[up].node;
                set_open(s, s->row[up].key, true);
            }
    }
    s->all = false;
    s->stale = true;
    take_rows(p);
    if (found && !cursor_to(p, found)) { /* a fold hides it */
        for (int i = 0; i < p->count; i++)
            if (s->row[i].node == FOLD) set_open(s, s->row[i].key, true);
        take_rows(p);
        cursor_to(p, found);
    }
    pane_list_fit(p, p->shown > 0 ? p->shown : 1);
    return found || gpudbg_fail(err, "no-such-name", "'%s' is not in pane %s", what ? what : "that line", p->name);
}

/* The row in the middle, so that what stands around it is seen. */
static void centre(struct pane *p)
{
    const int rows = p->shown > 0 ? p->shown : 1;
    p->top = p->cursor > rows / 3 ? p->cursor - rows / 3 : 0;
    pane_list_fit(p, rows);
}

bool regs_follow_line(struct screen *s, uint32_t line)
{
    struct gpudbg_error none = {.offset = -1};
    struct pane *p = pane_named(s, "regs", &none);
    const struct regs_pane *own = p ? p->own : NULL;
    if (!p) return false;
    take_rows(p);
    if (own->nentries > FOLLOWED_MOST || !find(p, NULL, line, 1, &none)) return false;
    centre(p);
    return true;
}

bool regs_show_line(struct screen *s, uint32_t line, struct gpudbg_error *err)
{
    struct pane *p = pane_named(s, "regs", err);
    if (!p) return false;
    take_rows(p);
    if (!find(p, NULL, line, 1, err)) return false;
    screen_focus(s, p);
    return true;
}

/* Shows the line of the dump that a field is of; false: it has none. */
static bool line_of_row(struct pane *p, const struct row *r)
{
    const struct regs_pane *s = p->own;
    struct gpudbg_error none = {.offset = -1};
    struct gpudbg_record record;
    struct pane *log = pane_named(p->screen, "log", &none);
    if (!log || !s->dump || !gpudbg_dump_record(s->dump, r->record, &record) || !record.line) return false;
    p->screen->dump_line = record.line;
    p->screen->packet_line = 0;
    p->screen->dump_stamp++;
    screen_focus(p->screen, log);
    return true;
}

static int regs_rows(struct pane *p)
{
    if (p->screen->reading || !gpudbg_session_dump(p->g, 0)) return 0;
    take_rows(p);
    return p->count;
}

static bool regs_idle(struct pane *p)
{
    const struct gpudbg_dump *d = gpudbg_session_dump(p->g, 0);
    return p->screen->reading || (d && !gpudbg_dump_records(d));
}

static bool act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    const struct regs_pane *s = p->own;
    take_rows(p);
    if (!p->count) return gpudbg_fail(err, "not-now", "pane %s is empty", p->name);
    switch (action) {
    case PANE_FOLLOW:
        if (s->row[p->cursor].node == FIELD && line_of_row(p, &s->row[p->cursor])) return true;
        fold(p, 0);
        break;
    case PANE_RIGHT: fold(p, 1); break;
    case PANE_LEFT: fold(p, -1); break;
    case PANE_FIND:
    case PANE_FIND_NEXT: return find(p, arg, 0, 1, err);
    case PANE_FIND_PREVIOUS: return find(p, arg, 0, -1, err);
    default: return pane_list_act(p, action, arg, err);
    }
    pane_list_fit(p, p->shown > 0 ? p->shown : 1);
    return true;
}

static void close_regs(struct pane *p)
{
    struct regs_pane *s = p->own;
    free(s->entry);
    free(s->row);
    free(s->open);
}

const struct pane_kind pane_regs = {
    .name = "regs",
    .across = true,
    .summary = "registers of a dump or of the databases, by block, with their fields",
    .own = sizeof(struct regs_pane),
    .draw = draw,
    .title = title,
    .act = act,
    .row_text = row_text,
    .idle = regs_idle,
    .rows = regs_rows,
    .close = close_regs,
};
