/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guarded.h: instructions on a wave whose registers have nothing beside them.
 *
 * A copy of a wave gets its words from memory that ends where they end; before and behind it nothing may be read or
 * written.  So an instruction that takes a register which the launch does not have ends the test, which names it, also
 * in a program without sanitizers.
 */
#ifndef GUARDED_H
#define GUARDED_H

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/machine.h"
#include "tap.h"

#define GUARD ((size_t)4 << 20)

struct guarded {
    uint8_t *whole;
    size_t room;
    struct gpudbg_wave wave;
    uint64_t tried, executed;
};

static struct {
    sigjmp_buf back;
    volatile bool set;
    const uint8_t *volatile address;
} guarded_trap;

static void guarded_caught(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (!guarded_trap.set) {
        signal(number, SIG_DFL); /* another's: it happens again, and ends the test */
        return;
    }
    guarded_trap.address = info->si_addr;
    siglongjmp(guarded_trap.back, number);
}

static bool guarded_open(struct guarded *g, struct gpudbg_machine *m)
{
    struct gpudbg_error err = {0};
    const struct gpudbg_wave *w = machine_wave(m, 0, &err);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = ((size_t)m->wave_words * 4 + 63) & ~(size_t)63;
    const struct sigaction action = {.sa_sigaction = guarded_caught, .sa_flags = SA_SIGINFO | SA_NODEFER};
    *g = (struct guarded){.room = (size + page - 1) & ~(page - 1)};
    g->whole = mmap(NULL, g->room + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!w || g->whole == MAP_FAILED || mprotect(g->whole + GUARD, g->room, PROT_READ | PROT_WRITE)) return false;
    g->wave = *w;
    g->wave.words = (uint32_t *)(void *)(g->whole + GUARD + g->room - size);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    return true;
}

static void guarded_close(struct guarded *g) { munmap(g->whole, g->room + 2 * GUARD); }

/* Executes the instruction at pc on the copy, which stands as wave 0 does, and asks what it reads and writes now.  One
 * that leaves the wave's registers ends the test: the machine stopped in the middle of it. */
static void guarded_try(struct guarded *g, const struct gpudbg_wave *from, uint64_t pc)
{
    struct gpudbg_machine *m = from->machine;
    struct gpudbg_insn insn, own;
    uint32_t *words = g->wave.words;
    size_t n = 0;
    const uint8_t *bytes = gpudbg_image_bytes(m->image, pc, &n);
    g->wave = *from;
    g->wave.words = words;
    g->wave.pc = pc;
    memcpy(words, from->words, (size_t)m->wave_words * 4);
    g->tried++;
    const int number = sigsetjmp(guarded_trap.back, 1);
    guarded_trap.set = number == 0;
    if (!number) {
        if (bytes && n && gpudbg_insn_at(m->isa, bytes, n, pc, &insn)) machine_actual(&g->wave, &insn, &own);
        g->executed += machine_try(&g->wave, NULL, NULL);
        guarded_trap.set = false;
        return;
    }
    char text[300];
    const bool known = bytes && n && gpudbg_insn_at(m->isa, bytes, n, pc, &insn);
    if (!known || m->isa->text(&insn, 0, 0, NULL, text, sizeof text) < 0) snprintf(text, sizeof text, "?");
    tap_check(false, __FILE__, __LINE__, "an instruction stays inside the wave's registers");
    fprintf(stderr, "#   %s at 0x%llx: byte %td of %u of the wave's registers\n", text, (unsigned long long)pc,
        guarded_trap.address - (const uint8_t *)words, m->wave_words * 4);
    fflush(NULL);
    _exit(1);
}

/* Numbers that are the same in every run. */
static uint64_t guarded_seed = 1;
static uint64_t guarded_random(void)
{
    guarded_seed ^= guarded_seed << 13;
    guarded_seed ^= guarded_seed >> 7;
    guarded_seed ^= guarded_seed << 17;
    return guarded_seed;
}

#endif
