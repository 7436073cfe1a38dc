/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sdma.c: decoding packets of the DMA engines (SDMA0, SDMA1) of Sea Islands, and of RDNA 1 and 2.
 *
 *     31     16 15     8 7      0
 *       EXTRA    SUB_OP     OP        dwords by OP and SUB_OP follow
 *
 * Manuals of this generation do not describe them.  Codes: cikd.h of Linux' radeon driver.  Lengths and order of the
 * dwords: those that radeon's and amdgpu's cik_sdma.c and radeonsi's and radv's cik_sdma.c write; COND_EXEC: the next
 * generation's iceland_sdma_pkt_open.h.  None of them writes structures of arrays (COPY, 3) or tiled writes (WRITE, 1):
 * these do not decode, because their length is not known.
 *
 * RDNA: codes and fields of navi10_sdma_pkt_open.h, counts as amdgpu's sdma_v5_0.c and sdma_v5_2.c write them (minus
 * one).  Copies of images and of pages do not decode yet.
 */
#include "chips.def"
#include "packets/sdma.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg/endian.h"
#include "packets/pm4.h"

#define SOURCE "cikd.h, cik_sdma.c"
#define SOURCE_10 "navi10_sdma_pkt_open.h, sdma_v5_0.c"

#define ENUM(id, ...)                                               \
    static const struct gpudbg_value id##_values[] = {__VA_ARGS__}; \
    static const struct gpudbg_enum id##_enum = {                   \
        .name = #id, .source = SOURCE, .values = id##_values, .count = sizeof id##_values / sizeof *id##_values}
ENUM(sdma_function, {0, "always", NULL}, {1, "less", NULL}, {2, "less or equal", NULL}, {3, "equal", NULL},
    {4, "not equal", NULL}, {5, "greater or equal", NULL}, {6, "greater", NULL}, {7, "reserved 7", NULL});
ENUM(sdma_space, {0, "register", NULL}, {1, "memory", NULL});
ENUM(sdma_poll, {0, "wait", NULL}, {1, "write, wait", NULL}, {2, "reserved 2", NULL}, {3, "reserved 3", NULL});
ENUM(sdma_unit, {0, "bytes", NULL}, {1, "reserved 1", NULL}, {2, "dwords", NULL}, {3, "reserved 3", NULL});
ENUM(sdma_semaphore, {0, "wait", NULL}, {1, "signal", NULL});
ENUM(sdma_signal, {0, "increment", NULL}, {1, "write 1", NULL});
ENUM(sdma_direction, {0, "to tiles", NULL}, {1, "from tiles", NULL});
static const struct gpudbg_enum *const enums[] = {&sdma_function_enum, &sdma_space_enum, &sdma_poll_enum,
    &sdma_unit_enum, &sdma_semaphore_enum, &sdma_signal_enum, &sdma_direction_enum, NULL};

/* ---- Layouts ---- */

#define F(name_, hi_, lo_, kind_, doc_)                                                    \
    {                                                                                      \
        .name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_##kind_, .doc = doc_ \
    }
#define E(name_, hi_, lo_, enum_, doc_)                                                                           \
    {                                                                                                             \
        .name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_ENUM, .meaning = &enum_##_enum, .doc = doc_ \
    }
#define LAYOUT(id, bits_, ...)                                      \
    static const struct gpudbg_field id##_fields[] = {__VA_ARGS__}; \
    static const struct gpudbg_format id = {.name = #id,            \
        .source = SOURCE,                                           \
        .doc = "words of a packet",                                 \
        .bits = bits_,                                              \
        .fields = id##_fields,                                      \
        .count = sizeof id##_fields / sizeof *id##_fields}

#define OP F(op, 15, 0, OPCODE, "what the packet does: an operation, and which kind of it above")
LAYOUT(SDMA, 32, OP, F(extra, 31, 16, POINTER, "by operation"));
LAYOUT(SDMA_NOP, 32, OP, F(count, 29, 16, UINT, "dwords that follow and are passed over"),
    F(-, 31, 30, MBZ, "must be zero"));
LAYOUT(SDMA_TILED, 32, OP, F(-, 30, 16, MBZ, "must be zero"),
    E(direction, 31, 31, sdma_direction, "whether tiles are written or read"));
LAYOUT(SDMA_IB, 32, OP, F(vmid, 19, 16, UINT, "address space in which the buffer runs"),
    F(-, 31, 20, MBZ, "must be zero"));
LAYOUT(SDMA_SEMAPHORE, 32, OP, F(-, 28, 16, MBZ, "must be zero"),
    E(signal_type, 29, 29, sdma_signal, "how it is signalled"),
    E(action, 30, 30, sdma_semaphore, "whether the engine waits for it or signals it"),
    F(mailbox, 31, 31, FLAG, "through a mailbox"));
LAYOUT(SDMA_POLL, 32, OP, F(-, 25, 16, MBZ, "must be zero"),
    E(operation, 27, 26, sdma_poll, "whether something is written first"),
    E(function, 30, 28, sdma_function, "how what is read is compared with the reference"),
    E(space, 31, 31, sdma_space, "where the value is that is waited for"));
LAYOUT(SDMA_FILL, 32, OP, F(-, 29, 16, MBZ, "must be zero"),
    E(unit, 31, 30, sdma_unit, "how much of the value is one element"));
LAYOUT(SDMA_SRBM, 32, OP, F(-, 27, 16, MBZ, "must be zero"),
    F(byte_enable, 31, 28, UINT, "which bytes of the register are written, a bit each"));

#define ADDRESS(id, name, what)                              \
    LAYOUT(id##_LO, 32, F(name##_lo, 31, 0, POINTER, what)); \
    LAYOUT(id##_HI, 32, F(name##_hi, 31, 0, POINTER, "high half of it"))
ADDRESS(ADDR, addr, "low half of the address");
ADDRESS(SRC, src, "low half of where it is copied from");
ADDRESS(DST, dst, "low half of where it is written to");
ADDRESS(TILES, tiled, "low half of where the tiles are");
ADDRESS(LINES, linear, "low half of where the lines are");
ADDRESS(FLAGS, flags, "low half of the bits that each entry has besides its address");
ADDRESS(VALUE, value, "low half of the first entry's address");
ADDRESS(STEP, increment, "low half of what is added from one entry to the next");
ADDRESS(TIME, time, "low half of the time");
LAYOUT(BYTES, 32, F(byte_count, 31, 0, UINT, "bytes"));
LAYOUT(SWAP, 32, F(src_swap, 1, 0, UINT, "how bytes of the source change places"), F(-, 15, 2, MBZ, "must be zero"),
    F(dst_swap, 17, 16, UINT, "how bytes of the destination change places"), F(-, 31, 18, MBZ, "must be zero"));
LAYOUT(DWORDS, 32, F(dwords, 31, 0, UINT, "how many dwords follow"));
LAYOUT(IB_DWORDS, 32, F(size, 19, 0, UINT, "dwords of the buffer"), F(-, 31, 20, MBZ, "must be zero"));
LAYOUT(FENCE, 32, F(fence, 31, 0, POINTER, "the value that is written"));
LAYOUT(CONTEXT, 32, F(context, 27, 0, POINTER, "what the interrupt carries"), F(-, 31, 28, MBZ, "must be zero"));
LAYOUT(POLLED, 32, F(register, 31, 0, POINTER, "byte address of the register that is waited for"));
LAYOUT(WRITTEN, 32, F(written, 31, 0, POINTER, "byte address of the register that is written first"));
LAYOUT(UNUSED, 32, F(-, 31, 0, MBZ, "not used"));
LAYOUT(REFERENCE, 32, F(reference, 31, 0, POINTER, "what is compared with, or written first"));
LAYOUT(MASK, 32, F(mask, 31, 0, POINTER, "which bits are compared"));
LAYOUT(INTERVAL, 32, F(interval, 15, 0, UINT, "how long it waits between two looks"),
    F(retries, 27, 16, UINT, "how often it looks"), F(-, 31, 28, MBZ, "must be zero"));
LAYOUT(EXEC, 32, F(exec_count, 13, 0, UINT, "dwords that are passed over if it does not hold"),
    F(-, 31, 14, MBZ, "must be zero"));
LAYOUT(FILLED, 32, F(fill, 31, 0, POINTER, "what is written"));
LAYOUT(ENTRIES, 32, F(entries, 31, 0, UINT, "how many entries are written"));
LAYOUT(REG, 32, F(register_index, 15, 0, POINTER, "the register, as a dword index"), F(-, 31, 16, MBZ, "must be zero"));
LAYOUT(REG_VALUE, 32, F(value, 31, 0, POINTER, "what the register is set to"));
LAYOUT(SRC_XY, 32, F(src_x, 15, 0, UINT, "first column"), F(src_y, 31, 16, UINT, "first line"));
LAYOUT(DST_XY, 32, F(dst_x, 15, 0, UINT, "first column"), F(dst_y, 31, 16, UINT, "first line"));
LAYOUT(SRC_Z, 32, F(src_z, 15, 0, UINT, "first slice"), F(src_pitch, 31, 16, UINT, "elements of a line, minus one"));
LAYOUT(DST_Z, 32, F(dst_z, 15, 0, UINT, "first slice"), F(dst_pitch, 31, 16, UINT, "elements of a line, minus one"));
LAYOUT(TILES_Z, 32, F(tiled_z, 15, 0, UINT, "first slice"), F(tiled_pitch, 31, 16, UINT, "tiles of a line, minus one"));
LAYOUT(TILES_XY, 32, F(tiled_x, 15, 0, UINT, "first column"), F(tiled_y, 31, 16, UINT, "first line"));
LAYOUT(LINES_XY, 32, F(linear_x, 15, 0, UINT, "first column"), F(linear_y, 31, 16, UINT, "first line"));
LAYOUT(LINES_Z, 32, F(linear_z, 15, 0, UINT, "first slice"),
    F(linear_pitch, 31, 16, UINT, "elements of a line, minus one"));
LAYOUT(SRC_SLICE, 32, F(src_slice, 31, 0, UINT, "elements of a slice, minus one; tiles where it is tiled"));
LAYOUT(DST_SLICE, 32, F(dst_slice, 31, 0, UINT, "elements of a slice, minus one; tiles where it is tiled"));
LAYOUT(TILES_SLICE, 32, F(tiled_slice, 31, 0, UINT, "tiles of a slice, minus one"));
LAYOUT(LINES_SLICE, 32, F(linear_slice, 31, 0, UINT, "elements of a slice, minus one"));
LAYOUT(TILING, 32, F(tiling, 31, 0, POINTER, "how the image is tiled"));
LAYOUT(SRC_TILING, 32, F(src_tiling, 31, 0, POINTER, "how the source is tiled"));
LAYOUT(WINDOW, 32, F(width, 15, 0, UINT, "elements of a line that are copied"),
    F(height, 31, 16, UINT, "lines that are copied"));
LAYOUT(WINDOW_DEPTH, 32, F(depth, 15, 0, UINT, "slices that are copied"), F(-, 31, 16, MBZ, "must be zero"));
LAYOUT(DATA, 32, F(data, 31, 0, POINTER, "data"));
static const struct gpudbg_format *const formats[] = {
    &SDMA, &SDMA_NOP, &SDMA_TILED, &SDMA_IB, &SDMA_SEMAPHORE, &SDMA_POLL, &SDMA_FILL, &SDMA_SRBM, NULL};

/* ... of RDNA, where they are others. */
#undef SOURCE
#define SOURCE SOURCE_10
LAYOUT(SDMA_COPY_10, 32, OP, F(encrypt, 16, 16, FLAG, "the source or the destination is encrypted"),
    F(-, 17, 17, MBZ, "must be zero"), F(tmz, 18, 18, FLAG, "in the trusted memory zone"),
    F(-, 24, 19, MBZ, "must be zero"), F(backwards, 25, 25, FLAG, "from the last byte to the first"),
    F(-, 26, 26, MBZ, "must be zero"), F(broadcast, 27, 27, FLAG, "to two destinations"),
    F(-, 31, 28, MBZ, "must be zero"));
LAYOUT(SDMA_WRITE_10, 32, OP, F(encrypt, 16, 16, FLAG, "the destination is encrypted"),
    F(-, 17, 17, MBZ, "must be zero"), F(tmz, 18, 18, FLAG, "in the trusted memory zone"),
    F(-, 31, 19, MBZ, "must be zero"));
LAYOUT(SDMA_IB_10, 32, OP, F(vmid, 19, 16, UINT, "address space in which the buffer runs"),
    F(-, 30, 20, MBZ, "must be zero"), F(priv, 31, 31, FLAG, "the buffer is privileged"));
LAYOUT(SDMA_FENCE_10, 32, OP, F(mtype, 18, 16, UINT, "type of the memory, for caches"),
    F(gcc, 19, 19, FLAG, "GCC, of which the header tells no more"),
    F(sys, 20, 20, FLAG, "SYS, of which the header tells no more"), F(-, 21, 21, MBZ, "must be zero"),
    F(snp, 22, 22, FLAG, "SNP, of which the header tells no more"),
    F(gpa, 23, 23, FLAG, "GPA, of which the header tells no more"),
    F(l2_policy, 25, 24, UINT, "how the second cache keeps it"), F(-, 31, 26, MBZ, "must be zero"));
LAYOUT(SDMA_POLL_10, 32, OP, F(-, 25, 16, MBZ, "must be zero"),
    F(hdp_flush, 26, 26, FLAG, "a register is written first, to flush the host's path"),
    F(-, 27, 27, MBZ, "must be zero"),
    E(function, 30, 28, sdma_function, "how what is read is compared with the reference"),
    E(space, 31, 31, sdma_space, "where the value is that is waited for"));
LAYOUT(SDMA_DBIT_10, 32, OP, F(ea, 17, 16, UINT, "EA, of which the header tells no more"),
    F(-, 31, 18, MBZ, "must be zero"));
LAYOUT(SDMA_VERIFY_10, 32, OP, F(-, 30, 16, MBZ, "must be zero"), F(mode, 31, 31, UINT, "which kind of comparison"));
LAYOUT(SDMA_ATOMIC_10, 32, OP, F(loop, 16, 16, FLAG, "repeated, with an interval"), F(-, 17, 17, MBZ, "must be zero"),
    F(tmz, 18, 18, FLAG, "in the trusted memory zone"), F(-, 24, 19, MBZ, "must be zero"),
    F(atomic, 31, 25, UINT, "which operation"));
LAYOUT(SDMA_FILL_10, 32, OP, F(swap, 17, 16, UINT, "how bytes change places"), F(-, 29, 18, MBZ, "must be zero"),
    E(unit, 31, 30, sdma_unit, "how much of the value is one element"));
LAYOUT(SDMA_FILL_MULTI_10, 32, OP, F(-, 30, 16, MBZ, "must be zero"),
    F(memlog_clr, 31, 31, FLAG, "clears the log of memory"));
LAYOUT(SDMA_PRE_10, 32, OP, F(dev_sel, 23, 16, UINT, "which engines"), F(-, 31, 24, MBZ, "must be zero"));
ADDRESS(CSA, csa, "low half of where the state is kept if the buffer is preempted");
ADDRESS(DST2, dst2, "low half of the second destination");
ADDRESS(MASK64, mask, "low half of the mask");
ADDRESS(VALUE64, data, "low half of the value");
ADDRESS(COMPARED, compared, "low half of what is compared with");
ADDRESS(FIRST, first, "low half of where the first range begins");
ADDRESS(FIRST_END, first_end, "low half of where the first range ends");
ADDRESS(SECOND, second, "low half of where the second range begins");
ADDRESS(SECOND_END, second_end, "low half of where the second range ends");
ADDRESS(RECORD, record, "low half of where the result is written");
LAYOUT(BYTES_10, 32, F(byte_count, 21, 0, UINT, "bytes, minus one"), F(-, 31, 22, MBZ, "must be zero"));
LAYOUT(SWAP_10, 32, F(-, 15, 0, MBZ, "must be zero"),
    F(dst_swap, 17, 16, UINT, "how bytes of the destination change places"), F(-, 23, 18, MBZ, "must be zero"),
    F(src_swap, 25, 24, UINT, "how bytes of the source change places"), F(-, 31, 26, MBZ, "must be zero"));
LAYOUT(DWORDS_10, 32, F(dwords, 19, 0, UINT, "how many dwords follow, minus one"), F(-, 23, 20, MBZ, "must be zero"),
    F(swap, 25, 24, UINT, "how bytes change places"), F(-, 31, 26, MBZ, "must be zero"));
LAYOUT(ENTRIES_10, 32, F(entries, 18, 0, UINT, "how many entries are written, minus one"),
    F(-, 31, 19, MBZ, "must be zero"));
LAYOUT(REG_10, 32, F(register_index, 17, 0, POINTER, "the register, as a dword index"),
    F(-, 19, 18, MBZ, "must be zero"), F(aperture, 31, 20, UINT, "aperture of the register"));
LAYOUT(LOOP_INTERVAL, 32, F(interval, 12, 0, UINT, "how long it waits between two tries"),
    F(-, 31, 13, MBZ, "must be zero"));
LAYOUT(STRIDE, 32, F(stride, 31, 0, UINT, "bytes from one place to the next"));
LAYOUT(PLACES, 32, F(places, 31, 0, UINT, "how many places are filled"));
LAYOUT(MULTI_BYTES, 32, F(byte_count, 25, 0, UINT, "bytes"), F(-, 31, 26, MBZ, "must be zero"));
LAYOUT(
    FROM_REG, 32, F(-, 1, 0, MBZ, "must be zero"), F(register_index, 31, 2, POINTER, "the register, as a dword index"));
LAYOUT(START_PAGE, 32, F(-, 3, 0, MBZ, "must be zero"), F(start_page, 31, 4, POINTER, "first page"));
LAYOUT(PAGES, 32, F(pages, 31, 0, UINT, "how many pages"));
LAYOUT(PATTERN, 32, F(pattern, 31, 0, POINTER, "what is looked for"));
LAYOUT(INVALIDATE, 32, F(vmids, 15, 0, POINTER, "address spaces, a bit each"),
    F(flush_type, 18, 16, UINT, "type of flush"), F(l2_ptes, 19, 19, FLAG, "entries for pages in the second cache"),
    F(l2_pde0, 20, 20, FLAG, "entries for tables, lowest level"), F(l2_pde1, 21, 21, FLAG, "... next level"),
    F(l2_pde2, 22, 22, FLAG, "... highest level"), F(l1_ptes, 23, 23, FLAG, "entries for pages in the first cache"),
    F(clear_fault, 24, 24, FLAG, "clears status and address of the last fault"),
    F(log, 25, 25, FLAG, "the request is logged"), F(four_kilobytes, 26, 26, FLAG, "pages of 4 KiB alone"),
    F(-, 31, 27, MBZ, "must be zero"));
LAYOUT(PAGE_LO, 32, F(s, 0, 0, FLAG, "S, of which the header tells no more"),
    F(page_lo, 31, 1, POINTER, "bits 42 to 12 of the page's address"));
LAYOUT(
    PAGE_HI, 32, F(page_hi, 5, 0, POINTER, "bits of the page's address from 43 on"), F(-, 31, 6, MBZ, "must be zero"));
LAYOUT(GCR_BASE, 32, F(-, 6, 0, MBZ, "must be zero"),
    F(base_lo, 31, 7, POINTER, "bits 31 to 7 of where the range begins"));
LAYOUT(GCR_CONTROL, 32, F(base_hi, 15, 0, POINTER, "bits 47 to 32 of where the range begins"),
    F(gli_inv, 17, 16, UINT, "invalidates caches of instructions"),
    F(gl1_range, 19, 18, UINT, "which part of the GL1 caches"),
    F(glm_wb, 20, 20, FLAG, "writes back caches of metadata"),
    F(glm_inv, 21, 21, FLAG, "invalidates caches of metadata"), F(glk_wb, 22, 22, FLAG, "writes back scalar caches"),
    F(glk_inv, 23, 23, FLAG, "invalidates scalar caches"), F(glv_inv, 24, 24, FLAG, "invalidates vector caches"),
    F(gl1_inv, 25, 25, FLAG, "invalidates GL1 caches"),
    F(gl2_us, 26, 26, FLAG, "US of the GL2 cache, of which the header tells no more"),
    F(gl2_range, 28, 27, UINT, "which part of the GL2 cache"),
    F(gl2_discard, 29, 29, FLAG, "discards the GL2 cache's data"),
    F(gl2_inv, 30, 30, FLAG, "invalidates the GL2 cache"), F(gl2_wb, 31, 31, FLAG, "writes back the GL2 cache"));
LAYOUT(GCR_LIMIT, 32, F(seq, 1, 0, UINT, "the order of the caches"),
    F(range_is_pa, 2, 2, FLAG, "the range is physical"), F(-, 6, 3, MBZ, "must be zero"),
    F(limit_lo, 31, 7, POINTER, "bits 31 to 7 of where the range ends"));
LAYOUT(GCR_VMID, 32, F(limit_hi, 15, 0, POINTER, "bits 47 to 32 of where the range ends"),
    F(-, 23, 16, MBZ, "must be zero"), F(vmid, 27, 24, UINT, "address space of the range"),
    F(-, 31, 28, MBZ, "must be zero"));
static const struct gpudbg_format *const formats_10[] = {&SDMA, &SDMA_NOP, &SDMA_COPY_10, &SDMA_WRITE_10, &SDMA_IB_10,
    &SDMA_FENCE_10, &SDMA_SEMAPHORE, &SDMA_POLL_10, &SDMA_DBIT_10, &SDMA_VERIFY_10, &SDMA_ATOMIC_10, &SDMA_FILL_10,
    &SDMA_FILL_MULTI_10, &SDMA_SRBM, &SDMA_PRE_10, NULL};

/* ---- Packets ---- */

enum {
    NOP,
    COPY,
    TILED,
    WINDOW_COPY,
    TILED_WINDOW,
    TILES_WINDOW,
    WRITE,
    IB,
    FENCES,
    TRAP,
    SEM,
    POLL,
    COND,
    FILL,
    PTE,
    TIME_SET,
    TIME_GET,
    TIME_GLOBAL,
    SRBM,
    POLL_TO_MEMORY,
    POLL_DIRTY,
    VERIFY,
    ATOMIC,
    FILL_MULTI,
    PTE_CHANGE,
    PRE,
    INV,
    GCR,
    DUMMY,
    OPS
};
#define WORDS_MOST 16

static const struct gpudbg_format *const words[OPS][WORDS_MOST] = {
    [NOP] = {&DATA},
    [COPY] = {&BYTES, &SWAP, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI},
    [TILED] = {&TILES_LO, &TILES_HI, &DATA, &DATA, &DATA, &DATA, &DATA, &LINES_LO, &LINES_HI, &DATA, &BYTES},
    [WINDOW_COPY] = {&SRC_LO, &SRC_HI, &SRC_XY, &SRC_Z, &SRC_SLICE, &DST_LO, &DST_HI, &DST_XY, &DST_Z, &DST_SLICE,
        &WINDOW, &WINDOW_DEPTH},
    [TILED_WINDOW] = {&TILES_LO, &TILES_HI, &TILES_XY, &TILES_Z, &TILES_SLICE, &TILING, &LINES_LO, &LINES_HI, &LINES_XY,
        &LINES_Z, &LINES_SLICE, &WINDOW, &WINDOW_DEPTH},
    [TILES_WINDOW] = {&SRC_LO, &SRC_HI, &SRC_XY, &SRC_Z, &SRC_SLICE, &SRC_TILING, &DST_LO, &DST_HI, &DST_XY, &DST_Z,
        &DST_SLICE, &TILING, &WINDOW, &WINDOW_DEPTH},
    [WRITE] = {&DST_LO, &DST_HI, &DWORDS, &DATA},
    [IB] = {&ADDR_LO, &ADDR_HI, &IB_DWORDS},
    [FENCES] = {&ADDR_LO, &ADDR_HI, &FENCE},
    [TRAP] = {&CONTEXT},
    [SEM] = {&ADDR_LO, &ADDR_HI},
    [POLL] = {&ADDR_LO, &ADDR_HI, &REFERENCE, &MASK, &INTERVAL},
    [COND] = {&ADDR_LO, &ADDR_HI, &REFERENCE, &EXEC},
    [FILL] = {&DST_LO, &DST_HI, &FILLED, &BYTES},
    [PTE] = {&DST_LO, &DST_HI, &FLAGS_LO, &FLAGS_HI, &VALUE_LO, &VALUE_HI, &STEP_LO, &STEP_HI, &ENTRIES},
    [TIME_SET] = {&TIME_LO, &TIME_HI},
    [TIME_GET] = {&ADDR_LO, &ADDR_HI},
    [TIME_GLOBAL] = {&ADDR_LO, &ADDR_HI},
    [SRBM] = {&REG, &REG_VALUE},
};
/* ... of RDNA, where they are others or new. */
static const struct gpudbg_format *const words_10[OPS][WORDS_MOST] = {
    [COPY] = {&BYTES_10, &SWAP_10, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI},
    [WRITE] = {&DST_LO, &DST_HI, &DWORDS_10, &DATA},
    [IB] = {&ADDR_LO, &ADDR_HI, &IB_DWORDS, &CSA_LO, &CSA_HI},
    [FILL] = {&DST_LO, &DST_HI, &FILLED, &BYTES_10},
    [PTE] = {&DST_LO, &DST_HI, &FLAGS_LO, &FLAGS_HI, &VALUE_LO, &VALUE_HI, &STEP_LO, &STEP_HI, &ENTRIES_10},
    [SRBM] = {&REG_10, &REG_VALUE},
    [POLL_TO_MEMORY] = {&FROM_REG, &DST_LO, &DST_HI},
    [POLL_DIRTY] = {&DST_LO, &DST_HI, &START_PAGE, &PAGES},
    [VERIFY] = {&PATTERN, &FIRST_LO, &FIRST_HI, &FIRST_END_LO, &FIRST_END_HI, &SECOND_LO, &SECOND_HI, &SECOND_END_LO,
        &SECOND_END_HI, &RECORD_LO, &RECORD_HI, &UNUSED},
    [ATOMIC] = {&ADDR_LO, &ADDR_HI, &VALUE64_LO, &VALUE64_HI, &COMPARED_LO, &COMPARED_HI, &LOOP_INTERVAL},
    [FILL_MULTI] = {&STRIDE, &PLACES, &DST_LO, &DST_HI, &MULTI_BYTES},
    [PTE_CHANGE] = {&ADDR_LO, &ADDR_HI, &MASK64_LO, &MASK64_HI, &VALUE64_LO, &VALUE64_HI},
    [PRE] = {&EXEC},
    [INV] = {&INVALIDATE, &PAGE_LO, &PAGE_HI},
    [GCR] = {&GCR_BASE, &GCR_CONTROL, &GCR_LIMIT, &GCR_VMID},
    [DUMMY] = {&CONTEXT},
};
static const struct gpudbg_format *const words_broadcast[WORDS_MOST] = {
    &BYTES_10, &SWAP_10, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI, &DST2_LO, &DST2_HI}; /* of a COPY_LINEAR to two places */
static const struct gpudbg_format *const words_register[] = {
    &POLLED, &UNUSED, &REFERENCE, &MASK, &INTERVAL, NULL}; /* of a POLL_REG_MEM that waits for a register */
static const struct gpudbg_format *const words_write_wait[] = {
    &POLLED, &WRITTEN, &REFERENCE, &MASK, &INTERVAL, NULL}; /* ... and writes another one first */

enum { CI = 1, NV = 2, ALL = 3 }; /* the generations of a row: Sea Islands; RDNA */

/* id, generations, operation, which kind of it, name, header of CI, header of NV, flags, what it does */
#define PACKETS(ROW)                                                                                                 \
    ROW(NOP, ALL, 0, 0, "NOP", &SDMA_NOP, &SDMA_NOP, 0, "passes over its dwords.")                                   \
    ROW(COPY, ALL, 1, 0, "COPY_LINEAR", &SDMA, &SDMA_COPY_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE, "copies bytes.")     \
    ROW(TILED, CI, 1, 1, "COPY_TILED", &SDMA_TILED, &SDMA_TILED, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,                   \
        "copies a whole image between tiles and lines.")                                                             \
    ROW(WINDOW_COPY, CI, 1, 4, "COPY_LINEAR_SUB_WINDOW", &SDMA, &SDMA, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,             \
        "copies a part of an image, from lines to lines.")                                                           \
    ROW(TILED_WINDOW, CI, 1, 5, "COPY_TILED_SUB_WINDOW", &SDMA_TILED, &SDMA_TILED, GPUDBG_OP_LOAD | GPUDBG_OP_STORE, \
        "copies a part of an image between tiles and lines.")                                                        \
    ROW(TILES_WINDOW, CI, 1, 6, "COPY_T2T_SUB_WINDOW", &SDMA, &SDMA, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,               \
        "copies a part of an image, from tiles to tiles.")                                                           \
    ROW(WRITE, ALL, 2, 0, "WRITE_LINEAR", &SDMA, &SDMA_WRITE_10, GPUDBG_OP_STORE,                                    \
        "writes the dwords that it contains.")                                                                       \
    ROW(IB, ALL, 4, 0, "INDIRECT_BUFFER", &SDMA_IB, &SDMA_IB_10, 0, "runs a buffer of packets.")                     \
    ROW(FENCES, ALL, 5, 0, "FENCE", &SDMA, &SDMA_FENCE_10, GPUDBG_OP_STORE,                                          \
        "writes a value when all before it is done.")                                                                \
    ROW(TRAP, ALL, 6, 0, "TRAP", &SDMA, &SDMA, 0, "raises an interrupt.")                                            \
    ROW(SEM, ALL, 7, 0, "SEMAPHORE", &SDMA_SEMAPHORE, &SDMA_SEMAPHORE, GPUDBG_OP_WAIT,                               \
        "waits for a semaphore, or signals it.")                                                                     \
    ROW(POLL, ALL, 8, 0, "POLL_REG_MEM", &SDMA_POLL, &SDMA_POLL_10, GPUDBG_OP_WAIT,                                  \
        "waits for a value of a register or of memory.")                                                             \
    ROW(COND, ALL, 9, 0, "COND_EXEC", &SDMA, &SDMA, 0, "passes over what follows unless memory has a value.")        \
    ROW(FILL, ALL, 11, 0, "CONSTANT_FILL", &SDMA_FILL, &SDMA_FILL_10, GPUDBG_OP_STORE, "fills memory with a value.") \
    ROW(PTE, ALL, 12, 0, "GENERATE_PTE_PDE", &SDMA, &SDMA, GPUDBG_OP_STORE, "writes entries of a page table.")       \
    ROW(TIME_SET, ALL, 13, 0, "TIMESTAMP_SET_LOCAL", &SDMA, &SDMA, 0, "sets the engine's own clock.")                \
    ROW(TIME_GET, ALL, 13, 1, "TIMESTAMP_GET_LOCAL", &SDMA, &SDMA, GPUDBG_OP_STORE,                                  \
        "writes the time of the engine's own clock.")                                                                \
    ROW(TIME_GLOBAL, ALL, 13, 2, "TIMESTAMP_GET_GLOBAL", &SDMA, &SDMA, GPUDBG_OP_STORE,                              \
        "writes the time of the chip's clock.")                                                                      \
    ROW(SRBM, ALL, 14, 0, "SRBM_WRITE", &SDMA_SRBM, &SDMA_SRBM, 0, "writes a register.")                             \
    ROW(POLL_TO_MEMORY, NV, 8, 1, "POLL_REG_WRITE_MEM", &SDMA, &SDMA, GPUDBG_OP_STORE,                               \
        "writes the value of a register to memory.")                                                                 \
    ROW(POLL_DIRTY, NV, 8, 2, "POLL_DBIT_WRITE_MEM", &SDMA_DBIT_10, &SDMA_DBIT_10, GPUDBG_OP_STORE,                  \
        "writes which pages are dirty.")                                                                             \
    ROW(VERIFY, NV, 8, 3, "POLL_MEM_VERIFY", &SDMA_VERIFY_10, &SDMA_VERIFY_10, GPUDBG_OP_STORE,                      \
        "compares memory, and writes the result.")                                                                   \
    ROW(ATOMIC, NV, 10, 0, "ATOMIC", &SDMA_ATOMIC_10, &SDMA_ATOMIC_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,             \
        "changes memory at once.")                                                                                   \
    ROW(FILL_MULTI, NV, 11, 1, "DATA_FILL_MULTI", &SDMA_FILL_MULTI_10, &SDMA_FILL_MULTI_10, GPUDBG_OP_STORE,         \
        "fills several places in memory.")                                                                           \
    ROW(PTE_CHANGE, NV, 12, 2, "PTEPDE_RMW", &SDMA, &SDMA, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,                         \
        "changes some bits of an entry of a page table.")                                                            \
    ROW(PRE, NV, 15, 0, "PRE_EXE", &SDMA_PRE_10, &SDMA_PRE_10, 0, "says which engines execute what follows.")        \
    ROW(INV, NV, 16, 0, "GPUVM_INV", &SDMA, &SDMA, 0, "invalidates translations of addresses.")                      \
    ROW(GCR, NV, 17, 0, "GCR_REQ", &SDMA, &SDMA, 0, "writes back and invalidates caches.")                           \
    ROW(DUMMY, NV, 32, 0, "DUMMY_TRAP", &SDMA, &SDMA, 0, "is a trap, by its name without an effect.")
#define OPERATION(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_) \
    [id_] = {.name = name_,                                                        \
        .operands = "payload",                                                     \
        .id = id_,                                                                 \
        .flags = flags_,                                                           \
        .doc = doc_,                                                               \
        .source = (sets_)&CI ? "cikd.h, cik_sdma.c" : SOURCE_10},
static const struct gpudbg_op ops[OPS] = {PACKETS(OPERATION)};
#define ROW(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_) \
    [id_] = {format_, (sets_)&CI ? (op_) | (sub_) << 8 : -1},
static const struct gpudbg_row rows[OPS] = {PACKETS(ROW)};
#define ROW_10(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_) \
    [id_] = {format_10_, (sets_)&NV ? (op_) | (sub_) << 8 : -1},
static const struct gpudbg_row rows_10[OPS] = {PACKETS(ROW_10)};

static const struct gpudbg_op *op_of(const struct gpudbg_isa *isa, uint32_t header)
{
    for (unsigned i = 0; i < OPS; i++)
        if (isa->rows[i].code == (int32_t)packet_field(&SDMA, "op", header)) return &ops[i];
    return NULL;
}

static const struct gpudbg_format *const *words_of(const struct gpudbg_insn *insn)
{
    const uint32_t header = le_u32(insn->raw);
    const unsigned id = insn->op->id;
    const bool newer = insn->isa->rows == rows_10;
    if (id == POLL && !packet_field(&SDMA_POLL, "space", header))
        return packet_field(&SDMA_POLL, "operation", header) == 1 ? words_write_wait : words_register;
    if (newer && id == COPY && packet_field(&SDMA_COPY_10, "broadcast", header)) return words_broadcast;
    return newer && words_10[id][0] ? words_10[id] : words[id];
}

/* Dwords after the header; most: the number of dwords that are available after the header. */
static size_t payload_of(const struct gpudbg_insn *insn, size_t most)
{
    const struct gpudbg_format *const *all = words_of(insn);
    size_t n = 0;
    if (insn->op->id == NOP) return packet_field(&SDMA_NOP, "count", le_u32(insn->raw));
    while (n < WORDS_MOST && all[n]) n++;
    if (insn->op->id != WRITE) return n;
    return most < 3 ? 3 : 3 + (size_t)packet_field(all[2], "dwords", le_u32(insn->raw + 12)) + (all[2] == &DWORDS_10);
}

static void add_register(struct gpudbg_insn *out, uint32_t index, unsigned flags, int64_t byte)
{
    if (index >= pm4_files[0].count) return; /* of another block than these engines' and the command processor's */
    out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_REGISTER,
        .flags = (uint8_t)(flags | GPUDBG_IMPLICIT),
        .index = -1,
        .reg = (uint16_t)index,
        .count = 1,
        .imm = byte};
}

static void add_operands(struct gpudbg_insn *out, const uint8_t *p)
{
    if (out->op->id == SRBM)
        add_register(out, packet_field(words_of(out)[0], "register_index", le_u32(p + 4)), GPUDBG_WRITE, 8);
    if (out->op->id == POLL && !packet_field(&SDMA_POLL, "space", le_u32(p))) /* the address counts bytes */
        add_register(out, packet_field(&POLLED, "register", le_u32(p + 4)) / 4, GPUDBG_READ, 0);
    if (out->op->id == IB)
        out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_CODE,
            .flags = GPUDBG_IMPLICIT,
            .index = -1,
            .imm = (int64_t)((le_u32(p + 4) & ~UINT32_C(31)) | (uint64_t)le_u32(p + 8) << 32)};
}

static int decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    if (n < 4) return GPUDBG_SHORT;
    *out = (struct gpudbg_insn){
        .addr = addr, .isa = isa, .raw = p, .size = 4, .nparts = 1, .parts = {{.format = &SDMA, .count = 1}}};
    const struct gpudbg_op *op = op_of(isa, le_u32(p));
    if (!op) return GPUDBG_ILLEGAL;
    out->op = op;
    const size_t payload = payload_of(out, n / 4 - 1);
    if (payload > n / 4 - 1) {
        out->op = NULL;
        return GPUDBG_SHORT;
    }
    out->size = (uint32_t)(4 * (payload + 1));
    out->parts[0].format = isa->rows[op->id].format;
    gpudbg_packet_parts(out, words_of(out), (unsigned)payload, &DATA);
    add_operands(out, p);
    return (int)out->size;
}

/* ---- Text ---- */

static int operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    if (o->kind == GPUDBG_CODE) return snprintf(buf, size, "buffer 0x%" PRIx64, (uint64_t)o->imm);
    return snprintf(buf, size, "register 0x%05x", o->reg * 4u);
}

/* "POLL_REG_MEM operation=wait function=equal space=memory addr_lo=0x1000 ..." */
static int text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style,
    const struct gpudbg_names *names, char *buf, size_t size)
{
    char more[40] = "", operand[32];
    (void)syntax;
    (void)names;
    if (!insn->op || style == GPUDBG_ASSEMBLER) return -1;
    if (insn->noperands && insn->operands[0].kind == GPUDBG_REGISTER) {
        operand_text(insn, 0, operand, sizeof operand);
        snprintf(more, sizeof more, " %s", operand);
    }
    return gpudbg_packet_text(insn, more, gpudbg_insn_row(insn)->format != &SDMA, &DATA, NULL, buf, size);
}

/* ---- The instruction set ---- */

static const char *const aliases[] = {GCN_FAMILY "-sdma-commands", "sdma-packets", NULL};
static const char *const aliases_10[] = {GCN_RDNA_DMA_ALIASES, NULL};
static const char *const syntaxes[] = {"sdma", NULL};

#define ISA(name_, title_, rows_, formats_, aliases_)                                                                \
    {                                                                                                                \
        .name = name_, .title = "AMD DMA engine packets (" title_ ")", .syntaxes = syntaxes, .align = 4, .lanes = 1, \
        .ops = ops, .nops = OPS, .rows = rows_, .formats = formats_, .files = pm4_files, .nfiles = PM4_FILES,        \
        .decode = decode, .text = text, .operand_text = operand_text, .traits = {                                    \
            .aliases = aliases_,                                                                                     \
            .enums = enums                                                                                           \
        }                                                                                                            \
    }
const struct gpudbg_isa sdma_isa = ISA("sdma", "Sea Islands", rows, formats, aliases),
                        sdma_10_isa = ISA(GCN_RDNA_DMA, "RDNA 1 and 2", rows_10, formats_10, aliases_10);
