/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls: runs a program and lets one of its system calls fail.  What the C library does by itself (streams, memory for
 * malloc, directories) is reached, too, because it is the kernel's answer that is changed.
 *
 *   calls [-p LIBRARY] [-k KIND] [-n N] [-e ERROR] [-a] [-l LOG] PROGRAM [ARGUMENT]...
 *
 * KIND: read, write, mmap, open, sync, rename, stat, wait; unnamed: an open of a file without a name (O_TMPFILE).  The
 * Nth call of this kind (from 1) does nothing and fails with ERROR, a number of errno.h or `short`: then it is done for
 * one byte only.  -a: every later one, too.  LOG: a line `KIND COUNT` for each kind.  Counting begins when LIBRARY,
 * memory.so, says that the loader is done; it is preloaded. Exit status: the program's, or 128 and the number of its
 * signal; 77: this machine cannot.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <elf.h>

#define MARK (-24301) /* as in memory.c */

/* Registers that hold a call's number, its third argument, and its result. */
#if defined(__x86_64__)
typedef struct user_regs_struct registers;
#define SET_NUMBER(pid, r, n) ((r)->orig_rax = (unsigned long long)(n))
#define NUMBER(r) ((long)(r)->orig_rax)
#define FIRST(r) ((r)->rdi)
#define THIRD(r) ((r)->rdx)
#define RESULT(r) ((r)->rax)
#elif defined(__aarch64__)
typedef struct user_regs_struct registers;
#define SET_NUMBER(pid, r, n) set_number(pid, n)
#define NUMBER(r) ((long)(r)->regs[8])
#define FIRST(r) ((r)->regs[0])
#define THIRD(r) ((r)->regs[2])
#define RESULT(r) ((r)->regs[0])
static void set_number(pid_t pid, int n)
{
    struct iovec v = {&n, sizeof n};
    ptrace(PTRACE_SETREGSET, pid, 0x404 /* NT_ARM_SYSTEM_CALL */, &v);
}
#else
int main(void) { return 77; }
#define NO_CALLS
#endif

#ifndef NO_CALLS

enum kind { READ, WRITE, MMAP, OPEN, SYNC, RENAME, STAT, WAIT, UNNAMED, KINDS };
static const char *const names[KINDS] = {"read", "write", "mmap", "open", "sync", "rename", "stat", "wait", "unnamed"};

static const struct {
    long number;
    enum kind kind;
} calls[] = {
    {SYS_read, READ},
    {SYS_pread64, READ},
    {SYS_readv, READ},
    {SYS_getdents64, READ},
    {SYS_write, WRITE},
    {SYS_pwrite64, WRITE},
    {SYS_writev, WRITE},
    {SYS_ftruncate, WRITE},
    {SYS_mmap, MMAP},
    {SYS_mremap, MMAP},
    {SYS_mprotect, MMAP},
    {SYS_openat, OPEN},
    {SYS_fsync, SYNC},
    {SYS_fdatasync, SYNC},
    {SYS_linkat, RENAME},
    {SYS_renameat2, RENAME},
    {SYS_unlinkat, RENAME},
    {SYS_mkdirat, RENAME},
    {SYS_fchown, RENAME},
    {SYS_fchmod, RENAME},
    {SYS_fstat, STAT},
    {SYS_newfstatat, STAT},
    {SYS_statx, STAT},
    {SYS_faccessat, STAT},
    {SYS_readlinkat, STAT},
    {SYS_lseek, STAT},
    {SYS_ppoll, WAIT},
    {SYS_pselect6, WAIT},
    {SYS_ioctl, WAIT},
#ifdef __x86_64__
    {SYS_open, OPEN},
    {SYS_creat, OPEN},
    {SYS_rename, RENAME},
    {SYS_link, RENAME},
    {SYS_unlink, RENAME},
    {SYS_mkdir, RENAME},
    {SYS_stat, STAT},
    {SYS_lstat, STAT},
    {SYS_access, STAT},
    {SYS_readlink, STAT},
    {SYS_poll, WAIT},
    {SYS_select, WAIT},
#endif
};

static struct {
    uint64_t count[KINDS], nth;
    enum kind kind;
    int number; /* of errno.h; 0: short */
    bool counting, all, failing;
} s;

static enum kind kind_of(long number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number) return calls[i].kind;
    return KINDS;
}

static bool get(pid_t pid, registers *r)
{
    struct iovec v = {r, sizeof *r};
    return ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &v) == 0;
}
static void set(pid_t pid, registers *r)
{
    struct iovec v = {r, sizeof *r};
    ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &v);
}

static void enter(pid_t pid)
{
    registers r;
    if (!get(pid, &r)) return;
    if (NUMBER(&r) == SYS_close && (int)FIRST(&r) == MARK) s.counting = true;
    enum kind kind = kind_of(NUMBER(&r));
    if (NUMBER(&r) == SYS_openat && ((int)THIRD(&r) & O_TMPFILE) == O_TMPFILE) kind = UNNAMED;
    if (!s.counting || kind == KINDS) return;
    const uint64_t n = ++s.count[kind];
    if (kind != s.kind || !s.nth || !(n == s.nth || (s.all && n > s.nth))) return;
    if (s.number) {
        s.failing = true;
        SET_NUMBER(pid, &r, -1);
    } else if (THIRD(&r) > 1 && (NUMBER(&r) == SYS_read || NUMBER(&r) == SYS_write || NUMBER(&r) == SYS_pread64)) {
        THIRD(&r) = 1;
    }
    set(pid, &r);
}

static void leave(pid_t pid)
{
    registers r;
    if (!s.failing || !get(pid, &r)) return;
    s.failing = false;
    RESULT(&r) = (unsigned long long)-s.number;
    set(pid, &r);
}

static bool entering(pid_t pid)
{
    struct {
        uint8_t op;
        uint8_t rest[87];
    } info = {0};
    ptrace((enum __ptrace_request)PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info);
    return info.op == PTRACE_SYSCALL_INFO_ENTRY;
}

/* Until the first process has ended; its status. */
static int follow(pid_t first)
{
    for (;;) {
        int status, send = 0;
        const pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) return 125;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (pid == first) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            if (entering(pid))
                enter(pid);
            else
                leave(pid);
        } else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
            send = WSTOPSIG(status);
        }
        ptrace(PTRACE_SYSCALL, pid, 0, (void *)(intptr_t)send);
    }
}

static int usage(void)
{
    fputs("usage: calls [-p LIBRARY] [-k KIND] [-n N] [-e ERROR|short] [-a] [-l LOG] PROGRAM [ARGUMENT]...\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    const char *log = NULL, *library = NULL;
    for (int c; (c = getopt(argc, argv, "+p:k:n:e:al:")) != -1;) switch (c) {
        case 'p': library = optarg; break;
        case 'k':
            for (s.kind = 0; s.kind < KINDS && strcmp(names[s.kind], optarg) != 0;) s.kind++;
            if (s.kind == KINDS) return usage();
            break;
        case 'n': s.nth = strtoull(optarg, NULL, 10); break;
        case 'e': s.number = strcmp(optarg, "short") == 0 ? 0 : atoi(optarg); break;
        case 'a': s.all = true; break;
        case 'l': log = optarg; break;
        default: return usage();
        }
    if (optind == argc) return usage();
    const pid_t pid = fork();
    if (pid < 0) return 125;
    if (!pid) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(77);
        raise(SIGSTOP);
        if (library) setenv("LD_PRELOAD", library, 1);
        execv(argv[optind], argv + optind);
        _exit(127);
    }
    for (int signal = 1; signal < 32; signal++) /* what the terminal sends is for the program */
        if (signal == SIGINT || signal == SIGQUIT || signal == SIGTSTP || signal == SIGHUP)
            sigaction(signal, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    int status;
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
    if (ptrace(PTRACE_SETOPTIONS, pid, 0,
            PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEEXEC |
                PTRACE_O_EXITKILL) != 0)
        return 77;
    ptrace(PTRACE_SYSCALL, pid, 0, 0);
    const int result = follow(pid);
    FILE *f = log ? fopen(log, "w") : NULL;
    for (int k = 0; f && k < KINDS; k++) fprintf(f, "%s %llu\n", names[k], (unsigned long long)s.count[k]);
    if (f) fclose(f);
    return result;
}

#endif
