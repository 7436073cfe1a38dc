/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.h: see stage.c. */
#ifndef AMDIL_STAGE_H
#define AMDIL_STAGE_H

#include "il_run.h"

/* enum IL_Shader_Type: what `shader` of a program is. */
enum { AMDIL_VERTEX, AMDIL_PIXEL, AMDIL_GEOMETRY, AMDIL_COMPUTE, AMDIL_HULL, AMDIL_DOMAIN };

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

/* Whether a register of this type holds what the launch gives.  What both can be (il_register.access) is an input of
 * pixel shaders and an output of the others. */
bool amdil_is_input(unsigned type, unsigned shader);

void amdil_position(const struct gpudbg_wave *, unsigned lane, uint32_t out[3]); /* in the launch */
/* Where the centroid of the lane's pixel is, from its centre, in pixels: x to the right, y down. */
void amdil_centroid(struct gpudbg_wave *, const struct amdil *, unsigned lane, double out[2]);
void amdil_discard_and_end(struct gpudbg_wave *, struct amdil *, uint64_t lanes);

#endif
