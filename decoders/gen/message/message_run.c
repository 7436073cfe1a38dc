/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_run.c: send: the payload is gathered, the shared function serves it, the answer goes to the registers. */
#include "message/message_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "code/footprint.h"
#include "code/message.h"
#include "message/quick.h"
#include "message/trace.h"

enum { GATEWAY = 3, RENDER_CACHE = 5, URB = 6 };

/* ---- Taking it apart ---- */

static uint32_t a0_dword(const struct gpudbg_wave *w, unsigned word) { return w->words[GEN_W_A0 + word / 2]; }

/* Registers [reg, reg + n) of a payload operand; null has none. */
static bool gather(struct gen_message *m, const struct gen_operand *o, unsigned n, unsigned at)
{
    bool grf = o->mode != GEN_ABSENT && o->file == GEN_GRF;
    if (!n || !grf) return !n;
    const unsigned shift = o->addr_sub & 1 ? 16 : 0, mask = gen_of(m->wave)->eu->address_mask;
    unsigned reg = o->reg;
    if (o->mode == GEN_INDIRECT) {
        const uint32_t base = a0_dword(m->wave, o->addr_sub) >> shift & mask;
        reg = (uint32_t)((int32_t)base + o->addr_imm) / 32;
    }
    if (reg + n > gen_of(m->wave)->grfs || at + n > GEN_PAYLOAD_REGISTERS) return false;
    memcpy(m->payload[at], gen_grf(m->wave) + 32 * reg, n * 32);
    return true;
}

static const struct gen_step *bad_registers(
    struct gpudbg_wave *w, const struct gen_step *op, const char *what, unsigned n)
{
    return GEN_FAULT(w, op, -1, "%s: its %s of %u registers is not within r0 to r%u", op->insn->row->name, what, n,
        gen_of(w)->grfs - 1);
}

/* Registers of the second payload; ex_desc: the value, also if it is in a register. */
static unsigned second_length(const struct gen_insn *insn, uint32_t ex_desc)
{
    return gen_field(insn->ex_bso ? insn->ex_desc : ex_desc, 5u + insn->eu->second_bits, 6);
}

/* The shared function.  Before Gen12 an extended descriptor in a register has it, too: bits 3:0.  Source: Mesa,
 * brw_send_indirect_split_message. */
static unsigned function_of(const struct gen_insn *insn, uint32_t ex_desc)
{
    return insn->ex_desc_is_reg && !insn->eu->two_payloads ? ex_desc & 15 : insn->sfid;
}

/* NULL: it can be sent. */
static const struct gen_step *take_apart(struct gen_message *m, const struct gen_step *op, bool *good)
{
    const struct gen_insn *insn = op->insn;
    struct gpudbg_wave *w = m->wave;
    const bool two = gen_is_split(insn);
    m->insn = insn;
    m->desc = insn->desc_is_reg ? a0_dword(w, insn->desc_reg) & insn->eu->descriptor_mask : insn->desc;
    m->ex_desc = insn->ex_desc_is_reg ? a0_dword(w, insn->ex_desc_reg) : insn->ex_desc;
    m->sfid = function_of(insn, m->ex_desc);
    m->mlen = gen_field(m->desc, 28, 25);
    m->rlen = gen_field(m->desc, 24, 20);
    m->header = m->desc >> 19 & 1 && !gen_is_lsc(insn->eu, m->sfid);
    m->ex_mlen = two ? second_length(insn, m->ex_desc) : 0;
    m->have = m->mlen + m->ex_mlen;
    m->has_dst = insn->dst.mode == GEN_DIRECT && insn->dst.file == GEN_GRF;
    m->dst = insn->dst.reg;
    *good = false;
    if (!gather(m, &insn->src[0], m->mlen, 0)) return bad_registers(w, op, "payload", m->mlen);
    if (two && !gather(m, &insn->src[1], m->ex_mlen, m->mlen))
        return bad_registers(w, op, "second payload", m->ex_mlen);
    if (m->rlen > (gen_is_lsc(insn->eu, m->sfid) ? 31u : 16u) ||
        (m->has_dst && m->rlen && m->dst + m->rlen > gen_of(w)->grfs))
        return bad_registers(w, op, "answer", m->rlen);
    *good = true;
    return NULL;
}

/* The registers that an indirect destination writes, as a0 is now, instead of a destination that is not known. */
static __attribute__((noinline)) const struct gpudbg_insn *actual_destination(
    const struct gpudbg_wave *w, const struct gpudbg_insn *insn, unsigned operand, struct gpudbg_insn *own)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    const struct gen_eu *eu = gen_of(w)->eu;
    const uint32_t a0 = a0_dword(w, x.dst.addr_sub) >> (x.dst.addr_sub & 1 ? 16 : 0);
    const int32_t at = (int32_t)(a0 & eu->address_mask) + x.dst.addr_imm;
    const unsigned step = x.dst.hstride == GEN_RESERVED ? 1 : x.dst.hstride,
                   bytes = ((x.exec_size - 1u) * step + 1) * gen_element_size(eu, &x.dst);
    if (x.dst.mode != GEN_INDIRECT || x.dst.vx || at < 0 || (uint32_t)at + bytes > gen_grf_bytes(w)) return insn;
    *own = *insn;
    own->operands[operand].kind = GPUDBG_REGISTER;
    own->operands[operand].reg = (uint16_t)(at / 32);
    own->operands[operand].count = (uint16_t)((unsigned)at % 32 + bytes + 31) / 32;
    return own;
}

/* How many registers a message whose descriptor is in a0 sends and gets. */
static void actual_lengths(
    struct gpudbg_insn *own, const struct gen_insn *x, unsigned grfs, uint32_t desc, uint32_t ex_desc)
{
    const unsigned sent[2] = {gen_field(desc, 28, 25), second_length(x, ex_desc)};
    unsigned reads = 0;
    for (unsigned i = 0; i < own->noperands; i++) {
        struct gpudbg_operand *o = &own->operands[i];
        if (o->kind != GPUDBG_REGISTER || o->file != GEN_GRF) continue;
        const unsigned n = o->flags & GPUDBG_WRITE               ? gen_field(desc, 24, 20)
                           : reads < (gen_is_split(x) ? 2u : 1u) ? sent[reads++]
                                                                 : 0;
        if (n && o->reg + n <= grfs) o->count = (uint16_t)n;
    }
}

/* A message that takes its descriptor from a0. */
static __attribute__((noinline)) const struct gpudbg_insn *actual_message(
    struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct gpudbg_insn *own)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    if (!x.desc_is_reg && !x.ex_desc_is_reg) return insn;
    *own = *insn;
    const uint32_t desc = x.desc_is_reg ? a0_dword(w, x.desc_reg) : x.desc,
                   ex_desc = x.ex_desc_is_reg ? a0_dword(w, x.ex_desc_reg) : x.ex_desc;
    own->does |= gen_message_does(gen_of(w)->eu, function_of(&x, ex_desc), desc);
    actual_lengths(own, &x, gen_of(w)->grfs, desc, ex_desc);
    return own;
}

const struct gpudbg_insn *gen_actual(struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct gpudbg_insn *own)
{
    if (!(insn->op->flags & GPUDBG_OP_MESSAGE)) {
        /* An indirect destination comes behind its address register, which comes first. */
        const struct gpudbg_operand *to = &insn->operands[1];
        const bool indirect = insn->noperands > 1 && to->kind == GPUDBG_SPECIAL && to->flags & GPUDBG_WRITE;
        return indirect ? actual_destination(w, insn, 1, own) : insn;
    }
    return insn->does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE) ? insn : actual_message(w, insn, own);
}

bool gen_needs(struct gen_message *m, unsigned registers)
{
    if (registers <= m->have) return true;
    gpudbg_fault(m->wave, -1, "the payload has %u register%s, the message takes %u", m->have, m->have == 1 ? "" : "s",
        registers);
    return false;
}

/* ---- Serving ---- */

static enum gen_run run_of(const struct gen_insn *insn)
{
    const struct gen_request *r = insn->desc_is_reg ? NULL : gen_request_of(insn->eu, insn->sfid, insn->desc);
    return r ? r->run : GEN_RUN_NOTHING;
}

bool gen_is_signal(const struct gen_insn *insn) { return run_of(insn) == GEN_RUN_BARRIER; }

bool gen_is_end(const struct gen_insn *insn) { return run_of(insn) == GEN_RUN_END; }

bool gen_is_part_barrier(const struct gpudbg_wave *w, uint32_t request)
{
    const struct gen_eu *eu = gen_of(w)->eu;
    const unsigned threads = w->machine->waves_per_group;
    if (!eu->named_barriers) return request >> 15 & 1 && gen_field(request, 14, eu->barrier_count_at) != threads;
    const unsigned consumers = request >> 24, producers = request >> 16 & 255;
    return request & 0xc0ff || (consumers | producers && (consumers != threads || producers != threads));
}

static enum gen_served serve_barrier(struct gen_message *m)
{
    if (!gen_needs(m, 1)) return GEN_FAULTED;
    if (gen_is_part_barrier(m->wave, m->payload[0][2])) {
        gpudbg_fault(m->wave, -1, "barrier 0x%08x: not implemented, it is not one of all %u threads of the group",
            m->payload[0][2], m->wave->machine->waves_per_group);
        return GEN_FAULTED;
    }
    m->wave->words[GEN_W_SIGNALS]++;
    return GEN_SERVED;
}

static enum gen_served serve(struct gen_message *m)
{
    const struct gen_request *r = gen_request_of(m->insn->eu, m->sfid, m->desc);
    if (!m->sfid) return GEN_SERVED; /* the null function */
    switch (r ? r->run : GEN_RUN_NOTHING) {
    case GEN_RUN_NOTHING: return gen_needs(m, m->header) ? GEN_UNKNOWN : GEN_FAULTED;
    case GEN_RUN_SAMPLER: return gen_sampler(m);
    case GEN_RUN_URB: return gen_urb(m);
    case GEN_RUN_END: return GEN_SERVED;
    case GEN_RUN_BARRIER: return serve_barrier(m);
    default: return gen_data_port(m, r);
    }
}

/* Messages that leave the thread for good are events: they are few, and the purpose of a shader. */
static bool is_event(const struct gen_message *m)
{
    bool target = m->sfid == RENDER_CACHE && gen_field(m->desc, 17, 14) == 12;
    return m->sfid == URB || target;
}

static void write_answer(const struct gen_message *m)
{
    for (unsigned r = 0; m->has_dst && r < m->rlen && r < GEN_ANSWER_REGISTERS; r++) {
        uint8_t *to = gen_grf(m->wave) + 32 * (m->dst + r);
        const uint8_t *from = (const uint8_t *)m->result[r];
        for (unsigned i = 0; i < 32; i += 4) {
            const unsigned bytes = m->written[r] >> i & 15;
            if (bytes == 15) memcpy(to + i, from + i, 4);
            for (unsigned b = 0; bytes != 15 && b < 4; b++)
                if (bytes >> b & 1) to[i + b] = from[i + b];
        }
    }
}

static const struct gen_step *unknown(const struct gen_message *m, const struct gen_step *op)
{
    char text[200];
    gen_message_text(op->insn, text, sizeof text);
    return GEN_FAULT(m->wave, op, -1, "%s, descriptor 0x%08x: not implemented", text, m->desc);
}

void gen_send_probe(struct gpudbg_wave *w, const struct gen_step *op, struct gpudbg_checks *checks)
{
    const struct gpudbg_stop stop = w->machine->stop; /* a message that cannot be sent is reported when it is sent */
    struct gen_message m = {.wave = w, .lanes = gen_mask(w, op->insn) & gen_pass_mask(w, op->insn), .probe = checks};
    bool good = false;
    if (m.lanes) take_apart(&m, op, &good);
    if (good && m.sfid != GATEWAY) serve(&m);
    w->machine->stop = stop;
}

const struct gen_step *gen_send(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_insn *insn = op->insn;
    struct gen_message m;
    bool good;
    m.wave = w;
    m.probe = NULL;
    m.lanes = gen_mask(w, insn) & gen_pass_mask(w, insn);
    if (!m.lanes && !(insn->eot && !insn->pred)) return gen_next(op);
    memset(m.written, 0, sizeof m.written);
    const struct gen_step *bad = take_apart(&m, op, &good);
    if (!good) return bad;
    gen_sync(w, op);
    enum gen_served served = serve(&m);
    if (served == GEN_UNKNOWN) return unknown(&m, op);
    if (served == GEN_FAULTED) return gen_stop(w, GPUDBG_RAN_FAULT);
    write_answer(&m);
    if (gen_of(w)->trace) gen_trace_add(&m);
    bool event = is_event(&m);
    if (event) {
        char text[200];
        gen_message_text(insn, text, sizeof text);
        gpudbg_event_data(w, "eu-message", m.payload, (m.mlen + m.ex_mlen) * 32, "%s", text);
    }
    if (insn->eot) {
        w->state = GPUDBG_ENDED;
        return gen_leave(w, op, GPUDBG_RAN_END);
    }
    if (w->machine->watch_hit) return gen_leave(w, op, GPUDBG_RAN_WATCH);
    return event ? gen_leave(w, op, GPUDBG_RAN_EVENT) : gen_next(op);
}
