/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shader.h: shared by the loaders of consoles' shaders: facts of the image by which a launch knows the stage, and the
 * slots of a record. */
#ifndef GCN_SHADER_H
#define GCN_SHADER_H

#include "gcn.h"

/* Stages, in the numbers of the record's type. */
enum gcn_stage {
    GCN_STAGE_PIXEL,
    GCN_STAGE_VERTEX,
    GCN_STAGE_EXPORT,
    GCN_STAGE_LOCAL,
    GCN_STAGE_COMPUTE,
    GCN_STAGE_GEOMETRY,
    GCN_STAGE_COPY,
    GCN_STAGE_HULL,
    GCN_STAGE_DOMAIN,
    GCN_STAGE_DOMAIN_EXPORT,
    GCN_STAGES,
};
/* Adds the fact "stage", with its number as the value; what: text after the name, or "". */
void gcn_stage_fact(struct gpudbg_image *, unsigned stage, const char *what);
/* The stage in a file's name, as emulators name their dumps ("fs_0x123.bin"); GCN_STAGES: none. */
unsigned gcn_stage_named(const char *path);

/* Adds a fact whose text is the register's value in hexadecimal (load_shader.c). */
void gcn_word_fact(struct gpudbg_image *, const char *key, uint32_t value);

/* Adds a fact for each of n slots of 4 bytes. */
void gcn_slot_facts(struct gpudbg_image *, const uint8_t *slots, size_t n);

/* Adds the code of a vertex shader's fetch shader, if its file is beside that of the vertex shader (fetch_shader.c).
 * The vertex shader's own sections and facts must exist already. */
void gcn_fetch_beside(struct gpudbg_image *, const uint8_t *code, size_t n);

/* The same if the file has the table that the shader calls into: its section becomes code. */
void gcn_fetch_called(struct gpudbg_image *, const uint8_t *code, size_t n);

extern const struct gpudbg_loader gcn_radv_loader;   /* load_radv.c */
extern const struct gpudbg_loader gcn_header_loader; /* load_header.c */

/* The chip whose code it is: the first one that decodes all of it. */
const struct gpudbg_isa *gcn_guess_chip(const uint8_t *code, size_t n);
/* The text of the fact "chip" of a form that does not name the chip, though several chips use it. */
#define GCN_ASSUMED_CHIP "assumed: the file does not name it (--isa does)"
/* The same for an image, for which the user may have chosen; adds a fact if only the code shows the chip. */
void gcn_chip_fact(struct gpudbg_image *, const uint8_t *code, size_t n);

/* Bytes of code from b on, all of it of one chip, to a last s_endpgm or s_setpc_b64 and no reserved
 * bits set; 0: it is not.  least: of instructions. */
size_t gcn_whole_program(const uint8_t *b, size_t n, unsigned least);

/* Whether the bytes begin with an instruction of a chip. */
bool gcn_begins_code(const uint8_t *b, size_t n);

#endif
