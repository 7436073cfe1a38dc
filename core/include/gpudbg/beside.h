/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpudbg/beside.h: files that lie beside the one that a loader loads, and belong to it. */
#ifndef GPUDBG_BESIDE_H
#define GPUDBG_BESIDE_H

#include "gpudbg/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of a file that lies beside the image's own, by its name alone; borrowed from the image.  NULL: there is no
 * regular file of that name, it has more than `most` bytes, or memory is short. */
GPUDBG_PUBLIC const uint8_t *gpudbg_image_beside(struct gpudbg_image *, const char *name, size_t most, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
