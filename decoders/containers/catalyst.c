/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * catalyst.c: OpenCL binaries of Catalyst.
 *
 * Of OpenCL 1.2: ELF whose machine is the chip's number (0x3fd to 0x40b).  Symbols lead to the parts of each kernel
 * NAME: "__OpenCL_NAME_kernel", an image of CAL in .text; "__OpenCL_NAME_metadata", text in .rodata;
 * "__OpenCL_NAME_amdil", text of IL in .amdil.  Values of symbols count from their section.
 *
 * Of OpenCL 2.0: ELF of machine 0xaf5a or 0xaf5b; its .text is an ELF of HSA.
 *
 * Sources: Multi2Sim and CLRadeonExtender.
 */
#include "containers.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    CHIP_FIRST = 0x3fd,
    CHIP_LAST = 0x40b,
    SECOND = 0xaf5a,
    SECOND_WIDE = 0xaf5b,
    SYMBOLS_MOST = 8192,
    KERNELS_MOST = 256
};

static bool is_first(unsigned machine) { return machine >= CHIP_FIRST && machine <= CHIP_LAST; }

static int probe(const uint8_t *b, size_t n, const char **why)
{
    if (n < 52 || memcmp(b, "\177ELF", 4) != 0 || b[5] != 1) return 0;
    const unsigned machine = (unsigned)le_get(b + 18, 2);
    *why = is_first(machine) ? "ELF whose machine is a chip's number: a binary of Catalyst's OpenCL 1.2"
                             : "ELF of machine 0xaf5a or 0xaf5b: a binary of Catalyst's OpenCL 2.0";
    return is_first(machine) || machine == SECOND || machine == SECOND_WIDE ? 90 : 0;
}

/* Whether text is "__OpenCL_NAME" and the tail; *name and *n are NAME. */
static bool is_part(const char *text, const char *tail, const char **name, size_t *n)
{
    static const char front[] = "__OpenCL_";
    const size_t all = strlen(text), end = strlen(tail), begin = sizeof front - 1;
    if (all <= begin + end || strncmp(text, front, begin) != 0 || strcmp(text + all - end, tail) != 0) return false;
    *name = text + begin;
    *n = all - begin - end;
    return true;
}

/* The bytes of a symbol; NULL: they lie outside of its section, or it outside of the file. */
static const uint8_t *symbol_bytes(const struct elf_view *elf, const struct elf_name *s)
{
    struct elf_part part;
    if (!elf_view_section(elf, s->section, &part) || !part.bytes || part.size > SIZE_MAX) return NULL;
    return within(part.bytes, (size_t)part.size, s->value, s->size);
}

/* The metadata of a kernel as a fact: its first line at least names the version. */
static void add_metadata(
    struct gpudbg_image *image, const struct elf_view *elf, const char *kernel, size_t length, struct gpudbg_member *m)
{
    struct elf_name s;
    const char *name;
    size_t n;
    for (uint32_t i = 0; i < SYMBOLS_MOST && elf_view_symbol(elf, i, &s); i++) {
        if (!is_part(s.name, "_metadata", &name, &n) || n != length || memcmp(name, kernel, n) != 0) continue;
        const uint8_t *text = symbol_bytes(elf, &s);
        struct gpudbg_fact *fact = text ? gpudbg_image_alloc(image, sizeof *fact) : NULL;
        if (!fact) return;
        fact->key = "metadata";
        fact->text = gpudbg_image_string(image, (const char *)text, strnlen((const char *)text, (size_t)s.size));
        if (!fact->text) return;
        m->facts = fact;
        m->nfacts = 1;
        return;
    }
}

static bool add_parts(struct gpudbg_image *image, const struct elf_view *elf, const char *tail, const char *contents,
    gpudbg_member_fn *each, void *to, bool *more, struct gpudbg_error *err)
{
    struct elf_name s;
    const char *name;
    size_t n;
    char text[400];
    unsigned kernels = 0; /* beyond the first, the metadata are not looked for: each looks at every symbol */
    for (uint32_t i = 0; *more && i < SYMBOLS_MOST && elf_view_symbol(elf, i, &s); i++) {
        if (!is_part(s.name, tail, &name, &n)) continue;
        struct gpudbg_member m = {.bytes = symbol_bytes(elf, &s), .size = (size_t)s.size, .contents = contents};
        const bool il = strcmp(tail, "_amdil") == 0;
        snprintf(text, sizeof text, "%.*s%s", (int)(n < 360 ? n : 360), name, il ? ".il" : "");
        if (!(m.name = gpudbg_image_string(image, text, strlen(text))))
            return gpudbg_fail(err, "too-large", "the names of its kernels take too much memory");
        if (!m.bytes) m.refused = "its symbol leads outside of its section";
        if (!il && kernels++ < KERNELS_MOST) add_metadata(image, elf, name, n, &m);
        *more = each(to, &m);
    }
    return true;
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct elf_view elf;
    struct elf_part part;
    bool more = true;
    if (!elf_view_open(&elf, image->bytes, image->size))
        return gpudbg_fail(err, "truncated", "its ELF tables lie outside of the file");
    if (!is_first(elf.machine)) {
        if (!elf_view_named(&elf, ".text", &part))
            return gpudbg_fail(err, "not-recognised", "this binary of OpenCL 2.0 has no section .text");
        const struct gpudbg_member m = {
            .name = ".text", .contents = "code object", .bytes = part.bytes, .size = (size_t)part.size};
        each(to, &m);
        return true;
    }
    return add_parts(image, &elf, "_kernel", "image of CAL", each, to, &more, err) &&
           add_parts(image, &elf, "_amdil", "IL", each, to, &more, err);
}

const struct gpudbg_loader container_catalyst = {
    .name = "catalyst",
    .summary = "OpenCL binaries of Catalyst",
    .probe = probe,
    .members = members,
};
