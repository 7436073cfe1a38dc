/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.h: struct gpudbg, the one state that every command sees.  Two sessions in one process know nothing of each
 * other.
 */
#ifndef GPUDBG_SESSION_H
#define GPUDBG_SESSION_H

#include <stdio.h>
#include "gpudbg.h"
#include "base/folders.h"
#include "control/control.h"
#include "dump/dump.h"
#include "image/load.h"
#include "out/raster.h"
#include "out/out.h"
#include "session/conversation.h"
#include "session/folder.h"
#include "session/marks.h"

struct changes;        /* cmd_undo.c */
struct displays;       /* display.h */
struct registry;       /* registry.h */
struct device_setting; /* device.h */
struct define;         /* script.h */
struct sides;          /* command/sides.h */
struct script;

/* Shows an error of a command, for people; the JSON record is written by session_line. */
typedef void session_report(struct gpudbg *, const struct gpudbg_error *);

struct gpudbg {
    struct registry *registry;
    struct plugin_loaded *plugins; /* plugin.h */
    struct selection selection;    /* the three: eval.h */
    struct loaded loaded;
    struct running running;
    struct eval eval; /* the three, for expressions */
    struct settings settings;
    struct control control;                /* breakpoints and checkers, with all that running takes */
    struct sides *sides;                   /* what was compared last: command/sides.h; NULL: nothing */
    void (*forget_sides)(struct gpudbg *); /* before the launch, or what is loaded, goes; NULL: there are none */
    bool sides_known;                      /* they are closed with the session */
    struct changes *changes;               /* of registers and memory by the user: cmd_undo.c; theirs to free */
    uint64_t ended;                        /* launches that were */
    struct displays *displays;             /* of commands that show at every stop; theirs to free: session_at_close */
    struct at_close *at_close;             /* what goes with the session, the latest first */
    struct define *defines;                /* user-defined commands, the first of a list: script.h */
    struct script *script;                 /* lines that are kept, loops and commands of breakpoints under way */
    struct regdb *databases;               /* made when first asked for: gpudbg_session_databases */
    struct marks marks;                    /* bookmarks and notes */
    char *layout; /* of the screen, as a session that was opened has it; malloc'ed; NULL: none */
    struct session_saved {
        char *path; /* where the session was saved to or opened from, malloc'ed; NULL: neither */
        uint64_t (*digest)(struct gpudbg *); /* of what a session holds, but for where one stands in it */
        uint64_t was;                        /* when it was saved */
    } saved;
    struct kept_input *inputs;     /* what came through pipes, the latest first: session_input */
    struct device_setting *device; /* registers of the device that the user set: device.h */
    char *data;                    /* share/: GPUDBG_DATA, beside the program, or the installed one */
    /* What the front end gives; any may be NULL. */
    struct ticker ticker; /* progress of long work, and whether to go on with it */
    struct session_front {
        bool (*screenshot)(void *, FILE *, struct gpudbg_error *); /* its rows as lines of text */
        bool (*ask)(void *, const char *question);
        bool (*layout)(void *, char *spec, size_t size); /* how its panes stand */
        bool (*set_layout)(void *, const char *spec, struct gpudbg_error *);
        void (*show)(void *, const char *pane, const char *what); /* that pane is to be seen, with what; NULL */
        void (*away)(void *, bool away);                          /* a program has the terminal now; has had it */
        /* What pictures the terminal can draw: it is asked while that is unknown.  NULL: nobody looks at a terminal. */
        void (*graphics)(void *, struct graphics *);
        void *data;
        enum session_colours { COLOURS_FEW, COLOURS_256, COLOURS_24_BIT } colours; /* that the terminal has */
        struct graphics drawn;
        bool utf8;  /* what is shown may hold Unicode's blocks */
        bool input; /* a command may read standard input */
    } front;
    struct conversation conversation;
    struct code_folder folder; /* the latest folder of code that was opened; n 0: none */
    struct log {
        struct out_tee tee; /* outputs that the user reads have it: session_log_error */
        char path[4096];    /* "": gpudbg.txt */
        bool redirect, overwrite;
    } log;                  /* set logging */
    session_report *report; /* NULL: errors are lines of the output */
    unsigned errors;        /* commands failed */
    int comparison;    /* exit status of `diff` and `diffrun`: 0 all were equal, 1, or 2 and 3 of one that failed */
    unsigned depth;    /* scripts and defined commands inside each other */
    unsigned applying; /* `apply` inside each other */
    unsigned foreign;  /* lines of data files (keys, demos) inside each other: they may not write or load code */
    struct line_list warned; /* of files of the user's own that cannot be read, each once */
    size_t told;             /* warnings that were shown */
    bool quit;
    bool abandon;  /* scripts are nested too deep: all of them end */
    bool rows_cut; /* the latest listing had more rows than may be listed */
    bool sealed;   /* no command may write or run files (fuzzing) */
};

/* The folder with this program's data (keys, help, registers), malloc'ed; found: it holds them.  It is GPUDBG_DATA if
 * that is set; else the one beside the program itself, where it was installed or in the tree that it lies in; else
 * PREFIX's.  It is never a folder only because the program was built there: that may hold other data by now. */
char *session_data_folder(bool *found);

/* Registers the families of commands and the decoders, both NULL-terminated, in their order. */
struct gpudbg *session_open(
    const struct gpudbg_plugin *const *families, const struct gpudbg_plugin *const *decoders, struct gpudbg_error *);
void session_close(struct gpudbg *);
/* Calls fn(data) when the session closes; for what commands keep in it. */
void session_at_close(struct gpudbg *, void (*fn)(void *data), void *data);
/* Loads FILE in place of what was loaded; the machine goes. */
bool session_load(struct gpudbg *, const char *path, const struct load_options *, struct gpudbg_error *);
/* Bare code of FILE beside what is loaded, at addr, by a name; the machine goes. */
bool session_add_code(struct gpudbg *, const char *path, uint64_t addr, const char *name, struct gpudbg_error *);
/* The same of bytes; nothing is launched. */
bool session_add_bytes(
    struct gpudbg *, const uint8_t *bytes, size_t n, uint64_t addr, const char *name, struct gpudbg_error *);
/* The rows of a listing; an error where what runs, or else what is loaded, is of an instruction set that has no such
 * listing. */
bool session_rows(struct gpudbg *, const struct gpudbg_listing *, const char *args, gpudbg_row_fn *each, void *to,
    struct gpudbg_error *);
/* The same as a table or as records, in lines as wide as the settings say. */
bool session_listing(
    struct gpudbg *, struct gpudbg_out *, const struct gpudbg_listing *, const char *args, struct gpudbg_error *);
/* The path of a file or folder of the user's own, in $XDG_CONFIG_HOME/gpudbg; false: there is none, or it cannot be
 * read (a service, another user's home), which is said once, as a warning, and everything goes on without it. */
bool session_own(struct gpudbg *, const char *name, char *buf, size_t size);
/* The next warning that was not shown yet; NULL: there is none.  session_warn reports them all. */
const char *session_warning(struct gpudbg *);
void session_warn(struct gpudbg *);
/* Where data of a kind ("registers") is read: what came with the program, then the user's, unless the session is
 * sealed. */
struct folders session_folders(struct gpudbg *, const char *kind);
/* Shows lines of the databases that could not be read, as failed commands are shown; each once. */
void session_report_databases(struct gpudbg *, struct gpudbg_out *);
/* image_from with this session's loaders; the session does not take it over. */
struct gpudbg_image *session_image_from(struct gpudbg *, const char *name, const uint8_t *bytes, size_t n,
    const struct load_options *, struct gpudbg_error *);
/* explain_open with the rules and settings of this session. */
struct explain *session_explain(struct gpudbg *, const struct gpudbg_dump *, uint32_t first, struct gpudbg_error *);
/* What dumps of this session see; and dump_from with it: the session does not take it over. */
struct dump_env session_dump_env(struct gpudbg *);
struct gpudbg_dump *session_dump_from(
    struct gpudbg *, const char *name, const uint8_t *bytes, size_t n, const char *format, struct gpudbg_error *);
/* The dump of that number; NULL with an error that says which there are. */
struct gpudbg_dump *session_dump_numbered(struct gpudbg *, uint64_t number, struct gpudbg_error *);
/* The dump that "-d N" asks for, if the command's words go on with it, else dump 0; and its number. */
struct gpudbg_dump *session_dump_asked(struct gpudbg *, struct gpudbg_args *, uint64_t *number, struct gpudbg_error *);
/* The name to open a file by that the user names: its own; of a pipe, which can be read once while several readers look
 * at it, the name of a copy, kept until the session ends.  NULL with an error. */
const char *session_input(struct gpudbg *, const char *path, struct gpudbg_error *);
/* The same of a descriptor, which is closed. */
const char *session_input_from(struct gpudbg *, int fd, struct gpudbg_error *);
/* Opens FILE for what its content says: code in place of what was loaded, or a dump beside it. */
bool session_open_file(struct gpudbg *, const char *path, const struct load_options *, struct gpudbg_error *);
/* Opens a FILE beside what is open, for what its content says: a dump, or code, which is loaded if none is and else put
 * into the list of files (folder.h). */
bool session_open_beside(struct gpudbg *, const char *path, const struct load_options *, struct gpudbg_error *);
/* Adds a dump; format NULL: by content. */
bool session_is_dump_format(struct gpudbg *, const char *format); /* a reader of dumps has this name */
bool session_is_code(
    struct gpudbg *, const char *path); /* some loader knows it by its head, better than any reader of dumps */
bool session_add_dump(struct gpudbg *, const char *path, const char *format, uint64_t base, struct gpudbg_error *);
/* Closes what is loaded; the machine goes, the dumps stay. */
void session_drop(struct gpudbg *);
/* Takes over an open image in place of what was loaded. */
void session_take(struct gpudbg *, struct gpudbg_image *);
/* Launches a kernel as the words behind `launch` say, in place of what was launched; it stands at its entry.  false:
 * what was launched is still there. */
bool session_launch(struct gpudbg *, const char *words, struct gpudbg_error *);
/* false with the reason: `set observer on` is in force. */
bool session_may_change(const struct gpudbg *, struct gpudbg_error *);
/* The same, for what would end the launch; if there is none, it may. */
bool session_may_replace(const struct gpudbg *, struct gpudbg_error *);
/* Ends the launch, if there is one. */
void session_end_machine(struct gpudbg *);
/* Whether the launch may go, and with `code` what is loaded, too.  If the launch wrote buffers that nobody saved, or
 * the user changed it, or patched the code, one question says so and ends with `question`, where one can be asked. */
bool session_may_lose(struct gpudbg *, bool code, const char *question);
/* Counts a failed command in g->errors and shows why; name and line say where it stood, unless the error knows a file
 * of its own; line 0: it has no number. */
void session_failed(struct gpudbg *, struct gpudbg_error *, const char *name, long line, struct gpudbg_out *);
/* The log gets an error that is shown elsewhere; of a log that cannot be written, *err says why. */
void session_log_error(struct gpudbg *, const struct gpudbg_error *);
/* Runs one line so; false: no more commands should run (quit, or stop-on-error). */
bool session_line(struct gpudbg *, const char *text, const char *name, long line, struct gpudbg_out *);
/* Runs a script so, line by line, from `stream` (a FILE *) named `name` in errors. */
bool session_script(struct gpudbg *, void *stream, const char *name, struct gpudbg_out *);
/* The same from the file of that name; false: it was not opened, or an error ended it. */
bool session_source(struct gpudbg *, const char *path, struct gpudbg_out *, struct gpudbg_error *);
/* No more lines come: drops a block that is still open, which is an error.  false: as session_line. */
bool session_finish(struct gpudbg *, const char *name, struct gpudbg_out *);
/* The instruction set to work in: the image's, else the one chosen; NULL with an error. */
const struct gpudbg_isa *session_any_isa(struct gpudbg *, struct gpudbg_error *);
/* ISA words as `--isa` takes them. */
const struct gpudbg_isa *session_isa(struct gpudbg *, const char *name);
/* As a user names it: registry_isa_asked. */
const struct gpudbg_isa *session_isa_asked(struct gpudbg *, const char *name, struct gpudbg_error *);
#endif
