/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_simd.c: see struct gen_lane_handlers in quick.h. */
#include "message/quick.h"
#include "alu/channel_ops.h"
#include "alu/vectors.h"

/* The most frequent offsets of the lanes: dword after dword, one place for all, or four dwords after four. */
#define STEPS_OF_4_8                \
    {                               \
        0, 4, 8, 12, 16, 20, 24, 28 \
    }
#define STEPS_OF_4_16                                               \
    {                                                               \
        0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60 \
    }

/* Lanes of the message that take part. */
static inline uint32_t taking_part(const struct gpudbg_wave *w, const struct gen_quick *q)
{
    if (q->need && (w->words[GEN_W_ACTIVE] & q->need) == q->need) return q->lanes;
    return gen_gate_runs(&q->gate, w) & gen_gate_passes(&q->gate, w) & q->lanes;
}

/* The segment, if accesses of q's size can be inside and 32 bits can hold their places; else NULL. */
static inline struct gpudbg_segment *segment_of(
    const struct gpudbg_wave *w, const struct gen_quick *q, uint32_t refused, uint32_t *most)
{
    struct gpudbg_segment *s = q->local ? w->lds : q->segment;
    if (!s || gen_of(w)->trace || s->flags & refused || s->size < q->span || s->size > UINT32_MAX) return NULL;
    *most = (uint32_t)s->size - q->span;
    return s;
}

static inline uint32_t dword_at(const uint8_t *bytes)
{
    uint32_t v;
    memcpy(&v, bytes, 4);
    return v;
}

/* Sets `is` to whether the condition holds for an element. */
#define ANY(n, is, condition)                 \
    do {                                      \
        const row##n m = (row##n)(condition); \
        is = bits##n(&m);                     \
    } while (0)

/* ---- Reading ---- */

#define AT(i) dword_at(bytes + offset[i])
#define GATHERED_8                                             \
    {                                                          \
        AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7) \
    }
#define GATHERED_16                                                                                                   \
    {                                                                                                                 \
        AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7), AT(8), AT(9), AT(10), AT(11), AT(12), AT(13), AT(14), \
            AT(15)                                                                                                    \
    }

/* Moves four dwords a lane, consecutive in memory, to four rows. */
#define APART_4(n)                                                            \
    static inline void apart_##n(uint32_t *to, const uint8_t *bytes)          \
    {                                                                         \
        uint32_t from[4 * n];                                                 \
        memcpy(from, bytes, sizeof from);                                     \
        for (unsigned e = 0; e < 4; e++)                                      \
            for (unsigned i = 0; i < n; i++) to[e * n + i] = from[4 * i + e]; \
    }
APART_4(8)
APART_4(16)

/* Places of any kind, and some lanes alone: these have been found to be in the segment. */
#define READ_APART(n)                                                                                         \
    static __attribute__((noinline)) const struct gen_step *read_apart_##n(                                   \
        uint32_t *to, const uint8_t *bytes, const uint32_t *offset, uint32_t mask, const struct gen_step *op) \
    {                                                                                                         \
        const row##n in = MASK##n(mask);                                                                      \
        for (unsigned e = 0; e < op->quick->message.count; e++, bytes += 4, to += n) {                        \
            const row##n values = GATHERED_##n;                                                               \
            *(row##n *)to = (values & in) | (*(row##n *)to & ~in);                                            \
        }                                                                                                     \
        return op->next;                                                                                      \
    }
READ_APART(8)
READ_APART(16)

#define READ(n)                                                                                     \
    static const struct gen_step *read_##n(struct gpudbg_wave *w, const struct gen_step *op)        \
    {                                                                                               \
        const struct gen_quick *q = op->quick;                                                      \
        const uint32_t mask = taking_part(w, q), all = gen_ones(n), count = q->message.count;       \
        uint32_t *to = w->words + q->answer, offset[n], most, apart;                                \
        const struct gpudbg_segment *s = segment_of(w, q, GPUDBG_SEG_RWATCH, &most);                \
        row##n v = *(const row##n *)(w->words + q->address);                                        \
        if (!mask) return op->next;                                                                 \
        if (!s) return gen_quick_send(w, op);                                                       \
        const uint32_t first = w->words[q->address + (unsigned)__builtin_ctz(mask)];                \
        if (mask != all) v = (v & MASK##n(mask)) | (first & ~MASK##n(mask));                        \
        ANY(n, apart, v > most);                                                                    \
        if (apart) return gen_quick_send(w, op);                                                    \
        const uint8_t *from = s->bytes + first;                                                     \
        const row##n distance = v - first;                                                          \
        if (mask == all) {                                                                          \
            ANY(n, apart, distance != (row##n)STEPS_OF_4_##n);                                      \
            for (unsigned e = 0; !apart && e < count; e++) memcpy(to + e * n, from + 4 * e, 4 * n); \
            if (!apart) return op->next;                                                            \
            ANY(n, apart, distance != 0);                                                           \
            for (unsigned e = 0; !apart && e < count; e++)                                          \
                *(row##n *)(to + e * n) = (row##n){0} + dword_at(from + 4 * e);                     \
            if (!apart) return op->next;                                                            \
            ANY(n, apart, distance != (row##n)STEPS_OF_4_##n * 4);                                  \
            if (!apart && count == 4) return apart_##n(to, from), op->next;                         \
        }                                                                                           \
        *(row##n *)offset = v;                                                                      \
        return read_apart_##n(to, s->bytes, offset, mask, op);                                      \
    }
READ(8)
READ(16)

/* ---- Writing ---- */

/* Moves four rows to four dwords a lane, consecutive in memory. */
#define TOGETHER_4(n)                                                         \
    static inline void together_##n(uint8_t *bytes, const uint32_t *from)     \
    {                                                                         \
        uint32_t to[4 * n];                                                   \
        for (unsigned i = 0; i < n; i++)                                      \
            for (unsigned e = 0; e < 4; e++) to[4 * i + e] = from[e * n + i]; \
        memcpy(bytes, to, sizeof to);                                         \
    }
TOGETHER_4(8)
TOGETHER_4(16)

/* Dwords at offsets; if lanes have the same place, the last one counts. */
static inline void scatter(uint8_t *bytes, const uint32_t *offset, const uint32_t *from, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        const unsigned i = (unsigned)__builtin_ctz(mask);
        memcpy(bytes + offset[i], from + i, 4);
    }
}

/* Some dwords of a row. */
#if defined(__AVX512VL__)
static inline void store_some8(uint8_t *to, const uint32_t *from, uint32_t mask)
{
    _mm256_mask_storeu_epi32(to, (__mmask8)mask, _mm256_loadu_si256((const void *)from));
}
static inline void store_some16(uint8_t *to, const uint32_t *from, uint32_t mask)
{
    _mm512_mask_storeu_epi32(to, (__mmask16)mask, _mm512_loadu_si512((const void *)from));
}
#else
static inline void store_some8(uint8_t *to, const uint32_t *from, uint32_t mask)
{
    for (; mask; mask &= mask - 1) memcpy(to + 4 * __builtin_ctz(mask), from + __builtin_ctz(mask), 4);
}
#define store_some16 store_some8
#endif

#define WRITE(n)                                                                                                       \
    static const struct gen_step *write_##n(struct gpudbg_wave *w, const struct gen_step *op)                          \
    {                                                                                                                  \
        const struct gen_quick *q = op->quick;                                                                         \
        const uint32_t mask = taking_part(w, q), all = gen_ones(n), count = q->message.count, last = q->span - 1u;     \
        const uint32_t *from = w->words + q->data;                                                                     \
        uint32_t offset[n], most, apart;                                                                               \
        const struct gpudbg_segment *s = segment_of(w, q, GPUDBG_SEG_READONLY, &most);                                 \
        row##n v = *(const row##n *)(w->words + q->address);                                                           \
        if (!mask) return op->next;                                                                                    \
        if (!s) return gen_quick_send(w, op);                                                                          \
        const unsigned lane = (unsigned)__builtin_ctz(mask);                                                           \
        const uint32_t first = w->words[q->address + lane];                                                            \
        if (mask != all) v = (v & MASK##n(mask)) | (first & ~MASK##n(mask));                                           \
        ANY(n, apart, (row##n)(v > most) | (row##n)((((v ^ first) | ((v + last) ^ first)) >> GPUDBG_PAGE_BITS) != 0)); \
        if (apart || s->page[first >> GPUDBG_PAGE_BITS] != w->machine->stamp) return gen_quick_send(w, op);            \
        /* If lane 0 takes no part, its place is only a base. */                                                       \
        uint8_t *line = (uint8_t *)((uintptr_t)s->bytes + first - 4 * (uintptr_t)lane);                                \
        ANY(n, apart, (row##n)(v - first + 4 * lane != (row##n)STEPS_OF_4_##n) & MASK##n(mask));                       \
        for (unsigned e = 0; !apart && e < count; e++)                                                                 \
            if (mask == all)                                                                                           \
                memcpy(line + 4 * e, from + e * n, 4 * n);                                                             \
            else                                                                                                       \
                store_some##n(line + 4 * e, from + e * n, mask);                                                       \
        if (!apart) return op->next;                                                                                   \
        if (count == 4 && mask == all) {                                                                               \
            ANY(n, apart, v - first != (row##n)STEPS_OF_4_##n * 4);                                                    \
            if (!apart) return together_##n(line, from), op->next;                                                     \
        }                                                                                                              \
        *(row##n *)offset = v;                                                                                         \
        for (unsigned e = 0; e < count; e++) scatter(s->bytes + 4 * e, offset, from + e * n, mask);                    \
        return op->next;                                                                                               \
    }
WRITE(8)
WRITE(16)

#define HANDLERS_(n) gen_lane_handlers_##n
#define HANDLERS(n) HANDLERS_(n)

const struct gen_lane_handlers HANDLERS(SIMD) = {.read = {read_8, read_16}, .write = {write_8, write_16}};
