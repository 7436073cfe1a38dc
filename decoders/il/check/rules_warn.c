/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_warn.c: the rules of rules.def that need only a packet and what came before it. */
#include <inttypes.h>
#include <string.h>
#include "check/rules_inside.h"

static uint32_t shader_of(const struct il_rules *r) { return r->version >> 16 & 255; }

/* ---- Kinds of shaders, shader models ---- */

static bool in(uint8_t type, const uint8_t *list, size_t n) { return memchr(list, type, n) != NULL; }

/* 3 or 4: the shader model a register belongs to (tables C-2 and C-4); 0: both. */
static unsigned model_of(uint8_t type)
{
    static const uint8_t model4[] = {IL_REG_ABSOLUTE_THREAD_ID, IL_REG_ABSOLUTE_THREAD_ID_FLAT, IL_REG_CONST_BUFF,
        IL_REG_DEPTH_GE, IL_REG_DEPTH_LE, IL_REG_DOMAINLOCATION, IL_REG_GENERIC_MEM, IL_REG_IMMED_CONST_BUFF,
        IL_REG_INPUT, IL_REG_INPUT_COVERAGE_MASK, IL_REG_INPUTCP, IL_REG_ITEMP, IL_REG_LITERAL, IL_REG_OCP_ID,
        IL_REG_OMASK, IL_REG_OUTPUT, IL_REG_OUTPUTCP, IL_REG_PATCHCONST, IL_REG_SHADER_INSTANCE_ID, IL_REG_SHARED_TEMP,
        IL_REG_THIS, IL_REG_THREAD_GROUP_ID, IL_REG_THREAD_GROUP_ID_FLAT, IL_REG_THREAD_ID_IN_GROUP,
        IL_REG_THREAD_ID_IN_GROUP_FLAT, IL_REG_TIMER};
    static const uint8_t model3[] = {IL_REG_ADDR, IL_REG_CLIP, IL_REG_CONST_BOOL, IL_REG_CONST_FLOAT, IL_REG_CONST_INT,
        IL_REG_EDGEFLAG, IL_REG_FACE, IL_REG_FOG, IL_REG_INTERP, IL_REG_PCOLOR, IL_REG_PINPUT, IL_REG_POS,
        IL_REG_PRICOLOR, IL_REG_SECCOLOR, IL_REG_SPRITE, IL_REG_SPRITECOORD, IL_REG_TEXCOORD, IL_REG_VERTEX,
        IL_REG_VOUTPUT}; /* table C-4 has vWinCoord, too, but real pixel kernels declare it by dcl_input */
    return in(type, model4, sizeof model4) ? 4 : in(type, model3, sizeof model3) ? 3 : 0;
}

static enum il_tolerated tolerated(unsigned code)
{
    switch (code) {
    case IL_OP_TRANSPOSE: return IL_TOLERATED_TRANSPOSE;
    case IL_OP_DET: return IL_TOLERATED_DET;
    case IL_OP_DEF: return IL_TOLERATED_DEF;
    default: return IL_TOLERATED_NOT;
    }
}

/* Notes tolerated features of model 3 once the program turns out to be of model 4. */
static void note_tolerated(struct il_rules *r)
{
    static const char *const names[] = {
        [IL_TOLERATED_TRANSPOSE] = "transpose", [IL_TOLERATED_DET] = "det", [IL_TOLERATED_DEF] = "def"};
    const uint32_t done = UINT32_MAX;
    for (unsigned i = 0; i < 3 && r->model4; i++) {
        if (!r->tolerated[i] || r->tolerated[i] == done) continue;
        il_note(r, r->tolerated[i] - 1, IL_RULE_MODEL,
            "%s is of shader model 3, token %" PRIu32 " of the other: real programs have both", names[i],
            r->model4 - 1);
        r->tolerated[i] = done;
    }
}

static void model(struct il_rules *r, unsigned m, uint32_t at, const char *name)
{
    uint32_t *mine = m == 3 ? &r->model3 : &r->model4, *other = m == 3 ? &r->model4 : &r->model3;
    if (!*mine && *other)
        il_warn(r, at, IL_RULE_MODEL, "%s is of shader model %u, token %" PRIu32 " of the other", name, m, *other - 1);
    if (!*mine) *mine = at + 1;
}

/* Whether a def (not defb) gives this constant its value. */
static bool is_defined(const struct il_rules *r, const struct il_operand *o)
{
    return (o->type == IL_REG_CONST_FLOAT || o->type == IL_REG_CONST_INT) && !o->dimensions && o->number < IL_SET &&
           il_has(r->constant[o->type], o->number);
}

static void kinds(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    if (r->has_version && shader_of(r) < 6 && !(p->row->who >> shader_of(r) & 1))
        il_warn(r, at, IL_RULE_SHADER, "%s is not for il_%s", p->op->name,
            gpudbg_enum_name(&il_enum[IL_E_SHADER], shader_of(r)));
    const enum il_tolerated mild = tolerated(il_code(p->op));
    if (mild != IL_TOLERATED_NOT)
        r->tolerated[mild] = r->tolerated[mild] ? r->tolerated[mild] : at + 1;
    else if (p->op->flags & (IL_SM3 | IL_SM4))
        model(r, p->op->flags & IL_SM3 ? 3 : 4, at, p->op->name);
    for (uint32_t i = 0; i < p->noperands; i++) {
        const struct il_operand *o = &p->operand[i];
        unsigned m = o->type < IL_REGTYPES ? model_of(o->type) : 0;
        /* v of a geometry shader is a vertex with two indices; a constant of def is checked at its def */
        if (m && !(o->type == IL_REG_VERTEX && o->dimensions == 2) && !is_defined(r, o))
            model(r, m, r->packet + o->at, il_register[o->type].text);
    }
    note_tolerated(r);
}

/* ---- Modifiers ---- */

/* The class of a source, where it is not the opcode's. */
static unsigned class_of(const struct il_packet *p, uint32_t source)
{
    if (il_code(p->op) == IL_OP_CMOV_LOGICAL || il_code(p->op) == IL_OP_D_MOVC)
        return source == 0 ? IL_C_INT : IL_C_FLOAT;
    if (il_code(p->op) == IL_OP_D_LDEXP && source == 1) return IL_C_INT;
    if (il_code(p->op) == IL_OP_F_2_D) return IL_C_FLOAT;
    return p->row->class;
}

static bool multimedia(const struct il_packet *p)
{
    return il_code(p->op) >= IL_OP_UNPACK0 && il_code(p->op) <= IL_OP_F_2_U4;
}

/* Opcodes whose divisor a texture stage may choose. */
static bool takes_stage(const struct il_packet *p)
{
    switch (il_code(p->op)) {
    case IL_OP_TEXLD:
    case IL_OP_TEXLDB:
    case IL_OP_TEXLDD:
    case IL_OP_TEXLDMS:
    case IL_OP_TEXWEIGHT:
    case IL_OP_PROJECT:
    case IL_OP_LOD: return true;
    default: return false;
    }
}

static void modifiers(struct il_rules *r, const struct il_packet *p)
{
    uint32_t source = 0;
    for (uint32_t i = 0; i < p->noperands; i++) {
        const struct il_operand *o = &p->operand[i];
        uint32_t at = r->packet + o->at;
        if (o->is_dst) {
            bool whole = p->row->class == IL_C_INT || multimedia(p);
            if ((o->clamp || o->scale) && whole)
                il_warn(r, at, IL_RULE_RESULT_MODIFIER, "%s scales or clamps an integer", p->op->name);
            else if (o->clamp && p->row->class == IL_C_DOUBLE && il_code(p->op) != IL_OP_D_2_F)
                il_warn(r, at, IL_RULE_RESULT_MODIFIER, "%s clamps a double", p->op->name);
            continue;
        }
        bool others = o->invert || o->bias || o->x2 || o->sign || o->divcomp || o->clamp;
        unsigned class = class_of(p, source++);
        if (o->divcomp == 4 && !takes_stage(p))
            il_warn(r, at, IL_RULE_DIVCOMP, "%s: _divcomp(unknown) has no texture stage to ask", p->op->name);
        if (class == IL_C_INT && (others || o->abs))
            il_warn(r, at, IL_RULE_SOURCE_MODIFIER, "%s: only a swizzle and _neg make sense on integers", p->op->name);
        else if (o->negate && strncmp(p->op->name + 1, "64", 2) == 0)
            il_warn(r, at, IL_RULE_SOURCE_MODIFIER,
                "%s: the manual does not say what _neg does to pairs; here each word is negated", p->op->name);
        else if (class == IL_C_DOUBLE && others)
            il_warn(
                r, at, IL_RULE_SOURCE_MODIFIER, "%s: only a swizzle, _abs and _neg make sense on doubles", p->op->name);
        else if (multimedia(p) && (o->negate || o->abs || others))
            il_warn(r, at, IL_RULE_SOURCE_MODIFIER, "%s takes no source modifier", p->op->name);
    }
}

static void conditions(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    const struct il_operand *o = p->noperands ? &p->operand[0] : NULL;
    size_t n = strlen(p->op->name);
    bool tests = (n > 9 && strcmp(p->op->name + n - 9, "_logicalz") == 0) ||
                 (n > 10 && strcmp(p->op->name + n - 10, "_logicalnz") == 0);
    if (!o) return;
    if (tests && (o->select[0] != o->select[1] || o->select[0] != o->select[2] || o->select[0] != o->select[3]))
        il_warn(r, at, IL_RULE_CONDITION, "%s tests one component: select it with a swizzle", p->op->name);
    unsigned code = il_code(p->op);
    uint8_t want = code == IL_OP_LOOP ? IL_REG_CONST_INT : IL_REG_CONST_BOOL;
    if ((code == IL_OP_LOOP || code == IL_OP_IFNZ || code == IL_OP_CALLNZ) &&
        (o->type != want || o->has_mod || o->dimensions))
        il_warn(r, at, IL_RULE_CONSTANT_OPERAND, "%s needs %s# without modifier and index", p->op->name,
            il_register[want].text);
}

/* A result of two words; one word goes to all components. */
static bool writes_pair(const struct il_packet *p)
{
    switch (il_code(p->op)) {
    case IL_OP_F_2_D: return true;
    case IL_OP_D_2_F:
    case IL_OP_DNE:
    case IL_OP_DEQ:
    case IL_OP_DGE:
    case IL_OP_DLT:
    case IL_OP_DTOI:
    case IL_OP_DTOU:
    case IL_OP_D_CLASS:
    case IL_OP_D_FREXP_EXP:
    case IL_OP_D_FREXP: return false; /* dfrexp: an exponent in y, a pair in zw */
    default: return p->row->class == IL_C_DOUBLE && il_code(p->op) >= IL_OP_D_ADD;
    }
}

static void masks(struct il_rules *r, const struct il_packet *p)
{
    const struct il_operand *d = p->noperands && p->operand[0].is_dst ? &p->operand[0] : NULL;
    if (!d) return;
    uint32_t at = r->packet + d->at, mask = 0;
    for (unsigned i = 0; i < 4; i++) mask |= (uint32_t)(d->select[i] == 1) << i;
    unsigned code = il_code(p->op);
    if (code == IL_OP_LDS_STORE_VEC && (mask & (mask + 1)))
        il_warn(r, at, IL_RULE_STORE_MASK, "%s: the mask has a gap", p->op->name);
    if (writes_pair(p) && mask != 3 && mask != 12 && mask != 15)
        il_warn(r, at, IL_RULE_PAIR, "%s writes xy or zw", p->op->name);
}

/* ---- Declarations with limits ---- */

/* Adds a piece of LDS or GDS; total: the sum so far. */
static void share(
    struct il_rules *r, const struct il_packet *p, uint32_t at, uint32_t *total, enum il_rule rule, const char *what)
{
    const bool structs = p->nextra > 1;
    const uint64_t size = structs ? (uint64_t)il_extra(p, 0) * il_extra(p, 1) : il_extra(p, 0);
    const uint64_t sum = *total + size;
    *total = sum > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)sum;
    if (sum > 32768) il_warn(r, at, rule, "%" PRIu64 " bytes of %s are more than 32768", sum, what);
    if (!structs && size % 4) il_warn(r, at, rule, "%" PRIu64 " bytes of %s are not whole dwords", size, what);
}

static void stride(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    const uint32_t bytes = p->nextra ? il_extra(p, 0) : 4;
    if (!bytes || bytes % 4)
        il_warn(r, at, IL_RULE_STRIDE, "%s: structs have %" PRIu32 " bytes, not a multiple of 4", p->op->name, bytes);
}

static void limits(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    const struct il_operand *o = p->noperands ? &p->operand[0] : NULL;
    uint64_t product = 1;
    float factor;
    uint32_t bits = p->nextra ? il_extra(p, 0) : 0;
    switch (il_code(p->op)) {
    case IL_OP_DCL_NUM_THREAD_PER_GROUP:
        for (uint32_t i = 0; i < p->nextra && i < 3; i++)
            product = product > UINT32_MAX ? product : product * il_extra(p, i);
        if (product < 1 || product > 1024)
            il_warn(r, at, IL_RULE_GROUP_SIZE, "a group of %" PRIu64 " work-items", product);
        break;
    case IL_DCL_MAX_THREAD_PER_GROUP:
        if (bits < 1 || bits > 1024)
            il_warn(r, at, IL_RULE_GROUP_SIZE, "a group of up to %" PRIu32 " work-items", bits);
        break;
    case IL_OP_DCL_LDS_SIZE_PER_THREAD:
        if (il_control(p, "n") > 64 || il_control(p, "n") % 4)
            il_warn(r, at, IL_RULE_LDS_SIZE, "%" PRIu32 " dwords a thread", il_control(p, "n"));
        break;
    case IL_DCL_STRUCT_LDS: stride(r, p, at); /* fall through */
    case IL_DCL_LDS: share(r, p, at, &r->lds_total, IL_RULE_LDS_SIZE, "LDS"); break;
    case IL_DCL_STRUCT_GDS: stride(r, p, at); /* fall through */
    case IL_DCL_GDS: share(r, p, at, &r->gds_total, IL_RULE_GDS_SIZE, "GDS"); break;
    case IL_OP_DCL_STRUCT_UAV:
    case IL_OP_DCL_STRUCT_SRV: stride(r, p, at); break;
    case IL_OP_LN:
    case IL_OP_LOG:
    case IL_OP_LOGP:
        if (il_control(p, "zeroop") == 1) il_warn(r, at, IL_RULE_ZEROOP, "%s_zeroop(zero)", p->op->name);
        break;
    case IL_DCL_CONST_BUFFER:
        if (o && (o->number > 15 || o->index[0].offset < 0 || o->index[0].offset > 4096))
            il_warn(r, at, IL_RULE_CB_RANGE, "cb%" PRIu32 "[%" PRId32 "]", o->number, o->index[0].offset);
        break;
    case IL_DCL_INDEXED_TEMP_ARRAY:
        if (o->index[0].offset < 0 ||
            (uint32_t)o->index[0].offset > 4096 - (r->array_total < 4096 ? r->array_total : 4096))
            il_warn(r, at, IL_RULE_ARRAY_SIZE, "x%" PRIu32 "[%" PRId32 "] on top of %" PRIu32 " registers", o->number,
                o->index[0].offset, r->array_total);
        if (o->index[0].offset > 0)
            r->array_total = r->array_total > 65536 ? r->array_total
                                                    : r->array_total + (uint32_t)(o->index[0].offset & 0xffff);
        break;
    case IL_DCL_MAX_TESSFACTOR:
        memcpy(&factor, &bits, sizeof factor);
        if (!(factor >= 1 && factor <= 64)) il_warn(r, at, IL_RULE_TESSFACTOR, "a factor of %g", (double)factor);
        break;
    case IL_OP_FENCE:
        if (!(p->code >> 16 & 0x7f)) il_warn(r, at, IL_RULE_FENCE_EMPTY, "the fence orders nothing");
        break;
    default: break;
    }
}

/* ---- Registers of shader model 3, which are declared ---- */

static int interpolator(uint8_t type)
{
    static const uint8_t types[] = {
        IL_REG_INTERP, IL_REG_TEXCOORD, IL_REG_PRICOLOR, IL_REG_SECCOLOR, IL_REG_FOG, IL_REG_WINCOORD};
    const uint8_t *at = memchr(types, type, sizeof types);
    return at ? (int)(at - types) : -1;
}

static void declare3(struct il_rules *r, const struct il_packet *p)
{
    const struct il_operand *o = p->noperands ? &p->operand[0] : NULL;
    unsigned code = il_code(p->op);
    if (code == IL_OP_DCLPT) il_add(r->stage, il_control(p, "stage"));
    if (!o) return;
    if ((code == IL_OP_DCLV || code == IL_OP_INITV) && o->type == IL_REG_VERTEX) il_add(r->vertex, o->number);
    if ((code == IL_OP_DCLPI || code == IL_DCL_INPUT) && interpolator(o->type) >= 0)
        il_add(r->interpolator[interpolator(o->type)], o->number);
    if (code == IL_OP_DCLPIN || code == IL_OP_DCLPP) il_add(r->pixin, o->number);
    if (code == IL_OP_DCLVOUT) il_add(r->vtxout, o->number);
    if (code == IL_OP_DCLVOUT && il_control(p, "usage") == 0) r->wrote_position = 1;
}

static void use3(struct il_rules *r, const struct il_operand *o)
{
    uint32_t at = r->packet + o->at;
    bool here = o->dimensions == 0 && o->type < IL_REGTYPES;
    bool pixel = r->has_version && shader_of(r) == 1;
    if (here && !o->is_dst && o->type == IL_REG_VERTEX && !il_has(r->vertex, o->number))
        il_warn(r, at, IL_RULE_VERTEX, "v%" PRIu32 " is read before dclv or initv", o->number);
    int i = interpolator(o->type);
    if (here && !o->is_dst && pixel && i >= 0 && !il_has(r->interpolator[i], o->number))
        il_warn(r, at, IL_RULE_INTERPOLATOR, "%s%" PRIu32 " is read before dclpi", il_register[o->type].source_text,
            o->number);
    if (here && o->type == IL_REG_PINPUT && !il_has(r->pixin, o->number))
        il_warn(r, at, IL_RULE_USAGE, "vPixIn%" PRIu32 " is used before dclpin or dclpp", o->number);
    if (here && o->type == IL_REG_VOUTPUT && !il_has(r->vtxout, o->number))
        il_warn(r, at, IL_RULE_USAGE, "oVtxOut%" PRIu32 " is used before dclvout", o->number);
    if (r->version >> 25 & 1 && (i >= 0 || o->type == IL_REG_SPRITECOORD || o->type == IL_REG_FACE))
        il_warn(r, at, IL_RULE_REALTIME, "a real-time shader cannot use %s", il_register[o->type].source_text);
    for (unsigned k = 0; k < 2; k++) {
        static const uint8_t looped[] = {
            IL_REG_PINPUT, IL_REG_VOUTPUT, IL_REG_VERTEX, IL_REG_INTERP, IL_REG_TEXCOORD, IL_REG_INPUT, IL_REG_OUTPUT};
        const struct il_index *x = &o->index[k];
        if (x->relative == 1 && !(x->loop ? in(o->type, looped, sizeof looped) : o->type == IL_REG_CONST_FLOAT))
            il_warn(r, at, IL_RULE_LOOP_INDEX, "%s indexes %s", x->loop ? "aL" : "a0",
                o->type < IL_REGTYPES ? il_register[o->type].text : "?");
    }
}

/* ---- What does not go together ---- */

static void apart(struct il_rules *r, uint32_t at, uint32_t *mine, uint32_t other, enum il_rule rule, const char *name)
{
    if (!*mine && other) il_warn(r, at, rule, "%s, and token %" PRIu32 " is of the other kind", name, other - 1);
    if (!*mine) *mine = at + 1;
}

static void combinations(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    const char *name = p->op->name;
    switch (il_code(p->op)) {
    case IL_OP_EMIT:
    case IL_OP_CUT:
    case IL_OP_EMIT_THEN_CUT: apart(r, at, &r->plain_emit, r->stream_emit, IL_RULE_STREAMS, name); break;
    case IL_DCL_STREAM:
    case IL_OP_EMIT_STREAM:
    case IL_OP_CUT_STREAM:
    case IL_OP_EMIT_THEN_CUT_STREAM: apart(r, at, &r->stream_emit, r->plain_emit, IL_RULE_STREAMS, name); break;
    case IL_OP_DCL_NUM_THREAD_PER_GROUP: apart(r, at, &r->group_size, r->group_most, IL_RULE_GROUP_FORMS, name); break;
    case IL_DCL_MAX_THREAD_PER_GROUP: apart(r, at, &r->group_most, r->group_size, IL_RULE_GROUP_FORMS, name); break;
    case IL_OP_DCLPI: apart(r, at, &r->dclpi, r->dcl_input, IL_RULE_DCL_FORMS, name); /* fall through */
    case IL_OP_DCLV: apart(r, at, &r->dclpi, r->dclpin, IL_RULE_IMPORT_FORMS, name); break;
    case IL_OP_DCLPIN:
    case IL_OP_DCLVOUT: apart(r, at, &r->dclpin, r->dclpi, IL_RULE_IMPORT_FORMS, name); break;
    case IL_DCL_INPUT: apart(r, at, &r->dcl_input, r->dclpi, IL_RULE_DCL_FORMS, name); break;
    case IL_OP_SCATTER: apart(r, at, &r->scatter, r->uses_uav, IL_RULE_SCATTER, name); break;
    case IL_OP_DCL_LDS_SIZE_PER_THREAD:
    case IL_OP_LDS_READ_VEC:
    case IL_OP_LDS_WRITE_VEC: apart(r, at, &r->owned_lds, r->free_lds, IL_RULE_LDS_MODELS, name); break;
    case IL_DCL_LDS:
    case IL_DCL_STRUCT_LDS: apart(r, at, &r->free_lds, r->owned_lds, IL_RULE_LDS_MODELS, name); break;
    case IL_DCL_INPUT_PRIMITIVE: r->gs[0] = 1; break;
    case IL_DCL_OUTPUT_TOPOLOGY: r->gs[1] = 1; break;
    case IL_DCL_MAX_OUTPUT_VERTEX_COUNT: r->gs[2] = 1; break;
    default:
        if (strncmp(name, "uav_", 4) == 0) apart(r, at, &r->uses_uav, r->scatter, IL_RULE_SCATTER, name);
    }
    bool realtime = r->version >> 25 & 1;
    if (realtime && (il_code(p->op) == IL_OP_DCLPI || il_code(p->op) == IL_OP_DCLPIN))
        il_warn(r, at, IL_RULE_REALTIME, "a real-time shader cannot use %s", name);
}

static void stages(struct il_rules *r, const struct il_packet *p, uint32_t at)
{
    bool staged = p->row->word == IL_W_STAGE || p->row->word == IL_W_TEXLD || p->row->word == IL_W_TEXLDB ||
                  p->row->word == IL_W_TEXLDMS;
    if (staged && !il_has(r->stage, il_control(p, "stage")))
        il_warn(r, at, IL_RULE_STAGE, "stage %" PRIu32 " is not declared by dclpt", il_control(p, "stage"));
}

static void outputs(struct il_rules *r, const struct il_operand *o)
{
    static const uint8_t pixel[] = {IL_REG_PCOLOR, IL_REG_DEPTH, IL_REG_DEPTH_LE, IL_REG_DEPTH_GE, IL_REG_OUTPUT,
        IL_REG_STENCIL, IL_REG_OMASK, IL_REG_GLOBAL, IL_REG_GENERIC_MEM};
    if (o->is_dst && in(o->type, pixel, sizeof pixel)) r->wrote_output = 1;
    if (o->is_dst && (o->type == IL_REG_POS || o->type == IL_REG_OUTPUT)) r->wrote_position = 1;
}

void il_rules_warn(struct il_rules *r, const struct il_packet *p)
{
    uint32_t at = r->packet + p->at;
    kinds(r, p, at);
    modifiers(r, p);
    conditions(r, p, at);
    limits(r, p, at);
    combinations(r, p, at);
    declare3(r, p);
    if (p->row->runs && strstr(p->op->source, "appendix B") && !(p->op->flags & IL_DECLARES))
        il_warn(r, at, IL_RULE_BY_NAME, "no manual describes %s: gpudbg executes it as its name says", p->op->name);
    if (p->op->flags & IL_DECLARES) return;
    masks(r, p);
    stages(r, p, at);
    if (p->op->flags & GPUDBG_OP_STORE) r->wrote_output = 1;
    for (uint32_t i = 0; i < p->noperands; i++) {
        const struct il_operand *o = &p->operand[i];
        use3(r, o);
        outputs(r, o);
        if (!o->is_dst && o->type == IL_REG_TIMER && il_code(p->op) != IL_OP_MOV)
            il_warn(r, r->packet + o->at, IL_RULE_TIMER, "%s reads Tmr", p->op->name);
    }
}

void il_rules_warn_end(struct il_rules *r)
{
    static const char *const missing[] = {"dcl_input_primitive", "dcl_output_topology", "dcl_max_output_vertex_count"};
    bool multipass = r->version >> 24 & 1;
    if (!r->has_version) return;
    r->packet = (uint32_t)(r->n / 4) ? (uint32_t)(r->n / 4) - 1 : 0;
    if (shader_of(r) == 2)
        for (unsigned i = 0; i < 3; i++)
            if (!r->gs[i]) il_warn(r, r->packet, IL_RULE_GEOMETRY, "the geometry shader has no %s", missing[i]);
    if (shader_of(r) == 1 && !multipass && !r->wrote_output)
        il_warn(r, r->packet, IL_RULE_PIXEL_OUTPUT, "the pixel shader writes no colour and no depth");
    if (shader_of(r) == 0 && !multipass && !r->wrote_position)
        il_warn(r, r->packet, IL_RULE_POSITION, "the vertex shader writes no position");
}
