// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that compilers seldom choose, one by one, as the lists beside give them: the left half of each row is
// assembled here, the right half says in C what it gives.  Row r of the result stands at out[r * n].

#define ROW(value) do { o[row * n] = (value); row++; } while (0)
#define V1(name, value) { uint d; __asm volatile(#name " %0, %1" : "=v"(d) : "v"(x)); ROW(d); }
#define V2(name, value) { uint d; __asm volatile(#name " %0, %1, %2" : "=v"(d) : "v"(x), "v"(y)); ROW(d); }
#define V3(name, value) { uint d; __asm volatile(#name " %0, %1, %2, %3" : "=v"(d) : "v"(x), "v"(y), "v"(z)); ROW(d); }
#define T(text, value) { uint d; __asm volatile(text : "=&v"(d) : "v"(x), "v"(y), "v"(z)); ROW(d); }
#define Q3(name, value) { ulong d; __asm volatile(#name " %0, %1, %2, %3" : "=&v"(d) : "v"(X), "v"(y), "v"(Z)); \
    ROW((uint)d); ROW((uint)(d >> 32)); }
#define O3(name, value) { uint4 d; __asm volatile(#name " %0, %1, %2, %3" : "=&v"(d) : "v"(X), "v"(y), "v"((uint4)(z, z, y, y))); \
    ROW(d.x); ROW(d.y); ROW(d.z); ROW(d.w); }

#define VECTOR_KERNEL(kernel_name) \
    kernel void kernel_name(global uint *out, global const uint *a, global const uint *b, global const uint *c, uint n) { \
        uint i = get_global_id(0), row = 0; \
        uint x = a[i], y = b[i], z = c[i]; \
        ulong X = (ulong)y << 32 | x, Z = ((ulong)x << 32 | z) & 0x0fff0fff0fff0fff; \
        global uint *o = out + i; \
        (void)X, (void)Z;

VECTOR_KERNEL(isa_vector_integer)
#include "vector_integer.def"
}

VECTOR_KERNEL(isa_vector_float)
#include "vector_float.def"
}

VECTOR_KERNEL(isa_vector_order)
#include "vector_order.def"
}

VECTOR_KERNEL(isa_vector_near)
#include "vector_near.def"
}

// One bit of the comparison's mask, cut by EXEC as the instruction leaves it; EXEC is put back.
#define BIT(at, name, left, right) { ulong mask, keep; \
    __asm volatile("s_mov_b64 %1, exec\n\t" name "_e32 vcc, %2, %3\n\ts_and_b64 %0, vcc, exec\n\ts_mov_b64 exec, %1" \
        : "=&s"(mask), "=&s"(keep) : "v"(left), "v"(right) : "vcc", "scc"); \
    bits |= (uint)(mask >> lane & 1) << at; }
#define F(name, value) { uint bits = 0; \
    BIT(0, "v_cmp_" #name "_f32", x, y) BIT(1, "v_cmpx_" #name "_f32", x, y) \
    BIT(2, "v_cmps_" #name "_f32", x, y) BIT(3, "v_cmpsx_" #name "_f32", x, y) \
    BIT(4, "v_cmp_" #name "_f64", X, Y) BIT(5, "v_cmpx_" #name "_f64", X, Y) \
    BIT(6, "v_cmps_" #name "_f64", X, Y) BIT(7, "v_cmpsx_" #name "_f64", X, Y) ROW(bits); }
#define I(name, value) { uint bits = 0; \
    BIT(0, "v_cmp_" #name "_i32", x, y) BIT(1, "v_cmpx_" #name "_i32", x, y) \
    BIT(2, "v_cmp_" #name "_u32", x, y) BIT(3, "v_cmpx_" #name "_u32", x, y) \
    BIT(4, "v_cmp_" #name "_i64", X, Y) BIT(5, "v_cmpx_" #name "_i64", X, Y) \
    BIT(6, "v_cmp_" #name "_u64", X, Y) BIT(7, "v_cmpx_" #name "_u64", X, Y) ROW(bits); }

kernel void isa_compare(global uint *out, global const uint *a, global const uint *b, global const ulong *c,
                        global const ulong *d, uint n) {
    uint i = get_global_id(0), row = 0, lane = get_local_id(0) & 63;
    uint x = a[i], y = b[i];
    ulong X = c[i], Y = d[i];
    global uint *o = out + i;
#include "compare.def"
    uint bits = 0, class = (uint)(X ^ Y) & 1023;
    BIT(0, "v_cmp_class_f32", x, class) BIT(1, "v_cmpx_class_f32", x, class)
    BIT(2, "v_cmp_class_f64", X, class) BIT(3, "v_cmpx_class_f64", X, class)
    ROW(bits);
}

#define SCALAR(text, type, ...) { type d; uint c; \
    __asm volatile("s_cmp_lg_u32 %2, 0\n\t" text "\n\ts_cselect_b32 %1, 1, 0" : "=&s"(d), "=&s"(c) : "s"(z), __VA_ARGS__ : "scc"); \
    ROW(d); ROW(c); }
#define KEPT(text, type, before, ...) { type d = before; uint c; \
    __asm volatile("s_cmp_lg_u32 %2, 0\n\t" text "\n\ts_cselect_b32 %1, 1, 0" : "+&s"(d), "=&s"(c) : "s"(z), __VA_ARGS__ : "scc"); \
    ROW(d); ROW(c); }
#define BBB(name, value) SCALAR(#name " %0, %3, %4", uint, "s"(x), "s"(y))
#define QQQ(name, value) SCALAR(#name " %0, %3, %4", ulong, "s"(X), "s"(Y))
#define QQB(name, value) SCALAR(#name " %0, %3, %4", ulong, "s"(X), "s"(y))
#define QBB(name, value) SCALAR(#name " %0, %3, %4", ulong, "s"(x), "s"(y))
#define BB(name, value) SCALAR(#name " %0, %3", uint, "s"(x))
#define QQ(name, value) SCALAR(#name " %0, %3", ulong, "s"(X))
#define BQ(name, value) SCALAR(#name " %0, %3", uint, "s"(X))
#define D_BB(name, value) KEPT(#name " %0, %3", uint, y, "s"(x))
#define D_QQ(name, value) KEPT(#name " %0, %3", ulong, Y, "s"(X))
#define D_QB(name, value) KEPT(#name " %0, %3", ulong, Y, "s"(x))
#define K_(name, immediate, value) KEPT(#name " %0, " #immediate, uint, y, "s"(x))
#define C_BB(name, value) KEPT(#name " %3, %4", uint, 0, "s"(x), "s"(y))
#define C_QB(name, value) KEPT(#name " %3, %4", uint, 0, "s"(X), "s"(y))
#define C_K(name, immediate, value) KEPT(#name " %3, " #immediate, uint, 0, "s"(x))

// One group of 64 for each pair of values.
kernel void isa_scalar(global ulong *out, global const ulong *a, global const ulong *b, uint n) {
    uint i = get_group_id(0), row = 0;
    uint x = __builtin_amdgcn_readfirstlane((uint)a[i]), x1 = __builtin_amdgcn_readfirstlane((uint)(a[i] >> 32));
    uint y = __builtin_amdgcn_readfirstlane((uint)b[i]), y1 = __builtin_amdgcn_readfirstlane((uint)(b[i] >> 32));
    ulong X = (ulong)x1 << 32 | x, Y = (ulong)y1 << 32 | y;
    uint z = x1 & 1;
    global ulong *o = out + i;
#include "scalar.def"
}

#define SLOT slot[l] = (ulong2)((ulong)y << 32 | x, 0)
#define LOCAL(text, type, ...) { type d; SLOT; \
    __asm volatile("s_mov_b32 m0, -1\n\t" text "\n\ts_waitcnt lgkmcnt(0)" : "=&v"(d) : "v"(at), __VA_ARGS__ : "memory"); \
    ROW(d); ROW(slot[l].x); }
#define L(name, value) LOCAL(#name " %0, %1, %2", uint, "v"(y))
#define L2(name, value) LOCAL(#name " %0, %1, %2, %3", uint, "v"(y), "v"(z))
#define LQ(name, value) LOCAL(#name " %0, %1, %2", ulong, "v"(Y))
#define LQ2(name, value) LOCAL(#name " %0, %1, %2, %3", ulong, "v"(Y), "v"(Z))
#define LR(name, value) LOCAL(#name " %0, %1", uint, "v"(y))
#define GLOBAL(text, type, data) { type d; room[i] = (ulong2)((ulong)y << 32 | x, 0); \
    __asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)\n\t" text " %0, %1, %2 glc\n\ts_waitcnt vmcnt(0) lgkmcnt(0)" \
        : "=&v"(d) : "v"(&room[i]), "v"(data) : "memory"); \
    ROW(d); ROW(room[i].x); }
#define G(name, value) GLOBAL(#name, uint, y)
#define GQ(name, value) GLOBAL(#name, ulong, Y)
#define G2(name, data, value) GLOBAL(#name, uint, data)
// Records of 16 bytes, by index.
#define BUFFERED(text, type, data, registers) { type d; room[i] = (ulong2)((ulong)y << 32 | x, 0); \
    __asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_mov_b64 s[40:41], %3\n\ts_or_b32 s41, s41, 0x100000\n\ts_mov_b32 s42, 0x10000\n\t" \
        "s_mov_b32 s43, 0x24fac\n\tv_mov_b32 v40, %2\n\tv_mov_b32 v41, %4\n\t" text " " registers ", %1, s[40:43], 0 idxen glc\n\t" \
        "s_waitcnt vmcnt(0)\n\tv_mov_b32 %0, v40" : "=&v"(d) : "v"(i), "v"((uint)(data)), "s"(room), "v"((uint)((ulong)(data) >> 32)) \
        : "memory", "scc", "s40", "s41", "s42", "s43", "v40", "v41"); \
    ROW(d); ROW(room[i].x); }
#define B(name, value) BUFFERED(#name, uint, y, "v40")
#define BQ_(name, value) BUFFERED(#name, uint, Y, "v[40:41]")
#define B2(name, data, value) BUFFERED(#name, uint, data, "v[40:41]")

kernel void isa_memory(global ulong *out, global ulong2 *room, global const uint *a, global const uint *b, global const uint *c,
                       uint n) {
    local ulong2 slot[64];
    uint i = get_global_id(0), l = get_local_id(0), row = 0;
    uint x = a[i], y = b[i], z = c[i], at = (uint)(uintptr_t)&slot[l];
    ulong Y = (ulong)x << 32 | z, Z = (ulong)z << 32 | y;
    global ulong *o = out + i;
#include "memory.def"
}

// A buffer descriptor in s[40:43]: `a`, with what is or'ed into its second word, its size, its last word.
#define BUFFER(second, size, last) "s_mov_b64 s[40:41], %4\n\ts_or_b32 s41, s41, " second "\n\ts_mov_b32 s42, " size \
    "\n\ts_mov_b32 s43, " last "\n\t"
#define SAVED(name) "s_mov_b64 s[40:41], exec\n\ts_mov_b32 s42, 0x0ff0f00f\n\ts_mov_b32 s43, 0\n\t" name " s[44:45], s[42:43]\n\t" \
    "s_mov_b64 s[46:47], exec\n\ts_mov_b64 exec, s[40:41]\n\tv_mov_b32 %0, s46"
#define ROUNDED(mode, text) "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), " mode "\n\t" text "\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0"
#define X(text, value) { uint d; slot[l] = (uint4)(x, y, z, 0); \
    __asm volatile("s_mov_b32 m0, -1\n\ts_waitcnt lgkmcnt(0)\n\t" text "\n\ts_mov_b32 m0, -1" : "=&v"(d) \
        : "v"(x), "v"(y), "v"(z), "s"(a), "v"(at), "v"(lane) \
        : "memory", "vcc", "scc", "v40", "v41", "v42", "v43", "v44", "v45", "v46", "v47", "s40", "s41", "s42", "s43", "s44", "s45", \
          "s46", "s47", "s48", "s49", "s50", "s51", "s52", "s53", "s54", "s55"); \
    ROW(d); }

// Groups of 64.
kernel void isa_special(global uint *out, global const uint *a, global const uint *b, global const uint *c, uint n) {
    local uint4 slot[64];
    uint i = get_global_id(0), l = get_local_id(0), row = 0, lane = l;
    uint x = a[i], y = b[i], z = c[i], at = (uint)(uintptr_t)&slot[l];
    global uint *o = out + i;
#include "special.def"
}
