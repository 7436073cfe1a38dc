/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live_code.h: code with the lives of its registers as columns beside it: `disassemble /l`. */
#ifndef GPUDBG_LIVE_CODE_H
#define GPUDBG_LIVE_CODE_H

#include "gpudbg.h"

bool live_code_list(struct gpudbg *, uint64_t from, uint64_t to, struct gpudbg_out *, struct gpudbg_error *);

#endif
