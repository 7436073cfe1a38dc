/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files of code whose lines come from several in turn: each is read once, and what is kept is bounded. */
#include <stdlib.h>
#include <unistd.h>
#include "eval/source_file.h"
#include "tap.h"

static char folder[] = "/tmp/gpudbg-sources-XXXXXX";

static void make_file(const char *name, size_t lines, size_t width)
{
    char path[256];
    snprintf(path, sizeof path, "%.100s/%s", folder, name);
    FILE *f = fopen(path, "w");
    for (size_t i = 1; f && i <= lines; i++) fprintf(f, "%s line %zu%*s\n", name, i, (int)width, "");
    if (f) fclose(f);
}

int main(void)
{
    struct sources s = {0};
    struct gpudbg_image image = {.path = "/nowhere/k.co"};
    size_t len;
    if (!mkdtemp(folder)) return 1;
    struct loaded loaded = {.image = &image, .source_path = folder};
    make_file("a.cl", 1000, 0);
    make_file("b.cl", 1000, 0);
    unsigned wrong = 0;
    for (uint32_t i = 1; i <= 1000; i++)
        for (int b = 0; b < 2; b++) {
            char want[64];
            snprintf(want, sizeof want, "%c.cl line %u", 'a' + b, i);
            const char *text = source_line(sources_of(&s, &loaded, b ? "b.cl" : "a.cl"), i, &len);
            wrong += !text || len != strlen(want) || strncmp(text, want, len) != 0;
        }
    is_int(wrong, 0, "two files in turn: every line is the right one");
    is_int((int64_t)s.opened, 2, "... and each file is opened once");

    loaded.source_changes++;
    sources_of(&s, &loaded, "a.cl");
    is_int((int64_t)s.opened, 3, "after `directory` it is looked for again");
    sources_close(&s);

    s.opened = 0;
    static const char *const missing[] = {"/nowhere/0.cl", "/nowhere/1.cl", "2.cl", "3.cl"};
    for (int i = 0; i < 100; i++) wrong += source_line(sources_of(&s, &loaded, missing[i % 4]), 1, &len) != NULL;
    is_int((int64_t)s.opened, 4, "what is not there is looked for once");
    is_int(wrong, 0, "... and has no lines");
    sources_close(&s);

    static char names[12][20];
    size_t most = 0;
    for (int i = 0; i < 12; i++) {
        size_t bytes = 0;
        snprintf(names[i], sizeof names[i], "large%d.cl", i);
        make_file(names[i], 1000, 9000); /* 9 MB */
        wrong += !sources_of(&s, &loaded, names[i])->text;
        for (size_t f = 0; f < s.n; f++) bytes += s.file[f].size;
        if (bytes > most) most = bytes;
        char path[256];
        snprintf(path, sizeof path, "%.100s/%.20s", folder, names[i]);
        unlink(path);
    }
    is_int(wrong, 0, "twelve files of nine megabytes are all read");
    ok(most <= SOURCES_BYTES, "... and no more than %zu bytes are kept at a time", SOURCES_BYTES);
    ok(s.n <= SOURCES, "... of a few files");
    sources_close(&s);

    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) ? 1 : tap_done();
}
