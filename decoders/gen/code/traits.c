/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traits.c: data of ops.def, functions.def and eu.def by number; this file calls no other. */
#include <assert.h>

#include "gen.h"
#include "ops.h"

/* ---- Operations ---- */

const uint8_t gen_shapes[GEN_OPS] = {
#define OP(id, codes, shape, ...) [GEN_OP_##id] = GEN_##shape,
#include "ops.def"
#undef OP
};

#define DOT(src0, src1) ((uint64_t)(src0) << GEN_TRAIT_DOT | (uint64_t)(src1) << (GEN_TRAIT_DOT + 4))
enum {
#define TRAIT(name) name = 1 << GEN_TRAIT_##name,
#include "traits.def"
#undef TRAIT
};
static_assert(GEN_TRAITS <= 31, "a trait is a bit of an int");
#define OP(id, codes, shape, bits, list, doc, traits, ...) [GEN_OP_##id] = traits,
const uint64_t gen_traits[GEN_OPS] = {
#include "ops.def"
};
#undef OP

enum { P = GEN_MAY_PREDICATE, C = GEN_MAY_CONDITION, S = GEN_MAY_SATURATE, S7 = GEN_MAY_SATURATE_OLD };
#define OP(id, codes, shape, bits, list, doc, traits, may, ...) [GEN_OP_##id] = may,
const uint8_t gen_may[GEN_OPS] = {
#include "ops.def"
};
#undef OP

enum { INTEGERS = GEN_INTEGERS, FLOATS = GEN_FLOATS, DOUBLES = GEN_DOUBLES, ANY = GEN_ANY_TYPE };
#define OP(id, codes, shape, bits, list, doc, traits, may, types, alu) [GEN_OP_##id] = types,
const uint8_t gen_takes[GEN_OPS] = {
#include "ops.def"
};
#undef OP

/* ---- Functions and generations ---- */

#define WITH(macro, ...) macro(__VA_ARGS__)
#define MATH_OF(x, id, number, ...) WITH(MATH_IS, id, number, GEN_LIST x)
const char *const gen_math_names[GEN_EUS][16] = {
#define MATH_IS(id, number, code, name, sources, there) [id][code] = GEN_AT(number, there) ? name : NULL,
#define MATH(code, id, name, mesa, sources, there) GEN_EACH_EU(MATH_OF, (code, name, sources, there))
#include "code/functions.def"
#undef MATH_IS
};

const bool gen_math_two[GEN_EUS][16] = {
#define MATH_IS(id, number, code, name, sources, there) [id][code] = GEN_AT(number, there) && sources == 2,
#define MATH(code, id, name, mesa, sources, there) GEN_EACH_EU(MATH_OF, (code, name, sources, there))
#include "code/functions.def"
#undef MATH_IS
};

#define SFID_OF(x, id, number, ...) WITH(SFID_IS, id, number, GEN_LIST x)
#define SFID_IS(id, number, code, name, manual, mesa)                                                        \
    [id][GEN_SFID_SHORT][code] = GEN_AT(number, name), [id][GEN_SFID_MANUAL][code] = GEN_AT(number, manual), \
    [id][GEN_SFID_MESA][code] = GEN_AT(number, mesa),
const char *const gen_sfids[GEN_EUS][GEN_SFID_NAMES][16] = {
#define SFID(code, name, manual, mesa) GEN_EACH_EU(SFID_OF, (code, name, manual, mesa))
#include "code/functions.def"
};

#define EU(x, id, number, name, ...) name,
const char *const gen_names[GEN_EUS + 1] = {GEN_EACH_EU(EU, ) NULL};
#undef EU

/* The class of a type in the column `types` of ops.def. */
static unsigned type_class(unsigned type)
{
    return type == GEN_F32 || type == GEN_VF || type == GEN_HF ? GEN_FLOATS
           : type == GEN_DF                                    ? GEN_DOUBLES
           : type == GEN_BADTYPE || type == GEN_NF             ? GEN_ANY_TYPE
                                                               : GEN_INTEGERS;
}

bool gen_takes_type(unsigned op, unsigned type)
{
    return gen_takes[op] == GEN_ANY_TYPE || type_class(type) & gen_takes[op];
}
