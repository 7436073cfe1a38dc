/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bytes.h"
#include <inttypes.h>

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

static uint64_t read_le(struct bytes b, size_t offset, unsigned n)
{
    uint64_t value = 0;
    if (offset > b.size || n > b.size - offset) return 0;
    for (unsigned i = 0; i < n; i++) value |= (uint64_t)b.at[offset + i] << 8 * i;
    return value;
}

uint32_t bytes_u32(struct bytes b, size_t offset) { return (uint32_t)read_le(b, offset, 4); }
