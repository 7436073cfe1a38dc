/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the numbers stand for that a client is given: frames, and what has variables.  They are good until the machine
 * moves; numbers of the past are never given again, so a late question gets an error, not another answer.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "control/frames.h"
#include "dap/client.h"
#include "machine/machine.h"

#define HANDLES 1000000 /* at one stop */

json_int_t d_handle(struct dap *d, const struct dap_handle *h)
{
    if (d->nhandles >= HANDLES) d_forget(d);
    d->handle = xgrow(d->handle, d->nhandles, &d->handle_room, sizeof *d->handle);
    d->handle[d->nhandles] = *h;
    return d->handle_base + (json_int_t)d->nhandles++;
}

void d_forget(struct dap *d)
{
    for (size_t i = 0; i < d->nhandles; i++) free(d->handle[i].expr);
    d->handle_base += (json_int_t)d->nhandles;
    d->nhandles = 0;
    if (d->handle_base > INT32_MAX - 2 * HANDLES) d->handle_base = 1; /* the protocol has 31 bits */
}

const struct dap_handle *d_handle_of(struct dap *d, json_int_t number, struct gpudbg_error *err)
{
    if (number >= d->handle_base && number - d->handle_base < (json_int_t)d->nhandles)
        return &d->handle[number - d->handle_base];
    d->quiet = true;
    gpudbg_fail(err, "no-such-name", "%" JSON_INTEGER_FORMAT " is out of date: the program has moved on", number);
    return NULL;
}

bool d_select(struct dap *d, uint32_t wave, unsigned frame, struct gpudbg_error *err)
{
    struct eval *ev = &d->g->eval;
    struct frames frames;
    uint64_t pc;
    bool inner;
    if (!eval_need_machine(ev, err)) return false;
    if (wave >= d->g->running.machine->nwaves)
        return gpudbg_fail(err, "out-of-range", "no thread %" PRIu64 ": there are %" PRIu32 " waves, from 1",
            (uint64_t)wave + 1, d->g->running.machine->nwaves);
    if (d->g->selection.wave != wave) {
        d->g->selection.wave = wave;
        d->g->selection.cursor = location_here(ev);
    }
    if (locals_frame(ev, &pc, &inner) == frame) return true;
    return frames_select(&d->g->control, frame, &frames, err);
}

bool d_select_frame(struct dap *d, const json_t *args, struct gpudbg_error *err)
{
    const json_int_t id = d_number_or(args, "frameId", 0);
    if (!id || d_is_captured(d)) return true;
    const struct dap_handle *h = d_handle_of(d, id, err);
    if (!h) return false;
    if (h->what != WHAT_FRAME)
        return gpudbg_fail(err, "usage", "%" JSON_INTEGER_FORMAT ": this number is not of a frame", id);
    return d_select(d, h->wave, h->frame, err);
}

bool d_thread(struct dap *d, const json_t *args, uint32_t *wave, struct gpudbg_error *err)
{
    json_int_t id;
    if (!eval_need_machine(&d->g->eval, err) || !d_number(args, "threadId", &id, err)) return false;
    *wave = (uint32_t)(id - 1);
    return (id >= 1 && id <= (json_int_t)d->g->running.machine->nwaves) ||
           gpudbg_fail(err, "out-of-range", "no thread %" JSON_INTEGER_FORMAT ": there are %" PRIu32 ", from 1", id,
               d->g->running.machine->nwaves);
}
