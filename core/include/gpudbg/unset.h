/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unset.h: the build gives zeros to variables that have no value yet (-ftrivial-auto-var-init).  A large one in a place
 * that is run for each line, and that is written before it is read, goes without. */
#ifndef GPUDBG_UNSET_H
#define GPUDBG_UNSET_H

#include <stddef.h> /* a file of nothing but macros is no translation unit */

#if defined(__has_attribute)
#if __has_attribute(uninitialized)
#define GPUDBG_UNSET __attribute__((uninitialized))
#endif
#endif
#ifndef GPUDBG_UNSET
#define GPUDBG_UNSET
#endif

#endif
