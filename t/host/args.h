/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line that the host programs of the kernel tests share.  It follows gpudbg's own `launch`:
 *
 *     PROGRAM ... KERNEL -g X[,Y[,Z]] -l X[,Y[,Z]] ARG... [--save N FILE]...
 *
 * ARG is @FILE, zero:BYTES, fill:BYTES:BYTEVALUE, local:BYTES, hex:BYTES or a number; an image is @FILE or zero:BYTES
 * with :FORMAT:WxH[xD] behind it.  A number stays text until the
 * kernel's parameter says its type.  --save writes buffer N (counted from 0, all arguments counted) after the run.
 * Any mistake in the command line ends the program with status 2: these programs are only run by the tests.
 */
#ifndef HOST_ARGS_H
#define HOST_ARGS_H

#include <stddef.h>
#include <stdint.h>

enum { HOST_MAX_ARGS = 32 };

enum host_kind { HOST_BYTES, HOST_LOCAL, HOST_NUMBER };

struct host_arg {
    enum host_kind kind;
    const char *text; /* as typed */
    uint8_t *bytes;   /* HOST_BYTES: `size` bytes, read and written by the run */
    size_t size;      /* HOST_BYTES, HOST_LOCAL: bytes */
    char format[32];  /* of an image, or "" */
    size_t image[3];  /* its sizes; 0 where not given */
};

struct host_save {
    unsigned arg;
    const char *path;
};

struct host_run {
    const char *kernel;
    unsigned dims;              /* 1 to 3 */
    size_t global[3], local[3]; /* work-items; 1 in dimensions that are not used */
    unsigned nargs, nsaves;
    struct host_arg arg[HOST_MAX_ARGS];
    struct host_save save[HOST_MAX_ARGS];
};

/* Ends the program with status 2 and a line on standard error. */
_Noreturn void host_fail(const char *format, ...);

/* The whole file, `*size` bytes with a zero byte behind them; the caller frees it. */
char *host_read_file(const char *path, size_t *size);

/* Parses the words from KERNEL on. */
void host_parse(struct host_run *run, int argc, char **argv);

/* Writes the buffers that --save named. */
void host_write_saves(const struct host_run *run);

void host_free(struct host_run *run);

#endif
