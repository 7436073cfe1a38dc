/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/typing.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define INSNS_MOST (UINT32_C(1) << 18)
#define STATES_MOST ((size_t)1 << 28) /* bytes of all blocks */
#define VISITS_MOST UINT64_C(4000000)
#define FILES_MOST 256
#define NO_CELL UINT32_MAX

enum event_flags { EVENT_WRITE = 1, EVENT_GUESSED = 2, EVENT_LANES = 4, EVENT_ANY = 8 };

/* A register that an instruction reads or writes. */
struct event {
    uint32_t cell, from[2]; /* from: of a move; NO_CELL: none */
    uint16_t types;         /* that the instruction itself says */
    uint16_t wanted;        /* of a write: what its first reader takes it for */
    uint8_t flags, how;     /* how: enum gpudbg_number_from */
    uint32_t offset;
};

struct typing {
    struct gpudbg_ways *ways;
    struct gpudbg_solution *solution; /* struct typed of each cell */
    struct event *event;
    size_t nevents, room;
    uint32_t *first;              /* event of each instruction, and behind the last one */
    uint64_t *addr, *end;         /* of each instruction */
    uint32_t *number[FILES_MOST]; /* of each unit: its cell + 1, 0: the code does not name it */
    uint32_t units[FILES_MOST];
    uint32_t ncells;
    const struct gpudbg_solution *reading; /* uint16_t of each cell; while it is made */
    struct typing_start own;               /* its arguments are malloc'ed */
    uint16_t local;                        /* what is stored to the group's memory */
    uint16_t local_wanted;                 /* what loads from it are taken for */
    uint16_t *every;                       /* of each cell: all that writers make of it, or NULL */
    struct typed *state;                   /* of the place that was asked about last */
    uint32_t at;                           /* its instruction, or UINT32_MAX */
    bool behind;
    struct gpudbg_footprint *footprint; /* of the instruction being read */
    const struct gpudbg_insn *insn;
    uint16_t *scratch; /* for each event of an instruction, as `written` */
    struct typed *written;
    bool *is_written; /* of each cell: an instruction writes it */
};

/* ---- Reading instructions ---- */

static uint32_t cell_of(struct typing *t, unsigned file, uint32_t at)
{
    if (file >= FILES_MOST || at > 1u << 18) return NO_CELL;
    if (at >= t->units[file]) {
        const uint32_t room = 2 * at + 64;
        t->number[file] = xrealloc(t->number[file], room, sizeof **t->number);
        memset(t->number[file] + t->units[file], 0, (room - t->units[file]) * sizeof **t->number);
        t->units[file] = room;
    }
    uint32_t *number = &t->number[file][at];
    if (!*number) *number = ++t->ncells;
    return *number - 1;
}

static uint32_t known_cell(const struct typing *t, unsigned file, uint32_t at)
{
    return file < FILES_MOST && at < t->units[file] && t->number[file][at] ? t->number[file][at] - 1 : NO_CELL;
}

static uint16_t types_of(const struct gpudbg_number *n)
{
    static const uint16_t table[][4] = {
        [GPUDBG_IS_UNSIGNED] = {TYPING_U8, TYPING_U16, TYPING_U32, TYPING_U64},
        [GPUDBG_IS_SIGNED] = {TYPING_S8, TYPING_S16, TYPING_S32, TYPING_S64},
        [GPUDBG_IS_WHOLE] = {TYPING_U8, TYPING_U16, TYPING_WHOLE, TYPING_U64},
        [GPUDBG_IS_FLOAT] = {0, TYPING_F16, TYPING_F32, TYPING_F64},
    };
    const unsigned size = n->bits == 8 ? 0 : n->bits == 16 ? 1 : n->bits == 64 ? 3 : 2;
    if (n->kind == GPUDBG_IS_DIGITS) return TYPING_DIGITS;
    return n->kind <= GPUDBG_IS_FLOAT ? table[n->kind][size] : 0;
}

static struct event *add_event(struct typing *t, uint32_t cell)
{
    if (cell == NO_CELL) return NULL;
    if (t->nevents == t->room) t->event = xrealloc(t->event, t->room = 2 * t->room + 1024, sizeof *t->event);
    struct event *e = &t->event[t->nevents++];
    *e = (struct event){.cell = cell, .from = {NO_CELL, NO_CELL}};
    return e;
}

static void take_number(void *to, const struct gpudbg_number *n)
{
    struct typing *t = to;
    struct event *e = add_event(t, cell_of(t, n->file, n->at));
    if (!e) return;
    e->types = types_of(n);
    e->how = n->how;
    e->offset = n->offset;
    e->flags = (uint8_t)((n->write ? EVENT_WRITE : 0) | (n->guessed ? EVENT_GUESSED : 0) |
                         (n->lanes ? EVENT_LANES : 0) | (n->at == GPUDBG_ANY_UNIT ? EVENT_ANY : 0));
    for (unsigned i = 0; i < n->nfrom && i < 2; i++) {
        const uint32_t from = cell_of(t, n->from[i].file, n->from[i].at);
        t->event[t->nevents - 1].from[i] = from;
    }
    if (n->bits < 64 || t->insn->isa->regions.elements) return;
    const uint8_t flags = t->event[t->nevents - 1].flags;
    e = add_event(t, cell_of(t, n->file, n->at + 1));
    if (!e) return;
    e->types = TYPING_HIGH;
    e->flags = flags;
}

/* ---- Operands that are regions ---- */

static void kind_named(const char *type, struct gpudbg_number *n)
{
    const size_t len = strlen(type);
    const char size = len ? type[len - 1] : 0;
    n->kind = GPUDBG_IS_BITS;
    n->bits = size == 'b' ? 8 : size == 'w' ? 16 : size == 'q' ? 64 : 32;
    if (size == 'f') {
        n->kind = GPUDBG_IS_FLOAT;
        n->bits = *type == 'h' ? 16 : *type == 'd' ? 64 : 32;
    } else if (size && strchr("bwdq", size)) {
        n->kind = *type == 'u' ? GPUDBG_IS_UNSIGNED : GPUDBG_IS_SIGNED;
    }
}

static const struct gpudbg_element *element_of(const struct gpudbg_footprint *f, unsigned i, int lane)
{
    if (i < f->n && f->element[i].lane == lane) return &f->element[i];
    for (unsigned k = 0; k < f->n; k++)
        if (f->element[k].lane == lane || f->element[k].lane < 0) return &f->element[k];
    return NULL;
}

/* An instruction that copies may copy bits of any kind, whatever type it says. */
static void take_regions(struct typing *t, const struct gpudbg_insn *insn)
{
    const unsigned n = insn->isa->regions.elements(insn, NULL, t->footprint, GPUDBG_FOOTPRINTS);
    const bool message = insn->op->flags & GPUDBG_OP_MESSAGE, copies = insn->op->flags & GPUDBG_OP_COPY && !message;
    const struct gpudbg_footprint *source = NULL;
    for (unsigned i = 0; i < n && !source; i++)
        if (strncmp(t->footprint[i].role, "src", 3) == 0) source = &t->footprint[i];
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &t->footprint[i];
        struct gpudbg_number number = {.file = f->file, .lanes = true, .write = strcmp(f->role, "dst") == 0};
        kind_named(f->type, &number);
        if (message && !number.write) continue;
        const bool moves = number.write && copies && source && strcmp(source->type, f->type) == 0;
        if (!number.write && copies && n > 1 && strcmp(f->type, t->footprint[f == source ? !i : i].type) == 0) continue;
        number.guessed = moves;
        if (message) number.kind = GPUDBG_IS_BITS;
        for (unsigned k = 0; k < f->n; k++) {
            const struct gpudbg_element *from = moves ? element_of(source, k, f->element[k].lane) : NULL;
            if (f->element[k].at < 0) continue;
            number.at = (uint32_t)f->element[k].at;
            number.nfrom = from && from->at >= 0;
            if (number.nfrom) {
                number.from[0].file = source->file;
                number.from[0].at = (uint32_t)from->at;
            }
            take_number(t, &number);
        }
    }
}

static bool read_insn(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct typing *t = to;
    t->first[number] = (uint32_t)t->nevents;
    t->addr[number] = insn->addr;
    t->end[number] = insn->addr + insn->size;
    t->insn = insn;
    if (insn->op && insn->isa->numbers)
        insn->isa->numbers(insn, take_number, t);
    else if (insn->op && insn->isa->regions.elements)
        take_regions(t, insn);
    t->first[number + 1] = (uint32_t)t->nevents;
    return true;
}

static void read_code(struct typing *t)
{
    uint32_t most = 1;
    for (uint32_t b = 0; b < t->ways->nblocks; b++)
        if (t->ways->block[b].place != UINT32_MAX) gpudbg_block_walk(t->ways, b, read_insn, t);
    for (uint32_t i = 0; i < t->ways->ninsns; i++)
        if (t->end[i] && t->first[i + 1] - t->first[i] > most) most = t->first[i + 1] - t->first[i];
    t->scratch = xcalloc(most, sizeof *t->scratch);
    t->written = xcalloc(most, sizeof *t->written);
}

/* ---- What the first reader takes a value for: backwards ---- */

/* What is stored to the group's memory is wanted as what is loaded there: the n-th register that is stored. */
static uint16_t wanted_of_stored(const struct typing *t, unsigned n)
{
    const uint16_t wanted = t->local_wanted & (uint16_t)~TYPING_HIGH;
    if (__builtin_popcount(wanted) != 1) return 0;
    return wanted == TYPING_F64 && n % 2 ? TYPING_HIGH : wanted;
}

/* keep: writes remember what is wanted of them. */
static void want_before(struct typing *t, uint32_t number, uint16_t *wanted, bool keep)
{
    struct event *const first = t->event + t->first[number], *const last = t->event + t->first[number + 1];
    uint16_t *after = t->scratch;
    for (struct event *e = first; e < last; e++) {
        if (!(e->flags & EVENT_WRITE)) continue;
        after[e - first] = wanted[e->cell];
        if (keep) e->wanted = wanted[e->cell];
        if (e->how == GPUDBG_FROM_LOCAL) t->local_wanted |= e->types ? e->types : wanted[e->cell];
    }
    unsigned stored = 0;
    for (struct event *e = first; e < last; e++)
        if (e->flags & EVENT_WRITE && !(e->flags & EVENT_ANY)) wanted[e->cell] = 0;
    for (struct event *e = first; e < last; e++) {
        if (!(e->flags & EVENT_WRITE)) {
            const uint16_t types = e->types || e->how != GPUDBG_FROM_LOCAL ? e->types : wanted_of_stored(t, stored++);
            if (types) wanted[e->cell] = types;
            continue;
        }
        const uint16_t types = e->types && !(e->flags & EVENT_GUESSED) ? e->types : after[e - first];
        for (unsigned i = 0; i < 2; i++)
            if (e->from[i] != NO_CELL && e->how == GPUDBG_FROM_MOVE) wanted[e->from[i]] |= types;
    }
}

static void want_meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *in)
{
    const struct typing *t = with;
    const struct gpudbg_basic_block *b = &t->ways->block[block];
    uint16_t *to = in;
    memset(to, 0, t->ncells * sizeof *to);
    for (uint32_t i = 0; i < b->nnext; i++) {
        const uint16_t *from = gpudbg_left(solution, t->ways->link[b->next + i]);
        for (uint32_t c = 0; from && c < t->ncells; c++) to[c] |= from[c];
    }
}

static void want_pass(void *with, uint32_t block, void *state)
{
    struct typing *t = with;
    const struct gpudbg_basic_block *b = &t->ways->block[block];
    for (uint32_t i = b->ninsns; i-- > 0;) want_before(t, b->first + i, state, false);
}

static void keep_wanted(struct typing *t, const struct gpudbg_solution *solution)
{
    uint16_t *state = xcalloc((size_t)t->ncells + 1, sizeof *state);
    for (uint32_t b = 0; b < t->ways->nblocks; b++) {
        const uint16_t *end = gpudbg_entered(solution, b);
        if (!end) continue;
        memcpy(state, end, t->ncells * sizeof *state);
        for (uint32_t i = t->ways->block[b].ninsns; i-- > 0;) want_before(t, t->ways->block[b].first + i, state, true);
    }
    free(state);
}

/* ---- What the last writers made of it: forwards ---- */

/* The argument that is loaded; NULL: several, or none. */
static const struct typing_argument *argument_at(const struct typing *t, uint32_t offset)
{
    for (size_t i = 0; i < t->own.n; i++)
        if (offset - t->own.argument[i].offset < t->own.argument[i].size) return &t->own.argument[i];
    return NULL;
}

/* What is loaded from where a pointer leads. */
static void put_loaded(const struct typing *t, const struct event *e, unsigned to, struct typed *is)
{
    const struct typing_argument *a = to & TYPING_ARGUMENTS ? argument_at(t, e->offset) : NULL;
    is->now |= (uint16_t)(to & (unsigned)~TYPING_ARGUMENTS);
    if (!a) return;
    is->now |= a->types;
    if (e->offset == a->offset) is->to |= a->to;
}

/* What a write makes of its cell: types, and where it points. */
static struct typed written(const struct typing *t, const struct event *e, const struct typed *state)
{
    struct typed is = {0, 0, 0};
    for (unsigned i = 0; i < 2; i++) {
        const struct typed *from = e->from[i] != NO_CELL ? &state[e->from[i]] : NULL;
        /* What the launch leaves has the type of its readers: those of this copy know better. */
        const bool left = from && !t->is_written[e->from[i]] && e->wanted;
        if (from && e->how == GPUDBG_FROM_MOVE && !left) is.now |= from->now;
        if (from && e->how == GPUDBG_FROM_ADDRESS) put_loaded(t, e, from->to, &is);
        if (from && (e->how == GPUDBG_FROM_MOVE || e->how == GPUDBG_FROM_SUM)) is.to |= from->to;
    }
    bool masks = e->how == GPUDBG_FROM_MASKS && e->from[0] != NO_CELL;
    for (unsigned i = 0; i < 2 && masks; i++) masks = e->from[i] == NO_CELL || state[e->from[i]].now & TYPING_DIGITS;
    if (masks) is.now = TYPING_DIGITS;
    if (e->how == GPUDBG_FROM_ADDRESS && e->types) is.now = 0; /* a byte of an array of floats */
    if (e->how == GPUDBG_FROM_LOCAL && __builtin_popcount(t->local) == 1) is.now = t->local;
    if (!(e->flags & EVENT_GUESSED)) is.now |= e->types;
    if (!is.now) is.now = e->wanted;
    if (!is.now && e->types) is.now = e->types & TYPING_F32 ? e->types | TYPING_WHOLE : e->types; /* guessed */
    return is;
}

/* The second of two dwords that are loaded of an array of doubles is the high half of one. */
static void halve_loaded(const struct event *first, const struct event *last, struct typed *is)
{
    for (const struct event *e = first; e + 1 < last; e++) {
        if (!(e->flags & EVENT_WRITE) || !(e[1].flags & EVENT_WRITE) || e->how != GPUDBG_FROM_ADDRESS ||
            e[1].how != GPUDBG_FROM_ADDRESS || is[e - first].now != TYPING_F64 || is[e + 1 - first].now != TYPING_F64)
            continue;
        is[e + 1 - first].now = TYPING_HIGH;
        e++;
    }
}

static void write_after(struct typing *t, uint32_t number, struct typed *state)
{
    const struct event *const first = t->event + t->first[number], *const last = t->event + t->first[number + 1];
    struct typed *is = t->written;
    for (const struct event *e = first; e < last; e++) {
        if (e->flags & EVENT_WRITE)
            is[e - first] = written(t, e, state);
        else if (e->how == GPUDBG_FROM_LOCAL)
            t->local |= state[e->cell].now;
    }
    halve_loaded(first, last, is);
    for (const struct event *e = first; e < last; e++) {
        if (!(e->flags & EVENT_WRITE)) continue;
        struct typed *to = &state[e->cell];
        is[e - first].before = e->flags & EVENT_LANES ? to->before | to->now : 0;
        if (e->flags & EVENT_ANY) is[e - first].now |= to->now;
        *to = is[e - first];
    }
}

static void write_meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *in)
{
    const struct typing *t = with;
    const struct gpudbg_basic_block *b = &t->ways->block[block];
    struct typed *to = in;
    memset(to, 0, t->ncells * sizeof *to);
    const uint16_t *wanted = b->entry ? gpudbg_left(t->reading, block) : NULL; /* of what the launch leaves */
    for (uint32_t c = 0; wanted && c < t->ncells; c++) to[c].now = wanted[c] ? wanted[c] : t->every ? t->every[c] : 0;
    if (b->entry && t->own.arguments) {
        const uint32_t cell = known_cell(t, t->own.file, t->own.at);
        if (cell != NO_CELL) to[cell].to = TYPING_ARGUMENTS;
    }
    for (uint32_t i = 0; i < b->nfrom; i++) {
        const struct typed *from = gpudbg_left(solution, t->ways->link[b->from + i]);
        for (uint32_t c = 0; from && c < t->ncells; c++) {
            to[c].now |= from[c].now;
            to[c].before |= from[c].before;
            to[c].to |= from[c].to;
        }
    }
}

static void write_pass(void *with, uint32_t block, void *state)
{
    struct typing *t = with;
    const struct gpudbg_basic_block *b = &t->ways->block[block];
    for (uint32_t i = 0; i < b->ninsns; i++) write_after(t, b->first + i, state);
}

/* What the launch leaves in a register, where nobody reads it, looks like what all writers make of the register: so it
 * does not change its looks where the ways of writers join its own. */
static void find_every(struct typing *t)
{
    struct typed *state = xcalloc((size_t)t->ncells + 1, sizeof *state);
    t->every = xcalloc((size_t)t->ncells + 1, sizeof *t->every);
    for (uint32_t b = 0; b < t->ways->nblocks; b++) {
        const struct typed *in = gpudbg_entered(t->solution, b);
        if (!in) continue;
        memcpy(state, in, t->ncells * sizeof *state);
        for (uint32_t i = t->ways->block[b].first; i < t->ways->block[b].first + t->ways->block[b].ninsns; i++) {
            write_after(t, i, state);
            for (uint32_t e = t->first[i]; e < t->first[i + 1]; e++)
                if (t->event[e].flags & EVENT_WRITE) t->every[t->event[e].cell] |= state[t->event[e].cell].now;
        }
    }
    const unsigned dwords = TYPING_WHOLE | TYPING_U32 | TYPING_S32;
    for (uint32_t c = 0; c < t->ncells; c++) /* floats and integers have no common looks */
        if (t->every[c] & ~dwords && __builtin_popcount(t->every[c]) != 1) t->every[c] = 0;
    free(state);
}

static bool solve(struct typing *t, struct gpudbg_error *err)
{
    const size_t cells = t->ncells ? t->ncells : 1;
    const struct gpudbg_solver reading = {
        .size = cells * sizeof(uint16_t), .backwards = true, .meet = want_meet, .pass = want_pass, .most = VISITS_MOST};
    const struct gpudbg_solver writing = {
        .size = cells * sizeof(struct typed), .meet = write_meet, .pass = write_pass, .most = VISITS_MOST};
    if (t->ways->nblocks * cells * sizeof(struct typed) * 2 > STATES_MOST)
        return gpudbg_fail(err, "too-large", "the code is too large to follow what its registers hold");
    struct gpudbg_solution *wanted = gpudbg_solve(t->ways, &reading, t, err);
    if (wanted && t->local_wanted) { /* again, now that it is known what is loaded from the group's memory */
        gpudbg_solution_free(wanted);
        wanted = gpudbg_solve(t->ways, &reading, t, err);
    }
    if (wanted) keep_wanted(t, wanted);
    t->reading = wanted;
    if (wanted) t->solution = gpudbg_solve(t->ways, &writing, t, err);
    if (t->solution) { /* again, now that it is known what is stored to the group's memory */
        find_every(t);
        gpudbg_solution_free(t->solution);
        t->solution = gpudbg_solve(t->ways, &writing, t, err);
    }
    t->reading = NULL;
    gpudbg_solution_free(wanted);
    return t->solution;
}

struct typing *typing_new(const struct gpudbg_isa *isa, const struct gpudbg_section *s,
    const struct typing_start *start, struct gpudbg_error *err)
{
    struct typing *t = xalloc(sizeof *t);
    *t = (struct typing){.at = UINT32_MAX, .own = *start, .room = 1};
    t->event = xcalloc(t->room, sizeof *t->event); /* code without events has an array, too */
    t->own.argument = xcalloc(start->n + 1, sizeof *t->own.argument);
    if (start->n) memcpy(t->own.argument, start->argument, start->n * sizeof *t->own.argument);
    t->ways = gpudbg_ways_new(isa, s->bytes, s->size, s->addr, &start->entry, 1, 0, INSNS_MOST, err);
    if (!t->ways) {
        typing_free(t);
        return NULL;
    }
    const size_t insns = (size_t)t->ways->ninsns + 2;
    t->first = xcalloc(insns, sizeof *t->first);
    t->addr = xcalloc(insns, sizeof *t->addr);
    t->end = xcalloc(insns, sizeof *t->end);
    t->footprint = isa->regions.elements ? xcalloc(GPUDBG_FOOTPRINTS, sizeof *t->footprint) : NULL;
    read_code(t);
    free(t->footprint);
    t->footprint = NULL;
    t->state = xcalloc((size_t)t->ncells + 1, sizeof *t->state);
    t->is_written = xcalloc((size_t)t->ncells + 1, sizeof *t->is_written);
    for (size_t i = 0; i < t->nevents; i++)
        if (t->event[i].flags & EVENT_WRITE) t->is_written[t->event[i].cell] = true;
    if (solve(t, err)) return t;
    typing_free(t);
    return NULL;
}

void typing_free(struct typing *t)
{
    if (!t) return;
    gpudbg_solution_free(t->solution);
    gpudbg_ways_free(t->ways);
    for (unsigned f = 0; f < FILES_MOST; f++) free(t->number[f]);
    free(t->event);
    free(t->first);
    free(t->addr);
    free(t->end);
    free(t->state);
    free(t->scratch);
    free(t->written);
    free(t->is_written);
    free(t->every);
    free(t->own.argument);
    free(t);
}

/* ---- Asking ---- */

/* The block and number of the instruction that begins at pc, or ends there. */
static bool find(const struct typing *t, uint64_t pc, bool behind, uint32_t *block, uint32_t *number)
{
    const struct gpudbg_ways *w = t->ways;
    for (uint32_t b = 0; b < w->nblocks; b++) {
        const struct gpudbg_basic_block *at = &w->block[b];
        if (at->place == UINT32_MAX || !at->ninsns ||
            (behind ? pc <= at->addr || pc > at->end : pc < at->addr || pc >= at->end))
            continue;
        for (uint32_t i = at->first; i < at->first + at->ninsns; i++)
            if ((behind ? t->end[i] : t->addr[i]) == pc) {
                *block = b;
                *number = i;
                return true;
            }
    }
    return false;
}

static bool go_to(struct typing *t, uint64_t pc, bool behind)
{
    uint32_t block, number;
    if (t->at != UINT32_MAX && t->behind == behind && (behind ? t->end[t->at] : t->addr[t->at]) == pc) return true;
    if (!find(t, pc, behind, &block, &number)) return false;
    const struct typed *in = gpudbg_entered(t->solution, block);
    if (!in) return false;
    memcpy(t->state, in, t->ncells * sizeof *t->state);
    for (uint32_t i = t->ways->block[block].first; i < number + behind; i++) write_after(t, i, t->state);
    t->at = number;
    t->behind = behind;
    return true;
}

bool typing_has(struct typing *t, uint64_t pc, bool behind) { return go_to(t, pc, behind); }

struct typed typing_of(struct typing *t, uint64_t pc, bool behind, unsigned file, uint32_t at)
{
    const struct typed none = {0, 0, 0};
    uint32_t cell = known_cell(t, file, at);
    if (cell == NO_CELL) cell = known_cell(t, file, GPUDBG_ANY_UNIT);
    return cell != NO_CELL && go_to(t, pc, behind) ? t->state[cell] : none;
}
