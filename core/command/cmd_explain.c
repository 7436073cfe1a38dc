/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain: what a dump means, each sentence with its evidence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "out/say.h"
#include "session/command.h"
#include "explain/explain.h"
#include "session/session.h"

static void show_evidence(struct gpudbg_out *out, const struct finding *f)
{
    gpudbg_out_array(out, "evidence");
    for (unsigned i = 0; i < f->nevidence; i++)
        ITEM(out, NULL, i ? ", {what}[ line {line}]" : "    from {what}[ line {line}]",
            STRING("register", f->evidence[i].name ? f->evidence[i].name : "-"),
            IF(f->evidence[i].line, NUMBER("line", f->evidence[i].line)),
            TEXT("what", f->evidence[i].name ? f->evidence[i].name : "the file"));
    gpudbg_out_close(out);
    if (f->count > 1)
        gpudbg_out_print(out, "%stold %u times, the last on line %u", f->nevidence ? "; " : "    ", f->count, f->last);
    gpudbg_out_print(out, "%s", f->nevidence || f->count > 1 ? "\n" : "");
}

static void show_finding(struct gpudbg_out *out, const struct finding *f)
{
    BEGIN(out, "finding", "  {cause:-16} {text}\n", STRING("cause", f->cause), STRING("text", f->text));
    show_evidence(out, f);
    SAY(out, NULL, NUMBER("capture", f->capture), NUMBER("count", f->count), STRING("rule", f->rule),
        STRING("source", f->source));
    gpudbg_out_end(out);
}

static void capture_heading(struct gpudbg_out *out, const struct gpudbg_dump *d, uint32_t capture)
{
    size_t n;
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    if (capture >= n) return;
    c += capture;
    gpudbg_out_print(out, "capture %u%s%s%s%s%s%s, from line %u\n", capture, c->title ? ": " : "",
        c->title ? c->title : "", c->chip ? ", " : "", c->chip ? c->chip : "", c->family ? ", " : "",
        c->family ? c->family : "", c->line);
}

static bool explain_one(
    struct gpudbg *g, const struct gpudbg_dump *d, uint32_t first, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct explain *e = session_explain(g, d, first, err);
    const struct finding *f;
    struct gpudbg_error problem;
    uint32_t capture = UINT32_MAX;
    if (!e) return false;
    if (explain_problem(e, &problem)) session_failed(g, &problem, problem.file, problem.line, out);
    gpudbg_out_print(out, "%s\n", gpudbg_dump_path(d));
    for (size_t i = 0; (f = explain_finding(e, i)); i++) {
        if (f->capture != capture) capture_heading(out, d, f->capture);
        capture = f->capture;
        show_finding(out, f);
    }
    if (!explain_finding(e, 0))
        gpudbg_out_print(out, "no rule says anything about it; `info dump` shows what it holds\n");
    explain_close(e);
    return true;
}

static bool run_explain(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t which = 0, first = 0;
    size_t captures;
    struct gpudbg_dump *d;
    if (strncmp(gpudbg_args_rest(a), "-c", 2) == 0) {
        gpudbg_args_word(a);
        if (!args_value(a, "a capture's number", &first, err)) return false;
    }
    const bool one = *gpudbg_args_rest(a) != 0;
    if (one && (!args_value(a, "a dump's number", &which, err) || !args_end(a, err))) return false;
    if (!gpudbg_session_dump(g, (size_t)which))
        return which ? gpudbg_fail(err, "out-of-range", "no dump %llu", (unsigned long long)which)
                     : gpudbg_fail(err, "no-file", "no dump is loaded; `load FILE` loads one");
    gpudbg_dump_captures(gpudbg_session_dump(g, (size_t)which), &captures);
    if (first && first >= captures)
        return gpudbg_fail(err, "out-of-range", "no capture %llu: the dump has %zu, numbered from 0",
            (unsigned long long)first, captures);
    for (size_t i = (size_t)which; (d = gpudbg_session_dump(g, i)) && (!one || i == which); i++)
        if (!explain_one(g, d, i == which ? (uint32_t)first : 0, out, err)) return false;
    return true;
}

static const struct gpudbg_command explain = {
    .name = "explain",
    .usage = "[-c CAPTURE] [DUMP]",
    .summary = "explain what a dump means, with evidence",
    .help = "-c CAPTURE  begin at this capture.  The command explains at most 200 captures at once\n"
            "`likely` marks a sentence that is inferred, not read from the dump.\n"
            "The rules are in share/explain/*.rules, each with its source.  You can add rules in\n"
            "$XDG_CONFIG_HOME/gpudbg/explain.",
    .family = "Info",
    .run = run_explain,
};

static const struct gpudbg_command *const commands[] = {&explain, NULL};
COMMAND_FAMILY(cmd_explain, "explain", .summary = "the command explain", .commands = commands);
