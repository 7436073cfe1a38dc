/* SPDX-License-Identifier: GPL-3.0-or-later
 * Negated and absolute values at the bounds of their types: compilers make source modifiers of them.  neg_ has room for
 * the negated number; wraps_ has not. */
#define NARROW(T)                                                                                  \
    kernel void neg_##T(global int *to, global const T *a, global const T *b)                      \
    {                                                                                              \
        const int i = get_global_id(0);                                                            \
        const T s = a[i], t = b[i];                                                                \
        global int *o = to + 16 * i;                                                               \
        o[0] = -(int)s;                                                                            \
        o[1] = 100 - s;                                                                            \
        o[2] = max(-(int)s, 5);                                                                    \
        o[3] = mul_hi((T)-1, s);                                                                   \
        o[4] = as_int((float)-(int)s);                                                             \
        o[5] = as_int(-(float)s);                                                                  \
        o[6] = t - s;                                                                              \
        o[7] = -(int)s * t;                                                                        \
        o[8] = (int)abs(s) - t;                                                                    \
        o[9] = convert_short_sat(-(int)s);                                                         \
        o[10] = convert_uchar_sat(-(int)s);                                                        \
        o[11] = -(int)s > (int)t ? 1 : -1;                                                         \
        o[12] = -(int)s >> 3;                                                                      \
        o[13] = min(-(int)s, -(int)t);                                                             \
        o[14] = sub_sat((T)0, s);                                                                  \
        o[15] = (int)abs_diff((T)(-1 - s), t) + hadd(s, t);                                        \
    }
NARROW(char)
NARROW(uchar)
NARROW(short)
NARROW(ushort)

kernel void neg_int(global long *to, global const int *a, global const int *b)
{
    const int i = get_global_id(0);
    const int s = a[i], t = b[i];
    global long *o = to + 8 * i;
    o[0] = -(long)s;
    o[1] = mul_hi(-1, s);
    o[2] = as_int((float)-(long)s);
    o[3] = as_int(-(float)s);
    o[4] = sub_sat(0, s);
    o[5] = (long)abs(s) - abs_diff(s, t);
    o[6] = (long)t * -(long)s;
    o[7] = 100u - (uint)s + mad_hi(s, t, 7);
}

kernel void neg_uint(global long *to, global const uint *a, global const uint *b)
{
    const int i = get_global_id(0);
    const uint s = a[i], t = b[i];
    global long *o = to + 8 * i;
    o[0] = -(long)s;
    o[1] = mul_hi(0u - 1, s);
    o[2] = as_int((float)-(long)s);
    o[3] = as_int(-(float)s);
    o[4] = max(-(long)s, -(long)t);
    o[5] = abs_diff(s, t);
    o[6] = -(long)s >> 3;
    o[7] = 100u - s;
}

/* Cut to an int, as as_int(0u - s) is. */
kernel void wraps_int(global long *to, global const int *a, global const int *b)
{
    const int i = get_global_id(0);
    const int t = b[i], m = as_int(0u - as_uint(a[i]));
    global long *o = to + 8 * i;
    o[0] = m >> 3;
    o[1] = m > t ? 1 : -1;
    o[2] = max(m, t);
    o[3] = as_int((float)m);
    o[4] = add_sat(m, t);
    o[5] = mul_hi(m, t);
    o[6] = (long)m >> 3;
    o[7] = (m < 5) + 2 * convert_uchar_sat(m);
}
