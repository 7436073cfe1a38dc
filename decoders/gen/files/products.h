/* SPDX-License-Identifier: GPL-3.0-or-later */
/* products.h: finds the Intel chip of a number in a file, for gpudbg_image_chip.  A number that is not known
 * becomes a chip of that name whose code is not read; the image owns the name. */
#ifndef GEN_PRODUCTS_H
#define GEN_PRODUCTS_H

#include "gen.h"

/* For products.def: whether code of a generation is read. */
#define READ(eu) &gen_eus[eu].isa
#define UNREAD NULL

struct gpudbg_chip gen_chip_of_product(struct gpudbg_image *, uint32_t number);
/* config: architecture in bits 31:22, release in 21:14, revision in 5:0. */
struct gpudbg_chip gen_chip_of_config(struct gpudbg_image *, uint32_t config);
/* number: of a generation, as patch tokens name devices. */
struct gpudbg_chip gen_chip_of_core(struct gpudbg_image *, uint32_t number);
/* The i-th chip that --isa may name, for struct gpudbg_plugin. */
bool gen_chip(size_t i, struct gpudbg_chip *);
/* The generation of a zebin that does not name its chip. */
const struct gpudbg_isa *gen_unsaid(void);
/* Whether the image is read as code of an Intel EU, so that the file's facts about kernels are valid. */
bool gen_is_ours(const struct gpudbg_isa *);

#endif
