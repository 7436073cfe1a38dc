// One function for each kind of value that a function returns; t/core/places.t knows what they return.
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
