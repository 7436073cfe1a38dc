/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user wants to find again: bookmark, note, info bookmarks, info notes, delete bookmark, delete note. */
#include "command/cmd_mark.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "dump/dump.h"
#include "eval/location.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

/* ---- A spot as text ---- */

struct mark_row {
    struct gpudbg *g;
    size_t number;    /* of a note */
    const char *name; /* or its text */
    const struct mark_spot *spot;
};

#define SPOT(row) (((const struct mark_row *)(row))->spot)

static int cell_number(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%zu", ((const struct mark_row *)row)->number);
}

static int cell_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct mark_row *)row)->name);
}

static int cell_position(const void *row, char *buf, size_t size)
{
    return SPOT(row)->timed ? snprintf(buf, size, "%" PRIu64, SPOT(row)->position) : 0;
}

/* Another state is at that position now. */
static int cell_state(const void *row, char *buf, size_t size)
{
    const struct mark_row *r = row;
    return marks_forgotten(r->g, r->spot) ? snprintf(buf, size, "forgotten") : 0;
}

static int cell_wave(const void *row, char *buf, size_t size)
{
    return SPOT(row)->timed ? snprintf(buf, size, "%u", SPOT(row)->wave) : 0;
}

static int cell_lane(const void *row, char *buf, size_t size)
{
    return SPOT(row)->timed && SPOT(row)->lane >= 0 ? snprintf(buf, size, "%d", SPOT(row)->lane) : 0;
}

static int cell_addr(const void *row, char *buf, size_t size)
{
    return SPOT(row)->placed ? snprintf(buf, size, "0x%" PRIx64, SPOT(row)->addr) : 0;
}

/* A place in the code, or a dump's line with its text. */
static int cell_where(const void *row, char *buf, size_t size)
{
    const struct mark_row *r = row;
    const struct mark_spot *s = r->spot;
    struct text t = text_in(buf, size);
    if (s->line && s->dump < r->g->loaded.ndumps) {
        char line[400];
        const struct gpudbg_dump *d = r->g->loaded.dumps[s->dump];
        text_add(&t, "%s:%" PRIu32, gpudbg_dump_path(d), s->line);
        if (gpudbg_dump_text(d, s->line, line, sizeof line)) text_add(&t, ": %s", line);
    } else if (s->placed && r->g->loaded.image) {
        text_wrote(&t, image_where(r->g->loaded.image, s->addr, text_end(&t), text_room(&t)));
    }
    return text_length(&t);
}

static const struct gpudbg_column bookmark_columns[] = {
    {"name", "name", 0, GPUDBG_NAME, cell_name},
    {"position", "position", 0, GPUDBG_COUNT, cell_position},
    {"wave", "wave", 0, GPUDBG_COUNT, cell_wave},
    {"lane", "lane", 0, GPUDBG_COUNT, cell_lane},
    {"state", "state", 0, GPUDBG_NAME, cell_state},
    {"addr", "address", 0, GPUDBG_ADDRESS, cell_addr},
    {"where", "place", 0, GPUDBG_NOTE, cell_where},
};

static const struct gpudbg_column note_columns[] = {
    {"number", "n", 0, GPUDBG_COUNT, cell_number},
    {"position", "position", 0, GPUDBG_COUNT, cell_position},
    {"wave", "wave", 0, GPUDBG_COUNT, cell_wave},
    {"state", "state", 0, GPUDBG_NAME, cell_state},
    {"addr", "address", 0, GPUDBG_ADDRESS, cell_addr},
    {"where", "place", 0, GPUDBG_NAME, cell_where},
    {"text", "note", 0, GPUDBG_NOTE, cell_name},
};

static bool bookmark_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)err;
    for (size_t i = 0; i < g->marks.nbookmarks; i++) {
        const struct bookmark *b = &g->marks.bookmark[i];
        const struct mark_row row = {g, 0, b->name, &b->spot};
        if ((!*args || strcmp(args, b->name) == 0) && !each(to, &row)) break;
    }
    return true;
}

static bool note_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    uint64_t only = 0;
    if (*args && !gpudbg_evaluate(g, args, &only, err)) return false;
    for (size_t i = 0; i < g->marks.nnotes; i++) {
        const struct mark_row row = {g, i + 1, g->marks.note[i].text, &g->marks.note[i].spot};
        if ((!*args || only == i + 1) && !each(to, &row)) break;
    }
    return true;
}

static const struct gpudbg_listing bookmarks = {
    .name = "bookmarks",
    .summary = "list the bookmarks",
    .type = "bookmark",
    .columns = bookmark_columns,
    .ncolumns = sizeof bookmark_columns / sizeof *bookmark_columns,
    .rows = bookmark_rows,
    .empty = "no bookmarks",
};

static const struct gpudbg_listing notes = {
    .name = "notes",
    .summary = "list your notes",
    .type = "remark",
    .columns = note_columns,
    .ncolumns = sizeof note_columns / sizeof *note_columns,
    .rows = note_rows,
    .empty = "no notes",
};

void mark_show(struct gpudbg *g, const struct bookmark *b, struct gpudbg_out *out)
{
    const struct mark_row row = {g, 0, b->name, &b->spot};
    const struct mark_spot *s = &b->spot;
    char where[600];
    const struct gpudbg_image *image = g->loaded.image;
    const bool hides = image && (gpudbg_image_find(image, b->name) || gpudbg_image_kernel_named(image, b->name));
    cell_where(&row, where, sizeof where);
    RECORD(out, "bookmark",
        "bookmark {name}[{hides}, not the symbol of that name][: position {position}, wave {wave}[, lane {lane}]][: "
        "{where}]\n[{forgotten}The state that it marked was forgotten: a change was made before it.\n]",
        FLAG("hides", hides), STRING("name", b->name), IF(s->timed, NUMBER("position", s->position)),
        IF(s->timed, NUMBER("wave", s->wave)), IF(s->timed && s->lane >= 0, NUMBER("lane", s->lane)),
        FLAG("forgotten", marks_forgotten(g, s)), IF(s->placed, HEX("addr", s->addr)),
        STRING("where", *where ? where : NULL));
}

/* ---- bookmark ---- */

/* "line N [DUMP]" */
static bool take_line(struct gpudbg *g, struct gpudbg_args *a, struct mark_spot *s, struct gpudbg_error *err)
{
    uint64_t line, dump = 0;
    gpudbg_args_word(a);
    if (!gpudbg_args_number(a, &line, err)) return false;
    if (*gpudbg_args_rest(a) && !gpudbg_args_number(a, &dump, err)) return false;
    struct gpudbg_dump *of = session_dump_numbered(g, dump, err);
    if (!of) return false;
    const uint32_t lines = gpudbg_dump_lines(of);
    if (!line || line > lines)
        return gpudbg_fail(err, "out-of-range", "%s has no line %" PRIu64 ": its lines are 1 to %" PRIu32,
            gpudbg_dump_path(of), line, lines);
    *s = (struct mark_spot){.lane = -1, .line = (uint32_t)line, .dump = (size_t)dump};
    return true;
}

static bool is_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && (text[n] == ' ' || text[n] == '\t');
}

static bool run_bookmark(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct mark_spot s = marks_here(g);
    const char *word = args_need(a, "the bookmark's name", err);
    if (!word || !marks_name_good(word, err)) return false;
    char *name = xstrdup(word);
    const char *rest = gpudbg_args_rest(a);
    bool good = true;
    if (is_word(rest, "line")) {
        good = take_line(g, a, &s, err) && args_end(a, err);
    } else if (*rest) {
        s = (struct mark_spot){.lane = -1, .placed = true};
        good = eval_need_image(&g->eval, err) && location_addr(&g->eval, rest, &s.addr, err);
    } else if (!s.timed && !s.placed) {
        good = gpudbg_fail(err, "no-file", "no code is loaded; `bookmark %s line N` marks a line of a dump", name);
    }
    if (good) {
        marks_put(g, name, &s);
        mark_show(g, marks_named(g, name), out);
    }
    free(name);
    return good;
}

static char *complete_bookmark(struct gpudbg *g, const char *text, unsigned state)
{
    for (size_t i = 0; i < g->marks.nbookmarks; i++)
        if (strncmp(g->marks.bookmark[i].name, text, strlen(text)) == 0 && state-- == 0)
            return xstrdup(g->marks.bookmark[i].name);
    return NULL;
}

static const struct gpudbg_command bookmark = {
    .name = "bookmark",
    .usage = "NAME [PLACE | line N [DUMP]]",
    .summary = "give a name to the present, a place in the code or a line of a dump",
    .help =
        "Without PLACE, the bookmark is the present position in time with its wave and lane; before a launch, the\n"
        "place at which `list` and `disassemble` go on.  line N is a line of dump DUMP (0, the first, without it).\n"
        "`goto NAME` goes there, `info bookmarks` lists them, `delete bookmark NAME` deletes one.  A bookmark of\n"
        "that name is moved.  `save session` saves them.",
    .family = "Sessions",
    .run = run_bookmark,
    .complete = complete_symbol,
};

static bool run_delete_bookmark(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    const char *name = args_need(a, "the bookmark's name", err);
    if (!name) return false;
    if (!marks_drop(g, name))
        return gpudbg_fail(err, "no-such-name", "no bookmark \"%.60s\"; `info bookmarks` lists them", name);
    return args_end(a, err);
}

static const struct gpudbg_command delete_bookmark = {
    .name = "delete bookmark",
    .usage = "NAME",
    .summary = "delete a bookmark",
    .family = "Sessions",
    .run = run_delete_bookmark,
    .complete = complete_bookmark,
};

/* ---- note ---- */

static bool run_note(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *text = gpudbg_args_rest(a);
    const struct mark_spot s = marks_here(g);
    if (!*text) return gpudbg_fail(err, "usage", "the text of the note is missing");
    marks_note(g, text, &s);
    RECORD(out, "remark", "note {number}: {text}\n", NUMBER("number", g->marks.nnotes),
        IF(s.timed, NUMBER("position", s.position)), IF(s.timed, NUMBER("wave", s.wave)),
        IF(s.placed, HEX("addr", s.addr)), STRING("text", text));
    return true;
}

static const struct gpudbg_command note = {
    .name = "note",
    .usage = "TEXT",
    .summary = "save a remark about this position and place",
    .help = "`info notes` lists the notes, `delete note N` deletes one.  `save session` saves them.",
    .family = "Sessions",
    .run = run_note,
};

static bool run_delete_note(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t number;
    (void)out;
    if (!gpudbg_args_number(a, &number, err) || !args_end(a, err)) return false;
    return marks_note_drop(g, number) ||
           gpudbg_fail(err, "out-of-range", "no note %" PRIu64 "; `info notes` lists them", number);
}

static const struct gpudbg_command delete_note = {
    .name = "delete note",
    .usage = "N",
    .summary = "delete a note",
    .family = "Sessions",
    .run = run_delete_note,
};

static const struct gpudbg_command *const commands[] = {&bookmark, &note, &delete_bookmark, &delete_note, NULL};
static const struct gpudbg_listing *const listings[] = {&bookmarks, &notes, NULL};
COMMAND_FAMILY(cmd_mark, "marks", .summary = "bookmarks and notes", .commands = commands, .listings = listings);
