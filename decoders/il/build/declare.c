/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declare.c: what declarations say about resources, constants, tables and phases. */
#include <inttypes.h>
#include <string.h>

#include "build/build.h"

static bool add_constant(struct il_making *k, unsigned type, uint32_t number, const struct il_packet *p, unsigned n)
{
    if (!il_grow((void **)&k->constant, &k->constant_room, k->nconstants, sizeof *k->constant)) return il_no_memory(k);
    struct il_constant *c = &k->constant[k->nconstants++];
    *c = (struct il_constant){.type = (uint8_t)type, .scope = il_scope_of(k, type), .number = number};
    for (unsigned i = 0; i < 4; i++) c->value[i] = il_extra(p, n == 4 ? i : 0);
    return true;
}

static void declare_uav(struct il *r, const struct il_packet *p, enum il_layout layout)
{
    struct il_resource *u = &r->uav[il_control(p, "id")];
    u->layout = layout;
    u->dimension = IL_PIXTEX_BUFFER;
    if (il_code(p->op) == IL_OP_DCL_UAV) {
        u->dimension = (uint8_t)il_control(p, "type");
        u->format.kind = (uint8_t)il_control(p, "fmtx");
    } else if (il_code(p->op) == IL_OP_DCL_TYPED_UAV) {
        u->dimension = il_extra(p, 0) >> 4 & 15;
        u->format.kind = il_extra(p, 0) & 15;
    } else if (layout == IL_STRUCT_ELEMENTS)
        u->stride = il_extra(p, 0);
}

/* Ids of LDS and GDS share one memory, one after another. */
static uint64_t declare_share(
    struct il_resource *list, unsigned id, const struct il_packet *p, bool structured, uint64_t at)
{
    struct il_resource *s = &list[id];
    s->base = at;
    s->layout = structured ? IL_STRUCT_ELEMENTS : IL_RAW_ELEMENTS;
    s->stride = structured ? il_extra(p, 0) : 0;
    s->count = structured ? il_extra(p, 1) : 0;
    s->size = structured ? (uint64_t)s->stride * s->count : il_extra(p, 0);
    return at + ((s->size + 3) & ~(uint64_t)3);
}

bool il_extra_words(struct il_making *k, const struct il_packet *p, uint32_t from, uint32_t n, const uint32_t **out)
{
    uint32_t *words = il_alloc(k->r, (size_t)n * 4 + 4);
    if (!words) return il_no_memory(k);
    for (uint32_t i = 0; i < n; i++) words[i] = il_extra(p, from + i);
    *out = words;
    return true;
}

static bool declare_table(struct il_making *k, const struct il_packet *p)
{
    struct il *r = k->r;
    const uint32_t id = il_control(p, "id");
    if (!r->tables && !(r->tables = il_alloc(r, 16384 * sizeof *r->tables))) return il_no_memory(k);
    if (id >= r->ntables) r->ntables = id + 1;
    r->tables[id].n = il_extra(p, 0);
    return il_extra_words(k, p, 1, il_extra(p, 0), &r->tables[id].label);
}

static bool declare_pointer(struct il_making *k, const struct il_packet *p)
{
    struct il *r = k->r;
    const uint32_t id = il_control(p, "id"), n = il_extra(p, 0), tables = il_extra(p, 2);
    for (uint32_t i = 0; tables && i < (n ? n : 1) && id + i < 256; i++) r->interface_table[id + i] = il_extra(p, 3);
    return true;
}

/* The fields have 14 bits; no program has as many resources. */
static bool id_fits(const struct il_making *k, const struct il_packet *p, uint32_t id)
{
    const unsigned code = il_code(p->op);
    const bool srv = code == IL_OP_DCL_RAW_SRV || code == IL_OP_DCL_STRUCT_SRV;
    const uint32_t room = srv                                                                   ? IL_SRVS
                          : code == IL_OP_DCL_FUNCTION_TABLE || code == IL_OP_DCL_INTERFACE_PTR ? UINT32_MAX
                                                                                                : IL_IDS;
    return id < room || gpudbg_fail(k->err, "too-large", "launch: %s: id %" PRIu32 " is not 0 to %" PRIu32, p->op->name,
                            id, room - 1);
}

/* Registers that may be indexed though no operand names them (4.1). */
static bool declare_array(struct il_making *k, const struct il_operand *first, const struct il_operand *last)
{
    const bool indexed = first->type == IL_REG_INTERP || first->type == IL_REG_TEXCOORD;
    if (!indexed || first->type != last->type) return true;
    if (last->number >= IL_SLOTS)
        return gpudbg_fail(
            k->err, "too-large", "launch: dclarray: register %" PRIu32 " is not 0 to %d", last->number, IL_SLOTS - 1);
    for (uint32_t n = first->number; n <= last->number; n++)
        if (!il_note_use(k, first->type, n, 0, false)) return false;
    return true;
}

bool il_declare(struct il_making *k, const struct il_packet *p)
{
    struct il *r = k->r;
    const struct il_operand *o = &p->operand[0];
    const uint32_t id = il_control(p, "id");
    if (!id_fits(k, p, id)) return false;
    switch (il_code(p->op)) {
    case IL_DCL_LITERAL: return add_constant(k, o->type, o->number, p, 4);
    case IL_OP_DEF: return add_constant(k, o->type, o->number, p, 4);
    case IL_OP_DEFB: return add_constant(k, o->type, o->number, p, 1);
    case IL_DCL_CONST_BUFFER:
        if (!(p->code >> 31)) return true;
        r->nicb = il_extra(p, 0);
        return il_extra_words(k, p, 1, r->nicb, &r->icb);
    case IL_DCL_INDEXED_TEMP_ARRAY:
        if (o->index[0].offset < 1 || o->index[0].offset > IL_SLOTS)
            return gpudbg_fail(k->err, "too-large", "launch: x%u has %d registers, not 1 to %d", o->number,
                o->index[0].offset, IL_SLOTS);
        return il_note_use(k, IL_REG_ITEMP, o->number, (uint32_t)o->index[0].offset, false);
    case IL_OP_DCL_UAV:
    case IL_OP_DCL_TYPED_UAV: declare_uav(r, p, IL_TYPED_ELEMENTS); return true;
    case IL_OP_DCL_RAW_UAV: declare_uav(r, p, IL_RAW_ELEMENTS); return true;
    case IL_OP_DCL_STRUCT_UAV: declare_uav(r, p, IL_STRUCT_ELEMENTS); return true;
    case IL_OP_DCL_TYPELESS_UAV:
        declare_uav(r, p, il_extra(p, 0) > 4 ? IL_STRUCT_ELEMENTS : IL_RAW_ELEMENTS);
        return true;
    case IL_OP_DCL_arena_UAV: declare_uav(r, p, IL_ARENA_ELEMENTS); return true;
    case IL_OP_DCL_RAW_SRV: r->srv[id].layout = IL_RAW_ELEMENTS; return true;
    case IL_OP_DCL_STRUCT_SRV:
        r->srv[id].layout = IL_STRUCT_ELEMENTS;
        r->srv[id].stride = il_extra(p, 0);
        return true;
    case IL_DCL_LDS:
    case IL_DCL_STRUCT_LDS:
        r->lds_bytes = declare_share(r->lds, id, p, il_code(p->op) == IL_DCL_STRUCT_LDS, r->lds_bytes);
        return true;
    case IL_DCL_GDS:
    case IL_DCL_STRUCT_GDS:
        r->gds_bytes = declare_share(r->gds, id, p, il_code(p->op) == IL_DCL_STRUCT_GDS, r->gds_bytes);
        return true;
    case IL_DCL_RESOURCE: {
        struct il_resource *s = &r->res[id & 255];
        s->layout = IL_TYPED_ELEMENTS;
        s->dimension = (uint8_t)il_control(p, "type");
        s->unnormalized = p->code >> 31;
        s->format.kind = il_extra(p, 0) >> 20 & 7;
        return true;
    }
    case IL_OP_DCL_LDS_SIZE_PER_THREAD: r->lds_per_thread = p->code >> 16 & 0x3fff; return true;
    case IL_OP_DCL_SHARED_TEMP: r->shared_temps = o->dimensions ? (uint32_t)o->index[0].offset : o->number; return true;
    case IL_DCL_PERSIST: r->persistent = o->dimensions ? (uint32_t)o->index[0].offset : o->number; return true;
    case IL_DCL_MAX_OUTPUT_VERTEX_COUNT: r->max_vertices = p->code >> 16 & 0x3fff; return true;
    case IL_DCL_INPUT_PRIMITIVE: {
        static const uint8_t vertices[5] = {1, 2, 3, 4, 6};
        const unsigned t = p->code >> 16 & 0x3fff;
        r->input_vertices = t < 5 ? vertices[t] : t - 4;
        return true;
    }
    case IL_DCL_NUM_ICP: r->icp = il_extra(p, 0); return true;
    case IL_DCL_NUM_OCP: r->ocp = il_extra(p, 0); return true;
    case IL_DCL_INPUT:
    case IL_OP_DCLPI:
        if (o->type == IL_REG_INPUTCP && o->dimensions == 2 && !o->index[0].relative && o->number > r->icp_declared)
            r->icp_declared = o->number;
        if (o->type == IL_REG_WINCOORD) {
            r->centered = p->code >> 27 & 1;
            r->inverted = p->code >> 26 & 1;
            r->biased = p->code >> 25 & 1;
        }
        if (il_code(p->op) == IL_DCL_INPUT && o->type == IL_REG_INPUT && o->number < 64)
            r->usage[o->number] = p->code >> 16 & 31;
        return true;
    case IL_OP_DCLARRAY: return declare_array(k, &p->operand[0], &p->operand[1]);
    case IL_OP_DCLPT: {
        struct il_resource *s = &r->res[p->code >> 16 & 255];
        s->layout = IL_TYPED_ELEMENTS;
        s->dimension = (uint8_t)il_control(p, "type");
        s->unnormalized = il_control(p, "coordmode") == 2;
        return true;
    }
    case IL_OP_DCL_FUNCTION_TABLE: return declare_table(k, p);
    case IL_OP_DCL_INTERFACE_PTR: return declare_pointer(k, p);
    default: return true;
    }
}

/* ---- Defaults (tables 6.5, 6.9); what has none is 0 ---- */

/* Two bits a component: ILDefaultVal and ILImportComponent agree that 2 is 1.0. */
static uint8_t ones_of(const struct il_exec_op *op)
{
    const bool usage = op->code == IL_OP_DCLPIN || op->code == IL_OP_DCLVOUT;
    const uint32_t bits = usage ? op->pri : op->control >> 16;
    uint8_t ones = 0;
    for (unsigned c = 0; c < 4; c++) ones |= (uint8_t)(((bits >> 2 * c & 3) == 2) << c);
    return ones;
}

static bool has_defaults(const struct il_exec_op *op)
{
    if (op->code == IL_OP_DCLPI)
        return op->dst[0].at.type != IL_REG_WINCOORD &&
               op->dst[0].at.type != IL_REG_PRIMCOORD; /* these are never without a value */
    return op->code == IL_OP_DCLPIN || op->code == IL_OP_DCLVOUT || op->code == IL_OP_DCLDEF;
}

bool il_declare_defaults(struct il_making *k)
{
    struct il *r = k->r;
    if (!(r->ones = il_alloc(r, (size_t)r->slots + 1))) return il_no_memory(k);
    for (uint32_t i = 0; i < r->nops; i++) {
        const struct il_exec_op *op = &r->op[i];
        if (!op->ndst || !has_defaults(op)) continue;
        const struct il_location *at = &op->dst[0].at;
        if (op->code != IL_OP_DCLDEF && at->slot != IL_NO_SLOT) r->ones[at->slot] |= ones_of(op);
        for (uint32_t n = 0; n < r->nranges && op->code == IL_OP_DCLDEF; n++) /* for all registers of the type */
            if (r->range[n].type == at->type) memset(r->ones + r->range[n].slot, ones_of(op), r->range[n].count);
    }
    return true;
}
