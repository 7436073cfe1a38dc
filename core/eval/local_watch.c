/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_watch.c: follows a variable through registers; see local_watch.h. */
#include "eval/local_watch.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "eval/cursor.h"
#include "eval/value.h"
#include "gpudbg/endian.h"
#include "gpudbg/flow.h"
#include "image/dwarf_scope.h"
#include "image/dwarf_type.h"
#include "image/image.h"
#include "machine/machine.h"

#define PIECES 64                      /* of a function's code, at most */
#define INSNS_MOST (UINT32_C(1) << 20) /* whose ways are found */

/* ---- Where it has a place ---- */

static struct local_step *step_at(const struct local_watch *v, uint64_t pc)
{
    size_t low = 0, high = v->nsteps;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (v->step[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < v->nsteps && v->step[low].pc == pc ? &v->step[low] : NULL;
}

static bool has_place(struct eval *ev, uint64_t entry, uint64_t pc)
{
    struct scopes *s = scopes_at(ev->loaded->image, pc);
    Dwarf_Die die;
    for (int i = 0; s && i < s->n; i++)
        for (bool first = true; die_next_variable(&s->die[i], &die, first); first = false)
            if (scopes_number(ev->loaded->image, &die) == entry) return dwarf_has_place(ev, &die, pc - s->base);
    return false;
}

/* The instructions of the function at v->at. */
static bool add_steps(struct eval *ev, struct local_watch *v)
{
    const struct gpudbg_image *image = ev->loaded->image;
    struct scopes *s = scopes_at(image, v->at);
    struct code_piece piece[PIECES];
    const size_t n = s && s->has_function ? scopes_pieces(image, scopes_number(image, &s->function), piece, PIECES) : 0;
    size_t room = 0;
    for (size_t i = 0; i < n && n <= PIECES; i++) {
        struct code_walk code;
        struct gpudbg_insn insn;
        code_walk_open(&code, image, piece[i].lo, piece[i].hi);
        while (code_walk_next(&code, &insn)) {
            if (!code.is_insn || (v->nsteps && v->step[v->nsteps - 1].pc >= insn.addr)) continue;
            v->step = xgrow(v->step, v->nsteps, &room, sizeof *v->step);
            v->step[v->nsteps++] = (struct local_step){.pc = insn.addr, .has = has_place(ev, v->entry, insn.addr)};
        }
    }
    return v->nsteps > 0;
}

/* Whether the instruction leads to one that has a place before it or later. */
static bool leads_on(const struct local_watch *v, const struct gpudbg_ways *ways, const struct gpudbg_insn *insn)
{
    struct gpudbg_nexts next;
    gpudbg_ways_nexts(ways, insn, &next);
    bool on = next.unknown && !next.returns && !(gpudbg_insn_does(insn) & GPUDBG_OP_RETURN);
    for (unsigned i = 0; i < next.n && !on; i++) {
        const struct local_step *to = step_at(v, next.to[i]);
        on = to && to->ahead;
    }
    return on;
}

/* From which instructions a place is still ahead.  Where the ways are not known, it is from all of them. */
static void find_ahead(const struct gpudbg_image *image, struct local_watch *v)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, v->step[0].pc);
    struct gpudbg_error ignored = {0};
    struct gpudbg_ways *ways = s && s->bytes ? gpudbg_ways_new(image->isa, s->bytes, s->size, s->addr, &v->step[0].pc,
                                                   1, 0, INSNS_MOST, &ignored)
                                             : NULL;
    for (size_t i = 0; i < v->nsteps; i++) v->step[i].ahead = v->step[i].has || !ways;
    for (bool more = ways != NULL; more;) {
        more = false;
        for (size_t i = v->nsteps; i-- > 0;) {
            struct gpudbg_insn insn;
            if (v->step[i].ahead || !insn_at(image, v->step[i].pc, &insn) || !leads_on(v, ways, &insn)) continue;
            more = v->step[i].ahead = true;
        }
    }
    gpudbg_ways_free(ways);
}

/* ---- What it holds ---- */

bool local_watch_read(struct eval *ev, const struct local_watch *v, uint8_t *bytes, char *where, size_t size)
{
    struct machine_wave_info info;
    struct gpudbg_error err = {0};
    struct cursor c;
    struct value value;
    machine_wave_info(ev->running->machine, v->wave, &info);
    const struct local_step *here = info.lost_pc ? NULL : step_at(v, info.pc);
    if (!here || !here->has || info.state == GPUDBG_ENDED) return false;
    if (v->lane >= 0 && v->lane < 64 && !info.lost_mask && !(info.active >> v->lane & 1)) return false;
    if (!cursor_expression(ev, v->wave, v->lane, v->expr, v->entry, &c, &err)) return false;
    if (v->type.bits) {
        if (!cursor_value(&c, &value, &err)) return false;
        value = value_convert(&value, v->type);
        le_put(bytes, value_bits(&value), (unsigned)v->size);
    } else if (!dwarf_place_read(ev, v->wave, v->lane, &c.place, bytes, (size_t)v->size, &err)) {
        return false;
    }
    if (size) dwarf_place_text(ev, &c.place, (size_t)v->size, where, size);
    return true;
}

/* Keeps what is there now; false: nothing is. */
static bool take(struct eval *ev, struct local_watch *v)
{
    uint8_t now[LOCAL_WATCHED];
    char where[sizeof v->where];
    if (!local_watch_read(ev, v, now, where, sizeof where)) return false;
    memcpy(v->held, now, (size_t)v->size);
    if (v->seen == LOCAL_SEEN)
        memcpy(v->was, v->where, sizeof v->was);
    else
        memcpy(v->was, where, sizeof v->was);
    memcpy(v->where, where, sizeof v->where);
    v->seen = LOCAL_SEEN;
    return true;
}

/* ---- Following it ---- */

struct local_watch *local_watch_new(struct eval *ev, uint32_t wave, int lane, uint64_t at, const char *expr)
{
    struct cursor c = {.ev = ev, .wave = wave, .lane = lane};
    struct gpudbg_error ignored = {0};
    struct local_watch *v = xalloc(sizeof *v);
    *v = (struct local_watch){.wave = wave, .lane = lane, .at = at};
    text_put(v->expr, sizeof v->expr, "%s", expr);
    const bool is = cursor_shape(ev, wave, lane, at, expr, &c, &v->entry) && !c.count && !die_is_pointer(&c.type);
    v->type = is ? die_number(&c.type) : (struct value_type){0};
    v->size = v->type.bits ? v->type.bits / 8 : is ? die_bytes(&c.type) : 0;
    v->shape = is && !c.indexed ? scopes_number(ev->loaded->image, &c.type) : 0;
    const bool fits = v->size && v->size <= LOCAL_WATCHED && (v->type.bits || v->shape);
    const struct gpudbg_wave *w = fits ? machine_wave(ev->running->machine, wave, &ignored) : NULL;
    if (w && add_steps(ev, v)) {
        find_ahead(ev->loaded->image, v);
        const struct local_step *from = step_at(v, at), *here = step_at(v, w->pc);
        v->executed = w->executed;
        if (!take(ev, v) && !(here && here->has)) v->seen = LOCAL_NOWHERE;
        if (from && from->ahead) return v;
    }
    local_watch_free(v);
    return NULL;
}

struct local_watch *local_watch_copy(const struct local_watch *v)
{
    struct local_watch *copy = xalloc(sizeof *copy);
    *copy = *v;
    copy->step = xcalloc(v->nsteps, sizeof *v->step);
    memcpy(copy->step, v->step, v->nsteps * sizeof *v->step);
    copy->asked = copy->fresh = false;
    copy->seen = LOCAL_UNSEEN;
    return copy;
}

void local_watch_free(struct local_watch *v)
{
    if (!v) return;
    free(v->step);
    free(v);
}

void local_watch_begin(struct local_watch *v)
{
    v->executed -= v->asked;
    v->asked = v->fresh = false;
}

void local_watch_before(struct eval *ev, struct local_watch *v, const struct gpudbg_wave *w)
{
    if (v->asked && w->executed + 1 == v->executed) return; /* asked twice */
    const bool goes_on = w->executed == v->executed;
    if (!goes_on) v->seen = LOCAL_UNSEEN;
    if (!goes_on || !v->fresh) take(ev, v);
    v->executed = w->executed + 1;
    v->asked = true;
    v->fresh = false;
}

enum local_change local_watch_after(
    struct eval *ev, struct local_watch *v, const struct gpudbg_wave *w, uint64_t pc, uint8_t was[LOCAL_WATCHED])
{
    const struct local_step *from = step_at(v, pc), *to = step_at(v, w->pc);
    const bool seen = v->seen == LOCAL_SEEN, nowhere = v->seen == LOCAL_NOWHERE;
    struct gpudbg_insn insn;
    memcpy(was, v->held, (size_t)v->size);
    v->asked = false;
    v->fresh = true;
    if (take(ev, v)) {
        if (nowhere) return LOCAL_FIRST;
        return seen && memcmp(was, v->held, (size_t)v->size) != 0 ? LOCAL_CHANGED : LOCAL_SAME;
    }
    if (to && w->state != GPUDBG_ENDED) return to->ahead ? LOCAL_SAME : LOCAL_ENDED;
    const bool called = from && insn_at(ev->loaded->image, pc, &insn) && gpudbg_insn_does(&insn) & GPUDBG_OP_CALL;
    return from && !called ? LOCAL_ENDED : LOCAL_SAME;
}

size_t local_watch_traces(const struct eval *ev, uint64_t **pc)
{
    struct code_walk code;
    struct gpudbg_insn insn;
    size_t n = 0, room = 0;
    *pc = NULL;
    code_walk_open(&code, ev->loaded->image, 0, UINT64_MAX);
    while (code_walk_next(&code, &insn)) {
        if (!code.is_insn) continue;
        *pc = xgrow(*pc, n, &room, sizeof **pc);
        (*pc)[n++] = insn.addr;
    }
    return n;
}
