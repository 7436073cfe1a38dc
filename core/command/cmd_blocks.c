/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways through code: `info blocks`, `info loops`. */
#include <inttypes.h>
#include <stdio.h>
#include "eval/location.h"
#include "flow/loops.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "session/command.h"
#include "session/session.h"

struct row {
    const struct gpudbg *g;
    const struct gpudbg_ways *ways;
    const struct loops *loops;
    uint32_t number; /* of the block, or of the loop */
};

static const struct gpudbg_basic_block *block_of(const void *row)
{
    const struct row *r = row;
    return &r->ways->block[r->number];
}

static const struct loop *loop_of(const void *row)
{
    const struct row *r = row;
    return &r->loops->loop[r->number];
}

/* ---- Blocks ---- */

static int number_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct row *)row)->number);
}

static int from_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, block_of(row)->addr);
}

static int to_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, block_of(row)->end);
}

static int insns_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, block_of(row)->ninsns);
}

static int loop_cell(const void *row, char *buf, size_t size)
{
    const struct row *r = row;
    const uint32_t in = r->loops->of[r->number];
    return in == UINT32_MAX ? snprintf(buf, size, "%s", "") : snprintf(buf, size, "%" PRIu32, in);
}

static int depth_cell(const void *row, char *buf, size_t size)
{
    const struct row *r = row;
    return snprintf(buf, size, "%" PRIu32, loop_depth(r->loops, r->number));
}

/* Numbers of blocks; the block of all returns stands for those behind calls. */
static int links_text(const struct gpudbg_ways *w, uint32_t first, uint32_t n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t to = w->link[first + i];
        if (to == w->returns)
            text_add(&t, "%sreturns", i ? " " : "");
        else
            text_add(&t, "%s%" PRIu32, i ? " " : "", to);
    }
    return (int)t.n;
}

static int next_cell(const void *row, char *buf, size_t size)
{
    const struct gpudbg_basic_block *b = block_of(row);
    return links_text(((const struct row *)row)->ways, b->next, b->nnext, buf, size);
}

static int before_cell(const void *row, char *buf, size_t size)
{
    const struct gpudbg_basic_block *b = block_of(row);
    return links_text(((const struct row *)row)->ways, b->from, b->nfrom, buf, size);
}

static int note_cell(const void *row, char *buf, size_t size)
{
    const struct gpudbg_basic_block *b = block_of(row);
    struct text t = text_in(buf, size);
    const char *const words[] = {b->entry ? "entry" : NULL, b->call ? "calls" : NULL, b->returns ? "returns" : NULL,
        b->unknown ? "goes where a register says" : NULL,
        !b->nnext && !b->returns && !b->unknown ? "nothing follows" : NULL};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i]) text_add(&t, "%s%s", t.n ? ", " : "", words[i]);
    return (int)t.n;
}

static int block_where(const void *row, char *buf, size_t size)
{
    return image_where(((const struct row *)row)->g->loaded.image, block_of(row)->addr, buf, size);
}

static const struct gpudbg_column block_columns[] = {
    {"block", "block", 0, GPUDBG_COUNT, number_cell},
    {"from", "from", 0, GPUDBG_ADDRESS, from_cell},
    {"to", "to", 0, GPUDBG_ADDRESS, to_cell},
    {"insns", "insns", 0, GPUDBG_COUNT, insns_cell},
    {"loop", "loop", 0, GPUDBG_COUNT, loop_cell},
    {"depth", "depth", 0, GPUDBG_COUNT, depth_cell},
    {"before", "comes after", 0, GPUDBG_PLAIN, before_cell},
    {"next", "leads to", 0, GPUDBG_PLAIN, next_cell},
    {"where", "where", 0, GPUDBG_NAME, block_where},
    {"note", "note", 0, GPUDBG_NOTE, note_cell},
};

/* ---- Loops ---- */

static int header_cell(const void *row, char *buf, size_t size)
{
    const struct row *r = row;
    return snprintf(buf, size, "0x%" PRIx64, r->ways->block[loop_of(row)->header].addr);
}

static int header_block(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, loop_of(row)->header);
}

static int parent_cell(const void *row, char *buf, size_t size)
{
    const uint32_t parent = loop_of(row)->parent;
    return parent == UINT32_MAX ? snprintf(buf, size, "%s", "") : snprintf(buf, size, "%" PRIu32, parent);
}

#define LOOP_COUNT(name, member)                                      \
    static int name(const void *row, char *buf, size_t size)          \
    {                                                                 \
        return snprintf(buf, size, "%" PRIu32, loop_of(row)->member); \
    }
LOOP_COUNT(loop_depth_cell, depth)
LOOP_COUNT(loop_blocks, nblocks)
LOOP_COUNT(loop_insns, ninsns)
LOOP_COUNT(loop_again, again)
LOOP_COUNT(loop_exits, exits)

static int loop_where(const void *row, char *buf, size_t size)
{
    const struct row *r = row;
    return image_where(r->g->loaded.image, r->ways->block[loop_of(row)->header].addr, buf, size);
}

static int loop_note(const void *row, char *buf, size_t size)
{
    const struct loop *l = loop_of(row);
    return snprintf(buf, size, "%s%s%s", l->several ? "entered at several places (irreducible)" : "",
        l->several && !l->exits ? ", " : "", l->exits ? "" : "no way out");
}

static const struct gpudbg_column loop_columns[] = {
    {"loop", "loop", 0, GPUDBG_COUNT, number_cell},
    {"depth", "depth", 0, GPUDBG_COUNT, loop_depth_cell},
    {"parent", "inside", 0, GPUDBG_COUNT, parent_cell},
    {"header", "header", 0, GPUDBG_ADDRESS, header_cell},
    {"block", "block", 0, GPUDBG_COUNT, header_block},
    {"blocks", "blocks", 0, GPUDBG_COUNT, loop_blocks},
    {"insns", "insns", 0, GPUDBG_COUNT, loop_insns},
    {"again", "ways back", 0, GPUDBG_COUNT, loop_again},
    {"exits", "ways out", 0, GPUDBG_COUNT, loop_exits},
    {"where", "where", 0, GPUDBG_NAME, loop_where},
    {"note", "note", 0, GPUDBG_NOTE, loop_note},
};

/* ---- Rows ---- */

struct listing {
    struct gpudbg *g;
    uint64_t from, to;
    bool loops, enough;
    gpudbg_row_fn *each;
    void *data;
};

static bool list_ways(void *data, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct listing *l = data;
    struct loops *loops = loops_new(w, err);
    if (!loops) return false;
    for (uint32_t i = 0; i < (l->loops ? loops->nloops : w->nblocks) && !l->enough; i++) {
        const uint32_t block = l->loops ? loops->loop[i].header : i;
        const struct gpudbg_basic_block *b = &w->block[block];
        if (block == w->returns || b->place == UINT32_MAX || b->addr < l->from || b->addr >= l->to) continue;
        const struct row row = {l->g, w, loops, i};
        l->enough = !l->each(l->data, &row);
    }
    loops_free(loops);
    return true;
}

static bool list(
    struct gpudbg *g, const char *args, bool loops, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct listing l = {.g = g, .loops = loops, .each = each, .data = to};
    if (!g->loaded.image) return gpudbg_fail(err, "no-file", "no file is loaded");
    if (!g->loaded.image->isa)
        return gpudbg_fail(
            err, "not-recognised", "%s does not say its instruction set: give --isa", g->loaded.image->path);
    if (!location_range(&g->eval, args, &l.from, &l.to, err)) return false;
    return gpudbg_image_ways(g->loaded.image, 0, list_ways, &l, err);
}

static bool block_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    return list(g, args, false, each, to, err);
}

static bool loop_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    return list(g, args, true, each, to, err);
}

static const struct gpudbg_listing blocks = {
    .name = "blocks",
    .summary = "list the basic blocks of the code that can be reached, of all of it or of SYMBOL | ADDR | FROM,TO",
    .type = "block",
    .columns = block_columns,
    .ncolumns = sizeof block_columns / sizeof *block_columns,
    .rows = block_rows,
    .empty = "no code can be reached there",
};
static const struct gpudbg_listing loops = {
    .name = "loops",
    .summary = "list the loops of the code that can be reached, of all of it or of SYMBOL | ADDR | FROM,TO",
    .type = "loop",
    .columns = loop_columns,
    .ncolumns = sizeof loop_columns / sizeof *loop_columns,
    .rows = loop_rows,
    .empty = "no loop is there",
};

static const struct gpudbg_listing *const listings[] = {&blocks, &loops, NULL};
COMMAND_FAMILY(cmd_blocks, "blocks", .summary = "the ways through code", .listings = listings);
