/* SPDX-License-Identifier: GPL-3.0-or-later */
/* item.c: lanes and work-items; see item.h. */
#include "machine/item.h"

bool machine_quads(const struct gpudbg_machine *m)
{
    const struct gpudbg_kernel *k = m->launch->kernel;
    return (k && k->quads) || m->image->quads;
}

/* Sizes of a group in work-items: of one at the edge what is left, unless all groups are of one size. */
static void group_size(const struct gpudbg_machine *m, const uint32_t id[3], uint32_t size[3])
{
    const struct gpudbg_launch *l = m->launch;
    const bool fixed = l->kernel && l->kernel->fixed_local;
    for (int i = 0; i < 3; i++) {
        const uint64_t start = (uint64_t)id[i] * l->local[i];
        const uint64_t left = l->global[i] > start ? l->global[i] - start : 1;
        size[i] = fixed || left > l->local[i] ? l->local[i] : (uint32_t)left;
        if (!size[i]) size[i] = 1;
    }
}

static bool by_quads(const struct gpudbg_machine *m, const uint32_t size[3])
{
    return machine_quads(m) && size[0] % 2 == 0 && size[1] % 2 == 0;
}

void machine_work_item(const struct gpudbg_machine *m, const struct machine_wave_info *info, unsigned lane,
    uint32_t local[3], uint32_t global[3])
{
    const struct gpudbg_launch *l = m->launch;
    const uint64_t linear = (uint64_t)info->index * m->lanes + lane;
    uint32_t size[3];
    group_size(m, info->group_id, size);
    if (by_quads(m, size)) {
        const uint64_t quad = linear / 4, across = size[0] / 2;
        local[0] = (uint32_t)(quad % across * 2 + linear % 2);
        local[1] = (uint32_t)(quad / across % (size[1] / 2) * 2 + linear / 2 % 2);
    } else {
        local[0] = (uint32_t)(linear % size[0]);
        local[1] = (uint32_t)(linear / size[0] % size[1]);
    }
    local[2] = (uint32_t)(linear / size[0] / size[1]);
    for (int i = 0; i < 3; i++)
        global[i] = (uint32_t)(l->offset[i] + (uint64_t)info->group_id[i] * l->local[i] + local[i]);
}

bool machine_item_lane(const struct gpudbg_machine *m, const uint64_t global[3], uint32_t *wave, unsigned *lane)
{
    const struct gpudbg_launch *l = m->launch;
    uint32_t id[3], local[3], size[3];
    for (int i = 0; i < 3; i++) {
        if (global[i] < l->offset[i] || global[i] - l->offset[i] >= l->global[i]) return false;
        id[i] = (uint32_t)((global[i] - l->offset[i]) / l->local[i]);
        local[i] = (uint32_t)((global[i] - l->offset[i]) % l->local[i]);
    }
    group_size(m, id, size);
    uint64_t linear = local[0] + (uint64_t)size[0] * (local[1] + (uint64_t)size[1] * local[2]);
    if (by_quads(m, size))
        linear = (uint64_t)size[0] * size[1] * local[2] + 4 * (local[1] / 2 * (uint64_t)(size[0] / 2) + local[0] / 2) +
                 local[1] % 2 * 2 + local[0] % 2;
    const uint64_t group = id[0] + (uint64_t)l->groups[0] * (id[1] + (uint64_t)l->groups[1] * id[2]);
    *wave = (uint32_t)(group * m->waves_per_group + linear / m->lanes);
    *lane = (unsigned)(linear % m->lanes);
    return *wave < m->nwaves;
}
