/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "past/stored.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/value.h"
#include "machine/machine.h"

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
static void element_bytes(const struct past_met *met, uint32_t wave, struct past_stored *s)
{
    struct gpudbg_machine *m = met->eval->running->machine;
    struct gpudbg_error err = {0};
    struct machine_access a;
    for (unsigned k = 0; k < s->size; k++) {
        uint64_t addr = 0;
        if (!address_of(met->place, s->index * s->size + k, &addr)) continue;
        machine_peek(m, wave, met->place->space, addr, &s->now[k], 1, NULL, &err);
        s->old[k] = s->now[k];
        bool known = false;
        for (size_t i = 0; met->writes && !known && machine_watch_access(m, met->number, i, &a); i++) {
            known = addr >= a.addr && addr - a.addr < a.size;
            if (known) s->old[k] = a.old[addr - a.addr];
        }
    }
}

/* Whether byte `at` of what the i-th access stored to is another than before the instruction; `now` is what all of it
 * holds.  Of two accesses to one byte the first one knows what was there; where any lane may have done it, it alone is
 * asked. */
static bool byte_changed(
    const struct past_met *met, size_t i, const struct machine_access *a, const unsigned char *now, size_t at)
{
    struct machine_access other;
    if (met->lane < 0 && a->old[at] == now[at]) return false;
    for (size_t k = 0; k < i && machine_watch_access(met->eval->running->machine, met->number, k, &other); k++)
        if (a->addr + at - other.addr < other.size)
            return met->lane >= 0 && other.old[a->addr + at - other.addr] != now[at];
    return a->old[at] != now[at];
}

/* What the access's bytes hold now; long accesses come in parts. */
#define ACCESS_MOST 64
static bool access_now(
    const struct past_met *met, uint32_t wave, const struct machine_access *a, unsigned char now[ACCESS_MOST])
{
    struct gpudbg_error err = {0};
    return a->size <= ACCESS_MOST &&
           machine_peek(met->eval->running->machine, wave, met->place->space, a->addr, now, a->size, NULL, &err);
}

bool past_met_changed(const struct past_met *met, uint32_t wave)
{
    struct machine_access a;
    unsigned char now[ACCESS_MOST];
    uint64_t offset;
    for (size_t i = 0; machine_watch_access(met->eval->running->machine, met->number, i, &a); i++) {
        if (met->lane >= 0 && a.lane >= 0 && a.lane != met->lane) continue;
        if (!access_now(met, wave, &a, now)) return true;
        for (size_t at = 0; at < a.size; at++)
            if (offset_of(met->place, a.addr + at, &offset) && byte_changed(met, i, &a, now, at)) return true;
    }
    return false;
}

void past_met_stored(const struct past_met *met, uint32_t wave, int lane, struct past_stored *s)
{
    struct machine_access a;
    unsigned char now[ACCESS_MOST];
    uint64_t offset, *index = NULL;
    size_t n = 0, room = 0;
    *s = (struct past_stored){.size = element_size(met->place), .lane = -1};
    for (size_t i = 0; machine_watch_access(met->eval->running->machine, met->number, i, &a); i++) {
        const bool knows = !met->reads && access_now(met, wave, &a, now);
        for (uint64_t at = 0; at < a.size; at++) {
            if (!offset_of(met->place, a.addr + at, &offset)) continue;
            if (knows && !byte_changed(met, i, &a, now, at)) continue;
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
    if (s->known) element_bytes(met, wave, s);
}

/* The element of a buffer that the hit is about, where it is as large as what is watched of it. */
static bool buffer_element(
    struct eval *eval, const struct past_place *p, const struct past_stored *s, struct buffer_place *place)
{
    uint64_t addr;
    return address_of(p, s->index * s->size, &addr) && buffer_place(eval, p->space, addr, place) &&
           place->element.bits == 8u * s->size;
}

void past_stored_name(struct eval *eval, const struct past_place *p, const struct past_stored *s, const char *typed,
    char *buf, size_t size)
{
    const int n = (int)strcspn(typed, ",");
    struct buffer_place place;
    if (!p->type.bits && buffer_element(eval, p, s, &place))
        text_put(buf, size, "%s", place.name);
    else if (p->size <= s->size)
        text_put(buf, size, "%s", typed);
    else if (p->element.bits)
        text_put(buf, size, "%.*s[%" PRIu64 "]", n, typed, s->index);
    else
        text_put(buf, size, "%.*s+0x%" PRIx64, n, typed, s->index * s->size);
}

void past_stored_value(struct eval *eval, const struct past_place *p, const struct past_stored *s,
    const unsigned char *bytes, char *buf, size_t size)
{
    struct value_type type = p->size <= s->size ? p->type : p->element;
    struct buffer_place place;
    if (!type.bits && buffer_element(eval, p, s, &place)) type = place.element;
    struct value v = {.type = type};
    uint64_t bits = 0;
    for (unsigned i = s->size; i-- > 0;) bits = bits << 8 | bytes[i];
    if (!type.bits) {
        snprintf(buf, size, "0x%0*" PRIx64, (int)s->size * 2, bits);
        return;
    }
    value_set_bits(&v, bits);
    value_text(eval, &v, 0, buf, size);
}

void past_stored_more(const struct past_stored *s, struct text *t)
{
    if (s->elements > 1) text_add(t, " (and %" PRIu64 " more element%s)", s->elements - 1, s->elements > 2 ? "s" : "");
}

bool past_stored_typed(struct eval *eval, const struct past_place *p, const struct past_stored *s)
{
    struct buffer_place place;
    return p->element.bits || p->size <= s->size || buffer_element(eval, p, s, &place);
}
