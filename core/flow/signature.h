/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signature.h: what code reads before anything wrote it: the registers that it is to be started with. */
#ifndef GPUDBG_SIGNATURE_H
#define GPUDBG_SIGNATURE_H

#include "flow/live.h"

/* Registers of one file that follow each other, and the instruction that reads the first of them first. */
struct signature_run {
    unsigned file;
    uint32_t first, n;
    uint64_t read; /* GPUDBG_NO_ADDR: none is known */
};

/* Calls each(to, isa, run) for the numbered registers that are surely read on some way from addr, in the order of files
 * and numbers, until it returns false.  false: err says why. */
typedef bool signature_fn(void *to, const struct gpudbg_isa *, const struct signature_run *);
bool signature_of(const struct gpudbg_image *, uint64_t addr, signature_fn *each, void *to, struct gpudbg_error *);
/* "s[12:15]", "v4" */
int signature_name(const struct gpudbg_isa *, const struct signature_run *, char *buf, size_t size);
/* Words for `launch` that set to 0 the registers that a launch does not fill itself; "" if it fills all.  Returns what
 * snprintf does. */
int signature_words(struct gpudbg *, const struct gpudbg_image *, uint64_t addr, char *buf, size_t size);

#endif
