/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.h: handlers that rows of scalar instructions call by name, CALL(handler) in ops.def. */
#ifndef GFX7_PROGRAM_H
#define GFX7_PROGRAM_H

#include "run/gfx7_exec.h"

/* Calls, jumps, the fork stack. */
gfx7_fn gfx7_getpc, gfx7_setpc, gfx7_swappc, gfx7_rfe, gfx7_g_fork, gfx7_i_fork, gfx7_join;
/* SGPRs by number, from M0. */
gfx7_fn gfx7_movrels32, gfx7_movrels64, gfx7_movreld32, gfx7_movreld64;
/* Hardware registers. */
gfx7_fn gfx7_getreg, gfx7_setreg, gfx7_setreg_imm, gfx7_setvskip;
/* Ends, waits, events. */
gfx7_fn gfx7_nothing, gfx7_setprio, gfx7_endpgm, gfx7_barrier, gfx7_sleeps, gfx7_setkill, gfx7_sethalt;
gfx7_fn gfx7_sendmsg, gfx7_sendmsghalt, gfx7_ttracedata, gfx7_trap;

#endif
