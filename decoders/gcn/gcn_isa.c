/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_isa.c: the descriptor by which core knows Sea Islands. */
#include "code/gcn_decoder.h"
#include "files/tiling.h"

static const char *const aliases[] = {"sea-islands", "gcn1.1", "gfx700", "gfx701", "gfx702", "gfx703", "gfx704",
    "gfx705", "bonaire", "hawaii", "kaveri", "kabini", "mullins", NULL};
static const char *const comments[] = {"//", ";", NULL};
static const char *const syntaxes[] = {"llvm", NULL};

/* In the order of enum gcn_choice. */
static const struct gpudbg_choice choices[] = {
    {"gfx7", "ordered_count", (const char *const[]){"compilers", "manual", NULL},
        "ds_ordered_count adds a VGPR to GDS or exchanges it, in the order of waves (compilers), or counts lanes "
        "(manual)"},
    /* Behind "file", in the order of enum gcn_stage (files/shader.h). */
    {"gfx7", "stage",
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
static const struct gpudbg_alone alone = {
    .mask = "exec", .local = "lds", .repeating = "status", .repeated = 1u | 1u << 9 | 1u << 10};

const struct gpudbg_isa gfx7_isa = {
    .name = "gfx7",
    .title = "AMD Sea Islands (GCN 1.1)",
    .syntaxes = syntaxes,
    .align = 4,
    .lanes = 64,
    .ops = gcn_ops,
    .nops = GCN_BASE_OPS,
    .rows = gcn_op_rows,
    .formats = gcn_formats,
    .files = gcn_files,
    .nfiles = GCN_FILES,
    .decode = gcn_decode,
    .text = gcn_text,
    .operand_text = gcn_operand_text,
    .run = &gcn_runner,
    .traits = {.aliases = aliases, .enums = gcn_enums, .views = gcn_views, .program = gcn_program, .choices = choices},
    .fast = {.skim = gcn_skim, .printer = gcn_printer, .print = gcn_print, .sieve = gcn_sieve},
    .assembler = {.line = gcn_assemble, .comments = comments, .nop = "s_nop 0", .jump = "s_branch "},
    .device = gcn_device,
    .dumped = &gcn_dumped,
    .dwarf = &gcn_dwarf,
    .floats = floats,
    .pictures = &gcn_pictures,
    .alone = &alone,
    .uses = &gcn_uses,
};

static const char *const pro_aliases[] = {"neo", NULL};

/* The same tables with their last rows and layouts.  No other assembler writes them, and no listing is long. */
const struct gpudbg_isa gfx7_pro_isa = {
    .name = "gfx7-pro",
    .title = "the later console's chip: Sea Islands with packed halves",
    .syntaxes = syntaxes,
    .align = 4,
    .lanes = 64,
    .ops = gcn_ops,
    .nops = GCN_OPS,
    .rows = gcn_op_rows,
    .formats = gfx7_pro_formats,
    .files = gcn_files,
    .nfiles = GCN_FILES,
    .decode = gcn_decode,
    .text = gcn_text,
    .operand_text = gcn_operand_text,
    .run = &gcn_runner,
    .traits = {.aliases = pro_aliases, .enums = gcn_enums, .views = gcn_views, .program = gcn_program},
    .fast = {.skim = gcn_skim},
    .assembler = {.line = gcn_assemble, .comments = comments, .nop = "s_nop 0", .jump = "s_branch "},
    .device = gcn_device,
    .dumped = &gcn_dumped,
    .dwarf = &gcn_dwarf,
    .floats = floats,
    .pictures = &gcn_pictures,
    .alone = &alone,
    .uses = &gcn_uses,
};
