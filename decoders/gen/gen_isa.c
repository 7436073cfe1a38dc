/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_isa.c: the generations of eu.def: the facts of each, and its descriptor for core. */
#include "code/footprint.h"
#include "text/gen_assembly.h"
#include "check/gen_rules.h"
#include "check/scoreboard.h"
#include "op_tables.h"

static const char *const prm_first[] = {"prm", "iga", "mesa", NULL};
static const char *const iga_first[] = {"iga", "prm", "mesa", NULL};
static const char *const iga_moves[] = {"iga", "prm", "mesa", "iga-ldst", NULL}; /* text/ldst.c */
static const char *const comments[] = {"//", NULL};
static const struct gpudbg_alone alone = {.width = "simd", .local = "slm", .resume = gen_resume};

#define EU(x, id, number_, the_name, words, others, ...) \
    static const char *const aliases_##id[] = {GEN_LIST others, NULL};
GEN_EACH_EU(EU, )
#undef EU

/* clang-format off */
const struct gen_eu gen_eus[GEN_EUS] = {
#define EU(x, id, number_, the_name, words, others, first, encoding, idle, batch) \
    [id].number = number_, \
    [id].column = GEN_COLUMN_##encoding, \
    [id].math = gen_math_names[id], \
    [id].math_two = gen_math_two[id], \
    [id].sfid = gen_sfids[id], \
    [id].by_code = gen_by_code[id], \
    [id].isa = { \
        .name = the_name, \
        .title = words, \
        .syntaxes = first, \
        .align = 8, \
        .lanes = 32, \
        .ops = gen_ops, \
        .nops = GEN_OPS, \
        .rows = gen_rows[id], \
        .formats = gen_##encoding##_formats, \
        .files = GEN_AT(number_, (gen_##encoding##_files, 125, gen_large_files)), \
        .nfiles = GEN_FILES, \
        .decode = gen_decode, \
        .text = gen_text, \
        .operand_text = gen_operand_text, \
        .run = &gen_runner, \
        .traits = {.aliases = aliases_##id, .enums = gen_##encoding##_enums, .comment = "//", .program = gen_program}, \
        .fast = {.skim = gen_skim, .printer = gen_printer, .print = gen_print, .lines = gen_lines}, \
        .assembler = {.line = gen_assemble, \
            .comments = comments, \
            .remark = "//#", \
            .unfinished = gen_mesa_unfinished, \
            .nop = idle, \
            .jump = "jmpi ", \
            .drops = true}, \
        .rules = {.problems = gen_problems, .waits = gen_waits}, \
        .regions = {.footprints = gen_footprints, .elements = gen_elements}, \
        .dumped = &gen_##encoding##_dumped, \
        .dwarf = &gen_dwarf, \
        .nexts = gen_nexts, \
        .alone = &alone, \
        .uses = &gen_uses, \
        .costs = &gen_##encoding##_costs, \
        .ordering = &gen_ordering, \
    },
    GEN_EACH_EU(EU, )
#undef EU

/* A row of another table, for each generation: IS(id, number, the columns of the row). */
#define WITH(macro, ...) macro(__VA_ARGS__)
#define FACT_OF(x, id, number, ...) WITH(FACT_IS, id, number, GEN_LIST x)
#define FACT_IS(id, number, name, values) [id].name = GEN_AT(number, values),
#define FACT(name, values, ...) GEN_EACH_EU(FACT_OF, (name, values))
#define NUMBER(type, name, values, ...) GEN_EACH_EU(FACT_OF, (name, values))
#define WORDS(name, values, ...) GEN_EACH_EU(FACT_OF, (name, values))
#include "facts.def"
};
/* clang-format on */
