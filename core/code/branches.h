/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branches.h: remembers texts of branches.  When a branch moves to another address, only the labels of its targets
 * change in its text.  So the rest of the text is kept, with the distance from the branch to each target.  A text is
 * kept if its targets are labels such as L0080, and if the text that is made for another address is right, too.
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

/* Writes the text of the branch at the walk's place, and moves the walk behind the branch.  Returns the text's length;
 * 0: the text is not known, and the walk has not moved. */
size_t branch_known(struct memo *, const struct branch_style *, struct code_walk *, char text[BRANCH_TEXT],
    const uint8_t **, uint64_t *);
/* Keeps the text of n bytes, if insn is a branch that can be kept. */
void branch_keep(struct memo *, const struct branch_style *, const struct gpudbg_insn *, const char *text, size_t n);

#endif
