/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arf.h: architecture registers as words with fields. */
#ifndef GEN_ARF_H
#define GEN_ARF_H

#include "gen.h"

enum gen_arf {
#define FORMAT(layout, word, at, bits, doc) GEN_ARF_##layout,
#define FIELD(layout, name, at, range, how, doc)
#define END
#include "code/arf.def"
#undef FORMAT
#undef FIELD
#undef END
    GEN_ARFS
};
extern const struct gpudbg_format gen_arf_formats[GEN_ARFS];

#endif
