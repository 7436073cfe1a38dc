/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_read.c: the lines of a saved session back into a session; see session_file.h. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/open_file.h"
#include "command/cmd_device.h"
#include "command/cmd_restore.h"
#include "command/cmd_set.h"
#include "command/display.h"
#include "command/session_file.h"
#include "command/session_opening.h"
#include "check/check.h"
#include "control/stop.h"
#include "dump/dump.h"
#include "eval/location.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "image/overlay.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "out/say.h"
#include "word/registry.h"

/* ---- Contents ---- */

static bool read_named(
    struct opening *o, struct saved_unpacked *c, const char *path, bool *there, struct gpudbg_error *err)
{
    char hash[SHA256_TEXT];
    size_t n;
    *there = access(path, F_OK) == 0;
    if (!*there) return gpudbg_fail(err, "missing", "%s is not there", path);
    char *bytes = text_named(path, o->g->settings.memory_limit ? o->g->settings.memory_limit : UINT64_MAX, &n, err);
    if (!bytes) return false;
    sha256_of(bytes, n, hash);
    if (n == c->size && strcmp(hash, c->hash) == 0) {
        c->bytes = (uint8_t *)bytes;
        return true;
    }
    free(bytes);
    return gpudbg_fail(err, "missing", "%s is not the file that was saved: its SHA-256 is %.16s..., not %.16s...", path,
        hash, c->hash);
}

/* A file that the session only names: under its path, as seen from the session's folder, or beside the session.  Then
 * c->name is where it is. */
static bool find_named(struct opening *o, struct saved_unpacked *c)
{
    const char *slash = strrchr(o->path, '/'), *base = strrchr(c->name, '/'),
               *names[] = {c->name, base ? base + 1 : NULL};
    struct gpudbg_error second = {.offset = -1};
    if (o->g->sealed) return gpudbg_fail(o->err, "not-now", "this session must not open files");
    for (size_t i = 0; i < 2 && names[i]; i++) {
        char *path = NULL;
        bool there;
        const bool whole = names[i][0] == '/';
        if (asprintf(&path, "%.*s%s", slash && !whole ? (int)(slash + 1 - o->path) : 0, o->path, names[i]) < 0)
            return alloc_failed(o->err, 0, "a path");
        const bool good = read_named(o, c, path, &there, &second);
        if (!i || there) *o->err = second;
        if (good) {
            *o->err = (struct gpudbg_error){.offset = -1};
            free(c->name);
            c->name = path;
            return true;
        }
        free(path);
    }
    return false;
}

static bool take_content(struct opening *o, struct saved_line *l, struct saved_unpacked **c)
{
    uint64_t number;
    if (!saved_number(l, "the number of a content", UINT64_MAX, &number, o->err)) return false;
    if (number >= o->s->ncontents)
        return gpudbg_fail(
            o->err, "out-of-range", "there is no content %" PRIu64 "; %zu are there", number, o->s->ncontents);
    *c = &o->s->content[number];
    return (*c)->bytes || find_named(o, *c);
}

/* ---- Code ---- */

static bool open_code(struct opening *o, struct saved_line *l)
{
    struct gpudbg *g = o->g;
    struct saved_unpacked *c;
    struct load_options options = {0};
    const char *path, *kind, *isa;
    if (!take_content(o, l, &c) || !(path = saved_next(l, "the name of the file", o->err))) return false;
    if (!saved_take(l, "kind") || !(kind = saved_next(l, "the kind of the file", o->err)))
        return gpudbg_fail(o->err, "syntax", "code: the kind of the file is missing");
    if (saved_take(l, "isa")) {
        if (!(isa = saved_next(l, "the instruction set", o->err))) return false;
        if (!(options.isa = session_isa_asked(g, isa, o->err))) return false;
    }
    options.raw = saved_take(l, "raw");
    if (saved_take(l, "base") && !saved_number(l, "the base", UINT64_MAX, &options.base, o->err)) return false;
    if (!saved_done(l, o->err)) return false;
    if (strcmp(kind, "raw") != 0) options.format = kind;
    struct gpudbg_image *image = session_image_from(g, path, c->bytes, (size_t)c->size, &options, o->err);
    if (!image) {
        o->err->file[0] = 0; /* the place is the session's line */
        o->err->line = l->number;
        return false;
    }
    session_take(g, image);
    return true;
}

static bool open_added(struct opening *o, struct saved_line *l)
{
    struct saved_unpacked *c;
    const char *name;
    uint64_t addr;
    return take_content(o, l, &c) && (name = saved_next(l, "the name of the code", o->err)) &&
           saved_number(l, "its address", UINT64_MAX, &addr, o->err) && saved_done(l, o->err) &&
           session_add_bytes(o->g, c->bytes, (size_t)c->size, addr, name, o->err);
}

static bool open_patch(struct opening *o, struct saved_line *l)
{
    uint64_t addr;
    uint8_t *bytes;
    size_t n;
    const char *text;
    if (!saved_number(l, "the address of the patch", UINT64_MAX, &addr, o->err) ||
        !saved_hex(l, "the bytes of the patch", &bytes, &n, o->err))
        return false;
    const bool good = (text = saved_next(l, "the text of the patch", o->err)) && saved_done(l, o->err) &&
                      image_overlay_add(o->g->loaded.image, addr, bytes, n, text, o->err);
    free(bytes);
    o->g->loaded.patched |= good;
    return good;
}

/* ---- Settings, dumps ---- */

static bool open_set(struct opening *o, struct saved_line *l)
{
    const char *name, *value;
    return (name = saved_next(l, "the setting", o->err)) && (value = saved_next(l, "its value", o->err)) &&
           saved_done(l, o->err) && setting_put(o->g, name, value, o->err);
}

static bool open_device(struct opening *o, struct saved_line *l)
{
    const char *name = saved_next(l, "the register", o->err);
    char text[200];
    uint64_t value;
    if (!name || !saved_number(l, "its value", UINT32_MAX, &value, o->err) || !saved_done(l, o->err)) return false;
    snprintf(text, sizeof text, "%.100s 0x%" PRIx64, name, value);
    return device_set_command(o->g, text, o->err);
}

static bool open_check(struct opening *o, struct saved_line *l)
{
    const char *kind = saved_next(l, "the checker", o->err);
    const struct gpudbg_checker *k;
    if (!kind || !saved_done(l, o->err)) return false;
    for (size_t i = 0; (k = registry_checker(o->g->registry, i)); i++)
        if (strcmp(k->kind, kind) == 0) return checks_switch(o->g->control.checks, k, true, o->err);
    return gpudbg_fail(o->err, "no-such-name", "no checker \"%.40s\"", kind);
}

static bool open_dump(struct opening *o, struct saved_line *l)
{
    struct gpudbg *g = o->g;
    struct saved_unpacked *c;
    const char *path, *format;
    uint64_t base;
    if (!take_content(o, l, &c) || !(path = saved_next(l, "the name of the dump", o->err))) return false;
    if (!saved_take(l, "format") || !(format = saved_next(l, "the format", o->err)) || !saved_take(l, "base") ||
        !saved_number(l, "the base", UINT64_MAX, &base, o->err) || !saved_done(l, o->err))
        return o->err->kind != NULL ? false : gpudbg_fail(o->err, "syntax", "dump: format and base are missing");
    if (!session_is_dump_format(g, format))
        return gpudbg_fail(o->err, "no-such-name", "no reader of dumps is called \"%.40s\"", format);
    const struct dump_env env = session_dump_env(g);
    struct gpudbg_dump *d = c->name ? dump_open(&env, c->name, format, base, o->err)
                                    : dump_from(&env, path, c->bytes, (size_t)c->size, format, base, o->err);
    if (!d) {
        o->err->file[0] = 0;
        o->err->line = l->number;
        return false;
    }
    g->loaded.dumps = xrealloc(g->loaded.dumps, g->loaded.ndumps + 1, sizeof *g->loaded.dumps);
    g->loaded.dumps[g->loaded.ndumps++] = d;
    return true;
}

/* ---- The launch, and what was done since ---- */

static bool need_code(struct opening *o)
{
    return o->g->loaded.image || gpudbg_fail(o->err, "syntax", "a line `code` must come before this one");
}

static bool need_machine(struct opening *o)
{
    return o->g->running.machine || gpudbg_fail(o->err, "syntax", "a line `launch` must come before this one");
}

static bool open_input(struct opening *o, struct saved_line *l)
{
    struct running *r = &o->g->running;
    struct saved_unpacked *c;
    const char *name;
    if (!take_content(o, l, &c) || !(name = saved_next(l, "the name of the input", o->err)) || !saved_done(l, o->err))
        return false;
    uint8_t *bytes = malloc((size_t)c->size + 1);
    if (!bytes) return alloc_failed(o->err, c->size, name);
    memcpy(bytes, c->bytes, (size_t)c->size);
    r->brought = xrealloc(r->brought, r->nbrought + 1, sizeof *r->brought);
    r->brought[r->nbrought++] = (struct launch_file){xstrdup(name), bytes, c->size};
    return true;
}

static bool open_launch(struct opening *o, struct saved_line *l)
{
    const char *words = saved_next(l, "the words of the launch", o->err);
    if (!words || !saved_done(l, o->err)) return false;
    o->g->running.brought_only = true;
    const bool good = session_launch(o->g, words, o->err);
    o->g->running.brought_only = false;
    return good;
}

static bool open_restored(struct opening *o, struct saved_line *l)
{
    uint64_t waves;
    const struct gpudbg_isa *isa = o->g->loaded.image->isa;
    if (!saved_number(l, "the number of waves", 1 << 20, &waves, o->err) || !saved_done(l, o->err)) return false;
    if (!waves || !isa || !isa->run || !isa->dumped)
        return gpudbg_fail(o->err, "unsupported", "%" PRIu64 " waves of a dump cannot be restored here", waves);
    return restore_machine(o->g, (size_t)waves, o->err);
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct opening *o = data;
    return ticker_goes_on(&o->g->ticker, done, todo);
}

static bool open_run(struct opening *o, struct saved_line *l)
{
    struct gpudbg_machine *m = o->g->running.machine;
    uint64_t n, wave = MACHINE_NO_WAVE;
    const uint64_t now = machine_position(m);
    if (!saved_number(l, "the number of instructions", UINT64_MAX - now, &n, o->err)) return false;
    if (saved_take(l, "wave") && !saved_number(l, "the wave", m->nwaves - 1, &wave, o->err)) return false;
    if (!saved_done(l, o->err)) return false;
    const bool alone = wave != MACHINE_NO_WAVE;
    const struct machine_want want = {.until = alone ? MACHINE_STEPS : MACHINE_POSITION,
        .wave = alone ? (uint32_t)wave : 0,
        .count = alone ? n : now + n,
        .limit = o->limit ? o->limit - o->done : 0,
        .tick = tick,
        .data = o};
    if (o->limit && o->done >= o->limit)
        return gpudbg_fail(o->err, "interrupt", "the session runs more instructions than `set step-limit` allows");
    machine_run(m, &want);
    o->done += machine_position(m) - now;
    if (machine_position(m) == now + n) return true;
    if (m->stop.reason == GPUDBG_STOP_INTERRUPT)
        return gpudbg_fail(o->err, "interrupt", "interrupted at position %" PRIu64 ", before all was as it was saved",
            machine_position(m));
    return gpudbg_fail(o->err, "out-of-range", "the run ends after %" PRIu64 " instructions, not %" PRIu64 "%s%s",
        machine_position(m) - now, n, m->stop.message[0] ? ": " : "", m->stop.message);
}

static bool open_register(struct opening *o, struct saved_line *l)
{
    struct gpudbg_machine *m = o->g->running.machine;
    uint64_t wave, index, first;
    const char *name;
    uint8_t *bytes = NULL;
    size_t n, file = 0;
    if (!saved_number(l, "the wave", m->nwaves - 1, &wave, o->err) ||
        !(name = saved_next(l, "the register file", o->err)))
        return false;
    while (file < m->isa->nfiles && strcmp(m->isa->files[file].name, name) != 0) file++;
    if (file == m->isa->nfiles) return gpudbg_fail(o->err, "no-such-name", "no registers are called \"%.40s\"", name);
    bool good = saved_number(l, "the register", UINT16_MAX, &index, o->err) &&
                saved_number(l, "the dword", UINT16_MAX, &first, o->err) &&
                saved_hex(l, "the register's bytes", &bytes, &n, o->err) && saved_done(l, o->err);
    if (good && n % 4) good = gpudbg_fail(o->err, "syntax", "%zu bytes of a register: a multiple of 4 is wanted", n);
    uint32_t *words = good ? malloc(n + 4) : NULL;
    if (good && !words) good = alloc_failed(o->err, n, "a register");
    if (good) memcpy(words, bytes, n); /* as the machine keeps them */
    good = good && machine_set_register(
                       m, (uint32_t)wave, (unsigned)file, (unsigned)index, (unsigned)first, words, n / 4, o->err);
    free(words);
    free(bytes);
    return good;
}

static bool open_memory(struct opening *o, struct saved_line *l)
{
    struct gpudbg_machine *m = o->g->running.machine;
    uint64_t wave, addr;
    unsigned space;
    uint8_t *bytes = NULL;
    size_t n;
    const bool good = saved_number(l, "the wave", m->nwaves - 1, &wave, o->err) && opening_space(o, l, &space) &&
                      saved_number(l, "the address", UINT64_MAX, &addr, o->err) &&
                      saved_hex(l, "the bytes", &bytes, &n, o->err) && saved_done(l, o->err) &&
                      machine_set_memory(m, (uint32_t)wave, space, addr, bytes, n, o->err);
    free(bytes);
    return good;
}

static bool open_pc(struct opening *o, struct saved_line *l)
{
    struct gpudbg_machine *m = o->g->running.machine;
    uint64_t wave, pc;
    return saved_number(l, "the wave", m->nwaves - 1, &wave, o->err) &&
           saved_number(l, "the address", UINT64_MAX, &pc, o->err) && saved_done(l, o->err) &&
           machine_set_pc(m, (uint32_t)wave, pc, o->err);
}

/* ---- The present ---- */

static bool open_layout(struct opening *o, struct saved_line *l)
{
    struct gpudbg_error why = {.offset = -1};
    const char *spec = saved_next(l, "the layout", o->err);
    if (!spec || !saved_done(l, o->err)) return false;
    free(o->g->layout);
    o->g->layout = xstrdup(spec);
    if (o->g->front.set_layout && !o->g->front.set_layout(o->g->front.data, spec, &why))
        opening_say(o, "layout", why.message);
    return true;
}

static bool open_selected(struct opening *o, struct saved_line *l)
{
    const struct gpudbg_machine *m = o->g->running.machine;
    uint64_t wave, cursor;
    if (!saved_number(l, "the wave", m ? m->nwaves - 1 : UINT32_MAX, &wave, o->err) ||
        !opening_small(o, l, "the lane", m ? m->lanes - 1 : 63, &o->selected.lane) ||
        !saved_number(l, "the cursor", UINT64_MAX, &cursor, o->err) || !saved_done(l, o->err))
        return false;
    o->selected.wave = (uint32_t)wave;
    o->selected.cursor = cursor;
    o->selects = true;
    return true;
}

static bool open_position(struct opening *o, struct saved_line *l)
{
    o->positioned = saved_number(l, "the position", UINT64_MAX, &o->position, o->err) &&
                    saved_number(l, "the hash", UINT64_MAX, &o->hash, o->err) && saved_done(l, o->err);
    return o->positioned;
}

/* ---- All lines ---- */

enum { CODE = 1, MACHINE = 2 };

static const struct kind {
    const char *word;
    bool (*open)(struct opening *, struct saved_line *);
    unsigned needs;
    unsigned turn; /* lines of the first turn come before all of the second: points, once time stands where it stood */
} kinds[] = {
    {"code", open_code, 0, 0},
    {"added", open_added, CODE, 0},
    {"patch", open_patch, CODE, 0},
    {"set", open_set, 0, 0},
    {"device", open_device, 0, 0},
    {"check", open_check, 0, 0},
    {"dump", open_dump, 0, 0},
    {"input", open_input, CODE, 0},
    {"launch", open_launch, CODE, 0},
    {"restored", open_restored, CODE, 0},
    {"run", open_run, MACHINE, 0},
    {"register", open_register, MACHINE, 0},
    {"memory", open_memory, MACHINE, 0},
    {"pc", open_pc, MACHINE, 0},
    {"position", open_position, MACHINE, 0},
    {"selected", open_selected, 0, 0},
    {"break", opening_break, CODE, 1},
    {"watch", opening_watch, MACHINE, 1},
    {"catch", opening_catch, MACHINE, 1},
    {"commands", opening_commands, 0, 1},
    {"display", opening_display, 0, 1},
    {"bookmark", opening_bookmark, 0, 1},
    {"note", opening_note, 0, 1},
    {"layout", open_layout, 0, 1},
};

static bool open_line(struct opening *o, struct saved_line *l, unsigned turn)
{
    o->err->line = l->number;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];
        if (strcmp(l->word[0], k->word) != 0) continue;
        if (k->turn != turn) return true;
        l->at = 1;
        if (k->needs & CODE && !need_code(o)) return false;
        if (k->needs & MACHINE && !need_machine(o)) return false;
        return k->open(o, l);
    }
    return gpudbg_fail(o->err, "syntax", "\"%.40s\" is nothing that a session has", l->word[0]);
}

static bool open_lines(struct opening *o, unsigned turn)
{
    for (size_t i = 0; i < o->s->nlines; i++) {
        if (!open_line(o, &o->s->line[i], turn)) return false;
        if (!ticker_goes_on(&o->g->ticker, i, o->s->nlines)) return gpudbg_fail(o->err, "interrupt", "interrupted");
    }
    o->err->line = 0;
    return true;
}

/* To where the session stood, and whether it is the same there. */
static bool go_there(struct opening *o)
{
    struct gpudbg *g = o->g;
    struct gpudbg_machine *m = g->running.machine;
    if (m && o->positioned) {
        if (o->position > machine_position(m))
            return gpudbg_fail(o->err, "out-of-range",
                "position %" PRIu64 " is after the end of what was run, %" PRIu64, o->position, machine_position(m));
        if (!machine_go(m, o->position, o->err)) return false;
        const uint64_t hash = machine_hash(m);
        if (hash != o->hash)
            return gpudbg_fail(o->err, "out-of-range",
                "the state at position %" PRIu64 " is not the one that was saved: hash 0x%016" PRIx64
                ", not 0x%016" PRIx64,
                o->position, hash, o->hash);
    }
    if (o->selects) {
        g->selection.wave = o->selected.wave;
        g->selection.lane = o->selected.lane;
        g->selection.cursor = o->selected.cursor;
    }
    if (m) {
        g->running.last = (struct gpudbg_stop){.wave = g->selection.wave, .lane = -1};
        g->running.last.pc = location_here(&g->eval);
        checks_watch(g->control.checks);
    }
    return true;
}

static void show_opened(struct opening *o)
{
    struct gpudbg *g = o->g;
    const struct gpudbg_machine *m = g->running.machine;
    struct machine_history h = {0};
    char where[300] = "";
    if (m) machine_history(m, &h);
    if (m) image_where(g->loaded.image, g->running.last.pc, where, sizeof where);
    RECORD(o->out, "session",
        "{file}: a saved session[ of {code}][, {dumps} dump{dumps:s}][, {launch}][; position {position} of "
        "{recorded}][, "
        "wave {wave}[ at {where}]]\n",
        STRING("file", o->path), STRING("code", g->loaded.image ? g->loaded.image->path : NULL),
        IF(g->loaded.ndumps, NUMBER("dumps", g->loaded.ndumps)),
        STRING("launch", m && !machine_restoring(m) ? g->running.launched : NULL),
        IF(m, NUMBER("position", h.position)), IF(m, NUMBER("recorded", h.recorded)),
        IF(m, NUMBER("wave", g->selection.wave)), STRING("where", *where ? where : NULL),
        IF(m, HEX("hash", m ? o->hash : 0)));
    for (const struct stop_point *p = stops_next(&g->control, 0); p; p = stops_next(&g->control, p->number)) {
        char all[1000], what[80];
        struct text t = text_in(all, sizeof all);
        if (!p->commands_off) continue;
        for (size_t i = 0; i < p->commands.n; i++) text_add(&t, "%s%s", i ? "; " : "", p->commands.line[i]);
        text_add(&t, "  (`enable commands %d` lets it run them)", p->number);
        snprintf(what, sizeof what, "point %d has commands, which are off", p->number);
        opening_say(o, what, all);
    }
}

bool session_file_is(const char *path)
{
    uint8_t head[32];
    struct gpudbg_error ignored = {0};
    uint64_t size;
    const int fd = open_named(path, UINT64_MAX, &size, &ignored);
    if (fd < 0) return false;
    const ssize_t n = read(fd, head, sizeof head);
    close(fd);
    return n > 0 && saved_is(head, (size_t)n);
}

/* ---- All or nothing ---- */

static bool has_something(struct gpudbg *g)
{
    return g->loaded.image || g->loaded.ndumps || stops_next(&g->control, 0) || g->marks.nbookmarks || g->marks.nnotes;
}

/* Nothing is open any more but the dumps that were before. */
static void drop_half(struct opening *o, const struct settings *settings)
{
    struct gpudbg *g = o->g;
    struct gpudbg_error ignored = {0};
    stops_remove(&g->control, 0, &ignored);
    displays_none(g);
    marks_free(&g->marks);
    session_drop(g);
    while (g->loaded.ndumps > o->dumps) dump_close(g->loaded.dumps[--g->loaded.ndumps]);
    g->settings = *settings;
}

static bool open_all(struct opening *o)
{
    struct gpudbg *g = o->g;
    struct gpudbg_error ignored = {0};
    const struct settings settings = g->settings;
    stops_remove(&g->control, 0, &ignored);
    displays_none(g);
    marks_free(&g->marks);
    session_end_machine(g);
    if (open_lines(o, 0) && go_there(o) && open_lines(o, 1)) return true;
    drop_half(o, &settings);
    return false;
}

/* Opens it in a session of its own first, which has the same plug-ins but does not start them again: a session that
 * cannot be opened takes nothing away from this one. */
static bool can_be_opened(const struct opening *o)
{
    struct gpudbg *g = o->g;
    static const struct gpudbg_plugin *const none[] = {NULL};
    const struct gpudbg_plugin *known;
    size_t n = 0;
    while (registry_plugin(g->registry, n)) n++;
    struct gpudbg_plugin *copy = xcalloc(n + 1, sizeof *copy);
    const struct gpudbg_plugin **list = xcalloc(n + 1, sizeof *list);
    for (size_t i = 0; (known = registry_plugin(g->registry, i)); i++) {
        copy[i] = *known;
        copy[i].start = NULL;
        copy[i].stop = NULL;
        list[i] = &copy[i];
    }
    struct gpudbg *trial = session_open(none, list, o->err);
    struct gpudbg_out *out = out_memory(false);
    bool good = trial && out;
    if (good) {
        trial->ticker = g->ticker;
        trial->settings = g->settings;
        trial->loaded.source_path = trial->settings.source_path;
        trial->loaded.isa = g->loaded.isa;
        trial->sealed = g->sealed;
        trial->foreign = g->foreign;
        struct opening tried = *o;
        tried.g = trial;
        tried.out = out;
        tried.dumps = 0;
        good = open_all(&tried);
    }
    if (out) out_close(out);
    session_close(trial);
    free(list);
    free(copy);
    return good;
}

bool session_read_bytes(struct gpudbg *g, const char *path, const uint8_t *bytes, size_t n, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    struct opening o = {
        .g = g, .path = path, .out = out, .err = err, .dumps = g->loaded.ndumps, .limit = g->settings.step_limit};
    if (!session_may_replace(g, err)) return false;
    const bool observer = g->settings.observer;
    g->settings.observer = false; /* the changes that are part of the session */
    o.s = saved_read(bytes, n, g->settings.memory_limit, &g->ticker, err);
    const bool good = o.s && (!has_something(g) || can_be_opened(&o)) && open_all(&o);
    if (good) {
        g->running.unsaved = false;
        free(g->saved.path);
        g->saved.path = xstrdup(path);
        g->saved.digest = session_digest;
        g->saved.was = session_digest(g);
        show_opened(&o);
    } else {
        snprintf(err->file, sizeof err->file, "%s", path);
    }
    saved_close(o.s);
    g->settings.observer = observer;
    return good;
}

bool session_read(struct gpudbg *g, const char *path, struct gpudbg_out *out, struct gpudbg_error *err)
{
    size_t n;
    char *bytes = text_named(path, UINT32_MAX, &n, err);
    if (!bytes) return false;
    const bool good = session_read_bytes(g, path, (const uint8_t *)bytes, n, out, err);
    free(bytes);
    return good;
}
