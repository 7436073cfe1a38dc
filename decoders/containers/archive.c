/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * archive.c: archives of ar.  "!<arch>\n", then of each member 60 bytes (name 16, time 12, owner 6, group 6, mode 8,
 * size 10, all text, "`\n"), its bytes, and a byte that makes their number even.  Long names are in the member "//"
 * ("/123" is their offset there) or, of BSD, in front of the bytes ("#1/20" is their length).
 */
#include "containers.h"
#include <ctype.h>
#include <string.h>

#define MAGIC "!<arch>\n"
enum { MAGIC_SIZE = 8, HEADER = 60, NAME = 16 };

static int probe(const uint8_t *b, size_t n, const char **why)
{
    *why = "begins with \"!<arch>\", as archives do";
    return n >= MAGIC_SIZE && memcmp(b, MAGIC, MAGIC_SIZE) == 0 ? 80 : 0;
}

/* Digits in at most `size` bytes, blanks behind; false: it is none. */
static bool number(const uint8_t *at, size_t size, uint64_t *value)
{
    size_t i = 0;
    *value = 0;
    while (i < size && isdigit(at[i])) *value = 10 * *value + (uint64_t)(at[i++] - '0');
    const bool digits = i > 0;
    while (i < size && at[i] == ' ') i++;
    return digits && i == size;
}

struct long_names {
    const uint8_t *bytes;
    size_t n;
};

static const char *name_of(struct gpudbg_image *image, const uint8_t *header, const struct long_names *names,
    const uint8_t **bytes, uint64_t *size)
{
    uint64_t value;
    if (header[0] == '/' && number(header + 1, NAME - 1, &value) && value < names->n) {
        const uint8_t *at = names->bytes + value;
        size_t n = 0;
        while (n < names->n - value && at[n] != '\n' && at[n] != '/') n++;
        return gpudbg_image_string(image, (const char *)at, n);
    }
    if (memcmp(header, "#1/", 3) == 0 && number(header + 3, NAME - 3, &value) && value <= *size) {
        const char *name = gpudbg_image_string(image, (const char *)*bytes, (size_t)value);
        *bytes += value;
        *size -= value;
        return name;
    }
    size_t n = NAME;
    while (n && (header[n - 1] == ' ' || header[n - 1] == '/')) n--;
    return gpudbg_image_string(image, (const char *)header, n);
}

static bool is_index(const uint8_t *header)
{
    return (header[0] == '/' && (header[1] == ' ' || memcmp(header, "/SYM64/", 7) == 0)) ||
           memcmp(header, "__.SYMDEF", 9) == 0;
}

static bool members(struct gpudbg_image *image, gpudbg_member_fn *each, void *to, struct gpudbg_error *err)
{
    struct long_names names = {NULL, 0};
    uint64_t at = MAGIC_SIZE, size;
    while (at < image->size) {
        const uint8_t *header = within(image->bytes, image->size, at, HEADER);
        if (!header || header[58] != '`' || header[59] != '\n' || !number(header + 48, 10, &size))
            return gpudbg_fail(
                err, "truncated", "the archive has no member's header at 0x%llx", (unsigned long long)at);
        const uint8_t *bytes = within(image->bytes, image->size, at + HEADER, size);
        if (!bytes)
            return gpudbg_fail(err, "truncated", "the member at 0x%llx has %llu bytes: the archive ends before",
                (unsigned long long)at, (unsigned long long)size);
        at += HEADER + size + (size & 1);
        if (memcmp(header, "//", 2) == 0) {
            names = (struct long_names){bytes, (size_t)size};
        } else if (!is_index(header)) {
            struct gpudbg_member m = {.name = name_of(image, header, &names, &bytes, &size)};
            m.bytes = bytes;
            m.size = (size_t)size;
            if (!m.name) return gpudbg_fail(err, "too-large", "the archive's names take too much memory");
            if (!each(to, &m)) return true;
        }
    }
    return true;
}

const struct gpudbg_loader container_archive = {
    .name = "archive",
    .summary = "archives of ar (lib.a)",
    .probe = probe,
    .members = members,
};
