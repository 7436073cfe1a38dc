/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h: commands of Intel's rings and batch buffers as instructions, an instruction set a generation (batch.def). */
#ifndef BATCH_H
#define BATCH_H

#include <gpudbg.h>

extern const struct gpudbg_isa batch7_isa, batch75_isa, batch12_isa;

#endif
