/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * containers.h: files that contain code files.  No size and no offset of theirs is believed before it has been held
 * against the file; the rules by which each is known are in share/doc/containers.md.
 */
#ifndef CONTAINERS_H
#define CONTAINERS_H

#include "gpudbg.h"
#include "gpudbg/endian.h"

/* The size bytes from offset on, where they are within n; NULL: they are not. */
static inline const uint8_t *within(const uint8_t *bytes, size_t n, uint64_t offset, uint64_t size)
{
    return offset <= n && size <= n - offset ? bytes + offset : NULL;
}
/* A text of the file that ends within n bytes, as a string of the image; NULL: it does not. */
const char *container_string(struct gpudbg_image *, const uint8_t *bytes, size_t n, uint64_t offset);

/* ---- ELF, 32 and 64 bits, as far as containers need it (elf_view.c) ---- */

struct elf_view {
    const uint8_t *bytes;
    size_t n;
    bool wide; /* 64 bits */
    uint16_t machine, type;
    uint64_t sections, programs; /* offsets of the tables */
    uint32_t nsections, nprograms, names;
    struct elf_symbols {
        const uint8_t *bytes; /* of the first table; NULL: none */
        uint64_t n;
        uint32_t strings; /* section of their names */
    } symbols;
};

struct elf_part {
    const uint8_t *bytes; /* NULL: it has none, or lies outside */
    uint64_t offset, size;
    uint32_t type, link;
    const char *name; /* "" without; of program headers always */
    uint64_t entry;   /* bytes of an entry, of tables */
};

bool elf_view_open(struct elf_view *, const uint8_t *bytes, size_t n); /* its tables lie within the file */
bool elf_view_section(const struct elf_view *, uint32_t i, struct elf_part *);
bool elf_view_program(const struct elf_view *, uint32_t i, struct elf_part *);
bool elf_view_named(const struct elf_view *, const char *name, struct elf_part *);

struct elf_name {
    const char *name;
    uint64_t value, size;
    uint32_t section;
};
/* The i-th symbol of the file's table; false: no more, or it is damaged. */
bool elf_view_symbol(const struct elf_view *, uint32_t i, struct elf_name *);

#define CONTAINERS(X) \
    X(bundle)         \
    X(offload)        \
    X(archive)        \
    X(host)           \
    X(catalyst)       \
    X(cal)            \
    X(pipeline_cache) \
    X(source)
#define CONTAINER_DECLARE(name) extern const struct gpudbg_loader container_##name;
CONTAINERS(CONTAINER_DECLARE)

#endif
