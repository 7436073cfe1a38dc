/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alias, complete, dont-repeat: what gdb's users have in their files of commands. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/text.h"
#include "out/say.h"
#include "session/command.h"
#include "session/define.h"
#include "session/habits.h"
#include "session/session.h"

/* ---- alias ---- */

#define ALIASES_MOST 4096 /* each name is compared with all */

static bool good_name(struct gpudbg *g, const char *name, struct gpudbg_error *err)
{
    size_t n = 0;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return gpudbg_fail(err, "usage", "\"%.40s\" is not a name: a name has letters, digits, - and _", name);
    if (strlen(name) > 40) return gpudbg_fail(err, "too-large", "\"%.60s\": the name has more than 40 letters", name);
    if (command_own(g, name) || define_named(g, name))
        return gpudbg_fail(err, "redefinition", "\"%s\" is a command already; choose another name", name);
    for (const struct define *d = g->defines; d; d = d->next) n++;
    return n < ALIASES_MOST ||
           gpudbg_fail(err, "too-large", "%s: more than %d aliases and defined commands", name, ALIASES_MOST);
}

/* There must be such a command now, so no alias can lead to itself. */
static bool good_command(struct gpudbg *g, const char *command, struct gpudbg_error *err)
{
    struct gpudbg_args args;
    struct command_found found = {0};
    const char *rest;
    if (command_habit(g, command, &rest)) return true;
    if (!args_open(&args, &g->eval, command, err)) return false;
    const bool known = command_find(g, &args, &found, err);
    args_close(&args);
    if (known && found.command && found.command->block)
        return gpudbg_fail(
            err, "unsupported", "%s takes lines; such a command cannot have an alias", found.command->name);
    return known;
}

/* NAME = COMMAND, with or without blanks; gdb's options -a and -- before them say nothing here. */
static bool run_alias(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *line = gpudbg_args_rest(a);
    char name[64], doc[300];
    (void)out;
    for (; strncmp(line, "-a ", 3) == 0 || strncmp(line, "-- ", 3) == 0; line += strspn(line, " ")) line += 2;
    const size_t n = strcspn(line, " \t=");
    const char *equals = line + n + strspn(line + n, " \t"), *command = equals + 1;
    if (!n) return gpudbg_fail(err, "usage", "a name is missing");
    text_put(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), line);
    if (*equals != '=' || !*(command += strspn(command, " \t")))
        return gpudbg_fail(err, "usage", "alias %.40s: `= COMMAND` is missing after the name", name);
    if (!good_name(g, name, err) || !good_command(g, command, err)) return false;
    struct define **at = &g->defines, *d = xalloc(sizeof *d);
    while (*at) at = &(*at)->next;
    text_put(doc, sizeof doc, "an alias of `%s`", command);
    d->name = xstrdup(name);
    d->alias = xstrdup(command);
    d->doc = xstrdup(doc);
    d->lines.foreign = g->foreign > 0;
    *at = d;
    return true;
}

static const struct gpudbg_command alias = {
    .name = "alias",
    .usage = "NAME = COMMAND [WORD]...",
    .summary = "give a command, with or without its first words, a name of your own",
    .help = "    alias wv = info waves\n"
            "    alias pf = print /f        then pf $v0[:] means print /f $v0[:]\n"
            "The words that you type after the alias are added at the end.  `define` makes commands of several lines.",
    .family = "Scripts",
    .run = run_alias,
    .complete = complete_command,
};

/* ---- complete ---- */

#define COMPLETIONS_MOST 10000

static bool run_complete(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *line = gpudbg_args_rest(a);
    size_t start = 0;
    char *word;
    (void)err;
    for (unsigned i = 0; i < COMPLETIONS_MOST && (word = command_complete(g, line, &start, i)); i++) {
        RECORD(out, "completion", "{word}\n", NUMBER("start", start), STRING("word", word));
        free(word);
    }
    return true;
}

static const struct gpudbg_command complete = {
    .name = "complete",
    .usage = "[LINE]",
    .summary = "list what the last word of a command line could be",
    .help = "For editors and other programs.  In a record, `start` is where in LINE the word begins, in bytes.",
    .family = "Scripts",
    .run = run_complete,
};

/* ---- dont-repeat ---- */

static bool run_dont_repeat(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)g, (void)out;
    return args_end(a, err);
}

static const struct gpudbg_command dont_repeat = {
    .name = "dont-repeat",
    .usage = "",
    .summary = "do nothing: an empty line never repeats a defined command",
    .help = "gdb's defined commands are repeated unless they say this; scripts for gdb may contain it.",
    .family = "Scripts",
    .run = run_dont_repeat,
};

static const struct gpudbg_command *const commands[] = {&alias, &complete, &dont_repeat, NULL};
COMMAND_FAMILY(cmd_alias, "aliases", .summary = "other names of commands", .commands = commands);
