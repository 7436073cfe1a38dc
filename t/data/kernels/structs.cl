// SPDX-License-Identifier: GPL-3.0-or-later
// Structures by value and in buffers, constant tables, several kernels that share them.

typedef struct {
    char small;
    int whole;
    ulong large;
    short list[3];
    uchar flag;
    float4 vec;
} parameters;

typedef struct __attribute__((packed)) {
    uchar tag;
    uint value;
    ushort tail;
} record;

constant uint crc_table[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

constant char letters[] = "the quick brown fox jumps over the lazy dog";

kernel void struct_by_value(global ulong *out, parameters p, uint k) {
    uint i = get_global_id(0);
    ulong x = p.large + i * (ulong)(long)p.whole;
    x ^= (ulong)(long)p.small << (i & 31);
    x += (ulong)(long)p.list[i % 3] * (p.flag + k);
    float f = i & 1 ? p.vec.x + p.vec.w : p.vec.y - p.vec.z;
    out[i] = x ^ (ulong)as_uint(f) << 16;
}

kernel void struct_records(global record *r, global uint *sum) {
    uint i = get_global_id(0);
    record x = r[i];
    x.tag = (uchar)(x.tag * 3);
    x.value = x.value * 7 + x.tail;
    x.tail ^= (ushort)i;
    r[i] = x;
    sum[i] = x.tag + x.value + x.tail;
}

kernel void table_crc(global uint *out, global const uchar *data, uint size) {
    uint i = get_global_id(0), crc = ~0u;
    for (uint k = 0; k < size; k++) {
        crc ^= data[i * size + k];
        crc = crc >> 4 ^ crc_table[crc & 15];
        crc = crc >> 4 ^ crc_table[crc & 15];
    }
    out[i] = ~crc;
}

kernel void table_letters(global char *out, constant uint *shift) {
    uint i = get_global_id(0);
    char c = letters[(i * 5 + shift[i & 3]) % (sizeof letters - 1)];
    out[i] = c == ' ' ? '_' : (char)(c - 32);
}

kernel void small_arguments(global long *out, char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float x,
                            float2 v, uchar4 w) {
    uint i = get_global_id(0);
    long values[11] = {a, b, c, d, e, f, g, (long)h, (long)(x * 4.0f), (long)(v.x * 8.0f + v.y), as_int(w)};
    out[i] = values[i % 11] + (long)i;
}
