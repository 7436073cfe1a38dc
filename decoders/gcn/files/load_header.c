/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_header.c: shaders with the header of the graphics library of the console with RDNA (gfx1013), as public
 * emulators document it:
 *
 *     0x00  "1234", version 0x18
 *     0x08  user data, code, context registers, shader registers, special registers, semantics in, semantics out: 64
 *           bits each, the distance from the field to the table, 0: none
 *     0x40  sizes of the header and of the code in bytes; constants in units of 16 bytes, target, semantics in
 *     0x54  dwords of scratch a thread, semantics out, bytes of special registers: 16 bits each
 *     0x5a  kind, numbers of context registers and of shader registers: a byte each
 *
 *     registers          number, less 0x2c00 or 0xa000, and value
 *     special registers  GE_CNTL, VGT_SHADER_STAGES_EN: number and value each; the dispatch's modifier; ...
 *
 * The library gets header and code as two pieces.  A file of this loader has the header and then the code.  The size of
 * waves is a bit of VGT_SHADER_STAGES_EN, SPI_PS_IN_CONTROL or the dispatch's modifier, by the kind.
 * Source: KytyPS5 (GraphicsCreateShader) and other open emulators of the same function, which agree; bits of registers:
 * Mesa, gfx10 register database.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "files/shader.h"

enum { MAGIC = 0x34333231, VERSION = 0x18, HEADER_LEAST = 0x5d, CODE_MOST = 1 << 24 };
enum { AT_CONTEXT = 0x18, AT_SHADER = 0x20, AT_SPECIAL = 0x28, AT_SIZES = 0x40, AT_SCRATCH = 0x54, AT_KIND = 0x5a };

/* Kinds of shaders, with the number of RSRC1, and where the size of waves is. */
enum waves { OF_STAGES, OF_PIXELS, OF_DISPATCH };
static const struct kind {
    const char *name;
    uint8_t stage;
    uint16_t rsrc1; /* RSRC2 follows */
    enum waves waves;
    uint8_t bit;
} kinds[] = {
    {"compute", GCN_STAGE_COMPUTE, 0x212, OF_DISPATCH, 15},
    {"pixel", GCN_STAGE_PIXEL, 0x00a, OF_PIXELS, 15},
    {"geometry", GCN_STAGE_GEOMETRY, 0x08a, OF_STAGES, 22},
    {"hull", GCN_STAGE_HULL, 0x10a, OF_STAGES, 21},
    {"geometry, front half", GCN_STAGE_EXPORT, 0x08a, OF_STAGES, 22},
    {"hull, front half", GCN_STAGE_LOCAL, 0x10a, OF_STAGES, 21},
    {"geometry, back half", GCN_STAGE_GEOMETRY, 0x08a, OF_STAGES, 22},
    {"hull, back half", GCN_STAGE_HULL, 0x10a, OF_STAGES, 21},
    {"fetch", GCN_STAGES, 0, OF_STAGES, 22},
};
enum { KINDS = sizeof kinds / sizeof *kinds, PS_IN_CONTROL = 0x1b6, PS_INPUT_ADDR = 0x1b4 };

static bool is_header(const uint8_t *b, size_t n)
{
    return n >= HEADER_LEAST && le_u32(b) == MAGIC && le_u32(b + 4) == VERSION &&
           le_u32(b + AT_SIZES) >= HEADER_LEAST && b[AT_KIND] < KINDS;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    *why = "the header of a shader, \"1234\" and version 0x18, as emulators of the console with RDNA document it";
    return is_header(b, n) ? 85 : 0;
}

/* The table of `size` bytes that a field of the header points at; NULL: it has none, or not in the header. */
static const uint8_t *table_at(const uint8_t *b, size_t field, size_t size)
{
    const uint64_t away = le_get(b + field, 8), header = le_u32(b + AT_SIZES);
    if (!away || away > header || field + away > header || header - (field + away) < size) return NULL;
    return b + field + away;
}

/* A register of a list of numbers and values. */
static bool register_in(const uint8_t *list, unsigned n, uint32_t number, uint32_t *value)
{
    for (unsigned i = 0; list && i < n; i++, list += 8)
        if (le_u32(list) == number) {
            *value = le_u32(list + 4);
            return true;
        }
    return false;
}

struct registers {
    const uint8_t *context, *shader, *special;
    unsigned ncontext, nshader;
};

static struct registers registers_of(const uint8_t *b)
{
    struct registers r = {.ncontext = b[AT_KIND + 1], .nshader = b[AT_KIND + 2]};
    r.context = table_at(b, AT_CONTEXT, 8u * r.ncontext);
    r.shader = table_at(b, AT_SHADER, 8u * r.nshader);
    r.special = table_at(b, AT_SPECIAL, 20);
    return r;
}

/* The lanes of a wave; 0: the header does not say. */
static unsigned lanes_of(const struct kind *kind, const struct registers *r)
{
    uint32_t value = 0;
    if (kind->waves == OF_PIXELS) {
        if (!register_in(r->context, r->ncontext, PS_IN_CONTROL, &value)) return 0;
    } else if (!r->special)
        return 0;
    else
        value = le_u32(r->special + (kind->waves == OF_STAGES ? 12 : 16));
    return value >> kind->bit & 1 ? 32 : 64;
}

static void add_facts(struct gpudbg_image *image, const struct kind *kind, const struct registers *r, unsigned lanes)
{
    uint32_t value;
    gpudbg_image_fact(image, "container", "a header of the console's graphics library, and the code after it", 0);
    gpudbg_image_fact(image, "kind", kind->name, 0);
    if (kind->stage < GCN_STAGES) gcn_stage_fact(image, kind->stage, "");
    if (lanes)
        gpudbg_image_fact(image, "lanes of a wave", NULL, lanes);
    else
        gpudbg_image_fact(image, "lanes of a wave", "not said: 32 are assumed (--isa gfx1013-wave64)", 32);
    if (kind->rsrc1 && register_in(r->shader, r->nshader, kind->rsrc1, &value)) gcn_word_fact(image, "rsrc1", value);
    if (kind->rsrc1 && register_in(r->shader, r->nshader, kind->rsrc1 + 1u, &value))
        gcn_word_fact(image, "rsrc2", value);
    if (kind->stage == GCN_STAGE_PIXEL && register_in(r->context, r->ncontext, PS_INPUT_ADDR, &value))
        gcn_word_fact(image, "ps input", value);
    gpudbg_image_fact(image, "scratch", NULL, 4u * le_u16(image->bytes + AT_SCRATCH));
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    const uint8_t *b = image->bytes;
    if (!is_header(b, image->size)) return gpudbg_fail(err, "not-recognised", "it has no header of this console");
    const uint32_t header = le_u32(b + AT_SIZES), size = le_u32(b + AT_SIZES + 4);
    if (header > image->size || size > image->size - header || size > CODE_MOST || size < 4)
        return gpudbg_fail(err, "truncated",
            "its header of %" PRIu32 " bytes names %" PRIu32
            " bytes of code, and the file has %zu: open the code alone with --isa gfx1013 --raw",
            header, size, image->size);
    const struct kind *kind = &kinds[b[AT_KIND]];
    const struct registers r = registers_of(b);
    const unsigned lanes = lanes_of(kind, &r);
    if (!is_gcn(image->isa)) image->isa = &gcn_chips[lanes == 64 ? GCN_CHIP_gfx1013_64 : GCN_CHIP_gfx1013].isa;
    const size_t ends = gcn_program(image->isa, b + header, size), code = ends ? ends : size;
    gpudbg_image_section(image, "code", 0, code, b + header, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    if (code < size) gpudbg_image_section(image, "constants", code, size - code, b + header + code, GPUDBG_LOADED);
    add_facts(image, kind, &r, lanes);
    return true;
}

const struct gpudbg_loader gcn_header_loader = {
    .name = "shader-header",
    .summary = "shaders with the header of the console with RDNA, as emulators document it",
    .probe = probe,
    .load = load,
};
