/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * theme.h: how each style looks, read from share/themes/NAME.  A line is
 *
 *     STYLE  FOREGROUND[/BACKGROUND] [ATTRIBUTE]...  | [ATTRIBUTE]...
 *
 * colours: default black red green yellow blue magenta cyan white, or a number up to 255 of those that xterm has;
 * attributes: bold dim underline reverse.  What stands behind the bar is used where there is no colour.
 */
#ifndef UI_THEME_H
#define UI_THEME_H

#include "gpudbg.h"
#include "cells.h"

enum theme_attribute { THEME_BOLD = 1, THEME_DIM = 2, THEME_UNDERLINE = 4, THEME_REVERSE = 8 };

struct theme {
    struct look {
        int16_t foreground, background; /* 0 to 255: 0 to 7 as in ANSI; -1: the terminal's own */
        uint8_t attributes, plain;      /* with and without colour */
    } look[STYLE_COUNT];
};

/* Reads the theme over *theme; on an error *theme is as it was. */
bool theme_read(struct theme *, const char *path, struct gpudbg_error *);
/* Red, green and blue of a colour from 16 on, as xterm has it. */
uint32_t theme_rgb(int colour);
/* What holds when no theme can be read: attributes only. */
void theme_plain(struct theme *);

#endif
