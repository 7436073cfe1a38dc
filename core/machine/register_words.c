/* SPDX-License-Identifier: GPL-3.0-or-later */
/* register_words.c: from a register's number, which may come from code, to its words.  See machine.h. */
#include "machine/machine.h"

uint32_t *machine_register(struct gpudbg_wave *w, unsigned file, unsigned index, size_t *n)
{
    const struct gpudbg_machine *m = w->machine;
    if (file >= m->isa->nfiles || index >= m->isa->run->count(m, file)) return NULL;
    const struct gpudbg_regfile *f = &m->isa->files[file];
    *n = ((size_t)f->bits * (f->lanes ? f->lanes : 1) + 31) / 32;
    return m->isa->run->reg(w, file, index);
}

size_t machine_register_at(struct gpudbg_wave *w, unsigned file, unsigned index, unsigned *n)
{
    size_t all = 0;
    const uint32_t *p = machine_register(w, file, index, &all);
    const uint32_t *end = w->words + w->machine->wave_words;
    *n = (unsigned)all;
    return p && p >= w->words && p <= end && all <= (size_t)(end - p) ? (size_t)(p - w->words) : SIZE_MAX;
}
