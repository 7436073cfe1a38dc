/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export: pictures and reports to send to others, as SVG, HTML, Graphviz's dot and PNG. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/save.h"
#include "base/sent.h"
#include "code/records.h"
#include "code/walk.h"
#include "command/cmd_picture.h"
#include "control/profile.h"
#include "eval/location.h"
#include "flow/graph.h"
#include "flow/lives.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"
#include "out/out.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

/* Leaves home folders out, which may hold the name of a person. */
static void hide_homes(char *text)
{
    size_t at = 0, n;
    while ((n = sent_home_in(text, &at))) {
        text[at] = '~';
        memmove(text + at + 1, text + at + n, strlen(text + at + n) + 1);
        at++;
    }
}

/* What a command prints; malloc'ed.  An error is its text. */
static char *printed(struct gpudbg *g, const char *line)
{
    struct gpudbg_out *out = out_memory(false);
    struct gpudbg_error err = {.offset = -1};
    const bool good = gpudbg_execute(g, line, out, &err);
    if (!good) gpudbg_out_print(out, "(%s)\n", err.message);
    char *text = out_taken(out, NULL);
    out_close(out);
    if (text) hide_homes(text);
    return text ? text : xstrdup("");
}

static bool place_of(struct gpudbg *g, const char *args, uint64_t *addr, struct gpudbg_error *err)
{
    if (!g->loaded.image || !g->loaded.image->isa)
        return gpudbg_fail(err, "no-file", "no file is loaded, or its instruction set is not known");
    if (*args) return location_addr(&g->eval, args, addr, err);
    *addr = location_code(&g->eval);
    return true;
}

static void code_of(const struct gpudbg *g, uint64_t addr, char *buf, size_t size)
{
    code_text_at(g->loaded.image, addr, g->settings.syntax, buf, size);
}

/* ---- Fields of an instruction ---- */

#define BIT 26.0

static bool draw_fields(struct gpudbg *g, const char *args, struct drawing *d, struct gpudbg_error *err)
{
    struct gpudbg_insn insn;
    struct gpudbg_field_iter it;
    char text[600];
    uint64_t addr;
    if (!place_of(g, args, &addr, err)) return false;
    if (!insn_at(g->loaded.image, addr, &insn))
        return gpudbg_fail(err, "out-of-range", "no instruction is at 0x%" PRIx64, addr);
    code_of(g, addr, text, sizeof text);
    drawing_text(d, 0, 14, DRAW_mark, text);
    const unsigned words = (insn.size * 8 + 31) / 32, shown = words < 16 ? words : 16;
    gpudbg_insn_fields(&it, &insn);
    while (gpudbg_next_field(&it)) {
        unsigned lo, hi;
        if (it.derived) continue;
        field_ends(&it, &lo, &hi);
        for (unsigned row = lo / 32; row <= hi / 32 && row < shown; row++) { /* what spans words is cut there */
            const unsigned from = lo > row * 32 ? lo - row * 32 : 0, to = hi < row * 32 + 31 ? hi - row * 32 : 31;
            const double x = (31 - to) * BIT, w = (to - from + 1) * BIT, y = 30 + row * 52;
            drawing_rect(d, x, y, w, 24, DRAW_box);
            snprintf(text, sizeof text, "%.*s", (int)(w / DRAWING_CHAR) - 1, it.field->name);
            drawing_text(d, x + 3, y + 16, DRAW_ink, text);
            snprintf(text, sizeof text, "%u", to + row * 32);
            drawing_text(d, x + 1, y + 37, DRAW_dim, text);
        }
    }
    snprintf(text, sizeof text, "disassemble /f 0x%" PRIx64 ",+1", addr);
    char *lines = printed(g, text);
    drawing_lines(d, 0, 30 + shown * 52 + 4, lines);
    free(lines);
    return true;
}

/* ---- The flow graph ---- */

static void dot_flow(struct gpudbg *g, const struct graph *graph, FILE *to)
{
    char text[300];
    fprintf(to, "digraph flow {\n  node [shape=box fontname=monospace];\n");
    for (uint32_t i = 0; i < graph->nblocks; i++) {
        const struct graph_block *b = &graph->block[i];
        code_of(g, b->last, text, sizeof text);
        fprintf(to, "  b%" PRIu32 " [label=\"%" PRIu32 "  %04" PRIx64 "-%04" PRIx64 "  %" PRIu32 " insns\\l", i,
            b->number, b->addr, b->end, b->ninsns);
        for (const char *c = text; *c; c++)
            if (*c == '"' || *c == '\\')
                fprintf(to, "\\%c", *c);
            else if ((unsigned char)*c >= ' ')
                fputc(*c, to);
        fprintf(to, "\\l\"];\n");
    }
    for (uint32_t e = 0; e < graph->nedges; e++)
        fprintf(to, "  b%" PRIu32 " -> b%" PRIu32 "%s;\n", graph->edge[e].from, graph->edge[e].to,
            graph->edge[e].back ? " [constraint=false color=\"#b35900\"]" : "");
    fprintf(to, "}\n");
}

#define BOX_W 520.0
#define BOX_H 40.0
#define BOX_STEP 58.0
#define LANE 12.0

static void draw_edge(struct drawing *d, const struct graph *graph, const struct graph_edge *e)
{
    const double left = graph->lanes * LANE + 20, from = e->from * BOX_STEP + BOX_H - 8, to = e->to * BOX_STEP + 10;
    const double x = left - 10 - (e->lane + 1) * LANE;
    const enum drawing_class class = e->back ? DRAW_back : DRAW_edge;
    if (e->lane < 0) {
        const double down[] = {left + 30, e->from * BOX_STEP + BOX_H, left + 30, e->to * BOX_STEP};
        drawing_path(d, down, 2, class);
        return;
    }
    const double way[] = {left, from, x, from, x, to, left, to},
                 head[] = {left - 6, to - 4, left, to, left - 6, to + 4};
    drawing_path(d, way, 4, class);
    drawing_path(d, head, 3, class);
}

static bool draw_flow(struct gpudbg *g, const char *args, struct drawing *d, struct gpudbg_error *err)
{
    uint64_t addr;
    struct profile p = {.place = NULL};
    char text[400];
    if (!place_of(g, args, &addr, err)) return false;
    struct graph *graph = graph_new(g->loaded.image, addr, err);
    if (!graph) return false;
    struct gpudbg_error unsaid = {0};
    uint64_t most = 0;
    if (g->running.machine && !profile_take(&g->control, &p, &unsaid)) p = (struct profile){.place = NULL};
    for (size_t i = 0; i < p.count; i++)
        if (p.place[i].executed > most) most = p.place[i].executed;
    struct gpudbg_wave *wave = gpudbg_session_wave(g);
    const double left = graph->lanes * LANE + 20;
    for (uint32_t i = 0; i < graph->nblocks; i++) {
        const struct graph_block *b = &graph->block[i];
        const double y = i * BOX_STEP;
        uint64_t executed = 0;
        for (size_t k = 0; k < p.count; k++)
            if (p.place[k].pc == b->addr) executed = p.place[k].executed;
        const bool here = wave && wave->pc - b->addr < b->end - b->addr;
        drawing_rect(d, left, y, BOX_W, BOX_H, here ? DRAW_here : DRAW_box);
        if (executed && most)
            drawing_rect(d, left + BOX_W - 64, y + 4, 60.0 * (double)executed / (double)most, 8, DRAW_hot);
        snprintf(text, sizeof text, "%" PRIu32 "  %04" PRIx64 "-%04" PRIx64 "  %" PRIu32 " instruction%s%s%s",
            b->number, b->addr, b->end, b->ninsns, b->ninsns == 1 ? "" : "s", b->header ? "  loop" : "",
            here ? "  the wave is here" : "");
        drawing_text(d, left + 6, y + 15, DRAW_mark, text);
        code_of(g, b->last, text, sizeof text);
        drawing_text(d, left + 6, y + 31, DRAW_ink, text);
    }
    for (uint32_t e = 0; e < graph->nedges; e++) draw_edge(d, graph, &graph->edge[e]);
    profile_free(&p);
    graph_free(graph);
    return true;
}

/* ---- Live registers over the code ---- */

static bool draw_live(struct gpudbg *g, const char *args, struct drawing *d, struct gpudbg_error *err)
{
    uint64_t addr;
    char text[300];
    if (!place_of(g, args, &addr, err)) return false;
    struct lives *l = lives_new(g->loaded.image, addr, err);
    if (!l) return false;
    const struct gpudbg_symbol *s = gpudbg_image_symbol_at(g->loaded.image, addr);
    uint32_t first = 0, end = l->n, peak = 0;
    while (s && s->size && first < l->n && l->addr[first] < s->addr) first++;
    for (end = first; end < l->n && (!s || !s->size || l->addr[end] < s->addr + s->size);) end++;
    peak = first;
    for (uint32_t i = first; i < end; i++)
        if (l->at[i].vector > l->at[peak].vector) peak = i;
    const double step = end - first > 300 ? 3 : 6, scale = 4;
    const double top = 30, high = scale * (end > first ? l->at[peak].vector : 1);
    code_of(g, end > first ? l->addr[peak] : addr, text, sizeof text);
    drawing_text(d, 0, 14, DRAW_mark, s ? s->name : "code");
    for (uint32_t i = first; i < end; i++) {
        const double h = scale * l->at[i].vector, x = (i - first) * step;
        drawing_rect(d, x, top + high - h, step - 1, h, l->at[i].vector == l->at[peak].vector ? DRAW_hot : DRAW_cold);
        drawing_rect(d, x, top + high + 6, step - 1, scale * l->at[i].scalar / 2, DRAW_off);
    }
    char line[500];
    snprintf(line, sizeof line, "%u vector registers alive at most, at 0x%" PRIx64 ": %s",
        end > first ? (unsigned)l->at[peak].vector : 0, end > first ? l->addr[peak] : addr, text);
    drawing_text(d, 0, d->height + DRAWING_LINE + 6, DRAW_ink, line);
    drawing_text(d, 0, d->height + DRAWING_LINE, DRAW_dim,
        "above: vector registers, an instruction a bar, the peak is highlighted; below: scalar registers");
    lives_free(l);
    return true;
}

/* ---- Lanes of the selected wave ---- */

static bool draw_lanes(struct gpudbg *g, const char *args, struct drawing *d, struct gpudbg_error *err)
{
    struct machine_wave_info info;
    char text[200];
    (void)args;
    if (!eval_need_machine(&g->eval, err)) return false;
    machine_wave_info(g->running.machine, g->selection.wave, &info);
    snprintf(
        text, sizeof text, "wave %" PRIu32 ": %d lanes execute", g->selection.wave, __builtin_popcountll(info.active));
    drawing_text(d, 0, 14, DRAW_mark, text);
    for (unsigned i = 0; i < g->running.machine->lanes; i++) {
        const double x = (i % 16) * 34, y = 24 + i / 16 * 30;
        drawing_rect(d, x, y, 30, 26, info.active >> i & 1 ? DRAW_on : info.lanes >> i & 1 ? DRAW_off : DRAW_page);
        snprintf(text, sizeof text, "%u", i);
        drawing_text(d, x + 6, y + 17, DRAW_ink, text);
    }
    return true;
}

/* ---- Text of a command ---- */

static bool draw_command(struct gpudbg *g, const char *command, const char *args, struct drawing *d)
{
    char line[1200];
    snprintf(line, sizeof line, "%s%s%s", command, *args ? " " : "", args);
    char *text = printed(g, line);
    drawing_lines(d, 0, 0, text);
    free(text);
    return true;
}

/* ---- What can be exported ---- */

typedef bool draw_fn(struct gpudbg *, const char *args, struct drawing *, struct gpudbg_error *);
typedef void page_fn(struct gpudbg *, FILE *);
static page_fn put_report;

/* X(name, words behind it, padded for the help, formats, how it is drawn, or the command whose text is the picture, or
 * how the whole page is written, what it is). */
/* clang-format off */
#define WHATS(X) \
    X("fields", " [PLACE]  ", "svg, html, png", draw_fields, NULL, NULL, "the fields of an instruction") \
    X("flow", " [PLACE]    ", "svg, html, dot, png", draw_flow, NULL, NULL, \
        "the blocks of a function and the edges between them") \
    X("live", " [PLACE]    ", "svg, html, png", draw_live, NULL, NULL, \
        "how many registers are alive at each instruction of a function") \
    X("lanes", "           ", "svg, html, png", draw_lanes, NULL, NULL, "the lanes of the selected wave") \
    X("region", " [PLACE]  ", "svg, html, png", NULL, "print region", NULL, \
        "which bytes of registers an instruction reads and writes") \
    X("timeline", "        ", "svg, html, png", NULL, "info timeline", NULL, "waves over recorded time") \
    X("strip", "           ", "svg, html, png", NULL, "info strip", NULL, "all waves by lanes") \
    X("explain", "         ", "svg, html, png", NULL, "explain", NULL, "what the open dumps mean") \
    X("image", " IMAGE ... ", "svg, html, png", picture_draw, NULL, NULL, \
        "an image in memory, as `save image` takes it") \
    X("report", "          ", "html", NULL, NULL, put_report, \
        "the session on one page: code with profile and live registers, findings, pictures")
/* clang-format on */

struct what {
    const char *name, *formats;
    draw_fn *draw;
    const char *command;
    page_fn *page;
};
#define X(name, words, formats, draw, command, page, what) {name, formats, draw, command, page},
static const struct what whats[] = {WHATS(X)};
#undef X

static bool has_format(const struct what *w, const char *format)
{
    const char *at = strstr(w->formats, format);
    return at && strcspn(at, ", ") == strlen(format);
}

static const struct {
    const char *title, *command;
    bool launched, dumped; /* only if something is */
    bool pictures;         /* behind it */
} sections[] = {
    {"File", "info file", false, false, false},
    {"Kernels", "info kernels", false, false, true},
    {"Occupancy", "info occupancy", false, false, false},
    {"Waves", "info where", true, false, false},
    {"Findings of checkers", "info checks", false, false, false},
    {"What the dumps mean", "explain", false, true, false},
    {"Cost, by the model", "info issue", true, false, false},
    {"Waves over time", "info timeline", true, false, false},
    {"Where it ran", "info profile", true, false, false},
    {"Loops", "info loops", false, false, false},
    {"Code and the lives of its registers", "disassemble /l", false, false, false},
};

static void page_begin(FILE *to, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width\"><title>",
        to);
    drawing_escape(to, title);
    fputs("</title>\n<style>", to);
    drawing_style(to);
    fputs("body{background:var(--page);color:var(--ink);font:15px/1.45 system-ui,sans-serif;"
          "max-width:1100px;margin:2em auto;padding:0 1em}pre{font:12px/1.4 ui-monospace,'DejaVu Sans Mono',monospace;"
          "overflow-x:auto;background:var(--box);padding:.8em;border-radius:4px}h2{margin-top:2em}</style></"
          "head><body>\n<h1>",
        to);
    drawing_escape(to, title);
    fputs("</h1>\n", to);
}

static void put_picture(struct gpudbg *g, FILE *to, const char *title,
    bool (*draw)(struct gpudbg *, const char *, struct drawing *, struct gpudbg_error *), const char *args)
{
    struct drawing d;
    struct gpudbg_error unsaid = {0};
    drawing_open(&d);
    if (draw(g, args, &d, &unsaid)) {
        fprintf(to, "<h2>%s</h2>\n", title);
        drawing_svg(&d, to, 0);
    }
    drawing_close(&d);
}

static void put_report(struct gpudbg *g, FILE *to)
{
    const struct gpudbg_image *image = g->loaded.image;
    page_begin(to, image ? sent_name(image->path) : "gpudbg");
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if ((sections[i].launched && !g->running.machine) || (sections[i].dumped && !g->loaded.ndumps)) continue;
        if (!image && !sections[i].dumped) continue;
        char *text = printed(g, sections[i].command);
        fprintf(to, "<h2>%s</h2>\n<pre>", sections[i].title);
        drawing_escape(to, text);
        fputs("</pre>\n", to);
        free(text);
        if (!sections[i].pictures || !image || !image->isa) continue;
        put_picture(g, to, "Live registers", draw_live, "");
        put_picture(g, to, "Flow", draw_flow, "");
        if (g->running.machine) put_picture(g, to, "Lanes", draw_lanes, "");
    }
    fputs("</body></html>\n", to);
}

static bool dot_place(struct gpudbg *g, const char *args, FILE *to, struct gpudbg_error *err)
{
    uint64_t addr;
    struct graph *graph = place_of(g, args, &addr, err) ? graph_new(g->loaded.image, addr, err) : NULL;
    if (graph) dot_flow(g, graph, to);
    graph_free(graph);
    return graph != NULL;
}

static bool write_picture(
    struct gpudbg *g, const struct what *w, const char *format, const char *args, FILE *to, struct gpudbg_error *err)
{
    struct drawing d;
    const bool page = strcmp(format, "html") == 0;
    drawing_open(&d);
    bool good = w->draw ? w->draw(g, args, &d, err) : draw_command(g, w->command, args, &d);
    if (good && strcmp(format, "png") == 0) {
        good = drawing_png(&d, to, err);
    } else if (good) {
        if (page) page_begin(to, w->name);
        drawing_svg(&d, to, !page);
        if (page) fputs("</body></html>\n", to);
    }
    drawing_close(&d);
    return good;
}

static bool save_what(struct gpudbg *g, const struct what *w, const char *format, const char *path, const char *args,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (!to) xalloc_end();
    bool good = true;
    if (w->page)
        w->page(g, to);
    else
        good = strcmp(format, "dot") == 0 ? dot_place(g, args, to, err) : write_picture(g, w, format, args, to, err);
    fclose(to);
    good = good && save_bytes(path, text, n, &g->ticker, err);
    if (good)
        RECORD(
            out, "saved", "{file}: {size} bytes\n", STRING("name", w->name), STRING("file", path), NUMBER("size", n));
    free(text);
    return good;
}

static bool save_image(
    struct gpudbg *g, const char *path, const char *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char line[6000];
    snprintf(line, sizeof line, "save image \"%s\" %s", path, args);
    return gpudbg_execute(g, line, out, err);
}

static bool run_export(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    static const char *const formats[] = {"svg", "html", "dot", "png"};
    const char *word = args_need(a, "a format: svg, html, dot or png", err);
    if (!word) return false;
    size_t f = 0;
    while (f < sizeof formats / sizeof *formats && strcmp(formats[f], word) != 0) f++;
    if (f == sizeof formats / sizeof *formats)
        return gpudbg_fail(err, "usage", "%s is not svg, html, dot or png", word);
    word = args_need(a, "the name of the file", err);
    if (!word) return false;
    char *path = xstrdup(word);
    word = args_need(a, "what to export (help export)", err);
    const struct what *w = NULL;
    for (size_t i = 0; word && i < sizeof whats / sizeof *whats; i++)
        if (strcmp(whats[i].name, word) == 0) w = &whats[i];
    bool good = word && (w || gpudbg_fail(err, "usage", "%s cannot be exported (help export)", word));
    good = good && (has_format(w, formats[f]) || gpudbg_fail(err, "unsupported", "%s is not exported as %s, but as %s",
                                                     w->name, formats[f], w->formats));
    const char *args = good ? gpudbg_args_rest(a) : "";
    if (good && strcmp(formats[f], "png") == 0 && w->draw == picture_draw) /* its texels, not a picture of them */
        good = save_image(g, path, args, out, err);
    else if (good)
        good = save_what(g, w, formats[f], path, args, out, err);
    free(path);
    return good;
}

static const struct gpudbg_command export_command = {
    .name = "export",
    .usage = "svg|html|dot|png FILE WHAT",
    .summary = "write a picture or a report for others: a file that needs no other file",
#define X(name, words, formats, draw, command, page, what) name words " " what " (" formats ")\n"
    .help = WHATS(
        X) "SVG and HTML follow the reader's choice of light or dark, and are made for paper, too.  A PNG has the\n"
           "colours of a light page; the library cairo draws it.",
#undef X
    .family = "Files",
    .run = run_export,
    .writes = true,
};

static const struct gpudbg_command *const commands[] = {&export_command, NULL};
COMMAND_FAMILY(cmd_export, "export", .summary = "pictures and reports for others", .commands = commands);
