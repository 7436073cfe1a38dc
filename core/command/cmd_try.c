/* SPDX-License-Identifier: GPL-3.0-or-later */
/* try: instructions without a file or a launch, one line of them, or cases from a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attempt/attempt.h"
#include "base/alloc.h"
#include "base/open_file.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

enum { AS_EXPECTED, DIFFERENT, TROUBLE }; /* exit status */

#define SHOWN 4 /* differences of a case that are shown as text */

static void note_status(struct gpudbg *g, int status)
{
    if (status > g->comparison) g->comparison = status;
}

/* Takes "--isa NAME" off the front.  NULL with an error: there is no such instruction set, or none is known. */
static const struct gpudbg_isa *take_isa(struct gpudbg *g, const char **text, struct gpudbg_error *err)
{
    static const char option[] = "--isa";
    const char *at = *text + strspn(*text, " \t");
    char name[64];
    *text = at;
    if (strncmp(at, option, sizeof option - 1) != 0 || !strchr(" \t=", at[sizeof option - 1]))
        return session_any_isa(g, err);
    at += sizeof option - 1;
    at += strspn(at, " \t=");
    const size_t n = strcspn(at, " \t");
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), at);
    *text = at + n;
    return session_isa_asked(g, name, err);
}

/* ---- One line ---- */

struct case_of {
    const char *file; /* NULL: typed in */
    long line;
};

static void show_differences(const struct attempt *a, const struct case_of *c, struct gpudbg_out *out)
{
    gpudbg_out_array(out, "differences");
    for (size_t i = 0; i < a->ndifferences; i++) {
        const struct attempt_difference *d = &a->difference[i];
        ITEM(out, NULL, NULL, STRING("what", d->what), STRING("got", d->got), STRING("expected", d->wanted));
        if (i >= SHOWN) continue;
        if (c->file) gpudbg_out_print(out, "%s:%ld: ", c->file, c->line);
        gpudbg_out_print(out, "%s: %s, expected: %s\n", d->what, d->got, d->wanted);
    }
    gpudbg_out_close(out);
    if (a->ndifferences > SHOWN) gpudbg_out_print(out, "    and %zu more differences\n", a->ndifferences - SHOWN);
}

/* The selected wave of a launch of the instruction set; NULL: there is none, or it has ended. */
static struct gpudbg_wave *launched(struct gpudbg *g, const struct gpudbg_isa *isa)
{
    struct gpudbg_error ignored = {.offset = -1};
    struct gpudbg_machine *m = g->running.machine;
    struct gpudbg_wave *w = m && m->isa == isa ? machine_wave(m, g->selection.wave, &ignored) : NULL;
    return w && w->state != GPUDBG_ENDED ? w : NULL;
}

/* Tries a line and shows the answer; returns the exit status of it. */
static int try_line(
    struct gpudbg *g, const char *text, const struct case_of *c, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct attempt_line line;
    struct attempt a;
    const struct gpudbg_isa *isa = take_isa(g, &text, err);
    if (!isa || !attempt_split(text, &line, err)) return TROUBLE;
    const struct launch_files files = {
        .base = g->running.base, .file = g->running.brought, .n = g->running.nbrought, .only = g->running.brought_only};
    const struct load_env load = {g->registry, g->ticker, g->settings.memory_limit};
    const struct gpudbg_image *image = g->loaded.image;
    const struct attempt_env env = {.isa = isa,
        .syntax = settings_syntax(&g->settings, isa),
        .session = g,
        .load = &load,
        .files = &files,
        .image = image && image->isa == isa ? image : NULL,
        .ticker = &g->ticker,
        .now = launched(g, isa)};
    const bool tried = attempt_open(&a, &env, &line, err) && (!line.expects || attempt_check(&a, &line, err));
    if (tried) {
        const bool quiet = c->file && line.expects; /* of many cases only what is wrong is text */
        gpudbg_out_begin(out, "tried");
        if (c->file) SAY(out, NULL, STRING("file", c->file), NUMBER("line", c->line));
        if (c->file && !quiet) gpudbg_out_print(out, "%s:%ld: %s\n", c->file, c->line, line.code);
        if (!quiet || gpudbg_out_json(out)) attempt_show(&a, out, c->file ? "    " : "");
        if (line.expects) {
            SAY(out, NULL, BOOL("as_expected", !a.ndifferences));
            show_differences(&a, c, out);
        }
        gpudbg_out_end(out);
    }
    if (!tried) err->line = err->column = 0; /* they count in the assembler's text; the message has them */
    const int status = !tried ? TROUBLE : a.ndifferences ? DIFFERENT : AS_EXPECTED;
    attempt_close(&a);
    attempt_line_free(&line);
    return status;
}

/* ---- Many ---- */

static FILE *open_cases(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    if (strcmp(path, "-") != 0) return stream_chosen(path, &g->ticker, err);
    if (!g->front.input) {
        gpudbg_fail(err, "not-now", "try -f -: standard input belongs to somebody else here");
        return NULL;
    }
    const int fd = dup(STDIN_FILENO);
    FILE *stream = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!stream) gpudbg_fail(err, "io", "standard input: %s", strerror(errno));
    return stream;
}

/* Somebody may wait for each answer: it is no file. */
static bool is_asked(FILE *stream)
{
    struct stat st;
    const int fd = fileno(stream);
    return fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode);
}

static bool try_file(struct gpudbg *g, const char *path, struct gpudbg_out *out, struct gpudbg_error *err)
{
    size_t counted[TROUBLE + 1] = {0}, room = 0, cases = 0;
    char *text = NULL;
    if (g->sealed) return gpudbg_fail(err, "not-now", "this session must not open files");
    snprintf(err->file, sizeof err->file, "%.255s", path);
    FILE *stream = open_cases(g, path, err);
    if (!stream) return false;
    err->file[0] = 0;
    const bool asked = is_asked(stream);
    struct case_of c = {.file = strcmp(path, "-") == 0 ? "stdin" : path};
    errno = 0;
    while (getline(&text, &room, stream) >= 0) {
        c.line++;
        text[strcspn(text, "\r\n")] = 0;
        const char *at = text + strspn(text, " \t");
        if (!*at || *at == '#') continue;
        struct gpudbg_error why = {.offset = -1};
        const int status = try_line(g, at, &c, out, &why);
        if (status == TROUBLE) session_failed(g, &why, c.file, c.line, out);
        counted[status]++;
        if (asked) out_flush(out);
        if (++cases % 256 == 0 && !ticker_goes_on(&g->ticker, cases, 0)) {
            errno = ECANCELED;
            break;
        }
        if (out_broken(out)) break;
        errno = 0;
    }
    free(text);
    const bool whole = errno != ECANCELED && stream_ended(stream, err);
    if (errno == ECANCELED) gpudbg_fail(err, "interrupt", "interrupted after %zu cases", cases);
    fclose(stream);
    if (!whole) return false;
    RECORD(out, "tried-cases",
        "{cases} case{cases:s}: {as_expected} as expected, {different} different, {failed} not tried\n",
        NUMBER("cases", cases), NUMBER("as_expected", counted[AS_EXPECTED]), NUMBER("different", counted[DIFFERENT]),
        NUMBER("failed", counted[TROUBLE]));
    note_status(g, counted[TROUBLE] ? TROUBLE : counted[DIFFERENT] ? DIFFERENT : AS_EXPECTED);
    return true;
}

static bool run_try(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct case_of typed = {0};
    const char *rest = gpudbg_args_rest(a);
    if (strncmp(rest, "-f", 2) == 0 && strchr(" \t", rest[2])) {
        char path[4096];
        gpudbg_args_word(a);
        const char *word = gpudbg_args_word(a);
        snprintf(path, sizeof path, "%s", word ? word : "");
        bool ok = word || gpudbg_fail(err, "usage", "try -f wants a file of cases, or - for standard input");
        ok = ok && args_end(a, err) && try_file(g, path, out, err);
        if (!ok) note_status(g, TROUBLE);
        return ok;
    }
    if (!*rest) return gpudbg_fail(err, "usage", "try wants an instruction, or -f FILE");
    const int status = try_line(g, rest, &typed, out, err);
    note_status(g, status);
    return status != TROUBLE;
}

/* Names of instructions. */
static char *complete_mnemonic(struct gpudbg *g, const char *text, unsigned state)
{
    struct gpudbg_error ignored = {.offset = -1};
    const struct gpudbg_isa *isa = session_any_isa(g, &ignored);
    const size_t n = strlen(text);
    for (size_t i = 0; isa && n && i < isa->nops; i++)
        if (gpudbg_has_op(isa, i) && strncmp(isa->ops[i].name, text, n) == 0 && !state--)
            return xstrdup(isa->ops[i].name);
    return NULL;
}

static const struct gpudbg_command try_it = {
    .name = "try",
    .usage = "[--isa ISA] INSTRUCTION[; INSTRUCTION]... [NAME=VALUE]... [-> EXPECTED...] | -f FILE",
    .summary = "execute instructions alone, without a file or a launch",
    .help =
        "Assembles the instructions, executes them in one wave with the inputs, and prints the registers and the\n"
        "memory that changed, each lane if they differ; then the registers that were read without an input,\n"
        "which are taken as 0, and branches, barriers, messages, ends and faults.  What is loaded, launched and\n"
        "recorded is not touched.  `help try-inputs` has the forms of inputs and of what can be expected.\n"
        "--isa ISA   the instruction set; without it that of the session or of the loaded file\n"
        "-> ...      what is expected: values as inputs have them, and the words fault, end, barrier, branch=ADDR,\n"
        "            falls-through, message; `only`: no other register changes\n"
        "-f FILE     cases, one a line, `-` for standard input.  Blank lines and lines that begin with # are\n"
        "            skipped.  Only differences are printed, and a last line that counts.\n"
        "A case with everything:\n"
        "    try v_mad_u64_u32 v[0:1], vcc, v2, s4, v[6:7]  v2=7 s4=3 v[6:7]=0x100000000\n"
        "With --batch the exit status is 0 if all is as expected, 1 if something differs, 2 if a line could not\n"
        "be tried.",
    .family = "Code",
    .run = run_try,
    .complete = complete_mnemonic,
};

static const struct gpudbg_command *const commands[] = {&try_it, NULL};
COMMAND_FAMILY(cmd_try, "attempts", .summary = "instructions alone", .commands = commands);
