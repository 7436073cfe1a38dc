/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf.h: the formats of printf that a code object contains. */
#ifndef GCN_PRINTF_H
#define GCN_PRINTF_H

#include <jansson.h>
#include "files/abi.h"

/* Reads the list of the metadata; NULL: there is none.  A string that cannot be read becomes a fact of the image. */
const struct gcn_printfs *gcn_printfs_read(struct gpudbg_image *, const json_t *list);
/* NULL: no format has this number. */
const struct gcn_printf *gcn_printf_find(const struct gcn_printfs *, uint32_t id);

#endif
