/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa.h: instructions, the packets of command processors, and the descriptor of an instruction set. */
#ifndef GPUDBG_PUBLIC_ISA_H
#define GPUDBG_PUBLIC_ISA_H

#include "word.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Instructions ---- */

enum gpudbg_op_flags {
    GPUDBG_OP_BRANCH = 1 << 0, /* may set the pc; an encoded target is an operand of kind GPUDBG_CODE */
    GPUDBG_OP_COND = 1 << 1,   /* ... or may fall through */
    GPUDBG_OP_CALL = 1 << 2,   /* ... and leaves a return address: `nexti` runs over it */
    GPUDBG_OP_RETURN = 1 << 3,
    GPUDBG_OP_END = 1 << 4, /* ends the wave */
    GPUDBG_OP_BARRIER = 1 << 5,
    GPUDBG_OP_LOAD = 1 << 6,  /* reads memory */
    GPUDBG_OP_STORE = 1 << 7, /* writes memory; an atomic has both */
    GPUDBG_OP_WAIT = 1 << 8,
    GPUDBG_OP_VECTOR = 1 << 9,   /* works per lane, under the mask */
    GPUDBG_OP_OPEN = 1 << 10,    /* opens a block: code is drawn in brackets from here to its CLOSE */
    GPUDBG_OP_MIDDLE = 1 << 11,  /* a part of the open block begins (else, case) */
    GPUDBG_OP_CLOSE = 1 << 12,   /* closes the block */
    GPUDBG_OP_MESSAGE = 1 << 13, /* goes to another unit, and may touch memory */
    /* Each bit of the result comes from the same bit of the sources: an unwritten source bit makes its result bit
     * unwritten, which is not reported as a use. */
    GPUDBG_OP_BITWISE = 1 << 14,
    /* copies its source unchanged, so copying an uninitialised register is not reported as a use; an atomic: stores its
     * source, whatever memory contained */
    GPUDBG_OP_COPY = 1 << 15,
    GPUDBG_OP_COMPARE = 1 << 16,   /* an atomic that stores only if memory holds the value that it compares with */
    GPUDBG_OP_STRUCTURE = 1 << 17, /* not an instruction: a structure in memory, see gpudbg_point; it has no row */
    GPUDBG_OP_ORDER = 1 << 18,     /* orders its wave's accesses to memory as other waves see them, see uses.h */
};
/* The low 32 bits of flags are core's.  The high 32 are the instruction set's own: GPUDBG_OP_OWN << n, n < 32. */
#define GPUDBG_OP_OWN (UINT64_C(1) << 32)

/* An operation, as far as it is the same in all instruction sets that share a table. */
struct gpudbg_op {
    const char *name;     /* mnemonic without suffixes */
    const char *operands; /* a template, in a small language of the instruction set's own */
    uint64_t flags;
    const char *doc;    /* a sentence of our own: what it computes */
    const char *source; /* manual and section */
    uint16_t id;        /* index in isa->ops and isa->rows */
};

/* What an instruction says of a register that it reads or writes as a number, so that the register can be shown as
 * that.  Registers are counted in units as in uses.h: bytes where operands are regions, else dwords. */
enum gpudbg_number_kind {
    GPUDBG_IS_BITS,     /* bits of any kind: moved, loaded, masked */
    GPUDBG_IS_UNSIGNED, /* integers */
    GPUDBG_IS_SIGNED,
    GPUDBG_IS_WHOLE, /* an integer, with a sign or without */
    GPUDBG_IS_FLOAT,
    GPUDBG_IS_DIGITS, /* a mask, or a part of one: its digits are shown */
};
/* What from[] of a written number are. */
enum gpudbg_number_from {
    GPUDBG_FROM_MOVE,    /* it is one of these, unchanged */
    GPUDBG_FROM_SUM,     /* it is their sum, or their difference */
    GPUDBG_FROM_ADDRESS, /* it is loaded from an address whose low word is one of these, or that plus `offset` */
    GPUDBG_FROM_LOCAL,   /* it is loaded from a group's memory; of a read number: it is stored there */
    GPUDBG_FROM_MASKS,   /* it is logic of these: where all of them are digits, so is it */
};
#define GPUDBG_ANY_UNIT 65536u
struct gpudbg_unit {
    uint8_t file;
    uint32_t at;
};
struct gpudbg_number {
    uint8_t kind, bits; /* enum gpudbg_number_kind; 8 to 64 */
    bool write;         /* else it is read */
    bool guessed;       /* write: the kind counts only if nothing is known of what is moved */
    bool lanes;         /* write: lanes that do not run keep what they had */
    uint8_t how, nfrom; /* enum gpudbg_number_from */
    uint8_t file;
    uint32_t at;     /* the first unit; GPUDBG_ANY_UNIT: an index decides which of the file's it is */
    uint32_t offset; /* bytes; UINT32_MAX: not known */
    struct gpudbg_unit from[2];
};
struct gpudbg_insn;
typedef void gpudbg_number_fn(void *to, const struct gpudbg_number *);

/* How one instruction set encodes an operation. */
struct gpudbg_row {
    const struct gpudbg_format *format; /* the layout that the opcode is in */
    int32_t code;                       /* opcode number in that layout; -1: the set lacks the operation */
};

/* A word of an instruction, and the bit where it starts.  count > 1: the layout repeats `count` times (runs of data).
 * derived: the word is not in the bytes but follows from them (the native form of a compacted instruction); its bits
 * are in insn->derived. */
struct gpudbg_part {
    const struct gpudbg_format *format;
    uint32_t bit;
    uint32_t count : 31;
    uint32_t derived : 1;
};
#define GPUDBG_PART_COUNT(n) ((n)&0x7fffffffu) /* no instruction has more words */

/* Region <vstride;width,hstride> in elements, Intel; machines without regions leave it 0. */
struct gpudbg_region {
    uint8_t vstride, width, hstride;
};

enum gpudbg_operand_kind {
    GPUDBG_REGISTER, /* file, reg, count */
    GPUDBG_INTEGER,  /* imm */
    GPUDBG_NUMBER,   /* imm holds the bits of a float of the operand's width */
    GPUDBG_LITERAL,  /* imm: a constant word of its own in the code */
    GPUDBG_CODE,     /* imm: target address */
    GPUDBG_MEMORY,   /* memory is read or written; index: the operand that holds the address */
    GPUDBG_SPECIAL,  /* anything else; the instruction set writes its text */
};
enum gpudbg_operand_flags {
    GPUDBG_READ = 1,
    GPUDBG_WRITE = 2,
    GPUDBG_IMPLICIT = 4,   /* the text does not show it */
    GPUDBG_ALL_LANES = 8,  /* in all lanes, whatever the mask says */
    GPUDBG_NO_MATTER = 16, /* read, but the result does not depend on its value: x == x */
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
#define GPUDBG_OPERANDS 20

/* A decoded instruction: a value, which may be copied.  `raw` is borrowed from the bytes that were decoded. */
struct gpudbg_insn {
    uint64_t addr;
    const struct gpudbg_isa *isa;
    struct regdb *databases;    /* name values of fields whose enumeration has none; set by core, or NULL */
    const struct gpudbg_op *op; /* NULL: illegal; parts[0] is then the layout that was recognised, if any */
    const uint8_t *raw;
    uint32_t size;    /* bytes */
    uint32_t variant; /* which form of the row this is, numbered by the instruction set */
    uint64_t does;    /* flags in addition to those of op: a message's descriptor says whether it is a LOAD or a STORE
                         */
    uint8_t nparts, noperands;
    uint64_t derived[2];
    struct gpudbg_part parts[GPUDBG_PARTS];
    struct gpudbg_operand operands[GPUDBG_OPERANDS];
};

/* All flags of a decoded instruction. */
static inline uint64_t gpudbg_insn_does(const struct gpudbg_insn *insn) { return insn->op->flags | insn->does; }

/* A walk over the fields of an instruction, or of one word: first the fields in the order of the format, then the bits
 * that no field claims. */
struct gpudbg_field_iter {
    const struct gpudbg_insn *insn;
    const struct gpudbg_format *format;
    const uint8_t *bytes; /* of the instruction, or of the word */
    uint32_t part, repeat, next;
    uint64_t claimed[4]; /* bits of this part that were seen so far */
    uint8_t word[16];    /* bytes of a derived part */
    /* What the latest call found: */
    const struct gpudbg_field *field;
    struct gpudbg_field hole; /* what `field` points at for unclaimed bits */
    uint32_t bit;   /* where the field's word starts, from bit 0 of the first byte (derived: of insn->derived) */
    uint64_t value; /* raw bits */
    bool derived;
};
GPUDBG_PUBLIC void gpudbg_insn_fields(struct gpudbg_field_iter *, const struct gpudbg_insn *);
GPUDBG_PUBLIC void gpudbg_word_fields(struct gpudbg_field_iter *, const struct gpudbg_format *, const uint8_t *bytes);
GPUDBG_PUBLIC bool gpudbg_next_field(struct gpudbg_field_iter *); /* false: no more */

/* ---- Packets: a header of one dword and a payload of dwords, which command processors read ---- */

/* Adds the parts of the payload, which follows the header: `words` in order (NULL ends them), then `data` for the rest.
 * If the last word is `data`, or is wider than a dword (an element of a list), it repeats as often as there is room. */
GPUDBG_PUBLIC void gpudbg_packet_parts(
    struct gpudbg_insn *, const struct gpudbg_format *const *words, unsigned payload, const struct gpudbg_format *data);
/* Writes "NAME more field=meaning flag 0xdata".  Flags are written if they are set, zeros if the payload is short, and
 * at most eight dwords of `data`.  With `header`, fields of the header are written if they are enumerations or not 0.
 * Fields of `silent` (may be NULL) are left out.  Returns the length, like snprintf. */
GPUDBG_PUBLIC int gpudbg_packet_text(const struct gpudbg_insn *, const char *more, bool header,
    const struct gpudbg_format *data, const struct gpudbg_format *silent, char *buf, size_t size);

/* ---- Instruction sets ---- */

/* A register file: `count` registers (0: as many as the launch declares, see runner->count), each `bits` wide.  If
 * `lanes` is more than 1, every lane has its own.  indexed: a register is called NAME and a number ("v12"); otherwise
 * the file is one register, called NAME ("vcc").  Registers are stored in dwords: that of lane l starts at dword
 * ((r * lanes + l) * bits + 31) / 32 for register r. */
struct gpudbg_regfile {
    const char *name, *doc;
    uint16_t count, bits;
    uint8_t lanes;
    bool indexed;
    bool mask;                          /* a bit per lane */
    const struct gpudbg_format *format; /* its fields, or NULL */
    /* Letters of the parts of a register, or NULL.  With "xyzw", register 22 is written NAME5.z, and NAME5 means 20 to
     * 23.  Operands count in the file's registers. */
    const char *parts;
    uint8_t element; /* bits of an element, for NAME.2 without a type (0: 32) */
};
/* Writes the name of a register: "v12", "r5.z", "vcc".  Returns the length, like snprintf. */
GPUDBG_PUBLIC int gpudbg_register_name(const struct gpudbg_regfile *, unsigned index, char *buf, size_t size);

/* A question that the manual of an instruction set leaves open, so the user may choose: `set il dmovc VALUE` for the
 * prefix "il" and the name "dmovc".  values is NULL-terminated; the first one is the default. */
struct gpudbg_choice {
    const char *prefix, *name;
    const char *const *values;
    const char *doc;
};

/* A register of the device, not of a wave, that a launch depends on.  name: as in the register databases.  value: its
 * contents unless the user (`set device NAME VALUE`) or a dump gives others. */
struct gpudbg_device_register {
    const char *name;
    uint32_t value;
};

/* Gives addresses names, for text: labels and symbols. */
struct gpudbg_names {
    const char *(*name)(const struct gpudbg_names *, uint64_t addr, char *buf, size_t size); /* NULL: no name */
    const void *data;
};

enum { GPUDBG_SHORT = 0, GPUDBG_ILLEGAL = -1 };

enum gpudbg_style {
    GPUDBG_READABLE = 0,  /* for people: everything has a name */
    GPUDBG_ASSEMBLER = 1, /* the vendor's assembler makes the same bytes of it */
    GPUDBG_DROPPING = 2,  /* the same but for bits that mean nothing, which a remark names; see assembler.drops */
};

/* ---- Footprints: which bytes of which registers belong to which lane, for machines whose operands are regions ---- */

struct gpudbg_element {
    int32_t at;   /* first byte, from the first byte of the file: register * its bytes + byte in it */
    uint8_t size; /* bytes */
    bool ignored; /* it is sent with a message that does nothing with it */
    int16_t lane; /* -1: it does not belong to one lane */
    bool off;     /* the lane does not run, or its element is not written */
};

#define GPUDBG_ELEMENTS 256
#define GPUDBG_FOOTPRINTS 48 /* most of an instruction; a message has many */

/* What one operand touches.  n is 0 for constants and unknown addresses; the note then says why. */
struct gpudbg_footprint {
    const char *role; /* "dst", "src0", ... */
    const char *part; /* which part of a message these registers hold: "addresses"; NULL: it is not a message */
    const char *type; /* "f", "uw"; "" if there is none */
    char text[96];    /* the operand, as the code has it */
    char note[192];   /* a remark, or "" */
    uint8_t file;     /* index in isa->files */
    uint8_t size;     /* bytes of an element */
    bool stored;      /* data that a message carries to memory or to another unit unchanged */
    uint16_t n;
    struct gpudbg_element element[GPUDBG_ELEMENTS]; /* in the order of lanes */
};

/* One instruction waits for the result of another, and the code itself says so. */
struct gpudbg_wait {
    uint64_t consumer, producer; /* addresses: the one that waits, and the one it waits for */
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
struct gpudbg_reading;
struct gpudbg_costing;
struct gpudbg_nexts;
typedef bool gpudbg_jump_fn(void *to, uint64_t addr, const struct gpudbg_nexts *);

/* What `skim` fills in.  starts: a bit for each unit of isa->align bytes from p on, set if an instruction starts there.
 * targets: code addresses that instructions name. */
struct gpudbg_skim {
    uint8_t *starts;
    size_t first; /* number of the bit for p */
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
    uint8_t known; /* a bit for each base that a command set */
};
struct gpudbg_point {
    const char *name;                         /* "kernel", "BLEND_STATE" */
    const char *base;                         /* the base from which the offset counts */
    uint64_t offset, addr;                    /* addr: base and offset, if the base is known */
    bool based;                               /* the base is known */
    const struct gpudbg_op *op;               /* of the structure there; NULL: code */
    const struct gpudbg_format *const *words; /* its layouts, one after the other; NULL ends them */
    unsigned count;                           /* structures in a row; 0: not known */
};
/* A structure is an instruction whose op has the flag GPUDBG_OP_STRUCTURE.  It may point at other structures. */
struct gpudbg_pointing {
    void (*set_bases)(const struct gpudbg_insn *, struct gpudbg_bases *); /* called after each command */
    bool (*points)(const struct gpudbg_insn *, const struct gpudbg_bases *, unsigned i,
        struct gpudbg_point *); /* false: no i-th */
    /* The stage of work whose program or tables the command sets, from 1 to 7, 0: none; a structure that has both: not
     * 0. */
    unsigned (*stage)(const struct gpudbg_insn *);
};

/* An access to a work-item's own memory whose address is one constant and scaled values: an element of a variable that
 * begins at the constant. */
struct gpudbg_indexed {
    unsigned file, reg; /* hold the lane's address, in bytes of its own memory */
    uint32_t offset;    /* the access adds this */
    uint64_t base;      /* the constant; framed: it counts from the function's frame */
    bool framed;
    unsigned frame_file, frame_reg, frame_shift; /* the frame, shifted right: in bytes of the lane's own memory */
};

/* The effect of an instruction on a number that may become the address of a variable. */
enum gpudbg_step_kind {
    GPUDBG_STEP_OTHER,   /* none of the following */
    GPUDBG_STEP_NUMBERS, /* writes constants that are lanes' numbers, at least of the first eight lanes */
    GPUDBG_STEP_MOVE,    /* passes its source on unchanged, in as many bits or wider */
    GPUDBG_STEP_ADD,     /* adds integers */
    GPUDBG_STEP_SCALE,   /* multiplies an integer by `by` */
};
struct gpudbg_step {
    enum gpudbg_step_kind kind;
    bool constant; /* ADD: one of its sources is the constant `by` */
    int64_t by;
};

/* ---- Commands that set state, and commands that start work with it ---- */

/* State that is not a register: a command, or a part of one.  It is valid until the next one with the same key. */
struct gpudbg_setting {
    uint32_t key;
    uint32_t at, size;                  /* its bytes in the command */
    bool says_work;                     /* a list of what is started shows it there: the kind of primitives */
    const struct gpudbg_format *format; /* of a part; NULL: it is the whole command */
    char name[64];
};
/* A marker that a driver or a program wrote among its commands. */
enum gpudbg_mark_kind { GPUDBG_MARK, GPUDBG_MARK_BEGIN, GPUDBG_MARK_END };
struct gpudbg_mark {
    enum gpudbg_mark_kind kind;
    bool numbered; /* `point` is what incidents of the word "trace-point" call it */
    uint32_t point;
    const char *text; /* in the command's bytes, without a 0 at its end; NULL: none */
    size_t n;
};
/* Registers that a command changes are operands of the file "mmio".  Where the value is not in the command (it comes
 * from memory, or from the register itself) the operand's imm is past the command's end: the value is not known then.
 */
struct gpudbg_commands {
    bool (*starts)(const struct gpudbg_insn *);                                       /* a draw, a dispatch */
    bool (*setting)(const struct gpudbg_insn *, unsigned i, struct gpudbg_setting *); /* false: no i-th */
    bool (*mark)(const struct gpudbg_insn *, struct gpudbg_mark *);                   /* NULL: there are none */
    /* Registers of an engine that hold the address of the command that it executes; NULL-terminated. */
    const char *const *heads;
};

/* How the debug information of compilers (DWARF) names registers and memory of this instruction set. */
struct gpudbg_dwarf {
    /* Finds the register of a DWARF number: the index of its file, and its number there.  false: it is not shown. */
    bool (*reg)(unsigned number, unsigned *file, unsigned *reg);
    unsigned own_class, local_class; /* address classes: memory of a work-item; of a group */
    /* Finds the address of byte `at` of a frame in the lane's own memory; frame: what the frame's register holds.
     * false: it is outside. */
    bool (*own)(struct gpudbg_wave *, unsigned lane, uint32_t frame, uint64_t at, uint64_t *addr);
    /* Finds the address class of a pointer that has none, by its value, and changes *addr to the address in that class.
     * 0: global memory, and *addr stays as it is.  NULL: it is always global memory. */
    unsigned (*aperture)(const struct gpudbg_wave *, uint64_t *addr);
    /* The register that dword i of a returned value is in, by the calling convention; false: none.  Every number has
     * one or two dwords of its own, a half one that holds it as a float; what takes more than 32 is in the work-item's
     * memory, where dword 0 points at the call.  NULL: there is no convention. */
    bool (*returned)(unsigned i, unsigned *file, unsigned *reg);
    /* Finds the instructions that leave the function [from, to), for a wave at pc: from *start to *last, which returns;
     * they load and set registers only.  ready: where the prologue ends, or 0.  false: it is not known.  NULL: never.
     */
    bool (*epilogue)(const struct gpudbg_image *, uint64_t pc, uint64_t from, uint64_t to, uint64_t ready,
        uint64_t *start, uint64_t *last);
    /* Whether the instruction at pc, in the function [from, to), is such an access.  NULL: it is never known. */
    bool (*indexed)(const struct gpudbg_image *, uint64_t from, uint64_t to, uint64_t pc, struct gpudbg_indexed *);
    unsigned packed; /* bytes: returned structures up to this size are as they lie in memory */
    /* The bytes that a relocation of this type of a debug section fills with symbol + addend; 0: it is another one.
     * NULL: debug information of relocatable files is not read. */
    unsigned (*relocated)(uint64_t type);
    /* Operations of location expressions that only this instruction set's compilers write; 0: they write none.  lane_op
     * pushes the number of the lane; register_op takes a number and pushes the register that DWARF numbers so; bits_op
     * takes how many bits, the first bit and a register, and pushes those bits as a number. */
    uint8_t lane_op, register_op, bits_op;
    uint8_t bits_least; /* fewer bits than these bits_op is not believed: compilers describe them wrongly */
    uint16_t width;     /* the attribute of a function that says for how many lanes it was compiled; 0: none */
    /* Where a returned value of that many bytes is for a lane, behind `before` other bytes of that lane, in a function
     * for `width` lanes: the byte *byte of a register.  false: it is not known.  NULL: see `returned`. */
    bool (*returned_in)(
        unsigned width, unsigned lane, unsigned before, unsigned bytes, unsigned *file, unsigned *reg, unsigned *byte);
    /* Where the compiler multiplies the lane's number by a variable's size to find the lane's copy of it: what an
     * instruction does on that way.  NULL: it does not. */
    struct gpudbg_step (*step)(const struct gpudbg_insn *);
    /* The word of the address register file `pointers` that holds the address of element i of an operand, named as in
     * its footprint, and nothing is added to it; -1: the operand names its registers.  With `step`. */
    int (*through)(const struct gpudbg_insn *, const char *role, unsigned i);
    uint8_t pointers;
};

/* ---- The instruction set: fifteen members, and groups of what is optional ---- */

/* A descriptor's layout for `print/X` ('V', 'T', 'S', ...): a format that consecutive registers hold together. */
struct gpudbg_view {
    char letter; /* 0 ends a list */
    const char *name;
    const struct gpudbg_format *format;
};

/* Names and habits.  Everything here may stay empty. */
struct gpudbg_traits {
    const char *const *aliases;             /* other names of the instruction set, for --isa; NULL-terminated */
    const struct gpudbg_enum *const *enums; /* named values that fields use; NULL-terminated */
    const char *database;                   /* the name by which register databases know it; NULL: its own name */
    const struct gpudbg_view *views;        /* descriptors for `print/X`; letter 0 ends them */
    /* What the user may choose with `set`, at most GPUDBG_CHOICES; a NULL name ends them.  runner->launch reads the
     * choice with gpudbg_chosen. */
    const struct gpudbg_choice *choices;
    /* What opens a comment, for an assembler that takes no .long and .byte: data is then shown behind it. */
    const char *comment;
    /* Where the program that starts at p ends (bytes, after its last instruction), or 0: a hint, for bare code. */
    size_t (*program)(const struct gpudbg_isa *, const uint8_t *p, size_t n);
    /* Reads any file when the user names this instruction set; NULL: such a file is bare code. */
    const struct gpudbg_loader *loader;
};

/* Dwords that, under a mask, have a value. */
struct gpudbg_masked {
    uint32_t mask, value;
};

/* What ends a line in front of the last two digits of an address: "// 12", of the 256 addresses from `page` on. */
struct gpudbg_line_end {
    uint64_t page;
    size_t n; /* 0: not made yet */
    char text[24];
};

/* Lines of a long listing. */
struct gpudbg_lines {
    const struct gpudbg_names *names;
    const uint8_t *bytes; /* of the next instruction */
    size_t left;          /* bytes from there on */
    uint64_t at, to;      /* its address; none from `to` on is printed */
    char *text;           /* where its line begins */
    const char *full;     /* the last place where a line may begin */
    unsigned most;        /* lines, at most */
    bool ends;            /* each line ends with its address, as "// 1f40" */
    struct gpudbg_line_end end;
};

/* Quicker ways to what `decode` and `text` give, for long listings.  A listing is the same without them. */
struct gpudbg_fast {
    /* Passes over instructions from p on without decoding them: marks where they start and collects the code addresses
     * that they name.  Returns the bytes passed over, bytes that do not decode included.  It ends where it needs
     * decode's help, and where there is no more room for targets. */
    size_t (*skim)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *);
    /* `printer` makes what `print` needs, with malloc; the caller frees it.  NULL: no memory, or it has no short way
     * for this syntax or style.  `print` decodes the instruction at p and writes its text in that syntax and style:
     * *len bytes of printable ASCII, without a 0 at the end, into GPUDBG_PRINT bytes.  It returns what decode returns;
     * 0: `text` has to be asked, because the style may not have the instruction.  Give both, or neither. */
    void *(*printer)(const struct gpudbg_isa *, unsigned syntax, enum gpudbg_style);
    int (*print)(
        void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len);
    /* Prints lines as `print` makes their texts, until one needs more than `print`; returns how many.  NULL: core calls
     * `print` for each.  A decoder makes it of its own `print` with gpudbg/listing.h, so that a line costs no call. */
    unsigned (*lines)(void *printer, struct gpudbg_lines *);
    /* Says what the first dwords of all instructions are like whose text of `print` may hold `text`: at most `most`
     * masks; returns how many.  `text` has no capitals; those of instructions count as small letters.  Names of code
     * addresses are left to the caller.  -1: it may stand in too many.  NULL: the same. */
    int (*sieve)(const struct gpudbg_isa *, const char *text, struct gpudbg_masked *, int most);
};

/* What a program may do wrong.  NULL: nothing is known of that kind. */
struct gpudbg_rules {
    /* Fills in the rules that one decoded instruction breaks, at most `most`; returns how many. */
    unsigned (*problems)(const struct gpudbg_insn *, struct gpudbg_problem *, unsigned most);
    /* Reports what makes a loaded program malformed, not only unusual: listing such a program is an error.  Calls
     * each(to, report) until it returns false; report.error is set. */
    void (*faults)(const struct gpudbg_image *, bool (*each)(void *to, const struct gpudbg_report *), void *to);
    /* Reports what waits for what, on any path through the code around addr: its kernel or function, else its section.
     * range is filled in with the first address of that code and the first one behind it.  Calls each(to, wait),
     * ordered by who waits.  false: there is no such code, or too much of it. */
    bool (*waits)(const struct gpudbg_image *, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to);
};

/* Text to bytes, in the syntaxes of the instruction set.  NULL: it has no assembler. */
struct gpudbg_assembler {
    /* Assembles the instruction at reading->at, and all of the text behind it, into at most `room` bytes
     * (GPUDBG_INSN_BYTES at least).  Returns how many they are, or 0: the report says why.  The text of an instruction
     * in ASSEMBLER style gives its bytes. */
    int (*line)(struct gpudbg_reading *, uint8_t *bytes, size_t room);
    /* A whole file, for languages in which a line needs the ones before it; NULL: lines, labels and data are core's
     * work. *bytes: malloc'ed, *n of them. */
    bool (*file)(const char *text, size_t size, uint8_t **bytes, size_t *n, struct gpudbg_error *);
    const char *suffix; /* of such files, ".il": they are of this instruction set, whatever is loaded; or NULL */
    const char *const *comments; /* what begins a comment to the end of the line; NULL-terminated.  NULL: `line` and
                                    `file` are given comments too */
    const char *remark;          /* a comment that begins so is given to `line` all the same; or NULL */
    /* Whether the n characters of a line begin an instruction whose text goes on in the next one; NULL: none does. */
    bool (*unfinished)(const struct gpudbg_isa *, unsigned syntax, const char *line, size_t n);
    const char *nop;  /* text of the shortest instruction that does nothing, to fill what a patch leaves; or NULL */
    const char *jump; /* text before the name of a label that jumps there always ("s_branch "); or NULL */
    bool drops;       /* isa->text knows the style DROPPING */
};
#define GPUDBG_INSN_BYTES 4096

/* Operands that are regions of registers, not whole registers. */
struct gpudbg_regions {
    /* Fills in what the operands of a decoded instruction touch, at most `most`; returns how many.  With a wave,
     * addresses and lanes are those of now; the wave may be NULL.  NULL: operands are whole registers. */
    unsigned (*footprints)(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *, unsigned most);
    /* The same without `text` and `note`, for who asks at every instruction.  Give both, or neither. */
    unsigned (*elements)(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *, unsigned most);
};

/* How a few instructions run alone (`try`): as bare code, in one wave.  Everything may stay NULL. */
struct gpudbg_alone {
    const char *before,
        *after;            /* lines that make a program of them; `after` is one instruction.  Give both, or neither */
    const char *whole;     /* text that begins so is a program: nothing is put around it */
    const char *width;     /* the part of a launch that says how many lanes a wave has; without it: isa->lanes */
    const char *mask;      /* the register that `mask=` sets; without it: a launch has a part of that name */
    const char *local;     /* the part of a launch that says how many bytes of local memory a group has; or NULL */
    const char *repeating; /* a register of which the bits `repeated` follow from other registers */
    uint32_t repeated;
    /* start=now: takes over from another launch what is neither memory nor a register: tables of surfaces.  Memory has
     * the same addresses in both; what `to` was given stays.  NULL: there is nothing. */
    void (*resume)(struct gpudbg_machine *to, const struct gpudbg_machine *from);
    /* Whether a launch of the image's bare code gives a register its value when no part of the launch names it, by the
     * stage that the file or a setting says.  NULL: none. */
    bool (*gives)(struct gpudbg *, const struct gpudbg_image *, unsigned file, uint32_t reg);
};

struct gpudbg_bound;    /* machine.h */
struct gpudbg_nexts;    /* flow.h */
struct gpudbg_using;    /* uses.h */
struct gpudbg_ordering; /* uses.h */

/* An image in memory, as a descriptor describes it. */
struct gpudbg_picture {
    uint64_t address; /* of its first level */
    uint32_t width, height, depth, slices,
        levels;             /* of level 0: texels; depth of a volume, slices of an array, else 1 */
    unsigned block;         /* bytes that hold a texel, or a block of them; at most 16 */
    char format[48];        /* in words */
    bool normalized;        /* values are from 0, or -1, to 1 */
    bool integer, negative; /* texels are whole numbers; ... that may be below 0 */
    uint8_t channels;       /* that texels have, the others are constant: red 1, green 2, blue 4, alpha 8; 0: all */
    void *own;              /* of the instruction set: malloc'ed, freed by core */
};

/* Images, as the program's own loads and samplers see them.  NULL in an instruction set: it has none. */
struct gpudbg_pictures {
    unsigned words; /* dwords of a descriptor, at most 16 */
    /* Makes a descriptor for memory (segment, format, type of the parameter) that is bound to an argument. */
    bool (*describe)(const struct gpudbg_bound *, uint32_t *words, struct gpudbg_error *);
    bool (*open)(struct gpudbg *, const struct gpudbg_isa *, const uint32_t *words, struct gpudbg_picture *,
        struct gpudbg_error *);
    /* Sizes of a level, and the address of the block that holds a texel.  Everything is inside the picture. */
    void (*level)(const struct gpudbg_picture *, uint32_t level, uint32_t *width, uint32_t *height, uint32_t *depth);
    uint64_t (*place)(const struct gpudbg_picture *, uint32_t level, uint32_t x, uint32_t y, uint32_t slice);
    /* Red, green, blue and alpha of a texel, as a load of the program gives them: floats, or integers. */
    void (*texel)(const struct gpudbg_picture *, const uint8_t *block, uint32_t x, uint32_t y, uint32_t out[4]);
};

/* An instruction set.  Fill in the first fifteen members and it loads, decodes, lists and runs; without `run` it does
 * all but run.  Everything after them may stay empty. */
struct gpudbg_isa {
    const char *name;            /* for --isa: short, lower case */
    const char *title;           /* in words, for lists */
    const char *const *syntaxes; /* names of the ways to write it; NULL-terminated; the first is the default */
    uint8_t align;               /* of instructions, bytes */
    uint8_t lanes;               /* of a wave, at most 64 */
    const struct gpudbg_op *ops; /* the table: every operation once.  Sets may share it */
    size_t nops;
    const struct gpudbg_row *rows; /* `nops` of them, by op->id: how this set encodes each, or that it lacks it */
    const struct gpudbg_format *const *formats; /* every word layout, instructions first; NULL-terminated */
    const struct gpudbg_regfile *files;         /* register files */
    size_t nfiles;
    /* Decodes one instruction from n bytes at p, as if at addr.  Returns the bytes consumed, GPUDBG_SHORT (n is too
     * few) or GPUDBG_ILLEGAL: then op is NULL, size says how many bytes to pass over, and parts[0] is the layout if one
     * is recognised. */
    int (*decode)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);
    /* Writes the text of a decoded instruction; names may be NULL.  Returns the length like snprintf.  In ASSEMBLER
     * and DROPPING style, -1 if the assembler has no way to say it: the caller prints data. */
    int (*text)(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf,
        size_t size);
    /* Writes the text of one operand, for "reads" and "writes" lines.  Returns the length like snprintf. */
    int (*operand_text)(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);
    const struct gpudbg_runner *run; /* how it executes, see machine.h; NULL: decode only */

    /* ---- Optional ---- */
    struct gpudbg_traits traits;
    struct gpudbg_fast fast;
    struct gpudbg_assembler assembler;
    struct gpudbg_rules rules;
    struct gpudbg_regions regions;
    const struct gpudbg_device_register *device; /* a NULL name ends them; runner->launch reads them */
    const struct gpudbg_dumped *dumped;          /* how waves of dumps become waves of a machine, see dump.h */
    const struct gpudbg_dwarf *dwarf;            /* where variables of the source are */
    const struct gpudbg_pointing *pointing;      /* of commands that count addresses from bases */
    const struct gpudbg_commands *commands;      /* of command streams */
    /* Floats that an operand holds: the bits of one (16, 32 or 64), or 0.  *which gets a bit for each register of the
     * file that one begins in, counted from operand->reg; where registers have parts, from the part x of operand->reg.
     * NULL: footprints say it, or it is not known. */
    unsigned (*floats)(const struct gpudbg_insn *, unsigned operand, uint32_t *which);
    const struct gpudbg_pictures *pictures; /* images in memory */
    /* Calls each(to, ...) for the registers that an instruction reads or writes as numbers, and for those that it
     * writes with bits.  NULL: footprints say it, or nobody does. */
    void (*numbers)(const struct gpudbg_insn *, gpudbg_number_fn *each, void *to);
    /* Where control goes after an instruction, see flow.h.  NULL: the flags of its row and its operands of kind
     * GPUDBG_CODE say it. */
    void (*nexts)(const struct gpudbg_insn *, struct gpudbg_nexts *);
    const struct gpudbg_alone *alone; /* how `try` runs single instructions; NULL: without anything special */
    const struct gpudbg_using
        *uses; /* what instructions do to registers and masks, see uses.h; NULL: operands say it */
    const struct gpudbg_costing *costs;     /* what execution costs, by a model: costs.h; NULL: no model */
    const struct gpudbg_ordering *ordering; /* the memory model, see uses.h; NULL: all accesses are in order */
    /* Where control goes in code whose instructions do not say it themselves, because blocks are nested in the text:
     * calls each(to, addr, nexts) for every instruction that does not simply go on, in the order of addresses.  false:
     * memory ran out, or each did.  NULL: nexts says it. */
    bool (*jumps)(
        const struct gpudbg_isa *, const uint8_t *bytes, uint64_t size, uint64_t base, gpudbg_jump_fn *each, void *to);
    /* How it is known what an operation does when it runs, in words.  NULL: op->source says it. */
    const char *(*known)(const struct gpudbg_isa *, const struct gpudbg_op *);
};
#define GPUDBG_CHOICES 16
/* Number of the value that the user has chosen for isa->traits.choices[i]. */
GPUDBG_PUBLIC unsigned gpudbg_chosen(struct gpudbg *, const struct gpudbg_isa *, unsigned i);

/* The value that isa->device[i] has now. */
GPUDBG_PUBLIC uint32_t gpudbg_device_value(struct gpudbg *, const struct gpudbg_isa *, size_t i);

/* Decodes one instruction, or takes one unit of data, so that a walk always makes progress: out->size is at least 1 and
 * at most n (n > 0).  Returns true if it is an instruction. */
GPUDBG_PUBLIC bool gpudbg_insn_at(
    const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);

/* Whether the set has the i-th operation of its table. */
static inline bool gpudbg_has_op(const struct gpudbg_isa *isa, size_t i) { return isa->rows[i].code >= 0; }

/* The row of a decoded instruction, whose op is neither NULL nor a structure. */
static inline const struct gpudbg_row *gpudbg_insn_row(const struct gpudbg_insn *insn)
{
    return &insn->isa->rows[insn->op->id];
}

/* Finds an instruction set by its name or an alias, in any case; NULL: there is none. */
GPUDBG_PUBLIC const struct gpudbg_isa *gpudbg_isa_named(struct gpudbg *, const char *name);

#ifdef __cplusplus
}
#endif
#endif
