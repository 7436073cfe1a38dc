/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registers_shown.h: registers of the selected wave as panes show them. */
#ifndef UI_REGISTERS_SHOWN_H
#define UI_REGISTERS_SHOWN_H

#include "inside.h"
#include "eval/typed.h"

/* The dwords of a register, all lanes; NULL: no machine, no such register, or the wave's registers are gone. */
const uint32_t *register_words(struct gpudbg *, unsigned file, unsigned index);
unsigned register_count(struct gpudbg *, unsigned file);
/* The file of registers of many bytes that belong to no lane; -1: there is none. */
int register_wide_file(struct gpudbg *);
int register_name(struct gpudbg *, unsigned file, unsigned index, char *buf, size_t size);
/* As many hex digits as it has bits; of `lane` if it has lanes.  "?" where it cannot be read. */
int register_hex(struct gpudbg *, unsigned file, unsigned index, int lane, char *buf, size_t size);
/* One register, or a pair, by its type, as `print` shows it, a float in so many columns; else in hex. */
int register_typed(
    struct gpudbg *, unsigned file, unsigned index, unsigned count, int lane, int w, char *buf, size_t size);
bool register_changed(struct screen *, unsigned file, unsigned index, int lane); /* lane -1: any */
/* The form that the user chose for the register; else that of the pane; where that is NULL, by its last writer in the
 * selected lane (typed.h; NULL: nobody says). */
const struct form *register_form(struct gpudbg *, unsigned file, unsigned index, const struct form *of_pane);
/* The same for a row of lanes, of which those in `counts` run; and of one lane of that row, which may have another. */
const struct form *register_lanes_form(
    struct gpudbg *, unsigned file, unsigned index, uint64_t counts, const struct form *of_pane);
const struct form *register_lane_form(
    struct gpudbg *, unsigned file, unsigned index, int lane, const struct form *of_pane, const struct form *of_row);
/* Why there are no registers to show; NULL: there are. */
const char *registers_missing(struct gpudbg *, char *buf, size_t size);

/* There is no cursor yet; now there is. */
bool register_unchosen(struct gpudbg_error *);

/* Which rows a small pane shows, the most wanted first: those that changed, then those that the next instruction reads,
 * then those that it writes, then who was shown before.  It is kept from call to call; n is how many fit. */
struct register_choice {
    uint16_t index[256];
    int count;
    int changed; /* registers of the file that changed, shown or not */
};
void registers_choose(struct screen *, unsigned file, struct register_choice *, int n);

#endif
