/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shown.h"
#include "session/habits.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum option_id {
    FIRST_ID = 255, /* above every letter */
#define OPTION(id, ...) id,
#include "options.def"
#undef OPTION
};

static const struct option_row {
    int id;
    char letter;
    const char *name, *argument, *completes, *summary, *more;
} rows[] = {
#define OPTION(id, letter, name, argument, completes, summary, more) \
    {id, letter, name, argument, completes, summary, more},
#include "options.def"
#undef OPTION
};

/* ---- What there is ---- */

/* "-e COMMAND", "--demo[=NAME]". */
static int option_text(const struct option_row *o, char *buf, size_t size)
{
    const char *between = *o->argument && *o->argument != '[' ? " " : "";
    if (o->letter) return snprintf(buf, size, "-%c%s%s", o->letter, between, o->argument);
    return snprintf(buf, size, "--%s%s%s", o->name, between, o->argument);
}

void options_help(void)
{
    puts("Usage: gpudbg [OPTION]... [FILE]...\n"
         "An interactive debugger and inspector for GPU machine code and captured GPU state.\n"
         "Several FILEs of code are a list (`info folder`), the first is loaded; dumps are opened beside it.\n");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char option[64];
        option_text(&rows[i], option, sizeof option);
        printf("  %-18s %s\n", option, rows[i].summary);
    }
    puts("\nAt the prompt, `help` lists the commands.\n"
         "Exit status: 0 every command succeeded, 1 a command failed or a kernel faulted, 2 the command line was\n"
         "wrong, 3 a FILE could not be loaded.");
}

static int cell_option(const void *row, char *buf, size_t size) { return option_text(row, buf, size); }

#define CELL(member)                                                                \
    static int cell_##member(const void *row, char *buf, size_t size)               \
    {                                                                               \
        return snprintf(buf, size, "%s", ((const struct option_row *)row)->member); \
    }
CELL(summary)

static void option_record(const void *row, struct gpudbg_out *out)
{
    const struct option_row *o = row;
    char word[32];
    if (o->letter)
        snprintf(word, sizeof word, "-%c", o->letter);
    else
        snprintf(word, sizeof word, "--%s", o->name);
    gpudbg_out_string(out, "word", word);
    gpudbg_out_string(out, "argument", o->argument);
    gpudbg_out_string(out, "completes", o->completes);
    gpudbg_out_string(out, "more", o->more);
}

static bool option_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)g, (void)args, (void)err;
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (!each(to, &rows[i])) break;
    return true;
}

static const struct gpudbg_column columns[] = {
    {"option", "option", 0, GPUDBG_NAME, cell_option},
    {"summary", "what it does", 0, GPUDBG_NOTE, cell_summary},
};

const struct gpudbg_listing options_listing = {
    .name = "options",
    .type = "option",
    .summary = "list the options of the command line",
    .columns = columns,
    .ncolumns = LENGTH(columns),
    .rows = option_rows,
    .record = option_record,
};

/* ---- Reading them ---- */

bool options_wrong(const char *what, const char *word)
{
    shown_print(stderr, "gpudbg: %s: %s; see gpudbg --help\n", word, what);
    return false;
}

static bool parse_screen(struct options *o, const char *text)
{
    char after;
    o->screen = text;
    if (sscanf(text, "%dx%d%c", &o->columns, &o->rows, &after) != 2 || o->columns < 20 || o->rows < 5 ||
        o->columns > 1000 || o->rows > 1000)
        return options_wrong("--screen takes COLUMNSxROWS, 20x5 to 1000x1000", text);
    return true;
}

static bool parse_base(struct options *o, const char *text)
{
    char *end;
    errno = 0;
    o->base = strtoull(text, &end, 0);
    return (end != text && !*end && !errno && *text != '-') || options_wrong("--base takes an address", text);
}

static bool parse_color(struct options *o, const char *text)
{
    if (strcmp(text, "auto") == 0)
        o->color = SCREEN_COLOR_AUTO;
    else if (strcmp(text, "always") == 0)
        o->color = SCREEN_COLOR_ALWAYS;
    else if (strcmp(text, "never") == 0)
        o->color = SCREEN_COLOR_NEVER;
    else
        return options_wrong("--color takes auto, always or never", text);
    return true;
}

static bool parse_dap(struct options *o, const char *text)
{
    char *end;
    o->dap = true;
    o->dap_port = -1;
    if (!text) return true;
    errno = 0;
    const unsigned long port = strtoul(text, &end, 10);
    o->dap_port = (int)port;
    return (isdigit((unsigned char)*text) && !*end && !errno && port <= 65535) ||
           options_wrong("--dap takes a port, 0 to 65535", text);
}

/* gdb's one-dash words, for fingers that know them; "": the word is taken and does nothing. */
static const struct {
    const char *word, *here;
} of_gdb[] = {
    {"-ex", "-e"}, {"-batch", "--batch"}, {"-nx", "-n"}, {"--nx", "-n"}, {"-nh", "-n"}, {"--nh", "-n"},
    {"-h", "--help"}, {"-help", "--help"}, {"-V", "--version"}, {"-v", "--version"}, {"-version", "--version"},
    {"-q", ""}, {"-quiet", ""}, {"--quiet", ""}, {"-silent", ""}, {"--silent", ""}, {"-nw", ""}, {"-tui", ""},
    {"--tui", ""}, {"-args", ""},
    {"--args", ""}, /* FILE follows; words behind it are refused as files that are missing: `launch` takes arguments */
};

static const char *word_of_gdb(const char *word)
{
    for (size_t i = 0; i < LENGTH(of_gdb); i++)
        if (strcmp(of_gdb[i].word, word) == 0) return of_gdb[i].here;
    return word;
}

static int accept_gdb_words(int argc, char **argv)
{
    int n = 1;
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        only_files |= strcmp(word, "--") == 0;
        const char *here = only_files ? word : word_of_gdb(word);
        if (!*here && *word) continue;
        argv[n++] = (char *)here;
        const bool takes = !only_files && (strcmp(here, "-e") == 0 || strcmp(here, "-x") == 0);
        if (takes && i + 1 < argc) argv[n++] = argv[++i]; /* a command or a script */
    }
    argv[n] = NULL;
    return n;
}

/* The rows as getopt_long wants them. */
static void rows_for_getopt(struct option *longs, char *shorts)
{
    *shorts++ = ':'; /* tells an argument that is missing from an option that does not exist */
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct option_row *o = &rows[i];
        const int argument = !*o->argument ? no_argument : *o->argument == '[' ? optional_argument : required_argument;
        if (*o->name) *longs++ = (struct option){o->name, argument, NULL, o->id};
        if (!o->letter) continue;
        *shorts++ = o->letter;
        if (argument == required_argument) *shorts++ = ':';
    }
    *longs = (struct option){0};
    *shorts = 0;
}

static int id_of(int c)
{
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (c == rows[i].id || (rows[i].letter && c == rows[i].letter)) return rows[i].id;
    return c;
}

/* The value is optarg. */
static bool option_take(struct options *o, enum option_id id)
{
    switch (id) {
    case SCRIPT: o->jobs[o->njobs++] = (struct screen_job){true, optarg}; break;
    case COMMAND: o->jobs[o->njobs++] = (struct screen_job){strcmp(optarg, "-") == 0, optarg}; break;
    case NO_RC: o->no_rc = true; break;
    case BATCH: o->batch = true; break;
    case JSON: o->json = true; break;
    case ISA: o->isa = optarg; break;
    case RAW: o->raw = true; break;
    case BASE: return parse_base(o, optarg);
    case FORMAT: o->format = optarg; break;
    case SCREEN: return parse_screen(o, optarg);
    case DAP: return parse_dap(o, optarg);
    case DEMO: o->has_demo = true, o->demo = optarg; break;
    case PLUGIN: o->plugins[o->nplugins++] = optarg; break;
    case COLOR: return parse_color(o, optarg);
    case SIGNATURES: o->signatures = o->batch = true; break;
    case STATS: o->stats = o->batch = true; break;
    case STATS_DIFF: o->stats_diff = true; break;
    case VERSION: o->version = true; break;
    case HELP: o->help = true; break;
    case FIRST_ID: break;
    }
    return true;
}

/* An option of umr, IGA or another program is answered with the command that does it. */
static bool no_such_option(const char *word)
{
    const char *rest;
    unsigned words;
    const struct habit *h = habit_of(word, &rest, &words);
    if (!h || !h->text) return options_wrong("no such option", word);
    shown_print(stderr,
        h->kind == HABIT_SAME ? "gpudbg: %s: an option of %s; here it is the command `%s`\n"
                              : "gpudbg: %s: an option of %s: %s\n",
        word, h->program, h->text);
    return false;
}

bool options_read(struct options *o, int argc, char **argv)
{
    struct option longs[LENGTH(rows) + 1];
    char shorts[2 * LENGTH(rows) + 2];
    rows_for_getopt(longs, shorts);
    o->jobs = xcalloc((size_t)argc, sizeof *o->jobs);
    o->plugins = xcalloc((size_t)argc, sizeof *o->plugins);
    argc = accept_gdb_words(argc, argv);
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (c == ':') return options_wrong("its value is missing", argv[optind - 1]);
        if (c == '?') return no_such_option(argv[optind - 1]);
        if (!option_take(o, (enum option_id)id_of(c))) return false;
        if (o->version || o->help) return true;
    }
    o->asks = o->stats_diff && !o->batch && !o->json;
    o->batch |= o->stats_diff;
    o->files = argv + optind;
    o->nfiles = argc - optind;
    if (o->dap && (o->batch || o->json || o->njobs || options_many(o)))
        return options_wrong(
            "an editor gives the commands: --batch, --json, -x, -e, --signatures and --stats do not go with it",
            "--dap");
    if (o->screen && !o->batch) return options_wrong("it needs --batch", "--screen");
    bool keys = false, dump = false; /* from standard input */
    for (size_t i = 0; i < o->njobs; i++) keys |= o->jobs[i].script && strcmp(o->jobs[i].text, "-") == 0;
    for (int i = 0; i < o->nfiles; i++) dump |= strcmp(o->files[i], "-") == 0;
    if (o->dap && dump) return options_wrong("standard input is the editor's, so it holds no FILE", "-");
    if (keys && dump) return options_wrong("standard input is the FILE, so it holds no commands", "-");
    o->input = o->batch && !keys && !dump;
    if (o->signatures + o->stats + o->stats_diff > 1)
        return options_wrong("it does not go with --signatures", "--stats");
    if (o->signatures && !o->nfiles) return options_wrong("it needs FILEs", "--signatures");
    if (o->stats && !o->nfiles) return options_wrong("it needs FILEs or folders", "--stats");
    if (o->stats_diff && o->nfiles != 2)
        return options_wrong("it needs two FILEs or folders, OLD and NEW", "--stats-diff");
    if (o->has_demo && o->nfiles) return options_wrong("--demo opens its own file", o->files[0]);
    return true;
}

void options_free(struct options *o)
{
    free(o->jobs);
    free(o->plugins);
}
