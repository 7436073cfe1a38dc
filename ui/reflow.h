/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reflow.h: text that was broken into lines for one width, broken for another.  Lines that go on from each other are
 * joined first, so that no line is broken twice.  What stands in a column of descriptions stays in it.
 */
#ifndef UI_REFLOW_H
#define UI_REFLOW_H

/* The text for lines of `width` columns, malloc'ed.  It is as it was if all of its lines have room. */
char *reflow(const char *text, int width);

#endif
