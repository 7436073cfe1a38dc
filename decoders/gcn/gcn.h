/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn.h: AMD Sea Islands (GCN 1.1), shared by the decoder, the machine and the loaders.
 *
 * Core's terms here: a *wave* is a wave of 64 work-items, a *lane* one of them, a *register file* is one of the names
 * below, the *mask* is EXEC.  Sources: Sea Islands register reference, chapter 4 (word layouts, opcodes), chapters 5
 * to 8 (descriptors); LLVM's AMDGPU syntax, as llvm-mc 19 -mcpu=bonaire reads it.
 *
 *     chips.def        the chips, a row each
 *     ops.def          opcodes, operations         code/      bytes -> instruction -> text, fields
 *     formats.def      layouts of code words       packets/   PM4 and AQL: the packets of a ring or a queue
 *     descriptors.def  layouts of V#, T#, S#       files/     kernels, arguments and surfaces from files
 *     enums.def        named values                launch/    the start values of waves
 *     check/           hazards, missing waits,     engine/ alu/ memory/ image/   instruction -> effects
 *                      out of range                flow/      the sources of scalar values
 *
 * gcn_isa.c is the descriptor, gcn_plugin.c the list of the parts that the folder provides.  files/ and packets/ use
 * nothing of launch/, engine/, alu/, memory/ and image/.
 */
#ifndef GCN_H
#define GCN_H

#include <assert.h>
#include "gpudbg.h"
#include "gpudbg/endian.h"
#include "chips.def"

/* ---- Chips ---------------------------------------------------------------------------------------------------------
 */

enum gcn_chip_number { /* GCN_CHIP_gfx7 and so on: index in gcn_chips */
#define CHIP(id, ...) GCN_CHIP_##id,
#include "chips.def"
    GCN_CHIPS
};
enum gcn_chip_at { /* GCN_AT_gfx7 and so on: in the order of their age */
#define CHIP(id, at, ...) GCN_AT_##id = at,
#include "chips.def"
};

/* The facts of a chip; see chips.def. */
struct gcn_chip {
    struct gpudbg_isa isa;  /* the first member: see gcn_chip_of */
    const uint16_t *index;  /* from encoding and code to rows of gcn_ops, plus 1 (gcn_decode.c) */
    const int8_t *leading;  /* from the first nine bits of a word to its encoding, -1: none */
    uint16_t at;            /* GCN_AT_: chips in the order of their age */
    uint8_t major;          /* the first number of LLVM's names for it: 7 of gfx700; 0: it has no such name */
    bool llvm;              /* LLVM has an assembler for it */
    bool guessed;           /* code that does not name its chip may be this chip's */
    bool smrd_literal;      /* a constant may follow a scalar load */
    bool flat_scratch;      /* operand codes 104 and 105 are FLAT_SCRATCH; else they are reserved */
    bool negative_lds_base; /* an LDS address with bit 31 set, plus an offset, is not their sum */
    bool lds_by_m0;         /* M0 limits LDS addresses, and their low bits are dropped to the size of the access */
    bool flat_offset;       /* a flat word without a segment may have an offset */
    bool newer_buffers;     /* descriptors are those of V_SHARP_NEWER, T_SHARP_NEWER, S_SHARP_NEWER */
    bool pitch_in_depth;    /* T#'s depth of a linear image that is no volume is its pitch */
    bool
        display_unknown; /* which order display blocks (SW_256B_D) of dwords have is not known, nor what pipes change */
    bool rb_plus;        /* places of texels depend on its packers, too, and display blocks have other orders */
    bool small_depth_tails; /* in Z_X, images of small elements have fewer levels in the tail */
    uint32_t lds;           /* bytes of LDS that a group may have */
    uint32_t lds_unit;      /* ... the unit in which registers count them */
    uint8_t simd_waves;     /* waves for which a SIMD has room */
    uint16_t simd_vgprs;    /* VGPRs of each of its lanes (of 64, or of 32) */
    uint8_t vgpr_unit;      /* ... the unit in which waves get them */
    uint8_t sgprs;          /* that a program can name: 104, or with the codes of FLAT_SCRATCH 106 */
    uint8_t ttmp;           /* operand code of TTMP0; those up to M0 are TTMPs */
    bool null_register;     /* operand code 125 is null: reads as 0, keeps nothing */
    bool apertures;         /* operand codes 235 to 239 are the bounds of LDS and scratch, and the id of a POPS wave */
    bool wide_counters;     /* s_waitcnt has six bits for vmcnt and lgkmcnt */
    bool stores_apart;      /* vscnt counts stores, and atomics that return nothing; vmcnt does not */
    bool flat_ordered;      /* lgkmcnt counts FLAT in order with all that it counts but scalar loads */
    bool newer_hwregs;      /* hardware registers and messages are those of HWREG_NEWER, MESSAGE_NEWER (enums.def) */
    bool cycles;            /* ... with SHADER_CYCLES and depctr_hold_cnt, without XNACK_MASK */
    bool half_literals;     /* text has the low half of literals of 16-bit operands */
    bool interp_e32;        /* text has _e32 after interpolations */
    bool compare_exec;      /* v_cmpx writes EXEC alone */
    uint8_t scalar_reads;   /* scalar registers and literals that a vector operation can read */
    const struct gcn_name *names;         /* of operand codes */
    const struct gcn_template *templates; /* operands of rows */
    bool inv_2pi;                         /* operand code 248 is 1 / (2 pi) */
    bool newer_vop3;                      /* long vector words have other places (formats.def), and literals */
    bool whole;                           /* kernels, checks and dumps are known; else operations alone run */
    bool high_opcodes;                    /* bit 16 of a VOP3 word is an opcode's tenth bit: VOP3H */
    bool lane_words;                      /* SDWA and DPP words follow short vector words */
    bool scratch_alone;                   /* saddr 127 of a scratch word: the address is the offset alone */
    uint8_t number;                       /* enum gcn_chip_number */
    const char *unlike; /* text of the fact "chip" for code of this chip that is not the usual chip's */
    const struct gpudbg_isa *waves_of_64; /* the same chip with waves of 64; NULL: this is it, or all waves have 64 */
    const struct gpudbg_isa *usual;       /* gcn_usual, which has the choices of all chips */
};
extern const struct gcn_chip gcn_chips[GCN_CHIPS];
/* A memory model (check/gcn_order.c): one vector L1 cache a compute unit, vmcnt counts loads and stores. */
extern const struct gpudbg_ordering gcn_one_l1;
/* ... an L0 cache a compute unit, an L1 cache for many of them; vscnt counts stores. */
extern const struct gpudbg_ordering gcn_two_caches;
/* The chip of an instruction set, which must be one of these. */
static inline const struct gcn_chip *gcn_chip_of(const struct gpudbg_isa *isa) { return (const struct gcn_chip *)isa; }
/* An operation whose results are not known on a chip, in all lanes or in some (chips.def). */
enum gcn_unsure_lanes { GCN_UNSURE_ALL, GCN_UNSURE_NEAR_ONE };
struct gcn_unsure {
    uint16_t chip, op;
    enum gcn_unsure_lanes lanes;
    const char *why;
};
/* Whether the operation was read against a source for the chip, and runs there (flags of ops.def). */
bool gcn_is_checked(const struct gcn_chip *, const struct gpudbg_op *);
/* isa->known. */
const char *gcn_known(const struct gpudbg_isa *, const struct gpudbg_op *);
/* NULL: the results are known. */
const struct gcn_unsure *gcn_unsure(const struct gcn_chip *, const struct gpudbg_op *);
bool is_gcn(const struct gpudbg_isa *);                 /* false for all others, and for NULL */
extern const struct gpudbg_isa *const gcn_usual;        /* the chip that is assumed if nothing names one */
extern const char *const gcn_every_chip[GCN_CHIPS + 1]; /* the names of all chips; NULL ends them */

/* Operations on whole dwords whose signs, clamp and omod are known from an emulator's tests: a sign is bit 31, which
 * neg flips and abs clears; clamp and omod do nothing.  No source says that the tests ran on the chip. */
#define GCN_EMULATED_DWORDS(op) ((op) == GCN_v_add3_u32 || (op) == GCN_v_or3_b32 || (op) == GCN_v_and_or_b32)

/* Encodings, by the leading bits of the first dword.  insn->variant is one of these: for a row of VOP1, VOP2 or VOPC it
 * tells the 4-byte form from the 8-byte form (GCN_VOP3). */
enum gcn_encoding {
    GCN_DS,
    GCN_EXP,
    GCN_FLAT,
    GCN_MIMG,
    GCN_MTBUF,
    GCN_MUBUF,
    GCN_SMEM, /* memory words of newer chips, from here to MIMG_HIGH */
    GCN_FLAT_NEWER,
    GCN_SCRATCH,
    GCN_GLOBAL,
    GCN_MUBUF_NEWER,
    GCN_MTBUF_NEWER,
    GCN_MTBUF_D16,
    GCN_MIMG_NEWER,
    GCN_MIMG_HIGH,
    GCN_VOP3H, /* VOP3 with bit 16 set; packed halves */
    GCN_VOP3P,
    GCN_SMRD,
    GCN_SOP1,
    GCN_SOP2,
    GCN_SOPC,
    GCN_SOPK,
    GCN_SOPP,
    GCN_VINTRP,
    GCN_VOP1,
    GCN_VOP2,
    GCN_VOP3,
    GCN_VOPC,
    GCN_ENCODINGS
};

/* Flags of a row beyond core's (op->flags). */
#define GCN_SALU (GPUDBG_OP_OWN << 0) /* scalar */
#define GCN_SCC_R (GPUDBG_OP_OWN << 1)
#define GCN_SCC_W (GPUDBG_OP_OWN << 2)
#define GCN_VCC_R (GPUDBG_OP_OWN << 3)  /* without an operand for VCC */
#define GCN_EXEC_R (GPUDBG_OP_OWN << 4) /* as data; vector operations read it as the mask anyway */
#define GCN_EXEC_W (GPUDBG_OP_OWN << 5)
#define GCN_M0_R (GPUDBG_OP_OWN << 6)
#define GCN_MODE_W (GPUDBG_OP_OWN << 7)
#define GCN_DIN (GPUDBG_OP_OWN << 8)         /* the destination field is a source */
#define GCN_DRW (GPUDBG_OP_OWN << 9)         /* the destination is read, too */
#define GCN_ALL (GPUDBG_OP_OWN << 10)        /* ignores EXEC */
#define GCN_E32 (GPUDBG_OP_OWN << 11)        /* no VOP3 form */
#define GCN_GWS (GPUDBG_OP_OWN << 12)        /* only for the global data share */
#define GCN_NOASM (GPUDBG_OP_OWN << 13)      /* LLVM does not know it */
#define GCN_CARRY (GPUDBG_OP_OWN << 14)      /* its VOP3 form has a lane mask as second result */
#define GCN_OPSEL (GPUDBG_OP_OWN << 15)      /* its VOP3 form chooses halves */
#define GCN_ALONE (GPUDBG_OP_OWN << 16)      /* its short form is its only one, and has no suffix */
#define GCN_RDNA_LLVM (GPUDBG_OP_OWN << 17)  /* LLVM is the source of its meaning on RDNA */
#define GCN_RDNA_OLDER (GPUDBG_OP_OWN << 18) /* ... the manuals of older chips are */
#define GCN_RDNA_SHOWN (GPUDBG_OP_OWN << 20) /* ... LLVM is, and what it compiles was run */
#define GCN_UNSEEN (GPUDBG_OP_OWN << 19)     /* nobody was seen to use it on the later console's chip */
#define GCN_RDNA_MESA (GPUDBG_OP_OWN << 21)  /* ... Mesa is: what its drivers for RDNA count on */
#define GCN_RDNA_AMD (GPUDBG_OP_OWN << 22)   /* ... AMD's own texts on RDNA 1 and 2 are */
#define GCN_RDNA_3 (GPUDBG_OP_OWN << 23)     /* ... AMD's manual of RDNA 3 is */
#define GCN_RDNA_NOTES (GPUDBG_OP_OWN << 24) /* ... others' notes on AMD's manual are */
#define GCN_RDNA_USED (GPUDBG_OP_OWN << 25)  /* ... what drivers and compilers make of it */
static_assert(GCN_RDNA_USED >= GPUDBG_OP_OWN, "the last of the own flags has a bit");

/* ---- Operands ------------------------------------------------------------------------------------------------------
 */

/* Data types of operands (gpudbg_operand.type).  A 64-bit constant is made from its 32 bits by the type: F64 takes
 * them as the high word, I64 extends the sign, others extend with zeros. */
enum gcn_type {
    GCN_B32 = 1,
    GCN_U32,
    GCN_I32,
    GCN_F32,
    GCN_B64,
    GCN_U64,
    GCN_I64,
    GCN_F64,
    GCN_B96,
    GCN_B128,
    GCN_B256,
    GCN_B512,
    GCN_U8,
    GCN_I8,
    GCN_U16,
    GCN_I16,
    GCN_F16,
    GCN_U24,
    GCN_I24,
    GCN_MASK,   /* a bit a lane, 64 bits */
    GCN_MASK32, /* the same, 32 bits */
    GCN_A1,
    GCN_A2,
    GCN_A3,
    GCN_A4, /* image address, so many VGPRs */
    GCN_A5,
    GCN_A6,
    GCN_A7,
    GCN_A8,
    GCN_A9,
    GCN_A11,
    GCN_A12,
    GCN_TARGET, /* the rest: constants with a form of their own */
    GCN_WAITCNT,
    GCN_DEPCTR,
    GCN_SENDMSG,
    GCN_HWREG,
    GCN_ATTRIBUTE,
    GCN_SLOT,
    GCN_EXPORT,
    GCN_TYPES
};

static inline bool gcn_is_mask(unsigned type) { return type == GCN_MASK || type == GCN_MASK32; }

/* Dwords that an operand of the type takes; 0 for constants with a form of their own. */
unsigned gcn_type_dwords(unsigned type);

/* The field of the encoding that an operand comes from (gpudbg_operand.swizzle); 0 for implicit ones. */
enum gcn_place {
    GCN_IN_NONE,
    GCN_IN_SDST,
    GCN_IN_SSRC0,
    GCN_IN_SSRC1,
    GCN_IN_SIMM16,
    GCN_IN_LITERAL, /* SOP */
    GCN_IN_SBASE,
    GCN_IN_OFFSET, /* SMRD */
    GCN_IN_VDST,
    GCN_IN_SRC0,
    GCN_IN_SRC1,
    GCN_IN_SRC2,
    GCN_IN_LANE,
    GCN_IN_SCALAR,
    GCN_IN_K, /* VOP; VDST also DS, FLAT */
    GCN_IN_VSRC,
    GCN_IN_ATTR, /* VINTRP */
    GCN_IN_ADDR,
    GCN_IN_DATA0,
    GCN_IN_DATA1,
    GCN_IN_DATA, /* DS, FLAT */
    GCN_IN_VDATA,
    GCN_IN_VADDR,
    GCN_IN_SRSRC,
    GCN_IN_SOFFSET,
    GCN_IN_SSAMP, /* MUBUF, MTBUF, MIMG */
    GCN_IN_SADDR, /* FLAT of newer chips */
    GCN_IN_TGT,
    GCN_IN_VSRC0,
    GCN_IN_VSRC1,
    GCN_IN_VSRC2,
    GCN_IN_VSRC3, /* EXP */
    GCN_IN_COUNT
};

/* Source modifiers (gpudbg_operand.mods). */
enum { GCN_NEG = 1, GCN_ABS = 2, GCN_SEXT = 4 }; /* SEXT: a part of a dword, with its sign (SDWA) */

/* Operand codes of the 8- and 9-bit source fields and 7-bit destinations (gpudbg_operand.sub holds the code of every
 * operand that comes from such a field). */
enum gcn_operand_code {
    GCN_CODE_SGPR = 0, /* .. 103 */
    GCN_CODE_FLAT_SCRATCH = 104,
    GCN_CODE_VCC = 106,
    GCN_CODE_TBA = 108,
    GCN_CODE_TMA = 110,
    GCN_CODE_TTMP = 112, /* .. 123 */
    GCN_CODE_M0 = 124,
    GCN_CODE_NULL = 125, /* on chips that have it */
    GCN_CODE_EXEC = 126,
    GCN_CODE_INT = 128,      /* 128 + n: n, 0 to 64 */
    GCN_CODE_NEG = 192,      /* 192 + n: -n, 1 to 16 */
    GCN_CODE_FLOAT = 240,    /* 0.5 -0.5 1 -1 2 -2 4 -4 */
    GCN_CODE_INV_2PI = 248,  /* 1 / (2 pi), on chips that have it */
    GCN_CODE_APERTURE = 235, /* .. 239, on chips that have them */
    GCN_CODE_DPP8 = 233,     /* a DPP8 word follows, on chips with such words */
    GCN_CODE_DPP8_FI = 234,  /* the same, and lanes that do not run are read */
    GCN_CODE_SDWA = 249,     /* an SDWA word follows, on chips with such words */
    GCN_CODE_DPP = 250,      /* a DPP word follows */
    GCN_CODE_VCCZ = 251,
    GCN_CODE_EXECZ = 252,
    GCN_CODE_SCC = 253,
    GCN_CODE_LDS = 254, /* LDS_DIRECT: the dword at M0 in LDS */
    GCN_CODE_LITERAL = 255,
    GCN_CODE_VGPR = 256, /* .. 511 */
};

/* The value of the inline constant `code` (128..208, 240..247) as an operand of the type, 64 bits wide, as a machine
 * reads it.  false: the code is not an inline constant. */
bool gcn_inline(unsigned code, unsigned type, uint64_t *value);
/* The value of 1 / (2 pi) as gcn_inline gives it. */
uint64_t gcn_inv_2pi(unsigned type);
/* A literal's 32 bits as an operand of the type, 64 bits wide. */
uint64_t gcn_literal(uint32_t bits, unsigned type);

/* ---- Register files ------------------------------------------------------------------------------------------------
 */

/* Indices in gcn_files, and gpudbg_operand.file.  In a machine all scalars are one array `uint32_t s[]` indexed by
 * operand code (SGPRs from 0, VCC at 106, M0 at 124, EXEC at 126), constants after them; a VGPR is a row of 64 dwords.
 */
enum gcn_file {
    GCN_FILE_S,
    GCN_FILE_V,
    GCN_FILE_VCC,
    GCN_FILE_EXEC,
    GCN_FILE_SCC,
    GCN_FILE_M0,
    GCN_FILE_FLAT_SCRATCH,
    GCN_FILE_TBA,
    GCN_FILE_TMA,
    GCN_FILE_TTMP,
    GCN_FILE_MODE,
    GCN_FILE_STATUS,
    GCN_FILE_TRAPSTS,
    GCN_FILE_HW_ID,
    GCN_FILE_GPR_ALLOC,
    GCN_FILE_LDS_ALLOC,
    GCN_FILE_IB_STS,
    GCN_FILES
};

/* Numbers of the hardware registers of s_getreg and s_setreg. */
enum gcn_hwreg {
    GCN_HW_MODE = 1,
    GCN_HW_STATUS,
    GCN_HW_TRAPSTS,
    GCN_HW_ID,
    GCN_HW_GPR_ALLOC,
    GCN_HW_LDS_ALLOC,
    GCN_HW_IB_STS,
    GCN_HW_SH_MEM_BASES = 15,
    GCN_HW_TBA_LO = 16,
    GCN_HW_TBA_HI,
    GCN_HW_TMA_LO,
    GCN_HW_TMA_HI,
    GCN_HW_FLAT_SCR_LO = 20,
    GCN_HW_FLAT_SCR_HI,
    GCN_HW_XNACK_MASK = 22,
    GCN_HW_ID1,
    GCN_HW_ID2,
    GCN_HW_SHADER_CYCLES = 29,
};

/* ---- Tables and parts ----------------------------------------------------------------------------------------------
 */

/* For gpudbg_alone: registers that the stage fills.  stage_start.c */
bool gcn_stage_gives(struct gpudbg *, const struct gpudbg_image *, unsigned file, uint32_t reg);

/* The choices of the user (gcn_isa.c), by number. */
enum gcn_choice { GCN_ORDERED_COUNT, GCN_STAGE_CHOICE };

extern const struct gpudbg_op gcn_ops[];                                             /* by enum gcn_row (gcn_ops.h) */
extern const struct gpudbg_regfile gcn_files[GCN_FILES], gcn_files_of_32[GCN_FILES]; /* of_32: of waves of 32 lanes */
extern const struct gpudbg_view gcn_views[], gcn_newer_views[]; /* newer: of chips with newer_buffers */
extern const struct gpudbg_checker gcn_range;                   /* out_of_range.c */
extern const struct gpudbg_checker gcn_wait;                    /* wait.c */
extern const struct gpudbg_checker gcn_hazard;                  /* hazard.c */
extern const struct gpudbg_runner gcn_runner;                   /* engine/gcn_exec.c */
extern const struct gpudbg_dumped gcn_dumped, gcn_newer_dumped; /* gcn_dumped.c */
/* gpudbg_dumped.translate: gcn_paging.c */
bool gcn_translate(const struct gpudbg_paging *, unsigned space, uint64_t addr, gpudbg_level_fn *each, void *to,
    struct gpudbg_translation *);
/* The i-th descriptor that an instruction uses, by its registers; false: it uses fewer. */
bool gcn_descriptor(const struct gpudbg_insn *, unsigned i, struct gpudbg_dumped_descriptor *);
extern const struct gpudbg_costing gcn_costs, gcn_newer_costs;                  /* files/gcn_costs.c */
extern const struct gpudbg_using gcn_uses;                                      /* flow/gcn_uses.c */
void gcn_numbers(const struct gpudbg_insn *, gpudbg_number_fn *each, void *to); /* flow/gcn_numbers.c */
extern const struct gpudbg_dwarf gcn_dwarf;                                     /* engine/debug.c */
extern const struct gpudbg_pictures gcn_pictures, gcn_newer_pictures;           /* image/gcn_picture.c */
extern const struct gpudbg_loader gcn_elf_loader;                               /* files/code_object.c */
bool gcn_chip_named(size_t i, struct gpudbg_chip *);    /* files/code_object.c; for struct gpudbg_plugin */
extern const struct gpudbg_loader gcn_shader_loader;    /* files/load_shader.c */
extern const struct gpudbg_loader gcn_registers_loader; /* files/load_registers.c */
extern const struct gpudbg_loader gcn_listing_loader;   /* files/load_listing.c */

int gcn_decode(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);
int gcn_text(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf,
    size_t size);
void *gcn_printer(const struct gpudbg_isa *, unsigned syntax, enum gpudbg_style);
int gcn_print(
    void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len);
unsigned gcn_lines(void *printer, struct gpudbg_lines *);
int gcn_sieve(const struct gpudbg_isa *, const char *text, struct gpudbg_masked *, int most);
size_t gcn_skim(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *);
int gcn_assemble(struct gpudbg_reading *, uint8_t *bytes, size_t room);
int gcn_operand_text(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);
size_t gcn_program(const struct gpudbg_isa *, const uint8_t *p, size_t n);
/* Which reserved bits of the instruction are set, "bit 16 is reserved in VOP3"; 0: none.  Length as snprintf. */
int gcn_reserved_text(const struct gpudbg_insn *, char *buf, size_t size);

/* The operand that comes from a field of the encoding, or NULL. */
const struct gpudbg_operand *gcn_operand(const struct gpudbg_insn *, unsigned slot);

#endif
