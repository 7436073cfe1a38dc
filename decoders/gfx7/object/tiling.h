/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tiling.h: the registers that say how surfaces lie in memory (Sea Islands register reference, chapter 12:
 * GB_TILE_MODE, GB_MACROTILE_MODE).  T#.tiling_index chooses a tile mode; what that says, with the size of a tile,
 * chooses a macro tile mode.
 */
#ifndef GFX7_TILING_H
#define GFX7_TILING_H

#include "gpudbg.h"

enum gfx7_array_mode {
    GFX7_LINEAR_GENERAL,
    GFX7_LINEAR_ALIGNED,
    GFX7_1D_THIN,
    GFX7_2D_THIN = 4,
    GFX7_PRT_THIN,
    GFX7_PRT_2D_THIN
};
enum gfx7_micro_mode { GFX7_DISPLAY, GFX7_THIN, GFX7_DEPTH, GFX7_ROTATED };

/* As the registers hold them. */
struct gfx7_tiling {
    uint32_t tile[32], macro[16], config;
};

/* The registers and the values that the Linux driver writes for Bonaire (gpudbg_isa.device). */
extern const struct gpudbg_device_register gfx7_device[];
/* What they hold for the next launch of the instruction set. */
void gfx7_tiling_read(struct gpudbg *, const struct gpudbg_isa *, struct gfx7_tiling *);

/* A tile mode taken apart. */
struct gfx7_tile_mode {
    uint8_t array, micro;         /* enum gfx7_array_mode, gfx7_micro_mode */
    uint8_t pipes;                /* PIPE_CONFIG */
    uint32_t split, sample_split; /* bytes, of depth; samples, of others */
};
struct gfx7_tile_mode gfx7_tile_mode(const struct gfx7_tiling *, unsigned index);

/* Width and height in tiles of a bank, aspect of a macro tile, banks. */
struct gfx7_macro_mode {
    uint8_t bank_width, bank_height, aspect, banks;
};
struct gfx7_macro_mode gfx7_macro_mode(const struct gfx7_tiling *, unsigned index);

/* Of GB_ADDR_CONFIG: bytes of an interleave, of a row of DRAM. */
uint32_t gfx7_interleave(const struct gfx7_tiling *);
uint32_t gfx7_dram_row(const struct gfx7_tiling *);

/* Pipes of a PIPE_CONFIG, 0: the manual has none with that number; and the one that the tile at x, y (elements) belongs
 * to. */
unsigned gfx7_pipes(unsigned config);
uint32_t gfx7_pipe(unsigned config, uint32_t x, uint32_t y);

#endif
