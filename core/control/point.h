/* SPDX-License-Identifier: GPL-3.0-or-later */
/* point.h: breakpoints and watchpoints from the text that names their place, for whoever adds them to the stops. */
#ifndef GPUDBG_POINT_H
#define GPUDBG_POINT_H

#include "control/stop.h"

/* Fails where no instruction starts at the address. */
bool point_starts(const struct gpudbg_image *, uint64_t addr, struct gpudbg_error *);
/* Fills in the locations of a place, malloc'ed; "" is where the selected wave stands. */
bool point_locations(struct control *, const char *text, struct stop_point *, struct gpudbg_error *);
/* Keeps what the user named; false: it is longer than a point can keep, kind "too-large". */
bool point_named(struct stop_point *, const char *text, struct gpudbg_error *);
/* A condition that cannot be read is found now, not when it is met; but variables of the source may have no value here.
 */
bool point_condition(struct control *, const char *condition, const struct stop_point *, struct gpudbg_error *);
/* Adds a watchpoint of the place that the text, which is changed, names in the point's wave, or the selected one.  NULL
 * with an error. */
struct stop_point *point_watch(struct control *, char *text, struct stop_point *, struct gpudbg_error *);
/* The place that the text, which is changed, names in a wave: as past_named finds it, but a variable that is in
 * registers is followed, in the point's lane or in the selected one.  false with an error. */
bool point_place(struct control *, uint32_t wave, char *text, struct stop_point *, struct gpudbg_error *);
/* A register that has lanes and that the text names without one is watched in all of them.  false with an error. */
bool point_all_lanes(struct control *, uint32_t wave, const char *text, struct stop_point *, struct gpudbg_error *);

#endif
