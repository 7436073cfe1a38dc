/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c: the assembler as core calls it; `info declarations` and `info resources`. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/endian.h"
#include "il_isa.h"
#include "files/il_load.h"

/* ---- Text to tokens ---- */

bool il_assemble_file(const char *text, size_t size, uint8_t **bytes, size_t *n, struct gpudbg_error *err)
{
    struct il_program program;
    errno = 0;
    if (!il_assemble_checked(text, size, &program, bytes, err))
        return errno == ENOMEM ? gpudbg_fail(err, "memory", "no memory to assemble it") : false;
    *n = 4 * program.n;
    il_program_free(&program);
    return true;
}

int il_assemble_insn(struct gpudbg_reading *r, uint8_t *bytes, size_t room)
{
    struct il_program program;
    struct gpudbg_error err = {.offset = -1};
    if (!il_assemble_line(r->at, &program, &err)) {
        gpudbg_reading_wants(r, r->at + (err.column > 0 ? err.column - 1 : 0), err.kind, "%s", err.message);
        return 0;
    }
    const size_t n = 4 * program.n;
    if (n > room || !n) {
        il_program_free(&program);
        gpudbg_reading_wants(r, r->at, n ? "too-large" : "syntax",
            n ? "%zu bytes are too many for one instruction" : "an instruction is expected here (%zu bytes)", n);
        return 0;
    }
    for (size_t i = 0; i < program.n; i++) le_put(bytes + 4 * i, program.token[i], 4);
    il_program_free(&program);
    return (int)n;
}

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

/* The name that `launch` uses for a declared resource; NULL: it is not a resource. */
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
        if (kinds[i].number == il_code(r->packet.op)) {
            r->number = il_control(&r->packet, "id");
            return kinds[i].name;
        }
    const struct il_operand *o = r->packet.noperands ? &r->packet.operand[0] : NULL;
    if (!o || o->type >= IL_REGTYPES) return NULL;
    r->number = o->number;
    bool named = il_code(r->packet.op) == IL_DCL_CONST_BUFFER || il_code(r->packet.op) == IL_DCL_INPUT ||
                 il_code(r->packet.op) == IL_DCL_OUTPUT;
    return named ? il_register[o->type].text : NULL;
}

static bool walk(struct gpudbg *g, bool resources, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    struct gpudbg_insn insn;
    struct row row;
    size_t n = 0;
    if (!image || !il_is(image->isa)) return gpudbg_fail(err, "no-file", "no AMD IL is loaded");
    const uint8_t *bytes = gpudbg_image_bytes(image, 0, &n);
    for (size_t at = 0; bytes && at < n; at += insn.size) {
        if (!gpudbg_insn_at(image->isa, bytes + at, n - at, at, &insn) || !(insn.op->flags & IL_DECLARES)) continue;
        if (il_code(insn.op) == IL_OP_LANGUAGE || il_code(insn.op) == IL_OP_VERSION ||
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
static const char *const resource_isas[] = {"amdil", NULL};

const struct gpudbg_listing il_resources = {
    .name = "resources",
    .summary = "list the buffers, images, inputs and outputs of an AMD IL program",
    .type = "resource",
    .columns = resource_columns,
    .ncolumns = sizeof resource_columns / sizeof *resource_columns,
    .rows = resource_rows,
    .empty = "No resources.",
    .isas = resource_isas,
};
