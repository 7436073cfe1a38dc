/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c: `assemble`; `info declarations` and `info resources`. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "il_isa.h"
#include "il_load.h"

/* ---- assemble ---- */

#define TEXT_MOST ((size_t)64 << 20)

static void name_file(struct gpudbg_error *err, const char *path)
{
    snprintf(err->file, sizeof err->file, "%.255s", path);
    err->line = err->column = 0;
    err->offset = -1;
}

static bool run_assemble(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct il_program program;
    uint8_t *bytes;
    char *text, from[4096], to[4096];
    size_t size;
    const char *word = gpudbg_args_word(a);
    snprintf(from, sizeof from, "%s", word ? word : "");
    word = word ? gpudbg_args_word(a) : NULL;
    snprintf(to, sizeof to, "%s", word ? word : "");
    if (!word || *gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "assemble wants two files: FILE.il OUT.bin");
    name_file(err, from);
    if (!(text = gpudbg_read_file(g, from, TEXT_MOST, &size, err))) return false;
    bool ok = il_assemble_checked(text, size, &program, &bytes, err);
    free(text);
    if (!ok) return false;
    size_t n = 4 * program.n;
    il_program_free(&program);
    name_file(err, to);
    ok = gpudbg_save(to, bytes, n, err);
    free(bytes);
    if (!ok) return false;
    err->file[0] = 0;
    gpudbg_out_print(out, "%s: %zu bytes\n", to, n);
    gpudbg_out_begin(out, "assembled");
    gpudbg_out_string(out, "file", to);
    gpudbg_out_number(out, "bytes", (int64_t)n);
    gpudbg_out_end(out);
    return true;
}

const struct gpudbg_command il_assemble_command = {
    .name = "assemble",
    .usage = "FILE.il OUT.bin",
    .summary = "assemble AMD IL text into a stream of tokens",
    .help = "The command writes the whole stream: language token 0, version, packets.  An error names the line\n"
            "and column, and then OUT.bin stays as it was.",
    .family = "Code",
    .run = run_assemble,
    .writes = true,
};

/* ---- Declarations ---- */

struct row {
    uint64_t addr;
    struct il_packet packet;
    const char *kind;
    uint32_t number;
    char text[300];
};

static int cell_addr(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct row *)row)->addr);
}

static int cell_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->packet.op->name);
}

static int cell_text(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->text);
}

static int cell_kind(const void *row, char *buf, size_t size)
{
    const struct row *r = row;
    return snprintf(buf, size, "%s%" PRIu32, r->kind, r->number);
}

/* The name an argument of `launch` has for what is declared; NULL: it is no resource. */
static const char *resource_of(struct row *r)
{
    static const struct {
        uint16_t number;
        const char *name;
    } kinds[] = {{IL_DCL_RESOURCE, "res"}, {IL_OP_DCL_UAV, "uav"}, {IL_OP_DCL_RAW_UAV, "uav"},
        {IL_OP_DCL_STRUCT_UAV, "uav"}, {IL_OP_DCL_arena_UAV, "uav"}, {IL_OP_DCL_TYPED_UAV, "uav"},
        {IL_OP_DCL_TYPELESS_UAV, "uav"}, {IL_OP_DCL_RAW_SRV, "srv"}, {IL_OP_DCL_STRUCT_SRV, "srv"}, {IL_DCL_LDS, "lds"},
        {IL_DCL_STRUCT_LDS, "lds"}, {IL_DCL_GDS, "gds"}, {IL_DCL_STRUCT_GDS, "gds"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].number == r->packet.op->code) {
            r->number = il_control(&r->packet, "id");
            return kinds[i].name;
        }
    const struct il_operand *o = r->packet.noperands ? &r->packet.operand[0] : NULL;
    if (!o || o->type >= IL_REGTYPES) return NULL;
    r->number = o->number;
    bool named = r->packet.op->code == IL_DCL_CONST_BUFFER || r->packet.op->code == IL_DCL_INPUT ||
                 r->packet.op->code == IL_DCL_OUTPUT;
    return named ? il_register[o->type].text : NULL;
}

static bool walk(struct gpudbg *g, bool resources, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    struct gpudbg_insn insn;
    struct row row;
    size_t n = 0;
    if (!image || image->isa != &amdil_isa) return gpudbg_fail(err, "no-file", "no AMD IL is loaded");
    const uint8_t *bytes = gpudbg_image_bytes(image, 0, &n);
    for (size_t at = 0; bytes && at < n; at += insn.size) {
        if (!gpudbg_insn_at(&amdil_isa, bytes + at, n - at, at, &insn) || !(insn.op->flags & IL_DECLARES)) continue;
        if (insn.op->code == IL_OP_LANGUAGE || insn.op->code == IL_OP_VERSION ||
            il_unpack(insn.raw, insn.size, &row.packet) <= 0)
            continue;
        row.addr = at;
        row.kind = resource_of(&row);
        il_text(&insn, 0, GPUDBG_READABLE, NULL, row.text, sizeof row.text);
        if ((row.kind || !resources) && !each(to, &row)) break;
    }
    return true;
}

static bool declaration_rows(
    struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)args;
    return walk(g, false, each, to, err);
}

static bool resource_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)args;
    return walk(g, true, each, to, err);
}

static const struct gpudbg_column declaration_columns[] = {
    {"addr", "address", 0, GPUDBG_ADDRESS, cell_addr},
    {"text", "declaration", 0, GPUDBG_PLAIN, cell_text},
    {"name", "opcode", 0, GPUDBG_NAME, cell_name},
};
const struct gpudbg_listing il_declarations = {
    .name = "declarations",
    .summary = "list what an AMD IL program declares",
    .type = "declaration",
    .columns = declaration_columns,
    .ncolumns = sizeof declaration_columns / sizeof *declaration_columns,
    .rows = declaration_rows,
    .empty = "No declarations.",
};

static const struct gpudbg_column resource_columns[] = {
    {"name", "name", 0, GPUDBG_NAME, cell_kind},
    {"addr", "declared at", 0, GPUDBG_ADDRESS, cell_addr},
    {"text", "text", 0, GPUDBG_PLAIN, cell_text},
};
const struct gpudbg_listing il_resources = {
    .name = "resources",
    .summary = "list the buffers, images, inputs and outputs of an AMD IL program",
    .type = "resource",
    .columns = resource_columns,
    .ncolumns = sizeof resource_columns / sizeof *resource_columns,
    .rows = resource_rows,
    .empty = "No resources.",
};
