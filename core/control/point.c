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

#define POINT_ELEMENTS 4 /* of a watched buffer that are shown */

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

static bool starts_there(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_error *err)
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
        if (starts_there(ctl->eval->loaded->image, places.addr[i], err))
            p->location[p->nlocations++] = (struct stop_location){places.addr[i], true};
    location_places_free(&places);
    if (p->nlocations) *err = (struct gpudbg_error){.offset = -1};
    return p->nlocations > 0;
}

/* A register that has lanes, without one: it is watched in all of them.  false with an error. */
static bool all_lanes(
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

struct stop_point *point_watch(struct control *ctl, char *text, struct stop_point *p, struct gpudbg_error *err)
{
    const uint32_t wave = p->wave >= 0 ? (uint32_t)p->wave : ctl->eval->selection->wave;
    struct stop_point *added = NULL;
    char named[sizeof p->what];
    snprintf(named, sizeof named, "%s", text);
    if (past_named(ctl->eval, wave, text, &p->place, err) && all_lanes(ctl, wave, named, p, err)) {
        if (p->place.is_register) p->wave = (int)p->place.wave;
        added = stops_add(ctl, p, err);
    }
    if (!added) past_free(&p->place);
    return added;
}

/* ---- What is watched, now ---- */

unsigned point_lane_bytes(const struct stop_point *p)
{
    const struct past_place *at = &p->place;
    if (!at->is_register || at->value.lanes < 2 || at->size > PAST_BYTES) return 0;
    return (unsigned)at->size / (unsigned)at->value.lanes;
}

void point_lane_text(
    const struct control *ctl, const struct stop_point *p, int lane, const unsigned char *all, char *buf, size_t size)
{
    const unsigned bytes = point_lane_bytes(p), at = (unsigned)(lane - p->place.value.lane) * bytes;
    struct gpudbg_error ignored = {0};
    uint32_t words[2] = {(uint32_t)le_get(all + at, 4), bytes > 4 ? (uint32_t)le_get(all + at + 4, 4) : 0};
    struct gpudbg_wave *w = machine_wave(ctl->eval->running->machine, p->place.wave, &ignored);
    const struct form *form = w ? typed_form(ctl->eval, w, p->place.value.file, p->place.value.reg, lane, words) : NULL;
    if (!form || form->size != bytes) form = form_named(bytes == 8 ? "uq" : "ud");
    form_text(form, words, buf, size);
}

/* "27 in lane 11, 40 values in 64 lanes" */
static void lanes_now(
    const struct control *ctl, const struct stop_point *p, const unsigned char *bytes, char *buf, size_t size)
{
    const unsigned each = point_lane_bytes(p), lanes = (unsigned)p->place.value.lanes;
    const int first = p->place.value.lane, selected = ctl->eval->selection->lane;
    const int lane = selected >= first && selected < first + (int)lanes ? selected : first;
    struct text t = text_in(buf, size);
    char number[PAST_TEXT];
    unsigned values = 0;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned same = 0;
        while (same < i && memcmp(bytes + same * each, bytes + i * each, each) != 0) same++;
        values += same == i;
    }
    point_lane_text(ctl, p, lane, bytes, number, sizeof number);
    if (values == 1)
        text_add(&t, "%s in %u lanes", number, lanes);
    else
        text_add(&t, "%s in lane %d, %u values in %u lanes", number, lane, values, lanes);
}

/* The first elements of a buffer, or the first words. */
static void elements_now(
    const struct control *ctl, const struct stop_point *p, const unsigned char *bytes, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    struct buffer_place of;
    const bool typed = buffer_place(ctl->eval, p->place.space, p->place.piece[0].addr, &of) && of.element.bits >= 8 &&
                       of.element.bits <= 64 && p->place.size >= of.element.bits / 8u;
    const unsigned each = typed ? of.element.bits / 8u : p->place.size < 4 ? (unsigned)p->place.size : 4;
    struct value v = {.type = of.element};
    char number[64];
    uint64_t i = 0;
    for (; i < POINT_ELEMENTS && (i + 1) * each <= p->place.size; i++) {
        const uint64_t bits = le_get(bytes + i * each, each);
        snprintf(number, sizeof number, "0x%0*" PRIx64, (int)each * 2, bits);
        if (typed) value_set_bits(&v, bits);
        if (typed) value_text(ctl->eval, &v, 0, number, sizeof number);
        text_add(&t, "%s%s", i ? ", " : "", number);
    }
    if (i * each < p->place.size) text_add(&t, ", ...");
}

int point_value(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    unsigned char bytes[PAST_BYTES] = {0};
    if (size) buf[0] = 0;
    if (p->kind != STOP_WATCH || !ctl->eval->running->machine || !past_read(ctl->eval, &p->place, bytes, sizeof bytes))
        return 0;
    if (point_lane_bytes(p))
        lanes_now(ctl, p, bytes, buf, size);
    else if (p->place.is_register || p->place.type.bits || p->place.shape)
        past_text(ctl->eval, &p->place, bytes, buf, size);
    else
        elements_now(ctl, p, bytes, buf, size);
    if (p->place.type.bits) buf[past_short(buf)] = 0;
    return (int)strlen(buf);
}
