/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info strip: all waves by their lanes; see strip.h. */
#include "command/strip.h"

#include <inttypes.h>
#include <stdlib.h>

#include "session/session.h"
#include "session/command.h"
#include "base/alloc.h"
#include "code/code_names.h"
#include "image/image.h"
#include "machine/machine.h"

#define ROW(row) ((const struct strip_row *)(row))

/* ---- A row ---- */

char strip_lane(const struct strip_row *r, unsigned lane)
{
    if (!(r->exist >> lane & 1)) return ' ';
    if (!r->letter) return '-';
    if (r->lost_mask) return '?';
    return r->running >> lane & 1 ? r->letter : '.';
}

const char *strip_state(const struct strip_row *r)
{
    static const char *const words[] = {"unstarted", "ready", "barrier", "ended"};
    return words[r->state & 3];
}

static int strip_mark(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ROW(row)->selected ? ">" : "");
}

int strip_waves(const void *row, char *buf, size_t size)
{
    const struct strip_row *r = row;
    return r->first == r->last ? snprintf(buf, size, "%" PRIu32, r->first)
                               : snprintf(buf, size, "%" PRIu32 "-%" PRIu32, r->first, r->last);
}

static int strip_lanes(const void *row, char *buf, size_t size)
{
    char text[65];
    const unsigned n = ROW(row)->g->running.machine->lanes;
    for (unsigned i = 0; i < n && i < 64; i++) text[i] = strip_lane(row, i);
    return snprintf(buf, size, "%.*s", n < 64 ? (int)n : 64, text);
}

static int strip_word(const void *row, char *buf, size_t size) { return snprintf(buf, size, "%s", strip_state(row)); }

static int strip_letter(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%.1s", ROW(row)->letter ? (char[]){ROW(row)->letter, 0} : "");
}

int strip_place(const void *row, char *buf, size_t size)
{
    const struct strip_row *r = row;
    if (!r->letter) return snprintf(buf, size, "(ended)");
    return r->lost_pc ? snprintf(buf, size, "unknown") : image_where(r->g->loaded.image, r->pc, buf, size);
}

int strip_insn(const void *row, char *buf, size_t size)
{
    const struct strip_row *r = row;
    if (!r->letter || r->lost_pc) return snprintf(buf, size, "%s", "");
    return code_text_at(r->g->loaded.image, r->pc, r->g->eval.syntax, buf, size);
}

static int strip_pc(const void *row, char *buf, size_t size)
{
    const struct strip_row *r = row;
    return !r->letter || r->lost_pc ? 0 : snprintf(buf, size, "0x%" PRIx64, r->pc);
}

static const struct gpudbg_column columns[] = {
    {"selected", "", 0, GPUDBG_PLAIN, strip_mark},
    {"waves", "waves", 0, GPUDBG_PLAIN, strip_waves},
    {"lanes", "lanes", 0, GPUDBG_PLAIN, strip_lanes},
    {"letter", "at", 0, GPUDBG_PLAIN, strip_letter},
    {"where", "where", 0, GPUDBG_NAME, strip_place},
    {"state", "state", 0, GPUDBG_PLAIN, strip_word},
    {"insn", "instruction", 0, GPUDBG_PLAIN, strip_insn},
    {"pc", "pc", 0, GPUDBG_ADDRESS, strip_pc},
};

/* ---- All rows ---- */

struct places { /* addresses in ascending order, each once */
    uint64_t *pc;
    size_t n, room;
};

/* Where pc stands, or would stand. */
static size_t place_index(const struct places *p, uint64_t pc)
{
    size_t from = 0, to = p->n;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (p->pc[middle] < pc)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Keeps the lowest addresses: only these have letters. */
static void place_add(struct places *p, uint64_t pc)
{
    const size_t at = place_index(p, pc);
    if (at == STRIP_LETTERS || (at < p->n && p->pc[at] == pc)) return;
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 8;
        p->pc = xrealloc(p->pc, p->room, sizeof *p->pc);
    }
    if (p->n < STRIP_LETTERS) p->n++;
    for (size_t i = p->n - 1; i > at; i--) p->pc[i] = p->pc[i - 1];
    p->pc[at] = pc;
}

static bool is_placed(const struct machine_wave_info *w) { return w->state != GPUDBG_ENDED && !w->lost_pc; }

static char letter_of(const struct places *p, const struct machine_wave_info *w)
{
    if (w->state == GPUDBG_ENDED) return 0;
    const size_t at = place_index(p, w->pc);
    return is_placed(w) && at < p->n && p->pc[at] == w->pc ? (char)('A' + at) : STRIP_OTHER;
}

static bool is_same(const struct strip_row *r, const struct machine_wave_info *w)
{
    if (r->state != w->state || r->exist != w->lanes) return false;
    if (w->state == GPUDBG_ENDED) return true;
    if (r->lost_pc != w->lost_pc || (!w->lost_pc && r->pc != w->pc)) return false;
    return r->lost_mask == w->lost_mask && (w->lost_mask || r->running == (w->active & w->lanes));
}

static bool strip_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct places places = {0};
    struct machine_wave_info w;
    struct strip_row row = {0};
    bool more = true;
    if (!eval_need_machine(&g->eval, err)) return false;
    if (*args) return gpudbg_fail(err, "usage", "info strip takes no argument");
    const uint32_t n = g->running.machine->nwaves;
    for (uint32_t i = 0; i < n;) {
        i = machine_waves_alike(g->running.machine, i, &w);
        if (is_placed(&w)) place_add(&places, w.pc);
    }
    for (uint32_t i = 0, end; i < n && more; i = end) {
        end = machine_waves_alike(g->running.machine, i, &w);
        const bool selected = g->selection.wave - i < end - i;
        if (i && is_same(&row, &w)) {
            row.last = end - 1;
            row.selected |= selected;
            continue;
        }
        if (i) more = each(to, &row);
        row = (struct strip_row){.g = g,
            .first = i,
            .last = end - 1,
            .pc = w.pc,
            .exist = w.lanes,
            .running = w.active & w.lanes,
            .state = w.state,
            .lost_pc = w.lost_pc,
            .lost_mask = w.lost_mask,
            .selected = selected,
            .letter = letter_of(&places, &w)};
    }
    if (n && more) each(to, &row);
    free(places.pc);
    return true;
}

const struct gpudbg_listing strip_listing = {
    .name = "strip",
    .summary = "show all waves by their lanes: a letter for each place in the code",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = strip_rows,
};

static const struct gpudbg_listing *const strip_listings[] = {&strip_listing, NULL};
COMMAND_FAMILY(cmd_strip, "strip", .summary = "all waves by lanes and places", .listings = strip_listings);
