/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Live registers: `info live`, `info pressure`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "eval/location.h"
#include "flow/pressure.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "session/command.h"
#include "session/session.h"

static bool need_code(struct gpudbg *g, struct gpudbg_error *err)
{
    if (!g->loaded.image) return gpudbg_fail(err, "no-file", "no file is loaded");
    return g->loaded.image->isa ||
           gpudbg_fail(err, "not-recognised", "%s does not say its instruction set: give --isa", g->loaded.image->path);
}

static int put_text(const struct gpudbg *g, uint64_t addr, char *buf, size_t size)
{
    return code_text_at(g->loaded.image, addr, g->settings.syntax, buf, size);
}

/* ---- live ---- */

struct live_row {
    const struct gpudbg *g;
    const struct live *live;
    uint64_t pc;
    uint32_t block, number;
    const live_need *needs;
    uint32_t cell, end;  /* of one register */
    uint32_t next, last; /* instructions that read it, that wrote it; UINT32_MAX: none is known */
};

static int live_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct live_row *)row)->pc);
}

static int live_name(const void *row, char *buf, size_t size)
{
    const struct live_row *r = row;
    const struct used *u = r->live->used;
    return gpudbg_register_name(&u->ways->isa->files[u->cell[r->cell].file], live_register(u, r->cell), buf, size);
}

static bool surely(const struct live_row *r)
{
    bool sure = false;
    for (uint32_t c = r->cell; c < r->end; c++) sure = sure || (r->needs[c] && !(r->needs[c] & LIVE_MAYBE));
    return sure;
}

static int live_sure(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", surely(row) ? "alive" : "perhaps");
}

/* Units that are alive, where not all of the register are: "0-3 8-11" in bytes. */
static int live_part(const void *row, char *buf, size_t size)
{
    const struct live_row *r = row;
    const struct used *u = r->live->used;
    const unsigned units = gpudbg_use_units(u->ways->isa, u->cell[r->cell].file),
                   bytes = gpudbg_use_bits(u->ways->isa) / 8;
    uint32_t n = 0;
    for (uint32_t c = r->cell; c < r->end; c++) n += r->needs[c] != 0;
    struct text t = text_in(buf, size);
    if (n == units) return (int)t.n;
    for (uint32_t c = r->cell, last; c < r->end; c++) {
        if (!r->needs[c]) continue;
        for (last = c; last + 1 < r->end && r->needs[last + 1] && u->cell[last + 1].at == u->cell[last].at + 1;) last++;
        const unsigned first = u->cell[c].at % units * bytes, end = u->cell[last].at % units * bytes + bytes - 1;
        text_add(&t, "%s%u-%u", t.n ? " " : "", first, end);
        c = last;
    }
    return (int)t.n;
}

/* Which lanes may still read it, beside the mask that holds here. */
static int live_lanes(const void *row, char *buf, size_t size)
{
    const struct live_row *r = row;
    const struct masks *m = r->live->masks;
    const struct used *u = r->live->used;
    const unsigned file = u->cell[r->cell].file;
    bool all = true, one = false;
    if (pressure_kind_of(u->ways->isa, file) != PRESSURE_VECTOR) return snprintf(buf, size, "%s", "");
    for (uint32_t c = r->cell; c < r->end; c++) {
        if (!r->needs[c]) continue;
        one = one || live_mask(r->needs[c]) == MASK_ROOT;
        all = all && mask_within(m, live_mask(r->needs[c]), m->before[r->number]);
    }
    return snprintf(buf, size, "%s", one ? "any" : all ? "that run here" : "that are off here, too");
}

#define LIVE_ADDRESS(name, member)                                                \
    static int name(const void *row, char *buf, size_t size)                      \
    {                                                                             \
        const struct live_row *r = row;                                           \
        if (r->member == UINT32_MAX) return snprintf(buf, size, "%s", "");        \
        return snprintf(buf, size, "0x%" PRIx64, r->live->used->addr[r->member]); \
    }
LIVE_ADDRESS(live_last, last)
LIVE_ADDRESS(live_next, next)

static int live_reader(const void *row, char *buf, size_t size)
{
    const struct live_row *r = row;
    return r->next == UINT32_MAX ? snprintf(buf, size, "%s", "")
                                 : put_text(r->g, r->live->used->addr[r->next], buf, size);
}

static const struct gpudbg_column live_columns[] = {
    {"register", "register", 0, GPUDBG_NAME, live_name},
    {"state", "is", 0, GPUDBG_PLAIN, live_sure},
    {"bytes", "bytes", 0, GPUDBG_PLAIN, live_part},
    {"lanes", "for lanes", 0, GPUDBG_PLAIN, live_lanes},
    {"written", "written at", 0, GPUDBG_ADDRESS, live_last},
    {"read", "read at", 0, GPUDBG_ADDRESS, live_next},
    {"text", "by", 0, GPUDBG_PLAIN, live_reader},
    {"pc", "before", 0, GPUDBG_ADDRESS, live_pc},
};

struct live_list {
    struct gpudbg *g;
    uint64_t pc;
    bool found, enough;
    gpudbg_row_fn *each;
    void *to;
};

static void list_registers(struct live_list *l, struct live_row *row)
{
    const struct used *u = row->live->used;
    for (uint32_t c = 0, end; c < u->ncells && !l->enough; c = end) {
        bool any = false;
        uint32_t first = UINT32_MAX;
        for (end = c;
             end < u->ncells && u->cell[end].file == u->cell[c].file && live_register(u, end) == live_register(u, c);
             end++) {
            if (row->needs[end] && first == UINT32_MAX) first = end;
            any = any || row->needs[end];
        }
        if (!any) continue;
        row->cell = c;
        row->end = end;
        row->next = live_next_read(row->live, row->block, row->number, first);
        row->last = live_last_write(row->live, row->block, row->number, first);
        l->enough = !l->each(l->to, row);
    }
}

static bool live_there(void *to, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct live_list *l = to;
    if (l->pc - w->base >= w->size) return true;
    struct live *live = live_new(w, err);
    if (!live) return false;
    struct live_row row = {.g = l->g, .live = live, .pc = l->pc};
    l->found = live_find(live, l->pc, &row.number, &row.block);
    if (l->found) {
        live_need *needs = xcalloc((size_t)live->used->ncells + 1, sizeof *needs);
        live_before(live, row.block, row.number, needs);
        row.needs = needs;
        list_registers(l, &row);
        free(needs);
    }
    live_free(live);
    return true;
}

static bool live_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct live_list l = {.g = g, .each = each, .to = to};
    if (!need_code(g, err)) return false;
    if (!*args)
        l.pc = location_code(&g->eval);
    else if (!location_addr(&g->eval, args, &l.pc, err))
        return false;
    if (!gpudbg_image_ways(g->loaded.image, 0, live_there, &l, err)) return false;
    return l.found || gpudbg_fail(err, "out-of-range",
                          "no way from an entry of the code leads to an instruction at 0x%" PRIx64, l.pc);
}

/* ---- pressure ---- */

struct pressure_row {
    const struct gpudbg *g;
    uint64_t pc;
    struct pressure_at at;
    const struct gpudbg_line *line;
    bool peak, by_line;
};

static int pressure_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct pressure_row *)row)->pc);
}

#define PRESSURE_COUNT(name)                                                                     \
    static int pressure_##name(const void *row, char *buf, size_t size)                          \
    {                                                                                            \
        return snprintf(buf, size, "%u", (unsigned)((const struct pressure_row *)row)->at.name); \
    }
PRESSURE_COUNT(vector)
PRESSURE_COUNT(scalar)
PRESSURE_COUNT(maybe)

static int pressure_peak(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct pressure_row *)row)->peak ? "peak" : "");
}

static int pressure_where(const void *row, char *buf, size_t size)
{
    const struct pressure_row *r = row;
    if (!r->by_line) return image_where(r->g->loaded.image, r->pc, buf, size);
    return r->line ? snprintf(buf, size, "%s:%" PRIu32, r->line->file, r->line->line) : snprintf(buf, size, "no line");
}

static int pressure_text(const void *row, char *buf, size_t size)
{
    const struct pressure_row *r = row;
    return put_text(r->g, r->pc, buf, size);
}

static const struct gpudbg_column pressure_columns[] = {
    {"pc", "address", 0, GPUDBG_ADDRESS, pressure_pc},
    {"vector", "vector", 0, GPUDBG_COUNT, pressure_vector},
    {"scalar", "scalar", 0, GPUDBG_COUNT, pressure_scalar},
    {"perhaps", "perhaps", 0, GPUDBG_COUNT, pressure_maybe},
    {"peak", "", 0, GPUDBG_PLAIN, pressure_peak},
    {"where", "where", 0, GPUDBG_NAME, pressure_where},
    {"text", "instruction", 0, GPUDBG_PLAIN, pressure_text},
};

struct pressure_list {
    struct gpudbg *g;
    uint64_t from, to;
    bool by_line, peaks, enough;
    gpudbg_row_fn *each;
    void *data;
};

/* The function or kernel of an address; NULL: the whole section is one. */
static const struct gpudbg_symbol *function_of(const struct gpudbg_image *image, uint64_t addr)
{
    return gpudbg_image_symbol_at(image, addr);
}

/* The peak of vector registers, of scalar ones where there are no vector registers, of the function from i on. */
static uint16_t peak_of(
    const struct pressure_list *l, const struct live *live, const struct pressure_at *at, uint32_t i)
{
    const struct gpudbg_symbol *f = function_of(l->g->loaded.image, live->used->addr[i]);
    uint16_t most = 0;
    for (; i < live->ways->ninsns && function_of(l->g->loaded.image, live->used->addr[i]) == f; i++)
        if (at[i].vector > most) most = at[i].vector;
    return most;
}

static bool same_line(const struct gpudbg_line *a, const struct gpudbg_line *b)
{
    return a == b || (a && b && a->line == b->line && strcmp(a->file, b->file) == 0);
}

/* Rows in the order of addresses; of a source line, the most of the instructions in a row that are of it. */
static void list_pressure(struct pressure_list *l, const struct live *live, const struct pressure_at *at)
{
    const struct gpudbg_image *image = l->g->loaded.image;
    const struct gpudbg_symbol *in = NULL;
    uint16_t peak = 0;
    bool first = true;
    for (uint32_t i = 0; i < live->ways->ninsns && !l->enough; i++) {
        const uint64_t pc = live->used->addr[i];
        const struct gpudbg_symbol *f = function_of(image, pc);
        if (first || f != in) peak = peak_of(l, live, at, i);
        in = f;
        first = false;
        struct pressure_row row = {l->g, pc, at[i], NULL, at[i].vector == peak && peak, l->by_line};
        if (l->by_line) {
            row.line = gpudbg_image_line(image, pc);
            for (;
                 i + 1 < live->ways->ninsns && same_line(row.line, gpudbg_image_line(image, live->used->addr[i + 1])) &&
                 function_of(image, live->used->addr[i + 1]) == in;
                 i++) {
                const struct pressure_at *more = &at[i + 1];
                if (more->vector > row.at.vector) row.at.vector = more->vector, row.pc = live->used->addr[i + 1];
                if (more->scalar > row.at.scalar) row.at.scalar = more->scalar;
                if (more->maybe > row.at.maybe) row.at.maybe = more->maybe;
                row.peak = row.peak || (more->vector == peak && peak);
            }
        }
        if (pc < l->from || pc >= l->to || (l->peaks && !row.peak)) continue;
        l->enough = !l->each(l->data, &row);
    }
}

static bool pressure_there(void *to, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct pressure_list *l = to;
    if (l->enough || w->base >= l->to || w->base + w->size <= l->from) return true;
    struct live *live = live_new(w, err);
    if (!live) return false;
    struct pressure_at *at = pressure_new(live);
    list_pressure(l, live, at);
    free(at);
    live_free(live);
    return true;
}

static bool take_word(const char **args, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(*args, word, n) != 0 || ((*args)[n] && (*args)[n] != ' ')) return false;
    *args += n;
    *args += strspn(*args, " ");
    return true;
}

static bool pressure_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct pressure_list l = {.g = g, .each = each, .data = to};
    if (!need_code(g, err)) return false;
    l.by_line = take_word(&args, "lines");
    l.peaks = take_word(&args, "peaks");
    return location_range(&g->eval, args, &l.from, &l.to, err) &&
           gpudbg_image_ways(g->loaded.image, 0, pressure_there, &l, err);
}

static const struct gpudbg_listing live = {
    .name = "live",
    .summary = "list the registers that may still be read, before the instruction at PLACE or where the wave is",
    .columns = live_columns,
    .ncolumns = sizeof live_columns / sizeof *live_columns,
    .rows = live_rows,
    .empty = "no register is alive there",
};
static const struct gpudbg_listing pressure = {
    .name = "pressure",
    .summary =
        "count the live registers at each instruction, or with `lines` of each source line; `peaks`: where most are",
    .columns = pressure_columns,
    .ncolumns = sizeof pressure_columns / sizeof *pressure_columns,
    .rows = pressure_rows,
    .empty = "no code can be reached there",
};

static const struct gpudbg_listing *const listings[] = {&live, &pressure, NULL};
COMMAND_FAMILY(cmd_live, "live", .summary = "registers that may still be read", .listings = listings);
