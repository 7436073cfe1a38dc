/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bundle.c: what clang puts code of several devices into: its offload bundles, and the newer offload binaries.
 *
 *     "__CLANG_OFFLOAD_BUNDLE__", number of entries; of each: offset, size, length of its name (8 bytes each), name,
 *     which is KIND-TRIPLE-CHIP ("hipv4-amdgcn-amd-amdhsa--gfx701", "host-x86_64-unknown-linux--")
 *
 *     10 ff 10 ad, version, size of all, offset of the entry, its size; the entry: kinds, flags, offset and number of
 *     its pairs of texts, offset and size of the image; a pair: offsets of two texts ("triple", "arch").  One
 *     behind the other, each at a multiple of 8.
 *
 * Source: documentation of clang-offload-bundler and of clang-offload-packager.
 */
#include "containers.h"
#include <stdio.h>
#include <string.h>

#define BUNDLE "__CLANG_OFFLOAD_BUNDLE__"
enum { MAGIC = 24, NAME_MOST = 1024, OFFLOAD_HEADER = 32, OFFLOAD_ENTRY = 40 };

/* What a name of an entry says: its last part, the chip; and whether the host's code it is. */
static void describe(struct gpudbg_member *m)
{
    static const char *const makers[] = {"x86_64", "i386", "i686", "aarch64", "powerpc64", "riscv64"};
    const char *dash = strrchr(m->name, '-');
    if (dash && dash[1]) m->contents = dash + 1;
    bool host = strncmp(m->name, "host", 4) == 0;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        host = host || strncmp(m->name, makers[i], strlen(makers[i])) == 0;
    if (host) m->refused = "it is code of the host, not of a GPU";
    if (!m->size) m->refused = "it is empty";
}

static int probe_bundle(const uint8_t *b, size_t n, const char **why)
{
    *why = "begins with \"" BUNDLE "\"";
    return n >= MAGIC + 8 && memcmp(b, BUNDLE, MAGIC) == 0 ? 95 : 0;
}

static bool bundle_members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    const uint8_t *b = image->bytes;
    const size_t n = image->size;
    if (n < MAGIC + 8) return gpudbg_fail(err, "truncated", "the bundle ends in its header");
    const uint64_t count = le_get(b + MAGIC, 8);
    uint64_t at = MAGIC + 8;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *entry = within(b, n, at, 24);
        const uint64_t length = entry ? le_get(entry + 16, 8) : 0;
        const uint8_t *name = entry && length <= NAME_MOST ? within(b, n, at + 24, length) : NULL;
        if (!name)
            return gpudbg_fail(err, "truncated", "entry %llu of the bundle's %llu is not there",
                (unsigned long long)i + 1, (unsigned long long)count);
        const uint64_t offset = le_get(entry, 8), size = le_get(entry + 8, 8);
        struct gpudbg_member m = {.bytes = within(b, n, offset, size), .size = (size_t)size};
        m.name = gpudbg_image_string(image, (const char *)name, (size_t)length);
        if (!m.name) return gpudbg_fail(err, "too-large", "the bundle's names take too much memory");
        describe(&m);
        if (!m.bytes) m.refused = "its offset and size lie outside of the file";
        if (!each(to, &m)) return true;
        at += 24 + length;
    }
    return true;
}

const struct gpudbg_loader container_bundle = {
    .name = "clang-bundle",
    .summary = "clang's offload bundles: code of several devices",
    .probe = probe_bundle,
    .members = bundle_members,
};

/* ---- Offload binaries ---- */

static bool is_offload(const uint8_t *b, size_t n)
{
    return n >= OFFLOAD_HEADER && memcmp(b, "\x10\xff\x10\xad", 4) == 0;
}

static int probe_offload(const uint8_t *b, size_t n, const char **why)
{
    *why = "begins with 10 ff 10 ad, as clang's offload binaries do";
    return is_offload(b, n) ? 95 : 0;
}

/* The text of a key in an entry's table; NULL: it has none. */
static const char *offload_text(
    struct gpudbg_image *image, const uint8_t *b, size_t n, const uint8_t *entry, const char *key)
{
    const uint64_t table = le_get(entry + 8, 8), count = le_get(entry + 16, 8);
    for (uint64_t i = 0; i < count && i < 64; i++) {
        const uint8_t *pair = table <= n ? within(b, n, table + 16 * i, 16) : NULL;
        const char *k = pair ? container_string(image, b, n, le_get(pair, 8)) : NULL;
        if (k && strcmp(k, key) == 0) return container_string(image, b, n, le_get(pair + 8, 8));
    }
    return NULL;
}

static bool offload_members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    size_t at = 0;
    while (is_offload(image->bytes + at, image->size - at)) {
        const uint8_t *b = image->bytes + at;
        const uint64_t all = le_get(b + 8, 8);
        if (all < OFFLOAD_HEADER || all > image->size - at)
            return gpudbg_fail(err, "truncated", "the offload binary at 0x%zx says that it has %llu bytes: %zu follow",
                at, (unsigned long long)all, image->size - at);
        const size_t n = (size_t)all;
        const uint8_t *entry = within(b, n, le_get(b + 16, 8), OFFLOAD_ENTRY);
        if (!entry) return gpudbg_fail(err, "bad-offset", "the offload binary at 0x%zx: its entry lies outside", at);
        const uint64_t size = le_get(entry + 32, 8);
        const char *triple = offload_text(image, b, n, entry, "triple"),
                   *arch = offload_text(image, b, n, entry, "arch");
        char name[400];
        snprintf(name, sizeof name, "%s%s%s", triple ? triple : "", triple && arch ? "-" : "", arch ? arch : "");
        struct gpudbg_member m = {
            .bytes = within(b, n, le_get(entry + 24, 8), size), .size = (size_t)size, .contents = arch};
        m.name = gpudbg_image_string(image, name, strlen(name));
        if (!m.name) return gpudbg_fail(err, "too-large", "the names take too much memory");
        if (triple && strncmp(triple, "amdgcn", 6) != 0 && strncmp(triple, "spir", 4) != 0 && triple[0])
            m.refused = "it is code of another maker's device";
        if (!m.bytes) m.refused = "its offset and size lie outside of the file";
        if (!each(to, &m)) return true;
        at += n;
        while (at < image->size && image->bytes[at] == 0) at++; /* padding to a multiple of 8 */
    }
    return true;
}

const struct gpudbg_loader container_offload = {
    .name = "clang-offload",
    .summary = "clang's offload binaries, one after the other",
    .probe = probe_offload,
    .members = offload_members,
};
