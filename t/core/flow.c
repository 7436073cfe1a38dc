/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow.c: blocks and analyses over all ways (gpudbg/flow.h), on random programs of a toy instruction set.  The model
 * knows no blocks: it goes from instruction to instruction, for one definition or one use at a time.
 */
#include "gpudbg.h"
#include "tap.h"

enum { PLAIN, DEF, USE, JUMP, COND, CALL, RET, END, WEIRD, KINDS };
enum { INSNS = 40, VARS = 4, BASE = 0x1000 };

static const struct gpudbg_op ops[KINDS] = {
    [PLAIN] = {.name = "plain"},
    [DEF] = {.name = "def"},
    [USE] = {.name = "use"},
    [JUMP] = {.name = "jump", .flags = GPUDBG_OP_BRANCH},
    [COND] = {.name = "cond", .flags = GPUDBG_OP_BRANCH | GPUDBG_OP_COND},
    [CALL] = {.name = "call", .flags = GPUDBG_OP_BRANCH | GPUDBG_OP_CALL},
    [RET] = {.name = "ret", .flags = GPUDBG_OP_BRANCH | GPUDBG_OP_RETURN},
    [END] = {.name = "end", .flags = GPUDBG_OP_END},
    [WEIRD] = {.name = "register", .flags = GPUDBG_OP_BRANCH},
};

/* Four bytes: kind, variable, number of the target, 0. */
static int decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    memset(out, 0, sizeof *out);
    out->isa = isa;
    out->addr = addr;
    out->raw = p;
    out->size = 4;
    if (n < 4) return GPUDBG_SHORT;
    if (p[0] >= KINDS) return GPUDBG_ILLEGAL;
    out->op = &ops[p[0]];
    if (p[0] == JUMP || p[0] == COND || p[0] == CALL)
        out->operands[out->noperands++] = (struct gpudbg_operand){
            .kind = GPUDBG_CODE, .index = -1, .imm = BASE + 4 * (int64_t)p[2]};
    return 4;
}

static const struct gpudbg_isa toy = {
    .name = "toy", .align = 4, .lanes = 1, .ops = ops, .nops = KINDS, .decode = decode};

/* ---- The program ---- */

struct program {
    uint8_t code[INSNS][4];
    bool next[INSNS][INSNS]; /* the model's ways */
};

static unsigned random_below(unsigned n)
{
    static uint32_t seed = 12345;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % n;
}

static void make(struct program *p)
{
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < INSNS; i++) {
        const unsigned r = random_below(20);
        p->code[i][0] = (uint8_t)(r < 5 ? DEF : r < 10 ? USE : r < 12 ? COND : r < 17 ? (r - 12) + JUMP : PLAIN);
        if (random_below(60) == 0) p->code[i][0] = 200; /* data */
        p->code[i][1] = (uint8_t)random_below(VARS);
        p->code[i][2] = (uint8_t)random_below(INSNS + 3); /* some outside of the code */
    }
    for (unsigned i = 0; i < INSNS; i++) {
        const unsigned kind = p->code[i][0], to = p->code[i][2];
        const bool jumps = kind == JUMP || kind == COND || kind == CALL;
        const bool stops = kind == JUMP || kind == RET || kind == END || kind == WEIRD || kind >= KINDS;
        if (jumps && to < INSNS && p->code[to][0] < KINDS) p->next[i][to] = true;
        if (!stops && i + 1 < INSNS && p->code[i + 1][0] < KINDS) p->next[i][i + 1] = true;
    }
}

/* ---- The model ---- */

/* Instructions that are executed at some time after `from`, without one in `wall` in between. */
static void spread(const struct program *p, unsigned from, const bool *wall, bool *met)
{
    unsigned todo[INSNS], n = 0;
    memset(met, 0, INSNS);
    todo[n++] = from;
    while (n) {
        const unsigned i = todo[--n];
        for (unsigned k = 0; k < INSNS; k++) {
            if (!p->next[i][k] || met[k]) continue;
            met[k] = true;
            if (!wall || !wall[k]) todo[n++] = k;
        }
    }
}

/* Returns lead behind the calls that are reached, which may reach more calls. */
static void add_returns(struct program *p)
{
    for (bool more = true; more;) {
        bool met[INSNS];
        spread(p, 0, NULL, met);
        met[0] = true;
        more = false;
        for (unsigned r = 0; r < INSNS; r++)
            for (unsigned c = 0; met[r] && p->code[r][0] == RET && c + 1 < INSNS; c++) {
                if (!met[c] || p->code[c][0] != CALL || p->code[c + 1][0] >= KINDS || p->next[r][c + 1]) continue;
                more = p->next[r][c + 1] = true;
            }
    }
}

/* ---- Two analyses ---- */

struct state {
    uint64_t bits;
};

static void join(void *to, const void *from) { ((struct state *)to)->bits |= ((const struct state *)from)->bits; }

static void meet(void *with, const struct gpudbg_solution *s, uint32_t block, void *in)
{
    gpudbg_each_left(s, block, *(const bool *)with, join, in);
}

static unsigned index_of(const struct gpudbg_insn *insn) { return (unsigned)(insn->addr - BASE) / 4; }

/* Forwards: which definitions may have been the last of their variable: bits are numbers of instructions. */
static bool define(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct state *s = to;
    const uint8_t *code = insn->raw - 4 * (size_t)index_of(insn);
    (void)number;
    if (insn->op != &ops[DEF]) return true;
    for (unsigned i = 0; i < INSNS; i++)
        if (code[4 * i] == DEF && code[4 * i + 1] == insn->raw[1]) s->bits &= ~(UINT64_C(1) << i);
    s->bits |= UINT64_C(1) << index_of(insn);
    return true;
}

struct forwards {
    bool backwards; /* first: meet reads it */
    const struct gpudbg_ways *ways;
};

static void pass_forwards(void *with, uint32_t block, void *state)
{
    gpudbg_block_walk(((const struct forwards *)with)->ways, block, define, state);
}

/* Backwards: which variables are alive. */
static void live(struct state *s, const uint8_t *insn)
{
    if (insn[0] == DEF) s->bits &= ~(UINT64_C(1) << insn[1]);
    if (insn[0] == USE) s->bits |= UINT64_C(1) << insn[1];
}

static void pass_backwards(void *with, uint32_t block, void *state)
{
    const struct gpudbg_ways *w = ((const struct forwards *)with)->ways;
    const struct gpudbg_basic_block *b = &w->block[block];
    for (uint64_t at = b->end; at > b->addr; at -= 4) live(state, w->bytes + (at - 4 - w->base));
}

/* Compares both analyses with the model; returns how many instructions were reached. */
static unsigned compare(struct program *p, unsigned flags, unsigned *wrong)
{
    const uint64_t entry = BASE;
    struct gpudbg_error err = {0};
    struct gpudbg_ways *w = gpudbg_ways_new(&toy, p->code[0], sizeof p->code, BASE, &entry, 1, flags, INSNS, &err);
    if (!w) return ++*wrong, 0;
    struct forwards f = {false, w}, b = {true, w};
    struct gpudbg_solution *defs = gpudbg_solve(
        w, &(struct gpudbg_solver){sizeof(struct state), false, meet, pass_forwards, NULL, 0}, &f, &err);
    struct gpudbg_solution *alive = gpudbg_solve(
        w, &(struct gpudbg_solver){sizeof(struct state), true, meet, pass_backwards, NULL, 0}, &b, &err);
    bool reached[INSNS], met[INSNS];
    unsigned n = 0;
    spread(p, 0, NULL, reached);
    reached[0] = true;
    uint64_t last[INSNS] = {0}, before[INSNS] = {0}, seen = 0;
    for (uint32_t i = 0; i < w->nblocks; i++) {
        const struct gpudbg_basic_block *block = &w->block[i];
        const struct state *in = gpudbg_entered(defs, i), *out = gpudbg_entered(alive, i);
        const uint64_t first = (block->addr - BASE) / 4;
        if (!in != !out || (!in != (block->place == UINT32_MAX))) ++*wrong;
        if (!in || !out || i == w->returns) continue;
        struct state s = *in;
        for (uint32_t k = 0; k < block->ninsns; k++) {
            struct gpudbg_insn insn;
            last[first + k] = s.bits;
            seen |= UINT64_C(1) << (first + k);
            decode(&toy, p->code[first + k], 4, block->addr + 4 * k, &insn);
            define(&s, &insn, 0);
        }
        s = *out;
        for (uint32_t k = block->ninsns; k-- > 0;) {
            live(&s, p->code[first + k]);
            before[first + k] = s.bits;
        }
    }
    for (unsigned d = 0; d < INSNS; d++) {
        n += reached[d];
        if ((seen >> d & 1) != reached[d]) ++*wrong;
        if (!reached[d]) continue;
        bool wall[INSNS];
        for (unsigned i = 0; i < INSNS; i++) wall[i] = p->code[i][0] == DEF && p->code[i][1] == p->code[d][1];
        spread(p, d, wall, met);
        for (unsigned i = 0; i < INSNS && p->code[d][0] == DEF; i++)
            if ((last[i] >> d & 1) != met[i]) ++*wrong;
        for (unsigned v = 0; v < VARS; v++) {
            bool used = p->code[d][0] == USE && p->code[d][1] == v;
            for (unsigned i = 0; i < INSNS; i++) wall[i] = p->code[i][0] == DEF && p->code[i][1] == v;
            spread(p, d, wall, met);
            for (unsigned i = 0; i < INSNS && !wall[d]; i++)
                used = used || (met[i] && p->code[i][0] == USE && p->code[i][1] == v);
            if ((before[d] >> v & 1) != used) ++*wrong;
        }
    }
    gpudbg_solution_free(defs);
    gpudbg_solution_free(alive);
    gpudbg_ways_free(w);
    return n;
}

static void random_programs(void)
{
    unsigned wrong = 0, insns = 0;
    for (unsigned i = 0; i < 3000; i++) {
        struct program p;
        make(&p);
        if (p.code[0][0] >= KINDS) continue;
        add_returns(&p);
        insns += compare(&p, 0, &wrong);
    }
    is_int(wrong, 0, "definitions and live variables at %u instructions of random programs", insns);
}

/* ---- Blocks, on paper ---- */

/*  0 plain   1 cond 4   2 call 7   3 jump 1   4 use   5 end   6 data   7 def   8 ret   9 plain  10 end */
static const uint8_t paper[][4] = {
    {PLAIN}, {COND, 0, 4}, {CALL, 0, 7}, {JUMP, 0, 1}, {USE}, {END}, {200}, {DEF}, {RET}, {PLAIN}, {END}};

static void on_paper(void)
{
    const uint64_t entry = BASE;
    struct gpudbg_error err = {0};
    char text[400] = "";
    struct gpudbg_ways *w = gpudbg_ways_new(&toy, paper[0], sizeof paper, BASE, &entry, 1, GPUDBG_WAYS_ALL, 99, &err);
    for (uint32_t i = 0; w && i < w->nblocks; i++) {
        const struct gpudbg_basic_block *b = &w->block[i];
        size_t n = strlen(text);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", n ? "; " : "");
        if (i == w->returns)
            n += (size_t)snprintf(text + n, sizeof text - n, "returns");
        else
            n += (size_t)snprintf(
                text + n, sizeof text - n, "%d-%d", (int)(b->addr - BASE) / 4, (int)(b->end - BASE) / 4 - 1);
        for (uint32_t k = 0; k < b->nnext; k++) {
            n += (size_t)snprintf(text + n, sizeof text - n, " >%u", w->link[b->next + k]);
        }
        if (b->place == UINT32_MAX) snprintf(text + n, sizeof text - n, " apart");
    }
    is_str(text, "0-0 >1; 1-1 >4 >2; 2-2 >5 >3; 3-3 >1; 4-5; 7-8 >7; 9-10 apart; returns >3",
        "blocks and the ways between them");
    is_int(w->ninsns, 10, "instructions are counted");
    is_int(gpudbg_block_at(w, BASE + 16), 4, "a block is found by its address");
    is_int(gpudbg_block_at(w, BASE + 20), UINT32_MAX, "... and nothing else is");
    gpudbg_ways_free(w);
    ok(!gpudbg_ways_new(&toy, paper[0], sizeof paper, BASE, &entry, 1, GPUDBG_WAYS_ALL, 9, &err), "too many");
    is_str(err.kind, "too-large", "... are an error");
    const uint64_t outside = BASE + 4000;
    ok(!gpudbg_ways_new(&toy, paper[0], sizeof paper, BASE, &outside, 1, 0, 99, &err), "an entry elsewhere");
    is_str(err.kind, "not-now", "... is an error");
}

int main(void)
{
    on_paper();
    random_programs();
    return tap_done();
}
