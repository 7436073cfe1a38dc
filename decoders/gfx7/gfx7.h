/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gfx7.h: AMD Sea Islands (GCN 1.1), what the decoder, the machine and the loaders share.
 *
 * Core's words here: a *wave* is a wave of 64 work-items, a *lane* one of them, a *register file* is one of the names
 * below, the *mask* is EXEC.  Sources: Sea Islands register reference, chapter 4 (word layouts, opcodes), chapters 5
 * to 8 (descriptors); LLVM's AMDGPU syntax, as llvm-mc 19 -mcpu=bonaire reads it.
 *
 *     ops.def          opcodes, operations         code/      bytes -> instruction -> text, fields
 *     formats.def      layouts of code words       packets/   PM4 and AQL: what a ring or a queue holds
 *     descriptors.def  layouts of V#, T#, S#       object/    what files say: kernels, their arguments, surfaces
 *     enums.def        named values                run/       instruction -> effects; launches
 *
 * gfx7_isa.c is the descriptor, gfx7_plugin.c the list of what the folder brings; wait.c and hazard.c watch a run for
 * what hardware does not forgive.  object/ and packets/ need nothing of run/.
 */
#ifndef GFX7_H
#define GFX7_H

#include "gpudbg.h"
#include "gpudbg/endian.h"

/* ---- Opcodes -------------------------------------------------------------------------------------------------------
 */

/* GFX7_s_add_u32 and so on: the index of a row in gfx7_ops, and op->id.  The names alone are taken out of ops.def when
 * the program is built, so that a row whose name stays the same is compiled where it is used, not everywhere. */
enum gfx7_row {
#include "gfx7_rows.inc"
    GFX7_OPS,
    GFX7_BASE_OPS = GFX7_v_add_f16 /* rows from here on are the later chip's alone (gfx7-pro) */
};

/* Encodings, by the leading bits of the first dword.  insn->variant is one of these: for a row of VOP1, VOP2 or VOPC it
 * tells the 4-byte form from the 8-byte form (GFX7_VOP3). */
enum gfx7_encoding {
    GFX7_DS,
    GFX7_EXP,
    GFX7_FLAT,
    GFX7_MIMG,
    GFX7_MTBUF,
    GFX7_MUBUF,
    GFX7_VOP3H, /* of the later chip: VOP3 with bit 16 set; packed halves */
    GFX7_VOP3P,
    GFX7_SMRD,
    GFX7_SOP1,
    GFX7_SOP2,
    GFX7_SOPC,
    GFX7_SOPK,
    GFX7_SOPP,
    GFX7_VINTRP,
    GFX7_VOP1,
    GFX7_VOP2,
    GFX7_VOP3,
    GFX7_VOPC,
    GFX7_ENCODINGS
};

/* Flags of a row beyond core's (op->flags). */
enum gfx7_flags {
    GFX7_SALU = GPUDBG_OP_OWN << 0, /* scalar */
    GFX7_SCC_R = GPUDBG_OP_OWN << 1,
    GFX7_SCC_W = GPUDBG_OP_OWN << 2,
    GFX7_VCC_R = GPUDBG_OP_OWN << 3,  /* without an operand that says so */
    GFX7_EXEC_R = GPUDBG_OP_OWN << 4, /* as data; vector operations read it as the mask anyway */
    GFX7_EXEC_W = GPUDBG_OP_OWN << 5,
    GFX7_M0_R = GPUDBG_OP_OWN << 6,
    GFX7_MODE_W = GPUDBG_OP_OWN << 7,
    GFX7_DIN = GPUDBG_OP_OWN << 8,    /* the destination field is a source */
    GFX7_DRW = GPUDBG_OP_OWN << 9,    /* the destination is read, too */
    GFX7_ALL = GPUDBG_OP_OWN << 10,   /* does not look at EXEC */
    GFX7_E32 = GPUDBG_OP_OWN << 11,   /* no VOP3 form */
    GFX7_GWS = GPUDBG_OP_OWN << 12,   /* only for the global data share */
    GFX7_NOASM = GPUDBG_OP_OWN << 13, /* LLVM does not know it */
};

/* ---- Operands ------------------------------------------------------------------------------------------------------
 */

/* Data types of operands (gpudbg_operand.type).  A 64-bit constant is made from its 32 bits by the type: F64 takes
 * them as the high word, I64 extends the sign, others extend with zeros. */
enum gfx7_type {
    GFX7_B32 = 1,
    GFX7_U32,
    GFX7_I32,
    GFX7_F32,
    GFX7_B64,
    GFX7_U64,
    GFX7_I64,
    GFX7_F64,
    GFX7_B96,
    GFX7_B128,
    GFX7_B256,
    GFX7_B512,
    GFX7_U8,
    GFX7_I8,
    GFX7_U16,
    GFX7_I16,
    GFX7_F16,
    GFX7_U24,
    GFX7_I24,
    GFX7_MASK, /* a bit a lane, 64 bits */
    GFX7_A1,
    GFX7_A2,
    GFX7_A3,
    GFX7_A4, /* image address, so many VGPRs */
    GFX7_A5,
    GFX7_A6,
    GFX7_A7,
    GFX7_A8,
    GFX7_A9,
    GFX7_TARGET, /* the rest: constants with a form of their own */
    GFX7_WAITCNT,
    GFX7_SENDMSG,
    GFX7_HWREG,
    GFX7_ATTRIBUTE,
    GFX7_SLOT,
    GFX7_EXPORT,
    GFX7_TYPES
};

/* Dwords that an operand of the type takes; 0 for constants with a form of their own. */
unsigned gfx7_type_dwords(unsigned type);

/* The field of the encoding that an operand comes from (gpudbg_operand.swizzle); 0 for implicit ones. */
enum gfx7_place {
    GFX7_IN_NONE,
    GFX7_IN_SDST,
    GFX7_IN_SSRC0,
    GFX7_IN_SSRC1,
    GFX7_IN_SIMM16,
    GFX7_IN_LITERAL, /* SOP */
    GFX7_IN_SBASE,
    GFX7_IN_OFFSET, /* SMRD */
    GFX7_IN_VDST,
    GFX7_IN_SRC0,
    GFX7_IN_SRC1,
    GFX7_IN_SRC2,
    GFX7_IN_LANE,
    GFX7_IN_SCALAR,
    GFX7_IN_K, /* VOP; VDST also DS, FLAT */
    GFX7_IN_VSRC,
    GFX7_IN_ATTR, /* VINTRP */
    GFX7_IN_ADDR,
    GFX7_IN_DATA0,
    GFX7_IN_DATA1,
    GFX7_IN_DATA, /* DS, FLAT */
    GFX7_IN_VDATA,
    GFX7_IN_VADDR,
    GFX7_IN_SRSRC,
    GFX7_IN_SOFFSET,
    GFX7_IN_SSAMP, /* MUBUF, MTBUF, MIMG */
    GFX7_IN_TGT,
    GFX7_IN_VSRC0,
    GFX7_IN_VSRC1,
    GFX7_IN_VSRC2,
    GFX7_IN_VSRC3, /* EXP */
    GFX7_IN_COUNT
};

/* Source modifiers (gpudbg_operand.mods). */
enum { GFX7_NEG = 1, GFX7_ABS = 2, GFX7_SEXT = 4 }; /* SEXT: a part of a dword, with its sign (SDWA) */

/* Operand codes of the 8- and 9-bit source fields and 7-bit destinations (gpudbg_operand.sub holds the code of every
 * operand that comes from such a field). */
enum gfx7_operand_code {
    GFX7_CODE_SGPR = 0, /* .. 103 */
    GFX7_CODE_FLAT_SCRATCH = 104,
    GFX7_CODE_VCC = 106,
    GFX7_CODE_TBA = 108,
    GFX7_CODE_TMA = 110,
    GFX7_CODE_TTMP = 112, /* .. 123 */
    GFX7_CODE_M0 = 124,
    GFX7_CODE_EXEC = 126,
    GFX7_CODE_INT = 128,     /* 128 + n: n, 0 to 64 */
    GFX7_CODE_NEG = 192,     /* 192 + n: -n, 1 to 16 */
    GFX7_CODE_FLOAT = 240,   /* 0.5 -0.5 1 -1 2 -2 4 -4 */
    GFX7_CODE_INV_2PI = 248, /* 1 / (2 pi), of gfx7-pro alone */
    GFX7_CODE_VCCZ = 251,
    GFX7_CODE_EXECZ = 252,
    GFX7_CODE_SCC = 253,
    GFX7_CODE_LDS = 254, /* LDS_DIRECT: the dword at M0 in LDS */
    GFX7_CODE_LITERAL = 255,
    GFX7_CODE_VGPR = 256, /* .. 511 */
};

/* The value of the inline constant `code` (128..208, 240..247) as an operand of the type, 64 bits wide: what a machine
 * reads.  false: the code is no inline constant. */
bool gfx7_inline(unsigned code, unsigned type, uint64_t *value);
/* The value of 1 / (2 pi) as gfx7_inline gives it. */
uint64_t gfx7_inv_2pi(unsigned type);
/* A literal's 32 bits as an operand of the type, 64 bits wide. */
uint64_t gfx7_literal(uint32_t bits, unsigned type);

/* ---- Register files ------------------------------------------------------------------------------------------------
 */

/* Indices in gfx7_files, and gpudbg_operand.file.  In a machine all scalars are one array `uint32_t s[]` indexed by
 * operand code (SGPRs from 0, VCC at 106, M0 at 124, EXEC at 126), constants behind it; a VGPR is a row of 64 dwords.
 */
enum gfx7_file {
    GFX7_FILE_S,
    GFX7_FILE_V,
    GFX7_FILE_VCC,
    GFX7_FILE_EXEC,
    GFX7_FILE_SCC,
    GFX7_FILE_M0,
    GFX7_FILE_FLAT_SCRATCH,
    GFX7_FILE_TBA,
    GFX7_FILE_TMA,
    GFX7_FILE_TTMP,
    GFX7_FILE_MODE,
    GFX7_FILE_STATUS,
    GFX7_FILE_TRAPSTS,
    GFX7_FILE_HW_ID,
    GFX7_FILE_GPR_ALLOC,
    GFX7_FILE_LDS_ALLOC,
    GFX7_FILE_IB_STS,
    GFX7_FILES
};

/* Numbers of the hardware registers of s_getreg and s_setreg. */
enum gfx7_hwreg {
    GFX7_HW_MODE = 1,
    GFX7_HW_STATUS,
    GFX7_HW_TRAPSTS,
    GFX7_HW_ID,
    GFX7_HW_GPR_ALLOC,
    GFX7_HW_LDS_ALLOC,
    GFX7_HW_IB_STS,
};

/* ---- Tables and parts ----------------------------------------------------------------------------------------------
 */

/* What the user may choose (gfx7_isa.c), by number. */
enum gfx7_choice { GFX7_ORDERED_COUNT, GFX7_STAGE_CHOICE };

extern const struct gpudbg_op gfx7_ops[GFX7_OPS];
extern const struct gpudbg_regfile gfx7_files[GFX7_FILES];
extern const struct gpudbg_view gfx7_views[];
extern const struct gpudbg_isa gfx7_isa;
extern const struct gpudbg_isa gfx7_pro_isa; /* the same and more: the last rows of ops.def */
static inline bool is_gfx7(const struct gpudbg_isa *isa) { return isa == &gfx7_isa || isa == &gfx7_pro_isa; }
extern const struct gpudbg_checker gfx7_range;  /* out_of_range.c */
extern const struct gpudbg_checker gfx7_wait;   /* wait.c */
extern const struct gpudbg_checker gfx7_hazard; /* hazard.c */
extern const struct gpudbg_runner gfx7_runner;  /* run/gfx7_exec.c */
extern const struct gpudbg_dumped gfx7_dumped;  /* gfx7_dumped.c */
/* gpudbg_dumped.translate: gfx7_paging.c */
bool gfx7_translate(const struct gpudbg_paging *, unsigned space, uint64_t addr, gpudbg_level_fn *each, void *to,
    struct gpudbg_translation *);
/* The i-th descriptor that an instruction uses, by its registers; false: it has no i-th. */
bool gfx7_descriptor(const struct gpudbg_insn *, unsigned i, struct gpudbg_dumped_descriptor *);
extern const struct gpudbg_dwarf gfx7_dwarf;             /* run/debug.c */
extern const struct gpudbg_pictures gfx7_pictures;       /* run/picture.c */
extern const struct gpudbg_loader gfx7_elf_loader;       /* object/code_object.c */
extern const struct gpudbg_loader gfx7_shader_loader;    /* object/load_shader.c */
extern const struct gpudbg_loader gfx7_registers_loader; /* object/load_registers.c */
extern const struct gpudbg_loader gfx7_listing_loader;   /* object/load_listing.c */

int gfx7_decode(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);
int gfx7_text(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf,
    size_t size);
void *gfx7_printer(const struct gpudbg_isa *);
int gfx7_print(
    void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len);
int gfx7_sieve(const struct gpudbg_isa *, const char *text, struct gpudbg_masked *, int most);
size_t gfx7_skim(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *);
int gfx7_assemble(struct gpudbg_reading *, uint8_t *bytes, size_t room);
int gfx7_operand_text(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);
size_t gfx7_program(const struct gpudbg_isa *, const uint8_t *p, size_t n);
/* Which reserved bits of the instruction are set, "bit 16 is reserved in VOP3"; 0: none.  Length as snprintf. */
int gfx7_reserved_text(const struct gpudbg_insn *, char *buf, size_t size);

/* The operand that comes from a field of the encoding, or NULL. */
const struct gpudbg_operand *gfx7_operand(const struct gpudbg_insn *, unsigned slot);

#endif
