/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.h: see stage.c. */
#ifndef IL_STAGE_H
#define IL_STAGE_H

#include "run/il_run.h"

/* enum IL_Shader_Type: what `shader` of a program is. */
enum { IL_VERTEX, IL_PIXEL, IL_GEOMETRY, IL_COMPUTE, IL_HULL, IL_DOMAIN };

/* enum ILImportUsage, as far as a meaning is known without a buffer. */
enum il_usage {
    IL_USAGE_POSITION = 0,
    IL_USAGE_GENERIC = 6,
    IL_USAGE_PRIMITIVE = 9,
    IL_USAGE_VERTEX = 10,
    IL_USAGE_FRONT = 12,
};

/* Types of bound registers that are none. */
enum { IL_BOUND_EXPORT = 200, IL_BOUND_SCATTER };

/* Whether a register of this type holds what the launch gives.  What both can be (il_register.access) is an input of
 * pixel shaders and an output of the others. */
bool il_is_input(unsigned type, unsigned shader);

void il_position(const struct gpudbg_wave *, unsigned lane, uint32_t out[3]); /* in the launch */
/* Where the centroid of the lane's pixel is, from its centre, in pixels: x to the right, y down. */
void il_centroid(struct gpudbg_wave *, const struct amdil *, unsigned lane, double out[2]);
void il_discard_and_end(struct gpudbg_wave *, struct amdil *, uint64_t lanes);

#endif
