/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.c: what the launch gave to the kernel's parameters, which stays known where the compiler kept no copy. */
#include "eval/entry.h"
#include <dwarf.h>
#include "machine/machine.h"

/* Which parameter of the function the variable is; -1: none. */
static int64_t number_of(Dwarf_Die *function, Dwarf_Die *variable)
{
    Dwarf_Die die;
    int64_t number = 0;
    for (int more = dwarf_child(function, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) != DW_TAG_formal_parameter) continue;
        if (dwarf_dieoffset(&die) == dwarf_dieoffset(variable)) return number;
        number++;
    }
    return -1;
}

bool entry_place(struct eval *ev, struct scopes *s, Dwarf_Die *variable, struct dwarf_place *p)
{
    const struct gpudbg_launch *launch = ev->running->machine ? ev->running->machine->launch : NULL;
    const struct gpudbg_kernel *kernel = launch ? launch->kernel : NULL;
    if (!kernel || !s->has_function || dwarf_tag(variable) != DW_TAG_formal_parameter ||
        dwarf_haspc(&s->function, kernel->entry - s->base) <= 0)
        return false;
    const int64_t number = number_of(&s->function, variable);
    if (number < 0 || (uint64_t)number >= kernel->nparams) return false;
    for (size_t i = 0; i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        if (b->param != &kernel->params[number]) continue;
        *p = (struct dwarf_place){.argument = (unsigned)number + 1};
        if (b->kind == GPUDBG_BOUND_BUFFER && b->param->kind == GPUDBG_PARAM_BUFFER && b->segment) {
            p->where = DWARF_CONSTANT;
            p->number = b->segment->base;
        } else if (b->kind == GPUDBG_BOUND_VALUE && b->bytes) {
            p->where = DWARF_BYTES;
            p->bytes = b->bytes;
            p->number = b->size;
        } else {
            return false;
        }
        return true;
    }
    return false;
}
