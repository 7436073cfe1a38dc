/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.h: where the instructions of a launch went: counted by the runner as they run (`set profile`), else by
 * running recorded time once more, and then the run itself pays nothing for it.
 */
#ifndef GPUDBG_PROFILE_H
#define GPUDBG_PROFILE_H

#include "control/control.h"

struct profile_place {
    uint64_t pc;
    uint64_t executed; /* by waves */
    uint64_t lanes;    /* by lanes, if it works per lane */
    uint64_t partial;  /* executed with some of the wave's lanes masked off, if it works per lane */
    uint64_t jumped;   /* went on somewhere else than behind it */
};

struct profile {
    struct profile_place *place; /* sorted by pc */
    size_t count;
    uint64_t instructions, lane_operations;
};

/* See gpudbg_rerun: what was executed up to now runs once more, while *watching is true. */
bool profile_rerun(struct control *, bool *watching, struct gpudbg_error *);
/* The same, told to an observer. */
struct machine_observer;
bool profile_watch(struct control *, const struct machine_observer *, struct gpudbg_error *);
/* From the launch to the present; leaves the machine where it stands.  false: interrupted, or nothing is launched. */
bool profile_take(struct control *, struct profile *, struct gpudbg_error *);
void profile_free(struct profile *);

#endif
