/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: diffrun, and diff of another file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "command/cmd_past.h"
#include "command/differences.h"
#include "past/cause.h"
#include "control/stop.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"

/* Launches, for itself alone; NULL with an error. */
static struct gpudbg_machine *launch_of(
    struct gpudbg *g, const struct gpudbg_image *image, const char *words, struct gpudbg_error *err)
{
    const struct launch_files files = {.base = g->running.base,
        .file = g->running.brought,
        .n = g->running.nbrought,
        .most = g->settings.memory_limit};
    if (!image->isa || !image->isa->run) {
        gpudbg_fail(err, "unsupported", "gpudbg decodes %s, but does not execute it",
            image->isa ? image->isa->name : image->path);
        return NULL;
    }
    struct gpudbg_launch *launch = launch_parse(image, words, &files, &g->ticker, err);
    const struct machine_options options = {.session = g,
        .history_budget = g->settings.history_budget,
        .ticker = &g->ticker,
        .threads = (unsigned)g->settings.threads,
        .memory = g->settings.memory_limit};
    return launch ? machine_new(&options, image, launch, err) : NULL;
}

static const char *end_word(const struct gpudbg_stop *stop)
{
    return stop->reason == GPUDBG_STOP_DONE ? NULL : stop->message[0] ? stop->message : "it did not end";
}

struct two {
    struct gpudbg *g;
    struct gpudbg_image *image[2]; /* [1] is its own where it is not the loaded one */
    struct gpudbg_machine *machine[2];
    struct compared side[2];
    struct comparison c;
    struct compared_register r;
};

/* The store of one side, with the value of its element after it; and then where that comes from. */
static bool show_side(
    struct two *t, int s, const struct gpudbg_bound *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg *g = t->g;
    const struct compared_store *store = &t->c.store[s];
    char where[200] = "", text[GPUDBG_PRINT] = "", value[PAST_TEXT] = "";
    unsigned char bytes[PAST_BYTES];
    struct difference_place e;
    difference_element(b, t->c.offset, &e);
    if (!machine_go(t->machine[s], store->there ? store->position + 1 : t->c.length[s], err)) {
        past_free(&e.place);
        return false;
    }
    if (past_read(&t->side[s].eval, &e.place, bytes, sizeof bytes))
        past_text(&t->side[s].eval, &e.place, bytes, PAST_HERE, value, sizeof value);
    if (store->there) image_where(t->image[s], store->pc, where, sizeof where);
    if (store->there) difference_insn(g, t->image[s], store->pc, text, sizeof text);
    ITEM(out, s ? "b" : "a",
        "  {which}: {value}[, position {position}, wave {wave}[, lane {lane}], {where}: {text}][{!position}, no such "
        "store]\n",
        TEXT("which", s ? "other" : "first"), STRING("value", value),
        IF(store->there, NUMBER("position", store->position)), IF(store->there, NUMBER("wave", store->wave)),
        IF(store->there && store->lane >= 0, NUMBER("lane", store->lane)), IF(store->there, HEX("pc", store->pc)),
        STRING("where", store->there ? where : NULL), STRING("text", store->there ? text : NULL));
    past_free(&e.place);
    return true;
}

static bool show_origin(
    struct two *t, int s, const struct gpudbg_bound *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct origin_want want = {.depth = 1, .rows = 40};
    struct gpudbg_image *loaded = t->g->loaded.image;
    struct difference_place e;
    size_t n;
    difference_element(b, t->c.offset, &e);
    const uint64_t to = t->c.store[s].there ? t->c.store[s].position + 1 : t->c.length[s];
    struct origin_node *node = NULL;
    if (machine_go(t->machine[s], to, err)) node = origin_of(&t->side[s].eval, e.name, &e.place, &want, &n, err);
    past_free(&e.place);
    if (!node) return false;
    gpudbg_out_print(out, "%s", s ? "origin in the other run:\n" : "origin in the first run:\n");
    t->g->loaded.image = t->image[s]; /* whose instructions the nodes name */
    past_show_origin(t->g, node, n, out);
    t->g->loaded.image = loaded;
    free(node);
    return true;
}

static const struct gpudbg_bound *bound_of(const struct two *t, int s)
{
    const struct gpudbg_launch *l = t->machine[s]->launch;
    for (size_t i = 0; i < l->nbound; i++) {
        const uint64_t base = l->bound[i].segment ? l->bound[i].segment->base : 0;
        if (l->bound[i].segment && t->c.store[s].addr - base < l->bound[i].segment->size) return &l->bound[i];
    }
    return t->c.bound;
}

static void show_register(struct two *t, struct gpudbg_out *out)
{
    const struct compared_register *r = &t->r;
    char name[64] = "", where[200], text[GPUDBG_PRINT];
    if (!r->found && !r->flow) return;
    if (r->found) gpudbg_register_name(&t->machine[0]->isa->files[r->file], r->index, name, sizeof name);
    image_where(t->image[0], r->pc, where, sizeof where);
    difference_insn(t->g, t->image[0], r->pc, text, sizeof text);
    RECORD(out, "register-difference-run",
        "[first register: ${name}[, lane {lane}] = {a}, {b} in the other run]"
        "[{!name}first difference: the runs go to different instructions]"
        "; position {position}, wave {wave}, {where}: {text}\n",
        STRING("name", r->found ? name : NULL), IF(r->found && r->lane >= 0, NUMBER("lane", r->lane)),
        IF(r->found, HEX("a", r->value[0])), IF(r->found, HEX("b", r->value[1])), NUMBER("position", r->position),
        NUMBER("wave", r->wave), HEX("pc", r->pc), STRING("where", where), STRING("text", text));
}

static void show_step(struct two *t, const struct cause_step *c, struct gpudbg_out *out)
{
    static const char *const words[] = {"value", "way", "lane", "order", "launch", "ended", "lost"};
    static const char *const notes[] = {NULL, "the wave goes on elsewhere in the other run",
        "the lane goes on in one run alone", "another wave goes on in the other run", NULL,
        "one of the runs ended before it wrote this", "where this comes from was not found"};
    char where[200], text[GPUDBG_PRINT], other[GPUDBG_PRINT];
    const bool insn = c->pc || c->how < CAUSE_LAUNCH;
    if (insn) image_where(t->image[0], c->pc, where, sizeof where);
    if (insn) difference_insn(t->g, t->image[0], c->pc, text, sizeof text);
    if (c->begins) difference_insn(t->g, t->image[1], c->pc, other, sizeof other);
    RECORD(out, "difference-step",
        "  [{name} = {a}, {b} in the other run]"
        "[{!name}before that][: position {position}, wave {wave}[, lane {lane}], {where}: {text}][; {note}][: {leaf}]"
        "[\n    they begin to differ here: the other run has {other_text}]\n",
        STRING("how", words[c->how]), STRING("name", *c->name ? c->name : NULL),
        STRING("a", *c->name ? c->value[0] : NULL), STRING("b", *c->name ? c->value[1] : NULL),
        IF(insn, NUMBER("position", c->position[0])), IF(insn, NUMBER("other_position", c->position[1])),
        IF(insn, NUMBER("wave", c->wave)), IF(insn && c->lane >= 0, NUMBER("lane", c->lane)),
        IF(insn, HEX("pc", c->pc)), STRING("where", insn ? where : NULL), STRING("text", insn ? text : NULL),
        STRING("note", notes[c->how]), STRING("leaf", *c->leaf ? c->leaf : NULL),
        STRING("other_text", c->begins ? other : NULL));
}

#define ROUNDS_FEW 5 /* so many steps alike are shown as the first, the last and a count */

/* How many steps from here on are the same instruction for the same place: rounds of a loop. */
static size_t rounds(const struct cause_step *step, size_t n)
{
    size_t like = 1;
    while (like < n && step[like].how == step->how && step[like].pc == step->pc && step[like].wave == step->wave &&
           !step[like].begins && strcmp(step[like].name, step->name) == 0)
        like++;
    return like;
}

/* From the store back to where the runs begin to differ. */
static bool show_cause(
    struct two *t, const struct gpudbg_bound *const b[2], struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct past_place place[2];
    uint64_t to[2];
    char name[160];
    size_t n;
    for (int s = 0; s < 2; s++) {
        struct difference_place e;
        difference_element(b[s], t->c.offset, &e);
        place[s] = e.place;
        if (!s) memcpy(name, e.name, sizeof name);
        to[s] = t->c.store[s].there ? t->c.store[s].position + 1 : t->c.length[s];
    }
    struct cause_step *step = cause_of(&t->side[0], &t->side[1], place, name, to, &n, err);
    if (!step) return false;
    gpudbg_out_print(out, "from there back to where they begin to differ:\n");
    for (size_t i = 0; i < n; i++) {
        const size_t like = gpudbg_out_json(out) ? 0 : rounds(step + i, n - i);
        show_step(t, &step[i], out);
        if (like < ROUNDS_FEW) continue;
        gpudbg_out_print(out, "  ... %zu more rounds of this instruction\n", like - 2);
        i += like - 2;
    }
    if (n >= CAUSE_STEPS) gpudbg_out_print(out, "  ... and on: the way is followed for %d steps\n", CAUSE_STEPS);
    free(step);
    return true;
}

static bool show_comparison(struct two *t, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct comparison *c = &t->c;
    const struct gpudbg_bound *b[2] = {NULL, NULL};
    struct difference_place e = {0};
    const bool ends_alike = c->end[0].reason == c->end[1].reason;
    *different = c->differ || c->found || !ends_alike || c->unlike;
    for (int s = 0; s < 2 && c->found; s++) b[s] = bound_of(t, s);
    if (c->found) difference_element(b[0], c->offset, &e);
    BEGIN(out, "run-difference",
        "[equal: {bytes} bytes of buffers hold the same after {length} and {other_length} instructions{same}\n]"
        "[{differ} of {bytes} bytes of buffers differ; {!same}the first store that differs is to {element}, byte "
        "{offset}[ (of the first {until} bytes only: there are too many stores)]\n]"
        "[the first run: {end}\n][the other run: {other_end}\n]"
        "[{unlike} is not compared: it has another size in the other run\n]",
        BOOL("equal", !*different), FLAG("same", !*different), NUMBER("bytes", c->bytes), NUMBER("differ", c->differ),
        NUMBER("length", c->length[0]), NUMBER("other_length", c->length[1]), STRING("end", end_word(&c->end[0])),
        STRING("other_end", end_word(&c->end[1])), STRING("unlike", c->unlike),
        STRING("element", c->found ? e.name : NULL), IF(c->found, NUMBER("offset", c->offset)),
        IF(c->limited, NUMBER("until", c->until + 1)));
    past_free(&e.place);
    bool good = true;
    for (int s = 0; s < 2 && c->found && good; s++) good = show_side(t, s, b[s], out, err);
    gpudbg_out_end(out);
    if (!good) return false;
    if (t->g->front.show && !gpudbg_out_json(out)) return true; /* the pane has the rest */
    show_register(t, out);
    for (int s = 0; s < 2 && c->found; s++)
        if (!show_origin(t, s, b[s], out, err)) return false;
    return !c->found || !difference_alike(t->image[0], t->image[1]) || show_cause(t, b, out, err);
}

static bool compare_two(struct two *t, bool all, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg *g = t->g;
    for (int s = 0; s < 2; s++) compared_open(&t->side[s], &g->eval, t->image[s], t->machine[s]);
    if (!compare_runs(&t->side[0], &t->side[1], all, g->settings.step_limit, &t->c, err)) return false;
    if (t->c.found && difference_alike(t->image[0], t->image[1])) {
        const uint64_t to = t->c.store[0].there ? t->c.store[0].position + 1 : t->c.length[0];
        if (!compare_registers(&t->side[0], &t->side[1], to, &t->r, err)) return false;
    }
    return show_comparison(t, different, out, err);
}

/* ---- Side by side ---- */

/* Two runs, where the first register differs, else where the first store does.  Takes over what they need. */
static bool runs_show(struct two *t, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct comparison *c = &t->c;
    struct sides as = {.of = SIDES_RUNS,
        .own = {true, true},
        .image = {t->image[0], t->image[1]},
        .machine = {t->machine[0], t->machine[1]},
        .alike = difference_alike(t->image[0], t->image[1])};
    const bool registers = t->r.found || t->r.flow;
    for (int s = 0; s < 2; s++) {
        as.position[s] = registers ? t->r.position : c->store[s].there ? c->store[s].position : c->length[s];
        as.wave[s] = registers ? t->r.wave : c->store[c->store[s].there ? s : !s].wave;
        difference_title(&as, s, s && as.alike ? "other" : !s && t->g->loaded.patched ? "patched" : "", t->image[s]);
    }
    as.stored = c->found;
    as.store_wave = c->store[!c->store[0].there].wave;
    for (int s = 0; c->found && s < 2; s++) {
        sides_element(&as.store, s, bound_of(t, s), c->offset);
        as.store_position[s] = c->store[s].there ? c->store[s].position + 1 : c->length[s];
    }
    t->machine[0] = t->machine[1] = NULL;
    t->image[1] = NULL;
    return difference_show(t->g, &as, false, out, err);
}

bool difference_of_runs(
    struct gpudbg *g, struct gpudbg_args *a, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct two t = {.g = g};
    bool all = strcmp(gpudbg_args_format(a), "all") == 0;
    const char *rest = gpudbg_args_rest(a), *words = NULL;
    char *path = NULL;
    bool plain = false;
    if (*gpudbg_args_format(a) && !all)
        return gpudbg_fail(err, "usage", "/%s: only /all is known", gpudbg_args_format(a));
    if (strncmp(rest, "/all", 4) == 0 && strchr(" \t", rest[4])) { /* alone; a path may begin so, too */
        gpudbg_args_word(a);
        rest = gpudbg_args_rest(a);
        all = true;
    }
    if (!eval_need_image(&g->eval, err)) return false;
    if (!g->running.launched)
        return gpudbg_fail(err, "no-launch", "nothing was launched yet: `launch` says what both runs do");
    if (strncmp(rest, "--", 2) != 0) {
        const char *word = args_need(a, "another file, -n, or -- and another launch", err);
        if (!word) return false;
        plain = strcmp(word, "-n") == 0;
        if (!plain) path = xstrdup(word);
        rest = gpudbg_args_rest(a);
    }
    if (strncmp(rest, "--", 2) == 0)
        words = rest + 2 + strspn(rest + 2, " \t");
    else if (*rest) {
        free(path);
        return gpudbg_fail(
            err, "usage", "\"%.60s\" is not expected here: write -- before the words of another launch", rest);
    }
    t.image[0] = g->loaded.image;
    t.image[1] = plain ? difference_unpatched(g, err) : path ? difference_file(g, path, err) : g->loaded.image;
    bool good = t.image[1] != NULL;
    good = good && (t.machine[0] = launch_of(g, t.image[0], g->running.launched, err)) != NULL;
    good = good &&
           (t.machine[1] = launch_of(g, t.image[1], words && *words ? words : g->running.launched, err)) != NULL;
    good = good && compare_two(&t, all, different, out, err);
    if (good && *different && g->front.show) good = runs_show(&t, out, err);
    for (int s = 0; s < 2; s++)
        if (t.machine[s]) machine_free(t.machine[s]);
    if (t.image[1] && t.image[1] != g->loaded.image) image_close(t.image[1]);
    free(path);
    return good;
}

static bool run_diffrun(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    bool different = false;
    const bool good = difference_of_runs(g, a, &different, out, err);
    return difference_ended(g, good, different, err);
}

static const struct gpudbg_command diffrun = {
    .name = "diffrun",
    .usage = "FILE [-- LAUNCH] | -n | -- LAUNCH | /all ...",
    .summary = "run two programs in the same way and print the first store in which they differ",
    .help = "Both runs repeat the latest launch, from its start, without changes that you made by hand.\n"
            "FILE       the other run is of this file: another compiler, optimisation or chip\n"
            "-n         the other run is of the loaded file without your patches\n"
            "-- LAUNCH  the other run is launched with these words: another argument or input\n"
            "/all       before one of these: compare stores to all bytes, not only to those that differ at the end\n"
            "Buffers are compared argument by argument.  gpudbg compares the first store to a byte in one run with\n"
            "the first store to it in the other run, then the second with the second, and so on.  It prints the first\n"
            "pair with different values, and the origin of both.  If both run the same code, but for patches, it\n"
            "prints the first register that differs, too, and the way from the store back through the inputs that\n"
            "differ, and the branches taken in one run alone, to the instruction where the runs begin to "
            "differ.\n" DIFFERENCE_STATUS,
    .family = "Time",
    .run = run_diffrun,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&diffrun, NULL};
COMMAND_FAMILY(cmd_diffrun, "runs", .summary = "two runs", .commands = commands);
