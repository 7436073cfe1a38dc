/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane.h: a pane is one way of looking: a name, how it draws itself into an area, and what it does with the actions of
 * the command `pane` (which keys are bound to).  A kind is one const row and one file.  Any listing is a pane too
 * (pane_listing.c), so only what is shaped needs a kind of its own.
 *
 * Most panes are lists: rows from 0 to count, a cursor, and the first row shown.  pane_list_act moves in them and
 * finds.
 */
#ifndef UI_PANE_H
#define UI_PANE_H

#include "session/session.h"
#include "cells.h"
#include "eval/form.h"

struct screen;
struct pane;

/* clang-format off */
#define PANE_ACTIONS(X)                                                                                              \
    X(UP, "up") X(DOWN, "down") X(LEFT, "left") X(RIGHT, "right") X(PAGE_UP, "page-up") X(PAGE_DOWN, "page-down")     \
    X(HALF_UP, "half-up") X(HALF_DOWN, "half-down") X(TOP, "top") X(BOTTOM, "bottom") X(SCROLL_UP, "scroll-up")       \
    X(WIDTH, "width") X(TYPE, "type") X(COMPARE, "compare") X(SEGMENT, "segment")                  \
    X(SCROLL_DOWN, "scroll-down") X(FOLLOW, "follow") X(BACK, "back") X(HERE, "here") X(FIND, "find")                 \
    X(FIND_NEXT, "find-next") X(FIND_PREVIOUS, "find-previous") X(FORMAT, "format") X(GOTO, "goto") X(ROW, "row") \
    X(FILE, "file") X(SIDE_LEFT, "scroll-left") X(SIDE_RIGHT, "scroll-right") X(WRAP, "wrap") X(PIN, "pin")           \
    X(DIFFERING, "differing") X(ORIGIN, "origin") X(OPERAND, "operand") X(OFF, "off") X(COPIES, "copies") \
    X(HEAT, "heat") X(STEP, "step") X(STEP_BACK, "step-back")
/* clang-format on */

enum pane_action {
#define X(id, name) PANE_##id,
    PANE_ACTIONS(X)
#undef X
};

#define PANE_BIT(action) (UINT64_C(1) << PANE_##action)

struct pane_kind {
    const char *name, *summary;
    size_t own; /* bytes of state, zeroed when the pane is made */
    void (*draw)(struct pane *, const struct area *);
    /* What stands behind the name in the pane's rule; NULL: nothing.  Like snprintf. */
    int (*title)(struct pane *, char *buf, size_t size);
    /* Does the action; arg is what stood behind it.  false: an error says why not.  NULL: pane_list_act. */
    bool (*act)(struct pane *, enum pane_action, const char *arg, struct gpudbg_error *);
    int (*row_text)(struct pane *, int row, char *buf, size_t size); /* for finding; NULL: nothing to find */
    bool across;                                                     /* its cursor moves to the left and right */
    bool keeps;                                 /* draw itself leaves some columns where they are: pane_scrolled */
    bool live;                                  /* it shows memory alone, so it is drawn while the program runs, too */
    bool fits;                                  /* it arranges itself by its width: nothing is to be seen beside it */
    uint64_t takes;                             /* PANE_BIT of actions that are its own, where other panes leave them to
                                                   one of them, and y is about the value under the cursor */
    bool (*address)(struct pane *, uint64_t *); /* of the code under the cursor; NULL: there never is any */
    /* The value under the cursor as an expression; false: an error says why there is none.  NULL: it has no values. */
    bool (*value)(struct pane *, char *buf, size_t size, struct gpudbg_error *);
    /* The same of the n-th register that the instruction under the cursor names; NULL: it shows none. */
    bool (*operand)(struct pane *, unsigned n, char *buf, size_t size, struct gpudbg_error *);
    bool (*reg)(
        struct pane *, unsigned *file, unsigned *index); /* the register under the cursor; NULL: there is none */
    uint64_t (*lacks)(struct pane *); /* PANE_BIT of actions without a meaning for what it shows now: the key bar leaves
                                         them out; NULL: all have one */
    bool (*idle)(struct pane *);      /* it has nothing to show; NULL: it always has */
    int (*rows)(struct pane *);       /* how many rows it has use for, 0: as many as there are; NULL: the same */
    /* A command is about to run: remember what is shown; or (settle) it moved the program: marks now compare with what
     * was remembered last.  NULL: nothing to remember. */
    void (*remember)(struct pane *, bool settle);
    void (*close)(struct pane *); /* frees what `own` points at */
};

struct pane {
    const struct pane_kind *kind;
    const char *name; /* kind's, or the listing's */
    struct screen *screen;
    struct gpudbg *g;
    int top, cursor, count; /* of a list */
    int shown;              /* rows of the area it was last drawn in */
    int columns;            /* and its columns */
    int side;               /* columns that are scrolled out to the left */
    bool more;              /* something goes on to the right; draw may set it */
    bool wrap;              /* long rows go on in the next */
    uint16_t *wrapped;      /* ... of which each row of the area shows a part: the row that draw knows */
    int nwrapped;
    bool active;     /* has the focus: shows a cursor */
    char title[200]; /* as it was last drawn */
    void *own;
};

/* The pane of that name (a kind or a listing), made when first asked for; NULL with an error. */
struct pane *pane_named(struct screen *, const char *name, struct gpudbg_error *);
void pane_free(struct pane *);
bool pane_act(struct pane *, enum pane_action, const char *arg, struct gpudbg_error *);
bool pane_list_act(struct pane *, enum pane_action, const char *arg, struct gpudbg_error *);
/* PANE_ROW comes from a click; its argument is "ROW COLUMN" inside the pane. */
int pane_click_column(const char *arg);
/* The address of the code under the cursor; false: there is none. */
bool pane_address(struct pane *, uint64_t *);
/* It has nothing to show, and not the focus. */
bool pane_idle(struct pane *);
/* Clamps cursor and top so that the cursor is inside what `rows` rows show; call it from draw with count set. */
void pane_list_fit(struct pane *, int rows);
/* What stands to the right of column x, scrolled sideways as the pane is. */
struct area pane_scrolled(const struct pane *, const struct area *, int x);
struct pane_spot { /* where an item stands in a pane that has several on a row */
    int row, x;
};
/* Moves the cursor to the item on the next row (step -1: the one before) that stands nearest. */
void pane_cursor_row(struct pane *, struct pane_spot (*spot)(const struct pane *, int item), int step);
/* The item under a click, whose argument is that of PANE_ROW with `row` in place of its row; -1: none is. */
int pane_item_at(
    const struct pane *, struct pane_spot (*spot)(const struct pane *, int item), int row, const char *arg);
/* The action named, and the rest of the words behind it; -1: none. */
int pane_action_named(const char *name);
const char *pane_action_name(unsigned action); /* NULL past the last */
/* A move that may be repeated: `pane down 5`. */
bool pane_action_moves(enum pane_action);

/* The elements in n bytes, in a form other than `a`, in at most `width` columns: all of them as `print` shows them; a
 * number alone that has no room is rounded (1.23, 1.2e-30; integers as 123k, 4.3G); else the mark alone. */
void pane_elements(
    const struct cells *, const struct form *, const void *bytes, size_t n, int width, char *buf, size_t size);
/* The form that `pane format ARG` names for a pane of registers, into *form (NULL for `a`). */
bool pane_form(struct pane *, const char *arg, const struct form **form, struct gpudbg_error *);

/* Rows of a listing that a pane may have: `set row-limit`. */
int pane_rows_most(const struct pane *);
/* What is behind the last '/'. */
const char *path_base(const char *path);

/* Every kind but that of listings.  To add one, write its name here and a `const struct pane_kind pane_NAME` in a file
 * of ui/. */
/* clang-format off */
#define PANE_KINDS(X)                                                                                                \
    X(code) X(source) X(fields) X(scalar) X(lanes) X(memory) X(lds) X(prompt) X(welcome) X(keys) X(region) X(rows)   \
    X(decoded) X(packets) X(log) X(regs) X(explain) X(pager) X(display) X(origin) X(strip) X(flow) X(timeline)   \
    X(picture) X(compare)
/* clang-format on */
#define X(name) extern const struct pane_kind pane_##name;
PANE_KINDS(X)
#undef X
extern const struct pane_kind pane_listing;
/* All of them.  Who opens a screen passes them (struct screen_options), so that panes need not name each other. */
struct pane_kinds {
    const struct pane_kind *const *named; /* those of PANE_KINDS, then NULL */
    const struct pane_kind *listing;      /* shows any listing */
};
extern const struct pane_kinds pane_kinds; /* kinds.c */

#endif
