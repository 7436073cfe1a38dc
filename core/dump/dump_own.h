/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_own.h: what readers found, for the files that fill it and read it: dump_store.c (memory), dump_capture.c,
 * dump_register.c, dump_stream.c, dump_wave.c, dump_note.c and dump.c.  Logs are long and say the same again and again,
 * so a register's value is 24 bytes: its name, unit, address and mask are a *place*, shared by all values of it.  Lists
 * grow by chunks, so nothing is copied as they grow.
 */
#ifndef GPUDBG_DUMP_OWN_H
#define GPUDBG_DUMP_OWN_H

#include "base/spans.h"
#include "dump/dump.h"

struct dump_chunks {
    size_t item, count;
    char **chunk;
    size_t nchunks;
};

struct record_place {
    const char *name, *unit, *reg;
    uint64_t addr, mask;
    uint8_t bits, flags;
    uint32_t values; /* how many there are of it, with those that are not kept */
};

/* A storm of faults says the same again and again: of a device's incidents of a kind, and of a register's values, the
 * first are kept and the others counted, so that there is room for what comes after them. */
#define DUMP_ALIKE_MOST 65536
#define DUMP_VALUES_MOST 262144
#define DUMP_KINDS 64
struct dump_alike {
    const struct gpudbg_incident_kind *kind;
    const char *device;
    uint32_t count, line; /* line: of the first that is not kept */
};

struct record_value {
    uint32_t place, line;
    uint64_t value;
    uint32_t capture;
};

struct record_seen { /* a register's name and unit, and the capture that had it last */
    const char *name, *unit;
    uint32_t capture;
};

struct stream_stretch { /* lines of a stream: from offset on, each line holds `step` bytes */
    size_t offset;
    uint32_t line, step;
};

struct stream_lines {
    struct stream_stretch *span;
    size_t count, room, bytes; /* bytes: allocated for the stream itself */
};

struct dump_table { /* open addressing; slot: index + 1 */
    uint32_t *slot;
    size_t room, count;
};

struct dump_device { /* the latest capture of a device, and the family that the first of its captures says */
    const char *device, *family;
    uint32_t capture;
};

struct gpudbg_dump {
    struct dump_env env;
    struct dump_placed placed;
    char *path;
    const char *format, *why;
    uint64_t base;
    struct dump_text text;
    size_t used;
    bool full;
    struct dump_chunks strings, places, values, seen, incidents;
    struct dump_table string_at, place_at, seen_at, device_at;
    struct dump_table latest_at,
        latest_any; /* of records: the latest of a name and unit in a capture, of a name; made when asked for */
    size_t nlatest;
    struct gpudbg_capture *captures;
    size_t ncaptures;
    struct gpudbg_stream *streams;
    struct stream_lines *lines;
    size_t nstreams;
    struct gpudbg_dump_wave *waves;
    size_t nwaves;
    struct gpudbg_dump_note *notes;
    size_t nnotes;
    struct gpudbg_dump_fact *facts;
    size_t nfacts;
    struct dump_device *devices;
    size_t ndevices;
    struct dump_alike alike[DUMP_KINDS];
    size_t nalike;
    uint32_t values_line; /* of the first value that is not kept because there are so many; 0: there is none */
    const char *device;
    struct spans held; /* of streams: the first that holds an address; made when first asked for */
};

/* ---- dump_store.c: memory, strings, tables ---- */

/* Counts bytes of the budget; false, noted once: it is spent. */
bool dump_spend(struct gpudbg_dump *, size_t bytes, uint32_t line);
void *dump_chunk_at(const struct dump_chunks *, size_t i);
/* One more of `item` bytes, zeroed, at the end; it stays where it is. */
void *dump_chunk_add(struct dump_chunks *, size_t item);
void dump_chunks_free(struct dump_chunks *);
/* An array with room for one more than `count`, doubled at powers of two. */
void *dump_grow(void *array, size_t count, size_t item);
/* The one copy of a text that the dump keeps, so that strings compare by address; NULL of NULL. */
const char *dump_string(struct gpudbg_dump *, const char *text);
/* The same, if the text is kept already; NULL: it is not. */
const char *dump_string_kept(struct gpudbg_dump *, const char *text);

typedef bool dump_same_fn(const struct gpudbg_dump *, uint32_t index, const void *key);
typedef uint64_t dump_hash_fn(const struct gpudbg_dump *, uint32_t index);
/* Makes room for one more. */
void dump_table_room(struct gpudbg_dump *, struct dump_table *, dump_hash_fn *);
/* The slot that holds the key, or the empty one where it belongs. */
uint32_t *dump_slot(struct gpudbg_dump *, struct dump_table *, uint64_t hash, dump_same_fn *, const void *key);

static inline uint64_t dump_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* ---- dump_capture.c ---- */

/* What is known of a device, by its kept name (NULL is one, too); NULL: not met yet. */
struct dump_device *dump_device_of(struct gpudbg_dump *, const char *device);
struct dump_device *dump_add_device(struct gpudbg_dump *, const char *device);

/* ---- dump_note.c ---- */

void dump_add_note(struct gpudbg_dump *, uint32_t capture, uint32_t line, const char *kind, const char *text);

#endif
