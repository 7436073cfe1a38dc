// Functions that compilers inline: twice into one function, into each other, and kept as a copy of their own as well.
int steps(int n)
{
    int count = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        count++;
    }
    return count;
}

static int twice(int n)
{
    int both = steps(n);
    both += steps(n + 8);
    return both;
}

__attribute__((noinline)) int outside(int n, __global int *seen)
{
    int mine = n * 5;
    seen[get_global_id(0)] = mine;
    return mine + steps(n);
}

kernel void inlined(__global int *out, __global int *seen, int n)
{
    int id = get_global_id(0);
    int far = n + id;

    out[id] = twice(far);
    out[id] += outside(far, seen);
}
