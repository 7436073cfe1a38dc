/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endings.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* signal(7): those whose action is to end the process. */
static const struct {
    int number;
    bool crash;  /* the code that runs cannot go on */
    bool always; /* also where it is ignored */
} endings[] = {
    {SIGHUP, false, true},
    {SIGQUIT, false, true},
    {SIGTERM, false, true},
    {SIGUSR1, false, false},
    {SIGUSR2, false, false},
    {SIGXCPU, false, false},
    {SIGVTALRM, false, false},
    {SIGPROF, false, false},
    {SIGILL, true, false},
    {SIGTRAP, true, false},
    {SIGABRT, true, false},
    {SIGBUS, true, false},
    {SIGFPE, true, false},
    {SIGSEGV, true, false},
    {SIGSYS, true, false},
#ifdef SIGIO
    {SIGIO, false, false},
#endif
#ifdef SIGPWR
    {SIGPWR, false, false},
#endif
#ifdef SIGSTKFLT
    {SIGSTKFLT, true, false},
#endif
};

static void (*before[2])(int); /* the handlers that were given last time: others may replace them */

static void take(int number, bool crash, bool always, void (*handler)(int))
{
    struct sigaction action = {
        .sa_handler = handler, .sa_flags = crash ? (int)(SA_RESETHAND | SA_ONSTACK) : SA_RESTART};
    struct sigaction was;
    if (!always && sigaction(number, NULL, &was)) return;
    if (always || was.sa_handler == SIG_DFL || was.sa_handler == before[crash]) sigaction(number, &action, NULL);
}

void endings_take(void (*told)(int), void (*crashed)(int))
{
    static char stack[32768]; /* SIGSTKSZ is no constant any more */
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        take(endings[i].number, endings[i].crash, endings[i].always, endings[i].crash ? crashed : told);
#ifdef SIGRTMIN
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) take(number, false, false, told);
#endif
    before[false] = told;
    before[true] = crashed;
}

void endings_end(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}
