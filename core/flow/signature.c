/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/signature.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "gpudbg/text.h"

struct making {
    uint64_t addr;
    bool found;
    signature_fn *each;
    void *to;
};

static bool surely(const struct used *u, const live_need *needs, uint32_t *cell)
{
    const unsigned file = u->cell[*cell].file;
    const uint32_t reg = live_register(u, *cell);
    bool sure = false;
    for (; *cell < u->ncells && u->cell[*cell].file == file && live_register(u, *cell) == reg; ++*cell)
        sure = sure || (needs[*cell] && !(needs[*cell] & LIVE_MAYBE));
    return sure;
}

static void list(struct making *m, const struct live *live, uint32_t block, uint32_t number, const live_need *needs)
{
    const struct used *u = live->used;
    struct signature_run run = {.n = 0};
    bool more = true;
    for (uint32_t c = 0; c < u->ncells && more;) {
        const uint32_t first = c, reg = live_register(u, c);
        const unsigned file = u->cell[c].file;
        if (!surely(u, needs, &c) || !u->ways->isa->files[file].indexed) continue;
        if (u->ways->isa->files[file].lanes > 1 && live_mask(needs[first]) == MASK_ROOT &&
            live_next_read_here(live, block, number, first) == UINT32_MAX)
            continue; /* the code writes it itself, for the lanes that run */
        if (run.n && run.file == file && run.first + run.n == reg &&
            !(u->ways->isa->files[file].parts && reg % 4 == 0)) {
            run.n++;
            continue;
        }
        if (run.n) more = m->each(m->to, u->ways->isa, &run);
        const uint32_t read = live_next_read(live, block, number, first);
        run = (struct signature_run){file, reg, 1, read == UINT32_MAX ? GPUDBG_NO_ADDR : u->addr[read]};
    }
    if (run.n && more) m->each(m->to, u->ways->isa, &run);
}

static bool take(void *to, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct making *m = to;
    uint32_t number, block;
    if (m->addr - w->base >= w->size) return true;
    struct live *live = live_new(w, err);
    if (!live) return false;
    m->found = live_find(live, m->addr, &number, &block);
    if (m->found) {
        live_need *needs = xcalloc((size_t)live->used->ncells + 1, sizeof *needs);
        live_before(live, block, number, needs);
        list(m, live, block, number, needs);
        free(needs);
    }
    live_free(live);
    return true;
}

bool signature_of(
    const struct gpudbg_image *image, uint64_t addr, signature_fn *each, void *to, struct gpudbg_error *err)
{
    struct making m = {.addr = addr, .each = each, .to = to};
    return gpudbg_image_ways(image, 0, take, &m, err) &&
           (m.found || gpudbg_fail(err, "out-of-range",
                           "no way from an entry of the code leads to an instruction at 0x%" PRIx64, addr));
}

int signature_name(const struct gpudbg_isa *isa, const struct signature_run *run, char *buf, size_t size)
{
    const struct gpudbg_regfile *file = &isa->files[run->file];
    if (file->parts) /* components of one register, or the first of several */
        return snprintf(buf, size, "%s%" PRIu32 ".%.*s", file->name, run->first / 4, run->n < 4 ? (int)run->n : 4,
            file->parts + run->first % 4);
    if (run->n == 1) return snprintf(buf, size, "%s%" PRIu32, file->name, run->first);
    return snprintf(buf, size, "%s[%" PRIu32 ":%" PRIu32 "]", file->name, run->first, run->first + run->n - 1);
}

/* ---- A line for `launch` ---- */

struct offering {
    struct gpudbg *session;
    const struct gpudbg_image *image;
    struct text text;
};

static bool is_given(const struct offering *o, const struct gpudbg_isa *isa, unsigned file, uint32_t reg)
{
    if (isa->regions.elements && reg == 0) return true; /* the launch makes register 0 */
    return isa->alone && isa->alone->gives && isa->alone->gives(o->session, o->image, file, reg);
}

static void add_run(
    struct text *t, const struct gpudbg_isa *isa, const struct gpudbg_regfile *file, uint32_t first, uint32_t n)
{
    const uint32_t bytes = file->bits / 8;
    if (file->lanes > 1)
        for (uint32_t i = 0; i < n; i++)
            text_add(t, " %s[%" PRIu32 "]=zero:%" PRIu32, file->name, first + i, bytes * file->lanes);
    else if (isa->regions.elements)
        text_add(t, " %s%" PRIu32 "=zero:%" PRIu32, file->name, first, bytes * n);
    else
        text_add(t, " %s[%" PRIu32 ":%" PRIu32 "]=zero:%" PRIu32, file->name, first, first + n - 1, bytes * n);
}

static bool add_words(void *to, const struct gpudbg_isa *isa, const struct signature_run *run)
{
    struct offering *o = to;
    const struct gpudbg_regfile *file = &isa->files[run->file];
    if (file->parts) return true; /* a launch cannot set components */
    for (uint32_t i = 0, n; i < run->n; i += n) {
        n = 1;
        if (is_given(o, isa, run->file, run->first + i)) continue;
        while (i + n < run->n && !is_given(o, isa, run->file, run->first + i + n)) n++;
        add_run(&o->text, isa, file, run->first + i, n);
    }
    return true;
}

int signature_words(struct gpudbg *session, const struct gpudbg_image *image, uint64_t addr, char *buf, size_t size)
{
    struct offering o = {session, image, text_in(buf, size)};
    struct gpudbg_error unsaid = {0};
    if (image->isa && image->isa->uses) signature_of(image, addr, add_words, &o, &unsaid);
    return (int)o.text.n;
}
