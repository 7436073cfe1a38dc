/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AMD IL programs from nowhere: packets of any opcode with operands of many kinds, blocks opened and closed as they
 * must be. Each instruction is executed or stops with a reason; a fault changes nothing; the machine goes back to its
 * start and forward again exactly, also after the pc was put somewhere else.  One input in three is watched and asked
 * about instead (watched.h).
 */
#include "watched.h"

#include "../../decoders/il/il.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TOKENS 4096
#define POSITIONS 3000
#define DEPTH 24

struct writing {
    struct input in;
    uint32_t token[TOKENS];
    size_t n;
    struct {
        unsigned code;
        bool other;
    } open[DEPTH];
    unsigned depth;
};

static void put(struct writing *w, uint32_t token)
{
    if (w->n < TOKENS - 64) w->token[w->n++] = token;
}

static uint32_t take(struct writing *w, unsigned n) { return (uint32_t)input_take(&w->in, n); }

/* ---- Operands ---- */

static void operand(struct writing *w, bool is_dst)
{
    static const uint8_t sources[] = {IL_REG_TEMP, IL_REG_TEMP, IL_REG_LITERAL, IL_REG_CONST_BUFF, IL_REG_ITEMP,
        IL_REG_ABSOLUTE_THREAD_ID_FLAT, IL_REG_THREAD_ID_IN_GROUP, IL_REG_CONST_FLOAT, IL_REG_IMMED_CONST_BUFF,
        IL_REG_GLOBAL, IL_REG_TIMER, IL_REG_SHARED_TEMP, IL_REG_INPUT, IL_REG_INPUTCP, IL_REG_CONST_INT,
        IL_REG_CONST_BOOL};
    static const uint8_t results[] = {IL_REG_TEMP, IL_REG_TEMP, IL_REG_TEMP, IL_REG_ITEMP, IL_REG_OUTPUT, IL_REG_GLOBAL,
        IL_REG_ADDR, IL_REG_GENERIC_MEM, IL_REG_SHARED_TEMP, IL_REG_PERSIST};
    const uint32_t choice = take(w, 1), mod = take(w, 2), more = take(w, 1);
    const unsigned type = is_dst ? results[choice % sizeof results] : sources[choice % sizeof sources];
    const bool brackets = type == IL_REG_CONST_BUFF || type == IL_REG_ITEMP || type == IL_REG_IMMED_CONST_BUFF ||
                          type == IL_REG_GLOBAL || type == IL_REG_PERSIST || (type == IL_REG_CONST_FLOAT && more & 8);
    const bool two = type == IL_REG_INPUTCP || (type == IL_REG_CONST_BUFF && more & 16),
               relative = (brackets || two) && more & 1, modified = more & 2;
    const uint32_t number = brackets || two ? 0 : choice >> 4 & 7;
    put(w, number | type << 16 | (uint32_t)modified << 22 | (relative ? 2u << 23 : 0) | (uint32_t)two << 25 |
               (uint32_t)(brackets || two) << 26);
    if (modified)
        put(w, is_dst ? (mod & 0x1ff) | (mod >> 9 & 3) << 9 : (mod & 0xffff) | (more & 4 ? mod << 16 & 0x1ff0000 : 0));
    if (relative) put(w, (choice & 7) | IL_REG_TEMP << 16);
    if (brackets || two) put(w, more >> 4);
    if (two) {
        put(w, (choice & 3) | type << 16 | 1u << 26);
        put(w, mod & 15);
    }
}

static void extra(struct writing *w, const struct il_op *row)
{
    if (row->extra == IL_X_LABEL)
        put(w, take(w, 1) & 1);
    else if (row->extra == IL_X_VALUE)
        put(w, take(w, 1) & 3);
}

/* ---- Blocks ---- */

static bool is_if(unsigned code)
{
    return code == IL_OP_IFC || code == IL_OP_IFNZ || code == IL_OP_IF_LOGICALZ || code == IL_OP_IF_LOGICALNZ;
}

static bool is_loop(unsigned code) { return code == IL_OP_LOOP || code == IL_OP_WHILE; }

static void close_block(struct writing *w)
{
    if (!w->depth) return;
    const unsigned code = w->open[--w->depth].code;
    put(w, is_if(code) ? IL_OP_ENDIF : is_loop(code) ? IL_OP_ENDLOOP : IL_OP_ENDSWITCH);
}

static bool inside(const struct writing *w, bool loops, bool switches)
{
    for (unsigned i = 0; i < w->depth; i++)
        if ((loops && is_loop(w->open[i].code)) || (switches && w->open[i].code == IL_OP_SWITCH)) return true;
    return false;
}

/* May the opcode stand here?  Closes or opens what it must. */
static bool fits(struct writing *w, const struct gpudbg_op *op)
{
    const unsigned code = il_code(op), outer = w->depth ? w->open[w->depth - 1].code : 0;
    switch (code) {
    case IL_OP_ENDIF:
    case IL_OP_ENDLOOP:
    case IL_OP_ENDSWITCH: close_block(w); return false;
    case IL_OP_ELSE:
        if (!is_if(outer) || w->open[w->depth - 1].other) return false;
        w->open[w->depth - 1].other = true;
        return true;
    case IL_OP_CASE:
    case IL_OP_DEFAULT: return outer == IL_OP_SWITCH;
    case IL_OP_BREAK:
    case IL_OP_BREAKC:
    case IL_OP_BREAK_LOGICALZ:
    case IL_OP_BREAK_LOGICALNZ: return inside(w, true, true);
    case IL_OP_CONTINUE:
    case IL_OP_CONTINUEC:
    case IL_OP_CONTINUE_LOGICALZ:
    case IL_OP_CONTINUE_LOGICALNZ: return inside(w, true, false);
    case IL_OP_END:
    case IL_OP_ENDMAIN:
    case IL_OP_FUNC:
    case IL_OP_ENDFUNC:
    case IL_OP_MACROEND:
    case IL_OP_MACROCALL:
    case IL_OP_RET:
    case IL_OP_HS_CP_PHASE:
    case IL_OP_HS_FORK_PHASE:
    case IL_OP_HS_JOIN_PHASE:
    case IL_OP_ENDPHASE:
    case IL_OP_PREFIX:
    case IL_OP_COMMENT:
    case IL_OP_LANGUAGE:
    case IL_OP_VERSION: return false;
    default: break;
    }
    if (op->flags & IL_DECLARES) return false;
    if (is_if(code) || is_loop(code) || code == IL_OP_SWITCH) {
        if (w->depth == DEPTH) return false;
        w->open[w->depth].code = code;
        w->open[w->depth++].other = false;
    }
    return true;
}

static void instruction(struct writing *w)
{
    const uint32_t choice = take(w, 2), control = take(w, 2);
    const struct gpudbg_op *op = &il_ops[choice % IL_ROWS];
    const struct il_op *row = &il_op[op->id];
    if (!fits(w, op)) return;
    put(w, il_code(op) | (control & 0xfff) << 16);
    for (unsigned i = 0; i < row->dst; i++) operand(w, true);
    for (unsigned i = 0; i < row->src; i++) operand(w, false);
    extra(w, row);
}

static void body(struct writing *w, unsigned most)
{
    while (most-- && w->in.left) instruction(w);
    while (w->depth) close_block(w);
}

static void declarations(struct writing *w)
{
    const uint32_t kind = take(w, 1) % 4;
    const uint32_t head[] = {0,
        0x200 | (kind == 1      ? 1u
                    : kind == 2 ? 2u
                                : 3u)
                    << 16,
        IL_OP_DCL_RAW_UAV, IL_OP_DCL_STRUCT_UAV | 1 << 16, 16, IL_OP_DCL_UAV | 2 << 16 | 4 << 20 | 1 << 24, IL_DCL_LDS,
        256, IL_DCL_STRUCT_LDS | 1 << 16, 16, 8, IL_DCL_GDS, 64, IL_OP_DCL_arena_UAV | 3 << 16, IL_DCL_CONST_BUFFER,
        IL_REG_CONST_BUFF << 16 | 1 << 26, 8, IL_DCL_INDEXED_TEMP_ARRAY, IL_REG_ITEMP << 16 | 1 << 26, 4,
        IL_DCL_LITERAL, IL_REG_LITERAL << 16, 0, 1, 4, 0x3f800000, IL_DCL_LITERAL, IL_REG_LITERAL << 16 | 1, 16,
        0xffffffff, 0x40000000, 31, IL_DCL_RESOURCE | 2 << 24, 5 << 20 | 5 << 23 | 5 << 26 | 5u << 29, IL_OP_DEF,
        IL_REG_CONST_INT << 16, 3, 1, 1, 0};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) put(w, head[i]);
}

static void go(struct gpudbg_machine *m, uint64_t position, uint64_t hash)
{
    machine_run(m, &(struct machine_want){.until = MACHINE_POSITION, .count = position});
    if (machine_position(m) != position || machine_hash(m) != hash) abort();
}

static void run(struct gpudbg_machine *m, uint64_t jump)
{
    const uint64_t start = machine_hash(m);
    for (unsigned round = 0; round < 8; round++) {
        const struct gpudbg_stop stop = machine_run(
            m, &(struct machine_want){.until = MACHINE_POSITION, .count = POSITIONS});
        const uint64_t end = machine_hash(m), position = machine_position(m);
        if (round == 0) {
            go(m, 0, start);
            go(m, position, end);
        }
        uint64_t after;
        if (stop.reason != GPUDBG_STOP_FAULT && round) break;
        if (stop.reason == GPUDBG_STOP_FAULT && !stop.message[0]) abort();
        if (!program_after(m, stop.reason == GPUDBG_STOP_FAULT ? stop.pc : jump * 4, &after) ||
            !machine_set_pc(m, stop.wave, after, &(struct gpudbg_error){0}))
            break;
    }
}

/* The program of these bytes, launched; NULL: it is not one.  *jump: where control goes before its last runs. */
static struct gpudbg_machine *launch(struct gpudbg *g, const uint8_t *data, size_t size, uint64_t *jump)
{
    static struct writing w;
    struct gpudbg_error err = {0};
    memset(&w, 0, sizeof w);
    w.in = (struct input){data, size};
    declarations(&w);
    *jump = take(&w, 1);
    body(&w, 40);
    put(&w, IL_OP_ENDMAIN);
    for (uint32_t label = 0; label < 2; label++) {
        put(&w, IL_OP_FUNC);
        put(&w, label);
        body(&w, 16);
        put(&w, IL_OP_RET);
        put(&w, IL_OP_ENDFUNC);
    }
    w.token[w.n++] = IL_OP_END;
    struct load_options options = {.isa = &il_isa, .raw = true};
    struct gpudbg_image *image = session_image_from(g, "program", (const uint8_t *)w.token, w.n * 4, &options, &err);
    if (!image) return NULL;
    session_take(g, image);
    struct gpudbg_out *out = out_memory(false);
    const bool launched = gpudbg_execute(g,
        "launch -g 100,2 -l 8,8 uav0=zero:256 uav1=zero:128 uav2=zero:64:r32_uint uav3=zero:64 cb0=fill:128:1 "
        "res0=fill:256:63:float4:4x4",
        out, &err);
    out_close(out);
    return launched ? gpudbg_session_machine(g) : NULL;
}

static void watch(struct gpudbg *g, const uint8_t *data, size_t size)
{
    static const char *const questions[] = {"print $r%u", "print $r%u.x[3]", "print $x0[%u]", "info registers",
        "print $l%u", "print $vTid", "print $cb0[%u]", "print r%u.y", "origin $r%u.x[3]", "origin/tree 3 $r%u.y",
        "last-write $r%u.z[1]", "next-write $r%u.x[0]", "info writes $r%u.x", "why off lane %u", "info checks",
        "info buffers", "find-time $r%u.x[0] != 0", "print $x1[%u].y[2]", "x/3i $pc", "info profile", "disassemble",
        NULL};
    struct input end = {data + size - 40, 40};
    watched_run(g, &(struct watched){questions, 8}, &end);
}

static struct gpudbg *fuzz_session; /* of the latest input, as it was left */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t jump;
    if (!fuzz_session) fuzz_session = program_session();
    struct gpudbg_machine *m = launch(fuzz_session, data, size, &jump);
    if (m && size > 40 && data[size - 1] % 3 == 0)
        watch(fuzz_session, data, size);
    else if (m)
        run(m, jump);
    return 0;
}
