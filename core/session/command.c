/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a line to the row that runs it; completion by the same rows.  See command.h. */
#include "session/define.h"
#include "session/command.h"
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/alloc.h"
#include "dump/dump.h"
#include "eval/expr.h"
#include "image/dwarf_scope.h"
#include "image/image.h"
#include "out/out.h"
#include "word/registry.h"
#include "out/say.h"
#include "session/habits.h"
#include "session/script.h"
#include "session/session.h"
#include "gpudbg/text.h"

#define INFO "info"

/* ---- All names: rows and their aliases, listings, definitions ---- */

/* A walk over everything that can be typed: names of one word or two. */
struct names {
    struct gpudbg *g;
    size_t command, listing;
    const struct define *define;
    const char *alias; /* the rest of the current row's aliases */
    int stage;
    const char *first, *second; /* the words; second NULL: one word */
    size_t len;                 /* of the first */
    bool is_alias;
    struct command_found found;
};

static bool next_alias(struct names *n)
{
    n->is_alias = false;
    if (!n->alias) return false;
    n->first = n->alias + strspn(n->alias, " ");
    n->len = strcspn(n->first, " ");
    n->second = NULL;
    n->alias = n->len ? n->first + n->len : NULL;
    return n->is_alias = n->len > 0;
}

static bool named(struct names *n, const char *name, struct command_found found)
{
    n->first = name;
    n->len = strcspn(name, " ");
    n->second = name[n->len] ? name + n->len + 1 : NULL;
    n->found = found;
    return true;
}

static bool next_name(struct names *n)
{
    if (next_alias(n)) return true;
    if (n->stage == 0) {
        const struct gpudbg_command *c = registry_command(n->g->registry, n->command++);
        n->alias = c ? c->aliases : NULL;
        if (c) return named(n, c->name, (struct command_found){.command = c});
        n->stage++;
    }
    if (n->stage == 1) {
        const struct gpudbg_listing *l = registry_listing(n->g->registry, n->listing++);
        if (l) {
            named(n, INFO, (struct command_found){.listing = l});
            n->second = l->name;
            return true;
        }
        n->stage++;
    }
    n->define = define_next(n->g, n->define);
    return n->define && named(n, n->define->name, (struct command_found){.define = n->define});
}

/* What a word may stand for among the first words of all names (prefix NULL) or the second words after `prefix`. */
struct match {
    char word[64];              /* the full word */
    struct command_found found; /* what has exactly this name; nothing if it only begins longer names */
    unsigned count;             /* different words that fit */
    bool exact;
    char others[256]; /* those words, for the error */
};

static bool is_found(const struct command_found *f) { return f->command || f->listing || f->define; }

/* The word of a name that is compared, and whether the name ends with it; false if the name is none of these. */
static bool name_part(const struct names *n, const char *prefix, const char **part, size_t *len, bool *whole)
{
    if (!prefix) {
        *part = n->first;
        *len = n->len;
        *whole = !n->second;
        return true;
    }
    if (!n->second || strncmp(n->first, prefix, n->len) != 0 || prefix[n->len]) return false;
    *part = n->second;
    *len = strlen(n->second);
    return *whole = true;
}

static void list_other(struct match *m, const char *full)
{
    char listed[80];
    struct text others = text_behind(m->others, sizeof m->others);
    snprintf(listed, sizeof listed, " %s,", full);
    if (strstr(m->others, listed)) return;
    text_add(&others, "%s", listed);
    m->count++;
}

static void match_word(struct gpudbg *g, const char *prefix, const char *word, struct match *m)
{
    struct names n = {.g = g};
    const char *part;
    size_t len, asked = strlen(word);
    bool whole;
    *m = (struct match){0};
    while (next_name(&n)) {
        if (!name_part(&n, prefix, &part, &len, &whole) || len < asked || strncmp(part, word, asked) != 0) continue;
        bool exact = len == asked;
        if (!exact && (n.is_alias || m->exact)) /* aliases are not shortened; an exact word beats longer ones */
            continue;
        if (exact && !m->exact) *m = (struct match){.exact = true};
        char full[64];
        snprintf(full, sizeof full, "%.*s", n.is_alias ? 63 : (int)len, n.is_alias ? n.found.command->name : part);
        if (m->count && strcmp(m->word, full) == 0) {
            if (whole && !is_found(&m->found)) m->found = n.found;
            continue;
        }
        list_other(m, full);
        if (m->count == 1) {
            snprintf(m->word, sizeof m->word, "%s", full);
            m->found = whole ? n.found : (struct command_found){0};
        }
    }
    size_t used = strlen(m->others);
    if (used) m->others[used - 1] = 0;
}

/* Words that are meant although they fit more than one name; those of first words are aliases of rows, but for one that
 * a user may define. */
static const struct {
    const char *prefix, *word, *full;
} preferred[] = {
    {"", "f", "frame"},
    {INFO, "b", "breakpoints"},
    {INFO, "r", "registers"},
    {INFO, "w", "waves"},
    {INFO, "wa", "waves"},
    {INFO, "l", "lanes"},
    {INFO, "lo", "locals"},
    {INFO, "f", "file"},
    {INFO, "s", "symbols"},
};

static const char *preferred_word(const char *prefix, const char *word)
{
    for (size_t i = 0; i < sizeof preferred / sizeof *preferred; i++)
        if (strcmp(preferred[i].prefix, prefix) == 0 && strcmp(preferred[i].word, word) == 0) return preferred[i].full;
    return word;
}

static bool has_second_words(struct gpudbg *g, const char *word)
{
    struct names n = {.g = g};
    while (next_name(&n))
        if (n.second && strncmp(n.first, word, n.len) == 0 && !word[n.len]) return true;
    return false;
}

/* The word at the left of the rest, if it looks like a name; does not take it. */
static bool peek_word(const struct gpudbg_args *a, char *buf, size_t size)
{
    size_t len = 0;
    while (isalnum((unsigned char)a->at[len]) || a->at[len] == '-' || a->at[len] == '_') len++;
    if (!len || len >= size || (a->at[len] && a->at[len] != '/' && !isspace((unsigned char)a->at[len]))) return false;
    snprintf(buf, size, "%.*s", (int)len, a->at);
    return true;
}

bool command_own(struct gpudbg *g, const char *word)
{
    struct names n = {.g = g};
    while (next_name(&n) && !n.found.define)
        if (strlen(word) == n.len && strncmp(n.first, word, n.len) == 0) return true;
    return false;
}

/* How many letters must be typed, left out, changed or swapped with the next to make one word of the other. */
static unsigned mistakes(const char *typed, const char *name, size_t n)
{
    unsigned row[3][66] = {{0}};
    const size_t m = strlen(typed);
    if (m > 64 || n > 64) return UINT_MAX;
    for (unsigned j = 0; j <= n; j++) row[1][j] = j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *before = row[(i + 2) % 3], *last = row[i % 3], *now = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned least = last[j - 1] + (typed[i - 1] != name[j - 1]);
            if (last[j] + 1 < least) least = last[j] + 1;
            if (now[j - 1] + 1 < least) least = now[j - 1] + 1;
            if (i > 1 && j > 1 && typed[i - 1] == name[j - 2] && typed[i - 2] == name[j - 1] &&
                before[j - 2] + 1 < least)
                least = before[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[(m + 1) % 3][n];
}

/* The name that is nearest to what was typed, among first words or second ones; NULL: none is near. */
static const char *nearest(struct gpudbg *g, const char *prefix, const char *typed, char *buf, size_t size)
{
    struct names n = {.g = g};
    const char *part;
    size_t len;
    bool whole;
    unsigned least = strlen(typed) > 4 ? 3 : strlen(typed) > 2 ? 2 : 1; /* one less than this many mistakes */
    const char *found = NULL;
    while (next_name(&n)) {
        if (n.is_alias || !name_part(&n, prefix, &part, &len, &whole)) continue;
        const unsigned far = mistakes(typed, part, len);
        if (far >= least) continue;
        least = far;
        text_put(buf, size, "%.*s", (int)len, part);
        found = buf;
    }
    return found;
}

#define LIKE_MOST 8 /* characters of a word that may be another program's: longer ones are mistyped, and so are */
#define LIKE_NEAR 4 /* those of more than these that are near a command */

static bool unknown(struct gpudbg *g, const char *prefix, const char *name, struct gpudbg_error *err)
{
    char near[64];
    const char *meant = nearest(g, prefix, name, near, sizeof near);
    if (prefix && meant)
        return gpudbg_fail(err, "unknown-command",
            "%s: unknown subject \"%.60s\"; the nearest is `%s %s`, and `help %s` "
            "lists them",
            prefix, name, prefix, meant, prefix);
    if (prefix)
        return gpudbg_fail(
            err, "unknown-command", "%s: unknown subject \"%.60s\"; `help %s` lists them", prefix, name, prefix);
    if (strcmp(name, "end") == 0)
        return gpudbg_fail(
            err, "usage", "`end` ends the lines of `define`, `commands`, `if` and the like, and none is open");
    const struct habit *like = strlen(name) <= (meant ? LIKE_NEAR : LIKE_MOST) ? habit_like(name) : NULL;
    return gpudbg_fail(err, "unknown-command", "unknown command \"%.60s\"%s%s%s%s%s%s%s", name,
        meant ? "; the nearest is `" : "", meant ? meant : "", meant ? "`" : "", like ? "; if it is " : "",
        like ? like->program : "", like ? "'s, " : "", like ? like->text : "");
}

bool command_find(struct gpudbg *g, struct gpudbg_args *a, struct command_found *found, struct gpudbg_error *err)
{
    struct match first, second;
    char word[64];
    const char *name = args_name(a);
    *found = (struct command_found){0};
    if (!*name) return gpudbg_fail(err, "unknown-command", "unknown command \"%.60s\"", a->format);
    match_word(g, NULL, name, &first);
    if (first.count > 1) match_word(g, NULL, preferred_word("", name), &first);
    if (first.count == 0) return unknown(g, NULL, name, err);
    if (first.count > 1) return gpudbg_fail(err, "ambiguous", "\"%.60s\" is ambiguous:%s", name, first.others);
    if (!*a->format && has_second_words(g, first.word) && peek_word(a, word, sizeof word)) {
        match_word(g, first.word, preferred_word(first.word, word), &second);
        bool number = isdigit((unsigned char)*word);
        /* Where the first word is a command, too, a shortened second one may be the name of something: print r. */
        const bool names_things = is_found(&first.found) && strcmp(first.word, INFO) != 0;
        if (second.count == 1 && !number && (second.exact || !names_things)) {
            args_name(a);
            *found = second.found;
            return true;
        }
        if (!is_found(&first.found) || strcmp(first.word, INFO) == 0) {
            if (second.count > 1)
                return gpudbg_fail(err, "ambiguous", "%s \"%.60s\" is ambiguous:%s", first.word, word, second.others);
            return unknown(g, first.word, word, err);
        }
    }
    if (!is_found(&first.found))
        return gpudbg_fail(err, "usage", "%s: a second word is missing; see `help %s`", first.word, first.word);
    *found = first.found;
    return true;
}

/* "a number is missing" comes from places that several commands use; in a script one wants to know of which. */
static bool names_command(const char *name, struct gpudbg_error *err)
{
    static const char end[] = " is missing";
    char what[sizeof err->message];
    if (!err->kind || strcmp(err->kind, "usage") != 0) return false;
    const size_t n = strlen(err->message), size = sizeof end - 1;
    if (n < size || strcmp(err->message + n - size, end) != 0) return false;
    if (strchr(err->message, ':')) return false;
    snprintf(what, sizeof what, "%s", err->message);
    return gpudbg_fail(err, "usage", "%s: %s", name, what);
}

/* "/all" and its like stand in the usage: first of all where they may also stand apart from the name, and behind other
 * words where they may not, because the path of a file may begin with a slash, too. */
static bool formats_apart(const struct gpudbg_command *c) { return c->usage && strncmp(c->usage, "[/", 2) == 0; }

static bool formats_behind(const struct gpudbg_command *c) { return c->usage && strchr(c->usage, '/'); }

static bool run_found(struct gpudbg *g, struct gpudbg_args *a, const struct command_found *found,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (found->command && found->command->writes && g->sealed)
        return gpudbg_fail(err, "not-now", "this session must not write files, load code or run programs");
    if (found->command && found->command->writes && g->foreign)
        return gpudbg_fail(err, "not-now",
            "%s: it writes files, loads code or runs programs, which keys and demos may not: only you may, at the "
            "prompt, in your gpudbgrc, with -x or -e",
            found->command->name);
    if (found->listing) return session_listing(g, out, found->listing, gpudbg_args_rest(a), err);
    if (found->define && found->define->alias)
        return alias_run(g, found->define, a->format, gpudbg_args_rest(a), out, err);
    if (found->define) return define_run(g, found->define, gpudbg_args_rest(a), out, err);
    if (formats_apart(found->command))
        args_loose_format(a);
    else if (*a->format && !formats_behind(found->command))
        return gpudbg_fail(err, "usage", "%s does not accept /%s", found->command->name, a->format);
    return found->command->run(g, a, out, err) || names_command(found->command->name, err) ||
           block_refuse(g, found->command);
}

/* Said once: the log is closed then. */
static bool log_good(struct gpudbg *g, struct gpudbg_error *err)
{
    const int why = g->log.tee.why;
    if (!why || !g->log.tee.stream) return true;
    fclose(g->log.tee.stream);
    g->log.tee = (struct out_tee){0};
    return gpudbg_fail(err, why == EINTR ? "interrupt" : "io", "the log: %s; logging is off now",
        why == EINTR ? "interrupted" : strerror(why));
}

/* "!ls" and "|info waves": the name needs no blank behind it.  malloc'ed; NULL: the line is neither. */
static char *with_blank(const char *line)
{
    const char *at = line + strspn(line, " \t");
    if ((*at != '!' && *at != '|') || !at[1] || isspace((unsigned char)at[1])) return NULL;
    const size_t size = strlen(at) + 2;
    char *spaced = xalloc(size);
    struct text t = text_in(spaced, size);
    text_add(&t, "%c %s", *at, at + 1);
    return spaced;
}

static bool run_plain(struct gpudbg *g, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg_args args;
    struct command_found found;
    if (!args_open(&args, &g->eval, line, err)) return false;
    bool ok = true;
    if (*args.at && *args.at != '#') ok = command_find(g, &args, &found, err) && run_found(g, &args, &found, out, err);
    args_close(&args);
    return ok;
}

const struct habit *command_habit(struct gpudbg *g, const char *line, const char **rest)
{
    unsigned words;
    char first[64];
    const struct habit *h = habit_of(line, rest, &words);
    if (!h) return NULL;
    line += strspn(line, " \t");
    text_put(first, sizeof first, "%.*s", (int)strcspn(line, " \t"), line);
    return define_named(g, first) || (words == 1 && command_own(g, first)) ? NULL : h;
}

/* A word of another debugger: the same here, or what does it. */
static bool run_habit(struct gpudbg *g, const struct habit *h, const char *line, const char *rest,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (h->kind == HABIT_TELL) return habit_tell(h, line, rest, err);
    if (h->kind == HABIT_MUTE && strncmp(line + strspn(line, " \t"), "show", 4) == 0)
        RECORD(out, "text", "{text}\n",
            STRING("text", "gpudbg accepts this setting of other debuggers, and it changes nothing here"));
    if (h->kind == HABIT_MUTE) return true;
    char *same = habit_line(h, rest);
    if (!same) return habit_tell(h, line, rest, err);
    const bool ok = run_plain(g, same, out, err);
    free(same);
    return ok;
}

static bool run_line(struct gpudbg *g, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *rest;
    const struct habit *h = command_habit(g, line, &rest);
    if (h) return run_habit(g, h, line, rest, out, err);
    if (run_plain(g, line, out, err)) return true;
    char word[64];
    const char *also = habit_also(line);
    text_put(word, sizeof word, "%.*s", (int)strcspn(line, " \t"), line);
    if (also && err->kind && strcmp(err->kind, "no-such-name") == 0 && !define_named(g, word)) {
        const size_t used = strlen(err->message);
        text_put(err->message + used, sizeof err->message - used, "; %s", also);
    }
    return false;
}

static bool execute(struct gpudbg *g, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (block_open(g)) return block_collect(g, line, out, err);
    char *spaced = with_blank(line);
    bool ok = run_line(g, spaced ? spaced : line, out, err);
    free(spaced);
    if (ok && !g->quit && g->loaded.image && image_cut(g->loaded.image)) /* what was shown may be zeros */
        ok = image_cut_failed(g->loaded.image, err);
    for (size_t i = 0; i < g->loaded.ndumps && !g->quit; i++) {
        const int why = dump_unread(g->loaded.dumps[i]);
        if (why && ok) ok = gpudbg_fail(err, "io", "a file of the dump cannot be read: %s", strerror(why));
    }
    return ok && log_good(g, err) && attached_run(g, out, err);
}

/* What is written long enough can be stopped: the outermost command says that it was. */
static bool execute_asked(struct gpudbg *g, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct ticker *outer = out_ask(out, &g->ticker);
    const bool ok = execute(g, line, out, err);
    out_ask(out, outer);
    if (outer || !out_stopped(out) || !ok) return ok;
    return gpudbg_fail(err, "interrupt", "interrupted");
}

#define SECOND UINT64_C(1000000000) /* ns */

/* The outermost command has the time that `set time-limit` allows: what ends then has been interrupted by it. */
bool gpudbg_execute(struct gpudbg *g, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const uint64_t seconds = g->settings.time_limit, runs = g->control.runs;
    if (!seconds || g->ticker.until) return execute_asked(g, line, out, err);
    g->ticker.until = ticker_now() + (seconds < UINT32_MAX ? seconds : UINT32_MAX) * SECOND;
    const bool ok = execute_asked(g, line, out, err);
    const bool late = ticker_now() >= g->ticker.until;
    g->ticker.until = 0;
    const bool stopped = ok ? g->control.runs != runs && g->running.last.reason == GPUDBG_STOP_INTERRUPT
                            : err->kind && strcmp(err->kind, "interrupt") == 0;
    if (!late || !stopped) return ok;
    return gpudbg_fail(err, "limit", "more than %" PRIu64 " second%s (set time-limit)", seconds, &"s"[seconds == 1]);
}

/* ---- Completion ---- */

char *complete_symbol(struct gpudbg *g, const char *text, unsigned state)
{
    size_t len = strlen(text);
    for (size_t i = 0; g->loaded.image && i < g->loaded.image->nsymbols; i++) {
        const char *name = g->loaded.image->symbols[i].name;
        if (name && strncmp(name, text, len) == 0 && state-- == 0) return xstrdup(name);
    }
    const char *name;
    for (size_t i = 0; g->loaded.image && (name = scopes_inlined(g->loaded.image, i)); i++)
        if (strncmp(name, text, len) == 0 && !gpudbg_image_find(g->loaded.image, name) && state-- == 0)
            return xstrdup(name);
    return NULL;
}

/* "collatz.cl:16", or "16" of the file where one is. */
static char *complete_line(struct gpudbg *g, const char *text, unsigned state)
{
    const struct gpudbg_image *image = g->loaded.image;
    char place[1100];
    const char *file = NULL;
    uint32_t last = 0;
    for (size_t i = 0; image && i < image->nlines; i++) {
        const struct gpudbg_line *l = &image->lines[i];
        if (!l->file || !l->line || (file == l->file && last == l->line)) continue;
        const char *slash = strrchr(l->file, '/');
        text_put(place, sizeof place, "%s:%" PRIu32, slash ? slash + 1 : l->file, l->line);
        file = l->file;
        last = l->line;
        if (strncmp(place, text, strlen(text)) == 0 && state-- == 0) return xstrdup(place);
    }
    return NULL;
}

/* Functions and labels, then lines of the source. */
char *complete_code(struct gpudbg *g, const char *text, unsigned state)
{
    const struct gpudbg_image *image = g->loaded.image;
    const size_t len = strlen(text);
    const char *name;
    for (size_t i = 0; image && i < image->nsymbols; i++) {
        const struct gpudbg_symbol *s = &image->symbols[i];
        const struct gpudbg_section *section = gpudbg_image_at(image, s->addr);
        if (s->kind == GPUDBG_SYM_OBJECT || s->kind == GPUDBG_SYM_UNDEFINED || !s->name) continue;
        if (!section || !(section->flags & GPUDBG_CODE_BYTES)) continue; /* _DYNAMIC */
        if (strncmp(s->name, text, len) == 0 && state-- == 0) return xstrdup(s->name);
    }
    for (size_t i = 0; image && (name = scopes_inlined(image, i)); i++)
        if (strncmp(name, text, len) == 0 && !gpudbg_image_find(image, name) && state-- == 0) return xstrdup(name);
    return complete_line(g, text, state);
}

char *complete_expression(struct gpudbg *g, const char *text, unsigned state)
{
    return expr_complete(&g->eval, text, state);
}

char *complete_isa(struct gpudbg *g, const char *text, unsigned state)
{
    const struct gpudbg_isa *isa;
    size_t len = strlen(text);
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        if (strncmp(isa->name, text, len) == 0 && state-- == 0) return xstrdup(isa->name);
    return NULL;
}

/* Names in the folder that `text` points into; a folder gets a slash. */
char *complete_file(struct gpudbg *g, const char *text, unsigned state)
{
    (void)g;
    char folder[1024], path[2048], *result = NULL;
    const char *slash = strrchr(text, '/'), *base = slash ? slash + 1 : text;
    if (base - text >= (long)sizeof folder) return NULL;
    snprintf(folder, sizeof folder, "%.*s", (int)(base - text), text);
    struct dirent **entries = NULL;
    int n = scandir(*folder ? folder : ".", &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        bool hidden = *name == '.' && *base != '.';
        if (!result && !hidden && strncmp(name, base, strlen(base)) == 0 && state-- == 0) {
            struct stat st;
            struct text t = text_in(path, sizeof path);
            text_add(&t, "%s%s", folder, name);
            if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) text_add(&t, "/");
            result = xstrdup(path);
        }
        free(entries[i]);
    }
    free(entries);
    return result;
}

static char *complete_part(struct gpudbg *g, const char *prefix, const char *text, unsigned state)
{
    struct names n = {.g = g};
    const char *part, *seen = "";
    size_t len, asked = strlen(text);
    bool whole;
    while (next_name(&n)) {
        if (n.is_alias || !name_part(&n, prefix, &part, &len, &whole) || len < asked || strncmp(part, text, asked) != 0)
            continue;
        if (strncmp(seen, part, len) == 0 && (!seen[len] || seen[len] == ' ')) /* the rows of "lane" stand together */
            continue;
        seen = part;
        if (state-- == 0) return xstrndup(part, len);
    }
    return NULL;
}

char *complete_command(struct gpudbg *g, const char *text, unsigned state)
{
    return complete_part(g, NULL, text, state);
}

char *command_complete(struct gpudbg *g, const char *line, size_t *start, unsigned state)
{
    const char *first = line + strspn(line, " \t"), *last = line + strlen(line);
    while (last > first && !isspace((unsigned char)last[-1])) last--;
    *start = (size_t)(last - line);
    if (last == first) return complete_command(g, first, state);
    struct gpudbg_args args;
    struct gpudbg_error err = {0};
    struct command_found found;
    struct match match;
    char *head = xstrndup(line, *start), *result = NULL;
    if (!args_open(&args, &g->eval, head, &err)) {
        free(head);
        return NULL;
    }
    match_word(g, NULL, args_name(&args), &match);
    if (match.count == 1 && !*args.at && has_second_words(g, match.word))
        result = complete_part(g, match.word, last, state);
    args_close(&args);
    if (!result && args_open(&args, &g->eval, head, &err)) {
        if (command_find(g, &args, &found, &err) && found.command && found.command->complete)
            result = found.command->complete(g, last, state);
        args_close(&args);
    }
    free(head);
    return result;
}
