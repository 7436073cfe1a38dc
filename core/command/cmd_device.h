/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_device.h: what `set` does with `device NAME VALUE`. */
#ifndef GPUDBG_CMD_DEVICE_H
#define GPUDBG_CMD_DEVICE_H

#include "gpudbg.h"

/* text: "NAME VALUE", or "NAME default", which forgets what was set. */
bool device_set_command(struct gpudbg *, const char *text, struct gpudbg_error *);

#endif
