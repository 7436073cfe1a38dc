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
 * one); the words that follow a compressed image's copy, as Mesa's ac_cmdbuf_sdma.c writes them.  Inferred: that a
 * COPY_TILED with the bit `broadcast` is the packet L2T_BROADCAST, to which the header gives no number of its own; and
 * that the count of WRITE_TILED is one less, too.
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
/* Images and tables of pages.  Places and sizes in elements; sizes and pitches are less by one. */
#define UNUSED_BITS(hi, lo) F(-, hi, lo, MBZ, "must be zero")
#define TMZ F(tmz, 18, 18, FLAG, "in the trusted memory zone")
#define PLACE(id, p)                                                                                                 \
    LAYOUT(id, 32, F(p##_x, 13, 0, UINT, "first column"), UNUSED_BITS(15, 14), F(p##_y, 29, 16, UINT, "first line"), \
        UNUSED_BITS(31, 30))
PLACE(SRC_PLACE, src);
PLACE(DST_PLACE, dst);
PLACE(TILES_PLACE, tiled);
PLACE(LINES_PLACE, linear);
/* z: its highest bit; then another field. */
#define DEPTH(id, p, z, name, hi, lo, what)                                                                            \
    LAYOUT(id, 32, F(p##_z, z, 0, UINT, "first slice"), UNUSED_BITS(((lo)-1), ((z) + 1)), F(name, hi, lo, UINT, what), \
        UNUSED_BITS(31, ((hi) + 1)))
#define PITCH_TO_TOP(id, p) \
    LAYOUT(id, 32, F(p##_z, 12, 0, UINT, "first slice"), F(p##_pitch, 31, 13, UINT, "elements of a line, minus one"))
PITCH_TO_TOP(SRC_DEPTH, src);
PITCH_TO_TOP(DST_DEPTH, dst);
DEPTH(SRC_DEPTH_BC, src, 10, src_pitch, 26, 13, "elements of a line, minus one");
DEPTH(DST_DEPTH_BC, dst, 10, dst_pitch, 26, 13, "elements of a line, minus one");
DEPTH(LINES_DEPTH, linear, 12, linear_pitch, 29, 16, "elements of a line, minus one");
DEPTH(LINES_DEPTH_BC, linear, 10, linear_pitch, 29, 16, "elements of a line, minus one");
DEPTH(TILES_WIDE, tiled, 12, width, 29, 16, "elements of a line, minus one");
DEPTH(TILES_WIDE_BC, tiled, 10, width, 29, 16, "elements of a line, minus one");
DEPTH(SRC_WIDE, src, 12, src_width, 29, 16, "elements of a line, minus one");
DEPTH(SRC_WIDE_BC, src, 10, src_width, 29, 16, "elements of a line, minus one");
DEPTH(DST_WIDE, dst, 12, dst_width, 29, 16, "elements of a line, minus one");
DEPTH(DST_WIDE_BC, dst, 10, dst_width, 29, 16, "elements of a line, minus one");
#define SIZE(id, height, depth, hi)                                                 \
    LAYOUT(id, 32, F(height, 13, 0, UINT, "lines, minus one"), UNUSED_BITS(15, 14), \
        F(depth, hi, 16, UINT, "slices, minus one"), UNUSED_BITS(31, ((hi) + 1)))
SIZE(IMAGE_SIZE, height, depth, 28);
SIZE(IMAGE_SIZE_BC, height, depth, 26);
SIZE(SRC_SIZE, src_height, src_depth, 28);
SIZE(SRC_SIZE_BC, src_height, src_depth, 26);
SIZE(DST_SIZE, dst_height, dst_depth, 28);
SIZE(DST_SIZE_BC, dst_height, dst_depth, 27);
LAYOUT(IMAGE_WIDTH, 32, F(width, 13, 0, UINT, "elements of a line, minus one"), UNUSED_BITS(31, 14));
#define SLICE(id, p) LAYOUT(id, 32, F(p##_slice, 27, 0, UINT, "elements of a slice, minus one"), UNUSED_BITS(31, 28))
SLICE(SRC_SLICE_10, src);
SLICE(DST_SLICE_10, dst);
SLICE(LINES_SLICE_10, linear);
LAYOUT(LINES_PITCH, 32, F(linear_pitch, 18, 0, UINT, "elements of a line, minus one"), UNUSED_BITS(31, 19));
/* How an image is laid out; before RDNA (BC) by other numbers. */
#define SWIZZLED(id)                                                                      \
    LAYOUT(id, 32, F(element_size, 2, 0, UINT, "bytes of an element, as a power of two"), \
        F(swizzle_mode, 7, 3, UINT, "its SW_MODE"), UNUSED_BITS(8, 8),                    \
        F(dimension, 10, 9, UINT, "1, 2 or 3 of them, minus one"), UNUSED_BITS(15, 11),   \
        F(mip_max, 19, 16, UINT, "levels, minus one"), F(mip_id, 23, 20, UINT, "which level"), UNUSED_BITS(31, 24))
SWIZZLED(LAID_OUT);
SWIZZLED(SRC_LAID_OUT);
LAYOUT(LAID_OUT_BC, 32, F(element_size, 2, 0, UINT, "bytes of an element, as a power of two"),
    F(array_mode, 6, 3, UINT, "which kind of tiles"), UNUSED_BITS(7, 7), F(mit_mode, 10, 8, UINT, "order in a tile"),
    F(tilesplit_size, 13, 11, UINT, "where tiles are split"), UNUSED_BITS(14, 14),
    F(bank_w, 16, 15, UINT, "width of a bank"), UNUSED_BITS(17, 17), F(bank_h, 19, 18, UINT, "height of a bank"),
    UNUSED_BITS(20, 20), F(num_bank, 22, 21, UINT, "number of banks"), UNUSED_BITS(23, 23),
    F(mat_aspt, 25, 24, UINT, "aspect of macro tiles"), F(pipe_config, 30, 26, UINT, "pipes"), UNUSED_BITS(31, 31));
LAYOUT(RECT, 32, F(rect_x, 13, 0, UINT, "elements of a line that are copied, minus one"), UNUSED_BITS(15, 14),
    F(rect_y, 29, 16, UINT, "lines that are copied, minus one"), UNUSED_BITS(31, 30));
#define RECT_DEPTH_OF(id, z, one, other)                                                                   \
    LAYOUT(id, 32, F(rect_z, z, 0, UINT, "slices that are copied, minus one"), UNUSED_BITS(15, ((z) + 1)), \
        F(one##_swap, 17, 16, UINT, "how bytes there change places"), UNUSED_BITS(23, 18),                 \
        F(other##_swap, 25, 24, UINT, "how bytes there change places"), UNUSED_BITS(31, 26))
RECT_DEPTH_OF(RECT_DEPTH, 12, dst, src);
RECT_DEPTH_OF(RECT_DEPTH_BC, 10, dst, src);
RECT_DEPTH_OF(RECT_TILES, 12, linear, tiled);
RECT_DEPTH_OF(RECT_TILES_BC, 10, linear, tiled);
#define HA(p, bit) F(p##_ha, bit, bit, FLAG, "HA, of which the header tells no more")
LAYOUT(RECT_LINES_BC, 32, F(rect_z, 10, 0, UINT, "slices that are copied, minus one"), UNUSED_BITS(15, 11),
    F(dst_swap, 17, 16, UINT, "how bytes there change places"), UNUSED_BITS(21, 18), HA(dst, 22), UNUSED_BITS(23, 23),
    F(src_swap, 25, 24, UINT, "how bytes there change places"), UNUSED_BITS(29, 26), HA(src, 30), UNUSED_BITS(31, 31));
LAYOUT(SWAP_BC, 32, UNUSED_BITS(15, 0), F(dst_swap, 17, 16, UINT, "how bytes there change places"), UNUSED_BITS(21, 18),
    HA(dst, 22), UNUSED_BITS(23, 23), F(src_swap, 25, 24, UINT, "how bytes there change places"), UNUSED_BITS(29, 26),
    HA(src, 30), UNUSED_BITS(31, 31));
LAYOUT(SWAP_TWO, 32, UNUSED_BITS(7, 0), F(dst2_swap, 9, 8, UINT, "how bytes of the second destination change places"),
    UNUSED_BITS(15, 10), F(dst_swap, 17, 16, UINT, "how bytes of the first destination change places"),
    UNUSED_BITS(23, 18), F(src_swap, 25, 24, UINT, "how bytes of the source change places"), UNUSED_BITS(31, 26));
LAYOUT(SWAP_TILES_TWO, 32, UNUSED_BITS(7, 0), F(dst2_swap, 9, 8, UINT, "how bytes of the second image change places"),
    UNUSED_BITS(15, 10), F(linear_swap, 17, 16, UINT, "how bytes of the lines change places"), UNUSED_BITS(23, 18),
    F(tiled_swap, 25, 24, UINT, "how bytes of the first image change places"), UNUSED_BITS(31, 26));
LAYOUT(FIRST_SLICE, 32, F(tiled_z, 12, 0, UINT, "first slice"), UNUSED_BITS(31, 13));
LAYOUT(FIRST_SLICE_TILES, 32, F(tiled_z, 12, 0, UINT, "first slice"), UNUSED_BITS(15, 13),
    F(linear_swap, 17, 16, UINT, "how bytes of the lines change places"), UNUSED_BITS(19, 18),
    F(linear_cc, 20, 20, FLAG, "CC, of which the header tells no more"), UNUSED_BITS(23, 21),
    F(tiled_swap, 25, 24, UINT, "how bytes of the image change places"), UNUSED_BITS(31, 26));
LAYOUT(FIRST_SLICE_BC, 32, F(tiled_z, 10, 0, UINT, "first slice"), UNUSED_BITS(15, 11),
    F(linear_swap, 17, 16, UINT, "how bytes of the lines change places"), UNUSED_BITS(23, 18),
    F(tiled_swap, 25, 24, UINT, "how bytes of the image change places"), UNUSED_BITS(31, 26));
LAYOUT(FIRST_SLICE_WRITE, 32, F(tiled_z, 12, 0, UINT, "first slice"), UNUSED_BITS(23, 13),
    F(swap, 25, 24, UINT, "how bytes change places"), UNUSED_BITS(31, 26));
LAYOUT(FIRST_SLICE_WRITE_BC, 32, F(tiled_z, 10, 0, UINT, "first slice"), UNUSED_BITS(23, 11),
    F(swap, 25, 24, UINT, "how bytes change places"), UNUSED_BITS(31, 26));
LAYOUT(COUNT, 32, F(count, 21, 0, UINT, "what is copied, minus one, in units that the header does not tell"),
    UNUSED_BITS(31, 22));
LAYOUT(COUNT_BC, 32, UNUSED_BITS(1, 0),
    F(count, 21, 2, UINT, "what is copied, minus one, in units that the header does not tell"), UNUSED_BITS(31, 22));
LAYOUT(DATA_DWORDS, 32, F(dwords, 19, 0, UINT, "how many dwords follow, minus one"), UNUSED_BITS(31, 20));
LAYOUT(DATA_DWORDS_BC, 32, UNUSED_BITS(1, 0), F(dwords, 21, 2, UINT, "how many dwords follow, minus one"),
    UNUSED_BITS(31, 22));
ADDRESS(META, meta, "low half of where the image's compression is described");
LAYOUT(META_CONFIG, 32, F(data_format, 6, 0, UINT, "format of the image"),
    F(color_transform_disable, 7, 7, FLAG, "no transform of colours"),
    F(alpha_is_on_msb, 8, 8, FLAG, "alpha is in the high bits"), F(number_type, 11, 9, UINT, "numbers of the format"),
    F(surface_type, 13, 12, UINT, "colours or depths"), UNUSED_BITS(23, 14),
    F(max_comp_block_size, 25, 24, UINT, "largest block, compressed"),
    F(max_uncomp_block_size, 27, 26, UINT, "... and not"),
    F(write_compress_enable, 28, 28, FLAG, "it is written compressed"),
    F(meta_tmz, 29, 29, FLAG, "in the trusted memory zone"), F(pipe_aligned, 30, 30, FLAG, "aligned to pipes"),
    UNUSED_BITS(31, 31));
#define ACCESS(p, name, bit) F(p##_##name, bit, bit, FLAG, "of the access: the header tells no more than the name")
#define POLICIES                                                                                        \
    UNUSED_BITS(2, 0), F(dst_mtype, 5, 3, UINT, "type of the memory written to, for caches"),           \
        F(dst_l2_policy, 7, 6, UINT, "how the second cache keeps what is written"), UNUSED_BITS(10, 8), \
        F(src_mtype, 13, 11, UINT, "type of the memory read, for caches"),                              \
        F(src_l2_policy, 15, 14, UINT, "how the second cache keeps what is read"),                      \
        F(dst_swap, 17, 16, UINT, "how bytes of the destination change places"), UNUSED_BITS(18, 18)
LAYOUT(DIRTY_POLICY, 32, POLICIES, ACCESS(dst, gcc, 19), ACCESS(dst, sys, 20), UNUSED_BITS(21, 21),
    ACCESS(dst, snoop, 22), ACCESS(dst, gpa, 23), F(src_swap, 25, 24, UINT, "how bytes of the source change places"),
    UNUSED_BITS(27, 26), ACCESS(src, sys, 28), UNUSED_BITS(29, 29), ACCESS(src, snoop, 30), ACCESS(src, gpa, 31));
LAYOUT(PHYSICAL_POLICY, 32, POLICIES, ACCESS(dst, gcc, 19), ACCESS(dst, sys, 20), ACCESS(dst, log, 21),
    ACCESS(dst, snoop, 22), ACCESS(dst, gpa, 23), F(src_swap, 25, 24, UINT, "how bytes of the source change places"),
    UNUSED_BITS(26, 26), ACCESS(src, gcc, 27), ACCESS(src, sys, 28), UNUSED_BITS(29, 29), ACCESS(src, snoop, 30),
    ACCESS(src, gpa, 31));
ADDRESS(STRUCTS, structures, "low half of where the structures are");
LAYOUT(START_INDEX, 32, F(start_index, 31, 0, UINT, "the first structure"));
LAYOUT(STRUCT_COUNT, 32, F(structs, 31, 0, UINT, "how many structures"));
LAYOUT(STRUCT_STRIDE, 32, F(struct_stride, 10, 0, UINT, "from one structure to the next"), UNUSED_BITS(15, 11),
    F(linear_swap, 17, 16, UINT, "how bytes of the lines change places"), UNUSED_BITS(23, 18),
    F(struct_swap, 25, 24, UINT, "how bytes of the structures change places"), UNUSED_BITS(31, 26));
LAYOUT(TRANSFER_MASK, 32, F(mask_first, 7, 0, POINTER, "dwords of the first transfer, a bit each"),
    F(mask_last, 15, 8, POINTER, "... of the last one"), UNUSED_BITS(31, 16));
LAYOUT(TRANSFERS, 32, F(transfers, 16, 0, UINT, "transfers of 32 bytes"), UNUSED_BITS(31, 17));
/* Headers. */
LAYOUT(SDMA_TILED_10, 32, OP, F(encrypt, 16, 16, FLAG, "the source or the destination is encrypted"),
    UNUSED_BITS(17, 17), TMZ, UNUSED_BITS(25, 19), F(videocopy, 26, 26, FLAG, "a copy of video"),
    F(broadcast, 27, 27, FLAG, "to two images"), UNUSED_BITS(30, 28),
    E(direction, 31, 31, sdma_direction, "whether tiles are written or read"));
LAYOUT(SDMA_WINDOW_10, 32, OP, UNUSED_BITS(17, 16), TMZ, UNUSED_BITS(28, 19),
    F(element_size, 31, 29, UINT, "bytes of an element, as a power of two"));
LAYOUT(SDMA_TILED_WINDOW_10, 32, OP, UNUSED_BITS(17, 16), TMZ, F(dcc, 19, 19, FLAG, "the image is compressed"),
    UNUSED_BITS(30, 20), E(direction, 31, 31, sdma_direction, "whether tiles are written or read"));
LAYOUT(SDMA_TILES_WINDOW_10, 32, OP, UNUSED_BITS(17, 16), TMZ, F(dcc, 19, 19, FLAG, "one image is compressed"),
    UNUSED_BITS(30, 20), F(dcc_dir, 31, 31, UINT, "which of them"));
LAYOUT(SDMA_DIRTY_10, 32, OP, UNUSED_BITS(17, 16), TMZ, UNUSED_BITS(30, 19), F(all, 31, 31, FLAG, "all pages"));
LAYOUT(SDMA_STRUCT_10, 32, OP, UNUSED_BITS(17, 16), TMZ, UNUSED_BITS(30, 19),
    E(direction, 31, 31, sdma_direction, "whether structures are written or read"));
LAYOUT(SDMA_PHYSICAL_10, 32, OP, UNUSED_BITS(17, 16), TMZ, UNUSED_BITS(31, 19));
LAYOUT(SDMA_PTE_COPY_10, 32, OP, UNUSED_BITS(17, 16), TMZ, UNUSED_BITS(30, 19),
    F(ptepde_op, 31, 31, UINT, "which kind of entries"));
LAYOUT(SDMA_PTE_BACK_10, 32, OP, UNUSED_BITS(27, 16), F(pte_size, 29, 28, UINT, "size of an entry"),
    F(direction, 30, 30, UINT, "which way"), F(ptepde_op, 31, 31, UINT, "which kind of entries"));
static const struct gpudbg_format *const formats_10[] = {&SDMA, &SDMA_NOP, &SDMA_COPY_10, &SDMA_WRITE_10, &SDMA_IB_10,
    &SDMA_FENCE_10, &SDMA_SEMAPHORE, &SDMA_POLL_10, &SDMA_DBIT_10, &SDMA_VERIFY_10, &SDMA_ATOMIC_10, &SDMA_FILL_10,
    &SDMA_FILL_MULTI_10, &SDMA_SRBM, &SDMA_PRE_10, &SDMA_TILED, &SDMA_TILED_10, &SDMA_WINDOW_10, &SDMA_TILED_WINDOW_10,
    &SDMA_TILES_WINDOW_10, &SDMA_DIRTY_10, &SDMA_STRUCT_10, &SDMA_PHYSICAL_10, &SDMA_PTE_COPY_10, &SDMA_PTE_BACK_10,
    NULL};

/* ---- Packets ---- */

enum { CI = 1, NV = 2, ALL = 3 }; /* the generations of a row: Sea Islands; RDNA */

/* id, generations, operation, which kind of it, name, header of CI, header of NV, flags, what it does, words after the
 * header; of NV, or SAME.  The last words of a copy of an image are there if it is compressed. */
/* clang-format off */
#define W(...) {__VA_ARGS__}
#define SAME {NULL}
#define PACKETS(ROW)\
    ROW(NOP, ALL, 0, 0, "NOP", &SDMA_NOP, &SDMA_NOP, 0,\
        "passes over its dwords.",\
        W(&DATA), SAME)\
    ROW(COPY, ALL, 1, 0, "COPY_LINEAR", &SDMA, &SDMA_COPY_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "copies bytes.",\
        W(&BYTES, &SWAP, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI), W(&BYTES_10, &SWAP_10, &SRC_LO, &SRC_HI,\
            &DST_LO, &DST_HI))\
    ROW(TILED, ALL, 1, 1, "COPY_TILED", &SDMA_TILED, &SDMA_TILED_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "copies a whole image between tiles and lines.",\
        W(&TILES_LO, &TILES_HI, &DATA, &DATA, &DATA, &DATA, &DATA, &LINES_LO, &LINES_HI, &DATA, &BYTES),\
            W(&TILES_LO, &TILES_HI, &IMAGE_WIDTH, &IMAGE_SIZE, &LAID_OUT, &TILES_PLACE, &FIRST_SLICE_TILES,\
            &LINES_LO, &LINES_HI, &LINES_PITCH, &LINES_SLICE, &COUNT))\
    ROW(WINDOW_COPY, ALL, 1, 4, "COPY_LINEAR_SUB_WINDOW", &SDMA, &SDMA_WINDOW_10, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies a part of an image, from lines to lines.",\
        W(&SRC_LO, &SRC_HI, &SRC_XY, &SRC_Z, &SRC_SLICE, &DST_LO, &DST_HI, &DST_XY, &DST_Z, &DST_SLICE,\
            &WINDOW, &WINDOW_DEPTH), W(&SRC_LO, &SRC_HI, &SRC_PLACE, &SRC_DEPTH, &SRC_SLICE_10, &DST_LO,\
            &DST_HI, &DST_PLACE, &DST_DEPTH, &DST_SLICE_10, &RECT, &RECT_DEPTH))\
    ROW(TILED_WINDOW, ALL, 1, 5, "COPY_TILED_SUB_WINDOW", &SDMA_TILED, &SDMA_TILED_WINDOW_10, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies a part of an image between tiles and lines.",\
        W(&TILES_LO, &TILES_HI, &TILES_XY, &TILES_Z, &TILES_SLICE, &TILING, &LINES_LO, &LINES_HI, &LINES_XY,\
            &LINES_Z, &LINES_SLICE, &WINDOW, &WINDOW_DEPTH), W(&TILES_LO, &TILES_HI, &TILES_PLACE,\
            &TILES_WIDE, &IMAGE_SIZE, &LAID_OUT, &LINES_LO, &LINES_HI, &LINES_PLACE, &LINES_DEPTH,\
            &LINES_SLICE_10, &RECT, &RECT_TILES, &META_LO, &META_HI, &META_CONFIG))\
    ROW(TILES_WINDOW, ALL, 1, 6, "COPY_T2T_SUB_WINDOW", &SDMA, &SDMA_TILES_WINDOW_10, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies a part of an image, from tiles to tiles.",\
        W(&SRC_LO, &SRC_HI, &SRC_XY, &SRC_Z, &SRC_SLICE, &SRC_TILING, &DST_LO, &DST_HI, &DST_XY, &DST_Z,\
            &DST_SLICE, &TILING, &WINDOW, &WINDOW_DEPTH), W(&SRC_LO, &SRC_HI, &SRC_PLACE, &SRC_WIDE,\
            &SRC_SIZE, &SRC_LAID_OUT, &DST_LO, &DST_HI, &DST_PLACE, &DST_WIDE, &DST_SIZE, &LAID_OUT, &RECT,\
            &RECT_DEPTH, &META_LO, &META_HI, &META_CONFIG))\
    ROW(WRITE, ALL, 2, 0, "WRITE_LINEAR", &SDMA, &SDMA_WRITE_10, GPUDBG_OP_STORE,\
        "writes the dwords that it contains.",\
        W(&DST_LO, &DST_HI, &DWORDS, &DATA), W(&DST_LO, &DST_HI, &DWORDS_10, &DATA))\
    ROW(IB, ALL, 4, 0, "INDIRECT_BUFFER", &SDMA_IB, &SDMA_IB_10, 0,\
        "runs a buffer of packets.",\
        W(&ADDR_LO, &ADDR_HI, &IB_DWORDS), W(&ADDR_LO, &ADDR_HI, &IB_DWORDS, &CSA_LO, &CSA_HI))\
    ROW(FENCES, ALL, 5, 0, "FENCE", &SDMA, &SDMA_FENCE_10, GPUDBG_OP_STORE,\
        "writes a value when all before it is done.",\
        W(&ADDR_LO, &ADDR_HI, &FENCE), SAME)\
    ROW(TRAP, ALL, 6, 0, "TRAP", &SDMA, &SDMA, 0,\
        "raises an interrupt.",\
        W(&CONTEXT), SAME)\
    ROW(SEM, ALL, 7, 0, "SEMAPHORE", &SDMA_SEMAPHORE, &SDMA_SEMAPHORE, GPUDBG_OP_WAIT,\
        "waits for a semaphore, or signals it.",\
        W(&ADDR_LO, &ADDR_HI), SAME)\
    ROW(POLL, ALL, 8, 0, "POLL_REG_MEM", &SDMA_POLL, &SDMA_POLL_10, GPUDBG_OP_WAIT,\
        "waits for a value of a register or of memory.",\
        W(&ADDR_LO, &ADDR_HI, &REFERENCE, &MASK, &INTERVAL), SAME)\
    ROW(COND, ALL, 9, 0, "COND_EXEC", &SDMA, &SDMA, 0,\
        "passes over what follows unless memory has a value.",\
        W(&ADDR_LO, &ADDR_HI, &REFERENCE, &EXEC), SAME)\
    ROW(FILL, ALL, 11, 0, "CONSTANT_FILL", &SDMA_FILL, &SDMA_FILL_10, GPUDBG_OP_STORE,\
        "fills memory with a value.",\
        W(&DST_LO, &DST_HI, &FILLED, &BYTES), W(&DST_LO, &DST_HI, &FILLED, &BYTES_10))\
    ROW(PTE, ALL, 12, 0, "GENERATE_PTE_PDE", &SDMA, &SDMA, GPUDBG_OP_STORE,\
        "writes entries of a page table.",\
        W(&DST_LO, &DST_HI, &FLAGS_LO, &FLAGS_HI, &VALUE_LO, &VALUE_HI, &STEP_LO, &STEP_HI, &ENTRIES),\
            W(&DST_LO, &DST_HI, &FLAGS_LO, &FLAGS_HI, &VALUE_LO, &VALUE_HI, &STEP_LO, &STEP_HI, &ENTRIES_10))\
    ROW(TIME_SET, ALL, 13, 0, "TIMESTAMP_SET_LOCAL", &SDMA, &SDMA, 0,\
        "sets the engine's own clock.",\
        W(&TIME_LO, &TIME_HI), SAME)\
    ROW(TIME_GET, ALL, 13, 1, "TIMESTAMP_GET_LOCAL", &SDMA, &SDMA, GPUDBG_OP_STORE,\
        "writes the time of the engine's own clock.",\
        W(&ADDR_LO, &ADDR_HI), SAME)\
    ROW(TIME_GLOBAL, ALL, 13, 2, "TIMESTAMP_GET_GLOBAL", &SDMA, &SDMA, GPUDBG_OP_STORE,\
        "writes the time of the chip's clock.",\
        W(&ADDR_LO, &ADDR_HI), SAME)\
    ROW(SRBM, ALL, 14, 0, "SRBM_WRITE", &SDMA_SRBM, &SDMA_SRBM, 0,\
        "writes a register.",\
        W(&REG, &REG_VALUE), W(&REG_10, &REG_VALUE))\
    ROW(POLL_TO_MEMORY, NV, 8, 1, "POLL_REG_WRITE_MEM", &SDMA, &SDMA, GPUDBG_OP_STORE,\
        "writes the value of a register to memory.",\
        W(&FROM_REG, &DST_LO, &DST_HI), SAME)\
    ROW(POLL_DIRTY, NV, 8, 2, "POLL_DBIT_WRITE_MEM", &SDMA_DBIT_10, &SDMA_DBIT_10, GPUDBG_OP_STORE,\
        "writes which pages are dirty.",\
        W(&DST_LO, &DST_HI, &START_PAGE, &PAGES), SAME)\
    ROW(VERIFY, NV, 8, 3, "POLL_MEM_VERIFY", &SDMA_VERIFY_10, &SDMA_VERIFY_10, GPUDBG_OP_STORE,\
        "compares memory, and writes the result.",\
        W(&PATTERN, &FIRST_LO, &FIRST_HI, &FIRST_END_LO, &FIRST_END_HI, &SECOND_LO, &SECOND_HI,\
            &SECOND_END_LO, &SECOND_END_HI, &RECORD_LO, &RECORD_HI, &UNUSED), SAME)\
    ROW(ATOMIC, NV, 10, 0, "ATOMIC", &SDMA_ATOMIC_10, &SDMA_ATOMIC_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "changes memory at once.",\
        W(&ADDR_LO, &ADDR_HI, &VALUE64_LO, &VALUE64_HI, &COMPARED_LO, &COMPARED_HI, &LOOP_INTERVAL), SAME)\
    ROW(FILL_MULTI, NV, 11, 1, "DATA_FILL_MULTI", &SDMA_FILL_MULTI_10, &SDMA_FILL_MULTI_10, GPUDBG_OP_STORE,\
        "fills several places in memory.",\
        W(&STRIDE, &PLACES, &DST_LO, &DST_HI, &MULTI_BYTES), SAME)\
    ROW(PTE_CHANGE, NV, 12, 2, "PTEPDE_RMW", &SDMA_FENCE_10, &SDMA_FENCE_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "changes some bits of an entry of a page table.",\
        W(&ADDR_LO, &ADDR_HI, &MASK64_LO, &MASK64_HI, &VALUE64_LO, &VALUE64_HI), SAME)\
    ROW(PRE, NV, 15, 0, "PRE_EXE", &SDMA_PRE_10, &SDMA_PRE_10, 0,\
        "says which engines execute what follows.",\
        W(&EXEC), SAME)\
    ROW(INV, NV, 16, 0, "GPUVM_INV", &SDMA, &SDMA, 0,\
        "invalidates translations of addresses.",\
        W(&INVALIDATE, &PAGE_LO, &PAGE_HI), SAME)\
    ROW(GCR, NV, 17, 0, "GCR_REQ", &SDMA, &SDMA, 0,\
        "writes back and invalidates caches.",\
        W(&GCR_BASE, &GCR_CONTROL, &GCR_LIMIT, &GCR_VMID), SAME)\
    ROW(DUMMY, NV, 32, 0, "DUMMY_TRAP", &SDMA, &SDMA, 0,\
        "is a trap, by its name without an effect.",\
        W(&CONTEXT), SAME)\
    ROW(STRUCTURES, NV, 1, 3, "COPY_SOA", &SDMA_STRUCT_10, &SDMA_STRUCT_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "copies between structures and lines.",\
        W(&STRUCTS_LO, &STRUCTS_HI, &START_INDEX, &STRUCT_COUNT, &STRUCT_STRIDE, &LINES_LO, &LINES_HI), SAME)\
    ROW(DIRTY, NV, 1, 7, "COPY_DIRTY_PAGE", &SDMA_DIRTY_10, &SDMA_DIRTY_10, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "copies pages that were written.",\
        W(&BYTES_10, &DIRTY_POLICY, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI), SAME)\
    ROW(PHYSICAL, NV, 1, 8, "COPY_LINEAR_PHY", &SDMA_PHYSICAL_10, &SDMA_PHYSICAL_10, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies bytes at physical addresses.",\
        W(&BYTES_10, &PHYSICAL_POLICY, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI), SAME)\
    ROW(COPY_BC, NV, 1, 16, "COPY_LINEAR_BC", &SDMA, &SDMA, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "copies bytes, as older chips do.",\
        W(&BYTES_10, &SWAP_BC, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI), SAME)\
    ROW(TILED_BC, NV, 1, 17, "COPY_TILED_BC", &SDMA_TILED, &SDMA_TILED, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "copies a whole image between tiles and lines, as older chips do.",\
        W(&TILES_LO, &TILES_HI, &IMAGE_WIDTH, &IMAGE_SIZE_BC, &LAID_OUT_BC, &TILES_PLACE, &FIRST_SLICE_BC,\
            &LINES_LO, &LINES_HI, &LINES_PITCH, &COUNT_BC), SAME)\
    ROW(WINDOW_BC, NV, 1, 20, "COPY_LINEAR_SUB_WIND_BC", &SDMA_WINDOW_10, &SDMA_WINDOW_10, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies a part of an image, from lines to lines, as older chips do.",\
        W(&SRC_LO, &SRC_HI, &SRC_PLACE, &SRC_DEPTH_BC, &SRC_SLICE_10, &DST_LO, &DST_HI, &DST_PLACE,\
            &DST_DEPTH_BC, &DST_SLICE_10, &RECT, &RECT_LINES_BC), SAME)\
    ROW(TILED_WINDOW_BC, NV, 1, 21, "COPY_TILED_SUB_WIND_BC", &SDMA_TILED, &SDMA_TILED, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies a part of an image between tiles and lines, as older chips do.",\
        W(&TILES_LO, &TILES_HI, &TILES_PLACE, &TILES_WIDE_BC, &IMAGE_SIZE_BC, &LAID_OUT_BC, &LINES_LO,\
            &LINES_HI, &LINES_PLACE, &LINES_DEPTH_BC, &LINES_SLICE_10, &RECT, &RECT_TILES_BC), SAME)\
    ROW(TILES_WINDOW_BC, NV, 1, 22, "COPY_T2T_SUB_WIND_BC", &SDMA, &SDMA, GPUDBG_OP_LOAD | GPUDBG_OP_STORE,\
        "copies a part of an image, from tiles to tiles, as older chips do.",\
        W(&SRC_LO, &SRC_HI, &SRC_PLACE, &SRC_WIDE_BC, &SRC_SIZE_BC, &LAID_OUT_BC, &DST_LO, &DST_HI,\
            &DST_PLACE, &DST_WIDE_BC, &DST_SIZE_BC, &LAID_OUT_BC, &RECT, &RECT_DEPTH_BC), SAME)\
    ROW(WRITE_TILES, NV, 2, 1, "WRITE_TILED", &SDMA_WRITE_10, &SDMA_WRITE_10, GPUDBG_OP_STORE,\
        "writes the dwords that it contains to an image.",\
        W(&DST_LO, &DST_HI, &IMAGE_WIDTH, &IMAGE_SIZE, &LAID_OUT, &TILES_PLACE, &FIRST_SLICE_WRITE,\
            &DATA_DWORDS, &DATA), SAME)\
    ROW(WRITE_TILES_BC, NV, 2, 17, "WRITE_TILED_BC", &SDMA, &SDMA, GPUDBG_OP_STORE,\
        "writes the dwords that it contains to an image, as older chips do.",\
        W(&DST_LO, &DST_HI, &IMAGE_WIDTH, &IMAGE_SIZE_BC, &LAID_OUT_BC, &TILES_PLACE, &FIRST_SLICE_WRITE_BC,\
            &DATA_DWORDS_BC, &DATA), SAME)\
    ROW(PTE_COPY, NV, 12, 1, "PTEPDE_COPY", &SDMA_PTE_COPY_10, &SDMA_PTE_COPY_10, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies entries of a page table.",\
        W(&SRC_LO, &SRC_HI, &DST_LO, &DST_HI, &MASK64_LO, &MASK64_HI, &ENTRIES_10), SAME)\
    ROW(PTE_BACK, NV, 12, 3, "PTEPDE_COPY_BACKWARDS", &SDMA_PTE_BACK_10, &SDMA_PTE_BACK_10, GPUDBG_OP_LOAD |\
        GPUDBG_OP_STORE,\
        "copies entries of a page table, the last one first.",\
        W(&SRC_LO, &SRC_HI, &DST_LO, &DST_HI, &TRANSFER_MASK, &TRANSFERS), SAME)
/* clang-format on */

#define WORDS_MOST 18

enum {
#define ID(id_, ...) id_,
    PACKETS(ID)
#undef ID
        OPS
};

#define WORDS(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_, words_, words_10_) [id_] = words_,
#define WORDS_10(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_, words_, words_10_) [id_] = words_10_,
static const struct gpudbg_format *const words[OPS][WORDS_MOST] = {PACKETS(WORDS)};
static const struct gpudbg_format *const words_10[OPS][WORDS_MOST] = {PACKETS(WORDS_10)};
static const struct gpudbg_format *const words_broadcast[WORDS_MOST] = {
    &BYTES_10, &SWAP_TWO, &SRC_LO, &SRC_HI, &DST_LO, &DST_HI, &DST2_LO, &DST2_HI}; /* of a COPY_LINEAR to two places */
static const struct gpudbg_format *const words_two_images[WORDS_MOST] = {&TILES_LO, &TILES_HI, &DST2_LO, &DST2_HI,
    &IMAGE_WIDTH, &IMAGE_SIZE, &LAID_OUT, &TILES_PLACE, &FIRST_SLICE, &SWAP_TILES_TWO, &LINES_LO, &LINES_HI,
    &LINES_PITCH, &LINES_SLICE, &COUNT}; /* of a COPY_TILED to two images */
static const struct gpudbg_format *const words_register[] = {
    &POLLED, &UNUSED, &REFERENCE, &MASK, &INTERVAL, NULL}; /* of a POLL_REG_MEM that waits for a register */
static const struct gpudbg_format *const words_write_wait[] = {
    &POLLED, &WRITTEN, &REFERENCE, &MASK, &INTERVAL, NULL}; /* ... and writes another one first */

#define OPERATION(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_, words_, words_10_) \
    [id_] = {.name = name_,                                                                           \
        .operands = "payload",                                                                        \
        .id = id_,                                                                                    \
        .flags = flags_,                                                                              \
        .doc = doc_,                                                                                  \
        .source = (sets_)&CI ? "cikd.h, cik_sdma.c" : SOURCE_10},
static const struct gpudbg_op ops[OPS] = {PACKETS(OPERATION)};
#define ROW(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_, words_, words_10_) \
    [id_] = {format_, (sets_)&CI ? (op_) | (sub_) << 8 : -1},
static const struct gpudbg_row rows[OPS] = {PACKETS(ROW)};
#define ROW_10(id_, sets_, op_, sub_, name_, format_, format_10_, flags_, doc_, words_, words_10_) \
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
    if (newer && (id == COPY || id == TILED) && packet_field(&SDMA_COPY_10, "broadcast", header))
        return id == COPY ? words_broadcast : words_two_images;
    return newer && words_10[id][0] ? words_10[id] : words[id];
}

enum { META_WORDS = 3 };

static bool has_data(unsigned id) { return id == WRITE || id == WRITE_TILES || id == WRITE_TILES_BC; }

/* Dwords after the header; most: the number of dwords that are available after the header. */
static size_t payload_of(const struct gpudbg_insn *insn, size_t most)
{
    const struct gpudbg_format *const *all = words_of(insn);
    const uint32_t header = le_u32(insn->raw);
    size_t n = 0;
    if (insn->op->id == NOP) return packet_field(&SDMA_NOP, "count", header);
    while (n < WORDS_MOST && all[n]) n++;
    if (has_data(insn->op->id)) n--;
    if (n >= META_WORDS && all[n - 1] == &META_CONFIG && !packet_field(&SDMA_TILED_WINDOW_10, "dcc", header))
        n -= META_WORDS;
    if (!has_data(insn->op->id) || most < n) return n;
    return n + (size_t)packet_field(all[n - 1], "dwords", le_u32(insn->raw + 4 * n)) + (all[n - 1] != &DWORDS);
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
