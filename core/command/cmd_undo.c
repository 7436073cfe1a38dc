/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo: takes back what `set` changed in registers and memory, the latest change first. */
#include "command/cmd_undo.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/expr.h"
#include "eval/typed.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "out/say.h"
#include "past/past.h"
#include "session/command.h"
#include "session/session.h"

#define KEPT_MOST 64
#define WORDS_MOST (PAST_BYTES / 4)
#define BYTES_MOST ((uint64_t)1 << 20)

struct change {
    uint64_t ended, future, position; /* of which launch, in which recorded time, when */
    struct past_place place;
    uint32_t word[WORDS_MOST]; /* of registers, before */
    size_t words;
    uint8_t *bytes; /* of memory, before; malloc'ed */
    char name[160];
};

struct changes {
    struct change *kept[KEPT_MOST];
    size_t n;
};

static void change_free(struct change *c)
{
    if (!c) return;
    past_free(&c->place);
    free(c->bytes);
    free(c);
}

static void changes_free(void *data)
{
    struct changes *all = data;
    while (all->n) change_free(all->kept[--all->n]);
    free(all);
}

static struct changes *changes_of(struct gpudbg *g)
{
    if (!g->changes) {
        g->changes = xcalloc(1, sizeof *g->changes);
        session_at_close(g, changes_free, g->changes);
    }
    return g->changes;
}

/* ---- The place that is assigned to ---- */

/* The text before the `=`, without the operator of `+=` and the like; false: the text is not an assignment. */
static bool place_text(const char *text, char *buf, size_t size)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;
    if (!equals || equals[1] == '=') return false;
    while (n && strchr("+-*/%&|^<>! \t", text[n - 1])) n--;
    return n && snprintf(buf, size, "%.*s", (int)n, text) < (int)size;
}

/* The place that the text names.  Of registers the bits that instructions may write are left out: undo does not look
 * for a write. */
static bool place_named(struct gpudbg *g, char *text, struct past_place *p)
{
    struct gpudbg_error ignored = {.offset = -1};
    struct value v;
    const uint32_t wave = g->selection.wave;
    *p = (struct past_place){.wave = wave};
    if (!expr_readable(&g->eval, text, &ignored)) return false;
    const bool good = expr_value_in(&g->eval, wave, g->selection.lane, text, &v, &ignored);
    const uint64_t elements = good && v.place == PLACE_MEMORY && v.many ? v.elements : 0;
    if (!good || v.place != PLACE_REGISTER) {
        if (!past_named(&g->eval, wave, text, p, &ignored) || p->is_register || p->npieces != 1) return false;
        if (!elements) return true;
        p->size = p->piece->size = elements * p->size;
        p->type = (struct value_type){0};
        return true;
    }
    const struct value_type typed = typed_value(&g->eval, wave, &v);
    p->is_register = true;
    p->value = v;
    p->type = v.many ? (struct value_type){0} : typed.bits ? typed : v.type;
    p->size = (v.type.bits + 7u) / 8;
    return true;
}

/* "a[3]"; "$v3[11]", where the lane is the selected one; else as it was typed. */
static void place_name(struct gpudbg *g, const char *text, const struct past_place *p, char *buf, size_t size)
{
    struct buffer_place element;
    const struct gpudbg_regfile *file = p->is_register ? &g->running.machine->isa->files[p->value.file] : NULL;
    if (!file && buffer_place(&g->eval, p->space, p->piece->addr, &element) && element.element.bits == 8 * p->size)
        text_put(buf, size, "%s", element.name);
    else if (file && file->lanes > 1 && p->value.lanes <= 1 && !p->value.part && !strchr(text, '['))
        text_put(buf, size, "%s[%d]", text, p->value.lane);
    else
        text_put(buf, size, "%s", text);
}

static bool take(struct gpudbg *g, struct change *c)
{
    struct gpudbg_error ignored = {.offset = -1};
    const struct past_place *p = &c->place;
    if (!p->is_register) {
        c->bytes = p->size <= BYTES_MOST ? xalloc((size_t)p->size) : NULL;
        return !c->bytes || machine_peek(g->running.machine, p->wave, p->space, p->piece->addr, c->bytes,
                                (size_t)p->size, NULL, &ignored);
    }
    struct value v = c->place.value;
    v.mask_bit = false;
    c->words = value_words(&g->eval, c->place.wave, &v, c->word, WORDS_MOST, &ignored);
    return c->words > 0;
}

/* In the order in which value_words gave them. */
static bool put_back(struct gpudbg *g, const struct change *c, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = g->running.machine;
    const struct past_place *p = &c->place;
    const struct value *v = &p->value;
    if (!p->is_register)
        return machine_set_memory(m, p->wave, p->space, p->piece->addr, c->bytes, (size_t)p->size, err);
    const struct gpudbg_regfile *file = &m->isa->files[v->file];
    const unsigned each = (file->bits + 31u) / 32;
    const bool many = file->lanes > 1;
    size_t at = 0;
    for (int lane = 0; lane < (many && v->lanes > 1 ? v->lanes : 1); lane++)
        for (unsigned r = 0; r < v->count; r++)
            for (unsigned d = v->first; d < each && at < c->words; d++) {
                const unsigned own = many ? (unsigned)(v->lane + lane) * file->bits / 32 : 0;
                if (!machine_set_register(m, p->wave, v->file, v->reg + r, own + d, &c->word[at++], 1, err))
                    return false;
            }
    return true;
}

/* ---- What is said ---- */

/* The value of the place; "" of several lanes, registers or elements. */
static void value_said(struct gpudbg *g, const struct past_place *p, char *buf, size_t size)
{
    unsigned char bytes[PAST_BYTES];
    struct text t = text_in(buf, size);
    buf[0] = 0;
    if (p->size > 8 || (p->is_register && (p->value.many || p->value.lanes > 1))) return;
    if (!past_read(&g->eval, p, bytes, sizeof bytes)) return;
    text_wrote(&t, past_number(&g->eval, p, bytes, PAST_HERE, buf, size));
    if (!t.n) text_wrote(&t, past_text(&g->eval, p, bytes, PAST_HERE, buf, size));
}

static void say(struct gpudbg *g, const struct change *c, const char *before, bool back, struct gpudbg_out *out)
{
    char now[PAST_TEXT] = "";
    value_said(g, &c->place, now, sizeof now);
    RECORD(out, "change", "{name}[: {before} -> {value}][{!value} changed][{undone}, as it was]\n",
        STRING("name", c->name), STRING("before", *before && *now ? before : NULL),
        STRING("value", *before && *now ? now : NULL), FLAG("undone", back));
}

bool change_assign(struct gpudbg *g, const char *text, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct value v;
    char place[200], before[PAST_TEXT] = "";
    struct change *c = xcalloc(1, sizeof *c);
    const bool known = g->running.machine && place_text(text, place, sizeof place) &&
                       place_named(g, place, &c->place) && take(g, c);
    if (known) value_said(g, &c->place, before, sizeof before);
    if (known) place_name(g, place, &c->place, c->name, sizeof c->name);
    if (!expr_value_changing(&g->eval, text, &v, err) || !known) {
        change_free(c);
        return !err->kind;
    }
    struct changes *all = changes_of(g);
    c->ended = g->ended;
    c->future = machine_futures(g->running.machine);
    c->position = machine_position(g->running.machine);
    if (all->n == KEPT_MOST) {
        change_free(all->kept[0]);
        memmove(all->kept, all->kept + 1, --all->n * sizeof *all->kept);
    }
    all->kept[all->n++] = c;
    if (g->front.screenshot) say(g, c, before, false, out); /* scripts know what they set */
    return true;
}

/* It was made in another launch, or in a time that was run otherwise since. */
static bool is_past(const struct gpudbg *g, const struct change *c)
{
    return c->ended != g->ended || machine_forgot(g->running.machine, c->future, c->position);
}

static bool run_undo(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct changes *all = changes_of(g);
    const struct gpudbg_machine *m = g->running.machine;
    char before[PAST_TEXT] = "";
    if (!args_end(a, err) || !eval_need_machine(&g->eval, err) || !session_may_change(g, err)) return false;
    while (all->n && is_past(g, all->kept[all->n - 1])) change_free(all->kept[--all->n]);
    struct change *c = all->n ? all->kept[all->n - 1] : NULL;
    if (!c)
        return gpudbg_fail(err, "not-now",
            "no register and no memory was changed by `set`; `reverse-stepi` goes back in time, `unpatch` restores "
            "code");
    if (machine_position(m) != c->position)
        return gpudbg_fail(err, "not-now", "%s was changed at position %" PRIu64 ": `goto %" PRIu64 "`, then `undo`",
            c->name, c->position, c->position);
    if (!c->place.is_register && !c->bytes)
        return gpudbg_fail(
            err, "too-large", "%s has %" PRIu64 " bytes: what they were before was not kept", c->name, c->place.size);
    value_said(g, &c->place, before, sizeof before);
    if (!put_back(g, c, err)) return false;
    all->n--;
    say(g, c, before, true, out);
    change_free(c);
    return true;
}

static const struct gpudbg_command undo = {
    .name = "undo",
    .usage = "",
    .summary = "take back the latest change of a register or of memory by `set`",
    .help = "Repeat it to take back the change before that one.  `undo` does not move in time: it works only at the\n"
            "position of the change.",
    .family = "Data",
    .effect = GPUDBG_CHANGES,
    .run = run_undo,
};

static const struct gpudbg_command *const commands[] = {&undo, NULL};
COMMAND_FAMILY(cmd_undo, "undo", .summary = "changes taken back", .commands = commands);
