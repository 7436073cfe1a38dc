/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sdma.h: packets of Sea Islands' DMA engines as instructions. */
#ifndef SDMA_H
#define SDMA_H

#include <gpudbg.h>

extern const struct gpudbg_isa sdma_isa;

#endif
