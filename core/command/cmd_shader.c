/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info shaders, shader: the code that commands of a dump point at, and one of it as loaded code. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "dump/dump_shader.h"
#include "image/image.h"
#include "image/load.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

static void where_text(const struct dump_shader *s, char *buf, size_t size)
{
    if (!s->based)
        snprintf(buf, size, "counts from the %s, which no command before it sets", s->base);
    else if (!s->bytes)
        snprintf(buf, size, "not in the dump");
    else if (!s->isa)
        snprintf(buf, size, "of a generation that is not supported");
    else
        snprintf(buf, size, "%zu bytes%s", s->size, s->ends ? "" : ", and its program does not end in them");
}

static void say_shader(
    const struct gpudbg_dump *d, const struct dump_shader *s, size_t number, size_t dump, struct gpudbg_out *out)
{
    char text[160];
    where_text(s, text, sizeof text);
    RECORD(out, "shader", "{number:3}  {address:-18} {command} {name}, {where}\n", NUMBER("number", number),
        HEX("address", s->addr), STRING("command", s->command), STRING("name", s->name), BOOL("based", s->based),
        BOOL("held", s->bytes != NULL), IF(s->bytes, NUMBER("bytes", s->size)), IF(s->bytes, BOOL("ends", s->ends)),
        STRING("isa", s->isa ? s->isa->name : NULL), NUMBER("stream", s->stream), HEX("offset", s->offset),
        NUMBER("dump", dump), NUMBER("line", gpudbg_dump_stream_line(d, s->stream, s->offset)), TEXT("where", text));
}

static bool run_shaders(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_dump *d;
    uint64_t number;
    size_t n;
    if (!(d = session_dump_asked(g, a, &number, err)) || !args_end(a, err)) return false;
    struct dump_shader *all = dump_shaders(d, &n);
    for (size_t i = 0; i < n && !out_broken(out); i++) say_shader(d, &all[i], i, (size_t)number, out);
    free(all);
    return n || gpudbg_fail(err, "not-now", "no command of the dump's streams points at code; `packets` lists them");
}

static const struct gpudbg_command info_shaders = {
    .name = "info shaders",
    .usage = "[-d DUMP]",
    .summary = "list the code that a dump's commands point at",
    .help =
        "Commands of batches set shaders (3DSTATE_VS to 3DSTATE_PS) and kernels (interface descriptors) by\n"
        "offsets from the instruction base, which STATE_BASE_ADDRESS sets.  Each is listed once, with its address.\n"
        "The bytes are there if the error state holds the object (`user`, batch or another) in which they lie.\n"
        "`shader NUMBER` loads one as code of the dump's generation.",
    .family = "Dumps",
    .run = run_shaders,
};

/* Loads the bytes of one under a name that says whence. */
static bool open_shader(
    struct gpudbg *g, const struct gpudbg_dump *d, const struct dump_shader *s, struct gpudbg_error *err)
{
    char name[4200];
    const struct load_options options = {.isa = s->isa, .raw = true, .base = s->addr};
    snprintf(name, sizeof name, "%s: %s %s at 0x%" PRIx64, gpudbg_dump_path(d), s->command, s->name, s->addr);
    if (!session_may_replace(g, err)) return false;
    struct gpudbg_image *image = session_image_from(g, name, s->bytes, s->size, &options, err);
    if (!image) return false;
    gpudbg_image_fact(image, "in dump", name, s->addr);
    session_take(g, image);
    return true;
}

static bool run_shader(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_dump *d;
    uint64_t which, number;
    char text[160];
    size_t n;
    if (!gpudbg_args_number(a, &which, err) || !(d = session_dump_asked(g, a, &number, err)) || !args_end(a, err))
        return false;
    struct dump_shader *all = dump_shaders(d, &n);
    bool ok = which < n;
    if (!ok) {
        gpudbg_fail(err, "out-of-range",
            n ? "no shader %" PRIu64 ": `info shaders` lists %zu" : "no command of the dump points at code", which, n);
    } else if (!all[which].based || !all[which].bytes || !all[which].isa) {
        where_text(&all[which], text, sizeof text);
        ok = gpudbg_fail(err, "missing", "shader %" PRIu64 ": %s", which, text);
    } else if (session_may_lose(g, true, "Load another file?")) {
        ok = open_shader(g, d, &all[which], err);
        if (ok) say_shader(d, &all[which], (size_t)which, (size_t)number, out);
    }
    free(all);
    return ok;
}

static const struct gpudbg_command shader = {
    .name = "shader",
    .usage = "NUMBER [-d DUMP]",
    .summary = "load the code that a dump's command points at",
    .help =
        "`info shaders` lists them.  The code is placed at its address in the dump, from its first instruction to the\n"
        "end of its program.  It replaces the code that was loaded; the dump stays open.",
    .family = "Dumps",
    .effect = GPUDBG_CHANGES,
    .run = run_shader,
};

static const struct gpudbg_command *const commands[] = {&info_shaders, &shader, NULL};
COMMAND_FAMILY(cmd_shader, "shader", .summary = "commands about code in dumps", .commands = commands);
