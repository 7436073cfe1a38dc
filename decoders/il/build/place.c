/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c: places of registers: which registers a program has, where each is kept, which constants the program gives.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"

/* Does a register of this type live in slots?  Two-dimensional inputs are memory. */
static bool in_slots(unsigned type, unsigned dimensions)
{
    switch (type) {
    case IL_REG_CONST_BOOL:
    case IL_REG_CONST_FLOAT:
    case IL_REG_CONST_INT:
    case IL_REG_CONST_BUFF:
    case IL_REG_LITERAL:
    case IL_REG_IMMED_CONST_BUFF:
    case IL_REG_PERSIST:
    case IL_REG_GLOBAL:
    case IL_REG_SHARED_TEMP:
    case IL_REG_THREAD_ID_IN_GROUP:
    case IL_REG_THREAD_ID_IN_GROUP_FLAT:
    case IL_REG_ABSOLUTE_THREAD_ID:
    case IL_REG_ABSOLUTE_THREAD_ID_FLAT:
    case IL_REG_THREAD_GROUP_ID:
    case IL_REG_THREAD_GROUP_ID_FLAT:
    case IL_REG_GENERIC_MEM:
    case IL_REG_INPUTCP:
    case IL_REG_PATCHCONST:
    case IL_REG_OUTPUTCP:
    case IL_REG_OCP_ID:
    case IL_REG_SHADER_INSTANCE_ID:
    case IL_REG_THIS:
    case IL_REG_TIMER: return false;
    case IL_REG_INPUT:
    case IL_REG_VERTEX: return dimensions < 2;
    default: return type < IL_REGTYPES;
    }
}

uint16_t il_scope_of(const struct il_making *k, unsigned type)
{
    if (k->control_points && type == IL_REG_OUTPUT) return IL_CP_SCOPE;
    return k->scope && (type == IL_REG_TEMP || type == IL_REG_LITERAL || type == IL_REG_INPUT_ARG ||
                           type == IL_REG_OUTPUT_ARG)
               ? k->scope
               : 0;
}

bool il_note_use(struct il_making *k, unsigned type, uint32_t number, uint32_t count, bool whole)
{
    if (!il_grow((void **)&k->use, &k->use_room, k->nuses, sizeof *k->use)) return il_no_memory(k);
    k->use[k->nuses++] = (struct il_use){il_scope_of(k, type), (uint8_t)type, whole, number, count};
    return true;
}

/* A register that a constant in brackets names, as in `o[3]`, has the same place as `o3`. */
bool il_note_operand(struct il_making *k, const struct il_operand *o)
{
    for (unsigned i = 0; i < o->dimensions && i < 2; i++)
        if (o->index[i].relative == 2 && in_slots(o->index[i].type, 0) &&
            !il_note_use(k, o->index[i].type, o->index[i].reg, 0, false))
            return false;
    if (o->type == IL_REG_SHARED_TEMP && o->dimensions && (o->dimensions > 1 || o->index[0].relative))
        return gpudbg_fail(k->err, "syntax", "launch: sr%" PRIu32 " may not be indexed by a register", o->number);
    for (unsigned i = 0; i < o->dimensions && i < 2; i++)
        if (o->index[i].relative == 1 && !o->index[i].loop && !il_note_use(k, IL_REG_ADDR, 0, 0, false)) return false;
    if (!in_slots(o->type, o->dimensions) || o->type == IL_REG_ITEMP) return true;
    const uint32_t extra = o->dimensions && !o->index[0].relative ? (uint32_t)o->index[0].offset : 0;
    return il_note_use(k, o->type, o->number + extra, 0, o->dimensions && o->index[0].relative);
}

static int by_register(const void *a, const void *b)
{
    const struct il_use *x = a, *y = b;
    if (x->scope != y->scope) return x->scope < y->scope ? -1 : 1;
    if (x->type != y->type) return x->type < y->type ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Uses, sorted, become ranges of neighbours. */
bool il_place_registers(struct il_making *k)
{
    struct il *r = k->r;
    if (!(r->range = il_alloc(r, (k->nuses + 1) * sizeof *r->range))) return il_no_memory(k);
    if (k->nuses) qsort(k->use, k->nuses, sizeof *k->use, by_register);
    for (size_t i = 0, end; i < k->nuses; i = end) {
        bool whole = false;
        for (end = i; end < k->nuses && k->use[end].scope == k->use[i].scope && k->use[end].type == k->use[i].type;
             end++)
            whole |= k->use[end].whole;
        for (size_t j = i; j < end; j++) {
            const struct il_use *u = &k->use[j];
            struct il_range *last = r->nranges ? &r->range[r->nranges - 1] : NULL;
            const bool array = u->type == IL_REG_ITEMP;
            if (last && j > i && !array && (whole || u->number <= last->first + last->count)) {
                if (u->number >= last->first + last->count) last->count = u->number - last->first + 1;
                continue;
            }
            r->range[r->nranges++] = (struct il_range){u->scope, u->type, whole && !array ? 0 : u->number,
                array   ? u->count
                : whole ? u->number + 1
                        : 1,
                0};
        }
    }
    uint64_t slots = 0;
    for (uint32_t i = 0; i < r->nranges; i++) {
        r->range[i].slot = (uint32_t)slots;
        slots += r->range[i].count;
        if (slots > IL_SLOTS)
            return gpudbg_fail(k->err, "too-large", "launch: the program has more than %d registers", IL_SLOTS);
    }
    r->slots = (uint32_t)slots;
    return true;
}

void il_take_source(const struct il_operand *o, struct il_source *s)
{
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

/* Once all registers have places. */
static bool place_index(const struct il_making *k, const struct il_index *from, struct il_indexed *to)
{
    *to = (struct il_indexed){
        .relative = from->relative, .loop = from->relative == 1 && from->loop, .offset = from->offset};
    if (!from->relative || to->loop) return true;
    const struct il_operand o = il_index_register(from);
    struct il_source *by = il_alloc(k->r, sizeof *by);
    if (!by) return il_no_memory(k);
    to->by = by;
    il_take_source(&o, by);
    return il_place_operand(k, &o, &by->at);
}

bool il_place_operand(const struct il_making *k, const struct il_operand *o, struct il_location *p)
{
    *p = (struct il_location){.type = o->type,
        .dimensions = o->dimensions,
        .scope = il_scope_of(k, o->type),
        .number = o->number,
        .slot = IL_NO_SLOT};
    for (unsigned i = 0; i < o->dimensions && i < 2; i++)
        if (!place_index(k, &o->index[i], &p->index[i])) return false;
    if (o->dimensions == 2) {
        p->index[0].number = o->number;
        p->index[1].number = o->index[1].number;
    }
    p->constant = il_constant_of(k->r, p);
    if (!in_slots(o->type, o->dimensions)) return true;
    p->relative = o->dimensions && o->index[0].relative;
    const uint32_t offset = o->dimensions && !p->relative ? (uint32_t)o->index[0].offset : 0;
    const bool array = o->type == IL_REG_ITEMP;
    const struct il_range *range = il_find(
        k->r, p->scope, o->type, array ? o->number : o->number + (p->relative ? 0 : offset));
    if (!range) return true;
    p->slots = range->count;
    p->slot = range->slot;
    if (p->relative)
        p->index[0].number = array ? 0 : o->number - range->first;
    else if (array && offset >= range->count)
        p->slot = IL_NO_SLOT; /* beyond the array: reads 0 */
    else
        p->slot += array ? offset : o->number + offset - range->first;
    return true;
}
