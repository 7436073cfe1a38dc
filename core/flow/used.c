/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/used.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define USES_MOST ((size_t)1 << 24)
#define FILES_MOST 256

static bool no_memory(struct gpudbg_error *err)
{
    return gpudbg_fail(err, "memory", "the code's registers: out of memory");
}

/* Uses while cells have no numbers yet: the file in `file`, the unit in use.cell. */
struct reading {
    struct used *u;
    struct gpudbg_uses uses;
    uint8_t *file; /* of each use */
    size_t use_room, move_room;
    uint8_t *named[FILES_MOST]; /* of each unit of a file: the code names it */
    uint32_t units[FILES_MOST], room[FILES_MOST];
    struct gpudbg_error *err;
    bool failed;
};

static bool name_units(struct reading *r, unsigned file, uint32_t at, uint32_t n)
{
    if (at + n > r->room[file]) {
        const uint32_t room = (at + n) * 2;
        uint8_t *named = realloc(r->named[file], room);
        if (!named) return no_memory(r->err);
        memset(named + r->room[file], 0, room - r->room[file]);
        r->named[file] = named;
        r->room[file] = room;
    }
    memset(r->named[file] + at, 1, n);
    if (at + n > r->units[file]) r->units[file] = at + n;
    return true;
}

static bool keep_use(struct reading *r, const struct gpudbg_use *use)
{
    struct used *u = r->u;
    if (use->n != GPUDBG_USE_FILE && !name_units(r, use->file, use->at, use->n)) return false;
    if (u->nuses == r->use_room) {
        const size_t room = r->use_room ? 2 * r->use_room : 1024;
        if (room > USES_MOST)
            return gpudbg_fail(r->err, "too-large", "the code uses too many registers to follow them");
        struct used_use *more = realloc(u->use, room * sizeof *more);
        if (more) u->use = more;
        uint8_t *file = more ? realloc(r->file, room) : NULL;
        if (!file) return no_memory(r->err);
        r->file = file;
        r->use_room = room;
    }
    r->file[u->nuses] = use->file;
    u->use[u->nuses++] = (struct used_use){use->at, use->n, use->flags, use->lane};
    return true;
}

static bool keep_moves(struct reading *r)
{
    struct used *u = r->u;
    if (u->nmoves + 4 > r->move_room) {
        const size_t room = 2 * r->move_room + 64;
        struct gpudbg_mask_move *more = realloc(u->move, room * sizeof *more);
        if (!more) return no_memory(r->err);
        u->move = more;
        r->move_room = room;
    }
    if (r->uses.nmoves) memcpy(u->move + u->nmoves, r->uses.move, r->uses.nmoves * sizeof *u->move);
    u->nmoves += r->uses.nmoves;
    return true;
}

static bool read_insn(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct reading *r = to;
    struct used_insn *i = &r->u->insn[number];
    gpudbg_insn_uses(insn, &r->uses);
    *i = (struct used_insn){
        .use = (uint32_t)r->u->nuses, .move = (uint32_t)r->u->nmoves, .nmoves = r->uses.nmoves, .nest = r->uses.nest};
    r->u->addr[number] = insn->addr;
    r->failed = r->uses.full ? !no_memory(r->err) : !keep_moves(r);
    for (size_t k = 0; k < r->uses.n && !r->failed; k++) r->failed = !keep_use(r, &r->uses.use[k]);
    i->nuses = (uint32_t)(r->u->nuses - i->use);
    return !r->failed;
}

/* Whether control may leave the code behind the block, by its last instruction. */
struct last {
    const struct gpudbg_ways *w;
    uint8_t leaves;
    bool jumps; /* to where a register says, and it is no call */
};

static bool see_last(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct last *l = to;
    struct gpudbg_nexts nexts;
    (void)number;
    gpudbg_ways_nexts(l->w, insn, &nexts);
    bool missing = nexts.unknown || (nexts.returns && l->w->returns == UINT32_MAX);
    for (unsigned i = 0; i < nexts.n; i++) missing = missing || gpudbg_block_at(l->w, nexts.to[i]) == UINT32_MAX;
    l->leaves = missing ? USED_LEAVES : !nexts.n && !nexts.returns ? USED_ENDS : USED_STAYS;
    l->jumps = nexts.unknown && !nexts.call;
    return true;
}

static void see_ends(struct used *u)
{
    const struct gpudbg_ways *w = u->ways;
    for (uint32_t b = 0; b < w->nblocks; b++) {
        if (b == w->returns || w->block[b].place == UINT32_MAX) continue;
        struct last l = {.w = w, .leaves = USED_LEAVES};
        gpudbg_block_walk(w, b, see_last, &l); /* the last call counts */
        u->leaves[b] = l.leaves;
        u->unknown_jumps += l.jumps;
    }
}

/* Gives units their numbers. */
static bool number_cells(struct reading *r)
{
    struct used *u = r->u;
    const size_t nfiles = u->ways->isa->nfiles;
    uint32_t **number = xcalloc(nfiles ? nfiles : 1, sizeof *number), n = 0;
    for (size_t f = 0; f < nfiles && f < FILES_MOST; f++)
        for (uint32_t i = 0; i < r->units[f]; i++) n += r->named[f][i];
    u->cell = malloc(((size_t)n + 1) * sizeof *u->cell);
    bool ok = u->cell != NULL;
    n = 0;
    for (size_t f = 0; f < nfiles && f < FILES_MOST && ok; f++) {
        u->first_cell[f] = n;
        number[f] = malloc(((size_t)r->units[f] + 1) * sizeof *number[f]);
        ok = number[f] != NULL;
        for (uint32_t i = 0; i < r->units[f] && ok; i++) {
            number[f][i] = n;
            if (r->named[f][i]) u->cell[n++] = (struct used_cell){(uint8_t)f, i};
        }
        u->first_cell[f + 1] = n;
    }
    u->ncells = n;
    for (size_t k = 0; k < u->nuses && ok; k++) {
        struct used_use *use = &u->use[k];
        const unsigned f = r->file[k];
        if (use->n == GPUDBG_USE_FILE) {
            const uint32_t all = u->first_cell[f + 1] - u->first_cell[f];
            use->cell = u->first_cell[f];
            use->n = (uint16_t)(all < UINT16_MAX ? all : UINT16_MAX);
        } else {
            use->cell = number[f][use->cell];
        }
    }
    for (size_t f = 0; f < nfiles; f++) free(number[f]);
    free(number);
    return ok || no_memory(r->err);
}

struct used *used_new(const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct used *u = xalloc(sizeof *u);
    struct reading *r = xcalloc(1, sizeof *r);
    *u = (struct used){.ways = w};
    r->u = u;
    r->err = err;
    u->insn = calloc((size_t)w->ninsns + 1, sizeof *u->insn);
    u->addr = calloc((size_t)w->ninsns + 1, sizeof *u->addr);
    u->leaves = calloc((size_t)w->nblocks + 1, 1);
    u->first_cell = xcalloc(w->isa->nfiles + 2, sizeof *u->first_cell);
    bool ok = (u->insn && u->addr && u->leaves) || no_memory(err);
    for (uint32_t b = 0; b < w->nblocks && ok; b++)
        if (w->block[b].place != UINT32_MAX) ok = gpudbg_block_walk(w, b, read_insn, r) || !r->failed;
    if (ok) ok = number_cells(r);
    if (ok) see_ends(u);
    for (unsigned f = 0; f < FILES_MOST; f++) free(r->named[f]);
    free(r->uses.use);
    free(r->uses.footprint);
    free(r->file);
    free(r);
    if (ok) return u;
    used_free(u);
    return NULL;
}

void used_free(struct used *u)
{
    if (!u) return;
    free(u->insn);
    free(u->use);
    free(u->move);
    free(u->cell);
    free(u->first_cell);
    free(u->addr);
    free(u->leaves);
    free(u);
}

uint32_t used_cell_of(const struct used *u, unsigned file, uint32_t at)
{
    if (file >= u->ways->isa->nfiles) return UINT32_MAX;
    uint32_t lo = u->first_cell[file], hi = u->first_cell[file + 1];
    const uint32_t end = hi;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (u->cell[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < end && u->cell[lo].at == at ? lo : UINT32_MAX;
}
