/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * abi.h: what a compiled kernel expects to find in registers and memory when it starts.
 *
 * The loader (code_object.c) fills a struct gfx7_abi for each kernel and hangs it on gpudbg_kernel.abi; a launch
 * (run/gfx7_launch.c) turns it, the grid and the bound arguments into segments and a first set of registers.  A kernel
 * without one is bare code. Sources: LLVM AMDGPU usage guide (kernel descriptor, kernarg segment, dispatch packet),
 * observed with clang 14 and 19.
 */
#ifndef GFX7_ABI_H
#define GFX7_ABI_H

#include "gpudbg.h"

enum gfx7_abi_kind {
    GFX7_HSA_V2, /* amd_kernel_code_t, YAML notes */
    GFX7_HSA_V3, /* kernel descriptor, MessagePack notes; hidden arguments as in v4 */
    GFX7_HSA_V4,
    GFX7_HSA_V5, /* 256 bytes of hidden arguments */
    GFX7_HSA_V6,
    GFX7_MESA, /* amd_kernel_code_t, 16 bytes of hidden arguments after the explicit ones */
};

#define GFX7_ABI_WIDE(kind) ((kind) == GFX7_HSA_V5 || (kind) == GFX7_HSA_V6) /* 256 bytes of hidden arguments */

/* COMPUTE_PGM_RSRC1, COMPUTE_PGM_RSRC2 and the code properties, as in the kernel descriptor. */
#define GFX7_RSRC1_VGPRS(r) (4 * (((r)&0x3f) + 1))
#define GFX7_RSRC1_SGPRS(r) (8 * (((r) >> 6 & 0xf) + 1)) /* VCC included */
#define GFX7_RSRC1_FLOAT_MODE(r) ((r) >> 12 & 0xff)
#define GFX7_RSRC1_DX10_CLAMP(r) ((r) >> 21 & 1)
#define GFX7_RSRC1_IEEE(r) ((r) >> 23 & 1)
#define GFX7_RSRC2_SCRATCH(r) ((r)&1)
#define GFX7_RSRC2_USER_SGPRS(r) ((r) >> 1 & 0x1f)
#define GFX7_RSRC2_GROUP_ID(r) ((r) >> 7 & 7) /* bit 0 x, 1 y, 2 z */
#define GFX7_RSRC2_GROUP_INFO(r) ((r) >> 10 & 1)
#define GFX7_RSRC2_EXCEPTIONS(r) ((r) >> 24 & 0x7f) /* that trap, as in MODE.excp_en */
#define GFX7_RSRC2_ITEM_IDS(r) ((r) >> 11 & 3)      /* 0: x, 1: x and y, 2: x, y, z */

enum gfx7_properties {
    GFX7_PRIVATE_SEGMENT_BUFFER = 1 << 0,
    GFX7_DISPATCH_PTR = 1 << 1,
    GFX7_QUEUE_PTR = 1 << 2,
    GFX7_KERNARG_PTR = 1 << 3,
    GFX7_DISPATCH_ID = 1 << 4,
    GFX7_FLAT_SCRATCH_INIT = 1 << 5,
    GFX7_PRIVATE_SEGMENT_SIZE = 1 << 6,
    GFX7_DYNAMIC_STACK = 1 << 11,
};

/* An argument that the runtime adds.  Names of the metadata ("hidden_block_count_x"), less "hidden_". */
enum gfx7_hidden_kind {
    GFX7_HIDDEN_NONE,
    GFX7_HIDDEN_BLOCK_COUNT_X,
    GFX7_HIDDEN_BLOCK_COUNT_Y,
    GFX7_HIDDEN_BLOCK_COUNT_Z,
    GFX7_HIDDEN_GROUP_SIZE_X,
    GFX7_HIDDEN_GROUP_SIZE_Y,
    GFX7_HIDDEN_GROUP_SIZE_Z,
    GFX7_HIDDEN_REMAINDER_X,
    GFX7_HIDDEN_REMAINDER_Y,
    GFX7_HIDDEN_REMAINDER_Z,
    GFX7_HIDDEN_GLOBAL_OFFSET_X,
    GFX7_HIDDEN_GLOBAL_OFFSET_Y,
    GFX7_HIDDEN_GLOBAL_OFFSET_Z,
    GFX7_HIDDEN_GRID_DIMS,
    GFX7_HIDDEN_PRINTF_BUFFER,
    GFX7_HIDDEN_HOSTCALL_BUFFER,
    GFX7_HIDDEN_MULTIGRID_SYNC_ARG,
    GFX7_HIDDEN_HEAP_V1,
    GFX7_HIDDEN_DEFAULT_QUEUE,
    GFX7_HIDDEN_COMPLETION_ACTION,
    GFX7_HIDDEN_DYNAMIC_LDS_SIZE,
    GFX7_HIDDEN_PRIVATE_BASE,
    GFX7_HIDDEN_SHARED_BASE,
    GFX7_HIDDEN_QUEUE_PTR,
    GFX7_HIDDENS
};

struct gfx7_hidden {
    uint32_t offset, size; /* bytes, in the kernarg segment */
    enum gfx7_hidden_kind kind;
};

/* hidden.c: the kind of a `.value_kind` ("hidden_grid_dims"; v2's "HiddenGlobalOffsetX" too); GFX7_HIDDEN_NONE if it is
 * none of them. */
enum gfx7_hidden_kind gfx7_hidden_kind(const char *value_kind);

/* A format of printf: the metadata's "1:2:4:8:format", less the number of values.  Of LLVM's
 * AMDGPUPrintfRuntimeBinding: a call appends the number, then each value in whole dwords; constant strings as they are,
 * with their 0. */
struct gfx7_printf {
    uint32_t id, nvalues;
    const uint32_t *sizes; /* bytes of each value */
    const char *format;
};
struct gfx7_printfs {
    const struct gfx7_printf *list; /* by id */
    size_t n;
};

/* In the image's arena. */
struct gfx7_abi {
    enum gfx7_abi_kind kind;
    uint32_t rsrc1, rsrc2;
    uint16_t properties;   /* enum gfx7_properties */
    uint32_t private_size; /* bytes of scratch a work-item */
    uint32_t lds_size;     /* bytes a group, before dynamic ones */
    uint32_t kernarg_size; /* bytes, hidden arguments included; 0: from the parameters */
    uint64_t object;       /* address of the descriptor or amd_kernel_code_t, for the dispatch packet */
    const struct gfx7_hidden
        *hidden; /* as the metadata lists them; none: at their usual places, as far as kernarg_size goes */
    uint32_t nhidden;
    const struct gfx7_printfs *printfs; /* of the file; NULL: none */
};

/* The hidden arguments of a kernel whose own end at byte explicit_end: as the file lists them, or where they usually
 * are.  Their offsets count from *start. */
const struct gfx7_hidden *gfx7_hidden_list(
    const struct gfx7_abi *, uint32_t explicit_end, uint32_t *n, uint32_t *start);

#endif
