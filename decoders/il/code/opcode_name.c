/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opcode_name.c: opcodes by the names that IL text gives them. */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "code/parse.h"

/* Other spellings. */
static const struct {
    const char *name;
    uint16_t number;
} also[] = {
    {"and", IL_OP_AND},
    {"dcl_num_thread_per_blk", IL_OP_DCL_NUM_THREAD_PER_GROUP},
    {"dcl_num_instance", IL_DCL_NUM_INSTANCES},
    {"dcl_persist", IL_DCL_PERSIST},
    {"round_posinf", IL_OP_ROUND_PLUS_INF},
    {"round_pluginf", IL_OP_ROUND_PLUS_INF},
    {"emitcut", IL_OP_EMIT_THEN_CUT},
    {"emitthencut_stream", IL_OP_EMIT_THEN_CUT_STREAM},
    {"dmove", IL_OP_D_MOVC},
    {"invariant_mov", IL_OP_INV_MOV},
    {"sad_4", IL_OP_SAD_4},
    {"dcl_inputprimitive", IL_DCL_INPUT_PRIMITIVE},
    {"lds_cmp_xchg", IL_OP_LDS_READ_CMP_XCHG},
    {"fetch4_c", IL_OP_FETCH4_C},
    {"fetch4_po", IL_OP_FETCH4_PO},
    {"fetch4_po_c", IL_OP_FETCH4_PO_C},
    {"icountbits", IL_OP_I_COUNTBITS},
    {"i_and", IL_OP_AND},
};

bool il_name_ends(char c) { return c == 0 || strchr("_([ \t\r=,", c) != NULL; }

/* The longest name that ends where a control, a parenthesis or a blank begins. */
const struct gpudbg_op *il_find_op(const char *p, size_t *length)
{
    const struct gpudbg_op *best = NULL;
    *length = 0;
    for (size_t i = 0; i < IL_ROW_LANGUAGE; i++) {
        size_t n = tolower((unsigned char)*p) == *il_ops[i].name ? strlen(il_ops[i].name) : 0;
        if (n > *length && strncasecmp(p, il_ops[i].name, n) == 0 && il_name_ends(p[n])) {
            best = &il_ops[i];
            *length = n;
        }
    }
    for (size_t i = 0; i < sizeof also / sizeof *also; i++) {
        size_t n = strlen(also[i].name);
        if (n > *length && strncasecmp(p, also[i].name, n) == 0 && il_name_ends(p[n])) {
            best = il_op_by_number(also[i].number);
            *length = n;
        }
    }
    for (unsigned number = 460; number < IL_OP_LAST; number++) { /* names without a layout */
        const char *name = il_op_unknown_name(number);
        size_t n = name ? strlen(name) : 0;
        if (n > *length && strncasecmp(p, name, n) == 0 && il_name_ends(p[n])) best = NULL;
    }
    return best && (il_code(best) == IL_OP_PREFIX || il_code(best) == IL_OP_COMMENT) ? NULL : best;
}

bool il_names_op(const char *p)
{
    size_t n;
    return il_find_op(p, &n) != NULL;
}
