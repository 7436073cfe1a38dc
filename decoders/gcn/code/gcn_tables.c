/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_tables.c: ops.def, the register files and the words that registers may hold, as data for core. */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"
#include "gcn_sources.inc"

/* ---- Opcodes ---- */

/* The flags as ops.def writes them. */
#define SALU GCN_SALU
#define VALU GPUDBG_OP_VECTOR
#define VMEM GPUDBG_OP_VECTOR
#define VDS (GPUDBG_OP_VECTOR | GCN_M0_R) /* M0 limits addresses */
#define EXPORT GPUDBG_OP_VECTOR
#define LOAD GPUDBG_OP_LOAD
#define STORE GPUDBG_OP_STORE
#define ATOMIC (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)
#define BRANCH GPUDBG_OP_BRANCH
#define COND GPUDBG_OP_COND
#define CALL GPUDBG_OP_CALL
#define RETURN GPUDBG_OP_RETURN
#define END GPUDBG_OP_END
#define BARRIER GPUDBG_OP_BARRIER
#define COPY GPUDBG_OP_COPY
#define COMPARE GPUDBG_OP_COMPARE
#define BITWISE GPUDBG_OP_BITWISE
#define WAIT GPUDBG_OP_WAIT
#define ORDER GPUDBG_OP_ORDER
#define SCC_R GCN_SCC_R
#define SCC_W GCN_SCC_W
#define VCC_R GCN_VCC_R
#define EXEC_R GCN_EXEC_R
#define EXEC_W GCN_EXEC_W
#define M0_R GCN_M0_R
#define MODE_W GCN_MODE_W
#define DIN GCN_DIN
#define DRW GCN_DRW
#define ALL GCN_ALL
#define E32 GCN_E32
#define GWS GCN_GWS
#define NOASM GCN_NOASM
#define CARRY GCN_CARRY
#define OPSEL GCN_OPSEL
#define ALONE GCN_ALONE
#define RDNA_SHOWN GCN_RDNA_SHOWN
#define RDNA_LLVM GCN_RDNA_LLVM
#define RDNA_OLDER GCN_RDNA_OLDER
#define RDNA_MESA GCN_RDNA_MESA
#define RDNA_AMD GCN_RDNA_AMD
#define RDNA_3 GCN_RDNA_3
#define RDNA_NOTES GCN_RDNA_NOTES
#define RDNA_USED GCN_RDNA_USED
#define UNSEEN GCN_UNSEEN

#define LIST(...) #__VA_ARGS__

/* The source of the results of rows with OPSEL (share/help/gfx7-pro). */
#define SEEN(id) (GCN_##id == GCN_v_add_f16 || GCN_##id == GCN_v_sub_f16 || GCN_##id == GCN_v_mad_mix_f32)
#define WHERE_FROM(id, bits, text)                                          \
    (!((bits)&OPSEL)                    ? text                              \
        : SEEN(id)                      ? text " Exact: seen on the chip."  \
        : GCN_EMULATED_DWORDS(GCN_##id) ? text " From an emulator's tests." \
                                        : text " Inferred from AMD's manuals of later chips.")

/* The source that describes an operation: that of the chip at which it begins, or which alone has it, else that of all.
 */
#define CODES(...) CODES_(__VA_ARGS__, )
#define CODES_(first, chip, code, ...)                                                \
    , (first) < 0                                                 ? GCN_SINCE_##chip  \
      : (code) < 0 && GCN_AT_##chip <= JOINED(GCN_AT_, GCN_USUAL) ? GCN_OLDEST_SOURCE \
                                                                  : GCN_SOURCE
#define SOURCE(...) SOURCE_(__VA_ARGS__, GCN_SOURCE, )
#define SOURCE_(number, source, ...) source

#define IS(layout, name) (GCN_W_##layout == GCN_W_##name)

const struct gpudbg_op gcn_ops[GCN_OPS] = {
#define OP(layout, number, id, list, bits, text, ...) ROW(layout, SOURCE(number), id, #id, list, bits, text)
#define OP_AS(layout, number, id, name, list, bits, text, ...) ROW(layout, SOURCE(number), id, name, list, bits, text)
#define ROW(layout, from, id_, name_, list, bits, text)                              \
    [GCN_##id_] = {.name = name_,                                                    \
        .operands = LIST list,                                                       \
        .id = GCN_##id_,                                                             \
        .flags = (bits) | (IS(layout, VOP3B) || IS(layout, VOP3HB) ? GCN_CARRY : 0), \
        .doc = WHERE_FROM(id_, bits, text),                                          \
        .source = from},
#include "ops.def"
};

const uint8_t gcn_kinds[GCN_OPS + 1] = {
#define OP(layout, number, id, list, bits, text, ...)                                                            \
    [GCN_##id + 1] = ((bits)&E32 ? GCN_NO_LONG_FORM | GCN_HAS_LITERAL : 0) |                                     \
                     (GCN_##id == GCN_s_setreg_imm32_b32 || GCN_##id == GCN_s_setreg_imm_newer ? GCN_HAS_LITERAL \
                                                                                               : 0) |            \
                     ((bits)&ALONE ? GCN_NO_LONG_FORM : 0) | (IS(layout, SOPP_BRANCH) ? GCN_NAMES_TARGET : 0) |  \
                     (IS(layout, SOPK_BRANCH) ? GCN_NAMES_TARGET | GCN_IS_SOPK : 0) |                            \
                     ((bits)&GPUDBG_OP_END || GCN_##id == GCN_s_setpc_b64 ? GCN_ENDS_PROGRAM : 0) | GCN_IS_ROW,
#define OP_AS(layout, number, id, name, ...) OP(layout, 0, id, __VA_ARGS__)
#include "ops.def"
};

/* ---- Register files, in the order of enum gcn_file ---- */

#define WORD(layout) &gcn_layouts[GCN_W_##layout]

/* clang-format off */
#define FILES(lanes) \
    [GCN_FILE_S] = {"s", "scalar registers, one value for the whole wave", 0, 32, 1, true, false, NULL, NULL, 0}, \
    [GCN_FILE_V] = {"v", "vector registers, one value a lane", 0, 32, lanes, true, false, NULL, NULL, 0}, \
    [GCN_FILE_VCC] = {"vcc", "lane mask of vector compares and carries", 1, 64, 1, false, true, NULL, NULL, 0}, \
    [GCN_FILE_EXEC] = {"exec", "lanes that vector instructions work on", 1, 64, 1, false, true, NULL, NULL, 0}, \
    [GCN_FILE_SCC] = {"scc", "result of a scalar compare, or carry", 1, 1, 1, false, false, NULL, NULL, 0}, \
    [GCN_FILE_M0] = {"m0", "LDS limit, register index, message data", 1, 32, 1, false, false, NULL, NULL, 0}, \
    [GCN_FILE_FLAT_SCRATCH] = {"flat_scratch", "where the wave's scratch memory lies", 1, 64, 1, false, false, \
        WORD(FLAT_SCRATCH), NULL, 0}, \
    [GCN_FILE_TBA] = {"tba", "address of the trap handler", 1, 64, 1, false, false, NULL, NULL, 0}, \
    [GCN_FILE_TMA] = {"tma", "address of the trap handler's memory", 1, 64, 1, false, false, NULL, NULL, 0}, \
    [GCN_FILE_TTMP] = {"ttmp", "scalar registers of the trap handler", 12, 32, 1, true, false, NULL, NULL, 0}, \
    [GCN_FILE_MODE] = {"mode", "floating-point and debug modes", 1, 32, 1, false, false, WORD(MODE), NULL, 0}, \
    [GCN_FILE_STATUS] = {"status", "state of the wave", 1, 32, 1, false, false, WORD(STATUS), NULL, 0}, \
    [GCN_FILE_TRAPSTS] = {"trapsts", "exceptions the wave has met", 1, 32, 1, false, false, WORD(TRAPSTS), NULL, 0}, \
    [GCN_FILE_HW_ID] = {"hw_id", "where the wave runs", 1, 32, 1, false, false, WORD(HW_ID), NULL, 0}, \
    [GCN_FILE_GPR_ALLOC] = {"gpr_alloc", "registers the wave has", 1, 32, 1, false, false, WORD(GPR_ALLOC), NULL, 0}, \
    [GCN_FILE_LDS_ALLOC] = {"lds_alloc", "LDS the wave's group has", 1, 32, 1, false, false, WORD(LDS_ALLOC), \
        NULL, 0}, \
    [GCN_FILE_IB_STS] = {"ib_sts", "operations under way", 1, 32, 1, false, false, WORD(IB_STS), NULL, 0},
/* clang-format on */

const struct gpudbg_regfile gcn_files[GCN_FILES] = {FILES(64)};
const struct gpudbg_regfile gcn_files_of_32[GCN_FILES] = {FILES(32)};

const struct gpudbg_view gcn_newer_views[] = {
    {'V', "V#, buffer descriptor", WORD(V_SHARP_NEWER)},
    {'T', "T#, image descriptor", WORD(T_SHARP_NEWER)},
    {'S', "S#, sampler", WORD(S_SHARP_NEWER)},
    {0, NULL, NULL},
};
const struct gpudbg_view gcn_views[] = {
    {'V', "V#, buffer descriptor", WORD(V_SHARP)},
    {'T', "T#, image descriptor", WORD(T_SHARP)},
    {'S', "S#, sampler", WORD(S_SHARP)},
    {0, NULL, NULL},
};

/* clang-format off */
const char *const gcn_every_chip[GCN_CHIPS + 1] = {
#define CHIP(id, at, lanes, name, ...) name,
#include "chips.def"
};
/* clang-format on */

/* The sources of RDNA's rows (ops.def), and what `help insn` says of each; a row has one. */
static const struct {
    uint64_t flag;
    const char *known;
} sources[] = {
    {GCN_RDNA_SHOWN, "LLVM 19: its meaning, compiled for this chip and run"},
    {GCN_RDNA_LLVM, "LLVM 19, read: as on older chips, or its description"},
    {GCN_RDNA_AMD, "AMD: its manuals of RDNA 1 and 2, or its description of the ISA for machines"},
    {GCN_RDNA_3, "AMD: its manual of RDNA 3, taken to be the same here"},
    {GCN_RDNA_MESA, "Mesa: its descriptors and shaders for this chip; else as on older chips"},
    {GCN_RDNA_OLDER, "inferred: the manuals of older chips"},
    {GCN_RDNA_NOTES, "inferred: what Mesa's notes and emulators repeat of AMD's manual"},
    {GCN_RDNA_USED, "inferred: how AMD's GPURT emulates it, and how Mesa or LLVM use it"},
};

static const char *source_of(const struct gpudbg_op *op)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (op->flags & sources[i].flag) return sources[i].known;
    return NULL;
}

bool gcn_is_checked(const struct gcn_chip *chip, const struct gpudbg_op *op)
{
    if (!chip->whole) return source_of(op);
    return !(chip->high_opcodes && op->flags & GCN_UNSEEN);
}

const char *gcn_known(const struct gpudbg_isa *isa, const struct gpudbg_op *op)
{
    const struct gcn_chip *chip = gcn_chip_of(isa);
    if (!gcn_is_checked(chip, op)) return "not known: its word is read, and it stops where it would run";
    return chip->newer_vop3 ? source_of(op) : NULL;
}

const struct gcn_unsure *gcn_unsure(const struct gcn_chip *chip, const struct gpudbg_op *op)
{
#define UNSURE(id, name, lanes, why) {GCN_CHIP_##id, GCN_##name, GCN_UNSURE_##lanes, why},
    static const struct gcn_unsure unsure[] = {GCN_UNSURE(UNSURE)};
    for (size_t i = 0; i < sizeof unsure / sizeof *unsure; i++)
        if (unsure[i].chip == chip->number && unsure[i].op == op->id) return &unsure[i];
    return NULL;
}
