/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seek.h: text that is looked for in code of any size.  A unit holds it if its text does, in any case, or a label
 * before it.  What an instruction set can say about the dwords of such instructions is looked for first, at the speed
 * of memory; else units are printed by the thousand, and the text is looked for in all of them at once.  Only where it
 * is met are units looked at one by one.
 */
#ifndef UI_SEEK_H
#define UI_SEEK_H

#include "code.h"

#define SEEK_MASKS 24 /* dwords are compared with; more take longer than printing */

struct seek {
    struct gpudbg *g;
    const struct gpudbg_image *image;
    const char *what;
    struct code_labels labels;
    void *printer; /* of the instruction set, or NULL */
    char *sought;  /* `what` in small letters */
    char *text;    /* of units, each with a newline behind it */
    size_t length, printed;
    bool in_labels; /* labels that have no symbol may hold it */
    struct gpudbg_masked mask[SEEK_MASKS];
    int masks; /* -1: nothing is known of the dwords */
};
void seek_open(struct seek *, struct gpudbg *, const char *what); /* `what` stays the caller's */
void seek_close(struct seek *);

enum seek_end { SEEK_MET, SEEK_NOWHERE, SEEK_STOPPED };
/* The nearest unit after (before) the one at *at, which moves there, or to where the user stopped the search. */
enum seek_end seek_after(struct seek *, uint64_t *at);
enum seek_end seek_before(struct seek *, uint64_t *at);

#endif
