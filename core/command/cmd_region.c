/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print region: which byte of which register belongs to which lane. */
#include <inttypes.h>
#include "base/words.h"
#include "session/command.h"
#include "code/walk.h"
#include "eval/location.h"
#include "code/region.h"
#include "session/session.h"

#define COLUMNS 80

static void put_marked(struct gpudbg_out *out, const struct region_picture *picture)
{
    for (size_t i = 0; i < picture->n; i++) gpudbg_out_print(out, "%s\n", picture->row[i].text);
}

/* Of the instruction at a place, or of one typed as bytes. */
static bool run_print_region(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *where = gpudbg_args_rest(a);
    uint64_t addr = location_here(&g->eval);
    struct gpudbg_insn insn;
    struct region_picture picture;
    char text[2048];
    if (!eval_need_image(&g->eval, err) || (*where && !location_addr(&g->eval, where, &addr, err))) return false;
    if (!g->loaded.image->isa->regions.footprints)
        return gpudbg_fail(err, "unsupported", "the operands of %s are whole registers and have no regions",
            g->loaded.image->isa->name);
    if (!insn_at(g->loaded.image, addr, &insn) || !insn.op)
        return gpudbg_fail(err, "out-of-range", "no instruction at 0x%" PRIx64, addr);
    struct gpudbg_wave *wave = gpudbg_session_wave(g);
    unsigned syntax = settings_syntax(&g->settings, insn.isa);
    if (gpudbg_out_json(out)) {
        region_record(out, &insn, wave, syntax);
        return true;
    }
    insn.isa->text(&insn, syntax, GPUDBG_READABLE, NULL, text, sizeof text);
    gpudbg_out_print(out, "%04" PRIx64 ": %s\n", insn.addr, text);
    region_draw(&picture, &insn, wave, g->settings.width > COLUMNS ? g->settings.width : COLUMNS, false, NULL);
    put_marked(out, &picture);
    region_free(&picture);
    return true;
}

static const struct gpudbg_command print_region = {
    .name = "print region",
    .usage = "[SYMBOL | *ADDR]",
    .summary = "show which bytes of which registers feed which channels",
    .help = "The command draws the registers that each operand of an instruction uses, 32 bytes on a row.  Each\n"
            "element shows the channels that use it:\n"
            "    5    channel 5; 0-7: several channels\n"
            "    *    more channels than fit\n"
            "    x    a channel that is masked off, or an element that is not written\n"
            "    =    no channel in particular\n"
            "    .    the instruction neither reads nor writes this element\n"
            "If a thread is running, the present indirect addresses and masks are used.  The pane `region` shows\n"
            "the same for the instruction under the cursor.",
    .family = "Data",
    .run = run_print_region,
    .complete = complete_symbol,
};

static const struct gpudbg_command *const commands[] = {&print_region, NULL};
COMMAND_FAMILY(cmd_region, "region", .summary = "the command print region", .commands = commands);
