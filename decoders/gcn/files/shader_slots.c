/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shader_slots.c: the inputs of a console's shader by name: slots of 4 bytes in front of its record, or after the
 * header of the graphics library.
 *
 *     0  usage    kind of input: the table below    2  first register, or from 16 on a dword of extended user data
 *     1  slot     the API's number, or a chunk      3  bit 0: 8 dwords, not 4; bit 1: a T#, not a V#
 *                                                      of a shader resource table: its dwords less one
 *
 * Source: the headers of open emulators and toolchains (GPCS4, shadPS4, OpenGNM), which agree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"
#include "files/shader.h"

#define USER_SGPRS 16
#define RESOURCE_TABLE 0x0a

/* Dwords of an input; 0: 4, or 8 by its flag.  holds: the kind of its descriptor, NULL: none; "?": by its flag. */
static const struct {
    uint8_t usage, dwords;
    const char *name, *holds;
} usages[] = {
    {0x00, 0, "resource", "?"},
    {0x01, 4, "sampler", "S#"},
    {0x02, 4, "constant buffer", "V#"},
    {0x03, 4, "vertex buffer", "V#"},
    {0x04, 0, "writable resource", "?"},
    {0x05, 1, "float", NULL},
    {0x06, 1, "32 bools", NULL},
    {0x07, 1, "range of append counters in GDS", NULL},
    {0x08, 1, "range of GDS", NULL},
    {0x09, 1, "GWS base", NULL},
    {RESOURCE_TABLE, 2, "shader resource table", NULL},
    {0x0d, 1, "bytes of LDS between export and geometry shader", NULL},
    {0x12, 2, "fetch shader", NULL},
    {0x13, 2, "pointer to resources", NULL},
    {0x14, 2, "pointer to the driver's resources", NULL},
    {0x15, 2, "pointer to samplers", NULL},
    {0x16, 2, "pointer to constant buffers", NULL},
    {0x17, 2, "pointer to vertex buffers", NULL},
    {0x18, 2, "pointer to stream output buffers", NULL},
    {0x19, 2, "pointer to writable resources", NULL},
    {0x1a, 2, "pointer to the driver's table", NULL},
    {0x1b, 2, "pointer to extended user data", NULL},
    {0x1c, 2, "pointer to pointers to resources", NULL},
    {0x1d, 2, "pointer to pointers to the driver's resources", NULL},
    {0x1e, 2, "pointer to pointers to writable resources", NULL},
    {0x22, 1, "offset into the GDS ring of kicks", NULL},
    {0x23, 1, "offset into the ring of vertices", NULL},
    {0x24, 2, "pointer to the data of a dispatch that draws", NULL},
    {0x25, 1, "instances of a dispatch that draws", NULL},
};

static void add_slot(struct gpudbg_image *image, size_t number, const uint8_t *slot)
{
    char key[40], name[80], text[160], place[64], size[40] = "";
    const char *holds = NULL;
    unsigned dwords = 1, first = slot[2];
    snprintf(name, sizeof name, "usage 0x%x, not known,", slot[0]);
    for (size_t i = 0; i < sizeof usages / sizeof *usages; i++)
        if (usages[i].usage == slot[0]) {
            snprintf(name, sizeof name, "%s", usages[i].name);
            dwords = usages[i].dwords ? usages[i].dwords : slot[3] & 1 ? 8 : 4;
            holds = usages[i].holds;
        }
    if (holds && *holds == '?') holds = slot[3] & 2 ? "T#" : "V#";
    if (slot[0] == RESOURCE_TABLE) snprintf(size, sizeof size, ", %u dwords", slot[3] + 1u);
    if (first >= USER_SGPRS && dwords > 1)
        snprintf(place, sizeof place, "dwords %u to %u of extended user data", first - USER_SGPRS,
            first - USER_SGPRS + dwords - 1);
    else if (first >= USER_SGPRS)
        snprintf(place, sizeof place, "dword %u of extended user data", first - USER_SGPRS);
    else if (dwords > 1)
        snprintf(place, sizeof place, "s[%u:%u]", first, first + dwords - 1);
    else
        snprintf(place, sizeof place, "s%u", first);
    struct text t = text_in(text, sizeof text);
    text_add(&t, "%s %u in %s%s", name, slot[1], place, size);
    if (holds) text_add(&t, " (%s)", holds);
    snprintf(key, sizeof key, "input %zu", number);
    gpudbg_image_fact(image, key, text, 0);
}

void gcn_slot_facts(struct gpudbg_image *image, const uint8_t *slots, size_t n)
{
    for (size_t i = 0; i < n; i++) add_slot(image, i, slots + 4 * i);
}

/* ---- Stages ---- */

void gcn_stage_fact(struct gpudbg_image *image, unsigned stage, const char *what)
{
    static const char *const names[GCN_STAGES] = {"pixel", "vertex", "vertex, as export shader",
        "vertex, as local shader", "compute", "geometry", "copy shader after a geometry shader", "hull", "domain",
        "domain, as export shader"};
    char text[120];
    snprintf(text, sizeof text, "%s%s", stage < GCN_STAGES ? names[stage] : "not known", what);
    gpudbg_image_fact(image, "stage", text, stage);
    image->quads = stage == GCN_STAGE_PIXEL;
}

/* Names of dumps: the stage, "_", the hash, perhaps more; only some emulators write "copy_", "gs_" and "es_". */
unsigned gcn_stage_named(const char *path)
{
    static const struct {
        char prefix[8];
        uint8_t stage;
    } names[] = {{"fs_", GCN_STAGE_PIXEL}, {"ps_", GCN_STAGE_PIXEL}, {"vs_", GCN_STAGE_VERTEX},
        {"cs_", GCN_STAGE_COMPUTE}, {"gs_", GCN_STAGE_GEOMETRY}, {"es_", GCN_STAGE_EXPORT}, {"ls_", GCN_STAGE_LOCAL},
        {"hs_", GCN_STAGE_HULL}, {"ds_", GCN_STAGE_DOMAIN}, {"tcs_", GCN_STAGE_HULL}, {"tes_", GCN_STAGE_DOMAIN},
        {"copy_", GCN_STAGE_COPY}};
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i].prefix, strlen(names[i].prefix)) == 0) return names[i].stage;
    return GCN_STAGES;
}

/* ---- Code that does not name its chip ---- */

/* Instructions of [b, b + n), if all of it is code of the chip with no reserved bit set; 0: it is not. */
static unsigned instructions(const struct gpudbg_isa *isa, const uint8_t *b, size_t n)
{
    struct gpudbg_insn insn;
    unsigned count = 0;
    for (size_t at = 0; at < n; at += insn.size, count++)
        if (!gpudbg_insn_at(isa, b + at, n - at, at, &insn) || gcn_reserved_text(&insn, NULL, 0)) return 0;
    return count;
}

static size_t whole_program(const struct gpudbg_isa *isa, const uint8_t *b, size_t n, unsigned least)
{
    const size_t end = gcn_program(isa, b, n);
    return end && instructions(isa, b, end) >= least ? end : 0;
}

size_t gcn_whole_program(const uint8_t *b, size_t n, unsigned least)
{
    size_t end = 0;
    for (const struct gcn_chip *chip = gcn_chips; chip < gcn_chips + GCN_CHIPS && !end; chip++)
        if (chip->guessed) end = whole_program(&chip->isa, b, n, least);
    return end;
}

bool gcn_begins_code(const uint8_t *b, size_t n)
{
    struct gpudbg_insn insn;
    for (const struct gcn_chip *chip = gcn_chips; chip < gcn_chips + GCN_CHIPS; chip++)
        if (chip->guessed && gpudbg_insn_at(&chip->isa, b, n, 0, &insn)) return true;
    return false;
}

const struct gpudbg_isa *gcn_guess_chip(const uint8_t *code, size_t n)
{
    for (const struct gcn_chip *chip = gcn_chips; chip < gcn_chips + GCN_CHIPS; chip++)
        if (chip->guessed && instructions(&chip->isa, code, n)) return &chip->isa;
    return gcn_usual;
}

void gcn_chip_fact(struct gpudbg_image *image, const uint8_t *code, size_t n)
{
    if (is_gcn(image->isa)) return; /* the user chose the chip */
    image->isa = gcn_guess_chip(code, n);
    const char *unlike = gcn_chip_of(image->isa)->unlike;
    if (unlike) gpudbg_image_fact(image, "chip", unlike, 0);
}
