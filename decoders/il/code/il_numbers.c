/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_numbers.c: what instructions take their registers for (gpudbg_isa.numbers): the classes of sources and results in
 * ops.def.  Loads and moves hand on bits.
 */
#include <string.h>
#include "il.h"

static bool is_plain(const struct il_operand *o)
{
    return o->type < IL_REGTYPES && o->type != IL_REG_GENERIC_MEM && !o->dimensions && o->number < 0x4000;
}

/* The unit of a component: of an array, any. */
static uint32_t unit_of(const struct il_operand *o, unsigned component)
{
    return is_plain(o) ? o->number * 4 + component : GPUDBG_ANY_UNIT;
}

static bool is_followed(const struct il_operand *o) { return is_plain(o) || o->type == IL_REG_ITEMP; }

static unsigned integer_kind(const char *name)
{
    static const char *const bitwise[] = {"iand", "ior", "ixor", "inot"};
    for (size_t i = 0; i < sizeof bitwise / sizeof *bitwise; i++)
        if (strcmp(name, bitwise[i]) == 0) return GPUDBG_IS_BITS;
    return *name == 'u' ? GPUDBG_IS_UNSIGNED : GPUDBG_IS_SIGNED;
}

/* What a class of operands is. */
static void number_of(const struct il_packet *p, char class, struct gpudbg_number *n)
{
    n->bits = class == IL_DOUBLE ? 64 : 32;
    n->kind = (uint8_t)(class == IL_FLOAT || class == IL_DOUBLE ? GPUDBG_IS_FLOAT
                        : class == IL_INT                       ? integer_kind(p->op->name)
                                                                : GPUDBG_IS_BITS);
}

static bool computes(const struct il_operand *o, unsigned slot)
{
    return o->negate >> slot & 1 || o->invert || o->bias || o->x2 || o->sign || o->abs || o->clamp || o->scale;
}

/* What component k of a move is: a component of each source, or a constant. */
static void put_moved(const struct il_packet *p, unsigned k, struct gpudbg_number *n)
{
    const struct il_arithmetic *alu = &p->row->alu;
    for (unsigned i = p->ndst; i < p->noperands && i - p->ndst < strlen(alu->sources); i++) {
        const struct il_operand *o = &p->operand[i];
        const unsigned select = o->select[k];
        if (alu->sources[i - p->ndst] != IL_MOVED) continue;
        if (computes(o, k) || select == 5)
            n->kind = GPUDBG_IS_FLOAT;
        else if (select < 4 && is_followed(o) && n->nfrom < 2) {
            n->from[n->nfrom].file = o->type;
            n->from[n->nfrom++].at = unit_of(o, select);
        }
    }
    if (p->operand[0].clamp || p->operand[0].scale) n->kind = GPUDBG_IS_FLOAT;
    if (n->kind == GPUDBG_IS_FLOAT) n->nfrom = 0;
}

static void put_read(
    const struct il_packet *p, const struct il_operand *o, char class, unsigned slots, gpudbg_number_fn *each, void *to)
{
    struct gpudbg_number n = {.file = o->type};
    number_of(p, class, &n);
    if (n.kind == GPUDBG_IS_BITS || !is_followed(o)) return;
    unsigned used = 0;
    for (unsigned k = 0; k < 4; k++)
        if (slots >> k & 1 && o->select[k] < 4) used |= 1u << o->select[k];
    if (n.bits == 64) used = ((used & 3) == 3 ? 1u : 0) | ((used & 12) == 12 ? 4u : 0); /* pairs: xy, zw */
    for (unsigned c = 0; c < 4; c++) {
        if (!(used >> c & 1)) continue;
        n.at = unit_of(o, c);
        each(to, &n);
    }
}

/* Loads and stores of whole dwords of the group's memory. */
static bool is_local(const struct il_packet *p)
{
    static const uint16_t rows[] = {IL_ROW_IL_OP_LDS_READ_VEC, IL_ROW_IL_OP_LDS_WRITE_VEC, IL_ROW_IL_OP_LDS_LOAD_VEC,
        IL_ROW_IL_OP_LDS_STORE_VEC, IL_ROW_IL_OP_LDS_LOAD, IL_ROW_IL_OP_LDS_STORE};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (p->op->id == rows[i]) return true;
    return false;
}

/* What is stored there is the last operand, as far as the mask of the first one says. */
static void put_stored(const struct il_packet *p, gpudbg_number_fn *each, void *to)
{
    const struct il_operand *o = &p->operand[p->noperands - 1];
    struct gpudbg_number n = {.file = o->type, .bits = 32, .how = GPUDBG_FROM_LOCAL};
    if (!is_followed(o)) return;
    for (unsigned k = 0; k < (p->ndst ? 4u : 1u); k++) {
        if ((p->ndst && p->operand[0].select[k] != 1) || o->select[k] > 3) continue;
        n.at = unit_of(o, o->select[k]);
        each(to, &n);
    }
}

static void put_written(const struct il_packet *p, const struct il_operand *o, gpudbg_number_fn *each, void *to)
{
    const struct il_arithmetic *alu = &p->row->alu;
    const bool loads = !alu->sources && p->row->class != IL_C_FLOAT;
    const char class = alu->sources ? alu->result : loads ? IL_MOVED : IL_FLOAT;
    struct gpudbg_number n = {.write = true, .lanes = true, .file = o->type};
    if (!is_followed(o)) return;
    number_of(p, class, &n);
    const unsigned kind = n.kind;
    for (unsigned k = 0; k < 4; k += n.bits / 32) {
        if (!o->select[k]) continue;
        n.at = unit_of(o, k);
        n.nfrom = 0;
        n.kind = (uint8_t)(o->select[k] == 3 ? GPUDBG_IS_FLOAT : kind);
        if (o->select[k] == 1 && alu->sources && class == IL_MOVED) put_moved(p, k, &n);
        if (loads && is_local(p)) n.how = GPUDBG_FROM_LOCAL;
        each(to, &n);
    }
}

void il_numbers(const struct gpudbg_insn *insn, gpudbg_number_fn *each, void *to)
{
    struct il_packet p;
    if (!insn->op || insn->op->id >= IL_ROW_LANGUAGE || il_unpack(insn->raw, insn->size, &p) <= 0) return;
    const char *sources = p.row->alu.sources;
    unsigned slots = 15;
    if (sources && p.row->alu.apart && p.ndst) {
        slots = 0;
        for (unsigned k = 0; k < 4; k++) slots |= (unsigned)(p.operand[0].select[k] == 1) << k;
    }
    for (uint32_t i = p.ndst; sources && i < p.noperands && i - p.ndst < strlen(sources); i++)
        put_read(&p, &p.operand[i], sources[i - p.ndst], slots, each, to);
    if (p.op->flags & GPUDBG_OP_STORE && p.noperands && is_local(&p)) put_stored(&p, each, to);
    for (uint32_t i = 0; i < p.ndst && i < p.noperands; i++) put_written(&p, &p.operand[i], each, to);
}
