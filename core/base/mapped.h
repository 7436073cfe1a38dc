/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mapped.h: files in memory that may become shorter while they are open.  The system answers a read behind the end with
 * SIGBUS; here that read gives zeros instead, and the mapping remembers that it was cut off.  One table a process,
 * because a signal handler finds nothing else.
 */
#ifndef GPUDBG_MAPPED_H
#define GPUDBG_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `size` bytes of the file, to be read only; NULL: it cannot be mapped, or too many are (then it is read instead).
 * The file may be closed. */
const uint8_t *mapped_open(int fd, size_t size);
void mapped_close(const uint8_t *);
/* Whether the file has become shorter than it was, so that bytes of the mapping may be zeros that stand in for it. */
bool mapped_cut(const uint8_t *);

#endif
