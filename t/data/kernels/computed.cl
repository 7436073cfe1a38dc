// Variables that an optimiser leaves as operations on registers: t/core/locals.t knows what they hold.
kernel void computed(global int *out, global const int *in)
{
    int id = get_local_id(0);
    int seen = in[id];
    int next = seen + 4;
    int other = ~seen;
    int bits = (seen & 12) >> 2;
    char narrow = (char)seen;
    int wide = narrow;
    int less = seen - 9;
    bool odd = (seen & 1) == 1;
    out[id] = seen;
    out[id + 64] = seen * 2;
}
