/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "past/origin.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "eval/show.h"
#include "eval/typed.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"

#define ADDRESSES_MOST 4 /* of one value */

struct growing {
    struct eval *eval;
    const struct origin_want *want;
    struct origin_node *node;
    size_t n;
    struct gpudbg_error *err;
};

static struct gpudbg_machine *machine_of(const struct growing *g) { return g->eval->running->machine; }

/* ---- Inputs as places ---- */

static void name_register(const struct gpudbg_machine *m, const struct insn_input *in, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add(&t, "$");
    text_wrote(
        &t, past_registers_name(&m->isa->files[in->file], in->reg, in->pair ? 2 : 1, text_end(&t), text_room(&t)));
    if (in->lane >= 0) text_add(&t, "[%d]", in->lane);
    if (in->bits == 1) text_add(&t, " bit %u", in->first * 32u + in->shift);
    if (in->bits <= 1) return;
    static const char *const types[] = {"", "ub", "uw", "", "ud"};
    const unsigned at = in->first * 32u + in->shift;
    text_add(&t, ".%u%s%s", at / in->bits, in->bits == 32 ? "" : ":", in->bits == 32 ? "" : types[in->bits / 8 % 5]);
}

/* false: it cannot be asked about (it follows from the launch). */
static bool place_of(
    struct growing *g, uint32_t wave, const struct insn_input *in, struct past_place *p, char *name, size_t size)
{
    struct gpudbg_machine *m = machine_of(g);
    struct gpudbg_error ignored = {0};
    *p = (struct past_place){.wave = wave};
    if (!in->is_register) {
        char place[80];
        p->space = in->space;
        p->size = in->size;
        p->npieces = 1;
        p->piece = xalloc(sizeof *p->piece);
        *p->piece = (struct memory_piece){in->addr, in->size};
        struct buffer_place element;
        show_address(g->eval, in->space, in->addr, place, sizeof place);
        if (buffer_place(g->eval, in->space, in->addr, &element) && element.element.bits == 8 * in->size)
            p->type = element.element;
        snprintf(name, size, "%s", place);
        return true;
    }
    name_register(m, in, name, size);
    const struct gpudbg_regfile *file = &m->isa->files[in->file];
    const unsigned bits = in->mask_bit ? 8 : in->bits ? in->bits : file->bits > 32 || in->pair ? 64 : 32;
    p->is_register = true;
    p->value = (struct value){.place = PLACE_REGISTER,
        .file = (uint16_t)in->file,
        .reg = (uint16_t)in->reg,
        .count = in->pair ? 2 : 1,
        .first = in->first,
        .shift = in->shift,
        .part = in->bits != 0,
        .mask_bit = in->mask_bit,
        .mask = file->mask && !in->mask_bit,
        .whole = !in->bits && !in->mask_bit,
        .lane = (int16_t)(in->lane < 0 ? 0 : in->lane),
        .lanes = 1,
        .type = {VALUE_UNSIGNED, (uint8_t)bits}};
    const struct value_type typed = typed_value(g->eval, wave, &p->value);
    p->type = typed.bits ? typed : p->value.type;
    p->value.digits = typed_digits(g->eval, wave, &p->value);
    p->size = (bits + 7) / 8;
    return past_bits(g->eval, p, &ignored);
}

/* ---- Leaves ---- */

/* The launch gives the bits a value of its own: two launches over different fillings agree about them. */
static bool set_by_launch(struct gpudbg_wave *w, const struct touch_set *set)
{
    const size_t size = ((size_t)w->machine->wave_words * 4 + 127) & ~(size_t)63;
    struct gpudbg_wave a = *w, b = *w;
    a.words = aligned_alloc(64, size);
    b.words = aligned_alloc(64, size);
    bool same = a.words && b.words && set;
    if (same) {
        memset(a.words, 0x5a, size);
        memset(b.words, 0xa5, size);
        w->machine->isa->run->start(&a);
        w->machine->isa->run->start(&b);
    }
    for (size_t i = 0; same && i < set->n; i++)
        same = !((a.words[set->bit[i].at] ^ b.words[set->bit[i].at]) & set->bit[i].bits);
    free(a.words);
    free(b.words);
    return same;
}

/* The argument of the kernel whose value is at an offset of the segment that holds them all; NULL: it is another. */
static const struct gpudbg_param *argument_at(
    const struct gpudbg_machine *m, const struct gpudbg_segment *s, uint64_t offset)
{
    const struct gpudbg_kernel *k = m->launch ? m->launch->kernel : NULL;
    if (!k || !s->name || strcmp(s->name, "kernarg") != 0) return NULL;
    for (size_t i = 0; i < k->nparams; i++)
        if (k->params[i].name && offset - k->params[i].offset < k->params[i].size) return &k->params[i];
    return NULL;
}

static void describe_leaf(struct growing *g, const struct past_place *p, char *buf, size_t size)
{
    struct gpudbg_machine *m = machine_of(g);
    struct gpudbg_error ignored = {0};
    struct text t = text_in(buf, size);
    if (!p->is_register) {
        struct gpudbg_wave anyone = {.machine = m};
        const struct gpudbg_segment *s = p->space == GPUDBG_GLOBAL
                                             ? gpudbg_mem_find(&anyone, p->space, p->piece->addr, p->piece->size)
                                             : NULL;
        const struct gpudbg_param *argument;
        struct buffer_place place;
        char row[64];
        if (s && buffer_place(g->eval, p->space, p->piece->addr, &place)) {
            buffer_place_row(&place, row, sizeof row);
            text_add(&t, "%s as launched%s", place.name, row);
        } else if (s && (argument = argument_at(m, s, p->piece->addr - s->base)))
            text_add(&t, "argument %s as launched", argument->name);
        else if (s)
            text_add(&t, "%s+0x%" PRIx64 " as launched", s->name, p->piece->addr - s->base);
        else
            text_add(&t, "it was never written");
        return;
    }
    struct gpudbg_wave *w = machine_wave(m, p->wave, &ignored);
    char holds[100] = "";
    unsigned bits;
    if (w && m->isa->run->holds) m->isa->run->holds(w, p->value.file, p->value.reg, &bits, holds, sizeof holds);
    if (!p->set || !p->set->n)
        text_add(&t, "follows from the launch");
    else if (w && !set_by_launch(w, p->set))
        text_add(&t, "it was never written");
    else
        text_add(&t, "set by the launch");
    if (*holds) text_add(&t, ": %s", holds);
}

/* ---- Growing ---- */

static void read_value(struct growing *g, const struct past_place *p, struct origin_node *node)
{
    unsigned char bytes[PAST_BYTES];
    node->value[0] = 0;
    node->plain = 0;
    if (past_read(g->eval, p, bytes, sizeof bytes))
        past_text_plain(g->eval, p, bytes, PAST_HERE, node->value, sizeof node->value, &node->plain);
}

/* The inputs of the wave's next instruction that a result of it is computed from. */
static size_t inputs_here(struct growing *g, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct input_result *of, struct insn_input *to, uint64_t *lanes)
{
    struct trial t;
    if (!trial_open(&t, machine_of(g), true)) return 0;
    const size_t n = inputs_of(&t, w, insn, of, to, lanes);
    trial_close(&t);
    return n;
}

/* ---- Numbers of two registers ---- */

/* The units that an instruction writes, of a pair. */
struct halves {
    unsigned file;
    uint32_t at[2];
    bool written[2];
};

static void see_half(void *to, const struct gpudbg_number *n)
{
    struct halves *h = to;
    for (int i = 0; i < 2; i++)
        if (n->write && n->file == h->file && (n->at == h->at[i] || (n->bits == 64 && n->at + 1 == h->at[i])))
            h->written[i] = true;
}

/* One instruction has made both halves, or nobody has. */
static bool made_as_one(struct growing *g, struct past_place *p)
{
    struct gpudbg_machine *m = machine_of(g);
    const uint64_t now = machine_position(m);
    const unsigned units = gpudbg_use_units(m->isa, p->value.file);
    struct halves h = {p->value.file, {p->value.reg * units, (p->value.reg + 1) * units}, {false, false}};
    struct gpudbg_error ignored = {0};
    struct gpudbg_insn insn, own;
    struct past_write w;
    bool found = false;
    if (!past_go_last(g->eval, p, &w, &found, &ignored)) return false;
    struct gpudbg_wave *at = found ? machine_wave(m, w.wave, &ignored) : NULL;
    const struct gpudbg_insn *actual = at && insn_at(m->image, at->pc, &insn) ? machine_actual(at, &insn, &own) : NULL;
    if (actual && m->isa->numbers) m->isa->numbers(actual, see_half, &h);
    return machine_go(m, now, &ignored) && (!found || (h.written[0] && h.written[1]));
}

/* Whether two inputs are the halves of one number, of a double or of memory that was loaded or stored at once. */
static bool is_pair(
    struct growing *g, uint32_t wave, const struct insn_input *a, const struct insn_input *b, uint64_t size)
{
    struct gpudbg_machine *m = machine_of(g);
    struct insn_input both = *a;
    struct past_place p;
    char name[96];
    if (a->is_register != b->is_register || a->role != b->role) return false;
    if (!a->is_register)
        return size == 8 && a->role == INPUT_VALUE && a->space == b->space && a->size == 4 && b->size == 4 &&
               a->addr + 4 == b->addr && a->addr % 8 == 0 && a->lane == b->lane;
    const struct gpudbg_regfile *f = &m->isa->files[a->file];
    if (a->file != b->file || a->reg + 1 != b->reg || a->lane != b->lane || f->bits != 32 || f->mask || a->bits ||
        b->bits || (f->parts && a->reg % 2))
        return false;
    both.pair = true;
    const bool known = place_of(g, wave, &both, &p, name, sizeof name);
    const bool one = known && p.type.kind == VALUE_FLOAT && p.type.bits == 64 && made_as_one(g, &p);
    past_free(&p);
    return one;
}

/* Halves become one input; returns how many there are then. */
static size_t join_pairs(struct growing *g, uint32_t wave, struct insn_input *in, size_t n, uint64_t size)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++, to++) {
        in[to] = in[i];
        for (size_t k = i + 1; k < n; k++) {
            if (!is_pair(g, wave, &in[to], &in[k], size)) continue;
            if (in[to].is_register)
                in[to].pair = true;
            else
                in[to].size = 8;
            memmove(&in[k], &in[k + 1], (n - k - 1) * sizeof *in);
            n--;
            break;
        }
    }
    return to;
}

/* The inputs of the instruction at the present position, which writes the place. */
static size_t inputs(
    struct growing *g, uint32_t wave, const struct past_place *p, struct insn_input *to, uint64_t *lanes, bool *copies)
{
    struct gpudbg_machine *m = machine_of(g);
    struct gpudbg_error ignored = {0};
    struct gpudbg_insn insn, own;
    struct gpudbg_wave *w = machine_wave(m, wave, &ignored);
    *copies = false;
    *lanes = 0;
    if (!w || !insn_at(m->image, w->pc, &insn)) return 0;
    const struct gpudbg_insn *actual = machine_actual(w, &insn, &own);
    if (!actual) return 0;
    *copies = actual->op->flags & (GPUDBG_OP_COPY | GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE);
    const struct gpudbg_regfile *file = p->is_register ? &m->isa->files[p->value.file] : NULL;
    const bool laned = file && (file->lanes > 1 || (p->value.mask_bit && !file->indexed)); /* $f1[17] is no lane 17 */
    const struct input_result of = {.set = p->is_register ? p->set : NULL,
        .lane = laned && p->value.lanes <= 1 ? p->value.lane : -1,
        .space = p->is_register ? 0 : p->space,
        .addr = p->is_register ? 0 : p->piece->addr,
        .size = p->is_register ? 0 : p->piece->size};
    const size_t n = inputs_here(g, w, actual, &of, to, lanes);
    return join_pairs(g, wave, to, n, p->size);
}

/* The one value that is given on unchanged; NULL: there is none. */
static const struct insn_input *copied(struct growing *g, uint32_t wave, const struct past_place *p,
    const struct past_write *w, const struct insn_input *in, size_t n)
{
    const struct insn_input *one = NULL;
    unsigned char bytes[PAST_BYTES];
    struct past_place from;
    char name[96];
    for (size_t i = 0; i < n; i++) {
        if (in[i].role != INPUT_VALUE) continue;
        if (one) return NULL;
        one = &in[i];
    }
    if (!one || p->size > 8) return NULL;
    const bool known = place_of(g, wave, one, &from, name, sizeof name) && from.size == p->size &&
                       past_read(g->eval, &from, bytes, sizeof bytes);
    const bool same = known && memcmp(bytes, w->now, (size_t)p->size) == 0;
    past_free(&from);
    return same ? one : NULL;
}

/* The register that decides where the lane loads or stores: one of its own rather than one that all lanes share. */
static const struct insn_input *address_of(const struct gpudbg_machine *m, const struct insn_input *in, size_t n)
{
    const struct insn_input *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const bool own = in[i].is_register && m->isa->files[in[i].file].lanes > 1;
        if (in[i].role == INPUT_ADDRESS && (!best || (own && m->isa->files[best->file].lanes <= 1))) best = &in[i];
    }
    return best;
}

static struct origin_node *add(struct growing *g, unsigned depth, enum input_role role, const char *name)
{
    g->node = xrealloc(g->node, g->n + 1, sizeof *g->node);
    struct origin_node *node = &g->node[g->n++];
    memset(node, 0, sizeof *node);
    node->depth = depth;
    node->role = role;
    snprintf(node->name, sizeof node->name, "%s", name);
    return node;
}

static bool grow(struct growing *g, struct past_place *p, unsigned depth, enum input_role role, const char *name);

/* The place of an input of the instruction at the present; one as large as the result is read like it. */
static bool input_place(struct growing *g, uint32_t wave, const struct insn_input *in, struct value_type type,
    struct past_place *from, char *name, size_t size)
{
    const bool known = place_of(g, wave, in, from, name, size);
    const bool says = from->is_register ? typed_value(g->eval, wave, &from->value).bits : from->type.bits;
    if (in->role == INPUT_VALUE && type.bits && from->size * 8 == type.bits && !says) from->type = type;
    return known;
}

static bool grow_inputs(struct growing *g, uint64_t position, uint32_t wave, const struct insn_input *in, size_t n,
    struct value_type type, unsigned depth)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++) {
        struct past_place from;
        char name[96];
        const size_t at = g->n;
        if (!machine_go(machine_of(g), position, g->err)) return false;
        const bool known = input_place(g, wave, &in[i], type, &from, name, sizeof name);
        if (known) {
            good = grow(g, &from, depth, in[i].role, name);
        } else {
            struct origin_node *leaf = add(g, depth, in[i].role, name);
            read_value(g, &from, leaf);
            describe_leaf(g, &from, leaf->leaf, sizeof leaf->leaf);
        }
        g->node[at].input = in[i];
        g->node[at].type = from.type;
        g->node[at].asked = position;
        g->node[at].wave = wave;
        past_free(&from);
    }
    return good;
}

/* Adds the node of the place as it is at the present, and what is below it. */
static bool grow(struct growing *g, struct past_place *place, unsigned depth, enum input_role role, const char *name)
{
    struct insn_input in[INPUTS_MOST];
    struct past_place held = {0}, *p = place;
    struct past_write w = {0};
    struct addressed { /* loads and stores that were passed over, from the value to where it is from */
        struct insn_input input;
        uint64_t position;
        uint32_t wave;
    } address[ADDRESSES_MOST];
    size_t addresses = 0;
    uint64_t lanes = 0;
    size_t n = 0, at = g->n;
    char first[160];
    bool found = false, good;
    struct origin_node *node = add(g, depth, role, name);
    read_value(g, p, node);
    if (g->want->values && depth == g->want->depth) return true;
    for (;;) {
        bool copies;
        const struct insn_input *from = NULL;
        good = past_go_last(g->eval, p, &w, &found, g->err);
        if (!good || !found) break;
        n = inputs(g, w.wave, p, in, &lanes, &copies);
        if (lanes && !p->is_register) w.lanes = lanes;
        if (copies && !g->want->copies) from = copied(g, w.wave, p, &w, in, n);
        struct past_place next;
        if (!from || !place_of(g, w.wave, from, &next, first, sizeof first)) break;
        const struct insn_input *its = g->want->addresses ? address_of(machine_of(g), in, n) : NULL;
        if (its && addresses < ADDRESSES_MOST) address[addresses++] = (struct addressed){*its, w.position, w.wave};
        past_free(&held);
        held = next;
        p = &held;
        g->node[at].copies++;
    }
    node = &g->node[at];
    if (good && found) {
        node->found = true;
        node->write = w;
        node->cut = n && (depth >= g->want->depth || g->n + n > g->want->rows);
        if (!node->cut) good = grow_inputs(g, w.position, w.wave, in, n, place->type, depth + 1);
    } else if (good) {
        describe_leaf(g, p, node->leaf, sizeof node->leaf);
    }
    for (size_t i = 0; good && i < addresses && depth < g->want->depth && g->n < g->want->rows; i++)
        good = grow_inputs(
            g, address[i].position, address[i].wave, &address[i].input, 1, (struct value_type){0}, depth + 1);
    past_free(&held);
    return good;
}

/* Back to the present, with what has grown. */
static struct origin_node *finish(struct growing *g, uint64_t now, const struct gpudbg_stop *stop, bool good, size_t *n)
{
    machine_come_back(machine_of(g), now);
    machine_of(g)->stop = *stop;
    *n = g->n;
    if (good) return g->node;
    free(g->node);
    return NULL;
}

struct origin_node *origin_of(struct eval *eval, const char *what, struct past_place *p, const struct origin_want *want,
    size_t *n, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval->running->machine;
    struct growing g = {.eval = eval, .want = want, .err = err};
    const uint64_t now = machine_position(m);
    const struct gpudbg_stop stop = m->stop;
    return finish(&g, now, &stop, grow(&g, p, 0, INPUT_VALUE, what), n);
}

struct origin_node *origin_of_input(struct eval *eval, const struct origin_node *input, const struct origin_want *want,
    size_t *n, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval->running->machine;
    struct growing g = {.eval = eval, .want = want, .err = err};
    const uint64_t now = machine_position(m);
    const struct gpudbg_stop stop = m->stop;
    const bool good = grow_inputs(&g, input->asked, input->wave, &input->input, 1, input->type, 0);
    return finish(&g, now, &stop, good, n);
}

/* ---- Lanes that are off ---- */

struct origin_node *origin_of_lane(struct eval *eval, uint32_t wave, int lane, uint64_t position, const char *what,
    const struct origin_want *want, size_t *n, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval->running->machine;
    struct growing g = {.eval = eval, .want = want, .err = err};
    struct insn_input in[INPUTS_MOST];
    struct gpudbg_insn insn, own;
    const uint64_t now = machine_position(m);
    const struct gpudbg_stop stop = m->stop;
    const struct input_result of = {.active = true, .lane = lane};
    uint64_t lanes;
    size_t count = 0;
    struct gpudbg_wave *w = machine_go(m, position, err) ? machine_wave(m, wave, err) : NULL;
    if (!w) return finish(&g, now, &stop, false, n);
    const struct gpudbg_insn *actual = insn_at(m->image, w->pc, &insn) ? machine_actual(w, &insn, &own) : NULL;
    struct origin_node *node = add(&g, 0, INPUT_VALUE, what);
    node->found = true;
    node->write = (struct past_write){.position = position, .wave = wave, .pc = w->pc, .lanes = UINT64_C(1) << lane};
    if (actual) count = inputs_here(&g, w, actual, &of, in, &lanes);
    const bool good = grow_inputs(&g, position, wave, in, count, (struct value_type){0}, 1);
    return finish(&g, now, &stop, good, n);
}

/* The elements of the lane that the instruction would write, did its predicate let it. */
static bool left_out(struct gpudbg_wave *w, const struct gpudbg_insn *insn, int lane, struct touch_set *set)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    const unsigned n = isa->regions.elements(insn, w, f, GPUDBG_FOOTPRINTS);
    bool off = false;
    set->n = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; strcmp(f[i].role, "dst") == 0 && f[i].file < isa->nfiles && k < f[i].n; k++) {
            const struct gpudbg_element *e = &f[i].element[k];
            const unsigned bytes = isa->files[f[i].file].bits / 8u;
            if (e->lane != lane || !e->off || !bytes || e->at < 0) continue;
            off = true;
            for (unsigned at = (unsigned)e->at; at < (unsigned)e->at + e->size; at++)
                touch_add(set, w, f[i].file, at / bytes, at % bytes / 4, UINT32_C(0xff) << 8 * (at % 4));
        }
    free(f);
    return off && set->n;
}

struct origin_node *origin_of_predicate(
    struct eval *eval, uint32_t wave, int lane, const struct origin_want *want, size_t *n, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval->running->machine;
    struct growing g = {.eval = eval, .want = want, .err = err};
    struct insn_input in[INPUTS_MOST];
    struct gpudbg_insn insn, own;
    struct touch_set set = {0};
    const uint64_t now = machine_position(m);
    const struct gpudbg_stop stop = m->stop;
    uint64_t lanes;
    *n = 0;
    struct gpudbg_wave *w = machine_wave(m, wave, err);
    if (!w || !m->isa->regions.footprints || !insn_at(m->image, w->pc, &insn)) return NULL;
    const struct gpudbg_insn *actual = machine_actual(w, &insn, &own);
    if (!actual || !left_out(w, actual, lane, &set)) return NULL;
    const struct input_result of = {.set = &set, .lane = lane};
    const size_t count = inputs_here(&g, w, actual, &of, in, &lanes);
    struct origin_node *node = add(&g, 0, INPUT_VALUE, "the next instruction");
    node->found = true;
    node->write = (struct past_write){.position = now, .wave = wave, .pc = w->pc, .lanes = UINT64_C(1) << lane};
    const bool good = grow_inputs(&g, now, wave, in, count, (struct value_type){0}, 1);
    return finish(&g, now, &stop, good, n);
}

/* ---- Addresses ---- */

struct origin_node *origin_of_address(struct eval *eval, uint32_t wave, int lane, uint64_t position, uint64_t pc)
{
    struct gpudbg_machine *m = eval->running->machine;
    struct gpudbg_error ignored = {0};
    const struct origin_want want = {.rows = 1};
    struct growing g = {.eval = eval, .want = &want, .err = &ignored};
    struct insn_input in[INPUTS_MOST];
    struct gpudbg_insn insn, own;
    struct gpudbg_wave *w = NULL;
    const uint64_t now = machine_position(m);
    const struct gpudbg_stop stop = m->stop;
    const struct input_result of = {.address = true, .lane = lane};
    uint64_t lanes;
    size_t n = 0;
    bool good = false;
    for (uint64_t back = 0; back < 2 && back <= position && !good; back++) { /* some are reported behind it */
        w = machine_go(m, position - back, &ignored) ? machine_wave(m, wave, &ignored) : NULL;
        good = w && w->pc == pc;
    }
    const struct gpudbg_insn *actual = good && insn_at(m->image, pc, &insn) ? machine_actual(w, &insn, &own) : NULL;
    if (actual) n = inputs_here(&g, w, actual, &of, in, &lanes);
    const struct insn_input *address = address_of(m, in, n);
    good = address && grow_inputs(&g, machine_position(m), wave, address, 1, (struct value_type){0}, 0);
    return finish(&g, now, &stop, good, &n);
}

int origin_address_text(
    struct eval *eval, uint32_t wave, int lane, uint64_t position, uint64_t pc, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    char where[200], insn[GPUDBG_PRINT];
    struct origin_node *node = origin_of_address(eval, wave, lane, position, pc);
    if (size) buf[0] = 0;
    if (!node) return 0;
    text_add(&t, "the address is from %s = %s", node->name, *node->value ? node->value : "?");
    image_where(eval->loaded->image, node->write.pc, where, sizeof where);
    past_insn_text(eval, node->write.pc, insn, sizeof insn);
    if (node->found)
        text_add(&t, ", computed at %s (position %" PRIu64 "): %s", where, node->write.position, insn);
    else
        text_add(&t, ": %s", node->leaf);
    free(node);
    return text_length(&t);
}

/* ---- Parts of it ---- */

size_t origin_inputs(
    struct eval *eval, uint32_t wave, const struct past_place *p, int lane, struct insn_input to[INPUTS_MOST])
{
    struct growing g = {.eval = eval};
    struct gpudbg_error ignored = {0};
    struct gpudbg_insn insn, own;
    uint64_t lanes;
    bool copies;
    if (p) return inputs(&g, wave, p, to, &lanes, &copies);
    struct gpudbg_wave *w = lane < 0 ? NULL : machine_wave(machine_of(&g), wave, &ignored);
    if (!w || !insn_at(machine_of(&g)->image, w->pc, &insn)) return 0;
    const struct gpudbg_insn *actual = machine_actual(w, &insn, &own);
    const struct input_result of = {.active = true, .lane = lane};
    return actual ? inputs_here(&g, w, actual, &of, to, &lanes) : 0;
}

bool origin_place(struct eval *eval, uint32_t wave, const struct insn_input *in, struct value_type type,
    struct past_place *p, char *name, size_t size)
{
    struct growing g = {.eval = eval};
    return input_place(&g, wave, in, type, p, name, size);
}

void origin_leaf(struct eval *eval, const struct past_place *p, char *buf, size_t size)
{
    struct growing g = {.eval = eval};
    describe_leaf(&g, p, buf, size);
}
