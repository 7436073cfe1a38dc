/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stack.h: a stack that is large enough, whatever `ulimit -s` says: libdw alone takes more than 128 KB. */
#ifndef UI_STACK_H
#define UI_STACK_H

/* Calls run(argc, argv) on a stack of at least 8 MB, or on the one there is, and returns its result. */
int stack_call(int (*run)(int argc, char **argv), int argc, char **argv);

#endif
