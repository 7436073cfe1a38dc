/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shader_inputs.c: `info inputs`: a shader's inputs and outputs, from its code:
 *
 *     fetch    an attribute of a vertex: where its V# came from, its registers, its format, its index
 *     call     of a fetch shader, whose attributes follow if its address and its code are known
 *     interp   an attribute of a pixel: its channels, and the parameter that it is made of
 *     export   a target with its registers, and the attribute that a parameter becomes
 *
 * Attribute n of a pixel is parameter n of a vertex, unless SPI_PS_INPUT_CNTL_n says otherwise, which dumps of
 * registers have (files/load_registers.c).
 */
#include <inttypes.h>
#include <stdlib.h>
#include "code/gcn_decoder.h"
#include "flow/scalars.h"
#include "files/shader.h"
#include "gcn_ops.h"

struct row {
    struct flow_use use; /* of fetches; n 0: none */
    const char *what;
    uint64_t pc;
    char name[32], registers[48], index[64], format[48], pairs[64];
};

struct attribute {
    uint64_t pc;
    uint8_t channels; /* a bit each */
    bool flat;
    uint8_t from; /* VGPR with I, of interpolated ones */
};

struct walk {
    struct row row;
    struct gpudbg *g;
    const struct gpudbg_image *image;
    struct flow *flow;
    const struct flow_values *values;
    gpudbg_row_fn *each;
    void *to;
    bool stopped, called; /* called: in a fetch shader */
    unsigned fetches;
    uint64_t writer[256]; /* of each VGPR: the address after the instruction that wrote it; 0: not written */
    uint16_t writer_op[256];
    struct attribute attribute[64];
    uint64_t next; /* code of a fetch shader that was called */
    bool has_next;
};

/* ---- Cells ---- */

#define CELL(member)                                                       \
    static int member##_cell(const void *r, char *buf, size_t size)        \
    {                                                                      \
        return snprintf(buf, size, "%s", ((const struct row *)r)->member); \
    }
CELL(what)
CELL(name)
CELL(registers)
CELL(index)
CELL(pairs)

static int pc_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct row *)r)->pc);
}

static int path_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    return row->use.n ? flow_use_path(&row->use, buf, size) : 0;
}

static int format_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    if (row->format[0]) return snprintf(buf, size, "%s", row->format);
    return row->use.n == 4 ? flow_use_format(&row->use, buf, size) : 0;
}

static int size_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    return row->use.n == 4 ? flow_use_size(&row->use, buf, size) : 0;
}

static int address_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    return row->use.n == 4 ? flow_use_address(&row->use, buf, size) : 0;
}

static const struct gpudbg_column columns[] = {
    {"pc", "pc", 0, GPUDBG_ADDRESS, pc_cell},
    {"kind", "what", 0, GPUDBG_NAME, what_cell},
    {"name", "name", 0, GPUDBG_NAME, name_cell},
    {"registers", "registers", 0, GPUDBG_NAME, registers_cell},
    {"index", "counted by", 0, GPUDBG_NAME, index_cell},
    {"path", "V# came by", 0, GPUDBG_NAME, path_cell},
    {"format", "format", 0, GPUDBG_NAME, format_cell},
    {"size", "size", 0, GPUDBG_NAME, size_cell},
    {"address", "address", 0, GPUDBG_HEXVALUE, address_cell},
    {"pairs", "paired with", 0, GPUDBG_NOTE, pairs_cell},
};

/* ---- Rows ---- */

static bool fact(const struct gpudbg_image *image, const char *key, uint64_t *value)
{
    for (size_t i = 0; i < image->nfacts; i++)
        if (strcmp(image->facts[i].key, key) == 0) {
            *value = image->facts[i].value;
            return true;
        }
    return false;
}

static unsigned stage_of(const struct gpudbg_image *image)
{
    uint64_t value;
    return fact(image, "stage", &value) && value < GCN_STAGES ? (unsigned)value : GCN_STAGES;
}

static struct row *new_row(struct walk *w, const char *what, uint64_t pc)
{
    w->row = (struct row){.what = what, .pc = pc, .use = {.flow = w->flow, .values = w->values, .kind = 'V'}};
    return &w->row;
}

static bool give(struct walk *w)
{
    w->stopped = w->stopped || !w->each(w->to, &w->row);
    return !w->stopped;
}

static void put_vgprs(struct text *t, unsigned first, unsigned n)
{
    if (n > 1)
        text_add(t, "v[%u:%u]", first, first + n - 1);
    else
        text_add(t, "v%u", first);
}

/* The contents of the index register: a value of the stage's start, or an instruction's result. */
static void put_index(const struct walk *w, unsigned reg, struct text *t)
{
    const bool local = stage_of(w->image) == GCN_STAGE_LOCAL;
    text_add(t, "v%u: ", reg);
    if (w->writer[reg])
        text_add(t, "%s at 0x%" PRIx64, gcn_ops[w->writer_op[reg]].name, w->writer[reg] - 1);
    else if (reg == 0)
        text_add(t, "vertex");
    else if (reg == 3 || reg == (local ? 2 : 1))
        text_add(t, "instance");
    else
        text_add(t, "as the wave starts");
}

static bool see_fetch(struct walk *w, const struct gpudbg_insn *insn, const struct flow_state *s)
{
    const struct gpudbg_operand *data = gcn_operand(insn, GCN_IN_VDATA), *rsrc = gcn_operand(insn, GCN_IN_SRSRC);
    const uint32_t word = le_u32(insn->raw);
    struct gcn_codes codes, loaded;
    const unsigned stage = stage_of(w->image);
    const bool newer = gcn_chip_of(insn->isa)->newer_buffers;
    if (!(newer ? GET(word, MUBUF_NEWER, idxen) : GET(word, MUBUF, idxen)) || !strstr(insn->op->name, "load_format") ||
        stage == GCN_STAGE_PIXEL || stage == GCN_STAGE_COMPUTE || !data || !rsrc || !gcn_codes_of(rsrc, &codes) ||
        !gcn_codes_of(data, &loaded) || codes.first + 4u > GCN_CODE_INT)
        return true;
    struct row *row = new_row(w, "fetch", insn->addr);
    struct text name = text_in(row->name, sizeof row->name), to = text_in(row->registers, sizeof row->registers),
                index = text_in(row->index, sizeof row->index), format = text_in(row->format, sizeof row->format);
    text_add(&name, "attribute %u", w->fetches++);
    put_vgprs(&to, loaded.first - GCN_CODE_VGPR, loaded.count);
    put_index(w, gcn_operand(insn, GCN_IN_VADDR)->reg, &index);
    row->use.n = 4;
    row->use.isa = insn->isa;
    for (unsigned i = 0; i < 4; i++) row->use.node[i] = s->at[codes.first + i];
    if (insn->variant == GCN_MTBUF_NEWER || insn->variant == GCN_MTBUF_D16) {
        const char *name_of = gpudbg_enum_name(&gcn_enum[GCN_E_BUF_FORMAT_NEWER], GET(word, MTBUF_NEWER, format));
        text_add(&format, "%s", name_of ? name_of + sizeof "BUF_FMT_" - 1 : "?");
    } else if (insn->variant == GCN_MTBUF) { /* the instruction has the format, not the V# */
        const char *d = gpudbg_enum_name(&gcn_enum[GCN_E_BUF_DATA_FORMAT], GET(word, MTBUF, dfmt)),
                   *n = gpudbg_enum_name(&gcn_enum[GCN_E_BUF_NUM_FORMAT], GET(word, MTBUF, nfmt));
        text_add(
            &format, "%s %s", d ? d + sizeof "BUF_DATA_FORMAT_" - 1 : "?", n ? n + sizeof "BUF_NUM_FORMAT_" - 1 : "?");
    }
    return give(w);
}

/* A call: of a fetch shader, in a shader of vertices. */
static bool see_call(struct walk *w, const struct gpudbg_insn *insn, const struct flow_state *s)
{
    struct gcn_codes codes;
    if (w->called || !gcn_codes_of(&insn->operands[1], &codes) || codes.first + 1 >= GCN_CODE_INT) return true;
    struct row *row = new_row(w, "call", insn->addr);
    struct text to = text_in(row->name, sizeof row->name), pairs = text_in(row->pairs, sizeof row->pairs);
    const uint32_t pair[2] = {s->at[codes.first], s->at[codes.first + 1]};
    row->use.n = 2;
    row->use.node[0] = pair[0];
    row->use.node[1] = pair[1];
    row->use.kind = 'c';
    text_add(&to, "fetch shader");
    if (w->values->known[pair[0]] && w->values->known[pair[1]]) {
        w->next = w->values->value[pair[0]] | (uint64_t)w->values->value[pair[1]] << 32;
        const struct gpudbg_section *code = gpudbg_image_at(w->image, w->next);
        const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(w->image, w->next);
        w->has_next = code && code->flags & GPUDBG_CODE_BYTES;
        text_add(&pairs, "%.40s0x%" PRIx64 "%s", symbol ? symbol->name : "", w->next,
            w->has_next ? "" : ", where no code is: add-code");
        if (symbol && symbol->addr == w->next) snprintf(row->pairs, sizeof row->pairs, "%.60s", symbol->name);
    } else {
        text_add(&pairs, "the code there, which add-code brings");
    }
    return give(w);
}

static bool see_export(struct walk *w, const struct gpudbg_insn *insn)
{
    static const char channels[] = "xyzw";
    const uint64_t word = word_of(insn);
    const uint32_t target = GET(word, EXP, tgt), enabled = GET(word, EXP, en);
    const bool pairs = GET(word, EXP, compr);
    struct row *row = new_row(w, "export", insn->addr);
    struct text name = text_in(row->name, sizeof row->name), from = text_in(row->registers, sizeof row->registers);
    const char *said = gpudbg_enum_name(gcn_export_targets(gcn_chip_of(insn->isa)), target);
    text_add(&name, "%s", said ? said : "target");
    for (unsigned i = 0; i < 4; i++)
        if (enabled >> i & 1)
            text_add(&from, "%s%c=v%u%s", from.n ? " " : "", channels[i], export_source(word, pairs ? i / 2 : i),
                pairs ? i % 2 ? ".hi" : ".lo" : "");
    if (target >= 32)
        snprintf(row->pairs, sizeof row->pairs, "attr%u of the pixel shader, if that says no other", target - 32);
    return give(w);
}

static void see_interpolation(struct walk *w, const struct gpudbg_insn *insn, const struct gpudbg_operand *attribute)
{
    const struct gpudbg_operand *place = &insn->operands[1]; /* a constant, of an attribute that is moved */
    struct attribute *a = &w->attribute[attribute->imm >> 2 & 63];
    const bool moved = place->kind != GPUDBG_REGISTER;
    if (!a->channels) *a = (struct attribute){.pc = insn->addr, .from = moved ? 0 : (uint8_t)place->reg};
    a->channels |= (uint8_t)(1u << (attribute->imm & 3));
    a->flat = a->flat || moved;
}

static bool put_interpolations(struct walk *w)
{
    for (unsigned n = 0; n < 64 && !w->stopped; n++) {
        const struct attribute *a = &w->attribute[n];
        uint64_t control;
        char key[24];
        if (!a->channels) continue;
        struct row *row = new_row(w, "interp", a->pc);
        struct text name = text_in(row->name, sizeof row->name);
        text_add(&name, "attr%u.", n);
        for (unsigned i = 0; i < 4; i++)
            if (a->channels >> i & 1) text_add(&name, "%c", "xyzw"[i]);
        if (a->flat)
            snprintf(row->registers, sizeof row->registers, "not interpolated");
        else
            snprintf(row->registers, sizeof row->registers, "I in v%u", a->from);
        snprintf(key, sizeof key, "interpolant %u", n);
        if (!fact(w->image, key, &control))
            snprintf(row->pairs, sizeof row->pairs, "param%u, unless SPI_PS_INPUT_CNTL_%u says another", n, n);
        else if (control & 0x20)
            snprintf(row->pairs, sizeof row->pairs, "a constant, as SPI_PS_INPUT_CNTL_%u says", n);
        else
            snprintf(row->pairs, sizeof row->pairs, "param%u, as SPI_PS_INPUT_CNTL_%u says", (unsigned)control & 31, n);
        give(w);
    }
    return !w->stopped;
}

static bool see(void *to, const struct gpudbg_insn *insn, const struct flow_state *s)
{
    struct walk *w = to;
    bool more = true;
    if (gcn_access_of(insn) == GCN_BUFFERS) more = see_fetch(w, insn, s);
    if (insn->variant == GCN_EXP) more = see_export(w, insn);
    const struct gpudbg_operand *attribute = gcn_operand(insn, GCN_IN_ATTR);
    if (attribute) see_interpolation(w, insn, attribute);
    if (insn->op->id == GCN_s_swappc_b64) more = see_call(w, insn, s);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        struct gcn_codes codes;
        if (!(o->flags & GPUDBG_WRITE) || !gcn_codes_of(o, &codes) || codes.first < GCN_CODE_VGPR) continue;
        for (unsigned k = 0; k < codes.count && codes.first - GCN_CODE_VGPR + k < 256; k++) {
            w->writer[codes.first - GCN_CODE_VGPR + k] = insn->addr + 1;
            w->writer_op[codes.first - GCN_CODE_VGPR + k] = insn->op->id;
        }
    }
    return more;
}

static bool walk_code(struct walk *w, uint64_t entry, struct gpudbg_error *err)
{
    struct flow_values values;
    w->flow = flow_new(w->g, w->image, entry, flow_user_registers(w->image, NULL), err);
    if (!w->flow) return false;
    const bool done = flow_values_now(w->g, w->flow, &values, err);
    if (done) {
        w->values = &values;
        flow_walk(w->flow, see, w);
        flow_values_free(&values);
    }
    flow_free(w->flow);
    return done;
}

static bool rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    if (!image) return gpudbg_fail(err, "no-file", "no file is loaded");
    if (*args) return gpudbg_fail(err, "usage", "info inputs takes no word");
    if (image->nkernels) return true; /* their inputs are their arguments: info kernels */
    struct walk *w = calloc(1, sizeof *w);
    bool done = w != NULL || gpudbg_fail(err, "memory", "info inputs: out of memory");
    if (w) *w = (struct walk){.g = g, .image = image, .each = each, .to = to};
    for (size_t i = 0; w && i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_CODE_BYTES)) continue;
        const struct gpudbg_machine *m = gpudbg_session_machine(g);
        done = walk_code(w, m && is_gcn(m->isa) ? m->launch->kernel->entry : s->addr, err);
        w->called = true;
        memset(w->writer, 0, sizeof w->writer); /* it is called first of all */
        if (done && w->has_next && !w->stopped) done = walk_code(w, w->next, err);
        if (done && !w->stopped) put_interpolations(w);
        break;
    }
    free(w);
    return done;
}

const struct gpudbg_listing gcn_inputs = {
    .name = "inputs",
    .summary = "list the inputs and outputs of an AMD shader: fetched and interpolated attributes, exports",
    .type = "input",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "nothing is fetched, interpolated or exported",
    .isas = gcn_every_chip,
};
