/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions side by side, command rows, names and their abbreviations, completion. */
#include <stdlib.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "session/command.h"
#include "image/load.h"
#include "machine/machine.h"
#include "out/out.h"
#include "word/registry.h"
#include "session/session.h"
#include "tap.h"

/* s0 = 3; do s0-- while s0 != 0; v0 = s0 */
static const uint32_t code[] = {0xbe800383, 0x8100c100, 0xbf018000, 0xbf85fffd, 0x7e000200, 0xbf810000};

static struct gpudbg *loaded(void)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct load_options options = {.isa = g ? session_isa(g, "gfx7") : NULL, .raw = true};
    struct gpudbg_image *image = g ? session_image_from(g, "loop", (const uint8_t *)code, sizeof code, &options, &err)
                                   : NULL;
    if (image) session_take(g, image);
    ok(image != NULL, "a session opens and loads: %s", err.message);
    return g;
}

/* Runs a line; its output, or the error's message; malloc'ed. */
static char *said(struct gpudbg *g, const char *line)
{
    struct gpudbg_error err = {0};
    struct gpudbg_out *out = out_memory(false);
    char *text = NULL;
    if (gpudbg_execute(g, line, out, &err))
        text = out_taken(out, NULL);
    else
        text = strdup(err.message);
    out_close(out);
    return text;
}

static void says(struct gpudbg *g, const char *line, const char *want)
{
    char *text = said(g, line);
    is_str(text, want, "%s", line);
    free(text);
}

static void two_sessions(void)
{
    struct gpudbg *a = loaded(), *b = loaded();
    free(said(a, "launch -g 64 -l 64"));
    free(said(b, "launch -g 128 -l 64"));
    free(said(a, "stepi 3"));
    free(said(b, "stepi 1"));
    free(said(b, "set width 33"));
    free(said(a, "set $x = 1"));
    free(said(b, "set $x = 2"));
    free(said(b, "wave 1"));
    free(said(b, "break *4"));
    says(a, "print $s0", "$1 = 2\n");
    says(b, "print $wave", "$1 = 1\n");
    says(a, "print $wave", "$2 = 0\n");
    says(a, "print $x", "$3 = 1\n");
    says(b, "print $x", "$2 = 2\n");
    says(a, "info breakpoints", "no breakpoints\n");
    ok(a->settings.width == 0 && b->settings.width == 33, "settings are a session's own");
    free(said(a, "continue"));
    ok(machine_position(a->running.machine) == 12 && machine_position(b->running.machine) == 1,
        "a session's machine runs alone");
    free(said(a, "goto 5"));
    free(said(b, "delete"));
    free(said(b, "goto 5"));
    session_close(a);
    says(b, "print $x + 1", "$3 = 3\n");
    session_close(b);
}

/* A name that is found stands alone: no other row, alias or listing has it. */
static void rows(void)
{
    struct gpudbg *g = loaded();
    const struct gpudbg_command *c, *other;
    for (size_t i = 0; (c = registry_command(g->registry, i)); i++) {
        ok(c->summary && *c->summary && c->family && c->run, "%s has a summary, a family and a function", c->name);
        for (size_t j = 0; c->aliases && (other = registry_command(g->registry, j)); j++) {
            char name[80], aliases[128];
            snprintf(name, sizeof name, " %s ", other->name);
            snprintf(aliases, sizeof aliases, " %s ", c->aliases);
            if (strstr(aliases, name)) ok(false, "%s: alias of one, name of another", other->name);
        }
    }
    session_close(g);
}

static const struct {
    const char *line, *name; /* NULL: an error that holds `words` */
    const char *words;
} names[] = {
    {"s", "step", NULL},
    {"si", "stepi", NULL},
    {"n", "next", NULL},
    {"ni", "nexti", NULL},
    {"c", "continue", NULL},
    {"b main", "break", NULL},
    {"p 1", "print", NULL},
    {"p/x 1", "print", NULL},
    {"x/8xw 0", "x", NULL},
    {"i file", "info file", NULL},
    {"info reg", "info registers", NULL},
    {"inf b", "info breakpoints", NULL},
    {"info la", NULL, "ambiguous:"},
    {"i r", "info registers", NULL},
    {"i wa", "info waves", NULL},
    {"info", "info", NULL},
    {"rsi", "reverse-stepi", NULL},
    {"rc", "reverse-continue", NULL},
    {"reverse-c", "reverse-continue", NULL},
    {"reverse-step", "reverse-step", NULL},
    {"reverse-s", NULL, "reverse-stepi, reverse-step"},
    {"lane 3", "lane", NULL},
    {"lane apply all p 1", "lane apply", NULL},
    {"l", "list", NULL},
    {"disas", "disassemble", NULL},
    {"disassemble /a", "disassemble", NULL},
    {"q", "quit", NULL},
    {"zzz", NULL, "unknown command \"zzz\""},
    {"info zzz", NULL, "unknown subject \"zzz\""},
    {"save", NULL, "second word"},
    {"save arg 0 x", "save arg", NULL},
    {"h", "help", NULL},
    {"d", "delete", NULL},
    {"fin", "finish", NULL},
    {"u", "until", NULL},
    {"r", "run", NULL},
    {"%", NULL, "unknown command \"%\""},
    {"/x", NULL, "unknown command"},
};

static void abbreviations(void)
{
    struct gpudbg *g = loaded();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gpudbg_args a;
        struct gpudbg_error err = {0};
        struct command_found found = {0};
        char name[80] = "";
        if (!args_open(&a, &g->eval, names[i].line, &err)) continue;
        if (command_find(g, &a, &found, &err))
            snprintf(name, sizeof name, "%s%s", found.listing ? "info " : "",
                found.command   ? found.command->name
                : found.listing ? found.listing->name
                                : "");
        args_close(&a);
        if (names[i].name)
            is_str(name, names[i].name, "\"%s\" is %s (%s)", names[i].line, names[i].name, err.message);
        else
            ok(!*name && strstr(err.message, names[i].words), "\"%s\" is refused: %s", names[i].line, err.message);
    }
    session_close(g);
}

static const struct {
    const char *line, *first; /* the first completion; NULL: none */
    unsigned count;           /* of all; 0: any */
} completions[] = {
    {"undis", "undisplay", 1},
    {"info hist", "history", 1},
    {"print $ex", "$exec", 1},
    {"print 1+$ex", "1+$exec", 1},
    {"lane app", "apply", 1},
    {"isa gf", "gfx7", 11},
    {"help v_mad_u64", "v_mad_u64_u32", 1},
    {"zzz", NULL, 0},
    {"set step-l", "step-limit", 1},
    {"info registers flat", "flat_scratch", 1},
    {"info registers v0 $ex", "$exec", 1},
    {"enum EXP_", "EXP_TARGET", 2},
    {"reg CB_COLOR0_INFO.FORMAT=COLOR_8_8_", "CB_COLOR0_INFO.FORMAT=COLOR_8_8_8_8", 1},
    {"reg CB_COLOR0_INFO.FORM", "CB_COLOR0_INFO.FORMAT=", 1},
    {"print $nothing_like_it", NULL, 0},
};

static void completion(void)
{
    struct gpudbg *g = loaded();
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++) {
        size_t start = 0;
        unsigned n = 0;
        char *first = command_complete(g, completions[i].line, &start, 0), *more;
        for (more = first; more; more = command_complete(g, completions[i].line, &start, n)) {
            if (n++) free(more);
        }
        is_str(first, completions[i].first, "\"%s\" is completed", completions[i].line);
        if (completions[i].count) is_int(n, completions[i].count, "... in %u ways", completions[i].count);
        free(first);
    }
    session_close(g);
}

int main(void)
{
    two_sessions();
    rows();
    abbreviations();
    completion();
    return tap_done();
}
