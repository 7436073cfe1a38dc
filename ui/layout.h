/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.h: where panes stand.  A layout is written as one line:
 *
 *     code:8/fields:5@44|scalar:4/lanes:4/waves:4@35;prompt:5
 *
 * bands one below the other (;) hold columns side by side (|) of panes one below the other (/).  A number after ':' is
 * how many rows a pane wants below its rule, one after '@' how many columns its column wants; all are shares of what
 * there is.
 */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include "gpudbg.h"
#include "cells.h"

struct pane;
struct screen;

#define LAYOUT_PLACES 24

struct layout {
    struct place {
        struct pane *pane;
        int band, column;
        int rows;       /* wanted, its rule included */
        int columns;    /* wanted by its column */
        int x, y, w, h; /* where it is, its rule included; h 0: there is no room */
    } place[LAYOUT_PLACES];
    int count;
};

/* Reads a specification; panes are made where needed.  A pane that is not known is an error, or (lenient) left out. */
bool layout_read(struct layout *, struct screen *, const char *spec, bool lenient, struct gpudbg_error *);
/* The specification of a layout as it is now. */
int layout_text(const struct layout *, char *buf, size_t size);
/* The specification of a named layout for a terminal of this size, or NULL. */
const char *layout_named(const char *name, int columns);
const char *layout_name(size_t i); /* NULL past the last */
/* Gives every pane its place in the rectangle. */
void layout_fit(struct layout *, int x, int y, int w, int h);
/* Makes a pane taller (or lower) or its column wider by n; what stands beside it gives way. */
void layout_grow(struct layout *, const struct pane *, int rows, int columns);
struct place *layout_place(struct layout *, const struct pane *);
struct place *layout_at(struct layout *, int x, int y); /* what stands there; NULL: nothing */

#endif
