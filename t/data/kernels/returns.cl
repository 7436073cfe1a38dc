// One function for each kind of value that a function returns; t/core/places.t knows what they return.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KEPT __attribute__((noinline))
typedef struct {
    int a;
    float b;
} two;
typedef struct {
    int a;
    float b;
    long c;
} three;
typedef struct {
    char a;
    short b;
    char c;
} packed;
typedef struct {
    char a;
    long b;
} padded;
typedef struct {
    int all[40];
} large;
typedef struct {
    char a;
    float f[2];
    short c;
    long q;
} mixed;
typedef struct {
    char4 v;
    float3 w;
    half h;
} vectors;
typedef struct {
    half a, b;
} halves;
typedef struct {
    half a, b;
    long c;
} wider;
typedef struct {
    half only;
} single;
typedef struct {
    struct {
        char x;
        short y;
    } in;
    double d;
} nested;
typedef union {
    int i[4];
    long l;
} either;
typedef struct {
    char all[40];
} bytes;

KEPT int give_int(int n) { return n * 3 - 100; }
KEPT uchar give_uchar(int n) { return (uchar)(n + 250); }
KEPT short give_short(int n) { return (short)(n - 20); }
KEPT long give_long(int n) { return ((long)n << 33) - 1; }
KEPT float give_float(int n) { return n * 0.25f; }
KEPT double give_double(int n) { return n * -0.125; }
KEPT int2 give_int2(int n) { return (int2)(n, -n); }
KEPT float3 give_float3(int n) { return (float3)(n, n + 0.5f, -1.0f); }
KEPT float4 give_float4(int n) { return (float4)(n, n + 0.5f, -1.0f, 8.0f); }
KEPT long2 give_long2(int n) { return (long2)(n, (long)n << 40); }
KEPT two give_two(int n) { return (two){n, n * 0.5f}; }
KEPT three give_three(int n) { return (three){n, n * 0.5f, (long)n << 35}; }
KEPT packed give_packed(int n) { return (packed){(char)n, (short)-n, 7}; }
KEPT padded give_padded(int n) { return (padded){(char)n, n}; }
KEPT large give_large(int n) { return (large){{n, n + 1}}; }
KEPT global int *give_pointer(global int *p, int n) { return p + n; }
KEPT void give_nothing(global int *p, int n) { p[n] = n; }
KEPT char4 give_char4(int n) { return (char4)((char)n, 2, 3, 4); }
KEPT half give_half(int n) { return (half)n * (half)0.5f; }
KEPT half3 give_half3(int n) { return (half3)(n, 0.5f, 2); }
KEPT uchar3 give_uchar3(int n) { return (uchar3)(n, -n, 3); }
KEPT char16 give_char16(int n) { return (char16)(n, -n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16); }
KEPT short2 give_short2(int n) { return (short2)(n, -n); }
KEPT long16 give_long16(int n) { return (long16)(n, -n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16); }
KEPT mixed give_mixed(int n) { return (mixed){(char)n, {n, 2}, 3, 4}; }
KEPT vectors give_vectors(int n) { return (vectors){(char4)(n, 1, 2, 3), (float3)(n, 7, 8), 0.5f}; }
KEPT halves give_halves(int n) { return (halves){n, 0.5f}; }
KEPT wider give_wider(int n) { return (wider){n, 0.5f, n}; }
KEPT single give_single(int n) { return (single){n}; }
KEPT nested give_nested(int n) { return (nested){{(char)n, 5}, n}; }
KEPT either give_either(int n) { return (either){{n, 1, 2, 3}}; }
KEPT bytes give_bytes(int n) { return (bytes){{(char)n, 2, 3}}; }

kernel void more(global int *out, global double *real)
{
    int n = get_local_id(0);
    double d = give_half(n);
    d += give_half3(n).x;
    d += give_uchar3(n).x;
    d += give_char16(n).x;
    d += give_short2(n).x;
    d += give_long16(n).x;
    d += give_mixed(n).f[0];
    d += give_vectors(n).w.x;
    d += give_halves(n).a;
    d += give_wider(n).a;
    d += give_single(n).only;
    d += give_nested(n).d;
    d += give_either(n).i[0];
    d += give_bytes(n).all[0];
    out[n] = (int)d;
    real[n] = d;
}

kernel void returns(global int *out, global double *real)
{
    int n = get_local_id(0);
    long sum = give_int(n) + give_uchar(n) + give_short(n) + give_long(n);
    double d = give_float(n) + give_double(n);
    sum += give_int2(n).y;
    d += give_float3(n).y + give_float4(n).w;
    sum += give_long2(n).y;
    d += give_two(n).b;
    sum += give_three(n).c + give_packed(n).b + give_padded(n).b + give_large(n).all[1] + *give_pointer(out, n);
    give_nothing(out, n);
    out[n] += (int)sum + give_char4(n).x;
    real[n] = d;
}
