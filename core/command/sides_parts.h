/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides_parts.h: what the parts of sides.h share. */
#ifndef GPUDBG_SIDES_PARTS_H
#define GPUDBG_SIDES_PARTS_H

#include "command/sides.h"

/* ---- sides.c ---- */

/* The session's machine goes elsewhere only to look, and comes back as it was. */
struct sides_visit {
    uint64_t now;
    struct gpudbg_stop stop;
};
struct sides_visit sides_visit(const struct sides *);
void sides_come_back(const struct sides *, const struct sides_visit *);
/* false: only code is compared, and the error says so. */
bool sides_need_runs(const struct sides *, struct gpudbg_error *);

/* ---- sides_code.c ---- */

/* Takes the code around both waves, or where nothing runs that of the kernel, and aligns its rows. */
bool sides_take_code(struct sides *, struct gpudbg_error *);

#endif
