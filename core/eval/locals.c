/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locals.c: the variables that are in scope, and what functions returned, as rows. */
#include "eval/locals.h"
#include <dwarf.h>
#include <stdio.h>
#include <string.h>
#include "eval/cursor.h"
#include "eval/dwarf_steps.h"
#include "eval/entry.h"
#include "eval/returned.h"
#include "gpudbg/text.h"
#include "image/dwarf_type.h"
#include "image/image.h"
#include "machine/machine.h"

static bool seen_before(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* The lanes that execute there. */
static uint64_t lanes_of(struct eval *ev, uint32_t wave, const struct gpudbg_wave *caller)
{
    struct machine_wave_info info = {.active = UINT64_MAX};
    if (caller) return caller->machine->isa->run->active(caller);
    if (ev->running->machine) machine_wave_info(ev->running->machine, wave, &info);
    return info.lost_mask ? UINT64_MAX : info.active;
}

static void row_value(struct cursor *c, struct local_row *row)
{
    row->parts = cursor_has_parts(c);
    struct text value = text_in(row->value, sizeof row->value);
    cursor_text(c, &value, 0);
    dwarf_place_text(c->ev, &c->place, die_bytes(&c->type), row->place, sizeof row->place);
}

/* libdw's dwarf_decl_file takes file 0 of DWARF 5, which is the unit's own, for none. */
static void declared(Dwarf_Die *die, struct local_row *row)
{
    Dwarf_Attribute a;
    Dwarf_Word number, line;
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t n;
    if (!dwarf_attr_integrate(die, DW_AT_decl_line, &a) || dwarf_formudata(&a, &line) != 0 || line > UINT32_MAX ||
        !dwarf_attr_integrate(die, DW_AT_decl_file, &a) || dwarf_formudata(&a, &number) != 0 ||
        !dwarf_diecu(die, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &n) != 0 || number >= n)
        return;
    row->file = dwarf_filesrc(files, number, NULL, NULL);
    row->line = (uint32_t)line;
}

void locals_each(struct eval *ev, uint32_t wave, int lane, bool (*each)(void *to, const struct local_row *), void *to)
{
    struct gpudbg_wave *caller;
    int from;
    struct scopes *s = locals_scopes(ev, wave, &from, &caller);
    const char *names[256];
    char entry[160];
    size_t n = 0;
    bool go = s != NULL;
    const bool off = s && lane >= 0 && lane < 64 && !(lanes_of(ev, wave, caller) >> lane & 1);
    for (int i = from; go && i < s->n; i = scopes_around(s, i)) {
        Dwarf_Die die;
        const bool outermost = dwarf_tag(&s->die[i]) == DW_TAG_compile_unit;
        for (bool first = true; go && die_next_variable(&s->die[i], &die, first); first = false) {
            struct cursor c = {.ev = ev, .wave = wave, .lane = lane, .caller = caller};
            struct gpudbg_error err = {0};
            struct local_row row = {.name = dwarf_diename(&die),
                .function = s->has_function ? dwarf_diename(&s->function) : NULL,
                .parameter = dwarf_tag(&die) == DW_TAG_formal_parameter,
                .global = outermost};
            declared(&die, &row);
            if (seen_before(names, n, row.name)) /* a variable further in has its name */
                continue;
            if (n < sizeof names / sizeof *names) names[n++] = row.name;
            die_type_text(&die, row.type, sizeof row.type, 0);
            if (cursor_on(&c, s, &die, &err)) {
                row_value(&c, &row);
                struct text place = text_behind(row.place, sizeof row.place);
                if (off && (c.place.where == DWARF_OWN || c.place.where == DWARF_REGISTERS))
                    text_add(&place, " (the lane is off)");
            } else if (strcmp(err.kind, "optimised-out") == 0 && entry_place(ev, s, &die, &c.place)) {
                snprintf(entry, sizeof entry, "%.140s" ENTRY_SUFFIX, row.name);
                row.name = entry;
                row_value(&c, &row);
            } else {
                text_put(row.value, sizeof row.value, "<%s>", err.message);
            }
            go = each(to, &row);
        }
    }
}

const char *locals_name(struct eval *ev, size_t n)
{
    struct gpudbg_wave *caller;
    int from;
    struct scopes *s = locals_scopes(ev, ev->selection->wave, &from, &caller);
    Dwarf_Die die;
    for (int i = from; s && i < s->n; i = scopes_around(s, i))
        for (bool first = true; die_next_variable(&s->die[i], &die, first); first = false)
            if (n-- == 0) return dwarf_diename(&die);
    return NULL;
}

/* ---- What a function returned ---- */

/* The place of what the function around pc returns; *c has the rest. */
static enum returned_how returned_at(struct cursor *c, struct scopes *s, const char **why)
{
    const struct gpudbg_isa *isa = c->ev->loaded->image ? c->ev->loaded->image->isa : NULL;
    *why = NULL;
    if (!s || !s->has_function || !isa || !isa->dwarf || !die_type(&s->function, &c->type)) return RETURNED_UNKNOWN;
    *why = "";
    return returned_place(isa->dwarf, &s->function, &c->type, c->lane, &c->place, why);
}

bool locals_returns_in_memory(struct eval *ev, uint64_t pc)
{
    const char *why;
    struct cursor c = {.ev = ev};
    return returned_at(&c, scopes_at(ev->loaded->image, pc), &why) == RETURNED_MEMORY;
}

/* From the register that led to the memory, when the function was called, to that memory. */
static bool returned_through(struct cursor *c, struct gpudbg_wave *called, const char **why)
{
    uint32_t word[2] = {0};
    struct gpudbg_error err = {0};
    const unsigned words = c->place.parts == 2 ? 2 : 1;
    *why = "it is in memory, and recorded time does not reach the call, which says where";
    if (!called) return false;
    for (unsigned i = 0; i < words; i++)
        if (!dwarf_part_word(c->ev, c->wave, c->lane, called, &c->place.part[i], &word[i], &err)) return false;
    c->place = words == 2 ? (struct dwarf_place){.where = DWARF_MEMORY,
                                .number = word[0] | (uint64_t)word[1] << 32,
                                .space = GPUDBG_GLOBAL}
                          : (struct dwarf_place){.where = DWARF_OWN, .number = word[0]};
    return true;
}

bool locals_returned(
    struct eval *ev, uint64_t pc, uint32_t wave, int lane, struct gpudbg_wave *called, struct local_row *row)
{
    const char *why;
    struct scopes *s = scopes_at(ev->loaded->image, pc);
    struct cursor c = {.ev = ev, .wave = wave, .lane = lane};
    const enum returned_how how = returned_at(&c, s, &why);
    if (!why) return false;
    *row = (struct local_row){.name = dwarf_diename(&s->function)};
    row->function = row->name;
    die_type_text(&s->function, row->type, sizeof row->type, 0);
    if (lane >= 0 && lane < 64 && !(lanes_of(ev, wave, NULL) >> lane & 1))
        snprintf(row->value, sizeof row->value, "<the lane is off>");
    else if (how == RETURNED_REGISTERS || (how == RETURNED_MEMORY && returned_through(&c, called, &why)))
        row_value(&c, row);
    else
        snprintf(row->value, sizeof row->value, "<not known: %s>", why);
    return true;
}
