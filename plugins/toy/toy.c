/* SPDX-License-Identifier: GPL-3.0-or-later */
/* toy.c: what gpudbg is told: the descriptor of the instruction set, and that of the plug-in. */
#include "toy.h"

static const struct gpudbg_regfile files[] = {
    {.name = "v",
        .doc = "registers, one value a lane",
        .count = TOY_REGISTERS,
        .bits = 32,
        .lanes = TOY_LANES,
        .indexed = true},
};

static const char *const syntaxes[] = {"toy", NULL};

/* The fourteen members that an instruction set needs, and no more. */
const struct gpudbg_isa toy_isa = {
    .name = "toy",
    .title = "Toy, eight opcodes",
    .syntaxes = syntaxes,
    .align = 4,
    .lanes = TOY_LANES,
    .ops = toy_ops,
    .nops = TOY_OPS,
    .formats = toy_formats,
    .files = files,
    .nfiles = sizeof files / sizeof *files,
    .decode = toy_decode,
    .text = toy_text,
    .operand_text = toy_operand_text,
    .run = &toy_runner,
};

static const struct gpudbg_isa *const isas[] = {&toy_isa, NULL};

GPUDBG_PUBLIC const struct gpudbg_plugin gpudbg_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "toy",
    .version = "1",
    .summary = "an instruction set of eight opcodes",
    .isas = isas,
};
