/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_runner.c: the functions by which core runs AMD IL. */
#include "run/il_run.h"

static uint64_t active(const struct gpudbg_wave *w) { return il_exec(w) & il_pair(w->words, IL_REAL); }

const struct gpudbg_runner il_runner = {
    .launch = il_launch,
    .start = il_start,
    .run = il_run,
    .asks = true,
    .reg = il_reg,
    .count = il_count,
    .changed = il_changed,
    .active = active,
    .breakpoint = il_breakpoint,
    .finish = il_finish,
    .fixed = il_fixed,
    .written = il_written,
    .actual = il_actual,
};
