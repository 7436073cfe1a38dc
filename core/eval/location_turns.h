/* SPDX-License-Identifier: GPL-3.0-or-later */
/* location_turns.h: of several statements of one line, those at which a turn of the code begins. */
#ifndef GPUDBG_LOCATION_TURNS_H
#define GPUDBG_LOCATION_TURNS_H

#include "eval/location.h"

/* Leaves the first place of each copy of a function and, in it, of each loop that has some: who waits there waits once
 * a turn, however the compiler cut the line up. */
void location_turns(const struct gpudbg_image *, struct code_places *);

#endif
