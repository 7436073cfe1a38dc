/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two of something: diffrun; diff of a buffer and a file, of two positions, of two waves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "command/cmd_past.h"
#include "command/sides.h"
#include "past/cause.h"
#include "past/compare.h"
#include "control/stop.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "image/overlay.h"
#include "machine/launch.h"
#include "machine/literal.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

enum { EQUAL, DIFFERENT, USAGE, NOT_READABLE }; /* exit status */

/* A comparison that could not be made decides the exit status, too. */
static bool ended(struct gpudbg *g, bool good, bool different, const struct gpudbg_error *err)
{
    static const char *const unreadable[] = {
        "missing", "io", "not-recognised", "truncated", "bad-offset", "unsupported"};
    int status = different ? DIFFERENT : EQUAL;
    if (!good) status = USAGE;
    for (size_t i = 0; !good && err->kind && i < sizeof unreadable / sizeof *unreadable; i++)
        if (strcmp(err->kind, unreadable[i]) == 0) status = NOT_READABLE;
    if (status > g->comparison) g->comparison = status;
    return good;
}

static void insn_line(struct gpudbg *g, const struct gpudbg_image *image, uint64_t pc, char *buf, size_t size)
{
    if (!code_text_at(image, pc, g->settings.syntax, buf, size)) snprintf(buf, size, "?");
}

/* ---- The place of an element of a buffer ---- */

struct element {
    struct past_place place;
    uint64_t index;
    bool typed;
    char name[160]; /* "c[645]", "c byte 12" */
};

/* The element that holds the byte at `offset`. */
static void element_of(const struct gpudbg_bound *b, uint64_t offset, struct element *e)
{
    struct literal_scalar scalar = {0, 4};
    const struct gpudbg_segment *s = b->segment;
    e->typed = b->param && b->param->type && literal_element(b->param->type, &scalar) && scalar.size <= 8;
    const unsigned size = e->typed && scalar.size ? scalar.size : 4;
    e->index = offset / size;
    const uint64_t start = e->index * size, n = s->size - start < size ? s->size - start : size;
    e->place = (struct past_place){.space = GPUDBG_GLOBAL, .size = n, .npieces = 1};
    e->place.piece = xalloc(sizeof *e->place.piece);
    *e->place.piece = (struct memory_piece){s->base + start, n};
    if (n == 1 || n == 2 || n == 4 || n == 8)
        e->place.type = (struct value_type){scalar.kind == 'f' && e->typed   ? VALUE_FLOAT
                                            : scalar.kind == 'i' && e->typed ? VALUE_SIGNED
                                                                             : VALUE_UNSIGNED,
            (uint8_t)(8 * n)};
    if (e->typed)
        text_put(e->name, sizeof e->name, "%s[%" PRIu64 "]", b->name, e->index);
    else
        text_put(e->name, sizeof e->name, "%s byte %" PRIu64, b->name, start);
}

#define LIKE 4 /* of so many bytes of code one may differ, and it is still the same program */

/* ---- diffrun ---- */

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

static struct load_options options_like(const struct gpudbg *g)
{
    const struct gpudbg_image *image = g->loaded.image;
    struct load_options o = {.isa = g->loaded.isa};
    if (strcmp(image->kind, "raw") != 0) return o;
    o.raw = true;
    o.isa = image->isa;
    o.base = image->nsections ? image->sections[0].addr : 0;
    for (size_t i = 1; i < image->nsections; i++)
        if (image->sections[i].addr < o.base) o.base = image->sections[i].addr;
    return o;
}

/* The loaded file without its patches. */
static struct gpudbg_image *unpatched(struct gpudbg *g, struct gpudbg_error *err)
{
    const struct load_options o = options_like(g);
    const struct loaded *l = &g->loaded;
    struct load_options plain = o;
    plain.isa = l->image->isa;
    if (!o.raw) plain.format = l->image->kind;
    struct gpudbg_image *image = session_image_from(g, l->image->path, l->image->bytes, l->image->size, &plain, err);
    bool good = image != NULL;
    for (size_t i = 0; i < l->nadded && good; i++) {
        uint8_t *bytes = malloc(l->added[i].size + 1);
        good = bytes || alloc_failed(err, l->added[i].size, l->added[i].name);
        if (good) image_overlay_original(l->image, l->added[i].addr, bytes, l->added[i].size);
        good = good && image_add_code(image, l->added[i].name, l->added[i].addr, bytes, l->added[i].size, err);
        free(bytes);
    }
    if (good) return image;
    if (image) image_close(image);
    return NULL;
}

static struct gpudbg_image *other_file(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    const struct load_options o = options_like(g);
    struct gpudbg_error why = {.offset = -1};
    size_t n;
    if (g->sealed) {
        gpudbg_fail(err, "not-now", "this session must not open files");
        return NULL;
    }
    char *bytes = gpudbg_read_file(g, path, UINT32_MAX, &n, &why);
    if (!bytes) {
        gpudbg_fail(err, why.kind, "%s: %s", path, why.message);
        return NULL;
    }
    struct gpudbg_image *image = session_image_from(g, path, (uint8_t *)bytes, n, &o, err);
    free(bytes);
    return image;
}

/* All code of two images is at the same addresses, and no more of it differs than what a few patches change. */
static bool like_code(const struct gpudbg_image *a, const struct gpudbg_image *b)
{
    uint64_t bytes = 0, differ = 0;
    if (a == b) return true;
    if (a->isa != b->isa || a->nsections != b->nsections) return false;
    for (size_t i = 0; i < a->nsections; i++) {
        const struct gpudbg_section *x = &a->sections[i], *y = &b->sections[i];
        if (!(x->flags & GPUDBG_CODE_BYTES)) continue;
        if (x->addr != y->addr || x->size != y->size || !x->bytes || !y->bytes) return false;
        for (uint64_t k = 0; k < x->size; k++) differ += x->bytes[k] != y->bytes[k];
        bytes += x->size;
    }
    return differ <= bytes / LIKE;
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
    struct element e;
    element_of(b, t->c.offset, &e);
    if (!machine_go(t->machine[s], store->there ? store->position + 1 : t->c.length[s], err)) {
        past_free(&e.place);
        return false;
    }
    if (past_read(&t->side[s].eval, &e.place, bytes, sizeof bytes))
        past_text(&t->side[s].eval, &e.place, bytes, value, sizeof value);
    if (store->there) image_where(t->image[s], store->pc, where, sizeof where);
    if (store->there) insn_line(g, t->image[s], store->pc, text, sizeof text);
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
    struct element e;
    size_t n;
    element_of(b, t->c.offset, &e);
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
    insn_line(t->g, t->image[0], r->pc, text, sizeof text);
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
        "one of the runs ended before it wrote this", "nobody knows why"};
    char where[200], text[GPUDBG_PRINT], other[GPUDBG_PRINT];
    const bool insn = c->pc || c->how < CAUSE_LAUNCH;
    if (insn) image_where(t->image[0], c->pc, where, sizeof where);
    if (insn) insn_line(t->g, t->image[0], c->pc, text, sizeof text);
    if (c->begins) insn_line(t->g, t->image[1], c->pc, other, sizeof other);
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
        struct element e;
        element_of(b[s], t->c.offset, &e);
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
    struct element e = {.typed = false};
    const bool ends_alike = c->end[0].reason == c->end[1].reason;
    *different = c->differ || c->found || !ends_alike || c->unlike;
    for (int s = 0; s < 2 && c->found; s++) b[s] = bound_of(t, s);
    if (c->found) element_of(b[0], c->offset, &e);
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
    return !c->found || !like_code(t->image[0], t->image[1]) || show_cause(t, b, out, err);
}

static bool compare_two(struct two *t, bool all, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg *g = t->g;
    for (int s = 0; s < 2; s++) compared_open(&t->side[s], &g->eval, t->image[s], t->machine[s]);
    if (!compare_runs(&t->side[0], &t->side[1], all, g->settings.step_limit, &t->c, err)) return false;
    if (t->c.found && like_code(t->image[0], t->image[1])) {
        const uint64_t to = t->c.store[0].there ? t->c.store[0].position + 1 : t->c.length[0];
        if (!compare_registers(&t->side[0], &t->side[1], to, &t->r, err)) return false;
    }
    return show_comparison(t, different, out, err);
}

/* ---- Side by side ---- */

static void sides_title(struct sides *t, int s, const char *what, const struct gpudbg_image *image)
{
    const char *slash = strrchr(image->path, '/');
    snprintf(t->title[s], sizeof t->title[s], "%.12s%s%.40s", what, *what ? " " : "", slash ? slash + 1 : image->path);
}

/* Opens the pane, if there is a screen; else their text is the answer, if `say`. */
static bool sides_show(
    struct gpudbg *g, const struct sides *as, bool say, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!sides_open(g, as, err)) return false;
    if (say) sides_print(g->sides, out);
    if (g->front.show) g->front.show(g->front.data, "compare");
    return true;
}

/* Two runs, where the first register differs, else where the first store does.  Takes over what they need. */
static bool runs_show(struct two *t, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct comparison *c = &t->c;
    struct sides as = {.of = SIDES_RUNS,
        .own = {true, true},
        .image = {t->image[0], t->image[1]},
        .machine = {t->machine[0], t->machine[1]},
        .alike = like_code(t->image[0], t->image[1])};
    const bool registers = t->r.found || t->r.flow;
    for (int s = 0; s < 2; s++) {
        as.position[s] = registers ? t->r.position : c->store[s].there ? c->store[s].position : c->length[s];
        as.wave[s] = registers ? t->r.wave : c->store[c->store[s].there ? s : !s].wave;
        sides_title(&as, s, s && as.alike ? "other" : !s && t->g->loaded.patched ? "patched" : "", t->image[s]);
    }
    as.stored = c->found;
    as.store_wave = c->store[!c->store[0].there].wave;
    for (int s = 0; c->found && s < 2; s++) {
        sides_element(&as.store, s, bound_of(t, s), c->offset);
        as.store_position[s] = c->store[s].there ? c->store[s].position + 1 : c->length[s];
    }
    t->machine[0] = t->machine[1] = NULL;
    t->image[1] = NULL;
    return sides_show(t->g, &as, false, out, err);
}

static bool diff_run(
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
    t.image[1] = plain ? unpatched(g, err) : path ? other_file(g, path, err) : g->loaded.image;
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
    const bool good = diff_run(g, a, &different, out, err);
    return ended(g, good, different, err);
}

/* ---- diff code FILE ---- */

/* The code of the loaded file and of another one; nothing runs. */
static bool diff_code(
    struct gpudbg *g, struct gpudbg_args *a, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *path = args_need(a, "another file, or -n", err);
    if (!path || !eval_need_image(&g->eval, err)) return false;
    struct sides as = {.of = SIDES_CODE, .image = {g->loaded.image, NULL}};
    char *copy = xstrdup(path);
    const bool plain = strcmp(copy, "-n") == 0;
    const char *kernel = gpudbg_args_word(a);
    if (kernel) snprintf(as.kernel, sizeof as.kernel, "%s", kernel);
    bool good = args_end(a, err) && (as.image[1] = plain ? unpatched(g, err) : other_file(g, copy, err)) != NULL;
    free(copy);
    for (int s = 0; good && s < 2; s++)
        if (!as.image[s]->isa)
            good = gpudbg_fail(err, "unsupported", "%s: gpudbg does not know its instruction set", as.image[s]->path);
    if (!good && as.image[1]) image_close(as.image[1]);
    for (int s = 0; good && s < 2; s++) sides_title(&as, s, s && plain ? "unpatched" : "", as.image[s]);
    good = good && sides_show(g, &as, true, out, err);
    *different = good && g->sides->ndiffer;
    return good;
}

/* ---- diff FILE arg N ---- */

static bool diff_buffer(struct gpudbg *g, const char *path, const char *which, bool *different, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval_need_machine(&g->eval, err);
    struct gpudbg_segment *s = m ? launch_buffer(m, which, err) : NULL;
    struct gpudbg_error why = {.offset = -1};
    const struct gpudbg_bound *b = NULL;
    size_t n;
    if (!s) return false;
    if (g->sealed) return gpudbg_fail(err, "not-now", "this session must not open files");
    uint8_t *want = (uint8_t *)gpudbg_read_file(g, path, UINT32_MAX, &n, &why);
    if (!want) return gpudbg_fail(err, why.kind, "%s: %s", path, why.message);
    for (size_t i = 0; i < m->launch->nbound; i++)
        if (m->launch->bound[i].segment == s) b = &m->launch->bound[i];
    const uint64_t both = n < s->size ? n : s->size;
    uint64_t first = both, bytes = n < s->size ? s->size - n : n - s->size;
    for (uint64_t i = both; i-- > 0;)
        if (want[i] != s->bytes[i]) first = i, bytes++;
    *different = bytes != 0;
    if (!b || first == both) {
        RECORD(out, "buffer-difference",
            "[{name}: equal to {file}, {bytes} bytes{same}\n][{name}: {bytes} bytes, and {file} has {expected}; the "
            "bytes "
            "that both have are equal\n]",
            STRING("name", s->name), STRING("file", path), BOOL("equal", !*different), FLAG("same", !*different),
            NUMBER("bytes", s->size), NUMBER("differ", bytes), IF(*different, NUMBER("expected", n)));
        free(want);
        return true;
    }
    struct element e;
    struct past_write w;
    bool found = false;
    char is[PAST_TEXT], wanted[PAST_TEXT], where[200], text[GPUDBG_PRINT];
    unsigned char now[PAST_BYTES] = {0}, then[PAST_BYTES] = {0};
    element_of(b, first, &e);
    const uint64_t start = e.place.piece->addr - s->base;
    memcpy(now, s->bytes + start, (size_t)e.place.size);
    memcpy(then, want + start, start + e.place.size <= n ? (size_t)e.place.size : (size_t)(n - start));
    free(want);
    past_text(&g->eval, &e.place, now, is, sizeof is);
    past_text(&g->eval, &e.place, then, wanted, sizeof wanted);
    const bool good = past_last(&g->eval, &e.place, &w, &found, err);
    past_free(&e.place);
    if (!good) return false;
    if (found) image_where(g->loaded.image, w.pc, where, sizeof where);
    if (found) insn_line(g, g->loaded.image, w.pc, text, sizeof text);
    const int lane = found && w.lanes ? __builtin_ctzll(w.lanes) : -1;
    RECORD(out, "buffer-difference",
        "{element} is {value}, {file} has {expected_value}; {differ} bytes differ\n"
        "[  written at position {position}, wave {wave}[, lane {lane}], {where}: {text}\n]"
        "[{!position}  no instruction has written it\n]",
        STRING("name", s->name), STRING("file", path), BOOL("equal", false), NUMBER("bytes", s->size),
        NUMBER("differ", bytes), NUMBER("offset", first), STRING("element", e.name), STRING("value", is),
        STRING("expected_value", wanted), IF(found, NUMBER("position", w.position)), IF(found, NUMBER("wave", w.wave)),
        IF(lane >= 0, NUMBER("lane", lane)), IF(found, HEX("pc", w.pc)), STRING("where", found ? where : NULL),
        STRING("text", found ? text : NULL));
    return true;
}

/* ---- diff positions, diff waves ---- */

struct listing_to {
    struct gpudbg *g;
    struct gpudbg_out *out;
    uint32_t wave[2];
    bool different;
};

static bool show_differing(
    void *to, unsigned file, unsigned index, int lane, const uint32_t *a, const uint32_t *b, size_t dwords)
{
    struct listing_to *t = to;
    char name[64];
    t->different = true;
    gpudbg_register_name(&t->g->running.machine->isa->files[file], index, name, sizeof name);
    for (size_t i = 0; i < dwords; i += 2) {
        const uint64_t x = a[i] | (i + 1 < dwords ? (uint64_t)a[i + 1] << 32 : 0);
        const uint64_t y = b[i] | (i + 1 < dwords ? (uint64_t)b[i + 1] << 32 : 0);
        if (x == y) continue;
        RECORD(t->out, "state-difference", "wave {wave}: ${name}[, lane {lane}][, dword {dword}]: {a}, {b}\n",
            NUMBER("wave", t->wave[0]), IF(t->wave[0] != t->wave[1], NUMBER("other_wave", t->wave[1])),
            STRING("name", name), IF(lane >= 0, NUMBER("lane", lane)), IF(dwords > 2, NUMBER("dword", i)), HEX("a", x),
            HEX("b", y));
    }
    return !out_broken(t->out);
}

static bool take_two(struct gpudbg_args *a, uint64_t *p, uint64_t *q, struct gpudbg_error *err)
{
    return gpudbg_args_number(a, p, err) && gpudbg_args_number(a, q, err) && args_end(a, err);
}

/* Two states of the session's machine, as text or in the pane. */
static bool states_show(
    struct gpudbg *g, const struct sides *as, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!sides_open(g, as, err)) return false;
    const struct sides *t = g->sides;
    *different = t->nvalues || t->pc[0] != t->pc[1];
    if (*different) {
        sides_print(g->sides, out);
        if (g->front.show) g->front.show(g->front.data, "compare");
        return true;
    }
    if (as->of == SIDES_WAVES)
        gpudbg_out_print(out, "equal: the registers of waves %" PRIu32 " and %" PRIu32 "\n", as->wave[0], as->wave[1]);
    else
        gpudbg_out_print(out, "equal: memory and wave %" PRIu32 " at positions %" PRIu64 " and %" PRIu64 "\n",
            as->wave[0], as->position[0], as->position[1]);
    return true;
}

static bool diff_waves(
    struct gpudbg *g, struct gpudbg_args *a, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval_need_machine(&g->eval, err);
    uint64_t n[2];
    struct gpudbg_wave *w[2];
    if (!m || !take_two(a, &n[0], &n[1], err)) return false;
    for (int i = 0; i < 2; i++) {
        if (n[i] >= m->nwaves)
            return gpudbg_fail(
                err, "out-of-range", "there is no wave %" PRIu64 ": the launch has waves 0 to %u", n[i], m->nwaves - 1);
        if (!(w[i] = machine_wave(m, (uint32_t)n[i], err))) return false;
    }
    struct listing_to t = {g, out, {(uint32_t)n[0], (uint32_t)n[1]}, false};
    const uint64_t now = machine_position(m);
    const struct sides as = {.of = SIDES_WAVES,
        .image = {g->loaded.image, g->loaded.image},
        .machine = {m, m},
        .alike = true,
        .position = {now, now},
        .wave = {(uint32_t)n[0], (uint32_t)n[1]}};
    if (!gpudbg_out_json(out)) return states_show(g, &as, different, out, err);
    if (w[0]->pc != w[1]->pc)
        RECORD(out, "state-difference", "wave {wave}: ${name}: {a}, {b}\n", NUMBER("wave", n[0]),
            NUMBER("other_wave", n[1]), STRING("name", "pc"), HEX("a", w[0]->pc), HEX("b", w[1]->pc));
    compare_waves(w[0], w[1], show_differing, &t);
    *different = t.different || w[0]->pc != w[1]->pc;
    if (!*different) gpudbg_out_print(out, "equal: the registers of waves %" PRIu64 " and %" PRIu64 "\n", n[0], n[1]);
    return true;
}

/* What a machine held: memory of buffers, and the registers of one wave. */
struct held {
    uint8_t **bytes;
    size_t n;
    struct gpudbg_wave wave;
};

static void hold(struct gpudbg_machine *m, uint32_t wave, struct held *h)
{
    struct gpudbg_error ignored = {0};
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    *h = (struct held){.n = space->count, .bytes = xcalloc(space->count, sizeof *h->bytes)};
    for (size_t i = 0; i < h->n; i++) {
        if (space->segment[i]->flags & GPUDBG_SEG_READONLY) continue;
        if ((h->bytes[i] = malloc((size_t)space->segment[i]->size + 1)))
            memcpy(h->bytes[i], space->segment[i]->bytes, (size_t)space->segment[i]->size);
    }
    const struct gpudbg_wave *w = machine_wave(m, wave, &ignored);
    if (!w) return;
    h->wave = *w;
    h->wave.words = aligned_alloc(64, ((size_t)m->wave_words * 4 + 127) & ~(size_t)63);
    if (h->wave.words) memcpy(h->wave.words, w->words, (size_t)m->wave_words * 4);
}

static void held_free(struct held *h)
{
    for (size_t i = 0; i < h->n; i++) free(h->bytes[i]);
    free(h->bytes);
    free(h->wave.words);
}

static void show_memory(struct listing_to *t, const struct held *h)
{
    const struct gpudbg_space *space = &t->g->running.machine->space[GPUDBG_GLOBAL];
    for (size_t i = 0; i < h->n && i < space->count; i++) {
        const struct gpudbg_segment *s = space->segment[i];
        uint64_t first = 0, n = 0;
        for (uint64_t k = 0; h->bytes[i] && k < s->size; k++) {
            if (h->bytes[i][k] == s->bytes[k]) continue;
            if (!n++) first = k;
        }
        if (!n) continue;
        t->different = true;
        RECORD(t->out, "state-difference", "{name}: {bytes} bytes differ, the first is byte {offset}: {a}, {b}\n",
            STRING("name", s->name), NUMBER("bytes", n), NUMBER("offset", first), HEX("a", h->bytes[i][first]),
            HEX("b", s->bytes[first]));
    }
}

/* What differs between the two positions; leaves the machine anywhere. */
static bool show_positions(struct listing_to *t, uint64_t p, uint64_t q, struct gpudbg_error *err)
{
    struct gpudbg *g = t->g;
    struct gpudbg_machine *m = g->running.machine;
    struct gpudbg_error ignored = {.offset = -1};
    struct held h = {0};
    if (!machine_go(m, p, err)) return false;
    hold(m, g->selection.wave, &h);
    if (!machine_go(m, q, err)) {
        held_free(&h);
        return false;
    }
    struct gpudbg_wave *w = machine_wave(m, g->selection.wave, &ignored);
    if (w && h.wave.words && w->pc != h.wave.pc) {
        t->different = true;
        RECORD(t->out, "state-difference", "wave {wave}: ${name}: {a}, {b}\n", NUMBER("wave", g->selection.wave),
            STRING("name", "pc"), HEX("a", h.wave.pc), HEX("b", w->pc));
    }
    if (w && h.wave.words) compare_waves(&h.wave, w, show_differing, t);
    if (!w || !h.wave.words)
        gpudbg_out_print(t->out, "wave %u has no registers at one of the positions\n", g->selection.wave);
    show_memory(t, &h);
    held_free(&h);
    return true;
}

static bool diff_positions(
    struct gpudbg *g, struct gpudbg_args *a, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval_need_machine(&g->eval, err);
    uint64_t p, q;
    if (!m || !take_two(a, &p, &q, err)) return false;
    const uint64_t now = machine_position(m), recorded = machine_recorded(m);
    if (p > recorded || q > recorded)
        return gpudbg_fail(err, "out-of-range", "position %" PRIu64 " is not recorded: positions are 0 to %" PRIu64,
            p > recorded ? p : q, recorded);
    const struct sides as = {.of = SIDES_POSITIONS,
        .image = {g->loaded.image, g->loaded.image},
        .machine = {m, m},
        .alike = true,
        .position = {p, q},
        .wave = {g->selection.wave, g->selection.wave}};
    if (!gpudbg_out_json(out)) return states_show(g, &as, different, out, err);
    const struct gpudbg_stop stop = m->stop;
    struct listing_to t = {g, out, {g->selection.wave, g->selection.wave}, false};
    const bool good = show_positions(&t, p, q, err);
    machine_come_back(m, now);
    m->stop = stop;
    if (!good) return false;
    *different = t.different;
    if (!t.different)
        gpudbg_out_print(
            out, "equal: memory and wave %u at positions %" PRIu64 " and %" PRIu64 "\n", g->selection.wave, p, q);
    return true;
}

/* false: the line names a buffer in place of the file; the error says the right form. */
static bool buffer_first(const struct gpudbg *g, const char *rest, struct gpudbg_error *err)
{
    const size_t n = strcspn(rest, " \t");
    const char *file = rest + n + strspn(rest + n, " \t");
    const struct gpudbg_launch *launch = g->running.machine ? g->running.machine->launch : NULL;
    for (size_t i = 0; launch && i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        if (!b->segment || !b->name || strlen(b->name) != n || strncmp(b->name, rest, n) != 0) continue;
        if (*file && strncmp(file, "--", 2) != 0)
            return gpudbg_fail(err, "usage", "the file comes first: diff %.100s arg %s", file, b->name);
        if (access(b->name, R_OK) != 0)
            return gpudbg_fail(err, "usage", "%s is a buffer; the file to compare it with is missing: diff FILE arg %s",
                b->name, b->name);
    }
    return true;
}

static bool diff_something(
    struct gpudbg *g, struct gpudbg_args *a, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a);
    const bool positions = strncmp(rest, "positions ", 10) == 0, waves = strncmp(rest, "waves ", 6) == 0;
    if (!*rest) return gpudbg_fail(err, "usage", "diff: a file, `positions P Q` or `waves A B` is missing");
    const char *arg = strstr(rest, " arg ");
    if (*gpudbg_args_format(a) && (positions || waves || arg))
        return gpudbg_fail(err, "usage", "/%s: only two runs are compared with a format", gpudbg_args_format(a));
    const bool code = strncmp(rest, "code ", 5) == 0;
    if (positions || waves || code) gpudbg_args_word(a);
    if (code) return diff_code(g, a, different, out, err);
    if (positions) return diff_positions(g, a, different, out, err);
    if (waves) return diff_waves(g, a, different, out, err);
    if (!arg && !buffer_first(g, rest, err)) return false;
    if (!arg) return diff_run(g, a, different, out, err);
    const char *word = gpudbg_args_word(a);
    char *path = xstrdup(word ? word : "");
    gpudbg_args_word(a);
    const char *which = args_need(a, "the argument", err);
    const bool good = which && args_end(a, err) && diff_buffer(g, path, which, different, out, err);
    free(path);
    return good;
}

static bool run_diff(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    bool different = false;
    const bool good = diff_something(g, a, &different, out, err);
    return ended(g, good, different, err);
}

#define STATUS                                                                                                       \
    "With --batch the exit status is 0 if all is equal, 1 if something differs, 2 if the command is wrong, 3 if a\n" \
    "file cannot be read."

static const struct gpudbg_command diffrun = {
    .name = "diffrun",
    .usage = "FILE [-- LAUNCH] | -n | -- LAUNCH | /all ...",
    .summary = "run two programs in the same way and print the first store in which they differ",
    .help =
        "Both runs make the latest launch, from its start, without changes that you made by hand.\n"
        "FILE       the other run is of this file: another compiler, optimisation or chip\n"
        "-n         the other run is of the loaded file without your patches\n"
        "-- LAUNCH  the other run is launched with these words: another argument or input\n"
        "/all       before one of these: compare stores to all bytes, not only to those that differ at the end\n"
        "Buffers are compared argument by argument.  gpudbg compares the first store to a byte in one run with\n"
        "the first store to it in the other run, then the second with the second, and so on.  It prints the first\n"
        "pair with different values, and the origin of both.  If both run the same code, but for patches, it\n"
        "prints the first register that differs, too, and the way from the store back through the inputs that\n"
        "differ, and the branches taken in one run alone, to the instruction where the runs begin to differ.\n" STATUS,
    .family = "Time",
    .run = run_diffrun,
    .complete = complete_file,
};

static const struct gpudbg_command diff = {
    .name = "diff",
    .usage =
        "FILE arg N | positions P Q | waves A B | code FILE|-n [KERNEL] | FILE [-- LAUNCH] | /all FILE [-- LAUNCH]",
    .summary = "compare a buffer with a file, two positions in time, two waves, or two runs",
    .help = "FILE arg N     the buffer of argument N (a number from 0, or a name) with the bytes of a file: the first\n"
            "               element that is wrong, and the instruction that wrote it\n"
            "positions P Q  registers of the selected wave, and memory\n"
            "waves A B      registers of two waves, now\n"
            "code FILE      the loaded code and that of another file (-n: of the file without your patches), rows\n"
            "               aligned; nothing needs to run\n"
            "FILE           as `diffrun FILE`, also with /all\n"
            "A register or a buffer that differs is a line: the first lane or element that does, its two values, and\n"
            "how many more.  On the screen these open the pane compare (`help screen`), where both sides move in lock\n"
            "step.\n" STATUS,
    .family = "Time",
    .run = run_diff,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&diffrun, &diff, NULL};
COMMAND_FAMILY(cmd_diff, "differences", .summary = "two of something", .commands = commands);
