/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * history.h: time, by checkpoints and page copies.
 *
 *     C0 ------ C1 ------ C2 ---p-- C3 ------ C4 --- recorded
 *        pages0    pages1    undo/     pages3
 *                            pages2
 *
 * A checkpoint holds the registers and LDS of live groups, and where schedule and log stood.  Global memory is kept by
 * page: the list of an epoch (from its checkpoint to the next) has every page that is written in it.  For an epoch
 * before the present the list holds what the pages held at its start; for one after the present, what they will hold at
 * its end. So passing over an epoch, either way, is swapping its pages with memory.  Pages written since the latest
 * checkpoint before the present are in `undo`, with their contents at that checkpoint; when replay reaches the next
 * checkpoint, undo becomes the epoch's list.
 *
 * When the budget is full, checkpoints are taken out and the lists on both sides become one.
 */
#ifndef GPUDBG_HISTORY_H
#define GPUDBG_HISTORY_H

#include "base/ticker.h"
#include "machine/pages.h"
#include "machine/schedule.h"

#define HISTORY_BUDGET ((uint64_t)256 << 20)

struct checkpoint {
    uint64_t position;
    struct log_place place;
    struct cursor cursor;
    size_t nended;  /* groups */
    uint8_t *state; /* of live groups: struct group_copy and what follows it, one after another */
    size_t size;
    struct page_list pages; /* of the epoch that begins here */
};

struct history {
    struct checkpoint *list;
    size_t n, room;
    size_t present; /* the epoch we are in */
    struct page_list undo;
    uint64_t interval; /* instructions between checkpoints, where they are cheap */
    uint64_t budget, state_bytes;
    struct page_pool pool, *heir; /* heir: gets memory of the pool in the end; NULL: it is freed */
    bool still;                   /* history_still */
    size_t stood;                 /* ... the epoch we were in then */
};

bool history_open(struct gpudbg_machine *, struct gpudbg_error *); /* at position 0, all else ready */
void history_close(struct gpudbg_machine *);
/* Memory for copies of pages passes from the old machine, which is freed next, to this one. */
void history_inherit(struct gpudbg_machine *, struct gpudbg_machine *old);

/* Keeps the page's contents for going back, once an epoch.  false: no memory. */
bool history_save(struct gpudbg_machine *, struct gpudbg_segment *, uint64_t page);

uint64_t history_limit(const struct gpudbg_machine *); /* instructions before something is due here */
void history_due(struct gpudbg_machine *); /* after each turn: passes checkpoints and edits, makes new checkpoints */

size_t history_find(const struct gpudbg_machine *, uint64_t position); /* latest checkpoint at or before it */
void history_restore(struct gpudbg_machine *, size_t checkpoint);      /* goes there */
/* Goes anywhere in recorded time.  The ticker is asked now and then (NULL: nobody is); false: it had enough, and the
 * present is the position that was reached, as if one had gone there. */
bool history_seek(struct gpudbg_machine *, uint64_t position, const struct ticker *);
/* From now on nothing is kept, so that the pages of history stay shared with the process that this one is a copy of.
 * One can run recorded time, and go to checkpoints in one direction: always back, or always on. */
void history_still(struct gpudbg_machine *);
void history_cut(struct gpudbg_machine *); /* a checkpoint here; there is none if memory is short */
/* A checkpoint here, unless one is near: who leaves to look elsewhere comes back at once. */
void history_mark(struct gpudbg_machine *);
/* Instructions that a wave had executed at a checkpoint. */
uint64_t history_executed(const struct gpudbg_machine *, size_t checkpoint, uint32_t wave);

/* Whether the epoch that begins at a checkpoint stores to any of the pages first to last. */
bool history_stores(
    const struct gpudbg_machine *, size_t checkpoint, const struct gpudbg_segment *, uint64_t first, uint64_t last);

/* Runs all time up to the present again from the launch; its checkpoints are new.  false: as history_seek. */
bool history_again(struct gpudbg_machine *, const struct ticker *);
void history_truncate(struct gpudbg_machine *);        /* time ends here: forgets what was recorded after the present */
uint64_t history_bytes(const struct gpudbg_machine *); /* that checkpoints and pages take */
void history_set_budget(struct gpudbg_machine *, uint64_t bytes);

#endif
