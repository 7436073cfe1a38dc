/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packed.h: files that are packed by xz, zstd, bzip2, lzip or lz4, and text of 16 bits a character: what they hold is
 * put into a file without a name, within a limit.  gzip is zlib's, which reads such a file as it is.
 */
#ifndef GPUDBG_PACKED_H
#define GPUDBG_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/ticker.h"
#include "gpudbg/error.h"

/* What packs bytes that begin so: "xz", ..., "UTF-16"; NULL: nothing of these. */
const char *unpack_kind(const uint8_t *bytes, size_t n);

/* What the regular file fd holds, unpacked, at its start; fd is closed.  Where nothing is packed, fd itself.  At most
 * `most` bytes (0: no limit) are unpacked: *problem says that, or that the stream is damaged, else it is NULL; it is
 * static.  -1 with an error of kind "io", "memory" or "interrupt". */
int unpack_file(int fd, uint64_t most, const struct ticker *, const char **problem, struct gpudbg_error *);

/* The first n bytes of what fd holds, unpacked if it is; how many there are.  fd stands at its start afterwards. */
size_t unpack_head(int fd, uint8_t *bytes, size_t n);

/* What a file is that begins so, for people ("a ZIP archive"), where gpudbg does not read it; NULL: not known. */
const char *file_kind(const uint8_t *bytes, size_t n);

#endif
