/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a breakpoint or watchpoint is made of; see point.h. */
#include "control/point.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "eval/expr.h"
#include "eval/location.h"
#include "eval/typed.h"
#include "eval/value.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"

bool point_named(struct stop_point *p, const char *text, struct gpudbg_error *err)
{
    const size_t n = strlen(text);
    if (n >= sizeof p->what)
        return gpudbg_fail(
            err, "too-large", "the place has %zu letters; at most %zu are possible", n, sizeof p->what - 1);
    memcpy(p->what, text, n + 1);
    return true;
}

bool point_condition(struct control *ctl, const char *condition, const struct stop_point *p, struct gpudbg_error *err)
{
    bool holds;
    if (!expr_readable(ctl->eval, condition, err)) return false;
    if (!*condition || !ctl->eval->running->machine ||
        expr_holds(ctl->eval, ctl->eval->selection->wave, ctl->eval->selection->lane, condition, &holds, err))
        return true;
    for (size_t i = 0; i < p->nlocations; i++)
        if (locals_named(ctl->eval, p->location[i].pc, condition)) {
            *err = (struct gpudbg_error){0};
            return true;
        }
    return false;
}

bool point_starts(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_error *err)
{
    struct gpudbg_insn insn;
    if (insn_around(image, addr, &insn))
        return gpudbg_fail(
            err, "out-of-range", "0x%" PRIx64 " is inside of the instruction at 0x%" PRIx64, addr, insn.addr);
    return insn_at(image, addr, &insn) ||
           gpudbg_fail(err, "out-of-range", "0x%" PRIx64 ": no instruction starts there", addr);
}

bool point_locations(struct control *ctl, const char *text, struct stop_point *p, struct gpudbg_error *err)
{
    struct code_places places = {0};
    char here[32];
    snprintf(here, sizeof here, "*0x%" PRIx64, location_here(ctl->eval));
    if (!location_places(ctl->eval, *text ? text : here, &places, err)) return false;
    p->location = xcalloc(places.n, sizeof *p->location);
    p->line = places.line;
    for (size_t i = 0; i < places.n; i++)
        if (point_starts(ctl->eval->loaded->image, places.addr[i], err))
            p->location[p->nlocations++] = (struct stop_location){places.addr[i], true};
    location_places_free(&places);
    if (p->nlocations) *err = (struct gpudbg_error){.offset = -1};
    return p->nlocations > 0;
}

bool point_all_lanes(
    struct control *ctl, uint32_t wave, const char *text, struct stop_point *p, struct gpudbg_error *err)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    struct value *v = &p->place.value, other;
    struct gpudbg_error ignored = {0};
    if (!p->place.is_register || m->isa->files[v->file].lanes <= 1 || v->lanes != 1 || v->part || p->lane >= 0 ||
        m->lanes < 2)
        return true;
    if (!expr_value_in(ctl->eval, wave, v->lane ? 0 : 1, text, &other, &ignored) || other.lane == v->lane) return true;
    v->lane = 0;
    v->lanes = (int16_t)m->lanes;
    v->many = true;
    p->place.type = (struct value_type){0, 0};
    p->place.size = (uint64_t)m->lanes * v->count * ((m->isa->files[v->file].bits + 31u) / 32) * 4;
    return past_bits(ctl->eval, &p->place, err);
}

bool point_place(struct control *ctl, uint32_t wave, char *text, struct stop_point *p, struct gpudbg_error *err)
{
    struct local_memory memory = {0};
    struct gpudbg_error ignored = {0};
    struct machine_wave_info info;
    const int lane = p->lane >= 0 ? p->lane : ctl->eval->selection->lane;
    const enum local_found found = locals_memory(ctl->eval, text, &memory, &ignored);
    free(memory.piece);
    machine_wave_info(ctl->eval->running->machine, wave, &info);
    if (found != LOCAL_LOST || !past_followed(ctl->eval, wave, lane, info.pc, text, &p->place))
        return past_named(ctl->eval, wave, text, &p->place, err);
    if (p->reads)
        return gpudbg_fail(err, "unsupported",
            "%.60s is in no memory here, so only its changes can be watched: `watch %.60s`", text, text);
    p->wave = (int)wave;
    p->lane = lane;
    return true;
}

struct stop_point *point_watch(struct control *ctl, char *text, struct stop_point *p, struct gpudbg_error *err)
{
    const uint32_t wave = p->wave >= 0 ? (uint32_t)p->wave : ctl->eval->selection->wave;
    struct stop_point *added = NULL;
    char named[sizeof p->what];
    snprintf(named, sizeof named, "%s", text);
    if (point_place(ctl, wave, text, p, err) && point_all_lanes(ctl, wave, named, p, err)) {
        if (p->place.is_register) p->wave = (int)p->place.wave;
        if (*p->place.name) text_put(p->what, sizeof p->what, "%s", p->place.name);
        added = stops_add(ctl, p, err);
    }
    if (!added) past_free(&p->place);
    return added;
}
