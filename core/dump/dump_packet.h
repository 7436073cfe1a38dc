/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_packet.h: where packets begin in a stream, also in one that is damaged.
 *
 * A header says how long its packet is.  If it says more than there is, or if nothing that looks like a packet follows,
 * its count or a word before it is damaged: the stream goes on at the next place from which packets chain.
 */
#ifndef GPUDBG_DUMP_PACKET_H
#define GPUDBG_DUMP_PACKET_H

#include "gpudbg.h"

struct packet_stream {
    const struct gpudbg_isa *isa;
    struct regdb *databases;
    const char *family; /* whose registers packets name; NULL: not known */
    const uint8_t *bytes;
    uint64_t base; /* address of bytes[0] */
};

struct packet {
    struct gpudbg_insn insn;
    bool known;                /* insn is a packet; else it is data, or one of an unknown opcode */
    size_t size;               /* bytes up to where the next one begins: less than the header says where `damaged` */
    bool damaged;              /* the header's count does not fit what follows, or runs past the end */
    uint32_t says;             /* ... then the bytes that the header says; 0: this is no header */
    struct gpudbg_insn header; /* ... and what it would be: op NULL if unknown; only its first `size` bytes are there */
};

/* The packet at bytes[at], of which those before `end` are to be taken. */
void packet_at(const struct packet_stream *, size_t at, size_t end, struct packet *);
/* The stream of a dump for the above; isa: of its commands. */
struct packet_stream packets_of(const struct gpudbg_dump *, const struct gpudbg_stream *, const struct gpudbg_isa *);
/* Whether a register of the stream's engine holds this header: the command that is being executed. */
bool packet_is_executed(const struct gpudbg_dump *, const struct gpudbg_stream *, const struct gpudbg_insn *);
/* The packet at bytes[at] of a stream of the dump.  Words before a pointer may be the rest of an older packet, so
 * packets begin afresh at the read and the write pointer, but for the one that is being executed across the former. */
void packet_of_stream(
    const struct gpudbg_dump *, const struct gpudbg_stream *, const struct packet_stream *, size_t at, struct packet *);
/* Text of a packet that is damaged: "SET_SH_REG of 4 dwords: 2 are here: 0xc0027600 0x48". */
void packet_damaged_text(const struct packet *, char *buf, size_t size);

#endif
