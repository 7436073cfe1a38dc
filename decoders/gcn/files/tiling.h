/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tiling.h: the registers that describe the layout of surfaces in memory (Sea Islands register reference, chapter 12:
 * GB_TILE_MODE, GB_MACROTILE_MODE).  T#.tiling_index chooses a tile mode; that mode and the size of a tile choose a
 * macro tile mode.
 */
#ifndef GCN_TILING_H
#define GCN_TILING_H

#include "gpudbg.h"

enum gcn_array_mode {
    GCN_LINEAR_GENERAL,
    GCN_LINEAR_ALIGNED,
    GCN_1D_THIN,
    GCN_2D_THIN = 4,
    GCN_PRT_THIN,
    GCN_PRT_2D_THIN
};
enum gcn_micro_mode { GCN_DISPLAY, GCN_THIN, GCN_DEPTH, GCN_ROTATED };

/* As the registers hold them. */
struct gcn_tiling {
    uint32_t tile[32], macro[16], config;
};

/* The registers and the values that the Linux driver writes for Bonaire (gpudbg_isa.device). */
extern const struct gpudbg_device_register gcn_device[];
/* The same of newer chips: of Navi 10 and Navi 14, and of those whose value is not known. */
extern const struct gpudbg_device_register gcn_device_navi10[], gcn_device_navi14[];
extern const struct gpudbg_device_register gcn_device_gfx1013[], gcn_device_navi2x[];
/* Their values for the next launch of the instruction set. */
void gcn_tiling_read(struct gpudbg *, const struct gpudbg_isa *, struct gcn_tiling *);

/* A tile mode taken apart. */
struct gcn_tile_mode {
    uint8_t array, micro;         /* enum gcn_array_mode, gcn_micro_mode */
    uint8_t pipes;                /* PIPE_CONFIG */
    uint32_t split, sample_split; /* bytes, of depth; samples, of others */
};
struct gcn_tile_mode gcn_tile_mode(const struct gcn_tiling *, unsigned index);

/* Width and height in tiles of a bank, aspect of a macro tile, banks. */
struct gcn_macro_mode {
    uint8_t bank_width, bank_height, aspect, banks;
};
struct gcn_macro_mode gcn_macro_mode(const struct gcn_tiling *, unsigned index);

/* Of GB_ADDR_CONFIG: bytes of an interleave, of a row of DRAM. */
uint32_t gcn_interleave(const struct gcn_tiling *);
uint32_t gcn_dram_row(const struct gcn_tiling *);

/* Pipes of a PIPE_CONFIG, 0: the manual has none with that number; and the pipe of the tile at x, y (elements). */
unsigned gcn_pipes(unsigned config);
uint32_t gcn_pipe(unsigned config, uint32_t x, uint32_t y);

/* GB_ADDR_CONFIG of newer chips: logarithms of its pipes and packers; interleave: its field.  known: it is not 0. */
struct gcn_pipes {
    uint8_t pipes, packers, interleave;
    bool known;
};
struct gcn_pipes gcn_pipes_newer(const struct gcn_tiling *);

#endif
