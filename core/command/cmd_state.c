/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info about the machine: registers, history, hash.  Its listings are in cmd_lists.c. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "image/image.h"
#include "session/command.h"
#include "eval/expr.h"
#include "code/records.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/session.h"
#include "eval/value.h"

/* ---- info registers ---- */

#define WORDS_MAX 2048
#define PER_LINE 8 /* lanes, of as many columns as they take: fewer where `set width` leaves no room */

/* How many values of this length stand behind a name in a line. */
static size_t per_line(const struct gpudbg *g, size_t len)
{
    size_t width = (size_t)g->settings.width, used = 13;
    if (!width || width >= used + PER_LINE * (len + 1)) return PER_LINE;
    return width > used + len + 1 ? (width - used) / (len + 1) : 1;
}

/* One register: its name, and its values: one, or one a lane. */
static bool show_register(
    struct gpudbg *g, const struct value *v, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_regfile *file = &g->running.machine->isa->files[v->file];
    uint32_t words[WORDS_MAX];
    char name[64], text[128];
    const bool wide = file->bits > 64; /* shown as its dwords */
    unsigned each = wide ? 1 : (file->bits + 31u) / 32;
    size_t n = value_words(&g->eval, g->selection.wave, v, words, WORDS_MAX, err);
    gpudbg_register_name(file, v->reg, name, sizeof name);
    if (!n && err->kind && strcmp(err->kind, "unknown") == 0) {
        err->kind = NULL;
        RECORD(out, "register", "{name:-12} unknown\n", STRING("name", name), STRING("file", file->name),
            NUMBER("wave", g->selection.wave), BOOL("unknown", true));
        return true;
    }
    if (!n) return false;
    const bool lanes = file->lanes > 1 || wide;
    size_t in_line = PER_LINE;
    BEGIN(out, "register", "[{!lane}{name:-12}]", STRING("name", name), STRING("file", file->name),
        NUMBER("wave", g->selection.wave), IF(lanes, NUMBER("lane", v->lane)));
    if (lanes) gpudbg_out_array(out, "values");
    for (size_t i = 0; i + each <= n; i += each) {
        struct value e = {
            .type = {v->type.kind, (uint8_t)(each > 1 ? 64 : 32)}, .place = PLACE_REGISTER, .mask = file->mask};
        size_t lane = (size_t)v->lane + i / each;
        value_set_bits(&e, words[i] | (each > 1 ? (uint64_t)words[i + 1] << 32 : 0));
        value_text(&g->eval, &e, letter ? letter : 'z', text, sizeof text);
        if (!i) in_line = per_line(g, strlen(text));
        if (lanes && i / each % in_line == 0)
            gpudbg_out_print(out, "%s%-8s [%2zu]", i ? "\n" : "", i ? "" : name, lane);
        SAY(out, " {text}", TEXT("text", text), HEX(lanes ? NULL : "value", value_bits(&e)));
    }
    if (lanes) gpudbg_out_close(out);
    if (file->format && file->lanes <= 1) {
        struct gpudbg_field_iter it;
        uint8_t bytes[64];
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)((i / 4 < n ? words[i / 4] : 0) >> 8 * (i % 4));
        gpudbg_out_array(out, "fields");
        for (gpudbg_word_fields(&it, file->format, bytes); gpudbg_out_json(out) && gpudbg_next_field(&it);)
            field_record(out, &it, NULL);
        gpudbg_out_close(out);
    }
    const struct gpudbg_runner *run = g->running.machine->isa->run;
    struct gpudbg_wave *wave = run->holds && file->lanes <= 1 ? machine_wave(g->running.machine, g->selection.wave, err)
                                                              : NULL;
    unsigned bits;
    const bool holds = wave && run->holds(wave, v->file, v->reg, &bits, text, sizeof text) > 0;
    SAY(out, "[  {holds}]\n", STRING("holds", holds ? text : NULL));
    gpudbg_out_end(out);
    return true;
}

/* Numbered scalar registers as text: several a line. */
static bool show_scalars(
    struct gpudbg *g, unsigned f, unsigned count, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_regfile *file = &g->running.machine->isa->files[f];
    char name[64], text[128];
    for (unsigned r = 0; r < count; r++) {
        struct value v = {.type = {VALUE_UNSIGNED, file->bits > 32 ? 64 : 32},
            .place = PLACE_REGISTER,
            .file = (uint16_t)f,
            .reg = (uint16_t)r,
            .count = 1,
            .lanes = 1,
            .mask = file->mask};
        const bool known = value_load(&g->eval, g->selection.wave, &v, err);
        if (!known && !(err->kind && strcmp(err->kind, "unknown") == 0)) return false;
        err->kind = NULL;
        gpudbg_register_name(file, r, name, sizeof name);
        if (known)
            value_text(&g->eval, &v, letter ? letter : 'z', text, sizeof text);
        else
            snprintf(text, sizeof text, "unknown");
        bool last = r % 4 == 3 || r + 1 == count;
        gpudbg_out_print(out, last ? "%-12s %s\n" : "%-12s %-16s ", name, text);
    }
    return true;
}

/* All registers of a file. */
static bool show_file(struct gpudbg *g, unsigned f, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = g->running.machine->isa;
    unsigned count = isa->run->count(g->running.machine, f);
    if (isa->files[f].indexed && isa->files[f].lanes <= 1 && isa->files[f].bits <= 64 && !gpudbg_out_json(out))
        return show_scalars(g, f, count, letter, out, err);
    for (unsigned r = 0; r < count && !out_broken(out); r++) {
        struct value v = {.type = {VALUE_UNSIGNED, isa->files[f].bits > 32 ? 64 : 32},
            .place = PLACE_REGISTER,
            .file = (uint16_t)f,
            .reg = (uint16_t)r,
            .count = 1,
            .lanes = (int16_t)(isa->files[f].lanes > 1 ? isa->files[f].lanes : 1)};
        if (!show_register(g, &v, letter, out, err)) return false;
    }
    return true;
}

static bool show_pc(struct gpudbg *g, struct gpudbg_out *out)
{
    struct machine_wave_info info;
    char where[256];
    machine_wave_info(g->running.machine, g->selection.wave, &info);
    if (info.state == GPUDBG_ENDED)
        snprintf(where, sizeof where, "not running");
    else
        image_where(g->loaded.image, info.pc, where, sizeof where);
    RECORD(out, "register", "{name:-12} [{unknown}unknown][{value:08} <{where}>]\n", STRING("name", "pc"),
        STRING("file", "pc"), NUMBER("wave", g->selection.wave), FLAG("unknown", info.lost_pc),
        IF(!info.lost_pc, HEX("value", info.pc)), IF(!info.lost_pc, STRING("where", where)));
    return true;
}

static int file_named(const struct gpudbg_isa *isa, const char *name)
{
    for (size_t f = 0; f < isa->nfiles; f++)
        if (strcmp(isa->files[f].name, name) == 0) return (int)f;
    return -1;
}

/* "v", "s", "exec", "v3", "v[0:3]", "v3[0:7]", "pc", with a $ or not. */
static bool show_named(
    struct gpudbg *g, const char *word, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char expr[256];
    struct value v;
    if (*word == '$') word++;
    int f = file_named(g->running.machine->isa, word);
    if (f >= 0) return show_file(g, (unsigned)f, letter, out, err);
    if (strcmp(word, "pc") == 0) return show_pc(g, out);
    snprintf(expr, sizeof expr, "$%s", word);
    if (!expr_value(&g->eval, expr, &v, err)) return false;
    if (v.place == PLACE_REGISTER && (v.mask_bit || v.part))
        return gpudbg_fail(err, "usage", "\"%.60s\" is a part of a register: `print $%.60s` shows it", word, word);
    if (v.place != PLACE_REGISTER) return gpudbg_fail(err, "no-such-name", "no register \"%.60s\"", word);
    const struct gpudbg_regfile *file = &g->running.machine->isa->files[v.file];
    unsigned count = v.count;
    size_t len = strlen(word);
    /* A lane in brackets behind a number or another bracket; without one, all lanes. */
    const char *bracket = strchr(word, '[');
    bool said = bracket && (isdigit((unsigned char)bracket[-(bracket > word)]) || (len > 1 && strstr(bracket, "][")));
    if (file->lanes > 1 && !said) {
        v.lane = 0;
        v.lanes = file->lanes;
    }
    v.count = 1;
    for (; count; count--, v.reg++)
        if (!show_register(g, &v, letter, out, err)) return false;
    return true;
}

static bool run_info_registers(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    unsigned size;
    char letter;
    const char *word;
    if (!eval_need_machine(&g->eval, err) || !machine_wave(g->running.machine, g->selection.wave, err) ||
        !args_letters(a, &count, &letter, &size, err))
        return false;
    if (letter && !strchr("xduotfacz", letter))
        return gpudbg_fail(err, "usage", "/%s is not a format; the formats are x d u o t f a c z", a->format);
    if (*gpudbg_args_rest(a)) {
        while ((word = gpudbg_args_word(a)))
            if (!show_named(g, word, letter, out, err)) return false;
        return true;
    }
    const struct gpudbg_isa *isa = g->running.machine->isa;
    if (file_named(isa, "pc") < 0) show_pc(g, out);
    for (unsigned f = 0; f < isa->nfiles; f++)
        if (isa->files[f].lanes <= 1 && machine_kept(g->running.machine, f) && !show_file(g, f, letter, out, err))
            return false;
    return true;
}

/* Names of files and registers, with a $ or not. */
static char *complete_registers(struct gpudbg *g, const char *text, unsigned state)
{
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa
                                   : g->loaded.image  ? g->loaded.image->isa
                                                      : NULL;
    size_t len = strlen(text);
    if (*text == '$') return expr_complete(&g->eval, text, state);
    for (size_t f = 0; isa && f < isa->nfiles; f++)
        if (strncmp(isa->files[f].name, text, len) == 0 && state-- == 0) return xstrdup(isa->files[f].name);
    return NULL;
}

static const struct gpudbg_command info_registers = {
    .name = "info registers",
    .usage = "[/FMT] [REGISTER | FILE]...",
    .summary = "show registers of the selected wave",
    .help = "Without names, all registers that have no lanes.\n"
            "    v          all registers of the file v\n"
            "    v3         all lanes of v3; v[0:3]: all lanes of four registers\n"
            "    v3[0:7]    lanes 0 to 7 of v3\n"
            "/FMT is a format as in `print`: /f floats, /d signed.",
    .family = "Info",
    .run = run_info_registers,
    .complete = complete_registers,
};

/* ---- history, hash ---- */

static bool run_info_history(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct machine_history h;
    if (!eval_need_machine(&g->eval, err) || !args_end(a, err)) return false;
    machine_history(g->running.machine, &h);
    RECORD(out, "history",
        "position {position} of {recorded} recorded; {checkpoints} checkpoints, {pages} page copies, {size} bytes, "
        "{edits} edits\n[{ahead} group{ahead:s} ran before their turn, in other processes\n]"
        "[groups run one after another: {alone}\n]",
        NUMBER("position", h.position), NUMBER("recorded", h.recorded), NUMBER("checkpoints", h.checkpoints),
        NUMBER("pages", h.pages), NUMBER("size", h.bytes), NUMBER("edits", h.edits),
        IF(h.ahead, NUMBER("ahead", h.ahead)), STRING("alone", h.alone));
    return true;
}

static const struct gpudbg_command info_history = {
    .name = "info history",
    .usage = "",
    .summary = "show the position in recorded time, what recording costs, and whether groups run at once",
    .family = "Info",
    .run = run_info_history,
};

static bool run_info_hash(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!eval_need_machine(&g->eval, err) || !args_end(a, err)) return false;
    RECORD(out, "hash", "hash {value:016}\n", HEX("value", machine_hash(g->running.machine)));
    return true;
}

static const struct gpudbg_command info_hash = {
    .name = "info hash",
    .usage = "",
    .summary = "show one number for the whole state of the machine",
    .family = "Info",
    .run = run_info_hash,
};

static const struct gpudbg_command *const commands[] = {&info_registers, &info_history, &info_hash, NULL};
COMMAND_FAMILY(cmd_state, "state", .summary = "state of the machine", .commands = commands);
