/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_picture.h: images in memory, for other commands. */
#ifndef GPUDBG_CMD_PICTURE_H
#define GPUDBG_CMD_PICTURE_H

#include "command/drawing.h"
#include "gpudbg.h"

/* Adds the image that the words of `picture` name to a drawing. */
bool picture_draw(struct gpudbg *, const char *words, struct drawing *, struct gpudbg_error *);

#endif
