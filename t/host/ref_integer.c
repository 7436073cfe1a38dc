/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t/data/kernels/integer.cl and the integer part of vector_add.cl. */
#include "reference.h"

__extension__ typedef __int128 wide; /* holds every 64-bit sum and product that is signed */
__extension__ typedef unsigned __int128 uwide;

static wide saturate(wide x, wide lo, wide hi) { return x < lo ? lo : x > hi ? hi : x; }

static wide floor_half(wide x) { return x >> 1; }

static uint32_t count_ones(uint64_t x)
{
    uint32_t n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}

static uint32_t leading_zeros(uint64_t x, uint32_t width)
{
    uint32_t n = 0;
    while (n < width && !(x >> (width - 1 - n) & 1)) n++;
    return n;
}

static uint32_t reverse_bits(uint32_t x)
{
    uint32_t r = 0;
    for (int k = 0; k < 32; k++) r |= (x >> k & 1) << (31 - k);
    return r;
}

static int32_t sext(uint32_t x, int bits)
{
    uint32_t sign = 1u << (bits - 1);
    x &= sign * 2 - 1;
    return (int32_t)((x ^ sign) - sign);
}

static void vadd_i32(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    for (size_t i = 0; i < ref_integer(run, 3); i++) out[i] = a[i] + b[i];
}

static uint32_t s32(wide x) { return (uint32_t)saturate(x, INT32_MIN, INT32_MAX); }
static uint32_t u32(wide x) { return (uint32_t)saturate(x, 0, UINT32_MAX); }
static wide least(wide a, wide b) { return a < b ? a : b; }
static wide most(wide a, wide b) { return a > b ? a : b; }

static void int_arith(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        wide x = a[i], y = b[i], z = c[i], sx = (int32_t)a[i], sy = (int32_t)b[i], sz = (int32_t)c[i];
        wide nx = sext(a[i], 24), ny = sext(b[i], 24), ux = a[i] & 0xffffff, uy = b[i] & 0xffffff;
        uint32_t row[] = {
            (uint32_t)(x + y),
            (uint32_t)(x - y),
            (uint32_t)(x * y),
            (uint32_t)(x * y >> 32),
            (uint32_t)(sx * sy >> 32),
            (uint32_t)(nx * ny),
            (uint32_t)(ux * uy),
            (uint32_t)(nx * ny + sz),
            (uint32_t)(ux * uy + z),
            (uint32_t)((x * y >> 32) + z),
            (uint32_t)((sx * sy >> 32) + sz),
            u32((x >> 12) * (y >> 14) + z),
            s32((sx >> 12) * (sy >> 18) + sz),
            u32(x + y),
            s32(sx + sy),
            u32(x - y),
            s32(sx - sy),
            (uint32_t)floor_half(x + y),
            (uint32_t)floor_half(sx + sy),
            (uint32_t)floor_half(x + y + 1),
            (uint32_t)floor_half(sx + sy + 1),
            (uint32_t)most(sx, -sx),
            (uint32_t)most(x - y, y - x),
            (uint32_t)most((sx >> 1) - (sy >> 1), (sy >> 1) - (sx >> 1)),
            (uint32_t)least(x, y) ^ (uint32_t)most(y, z),
            (uint32_t)least(sx, sy) ^ (uint32_t)most(sy, sz),
            (uint32_t)saturate(x, least(y, z), most(y, z)),
            (uint32_t)saturate(sx, least(sy, sz), most(sy, sz)),
            (uint32_t)(x * y + z),
            (uint32_t)-sx,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void int_bits(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint32_t x = a[i], y = b[i], z = c[i];
        uint64_t both = (uint64_t)y << 32 | x;
        uint32_t row[] = {
            x & y,
            x | y,
            x ^ y,
            ~x,
            x & ~y,
            x << (y & 31),
            x >> (y & 31),
            (uint32_t)((int32_t)x >> (y & 31)),
            rotate32(x, y),
            rotate32(x, 7),
            count_ones(x),
            leading_zeros(x, 32) + 64 * leading_zeros(x & 0xff, 32) + 4096 * 32,
            (x & ~z) | (y & z),
            x / 32 % 2048,
            (uint32_t)sext(x >> 11, 12),
            (x & 0xffff00ff) | (y & 0xff) << 8,
            (uint32_t)(both >> 13),
            __builtin_bswap32(x),
            reverse_bits(x),
            (x >> (y & 31)) & ((1u << (z & 31)) - 1),
            ((1u << (y & 15)) - 1) << (z & 15),
            (x & 0xffff) << 16 | (y & 0xffff),
            x & (~x + 1),
            count_ones(x ^ y) + z,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void int_divide(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint32_t x = a[i], y = b[i] ? b[i] : 1;
        int32_t sx = (int32_t)x, sy = (int32_t)y;
        if (sx == INT32_MIN && sy == -1) sy = 3;
        uint32_t row[] = {
            x / y,
            x % y,
            (uint32_t)(sx / sy),
            (uint32_t)(sx % sy),
            x / 7,
            (uint32_t)(sx % 1000003),
            (uint32_t)(sx / 16),
            x % (1 + (y & 0xff)),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void int64_arith(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint64_t x = a[i], y = b[i];
        int64_t sx = (int64_t)x, sy = (int64_t)y;
        uint32_t s = y & 63;
        uint64_t row[] = {
            x + y,
            x - y,
            x * y,
            (uint64_t)((uwide)x * y >> 64),
            (uint64_t)((wide)sx * sy >> 64),
            x << s,
            x >> s,
            (uint64_t)(sx >> s),
            rotate64(x, s),
            count_ones(x),
            leading_zeros(x, 64) + 1000 * (uint64_t)leading_zeros(x & 0xffffff, 64),
            x < y ? x : y + 1,
            sx > sy ? x : ~y,
            (x < y ? x : y) ^ (uint64_t)(sx > sy ? sx : sy),
            sx < 0 ? 0 - x : x,
            (uint64_t)saturate((wide)x + y, 0, UINT64_MAX),
            (uint64_t)saturate((wide)sx + sy, INT64_MIN, INT64_MAX),
            (uint64_t)saturate((wide)sx - sy, INT64_MIN, INT64_MAX),
            (uint64_t)floor_half((wide)x + y),
            (x & UINT32_MAX) * (y & UINT32_MAX),
            (uint64_t)((int64_t)(int32_t)x * (int32_t)y),
            (x & UINT32_MAX) * (y >> 32) + y,
            (uint64_t)(x == y) | (x != y) << 1 | (sx <= sy) << 2 | (x >= y) << 3,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void int64_divide(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint64_t x = a[i], y = b[i] ? b[i] : 1;
        int64_t sx = (int64_t)x, sy = (int64_t)y;
        if (sx == INT64_MIN && sy == -1) sy = 3;
        uint64_t row[] = {
            x / y,
            x % y,
            (uint64_t)(sx / sy),
            (uint64_t)(sx % sy),
            x / (1 + (y & 0xffff)),
            x % 1000000007,
            (uint64_t)(sx / 10),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

/* `n` parts of `width` bits each of x and y, joined by `op` and cut to `width` bits again. */
static uint32_t packed_sum(uint32_t x, uint32_t y, int width, bool saturating)
{
    uint32_t result = 0, mask = (1u << width) - 1;
    for (int at = 0; at < 32; at += width) {
        int32_t sum = sext(x >> at, width) + sext(y >> at, width);
        if (saturating) sum = (int32_t)saturate(sum, -(1 << (width - 1)), (1 << (width - 1)) - 1);
        result |= ((uint32_t)sum & mask) << at;
    }
    return result;
}

static void int_narrow(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    int32_t *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    int64_t *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        int32_t x = a[i], y = b[i], cx = (int8_t)x, cy = (int8_t)y, hx = (int16_t)x, hy = (int16_t)y;
        uint32_t ux = (uint8_t)x, uy = (uint8_t)y, vx = (uint16_t)x, vy = (uint16_t)y, s = uy & 7;
        int32_t quad[4] = {x, y, x >> 16, y >> 24};
        uint32_t packed = 0;
        for (int k = 0; k < 4; k++) packed |= (uint32_t)(uint8_t)saturate(quad[k], -128, 127) << 8 * k;
        uint32_t row[] = {
            (uint32_t)saturate(x >> 20, -128, 127),
            (uint32_t)saturate(x >> 20, 0, 255),
            (uint32_t)saturate(x >> 12, -32768, 32767),
            (uint32_t)saturate(x >> 12, 0, 65535),
            s32(c[i] >> 28),
            u32(c[i] >> 28),
            u32(x),
            s32((uint32_t)x),
            (uint32_t)(int8_t)(cx + cy),
            (uint32_t)saturate(cx + cy, -128, 127),
            (uint32_t)saturate((int32_t)ux - (int32_t)uy, 0, 255),
            (uint32_t)(hx * hy >> 16),
            vx * vy >> 16,
            ((ux << s) | (ux >> (8 - s))) & 0xff,
            leading_zeros(vx, 16) + 100 * leading_zeros(ux, 8) + 10000 * count_ones(vy),
            (uint32_t)((cx + cy) >> 1),
            (uint32_t)most(hx - hy, hy - hx),
            (uint32_t)(int16_t)(hx * hy),
            (uint32_t)(cx >> 3) ^ (ux >> 3) ^ (uint32_t)(hx >> 5) ^ (vx >> 5),
            ux * uy + vx,
            packed,
            packed_sum((uint32_t)x, (uint32_t)y, 8, false),
            packed_sum((uint32_t)x, (uint32_t)y, 16, true),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

const struct reference reference_integer[] = {
    {"vadd_i32", vadd_i32},
    {"int_arith", int_arith},
    {"int_bits", int_bits},
    {"int_divide", int_divide},
    {"int64_arith", int64_arith},
    {"int64_divide", int64_divide},
    {"int_narrow", int_narrow},
    {NULL, NULL},
};
