/* SPDX-License-Identifier: GPL-3.0-or-later */
/* demo.h: kernels that are installed with the program: share/demo/NAME.co and what to do with it, NAME.gdb. */
#ifndef GPUDBG_DEMO_H
#define GPUDBG_DEMO_H

#include "session/session.h"

/* Opens the demo NAME (NULL: the first choice) and runs its script: launched, at its entry. */
bool demo_open(struct gpudbg *, const char *name, struct gpudbg_out *, struct gpudbg_error *);
/* Names those that there are. */
bool demo_list(struct gpudbg *, struct gpudbg_out *);

#endif
