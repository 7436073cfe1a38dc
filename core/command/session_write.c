/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_write.c: a session as lines; see session_file.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/sent.h"
#include "command/cmd_set.h"
#include "command/display.h"
#include "command/session_file.h"
#include "check/check.h"
#include "control/device.h"
#include "control/stop.h"
#include "dump/dump.h"
#include "image/image.h"
#include "image/overlay.h"
#include "machine/hash.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "word/registry.h"

#define DUMP_MOST (UINT64_C(1) << 32) /* bytes of a dump that is held in a session */

struct writing {
    struct gpudbg *g;
    FILE *f;
    struct saved_writer *w; /* NULL: only the lines are wanted, without contents and what is about the present */
    const char *to;         /* the file that is written */
    bool paths;             /* files that are not in it are named by their whole path */
    struct gpudbg_error *err;
};

static bool too_large(const struct writing *t, uint64_t size)
{
    const uint64_t most = t->g->settings.session_limit;
    return most && size > most;
}

/* A file that is not in the session: who opens it looks for it beside it. */
static bool write_named(struct writing *t, const char *path, size_t *number)
{
    char *name = t->paths ? realpath(path, NULL) : sent_path(path, t->to);
    const bool good = saved_file(t->w, path, name ? name : path, &t->g->ticker, number, t->err);
    free(name);
    return good;
}

static void hex(FILE *f, const uint8_t *bytes, size_t n)
{
    putc(' ', f);
    for (size_t i = 0; i < n; i++) fprintf(f, "%02x", bytes[i]);
}

/* ---- Code ---- */

/* The lowest address of the file's own code and data. */
static uint64_t lowest(const struct gpudbg_image *image)
{
    uint64_t base = UINT64_MAX;
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].addr < base) base = image->sections[i].addr;
    return base == UINT64_MAX ? 0 : base;
}

static bool write_code(struct writing *t)
{
    const struct loaded *l = &t->g->loaded;
    const struct gpudbg_image *image = l->image, *file = image_file(image);
    const bool raw = file == image && strcmp(image->kind, "raw") == 0;
    size_t number = 0, n;
    if (t->w && too_large(t, file->size) && access(file->path, R_OK) == 0) {
        if (!write_named(t, file->path, &number)) return false;
    } else if (t->w) {
        number = saved_bytes(t->w, file->bytes, file->size, false);
    }
    fprintf(t->f, "code %zu", number);
    saved_word(t->f, sent_name(image->path)); /* of a container's member: names it */
    fprintf(t->f, " kind %s", file->kind);
    if (file == image && image->isa) fprintf(t->f, " isa %s", image->isa->name);
    if (raw && strcmp(image->why, "asked for with --raw") == 0) fputs(" raw", t->f);
    fprintf(t->f, " base 0x%" PRIx64 "\n", raw ? lowest(image) : 0);
    for (size_t i = 0; i < l->nadded; i++) {
        const struct added_code *c = &l->added[i];
        uint8_t *bytes = malloc(c->size + 1);
        if (!bytes) return alloc_failed(t->err, c->size, c->name);
        image_overlay_original(image, c->addr, bytes, c->size);
        fprintf(t->f, "added %zu", t->w ? saved_bytes(t->w, bytes, c->size, true) : 0);
        if (!t->w) free(bytes);
        saved_word(t->f, c->name);
        fprintf(t->f, " 0x%" PRIx64 "\n", c->addr);
    }
    const struct image_overlay *list = image_overlays(image, &n);
    for (size_t i = 0; i < n; i++) {
        uint8_t *bytes = malloc(list[i].size + 1);
        if (!bytes) return alloc_failed(t->err, list[i].size, "a patch");
        gpudbg_image_copy(image, list[i].addr, bytes, list[i].size);
        fprintf(t->f, "patch 0x%" PRIx64, list[i].addr);
        hex(t->f, bytes, list[i].size);
        saved_word(t->f, list[i].text);
        putc('\n', t->f);
        free(bytes);
    }
    return true;
}

/* ---- Settings, dumps ---- */

static void write_settings(struct writing *t)
{
    char name[100], value[200];
    const struct gpudbg_isa *isa;
    const struct gpudbg_checker *k;
    for (size_t i = 0; setting_text(t->g, i, name, sizeof name, value, sizeof value); i++) {
        fputs("set", t->f);
        saved_word(t->f, name);
        saved_word(t->f, value);
        putc('\n', t->f);
    }
    for (size_t i = 0; (isa = registry_isa(t->g->registry, i)); i++)
        for (size_t r = 0; isa->device && isa->device[r].name; r++) {
            const struct device_value v = device_value(t->g->device, &t->g->loaded, isa, r);
            if (v.set) fprintf(t->f, "device %s 0x%" PRIx32 "\n", isa->device[r].name, v.value);
        }
    for (size_t i = 0; (k = registry_checker(t->g->registry, i)); i++)
        if (checks_on(t->g->control.checks, k)) fprintf(t->f, "check %s\n", k->kind);
}

static bool write_dumps(struct writing *t)
{
    for (size_t i = 0; i < t->g->loaded.ndumps; i++) {
        struct gpudbg_dump *d = t->g->loaded.dumps[i];
        size_t number = 0, n;
        uint8_t *bytes = t->w ? dump_contents(d, DUMP_MOST, &n, t->err) : NULL;
        if (t->w && !bytes) return false;
        if (t->w && too_large(t, n) && access(gpudbg_dump_path(d), R_OK) == 0) {
            free(bytes);
            if (!write_named(t, gpudbg_dump_path(d), &number)) return false;
        } else if (t->w) {
            number = saved_bytes(t->w, bytes, n, true);
        }
        fprintf(t->f, "dump %zu", number);
        saved_word(t->f, sent_name(gpudbg_dump_path(d)));
        fprintf(t->f, " format %s base 0x%" PRIx64 "\n", gpudbg_dump_format(d), gpudbg_dump_base(d));
    }
    return true;
}

/* ---- The launch, and what was done since ---- */

/* The path of @NAME on the disk, malloc'ed; NULL: it is not there, or another file by now. */
static char *input_path(const struct writing *t, const char *name, uint64_t size)
{
    char *path = NULL;
    FILE *f;
    const char *base = name[0] != '/' ? t->g->running.base : NULL;
    if (asprintf(&path, "%s%s%s", base ? base : "", base ? "/" : "", name) < 0) return NULL;
    f = fopen(path, "rb");
    const bool same = f && fseeko(f, 0, SEEK_END) == 0 && (uint64_t)ftello(f) == size;
    if (f) fclose(f);
    if (same) return path;
    free(path);
    return NULL;
}

/* What @NAME of a launch is called in the session, malloc'ed: its base name, and if an earlier input has that, too, a
 * number behind it.  Of a relative path nothing is hidden. */
static char *input_name(const struct gpudbg_launch *launch, size_t i)
{
    char *name = launch_file_of(&launch->bound[i]), *called = NULL;
    unsigned same = 0;
    if (!name || name[0] != '/') return name;
    for (size_t k = 0; k < i; k++) {
        char *other = launch_file_of(&launch->bound[k]);
        same += other && strcmp(other, name) != 0 && strcmp(sent_name(other), sent_name(name)) == 0;
        free(other);
    }
    if (same && asprintf(&called, "%s.%u", sent_name(name), same + 1) < 0) called = NULL;
    if (!same) called = xstrdup(sent_name(name));
    free(name);
    return called;
}

/* The words of the launch with those names in place of paths. */
static void write_words(FILE *f, const struct gpudbg_launch *launch, const char *words)
{
    char *all = xstrdup(words);
    for (size_t i = 0; i < launch->nbound; i++) {
        char *name = launch_file_of(&launch->bound[i]), *called = input_name(launch, i), *at = all, *next = NULL;
        const size_t n = name ? strlen(name) : 0;
        while (n && called && strcmp(name, called) != 0 && (at = strstr(at, name)) != NULL) {
            const bool whole = at > all && at[-1] == '@' && (!at[n] || strchr(" \t:\"'", at[n]));
            const size_t before = (size_t)(at - all);
            if (whole && asprintf(&next, "%.*s%s%s", (int)before, all, called, at + n) >= 0) {
                free(all);
                all = next;
                at = all + before + strlen(called);
            } else {
                at += n;
            }
        }
        free(name);
        free(called);
    }
    saved_word(f, all);
    free(all);
}

static bool write_input(struct writing *t, const char *name, const char *called, const struct gpudbg_bound *b)
{
    size_t number = 0;
    char *path = t->w && too_large(t, b->size) ? input_path(t, name, b->size) : NULL;
    bool good = true;
    if (path)
        good = write_named(t, path, &number);
    else if (t->w)
        number = saved_bytes(t->w, b->bytes, (size_t)b->size, false);
    free(path);
    fprintf(t->f, "input %zu", number);
    saved_word(t->f, called);
    putc('\n', t->f);
    return good;
}

static bool write_inputs(struct writing *t)
{
    const struct gpudbg_launch *launch = t->g->running.machine->launch;
    bool good = true;
    for (size_t i = 0; i < launch->nbound && good; i++) {
        char *name = launch_file_of(&launch->bound[i]);
        bool before = false;
        for (size_t k = 0; k < i && name && !before; k++) {
            char *other = launch_file_of(&launch->bound[k]);
            before = other && strcmp(other, name) == 0;
            free(other);
        }
        char *called = name && !before ? input_name(launch, i) : NULL;
        if (called) good = write_input(t, name, called, &launch->bound[i]);
        free(called);
        free(name);
    }
    return good;
}

static void write_log(struct writing *t)
{
    const struct gpudbg_machine *m = t->g->running.machine;
    struct machine_logged l;
    for (size_t i = 0; machine_logged(m, i, &l); i++) switch (l.kind) {
        case LOGGED_RUN:
            if (!l.n || !t->w) break;
            fprintf(t->f, "run %" PRIu64, l.n);
            if (l.wave != MACHINE_NO_WAVE) fprintf(t->f, " wave %" PRIu32, l.wave);
            putc('\n', t->f);
            break;
        case LOGGED_REGISTER:
            fprintf(t->f, "register %" PRIu32 " %s %u %u", l.wave, m->isa->files[l.file].name, l.index, l.first);
            hex(t->f, l.bytes, l.size);
            putc('\n', t->f);
            break;
        case LOGGED_MEMORY:
            fprintf(t->f, "memory %" PRIu32 " %s 0x%" PRIx64, l.wave, m->space[l.space].name, l.addr);
            hex(t->f, l.bytes, l.size);
            putc('\n', t->f);
            break;
        case LOGGED_PC: fprintf(t->f, "pc %" PRIu32 " 0x%" PRIx64 "\n", l.wave, l.addr); break;
        }
}

static bool write_launch(struct writing *t)
{
    const struct gpudbg_machine *m = t->g->running.machine;
    if (!m) return true;
    if (machine_restoring(m)) {
        fprintf(t->f, "restored %" PRIu32 "\n", m->nwaves);
    } else {
        if (!write_inputs(t)) return false;
        fputs("launch", t->f);
        write_words(t->f, m->launch, t->g->running.launched);
        putc('\n', t->f);
    }
    write_log(t);
    return true;
}

/* ---- Points, displays, marks ---- */

static void write_point(struct writing *t, const struct stop_point *p)
{
    fprintf(t->f, " %s%s", p->on ? "on" : "off", p->temporary ? " once" : "");
    if (p->hits && t->w) fprintf(t->f, " hits %" PRIu64, p->hits);
    if (p->ignore) fprintf(t->f, " ignore %" PRIu64, p->ignore);
    if (p->wave >= 0) fprintf(t->f, " wave %d", p->wave);
    if (p->lane >= 0) fprintf(t->f, " lane %d", p->lane);
    fputs(" what", t->f);
    saved_word(t->f, p->what[0] == '/' ? sent_name(p->what) : p->what); /* a line of a source file */
    if (!*p->condition) return;
    fputs(" if", t->f);
    saved_word(t->f, p->condition);
}

static void write_points(struct writing *t)
{
    const struct gpudbg_machine *m = t->g->running.machine;
    struct control *c = &t->g->control;
    for (const struct stop_point *p = stops_next(c, 0); p; p = stops_next(c, p->number)) {
        if (p->kind == STOP_BREAK) {
            fprintf(t->f, "break %d", p->number);
            write_point(t, p);
            for (size_t i = 0; i < p->nlocations; i++)
                fprintf(t->f, " at 0x%" PRIx64 " %s", p->location[i].pc, p->location[i].on ? "on" : "off");
        } else if (p->kind == STOP_WATCH && m) {
            fprintf(t->f, "watch %d %s", p->number, !p->writes ? "r" : p->reads ? "rw" : "w");
            write_point(t, p);
            if (p->place.followed) {
                fprintf(t->f, " followed 0x%" PRIx64, p->place.followed->at);
            } else if (p->place.is_register) {
                fprintf(t->f, " register %d", p->place.value.lane);
            } else {
                fprintf(
                    t->f, " memory %s %u %u", m->space[p->place.space].name, p->place.type.kind, p->place.type.bits);
                for (size_t i = 0; i < p->place.npieces; i++)
                    fprintf(t->f, " 0x%" PRIx64 " %" PRIu64, p->place.piece[i].addr, p->place.piece[i].size);
            }
        } else if (p->kind == STOP_CATCH && m) {
            fprintf(t->f, "catch %d", p->number);
            write_point(t, p);
        } else { /* watched in a launch that is no more */
            fprintf(t->f, "# not saved: point %d", p->number);
            saved_word(t->f, p->what);
        }
        putc('\n', t->f);
        if (!p->commands.n || (p->kind != STOP_BREAK && !m)) continue;
        fprintf(t->f, "commands %d", p->number);
        for (size_t i = 0; i < p->commands.n; i++) saved_word(t->f, p->commands.line[i]);
        putc('\n', t->f);
    }
}

static void write_spot(struct writing *t, const struct mark_spot *s)
{
    if (s->timed)
        fprintf(
            t->f, " position %" PRIu64 " wave %" PRIu32 " lane %d", s->position, s->wave, s->lane < 0 ? 0 : s->lane);
    if (marks_forgotten(t->g, s)) fputs(" forgotten", t->f);
    if (s->placed) fprintf(t->f, " place 0x%" PRIx64, s->addr);
    if (s->line) fprintf(t->f, " line %" PRIu32 " %zu", s->line, s->dump);
    putc('\n', t->f);
}

static void write_marks(struct writing *t)
{
    const struct marks *m = &t->g->marks;
    char letter;
    unsigned size;
    const char *text;
    for (size_t i = 0; displays_at(t->g, i, &letter, &size, &text); i++) {
        fprintf(t->f, "display %c %u", letter ? letter : '-', size);
        saved_word(t->f, text);
        putc('\n', t->f);
    }
    for (size_t i = 0; i < m->nbookmarks; i++) {
        fprintf(t->f, "bookmark %s", m->bookmark[i].name);
        write_spot(t, &m->bookmark[i].spot);
    }
    for (size_t i = 0; i < m->nnotes; i++) {
        fputs("note", t->f);
        saved_word(t->f, m->note[i].text);
        write_spot(t, &m->note[i].spot);
    }
}

static void write_present(struct writing *t)
{
    struct gpudbg *g = t->g;
    char spec[1000];
    if (g->front.layout && g->front.layout(g->front.data, spec, sizeof spec)) {
        fputs("layout", t->f);
        saved_word(t->f, spec);
        putc('\n', t->f);
    } else if (!g->front.layout && g->layout) {
        fputs("layout", t->f);
        saved_word(t->f, g->layout);
        putc('\n', t->f);
    }
    fprintf(t->f, "selected %" PRIu32 " %d 0x%" PRIx64 "\n", g->selection.wave, g->selection.lane, g->selection.cursor);
    if (g->running.machine)
        fprintf(t->f, "position %" PRIu64 " 0x%016" PRIx64 "\n", machine_position(g->running.machine),
            machine_hash(g->running.machine));
}

static bool write_all(struct writing *t)
{
    write_settings(t);
    if (t->g->loaded.image && !write_code(t)) return false;
    if (!write_dumps(t) || !write_launch(t)) return false;
    write_points(t);
    write_marks(t);
    if (t->w) write_present(t);
    return true;
}

bool session_write(struct gpudbg *g, const char *path, bool paths, session_beside *beside, void *data, uint64_t *size,
    struct gpudbg_error *err)
{
    struct saved_writer w;
    if (!g->loaded.image && !g->loaded.ndumps)
        return gpudbg_fail(err, "no-file", "nothing is open that could be saved");
    if (!saved_begin(&w, err)) return false;
    struct writing t = {g, w.lines, &w, path, paths, err};
    const bool good = write_all(&t) && saved_write(&w, path, &g->ticker, size, err);
    for (size_t i = 0; good && i < w.ncontents; i++)
        if (w.content[i].name) beside(data, w.content[i].name, w.content[i].size);
    saved_free(&w);
    if (!good) return false;
    free(g->saved.path);
    g->saved.path = xstrdup(path);
    g->saved.digest = session_digest;
    g->saved.was = session_digest(g);
    return true;
}

uint64_t session_digest(struct gpudbg *g)
{
    char *text = NULL;
    size_t n = 0;
    struct gpudbg_error ignored = {0};
    FILE *f = open_memstream(&text, &n);
    if (!f) return 0;
    struct writing t = {.g = g, .f = f, .err = &ignored};
    write_all(&t);
    fclose(f);
    const uint64_t h = hash_bytes(text, n, 0);
    free(text);
    return h;
}
