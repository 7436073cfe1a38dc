/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step.h: how far a run goes: instructions, lines, functions, places, both ways in time.
 *
 * All of them run the selected wave, others only where it needs them, and heed breakpoints; running->last says why they
 * ended.  A count of 0 runs nothing.
 */
#ifndef GPUDBG_STEP_H
#define GPUDBG_STEP_H

#include "control/control.h"
#include "eval/locals.h"
#include "eval/location.h"
#include "machine/machine.h"

/* stops_run, and counts the time it took for `info stats`; the machine itself knows no clock. */
bool step_run(struct control *, struct machine_want *, struct gpudbg_error *);

bool step_insns(struct control *, uint64_t count, bool back, struct gpudbg_error *);
/* The same; a call and what it calls are one instruction. */
bool step_insns_over(struct control *, uint64_t count, bool back, struct gpudbg_error *);
/* To another source line; back: to where a line begins.  over: not into calls.  Where there are no lines, one
 * instruction. */
bool step_lines(struct control *, uint64_t count, bool over, bool back, struct gpudbg_error *);
/* To one of the places, if the wave comes to it before it leaves the line; else to the next line.  Calls are passed
 * over unless a place is in them. */
bool step_into(struct control *, const struct code_places *, struct gpudbg_error *);
/* Every wave, until something stops the program. */
bool step_all(struct control *, bool back, struct gpudbg_error *);
/* To one of the places. */
bool step_to(struct control *, const struct code_places *, bool back, struct gpudbg_error *);
/* Past the end of a loop: to a later line than now, or a later address where there are no lines. */
bool step_later(struct control *, struct gpudbg_error *);
/* Out of the current function, or of the selected frame where it is inlined.  *returns: row is what it returned. */
bool step_out(struct control *, struct local_row *row, bool *returns, struct gpudbg_error *);
/* Back to the call of the current function; where nothing called it, to the launch. */
bool step_out_back(struct control *, struct gpudbg_error *);

#endif
