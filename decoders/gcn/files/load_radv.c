/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_radv.c: a shader as RADV keeps it in pipeline caches and on disk.  The structure differs from build to build and
 * does not name its version; all builds since 2019 have the same end, which can be checked:
 *
 *     ...            the kind (0), registers and RADV's facts of the shader: in the build's layout
 *     total size     of the object; this dword says where the next ones are, perhaps after 4 bytes of padding or the
 *                    registers of older builds
 *     sizes          code, of it executed, text of the IR (0), of the listing (0), statistics, and in newer builds one
 *                    dword more (padding, later the size of debug information)
 *     data           statistics, code with its constants: exactly to the total size
 *
 * Known by a total size that is the file's, sizes after it that add up to it, and code that is gfx7's to its end.
 * Registers are searched for at the places that builds have used, and accepted if they agree with each other: RSRC1
 * contains the counts of registers and the mode that precede it.  Else they are not known, and `info file` says so.
 * Source: Mesa, radv_shader.h (radv_shader_binary_legacy), ac_binary.h (ac_shader_config), over their history.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "code/bits.h"
#include "files/shader.h"

#define FRONT_MOST 8192u /* bytes in front of the sizes */
#define BETWEEN_MOST 72u /* bytes between the total size and the sizes */
#define HEAD 65536u      /* the part of a larger file that a probe sees */
#define KIND_LEGACY 0u   /* the other kind holds an ELF file */

struct object {
    size_t sizes, code, exec, end; /* bytes of the file; end: of the code and its constants */
};

/* Whether the sizes at `at` add up to the total; fills in the object. */
static bool sizes_at(const uint8_t *b, size_t n, size_t at, uint64_t total, struct object *o)
{
    const uint64_t code = le_u32(b + at), exec = le_u32(b + at + 4), stats = le_u32(b + at + 16);
    if (!exec || exec > code || exec % 4 || code % 4 || le_u32(b + at + 8) || le_u32(b + at + 12)) return false;
    for (size_t header = at + 20; header <= at + 28; header += 4) {
        const uint64_t debug = header > at + 20 ? le_u32(b + at + 20) : 0, from = header + stats;
        if (from + code != total && from + code + debug != total) continue;
        if (from > n || from % 4) continue;
        *o = (struct object){at, (size_t)from, (size_t)exec, (size_t)(from + code)};
        return true;
    }
    return false;
}

/* Looks for the total size and the sizes after it.  n: bytes of the file, or fewer if b is its head. */
static bool find(const uint8_t *b, size_t n, bool whole, struct object *o)
{
    if (n < 64 || le_u32(b) != KIND_LEGACY) return false;
    for (size_t at = 8; at + 4 + 32 <= n && at < FRONT_MOST; at += 4) {
        const uint32_t total = le_u32(b + at);
        if (whole ? total != n : total < n) continue;
        for (size_t sizes = at + 4; sizes <= at + BETWEEN_MOST && sizes + 32 <= n; sizes += 4) {
            if (!sizes_at(b, n, sizes, total, o)) continue;
            const size_t seen = o->code + o->exec <= n ? o->exec : 0;
            if (seen ? gcn_whole_program(b + o->code, seen, 1) == seen : !whole) return true;
        }
    }
    return false;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    struct object o;
    *why = "the structure in which RADV keeps a shader: its sizes add up, and its code is " GCN_FAMILY "'s";
    return find(b, n, n < HEAD, &o) ? 80 : 0;
}

/* ---- Registers ---- */

struct registers {
    size_t at, rsrc1, input; /* of the counts, of RSRC1 (RSRC2 follows), of SPI_PS_INPUT_ENA (ADDR follows) */
};

/* Whether registers are at `at`, in the layout with or without one dword for shared VGPRs and one for WGP mode. */
static bool registers_at(const uint8_t *b, size_t end, size_t at, unsigned shared, unsigned wgp, struct registers *r)
{
    const size_t mode = at + 4 * (7u + shared), rsrc1 = mode + 4 * (2u + wgp);
    if (rsrc1 + 8 > end) return false;
    const uint32_t sgprs = le_u32(b + at), vgprs = le_u32(b + at + 4), value = le_u32(b + rsrc1);
    if (!sgprs || sgprs > 104 || !vgprs || vgprs > 256 || !value || (wgp && le_u32(b + rsrc1 - 4) > 1)) return false;
    if (GET(value, RSRC1, vgprs) < (vgprs - 1) / 4 || GET(value, RSRC1, sgprs) < (sgprs - 1) / 8 || value >> 28)
        return false;
    if (le_u32(b + mode) != GET(value, RSRC1, float_mode)) return false;
    *r = (struct registers){at, rsrc1, mode - 8};
    return true;
}

/* Finds registers that agree with each other; false: no place has such registers, or several places do. */
static bool find_registers(const uint8_t *b, const struct object *o, struct registers *r)
{
    const size_t places[] = {4, 12, o->sizes - 52, o->sizes - 48, o->sizes - 44};
    unsigned found = 0;
    *r = (struct registers){0};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (unsigned layout = 0; layout < 4; layout++) {
            struct registers one;
            if (places[i] >= o->sizes || !registers_at(b, o->sizes, places[i], layout & 1, layout >> 1, &one)) continue;
            found += !found || one.rsrc1 != r->rsrc1;
            *r = one;
        }
    return found == 1;
}

/* The stage, where the registers or an older build's second dword say it. */
static void say_stage(struct gpudbg_image *image, const uint8_t *b, const struct registers *r)
{
    enum { MESA_GEOMETRY = 3, MESA_COMPUTE = 5 };
    const bool dword = r->at == 12 && le_u32(b + 8) <= 1;
    const uint32_t said = le_u32(b + 4);
    if (le_u32(b + r->input))
        gcn_stage_fact(image, GCN_STAGE_PIXEL, "");
    else if (dword && (said == MESA_COMPUTE || said == MESA_GEOMETRY))
        gcn_stage_fact(image, said == MESA_COMPUTE ? GCN_STAGE_COMPUTE : GCN_STAGE_GEOMETRY, "");
    else
        gpudbg_image_fact(image, "stage",
            "not pixel; which one stands where this build has it: `set " GCN_FAMILY " stage`", GCN_STAGES);
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    struct object o;
    struct registers r;
    const uint8_t *b = image->bytes;
    if (!find(b, image->size, true, &o))
        return gpudbg_fail(
            err, "not-recognised", "its sizes do not add up, or its code is not " GCN_FAMILY "'s to its end");
    const bool chosen = is_gcn(image->isa);
    gcn_chip_fact(image, b + o.code, o.exec);
    if (!chosen && image->isa == gcn_usual) gpudbg_image_fact(image, "chip", GCN_ASSUMED_CHIP, 0);
    gpudbg_image_section(image, "code", 0, o.exec, b + o.code, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    if (o.end > o.code + o.exec)
        gpudbg_image_section(image, "constants", o.exec, o.end - o.code - o.exec, b + o.code + o.exec, GPUDBG_LOADED);
    gpudbg_image_fact(image, "container", "a shader of RADV; its build, which lays out the rest, is not named", 0);
    if (!find_registers(b, &o, &r)) {
        gpudbg_image_fact(image, "registers", "not known: this build of RADV has them at another place", 0);
        return true;
    }
    say_stage(image, b, &r);
    gcn_word_fact(image, "rsrc1", le_u32(b + r.rsrc1));
    gcn_word_fact(image, "rsrc2", le_u32(b + r.rsrc1 + 4));
    if (le_u32(b + r.input)) gcn_word_fact(image, "ps input", le_u32(b + r.input + 4));
    gpudbg_image_fact(image, "sgprs", NULL, le_u32(b + r.at));
    gpudbg_image_fact(image, "vgprs", NULL, le_u32(b + r.at + 4));
    return true;
}

const struct gpudbg_loader gcn_radv_loader = {
    .name = "radv-shader",
    .summary = "a shader as RADV keeps it in caches",
    .probe = probe,
    .load = load,
};
