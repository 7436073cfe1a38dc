/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operands.h: operands of an instruction's text by kind: registers, constants, labels. */
#ifndef UI_OPERANDS_H
#define UI_OPERANDS_H

#include "gpudbg.h"
#include "cells.h"

/* Gives the words of `text`, which was written at (x, y), the styles of what they are. */
void operands_style(const struct area *, int x, int y, const struct gpudbg_isa *, const char *text);

#endif
