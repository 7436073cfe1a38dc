/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buffer_format.h: typed buffer elements, between memory and four words.  Formats are numbered as in the buffer
 * descriptor (Sea Islands register reference, chapter 5: DATA_FORMAT, NUM_FORMAT).
 */
#ifndef GCN_BUFFER_FORMAT_H
#define GCN_BUFFER_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of an element: 1, 2, 4, 8, 12, 16; 0: no such format, loads give 0 and stores do nothing. */
unsigned gcn_format_bytes(unsigned dfmt);
/* The data and number format of a format of newer chips, which has one number for both; false: there is no such format.
 */
bool gcn_format_newer(unsigned format, unsigned *dfmt, unsigned *nfmt);
enum { GCN_BUFFER_32_UINT = 20 }; /* such a format */
/* What is out of range in a buffer of newer chips (enums.def, OOB_SELECT). */
enum gcn_bounds { GCN_BOUNDS_STRIDE, GCN_BOUNDS_INDEX, GCN_BOUNDS_DISABLED, GCN_BOUNDS_RAW };
/* Whether the components can have the number format: there are floats of 32, 16, 11 and 10 bits, those of 10 only
 * together with those of 11. */
bool gcn_format_fits(unsigned dfmt, unsigned nfmt);
/* raw: the element, as little-endian dwords.  Components that the format lacks are 0, 0, 0, one. */
void gcn_format_load(unsigned dfmt, unsigned nfmt, const uint32_t raw[4], uint32_t out[4]);
void gcn_format_store(unsigned dfmt, unsigned nfmt, const uint32_t in[4], uint32_t raw[4]);
/* Bits of the components x, y, z, w, from bit 0 of the element on. */
const uint8_t *gcn_format_widths(unsigned dfmt);
/* One component of `bits` bits, 1 to 32; number formats 0 to 7, as buffers and images share them. */
uint32_t gcn_component_load(uint32_t v, unsigned bits, unsigned nfmt);
uint32_t gcn_component_store(uint32_t v, unsigned bits, unsigned nfmt);
/* A loaded component as a half, and a half as a component to be stored: numbers are halves, integers their low 16 bits,
 * by sign.  Rounded to the nearest, which no source says. */
uint32_t gcn_format_half(unsigned nfmt, uint32_t value);
uint32_t gcn_format_whole(unsigned nfmt, uint32_t half);
/* The word for the number one in a number format: 1 or 1.0. */
uint32_t gcn_format_one(unsigned nfmt);

#endif
