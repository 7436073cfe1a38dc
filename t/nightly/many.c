/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * many SECONDS SEED DIR CORPUS...: a fuzzer of t/fuzz without libFuzzer, for high counts: inputs of the corpora with
 * some of their bytes changed, one after the other, in a build that only has the sanitizers.  Prints `executions N`.
 * An input that fails is left in DIR/failed, one that takes too long in DIR/slow.
 */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LARGEST (1u << 16) /* bytes of an input; larger ones take too long for counts */
#define SLOW 20            /* seconds for one input */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

static struct input {
    uint8_t *bytes;
    size_t n;
} * inputs;
static size_t ninputs;

static struct {
    uint8_t bytes[LARGEST];
    size_t n;
    const char *dir;
} current;

static void keep(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", current.dir, name);
    FILE *f = fopen(path, "wb");
    if (!f) return;
    fwrite(current.bytes, 1, current.n, f);
    fclose(f);
    fprintf(stderr, "the input is in %s\n", path);
}
static void keep_failed(void) { keep("failed"); }
static void too_slow(int signal)
{
    (void)signal;
    keep("slow");
    _exit(3);
}

static void read_input(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return;
    uint8_t *bytes = malloc(LARGEST + 1);
    const size_t n = bytes ? fread(bytes, 1, LARGEST + 1, f) : 0;
    fclose(f);
    struct input *more = n && n <= LARGEST ? realloc(inputs, (ninputs + 1) * sizeof *inputs) : NULL;
    if (!more) {
        free(bytes);
        return;
    }
    inputs = more;
    inputs[ninputs++] = (struct input){realloc(bytes, n), n};
}

static void read_corpus(const char *path)
{
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        char name[4096];
        struct stat st;
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (stat(name, &st) == 0 && S_ISREG(st.st_mode)) read_input(name);
    }
    if (d) closedir(d);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* One change: a bit, a byte, a number where the edges are, a part moved, taken away, or of another input. */
static void change(uint64_t *random)
{
    static const uint64_t edges[] = {0, 1, 2, 4, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
        0xffffffff, 0x7fffffffffffffff, UINT64_MAX};
    uint8_t *p = current.bytes;
    const uint64_t choice = next_random(random);
    const size_t n = current.n, at = (size_t)(next_random(random) % n), width = (size_t)1 << (choice >> 8 & 3);
    size_t len = 1 + (size_t)(next_random(random) % 64);
    switch (choice % 8) {
    case 0:
    case 1: p[at] ^= (uint8_t)(1u << (choice >> 16 & 7)); break;
    case 2: p[at] = (uint8_t)(choice >> 16); break;
    case 3: {
        const uint64_t edge = edges[choice >> 16 & 15] + (choice >> 20 & 3) - 1;
        for (size_t i = 0; i < width && at + i < n; i++) p[at + i] = (uint8_t)(edge >> 8 * i);
        break;
    }
    case 4: {
        const size_t to = (size_t)(next_random(random) % n);
        if (len > n - at) len = n - at;
        if (len > n - to) len = n - to;
        memmove(p + to, p + at, len);
        break;
    }
    case 5:
        if (len >= n - at) break;
        memmove(p + at, p + at + len, n - at - len);
        current.n -= len;
        break;
    case 6: {
        const struct input *other = &inputs[next_random(random) % ninputs];
        const size_t from = (size_t)(next_random(random) % other->n);
        if (len > other->n - from) len = other->n - from;
        if (len > n - at) len = n - at;
        memcpy(p + at, other->bytes + from, len);
        break;
    }
    default:
        if (choice >> 16 & 7) {
            p[at] = (uint8_t)(p[at] + (choice >> 24 & 7) - 3);
            break;
        }
        current.n = at + 1;
    }
}

int main(int argc, char **argv)
{
    const time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);
    uint64_t random = (argc > 2 ? strtoull(argv[2], NULL, 0) : 1) * UINT64_C(0x9e3779b97f4a7c15) | 1, executions = 0;
    current.dir = argc > 3 ? argv[3] : ".";
    for (int i = 4; i < argc; i++) read_corpus(argv[i]);
    if (!ninputs) {
        fprintf(stderr, "many: no inputs\n");
        return 2;
    }
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_failed);
    signal(SIGALRM, too_slow);
    for (; time(NULL) < end; executions++) {
        const struct input *input = &inputs[next_random(&random) % ninputs];
        memcpy(current.bytes, input->bytes, current.n = input->n);
        for (uint64_t changes = 1 + next_random(&random) % 6; changes; changes--) change(&random);
        uint8_t *copy = malloc(current.n); /* so that reading past the end is seen */
        if (!copy) return 2;
        memcpy(copy, current.bytes, current.n);
        alarm(SLOW);
        LLVMFuzzerTestOneInput(copy, current.n);
        free(copy);
    }
    printf("executions %llu\n", (unsigned long long)executions);
    return 0;
}
