/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dump/dump_draw.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dump/dump.h"
#include "dump/dump_descriptor.h"
#include "dump/dump_packet.h"
#include "dump/dump_show.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"

#define DEPTH_MOST 5       /* of buffers that run buffers */
#define REGISTERS_MOST 64  /* of one run that are looked at together */
#define EVENTS_MOST 200000 /* of a dump; streams that run each other could make any number */

/* ---- The walk ---- */

struct walk {
    const struct gpudbg_dump *d;
    const struct gpudbg_stream *streams;
    size_t nstreams, root, from;
    unsigned depth, marks, work, runs;
    void (*event)(struct walk *, const struct draw_event *, const struct gpudbg_insn *);
    void (*command)(struct walk *, size_t stream, size_t offset, const struct gpudbg_insn *);
    void *to;
    bool done;
};

static void tell(struct walk *w, enum draw_kind kind, size_t stream, size_t offset, const struct gpudbg_insn *insn,
    const struct gpudbg_mark *mark)
{
    struct draw_event e = {.kind = kind,
        .stream = stream,
        .offset = offset,
        .root = w->root,
        .from = w->from,
        .depth = w->depth + w->marks,
        .number = w->work};
    if (mark) e.mark = *mark;
    w->event(w, &e, insn);
    w->done |= ++w->runs > EVENTS_MOST;
}

static void walk_stream(struct walk *w, size_t stream);

static void walk_command(struct walk *w, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    const struct gpudbg_commands *c = insn->isa->commands;
    struct gpudbg_mark mark;
    if (!w->depth) w->from = offset;
    w->command(w, stream, offset, insn);
    if (c->mark && c->mark(insn, &mark)) {
        if (mark.kind == GPUDBG_MARK_END)
            w->marks -= w->marks > 0;
        else
            tell(w, DRAW_MARK, stream, offset, insn, &mark);
        w->marks += mark.kind == GPUDBG_MARK_BEGIN && w->marks < 32;
    }
    if (c->starts(insn)) {
        tell(w, DRAW_WORK, stream, offset, insn, NULL);
        w->work++;
    }
    for (unsigned i = 0; i < insn->noperands && w->depth < DEPTH_MOST; i++) {
        if (insn->operands[i].kind != GPUDBG_CODE) continue;
        const size_t inner = dump_stream_holding(w->d, (uint64_t)insn->operands[i].imm);
        if (inner >= w->nstreams || inner == stream || w->streams[inner].capture != w->streams[stream].capture)
            continue;
        w->depth++;
        walk_stream(w, inner);
        w->depth--;
    }
}

/* Whether the last command of a buffer that is cut off starts work, although not all of its words are there. */
static bool is_cut_work(
    const struct gpudbg_stream *s, const struct packet_stream *packets, size_t at, const struct packet *p)
{
    return s->cut && p->damaged && p->header.op && at + p->size == s->size &&
           packets->isa->commands->starts(&p->header);
}

static void walk_part(struct walk *w, size_t stream, const struct packet_stream *packets, size_t from, size_t to)
{
    struct packet p;
    for (size_t at = from; at < to && !w->done; at += p.size) {
        packet_of_stream(w->d, &w->streams[stream], packets, at, &p);
        if (p.known) walk_command(w, stream, at, &p.insn);
        if (p.known || !is_cut_work(&w->streams[stream], packets, at, &p)) continue;
        tell(w, DRAW_WORK, stream, at, NULL, NULL);
        w->work++;
    }
}

static bool is_ring(const struct gpudbg_stream *s)
{
    return strcmp(s->kind, "ring") == 0 && s->write != GPUDBG_NO_ADDR && s->write < s->size;
}

/* What a ring holds behind its write pointer is older than what stands before it. */
static void walk_stream(struct walk *w, size_t stream)
{
    const struct gpudbg_stream *s = &w->streams[stream];
    const struct gpudbg_isa *isa = dump_stream_isa(w->d, s);
    if (!isa || !isa->commands) return;
    const struct packet_stream packets = packets_of(w->d, s, isa);
    const bool ring = is_ring(s);
    tell(w, DRAW_STREAM, stream, 0, NULL, NULL);
    if (ring) walk_part(w, stream, &packets, (size_t)s->write, s->size);
    walk_part(w, stream, &packets, 0, ring ? (size_t)s->write : s->size);
}

/* Streams that others run are walked with those. */
static void mark_inner(const struct gpudbg_dump *d, const struct gpudbg_stream *s, size_t n, size_t stream, bool *inner)
{
    const struct gpudbg_isa *isa = dump_stream_isa(d, &s[stream]);
    struct packet p;
    if (!isa || !isa->commands) return;
    const struct packet_stream packets = packets_of(d, &s[stream], isa);
    for (size_t at = 0; at < s[stream].size; at += p.size) {
        packet_of_stream(d, &s[stream], &packets, at, &p);
        for (unsigned i = 0; p.known && i < p.insn.noperands; i++) {
            if (p.insn.operands[i].kind != GPUDBG_CODE) continue;
            const size_t k = dump_stream_holding(d, (uint64_t)p.insn.operands[i].imm);
            if (k < n && k != stream && s[k].capture == s[stream].capture) inner[k] = true;
        }
    }
}

static void walk(struct walk *w)
{
    w->streams = gpudbg_dump_streams(w->d, &w->nstreams);
    bool *inner = xcalloc(w->nstreams + 1, sizeof *inner);
    for (size_t i = 0; i < w->nstreams; i++) {
        if (strcmp(w->streams[i].kind, "context") == 0)
            inner[i] = true; /* state that is loaded and stored, and no work */
        else
            mark_inner(w->d, w->streams, w->nstreams, i, inner);
    }
    for (size_t i = 0; i < w->nstreams && !w->done; i++) {
        if (inner[i]) continue;
        w->root = i;
        w->depth = w->marks = 0;
        w->from = 0;
        walk_stream(w, i);
    }
    free(inner);
}

/* ---- What is started ---- */

struct collected {
    struct draws draws;
    size_t room, root;
    bool said; /* as of an event */
    size_t said_stream, said_offset;
};

static void collect(struct walk *w, const struct draw_event *e, const struct gpudbg_insn *insn)
{
    struct collected *c = w->to;
    const bool said = c->said && c->root == e->root && e->kind == DRAW_WORK && insn;
    if (c->draws.n == c->room) {
        c->room = c->room ? 2 * c->room : 256;
        c->draws.event = xrealloc(c->draws.event, c->room, sizeof *c->draws.event);
    }
    struct draw_event *event = &c->draws.event[c->draws.n++];
    *event = *e;
    event->said = said;
    event->said_stream = c->said_stream;
    event->said_offset = c->said_offset;
}

/* Notes the latest setting that says more about what is started. */
static void note_command(struct walk *w, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    struct collected *c = w->to;
    struct gpudbg_setting setting = {.says_work = false};
    for (unsigned i = 0; insn->isa->commands->setting && insn->isa->commands->setting(insn, i, &setting); i++) {
        if (!setting.says_work) continue;
        c->said = true;
        c->root = w->root;
        c->said_stream = stream;
        c->said_offset = offset;
    }
}

struct commands {
    draw_command_fn *each;
    void *to;
};

static void give_command(struct walk *w, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    const struct commands *c = w->to;
    c->each(c->to, w->root, stream, offset, insn);
}

static void ignore_event(struct walk *w, const struct draw_event *e, const struct gpudbg_insn *insn)
{
    (void)w, (void)e, (void)insn;
}

void draw_commands(const struct gpudbg_dump *d, draw_command_fn *each, void *to)
{
    struct commands c = {each, to};
    struct walk w = {.d = d, .event = ignore_event, .command = give_command, .to = &c};
    walk(&w);
}

static void command_text(const struct gpudbg_dump *d, size_t stream, size_t offset, char *buf, size_t size)
{
    size_t n;
    const struct gpudbg_stream *s = &gpudbg_dump_streams(d, &n)[stream];
    const struct gpudbg_isa *isa = dump_stream_isa(d, s);
    struct packet p = {.size = 0};
    *buf = 0;
    if (!isa) return;
    const struct packet_stream packets = packets_of(d, s, isa);
    packet_of_stream(d, s, &packets, offset, &p);
    if (!p.known)
        packet_damaged_text(&p, buf, size);
    else if (isa->text(&p.insn, 0, GPUDBG_READABLE, NULL, buf, size) < 0)
        snprintf(buf, size, "%s", p.insn.op->name);
}

void draw_text(const struct gpudbg_dump *d, const struct draw_event *e, char *buf, size_t size)
{
    command_text(d, e->stream, e->offset, buf, size);
    if (!e->said) return;
    struct text t = text_behind(buf, size);
    text_add(&t, "; ");
    if (text_room(&t)) command_text(d, e->said_stream, e->said_offset, text_end(&t), text_room(&t));
    text_mark_cut(&t);
}

/* ---- How far an engine was ---- */

/* The address that a register of the stream's engine holds, of those that say where it executes. */
static bool head_of(const struct gpudbg_dump *d, const struct gpudbg_stream *s, uint64_t *addr)
{
    const struct gpudbg_isa *isa = dump_stream_isa(d, s);
    struct gpudbg_record r;
    for (const char *const *name = isa && isa->commands ? isa->commands->heads : NULL; name && *name; name++)
        for (size_t i = 0; gpudbg_dump_record(d, i, &r); i++)
            if (r.capture == s->capture && r.name && strcmp(r.name, *name) == 0 &&
                (!r.unit || !s->unit || strcmp(r.unit, s->unit) == 0))
                return *addr = r.value, true;
    return false;
}

/* The number of the last mark that was reached; false: no incident says it. */
static bool last_mark(const struct gpudbg_dump *d, uint32_t capture, uint64_t *point)
{
    const struct gpudbg_incident *x;
    for (size_t i = 0; (x = gpudbg_dump_incident_at(d, i)); i++)
        if (x->capture == capture && strcmp(x->kind->word, "trace-point") == 0 && x->have & 4 && x->values[2])
            return *point = x->values[0] & 0xffff, true;
    return false;
}

/* How far behind the oldest byte of a stream an offset is: a ring's oldest is the one at its write pointer. */
static size_t age_of(const struct gpudbg_stream *s, size_t offset)
{
    return !is_ring(s) ? offset : offset >= s->write ? offset - (size_t)s->write : offset + s->size - (size_t)s->write;
}

/* Events of a root, [from, to): the first that the engine had not taken, and how the dump tells it; `to` and NULL where
 * it does not. */
static size_t first_ahead(
    const struct gpudbg_dump *d, const struct draws *all, size_t from, size_t to, const char **told)
{
    size_t n;
    const struct gpudbg_stream *streams = gpudbg_dump_streams(d, &n), *root = &streams[all->event[from].root];
    uint64_t addr, point;
    *told = NULL;
    if (last_mark(d, root->capture, &point))
        for (size_t i = from; i < to; i++)
            if (all->event[i].kind == DRAW_MARK && all->event[i].mark.numbered && all->event[i].mark.point == point)
                return *told = "the last trace point that was reached", i + 1;
    if (head_of(d, root, &addr)) {
        const size_t at = dump_stream_holding(d, addr);
        size_t ahead = from;
        bool met = false;
        for (size_t i = from; at < n && i < to; i++) {
            const struct draw_event *e = &all->event[i];
            met |= e->stream == at;
            if (e->stream != at || streams[at].addr + e->offset <= addr)
                ahead = i + 1;
            else
                break;
        }
        if (met) return *told = "the engine's head", ahead;
    }
    if (root->read == GPUDBG_NO_ADDR) return to;
    *told = "the read pointer";
    const size_t read = age_of(root, (size_t)root->read);
    for (size_t i = from + 1; i < to; i++)
        if (read && age_of(root, all->event[i].from) >= read) return i;
    return to;
}

static void set_progress(const struct gpudbg_dump *d, struct draws *all, size_t from, size_t to)
{
    const char *told;
    const size_t ahead = first_ahead(d, all, from, to, &told);
    size_t last = to, next = to;
    if (!told) return;
    for (size_t i = from; i < to; i++) {
        struct draw_event *e = &all->event[i];
        e->progress = i < ahead ? PROGRESS_TAKEN : PROGRESS_AHEAD;
        e->reached = i < ahead && e->mark.numbered;
        if (e->kind == DRAW_WORK && i < ahead) last = i;
        if (e->kind == DRAW_WORK && i >= ahead && next == to) next = i;
    }
    const size_t chosen = last < to ? last : next;
    if (chosen == to || all->told) return;
    all->told = told;
    all->chosen = all->event[chosen].number;
}

struct draws draws_of(const struct gpudbg_dump *d)
{
    struct collected c = {.room = 0};
    struct walk w = {.d = d, .event = collect, .command = note_command, .to = &c};
    walk(&w);
    struct draws *all = &c.draws;
    all->work = w.work;
    all->chosen = w.work ? w.work - 1 : 0;
    for (size_t i = 0, end; i < all->n; i = end) {
        for (end = i + 1; end < all->n && all->event[end].root == all->event[i].root;) end++;
        set_progress(d, all, i, end);
    }
    return *all;
}

void draws_end(struct draws *all)
{
    free(all->event);
    *all = (struct draws){.n = 0};
}

/* ---- State ---- */

struct states {
    struct draw_state *state; /* in the order of keys */
    size_t n, room, root;
    unsigned wanted;    /* or, for all: */
    draw_work_fn *each; /* NULL: one is wanted */
    void *to;
};

static struct draw_state *state_of(struct states *s, uint64_t key)
{
    size_t lo = 0, hi = s->n;
    while (lo < hi) {
        const size_t mid = (lo + hi) / 2;
        if (s->state[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < s->n && s->state[lo].key == key) return &s->state[lo];
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->state = xrealloc(s->state, s->room, sizeof *s->state);
    }
    memmove(s->state + lo + 1, s->state + lo, (s->n++ - lo) * sizeof *s->state);
    s->state[lo] = (struct draw_state){.key = key};
    return &s->state[lo];
}

/* Registers that are changed out of sight: those that were known are so no more. */
static void lose(struct states *s, uint64_t first, uint64_t count, size_t stream, size_t offset)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->state[i].key >= first && s->state[i].key - first < 4 * count) {
            s->state[i].bytes = NULL;
            s->state[i].lost = true;
            s->state[i].stream = stream;
            s->state[i].offset = offset;
        }
}

static void take_state(struct walk *w, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    struct states *s = w->to;
    struct gpudbg_setting setting;
    if (w->root != s->root) s->n = 0;
    s->root = w->root;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE)) continue;
        if ((uint64_t)o->imm >= insn->size) lose(s, 4 * (uint64_t)o->reg, o->count, stream, offset);
        for (uint32_t r = 0; r < o->count && (uint64_t)o->imm + 4 * r + 4 <= insn->size; r++) {
            struct draw_state *state = state_of(s, ((uint64_t)o->reg + r) * 4);
            state->bytes = insn->raw + o->imm + 4 * (uint64_t)r;
            state->size = 4;
            state->lost = false;
            state->stream = stream;
            state->offset = offset;
        }
    }
    for (unsigned i = 0; insn->isa->commands->setting && insn->isa->commands->setting(insn, i, &setting); i++) {
        struct draw_state *state = state_of(s, DRAW_SETTING | setting.key);
        state->setting = setting;
        state->bytes = insn->raw + setting.at;
        state->size = setting.size;
        state->stream = stream;
        state->offset = offset;
        state->isa = insn->isa;
        state->command = insn->raw;
        state->command_size = insn->size;
        state->command_addr = insn->addr;
    }
}

static void at_event(struct walk *w, const struct draw_event *e, const struct gpudbg_insn *insn)
{
    struct states *s = w->to;
    if (e->kind != DRAW_WORK) return;
    if (s->each) {
        s->each(s->to, e, insn, s->state, s->n);
        return;
    }
    w->done = e->number == s->wanted;
    for (size_t i = 0; !w->done && i < s->n; i++) {
        s->state[i].before = s->state[i].bytes;
        s->state[i].before_size = s->state[i].size;
    }
}

bool draw_state_differs(const struct draw_state *s)
{
    if (!s->bytes || !s->before) return s->bytes != s->before;
    return s->size != s->before_size || memcmp(s->bytes, s->before, s->size) != 0;
}

struct draw_state *draw_state_at(const struct gpudbg_dump *d, unsigned number, size_t *n)
{
    struct states s = {.wanted = number, .root = SIZE_MAX};
    struct walk w = {.d = d, .event = at_event, .command = take_state, .to = &s};
    walk(&w);
    *n = s.n;
    return s.state;
}

void draw_works(const struct gpudbg_dump *d, draw_work_fn *each, void *to)
{
    struct states s = {.root = SIZE_MAX, .each = each, .to = to};
    struct walk w = {.d = d, .event = at_event, .command = take_state, .to = &s};
    walk(&w);
    free(s.state);
}

/* ---- Addresses that commands hold ---- */

#define PENDING_MOST 256

struct addresses {
    const struct draw_address_sink *sink;
    struct draw_address pending[PENDING_MOST]; /* until the next work of the root begins */
    size_t n, root;
};

static void tell_pending(struct addresses *a, const struct gpudbg_dump *d, bool has_draw, unsigned draw)
{
    for (size_t i = 0; i < a->n; i++) {
        a->pending[i].has_draw = has_draw;
        a->pending[i].draw = draw;
        a->sink->each(a->sink->to, d, &a->pending[i]);
    }
    a->n = 0;
}

static void put_address(struct walk *w, size_t stream, size_t offset, const char *command, const char *name,
    const char *as, uint64_t start, uint64_t bytes)
{
    struct addresses *a = w->to;
    if (!start || !a->sink->wants(a->sink->to, start, bytes)) return;
    if (a->n == PENDING_MOST) tell_pending(a, w->d, false, 0);
    struct draw_address *x = &a->pending[a->n++];
    *x = (struct draw_address){.start = start, .bytes = bytes, .stream = stream, .offset = offset};
    snprintf(x->name, sizeof x->name, "%s%s%s%s%s", command, *command && *name ? " " : "", name, *as ? " as " : "", as);
}

static unsigned bits_of(const struct gpudbg_field *f)
{
    unsigned n = 0;
    for (unsigned i = 0; i < GPUDBG_RUNS && f->run[i].len; i++) n += f->run[i].len;
    return n;
}

/* Halves x_lo and x_hi, fields that are wider than a dword, and those that are called an address. */
static void field_addresses(struct walk *w, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    struct gpudbg_field_iter it;
    char half[64] = "";
    uint64_t low = 0;
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) {
        const char *name = it.field->name;
        const size_t n = strlen(name);
        if (it.field->kind != GPUDBG_POINTER) continue;
        const uint64_t value = it.value << it.field->scale;
        if (n > 3 && n < sizeof half && strcmp(name + n - 3, "_lo") == 0) {
            snprintf(half, sizeof half, "%.*s", (int)n - 3, name);
            low = value;
        } else if (n > 3 && strcmp(name + n - 3, "_hi") == 0 && half[0] && strlen(half) == n - 3 &&
                   strncmp(half, name, n - 3) == 0) {
            put_address(w, stream, offset, insn->op->name, half, "", low | value << 32, 0);
            half[0] = 0;
        } else if (bits_of(it.field) + it.field->scale > 32 || strcasestr(name, "address")) {
            put_address(w, stream, offset, insn->op->name, name, "", value, 0);
        }
    }
}

struct written { /* a run of registers that a command sets */
    const struct gpudbg_reg *reg[REGISTERS_MOST];
    const uint8_t *bytes;
    uint32_t first, n; /* first: a dword index */
};

/* The part of an address that a register holds; *scale: how far it was shifted. */
static bool part_of_address(const struct gpudbg_reg *reg, const uint8_t *p, uint64_t *value, unsigned *scale)
{
    struct gpudbg_field_iter it;
    uint8_t bytes[8] = {0};
    if (!reg) return false;
    memcpy(bytes, p, 4);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);)
        if (it.field->kind == GPUDBG_POINTER) {
            *scale = it.field->scale;
            *value = it.value << it.field->scale;
            return true;
        }
    return false;
}

/* A register that holds a program's own data. */
static bool is_bare(const struct gpudbg_reg *reg)
{
    return reg && reg->format->count == 1 && reg->format->fields[0].kind == GPUDBG_UINT &&
           bits_of(&reg->format->fields[0]) == 32;
}

static size_t bare_from(const struct written *x, size_t i)
{
    size_t n = 0;
    while (i + n < x->n && is_bare(x->reg[i + n])) n++;
    return n;
}

/* Whether the bare words from i on are such a descriptor, which is told. */
static bool descriptor_at(struct walk *w, size_t stream, size_t offset, const struct written *x, size_t i,
    const struct gpudbg_isa *isa, const struct gpudbg_view *view)
{
    uint8_t bytes[DUMP_DESCRIPTOR_BYTES] = {0};
    const size_t size = view->format->bits / 8u;
    uint64_t start, length;
    char why[96], name[16];
    if (size > sizeof bytes || size / 4 > bare_from(x, i)) return false;
    memcpy(bytes, x->bytes + 4 * i, size);
    if (isa->dumped->bad(view->letter, bytes, why, sizeof why) ||
        !isa->dumped->range(view->letter, bytes, &start, &length))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(view->name, ","), view->name);
    put_address(w, stream, offset, "", x->reg[i]->name, name, start, length);
    return true;
}

static void bare_addresses(
    struct walk *w, size_t stream, size_t offset, const struct written *x, size_t i, const struct gpudbg_isa *isa)
{
    bool known = false;
    if (isa && isa->dumped && isa->dumped->range && isa->dumped->bad && (x->first + i) % 4 == 0)
        for (const struct gpudbg_view *v = isa->traits.views; v && v->letter; v++)
            known |= descriptor_at(w, stream, offset, x, i, isa, v);
    if (known || (x->first + i) % 2 || bare_from(x, i) < 2) return;
    const uint64_t pointer = le_u64(x->bytes + 4 * i);
    if (pointer >> 48 == 0) put_address(w, stream, offset, "", x->reg[i]->name, "an address", pointer, 0);
}

static void written_addresses(struct walk *w, size_t stream, size_t offset, const struct written *x)
{
    bool assumed;
    const char *family = dump_family(w->d, w->streams[stream].capture, &assumed);
    const struct gpudbg_isa *isa = family ? gpudbg_dump_isa_named(w->d, family) : NULL;
    for (size_t i = 0; i < x->n; i++) {
        uint64_t value, high;
        unsigned scale, above;
        if (is_bare(x->reg[i])) bare_addresses(w, stream, offset, x, i, isa);
        if (!part_of_address(x->reg[i], x->bytes + 4 * i, &value, &scale) || scale >= 32) continue;
        if (i + 1 < x->n && part_of_address(x->reg[i + 1], x->bytes + 4 * i + 4, &high, &above) && above >= 32)
            value |= high;
        put_address(w, stream, offset, "", x->reg[i]->name, "", value, 0);
    }
}

static void take_addresses(struct walk *w, size_t stream, size_t offset, const struct gpudbg_insn *insn)
{
    struct written x;
    bool assumed;
    const char *family = dump_family(w->d, w->streams[stream].capture, &assumed);
    field_addresses(w, stream, offset, insn);
    for (unsigned k = 0; family && k < insn->noperands; k++) {
        const struct gpudbg_operand *o = &insn->operands[k];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE) || (uint64_t)o->imm >= insn->size) continue;
        for (uint32_t i = 0; i < o->count && (uint64_t)o->imm + 4 * i + 4 <= insn->size; i += x.n) {
            x.first = o->reg + i;
            x.bytes = insn->raw + o->imm + 4 * (size_t)i;
            for (x.n = 0;
                 x.n < REGISTERS_MOST && i + x.n < o->count && (uint64_t)o->imm + 4 * (i + x.n) + 4 <= insn->size;
                 x.n++)
                x.reg[x.n] = gpudbg_reg_at(gpudbg_dump_databases(w->d), family, "mmio", 4 * ((uint64_t)x.first + x.n));
            written_addresses(w, stream, offset, &x);
        }
    }
}

static void at_work(struct walk *w, const struct draw_event *e, const struct gpudbg_insn *insn)
{
    struct addresses *a = w->to;
    (void)insn;
    if (e->root != a->root) tell_pending(a, w->d, false, 0);
    a->root = e->root;
    if (e->kind == DRAW_WORK) tell_pending(a, w->d, true, e->number);
}

void draw_addresses(const struct gpudbg_dump *d, const struct draw_address_sink *sink)
{
    struct addresses *a = xcalloc(1, sizeof *a);
    struct walk w = {.d = d, .event = at_work, .command = take_addresses, .to = a};
    a->sink = sink;
    walk(&w);
    tell_pending(a, d, false, 0);
    free(a);
}
