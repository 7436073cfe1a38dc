/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa.h: the instruction set of a row of eu.def, by what follows GEN in its name. */
#ifndef T_GEN_ISA_H
#define T_GEN_ISA_H

#include "decoders/gen/gen.h"

#define GEN_ISA(generation) (&gen_eus[GEN##generation].isa)

#endif
