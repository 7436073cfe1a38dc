/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h: registers of the device that launches depend on (gpudbg_isa.device): set by the user, from a dump, or the
 * default. */
#ifndef GPUDBG_DEVICE_H
#define GPUDBG_DEVICE_H

#include "eval/eval.h"

struct device_setting; /* what the user set: the first of a list; NULL: nothing */

struct device_value {
    uint32_t value;
    const struct gpudbg_dump *from; /* the dump that holds it, or NULL */
    bool set;                       /* the user set it */
};

/* What isa->device[index] holds: as the user set it, else as the latest dump of this instruction set's family tells all
 * its bits. */
struct device_value device_value(
    const struct device_setting *, const struct loaded *, const struct gpudbg_isa *, size_t index);
/* Sets a register, or forgets what was set. */
void device_set(struct device_setting **, const struct gpudbg_device_register *, uint32_t value);
void device_forget(struct device_setting **, const struct gpudbg_device_register *);
void device_free(struct device_setting **);

#endif
