/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program.h: gfx7 programs from a fuzzer's bytes, for fuzzers that execute.
 *
 * Bytes taken as code are mostly unknown opcodes.  So ten of them make an instruction: two choose a row of the table,
 * eight are its fields; sources may be registers that hold what memory instructions want: a buffer's or image's
 * descriptor, a sampler, an address.  Branches stay inside the program.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/families.h"
#include "decoders/decoders.h"
#include "machine/launch.h"
#include "image/load.h"
#include "machine/machine.h"
#include "out/out.h"
#include "session/session.h"

#define PROGRAM_DWORDS 256
#define PROGRAM_BUFFER 4096u /* bytes */
#define PROGRAM_WAVES 2u

struct input {
    const uint8_t *at;
    size_t left;
};

/* The next n (at most 8) bytes as a number; zeros when there are no more. */
static uint64_t input_take(struct input *in, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n && in->left; i++, in->left--) value |= (uint64_t)*in->at++ << 8 * i;
    return value;
}

struct program {
    uint32_t word[PROGRAM_DWORDS];
    size_t n;
    uint64_t seed; /* of the registers */
};

static uint64_t with_bits(uint64_t word, unsigned lo, unsigned len, uint64_t value)
{
    const uint64_t mask = ((UINT64_C(1) << len) - 1) << lo;
    return (word & ~mask) | (value << lo & mask);
}

/* The row's word with `bits` in its other fields.  long_form: VOP1, VOP2 and VOPC as VOP3, Sea Islands ISA 12.11. */
static uint64_t program_word(const struct gpudbg_row *row, uint64_t bits, bool long_form)
{
    const struct gpudbg_format *f = row->format;
    const unsigned code = (unsigned)row->code;
    static const struct {
        const char *name;
        unsigned from;
    } forms[] = {{"VOPC", 0}, {"VOP2", 256}, {"VOP1", 384}};
    for (size_t i = 0; long_form && i < sizeof forms / sizeof *forms; i++)
        if (strcmp(f->name, forms[i].name) == 0)
            return with_bits(with_bits(bits, 26, 6, 0x34), 17, 9, code + forms[i].from);
    bits = (bits & ~f->mask[0]) | f->match[0];
    for (size_t i = 0; i < f->count; i++)
        if (f->fields[i].kind == GPUDBG_OPCODE)
            bits = with_bits(bits, f->fields[i].run[0].lo, f->fields[i].run[0].len, code);
    return bits;
}

/* The n-th operation that the set has, counted round and round. */
static size_t program_pick(const struct gpudbg_isa *isa, size_t n)
{
    size_t have = 0, i = 0;
    for (size_t k = 0; k < isa->nops; k++) have += gpudbg_has_op(isa, k);
    for (n %= have; !gpudbg_has_op(isa, i) || n--;) i++;
    return i;
}

/* At most `most` instructions, and s_endpgm. */
static inline void program_make(struct program *p, const struct gpudbg_isa *isa, struct input *in, unsigned most)
{
    memset(p, 0, sizeof *p);
    p->seed = input_take(in, 4);
    for (; most && in->left && p->n + 4 < PROGRAM_DWORDS; most--) {
        const uint64_t choice = input_take(in, 2), bits = input_take(in, 8);
        const size_t pick = program_pick(isa, choice & 0x3fff);
        const struct gpudbg_op *op = &isa->ops[pick];
        uint64_t word = program_word(&isa->rows[pick], bits, choice & 0x8000);
        struct gpudbg_insn insn;
        if (op->flags & GPUDBG_OP_BRANCH &&
            isa->rows[pick].format->bits == 32) /* to one of the first 64 words, or the next */
            word = with_bits(word, 0, 16, bits % 64 - (p->n + 1));
        uint8_t bytes[8];
        memcpy(bytes, &word, 8);
        const bool known = gpudbg_insn_at(isa, bytes, sizeof bytes, 0, &insn);
        memcpy(&p->word[p->n], bytes, 8);
        p->n += known ? insn.size / 4 : 1;
    }
    p->word[p->n++] = 0xbf810000; /* s_endpgm */
}

static unsigned program_file(const struct gpudbg_isa *isa, const char *name)
{
    for (unsigned i = 0; i < isa->nfiles; i++)
        if (strcmp(isa->files[i].name, name) == 0) return i;
    abort();
}

/* Scalar registers: over and over a buffer's descriptor, an image's, a sampler, an address and two small numbers, each
 * with a bit or two changed at times; vector registers: offsets, coordinates, addresses, chance. */
static void program_registers(struct gpudbg_machine *m, uint32_t wave, uint64_t seed)
{
    const unsigned s = program_file(m->isa, "s"), v = program_file(m->isa, "v");
    const uint64_t base = launch_buffer(m, "buf0", &(struct gpudbg_error){0})->base;
    const uint32_t lo = (uint32_t)base, hi = (uint32_t)(base >> 32);
    const uint32_t typical[20] = {
        lo,
        hi,
        PROGRAM_BUFFER,
        4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15, /* V#: raw, 32 bits of float */
        (uint32_t)(base >> 8),
        (uint32_t)(base >> 40) | 4 << 20 | 7 << 26,
        7 | 7 << 14,
        4 | 5 << 3 | 6 << 6 | 7 << 9 | 8u << 20 | 9u << 28,
        7 << 13,
        0,
        0,
        0, /* T#: 2D, 8 x 8, linear */
        0,
        0xfff << 12,
        0,
        0,
        lo,
        hi,
        4,
        16,
    };
    struct gpudbg_error err = {0};
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    const bool altered = seed & 1;
    for (unsigned i = 0; i < m->isa->run->count(m, s); i++) {
        uint32_t word = typical[i % 20];
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        if (altered && random >> 60 == 0) word ^= 1u << (random >> 40 & 31);
        machine_set_register(m, wave, s, i, 0, &word, 1, &err);
    }
    for (unsigned i = 0; i < 24; i++) {
        uint32_t row[64];
        for (uint32_t lane = 0; lane < 64; lane++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            const uint32_t by[6] = {
                lane * 4, lo + lane * 8, hi, 0x3f000000 + (lane << 18), lane & 7, (uint32_t)(random >> 32)};
            row[lane] = by[i % 6];
        }
        machine_set_register(m, wave, v, i, 0, row, 64, &err);
    }
}

/* The session stands at the program's entry, registers set: one group of two waves, the second one not full.  more: of
 * the line `launch`. */
static inline struct gpudbg_machine *program_launch_with(
    struct gpudbg *g, const struct gpudbg_isa *isa, const struct program *p, const char *more)
{
    char line[200];
    struct gpudbg_error err = {0};
    struct load_options options = {.isa = isa, .raw = true};
    struct gpudbg_image *image = session_image_from(g, "program", (const uint8_t *)p->word, p->n * 4, &options, &err);
    if (!image) abort();
    session_take(g, image);
    struct gpudbg_out *out = out_memory(false);
    snprintf(line, sizeof line, "launch -g 100 -l 100 buf0=zero:4096 lds=1024 gds=256 %s", more);
    if (!gpudbg_execute(g, line, out, &err) || !gpudbg_session_machine(g)) abort();
    out_close(out);
    struct gpudbg_machine *m = gpudbg_session_machine(g);
    for (uint32_t wave = 0; wave < PROGRAM_WAVES; wave++) program_registers(m, wave, p->seed + wave * 2);
    return m;
}

static inline struct gpudbg_machine *program_launch(
    struct gpudbg *g, const struct gpudbg_isa *isa, const struct program *p)
{
    return program_launch_with(g, isa, p, "");
}

/* The address behind the instruction at pc.  false: there is no code. */
static inline bool program_after(const struct gpudbg_machine *m, uint64_t pc, uint64_t *after)
{
    struct gpudbg_insn insn;
    size_t n;
    const uint8_t *bytes = gpudbg_image_bytes(m->image, pc, &n);
    if (!bytes || !n) return false;
    gpudbg_insn_at(m->isa, bytes, n, pc, &insn);
    *after = pc + insn.size;
    return true;
}

static struct gpudbg *program_session(void)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    if (!g) abort();
    g->sealed = true;
    return g;
}

#endif
