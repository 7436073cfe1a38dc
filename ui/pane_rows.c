/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_rows.c: registers of many bytes that belong to no lane: rows of bytes from left to right, cut into elements of a
 * type.
 *
 *     r12  | 1.5    | 2.25   | 0      | ...       values; * before what the last step changed
 *     f0   11110000 00000000 ........ ........    a bit a lane, lane 0 first; . a lane that does not exist
 *
 * Formats are types: ub b uw w ud d uq q hf f df, x for hex dwords, a for what the code that met the register last took
 * it for.  Where there is no room for all registers, those that matter now are shown; moving the cursor lists all,
 * `pane here` goes back.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "registers_shown.h"
#include "base/alloc.h"

#define ROWS 256
#define NAME 6 /* columns of a name and its mark */

static const struct type {
    const char *name;
    uint8_t size;
    char kind; /* u, d signed, f float, x hex */
} types[] = {{"a", 4, 'x'}, {"x", 4, 'x'}, {"ub", 1, 'u'}, {"b", 1, 'd'}, {"uw", 2, 'u'}, {"w", 2, 'd'}, {"ud", 4, 'u'},
    {"d", 4, 'd'}, {"uq", 8, 'u'}, {"q", 8, 'd'}, {"hf", 2, 'f'}, {"f", 4, 'f'}, {"df", 8, 'f'}};
#define TYPES (sizeof types / sizeof *types)

struct rows_pane {
    bool listing;
    unsigned type;     /* index in types; 0: by register */
    uint8_t met[ROWS]; /* type that code took a register for, last; 0: none did */
    struct register_choice choice;
};

static int rows_file(struct pane *p)
{
    const struct gpudbg_isa *isa = p->g->running.machine ? p->g->running.machine->isa : NULL;
    for (unsigned i = 0; isa && i < isa->nfiles; i++)
        if (isa->files[i].lanes <= 1 && isa->files[i].indexed && isa->files[i].bits >= 128 && isa->files[i].count != 1)
            return (int)i;
    return -1;
}

/* ---- Types ---- */

static unsigned type_named(const char *name)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (!strcmp(types[i].name, name)) return i;
    return 0;
}

/* Remembers what the next instruction takes its registers for. */
static void types_meet(struct pane *p, int file)
{
    struct rows_pane *r = p->own;
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    struct gpudbg_insn insn;
    unsigned bytes = p->g->running.machine->isa->files[file].bits / 8u;
    if (!wave || !code_insn(p->screen, wave->pc, &insn) || !insn.op || !insn.isa->regions.footprints) return;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    unsigned n = insn.isa->regions.footprints(&insn, wave, f, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; f[i].file == file && k < f[i].n; k++) {
            unsigned reg = f[i].element[k].at >= 0 ? (unsigned)f[i].element[k].at / bytes : ROWS;
            if (reg < ROWS && type_named(f[i].type)) r->met[reg] = (uint8_t)type_named(f[i].type);
        }
    free(f);
}

static double half_value(uint16_t bits)
{
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    double v = exponent == 31 ? (fraction ? NAN : INFINITY)
               : exponent     ? ldexp(1024 + fraction, (int)exponent - 25)
                              : ldexp(fraction, -24);
    return bits >> 15 ? -v : v;
}

/* The element in at most `room` columns; what does not fit ends in ~. */
static void element_text(const uint8_t *at, const struct type *t, int room, char *buf, size_t size)
{
    uint64_t bits = 0;
    float single;
    double real = 0;
    memcpy(&bits, at, t->size);
    if (t->kind == 'u') {
        snprintf(buf, size, "%" PRIu64, bits);
    } else if (t->kind == 'd') {
        int shift = 64 - 8 * t->size;
        snprintf(buf, size, "%" PRId64, (int64_t)(bits << shift) >> shift);
    } else if (t->kind == 'f') {
        memcpy(&single, at, sizeof single);
        memcpy(&real, at, t->size == 8 ? sizeof real : 0);
        real = t->size == 2 ? half_value((uint16_t)bits) : t->size == 4 ? (double)single : real;
        pane_real(real, 1, t->size == 8 ? 12 : 7, room, buf, size);
    } else {
        snprintf(buf, size, "%0*" PRIx64, 2 * t->size, bits);
    }
    if ((int)strlen(buf) > room && room > 0) {
        buf[room - 1] = '~';
        buf[room] = 0;
    }
}

/* ---- Drawing ---- */

/* How a register is cut: bytes on a line, columns a byte. */
struct cut {
    int bytes, scale;
};

/* The widest cut whose elements still have room: seven characters for 32 bits and more, five for 16, three for 8; all
 * digits of hex. */
static struct cut cut_for(int width, int register_bytes, const struct type *t)
{
    int bytes = register_bytes, columns = width - NAME - 1, least = t->size >= 4 ? 2 : t->size == 2 ? 3 : 4;
    if (t->size == 4 && !strchr("duf", t->kind)) least = 3; /* digits cut off at the end would be the ones that count */
    while (bytes > 8 && columns / bytes < least) bytes /= 2;
    int scale = columns / bytes;
    return (struct cut){bytes, scale < 1 ? 1 : scale > 4 ? 4 : scale};
}

static const struct type *type_of(const struct rows_pane *r, unsigned index)
{
    return &types[r->type ? r->type : index < ROWS ? r->met[index] : 0];
}

static void line_draw(
    const struct area *a, int y, const struct cut *c, const uint8_t *bytes, const struct type *t, bool utf8)
{
    char text[64];
    int cell = t->size * c->scale;
    for (int at = 0; at + t->size <= c->bytes; at += t->size) {
        int x = NAME + at * c->scale;
        bool border = cell >= 3;
        if (border) area_text(a, x, y, STYLE_rule, utf8 ? "│" : "|");
        element_text(bytes + at, t, cell - border, text, sizeof text);
        area_text(a, x + cell - (int)strlen(text), y, STYLE_value, text);
    }
    area_text(a, NAME + c->bytes * c->scale, y, STYLE_rule, utf8 ? "│" : "|");
}

/* What of the launch the register holds: behind its first line from column x on; or on a line of its own, which is
 * counted, while there are spare ones. */
static int holds_draw(
    struct pane *p, const struct area *a, int y, int lines, int x, int file, unsigned index, int *spare)
{
    const struct gpudbg_runner *run = p->g->running.machine->isa->run;
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    char text[128];
    int n = wave && run->holds ? run->holds(wave, (unsigned)file, index, text, sizeof text) : 0;
    if (n <= 0) return 0;
    const bool behind = x + n <= a->w;
    if (!behind && --*spare < 0) return 0;
    area_text(a, behind ? x : NAME + 1, behind ? y : y + lines, STYLE_comment, text);
    return !behind;
}

static int register_draw(struct pane *p, const struct area *a, int y, int file, unsigned index, int *spare)
{
    struct rows_pane *r = p->own;
    const uint32_t *words = register_words(p->g, (unsigned)file, index);
    const struct type *t = type_of(r, index);
    int bytes = p->g->running.machine->isa->files[file].bits / 8;
    struct cut c = cut_for(a->w, bytes, t);
    int lines = bytes / c.bytes;
    char name[32];
    register_name(p->g, (unsigned)file, index, name, sizeof name);
    bool changed = register_changed(p->screen, (unsigned)file, index, -1);
    area_put(a, 0, y, changed ? STYLE_changed : STYLE_name, "%c%s", changed ? '*' : ' ', name);
    for (int i = 0; words && i < lines && y + i < a->h; i++)
        line_draw(a, y + i, &c, (const uint8_t *)words + i * c.bytes, t, a->cells->utf8);
    if (p->active && r->listing && (int)index == p->cursor) area_cursor(a, 0, y, NAME, STYLE_cursor);
    return lines + holds_draw(p, a, y, lines, NAME + c.bytes * c.scale + 2, file, index, spare);
}

/* Which lanes run, and the files that hold a bit a lane. */
static int masks_draw(struct pane *p, const struct area *a)
{
    const struct gpudbg_isa *isa = p->g->running.machine->isa;
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    unsigned all = p->g->running.machine->lanes ? p->g->running.machine->lanes : isa->lanes,
             lanes = all < 64 ? all : 64;
    int groups = (a->w - NAME + 1) / 9 < 1 ? 1 : (a->w - NAME + 1) / 9; /* of eight lanes, on a line */
    char name[32];
    int y = 0, lines = ((int)lanes / 8 + groups - 1) / groups,
        most = lines > 1 ? a->h / 2 : a->h; /* where they wrap, rows come first */
    for (int file = -1; wave && file < (int)isa->nfiles && y < a->h; file++) {
        if (file >= 0 && (!isa->files[file].mask || isa->files[file].lanes > 1)) continue;
        unsigned count = file < 0 ? 1 : register_count(p->g, (unsigned)file);
        for (unsigned i = 0; i < count && i < 4 && y < a->h; i++) {
            const uint32_t *words = file < 0 ? NULL : register_words(p->g, (unsigned)file, i);
            if (file >= 0 && (!words || y + lines > most)) continue;
            if (file < 0)
                snprintf(name, sizeof name, "runs");
            else
                register_name(p->g, (unsigned)file, i, name, sizeof name);
            bool changed = file >= 0 && register_changed(p->screen, (unsigned)file, i, -1);
            area_put(a, 0, y, changed ? STYLE_changed : STYLE_name, "%c%s", changed ? '*' : ' ', name);
            uint64_t bits = file < 0     ? isa->run->active(wave)
                            : lanes > 32 ? words[0] | (uint64_t)words[1] << 32
                                         : words[0];
            for (unsigned lane = 0; lane < lanes; lane++) {
                bool there = wave->lanes >> lane & 1, on = bits >> lane & 1;
                int group = (int)lane / 8;
                if (lane && lane % 8 == 0 && group % groups == 0) y++;
                area_text(a, NAME + group % groups * 9 + (int)lane % 8, y, there ? STYLE_value : STYLE_masked,
                    on      ? "1"
                    : there ? "0"
                            : ".");
            }
            y++;
        }
    }
    return y;
}

static void rows_draw(struct pane *p, const struct area *a)
{
    struct rows_pane *r = p->own;
    char text[160];
    const char *missing = registers_missing(p->g, text, sizeof text);
    int file = missing ? -1 : rows_file(p);
    p->count = 0;
    if (file < 0) {
        area_text(a, 1, 0, STYLE_comment, missing ? missing : "no registers of many bytes");
        return;
    }
    types_meet(p, file);
    int bytes = p->g->running.machine->isa->files[file].bits / 8, y = masks_draw(p, a);
    struct cut c = cut_for(a->w, bytes, &types[r->type]);
    int fit = (a->h - y) / (bytes / c.bytes);
    if (fit < 1) fit = 1;
    p->count = (int)register_count(p->g, (unsigned)file);
    if (r->listing) {
        int spare = a->h;
        pane_list_fit(p, fit);
        for (int i = p->top; i < p->count && y < a->h; i++) y += register_draw(p, a, y, file, (unsigned)i, &spare);
        return;
    }
    registers_choose(p->screen, (unsigned)file, &r->choice, fit);
    int spare = a->h - y - r->choice.count * (bytes / c.bytes);
    for (unsigned index = 0; index < (unsigned)p->count && y < a->h; index++)
        for (int i = 0; i < r->choice.count; i++)
            if (r->choice.index[i] == index) y += register_draw(p, a, y, file, index, &spare);
}

static int rows_title(struct pane *p, char *buf, size_t size)
{
    struct rows_pane *r = p->own;
    return snprintf(buf, size, ":%s%s", types[r->type].name, r->listing ? " all" : "");
}

static bool rows_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct rows_pane *r = p->own;
    switch (action) {
    case PANE_FORMAT: {
        unsigned type = type_named(!strcmp(arg, "u") ? "ud" : arg);
        if (!type && strcmp(arg, "a"))
            return gpudbg_fail(err, "no-such-name",
                "'%s' is not a format of this pane; its formats are a x ub b uw w ud d uq q hf f df", arg);
        r->type = type;
        return true;
    }
    case PANE_HERE:
    case PANE_BACK: r->listing = false; return true;
    case PANE_ROW: return true;
    default: break;
    }
    if (!r->listing) {
        r->listing = true;
        p->cursor = p->top = 0;
        if (action == PANE_UP || action == PANE_DOWN) return true;
    }
    return pane_list_act(p, action, arg, err);
}

static int rows_row_text(struct pane *p, int row, char *buf, size_t size)
{
    int file = rows_file(p);
    return file < 0 ? snprintf(buf, size, "%s", "") : register_name(p->g, (unsigned)file, (unsigned)row, buf, size);
}

const struct pane_kind pane_rows = {
    .name = "rows",
    .summary = "registers of many bytes, a row each, cut into elements",
    .own = sizeof(struct rows_pane),
    .draw = rows_draw,
    .title = rows_title,
    .act = rows_act,
    .row_text = rows_row_text,
};
