/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bytes.h"
#include <string.h>
#include <inttypes.h>
#include "gpudbg/endian.h"

bool bytes_part(
    struct bytes b, uint64_t offset, uint64_t size, const char *what, struct bytes *out, struct gpudbg_error *err)
{
    if (offset > b.size || (size && offset == b.size)) {
        gpudbg_fail(err, "bad-offset", "%s: offset 0x%" PRIx64 " is past the end (0x%zx)", what, offset, b.size);
        err->offset = (int64_t)(offset > INT64_MAX ? INT64_MAX : offset);
        return false;
    }
    if (size > b.size - offset) {
        gpudbg_fail(err, "truncated", "%s: %" PRIu64 " bytes at 0x%" PRIx64 ", only %" PRIu64 " are there", what, size,
            offset, (uint64_t)b.size - offset);
        err->offset = (int64_t)offset;
        return false;
    }
    *out = (struct bytes){b.at + offset, (size_t)size};
    return true;
}

uint32_t bytes_u32(struct bytes b, size_t offset)
{
    return offset > b.size || b.size - offset < 4 ? 0 : le_u32(b.at + offset);
}

bool bytes_are_text(const uint8_t *bytes, size_t n)
{
    size_t odd = 0;
    if (n > 4096) n = 4096;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == 0) return false;
        odd += bytes[i] < 32 && !strchr("\t\n\r\f\b\033\035", bytes[i]);
    }
    return n && odd * 20 <= n;
}

bool bytes_are_lines(const uint8_t *bytes, size_t n)
{
    if (n > 4096) n = 4096;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] > 126 || (bytes[i] < 32 && !strchr("\t\n\r\f", bytes[i])) || !bytes[i]) return false;
    return n && memchr(bytes, '\n', n);
}
