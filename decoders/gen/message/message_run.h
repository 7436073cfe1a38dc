/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message_run.h: a message being sent.  message_run.c takes it apart and finds its server; dataport.c serves memory,
 * sampler.c the sampler, urb.c the URB.
 *
 * A server returns what happened.  It checks everything before it changes anything, so that a message that faults
 * leaves memory and registers as they were.
 */
#ifndef GEN_MESSAGE_RUN_H
#define GEN_MESSAGE_RUN_H

#include "engine/gen_exec.h"
#include "message/gen_setup.h"

#define GEN_PAYLOAD_REGISTERS 48u
#define GEN_ANSWER_REGISTERS 32u

enum gen_served {
    GEN_SERVED,  /* done */
    GEN_FAULTED, /* machine->stop says why */
    GEN_UNKNOWN, /* none of the messages this machine serves */
};

struct gen_message {
    struct gpudbg_wave *wave;
    const struct gen_insn *insn;
    uint32_t desc, ex_desc;
    unsigned sfid, mlen, ex_mlen, rlen, dst;
    unsigned have; /* registers of the payload, both parts */
    bool header, has_dst;
    struct gpudbg_checks *probe; /* not NULL: memory stays as it is; accesses outside of surfaces are reported here */
    uint32_t lanes;              /* bit i: channel i of the instruction takes part */
    uint32_t payload[GEN_PAYLOAD_REGISTERS][8]; /* both parts, one after the other */
    uint32_t result[GEN_ANSWER_REGISTERS][8];   /* the values for dst, registers 0 to rlen - 1 */
    uint32_t written[GEN_ANSWER_REGISTERS];     /* ... and which of its bytes: a bit each */
};

/* Faults if the payload has fewer registers than its message takes: no manual describes the data after its end.  Before
 * all else. */
bool gen_needs(struct gen_message *, unsigned registers);

/* Dword `lane` of a component of U registers that starts at register `reg` of the payload; 0 after its end. */
static inline uint32_t gen_payload(const struct gen_message *m, unsigned reg, unsigned lane)
{
    unsigned r = reg + lane / 8;
    return r < m->have ? m->payload[r][lane % 8] : 0;
}

static inline uint64_t gen_payload64(const struct gen_message *m, unsigned reg, unsigned lane)
{
    return gen_payload(m, reg, 2 * lane) | (uint64_t)gen_payload(m, reg, 2 * lane + 1) << 32;
}

static inline void gen_answer(struct gen_message *m, unsigned reg, unsigned lane, uint32_t value)
{
    unsigned r = reg + lane / 8;
    if (r < GEN_ANSWER_REGISTERS) {
        m->result[r][lane % 8] = value;
        m->written[r] |= 15u << lane % 8 * 4;
    }
}

/* The same of 1, 2, 4 or 8 bytes at byte `at` of the payload or the answer; they do not cross a register. */
static inline uint64_t gen_payload_bytes(const struct gen_message *m, unsigned at, unsigned size)
{
    uint64_t v = 0;
    if (at / 32 < m->have) memcpy(&v, (const uint8_t *)m->payload[at / 32] + at % 32, size);
    return v;
}

static inline void gen_answer_bytes(struct gen_message *m, unsigned at, uint64_t value, unsigned size)
{
    if (at / 32 >= GEN_ANSWER_REGISTERS) return;
    memcpy((uint8_t *)m->result[at / 32] + at % 32, &value, size);
    m->written[at / 32] |= ((1u << size) - 1) << at % 32;
}

gen_fn gen_send;
gen_fn gen_systolic_pair; /* fused_pair.c: dpasw */
/* A send whose descriptor is in a register, with the memory accesses of the present descriptor: runner->actual. */
const struct gpudbg_insn *gen_actual(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own);
/* Reports the accesses outside of surfaces that a message would make if it were sent now.  Nothing changes. */
void gen_send_probe(struct gpudbg_wave *, const struct gen_step *, struct gpudbg_checks *);

struct gen_request;
enum gen_served gen_data_port(struct gen_message *, const struct gen_request *);
enum gen_served gen_sampler(struct gen_message *);
enum gen_served gen_urb(struct gen_message *);
enum gen_served gen_lsc(struct gen_message *, const struct gen_request *); /* lsc.c */
/* An atomic of floats: maximum, minimum, or compare and write (1, 2, 3). */
uint64_t gen_float_atomic(unsigned op, unsigned type, uint64_t old, uint64_t a, uint64_t b); /* dataport.c */

/* ---- Memory as messages see it ---- */

/* The meaning of a message's addresses. */
struct gen_port {
    unsigned space;
    struct gpudbg_segment *segment; /* NULL: the address says which */
    uint64_t base;                  /* added to addresses */
    uint64_t mask;                  /* applied to them before */
    uint64_t most;                  /* bytes of the thread's scratch space, if that is it */
    bool drops;                     /* outside: reads give 0 and writes are dropped, else they are faults */
};

/* By binding table index.  false: there is no such surface; machine->stop says so. */
bool gen_port_open(struct gen_message *, unsigned bti, struct gen_port *);
/* The thread's scratch space as a surface (own_stateless), if `state` is what r0.5 names it by; else not a port. */
bool gen_port_scratch(const struct gen_message *, uint32_t state, struct gen_port *);
struct gen_port gen_port_a64(void);
/* Faults if [addr, addr + size) cannot be reached. */
bool gen_port_check(
    struct gen_message *, struct gen_port *, uint64_t addr, unsigned size, bool write, int lane); /* size: to 128 */
bool gen_port_read(struct gen_message *, struct gen_port *, uint64_t addr, void *, unsigned size, int lane);
bool gen_port_write(struct gen_message *, struct gen_port *, uint64_t addr, const void *, unsigned size, int lane);
/* An access of the surface's segment that is not inside of it: for `check bounds`. */
void gen_outside(
    const struct gen_message *, const struct gpudbg_segment *, uint64_t offset, unsigned size, bool write, int lane);
/* A surface as it was launched, or NULL. */
const struct gen_surface_state *gen_surface_of(const struct gen_message *, unsigned bti);

#endif
