/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * argument.h: one argument of a launch, for launch.c.
 *
 * What an argument may be is the kernel's parameter's to say; a word is first read as one of the forms of the command
 * line
 * (@FILE, zero:, fill:, hex:, local:, u32:, a literal, a list of literals) and then held against the parameter.
 */
#ifndef GPUDBG_ARGUMENT_H
#define GPUDBG_ARGUMENT_H

#include "gpudbg.h"
#include "base/ticker.h"

struct launch_files; /* launch.h */
struct owned;

/* A launch and all that it owns. */
struct launching {
    struct gpudbg_launch launch; /* first: what others see */
    struct gpudbg_kernel bare;   /* stands for code without kernels, or for a kernel whose parameters nobody told */
    const struct gpudbg_image *image; /* whose symbols &NAME may mean */
    bool untyped;                     /* the latter: its parameters are what the words look like */
    struct owned *owned;
    uint64_t total;              /* bytes of buffers so far */
    const struct ticker *ticker; /* asked while a pipe gives nothing; borrowed while words are read; may be NULL */
};

void *launching_keep(struct launching *, size_t size); /* zeroed, as long as the launch lives; NULL: no memory */
void launching_free(struct launching *);
bool launching_no_memory(struct gpudbg_error *);
/* "argument 2 'n' (int)"; a part by its name.  Returns buf. */
const char *launching_what(const struct gpudbg_launch *, const struct gpudbg_bound *, char *buf, size_t size);

/* Takes the type off a NAME:TYPE; NULL: there is none.  offer.c */
const char *argument_type_of(char *name);
/* Whether the parameter is of that type, as the source spells it; of one whose type nobody tells it is the type. */
bool argument_typed(struct launching *, struct gpudbg_bound *, const char *type, struct gpudbg_error *);
/* Reads bound->text, as bound->param wants it. */
bool argument_bind(struct launching *, struct gpudbg_bound *, const struct launch_files *, struct gpudbg_error *);
/* The same for a named part of bare code: the runner knows what the name means. */
bool argument_bind_part(struct launching *, struct gpudbg_bound *, const struct launch_files *, struct gpudbg_error *);
/* Parts that are memory, not register contents: buf0, uav1 ... */
bool argument_is_resource(const char *name);

#endif
