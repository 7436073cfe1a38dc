/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference KERNEL -g SIZES -l SIZES ARG... [--save N FILE]...: runs a kernel's plain C form on the same arguments. */
#include "reference.h"

#include <stdlib.h>

static const struct reference *const families[] = {
    reference_integer,
    reference_float,
    reference_flow,
    reference_memory,
    reference_types,
    reference_math,
    reference_unseen,
    reference_isa,
};

void *ref_buffer(const struct host_run *run, unsigned i)
{
    if (i >= run->nargs || run->arg[i].kind != HOST_BYTES) host_fail("%s: argument %u is not a buffer", run->kernel, i);
    return run->arg[i].bytes;
}

static const char *number_text(const struct host_run *run, unsigned i)
{
    if (i >= run->nargs || run->arg[i].kind != HOST_NUMBER)
        host_fail("%s: argument %u is not a number", run->kernel, i);
    return run->arg[i].text;
}

uint64_t ref_integer(const struct host_run *run, unsigned i) { return strtoull(number_text(run, i), NULL, 0); }

double ref_real(const struct host_run *run, unsigned i) { return strtod(number_text(run, i), NULL); }

size_t ref_items(const struct host_run *run) { return run->global[0] * run->global[1] * run->global[2]; }

size_t ref_group(const struct host_run *run) { return run->local[0] * run->local[1] * run->local[2]; }

int main(int argc, char **argv)
{
    struct host_run run;
    host_parse(&run, argc - 1, argv + 1);
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (const struct reference *r = families[f]; r->kernel; r++) {
            if (!strcmp(r->kernel, run.kernel)) {
                r->run(&run);
                host_write_saves(&run);
                host_free(&run);
                return 0;
            }
        }
    }
    host_fail("%s: no such kernel", run.kernel);
}
