/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_launch.c: a launch as a compiled kernel expects it (abi.h): segments for code, kernel arguments, dispatch packet,
 * queue and scratch, and the values of user SGPRs.  bare.c launches bare code, start.c sets a wave's other registers.
 */
#include "engine/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "image/abi_image.h"
#include "alu/exceptions.h"
#include "engine/gcn_exec.h"
#include "gcn.h"
#include "gcn_ops.h"
#include "alu/gcn_lanes_simd.h"
#include "memory/buffer_format.h"
#include "memory/gcn_memory.h"
#include "engine/tally.h"

#define SCRATCH_MOST (UINT64_C(64) << 20) /* bytes in all; waves far apart share places beyond it */

/* ---- A launch in the making ---- */

struct making {
    struct gpudbg_machine *m;
    const struct gpudbg_launch *launch;
    const struct gpudbg_kernel *kernel;
    const struct gcn_abi *abi;
    struct gcn_setup *setup;
    uint32_t lds, dynamic_lds;
    struct gpudbg_segment *kernarg, *packet, *queue, *scratch, *printf_buffer, *descriptors;
    uint64_t scratch_size;
};

static void put(uint8_t *to, uint64_t value, uint32_t size) { le_put(to, value, size < 8 ? size : 8); }

/* Sections that a linker leaves in a file for loaders; no program reads them, and a wrong pointer should not reach
 * them. */
static bool is_housekeeping(const char *name)
{
    for (const char *const *p = (const char *const[]){".note", ".dyn", ".hash", ".gnu", ".relro", NULL}; name && *p;
         p++)
        if (strncmp(name, *p, strlen(*p)) == 0) return true;
    return false;
}

static bool map_code(struct making *k, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = k->m->image;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_LOADED) || !s->size || is_housekeeping(s->name)) continue;
        const char *name = s->name && *s->name ? s->name : "code";
        uint32_t flags = s->flags & GPUDBG_WRITABLE ? 0 : GPUDBG_SEG_READONLY;
        struct gpudbg_segment *segment = gpudbg_machine_segment_at(k->m, name, s->addr, s->size, NULL, flags, err);
        if (!segment) return false;
        gpudbg_image_copy(image, s->addr, segment->bytes, s->size); /* with relocations applied */
    }
    return true;
}

/* ---- Arguments ---- */

static int argument(const struct making *k, const struct gpudbg_bound *b)
{
    return (int)(b->param - k->kernel->params);
}

/* Dynamic LDS follows the static, each argument aligned as its elements are, to 16 at least. */
static bool dynamic_place(struct making *k, const struct gpudbg_bound *b, uint32_t *at, struct gpudbg_error *err)
{
    const uint32_t wanted = b->param->align, most = gcn_chip_of(k->m->isa)->lds;
    const uint32_t align = wanted > 16 && wanted <= GCN_LDS_MAX && !(wanted & (wanted - 1)) ? wanted : 16;
    *at = (k->lds + align - 1) & ~(align - 1);
    if (*at > most || b->size > most - *at)
        return gpudbg_fail(err, "too-large", "argument %d '%s' takes %" PRIu64 " bytes of LDS after %u: a group has %u",
            argument(k, b), b->param->name ? b->param->name : "", b->size, *at, most);
    k->dynamic_lds += *at - k->lds + (uint32_t)b->size;
    k->lds = *at + (uint32_t)b->size;
    return true;
}

/* Images and samplers are pointers to descriptors, one after another in a segment of their own. */
static bool put_descriptor(struct making *k, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    const struct gpudbg_param *p = b->param;
    char what[200];
    snprintf(what, sizeof what, "argument %d '%s' (%s)", argument(k, b), p->name ? p->name : "",
        p->type ? p->type : "image");
    if (!k->descriptors) {
        uint64_t size = k->kernel->nparams * GCN_ARGUMENT_DESCRIPTOR;
        if (!(k->descriptors = gpudbg_machine_segment(k->m, "descriptors", size, NULL, 0, err))) return false;
    }
    uint64_t at = (uint64_t)argument(k, b) * GCN_ARGUMENT_DESCRIPTOR;
    put(k->kernarg->bytes + p->offset, k->descriptors->base + at, p->size);
    return (p->kind == GPUDBG_PARAM_IMAGE ? gcn_put_image : gcn_put_sampler)(
        what, b, gcn_chip_of(k->m->isa), k->descriptors->bytes + at, err);
}

static bool put_argument(struct making *k, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    const struct gpudbg_param *p = b->param;
    uint8_t *to = k->kernarg->bytes + p->offset;
    uint32_t at;
    if (p->kind == GPUDBG_PARAM_IMAGE || p->kind == GPUDBG_PARAM_SAMPLER) return put_descriptor(k, b, err);
    switch (b->kind) {
    case GPUDBG_BOUND_BUFFER: put(to, b->segment->base, p->size); return true;
    case GPUDBG_BOUND_LOCAL:
        if (!dynamic_place(k, b, &at, err)) return false;
        put(to, at, p->size);
        return true;
    default: memcpy(to, b->bytes, b->size < p->size ? b->size : p->size); return true;
    }
}

static uint64_t hidden_value(const struct making *k, enum gcn_hidden_kind kind)
{
    const struct gpudbg_launch *l = k->launch;
    switch (kind) {
    case GCN_HIDDEN_BLOCK_COUNT_X:
    case GCN_HIDDEN_BLOCK_COUNT_Y:
    case GCN_HIDDEN_BLOCK_COUNT_Z:
        return l->global[kind - GCN_HIDDEN_BLOCK_COUNT_X] / l->local[kind - GCN_HIDDEN_BLOCK_COUNT_X];
    case GCN_HIDDEN_GROUP_SIZE_X:
    case GCN_HIDDEN_GROUP_SIZE_Y:
    case GCN_HIDDEN_GROUP_SIZE_Z: return l->local[kind - GCN_HIDDEN_GROUP_SIZE_X];
    case GCN_HIDDEN_REMAINDER_X:
    case GCN_HIDDEN_REMAINDER_Y:
    case GCN_HIDDEN_REMAINDER_Z:
        return l->global[kind - GCN_HIDDEN_REMAINDER_X] % l->local[kind - GCN_HIDDEN_REMAINDER_X];
    case GCN_HIDDEN_GLOBAL_OFFSET_X:
    case GCN_HIDDEN_GLOBAL_OFFSET_Y:
    case GCN_HIDDEN_GLOBAL_OFFSET_Z: return l->offset[kind - GCN_HIDDEN_GLOBAL_OFFSET_X];
    case GCN_HIDDEN_GRID_DIMS: return l->dimensions;
    case GCN_HIDDEN_HOSTCALL_BUFFER: /* before v5 it shares printf's place */
        if (k->setup->hostcall) return k->setup->hostcall->base;
        if (GCN_ABI_WIDE(k->abi->kind)) return 0;
        /* fall through */
    case GCN_HIDDEN_PRINTF_BUFFER: return k->printf_buffer ? k->printf_buffer->base : 0;
    case GCN_HIDDEN_DYNAMIC_LDS_SIZE: return k->dynamic_lds;
    case GCN_HIDDEN_PRIVATE_BASE: return k->setup->private_base;
    case GCN_HIDDEN_SHARED_BASE: return k->setup->shared_base;
    case GCN_HIDDEN_QUEUE_PTR: return k->queue->base;
    default: return 0; /* there is no host to call */
    }
}

static bool wants(const struct gcn_abi *abi, enum gcn_hidden_kind kind)
{
    for (uint32_t i = 0; i < abi->nhidden; i++)
        if (abi->hidden[i].kind == kind) return true;
    return false;
}

/* clang says "hostcall" for printf's buffer too, and then leaves the slot that its library reads out of the list; the
 * file then has formats. */
static bool wants_printf(const struct gcn_abi *abi)
{
    return wants(abi, GCN_HIDDEN_PRINTF_BUFFER) || wants(abi, GCN_HIDDEN_HOSTCALL_BUFFER);
}

static bool wants_host(const struct gcn_abi *abi)
{
    return wants(abi, GCN_HIDDEN_HOSTCALL_BUFFER) && (!abi->printfs || !abi->printfs->n);
}

/* Dword 0: bytes used; 1: bytes in all; then the messages (gcn_printed.c). */
static bool put_printf(struct making *k, struct gpudbg_error *err)
{
    k->printf_buffer = gpudbg_machine_segment(k->m, "printf", GCN_PRINTF_BYTES, NULL, GPUDBG_SEG_LOGGED, err);
    if (k->printf_buffer) put(k->printf_buffer->bytes + 4, GCN_PRINTF_BYTES, 4);
    k->setup->printf = k->printf_buffer;
    if (!k->printf_buffer || !wants_host(k->abi)) return k->printf_buffer != NULL;
    return (k->setup->hostcall = gcn_hostcall_new(k->m, err)) != NULL;
}

static bool put_arguments(struct making *k, struct gpudbg_error *err)
{
    uint32_t end = 0, n, start, size = k->abi->kernarg_size, told = 0; /* told: bit i, the offset along axis i */
    for (size_t i = 0; i < k->kernel->nparams; i++) {
        const struct gpudbg_param *p = &k->kernel->params[i];
        end = p->offset + p->size > end ? p->offset + p->size : end;
    }
    const struct gcn_hidden *hidden = gcn_hidden_list(k->abi, end, &n, &start);
    if (k->abi->nhidden && end > hidden[0].offset)
        return gpudbg_fail(err, "bad-argument", "launch: %zu arguments take %u bytes, %s has room for %u",
            k->kernel->nparams, end, k->kernel->name, hidden[0].offset);
    uint32_t printf_slot = ((end + 7) & ~7u) + (GCN_ABI_WIDE(k->abi->kind) ? 72 : 24);
    if (size < end) size = end;
    if (k->abi->kind == GCN_MESA && size < start + 16) size = start + 16;
    if (wants_printf(k->abi) && !put_printf(k, err)) return false;
    if (!(k->kernarg = gpudbg_machine_segment(k->m, "kernarg", (size + 63) & ~63u, NULL, 0, err))) return false;
    for (size_t i = 0; i < k->launch->nbound; i++)
        if (k->launch->bound[i].param && !put_argument(k, &k->launch->bound[i], err)) return false;
    if (k->printf_buffer && printf_slot + 8 <= size) put(k->kernarg->bytes + printf_slot, k->printf_buffer->base, 8);
    for (uint32_t i = 0; i < n; i++)
        if (start + hidden[i].offset + (uint64_t)hidden[i].size <= size) {
            put(k->kernarg->bytes + start + hidden[i].offset, hidden_value(k, hidden[i].kind), hidden[i].size);
            if (hidden[i].kind >= GCN_HIDDEN_GLOBAL_OFFSET_X && hidden[i].kind <= GCN_HIDDEN_GLOBAL_OFFSET_Z)
                told |= 1u << (hidden[i].kind - GCN_HIDDEN_GLOBAL_OFFSET_X);
        }
    for (unsigned i = 0; i < 3; i++)
        if (k->launch->offset[i] && !(told >> i & 1))
            return gpudbg_fail(
                err, "bad-argument", "launch: -o: %s takes no global offset along %c", k->kernel->name, "xyz"[i]);
    return true;
}

/* ---- Packet, queue, scratch ---- */

/* Bytes of scratch a work-item has, whole dwords.  If the depth of the stack is not known when a program is compiled,
 * clang counts the known part and leaves the rest to the launch: the amount is added that clang itself adds in code
 * object v4. */
static uint64_t scratch_bytes(const struct gcn_abi *abi)
{
    uint64_t size = abi->private_size + (abi->properties & GCN_DYNAMIC_STACK ? UINT64_C(16384) : 0);
    return (size + 3) & ~UINT64_C(3);
}

static bool put_queue(struct making *k, struct gpudbg_error *err)
{
    if (!(k->queue = gpudbg_machine_segment(k->m, "queue", 256, NULL, 0, err))) return false;
    put(k->queue->bytes + 0x40, k->setup->shared_base, 4);
    put(k->queue->bytes + 0x44, k->setup->private_base, 4);
    return true;
}

static bool put_packet(struct making *k, struct gpudbg_error *err)
{
    if (!(k->packet = gpudbg_machine_segment(k->m, "packet", 64, NULL, 0, err))) return false;
    uint8_t *p = k->packet->bytes;
    put(p, 0x1502, 2); /* kernel dispatch, barrier, system scope fences */
    put(p + 2, k->launch->dimensions, 2);
    for (unsigned i = 0; i < 3; i++) {
        put(p + 4 + 2 * i, k->launch->local[i], 2);
        put(p + 12 + 4 * i, k->launch->global[i], 4);
    }
    put(p + 24, (uint32_t)scratch_bytes(k->abi), 4);
    put(p + 28, k->lds, 4);
    put(p + 32, k->abi->object, 8);
    put(p + 40, k->kernarg->base, 8);
    return true;
}

/* Makes a place for each wave, as many as fit; waves of a group never share one. */
static bool put_scratch(struct making *k, struct gpudbg_error *err)
{
    uint64_t lane = scratch_bytes(k->abi), wave = (lane * k->m->isa->lanes + 1023) & ~UINT64_C(1023),
             group = wave * k->m->waves_per_group;
    if (!lane) return true;
    if (wave > UINT32_MAX || group > UINT32_MAX)
        return gpudbg_fail(err, "too-large",
            "launch: %s needs too much scratch: %" PRIu64 " bytes a lane in each of %u waves a group", k->kernel->name,
            lane, k->m->waves_per_group);
    uint64_t groups = k->m->nwaves / k->m->waves_per_group, fit = SCRATCH_MOST / group;
    groups = groups < fit ? groups : fit ? fit : 1;
    k->setup->scratch_wave = (uint32_t)wave;
    k->setup->scratch_waves = (uint32_t)(groups * k->m->waves_per_group);
    k->scratch_size = groups * group;
    k->scratch = gpudbg_machine_segment(
        k->m, "scratch", k->scratch_size, NULL, GPUDBG_SEG_PRIVATE | GPUDBG_SEG_UNDEFINED, err);
    k->setup->scratch = k->scratch;
    k->setup->scratch_base = k->scratch ? k->scratch->base : 0;
    return k->scratch != NULL;
}

/* ---- User SGPRs ---- */

static void user(struct gcn_setup *s, uint32_t value)
{
    if (s->nuser < 16) s->user[s->nuser++] = value;
}

static void user_pointer(struct gcn_setup *s, uint64_t value)
{
    user(s, (uint32_t)value);
    user(s, (uint32_t)(value >> 32));
}

/* The buffer that scratch is: a dword of each lane after those of the lanes before it, components x y z w.  Newer
 * chips do not check its bounds. */
static void put_scratch_buffer(const struct making *k)
{
    const struct gcn_chip *chip = gcn_chip_of(k->m->isa);
    uint32_t v[4] = {0};
    SET(v, V_SHARP, base_address, k->setup->scratch_base);
    SET(v, V_SHARP, swizzle_enable, 1);
    SET(v, V_SHARP, num_records, k->scratch_size > UINT32_MAX ? UINT32_MAX : k->scratch_size);
    SET(v, V_SHARP, dst_sel_x, 4);
    SET(v, V_SHARP, dst_sel_y, 5);
    SET(v, V_SHARP, dst_sel_z, 6);
    SET(v, V_SHARP, dst_sel_w, 7);
    SET(v, V_SHARP, add_tid_enable, 1);
    SET(v, V_SHARP, index_stride, chip->isa.lanes == 32 ? 2 : 3);
    if (chip->newer_buffers) {
        SET(v, V_SHARP_NEWER, format, GCN_BUFFER_32_UINT);
        SET(v, V_SHARP_NEWER, resource_level, 1);
        SET(v, V_SHARP_NEWER, oob_select, GCN_BOUNDS_DISABLED);
    } else {
        SET(v, V_SHARP, num_format, 4);
        SET(v, V_SHARP, data_format, 4);
        SET(v, V_SHARP, element_size, 1);
    }
    for (unsigned i = 0; i < 4; i++) user(k->setup, v[i]);
}

static void put_users(struct making *k)
{
    struct gcn_setup *s = k->setup;
    uint32_t p = k->abi->properties, lane = (uint32_t)scratch_bytes(k->abi);
    const bool newer = gcn_chip_of(k->m->isa)->newer_buffers;
    if (p & GCN_PRIVATE_SEGMENT_BUFFER) put_scratch_buffer(k);
    if (p & GCN_DISPATCH_PTR) user_pointer(s, k->packet->base);
    if (p & GCN_QUEUE_PTR) user_pointer(s, k->queue->base);
    if (p & GCN_KERNARG_PTR) user_pointer(s, k->kernarg->base);
    if (p & GCN_DISPATCH_ID) user_pointer(s, 0);
    if (p & GCN_FLAT_SCRATCH_INIT)
        user_pointer(s, newer ? s->scratch_base : (uint64_t)lane << 32); /* older: its offset from the hidden base, 0 */
    if (p & GCN_PRIVATE_SEGMENT_SIZE) user(s, lane);
    for (unsigned i = 0; i < 3; i++)
        if (p >> (7 + i) & 1) /* amd_kernel_code_t only: groups in x, y, z */
            user(s, k->launch->groups[i]);
    if (s->nuser > GET(k->abi->rsrc2, RSRC2, user_sgpr)) s->nuser = GET(k->abi->rsrc2, RSRC2, user_sgpr);
}

/* All whole groups have the same ids: these are made once. */
static bool make_ids(struct making *k, struct gpudbg_error *err)
{
    struct gcn_setup *s = k->setup;
    if (!(s->ids = calloc(k->m->waves_per_group, sizeof *s->ids)))
        return gpudbg_fail(err, "memory", "launch: out of memory");
    for (uint32_t i = 0; i < k->m->waves_per_group; i++) gcn_item_ids(s->ids[i], i, k->m->isa->lanes, k->launch->local);
    return true;
}

static bool make_compiled(struct making *k, struct gpudbg_error *err)
{
    const struct gpudbg_launch *l = k->launch;
    struct gcn_setup *s = k->setup;
    uint64_t items = (uint64_t)l->local[0] * l->local[1] * l->local[2];
    if (items > 1024)
        return gpudbg_fail(err, "bad-argument",
            "launch: local size %u,%u,%u has %" PRIu64 " work-items: a group has 1024 at most", l->local[0],
            l->local[1], l->local[2], items);
    const struct gcn_chip *chip = gcn_chip_of(k->m->isa);
    s->vgprs = chip->isa.lanes == 32 ? 2 * GCN_RSRC1_VGPRS(k->abi->rsrc1) : GCN_RSRC1_VGPRS(k->abi->rsrc1);
    s->sgprs = chip->newer_vop3 ? chip->sgprs : GCN_RSRC1_SGPRS(k->abi->rsrc1);
    s->mode = GCN_RSRC1_MODE(k->abi->rsrc1) | (uint32_t)IN_PLACE(GET(k->abi->rsrc2, RSRC2, excp_en), MODE, excp_en);
    k->lds = k->abi->lds_size;
    const uint32_t most = chip->lds;
    if (k->lds > most)
        return gpudbg_fail(
            err, "too-large", "launch: %s needs %u bytes of LDS: a group has %u", k->kernel->name, k->lds, most);
    return put_queue(k, err) && put_arguments(k, err) && put_packet(k, err) && put_scratch(k, err) &&
           make_ids(k, err) && (put_users(k), true);
}

static bool make_bare(struct making *k, struct gpudbg_error *err)
{
    struct gcn_setup *s = k->setup;
    s->vgprs = 256;
    s->sgprs = gcn_chip_of(k->m->isa)->sgprs;
    s->mode = GCN_DENORM_IN_F64 | GCN_DENORM_OUT_F64 | GCN_DX10_CLAMP | GCN_IEEE; /* as clang sets it for OpenCL */
    s->merged = gcn_chip_of(k->m->isa)->newer_hwregs;
    gcn_stage_read(s, k->m->image, gpudbg_chosen(k->m->session, gcn_chip_of(k->m->isa)->usual, GCN_STAGE_CHOICE));
    k->lds = UINT32_MAX; /* unless the launch gives it */
    if (!gcn_bare_new(s, k->m, &k->lds, err)) return false;
    gcn_stage_settle(s);
    const struct gcn_chip *chip = gcn_chip_of(k->m->isa);
    if (k->lds == UINT32_MAX) k->lds = gcn_stage_lds(s, chip->lds_unit);
    if (k->lds > chip->lds) k->lds = chip->lds;
    return true;
}

/* ---- Making and freeing ---- */

struct gcn_setup *gcn_setup_new(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct gcn_setup *s = calloc(1, sizeof *s);
    if (!s) {
        gpudbg_fail(err, "memory", "launch: out of memory");
        return NULL;
    }
    struct making k = {
        .m = m, .launch = m->launch, .kernel = m->launch->kernel, .abi = m->launch->kernel->abi, .setup = s};
    s->abi = k.abi;
    s->entry = k.kernel->entry;
    gcn_tiling_read(m->session, m->isa, &s->tiling);
    s->ordered_by_manual = gpudbg_chosen(m->session, gcn_chip_of(m->isa)->usual, GCN_ORDERED_COUNT) == 1;
    s->shared_base = GCN_SHARED_BASE(gcn_chip_of(m->isa));
    s->private_base = GCN_PRIVATE_BASE(gcn_chip_of(m->isa));
    s->memory_bases = (s->shared_base & 0xffff0000u) | s->private_base >> 16;
    s->rows = lanes_widest(&gcn_memory_rows_1, &gcn_memory_rows_3, &gcn_memory_rows_4);
    if (!map_code(&k, err) || !(k.abi ? make_compiled(&k, err) : make_bare(&k, err))) {
        gcn_setup_free(s);
        return NULL;
    }
    m->lds_size = k.lds;
    return s;
}

void gcn_setup_free(struct gcn_setup *s)
{
    if (s) {
        free(s->part);
        free(s->ids);
    }
    free(s);
}

/* ---- Of the runner ---- */

bool gcn_launch(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct gcn_setup *s = gcn_setup_new(m, err);
    if (!s || (!m->launch->kernel->abi && gpudbg_launch_shifted(m->launch, err))) {
        gcn_setup_free(s);
        return false;
    }
    if (!gcn_code_new(m, &gcn_families, s->vgprs, s->sgprs, err)) {
        gcn_setup_free(s);
        return false;
    }
    struct gcn_run *g = m->runner;
    g->setup = s;
    const bool sees = gcn_sees_exceptions(m->image);
    g->observed = sees || s->mode & GCN_EXCP_EN;
    m->hidden_word = GCN_TRAPSTS;
    m->hidden_bits = sees ? 0 : GCN_TRAPSTS_EXCP; /* the program cannot see them */
    return true;
}

void gcn_finish(struct gpudbg_machine *m)
{
    if (m->runner) {
        gcn_setup_free(((struct gcn_run *)m->runner)->setup);
        gcn_tally(m, false);
    }
    gcn_code_free(m);
}
