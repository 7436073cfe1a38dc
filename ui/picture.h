/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * picture.h: a grid of cells as a picture with its colours: SVG for documents, HTML for pages.  Both hold the text as
 * text, so it can be searched and copied.
 */
#ifndef UI_PICTURE_H
#define UI_PICTURE_H

#include "cells.h"
#include "theme.h"

/* The terminal that the picture imitates: light text on a dark ground, or the other way round. */
enum picture_ground { PICTURE_DARK, PICTURE_LIGHT };

void picture_svg(const struct cells *, const struct theme *, enum picture_ground, FILE *);
/* A whole page. */
void picture_html(const struct cells *, const struct theme *, enum picture_ground, FILE *);

#endif
