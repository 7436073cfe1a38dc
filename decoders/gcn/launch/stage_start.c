/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage_start.c: bare code whose stage or RSRC registers are known: the registers that the chip fills before the first
 * instruction, from the facts that a loader found (files/shader.h), from rsrc1=, rsrc2= and psinput= of the launch and
 * from `set gfx7 stage`.  Registers that the launch names itself (s[N:M]=, v[N]=) override them (bare.c).
 *
 * Work-items are threads, vertices, pixels: x counts them, y counts instances (of vertices and primitives), rows of
 * pixels, or patches.  After user data come the scalars that RSRC2 asks for (gcn_stage_scalars); vector registers:
 *
 *     compute          thread ids x y z, as many as TIDIG_COMP_CNT says
 *     vertex, export   vertex, instance, primitive (0), instance, as many as VGPR_COMP_CNT says
 *     local            vertex, vertex in its group, instance, instance; the same
 *     hull             patch; patch in its group 7:0 and control point 12:8
 *     domain           u, v (0), patch in its group, patch
 *     geometry         offsets of vertices 0 and 1 (0), primitive, offsets of vertices 2 to 5 (0), instance
 *     copy             vertex
 *     pixel            what SPI_PS_INPUT_ADDR chooses: stage_pixel
 *
 * On newer chips instances are in the vertex's fourth register, and a geometry or a hull shader and the stage before it
 * are one program.  Its scalars are s2 to s5, user data begins at s8:
 *
 *     geometry         vertices and primitives of the group, of the wave, off-chip LDS, scratch
 *                      vertices of the primitive in halves of v0, v1 and v4, primitive, 0; vertex, 0, 0, instance
 *     hull             off-chip LDS, patches of the wave, factors, scratch
 *                      patch; as above; vertex, patch in its group, 0, instance
 *
 * Which registers there are: Sea Islands register reference, COMPUTE_PGM_RSRC2, SPI_SHADER_PGM_RSRC*,
 * SPI_PS_INPUT_ADDR.  Their order, compared line by line with Mesa 22.1's radv_shader_args.c (radv_declare_shader_args
 * and the functions that it calls, the branches below GFX9): compute's ids, then TG_SIZE; stream output's before
 * off-chip LDS, and a register without a use where there is no stream output; hull: off-chip LDS, factors; domain as
 * export shader: off-chip LDS, one without a use, the ring; geometry: ring, wave; pixel: primitives; scratch last of
 * all.  Merged stages: the same function's branches for GFX10; the bits of their scalars: radv_nir_to_llvm.c.
 */
#include <stdio.h>
#include <string.h>

#include "files/shader.h"
#include "engine/gcn_exec.h"
#include "engine/setup.h"

static bool fact(const struct gpudbg_image *image, const char *key, uint64_t *value)
{
    for (size_t i = 0; i < image->nfacts; i++)
        if (strcmp(image->facts[i].key, key) == 0) {
            *value = image->facts[i].value;
            return true;
        }
    return false;
}

/* Takes a register's value from the file; a value of the launch comes later and overrides it. */
static void take(const struct gpudbg_image *image, const char *key, struct gcn_told *told)
{
    uint64_t value;
    if (!fact(image, key, &value)) return;
    *told = (struct gcn_told){true, (uint32_t)value};
}

void gcn_stage_read(struct gcn_setup *s, const struct gpudbg_image *image, unsigned chosen)
{
    uint64_t value;
    char name[16];
    s->stage = (uint8_t)(fact(image, "stage", &value) && value < GCN_STAGES ? value : GCN_STAGES);
    if (chosen) s->stage = (uint8_t)(chosen - 1);
    take(image, "rsrc1", &s->rsrc1);
    take(image, "rsrc2", &s->rsrc2);
    take(image, "ps input", &s->psinput);
    for (unsigned i = 0; i < 16; i++) {
        snprintf(name, sizeof name, "user s%u", i);
        if (!fact(image, name, &value)) continue;
        s->user[i] = (uint32_t)value;
        s->user_given |= (uint16_t)(1u << i);
    }
}

/* To be called once the launch's own words are known. */
void gcn_stage_settle(struct gcn_setup *s)
{
    if (s->rsrc1.given) s->mode = GCN_RSRC1_MODE(s->rsrc1.value);
}

/* Without a stage, RSRC2 is taken as compute's: the user gave it. */
static unsigned stage_of(const struct gcn_setup *s)
{
    return s->stage == GCN_STAGES && s->rsrc2.given ? GCN_STAGE_COMPUTE : s->stage;
}

/* `unit`: bytes that a register counts as one.  Hull shaders use the LDS of their local shader, whose RSRC2 has the
 * size. */
uint32_t gcn_stage_lds(const struct gcn_setup *s, uint32_t unit)
{
    if (!s->rsrc2.given) return 0;
    switch (stage_of(s)) {
    case GCN_STAGE_COMPUTE: return GET(s->rsrc2.value, RSRC2, lds_size) * unit;
    case GCN_STAGE_LOCAL: return GET(s->rsrc2.value, RSRC2_LS, lds_size) * unit;
    case GCN_STAGE_EXPORT: return GET(s->rsrc2.value, RSRC2_ES, lds_size) * unit;
    default: return 0;
    }
}

/* ---- Scalars after user data ---- */

struct list {
    struct gcn_stage_scalar *at;
    unsigned n;
};

static void add(struct list *l, bool asked, uint8_t what)
{
    if (asked) l->at[l->n++].what = what;
}

/* Stages that are merged with the one before or after them. */
static bool is_geometry(const struct gcn_setup *s)
{
    return s->merged && (stage_of(s) == GCN_STAGE_GEOMETRY || stage_of(s) == GCN_STAGE_EXPORT);
}

static bool is_hull(const struct gcn_setup *s)
{
    return s->merged && (stage_of(s) == GCN_STAGE_HULL || stage_of(s) == GCN_STAGE_LOCAL);
}

enum { MERGED_USER = 8, MERGED_FIRST = 2, MERGED_SCALARS = 4 };

unsigned gcn_stage_user(const struct gcn_setup *s) { return is_geometry(s) || is_hull(s) ? MERGED_USER : 0; }

static unsigned merged_scalars(const struct gcn_setup *s, struct gcn_stage_scalar list[GCN_STAGE_SCALARS])
{
    static const uint8_t geometry[MERGED_SCALARS] = {
        GCN_GIVES_PRIMITIVE_INFO, GCN_GIVES_WAVE_INFO, GCN_GIVES_OFF_CHIP, GCN_GIVES_SCRATCH};
    static const uint8_t hull[MERGED_SCALARS] = {
        GCN_GIVES_OFF_CHIP, GCN_GIVES_WAVE_INFO, GCN_GIVES_FACTORS, GCN_GIVES_SCRATCH};
    for (unsigned i = 0; i < MERGED_SCALARS; i++)
        list[i] = (struct gcn_stage_scalar){(uint8_t)(MERGED_FIRST + i), is_hull(s) ? hull[i] : geometry[i]};
    return MERGED_SCALARS;
}

unsigned gcn_stage_scalars(const struct gcn_setup *s, struct gcn_stage_scalar list[GCN_STAGE_SCALARS])
{
    struct list l = {list, 0};
    const uint32_t r = s->rsrc2.value;
    if (gcn_stage_user(s)) return merged_scalars(s, list);
    if (!s->rsrc2.given) return 0;
    switch (stage_of(s)) {
    case GCN_STAGE_COMPUTE:
        for (unsigned i = 0; i < 3; i++) add(&l, GET(r, RSRC2, tgid_en) >> i & 1, (uint8_t)(GCN_GIVES_GROUP_X + i));
        add(&l, GET(r, RSRC2, tg_size_en), GCN_GIVES_GROUP_INFO);
        break;
    case GCN_STAGE_VERTEX:
    case GCN_STAGE_DOMAIN:
    case GCN_STAGE_COPY:
        add(&l, r >> 12 & 1, GCN_GIVES_STREAM_CONFIG);
        add(&l, r >> 12 & 1, GCN_GIVES_STREAM_INDEX);
        add(&l, !(r >> 12 & 1) && r >> 7 & 1, GCN_GIVES_UNNAMED); /* before the register that off-chip LDS adds */
        for (unsigned i = 0; i < 4; i++) add(&l, r >> (8 + i) & 1, (uint8_t)(GCN_GIVES_STREAM_OFFSET + i));
        add(&l, r >> 7 & 1, GCN_GIVES_OFF_CHIP);
        break;
    case GCN_STAGE_EXPORT:
    case GCN_STAGE_DOMAIN_EXPORT:
        add(&l, r >> 7 & 1, GCN_GIVES_OFF_CHIP);
        add(&l, r >> 7 & 1, GCN_GIVES_UNNAMED);
        add(&l, true, GCN_GIVES_ES_RING);
        break;
    case GCN_STAGE_GEOMETRY:
        add(&l, true, GCN_GIVES_GS_RING);
        add(&l, true, GCN_GIVES_GS_WAVE);
        break;
    case GCN_STAGE_HULL:
        add(&l, r >> 7 & 1, GCN_GIVES_OFF_CHIP);
        add(&l, true, GCN_GIVES_FACTORS);
        add(&l, r >> 8 & 1, GCN_GIVES_GROUP_INFO);
        break;
    case GCN_STAGE_PIXEL:
        add(&l, true, GCN_GIVES_PRIMITIVES);
        add(&l, r >> 7 & 1, GCN_GIVES_WAVE_COUNT);
        break;
    default: break;
    }
    add(&l, GET(r, RSRC2, scratch_en), GCN_GIVES_SCRATCH);
    for (unsigned i = 0; i < l.n; i++) list[i].reg = (uint8_t)(GET(r, RSRC2, user_sgpr) + i);
    return l.n;
}

/* A work-item is a vertex, and each three of the group's are a triangle; of hull shaders, a control point. */
static uint32_t primitives_info(const struct gpudbg_wave *w, const struct gcn_setup *s, bool of_wave)
{
    uint32_t size[3];
    gcn_group_size(w, size);
    const uint32_t vertices = size[0] * size[1] * size[2], triangles = vertices / 3,
                   before = w->index * w->machine->lanes, own = (uint32_t)__builtin_popcountll(w->lanes),
                   left = triangles > before ? triangles - before : 0;
    if (!of_wave) return vertices << 12 | triangles << 22;
    return own | (is_hull(s) || left > own ? own : left) << 8 | w->index << 24 | w->machine->waves_per_group << 28;
}

static void start_scalars(struct gpudbg_wave *w, const struct gcn_setup *s)
{
    struct gcn_stage_scalar list[GCN_STAGE_SCALARS];
    const unsigned n = gcn_stage_scalars(s, list);
    for (unsigned i = 0; i < n; i++) {
        uint32_t value = 0;
        if (list[i].what <= GCN_GIVES_GROUP_Z) value = w->group_id[list[i].what];
        if (list[i].what == GCN_GIVES_GROUP_INFO)
            value = (w->index == 0 ? 1u << 31 : 0) | w->index << 6 | w->machine->waves_per_group;
        if (list[i].what == GCN_GIVES_PRIMITIVE_INFO || list[i].what == GCN_GIVES_WAVE_INFO)
            value = primitives_info(w, s, list[i].what == GCN_GIVES_WAVE_INFO);
        gcn_s(w)[list[i].reg] = value;
    }
}

/* ---- Vector registers ---- */

/* Work-items of the wave's lanes, in their group; of pixels in quads, as core counts them (gpudbg_kernel.quads). */
static void item_ids(const struct gpudbg_wave *w, const struct gcn_setup *s, uint32_t ids[3][64])
{
    uint32_t size[3];
    gcn_group_size(w, size);
    gcn_item_ids(ids, w->index, w->machine->lanes, size);
    if (!w->machine->image->quads || size[0] % 2 || size[1] % 2) return;
    (void)s;
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint32_t linear = w->index * w->machine->lanes + lane, quad = linear / 4, across = size[0] / 2;
        ids[0][lane] = quad % across * 2 + linear % 2;
        ids[1][lane] = quad / across % (size[1] / 2) * 2 + linear / 2 % 2;
    }
}

static uint32_t first_of(const struct gpudbg_wave *w, unsigned axis)
{
    return w->group_id[axis] * w->machine->launch->local[axis];
}

/* SPI_PS_INPUT_ADDR, from bit 0 on: registers that each takes. */
static const uint8_t pixel_registers[16] = {2, 2, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* The first values of a pixel: barycentrics of its centre in a triangle whose corners are the grid's first corner and
 * those right of it and below; position; that it faces front; its sample. */
static uint32_t pixel_value(const struct gpudbg_launch *l, unsigned input, unsigned k, uint32_t x, uint32_t y)
{
    const float px = (float)x + 0.5f, py = (float)y + 0.5f;
    float value = 0;
    uint32_t word;
    switch (input) {
    case 8: value = px; break;
    case 9: value = py; break;
    case 11: value = 1; break;  /* w; z is 0 */
    case 12: return UINT32_MAX; /* front face */
    case 14: return 1;          /* covered samples */
    case 15: return (x & 0xffff) | y << 16;
    default:
        if (input > 6) break; /* stipple, z, ancillary: 0 */
        if (input == 3)
            value = k < 2 ? k ? py / (float)l->global[1] : px / (float)l->global[0] : 1; /* I/W, J/W, 1/W */
        else
            value = k ? py / (float)l->global[1] : px / (float)l->global[0];
    }
    memcpy(&word, &value, 4);
    return word;
}

static void start_pixels(struct gpudbg_wave *w, const struct gcn_setup *s, uint32_t ids[3][64])
{
    unsigned reg = 0;
    for (unsigned input = 0; input < 16; input++) {
        if (!s->psinput.given || !(s->psinput.value >> input & 1)) continue;
        for (unsigned k = 0; k < pixel_registers[input] && reg < s->vgprs; k++, reg++)
            for (unsigned lane = 0; lane < 64 && w->lanes >> lane; lane++)
                gcn_v(w, reg)[lane] = pixel_value(
                    w->machine->launch, input, k, first_of(w, 0) + ids[0][lane], first_of(w, 1) + ids[1][lane]);
    }
}

/* The same for merged stages. */
static uint32_t merged_value(bool hull, unsigned k, uint32_t x, uint32_t y, uint32_t rel, uint32_t rel_y)
{
    if (hull) return k == 0 ? y : k == 1 ? (rel_y & 0xff) | (rel & 31) << 8 : k == 2 ? x : k == 3 ? rel_y : 0;
    switch (k) {
    case 0: return 3 * rel | (3 * rel + 1) << 16;
    case 1: return 3 * rel + 2;
    case 2:
    case 5: return x;
    case 8: return y;
    default: return 0;
    }
}

/* Register k of stages whose work-items are x and y of the whole grid; rel: x in the group, rel_y: y in it. */
static uint32_t stage_value(unsigned stage, unsigned k, uint32_t x, uint32_t y, uint32_t rel, uint32_t rel_y)
{
    switch (stage) {
    case GCN_STAGE_LOCAL: return k == 0 ? x : k == 1 ? rel : y;
    case GCN_STAGE_HULL: return k == 0 ? y : (rel_y & 0xff) | (rel & 31) << 8;
    case GCN_STAGE_DOMAIN:
    case GCN_STAGE_DOMAIN_EXPORT: return k == 2 ? rel_y : k == 3 ? y : 0;
    case GCN_STAGE_GEOMETRY: return k == 2 ? x : k == 7 ? y : 0;
    default: return k == 0 ? x : k == 2 ? 0 : y; /* vertex, export, copy */
    }
}

static uint32_t vector_value(
    const struct gpudbg_wave *w, const struct gcn_setup *s, unsigned k, unsigned lane, uint32_t ids[3][64])
{
    const uint32_t rel = ids[0][lane], rel_y = ids[1][lane], x = first_of(w, 0) + rel, y = first_of(w, 1) + rel_y;
    if (gcn_stage_user(s)) return merged_value(is_hull(s), k, x, y, rel, rel_y);
    if (s->merged && k == 1 && stage_of(s) == GCN_STAGE_VERTEX) return 0;
    return stage_value(stage_of(s), k, x, y, rel, rel_y);
}

unsigned gcn_stage_vectors(const struct gcn_setup *s)
{
    const unsigned asked = s->rsrc1.given ? 1 + GET(s->rsrc1.value, RSRC1, vgpr_comp_cnt) : 4;
    unsigned n = 0;
    if (is_geometry(s)) return 9;
    if (is_hull(s)) return 6;
    switch (stage_of(s)) {
    case GCN_STAGE_COMPUTE:
        return s->rsrc2.given && GET(s->rsrc2.value, RSRC2, tidig_comp_cnt) < 2
                   ? 1 + GET(s->rsrc2.value, RSRC2, tidig_comp_cnt)
                   : 3;
    case GCN_STAGE_VERTEX:
    case GCN_STAGE_EXPORT:
    case GCN_STAGE_LOCAL: return asked;
    case GCN_STAGE_DOMAIN:
    case GCN_STAGE_DOMAIN_EXPORT: return 4;
    case GCN_STAGE_HULL: return 2;
    case GCN_STAGE_GEOMETRY: return 8;
    case GCN_STAGE_COPY: return 1;
    case GCN_STAGE_PIXEL:
        for (unsigned i = 0; i < 16 && s->psinput.given; i++) n += s->psinput.value >> i & 1 ? pixel_registers[i] : 0;
        return n;
    default: return 0;
    }
}

void gcn_stage_start(struct gpudbg_wave *w, const struct gcn_setup *s)
{
    uint32_t ids[3][64];
    const unsigned stage = stage_of(s), n = gcn_stage_vectors(s);
    for (unsigned i = 0; i < 16; i++) /* the others stay unwritten */
        if (s->user_given >> i & 1) gcn_s(w)[gcn_stage_user(s) + i] = s->user[i];
    start_scalars(w, s);
    if (!n) return;
    item_ids(w, s, ids);
    if (stage == GCN_STAGE_PIXEL) {
        start_pixels(w, s, ids);
        return;
    }
    for (unsigned k = 0; k < n && k < s->vgprs; k++)
        for (unsigned lane = 0; lane < 64 && w->lanes >> lane; lane++)
            gcn_v(w, k)[lane] = stage == GCN_STAGE_COMPUTE ? ids[k][lane] : vector_value(w, s, k, lane, ids);
}

bool gcn_stage_gives(struct gpudbg *session, const struct gpudbg_image *image, unsigned file, uint32_t reg)
{
    const struct gcn_chip *chip = gcn_chip_of(image->isa);
    struct gcn_setup s = {.merged = chip->newer_hwregs};
    struct gcn_stage_scalar list[GCN_STAGE_SCALARS];
    gcn_stage_read(&s, image, gpudbg_chosen(session, chip->usual, GCN_STAGE_CHOICE));
    if (file == GCN_FILE_V) return reg < gcn_stage_vectors(&s);
    const unsigned n = gcn_stage_scalars(&s, list), user = gcn_stage_user(&s);
    for (unsigned i = 0; i < n; i++)
        if (list[i].reg == reg) return true;
    return reg >= user && reg - user < 16 && s.user_given >> (reg - user) & 1;
}
