/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h: what a session knows: everything that built-in and loaded plug-ins brought, in the order they came. */
#ifndef GPUDBG_REGISTRY_H
#define GPUDBG_REGISTRY_H

#include "gpudbg.h"

struct registry; /* arrays that grow; see registry.c */

struct registry *registry_new(void);
void registry_free(struct registry *);
/* Adds all that a plug-in brings; a name already taken is an error and nothing is added. */
bool registry_add(struct registry *, const struct gpudbg_plugin *, struct gpudbg_error *);
void registry_remove(struct registry *, const struct gpudbg_plugin *);

/* NULL past the end. */
const struct gpudbg_isa *registry_isa(const struct registry *, size_t i);
/* The one of that name or alias, any case; NULL: none. */
const struct gpudbg_isa *registry_isa_named(const struct registry *, const char *name);
/* As a user names it: the name of a chip will do, too.  NULL with an error: "unsupported" for a chip that a plug-in
 * knows and whose code is not read, else "no-such-name". */
const struct gpudbg_isa *registry_isa_asked(const struct registry *, const char *name, struct gpudbg_error *);
const struct gpudbg_loader *registry_loader(const struct registry *, size_t i);
const struct gpudbg_checker *registry_checker(const struct registry *, size_t i);
const struct gpudbg_command *registry_command(const struct registry *, size_t i);
const struct gpudbg_listing *registry_listing(
    const struct registry *, size_t i); /* those for the current instruction set */
/* The listing of that name that is not of some instruction sets alone; NULL: there is none. */
const struct gpudbg_listing *registry_general(const struct registry *, const char *name);
bool listing_is_of(const struct gpudbg_listing *, const char *isa); /* has that instruction set it? */
void registry_for(struct registry *, const char *isa);              /* the loaded file's instruction set, or NULL */
const struct gpudbg_reader *registry_reader(const struct registry *, size_t i);
const struct gpudbg_plugin *registry_plugin(const struct registry *, size_t i);

#endif
