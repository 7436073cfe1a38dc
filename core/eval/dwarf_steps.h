/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_steps.h: location expressions executed, for a wave and a lane as they are now. */
#ifndef GPUDBG_DWARF_STEPS_H
#define GPUDBG_DWARF_STEPS_H

#include "base/bytes.h"
#include "eval/dwarf_place.h"

/* The dword of a register that a part is in. */
bool dwarf_part_word(struct eval *, uint32_t wave, int lane, struct gpudbg_wave *caller, const struct dwarf_part *,
    uint32_t *word, struct gpudbg_error *);

/* Where the expression leads.  false: err says which operation is not understood, or what cannot be read. */
bool dwarf_steps(struct eval *, uint32_t wave, int lane, const struct gpudbg_dwarf *, struct bytes expression,
    struct dwarf_place *, struct gpudbg_error *);

/* The first register that the expression names, for a lane; *laned: it may be another one for other lanes.  false: it
 * names none. */
bool dwarf_first_register(struct eval *, uint32_t wave, int lane, const struct gpudbg_dwarf *, struct bytes expression,
    unsigned *file, unsigned *reg, bool *laned);

/* What a register held when the function was called: false, with an error that says so. */
bool dwarf_entry_value(struct gpudbg_error *);

#endif
