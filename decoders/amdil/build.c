/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c: a program as ops: packets taken apart, registers given places, blocks linked, the stack measured. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "run.h"

#define CP_SCOPE 0x8000 /* outputs of a hull shader's control-point phase */
#define MACRO_OPERANDS 16
#define OPS (1u << 22)

/* ---- Memory of a program ---- */

struct chunk {
    struct chunk *next;
};

void *amdil_alloc(struct amdil *r, size_t size)
{
    struct chunk *c = size < SIZE_MAX - 64 ? calloc(1, 64 + size) : NULL;
    if (!c)
        return NULL;
    c->next = r->arena;
    r->arena = c;
    return (char *)c + 64;
}

void amdil_free(struct amdil *r)
{
    while (r && r->arena) {
        struct chunk *next = ((struct chunk *)r->arena)->next;
        free(r->arena);
        r->arena = next;
    }
    free(r);
}

/* ---- A program in the making ---- */

/* A register that is kept in slots; or all of a type, up to the largest (`whole`). */
struct use {
    uint16_t scope;
    uint8_t type;
    bool whole;
    uint32_t number, count; /* count: of an indexed array */
};

struct making {
    struct amdil *r;
    struct gpudbg_error *err;
    const uint8_t *code;
    uint16_t scope;      /* of the packet at hand */
    bool control_points; /* it stands in the control-point phase */
    struct use *use;
    size_t nuses, use_room;
    struct amdil_constant *constant;
    size_t nconstants, constant_room;
    uint64_t pc;
    uint32_t *tail;  /* of each opener: the op whose partner is to be set by the next one of its block */
    uint32_t *macro; /* mdef of each number */
};

static bool out_of_memory(const struct making *k)
{
    return gpudbg_fail(k->err, "too-large", "launch: out of memory");
}

static bool grow(void **array, size_t *room, size_t n, size_t size)
{
    if (n < *room)
        return true;
    const size_t more = *room ? *room * 2 : 64;
    void *grown = realloc(*array, more * size);
    if (!grown)
        return false;
    *array = grown;
    *room = more;
    return true;
}

/* ---- Registers ---- */

/* Does a register of this type live in slots?  Two-dimensional inputs are memory. */
static bool in_slots(unsigned type, unsigned dimensions)
{
    switch (type) {
    case IL_REG_CONST_BOOL: case IL_REG_CONST_FLOAT: case IL_REG_CONST_INT: case IL_REG_CONST_BUFF: case IL_REG_LITERAL:
    case IL_REG_IMMED_CONST_BUFF: case IL_REG_PERSIST: case IL_REG_GLOBAL: case IL_REG_SHARED_TEMP: case IL_REG_THREAD_ID_IN_GROUP:
    case IL_REG_THREAD_ID_IN_GROUP_FLAT: case IL_REG_ABSOLUTE_THREAD_ID: case IL_REG_ABSOLUTE_THREAD_ID_FLAT:
    case IL_REG_THREAD_GROUP_ID: case IL_REG_THREAD_GROUP_ID_FLAT: case IL_REG_GENERIC_MEM: case IL_REG_INPUTCP: case IL_REG_PATCHCONST:
    case IL_REG_OUTPUTCP: case IL_REG_OCP_ID: case IL_REG_SHADER_INSTANCE_ID: case IL_REG_THIS: case IL_REG_TIMER: return false;
    case IL_REG_INPUT: case IL_REG_VERTEX: return dimensions < 2;
    default: return type < IL_REGTYPES;
    }
}

static uint16_t scope_of(const struct making *k, unsigned type)
{
    if (k->control_points && type == IL_REG_OUTPUT)
        return CP_SCOPE;
    return k->scope && (type == IL_REG_TEMP || type == IL_REG_LITERAL || type == IL_REG_INPUT_ARG || type == IL_REG_OUTPUT_ARG) ? k->scope : 0;
}

static bool note_use(struct making *k, unsigned type, uint32_t number, uint32_t count, bool whole)
{
    if (!grow((void **)&k->use, &k->use_room, k->nuses, sizeof *k->use))
        return out_of_memory(k);
    k->use[k->nuses++] = (struct use){scope_of(k, type), (uint8_t)type, whole, number, count};
    return true;
}

/* A register that brackets name by a constant alone, as in `o[3]`, has the same place as `o3`. */
static bool note_operand(struct making *k, const struct il_operand *o)
{
    for (unsigned i = 0; i < o->dimensions && i < 2; i++)
        if (o->index[i].relative == 2 && in_slots(o->index[i].type, 0) && !note_use(k, o->index[i].type, o->index[i].reg, 0, false))
            return false;
    for (unsigned i = 0; i < o->dimensions && i < 2; i++)
        if (o->index[i].relative == 1 && !o->index[i].loop && !note_use(k, IL_REG_ADDR, 0, 0, false))
            return false;
    if (!in_slots(o->type, o->dimensions) || o->type == IL_REG_ITEMP)
        return true;
    const uint32_t extra = o->dimensions && !o->index[0].relative ? (uint32_t)o->index[0].offset : 0;
    return note_use(k, o->type, o->number + extra, 0, o->dimensions && o->index[0].relative);
}

static int by_register(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->scope != y->scope)
        return x->scope < y->scope ? -1 : 1;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Uses, sorted, become ranges of neighbours. */
static bool place_registers(struct making *k)
{
    struct amdil *r = k->r;
    if (!(r->range = amdil_alloc(r, (k->nuses + 1) * sizeof *r->range)))
        return out_of_memory(k);
    if (k->nuses) qsort(k->use, k->nuses, sizeof *k->use, by_register);
    for (size_t i = 0, end; i < k->nuses; i = end) {
        bool whole = false;
        for (end = i; end < k->nuses && k->use[end].scope == k->use[i].scope && k->use[end].type == k->use[i].type; end++)
            whole |= k->use[end].whole;
        for (size_t j = i; j < end; j++) {
            const struct use *u = &k->use[j];
            struct amdil_range *last = r->nranges ? &r->range[r->nranges - 1] : NULL;
            const bool array = u->type == IL_REG_ITEMP;
            if (last && j > i && !array && (whole || u->number <= last->first + last->count)) {
                if (u->number >= last->first + last->count)
                    last->count = u->number - last->first + 1;
                continue;
            }
            r->range[r->nranges++] = (struct amdil_range){u->scope, u->type, whole && !array ? 0 : u->number,
                array ? u->count : whole ? u->number + 1 : 1, 0};
        }
    }
    uint64_t slots = 0;
    for (uint32_t i = 0; i < r->nranges; i++) {
        r->range[i].slot = (uint32_t)slots;
        slots += r->range[i].count;
        if (slots > AMDIL_SLOTS)
            return gpudbg_fail(k->err, "too-large", "launch: the program has more than %d registers", AMDIL_SLOTS);
    }
    r->slots = (uint32_t)slots;
    return true;
}

const struct amdil_range *amdil_find(const struct amdil *r, unsigned scope, unsigned type, uint32_t number)
{
    uint32_t low = 0, high = r->nranges; /* ranges are sorted: the last one that begins at the register or before it */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct amdil_range *at = &r->range[middle];
        const bool after = at->scope != scope ? at->scope > scope : at->type != type ? at->type > type : at->first > number;
        if (after)
            high = middle;
        else
            low = middle + 1;
    }
    const struct amdil_range *range = low ? &r->range[low - 1] : NULL;
    if (!range || range->type != type || range->scope != scope)
        return NULL;
    return number - range->first < (type == IL_REG_ITEMP ? 1 : range->count) ? range : NULL;
}

/* Once all registers have places. */
static void place_index(const struct making *k, const struct il_index *from, struct amdil_index *to)
{
    const bool address = from->relative == 1 && !from->loop;
    *to = (struct amdil_index){.relative = from->relative, .loop = from->relative == 1 && from->loop, .type = address ? IL_REG_ADDR : from->type,
        .reg = address ? 0 : from->reg, .slot = AMDIL_NO_SLOT, .offset = from->offset};
    to->select = address ? 0 : from->mod & 3;
    if (!from->relative || to->loop)
        return;
    const struct amdil_range *range = amdil_find(k->r, scope_of(k, to->type), to->type, to->reg);
    if (range)
        to->slot = range->slot + to->reg - range->first;
}

static void place_operand(const struct making *k, const struct il_operand *o, struct amdil_place *p)
{
    *p = (struct amdil_place){.type = o->type, .dimensions = o->dimensions, .scope = scope_of(k, o->type), .number = o->number, .slot = AMDIL_NO_SLOT};
    for (unsigned i = 0; i < o->dimensions && i < 2; i++)
        place_index(k, &o->index[i], &p->index[i]);
    if (o->dimensions == 2) {
        p->index[0].number = o->number;
        p->index[1].number = o->index[1].number;
    }
    p->constant = amdil_constant_of(k->r, p);
    if (!in_slots(o->type, o->dimensions))
        return;
    p->relative = o->dimensions && o->index[0].relative;
    const uint32_t offset = o->dimensions && !p->relative ? (uint32_t)o->index[0].offset : 0;
    const bool array = o->type == IL_REG_ITEMP;
    const struct amdil_range *range = amdil_find(k->r, p->scope, o->type, array ? o->number : o->number + (p->relative ? 0 : offset));
    if (!range)
        return;
    p->slots = range->count;
    p->slot = range->slot;
    if (p->relative)
        p->index[0].number = array ? 0 : o->number - range->first;
    else if (array && offset >= range->count)
        p->slot = AMDIL_NO_SLOT; /* beyond the array: reads 0 */
    else
        p->slot += array ? offset : o->number + offset - range->first;
}

/* ---- Declarations ---- */

static bool add_constant(struct making *k, unsigned type, uint32_t number, const struct il_packet *p, unsigned n)
{
    if (!grow((void **)&k->constant, &k->constant_room, k->nconstants, sizeof *k->constant))
        return out_of_memory(k);
    struct amdil_constant *c = &k->constant[k->nconstants++];
    *c = (struct amdil_constant){.type = (uint8_t)type, .scope = scope_of(k, type), .number = number};
    for (unsigned i = 0; i < 4; i++)
        c->value[i] = il_extra(p, n == 4 ? i : 0);
    return true;
}

static void declare_uav(struct amdil *r, const struct il_packet *p, enum amdil_layout layout)
{
    struct amdil_resource *u = &r->uav[il_control(p, "id") & (AMDIL_IDS - 1)];
    u->layout = layout;
    u->dimension = IL_PIXTEX_BUFFER;
    if (p->op->code == IL_OP_DCL_UAV) {
        u->dimension = (uint8_t)il_control(p, "type");
        u->format.kind = (uint8_t)il_control(p, "fmtx");
    } else if (p->op->code == IL_OP_DCL_TYPED_UAV) {
        u->dimension = il_extra(p, 0) >> 4 & 15;
        u->format.kind = il_extra(p, 0) & 15;
    } else if (layout == AMDIL_STRUCT)
        u->stride = il_extra(p, 0);
}

/* Ids of LDS and GDS share one memory, one behind another. */
static uint64_t declare_share(struct amdil_resource *list, unsigned id, const struct il_packet *p, bool structured, uint64_t at)
{
    struct amdil_resource *s = &list[id];
    s->base = at;
    s->layout = structured ? AMDIL_STRUCT : AMDIL_RAW;
    s->stride = structured ? il_extra(p, 0) : 0;
    s->count = structured ? il_extra(p, 1) : 0;
    s->size = structured ? (uint64_t)s->stride * s->count : il_extra(p, 0);
    return at + ((s->size + 3) & ~(uint64_t)3);
}

static bool words_of(struct making *k, const struct il_packet *p, uint32_t from, uint32_t n, const uint32_t **out)
{
    uint32_t *words = amdil_alloc(k->r, (size_t)n * 4 + 4);
    if (!words)
        return out_of_memory(k);
    for (uint32_t i = 0; i < n; i++)
        words[i] = il_extra(p, from + i);
    *out = words;
    return true;
}

static bool declare_table(struct making *k, const struct il_packet *p)
{
    struct amdil *r = k->r;
    const uint32_t id = il_control(p, "id");
    if (!r->tables && !(r->tables = amdil_alloc(r, 16384 * sizeof *r->tables)))
        return out_of_memory(k);
    if (id >= r->ntables)
        r->ntables = id + 1;
    r->tables[id].n = il_extra(p, 0);
    return words_of(k, p, 1, il_extra(p, 0), &r->tables[id].label);
}

static bool declare_pointer(struct making *k, const struct il_packet *p)
{
    struct amdil *r = k->r;
    const uint32_t id = il_control(p, "id"), n = il_extra(p, 0), tables = il_extra(p, 2);
    for (uint32_t i = 0; tables && i < (n ? n : 1) && id + i < 256; i++)
        r->interface_table[id + i] = il_extra(p, 3);
    return true;
}

static bool declare(struct making *k, const struct il_packet *p)
{
    struct amdil *r = k->r;
    const struct il_operand *o = &p->operand[0];
    const uint32_t id = il_control(p, "id");
    switch (p->op->code) {
    case IL_DCL_LITERAL: return add_constant(k, o->type, o->number, p, 4);
    case IL_OP_DEF: return add_constant(k, o->type, o->number, p, 4);
    case IL_OP_DEFB: return add_constant(k, o->type, o->number, p, 1);
    case IL_DCL_CONST_BUFFER:
        if (!(p->code >> 31))
            return true;
        r->nicb = il_extra(p, 0);
        return words_of(k, p, 1, r->nicb, &r->icb);
    case IL_DCL_INDEXED_TEMP_ARRAY:
        if (o->index[0].offset < 1 || o->index[0].offset > AMDIL_SLOTS)
            return gpudbg_fail(k->err, "too-large", "launch: x%u has %d registers: 1 to %d", o->number, o->index[0].offset, AMDIL_SLOTS);
        return note_use(k, IL_REG_ITEMP, o->number, (uint32_t)o->index[0].offset, false);
    case IL_OP_DCL_UAV: case IL_OP_DCL_TYPED_UAV: declare_uav(r, p, AMDIL_TYPED); return true;
    case IL_OP_DCL_RAW_UAV: declare_uav(r, p, AMDIL_RAW); return true;
    case IL_OP_DCL_STRUCT_UAV: declare_uav(r, p, AMDIL_STRUCT); return true;
    case IL_OP_DCL_TYPELESS_UAV: declare_uav(r, p, il_extra(p, 0) > 4 ? AMDIL_STRUCT : AMDIL_RAW); return true;
    case IL_OP_DCL_arena_UAV: declare_uav(r, p, AMDIL_ARENA); return true;
    case IL_OP_DCL_RAW_SRV: r->srv[id & 255].layout = AMDIL_RAW; return true;
    case IL_OP_DCL_STRUCT_SRV:
        r->srv[id & 255].layout = AMDIL_STRUCT;
        r->srv[id & 255].stride = il_extra(p, 0);
        return true;
    case IL_DCL_LDS: case IL_DCL_STRUCT_LDS:
        r->lds_bytes = declare_share(r->lds, id & 15, p, p->op->code == IL_DCL_STRUCT_LDS, r->lds_bytes);
        return true;
    case IL_DCL_GDS: case IL_DCL_STRUCT_GDS:
        r->gds_bytes = declare_share(r->gds, id & 63, p, p->op->code == IL_DCL_STRUCT_GDS, r->gds_bytes);
        return true;
    case IL_DCL_RESOURCE: {
        struct amdil_resource *s = &r->res[id & 255];
        s->layout = AMDIL_TYPED;
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
    case IL_DCL_INPUT: case IL_OP_DCLPI:
        if (o->type == IL_REG_WINCOORD) {
            r->centered = p->code >> 27 & 1;
            r->inverted = p->code >> 26 & 1;
            r->biased = p->code >> 25 & 1;
        }
        if (p->op->code == IL_DCL_INPUT && o->type == IL_REG_INPUT && o->number < 64)
            r->usage[o->number] = p->code >> 16 & 31;
        return true;
    case IL_OP_DCLPT: {
        struct amdil_resource *s = &r->res[p->code >> 16 & 255];
        s->layout = AMDIL_TYPED;
        s->dimension = (uint8_t)il_control(p, "type");
        s->unnormalized = il_control(p, "coordmode") == 2;
        return true;
    }
    case IL_OP_DCL_FUNCTION_TABLE: return declare_table(k, p);
    case IL_OP_DCL_INTERFACE_PTR: return declare_pointer(k, p);
    default: return true;
    }
}

/* ---- Packets to ops ---- */

static bool is_register_declaration(unsigned code)
{
    switch (code) {
    case IL_DCL_INPUT: case IL_DCL_OUTPUT: case IL_OP_DCLV: case IL_OP_DCLPI: case IL_OP_DCLPIN: case IL_OP_DCLVOUT: return true;
    default: return false;
    }
}

static void fill_op(struct making *k, const struct il_packet *p, struct amdil_op *op)
{
    op->row = p->op;
    op->code = p->op->code;
    op->scope = k->scope;
    op->fn = amdil_fn_of(p->op);
    op->alu = amdil_operation(p->op->code);
    op->control = p->code;
    op->pri = p->pri;
    op->sec = p->sec;
    op->offsets = p->aoffimmi;
    op->has_pri = p->has_pri;
    op->has_sec = p->has_sec;
    op->has_offsets = p->has_aoffimmi;
    op->indexed = il_field((enum il_word)p->row->word, "ext") && p->code >> 28 & 1;
    op->pixtex = (uint8_t)(p->has_pixtex ? p->pixtex & 15 : 0);
    op->id = il_control(p, "id") + il_control(p, "resource") + il_control(p, "stage");
    const int atomic = strlen(p->op->name) > 4 ? amdil_atomic_of(p->op->name) : -1;
    op->aux = (uint8_t)(atomic < 0 ? 0 : atomic);
    op->executable = (!(p->op->flags & IL_DECLARES) || op->fn) && op->code != IL_OP_COMMENT && op->code != IL_OP_PREFIX && op->code != IL_OP_FUNC &&
                     op->code != IL_OP_MACRODEF;
}

static void fill_dest(const struct making *k, const struct il_operand *o, struct amdil_dest *d)
{
    place_operand(k, o, &d->at);
    memcpy(d->mask, o->select, sizeof d->mask);
    d->scale = o->scale;
    d->clamp = o->clamp;
}

static void fill_source(const struct making *k, const struct il_operand *o, struct amdil_source *s)
{
    place_operand(k, o, &s->at);
    memcpy(s->select, o->select, sizeof s->select);
    s->negate = o->negate;
    s->divcomp = o->divcomp;
    s->invert = o->invert;
    s->bias = o->bias;
    s->x2 = o->x2;
    s->sign = o->sign;
    s->abs = o->abs;
    s->clamp = o->clamp;
    s->modified = o->invert || o->bias || o->x2 || o->sign;
}

/* The i-th operand, stored in the packet or not. */
static bool operand_of(const struct il_packet *p, uint32_t i, uint32_t *at, struct il_operand *o)
{
    const uint32_t n = il_operand_at(p->raw, (size_t)p->words * 4, *at, i < p->ndst, o);
    *at += n;
    return n != 0;
}

static bool fill_operands(struct making *k, const struct il_packet *p, struct amdil_op *op)
{
    struct il_operand o;
    uint32_t at = p->operands_at;
    if (p->ndst > MACRO_OPERANDS || p->nsrc > MACRO_OPERANDS)
        return gpudbg_fail(k->err, "too-large", "launch: %s at 0x%" PRIx64 " has %u results and %u arguments: at most %d each", p->op->name, k->pc,
            p->ndst, p->nsrc, MACRO_OPERANDS);
    op->ndst = (uint8_t)p->ndst;
    op->nsrc = (uint8_t)p->nsrc;
    op->dst = amdil_alloc(k->r, (p->ndst + 1) * sizeof *op->dst);
    op->src = amdil_alloc(k->r, (p->nsrc + 1) * sizeof *op->src);
    if (!op->dst || !op->src)
        return out_of_memory(k);
    for (uint32_t i = 0; i < p->ndst + p->nsrc && operand_of(p, i, &at, &o); i++) {
        if (i < p->ndst)
            fill_dest(k, &o, &op->dst[i]);
        else
            fill_source(k, &o, &op->src[i - p->ndst]);
    }
    op->nextra = p->nextra;
    return words_of(k, p, 0, p->nextra, &op->extra);
}

/* Matrices take the registers behind the one that is named, too. */
static bool note_matrix(struct making *k, const struct il_packet *p)
{
    const unsigned code = p->op->code;
    if (code != IL_OP_MMUL && code != IL_OP_DET && code != IL_OP_TRANSPOSE)
        return true;
    for (uint32_t i = 0; i < p->noperands; i++)
        for (unsigned row = 1; row < 4; row++) {
            struct il_operand o = p->operand[i];
            const bool matrix = code == IL_OP_MMUL ? i == 2 : code == IL_OP_DET ? i == 1 : true;
            o.number += row;
            if (matrix && o.type != IL_REG_ITEMP && !o.dimensions && !note_operand(k, &o))
                return false;
        }
    return true;
}

/* First pass: declarations, registers.  Second: ops. */
static bool take_packet(struct making *k, const struct il_packet *p, struct amdil_op *op)
{
    struct il_operand o;
    uint32_t at = p->operands_at;
    if (op) {
        fill_op(k, p, op);
        return fill_operands(k, p, op);
    }
    const bool declares = p->op->flags & IL_DECLARES && !amdil_fn_of(p->op);
    if (declares && !declare(k, p))
        return false;
    if (declares && !is_register_declaration(p->op->code))
        return true;
    for (uint32_t i = 0; i < p->ndst + p->nsrc && operand_of(p, i, &at, &o); i++)
        if (!note_operand(k, &o))
            return false;
    return note_matrix(k, p);
}

static bool begins_program(const struct gpudbg_insn *insn)
{
    return insn->op && insn->op->code == IL_OP_VERSION;
}

static bool walk(struct making *k, bool second)
{
    struct amdil *r = k->r;
    struct gpudbg_insn insn;
    struct il_packet p;
    k->scope = 0;
    k->control_points = false;
    for (uint64_t at = 0; at + 4 <= r->size; at += insn.size) {
        struct amdil_op *op = second ? &r->op[r->nops] : NULL;
        const bool known = gpudbg_insn_at(&amdil_isa, k->code + at, r->size - at, at, &insn);
        k->pc = r->base + at;
        if (begins_program(&insn)) {
            k->scope = 0;
            r->shader = il_token(k->code + at, 0) >> 16 & 255;
            r->program = r->nops;
        }
        if (known && (insn.op->code == IL_OP_LANGUAGE || insn.op->code == IL_OP_VERSION))
            continue;
        if (!known) {
            static const struct gpudbg_op unknown = {.name = "unknown opcode"};
            if (op)
                *op = (struct amdil_op){.row = &unknown, .executable = true};
        } else if (il_unpack(k->code + at, insn.size, &p) <= 0) {
            return gpudbg_fail(k->err, "truncated", "launch: the instruction at 0x%" PRIx64 " is cut off", k->pc);
        } else {
            if (p.op->code == IL_OP_MACRODEF)
                k->scope = (uint16_t)((p.code >> 16 & 0x3fff) + 1);
            if (p.op->code == IL_OP_HS_CP_PHASE)
                k->control_points = true;
            if (!take_packet(k, &p, op))
                return false;
            if (p.op->code == IL_OP_MACROEND)
                k->scope = 0;
            if (p.op->code == IL_OP_ENDPHASE)
                k->control_points = false;
        }
        if (op) {
            op->pc = k->pc;
            r->at[at / 4] = r->nops;
        }
        if (++r->nops >= OPS)
            return gpudbg_fail(k->err, "too-large", "launch: more than %u instructions", OPS);
    }
    return true;
}

/* ---- Blocks ---- */

static bool opens(unsigned code)
{
    switch (code) {
    case IL_OP_IFC: case IL_OP_IFNZ: case IL_OP_IF_LOGICALZ: case IL_OP_IF_LOGICALNZ: case IL_OP_LOOP: case IL_OP_WHILE: case IL_OP_SWITCH:
    case IL_OP_FUNC: case IL_OP_MACRODEF: case IL_OP_HS_CP_PHASE: case IL_OP_HS_FORK_PHASE: case IL_OP_HS_JOIN_PHASE: return true;
    default: return false;
    }
}

static bool is_if(unsigned code)
{
    return code == IL_OP_IFC || code == IL_OP_IFNZ || code == IL_OP_IF_LOGICALZ || code == IL_OP_IF_LOGICALNZ;
}

static bool is_loop(unsigned code)
{
    return code == IL_OP_LOOP || code == IL_OP_WHILE;
}

static bool is_phase(unsigned code)
{
    return code == IL_OP_HS_CP_PHASE || code == IL_OP_HS_FORK_PHASE || code == IL_OP_HS_JOIN_PHASE;
}

static bool unmatched(struct making *k, const struct amdil_op *op)
{
    return gpudbg_fail(k->err, "unmatched-block", "launch: %s at 0x%" PRIx64 " has no opener", op->row->name, op->pc);
}

/* A ret that ends a subroutine: nothing but another one, endfunc or the end follows. */
static bool closes_function(const struct amdil *r, uint32_t at)
{
    uint32_t next = at + 1;
    while (next < r->nops && !r->op[next].executable && r->op[next].code != IL_OP_FUNC)
        next++;
    return next >= r->nops || r->op[next].code == IL_OP_FUNC || r->op[next].code == IL_OP_END;
}

/* Links one op; *open is the innermost block's opener. */
static bool link_op(struct making *k, uint32_t at, uint32_t *open)
{
    struct amdil *r = k->r;
    struct amdil_op *op = &r->op[at];
    const unsigned code = op->code, outer = *open == AMDIL_NO_OP ? 0 : r->op[*open].code;
    bool close = false, fits = true;
    op->opener = *open;
    switch (code) {
    case IL_OP_ELSE: fits = is_if(outer) && r->op[*open].partner == AMDIL_NO_OP; break;
    case IL_OP_ENDIF: fits = close = is_if(outer); break;
    case IL_OP_ENDLOOP: fits = close = is_loop(outer); break;
    case IL_OP_CASE: case IL_OP_DEFAULT: fits = outer == IL_OP_SWITCH; break;
    case IL_OP_ENDSWITCH: fits = close = outer == IL_OP_SWITCH; break;
    case IL_OP_ENDFUNC: fits = close = outer == IL_OP_FUNC; break;
    case IL_OP_RET: close = outer == IL_OP_FUNC && closes_function(r, at); break;
    case IL_OP_MACROEND: fits = close = outer == IL_OP_MACRODEF; break;
    case IL_OP_ENDPHASE: fits = close = is_phase(outer); break;
    default: break;
    }
    if (!fits)
        return unmatched(k, op);
    if (close || code == IL_OP_ELSE || code == IL_OP_CASE || code == IL_OP_DEFAULT) {
        r->op[k->tail[*open]].partner = at;
        k->tail[*open] = at;
        if (close)
            *open = r->op[*open].opener;
    }
    if (opens(code)) {
        k->tail[at] = at;
        *open = at;
    }
    return true;
}

/* break and continue need a loop or switch around them in the same subroutine. */
static bool check_jump(struct making *k, const struct amdil_op *op)
{
    const char *name = op->row->name;
    const bool breaks = strncmp(name, "break", 5) == 0, continues = strncmp(name, "continue", 8) == 0;
    if (!breaks && !continues)
        return true;
    for (uint32_t at = op->opener; at != AMDIL_NO_OP && k->r->op[at].code != IL_OP_FUNC; at = k->r->op[at].opener)
        if (is_loop(k->r->op[at].code) || (breaks && k->r->op[at].code == IL_OP_SWITCH))
            return true;
    return unmatched(k, op);
}

static int by_name(const void *a, const void *b)
{
    const struct amdil_constant *x = a, *y = b;
    if (x->type != y->type || x->scope != y->scope)
        return x->type != y->type ? x->type - y->type : x->scope - y->scope;
    return x->number < y->number ? -1 : x->number > y->number;
}

uint32_t amdil_constant_of(const struct amdil *r, const struct amdil_place *p)
{
    const bool has = p->type <= IL_REG_CONST_INT || p->type == IL_REG_LITERAL;
    const uint32_t number = p->number + (p->dimensions ? (uint32_t)p->index[0].offset : 0);
    const struct amdil_constant wanted = {.type = p->type, .scope = p->scope, .number = number};
    if (!has || !r->nconstants || (p->dimensions && p->index[0].relative))
        return 0;
    const struct amdil_constant *found = r->nconstants ? bsearch(&wanted, r->constant, r->nconstants, sizeof wanted, by_name) : NULL;
    return found ? (uint32_t)(found - r->constant) + 1 : 0;
}

static int by_label(const void *a, const void *b)
{
    const struct amdil_function *x = a, *y = b;
    return x->label < y->label ? -1 : x->label > y->label;
}

uint32_t amdil_function_op(const struct amdil *r, uint32_t label)
{
    const struct amdil_function wanted = {.label = label};
    const struct amdil_function *found = r->nfunctions ? bsearch(&wanted, r->function, r->nfunctions, sizeof wanted, by_label) : NULL;
    return found ? found->op : AMDIL_NO_OP;
}

static bool link_call(struct making *k, struct amdil_op *op)
{
    struct amdil *r = k->r;
    const unsigned code = op->code;
    if (code == IL_OP_CALL || code == IL_OP_CALLNZ || code == IL_OP_CALL_LOGICALZ || code == IL_OP_CALL_LOGICALNZ) {
        op->partner = amdil_function_op(r, op->extra[0]);
        if (op->partner == AMDIL_NO_OP)
            return gpudbg_fail(k->err, "undefined-label", "launch: %s at 0x%" PRIx64 ": there is no func %u", op->row->name, op->pc, op->extra[0]);
    }
    if (code == IL_OP_MACROCALL) {
        const uint32_t number = op->control >> 16 & 0x3fff;
        op->partner = k->macro[number];
        if (op->partner == AMDIL_NO_OP || &r->op[op->partner] > op)
            return gpudbg_fail(k->err, "undefined-label", "launch: mcall at 0x%" PRIx64 ": there is no mdef %u before it", op->pc, number);
    }
    return true;
}

static bool link_blocks(struct making *k)
{
    struct amdil *r = k->r;
    uint32_t open = AMDIL_NO_OP, next = AMDIL_NO_OP, depth = 0;
    r->end = AMDIL_NO_OP;
    for (uint32_t i = 0; i < r->nops; i++)
        r->op[i].partner = AMDIL_NO_OP;
    r->function = amdil_alloc(r, (r->nops + 1) * sizeof *r->function);
    k->tail = amdil_alloc(r, (r->nops + 1) * sizeof *k->tail);
    k->macro = amdil_alloc(r, 0x4000 * sizeof *k->macro);
    if (!r->function || !k->tail || !k->macro)
        return out_of_memory(k);
    memset(k->macro, 0xff, 0x4000 * sizeof *k->macro);
    for (uint32_t i = 0; i < r->nops; i++) {
        struct amdil_op *op = &r->op[i];
        if (!link_op(k, i, &open) || !check_jump(k, op))
            return false;
        if (op->code == IL_OP_MACRODEF && k->macro[op->control >> 16 & 0x3fff] == AMDIL_NO_OP)
            k->macro[op->control >> 16 & 0x3fff] = i;
        depth += opens(op->code) ? 1 : 0;
        depth -= depth && op->opener != AMDIL_NO_OP && op->opener != open && !opens(op->code) ? 1 : 0;
        if (depth > AMDIL_STACK / 8)
            return gpudbg_fail(k->err, "too-large", "launch: blocks nest too deep: more than %d", AMDIL_STACK / 8);
        if (op->code == IL_OP_FUNC)
            r->function[r->nfunctions++] = (struct amdil_function){op->extra[0], i};
        if ((op->code == IL_OP_ENDMAIN || op->code == IL_OP_END) && r->end == AMDIL_NO_OP)
            r->end = i;
    }
    if (r->nfunctions) qsort(r->function, r->nfunctions, sizeof *r->function, by_label);
    if (open != AMDIL_NO_OP)
        return gpudbg_fail(k->err, "unclosed-block", "launch: %s at 0x%" PRIx64 " has no end", r->op[open].row->name, r->op[open].pc);
    if (r->end == AMDIL_NO_OP)
        return gpudbg_fail(k->err, "missing-end", "launch: the program has no end");
    for (uint32_t i = r->nops; i-- > 0;) {
        r->op[i].next = next == AMDIL_NO_OP ? r->end : next;
        if (r->op[i].executable)
            next = i;
    }
    for (uint32_t i = 0; i < r->nops; i++)
        if (!link_call(k, &r->op[i]))
            return false;
    r->entry = r->end;
    for (uint32_t i = r->program; i < r->nops && r->entry == r->end; i++)
        if (r->op[i].executable)
            r->entry = i;
    return true;
}

/* ---- The stack ---- */

/* Deepest use of the stack by blocks from op `from` on to `to`, calls not counted but for their frame. */
static uint32_t stack_of(const struct amdil *r, uint32_t from, uint32_t to)
{
    uint64_t now = 0, most = 0;
    for (uint32_t i = from; i < to; i++) {
        const struct amdil_op *op = &r->op[i];
        const uint32_t size = amdil_frame_size(op->code);
        if (opens(op->code)) {
            now += size;
            most = now > most ? now : most;
        } else if (now + size > most)
            most = now + size; /* a call */
        if (op->code == IL_OP_ENDIF || op->code == IL_OP_ENDLOOP || op->code == IL_OP_ENDSWITCH)
            now -= amdil_frame_size(r->op[op->opener].code);
    }
    return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

static bool measure_stack(struct making *k)
{
    struct amdil *r = k->r;
    uint64_t macros = 0, function = 0, main = 0;
    for (uint32_t i = 0; i < r->nops; i++)
        if (r->op[i].code == IL_OP_MACRODEF) /* each may call those before it */
            macros += stack_of(r, i + 1, r->op[i].partner) + amdil_frame_size(IL_OP_CALL);
    for (uint32_t i = 0; i < r->nfunctions; i++) {
        const uint64_t n = stack_of(r, r->function[i].op + 1, r->op[r->function[i].op].partner);
        function = n > function ? n : function;
    }
    main = stack_of(r, r->program, r->end);
    if (r->nfunctions)
        function += amdil_frame_size(IL_OP_FCALL);
    const uint64_t all = main + macros + (r->nfunctions ? (uint64_t)(AMDIL_CALLS + 1) * (function + macros) : 0);
    if (all > AMDIL_STACK)
        return gpudbg_fail(k->err, "too-large", "launch: blocks nest too deep: %" PRIu64 " dwords of stack, at most %d", all, AMDIL_STACK);
    r->stack = (uint32_t)(all + 15) & ~15u;
    r->rows = (AMDIL_HEADER + r->stack + 63) & ~63u;
    return true;
}

/* ---- All of it ---- */

static bool make(struct making *k, const struct gpudbg_section *code)
{
    struct amdil *r = k->r;
    uint8_t *bytes = amdil_alloc(r, code->size + 16);
    r->base = code->addr;
    r->size = code->size & ~(uint64_t)3;
    memset(r->usage, 6, sizeof r->usage); /* generic */
    r->input_vertices = 1;
    if (!bytes || !(r->at = amdil_alloc(r, r->size + 4)))
        return out_of_memory(k);
    memset(r->at, 0xff, r->size + 4);
    memcpy(bytes, code->bytes ? code->bytes : bytes, code->bytes ? code->size : 0);
    k->code = bytes;
    if (!walk(k, false) || !place_registers(k))
        return false;
    r->constant = amdil_alloc(r, (k->nconstants + 1) * sizeof *r->constant);
    r->op = amdil_alloc(r, ((size_t)r->nops + 1) * sizeof *r->op);
    r->breakpoint = amdil_alloc(r, (size_t)r->nops + 1);
    if (!r->constant || !r->op || !r->breakpoint)
        return out_of_memory(k);
    if (k->nconstants)
        memcpy(r->constant, k->constant, k->nconstants * sizeof *r->constant);
    r->nconstants = (uint32_t)k->nconstants;
    if (r->nconstants) qsort(r->constant, r->nconstants, sizeof *r->constant, by_name);
    r->nops = r->program = 0;
    return walk(k, true) && link_blocks(k) && measure_stack(k);
}

struct amdil *amdil_build(const struct gpudbg_section *code, struct gpudbg_error *err)
{
    struct making k = {.r = calloc(1, sizeof *k.r), .err = err};
    const bool ok = k.r ? make(&k, code) : out_of_memory(&k);
    free(k.use);
    free(k.constant);
    if (ok)
        return k.r;
    amdil_free(k.r);
    return NULL;
}
