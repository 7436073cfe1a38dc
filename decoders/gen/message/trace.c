/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c: the listing of messages: each is listed when a rerun comes to it, so messages need not be kept. */
#include "message/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
    uint64_t pc;
    uint32_t wave, desc, ex_desc;
    uint8_t sfid;
    const struct gen_eu *eu;
    uint32_t size;
    char text[120];
    const uint8_t *payload;
};

struct gen_trace {
    gpudbg_row_fn *each;
    void *to;
    bool watching; /* and rows are still wanted */
};

void gen_trace_add(const struct gen_message *m)
{
    const struct gen *g = gen_of(m->wave);
    struct gen_trace *t = g->trace;
    if (!t->watching) return;
    struct record r = {.pc = m->wave->pc,
        .wave = m->wave->id,
        .desc = m->desc,
        .ex_desc = m->ex_desc,
        .sfid = (uint8_t)m->sfid,
        .eu = g->eu,
        .size = (m->mlen + m->ex_mlen) * 32,
        .payload = (const uint8_t *)m->payload};
    if (!gen_is_split(m->insn)) r.ex_desc = m->sfid | (m->insn->eot ? 0x20u : 0);
    gen_message_text(m->insn, r.text, sizeof r.text);
    t->watching = t->each(t->to, &r);
}

/* ---- Columns ---- */

static int wave_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct record *)row)->wave);
}

static int pc_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct record *)row)->pc);
}

/* The manuals' names, without their "SFID_". */
static int sfid_cell(const void *row, char *buf, size_t size)
{
    const struct record *r = row;
    const char *name = r->eu->sfid[GEN_SFID_MANUAL][r->sfid & 15];
    return name ? snprintf(buf, size, "%s", name) : snprintf(buf, size, "%u", r->sfid);
}

static int desc_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%x", ((const struct record *)row)->desc);
}

static int ex_desc_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%x", ((const struct record *)row)->ex_desc);
}

static int text_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct record *)row)->text);
}

static int payload_cell(const void *row, char *buf, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const struct record *r = row;
    size_t n = 0;
    for (uint32_t i = 0; i < r->size; i++, n += 2)
        if (n + 3 <= size) {
            buf[n] = digits[r->payload[i] >> 4];
            buf[n + 1] = digits[r->payload[i] & 15];
            buf[n + 2] = 0;
        }
    if (!r->size && size) buf[0] = 0;
    return (int)n;
}

static const struct gpudbg_column columns[] = {
    {"wave", "wave", 0, GPUDBG_COUNT, wave_cell},
    {"pc", "pc", 0, GPUDBG_ADDRESS, pc_cell},
    {"sfid", "sfid", 0, GPUDBG_NAME, sfid_cell},
    {"desc", "desc", 0, GPUDBG_HEXVALUE, desc_cell},
    {"exdesc", "exdesc", 0, GPUDBG_HEXVALUE, ex_desc_cell},
    {"text", "message", 0, GPUDBG_NOTE, text_cell},
    {"payload", "payload", 0, GPUDBG_PLAIN, payload_cell},
};

static bool rows(struct gpudbg *session, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = gpudbg_session_machine(session);
    struct gen_trace trace = {.each = each, .to = to};
    (void)args;
    if (!m) return gpudbg_fail(err, "no-launch", "nothing is launched");
    struct gen *g = m->runner;
    g->trace = &trace;
    bool good = gpudbg_rerun(session, &trace.watching, err);
    g->trace = NULL;
    return good;
}

const struct gpudbg_listing gen_messages = {
    .name = "messages",
    .summary = "list what waves sent: messages of AMD waves (geometry, interrupts) and of EU threads",
    .type = "message",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "no messages",
    .isas = gen_names,
};
