/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of where one is: the wave, the lane and its work-item, the position in time.  Several debuggers have words of
 * their own for the same thing: OpenCL's ids, ROCgdb's $_lane_workgroup_pos, cuda-gdb's threadIdx.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "eval/expr_parser.h"
#include "eval/over_lanes.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "machine/item.h"
#include "machine/machine.h"

enum what {
    WAVE,
    LANE,
    POSITION,
    IN_GRID,
    IN_GROUP,
    GROUP,
    GROUP_SIZE,
    GROUPS,
    WAVE_IN_GROUP,
    WAVE_SIZE,
    DISPATCH,
    ENDED
};

/* How a name without .x is shown: as one number, x fastest; or as a text around the three numbers. */
static const struct name {
    const char *name;
    enum what what;
    const char *around; /* two brackets; NULL: one number */
} names[] = {
    {"wave", WAVE, NULL},
    {"lane", LANE, NULL},
    {"position", POSITION, NULL},
    {"gid", IN_GRID, NULL},
    {"lid", IN_GROUP, NULL},
    {"group", GROUP, NULL},
    /* ROCgdb's: texts as it has them, "(1,0,0)/3" and "[5,0,0]" */
    {"_wave", WAVE, NULL},
    {"_thread", WAVE, NULL},
    {"_lane", LANE, NULL},
    {"_group", GROUP, NULL},
    {"_dispatch_pos", DISPATCH, "()"},
    {"_workgroup_pos", GROUP, "()"},
    {"_thread_workgroup_pos", WAVE_IN_GROUP, NULL},
    {"_lane_workgroup_pos", IN_GROUP, "[]"},
    {"_exitcode", ENDED, NULL},
    /* cuda-gdb's */
    {"threadIdx", IN_GROUP, "()"},
    {"blockIdx", GROUP, "()"},
    {"blockDim", GROUP_SIZE, "()"},
    {"gridDim", GROUPS, "()"},
    {"warpSize", WAVE_SIZE, NULL},
};

static const struct name *find(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == len && strncmp(names[i].name, text, len) == 0) return &names[i];
    return NULL;
}

bool where_bare(const char *name)
{
    const struct name *n = find(name, strcspn(name, "."));
    return n && isalpha((unsigned char)n->name[0]) && (n->around || n->what == WAVE_SIZE);
}

const char *where_name(size_t i) { return i < sizeof names / sizeof *names ? names[i].name : NULL; }

bool where_laned(const char *name)
{
    const size_t len = type_name_length(name), word = strcspn(name, ".");
    const struct name *n = find(name, word < len ? word : len);
    return n && (n->what == LANE || n->what == IN_GRID || n->what == IN_GROUP);
}

/* What has an x, a y and a z. */
static bool has_parts(enum what what)
{
    return what == IN_GRID || what == IN_GROUP || what == GROUP || what == GROUP_SIZE || what == GROUPS;
}

static struct value text_value(const struct name *n, const uint32_t at[3], uint32_t wave)
{
    struct value v = value_unsigned(0, 64);
    struct text t = text_in(v.text, sizeof v.text);
    v.is_text = true;
    text_add(&t, "%c%" PRIu32 ",%" PRIu32 ",%" PRIu32 "%c", n->around[0], at[0], at[1], at[2], n->around[1]);
    if (n->what == DISPATCH) text_add(&t, "/%" PRIu32, wave);
    return v;
}

/* The three numbers, and the sizes by which they become one. */
static void three(const struct parser *p, const struct name *n, const struct machine_wave_info *info, uint32_t at[3],
    uint32_t size[3])
{
    const struct gpudbg_machine *m = p->ev->running->machine;
    uint32_t local[3], global[3];
    machine_work_item(m, info, p->lane < 0 ? 0 : (unsigned)p->lane, local, global);
    for (int i = 0; i < 3; i++) {
        size[i] = n->what == IN_GRID    ? m->launch->global[i]
                  : n->what == IN_GROUP ? m->launch->local[i]
                                        : m->launch->groups[i];
        at[i] = n->what == IN_GRID      ? global[i]
                : n->what == IN_GROUP   ? local[i]
                : n->what == GROUP_SIZE ? m->launch->local[i]
                : n->what == GROUPS     ? m->launch->groups[i]
                                        : info->group_id[i];
    }
}

static bool read_where(struct parser *p, const struct name *n, const char *part, struct value *v)
{
    struct gpudbg_machine *m = p->ev->running->machine;
    struct machine_wave_info info;
    uint32_t at[3], size[3], from[3] = {0};
    if (n->what == POSITION) v->u = machine_position(m);
    if (n->what == WAVE_SIZE) v->u = m->lanes;
    if (n->what == POSITION || n->what == WAVE_SIZE) return true;
    if (n->what == ENDED)
        return machine_next_wave(m) == MACHINE_NO_WAVE ||
               gpudbg_fail(p->err, "no-such-name", "$_exitcode: not set: the launch has not ended");
    machine_wave_info(m, p->wave, &info);
    if (n->what == WAVE || n->what == LANE || n->what == WAVE_IN_GROUP) {
        v->u = n->what == WAVE ? p->wave : n->what == LANE ? (uint32_t)p->lane : info.index;
        return true;
    }
    three(p, n, &info, at, size);
    if (*part) {
        v->u = at[part[1] - 'x'];
        return true;
    }
    if (n->around) {
        *v = text_value(n, at, info.index);
        return true;
    }
    if (n->what == IN_GRID) memcpy(from, m->launch->offset, sizeof from);
    v->u = at[0] - from[0] + size[0] * (at[1] - from[1] + (uint64_t)size[1] * (at[2] - from[2]));
    return true;
}

bool parse_where(struct parser *p, const char *name, struct value *v, bool *known)
{
    const size_t word = strcspn(name, ".");
    const struct name *n = find(name, word);
    const char *part = name + word;
    *known = n != NULL;
    if (!n) return false;
    if (*part && !has_parts(n->what))
        return gpudbg_fail(p->err, "no-such-name", "$%s: $%s has no parts", name, n->name);
    if (*part && (!part[1] || !strchr("xyz", part[1]) || part[2]))
        return gpudbg_fail(p->err, "no-such-name", "$%s: its parts are .x, .y and .z", name);
    if (p->over && where_laned(name)) p->over->laned = true;
    *v = value_unsigned(0, n->what == WAVE || n->what == LANE ? 32 : 64);
    v->is_text = n->around && !*part;
    if (p->skip) return true;
    if (!p->ev->running->machine) return gpudbg_fail(p->err, "no-launch", "$%s: nothing is launched", name);
    return read_where(p, n, part, v);
}
