/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arf.c: arf.def as data, and the register files of a thread. */
#include "code/arf.h"
#include "code/gen_decoder.h"

#define ARF_ENUM(name) static const struct gpudbg_value values_##name[] = {
#define VALUE(value, name, doc) {value, name, doc},
/* clang-format off */
#define END };
/* clang-format on */
#include "code/arf_enums.def"
#undef ARF_ENUM
#undef VALUE
#undef END

#define ARF_ENUM(id)                                          \
    static const struct gpudbg_enum enum_##id = {.name = #id, \
        .source = "Ivy Bridge, volume 4 part 3, 3.3.3",       \
        .values = values_##id,                                \
        .count = sizeof values_##id / sizeof *values_##id};
#define VALUE(value, name, doc)
#define END
#include "code/arf_enums.def"
#undef ARF_ENUM
#undef VALUE
#undef END

#define NUMBER .kind = GPUDBG_UINT
#define TIMES8 .kind = GPUDBG_UINT, .scale = 3
#define FLAG .kind = GPUDBG_FLAG
#define RESERVED .kind = GPUDBG_MBZ
#define ARF_NAMED(id) .kind = GPUDBG_ENUM, .meaning = &enum_##id

#define FORMAT(layout, word, at, bits, doc) static const struct gpudbg_field fields_##layout[] = {
#define FIELD(layout, id, at, range, how, text) \
    {.name = #id, .run = {{GEN_LO(range), GEN_LEN(range)}}, how, .doc = text},
/* clang-format off */
#define END };
/* clang-format on */
#include "code/arf.def"
#undef FORMAT
#undef FIELD
#undef END

#define FIELD(layout, id, at, range, how, text)
#define END
#define FORMAT(layout, word, at, width, text)           \
    [GEN_ARF_##layout] = {.name = #word,                \
        .source = "Ivy Bridge, volume 4 part 3, 3.3.3", \
        .doc = text,                                    \
        .bits = width,                                  \
        .fields = fields_##layout,                      \
        .count = sizeof fields_##layout / sizeof *fields_##layout},
const struct gpudbg_format gen_arf_formats[GEN_ARFS] = {
#include "code/arf.def"
};

/* ---- Register files, in the order of enum gen_file ---- */

#define WORD(name) &gen_arf_formats[GEN_ARF_##name]
#define FILES(grfs, accumulators, a0_bits, a0, cr0)                                                                  \
    [GEN_GRF] = {"r", "general registers of 32 bytes", grfs, 256, 1, true, false, NULL, NULL, 0},                    \
    [GEN_NULL] = {"null", "no storage: reads are undefined, writes are dropped", 0, 32, 1, false, false, NULL, NULL, \
        0},                                                                                                          \
    [GEN_A0] = {"a0", "address words for indirect operands", 1, a0_bits, 1, false, false, WORD(a0), NULL, 16},       \
    [GEN_ACC] = {"acc", "accumulators", accumulators, 256, 1, true, false, WORD(acc), NULL, 0},                      \
    [GEN_F] = {"f", "flags, one bit a channel", 2, 32, 1, true, true, WORD(flag), NULL, 16},                         \
    [GEN_CE] = {"ce", "channels that execute", 1, 32, 1, false, true, WORD(ce), NULL, 0},                            \
    [GEN_SP] = {"sp", "stack pointer and limit", 1, 64, 1, false, false, WORD(sp), NULL, 0},                         \
    [GEN_SR0] = {"sr0", "state of the thread", 1, 128, 1, false, false, WORD(sr0), NULL, 0},                         \
    [GEN_CR0] = {"cr0", "modes and exceptions", 1, 128, 1, false, false, WORD(cr0), NULL, 0},                        \
    [GEN_N0] = {"n0", "notification counters", 1, 96, 1, false, false, WORD(n0), NULL, 0},                           \
    [GEN_IP] = {"ip", "instruction pointer", 1, 32, 1, false, false, WORD(ip), NULL, 0},                             \
    [GEN_TDR] = {"tdr0", "threads this one depends on", 1, 128, 1, false, false, WORD(tdr), NULL, 0},                \
    [GEN_TM0] = {"tm0", "time stamp", 1, 128, 1, false, false, WORD(tm0), NULL, 0},                                  \
    [GEN_FC] = {"fc", "flow control", 0, 32, 1, true, false, NULL, NULL, 0},                                         \
    [GEN_DBG] = {"dbg0", "debug register", 0, 32, 1, false, false, NULL, NULL, 0},

const struct gpudbg_regfile gen_e1_files[GEN_FILES] = {FILES(128, 2, 128, a_e1, cr_e1)};
const struct gpudbg_regfile gen_e8_files[GEN_FILES] = {FILES(128, 10, 256, a_e2, cr_e2)};
const struct gpudbg_regfile gen_e2_files[GEN_FILES] = {FILES(128, 10, 256, a_e2, cr_e2)};
const struct gpudbg_regfile gen_large_files[GEN_FILES] = {FILES(256, 10, 256, a_e2, cr_e2)};
