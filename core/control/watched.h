/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watched.h: what a watchpoint watches, as it is now, and what the instruction that it stopped after did to it. */
#ifndef GPUDBG_WATCHED_H
#define GPUDBG_WATCHED_H

#include "control/stop.h"

/* What a watchpoint watches, as it is now: of a register with lanes that of the selected one, and how many values there
 * are.  "": it is out of reach, or another kind of point.  Returns the length. */
int watched_value(const struct control *, const struct stop_point *, char *buf, size_t size);
/* Bytes of a lane in what is kept of the value; 0: it has not several lanes, or not all of them are kept. */
unsigned watched_lane_bytes(const struct stop_point *);
/* A lane of the bytes of all, as the register's type in that lane shows it. */
void watched_lane_text(const struct control *, const struct stop_point *, int lane, const unsigned char *all,
    uint64_t pc, char *buf, size_t size);
/* Bytes of the value that are kept and shown, before and after. */
size_t watched_shown(const struct stop_point *);
/* Before an instruction that may change the point's register: remembers what it holds. */
void watched_before(struct control *, struct stop_point *);
/* Whether the instruction that a point of writes alone has just met changed what is watched; of memory, what the
 * point's lane stored there.  One that writes the value that was there did not. */
bool watched_changed(struct control *, const struct stop_point *, uint32_t wave);
/* Finds the element of memory that the hit is about: the first that the lane stored (-1: any lane), where
 * only writes are watched the first that it changed. */
void watched_take(struct control *, struct stop_point *, uint32_t wave, int lane);
/* The lanes of a register whose values differ, a bit each from lane 0 on. */
uint64_t watched_lanes_changed(const struct stop_point *);
/* After an instruction: whether a variable that is followed changed, has its first value, or (not on the way back)
 * ended; fills in what the stop says. */
bool watched_followed(struct control *, struct stop_point *, const struct gpudbg_wave *, bool back);
/* "x has no place from here on; its last value was 82; the watchpoint is deleted" */
int watched_end(const struct control *, const struct stop_point *, char *buf, size_t size);
/* Adds to the record of a stop what a watchpoint saw, before and after. */
void watched_record(struct control *, struct gpudbg_out *, const struct stop_point *);

#endif
