/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two of something: a buffer and a file, two positions, two waves, the code of two files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "command/differences.h"
#include "past/compare.h"
#include "control/stop.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

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
    bool good = args_end(a, err) &&
                (as.image[1] = plain ? difference_unpatched(g, err) : difference_file(g, copy, err)) != NULL;
    free(copy);
    for (int s = 0; good && s < 2; s++)
        if (!as.image[s]->isa)
            good = gpudbg_fail(err, "unsupported", "%s: gpudbg does not know its instruction set", as.image[s]->path);
    if (!good && as.image[1]) image_close(as.image[1]);
    for (int s = 0; good && s < 2; s++) difference_title(&as, s, s && plain ? "unpatched" : "", as.image[s]);
    good = good && difference_show(g, &as, true, out, err);
    *different = good && g->sides->ndiffer;
    return good;
}

/* ---- diff FILE arg N ---- */

/* A buffer and n bytes that are called `path`: those of a file, or of another buffer. */
static bool diff_bytes(struct gpudbg *g, const struct gpudbg_segment *s, const uint8_t *want, size_t n,
    const char *path, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_machine *m = g->running.machine;
    const struct gpudbg_bound *b = NULL;
    for (size_t i = 0; i < m->launch->nbound; i++)
        if (m->launch->bound[i].segment == s) b = &m->launch->bound[i];
    const uint64_t both = n < s->size ? n : s->size;
    uint64_t first = both, bytes = n < s->size ? s->size - n : n - s->size;
    for (uint64_t i = both; i-- > 0;)
        if (want[i] != s->bytes[i]) first = i, bytes++;
    *different = bytes != 0;
    if (!b || first == both) {
        RECORD(out, "buffer-difference",
            "[{name}: equal to {file}, {bytes} bytes{same}\n]"
            "[{name}: {bytes} bytes, and {file} has {expected}; the bytes that both have are equal\n]",
            STRING("name", s->name), STRING("file", path), BOOL("equal", !*different), FLAG("same", !*different),
            NUMBER("bytes", s->size), NUMBER("differ", bytes), IF(*different, NUMBER("expected", n)));
        return true;
    }
    struct difference_place e;
    struct past_write w;
    bool found = false;
    char is[PAST_TEXT], wanted[PAST_TEXT], where[200], text[GPUDBG_PRINT];
    unsigned char now[PAST_BYTES] = {0}, then[PAST_BYTES] = {0};
    difference_element(b, first, &e);
    const uint64_t start = e.place.piece->addr - s->base;
    snprintf(text, sizeof text, "0x%" PRIx64, e.place.piece->addr);
    if (g->front.show) g->front.show(g->front.data, "memory", text); /* from where its keys go on */
    memcpy(now, s->bytes + start, (size_t)e.place.size);
    memcpy(then, want + start, start + e.place.size <= n ? (size_t)e.place.size : (size_t)(n - start));
    int short_is, short_wanted;
    past_text_plain(&g->eval, &e.place, now, PAST_HERE, is, sizeof is, &short_is);
    past_text_plain(&g->eval, &e.place, then, PAST_HERE, wanted, sizeof wanted, &short_wanted);
    const bool good = past_last(&g->eval, &e.place, &w, &found, err);
    past_free(&e.place);
    if (!good) return false;
    if (found) image_where(g->loaded.image, w.pc, where, sizeof where);
    if (found) difference_insn(g, g->loaded.image, w.pc, text, sizeof text);
    const int lane = found && w.lanes ? __builtin_ctzll(w.lanes) : -1;
    const bool same = short_is == short_wanted && strncmp(is, wanted, (size_t)short_is) == 0; /* NaNs */
    char numbers[2][PAST_TEXT];
    snprintf(numbers[0], sizeof numbers[0], "%.*s", same ? (int)strlen(is) : short_is, is);
    snprintf(numbers[1], sizeof numbers[1], "%.*s", same ? (int)strlen(wanted) : short_wanted, wanted);
    RECORD(out, "buffer-difference",
        "{element} is {is}, {file} has {wanted}; {differ} bytes differ\n"
        "[  written at position {position}, wave {wave}[, lane {lane}], {where}: {text}\n]"
        "[{!position}  no instruction has written it\n]",
        STRING("name", s->name), STRING("file", path), BOOL("equal", false), NUMBER("bytes", s->size),
        NUMBER("differ", bytes), NUMBER("offset", first), STRING("element", e.name), STRING("value", is),
        STRING("expected_value", wanted), IF(found, NUMBER("position", w.position)), IF(found, NUMBER("wave", w.wave)),
        IF(lane >= 0, NUMBER("lane", lane)), IF(found, HEX("pc", w.pc)), STRING("where", found ? where : NULL),
        STRING("text", found ? text : NULL), TEXT("is", numbers[0]), TEXT("wanted", numbers[1]));
    return true;
}

static bool diff_buffer(struct gpudbg *g, const char *path, const char *which, bool *different, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    const struct gpudbg_machine *m = eval_need_machine(&g->eval, err);
    const struct gpudbg_segment *s = m ? launch_buffer(m, which, err) : NULL;
    struct gpudbg_error why = {.offset = -1};
    size_t n;
    if (!s) return false;
    if (g->sealed) return gpudbg_fail(err, "not-now", "this session must not open files");
    uint8_t *want = (uint8_t *)gpudbg_read_file(g, path, UINT32_MAX, &n, &why);
    if (!want) return gpudbg_fail(err, why.kind, "%s: %s", path, why.message);
    const bool good = diff_bytes(g, s, want, n, path, different, out, err);
    free(want);
    return good;
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
        if (g->front.show) g->front.show(g->front.data, "compare", NULL);
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

/* The buffer of a parameter of this name, n letters. */
static const struct gpudbg_segment *buffer_named(const struct gpudbg *g, const char *name, size_t n)
{
    const struct gpudbg_launch *launch = g->running.machine ? g->running.machine->launch : NULL;
    for (size_t i = 0; launch && i < launch->nbound; i++) {
        const struct gpudbg_bound *b = &launch->bound[i];
        if (b->segment && b->name && strlen(b->name) == n && strncmp(b->name, name, n) == 0) return b->segment;
    }
    return NULL;
}

/* "A B": two buffers, or one in place of the file, for which the error says the right form; false: it is neither. */
static bool buffer_first(
    struct gpudbg *g, const char *rest, bool *good, bool *different, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const size_t n = strcspn(rest, " \t");
    const char *other = rest + n + strspn(rest + n, " \t");
    const struct gpudbg_segment *s = buffer_named(g, rest, n), *with = s ? buffer_named(g, other, strlen(other)) : NULL;
    if (!s) return false;
    if (with)
        *good = diff_bytes(g, s, with->bytes, (size_t)with->size, with->name, different, out, err);
    else if (*other && strncmp(other, "--", 2) != 0)
        *good = gpudbg_fail(err, "usage", "the file comes first: diff %.100s arg %s", other, s->name);
    else if (access(s->name, R_OK) != 0)
        *good = gpudbg_fail(err, "usage",
            "%s is a buffer; what to compare it with is missing: diff %s BUFFER, or diff "
            "FILE arg %s",
            s->name, s->name, s->name);
    else
        return false;
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
    bool good;
    if (!arg && buffer_first(g, rest, &good, different, out, err)) return good;
    if (!arg) return difference_of_runs(g, a, different, out, err);
    const char *word = gpudbg_args_word(a);
    char *path = xstrdup(word ? word : "");
    gpudbg_args_word(a);
    const char *which = args_need(a, "the argument", err);
    good = which && args_end(a, err) && diff_buffer(g, path, which, different, out, err);
    free(path);
    return good;
}

static bool run_diff(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    bool different = false;
    const bool good = diff_something(g, a, &different, out, err);
    return difference_ended(g, good, different, err);
}

static const struct gpudbg_command diff = {
    .name = "diff",
    .usage = "FILE arg N | BUFFER BUFFER | positions P Q | waves A B | code FILE|-n [KERNEL] | [/all] FILE [-- LAUNCH]",
    .summary = "compare a buffer with a file or another, two positions in time, two waves, or two runs",
    .help = "FILE arg N     the buffer of argument N (a number from 0, or a name) with the bytes of a file: the first\n"
            "               element that is wrong, and the instruction that wrote it; on the screen the cursor of\n"
            "               the pane memory is on that element, and y shows where it comes from\n"
            "BUFFER BUFFER  the buffers of two arguments, by their names, likewise\n"
            "positions P Q  registers of the selected wave, and memory\n"
            "waves A B      registers of two waves, now\n"
            "code FILE      the loaded code and that of another file (-n: of the file without your patches), rows\n"
            "               aligned; nothing needs to run\n"
            "FILE           as `diffrun FILE`, also with /all\n"
            "A register or a buffer that differs is a line: the first lane or element that does, its two values, and\n"
            "how many more.  On the screen these open the pane compare (`help screen`), where both sides move in lock\n"
            "step.\n" DIFFERENCE_STATUS,
    .family = "Time",
    .run = run_diff,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&diff, NULL};
COMMAND_FAMILY(cmd_diff, "differences", .summary = "two of something", .commands = commands);
