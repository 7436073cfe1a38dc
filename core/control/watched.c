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

int watched_value(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    unsigned char bytes[PAST_BYTES] = {0};
    if (size) buf[0] = 0;
    if (p->kind != STOP_WATCH || !ctl->eval->running->machine || !past_read(ctl->eval, &p->place, bytes, sizeof bytes))
        return 0;
    if (watched_lane_bytes(p))
        lanes_now(ctl, p, bytes, buf, size);
    else if (p->place.is_register || p->place.type.bits || p->place.shape)
        past_text(ctl->eval, &p->place, bytes, PAST_HERE, buf, size);
    else
        elements_now(ctl, p, bytes, buf, size);
    if (p->place.type.bits) buf[past_short(buf)] = 0;
    return (int)strlen(buf);
}

size_t watched_shown(const struct stop_point *p)
{
    return p->place.size < sizeof p->now ? (size_t)p->place.size : sizeof p->now;
}

/* ---- What a store did to watched memory ---- */

static unsigned element_size(const struct past_place *p)
{
    if (p->type.bits && p->size == p->type.bits / 8u) return p->type.bits / 8u;
    return p->element.bits ? p->element.bits / 8u : p->size < 4 ? (unsigned)p->size : 4;
}

/* Where in the value an address is; false: beside it. */
static bool offset_of(const struct past_place *p, uint64_t addr, uint64_t *offset)
{
    *offset = 0;
    for (size_t i = 0; i < p->npieces; *offset += p->piece[i++].size)
        if (addr >= p->piece[i].addr && addr - p->piece[i].addr < p->piece[i].size) {
            *offset += addr - p->piece[i].addr;
            return true;
        }
    return false;
}

static bool address_of(const struct past_place *p, uint64_t offset, uint64_t *addr)
{
    for (size_t i = 0; i < p->npieces; offset -= p->piece[i++].size)
        if (offset < p->piece[i].size) {
            *addr = p->piece[i].addr + offset;
            return true;
        }
    return false;
}

static int by_index(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The element's bytes now, and before all accesses of the instruction. */
static void element_bytes(struct control *ctl, struct stop_point *p, uint32_t wave)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    struct stop_stored *s = &p->stored;
    struct gpudbg_error err = {0};
    struct machine_access a;
    for (unsigned k = 0; k < s->size; k++) {
        uint64_t addr = 0;
        if (!address_of(&p->place, s->index * s->size + k, &addr)) continue;
        machine_peek(ctl->eval->running->machine, wave, p->place.space, addr, &s->now[k], 1, NULL, &err);
        s->old[k] = s->now[k];
        bool met = false;
        for (size_t i = 0; p->writes && !met && machine_watch_access(m, p->number, i, &a); i++) {
            met = addr >= a.addr && addr - a.addr < a.size;
            if (met) s->old[k] = a.old[addr - a.addr];
        }
    }
}

/* Whether byte `at` of what the i-th access stored to is another than before the instruction; `now` is what all of it
 * holds.  Of two accesses to one byte the first one knows what was there; where any lane may have done it, it alone is
 * asked. */
static bool byte_changed(const struct control *ctl, const struct stop_point *p, size_t i,
    const struct machine_access *a, const unsigned char *now, size_t at)
{
    struct machine_access other;
    if (p->lane < 0 && a->old[at] == now[at]) return false;
    for (size_t k = 0; k < i && machine_watch_access(ctl->eval->running->machine, p->number, k, &other); k++)
        if (a->addr + at - other.addr < other.size)
            return p->lane >= 0 && other.old[a->addr + at - other.addr] != now[at];
    return a->old[at] != now[at];
}

/* What the access's bytes hold now; long accesses come in parts. */
#define ACCESS_MOST 64
static bool access_now(struct control *ctl, const struct stop_point *p, uint32_t wave, const struct machine_access *a,
    unsigned char now[ACCESS_MOST])
{
    struct gpudbg_error err = {0};
    return a->size <= ACCESS_MOST &&
           machine_peek(ctl->eval->running->machine, wave, p->place.space, a->addr, now, a->size, NULL, &err);
}

static bool memory_changed(struct control *ctl, const struct stop_point *p, uint32_t wave)
{
    struct machine_access a;
    unsigned char now[ACCESS_MOST];
    uint64_t offset;
    for (size_t i = 0; machine_watch_access(ctl->eval->running->machine, p->number, i, &a); i++) {
        if (p->lane >= 0 && a.lane >= 0 && a.lane != p->lane) continue;
        if (!access_now(ctl, p, wave, &a, now)) return true;
        for (size_t at = 0; at < a.size; at++)
            if (offset_of(&p->place, a.addr + at, &offset) && byte_changed(ctl, p, i, &a, now, at)) return true;
    }
    return false;
}

void watched_before(struct control *ctl, struct stop_point *p)
{
    past_read(ctl->eval, &p->place, p->before, sizeof p->before);
    p->before_sum = p->place.size > sizeof p->before ? past_sum(ctl->eval, &p->place) : 0;
}

bool watched_changed(struct control *ctl, const struct stop_point *p, uint32_t wave)
{
    unsigned char now[PAST_BYTES];
    if (!p->place.is_register) return memory_changed(ctl, p, wave);
    if (!past_read(ctl->eval, &p->place, now, sizeof now)) return true;
    return memcmp(now, p->before, watched_shown(p)) != 0 ||
           (p->place.size > sizeof now && past_sum(ctl->eval, &p->place) != p->before_sum);
}

/* Finds the element that the hit is about: the first that was stored by the lane (-1: by any). */
void watched_take(struct control *ctl, struct stop_point *p, uint32_t wave, int lane)
{
    struct stop_stored *s = &p->stored;
    struct machine_access a;
    unsigned char now[ACCESS_MOST];
    uint64_t offset, *index = NULL;
    size_t n = 0, room = 0;
    *s = (struct stop_stored){.size = element_size(&p->place), .lane = -1};
    for (size_t i = 0; machine_watch_access(ctl->eval->running->machine, p->number, i, &a); i++) {
        const bool knows = !p->reads && access_now(ctl, p, wave, &a, now);
        for (uint64_t at = 0; at < a.size; at++) {
            if (!offset_of(&p->place, a.addr + at, &offset)) continue;
            if (knows && !byte_changed(ctl, p, i, &a, now, at)) continue;
            const uint64_t element = offset / s->size;
            if (!s->known && (lane < 0 || a.lane == lane)) {
                s->known = true;
                s->index = element;
                s->lane = a.lane;
            }
            if (n && index[n - 1] == element) continue;
            if (n == room) index = xrealloc(index, room = room ? 2 * room : 64, sizeof *index);
            index[n++] = element;
        }
    }
    if (n) qsort(index, n, sizeof *index, by_index);
    for (size_t i = 0; i < n; i++) s->elements += !i || index[i] != index[i - 1];
    free(index);
    if (s->known) element_bytes(ctl, p, wave);
}

/* The element of a buffer that the hit is about, where it is as large as what is watched of it. */
static bool buffer_element(const struct control *ctl, const struct stop_point *p, struct buffer_place *place)
{
    uint64_t addr;
    return address_of(&p->place, p->stored.index * p->stored.size, &addr) &&
           buffer_place(ctl->eval, p->place.space, addr, place) && place->element.bits == 8u * p->stored.size;
}

/* "c[17]", "a+0x40", or what the user named. */
static void element_name(const struct control *ctl, const struct stop_point *p, char *buf, size_t size)
{
    const int n = (int)strcspn(p->what, ",");
    struct buffer_place place;
    if (!p->place.type.bits && buffer_element(ctl, p, &place))
        text_put(buf, size, "%s", place.name);
    else if (p->place.size <= p->stored.size)
        text_put(buf, size, "%s", p->what);
    else if (p->place.element.bits)
        text_put(buf, size, "%.*s[%" PRIu64 "]", n, p->what, p->stored.index);
    else
        text_put(buf, size, "%.*s+0x%" PRIx64, n, p->what, p->stored.index * p->stored.size);
}

/* In the element's type; hex where its type is not known. */
static void element_text(
    const struct control *ctl, const struct stop_point *p, const unsigned char *bytes, char *buf, size_t size)
{
    struct value_type type = p->place.size <= p->stored.size ? p->place.type : p->place.element;
    struct buffer_place place;
    if (!type.bits && buffer_element(ctl, p, &place)) type = place.element;
    struct value v = {.type = type};
    uint64_t bits = 0;
    for (unsigned i = p->stored.size; i-- > 0;) bits = bits << 8 | bytes[i];
    if (!type.bits) {
        snprintf(buf, size, "0x%0*" PRIx64, (int)p->stored.size * 2, bits);
        return;
    }
    value_set_bits(&v, bits);
    value_text(ctl->eval, &v, 0, buf, size);
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
    gpudbg_register_name(f, v->reg, reg, sizeof reg);
    if (v->count > 1) snprintf(reg, sizeof reg, "%s[%u:%u]", f->name, v->reg, v->reg + v->count - 1u);
    text_put(name, name_size, "$%s[%d]", reg, lane);
    watched_lane_text(ctl, p, lane, p->old, p->pc, was, value_size);
    watched_lane_text(ctl, p, lane, p->now, PAST_HERE, is, value_size);
    struct text t = text_in(buf, size);
    text_add(&t, "%s: %s", name, was);
    if (p->writes) text_add(&t, changed ? " -> %s" : ", and the same in all lanes", is);
    if (n > 1) text_add(&t, ", and %d more lane%s", n - 1, n > 2 ? "s" : "");
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
    if (p->stored.elements > 1)
        text_add(&t, " (and %" PRIu64 " more element%s)", p->stored.elements - 1, p->stored.elements > 2 ? "s" : "");
}

/* What a watchpoint saw, before and after. */
void watched_record(struct control *ctl, struct gpudbg_out *out, const struct stop_point *p)
{
    char was[PAST_TEXT], is[PAST_TEXT], old[PAST_TEXT], now[PAST_TEXT], name[540] = "", sentence[1200];
    const bool parts = p->place.shape && !p->place.type.bits; /* all of it is shown, before and after */
    const bool stored = !p->place.is_register && p->stored.known && !parts, laned = watched_lane_bytes(p);
    struct buffer_place place;
    const bool typed = !stored || p->place.element.bits || p->place.size <= p->stored.size ||
                       buffer_element(ctl, p, &place);
    const size_t n = watched_shown(p);
    past_text(ctl->eval, &p->place, p->old, p->pc, old, sizeof old);
    past_text(ctl->eval, &p->place, p->now, PAST_HERE, now, sizeof now);
    past_number(ctl->eval, &p->place, p->old, p->pc, was, sizeof was);
    past_number(ctl->eval, &p->place, p->now, PAST_HERE, is, sizeof is);
    if (stored) {
        element_name(ctl, p, name, sizeof name);
        element_text(ctl, p, p->stored.old, was, sizeof was);
        element_text(ctl, p, p->stored.now, is, sizeof is);
        stored_text(ctl, p, name, was, is, sentence, sizeof sentence);
    }
    if (laned) lanes_text(ctl, p, name, sizeof name, was, is, sizeof was, sentence, sizeof sentence);
    SAY(out, "[  {sentence}\n][  old {before}\n  new {after}\n]", BYTES("old", p->old, n), BYTES("new", p->now, n),
        STRING("old_value", typed && *was ? was : NULL), STRING("new_value", typed && *is ? is : NULL),
        STRING("element", stored || laned ? name : NULL),
        IF(stored || laned,
            NUMBER("elements", stored ? p->stored.elements : (uint64_t)__builtin_popcountll(watched_lanes_changed(p)))),
        TEXT("sentence", stored || laned ? sentence : NULL), TEXT("before", stored || laned ? NULL : old),
        TEXT("after", stored || laned ? NULL : now));
}
