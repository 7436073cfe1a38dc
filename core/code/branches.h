/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branches.h: texts of branches met before.  The text of a branch depends on where it stands by the labels of its
 * targets alone: kept are the rest and how far each target is from the branch.  Only texts whose targets are labels
 * such as L0080 are kept, and only those that come out right at another address, too.
 */
#ifndef GPUDBG_BRANCHES_H
#define GPUDBG_BRANCHES_H

#include "code/memo.h"
#include "code/walk.h"

#define BRANCH_TEXT 512 /* bytes of a text, at most */

/* How texts are written. */
struct branch_style {
    unsigned syntax;
    enum gpudbg_style style;
    const struct gpudbg_names *names;
};

/* The text of the branch that the walk stands at, if it is known; its length, or 0: not known, and nothing happened.
 * Else the walk goes on behind it. */
size_t branch_known(struct memo *, const struct branch_style *, struct code_walk *, char text[BRANCH_TEXT],
    const uint8_t **, uint64_t *);
/* Keeps the text of n bytes, if insn is a branch that can be kept. */
void branch_keep(struct memo *, const struct branch_style *, const struct gpudbg_insn *, const char *text, size_t n);

#endif
