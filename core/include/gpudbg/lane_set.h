/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lane_set.h: a set of lanes as text.  Header-only, no part of the ABI. */
#ifndef GPUDBG_LANE_SET_H
#define GPUDBG_LANE_SET_H

#include <stdint.h>
#include "text.h"

/* Bytes of the longest text ("lanes 0,2,4, ..."), its final 0 included. */
#define LANE_SET_TEXT 256

/* A set of lanes (bit i is lane i) as all sentences and tables name it: "lane 3", "lanes 0-7,12"; "" for none.  The
 * value of a mask register is a hexadecimal number instead, and so are the members of records. */
static inline void text_add_lanes(struct text *t, uint64_t lanes)
{
    if (lanes) text_add(t, lanes & (lanes - 1) ? "lanes " : "lane ");
    for (unsigned i = 0, any = 0; i < 64; i++) {
        unsigned last = i;
        if (!(lanes >> i & 1)) continue;
        while (last < 63 && lanes >> (last + 1) & 1) last++;
        text_add(t, any++ ? ",%u" : "%u", i);
        if (last > i) text_add(t, "-%u", last);
        i = last;
    }
}

/* The same alone in a buffer, whole or marked as cut.  Returns the buffer. */
static inline const char *lane_set_text(uint64_t lanes, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add_lanes(&t, lanes);
    text_mark_cut(&t);
    return buf;
}

#endif
