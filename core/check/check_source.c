/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_source.c: the lines of the source that a report is about: of its instruction, of the functions that this was
 * inlined into, and of the calls that led there. */
#include <inttypes.h>
#include <string.h>
#include "check/check.h"
#include "eval/locals.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "out/say.h"

#define FRAMES 32

struct frames {
    struct {
        uint64_t pc;
        struct local_frame frame;
    } of[FRAMES];
    size_t n;
};

/* Finds the frames that have a line, the innermost first. */
static void find_frames(struct eval *eval, const struct check_report *r, struct frames *f)
{
    f->n = 0;
    for (unsigned call = 0; call <= r->ncalls; call++) {
        struct local_frame frame[FRAMES];
        const uint64_t pc = call ? r->call[call - 1] : r->what.pc;
        const size_t n = locals_frames(eval, pc, frame, FRAMES);
        for (size_t i = 0; i < n && f->n < FRAMES; i++) {
            if (!frame[i].file || !frame[i].line) continue;
            f->of[f->n].pc = pc;
            f->of[f->n++].frame = frame[i];
        }
    }
}

int check_source(struct eval *eval, const struct check_report *r, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    struct frames f;
    find_frames(eval, r, &f);
    for (size_t i = 0; i < f.n; i++) {
        const struct local_frame *at = &f.of[i].frame;
        const char *slash = strrchr(at->file, '/');
        text_add(&t, "%s%s%s:%" PRIu32, i ? ", " : "", i || f.of[i].pc != r->what.pc ? "from " : "",
            slash ? slash + 1 : at->file, at->line);
        if (f.n > 1 && at->name) text_add(&t, " in %s", at->name);
    }
    return text_length(&t);
}

int check_source_at(struct eval *eval, uint64_t pc, char *buf, size_t size)
{
    const struct check_report at = {.what = {.pc = pc}};
    return check_source(eval, &at, buf, size);
}

void check_frames(struct eval *eval, const struct check_report *r, struct gpudbg_out *out)
{
    struct frames f;
    char where[200];
    find_frames(eval, r, &f);
    if (!f.n) return;
    gpudbg_out_array(out, "frames");
    for (size_t i = 0; i < f.n; i++) {
        const struct local_frame *at = &f.of[i].frame;
        image_where(eval->loaded->image, f.of[i].pc, where, sizeof where);
        ITEM(out, NULL, NULL, HEX("pc", f.of[i].pc), STRING("where", where), STRING("function", at->name),
            STRING("file", at->file), NUMBER("line", at->line));
    }
    gpudbg_out_close(out);
}

int check_where(const struct gpudbg_image *image, uint64_t pc, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_wrote(&t, image_where(image, pc, buf, size));
    const struct gpudbg_line *row = image ? gpudbg_image_line(image, pc) : NULL;
    if (!row || !row->line) return text_length(&t);
    const char *slash = strrchr(row->file, '/');
    text_add(&t, " (%s:%" PRIu32 ")", slash ? slash + 1 : row->file, row->line);
    return text_length(&t);
}
