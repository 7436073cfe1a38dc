/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to recorded time: last-write, next-write, info writes, find-time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "command/cmd_past.h"
#include "code/walk.h"
#include "past/off.h"
#include "past/origin.h"
#include "past/past.h"
#include "past/stored.h"
#include "control/stop.h"
#include "gpudbg/lane_set.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

#define ORIGIN_DEPTH 32 /* of a tree */
#define WRITES_MOST 100 /* that `info writes` shows */

/* ---- A write, as text and as a record ---- */

/* ", lane 3", ", lanes 0-7,12"; "" for none. */
static int lanes_line(uint64_t lanes, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    if (lanes) text_add(&t, ", ");
    text_add_lanes(&t, lanes);
    return text_length(&t);
}

#define STORED_NAME 540

/* Whether the element that was stored says more than the place's first bytes. */
static bool stored_alone(const struct past_place *p, const struct past_write *w)
{
    return w->stored.known && !p->shape && !p->type.bits;
}

/* "c[17]: 0.0 -> -3.75 (and 63 more elements)"; was, is: of PAST_TEXT bytes. */
static void stored_text(struct gpudbg *g, const struct past_place *p, const struct past_write *w, const char *what,
    char element[STORED_NAME], char *was, char *is, char *buf, size_t size)
{
    const struct past_stored *s = &w->stored;
    struct text t = text_in(buf, size);
    past_stored_name(&g->eval, p, s, what, element, STORED_NAME);
    past_stored_value(&g->eval, p, s, s->old, was, PAST_TEXT);
    past_stored_value(&g->eval, p, s, s->now, is, PAST_TEXT);
    text_add(&t, "%s: %s -> %s", element, was, is);
    past_stored_more(s, &t);
}

static void show_write(
    struct gpudbg *g, const char *what, struct past_place *p, const struct past_write *w, struct gpudbg_out *out)
{
    struct machine_wave_info info;
    char where[200], text[GPUDBG_PRINT], lanes[LANE_SET_TEXT], was[PAST_TEXT], is[PAST_TEXT], old[PAST_TEXT],
        now[PAST_TEXT];
    char element[STORED_NAME], sentence[2 * STORED_NAME];
    const bool one = stored_alone(p, w);
    const size_t n = p->size < PAST_BYTES ? (size_t)p->size : PAST_BYTES;
    const uint64_t behind = past_behind(&g->eval, w->pc);
    machine_wave_info(g->running.machine, w->wave, &info);
    image_where(g->loaded.image, w->pc, where, sizeof where);
    past_insn_text(&g->eval, w->pc, text, sizeof text);
    lanes_line(w->lanes, lanes, sizeof lanes);
    past_text(&g->eval, p, w->old, w->pc, old, sizeof old);
    past_text(&g->eval, p, w->now, behind, now, sizeof now);
    past_number(&g->eval, p, w->old, w->pc, was, sizeof was);
    past_number(&g->eval, p, w->now, behind, is, sizeof is);
    if (one) stored_text(g, p, w, what, element, was, is, sentence, sizeof sentence);
    RECORD(out, "write",
        "{expression}: position {position}, wave {wave}{who}, {where}: {text}\n"
        "[  {sentence}\n][  old {before}\n  new {after}\n]"
        "[  it was changed by hand after that{edited}\n]",
        STRING("expression", what), BOOL("found", true), NUMBER("position", w->position), NUMBER("wave", w->wave),
        NUMBERS("group", info.group_id, 3), IF(w->lanes, HEX("lanes", w->lanes)), HEX("pc", w->pc),
        STRING("where", where), STRING("text", text), BYTES("old", w->old, n), BYTES("new", w->now, n),
        STRING("old_value", *was ? was : NULL), STRING("new_value", *is ? is : NULL),
        STRING("element", one ? element : NULL), IF(one, NUMBER("elements", w->stored.elements)),
        FLAG("edited", w->edited), TEXT("who", lanes), TEXT("sentence", one ? sentence : NULL),
        TEXT("before", one ? NULL : old), TEXT("after", one ? NULL : now));
}

/* ---- last-write, next-write ---- */

/* Goes to the position, before that instruction, and selects its wave and lane. */
static bool go_there(struct gpudbg *g, const struct past_write *w, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct machine_want want = {.until = MACHINE_POSITION, .count = w->position, .wave = w->wave};
    if (!stops_run(&g->control, &want, err)) return false;
    g->selection.wave = w->wave;
    if (w->lanes) g->selection.lane = __builtin_ctzll(w->lanes);
    g->running.last.wave = w->wave;
    g->running.last.pc = g->selection.cursor = w->pc;
    stop_report(&g->control, out);
    return true;
}

static bool tell_write(
    struct gpudbg *g, struct gpudbg_args *a, bool next, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct past_place p = {0};
    struct past_write w;
    char text[1024], what[128];
    const char *format = gpudbg_args_format(a);
    const bool goes = strcmp(format, "g") == 0;
    bool found = false;
    if (*format && !goes) return gpudbg_fail(err, "usage", "/%s: only /g is known: go there", format);
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!args_whole(a, text, sizeof text, err)) return false;
    if (!*text) return gpudbg_fail(err, "usage", "the register or memory is missing");
    text_put(what, sizeof what, "%s", text);
    bool good = past_named(&g->eval, g->selection.wave, text, &p, err) &&
                (next ? past_next : past_last)(&g->eval, &p, &w, &found, err);
    if (good && found) {
        show_write(g, past_name(&p, what), &p, &w, out);
        if (goes) good = go_there(g, &w, out, err);
    } else if (good) {
        const char *when = next ? "in recorded time, from here on" : "between the launch and here";
        RECORD(out, "write", "{expression}: no instruction writes it {when}\n",
            STRING("expression", past_name(&p, what)), BOOL("found", false), TEXT("when", when));
    }
    past_free(&p);
    return good;
}

static bool run_last(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return tell_write(g, a, false, out, err);
}

static bool run_next(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return tell_write(g, a, true, out, err);
}

static const struct gpudbg_command last_write = {
    .name = "last-write",
    .usage = "[/g] PLACE[,SIZE]",
    .summary = "tell which instruction wrote a register or memory last",
    .help = "PLACE is a register ($v7[12], $exec, $r16.3:f, $r1.x) or memory (*(u32*)(a+16), lds:64, a,32), as in\n"
            "`watch`.  The answer is the instruction before the present that wrote any part of it: its position in\n"
            "time, wave, lanes, and the value before and after.  gpudbg finds it in the recorded time; programs do\n"
            "not run slower because of this command.\n"
            "Of a whole buffer, or of another range, it names the first element that the instruction changed, and how\n"
            "many it stored.\n"
            "/g  goes there: the machine is then before that instruction.",
    .family = "Time",
    .effect = GPUDBG_MOVES,
    .run = run_last,
    .complete = complete_expression,
};

static const struct gpudbg_command next_write = {
    .name = "next-write",
    .usage = "[/g] PLACE[,SIZE]",
    .summary = "tell which recorded instruction writes a register or memory next",
    .help = "As `last-write`, from here to the end of recorded time.",
    .family = "Time",
    .effect = GPUDBG_MOVES,
    .run = run_next,
    .complete = complete_expression,
};

/* ---- info writes ---- */

struct write_row {
    struct gpudbg *g;
    struct past_place *p;
    const struct past_write *w;
    const char *what;
};

#define WRITE(row) (((const struct write_row *)(row))->w)

static int row_position(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, WRITE(row)->position);
}

static int row_wave(const void *row, char *buf, size_t size) { return snprintf(buf, size, "%u", WRITE(row)->wave); }

static int row_lanes(const void *row, char *buf, size_t size)
{
    char lanes[LANE_SET_TEXT];
    if (lanes_line(WRITE(row)->lanes, lanes, sizeof lanes) <= 0) return 0;
    return snprintf(buf, size, "%s", strchr(lanes + 2, ' ') + 1);
}

static int row_pc(const void *row, char *buf, size_t size) { return snprintf(buf, size, "0x%" PRIx64, WRITE(row)->pc); }

static int row_element(const void *row, char *buf, size_t size)
{
    const struct write_row *r = row;
    if (r->p->is_register) return snprintf(buf, size, "%s", r->what);
    if (!stored_alone(r->p, r->w)) return 0;
    past_stored_name(&r->g->eval, r->p, &r->w->stored, r->what, buf, size);
    return (int)strlen(buf);
}

/* The value of the element. */
static int stored_cell(const struct write_row *r, const unsigned char *bytes, char *buf, size_t size)
{
    past_stored_value(&r->g->eval, r->p, &r->w->stored, bytes, buf, size);
    return (int)strlen(buf);
}

static int row_more(const void *row, char *buf, size_t size)
{
    const struct write_row *r = row;
    if (r->p->is_register) return snprintf(buf, size, "%d", r->w->lanes ? __builtin_popcountll(r->w->lanes) : 1);
    if (!stored_alone(r->p, r->w)) return 0;
    return snprintf(buf, size, "%" PRIu64, r->w->stored.elements);
}

static int row_old(const void *row, char *buf, size_t size)
{
    const struct write_row *r = row;
    if (stored_alone(r->p, r->w)) return stored_cell(r, r->w->stored.old, buf, size);
    return past_text(&r->g->eval, r->p, r->w->old, r->w->pc, buf, size);
}

static int row_new(const void *row, char *buf, size_t size)
{
    const struct write_row *r = row;
    if (stored_alone(r->p, r->w)) return stored_cell(r, r->w->stored.now, buf, size);
    return past_text(&r->g->eval, r->p, r->w->now, past_behind(&r->g->eval, r->w->pc), buf, size);
}

static int row_text(const void *row, char *buf, size_t size)
{
    return past_insn_text(&((const struct write_row *)row)->g->eval, WRITE(row)->pc, buf, size);
}

static const struct gpudbg_column write_columns[] = {
    {"position", "position", 0, GPUDBG_COUNT, row_position},
    {"wave", "wave", 0, GPUDBG_COUNT, row_wave},
    {"lane", "lane", 0, GPUDBG_PLAIN, row_lanes},
    {"element", "element", 0, GPUDBG_PLAIN, row_element},
    {"elements", "stored", 0, GPUDBG_COUNT, row_more},
    {"old", "old", 0, GPUDBG_PLAIN, row_old},
    {"new", "new", 0, GPUDBG_PLAIN, row_new},
    {"pc", "address", 0, GPUDBG_ADDRESS, row_pc},
    {"text", "instruction", 0, GPUDBG_NOTE, row_text},
};

static bool write_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct past_place p = {0};
    uint64_t count = 0;
    char text[1024];
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!*args) return gpudbg_fail(err, "usage", "info writes: the register or memory is missing");
    snprintf(text, sizeof text, "%s", args);
    struct past_write *w = xcalloc(WRITES_MOST, sizeof *w);
    const bool good = past_named(&g->eval, g->selection.wave, text, &p, err) &&
                      past_writes(&g->eval, &p, w, WRITES_MOST, &count, err);
    for (size_t i = 0; good && i < count && i < WRITES_MOST; i++) {
        const struct write_row row = {g, &p, &w[i], past_name(&p, args)};
        if (!each(to, &row)) break;
    }
    free(w);
    past_free(&p);
    return good;
}

static const struct gpudbg_listing writes = {
    .name = "writes",
    .summary = "list the recorded instructions that write a register or memory: the last 100",
    .type = "written",
    .columns = write_columns,
    .ncolumns = sizeof write_columns / sizeof *write_columns,
    .rows = write_rows,
    .empty = "no instruction writes it in recorded time",
};

/* ---- find-time ---- */

static bool run_find_time(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct past_times t;
    const char *condition = gpudbg_args_rest(a);
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!*condition) return gpudbg_fail(err, "usage", "the condition is missing");
    if (!past_times(&g->eval, condition, &t, err)) return false;
    RECORD(out, "time",
        "[first at position {first}, last at {last}; it began to hold {times} time{times:s}\n][{!first}never in "
        "recorded "
        "time\n]",
        STRING("condition", condition), NUMBER("wave", g->selection.wave), NUMBER("lane", g->selection.lane),
        NUMBER("times", t.times), IF(t.times, NUMBER("first", t.first)), IF(t.times, NUMBER("last", t.last)));
    return true;
}

static const struct gpudbg_command find_time = {
    .name = "find-time",
    .usage = "COND",
    .summary = "tell when an expression held: its first and last position in recorded time",
    .help = "COND is evaluated for the selected wave and lane before every recorded instruction of any wave, so this\n"
            "takes as long as running all of it with a condition.  Ctrl-C ends it.  Where COND cannot be evaluated\n"
            "(the wave has ended), it does not hold.  `goto POSITION` goes to what was found.",
    .family = "Time",
    .run = run_find_time,
    .complete = complete_expression,
};

/* ---- origin ---- */

static const char *role_word(enum input_role role)
{
    return role == INPUT_ADDRESS ? "address" : role == INPUT_CHOICE ? "choice" : "value";
}

static void show_node(struct gpudbg *g, const struct origin_node *node, struct gpudbg_out *out)
{
    char where[200], text[GPUDBG_PRINT], lanes[LANE_SET_TEXT] = "", indent[2 * ORIGIN_DEPTH + 2];
    const struct past_write *w = &node->write;
    snprintf(indent, sizeof indent, "%*s", (int)(2 * node->depth), "");
    if (node->found) {
        image_where(g->loaded.image, w->pc, where, sizeof where);
        past_insn_text(&g->eval, w->pc, text, sizeof text);
        lanes_line(w->lanes, lanes, sizeof lanes);
    }
    RECORD(out, "origin",
        "{indent}{expression}{as|} = {value|?}: [position {position}, wave {wave}{who}, {where}: {text}][{leaf}]"
        "[ (through {copies} cop{ies})][ ...{cut}]\n",
        STRING("expression", node->name), NUMBER("depth", node->depth), STRING("role", role_word(node->role)),
        STRING("value", *node->value ? node->value : NULL), IF(node->found, NUMBER("position", w->position)),
        IF(node->found, NUMBER("wave", w->wave)), IF(node->found && w->lanes, HEX("lanes", w->lanes)),
        IF(node->found, HEX("pc", w->pc)), STRING("where", node->found ? where : NULL),
        STRING("text", node->found ? text : NULL), IF(node->copies, NUMBER("copies", node->copies)),
        FLAG("cut", node->cut), STRING("leaf", node->found ? NULL : node->leaf), TEXT("indent", indent),
        TEXT("who", lanes), TEXT("ies", node->copies == 1 ? "y" : "ies"),
        TEXT("as", node->role == INPUT_VALUE     ? NULL
                   : node->role == INPUT_ADDRESS ? " (address)"
                                                 : " (choice)"));
}

void past_show_origin(struct gpudbg *g, const struct origin_node *node, size_t n, struct gpudbg_out *out)
{
    for (size_t i = 0; i < n; i++) show_node(g, &node[i], out);
}

static bool run_origin(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct past_place p = {0};
    struct origin_want want = {.depth = 1, .rows = 200};
    char text[1024], what[96];
    const char *format = gpudbg_args_format(a);
    size_t n = 0;
    if (!eval_need_machine(&g->eval, err)) return false;
    if (strcmp(format, "all") == 0)
        want.copies = true;
    else if (strcmp(format, "tree") == 0) {
        const char *word = gpudbg_args_word(a);
        char *end = NULL;
        const unsigned long depth = word ? strtoul(word, &end, 10) : 0;
        if (!word || *end || !depth || depth > ORIGIN_DEPTH)
            return gpudbg_fail(err, "usage", "/tree needs a depth, 1 to %d, and then the place", ORIGIN_DEPTH);
        want.depth = (unsigned)depth;
    } else if (*format)
        return gpudbg_fail(err, "usage", "/%s: only /all and /tree N are known", format);
    if (!args_whole(a, text, sizeof text, err)) return false;
    if (!*text) return gpudbg_fail(err, "usage", "the register or memory is missing");
    text_put(what, sizeof what, "%s", text);
    struct origin_node *node = NULL;
    bool good = past_named(&g->eval, g->selection.wave, text, &p, err);
    if (good && !p.is_register && (p.npieces != 1 || p.size > 64))
        good = gpudbg_fail(
            err, "too-large", "%s has %" PRIu64 " bytes in %zu pieces: name one element", what, p.size, p.npieces);
    if (good) node = origin_of(&g->eval, past_name(&p, what), &p, &want, &n, err);
    for (size_t i = 0; node && i < n; i++) show_node(g, &node[i], out);
    free(node);
    past_free(&p);
    return good && node;
}

static const struct gpudbg_command origin = {
    .name = "origin",
    .usage = "[/all | /tree N] PLACE",
    .summary = "show where a value comes from: the instruction that computed it, and its inputs",
    .help =
        "PLACE is a register or memory, as in `last-write`.  The first line shows the value and the instruction that\n"
        "computed it.  The lines below show its inputs: their values, and the instructions that computed them.\n"
        "(address) marks a part of the address of a load or a store, (choice) a bit of a mask.  Copies, moves between\n"
        "lanes, and stores that are loaded again are left out.\n"
        "A line without an instruction is where a value begins: the contents of a buffer at the launch, a register\n"
        "that the launch sets, or something never written.\n"
        "/all     show copies, too\n"
        "/tree N  show the inputs of inputs, to N levels",
    .family = "Time",
    .run = run_origin,
    .complete = complete_expression,
};

/* ---- why off ---- */

static void place_line(struct gpudbg *g, uint64_t pc, char *where, char *text, size_t size)
{
    image_where(g->loaded.image, pc, where, size);
    past_insn_text(&g->eval, pc, text, size);
}

static void show_off(struct gpudbg *g, int lane, const struct off *off, struct gpudbg_out *out)
{
    static const char *const words[] = {
        [OFF_RUNS] = "runs",
        [OFF_ABSENT] = "absent",
        [OFF_ENDED] = "ended",
        [OFF_LAUNCH] = "launch",
        [OFF_EDITED] = "edited",
        [OFF_TURNED] = "turned-off",
    };
    static const char *const sentences[] = {
        [OFF_RUNS] = "runs",
        [OFF_ABSENT] = "does not exist: the group has fewer work-items",
        [OFF_ENDED] = "is off: the wave has ended",
        [OFF_LAUNCH] = "is off since the launch",
        [OFF_EDITED] = "is off: no instruction turned it off, somebody changed it by hand",
        [OFF_TURNED] = "is off",
    };
    char where[GPUDBG_PRINT], text[GPUDBG_PRINT], back[GPUDBG_PRINT], back_text[GPUDBG_PRINT];
    const bool turned = off->how == OFF_TURNED;
    const uint64_t to = off->returns ? off->returns_pc : off->may_return_pc;
    place_line(g, off->pc, where, text, sizeof where);
    place_line(g, to, back, back_text, sizeof back);
    const bool returns = off->returns || off->may_return;
    RECORD(out, "off",
        "lane {lane} of wave {wave} {sentence}[: position {position}, {where}: {text}]\n"
        "[  it runs again after position {returns}, {returns_where}: {returns_text}\n]"
        "[  recorded time ends before it runs again; it may at {may_where}: {may_text}\n]",
        NUMBER("wave", g->selection.wave), NUMBER("lane", (uint64_t)lane), STRING("how", words[off->how]),
        IF(turned, NUMBER("position", off->position)), IF(turned, HEX("pc", off->pc)),
        STRING("where", turned ? where : NULL), STRING("text", turned ? text : NULL),
        IF(off->returns, NUMBER("returns", off->returns_position)), IF(returns, HEX("returns_pc", to)),
        STRING("returns_where", returns ? back : NULL), STRING("returns_text", off->returns ? back_text : NULL),
        TEXT("may_where", !off->returns && off->may_return ? back : NULL),
        TEXT("may_text", !off->returns && off->may_return ? back_text : NULL), TEXT("sentence", sentences[off->how]));
}

static bool run_why(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct origin_want want = {.depth = 2, .rows = 60};
    const char *word = gpudbg_args_word(a);
    struct origin_node *node = NULL;
    struct off off;
    char what[64];
    uint64_t lane = 0;
    size_t n = 0;
    if (!word) return gpudbg_fail(err, "usage", "why: what is to be explained is missing; `why off` is known");
    if (strcmp(word, "off") != 0) return gpudbg_fail(err, "usage", "why %.40s: only `why off` is known", word);
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!*gpudbg_args_rest(a))
        lane = g->selection.lane > 0 ? (uint64_t)g->selection.lane : 0;
    else if (!args_value(a, "the lane", &lane, err))
        return false;
    if (lane > 63) return gpudbg_fail(err, "out-of-range", "no lane %" PRIu64 ": a wave has 64 at most", lane);
    if (!off_find(&g->eval, g->selection.wave, (int)lane, &off, err)) return false;
    show_off(g, (int)lane, &off, out);
    snprintf(what, sizeof what, "lane %" PRIu64 " of wave %u", lane, g->selection.wave);
    if (off.how == OFF_TURNED)
        node = origin_of_lane(&g->eval, g->selection.wave, (int)lane, off.position, what, &want, &n, err);
    else if (off.how == OFF_RUNS)
        node = origin_of_predicate(&g->eval, g->selection.wave, (int)lane, &want, &n, err);
    for (size_t i = off.how == OFF_TURNED; node && i < n; i++) show_node(g, &node[i], out);
    free(node);
    return off.how != OFF_TURNED || node;
}

static const struct gpudbg_command why = {
    .name = "why",
    .usage = "off [LANE]",
    .summary = "show why a lane does not run: what turned it off, from which values, and where it runs again",
    .help = "The answer is the branch, the compare or the write to the mask that switched the lane off.  Below it are\n"
            "its operands in this lane and what computed them, as `origin` prints them.  The last line says where in\n"
            "recorded time the lane runs again, or, if it does not yet, where the code may switch it on.\n"
            "If the lane runs, but a predicate leaves it out of the next instruction, the predicate is shown.\n"
            "LANE  a lane of the selected wave; without it, the selected lane",
    .family = "Time",
    .run = run_why,
};

static const struct gpudbg_command *const commands[] = {&last_write, &next_write, &find_time, &origin, &why, NULL};
static const struct gpudbg_listing *const listings[] = {&writes, NULL};
COMMAND_FAMILY(cmd_past, "past", .summary = "questions to recorded time", .commands = commands, .listings = listings);
