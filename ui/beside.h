/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.h: what the code pane shows beside instructions: live registers, and how often each was executed. */
#ifndef UI_BESIDE_H
#define UI_BESIDE_H

#include "cells.h"
#include "control/profile.h"
#include "flow/lives.h"

struct gpudbg;

struct beside {
    const struct gpudbg_image *image; /* that the rest is about */
    const uint8_t *bytes;
    uint64_t digest;     /* of the code, which the user may patch */
    struct lives *lives; /* NULL: they are not known */
    uint64_t from, to;   /* the section that was asked for */
    uint16_t peak;
    struct profile profile;
    const void *machine; /* that the profile is of, NULL: none */
    uint64_t position, most;
    bool counts, off; /* what is shown: live registers; how many lanes were off */
};

/* Makes what is to be shown around addr; returns the columns that beside_draw needs, 0: none. */
int beside_take(struct beside *, struct gpudbg *, uint64_t addr, int width);
void beside_draw(const struct beside *, struct gpudbg *, const struct area *, int x, int y, uint64_t addr);
/* Names of registers that are born and die there, as many as fit; 0: none. */
int beside_names(const struct beside *, uint64_t addr, char *buf, size_t size);
void beside_close(struct beside *);
/* 0 to 8: how often an address was executed beside the one most often. */
unsigned profile_heat(const struct profile *, uint64_t most, uint64_t addr);

#endif
