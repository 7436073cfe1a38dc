/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "channel_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "code/walk.h"
#include "image/image.h"
#include "machine/machine.h"

#define INSNS_MOST (1 << 16) /* of code that is read */

/* Channels that some operand has there, of numbers of 1, 2, 4 and 8 bytes. */
struct seen {
    uint64_t lanes[CHANNEL_ROWS][4];
};

/* The register whose first byte channel 0 has; -1: the channels are not side by side. */
static int row_of(const struct gpudbg_footprint *f, unsigned bytes)
{
    const int start = f->n > 1 ? f->element[0].at - f->element[0].lane * f->size : -1;
    if (start < 0 || start % (int)bytes) return -1;
    for (unsigned k = 0; k < f->n; k++)
        if (f->element[k].lane < 0 || f->element[k].at - f->element[k].lane * f->size != start) return -1;
    return start / (int)bytes;
}

static const struct gpudbg_section *section_of(const struct gpudbg_image *image, uint64_t pc)
{
    for (size_t i = 0; image && i < image->nsections; i++)
        if (pc >= image->sections[i].addr && pc - image->sections[i].addr < image->sections[i].size)
            return &image->sections[i];
    return NULL;
}

void channels_take(struct channels *c, struct gpudbg *g)
{
    const int file = register_wide_file(g);
    struct gpudbg_wave *w = gpudbg_session_wave(g);
    const struct gpudbg_image *image = w ? w->machine->image : NULL;
    const struct gpudbg_section *s = w ? section_of(image, w->pc) : NULL;
    if (file < 0 || !s || (c->image == image && c->bytes == s->bytes && c->lanes == w->machine->lanes)) return;
    *c = (struct channels){.image = image, .bytes = s->bytes, .lanes = w->machine->lanes};
    const uint64_t all = c->lanes < 64 ? (UINT64_C(1) << c->lanes) - 1 : UINT64_MAX;
    struct seen *seen = xcalloc(1, sizeof *seen);
    const struct gpudbg_isa *isa = w->machine->isa;
    const unsigned bytes = isa->files[file].bits / 8u;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    uint64_t pc = s->addr;
    for (int n = 0; isa->regions.elements && n < INSNS_MOST && pc < s->addr + s->size; n++) {
        struct gpudbg_insn insn;
        const bool decodes = insn_at(image, pc, &insn) && insn.op;
        pc += decodes ? insn.size : 8;
        for (unsigned i = decodes ? isa->regions.elements(&insn, NULL, f, GPUDBG_FOOTPRINTS) : 0; i-- > 0;) {
            const int reg = f[i].file == file && f[i].size ? row_of(&f[i], bytes) : -1;
            for (unsigned k = 0; reg >= 0 && reg < CHANNEL_ROWS && k < f[i].n; k++)
                seen->lanes[reg][__builtin_ctz(f[i].size) & 3] |= UINT64_C(1) << (f[i].element[k].lane & 63);
        }
    }
    for (unsigned i = 0; i < CHANNEL_ROWS; i++) {
        for (unsigned k = 0; k < 4; k++)
            if ((seen->lanes[i][k] & all) == all) c->sizes[i] |= (uint8_t)(1 << k);
        if (c->sizes[i]) c->row[c->rows++] = (uint16_t)i;
    }
    free(seen);
    free(f);
}

const struct form *channels_form(const struct channels *c, struct gpudbg *g, unsigned reg, const struct form *of_pane)
{
    const struct form *form = register_form(g, (unsigned)register_wide_file(g), reg, of_pane);
    const uint8_t sizes = c->sizes[reg];
    if (form && sizes & form->size) return form;
    return form_named(sizes & 4 ? "ud" : sizes & 2 ? "uw" : sizes & 8 ? "uq" : "ub");
}

const uint8_t *channel_bytes(struct gpudbg *g, unsigned reg, unsigned size, unsigned lane)
{
    const int file = register_wide_file(g);
    if (file < 0) return NULL;
    const unsigned bytes = g->running.machine->isa->files[file].bits / 8u;
    const uint32_t *words = register_words(g, (unsigned)file, reg + lane * size / bytes);
    return words ? (const uint8_t *)words + lane * size % bytes : NULL;
}

bool channels_changed(struct screen *s, unsigned reg, unsigned size, unsigned lanes)
{
    const int file = register_wide_file(s->g);
    const unsigned bytes = file < 0 ? 1 : s->g->running.machine->isa->files[file].bits / 8u;
    for (unsigned i = 0; file >= 0 && i * bytes < size * lanes; i++)
        if (register_changed(s, (unsigned)file, reg + i, -1)) return true;
    return false;
}
