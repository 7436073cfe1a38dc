/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that share memory: matmul.cl, reduce.cl, scan.cl, histogram.cl, atomics.cl, bitonic.cl,
 * floyd_warshall.cl, mesa.cl. */
#include "reference.h"

#include <stdlib.h>

static void matmul(const struct host_run *run)
{
    float *c = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t row = 0; row < n; row++) {
        for (size_t col = 0; col < n; col++) {
            float sum = 0;
            for (size_t k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
            c[row * n + col] = sum;
        }
    }
}

static void reduce_uint4(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    size_t each = ref_group(run) * 2, groups = ref_items(run) / ref_group(run);
    memset(out, 0, groups * 16);
    for (size_t i = 0; i < groups * each; i++)
        for (size_t c = 0; c < 4; c++) out[i / each * 4 + c] += in[i * 4 + c];
}

/* The order of the sums is part of the answer: halves onto each other. */
static void reduce_f32(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *in = ref_buffer(run, 1), part[128];
    for (size_t group = 0; group < ref_items(run) / 128; group++) {
        memcpy(part, in + group * 128, sizeof part);
        for (size_t s = 64; s; s /= 2)
            for (size_t l = 0; l < s; l++) part[l] += part[l + s];
        out[group] = part[0];
    }
}

static void reduce_max(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_integer(run, 2); i++)
        if (in[i] > *out) *out = in[i];
}

static void scan_inclusive(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) out[i] = in[i] + (i % ref_group(run) ? out[i - 1] : 0);
}

static void scan_exclusive(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *sums = ref_buffer(run, 1), *in = ref_buffer(run, 2);
    for (size_t i = 0; i < ref_items(run) * 2; i++) {
        if (i % 256 == 0) sums[i / 256] = 0;
        out[i] = sums[i / 256];
        sums[i / 256] += in[i];
    }
}

static void histogram(const struct host_run *run)
{
    uint32_t *bins = ref_buffer(run, 0);
    uint8_t *data = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_integer(run, 2); i++) bins[data[i]]++;
}

/* One 32-bit atomic each, in the order of the kernels' rows; returns the new value. */
static uint32_t step32(unsigned row, uint32_t old, uint32_t x)
{
    switch (row) {
    case 0: return old + x;
    case 1: return old - x;
    case 2: return old + 1;
    case 3: return old - 1;
    case 4: return old & (x | 0xff);
    case 5: return old | (x & 0xf0f0f0f0);
    case 6: return old ^ x;
    case 7: return old < x ? old : x;
    case 8: return old > x ? old : x;
    case 9: return (int32_t)old < (int32_t)x ? old : x;
    case 10: return (int32_t)old > (int32_t)x ? old : x;
    default: return float_bits(bits_float(old) + (float)(x & 0xff));
    }
}

static void atomics_shared(const struct host_run *run)
{
    uint32_t *sum = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++)
        for (unsigned row = 0; row < 12; row++) sum[row] = step32(row, sum[row], in[i]);
}

static void atomics_local(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    static const uint32_t first[12] = {[4] = UINT32_MAX, [7] = UINT32_MAX, [9] = INT32_MAX, [10] = 0x80000000};
    for (size_t i = 0; i < ref_items(run); i++) {
        uint32_t *sum = out + i / ref_group(run) * 12;
        if (i % ref_group(run) == 0) memcpy(sum, first, sizeof first);
        for (unsigned row = 0; row < 12; row++) sum[row] = step32(row, sum[row], in[i]);
    }
}

static void atomics_own(const struct host_run *run)
{
    uint32_t *slot = ref_buffer(run, 0), *old = ref_buffer(run, 1), *in = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint32_t x = in[i], s[14];
        for (unsigned r = 0; r < 14; r++) old[r * n + i] = s[r] = slot[r * n + i];
        uint32_t now[14] = {
            s[0] + x,
            s[1] - x,
            x,
            s[3] + 1,
            s[4] - 1,
            x & 1 || s[5] == x ? ~x : s[5],
            s[6] & x,
            s[7] | x,
            s[8] ^ x,
            s[9] < x ? s[9] : x,
            s[10] > x ? s[10] : x,
            (int32_t)s[11] < (int32_t)x ? s[11] : x,
            (int32_t)s[12] > (int32_t)x ? s[12] : x,
            float_bits(1.5f),
        };
        for (unsigned r = 0; r < 14; r++) slot[r * n + i] = now[r];
    }
}

static void atomics_tickets(const struct host_run *run)
{
    uint32_t *ticket = ref_buffer(run, 0), *chain = ref_buffer(run, 1), *counter = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < n; i++) {
        ticket[i] = (*counter)++;
        chain[i] = chain[n];
        chain[n] = (uint32_t)i;
    }
}

static uint64_t step64(unsigned row, uint64_t old, uint64_t x)
{
    switch (row) {
    case 0: return old + x;
    case 1: return old - x;
    case 2: return old + 1;
    case 3: return old - 1;
    case 4: return old & (x | 0xffff);
    case 5: return old | (x & 0xf0f0f0f0f0f0f0f0);
    case 6: return old ^ x;
    case 7: return old < x ? old : x;
    case 8: return old > x ? old : x;
    case 9: return (int64_t)old < (int64_t)x ? old : x;
    case 10: return (int64_t)old > (int64_t)x ? old : x;
    default: return old + (x & 0xffff) * 0x100000001;
    }
}

static void atomics_shared64(const struct host_run *run)
{
    uint64_t *sum = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++)
        for (unsigned row = 0; row < 12; row++) sum[row] = step64(row, sum[row], in[i]);
}

static void atomics_local64(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    static const unsigned rows[6] = {0, 6, 8, 7, 4, 11};
    for (size_t i = 0; i < ref_items(run); i++) {
        uint64_t *sum = out + i / ref_group(run) * 6;
        for (unsigned r = 0; r < 6; r++) {
            if (i % ref_group(run) == 0) sum[r] = r == 3 || r == 4 ? UINT64_MAX : 0;
            sum[r] = step64(rows[r], sum[r], in[i]);
        }
    }
}

static void atomics_own64(const struct host_run *run)
{
    uint64_t *slot = ref_buffer(run, 0), *old = ref_buffer(run, 1), *in = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint64_t x = in[i], s[11];
        for (unsigned r = 0; r < 11; r++) old[r * n + i] = s[r] = slot[r * n + i];
        uint64_t now[11] = {
            s[0] + x,
            s[1] - x,
            x,
            x & 1 || s[3] == x ? ~x : s[3],
            s[4] & x,
            s[5] | x,
            s[6] ^ x,
            s[7] < x ? s[7] : x,
            s[8] > x ? s[8] : x,
            (int64_t)s[9] < (int64_t)x ? s[9] : x,
            (int64_t)s[10] > (int64_t)x ? s[10] : x,
        };
        for (unsigned r = 0; r < 11; r++) slot[r * n + i] = now[r];
    }
}

struct pair {
    uint32_t key;
    uint16_t value;
};

static int by_key(const void *a, const void *b)
{
    uint32_t x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
    return (x > y) - (x < y);
}

/* The keys of the test are all different, so their order fixes the values' too. */
static void bitonic_sort(const struct host_run *run)
{
    uint32_t *keys = ref_buffer(run, 0);
    uint16_t *values = ref_buffer(run, 1);
    size_t each = ref_group(run) * 2;
    struct pair *pairs = malloc(each * sizeof *pairs);
    for (size_t base = 0; pairs && base < ref_items(run) * 2; base += each) {
        for (size_t k = 0; k < each; k++) pairs[k] = (struct pair){keys[base + k], values[base + k]};
        qsort(pairs, each, sizeof *pairs, by_key);
        for (size_t k = 0; k < each; k++) {
            keys[base + k] = pairs[k].key;
            values[base + k] = pairs[k].value;
        }
    }
    free(pairs);
}

static void mesa_scale(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1), factor = (uint32_t)ref_integer(run, 2);
    for (size_t i = 0; i < ref_integer(run, 3); i++) out[i] = in[i] * factor + (uint32_t)(i % 64);
}

static void mesa_groups(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) out[i / 64] += in[i];
}

static void mesa_table(const struct host_run *run)
{
    static const uint32_t primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) out[i] = primes[in[i] % 8] * primes[i % 8];
}

/* Ways over point k; `path` may be NULL. */
static void over(uint32_t *dist, uint32_t *path, size_t n, size_t k)
{
    for (size_t i = 0; i < n * n; i++) {
        uint32_t around = dist[i / n * n + k] + dist[k * n + i % n];
        if (around < dist[i]) {
            dist[i] = around;
            if (path) path[i] = (uint32_t)k;
        }
    }
}

static void floyd_pass(const struct host_run *run)
{
    over(ref_buffer(run, 0), ref_buffer(run, 1), ref_integer(run, 2), ref_integer(run, 3));
}

static void floyd_group(const struct host_run *run)
{
    size_t n = ref_integer(run, 1);
    for (size_t k = 0; k < n; k++) over(ref_buffer(run, 0), NULL, n, k);
}

const struct reference reference_memory[] = {
    {"matmul", matmul},
    {"matmul_naive", matmul},
    {"matmul_dynamic", matmul},
    {"reduce_uint4", reduce_uint4},
    {"reduce_f32", reduce_f32},
    {"reduce_max", reduce_max},
    {"scan_inclusive", scan_inclusive},
    {"scan_exclusive", scan_exclusive},
    {"histogram", histogram},
    {"atomics_shared", atomics_shared},
    {"atomics_own", atomics_own},
    {"atomics_tickets", atomics_tickets},
    {"atomics_local", atomics_local},
    {"atomics_shared64", atomics_shared64},
    {"atomics_own64", atomics_own64},
    {"atomics_local64", atomics_local64},
    {"bitonic_sort", bitonic_sort},
    {"floyd_pass", floyd_pass},
    {"floyd_group", floyd_group},
    {"mesa_scale", mesa_scale},
    {"mesa_groups", mesa_groups},
    {"mesa_table", mesa_table},
    {NULL, NULL},
};
