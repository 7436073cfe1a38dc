/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain: what a dump means, each sentence with its evidence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "out/say.h"
#include "session/command.h"
#include "explain/explain.h"
#include "explain/verdict.h"
#include "dump/dump.h"
#include "dump/dump_show.h"
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

/* ---- The verdict and the timeline ---- */

static void show_verdict(struct gpudbg_out *out, const struct verdict *v)
{
    char text[2048], signature[17];
    verdict_text(v, true, text, sizeof text);
    verdict_signature(v, signature);
    const char *sure = v->likely ? "likely" : "told";
    const struct finding *f = v->finding;
    const uint32_t line = f->fold[0] && f->nevidence ? f->evidence[0].line
                                                     : f->line; /* its sentence is of the latest */
    BEGIN(out, "verdict", "verdict: {text} ({how}[, line {line}])\n", STRING("text", text), STRING("cause", f->cause),
        STRING("rule", f->rule), TEXT("how", v->likely ? "inferred" : "told by the dump"),
        IF(line, NUMBER("line", line)));
    SAY(out, NULL, STRING("sure", sure), NUMBER("capture", f->capture), STRING("signature", signature));
    if (v->process) gpudbg_out_string(out, "process", v->process);
    if (v->pid) gpudbg_out_number(out, "pid", (int64_t)v->pid);
    if (v->outcome[0]) gpudbg_out_string(out, "outcome", v->outcome);
    gpudbg_out_end(out);
}

static void show_moments(struct gpudbg_out *out, const struct gpudbg_dump *d)
{
    size_t n, more;
    struct moment *m = moments_of(d, &n, &more);
    int column = 18; /* as wide as the widest stamp: some loggers count nanoseconds */
    for (size_t i = 0; i < n; i++)
        if ((int)strlen(m[i].when) > column) column = (int)strlen(m[i].when);
    if (n > 1) gpudbg_out_print(out, "timeline:\n");
    for (size_t i = 0; i < n && n > 1; i++) {
        char text[640], times[64] = "", stamp[sizeof m->when + 18];
        snprintf(stamp, sizeof stamp, "%-*s", column, m[i].when);
        moment_text(d, &m[i], true, text, sizeof text);
        if (m[i].count > 1) snprintf(times, sizeof times, " (%u times, to line %u)", m[i].count, m[i].last);
        if (more && i == n / 2) gpudbg_out_print(out, "  ... %zu more\n", more);
        BEGIN(out, "moment", "  {stamp} {text}{times}, line {line}\n", STRING("when", m[i].when), TEXT("stamp", stamp),
            TEXT("text", text), TEXT("times", times), NUMBER("line", m[i].incident->line));
        SAY(out, NULL, STRING("kind", m[i].incident->kind->word));
        if (m[i].incident->unit) gpudbg_out_string(out, "unit", m[i].incident->unit);
        SAY(out, NULL, NUMBER("capture", m[i].incident->capture), NUMBER("count", m[i].count),
            NUMBER("last", m[i].last));
        gpudbg_out_end(out);
    }
    free(m);
}

/* ---- Text for a bug report: no names of machines, users or processes ---- */

static void report_text(struct gpudbg_out *out, const struct explain *e, const struct gpudbg_dump *d, bool names)
{
    struct verdict v;
    const struct finding *f;
    size_t n, more, nfacts;
    char text[2048], signature[17];
    const struct gpudbg_capture *c = gpudbg_dump_captures(d, &n);
    const struct gpudbg_dump_fact *fact = gpudbg_dump_facts(d, &nfacts);
    BEGIN(out, "report", NULL, STRING("format", gpudbg_dump_format(d)));
    gpudbg_out_print(out, "GPU hang, as gpudbg reads the log\n\n");
    if (verdict_of(e, d, &v)) {
        verdict_text(&v, names, text, sizeof text);
        verdict_signature(&v, signature);
        SAY(out, "What failed: {text}\nSignature:   {signature}\n", STRING("text", text),
            STRING("signature", signature));
    } else {
        gpudbg_out_print(out, "What failed: nothing in it says that anything failed\n");
    }
    const uint32_t which = verdict_of(e, d, &v) ? v.finding->capture : 0;
    if (which < n) {
        if (c[which].chip) SAY(out, "Chip:        {chip}\n", STRING("chip", c[which].chip));
        if (c[which].family) SAY(out, "Generation:  {family}\n", STRING("family", c[which].family));
    }
    for (size_t i = 0; i < nfacts; i++)
        if (fact[i].text && (strcmp(fact[i].key, "kernel") == 0 || strcmp(fact[i].key, "driver") == 0))
            gpudbg_out_print(
                out, "%-12s %s\n", strcmp(fact[i].key, "kernel") == 0 ? "Kernel:" : "Driver:", fact[i].text);
    struct moment *m = moments_of(d, &n, &more);
    if (n) gpudbg_out_print(out, "\nWhat happened:\n");
    for (size_t i = 0; i < n; i++) {
        moment_text(d, &m[i], names, text, sizeof text);
        gpudbg_out_print(out, "  %-18s %s", m[i].when, text);
        if (m[i].count > 1) gpudbg_out_print(out, " (%u times)", m[i].count);
        gpudbg_out_print(out, "\n");
    }
    free(m);
    bool any = false;
    gpudbg_out_array(out, "next");
    for (size_t i = 0; (f = explain_finding(e, i)); i++) {
        if (strcmp(f->cause, "missing") != 0) continue;
        if (!any) gpudbg_out_print(out, "\nTo capture next:\n");
        any = true;
        ITEM(out, NULL, "  {text}\n", STRING("text", f->text));
    }
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

/* ---- The command ---- */

enum how { ALL, REPORT, SIGNATURE };

static bool explain_one(struct gpudbg *g, const struct gpudbg_dump *d, uint32_t first, enum how how, bool names,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct explain *e = session_explain(g, d, first, err);
    const struct finding *f;
    struct gpudbg_error problem = {0};
    struct verdict v;
    uint32_t capture = UINT32_MAX;
    if (!e) return false;
    if (explain_problem(e, &problem)) session_failed(g, &problem, problem.file, problem.line, out);
    const bool failed = verdict_of(e, d, &v);
    if (how == REPORT) {
        report_text(out, e, d, names);
    } else if (how == SIGNATURE) {
        char signature[17] = "-", text[2048] = "nothing failed";
        if (failed) verdict_signature(&v, signature), verdict_text(&v, false, text, sizeof text);
        RECORD(out, "signature", "{signature:-16}  {file}  {text}\n", STRING("signature", signature),
            STRING("file", gpudbg_dump_path(d)), STRING("text", text));
    } else {
        gpudbg_out_print(out, "%s\n", gpudbg_dump_path(d));
        if (failed)
            show_verdict(out, &v);
        else
            gpudbg_out_print(out, "nothing in it says that anything failed; `info dump` shows what it holds\n");
        if (!first) show_moments(out, d);
        for (size_t i = 0; (f = explain_finding(e, i)); i++) {
            if (f->capture != capture) capture_heading(out, d, f->capture);
            capture = f->capture;
            show_finding(out, f);
        }
    }
    explain_close(e);
    return true;
}

static bool run_explain(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t which = 0, first = 0;
    size_t captures;
    struct gpudbg_dump *d;
    const char *format = gpudbg_args_format(a);
    const enum how how = strcmp(format, "report") == 0 ? REPORT : strcmp(format, "signature") == 0 ? SIGNATURE : ALL;
    if (*format && how == ALL)
        return gpudbg_fail(err, "usage", "no form \"/%.20s\"; there are /report and /signature", format);
    bool names = false;
    if (strncmp(gpudbg_args_rest(a), "-n", 2) == 0) {
        gpudbg_args_word(a);
        names = true;
    }
    if (strncmp(gpudbg_args_rest(a), "-c", 2) == 0) {
        gpudbg_args_word(a);
        if (!args_value(a, "a capture's number", &first, err)) return false;
    }
    const bool one = *gpudbg_args_rest(a) != 0;
    if (one && (!args_value(a, "a dump's number", &which, err) || !args_end(a, err))) return false;
    if (!(d = session_dump_numbered(g, which, err))) return false;
    gpudbg_dump_captures(d, &captures);
    if (first && first >= captures)
        return gpudbg_fail(err, "out-of-range", "no capture %llu: the dump has %zu, numbered from 0",
            (unsigned long long)first, captures);
    for (size_t i = (size_t)which; (d = gpudbg_session_dump(g, i)) && (!one || i == which); i++)
        if (!explain_one(g, d, i == which ? (uint32_t)first : 0, how, names, out, err)) return false;
    return true;
}

static const struct gpudbg_command explain = {
    .name = "explain",
    .usage = "[/report [-n] | /signature] [-c CAPTURE] [DUMP]",
    .summary = "explain what a dump means, with evidence",
    .help = "The first line is the verdict: what failed, for whom, and whether the dump says so or it is inferred.\n"
            "The timeline follows, in the log's own time, then all findings, those that matter most first.\n"
            "/report     text for a bug report, without names of machines and processes; with -n: with them\n"
            "/signature  the same 16 digits for the same hang, whatever its addresses, times and counts are\n"
            "-c CAPTURE  begin at this capture.  The command explains at most 200 captures at once\n"
            "`likely` marks a sentence that is inferred, not read from the dump.\n"
            "The rules are in share/explain/*.rules, each with its source.  You can add rules in\n"
            "$XDG_CONFIG_HOME/gpudbg/explain.",
    .family = "Info",
    .run = run_explain,
};

static const struct gpudbg_command *const commands[] = {&explain, NULL};
COMMAND_FAMILY(cmd_explain, "explain", .summary = "the command explain", .commands = commands);
