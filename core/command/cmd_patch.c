/* SPDX-License-Identifier: GPL-3.0-or-later */
/* patch, unpatch, info patches, save code: code that the user changes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "assemble/assembler.h"
#include "base/alloc.h"
#include "base/save.h"
#include "code/records.h"
#include "code/walk.h"
#include "eval/location.h"
#include "eval/typed.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "image/overlay.h"
#include "machine/recode.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

/* ---- One change, with what runs ---- */

struct change {
    struct gpudbg *g;
    uint64_t addr;
    const uint8_t *bytes; /* NULL: the patch there is taken back */
    size_t n;
    const char *text;
    uint8_t *before; /* what stood there, if a patch did */
    char *said;      /* ... and its text */
};

static bool make_change(void *data, struct gpudbg_error *err)
{
    struct change *c = data;
    typed_forget(&c->g->eval);
    if (c->bytes) return image_overlay_add(c->g->loaded.image, c->addr, c->bytes, c->n, c->text, err);
    image_overlay_drop(c->g->loaded.image, c->addr);
    return true;
}

static void undo_change(void *data)
{
    struct change *c = data;
    struct gpudbg_error err = {.offset = -1};
    typed_forget(&c->g->eval);
    if (c->bytes) image_overlay_drop(c->g->loaded.image, c->addr);
    if (c->said) image_overlay_add(c->g->loaded.image, c->addr, c->before, c->n, c->said, &err);
}

static bool change_tick(void *data, uint64_t done, uint64_t todo)
{
    const struct change *c = data;
    return ticker_goes_on(&c->g->ticker, done, todo);
}

/* Changes the code, and what is launched with it; *back: time went back.  bytes NULL: as the file has it. */
static bool change_code(struct gpudbg *g, uint64_t addr, const uint8_t *bytes, size_t n, const char *text, bool *back,
    struct gpudbg_error *err)
{
    struct change c = {.g = g, .addr = addr, .bytes = bytes, .n = n, .text = text};
    struct gpudbg_machine *m = g->running.machine;
    const struct image_overlay *known = image_overlay_at(g->loaded.image, addr);
    bool went = false, ok;
    if (!session_may_change(g, err)) return false;
    if (known && known->addr == addr && known->size == n) {
        c.said = xstrdup(known->text);
        c.before = xalloc(n);
        gpudbg_image_copy(g->loaded.image, addr, c.before, n);
    }
    if (m && m->image == g->loaded.image) {
        const struct machine_recoding r = {
            .from = addr, .to = addr + n, .change = make_change, .undo = undo_change, .tick = change_tick, .data = &c};
        ok = machine_recode(m, &r, &went, err);
        g->control.runs++;
    } else
        ok = make_change(&c, err);
    *back |= went;
    if (ok) {
        size_t overlays;
        image_overlays(g->loaded.image, &overlays);
        g->loaded.patched = overlays > 0; /* all taken back: as the file is */
    }
    free(c.said);
    free(c.before);
    return ok;
}

/* ---- What there is at a place ---- */

static bool insn_there(struct gpudbg *g, uint64_t addr, struct gpudbg_insn *insn, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    size_t n = 0;
    const uint8_t *bytes = gpudbg_image_bytes(image, addr, &n);
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    if (!bytes || !n || !(s->flags & GPUDBG_CODE_BYTES))
        return gpudbg_fail(err, "out-of-range", "there is no code at 0x%" PRIx64, addr);
    if (image->isa->align && (addr - s->addr) % image->isa->align)
        return gpudbg_fail(err, "out-of-range",
            "0x%" PRIx64 " is inside of an instruction: they start at multiples of %u bytes", addr, image->isa->align);
    if (insn_around(image, addr, insn))
        return gpudbg_fail(
            err, "out-of-range", "0x%" PRIx64 " is inside of the instruction at 0x%" PRIx64, addr, insn->addr);
    gpudbg_insn_at(image->isa, bytes, n, addr, insn);
    return true;
}

static struct assembler assembler_of(struct gpudbg *g)
{
    const struct gpudbg_isa *isa = g->loaded.image->isa;
    return (struct assembler){
        .isa = isa, .syntax = settings_syntax(&g->settings, isa), .image = g->loaded.image, .ticker = &g->ticker};
}

/* Fills what is left behind `n` bytes with instructions that do nothing. */
static bool fill(struct gpudbg *g, uint64_t addr, uint8_t *bytes, size_t n, size_t room, struct gpudbg_error *err)
{
    const struct assembler as = assembler_of(g);
    uint8_t nop[GPUDBG_INSN_BYTES];
    if (n == room) return true;
    const size_t size = as.isa->assembler.nop
                            ? assemble_line(&as, addr + n, as.isa->assembler.nop, nop, sizeof nop, err)
                            : 0;
    if (!size || (room - n) % size)
        return gpudbg_fail(err, "unsupported",
            "%zu bytes would be left after it, and %s has no instruction that fills them", room - n, as.isa->name);
    for (; n < room; n += size) memcpy(bytes + n, nop, size);
    return true;
}

static bool need_code(struct gpudbg *g, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = eval_need_image(&g->eval, err);
    return image && (image->isa || gpudbg_fail(err, "not-recognised", "%s does not say its instruction set: give --isa",
                                       image->path));
}

static void say_patch(struct gpudbg *g, uint64_t addr, size_t n, bool back, struct gpudbg_out *out)
{
    char where[300], text[2048] = "";
    struct gpudbg_insn insn;
    struct gpudbg_error err = {.offset = -1};
    image_where(g->loaded.image, addr, where, sizeof where);
    if (insn_there(g, addr, &insn, &err) && insn.op)
        insn.isa->text(&insn, settings_syntax(&g->settings, insn.isa), GPUDBG_READABLE, NULL, text, sizeof text);
    else
        snprintf(text, sizeof text, "%zu bytes of data", n);
    RECORD(out, "patch",
        "{where}: {text}  // {size} bytes[; time went back to {position}, before this code was executed]\n",
        HEX("addr", addr), STRING("where", where), NUMBER("size", n), STRING("text", text),
        IF(back, NUMBER("position", back ? machine_position(g->running.machine) : 0)));
}

/* ---- patch PLACE TEXT, patch -m ---- */

static bool has_functions(const struct gpudbg_image *image, const struct gpudbg_section *s)
{
    for (size_t i = 0; i < image->nsymbols; i++) {
        const struct gpudbg_symbol *symbol = &image->symbols[i];
        if (symbol->size && symbol->kind != GPUDBG_SYM_OBJECT && symbol->addr - s->addr < s->size) return true;
    }
    return false;
}

/* Zeros; and what does nothing, where it is known not to be part of a function. */
static bool is_padding(const uint8_t *p, const uint8_t *nop, size_t size, bool functions)
{
    bool zeros = true;
    for (size_t i = 0; i < size; i++) zeros &= !p[i];
    return zeros || (functions && memcmp(p, nop, size) == 0);
}

/* A place of n bytes that belongs to no function and holds nothing but zeros or what does nothing, in the section of
 * addr.
 */
static bool free_place(struct gpudbg *g, uint64_t addr, size_t n, uint64_t *place, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    const struct assembler as = assembler_of(g);
    const bool functions = has_functions(image, s);
    struct gpudbg_insn before;
    uint8_t nop[GPUDBG_INSN_BYTES];
    const size_t unit = as.isa->assembler.nop ? assemble_line(&as, addr, as.isa->assembler.nop, nop, sizeof nop, err)
                                              : 0;
    if (!unit || !as.isa->assembler.jump)
        return gpudbg_fail(err, "unsupported", "%s: gpudbg does not know how to jump to a free place", as.isa->name);
    const size_t align = as.isa->align ? as.isa->align : 1;
    uint64_t from = s->addr;
    for (uint64_t at = s->addr; at + unit <= s->addr + s->size; at += unit) {
        const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(image, at);
        const bool taken = (symbol && symbol->size && symbol->kind != GPUDBG_SYM_OBJECT) || image_overlay_at(image, at);
        if (taken || !is_padding(s->bytes + (at - s->addr), nop, unit, functions) || from % align) {
            from = at + unit;
            continue;
        }
        if (at + unit - from < n) continue;
        if (insn_before(image, from, &before) && before.addr + before.size > from) { /* its end is zeros, too */
            from = before.addr + before.size;
            continue;
        }
        *place = from;
        return true;
    }
    return gpudbg_fail(err, "out-of-range",
        "%s has no free place of %zu bytes: zeros or instructions that do nothing, outside of all functions", s->name,
        n);
}

/* ---- What moves along, where a jump is longer than the instruction ---- */

/* An instruction means the same at another place, and nothing leads to it but the one before it. */
static bool may_move(struct gpudbg *g, const struct gpudbg_insn *insn, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(image, insn->addr);
    const struct gpudbg_section *s = gpudbg_image_at(image, insn->addr);
    const char *why = !insn->op                              ? "is data"
                      : insn->op->flags & GPUDBG_OP_BRANCH   ? "is a branch"
                      : symbol && symbol->addr == insn->addr ? "begins a function"
                      : image_overlay_at(image, insn->addr)  ? "is patched"
                                                             : NULL;
    for (unsigned i = 0; !why && i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_REGISTER &&
            strcmp(insn->isa->files[insn->operands[i].file].name, "ip") == 0)
            why = "reads where it is";
    struct code_walk w;
    struct gpudbg_insn other;
    code_walk_open(&w, image, s->addr, s->addr + s->size);
    while (!why && code_walk_next(&w, &other))
        for (unsigned i = 0; w.is_insn && i < other.noperands; i++)
            if (other.operands[i].kind == GPUDBG_CODE && (uint64_t)other.operands[i].imm == insn->addr)
                why = "is where a branch leads";
    return !why || gpudbg_fail(err, "out-of-range",
                       "a jump needs more bytes than the instruction has, and the next one, at 0x%" PRIx64
                       ", cannot move with it: it %s",
                       insn->addr, why);
}

/* Appends the instructions behind `old` to bytes, until a jump of `away` bytes has room; *room: what has moved. */
static bool move_along(struct gpudbg *g, const struct gpudbg_insn *old, size_t away, uint8_t *bytes, size_t *n,
    size_t *room, struct gpudbg_error *err)
{
    struct gpudbg_insn next;
    for (*room = old->size; *room < away; *room += next.size) {
        if (!insn_there(g, old->addr + *room, &next, err) || !may_move(g, &next, err)) return false;
        if (next.size > GPUDBG_INSN_BYTES) return gpudbg_fail(err, "too-large", "%u bytes cannot move", next.size);
        memcpy(bytes + *n, next.raw, next.size);
        *n += next.size;
    }
    return true;
}

static size_t jump_to(
    struct gpudbg *g, uint64_t from, uint64_t to, uint8_t *bytes, size_t room, struct gpudbg_error *err)
{
    char text[80];
    const struct assembler as = assembler_of(g);
    snprintf(text, sizeof text, "%sL%04" PRIx64, as.isa->assembler.jump, to);
    return assemble_line(&as, from, text, bytes, room, err);
}

/* TEXT in a free place, a jump there, and one back.  *room: how many bytes it replaces. */
static bool patch_moved(struct gpudbg *g, const struct gpudbg_insn *old, const char *text, bool *back, size_t *room,
    struct gpudbg_error *err)
{
    uint8_t bytes[4 * GPUDBG_INSN_BYTES], jump[2 * GPUDBG_INSN_BYTES];
    char note[600];
    const struct assembler as = assembler_of(g);
    const uint64_t addr = old->addr;
    uint64_t place = 0;
    size_t n = assemble_line(&as, addr, text, bytes, GPUDBG_INSN_BYTES, err);
    const size_t away = n ? jump_to(g, addr, addr, jump, GPUDBG_INSN_BYTES, err) : 0;
    if (!away || !move_along(g, old, away, bytes, &n, room, err) || !free_place(g, addr, n + away, &place, err))
        return false;
    n = assemble_line(&as, place, text, bytes, GPUDBG_INSN_BYTES, err); /* again: it may name labels */
    if (!n || !move_along(g, old, away, bytes, &n, room, err) ||
        !jump_to(g, place + n, addr + *room, bytes + n, GPUDBG_INSN_BYTES, err) ||
        !jump_to(g, addr, place, jump, GPUDBG_INSN_BYTES, err) || !fill(g, addr, jump, away, *room, err))
        return false;
    text_put(note, sizeof note, "%s, of 0x%" PRIx64, text, addr);
    if (!change_code(g, place, bytes, n + away, note, back, err)) return false;
    text_put(note, sizeof note, "%s, moved to 0x%" PRIx64, text, place);
    if (change_code(g, addr, jump, *room, note, back, err)) return true;
    struct gpudbg_error other = {.offset = -1};
    change_code(g, place, NULL, n + away, NULL, back, &other);
    return false;
}

static bool patch_text(
    struct gpudbg *g, uint64_t addr, const char *text, bool move, bool *back, size_t *size, struct gpudbg_error *err)
{
    uint8_t bytes[GPUDBG_INSN_BYTES];
    struct gpudbg_insn old;
    const struct assembler as = assembler_of(g);
    if (!insn_there(g, addr, &old, err)) return false;
    const size_t room = *size = old.size;
    if (room > sizeof bytes)
        return gpudbg_fail(err, "too-large", "the unit at 0x%" PRIx64 " has %zu bytes", addr, room);
    const size_t n = assemble_line(&as, addr, text, bytes, sizeof bytes, err);
    if (!n) return false;
    if (n > room && move) return patch_moved(g, &old, text, back, size, err);
    if (n > room)
        return gpudbg_fail(err, "out-of-range",
            "%zu bytes are missing: the text takes %zu, and the instruction at 0x%" PRIx64
            " has %zu; `patch -m` moves it to a free place",
            n - room, n, addr, room);
    return fill(g, addr, bytes, n, room, err) && change_code(g, addr, bytes, room, text, back, err);
}

/* ---- patch -f: fields by name ---- */

static void put_bits(uint8_t *bytes, uint32_t bit, const struct gpudbg_run *run, uint64_t value)
{
    for (; run->len; run++)
        for (unsigned i = 0; i < run->len; i++, value >>= 1) {
            const uint32_t at = bit + run->lo + i;
            bytes[at / 8] = (uint8_t)((bytes[at / 8] & ~(1u << at % 8)) | (value & 1) << at % 8);
        }
}

static unsigned bits_of_field(const struct gpudbg_field *f)
{
    unsigned n = 0;
    for (unsigned i = 0; i < GPUDBG_RUNS && f->run[i].len; i++) n += f->run[i].len;
    return n;
}

/* The value behind the =: the name of one of the field's, or an expression. */
static bool field_value(
    struct gpudbg *g, const struct gpudbg_field *f, const char *text, uint64_t *value, struct gpudbg_error *err)
{
    for (size_t i = 0; f->meaning && i < f->meaning->count; i++)
        if (strcmp(f->meaning->values[i].name, text) == 0) {
            *value = f->meaning->values[i].value;
            return true;
        }
    const unsigned n = bits_of_field(f);
    if (!gpudbg_evaluate(g, text, value, err)) return false;
    const int64_t v = (int64_t)*value;
    if (n < 64 && *value >> n && !(v < 0 && v >= -((int64_t)1 << (n - 1))))
        return gpudbg_fail(err, "out-of-range", "%s has %u bit%s: 0 to 0x%" PRIx64, f->name, n, n == 1 ? "" : "s",
            ((uint64_t)1 << n) - 1);
    return true;
}

/* Names of the fields, for the message. */
static void field_names(const struct gpudbg_insn *insn, char *buf, size_t size)
{
    struct gpudbg_field_iter it;
    struct text t = text_in(buf, size);
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);)
        if (!it.derived && strcmp(it.field->name, "-") != 0) text_add(&t, "%s%s", t.n ? " " : "", it.field->name);
}

static bool set_field(
    struct gpudbg *g, const struct gpudbg_insn *insn, char *word, uint8_t *bytes, struct gpudbg_error *err)
{
    struct gpudbg_field_iter it;
    char names[400];
    uint64_t value;
    char *equals = strchr(word, '=');
    if (!equals || equals == word) return gpudbg_fail(err, "usage", "\"%.60s\": FIELD=VALUE is wanted", word);
    *equals = 0;
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) {
        if (it.derived || strcmp(it.field->name, word) != 0 || strcmp(word, "-") == 0) continue;
        if (!field_value(g, it.field, equals + 1, &value, err)) return false;
        put_bits(bytes, it.bit, it.field->run, value);
        return true;
    }
    field_names(insn, names, sizeof names);
    return gpudbg_fail(err, "no-such-name", "the instruction has no field \"%.60s\"; it has %s", word, names);
}

static bool patch_fields(
    struct gpudbg *g, uint64_t addr, struct gpudbg_args *a, bool *back, size_t *size, struct gpudbg_error *err)
{
    uint8_t bytes[GPUDBG_INSN_BYTES];
    char text[400];
    struct gpudbg_insn insn;
    struct text t = text_in(text, sizeof text);
    if (!insn_there(g, addr, &insn, err)) return false;
    if (insn.size > sizeof bytes)
        return gpudbg_fail(err, "too-large", "the unit at 0x%" PRIx64 " has %u bytes", addr, insn.size);
    if (!*gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "patch -f wants FIELD=VALUE");
    memcpy(bytes, insn.raw, insn.size);
    *size = insn.size;
    for (const char *word; (word = gpudbg_args_word(a)) != NULL;) {
        char *copy = xstrdup(word);
        text_add(&t, "%s%s", t.n ? " " : "", word);
        const bool ok = set_field(g, &insn, copy, bytes, err);
        free(copy);
        if (!ok) return false;
    }
    return change_code(g, addr, bytes, insn.size, text, back, err);
}

/* ---- patch nop RANGE ---- */

static bool patch_nops(
    struct gpudbg *g, const char *range, uint64_t *addr, bool *back, size_t *size, struct gpudbg_error *err)
{
    uint64_t to;
    struct gpudbg_insn insn;
    if (strchr(range, ',')) {
        if (!location_range(&g->eval, range, addr, &to, err)) return false;
    } else {
        if (!location_addr(&g->eval, range, addr, err) || !insn_there(g, *addr, &insn, err)) return false;
        to = *addr + insn.size;
    }
    if (to - *addr > (1u << 20))
        return gpudbg_fail(err, "too-large", "%" PRIu64 " bytes: at most a megabyte", to - *addr);
    for (uint64_t at = *addr; at < to; at += insn.size)
        if (!insn_there(g, at, &insn, err))
            return false;
        else if (at + insn.size > to)
            return gpudbg_fail(err, "out-of-range", "the range ends inside of the instruction at 0x%" PRIx64, at);
    uint8_t *bytes = xalloc((size_t)(to - *addr));
    *size = (size_t)(to - *addr);
    const bool ok = fill(g, *addr, bytes, 0, *size, err) && change_code(g, *addr, bytes, *size, "nop", back, err);
    free(bytes);
    return ok;
}

/* ---- Commands ---- */

static bool run_patch(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    bool fields = false, move = false, back = false;
    uint64_t addr = 0;
    size_t size = 0;
    if (!need_code(g, err)) return false;
    const char *word = args_need(a, "a place and the text of an instruction", err);
    if (!word) return false;
    fields = strcmp(word, "-f") == 0;
    move = strcmp(word, "-m") == 0;
    if (strcmp(word, "nop") == 0) {
        if (!*gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "patch nop wants a place, or FROM,TO");
        if (!patch_nops(g, gpudbg_args_rest(a), &addr, &back, &size, err)) return false;
        say_patch(g, addr, size, back, out);
        return true;
    }
    if ((fields || move) && !(word = args_need(a, "a place", err))) return false;
    if (!location_addr(&g->eval, word, &addr, err)) return false;
    const char *text = gpudbg_args_rest(a);
    if (!*text) return gpudbg_fail(err, "usage", "patch wants a place and the text of an instruction");
    if (!(fields ? patch_fields(g, addr, a, &back, &size, err) : patch_text(g, addr, text, move, &back, &size, err)))
        return false;
    say_patch(g, addr, size, back, out);
    return true;
}

static const struct gpudbg_command patch = {
    .name = "patch",
    .usage = "PLACE TEXT | -f PLACE FIELD=VALUE... | -m PLACE TEXT | nop RANGE",
    .summary = "change code",
    .help = "PLACE TEXT     put the instruction TEXT in place of the one at PLACE.  What is left of a longer one is\n"
            "               filled with instructions that do nothing.\n"
            "-f PLACE ...   change fields of the instruction at PLACE, by the names that `decode` shows: vmcnt=0\n"
            "-m PLACE TEXT  if TEXT is longer than the instruction at PLACE: put it into a free place outside of all\n"
            "               functions, with a jump there and a jump back; if the jump does not fit, the next\n"
            "               instruction is moved as well\n"
            "nop RANGE      fill FROM,TO or FROM,+SIZE, or the one instruction at PLACE, with instructions that do "
            "nothing\n"
            "Everything that shows or checks code shows the patch; the file on disk is not changed (`save code`\n"
            "writes another).  If a kernel is launched, recorded time ends where the patched code first ran:\n"
            "time goes back to that place, and the run goes on with the patch; `run` starts anew.",
    .family = "Code",
    .effect = GPUDBG_CHANGES,
    .run = run_patch,
    .complete = complete_symbol,
};

static bool run_unpatch(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    size_t n;
    uint64_t addr;
    bool back = false;
    if (!need_code(g, err)) return false;
    const struct image_overlay *list = image_overlays(g->loaded.image, &n);
    const char *text = gpudbg_args_rest(a);
    if (!n) return gpudbg_fail(err, "no-such-name", "there are no patches");
    if (strcmp(text, "all") == 0) {
        while ((list = image_overlays(g->loaded.image, &n)) && n) {
            const uint64_t at = list[n - 1].addr;
            const size_t size = list[n - 1].size;
            if (!change_code(g, at, NULL, size, NULL, &back, err)) return false;
            say_patch(g, at, size, back, out);
        }
        return true;
    }
    if (!*text && n > 1)
        return gpudbg_fail(err, "usage", "there are %zu patches: unpatch wants the place of one, or `all`", n);
    addr = list[0].addr; /* the only one */
    if (*text && !location_addr(&g->eval, text, &addr, err)) return false;
    const struct image_overlay *here = image_overlay_at(g->loaded.image, addr);
    if (!here) return gpudbg_fail(err, "no-such-name", "no patch is at 0x%" PRIx64 "; `info patches` lists them", addr);
    const uint64_t at = here->addr;
    const size_t size = here->size;
    if (!change_code(g, at, NULL, size, NULL, &back, err)) return false;
    say_patch(g, at, size, back, out);
    return true;
}

static const struct gpudbg_command unpatch = {
    .name = "unpatch",
    .usage = "[PLACE | all]",
    .summary = "take a patch back; without PLACE, the only one",
    .help = "Restores the original code at PLACE, or everywhere.  For a launched kernel this is a change like\n"
            "`patch`: recorded time is cut where that code first ran.",
    .family = "Code",
    .effect = GPUDBG_CHANGES,
    .run = run_unpatch,
    .complete = complete_symbol,
};

static bool run_save_code(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    size_t n;
    if (!need_code(g, err)) return false;
    const char *path = args_need(a, "a file to write", err);
    if (!path || !args_end(a, err)) return false;
    uint8_t *bytes = image_overlaid(g->loaded.image, &n, err);
    if (!bytes) return false;
    const bool ok = save_bytes(path, bytes, n, &g->ticker, err);
    free(bytes);
    if (!ok) return false;
    g->loaded.patched = false;
    RECORD(out, "saved", "{file}: {size} bytes\n", STRING("name", "code"), STRING("file", path), NUMBER("size", n));
    return true;
}

static const struct gpudbg_command save_code = {
    .name = "save code",
    .usage = "FILE",
    .summary = "write the loaded file with its patches",
    .help = "FILE is in the container that was loaded, so that the tools which read the original read it; a file that\n"
            "was packed with gzip is written unpacked.  Of a program that was loaded as text, its stream is written.",
    .family = "Code",
    .writes = true,
    .run = run_save_code,
    .complete = complete_file,
};

/* ---- info patches ---- */

struct row {
    uint64_t addr;
    uint64_t size;
    const char *text;
    char where[300];
    char now[64], file[64];
};

static void hex_of(const uint8_t *bytes, size_t n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (size_t i = 0; i < n && i < 16; i++) text_add(&t, "%02x", bytes[i]);
    if (n > 16) text_add(&t, "...");
}

static bool patch_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    size_t n;
    (void)args;
    if (!need_code(g, err)) return false;
    const struct image_overlay *list = image_overlays(g->loaded.image, &n);
    for (size_t i = 0; i < n; i++) {
        struct row row = {.addr = list[i].addr, .size = list[i].size, .text = list[i].text};
        uint8_t bytes[20] = {0};
        const size_t shown = list[i].size < 17 ? list[i].size : 17;
        image_where(g->loaded.image, row.addr, row.where, sizeof row.where);
        gpudbg_image_copy(g->loaded.image, row.addr, bytes, shown);
        hex_of(bytes, shown, row.now, sizeof row.now);
        image_overlay_original(g->loaded.image, row.addr, bytes, shown);
        hex_of(bytes, shown, row.file, sizeof row.file);
        if (!each(to, &row)) break;
    }
    return true;
}

static int cell_addr(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct row *)row)->addr);
}

static int cell_size(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct row *)row)->size);
}

static int cell_where(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->where);
}
static int cell_now(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->now);
}
static int cell_file(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->file);
}
static int cell_text(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)row)->text);
}

static const struct gpudbg_column columns[] = {
    {"addr", "address", 0, GPUDBG_ADDRESS, cell_addr},
    {"size", "bytes", 0, GPUDBG_COUNT, cell_size},
    {"where", "place", 0, GPUDBG_NAME, cell_where},
    {"file", "in the file", 0, GPUDBG_PLAIN, cell_file},
    {"now", "now", 0, GPUDBG_PLAIN, cell_now},
    {"text", "patch", 0, GPUDBG_PLAIN, cell_text},
};
static const struct gpudbg_listing patches = {
    .name = "patches",
    .summary = "list the patches of the code",
    .type = "overlay",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = patch_rows,
    .empty = "No patches.",
};

static const struct gpudbg_command *const commands[] = {&patch, &unpatch, &save_code, NULL};
static const struct gpudbg_listing *const listings[] = {&patches, NULL};
COMMAND_FAMILY(cmd_patch, "patch", .summary = "code that the user changes", .commands = commands, .listings = listings);
