/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_file.h: a session as the lines of a saved one (session/saved.h), and back.
 *
 *     code CONTENT PATH kind KIND [isa ISA] [raw] base ADDR      the file that is loaded
 *     added CONTENT NAME ADDR                                    bare code beside it
 *     patch ADDR BYTES TEXT
 *     set NAME VALUE; device NAME VALUE; check KIND
 *     dump CONTENT PATH format NAME base ADDR
 *     input CONTENT NAME                                         what @NAME of the launch is
 *     launch WORDS | restored WAVES
 *     run INSTRUCTIONS [wave WAVE]                               what was done since, in order
 *     register WAVE FILE INDEX DWORD BYTES; memory WAVE SPACE ADDR BYTES; pc WAVE ADDR
 *     break NUMBER POINT [at ADDR on|off]...
 *     watch NUMBER r|w|rw POINT [register LANE | memory SPACE KIND BITS [ADDR SIZE]...]
 *     catch NUMBER POINT
 *     commands NUMBER LINE...                                    they run only once the user says so
 *     display LETTER SIZE EXPR
 *     bookmark NAME SPOT; note TEXT SPOT
 *     layout SPEC
 *     selected WAVE LANE CURSOR
 *     position N HASH                                            where it stands; the machine's hash there
 *
 * POINT: on|off [once] [hits N] [ignore N] [wave N] [lane N] what TEXT [if COND]
 * SPOT: [position N wave N lane N [forgotten]] [place ADDR] [line N DUMP]
 *
 * Opening one runs nothing but the launch.
 */
#ifndef GPUDBG_SESSION_FILE_H
#define GPUDBG_SESSION_FILE_H

#include "session/saved.h"
#include "session/session.h"

/* Told of a file that a session names and does not hold. */
typedef void session_beside(void *data, const char *name, uint64_t size);
/* Writes the session to FILE, *size bytes.  paths: files that it does not hold are named by their whole path; else so
 * that no home folder is named (base/sent.h). */
bool session_write(
    struct gpudbg *, const char *path, bool paths, session_beside *, void *data, uint64_t *size, struct gpudbg_error *);
/* Of all that a saved session holds, but for where one stands in it. */
uint64_t session_digest(struct gpudbg *);
/* Whether the file is a saved session. */
bool session_file_is(const char *path);
/* Opens one in place of what is loaded.  What could not be set again (a watchpoint whose wave has ended) is said, and
 * the rest is there.  false: it is damaged, or its launch is not possible here. */
bool session_read(struct gpudbg *, const char *path, struct gpudbg_out *, struct gpudbg_error *);
/* The same of bytes, by that name. */
bool session_read_bytes(
    struct gpudbg *, const char *path, const uint8_t *bytes, size_t n, struct gpudbg_out *, struct gpudbg_error *);

#endif
