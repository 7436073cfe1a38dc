/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi_image.h: descriptors that a launch makes of image and sampler arguments. */
#ifndef GCN_ABI_IMAGE_H
#define GCN_ABI_IMAGE_H

#include "gpudbg.h"

#define GCN_ARGUMENT_DESCRIPTOR 64u /* bytes of each */

/* Fill the descriptor at `to`; what: the argument, for errors; the chip, whose layout it has: NULL: an older one. */
struct gcn_chip;
bool gcn_put_image(
    const char *what, const struct gpudbg_bound *, const struct gcn_chip *, uint8_t *to, struct gpudbg_error *);
bool gcn_put_sampler(
    const char *what, const struct gpudbg_bound *, const struct gcn_chip *, uint8_t *to, struct gpudbg_error *);

#endif
