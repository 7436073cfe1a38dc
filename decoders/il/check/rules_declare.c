/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_declare.c: declarations: before the first use, once; and which registers may be written.  Manual: AMD
 * IL 2.4, 2.1, 7.5. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "check/rules_inside.h"

static void keep_label(struct il_rules *r, struct il_labels *l, uint32_t label, uint32_t at)
{
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 64;
        struct il_label *grown = realloc(l->item, room * sizeof *grown);
        if (!grown) {
            r->enough = true;
            return;
        }
        l->item = grown;
        l->room = room;
    }
    l->item[l->n++] = (struct il_label){label, at};
}

/* ---- Declarations ---- */

static void once(struct il_rules *r, il_set set, uint32_t number, uint32_t at, const char *what)
{
    if (il_add(set, number)) il_error(r, at, "redefinition", "%s%" PRIu32 " is declared twice", what, number);
}

static void once_mildly(struct il_rules *r, il_set set, uint32_t number, uint32_t at, const char *what)
{
    if (il_add(set, number)) il_warn(r, at, IL_RULE_AGAIN, "%s %" PRIu32 " is declared again", what, number);
}

static void call_arguments(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    const uint32_t macro = r->macro_arguments[il_control(p, "macro") & 0x3fff];
    struct il_packet call = *p;
    if (!il_order_call(&call, macro))
        il_error(r, at, "operand-count",
            "macro %" PRIu32 " has %" PRIu32 " outputs and %" PRIu32 " inputs, the call %" PRIu32 " and %" PRIu32,
            il_control(p, "macro"), macro >> 8 & 255, macro & 255, p->ndst, p->nsrc);
}

static void declare(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    const struct il_operand *o = p->noperands ? &p->operand[0] : NULL;
    uint32_t operand = o ? r->packet + o->at : at;
    switch (il_code(p->op)) {
    case IL_DCL_LITERAL:
        if (o->type == IL_REG_LITERAL) once(r, r->literal, o->number, at, "l");
        break;
    case IL_DCL_INDEXED_TEMP_ARRAY:
        if (o->type == IL_REG_ITEMP) once(r, r->array, o->number, at, "x");
        break;
    case IL_DCL_CONST_BUFFER:
        if (!o && r->icb) il_error(r, at, "redefinition", "icb is declared twice");
        r->icb |= !o;
        if (o && o->type == IL_REG_CONST_BUFF) once(r, r->cb, o->number, at, "cb");
        break;
    case IL_DCL_RESOURCE: once_mildly(r, r->resource, il_control(p, "id"), at, "resource"); break;
    case IL_OP_DCL_UAV:
    case IL_OP_DCL_RAW_UAV:
    case IL_OP_DCL_STRUCT_UAV:
    case IL_OP_DCL_arena_UAV:
    case IL_OP_DCL_TYPED_UAV:
    case IL_OP_DCL_TYPELESS_UAV: once_mildly(r, r->uav, il_control(p, "id"), at, "uav"); break;
    case IL_OP_DCL_RAW_SRV:
    case IL_OP_DCL_STRUCT_SRV: once_mildly(r, r->srv, il_control(p, "id"), at, "srv"); break;
    case IL_DCL_LDS:
    case IL_DCL_STRUCT_LDS: once_mildly(r, r->lds, il_control(p, "id"), at, "lds"); break;
    case IL_DCL_GDS:
    case IL_DCL_STRUCT_GDS: once_mildly(r, r->gds, il_control(p, "id"), at, "gds"); break;
    case IL_OP_DEF:
    case IL_OP_DEFB:
        if (o->type <= IL_REG_CONST_INT)
            once_mildly(r, r->constant[o->type], o->number, operand, il_register[o->type].text);
        break;
    case IL_OP_FUNC: keep_label(r, &r->funcs, il_extra(p, 0), at); break;
    case IL_OP_CALL:
    case IL_OP_CALLNZ:
    case IL_OP_CALL_LOGICALZ:
    case IL_OP_CALL_LOGICALNZ: keep_label(r, &r->calls, il_extra(p, 0), at); break;
    case IL_OP_MACRODEF:
        once(r, r->macro_number, il_control(p, "macro"), at, "macro ");
        memset(r->literal, 0, sizeof r->literal);
        r->macro = true;
        r->macro_now = il_control(p, "macro");
        r->macro_arguments[r->macro_now & 0x3fff] = il_extra(p, 0);
        r->macro_in = il_extra(p, 0) & 255;
        r->macro_out = il_extra(p, 0) >> 8 & 255;
        break;
    case IL_OP_MACROEND:
        memset(r->literal, 0, sizeof r->literal);
        r->macro = false;
        break;
    case IL_OP_MACROCALL:
        if (!il_has(r->macro_number, il_control(p, "macro")))
            il_error(r, at, "undefined-label", "there is no macro %" PRIu32, il_control(p, "macro"));
        else if (r->macro && il_control(p, "macro") == r->macro_now)
            il_error(r, at, "undefined-label", "macro %" PRIu32 " calls itself", r->macro_now);
        else
            call_arguments(r, p, at);
        break;
    default: break;
    }
}

/* ---- Kinds of buffers ---- */

static void keep_kind(struct il_rules *r, const struct il_packet *p)
{
    const uint32_t id = il_control(p, "id") & 0x3fff;
    switch (il_code(p->op)) {
    case IL_OP_DCL_UAV:
    case IL_OP_DCL_TYPED_UAV: r->uav_kind[id] = IL_TYPED; break;
    case IL_OP_DCL_RAW_UAV: r->uav_kind[id] = IL_RAW; break;
    case IL_OP_DCL_STRUCT_UAV: r->uav_kind[id] = IL_STRUCT; break;
    case IL_OP_DCL_TYPELESS_UAV: r->uav_kind[id] = IL_RAW | IL_STRUCT; break;
    case IL_OP_DCL_arena_UAV: r->uav_kind[id] = IL_ARENA; break;
    case IL_OP_DCL_RAW_SRV: r->srv_kind[id] = IL_RAW; break;
    case IL_OP_DCL_STRUCT_SRV: r->srv_kind[id] = IL_STRUCT; break;
    default: break;
    }
}

static unsigned kinds_for(unsigned code)
{
    switch (code) {
    case IL_OP_UAV_LOAD:
    case IL_OP_UAV_STORE: return IL_TYPED;
    case IL_OP_UAV_RAW_LOAD:
    case IL_OP_UAV_RAW_STORE: return IL_RAW | IL_ARENA;
    case IL_OP_UAV_STRUCT_LOAD:
    case IL_OP_UAV_STRUCT_STORE:
    case IL_OP_SRV_STRUCT_LOAD: return IL_STRUCT;
    case IL_OP_UAV_arena_LOAD:
    case IL_OP_UAV_arena_STORE: return IL_ARENA;
    case IL_OP_SRV_RAW_LOAD: return IL_RAW;
    default: return 0;
    }
}

static void use_kind(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    const unsigned wants = kinds_for(il_code(p->op));
    const uint32_t id = il_control(p, "id") & 0x3fff;
    const unsigned kind = !wants ? 0 : p->op->name[0] == 'u' ? r->uav_kind[id] : r->srv_kind[id];
    if (kind && !(kind & wants))
        il_warn(r, at, IL_RULE_BUFFER_KIND, "%s of %.3s %" PRIu32 ", which is declared as another kind", p->op->name,
            p->op->name, id);
}

/* ---- Types that declarations want ---- */

#define TYPE(t) (UINT64_C(1) << IL_REG_##t)

/* All types whose name begins with this letter: the manual asks for v# and o#; real streams declare related types, too.
 * */
static uint64_t types_of(char letter)
{
    uint64_t types = 0;
    for (unsigned t = 0; t < IL_REGTYPES; t++)
        types |= (uint64_t)(il_register[t].text[0] == letter || il_register[t].source_text[0] == letter) << t;
    return types;
}

/* Types that a declaration may name, a bit each; 0: any. */
static uint64_t wanted_types(unsigned code)
{
    switch (code) {
    case IL_DCL_LITERAL: return TYPE(LITERAL);
    case IL_DCL_CONST_BUFFER: return TYPE(CONST_BUFF);
    case IL_DCL_INDEXED_TEMP_ARRAY: return TYPE(ITEMP);
    case IL_DCL_PERSIST: return TYPE(PERSIST);
    case IL_OP_DCL_SHARED_TEMP: return TYPE(SHARED_TEMP);
    case IL_OP_DEF: return TYPE(CONST_FLOAT) | TYPE(CONST_INT);
    case IL_OP_DEFB: return TYPE(CONST_BOOL);
    case IL_OP_DCLV: return TYPE(VERTEX) | TYPE(TEMP);
    case IL_OP_DCLVOUT: return TYPE(VOUTPUT);
    case IL_OP_DCLPIN:
    case IL_OP_DCLPP: return TYPE(PINPUT);
    case IL_OP_DCLDEF: return TYPE(TEMP) | TYPE(ADDR);
    case IL_OP_DCLARRAY: return TYPE(INTERP) | TYPE(TEXCOORD);
    case IL_OP_DCLPI:
        return TYPE(INTERP) | TYPE(FOG) | TYPE(PRIMCOORD) | TYPE(TEXCOORD) | TYPE(PRICOLOR) | TYPE(SECCOLOR) |
               TYPE(WINCOORD);
    case IL_DCL_INPUT: return types_of('v');
    case IL_DCL_OUTPUT: return types_of('o');
    default: return 0;
    }
}

static void declared_types(struct il_rules *r, const struct il_packet *p)
{
    const uint64_t wanted = wanted_types(il_code(p->op));
    for (uint32_t i = 0; wanted && i < p->noperands; i++)
        if (p->operand[i].type < IL_REGTYPES && !(wanted >> p->operand[i].type & 1))
            il_warn(r, r->packet + p->operand[i].at, IL_RULE_DECLARED, "%s of %s", p->op->name,
                il_register[p->operand[i].type].text);
}

/* ---- Uses ---- */

/* Checks that the resource which an opcode's number names was declared. */
static void use_id(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    static const struct {
        const char *prefix, *field, *what;
        size_t set;
    } kinds[] = {{"uav_", "id", "uav", offsetof(struct il_rules, uav)},
        {"append_buf_", "id", "uav", offsetof(struct il_rules, uav)},
        {"srv_", "id", "srv", offsetof(struct il_rules, srv)}, {"gds_", "id", "gds", offsetof(struct il_rules, gds)}};
    enum il_word word = (enum il_word)p->row->word;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(p->op->name, kinds[i].prefix, strlen(kinds[i].prefix)) == 0) {
            const uint8_t *set = (const uint8_t *)r + kinds[i].set;
            uint32_t id = il_control(p, kinds[i].field);
            if (!il_has(set, id))
                il_error(r, at, "undeclared-register", "%s %" PRIu32 " is not declared", kinds[i].what, id);
            return;
        }
    if (strncmp(p->op->name, "lds_", 4) == 0 && word != IL_W_LDS_READ_VEC && word != IL_W_LDS_WRITE_VEC) {
        uint32_t id = il_control(p, word == IL_W_LDS_READ ? "resource" : "id");
        if (!il_has(r->lds, id)) il_error(r, at, "undeclared-register", "lds %" PRIu32 " is not declared", id);
    } else if (word == IL_W_SAMPLE || word == IL_W_LOAD || word == IL_W_RESINFO || word == IL_W_BUFINFO) {
        bool uav = il_control(p, "uav");
        uint32_t id = il_control(p, "resource");
        if (!il_has(uav ? r->uav : r->resource, id) &&
            !(word == IL_W_BUFINFO && (il_has(r->srv, id) || il_has(r->uav, id))))
            il_error(r, at, "undeclared-register", "%s %" PRIu32 " is not declared", uav ? "uav" : "resource", id);
    }
}

static void use_register(struct il_rules *r, uint8_t type, uint32_t number, bool known, uint32_t at)
{
    if (type == IL_REG_LITERAL && !il_has(r->literal, number))
        il_error(r, at, "undeclared-register", "l%" PRIu32 " is not declared", number);
    if (type == IL_REG_ITEMP && !il_has(r->array, number))
        il_error(r, at, "undeclared-register", "x%" PRIu32 " is not declared", number);
    if (type == IL_REG_CONST_BUFF && known && !il_has(r->cb, number))
        il_error(r, at, "undeclared-register", "cb%" PRIu32 " is not declared", number);
    if (type == IL_REG_IMMED_CONST_BUFF && !r->icb) il_warn(r, at, IL_RULE_ICB, "icb is not declared");
    if (type == IL_REG_INPUT_ARG && r->macro && number >= r->macro_in)
        il_warn(r, at, IL_RULE_MACRO_ARGUMENT, "in%" PRIu32 " does not exist: the macro has %" PRIu32 " inputs", number,
            r->macro_in);
    if (type == IL_REG_OUTPUT_ARG && r->macro && number >= r->macro_out)
        il_warn(
            r, at, IL_RULE_MACRO_ARGUMENT, "out%" PRIu32 " in a macro with %" PRIu32 " outputs", number, r->macro_out);
    if ((type == IL_REG_INPUT_ARG || type == IL_REG_OUTPUT_ARG) && !r->macro)
        il_warn(r, at, IL_RULE_MACRO_ARGUMENT, "an argument of a macro is used outside of macros");
}

static void use_operand(struct il_rules *r, const struct il_packet *p, const struct il_operand *o)
{
    uint32_t at = r->packet + o->at;
    if (o->type >= IL_REGTYPES) return;
    bool known = !(o->dimensions == 2 && o->index[0].relative);
    use_register(r, o->type, o->number, known, at);
    for (unsigned i = 0; i < 2; i++)
        if (o->index[i].relative == 2 && o->index[i].type < IL_REGTYPES)
            use_register(r, o->index[i].type, o->index[i].reg, true, at);
    if (o->is_dst && !(il_register[o->type].access & IL_W))
        il_error(r, at, "not-writable", "%s: %s%" PRIu32 " cannot be written", p->op->name, il_register[o->type].text,
            o->number);
    if (il_register[o->type].shape == IL_PLAIN && (o->number || o->dimensions))
        il_warn(r, at, IL_RULE_SINGLE, "%s: there is only one %s, without a number", p->op->name,
            il_register[o->type].text);
    if (o->is_dst || il_register[o->type].access & IL_R) return;
    if (o->type == IL_REG_OUTPUT && (r->version >> 16 & 255) == IL_PIXEL)
        il_note(r, at, IL_RULE_WRITE_ONLY,
            "%s reads o%" PRIu32 ", which the manual has as only written: real pixel shaders sum up in it", p->op->name,
            o->number);
    else
        il_warn(
            r, at, IL_RULE_WRITE_ONLY, "%s reads %s, which is only written", p->op->name, il_register[o->type].text);
}

void il_rules_declare(struct il_rules *r, const struct il_packet *p)
{
    struct il_operand o;
    uint32_t at = p->operands_at;
    declare(r, p, r->packet + p->at);
    declared_types(r, p);
    keep_kind(r, p);
    if (p->op->flags & IL_DECLARES && il_code(p->op) != IL_OP_INITV) return;
    use_id(r, p, r->packet + p->at);
    use_kind(r, p, r->packet + p->at);
    for (uint32_t i = 0; i < p->ndst + p->nsrc; i++) {
        at += il_operand_at(p->raw, 4 * (size_t)p->words, at, i < p->ndst, &o);
        if (il_code(p->op) == IL_OP_INITV && i == 0) continue;
        use_operand(r, p, &o);
    }
}
