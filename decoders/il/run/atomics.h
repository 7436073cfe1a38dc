/* SPDX-License-Identifier: GPL-3.0-or-later */
/* atomics.h: atomics by name. */
#ifndef IL_ATOMICS_H
#define IL_ATOMICS_H

enum il_atomic {
    IL_ATOMIC_ADD,
    IL_ATOMIC_SUB,
    IL_ATOMIC_RSUB,
    IL_ATOMIC_INC,
    IL_ATOMIC_DEC,
    IL_ATOMIC_MIN,
    IL_ATOMIC_MAX,
    IL_ATOMIC_UMIN,
    IL_ATOMIC_UMAX,
    IL_ATOMIC_AND,
    IL_ATOMIC_OR,
    IL_ATOMIC_XOR,
    IL_ATOMIC_MSKOR,
    IL_ATOMIC_XCHG,
    IL_ATOMIC_CMP,
    IL_ATOMIC_CMP_XCHG,
    IL_ATOMIC_CMP_STORE,
    IL_ATOMIC_UINC,
    IL_ATOMIC_UDEC,
    IL_ATOMICS
};

/* What lds_add, gds_read_umin, uav_uinc ... do; -1: none of them. */
int il_atomic_of(const char *mnemonic);

#endif
