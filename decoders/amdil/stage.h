/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.h: see stage.c. */
#ifndef AMDIL_STAGE_H
#define AMDIL_STAGE_H

#include "il_run.h"

/* enum ILImportUsage, as far as a meaning is known without a buffer. */
enum amdil_usage {
    AMDIL_USAGE_POSITION = 0,
    AMDIL_USAGE_GENERIC = 6,
    AMDIL_USAGE_PRIMITIVE = 9,
    AMDIL_USAGE_VERTEX = 10,
    AMDIL_USAGE_FRONT = 12,
};

/* Types of bound registers that are none. */
enum { AMDIL_BOUND_EXPORT = 200, AMDIL_BOUND_SCATTER };

void amdil_position(const struct gpudbg_wave *, unsigned lane, uint32_t out[3]); /* in the launch */
/* Where the centroid of the lane's pixel is, from its centre, in pixels: x to the right, y down. */
void amdil_centroid(struct gpudbg_wave *, const struct amdil *, unsigned lane, double out[2]);
void amdil_discard_and_end(struct gpudbg_wave *, struct amdil *, uint64_t lanes);

#endif
