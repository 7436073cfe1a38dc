/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a watchpoint watches, as it is now; see watched.h. */
#include "control/watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "eval/typed.h"
#include "eval/value.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"

#define ELEMENTS 4 /* of a watched buffer that are shown */

unsigned watched_lane_bytes(const struct stop_point *p)
{
    const struct past_place *at = &p->place;
    if (!at->is_register || at->value.lanes < 2 || at->size > PAST_BYTES) return 0;
    return (unsigned)at->size / (unsigned)at->value.lanes;
}

void watched_lane_text(
    const struct control *ctl, const struct stop_point *p, int lane, const unsigned char *all, char *buf, size_t size)
{
    const unsigned bytes = watched_lane_bytes(p), at = (unsigned)(lane - p->place.value.lane) * bytes;
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
    const unsigned each = watched_lane_bytes(p), lanes = (unsigned)p->place.value.lanes;
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
    watched_lane_text(ctl, p, lane, bytes, number, sizeof number);
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
    for (; i < ELEMENTS && (i + 1) * each <= p->place.size; i++) {
        const uint64_t bits = le_get(bytes + i * each, each);
        snprintf(number, sizeof number, "0x%0*" PRIx64, (int)each * 2, bits);
        if (typed) value_set_bits(&v, bits);
        if (typed) value_text(ctl->eval, &v, 0, number, sizeof number);
        text_add(&t, "%s%s", i ? ", " : "", number);
    }
    if (i * each < p->place.size) text_add(&t, ", ...");
}

int watched_value(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    unsigned char bytes[PAST_BYTES] = {0};
    if (size) buf[0] = 0;
    if (p->kind != STOP_WATCH || !ctl->eval->running->machine || !past_read(ctl->eval, &p->place, bytes, sizeof bytes))
        return 0;
    if (watched_lane_bytes(p))
        lanes_now(ctl, p, bytes, buf, size);
    else if (p->place.is_register || p->place.type.bits || p->place.shape)
        past_text(ctl->eval, &p->place, bytes, buf, size);
    else
        elements_now(ctl, p, bytes, buf, size);
    if (p->place.type.bits) buf[past_short(buf)] = 0;
    return (int)strlen(buf);
}
