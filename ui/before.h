/* SPDX-License-Identifier: GPL-3.0-or-later */
/* before.h: the selected wave's registers as they were before the last command that ran something, for changed marks.
 */
#ifndef UI_BEFORE_H
#define UI_BEFORE_H

#include "gpudbg.h"
#include "session/session.h"

struct before {
    const struct gpudbg_machine *machine; /* NULL: nothing to compare with */
    uint64_t position, edits;
    uint32_t wave;
    uint32_t *words; /* machine->wave_words of them; NULL: the wave had no registers */
    size_t n;
};

/* Takes the state now. */
void before_take(struct before *, struct gpudbg *);
/* Whether the machine has moved or been changed since. */
bool before_moved(const struct before *, struct gpudbg *);
/* How many instructions lie between then and now, in either direction. */
uint64_t before_distance(const struct before *, struct gpudbg *);
void before_free(struct before *);
/* Whether any of the n dwords at `words` (as runner->reg gives them) differ from then. */
bool before_changed(const struct before *, struct gpudbg *, const uint32_t *words, size_t n);

#endif
