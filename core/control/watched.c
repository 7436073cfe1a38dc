/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a watchpoint watches, as it is now, and what an instruction did to it; see watched.h. */
#include "control/watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/expr.h"
#include "eval/typed.h"
#include "eval/value.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "past/stored.h"
#include "out/say.h"

#define ELEMENTS 4 /* of a watched buffer that are shown */

unsigned watched_lane_bytes(const struct stop_point *p)
{
    const struct past_place *at = &p->place;
    if (!at->is_register || at->value.lanes < 2 || at->size > PAST_BYTES) return 0;
    return (unsigned)at->size / (unsigned)at->value.lanes;
}

void watched_lane_text(const struct control *ctl, const struct stop_point *p, int lane, const unsigned char *all,
    uint64_t pc, char *buf, size_t size)
{
    const unsigned bytes = watched_lane_bytes(p), at = (unsigned)(lane - p->place.value.lane) * bytes;
    struct gpudbg_error ignored = {0};
    uint32_t words[2] = {(uint32_t)le_get(all + at, 4), bytes > 4 ? (uint32_t)le_get(all + at + 4, 4) : 0};
    const struct gpudbg_wave *w = machine_wave(ctl->eval->running->machine, p->place.wave, &ignored);
    struct gpudbg_wave then = w ? *w : (struct gpudbg_wave){0};
    if (pc != PAST_HERE) then.pc = pc;
    const struct form *form = w ? typed_form(ctl->eval, &then, p->place.value.file, p->place.value.reg, lane, words)
                                : NULL;
    if ((!form || form->size != bytes) && bytes == 8)
        snprintf(buf, size, "0x%08" PRIx32 "%08" PRIx32, words[1], words[0]);
    else
        form_text(form && form->size == bytes ? form : form_named("ud"), words, buf, size);
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
    watched_lane_text(ctl, p, lane, bytes, PAST_HERE, number, sizeof number);
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

/* "27", or "27, no place here": what it held when it was seen last. */
static int followed_now(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    unsigned char bytes[PAST_BYTES] = {0};
    const struct local_watch *v = p->place.followed;
    const bool here = past_read(ctl->eval, &p->place, bytes, sizeof bytes);
    struct text t = text_in(buf, size);
    if (here || v->seen == LOCAL_SEEN)
        text_wrote(&t, past_number(ctl->eval, &p->place, here ? bytes : v->held, PAST_HERE, buf, size));
    if (!here) text_add(&t, "%sno value here", t.n ? ", " : "");
    return text_length(&t);
}

int watched_value(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    unsigned char bytes[PAST_BYTES] = {0};
    if (size) buf[0] = 0;
    if (p->kind != STOP_WATCH || !ctl->eval->running->machine) return 0;
    if (p->place.followed) return followed_now(ctl, p, buf, size);
    if (!past_read(ctl->eval, &p->place, bytes, sizeof bytes)) return 0;
    int plain;
    if (watched_lane_bytes(p))
        lanes_now(ctl, p, bytes, buf, size);
    else if (p->place.is_register || p->place.type.bits || p->place.shape) {
        past_text_plain(ctl->eval, &p->place, bytes, PAST_HERE, buf, size, &plain);
        if (p->place.type.bits && plain < (int)size) buf[plain] = 0;
    } else
        elements_now(ctl, p, bytes, buf, size);
    return (int)strlen(buf);
}

size_t watched_shown(const struct stop_point *p)
{
    return p->place.size < sizeof p->now ? (size_t)p->place.size : sizeof p->now;
}

/* ---- What a store did to watched memory ---- */

static struct past_met met(const struct control *ctl, const struct stop_point *p)
{
    return (struct past_met){.eval = ctl->eval,
        .place = &p->place,
        .number = p->number,
        .lane = p->lane,
        .reads = p->reads,
        .writes = p->writes};
}

void watched_before(struct control *ctl, struct stop_point *p)
{
    if (p->place.followed) return; /* past_about has looked */
    past_read(ctl->eval, &p->place, p->before, sizeof p->before);
    p->before_sum = p->place.size > sizeof p->before ? past_sum(ctl->eval, &p->place) : 0;
}

bool watched_changed(struct control *ctl, const struct stop_point *p, uint32_t wave)
{
    unsigned char now[PAST_BYTES];
    const struct past_met m = met(ctl, p);
    if (!p->place.is_register) return past_met_changed(&m, wave);
    if (!past_read(ctl->eval, &p->place, now, sizeof now)) return true;
    return memcmp(now, p->before, watched_shown(p)) != 0 ||
           (p->place.size > sizeof now && past_sum(ctl->eval, &p->place) != p->before_sum);
}

void watched_take(struct control *ctl, struct stop_point *p, uint32_t wave, int lane)
{
    const struct past_met m = met(ctl, p);
    past_met_stored(&m, wave, lane, &p->stored);
}

/* ---- What an instruction did to a watched register of many lanes ---- */

/* The lanes whose values differ, a bit each from lane 0 on. */
uint64_t watched_lanes_changed(const struct stop_point *p)
{
    const unsigned bytes = watched_lane_bytes(p);
    uint64_t changed = 0;
    for (unsigned i = 0; bytes && i < (unsigned)p->place.value.lanes; i++)
        if (memcmp(p->old + i * bytes, p->now + i * bytes, bytes) != 0)
            changed |= UINT64_C(1) << ((unsigned)p->place.value.lane + i);
    return changed;
}

/* "$v3[1]: 0 -> 1, and 59 more lanes" */
static void lanes_text(const struct control *ctl, const struct stop_point *p, char *name, size_t name_size, char *was,
    char *is, size_t value_size, char *buf, size_t size)
{
    const uint64_t changed = watched_lanes_changed(p);
    const int n = __builtin_popcountll(changed), lane = changed ? __builtin_ctzll(changed) : ctl->eval->selection->lane;
    const struct gpudbg_regfile *f = &ctl->eval->running->machine->isa->files[p->place.value.file];
    const struct value *v = &p->place.value;
    char reg[64];
    past_registers_name(f, v->reg, v->count, reg, sizeof reg);
    text_put(name, name_size, "$%s[%d]", reg, lane);
    watched_lane_text(ctl, p, lane, p->old, p->pc, was, value_size);
    watched_lane_text(ctl, p, lane, p->now, PAST_HERE, is, value_size);
    struct text t = text_in(buf, size);
    text_add(&t, "%s: %s", name, was);
    if (p->writes) text_add(&t, changed ? " -> %s" : ", and the same in all lanes", is);
    if (n > 1) text_add(&t, ", and %d more lane%s", n - 1, n > 2 ? "s" : "");
}

/* ---- What an instruction did to a variable that is followed ---- */

bool watched_followed(struct control *ctl, struct stop_point *p, const struct gpudbg_wave *w, bool back)
{
    unsigned char was[LOCAL_WATCHED];
    struct local_watch *v = p->place.followed;
    const enum local_change change = local_watch_after(ctl->eval, v, w, p->its_pc, was);
    p->ended = change == LOCAL_ENDED;
    if (change == LOCAL_SAME || (p->ended && back)) return false;
    p->first = change == LOCAL_FIRST;
    memcpy(p->old, was, (size_t)v->size);
    memcpy(p->now, v->held, (size_t)v->size);
    p->pc = p->its_pc;
    return true;
}

int watched_end(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    char value[PAST_TEXT] = "";
    struct text t = text_in(buf, size);
    if (p->place.followed->seen == LOCAL_SEEN)
        past_number(ctl->eval, &p->place, p->now, PAST_HERE, value, sizeof value);
    text_add(&t, "%s has no place from here on", p->what);
    if (*value) text_add(&t, "; its last value was %s", value);
    text_add(&t, "; the watchpoint is deleted");
    return text_length(&t);
}

/* "x: 27 -> 82, wave 0, lane 11, now in v5" */
static void followed_text(const struct stop_point *p, const char *was, const char *is, char *buf, size_t size)
{
    const struct local_watch *v = p->place.followed;
    struct text t = text_in(buf, size);
    if (p->first)
        text_add(&t, "%s: %s, its first value", p->what, is);
    else
        text_add(&t, "%s: %s -> %s", p->what, was, is);
    text_add(&t, ", wave %" PRIu32 ", lane %d, in %s", v->wave, v->lane, v->where);
    if (strcmp(v->was, v->where) != 0) text_add(&t, " (before in %s)", v->was);
}

/* ---- What it saw, as a record ---- */

/* "c[17]: 0 -> -3.75, wave 4, lane 1 (and 63 more elements)" */
static void stored_text(const struct control *ctl, const struct stop_point *p, const char *name, const char *was,
    const char *is, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (p->writes && (!p->reads || strcmp(was, is) != 0))
        text_add(&t, "%s: %s -> %s", name, was, is);
    else
        text_add(&t, "%s: %s", name, is);
    text_add(&t, ", wave %" PRIu32, ctl->eval->running->last.wave);
    if (p->stored.lane >= 0) text_add(&t, ", lane %d", p->stored.lane);
    past_stored_more(&p->stored, &t);
}

/* What a watchpoint saw, before and after. */
void watched_record(struct control *ctl, struct gpudbg_out *out, const struct stop_point *p)
{
    char was[PAST_TEXT], is[PAST_TEXT], old[PAST_TEXT], now[PAST_TEXT], name[540] = "", sentence[1200];
    const bool parts = p->place.shape && !p->place.type.bits; /* all of it is shown, before and after */
    const bool stored = !p->place.is_register && p->stored.known && !parts, laned = watched_lane_bytes(p);
    const bool followed = p->place.followed, said = followed || laned || stored;
    const bool typed = !stored || past_stored_typed(ctl->eval, &p->place, &p->stored);
    const size_t n = watched_shown(p);
    past_text(ctl->eval, &p->place, p->old, p->pc, old, sizeof old);
    past_text(ctl->eval, &p->place, p->now, PAST_HERE, now, sizeof now);
    past_number(ctl->eval, &p->place, p->old, p->pc, was, sizeof was);
    past_number(ctl->eval, &p->place, p->now, PAST_HERE, is, sizeof is);
    if (stored) {
        past_stored_name(ctl->eval, &p->place, &p->stored, p->what, name, sizeof name);
        past_stored_value(ctl->eval, &p->place, &p->stored, p->stored.old, was, sizeof was);
        past_stored_value(ctl->eval, &p->place, &p->stored, p->stored.now, is, sizeof is);
        stored_text(ctl, p, name, was, is, sentence, sizeof sentence);
    }
    if (laned) lanes_text(ctl, p, name, sizeof name, was, is, sizeof was, sentence, sizeof sentence);
    if (followed) text_put(name, sizeof name, "%s", p->what);
    if (followed) followed_text(p, was, is, sentence, sizeof sentence);
    SAY(out, "[  {sentence}\n][  old {before}\n  new {after}\n]", BYTES("old", p->old, n), BYTES("new", p->now, n),
        STRING("old_value", typed && *was && !(followed && p->first) ? was : NULL),
        STRING("new_value", typed && *is ? is : NULL), STRING("element", said ? name : NULL),
        IF(stored || laned,
            NUMBER("elements", stored ? p->stored.elements : (uint64_t)__builtin_popcountll(watched_lanes_changed(p)))),
        TEXT("sentence", said ? sentence : NULL), TEXT("before", said ? NULL : old), TEXT("after", said ? NULL : now));
}
