/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_printed.c: reads the messages that a kernel left in printf's buffer.  Dword 0 counts the bytes of the messages,
 * dword 1 those of the buffer; a message is the number of its format (files/printf.h) and the values, each in whole
 * dwords.  Where there is no room for a message, the device's library leaves it out.  Source: LLVM's
 * AMDGPUPrintfRuntimeBinding.cpp; __printf_alloc of ROCm's device libraries 5.2.
 *
 * LLVM (observed: 19) counts the 0 of a constant string, but does not store it.  Where it would need a dword of its
 * own, the values after the string are one dword before the place that the sizes give.
 */
#include "engine/setup.h"

#include <stdio.h>
#include <string.h>

#include "gpudbg/endian.h"
#include "files/printf.h"
#include "engine/gcn_exec.h"

enum { HEAD = 8, VALUES_MOST = 256 };

static uint32_t whole_dwords(uint32_t bytes) { return (bytes + 3) & ~3u; }

static uint64_t message_bytes(const struct gcn_printf *p)
{
    uint64_t bytes = 4;
    for (uint32_t i = 0; i < p->nvalues; i++) bytes += whole_dwords(p->sizes[i]);
    return bytes;
}

static uint64_t largest_message(const struct gcn_printfs *all)
{
    uint64_t most = 0;
    for (size_t i = 0; all && i < all->n; i++) {
        const uint64_t bytes = message_bytes(&all->list[i]);
        if (bytes > most) most = bytes;
    }
    return most;
}

/* Lays out the values from `at` on; shorter: strings whose 0 would take a dword of its own take one dword less.
 * Returns where the last one ends. */
static uint64_t lay_out(
    const struct gcn_printf *p, const uint8_t *bytes, uint64_t at, bool shorter, struct gpudbg_printf_value *value)
{
    const char *letter = p->format;
    for (uint32_t i = 0; i < p->nvalues; i++) {
        uint32_t size = p->sizes[i];
        while ((letter = strchr(letter, '%')) && letter[1] == '%') letter += 2;
        const size_t spec = letter ? strcspn(letter + 1, "diouxXcaAeEfFgGsp") : 0;
        const bool string = letter && letter[1 + spec] == 's';
        if (shorter && string && size > 4 && !memchr(bytes + at, 0, size - 4)) size -= 4;
        value[i] = (struct gpudbg_printf_value){bytes + at, size};
        at += whole_dwords(size);
        letter = letter ? letter + 1 + spec : p->format + strlen(p->format);
    }
    return at;
}

/* The library of Debian's rocm-device-libs has a printf of its own, which asks for room and stores nothing: it leaves
 * dword 0 as it was.  Clang lists formats only where no library defines printf. */
static bool is_empty_printf(const struct gcn_setup *s) { return !s->abi->printfs || !s->abi->printfs->n; }

static void tell_empty(const struct gpudbg_segment *s, gpudbg_printf_fn *each, void *to)
{
    each(to, &(struct gpudbg_printf){.segment = s, /* it stores dword 0 as it was */
                 .size = 4,
                 .problem = "the file's printf is a library's that stores nothing: what its kernels print is lost "
                            "(compile with -nogpulib)"});
}

void gcn_printed(const struct gpudbg_machine *m, gpudbg_printf_fn *each, void *to)
{
    const struct gcn_setup *s = ((struct gcn_run *)m->runner)->setup;
    if (!s->printf || !s->abi) return;
    const uint8_t *bytes = s->printf->bytes;
    uint64_t end = HEAD + (uint64_t)le_u32(bytes);
    if (end > s->printf->size) end = s->printf->size;
    if (end == HEAD && is_empty_printf(s)) {
        tell_empty(s->printf, each, to);
        return;
    }
    if (s->hostcall) {
        gcn_hostcall_printed(s->printf, each, to);
        return;
    }
    const bool full = end + largest_message(s->abi->printfs) > s->printf->size;
    for (uint64_t at = HEAD; at + 4 <= end;) {
        struct gpudbg_printf_value value[VALUES_MOST], other[VALUES_MOST];
        const uint32_t id = le_u32(bytes + at);
        const struct gcn_printf *p = gcn_printf_find(s->abi->printfs, id);
        struct gpudbg_printf message = {.segment = s->printf, .at = at, .size = 4};
        char problem[80];
        if (!p || at + message_bytes(p) > end) {
            snprintf(problem, sizeof problem, "format %u is not in the file's metadata; what follows is not shown", id);
            message.problem = problem;
            if (id) each(to, &message); /* 0: its number is not stored yet */
            return;
        }
        const uint64_t next = lay_out(p, bytes, at + 4, false, value);
        message.size = next - at;
        message.format = p->format;
        message.values = value;
        if (lay_out(p, bytes, at + 4, true, other) != next) message.others = other;
        message.nvalues = p->nvalues;
        if (full && next == end) message.problem = "the buffer is full: what was printed after this is lost";
        if (!each(to, &message)) return;
        at = next;
    }
}
