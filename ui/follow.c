/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * follow.c: where the register under the cursor points: the memory at an address that it, or it and the next one,
 * holds; the buffer or the image of a descriptor that begins in it; LDS.  Also the command that changes it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/expr.h"
#include "eval/image_picture.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "registers_shown.h"

bool pane_register(struct pane *p, unsigned *file, unsigned *index)
{
    return p->kind->reg && p->g->running.machine && p->kind->reg(p, file, index);
}

static bool is_memory(struct gpudbg *g, unsigned space, uint64_t addr)
{
    struct gpudbg_error none = {0};
    uint8_t byte;
    return machine_peek(g->running.machine, g->selection.wave, space, addr, &byte, 1, NULL, &none);
}

/* n registers from `index` on as an expression: $s[4:7], $v[2:3][37]; 64 bits of a wide one: $r10:uq[3], $r10.0:uq. */
static void expression(struct gpudbg *g, unsigned file, unsigned index, unsigned n, char *buf, size_t size)
{
    const struct gpudbg_regfile *f = &g->running.machine->isa->files[file];
    const int lane = g->selection.lane < 0 ? 0 : g->selection.lane;
    char name[64];
    struct text t = text_in(buf, size);
    register_name(g, file, index, name, sizeof name);
    if (f->indexed && n > 1 && !f->parts)
        text_add(&t, "$%s[%u:%u]", f->name, index, index + n - 1);
    else
        text_add(&t, "$%s", name);
    if (f->lanes > 1) text_add(&t, "[%d]", lane);
}

/* The value of an expression, if it has one of at most 64 bits. */
static bool value_of(struct gpudbg *g, const char *expr, uint64_t *value)
{
    struct gpudbg_error none = {.offset = -1};
    struct value v;
    if (!expr_value(&g->eval, expr, &v, &none) || !value_one(&v, &none) || v.type.kind == VALUE_FLOAT) return false;
    *value = v.u;
    return true;
}

static bool is_image(struct gpudbg *g, const char *expr)
{
    struct gpudbg_error none = {.offset = -1};
    struct picture picture;
    if (!picture_open(&g->eval, g, expr, NULL, NULL, &picture, &none)) return false;
    const bool there = is_memory(g, GPUDBG_GLOBAL, picture.is.address);
    picture_close(&picture);
    return there;
}

static bool view(struct screen *s, const char *space, uint64_t addr)
{
    char line[96];
    snprintf(line, sizeof line, "view %s0x%" PRIx64, space, addr);
    screen_key_line(s, line);
    return true;
}

bool register_follow(struct screen *s, unsigned file, unsigned index, struct gpudbg_error *err)
{
    struct gpudbg *g = s->g;
    const struct gpudbg_isa *isa = g->running.machine->isa;
    const struct gpudbg_regfile *f = &isa->files[file];
    const bool pairs = f->indexed && f->bits == 32 && !f->parts;
    char expr[96], name[64], line[160];
    uint64_t value = 0, bytes;
    register_name(g, file, index, name, sizeof name);
    for (unsigned back = 0; pairs && back < 2 && back <= index; back++) { /* it may be the upper half */
        expression(g, file, index - back, 2, expr, sizeof expr);
        if (value_of(g, expr, &value) && value && is_memory(g, GPUDBG_GLOBAL, value)) return view(s, "", value);
    }
    for (unsigned lane = 2; f->bits > 64 && lane-- > 0;) { /* the lane's 64 bits, then the first */
        snprintf(expr, sizeof expr, lane ? "$%s:uq[%d]" : "$%s.0:uq", name, g->selection.lane);
        if (value_of(g, expr, &value) && value && is_memory(g, GPUDBG_GLOBAL, value)) return view(s, "", value);
    }
    expression(g, file, index, 1, expr, sizeof expr);
    const bool one = f->bits <= 64 && value_of(g, expr, &value);
    if (one && f->bits == 64 && is_memory(g, GPUDBG_GLOBAL, value)) return view(s, "", value);
    if (pairs && f->lanes <= 1 && points_buffer(g, file, index, &value, &bytes) && value &&
        is_memory(g, GPUDBG_GLOBAL, value))
        return view(s, "", value);
    if (pairs && f->lanes <= 1 && isa->pictures) {
        expression(g, file, index, isa->pictures->words, expr, sizeof expr);
        snprintf(line, sizeof line, "picture %s", expr);
        if (is_image(g, expr)) return screen_key_line(s, line), true;
    }
    if (one && f->lanes > 1 && value_of(g, expr, &value) && is_memory(g, GPUDBG_LOCAL, value))
        return view(s, "lds:", value);
    return gpudbg_fail(err, "no-such-name", "%s points to no memory, neither alone nor with its neighbours", name);
}

#define WHOLE 40 /* columns: no number is rounded */

bool register_edit(struct screen *s, unsigned file, unsigned index, char *buf, size_t size, struct gpudbg_error *err)
{
    struct gpudbg *g = s->g;
    const struct gpudbg_regfile *f = &g->running.machine->isa->files[file];
    const uint32_t *words = register_words(g, file, index);
    char name[64], hex[300];
    register_name(g, file, index, name, sizeof name);
    if (!words) return gpudbg_fail(err, "not-now", "%s cannot be read", name);
    if (f->bits > 64 && f->lanes <= 1) {
        snprintf(buf, size, "set $%s.0 = 0x%08" PRIx32, name, words[0]);
        return true;
    }
    expression(g, file, index, 1, name, sizeof name);
    const int lane = g->selection.lane < 0 ? 0 : g->selection.lane;
    register_typed(g, file, index, 1, lane, WHOLE, hex, sizeof hex);
    if (strpbrk(hex, "naif>")) register_hex(g, file, index, lane, hex, sizeof hex); /* nan and inf; -inf */
    if (strspn(hex, "-0123456789.e+") == strlen(hex)) {
        snprintf(buf, size, "set %s = %s", name, hex);
        return true;
    }
    if (*hex == '?') return gpudbg_fail(err, "unknown", "%s is not known: `set %s = VALUE` sets it", name + 1, name);
    snprintf(buf, size, "set %s = %s%s", name, strncmp(hex, "0x", 2) != 0 ? "0x" : "", hex);
    return true;
}
