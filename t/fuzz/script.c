/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts of real commands (typed.h) on demos, kernels and dumps, in a folder of its own, with files that are damaged
 * on the way.  Besides not crashing and not hanging,
 *
 *   what only looks (gpudbg_command.effect) leaves the machine's hash and its recorded time as they were;
 *   each position of one recorded time has one hash, however it is reached;
 *   a question to recorded time has the same answer when it is asked again and its workers are killed;
 *   a saved session that another process opens has the hash that it was saved with;
 *   a command that fails says why, and nothing that a terminal would obey is printed.
 *
 * The bytes of the input choose; when they end, numbers that follow from them do.  So any few bytes are the seed of a
 * long script.  GPUDBG_SCRIPT=FOLDER script INPUT leaves the script and its files there, for
 * `cd FOLDER && gpudbg --batch -x script.gdb`.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/families.h"
#include "command/session_file.h"
#include "decoders/decoders.h"
#include "machine/machine_core.h"
#include "out/out.h"
#include "session/command.h"
#include "session/script.h"
#include "session/session.h"
#include "screen.h"
#include "typed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COMMANDS 40 /* of one script, at most */
#define LINE 4096
#define TICKS 2000
#define POSITIONS 1024 /* a power of 2 */
#define BASES 40

/* ---- Workers that are killed ---- */

static uint64_t forks;
static int kill_after; /* microseconds of processor time that children may have; 0: as much as they like */

pid_t fork(void)
{
    static pid_t (*real)(void);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fork");
    const pid_t pid = real();
    forks++;
    if (pid == 0 && kill_after) {
        signal(SIGPROF, SIG_DFL);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_usec = kill_after}, NULL);
    }
    return pid;
}

/* ---- The folder, and what stands in it at first ---- */

static struct base {
    const char *name;
    char *bytes;
    size_t size;
} base[BASES + 1];
static size_t nbases;
static char folder[256];
static bool kept; /* the folder is the user's, for the script */

static void take_base(const char *path, const char *name)
{
    FILE *f = fopen(path, "rb");
    if (!f || nbases == BASES) return;
    struct base *b = &base[nbases++];
    b->name = name;
    b->bytes = malloc(1 << 20);
    b->size = b->bytes ? fread(b->bytes, 1, 1 << 20, f) : 0;
    fclose(f);
}

static void add_base(const char *name, const void *bytes, size_t size)
{
    struct base *b = &base[nbases++];
    *b = (struct base){name, malloc(size), size};
    if (!b->bytes) abort();
    memcpy(b->bytes, bytes, size);
}

static void write_file(const char *name, const char *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) abort();
}

/* Only the base stands there, as it was. */
static void tidy(void)
{
    struct stat st;
    DIR *d = opendir(".");
    if (!d) abort();
    for (struct dirent *e; (e = readdir(d));) {
        size_t i = 0;
        while (i < nbases && strcmp(base[i].name, e->d_name) != 0) i++;
        if (i == nbases && *e->d_name != '.') unlink(e->d_name);
    }
    closedir(d);
    for (size_t i = 0; i < nbases; i++)
        if (stat(base[i].name, &st) != 0 || st.st_mtime || (size_t)st.st_size != base[i].size) {
            write_file(base[i].name, base[i].bytes, base[i].size);
            utimes(base[i].name, (const struct timeval[2]){{0, 0}, {0, 0}});
        }
}

static void leave_folder(void)
{
    if (kept || chdir(folder) != 0) return;
    nbases = 0;
    tidy();
    rmdir(folder);
}

/* ---- What a script starts with ---- */

/* s0 counts down from 3; then v0 = s0, LDS and a buffer are written. */
static const uint32_t loop[] = {0xbe800383, 0x8100c100, 0xbf018000, 0xbf85fffd, 0x7e000200, 0xbf810000};

/* What the waves of waves1.txt stand in. */
static const uint32_t waves[] = {0x81020100, 0x81030402, 0x7e000204, 0xbf810000};

static const struct start {
    const char *file, *launch;
} starts[] = {
    {"file matmul.co", "launch matmul -g 16,16 -l 8,8 zero:1024 fill:1024:1 fill:1024:2 16"},
    {"file collatz.co", "launch collatz -g 128 -l 64 zero:512 50"},
    {"file dg1.co", "launch climb -g 64 -l 32 zero:512 20"},
    {"file histogram.co", "launch histogram -g 128 -l 64 zero:1024 @histogram.cl 500"},
    {"file il.il", "launch -g 16,16 -l 16,16 uav0=zero:8192 uav1=@il_a.bin uav2=@il_b.bin "
                   "cb0=hex:20000000000000000000000000000000"},
    {"file mandelbrot.co", "launch mandelbrot -g 16,8 -l 8,4 zero:128 16 8 10"},
    {"file --isa gfx7 --raw loop.bin", "launch -g 128 -l 64 buf0=zero:64"},
    {"file --isa gen7.5 --raw loop.krn", "launch -g 16 -l 8 simd=8 bti0=zero:256"},
    {"file collatz.co", "launch collatz -g 1024 -l 128 zero:4096 1000\ncontinue"}, /* long enough for workers */
    {"file --isa gfx7 --raw waves.bin\nfile waves1.txt", "restore"},
    {"file softreset.log\nfile i915.txt", NULL},
    {"file matmul.co\nadd-code loop.bin 0x10000", "launch matmul -g 8,8 -l 8,8 zero:256 fill:256:1 fill:256:2 8"},
};

static const char *inputs[BASES + 16] = {"m0", "m1", "m2", "m3", "s1", "s2", "o1", "o2"};

static void set_up(void)
{
    static const char *const demo[] = {"matmul.co", "collatz.co", "dg1.co", "histogram.co", "mandelbrot.co", "il.il",
        "il_a.bin", "il_b.bin", "histogram.cl", "matmul.cl"};
    static const char *const dumps[] = {"waves1.txt", "waves2.txt", "softreset.log", "i915.txt", "ring.txt",
        "devcoredump.txt", "state.txt", "mesa.log", "umr.txt", "intel_reg.txt"};
    bool there;
    char path[1024], *data = session_data_folder(&there);
    for (size_t i = 0; i < sizeof demo / sizeof *demo; i++) {
        snprintf(path, sizeof path, "%s/demo/%s", data, demo[i]);
        take_base(path, demo[i]);
    }
    for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
        snprintf(path, sizeof path, "%s/../t/data/dumps/%s", data, dumps[i]);
        take_base(path, dumps[i]);
    }
    snprintf(path, sizeof path, "%s/../t/data/gen7/loop.krn", data);
    take_base(path, "loop.krn");
    snprintf(path, sizeof path, "%s/../t/data/kernels/gfx7/calls-O0-g.co", data);
    take_base(path, "calls.co");
    snprintf(path, sizeof path, "%s/../t/data/kernels/gen12/edges.ze", data);
    take_base(path, "edges.ze");
    add_base("loop.bin", loop, sizeof loop);
    add_base("waves.bin", waves, sizeof waves);
    free(data);
    for (size_t n = 8, i = 0; i < nbases; i++) inputs[n++] = base[i].name;

    const char *wanted = getenv("GPUDBG_SCRIPT"), *tmp = getenv("TMPDIR");
    kept = wanted != NULL;
    snprintf(folder, sizeof folder, "%s%s", kept ? wanted : tmp ? tmp : "/tmp", kept ? "" : "/gpudbg-script-XXXXXX");
    if (kept ? mkdir(folder, 0700) != 0 && errno != EEXIST : !mkdtemp(folder)) abort();
    if (chdir(folder) != 0 || !getcwd(folder, sizeof folder)) abort();
    setenv("SHELL", "/bin/true", 1); /* `shell`, `pipe` */
    setenv("HOME", folder, 1);
    unsetenv("XDG_CONFIG_HOME");
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 26, 1 << 26});
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    atexit(leave_folder);
}

/* ---- One script ---- */

static struct counts {
    uint64_t lines, good, questions, positions, sessions, asked_again;
} counts;

static void say_counts(void)
{
    fprintf(stderr,
        "counted: %" PRIu64 " command lines, %" PRIu64 " without an error; the hash was compared after %" PRIu64
        " questions, at %" PRIu64 " positions met before and in %" PRIu64 " opened sessions; %" PRIu64
        " questions were asked twice\n",
        counts.lines, counts.good, counts.questions, counts.positions, counts.sessions, counts.asked_again);
}

struct play {
    struct gpudbg *g;
    struct dice dice;
    struct typed typed;
    struct gpudbg_out *out;
    FILE *script; /* NULL: nobody wants it */
    unsigned ticks, damaged;
    bool interrupted;
    /* Instructions between checkpoints, so that short time is searched by workers, too; 0: as usual. */
    uint64_t interval;
    char started[300]; /* the lines that opened and launched what the script is about */
    /* What was met at positions of the recorded time that there is: `hash` is valid where `met` is this time's. */
    const struct gpudbg_machine *of;
    uint64_t futures, time;
    struct met {
        uint64_t time, position, hash;
    } met[POSITIONS];
};

__attribute__((noreturn)) static void found(const char *what, const char *line)
{
    fprintf(stderr, "script: %s: %s\n", what, line);
    abort();
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    struct play *p = data;
    (void)todo;
    if (++p->ticks < TICKS && done < 1000000) return true;
    p->interrupted = true;
    return false;
}

static bool yes(void *data, const char *question)
{
    (void)data;
    (void)question;
    return true;
}

static struct gpudbg *open_session(struct play *p)
{
    struct gpudbg_error err = {.offset = -1};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    if (!g || !screen_commands(g, &err)) abort();
    g->settings.step_limit = 20000;
    g->settings.memory_limit = 1 << 26;
    g->settings.no_plugins = true;
    g->ticker = (struct ticker){.tick = tick, .data = p};
    g->front.ask = yes;
    return g;
}

/* ---- The machine before and after ---- */

struct state {
    const struct gpudbg_machine *machine;
    uint64_t hash, position, recorded, futures;
};

static struct state state_of(const struct gpudbg *g)
{
    struct gpudbg_machine *m = g->running.machine;
    if (!m) return (struct state){NULL, 0, 0, 0, 0};
    return (struct state){m, machine_hash(m), machine_position(m), machine_recorded(m), machine_futures(m)};
}

static void compare_states(const struct state *a, const struct state *b, const char *line)
{
    if (a->machine != b->machine) found("a question ended or replaced the launch", line);
    if (a->hash != b->hash) found("a question changed the machine", line);
    if (a->position != b->position) found("a question moved in time", line);
    if (a->recorded != b->recorded || a->futures != b->futures) found("a question changed recorded time", line);
}

/* What is known of positions is of another recorded time. */
static void forget_positions(struct play *p) { p->time++; }

static void meet_position(struct play *p, const struct state *s, const char *line)
{
    if (!s->machine) return;
    if (p->of != s->machine || p->futures != s->futures) forget_positions(p);
    p->of = s->machine;
    p->futures = s->futures;
    struct met *met = &p->met[s->position & (POSITIONS - 1)];
    if (met->time == p->time && met->position == s->position) {
        counts.positions++;
        if (met->hash != s->hash) found("the same position has another state", line);
    }
    *met = (struct met){p->time, s->position, s->hash};
}

/* ---- Lines ---- */

static enum gpudbg_effect effect_of(struct gpudbg *g, const char *line, const struct gpudbg_command **row)
{
    struct gpudbg_args args;
    struct gpudbg_error err = {.offset = -1};
    struct command_found what = {0};
    *row = NULL;
    if (block_open(g)) return strcmp(line, "end") == 0 ? GPUDBG_CHANGES : GPUDBG_LOOKS;
    if (*line == '!' || *line == '|') return GPUDBG_CHANGES;
    if (!args_open(&args, &g->eval, line, &err)) return GPUDBG_LOOKS;
    const bool any = *args.at && *args.at != '#' && command_find(g, &args, &what, &err);
    args_close(&args);
    if (!any) return GPUDBG_LOOKS;
    *row = what.command;
    return what.define ? GPUDBG_CHANGES : what.command ? (enum gpudbg_effect)what.command->effect : GPUDBG_LOOKS;
}

/* `print` and `output` may assign, where they are told to. */
static bool assigns(const char *line) { return strchr(line, '=') || strstr(line, "++") || strstr(line, "--"); }

/* A path that leads out of the folder: nothing may be written there. */
static bool leads_out(const char *line) { return strstr(line, "..") || strstr(line, " /") || strstr(line, "~"); }

static void look_at_output(struct play *p, const char *line)
{
    size_t n;
    char *text = out_taken(p->out, &n);
    const bool free_text = strstr(line, "echo") || strstr(line, "printf"); /* the user may spell out anything */
    for (size_t i = 0; text && i < n && !free_text; i++)
        if ((unsigned char)text[i] < 32 && text[i] != '\n' && text[i] != '\t')
            found("it printed a control character", line);
    free(text);
}

static struct gpudbg_error last_error; /* of the latest command, if it failed */

static bool execute(struct play *p, const char *line)
{
    struct gpudbg_error err = {.offset = -1};
    p->ticks = 0;
    p->interrupted = false;
    const bool ok = gpudbg_execute(p->g, line, p->out, &err);
    if (!ok && (!err.kind || !err.message[0])) found("it failed and does not say why", line);
    counts.good += ok;
    last_error = err;
    if (chdir(folder) != 0) abort();
    return ok;
}

/* Asked twice, the second time with workers that die.  With a time limit the clock decides how much is answered. */
static void ask_again(struct play *p, const char *line)
{
    size_t n[2];
    char *text[2];
    bool ok[2], whole = true;
    struct gpudbg_error err[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        kill_after = i ? 1 + (int)roll(&p->dice, 3000) : 0;
        ok[i] = execute(p, line);
        err[i] = last_error;
        whole = whole && !p->interrupted && !p->g->settings.time_limit;
        text[i] = out_taken(p->out, &n[i]);
    }
    kill_after = 0;
    counts.asked_again++;
    if (whole && (ok[0] != ok[1] || n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0)) {
        for (int i = 0; i < 2; i++)
            fprintf(stderr, "answer %d (%s):\n%.*s\n", i, ok[i] ? "good" : err[i].message, (int)n[i], text[i]);
        found("asked again, it gives another answer", line);
    }
    free(text[0]);
    free(text[1]);
}

/* Another process opens the session. */
static void open_elsewhere(struct play *p, const char *path, const char *line)
{
    const struct state here = state_of(p->g);
    const pid_t pid = fork();
    if (pid < 0) return;
    if (pid == 0) {
        signal(SIGALRM, SIG_DFL); /* the fuzzing engine has it */
        alarm(20);
        struct gpudbg_error err = {.offset = -1};
        struct gpudbg *g = open_session(p);
        g->settings.step_limit = 0;
        if (!session_read(g, path, p->out, &err)) {
            fprintf(stderr, "%s: %s: %s\n", path, err.kind ? err.kind : "?", err.message);
            _exit(2);
        }
        const struct state there = state_of(g);
        session_close(g);
        _exit(!here.machine != !there.machine || here.hash != there.hash || here.position != there.position ? 3 : 0);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    counts.sessions++;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) found("opening the saved session takes too long", line);
    if (!WIFEXITED(status)) found("opening the saved session crashed", line);
    if (WEXITSTATUS(status) == 2) found("the saved session cannot be opened", line);
    if (WEXITSTATUS(status) == 3) found("the saved session opens with another state", line);
    if (WEXITSTATUS(status)) found("opening the saved session failed", line);
}

/* Returns what the line may have done. */
static enum gpudbg_effect run_line(struct play *p, const char *line)
{
    const struct gpudbg_command *row;
    size_t start;
    enum gpudbg_effect effect = effect_of(p->g, line, &row);
    if (row && (row->writes || strncmp(row->name, "set", 3) == 0) && leads_out(line)) return GPUDBG_LOOKS;
    if (row && row->effect == GPUDBG_CHANGES && strncmp(row->name, "print", 5) == 0 && !assigns(line))
        effect = GPUDBG_LOOKS;
    if (row && row->effect == GPUDBG_CHANGES && strcmp(row->name, "output") == 0 && !assigns(line))
        effect = GPUDBG_LOOKS;
    if (p->script) {
        fprintf(p->script, "%s\n", line);
        fflush(p->script);
    }
    const struct state before = state_of(p->g);
    counts.lines++;
    if (!roll(&p->dice, 32)) free(command_complete(p->g, line, &start, roll(&p->dice, 4)));
    bool ok = true;
    if (row && effect == GPUDBG_LOOKS && strcmp(row->family, "Time") == 0 && !block_open(p->g) && !roll(&p->dice, 2))
        ask_again(p, line);
    else
        ok = execute(p, line);
    look_at_output(p, line);
    if (p->g->quit) return effect;
    const struct state after = state_of(p->g);
    if (effect == GPUDBG_LOOKS) {
        counts.questions += before.machine != NULL;
        compare_states(&before, &after, line);
    }
    if (effect == GPUDBG_CHANGES) forget_positions(p);
    if (p->interval && after.machine && after.machine != before.machine)
        core_of(p->g->running.machine)->history.interval = p->interval;
    meet_position(p, &after, line);
    if (ok && row && strcmp(row->name, "save session") == 0 && p->g->saved.path)
        open_elsewhere(p, p->g->saved.path, line);
    return effect;
}

/* Somewhere else in recorded time, and back: the state is the same. */
static void go_and_return(struct play *p)
{
    char there[40], back[40];
    const struct gpudbg_machine *m = p->g->running.machine;
    if (!m || p->g->quit || block_open(p->g)) return;
    const uint64_t position = machine_position(m), recorded = machine_recorded(m);
    snprintf(there, sizeof there, "goto %" PRIu64, (uint64_t)roll(&p->dice, 65536) % (recorded + 1));
    snprintf(back, sizeof back, "goto %" PRIu64, position);
    run_line(p, there);
    run_line(p, back);
}

/* Lines, mostly as they were typed; one in ten is damaged. */
static void run_lines(struct play *p, char *lines)
{
    static char scrap[LINE];
    for (char *line, *rest = lines; !p->g->quit && (line = strsep(&rest, "\n"));) {
        size_t n = strlen(line);
        if (!roll(&p->dice, 10) && n) {
            snprintf(scrap, sizeof scrap, "%s", line);
            if (n > sizeof scrap - 1) n = sizeof scrap - 1;
            line = scrap;
            const size_t at = roll(&p->dice, (unsigned)n), many = roll(&p->dice, 4) + 1;
            switch (roll(&p->dice, 4)) {
            case 0: line[at] = (char)(roll(&p->dice, 95) + 32); break;
            case 1: line[at] = 0; break;
            case 2:
                memmove(line + at, line + (at + many < n ? at + many : n), n - (at + many < n ? at + many : n) + 1);
                break;
            default: line[at] = (char)roll(&p->dice, 256); break;
            }
        }
        if (*line == '!' || *line == '|') continue;
        const bool changes = run_line(p, line) == GPUDBG_CHANGES;
        if (!roll(&p->dice, changes ? 2 : 12)) go_and_return(p);
    }
}

/* ---- Files that are damaged ---- */

static void damage(struct play *p)
{
    static const uint32_t telling[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 0x10000, 8, 255, 4096};
    const struct base *from = &base[roll(&p->dice, (unsigned)nbases)];
    size_t size = from->size;
    char name[8], *bytes = malloc(size + 4096);
    if (!bytes || !size) abort();
    memcpy(bytes, from->bytes, size);
    for (unsigned n = roll(&p->dice, 6) + 1; n; n--) {
        const size_t at = roll(&p->dice, (unsigned)size);
        switch (roll(&p->dice, 6)) {
        case 0: bytes[at] ^= (char)(1 << roll(&p->dice, 8)); break;
        case 1: bytes[at] = (char)roll(&p->dice, 256); break;
        case 2: size = at + 1; break;
        case 3: memmove(bytes + at, bytes + roll(&p->dice, (unsigned)at + 1), (size - at) / 4); break;
        default:
            if ((at & ~(size_t)3) + 4 <= size) memcpy(bytes + (at & ~(size_t)3), &PICK(&p->dice, telling), 4);
            break;
        }
    }
    snprintf(name, sizeof name, "m%u", p->damaged++ % (kept ? 1000 : 4));
    write_file(name, bytes, size);
    free(bytes);
}

/* ---- */

static void start_play(struct play *p)
{
    char lines[LINE];
    const struct start *s = &PICK(&p->dice, starts);
    if (p->script) fputs("set step-limit 20000\nset memory-limit 64M\nset confirm off\n", p->script);
    snprintf(lines, sizeof lines, "set threads %u", roll(&p->dice, 2) + 1);
    run_line(p, lines);
    snprintf(p->started, sizeof p->started, "%s%s%s\ngoto +%u", s->file, s->launch ? "\n" : "",
        s->launch ? s->launch : "", roll(&p->dice, 400)); /* so that there is a past */
    snprintf(lines, sizeof lines, "%s", p->started);
    p->typed.launch = s->launch && !strchr(s->launch, '\n') ? s->launch : NULL;
    for (char *line, *rest = lines; (line = strsep(&rest, "\n"));) run_line(p, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct play play;
    static char lines[LINE];
    static bool ready;
    struct play *p = &play;
    if (!ready) {
        set_up();
        atexit(say_counts);
    }
    ready = true;
    if (!size) return 0;
    tidy();
    memset(p->met, 0, sizeof p->met);
    p->dice = dice_of(data, size);
    p->g = open_session(p);
    p->out = out_memory(roll(&p->dice, 4) == 0);
    p->script = kept ? fopen("script.gdb", "w") : NULL;
    p->damaged = 0;
    p->interval = roll(&p->dice, 2) ? 40 + roll(&p->dice, 400) : 0;
    if (p->script && p->interval)
        fprintf(p->script, "# a checkpoint every %" PRIu64 " instructions, which only tests can set\n", p->interval);
    p->time = 1;
    p->of = NULL;
    p->typed = (struct typed){.dice = &p->dice, .g = p->g, .in = inputs};
    start_play(p);
    for (unsigned n = roll(&p->dice, COMMANDS) + 1; n && !p->g->quit; n--) {
        struct text to = text_in(lines, sizeof lines);
        if (!roll(&p->dice, 10)) damage(p);
        p->typed.to = &to;
        if (!p->g->running.machine && p->typed.launch && !roll(&p->dice, 3))
            text_add(&to, "%s", p->started);
        else
            type_command(&p->typed);
        run_lines(p, lines);
    }
    forget_names(&p->typed);
    if (p->script) fclose(p->script);
    out_close(p->out);
    session_close(p->g);
    return 0;
}
