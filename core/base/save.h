/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save.h: bytes to a file. */
#ifndef GPUDBG_SAVE_H
#define GPUDBG_SAVE_H

#include "gpudbg.h"

/* Writes a file whole: when it fails (a full disk), what the file held before is still there.  Pipes, devices and links
 * are written straight. */
bool save_bytes(const char *path, const void *bytes, size_t size, struct gpudbg_error *);

#endif
