/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.h: how a failure is reported, and forward declarations; every other header includes it. */
#ifndef GPUDBG_PUBLIC_ERROR_H
#define GPUDBG_PUBLIC_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GPUDBG_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define GPUDBG_PUBLIC __attribute__((visibility("default")))
#else
#define GPUDBG_PRINTF(f, a)
#define GPUDBG_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Forward declarations: types that other parts define ---- */

struct gpudbg;      /* a session: what is loaded, launched, selected, configured */
struct gpudbg_args; /* the words of a command line, read from the left */
struct gpudbg_out;  /* where results go: text, JSON Lines or rows of a pane */
struct gpudbg_insn;
struct gpudbg_isa;
struct gpudbg_image;
struct gpudbg_machine;
struct gpudbg_wave;
struct regdb; /* databases of registers and enumerations */

/* ---- Errors ---- */

/* One failure, in one lower-case line that names the thing and the wrong number.  `kind` is one of the fixed
 * words that `help errors` lists with their meanings: "usage", "no-such-name", "out-of-range", "truncated", ...
 * line and column count from 1; 0 is unknown; offset counts bytes of the file, -1 is unknown. */
struct gpudbg_error {
    const char *kind; /* static, a word of `help errors`; NULL: no error */
    char file[256];
    long line, column;
    int64_t offset;
    char message[512];
};

/* Fills *err (keeping a file, line and offset already there) and returns false.  kind: a word of `help errors`. */
GPUDBG_PUBLIC bool gpudbg_fail(struct gpudbg_error *err, const char *kind, const char *fmt, ...) GPUDBG_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
