/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aql.c: decoding packets of HSA queues (HSA Platform System Architecture, "Architected Queuing Language packets").
 *
 *     15 13 12 11 10 9  8  7     0
 *       0    REL   ACQ  B  TYPE        header, then 62 bytes by type; packets are 64 bytes, little endian
 *
 * REL and ACQ say how far memory is made visible after and before the packet; B waits for all packets before it.
 */
#include "packets/aql.h"
#include "gpudbg/endian.h"
#include <inttypes.h>
#include <stdio.h>

#define SOURCE "HSA system architecture, AQL packets"
#define PACKET_BYTES 64

#define ENUM(id, ...)                                               \
    static const struct gpudbg_value id##_values[] = {__VA_ARGS__}; \
    static const struct gpudbg_enum id##_enum = {                   \
        .name = #id, .source = SOURCE, .values = id##_values, .count = sizeof id##_values / sizeof *id##_values}
ENUM(fence, {0, "none", NULL}, {1, "agent", NULL}, {2, "system", NULL}, {3, "reserved 3", NULL});
static const struct gpudbg_enum *const enums[] = {&fence_enum, NULL};

/* ---- Layouts ---- */

#define F(name_, lo_, len_, kind_, doc_)                                          \
    {                                                                             \
        .name = #name_, .run = {{lo_, len_}}, .kind = GPUDBG_##kind_, .doc = doc_ \
    }
#define E(name_, lo_, len_, enum_, doc_)                                                                 \
    {                                                                                                    \
        .name = #name_, .run = {{lo_, len_}}, .kind = GPUDBG_ENUM, .meaning = &enum_##_enum, .doc = doc_ \
    }
#define LAYOUT(id, bits_, ...)                                      \
    static const struct gpudbg_field id##_fields[] = {__VA_ARGS__}; \
    static const struct gpudbg_format id = {.name = #id,            \
        .source = SOURCE,                                           \
        .doc = "words of a packet",                                 \
        .bits = bits_,                                              \
        .fields = id##_fields,                                      \
        .count = sizeof id##_fields / sizeof *id##_fields}

static int say_dimensions(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, value >= 1 && value <= 3 ? "%u" : "%u (1 to 3 are legal)", (unsigned)value);
}

#define HEADER                                                                \
    F(type, 0, 8, OPCODE, "what the packet does"),                            \
        F(barrier, 8, 1, FLAG, "waits until all packets before it are done"), \
        E(acquire, 9, 2, fence, "whose writes are seen when it starts"),      \
        E(release, 11, 2, fence, "who sees its writes when it is done"), F(-, 13, 3, MBZ, "must be zero")
LAYOUT(AQL, 32, HEADER, F(more, 16, 16, POINTER, "by type"));
LAYOUT(AQL_DISPATCH, 32, HEADER,
    {.name = "dimensions",
        .run = {{16, 2}},
        .kind = GPUDBG_UINT,
        .describe = say_dimensions,
        .doc = "dimensions of the grid"},
    F(-, 18, 14, MBZ, "must be zero"));
LAYOUT(AQL_AGENT, 32, HEADER, F(function, 16, 16, UINT, "which function is called, the agent says which there are"));
LAYOUT(AQL_BARRIER, 32, HEADER, F(-, 16, 16, MBZ, "must be zero"));
LAYOUT(GROUP_XY, 32, F(group_x, 0, 16, UINT, "work-items of a group, first dimension"),
    F(group_y, 16, 16, UINT, "... second dimension"));
LAYOUT(GROUP_Z, 32, F(group_z, 0, 16, UINT, "... third dimension"), F(-, 16, 16, MBZ, "must be zero"));
LAYOUT(GRID_X, 32, F(grid_x, 0, 32, UINT, "work-items of the grid, first dimension"));
LAYOUT(GRID_Y, 32, F(grid_y, 0, 32, UINT, "... second dimension"));
LAYOUT(GRID_Z, 32, F(grid_z, 0, 32, UINT, "... third dimension"));
LAYOUT(PRIVATE, 32, F(private_segment, 0, 32, UINT, "bytes of scratch a work-item"));
LAYOUT(GROUP, 32, F(group_segment, 0, 32, UINT, "bytes of LDS a group"));
LAYOUT(KERNEL, 64, F(kernel_object, 0, 64, TARGET, "address of the kernel's descriptor"));
LAYOUT(KERNARG, 64, F(kernarg, 0, 64, POINTER, "address of the arguments"));
LAYOUT(RESERVED, 32, F(-, 0, 32, MBZ, "must be zero"));
LAYOUT(RESERVED64, 64, F(-, 0, 64, MBZ, "must be zero"));
LAYOUT(SIGNAL, 64, F(completion_signal, 0, 64, POINTER, "counted down when the packet is done; 0 is none"));
LAYOUT(RETURN, 64, F(return_address, 0, 64, POINTER, "where the result goes"));
LAYOUT(ARG0, 64, F(arg_0, 0, 64, POINTER, "argument 0"));
LAYOUT(ARG1, 64, F(arg_1, 0, 64, POINTER, "argument 1"));
LAYOUT(ARG2, 64, F(arg_2, 0, 64, POINTER, "argument 2"));
LAYOUT(ARG3, 64, F(arg_3, 0, 64, POINTER, "argument 3"));
LAYOUT(WAITS0, 64, F(signal_0, 0, 64, POINTER, "waited for; 0 is none"));
LAYOUT(WAITS1, 64, F(signal_1, 0, 64, POINTER, "waited for; 0 is none"));
LAYOUT(WAITS2, 64, F(signal_2, 0, 64, POINTER, "waited for; 0 is none"));
LAYOUT(WAITS3, 64, F(signal_3, 0, 64, POINTER, "waited for; 0 is none"));
LAYOUT(WAITS4, 64, F(signal_4, 0, 64, POINTER, "waited for; 0 is none"));
LAYOUT(DATA, 32, F(data, 0, 32, UINT, "has no layout"));
static const struct gpudbg_format *const formats[] = {&AQL, &AQL_DISPATCH, &AQL_AGENT, &AQL_BARRIER, NULL};

/* ---- Packets by their types ---- */

#define WORDS_MOST 14
#define BARRIER_WORDS &RESERVED, &WAITS0, &WAITS1, &WAITS2, &WAITS3, &WAITS4, &RESERVED64, &SIGNAL
static const struct gpudbg_format *const words[][WORDS_MOST] = {
    {&DATA},
    {&DATA},
    {&GROUP_XY, &GROUP_Z, &GRID_X, &GRID_Y, &GRID_Z, &PRIVATE, &GROUP, &KERNEL, &KERNARG, &RESERVED64, &SIGNAL},
    {BARRIER_WORDS},
    {&RESERVED, &RETURN, &ARG0, &ARG1, &ARG2, &ARG3, &RESERVED64, &SIGNAL},
    {BARRIER_WORDS},
};
#define PACKETS(ROW)                                                                          \
    ROW(0, "VENDOR_SPECIFIC", &AQL, 0, "is what the vendor says.")                            \
    ROW(1, "INVALID", &AQL, 0, "is an empty slot.")                                           \
    ROW(2, "KERNEL_DISPATCH", &AQL_DISPATCH, 0, "starts a kernel.")                           \
    ROW(3, "BARRIER_AND", &AQL_BARRIER, GPUDBG_OP_WAIT, "waits until all its signals are 0.") \
    ROW(4, "AGENT_DISPATCH", &AQL_AGENT, 0, "calls a function of the agent.")                 \
    ROW(5, "BARRIER_OR", &AQL_BARRIER, GPUDBG_OP_WAIT, "waits until one of its signals is 0.")
#define OPERATION(code_, name_, format_, flags_, doc_) \
    {.name = name_, .operands = "payload", .id = code_, .flags = flags_, .doc = doc_, .source = SOURCE},
static const struct gpudbg_op ops[] = {PACKETS(OPERATION)};
#define ROW(code_, name_, format_, flags_, doc_) {format_, code_},
static const struct gpudbg_row rows[] = {PACKETS(ROW)};

static int decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    if (n < PACKET_BYTES) return GPUDBG_SHORT;
    *out = (struct gpudbg_insn){
        .addr = addr, .isa = isa, .raw = p, .size = PACKET_BYTES, .nparts = 1, .parts = {{.format = &AQL, .count = 1}}};
    if (p[0] >= sizeof ops / sizeof *ops) return GPUDBG_ILLEGAL;
    out->op = &ops[p[0]];
    out->parts[0].format = rows[p[0]].format;
    gpudbg_packet_parts(out, words[p[0]], PACKET_BYTES / 4 - 1, &DATA);
    return PACKET_BYTES;
}

/* ---- Text ---- */

static int operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    (void)insn;
    (void)operand;
    return snprintf(buf, size, "%s", "");
}

/* "KERNEL_DISPATCH barrier acquire=system release=system dimensions=1 group_x=64 ..." */
static int text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style,
    const struct gpudbg_names *names, char *buf, size_t size)
{
    char more[32] = "";
    (void)syntax;
    (void)names;
    if (!insn->op || style == GPUDBG_ASSEMBLER) return -1;
    const struct gpudbg_format *layout = gpudbg_insn_row(insn)->format;
    if (layout == &AQL_DISPATCH || layout == &AQL_AGENT)
        snprintf(more, sizeof more, layout == &AQL_DISPATCH ? " dimensions=%u" : " function=%u",
            le_u16(insn->raw + 2) & (layout == &AQL_DISPATCH ? 3 : 0xffff));
    return gpudbg_packet_text(insn, more, true, &DATA, NULL, buf, size);
}

/* ---- The instruction set ---- */

static const char *const aliases[] = {"aql-commands", "hsa-packets", NULL};
static const char *const syntaxes[] = {"aql", NULL};

const struct gpudbg_isa aql_isa = {
    .name = "aql",
    .title = "HSA queue packets",
    .syntaxes = syntaxes,
    .align = 4,
    .lanes = 1,
    .ops = ops,
    .nops = sizeof ops / sizeof *ops,
    .rows = rows,
    .formats = formats,
    .decode = decode,
    .text = text,
    .operand_text = operand_text,
    .traits = {.aliases = aliases, .enums = enums},
};
