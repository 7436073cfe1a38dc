/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * eval.h: what an expression can see, and what a debugger keeps of it: what was opened, what was launched, what the
 * user looks at. A session owns the three parts; expressions, places and values are given all of them as one `struct
 * eval`.
 */
#ifndef GPUDBG_EVAL_H
#define GPUDBG_EVAL_H

#include "gpudbg.h"

struct values;      /* value.h */
struct form;        /* form.h */
struct forms;       /* form.h */
struct launch_file; /* launch.h */
struct ticker;      /* base/ticker.h */
struct typings;     /* typed.h */

/* What the user looks at. */
struct selection {
    uint32_t wave;
    int lane;
    uint64_t cursor; /* address that `disassemble`, `x/i` and the code pane continue from */
    struct {
        char letter;
        unsigned size, space;
        uint64_t addr;
    } examine; /* how and where `x` goes on */
    struct {
        const char *file;
        uint32_t first, line;
    } listed; /* what `list` began with and goes on with; file borrowed from the image */
    struct {  /* good while locals_frame() says so: locals.h */
        unsigned number, depth;
        bool inner;
        uint32_t wave, line;
        uint64_t pc, position, its_pc;
        const char *file;           /* and line: where it stands; borrowed from the image; NULL: no source */
        struct gpudbg_wave *caller; /* not inner: the wave as it was at the call, with its registers; malloc'ed */
    } frame;
};

/* What was opened. */
struct loaded {
    const struct gpudbg_isa *isa; /* the default instruction set: --isa, the command `isa`; NULL: none chosen */
    struct gpudbg_image *image;
    bool patched; /* since the image was opened, or `save code` */
    struct added_code {
        char *name;
        uint64_t addr;
        size_t size;
    } * added; /* bare code beside the file's, malloc'ed */
    size_t nadded;
    struct gpudbg_dump **dumps; /* in the order they were opened */
    size_t ndumps;
    const char *source_path; /* folders where source files may be, ':' between them; borrowed; NULL: none */
    unsigned source_changes; /* how often it was changed: what could not be read may be there now */
};

/* What was launched, and how it went. */
struct running {
    struct gpudbg_machine *machine;
    char *launched;              /* the latest `launch` line, for `run`; malloc'ed */
    char *base;                  /* folder that @FILE of a launch is relative to; NULL: the current one */
    struct launch_file *brought; /* files of the session that was opened, for @FILE: launch.h; all malloc'ed */
    size_t nbrought;
    bool brought_only;       /* while a session is opened: no other files are read */
    struct gpudbg_stop last; /* why the machine last stopped */
    struct {
        double seconds;
        uint64_t instructions;
    } stats;      /* executed forwards since the launch, and the processor time */
    bool faulted; /* a launched kernel stopped in a fault */
    bool unsaved; /* buffers written by a run and not saved */
};

struct eval {
    struct loaded *loaded;
    struct running *running;
    struct selection *selection;
    struct values *values;       /* convenience variables and the value history: value.h */
    struct forms *forms;         /* how the user wants to see registers: form.h; NULL: as they come */
    struct typings *typings;     /* what code makes of registers: typed.h; NULL: not made yet */
    const char *syntax;          /* `set syntax`; borrowed; "" or NULL: the instruction set's first */
    bool every_statement;        /* `set line-stops all`: a line is at each of its statements */
    const struct ticker *ticker; /* asked by long work whether to go on; NULL: it goes on */
};

/* What is loaded and launched; NULL with an error that says what to do. */
struct gpudbg_image *eval_need_image(const struct eval *, struct gpudbg_error *);
struct gpudbg_machine *eval_need_machine(const struct eval *, struct gpudbg_error *);
/* The same, and the selected wave is somewhere in it: it has not ended. */
struct gpudbg_machine *eval_need_running(const struct eval *, struct gpudbg_error *);
/* The instruction set of what runs, else of what is loaded, else the one chosen; or NULL. */
const struct gpudbg_isa *eval_isa(const struct eval *);

#endif
