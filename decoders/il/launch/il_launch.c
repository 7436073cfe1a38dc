/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_launch.c: the names of a program's inputs and outputs, and a launch's arguments by these names.
 *
 *     uavN srvN resN cbN gN g p          buffers: UAVs, read-only buffers, textures, constants, global and persistent
 *                                        memory
 *     samplerN                           state of a sampler, see resource.c
 *     interfaceN                         the function table that interface pointer N holds
 *     c i b this gds counters            float, integer, truth constants (16, 16, 4 bytes each); instances; GDS; append
 *                                        counters
 *     vN vTN ... oN oCN oDepth ...       inputs and outputs by register, 16 bytes an element
 *     vicp vocp vpc                      control points and patch constants: patch, point, attribute; 16 bytes each
 *     stream                             a dword for each vertex that may be emitted, see stage.c
 *     exportN scatter                    memory exports
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/il_rules.h"
#include "run/il_run.h"
#include "run/stage.h"

#define OUT_OF_MEMORY gpudbg_fail(err, "memory", "launch: out of memory")

/* ---- Names that a program gives rise to ---- */

struct naming {
    struct gpudbg_image *image;
    struct gpudbg_kernel *kernel;
    const struct il *r;
    uint32_t *slot; /* of the names given so far, by hash: number + 1; there may be tens of thousands */
    size_t room;
};

/* The slot of the parameter of that name, or the empty one where it belongs. */
static uint32_t *slot_of(const struct naming *n, const char *name)
{
    uint64_t hash = 1;
    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    size_t at = hash & (n->room - 1);
    while (n->slot[at] && strcmp(n->kernel->params[n->slot[at] - 1].name, name) != 0) at = (at + 1) & (n->room - 1);
    return &n->slot[at];
}

static bool make_room(struct naming *n)
{
    if (2 * n->kernel->nparams < n->room) return true;
    const size_t room = n->room ? 2 * n->room : 64;
    uint32_t *grown = calloc(room, sizeof *grown);
    if (!grown) return false;
    free(n->slot);
    n->slot = grown;
    n->room = room;
    for (size_t i = 0; i < n->kernel->nparams; i++) *slot_of(n, n->kernel->params[i].name) = (uint32_t)i + 1;
    return true;
}

static void add_name(struct naming *n, const char *name, const char *type, bool needed, enum gpudbg_param_kind kind)
{
    uint32_t *slot = make_room(n) ? slot_of(n, name) : NULL;
    if (slot && *slot) {
        n->kernel->params[*slot - 1].optional &= !needed;
        return;
    }
    struct gpudbg_param *p = slot ? gpudbg_kernel_param(n->image, n->kernel) : NULL;
    if (!p) return;
    *slot = (uint32_t)n->kernel->nparams;
    p->name = gpudbg_image_string(n->image, name, strlen(name));
    p->type = type;
    p->kind = (uint8_t)kind;
    p->optional = !needed;
}

static void add_numbered(struct naming *n, const char *prefix, uint32_t number, const char *type, bool needed)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", prefix, number);
    add_name(n, name, type, needed,
        strcmp(prefix, "sampler") == 0 || strcmp(prefix, "interface") == 0 ? GPUDBG_PARAM_TEXT : GPUDBG_PARAM_IMAGE);
}

static bool is_output(unsigned type, unsigned shader)
{
    if (type >= IL_REGTYPES) return false; /* no such register */
    const struct il_register *t = &il_register[type];
    return t->text[0] == 'o' && type != IL_REG_OUTPUT_ARG &&
           (t->access == IL_W || (t->access == IL_RW && shader != IL_PIXEL));
}

static void register_name(unsigned type, uint32_t number, bool output, char *buf, size_t size)
{
    const struct il_register *t = &il_register[type];
    const char *name = output ? t->text : t->source_text;
    if (t->shape == IL_PLAIN)
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, "%s%u", name, number);
}

static void name_place(struct naming *n, const struct il_location *p)
{
    const unsigned shader = n->r->shader;
    char name[40];
    switch (p->type) {
    case IL_REG_CONST_BUFF:
        if (p->dimensions < 2 && p->number < 64) add_numbered(n, "cb", p->number, "constants", true);
        return;
    case IL_REG_GLOBAL: add_name(n, "g", "global memory", true, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_PERSIST: add_name(n, "p", "persistent memory", false, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_CONST_FLOAT: add_name(n, "c", "constants", false, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_CONST_INT: add_name(n, "i", "constants", false, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_CONST_BOOL: add_name(n, "b", "constants", false, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_THIS: add_name(n, "this", "instances", false, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_INPUTCP: add_name(n, "vicp", "control points", false, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_OUTPUTCP: add_name(n, "vocp", "control points", false, GPUDBG_PARAM_IMAGE); return;
    case IL_REG_PATCHCONST: add_name(n, "vpc", "patch constants", false, GPUDBG_PARAM_IMAGE); return;
    default: break;
    }
    const bool output = is_output(p->type, shader);
    if ((!output && !il_is_input(p->type, shader)) || p->number > 255) return;
    if (shader == IL_HULL && output) {
        add_name(
            n, p->scope ? "vocp" : "vpc", p->scope ? "control points" : "patch constants", false, GPUDBG_PARAM_IMAGE);
        return;
    }
    const struct il_range *range = p->relative ? il_find(n->r, p->scope, p->type, p->number) : NULL;
    for (uint32_t i = 0; range && i < range->count && i < 64; i++) { /* any of them */
        register_name(p->type, range->first + i, output, name, sizeof name);
        add_name(n, name, output ? "output" : "input", false, GPUDBG_PARAM_IMAGE);
    }
    if (range) return;
    const uint32_t offset = p->dimensions == 1 && !p->relative ? (uint32_t)p->index[0].offset : 0;
    register_name(p->type, p->dimensions == 2 ? p->index[1].number : p->number + offset, output, name, sizeof name);
    add_name(n, name, output ? "output" : "input", false, GPUDBG_PARAM_IMAGE);
}

/* The register, and those that index it. */
static void name_operand(struct naming *n, const struct il_location *p)
{
    name_place(n, p);
    for (unsigned i = 0; i < 2; i++)
        if (p->index[i].by) name_place(n, &p->index[i].by->at);
}

static void name_resources(struct naming *n, const struct il_exec_op *op)
{
    const char *name = op->row->name;
    const bool uses = op->executable;
    if (strncmp(name, "uav_", 4) == 0 || strncmp(name, "append_", 7) == 0 ||
        (strncmp(name, "dcl_", 4) == 0 && strlen(name) > 4 && strcmp(name + strlen(name) - 3, "uav") == 0))
        add_numbered(n, "uav", op->id, "uav", uses);
    else if (strncmp(name, "srv_", 4) == 0 || strcmp(name, "dcl_raw_srv") == 0 || strcmp(name, "dcl_struct_srv") == 0)
        add_numbered(n, "srv", op->id, "buffer", uses);
    else if (op->code == IL_DCL_RESOURCE || op->code == IL_OP_DCLPT)
        add_numbered(n, "res", op->code == IL_DCL_RESOURCE ? op->id : op->control >> 16 & 255, "texture", false);
    else if (op->fn && uses && il_uses_texture(op))
        add_numbered(n, il_names_srv(n->r, op, op->id) ? "srv" : "res", op->id, "texture",
            !(op->has_pri && op->pri >> 4 & 1) || op->sec);
    if (strncmp(name, "append_", 7) == 0) add_name(n, "counters", "append counters", false, GPUDBG_PARAM_IMAGE);
    if (il_takes_sampler(op)) /* with _ext a register picks it when the program runs: any of them */
        for (unsigned i = 0; i < IL_SAMPLERS; i++)
            if (op->indexed || i == (op->control >> 24 & 15)) add_numbered(n, "sampler", i, "sampler", false);
    if (strncmp(name, "texld", 5) == 0 || op->code == IL_OP_LOD)
        add_numbered(n, "sampler", op->id & 15, "sampler", false);
    if (strncmp(name, "gds_", 4) == 0) add_name(n, "gds", "global share", false, GPUDBG_PARAM_IMAGE);
    if (op->code == IL_OP_DCL_INTERFACE_PTR)
        for (uint32_t i = 0; i < (op->extra[0] < 256 ? op->extra[0] : 256) || i == 0; i++)
            add_numbered(n, "interface", op->id + i, "function table", false);
    if (op->code == IL_DCL_CONST_BUFFER && op->nsrc) add_numbered(n, "cb", op->src[0].at.number, "constants", false);
    if (op->code == IL_OP_MEMEXPORT) add_numbered(n, "export", op->control >> 16 & 63, "memory export", false);
    if (op->code == IL_OP_MEMIMPORT) add_numbered(n, "v", op->control >> 16 & 63, "input", false);
    if (op->code == IL_OP_SCATTER) add_name(n, "scatter", "memory export", false, GPUDBG_PARAM_IMAGE);
    if (op->code == IL_OP_EMIT || strncmp(name, "emit", 4) == 0)
        add_name(n, "stream", "emitted vertices", false, GPUDBG_PARAM_IMAGE);
    if (op->code == IL_OP_INIT_SR) add_numbered(n, "cb", 0, "constants", true);
    if (il_uses_centroid(op)) add_name(n, "vCoverageMask", "covered samples", false, GPUDBG_PARAM_IMAGE);
}

static bool names_registers(unsigned code)
{
    return code == IL_DCL_INPUT || code == IL_DCL_OUTPUT || code == IL_OP_DCLV || code == IL_OP_DCLPI ||
           code == IL_OP_DCLPIN || code == IL_OP_DCLVOUT;
}

/* Group sizes that the program declares. */
static void set_sizes(struct gpudbg_kernel *k, const struct il *r)
{
    if (r->shader == IL_PIXEL) {
        k->reqd_local[0] = k->reqd_local[1] = 8;
        k->reqd_local[2] = 1;
        k->fixed_local = k->quads = true;
    }
    for (uint32_t i = 0; i < r->nops; i++) {
        const struct il_exec_op *op = &r->op[i];
        for (unsigned d = 0; op->code == IL_OP_DCL_NUM_THREAD_PER_GROUP && d < 3; d++)
            k->reqd_local[d] = d < op->nextra && op->extra[d] ? op->extra[d] : 1;
    }
    k->max_local = 1024;
    for (uint32_t i = 0; i < r->nops; i++)
        if (r->op[i].code == IL_DCL_MAX_THREAD_PER_GROUP && r->op[i].extra[0] && r->op[i].extra[0] < k->max_local)
            k->max_local = r->op[i].extra[0];
    k->lds = (uint32_t)r->lds_bytes;
}

bool il_kernel(
    struct gpudbg_image *image, const char *name, const struct gpudbg_section *section, struct gpudbg_error *err)
{
    struct il *r = il_build(image->isa, section, err);
    if (!r) return false;
    struct naming n = {.image = image, .kernel = gpudbg_image_kernel(image, name, section->addr), .r = r};
    bool ok = n.kernel != NULL || OUT_OF_MEMORY;
    if (ok) {
        n.kernel->abi_name = "il";
        n.kernel->size = section->size;
        n.kernel->entry = r->op[r->entry].pc;
        set_sizes(n.kernel, r);
        for (uint32_t i = 0; i < r->nops; i++) {
            const struct il_exec_op *op = &r->op[i];
            name_resources(&n, op);
            if (op->executable || names_registers(op->code)) {
                for (unsigned k = 0; k < op->ndst; k++) name_operand(&n, &op->dst[k].at);
                for (unsigned k = 0; k < op->nsrc; k++) name_operand(&n, &op->src[k].at);
            }
        }
    }
    free(n.slot);
    il_free(r);
    return ok;
}

/* ---- Arguments ---- */

/* "uav12": its number, if the rest of the name is one; else -1. */
static long numbered(const char *name, const char *prefix)
{
    const size_t n = strlen(prefix);
    char *end;
    if (strncmp(name, prefix, n) != 0 || name[n] < '0' || name[n] > '9') return -1;
    const long number = strtol(name + n, &end, 10);
    return *end ? -1 : number;
}

static bool bind_register(struct il *r, const struct gpudbg_bound *b)
{
    for (unsigned type = 0; type < IL_REGTYPES; type++)
        for (int output = 0; output < 2; output++) {
            const struct il_register *t = &il_register[type];
            const char *name = output ? t->text : t->source_text;
            if (output ? !is_output(type, r->shader) : !il_is_input(type, r->shader)) continue;
            const long number = t->shape == IL_PLAIN ? strcmp(b->name, name) == 0 ? 0 : -1 : numbered(b->name, name);
            if (number < 0 || number > UINT16_MAX || (type == IL_REG_VERTEX && r->shader != IL_VERTEX)) continue;
            r->bound[r->nbound++] = (struct il_bound_register){(uint8_t)type, (uint16_t)number, output, b->segment};
            if (type != IL_REG_VERTEX) /* v# of either type */
                return true;
        }
    return r->nbound && r->bound[r->nbound - 1].segment == b->segment;
}

/* Fills in sizes of a typed resource that the argument does not give. */
static void complete(struct il_resource *s)
{
    static const struct il_format word = {4, 1, 32, {0, 1, 2, 3}};
    if (!s->format.components) {
        const uint8_t kind = s->format.kind;
        s->format = word;
        s->format.kind = kind ? kind : 5;
        s->pitch = 4;
    }
    if (!s->width) {
        s->width = (uint32_t)(s->size / s->pitch > UINT32_MAX ? UINT32_MAX : s->size / s->pitch);
        s->height = s->depth = 1;
        s->whole = true;
    }
    const bool cube = s->dimension == IL_PIXTEX_CUBE || s->dimension == IL_PIXTEX_CUBEARRAY;
    if (cube && s->depth < 6) s->depth = 6;
    if (s->dimension == IL_PIXTEX_2DMSAA || s->dimension == IL_PIXTEX_2DARRAYMSAA) {
        s->samples = s->levels ? s->levels : 1;
        s->levels = 1;
    }
    if (!s->levels) s->levels = 1;
}

/* Bytes that a texture of these sizes has. */
static uint64_t texture_bytes(const struct il_resource *s)
{
    uint64_t texels = 0;
    if (s->line && s->levels == 1) return (uint64_t)s->line * s->height * s->depth;
    for (uint32_t level = 0; level < s->levels; level++) {
        const bool volume = s->dimension == IL_PIXTEX_3D || s->dimension == IL_PIXTEX_UNKNOWN,
                   slices = s->dimension == IL_PIXTEX_1DARRAY;
        const uint64_t x = s->width >> level ? s->width >> level : 1, y = slices               ? s->height
                                                                          : s->height >> level ? s->height >> level
                                                                                               : 1;
        texels += x * y * (volume && s->depth >> level ? s->depth >> level : volume ? 1 : s->depth);
    }
    return texels * (s->samples ? s->samples : 1) * s->pitch;
}

static bool bind_resource(struct il_resource *s, const struct gpudbg_bound *b, bool typed, struct gpudbg_error *err)
{
    s->segment = b->segment;
    s->size = b->segment->size;
    if (b->format && !il_parse_format(b->format, s, err)) {
        char message[sizeof err->message];
        snprintf(message, sizeof message, "%s", err->message);
        return gpudbg_fail(err, "bad-argument", "launch: %s: %.400s", b->name, message);
    }
    if (s->layout == IL_STRUCT_ELEMENTS && !s->stride) s->stride = s->pitch ? s->pitch : 4;
    if (s->layout == IL_STRUCT_ELEMENTS) s->count = (uint32_t)(s->size / s->stride);
    if (s->layout == IL_TYPED_ELEMENTS || typed) complete(s);
    if ((s->layout == IL_TYPED_ELEMENTS || typed) && texture_bytes(s) > s->size)
        return gpudbg_fail(err, "bad-argument",
            "launch: %s: %" PRIu64 " bytes; %ux%ux%u elements of %u bytes, %u levels, need %" PRIu64, b->name, s->size,
            s->width, s->height, s->depth, s->pitch, s->levels, texture_bytes(s));
    return true;
}

static bool bind_points(struct il_points *p, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    struct il_resource s = {0};
    p->segment = b->segment;
    if (b->format && !il_parse_format(b->format, &s, err)) return false;
    if (s.pitch >= 16) p->attributes = s.pitch / 16;
    return true;
}

static bool bind_plain(struct il *r, const struct gpudbg_bound *b, bool *done)
{
    const struct {
        const char *name;
        struct gpudbg_segment **to;
    } plain[] = {{"g", &r->global}, {"p", &r->persist}, {"c", &r->c}, {"i", &r->i}, {"b", &r->b}, {"this", &r->self},
        {"counters", &r->counters}, {"gds", &r->gds_segment}, {"stream", &r->streams}, {"sr", &r->shared}};
    *done = true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(b->name, plain[i].name) == 0) {
            *plain[i].to = b->segment;
            return true;
        }
    if (numbered(b->name, "export") >= 0 || strcmp(b->name, "scatter") == 0) {
        const bool scatter = b->name[0] == 's';
        r->bound[r->nbound++] = (struct il_bound_register){scatter ? IL_BOUND_SCATTER : IL_BOUND_EXPORT,
            (uint16_t)(scatter ? 0 : numbered(b->name, "export")), true, b->segment};
        return true;
    }
    *done = false;
    return true;
}

static bool bind(struct il *r, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    long n;
    bool done;
    if ((n = numbered(b->name, "sampler")) >= 0 && n < IL_SAMPLERS)
        return il_parse_sampler(b->text, &r->sampler[n], err);
    if ((n = numbered(b->name, "interface")) >= 0 && n < 256) {
        char *end;
        const unsigned long table = strtoul(b->text, &end, 0);
        r->interface_table[n] = (uint32_t)table;
        return (b->text[0] >= '0' && b->text[0] <= '9' && !*end && table < r->ntables) ||
               gpudbg_fail(
                   err, "bad-argument", "launch: %s: '%.40s' is not the number of a function table", b->name, b->text);
    }
    if (b->kind != GPUDBG_BOUND_BUFFER)
        return gpudbg_fail(err, "bad-argument", "launch: %s: '%.40s' is not a buffer", b->name, b->text);
    if ((n = numbered(b->name, "uav")) >= 0 && n < IL_IDS) return bind_resource(&r->uav[n], b, false, err);
    if ((n = numbered(b->name, "srv")) >= 0 && n < IL_SRVS) return bind_resource(&r->srv[n], b, false, err);
    if ((n = numbered(b->name, "res")) >= 0 && n < 256) return bind_resource(&r->res[n], b, true, err);
    if ((n = numbered(b->name, "cb")) >= 0 && n < 64) return bind_resource(&r->cb[n], b, false, err);
    if (strcmp(b->name, "vicp") == 0) return bind_points(&r->inputs_cp, b, err);
    if (strcmp(b->name, "vocp") == 0) return bind_points(&r->outputs_cp, b, err);
    if (strcmp(b->name, "vpc") == 0) return bind_points(&r->patch, b, err);
    if (!bind_plain(r, b, &done) || done) return done;
    return bind_register(r, b) ||
           gpudbg_fail(err, "no-such-name", "launch: '%.40s': the program has nothing of that name", b->name);
}

/* ---- What a launch adds ---- */

#define MOST_POINTS 32 /* of a patch (5.19) */

/* Attributes, control points and constants that the program names, where its declarations and the arguments do not say
 * more. */
static void count_attributes(struct il *r)
{
    uint32_t in = 0, patch = 0, out = 0, points = 1;
    for (uint32_t i = 0; i < r->nops; i++)
        for (unsigned k = 0; k < r->op[i].nsrc && r->op[i].executable; k++) {
            const struct il_location *p = &r->op[i].src[k].at;
            const uint32_t attribute = p->index[1].number + (uint32_t)p->index[1].offset + 1;
            if (p->type == IL_REG_INPUTCP) in = attribute > in ? attribute : in;
            if (p->type == IL_REG_INPUTCP && !p->index[0].relative && p->number < MOST_POINTS && p->number >= points)
                points = p->number + 1;
            if (p->type == IL_REG_OUTPUTCP) out = attribute > out ? attribute : out;
            if (p->type == IL_REG_PATCHCONST && p->number + (uint32_t)p->index[0].offset + 1 > patch)
                patch = p->number + (uint32_t)p->index[0].offset + 1;
        }
    for (uint32_t i = 0; i < r->nranges && r->shader == IL_HULL; i++)
        if (r->range[i].type == IL_REG_OUTPUT) {
            uint32_t *to = r->range[i].scope ? &out : &patch;
            if (r->range[i].first + r->range[i].count > *to) *to = r->range[i].first + r->range[i].count;
        }
    r->inputs_cp.attributes = r->inputs_cp.attributes ? r->inputs_cp.attributes : in;
    r->outputs_cp.attributes = r->outputs_cp.attributes ? r->outputs_cp.attributes : out;
    r->patch.attributes = r->patch.attributes ? r->patch.attributes : patch;
    r->inputs_cp.points = r->icp ? r->icp : r->icp_declared ? r->icp_declared : points;
    r->outputs_cp.points = r->ocp ? r->ocp : 1;
}

static bool segment(
    struct gpudbg_machine *m, struct gpudbg_segment **to, const char *name, uint64_t size, struct gpudbg_error *err)
{
    if (*to || !size) return true;
    return (*to = gpudbg_machine_segment(m, name, size, NULL, 0, err)) != NULL;
}

static bool uses(const struct il *r, unsigned type) { return r->named >> type & 1; }

static void note_type(struct il *r, const struct il_location *p)
{
    r->named |= UINT64_C(1) << (p->type & 63);
    for (unsigned i = 0; i < 2; i++)
        if (p->index[i].by) r->named |= UINT64_C(1) << (p->index[i].by->at.type & 63);
}

static void note_types(struct il *r)
{
    for (uint32_t i = 0; i < r->nops; i++) {
        if (!r->op[i].executable) continue;
        for (unsigned k = 0; k < r->op[i].nsrc; k++) note_type(r, &r->op[i].src[k].at);
        for (unsigned k = 0; k < r->op[i].ndst; k++) note_type(r, &r->op[i].dst[k].at);
    }
}

static bool add_segments(struct gpudbg_machine *m, struct il *r, struct gpudbg_error *err)
{
    const struct gpudbg_launch *l = m->launch;
    const uint64_t patches = l->global[0];
    bool append = false;
    for (uint32_t i = 0; i < r->nops; i++)
        append |= r->op[i].code == IL_OP_APPEND_BUF_ALLOC || r->op[i].code == IL_OP_APPEND_BUF_CONSUME;
    if (append && !segment(m, &r->counters, "counters", IL_IDS * 4, err)) return false;
    if (!segment(m, &r->gds_segment, "gds", r->gds_bytes, err)) return false;
    if (uses(r, IL_REG_SHARED_TEMP) &&
        !segment(m, &r->shared, "sr", (uint64_t)(r->shared_temps ? r->shared_temps : 128) * 16 * IL_LANES, err))
        return false;
    if (uses(r, IL_REG_PERSIST) &&
        !segment(m, &r->persist, "p", (uint64_t)(r->persistent ? r->persistent : 64) * 16, err))
        return false;
    if (r->shader == IL_HULL && (!segment(m, &r->outputs_cp.segment, "vocp",
                                     patches * r->outputs_cp.points * r->outputs_cp.attributes * 16, err) ||
                                    !segment(m, &r->patch.segment, "vpc", patches * r->patch.attributes * 16, err)))
        return false;
    for (unsigned i = 0; i < IL_IDS; i++) r->gds[i].segment = r->gds_segment;
    return true;
}

static bool local_memory(struct gpudbg_machine *m, struct il *r, struct gpudbg_error *err)
{
    const uint64_t owned = (uint64_t)r->lds_per_thread * 4 * IL_LANES * m->waves_per_group;
    const uint64_t size = r->lds_bytes > owned ? r->lds_bytes : owned;
    if (size > 65536)
        return gpudbg_fail(
            err, "too-large", "launch: the program needs %" PRIu64 " bytes of LDS: a group has 65536", size);
    m->lds_size = (uint32_t)size;
    return true;
}

static bool set_up(struct gpudbg_machine *m, struct il *r, struct gpudbg_error *err)
{
    const struct gpudbg_launch *l = m->launch;
    if (!(r->bound = il_alloc(r, (2 * l->nbound + 1) * sizeof *r->bound))) return OUT_OF_MEMORY;
    for (unsigned i = 0; i < IL_SAMPLERS; i++)
        r->sampler[i] = (struct il_sampler){.wrap = {IL_CLAMP, IL_CLAMP, IL_CLAMP},
            .volmag = IL_AS_OTHERS,
            .volmin = IL_AS_OTHERS,
            .aniso = 16,
            .compare = 3,
            .min_lod = 0,
            .max_lod = 1000};
    for (unsigned i = 0; i < IL_CHOICES; i++) r->choice[i] = (uint8_t)gpudbg_chosen(m->session, m->isa, i);
    for (size_t i = 0; i < l->nbound; i++)
        if (!bind(r, &l->bound[i], err)) return false;
    count_attributes(r);
    note_types(r);
    if (r->shader == IL_PIXEL && (l->local[0] != 8 || l->local[1] != 8))
        return gpudbg_fail(err, "bad-argument", "launch: the local size of a pixel shader must be 8,8");
    m->wave_words = r->rows + r->slots * 4 * IL_LANES;
    return local_memory(m, r, err) && add_segments(m, r, err);
}

/* A stream that is not a whole program does not run; odd tokens stop it where they are executed. */
static bool keep_broken(void *to, const struct il_finding *f)
{
    static const char *const kinds[] = {"truncated", "missing-end", "syntax", "bad-version"};
    bool broken = false;
    for (size_t i = 0; f->kind && i < sizeof kinds / sizeof *kinds; i++) broken |= strcmp(f->kind, kinds[i]) == 0;
    if (broken) *(struct il_finding *)to = *f;
    return !broken;
}

bool il_launch(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const struct gpudbg_section *section = gpudbg_image_at(m->image, m->launch->kernel->entry);
    struct il_finding broken = {.kind = NULL};
    if (!section) return gpudbg_fail(err, "no-file", "launch: there is no code");
    if (gpudbg_launch_shifted(m->launch, err)) return false;
    if (section->bytes) il_check(section->bytes, section->size, keep_broken, &broken);
    if (broken.kind)
        return gpudbg_fail(
            err, broken.kind, "launch: %s: token %" PRIu32 ": %s", broken.kind, broken.token, broken.message);
    struct il *r = il_build(m->isa, section, err);
    m->runner = r;
    if (r) r->level = lanes_widest(&il_level_1, &il_level_3, &il_level_4);
    return r && set_up(m, r, err) && il_plan(r, err);
}

void il_finish(struct gpudbg_machine *m)
{
    il_free(m->runner);
    m->runner = NULL;
}

void il_start(struct gpudbg_wave *w)
{
    struct il *r = il_of(w);
    w->pc = r->op[r->entry].pc;
    il_stage_start(w, r);
}
