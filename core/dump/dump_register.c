/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_register.c: values of registers, and finding the latest. */
#include "dump/dump_own.h"

static uint64_t place_key(const struct record_place *p)
{
    uint64_t hash = dump_mix(dump_mix(dump_mix(1, (uintptr_t)p->name), (uintptr_t)p->unit), p->addr);
    return dump_mix(dump_mix(dump_mix(hash, p->mask), (uintptr_t)p->reg), (uint64_t)p->bits << 8 | p->flags);
}
static uint64_t place_hash(const struct gpudbg_dump *d, uint32_t i) { return place_key(dump_chunk_at(&d->places, i)); }
static bool place_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    const struct record_place *a = dump_chunk_at(&d->places, i), *b = key;
    return a->name == b->name && a->unit == b->unit && a->reg == b->reg && a->addr == b->addr && a->mask == b->mask &&
           a->bits == b->bits && a->flags == b->flags;
}

static uint64_t seen_key(const struct record_seen *s)
{
    return dump_mix(dump_mix(2, (uintptr_t)s->name), (uintptr_t)s->unit);
}
static uint64_t seen_hash(const struct gpudbg_dump *d, uint32_t i) { return seen_key(dump_chunk_at(&d->seen, i)); }
static bool seen_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    const struct record_seen *a = dump_chunk_at(&d->seen, i), *b = key;
    return a->name == b->name && a->unit == b->unit;
}

static struct record_seen *seen(struct gpudbg_dump *d, const char *name, const char *unit, bool make)
{
    struct record_seen key = {name, unit, UINT32_MAX};
    dump_table_room(d, &d->seen_at, seen_hash);
    uint32_t *at = dump_slot(d, &d->seen_at, seen_key(&key), seen_same, &key);
    if (!*at) {
        if (!make) return NULL;
        *(struct record_seen *)dump_chunk_add(&d->seen, sizeof key) = key;
        *at = (uint32_t)d->seen.count;
        d->seen_at.count++;
    }
    return dump_chunk_at(&d->seen, *at - 1);
}

bool gpudbg_dump_has(struct gpudbg_dump *d, const char *name, const char *unit)
{
    if (!d->ncaptures) return false;
    struct record_seen *s = seen(d, dump_string(d, name), dump_string(d, unit), false);
    return s && s->capture == gpudbg_dump_current(d, 0);
}

bool gpudbg_dump_register(struct gpudbg_dump *d, const struct gpudbg_record *r)
{
    uint32_t capture = gpudbg_dump_current(d, r->line);
    uint8_t bits = r->bits ? r->bits : 32;
    uint64_t all = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (d->full) return false;
    struct record_place key = {dump_string(d, r->name), dump_string(d, r->unit), dump_string(d, r->reg), r->addr,
        r->mask ? r->mask & all : all, bits, r->flags, 0};
    dump_table_room(d, &d->place_at, place_hash);
    uint32_t *at = dump_slot(d, &d->place_at, place_key(&key), place_same, &key);
    if (!*at) {
        if (!dump_spend(d, sizeof key + sizeof(struct record_seen) + 16, r->line)) return false;
        *(struct record_place *)dump_chunk_add(&d->places, sizeof key) = key;
        *at = (uint32_t)d->places.count;
        d->place_at.count++;
    }
    struct record_place *place = dump_chunk_at(&d->places, *at - 1);
    if (place->values++ >= DUMP_VALUES_MOST) {
        if (!d->values_line) d->values_line = r->line;
        return true; /* others may have room */
    }
    if (!dump_spend(d, sizeof(struct record_value), r->line)) return false;
    struct record_value *v = dump_chunk_add(&d->values, sizeof *v);
    *v = (struct record_value){.place = *at - 1, .line = r->line, .value = r->value & all, .capture = capture};
    if (key.name) seen(d, key.name, key.unit, true)->capture = capture;
    struct gpudbg_capture *c = &d->captures[capture];
    c->records++;
    c->ones += v->value == all && key.mask == all;
    if (d->nwaves && d->waves[d->nwaves - 1].unit == key.unit && d->waves[d->nwaves - 1].capture == capture)
        d->waves[d->nwaves - 1].nrecords = d->values.count - d->waves[d->nwaves - 1].first;
    return true;
}

size_t gpudbg_dump_records(const struct gpudbg_dump *d) { return d->values.count; }

bool gpudbg_dump_record(const struct gpudbg_dump *d, size_t i, struct gpudbg_record *out)
{
    if (i >= d->values.count) return false;
    const struct record_value *v = dump_chunk_at(&d->values, i);
    const struct record_place *p = dump_chunk_at(&d->places, v->place);
    *out = (struct gpudbg_record){.name = p->name,
        .unit = p->unit,
        .reg = p->reg,
        .addr = p->addr,
        .value = v->value,
        .mask = p->mask,
        .capture = v->capture,
        .line = v->line,
        .bits = p->bits,
        .flags = p->flags};
    return true;
}

/* What a record is looked for by. */
struct sought {
    const char *name, *unit; /* as kept */
    uint32_t capture;
};

static struct sought sought_of(const struct gpudbg_dump *d, uint32_t i)
{
    const struct record_value *v = dump_chunk_at(&d->values, i);
    const struct record_place *p = dump_chunk_at(&d->places, v->place);
    return (struct sought){p->name, p->unit, v->capture};
}

static uint64_t any_key(const struct sought *s) { return dump_mix(dump_mix(4, (uintptr_t)s->name), s->capture); }
static uint64_t latest_key(const struct sought *s) { return dump_mix(any_key(s), (uintptr_t)s->unit); }
static uint64_t any_hash(const struct gpudbg_dump *d, uint32_t i)
{
    return any_key(&(struct sought[]){sought_of(d, i)}[0]);
}
static uint64_t latest_hash(const struct gpudbg_dump *d, uint32_t i)
{
    return latest_key(&(struct sought[]){sought_of(d, i)}[0]);
}
static bool any_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    const struct sought a = sought_of(d, i), *b = key;
    return a.name == b->name && a.capture == b->capture;
}
static bool latest_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    return any_same(d, i, key) && sought_of(d, i).unit == ((const struct sought *)key)->unit;
}

static void note_latest(struct gpudbg_dump *d, uint32_t number)
{
    const struct sought s = sought_of(d, number);
    dump_table_room(d, &d->latest_at, latest_hash);
    dump_table_room(d, &d->latest_any, any_hash);
    uint32_t *at = dump_slot(d, &d->latest_at, latest_key(&s), latest_same, &s),
             *any = dump_slot(d, &d->latest_any, any_key(&s), any_same, &s);
    d->latest_at.count += !*at;
    d->latest_any.count += !*any;
    *at = *any = number + 1;
}

bool gpudbg_dump_find(
    const struct gpudbg_dump *dump, uint32_t capture, const char *unit, const char *name, struct gpudbg_record *out)
{
    struct gpudbg_dump *d = (struct gpudbg_dump *)(uintptr_t)dump; /* only the tables grow */
    const struct sought s = {dump_string_kept(d, name), unit ? dump_string_kept(d, unit) : NULL, capture};
    if (!s.name || (unit && !s.unit)) return false;
    for (; d->nlatest < d->values.count; d->nlatest++) note_latest(d, (uint32_t)d->nlatest);
    if (!d->nlatest) return false;
    const uint32_t *at = unit ? dump_slot(d, &d->latest_at, latest_key(&s), latest_same, &s)
                              : dump_slot(d, &d->latest_any, any_key(&s), any_same, &s);
    return *at && gpudbg_dump_record(d, *at - 1, out);
}
