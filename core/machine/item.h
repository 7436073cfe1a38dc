/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * item.h: which work-item a lane is, and which lane a work-item has.
 *
 * Work-items of a group are counted x fastest; a group at the edge of the grid is as small as what is left of it.
 * Pixels are counted quad by quad, where the group has even sizes (gpudbg_kernel.quads).
 */
#ifndef GPUDBG_ITEM_H
#define GPUDBG_ITEM_H

#include "machine/machine.h"

/* The work-item of a lane, x y z: in its group, and in the grid with the launch's offset. */
void machine_work_item(const struct gpudbg_machine *, const struct machine_wave_info *, unsigned lane,
    uint32_t local[3], uint32_t global[3]);
/* The lane of a work-item of the grid, with the launch's offset; false: the grid has no such work-item. */
bool machine_item_lane(const struct gpudbg_machine *, const uint64_t global[3], uint32_t *wave, unsigned *lane);
/* Lanes 4n to 4n + 3 of this launch are quads of pixels. */
bool machine_quads(const struct gpudbg_machine *);

#endif
