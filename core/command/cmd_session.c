/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save session; opening one is `file FILE`, or the command line. */
#include "command/session_file.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "out/say.h"
#include "session/command.h"

static void say_beside(void *data, const char *name, uint64_t size)
{
    fprintf(data, "not in it: %s, %" PRIu64 " bytes: it is looked for from the session's folder\n", name, size);
}

static bool run_save_session(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t size;
    char *said = NULL;
    size_t n = 0;
    const char *path = args_need(a, "a file to write", err);
    const bool paths = path && strcmp(path, "-p") == 0;
    if (paths) path = args_need(a, "a file to write", err);
    if (!path || !args_end(a, err)) return false;
    FILE *f = open_memstream(&said, &n);
    if (!f) return alloc_failed(err, 0, "the session");
    const bool good = session_write(g, path, paths, say_beside, f, &size, err);
    fclose(f);
    if (good)
        RECORD(out, "saved", "{file}: {size} bytes\n", STRING("name", "session"), STRING("file", path),
            NUMBER("size", size));
    if (good) gpudbg_out_print(out, "%s", said);
    free(said);
    return good;
}

static const struct gpudbg_command save_session = {
    .name = "save session",
    .usage = "[-p] FILE",
    .summary = "write all that you have open to a file, which `gpudbg FILE` opens",
    .help = "The file holds the code with its patches, the dumps, the launch with its inputs, what you changed and in\n"
            "which order waves ran, breakpoints, displays, bookmarks, notes, the layout of the screen, and the\n"
            "position in time.  It is small, because opening it runs the launch again.  `help sessions` says more.\n"
            "-p  name the files that are too large to be in it by their whole path: a path may name your home folder",
    .family = "Sessions",
    .writes = true,
    .run = run_save_session,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&save_session, NULL};
COMMAND_FAMILY(cmd_session, "sessions", .summary = "sessions that are saved", .commands = commands);
