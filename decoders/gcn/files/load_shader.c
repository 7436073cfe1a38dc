/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_shader.c: shaders as a console with Sea Islands graphics keeps them and as its emulators dump them.  The rules
 * by which each form is known, the most specific first:
 *
 *   file       "Shdr" at byte 0, or at 36 after the compiler's header: the graphics library's header, then code
 *   record     code that begins with s_mov_b32 vcc_hi, N, and the record "OrbShdr" at byte 8 * (N + 1), or 8 bytes
 *              before or after; code at byte 0, or after a header in the first 4 KB
 *   scanned    a record within 64 KB that names no more code than precedes it, all of it gfx7's from byte 0 on
 *   bare       code that begins with s_mov_b32 vcc_hi, or any code of three instructions and more: gfx7's with no
 *              reserved bit set, to an s_endpgm or s_setpc_b64 that ends the file but for padding
 *
 *     code            followed by constants of the compiler
 *     slots           4 bytes each (shader_slots.c)
 *     chunk masks     as many dwords as the record says
 *     record          signature, version; type 5:2, length of the code in bytes 31:8; chunk dwords, slots; two hashes;
 *                     CRC
 *
 *     "Shdr" header   16 bytes: version, type at 8, size of the rest in dwords at 9
 *     common          size of the code 22:0, uses a resource table 23, slots 31:24; constants in units of 16 bytes,
 *                     dwords of scratch a thread, 16 bits each
 *     registers       address of the code (here: where it begins, from `common` on), its high part, RSRC1, RSRC2, then
 *                     the stage's own, of which compute has the group's size
 *     then            4 bytes that count semantics, slots, semantics, code
 *
 * No size or offset of these is used before it has been checked against the file.  No manual of the console is public;
 * source: the open emulators and toolchains (GPCS4, shadPS4, OpenGNM), which agree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "files/shader.h"

#define MOV_VCC_HI 0xbeeb03ffu /* s_mov_b32 vcc_hi, literal */
#define SIGNATURE "OrbShdr"
#define RECORD 28u
#define HEADER "Shdr"
#define FILE_HEADER 16u
#define COMPILER_HEADER 36u /* in front of "Shdr" */
#define HEADER_MOST 4096u   /* header, registers and tables in front of the code */
#define SCAN_MOST 65536u    /* how far after the start of the code a record is searched for */

struct shader {
    size_t code, record; /* bytes of the file; record 0: none */
    size_t header;       /* of `common`; 0: none */
};

static bool is_record(const uint8_t *b, size_t n, uint64_t at)
{
    return at <= n && n - at >= RECORD && memcmp(b + at, SIGNATURE, sizeof SIGNATURE - 1) == 0;
}

static uint32_t code_length(const uint8_t *record) { return le_u32(record + 8) >> 8; }

/* Whether code begins at `at` with the mark and has its record, at the mark's offset or 8 bytes before or after it. */
static bool shader_at(const uint8_t *b, size_t n, size_t at, struct shader *s)
{
    if (n - at < 8 + RECORD || le_u32(b + at) != MOV_VCC_HI) return false;
    const uint64_t behind = at + ((uint64_t)le_u32(b + at + 4) + 1) * 8;
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t record = behind + (i == 1 ? 8 : 0) - (i == 2 ? 8 : 0);
        if (record < at + 8 || !is_record(b, n, record)) continue;
        s->code = at;
        s->record = (size_t)record;
        return true;
    }
    return false;
}

static bool is_code_of(const struct gpudbg_isa *isa, const uint8_t *b, size_t length)
{
    struct gpudbg_insn insn;
    for (size_t at = 0; at < length; at += insn.size)
        if (!gpudbg_insn_at(isa, b + at, length - at, at, &insn)) return false;
    return true;
}

/* Whether all of [b, b + length) is instructions of one chip. */
static bool is_code(const uint8_t *b, size_t length)
{
    for (const struct gcn_chip *chip = gcn_chips; chip < gcn_chips + GCN_CHIPS; chip++)
        if (chip->guessed && is_code_of(&chip->isa, b, length)) return true;
    return false;
}

/* The end of the program; 0: it does not end. */
static size_t program(const uint8_t *b, size_t n)
{
    size_t end = 0;
    for (const struct gcn_chip *chip = gcn_chips; chip < gcn_chips + GCN_CHIPS && !end; chip++)
        if (chip->guessed) end = gcn_program(&chip->isa, b, n);
    return end;
}

/* Looks for a record after code at `at`; a record that names more code than precedes it belongs to another shader. */
static bool scan(const uint8_t *b, size_t n, size_t at, struct shader *s)
{
    const size_t end = n - at < SCAN_MOST ? n : at + SCAN_MOST;
    for (size_t i = at + 8; i + RECORD <= end; i += 4) {
        const uint8_t *found = memchr(b + i, SIGNATURE[0], end - RECORD - i + 1);
        if (!found) return false;
        i = (size_t)(found - b);
        const uint32_t length = is_record(b, n, i) ? code_length(b + i) : 0;
        if (length >= 4 && length % 4 == 0 && length <= i - at && is_code(b + at, length)) {
            s->code = at;
            s->record = i;
            return true;
        }
        i -= 3; /* records need not be aligned in damaged dumps: the next byte */
    }
    return false;
}

/* The offset of `common` in a file with the library's header; 0: it has no such header. */
static size_t header_of(const uint8_t *b, size_t n)
{
    for (size_t at = 0; at <= COMPILER_HEADER; at += COMPILER_HEADER)
        if (n >= at + FILE_HEADER + 24 && memcmp(b + at, HEADER, sizeof HEADER - 1) == 0) return at + FILE_HEADER;
    return 0;
}

static bool find(const uint8_t *b, size_t n, struct shader *s)
{
    *s = (struct shader){0};
    if (n < 8 + RECORD) return false;
    const size_t common = header_of(b, n);
    if (common) {
        const uint64_t code = common + (uint64_t)le_u32(b + common + 8);
        const uint32_t length = le_u32(b + common) & 0x7fffff;
        s->header = common;
        const bool inside = code % 4 == 0 && code >= common + 24 && code <= n - 8;
        if (inside && shader_at(b, n, (size_t)code, s)) return true;
        for (size_t at = common; at < HEADER_MOST && at + 8 + RECORD <= n; at += 4)
            if (shader_at(b, n, at, s)) return true;
        if (!inside) return false;
        if (scan(b, n, (size_t)code, s)) return true;
        s->code = (size_t)code;
        return length >= 4 && length <= n - code && is_code(b + code, length & ~(uint32_t)3);
    }
    if (shader_at(b, n, 0, s)) return true;
    for (size_t at = 4; at < HEADER_MOST && at + 8 + RECORD <= n; at += 4)
        if (shader_at(b, n, at, s)) return true;
    return scan(b, n, 0, s);
}

/* Bytes of code up to its end, where the file begins as a shader does or is code alone, and no record is found. */
static size_t bare(const uint8_t *b, size_t n)
{
    if (n < 8) return 0;
    if (le_u32(b) == MOV_VCC_HI) return program(b, n);
    const size_t end = gcn_whole_program(b, n, 3);
    for (size_t i = end; end && i < n; i++)
        if (b[i]) return 0;
    return end;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    struct shader s;
    if (find(b, n, &s)) {
        *why = s.header ? "the graphics library's header \"Shdr\", and code where it says"
               : s.code ? "code of a shader with its record \"OrbShdr\", after a header"
                        : "code of a shader with its record \"OrbShdr\"";
        return 85;
    }
    *why = n >= 4 && le_u32(b) == MOV_VCC_HI ? "begins as shaders of consoles do, and is code of " GCN_FAMILY
                                               " to its end"
                                             : "is code of " GCN_FAMILY " to its end";
    return bare(b, n) ? n >= 4 && le_u32(b) == MOV_VCC_HI ? 55 : 45 : 0;
}

static void add_sections(struct gpudbg_image *image, size_t code, size_t length)
{
    gcn_chip_fact(image, image->bytes + code, length);
    gpudbg_image_section(image, "code", 0, length, image->bytes + code, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    if (code + length < image->size)
        gpudbg_image_section(
            image, "tables", length, image->size - code - length, image->bytes + code + length, GPUDBG_LOADED);
}

/* ---- Facts ---- */

void gcn_word_fact(struct gpudbg_image *image, const char *key, uint32_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%08" PRIx32, value);
    gpudbg_image_fact(image, key, text, value);
}

/* Stage, registers and slots of the library's header. */
static void header_facts(struct gpudbg_image *image, size_t common, size_t code, bool record)
{
    static const uint8_t stages[] = {GCN_STAGES, GCN_STAGE_VERTEX, GCN_STAGE_PIXEL, GCN_STAGE_GEOMETRY,
        GCN_STAGE_COMPUTE, GCN_STAGE_EXPORT, GCN_STAGE_LOCAL, GCN_STAGE_HULL};
    const uint8_t *b = image->bytes, type = b[common - FILE_HEADER + 8];
    const unsigned stage = type < sizeof stages ? stages[type] : GCN_STAGES;
    if (!record) gcn_stage_fact(image, stage, "");
    gcn_word_fact(image, "rsrc1", le_u32(b + common + 16));
    gcn_word_fact(image, "rsrc2", le_u32(b + common + 20));
    if (stage == GCN_STAGE_PIXEL && code >= common + 40) gcn_word_fact(image, "ps input", le_u32(b + common + 36));
    if (stage == GCN_STAGE_COMPUTE && code >= common + 36) {
        char text[48];
        snprintf(text, sizeof text, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, le_u32(b + common + 24),
            le_u32(b + common + 28), le_u32(b + common + 32));
        gpudbg_image_fact(image, "group size", text, 0);
    }
    /* Bytes of common and registers by type: only for types on whose length the sources agree. */
    static const uint8_t fixed[] = {0, 0x28, 0x3c, 0, 0x28};
    const size_t slots = b[common + 3], from = common + (type < sizeof fixed ? fixed[type] : 0);
    if (!record && from > common && from + 4 * slots <= code) gcn_slot_facts(image, b + from, slots);
}

static bool load_bare(struct gpudbg_image *image, struct gpudbg_error *err)
{
    const size_t length = bare(image->bytes, image->size);
    if (!length) return gpudbg_fail(err, "not-recognised", "the file has no record \"" SIGNATURE "\" after its code");
    add_sections(image, 0, length);
    gpudbg_image_fact(image, "container", "none: code without its record, which would say the stage", 0);
    const unsigned stage = gcn_stage_named(image->path);
    const bool returns = le_u32(image->bytes + length - 4) >> 8 == 0xbe8020; /* s_setpc_b64 */
    if (returns || (image->path && strstr(image->path, ".fetch.")))
        gpudbg_image_fact(image, "stage",
            returns ? "fetch shader: it returns to the code that called it" : "fetch shader, as the file's name says",
            GCN_STAGES);
    else if (stage < GCN_STAGES)
        gcn_stage_fact(image, stage, ", as the file's name says");
    gcn_fetch_beside(image, image->bytes, length);
    return true;
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    struct shader s;
    char text[120];
    if (!find(image->bytes, image->size, &s)) return load_bare(image, err);
    if (!s.record) { /* only the header gives the size of the code */
        const uint32_t length = le_u32(image->bytes + s.header) & 0x7fffff;
        const size_t ends = program(image->bytes + s.code, length);
        add_sections(image, s.code, ends ? ends : length & ~(size_t)3);
        gpudbg_image_fact(image, "container", "\"" HEADER "\" without a record", 0);
        header_facts(image, s.header, s.code, false);
        return true;
    }
    const uint8_t *record = image->bytes + s.record;
    const uint32_t what = le_u32(record + 8), length = what >> 8, type = what >> 2 & 15;
    if (length < 8 || length % 4 || length > s.record - s.code)
        return gpudbg_fail(err, "bad-offset",
            "the record at 0x%zx names %" PRIu32 " bytes of code: only %zu precede it", s.record, length,
            s.record - s.code);
    add_sections(image, s.code, length);
    const bool points = le_u32(image->bytes + s.code) == MOV_VCC_HI &&
                        s.code + ((uint64_t)le_u32(image->bytes + s.code + 4) + 1) * 8 == s.record;
    snprintf(text, sizeof text, SIGNATURE " %u%s%s", record[7], s.code ? " in a file of its own" : "",
        points ? "" : ", not where the code says: it was looked for");
    gpudbg_image_fact(image, "container", text, 0);
    gcn_stage_fact(image, type, "");
    snprintf(text, sizeof text, "0x%08" PRIx32 "%08" PRIx32, le_u32(record + 20), le_u32(record + 16));
    gpudbg_image_fact(image, "hash", text, 0);
    if (s.header) header_facts(image, s.header, s.code, true);
    const size_t masks = 4u * record[12], slots = 4u * record[13];
    if (masks + slots > s.record - s.code - length)
        gpudbg_image_fact(image, "inputs", "not there: the tables are shorter than the record says", 0);
    else
        gcn_slot_facts(image, record - masks - slots, slots / 4);
    gcn_fetch_beside(image, image->bytes + s.code, length);
    return true;
}

const struct gpudbg_loader gcn_shader_loader = {
    .name = "orbshdr",
    .summary = "shaders of consoles, as their emulators dump them",
    .probe = probe,
    .load = load,
};
