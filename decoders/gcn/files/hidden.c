/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hidden.c: the arguments that the runtime adds to a kernel's own: their names and places. */
#include "files/abi.h"

#include <string.h>

/* ---- Names of hidden arguments ---- */

static const char *const hidden_names[GCN_HIDDENS] = {
    [GCN_HIDDEN_NONE] = "none",
    [GCN_HIDDEN_BLOCK_COUNT_X] = "block_count_x",
    [GCN_HIDDEN_BLOCK_COUNT_Y] = "block_count_y",
    [GCN_HIDDEN_BLOCK_COUNT_Z] = "block_count_z",
    [GCN_HIDDEN_GROUP_SIZE_X] = "group_size_x",
    [GCN_HIDDEN_GROUP_SIZE_Y] = "group_size_y",
    [GCN_HIDDEN_GROUP_SIZE_Z] = "group_size_z",
    [GCN_HIDDEN_REMAINDER_X] = "remainder_x",
    [GCN_HIDDEN_REMAINDER_Y] = "remainder_y",
    [GCN_HIDDEN_REMAINDER_Z] = "remainder_z",
    [GCN_HIDDEN_GLOBAL_OFFSET_X] = "global_offset_x",
    [GCN_HIDDEN_GLOBAL_OFFSET_Y] = "global_offset_y",
    [GCN_HIDDEN_GLOBAL_OFFSET_Z] = "global_offset_z",
    [GCN_HIDDEN_GRID_DIMS] = "grid_dims",
    [GCN_HIDDEN_PRINTF_BUFFER] = "printf_buffer",
    [GCN_HIDDEN_HOSTCALL_BUFFER] = "hostcall_buffer",
    [GCN_HIDDEN_MULTIGRID_SYNC_ARG] = "multigrid_sync_arg",
    [GCN_HIDDEN_HEAP_V1] = "heap_v1",
    [GCN_HIDDEN_DEFAULT_QUEUE] = "default_queue",
    [GCN_HIDDEN_COMPLETION_ACTION] = "completion_action",
    [GCN_HIDDEN_DYNAMIC_LDS_SIZE] = "dynamic_lds_size",
    [GCN_HIDDEN_PRIVATE_BASE] = "private_base",
    [GCN_HIDDEN_SHARED_BASE] = "shared_base",
    [GCN_HIDDEN_QUEUE_PTR] = "queue_ptr",
};

/* "global_offset_x" and "GlobalOffsetX" alike. */
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '_') a++;
        while (*b == '_') b++;
        if ((*a | 32) != (*b | 32)) return false;
        if (!*a || !*b) return *a == *b;
    }
}

enum gcn_hidden_kind gcn_hidden_kind(const char *value_kind)
{
    for (int i = 1; i < GCN_HIDDENS; i++)
        if (strlen(value_kind) > 6 && same_name(value_kind + 6, hidden_names[i])) return (enum gcn_hidden_kind)i;
    return GCN_HIDDEN_NONE;
}

/* ---- Places of hidden arguments if the file does not give them ---- */

static const struct gcn_hidden layout_v5[] = {
    {0, 4, GCN_HIDDEN_BLOCK_COUNT_X},
    {4, 4, GCN_HIDDEN_BLOCK_COUNT_Y},
    {8, 4, GCN_HIDDEN_BLOCK_COUNT_Z},
    {12, 2, GCN_HIDDEN_GROUP_SIZE_X},
    {14, 2, GCN_HIDDEN_GROUP_SIZE_Y},
    {16, 2, GCN_HIDDEN_GROUP_SIZE_Z},
    {18, 2, GCN_HIDDEN_REMAINDER_X},
    {20, 2, GCN_HIDDEN_REMAINDER_Y},
    {22, 2, GCN_HIDDEN_REMAINDER_Z},
    {40, 8, GCN_HIDDEN_GLOBAL_OFFSET_X},
    {48, 8, GCN_HIDDEN_GLOBAL_OFFSET_Y},
    {56, 8, GCN_HIDDEN_GLOBAL_OFFSET_Z},
    {64, 2, GCN_HIDDEN_GRID_DIMS},
    {72, 8, GCN_HIDDEN_PRINTF_BUFFER},
    {120, 4, GCN_HIDDEN_DYNAMIC_LDS_SIZE},
    {192, 4, GCN_HIDDEN_PRIVATE_BASE},
    {196, 4, GCN_HIDDEN_SHARED_BASE},
    {200, 8, GCN_HIDDEN_QUEUE_PTR},
};
static const struct gcn_hidden layout_v4[] = {
    {0, 8, GCN_HIDDEN_GLOBAL_OFFSET_X},
    {8, 8, GCN_HIDDEN_GLOBAL_OFFSET_Y},
    {16, 8, GCN_HIDDEN_GLOBAL_OFFSET_Z},
    {24, 8, GCN_HIDDEN_PRINTF_BUFFER},
};
/* Mesa: right after the explicit arguments. */
static const struct gcn_hidden layout_mesa[] = {
    {0, 4, GCN_HIDDEN_GRID_DIMS},
    {4, 4, GCN_HIDDEN_GLOBAL_OFFSET_X},
    {8, 4, GCN_HIDDEN_GLOBAL_OFFSET_Y},
    {12, 4, GCN_HIDDEN_GLOBAL_OFFSET_Z},
};

const struct gcn_hidden *gcn_hidden_list(const struct gcn_abi *abi, uint32_t explicit_end, uint32_t *n, uint32_t *start)
{
    *start = 0;
    if (abi->nhidden) {
        *n = abi->nhidden;
        return abi->hidden;
    }
    *start = abi->kind == GCN_MESA ? (explicit_end + 3) & ~3u : (explicit_end + 7) & ~7u;
    *n = abi->kind == GCN_MESA     ? sizeof layout_mesa / sizeof *layout_mesa
         : GCN_ABI_WIDE(abi->kind) ? sizeof layout_v5 / sizeof *layout_v5
                                   : sizeof layout_v4 / sizeof *layout_v4;
    return abi->kind == GCN_MESA ? layout_mesa : GCN_ABI_WIDE(abi->kind) ? layout_v5 : layout_v4;
}
