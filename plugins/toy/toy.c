/* SPDX-License-Identifier: GPL-3.0-or-later */
/* toy.c: what gpudbg is told: the descriptors of the instruction sets, and that of the plug-in. */
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

/* The fifteen members that an instruction set needs, and no more.  Chips differ in their rows. */
#define CHIP(id, name_, title_)                 \
    const struct gpudbg_isa id##_isa = {        \
        .name = name_,                          \
        .title = title_,                        \
        .syntaxes = syntaxes,                   \
        .align = 4,                             \
        .lanes = TOY_LANES,                     \
        .ops = toy_ops,                         \
        .nops = TOY_OPS,                        \
        .rows = id##_rows,                      \
        .formats = toy_formats,                 \
        .files = files,                         \
        .nfiles = sizeof files / sizeof *files, \
        .decode = toy_decode,                   \
        .text = toy_text,                       \
        .operand_text = toy_operand_text,       \
        .run = &toy_runner,                     \
    }
CHIP(toy, "toy", "Toy, eight opcodes");
CHIP(toy2, "toy2", "Toy 2, seven opcodes");

static const struct gpudbg_isa *const isas[] = {&toy_isa, &toy2_isa, NULL};

GPUDBG_PUBLIC const struct gpudbg_plugin gpudbg_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "toy",
    .version = "1",
    .summary = "two chips that share a table of eight operations",
    .isas = isas,
};
