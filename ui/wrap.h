/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap.h: a pane whose long rows go on in the next row of its area, behind a mark. */
#ifndef UI_WRAP_H
#define UI_WRAP_H

#include "pane.h"

/* Draws the pane so that its cursor is to be seen; false: there is no memory for it. */
bool wrap_draw(struct pane *, const struct area *);

#endif
