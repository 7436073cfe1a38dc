/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf.h: the formats of printf that a code object brings. */
#ifndef GFX7_PRINTF_H
#define GFX7_PRINTF_H

#include <jansson.h>
#include "object/abi.h"

/* Reads the list of the metadata; NULL: there is none.  A string that cannot be read becomes a fact of the image. */
const struct gfx7_printfs *gfx7_printfs_read(struct gpudbg_image *, const json_t *list);
/* NULL: no format has this number. */
const struct gfx7_printf *gfx7_printf_find(const struct gfx7_printfs *, uint32_t id);

#endif
