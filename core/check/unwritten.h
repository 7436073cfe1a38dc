/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unwritten.h: the unwritten bits of a launch's memory, for watchers of a run.  At the start these are
 * the memory of groups and the segments that are marked GPUDBG_SEG_UNDEFINED; later also what a store of such bits
 * left.
 */
#ifndef GPUDBG_UNWRITTEN_H
#define GPUDBG_UNWRITTEN_H

#include "gpudbg.h"

struct unwritten;
struct unwritten *unwritten_new(struct gpudbg_machine *);
void unwritten_free(struct unwritten *);
/* Whether there may be unwritten bits. */
bool unwritten_any(const struct unwritten *);
/* Those of one byte, at an offset inside a segment; `group` is that whose memory it is, where it is a group's. */
uint8_t unwritten_bits(struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset);
/* Whether any of so many bytes, inside a segment, has such bits. */
bool unwritten_within(
    struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset, uint64_t size);
/* The same of all lanes' bytes. */
bool unwritten_in(struct unwritten *, uint32_t group, const struct gpudbg_accesses *);
/* Those of a dword; and what it misses from now on. */
uint32_t unwritten_dword(struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset);
void unwritten_set_dword(
    struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset, uint32_t bits);
/* The same of n dwords in a row; where those come from that miss something. */
void unwritten_dwords(struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset, unsigned n,
    uint32_t *bits, uint32_t *came);
void unwritten_set_dwords(struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset,
    unsigned n, const uint32_t *bits, const uint32_t *came);
/* From now on all of these bytes miss these bits. */
void unwritten_set(
    struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset, uint64_t size, uint8_t bits);
/* The bytes that lanes store are written. */
void unwritten_store(struct unwritten *, uint32_t group, const struct gpudbg_accesses *);
/* Where what was stored to these bytes comes from, which has unwritten bits; and where that of a dword does, 0: nothing
 * of the kind was stored there. */
void unwritten_came(
    struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset, uint64_t size, uint32_t origin);
uint32_t unwritten_origin(struct unwritten *, uint32_t group, const struct gpudbg_segment *, uint64_t offset);
/* Frees what is known of a group's memory. */
void unwritten_forget(struct unwritten *, uint32_t group);

#endif
