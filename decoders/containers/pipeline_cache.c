/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pipeline_cache.c: what vkGetPipelineCacheData returns, as Mesa's drivers fill it.
 *
 *     header     32, 1, vendor, device (4 bytes each), 16 bytes that name the driver's build
 *     count      of objects, 4 bytes
 *     object     at a multiple of 4: type, bytes of the key, bytes of the data (4 each); key; data, at a multiple of 8
 *
 * Types and data are the driver's own and differ from build to build.  Opened is what has an ELF file in it, and what a
 * loader knows by its contents, as it knows a file: the shaders of RADV, ANV and hasvk.  The others (lists of shaders,
 * NIR) are listed.  Source: Vulkan 1.3, VkPipelineCacheHeaderVersionOne; Mesa, vk_pipeline_cache.
 */
#include "containers.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 32, OBJECT = 12, AMD = 0x1002, INTEL = 0x8086, KEY_SHOWN = 8 };

static bool is_cache(const uint8_t *b, size_t n)
{
    if (n < HEADER + 4 || le_get(b, 4) != HEADER || le_get(b + 4, 4) != 1) return false;
    return le_get(b + 8, 4) == AMD || le_get(b + 8, 4) == INTEL;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    *why = "a pipeline cache of Vulkan: its header, AMD or Intel as the vendor";
    return is_cache(b, n) ? 85 : 0;
}

/* The first ELF file in the data, to its end; NULL: none. */
static const uint8_t *elf_in(const uint8_t *b, size_t n)
{
    for (size_t at = 0; n - at >= 52; at++) {
        const uint8_t *found = memchr(b + at, 0x7f, n - at - 51);
        if (!found) return NULL;
        if (memcmp(found, "\177ELF", 4) == 0) return found;
        at = (size_t)(found - b);
    }
    return NULL;
}

/* Ivy Bridge's and Bay Trail's code looks like Haswell's; all others are known apart by their code.  Source: Mesa,
 * i965_pci_ids.h. */
static const char *chip_of(const uint8_t *b)
{
    const uint64_t device = le_get(b + 12, 4);
    const bool older = (device >= 0x0152 && device <= 0x016a) || (device >= 0x0f30 && device <= 0x0f33);
    return le_get(b + 8, 4) == INTEL && older ? "gen7" : NULL;
}

/* Whether data have the outline of a shader as RADV (a dword that is their size), ANV and hasvk (a stage, a size within
 * them) keep it.  The loaders of these look at the code, too. */
static bool may_be_shader(uint64_t vendor, const uint8_t *data, size_t n)
{
    enum { FRONT = 8192, STAGES = 15 };
    if (n < 24) return false;
    if (vendor == INTEL) return le_get(data, 4) < STAGES && le_get(data + 4, 4) <= n - 8;
    for (size_t at = 4; at < FRONT && at + 4 <= n; at += 4)
        if (le_get(data + at, 4) == n) return le_get(data, 4) == 0;
    return false;
}

/* Names a member by the front of its key. */
static bool describe(struct gpudbg_image *image, struct gpudbg_member *m, int32_t type, const uint8_t *key, uint64_t n)
{
    char name[2 * KEY_SHOWN + 12] = "no key", contents[40];
    for (unsigned i = 0; i < n && i < KEY_SHOWN; i++) snprintf(name + (size_t)2 * i, 3, "%02x", key[i]);
    snprintf(contents, sizeof contents, "object of type %" PRId32, type);
    m->name = gpudbg_image_string(image, name, strlen(name));
    m->contents = gpudbg_image_string(image, contents, strlen(contents));
    return m->name && m->contents;
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    const uint8_t *b = image->bytes;
    const size_t n = image->size;
    if (n < HEADER + 4) return gpudbg_fail(err, "truncated", "the pipeline cache ends in its header");
    const uint64_t count = le_get(b + HEADER, 4);
    uint64_t at = HEADER + 4;
    for (uint64_t i = 0; i < count; i++) {
        at = (at + 3) & ~UINT64_C(3);
        const uint8_t *head = within(b, n, at, OBJECT);
        const uint64_t key_size = head ? le_get(head + 4, 4) : 0, size = head ? le_get(head + 8, 4) : 0;
        const uint8_t *key = head ? within(b, n, at + OBJECT, key_size) : NULL;
        const uint64_t data_at = (at + OBJECT + key_size + 7) & ~UINT64_C(7);
        const uint8_t *data = key ? within(b, n, data_at, size) : NULL;
        if (!data)
            return gpudbg_fail(
                err, "truncated", "object %" PRIu64 " of the pipeline cache's %" PRIu64 " is not there", i + 1, count);
        struct gpudbg_member m = {.bytes = data, .size = (size_t)size};
        const uint8_t *elf = elf_in(data, (size_t)size);
        if (!describe(image, &m, (int32_t)le_get(head, 4), key, key_size))
            return gpudbg_fail(err, "too-large", "the names of its objects take too much memory");
        if (elf) {
            m.bytes = elf;
            m.size = (size_t)(data + size - elf);
        } else {
            m.isa = chip_of(b);
            if (!may_be_shader(le_get(b + 8, 4), data, (size_t)size))
                m.refused = "data in its driver's own form, which differs from build to build: no ELF file is in it, "
                            "and no shader as RADV, ANV and hasvk keep it";
        }
        if (!each(to, &m)) return true;
        at = data_at + size;
    }
    return true;
}

const struct gpudbg_loader container_pipeline_cache = {
    .name = "pipeline-cache",
    .summary = "pipeline caches of Vulkan, as Mesa's drivers for AMD and Intel write them",
    .probe = probe,
    .members = members,
};
