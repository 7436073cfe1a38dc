/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elf_view.c: tables of ELF files that are containers.  core's reader (gpudbg_elf_load) makes an image of a file; here
 * only parts are looked up, also by program header, of which Catalyst's files have several of each kind. */
#include "containers.h"
#include <string.h>

enum { SYMTAB = 2, NOBITS = 8, NAME_MOST = 4096 };

static uint64_t word(const struct elf_view *e, const uint8_t *at, unsigned narrow, unsigned wide)
{
    return e->wide ? le_get(at + wide, 8) : le_get(at + narrow, 4);
}

static bool raw_section(const struct elf_view *e, uint32_t i, struct elf_part *p, uint32_t *name)
{
    if (i >= e->nsections) return false;
    const uint8_t *h = e->bytes + e->sections + (uint64_t)i * (e->wide ? 64 : 40);
    *name = le_u32(h);
    *p = (struct elf_part){.type = le_u32(h + 4),
        .offset = word(e, h, 16, 24),
        .size = word(e, h, 20, 32),
        .link = le_u32(h + (e->wide ? 40 : 24)),
        .entry = word(e, h, 36, 56),
        .name = ""};
    p->bytes = p->type == NOBITS ? NULL : within(e->bytes, e->n, p->offset, p->size);
    return true;
}

static uint32_t symbol_size(const struct elf_view *e) { return e->wide ? 24 : 16; }

static void find_symbols(struct elf_view *e)
{
    struct elf_part table;
    uint32_t ignored;
    for (uint32_t i = 0; !e->symbols.bytes && raw_section(e, i, &table, &ignored); i++)
        if (table.type == SYMTAB && table.bytes)
            e->symbols = (struct elf_symbols){table.bytes, table.size / symbol_size(e), table.link};
}

bool elf_view_open(struct elf_view *e, const uint8_t *b, size_t n)
{
    *e = (struct elf_view){.bytes = b, .n = n};
    if (n < 52 || memcmp(b, "\177ELF", 4) != 0 || b[5] != 1 || (b[4] != 1 && b[4] != 2)) return false;
    e->wide = b[4] == 2;
    if (e->wide && n < 64) return false;
    e->type = (uint16_t)le_get(b + 16, 2);
    e->machine = (uint16_t)le_get(b + 18, 2);
    e->programs = word(e, b, 28, 32);
    e->sections = word(e, b, 32, 40);
    const uint8_t *counts = b + (e->wide ? 54 : 42); /* entry size and number of either, then the names' section */
    e->nprograms = (uint32_t)le_get(counts + 2, 2);
    e->nsections = (uint32_t)le_get(counts + 6, 2);
    e->names = (uint32_t)le_get(counts + 8, 2);
    if (e->nprograms && le_get(counts, 2) != (e->wide ? 56 : 32)) return false;
    if (e->nsections && le_get(counts + 4, 2) != (e->wide ? 64 : 40)) return false;
    if (e->nprograms && !within(b, n, e->programs, (uint64_t)e->nprograms * (e->wide ? 56 : 32))) return false;
    if (e->nsections && !within(b, n, e->sections, (uint64_t)e->nsections * (e->wide ? 64 : 40))) return false;
    find_symbols(e);
    return true;
}

/* A text of a section, which ends in it, and soon; "": none. */
static const char *text_of(const struct elf_part *strings, uint32_t at)
{
    if (!strings->bytes || at >= strings->size) return "";
    const char *text = (const char *)strings->bytes + at;
    const size_t room = (size_t)strings->size - at;
    return memchr(text, 0, room < NAME_MOST ? room : NAME_MOST) ? text : "";
}

bool elf_view_section(const struct elf_view *e, uint32_t i, struct elf_part *p)
{
    struct elf_part strings;
    uint32_t name, ignored;
    if (!raw_section(e, i, p, &name)) return false;
    if (raw_section(e, e->names, &strings, &ignored)) p->name = text_of(&strings, name);
    return true;
}

bool elf_view_program(const struct elf_view *e, uint32_t i, struct elf_part *p)
{
    if (i >= e->nprograms) return false;
    const uint8_t *h = e->bytes + e->programs + (uint64_t)i * (e->wide ? 56 : 32);
    *p = (struct elf_part){.type = le_u32(h), .offset = word(e, h, 4, 8), .size = word(e, h, 16, 32), .name = ""};
    p->bytes = within(e->bytes, e->n, p->offset, p->size);
    return true;
}

bool elf_view_named(const struct elf_view *e, const char *name, struct elf_part *p)
{
    for (uint32_t i = 0; elf_view_section(e, i, p); i++)
        if (strcmp(p->name, name) == 0 && p->bytes) return true;
    return false;
}

bool elf_view_symbol(const struct elf_view *e, uint32_t i, struct elf_name *s)
{
    struct elf_part strings;
    uint32_t ignored;
    if (!e->symbols.bytes || i >= e->symbols.n || !raw_section(e, e->symbols.strings, &strings, &ignored)) return false;
    const uint8_t *at = e->symbols.bytes + (uint64_t)i * symbol_size(e);
    *s = (struct elf_name){.name = text_of(&strings, le_u32(at)),
        .value = word(e, at, 4, 8),
        .size = word(e, at, 8, 16),
        .section = (uint32_t)le_get(at + (e->wide ? 6 : 14), 2)};
    return true;
}
