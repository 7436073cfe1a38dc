/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings, one row each; set and show; `set` of registers, memory and variables. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/check.h"
#include "session/command.h"
#include "command/cmd_device.h"
#include "command/cmd_set.h"
#include "command/cmd_source.h"
#include "command/cmd_undo.h"
#include "eval/expr.h"
#include "eval/expr_parser.h"
#include "code/records.h"
#include "machine/machine.h"
#include "out/out.h"
#include "out/say.h"
#include "word/registry.h"
#include "session/session.h"
#include "gpudbg/text.h"

enum setting_kind {
    SETTING_BOOL,
    SETTING_NOT,
    SETTING_LATCH,
    SETTING_COUNT,
    SETTING_BYTES,
    SETTING_INT,
    SETTING_SYNTAX,
    SETTING_WORD,
    SETTING_FOLDERS
};

struct setting {
    const char *name;
    enum setting_kind kind;
    size_t offset;
    const char *doc;
    void (*changed)(struct gpudbg *);
    const char *const *words; /* of SETTING_WORD: the values of an enumeration, in its order, up to NULL */
};

static void budget_changed(struct gpudbg *g)
{
    if (g->running.machine) machine_history_budget(g->running.machine, g->settings.history_budget);
}

static void threads_changed(struct gpudbg *g)
{
    if (g->running.machine)
        machine_threads(g->running.machine, (unsigned)g->settings.threads, g->settings.memory_limit);
}

static void profile_changed(struct gpudbg *g)
{
    if (g->running.machine) machine_tally(g->running.machine, g->settings.profile);
}

static void checks_setting_changed(struct gpudbg *g) { checks_changed(g->control.checks); }

/* What the machine has a copy of. */
static void limit_changed(struct gpudbg *g)
{
    budget_changed(g);
    threads_changed(g);
}

static const char *const picture_ways[] = {"auto", "characters", "blocks", "sixel", "kitty", NULL};

static void line_stops_changed(struct gpudbg *g) { g->eval.every_statement = g->settings.line_stops == LINE_STOPS_ALL; }

static const char *const line_stops[] = {"turn", "all", NULL};

static const char *const lockings[] = {"step", "on", "off", NULL};

#define AT(member) offsetof(struct settings, member)
static const struct setting settings[] = {
    {"confirm", SETTING_BOOL, AT(confirm), "ask before unsaved results are lost", NULL, NULL},
    {"conversation", SETTING_BOOL, AT(conversation),
        "with --json: records `begin` and `end` around what each line prints; see `help conversation`", NULL, NULL},
    {"equal-stores", SETTING_BOOL, AT(check.equal_stores),
        "whether `check race` reports stores that leave memory as it is: stores of equal values",
        checks_setting_changed, NULL},
    {"home-names", SETTING_NOT, AT(no_home_names),
        "whether the screen names home folders; off: it shows ~, for recordings of the terminal", NULL, NULL},
    {"lane-values", SETTING_BOOL, AT(lane_values),
        "whether the pane code shows after each of the latest instructions what it wrote in the selected lane", NULL,
        NULL},
    {"lanes-race", SETTING_BOOL, AT(check.lanes_race),
        "whether `check race` reports lanes of one wave that use the same memory without a barrier between them",
        checks_setting_changed, NULL},
    {"line-stops", SETTING_WORD, AT(line_stops),
        "where `break FILE:LINE` stops if the code of the line is in several pieces: turn, at the first in each copy "
        "of a "
        "function and each loop of it; all, at every piece",
        line_stops_changed, line_stops},
    {"listsize", SETTING_INT, AT(list_size), "how many lines `list` shows; 0: ten", NULL, NULL},
    {"observer", SETTING_BOOL, AT(observer),
        "only look: registers, memory, code and the launch may not be changed; running and time travel work", NULL,
        NULL},
    {"pagination", SETTING_NOT, AT(no_pager), "on the screen, show text that is longer than the prompt pane in a pager",
        NULL, NULL},
    {"picture", SETTING_WORD, AT(picture),
        "how `picture` draws: auto (what the terminal says it has), kitty, sixel, blocks or characters", NULL,
        picture_ways},
    {"profile", SETTING_BOOL, AT(profile),
        "count instructions while they run, so that `info profile` need not run them again; the pane code shows how "
        "often "
        "code ran, and how many lanes were off",
        profile_changed, NULL},
    {"scheduler-locking", SETTING_WORD, AT(locking),
        "which waves run: step, `continue` runs all waves, steps only the selected one and those that it waits for; "
        "on, "
        "`continue` does so, too; off, steps run all waves",
        NULL, lockings},
    {"session-limit", SETTING_BYTES, AT(session_limit),
        "the size from which on a saved session names a file by its hash and path; 0: it holds all", NULL, NULL},
    {"shell", SETTING_LATCH, AT(no_shell),
        "whether `shell` and `pipe` may run programs; off is for the rest of the run", NULL, NULL},
    {"live-registers", SETTING_BOOL, AT(live_registers), "whether the pane code shows how many registers are alive",
        NULL, NULL},
    {"source-lines", SETTING_BOOL, AT(source_lines), "whether the pane code shows lines of the source", NULL, NULL},
    {"source-path", SETTING_FOLDERS, AT(source_path),
        "folders to look for source files in, besides the loaded file's own", source_path_changed, NULL},
    {"stop-on-error", SETTING_BOOL, AT(stop_on_error), "end a script when a command fails", NULL, NULL},
    {"syntax", SETTING_SYNTAX, AT(syntax), "the syntax of instructions (`info isa` lists them)", NULL, NULL},
    {"threads", SETTING_INT, AT(threads),
        "how many processes run groups, or recorded time again, or list much code, at once; 0: one for each processor, "
        "1: no other",
        threads_changed, NULL},
    {"width", SETTING_INT, AT(width), "the width of tables, in columns; 0: no limit", NULL, NULL},
/* clang-format off */
#define LIMIT(member, name, unit, first, bounds, ...) {name, SETTING_##unit, AT(member), bounds, limit_changed, NULL},
#include "control/limits.def"
#undef LIMIT
    /* clang-format on */
};
#undef AT
#define NSETTINGS (sizeof settings / sizeof *settings)

/* Setting number i of them all in the order of their names. */
static const struct setting *setting_in_order(size_t i)
{
    for (size_t k = 0; k < NSETTINGS; k++) {
        size_t before = 0;
        for (size_t j = 0; j < NSETTINGS; j++) before += strcmp(settings[j].name, settings[k].name) < 0;
        if (before == i) return &settings[k];
    }
    return NULL;
}

/* ---- Choices of instruction sets: "set il dmovc manual" ---- */

/* The n-th of all instruction sets, or NULL; *at: where its value stands, made if need be. */
static const struct gpudbg_choice *choice_at(struct gpudbg *g, size_t n, unsigned **at)
{
    const struct gpudbg_isa *isa;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (const struct gpudbg_choice *c = isa->traits.choices; c && c->name; c++) {
            if (n--) continue;
            for (size_t k = 0; k < sizeof g->settings.choice / sizeof *g->settings.choice; k++) {
                struct setting_choice *s = &g->settings.choice[k];
                if (s->choice && s->choice != c) continue;
                s->choice = c;
                *at = &s->value;
                return c;
            }
        }
    return NULL;
}

/* The choice that "PREFIX NAME" at the start of `text` means; *rest: behind it.  NULL: none. */
static const struct gpudbg_choice *choice_named(struct gpudbg *g, const char *text, unsigned **at, const char **rest)
{
    const struct gpudbg_choice *c;
    for (size_t i = 0; (c = choice_at(g, i, at)); i++) {
        const size_t prefix = strlen(c->prefix), name = strlen(c->name);
        if (strncmp(text, c->prefix, prefix) != 0 || !isspace((unsigned char)text[prefix])) continue;
        const char *p = text + prefix + strspn(text + prefix, " \t");
        if (strncmp(p, c->name, name) != 0 || (p[name] && !isspace((unsigned char)p[name]))) continue;
        *rest = p + name + strspn(p + name, " \t");
        return c;
    }
    return NULL;
}

/* The number of a value in a list up to NULL; `of` and `name` say what it is a value of. */
static bool parse_word(const char *const *words, const char *of, const char *name, const char *value, unsigned *at,
    struct gpudbg_error *err)
{
    char all[200];
    struct text t = text_in(all, sizeof all);
    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0) {
            *at = i;
            return true;
        }
        text_add(&t, "%s%s", i ? ", " : "", words[i]);
    }
    return gpudbg_fail(err, "no-such-name", "%s%s \"%.40s\": %s", of, name, value, all);
}

static bool choose(const struct gpudbg_choice *c, unsigned *at, const char *value, struct gpudbg_error *err)
{
    char of[80];
    snprintf(of, sizeof of, "%s ", c->prefix);
    return parse_word(c->values, of, c->name, value, at, err);
}

/* Abbreviated as far as it is the only one. */
static const struct setting *find_setting(const char *name, size_t len)
{
    const struct setting *found = NULL;
    for (size_t i = 0; i < NSETTINGS; i++) {
        if (strncmp(settings[i].name, name, len) != 0) continue;
        if (strlen(settings[i].name) == len) return &settings[i];
        if (found) return NULL;
        found = &settings[i];
    }
    return found;
}

static int value_of(const struct gpudbg *g, const struct setting *s, char *buf, size_t size)
{
    const char *at = (const char *)&g->settings + s->offset;
    uint64_t n;
    switch (s->kind) {
    case SETTING_BOOL: return snprintf(buf, size, "%s", *(const bool *)at ? "on" : "off");
    case SETTING_NOT:
    case SETTING_LATCH: return snprintf(buf, size, "%s", *(const bool *)at ? "off" : "on");
    case SETTING_INT: return snprintf(buf, size, "%d", *(const int *)at);
    case SETTING_FOLDERS: return snprintf(buf, size, "%s", *at ? at : "none");
    case SETTING_SYNTAX: return snprintf(buf, size, "%s", *at ? at : "default");
    case SETTING_WORD: return snprintf(buf, size, "%s", s->words[*(const unsigned *)at]);
    default: break;
    }
    memcpy(&n, at, sizeof n);
    if (s->kind == SETTING_BYTES && n && n % (1 << 20) == 0) return snprintf(buf, size, "%" PRIu64 "M", n >> 20);
    return snprintf(buf, size, "%" PRIu64, n);
}

static bool parse_bool(const char *text, bool *on, struct gpudbg_error *err)
{
    static const char *const yes[] = {"on", "yes", "1", "true"}, *const no[] = {"off", "no", "0", "false"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, yes[i]) == 0) return *on = true;
        if (strcmp(text, no[i]) == 0) {
            *on = false;
            return true;
        }
    }
    return gpudbg_fail(err, "no-such-name", "\"%.40s\" is neither on nor off", text);
}

static bool parse_count(const char *text, bool bytes, uint64_t *n, struct gpudbg_error *err)
{
    char *end;
    if (strcmp(text, "unlimited") == 0) {
        *n = 0;
        return true;
    }
    *n = strtoull(text, &end, 0);
    unsigned shift = *end == 'K' || *end == 'k'   ? 10
                     : *end == 'M' || *end == 'm' ? 20
                     : *end == 'G' || *end == 'g' ? 30
                                                  : 0;
    if (!isdigit((unsigned char)*text) || (shift && (!bytes || end[1])) || (!shift && *end) || *n > UINT64_MAX >> shift)
        return gpudbg_fail(err, "usage", "\"%.40s\" is not a number of at most 64 bits%s", text,
            bytes ? "; K, M or G may follow it" : "");
    *n <<= shift;
    return true;
}

static bool known_syntax(struct gpudbg *g, const char *name)
{
    const struct gpudbg_isa *isa;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        if (insn_syntax(isa, name) >= 0) return true;
    return false;
}

static bool set_value(struct gpudbg *g, const struct setting *s, const char *text, struct gpudbg_error *err)
{
    char *at = (char *)&g->settings + s->offset;
    uint64_t n;
    bool on;
    switch (s->kind) {
    case SETTING_BOOL: return parse_bool(text, (bool *)at, err);
    case SETTING_NOT:
    case SETTING_LATCH:
        if (!parse_bool(text, &on, err)) return false;
        if (s->kind == SETTING_LATCH && on && *(bool *)at)
            return gpudbg_fail(err, "not-now", "%s: it was switched off for the rest of this run", s->name);
        *(bool *)at = !on;
        return true;
    case SETTING_FOLDERS: return source_path_set(g, strcmp(text, "none") == 0 ? "" : text, err);
    case SETTING_SYNTAX:
        if (strcmp(text, "default") == 0) text = "";
        if (strlen(text) >= sizeof g->settings.syntax || !known_syntax(g, text))
            return gpudbg_fail(err, "no-such-name", "no syntax \"%.40s\"; see `info isa`", text);
        snprintf(at, sizeof g->settings.syntax, "%s", text);
        return true;
    case SETTING_WORD: return parse_word(s->words, "", s->name, text, (unsigned *)at, err);
    case SETTING_INT:
        if (!parse_count(text, false, &n, err)) return false;
        if (n > 100000) return gpudbg_fail(err, "out-of-range", "%s %" PRIu64 ": at most 100000", s->name, n);
        *(int *)at = (int)n;
        return true;
    case SETTING_COUNT:
    case SETTING_BYTES: break;
    }
    return parse_count(text, s->kind == SETTING_BYTES, (uint64_t *)at, err);
}

/* "set NAME VALUE"; else the rest is an assignment: "set $v1[3] = 7", with gdb's "var" before it or not. */
/* It belongs to a saved session: it decides what is reported or shown, or where breakpoints are. */
static bool lasts(const struct setting *s)
{
    return s->kind == SETTING_SYNTAX || s->changed == checks_setting_changed || s->changed == line_stops_changed;
}

bool setting_text(struct gpudbg *g, size_t i, char *name, size_t room, char *value, size_t size)
{
    unsigned *at;
    size_t n = 0;
    for (size_t k = 0; k < NSETTINGS; k++) {
        if (!lasts(&settings[k])) continue;
        if (n++ != i) continue;
        snprintf(name, room, "%s", settings[k].name);
        value_of(g, &settings[k], value, size);
        return true;
    }
    const struct gpudbg_choice *choice = choice_at(g, i - n, &at);
    if (!choice) return false;
    snprintf(name, room, "%s %s", choice->prefix, choice->name);
    snprintf(value, size, "%s", choice->values[*at]);
    return true;
}

bool setting_put(struct gpudbg *g, const char *name, const char *value, struct gpudbg_error *err)
{
    unsigned *at;
    const char *rest;
    for (size_t k = 0; k < NSETTINGS; k++) {
        if (!lasts(&settings[k]) || strcmp(settings[k].name, name) != 0) continue;
        if (!set_value(g, &settings[k], value, err)) return false;
        if (settings[k].changed) settings[k].changed(g);
        return true;
    }
    const struct gpudbg_choice *choice = choice_named(g, name, &at, &rest);
    if (choice && !*rest) return choose(choice, at, value, err);
    return gpudbg_fail(err, "no-such-name", "a session has no setting \"%.40s\"", name);
}

static bool run_set(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a);
    size_t len = strspn(rest, "abcdefghijklmnopqrstuvwxyz-");
    bool var = (len == 3 && strncmp(rest, "var", 3) == 0) || (len == 8 && strncmp(rest, "variable", 8) == 0);
    const struct setting *s = len && (!rest[len] || isspace((unsigned char)rest[len])) ? find_setting(rest, len) : NULL;
    unsigned *chosen;
    const char *equals = strchr(rest, '='), *behind;
    const struct gpudbg_choice *choice = var ? NULL : choice_named(g, rest, &chosen, &behind);
    if (choice) return session_may_change(g, err) && choose(choice, chosen, behind, err);
    if (!var && len == 6 && strncmp(rest, "device", 6) == 0 && isspace((unsigned char)rest[6]))
        return session_may_change(g, err) && device_set_command(g, rest + 6 + strspn(rest + 6, " \t"), err);
    if (s && !var && (!equals || rest[len + strspn(rest + len, " \t")] != '=')) {
        gpudbg_args_word(a);
        const char *value = gpudbg_args_word(a);
        if (!value && s->kind <= SETTING_LATCH) value = "on";
        if (!value && s->kind == SETTING_FOLDERS) value = "";
        if (!value) return gpudbg_fail(err, "usage", "%s: a value is missing", s->name);
        if (!args_end(a, err) || !set_value(g, s, value, err)) return false;
        if (s->changed) s->changed(g);
        return true;
    }
    if (var) rest += len + strspn(rest + len, " \t");
    if (!*rest) return gpudbg_fail(err, "usage", "a setting or an assignment is missing; see `show`");
    if (!equals)
        return gpudbg_fail(
            err, "no-such-name", "\"%.40s\" is neither a setting nor an assignment (REGISTER = VALUE)", rest);
    return change_assign(g, rest, out, err);
}

/* ---- init-if-undefined ---- */

static bool run_init(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a);
    char asks[64];
    struct value v;
    (void)out;
    const size_t len = *rest == '$' ? type_name_length(rest + 1) : 0;
    const char *equals = rest + 1 + len + strspn(rest + 1 + len, " \t");
    if (!len || len > 40 || *equals != '=' || equals[1] == '=')
        return gpudbg_fail(err, "usage", "init-if-undefined wants $NAME = EXPR");
    snprintf(asks, sizeof asks, "$_isvoid(%.*s)", (int)len + 1, rest);
    if (!expr_value(&g->eval, asks, &v, err)) return false;
    if (!v.u) return true;
    /* The value itself is asked for first: it changes nothing else. */
    return expr_value(&g->eval, equals + 1, &v, err) && expr_value_changing(&g->eval, rest, &v, err);
}

static const struct gpudbg_command init_if_undefined = {
    .name = "init-if-undefined",
    .usage = "$NAME = EXPR",
    .summary = "set a convenience variable, unless it has a value",
    .help = "For scripts: to read a variable that was never set is an error.  `$_isvoid($NAME)` asks whether it was.",
    .family = "Scripts",
    .run = run_init,
    .complete = complete_expression,
};

/* Whether an instruction set before the i-th has a syntax of that name. */
static bool syntax_before(struct gpudbg *g, size_t i, const char *name)
{
    for (size_t k = 0; k < i; k++)
        if (insn_syntax(registry_isa(g->registry, k), name) >= 0) return true;
    return false;
}

static char *complete_set(struct gpudbg *g, const char *text, unsigned state)
{
    const struct gpudbg_isa *isa;
    if (strchr(text, '/')) return complete_file(g, text, state); /* a folder of the source path */
    size_t len = strlen(text);
    for (size_t i = 0; i < NSETTINGS; i++)
        if (strncmp(settings[i].name, text, len) == 0 && state-- == 0) return xstrdup(settings[i].name);
    for (size_t i = 0; len && (isa = registry_isa(g->registry, i)); i++) /* of `set syntax` */
        for (const char *const *s = isa->syntaxes; s && *s; s++)
            if (strncmp(*s, text, len) == 0 && !syntax_before(g, i, *s) && state-- == 0) return xstrdup(*s);
    return expr_complete(&g->eval, text, state);
}

static const struct gpudbg_command set = {
    .name = "set",
    .usage = "NAME VALUE | device REGISTER VALUE | [var] PLACE = EXPR",
    .summary = "change a setting, a register, memory or a variable",
    .help = "    set width 100             a setting; `show` lists them\n"
            "    set $v1[3] = 7            a register in lane 3; $v1[:] = 0 sets all lanes\n"
            "    set $exec = 0xff          a mask\n"
            "    set $pc = L0080           where the wave goes on\n"
            "    set *(f32*)a = 1.5        memory; also *(u32*)lds:16 = 3\n"
            "    set $x = 1                a variable of your own\n"
            "    set device GB_TILE_MODE14 0x2400150\n"
            "                              a register of the device, for the next launch; `info device`\n"
            "                              lists them\n"
            "    set memory-limit 4G       how much one file may unpack to, in memory and on disk; applies to files\n"
            "                              that are opened later\n"
            "    set source-path A:B       folders where source files may be; see `help directory`\n"
            "A float that is stored to a register keeps its bits as a float.",
    .family = "Settings",
    .effect = GPUDBG_CHANGES,
    .run = run_set,
    .complete = complete_set,
};

/* ---- with: another value for one command ---- */

static bool run_with(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *name = args_need(a, "a setting", err), *value = name ? args_need(a, "its value", err) : NULL;
    char before[sizeof g->settings.source_path];
    if (!value) return false;
    const struct setting *s = find_setting(name, strlen(name));
    if (!s) return gpudbg_fail(err, "no-such-name", "no setting \"%.40s\"; see `show`", name);
    if (s->kind == SETTING_LATCH) return gpudbg_fail(err, "unsupported", "%s: it cannot be set for a while", s->name);
    const char *dashes = gpudbg_args_word(a), *command = gpudbg_args_rest(a);
    if (!dashes || strcmp(dashes, "--") != 0 || !*command)
        return gpudbg_fail(err, "usage", "with %s: `-- COMMAND` is missing after the value", s->name);
    value_of(g, s, before, sizeof before);
    if (!set_value(g, s, value, err)) return false;
    if (s->changed) s->changed(g);
    const bool done = gpudbg_execute(g, command, out, err);
    struct gpudbg_error ignored = {.offset = -1}; /* it was a value before */
    set_value(g, s, before, &ignored);
    if (s->changed) s->changed(g);
    return done;
}

static const struct gpudbg_command with = {
    .name = "with",
    .usage = "SETTING VALUE -- COMMAND",
    .summary = "run a command with another value of a setting",
    .help = "    with width 60 -- info waves\n"
            "Afterwards the setting has its old value again.",
    .family = "Settings",
    .effect = GPUDBG_CHANGES,
    .run = run_with,
    .complete = complete_set,
};

/* ---- show: the settings as a listing ---- */

struct setting_row {
    const struct gpudbg *g;
    const struct setting *s; /* NULL: a choice */
    const struct gpudbg_choice *choice;
    unsigned value;
};

static int cell_name(const void *row, char *buf, size_t size)
{
    const struct setting_row *r = row;
    return r->s ? snprintf(buf, size, "%s", r->s->name)
                : snprintf(buf, size, "%s %s", r->choice->prefix, r->choice->name);
}

static int cell_value(const void *row, char *buf, size_t size)
{
    const struct setting_row *r = row;
    return r->s ? value_of(r->g, r->s, buf, size) : snprintf(buf, size, "%s", r->choice->values[r->value]);
}

static int cell_doc(const void *row, char *buf, size_t size)
{
    const struct setting_row *r = row;
    return snprintf(buf, size, "%s", r->s ? r->s->doc : r->choice->doc);
}

static const struct gpudbg_column columns[] = {
    {"name", "setting", 0, GPUDBG_NAME, cell_name},
    {"value", "value", 0, GPUDBG_PLAIN, cell_value},
    {"doc", "what it does", 0, GPUDBG_NOTE, cell_doc},
};

static bool setting_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    size_t len = strcspn(args, " \t");
    const struct setting *only = len ? find_setting(args, len) : NULL;
    const struct gpudbg_choice *choice;
    unsigned *at = NULL;
    const char *rest;
    if (len && !only && (choice = choice_named(g, args, &at, &rest))) {
        struct setting_row row = {g, NULL, choice, *at};
        return each(to, &row) || true;
    }
    if (len && !only) return gpudbg_fail(err, "no-such-name", "no setting \"%.40s\"", args);
    for (size_t i = 0; i < NSETTINGS; i++) {
        struct setting_row row = {g, setting_in_order(i), NULL, 0};
        if ((!only || only == row.s) && !each(to, &row)) return true;
    }
    for (size_t i = 0; !only && (choice = choice_at(g, i, &at)); i++) {
        struct setting_row row = {g, NULL, choice, *at};
        if (!each(to, &row)) break;
    }
    return true;
}

static const struct gpudbg_listing settings_listing = {
    .name = "settings",
    .summary = "list the settings that `set` can change",
    .type = "setting",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = setting_rows,
};

/* ---- help limits: the limits among them ---- */

void limits_help(struct gpudbg *g, struct gpudbg_out *out)
{
    static const struct {
        const char *name, *reached;
    } limits[] = {
#define LIMIT(member, name, unit, first, bounds, reached) {name, reached},
#include "control/limits.def"
#undef LIMIT
    };
    gpudbg_out_print(out,
        "What the program takes of memory and time at most.  `set SETTING VALUE` changes it; 0 is no limit.\n"
        "A message that says that a limit was reached names the setting.\n");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        char value[32];
        const struct setting *s = find_setting(limits[i].name, strlen(limits[i].name));
        value_of(g, s, value, sizeof value);
        RECORD(out, "limit", "\n{name} = {value}\n    {doc}\n    beyond it: {reached}\n", STRING("name", s->name),
            STRING("value", strcmp(value, "0") == 0 ? "unlimited" : value), STRING("doc", s->doc),
            STRING("reached", limits[i].reached));
    }
}

static bool run_show(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return session_listing(g, out, &settings_listing, gpudbg_args_rest(a), err);
}

static const struct gpudbg_command show = {
    .name = "show",
    .usage = "[NAME]",
    .summary = "show settings",
    .family = "Settings",
    .run = run_show,
    .complete = complete_set,
};

static const struct gpudbg_command *const commands[] = {&set, &init_if_undefined, &with, &show, NULL};
static const struct gpudbg_listing *const listings[] = {&settings_listing, NULL};
COMMAND_FAMILY(cmd_set, "settings", .summary = "settings", .commands = commands, .listings = listings);
