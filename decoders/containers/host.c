/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host.c: programs and objects of the host that carry code of GPUs, in sections: ".hip_fatbin" (offload bundles, at
 * multiples of 4 KB), ".llvm.offloading" (offload binaries), "__CLANG_OFFLOAD_BUNDLE__NAME" (one device's code).
 * Source: documentation of clang (HIP, clang-linker-wrapper, clang-offload-bundler).
 */
#include "containers.h"
#include <stdio.h>
#include <string.h>

#define BUNDLE "__CLANG_OFFLOAD_BUNDLE__"
#define PAGE 4096u

static const char *maker(uint16_t machine)
{
    return machine == 62    ? "x86-64"
           : machine == 3   ? "x86"
           : machine == 183 ? "AArch64"
           : machine == 21  ? "PowerPC"
           : machine == 243 ? "RISC-V"
                            : NULL;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    if (n < 20 || memcmp(b, "\177ELF", 4) != 0 || b[5] != 1 || !maker((uint16_t)le_get(b + 18, 2))) return 0;
    *why = "ELF of a host's processor: it may carry code of GPUs";
    return 30;
}

static bool is_bundle(const struct elf_part *s, uint64_t at)
{
    return s->size - at >= sizeof BUNDLE && memcmp(s->bytes + at, BUNDLE, sizeof BUNDLE - 1) == 0;
}

/* Bundles behind each other in one section; none says its size, so each goes on to the next page that begins one. */
static bool fat_members(
    struct gpudbg_image *image, const struct elf_part *s, gpudbg_member_fn *each, void *to, bool *more)
{
    char name[48];
    unsigned count = 0;
    for (uint64_t at = 0, next; at < s->size && *more; at = next) {
        next = at + PAGE;
        if (!is_bundle(s, at)) continue;
        while (next < s->size && !is_bundle(s, next)) next += PAGE;
        const uint64_t end = next < s->size ? next : s->size;
        snprintf(name, sizeof name, ".hip_fatbin.%u", count++);
        struct gpudbg_member m = {.bytes = s->bytes + at, .size = (size_t)(end - at), .contents = "offload bundle"};
        if (!(m.name = gpudbg_image_string(image, name, strlen(name)))) return false;
        *more = each(to, &m);
    }
    return true;
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct elf_view elf;
    struct elf_part s;
    unsigned found = 0;
    bool more = true, good = true;
    if (!elf_view_open(&elf, image->bytes, image->size))
        return gpudbg_fail(err, "truncated", "its ELF tables lie outside of the file");
    for (uint32_t i = 0; more && good && elf_view_section(&elf, i, &s); i++) {
        if (!s.bytes || !s.size) continue;
        const size_t bundle = sizeof BUNDLE - 1;
        struct gpudbg_member m = {.bytes = s.bytes, .size = (size_t)s.size};
        if (strcmp(s.name, ".hip_fatbin") == 0) {
            good = fat_members(image, &s, each, to, &more);
        } else if (strcmp(s.name, ".llvm.offloading") == 0) {
            m.name = gpudbg_image_string(image, s.name, strlen(s.name));
            m.contents = "offload binaries";
            good = m.name != NULL;
            more = good && each(to, &m);
        } else if (strncmp(s.name, BUNDLE, bundle) == 0 && s.name[bundle]) {
            m.name = gpudbg_image_string(image, s.name + bundle, strlen(s.name + bundle));
            good = m.name != NULL;
            if (good && strncmp(m.name, "host", 4) == 0) m.refused = "it is code of the host, not of a GPU";
            more = good && each(to, &m);
        } else {
            continue;
        }
        found++;
    }
    if (!good) return gpudbg_fail(err, "too-large", "the names of its parts take too much memory");
    if (found) return true;
    return gpudbg_fail(err, "not-recognised",
        "this is code of the host (ELF for %s), and it carries none of a GPU (.hip_fatbin, .llvm.offloading)",
        maker(elf.machine));
}

const struct gpudbg_loader container_host = {
    .name = "host-elf",
    .summary = "programs of the host that carry code of GPUs",
    .probe = probe,
    .members = members,
};
