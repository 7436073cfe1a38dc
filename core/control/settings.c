/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/settings.h"
#include "code/records.h"

void settings_limits(struct settings *s)
{
#define LIMIT(member, name, unit, first, ...) s->member = first;
#include "control/limits.def"
#undef LIMIT
}

unsigned settings_syntax(const struct settings *s, const struct gpudbg_isa *isa)
{
    return insn_syntax_or_first(isa, s->syntax);
}

unsigned settings_chosen(const struct settings *s, const struct gpudbg_isa *isa, unsigned i)
{
    for (size_t k = 0; k < sizeof s->choice / sizeof *s->choice && isa->traits.choices; k++)
        if (s->choice[k].choice == &isa->traits.choices[i]) return s->choice[k].value;
    return 0;
}
