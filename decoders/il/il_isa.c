/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_isa.c: the descriptors by which core knows AMD IL. */
#include "il_isa.h"
#include "files/il_load.h"
#include "check/il_rules.h"
#include "run/il_run.h"

/* A register of IL is four registers of a file, x y z w.  Indexed temporaries are numbered across arrays, one after
 * another. */
static const struct gpudbg_regfile files[IL_FILES] = {
#define REG(number, name, text, source_text, access, shape, components, doc) \
    [number] = {text, doc, 0, 32, 64, IL_##shape != IL_PLAIN, false, NULL, "xyzw", 0},
#include "code/registers.def"
#undef REG
    [IL_FILE_EXEC] = {"exec", "lanes that execute", 1, 64, 1, false, true, NULL, NULL, 0},
    [IL_FILE_DISCARD] = {"discarded", "pixels that will not be stored", 1, 64, 1, false, true, NULL, NULL, 0},
};

/* In the order of enum il_choice. */
static const struct gpudbg_choice choices[] = {
    {"il", "dmovc", (const char *const[]){"d3d", "manual", NULL},
        "dmovc takes source 1 where source 0 is not 0 (d3d), or where it is (manual)"},
    {"il", "reflect", (const char *const[]){"formula", "divide", NULL},
        "reflect_normalize scales source 0 by the length's square, or divides by it"},
    {"il", "consume", (const char *const[]){"d3d", "manual", NULL},
        "append_buf_consume gives the counter after (d3d) or before (manual) the decrement"},
    {"il", "inf-else-max", (const char *const[]){"infinity", "max", NULL}, "what zeroop(inf_else_max) is"},
    {"il", "cube", (const char *const[]){"seamless", "face", NULL},
        "filters of cubes cross the edges of faces, or stay on one"},
    {"il", "samples", (const char *const[]){"1", "2", "4", "8", NULL},
        "samples of a pixel, for eval_sample_index and centroids; vCoverageMask says which are covered"},
    {"il", "divcomp", (const char *const[]){"w", "z", "y", "none", NULL},
        "the component that divcomp(unknown) divides by"},
    {NULL, NULL, NULL, NULL},
};

/* The stream ends after its `end`. */
static size_t program(const struct gpudbg_isa *isa, const uint8_t *p, size_t n)
{
    struct gpudbg_insn insn;
    for (size_t at = 0; at < n; at += insn.size)
        if (gpudbg_insn_at(isa, p + at, n - at, at, &insn) && il_code(insn.op) == IL_OP_END) return at + insn.size;
    return 0;
}

static const char *const aliases[] = {"il", NULL};
static const char *const syntaxes[] = {"il", NULL};

static const struct gpudbg_alone alone = {
    .before = "il_cs_2_0\ndcl_num_thread_per_group 64", .after = "end", .whole = "il_", .mask = "exec"};

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    image->isa = &il_isa;
    return il_load(image, err);
}

static const struct gpudbg_loader loader = {
    .name = "amdil", .summary = "AMD IL, text or a stream of tokens", .probe = il_probe, .load = load};

const struct gpudbg_isa il_isa = {
    .name = "amdil",
    .title = "AMD IL 2.4",
    .syntaxes = syntaxes,
    .align = 4,
    .lanes = 64,
    .ops = il_ops,
    .nops = IL_ROWS,
    .rows = il_rows,
    .formats = il_formats,
    .files = files,
    .nfiles = IL_FILES,
    .decode = il_decode,
    .text = il_exact_text,
    .operand_text = il_operand_text,
    .run = &il_runner,
    .traits = {.aliases = aliases,
        .enums = il_enums,
        .choices = choices,
        .comment = ";!",
        .program = program,
        .loader = &loader},
    .assembler = {.line = il_assemble_insn, .file = il_assemble_file, .suffix = ".il"},
    .rules = {.faults = il_faults},
    .floats = il_floats,
    .numbers = il_numbers,
    .alone = &alone,
    .ordering = &il_ordering,
    .jumps = il_jumps,
    .uses = &il_uses,
    .costs = &il_costs,
};

static const struct gpudbg_isa *const isas[] = {&il_isa, NULL};
static const struct gpudbg_loader *const loaders[] = {&loader, NULL};
static const struct gpudbg_checker *const checkers[] = {&il_checker, &il_extent_checker, &il_alignment_checker, NULL};
static const struct gpudbg_listing *const listings[] = {&il_declarations, &il_resources, NULL};

const struct gpudbg_plugin il_plugin;
const struct gpudbg_plugin il_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof il_plugin,
    .name = "amdil",
    .version = GPUDBG_VERSION,
    .summary = "AMD IL: tokens, text, machine",
    .isas = isas,
    .loaders = loaders,
    .checkers = checkers,
    .listings = listings,
};
