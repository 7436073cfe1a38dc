/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_source.c: `directory`: where source files may be. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "command/cmd_source.h"
#include "session/command.h"
#include "session/session.h"
#include "eval/source_file.h"

void source_path_changed(struct gpudbg *g)
{
    g->loaded.source_path = g->settings.source_path;
    g->loaded.source_changes++;
}

bool source_path_set(struct gpudbg *g, const char *folders, struct gpudbg_error *err)
{
    char old[sizeof g->settings.source_path];
    memcpy(old, g->settings.source_path, sizeof old);
    g->settings.source_path[0] = 0;
    const bool set = source_path_add(g->settings.source_path, sizeof g->settings.source_path, folders, err);
    if (!set) memcpy(g->settings.source_path, old, sizeof old);
    source_path_changed(g);
    return set;
}

static bool run_directory(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *folders = gpudbg_args_word(a);
    (void)out;
    if (!folders) return source_path_set(g, "", err);
    if (!args_end(a, err) || !source_path_add(g->settings.source_path, sizeof g->settings.source_path, folders, err))
        return false;
    source_path_changed(g);
    return true;
}

static const struct gpudbg_command directory = {
    .name = "directory",
    .aliases = "dir",
    .usage = "[FOLDER[:FOLDER]...]",
    .summary = "also look for source files in these folders, before all other places",
    .help =
        "A source file is a name in the debug information of a file that somebody else may have made, so it is only\n"
        "read beside that file or in folders given here (links are followed first).  In a folder the whole name is\n"
        "tried, then its last part.  $cdir allows the names as the file has them, $cwd is the current folder.\n"
        "Without a folder the list is empty again.  `show source-path` shows it, `set source-path` replaces it.",
    .family = "Settings",
    .run = run_directory,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&directory, NULL};
COMMAND_FAMILY(cmd_source, "sources", .summary = "where source files are", .commands = commands);
