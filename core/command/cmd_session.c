/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save session; opening one is `file FILE`, or the command line. */
#include "command/session_file.h"
#include "out/say.h"
#include "session/command.h"

static bool run_save_session(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t size;
    const char *path = args_need(a, "a file to write", err);
    if (!path || !args_end(a, err) || !session_write(g, path, &size, err)) return false;
    RECORD(
        out, "saved", "{file}: {size} bytes\n", STRING("name", "session"), STRING("file", path), NUMBER("size", size));
    return true;
}

static const struct gpudbg_command save_session = {
    .name = "save session",
    .usage = "FILE",
    .summary = "write all that you have open to a file, which `gpudbg FILE` opens",
    .help = "The file holds the code with its patches, the dumps, the launch with its inputs, what you changed and in\n"
            "which order waves ran, breakpoints, displays, bookmarks, notes, the layout of the screen, and where you\n"
            "stand in time.  It is small, because opening it runs the launch again.  `help sessions` says more.",
    .family = "Sessions",
    .writes = true,
    .run = run_save_session,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&save_session, NULL};
COMMAND_FAMILY(cmd_session, "sessions", .summary = "sessions that are saved", .commands = commands);
