/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpudbg.h: the one public header; its parts about what runs and about dumps stand in gpudbg_machine.h and gpudbg_dump.h.
 *
 * Everything gpudbg explains is a *word with fields*; an instruction is a list of such words placed at bit offsets; every
 * behaviour hangs on one table row.  An instruction set, a loader, a checker, a command or a listing is a const descriptor;
 * a plug-in is a descriptor of descriptors.  Read from the top:
 *
 *     errors -> words -> registers -> instructions -> instruction sets -> images and loaders -> memory -> machine and runners
 *            -> checkers -> output -> commands -> listings -> dumps -> plug-ins
 *
 * Rules that hold everywhere: descriptors and their strings are const and live for ever; a pointer returned is borrowed;
 * what can fail returns false (or NULL) and fills `struct gpudbg_error *`, its last argument, which may not be NULL;
 * `addr` is bytes in a space, `pc` bytes in code, `size` bytes, `n` a count, `lo` and `len` bits.  No function here uses
 * global state: a session, an image, a machine or a wave comes first.
 */
#ifndef GPUDBG_H
#define GPUDBG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GPUDBG_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define GPUDBG_PUBLIC __attribute__((visibility("default")))
#else
#define GPUDBG_PRINTF(f, a)
#define GPUDBG_PUBLIC
#endif

#define GPUDBG_ABI 1 /* of everything below; a plug-in built for another number is refused */

struct gpudbg;         /* a session: what is loaded, launched, selected, configured */
struct gpudbg_args;    /* the words of a command line, read from the left */
struct gpudbg_out;     /* where results go: text, JSON Lines or rows of a pane */
struct gpudbg_insn;
struct gpudbg_isa;
struct gpudbg_image;
struct gpudbg_machine;
struct gpudbg_wave;

/* ---- Errors -------------------------------------------------------------------------------------------------------- */

/* What went wrong, once, in one lower-case line that names the thing and the wrong number.  `kind` is one of the fixed
 * words of the command-line contract ("truncated", "syntax", ...) or "usage" or "command".  line and column count from 1;
 * 0 is unknown; offset counts bytes of the file, -1 is unknown. */
struct gpudbg_error {
    const char *kind; /* static; NULL: no error */
    char file[256];
    long line, column;
    int64_t offset;
    char message[512];
};

/* Fills *err (keeping a file, line and offset already there) and returns false. */
GPUDBG_PUBLIC bool gpudbg_fail(struct gpudbg_error *err, const char *kind, const char *fmt, ...) GPUDBG_PRINTF(3, 4);

/* ---- Words: bits cut into named fields -------------------------------------------------------------------------------- */

struct gpudbg_value {
    uint64_t value;
    const char *name, *doc; /* doc may be NULL */
};

struct gpudbg_enum {
    const char *name, *source; /* source: manual and section */
    const struct gpudbg_value *values;
    size_t count;
};

/* `len` bits from bit `lo` of the word on; a field is a list of runs, the run with its least significant bits first; len 0 ends it. */
struct gpudbg_run {
    uint8_t lo, len;
};
#define GPUDBG_RUNS 6

enum gpudbg_field_kind {
    GPUDBG_UINT,
    GPUDBG_SINT,    /* two's complement in the field's own width */
    GPUDBG_FLAG,    /* one bit; meaning: the doc, or its negation */
    GPUDBG_ENUM,    /* named by `meaning` */
    GPUDBG_FLOAT,   /* 32 or 16 bits of IEEE float, by its width */
    GPUDBG_OPERAND, /* names a register or constant; described by `describe` */
    GPUDBG_TARGET,  /* a code address; described by `describe`, or bits << scale */
    GPUDBG_MBZ,     /* reserved: must be zero; shown, and flagged when it is not */
    GPUDBG_OPCODE,  /* selects the row; meaning: the row's name */
    GPUDBG_POINTER, /* bits << scale is an address: shown in hex */
    GPUDBG_BITS,    /* a mask; `meaning` names values of one bit each */
    GPUDBG_BUSY,    /* one bit: 1 while the unit has work */
    GPUDBG_DONE,    /* one bit: 0 while the unit has work */
};

struct gpudbg_field {
    const char *name; /* the manual's; "-" for reserved bits */
    struct gpudbg_run run[GPUDBG_RUNS];
    uint8_t kind;  /* enum gpudbg_field_kind */
    uint8_t scale; /* the quantity is bits << scale */
    const struct gpudbg_enum *meaning; /* ENUM, or NULL; without values: that of the name in the databases of insn->session */
    /* Writes what `value` (the raw bits) means here; NULL: by kind.  insn is NULL for a word that is no instruction.
     * Returns the length, like snprintf. */
    int (*describe)(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size);
    const char *doc; /* a phrase of our own: what the field is for */
};

/* A word layout.  Bits no field claims are reserved: gpudbg shows them as fields named "-".  A word belongs to the format
 * if (word & mask) == match; low 64 bits first.  256 bits at most. */
struct gpudbg_format {
    const char *name, *source, *doc;
    uint16_t bits;
    uint64_t mask[2], match[2];
    const struct gpudbg_field *fields;
    size_t count;
};

/* A register is a format with an address.  The databases behind it: see "Registers" below. */
struct gpudbg_reg {
    const char *name, *block;
    uint64_t addr; /* bytes in its space; GPUDBG_NOWHERE: a word without an address */
    const char *access, *doc;
    const struct gpudbg_format *format;
    const char *isa;    /* whose */
    const char *space;  /* "mmio"; "sq" (indirect, ix registers), "arf", "word" */
    uint64_t reset, reset_mask; /* value after a reset, and the bits of it that are known */
    const char *array;  /* "CB_COLOR[0-7]_INFO" and the index in it; NULL: no array */
    unsigned index;
    const char *note;   /* where sources disagree, or NULL */
};
#define GPUDBG_NOWHERE UINT64_MAX

/* The field's bits of the word at `bytes` (little endian; `bit` is where the word starts), without the scale. */
GPUDBG_PUBLIC uint64_t gpudbg_bits(const uint8_t *bytes, uint32_t bit, const struct gpudbg_run *run);
/* The name of a value of an enumeration, or NULL. */
GPUDBG_PUBLIC const char *gpudbg_enum_name(const struct gpudbg_enum *, uint64_t value);
/* The meaning of `value` in words, as the field pane and JSON show it; empty only if there is nothing to say. */
GPUDBG_PUBLIC int gpudbg_field_meaning(
    const struct gpudbg_field *, const struct gpudbg_insn *, uint64_t value, char *buf, size_t size);

/* ---- Registers ---------------------------------------------------------------------------------------------------------- */

/* The register databases of a session: share/registers/, then the user's own, read when first asked for.  `isa` NULL: any.
 * Both return NULL for what is in none of them; what they return lives as long as the session. */
/* By name, as manuals, drivers and logs write it: any case; mm, ix, reg or R_00XXXX_ in front; "CB_COLOR_INFO[3]". */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_named(struct gpudbg *, const char *isa, const char *name);
/* By byte address in a space; the first of its database where several words share one. */
GPUDBG_PUBLIC const struct gpudbg_reg *gpudbg_reg_at(
    struct gpudbg *, const char *isa, const char *space, uint64_t addr);
/* An enumeration of the databases by its name; "REG.FIELD" for a list of values that a field has to itself. */
GPUDBG_PUBLIC const struct gpudbg_enum *gpudbg_enum_named(struct gpudbg *, const char *isa, const char *name);

/* ---- Instructions ----------------------------------------------------------------------------------------------------- */

enum gpudbg_op_flags {
    GPUDBG_OP_BRANCH = 1 << 0,   /* may set the pc; the target, where encoded, is an operand of kind TARGET */
    GPUDBG_OP_COND = 1 << 1,     /* ... or may fall through */
    GPUDBG_OP_CALL = 1 << 2,     /* ... and leaves a return address: `nexti` runs over it */
    GPUDBG_OP_RETURN = 1 << 3,
    GPUDBG_OP_END = 1 << 4,      /* ends the wave */
    GPUDBG_OP_BARRIER = 1 << 5,
    GPUDBG_OP_LOAD = 1 << 6,     /* reads memory */
    GPUDBG_OP_STORE = 1 << 7,    /* writes memory; an atomic has both */
    GPUDBG_OP_WAIT = 1 << 8,
    GPUDBG_OP_VECTOR = 1 << 9,   /* works per lane, under the mask */
    GPUDBG_OP_OPEN = 1 << 10,    /* opens a block: code is drawn in brackets from here to its CLOSE */
    GPUDBG_OP_MIDDLE = 1 << 11,  /* a part of the open block begins (else, case) */
    GPUDBG_OP_CLOSE = 1 << 12,   /* closes the block */
    GPUDBG_OP_COPY = 1 << 15,     /* gives on what it reads, unchanged: so moving what nobody wrote is no use of it */
    GPUDBG_OP_OWN = 1 << 16,     /* this and higher bits are the instruction set's own */
};

/* One row of an instruction set: the only place an opcode is written down. */
struct gpudbg_op {
    const char *name;     /* mnemonic without suffixes */
    const char *operands; /* template, in the instruction set's own small language */
    uint16_t id;          /* index in isa->ops */
    uint16_t code;        /* opcode number in its format */
    const struct gpudbg_format *format;
    uint32_t flags;
    const char *doc;    /* a sentence of our own: what it computes */
    const char *source; /* manual and section */
};

/* A word at a place of the instruction.  count > 1: the same word again and again (runs of data).  derived: not stored in
 * the bytes but stands for them (the native form of a compacted instruction); taken from insn->derived. */
struct gpudbg_part {
    const struct gpudbg_format *format;
    uint32_t bit;
    uint32_t count : 31;
    uint32_t derived : 1;
};

/* Region <vstride;width,hstride> in elements, Intel; swizzle-only machines leave it 0. */
struct gpudbg_region {
    uint8_t vstride, width, hstride;
};

enum gpudbg_operand_kind {
    GPUDBG_REGISTER, /* file, reg, count */
    GPUDBG_INTEGER,  /* imm */
    GPUDBG_NUMBER,   /* imm holds the bits of a float of the operand's width */
    GPUDBG_LITERAL,  /* imm: a constant word of its own in the code */
    GPUDBG_CODE,     /* imm: target address */
    GPUDBG_MEMORY,   /* what is read or written is memory; index: operand with the address */
    GPUDBG_SPECIAL,  /* anything else; text from the instruction set */
};
enum gpudbg_operand_flags {
    GPUDBG_READ = 1,
    GPUDBG_WRITE = 2,
    GPUDBG_IMPLICIT = 4, /* not in the text */
    GPUDBG_ALL_LANES = 8, /* whatever the mask says */
    GPUDBG_NO_MATTER = 16, /* read, but the result is the same whatever is in it: x == x */
};

struct gpudbg_operand {
    uint8_t kind, flags;
    uint8_t file;  /* index in isa->files */
    uint8_t type;  /* the instruction set's own number for its data type */
    uint8_t mods;  /* source modifiers, the instruction set's own bits */
    int8_t index;  /* operand that indexes this one, or -1 */
    uint16_t reg;  /* first register of the file */
    uint16_t count; /* registers (of the file's width) */
    uint16_t sub, swizzle;
    struct gpudbg_region region;
    int64_t imm;
};

#define GPUDBG_PARTS 48
#define GPUDBG_OPERANDS 12

/* A decoded instruction: a value that may be copied.  `raw` is borrowed from whoever gave the bytes to decode. */
struct gpudbg_insn {
    uint64_t addr;
    const struct gpudbg_isa *isa;
    struct gpudbg *session;    /* whose databases name values of fields (an enumeration without values); core's to set, or NULL */
    const struct gpudbg_op *op; /* NULL: illegal; parts[0] still names the layout recognised, if any */
    const uint8_t *raw;
    uint32_t size;     /* bytes */
    uint32_t variant;  /* the instruction set's own: which form of the row this is */
    uint8_t nparts, noperands;
    uint64_t derived[2];
    struct gpudbg_part parts[GPUDBG_PARTS];
    struct gpudbg_operand operands[GPUDBG_OPERANDS];
};

/* Walks the fields of an instruction (or of one word): claimed ones in the format's order, then the unclaimed bits. */
struct gpudbg_field_iter {
    const struct gpudbg_insn *insn;
    const struct gpudbg_format *format;
    const uint8_t *bytes; /* of the whole, instruction or word */
    uint32_t part, repeat, next;
    uint64_t claimed[4]; /* bits of this part met so far */
    uint8_t word[16];    /* bytes of a derived part */
    /* Results: */
    const struct gpudbg_field *field;
    struct gpudbg_field hole; /* what `field` points at for unclaimed bits */
    uint32_t bit;             /* where the field's word starts, from bit 0 of the first byte; derived: of insn->derived */
    uint64_t value;           /* raw bits */
    bool derived;
};
GPUDBG_PUBLIC void gpudbg_insn_fields(struct gpudbg_field_iter *, const struct gpudbg_insn *);
GPUDBG_PUBLIC void gpudbg_word_fields(struct gpudbg_field_iter *, const struct gpudbg_format *, const uint8_t *bytes);
GPUDBG_PUBLIC bool gpudbg_next_field(struct gpudbg_field_iter *); /* false: no more */

/* ---- Packets: a header of one dword and a payload of dwords, which command processors read ------------------------------ */

/* Adds the payload's parts behind the header: `words` in order (NULL ends them); what they leave is `data`.  The last of them
 * that is `data`, or is wider than a dword (an element of a list), stands as often as there is room. */
GPUDBG_PUBLIC void gpudbg_packet_parts(
    struct gpudbg_insn *, const struct gpudbg_format *const *words, unsigned payload, const struct gpudbg_format *data);
/* "NAME more field=meaning flag 0xdata": flags only where they are set, in long payloads no zeros, at most eight dwords of `data`;
 * fields of the header where they are enumerations, or set, and `header` says so.  Those of `silent` (may be NULL) are left out. */
GPUDBG_PUBLIC int gpudbg_packet_text(const struct gpudbg_insn *, const char *more, bool header, const struct gpudbg_format *data,
    const struct gpudbg_format *silent, char *buf, size_t size);

/* ---- Instruction sets --------------------------------------------------------------------------------------------------- */

/* A register file: `count` registers (0: as many as the launch declares, see runner->count), each `bits` wide and, if
 * `lanes` is more than 1, once per lane.  indexed: registers are NAME and a number ("v12"), else the name is the register
 * ("vcc").  Storage is dwords: register r of lane l is at ((r * lanes + l) * bits + 31) / 32. */
struct gpudbg_regfile {
    const char *name, *doc;
    uint16_t count, bits;
    uint8_t lanes;
    bool indexed;
    bool mask;                          /* a bit per lane */
    const struct gpudbg_format *format; /* its fields, or NULL */
    /* Letters of registers that consist of several, or NULL: with "xyzw" register 22 is written NAME5.z, and NAME5 means 20 to
     * 23.  Operands count in the file's registers. */
    const char *parts;
    uint8_t element; /* bits of what NAME.2 means where no type is given (0: 32) */
};
/* "v12", "r5.z", "vcc". */
GPUDBG_PUBLIC int gpudbg_register_name(const struct gpudbg_regfile *, unsigned index, char *buf, size_t size);

/* Something an instruction set's manual leaves open: `set NAME VALUE` with a name "il dmovc" for the choice `dmovc` of the
 * prefix "il".  values is NULL-terminated, the first one the default. */
struct gpudbg_choice {
    const char *prefix, *name;
    const char *const *values;
    const char *doc;
};

/* A register of the device, not of a wave, that a launch depends on: its name in the databases, and the value it has where
 * neither the user (`set device NAME VALUE`) nor a dump says another. */
struct gpudbg_device_register {
    const char *name;
    uint32_t value;
};

/* Names of addresses, for text: labels and symbols. */
struct gpudbg_names {
    const char *(*name)(const struct gpudbg_names *, uint64_t addr, char *buf, size_t size); /* NULL: no name */
    const void *data;
};

enum { GPUDBG_SHORT = 0, GPUDBG_ILLEGAL = -1 };

enum gpudbg_style {
    GPUDBG_READABLE = 0, /* what people read: everything has a name */
    GPUDBG_ASSEMBLER = 1, /* what the vendor's assembler takes back, byte for byte */
};

/* ---- Footprints: which bytes of which registers belong to which lane, for machines whose operands are regions ---- */

struct gpudbg_element {
    int32_t at;   /* first byte, from the first byte of the file: register * its bytes + byte in it */
    uint8_t size; /* bytes */
    int16_t lane; /* -1: of no lane in particular */
    bool off;     /* the lane does not run, or this element of it is not written */
};

#define GPUDBG_ELEMENTS 256
#define GPUDBG_FOOTPRINTS 48 /* of an instruction; a message has many */

/* What one operand touches.  Without elements (constants, unknown addresses) the note says why. */
struct gpudbg_footprint {
    const char *role; /* "dst", "src0", ... */
    const char *part; /* what these registers are in a message: "addresses"; NULL: it is none */
    const char *type; /* "f", "uw"; "" if there is none */
    char text[96];    /* the operand, as the code has it */
    char note[192];   /* what else there is to say, or "" */
    uint8_t file;     /* index in isa->files */
    uint8_t size;     /* bytes of an element */
    uint16_t n;
    struct gpudbg_element element[GPUDBG_ELEMENTS]; /* in the order of lanes */
};

/* An instruction whose result another one waits for, where code itself says what waits for what. */
struct gpudbg_wait {
    uint64_t consumer, producer; /* addresses: who waits, for whom */
    char how[16];                /* as the code has it: "$3.dst", "@2" */
};
typedef void gpudbg_wait_fn(void *to, const struct gpudbg_wait *);

/* A rule of the instruction set that an instruction breaks. */
struct gpudbg_problem {
    const char *rule, *source; /* a short name; manual and section */
    char text[256];            /* what is wrong, with names and numbers */
};

struct gpudbg_runner;
struct gpudbg_dumped;
struct gpudbg_checker;
struct gpudbg_loader;
struct gpudbg_report;

/* What `skim` fills.  starts: a bit for each unit of isa->align from p on, set where an instruction starts. */
struct gpudbg_skim {
    uint8_t *starts;
    size_t first; /* bit of p */
    uint64_t *targets;
    size_t ntargets, room;
};
static inline void gpudbg_skim_start(struct gpudbg_skim *s, size_t unit)
{
    unit += s->first;
    s->starts[unit / 8] |= (uint8_t)(1u << unit % 8);
}

#define GPUDBG_PRINT 2048 /* the longest text that `print` writes */

/* ---- What commands point at, where they count from bases that earlier commands set ---- */

#define GPUDBG_BASES 8
struct gpudbg_bases {
    uint64_t addr[GPUDBG_BASES];
    uint8_t known; /* a bit for each base that a command has set */
};
struct gpudbg_point {
    const char *name;        /* "kernel", "BLEND_STATE" */
    const char *base;        /* what the offset is counted from */
    uint64_t offset, addr;   /* addr: with the base, where that is known */
    bool based;              /* it is */
    const struct gpudbg_op *op; /* of the structure that stands there; NULL: code */
    const struct gpudbg_format *const *words; /* its layouts, one behind the other; NULL ends them */
    unsigned count;          /* structures in a row; 0: nobody says how many */
};
/* A structure is an instruction whose op has no format, and may point at others. */
struct gpudbg_pointing {
    void (*set_bases)(const struct gpudbg_insn *, struct gpudbg_bases *); /* after a command */
    bool (*points)(const struct gpudbg_insn *, const struct gpudbg_bases *, unsigned i, struct gpudbg_point *); /* false: no i-th */
};

/* How compilers' debug information (DWARF) speaks of this instruction set's registers and memory. */
struct gpudbg_dwarf {
    /* The register of that number: index of its file, and its number there; false: none that is shown. */
    bool (*reg)(unsigned number, unsigned *file, unsigned *reg);
    unsigned own_class, local_class; /* address classes: memory of a work-item; of a group */
    /* The address of byte `at` of a frame in the lane's own memory; frame: what the register of the frame holds.  false: outside. */
    bool (*own)(struct gpudbg_wave *, unsigned lane, uint32_t frame, uint64_t at, uint64_t *addr);
    /* The address class that a pointer of none leads to by its value, and its place there in *addr; 0: global memory, *addr is
     * left as it is.  NULL: always that. */
    unsigned (*aperture)(const struct gpudbg_wave *, uint64_t *addr);
};

struct gpudbg_isa {
    const char *name;
    const char *const *aliases;  /* NULL-terminated */
    const char *title;
    const char *const *syntaxes; /* NULL-terminated; the first is the default */
    uint8_t align;               /* of instructions, bytes */
    uint8_t lanes;
    const struct gpudbg_op *ops;
    size_t nops;
    const struct gpudbg_enum *const *enums; /* NULL-terminated */
    const struct gpudbg_format *const *formats; /* NULL-terminated: every word layout, instructions first */
    const struct gpudbg_regfile *files;
    size_t nfiles;
    /* Decodes one instruction from n bytes at p, as if at addr.  Returns bytes consumed, GPUDBG_SHORT (n is too few) or
     * GPUDBG_ILLEGAL (then op is NULL, size says how many bytes to pass over, parts[0] the layout if one is recognised). */
    int (*decode)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);
    /* Writes the text of a decoded instruction; names may be NULL.  Returns the length like snprintf.  In ASSEMBLER style,
     * -1 if the assembler has no way to say it: the caller prints data. */
    int (*text)(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf, size_t size);
    /* Text of one operand, for "reads" and "writes" lines. */
    int (*operand_text)(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);
    /* Named descriptor layouts for `print/X` ('V', 'T', 'S', ...): formats over consecutive registers; ends with letter 0. */
    const struct gpudbg_view {
        char letter;
        const char *name;
        const struct gpudbg_format *format;
    } *views;
    /* A hint for bare code: where the program that starts at p ends (bytes, after its last instruction), or 0. */
    size_t (*program)(const struct gpudbg_isa *, const uint8_t *p, size_t n);
    const struct gpudbg_runner *run; /* NULL: decode only */
    /* The footprints of a decoded instruction's operands, at most `most`; returns how many.  With a wave, addresses and lanes
     * are those of now.  NULL: registers are read whole. */
    unsigned (*footprints)(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *, unsigned most);
    /* The rules that a decoded instruction breaks; returns how many.  NULL: there are none. */
    unsigned (*problems)(const struct gpudbg_insn *, struct gpudbg_problem *, unsigned most);
    /* Passes over instructions from p on without the rest of decoding: marks where they start and collects the code addresses
     * they name.  Returns the bytes passed over, those that are no instruction included; it ends where it needs decode's help,
     * and where there is no room for targets.  NULL: decode does all. */
    size_t (*skim)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *);
    const char *comment; /* opens a comment, where the assembler takes no data; NULL: it takes .long and .byte */
    const struct gpudbg_choice *choices; /* at most GPUDBG_CHOICES, a NULL name ends them; or NULL.  Read by runner->launch */
    /* Takes any file when the user names this instruction set; NULL: such a file is bare code. */
    const struct gpudbg_loader *loader;
    /* What makes a loaded program malformed, not only unusual: listing it is an error, too.  Calls each(to, report) until it
     * returns false; report.error is set.  NULL: any bytes will do. */
    void (*faults)(const struct gpudbg_image *, bool (*each)(void *to, const struct gpudbg_report *), void *to);
    /* What waits for what in the code around addr (its kernel or function, else its section, given in range as [0] to before
     * [1]), on any way through it: calls each(to, wait), in the order of who waits.  false: there is no such code, or too much
     * of it.  NULL: code does not say. */
    bool (*waits)(const struct gpudbg_image *, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to);
    const char *database; /* under which name the databases have its enumerations; NULL: its own */
    /* How waves of dumps become waves of a machine, see gpudbg_dump.h; NULL: they do not. */
    const struct gpudbg_dumped *dumped;
    /* For long listings, decode and READABLE text of the default syntax in one.  `printer` makes what `print` needs, with malloc
     * (NULL: out of memory); the caller frees it.  `print` writes the text of the instruction at p, *len bytes without a 0 at the
     * end, into GPUDBG_PRINT bytes, and returns what decode returns.  NULL: decode and text do. */
    void *(*printer)(const struct gpudbg_isa *);
    int (*print)(void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len);
    const struct gpudbg_device_register *device; /* a NULL name ends them; or NULL.  Read by runner->launch */
    const struct gpudbg_pointing *pointing; /* of commands; NULL: they count from nothing */
    const struct gpudbg_dwarf *dwarf; /* NULL: variables of the source have no places */
};
#define GPUDBG_CHOICES 16
/* Number of the value that the user has chosen for isa->choices[i]. */
GPUDBG_PUBLIC unsigned gpudbg_chosen(struct gpudbg *, const struct gpudbg_isa *, unsigned i);

/* What isa->device[i] holds now. */
GPUDBG_PUBLIC uint32_t gpudbg_device_value(struct gpudbg *, const struct gpudbg_isa *, size_t i);

/* Decodes and falls back to one unit of data, so that a walk always makes progress: size is at least 1 and at most n
 * (n > 0).  Returns true if it is an instruction. */
GPUDBG_PUBLIC bool gpudbg_insn_at(
    const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);

/* The instruction set of that name or alias, or NULL. */
GPUDBG_PUBLIC const struct gpudbg_isa *gpudbg_isa_named(struct gpudbg *, const char *name);

/* ---- Images: a loaded file ------------------------------------------------------------------------------------------------ */

enum gpudbg_section_flags { GPUDBG_CODE_BYTES = 1, GPUDBG_LOADED = 2, GPUDBG_WRITABLE = 4 };

struct gpudbg_section {
    const char *name;
    uint64_t addr, size;
    const uint8_t *bytes; /* borrowed from the file's mapping or the arena; NULL: zeros */
    uint32_t flags;
};

enum gpudbg_symbol_kind { GPUDBG_SYM_FUNCTION, GPUDBG_SYM_KERNEL, GPUDBG_SYM_OBJECT, GPUDBG_SYM_LABEL };

struct gpudbg_symbol {
    const char *name;
    uint64_t addr, size;
    uint8_t kind;
};

enum gpudbg_param_kind {
    GPUDBG_PARAM_VALUE,
    GPUDBG_PARAM_BUFFER, /* a pointer to global or constant memory */
    GPUDBG_PARAM_LOCAL,  /* a pointer to LDS, sized at launch */
    GPUDBG_PARAM_IMAGE,
    GPUDBG_PARAM_SAMPLER,
    GPUDBG_PARAM_HIDDEN, /* filled in by the launch; name says which */
    GPUDBG_PARAM_OTHER,  /* pipes, queues: named in `type` */
    GPUDBG_PARAM_TEXT,   /* a word that the runner reads itself: bound->text */
};

struct gpudbg_param {
    const char *name, *type; /* name NULL if the file does not say; type as the source spells it, or NULL */
    uint8_t kind;
    char scalar; /* VALUE: 'i' signed, 'u' unsigned, 'f' float, 0 unknown or aggregate */
    uint32_t offset, size, align;
    bool optional; /* need not be given */
};

/* Facts about a kernel or a file that only name numbers ("sgprs" 16): shown by `info`, carried in JSON under `key`. */
struct gpudbg_fact {
    const char *key, *text; /* text NULL: the value is the number */
    uint64_t value;
};

struct gpudbg_kernel {
    const char *name;
    uint64_t entry, size; /* code address of the first instruction; bytes of code, 0 unknown */
    struct gpudbg_param *params;
    size_t nparams;
    uint32_t lds, scratch, kernarg; /* bytes: a group, a work-item, the argument block */
    uint32_t reqd_local[3], max_local;
    bool fixed_local; /* reqd_local counts whatever the user says (pixels in blocks) */
    struct gpudbg_fact *facts;
    size_t nfacts;
    const void *abi; /* the loader's own, for the runner of the same decoder; in the image's arena */
    const char *abi_name; /* "hsa-v5", "mesa", ...; NULL: bare code */
};

struct gpudbg_line { /* a row of a line table */
    uint64_t addr;
    const char *file;
    uint32_t line, column;
};

/* A word that linking would have filled in: applied to the memory of a launch, not to the listing. */
struct gpudbg_patch {
    uint64_t addr, value;
    uint8_t size; /* bytes: 4 or 8 */
};

struct gpudbg_image {
    const char *path;   /* as given */
    const char *kind;   /* name of the loader */
    const char *why;    /* what in the file made it so */
    const struct gpudbg_isa *isa;
    const uint8_t *bytes; /* the whole file, uncompressed, mapped or in the arena */
    size_t size;
    struct gpudbg_section *sections;
    size_t nsections;
    struct gpudbg_symbol *symbols; /* sorted by address once loading ends */
    size_t nsymbols;
    struct gpudbg_kernel *kernels;
    size_t nkernels;
    struct gpudbg_line *lines; /* sorted by address */
    size_t nlines;
    struct gpudbg_patch *patches;
    size_t npatches;
    struct gpudbg_fact *facts; /* for `info file` */
    size_t nfacts;
    void *own; /* core's: arena, mapping, indices */
};

/* For loaders: the image grows while loading.  Strings given are copied into the arena.  A pointer returned is good until
 * the next one of its kind is added. */
GPUDBG_PUBLIC void *gpudbg_image_alloc(struct gpudbg_image *, size_t size); /* zeroed; lives as long as the image; NULL: too much */
GPUDBG_PUBLIC const char *gpudbg_image_string(struct gpudbg_image *, const char *text, size_t n);
GPUDBG_PUBLIC struct gpudbg_section *gpudbg_image_section(struct gpudbg_image *, const char *name, uint64_t addr, uint64_t size,
    const uint8_t *bytes, uint32_t flags);
GPUDBG_PUBLIC struct gpudbg_symbol *gpudbg_image_symbol(
    struct gpudbg_image *, const char *name, uint64_t addr, uint64_t size, enum gpudbg_symbol_kind);
GPUDBG_PUBLIC struct gpudbg_kernel *gpudbg_image_kernel(struct gpudbg_image *, const char *name, uint64_t entry);
GPUDBG_PUBLIC struct gpudbg_param *gpudbg_kernel_param(struct gpudbg_image *, struct gpudbg_kernel *); /* a new one, zeroed, at the end */
GPUDBG_PUBLIC void gpudbg_kernel_fact(struct gpudbg_image *, struct gpudbg_kernel *, const char *key, uint64_t value);
/* For gpudbg_param.scalar: what the elements of a type of OpenCL C are, by its name (NULL: 0). */
GPUDBG_PUBLIC char gpudbg_scalar_of(const char *type);
GPUDBG_PUBLIC void gpudbg_image_fact(struct gpudbg_image *, const char *key, const char *text, uint64_t value);
GPUDBG_PUBLIC void gpudbg_image_add_line(struct gpudbg_image *, uint64_t addr, const char *file, uint32_t line, uint32_t column);
GPUDBG_PUBLIC void gpudbg_image_patch(struct gpudbg_image *, uint64_t addr, uint64_t value, unsigned size);

/* ELF files, through libelf and libdw, while loading: adds sections (allocated ones are loaded at their addresses; those of a relocatable
 * file are laid out one after another from 0 on), symbols and the line table. */
struct gpudbg_elf {
    uint16_t type, machine;
    uint8_t osabi, abi_version;
    uint32_t flags;
    bool relocatable;
};
GPUDBG_PUBLIC bool gpudbg_elf_load(struct gpudbg_image *, struct gpudbg_elf *, struct gpudbg_error *);
/* The line table of an ELF file that stands inside of the file and whose addresses count from `base`; none, if it is damaged. */
GPUDBG_PUBLIC void gpudbg_elf_lines(struct gpudbg_image *, const uint8_t *bytes, size_t size, uint64_t base);
/* Calls each(to, ...) for every note until it returns false. */
typedef bool gpudbg_note_fn(void *to, const char *owner, uint32_t type, const uint8_t *desc, size_t size);
GPUDBG_PUBLIC bool gpudbg_elf_notes(struct gpudbg_image *, gpudbg_note_fn *each, void *to, struct gpudbg_error *);
/* Calls each(to, ...) for every relocation: place is an address of the image, symbol the symbol's value there (or
 * GPUDBG_UNDEFINED); an addend that stands in the place is read from its 32 bits. */
#define GPUDBG_UNDEFINED UINT64_MAX
typedef void gpudbg_relocation_fn(void *to, uint32_t type, uint64_t place, uint64_t symbol, int64_t addend);
GPUDBG_PUBLIC void gpudbg_elf_relocations(struct gpudbg_image *, gpudbg_relocation_fn *each, void *to);

/* Whether libyaml can load the text (its first document) in time that grows as its length: it compares every anchor with all others
 * and every word with all open brackets, and aliases make a small text a huge tree.  false: *problem says what there is too much of. */
GPUDBG_PUBLIC bool gpudbg_yaml_plain(const uint8_t *bytes, size_t n, const char **problem);

/* For everyone. */
GPUDBG_PUBLIC const struct gpudbg_section *gpudbg_image_at(const struct gpudbg_image *, uint64_t addr); /* loaded section, or NULL */
/* Bytes of the loaded section at addr and how many follow in it; NULL if none (or zeros that the file does not hold). */
GPUDBG_PUBLIC const uint8_t *gpudbg_image_bytes(const struct gpudbg_image *, uint64_t addr, size_t *n);
/* Copies [addr, addr + size) as a launch sees it: zeros where the file holds none, patches applied. */
GPUDBG_PUBLIC void gpudbg_image_copy(const struct gpudbg_image *, uint64_t addr, uint8_t *to, uint64_t size);
GPUDBG_PUBLIC const struct gpudbg_symbol *gpudbg_image_symbol_at(const struct gpudbg_image *, uint64_t addr); /* at or before, covering */
GPUDBG_PUBLIC const struct gpudbg_symbol *gpudbg_image_find(const struct gpudbg_image *, const char *name);
GPUDBG_PUBLIC const struct gpudbg_kernel *gpudbg_image_kernel_named(const struct gpudbg_image *, const char *name);
GPUDBG_PUBLIC const struct gpudbg_line *gpudbg_image_line(const struct gpudbg_image *, uint64_t addr); /* row that covers addr, or NULL */

/* A loader looks at the first bytes, says how sure it is, then fills the image. */
struct gpudbg_loader {
    const char *name, *summary;
    /* 0: no; 1 to 100: how specific the evidence is; *why: a phrase ("ELF, machine 224").  n may be the whole
     * file or its first 64 KB. */
    int (*probe)(const uint8_t *bytes, size_t n, const char **why);
    bool (*load)(struct gpudbg_image *, struct gpudbg_error *); /* bytes, size, path are set */
};

/* ---- Memory, machine and runners, checkers: gpudbg_machine.h, included below ------------------------------------------------------- */

/* ---- Output --------------------------------------------------------------------------------------------------------------------- */

/* With --json a command gives records, else lines of text.  Ask which, or use a listing, which is both. */
GPUDBG_PUBLIC bool gpudbg_out_json(const struct gpudbg_out *);
GPUDBG_PUBLIC void gpudbg_out_print(struct gpudbg_out *, const char *fmt, ...) GPUDBG_PRINTF(2, 3); /* text; ignored in JSON */
/* A record: {"type":type, ...}; members in the order given; objects and arrays nest.  Ignored in text. */
GPUDBG_PUBLIC void gpudbg_out_begin(struct gpudbg_out *, const char *type);
GPUDBG_PUBLIC void gpudbg_out_end(struct gpudbg_out *);
GPUDBG_PUBLIC void gpudbg_out_string(struct gpudbg_out *, const char *key, const char *value); /* key NULL inside an array */
GPUDBG_PUBLIC void gpudbg_out_hex(struct gpudbg_out *, const char *key, uint64_t value);       /* "0x..." */
GPUDBG_PUBLIC void gpudbg_out_number(struct gpudbg_out *, const char *key, int64_t value);
GPUDBG_PUBLIC void gpudbg_out_real(struct gpudbg_out *, const char *key, double value);
GPUDBG_PUBLIC void gpudbg_out_bool(struct gpudbg_out *, const char *key, bool value);
GPUDBG_PUBLIC void gpudbg_out_bytes(struct gpudbg_out *, const char *key, const uint8_t *bytes, size_t n); /* hex digits in memory order */
GPUDBG_PUBLIC void gpudbg_out_array(struct gpudbg_out *, const char *key);  /* ... until gpudbg_out_close */
GPUDBG_PUBLIC void gpudbg_out_object(struct gpudbg_out *, const char *key); /* ... until gpudbg_out_close */
GPUDBG_PUBLIC void gpudbg_out_close(struct gpudbg_out *);

/* ---- Commands ------------------------------------------------------------------------------------------------------------------- */

struct gpudbg_command {
    const char *name, *aliases; /* aliases: words with blanks between, or NULL */
    const char *usage;          /* after the name: "[/FMT] EXPR" */
    const char *summary;        /* one line, for lists */
    const char *help;           /* the rest, for `help NAME`; NULL: the summary says it all */
    const char *family;         /* heading in `help` */
    bool (*run)(struct gpudbg *, struct gpudbg_args *, struct gpudbg_out *, struct gpudbg_error *);
    /* The state-th completion of `text`, malloc'ed, or NULL; NULL pointer: no completion. */
    char *(*complete)(struct gpudbg *, const char *text, unsigned state);
};

GPUDBG_PUBLIC const char *gpudbg_args_format(struct gpudbg_args *);  /* what stood after '/' behind the name, or "" */
GPUDBG_PUBLIC const char *gpudbg_args_word(struct gpudbg_args *);    /* next word, quotes taken off; NULL at the end */
GPUDBG_PUBLIC const char *gpudbg_args_rest(struct gpudbg_args *);    /* what is left, as typed */
GPUDBG_PUBLIC bool gpudbg_args_number(struct gpudbg_args *, uint64_t *value, struct gpudbg_error *); /* next word as an expression */

/* The session, for commands. */
GPUDBG_PUBLIC struct gpudbg_image *gpudbg_session_image(struct gpudbg *);     /* NULL: nothing loaded */
GPUDBG_PUBLIC struct gpudbg_machine *gpudbg_session_machine(struct gpudbg *); /* NULL: nothing launched */
GPUDBG_PUBLIC struct gpudbg_wave *gpudbg_session_wave(struct gpudbg *);       /* the selected one, or NULL */
GPUDBG_PUBLIC int gpudbg_session_lane(struct gpudbg *);
/* Runs what the launch has executed up to now once more, from its start, for whoever watches from within the runner, while
 * *watching is true; then all is as before.  false: interrupted, or nothing is launched. */
GPUDBG_PUBLIC bool gpudbg_rerun(struct gpudbg *, bool *watching, struct gpudbg_error *);
GPUDBG_PUBLIC bool gpudbg_execute(struct gpudbg *, const char *line, struct gpudbg_out *, struct gpudbg_error *);
GPUDBG_PUBLIC bool gpudbg_evaluate(struct gpudbg *, const char *expr, uint64_t *value, struct gpudbg_error *);

/* ---- Listings ------------------------------------------------------------------------------------------------------------------- */

enum gpudbg_cell_style {
    GPUDBG_PLAIN, GPUDBG_ADDRESS, GPUDBG_COUNT, GPUDBG_NAME, GPUDBG_HEXVALUE, GPUDBG_NOTE,
};

/* A column: text for a cell, and the same in JSON under `key` (ADDRESS and HEXVALUE as "0x...", COUNT as a number).
 * width 0: as wide as its widest cell. */
struct gpudbg_column {
    const char *key, *title;
    uint8_t width, style;
    int (*cell)(const void *row, char *buf, size_t size);
};

typedef bool gpudbg_row_fn(void *to, const void *row); /* false: enough */

/* Declared once, shown three ways: `info NAME`, JSON Lines, a pane. */
struct gpudbg_listing {
    const char *name, *summary;
    const char *type; /* of the JSON record; NULL: name */
    const struct gpudbg_column *columns;
    size_t ncolumns;
    /* Calls each(to, row) for every row; args: what the user wrote after the name, or "". */
    bool (*rows)(struct gpudbg *, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *);
    const char *empty; /* what to say when there is no row */
    /* Names of the instruction sets whose files have it, NULL-terminated; NULL: all.  Two listings that share no instruction
     * set may share a name: the one of the loaded file counts. */
    const char *const *isas;
};

/* ---- Dumps: captured state: gpudbg_dump.h, included below ------------------------------------------------------------------------ */

struct gpudbg_reader;

/* ---- Plug-ins ------------------------------------------------------------------------------------------------------------------- */

/* A shared object exports one symbol, `gpudbg_plugin`, of this type.  All lists are NULL-terminated and may be NULL.
 * abi must be GPUDBG_ABI and size at most the host's: the host copies it over zeros, so the struct may grow at its end.
 * start is called once a session, after registration; when it fails the plug-in is taken out again and the error shown. */
struct gpudbg_plugin {
    uint32_t abi, size;
    const char *name, *version, *summary;
    const struct gpudbg_isa *const *isas;
    const struct gpudbg_loader *const *loaders;
    const struct gpudbg_checker *const *checkers;
    const struct gpudbg_command *const *commands;
    const struct gpudbg_listing *const *listings;
    bool (*start)(struct gpudbg *, struct gpudbg_error *);
    void (*stop)(struct gpudbg *);
    const struct gpudbg_reader *const *readers;
};

#ifdef __cplusplus
}
#endif

#include "gpudbg_machine.h"
#include "gpudbg_dump.h"
#endif
