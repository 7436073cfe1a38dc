/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "past/past.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/ticker.h"
#include "code/code_names.h"
#include "code/records.h"
#include "code/walk.h"
#include "eval/show.h"
#include "eval/typed.h"
#include "eval/value.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "past/stored.h"

#define OWN (-1) /* number of the trace or watchpoint of a question; the user's are above 0 */

static struct gpudbg_machine *machine_of(const struct eval *eval) { return eval->running->machine; }

/* ---- Places ---- */

/* The element of a buffer that begins at an address, unless another size was asked for (0: none was). */
static void name_element(const struct eval *eval, uint64_t addr, uint64_t size, struct past_place *p)
{
    struct buffer_place of;
    if (!buffer_place(eval, p->space, addr, &of) || of.element.bits < 8 || of.element.bits > 64) return;
    if (size && size != of.element.bits / 8u) return;
    p->size = of.element.bits / 8u;
    p->type = of.element;
    p->element = (struct value_type){0};
    text_put(p->name, sizeof p->name, "%s", of.name);
}

const char *past_name(const struct past_place *p, const char *typed) { return *p->name ? p->name : typed; }

static bool name_memory(struct eval *eval, const struct value *v, const char *text, uint64_t size, struct past_place *p,
    struct gpudbg_error *err)
{
    const struct gpudbg_space *space = &machine_of(eval)->space[GPUDBG_GLOBAL];
    if (v->place != PLACE_MEMORY && !v->address)
        return gpudbg_fail(err, "usage", "%.60s is neither a register nor in memory; *(u32*)ADDR is", text);
    if (!value_at_one_address(v, err)) return false;
    const uint64_t addr = v->place == PLACE_MEMORY ? v->addr : v->u;
    p->space = v->space;
    p->size = v->place == PLACE_MEMORY ? v->type.bits / 8 : 4;
    bool whole = false;
    for (size_t i = 0; v->place == PLACE_NONE && v->space == GPUDBG_GLOBAL && i < space->count; i++)
        if (space->segment[i]->base == addr && space->segment[i]->name && strcmp(space->segment[i]->name, text) == 0) {
            p->size = space->segment[i]->size;
            whole = true;
        }
    if (v->place == PLACE_MEMORY) p->type = v->type;
    if (v->place == PLACE_NONE) p->element = v->element;
    if (v->place == PLACE_NONE && !whole) name_element(eval, addr, size, p);
    if (size) p->size = size;
    if (!p->size || p->size > UINT64_MAX - addr)
        return gpudbg_fail(err, "out-of-range", "%" PRIu64 " bytes cannot be watched", p->size);
    p->npieces = 1;
    p->piece = xalloc(sizeof *p->piece);
    *p->piece = (struct memory_piece){addr, p->size};
    return true;
}

/* A register that is shown as the double that begins in it, in all lanes that are named, is all of that double. */
static void widen(struct eval *eval, struct past_place *p)
{
    struct gpudbg_machine *m = machine_of(eval);
    struct gpudbg_error ignored = {0};
    const struct value *v = &p->value;
    const struct gpudbg_regfile *f = &m->isa->files[v->file];
    struct value both = *v;
    uint32_t words[PAST_BYTES / 4];
    struct gpudbg_wave *w = machine_wave(m, p->wave, &ignored);
    if (!w || !v->whole || v->count != 1 || f->bits != 32 || v->mask || v->mask_bit || v->part ||
        v->reg + 1u >= m->isa->run->count(m, v->file))
        return;
    const unsigned lanes = f->lanes > 1 && v->lanes > 1 ? (unsigned)v->lanes : 1;
    both.count = 2;
    if (value_words(eval, p->wave, &both, words, sizeof words / sizeof *words, &ignored) != 2 * lanes) return;
    for (unsigned i = 0; i < lanes; i++) {
        const struct form *form = typed_form(
            eval, w, v->file, v->reg, f->lanes > 1 ? v->lane + (int)i : -1, &words[2 * i]);
        if (!form || form->kind != 'f' || form->size != 8) return;
    }
    p->value.count = 2;
    p->size = 8 * lanes;
    if (v->many) return;
    p->value.type.bits = 64;
    p->type = (struct value_type){VALUE_FLOAT, 64};
}

/* A variable that is in a register where the wave stands: what is asked about is that register, at all times. */
static void name_register(const struct gpudbg_machine *m, const struct value *v, struct past_place *p)
{
    const struct gpudbg_regfile *file = &m->isa->files[v->file];
    char name[64];
    if (v->part) return;
    past_registers_name(file, v->reg, v->count, name, sizeof name);
    struct text t = text_in(p->name, sizeof p->name);
    text_add(&t, "$%s", name);
    if (file->lanes > 1) text_add(&t, "[%d]", v->lane);
}

bool past_named(struct eval *eval, uint32_t wave, char *text, struct past_place *p, struct gpudbg_error *err)
{
    struct value v;
    char *comma = strrchr(text, ',');
    uint64_t size = 0;
    *p = (struct past_place){.wave = wave};
    if (comma && !expr_number(eval, comma + 1, &size, err)) return false;
    if (comma) *comma = 0;
    if (comma && !size) return gpudbg_fail(err, "out-of-range", "0 bytes cannot be watched");
    struct local_memory local;
    const enum local_found found = locals_memory(eval, text, &local, err);
    if (found == LOCAL_FAILED) return false;
    *err = (struct gpudbg_error){0}; /* a variable without a value here: the name may be a buffer's */
    if (found == LOCAL_VALUE && !comma) {
        p->space = local.space;
        p->size = local.size;
        p->type = local.type;
        p->shape = local.shape;
        p->count = local.count;
        p->piece = local.piece;
        p->npieces = local.npieces;
        return true;
    }
    if (found == LOCAL_VALUE) free(local.piece);
    if (!expr_value_in(eval, wave, eval->selection->lane, text, &v, err)) return false;
    if (v.place == PLACE_PC)
        return gpudbg_fail(err, "unsupported", "every instruction writes $pc: use a breakpoint or `stepi`");
    if (v.place != PLACE_REGISTER) return name_memory(eval, &v, text, size, p, err);
    if (comma) return gpudbg_fail(err, "usage", "a size belongs to memory; registers are $v[4:7]");
    p->is_register = true;
    if (found == LOCAL_LOST) name_register(machine_of(eval), &v, p);
    v.digits = v.digits || typed_digits(eval, wave, &v);
    p->value = v;
    const struct value_type typed = typed_value(eval, wave, &v);
    p->type = v.many ? (struct value_type){0} : typed.bits ? typed : v.type;
    const struct gpudbg_regfile *file = &machine_of(eval)->isa->files[v.file];
    const unsigned lanes = file->lanes > 1 && v.lanes > 1 ? (unsigned)v.lanes : 1;
    p->size = v.many ? (uint64_t)lanes * v.count * ((file->bits + 31u) / 32) * 4 : (v.type.bits + 7u) / 8;
    widen(eval, p);
    return past_bits(eval, p, err);
}

bool past_followed(struct eval *eval, uint32_t wave, int lane, uint64_t at, const char *text, struct past_place *p)
{
    struct local_watch *v = local_watch_new(eval, wave, lane, at, text);
    if (!v) return false;
    *p = (struct past_place){.wave = wave, .followed = v, .size = v->size, .type = v->type, .shape = v->shape};
    return true;
}

void past_free(struct past_place *p)
{
    free(p->piece);
    free(p->set);
    local_watch_free(p->followed);
    p->followed = NULL;
    p->piece = NULL;
    p->set = NULL;
}

int past_registers_name(const struct gpudbg_regfile *f, unsigned index, unsigned count, char *buf, size_t size)
{
    if (count < 2) return gpudbg_register_name(f, index, buf, size);
    if (!f->parts) return snprintf(buf, size, "%s[%u:%u]", f->name, index, index + count - 1);
    struct text t = text_in(buf, size);
    text_wrote(&t, gpudbg_register_name(f, index, buf, size));
    const unsigned parts = (unsigned)strlen(f->parts);
    for (unsigned i = 1; i < count && (index + i) % parts; i++) text_add(&t, "%c", f->parts[(index + i) % parts]);
    return text_length(&t);
}

/* The bits of a part of a register (an element, a bit of a mask), from dword `first` on. */
static bool add_part(struct gpudbg_wave *w, const struct value *v, struct touch_set *set)
{
    const unsigned bits = v->mask_bit ? 1 : v->type.bits, shift = v->mask_bit ? (unsigned)v->lane : v->shift;
    const uint64_t mask = (bits < 64 ? UINT64_C(1) << bits : 0) - 1;
    bool good = true;
    if (shift % 32 + bits <= 32)
        return touch_add(set, w, v->file, v->reg, v->first + shift / 32, (uint32_t)mask << shift % 32);
    for (unsigned d = 0; d < (shift + bits + 31) / 32 && good; d++)
        good = touch_add(set, w, v->file, v->reg, v->first + d, (uint32_t)(mask << shift >> 32 * d));
    return good;
}

static bool add_registers(struct gpudbg_wave *w, const struct value *v, struct touch_set *set)
{
    const struct gpudbg_regfile *file = &w->machine->isa->files[v->file];
    const unsigned each = (file->bits + 31u) / 32, lanes = file->lanes > 1 ? (unsigned)v->lanes : 1;
    const uint32_t bits = file->bits < 32 ? (UINT32_C(1) << file->bits) - 1 : UINT32_MAX;
    bool good = true;
    for (unsigned lane = 0; lane < lanes && good; lane++)
        for (unsigned r = 0; r < v->count && good; r++)
            for (unsigned d = v->first; d < each && good; d++) {
                const unsigned at = file->lanes > 1 ? (unsigned)v->lane + lane : 0;
                good = touch_add(set, w, v->file, v->reg + r, at * each + d, bits);
            }
    return good;
}

/* Any instruction of the program has a register of the file as its destination. */
static bool names_file(const struct gpudbg_image *image, unsigned file)
{
    struct code_walk code;
    struct gpudbg_insn insn;
    code_walk_open(&code, image, 0, UINT64_MAX);
    while (code_walk_next(&code, &insn))
        for (unsigned i = 0; code.is_insn && insn.op && i < insn.noperands; i++)
            if (insn.operands[i].flags & GPUDBG_WRITE && insn.operands[i].kind != GPUDBG_MEMORY &&
                insn.operands[i].file == file)
                return true;
    return false;
}

/* Adds the addresses of all instructions of the program that may touch the set. */
static void walk(struct gpudbg_wave *w, const struct touch_set *set, bool reads, bool writes, uint64_t **pc, size_t *n)
{
    struct code_walk code;
    struct gpudbg_insn insn;
    size_t room = 0;
    code_walk_open(&code, w->machine->image, 0, UINT64_MAX);
    while (code_walk_next(&code, &insn)) {
        if (!code.is_insn || !insn.op) continue;
        if (!(writes && touch_may(w, &insn, set, true)) && !(reads && touch_may(w, &insn, set, false))) continue;
        if (*n == room) *pc = xrealloc(*pc, room = room ? 2 * room : 256, sizeof **pc);
        (*pc)[(*n)++] = insn.addr;
    }
}

bool past_bits(struct eval *eval, struct past_place *p, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = machine_of(eval);
    if (!p->is_register) return true;
    if (!machine_keep(m, p->value.file, false, err)) return false;
    struct gpudbg_wave *w = machine_wave(m, p->wave, err);
    if (!w) return false;
    if (p->set && p->narrowed) return true;
    if (!p->set) p->set = xalloc(sizeof *p->set);
    p->set->n = 0;
    const bool whole = !p->value.part && !p->value.mask_bit;
    const unsigned lanes = p->value.lanes > 1 ? (unsigned)p->value.lanes : 1;
    if (p->size > TOUCH_MOST * 4)
        return gpudbg_fail(err, "too-large", "%u lanes of %u registers are too many: at most %d dwords", lanes,
            p->value.count, TOUCH_MOST);
    if (!(whole ? add_registers(w, &p->value, p->set) : add_part(w, &p->value, p->set))) {
        char name[64];
        gpudbg_register_name(&m->isa->files[p->value.file], p->value.reg, name, sizeof name);
        return gpudbg_fail(err, "unsupported", "$%s follows from the launch: no instruction writes it", name);
    }
    const struct gpudbg_regfile *file = &m->isa->files[p->value.file];
    p->set->loose = (!file->indexed && file->format) || !names_file(m->image, p->value.file);
    return true;
}

bool past_read(struct eval *eval, const struct past_place *p, unsigned char *bytes, size_t size)
{
    struct gpudbg_machine *m = machine_of(eval);
    struct gpudbg_error err = {0};
    size_t at = 0;
    if (p->size < size) size = (size_t)p->size;
    memset(bytes, 0, size);
    if (p->followed) {
        uint8_t all[LOCAL_WATCHED];
        if (!local_watch_read(eval, p->followed, all, NULL, 0)) return false;
        memcpy(bytes, all, size);
        return true;
    }
    if (p->is_register) {
        struct value v = p->value;
        uint32_t words[PAST_BYTES / 4] = {0};
        if (v.many) {
            const size_t n = value_words(eval, p->wave, &v, words, PAST_BYTES / 4, &err);
            for (size_t i = 0; i < n && 4 * i + 4 <= size; i++) le_put(bytes + 4 * i, words[i], 4);
            return n != 0;
        }
        if (!value_load(eval, p->wave, &v, &err)) return false;
        unsigned char all[8];
        le_put(all, value_bits(&v), 8);
        memcpy(bytes, all, size < sizeof all ? size : sizeof all);
        return true;
    }
    for (size_t i = 0; i < p->npieces && at < size; i++) {
        const size_t n = p->piece[i].size < size - at ? (size_t)p->piece[i].size : size - at;
        if (!machine_peek(m, p->wave, p->space, p->piece[i].addr, bytes + at, n, NULL, &err)) return false;
        at += n;
    }
    return true;
}

uint64_t past_sum(struct eval *eval, const struct past_place *p)
{
    uint64_t sum = 0xcbf29ce484222325;
    struct past_place one = *p;
    unsigned char bytes[PAST_BYTES];
    one.value.count = 1;
    one.size = p->size / (p->value.count ? p->value.count : 1);
    for (unsigned i = 0; i < p->value.count; i++, one.value.reg++) {
        const size_t n = one.size < sizeof bytes ? (size_t)one.size : sizeof bytes;
        if (!past_read(eval, &one, bytes, sizeof bytes)) continue;
        for (size_t k = 0; k < n; k++) sum = (sum ^ bytes[k]) * 0x100000001b3;
    }
    return sum;
}

uint64_t past_behind(const struct eval *eval, uint64_t pc)
{
    struct gpudbg_insn insn;
    return insn_at(eval->loaded->image, pc, &insn) ? pc + insn.size : PAST_HERE;
}

/* The wave as it stood before the instruction at pc; false: the place is no bare register of it. */
static bool wave_then(struct eval *eval, const struct past_place *p, uint64_t pc, struct gpudbg_wave *then)
{
    struct gpudbg_error ignored = {0};
    const bool bare = p->is_register && p->value.whole && !p->value.mask && !p->value.mask_bit && !p->value.part;
    const struct gpudbg_wave *w = bare ? machine_wave(machine_of(eval), p->wave, &ignored) : NULL;
    if (!w) return false;
    *then = *w;
    if (pc == PAST_HERE) return true;
    then->pc = pc;
    if (then->state == GPUDBG_ENDED) then->state = GPUDBG_READY;
    return true;
}

static struct value_type type_then(
    struct eval *eval, const struct past_place *p, const unsigned char *bytes, uint64_t pc)
{
    struct gpudbg_wave then;
    const uint32_t words[2] = {(uint32_t)le_get(bytes, 4), p->size > 4 ? (uint32_t)le_get(bytes + 4, 4) : 0};
    if (!p->type.bits || p->size < 4 || !wave_then(eval, p, pc, &then)) return p->type;
    const struct value_type typed = typed_value_of(eval, &then, &p->value, words);
    return typed.bits == p->type.bits ? typed : p->value.type;
}

int past_number(
    struct eval *eval, const struct past_place *p, const unsigned char *bytes, uint64_t pc, char *buf, size_t size)
{
    struct value v = {.type = type_then(eval, p, bytes, pc), .digits = p->is_register && p->value.digits};
    unsigned char all[8] = {0};
    const size_t n = (p->type.bits + 7u) / 8;
    if (size) buf[0] = 0;
    if (!p->type.bits && p->shape) {
        const struct local_memory m = {.shape = p->shape, .count = p->count};
        locals_shape_text(eval, &m, bytes, p->size < PAST_BYTES ? (size_t)p->size : PAST_BYTES, buf, size);
        return (int)strlen(buf);
    }
    if (!p->type.bits || p->size != n) return 0;
    memcpy(all, bytes, n);
    value_set_bits(&v, le_get(all, 8));
    return p->is_register && p->value.mask ? 0 : value_text(eval, &v, 0, buf, size);
}

/* All of a bare register that has many parts, as `print` shows it. */
static int parts_text(
    struct eval *eval, const struct past_place *p, const unsigned char *bytes, uint64_t pc, char *buf, size_t size)
{
    struct gpudbg_wave then;
    uint32_t words[PAST_BYTES / 4];
    if (!p->value.many || p->size > PAST_BYTES || !wave_then(eval, p, pc, &then)) return 0;
    for (size_t i = 0; i < p->size / 4; i++) words[i] = (uint32_t)le_get(bytes + 4 * i, 4);
    char *text = show_held(eval, &then, &p->value, words, (size_t)p->size / 4);
    const int n = text ? snprintf(buf, size, "%s", text) : 0;
    free(text);
    return n;
}

int past_text(
    struct eval *eval, const struct past_place *p, const unsigned char *bytes, uint64_t pc, char *buf, size_t size)
{
    int plain;
    return past_text_plain(eval, p, bytes, pc, buf, size, &plain);
}

int past_text_plain(struct eval *eval, const struct past_place *p, const unsigned char *bytes, uint64_t pc, char *buf,
    size_t size, int *plain)
{
    const size_t n = p->size < PAST_BYTES ? (size_t)p->size : PAST_BYTES;
    const bool bit = p->is_register && p->value.mask_bit;
    struct text t = text_in(buf, size);
    if (p->is_register && p->value.mask && n <= 8) {
        struct value v = {.type = {VALUE_UNSIGNED, (uint8_t)(8 * n)}, .mask = true};
        value_set_bits(&v, le_get(bytes, (unsigned)n));
        return *plain = value_text(eval, &v, 0, buf, size);
    }
    text_wrote(&t, parts_text(eval, p, bytes, pc, buf, size));
    if (t.n) return *plain = text_length(&t);
    text_wrote(&t, past_number(eval, p, bytes, pc, buf, size));
    const bool number = t.n;
    *plain = text_length(&t);
    if (bit || (number && (!p->type.bits || strncmp(buf, "0x", 2) == 0))) return text_length(&t);
    if (number) text_add(&t, " (");
    if (n <= 8) text_add(&t, "0x");
    for (size_t i = n; n <= 8 && i-- > 0;) text_add(&t, "%02x", bytes[i]);
    for (size_t i = 0; n > 8 && i < n; i++) text_add(&t, i % 4 ? "%02x" : i ? " %02x" : "%02x", bytes[i]);
    if (p->size > n) text_add(&t, " ...");
    if (number) text_add(&t, ")");
    if (!number) *plain = text_length(&t);
    return text_length(&t);
}

/* ---- Being told ---- */

void past_disarm(struct eval *eval, int number)
{
    struct gpudbg_error ignored = {0};
    struct gpudbg_machine *m = machine_of(eval);
    machine_trace(m, number, NULL, 0);
    machine_watch(m, GPUDBG_GLOBAL, 0, 0, false, false, number, false, &ignored);
}

/* The file may be another one than when it was named. */
static bool arm_followed(struct eval *eval, struct past_place *p, int number, struct gpudbg_error *err)
{
    const struct local_watch *old = p->followed;
    struct local_watch *v = local_watch_new(eval, old->wave, old->lane, old->at, old->expr);
    uint64_t *pc = NULL;
    if (!v) return gpudbg_fail(err, "no-such-name", "%.60s has no place in this program", old->expr);
    local_watch_free(p->followed);
    p->followed = v;
    const size_t n = local_watch_traces(eval, &pc);
    machine_trace(machine_of(eval), number, pc, n);
    free(pc);
    return true;
}

bool past_arm(struct eval *eval, struct past_place *p, int number, bool reads, bool writes, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = machine_of(eval);
    past_disarm(eval, number);
    for (size_t i = 0; i < p->npieces; i++) {
        if (machine_watch(m, p->space, p->piece[i].addr, p->piece[i].size, reads, writes, number, true, err)) continue;
        past_disarm(eval, number);
        return false;
    }
    if (p->followed) return arm_followed(eval, p, number, err);
    if (!p->is_register) return true;
    uint64_t *pc = NULL;
    size_t n = 0;
    if (!past_bits(eval, p, err)) return false;
    struct gpudbg_wave *w = machine_wave(m, p->wave, err);
    if (w) walk(w, p->set, reads, writes, &pc, &n);
    machine_trace(m, number, pc, n);
    free(pc);
    return w != NULL;
}

bool past_about(struct eval *eval, struct gpudbg_wave *w, struct past_place *p, bool reads, bool writes)
{
    struct gpudbg_insn insn, own;
    struct trial t;
    uint32_t touched[TOUCH_MOST];
    if (p->followed && w->id == p->wave) local_watch_before(eval, p->followed, w);
    if (p->followed) return w->id == p->wave;
    if (!p->is_register || !p->set || w->id != p->wave || !insn_at(w->machine->image, w->pc, &insn)) return false;
    const struct gpudbg_insn *actual = machine_actual(w, &insn, &own);
    if (!actual || !trial_open(&t, w->machine, false)) return false;
    enum touch_answer wrote = writes ? touch_does(&t, w, actual, p->set, true, touched) : TOUCH_NO;
    enum touch_answer read = reads ? touch_does(&t, w, actual, p->set, false, touched) : TOUCH_NO;
    trial_close(&t);
    const bool ask_write = wrote == TOUCH_MAYBE, ask_read = read == TOUCH_MAYBE;
    if ((ask_write || ask_read) && trial_open(&t, w->machine, true)) { /* slow: it stores, and no operand tells */
        if (ask_write) wrote = touch_does(&t, w, actual, p->set, true, touched);
        if (ask_read) read = touch_does(&t, w, actual, p->set, false, touched);
        trial_close(&t);
    }
    p->certain = wrote == TOUCH_YES || read != TOUCH_NO;
    return p->certain || wrote != TOUCH_NO || (writes && p->set->loose); /* whether it changes is seen after it */
}

bool past_unchanged(struct eval *eval, const struct past_place *p, const unsigned char *before)
{
    unsigned char now[PAST_BYTES];
    if (!p->is_register || p->certain || !past_read(eval, p, now, sizeof now)) return false;
    return memcmp(now, before, p->size < sizeof now ? (size_t)p->size : sizeof now) == 0;
}

/* ---- Questions ---- */

struct question {
    struct eval *eval;
    struct past_place *place;
    struct machine_sieve sieve;
    uint64_t now, recorded;
    struct gpudbg_stop stop;
    /* All writes, where they are asked for. */
    struct past_write *write;
    size_t most;
    uint64_t count;
    struct past_write next;    /* what is known of it before it is executed */
    bool collects, reads;      /* reads: those, instead of writes */
    struct past_stored stored; /* by the latest that was met */
    uint64_t lanes;
    uint32_t wave;
};

static bool about(void *data, struct gpudbg_wave *w, int number)
{
    struct question *q = data;
    if (number != OWN || !past_about(q->eval, w, q->place, q->reads, !q->reads)) return false;
    if (!q->collects && q->place->certain) return true;
    q->next = (struct past_write){.position = machine_position(w->machine), .wave = w->id, .pc = w->pc};
    past_read(q->eval, q->place, q->next.old, sizeof q->next.old);
    return true;
}

uint64_t past_lanes(const struct past_place *p, const struct gpudbg_machine *m)
{
    const struct gpudbg_regfile *file = &m->isa->files[p->value.file];
    if (p->followed) return p->followed->lane >= 0 ? UINT64_C(1) << p->followed->lane : 0;
    if (!p->is_register || (file->lanes <= 1 && (!p->value.mask_bit || file->indexed))) return 0;
    const unsigned n = p->value.lanes > 0 ? (unsigned)p->value.lanes : 1;
    return (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << p->value.lane;
}

static bool wrote(const struct question *q, const struct gpudbg_wave *w)
{
    uint8_t was[LOCAL_WATCHED];
    if (!q->place->followed) return !past_unchanged(q->eval, q->place, q->next.old);
    const enum local_change change = local_watch_after(q->eval, q->place->followed, w, q->next.pc, was);
    return change == LOCAL_CHANGED || change == LOCAL_FIRST;
}

static bool hit(void *data, struct gpudbg_wave *w, int number)
{
    struct question *q = data;
    struct gpudbg_machine *m = w->machine;
    if (number != OWN || !wrote(q, w)) return false;
    if (q->place->npieces && q->place->space == GPUDBG_LOCAL &&
        w->id / m->waves_per_group != q->place->wave / m->waves_per_group)
        return false; /* another group's LDS */
    q->wave = w->id;
    q->lanes = q->place->is_register || q->place->followed ? past_lanes(q->place, m) : machine_watch_lanes(m, OWN);
    if (q->lanes == UINT64_MAX && !q->place->is_register) q->lanes = 0;
    if (q->place->npieces && !q->reads && q->place->size > sizeof q->stored.now) {
        struct past_met met = {.eval = q->eval, .place = q->place, .number = OWN, .lane = -1, .writes = true};
        past_met_stored(&met, w->id, -1, &q->stored);
        met.reads = true; /* what was stored is what was there */
        if (!q->stored.known) past_met_stored(&met, w->id, -1, &q->stored);
    }
    if (!q->collects) return true;
    struct past_write *to = &q->write[q->count++ % q->most];
    *to = q->next;
    to->wave = w->id;
    to->lanes = q->lanes;
    to->stored = q->stored;
    to->position = machine_position(m) - 1;
    past_read(q->eval, q->place, to->now, sizeof to->now);
    if (q->place->is_register || q->place->followed) return false;
    memcpy(to->old, to->now, sizeof to->old);
    machine_watch_old(m, OWN, to->old, q->place->size < sizeof to->old ? (size_t)q->place->size : sizeof to->old);
    return false;
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct question *q = data;
    return ticker_goes_on(q->eval->ticker, done, todo);
}

bool past_sieve(struct eval *eval, const struct past_place *p, struct machine_sieve *sieve)
{
    struct gpudbg_wave anyone = {.machine = machine_of(eval)};
    *sieve = (struct machine_sieve){.by = SIEVE_WAVE, .wave = p->wave};
    if (!p->is_register && !p->followed && p->space == GPUDBG_LOCAL) sieve->by = SIEVE_GROUP;
    if (p->is_register || p->followed || p->space != GPUDBG_GLOBAL) return true;
    uint64_t lo = UINT64_MAX, hi = 0;
    for (size_t i = 0; i < p->npieces; i++) {
        if (p->piece[i].addr < lo) lo = p->piece[i].addr;
        if (p->piece[i].addr + p->piece[i].size - 1 > hi) hi = p->piece[i].addr + p->piece[i].size - 1;
    }
    const struct gpudbg_segment *s = gpudbg_mem_find(&anyone, p->space, lo, hi - lo + 1);
    if (!s) return false;
    *sieve = (struct machine_sieve){.by = SIEVE_PAGES,
        .segment = s,
        .first = (lo - s->base) >> GPUDBG_PAGE_BITS,
        .last = (hi - s->base) >> GPUDBG_PAGE_BITS};
    return true;
}

static bool begin(struct question *q, struct eval *eval, struct past_place *p, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = machine_of(eval);
    *q = (struct question){.eval = eval, .place = p, .now = machine_position(m), .stop = m->stop};
    q->recorded = machine_recorded(m);
    if (!past_sieve(eval, p, &q->sieve))
        return gpudbg_fail(err, "out-of-range", "no memory at 0x%" PRIx64, p->piece->addr);
    return past_arm(eval, p, OWN, false, true, err);
}

static struct machine_want search_of(struct question *q, uint64_t to)
{
    return (struct machine_want){.until = MACHINE_POSITION,
        .count = to,
        .wave = q->place->wave,
        .stops = true,
        .present = true,
        .pure = !q->collects,
        .hit = hit,
        .about = about,
        .sieve = q->reads ? NULL : &q->sieve, /* pages say who stores to them */
        .tick = tick,
        .data = q};
}

static struct gpudbg_stop search(struct question *q, uint64_t to)
{
    const struct machine_want want = search_of(q, to);
    return machine_run(machine_of(q->eval), &want);
}

/* Returns to the present, as if nothing had been asked. */
static bool finish(struct question *q, bool interrupted, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = machine_of(q->eval);
    past_disarm(q->eval, OWN);
    machine_come_back(m, q->now);
    m->stop = q->stop;
    return !interrupted || gpudbg_fail(err, "interrupt", "interrupted while looking through recorded time");
}

/* The write that ended at `position` of the machine; reads what stood there before and after it.  false: interrupted.
 */
static bool look(struct question *q, uint64_t position, struct past_write *to)
{
    struct machine_wave_info info;
    struct gpudbg_error ignored = {0};
    struct gpudbg_machine *m = machine_of(q->eval);
    *to = (struct past_write){.position = position - 1, .wave = q->wave, .lanes = q->lanes, .stored = q->stored};
    past_disarm(q->eval, OWN);
    if (!machine_go(m, position, &ignored)) return false;
    past_read(q->eval, q->place, to->now, sizeof to->now);
    if (!machine_go(m, position - 1, &ignored)) return false;
    past_read(q->eval, q->place, to->old, sizeof to->old);
    machine_wave_info(m, q->wave, &info);
    to->pc = info.pc;
    return true;
}

/* stay: where there is one, the machine then stands before it. */
static bool find(struct eval *eval, struct past_place *p, bool back, bool stay, struct past_write *to, bool *found,
    struct gpudbg_error *err)
{
    struct question q;
    unsigned char present[PAST_BYTES];
    *found = false;
    if (!begin(&q, eval, p, err)) return false;
    const bool known = past_read(eval, p, present, sizeof present);
    const struct gpudbg_stop stop = search(&q, back ? 0 : q.recorded);
    bool whole = stop.reason != GPUDBG_STOP_INTERRUPT;
    *found = stop.reason == GPUDBG_STOP_WATCHPOINT && stop.number == OWN;
    if (*found) whole = look(&q, machine_position(machine_of(eval)), to);
    if (*found && whole && back && known && p->size <= sizeof present)
        to->edited = memcmp(to->now, present, (size_t)p->size) != 0;
    if (*found && whole && stay) return true;
    return finish(&q, !whole, err);
}

bool past_last(struct eval *eval, struct past_place *p, struct past_write *to, bool *found, struct gpudbg_error *err)
{
    return find(eval, p, true, false, to, found, err);
}

bool past_go_last(struct eval *eval, struct past_place *p, struct past_write *to, bool *found, struct gpudbg_error *err)
{
    return find(eval, p, true, true, to, found, err);
}

bool past_next(struct eval *eval, struct past_place *p, struct past_write *to, bool *found, struct gpudbg_error *err)
{
    return find(eval, p, false, false, to, found, err);
}

static void turn_round(struct past_write *write, size_t most, uint64_t count)
{
    if (count <= most) return;
    struct past_write *all = xcalloc(most, sizeof *all);
    for (size_t i = 0; i < most; i++) all[i] = write[(count + i) % most];
    memcpy(write, all, most * sizeof *all);
    free(all);
}

/* The writes of a part of time: how many, then the last of them. */
static void writes_begin(void *data, struct gpudbg_machine *m)
{
    (void)m;
    ((struct question *)data)->count = 0;
}

static void writes_end(void *data, struct gpudbg_machine *m, struct parts_worker *worker)
{
    struct question *q = data;
    (void)m;
    turn_round(q->write, q->most, q->count);
    parts_answer(worker, &q->count, sizeof q->count);
    parts_answer(worker, q->write, (q->count < q->most ? (size_t)q->count : q->most) * sizeof *q->write);
}

static void writes_merge(void *data, const void *answer, size_t size)
{
    struct question *q = data;
    uint64_t count;
    memcpy(&count, answer, sizeof count);
    const struct past_write *write = (const void *)((const char *)answer + sizeof count);
    const size_t n = (size - sizeof count) / sizeof *write;
    q->count += count - n;
    for (size_t i = 0; i < n; i++) memcpy(&q->write[q->count++ % q->most], &write[i], sizeof *write);
}

/* All writes from the launch, where the machine stands, to the end of recorded time.  false: interrupted. */
static bool collect(struct question *q)
{
    const struct machine_want want = search_of(q, q->recorded);
    const struct machine_gather gather = {
        .want = &want, .to = q->recorded, .begin = writes_begin, .end = writes_end, .merge = writes_merge};
    const enum parts_end end = machine_gather(machine_of(q->eval), &gather);
    if (end != PARTS_FAILED) return end == PARTS_DONE;
    q->count = 0;
    return search(q, q->recorded).reason != GPUDBG_STOP_INTERRUPT;
}

/* All reads or writes in recorded time, the last `most`; what is known of them but their pc.  The machine then stands
 * anywhere: finish. */
static bool all_of(
    struct question *q, bool reads, struct past_write *write, size_t most, uint64_t *count, struct gpudbg_error *err)
{
    past_disarm(q->eval, OWN);
    machine_rewind(machine_of(q->eval));
    if (!past_arm(q->eval, q->place, OWN, reads, !reads, err)) return false;
    q->collects = true;
    q->reads = reads;
    q->write = write;
    q->most = most;
    const bool whole = collect(q);
    turn_round(write, most, q->count);
    *count = q->count;
    past_disarm(q->eval, OWN);
    return whole || gpudbg_fail(err, "interrupt", "interrupted while looking through recorded time");
}

bool past_writes(struct eval *eval, struct past_place *p, struct past_write *write, size_t most, uint64_t *count,
    struct gpudbg_error *err)
{
    struct question q;
    if (!begin(&q, eval, p, err)) return false;
    bool whole = all_of(&q, false, write, most, count, err);
    for (size_t i = 0; whole && p->npieces && i < most && i < q.count; i++) { /* memory does not record who wrote
                                                                                      it */
        struct machine_wave_info info;
        whole = machine_go(machine_of(eval), write[i].position, err);
        machine_wave_info(machine_of(eval), write[i].wave, &info);
        write[i].pc = info.pc;
    }
    return finish(&q, false, err) && whole;
}

bool past_moments(struct eval *eval, struct past_place *p, bool reads, struct past_write *write, size_t most,
    uint64_t *count, struct gpudbg_error *err)
{
    struct question q;
    if (!begin(&q, eval, p, err)) return false;
    const bool whole = all_of(&q, reads, write, most, count, err);
    return finish(&q, false, err) && whole;
}

/* ---- When a condition held ---- */

/* What was seen of it in a part of time. */
struct seen {
    bool any, at_first, holds; /* it was looked at; it held then for the first and the last time */
    struct past_times times;
};

struct times {
    struct eval *eval;
    const char *condition;
    uint32_t wave;
    int lane;
    uint64_t recorded;
    bool own;       /* only instructions of the wave change whether it holds */
    uint64_t since; /* own: it has been as it is from this position on */
    struct seen seen;
};

static void look_at(struct times *t, uint64_t position)
{
    struct gpudbg_error err = {0};
    struct seen *s = &t->seen;
    bool holds = false;
    if (!expr_holds(t->eval, t->wave, t->lane, t->condition, &holds, &err)) holds = false;
    if (holds && !s->times.times) s->times.first = t->own ? t->since : position;
    if (holds) s->times.last = position;
    s->times.times += holds && !s->holds;
    if (!s->any) s->at_first = holds;
    s->any = true;
    s->holds = holds;
    t->since = position + 1;
}

static bool every(void *data, struct gpudbg_wave *w)
{
    struct times *t = data;
    if (!t->own || w->id == t->wave) look_at(t, machine_position(w->machine));
    return false;
}

static bool times_tick(void *data, uint64_t done, uint64_t todo)
{
    const struct times *t = data;
    return ticker_goes_on(t->eval->ticker, done, todo);
}

static bool pass_by(void *data, struct gpudbg_wave *w, int number)
{
    (void)data;
    (void)w;
    (void)number;
    return false;
}

static void times_begin(void *data, struct gpudbg_machine *m)
{
    (void)m;
    ((struct times *)data)->seen = (struct seen){0};
}

static void times_end(void *data, struct gpudbg_machine *m, struct parts_worker *worker)
{
    struct times *t = data;
    if (machine_position(m) == t->recorded) look_at(t, t->recorded);
    parts_answer(worker, &t->seen, sizeof t->seen);
}

/* It goes on holding where it held before. */
static void times_merge(void *data, const void *answer, size_t size)
{
    struct seen *all = &((struct times *)data)->seen, part;
    (void)size;
    memcpy(&part, answer, sizeof part);
    if (!part.any) return;
    if (part.times.times && !all->times.times) all->times.first = part.times.first;
    if (part.times.times) all->times.last = part.times.last;
    all->times.times += part.times.times - (all->holds && part.at_first);
    all->any = true;
    all->holds = part.holds;
}

/* Here, one instruction after another.  false: interrupted. */
static bool times_alone(struct times *t, const struct machine_want *want)
{
    struct gpudbg_machine *m = machine_of(t->eval);
    const uint64_t now = machine_position(m);
    t->seen = (struct seen){0};
    machine_rewind(m);
    look_at(t, 0);
    const bool whole = machine_run(m, want).reason != GPUDBG_STOP_INTERRUPT;
    if (whole && t->recorded) look_at(t, t->recorded);
    machine_come_back(m, now);
    return whole;
}

/* The name behind a '$', or of a type: "$v0", "(f32)".  Other names are memory, time, or functions over many waves. */
static bool own_name(const struct gpudbg_isa *isa, const char *name, size_t n, bool dollar)
{
    static const char *const types[] = {"f16", "f32", "f64", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"};
    for (size_t i = 0; !dollar && i < sizeof types / sizeof *types; i++)
        if (strlen(types[i]) == n && strncmp(types[i], name, n) == 0) return true;
    for (unsigned f = 0; dollar && f < isa->nfiles; f++) {
        const size_t file = strlen(isa->files[f].name);
        size_t digits = file;
        if (file > n || strncmp(isa->files[f].name, name, file) != 0) continue;
        while (digits < n && isdigit((unsigned char)name[digits])) digits++;
        if (digits == n) return true;
    }
    return false;
}

/* The condition is about registers of one wave alone: nothing else is named, and no star loads. */
static bool about_registers(const struct gpudbg_isa *isa, const char *text)
{
    char before = '(';
    for (const char *p = text; *p; p++) {
        size_t n = 0;
        if (*p == ' ') continue;
        if (*p == '*' && (strchr("([,?:!~+-*/%&|^<>=", before) || isalpha((unsigned char)before))) return false;
        if (!isalpha((unsigned char)*p) && *p != '_') {
            while (isdigit((unsigned char)*p) && (isalnum((unsigned char)p[1]) || p[1] == '.')) p++; /* 0x1f, 1.5e3 */
            before = *p;
            continue;
        }
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
        const bool dollar = p > text && p[-1] == '$', part = p > text && (p[-1] == '.' || p[-1] == ':');
        if (!part && !own_name(isa, p, n, dollar)) return false;
        before = dollar || part ? ')' : 'a';
        p += n - 1;
    }
    return true;
}

bool past_times(struct eval *eval, const char *condition, struct past_times *to, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = machine_of(eval);
    struct value v;
    struct times t = {.eval = eval,
        .condition = condition,
        .wave = eval->selection->wave,
        .lane = eval->selection->lane,
        .recorded = machine_recorded(m)};
    const struct gpudbg_stop stop = m->stop;
    *to = (struct past_times){0};
    if (!expr_readable(eval, condition, err) || !expr_value(eval, condition, &v, err) || !value_one(&v, err))
        return false;
    struct machine_want want = {.until = MACHINE_POSITION, .count = t.recorded, .wave = t.wave, .data = &t};
    want.stops = want.whole = true;
    want.hit = pass_by; /* breakpoints of the user are nothing to stop at */
    want.every = every;
    want.tick = times_tick;
    const struct machine_gather gather = {
        .want = &want, .to = t.recorded, .begin = times_begin, .end = times_end, .merge = times_merge};
    const struct machine_sieve sieve = {.by = SIEVE_WAVE, .wave = t.wave};
    t.own = about_registers(m->isa, condition);
    if (t.own) want.sieve = &sieve;
    machine_hide_ended(m, true); /* whether their registers are still there is a matter of chance */
    const enum parts_end end = t.own ? PARTS_FAILED : machine_gather(m, &gather);
    const bool whole = end == PARTS_FAILED ? times_alone(&t, &want) : end == PARTS_DONE;
    machine_hide_ended(m, false);
    *to = t.seen.times;
    m->stop = stop;
    return whole || gpudbg_fail(err, "interrupt", "interrupted while looking through recorded time");
}

int past_insn_text(const struct eval *eval, uint64_t pc, char *buf, size_t size)
{
    const int n = code_text_at(eval->loaded->image, pc, eval->syntax, buf, size);
    return n ? n : snprintf(buf, size, "?");
}
