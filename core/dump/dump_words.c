/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_words.c: words in hex out of a line that a person pasted: labels, addresses and names around them are passed. */
#include <ctype.h>
#include <string.h>
#include "gpudbg.h"

/* What separates words, and means nothing else. */
static bool separates(char c) { return c && strchr(" \t\r\n,;|{}()\"'`<>", c); }

static size_t token_length(const char *at)
{
    size_t n = 0;
    while (at[n] && !separates(at[n]) && !strchr(":=[]#", at[n]) && strncmp(at + n, "//", 2) != 0) n++;
    return n;
}

/* 0x and up to sixteen digits, or up to eight digits of hex alone. */
static bool token_value(const char *at, size_t n, uint64_t *value, bool *wide)
{
    const bool prefixed = n > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    const size_t from = prefixed ? 2 : 0, digits = n - from;
    uint64_t v = 0;
    if (!digits || digits > (prefixed ? 16 : 8)) return false;
    for (size_t i = from; i < n; i++) {
        const int c = tolower((unsigned char)at[i]);
        if (!isxdigit(c)) return false;
        v = v << 4 | (uint64_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    *value = v;
    *wide = digits > 8;
    return true;
}

/* Whether it looks as if it were to be a number, so that it must not be passed over in silence. */
static bool like_number(const char *at, size_t n) { return isdigit((unsigned char)*at) || (n > 1 && *at == '-'); }

size_t gpudbg_pasted_words(const char *line, uint32_t *words, size_t most, uint64_t *label, const char **wrong)
{
    size_t count = 0;
    *label = UINT64_MAX;
    *wrong = NULL;
    for (const char *at = line + (line[strspn(line, " \t")] == '#' ? strcspn(line, "#") + 1 : 0); *at;) {
        uint64_t value;
        bool wide = false;
        if (*at == '#' || strncmp(at, "//", 2) == 0) break;
        if (*at == '[') { /* an index, or an address */
            at += strcspn(at, "]");
            continue;
        }
        if (separates(*at) || strchr(":=]/", *at)) {
            at++;
            continue;
        }
        const size_t n = token_length(at);
        const char *behind = at + n + strspn(at + n, " \t");
        const bool number = token_value(at, n, &value, &wide);
        if (*behind == ':' || *behind == '=') {
            if (number && *label == UINT64_MAX && !count) *label = value;
        } else if (number && (isdigit((unsigned char)*at) || n == 8)) {
            for (unsigned half = 0; half <= wide; half++, count++)
                if (count < most) words[count] = (uint32_t)(value >> 32 * half);
        } else if (like_number(at, n)) { /* what is behind it keeps its place */
            if (!*wrong) *wrong = at;
            if (count < most) words[count] = 0;
            count++;
        }
        at += n;
    }
    return count;
}
