/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_isa.c: the descriptors by which core knows the three instruction sets. */
#include "code/footprint.h"
#include "text/gen_assembly.h"
#include "check/gen_rules.h"
#include "check/scoreboard.h"

static const char *const aliases7[] = {"ivb", "ivybridge", NULL};
static const char *const aliases75[] = {"hsw", "haswell", "7p5", NULL};
static const char *const aliases12[] = {"dg1", "tgl", "tigerlake", "xelp", "12p1", NULL};
static const char *const prm_first[] = {"prm", "iga", "mesa", NULL};
static const char *const comments[] = {"//", NULL};
static const char *const iga_first[] = {"iga", "prm", "mesa", NULL};

static const struct gpudbg_alone alone = {.width = "simd", .local = "slm"};

#define ISA(id, the_name, other, words, first, generation, names, words_of, registers, saved, idle) \
    const struct gpudbg_isa id = {                                                                  \
        .name = the_name,                                                                           \
        .title = words,                                                                             \
        .syntaxes = first,                                                                          \
        .align = 8,                                                                                 \
        .lanes = 32,                                                                                \
        .ops = gen_ops##generation,                                                                 \
        .nops = GEN_ROWS##generation,                                                               \
        .formats = words_of,                                                                        \
        .files = registers,                                                                         \
        .nfiles = GEN_FILES,                                                                        \
        .decode = gen_decode,                                                                       \
        .text = gen_text,                                                                           \
        .operand_text = gen_operand_text,                                                           \
        .run = &gen_runner,                                                                         \
        .traits = {.aliases = other, .enums = names, .comment = "//", .program = gen_program},      \
        .fast = {.skim = gen_skim, .printer = gen_printer, .print = gen_print},                     \
        .assembler = {.line = gen_assemble,                                                         \
            .comments = comments,                                                                   \
            .remark = "//#",                                                                        \
            .unfinished = gen_mesa_unfinished,                                                      \
            .nop = idle,                                                                            \
            .jump = "jmpi ",                                                                        \
            .drops = true},                                                                         \
        .rules = {.problems = gen_problems, .waits = gen_waits},                                    \
        .regions = {.footprints = gen_footprints, .elements = gen_elements},                        \
        .dumped = &saved,                                                                           \
        .dwarf = &gen_dwarf,                                                                        \
        .nexts = gen_nexts,                                                                         \
        .alone = &alone,                                                                            \
    };
ISA(gen7_isa, "gen7", aliases7, "Intel Gen7 (Ivy Bridge)", prm_first, 7, gen7_enums, gen7_formats, gen7_files,
    gen7_dumped, "nop {Compacted}")
ISA(gen75_isa, "gen7.5", aliases75, "Intel Gen7.5 (Haswell)", prm_first, 75, gen7_enums, gen7_formats, gen7_files,
    gen7_dumped, "nop {Compacted}")
ISA(gen12_isa, "gen12", aliases12, "Intel Gen12 (Xe-LP: Tiger Lake, DG1)", iga_first, 12, gen12_enums, gen12_formats,
    gen12_files, gen12_dumped, "sync.nop {Compacted}")
