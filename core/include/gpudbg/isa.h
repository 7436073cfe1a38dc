/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa.h: instructions, the packets of command processors, and the descriptor of an instruction set. */
#ifndef GPUDBG_PUBLIC_ISA_H
#define GPUDBG_PUBLIC_ISA_H

#include "word.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Instructions
 * ----------------------------------------------------------------------------------------------------- */

enum gpudbg_op_flags {
    GPUDBG_OP_BRANCH = 1 << 0, /* may set the pc; the target, where encoded, is an operand of kind TARGET */
    GPUDBG_OP_COND = 1 << 1,   /* ... or may fall through */
    GPUDBG_OP_CALL = 1 << 2,   /* ... and leaves a return address: `nexti` runs over it */
    GPUDBG_OP_RETURN = 1 << 3,
    GPUDBG_OP_END = 1 << 4, /* ends the wave */
    GPUDBG_OP_BARRIER = 1 << 5,
    GPUDBG_OP_LOAD = 1 << 6,  /* reads memory */
    GPUDBG_OP_STORE = 1 << 7, /* writes memory; an atomic has both */
    GPUDBG_OP_WAIT = 1 << 8,
    GPUDBG_OP_VECTOR = 1 << 9,  /* works per lane, under the mask */
    GPUDBG_OP_OPEN = 1 << 10,   /* opens a block: code is drawn in brackets from here to its CLOSE */
    GPUDBG_OP_MIDDLE = 1 << 11, /* a part of the open block begins (else, case) */
    GPUDBG_OP_CLOSE = 1 << 12,  /* closes the block */
    GPUDBG_OP_COPY =
        1 << 15, /* copies its source unchanged, so copying an uninitialised register is not reported as a use */
    GPUDBG_OP_OWN = 1 << 16, /* this and higher bits are the instruction set's own */
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

/* A word at a place of the instruction. count > 1: the same word, repeated (runs of data). derived: the word is not
 * stored in the bytes; it is computed from them (the native form of a compacted instruction) and is in insn->derived.
 */
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
    GPUDBG_MEMORY,   /* memory is read or written; index: the operand with the address */
    GPUDBG_SPECIAL,  /* anything else; text from the instruction set */
};
enum gpudbg_operand_flags {
    GPUDBG_READ = 1,
    GPUDBG_WRITE = 2,
    GPUDBG_IMPLICIT = 4,   /* not in the text */
    GPUDBG_ALL_LANES = 8,  /* in all lanes, also those that the mask switches off */
    GPUDBG_NO_MATTER = 16, /* read, but its value does not change the result: x == x */
};

struct gpudbg_operand {
    uint8_t kind, flags;
    uint8_t file;   /* index in isa->files */
    uint8_t type;   /* the instruction set's own number for its data type */
    uint8_t mods;   /* source modifiers, the instruction set's own bits */
    int8_t index;   /* operand that indexes this one, or -1 */
    uint16_t reg;   /* first register of the file */
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
    struct regdb *databases;    /* they name values of fields (an enumeration without values); core's to set, or NULL */
    const struct gpudbg_op *op; /* NULL: illegal; parts[0] still names the layout recognised, if any */
    const uint8_t *raw;
    uint32_t size;    /* bytes */
    uint32_t variant; /* the instruction set's own: which form of the row this is */
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
    uint32_t bit;   /* where the field's word starts, from bit 0 of the first byte; derived: of insn->derived */
    uint64_t value; /* raw bits */
    bool derived;
};
GPUDBG_PUBLIC void gpudbg_insn_fields(struct gpudbg_field_iter *, const struct gpudbg_insn *);
GPUDBG_PUBLIC void gpudbg_word_fields(struct gpudbg_field_iter *, const struct gpudbg_format *, const uint8_t *bytes);
GPUDBG_PUBLIC bool gpudbg_next_field(struct gpudbg_field_iter *); /* false: no more */

/* ---- Packets: a header of one dword and a payload of dwords, which command processors read
 * ------------------------------ */

/* Adds the payload's parts after the header: `words` in order (NULL ends them), then `data` for the rest. The last
 * part, if it is `data` or wider than a dword (an element of a list), is repeated as often as there is room. */
GPUDBG_PUBLIC void gpudbg_packet_parts(
    struct gpudbg_insn *, const struct gpudbg_format *const *words, unsigned payload, const struct gpudbg_format *data);
/* Writes "NAME more field=meaning flag 0xdata". Flags appear only if they are set, zeros only in short payloads, and at
 * most eight dwords of `data`. With `header`, fields of the header appear if they are enumerations or not 0. Fields of
 * `silent` (may be NULL) are left out. */
GPUDBG_PUBLIC int gpudbg_packet_text(const struct gpudbg_insn *, const char *more, bool header,
    const struct gpudbg_format *data, const struct gpudbg_format *silent, char *buf, size_t size);

/* ---- Instruction sets
 * --------------------------------------------------------------------------------------------------- */

/* A register file: `count` registers (0: as many as the launch declares, see runner->count), each `bits` wide and, if
 * `lanes` is more than 1, once per lane.  indexed: registers are NAME and a number ("v12"), else the name is the
 * register
 * ("vcc").  Storage is dwords: register r of lane l is at ((r * lanes + l) * bits + 31) / 32. */
struct gpudbg_regfile {
    const char *name, *doc;
    uint16_t count, bits;
    uint8_t lanes;
    bool indexed;
    bool mask;                          /* a bit per lane */
    const struct gpudbg_format *format; /* its fields, or NULL */
    /* Letters of registers that consist of several, or NULL: with "xyzw" register 22 is written NAME5.z, and NAME5
     * means 20 to
     * 23.  Operands count in the file's registers. */
    const char *parts;
    uint8_t element; /* bits of what NAME.2 means where no type is given (0: 32) */
};
/* "v12", "r5.z", "vcc". */
GPUDBG_PUBLIC int gpudbg_register_name(const struct gpudbg_regfile *, unsigned index, char *buf, size_t size);

/* A choice that an instruction set's manual leaves open: `set il dmovc d3d` for the choice `dmovc` of the prefix "il".
 * values is NULL-terminated; the first one is the default. */
struct gpudbg_choice {
    const char *prefix, *name;
    const char *const *values;
    const char *doc;
};

/* A register of the device, not of a wave, that a launch depends on: its name in the databases, and its value if
 * neither the user (`set device NAME VALUE`) nor a dump gives another one. */
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
    GPUDBG_READABLE = 0,  /* what people read: everything has a name */
    GPUDBG_ASSEMBLER = 1, /* what the vendor's assembler turns into the same bytes */
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

/* The bytes that one operand uses. If there are no elements (constants, unknown addresses), the note says why. */
struct gpudbg_footprint {
    const char *role; /* "dst", "src0", ... */
    const char *part; /* what these registers hold in a message: "addresses"; NULL: not a message */
    const char *type; /* "f", "uw"; "" if there is none */
    char text[96];    /* the operand, as the code has it */
    char note[192];   /* what else there is to say, or "" */
    uint8_t file;     /* index in isa->files */
    uint8_t size;     /* bytes of an element */
    uint16_t n;
    struct gpudbg_element element[GPUDBG_ELEMENTS]; /* in the order of lanes */
};

/* An instruction whose result another one waits for, on machines whose code says so. */
struct gpudbg_wait {
    uint64_t consumer, producer; /* addresses: the instruction that waits, and the one it waits for */
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

/* ---- What commands point at: offsets from bases that earlier commands set ---- */

#define GPUDBG_BASES 8
struct gpudbg_bases {
    uint64_t addr[GPUDBG_BASES];
    uint8_t known; /* a bit for each base that a command has set */
};
struct gpudbg_point {
    const char *name;                         /* "kernel", "BLEND_STATE" */
    const char *base;                         /* what the offset is counted from */
    uint64_t offset, addr;                    /* addr: with the base, where that is known */
    bool based;                               /* it is */
    const struct gpudbg_op *op;               /* of the structure at that place; NULL: code */
    const struct gpudbg_format *const *words; /* its layouts, one after another; NULL ends them */
    unsigned count;                           /* structures in a row; 0: unknown */
};
/* A structure is an instruction whose op has no format, and may point at others. */
struct gpudbg_pointing {
    void (*set_bases)(const struct gpudbg_insn *, struct gpudbg_bases *); /* after a command */
    bool (*points)(const struct gpudbg_insn *, const struct gpudbg_bases *, unsigned i,
        struct gpudbg_point *); /* false: no i-th */
};

/* How compilers' debug information (DWARF) names this instruction set's registers and memory. */
struct gpudbg_dwarf {
    /* The register with this DWARF number: index of its file, and its number there. false: no register that is shown.
     */
    bool (*reg)(unsigned number, unsigned *file, unsigned *reg);
    unsigned own_class, local_class; /* address classes: memory of a work-item; of a group */
    /* The address of byte `at` of a frame in the lane's own memory; frame: what the register of the frame holds. false:
     * outside. */
    bool (*own)(struct gpudbg_wave *, unsigned lane, uint32_t frame, uint64_t at, uint64_t *addr);
    /* The address class that a generic pointer (one without a class) leads to, decided by its value; *addr becomes its
     * place there. 0: global memory, and *addr stays as it is. A NULL function: always global memory. */
    unsigned (*aperture)(const struct gpudbg_wave *, uint64_t *addr);
};

struct gpudbg_isa {
    const char *name;
    const char *const *aliases; /* NULL-terminated */
    const char *title;
    const char *const *syntaxes; /* NULL-terminated; the first is the default */
    uint8_t align;               /* of instructions, bytes */
    uint8_t lanes;
    const struct gpudbg_op *ops;
    size_t nops;
    const struct gpudbg_enum *const *enums;     /* NULL-terminated */
    const struct gpudbg_format *const *formats; /* NULL-terminated: every word layout, instructions first */
    const struct gpudbg_regfile *files;
    size_t nfiles;
    /* Decodes one instruction from n bytes at p, as if at addr.  Returns bytes consumed, GPUDBG_SHORT (n is too few) or
     * GPUDBG_ILLEGAL (then op is NULL, size says how many bytes to pass over, parts[0] the layout if one is
     * recognised). */
    int (*decode)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);
    /* Writes the text of a decoded instruction; names may be NULL.  Returns the length like snprintf.  In ASSEMBLER
     * style, -1 if the assembler has no way to say it: the caller prints data. */
    int (*text)(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf,
        size_t size);
    /* Text of one operand, for "reads" and "writes" lines. */
    int (*operand_text)(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);
    /* Named descriptor layouts for `print/X` ('V', 'T', 'S', ...): formats over consecutive registers; ends with letter
     * 0. */
    const struct gpudbg_view {
        char letter;
        const char *name;
        const struct gpudbg_format *format;
    } * views;
    /* A hint for bare code: where the program that starts at p ends (bytes, after its last instruction), or 0. */
    size_t (*program)(const struct gpudbg_isa *, const uint8_t *p, size_t n);
    const struct gpudbg_runner *run; /* NULL: decode only */
    /* The footprints of a decoded instruction's operands, at most `most`; returns how many.  With a wave, addresses and
     * lanes are those of now.  NULL: registers are read whole. */
    unsigned (*footprints)(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *, unsigned most);
    /* The rules that a decoded instruction breaks; returns how many.  NULL: there are none. */
    unsigned (*problems)(const struct gpudbg_insn *, struct gpudbg_problem *, unsigned most);
    /* Passes over instructions from p on without the rest of decoding: marks where they start and collects the code
     * addresses they name.  Returns the bytes passed over, those that are no instruction included; it ends where it
     * needs decode's help, and where there is no room for targets.  NULL: decode does all. */
    size_t (*skim)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *);
    const char *comment; /* opens a comment, where the assembler takes no data; NULL: it takes .long and .byte */
    const struct gpudbg_choice
        *choices; /* at most GPUDBG_CHOICES, a NULL name ends them; or NULL.  Read by runner->launch */
    /* Takes any file when the user names this instruction set; NULL: such a file is bare code. */
    const struct gpudbg_loader *loader;
    /* What makes a loaded program malformed, not only unusual: listing it is an error, too.  Calls each(to, report)
     * until it returns false; report.error is set.  NULL: any bytes will do. */
    void (*faults)(const struct gpudbg_image *, bool (*each)(void *to, const struct gpudbg_report *), void *to);
    /* What waits for what in the code around addr (its kernel or function, else its section, given in range as [0] to
     * before [1]), on any way through it: calls each(to, wait), in the order of who waits.  false: there is no such
     * code, or too much of it.  NULL: code does not say. */
    bool (*waits)(const struct gpudbg_image *, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to);
    const char *database; /* under which name the databases have its enumerations; NULL: its own */
    /* How waves of dumps become waves of a machine, see dump.h; NULL: they do not. */
    const struct gpudbg_dumped *dumped;
    /* For long listings, decode and READABLE text of the default syntax in one.  `printer` makes what `print` needs,
     * with malloc (NULL: out of memory); the caller frees it.  `print` writes the text of the instruction at p, *len
     * bytes without a 0 at the end, into GPUDBG_PRINT bytes, and returns what decode returns.  NULL: decode and text
     * do. */
    void *(*printer)(const struct gpudbg_isa *);
    int (*print)(
        void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len);
    const struct gpudbg_device_register *device; /* a NULL name ends them; or NULL.  Read by runner->launch */
    const struct gpudbg_pointing *pointing;      /* of commands; NULL: they count from nothing */
    const struct gpudbg_dwarf *dwarf;            /* NULL: variables of the source have no places */
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

#ifdef __cplusplus
}
#endif
#endif
