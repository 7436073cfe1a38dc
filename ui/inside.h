/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inside.h: the screen from inside: the state that its files and panes share, and what they ask of each other.
 */
#ifndef UI_INSIDE_H
#define UI_INSIDE_H

#include <string.h>
#include <time.h>

#include "before.h"
#include "keys.h"
#include "layout.h"
#include "links.h"
#include "pane.h"
#include "log_reading.h"
#include "screen.h"
#include "theme.h"
#include "transcript.h"

struct screen {
    struct gpudbg *g;
    struct screen_options options;
    bool terminal; /* there is one; else only the grid */
    bool utf8;
    bool away;               /* a program has the terminal now */
    bool opened;             /* commands are the user's now, not those of the start */
    bool closing;            /* the terminal is gone, or an end was asked for */
    struct reading *reading; /* the log that is still being read, which only the pane log shows; NULL: none */
    struct cells *cells;
    struct theme theme;
    struct keys keys;
    struct layout layout;
    char layout_name[32]; /* "": one typed as a whole */
    char theme_name[64];
    bool hinted_results; /* ... and how to look at its results */
    bool hinted;         /* it was told what one can do with a launch */
    bool drawn;          /* there was a picture */
    bool live;           /* a pane is being drawn while the program runs */
    bool whole_paths;    /* a picture that is made to be sent names home folders */
    bool wide;           /* the layout is the one for wide screens */
    bool watching;       /* the layout has a place for what is displayed */
    bool layout_chosen;  /* by the user: it stays when files come and go */
    struct pane **pane;  /* every pane made so far */
    size_t npanes;
    struct pane *focus, *zoomed;
    struct pane *over;          /* help and the like: fills the screen until it is left */
    bool over_prompt;           /* ... and then the prompt has the keys again */
    struct pane *before_prompt; /* had the focus before the prompt */
    bool shows;                 /* the latest command has a pane for what it found */
    bool once;                  /* after the next line typed, back to single keys */
    enum keys_mode mode;
    char sequence[48]; /* keys of an unfinished sequence */
    char count[12];    /* digits typed before a key */
    struct transcript transcript;
    struct links links;            /* of the code around the code pane's cursor */
    struct before before, settled; /* taken before this command; the state that marks compare with */
    bool fresh;                    /* between `settled` and now is one instruction */
    /* What the screen looked at last, to follow the program when it moves. */
    struct {
        const void *image, *machine;
        uint32_t wave;
        uint64_t pc;
    } seen;
    struct {
        uint64_t done, todo;
        struct timespec start, drawn, ticked;
        double pause;      /* seconds until the next picture, more than usual after a slow one */
        bool shown, timed; /* timed: a line is run, which began at `start` */
    } progress;
    char key_line[256]; /* the latest command that a key ran, its lines in the transcript, how often in a row */
    size_t key_start, key_end;
    size_t report_lines,
        report_end;       /* lines of the transcript that say why it stopped (a checker, a fault), their end */
    uint32_t dump_line;   /* of the dump's text, where the linked panes stand; 0: nowhere yet */
    unsigned dump_stamp;  /* counts its changes */
    uint32_t packet_line; /* where the packets stand instead, if the line is not one of theirs; 0: nowhere else */
    struct {
        struct {
            int x, end;
            char key[sizeof((struct binding *)0)->key];
        } item[64];
        int count;
    } bar;       /* the keys on the key bar, to be clicked */
    bool notice; /* the last line printed is news: show it even without a prompt pane */
    void (*run)(struct screen *, const char *line); /* screen_key_line, once the screen serves the session */
    unsigned repeats;
    char found[128];                /* what was last looked for */
    char typed[256];                /* the line that an empty one repeats; "": none */
    char *pasted;                   /* lines that go with the one in the prompt, malloc'ed; NULL: none */
    char question[256], answer[16]; /* that is asked now, "": none; and what was typed so far */
    char *matches;                  /* the candidates that were shown last, malloc'ed */
    size_t matches_end;             /* and the end of the transcript then */
};

/* ---- loop.c ---- */
bool screen_press(struct screen *, const char *key); /* one key; false: it means nothing here */
/* "Click", "WheelUp" or "WheelDown" there. */
void screen_mouse(struct screen *, const char *name, int x, int y);

/* ---- focus.c ---- */
const char *screen_pane_of_keys(const struct screen *); /* whose keys are pressed; NULL: nobody's */
void screen_say(struct screen *, enum style, const char *fmt, ...) GPUDBG_PRINTF(3, 4); /* a line in the prompt pane */
void screen_focus(struct screen *, struct pane *);
void screen_over(struct screen *, struct pane *);      /* lays a pane over the screen; NULL: takes it away */
bool screen_shows_prompt(struct screen *);             /* the prompt has a pane on the screen */
void screen_prompt(struct screen *, const char *text); /* goes to the prompt, text filled in; NULL: as it was */
void screen_single_keys(struct screen *);              /* leaves the prompt */
void screen_say_error(struct screen *, const struct gpudbg_error *);
/* Runs a line from a key: quiet commands of the screen itself are not shown in the prompt pane. */
void screen_key_line(struct screen *, const char *line);

/* ---- screen.c ---- */
void screen_draw(struct screen *);
void screen_frame(struct screen *);     /* to the terminal, if there is one */
void screen_resize(struct screen *);    /* the terminal's size has changed */
void screen_draw_live(struct screen *); /* while the program runs: the panes that show it then */
/* ... while something runs: the panes as they were drawn last, in their new places. */
void screen_resize_running(struct screen *);
bool screen_layout(struct screen *, const char *name_or_spec, struct gpudbg_error *);
/* The pane that gdb's name of a window means (src, asm, regs, cmd); else the name. */
const char *screen_window(const struct screen *, const char *name);
const char *screen_layout_called(const struct screen *, const char *name); /* the same of a layout */
void screen_layout_default(struct screen *); /* what suits what is loaded, as if the user had chosen none */
bool screen_theme(struct screen *, const char *name, struct gpudbg_error *);
/* Whether there are to be colours, as options and NO_COLOR say; and those that the terminal has for pictures, as TERM
 * and COLORTERM say. */
bool colours_wanted(enum screen_color);
enum session_colours terminal_colours(enum screen_color);

/* ---- run_line.c ---- */
/* Makes the screen the session's front end and opens the line editor. */
void screen_serve(struct screen *);
void screen_hint(struct screen *); /* once, where the first launch is there to be seen: what newcomers miss */
/* Whether the program must be launched before this can run. */
bool line_wants_machine(struct gpudbg *, const char *line);
void screen_paste(struct screen *, const char *text); /* text that was pasted goes to the prompt */
/* Opens the pane pager with the transcript from line `first` on. */
bool pager_open(struct screen *, size_t first, const char *title);
bool pager_leads(struct pane *); /* a line under its cursor leads somewhere */
/* How many bytes of text go on a row of so many columns: to a blank if there is one in its second half.
 * pane_prompt.c */
size_t text_row(const char *text, int width, bool utf8);
int prompt_missing(const struct screen *, int columns, int rows);
void prompt_input(struct screen *, const struct area *, int y); /* pane_prompt.c: the line being typed */

/* What an empty line after this one runs, as in gdb: a step again, the next words of `x`, the next lines of `list`; ""
 * for all else. */
void line_repeats(struct gpudbg *, const char *line, char *again, size_t size);

/* ---- bars.c: the first and the last line ---- */
void bar_state(struct screen *, const struct area *);
void bar_keys(struct screen *, const struct area *);
void bar_message(struct screen *, const struct area *); /* what the pane prompt would say, in one row */

/* ---- actions.c: the commands of the screen itself, which run quietly ---- */
#define SCREEN_FAMILY "Screen"
static inline bool action_is_quiet(const struct gpudbg_command *c)
{
    return c->family && strcmp(c->family, SCREEN_FAMILY) == 0;
}

/* How what has changed looks: calm since the last stop, strong if one instruction did it. */
static inline enum style changed_style(const struct screen *s) { return s->fresh ? STYLE_fresh : STYLE_changed; }

/* ---- What panes tell each other ---- */
uint64_t code_cursor(struct screen *);                                 /* the address under the code pane's cursor */
void code_show(struct screen *, uint64_t addr);                        /* puts the cursor there */
bool code_jump(struct screen *, uint64_t addr, struct gpudbg_error *); /* the same, and `pane back` returns */
void code_show_near(struct screen *, uint64_t pc); /* the same; where no code is left, on the last instruction before */
bool code_insn(struct screen *, uint64_t addr, struct gpudbg_insn *); /* false: data, or nothing there */
void fields_show_register(struct screen *, unsigned file, unsigned index);
bool fields_shows(struct screen *, unsigned file, unsigned index); /* that register, now */
/* The command that changes the field under the pane's cursor, with the value that it has. */
bool fields_edit(struct pane *, char *buf, size_t size, struct gpudbg_error *);
/* Unfolds the register of that line in the pane of registers, in its middle, and leaves the focus where it is; false:
 * there is none. */
bool regs_follow_line(struct screen *, uint32_t line);
bool regs_show_line(
    struct screen *, uint32_t line, struct gpudbg_error *); /* the register that a line of the dump tells */
bool memory_edit(struct pane *, char *buf, size_t size, struct gpudbg_error *);
/* Asks where the value comes from, goes to the instruction that computed it, and shows the pane origin; or asks why the
 * selected lane is off. */
bool origin_show(struct screen *, const char *expression, struct gpudbg_error *);
bool origin_show_off(struct screen *, struct gpudbg_error *);
bool memory_show(struct screen *, const char *expr, struct gpudbg_error *);
/* ---- follow.c ---- */
bool pane_register(struct pane *, unsigned *file, unsigned *index); /* the register under the cursor; false: none */
/* Shows what the register points to. */
bool register_follow(struct screen *, unsigned file, unsigned index, struct gpudbg_error *);
/* ---- points.c: what descriptors and addresses that begin in a register are of ---- */
#define POINTS_SAMPLERS 8
struct points {
    struct gpudbg *g;
    unsigned file;
    unsigned sampler[POINTS_SAMPLERS], words[POINTS_SAMPLERS]; /* that code ahead samples with: register, registers */
    int samplers;
};
void points_open(struct points *, struct gpudbg *, unsigned file);
/* "s[0:3] V# of buf0", "s[4:5] -> kernarg"; *n: in how many registers it is.  0: it is neither. */
int points_text(const struct points *, unsigned index, unsigned *n, char *buf, size_t size);
/* The base and the bytes of the buffer that a descriptor from `index` on describes. */
bool points_buffer(struct gpudbg *, unsigned file, unsigned index, uint64_t *base, uint64_t *size);
/* The command that changes it, with the value that it has. */
bool register_edit(struct screen *, unsigned file, unsigned index, char *buf, size_t size, struct gpudbg_error *);

void registers_show(struct screen *, unsigned file, unsigned index); /* in the scalar or lanes pane */
void lanes_show(struct pane *, unsigned file, unsigned index);

int grouped_text(uint64_t n, char *buf, size_t size); /* 12345 as "12,345"; like snprintf */

#endif
