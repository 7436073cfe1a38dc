/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_launch.h: the first state of a launch's threads, and the functions by which core runs them. */
#ifndef GEN_LAUNCH_H
#define GEN_LAUNCH_H

#include "message/gen_setup.h"

bool gen_launch(struct gpudbg_machine *, struct gpudbg_error *);
void gen_start(struct gpudbg_wave *);
void gen_finish(struct gpudbg_machine *);
int gen_holds(struct gpudbg_wave *, unsigned file, unsigned index, unsigned *bits, char *buf, size_t size);
unsigned gen_launch_width(const struct gpudbg_machine *);

/* Of the runner (gen_printed.c). */
void gen_printed(const struct gpudbg_machine *, gpudbg_printf_fn *each, void *to);

#endif
