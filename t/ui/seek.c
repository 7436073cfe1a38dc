/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seek.c: text that is looked for in code is found where looking at one unit after another finds it: for random code of
 * each instruction set, from random places, forward and back, for parts of the texts that stand there.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "command/families.h"
#include "decoders/decoders.h"
#include "image/load.h"
#include "session/session.h"
#include "tap.h"

#include "seek.h"

static uint64_t state = 7;

static uint32_t chance(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((state >> 33) % n);
}

static struct gpudbg *loaded(const char *isa, const uint8_t *bytes, size_t n)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct load_options options = {.isa = g ? session_isa(g, isa) : NULL, .raw = true};
    struct gpudbg_image *image = g ? session_image_from(g, "random", bytes, n, &options, &err) : NULL;
    if (image) session_take(g, image);
    if (!image) ok(false, "%s loads: %s", isa, err.message);
    return g;
}

/* ---- One unit after another ---- */

struct units {
    uint64_t *at;
    char **text; /* its own, then of the label before it, or "" */
    size_t n;
};

static void units_take(struct units *u, struct gpudbg *g)
{
    const struct gpudbg_image *image = g->loaded.image;
    struct code_labels labels = {0};
    struct gpudbg_insn insn;
    bool is_insn;
    uint64_t at;
    *u = (struct units){0};
    for (bool more = code_first(image, &at); more; more = code_forward(image, &at)) {
        char text[512] = "", label[512] = "", *both = NULL;
        code_labels_around(&labels, image, at);
        code_at(image, at, &insn, &is_insn);
        code_text(g, &labels, &insn, is_insn, text, sizeof text);
        if (!code_label(&labels, at, label, sizeof label)) *label = 0;
        if (asprintf(&both, "%s\n%s", text, label) < 0) abort();
        u->at = realloc(u->at, (u->n + 1) * sizeof *u->at);
        u->text = realloc(u->text, (u->n + 1) * sizeof *u->text);
        u->at[u->n] = at;
        u->text[u->n++] = both;
    }
    code_labels_close(&labels);
}

static void units_free(struct units *u)
{
    while (u->n) free(u->text[--u->n]);
    free(u->text);
    free(u->at);
}

/* ---- Against it ---- */

static bool same(struct gpudbg *g, const struct units *u, size_t from, const char *what, bool back, bool *met)
{
    size_t want = from;
    *met = false;
    while (!*met && (back ? want > 0 : want + 1 < u->n)) {
        want += back ? (size_t)-1 : 1;
        *met = strcasestr(u->text[want], what) != NULL;
    }
    struct seek s;
    uint64_t at = u->at[from];
    seek_open(&s, g, what);
    const enum seek_end end = back ? seek_before(&s, &at) : seek_after(&s, &at);
    seek_close(&s);
    if (*met ? end == SEEK_MET && at == u->at[want] : end == SEEK_NOWHERE) return true;
    note("'%s' from %" PRIx64 " %s: end %d at %" PRIx64 ", expected %s %" PRIx64, what, u->at[from],
        back ? "back" : "on", end, at, *met ? "met" : "nowhere", *met ? u->at[want] : 0);
    return false;
}

/* A part of a text that stands there, in mixed case; or of none. */
static void some_part(const struct units *u, char part[40])
{
    const char *text = u->text[chance((uint32_t)u->n)];
    const size_t n = strcspn(text, "\n");
    const size_t from = chance(3) ? 0 : chance((uint32_t)n + 1), most = n - from < 30 ? n - from : 30;
    snprintf(part, 40, "%.*s", (int)(1 + chance((uint32_t)most + 1)), text + from);
    part[strcspn(part, "\n")] = 0;
    if (!chance(4)) part[strcspn(part, " ")] = 0;
    if (!chance(3)) part[chance(3)] = (char)toupper((unsigned char)part[0]);
    if (!chance(20)) strcat(part, "q");
    if (!*part) strcpy(part, "a");
}

static void random_code(const char *isa, const char *of, size_t n, unsigned tries)
{
    uint8_t *bytes = malloc(n);
    for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)(*of && chance(3) ? (uint8_t)of[chance(8)] : chance(256));
    struct gpudbg *g = loaded(isa, bytes, n);
    struct units u;
    unsigned right = 0, found = 0;
    units_take(&u, g);
    tries /= tap_sample();
    for (unsigned i = 0; i < tries; i++) {
        char part[40];
        bool met;
        some_part(&u, part);
        right += same(g, &u, chance((uint32_t)u.n), part, chance(2), &met);
        found += met;
    }
    is_int(right, tries, "%s, %zu bytes: found where one unit after another finds it", isa, n);
    ok(found > tries / 4 && found < tries, "... some are there and some are not: %u of %u", found, tries);
    units_free(&u);
    session_close(g);
    free(bytes);
}

/* Few instructions of one kind in much code of others: dwords alone are looked at, and a constant looks like one. */
static void far_apart(void)
{
    static const uint32_t add = 0x06020300, barrier = 0xbf8a0000, moved[2] = {0x7e0402ff, 0xbf8a0000};
    const size_t n = 3 << 20;
    uint32_t *words = malloc(n);
    for (size_t i = 0; i < n / 4; i++) words[i] = add + (chance(256) << 17);
    for (size_t i = 5000; i < n / 4 - 5000; i += 40000) memcpy(words + i, moved, sizeof moved);
    words[3] = words[300000] = words[300001] = words[n / 4 - 1] = barrier;
    struct gpudbg *g = loaded("gfx7", (const uint8_t *)words, n);
    static const uint64_t where[] = {0xc, 4 * 300000, 4 * 300001, (3 << 20) - 4};
    uint64_t at = 0;
    struct seek s;
    seek_open(&s, g, "S_Barrier");
    is_int(s.masks, 2, "a mnemonic is looked for among dwords: as ds_gws_barrier, too");
    for (unsigned i = 0; i < 4; i++) {
        is_int(seek_after(&s, &at), SEEK_MET, "on");
        is_int(at, where[i], "... to the next one");
    }
    is_int(seek_after(&s, &at), SEEK_NOWHERE, "there is no other");
    at = where[3];
    for (unsigned i = 3; i-- > 0;) {
        is_int(seek_before(&s, &at), SEEK_MET, "back");
        is_int(at, where[i], "... to the one before");
    }
    is_int(seek_before(&s, &at), SEEK_NOWHERE, "there is none before");
    seek_close(&s);
    session_close(g);
    free(words);
}

static bool enough(void *data, uint64_t done, uint64_t todo)
{
    unsigned *asked = data;
    return done > todo || ++*asked < 4;
}

static void interrupted(void)
{
    const size_t n = 64 << 20;
    uint8_t *zeros = calloc(n, 1);
    struct gpudbg *g = loaded("gfx7", zeros, n);
    static const char *const words[] = {"s_barrier", "no such text"};
    for (unsigned i = 0; i < 4; i++) {
        struct seek s;
        unsigned asked = 0;
        uint64_t at = i % 2 ? n : 0;
        seek_open(&s, g, words[i / 2]);
        g->ticker = (struct ticker){.tick = enough, .data = &asked};
        is_int(i % 2 ? seek_before(&s, &at) : seek_after(&s, &at), SEEK_STOPPED, "%s can be stopped", words[i / 2]);
        is_int(asked, 4, "... as soon as that is asked for");
        seek_close(&s);
    }
    session_close(g);
    free(zeros);
}

/* The way to a unit must not change its text: targets of branches are labels near it alone. */
static void another_way(void)
{
    const size_t n = 300000;
    uint8_t *bytes = malloc(n);
    for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)chance(256);
    struct gpudbg *g = loaded("gfx7", bytes, n);
    const struct gpudbg_image *image = g->loaded.image;
    struct units u;
    struct code_labels labels = {0};
    unsigned same = 0;
    units_take(&u, g);
    for (size_t i = u.n; i-- > 0;) {
        char text[512] = "";
        struct gpudbg_insn insn;
        bool is_insn;
        code_labels_around(&labels, image, u.at[i]);
        code_at(image, u.at[i], &insn, &is_insn);
        code_text(g, &labels, &insn, is_insn, text, sizeof text);
        same += !strncmp(u.text[i], text, strlen(text)) && u.text[i][strlen(text)] == '\n';
    }
    is_int(same, u.n, "texts are the same from the end back");
    code_labels_close(&labels);
    units_free(&u);
    session_close(g);
    free(bytes);
}

int main(void)
{
    another_way();
    random_code("gfx7", "\x06\x7e\xd2\xbf\xd8\x80\x4a\xe0", 40000, 1500);
    random_code("gfx7", "", 30001, 500);
    random_code("gfx7", "", 300000, 300);
    random_code("gen12", "\x40\x41\x61\x05\x03\x31\x06\x20", 40000, 500);
    random_code("gen7.5", "", 20000, 300);
    far_apart();
    interrupted();
    return tap_done();
}
