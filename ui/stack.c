/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

#define WANTED ((size_t)8 << 20)

struct call {
    int (*run)(int, char **);
    int argc, result;
    char **argv;
    sigset_t signals;
};

static void *call_run(void *data)
{
    struct call *c = data;
    pthread_sigmask(SIG_SETMASK, &c->signals, NULL);
    c->result = c->run(c->argc, c->argv);
    return NULL;
}

/* The stack of the first thread grows up to the limit of now, which may be raised up to the hard one. */
static bool is_large(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= WANTED)
        return true;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= WANTED ? WANTED : limit.rlim_max;
    return setrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= WANTED / 8;
}

int stack_call(int (*run)(int argc, char **argv), int argc, char **argv)
{
    struct call call = {.run = run, .argc = argc, .argv = argv};
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    if (is_large() || pthread_attr_init(&attributes) != 0) return run(argc, argv);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &call.signals); /* signals are for the thread that works */
    const bool made = pthread_attr_setstacksize(&attributes, WANTED) == 0 &&
                      pthread_create(&thread, &attributes, call_run, &call) == 0;
    pthread_attr_destroy(&attributes);
    if (made) {
        pthread_join(thread, NULL);
        return call.result;
    }
    pthread_sigmask(SIG_SETMASK, &call.signals, NULL);
    return run(argc, argv);
}
