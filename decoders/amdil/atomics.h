/* SPDX-License-Identifier: GPL-3.0-or-later */
/* atomics.h: atomics by name. */
#ifndef AMDIL_ATOMICS_H
#define AMDIL_ATOMICS_H

enum amdil_atomic {
    AMDIL_ATOMIC_ADD,
    AMDIL_ATOMIC_SUB,
    AMDIL_ATOMIC_RSUB,
    AMDIL_ATOMIC_INC,
    AMDIL_ATOMIC_DEC,
    AMDIL_ATOMIC_MIN,
    AMDIL_ATOMIC_MAX,
    AMDIL_ATOMIC_UMIN,
    AMDIL_ATOMIC_UMAX,
    AMDIL_ATOMIC_AND,
    AMDIL_ATOMIC_OR,
    AMDIL_ATOMIC_XOR,
    AMDIL_ATOMIC_MSKOR,
    AMDIL_ATOMIC_XCHG,
    AMDIL_ATOMIC_CMP,
    AMDIL_ATOMIC_CMP_XCHG,
    AMDIL_ATOMIC_CMP_STORE,
    AMDIL_ATOMIC_UINC,
    AMDIL_ATOMIC_UDEC,
    AMDIL_ATOMICS
};

/* What lds_add, gds_read_umin, uav_uinc ... do; -1: none of them. */
int amdil_atomic_of(const char *mnemonic);

#endif
