/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recode.h: code that changes while something is launched. */
#ifndef GPUDBG_RECODE_H
#define GPUDBG_RECODE_H

#include "machine/machine.h"

/* A change of the code in [from, to) of machine->image. */
struct machine_recoding {
    uint64_t from, to;
    bool (*change)(void *data, struct gpudbg_error *);      /* makes it */
    void (*undo)(void *data);                               /* takes it back */
    bool (*tick)(void *data, uint64_t done, uint64_t todo); /* as in machine_want; or NULL */
    void *data;
};

/* Makes the change.  What was recorded after the first execution of an instruction in the range is forgotten, and the
 * machine stands before that instruction if it was behind it; *back: it went back.  false: all is as before. */
bool machine_recode(struct gpudbg_machine *, const struct machine_recoding *, bool *back, struct gpudbg_error *);

#endif
