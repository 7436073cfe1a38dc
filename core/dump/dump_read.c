/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_read.c: a file as a stream of lines through the readers, packed or not, in little memory; and the text of one
 * line again.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/charset.h"
#include "base/open_file.h"
#include "base/packed.h"
#include "dump/dump.h"

#define BLOCK 65536
#define TICK ((uint64_t)512 << 10) /* bytes between two questions to the ticker: a few milliseconds */
#define BINARY_MOST ((size_t)32 << 20)
#define READERS 32
#define HOSTS 16
#define QUIET_AFTER 512 /* lines of which no reader took one */
#define WRAP_LEAST 60   /* columns at which mailers and web pages wrap */
#define WRAP_MOST 132
#define ORPHAN_MOST 24 /* bytes of the short line that a second mailer leaves */
#define DRIVERS 8

/* ---- Where bytes come from ---- */

/* What cannot be read twice (a pipe) is copied to a file without a name first. */
static int open_file(const struct dump_env *env, const char *path, struct gpudbg_error *err)
{
    struct stat st;
    const int fd = open_chosen(path, err);
    if (fd < 0) return fd;
    if (fstat(fd, &st) == 0) return S_ISREG(st.st_mode) ? fd : kept_copy(fd, env->memory_limit, &env->ticker, err);
    gpudbg_fail(err, "io", "%s", strerror(errno));
    close(fd);
    return -1;
}

static bool source_open(const struct dump_env *env, struct dump_source *s, const char *path, struct gpudbg_error *err)
{
    struct stat st = {0};
    const char *problem;
    int fd = open_file(env, path, err);
    if (fd >= 0) fd = unpack_file(fd, env->memory_limit, &env->ticker, &problem, err);
    if (fd < 0) return false;
    if (fstat(fd, &st) != 0) {
        gpudbg_fail(err, "io", "%s", strerror(errno));
        close(fd);
        return false;
    }
    *s = (struct dump_source){.fd = fd, .size = (uint64_t)st.st_size, .problem = problem};
    s->gz = gzdopen(fd, "rb");
    if (!s->gz) {
        close(fd);
        return gpudbg_fail(err, "memory", "no memory to unpack it");
    }
    gzbuffer(s->gz, 2 * BLOCK);
    return true;
}

static void drop_copy(struct dump_source *s)
{
    if (s->copy) fclose(s->copy);
    s->copy = NULL;
}

void dump_source_close(struct dump_source *s)
{
    drop_copy(s);
    if (s->gz) gzclose(s->gz);
    free(s->bytes);
    *s = (struct dump_source){0};
}

/* How many bytes came; 0 at the end or where a packed stream is damaged (then *problem says how). */
static size_t source_read(struct dump_source *s, void *to, size_t n, const char **problem)
{
    if (!s->gz) {
        if (n > s->n - s->at) n = s->n - s->at;
        if (n) memcpy(to, s->bytes + s->at, n);
        s->at += n;
        return n;
    }
    if (s->replay) return fread(to, 1, n, s->copy);
    int got = gzread(s->gz, to, (unsigned)n), code;
    const char *text = gzerror(s->gz, &code);
    if (problem && (got < 0 || code == Z_BUF_ERROR || code == Z_DATA_ERROR))
        *problem = code == Z_BUF_ERROR ? "the gzip stream is cut off" : text;
    if (got < 0 && code == Z_ERRNO && !s->why) s->why = errno;
    if (got > 0 && s->copy && fwrite(to, 1, (size_t)got, s->copy) != (size_t)got) drop_copy(s);
    return got > 0 ? (size_t)got : 0;
}

/* Going back in a packed file means unpacking it from its start again: what it unpacks to is kept in a file without a
 * name, if there is room for it.  From source_replay on it is read from there. */
static void source_keep(struct dump_source *s)
{
    if (s->gz && !gzdirect(s->gz)) s->copy = tmpfile();
}

static void source_replay(struct dump_source *s) { s->replay = s->copy && fflush(s->copy) == 0; }

static bool source_seek(struct dump_source *s, uint64_t offset)
{
    errno = 0;
    if (s->replay ? fseeko(s->copy, (off_t)offset, SEEK_SET) != 0
                  : s->gz && gzseek(s->gz, (z_off_t)offset, SEEK_SET) < 0) {
        if (!s->why) s->why = errno ? errno : EIO;
        return false;
    }
    if (s->replay || s->gz) return true;
    s->at = offset < s->n ? (size_t)offset : s->n;
    return true;
}

size_t dump_head(const char *path, uint8_t *bytes, size_t n, int *why)
{
    struct gpudbg_error ignored = {0};
    uint64_t size;
    errno = 0;
    const int fd = open_named(path, UINT64_MAX, &size, &ignored); /* a pipe's head could not be read again */
    *why = fd < 0 && errno != ENOENT ? errno : 0;
    const size_t unpacked = fd < 0 ? 0 : unpack_head(fd, bytes, n);
    if (unpacked) {
        close(fd);
        return unpacked;
    }
    gzFile gz = fd < 0 ? NULL : gzdopen(fd, "rb");
    int got = gz ? gzread(gz, bytes, (unsigned)n) : 0, code = Z_OK;
    if (got < 0) gzerror(gz, &code);
    if (code == Z_ERRNO) *why = errno;
    if (gz) gzclose(gz);
    if (!gz && fd >= 0) close(fd);
    return got > 0 ? (size_t)got : 0;
}

int dump_unread(struct gpudbg_dump *d)
{
    struct dump_source *s = &dump_text_of(d)->source;
    const int why = s->why;
    s->why = 0;
    return why;
}

/* ---- Readers ---- */

static const struct gpudbg_reader *reader_named(const struct registry *registry, const char *name)
{
    const struct gpudbg_reader *r;
    for (size_t i = 0; (r = registry_reader(registry, i)); i++)
        if (strcmp(r->name, name) == 0) return r;
    return NULL;
}

static int probe_all(const struct registry *registry, const uint8_t *bytes, size_t n, const struct gpudbg_reader **best,
    const char **why)
{
    const struct gpudbg_reader *r;
    int sure = 0;
    for (size_t i = 0; (r = registry_reader(registry, i)); i++) {
        const char *reason = NULL;
        int s = r->probe ? r->probe(bytes, n, &reason) : 0;
        if (s > sure) {
            sure = s;
            *best = r;
            *why = reason;
        }
    }
    return sure;
}

/* The head without what loggers, terminals and mails put around its lines. */
static size_t clean_head(const uint8_t *bytes, size_t n, uint8_t *to)
{
    struct dump_cleaner cleaner = {.quoted = false};
    struct gpudbg_dump_line line;
    size_t at = 0, length;
    uint32_t number = 0;
    char *text = xalloc(n + 1);
    for (size_t from = 0; from < n; from += length + 1) {
        const uint8_t *end = memchr(bytes + from, '\n', n - from);
        length = end ? (size_t)(end - (bytes + from)) : n - from;
        memcpy(text, bytes + from, length);
        dump_clean(&cleaner, text, length, ++number, &line);
        if (line.n > length) line.n = length;
        memcpy(to + at, line.text, line.n);
        at += line.n;
        if (end) to[at++] = '\n';
    }
    free(text);
    return at;
}

int dump_probe(const struct registry *registry, const uint8_t *bytes, size_t n, const struct gpudbg_reader **best,
    const char **why)
{
    const int sure = probe_all(registry, bytes, n, best, why);
    if (sure || !bytes_are_text(bytes, n)) return sure;
    uint8_t *clean = xalloc(n + 1);
    const int cleaned = probe_all(registry, clean, clean_head(bytes, n, clean), best, why);
    free(clean);
    return cleaned;
}

/* ---- Lines ---- */

struct run { /* of one file through the readers */
    struct gpudbg_dump *dump;
    const struct dump_env *env;
    const struct gpudbg_reader *reader[READERS];
    void *state[READERS];
    size_t nreaders, latest; /* latest: took the line before */
    struct dump_cleaner cleaner;
    uint64_t taken;      /* lines that a reader took */
    uint32_t taken_last; /* the latest of them */
    struct dump_quiet *quiet;
    struct run_host {
        char name[64], device[104]; /* device: its latest, "": none */
    } hosts[HOSTS], *host;          /* machines that the log is of; the latest */
    size_t nhosts, ndrivers;
    char drivers[DRIVERS][24]; /* of GPUs */
    char raw[1024];            /* the line as it was, of one whose shape may be kept */
};

/* The machine that the line is of; NULL: as far as is known, there is only one.  "localhost" is a machine that is
 * starting. */
static struct run_host *host_of(struct run *r)
{
    const char *host = r->cleaner.host;
    if (!host[0] || strcmp(host, "localhost") == 0) return r->nhosts > 1 ? r->host : NULL;
    for (size_t i = 0; i < r->nhosts; i++)
        if (strcmp(r->hosts[i].name, host) == 0) return r->host = &r->hosts[i];
    if (r->nhosts == HOSTS) return r->host;
    r->host = &r->hosts[r->nhosts++];
    snprintf(r->host->name, sizeof r->host->name, "%s", host);
    return r->host;
}

/* The device of the line: of the second machine on its name has the machine's in front, since both count from the same
 * address on. */
static const char *device_of(struct run *r, const char *device)
{
    struct run_host *host = host_of(r);
    if (!host) return device;
    if (device)
        snprintf(host->device, sizeof host->device, "%s%s%s", host == r->hosts ? "" : host->name,
            host == r->hosts ? "" : " ", device);
    if (r->nhosts < 2) return device;
    return host->device[0] ? host->device : host->name;
}

static bool driver_known(const struct run *r, const char *driver)
{
    for (size_t i = 0; i < r->ndrivers; i++)
        if (strcmp(r->drivers[i], driver) == 0) return true;
    for (size_t i = 0; i < r->nreaders; i++)
        for (const char *const *name = r->reader[i]->drivers; name && *name; name++)
            if (strcmp(*name, driver) == 0) return true;
    return false;
}

/* A driver of GPUs is one that a reader names, or of whose lines a reader took one: lines of others (a port, a sound
 * card) leave the device as it was. */
static void offer(struct run *r, char *text, size_t n, uint32_t number)
{
    struct gpudbg_dump_line line;
    const bool idle = number > r->taken_last + QUIET_AFTER && r->nhosts < 2; /* no reader waits for more */
    if (idle && dump_is_quiet(r->quiet, text, n)) return;
    char *raw = idle ? memcpy(r->raw, text, n < sizeof r->raw ? n : sizeof r->raw) : NULL;
    dump_clean(&r->cleaner, text, n, number, &line);
    const char *driver = r->cleaner.driver, *before = dump_device(r->dump);
    line.device = device_of(r, line.device);
    dump_set_device(r->dump, line.device);
    for (size_t i = 0; i < r->nreaders; i++) {
        size_t at = i == 0 ? r->latest : i <= r->latest ? i - 1 : i; /* the latest first, then the others in order */
        if (r->reader[at]->line(r->state[at], r->dump, &line)) {
            r->latest = at;
            r->taken++;
            r->taken_last = number;
            if (driver[0] && !driver_known(r, driver) && r->ndrivers < DRIVERS)
                snprintf(r->drivers[r->ndrivers++], sizeof r->drivers[0], "%s", driver);
            return;
        }
    }
    if (driver[0] && !driver_known(r, driver)) dump_leave_device(r->dump, before);
    if (raw && n <= sizeof r->raw && r->cleaner.stamped && !line.device && !line.tag && !r->cleaner.carried)
        dump_quiet_add(r->quiet, raw, n);
}

struct reading { /* cuts blocks into lines */
    char *line;
    size_t n, room;
    bool too_long;
    uint64_t offset; /* of the line's first byte */
    uint32_t first;  /* of a line that was broken, its first part's number; 0: it is whole */
    size_t broken;   /* of such a line: where a "=" was taken off that may be the log's own; 0: none was */
    /* A line that a mailer may have wrapped waits for the next one: */
    char held[WRAP_MOST * 4];
    size_t nheld, nlast, longest; /* nlast: of the latest line of it; longest: of all lines so far */
    size_t column;                /* the longest of those that were wrapped without doubt; 0: none was */
    uint32_t held_line;
    bool rewrapped; /* a short line was added to it: another may follow */
};

static void offer_held(struct run *r, struct reading *in)
{
    if (!in->nheld) return;
    const size_t n = in->nheld;
    in->nheld = 0;
    in->held[n] = 0;
    offer(r, in->held, n, in->held_line);
}

#define CERTAIN 100 /* of a probe: the text is a whole message of the reader's */

static bool is_message(const struct run *r, const char *text)
{
    const char *why;
    for (size_t i = 0; i < r->nreaders; i++) {
        const struct gpudbg_reader *reader = r->reader[i];
        if (reader->probe && reader->probe((const uint8_t *)text, strlen(text), &why) >= CERTAIN) return true;
    }
    return false;
}

/* "After that the screen stayed black.": words alone, the first with a capital. */
static bool is_sentence(const char *text)
{
    enum { WORDS_LEAST = 3 };
    unsigned words = 1;
    for (const char *p = text; *p; p++) {
        words += *p == ' ';
        if (!isalpha((unsigned char)*p) && !strchr(" ,.;!?\'\"()-", *p)) return false;
    }
    return isupper((unsigned char)text[0]) && words >= WORDS_LEAST;
}

/* "on", "for" and their like, a word that another one follows; n letters. */
static bool asks_for_more(const char *word, size_t n)
{
    static const char *const words[] = {"on", "for", "in", "of", "to", "by", "at", "from", "with"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(word, words[i], n) == 0) return true;
    return false;
}

/* Whether a sentence goes on from the one text to the other, whatever their columns: "... heartbeat on", "rcs0", or
 * "... for hang", "on rcs0". */
static bool sentence_goes_on(const char *first, const char *text)
{
    const char *last = strrchr(first, ' '), *blank = strchr(text, ' ');
    if (!last) return false;
    if (!blank) return asks_for_more(last + 1, strlen(last + 1));
    return asks_for_more(text, (size_t)(blank - text)) && blank[1] && !strchr(blank + 1, ' ');
}

/* What the text says behind the line that is held. */
enum ending {
    ENDING_NONE,
    ENDING_FITS, /* it ends the held line if that is as wide as lines are there */
    ENDING_SAID  /* the held line is a driver's message with it alone */
};

/* As far as their words tell: the text is no message of its own, and no program stands in front of it, or the held line
 * is a message with it alone. */
static enum ending ending_of(const struct run *r, const struct reading *in, const char *text)
{
    struct dump_cleaner cleaner = r->cleaner;
    struct gpudbg_dump_line line;
    char held[sizeof in->held + 1], whole[2 * sizeof in->held];
    const bool writer = dump_has_writer(text);
    const size_t letters = text[0] == '<' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
    const bool name = letters && text[1 + letters] == '_'; /* "<gfx_v9_0>": no level, no tag of a page */
    if (dump_is_stamped(text) && !writer && !name) return ENDING_NONE;
    memcpy(held, in->held, in->nheld);
    held[in->nheld] = 0;
    const bool drm = strstr(held, "[drm] ");
    dump_clean(&cleaner, held, in->nheld, 2, &line);
    const char *first = line.text + line.indent;
    if (!*first || line.text[line.n - 1] == ':') return ENDING_FITS; /* nothing but a front */
    const bool open = strchr(",=(", line.text[line.n - 1]) != NULL;
    const bool driver = line.tag || line.device || drm, middle = open || (!writer && !isupper((unsigned char)text[0]));
    const bool alone = is_message(r, text), said = is_message(r, first);
    snprintf(whole, sizeof whole, "%s%s%s", first, first[strlen(first) - 1] == ' ' ? "" : " ", text);
    if (driver && !alone && !writer && sentence_goes_on(first, text) && is_message(r, whole)) return ENDING_SAID;
    if (!said && (!alone || (middle && (line.tag || open))) && is_message(r, whole))
        return driver && middle ? ENDING_SAID : ENDING_FITS;
    return alone || writer || (said && is_sentence(text)) ? ENDING_NONE : ENDING_FITS;
}

/* Whether the text, whose first word is that long, ends the line that is held: it would not have fitted.  Mails have
 * lines of several mailers, so the longest of all lines is not needed where words leave no doubt. */
static bool goes_on(const struct run *r, struct reading *in, const char *text, size_t word)
{
    const size_t least = in->nlast + 1 + word;
    const bool wraps = in->longest >= WRAP_LEAST && in->longest <= WRAP_MOST;
    const bool full = wraps && (least >= in->longest || in->rewrapped || (in->column && least > in->column));
    if (!word || (!full && least < WRAP_LEAST) || strncmp(text, "```", 3) == 0) return false; /* a block's end */
    if (text[0] == '[' && dump_is_stamped(text)) return false;                                /* most lines */
    const enum ending ending = ending_of(r, in, text);
    if (ending == ENDING_SAID && in->nlast > in->column) in->column = in->nlast;
    return ending == ENDING_SAID || (full && ending == ENDING_FITS);
}

/* Whether the line says that it is an error, or which device it is of. */
static bool names_device(const struct reading *in)
{
    return memmem(in->line, in->n, "*ERROR*", 7) || memmem(in->line, in->n, " 0000:", 6);
}

/* Text of mails and web pages is wrapped at a column: a line with a logger's front is followed by one without, whose
 * first word would not have fitted, and no line so far was longer.  The two are one line.  Returns whether it was
 * taken. */
static bool unwrap(struct run *r, struct reading *in, uint32_t number)
{
    const char *text = in->line + strspn(in->line, " \t>");
    const size_t n = in->n - (size_t)(text - in->line), word = strcspn(text, " \t");
    if (in->nheld) {
        if (in->nheld + 1 + n < sizeof in->held && goes_on(r, in, text, word)) {
            if (in->held[in->nheld - 1] != ' ') in->held[in->nheld++] = ' ';
            memcpy(in->held + in->nheld, text, n);
            in->nheld += n;
            /* Two mailers in turn, the second one with a smaller column, leave a line that is whole, a short one, and
             * the rest that the first one had wrapped. */
            in->rewrapped = !in->rewrapped && n <= ORPHAN_MOST;
            in->nlast = in->n;
            return true;
        }
        offer_held(r, in);
    }
    if (in->n > in->longest && strchr(text, ' ')) in->longest = in->n; /* a word that is too long stays whole */
    if (in->n < WRAP_LEAST / 2 || in->n > WRAP_MOST || (in->longest > WRAP_MOST && !names_device(in)) ||
        !dump_is_stamped(in->line))
        return false;
    memcpy(in->held, in->line, in->n);
    in->nheld = in->nlast = in->n;
    in->held_line = number;
    in->rewrapped = false;
    return true;
}

#define JOINED_LEAST 160 /* bytes of a line that may hold several messages */
#define JOINED_MOST 512  /* of them */

/* The line as one of several messages; they have its number.  `next`: where the second begins. */
static void offer_joined(struct run *r, struct reading *in, uint32_t number, size_t next)
{
    size_t start[JOINED_MOST], n = 0;
    start[0] = 0;
    for (; n + 1 < JOINED_MOST && next; next = dump_next_message(in->line, in->n, next)) start[++n] = next;
    offer_held(r, in);
    while (!isalnum((unsigned char)in->line[start[0]]) && in->line[start[0]] != '[') start[0]++; /* a quote of code */
    for (size_t i = 0; i <= n; i++) /* the blank before the next one ends it */
        offer(r, in->line + start[i], (i < n ? start[i + 1] - 1 : in->n) - start[i], number);
}

/* Lines out of a string of JSON; they have its number. */
static void offer_unescaped(struct run *r, struct reading *in, uint32_t number, size_t n)
{
    offer_held(r, in);
    for (size_t at = 0, length; at < n; at += length + 1) {
        char *end = memchr(in->line + at, '\n', n - at);
        length = end ? (size_t)(end - (in->line + at)) : n - at;
        offer(r, in->line + at, length, number);
    }
}

static void mark(struct dump_text *t, uint64_t offset)
{
    if (t->lines % DUMP_MARK) return;
    if (t->nmarks == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->mark = xrealloc(t->mark, t->room, sizeof *t->mark);
    }
    t->mark[t->nmarks++] = offset;
}

static void append(struct reading *in, const char *bytes, size_t n)
{
    if (in->n + n > DUMP_LINE_MOST) {
        in->too_long = true;
        n = DUMP_LINE_MOST - in->n;
    }
    if (in->n + n + 1 > in->room) {
        while (in->n + n + 1 > in->room) in->room = in->room ? 2 * in->room : 4096;
        in->line = xrealloc(in->line, in->room, 1);
    }
    if (n) memcpy(in->line + in->n, bytes, n);
    in->n += n;
}

/* Names of processes and of files may have the letters of a western character set. */
static void to_utf8(struct reading *in)
{
    if (utf8_valid(in->line, in->n)) return;
    const size_t room = CHARSET_MOST * in->n + 1;
    char *text = xalloc(room);
    const size_t n = charset_western(in->line, in->n, text, room);
    if (n) in->n = 0;
    append(in, text, n);
    free(text);
}

/* A "=" behind a blank at a line's end, which no other sign says to be a mail's, is the log's own if the line is a
 * message with it. */
static void put_back(struct run *r, struct reading *in)
{
    struct dump_cleaner cleaner = r->cleaner;
    cleaner.decoded = false;
    struct gpudbg_dump_line line;
    char whole[WRAP_MOST * 4];
    const size_t at = in->broken, rest = in->n - at;
    in->broken = 0;
    if (in->n + 2 >= sizeof whole) return;
    const size_t n = (size_t)snprintf(whole, sizeof whole, "%.*s= %.*s", (int)at, in->line, (int)rest, in->line + at);
    dump_clean(&cleaner, whole, n, 2, &line);
    if (cleaner.quoted || !is_message(r, line.text + line.indent)) return;
    append(in, "= ", 2);
    memmove(in->line + at + 2, in->line + at, rest);
    memcpy(in->line + at, "= ", 2);
}

/* A whole line is in; a quoted-printable line that ends with "=" goes on. */
static void end_line(struct run *r, struct reading *in, uint64_t next)
{
    struct dump_text *t = dump_text_of(r->dump);
    size_t n = in->n;
    while (n && in->line[n - 1] == '\r') n--;
    mark(t, in->offset);
    t->lines++;
    in->offset = next;
    const bool packed = dump_is_packed(in->line, n);
    if (!packed && dump_goes_on(&r->cleaner, in->line, n) && n < DUMP_LINE_MOST / 2) {
        in->n = n - 1;
        in->broken = r->cleaner.quoted || n < 2 || in->line[n - 2] != ' ' ? 0 : in->n;
        if (!in->first) in->first = t->lines;
        return;
    }
    const uint32_t number = in->first ? in->first : t->lines;
    in->first = 0;
    in->n = n;
    if (in->broken) put_back(r, in);
    if (!packed) {
        in->n = dump_unquote(&r->cleaner, in->line, in->n);
        to_utf8(in);
    }
    if (in->too_long)
        gpudbg_dump_note(
            r->dump, t->lines, "limit", "longer than %zu MB: the rest of the line is dropped", DUMP_LINE_MOST >> 20);
    append(in, "", 0);
    in->line[in->n] = 0;
    const size_t unescaped = !packed && memchr(in->line, '\\', in->n) ? dump_unescape(in->line, in->n) : 0;
    const size_t second = packed || in->n < JOINED_LEAST || unescaped ? 0 : dump_next_message(in->line, in->n, 0);
    if (unescaped)
        offer_unescaped(r, in, number, unescaped);
    else if (second)
        offer_joined(r, in, number, second);
    else if (packed || !unwrap(r, in, number)) {
        if (packed) offer_held(r, in);
        offer(r, in->line, in->n, number);
    }
    in->n = 0;
    in->too_long = false;
    if (in->room > (1 << 20)) { /* one long line does not hold memory for ever */
        free(in->line);
        in->line = NULL;
        in->room = 0;
    }
}

/* false: interrupted.  The text can be looked at: all of a plain file, of a packed one what is unpacked. */
static bool tick(struct run *r, const struct dump_source *s, uint64_t done)
{
    const struct ticker *t = &r->env->ticker;
    if (s->copy && t->shows && fflush(s->copy) == 0)
        ticker_shows(t, fileno(s->copy), done);
    else if (s->gz && gzdirect(s->gz))
        ticker_shows(t, s->fd, s->size);
    return ticker_goes_on(t, s->gz ? (uint64_t)gzoffset(s->gz) : done, s->size);
}

/* A line that ends in a number of which more digits may be missing: not one that has the eight or sixteen digits that
 * loggers print of a value.  Half of sixteen digits of an address begin with zeros. */
static bool ends_in_short_value(const char *line, size_t n)
{
    size_t at = n, decimal = n;
    while (at && isxdigit((unsigned char)line[at - 1])) at--;
    while (decimal && isdigit((unsigned char)line[decimal - 1])) decimal--;
    if (at >= 2 && line[at - 1] == 'x' && line[at - 2] == '0')
        return n - at != 16 && (n - at != 8 || strncmp(line + at, "0000", 4) == 0);
    return decimal < n && decimal && !isalnum((unsigned char)line[decimal - 1]);
}

/* What is unpacked has come to the limit: that is noted, and no more is read. */
static bool over_limit(struct run *r, const struct dump_source *s, uint64_t unpacked)
{
    const uint64_t most = r->env->memory_limit, lines = dump_text_of(r->dump)->lines;
    if (!most || unpacked < most || !s->gz || gzdirect(s->gz)) return false;
    char size[32];
    gpudbg_dump_note(r->dump, (uint32_t)lines, "limit",
        "it unpacks to more than %s: what follows is not read (set memory-limit, then open it)", size_text(most, size));
    return true;
}

static void read_lines(struct run *r, struct dump_source *s)
{
    struct dump_text *t = dump_text_of(r->dump);
    struct reading in = {0};
    char *block = xalloc(BLOCK);
    const char *problem = NULL;
    uint64_t offset = 0, ticked = 0;
    for (size_t n; (n = source_read(s, block, BLOCK, &problem)) > 0;) {
        for (size_t at = 0; at < n;) {
            const char *end = memchr(block + at, '\n', n - at);
            size_t part = end ? (size_t)(end - (block + at)) : n - at;
            append(&in, block + at, part);
            at += part + (end != NULL);
            if (end) end_line(r, &in, offset + at);
        }
        offset += n;
        if (over_limit(r, s, offset)) break;
        if (offset - ticked >= TICK) {
            ticked = offset;
            if (!tick(r, s, offset)) {
                gpudbg_dump_note(r->dump, t->lines, "cut-off", "stopped by the user after line %" PRIu32, t->lines);
                break;
            }
        }
        if (t->lines > UINT32_MAX - BLOCK) break;
    }
    if (in.n) {
        const bool cut = t->lines && ends_in_short_value(in.line, in.n);
        r->cleaner.quoted = false;
        end_line(r, &in, offset);
        if (cut)
            gpudbg_dump_note(
                r->dump, t->lines, "cut-off", "the file ends within this line: its last value may be short");
    }
    offer_held(r, &in);
    if (!problem) problem = s->problem;
    if (problem) gpudbg_dump_note(r->dump, t->lines, "cut-off", "%s after line %" PRIu32, problem, t->lines);
    free(block);
    free(in.line);
}

static void start(struct run *r, const struct gpudbg_reader *first, bool only)
{
    const struct gpudbg_reader *reader;
    if (first && first->line) r->reader[r->nreaders++] = first;
    for (size_t i = 0; !only && (reader = registry_reader(r->env->registry, i)); i++)
        if (reader->line && reader != first && r->nreaders < READERS) r->reader[r->nreaders++] = reader;
    size_t opened = 0;
    r->quiet = xcalloc(1, sizeof *r->quiet);
    for (size_t i = 0; i < r->nreaders; i++) {
        void *state = r->reader[i]->open ? r->reader[i]->open(r->dump) : NULL;
        if (r->reader[i]->open && !state) {
            gpudbg_dump_note(r->dump, 0, "limit", "out of memory: lines of %s are not read", r->reader[i]->name);
            continue;
        }
        r->reader[opened] = r->reader[i];
        r->state[opened++] = state;
    }
    r->nreaders = opened;
}

static void finish(struct run *r)
{
    for (size_t i = 0; i < r->nreaders; i++)
        if (r->reader[i]->close) r->reader[i]->close(r->state[i], r->dump);
    free(r->quiet);
}

static bool read_binary(
    struct gpudbg_dump *d, struct dump_source *s, const struct gpudbg_reader *reader, struct gpudbg_error *err)
{
    uint8_t *bytes = NULL;
    size_t n = 0, room = 0;
    const char *problem = NULL;
    for (size_t got = 1; got; n += got) {
        if (n == room) {
            room = room ? 2 * room : BLOCK;
            uint8_t *grown = room > BINARY_MOST ? NULL : realloc(bytes, room);
            if (!grown) {
                free(bytes);
                if (room <= BINARY_MOST) return alloc_failed(err, room, reader->name);
                return gpudbg_fail(err, "too-large", "more than %zu MB of %s", BINARY_MOST / 2 >> 20, reader->name);
            }
            bytes = grown;
        }
        got = source_read(s, bytes + n, room - n, &problem);
    }
    bool done = reader->bytes(d, bytes, n, err);
    if (!problem) problem = s->problem;
    if (problem) gpudbg_dump_note(d, 0, "cut-off", "%s after %zu bytes", problem, n);
    free(bytes);
    return done;
}

/* The source, which stands at its start, into the dump. */
static bool read_source(const struct dump_env *env, struct gpudbg_dump *d, struct dump_source *s, const char *format,
    uint64_t base, struct gpudbg_error *err)
{
    uint8_t *head = xalloc(DUMP_HEAD);
    const struct gpudbg_reader *reader = NULL;
    const char *why = NULL;
    size_t n = 0;
    for (size_t got; n < DUMP_HEAD && (got = source_read(s, head + n, DUMP_HEAD - n, NULL)) > 0;) n += got;
    if (format) {
        reader = reader_named(env->registry, format);
        if (!reader) {
            free(head);
            return gpudbg_fail(err, "not-recognised", "no format is named %.40s", format);
        }
    } else {
        dump_probe(env->registry, head, n, &reader, &why);
    }
    bool text = reader ? reader->line != NULL : bytes_are_text(head, n);
    free(head);
    source_seek(s, 0);
    dump_set_format(d, reader ? reader->name : "log",
        format ? "asked for with --format"
        : why  ? why
               : "lines of text that a reader took",
        base);
    if (reader && !text) return read_binary(d, s, reader, err);
    if (!text)
        return gpudbg_fail(
            err, "not-recognised", n ? "no reader of dumps knows it; see --format list" : "the file is empty");
    struct run run = {.dump = d, .env = env, .cleaner.decoded = true};
    start(&run, reader, format != NULL);
    source_keep(s);
    read_lines(&run, s);
    source_replay(s);
    finish(&run);
    return true;
}

static struct gpudbg_dump *read_all(
    const struct dump_env *env, struct gpudbg_dump *d, const char *format, uint64_t base, struct gpudbg_error *err)
{
    struct dump_text *t = dump_text_of(d);
    bool done = read_source(env, d, &t->source, format, base, err);
    if (done) dump_sort_out(d);
    if (done && dump_empty(d))
        done = gpudbg_fail(err, "not-recognised", "found nothing about a GPU in %" PRIu32 " lines", t->lines);
    if (t->source.why)
        done = gpudbg_fail(err, "io", "%s", strerror(t->source.why)); /* not as if the rest were not there */
    if (alloc_short()) done = gpudbg_fail(err, "memory", "no memory to read it"); /* whole, or not at all */
    if (done) return d;
    dump_close(d);
    return NULL;
}

struct gpudbg_dump *dump_open(
    const struct dump_env *env, const char *path, const char *format, uint64_t base, struct gpudbg_error *err)
{
    alloc_watch();
    struct gpudbg_dump *d = dump_new(env, path);
    snprintf(err->file, sizeof err->file, "%s", path);
    err->offset = -1;
    if (!source_open(env, &dump_text_of(d)->source, path, err)) {
        dump_close(d);
        return NULL;
    }
    d = read_all(env, d, format, base, err);
    if (d) err->file[0] = 0;
    return d;
}

struct gpudbg_dump *dump_from(const struct dump_env *env, const char *name, const uint8_t *bytes, size_t n,
    const char *format, uint64_t base, struct gpudbg_error *err)
{
    alloc_watch();
    struct gpudbg_dump *d = dump_new(env, name);
    struct dump_source *s = &dump_text_of(d)->source;
    s->bytes = malloc(n + 1);
    if (!s->bytes) {
        alloc_failed(err, n, name);
        dump_close(d);
        return NULL;
    }
    if (n) memcpy(s->bytes, bytes, n);
    s->n = n;
    s->size = n;
    return read_all(env, d, format, base, err);
}

uint8_t *dump_contents(struct gpudbg_dump *d, uint64_t most, size_t *n, struct gpudbg_error *err)
{
    struct dump_source *s = &dump_text_of(d)->source;
    const char *problem = NULL;
    size_t room = BLOCK, got;
    uint8_t *bytes = malloc(room);
    *n = 0;
    s->why = 0;
    bool good = bytes && source_seek(s, 0);
    while (good && (got = source_read(s, bytes + *n, room - *n, &problem)) > 0) {
        *n += got;
        if (*n > most) {
            gpudbg_fail(err, "too-large", "%s: more than %" PRIu64 " bytes", gpudbg_dump_path(d), most);
            free(bytes);
            return NULL;
        }
        if (*n < room) continue;
        uint8_t *more = realloc(bytes, 2 * room);
        good = more != NULL;
        bytes = good ? more : bytes;
        room *= 2;
    }
    if (good && !s->why) return bytes;
    if (s->why)
        gpudbg_fail(err, "io", "%s: %s", gpudbg_dump_path(d), strerror(s->why));
    else
        alloc_failed(err, room, gpudbg_dump_path(d));
    free(bytes);
    return NULL;
}

/* ---- A line again ---- */

bool gpudbg_dump_text(const struct gpudbg_dump *d, uint32_t line, char *buf, size_t size)
{
    struct dump_text *t = dump_text_of(d);
    if (!line || line > t->lines || !size) return false;
    if (!source_seek(&t->source, t->mark[(line - 1) / DUMP_MARK])) return false;
    uint32_t skip = (line - 1) % DUMP_MARK;
    char block[4096];
    size_t n = 0, got;
    bool ended = false, cut = false;
    while (!ended && (got = source_read(&t->source, block, sizeof block, NULL)) > 0) {
        for (size_t i = 0; i < got && !ended; i++) {
            if (skip)
                skip -= block[i] == '\n';
            else if (block[i] == '\n')
                ended = true;
            else if (n + 1 < size)
                buf[n++] = block[i];
            else
                ended = cut = true;
        }
    }
    for (int i = 0; cut && i < 4 && n && (unsigned char)buf[n - 1] >= 0x80; i++) n--; /* perhaps within a character */
    while (n && buf[n - 1] == '\r') n--;
    char *text = utf8_valid(buf, n) ? NULL : xalloc(CHARSET_MOST * n);
    const size_t length = text ? charset_western(buf, n, text, CHARSET_MOST * n) : 0;
    if (length) memcpy(buf, text, n = length < size ? length : size - 1);
    free(text);
    buf[n] = 0;
    return true;
}
