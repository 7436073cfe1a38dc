/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hello.c: the smallest plug-in, one command.
 *
 *     $ gpudbg --plugin hello.so --batch -e 'hello world'
 *     hello, world: nothing is loaded
 */
#include <gpudbg.h>

static bool hello(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    const char *whom = gpudbg_args_word(args);
    if (!whom) return gpudbg_fail(err, "command", "hello: say whom to greet");
    gpudbg_out_print(out, "hello, %s: ", whom);
    if (image) gpudbg_out_print(out, "%s is %s code with %zu kernels\n", image->path, image->isa->name, image->nkernels);
    else gpudbg_out_print(out, "nothing is loaded\n");
    gpudbg_out_begin(out, "hello"); /* the same for --json */
    gpudbg_out_string(out, "whom", whom);
    gpudbg_out_number(out, "kernels", image ? (int64_t)image->nkernels : 0);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command hello_command = {
    .name = "hello",
    .usage = "NAME",
    .summary = "Greet somebody and count the kernels",
    .family = "plug-ins",
    .run = hello,
};
static const struct gpudbg_command *const commands[] = {&hello_command, NULL};

GPUDBG_PUBLIC const struct gpudbg_plugin gpudbg_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "hello",
    .version = "1",
    .summary = "says hello",
    .commands = commands,
};
