/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operands.h"

#include <ctype.h>
#include <string.h>

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* "v12", "vcc", and the v of "v[11:12]". */
static bool is_register(const struct gpudbg_isa *isa, const char *word, size_t n, char behind)
{
    for (size_t i = 0; i < isa->nfiles; i++) {
        const size_t name = strlen(isa->files[i].name);
        size_t digits = name;
        if (n < name || strncmp(word, isa->files[i].name, name) != 0) continue;
        while (digits < n && isdigit((unsigned char)word[digits])) digits++;
        if (digits == n && (n > name ? isa->files[i].indexed : !isa->files[i].indexed || behind == '[')) return true;
    }
    return false;
}

/* "L17d8": a label that disassembly makes. */
static bool is_label(const char *word, size_t n)
{
    size_t i = 1;
    while (i < n && isxdigit((unsigned char)word[i])) i++;
    return word[0] == 'L' && n >= 5 && i == n;
}

void operands_style(const struct area *a, int x, int y, const struct gpudbg_isa *isa, const char *text)
{
    const char *at = text + strcspn(text, " ");
    while (*at) {
        size_t n = 0;
        if (!in_word(*at)) {
            at++;
            continue;
        }
        while (in_word(at[n])) n++;
        const bool sign = at > text && at[-1] == '-' && (at - text < 2 || !in_word(at[-2]));
        size_t more = 0; /* what belongs to a register: [11:12] */
        if (is_register(isa, at, n, at[n])) {
            if (at[n] == '[') more = strcspn(at + n, "]") + (strchr(at + n, ']') != NULL);
            area_restyle(a, x + (int)(at - text), y, (int)(n + more), STYLE_register);
        } else if (is_label(at, n)) {
            area_restyle(a, x + (int)(at - text), y, (int)n, STYLE_symbol);
        } else if (isdigit((unsigned char)*at)) {
            while (at[n] == '.' && isdigit((unsigned char)at[n + 1])) /* a float */
                for (n++; in_word(at[n]); n++)
                    ;
            area_restyle(a, x + (int)(at - text) - sign, y, (int)n + sign, STYLE_constant);
        }
        at += n + more;
    }
}
