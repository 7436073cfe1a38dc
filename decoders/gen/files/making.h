/* SPDX-License-Identifier: GPL-3.0-or-later */
/* making.h: functions that the two loaders of Intel's binaries share: filling in a kernel's arguments, payload and
 * surfaces. */
#ifndef GEN_MAKING_H
#define GEN_MAKING_H

#include "files/gen_binary.h"

#define GEN_PARAMS_MOST 1024
#define GEN_PAYLOAD_MOST 65536 /* bytes of cross-thread data */

/* A new kernel with room for as many rows; NULL: too much. */
struct gen_binary *gen_making_start(struct gpudbg_image *, const char *name, uint64_t entry, size_t payload_most,
    size_t surfaces_most, struct gpudbg_error *);
/* Makes sure that the last kernel has argument `index`. */
bool gen_making_param(struct gpudbg_image *, int64_t index, struct gpudbg_error *);
/* Describes an argument: qualifiers, name and type as the source spells them ("__global", "float*;8"); each may
 * be NULL. */
void gen_making_describe(struct gpudbg_image *, int64_t index, const char *address, const char *name, const char *type);
/* Adds a row; `row.param` has been made. */
bool gen_making_payload(struct gpudbg_image *, struct gen_binary *, struct gen_payload row, struct gpudbg_error *);
void gen_making_surface(struct gen_binary *, struct gen_surface row);
/* Adds the bindless surface of an argument, and the place of the payload that names it. */
bool gen_making_bindless(
    struct gpudbg_image *, struct gen_binary *, int16_t param, uint32_t offset, uint32_t size, struct gpudbg_error *);
/* Checks the numbers of the last kernel, and adds the facts that `info kernels` shows. */
bool gen_making_finish(struct gpudbg_image *, struct gen_binary *, struct gpudbg_error *);

#endif
