/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t/data/kernels/vectors.cl, structs.cl, grid.cl, generic.cl, scope.cl and group.cl. */
#include "reference.h"

#include <math.h>

static void vec_swizzle(const struct host_run *run)
{
    float *f = ref_buffer(run, 0);
    uint32_t *t = ref_buffer(run, 1);
    uint8_t *u = ref_buffer(run, 2);
    for (uint32_t i = 0; i < ref_items(run); i++, f += 4, t += 4, u += 16) {
        float x = f[3] + f[0], y = f[2] + f[0];
        float z = y * 2.0f - x, w = f[3] * 2.0f - f[2];
        float turned[4] = {z, x, w, y};
        memcpy(f, turned, sizeof turned);

        uint32_t three[3] = {t[2] * 3 + t[0], t[0] * 3 + i, t[1] * 3 - 1};
        memcpy(t, three, sizeof three);

        uint8_t d[16], old[16];
        for (int k = 0; k < 16; k++) old[k] = d[k] = u[15 - k];
        for (int k = 0; k < 8; k++) d[k] = u[8 + k] ^ old[2 * k + 1];
        d[0] = (uint8_t)(d[0] + u[1]);
        d[10] = (uint8_t)(d[10] + u[2]);
        d[5] = (uint8_t)(d[5] + u[3]);
        memcpy(u, d, 16);
    }
}

static void vec_load_store(const struct host_run *run)
{
    uint8_t *bytes = ref_buffer(run, 0), *in = ref_buffer(run, 2);
    uint32_t *words = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) {
        const uint8_t *a = in + 3 * i, *b = in + 1 + 4 * i, *c = in + 3 + 8 * i, *d = in + 2 + 4 * i;
        uint32_t *o = words + 11 * i;
        for (int k = 0; k < 3; k++) bytes[3 * i + k] = (uint8_t)(a[k] + b[k + 1]);
        memcpy(o, b, 4);
        o[1] = (uint32_t)(d[0] | d[1] << 8);
        o[2] = (uint32_t)(d[2] | d[3] << 8);
        for (int k = 0; k < 4; k++) {
            o[3 + k] = (uint32_t)c[k] * c[4 + k];
            o[7 + k] = (uint32_t)c[2 * k] - c[2 * k + 1];
        }
    }
}

float half_value(uint16_t h)
{
    int e = h >> 10 & 31, m = h & 1023;
    float x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf(1024 + m, e - 25) : ldexpf(m, -24);
    return h >> 15 ? -x : x;
}

/* NaN gives 0x7e00. */
uint16_t half_bits(float x, int direction)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x)) return 0x7e00;
    if (isinf(x)) return sign | 0x7c00;
    double magnitude = fabs((double)x), unit = ldexp(1, -24);
    while (magnitude >= unit * 2048) unit *= 2;
    double units = magnitude / unit, whole = floor(units), rest = units - whole;
    bool away = direction == 0 ? rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0)
                               : rest > 0 && (direction == 1 ? !sign : direction == -1 && sign);
    magnitude = (whole + away) * unit;
    if (magnitude >= 65536.0) {
        bool to_infinity = direction == 0 || (direction == 1 && !sign) || (direction == -1 && sign);
        return sign | (to_infinity ? 0x7c00 : 0x7bff);
    }
    if (magnitude < ldexp(1, -14)) return sign | (uint16_t)(magnitude / ldexp(1, -24));
    int e;
    double mantissa = frexp(magnitude, &e);
    return (uint16_t)(sign | (e + 14) << 10 | ((uint16_t)(mantissa * 2048) & 1023));
}

static void vec_half(const struct host_run *run)
{
    uint16_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 2);
    float *wide = ref_buffer(run, 1), *f = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    static const int directions[5] = {0, 0, -2, 1, -1};
    for (size_t i = 0; i < ref_items(run); i++) {
        wide[i] = half_value(in[i]);
        for (size_t k = 0; k < 5; k++) out[k * n + i] = half_bits(f[i], directions[k]);
    }
}

static void vec_half4(const struct host_run *run)
{
    uint16_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 2);
    float *wide = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run) * 4; i++) {
        wide[i] = half_value(in[i]);
        out[i] = isnan(half_value(in[i ^ 3])) ? 0x7e00 : in[i ^ 3];
    }
}

static void vec_select(const struct host_run *run)
{
    int32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    for (size_t i = 0; i < ref_items(run); i++, a += 4, b += 4, out += 16) {
        int32_t both[8], ones = 0;
        bool any = false, all = true, same = false;
        memcpy(both, a, 16);
        memcpy(both + 4, b, 16);
        for (int k = 0; k < 4; k++) {
            out[k] = a[k] < b[k] ? b[k] : a[k];
            out[4 + k] = a[k] < b[k] ? a[k] : b[k];
            any = any || a[k] > 0;
            all = all && a[k] > 0;
            same = same || a[k] == b[k];
        }
        for (uint32_t y = (uint32_t)a[1]; y; y >>= 1) ones += y & 1;
        int32_t facts[4] = {any, all, same, ones}, picked[4] = {both[7], both[i & 7], both[2], both[a[0] & 7]};
        memcpy(out + 8, facts, 16);
        memcpy(out + 12, picked, 16);
    }
}

static void vec_geometry(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *x = ref_buffer(run, 1), *y = ref_buffer(run, 2);
    for (size_t i = 0; i < ref_items(run); i++, x += 4, y += 4, out += 8) {
        float dot = x[0] * y[0];
        for (int k = 1; k < 4; k++) dot += x[k] * y[k];
        out[0] = dot;
        for (int k = 0; k < 3; k++) out[1 + k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
        for (int k = 0; k < 4; k++) out[4 + k] = fabsf(x[k]) + (x[k] > y[k] ? x[k] : y[k]);
    }
}

/* Offsets of the kernel's structure as OpenCL lays it out: 48 bytes. */
static void struct_by_value(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0), large;
    const uint8_t *p = ref_buffer(run, 1);
    int32_t whole;
    int16_t list[3];
    float vec[4];
    memcpy(&whole, p + 4, 4);
    memcpy(&large, p + 8, 8);
    memcpy(list, p + 16, 6);
    memcpy(vec, p + 32, 16);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint64_t x = large + i * (uint64_t)whole;
        x ^= (uint64_t)(int8_t)p[0] << i % 32;
        x += (uint64_t)list[i % 3] * (uint32_t)(p[22] + ref_integer(run, 2));
        out[i] = x ^ (uint64_t)float_bits(i % 2 ? vec[0] + vec[3] : vec[1] - vec[2]) << 16;
    }
}

static void struct_records(const struct host_run *run)
{
    uint8_t *r = ref_buffer(run, 0);
    uint32_t *sum = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++, r += 7) {
        uint32_t value;
        uint16_t tail;
        memcpy(&value, r + 1, 4);
        memcpy(&tail, r + 5, 2);
        r[0] = (uint8_t)(r[0] * 3);
        value = value * 7 + tail;
        tail ^= (uint16_t)i;
        memcpy(r + 1, &value, 4);
        memcpy(r + 5, &tail, 2);
        sum[i] = r[0] + value + tail;
    }
}

/* CRC-32 bit by bit: no table. */
static void table_crc(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), size = (uint32_t)ref_integer(run, 2);
    uint8_t *data = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint32_t crc = ~0u;
        for (uint32_t bit = 0; bit < size * 8; bit++) {
            uint32_t low = (crc ^ data[i * size + bit / 8] >> bit % 8) & 1;
            crc = crc >> 1 ^ (low ? 0xedb88320 : 0);
        }
        out[i] = ~crc;
    }
}

static void table_letters(const struct host_run *run)
{
    static const char text[] = "THE_QUICK_BROWN_FOX_JUMPS_OVER_THE_LAZY_DOG";
    char *out = ref_buffer(run, 0);
    uint32_t *shift = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) out[i] = text[(i * 5 + shift[i % 4]) % strlen(text)];
}

static void small_arguments(const struct host_run *run)
{
    int64_t *out = ref_buffer(run, 0);
    float v[2];
    int32_t w;
    memcpy(v, ref_buffer(run, 10), 8);
    memcpy(&w, ref_buffer(run, 11), 4);
    int64_t values[11] = {
        (int8_t)ref_integer(run, 1),
        (uint8_t)ref_integer(run, 2),
        (int16_t)ref_integer(run, 3),
        (uint16_t)ref_integer(run, 4),
        (int32_t)ref_integer(run, 5),
        (uint32_t)ref_integer(run, 6),
        (int64_t)ref_integer(run, 7),
        (int64_t)ref_integer(run, 8),
        (int64_t)(ref_real(run, 9) * 4),
        (int64_t)(v[0] * 8.0f + v[1]),
        w,
    };
    for (size_t i = 0; i < ref_items(run); i++) out[i] = values[i % 11] + (int64_t)i;
}

/* Groups at the upper edges may be smaller than the rest. */
static size_t group_size(const struct host_run *run, unsigned d, size_t at)
{
    size_t first = at / run->local[d] * run->local[d];
    return first + run->local[d] <= run->global[d] ? run->local[d] : run->global[d] - first;
}

static void grid_ids(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    const size_t *g = run->global, *l = run->local;
    for (size_t i = 0; i < ref_items(run); i++, out += 8) {
        size_t at[3] = {i % g[0], i / g[0] % g[1], i / g[0] / g[1]};
        uint32_t row[6] = {0};
        for (unsigned d = 0; d < 3; d++) {
            row[0] |= (uint32_t)at[d] << 8 * d;
            row[1] |= (uint32_t)(at[d] % l[d]) << 8 * d;
            row[2] |= (uint32_t)(at[d] / l[d]) << 8 * d;
            row[3] |= (uint32_t)group_size(run, d, at[d]) << 8 * d;
            row[4] |= (uint32_t)((g[d] + l[d] - 1) / l[d]) << 8 * d;
            row[5] |= (uint32_t)g[d] << 8 * d;
        }
        memcpy(out, row, sizeof row);
        out[6] = run->dims;
        out[7] = 0;
    }
}

static void grid_groups(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    for (size_t y = 0; y < run->global[1]; y++) {
        for (size_t x = 0; x < run->global[0]; x++) {
            size_t x0 = x / run->local[0] * run->local[0], y0 = y / run->local[1] * run->local[1], sum = 0;
            size_t w = group_size(run, 0, x), h = group_size(run, 1, y);
            for (size_t k = 0; k < w * h; k++) sum += (y0 + k / w) * 100 + x0 + k % w;
            out[(y * run->global[0] + x) * 2] = (uint32_t)sum;
            out[(y * run->global[0] + x) * 2 + 1] = (uint32_t)(w * h);
        }
    }
}

static uint32_t base31(const uint32_t *p, unsigned n)
{
    uint32_t sum = 0;
    for (unsigned k = 0; k < n; k++) sum = sum * 31 + p[k];
    return sum;
}

/* Two rounds, as the kernel's barrier makes them: everyone reads, then everyone writes. */
static void generic_pointers(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *data = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t own[8], shared[8];
        for (uint32_t k = 0; k < 8; k++) {
            own[k] = data[i] + k * k;
            shared[k] = data[(i & ~7u) + k] ^ 0xff;
        }
        out[i * 4] = base31(i % 3 == 0 ? data + (i & ~7u) : i % 3 == 1 ? shared : own, 8);
    }
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t own[8], stored = out[i * 4] ^ 0x5a00, before = data[i];
        for (uint32_t k = 0; k < 8; k++) own[k] = before + k * k;
        if (i % 3 == 0) data[i] = stored;
        if (i % 3 == 2) own[i & 7] = stored;
        out[i * 4 + 1] = data[i];
        out[i * 4 + 2] = i % 3 == 1 ? stored : before ^ 0xff;
        out[i * 4 + 3] = base31(own, 8);
    }
}

/* Function 0 is x[n & 255] + x[299] of x[i] = i * n. */
static void pointer_calls(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), which = (uint32_t)ref_integer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t n = i + 2, r = which ? n * 3 : ((n & 255) + 299) * n;
        for (uint32_t k = 0; k < 16; k++) r = r * 3 + i + k;
        out[i] = r;
    }
}

/* One group: in global memory the exchange is to be seen in the buffer's first half. */
static void pointer_local(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), n = (uint32_t)ref_items(run), where = (uint32_t)ref_integer(run, 2);
    for (uint32_t i = 0; i < n; i++) {
        if (!where) out[i] = i * 7 + 1;
        out[n + i] = (i ^ 1) * 7 + 1;
    }
}

static void scope_tables(const struct host_run *run)
{
    int32_t *out = ref_buffer(run, 0);
    for (int i = 0; i < (int)ref_items(run); i++) out[i] = (i / 2 % 4 + 1) * (i % 2 ? 10 : 1);
}

static void scope_variables(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    for (uint32_t i = 0; i < 64; i++) out[i] = (63 - i) * 3 + 1000;
}

static void scope_large(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        out[i] = 0;
        for (uint32_t k = 0; k < 32; k++) out[i] += (i % 512 * 37 + k * 511) % 16384 * 7 + i / 512;
    }
}

static void scope_private(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), a[2000];
    for (uint32_t i = 0; i < ref_items(run); i++) {
        for (uint32_t k = 0; k < 2000; k++) a[k] = k ^ i;
        out[i] = i;
        for (uint32_t k = 0; k < ref_integer(run, 1); k++) {
            uint32_t *cell = &a[out[i] % 2000];
            *cell += k;
            out[i] = *cell + out[i] * 3;
        }
    }
}

static void group_functions(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    size_t size = ref_group(run);
    for (size_t base = 0; base < ref_items(run); base += size) {
        uint32_t sum = 0, most = 0, any = 0, all = 0x20000;
        for (size_t l = 0; l < size; l++) {
            uint32_t x = in[base + l], *o = out + (base + l) * 4;
            most = x > most ? x : most;
            o[1] = most;
            o[2] = sum;
            sum += x;
            any |= x == 7 ? 0x10000 : 0;
            all = x < 5000 ? all : 0;
        }
        for (size_t l = 0; l < size; l++) {
            out[(base + l) * 4] = sum;
            out[(base + l) * 4 + 3] = in[base + 5] ^ any ^ all;
        }
    }
}

const struct reference reference_types[] = {
    {"scope_tables", scope_tables},
    {"scope_variables", scope_variables},
    {"scope_large", scope_large},
    {"scope_private", scope_private},
    {"group_functions", group_functions},
    {"vec_swizzle", vec_swizzle},
    {"vec_load_store", vec_load_store},
    {"vec_half", vec_half},
    {"vec_half4", vec_half4},
    {"vec_select", vec_select},
    {"vec_geometry", vec_geometry},
    {"struct_by_value", struct_by_value},
    {"struct_records", struct_records},
    {"table_crc", table_crc},
    {"table_letters", table_letters},
    {"small_arguments", small_arguments},
    {"grid_ids", grid_ids},
    {"grid_groups", grid_groups},
    {"generic_pointers", generic_pointers},
    {"pointer_calls", pointer_calls},
    {"pointer_local", pointer_local},
    {NULL, NULL},
};
