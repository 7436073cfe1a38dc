/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm4.h: packets of the command processor as instructions: a header word, then dwords with layouts of their own
 * (pm4.def). */
#ifndef PM4_H
#define PM4_H

#include <gpudbg.h>

#define PM4_FILES 1
extern const struct gpudbg_regfile pm4_files[PM4_FILES]; /* of packets of every engine: the chip's registers */
extern const struct gpudbg_isa pm4_isa, pm4_10_isa;      /* of gfx7; of gfx10 and gfx10.3 */

/* The number in a field of a dword, by its name: the layout alone says where it is. */
uint32_t packet_field(const struct gpudbg_format *, const char *name, uint32_t dword);

#endif
