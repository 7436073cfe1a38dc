// SPDX-License-Identifier: GPL-3.0-or-later
// printf through calls of the host, as clang makes it of HIP; t/core/printf.t says what is printed.
extern "C" __attribute__((device)) int printf(const char *, ...);

extern "C" __attribute__((global)) void hosted(int *out, float f)
{
    const int i = __builtin_amdgcn_workgroup_id_x() * 4 + __builtin_amdgcn_workitem_id_x();
    const char *name = i & 1 ? "odd" : "even, and much longer than the fifty-six bytes that one call of the host takes";
    if (i % 3 == 0) printf("item %u: %s|%5s|%-6s|\n", i, "four", "a", "bcd");
    printf("%d %i %x %#o %X %c %%\n", i - 2, -1, i * 0x1234567, 8, 255, 'a' + i);
    printf("%lld %llu %hd %hhu\n", (long long)i << 40, 18446744073709551615ull, (short)(i - 3), (unsigned char)(100 + i));
    printf("%.2f %e %g|%*d|%-*.*f|\n", f * i, f, f, 6, i, 9, 2, f * i);
    printf("%s is %s.\n", name, "told");
    out[i] = i;
}

extern "C" __attribute__((global)) void flooded(int *out, int n)
{
    for (int k = 0; k < n; k++) printf("%d and some words that need room: %s\n", k, "the words themselves, again and again");
    out[0] = n;
}
