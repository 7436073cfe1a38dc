/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pal.c: the hardware stages of a PAL pipeline, from its metadata:
 *
 *     amdpal.pipelines[0]
 *         .hardware_stages   .ps .vs .gs .es .hs .ls .cs, each with .entry_point
 *         .registers         number of a register (dwords, as packets have it) -> value
 *
 * The values of user data registers say what the driver must put there: below 0x10000000 a dword of the application's
 * user data, from there on a table or number of the driver's own.  Source: LLVM AMDGPU usage guide, code conventions of
 * AMDPAL; register numbers: Sea Islands register reference.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "files/pal.h"
#include "files/shader.h"

#define USER_SGPRS 16u
#define DRIVERS 0x10000000u /* user data from here on is the driver's */
#define NUM_THREAD_X 0x2e07u
#define PS_INPUT_ADDR 0xa1b4u

static const struct stage {
    char name[4];
    uint8_t stage;
    uint16_t rsrc1, user; /* RSRC2 follows RSRC1 */
} stages[] = {
    {".ps", GCN_STAGE_PIXEL, 0x2c0a, 0x2c0c},
    {".vs", GCN_STAGE_VERTEX, 0x2c4a, 0x2c4c},
    {".gs", GCN_STAGE_GEOMETRY, 0x2c8a, 0x2c8c},
    {".es", GCN_STAGE_EXPORT, 0x2cca, 0x2ccc},
    {".hs", GCN_STAGE_HULL, 0x2d0a, 0x2d0c},
    {".ls", GCN_STAGE_LOCAL, 0x2d4a, 0x2d4c},
    {".cs", GCN_STAGE_COMPUTE, 0x2e12, 0x2e40},
};
enum { STAGES = sizeof stages / sizeof *stages };

/* The names of the driver's own user data, from DRIVERS on. */
static const char *const drivers[] = {[0x0] = "global table",
    [0x1] = "table of the shader",
    [0x2] = "spill table",
    [0x3] = "base vertex",
    [0x4] = "base instance",
    [0x5] = "draw index",
    [0x6] = "pointer to counts of groups",
    [0xa] = "bytes of LDS between export and geometry shader",
    [0xb] = "view",
    [0xc] = "stream output table",
    [0xd] = "performance data of the shader",
    [0xf] = "vertex buffer table",
    [0x10] = "table of exports to memory",
    [0x11] = "culling data",
    [0x15] = "fetch shader"};

static bool register_of(const json_t *registers, unsigned number, uint32_t *value)
{
    char key[24];
    snprintf(key, sizeof key, "%u", number);
    const json_t *v = json_object_get(registers, key);
    const json_int_t n = json_integer_value(v);
    *value = (uint32_t)n;
    return json_is_integer(v) && n >= 0 && n <= UINT32_MAX;
}

/* front: the prefix of the key, which is the stage's name if the file has several stages, or "". */
static void hex_fact(
    struct gpudbg_image *image, const char *front, const char *key, const json_t *registers, unsigned number)
{
    char text[16], name[40];
    uint32_t value;
    if (!register_of(registers, number, &value)) return;
    snprintf(text, sizeof text, "0x%08" PRIx32, value);
    snprintf(name, sizeof name, "%s%s", front, key);
    gpudbg_image_fact(image, name, text, value);
}

static void user_data_facts(
    struct gpudbg_image *image, const char *front, const json_t *registers, const struct stage *s)
{
    char text[80], name[40];
    uint32_t value;
    for (unsigned i = 0; i < USER_SGPRS; i++) {
        if (!register_of(registers, s->user + i, &value)) continue;
        const uint32_t own = value - DRIVERS;
        if (value < DRIVERS)
            snprintf(text, sizeof text, "dword %" PRIu32 " of user data in s%u", value, i);
        else if (own < sizeof drivers / sizeof *drivers && drivers[own])
            snprintf(text, sizeof text, "%s in s%u", drivers[own], i);
        else
            snprintf(text, sizeof text, "0x%" PRIx32 ", not known, in s%u", value, i);
        snprintf(name, sizeof name, "%sinput %u", front, i);
        gpudbg_image_fact(image, name, text, 0);
    }
}

static void group_size_fact(struct gpudbg_image *image, const char *front, const json_t *registers)
{
    char text[48], name[24];
    uint32_t size[3];
    for (unsigned i = 0; i < 3; i++)
        if (!register_of(registers, NUM_THREAD_X + i, &size[i])) return;
    snprintf(text, sizeof text, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, size[0], size[1], size[2]);
    snprintf(name, sizeof name, "%sgroup size", front);
    gpudbg_image_fact(image, name, text, 0);
}

static void stage_facts(struct gpudbg_image *image, const char *front, const json_t *pipeline, const struct stage *s)
{
    const json_t *registers = json_object_get(pipeline, ".registers"),
                 *stage = json_object_get(json_object_get(pipeline, ".hardware_stages"), s->name);
    const char *entry = json_string_value(json_object_get(stage, ".entry_point"));
    char name[40];
    snprintf(name, sizeof name, "%sentry", front);
    if (entry) gpudbg_image_fact(image, name, entry, 0);
    hex_fact(image, front, "rsrc1", registers, s->rsrc1);
    hex_fact(image, front, "rsrc2", registers, s->rsrc1 + 1u);
    if (s->stage == GCN_STAGE_PIXEL) hex_fact(image, "", "ps input", registers, PS_INPUT_ADDR);
    if (s->stage == GCN_STAGE_COMPUTE) group_size_fact(image, front, registers);
    user_data_facts(image, front, registers, s);
}

/* Whether the pipeline has the stage: its list says so; without a list, its RSRC1 is there. */
static bool has_stage(const json_t *pipeline, const struct stage *s)
{
    const json_t *list = json_object_get(pipeline, ".hardware_stages");
    uint32_t value;
    return list ? json_object_get(list, s->name) != NULL
                : register_of(json_object_get(pipeline, ".registers"), s->rsrc1, &value);
}

unsigned gcn_pal_lanes(const json_t *metadata)
{
    /* Registers that say it on chips with two sizes, and the bit for waves of 32. */
    static const struct {
        char stage[4];
        uint16_t number;
        uint8_t bit;
    } places[] = {
        {".cs", 0x2e00, 15}, {".ps", 0xa1b6, 15}, {".gs", 0xa2d5, 22}, {".hs", 0xa2d5, 21}, {".vs", 0xa2d5, 23}};
    const json_t *pipeline = json_array_get(json_object_get(metadata, "amdpal.pipelines"), 0);
    const json_t *list = json_object_get(pipeline, ".hardware_stages");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const json_t *stage = json_object_get(list, places[i].stage);
        uint32_t value;
        if (!stage) continue;
        const json_int_t said = json_integer_value(json_object_get(stage, ".wavefront_size"));
        if (said == 32 || said == 64) return (unsigned)said;
        if (!json_object_size(json_object_get(pipeline, ".registers"))) continue;
        /* LLVM gives the register for waves of 32 alone; else it is 0. */
        if (!register_of(json_object_get(pipeline, ".registers"), places[i].number, &value)) value = 0;
        return value >> places[i].bit & 1 ? 32 : 64;
    }
    return 0;
}

void gcn_pal_facts(struct gpudbg_image *image, const json_t *metadata)
{
    const json_t *pipeline = json_array_get(json_object_get(metadata, "amdpal.pipelines"), 0);
    const struct stage *only = NULL;
    unsigned n = 0;
    char front[8];
    if (!pipeline) return;
    for (unsigned i = 0; i < STAGES; i++)
        if (has_stage(pipeline, &stages[i])) only = &stages[i], n++;
    gpudbg_image_fact(image, "container", "PAL pipeline", 0);
    if (n == 1) {
        gcn_stage_fact(image, only->stage, "");
        stage_facts(image, "", pipeline, only);
        return;
    }
    gpudbg_image_fact(image, "stages",
        n ? "several: `set " GCN_FAMILY " stage`, rsrc1= and rsrc2= of the launch choose one" : "none is named", 0);
    for (unsigned i = 0; i < STAGES; i++) {
        if (!has_stage(pipeline, &stages[i])) continue;
        snprintf(front, sizeof front, "%s.", stages[i].name + 1);
        stage_facts(image, front, pipeline, &stages[i]);
    }
}

json_t *gcn_pal_pairs(const uint8_t *bytes, size_t n)
{
    json_t *registers = json_object();
    char key[24];
    for (size_t at = 0; n - at >= 8; at += 8) {
        snprintf(key, sizeof key, "%" PRIu32, le_u32(bytes + at));
        json_object_set_new(registers, key, json_integer(le_u32(bytes + at + 4)));
    }
    return json_pack("{s:[{s:o}]}", "amdpal.pipelines", ".registers", registers);
}
