/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_bare.c: a shader of Mesa's drivers for Intel as INTEL_SHADER_BIN_DUMP_PATH writes it and
 * INTEL_SHADER_ASM_READ_PATH reads it: its code and nothing else, in a file named by the code's SHA-1 (later versions:
 * BLAKE3), which INTEL_DEBUG prints with the shader's text.  The tools of other drivers write the same.
 *
 * Known by its contents: all of the file decodes, to a send that ends the thread (after it only nops, with which Mesa
 * fills up 16 bytes, and zeros), and no instruction breaks a rule of its chip.  The file does not name the chip: it is
 * the first of gen12, gen7.5, gen7, gen9, gen8, gen11 and gen12.5 for which this holds.  Source: Mesa, brw_eu.c,
 * brw_dump_shader_bin.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "files/gen_binary.h"
#include "check/gen_rules.h"
#include "gen.h"

#define HEAD 65536u    /* bytes that a probe sees of a larger file */
#define INSNS_LEAST 2u /* a thread that does anything has these */
#define SURE 45        /* a guess: --isa overrides it */

/* Bytes of code at the front of b, 0 if it is not the chip's code.  whole: b is the file, else its head. */
static size_t code_of(const struct gpudbg_isa *isa, const uint8_t *b, size_t n, bool whole)
{
    struct gpudbg_problem problem;
    struct gpudbg_insn insn;
    size_t at = 0, insns = 0, end = 0;
    for (; at < n; at += insn.size, insns++) {
        size_t zeros = 0;
        while (at + zeros < n && !b[at + zeros]) zeros++;
        if (at + zeros == n) break; /* padding */
        if (!gpudbg_insn_at(isa, b + at, n - at, at, &insn)) break;
        const bool nop = strcmp(insn.op->name, "nop") == 0;
        if (strcmp(insn.op->name, "illegal") == 0 || gen_problems(&insn, &problem, 1)) return 0;
        if (gpudbg_insn_does(&insn) & GPUDBG_OP_END)
            end = at + insn.size;
        else if (end == at && nop)
            end += insn.size;
    }
    if (!whole) return n - at < 16 && insns >= INSNS_LEAST ? at : 0;
    for (size_t i = at; i < n; i++)
        if (b[i]) return 0;
    return end == at && insns >= INSNS_LEAST ? at : 0;
}

static const struct gpudbg_isa *chip_of(const uint8_t *b, size_t n, bool whole, size_t *size)
{
    for (size_t i = 0; i < GEN_EUS; i++)
        if ((*size = code_of(gen_tried(i), b, n, whole))) return gen_tried(i);
    return NULL;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    size_t size;
    *why = "is code of an Intel EU to a send that ends its thread, and breaks none of the chip's rules";
    return n >= 16 && n % 8 == 0 && chip_of(b, n, n < HEAD, &size) ? SURE : 0;
}

/* Digits of the hash before ".bin"; 0: it has another name. */
static size_t hash_in(const char *path, const char **hash)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    *hash = slash ? slash + 1 : path;
    size_t n = 0;
    while (path && isxdigit((unsigned char)(*hash)[n])) n++;
    return path && (n == 40 || n == 64) && strcmp(*hash + n, ".bin") == 0 ? n : 0;
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    size_t size;
    const char *hash;
    if (!image->isa) image->isa = chip_of(image->bytes, image->size, true, &size);
    if (!image->isa)
        return gpudbg_fail(err, "not-recognised",
            "it begins as code of an Intel EU does, and does not end as one: name its instruction set with --isa");
    gpudbg_image_section(image, "code", 0, image->size, image->bytes, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    gpudbg_image_fact(image, "chip", "by the instructions alone: the file does not name it (--isa does)", 0);
    gpudbg_image_fact(image, "container", "none: code alone; stage and inputs are not in the file", 0);
    const size_t digits = hash_in(image->path, &hash);
    if (digits) {
        char text[120];
        snprintf(text, sizeof text, "%.*s, by the file's name: INTEL_DEBUG prints it with the shader's text",
            (int)digits, hash);
        gpudbg_image_fact(image, "hash", text, 0);
    }
    return true;
}

const struct gpudbg_loader gen_bare_loader = {
    .name = "intel-code",
    .summary = "code of an Intel EU alone, as Mesa's INTEL_SHADER_BIN_DUMP_PATH writes it",
    .probe = probe,
    .load = load,
};
