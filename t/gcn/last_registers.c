/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every row of Sea Islands with the last registers of a launch and those behind them, in launches with few registers
 * and with all, while exceptions are worked out and while they are not: nothing outside the wave's registers is
 * touched (guarded.h).
 */
#include "../fuzz/program.h"

#include "../core/guarded.h"

#define STRIDE 4u /* dwords an instruction */

/* A register's number near an end of what is there: of 8 bits, or of 9, where 256 is v0. */
static uint64_t near_an_end(unsigned bits, unsigned vgprs)
{
    const uint64_t chance = guarded_random();
    const unsigned near[] = {0, vgprs - 1, vgprs - 2, vgprs - 3, vgprs, vgprs + 1, 255, 254, 253, 252, 103, 100, 124};
    const unsigned code = near[chance % (sizeof near / sizeof *near)];
    return code + (bits == 9 && chance >> 32 & 3 ? 256u : 0);
}

static uint64_t word_with_ends(const struct gpudbg_row *row, bool long_form, unsigned vgprs)
{
    uint64_t bits = guarded_random();
    const struct gpudbg_format *f = row->format;
    for (size_t i = 0; i < f->count; i++) {
        const struct gpudbg_run run = f->fields[i].run[0];
        if (run.len >= 7 && run.len <= 9 && guarded_random() % 8)
            bits = with_bits(bits, run.lo, run.len, near_an_end(run.len, vgprs));
    }
    if (long_form) { /* VOP3: vdst, then three sources of 9 bits */
        bits = with_bits(bits, 0, 8, near_an_end(8, vgprs));
        for (unsigned i = 0; i < 3; i++) bits = with_bits(bits, 32 + 9 * i, 9, near_an_end(9, vgprs));
    }
    return program_word(row, bits, long_form);
}

static size_t make(uint32_t *code, size_t room, const struct gpudbg_isa *isa, unsigned vgprs, unsigned each)
{
    size_t n = 0;
    for (size_t i = 0; i < isa->nops; i++) {
        if (!gpudbg_has_op(isa, i)) continue;
        for (unsigned k = 0; k < each && n + STRIDE <= room; k++, n += STRIDE) {
            const uint64_t word = word_with_ends(&isa->rows[i], k & 1, vgprs);
            const struct gpudbg_op *op = &isa->ops[i];
            code[n] = (uint32_t)word;
            code[n + 1] = (uint32_t)(word >> 32);
            code[n + 2] = code[n + 3] = 0xbf810000;
            if (op->flags & GPUDBG_OP_BRANCH && isa->rows[i].format->bits == 32)
                code[n] = (uint32_t)with_bits(code[n], 0, 16, 1);
        }
    }
    return n;
}

/* All of it once; exceptions: the code ends with a look at them, so they are worked out all the time. */
static void check(struct gpudbg *g, const struct gpudbg_isa *isa, const char *registers, unsigned vgprs,
    bool exceptions, const char *m0)
{
    const unsigned each = tap_sample() > 4 ? 4 : 24 / tap_sample();
    const size_t room = (isa->nops * each + 1) * STRIDE;
    uint32_t *code = calloc(room, sizeof *code);
    struct gpudbg_error err = {0};
    struct load_options options = {.isa = isa, .raw = true};
    size_t n = make(code, room - STRIDE, isa, vgprs, each);
    code[n++] = 0xbf810000;
    if (exceptions) code[n++] = 0xb9000003u | 31u << 11; /* s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS) */
    struct gpudbg_image *image = session_image_from(g, "program", (const uint8_t *)code, n * 4, &options, &err);
    if (!image) abort();
    session_take(g, image);
    char line[200];
    snprintf(line, sizeof line, "launch -g 100 -l 100 buf0=zero:4096 lds=1024 gds=256 m0=%s %s", m0, registers);
    struct gpudbg_out *out = out_memory(false);
    const bool launched = gpudbg_execute(g, line, out, &err);
    out_close(out);
    struct gpudbg_machine *m = gpudbg_session_machine(g);
    struct guarded guarded;
    if (!launched || !m || !guarded_open(&guarded, m)) {
        tap_check(false, __FILE__, __LINE__, tap_name("%s: launched: %s", line, err.message));
        return;
    }
    program_registers(m, 0, guarded_random());
    const struct gpudbg_wave *w = machine_wave(m, 0, &err);
    for (size_t at = 0; at < n; at += STRIDE) guarded_try(&guarded, w, at * 4);
    tap_check(guarded.executed > guarded.tried / 20, __FILE__, __LINE__,
        tap_name("%s, %s, exceptions %s: %llu instructions, %llu of them executed, stay inside", isa->name, registers,
            exceptions ? "watched" : "not watched", (unsigned long long)guarded.tried,
            (unsigned long long)guarded.executed));
    guarded_close(&guarded);
    free(code);
}

int main(void)
{
    static const struct {
        const char *registers;
        unsigned vgprs;
    } launches[] = {{"vgprs=4", 4}, {"vgprs=9 sgprs=16", 9}, {"vgprs=256", 256}};
    struct gpudbg *g = program_session();
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        for (unsigned k = 0; k < 4; k++)
            check(g, session_isa(g, k & 2 ? "gfx7-pro" : "gfx7"), launches[i].registers, launches[i].vgprs, k & 1,
                k & 1 ? "2" : "0xffffffff");
    session_close(g);
    return tap_done();
}
