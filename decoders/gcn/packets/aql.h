/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aql.h: packets of HSA queues as instructions: 64 bytes each, alike in every generation. */
#ifndef AQL_H
#define AQL_H

#include <gpudbg.h>

extern const struct gpudbg_isa aql_isa;

#endif
