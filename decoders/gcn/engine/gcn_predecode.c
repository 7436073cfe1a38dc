/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_predecode.c: the code sections of an image as ops, one a dword.
 *
 * Ops are made a block at a time, when control first comes there: a jump into an unmade block, or running on into it,
 * meets the handler `lazy`.  So a large file costs address space, not time.  Breakpoints and a few rare operands put a
 * handler before the real one, which is then kept in a list.
 */
#include "engine/gcn_predecode.h"
#include "alu/exceptions.h"
#include "alu/gcn_lanes_simd.h"
#include "alu/gcn_packed.h"

#include <stdlib.h>

#define BLOCK 256u /* ops */

struct section {
    uint64_t base;
    const uint8_t *bytes;
    uint8_t *relocated; /* a copy that `bytes` is, where the file's own lack addresses; or NULL */
    size_t count;       /* dwords */
    struct gcn_op *ops; /* count + 2: running off the end */
};

/* The real handler of an op. */
struct kept {
    struct gcn_op *op;
    gcn_fn *fn;
};

struct kept_list {
    struct kept *list;
    size_t n, room;
};

/* A branch's target that is no code. */
struct far {
    struct far *next;
    struct gcn_op op;
};

struct gcn_code {
    const struct gpudbg_isa *isa;
    const struct gcn_level *level;
    uint32_t vgprs, sgprs;
    struct section *section;
    size_t nsections;
    struct kept_list breaks, live;
    struct gcn_op outside; /* of the latest jump out of the code */
    struct far *far;
};

/* ---- Places ---- */

static struct gcn_code *code_of(const struct gpudbg_wave *w) { return gcn_of(w)->code; }

static struct section *section_of(const struct gcn_code *code, const struct gcn_op *op)
{
    for (size_t i = 0; i < code->nsections; i++)
        if (op >= code->section[i].ops && op < code->section[i].ops + code->section[i].count + 2)
            return &code->section[i];
    return NULL;
}

static gcn_fn *kept_fn(const struct kept_list *kept, const struct gcn_op *op)
{
    for (size_t i = 0; i < kept->n; i++)
        if (kept->list[i].op == op) return kept->list[i].fn;
    return NULL;
}

static bool keep(struct kept_list *kept, struct gcn_op *op)
{
    if (kept->n == kept->room) {
        size_t room = kept->room ? 2 * kept->room : 16;
        struct kept *list = realloc(kept->list, room * sizeof *list);
        if (!list) return false;
        kept->list = list;
        kept->room = room;
    }
    kept->list[kept->n++] = (struct kept){op, op->fn};
    return true;
}

/* ---- Handlers of what cannot be executed ---- */

static const struct gcn_op *outside(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t pc = gcn_pc(w, op);
    const struct gpudbg_symbol *s = gpudbg_image_symbol_at(w->machine->image, pc);
    if (s && s->kind == GPUDBG_SYM_UNDEFINED)
        return GCN_FAULT(w, op, -1, "%.200s was called, and the file does not contain it", s->name);
    return GCN_FAULT(w, op, -1, "pc 0x%llx is outside the code", (unsigned long long)pc);
}

uint64_t gcn_pc(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct section *section = section_of(code_of(w), op);
    return section ? section->base + 4 * (uint64_t)(op - section->ops) : op->pc;
}

static bool decode_at(const struct gpudbg_wave *w, const struct gcn_op *op, struct gpudbg_insn *insn)
{
    const struct gcn_code *code = code_of(w);
    const struct section *section = section_of(code, op);
    if (!section) return false;
    size_t at = 4 * (size_t)(op - section->ops), size = 4 * section->count;
    return at < size && code->isa->decode(code->isa, section->bytes + at, size - at, section->base + at, insn) > 0;
}

static const struct gcn_op *illegal(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct section *section = section_of(code_of(w), op);
    const uint8_t *p = section->bytes + 4 * (op - section->ops);
    uint32_t word[2] = {0, 0};
    bool two = (size_t)(op - section->ops) + 1 < section->count;
    memcpy(word, p, two ? 8 : 4);
    if (!two) return GCN_FAULT(w, op, -1, "illegal instruction 0x%08x", word[0]);
    return GCN_FAULT(w, op, -1, "illegal instruction 0x%08x 0x%08x", word[0], word[1]);
}

static const struct gcn_op *not_implemented(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    const bool known = decode_at(w, op, &insn);
    const char *with = known ? gcn_pro_refuses(&insn) : NULL;
    return GCN_FAULT(w, op, -1, "%s%s: not implemented", known ? insn.op->name : "instruction", with ? with : "");
}

static const struct gcn_op *reserved_bits(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gpudbg_insn insn;
    char text[200];
    if (!decode_at(w, op, &insn) || !gcn_reserved_text(&insn, text, sizeof text)) return not_implemented(w, op);
    return GCN_FAULT(w, op, -1, "%s: %s on %s: code of another chip?", insn.op->name, text, insn.isa->name);
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

static const struct gcn_op *stop_here(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_sync(w, op);
    return gcn_stop(w, GPUDBG_RAN_BREAK);
}

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

/* Works out the sources that are not stored anywhere.  false: a fault. */
static bool work_out_sources(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    struct gpudbg_insn insn;
    s[GCN_VCCZ] = !gcn_pair(s, GCN_VCC);
    s[GCN_EXECZ] = !gcn_active(w);
    for (unsigned code = GCN_VCCZ; code <= GCN_SCC; code++) gcn_set_pair(s, gcn_wide(code), s[code]);
    bool lds = false;
    if (decode_at(w, op, &insn))
        for (unsigned i = 0; i < insn.noperands; i++)
            lds |= insn.operands[i].kind == GPUDBG_SPECIAL && insn.operands[i].sub == GCN_CODE_LDS;
    gcn_sync(w, op);
    return !lds || read_lds_direct(w);
}

static const struct gcn_op *with_live_sources(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return work_out_sources(w, op) ? kept_fn(&code_of(w)->live, op)(w, op) : gcn_stop(w, GPUDBG_RAN_FAULT);
}

/* ---- Making ops ---- */

static void make_block(struct gcn_code *code, struct section *section, size_t block);

static const struct gcn_op *lazy(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct section *section = section_of(code_of(w), op);
    make_block(code_of(w), section, (size_t)(op - section->ops) / BLOCK);
    return op->fn(w, op);
}

/* The op at pc, so that it can be executed or made; NULL: no code there. */
static struct gcn_op *op_at(const struct gcn_code *code, uint64_t pc)
{
    for (size_t i = 0; i < code->nsections; i++) {
        const struct section *s = &code->section[i];
        if (pc - s->base < 4 * (uint64_t)s->count && !(pc & 3)) {
            struct gcn_op *op = &s->ops[(pc - s->base) / 4];
            if (!op->fn) op->fn = lazy;
            return op;
        }
    }
    return NULL;
}

/* An op for a branch's target; always one. */
static const struct gcn_op *target_op(struct gcn_code *code, uint64_t pc)
{
    struct gcn_op *op = op_at(code, pc);
    if (op) return op;
    struct far *far = calloc(1, sizeof *far);
    if (!far) return NULL;
    far->next = code->far;
    code->far = far;
    far->op.fn = outside;
    far->op.pc = pc;
    return &far->op;
}

/* Behind the last code of the registers that a scalar code is one of: what is written runs no further. */
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

/* Is every register of the operand one that there is?  If not the op becomes one that says so. */
static bool operand_exists(
    const struct gcn_code *code, const struct gpudbg_insn *insn, const struct gpudbg_operand *o, struct gcn_op *op)
{
    const bool constant = o->kind != GPUDBG_REGISTER && o->kind != GPUDBG_SPECIAL;
    if (o->flags & GPUDBG_IMPLICIT || (constant && !(o->flags & GPUDBG_WRITE))) return true;
    if (o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_V && o->type != GCN_MASK) {
        const bool by_image = insn->variant == GCN_MIMG &&
                              o->swizzle == GCN_IN_VADDR; /* which decides how many when it runs */
        const unsigned count = by_image ? 1 : o->count;
        return o->reg + count <= code->vgprs || refuse(op, no_such_vgpr, o->reg + count - 1u);
    }
    unsigned dwords = gcn_type_dwords(o->type);
    bool code_field = o->type && dwords && o->type < GCN_TARGET;
    if (!code_field) return true;
    bool good = (o->kind == GPUDBG_REGISTER && o->sub < GCN_CODE_VGPR) || (o->sub == GCN_CODE_LDS && dwords == 1);
    if (good && o->flags & GPUDBG_WRITE)
        good = o->sub < GCN_INLINE && o->sub + dwords <= file_end(o->sub) && o->sub != GCN_M0 + 1;
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

static void make_op(struct gcn_code *code, const struct section *section, size_t i)
{
    struct gcn_op *op = &section->ops[i];
    struct gpudbg_insn insn;
    *op = (struct gcn_op){.fn = illegal};
    if (code->isa->decode(code->isa, section->bytes + 4 * i, 4 * (section->count - i), section->base + 4 * i, &insn) <=
        0)
        return;
    const uint32_t longer = insn.size == 8 ? GCN_LONG : 0;
    bool made = insn.variant >= GCN_SOP1 && insn.variant <= GCN_SOPP ? gcn_scalar_op(&insn, op)
                : insn.variant >= GCN_VINTRP || insn.variant == GCN_VOP3H || insn.variant == GCN_VOP3P
                    ? gcn_vector_op(&insn, code->level, op)
                    : gcn_memory_op(&insn, op);
    if (!made) refuse(op, not_implemented, 0);
    if (made && gcn_reserved_text(&insn, NULL, 0)) made = refuse(op, reserved_bits, 0);
    for (unsigned k = 0; made && k < insn.noperands; k++) made = operand_exists(code, &insn, &insn.operands[k], op);
    const struct gpudbg_operand *simm16 = gcn_operand(&insn, GCN_IN_SIMM16);
    if (made && simm16 && simm16->kind == GPUDBG_CODE) {
        op->target = target_op(code, (uint64_t)simm16->imm);
        if (!op->target) made = refuse(op, not_implemented, 0);
    }
    if (made && reads_live(&insn) && keep(&code->live, op)) op->fn = with_live_sources;
    op->mods = (op->mods & ~GCN_LONG) | longer;
}

/* Ops of the block that jumps have marked as lazy already are made as well; a breakpoint is set on made ops only. */
static void make_block(struct gcn_code *code, struct section *section, size_t block)
{
    size_t first = block * BLOCK, end = first + BLOCK;
    if (end > section->count) end = section->count;
    for (size_t i = first; i < end; i++)
        if (!section->ops[i].fn || section->ops[i].fn == lazy) make_op(code, section, i);
    for (size_t i = end; i < end + 2; i++)
        if (!section->ops[i].fn) section->ops[i].fn = lazy;
}

const struct gcn_op *gcn_goto(struct gpudbg_wave *w, uint64_t pc)
{
    struct gcn_code *code = code_of(w);
    const struct gcn_op *op = op_at(code, pc);
    if (op) return op;
    code->outside.pc = pc;
    return &code->outside;
}

const struct gcn_op *gcn_code_section(const struct gpudbg_machine *m, size_t i, size_t *n, uint64_t *base)
{
    const struct gcn_code *code = ((const struct gfx7 *)m->runner)->code;
    if (i >= code->nsections) return NULL;
    *n = code->section[i].count;
    *base = code->section[i].base;
    return code->section[i].ops;
}

/* ---- Breakpoints ---- */

bool gcn_breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    struct gcn_code *code = ((struct gfx7 *)m->runner)->code;
    struct gcn_op *op = op_at(code, pc);
    if (!op) return false;
    struct section *section = section_of(code, op);
    if (op->fn == lazy) make_block(code, section, (size_t)(op - section->ops) / BLOCK);
    if (op->fn == illegal) return false;
    struct kept_list *breaks = &code->breaks;
    for (size_t i = 0; i < breaks->n; i++)
        if (breaks->list[i].op == op) {
            if (!on) {
                op->fn = breaks->list[i].fn;
                breaks->list[i] = breaks->list[--breaks->n];
            }
            return true;
        }
    if (!on) return true;
    if (!keep(breaks, op)) return false;
    op->fn = stop_here;
    return true;
}

gcn_fn *gcn_real_fn(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    return op->fn == stop_here ? kept_fn(&code_of(w)->breaks, op) : op->fn;
}

void gcn_made(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct section *section = op->fn == lazy ? section_of(code_of(w), op) : NULL;
    if (section) make_block(code_of(w), (struct section *)section, (size_t)(op - section->ops) / BLOCK);
}

bool gcn_prepare(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return gcn_real_fn(w, op) != with_live_sources || work_out_sources(w, op);
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

/* Ops that are not made: those of [first, end).  Their breakpoints are taken out, and *pcs gets where they were; there
 * is room for all that exist. */
static size_t unmake(struct gpudbg_machine *m, struct section *s, size_t first, size_t end, uint64_t *pcs)
{
    struct gcn_code *code = ((struct gfx7 *)m->runner)->code;
    const struct gcn_op *from = &s->ops[first], *to = &s->ops[end];
    size_t n = 0;
    for (size_t i = code->breaks.n; i-- > 0;) {
        struct gcn_op *op = code->breaks.list[i].op;
        if (op < from || op >= to) continue;
        pcs[n++] = s->base + 4 * (uint64_t)(op - s->ops);
        code->breaks.list[i] = code->breaks.list[--code->breaks.n];
    }
    for (size_t i = code->live.n; i-- > 0;)
        if (code->live.list[i].op >= from && code->live.list[i].op < to)
            code->live.list[i] = code->live.list[--code->live.n];
    for (size_t i = first; i < end; i++) s->ops[i] = (struct gcn_op){.fn = lazy};
    return n;
}

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
    struct gfx7 *g = m->runner;
    struct gcn_code *code = g->code;
    if (m->hidden_bits && gcn_sees_exceptions(m->image))
        return gpudbg_fail(err, "not-now",
            "the new code reads float exceptions, which this launch does not record: `kill`, patch, then `run`");
    uint64_t *pcs = malloc((code->breaks.n + 1) * sizeof *pcs);
    if (!pcs) return gpudbg_fail(err, "memory", "no memory for the breakpoints");
    for (size_t i = 0; i < code->nsections; i++) {
        struct section *s = &code->section[i];
        size_t left = 0;
        if (from < s->base || from - s->base >= 4 * (uint64_t)s->count) continue;
        const uint8_t *bytes = gpudbg_image_bytes(m->image, s->base, &left);
        if (s->relocated)
            gpudbg_image_copy(m->image, s->base, s->relocated, 4 * (uint64_t)s->count);
        else if (bytes && left >= 4 * s->count)
            s->bytes = bytes;
        size_t first = (size_t)((from - s->base) / 4), end = (size_t)((to - s->base + 3) / 4);
        if (first) first--; /* a literal may be what was changed */
        if (end > s->count) end = s->count;
        for (size_t n = unmake(m, s, first, end, pcs); n-- > 0;) gcn_breakpoint(m, pcs[n], true);
    }
    free(pcs);
    copy_code(m, from, to);
    return true;
}

/* ---- Making and freeing ---- */

bool gcn_code_new(struct gpudbg_machine *m, uint32_t vgprs, uint32_t sgprs, struct gpudbg_error *err)
{
    struct gfx7 *g = calloc(1, sizeof *g);
    struct gcn_code *code = calloc(1, sizeof *code);
    m->runner = g;
    if (!g || !code) {
        free(g);
        free(code);
        m->runner = NULL;
        return gpudbg_fail(err, "memory", "no memory for the machine");
    }
    g->code = code;
    gcn_constants(g->constants, m->isa == &gfx7_pro_isa);
    g->vgprs = vgprs;
    g->sgprs = sgprs;
    code->isa = m->isa;
    code->level = lanes_widest(&gcn_level_1, &gcn_level_3, &gcn_level_4);
    code->vgprs = vgprs;
    code->sgprs = sgprs;
    code->outside.fn = outside;
    code->section = calloc(m->image->nsections + 1, sizeof *code->section);
    for (size_t i = 0; code->section && i < m->image->nsections; i++) {
        const struct gpudbg_section *from = &m->image->sections[i];
        if (!(from->flags & GPUDBG_CODE_BYTES) || !from->bytes || from->size < 4 || from->addr & 3) continue;
        struct section *s = &code->section[code->nsections++];
        *s = (struct section){.base = from->addr, .bytes = from->bytes, .count = (size_t)(from->size / 4)};
        s->ops = calloc(s->count + 2, sizeof *s->ops);
        if (m->image->npatches && (s->relocated = malloc((size_t)from->size))) {
            gpudbg_image_copy(m->image, from->addr, s->relocated, from->size);
            s->bytes = s->relocated;
        }
        if (!s->ops || (m->image->npatches && !s->relocated)) {
            gcn_code_free(m);
            return gpudbg_fail(err, "memory", "no memory for %llu bytes of code", (unsigned long long)from->size);
        }
        s->ops[s->count].fn = s->ops[s->count + 1].fn = outside;
    }
    if (!code->section) {
        gcn_code_free(m);
        return gpudbg_fail(err, "memory", "no memory for the machine");
    }
    m->wave_words = GCN_SCALARS + 64 * vgprs;
    return true;
}

void gcn_code_free(struct gpudbg_machine *m)
{
    struct gfx7 *g = m->runner;
    if (!g) return;
    struct gcn_code *code = g->code;
    for (size_t i = 0; i < code->nsections; i++) {
        free(code->section[i].ops);
        free(code->section[i].relocated);
    }
    while (code->far) {
        struct far *next = code->far->next;
        free(code->far);
        code->far = next;
    }
    free(code->section);
    free(code->breaks.list);
    free(code->live.list);
    free(code);
    free(g);
    m->runner = NULL;
}
