/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_launch.c: the named parts of a launch of bare code, the arguments of a kernel, and a thread's first state. */
#include "alu/channels_simd.h"
#include "engine/places_simd.h"
#include "launch/gen_launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "message/surface.h"
#include "gpudbg/text.h"

#define SLM_MOST 65536u
#define SCRATCH_MOST (2u << 20)
#define URB_BYTES (256u << 10)
#define PRINTF_BYTES (4u << 20)          /* the compiler assumes this size */
#define SLOTS_MOST 1024u                 /* most threads with separate private memory: numbers of 10 bits */
#define SLOTS_BYTES ((uint64_t)64 << 20) /* most bytes for all of them, unless one group needs more */

/* ---- Bare code ---- */

static const struct gpudbg_bound *part_named(const struct gpudbg_launch *launch, const char *name)
{
    for (size_t i = 0; i < launch->nbound; i++)
        if (launch->bound[i].kind == GPUDBG_BOUND_PART && strcmp(launch->bound[i].name, name) == 0)
            return &launch->bound[i];
    return NULL;
}

unsigned gen_launch_width(const struct gpudbg_machine *m)
{
    const struct gen_binary *binary = m->launch->kernel->abi;
    const struct gpudbg_bound *b = part_named(m->launch, "simd");
    if (binary) return binary->simd;
    return b && (b->value == 8 || b->value == 16 || b->value == 32) ? (unsigned)b->value : b ? 8 : 16;
}

static bool number_part(const struct gpudbg_bound *b, uint64_t most, uint32_t *to, struct gpudbg_error *err)
{
    if (b->size || b->value > most)
        return gpudbg_fail(err, "bad-argument", "launch: %s=%s is not 0 to %" PRIu64, b->name, b->text, most);
    *to = (uint32_t)b->value;
    return true;
}

/* The part after a register: "/2", "/g5", "/g5/2". */
static bool part_place(const char *at, struct gen_part *p)
{
    int end = 0;
    p->wave = p->group = -1;
    if (strncmp(at, "/g", 2) == 0) {
        if (sscanf(at, "/g%d%n", &p->group, &end) != 1 || p->group < 0) return false;
        at += end;
    }
    if (!*at) return true;
    return sscanf(at, "/%d%n", &p->wave, &end) == 1 && !at[end] && p->wave >= 0;
}

/* "rN", perhaps followed by "/T", "/gG" or "/gG/T". */
static bool register_part(
    struct gen_setup *s, const struct gpudbg_machine *m, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    struct gen_part *p = &s->part[s->nparts];
    const unsigned grfs = ((const struct gen *)m->runner)->grfs;
    int end = 0;
    const uint32_t groups = m->nwaves / m->waves_per_group;
    if (sscanf(b->name, "r%u%n", &p->reg, &end) != 1 || p->reg >= grfs || !part_place(b->name + end, p))
        return gpudbg_fail(err, "no-such-name",
            "launch: '%s' is not one of simd, mask, grfs, rN, rN/T, rN/gG, rN/gG/T, btiN, bufN, slm, scratch, "
            "samplerN, urb, "
            "cr0, sip",
            b->name);
    if (p->wave >= 0 && (uint32_t)p->wave >= m->waves_per_group)
        return gpudbg_fail(err, "out-of-range", "launch: '%s': threads of a group are numbered 0 to %" PRIu32, b->name,
            m->waves_per_group - 1);
    if (p->group >= 0 && (uint32_t)p->group >= groups)
        return gpudbg_fail(
            err, "out-of-range", "launch: '%s': groups of this launch are numbered 0 to %" PRIu32, b->name, groups - 1);
    uint64_t room = (grfs - p->reg) * 32;
    if (b->size > room)
        return gpudbg_fail(
            err, "bad-argument", "launch: %s: %" PRIu64 " bytes do not fit into %" PRIu64, b->name, b->size, room);
    p->bytes = b->bytes;
    p->size = b->size;
    p->value = b->value;
    s->has_r0 |= p->reg == 0 && p->wave < 0 && p->group < 0;
    s->nparts++;
    return true;
}

/* 0 and 1: the nearest element and a linear filter, up to the edge; else OpenCL's bits. */
static bool sampler_bits(const char *name, uint32_t v, struct gen_sampler_state *s, struct gpudbg_error *err)
{
    static const uint8_t modes[] = {
        GEN_ADDRESS_BORDER, GEN_ADDRESS_EDGE, GEN_ADDRESS_BORDER, GEN_ADDRESS_WRAP, GEN_ADDRESS_MIRROR};
    const uint32_t mode = v >> 1 & 7, filter = v >> 4;
    if (v > 1 && (mode >= sizeof modes || (filter != 1 && filter != 2)))
        return gpudbg_fail(err, "bad-argument",
            "launch: %s: 0x%x is not a sampler (1 normalised; 2 edge, 4 border, 6 repeat, 8 mirrored; "
            "0x10 nearest, 0x20 linear)",
            name, v);
    const uint8_t address = v > 1 ? modes[mode] : GEN_ADDRESS_EDGE;
    const bool linear = v == 1 || filter == 2;
    *s = (struct gen_sampler_state){.linear = linear,
        .linear_far = linear,
        .unnormalised = v > 1 && !(v & 1),
        .address = {address, address, address},
        .given = s->given};
    return true;
}

/* A number, or the bytes of a SAMPLER_STATE, followed by those of its border colour. */
static bool sampler_part(
    const struct gpudbg_bound *b, const struct gen_eu *eu, struct gen_sampler_state *s, struct gpudbg_error *err)
{
    uint32_t words[8] = {0}, value = 0;
    if (!b->size) return number_part(b, UINT32_MAX, &value, err) && sampler_bits(b->name, value, s, err);
    if (b->size != 16 && b->size != 32)
        return gpudbg_fail(err, "bad-argument",
            "launch: %s: %" PRIu64 " bytes: a sampler's state has 16, 32 with the colour of its border", b->name,
            b->size);
    memcpy(words, b->bytes, b->size);
    gen_sampler_decode(words, words + 4, eu, s);
    return true;
}

static bool bare_part(struct gen *g, struct gpudbg_machine *m, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    struct gen_setup *s = g->setup;
    uint32_t value = 0;
    if (strcmp(b->name, "simd") == 0) {
        if (b->size || (b->value != 8 && b->value != 16 && b->value != 32))
            return gpudbg_fail(err, "bad-argument", "launch: simd=%s is not 8, 16 or 32", b->text);
        return true;
    }
    if (strcmp(b->name, "grfs") == 0) return true; /* count_grfs */
    if (strcmp(b->name, "mask") == 0) return number_part(b, UINT32_MAX, &s->mask, err);
    if (strcmp(b->name, "slm") == 0) return number_part(b, SLM_MOST, &m->lds_size, err);
    if (strcmp(b->name, "scratch") == 0) return number_part(b, SCRATCH_MOST, &s->scratch_size, err);
    if (strcmp(b->name, "cr0") == 0) return number_part(b, UINT32_MAX, &s->cr0, err);
    unsigned sampler;
    int end = 0;
    if (sscanf(b->name, "sampler%u%n", &sampler, &end) == 1 && !b->name[end] && sampler < 16)
        return sampler_part(b, g->eu, &s->samplers[sampler], err);
    if (strcmp(b->name, "urb") == 0) {
        memcpy(
            s->urb->bytes, b->bytes ? b->bytes : (const uint8_t *)&b->value, b->size < URB_BYTES ? b->size : URB_BYTES);
        return b->size <= URB_BYTES || gpudbg_fail(err, "bad-argument",
                                           "launch: urb=: %" PRIu64 " bytes do not fit into %u", b->size, URB_BYTES);
    }
    if (strcmp(b->name, "sip") == 0) {
        if (!number_part(b, UINT32_MAX, &value, err)) return false;
        g->system = b->value;
        return true;
    }
    return register_part(s, m, b, err);
}

/* "bti12": its surface. */
static bool bare_surface(struct gen_setup *s, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    unsigned n = 0;
    if (strncmp(b->name, "buf", 3) == 0)
        return !b->format || gpudbg_fail(err, "bad-argument",
                                 "launch: %s cannot have a format: only surfaces (btiN) have one", b->name);
    if (sscanf(b->name, "bti%u", &n) != 1 || n >= sizeof s->surface / sizeof *s->surface)
        return gpudbg_fail(err, "no-such-name", "launch: '%s' is not one of bti0 to bti239, bufN", b->name);
    s->surface[n].segment = b->segment;
    return gen_surface_format(b->format, &s->surface[n], err);
}

static bool bare_launch(struct gen *g, struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const struct gpudbg_launch *launch = m->launch;
    if (!(g->setup->part = calloc(launch->nbound + 1, sizeof *g->setup->part)))
        return gpudbg_fail(err, "memory", "launch: out of memory");
    if (!(g->setup->urb = gpudbg_machine_segment(m, "urb", URB_BYTES, NULL, 0, err))) return false;
    for (size_t i = 0; i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        if (b->kind == GPUDBG_BOUND_BUFFER ? !bare_surface(g->setup, b, err) : !bare_part(g, m, b, err)) return false;
    }
    return true;
}

/* ---- Kernels of OpenCL binaries ---- */

static const struct gpudbg_bound *bound_to(const struct gpudbg_launch *launch, int param)
{
    for (size_t i = 0; i < launch->nbound; i++)
        if (param >= 0 && launch->bound[i].param == &launch->kernel->params[param]) return &launch->bound[i];
    return NULL;
}

/* Number of coordinates of an image by the name of its type, and the one that counts layers; 0: not an image. */
static unsigned image_axes(const char *type, uint8_t *layers)
{
    *layers = 0;
    if (!type || strncmp(type, "image", 5) != 0 || type[5] < '1' || type[5] > '3') return 0;
    const unsigned axes = (unsigned)(type[5] - '0');
    if (strncmp(type + 6, "d_array", 7) != 0) return axes;
    *layers = (uint8_t)axes;
    return axes + 1;
}

/* Local arguments come after the kernel's own local memory, in order, each aligned as in its payload entry.  The entry
 * counts from the end of the kernel's own memory, whose size the code adds.  Observed with IGC of 2022, in both
 * containers.  Returns the bytes for a group. */
static uint32_t place_locals(const struct gen_setup *s, const struct gpudbg_launch *launch, uint32_t offset[])
{
    uint32_t at = 0;
    for (size_t p = 0; p < launch->kernel->nparams; p++) {
        const struct gpudbg_bound *b = bound_to(launch, (int)p);
        if (launch->kernel->params[p].kind != GPUDBG_PARAM_LOCAL || !b) continue;
        uint32_t align = 16;
        for (size_t i = 0; i < s->binary->npayload; i++)
            if (s->binary->payload[i].kind == GEN_PAYLOAD_LOCAL && s->binary->payload[i].param == (int)p &&
                s->binary->payload[i].source)
                align = s->binary->payload[i].source;
        at = (at + align - 1) / align * align;
        offset[p] = at;
        at += (uint32_t)(b->size < SLM_MOST ? b->size : SLM_MOST);
    }
    return s->binary->slm + at;
}

static void put(struct gen_setup *s, const struct gen_payload *p, const void *bytes, uint32_t size)
{
    uint32_t room = s->binary->payload_size > p->offset ? s->binary->payload_size - p->offset : 0,
             n = p->size < size ? p->size : size;
    memcpy(s->payload + (room ? p->offset : 0), bytes, n < room ? n : room);
}

static void put_sizes(struct gen_setup *s, const struct gen_payload *p, const uint32_t sizes[3])
{
    unsigned first = p->source / 4 < 3 ? p->source / 4 : 2;
    put(s, p, sizes + first, 4 * (3 - first));
}

/* Elements along an axis; 0: the image does not have the axis. */
static uint32_t image_size(const struct gen_surface_state *image, const struct gpudbg_segment *s, unsigned axis)
{
    const uint32_t pitch = image->pitch ? image->pitch : gen_surface_bytes(image);
    return image->size[0] ? image->size[axis] : axis || !s ? 0 : (uint32_t)(s->size / pitch);
}

/* A property of an image as the runtime gives it.  A volume or a picture has no layers. */
static uint64_t image_fact(const struct gpudbg_param *param, const struct gpudbg_bound *b, uint32_t which)
{
    struct gen_surface_state image = {.pitch = 0};
    struct gpudbg_error ignored = {0};
    const struct gpudbg_segment *s = b ? b->segment : NULL;
    const unsigned axes = image_axes(param->type, &image.layers);
    if (!b || !gen_surface_format(b->format, &image, &ignored)) return 0;
    const uint32_t pitch = image.pitch ? image.pitch : gen_surface_bytes(&image), width = image_size(&image, s, 0);
    switch (which) {
    case GEN_IMAGE_WIDTH: return width;
    case GEN_IMAGE_HEIGHT: return axes > 1 && image.layers != 1 ? image_size(&image, s, 1) : 0;
    case GEN_IMAGE_DEPTH: return axes > 2 && !image.layers ? image_size(&image, s, 2) : 0;
    case GEN_IMAGE_LAYERS: return image.layers ? image_size(&image, s, image.layers) : 0;
    case GEN_IMAGE_TYPE: return gen_surface_cl_type(&image);
    case GEN_IMAGE_ORDER: return strstr(param->type, "depth") ? 0x10bd : gen_surface_cl_order(&image);
    case GEN_IMAGE_FLAT_BASE: return s ? s->base : 0;
    case GEN_IMAGE_FLAT_WIDTH: return width * pitch - 1;
    case GEN_IMAGE_FLAT_HEIGHT: return image.size[0] ? image.size[1] - 1 : 0;
    case GEN_IMAGE_FLAT_PITCH: return width * pitch - 1;
    default: return 0;
    }
}

static uint64_t sampler_fact(const struct gpudbg_bound *b, uint32_t which)
{
    struct gen_sampler_state s = {.given = 0};
    struct gpudbg_error ignored = {0};
    uint32_t v = 0;
    if (b) memcpy(&v, b->bytes ? b->bytes : (const uint8_t *)&b->value, b->bytes && b->size < 4 ? b->size : 4);
    if (!sampler_bits("", v, &s, &ignored)) return 0;
    static const uint8_t address[] = {0, 2, 1, 3, 4}; /* none, edge, border, repeat, mirrored */
    switch (which) {
    case GEN_SAMPLER_ADDRESS: return v > 1 ? address[v >> 1 & 7] : 2;
    case GEN_SAMPLER_NORMALISED: return s.unnormalised ? 0 : 8;
    default: return !s.linear && s.address[0] == GEN_ADDRESS_BORDER && (v >> 1 & 7) ? UINT32_MAX : 0;
    }
}

static void put_payload(struct gen_setup *s, const struct gpudbg_machine *m, const struct gen_payload *p,
    const uint32_t locals[], const struct gpudbg_segment *private)
{
    const struct gpudbg_launch *launch = m->launch;
    const struct gpudbg_bound *b = bound_to(launch, p->param);
    uint64_t value = 0;
    switch (p->kind) {
    case GEN_PAYLOAD_VALUE:
        if (b && b->bytes && p->source < b->size) put(s, p, b->bytes + p->source, (uint32_t)(b->size - p->source));
        return;
    case GEN_PAYLOAD_ADDRESS: value = b && b->segment ? b->segment->base : 0; break;
    case GEN_PAYLOAD_LOCAL: value = p->param >= 0 ? locals[p->param] : 0; break;
    case GEN_PAYLOAD_STATEFUL: value = 1; break;
    case GEN_PAYLOAD_BINDLESS: value = gen_surface_handle(p->source); break;
    case GEN_PAYLOAD_IMAGE: value = image_fact(&launch->kernel->params[p->param], b, p->source); break;
    case GEN_PAYLOAD_SAMPLER: value = sampler_fact(b, p->source); break;
    case GEN_PAYLOAD_GLOBAL_OFFSET: put_sizes(s, p, launch->offset); return;
    case GEN_PAYLOAD_LOCAL_SIZE:
    case GEN_PAYLOAD_ENQUEUED_LOCAL_SIZE: put_sizes(s, p, launch->local); return;
    case GEN_PAYLOAD_GLOBAL_SIZE: put_sizes(s, p, launch->global); return;
    case GEN_PAYLOAD_GROUP_COUNT: put_sizes(s, p, launch->groups); return;
    case GEN_PAYLOAD_WORK_DIM: value = launch->dimensions; break;
    case GEN_PAYLOAD_SIMD: value = s->binary->simd; break;
    case GEN_PAYLOAD_PRIVATE: value = private ? private->base : 0; break;
    case GEN_PAYLOAD_PRINTF: value = s->printf ? s->printf->base : 0; break;
    case GEN_PAYLOAD_CONSTANT: value = s->binary->constants_size ? s->binary->constants : 0; break;
    case GEN_PAYLOAD_GLOBAL: value = s->binary->globals_size ? s->binary->globals : 0; break;
    default: return;
    }
    put(s, p, &value, 8);
}

/* Number of threads with their own scratch and private memory: all threads, if that is not too much memory. */
static uint32_t count_slots(const struct gpudbg_machine *m, uint64_t bytes)
{
    uint64_t most = bytes ? SLOTS_BYTES / bytes : SLOTS_MOST;
    most = most > SLOTS_MOST ? SLOTS_MOST : most < m->waves_per_group ? m->waves_per_group : most;
    return (uint32_t)(m->nwaves < most ? m->nwaves : most);
}

/* Program-scope data at their addresses of the image. */
static bool add_sections(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = m->image;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *from = &image->sections[i];
        if (!(from->flags & GPUDBG_LOADED) || from->flags & GPUDBG_CODE_BYTES || !from->size) continue;
        struct gpudbg_segment *to = gpudbg_machine_segment_at(
            m, from->name, from->addr, from->size, NULL, from->flags & GPUDBG_WRITABLE ? 0 : GPUDBG_SEG_READONLY, err);
        if (!to) return false;
        gpudbg_image_copy(image, from->addr, to->bytes, from->size);
    }
    return true;
}

static struct gpudbg_segment *segment_at(const struct gpudbg_machine *m, uint64_t addr)
{
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    for (size_t i = 0; i < space->count; i++)
        if (addr - space->segment[i]->base < space->segment[i]->size) return space->segment[i];
    return NULL;
}

/* Takes surfaces, samplers, scratch and the URB from another launch, where this launch has none. */
void gen_resume(struct gpudbg_machine *to, const struct gpudbg_machine *from)
{
    struct gen_setup *s = ((struct gen *)to->runner)->setup;
    const struct gen_setup *f = ((struct gen *)from->runner)->setup;
    for (size_t i = 0; i < sizeof s->surface / sizeof *s->surface; i++) {
        if (s->surface[i].segment || !f->surface[i].segment) continue;
        s->surface[i] = f->surface[i];
        s->surface[i].segment = segment_at(to, f->surface[i].segment->base);
    }
    for (size_t i = 0; i < GEN_SAMPLERS; i++) {
        const struct gpudbg_bound *b = NULL;
        char name[24];
        snprintf(name, sizeof name, "sampler%zu", i);
        for (size_t k = 0; k < to->launch->nbound && !b; k++)
            if (strcmp(to->launch->bound[k].name, name) == 0) b = &to->launch->bound[k];
        if (!b) s->samplers[i] = f->samplers[i];
    }
    if (s->urb && f->urb && s->urb->size == f->urb->size) memcpy(s->urb->bytes, f->urb->bytes, (size_t)f->urb->size);
    if (!s->scratch && f->scratch) {
        s->scratch = segment_at(to, f->scratch->base);
        s->scratch_size = f->scratch_size;
        s->slots = f->slots;
    }
}

static bool bind_surfaces(
    struct gen_setup *s, const struct gpudbg_machine *m, struct gpudbg_segment *private, struct gpudbg_error *err)
{
    for (size_t i = 0; i < s->binary->nsurfaces; i++) {
        const struct gen_surface *from = &s->binary->surfaces[i];
        const struct gpudbg_bound *b = bound_to(m->launch, from->param);
        struct gpudbg_segment *to = from->kind == GEN_SURFACE_PARAM      ? b ? b->segment : NULL
                                    : from->kind == GEN_SURFACE_PRIVATE  ? private
                                    : from->kind == GEN_SURFACE_CONSTANT ? segment_at(m, s->binary->constants)
                                                                         : segment_at(m, s->binary->globals);
        if (from->bti >= sizeof s->surface / sizeof *s->surface) continue;
        struct gen_surface_state *surface = &s->surface[from->bti];
        surface->segment = to;
        if (!b || from->kind != GEN_SURFACE_PARAM) continue;
        if (!gen_surface_format(b->format, surface, err)) return false;
        const struct gpudbg_param *p = &m->launch->kernel->params[from->param];
        if (image_axes(p->type, &surface->layers) > 1 && !surface->size[0])
            return gpudbg_fail(err, "bad-argument", "launch: %s: an %s needs its size, :WxH or :WxHxD after the format",
                p->name ? p->name : b->text, p->type);
    }
    return true;
}

/* Samplers of arguments are bound among those of the file. */
static bool bind_samplers(struct gen_setup *s, const struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    memcpy(s->samplers, s->binary->samplers, sizeof s->samplers);
    for (unsigned i = 0; i < GEN_SAMPLERS; i++) {
        const int param = s->samplers[i].given - 1;
        const struct gpudbg_bound *b = bound_to(launch, param);
        if (!b) continue;
        uint32_t v = 0;
        memcpy(&v, b->bytes ? b->bytes : (const uint8_t *)&b->value, b->bytes && b->size < 4 ? b->size : 4);
        const char *name = launch->kernel->params[param].name;
        if (!sampler_bits(name ? name : b->text, v, &s->samplers[i], err)) return false;
    }
    return true;
}

/* Messages of printf are appended to a buffer, after the dword that counts its bytes (gen_printed.c). */
static bool add_printf(struct gen_setup *s, struct gpudbg_machine *m, struct gpudbg_error *err)
{
    bool prints = false;
    for (size_t i = 0; i < s->binary->npayload; i++) prints |= s->binary->payload[i].kind == GEN_PAYLOAD_PRINTF;
    if (!prints) return true;
    if ((s->printf = gpudbg_machine_segment(m, "printf", PRINTF_BYTES, NULL, GPUDBG_SEG_LOGGED, err)))
        s->printf->bytes[0] = 4;
    return s->printf != NULL;
}

static bool takes_offset(const struct gen_setup *s)
{
    for (size_t i = 0; i < s->binary->npayload; i++)
        if (s->binary->payload[i].kind == GEN_PAYLOAD_GLOBAL_OFFSET) return true;
    return false;
}

/* The size of a group: at the edge of the grid it is smaller. */
static void own_size(const struct gpudbg_launch *launch, const uint32_t group[3], uint32_t size[3])
{
    for (unsigned i = 0; i < 3; i++) {
        uint64_t left = launch->global[i] - (uint64_t)group[i] * launch->local[i];
        size[i] = left < launch->local[i] ? (uint32_t)left : launch->local[i];
    }
}

/* Writes a group's own size into the cross-thread data at `to`, of which there are `room` bytes. */
static void put_own_size(const struct gen_binary *b, const uint32_t size[3], uint8_t *to, uint64_t room)
{
    for (size_t i = 0; i < b->npayload; i++) {
        const struct gen_payload *p = &b->payload[i];
        const uint32_t first = p->source / 4 < 3 ? p->source / 4 : 2,
                       n = p->size < 4 * (3 - first) ? p->size : 4 * (3 - first);
        if (p->kind == GEN_PAYLOAD_LOCAL_SIZE && (uint64_t)p->offset + n <= room)
            memcpy(to + p->offset, size + first, n);
    }
}

/* A copy of the data for each size of groups: bit i of its number: at the edge of axis i. */
static unsigned edges_of(const struct gpudbg_launch *launch, const uint32_t group[3])
{
    uint32_t size[3];
    own_size(launch, group, size);
    return (unsigned)(size[0] < launch->local[0]) | (unsigned)(size[1] < launch->local[1]) << 1 |
           (unsigned)(size[2] < launch->local[2]) << 2;
}

/* The data behind the inline ones, in memory, at an address of 32 bits. */
static bool add_indirect(struct gen_setup *s, struct gpudbg_machine *m, struct gpudbg_error *err)
{
    enum { ALIGN = 64, BASE = 0x7f000000 };
    const struct gpudbg_launch *launch = m->launch;
    const struct gen_binary *b = s->binary;
    const uint32_t all = b->payload_size, inside = b->inline_size < all ? b->inline_size : all;
    const uint32_t last[3] = {launch->groups[0] - 1, launch->groups[1] - 1, launch->groups[2] - 1};
    const unsigned edges = edges_of(launch, last);
    s->indirect_step = (all - inside + ALIGN) & ~(uint32_t)(ALIGN - 1);
    const uint64_t size = (uint64_t)s->indirect_step * (edges + 1);
    if (!(s->indirect = gpudbg_machine_segment_at(m, "payload", BASE, size, NULL, GPUDBG_SEG_READONLY, err)))
        return false;
    uint8_t *whole = malloc(all + 1u);
    if (!whole) return gpudbg_fail(err, "memory", "launch: out of memory");
    for (unsigned e = 0; e <= edges; e++) {
        uint32_t group[3], own[3];
        for (unsigned i = 0; i < 3; i++) group[i] = e >> i & 1 ? last[i] : 0;
        own_size(launch, group, own);
        memcpy(whole, s->payload, all);
        put_own_size(b, own, whole, all);
        memcpy(s->indirect->bytes + (size_t)e * s->indirect_step, whole + inside, all - inside);
    }
    free(whole);
    return true;
}

static bool kernel_launch(struct gen *g, struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct gen_setup *s = g->setup;
    const struct gpudbg_launch *launch = m->launch;
    uint32_t *locals = calloc(launch->kernel->nparams + 1, sizeof *locals);
    struct gpudbg_segment *private = NULL;
    if (!locals || !(s->payload = calloc(1, s->binary->payload_size + 32))) {
        free(locals);
        return gpudbg_fail(err, "memory", "launch: out of memory");
    }
    uint32_t slm = place_locals(s, launch, locals);
    bool good = slm <= SLM_MOST ||
                gpudbg_fail(err, "too-large", "launch: the kernel needs %u bytes of local memory, a group has %u", slm,
                    SLM_MOST);
    m->lds_size = slm;
    s->scratch_size = s->binary->scratch;
    good = good && add_sections(m, err);
    s->slots = count_slots(m, (uint64_t)s->binary->private_item * s->binary->simd + s->scratch_size);
    if (good && s->binary->private_item) {
        uint64_t size = (uint64_t)s->binary->private_item * s->binary->simd * s->slots;
        private = gpudbg_machine_segment(m, "private", size, NULL, GPUDBG_SEG_PRIVATE | GPUDBG_SEG_UNDEFINED, err);
        good = private != NULL;
    }
    good = good && (takes_offset(s) || !gpudbg_launch_shifted(launch, err));
    good = good && add_printf(s, m, err) && bind_surfaces(s, m, private, err) && bind_samplers(s, launch, err);
    for (size_t i = 0; good && i < s->binary->npayload; i++) put_payload(s, m, &s->binary->payload[i], locals, private);
    free(locals);
    return good && (!g->eu->payload_in_memory || add_indirect(s, m, err));
}

/* ---- Both ---- */

static enum gen_paths wanted_paths(void)
{
    const char *wish = getenv("GPUDBG_REGIONS");
    return !wish || !*wish                ? GEN_ALL_PATHS
           : strcmp(wish, "generic") == 0 ? GEN_GENERIC_PATH
           : strcmp(wish, "table") == 0   ? GEN_TABLE_PATHS
                                          : GEN_ALL_PATHS;
}

static uint64_t lowest_code(const struct gpudbg_image *image)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES) {
            low = image->sections[i].addr < low ? image->sections[i].addr : low;
            high = image->sections[i].addr + image->sections[i].size > high
                       ? image->sections[i].addr + image->sections[i].size
                       : high;
        }
    return high < UINT32_MAX || low == UINT64_MAX ? 0 : low;
}

/* Whether the code has an instruction for pairs of threads. */
static bool has_pairs(const struct gen_eu *eu, const struct gpudbg_image *image)
{
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        uint64_t word, size = 8;
        for (uint64_t at = 0; s->flags & GPUDBG_CODE_BYTES && s->bytes && at + 16 <= s->size; at += size) {
            memcpy(&word, s->bytes + at, 8);
            const unsigned op = eu->by_code[word & 127];
            if (op && GEN_IS(op - 1, FUSED)) return true;
            size = word >> 29 & 1 ? 8 : 16; /* compacted */
        }
    }
    return false;
}

/* Places of the threads of a group that runs; those of a later group take them over. */
static bool add_pairs(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct gen_setup *s = ((struct gen *)m->runner)->setup;
    const uint32_t most = SLOTS_MOST > m->waves_per_group ? SLOTS_MOST / m->waves_per_group : 1,
                   groups = m->nwaves / m->waves_per_group;
    const uint64_t size = (uint64_t)GEN_PAIR_BYTES * m->waves_per_group * (groups < most ? groups : most);
    s->pairs = gpudbg_machine_segment(m, "pairs", size, NULL, GPUDBG_SEG_PRIVATE, err);
    return s->pairs != NULL;
}

/* How many general registers a thread has: the file says so of its kernels, a launch of bare code of its own. */
static bool count_grfs(struct gen *g, const struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const struct gpudbg_launch *launch = m->launch;
    g->grfs = g->setup->binary && g->setup->binary->grfs > 128 ? 256 : 128;
    for (size_t i = 0; !g->setup->binary && i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        if (b->kind == GPUDBG_BOUND_BUFFER || strcmp(b->name, "grfs") != 0) continue;
        if (b->size || (b->value != 128 && (b->value != 256 || !g->eu->large_grf)))
            return gpudbg_fail(err, "bad-argument", "launch: grfs=%s: threads of %s have 128 registers%s", b->text,
                g->eu->isa.name, g->eu->large_grf ? " or 256" : "");
        g->grfs = (unsigned)b->value;
    }
    return true;
}

bool gen_launch(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const struct gen_eu *eu = gen_eu_of(m->isa);
    if (!eu->runs)
        return gpudbg_fail(
            err, "unsupported", "launch: code of %s is read and assembled; gpudbg does not run it yet", eu->isa.name);
    struct gen *g = m->runner = calloc(1, sizeof *g);
    struct gen_setup *s = calloc(1, sizeof *s);
    if (!g || !s) {
        free(s);
        return gpudbg_fail(err, "memory", "launch: out of memory");
    }
    g->setup = s;
    g->eu = gen_eu_of(m->isa);
    g->paths = wanted_paths();
    g->families = &gen_families;
    g->level = lanes_widest(&gen_level_1, &gen_level_3, &gen_level_4);
    g->places = lanes_widest(&gen_places_1, &gen_places_3, &gen_places_4);
    g->base = lowest_code(m->image);
    g->system = UINT64_MAX;
    g->width = m->lanes;
    s->binary = m->launch->kernel->abi;
    if (!count_grfs(g, m, err)) return false;
    m->wave_words = gen_words(g);
    s->mask = UINT32_MAX;
    s->slots = 1;
    if (!gen_code_new(m, err) ||
        !(s->binary ? kernel_launch(g, m, err) : !gpudbg_launch_shifted(m->launch, err) && bare_launch(g, m, err)))
        return false;
    if (has_pairs(g->eu, m->image) && !add_pairs(m, err)) return false;
    if (s->scratch_size) {
        if (!s->binary) s->slots = count_slots(m, s->scratch_size);
        s->scratch_size = (s->scratch_size + g->eu->scratch_unit - 1) & ~(g->eu->scratch_unit - 1u);
        s->scratch = gpudbg_machine_segment(
            m, "scratch", (uint64_t)s->scratch_size * s->slots, NULL, GPUDBG_SEG_PRIVATE | GPUDBG_SEG_UNDEFINED, err);
        return s->scratch != NULL;
    }
    return true;
}

void gen_finish(struct gpudbg_machine *m)
{
    struct gen *g = m->runner;
    if (!g) return;
    gen_code_free(m);
    if (g->setup) {
        free(g->setup->part);
        free(g->setup->payload);
        free(g->setup);
    }
    free(g);
    m->runner = NULL;
}

/* ---- The first state of a thread ---- */

static void start_header(struct gpudbg_wave *w)
{
    const struct gen_setup *s = gen_setup_of(w);
    uint32_t *r0 = w->words + GEN_W_GRF, code = 0;
    while (s->scratch_size >> (10 + code) > 1) code++;
    if (s->indirect) r0[0] = (uint32_t)s->indirect->base + edges_of(w->machine->launch, w->group_id) * s->indirect_step;
    /* Threads of the group, and the thread's number among them. */
    if (gen_of(w)->eu->payload_in_memory) r0[2] = w->machine->waves_per_group << 24 | (w->index & 0xff);
    r0[1] = w->group_id[0];
    r0[6] = w->group_id[1];
    r0[7] = w->group_id[2];
    r0[3] = s->scratch_size ? code : 0;
    const uint32_t scratch = gen_of(w)->eu->own_stateless ? GEN_SCRATCH_STATE : gen_slot(w) * s->scratch_size;
    r0[5] = (s->scratch_size ? scratch : 0) | (gen_slot(w) & gen_of(w)->eu->thread_mask);
}

/* Local ids as words: X block, Y block, Z block, each a whole number of registers. */
static void start_local_ids(struct gpudbg_wave *w)
{
    const struct gpudbg_launch *launch = w->machine->launch;
    unsigned simd = w->machine->lanes, block = simd == 32 ? 64 : 32;
    uint32_t size[3];
    own_size(launch, w->group_id, size);
    const uint32_t first = w->index * simd;
    uint16_t id[3] = {
        (uint16_t)(first % size[0]), (uint16_t)(first / size[0] % size[1]), (uint16_t)(first / size[0] / size[1])};
    uint16_t words[3][32] = {{0}};
    const unsigned lanes = (unsigned)__builtin_popcountll(w->lanes); /* the first ones */
    for (unsigned lane = 0; lane < lanes; lane++) {
        for (unsigned i = 0; i < 3; i++) words[i][lane] = id[i];
        if (++id[0] < size[0]) continue;
        id[0] = 0;
        if (++id[1] < size[1]) continue;
        id[1] = 0;
        id[2]++;
    }
    for (unsigned i = 0; i < 3; i++) memcpy(gen_grf(w) + 32 + i * block, words[i], block);
}

/* A group at the edge of the grid is smaller than the others: its threads receive its own size. */
static void start_local_size(struct gpudbg_wave *w)
{
    const struct gen_binary *b = gen_setup_of(w)->binary;
    const uint64_t at = b->cross_thread * 32u;
    uint32_t size[3];
    own_size(w->machine->launch, w->group_id, size);
    put_own_size(b, size, gen_grf(w) + at, gen_setup_of(w)->indirect ? b->inline_size : gen_grf_bytes(w) - at);
}

static void start_parts(struct gpudbg_wave *w)
{
    const struct gen_setup *s = gen_setup_of(w);
    for (uint32_t i = 0; i < s->nparts; i++) {
        const struct gen_part *p = &s->part[i];
        if (p->wave >= 0 && (uint32_t)p->wave != w->index) continue;
        if (p->group >= 0 && (uint32_t)p->group != w->group) continue;
        uint8_t *to = gen_grf(w) + p->reg * 32;
        if (p->size)
            memcpy(to, p->bytes, p->size);
        else
            memcpy(to, &p->value, 8);
    }
}

static uint32_t vector_mask(uint32_t mask)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < 32; i += 4) v |= mask >> i & 15 ? 15u << i : 0;
    return v;
}

/* The number of a thread as sr0.0 has it: code leaves its bits 3 and 6 out to make a dense one. */
static uint32_t thread_number(uint32_t dense)
{
    const uint32_t n = (dense & 7) | (dense & ~UINT32_C(7)) << 1;
    return (n & 63) | (n & ~UINT32_C(63)) << 1;
}

void gen_start(struct gpudbg_wave *w)
{
    const struct gen_setup *s = gen_setup_of(w);
    uint32_t *r = w->words, lanes = (uint32_t)w->lanes & s->mask;
    start_header(w);
    if (s->binary) {
        if (s->binary->local_ids) start_local_ids(w);
        uint32_t at = s->binary->cross_thread * 32u, bytes = gen_grf_bytes(w), room = bytes > at ? bytes - at : 0;
        const uint32_t here = s->indirect && s->binary->inline_size < s->binary->payload_size ? s->binary->inline_size
                                                                                              : s->binary->payload_size;
        memcpy(gen_grf(w) + (room ? at : 0), s->payload, here < room ? here : room);
        start_local_size(w);
    }
    start_parts(w);
    if (gen_of(w)->eu->own_stateless) r[GEN_W_SR0] = thread_number(gen_slot(w));
    r[GEN_W_SR0 + 1] = gen_slot(w) << 24;
    r[GEN_W_SR0 + 2] = lanes;
    r[GEN_W_SR0 + 3] = vector_mask(lanes);
    r[GEN_W_CR0] = s->cr0;
    r[GEN_W_LIVE] = s->cr0 & GEN_VECTOR_MASK ? vector_mask(lanes) : lanes;
    r[GEN_W_ACTIVE] = r[GEN_W_LIVE];
    r[GEN_W_JOIN] = GEN_NOWHERE;
    w->pc = w->machine->launch->kernel->entry;
    if (s->indirect) w->pc += s->binary->skip;
}

/* ---- What of it registers still hold ---- */

static bool is_untouched(const struct gpudbg_wave *w, unsigned reg)
{
    struct gpudbg_wave start = *w;
    if (!(start.words = calloc(gen_words(gen_of(w)), sizeof *start.words))) return false;
    gen_start(&start);
    bool same = memcmp(gen_grf(w) + 32 * reg, gen_grf(&start) + 32 * reg, 32) == 0;
    free(start.words);
    return same;
}

static int payload_text(const struct gpudbg_wave *w, unsigned reg, char *buf, size_t size)
{
    const struct gen_binary *b = gen_setup_of(w)->binary;
    const struct gpudbg_kernel *k = w->machine->launch->kernel;
    const char *last = "";
    struct text t = text_in(buf, size);
    for (unsigned dword = 0; dword < 8; dword++)
        for (size_t i = 0; i < b->npayload && !text_is_cut(&t); i++) {
            const struct gen_payload *p = &b->payload[i];
            const char *name = p->param >= 0 && k->params[p->param].name ? k->params[p->param].name : p->name;
            if (p->kind == GEN_PAYLOAD_STATEFUL || b->cross_thread + p->offset / 32 != reg ||
                p->offset % 32 / 4 != dword || strcmp(name, last) == 0)
                continue;
            text_add(&t, "%s.%u %s", t.n ? " " : "", dword, name);
            last = name;
        }
    return text_length(&t);
}

int gen_holds(struct gpudbg_wave *w, unsigned file, unsigned index, unsigned *bits, char *buf, size_t size)
{
    const struct gen_binary *b = gen_setup_of(w) ? gen_setup_of(w)->binary : NULL;
    *bits = 0;
    if (file != GEN_GRF || !b || w->state == GPUDBG_ENDED || !size) return 0;
    const unsigned registers = b->simd > 16 ? 2 : 1;
    const bool ids = b->local_ids && index && index < 1 + 3 * registers;
    int n = 0;
    buf[0] = 0;
    *bits = ids ? 16 : 0;
    if (!index)
        n = snprintf(buf, size, "thread header: .1 .6 .7 group");
    else if (ids)
        n = snprintf(buf, size, "local ids %c", 'x' + (char)((index - 1) / registers));
    else if (index >= b->cross_thread)
        n = payload_text(w, index, buf, size);
    return n && is_untouched(w, index) ? n : 0;
}
