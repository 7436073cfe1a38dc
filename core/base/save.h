/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save.h: bytes to a file. */
#ifndef GPUDBG_SAVE_H
#define GPUDBG_SAVE_H

#include "base/ticker.h"
#include "gpudbg.h"

/* Writes a file whole: whatever ends it (a full disk, a signal, a crash of the machine), the file holds all of the new
 * bytes or all of the old ones.  A symbolic link stays one.  Pipes, devices and files in a folder that takes no new
 * ones are written straight.  While a pipe has no reader, or its reader is slow, the ticker is asked 20 times a second
 * whether to go on; false with an error of kind "interrupt" if not.  Other failures are of kind "io". */
bool save_bytes(const char *path, const void *bytes, size_t size, const struct ticker *, struct gpudbg_error *);

#endif
