/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stored.h: of memory that is watched or asked about, the element that an instruction stored to. */
#ifndef GPUDBG_STORED_H
#define GPUDBG_STORED_H

#include "gpudbg/text.h"
#include "past/past.h"

/* A place in memory that past_arm armed, and what its hits are about. */
struct past_met {
    struct eval *eval;
    const struct past_place *place;
    int number;         /* that past_arm was given */
    int lane;           /* stores of this one alone count as changes; -1: of any */
    bool reads, writes; /* reads: where nothing is changed, too */
};

/* Whether the accesses of the instruction that was met changed the place. */
bool past_met_changed(const struct past_met *, uint32_t wave);
/* Finds the element that the accesses are about: the first one of the lane (-1: of any). */
void past_met_stored(const struct past_met *, uint32_t wave, int lane, struct past_stored *);

/* "c[17]", "a+0x40", or the place as it was typed. */
void past_stored_name(
    struct eval *, const struct past_place *, const struct past_stored *, const char *typed, char *buf, size_t size);
/* Its bytes, old or new ones, in the element's type; in hex where the type is not known. */
void past_stored_value(struct eval *, const struct past_place *, const struct past_stored *, const unsigned char *bytes,
    char *buf, size_t size);
/* " (and 63 more elements)", where several were stored. */
void past_stored_more(const struct past_stored *, struct text *);
bool past_stored_typed(struct eval *, const struct past_place *, const struct past_stored *);

#endif
