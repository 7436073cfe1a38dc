/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sdma.h: packets of the DMA engines as instructions. */
#ifndef SDMA_H
#define SDMA_H

#include <gpudbg.h>

extern const struct gpudbg_isa sdma_isa, sdma_10_isa; /* of gfx7; of gfx10 and gfx10.3 */

#endif
