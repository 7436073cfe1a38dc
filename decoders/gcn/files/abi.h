/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * abi.h: the registers and memory that a compiled kernel expects when it starts.
 *
 * The loader (code_object.c) fills a struct gcn_abi for each kernel and stores it in gpudbg_kernel.abi; a launch
 * (launch/gcn_launch.c) turns it, the grid and the bound arguments into segments and a first set of registers.  A
 * kernel without a struct gcn_abi is bare code. Sources: LLVM AMDGPU usage guide (kernel descriptor, kernarg segment,
 * dispatch packet), observed with clang 14 and 19.
 */
#ifndef GCN_ABI_H
#define GCN_ABI_H

#include "code/bits.h"
#include "gpudbg.h"

enum gcn_abi_kind {
    GCN_HSA_V2, /* amd_kernel_code_t, YAML notes */
    GCN_HSA_V3, /* kernel descriptor, MessagePack notes; hidden arguments as in v4 */
    GCN_HSA_V4,
    GCN_HSA_V5, /* 256 bytes of hidden arguments */
    GCN_HSA_V6,
    GCN_MESA, /* amd_kernel_code_t, 16 bytes of hidden arguments after the explicit ones */
};

#define GCN_ABI_WIDE(kind) ((kind) == GCN_HSA_V5 || (kind) == GCN_HSA_V6) /* 256 bytes of hidden arguments */

/* COMPUTE_PGM_RSRC1, COMPUTE_PGM_RSRC2 and the code properties, as in the kernel descriptor. */
/* In an older chip's descriptor; newer ones count VGPRs by eights in waves of 32, and do not count SGPRs. */
#define GCN_RSRC1_VGPRS(r) (4 * (GET(r, RSRC1, vgprs) + 1))
#define GCN_RSRC1_SGPRS(r) (8 * (GET(r, RSRC1, sgprs) + 1)) /* VCC included */
/* MODE of a wave that starts with the register. */
#define GCN_RSRC1_MODE(r)                                                                           \
    ((uint32_t)(GET(r, RSRC1, float_mode) | IN_PLACE(GET(r, RSRC1, dx10_clamp), MODE, dx10_clamp) | \
                IN_PLACE(GET(r, RSRC1, ieee), MODE, ieee)))

enum gcn_properties {
    GCN_PRIVATE_SEGMENT_BUFFER = 1 << 0,
    GCN_DISPATCH_PTR = 1 << 1,
    GCN_QUEUE_PTR = 1 << 2,
    GCN_KERNARG_PTR = 1 << 3,
    GCN_DISPATCH_ID = 1 << 4,
    GCN_FLAT_SCRATCH_INIT = 1 << 5,
    GCN_PRIVATE_SEGMENT_SIZE = 1 << 6,
    GCN_WAVES_OF_32 = 1 << 10, /* of newer chips */
    GCN_DYNAMIC_STACK = 1 << 11,
};

/* An argument that the runtime adds.  Names of the metadata ("hidden_block_count_x"), less "hidden_". */
enum gcn_hidden_kind {
    GCN_HIDDEN_NONE,
    GCN_HIDDEN_BLOCK_COUNT_X,
    GCN_HIDDEN_BLOCK_COUNT_Y,
    GCN_HIDDEN_BLOCK_COUNT_Z,
    GCN_HIDDEN_GROUP_SIZE_X,
    GCN_HIDDEN_GROUP_SIZE_Y,
    GCN_HIDDEN_GROUP_SIZE_Z,
    GCN_HIDDEN_REMAINDER_X,
    GCN_HIDDEN_REMAINDER_Y,
    GCN_HIDDEN_REMAINDER_Z,
    GCN_HIDDEN_GLOBAL_OFFSET_X,
    GCN_HIDDEN_GLOBAL_OFFSET_Y,
    GCN_HIDDEN_GLOBAL_OFFSET_Z,
    GCN_HIDDEN_GRID_DIMS,
    GCN_HIDDEN_PRINTF_BUFFER,
    GCN_HIDDEN_HOSTCALL_BUFFER,
    GCN_HIDDEN_MULTIGRID_SYNC_ARG,
    GCN_HIDDEN_HEAP_V1,
    GCN_HIDDEN_DEFAULT_QUEUE,
    GCN_HIDDEN_COMPLETION_ACTION,
    GCN_HIDDEN_DYNAMIC_LDS_SIZE,
    GCN_HIDDEN_PRIVATE_BASE,
    GCN_HIDDEN_SHARED_BASE,
    GCN_HIDDEN_QUEUE_PTR,
    GCN_HIDDENS
};

struct gcn_hidden {
    uint32_t offset, size; /* bytes, in the kernarg segment */
    enum gcn_hidden_kind kind;
};

/* hidden.c: the kind of a `.value_kind` ("hidden_grid_dims"; v2's "HiddenGlobalOffsetX" too); GCN_HIDDEN_NONE if it is
 * not one of these kinds. */
enum gcn_hidden_kind gcn_hidden_kind(const char *value_kind);

/* A format of printf: the metadata's "1:2:4:8:format", less the number of values.  From LLVM's
 * AMDGPUPrintfRuntimeBinding: a call appends the number, then each value in whole dwords; constant strings as they are,
 * with their 0. */
struct gcn_printf {
    uint32_t id, nvalues;
    const uint32_t *sizes; /* bytes of each value */
    const char *format;
};
struct gcn_printfs {
    const struct gcn_printf *list; /* by id */
    size_t n;
};

/* In the image's arena. */
struct gcn_abi {
    enum gcn_abi_kind kind;
    uint32_t rsrc1, rsrc2;
    uint32_t rsrc3;        /* of newer chips */
    uint16_t properties;   /* enum gcn_properties */
    uint32_t private_size; /* bytes of scratch a work-item */
    uint32_t lds_size;     /* bytes a group, before dynamic ones */
    uint32_t kernarg_size; /* bytes, hidden arguments included; 0: from the parameters */
    uint64_t object;       /* address of the descriptor or amd_kernel_code_t, for the dispatch packet */
    const struct gcn_hidden
        *hidden; /* as the metadata lists them; none: at their usual places, as far as kernarg_size goes */
    uint32_t nhidden;
    const struct gcn_printfs *printfs; /* of the file; NULL: none */
};

/* The hidden arguments of a kernel whose explicit arguments end at byte explicit_end: as the file lists them, or where
 * they usually are.  Their offsets count from *start. */
const struct gcn_hidden *gcn_hidden_list(const struct gcn_abi *, uint32_t explicit_end, uint32_t *n, uint32_t *start);

#endif
