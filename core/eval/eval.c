/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "eval/eval.h"

struct gpudbg_image *eval_need_image(const struct eval *ev, struct gpudbg_error *err)
{
    if (!ev->loaded->image) gpudbg_fail(err, "no-file", "nothing is loaded; `file FILE` loads a file");
    return ev->loaded->image;
}

struct gpudbg_machine *eval_need_machine(const struct eval *ev, struct gpudbg_error *err)
{
    if (!ev->running->machine) gpudbg_fail(err, "no-launch", "nothing is launched; see `help launch`");
    return ev->running->machine;
}

const struct gpudbg_isa *eval_isa(const struct eval *ev)
{
    return ev->running->machine ? ev->running->machine->isa
           : ev->loaded->image  ? ev->loaded->image->isa
                                : ev->loaded->isa;
}
