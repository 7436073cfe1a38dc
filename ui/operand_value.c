/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operand_value.h"

#include <stdlib.h>
#include <string.h>

#include "registers_shown.h"
#include "base/alloc.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

static int selected_lane(const struct gpudbg *g) { return g->selection.lane < 0 ? 0 : g->selection.lane; }

void register_value(struct gpudbg *g, unsigned file, unsigned reg, unsigned count, char *buf, size_t size)
{
    const struct gpudbg_regfile *f = &g->running.machine->isa->files[file];
    char name[40];
    struct text t = text_in(buf, size);
    gpudbg_register_name(f, reg, name, sizeof name);
    if (count > 1 && f->indexed)
        text_add(&t, "$%s[%u:%u]", f->name, reg, reg + count - 1);
    else
        text_add(&t, "$%s", name);
    if (f->lanes > 1 || (f->mask && count <= 1)) text_add(&t, "[%d]", selected_lane(g));
}

/* ---- Operands that are whole registers ---- */

/* Of a register that has parts, the one that the swizzle names first: r1.y of "r1.yyyy". */
static unsigned part_of(const struct gpudbg_insn *insn, unsigned i)
{
    const char *parts = insn->isa->files[insn->operands[i].file].parts;
    char text[128] = "";
    if (parts && insn->isa->operand_text) insn->isa->operand_text(insn, i, text, sizeof text);
    const char *point = parts ? strrchr(text, '.') : NULL, *first = point ? strpbrk(point, parts) : NULL;
    return first ? (unsigned)(strchr(parts, *first) - parts) : 0;
}

static bool is_register(const struct gpudbg_insn *insn, unsigned i)
{
    const struct gpudbg_operand *o = &insn->operands[i];
    return o->kind == GPUDBG_REGISTER && o->file < insn->isa->nfiles && !(o->flags & GPUDBG_IMPLICIT);
}

static void whole_value(struct gpudbg *g, const struct gpudbg_insn *insn, unsigned i, char *buf, size_t size)
{
    const struct gpudbg_operand *o = &insn->operands[i];
    const unsigned parts = insn->isa->files[o->file].parts ? (unsigned)strlen(insn->isa->files[o->file].parts) : 1;
    register_value(g, o->file, o->reg - o->reg % parts + part_of(insn, i), parts > 1 ? 1 : o->count, buf, size);
}

static bool whole(struct gpudbg *g, const struct gpudbg_insn *insn, unsigned n, char *buf, size_t size)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < insn->noperands; i++) {
        if (!is_register(insn, i)) continue;
        seen++;
        if (n ? seen != n : !(insn->operands[i].flags & GPUDBG_READ)) continue;
        whole_value(g, insn, i, buf, size);
        return true;
    }
    return false;
}

/* ---- Operands that are regions ---- */

/* The element of the selected lane, or the one that all lanes share. */
static const struct gpudbg_element *element_of(const struct gpudbg *g, const struct gpudbg_footprint *f)
{
    const struct gpudbg_element *shared = NULL;
    for (unsigned k = 0; k < f->n; k++) {
        if (f->element[k].at < 0) continue;
        if (f->element[k].lane == selected_lane(g)) return &f->element[k];
        if (f->element[k].lane < 0 && !shared) shared = &f->element[k];
    }
    return shared;
}

static bool region_value(struct gpudbg *g, const struct gpudbg_footprint *f, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = g->running.machine->isa;
    const struct gpudbg_element *e = f->file < isa->nfiles ? element_of(g, f) : NULL;
    const unsigned bytes = e ? isa->files[f->file].bits / 8u : 0;
    char name[40];
    if (!e || !bytes) return false;
    gpudbg_register_name(&isa->files[f->file], (unsigned)e->at / bytes, name, sizeof name);
    if (bytes < 8)
        snprintf(buf, size, "$%s", name);
    else
        snprintf(buf, size, "$%s.%u:%s", name, (unsigned)e->at % bytes / e->size, *f->type ? f->type : "ud");
    return true;
}

/* The footprints, malloc'ed; those of the destination first, as in the text. */
static struct gpudbg_footprint *regions_of(struct gpudbg *g, const struct gpudbg_insn *insn, unsigned *n)
{
    struct gpudbg_wave *w = gpudbg_session_wave(g);
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    *n = insn->isa->regions.footprints(insn, w, f, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0, to = 0; i < *n; i++) {
        if (strcmp(f[i].role, "dst") != 0) continue;
        const struct gpudbg_footprint dst = f[i];
        memmove(f + to + 1, f + to, (i - to) * sizeof *f);
        f[to++] = dst;
    }
    return f;
}

/* The first region of a role; role NULL: the n-th, or of n 0 the first source. */
static bool region(
    struct gpudbg *g, const struct gpudbg_insn *insn, unsigned n, const char *role, char *buf, size_t size)
{
    unsigned count;
    bool good = false;
    struct gpudbg_footprint *f = regions_of(g, insn, &count);
    for (unsigned i = 0; i < count && !good; i++) {
        const bool chosen = role ? strcmp(f[i].role, role) == 0 : n ? i + 1 == n : strncmp(f[i].role, "src", 3) == 0;
        good = chosen && region_value(g, &f[i], buf, size);
    }
    free(f);
    return good;
}

/* ---- Of an instruction ---- */

static bool need_registers(struct gpudbg *g, const struct gpudbg_insn *insn, struct gpudbg_error *err)
{
    if (!eval_need_machine(&g->eval, err)) return false;
    if (insn->op && insn->isa == g->running.machine->isa) return true;
    return gpudbg_fail(err, "not-now", "no instruction under the cursor");
}

bool operand_value(
    struct gpudbg *g, const struct gpudbg_insn *insn, unsigned n, char *buf, size_t size, struct gpudbg_error *err)
{
    if (!need_registers(g, insn, err)) return false;
    const bool regions = insn->isa->regions.footprints != NULL;
    if (regions ? region(g, insn, n, NULL, buf, size) : whole(g, insn, n, buf, size)) return true;
    if (!n && (regions ? region(g, insn, 1, NULL, buf, size) : whole(g, insn, 1, buf, size))) return true;
    if (n)
        return gpudbg_fail(
            err, "out-of-range", "%s has no register %u in lane %d", insn->op->name, n, selected_lane(g));
    return gpudbg_fail(err, "not-now", "%s has no register in lane %d", insn->op->name, selected_lane(g));
}

bool operand_of_region(
    struct gpudbg *g, const struct gpudbg_insn *insn, unsigned index, char *buf, size_t size, struct gpudbg_error *err)
{
    if (!need_registers(g, insn, err)) return false;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    const unsigned n = insn->isa->regions.footprints(insn, gpudbg_session_wave(g), f, GPUDBG_FOOTPRINTS);
    const bool good = index < n && region_value(g, &f[index], buf, size);
    free(f);
    return good || gpudbg_fail(err, "not-now", "lane %d has no register there", selected_lane(g));
}

/* The operand whose text is the field's meaning. */
static bool operand_spelled(
    struct gpudbg *g, const struct gpudbg_insn *insn, const char *meaning, char *buf, size_t size)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        char text[128] = "";
        if (!is_register(insn, i) || !insn->isa->operand_text) continue;
        insn->isa->operand_text(insn, i, text, sizeof text);
        if (!strstr(text, meaning)) continue; /* "-v3" holds v3 */
        whole_value(g, insn, i, buf, size);
        return true;
    }
    return false;
}

bool operand_of_field(struct gpudbg *g, const struct gpudbg_insn *insn, const char *field, const char *meaning,
    char *buf, size_t size, struct gpudbg_error *err)
{
    char role[32];
    if (!need_registers(g, insn, err)) return false;
    snprintf(role, sizeof role, "%.*s", (int)strcspn(field, "_"), field); /* src0 of src0_reg */
    if (insn->isa->regions.footprints ? region(g, insn, 0, role, buf, size)
                                      : operand_spelled(g, insn, meaning, buf, size))
        return true;
    return operand_value(g, insn, 0, buf, size, err);
}
