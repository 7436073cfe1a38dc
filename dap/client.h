/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * client.h: one conversation: what the client has asked for, what it was told, and what the files of this folder share.
 *
 * A request is answered by its row of requests.def.  While the machine runs, core asks d_tick now and then whether to
 * go on, and there the client is listened to: so it can pause, cancel and leave, and set breakpoints.
 */
#ifndef DAP_CLIENT_H
#define DAP_CLIENT_H

#include <jansson.h>
#include "control/stop.h"
#include "eval/location.h"
#include "eval/source_file.h"
#include "dap/wire.h"
#include "session/session.h"

#define DAP_TEXT 4096 /* of a value that is shown */

struct dap_sessions;
struct answering;

/* A breakpoint that the client knows: it asked for it, or was told of it because the user set it in the console
 * (CONSOLE).  `number` 0: it could not be set, `why` says it. */
struct dap_point {
    int id; /* by which the client knows it */
    int number;
    enum dap_kind { DAP_SOURCE, DAP_FUNCTION, DAP_INSTRUCTION, DAP_DATA, DAP_CONSOLE } kind;
    char *source; /* SOURCE: the path or reference that the client gave; else "" */
    char *asked;  /* the request's object as JSON text: the same text is the same breakpoint */
    char *log;    /* it does not stop, but says this; NULL: it stops */
    char *told;   /* the breakpoint as the client was told of it last, JSON text; NULL: never */
    enum dap_mode { MODE_ALL, MODE_WAVE, MODE_LANE } mode;
    uint32_t wave; /* of its mode, from when it was set first */
    int lane;
    bool placed; /* wave and lane are known */
    enum dap_hits { HITS_ALL, HITS_FROM, HITS_IS, HITS_ABOVE, HITS_BELOW, HITS_UPTO, HITS_EVERY } hits;
    uint64_t hit_count;
    char why[256];
    bool wanted; /* while a list is replaced */
    bool gone;   /* the user has deleted it */
};

/* What a number that the client holds stands for: a frame, or something that has variables. */
enum dap_what {
    WHAT_FRAME,
    WHAT_ARGUMENTS,
    WHAT_LOCALS,
    WHAT_GLOBALS,
    WHAT_SCALARS,
    WHAT_LANE,  /* registers of the selected lane */
    WHAT_LANES, /* ... of all lanes */
    WHAT_MASKS,
    WHAT_MEMORY,
    WHAT_FILE,             /* scalar registers of one file */
    WHAT_REGISTER,         /* the lanes of one register */
    WHAT_ELEMENTS,         /* of memory; expr is its name */
    WHAT_PARTS,            /* of a variable of the source; expr names it */
    WHAT_CAPTURED_RECORDS, /* registers of a capture, or of one of its waves; `wave` is the thread, from 0 */
    WHAT_CAPTURED_FIELDS,  /* fields of its record n */
    WHAT_CAPTURED_GPRS,    /* general registers of a wave; file: their letter */
    WHAT_WRITER,           /* the instruction that wrote the value of `expr` in a lane */
    WHAT_LINE,             /* line n of the file `expr` of the source */
    WHAT_CAPTURED_LINE,    /* line n of the dump of a thread */
};
struct dap_handle {
    enum dap_what what;
    uint32_t wave;
    unsigned frame, file, reg;
    uint64_t n, addr; /* ELEMENTS: how many, and where */
    unsigned space, size;
    int lane;   /* WRITER */
    char *expr; /* malloc'ed, or NULL */
};

/* Where a step into a function may lead. */
struct dap_step_target {
    struct code_places places; /* one of which the wave comes to */
    bool call;                 /* ... and steps once more: it is the call of a function */
    char name[200];
};

/* Code without source, shown as text: a function's, or a section's. */
struct dap_listing {
    uint64_t from, to;
    char *text;
    uint64_t *addr; /* of each line; UINT64_MAX: none */
    size_t nlines;
};

struct dap {
    struct wire wire;
    struct gpudbg *g;
    struct gpudbg_out *said; /* what commands and core print */
    json_int_t seq;
    /* The client. */
    bool initialized, launched, configured, gone; /* gone: the conversation ends */
    bool line0, column0;                          /* it counts from 0 */
    bool uris;                                    /* its paths are URIs */
    bool shows_progress, invalidates, ends;       /* ends: it wants `terminated` when the program has ended */
    bool told_memory;                             /* it wants `memory` events */
    bool told_limit;                              /* it was told that not all waves are listed */
    bool told_end;                                /* it was told that the program has ended */
    bool stop_on_entry, no_debug;
    /* Under way. */
    enum { DAP_IDLE, DAP_ANSWERING, DAP_RUNNING } doing;
    bool resumable;     /* RUNNING: it may be stopped for a moment and go on */
    bool interrupt;     /* stop what is under way */
    bool paused, again; /* RUNNING: the client wants a pause; requests wait that need a moment */
    bool alone;         /* ... one wave alone goes on */
    bool cancelled;
    json_int_t answering; /* seq of the request that is */
    struct answering *under_way;
    const char *title; /* of what is under way, for progress */
    json_t **waiting;  /* requests, in order */
    size_t nwaiting, waiting_room;
    int64_t began, looked, progressed; /* milliseconds */
    unsigned progress;                 /* number of the one that is shown, 0: none */
    unsigned nprogress;
    /* What the client holds. */
    struct dap_handle *handle;
    size_t nhandles, handle_room;
    json_int_t handle_base;
    bool quiet; /* if the request fails: clients show the error where they asked, not in a window of its own */
    struct dap_point *point;
    size_t npoints, point_room;
    int last_point;
    size_t told_reports;
    json_t *filter_ids;          /* numbers of exception filters, by name; NULL: none was set */
    struct dap_listing *listing; /* its number is the reference of the source */
    size_t nlistings;
    struct sources sources;
    uint64_t *target; /* addresses of gotoTargets */
    size_t ntargets;
    struct dap_step_target *step_target; /* of stepInTargets */
    size_t nstep_targets;
    const struct dap_step_target *stepping_into; /* RUNNING: one of them */
    char *words;                                 /* the latest launch */
    char *base;                                  /* the folder that its files are relative to, or NULL */
    bool given;                                  /* all that the client sends is here already (fuzzing) */
    unsigned ticks;                              /* ... and how often core has asked */
    struct gpudbg_error failed;                  /* why there is no session */
};

typedef bool dap_request_fn(struct dap *, const json_t *args, json_t *body, struct gpudbg_error *);

enum dap_when {
    WHEN_ALWAYS, /* it asks nothing of the machine: answered while it runs */
    WHEN_MOMENT, /* the machine stops for it and goes on, if it can; else it waits */
    WHEN_STOPPED /* an error while the machine runs */
};

/* ---- JSON (dap_json.c) ---- */

/* Text that may come from files, as a string that is UTF-8 and has nothing that a terminal obeys. */
json_t *d_text(const char *);
json_t *d_hex(uint64_t);
const char *d_string(const json_t *args, const char *key); /* NULL: none */
bool d_bool(const json_t *args, const char *key, bool otherwise);
/* A whole number; false with an error: it is missing, or none. */
bool d_number(const json_t *args, const char *key, json_int_t *, struct gpudbg_error *);
json_int_t d_number_or(const json_t *args, const char *key, json_int_t otherwise);
json_t *d_base64(const uint8_t *, size_t n);
/* malloc'ed, *n bytes; NULL with an error. */
uint8_t *d_from_base64(const char *, size_t *n, struct gpudbg_error *);

/* ---- The conversation (client.c) ---- */

void d_event(struct dap *, const char *name, json_t *body); /* takes body over, may be NULL */
/* An `output` event; category "console", "stdout", "important". */
void d_output(struct dap *, const char *category, const char *text);
void d_said(struct dap *); /* what core has printed, as such an event */
/* Ends the answer of the request under way, so that what follows comes after it. */
void d_answer(struct dap *, json_t *body);
void d_refuse(struct dap *, const struct gpudbg_error *); /* the same with an error */
void d_invalidate(struct dap *, const char *area);        /* "variables" it holds have changed: it asks again */
void d_memory_changed(struct dap *, json_t *reference, json_int_t offset, json_int_t count); /* takes reference over */
void d_moment(struct dap *);        /* answers what waits for a moment in which the machine stands still */
bool d_leaving(const struct dap *); /* a request waits that ends what is under way, or nobody is there any more */
void d_converse(const struct dap_sessions *, struct wire *, bool given); /* from beginning to end; closes the wire */

/* ---- What numbers stand for (dap_handles.c) ---- */

json_int_t d_handle(struct dap *, const struct dap_handle *); /* takes expr over */
const struct dap_handle *d_handle_of(struct dap *, json_int_t, struct gpudbg_error *);
void d_forget(struct dap *); /* the numbers that were given are of the past */
/* Makes the wave and the frame that it is about the selected ones. */
bool d_select(struct dap *, uint32_t wave, unsigned frame, struct gpudbg_error *);
/* The frame of `frameId`, where it is given. */
bool d_select_frame(struct dap *, const json_t *args, struct gpudbg_error *);
bool d_thread(struct dap *, const json_t *args, uint32_t *wave, struct gpudbg_error *);

/* ---- Code and sources (dap_source.c) ---- */

/* "source", "line", "column" of an address, if it has any; listed: else of the listing. */
void d_place(struct dap *, json_t *to, uint64_t pc, const char *file, uint32_t line, bool listed);
/* The addresses of a line of what the client calls `source`; false with an error. */
bool d_line_places(struct dap *, const json_t *source, json_int_t line, struct code_places *, struct gpudbg_error *);
void d_listings_free(struct dap *);

/* ---- Breakpoints (dap_points.c) ---- */

void d_points_again(struct dap *); /* something is loaded or launched now: sets those that could not be set */
void d_points_free(struct dap *);
bool d_met(void *data, struct stop_point *, struct gpudbg_wave *, int lane, bool back);
struct dap_point *d_point_of_console(struct dap *, int number); /* a new one, for a point that the user has set */
void d_points_tidy(struct dap *);                               /* forgets those that the user has deleted */

/* ---- What is told of breakpoints (dap_told.c) ---- */

json_t *d_point_shown(struct dap *, const struct dap_point *);
void d_point_told(struct dap_point *, const json_t *as); /* the client knows it so now */
void d_point_changed(struct dap *, struct dap_point *);  /* the event */
json_t *d_hit_ids(struct dap *);                         /* of the points that the latest run has met */
void d_points_compare(struct dap *);                     /* tells what has come, gone and changed without the client */
enum dap_mode d_mode(const char *word);
void d_breakpoint_modes(json_t *body);

/* ---- Checkers and faults (dap_exceptions.c) ---- */

json_t *d_exception_filters(struct dap *);
/* Tells the reports since the last time, each as an output at its line; its "data" is for an extension. */
void d_reports(struct dap *);

/* ---- Running (dap_run.c) ---- */

void d_stopped(struct dap *, const char *reason); /* the event; NULL: by why the machine stopped */
void d_printed(struct dap *);                     /* what the program has printed since */
void d_begin(struct dap *);                       /* after the launch and the configuration */

/* ---- Targets and locations (dap_targets.c) ---- */

const struct dap_step_target *d_step_target(struct dap *, json_int_t id, struct gpudbg_error *);
void d_step_targets_free(struct dap *);
/* "valueLocationReference" of an expression in the selected wave and frame. */
void d_add_writer(struct dap *, json_t *to, const char *expr);
/* "declarationLocationReference" */
void d_add_declaration(struct dap *, json_t *to, const char *file, uint32_t line);

/* ---- Captured state (dap_captured.c) ---- */

bool d_is_captured(const struct dap *); /* dumps are open, and nothing is launched */
void d_captured_stop(struct dap *);     /* the report, and the event that says what failed */

/* ---- Values (dap_values.c) ---- */

/* The text of an expression, its type, and what it consists of, as members of `to`. */
bool d_evaluate(struct dap *, const char *expr, bool changes, json_t *to, const char *key, struct gpudbg_error *);
/* The same as a request's "format" says, as its result; nothing is changed. */
bool d_evaluate_as(struct dap *, const char *expr, const json_t *args, json_t *body, struct gpudbg_error *);
/* The expression of a variable of that name, malloc'ed, "" where it has none; NULL with an error. */
char *d_child(struct dap *, json_int_t reference, const char *name, struct gpudbg_error *);
/* "0x40", "lds:0x10@3" to a space, an address and a wave. */
bool d_reference(
    struct dap *, const char *text, unsigned *space, uint64_t *addr, uint32_t *wave, struct gpudbg_error *);
json_t *d_reference_text(struct dap *, unsigned space, uint64_t addr);

#define REQUEST(name, when, function, captured) dap_request_fn function, captured;
#include "dap/requests.def"
#undef REQUEST

#endif
