/* SPDX-License-Identifier: GPL-3.0-or-later */
/* literal.h: the literals of a launch line as bytes, for launch.c.  `what` names the argument in errors. */
#ifndef GPUDBG_LITERAL_H
#define GPUDBG_LITERAL_H

#include "gpudbg.h"

/* A number's type: 'i' signed, 'u' unsigned, 'f' float, 0 for whatever the text looks like; bytes. */
struct literal_scalar {
    char kind;
    unsigned size;
};

/* "u32:", "i8:", "f16:" ... at the start of text. */
bool literal_scalar_prefix(const char *text, struct literal_scalar *, const char **rest);
/* An integer literal, decimal or hex, perhaps negative: magnitude and sign; *end is set past it. */
bool literal_integer(const char *text, uint64_t *magnitude, bool *negative, const char **end);
/* The element of a type as OpenCL C spells it ("uchar4", "float*", "long2"): its scalar and how many; 0: unknown. */
unsigned literal_element(const char *type, struct literal_scalar *);
/* A number in hex, "0x" in front or not. */
bool literal_hex_number(const char *text, uint64_t *value);
/* n hex digits, two a byte; '_' may stand between them. */
bool literal_hex_bytes(
    const char *what, const char *text, size_t n, uint8_t *out, uint64_t *size, struct gpudbg_error *);
/* The items of a list, u32:1,f32:2.5,&buf0+16,hex:00ff; `item` is the type of those that do not say theirs.  `out` has
 * room for 8 bytes a character.  Addresses of buffers that have no segment yet are 0. */
bool literal_contents(const struct gpudbg_launch *, const char *what, const char *text, struct literal_scalar item,
    uint8_t *out, uint64_t *size, struct gpudbg_error *);
/* The bound argument of that name (n characters), or NULL. */
const struct gpudbg_bound *launch_bound_named(const struct gpudbg_launch *, const char *name, size_t n);

#endif
