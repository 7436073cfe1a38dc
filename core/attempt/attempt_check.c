/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempt_check.c: what came out, held against what was expected. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attempt/attempt.h"
#include "base/alloc.h"
#include "machine/literal.h"
#include "gpudbg/text.h"

#define DIFFERENCES 64 /* that are kept of one expectation */

static struct attempt_difference *differs(struct attempt *a)
{
    a->difference = xgrow(a->difference, a->ndifferences, &a->differences_room, sizeof *a->difference);
    struct attempt_difference *d = &a->difference[a->ndifferences++];
    memset(d, 0, sizeof *d);
    return d;
}

static void differ(struct attempt *a, const char *what, const char *got, const char *wanted)
{
    struct attempt_difference *d = differs(a);
    text_put(d->what, sizeof d->what, "%s", what);
    text_put(d->got, sizeof d->got, "%s", got);
    text_put(d->wanted, sizeof d->wanted, "%s", wanted);
}

/* ---- Registers ---- */

static bool is_nan(const struct attempt *a, const struct attempt_place *p, size_t i)
{
    const struct attempt_bits *b = &p->bits[i];
    const uint32_t got = a->wave->words[b->at];
    if (p->nan_size == 2) return ((got & b->mask) >> (b->mask >> 31 ? 16 : 0) & 0x7fff) > 0x7c00;
    if (p->nan_size == 4) return (got & 0x7fffffff) > 0x7f800000;
    if (!b->value) return true; /* the low half of a double: what its high half says counts */
    const uint32_t low = i ? a->wave->words[p->bits[i - 1].at] : 0;
    return (got & 0x7ff00000) == 0x7ff00000 && (got & 0xfffff || low);
}

/* All dwords of the register from number i on that belong together: one value.  Returns how many. */
static size_t compare_value(struct attempt *a, const struct attempt_place *p, size_t i)
{
    const struct attempt_bits *b = &p->bits[i];
    const struct gpudbg_regfile *f = &a->env->isa->files[b->file];
    uint64_t got = a->wave->words[b->at] & b->mask, wanted = b->value;
    size_t n = 1;
    bool same = p->any_nan ? is_nan(a, p, i) : got == wanted;
    if (f->lanes <= 1 && f->bits == 64 && i + 1 < p->n && p->bits[i + 1].file == b->file &&
        p->bits[i + 1].reg == b->reg && p->bits[i + 1].dword == b->dword + 1) {
        const struct attempt_bits *high = &p->bits[i + 1];
        got |= (uint64_t)(a->wave->words[high->at] & high->mask) << 32;
        wanted |= (uint64_t)high->value << 32;
        same = p->any_nan ? is_nan(a, p, i + 1) : got == wanted;
        n = 2;
    }
    if (same) return n;
    char name[64];
    struct attempt_difference *d = differs(a);
    struct text t = text_in(d->what, sizeof d->what);
    text_add(&t, "%s", attempt_name(a, b->file, b->reg, name, sizeof name));
    if (f->lanes > 1)
        text_add(&t, "[%u]", b->dword);
    else if (f->bits > 64)
        text_add(&t, ".%u:ud", b->dword);
    snprintf(d->got, sizeof d->got, "0x%" PRIx64, got);
    snprintf(d->wanted, sizeof d->wanted, p->any_nan ? "a NaN" : "0x%" PRIx64, wanted);
    return n;
}

static void compare_registers(struct attempt *a, const struct attempt_place *p)
{
    const size_t before = a->ndifferences;
    for (size_t i = 0; i < p->n && a->ndifferences - before < DIFFERENCES;) i += compare_value(a, p, i);
}

/* ---- Memory ---- */

static bool compare_memory(struct attempt *a, const struct attempt_place *p, const char *name)
{
    const struct gpudbg_segment *s = gpudbg_mem_find(a->wave, p->space, p->addr, p->size);
    const uint8_t *now = s ? s->bytes + (p->addr - s->base) : NULL;
    const size_t before = a->ndifferences;
    for (uint64_t i = 0; now && i < p->size && a->ndifferences - before < DIFFERENCES; i++) {
        if (now[i] == p->bytes[i]) continue;
        struct attempt_difference *d = differs(a);
        char plain[64];
        snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "+"), name);
        snprintf(d->what, sizeof d->what, "%s+%" PRIu64, plain, p->addr - s->base + i);
        snprintf(d->got, sizeof d->got, "0x%02x", now[i]);
        snprintf(d->wanted, sizeof d->wanted, "0x%02x", p->bytes[i]);
    }
    return now;
}

/* ---- What happened ---- */

static const struct attempt_event *event_of(const struct attempt *a, const char *kind)
{
    for (size_t i = a->nevents; i-- > 0;)
        if (strcmp(a->event[i].kind, kind) == 0) return &a->event[i];
    return NULL;
}

static void expect(struct attempt *a, const char *what, bool met)
{
    if (!met) differ(a, what, "did not happen", "happens");
}

static bool expect_branch(struct attempt *a, const char *value, struct gpudbg_error *err)
{
    const struct attempt_event *e = event_of(a, "branch");
    uint64_t target;
    bool negative;
    const char *end;
    char got[32] = "not taken", wanted[32];
    if (!value) {
        expect(a, "branch", e);
        return true;
    }
    if (!literal_integer(value, &target, &negative, &end) || *end || negative)
        return gpudbg_fail(err, "bad-argument", "branch: '%.40s' is not an address", value);
    if (e && e->target == target) return true;
    if (e) snprintf(got, sizeof got, "0x%" PRIx64, e->target);
    snprintf(wanted, sizeof wanted, "0x%" PRIx64, target);
    differ(a, "branch", got, wanted);
    return true;
}

/* An expected word that names neither a register nor memory. */
static bool expect_word(struct attempt *a, const struct attempt_word *w, bool *known, struct gpudbg_error *err)
{
    *known = true;
    if (strcmp(w->name, "branch") == 0) return expect_branch(a, w->value, err);
    *known = !w->value;
    if (w->value) return true;
    if (strcmp(w->name, "fault") == 0)
        expect(a, "fault", a->end == ATTEMPT_FAULT);
    else if (strcmp(w->name, "end") == 0)
        expect(a, "end", a->end == ATTEMPT_ENDED);
    else if (strcmp(w->name, "barrier") == 0 || strcmp(w->name, "falls-through") == 0)
        expect(a, w->name, event_of(a, w->name));
    else if (strcmp(w->name, "message") == 0)
        expect(a, "message", event_of(a, "message"));
    else
        *known = strcmp(w->name, "only") == 0;
    return true;
}

/* ---- All of it ---- */

/* With `only`: no bit of a register has changed that was not expected to have some value. */
static void compare_others(struct attempt *a, const uint32_t *expected)
{
    const struct gpudbg_alone *alone = a->env->isa->alone;
    const struct gpudbg_isa *isa = a->env->isa;
    for (unsigned f = 0; f < isa->nfiles; f++) {
        const unsigned count = isa->run->count(a->machine, f);
        for (unsigned reg = 0; reg < count; reg++) {
            unsigned n;
            char name[64], what[96];
            const size_t at = attempt_dwords(a, f, reg, &n);
            const bool repeats = alone && alone->repeating && strcmp(alone->repeating, isa->files[f].name) == 0;
            const uint32_t but = repeats ? alone->repeated : 0;
            for (unsigned d = 0; at != SIZE_MAX && d < n; d++) {
                if (!((a->wave->words[at + d] ^ a->before[at + d]) & ~expected[at + d] & ~but)) continue;
                snprintf(what, sizeof what, isa->files[f].lanes > 1 ? "%s[%u]" : "%s",
                    attempt_name(a, f, reg, name, sizeof name), d);
                differ(a, what, "changed", "stays");
                break;
            }
        }
    }
}

bool attempt_check(struct attempt *a, const struct attempt_line *line, struct gpudbg_error *err)
{
    bool only = false, faults = false;
    uint32_t *expected = xcalloc(a->machine->wave_words ? a->machine->wave_words : 1, sizeof *expected);
    bool ok = true;
    for (size_t i = 0; i < line->nout && ok; i++) {
        const struct attempt_word *w = &line->out[i];
        struct attempt_place p = {0};
        bool known;
        if (!(ok = expect_word(a, w, &known, err))) break;
        only |= strcmp(w->name, "only") == 0;
        faults |= strcmp(w->name, "fault") == 0;
        if (known) continue;
        const enum attempt_named is = w->value ? attempt_place(a, w, &p, err) : ATTEMPT_NOBODY;
        if (is == ATTEMPT_NOBODY)
            gpudbg_fail(err, "no-such-name",
                "%s: a register or memory with a value is expected here, or one of fault, end, barrier, branch, "
                "falls-through, message, only",
                w->name);
        ok = is == ATTEMPT_PLACE;
        if (ok && p.memory)
            compare_memory(a, &p, w->name);
        else if (ok)
            compare_registers(a, &p);
        for (size_t k = 0; k < p.n; k++) expected[p.bits[k].at] |= p.bits[k].mask;
        attempt_place_free(&p);
    }
    if (ok && a->end == ATTEMPT_FAULT && !faults) differ(a, "fault", a->fault, "no fault");
    if (ok && a->end == ATTEMPT_ENDLESS) differ(a, "end", "none: it runs on", "comes to an end");
    if (ok && only) compare_others(a, expected);
    free(expected);
    return ok;
}
