/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays.c: variables of functions, as debug information has them, and reports about them. */
#include "check/arrays.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "eval/dwarf_place.h"
#include "gpudbg/text.h"
#include "image/dwarf_scope.h"
#include "image/dwarf_type.h"
#include "machine/machine.h"

#define VARIABLES_MOST 1000 /* a function with more is skipped */

static void add_variables(struct array_function *f, Dwarf_Die *scope, bool *listed, int deep)
{
    Dwarf_Die die, type;
    Dwarf_Attribute at;
    for (bool first = true; die_next_variable(scope, &die, first); first = false) {
        if (f->n == VARIABLES_MOST || !die_type(&die, &type)) continue;
        const bool placed = dwarf_attr_integrate(&die, DW_AT_location, &at);
        const unsigned form = placed ? dwarf_whatform(&at) : 0;
        if (form == DW_FORM_sec_offset || form == DW_FORM_data4 || form == DW_FORM_data8 || form == DW_FORM_loclistx)
            *listed = true;
        f->variable = xrealloc(f->variable, f->n + 1, sizeof *f->variable);
        f->variable[f->n++] = (struct array_variable){.die = die,
            .size = die_bytes(&type),
            .placed = placed,
            .indexed = (die_is_group(&type) || dwarf_tag(&type) == DW_TAG_array_type) && !die_is_vector(&type)};
    }
    for (int more = dwarf_child(scope, &die); deep && more == 0; more = dwarf_siblingof(&die, &die)) {
        const int tag = dwarf_tag(&die);
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) add_variables(f, &die, listed, deep - 1);
    }
}

const struct array_function *array_function_at(
    struct array_functions *functions, const struct gpudbg_image *image, uint64_t pc)
{
    struct scopes *s = scopes_at(image, pc);
    Dwarf_Addr low;
    if (!s || !s->has_function || dwarf_lowpc(&s->function, &low)) return NULL;
    for (size_t i = 0; i < functions->n; i++)
        if (functions->of[i].low == low + s->base) return &functions->of[i];
    functions->of = xrealloc(functions->of, functions->n + 1, sizeof *functions->of);
    struct array_function *f = &functions->of[functions->n++];
    *f = (struct array_function){.die = s->function, .low = low + s->base, .base = s->base};
    bool listed = false;
    add_variables(f, &f->die, &listed, ARRAY_BLOCKS);
    if (f->n == VARIABLES_MOST) f->n = 0;
    for (size_t i = 0; i < f->n && !listed; i++) f->fixed |= f->variable[i].placed;
    return f;
}

#define BYTES_MOST 65536 /* of a variable that is searched */

/* Whether a byte of the place is there.  A lane's own memory may be cut into dwords that are apart. */
static bool has_address(
    struct eval *eval, uint32_t wave, int lane, struct dwarf_place *p, uint64_t size, unsigned space, uint64_t addr)
{
    unsigned in;
    uint64_t at;
    if (p->where != DWARF_MEMORY && p->where != DWARF_OWN) return false;
    for (uint64_t i = 0; i < size && i < BYTES_MOST; i += 4, dwarf_place_move(p, 4))
        if (dwarf_place_address(eval, wave, lane, p, 1, &in, &at) && in == space && addr >= at && addr - at < 4 &&
            addr - at < size - i)
            return true;
    return false;
}

const struct array_variable *array_variable_at(struct array_functions *known, struct eval *eval,
    const struct gpudbg_wave *w, int lane, uint64_t pc, unsigned space, uint64_t addr)
{
    const struct gpudbg_image *image = w->machine->image;
    const struct array_function *now = array_function_at(known, image, w->pc);
    const uint64_t low = now ? now->low : 0;
    const struct array_function *f = now ? array_function_at(known, image, pc) : NULL;
    for (size_t i = 0; f && f->low == low && i < f->n; i++) {
        struct dwarf_place place;
        struct gpudbg_error ignored = {0};
        Dwarf_Die die = f->variable[i].die, function = f->die;
        if (dwarf_place(eval, w->id, lane, NULL, &die, &function, pc - f->base, &place, &ignored) &&
            has_address(eval, w->id, lane, &place, f->variable[i].size, space, addr))
            return &f->variable[i];
    }
    return NULL;
}

void array_functions_free(struct array_functions *functions)
{
    for (size_t i = 0; i < functions->n; i++) free(functions->of[i].variable);
    free(functions->of);
}

void array_name(const struct array_variable *v, char buf[ARRAY_NAME])
{
    char type[60];
    struct text t = text_behind(buf, ARRAY_NAME);
    Dwarf_Die die = v->die;
    const char *name = dwarf_diename(&die);
    die_type_text(&die, type, sizeof type, 0);
    text_add(&t, "%s%s (%s)", *buf ? " or " : "", name ? name : "a variable without a name", type);
    text_mark_cut(&t);
}

void array_report(struct gpudbg_checks *checks, struct array_overrun *o)
{
    char message[320], cause[ARRAY_NAME + 10];
    if (!o->lanes) return;
    snprintf(message, sizeof message, "%s %" PRIu64 " byte%s at byte %" PRId64 " of %s, which has %" PRIu64 ": %s",
        o->registers && o->stores ? "writes"
        : o->registers            ? "reads"
        : o->stores               ? "stores"
                                  : "loads",
        o->bytes, o->bytes == 1 ? "" : "s", o->first, o->name, o->size,
        o->registers ? "the register is not of the array" : "it is another variable's, or another work-item's");
    snprintf(cause, sizeof cause, "array %s", o->name);
    gpudbg_report(checks, &(struct gpudbg_report){.pc = o->pc,
                              .by = o->wave + 1,
                              .lanes = o->lanes,
                              .message = message,
                              .cause = cause,
                              .address = !o->registers});
    o->lanes = 0;
}
