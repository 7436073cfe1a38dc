/* SPDX-License-Identifier: GPL-3.0-or-later */
/* actions.c: the commands that only a screen has.  Keys are bound to them as to any other command. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "inside.h"
#include "line.h"
#include "masked.h"
#include "options.h"
#include "picture.h"
#include "terminal.h"
#include "try_line.h"
#include "session/command.h"
#include "machine/machine.h"
#include "word/registry.h"
#include "control/stop.h"
#include "base/alloc.h"
#include "base/save.h"
#include "base/words.h"
#include "gpudbg/text.h"
#include "out/out.h"
#include "out/say.h"

#define MOVES_MOST 100000 /* of one key */

/* The screen of a session, or an error. */
static struct screen *screen_of(struct gpudbg *g, struct gpudbg_error *err)
{
    if (g->front.screenshot) return g->front.data;
    gpudbg_fail(err, "not-now", "there is no screen");
    return NULL;
}

static char *complete_from(const char *text, unsigned state, const char *(*name)(size_t))
{
    const char *word;
    for (size_t i = 0; (word = name(i)); i++)
        if (!strncmp(word, text, strlen(text)) && state-- == 0) return xstrdup(word);
    return NULL;
}

/* ---- Panes and layouts ---- */

static const char *pane_kind_name(size_t i) { return pane_kinds.named[i] ? pane_kinds.named[i]->name : NULL; }

/* All names of layouts, and the one that gives up the choice. */
static const char *layout_choice(size_t i) { return !i ? "default" : layout_name(i - 1); }

static char *complete_layout(struct gpudbg *g, const char *text, unsigned state)
{
    (void)g;
    return complete_from(text, state, layout_choice);
}

static char *complete_pane(struct gpudbg *g, const char *text, unsigned state)
{
    (void)g;
    return complete_from(text, state, pane_kind_name);
}

static const char *action_name(size_t i) { return pane_action_name((unsigned)i); }

static char *complete_action(struct gpudbg *g, const char *text, unsigned state)
{
    (void)g;
    return complete_from(text, state, action_name);
}

/* Who asks for the layout of a pane wants to look at that pane: it gets the keys, from the prompt on Escape. */
static void focus_namesake(struct screen *s, const char *layout)
{
    struct gpudbg_error none = {0};
    struct pane *pane = pane_named(s, screen_window(s, layout), &none);
    if (!pane || !layout_place(&s->layout, pane)) return;
    if (s->mode == KEYS_PROMPT && s->focus && s->focus->kind == &pane_prompt)
        s->before_prompt = pane;
    else
        s->focus = pane;
}

/* gdb's layouts, in its order, round the one that is there. */
static const char *layout_beside(const struct screen *s, int step)
{
    static const char *const names[] = {"src", "asm", "split", "regs"};
    const int n = sizeof names / sizeof *names;
    for (int i = 0; i < n; i++)
        if (!strcmp(screen_layout_called(s, names[i]), s->layout_name)) return names[(i + step + n) % n];
    return names[step > 0 ? 0 : n - 1];
}

static bool run_layout(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *name = gpudbg_args_word(args);
    if (!s) return false;
    if (!name) {
        for (size_t i = 0; layout_name(i); i++) gpudbg_out_print(out, "%s%s", i ? " " : "", layout_name(i));
        gpudbg_out_print(out, "\n");
        return true;
    }
    if (!strcmp(name, "default")) {
        screen_layout_default(s);
        return true;
    }
    if (!strcmp(name, "=")) name = s->layout_name[0] ? s->layout_name : "code";
    if (!strcmp(name, "next")) name = layout_beside(s, 1);
    if (!strcmp(name, "prev") || !strcmp(name, "previous")) name = layout_beside(s, -1);
    s->layout_chosen = true;
    if (!screen_layout(s, name, err)) return false;
    focus_namesake(s, name);
    return true;
}

/* The pane that stands `step` places further in the layout. */
static struct pane *pane_beside(struct screen *s, int step)
{
    struct place *at = layout_place(&s->layout, s->focus);
    int n = s->layout.count, i = at ? (int)(at - s->layout.place) : 0;
    for (int k = 1; k <= n; k++) {
        struct place *p = &s->layout.place[((i + step * k) % n + n) % n];
        if (p->h > 0) return p->pane;
    }
    return s->focus;
}

static bool run_focus(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *name = gpudbg_args_word(args);
    (void)out;
    if (!s) return false;
    if (!name || !strcmp(name, "next") || !strcmp(name, "previous")) {
        screen_focus(s, pane_beside(s, name && name[0] == 'p' ? -1 : 1));
        return true;
    }
    struct pane *pane = pane_named(s, screen_window(s, name), err);
    if (!pane) return false;
    screen_focus(s, pane);
    return true;
}

/* The same move n times, as far as it goes. */
static bool pane_move(struct pane *p, enum pane_action action, long n, struct gpudbg_error *err)
{
    struct gpudbg_error end = {.offset = -1};
    if (n > 0 && !pane_act(p, action, "", err)) return false;
    for (long i = 1; i < n && i < MOVES_MOST && pane_act(p, action, "", &end); i++)
        ;
    return true;
}

/* Where the value that the text names comes from; without text, the value under the cursor. */
static bool value_asked(struct screen *s, struct pane *p, const char *text, struct gpudbg_error *err)
{
    char expression[256];
    if (!eval_need_machine(&s->g->eval, err)) return false;
    if (*text) return origin_show(s, text, err);
    if (!p->kind->value) return gpudbg_fail(err, "not-now", "pane %s has no value under a cursor", p->name);
    return p->kind->value(p, expression, sizeof expression, err) && origin_show(s, expression, err);
}

/* Where the register comes from that the instruction under the cursor names as its n-th. */
static bool operand_asked(struct screen *s, struct pane *p, const char *n, struct gpudbg_error *err)
{
    char expression[256], *end;
    const unsigned long number = strtoul(n, &end, 10);
    if (!isdigit((unsigned char)*n) || *end || !number || number > GPUDBG_OPERANDS)
        return gpudbg_fail(err, "usage", "the number of an operand is missing: 1 is the first register of the text");
    if (!p->kind->operand) return gpudbg_fail(err, "not-now", "pane %s has no instruction under a cursor", p->name);
    return p->kind->operand(p, (unsigned)number, expression, sizeof expression, err) && origin_show(s, expression, err);
}

/* The pane that an action without a pane's name is for: the one with the focus; at the prompt the one that one came
 * from. */
static struct pane *pane_meant(struct screen *s)
{
    if (s->over) return s->over;
    const bool typed = s->mode == KEYS_PROMPT && s->focus->kind == &pane_prompt;
    return typed && s->before_prompt ? s->before_prompt : s->focus;
}

/* Actions that only these panes have, wherever the focus is. */
static struct pane *pane_with(struct screen *s, enum pane_action action, struct pane *meant, struct gpudbg_error *err)
{
    const bool memory = meant->kind == &pane_memory || meant->kind == &pane_lds;
    if (meant->kind->takes >> action & 1) return meant;
    switch (action) {
    case PANE_WIDTH:
    case PANE_TYPE:
    case PANE_COMPARE:
    case PANE_SEGMENT: return memory ? meant : pane_named(s, "memory", err);
    case PANE_DIFFERING:
    case PANE_PIN:
    case PANE_HEAT: return pane_named(s, "lanes", err);
    case PANE_COPIES: return pane_named(s, "origin", err);
    case PANE_OPERAND: return meant->kind->operand ? meant : pane_named(s, "code", err);
    default: return meant;
    }
}

/* What an action says that failed names the pane, unless that is the one whose key was pressed. */
static bool pane_failed(struct screen *s, const struct pane *p, struct gpudbg_error *err)
{
    char message[sizeof err->message], named[80];
    snprintf(named, sizeof named, "pane %s", p->name);
    if ((p == s->focus && s->g->foreign) || strncmp(err->message, named, strlen(named)) == 0) return false;
    text_put(message, sizeof message, "%s", err->message);
    text_put(err->message, sizeof err->message, "pane %s: %s", p->name, message);
    return false;
}

static bool pane_does(
    struct screen *s, struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct gpudbg *g = s->g;
    if (action == PANE_FIND && *arg) snprintf(s->found, sizeof s->found, "%s", arg);
    if (action == PANE_FIND || action == PANE_FIND_NEXT || action == PANE_FIND_PREVIOUS) {
        if (!s->found[0]) return gpudbg_fail(err, "not-now", "nothing was searched for yet");
        arg = s->found;
    }
    if (pane_action_moves((enum pane_action)action) && isdigit((unsigned char)*arg))
        return pane_move(p, (enum pane_action)action, strtol(arg, NULL, 10), err);
    struct gpudbg_error why = {0};
    if (action == PANE_HERE && p->kind != &pane_code) { /* where: the program, whatever has the focus */
        struct pane *code = pane_named(s, "code", err);
        if (code && g->running.machine) pane_act(code, PANE_HERE, "", &why);
    }
    if (action == PANE_OFF) return origin_show_off(s, err);
    if (action == PANE_OPERAND) return operand_asked(s, p, arg, err);
    if (action == PANE_ORIGIN && (*arg || !(p->kind->takes & PANE_BIT(ORIGIN)))) return value_asked(s, p, arg, err);
    if (action == PANE_GOTO && p->kind != &pane_memory && p->kind != &pane_lds)
        return pane_act(pane_named(s, "code", err), PANE_GOTO, arg, err);
    return pane_act(p, (enum pane_action)action, arg, err);
}

static bool run_pane(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *name = s ? gpudbg_args_word(args) : NULL;
    (void)out;
    if (!s) return false;
    int action = name ? pane_action_named(name) : -1;
    struct pane *p = pane_meant(s);
    const bool named = name && action < 0;
    if (named) { /* the pane's name stands before the action */
        p = pane_named(s, screen_window(s, name), err);
        if (!p)
            return gpudbg_fail(
                err, "no-such-name", "pane %s: no pane and no action is called that; see `help pane`", name);
        name = gpudbg_args_word(args);
        action = name ? pane_action_named(name) : -1;
    }
    if (action < 0)
        return gpudbg_fail(err, name ? "no-such-name" : "usage",
            name ? "pane %s: no such action; `help pane` lists them" : "pane%s needs an action; `help pane` lists them",
            name ? name : "");
    const char *arg = gpudbg_args_rest(args);
    if (!named) p = pane_with(s, (enum pane_action)action, p, err);
    return p && (pane_does(s, p, (enum pane_action)action, arg, err) || pane_failed(s, p, err));
}

/* "+3", "-1". */
static bool run_grow(struct gpudbg *g, struct gpudbg_args *args, bool rows, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *by = s ? gpudbg_args_word(args) : NULL;
    if (!s) return false;
    char *end;
    struct pane *p = s->focus;
    if (by && isalpha((unsigned char)*by)) { /* gdb's `winheight cmd 10` */
        if (!(p = pane_named(s, screen_window(s, by), err)))
            return gpudbg_fail(err, "no-such-name", "no pane is called '%s'", by);
        by = gpudbg_args_word(args);
    }
    const struct place *at = layout_place(&s->layout, p);
    if (!at) return gpudbg_fail(err, "not-now", "pane %s is not in this layout", p->name);
    long n = by ? strtol(by, &end, 10) : 0;
    if (!by || *end || n < -500 || n > 500)
        return gpudbg_fail(
            err, "usage", "the number of %s is missing: +1 or -1, for example", rows ? "rows" : "columns");
    if (isdigit((unsigned char)*by)) n -= rows ? at->rows - 1 : at->columns;
    layout_grow(&s->layout, p, rows ? (int)n : 0, rows ? 0 : (int)n);
    layout_fit(&s->layout, 0, 1, s->cells->columns, s->cells->rows - 2);
    return true;
}
static bool run_winheight(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return run_grow(g, args, true, err);
}
static bool run_winwidth(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return run_grow(g, args, false, err);
}

static bool run_zoom(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    (void)args;
    (void)out;
    if (s) s->zoomed = s->zoomed ? NULL : s->focus;
    return s != NULL;
}

static bool run_refresh(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    (void)args;
    (void)out;
    if (s && s->terminal) terminal_redraw();
    return s != NULL;
}

/* "click 3 10": the row and the column, from 0. */
static bool mouse_press(struct screen *s, const char *name, struct gpudbg_args *args, struct gpudbg_error *err)
{
    const char *row = gpudbg_args_word(args), *column = row ? gpudbg_args_word(args) : NULL;
    if (!column) return gpudbg_fail(err, "usage", "mouse needs a row and a column after that, from 0");
    if (!args_end(args, err)) return false;
    screen_mouse(s, name, atoi(column), atoi(row));
    return true;
}

static bool run_mouse(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *word = s ? gpudbg_args_word(args) : NULL;
    (void)out;
    if (!s) return false;
    if (word && !strcmp(word, "click")) return mouse_press(s, "Click", args, err);
    if (word && !strcmp(word, "wheel-up")) return mouse_press(s, "WheelUp", args, err);
    if (word && !strcmp(word, "wheel-down")) return mouse_press(s, "WheelDown", args, err);
    bool on = word && !strcmp(word, "on");
    if (!on && !(word && !strcmp(word, "off")))
        return gpudbg_fail(err, "usage", "mouse needs on or off, or click, wheel-up or wheel-down with a place");
    if (s->terminal) terminal_mouse(on);
    return true;
}

/* The files of the folders of themes. */
static char *complete_theme(struct gpudbg *g, const char *text, unsigned state)
{
    const struct folders folders = session_folders(g, "themes");
    for (size_t i = 0; i < folders.n; i++) {
        char *found = NULL;
        DIR *folder = opendir(folders.path[i]);
        for (struct dirent *e; folder && !found && (e = readdir(folder));)
            if (e->d_name[0] != '.' && !strncmp(e->d_name, text, strlen(text)) && state-- == 0)
                found = xstrdup(e->d_name);
        if (folder) closedir(folder);
        if (found) return found;
    }
    return NULL;
}

static bool run_show_theme(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    char names[512], *name;
    struct text t = text_in(names, sizeof names);
    if (!s || !args_end(args, err)) return false;
    for (unsigned i = 0; (name = complete_theme(g, "", i)); free(name), i++) text_add(&t, i ? " %s" : "%s", name);
    RECORD(out, "setting", "the theme is {value}; `theme NAME` chooses one of {names}\n", STRING("name", "theme"),
        STRING("value", s->theme_name), STRING("doc", "the colours of the screen"), TEXT("names", names));
    return true;
}

static bool run_theme(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *name = s ? gpudbg_args_word(args) : NULL;
    if (s && !name) return run_show_theme(g, args, out, err);
    return s && args_end(args, err) && screen_theme(s, name, err);
}

/* ---- Keys and the prompt ---- */

static bool run_keys(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    (void)args;
    (void)out;
    if (!s) return false;
    struct pane *keys = pane_named(s, "keys", err);
    if (keys) keys->top = keys->cursor = 0;
    screen_over(s, s->over ? NULL : keys);
    return keys != NULL;
}

static bool run_leave(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    (void)args;
    (void)out;
    if (s && s->over)
        screen_over(s, NULL);
    else if (s)
        screen_single_keys(s);
    return s != NULL;
}

static bool run_key(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *key;
    (void)out;
    while (s && (key = gpudbg_args_word(args)))
        if (!screen_press(s, key)) return gpudbg_fail(err, "no-such-name", "key %s does nothing here", key);
    return s != NULL;
}

static bool run_type(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    (void)out;
    if (!s) return false;
    char text[1024];
    const char *rest = gpudbg_args_rest(args);
    snprintf(text, sizeof text, "%s%s", rest, *rest ? " " : "");
    if (!*rest && s->over) screen_over(s, NULL); /* what is asked for with text may be about the pane on top */
    screen_prompt(s, *rest ? text : NULL);
    return true;
}

/* What changes the thing under the cursor, as a command: an instruction of the code pane, a field of the field pane. */
static bool edit_text(struct screen *s, char *buf, size_t size, struct gpudbg_error *err)
{
    struct gpudbg_insn insn;
    char text[1024];
    const uint64_t addr = code_cursor(s);
    if (s->focus->kind == &pane_fields) return fields_edit(s->focus, buf, size, err);
    if (s->focus->kind == &pane_memory || s->focus->kind == &pane_lds) return memory_edit(s->focus, buf, size, err);
    unsigned file, index;
    if (s->focus->kind->reg)
        return pane_register(s->focus, &file, &index)
                   ? register_edit(s, file, index, buf, size, err)
                   : gpudbg_fail(err, "not-now", "no register is under the cursor: Down puts it there");
    if (s->focus->kind != &pane_code)
        return gpudbg_fail(err, "not-now", "the panes code, fields, scalar, lanes, memory and lds can be edited");
    if (!code_insn(s, addr, &insn)) return gpudbg_fail(err, "not-now", "no instruction is under the cursor");
    const unsigned syntax = settings_syntax(&s->g->settings, insn.isa);
    if (insn.isa->text(&insn, syntax, GPUDBG_ASSEMBLER, NULL, text, sizeof text) < 0)
        insn.isa->text(&insn, syntax, GPUDBG_READABLE, NULL, text, sizeof text);
    snprintf(buf, size, "patch *0x%" PRIx64 " %s", addr, text);
    return true;
}

/* Puts that command into the prompt, to be changed there. */
static bool run_edit(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    char text[1200];
    (void)args;
    (void)out;
    if (!s || !edit_text(s, text, sizeof text, err)) return false;
    screen_prompt(s, text);
    const char *value = strncmp(text, "set ", 4) == 0 ? strstr(text, " = ") : NULL;
    if (value) line_select((size_t)(value + 3 - text));
    return true;
}

/* The same with `try` for the instruction under the cursor. */
static bool run_attempt(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    struct gpudbg_insn insn;
    char text[2048];
    (void)args;
    (void)out;
    if (!s) return false;
    if (!code_insn(s, code_cursor(s), &insn) || !insn.isa->run)
        return gpudbg_fail(err, "not-now", "no instruction that can be executed is under the cursor");
    try_line(g, &insn, text, sizeof text);
    screen_prompt(s, text);
    return true;
}

static bool run_follow(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    unsigned file, index;
    (void)args;
    (void)out;
    if (!s) return false;
    if (!pane_register(s->focus, &file, &index))
        return gpudbg_fail(err, "not-now", "no register is under the cursor: Down puts it there");
    return register_follow(s, file, index, err);
}

/* Follows what is under the cursor; where code leads nowhere, the prompt. */
static bool run_enter(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    (void)args;
    (void)out;
    if (!s) return false;
    if (pane_act(s->over ? s->over : s->focus, PANE_FOLLOW, "", err)) return true;
    if (s->focus->kind != &pane_code && s->focus->kind != &pane_source && s->focus->kind != &pane_welcome) return false;
    *err = (struct gpudbg_error){.offset = -1};
    screen_prompt(s, NULL);
    return true;
}

/* ---- Things of the program, where the cursor is ---- */

/* Sets or takes out the breakpoint under the cursor by the commands for it; `toggle off` switches it off and on. */
static bool run_toggle(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *word = s ? gpudbg_args_word(args) : NULL;
    (void)out;
    if (!s) return false;
    uint64_t addr;
    if (!pane_address(s->focus, &addr))
        return gpudbg_fail(err, "not-now", "no instruction is under the cursor of pane %s", s->focus->name);
    struct stop_point *stop = g->control.stops ? stops_at(&g->control, addr) : NULL;
    bool off = word && !strcmp(word, "off");
    char line[64];
    if (off && !stop) return gpudbg_fail(err, "no-such-name", "no breakpoint at 0x%" PRIx64, addr);
    if (off)
        snprintf(line, sizeof line, "%s %d", stop->on ? "disable" : "enable", stop->number);
    else if (stop)
        snprintf(line, sizeof line, "delete %d", stop->number);
    else
        snprintf(line, sizeof line, "break *0x%" PRIx64, addr);
    screen_key_line(s, line);
    return true;
}

/* The next of the n waves from `first` on that has registers, round them. */
static uint32_t wave_among(struct gpudbg *g, uint32_t first, uint32_t n, int step)
{
    struct gpudbg_machine *m = g->running.machine;
    struct machine_wave_info info;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t id = first + (g->selection.wave - first + (step > 0 ? i : n - i)) % n;
        machine_wave_info(m, id, &info);
        if (info.registers) return id;
    }
    return g->selection.wave;
}

/* The next wave of this group; of all, where the group has no other. */
static uint32_t wave_beside(struct gpudbg *g, int step)
{
    const struct gpudbg_machine *m = g->running.machine;
    const uint32_t n = m->waves_per_group ? m->waves_per_group : 1, first = g->selection.wave - g->selection.wave % n;
    const uint32_t next = wave_among(g, first, first + n > m->nwaves ? m->nwaves - first : n, step);
    return next != g->selection.wave ? next : wave_among(g, 0, m->nwaves, step);
}

static bool run_pick(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *what = s ? gpudbg_args_word(args) : NULL;
    bool wave = what && !strcmp(what, "wave");
    char line[64];
    (void)out;
    if (!s) return false;
    if (!wave && !(what && !strcmp(what, "lane"))) return gpudbg_fail(err, "usage", "pick needs the word wave or lane");
    if (!g->running.machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    const char *which = gpudbg_args_word(args);
    int step = which && which[0] == 'p' ? -1 : 1,
        lanes = g->running.machine->lanes ? (int)g->running.machine->lanes : 1;
    if (which && which[0] >= '0' && which[0] <= '9')
        snprintf(line, sizeof line, "%s %lu", wave ? "wave" : "lane", strtoul(which, NULL, 0));
    else if (wave)
        snprintf(line, sizeof line, "wave %" PRIu32, wave_beside(g, step));
    else
        snprintf(line, sizeof line, "lane %d", (g->selection.lane + step + lanes) % lanes);
    screen_key_line(s, line);
    return true;
}

static bool run_view(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    (void)out;
    if (!s || !memory_show(s, gpudbg_args_rest(args), err)) return false;
    struct pane *memory = pane_named(s, "memory", err);
    if (!layout_place(&s->layout, memory)) {
        s->layout_chosen = true;
        if (!screen_layout(s, "memory", err)) return false;
    }
    screen_focus(s, memory);
    return true;
}

/* Rows as text, or as one record. */
static void picture_show(const struct screen *s, char *text, struct gpudbg_out *out)
{
    out_write(out, text, strlen(text));
    gpudbg_out_begin(out, "screenshot");
    gpudbg_out_number(out, "columns", s->cells->columns);
    gpudbg_out_number(out, "rows", s->cells->rows);
    gpudbg_out_array(out, "lines");
    for (char *save, *row = gpudbg_out_json(out) ? text : NULL, *end; row && *row; row = save) {
        end = row + strcspn(row, "\n");
        save = *end ? end + 1 : end;
        *end = 0;
        gpudbg_out_string(out, NULL, row);
    }
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

/* Text, SVG or HTML, by what the file's name ends in. */
static bool screenshot_draw(
    struct screen *s, const char *path, enum picture_ground ground, FILE *f, struct gpudbg_error *err)
{
    const char *end = path ? strrchr(path, '.') : NULL;
    void (*draw)(const struct cells *, const struct theme *, enum picture_ground, FILE *) = !end ? NULL
                                                                                            : !strcmp(end, ".svg")
                                                                                                ? picture_svg
                                                                                            : !strcmp(end, ".html")
                                                                                                ? picture_html
                                                                                                : NULL;
    if (!draw) return s->g->front.screenshot(s->g->front.data, f, err);
    screen_draw(s);
    if (!s->whole_paths) cells_mask_homes(s->cells);
    draw(s->cells, &s->theme, ground, f);
    return !ferror(f) || gpudbg_fail(err, "memory", "no memory for a picture of the screen");
}

static bool run_screenshot(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct screen *s = screen_of(g, err);
    const char *path = s ? gpudbg_args_word(args) : NULL, *ground;
    const bool whole = path && strcmp(path, "-p") == 0;
    if (whole) path = gpudbg_args_word(args);
    ground = path ? gpudbg_args_word(args) : NULL;
    char *text = NULL;
    size_t size = 0;
    if (!s || !args_end(args, err)) return false;
    if (!path && s->terminal) return gpudbg_fail(err, "usage", "screenshot: the name of a file is missing");
    if (ground && strcmp(ground, "dark") && strcmp(ground, "light"))
        return gpudbg_fail(err, "usage", "screenshot: the ground is dark or light, not '%s'", ground);
    FILE *f = open_memstream(&text, &size);
    s->whole_paths = whole;
    bool ok = f && screenshot_draw(s, path, ground && *ground == 'l' ? PICTURE_LIGHT : PICTURE_DARK, f, err);
    ok = f && fclose(f) == 0 && text && ok;
    if (ok && path)
        ok = save_bytes(path, text, size, &g->ticker, err);
    else if (ok)
        picture_show(s, text, out);
    else if (!err->kind)
        gpudbg_fail(err, "memory", "no memory for a picture of the screen");
    free(text);
    return ok;
}

static bool run_demo(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *name = gpudbg_args_word(args);
    if (name && !strcmp(name, "list")) return demo_list(g, out);
    return demo_open(g, name, out, err);
}

#define ROW(id, ...)                                    \
    static const struct gpudbg_command command_##id = { \
        .name = #id, .family = SCREEN_FAMILY, .run = run_##id, __VA_ARGS__}

ROW(layout, .usage = "[NAME|SPEC|=|default|next|prev]", .summary = "arrange the panes of the screen",
    .complete = complete_layout,
    .help =
        "NAME   a layout: code, lanes, memory, dump, log, hang, batch, split, src, region, declarations, origin,\n"
        "       origin-rows, strip, timeline, flow, picture, compare or welcome.  The pane of the same name gets the\n"
        "       keys.\n"
        "=      undo changes of the panes' sizes\n"
        "default   the layout that suits what is loaded, as at the start\n"
        "next, prev   gdb's layouts src, asm, split and regs, one after another\n"
        "SPEC   a layout of your own, such as\n"
        "           code:8/fields:5@44|lanes:9@35;prompt:5\n"
        "       ; separates bands, | separates the columns of a band, / separates the panes of a column.\n"
        "       :8 asks for 8 rows, @44 for 44 columns\n"
        "`help screen` lists the panes; every listing of `info` is one, too.");
ROW(focus, .usage = "next|previous|PANE", .summary = "choose the pane that receives the keys",
    .complete = complete_pane);
ROW(pane, .usage = "[PANE] ACTION [ARG]", .summary = "move, search or follow in a pane", .complete = complete_action,
    .help = "Without PANE: the pane with the focus, at the prompt the one that you came from.  `pane memory width 64`\n"
            "is about that pane, wherever you are.\n"
            "Move      up down left right page-up page-down half-up half-down scroll-up scroll-down top bottom,\n"
            "          row N, goto EXPR\n"
            "Sideways  scroll-left, scroll-right, wrap (break long rows, or stop that)\n"
            "Search    find TEXT, find-next, find-previous\n"
            "Follow    follow (a branch or a reference), back, here (where the wave is)\n"
            "Registers format LETTER, file NAME, file next, file previous\n"
            "Lanes     differing (key u: one lane for each set of values), pin (*: the selected lane comes first),\n"
            "          heat (H: a bar for each lane)\n"
            "Memory    width BYTES (of a row; 0: as many as fit), type TYPE (Y: rows are records; alone: no more),\n"
            "          compare BUFFER (K: mark what differs; alone: no more), segment + or - (keys ] and [)\n"
            "Past      origin [EXPR] (where a value comes from), operand N (the same of the N-th register of the\n"
            "          instruction), off (why the selected lane is off), copies");
ROW(winheight, .aliases = "wh", .usage = "[PANE] +N|-N|N", .summary = "make a pane taller or lower",
    .help = "Without PANE: the one with the focus.  N without a sign: to N rows.");
ROW(winwidth, .usage = "[PANE] +N|-N|N", .summary = "make the column of a pane wider or narrower",
    .help = "Without PANE: the one with the focus.  N without a sign: to N columns.");
ROW(zoom, .usage = "", .summary = "fill the screen with the pane that has the focus, and back");
ROW(refresh, .usage = "", .summary = "draw the whole screen again");
ROW(mouse, .usage = "on|off|click ROW COLUMN",
    .summary = "use the mouse on the screen, or leave it to the terminal, to copy text",
    .help =
        "`mouse click 3 10` is a click in row 3, column 10 of the screen, both counted from 0; `mouse wheel-up` and\n"
        "`mouse wheel-down` turn the wheel there.  A click moves the cursor and the focus; in the columns before an\n"
        "address of the code it sets or deletes a breakpoint, on a lane it selects the lane, and on the key bar it\n"
        "presses the key.");
ROW(theme, .usage = "[NAME]", .summary = "choose the colours: NAME is a file of share/themes",
    .complete = complete_theme,
    .help = "Without NAME: say which theme it is.\n"
            "default     for a dark terminal, with eight colours\n"
            "light       for a light one\n"
            "256         for a dark terminal with 256 colours\n"
            "plain       without colours\n"
            "At the start gpudbg takes light if COLORFGBG names a light background, else 256 if the terminal has 256\n"
            "colours, else default.\n"
            "Files of your own are in $XDG_CONFIG_HOME/gpudbg/themes.");
static const struct gpudbg_command command_set_theme = {.name = "set theme",
    .usage = "NAME",
    .summary = "choose the colours, as `theme` does",
    .family = SCREEN_FAMILY,
    .run = run_theme,
    .complete = complete_theme};
static const struct gpudbg_command command_show_theme = {.name = "show theme",
    .usage = "",
    .summary = "show which colours were chosen",
    .family = SCREEN_FAMILY,
    .run = run_show_theme};
ROW(keys, .usage = "", .summary = "show what every key does");
ROW(leave, .usage = "", .summary = "go back from the prompt to single keys");
ROW(key, .effect = GPUDBG_CHANGES, .usage = "KEY...", .summary = "press keys, by the names that `help keys` shows");
ROW(enter, .usage = "", .summary = "follow what is under the cursor, or go to the prompt");
ROW(type, .usage = "[TEXT]", .summary = "go to the prompt, with TEXT already typed");
ROW(edit, .usage = "", .summary = "change the instruction or the field under the cursor",
    .help = "The prompt gets the `patch` command that makes it what it is now; change its text and press Enter.");
ROW(attempt, .usage = "", .summary = "type `try` for the instruction under the cursor, with the values of now",
    .help = "The prompt gets `try` with the registers that the instruction reads; change them and press Enter.  What\n"
            "is launched stays as it is.  Registers that are not named, and memory, are those of the launch.");
ROW(follow, .usage = "", .summary = "show the memory or the image that the register under the cursor points to",
    .help =
        "It is an address, alone or with the register beside it; the first register of a descriptor; or an address\n"
        "in LDS, in the selected lane.");
ROW(toggle, .usage = "[off]", .summary = "set or delete the breakpoint under the cursor",
    .help = "`toggle off` disables it, or enables it again.");
ROW(pick, .usage = "wave|lane [next|previous|N]", .summary = "select the next wave or lane");
ROW(view, .usage = "EXPR", .summary = "show memory in the pane memory");
static const struct gpudbg_command command_screenshot = {.name = "screenshot",
    .family = "Files",
    .run = run_screenshot,
    .writes = true,
    .usage = "[-p] [FILE [dark|light]]",
    .complete = complete_file,
    .summary = "write a picture of the screen",
    .help =
        "FILE.svg and FILE.html get its colours, on a dark background or on a light one; any other file gets plain "
        "text.\n"
        "Home folders are shown as ~, because pictures are sent to others; with -p paths stay whole.  For recordings\n"
        "of the terminal, `set home-names off` does the same to the screen."};
static const struct gpudbg_command command_demo = {.name = "demo",
    .family = "Files",
    .effect = GPUDBG_CHANGES,
    .run = run_demo,
    .usage = "[NAME|list]",
    .summary = "open a demo kernel, launch it and stop at its entry"};

static const struct gpudbg_command *const commands[] = {
    &command_layout,
    &command_focus,
    &command_pane,
    &command_winheight,
    &command_winwidth,
    &command_zoom,
    &command_refresh,
    &command_mouse,
    &command_theme,
    &command_set_theme,
    &command_show_theme,
    &command_keys,
    &command_leave,
    &command_key,
    &command_enter,
    &command_type,
    &command_edit,
    &command_attempt,
    &command_follow,
    &command_toggle,
    &command_pick,
    &command_view,
    &command_screenshot,
    &command_demo,
    NULL,
};

static const struct gpudbg_listing *const listings[] = {&options_listing, NULL};

static COMMAND_FAMILY(screen_family, "screen", .commands = commands, .listings = listings);

bool screen_commands(struct gpudbg *g, struct gpudbg_error *err)
{
    return registry_add(g->registry, &screen_family, err);
}
