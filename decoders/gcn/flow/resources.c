/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.c: `info resources`: for each load, sample, store and atomic the descriptor that it uses: the path by which
 * it came, and its description if the registers at the start and memory are known. */
#include <inttypes.h>
#include <stdlib.h>
#include "code/gcn_decoder.h"
#include "flow/scalars.h"

struct row {
    struct flow_use use;
    const struct gpudbg_kernel *kernel; /* NULL: code alone */
    const struct gpudbg_insn *insn;
    unsigned first;
    const char *access;
    uint32_t call;
};

static int kernel_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    return snprintf(buf, size, "%s", row->kernel && row->kernel->name ? row->kernel->name : "");
}

static int pc_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct row *)r)->insn->addr);
}

static int name_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->insn->op->name);
}

static int access_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->access);
}

static int registers_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    return snprintf(buf, size, "s[%u:%u]", row->first, row->first + row->use.n - 1);
}

static int kind_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%c#", ((const struct row *)r)->use.kind);
}

static int path_cell(const void *r, char *buf, size_t size)
{
    return flow_use_path(&((const struct row *)r)->use, buf, size);
}

static int lost_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    struct text t = text_in(buf, size);
    flow_lost(row->use.flow, &t, row->use.node, row->use.n);
    size_t n;
    const struct flow_node *node = flow_nodes(row->use.flow, &n);
    if (row->call)
        text_add(&t, "%sif the code called at 0x%" PRIx64 " keeps registers", t.n ? "; " : "", node[row->call].addr);
    return (int)t.n;
}

static int format_cell(const void *r, char *buf, size_t size)
{
    return flow_use_format(&((const struct row *)r)->use, buf, size);
}

static int size_cell(const void *r, char *buf, size_t size)
{
    return flow_use_size(&((const struct row *)r)->use, buf, size);
}

static int address_cell(const void *r, char *buf, size_t size)
{
    return flow_use_address(&((const struct row *)r)->use, buf, size);
}

static const struct gpudbg_column columns[] = {
    {"pc", "pc", 0, GPUDBG_ADDRESS, pc_cell},
    {"instruction", "instruction", 0, GPUDBG_NAME, name_cell},
    {"kind", "what", 0, GPUDBG_NAME, kind_cell},
    {"registers", "in", 0, GPUDBG_NAME, registers_cell},
    {"path", "came by", 0, GPUDBG_NAME, path_cell},
    {"format", "format", 0, GPUDBG_NAME, format_cell},
    {"size", "size", 0, GPUDBG_NAME, size_cell},
    {"address", "address", 0, GPUDBG_HEXVALUE, address_cell},
    {"unfollowed", "not followed beyond", 0, GPUDBG_NOTE, lost_cell},
    {"access", "access", 0, GPUDBG_NAME, access_cell},
    {"kernel", "kernel", 0, GPUDBG_NAME, kernel_cell},
};

/* ---- Rows ---- */

struct walk {
    struct row row;
    gpudbg_row_fn *each;
    void *to;
    bool stopped;
};

static bool see(void *to, const struct gpudbg_insn *insn, const struct flow_state *s)
{
    struct walk *w = to;
    struct row *row = &w->row;
    struct gpudbg_dumped_descriptor d;
    const uint64_t does = gpudbg_insn_does(insn);
    const bool sample = gcn_access_of(insn) == GCN_IMAGES && gcn_operand(insn, GCN_IN_SSAMP);
    row->access = sample                                                ? "sample"
                  : (does & GPUDBG_OP_LOAD) && (does & GPUDBG_OP_STORE) ? "atomic"
                  : does & GPUDBG_OP_STORE                              ? "store"
                                                                        : "load";
    for (unsigned i = 0; !w->stopped && gcn_descriptor(insn, i, &d); i++) {
        row->insn = insn;
        row->use.isa = insn->isa;
        row->use.kind = d.view;
        row->use.n = (uint8_t)d.n;
        row->first = d.first;
        row->call = s->at[FLOW_CALL_AT];
        for (unsigned k = 0; k < d.n; k++) row->use.node[k] = s->at[d.first + k];
        w->stopped = !w->each(w->to, row);
    }
    return !w->stopped;
}

static bool program_rows(struct gpudbg *g, const struct gpudbg_image *image, const struct gpudbg_kernel *kernel,
    uint64_t entry, struct walk *w, struct gpudbg_error *err)
{
    struct flow_values values;
    struct flow *f = flow_new(g, image, entry, flow_user_registers(image, kernel), err);
    if (!f) return false;
    const bool done = flow_values_now(g, f, &values, err);
    if (done) {
        w->row.use.flow = f;
        w->row.use.values = &values;
        w->row.kernel = kernel;
        flow_walk(f, see, w);
        flow_values_free(&values);
    }
    flow_free(f);
    return done;
}

static bool rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    struct walk w = {.each = each, .to = to};
    if (!image) return gpudbg_fail(err, "no-file", "no file is loaded");
    const struct gpudbg_kernel *named = *args ? gpudbg_image_kernel_named(image, args) : NULL;
    if (*args && !named) return gpudbg_fail(err, "no-such-name", "no kernel is named \"%.60s\"", args);
    for (size_t i = 0; i < image->nkernels && !w.stopped; i++) {
        if (!gpudbg_goes_on(g, i, image->nkernels)) return gpudbg_fail(err, "interrupt", "interrupted");
        if ((!named || named == &image->kernels[i]) &&
            !program_rows(g, image, &image->kernels[i], image->kernels[i].entry, &w, err))
            return false;
    }
    const struct gpudbg_machine *m = gpudbg_session_machine(g);
    bool first = true; /* the shader; then those that it calls, which start with its user data */
    for (size_t i = 0; i < image->nsections && !image->nkernels && !w.stopped; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_CODE_BYTES) || (!first && strcmp(s->name, "fetch") != 0)) continue;
        const bool launched = first && m && is_gcn(m->isa);
        if (!program_rows(g, image, NULL, launched ? m->launch->kernel->entry : s->addr, &w, err)) return false;
        first = false;
    }
    return true;
}

const struct gpudbg_listing gcn_resources = {
    .name = "resources",
    .summary = "list the descriptors that AMD code uses: how each came, what it describes; KERNEL picks one",
    .type = "descriptor",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "no instruction uses a descriptor",
    .isas = gcn_every_chip,
};
