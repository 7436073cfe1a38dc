/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c: words and numbers of a line, from the left; and the incidents that several readers tell. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "kernel_log.h"

void scan_blanks(const char **p)
{
    while (**p == ' ' || **p == '\t') ++*p;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool scan_hex(const char **p, unsigned most, uint64_t *value)
{
    const char *at = *p;
    uint64_t v = 0;
    while (digit(*at) >= 0 && at - *p <= (ptrdiff_t)most) v = v << 4 | (unsigned)digit(*at++);
    if (at == *p || at - *p > (ptrdiff_t)most) return false;
    *value = v;
    *p = at;
    return true;
}

bool scan_0x(const char **p, unsigned most, uint64_t *value)
{
    const char *at = *p;
    if (at[0] != '0' || (at[1] != 'x' && at[1] != 'X')) return false;
    at += 2;
    if (!scan_hex(&at, most, value)) return false;
    *p = at;
    return true;
}

bool scan_decimal(const char **p, uint64_t *value)
{
    const char *at = *p;
    uint64_t v = 0;
    while (isdigit((unsigned char)*at) && v < UINT64_MAX / 10 - 1) v = v * 10 + (unsigned)(*at++ - '0');
    if (at == *p || isdigit((unsigned char)*at)) return false;
    *value = v;
    *p = at;
    return true;
}

static bool in_name(char c)
{
    const unsigned char letter = (unsigned char)(c | 0x20), digit_of = (unsigned char)(c - '0');
    return (letter >= 'a' && letter <= 'z') || digit_of < 10 || c == '_';
}

bool scan_name(const char **p, char *name, size_t size)
{
    size_t n = 0;
    while (in_name((*p)[n])) n++;
    if (!n || n >= size) return false;
    memcpy(name, *p, n);
    name[n] = 0;
    *p += n;
    return true;
}

bool scan_until(const char **p, const char *stop, char *text, size_t size)
{
    const char *end = strstr(*p, stop);
    if (!end || (size_t)(end - *p) >= size) return false;
    memcpy(text, *p, (size_t)(end - *p));
    text[end - *p] = 0;
    *p = end + strlen(stop);
    return true;
}

bool scan_find(const char **p, const char *needle)
{
    const char *at = strstr(*p, needle);
    if (at) *p = at + strlen(needle);
    return at != NULL;
}

bool lines_apart(double a, double b, double seconds)
{
    static const double dates = GPUDBG_DUMP_DATES;
    return a >= 0 && b >= 0 && (a < dates) == (b < dates) && (b - a >= seconds || a - b >= seconds);
}

bool head_has(const uint8_t *bytes, size_t n, const char *text) { return memmem(bytes, n, text, strlen(text)) != NULL; }

const char *plain_register(const char *name, uint64_t *addr, bool *indirect)
{
    const char *p = name;
    if (scan_word(&p, "R_") && scan_hex(&p, 6, addr) && *p == '_') return p + 1;
    p = name;
    if (scan_word(&p, "ix") && isupper((unsigned char)*p)) {
        *indirect = true;
        return p;
    }
    p = name;
    if ((scan_word(&p, "mm") || scan_word(&p, "reg")) && isupper((unsigned char)*p)) return p;
    return name;
}

/* ---- Incidents ---- */

#define X(id, ...) const struct gpudbg_incident_kind incident_##id = INCIDENT_ROW(__VA_ARGS__, NULL);
#define INCIDENT_ROW(word_, summary_, ...)                          \
    {                                                               \
        .word = word_, .summary = summary_, .keys = { __VA_ARGS__ } \
    }
INCIDENTS(X)
#undef X

void tell_process(struct gpudbg_dump *d, uint32_t line, const char *p)
{
    char name[96];
    struct gpudbg_incident process = {.kind = &incident_process, .line = line, .text = name};
    if (begins(p, "pid ") && isdigit((unsigned char)p[4])) { /* no name, and blanks were lost on the way */
        name[0] = 0;
        p += 4;
    } else if (!scan_until(&p, " pid ", name, sizeof name)) {
        return;
    }
    if (scan_decimal(&p, &process.values[0])) process.have = 1;
    if (!name[0]) process.text = NULL; /* FreeBSD's drivers leave names out */
    if (name[0] || process.values[0]) gpudbg_dump_incident(d, &process);
}

/* "ecode 7:1:84dffffe, in demo [4242]"; older kernels: "ecode 7:0:0x85dffffb", still older without the generation.
 * Kernels before 5.0 say why (", reason: Hang on render ring, action: reset") and give the number of an engine, newer
 * ones a mask. The numbers changed; 0 has always been the render engine. */
static bool hang_engine(const char *rest, uint64_t number, char *engine, size_t size)
{
    static const char *const names[][2] = {{"render", "rcs0"}, {"blitter", "bcs0"}, {"blt", "bcs0"}, {"bsd", "vcs0"},
        {"bsd2", "vcs1"}, {"vebox", "vecs0"}, {"video enhancement", "vecs0"}};
    if (!scan_find(&rest, ", reason: ")) return false;
    const char *on = rest;
    if (scan_find(&on, " on ")) {
        const size_t n = strcspn(on, ",");
        snprintf(engine, size, "%.*s", (int)n, on);
        char *ring = strstr(engine, " ring");
        if (ring) *ring = 0;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcmp(engine, names[i][0]) == 0) snprintf(engine, size, "%s", names[i][1]);
        return engine[0] != 0;
    }
    if (number)
        snprintf(engine, size, "engine %u", (unsigned)number);
    else
        snprintf(engine, size, "rcs0");
    return true;
}

/* The second number of an ecode: in hex where the third has no 0x, as since 5.0. */
static bool scan_engines(const char **p, uint64_t *value)
{
    const char *at = *p;
    if (scan_hex(&at, 8, value) && *at == ':' && !begins(at, ":0x")) return *p = at, true;
    return scan_decimal(p, value) || scan_hex(p, 8, value);
}

#define HANGS_MOST 4 /* of one line */

/* "9:2:0xa8dfbffd": up to three numbers; how many there are.  *left_out: whoever pasted it wrote dots for the last. */
static unsigned scan_ecode(const char **p, uint64_t *number, bool *left_out)
{
    unsigned n = 0;
    while (*left_out = begins(*p, "0x...") || begins(*p, "..."), n < 3 && !*left_out) {
        const bool hexadecimal = n == 2 || (**p == '0' && (*p)[1] == 'x');
        if (hexadecimal ? !scan_0x(p, 16, &number[n]) && !scan_hex(p, 16, &number[n])
            : n == 1    ? !scan_engines(p, &number[n])
                        : !scan_decimal(p, &number[n]))
            break;
        n++;
        if (**p != ':') break;
        ++*p;
    }
    return n;
}

#define CODE_LEFT_OUT 4 /* numbers: a generation and engines, and dots */

/* One code; rest: of the line, behind all codes. */
static void tell_hang(
    struct generations *g, struct gpudbg_dump *d, uint32_t line, const uint64_t *number, unsigned n, const char *rest)
{
    const bool left_out = n == CODE_LEFT_OUT;
    if (left_out) n = 3;
    struct gpudbg_incident hang = {.kind = &incident_gpu_hang, .line = line};
    char engine[32], name[128];
    if (n == 3) {
        hang.values[0] = number[0];
        hang.have |= 1;
    }
    if (n == 2 || hang_engine(rest, number[1], engine, sizeof engine)) {
        hang.unit = n == 2 ? number[0] ? NULL : "rcs0" : engine;
    } else {
        hang.values[1] = number[1];
        hang.have |= 2;
    }
    if (!left_out) {
        hang.values[2] = number[n - 1];
        hang.have |= 4;
    }
    const char *p = rest, *unnumbered = rest;
    if (scan_find(&p, ", in ") && scan_until(&p, " [", name, sizeof name)) {
        hang.text = name;
        if (scan_decimal(&p, &hang.values[3])) hang.have |= 8;
    } else if (scan_find(&unnumbered, ", in ") && scan_until(&unnumbered, ", reason:", name, sizeof name)) {
        hang.text = name;
    }
    gpudbg_dump_incident(d, &hang);
    if (n != 3) return;
    intel_numbered(g, d, line, (unsigned)number[0]);
    if (intel_family((unsigned)number[0])) intel_named(d, line, intel_family((unsigned)number[0]));
}

bool take_hang(struct generations *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = strchr(line->text, 'G');
    uint64_t code[HANGS_MOST][3];
    unsigned n[HANGS_MOST], codes = 0;
    if (!p || !scan_find(&p, "GPU HANG: ecode ")) return false;
    do {
        bool left_out;
        n[codes] = scan_ecode(&p, code[codes], &left_out);
        if (left_out) {
            p += strspn(p, "0x.");
            gpudbg_dump_note(d, line->number, "cut-off", "a hang whose code is left out");
        }
        if (n[codes] < 2) break;
        if (left_out) n[codes] = CODE_LEFT_OUT;
        codes++;
    } while (codes < HANGS_MOST && scan_word(&p, "/ecode ")); /* as titles of threads name two */
    if (!codes) gpudbg_dump_note(d, line->number, "cut-off", "a hang without its code");
    for (unsigned i = codes; i-- > 0;) /* the last one is that of which the line says more; 0 says nothing of its own */
        if (i + 1 == codes || (n[i] < CODE_LEFT_OUT && code[i][n[i] - 1]))
            tell_hang(g, d, line->number, code[i], n[i], i + 1 == codes ? p : "");
    return true;
}
