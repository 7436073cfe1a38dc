/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump.c: what readers found.  Logs are long and say the same again and again, so a register's value is 24 bytes: its name,
 * unit, address and mask are a *place*, shared by all values of it.  Lists grow by chunks, so nothing is copied as they grow.
 */
#include "dump/dump.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "session/session.h"
#include "base/spans.h"

#define CHUNK 4096

struct chunks {
    size_t item, count;
    char **chunk;
    size_t nchunks;
};

struct place {
    const char *name, *unit, *reg;
    uint64_t addr, mask;
    uint8_t bits, flags;
};

struct value {
    uint32_t place, line;
    uint64_t value;
    uint32_t capture;
};

struct seen { /* a register's name and unit, and the capture that had it last */
    const char *name, *unit;
    uint32_t capture;
};

struct stretch { /* lines of a stream: from offset on, each line holds `step` bytes */
    size_t offset;
    uint32_t line, step;
};

struct lines {
    struct stretch *span;
    size_t count, room, bytes; /* bytes: allocated for the stream itself */
};

struct table { /* open addressing; slot: index + 1 */
    uint32_t *slot;
    size_t room, count;
};

struct current { /* the latest capture of a device, and the family that the first of its captures says */
    const char *device, *family;
    uint32_t capture;
};

struct gpudbg_dump {
    struct gpudbg *session;
    char *path;
    const char *format, *why;
    uint64_t base;
    struct dump_text text;
    size_t used;
    bool full;
    struct chunks strings, places, values, seen, incidents;
    struct table string_at, place_at, seen_at, device_at;
    struct table latest_at, latest_any; /* of records: the latest of a name and unit in a capture, of a name; made when asked for */
    size_t nlatest;
    struct gpudbg_capture *captures;
    size_t ncaptures;
    struct gpudbg_stream *streams;
    struct lines *lines;
    size_t nstreams;
    struct gpudbg_dump_wave *waves;
    size_t nwaves;
    struct gpudbg_dump_note *notes;
    size_t nnotes;
    struct gpudbg_dump_fact *facts;
    size_t nfacts;
    struct current *devices;
    size_t ndevices;
    const char *device;
    struct spans held; /* of streams: the first that holds an address; made when first asked for */
};

/* ---- Memory: chunks, strings, tables ---- */

/* Notes once that the budget is spent. */
static bool spend(struct gpudbg_dump *d, size_t bytes, uint32_t line)
{
    if (d->used + bytes <= DUMP_BUDGET) {
        d->used += bytes;
        return true;
    }
    if (!d->full) {
        d->full = true;
        gpudbg_dump_note(d, line, "limit", "more than %zu MB to keep: what follows is dropped", DUMP_BUDGET >> 20);
    }
    return false;
}

static void *chunk_at(const struct chunks *c, size_t i)
{
    return c->chunk[i / CHUNK] + i % CHUNK * c->item;
}

static void *chunk_add(struct chunks *c, size_t item)
{
    c->item = item;
    if (c->count == c->nchunks * CHUNK) {
        c->chunk = realloc(c->chunk, (c->nchunks + 1) * sizeof *c->chunk);
        if (!c->chunk || !(c->chunk[c->nchunks++] = malloc(CHUNK * item)))
            abort();
    }
    return memset(chunk_at(c, c->count++), 0, item);
}

static void chunks_free(struct chunks *c)
{
    for (size_t i = 0; i < c->nchunks; i++)
        free(c->chunk[i]);
    free(c->chunk);
}

/* An array with room for one more, doubled at powers of two. */
static void *grow(void *array, size_t count, size_t item)
{
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * count : 1) * item);
    if (!array)
        abort();
    return array;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

typedef bool same_fn(const struct gpudbg_dump *, uint32_t index, const void *key);

/* The slot that holds the key, or the empty one where it belongs. */
static uint32_t *slot(struct gpudbg_dump *d, struct table *t, uint64_t hash, same_fn *same, const void *key)
{
    size_t at = hash & (t->room - 1);
    while (t->slot[at] && !same(d, t->slot[at] - 1, key))
        at = (at + 1) & (t->room - 1);
    return &t->slot[at];
}

typedef uint64_t hash_fn(const struct gpudbg_dump *, uint32_t index);

static void table_room(struct gpudbg_dump *d, struct table *t, hash_fn *hash)
{
    if (2 * t->count < t->room)
        return;
    struct table old = *t;
    t->room = old.room ? 2 * old.room : 256;
    t->slot = calloc(t->room, sizeof *t->slot);
    if (!t->slot)
        abort();
    for (size_t i = 0; i < old.room; i++) {
        if (!old.slot[i])
            continue;
        size_t at = hash(d, old.slot[i] - 1) & (t->room - 1);
        while (t->slot[at])
            at = (at + 1) & (t->room - 1);
        t->slot[at] = old.slot[i];
    }
    free(old.slot);
}

static uint64_t text_hash(const char *text)
{
    uint64_t hash = 1;
    for (; *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}
static uint64_t string_hash(const struct gpudbg_dump *d, uint32_t i) { return text_hash(*(char **)chunk_at(&d->strings, i)); }
static bool string_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    return strcmp(*(char **)chunk_at(&d->strings, i), key) == 0;
}

static const char *string(struct gpudbg_dump *d, const char *text)
{
    if (!text)
        return NULL;
    table_room(d, &d->string_at, string_hash);
    uint32_t *at = slot(d, &d->string_at, text_hash(text), string_same, text);
    if (!*at) {
        d->used += strlen(text) + 32;
        if (d->used > DUMP_BUDGET + ((size_t)4 << 20)) /* a little more, so that the note of the limit is kept */
            return "(dropped)";
        char *copy = strdup(text);
        if (!copy)
            abort();
        *(char **)chunk_add(&d->strings, sizeof copy) = copy;
        *at = (uint32_t)d->strings.count;
        d->string_at.count++;
    }
    return *(char **)chunk_at(&d->strings, *at - 1);
}

/* ---- Captures ---- */

static uint64_t device_key(const char *device) { return mix(3, (uintptr_t)device); }
static uint64_t device_hash(const struct gpudbg_dump *d, uint32_t i) { return device_key(d->devices[i].device); }
static bool device_same(const struct gpudbg_dump *d, uint32_t i, const void *key) { return d->devices[i].device == key; }

/* What is known of a device, by its kept name (NULL is one, too); NULL: not met yet. */
static struct current *device_of(struct gpudbg_dump *d, const char *device)
{
    const uint32_t *at = d->ndevices ? slot(d, &d->device_at, device_key(device), device_same, device) : NULL;
    return at && *at ? &d->devices[*at - 1] : NULL;
}

static struct current *add_device(struct gpudbg_dump *d, const char *device)
{
    table_room(d, &d->device_at, device_hash);
    d->devices = grow(d->devices, d->ndevices, sizeof *d->devices);
    d->devices[d->ndevices++] = (struct current){.device = device};
    *slot(d, &d->device_at, device_key(device), device_same, device) = (uint32_t)d->ndevices;
    d->device_at.count++;
    return &d->devices[d->ndevices - 1];
}

/* The first family that is said of a device counts where its other captures say none. */
static void say_family(struct gpudbg_dump *d, struct gpudbg_capture *c, const char *family)
{
    struct current *device = c->device ? device_of(d, c->device) : NULL;
    c->family = family;
    if (device && !device->family)
        device->family = family;
}

const char *dump_device_family(const struct gpudbg_dump *d, const char *device)
{
    const struct current *known = device ? device_of((struct gpudbg_dump *)(uintptr_t)d, device) : NULL;
    return known ? known->family : NULL;
}

static uint32_t current(struct gpudbg_dump *d, uint32_t line)
{
    const struct current *known = d->device ? device_of(d, d->device) : d->ndevices ? &d->devices[d->ndevices - 1] : NULL;
    if (known)
        return known->capture;
    /* A capture that began before any line named its device gets it. */
    if (d->ncaptures && !d->captures[d->ncaptures - 1].device) {
        d->captures[d->ncaptures - 1].device = d->device;
        struct current *added = add_device(d, d->device);
        added->family = d->captures[d->ncaptures - 1].family;
        return added->capture = (uint32_t)d->ncaptures - 1;
    }
    return gpudbg_dump_capture(d, line, NULL);
}

uint32_t gpudbg_dump_capture(struct gpudbg_dump *d, uint32_t line, const char *title)
{
    struct current *device = device_of(d, d->device);
    const struct gpudbg_capture *before = device ? &d->captures[device->capture] : NULL;
    struct gpudbg_capture next = {.title = string(d, title), .line = line, .device = d->device};
    if (before) /* a device keeps its nature */
        next.family = before->family, next.chip = before->chip;
    if (d->ncaptures && !spend(d, sizeof next, line))
        return (uint32_t)d->ncaptures - 1;
    d->captures = grow(d->captures, d->ncaptures, sizeof *d->captures);
    d->captures[d->ncaptures] = next;
    if (!device)
        device = add_device(d, d->device);
    device->capture = (uint32_t)d->ncaptures;
    return (uint32_t)d->ncaptures++;
}

void gpudbg_dump_select(struct gpudbg_dump *d, uint32_t capture)
{
    struct current *device = capture < d->ncaptures ? device_of(d, d->captures[capture].device) : NULL;
    if (device)
        device->capture = capture;
}

void dump_set_device(struct gpudbg_dump *d, const char *device)
{
    if (device)
        d->device = string(d, device);
}

void gpudbg_dump_family(struct gpudbg_dump *d, uint32_t line, const char *family, const char *chip)
{
    const uint32_t capture = current(d, line);
    struct gpudbg_capture *c = &d->captures[capture];
    if (c->family && family && strcmp(c->family, family) != 0) {
        gpudbg_dump_note(d, line, "mixed", "this line is of %s, the capture before it of %s", family, c->family);
        return;
    }
    if (family)
        say_family(d, c, string(d, family));
    if (chip && !c->chip)
        c->chip = string(d, chip);
}

const struct gpudbg_capture *gpudbg_dump_captures(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->ncaptures;
    return d->captures;
}

/* ---- Registers ---- */

static uint64_t place_key(const struct place *p)
{
    uint64_t hash = mix(mix(mix(1, (uintptr_t)p->name), (uintptr_t)p->unit), p->addr);
    return mix(mix(mix(hash, p->mask), (uintptr_t)p->reg), (uint64_t)p->bits << 8 | p->flags);
}
static uint64_t place_hash(const struct gpudbg_dump *d, uint32_t i) { return place_key(chunk_at(&d->places, i)); }
static bool place_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    const struct place *a = chunk_at(&d->places, i), *b = key;
    return a->name == b->name && a->unit == b->unit && a->reg == b->reg && a->addr == b->addr && a->mask == b->mask &&
           a->bits == b->bits && a->flags == b->flags;
}

static uint64_t seen_key(const struct seen *s) { return mix(mix(2, (uintptr_t)s->name), (uintptr_t)s->unit); }
static uint64_t seen_hash(const struct gpudbg_dump *d, uint32_t i) { return seen_key(chunk_at(&d->seen, i)); }
static bool seen_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    const struct seen *a = chunk_at(&d->seen, i), *b = key;
    return a->name == b->name && a->unit == b->unit;
}

static struct seen *seen(struct gpudbg_dump *d, const char *name, const char *unit, bool make)
{
    struct seen key = {name, unit, UINT32_MAX};
    table_room(d, &d->seen_at, seen_hash);
    uint32_t *at = slot(d, &d->seen_at, seen_key(&key), seen_same, &key);
    if (!*at) {
        if (!make)
            return NULL;
        *(struct seen *)chunk_add(&d->seen, sizeof key) = key;
        *at = (uint32_t)d->seen.count;
        d->seen_at.count++;
    }
    return chunk_at(&d->seen, *at - 1);
}

bool gpudbg_dump_has(struct gpudbg_dump *d, const char *name, const char *unit)
{
    if (!d->ncaptures)
        return false;
    struct seen *s = seen(d, string(d, name), string(d, unit), false);
    return s && s->capture == current(d, 0);
}

bool gpudbg_dump_register(struct gpudbg_dump *d, const struct gpudbg_record *r)
{
    uint32_t capture = current(d, r->line);
    uint8_t bits = r->bits ? r->bits : 32;
    uint64_t all = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (!spend(d, sizeof(struct value), r->line))
        return false;
    struct place key = {string(d, r->name), string(d, r->unit), string(d, r->reg), r->addr, r->mask ? r->mask & all : all, bits, r->flags};
    table_room(d, &d->place_at, place_hash);
    uint32_t *at = slot(d, &d->place_at, place_key(&key), place_same, &key);
    if (!*at) {
        if (!spend(d, sizeof key + sizeof(struct seen) + 16, r->line))
            return false;
        *(struct place *)chunk_add(&d->places, sizeof key) = key;
        *at = (uint32_t)d->places.count;
        d->place_at.count++;
    }
    struct value *v = chunk_add(&d->values, sizeof *v);
    *v = (struct value){.place = *at - 1, .line = r->line, .value = r->value & all, .capture = capture};
    if (key.name)
        seen(d, key.name, key.unit, true)->capture = capture;
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
    if (i >= d->values.count)
        return false;
    const struct value *v = chunk_at(&d->values, i);
    const struct place *p = chunk_at(&d->places, v->place);
    *out = (struct gpudbg_record){.name = p->name, .unit = p->unit, .reg = p->reg, .addr = p->addr, .value = v->value, .mask = p->mask,
        .capture = v->capture, .line = v->line, .bits = p->bits, .flags = p->flags};
    return true;
}

/* What a record is looked for by. */
struct sought {
    const char *name, *unit; /* as kept */
    uint32_t capture;
};

static struct sought sought_of(const struct gpudbg_dump *d, uint32_t i)
{
    const struct value *v = chunk_at(&d->values, i);
    const struct place *p = chunk_at(&d->places, v->place);
    return (struct sought){p->name, p->unit, v->capture};
}

static uint64_t any_key(const struct sought *s) { return mix(mix(4, (uintptr_t)s->name), s->capture); }
static uint64_t latest_key(const struct sought *s) { return mix(any_key(s), (uintptr_t)s->unit); }
static uint64_t any_hash(const struct gpudbg_dump *d, uint32_t i) { return any_key(&(struct sought[]){sought_of(d, i)}[0]); }
static uint64_t latest_hash(const struct gpudbg_dump *d, uint32_t i) { return latest_key(&(struct sought[]){sought_of(d, i)}[0]); }
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
    table_room(d, &d->latest_at, latest_hash);
    table_room(d, &d->latest_any, any_hash);
    uint32_t *at = slot(d, &d->latest_at, latest_key(&s), latest_same, &s), *any = slot(d, &d->latest_any, any_key(&s), any_same, &s);
    d->latest_at.count += !*at;
    d->latest_any.count += !*any;
    *at = *any = number + 1;
}

/* The kept string of that text; NULL: there is none. */
static const char *kept(struct gpudbg_dump *d, const char *text)
{
    const uint32_t *at = d->string_at.room ? slot(d, &d->string_at, text_hash(text), string_same, text) : NULL;
    return at && *at ? *(char **)chunk_at(&d->strings, *at - 1) : NULL;
}

bool gpudbg_dump_find(
    const struct gpudbg_dump *dump, uint32_t capture, const char *unit, const char *name, struct gpudbg_record *out)
{
    struct gpudbg_dump *d = (struct gpudbg_dump *)(uintptr_t)dump; /* only the tables grow */
    const struct sought s = {kept(d, name), unit ? kept(d, unit) : NULL, capture};
    if (!s.name || (unit && !s.unit))
        return false;
    for (; d->nlatest < d->values.count; d->nlatest++)
        note_latest(d, (uint32_t)d->nlatest);
    if (!d->nlatest)
        return false;
    const uint32_t *at = unit ? slot(d, &d->latest_at, latest_key(&s), latest_same, &s) : slot(d, &d->latest_any, any_key(&s), any_same, &s);
    return *at && gpudbg_dump_record(d, *at - 1, out);
}

/* ---- Streams ---- */

size_t gpudbg_dump_stream(struct gpudbg_dump *d, const struct gpudbg_stream *like)
{
    struct gpudbg_stream s = *like;
    s.capture = current(d, like->line);
    if (d->nstreams && !spend(d, sizeof s + sizeof *d->lines, like->line))
        return d->nstreams - 1;
    s.kind = string(d, like->kind);
    s.unit = string(d, like->unit);
    s.name = string(d, like->name);
    s.engine = string(d, like->engine);
    s.bytes = NULL;
    s.size = 0;
    d->streams = grow(d->streams, d->nstreams, sizeof *d->streams);
    d->lines = grow(d->lines, d->nstreams, sizeof *d->lines);
    d->streams[d->nstreams] = s;
    d->lines[d->nstreams] = (struct lines){0};
    return d->nstreams++;
}

/* Remembers that `n` bytes from `offset` on stand on a line. */
static void stream_line(struct gpudbg_dump *d, struct lines *l, size_t offset, size_t n, uint32_t line)
{
    struct stretch *last = l->count ? &l->span[l->count - 1] : NULL;
    if (last && last->step == n && (offset - last->offset) % n == 0 && line == last->line + (offset - last->offset) / n)
        return;
    if (!line || !spend(d, sizeof *last, line))
        return;
    l->span = grow(l->span, l->count, sizeof *l->span);
    l->span[l->count++] = (struct stretch){offset, line, n > UINT32_MAX ? UINT32_MAX : (uint32_t)n};
}

bool gpudbg_dump_stream_add(struct gpudbg_dump *d, size_t stream, const void *bytes, size_t n, uint32_t line)
{
    struct gpudbg_stream *s = &d->streams[stream];
    struct lines *l = &d->lines[stream];
    if (!n)
        return true;
    if (!spend(d, n, line)) {
        s->cut = true;
        return false;
    }
    if (s->size + n > l->bytes) {
        size_t room = l->bytes ? l->bytes : 1024;
        while (room < s->size + n)
            room *= 2;
        uint8_t *grown = realloc((uint8_t *)(uintptr_t)s->bytes, room);
        if (!grown)
            abort();
        s->bytes = grown;
        l->bytes = room;
    }
    memcpy((uint8_t *)(uintptr_t)s->bytes + s->size, bytes, n);
    stream_line(d, l, s->size, n, line);
    s->size += n;
    return true;
}

struct gpudbg_stream *gpudbg_dump_stream_at(struct gpudbg_dump *d, size_t stream)
{
    return stream < d->nstreams ? &d->streams[stream] : NULL;
}

const struct gpudbg_stream *gpudbg_dump_streams(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nstreams;
    return d->streams;
}

uint32_t gpudbg_dump_stream_line(const struct gpudbg_dump *d, size_t stream, size_t offset)
{
    if (stream >= d->nstreams || offset >= d->streams[stream].size)
        return 0;
    const struct lines *l = &d->lines[stream];
    size_t low = 0, high = l->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (l->span[middle].offset <= offset) low = middle;
        else high = middle;
    }
    if (!l->count || l->span[low].offset > offset)
        return 0;
    return l->span[low].line + (uint32_t)((offset - l->span[low].offset) / l->span[low].step);
}

size_t dump_stream_holding(const struct gpudbg_dump *dump, uint64_t addr)
{
    struct gpudbg_dump *d = (struct gpudbg_dump *)(uintptr_t)dump; /* what readers made stays as it is */
    if (!d->held.span) {
        struct span *all = malloc((d->nstreams + 1) * sizeof *all);
        size_t n = 0;
        if (!all)
            abort();
        for (size_t i = 0; i < d->nstreams; i++) {
            const struct gpudbg_stream *s = &d->streams[i];
            if (s->addr != GPUDBG_NO_ADDR && s->size)
                all[n++] = (struct span){s->addr, s->size - 1 > UINT64_MAX - s->addr ? UINT64_MAX : s->addr + (s->size - 1), (uint32_t)i};
        }
        d->held = spans_make(all, n);
        free(all);
    }
    const size_t at = spans_to(&d->held, addr);
    return at < d->held.count && d->held.span[at].from <= addr ? d->held.span[at].number : SIZE_MAX;
}

/* ---- Waves ---- */

static struct gpudbg_dump_wave *add_wave(struct gpudbg_dump *d, const char *unit, const struct gpudbg_dump_wave *wave)
{
    uint32_t capture = current(d, wave->line);
    if (d->nwaves && !spend(d, sizeof *d->waves, wave->line))
        return &d->waves[d->nwaves - 1];
    d->waves = grow(d->waves, d->nwaves, sizeof *d->waves);
    struct gpudbg_dump_wave *w = &d->waves[d->nwaves++];
    *w = *wave;
    w->unit = string(d, unit);
    w->capture = capture;
    w->first = d->values.count;
    return w;
}

struct gpudbg_dump_wave *gpudbg_dump_add_wave(
    struct gpudbg_dump *d, uint32_t line, unsigned se, unsigned sh, unsigned cu, unsigned simd, unsigned wave)
{
    char unit[96];
    snprintf(unit, sizeof unit, "se%u.sh%u.cu%u.simd%u.wave%u", se, sh, cu, simd, wave);
    return add_wave(d, unit, &(struct gpudbg_dump_wave){.se = (uint16_t)se, .sh = (uint16_t)sh, .cu = (uint16_t)cu,
        .simd = (uint16_t)simd, .wave = (uint16_t)wave, .line = line});
}

struct gpudbg_dump_wave *gpudbg_dump_add_thread(struct gpudbg_dump *d, uint32_t line, unsigned thread)
{
    char unit[32];
    snprintf(unit, sizeof unit, "thread%u", thread);
    return add_wave(d, unit, &(struct gpudbg_dump_wave){.wave = (uint16_t)thread, .line = line});
}

bool gpudbg_dump_gprs(struct gpudbg_dump *d, struct gpudbg_dump_wave *w, char file, unsigned first, unsigned n,
    unsigned lanes, const uint32_t *values)
{
    struct gpudbg_dump_gprs *g = file == 's' ? &w->s : file == 'v' ? &w->v : file == 'r' ? &w->r : &w->t;
    if (first > 511 || n > 512 - first || !lanes || lanes > 64 || (g->lanes && g->lanes != lanes))
        return false;
    if (!n)
        return true;
    if (first + n > g->count) {
        if (!spend(d, (first + n - g->count) * (lanes * 4 + 1), w->line))
            return false;
        g->values = realloc(g->values, (size_t)(first + n) * lanes * 4);
        g->known = realloc(g->known, first + n);
        if (!g->values || !g->known)
            abort();
        memset(g->values + (size_t)g->count * lanes, 0, (size_t)(first + n - g->count) * lanes * 4);
        memset(g->known + g->count, 0, first + n - g->count);
        g->count = first + n;
        g->lanes = lanes;
    }
    memcpy(g->values + (size_t)first * lanes, values, (size_t)n * lanes * 4);
    memset(g->known + first, 1, n);
    return true;
}

struct gpudbg_dump_wave *gpudbg_dump_wave_at(struct gpudbg_dump *d, size_t index)
{
    return index < d->nwaves ? &d->waves[index] : NULL;
}

const struct gpudbg_dump_wave *gpudbg_dump_waves(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nwaves;
    return d->waves;
}

/* ---- Incidents, facts, notes ---- */

uint32_t gpudbg_dump_current(struct gpudbg_dump *d, uint32_t line)
{
    return current(d, line);
}

void gpudbg_dump_incident_in(struct gpudbg_dump *d, uint32_t capture, const struct gpudbg_incident *what)
{
    if (capture >= d->ncaptures || !spend(d, sizeof *what, what->line))
        return;
    const char *unit = string(d, what->unit), *text = string(d, what->text);
    struct gpudbg_incident *i = chunk_add(&d->incidents, sizeof *i);
    *i = *what;
    i->unit = unit;
    i->text = text;
    i->capture = capture;
    if (i->last < i->line)
        i->last = i->line;
}

void gpudbg_dump_incident(struct gpudbg_dump *d, const struct gpudbg_incident *what)
{
    gpudbg_dump_incident_in(d, current(d, what->line), what);
}

size_t gpudbg_dump_incidents(const struct gpudbg_dump *d) { return d->incidents.count; }

const struct gpudbg_incident *gpudbg_dump_incident_at(const struct gpudbg_dump *d, size_t i)
{
    return i < d->incidents.count ? chunk_at(&d->incidents, i) : NULL;
}

void gpudbg_dump_fact(struct gpudbg_dump *d, uint32_t line, const char *key, const char *text, uint64_t value)
{
    uint32_t capture = current(d, line);
    if (!spend(d, sizeof *d->facts, line))
        return;
    d->facts = grow(d->facts, d->nfacts, sizeof *d->facts);
    d->facts[d->nfacts++] = (struct gpudbg_dump_fact){string(d, key), string(d, text), value, capture, line};
}

const struct gpudbg_dump_fact *gpudbg_dump_facts(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nfacts;
    return d->facts;
}

static void add_note(struct gpudbg_dump *d, uint32_t capture, uint32_t line, const char *kind, const char *text)
{
    char more[80];
    if (d->nnotes > DUMP_NOTES)
        return;
    if (d->nnotes == DUMP_NOTES) {
        snprintf(more, sizeof more, "more than %d notes: the others are not kept", DUMP_NOTES);
        text = more;
        kind = "limit";
    }
    d->notes = grow(d->notes, d->nnotes, sizeof *d->notes);
    d->notes[d->nnotes++] = (struct gpudbg_dump_note){string(d, text), kind, capture, line};
}

void gpudbg_dump_note(struct gpudbg_dump *d, uint32_t line, const char *kind, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    uint32_t capture = d->ncaptures ? (uint32_t)d->ncaptures - 1 : 0;
    const struct current *device = device_of(d, d->device);
    if (device)
        capture = device->capture;
    add_note(d, capture, line, kind, text);
}

void gpudbg_dump_assume_in(struct gpudbg_dump *d, uint32_t capture, const char *family, const char *why)
{
    char text[256];
    if (capture >= d->ncaptures || d->captures[capture].family)
        return;
    struct gpudbg_capture *c = &d->captures[capture];
    const char *said = dump_device_family(d, c->device); /* by another capture */
    snprintf(text, sizeof text, "the generation is not said; taken as %s: %s", family, why);
    say_family(d, c, said ? said : string(d, family));
    if (!said)
        add_note(d, capture, c->line, "assumed", text);
}

void gpudbg_dump_assume(struct gpudbg_dump *d, const char *family, const char *why)
{
    for (size_t i = 0; i < d->ncaptures; i++)
        gpudbg_dump_assume_in(d, (uint32_t)i, family, why);
}

const struct gpudbg_dump_note *gpudbg_dump_notes(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nnotes;
    return d->notes;
}

/* ---- The whole ---- */

struct gpudbg_dump *dump_new(struct gpudbg *g, const char *path)
{
    struct gpudbg_dump *d = calloc(1, sizeof *d);
    if (!d || !(d->path = strdup(path)))
        abort();
    d->session = g;
    return d;
}

void dump_close(struct gpudbg_dump *d)
{
    if (!d)
        return;
    dump_source_close(&d->text.source);
    free(d->text.mark);
    for (size_t i = 0; i < d->strings.count; i++)
        free(*(char **)chunk_at(&d->strings, i));
    struct chunks *all[] = {&d->strings, &d->places, &d->values, &d->seen, &d->incidents};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        chunks_free(all[i]);
    free(d->string_at.slot);
    free(d->place_at.slot);
    free(d->seen_at.slot);
    free(d->device_at.slot);
    free(d->latest_at.slot);
    free(d->latest_any.slot);
    free(d->held.span);
    for (size_t i = 0; i < d->nstreams; i++) {
        free((uint8_t *)(uintptr_t)d->streams[i].bytes);
        free(d->lines[i].span);
    }
    for (size_t i = 0; i < d->nwaves; i++) {
        struct gpudbg_dump_gprs *files[] = {&d->waves[i].s, &d->waves[i].v, &d->waves[i].t, &d->waves[i].r};
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            free(files[f]->values);
            free(files[f]->known);
        }
    }
    free(d->captures);
    free(d->streams);
    free(d->lines);
    free(d->waves);
    free(d->notes);
    free(d->facts);
    free(d->devices);
    free(d->path);
    free(d);
}

bool dump_empty(const struct gpudbg_dump *d)
{
    for (size_t i = 0; i < d->ncaptures; i++)
        if (d->captures[i].family) return false; /* it says whose it is, and no more that is decoded */
    return !d->values.count && !d->nstreams && !d->nwaves && !d->incidents.count && !d->nfacts;
}

/* A device that answers nothing answers all ones: said once a capture. */
void dump_sort_out(struct gpudbg_dump *d)
{
    for (size_t i = 0; i < d->ncaptures; i++) {
        const struct gpudbg_capture *c = &d->captures[i];
        if (c->records >= 2 && c->ones == c->records)
            gpudbg_dump_note(d, c->line, "lost", "all %u registers of capture %zu are all ones: the device does not answer", c->records, i);
    }
}

struct dump_text *dump_text_of(const struct gpudbg_dump *d) { return (struct dump_text *)&d->text; }

const char *dump_why(const struct gpudbg_dump *d) { return d->why; }

void dump_set_format(struct gpudbg_dump *d, const char *format, const char *why, uint64_t base)
{
    d->why = why;
    d->format = format;
    d->base = base;
}

struct gpudbg *gpudbg_dump_session(struct gpudbg_dump *d) { return d->session; }
uint64_t gpudbg_dump_base(const struct gpudbg_dump *d) { return d->base; }
const char *gpudbg_dump_family_asked(const struct gpudbg_dump *d)
{
    return d->session && d->session->loaded.isa ? d->session->loaded.isa->name : NULL;
}
const char *gpudbg_dump_path(const struct gpudbg_dump *d) { return d->path; }
const char *gpudbg_dump_format(const struct gpudbg_dump *d) { return d->format; }
uint32_t gpudbg_dump_lines(const struct gpudbg_dump *d) { return d->text.lines; }
struct gpudbg_dump *gpudbg_session_dump(struct gpudbg *g, size_t i) { return i < g->loaded.ndumps ? g->loaded.dumps[i] : NULL; }
