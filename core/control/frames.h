/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frames.h: the functions that the selected wave is in, inlined ones too, and who called them. */
#ifndef GPUDBG_FRAMES_H
#define GPUDBG_FRAMES_H

#include "control/control.h"
#include "eval/locals.h"

#define FRAMES_MOST 64

struct frames {
    struct {
        uint64_t pc;
        unsigned depth; /* how many are inlined into it at its pc */
        struct local_frame frame;
    } of[FRAMES_MOST];
    unsigned n, inner; /* inner: how many stand at the wave's own pc */
};

/* The innermost frames, at most `most`; the machine is where it was again.  *caller, where it is wanted and the last of
 * them is not at the wave's pc: the wave as it was there (free it). */
void frames_find(struct control *, unsigned most, struct frames *, struct gpudbg_wave **caller);
/* Selects one, as locals_select_frame does, and finds those up to it. */
bool frames_select(struct control *, unsigned number, struct frames *, struct gpudbg_error *);
/* The selected wave as it was at the call of the function that it is in (free it); NULL: it was not called, or recorded
 * time does not reach so far.  The machine is where it was again. */
struct gpudbg_wave *frames_called(struct control *);
/* Goes back to the entry of a frame's function, or of the wave for its outermost; running->last says where that is.
 * false: the frame is inlined, or recorded time does not reach so far. */
bool frames_restart(struct control *, unsigned number, struct gpudbg_error *);

#endif
