/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_predecode.c: the code of an image as ops, one a dword: see gpudbg/steps.h.  A few rare operands put a handler
 * before an op's own, which is then kept in a list.
 */
#include "engine/gcn_predecode.h"

#include "code/gcn_decoder.h"

#define GPUDBG_STEP struct gcn_op
#define GPUDBG_STEP_FN gcn_fn
#define GPUDBG_STEP_UNIT 4
#define GPUDBG_STEP_ALIGN 4
#define GPUDBG_STEP_BLOCK 256
#define GPUDBG_STEP_LONGEST 5
#define GPUDBG_STEP_PC "pc"
#define GPUDBG_STEP_FAULT GCN_FAULT
#include "gpudbg/steps.h"

struct gcn_code {
    struct steps steps;
    const struct gpudbg_isa *isa;
    const struct gcn_families *families;
    const struct gcn_level *level;
    uint32_t vgprs, sgprs;
    struct steps_kept live; /* by with_live_sources */
};

static struct gcn_code *code_of(const struct gpudbg_wave *w) { return gcn_of(w)->code; }

static struct steps *steps_of(const struct gpudbg_wave *w) { return &code_of(w)->steps; }

/* ---- Handlers of instructions that cannot be executed ---- */

uint64_t gcn_pc(const struct gpudbg_wave *w, const struct gcn_op *op) { return steps_pc(steps_of(w), op); }

static bool decode_at(const struct gpudbg_wave *w, const struct gcn_op *op, struct gpudbg_insn *insn)
{
    const struct gcn_code *code = code_of(w);
    const struct steps_section *section = steps_section(&code->steps, op);
    if (!section) return false;
    size_t at = 4 * (size_t)(op - section->step), size = 4 * section->count;
    return at < size && code->isa->decode(code->isa, section->bytes + at, size - at, section->base + at, insn) > 0;
}

const uint8_t *gcn_bytes(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct steps_section *section = steps_section(steps_of(w), op);
    return section->bytes + 4 * (op - section->step);
}

static const struct gcn_op *illegal(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct steps_section *section = steps_section(steps_of(w), op);
    const uint8_t *p = gcn_bytes(w, op);
    uint32_t word[2] = {0, 0};
    bool two = (size_t)(op - section->step) + 1 < section->count;
    memcpy(word, p, two ? 8 : 4);
    if (!two) return GCN_FAULT(w, op, -1, "illegal instruction 0x%08x", word[0]);
    return GCN_FAULT(w, op, -1, "illegal instruction 0x%08x 0x%08x", word[0], word[1]);
}

static const struct gcn_op *not_implemented(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    const bool known = decode_at(w, op, &insn);
    const char *with = known ? gcn_of(w)->families->refuses(&insn) : NULL;
    return GCN_FAULT(w, op, -1, "%s%s: not implemented", known ? insn.op->name : "instruction", with ? with : "");
}

static const struct gcn_op *reserved_bits(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    char text[200];
    if (!decode_at(w, op, &insn) || !gcn_reserved_text(&insn, text, sizeof text)) return not_implemented(w, op);
    return GCN_FAULT(w, op, -1, "%s: %s on %s: code of another chip?", insn.op->name, text, insn.isa->name);
}

static const struct gcn_op *not_checked(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    if (!decode_at(w, op, &insn)) return not_implemented(w, op);
    return GCN_FAULT(w, op, -1, "%s: not run on %s yet", insn.op->name, insn.isa->name);
}

static const struct gcn_op *unsure(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    const struct gcn_unsure *unsure = decode_at(w, op, &insn) ? gcn_unsure(gcn_chip_of(insn.isa), insn.op) : NULL;
    if (!unsure) return not_implemented(w, op);
    return GCN_FAULT(w, op, -1, "%s: its result on %s is not known: %s", insn.op->name, insn.isa->name, unsure->why);
}

static const struct gcn_op *no_such_vgpr(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return GCN_FAULT(w, op, -1, "v%u does not exist: the launch has %u VGPRs", op->imm, gcn_of(w)->vgprs);
}

static const struct gcn_op *no_such_sgpr(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return GCN_FAULT(w, op, -1, "s%u does not exist: the launch has %u SGPRs", op->imm, gcn_of(w)->sgprs);
}

static const struct gcn_op *bad_operand(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    const char *name = decode_at(w, op, &insn) ? insn.op->name : "instruction";
    return GCN_FAULT(w, op, -1, "%s: operand code %u is not a register that it can use", name, op->imm);
}

/* ---- Handlers before others ---- */

static const struct gcn_op *step_break(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_sync(w, op);
    return gcn_stop(w, GPUDBG_RAN_BREAK);
}

gcn_fn *const gcn_break = step_break;

/* LDS_DIRECT: M0[15:0] is a byte address, M0[18:16] the type: unsigned byte, unsigned short, dword, -, signed byte,
 * short. */
static bool read_lds_direct(struct gpudbg_wave *w)
{
    uint32_t *s = gcn_s(w), m0 = s[GCN_M0], type = m0 >> 16 & 7, value = 0;
    static const uint8_t sizes[8] = {1, 2, 4, 0, 1, 2, 0, 0};
    if (!sizes[type]) {
        gpudbg_fault(w, -1, "lds_direct: m0 holds type %u: types are 0, 1, 2, 4 and 5", type);
        return false;
    }
    if (!gpudbg_mem_read(w, GPUDBG_LOCAL, m0 & 0xffff, &value, sizes[type], -1)) return false;
    s[GCN_LDS_DIRECT] = type == 4 ? (uint32_t)(int8_t)value : type == 5 ? (uint32_t)(int16_t)value : value;
    return true;
}

/* Whether the instruction's results are known in all lanes.  false: a fault. */
static bool is_sure(struct gpudbg_wave *w, const struct gcn_op *op, const struct gpudbg_insn *insn)
{
    const struct gcn_unsure *unsure = gcn_unsure(gcn_chip_of(insn->isa), insn->op);
    const int lane = unsure ? gcn_of(w)->families->unsure_lane(w, op, unsure) : -1;
    if (lane >= 0)
        gpudbg_fault(w, lane, "%s: the result of this input on %s is not known: %s", insn->op->name, insn->isa->name,
            unsure->why);
    return lane < 0;
}

/* Computes the sources that are not stored anywhere, and looks for inputs whose results are not known.  false: a fault.
 */
static bool work_out_sources(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    struct gpudbg_insn insn;
    s[GCN_VCCZ] = !(gcn_pair(s, GCN_VCC) & gcn_pair(s, GCN_LANES));
    s[GCN_EXECZ] = !gcn_active(w);
    for (unsigned code = GCN_VCCZ; code <= GCN_SCC; code++) gcn_set_pair(s, gcn_wide(code), s[code]);
    bool lds = false;
    const bool known = decode_at(w, op, &insn);
    for (unsigned i = 0; known && i < insn.noperands; i++)
        lds |= insn.operands[i].kind == GPUDBG_SPECIAL && insn.operands[i].sub == GCN_CODE_LDS;
    gcn_sync(w, op);
    return (!lds || read_lds_direct(w)) && (!known || is_sure(w, op, &insn));
}

static const struct gcn_op *with_live_sources(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return work_out_sources(w, op) ? steps_kept_fn(&code_of(w)->live, op)(w, op) : gcn_stop(w, GPUDBG_RAN_FAULT);
}

/* A long instruction and a literal: three dwords. */
static const struct gcn_op *with_third_dword(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct gcn_op *next = steps_kept_fn(&code_of(w)->live, op)(w, op);
    return next == gcn_next(op) ? next + 1 : next;
}

static const struct gcn_op *with_live_sources_and_third(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return work_out_sources(w, op) ? with_third_dword(w, op) : gcn_stop(w, GPUDBG_RAN_FAULT);
}

/* ---- Making ops ---- */

/* One past the last code of the register file that a scalar code belongs to: a write does not go further. */
static unsigned file_end(unsigned code)
{
    return code < GCN_SGPRS ? GCN_SGPRS : code >= GCN_TTMP && code < GCN_M0 ? GCN_M0 : (code | 1) + 1;
}

/* The op becomes one that stops, and holds nothing that could be taken for a register's number. */
static bool refuse(struct gcn_op *op, gcn_fn *fn, uint32_t imm)
{
    *op = (struct gcn_op){.fn = fn, .imm = imm};
    return false;
}

/* Whether every register of the operand exists.  If not, the op becomes one that reports it. */
static bool operand_exists(
    const struct gcn_code *code, const struct gpudbg_insn *insn, const struct gpudbg_operand *o, struct gcn_op *op)
{
    const bool constant = o->kind != GPUDBG_REGISTER && o->kind != GPUDBG_SPECIAL;
    if (o->flags & GPUDBG_IMPLICIT || (constant && !(o->flags & GPUDBG_WRITE))) return true;
    if (o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_V && !gcn_is_mask(o->type)) {
        const bool by_image = insn->variant == GCN_MIMG &&
                              o->swizzle == GCN_IN_VADDR; /* the image decides how many when it runs */
        const unsigned count = by_image ? 1 : o->count;
        return o->reg + count <= code->vgprs || refuse(op, no_such_vgpr, o->reg + count - 1u);
    }
    unsigned dwords = gcn_type_dwords(o->type);
    bool code_field = o->type && dwords && o->type < GCN_TARGET;
    if (!code_field) return true;
    bool good = (o->kind == GPUDBG_REGISTER && o->sub < GCN_CODE_VGPR) || (o->sub == GCN_CODE_LDS && dwords == 1);
    if (good && o->flags & GPUDBG_WRITE)
        good = o->sub < GCN_INLINE && o->sub + dwords <= file_end(o->sub) && o->sub != GCN_M0 + 1;
    if (o->sub == GCN_CODE_NULL && gcn_chip_of(insn->isa)->null_register) return true;
    /* The bounds of LDS and scratch; what 32 bits of them are is not known. */
    if (o->sub >= GCN_CODE_APERTURE && o->sub < GCN_CODE_APERTURE + 4 && gcn_chip_of(insn->isa)->apertures &&
        dwords == 2)
        return true;
    if (!good) return refuse(op, bad_operand, o->sub);
    const bool counted = o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_S;
    return !counted || o->reg + dwords <= code->sgprs || refuse(op, no_such_sgpr, o->reg + dwords - 1u);
}

static bool reads_live(const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        bool wide = gcn_type_dwords(o->type) > 1; /* SCC has a word, but not two */
        bool constant = o->kind == GPUDBG_REGISTER &&
                        (o->sub == GCN_CODE_VCCZ || o->sub == GCN_CODE_EXECZ || (o->sub == GCN_CODE_SCC && wide));
        bool lds = o->kind == GPUDBG_SPECIAL && o->sub == GCN_CODE_LDS && gcn_type_dwords(o->type);
        if (!(o->flags & GPUDBG_IMPLICIT) && (constant || lds)) return true;
    }
    return false;
}

static void step_make(struct steps *steps, struct steps_section *section, size_t i)
{
    struct gcn_code *code = (struct gcn_code *)steps;
    struct gcn_op *op = &section->step[i];
    struct gpudbg_insn insn;
    *op = (struct gcn_op){.fn = illegal};
    if (code->isa->decode(code->isa, section->bytes + 4 * i, 4 * (section->count - i), section->base + 4 * i, &insn) <=
        0)
        return;
    const uint32_t longer = insn.size >= 8 ? GCN_LONG : 0;
    const bool checked = gcn_is_checked(gcn_chip_of(insn.isa), insn.op);
    bool made = checked && code->families->take(&insn, code->level, op);
    if (!made) refuse(op, checked || gcn_chip_of(insn.isa)->whole ? not_implemented : not_checked, 0);
    const struct gcn_unsure *in_lanes = gcn_unsure(gcn_chip_of(insn.isa), insn.op);
    if (made && in_lanes && in_lanes->lanes == GCN_UNSURE_ALL) made = refuse(op, unsure, 0);
    if (made && gcn_reserved_text(&insn, NULL, 0)) made = refuse(op, reserved_bits, 0);
    for (unsigned k = 0; made && k < insn.noperands; k++) made = operand_exists(code, &insn, &insn.operands[k], op);
    const struct gpudbg_operand *simm16 = gcn_operand(&insn, GCN_IN_SIMM16);
    if (made && simm16 && simm16->kind == GPUDBG_CODE) {
        op->target = steps_target(steps, (uint64_t)simm16->imm);
        if (!op->target) made = refuse(op, not_implemented, 0);
    }
    const bool live = made && (in_lanes || reads_live(&insn)),
               third = made && insn.size == 12 &&
                       !is_image((int)insn.variant); /* those step over all of their dwords */
    if ((live || third) && steps_keep(&code->live, op))
        op->fn = !third ? with_live_sources : live ? with_live_sources_and_third : with_third_dword;
    op->mods = (op->mods & ~GCN_LONG) | longer;
}

static void step_unmake(struct steps *steps, struct gcn_op *op) { steps_drop(&((struct gcn_code *)steps)->live, op); }

static bool step_stops(const struct gcn_op *op) { return op->fn != illegal; }

const struct gcn_op *gcn_goto(struct gpudbg_wave *w, uint64_t pc) { return steps_at(steps_of(w), pc); }

const struct gcn_op *gcn_code_section(const struct gpudbg_machine *m, size_t i, size_t *n, uint64_t *base)
{
    const struct steps *steps = &((const struct gcn_run *)m->runner)->code->steps;
    if (i >= steps->nsections) return NULL;
    *n = steps->section[i].count;
    *base = steps->section[i].base;
    return steps->section[i].step;
}

struct gcn_ops gcn_ops_of(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct steps_section *s = steps_section(steps_of(w), op);
    return s ? (struct gcn_ops){s->step, s->step + s->count + GPUDBG_STEP_LONGEST, s->base}
             : (struct gcn_ops){NULL, NULL, 0};
}

bool gcn_breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    return steps_breakpoint(&((struct gcn_run *)m->runner)->code->steps, pc, on);
}

gcn_fn *gcn_real_fn(const struct gpudbg_wave *w, const struct gcn_op *op) { return steps_fn(steps_of(w), op); }

void gcn_made(struct gpudbg_wave *w, const struct gcn_op *op) { steps_make(steps_of(w), op); }

bool gcn_prepare(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_fn *fn = gcn_real_fn(w, op);
    return (fn != with_live_sources && fn != with_live_sources_and_third) || work_out_sources(w, op);
}

const struct gpudbg_op *gcn_row(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    return decode_at(w, op, &insn) ? insn.op : NULL;
}

bool gcn_is_vector(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    return decode_at(w, op, &insn) && insn.op->flags & GPUDBG_OP_VECTOR;
}

/* ---- Code that changes ---- */

/* The launch's own copy of the code, which programs read as data. */
static void copy_code(struct gpudbg_machine *m, uint64_t from, uint64_t to)
{
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    for (size_t i = 0; i < space->count; i++) {
        const struct gpudbg_segment *s = space->segment[i];
        if (from >= s->base && to - s->base <= s->size)
            gpudbg_image_copy(m->image, from, s->bytes + (from - s->base), to - from);
    }
}

bool gcn_recode(struct gpudbg_machine *m, uint64_t from, uint64_t to, struct gpudbg_error *err)
{
    struct gcn_run *g = m->runner;
    if (m->hidden_bits && g->families->sees_exceptions(m->image))
        return gpudbg_fail(err, "not-now",
            "the new code reads float exceptions, which this launch does not record: `kill`, patch, then `run`");
    steps_recode(&g->code->steps, m->image, from, to);
    copy_code(m, from, to);
    return true;
}

/* ---- Making and freeing ---- */

bool gcn_code_new(struct gpudbg_machine *m, const struct gcn_families *families, uint32_t vgprs, uint32_t sgprs,
    struct gpudbg_error *err)
{
    struct gcn_run *g = calloc(1, sizeof *g);
    struct gcn_code *code = calloc(1, sizeof *code);
    m->runner = g;
    if (!g || !code) {
        free(g);
        free(code);
        m->runner = NULL;
        return gpudbg_fail(err, "memory", "no memory for the machine");
    }
    g->code = code;
    g->families = families;
    gcn_constants(g->constants, gcn_chip_of(m->isa));
    g->vgprs = vgprs;
    g->sgprs = sgprs;
    code->isa = m->isa;
    code->families = families;
    code->level = families->level();
    code->vgprs = vgprs;
    code->sgprs = sgprs;
    if (!steps_open(&code->steps, m->image, err)) {
        gcn_code_free(m);
        return false;
    }
    m->wave_words = GCN_SCALARS + 64 * vgprs;
    return true;
}

void gcn_code_free(struct gpudbg_machine *m)
{
    struct gcn_run *g = m->runner;
    if (!g) return;
    struct gcn_code *code = g->code;
    steps_close(&code->steps);
    free(code->live.of);
    free(code);
    free(g);
    m->runner = NULL;
}
