/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hazard_kinds.c: the rules of `check hazard` as data, and what an instruction is in them. */
#include "check/hazard.h"
#include <string.h>
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

enum { GCN_AT_AFTER_ALL = UINT16_MAX };

const uint16_t hazard_ends[HAZARD_FIRSTS] = {
#define FIRST(id, ends) [id] = ends,
#include "check/hazards.def"
};

const struct rule hazard_rules[] = {
#define HAZARD(name, from, until, ...) {name, GCN_AT_##from, GCN_AT_##until, __VA_ARGS__},
#include "check/hazards.def"
};
const unsigned hazard_nrules = sizeof hazard_rules / sizeof *hazard_rules;
static_assert(sizeof hazard_rules / sizeof *hazard_rules <= HAZARD_RULES_MOST, "the rules of a set are bits");

bool hazard_applies(const struct rule *rule, const struct gcn_chip *chip)
{
    return chip->at >= rule->from && chip->at < rule->until;
}

/* ---- Instructions ---- */

static bool is_valu(const struct gpudbg_insn *insn)
{
    switch (insn->variant) {
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOP3:
    case GCN_VOP3H:
    case GCN_VOP3P:
    case GCN_VOPC:
    case GCN_VINTRP: return true;
    default: return false;
    }
}

static bool is_scalar(const struct gpudbg_insn *insn)
{
    return insn->op->flags & GCN_SALU || gcn_access_of(insn) == GCN_CONSTANTS;
}

/* Accesses of lanes to memory or to the LDS. */
static bool is_vector_access(const struct gpudbg_insn *insn)
{
    const enum gcn_access at = gcn_access_of(insn);
    return at != GCN_NO_ACCESS && at != GCN_CONSTANTS && at != GCN_EXPORTS;
}

/* Memory by a word that is not FLAT. */
static bool is_memory(const struct gpudbg_insn *insn)
{
    const enum gcn_access at = gcn_access_of(insn);
    return at == GCN_BUFFERS || at == GCN_IMAGES || at == GCN_SEGMENTS;
}

static bool is_setreg(const struct gpudbg_insn *insn)
{
    switch (insn->op->id) {
    case GCN_s_setreg_b32:
    case GCN_s_setreg_imm32_b32: return true;
    default: return false;
    }
}

static bool is_float_atomic(const struct gpudbg_insn *insn)
{
    static const char *const ends[] = {"_fcmpswap", "_fmin", "_fmax"};
    const char *at = strstr(insn->op->name, "_atomic");
    if (!at || gcn_access_of(insn) == GCN_LOCALS) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strncmp(at + strlen("_atomic"), ends[i], strlen(ends[i])) == 0) return true;
    return false;
}

bool hazard_is_branch(const struct gpudbg_insn *insn)
{
    return insn->variant == GCN_SOPP && insn->op->flags & GPUDBG_OP_BRANCH;
}

/* The range of an operand that is a scalar register; false: it is not. */
static bool scalar_range(const struct gpudbg_operand *o, struct range *r)
{
    struct gcn_codes codes;
    if (!gcn_codes_of(o, &codes) || codes.first >= GCN_CODE_VGPR) return false;
    *r = (struct range){SCALAR, codes.first, codes.count};
    return true;
}

static struct range exec_of(const struct gpudbg_insn *insn)
{
    return (struct range){SCALAR, GCN_CODE_EXEC, insn->isa->lanes > 32 ? 2 : 1};
}

static bool is_exec(struct range r) { return r.first + r.count > GCN_CODE_EXEC; }

/* The VGPRs that an instruction stores, if they are more than 64 bits and the hardware reads them late: for buffers
 * only if the offset is not in a register, for images only with a descriptor of 128 bits. */
static bool long_store(const struct gpudbg_insn *insn, struct range *r)
{
    if (!(insn->op->flags & GPUDBG_OP_STORE)) return false;
    const uint64_t w = word_of(insn);
    const struct gpudbg_operand *offset = gcn_operand(insn, GCN_IN_SOFFSET), *data = NULL;
    unsigned status = 0;
    switch (insn->variant) {
    case GCN_MUBUF:
    case GCN_MTBUF:
        if (offset && offset->kind == GPUDBG_REGISTER) return false;
        data = gcn_operand(insn, GCN_IN_VDATA);
        status = GET(w, MUBUF, tfe);
        break;
    case GCN_MIMG:
        if (!GET(w, MIMG, r128)) return false;
        data = gcn_operand(insn, GCN_IN_VDATA);
        status = GET(w, MIMG, tfe);
        break;
    case GCN_FLAT: data = gcn_operand(insn, GCN_IN_DATA); break;
    default: break;
    }
    if (!data || data->kind != GPUDBG_REGISTER || data->count - status <= 2) return false;
    *r = (struct range){VGPR, data->reg, (uint16_t)(data->count - status)};
    return true;
}

/* The hardware register of s_getreg and s_setreg. */
static struct range hardware(const struct gpudbg_insn *insn)
{
    return (struct range){HARDWARE, (uint16_t)GET(word_of(insn), SOPK_HWREG, hwreg), 1};
}

static bool covers_vskip(const struct gpudbg_insn *insn)
{
    const uint64_t w = word_of(insn);
    const unsigned bit = LO_OF(MODE, vskip), from = GET(w, SOPK_HWREG, offset), size = GET(w, SOPK_HWREG, size) + 1;
    return hardware(insn).first == GCN_HW_MODE && from <= bit && bit < from + size;
}

/* Dwords of further addresses of an image word. */
static unsigned scattered(const struct gpudbg_insn *insn)
{
    return gcn_access_of(insn) == GCN_IMAGES ? gcn_nsa((int)insn->variant, le_u32(insn->raw)) : 0;
}

/* ---- Firsts ---- */

/* The scalars that the instruction reads, or writes, as one first. */
static void scalars(const struct gpudbg_insn *insn, unsigned flag, unsigned which, hazard_fn *each, void *to)
{
    struct range range;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].flags & flag && scalar_range(&insn->operands[i], &range)) each(to, insn, which, range);
}

static bool reads_exec(const struct gpudbg_insn *insn)
{
    struct range range;
    bool reads = is_vector_access(insn) || gcn_access_of(insn) == GCN_EXPORTS;
    for (unsigned i = 0; i < insn->noperands; i++)
        reads |= insn->operands[i].flags & GPUDBG_READ && scalar_range(&insn->operands[i], &range) && is_exec(range);
    return reads;
}

void hazard_firsts(const struct gpudbg_insn *insn, hazard_fn *each, void *to)
{
    const struct range none = {NONE, 0, 1}, skip = {SKIP, 0, 1};
    struct range range;
    if (is_setreg(insn)) each(to, insn, SETREG, hardware(insn));
    if (is_setreg(insn) && covers_vskip(insn)) each(to, insn, SETREG_SKIP, skip);
    if (insn->op->id == GCN_s_setvskip) each(to, insn, SETVSKIP, skip);
    if (long_store(insn, &range)) each(to, insn, LONG_STORE, range);
    if (is_valu(insn)) {
        scalars(insn, GPUDBG_WRITE, SCALAR_BY_VALU, each, to);
        if (insn->op->flags & GCN_EXEC_W) each(to, insn, EXEC_COMPARED, none);
        if (insn->op->id == GCN_v_writelane_b32_long) each(to, insn, WRITELANE, none);
        return;
    }
    if (is_vector_access(insn)) {
        scalars(insn, GPUDBG_READ, SCALAR_OF_MEMORY, each, to);
        each(to, insn, SCALAR_OF_MEMORY, exec_of(insn));
    }
    if (gcn_access_of(insn) == GCN_CONSTANTS) scalars(insn, GPUDBG_READ, SCALAR_OF_LOAD, each, to);
    if (reads_exec(insn)) each(to, insn, EXEC_READ, exec_of(insn));
    if (gcn_access_of(insn) == GCN_LOCALS) each(to, insn, LOCAL_USED, none);
    if (is_memory(insn)) each(to, insn, MEMORY_USED, none);
    if (is_float_atomic(insn)) each(to, insn, FLOAT_ATOMIC, none);
    if (scattered(insn) > 1) each(to, insn, SCATTERED, none);
}

unsigned hazard_ending(const struct gpudbg_insn *insn)
{
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    const unsigned simm16 = le_u16(insn->raw);
    const struct gpudbg_operand *sum = gcn_operand(insn, GCN_IN_SDST);
    const bool null = !sum || sum->kind != GPUDBG_REGISTER;
    const bool calls = insn->op->flags & (GPUDBG_OP_CALL | GPUDBG_OP_RETURN);
    unsigned ends = calls || insn->op->id == GCN_s_setpc_b64 ? ENDS_CALL : 0;
    struct range range;
    switch (insn->op->id) {
    case GCN_s_waitcnt:
    case GCN_s_waitcnt_6:
        ends |= ENDS_WAIT;
        if (!gcn_counters_of(chip, simm16).vm) ends |= ENDS_WAIT_VM;
        if (!gcn_counters_of(chip, simm16).lgkm) ends |= ENDS_WAIT_LGKM;
        return ends;
    case GCN_s_waitcnt_lgkmcnt: return ends | ENDS_WAIT | (null && !simm16 ? ENDS_WAIT_LGKM : 0);
    case GCN_s_waitcnt_vscnt: return ends | ENDS_WAIT | (null && !simm16 ? ENDS_WAIT_VS : 0);
    case GCN_s_waitcnt_vmcnt:
    case GCN_s_waitcnt_expcnt:
    case GCN_s_wait_idle: return ends | ENDS_WAIT;
    case GCN_s_waitcnt_depctr:
        if (!GET(simm16, SOPP_DEPCTR, vm_vsrc)) ends |= ENDS_VM_VSRC;
        if (!GET(simm16, SOPP_DEPCTR, sa_sdst)) ends |= ENDS_SA_SDST;
        return ends;
    case GCN_s_version:
    case GCN_s_setvskip: return ends;
    default: break;
    }
    if (gcn_access_of(insn) == GCN_LOCALS) ends |= ENDS_LOCAL;
    if (is_memory(insn)) ends |= ENDS_MEMORY;
    if (insn->op->flags & GCN_SALU && insn->variant != GCN_SOPP) ends |= ENDS_SALU;
    if (!is_valu(insn)) return ends;
    ends |= ENDS_VALU | (insn->op->id == GCN_v_nop ? 0 : ENDS_VALU_WORK);
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].flags & GPUDBG_WRITE && scalar_range(&insn->operands[i], &range))
            ends |= ENDS_VALU_SCALAR;
    return ends;
}

/* ---- Seconds ---- */

static bool reads_zero_flag(const struct gpudbg_insn *insn)
{
    bool reads = false;
    for (unsigned i = 0; i < insn->noperands; i++)
        reads |= insn->operands[i].sub == GCN_CODE_VCCZ || insn->operands[i].sub == GCN_CODE_EXECZ;
    return reads;
}

bool hazard_is_second(const struct gpudbg_insn *insn, enum hazard_second second)
{
    switch (second) {
    case GETREG_SAME: return insn->op->id == GCN_s_getreg_b32;
    case SETREG_SAME: return is_setreg(insn);
    case VECTOR: return insn->op->flags & GPUDBG_OP_VECTOR;
    case DIV_FMAS: return insn->op->id == GCN_v_div_fmas_f32 || insn->op->id == GCN_v_div_fmas_f64;
    case LANE_SELECT: return insn->op->id == GCN_v_readlane_b32 || insn->op->id == GCN_v_writelane_b32;
    case ZERO_FLAG: return is_valu(insn) && reads_zero_flag(insn);
    case EXEC_BY_VECTOR: return is_valu(insn) && insn->op->flags & GCN_EXEC_W;
    case VALU_VECTOR:
    case SCALAR_BY_VECTOR: return is_valu(insn);
    case SCALAR_LOAD: return gcn_access_of(insn) == GCN_CONSTANTS;
    case SCALAR_WRITE: return is_scalar(insn);
    case PERMLANE: return insn->op->id == GCN_v_permlane16_b32 || insn->op->id == GCN_v_permlanex16_b32;
    case LOCAL_ACCESS: return gcn_access_of(insn) == GCN_LOCALS;
    case MEMORY_ACCESS: return is_memory(insn);
    case ODD_BUFFER: return gcn_access_of(insn) == GCN_BUFFERS && GET(word_of(insn), MUBUF_NEWER, offset) & 6;
    case ANY_SCATTERED: return scattered(insn);
    case BRANCH_BY_3F: return hazard_is_branch(insn) && GET(word_of(insn), SOPP_BRANCH, simm16) == 0x3f;
    case PREFETCH: return insn->op->id == GCN_s_inst_prefetch;
    case DENORM_MODE: return insn->op->id == GCN_s_denorm_mode;
    }
    return false;
}

/* Whether an operand is what the rule is about. */
static bool concerns(const struct gpudbg_operand *o, enum hazard_second second, struct range *range)
{
    if (second == VALU_VECTOR) {
        *range = (struct range){VGPR, o->reg, o->count};
        return o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_V && o->flags & GPUDBG_WRITE;
    }
    if (!scalar_range(o, range)) return false;
    switch (second) {
    case SCALAR_WRITE: return o->flags & GPUDBG_WRITE && !(o->flags & GPUDBG_IMPLICIT);
    case SCALAR_BY_VECTOR:
    case EXEC_BY_VECTOR: return o->flags & GPUDBG_WRITE;
    case ZERO_FLAG: return o->flags & GPUDBG_READ && (o->sub == GCN_CODE_VCCZ || o->sub == GCN_CODE_EXECZ);
    case DIV_FMAS: return o->flags & GPUDBG_READ && o->flags & GPUDBG_IMPLICIT && o->file == GCN_FILE_VCC;
    case LANE_SELECT: return o->flags & GPUDBG_READ && o->swizzle == GCN_IN_SRC1;
    default: return o->flags & GPUDBG_READ;
    }
}

void hazard_ranges(const struct gpudbg_insn *insn, enum hazard_second second, unsigned which, hazard_fn *each, void *to)
{
    struct range range;
    switch (second) {
    case GETREG_SAME:
    case SETREG_SAME: each(to, insn, which, hardware(insn)); break;
    case VECTOR: each(to, insn, which, (struct range){SKIP, 0, 1}); break;
    case DIV_FMAS:
    case ZERO_FLAG:
    case LANE_SELECT:
    case VALU_VECTOR:
    case SCALAR_LOAD:
    case SCALAR_WRITE:
    case SCALAR_BY_VECTOR:
    case EXEC_BY_VECTOR:
        for (unsigned i = 0; i < insn->noperands; i++)
            if (concerns(&insn->operands[i], second, &range)) each(to, insn, which, range);
        break;
    default: each(to, insn, which, (struct range){NONE, 0, 1}); break;
    }
}
