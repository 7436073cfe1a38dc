/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_registers.c: dumps of a shader as an emulator's command processor saw it: registers with their data, one after
 * the other to the end of the file.
 *
 *     0  register   its number as packets have it (dwords from the start of all registers), 16 bits
 *     2  count      dwords of data less one, 16 bits
 *     4  data
 *
 * The first is the low address of a stage's program, whose data is the code itself.  The data of user data registers is
 * one dword, its value; or a table that the register and the next one point to.  Known by the first register, by code
 * that decodes, and by counts that end where the file does.  Source: the dumper of an open emulator (PtGcnDumpShader);
 * register numbers: Sea Islands register reference, SPI and COMPUTE.
 */
#include <inttypes.h>
#include <stdio.h>
#include "files/shader.h"

#define BLOCKS_MOST 4096u
#define TABLES_BASE UINT64_C(0x100000) /* code of one block is shorter */
#define TABLES_STEP UINT64_C(0x80000)  /* and so are tables */

/* Numbers of a stage's registers. */
struct stage_registers {
    uint16_t code, rsrc1, rsrc2, user;
    uint8_t stage;
};
static const struct stage_registers stages[] = {
    {0x2c08, 0x2c0a, 0x2c0b, 0x2c0c, GCN_STAGE_PIXEL},
    {0x2c48, 0x2c4a, 0x2c4b, 0x2c4c, GCN_STAGE_VERTEX},
    {0x2c88, 0x2c8a, 0x2c8b, 0x2c8c, GCN_STAGE_GEOMETRY},
    {0x2cc8, 0x2cca, 0x2ccb, 0x2ccc, GCN_STAGE_EXPORT},
    {0x2d08, 0x2d0a, 0x2d0b, 0x2d0c, GCN_STAGE_HULL},
    {0x2d48, 0x2d4a, 0x2d4b, 0x2d4c, GCN_STAGE_LOCAL},
    {0x2e0c, 0x2e12, 0x2e13, 0x2e40, GCN_STAGE_COMPUTE},
};
#define NUM_THREAD_X 0x2e07
#define PS_INPUT_ADDR 0xa1b4
#define PS_INPUT_CNTL 0xa191 /* of attribute 0; 32 of them */

static uint32_t data_size(const uint8_t *block) { return 4 * ((le_u32(block) >> 16) + 1); }

/* Whether counts lead to the end of n bytes; whole: b is the whole file, not its first 64 KB. */
static bool counts_end(const uint8_t *b, size_t n, bool whole)
{
    size_t at = 0;
    for (unsigned i = 0; i < BLOCKS_MOST && at < n; i++) {
        if (n - at < 8 || data_size(b + at) > n - at - 4) return !whole && i > 0;
        at += 4 + data_size(b + at);
    }
    return at == n;
}

static const struct stage_registers *stage_of(const uint8_t *b, size_t n, bool whole)
{
    if (n < 8) return NULL; /* a register and one dword: s_endpgm alone */
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if ((le_u32(b) & 0xffff) == stages[i].code && gcn_begins_code(b + 4, n - 4) && counts_end(b, n, whole))
            return &stages[i];
    return NULL;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    *why = "registers with their data, the first a shader's code";
    return stage_of(b, n, n < 65536) ? 75 : 0;
}

static void hex_fact(struct gpudbg_image *image, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%08" PRIx64, value);
    gpudbg_image_fact(image, key, text, value);
}

static void take(struct gpudbg_image *image, const struct stage_registers *stage, unsigned reg, const uint8_t *data,
    uint32_t size, uint32_t group[3], uint32_t *seen)
{
    char name[32];
    const uint32_t value = le_u32(data);
    if (reg == stage->rsrc1) hex_fact(image, "rsrc1", value);
    if (reg == stage->rsrc2) hex_fact(image, "rsrc2", value);
    if (stage->stage == GCN_STAGE_PIXEL && reg == PS_INPUT_ADDR) hex_fact(image, "ps input", value);
    if (stage->stage == GCN_STAGE_PIXEL && reg - PS_INPUT_CNTL < 32) {
        snprintf(name, sizeof name, "interpolant %u", reg - PS_INPUT_CNTL);
        hex_fact(image, name, value);
    }
    if (stage->stage == GCN_STAGE_COMPUTE && reg - NUM_THREAD_X < 3) group[reg - NUM_THREAD_X] = value;
    const unsigned user = reg - stage->user;
    if (user >= 16) return;
    if (*seen >> user & 1) return; /* the first counts */
    *seen |= 1u << user;
    snprintf(name, sizeof name, "user s%u", user);
    if (size == 4) {
        hex_fact(image, name, value);
        return;
    }
    const uint64_t addr = TABLES_BASE + user * TABLES_STEP;
    snprintf(name, sizeof name, "table of s[%u:%u]", user, user + 1);
    gpudbg_image_section(image, name, addr, size, data, GPUDBG_LOADED);
    snprintf(name, sizeof name, "user s%u", user);
    hex_fact(image, name, addr);
    snprintf(name, sizeof name, "user s%u", user + 1);
    hex_fact(image, name, 0);
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    const uint8_t *b = image->bytes;
    const struct stage_registers *stage = stage_of(b, image->size, true);
    uint32_t group[3] = {0, 0, 0}, seen = 0;
    char text[48];
    if (!stage) return gpudbg_fail(err, "truncated", "a register's data ends after the end of the file");
    gcn_chip_fact(image, b + 4, data_size(b));
    const size_t ends = gcn_program(image->isa, b + 4, data_size(b)), code = ends ? ends : data_size(b);
    gpudbg_image_section(image, "code", 0, code, b + 4, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    if (code < data_size(b)) /* a compiler's constants */
        gpudbg_image_section(image, "tables", code, data_size(b) - code, b + 4 + code, GPUDBG_LOADED);
    gpudbg_image_fact(image, "container", "registers with their data", 0);
    gcn_stage_fact(image, stage->stage, "");
    for (size_t at = 4 + data_size(b); at < image->size; at += 4 + data_size(b + at))
        take(image, stage, le_u32(b + at) & 0xffff, b + at + 4, data_size(b + at), group, &seen);
    if (stage->stage == GCN_STAGE_VERTEX || stage->stage == GCN_STAGE_EXPORT || stage->stage == GCN_STAGE_LOCAL)
        gcn_fetch_called(image, b + 4, code);
    if (group[0] && group[1] && group[2]) {
        snprintf(text, sizeof text, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, group[0], group[1], group[2]);
        gpudbg_image_fact(image, "group size", text, 0);
    }
    return true;
}

const struct gpudbg_loader gcn_registers_loader = {
    .name = "gcn-registers",
    .summary = "dumps of a shader's registers, its code and its user data",
    .probe = probe,
    .load = load,
};
