/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leads.h: where a line that was printed leads: to a position in time, with its wave and lane ("position 45088, wave 4
 * lane 1"), or to a place in the code ("matmul+0x104").
 */
#ifndef UI_LEADS_H
#define UI_LEADS_H

#include "gpudbg.h"

struct screen;

bool line_leads(const struct screen *, const char *text);
/* Goes there. */
bool line_follow(struct screen *, const char *text, struct gpudbg_error *);

#endif
