/* SPDX-License-Identifier: GPL-3.0-or-later */
/* endings.h: the signals that end a program: one list, for whoever has to give something back before that. */
#ifndef UI_ENDINGS_H
#define UI_ENDINGS_H

/* From now on `told` is called for those that ask for an end (SIGTERM, SIGXCPU, SIGUSR1, ...), and `crashed` for those
 * of crashes (SIGSEGV, SIGABRT, ...), on a stack of its own and once: where it returns, the signal must come again.
 * SIGINT and SIGALRM, SIGPIPE and SIGXFSZ are not among them: the first two have meanings of their own, and the program
 * ignores the others.  What somebody else handles is left alone, and so is what whoever started the program ignores,
 * but for hang-ups and SIGTERM and SIGQUIT. */
void endings_take(void (*told)(int), void (*crashed)(int));
/* Ends the program by this signal, as if nobody had handled it. */
void endings_end(int number);

#endif
