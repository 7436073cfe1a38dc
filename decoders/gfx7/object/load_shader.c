/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_shader.c: shaders as a console with Sea Islands graphics keeps them and as its emulators dump them: code,
 * tables, and a record "OrbShdr" that says what they are; a file of its own has a header "Shdr" and the stage's
 * registers in front.
 *
 *     code            begins with s_mov_b32 vcc_hi, N: the record stands at byte 8 * (N + 1)
 *     constants       of the compiler
 *     slots           4 bytes each: usage, slot of the API, first user SGPR, flags (bit 0: 8 registers, not 4)
 *     chunk masks     as many dwords as the record says
 *     record          signature, version; type 5:2, length of the code in bytes 31:8; chunk dwords, slots; two hashes;
 * CRC
 *
 * Emulators may leave the record away: then what begins so, and is gfx7's to its end, is taken as code.  No manual of
 * the console is public; source: the open emulators and toolchains (GPCS4, shadPS4, OpenGNM), which agree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "gfx7.h"

#define MOV_VCC_HI 0xbeeb03ffu /* s_mov_b32 vcc_hi, literal */
#define SIGNATURE "OrbShdr"
#define RECORD 28u
#define HEADER "Shdr"
#define HEADER_MOST 4096u /* header, registers and tables in front of the code */
#define USER_SGPRS 16

struct shader {
    size_t code, record; /* bytes of the file; record 0: none */
};

/* Whether code begins at `at` and has its record. */
static bool shader_at(const uint8_t *b, size_t n, size_t at, struct shader *s)
{
    if (n - at < 8 + RECORD || le_u32(b + at) != MOV_VCC_HI) return false;
    const uint64_t behind = ((uint64_t)le_u32(b + at + 4) + 1) * 8;
    if (behind > n - at - RECORD || memcmp(b + at + behind, SIGNATURE, sizeof SIGNATURE - 1) != 0) return false;
    *s = (struct shader){at, at + (size_t)behind};
    return true;
}

static bool find(const uint8_t *b, size_t n, struct shader *s)
{
    if (n < 8 + RECORD) return false;
    if (memcmp(b, HEADER, sizeof HEADER - 1) != 0) return shader_at(b, n, 0, s);
    for (size_t at = 4; at < HEADER_MOST && at + 8 + RECORD <= n; at += 4)
        if (shader_at(b, n, at, s)) return true;
    return false;
}

/* Bytes of code up to its end, where the file begins as a shader does, and no record is where it should be. */
static size_t bare(const uint8_t *b, size_t n)
{
    return n >= 12 && le_u32(b) == MOV_VCC_HI ? gfx7_program(&gfx7_isa, b, n) : 0;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    struct shader s;
    const bool found = find(b, n, &s);
    *why = found ? "code of a shader with its record \"OrbShdr\""
                 : "begins as shaders of consoles do, and is code of gfx7 to its end";
    return found ? 85 : bare(b, n) ? 55 : 0;
}

/* What a slot is for, and how many registers it takes; 0: 4, or 8 by its flag. */
static const struct {
    uint8_t usage, registers;
    const char *name;
} usages[] = {
    {0x00, 0, "resource"},
    {0x01, 4, "sampler"},
    {0x02, 4, "constant buffer"},
    {0x03, 4, "vertex buffer"},
    {0x04, 0, "writable resource"},
    {0x05, 1, "float"},
    {0x06, 1, "32 bools"},
    {0x07, 1, "counters in GDS"},
    {0x08, 1, "range of GDS"},
    {0x09, 1, "GWS base"},
    {0x0a, 2, "table of resources"},
    {0x0d, 1, "bytes of LDS between export and geometry shader"},
    {0x12, 2, "fetch shader"},
    {0x13, 2, "pointer to resources"},
    {0x14, 2, "pointer to the driver's resources"},
    {0x15, 2, "pointer to samplers"},
    {0x16, 2, "pointer to constant buffers"},
    {0x17, 2, "pointer to vertex buffers"},
    {0x18, 2, "pointer to stream output buffers"},
    {0x19, 2, "pointer to writable resources"},
    {0x1a, 2, "pointer to the driver's table"},
    {0x1b, 2, "pointer to more user data"},
    {0x1c, 2, "pointer to pointers to resources"},
    {0x1d, 2, "pointer to pointers to the driver's resources"},
    {0x1e, 2, "pointer to pointers to writable resources"},
};

static void add_slot(struct gpudbg_image *image, size_t number, const uint8_t *slot)
{
    char key[24], text[120], place[48];
    const char *name = "usage not known";
    unsigned registers = 1, first = slot[2];
    for (size_t i = 0; i < sizeof usages / sizeof *usages; i++)
        if (usages[i].usage == slot[0]) {
            name = usages[i].name;
            registers = usages[i].registers ? usages[i].registers : slot[3] & 1 ? 8 : 4;
        }
    if (first >= USER_SGPRS)
        snprintf(place, sizeof place, "dword %u of more user data", first - USER_SGPRS);
    else if (registers > 1)
        snprintf(place, sizeof place, "s[%u:%u]", first, first + registers - 1);
    else
        snprintf(place, sizeof place, "s%u", first);
    snprintf(text, sizeof text, "%s %u in %s", name, slot[1], place);
    snprintf(key, sizeof key, "input %zu", number);
    gpudbg_image_fact(image, key, text, 0);
}

static void add_sections(struct gpudbg_image *image, size_t code, size_t length)
{
    image->isa = &gfx7_isa;
    gpudbg_image_section(image, "code", 0, length, image->bytes + code, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    if (code + length < image->size)
        gpudbg_image_section(
            image, "tables", length, image->size - code - length, image->bytes + code + length, GPUDBG_LOADED);
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    static const char *const stages[] = {"pixel", "vertex", "vertex, as export shader", "vertex, as local shader",
        "compute", "geometry", "copy shader behind a geometry shader", "hull", "domain", "domain, as export shader"};
    struct shader s;
    char text[64];
    if (!find(image->bytes, image->size, &s)) {
        const size_t length = bare(image->bytes, image->size);
        if (!length)
            return gpudbg_fail(err, "not-recognised", "the file has no record \"" SIGNATURE "\" after its code");
        add_sections(image, 0, length);
        gpudbg_image_fact(image, "container", "none: code without its record, which would say the stage", 0);
        return true;
    }
    const uint8_t *record = image->bytes + s.record;
    const uint32_t what = le_u32(record + 8), length = what >> 8, type = what >> 2 & 15;
    if (length < 8 || length % 4 || length > s.record - s.code)
        return gpudbg_fail(err, "bad-offset",
            "the record at 0x%zx names %" PRIu32 " bytes of code: only %zu precede it", s.record, length,
            s.record - s.code);
    add_sections(image, s.code, length);
    snprintf(text, sizeof text, SIGNATURE " %u%s", record[7], s.code ? " in a file of its own" : "");
    gpudbg_image_fact(image, "container", text, 0);
    gpudbg_image_fact(image, "stage", type < sizeof stages / sizeof *stages ? stages[type] : "not known", 0);
    image->quads = type == 0;
    snprintf(text, sizeof text, "0x%08" PRIx32 "%08" PRIx32, le_u32(record + 20), le_u32(record + 16));
    gpudbg_image_fact(image, "hash", text, 0);
    const size_t masks = 4u * record[12], slots = 4u * record[13];
    if (masks + slots > s.record - s.code - length)
        gpudbg_image_fact(image, "inputs", "not there: the tables are shorter than the record says", 0);
    else
        for (size_t i = 0; i < slots; i += 4) add_slot(image, i / 4, record - masks - slots + i);
    return true;
}

const struct gpudbg_loader gfx7_shader_loader = {
    .name = "orbshdr",
    .summary = "shaders of consoles, as their emulators dump them",
    .probe = probe,
    .load = load,
};
