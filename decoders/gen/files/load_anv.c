/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_anv.c: a shader as ANV and hasvk keep it in pipeline caches and on disk.  All builds begin alike:
 *
 *     stage          as Mesa numbers them, 0 to 14
 *     size           of the program, in bytes
 *     program        code: of pixel shaders one a width, each from a multiple of 64; constants after it
 *     ...            the driver's data about the shader (prog_data), in the build's form
 *
 * Known by a stage, a program within the file, and code from its first byte to the end of a thread that breaks no rule
 * of its chip: the first of gen12, gen7.5 and gen7, or the one that --isa or the cache names.  The data after the
 * program differs from build to build without a version: it is not read, and `info file` says so.
 * Source: Mesa, anv_pipeline_cache.c (anv_shader_bin_serialize) and anv_shader.c, over their history.
 */
#include <stdio.h>
#include <string.h>
#include "files/gen_binary.h"
#include "files/products.h"
#include "check/gen_rules.h"
#include "gen.h"
#include "gpudbg/endian.h"

#define FRONT 8u
#define ALIGNED 64u /* of a further program */
#define HEAD 65536u /* bytes that a probe sees of a larger file */
#define PROGRAMS_MOST 8u

static const char *const stages[] = {"vertex", "tessellation control (hull)", "tessellation evaluation (domain)",
    "geometry", "pixel", "compute", "task", "mesh", "ray generation", "any hit", "closest hit", "miss", "intersection",
    "callable", "kernel"};
#define STAGES (sizeof stages / sizeof *stages)

/* Bytes of the program at b to its end; 0: it has none, or breaks a rule. */
static size_t program_of(const struct gpudbg_isa *isa, const uint8_t *b, size_t n)
{
    struct gpudbg_problem problem;
    struct gpudbg_insn insn;
    const size_t end = isa->traits.program(isa, b, n);
    for (size_t at = 0; at < end; at += insn.size)
        if (!gpudbg_insn_at(isa, b + at, end - at, at, &insn) || gen_problems(&insn, &problem, 1)) return 0;
    return end;
}

/* The program's size, if it is one within [b, b + n), whose chip is among those that --isa leaves.  whole: b is the
 * file, else its head. */
static size_t find(const uint8_t *b, size_t n, bool whole, const struct gpudbg_isa *only, const struct gpudbg_isa **isa)
{
    if (n < FRONT + 16 || le_u32(b) >= STAGES) return 0;
    const uint32_t size = le_u32(b + 4);
    if (size < 16 || size % 4 || (whole && size > n - FRONT)) return 0;
    const size_t seen = size < n - FRONT ? size : n - FRONT;
    for (size_t i = 0; i < GEN_EUS; i++) {
        *isa = gen_tried(i);
        if ((!only || only == gen_tried(i)) && program_of(gen_tried(i), b + FRONT, seen)) return size;
    }
    return 0;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    const struct gpudbg_isa *isa;
    *why = "the structure in which ANV and hasvk keep a shader: a stage, a size, and code of an Intel EU";
    return find(b, n, n < HEAD, NULL, &isa) ? 60 : 0;
}

/* Names programs that follow each other; returns where the last one ends. */
static size_t name_programs(struct gpudbg_image *image, const uint8_t *code, size_t size)
{
    size_t at = 0, end = 0, n;
    char name[24];
    for (unsigned i = 0; i < PROGRAMS_MOST && at < size && (n = program_of(image->isa, code + at, size - at)); i++) {
        snprintf(name, sizeof name, "program%u", i);
        gpudbg_image_symbol(image, name, at, n, GPUDBG_SYM_FUNCTION);
        end = at + n;
        at = (end + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    return end;
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa;
    const uint8_t *b = image->bytes;
    const size_t size = find(b, image->size, true, gen_is_ours(image->isa) ? image->isa : NULL, &isa);
    if (!size) return gpudbg_fail(err, "not-recognised", "its program is not code of this chip, or ends in the middle");
    if (!gen_is_ours(image->isa))
        gpudbg_image_fact(image, "chip", "by the instructions alone: the object does not name it (--isa does)", 0);
    image->isa = isa;
    const size_t end = name_programs(image, b + FRONT, size);
    gpudbg_image_section(image, "code", 0, end, b + FRONT, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    if (end < size) gpudbg_image_section(image, "constants", end, size - end, b + FRONT + end, GPUDBG_LOADED);
    gpudbg_image_fact(image, "stage", stages[le_u32(b)], le_u32(b));
    gpudbg_image_fact(image, "container",
        "a shader of ANV or hasvk; its start values follow the program, in a form of its build that is not known", 0);
    return true;
}

const struct gpudbg_loader gen_anv_loader = {
    .name = "anv-shader",
    .summary = "a shader as ANV and hasvk keep it in caches",
    .probe = probe,
    .load = load,
};
