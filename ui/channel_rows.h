/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * channel_rows.h: registers of many bytes as a number for each channel: those that operands of the code read or write
 * channel beside channel, from the first byte of a register on.  Of 16 channels, floats take two of Intel's registers.
 */
#ifndef UI_CHANNEL_ROWS_H
#define UI_CHANNEL_ROWS_H

#include "registers_shown.h"

#define CHANNEL_ROWS 256

struct channels {
    const struct gpudbg_image *image; /* whose code was read, from here ... */
    const uint8_t *bytes;
    unsigned lanes;
    uint8_t sizes[CHANNEL_ROWS]; /* of each register that begins such a row: the bytes of a number, a bit each */
    uint16_t row[CHANNEL_ROWS];  /* those registers */
    int rows;
};

/* Reads the code that the wave is in, unless it has been read. */
void channels_take(struct channels *, struct gpudbg *);
/* How the numbers of the row that begins in a register are shown; `of_pane` goes before where it is as large. */
const struct form *channels_form(const struct channels *, struct gpudbg *, unsigned reg, const struct form *of_pane);
/* The bytes of one channel's number of so many bytes; NULL: they cannot be read. */
const uint8_t *channel_bytes(struct gpudbg *, unsigned reg, unsigned size, unsigned lane);
/* Any of the registers of a row has changed. */
bool channels_changed(struct screen *, unsigned reg, unsigned size, unsigned lanes);

#endif
