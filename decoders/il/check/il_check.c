/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_check.c: the rules for core: the checker `il`, and faults that make listing a stream an error. */
#include <inttypes.h>
#include <stdio.h>
#include "il_isa.h"
#include "check/il_rules.h"

#define FINDINGS_MOST 10000

struct reader {
    const struct gpudbg_image *image;
    struct gpudbg_checks *checks; /* or */
    bool (*each)(void *to, const struct gpudbg_report *);
    void *to;
    unsigned n;
};

static bool pass_on(void *to, const struct il_finding *f)
{
    struct reader *reader = to;
    char text[400];
    struct gpudbg_report report = {.pc = 4 * (uint64_t)f->token, .error = f->kind, .message = text, .note = f->note};
    const struct gpudbg_line *line = gpudbg_image_line(reader->image, report.pc);
    if (line) {
        report.line = line->line;
        report.column = line->column;
    }
    char place[40] = "";
    if (!line) snprintf(place, sizeof place, "token %" PRIu32 ": ", f->token);
    if (f->kind)
        snprintf(text, sizeof text, "%s: %s%s", f->kind, place, f->message);
    else
        snprintf(text, sizeof text, "%s%s (%s, %s)", place, f->message, f->rule, f->source);
    if (!reader->checks) return !f->kind || reader->each(reader->to, &report);
    gpudbg_report(reader->checks, &report);
    if (++reader->n < FINDINGS_MOST) return true;
    report.message = "the rest is not checked: this is report 10000";
    report.error = NULL;
    gpudbg_report(reader->checks, &report);
    return false;
}

static void check(struct reader *reader)
{
    size_t n = 0;
    const uint8_t *bytes = gpudbg_image_bytes(reader->image, 0, &n);
    if (bytes) il_check(bytes, n, pass_on, reader);
}

void il_faults(const struct gpudbg_image *image, bool (*each)(void *to, const struct gpudbg_report *), void *to)
{
    struct reader reader = {.image = image, .each = each, .to = to};
    check(&reader);
}

/* Reports lines of text with two instructions: only such lines have two rows. */
static void check_lines(const struct gpudbg_image *image, struct gpudbg_checks *checks)
{
    for (size_t i = 1; i < image->nlines; i++) {
        const struct gpudbg_line *a = &image->lines[i - 1], *b = &image->lines[i];
        if (a->line != b->line) continue;
        gpudbg_report(
            checks, &(struct gpudbg_report){.pc = b->addr,
                        .line = b->line,
                        .column = b->column,
                        .note = true,
                        .message = "no line end parts this instruction from the one before it (line-end, chapter 3)"});
    }
}

static bool applies(const struct gpudbg_isa *isa) { return il_is(isa); }

static bool check_code(const struct gpudbg_image *image, struct gpudbg_checks *checks, struct gpudbg_error *err)
{
    (void)err;
    struct reader reader = {.image = image, .checks = checks};
    check(&reader);
    check_lines(image, checks);
    return true;
}

const struct gpudbg_checker il_checker = {
    .kind = "il",
    .summary = "broken rules of AMD IL: blocks, declarations, registers, modifiers, shader models",
    .applies = applies,
    .code = check_code,
};
