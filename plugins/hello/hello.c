/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hello.c: the smallest plug-in: a command, a listing and a checker.
 *
 *     $ gpudbg --plugin hello.so --batch -e 'hello world'
 *     hello, world: nothing is loaded
 *     $ gpudbg --plugin hello.so --batch -e 'info mnemonics' kernel.co
 *     mnemonic      count
 *     s_load_dword      3
 *     ...
 *     $ gpudbg --plugin hello.so --batch -e 'check twice' kernel.co
 *     vadd+0x40: twice: s_nop does what the instruction before it did
 */
#include <gpudbg.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A command: text for people, a record for programs ---- */

static bool hello(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    const char *whom = gpudbg_args_word(args);
    if (!whom) return gpudbg_fail(err, "usage", "hello: say whom to greet");
    gpudbg_out_print(out, "hello, %s: ", whom);
    if (image)
        gpudbg_out_print(out, "%s is %s code with %zu kernels\n", image->path, image->isa->name, image->nkernels);
    else
        gpudbg_out_print(out, "nothing is loaded\n");
    gpudbg_out_begin(out, "hello");
    gpudbg_out_string(out, "whom", whom);
    gpudbg_out_number(out, "kernels", image ? (int64_t)image->nkernels : 0);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command hello_command = {
    .name = "hello",
    .usage = "NAME",
    .summary = "greet somebody and count the kernels",
    .family = "Plug-ins",
    .run = hello,
};

/* ---- A listing: `info mnemonics`, the same with --json, and a pane ---- */

struct row {
    const char *mnemonic;
    uint64_t count;
};

static int cell_mnemonic(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->mnemonic);
}

static int cell_count(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct row *)row)->count);
}

static const struct gpudbg_column columns[] = {
    {"mnemonic", "mnemonic", 0, GPUDBG_NAME, cell_mnemonic},
    {"count", "count", 0, GPUDBG_COUNT, cell_count},
};

/* Adds up the instructions of a section, one number an opcode. */
static void count_section(const struct gpudbg_image *image, const struct gpudbg_section *section, uint64_t *count)
{
    struct gpudbg_insn insn;
    for (uint64_t at = 0; section->bytes && at < section->size; at += insn.size)
        if (gpudbg_insn_at(image->isa, section->bytes + at, section->size - at, section->addr + at, &insn))
            count[insn.op->id]++;
}

static bool rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    (void)args;
    if (!image) return gpudbg_fail(err, "no-file", "mnemonics: nothing is loaded");
    const struct gpudbg_isa *isa = image->isa;
    uint64_t *count = calloc(isa->nops, sizeof *count);
    if (!count) return gpudbg_fail(err, "memory", "mnemonics: out of memory");
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES) count_section(image, &image->sections[i], count);
    bool more = true;
    for (size_t i = 0; more && i < isa->nops; i++) {
        const struct row row = {isa->ops[i].name, count[i]};
        if (count[i]) more = each(to, &row);
    }
    free(count);
    return true;
}

static const struct gpudbg_listing mnemonics = {
    .name = "mnemonics",
    .summary = "how often each opcode stands in the code",
    .type = "mnemonic",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "no instructions",
};

/* ---- A checker: `check twice` ---- */

/* An instruction that stands twice, byte for byte, with nothing between: once would often do. */
static void check_section(
    const struct gpudbg_image *image, const struct gpudbg_section *section, struct gpudbg_checks *checks)
{
    struct gpudbg_insn insn, last = {.size = 0};
    for (uint64_t at = 0; section->bytes && at < section->size; at += insn.size, last = insn) {
        if (!gpudbg_insn_at(image->isa, section->bytes + at, section->size - at, section->addr + at, &insn)) continue;
        if (insn.size != last.size || memcmp(insn.raw, last.raw, insn.size) != 0) continue;
        char message[100];
        snprintf(message, sizeof message, "%s does what the instruction before it did", insn.op->name);
        gpudbg_report(checks, &(struct gpudbg_report){.pc = insn.addr, .message = message});
    }
}

static bool check_twice(const struct gpudbg_image *image, struct gpudbg_checks *checks, struct gpudbg_error *err)
{
    (void)err;
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES) check_section(image, &image->sections[i], checks);
    return true;
}

static const struct gpudbg_checker twice = {
    .kind = "twice",
    .summary = "instructions that stand twice in a row",
    .code = check_twice,
};

/* ---- What gpudbg is told ---- */

static const struct gpudbg_command *const commands[] = {&hello_command, NULL};
static const struct gpudbg_checker *const checkers[] = {&twice, NULL};
static const struct gpudbg_listing *const listings[] = {&mnemonics, NULL};

GPUDBG_PUBLIC const struct gpudbg_plugin gpudbg_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "hello",
    .version = "1",
    .summary = "says hello, counts opcodes, finds doubles",
    .checkers = checkers,
    .commands = commands,
    .listings = listings,
};
