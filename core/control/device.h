/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h: registers of the device that launches depend on (isa->device): what the user set, else what a dump tells, else the
 * instruction set's own value. */
#ifndef GPUDBG_DEVICE_H
#define GPUDBG_DEVICE_H

#include "gpudbg.h"

/* "NAME VALUE", or "NAME default" to forget what was set. */
bool device_set(struct gpudbg *, const char *text, struct gpudbg_error *);
void device_free(struct gpudbg *);
/* The index-th register's value; *from: the dump that tells it, or NULL; *set: whether the user did. */
uint32_t device_value(struct gpudbg *, const struct gpudbg_isa *, size_t index, const struct gpudbg_dump **from, bool *set);

#endif
