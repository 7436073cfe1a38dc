/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_isa.c: the descriptors by which core knows the chips, made from chips.def. */
#include "code/gcn_decoder.h"
#include "files/tiling.h"
#include "gcn_ops.h"

static const char *const comments[] = {"//", ";", NULL};
static const char *const syntaxes[] = {"llvm", NULL};

/* In the order of enum gcn_choice. */
static const struct gpudbg_choice choices[] = {
    {GCN_FAMILY, "ordered_count", (const char *const[]){"compilers", "manual", NULL},
        "ds_ordered_count adds a VGPR to GDS or exchanges it, in the order of waves (compilers), or counts lanes "
        "(manual)"},
    /* After "file", in the order of enum gcn_stage (files/shader.h). */
    {GCN_FAMILY, "stage",
        (const char *const[]){"file", "pixel", "vertex", "export", "local", "compute", "geometry", "copy", "hull",
            "domain", "domain-export", NULL},
        "the stage whose registers bare code starts with: as the file says, or another"},
    {NULL, NULL, NULL, NULL},
};

static unsigned floats(const struct gpudbg_insn *insn, unsigned operand, uint32_t *which)
{
    const unsigned type = insn->operands[operand].type;
    *which = 1;
    return type == GCN_F32 ? 32 : type == GCN_F64 ? 64 : type == GCN_F16 ? 16 : 0;
}

/* STATUS has SCC, EXECZ and VCCZ, too. */
static const struct gpudbg_alone alone = {.mask = "exec",
    .local = "lds",
    .repeating = "status",
    .repeated = 1u | 1u << 9 | 1u << 10,
    .gives = gcn_stage_gives};

/* ---- The chips ---- */

#define LIST(...) __VA_ARGS__
#define CHIP(id, at, lanes_, name_, title_, others, source, ...) \
    static const char *const aliases_##id[] = {LIST others, NULL};
#include "chips.def"

/* The parts of a chip whose operations run. */
#define RUNS                                                                                            \
    .whole = true, .isa.run = &gcn_runner, .isa.device = gcn_device, .isa.dumped = &gcn_dumped,         \
    .isa.dwarf = &gcn_dwarf, .isa.pictures = &gcn_pictures, .isa.alone = &alone, .isa.uses = &gcn_uses, \
    .isa.costs = &gcn_costs
/* ... of one whose operations run. */
#define RUNS_OPERATIONS                                                                                    \
    .isa.run = &gcn_runner, .isa.alone = &alone, .isa.dumped = &gcn_newer_dumped, .isa.dwarf = &gcn_dwarf, \
    .isa.uses = &gcn_uses, .isa.pictures = &gcn_newer_pictures, .isa.costs = &gcn_newer_costs
/* Names of operand codes, and operands of rows with masks of 64 or 32 bits. */
#define OLDER_CODES                                                                                     \
    .simd_waves = 10, .simd_vgprs = 256, .vgpr_unit = 4, .sgprs = 104, .ttmp = 112, .names = gcn_names, \
    .templates = gcn_templates, .scalar_reads = 1, .lds_by_m0 = true
#define NEWER_CODES                                                                                                 \
    .sgprs = 106, .ttmp = 108, .names = gcn_newer_names, .null_register = true, .apertures = true, .inv_2pi = true, \
    .scalar_reads = 2, .newer_buffers = true

/* clang-format off */
const struct gcn_chip gcn_chips[GCN_CHIPS] = {
#define CHIP(id, at_, lanes_, name_, title_, others, source, ...) \
    [GCN_CHIP_##id] = {.isa.name = name_, \
        .isa.title = title_, \
        .isa.syntaxes = syntaxes, \
        .isa.align = 4, \
        .isa.lanes = lanes_, \
        .isa.ops = gcn_ops, \
        .isa.nops = GCN_OPS, \
        .isa.known = gcn_known, \
        .isa.rows = gcn_rows_##id, \
        .isa.formats = gcn_formats_##id, \
        .isa.files = lanes_ < 64 ? gcn_files_of_32 : gcn_files, \
        .isa.nfiles = GCN_FILES, \
        .isa.decode = gcn_decode, \
        .isa.text = gcn_text, \
        .isa.operand_text = gcn_operand_text, \
        .isa.traits = {.aliases = aliases_##id, .enums = gcn_enums, .program = gcn_program, \
            .views = (at_) < GCN_AT_gfx10 ? gcn_views : gcn_newer_views, \
            .choices = GCN_CHIP_##id == JOINED(GCN_CHIP_, GCN_USUAL) ? choices : NULL}, \
        .isa.fast = {.skim = gcn_skim, .printer = gcn_printer, .print = gcn_print, .lines = gcn_lines}, \
        .isa.assembler = {.line = gcn_assemble, .comments = comments, .nop = "s_nop 0", .jump = "s_branch "}, \
        .isa.floats = floats, \
        .isa.numbers = gcn_numbers, \
        .number = GCN_CHIP_##id, \
        .at = (at_), \
        .usual = &gcn_chips[JOINED(GCN_CHIP_, GCN_USUAL)].isa, \
        .index = gcn_index_##id, \
        .leading = gcn_leading_##id, \
        __VA_ARGS__},
#include "chips.def"
};

const struct gpudbg_isa *const gcn_usual = &gcn_chips[JOINED(GCN_CHIP_, GCN_USUAL)].isa;
/* clang-format on */

bool is_gcn(const struct gpudbg_isa *isa)
{
    for (size_t i = 0; i < GCN_CHIPS; i++)
        if (isa == &gcn_chips[i].isa) return true;
    return false;
}
