/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What code reads before anything wrote it: `info inputs`. */
#include <inttypes.h>
#include <stdio.h>
#include "code/code_names.h"
#include "eval/location.h"
#include "flow/signature.h"
#include "image/image.h"
#include "session/command.h"
#include "session/session.h"

struct input_row {
    const struct gpudbg *g;
    const struct gpudbg_isa *isa;
    const struct signature_run *run;
};

static int input_register(const void *row, char *buf, size_t size)
{
    const struct input_row *r = row;
    return signature_name(r->isa, r->run, buf, size);
}

static int input_count(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct input_row *)row)->run->n);
}

static int input_bits(const void *row, char *buf, size_t size)
{
    const struct input_row *r = row;
    return snprintf(buf, size, "%u", (unsigned)r->isa->files[r->run->file].bits);
}

static int input_read(const void *row, char *buf, size_t size)
{
    const struct input_row *r = row;
    return r->run->read == GPUDBG_NO_ADDR ? snprintf(buf, size, "%s", "")
                                          : snprintf(buf, size, "0x%" PRIx64, r->run->read);
}

static int input_text(const void *row, char *buf, size_t size)
{
    const struct input_row *r = row;
    return code_text_at(r->g->loaded.image, r->run->read, r->g->settings.syntax, buf, size);
}

static const struct gpudbg_column input_columns[] = {
    {"register", "register", 0, GPUDBG_NAME, input_register},
    {"count", "count", 0, GPUDBG_COUNT, input_count},
    {"bits", "bits of each", 0, GPUDBG_COUNT, input_bits},
    {"read", "first read at", 0, GPUDBG_ADDRESS, input_read},
    {"text", "by", 0, GPUDBG_PLAIN, input_text},
};

struct input_list {
    const struct gpudbg *g;
    gpudbg_row_fn *each;
    void *to;
};

static bool each_run(void *to, const struct gpudbg_isa *isa, const struct signature_run *run)
{
    const struct input_list *l = to;
    return l->each(l->to, &(struct input_row){l->g, isa, run});
}

static bool input_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = g->loaded.image;
    struct input_list l = {g, each, to};
    uint64_t addr;
    if (!image || !image->isa)
        return gpudbg_fail(err, "no-file", "no file is loaded, or its instruction set is not known");
    if (*args && !location_addr(&g->eval, args, &addr, err)) return false;
    if (!*args) addr = image->nkernels ? image->kernels[0].entry : 0;
    for (size_t i = 0; !*args && !image->nkernels && i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES && image->sections[i].bytes) {
            addr = image->sections[i].addr;
            break;
        }
    return signature_of(image, addr, each_run, &l, err);
}

static const struct gpudbg_listing inputs = {
    .name = "inputs",
    .summary = "list the registers that code reads before anything wrote them, from PLACE or its first entry on",
    .type = "signature-register",
    .columns = input_columns,
    .ncolumns = sizeof input_columns / sizeof *input_columns,
    .rows = input_rows,
    .empty = "it reads no register that nothing wrote",
};

static const struct gpudbg_listing *const listings[] = {&inputs, NULL};
COMMAND_FAMILY(cmd_inputs, "inputs", .summary = "what code is started with", .listings = listings);
