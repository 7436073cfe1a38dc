/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfx7_isa.c: the descriptor by which core knows Sea Islands. */
#include "code/gfx7_decoder.h"
#include "object/tiling.h"

static const char *const aliases[] = {"sea-islands", "gcn1.1", "gfx700", "gfx701", "gfx702", "gfx703", "gfx704",
    "gfx705", "bonaire", "hawaii", "kaveri", "kabini", "mullins", NULL};
static const char *const comments[] = {"//", ";", NULL};
static const char *const syntaxes[] = {"llvm", NULL};

/* In the order of enum gfx7_choice. */
static const struct gpudbg_choice choices[] = {
    {"gfx7", "ordered_count", (const char *const[]){"compilers", "manual", NULL},
        "ds_ordered_count adds a VGPR to GDS or exchanges it, in the order of waves (compilers), or counts lanes "
        "(manual)"},
    /* Behind "file", in the order of enum gfx7_stage (object/shader.h). */
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
    return type == GFX7_F32 ? 32 : type == GFX7_F64 ? 64 : type == GFX7_F16 ? 16 : 0;
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
    .ops = gfx7_ops,
    .nops = GFX7_BASE_OPS,
    .formats = gfx7_formats,
    .files = gfx7_files,
    .nfiles = GFX7_FILES,
    .decode = gfx7_decode,
    .text = gfx7_text,
    .operand_text = gfx7_operand_text,
    .run = &gfx7_runner,
    .traits =
        {.aliases = aliases, .enums = gfx7_enums, .views = gfx7_views, .program = gfx7_program, .choices = choices},
    .fast = {.skim = gfx7_skim, .printer = gfx7_printer, .print = gfx7_print, .sieve = gfx7_sieve},
    .assembler = {.line = gfx7_assemble, .comments = comments, .nop = "s_nop 0", .jump = "s_branch "},
    .device = gfx7_device,
    .dumped = &gfx7_dumped,
    .dwarf = &gfx7_dwarf,
    .floats = floats,
    .pictures = &gfx7_pictures,
    .alone = &alone,
};

static const char *const pro_aliases[] = {"neo", NULL};

/* The same tables with their last rows and layouts.  No other assembler writes them, and no listing is long. */
const struct gpudbg_isa gfx7_pro_isa = {
    .name = "gfx7-pro",
    .title = "the later console's chip: Sea Islands with packed halves",
    .syntaxes = syntaxes,
    .align = 4,
    .lanes = 64,
    .ops = gfx7_ops,
    .nops = GFX7_OPS,
    .formats = gfx7_pro_formats,
    .files = gfx7_files,
    .nfiles = GFX7_FILES,
    .decode = gfx7_decode,
    .text = gfx7_text,
    .operand_text = gfx7_operand_text,
    .run = &gfx7_runner,
    .traits = {.aliases = pro_aliases, .enums = gfx7_enums, .views = gfx7_views, .program = gfx7_program},
    .fast = {.skim = gfx7_skim},
    .assembler = {.line = gfx7_assemble, .comments = comments, .nop = "s_nop 0", .jump = "s_branch "},
    .device = gfx7_device,
    .dumped = &gfx7_dumped,
    .dwarf = &gfx7_dwarf,
    .floats = floats,
    .pictures = &gfx7_pictures,
    .alone = &alone,
};
