/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.h: what it takes to run a launch under the user's eyes: breakpoints, checkers, profiles. */
#ifndef GPUDBG_CONTROL_H
#define GPUDBG_CONTROL_H

#include "base/line_list.h"
#include "control/settings.h"
#include "eval/eval.h"

struct stops; /* stop.h */
struct stop_point;

struct control {
    struct eval *eval; /* what is opened, launched and selected */
    const struct settings *settings;
    struct stops *stops;
    struct gpudbg_checks *checks;
    bool glance;   /* a pane is being drawn: nothing may take long now */
    bool going;    /* the machine runs forward; between two instructions, its memory is what the program sees */
    uint64_t runs; /* how often the machine was run */
    struct line_list
        attached; /* commands of the breakpoint that the machine has just stopped at, to be run by whoever ran it */
    bool silent;  /* ... and that stop is not reported */
    struct control_asked {
        /* Asked where a point was met that would stop: whether it does.  lane -1: no one lane.  Backwards, hits are not
         * counted.  The machine must stay as it is.  NULL: it does. */
        bool (*met)(void *data, struct stop_point *, struct gpudbg_wave *, int lane, bool back);
        void *data;
    } asked; /* of the front end */
};

#endif
