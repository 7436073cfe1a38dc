/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pair.h: which of the kernels that `--stats-diff` compared is to be shown side by side. */
#ifndef UI_PAIR_H
#define UI_PAIR_H

#include "command/measure_files.h"

/* Asks on the terminal; NULL: none. */
const struct batch_pair *pair_ask(const struct batch_pairs *);
/* The command that compares the code of the pair's new file with the loaded one; free it. */
char *pair_command(const struct batch_pair *);

#endif
