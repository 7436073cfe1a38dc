/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_welcome.c: what one can do, when nothing is loaded. */
#include "inside.h"

static const char *const lines[] = {
    "gpudbg reads, explains and runs GPU machine code; no GPU is needed.",
    "",
    ":demo            a kernel that comes with the program, launched, at its entry",
    ":file FILE       a code object, or anything gpudbg recognises",
    ":file --isa gfx7 --raw FILE        bare code",
    ":decode d2820003 04120501          an instruction, typed in (after :isa gfx7)",
    "",
    "Then: s steps, S steps back, b sets a breakpoint, c runs to it, Tab goes from",
    "pane to pane, / finds, Enter follows a branch, ? lists all keys.",
    "",
    "Time goes both ways: S N I C run backward.  `origin PLACE`: who wrote a value.",
    "`check all on` (off now) stops at races, at reads of unwritten values ...",
    "",
    "From the shell: gpudbg FILE, gpudbg --demo, gpudbg --help.",
    "",
    "Press : to type a command (help lists them), q to leave.",
};

static void welcome_draw(struct pane *p, const struct area *a)
{
    int n = (int)(sizeof lines / sizeof *lines), y = a->h > n ? (a->h - n) / 3 : 0;
    int x = a->w > 100 ? (a->w - 80) / 3 : 2;
    (void)p;
    for (int i = 0; i < n && y + i < a->h; i++)
        area_text(a, x, y + i, lines[i][0] == ':' ? STYLE_key : STYLE_text, lines[i]);
    for (int i = 0; i < n && y + i < a->h; i++)
        if (lines[i][0] == ':') area_restyle(a, x + 17, y + i, a->w, STYLE_text);
}

const struct pane_kind pane_welcome = {
    .name = "welcome",
    .fits = true,
    .summary = "what one can do",
    .draw = welcome_draw,
};
