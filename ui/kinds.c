/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.c: the list of all kinds of panes. */
#include "pane.h"

static const struct pane_kind *const named[] = {
#define X(name) &pane_##name,
    PANE_KINDS(X) NULL,
#undef X
};

const struct pane_kinds pane_kinds = {named, &pane_listing};
