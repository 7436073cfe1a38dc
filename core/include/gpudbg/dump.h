/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump.h: captured state.
 *
 * A dump is the saved state of a GPU: a kernel log, registers as text, an error state.  gpudbg reads it line by
 * line. A file may contain several captures (before and after a reset, two devices) and several formats.  Captures are
 * numbered from 0 in the order of the file, and each has its own family of chips; registers of two captures are never
 * merged. Strings that readers give are copied; strings that functions return live as long as the dump.  From the top:
 * what a dump contains, readers, what readers call, what everybody may call.
 */
#ifndef GPUDBG_PUBLIC_DUMP_H
#define GPUDBG_PUBLIC_DUMP_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gpudbg_dump;

#define GPUDBG_NO_ADDR UINT64_MAX

struct gpudbg_capture {
    const char *family;     /* name of the instruction set of its programs, or a word for a generation without an
                               instruction set in gpudbg; NULL: the dump does not say it */
    const char *chip;       /* as the dump calls it, or NULL */
    const char *device;     /* "0000:01:00.0", or NULL */
    const char *title;      /* what it is: "before the reset", "error state" */
    uint32_t line;          /* where it starts, from 1 */
    uint32_t ones, records; /* how many register values are all ones, and how many there are */
};

enum gpudbg_record_flags {
    GPUDBG_REC_REBUILT = 1,  /* built from the fields that the dump prints; mask says which bits */
    GPUDBG_REC_WRITE = 2,    /* a value that was written (a trace, a table of settings), not read */
    GPUDBG_REC_DRIVER = 4,   /* a variable of the driver, not of the hardware ("seqno") */
    GPUDBG_REC_INDIRECT = 8, /* addr is in an indirect space */
};

/* A register's value. */
struct gpudbg_record {
    const char *name;     /* as the dump writes it, without mm, ix, reg; NULL: only the address is known */
    const char *unit;     /* the ring, engine, IP block or wave that it belongs to ("rcs0"), or NULL */
    const char *reg;      /* its name in the register databases if that differs, or NULL */
    uint64_t addr;        /* byte address that the dump gives, or GPUDBG_NO_ADDR */
    uint64_t value, mask; /* mask: the bits that the dump contains */
    uint32_t capture, line;
    uint8_t bits, flags; /* bits: 32 or 64 */
};

/* Bytes with an address: a ring, an indirect buffer, a batch, code. */
struct gpudbg_stream {
    const char *kind;     /* "ring", "ib", "batch", "code", "context", "oa", ...: fixed words */
    const char *unit;     /* ring or engine, or NULL */
    const char *name;     /* as the dump calls it, or NULL */
    uint64_t addr;        /* of the first byte, or GPUDBG_NO_ADDR */
    uint64_t read, write; /* byte offsets of the pointers, or GPUDBG_NO_ADDR */
    uint32_t vmid;        /* of addr; UINT32_MAX: not known */
    uint32_t capture, line;
    const uint8_t *bytes; /* owned by the dump */
    size_t size;
    bool cut;           /* the dump says that there was more */
    const char *engine; /* of a ring: the kind of engine whose commands it contains ("dma"); NULL: the command processor
                           of the family */
};

/* General registers of a wave. */
struct gpudbg_dump_gprs {
    uint32_t *values; /* count * lanes */
    uint8_t *known;   /* one a register: the dump contains it */
    uint32_t count, lanes;
};

/* A wave, or a thread.  Its registers are the records of its unit: `nrecords` of them, the first one being record
 * `first` (records of other units may be between them).  s, v, t and r are general registers, NULL if the dump has
 * none. */
struct gpudbg_dump_wave {
    const char *unit;                /* "se0.sh0.cu2.simd1.wave0", "thread3" */
    uint16_t se, sh, cu, simd, wave; /* a thread: its number is `wave`, the others are 0 */
    uint32_t capture, line;
    size_t first, nrecords;
    struct gpudbg_dump_gprs s, v, t, r; /* scalar, vector (64 lanes), trap handler's; a thread's (8 dwords each) */
};

/* How the wave of a dump becomes the wave of a machine: which record is which register.  `record` is the name that the
 * reader gives; "s[]", "v[]", "t[]" and "r[]" are the general registers.  `file` is a register file of the instruction
 * set, or "pc", or "code": the words of the instruction at the pc. */
struct gpudbg_dumped_register {
    const char *record, *file;
    uint8_t index, dword;  /* which register of the file, and which dword of it */
    uint8_t lo, len;       /* bits of the record; len 0: all of them */
    const char *otherwise; /* its value if the dump has no such record; NULL: it is then unknown */
};
/* What a wave waits for, or has in flight: a field of a record, as the register databases name it. */
struct gpudbg_dumped_wait {
    const char *record, *field;
    const char *words; /* "vector memory", which the field's value follows */
    bool is_flag;      /* the wave waits while it is set; its value is not a count */
    bool to_scalars;   /* while it counts, scalar registers that loads write may not have their values yet */
};
/* How a dump says how many lanes waves have, of chips whose waves come in two sizes: by a field of a wave's own record;
 * or, of the program that a register points at, by a field of a register at the command that starts it, or by a field
 * of that command that has the same name (in small letters or not). */
struct gpudbg_dumped_lanes {
    const char *record, *field;
    uint8_t lanes[2];    /* of waves while the field is 0; while it is not */
    const char *work;    /* how names of such commands begin, "DISPATCH"; NULL: it is a wave's own record */
    const char *program; /* the register that holds the program's address >> scale; the next one has its high half, of
                            which these bits count: */
    uint32_t high;
    uint8_t scale;
};
/* Where an instruction takes a descriptor from: n registers of "s[]" from `first` on, or entry `first` of a table that
 * commands set for the program. */
struct gpudbg_dumped_descriptor {
    char view; /* letter of the view of the instruction set that is its layout; 0: the address of memory.  Of a table:
                  the letter that `bad` and `range` take */
    unsigned first, n;
    const char *table; /* the name of its structure, as commands name what they point at (isa.h); NULL: registers */
    char hidden[80];   /* why the entry is not known; "": it is `first` */
};

/* ---- Page tables in captured memory ---- */

/* An entry that a walk of page tables reads. */
struct gpudbg_level {
    const char *what;     /* "directory entry" */
    uint64_t index, addr; /* its number in its table, and its address */
    bool held;            /* the dumps have it: */
    uint64_t value;
    const struct gpudbg_format *format; /* of at most 64 bits */
};
typedef void gpudbg_level_fn(void *to, const struct gpudbg_level *);
struct gpudbg_translation {
    bool whole; /* the address is translated; else `why` says where the walk ended */
    uint64_t physical;
    bool system; /* it is memory of the host */
    char why[160];
};
/* What a walk can read; false: no dump has it.  memory: all n bytes at an address of the tables' own. */
struct gpudbg_paging {
    void *from;
    const char *family; /* the family of the tables: the instruction set's, or one of dumped.paging_of */
    bool (*reg)(void *from, const char *name, uint64_t *value);
    bool (*memory)(void *from, uint64_t addr, uint8_t *bytes, size_t n);
};

struct gpudbg_dumped {
    const char *mask;   /* the file that says which lanes run */
    const char *launch; /* arguments of `launch`, for bare code, that make such a wave a group of its own; or NULL */
    const struct gpudbg_dumped_register *registers; /* ends with record NULL */
    const struct gpudbg_dumped_wait *waits;         /* ends with record NULL; or NULL */
    /* Gives the i-th descriptor that an instruction uses; false: it uses fewer.  NULL: no instruction uses any. */
    bool (*descriptor)(const struct gpudbg_insn *, unsigned i, struct gpudbg_dumped_descriptor *);
    /* Says what is wrong with a descriptor, of as many bytes as its layout has (zeros after fewer registers); false:
     * nothing is wrong.  NULL, with `range`: there is no descriptor. */
    bool (*bad)(char view, const uint8_t *bytes, char *buf, size_t size);
    /* The memory that it describes; *bytes_of 0: its size is not known.  false: it describes no memory. */
    bool (*range)(char view, const uint8_t *bytes, uint64_t *start, uint64_t *bytes_of);
    /* The hardware delays an instruction until earlier messages have written the registers that it uses. */
    bool interlocked;
    /* Walks the page tables of an address space and calls each(to, level) for every entry on the way.  false: the
     * registers that say where they are are missing.  NULL: they are not known. */
    bool (*translate)(const struct gpudbg_paging *, unsigned space, uint64_t addr, gpudbg_level_fn *each, void *to,
        struct gpudbg_translation *);
    /* Families without an instruction set of their own whose tables it walks, too; ends with NULL.  NULL: there are
     * none. */
    const char *const *paging_of;
    /* Families without an instruction set of their own whose waves have registers of these names, too; ends with NULL.
     * NULL: there are none. */
    const char *const *waves_of;
    /* Of chips whose waves come in two sizes, each with an instruction set of its own; ends with field NULL.  NULL: all
     * waves have isa.lanes. */
    const struct gpudbg_dumped_lanes *lanes;
    /* The same chip's instruction set for waves of the other size; NULL: it has none.  NULL with `lanes`. */
    const struct gpudbg_isa *(*of_lanes)(const struct gpudbg_isa *, unsigned lanes);
};

/* Something that happened, in a line that is not a register: a fault, a timeout, a reset.  If bit i of `have` is set,
 * values[i] is the value that kind->keys[i] names. */
#define GPUDBG_INCIDENT_VALUES 10
struct gpudbg_incident_kind {
    const char *word, *summary; /* word: fixed, for scripts ("vm-fault") */
    const char *keys[GPUDBG_INCIDENT_VALUES + 1];
};
struct gpudbg_incident {
    const struct gpudbg_incident_kind *kind;
    const char *unit;             /* ring or engine, or NULL */
    const char *text;             /* a name that belongs to it (a process), or NULL */
    uint32_t capture, line, last; /* its first and its last line */
    uint32_t have;
    uint64_t values[GPUDBG_INCIDENT_VALUES];
};

/* What is wrong with a line, in words of our own. */
struct gpudbg_dump_note {
    const char *text;
    const char *kind; /* fixed word: "cut-off", "mixed", "impossible", "other-generation", "disagrees", "garbage",
                         "limit", "lost", "ambiguous" */
    uint32_t capture, line;
};

/* Facts about a capture ("kernel" "6.1.0", "pci-id" 0x412). */
struct gpudbg_dump_fact {
    const char *key, *text; /* text NULL: the value is the number */
    uint64_t value;
    uint32_t capture, line;
};

/* From here on a line's time is a date's: a kernel that has run for three years has counted so far. */
#define GPUDBG_DUMP_DATES 1e8

/* A line, without colours, prefixes of logs, carriage returns, quote marks of mail, and blanks at the end. */
struct gpudbg_dump_line {
    const char *text;   /* ends with 0; blanks at the start are kept */
    size_t n, indent;   /* indent: bytes of blanks at the start */
    uint32_t number;    /* from 1, in the file */
    const char *device; /* "0000:01:00.0" if the line says so, else NULL */
    const char *tag;    /* function in brackets ("job_timedout"), else the driver in front of the device, or NULL */
    double time;        /* seconds, as in the log (GPUDBG_DUMP_DATES); negative: the line has no time */
    const char *module; /* the driver that wrote it, as its device or its function in brackets names it, or NULL */
    int8_t level;       /* 0 (the worst) to 7, as printk counts: 3 is an error; negative: the log does not say it */
    const char *driver; /* the one in front of the device ("driver 0000:01:00.0: "), or NULL */
};

/* A reader knows one family of formats.  Each line of a text file is offered first to the reader that took the line
 * before it, then to the others in their order, until one takes it: so a file may mix formats.  A reader of a binary
 * format has `bytes` and no `line`. */
struct gpudbg_reader {
    const char *name, *summary;
    /* Returns 0 (not mine) or 1 to 100: how specific the evidence in the first bytes is.  *why: a phrase.  NULL: the
     * reader is used only with --format. */
    int (*probe)(const uint8_t *bytes, size_t n, const char **why);
    /* Makes the state for a file; no function: there is no state.  NULL: out of memory; the reader is not used, and a
     * note says so. */
    void *(*open)(struct gpudbg_dump *);
    bool (*line)(void *state, struct gpudbg_dump *, const struct gpudbg_dump_line *);
    bool (*bytes)(struct gpudbg_dump *, const uint8_t *bytes, size_t n, struct gpudbg_error *);
    void (*close)(void *state, struct gpudbg_dump *); /* the file has ended: reports what was half read; frees state */
    /* Names of drivers whose devices captures are of, and NULL; or NULL: those of whose lines the reader took one. */
    const char *const *drivers;
};

/* For readers.  A dump has limits; what exceeds them is dropped, and one note says so. */
GPUDBG_PUBLIC struct regdb *gpudbg_dump_databases(
    const struct gpudbg_dump *); /* for gpudbg_reg_named and gpudbg_reg_at */
GPUDBG_PUBLIC const struct gpudbg_isa *gpudbg_dump_isa_named(
    const struct gpudbg_dump *, const char *name);                   /* or alias; NULL: none */
GPUDBG_PUBLIC uint64_t gpudbg_dump_base(const struct gpudbg_dump *); /* --base, for bare bytes */
GPUDBG_PUBLIC const char *gpudbg_dump_family_asked(
    const struct gpudbg_dump *); /* the instruction set chosen with --isa, or NULL */
/* Begins a capture of the device that the line names; what follows belongs to it.  Returns its number. */
GPUDBG_PUBLIC uint32_t gpudbg_dump_capture(struct gpudbg_dump *, uint32_t line, const char *title);
/* The number of the current capture; if there is none, one begins with this line. */
GPUDBG_PUBLIC uint32_t gpudbg_dump_current(struct gpudbg_dump *, uint32_t line);
/* Goes back to an earlier capture (the lines of two are mixed). */
GPUDBG_PUBLIC void gpudbg_dump_select(struct gpudbg_dump *, uint32_t capture);
/* Says that the current capture is of this family; chip may be NULL.  One of "A, B or C" that was said before takes its
 * place.  If it was said to be of another, a note says so. */
GPUDBG_PUBLIC void gpudbg_dump_family(struct gpudbg_dump *, uint32_t line, const char *family, const char *chip);
/* Assumes this family for all captures whose family is not known, each with a note.  (An assumed generation counts only
 * for captures that exist by then.) */
GPUDBG_PUBLIC void gpudbg_dump_assume(struct gpudbg_dump *, const char *family, const char *why);
GPUDBG_PUBLIC void gpudbg_dump_assume_in(
    struct gpudbg_dump *, uint32_t capture, const char *family, const char *why); /* only this one */
/* Adds a register to the current capture (record->capture is ignored).  mask 0 means all bits, bits 0 means 32.
 * false: there are too many. */
GPUDBG_PUBLIC bool gpudbg_dump_register(struct gpudbg_dump *, const struct gpudbg_record *);
/* Whether the current capture has this register of this unit already. */
GPUDBG_PUBLIC bool gpudbg_dump_has(struct gpudbg_dump *, const char *name, const char *unit);
/* The register that a record is a value of, with the fields that all generations of which the capture may be have
 * alike; NULL: it is not known, or the device was lost. */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_dump_reg(const struct gpudbg_dump *, const struct gpudbg_record *);
/* Adds a stream like this one, without bytes.  Returns its index, for the next two functions. */
GPUDBG_PUBLIC size_t gpudbg_dump_stream(struct gpudbg_dump *, const struct gpudbg_stream *);
GPUDBG_PUBLIC bool gpudbg_dump_stream_add(
    struct gpudbg_dump *, size_t stream, const void *bytes, size_t n, uint32_t line);
/* Words of 32 bits out of a line as people paste it: "0xc0012d00 6 2", "1000: c0012d00 00000006", "[3] = 0x2,".  Labels
 * in front of ':' and '=', what stands in brackets, names and comments (# and //) are passed over.  Numbers are hex,
 * with 0x or without; a word that begins with a letter and has no 0x must have eight digits, and longer numbers are two
 * words, the low one first.  Returns how many there are, of which at most `most` are stored.  *label: the first number
 * in front of ':' or '=', or UINT64_MAX.  *wrong: the word in the line that begins like a number but is not one (it
 * counts as 0), or NULL. */
GPUDBG_PUBLIC size_t gpudbg_pasted_words(
    const char *line, uint32_t *words, size_t most, uint64_t *label, const char **wrong);
/* The stream, to set its addr, read, write and cut. */
GPUDBG_PUBLIC struct gpudbg_stream *gpudbg_dump_stream_at(struct gpudbg_dump *, size_t stream);
/* Wave `index`, in the order in which they were added; valid until any reader adds another one. */
GPUDBG_PUBLIC struct gpudbg_dump_wave *gpudbg_dump_wave_at(struct gpudbg_dump *, size_t index);
/* Adds a wave to the current capture; valid until any reader adds another one. */
GPUDBG_PUBLIC struct gpudbg_dump_wave *gpudbg_dump_add_wave(
    struct gpudbg_dump *, uint32_t line, unsigned se, unsigned sh, unsigned cu, unsigned simd, unsigned wave);
/* The same, for a machine whose threads have only a number: the unit is "threadN". */
GPUDBG_PUBLIC struct gpudbg_dump_wave *gpudbg_dump_add_thread(struct gpudbg_dump *, uint32_t line, unsigned thread);
/* The same, with the name that the machine has for it: of generations that count their units in another way. */
GPUDBG_PUBLIC struct gpudbg_dump_wave *gpudbg_dump_add_unit(
    struct gpudbg_dump *, uint32_t line, const char *unit, unsigned wave);
/* Adds general registers: file 's', 'v', 't' or 'r'; n registers from `first` on, `lanes` values each. */
GPUDBG_PUBLIC bool gpudbg_dump_gprs(struct gpudbg_dump *, struct gpudbg_dump_wave *, char file, unsigned first,
    unsigned n, unsigned lanes, const uint32_t *);
GPUDBG_PUBLIC void gpudbg_dump_incident(
    struct gpudbg_dump *, const struct gpudbg_incident *); /* capture is filled in */
GPUDBG_PUBLIC void gpudbg_dump_incident_in(
    struct gpudbg_dump *, uint32_t capture, const struct gpudbg_incident *); /* of an earlier one */
GPUDBG_PUBLIC void gpudbg_dump_fact(
    struct gpudbg_dump *, uint32_t line, const char *key, const char *text, uint64_t value);
GPUDBG_PUBLIC void gpudbg_dump_note(struct gpudbg_dump *, uint32_t line, const char *kind, const char *fmt, ...)
    GPUDBG_PRINTF(4, 5);

/* For everybody: what a dump contains, numbered from 0 in the order of the lines; false or NULL past the end. */
GPUDBG_PUBLIC struct gpudbg_dump *gpudbg_session_dump(struct gpudbg *, size_t i);
GPUDBG_PUBLIC const char *gpudbg_dump_path(const struct gpudbg_dump *);
GPUDBG_PUBLIC const char *gpudbg_dump_format(const struct gpudbg_dump *); /* the reader that recognised it */
GPUDBG_PUBLIC uint32_t gpudbg_dump_lines(const struct gpudbg_dump *);     /* 0: no text */
GPUDBG_PUBLIC const struct gpudbg_capture *gpudbg_dump_captures(const struct gpudbg_dump *, size_t *n);
GPUDBG_PUBLIC size_t gpudbg_dump_records(const struct gpudbg_dump *);
GPUDBG_PUBLIC bool gpudbg_dump_record(const struct gpudbg_dump *, size_t i, struct gpudbg_record *);
/* The latest value of a register in a capture; unit NULL: any. */
GPUDBG_PUBLIC bool gpudbg_dump_find(
    const struct gpudbg_dump *, uint32_t capture, const char *unit, const char *name, struct gpudbg_record *);
GPUDBG_PUBLIC const struct gpudbg_stream *gpudbg_dump_streams(const struct gpudbg_dump *, size_t *n);
/* The line that has the word at this offset, 0 if none. */
GPUDBG_PUBLIC uint32_t gpudbg_dump_stream_line(const struct gpudbg_dump *, size_t stream, size_t offset);
GPUDBG_PUBLIC const struct gpudbg_dump_wave *gpudbg_dump_waves(const struct gpudbg_dump *, size_t *n);
GPUDBG_PUBLIC size_t gpudbg_dump_incidents(const struct gpudbg_dump *);
GPUDBG_PUBLIC const struct gpudbg_incident *gpudbg_dump_incident_at(const struct gpudbg_dump *, size_t i);
GPUDBG_PUBLIC const struct gpudbg_dump_note *gpudbg_dump_notes(const struct gpudbg_dump *, size_t *n);
GPUDBG_PUBLIC const struct gpudbg_dump_fact *gpudbg_dump_facts(const struct gpudbg_dump *, size_t *n);
/* The text of a line as it is in the file, without colours; read from the file again.  false: no such line. */
GPUDBG_PUBLIC bool gpudbg_dump_text(const struct gpudbg_dump *, uint32_t line, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
