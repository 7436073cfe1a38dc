/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a value comes from, on both sides; see sides.h. */
#include "command/sides_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine.h"
#include "past/cause.h"
#include "past/origin.h"

#define STEPS_MOST 200 /* of a way back */

static struct side_step *step_add(struct sides *t)
{
    if (t->nsteps == STEPS_MOST) return NULL;
    t->step = xrealloc(t->step, (size_t)t->nsteps + 1, sizeof *t->step);
    struct side_step *p = &t->step[t->nsteps++];
    *p = (struct side_step){.lane = -1};
    return p;
}

/* Two runs of one code: through the inputs that differ. */
static bool why_differ(struct sides *t, struct past_place place[2], const char *name, struct gpudbg_error *err)
{
    size_t n = 0;
    struct cause_step *step = cause_of(&t->side[0], &t->side[1], place, name, t->position, &n, err);
    for (size_t i = 0; step && i < n; i++) {
        const struct cause_step *c = &step[i];
        struct side_step *to = step_add(t);
        if (!to) break;
        snprintf(to->name, sizeof to->name, "%s", *c->name ? c->name : "before that");
        snprintf(to->leaf, sizeof to->leaf, "%s",
            *c->leaf                ? c->leaf
            : c->how == CAUSE_WAY   ? "goes on elsewhere in the other"
            : c->how == CAUSE_LANE  ? "the lane goes on in one alone"
            : c->how == CAUSE_ORDER ? "another wave goes on in the other"
            : c->how == CAUSE_LOST  ? "the cause is not known"
                                    : "");
        to->begins = c->begins;
        to->lane = c->lane;
        for (int s = 0; s < 2; s++) {
            snprintf(to->text[s], sizeof to->text[s], "%.*s", c->plain[s], c->value[s]);
            to->there[s] = c->pc || c->how < CAUSE_LAUNCH;
            to->position[s] = c->position[s];
            to->wave[s] = c->wave;
            to->pc[s] = c->pc;
        }
    }
    free(step);
    return step != NULL;
}

/* The input to go on with: the first value that both computed otherwise, else the first that one computed. */
static size_t input_of(const struct origin_node *const node[2], const size_t n[2])
{
    size_t any = 0;
    for (size_t i = 1; i < (n[0] > n[1] ? n[0] : n[1]); i++) {
        const struct origin_node *a = i < n[0] ? &node[0][i] : NULL, *b = i < n[1] ? &node[1][i] : NULL;
        const bool differ = !a || !b || strcmp(a->value, b->value) != 0;
        if (differ && ((a && a->role == INPUT_VALUE) || (b && b->role == INPUT_VALUE))) return i;
        if (differ && !any) any = i;
    }
    return any;
}

/* Everything else: the two origins beside each other. */
static bool why_each(struct sides *t, struct past_place place[2], const char *name, struct gpudbg_error *err)
{
    static const struct origin_want want = {.depth = 1, .rows = 60, .values = true};
    struct origin_node *node[2] = {NULL, NULL};
    size_t n[2] = {0};
    bool good = true;
    for (int s = 0; s < 2; s++) {
        good = good && machine_go(t->machine[s], t->position[s], err) &&
               (node[s] = origin_of(&t->side[s].eval, name, &place[s], &want, &n[s], err)) != NULL;
        past_free(&place[s]);
    }
    while (good) {
        struct side_step *to = step_add(t);
        const struct origin_node *const both_nodes[2] = {node[0], node[1]};
        for (int s = 0; to && s < 2; s++) {
            if (!n[s]) continue;
            const struct origin_node *o = &node[s][0];
            if (!*to->name) snprintf(to->name, sizeof to->name, "%s", o->name);
            snprintf(to->text[s], sizeof to->text[s], "%.*s", o->plain, o->value);
            if (!o->found && !*to->leaf) snprintf(to->leaf, sizeof to->leaf, "%s", o->leaf);
            to->there[s] = o->found;
            to->position[s] = o->write.position;
            to->wave[s] = o->write.wave;
            to->pc[s] = o->write.pc;
            if (o->found && o->write.lanes) to->lane = __builtin_ctzll(o->write.lanes);
        }
        if (to && t->machine[0] == t->machine[1] && to->there[0] && to->there[1] && to->position[0] == to->position[1])
            break; /* from here on it is one way */
        const size_t next = to ? input_of(both_nodes, n) : 0;
        if (!next) break;
        for (int s = 0; s < 2; s++) {
            size_t m = 0;
            struct origin_node *more_nodes = NULL;
            if (next < n[s]) {
                if (!machine_go(t->machine[s], t->position[s], err)) good = false;
                more_nodes = good ? origin_of_input(&t->side[s].eval, &node[s][next], &want, &m, err) : NULL;
                good = good && more_nodes;
            }
            free(node[s]);
            node[s] = more_nodes;
            n[s] = m;
        }
    }
    for (int s = 0; s < 2; s++) free(node[s]);
    return good;
}

bool sides_why(struct sides *t, int i, struct gpudbg_error *err)
{
    struct past_place place[2] = {0};
    char text[96];
    if (!sides_need_runs(t, err)) return false;
    const bool store = (i < 0 || i >= t->nvalues) && t->stored;
    if (!store && (i < 0 || i >= t->nvalues)) return gpudbg_fail(err, "not-now", "no value is under the cursor");
    const struct sides_visit v = sides_visit(t);
    const struct side_value value = store ? t->store : t->value[i];
    bool good = true;
    for (int s = 0; store && s < 2; s++) {
        t->position[s] = t->store_position[s];
        t->wave[s] = t->store_wave;
    }
    free(t->step);
    t->step = NULL;
    t->nsteps = 0;
    for (int s = 0; good && s < 2; s++) {
        snprintf(text, sizeof text, "%s", value.place[s]);
        good = machine_go(t->machine[s], t->position[s], err) &&
               past_named(&t->side[s].eval, t->wave[s], text, &place[s], err);
    }
    if (!good)
        for (int s = 0; s < 2; s++) past_free(&place[s]);
    good = good && (t->of == SIDES_RUNS && t->alike ? why_differ : why_each)(t, place, value.name, err);
    snprintf(t->asked, sizeof t->asked, "%s", good ? value.name : "");
    sides_come_back(t, &v);
    return good;
}
