/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.h: handlers that rows of scalar instructions call by name, CALL(handler) in ops.def. */
#ifndef GCN_PROGRAM_H
#define GCN_PROGRAM_H

#include "engine/gcn_exec.h"

/* Calls, jumps, the fork stack. */
gcn_fn gcn_getpc, gcn_setpc, gcn_swappc, gcn_call, gcn_rfe, gcn_subvector_begin, gcn_subvector_end;
gcn_fn gcn_g_fork, gcn_i_fork, gcn_join;
/* SGPRs by number, from M0. */
gcn_fn gcn_movrels32, gcn_movrels64, gcn_movreld32, gcn_movreld64, gcn_movrelsd2_32;
/* Hardware registers. */
gcn_fn gcn_getreg, gcn_setreg, gcn_setreg_imm, gcn_round_mode, gcn_denorm_mode, gcn_setvskip;
/* Ends, waits, events. */
gcn_fn gcn_nothing, gcn_setprio, gcn_endpgm, gcn_barrier, gcn_sleeps, gcn_setkill, gcn_sethalt;
gcn_fn gcn_sendmsg, gcn_sendmsghalt, gcn_ttracedata, gcn_ttracedata_imm, gcn_code_end, gcn_trap;

#endif
