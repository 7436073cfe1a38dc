/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/device.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

/* What the user set, one register each. */
struct device_setting {
    const struct gpudbg_device_register *reg;
    uint32_t value;
    struct device_setting *next;
};

/* Whether captures of the family are of the instruction set's chips: it has the name, or the same registers of the
 * device for waves of another size. */
static bool is_of(const struct gpudbg_dump *d, const char *family, const struct gpudbg_isa *isa)
{
    if (!family || strcmp(family, isa->name) == 0) return true;
    const struct gpudbg_isa *other = gpudbg_dump_isa_named(d, family);
    return other && other->device == isa->device && other->lanes != isa->lanes;
}

/* The latest dump that tells all bits of it, of this instruction set's family. */
static const struct gpudbg_dump *dump_of(
    const struct loaded *l, const struct gpudbg_isa *isa, const char *name, uint32_t *value)
{
    struct gpudbg_record r;
    for (size_t i = l->ndumps; i-- > 0;) {
        size_t n;
        const struct gpudbg_capture *captures = gpudbg_dump_captures(l->dumps[i], &n);
        for (size_t c = n; c-- > 0;)
            if (is_of(l->dumps[i], captures[c].family, isa) &&
                gpudbg_dump_find(l->dumps[i], (uint32_t)c, NULL, name, &r) && (r.mask & UINT32_MAX) == UINT32_MAX) {
                *value = (uint32_t)r.value;
                return l->dumps[i];
            }
    }
    return NULL;
}

struct device_value device_value(
    const struct device_setting *set, const struct loaded *l, const struct gpudbg_isa *isa, size_t index)
{
    const struct gpudbg_device_register *reg = &isa->device[index];
    for (; set; set = set->next)
        if (set->reg == reg) return (struct device_value){.value = set->value, .set = true};
    struct device_value v = {.value = reg->value};
    v.from = dump_of(l, isa, reg->name, &v.value);
    return v;
}

void device_forget(struct device_setting **list, const struct gpudbg_device_register *reg)
{
    for (; *list; list = &(*list)->next)
        if ((*list)->reg == reg) {
            struct device_setting *gone = *list;
            *list = gone->next;
            free(gone);
            return;
        }
}

void device_set(struct device_setting **list, const struct gpudbg_device_register *reg, uint32_t value)
{
    device_forget(list, reg);
    struct device_setting *s = xalloc(sizeof *s);
    *s = (struct device_setting){reg, value, *list};
    *list = s;
}

void device_free(struct device_setting **list)
{
    while (*list) device_forget(list, (*list)->reg);
}
