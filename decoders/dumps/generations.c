/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generations.c: which generations of AMD's a log may be of.  Each line that only some of them print is a sign, which
 * leaves those; signs are kept with their reasons, and at the end the most trusted ones count first.  What is left is
 * said, and never more.  A sign that leaves none of what better ones left is a contradiction: both are named.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "gpudbg/text.h"
#include "kernel_log.h"

static const char *const names[] = {
    "Cayman", "gfx6", "gfx7", "gfx8", "gfx9", "gfx10", "gfx10.3", "gfx11", "gfx12"}; /* by bit, GENERATION_* */
#define NAMES (sizeof names / sizeof *names)

/* What faults of a generation have: bits by enum generation_fact. */
static const struct {
    const char *family;
    unsigned facts;
} facts[] = {{"gfx7", 1u << INTERRUPT_REPEATS_STATUS}};

bool generation_has(const char *family, enum generation_fact fact)
{
    for (size_t i = 0; family && i < sizeof facts / sizeof *facts; i++)
        if (strcmp(facts[i].family, family) == 0) return facts[i].facts >> fact & 1;
    return false;
}

/* Each kind of sign by itself; the name of a function counts for little: code of one generation serves others. */
static const char *const trust_words[] = {[TRUST_FUNCTION] = "the name of the function",
    [TRUST_LINE] = "the driver's lines",
    [TRUST_LIST] = "the list of registers at a reset",
    [TRUST_BLOCK] = "the name of the block",
    [TRUST_FIRMWARE] = "its firmware",
    [TRUST_CHIP] = "the chip"};

static struct generation_of *of_device(struct generations *g, struct gpudbg_dump *d, uint32_t line)
{
    size_t n;
    const uint32_t capture = gpudbg_dump_current(d, line);
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const char *device = capture < n ? captures[capture].device : NULL;
    for (size_t i = 0; i < g->n; i++) {
        struct generation_of *of = &g->of[i];
        if (!of->device && of->capture == capture) of->device = device; /* later lines name the device */
        if (of->device == device) return of;                            /* strings of a dump are kept once */
    }
    if (g->n == GENERATION_DEVICES) return NULL;
    g->of[g->n] = (struct generation_of){.device = device, .capture = capture};
    return &g->of[g->n++];
}

static void sign(struct generations *g, struct gpudbg_dump *d, uint32_t line, enum generation_trust trust,
    unsigned left, const char *why, const char *name)
{
    struct generation_of *of = of_device(g, d, line);
    if (!of || (left & GENERATION_ALL) == GENERATION_ALL) return;
    for (unsigned i = 0; i < of->n; i++)
        if (of->sign[i].trust == trust && of->sign[i].left == left) return;
    if (of->n == GENERATION_SIGNS) return;
    struct generation_sign *s = &of->sign[of->n++];
    *s = (struct generation_sign){.trust = trust, .left = left, .line = line, .why = why};
    if (name) snprintf(s->name, sizeof s->name, "%s", name);
}

void generation_sign(struct generations *g, struct gpudbg_dump *d, uint32_t line, unsigned left, const char *why)
{
    sign(g, d, line, TRUST_LINE, left, why, NULL);
}

void generation_weak_sign(struct generations *g, struct gpudbg_dump *d, uint32_t line, unsigned left, const char *why)
{
    sign(g, d, line, TRUST_FUNCTION, left, why, NULL);
}

/* "gfx9", "gfx10 or gfx10.3" */
static unsigned bits_of(const char *family)
{
    unsigned bits = 0;
    for (size_t n; *family; family += n + strspn(family + n, ", ")) {
        n = strcspn(family, ", ");
        for (unsigned i = 0; i < NAMES; i++)
            if (strlen(names[i]) == n && strncasecmp(names[i], family, n) == 0) bits |= 1u << i;
    }
    return bits;
}

void generation_named(struct generations *g, struct gpudbg_dump *d, uint32_t line, enum generation_trust trust,
    const char *family, const char *name)
{
    size_t n;
    if (!family) return;
    const unsigned bits = bits_of(family);
    if (bits) sign(g, d, line, trust, bits, trust_words[trust], name);
    const uint32_t capture = gpudbg_dump_current(d, line);
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    const char *said = capture < n ? captures[capture].family : NULL;
    if (trust > TRUST_LINE && (!said || !bits || bits_of(said) & bits))
        gpudbg_dump_family(d, line, family, trust == TRUST_CHIP ? name : NULL);
}

void generation_fault(struct generations *g, struct gpudbg_dump *d, uint32_t line, bool agrees)
{
    struct generation_of *of = of_device(g, d, line);
    if (!of) return;
    if (!agrees)
        generation_weak_sign(g, d, line, GENERATION_ALL & ~(unsigned)GENERATION_7, /* or a fault of mixed lines */
            "its interrupts do not hold what the fault's status does, as they would on gfx7");
    else if (++of->agreeing == 2)
        generation_sign(g, d, line, GENERATION_ALL & ~(unsigned)GENERATION_8, /* a log of Tahiti's has such ones, too */
            "its interrupts hold what the fault's status does, as gfx8's do not");
}

/* What i915 and xe number alike: 7 is Ivy Bridge, Bay Trail and Haswell; 12 is Tiger Lake to Raptor Lake and DG1, and
 * DG2 and Meteor Lake, too, whose driver's steps 12.55 and 12.70 the number leaves out. */
static const struct intel_set {
    unsigned number;
    const char *families, *why;
} intel_sets[] = {{7, "gen7 or gen7.5", "the driver counts Ivy Bridge, Bay Trail and Haswell as 7"},
    {12, "gen12 or gen12.5", "the driver counts DG2 and Meteor Lake as 12, as it does Tiger Lake to Raptor Lake"},
    {0, "", ""}};

void intel_numbered(struct generations *g, struct gpudbg_dump *d, uint32_t line, unsigned number)
{
    const uint32_t capture = gpudbg_dump_current(d, line);
    struct intel_number *of = g->intel;
    const struct intel_number *end = of + g->nintel;
    while (of < end && of->capture != capture) of++;
    if (of == end && g->nintel == GENERATION_DEVICES) return;
    if (of == end) g->intel[g->nintel++] = (struct intel_number){.capture = capture};
    if (!of->number) of->number = number;
}

/* A name of one of Intel's in a person's text; a second family leaves a doubt. */
static void intel_typed(struct generations *g, const char *family, const char *name)
{
    if (g->intel_family && strcmp(g->intel_family, family) != 0) g->intel_doubt = true;
    if (g->intel_family) return;
    g->intel_family = family;
    snprintf(g->intel_name, sizeof g->intel_name, "%s", name);
}

static void intel_end(const struct generations *g, struct gpudbg_dump *d)
{
    char why[128];
    snprintf(why, sizeof why, "the text beside the log names %s", g->intel_name);
    for (unsigned i = 0; i < g->nintel; i++)
        for (const struct intel_set *set = intel_sets;; set++) {
            if (set->number != g->intel[i].number && set->number) continue;
            const bool typed = g->intel_family && !g->intel_doubt &&
                               (!set->number || strstr(set->families, g->intel_family));
            if (typed)
                gpudbg_dump_assume_in(d, g->intel[i].capture, g->intel_family, why);
            else if (set->number)
                gpudbg_dump_assume_in(d, g->intel[i].capture, set->families, set->why);
            break;
        }
}

void generation_typed(struct generations *g, const char *text)
{
    enum { LINES = 1000 }; /* what a person writes is short, a log is not */
    char name[24];
    if (g->typed_lines >= LINES) return;
    g->typed_lines++;
    for (const char *family; (family = board_family(text, name, sizeof name));) {
        const unsigned bits = bits_of(family);
        if (!bits) intel_typed(g, family, name);
        text = strstr(text, name) + strlen(name);
        for (unsigned i = 0; i < NAMES; i++)
            if (bits >> i & 1 && !g->typed[i][0]) snprintf(g->typed[i], sizeof g->typed[i], "%s", name);
    }
}

/* Of the generations that are left, those that a person's text names; all that are left, where it names none. */
static unsigned as_typed(const struct generations *g, unsigned left, char *why, size_t size)
{
    unsigned typed = 0;
    for (unsigned i = 0; i < NAMES; i++)
        if (left >> i & 1 && g->typed[i][0]) typed |= 1u << i;
    if (!typed || typed == left) return left;
    for (unsigned i = 0; i < NAMES; i++)
        if (typed == 1u << i) snprintf(why, size, "the text beside the log names %s", g->typed[i]);
    return typed;
}

/* "gfx6, gfx7 or gfx8" */
static void names_of(unsigned left, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    unsigned n = 0;
    for (unsigned i = 0; i < NAMES; i++) n += left >> i & 1;
    for (unsigned i = 0; i < NAMES; i++) {
        if (!(left >> i & 1)) continue;
        text_add(&t, "%s%s", names[i], n > 2 ? ", " : n == 2 ? " or " : "");
        n--;
    }
}

static void contradiction(struct gpudbg_dump *d, const struct generation_sign *good, const struct generation_sign *bad)
{
    char believed[96], other[96];
    names_of(good->left, believed, sizeof believed);
    names_of(bad->left, other, sizeof other);
    gpudbg_dump_note(d, bad->line, "contradiction",
        "signs of two generations: %s%s%s says %s (line %u), %s%s%s says %s (line %u); the first is believed",
        good->why, good->name[0] ? " " : "", good->name, believed, good->line, bad->why, bad->name[0] ? " " : "",
        bad->name, other, bad->line);
}

/* What the signs leave, the most trusted first; *why: the reasons of those that left something out. */
static unsigned what_is_left(struct gpudbg_dump *d, struct generation_of *of, char *why, size_t size)
{
    const struct generation_sign *counts[GENERATION_SIGNS];
    unsigned left = GENERATION_ALL, n = 0;
    for (int trust = TRUST_CHIP; trust >= TRUST_FUNCTION; trust--)
        for (unsigned i = 0; i < of->n; i++) {
            const struct generation_sign *s = &of->sign[i];
            if (s->trust != (enum generation_trust)trust || (left & s->left) == left) continue;
            if (left & s->left) {
                if (!(s->left & (s->left - 1))) n = 0; /* it leaves one by itself */
                left &= s->left;
                counts[n++] = s;
                continue;
            }
            const struct generation_sign *against = NULL;
            for (unsigned k = 0; k < n && !against; k++)
                if (!(counts[k]->left & s->left)) against = counts[k];
            if (trust != TRUST_FUNCTION && n) contradiction(d, against ? against : counts[n - 1], s);
        }
    struct text t = text_in(why, size);
    for (unsigned i = 0; i < n && i < 3; i++)
        text_add(&t, "%s%s%s%s",
            i == 0               ? ""
            : i + 1 < n && i < 2 ? ", "
                                 : ", and ",
            counts[i]->why, counts[i]->name[0] ? " " : "", counts[i]->name);
    return left;
}

void generations_end(struct generations *g, struct gpudbg_dump *d)
{
    size_t n;
    char text[96], why[320];
    const struct gpudbg_capture *captures = gpudbg_dump_captures(d, &n);
    intel_end(g, d);
    for (size_t i = 0; i < g->n; i++) {
        struct generation_of *of = &g->of[i];
        unsigned left = what_is_left(d, of, why, sizeof why);
        if (left == GENERATION_ALL) continue;
        left = as_typed(g, left, why, sizeof why);
        names_of(left, text, sizeof text);
        for (size_t c = 0; c < n; c++)
            if (of->device ? captures[c].device == of->device : of->capture == c)
                gpudbg_dump_assume_in(
                    d, (uint32_t)c, text, left & (left - 1) ? "nothing in its lines decides between them" : why);
    }
}
