/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_code.h: the code that the waves of a dump stand in. */
#ifndef GPUDBG_DUMP_CODE_H
#define GPUDBG_DUMP_CODE_H

#include "gpudbg.h"

/* The instructions at which waves of a capture (-1: of all) stand, with how many of them, and those around in the
 * loaded code if it is theirs. */
void dump_code_show(const struct gpudbg_dump *, long capture, struct gpudbg_out *);

#endif
