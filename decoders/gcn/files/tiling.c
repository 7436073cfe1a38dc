/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiling.c: see tiling.h.  The bits of x and y that make a pipe's number are those of AMD's address library, which Mesa
 * publishes. */
#include "files/tiling.h"

/* ---- Bonaire: four pipes and render backends, rows of DRAM of 2 KB, interleaves of 256 bytes ---- */

enum {
    P4_16X16 = 5,
    SPLIT_ROW = 5,
    THICK_1D = 3,
    THICK_2D = 7,
    XTHICK_2D,
    PRT_THICK,
    THIN_3D = 12,
    THICK_3D,
    XTHICK_3D
};

#define TILE(array, micro, split, samples_log) \
    ((array) << 2 | P4_16X16 << 6 | (split) << 11 | (micro) << 22 | (uint32_t)(samples_log) << 25)
#define UNUSED ((uint32_t)SPLIT_ROW << 11)
#define MACRO(width_log, height_log, aspect_log, banks_log) \
    ((width_log) | (height_log) << 2 | (aspect_log) << 4 | ((banks_log)-1) << 6)

const struct gpudbg_device_register gcn_device[] = {
    {"GB_TILE_MODE0", TILE(GCN_2D_THIN, GCN_DEPTH, 0, 0)},
    {"GB_TILE_MODE1", TILE(GCN_2D_THIN, GCN_DEPTH, 1, 0)},
    {"GB_TILE_MODE2", TILE(GCN_2D_THIN, GCN_DEPTH, 2, 0)},
    {"GB_TILE_MODE3", TILE(GCN_2D_THIN, GCN_DEPTH, 3, 0)},
    {"GB_TILE_MODE4", TILE(GCN_2D_THIN, GCN_DEPTH, SPLIT_ROW, 0)},
    {"GB_TILE_MODE5", TILE(GCN_1D_THIN, GCN_DEPTH, 0, 0)},
    {"GB_TILE_MODE6", TILE(GCN_PRT_THIN, GCN_DEPTH, SPLIT_ROW, 0)},
    {"GB_TILE_MODE7", UNUSED},
    {"GB_TILE_MODE8", TILE(GCN_LINEAR_ALIGNED, 0, 0, 0)},
    {"GB_TILE_MODE9", TILE(GCN_1D_THIN, GCN_DISPLAY, 0, 0)},
    {"GB_TILE_MODE10", TILE(GCN_2D_THIN, GCN_DISPLAY, 0, 1)},
    {"GB_TILE_MODE11", TILE(GCN_PRT_THIN, GCN_DISPLAY, 0, 3)},
    {"GB_TILE_MODE12", UNUSED},
    {"GB_TILE_MODE13", TILE(GCN_1D_THIN, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE14", TILE(GCN_2D_THIN, GCN_THIN, 0, 1)},
    {"GB_TILE_MODE15", TILE(THIN_3D, GCN_THIN, 0, 1)},
    {"GB_TILE_MODE16", TILE(GCN_PRT_THIN, GCN_THIN, 0, 3)},
    {"GB_TILE_MODE17", UNUSED},
    {"GB_TILE_MODE18", TILE(THICK_1D, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE19", TILE(THICK_1D, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE20", TILE(THICK_2D, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE21", TILE(THICK_3D, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE22", TILE(PRT_THICK, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE23", UNUSED},
    {"GB_TILE_MODE24", TILE(THICK_2D, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE25", TILE(XTHICK_2D, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE26", TILE(XTHICK_3D, GCN_THIN, 0, 0)},
    {"GB_TILE_MODE27", TILE(GCN_1D_THIN, GCN_ROTATED, 0, 0)},
    {"GB_TILE_MODE28", TILE(GCN_2D_THIN, GCN_ROTATED, 0, 1)},
    {"GB_TILE_MODE29", TILE(GCN_PRT_THIN, GCN_ROTATED, 0, 3)},
    {"GB_TILE_MODE30", UNUSED},
    {"GB_TILE_MODE31", 0},
    {"GB_MACROTILE_MODE0", MACRO(0, 2, 2, 4)},
    {"GB_MACROTILE_MODE1", MACRO(0, 1, 2, 4)},
    {"GB_MACROTILE_MODE2", MACRO(0, 0, 1, 4)},
    {"GB_MACROTILE_MODE3", MACRO(0, 0, 1, 4)},
    {"GB_MACROTILE_MODE4", MACRO(0, 0, 1, 4)},
    {"GB_MACROTILE_MODE5", MACRO(0, 0, 1, 3)},
    {"GB_MACROTILE_MODE6", MACRO(0, 0, 0, 2)},
    {"GB_MACROTILE_MODE7", MACRO(0, 0, 0, 1)},
    {"GB_MACROTILE_MODE8", MACRO(1, 3, 2, 4)},
    {"GB_MACROTILE_MODE9", MACRO(1, 2, 2, 4)},
    {"GB_MACROTILE_MODE10", MACRO(0, 2, 2, 4)},
    {"GB_MACROTILE_MODE11", MACRO(0, 1, 2, 4)},
    {"GB_MACROTILE_MODE12", MACRO(0, 0, 1, 4)},
    {"GB_MACROTILE_MODE13", MACRO(0, 0, 1, 3)},
    {"GB_MACROTILE_MODE14", MACRO(0, 0, 0, 2)},
    {"GB_MACROTILE_MODE15", MACRO(0, 0, 0, 1)},
    {"GB_ADDR_CONFIG", 0x12010001},
    {NULL, 0},
};

/* ---- Newer chips.  Source: GB_ADDR_CONFIG in Mesa's tests (ac_surface_test_common.h) and Linux (gfx_v10_0.c) ---- */

const struct gpudbg_device_register gcn_device_navi10[] = {{"GB_ADDR_CONFIG", 0x00100044}, {NULL, 0}};
const struct gpudbg_device_register gcn_device_navi14[] = {{"GB_ADDR_CONFIG", 0x00000043}, {NULL, 0}};
const struct gpudbg_device_register gcn_device_gfx1013[] = {{"GB_ADDR_CONFIG", 0}, {NULL, 0}};
const struct gpudbg_device_register gcn_device_navi2x[] = {{"GB_ADDR_CONFIG", 0}, {NULL, 0}};

/* NUM_PIPES, PIPE_INTERLEAVE_SIZE, NUM_PKRS. */
struct gcn_pipes gcn_pipes_newer(const struct gcn_tiling *t)
{
    const uint32_t r = t->config;
    return (struct gcn_pipes){.pipes = r & 7, .packers = r >> 8 & 7, .interleave = r >> 3 & 7, .known = r != 0};
}

/* ---- Reading ---- */

void gcn_tiling_read(struct gpudbg *g, const struct gpudbg_isa *isa, struct gcn_tiling *t)
{
    *t = (struct gcn_tiling){0};
    if (isa->device != gcn_device) {
        t->config = gpudbg_device_value(g, isa, 0);
        return;
    }
    for (unsigned i = 0; i < 32; i++) t->tile[i] = gpudbg_device_value(g, isa, i);
    for (unsigned i = 0; i < 16; i++) t->macro[i] = gpudbg_device_value(g, isa, 32 + i);
    t->config = gpudbg_device_value(g, isa, 48);
}

struct gcn_tile_mode gcn_tile_mode(const struct gcn_tiling *t, unsigned index)
{
    uint32_t r = t->tile[index];
    return (struct gcn_tile_mode){.array = r >> 2 & 15,
        .micro = r >> 22 & 7,
        .pipes = r >> 6 & 31,
        .split = 64u << (r >> 11 & 7),
        .sample_split = 1u << (r >> 25 & 3)};
}

struct gcn_macro_mode gcn_macro_mode(const struct gcn_tiling *t, unsigned index)
{
    uint32_t r = t->macro[index];
    return (struct gcn_macro_mode){.bank_width = (uint8_t)(1u << (r & 3)),
        .bank_height = (uint8_t)(1u << (r >> 2 & 3)),
        .aspect = (uint8_t)(1u << (r >> 4 & 3)),
        .banks = (uint8_t)(2u << (r >> 6 & 3))};
}

uint32_t gcn_interleave(const struct gcn_tiling *t) { return 256u << (t->config >> 4 & 1); }

uint32_t gcn_dram_row(const struct gcn_tiling *t)
{
    unsigned row = t->config >> 28 & 3;
    return 1024u << (row < 2 ? row : 2);
}

/* ---- Pipes ---- */

/* A bit of a pipe's number: bits of x / 8 (low nibble) and of y / 8 (high nibble), xored. */
enum { X3 = 1, X4 = 2, X5 = 4, X6 = 8, Y3 = 16, Y4 = 32, Y5 = 64, Y6 = 128 };
static const uint8_t pipe_bits[18][4] = {
    [0] = {X3 | Y3},                                  /* P2 */
    [4] = {X4 | Y3, X3 | Y4},                         /* P4_8x16 */
    [5] = {X3 | Y3 | X4, X4 | Y4},                    /* P4_16x16 */
    [6] = {X3 | Y3 | X4, X4 | Y5},                    /* P4_16x32 */
    [7] = {X3 | Y3 | X5, X5 | Y5},                    /* P4_32x32 */
    [8] = {X4 | Y3 | X5, X3 | Y5, X4 | Y4},           /* P8_16x16_8x16: the third as the library's way back has it */
    [9] = {X4 | Y3 | X5, X3 | Y4, X4 | Y5},           /* P8_16x32_8x16 */
    [10] = {X4 | Y3 | X5, X3 | Y4, X5 | Y5},          /* P8_32x32_8x16 */
    [11] = {X3 | Y3 | X4, X5 | Y4, X4 | Y5},          /* P8_16x32_16x16 */
    [12] = {X3 | Y3 | X4, X4 | Y4, X5 | Y5},          /* P8_32x32_16x16 */
    [13] = {X3 | Y3 | X4, X4 | Y6, X5 | Y5},          /* P8_32x32_16x32 */
    [14] = {X3 | Y3 | X5, X6 | Y5, X5 | Y6},          /* P8_32x64_32x32 */
    [16] = {X4 | Y3, X3 | Y4, X5 | Y6, X6 | Y5},      /* P16_32x32_8x16: Hawaii's, not the manual's */
    [17] = {X3 | Y3 | X4, X4 | Y4, X5 | Y6, X6 | Y5}, /* P16_32x32_16x16 */
};

unsigned gcn_pipes(unsigned config)
{
    unsigned n = 0;
    while (config < 18 && n < 4 && pipe_bits[config][n]) n++;
    return n ? 1u << n : 0;
}

uint32_t gcn_pipe(unsigned config, uint32_t x, uint32_t y)
{
    uint32_t bits = (x >> 3 & 15) | (y >> 3 & 15) << 4, pipe = 0;
    for (unsigned i = 0; i < 4; i++) pipe |= (uint32_t)__builtin_parity(bits & pipe_bits[config][i]) << i;
    return pipe;
}
