/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theme.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/open_file.h"

#define SETTINGS_MOST (1 << 20) /* bytes of a file */

static const char *const styles[] = {
#define X(name) #name,
    STYLES(X)
#undef X
};
static const char *const colours[] = {"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"};
static const char *const attributes[] = {"bold", "dim", "underline", "reverse"};

/* Index of the word in a list, or -1. */
static int word_in(const char *const *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i], word)) return (int)i;
    return -1;
}
#define WORD_IN(list, word) word_in(list, sizeof(list) / sizeof *(list), word)

static bool colour_read(const char *word, int16_t *colour)
{
    char *end;
    int n = WORD_IN(colours, word);
    if (isdigit((unsigned char)*word)) {
        const unsigned long number = strtoul(word, &end, 10);
        if (*end || number > 255) return false;
        n = (int)number;
    }
    *colour = (int16_t)n;
    return n >= 0 || !strcmp(word, "default");
}

uint32_t theme_rgb(int colour)
{
    /* 16 to 231 are a cube of six steps, 232 to 255 greys (xterm, 256colres.h). */
    static const uint8_t steps[] = {0, 95, 135, 175, 215, 255};
    if (colour >= 232) {
        const uint32_t grey = 8 + 10 * ((uint32_t)colour - 232);
        return grey << 16 | grey << 8 | grey;
    }
    const int at = colour < 16 ? 0 : colour - 16;
    return (uint32_t)steps[at / 36] << 16 | (uint32_t)steps[at / 6 % 6] << 8 | steps[at % 6];
}

static bool line_read(struct theme *t, char *line, struct gpudbg_error *err)
{
    char *save, *word = strtok_r(line, " \t\r\n", &save);
    if (!word || *word == '#') return true;
    int style = WORD_IN(styles, word);
    if (style < 0) return gpudbg_fail(err, "syntax", "no style is called '%s'", word);
    struct look look = {.foreground = -1, .background = -1};
    bool plain = false, first = true;
    while ((word = strtok_r(NULL, " \t\r\n", &save))) {
        int attribute = WORD_IN(attributes, word);
        char *slash = strchr(word, '/');
        if (!strcmp(word, "|")) {
            plain = true;
        } else if (attribute >= 0) {
            *(plain ? &look.plain : &look.attributes) |= (uint8_t)(1 << attribute);
        } else {
            if (slash) *slash++ = 0;
            if (!first || plain || !colour_read(word, &look.foreground) ||
                (slash && !colour_read(slash, &look.background)))
                return gpudbg_fail(err, "syntax", "'%s' is neither a colour nor an attribute", word);
        }
        first = false;
    }
    t->look[style] = look;
    return true;
}

bool theme_read(struct theme *theme, const char *path, struct gpudbg_error *err)
{
    FILE *f = stream_named(path, SETTINGS_MOST, err);
    if (!f) return false;
    struct theme t;
    theme_plain(&t);
    char line[512];
    long number = 0;
    bool ok = true;
    errno = 0;
    while (ok && fgets(line, sizeof line, f)) {
        number++;
        ok = line_read(&t, line, err);
    }
    const bool whole = !ok || stream_ended(f, err);
    fclose(f);
    if (!whole) snprintf(err->file, sizeof err->file, "%s", path);
    if (!ok) {
        snprintf(err->file, sizeof err->file, "%s", path);
        err->line = number;
    }
    if (ok && whole) *theme = t;
    return ok && whole;
}

void theme_plain(struct theme *t)
{
    static const uint8_t plain[STYLE_COUNT] = {
        [STYLE_title] = THEME_BOLD,
        [STYLE_focus] = THEME_BOLD | THEME_UNDERLINE,
        [STYLE_state] = THEME_REVERSE,
        [STYLE_key] = THEME_BOLD,
        [STYLE_current] = THEME_BOLD,
        [STYLE_cursor] = THEME_REVERSE,
        [STYLE_fresh] = THEME_BOLD,
        [STYLE_breakpoint] = THEME_BOLD,
        [STYLE_field] = THEME_REVERSE,
        [STYLE_prompt] = THEME_BOLD,
        [STYLE_error] = THEME_BOLD,
        [STYLE_bar] = THEME_REVERSE,
        [STYLE_symbol] = THEME_BOLD,
    };
    for (int i = 0; i < STYLE_COUNT; i++) t->look[i] = (struct look){-1, -1, plain[i], plain[i]};
}
