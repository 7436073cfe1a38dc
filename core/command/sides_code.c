/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of the two sides, with its rows aligned; see sides.h. */
#include "command/sides_parts.h"

#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "code/walk.h"
#include "image/image.h"

#define LINES_MOST 20000     /* of code */
#define CELLS_MOST (4 << 20) /* lines of one side by lines of the other that are aligned by what they say */

/* The function that holds the address. */
static void function_at(const struct gpudbg_image *image, uint64_t pc, uint64_t *from, uint64_t *to)
{
    size_t after = code_symbol_after(image, pc), i = after;
    *from = pc;
    *to = pc + 4 * LINES_MOST;
    for (size_t k = 0; k < image->nsections; k++) {
        const struct gpudbg_section *s = &image->sections[k];
        if ((s->flags & GPUDBG_CODE_BYTES) && pc - s->addr < s->size) *from = s->addr, *to = s->addr + s->size;
    }
    while (
        i > 0 && image->symbols[i - 1].kind != GPUDBG_SYM_FUNCTION && image->symbols[i - 1].kind != GPUDBG_SYM_KERNEL)
        i--;
    if (i > 0 && image->symbols[i - 1].addr > *from) *from = image->symbols[i - 1].addr;
    if (i > 0 && image->symbols[i - 1].size && pc - image->symbols[i - 1].addr < image->symbols[i - 1].size)
        *to = image->symbols[i - 1].addr + image->symbols[i - 1].size;
    for (i = after; i < image->nsymbols && image->symbols[i].addr < *to; i++)
        if (image->symbols[i].kind == GPUDBG_SYM_FUNCTION || image->symbols[i].kind == GPUDBG_SYM_KERNEL) {
            *to = image->symbols[i].addr;
            break;
        }
}

static void lines_take(struct sides *t, int s, uint64_t pc)
{
    struct code_names names;
    struct code_walk walk;
    struct gpudbg_insn insn;
    struct gpudbg_error ignored = {0};
    char text[GPUDBG_PRINT];
    uint64_t from, to;
    size_t room = 0;
    function_at(t->image[s], pc, &from, &to);
    const bool labels = code_names_open(&names, t->image[s], from, to, NULL, &t->g->ticker, &ignored);
    if (!labels) code_names_plain(&names, t->image[s]);
    code_walk_open(&walk, t->image[s], from, to);
    while (t->nlines[s] < LINES_MOST && code_walk_next(&walk, &insn)) {
        if (!walk.is_insn) continue;
        if ((size_t)t->nlines[s] == room)
            t->line[s] = xgrow(t->line[s], (size_t)t->nlines[s], &room, sizeof *t->line[s]);
        insn.isa->text(
            &insn, settings_syntax(&t->g->settings, insn.isa), GPUDBG_READABLE, &names.names, text, sizeof text);
        t->line[s][t->nlines[s]++] = (struct side_line){insn.addr, xstrdup(text)};
    }
    code_names_close(&names);
}

/* How well two lines fit together: they say the same, or begin with the same word. */
static unsigned fits(const struct side_line *a, const struct side_line *b)
{
    const size_t n = strcspn(a->text, " "), m = strcspn(b->text, " ");
    if (strcmp(a->text, b->text) == 0) return 3;
    return n == m && strncmp(a->text, b->text, n) == 0;
}

static void row_add(struct sides *t, int a, int b)
{
    const bool differs = a < 0 || b < 0 || fits(&t->line[0][a], &t->line[1][b]) < 3;
    t->row[t->nrows++] = (struct side_row){{a, b}, differs};
    t->ndiffer += differs;
}

/* Lines i to i_end and k to k_end beside each other, in their order. */
static void rows_beside(struct sides *t, int i, int i_end, int k, int k_end)
{
    while (i < i_end || k < k_end) {
        row_add(t, i < i_end ? i : -1, k < k_end ? k : -1);
        i += i < i_end;
        k += k < k_end;
    }
}

/* The most that lines from i and from k on fit, for all of both. */
static void rows_align(struct sides *t, int i, int i_end, int k, int k_end)
{
    const size_t n = (size_t)(i_end - i), m = (size_t)(k_end - k), w = m + 1;
    uint16_t *best = n && m && n * m <= CELLS_MOST ? calloc((n + 1) * w, sizeof *best) : NULL;
    int from[2] = {i, k};
    for (size_t a = n; best && a-- > 0;)
        for (size_t b = m; b-- > 0;) {
            const unsigned fit = fits(&t->line[0][(size_t)i + a], &t->line[1][(size_t)k + b]);
            uint16_t score = best[(a + 1) * w + b] > best[a * w + b + 1] ? best[(a + 1) * w + b] : best[a * w + b + 1];
            if (fit && best[(a + 1) * w + b + 1] + fit >= score) score = (uint16_t)(best[(a + 1) * w + b + 1] + fit);
            best[a * w + b] = score;
        }
    for (size_t a = 0, b = 0; best && a < n && b < m;) {
        const unsigned fit = fits(&t->line[0][(size_t)i + a], &t->line[1][(size_t)k + b]);
        if (fit && best[a * w + b] == best[(a + 1) * w + b + 1] + fit) {
            rows_beside(t, from[0], i + (int)a, from[1], k + (int)b);
            row_add(t, i + (int)a, k + (int)b);
            from[0] = i + (int)++a;
            from[1] = k + (int)++b;
        } else if (best[(a + 1) * w + b] >= best[a * w + b + 1])
            a++;
        else
            b++;
    }
    free(best);
    rows_beside(t, from[0], i_end, from[1], k_end);
}

static void rows_make(struct sides *t)
{
    int first = 0, end[2] = {t->nlines[0], t->nlines[1]};
    t->row = xcalloc((size_t)(end[0] + end[1]) + 1, sizeof *t->row);
    while (first < end[0] && first < end[1] && fits(&t->line[0][first], &t->line[1][first]) == 3) {
        row_add(t, first, first);
        first++;
    }
    int same = 0;
    while (end[0] - same > first && end[1] - same > first &&
           fits(&t->line[0][end[0] - same - 1], &t->line[1][end[1] - same - 1]) == 3)
        same++;
    rows_align(t, first, end[0] - same, first, end[1] - same);
    rows_beside(t, end[0] - same, end[0], end[1] - same, end[1]);
}

int sides_row_at(const struct sides *t, int s, uint64_t pc)
{
    for (int i = 0; i < t->nrows; i++)
        if (t->row[i].at[s] >= 0 && t->line[s][t->row[i].at[s]].pc == pc) return i;
    return -1;
}

int sides_row(const struct sides *t, int s) { return t->there[s] ? sides_row_at(t, s, t->pc[s]) : -1; }

/* ---- Where it is ---- */

/* The kernel whose code is compared where nothing runs: the one that was named, else that of the session's cursor. */
static const struct gpudbg_kernel *kernel_of(const struct sides *t)
{
    const struct gpudbg_image *image = t->image[0];
    const uint64_t cursor = t->g->selection.cursor;
    if (*t->kernel) return gpudbg_image_kernel_named(image, t->kernel);
    for (size_t i = 0; i < image->nkernels; i++)
        if (cursor - image->kernels[i].entry < image->kernels[i].size) return &image->kernels[i];
    return image->nkernels ? &image->kernels[0] : NULL;
}

static uint64_t code_start(const struct sides *t, const struct gpudbg_image *image)
{
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES) return image->sections[i].addr;
    return t->g->selection.cursor;
}

/* Where the code of a side is; of a second file with several kernels, the kernel of the first one's name. */
static bool entry_of(const struct sides *t, int s, uint64_t *entry, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = t->image[s];
    const struct gpudbg_kernel *kernel = kernel_of(t), *same = kernel;
    if (s && kernel) same = gpudbg_image_kernel_named(image, kernel->name);
    if (!same && image->nkernels == 1 && !*t->kernel) same = &image->kernels[0];
    if (!same && (*t->kernel || (kernel && image->nkernels > 1)))
        return gpudbg_fail(
            err, "no-such-name", "%s has no kernel \"%.60s\"", image->path, *t->kernel ? t->kernel : kernel->name);
    *entry = same ? same->entry : code_start(t, image);
    return true;
}

bool sides_take_code(struct sides *t, struct gpudbg_error *err)
{
    for (int s = 0; s < 2; s++) {
        uint64_t from = t->pc[s];
        if (!(t->machine[s] && t->there[s]) && !entry_of(t, s, &from, err)) return false;
        lines_take(t, s, from);
    }
    rows_make(t);
    return true;
}
