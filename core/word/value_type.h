/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value_type.h: what the bits of a number are, for expressions and for the types of a source. */
#ifndef GPUDBG_VALUE_TYPE_H
#define GPUDBG_VALUE_TYPE_H

#include <stdint.h>

enum value_kind { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_FLOAT };

struct value_type {
    uint8_t kind, bits; /* bits 8, 16, 32 or 64; 0: none */
};

#endif
