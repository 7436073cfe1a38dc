/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_shader.h: the code that commands in a dump's streams point at: shaders and kernels, each once. */
#ifndef GPUDBG_DUMP_SHADER_H
#define GPUDBG_DUMP_SHADER_H

#include "gpudbg.h"

struct dump_shader {
    const char *command, *name; /* the command that points at it ("3DSTATE_VS"), and what it calls it ("kernel_1") */
    uint64_t addr;
    bool based;                   /* the base from which addr counts is known; else addr is the offset alone */
    const char *base;             /* ... and its name */
    uint32_t capture;             /* of the command, */
    size_t stream, offset;        /* and where it is */
    const struct gpudbg_isa *isa; /* of the code; NULL: the program has none for it */
    const uint8_t *bytes;         /* borrowed from the dump; NULL: it does not hold them */
    size_t size;                  /* to the end of the program; if !ends, to the end of what the dump holds */
    bool ends;
};

/* In the order in which an engine comes by; malloc'ed, *n of them. */
struct dump_shader *dump_shaders(const struct gpudbg_dump *, size_t *n);

/* The bytes of a capture at an address, *n of them to the end of the stream; NULL: it does not hold them. */
const uint8_t *dump_bytes_at(const struct gpudbg_dump *, uint32_t capture, uint64_t addr, size_t *n);
/* The k-th structure that a pointer means, as an instruction of the commands' set; false: the dump does not hold it. */
bool dump_structure(const struct gpudbg_dump *, uint32_t capture, const struct gpudbg_isa *,
    const struct gpudbg_point *, unsigned k, struct gpudbg_insn *);

#endif
