/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa.c: the descriptors by which core knows AMD IL. */
#include "amdil.h"

/* A register of IL is four components of 32 bits a lane. */
static const struct gpudbg_regfile files[IL_REGTYPES] = {
#define REG(number, name, text, source_text, access, shape, components, doc) \
    [number] = {text, doc, 0, 128, 64, IL_##shape != IL_PLAIN, false, NULL},
#include "registers.def"
#undef REG
};

/* The stream ends behind its `end`. */
static size_t program(const struct gpudbg_isa *isa, const uint8_t *p, size_t n)
{
    struct gpudbg_insn insn;
    for (size_t at = 0; at < n; at += insn.size)
        if (gpudbg_insn_at(isa, p + at, n - at, at, &insn) && insn.op->code == IL_OP_END)
            return at + insn.size;
    return 0;
}

static const char *const aliases[] = {"il", NULL};
static const char *const syntaxes[] = {"il", NULL};

const struct gpudbg_isa amdil_isa = {
    .name = "amdil",
    .aliases = aliases,
    .title = "AMD IL 2.4",
    .syntaxes = syntaxes,
    .align = 4,
    .lanes = 64,
    .ops = il_ops,
    .nops = IL_ROWS,
    .enums = il_enums,
    .formats = il_formats,
    .files = files,
    .nfiles = IL_REGTYPES,
    .decode = il_decode,
    .text = il_text,
    .operand_text = il_operand_text,
    .program = program,
};

static const struct gpudbg_isa *const isas[] = {&amdil_isa, NULL};

const struct gpudbg_plugin amdil_plugin;
const struct gpudbg_plugin amdil_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof amdil_plugin,
    .name = "amdil",
    .version = GPUDBG_VERSION,
    .summary = "AMD IL: tokens, text, machine",
    .isas = isas,
};
