/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channels.c: the address of each channel of the selected thread, and its flags: divergence as a list. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/gen_exec.h"

struct channel {
    unsigned number;
    const char *state;
    uint64_t ip;
    bool has_ip;
    const char *what; /* the instruction it waits at */
    uint32_t f[2];
};

static int number_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct channel *)row)->number);
}

static int state_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct channel *)row)->state);
}

static int ip_cell(const void *row, char *buf, size_t size)
{
    const struct channel *c = row;
    return c->has_ip ? snprintf(buf, size, "0x%" PRIx64, c->ip) : 0;
}

static int what_cell(const void *row, char *buf, size_t size)
{
    const struct channel *c = row;
    return c->what ? snprintf(buf, size, "%s", c->what) : 0;
}

/* A channel's bits of f0 and f1, as SIMD8 to SIMD32 threads use them. */
static int flags_cell(const void *row, char *buf, size_t size)
{
    const struct channel *c = row;
    return snprintf(buf, size, "f0 %u f1 %u", c->f[0] >> c->number & 1, c->f[1] >> c->number & 1);
}

static const struct gpudbg_column columns[] = {
    {"channel", "channel", 0, GPUDBG_COUNT, number_cell},
    {"state", "state", 0, GPUDBG_NAME, state_cell},
    {"ip", "ip", 0, GPUDBG_ADDRESS, ip_cell},
    {"at", "at", 0, GPUDBG_NAME, what_cell},
    {"flags", "flags", 0, GPUDBG_PLAIN, flags_cell},
};

static bool rows(struct gpudbg *session, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct gpudbg_wave *w = gpudbg_session_wave(session);
    (void)args;
    if (!w) return gpudbg_fail(err, "no-launch", "nothing is launched");
    const uint32_t live = w->words[GEN_W_LIVE], active = w->words[GEN_W_ACTIVE], running = gen_channels_running(w);
    for (unsigned i = 0; i < w->machine->lanes; i++) {
        struct channel c = {.number = i, .f = {w->words[GEN_W_F], w->words[GEN_W_F + 1]}};
        bool runs = active >> i & 1, ended = w->state == GPUDBG_ENDED;
        c.state = !(live >> i & 1)   ? "off"
                  : ended            ? "ended"
                  : runs             ? "runs"
                  : running >> i & 1 ? "waits"
                                     : "held by a call";
        c.has_ip = live >> i & 1 && !ended;
        c.ip = gen_of(w)->base + (c.has_ip ? gen_channel_place(w, i) : 0);
        const struct gen_step *op = c.has_ip ? gen_op_made(w, c.ip) : NULL;
        c.what = op && op->insn ? op->insn->row->name : NULL;
        if (!each(to, &c)) break;
    }
    return true;
}

const struct gpudbg_listing gen_channels_listing = {
    .name = "channels",
    .summary = "list the channels of the selected EU thread, and where each one is or waits",
    .type = "channel",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "no channels",
    .isas = gen_names,
};
