/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch_state.c: finds the data that commands of batches point at: kernels from the instruction base on, tables and
 * state from the surface and the dynamic base on.  STATE_BASE_ADDRESS sets the bases; a pool of binding tables, if it
 * is on, replaces the surface base.
 */
#include "packets/batch_state.h"
#include "packets/batch.h"
#include "packets/fields.h"
#include "gpudbg/endian.h"

enum { SURFACE, DYNAMIC, INSTRUCTION, POOL, TABLES }; /* TABLES: the pool if there is one, else the surface base */
static const char *const base_names[] = {
    "surface state base", "dynamic state base", "instruction base", "binding table pool"};

/* ---- Layouts ---- */

static int say_plus1(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "%" PRIu64, value + 1);
}

static int say_level(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "%g", (double)value / 256);
}

/* Of a surface's state: a colour, or it is in memory, and its place is in dwords 12 and 13. */
static int say_clear_color(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    enum { IN_MEMORY = 1 << 10, PLACE = 48 };
    if (insn->size < PLACE + 8 || !(le_u32(insn->raw + 40) & IN_MEMORY))
        return snprintf(buf, size, "%" PRId32, (int32_t)value);
    const uint64_t at = le_u32(insn->raw + PLACE) & ~UINT32_C(63);
    return snprintf(buf, size, "at 0x%" PRIx64, at | (uint64_t)(le_u32(insn->raw + PLACE + 4) & 0xffff) << 32);
}

#define P(name_, hi_, lo_) {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_UINT, .describe = say_plus1},
#define L(name_, hi_, lo_) {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_UINT, .describe = say_level},
#define ENUMERATION(id, name) NAMED_ENUM(id, name)
#define VALUES(id, from, ...) OWN_ENUM(id, from, __VA_ARGS__)
#define FIXED(id, bits, fraction) FIXED_TEXT(id, bits, fraction)
#define LAYOUT(id, bits, ...) FIELDS(id, bits, "PRM, structures", "part of a structure", __VA_ARGS__)
#include "packets/state.def"

/* ---- Structures and pointers ---- */

#define WORDS_MOST 5
struct structure {
    struct gen_span in;
    struct gpudbg_op op;
    const struct gpudbg_format *words[WORDS_MOST];
};
struct pointer {
    struct gen_span in;
    uint32_t of; /* number of a command, or S_ of a structure */
    uint8_t dword, hi, lo, base, on;
    uint32_t mask;
    int structure; /* -1: code */
    const char *name;
};

#define S_CODE (-1)
#define S_FIRST 0x10000 /* above all numbers of commands */
enum {                  /* every name once */
    S_BLEND_STATE = S_FIRST,
    S_COLOR_CALC_STATE,
    S_DEPTH_STENCIL_STATE,
    S_SCISSOR_RECT,
    S_CC_VIEWPORT,
    S_SF_CLIP_VIEWPORT,
    S_CPS_STATE,
    S_BINDING_TABLE,
    S_SURFACE_STATE,
    S_SAMPLER_STATE,
    S_BORDER_COLOUR,
    S_INTERFACE_DESCRIPTOR,
    S_END
};
static const struct structure structures[] = {
#define W(word) &word_##word,
#define STRUCT(in_, name_, words_, doc_)  \
    {GEN_##in_,                           \
        {.name = #name_,                  \
            .id = S_##name_ - S_FIRST,    \
            .operands = "",               \
            .flags = GPUDBG_OP_STRUCTURE, \
            .doc = doc_ ".",              \
            .source = "PRM, structures"}, \
        {words_}},
#include "packets/state.def"
};
static const struct pointer pointers[] = {
#define POINTS(in_, of_, dword_, hi_, lo_, base_, what_, name_, on_, mask_) \
    {GEN_##in_, of_, dword_, hi_, lo_, base_, on_, mask_, S_##what_, name_},
#include "packets/state.def"
};

/* The number of a command of the 3D pipe; -1: it is another command, or a structure. */
static int pipe_command(const struct gpudbg_insn *insn)
{
    if (insn->op->flags & GPUDBG_OP_STRUCTURE) return -1;
    const struct gpudbg_row *row = gpudbg_insn_row(insn);
    return row->format->match[0] >> 29 == 3 ? row->code : -1;
}

/* ---- Bases ---- */

static uint32_t dword(const struct gpudbg_insn *insn, unsigned i)
{
    return 4 * (i + 1) > insn->size ? 0 : le_u32(insn->raw + 4 * (size_t)i);
}

static void set(struct gpudbg_bases *b, unsigned base, const struct gpudbg_insn *insn, unsigned at, bool wide)
{
    if (!(dword(insn, at) & 1)) /* "modify enable" */
        return;
    b->addr[base] = (dword(insn, at) & 0xfffff000) | (wide ? (uint64_t)(dword(insn, at + 1) & 0xffff) << 32 : 0);
    b->known |= (uint8_t)(1u << base);
}

static void set_bases(const struct gpudbg_insn *insn, struct gpudbg_bases *b, bool wide)
{
    enum { STATE_BASE_ADDRESS = 0x101, POOL_ALLOC = 0x1919 };
    const int command = pipe_command(insn);
    if (command == STATE_BASE_ADDRESS) {
        set(b, SURFACE, insn, wide ? 4 : 2, wide);
        set(b, DYNAMIC, insn, wide ? 6 : 3, wide);
        set(b, INSTRUCTION, insn, wide ? 10 : 5, wide);
    } else if (command == POOL_ALLOC) {
        const uint32_t low = dword(insn, 1);
        b->addr[POOL] = (low & 0xfffff000) | (wide ? (uint64_t)(dword(insn, 2) & 0xffff) << 32 : 0);
        b->known = (uint8_t)((b->known & ~(1u << POOL)) | (low >> 11 & 1) << POOL);
    }
}

/* ---- Pointers ---- */

/* The number of structures at a pointer; 0: not known. */
static unsigned count_of(const struct pointer *row, const struct gpudbg_insn *insn)
{
    const unsigned at = row->dword;
    if (row->structure == S_INTERFACE_DESCRIPTOR) return (dword(insn, row->on) & row->mask) / 32;
    if (!row->mask) return 0;
    /* What a compute kernel starts with counts: table entries one by one, samplers by four. */
    if (row->structure == S_BINDING_TABLE) return dword(insn, at) & 0x1f;
    if (row->structure == S_SAMPLER_STATE) return dword(insn, row->on) & row->mask;
    return 0;
}

static const struct structure *structure_of(const struct gen_eu *eu, int number)
{
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++)
        if (structures[i].op.id + S_FIRST == number && gen_is_in(eu, structures[i].in)) return &structures[i];
    return NULL;
}

static bool find(const struct gen_eu *eu, const struct gpudbg_insn *insn, const struct gpudbg_bases *b, unsigned i,
    struct gpudbg_point *out)
{
    const bool structure = insn->op->flags & GPUDBG_OP_STRUCTURE;
    const int command = pipe_command(insn);
    if (!structure && command < 0) return false;
    const uint32_t of = structure ? (uint32_t)S_FIRST + insn->op->id : (uint32_t)command;
    for (const struct pointer *row = pointers; row < pointers + sizeof pointers / sizeof *pointers; row++) {
        if (row->of != of || !gen_is_in(eu, row->in) || (row->mask && !(dword(insn, row->on) & row->mask)) || i--)
            continue;
        const uint64_t word = dword(insn, row->dword) |
                              (row->hi > 31 ? (uint64_t)(dword(insn, row->dword + 1u) & 0xffff) << 32 : 0);
        const unsigned base = row->base != TABLES ? row->base : b->known >> POOL & 1 ? POOL : SURFACE;
        const struct structure *s = row->structure == S_CODE ? NULL : structure_of(eu, row->structure);
        out->offset = word >> row->lo << row->lo & ((UINT64_C(2) << row->hi) - 1);
        out->name = s ? s->op.name : row->name;
        out->base = base_names[base];
        out->based = b->known >> base & 1;
        out->addr = (out->based ? b->addr[base] : 0) + out->offset;
        out->op = s ? &s->op : NULL;
        out->words = s ? s->words : NULL;
        out->count = count_of(row, insn);
        return true;
    }
    return false;
}

/* 3DSTATE_VS to 3DSTATE_PS, 3DSTATE_BINDING_TABLE_POINTERS_* and 3DSTATE_SAMPLER_STATE_POINTERS_* of the same stage. */
static unsigned stage(const struct gpudbg_insn *insn)
{
    static const uint16_t stages[][3] = {{0x1810, 0x1826, 0x182b}, {0x181b, 0x1827, 0x182c}, {0x181d, 0x1828, 0x182d},
        {0x1811, 0x1829, 0x182e}, {0x1820, 0x182a, 0x182f}};
    enum { COMPUTE_WALKER = 0x1208 };
    if (insn->op->flags & GPUDBG_OP_STRUCTURE) return S_FIRST + insn->op->id == S_INTERFACE_DESCRIPTOR;
    const int command = pipe_command(insn);
    for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++)
        for (unsigned k = 0; k < 3; k++)
            if (stages[i][k] == command) return i + 1;
    return command == COMPUTE_WALKER ? sizeof stages / sizeof *stages + 1 : 0;
}

#define EU(x, id, ...)                                                                                      \
    static void set_bases_##id(const struct gpudbg_insn *insn, struct gpudbg_bases *b)                      \
    {                                                                                                       \
        set_bases(insn, b, gen_batches[id].eu->long_batches);                                               \
    }                                                                                                       \
    static bool points_##id(                                                                                \
        const struct gpudbg_insn *insn, const struct gpudbg_bases *b, unsigned i, struct gpudbg_point *out) \
    {                                                                                                       \
        return find(gen_batches[id].eu, insn, b, i, out);                                                   \
    }
GEN_EACH_EU(EU, )
GEN_EACH_COMMANDS(EU, )
#undef EU
#define EU(x, id, ...) [id] = {.set_bases = set_bases_##id, .points = points_##id, .stage = stage},
const struct gpudbg_pointing gen_pointing[GEN_BATCHES] = {GEN_EACH_EU(EU, ) GEN_EACH_COMMANDS(EU, )};
