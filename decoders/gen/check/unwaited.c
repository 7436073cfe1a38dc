/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unwaited.c: `check scoreboard`: registers of Gen12 that are used before the software scoreboard has waited for them.
 * Here every instruction finishes at once, so code without the wait seems to work; the hardware would read the old
 * value.
 *
 * A message or a math instruction with a token may write its destination at any time until a wait for $n.dst, and read
 * its sources until a wait for $n.src or $n.dst.  Allocating a token again waits for its last use; and a shared
 * function takes its messages in order, so that the answer of one comes after the payload of an older one was read:
 * Intel's compiler (SWSB_G4IR.cpp) does not wait there, if both or neither go to local memory, and both are for the
 * same channels, by mask and predicate; else it does ($n.src).  So a wait for such a message is one for the payloads of
 * the older ones (inferred: a note in that file says so of $n.src).  If two other messages to one
 * function have the same payload, or the second answers into the payload of the first, the compiler waits only for the
 * second.  No wait is possible for an instruction without a token: it writes and reads for ever.
 *
 * An instruction in order has finished IN_FLIGHT such instructions later, or after a jump, even without a wait: Intel's
 * compiler assumes this (G4_INST::getMaxDepDistance; no exception was seen in 50 million executed instructions of its
 * code).  One with a result of 64 bits takes WIDE_IN_FLIGHT of them.  Until then an instruction that reads the written
 * bytes, and an out-of-order instruction that writes bytes that are being written or read, has to wait, by its own @d
 * or by that of any instruction in between; @d also waits for all instructions before the d-th.  On Gen12.5 this holds
 * for each pipe alone: @d counts the instructions of a pipe, and an instruction of another pipe waits as an
 * out-of-order one does.  Architecture registers (accumulators, flags, a0) are not checked: compilers do not wait for
 * them.
 *
 * `check scoreboard` without a run follows all paths through the loaded code: unwaited_ways.c.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code/footprint.h"
#include "check/board.h"
#include "code/message.h"

enum {
    MASKS = 8,   /* of lanes that run, and their flags, for which an instruction's bytes are kept */
    BOARDS = 64, /* of waves that have ended, which the next ones get */
    KEPT = 1024, /* instructions whose bytes are kept, by pc: a power of two */
};

/* ---- Bytes of the GRF ---- */

static void add_word(struct grf_bytes *b, unsigned i, uint64_t bits)
{
    if (!(b->rows >> i / 2 & 1)) b->word[i] = b->word[i ^ 1] = 0;
    b->rows |= UINT64_C(1) << i / 2;
    b->word[i] |= bits;
}

static void add_bytes(struct grf_bytes *b, int32_t at, unsigned size)
{
    if (at >= 0 && (unsigned)at % 64 + size < 64 && at + (int32_t)size <= GRF_BYTES) { /* most are */
        if (size) add_word(b, (unsigned)at / 64, ((UINT64_C(1) << size) - 1) << at % 64);
        return;
    }
    for (int32_t i = at; i < at + (int32_t)size; i++)
        if (i >= 0 && i < GRF_BYTES) add_word(b, (unsigned)i / 64, UINT64_C(1) << i % 64);
}

int gen_common(const struct grf_bytes *a, const struct grf_bytes *b)
{
    for (uint64_t m = a->rows & b->rows; m; m &= m - 1) {
        const int first = 2 * __builtin_ctzll(m);
        for (int i = first; i < first + 2; i++)
            if (a->word[i] & b->word[i]) return 64 * i + __builtin_ctzll(a->word[i] & b->word[i]);
    }
    return -1;
}

void gen_take_out(struct grf_bytes *from, const struct grf_bytes *what)
{
    for (uint64_t m = from->rows & what->rows; m; m &= m - 1) {
        const int i = 2 * __builtin_ctzll(m);
        from->word[i] &= ~what->word[i];
        from->word[i + 1] &= ~what->word[i + 1];
    }
}

static bool writes(const struct gpudbg_footprint *f) { return !strcmp(f->role, "dst"); }

void gen_touch_bytes(
    struct gen_touched *t, const struct gpudbg_insn *insn, const struct gpudbg_footprint *f, unsigned n, bool off)
{
    bool alike = false;
    t->read.rows = t->written.rows = 0;
    for (unsigned i = 0; i < insn->noperands; i++) alike |= insn->operands[i].flags & GPUDBG_NO_MATTER;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; f[i].file == GEN_GRF && (writes(&f[i]) || !alike) && k < f[i].n; k++)
            if (off || !f[i].element[k].off)
                add_bytes(writes(&f[i]) ? &t->written : &t->read, f[i].element[k].at, f[i].element[k].size);
}

/* Facts about an instruction that are the same each time it runs.  Those with a number stay where they are. */
struct kept {
    bool known;
    uint64_t pc;
    struct gen_issued as;
    struct gen_touched of; /* of all channels */
    struct masked *masked; /* MASKS, of these lanes alone; NULL: it never ran so, or its bytes depend on more */
    unsigned nmasked;      /* ever */
};

struct masked {
    uint64_t lanes, flags;
    struct gen_touched of;
};

/* A wave: its board, or one that was met before; neither: it has executed nothing. */
struct standing {
    struct board *board;
    struct met *met;
};

struct unwaited {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    struct gpudbg_footprint *footprint;
    struct kept *kept;
    struct kept **numbered; /* by number of the instruction */
    uint32_t numbers;
    struct standing *wave; /* by id */
    struct boards *boards;
    bool meets; /* the instruction touches bytes that are under way: more than the board decides */
    struct board *spare[BOARDS];
    unsigned nspare;
    struct gen_touched live; /* of an instruction that touches other bytes each time */
};

static void finish(void *state)
{
    struct unwaited *s = state;
    for (uint32_t i = 0; i < s->machine->nwaves; i++) gpudbg_checks_free(s->checks, s->wave[i].board);
    gpudbg_checks_free(s->checks, s->wave);
    gpudbg_checks_free(s->checks, s->kept);
    boards_free(s->boards);
    while (s->nspare) gpudbg_checks_free(s->checks, s->spare[--s->nspare]);
    for (uint32_t i = 0; i < s->numbers; i++) {
        if (s->numbered[i]) gpudbg_checks_free(s->checks, s->numbered[i]->masked);
        gpudbg_checks_free(s->checks, s->numbered[i]);
    }
    gpudbg_checks_free(s->checks, s->numbered);
    gpudbg_checks_free(s->checks, s->footprint);
    gpudbg_checks_free(s->checks, s);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct unwaited *s = gpudbg_checks_alloc(checks, 1, sizeof *s);
    s->machine = m;
    s->checks = checks;
    s->footprint = gpudbg_checks_alloc(checks, GPUDBG_FOOTPRINTS, sizeof *s->footprint);
    s->kept = gpudbg_checks_alloc(checks, KEPT, sizeof *s->kept);
    s->numbers = gpudbg_checks_numbers(checks);
    s->numbered = gpudbg_checks_alloc(checks, (size_t)s->numbers + 1, sizeof(struct kept *));
    s->wave = gpudbg_checks_alloc(checks, m->nwaves, sizeof *s->wave);
    s->boards = boards_new(checks);
    return s;
}

static bool moves(const struct gen_insn *x)
{
    bool found = x->dst.mode == GEN_INDIRECT || (x->shape == GEN_SEND && (x->desc_is_reg || x->ex_desc_is_reg));
    for (unsigned i = 0; i < 3; i++) found = found || x->src[i].mode == GEN_INDIRECT;
    return found;
}

/* The channels of a message or a math instruction, and whether it goes to local memory.  A message in which all
 * channels take part, whatever the mask, is in no order. */
static uint32_t channels_of(const struct gen_insn *x)
{
    const bool local = x->shape == GEN_SEND && gen_is_local_message(x);
    if (!x->pred && x->no_mask) return 0;
    const uint32_t flag = x->pred ? 1u + 8u * x->pred_inv + 4u * x->flag_reg + 2u * x->flag_sub : 0;
    return 1u | (uint32_t)local << 1 | flag << 4 | (uint32_t)x->exec_size << 12 | (uint32_t)x->chan_off << 20;
}

void gen_issued_of(const struct gpudbg_insn *insn, struct gen_issued *k)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    *k = (struct gen_issued){.moves = moves(&x), .function = MATH, .channels = channels_of(&x)};
    k->apart = gen_takes_token(x.shape);
    if (x.shape == GEN_SEND) k->function = x.sfid;
    if (x.shape == GEN_DPAS) k->function = DPAS;
    k->ends = x.shape == GEN_SEND && x.eot;
    k->predicated = x.pred;
    k->depth = x.eu->pipes && x.dst.mode != GEN_ABSENT && gen_type_size[x.dst.type] == 8 ? WIDE_IN_FLIGHT : IN_FLIGHT;
    gen_swsb_of(&x, &k->how);
}

bool gen_in_order_after(const struct gen_issued *k, unsigned pipe) { return k->how.in_order && k->how.pipe == pipe; }

char gen_pipe_letter(const struct gpudbg_isa *isa, unsigned pipe)
{
    return gen_eu_of(isa)->pipes ? GEN_PIPE_LETTERS[pipe] : '\0';
}

/* number: of the instruction, below s->numbers, or it has none. */
static struct kept *keep(struct unwaited *s, const struct gpudbg_insn *insn, uint32_t number)
{
    struct kept *k = number < s->numbers ? s->numbered[number] : &s->kept[insn->addr >> 3 & (KEPT - 1)];
    if (k && k->known && k->pc == insn->addr) return k;
    if (!k) k = s->numbered[number] = gpudbg_checks_alloc(s->checks, 1, sizeof *k);
    k->known = true;
    k->pc = insn->addr;
    gen_issued_of(insn, &k->as);
    if (!k->as.moves)
        gen_touch_bytes(&k->of, insn, s->footprint, gen_elements(insn, NULL, s->footprint, GPUDBG_FOOTPRINTS), true);
    return k;
}

/* ---- Waiting ---- */

/* The place of the next instruction in order of a pipe. */
static unsigned next_of_pipe(struct board *b, unsigned pipe)
{
    b->last[pipe] = (b->last[pipe] + 1) % ring_size(pipe);
    return before_last(b, pipe, 1);
}

/* The producer's bytes become its own. */
static void own_bytes(struct producer *p)
{
    if (p->of == &p->own) return;
    copy_bytes(&p->own.read, &p->of->read);
    copy_bytes(&p->own.written, &p->of->written);
    p->of = &p->own;
}

/* The message of a token has read its sources; answered: and written its destination.  A shared function takes its
 * messages in order: earlier messages have read the same bytes, too, and all of theirs if they are for the same
 * channels.  A message without active channels may not have been sent: it shows nothing. */
static void have_read(struct board *b, unsigned token, bool answered)
{
    const struct producer *p = &b->all[token];
    const uint64_t others = b->put >> token & 1 ? b->reading & WITH_TOKENS & ~BIT(token) : 0;
    for (uint64_t m = others; m; m &= m - 1) {
        struct producer *before = &b->all[__builtin_ctzll(m)];
        if (before->function != p->function || before->age > p->age) continue;
        before->overtaken = true;
        if (b->read[token] && gen_in_turn(before->function, before->channels, p->function, p->channels)) {
            b->reading &= ~BIT(before - b->all);
            continue;
        }
        own_bytes(before);
        gen_take_out(&before->own.read, &p->of->read);
        if (answered) gen_take_out(&before->own.read, &p->of->written);
    }
    b->reading &= ~BIT(token);
}

static void wait_for(struct board *b, const struct gen_swsb *how)
{
    const uint64_t dst = how->dst | (how->allocates >= 0 ? BIT(how->allocates) : 0);
    for (uint64_t m = (dst | how->src) & (BIT(GEN_TOKENS) - 1); m; m &= m - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(m);
        b->writing &= ~(BIT(t) & dst);
        have_read(b, t, dst >> t & 1);
    }
    for (unsigned pipe = 0; pipe < GEN_PIPES && how->distance; pipe++) {
        uint64_t done = how->waits >> pipe & 1 ? OF_PIPE(pipe) : 0;
        for (unsigned d = 1; done && d < how->distance && d <= ring_size(pipe); d++)
            done &= ~BIT(before_last(b, pipe, d));
        b->writing &= ~done;
        b->reading &= ~done;
    }
}

static void jump(struct board *b)
{
    b->writing &= WITH_TOKENS;
    b->reading &= WITH_TOKENS;
}

/* ---- Using too early ---- */

/* The active lanes that touch these bytes; 0: no lane; -1: bytes that do not belong to lanes. */
static uint64_t lanes_at(
    struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct grf_bytes *of, bool write)
{
    uint64_t lanes = 0;
    unsigned n = gen_elements(insn, w, s->footprint, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &s->footprint[i];
        for (unsigned k = 0; f->file == GEN_GRF && writes(f) == write && k < f->n; k++) {
            struct grf_bytes one;
            one.rows = 0;
            if (f->element[k].off) continue;
            add_bytes(&one, f->element[k].at, f->element[k].size);
            const bool of_lane = f->element[k].lane >= 0 && f->element[k].lane < 64;
            if (gen_common(&one, of) >= 0) lanes |= of_lane ? UINT64_C(1) << f->element[k].lane : ~UINT64_C(0);
        }
    }
    return lanes;
}

/* The missing wait. */
static void print_wait(char *to, size_t size, const struct gen_early *e)
{
    if (e->wait == '$')
        snprintf(to, size, "has waited ($%u.%s)", e->number, e->read_late ? "src" : "dst");
    else if (e->wait)
        snprintf(to, size, "has waited (%.*s@%u)", e->pipe ? 1 : 0, &e->pipe, e->number);
    else
        snprintf(to, size, "can wait (it has no token)");
}

void gen_report_early(
    struct gpudbg_checks *checks, const struct gpudbg_insn *insn, const struct gen_early *e, uint64_t lanes)
{
    char message[200], origin[80], wait[32];
    print_wait(wait, sizeof wait, e);
    snprintf(message, sizeof message, "r%d is %s, and nothing %s until %s at 0x%" PRIx64 " had %s it",
        gen_common(e->use, e->of) / 32, e->write ? "written" : "read", wait, e->name, e->pc,
        e->read_late ? "read" : "written");
    snprintf(origin, sizeof origin, "%s at 0x%" PRIx64, e->read_late ? "read" : "written", e->pc);
    gpudbg_report(checks,
        &(struct gpudbg_report){.pc = insn->addr, .lanes = ~lanes ? lanes : 0, .message = message, .origin = origin});
}

/* A use that is too early for a producer on the board. */
struct early {
    struct board *board;
    unsigned to;                 /* of board->all */
    const struct grf_bytes *use; /* of the instruction */
    bool write, read_late;
    char wait, pipe;
    unsigned number;
};

static void clash(struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct early *e)
{
    const struct producer *p = &e->board->all[e->to];
    const struct grf_bytes *of = e->read_late ? &p->of->read : &p->of->written;
    if (!(e->use->rows & of->rows)) return;
    if (gen_common(e->use, of) < 0) return;
    s->meets = true;
    const uint64_t lanes = lanes_at(s, w, insn, of, e->write);
    if (!lanes) return;
    gen_report_early(s->checks, insn,
        &(struct gen_early){p->name, p->pc, e->use, of, e->write, e->read_late, e->wait, e->pipe, e->number}, lanes);
    *(e->read_late ? &e->board->reading : &e->board->writing) &= ~BIT(e->to); /* reported once */
}

/* What is under way of which the instruction touches rows: a bit for each of board->all. */
static uint64_t may_clash(struct board *b, const struct gen_touched *now)
{
    const uint64_t any = now->read.rows | now->written.rows;
    uint64_t with = 0;
    if (!(b->may_write & any) && !(b->may_read & now->written.rows)) return 0;
    b->may_write = b->may_read = 0;
    for (uint64_t m = b->writing | b->reading; m; m &= m - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(m);
        const uint64_t written = b->writing >> i & 1 ? b->written[i] : 0, read = b->reading >> i & 1 ? b->read[i] : 0;
        b->may_write |= written;
        b->may_read |= read;
        if (written & any || read & now->written.rows) with |= BIT(i);
    }
    return with;
}

static void look_at_pipe(struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct board *b,
    const struct kept *k, const struct gen_touched *now, unsigned pipe, uint64_t with)
{
    const bool after = gen_in_order_after(&k->as, pipe);
    const char letter = gen_pipe_letter(s->machine->isa, pipe);
    for (unsigned d = 1; d <= ring_size(pipe) && with & OF_PIPE(pipe); d++) {
        const unsigned i = before_last(b, pipe, d), wait = d < GEN_DISTANCES ? d : GEN_DISTANCES;
        if (!(with & BIT(i))) continue;
        with &= ~BIT(i);
        if (d > b->all[i].depth) continue;
        if (b->writing & BIT(i)) clash(s, w, insn, &(struct early){b, i, &now->read, false, false, '@', letter, wait});
        if (b->writing & BIT(i) && !after)
            clash(s, w, insn, &(struct early){b, i, &now->written, true, false, '@', letter, wait});
        if (b->reading & BIT(i) && !after)
            clash(s, w, insn, &(struct early){b, i, &now->written, true, true, '@', letter, wait});
    }
}

/* with: what may_clash says. */
static void look(struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct board *b,
    const struct kept *k, const struct gen_touched *now, uint64_t with)
{
    for (uint64_t m = with & WITH_TOKENS; m; m &= m - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(m);
        const struct producer *p = &b->all[t];
        const char wait = t < GEN_TOKENS ? '$' : 0;
        const bool in_turn = k->as.apart && p->function == k->as.function && /* reads before this message is taken */
                             ((k->as.channels && k->as.channels == p->channels) || p->overtaken);
        if (b->writing & BIT(t)) clash(s, w, insn, &(struct early){b, t, &now->read, false, false, wait, 0, t});
        if (b->writing & BIT(t)) clash(s, w, insn, &(struct early){b, t, &now->written, true, false, wait, 0, t});
        if (b->reading & BIT(t) && !in_turn)
            clash(s, w, insn, &(struct early){b, t, &now->written, true, true, wait, 0, t});
    }
    for (unsigned pipe = 0; pipe < GEN_PIPES; pipe++) look_at_pipe(s, w, insn, b, k, now, pipe, with);
}

/* ---- An instruction ---- */

/* Whether the instruction is for all channels that there are, so that it touches what is kept. */
static bool all_take_part(const struct gpudbg_wave *w, const struct kept *k)
{
    const uint64_t lanes = w->machine->lanes < 64 ? (UINT64_C(1) << w->machine->lanes) - 1 : UINT64_MAX;
    return !k->as.moves && !k->as.predicated && w->machine->isa->run->active(w) == lanes;
}

/* What decides which channels take part. */
static inline void channels_now(struct gpudbg_wave *w, bool predicated, uint64_t *lanes, uint64_t *flags)
{
    const struct gpudbg_runner *run = w->machine->isa->run;
    *lanes = run->active(w);
    *flags = predicated ? *run->reg(w, GEN_F, 0) | (uint64_t)*run->reg(w, GEN_F, 1) << 32 : 0;
}

/* The bytes of the channels that take part. */
static void touch_masked(
    struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct kept *k, struct gen_touched *to)
{
    uint64_t lanes, flags;
    channels_now(w, k->as.predicated, &lanes, &flags);
    const bool keeps = !k->as.moves && gpudbg_checks_number(s->checks) < s->numbers;
    for (unsigned i = 0; keeps && i < MASKS && i < k->nmasked; i++) {
        if (k->masked[i].lanes != lanes || k->masked[i].flags != flags) continue;
        copy_bytes(&to->read, &k->masked[i].of.read);
        copy_bytes(&to->written, &k->masked[i].of.written);
        return;
    }
    gen_touch_bytes(to, insn, s->footprint, gen_elements(insn, w, s->footprint, GPUDBG_FOOTPRINTS), false);
    if (!keeps) return;
    if (!k->masked) k->masked = gpudbg_checks_alloc(s->checks, MASKS, sizeof *k->masked);
    struct masked *new = &k->masked[k->nmasked++ % MASKS];
    new->lanes = lanes;
    new->flags = flags;
    copy_bytes(&new->of.read, &to->read);
    copy_bytes(&new->of.written, &to->written);
}

/* stays: `now` is there as long as the producer. */
static void issue(struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct board *b,
    struct kept *k, const struct gen_touched *now, bool stays)
{
    unsigned i = ALL;
    if (k->as.how.allocates >= 0)
        i = (unsigned)k->as.how.allocates;
    else if (k->as.how.in_order)
        i = next_of_pipe(b, k->as.how.pipe);
    else if (k->as.apart)
        i = GEN_TOKENS + b->nameless++ % NAMELESS;
    if (i == ALL) return;
    struct producer *p = &b->all[i];
    p->pc = w->pc;
    p->name = insn->op->name;
    p->function = k->as.function;
    p->channels = k->as.channels;
    p->depth = k->as.depth;
    b->put |= BIT(i) & WITH_TOKENS;
    p->age = ++b->issued;
    p->of = now;
    b->odd &= ~BIT(i);
    if (!k->as.how.in_order && !all_take_part(w, k)) {
        p->of = &p->own;
        touch_masked(s, w, insn, k, &p->own);
        if (k->nmasked > MASKS) b->odd |= BIT(i);
    } else if (!stays) {
        own_bytes(p);
    }
    b->written[i] = p->of->written.rows;
    b->read[i] = p->of->read.rows;
    b->may_write |= b->written[i];
    b->may_read |= b->read[i];
    b->writing = b->written[i] ? b->writing | BIT(i) : b->writing & ~BIT(i);
    b->reading = b->read[i] ? b->reading | BIT(i) : b->reading & ~BIT(i);
    p->overtaken = false;
}

static struct board *new_board(struct unwaited *s)
{
    if (!s->nspare) return gpudbg_checks_alloc(s->checks, 1, sizeof(struct board));
    struct board *b = s->spare[--s->nspare];
    memset(b, 0, offsetof(struct board, all));
    return b;
}

static void drop_board(struct unwaited *s, struct standing *w)
{
    if (s->nspare < BOARDS)
        s->spare[s->nspare++] = w->board;
    else
        gpudbg_checks_free(s->checks, w->board);
    w->board = NULL;
}

/* The wave's board, to be changed. */
static struct board *board_of(struct unwaited *s, struct standing *w)
{
    if (w->board) return w->board;
    w->board = new_board(s);
    if (w->met) boards_fill(w->met, w->board);
    w->met = NULL;
    return w->board;
}

/* Moves the board and looks for uses that are too early. */
static void follow(struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct board *b,
    struct kept *k, bool stays)
{
    const struct gen_touched *now = &k->of;
    if (k->as.moves) {
        gen_touch_bytes(&s->live, insn, s->footprint, gen_elements(insn, w, s->footprint, GPUDBG_FOOTPRINTS), false);
        now = &s->live;
    }
    if (w->pc != b->follows) jump(b);
    b->follows = w->pc + insn->size;
    wait_for(b, &k->as.how);
    const uint64_t with = may_clash(b, now);
    if (with) look(s, w, insn, b, k, now, with);
    issue(s, w, insn, b, k, now, stays);
}

/* The instruction has not met this board yet, or is one that is looked at each time, or its channels decide. */
static __attribute__((noinline)) void meet(
    struct unwaited *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct standing *at, uint32_t number)
{
    struct kept *k = keep(s, insn, number);
    const bool stays = !k->as.moves && number < s->numbers;
    struct met *from = stays ? at->met : NULL;
    struct next next = {
        .number = number, .masked = k->as.apart || k->as.how.allocates >= 0, .predicated = k->as.predicated};
    if (from) {
        if (next.masked) channels_now(w, k->as.predicated, &next.lanes, &next.flags);
        const struct next *known = boards_next(from, number, next.lanes, next.flags);
        if (known) {
            at->met = known->to;
            return;
        }
    }
    s->meets = false;
    follow(s, w, insn, board_of(s, at), k, stays);
    at->met = k->as.ends || at->board->odd ? NULL : boards_meet(s->boards, at->board);
    if (!at->met && !k->as.ends) return; /* it goes on with its board */
    drop_board(s, at);
    next.to = at->met;
    if (from && !s->meets) boards_learn(s->boards, from, next);
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct unwaited *s = state;
    struct standing *at = &s->wave[w->id];
    const uint32_t number = gpudbg_checks_number(s->checks);
    const struct next *likely = at->met ? at->met->next : NULL;
    if (likely && likely->number == number) { /* an instruction with a number is the same each time */
        uint64_t lanes = 0, flags = 0;
        if (likely->masked) channels_now(w, likely->predicated, &lanes, &flags);
        if (likely->lanes == lanes && likely->flags == flags) {
            at->met = likely->to;
            return;
        }
    }
    meet(s, w, insn, at, number);
}

const struct gpudbg_checker gen_scoreboard_checker = {
    .kind = "scoreboard",
    .summary = "Gen12: registers that are used without a wait of the scoreboard",
    .applies = gen_has_scoreboard,
    .code = gen_check_unwaited,
    .start = begin,
    .stop = finish,
    .before = before,
    .apart = true,
    .by_group = true,
};
