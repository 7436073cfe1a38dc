/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "eval/eval.h"

#include "machine/machine.h"

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

struct gpudbg_machine *eval_need_running(const struct eval *ev, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval_need_machine(ev, err);
    if (!m || !machine_wave_ended(m, ev->selection->wave)) return m;
    gpudbg_fail(err, "not-now", "wave %u is not running: it has ended", (unsigned)ev->selection->wave);
    return NULL;
}

const struct gpudbg_isa *eval_isa(const struct eval *ev)
{
    return ev->running->machine ? ev->running->machine->isa
           : ev->loaded->image  ? ev->loaded->image->isa
                                : ev->loaded->isa;
}
