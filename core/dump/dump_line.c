/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_line.c: a line of a log without what loggers, terminals and mail put around it.  Each function takes the text
 * from `at` on and returns where it goes on behind what it knows, or `at`.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "dump/dump.h"

#define LEVEL_ERROR 3 /* as printk counts: 0 is the worst, 7 is for debugging */

/* How many bytes at the start, in eights, are no control characters: nearly all lines have none. */
static size_t plain_bytes(const char *text, size_t n)
{
    const uint64_t ones = UINT64_MAX / 0xff;
    size_t i = 0;
    for (uint64_t eight; i + 8 <= n; i += 8) {
        memcpy(&eight, text + i, 8);
        if ((eight - ones * ' ') & ~eight & ones << 7) break; /* a byte borrowed: it is below a blank, or follows one */
    }
    return i;
}

/* Takes out terminal sequences, "_\b" overstrikes and carriage returns. */
static size_t uncolour(char *text, size_t n)
{
    size_t to = plain_bytes(text, n);
    for (size_t i = to; i < n; i++) {
        if (text[i] == '\033' && i + 1 < n && text[i + 1] == '[') {
            i += 2;
            while (i < n && !((unsigned char)text[i] >= 0x40 && (unsigned char)text[i] <= 0x7e)) i++;
        } else if (text[i] == '\b') {
            to -= to > 0;
        } else if (text[i] != '\r' && text[i] != '\0') {
            text[to++] = text[i];
        }
    }
    return to;
}

/* Blanks that do not break a line (UTF-8: c2 a0), with which pages of the web and mailers keep columns, are blanks. */
static size_t plain_blanks(char *text, size_t n)
{
    char *to = memchr(text, 0xc2, n), *end = text + n;
    if (!to) return n;
    for (const char *at = to; at < end; at++) {
        const bool blank = *at == '\xc2' && at + 1 < end && at[1] == '\xa0';
        at += blank;
        *to++ = blank ? ' ' : *at;
    }
    return (size_t)(to - text);
}

static const char *after(const char *at, const char *word)
{
    if (*at != *word) return NULL; /* most lines end here */
    const size_t n = strlen(word);
    return strncmp(at, word, n) == 0 ? at + n : NULL;
}

/* "> > " of mail, "| " of tables. */
static const char *pass_quotes(const char *at)
{
    while ((at[0] == '>' || at[0] == '|') && (at[1] == ' ' || at[1] == '>')) at += at[1] == ' ' ? 2 : 1;
    return at;
}

static bool begins_log(const char *at);

/* "# ", "// ", " * ", "; ", "-- ", "+ ", "`", "```": marks of a comment, a change, a block before a logger's front. */
static const char *pass_marks(const char *at)
{
    enum { MOST = 4 }; /* in front of one another */
    static const char *const marks[] = {"# ", "// ", "* ", "; ", "-- ", "+ ", "- ", "> "};
    const char *behind = at;
    for (unsigned n = 0; n < MOST; n++) {
        const char *first = behind + strspn(behind, " \t"), *next = NULL;
        for (size_t i = 0; i < sizeof marks / sizeof *marks && !next; i++) next = after(first, marks[i]);
        if (*first == '`') next = first + strspn(first, "`");
        if (!next) break;
        behind = next + strspn(next, " \t");
        if (begins_log(behind)) return behind;
    }
    return at;
}

/* "<3>", "<3> ", "kern  :err   : "; *level: the number, if one is there. */
static const char *pass_level(const char *at, int8_t *level)
{
    static const char *const names[] = {"emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"};
    if (at[0] == '<' && isdigit((unsigned char)at[1])) {
        const char *end = at + strspn(at + 1, "0123456789") + 1;
        if (*end != '>') return at;
        *level = (int8_t)(strtoul(at + 1, NULL, 10) & 7);
        return end + 1 + (end[1] == ' ');
    }
    if (after(at, "kern") || after(at, "user") || after(at, "daemon")) {
        const char *colon = strchr(at, ':');
        const char *second = colon ? strchr(colon + 1, ':') : NULL;
        if (!second || second - at >= 24 || second[1] != ' ') return at;
        for (int8_t i = 0; i < 8; i++)
            if (after(colon + 1, names[i])) *level = i;
        return second + 2;
    }
    return at;
}

/* A number as strtod reads it; *rest: what stands behind it.  "1234.567890", as nearly all lines have it, is two whole
 * numbers below 2^53 whose quotient is rounded once, which is what strtod does, at a tenth of the cost. */
static double seconds_of(const char *p, char **rest)
{
    static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    uint64_t all = 0;
    const char *at = p, *point = NULL;
    for (; isdigit((unsigned char)*at) || (*at == '.' && !point && at > p); at++) {
        if (*at == '.')
            point = at;
        else
            all = all * 10 + (uint64_t)(*at - '0');
        if (at - p >= 15) return strtod(p, rest);
    }
    if (!point || at == point + 1 || at - point > 10 || isalpha((unsigned char)*at)) return strtod(p, rest);
    *rest = (char *)(uintptr_t)at;
    return (double)all / tens[at - point - 1];
}

/* "+0.000003]"; `dmesg -H` writes the point that the user's language has. */
static bool is_delta(const char *p)
{
    if (*p++ != '+') return false;
    const size_t whole = strspn(p, "0123456789");
    p += whole;
    return whole && (*p == '.' || *p == ',') && p[1 + strspn(p + 1, "0123456789")] == ']';
}

/* "[T1617]", "[    C3]" behind a time or without one: the task or the processor that printed the line. */
static const char *pass_caller(const char *at)
{
    for (const char *q = at;; at = q) {
        q = at + strspn(at, " ");
        if (q[0] != '[') break;
        q += 1 + strspn(q + 1, " ");
        if ((*q != 'T' && *q != 'C') || !isdigit((unsigned char)q[1])) break;
        q += 1 + strspn(q + 1, "0123456789");
        if (*q++ != ']') break;
    }
    return at;
}

/* "[ 1234.567890] ", "[ 1234.5 <    0.000001>] ", "[  +0.000003] ", "[Nov 5 12:00] ", "[Sat Nov  5 12:00:00 2022] " in
 * any language, "2022-11-05T12:00:00,123456+00:00 ", then "[T1617]" or "[    C3]". */
static const char *pass_stamp(const char *at, double *time)
{
    const char *clock, *called = pass_caller(at);
    if (called != at) return *called == ' ' ? called + 1 : called;
    if (isdigit((unsigned char)at[0]) && strnlen(at, 11) == 11 && at[4] == '-' && at[7] == '-' && at[10] == 'T') {
        const size_t n = strcspn(at, " ");
        return n < 40 && at[n] && dump_has_clock(at, n, &clock) ? at + n + 1 : at;
    }
    const char *cut = at + strspn(at, "0123456789"); /* "6.674899] [drm": whoever pasted it left out its start */
    if (cut > at && cut[0] == '.' && (cut += 1 + strspn(cut + 1, "0123456789"))[0] == ']' && cut[1] == ' ') {
        *time = strtod(at, NULL);
        return cut + 2;
    }
    const char *end = at[0] == '[' ? strchr(at, ']') : NULL;
    if (!end || end - at > 64) return at;
    const char *p = at + 1;
    p += strspn(p, " ");
    char *rest;
    const double seconds = seconds_of(p, &rest);
    const bool number = rest > p && memchr(p, '.', (size_t)(rest - p)) && (*rest == ']' || *rest == ' ');
    if (number && isdigit((unsigned char)*p))
        *time = seconds;
    else if (!is_delta(p) && !(dump_has_clock(p, (size_t)(end - p), &clock) && p[0] != 'd'))
        return at;
    at = end + 1;
    at = pass_caller(at);
    at += at[0] == ':' && at[1] == ' '; /* Talos */
    return *at == ' ' ? at + 1 : at;
}

/* "kern.err: ", as socklog writes facility and level. */
static const char *pass_facility(const char *at)
{
    if (!after(at, "kern.")) return at;
    const size_t n = strspn(at + 5, "abcdefghijklmnopqrstuvwxyz");
    return n && at[5 + n] == ':' && at[6 + n] == ' ' ? at + 7 + n : at;
}

/* "Nov 21 23:16:01 host kernel: ", "2026-11-21T23:16:01+0100 host kernel: ", "2026-11-21 23:16:01 host kernel[0]: ", in
 * any language: a time of day, then the name of the kernel. */
static const char *pass_syslog(struct dump_cleaner *c, const char *at)
{
    const char *clock, *kernel = at;
    if (pass_facility(at) != at) return pass_facility(at);
    if (strncmp(at, "kernel: ", 8) == 0 &&
        !isdigit((unsigned char)at[8])) /* with a number it is the kernel's version */
        return at + 8;
    if (at[0] == '[' || !dump_has_clock(at, strnlen(at, 48), &clock)) return at;
    clock += strspn(clock, ":.,0123456789+Z");
    kernel = clock + strspn(clock, " ");
    if (pass_facility(kernel) != kernel) return pass_facility(kernel);
    for (kernel = clock; (kernel = strstr(kernel, "kernel")) && kernel[-1] != ' ' && kernel[-1] != '\t';) kernel++;
    if (!kernel || kernel - at > 160) return at;
    const char *host = clock + strspn(clock, " \t");
    const size_t n = strcspn(host, " \t");
    if (host < kernel && n < sizeof c->host) {
        memcpy(c->host, host, n);
        c->host[n] = 0;
    }
    kernel += 6;
    if (*kernel == '[') kernel += strcspn(kernel, "]") + (strchr(kernel, ']') != NULL);
    if (*kernel == '\t') return kernel + 1; /* a table's columns */
    return kernel[0] == ':' ? kernel + 1 + (kernel[1] == ' ') : at;
}

/* "22:39:31.123 ", "2026-11-21 23:16:01 ", "12.04.26 12:08:33 ": a time alone, in front of a driver's line. */
static const char *pass_clock(const char *at)
{
    const char *clock, *blank;
    if (!isdigit((unsigned char)at[0]) || !dump_has_clock(at, strnlen(at, 20), &clock) || clock[0] != ':') return at;
    blank = clock + strspn(clock, ":.,0123456789+Z");
    return *blank == ' ' || *blank == '\t' ? blank + strspn(blank, " \t") : at;
}

/* "stderr F ": a container's log names the stream after the time, and says whether the line is whole. */
static const char *pass_stream(const char *at)
{
    const char *p = after(at, "stderr ");
    if (!p) p = after(at, "stdout ");
    return p && (*p == 'F' || *p == 'P') && p[1] == ' ' ? p + 2 : at;
}

/* "host kernel: " that journalctl -o short-monotonic leaves behind its time. */
static const char *pass_kernel(const char *at)
{
    const char *kernel = memmem(at, strnlen(at, 80 + 7), "kernel: ", 8);
    return kernel && (kernel == at || (kernel[-1] == ' ' && !memchr(at, ':', (size_t)(kernel - at)))) ? kernel + 8 : at;
}

/* "0000:01:00.0": a place on the bus, as all fronts of drivers have it. */
static bool is_on_bus(const char *p)
{
    for (const char *form = "xxxx:xx:xx.x"; *form; form++, p++)
        if (*form == 'x' ? !isxdigit((unsigned char)*p) : *p != *form) return false;
    return true;
}

/* "driver 0000:01:00.0: " and "driver: " once more; "drmn0: ". */
static const char *pass_device(struct dump_cleaner *c, const char *at, struct gpudbg_dump_line *out)
{
    const char *blank = at;
    while ((*blank >= 'a' && *blank <= 'z') || (*blank >= '0' && *blank <= '9') || *blank == '_') blank++;
    if (strncmp(at, "drmn", 4) == 0 && isdigit((unsigned char)at[4]) && blank[0] == ':' &&
        blank[1] == ' ') { /* FreeBSD */
        const size_t n = (size_t)(blank - at) < sizeof c->device ? (size_t)(blank - at) : sizeof c->device - 1;
        memcpy(c->device, at, n);
        c->device[n] = 0;
        out->device = c->device;
        return blank + 2;
    }
    if (blank == at || *blank != ' ') return at;
    const char *p = blank + 1;
    size_t n = 0;
    while (isxdigit((unsigned char)p[n]) || p[n] == ':' || p[n] == '.') n++;
    if (n < 13 || n >= sizeof c->device || !is_on_bus(p)) return at;
    size_t id = n;
    if (p[n - 1] == ':')
        id = n - 1;
    else if (p[n] != ' ')
        return at;
    memcpy(c->device, p, id);
    c->device[id] = 0;
    out->device = c->device;
    p += n;
    p += *p == ' ';
    const size_t driver = (size_t)(blank - at);
    if (driver < sizeof c->driver) {
        memcpy(c->driver, at, driver);
        c->driver[driver] = 0;
        out->tag = out->module = out->driver = c->driver;
    }
    return strncmp(p, at, driver) == 0 && p[driver] == ':' && p[driver + 1] == ' ' ? p + driver + 2 : p;
}

/* The beginning of "[ 1234.567890] " that ends at `end`; `end`: none does. */
static const char *stamp_before(const char *at, const char *end)
{
    double time;
    if (end - at < 4 || end[-1] != ' ' || end[-2] != ']') return end;
    const char *p = memrchr(at, '[', (size_t)(end - at));
    return p && pass_stamp(p, &time) == end ? p : end;
}

/* "dmesg.txt:12:", "   12  ", "host1 ", "app | ": whatever stands in front of "[ 1234.567890] [drm" or of a driver and
 * its device.  Returns where these begin; at: they are not near, or nothing is in front of them. */
static const char *pass_strange(const char *at)
{
    enum { MOST = 128 };
    struct dump_cleaner ignored = {.quoted = false};
    struct gpudbg_dump_line line = {0};
    const size_t n = strnlen(at, MOST);
    const char *p = at;
    while ((p = memchr(p, '.', n - (size_t)(p - at)))) { /* " 0000:01:00.0: " behind the driver's name */
        const char *blank = p++ - 11;
        if (blank < at || *blank != ' ' || !is_on_bus(blank + 1) || strncmp(p + 1, ": ", 2) != 0) continue;
        for (p = blank; p > at && (islower((unsigned char)p[-1]) || isdigit((unsigned char)p[-1]) || p[-1] == '_');)
            p--;
        const bool apart = p > at && !isalnum((unsigned char)p[-1]) && !strchr("./\\\"'", p[-1]);
        return apart && pass_device(&ignored, p, &line) != p ? stamp_before(at, p) : at;
    }
    for (p = at; (p = memchr(p, ']', n - (size_t)(p - at)));)
        if (strncmp(++p, " [drm", 5) == 0) return stamp_before(at, p + 1) != p + 1 ? stamp_before(at, p + 1) : at;
    return at;
}

/* Behind "pid79:", which FreeBSD, DragonFly and OpenBSD write in front of a function; `at`: it is not there. */
static const char *pass_pid(const char *at)
{
    const size_t digits = strncmp(at, "pid", 3) == 0 ? strspn(at + 3, "0123456789") : 0;
    return digits && at[3 + digits] == ':' ? at + 4 + digits : at;
}

/* "drm:pid79:function " of OpenBSD: the function becomes the line's tag. */
static const char *pass_openbsd(struct dump_cleaner *c, const char *at, struct gpudbg_dump_line *out)
{
    const char *drm = after(at, "drm:"), *name = drm ? pass_pid(drm) : NULL, *behind = name ? strchr(name, ' ') : NULL;
    if (name == drm || !behind || (size_t)(behind - name) >= sizeof c->tag) return at;
    snprintf(c->tag, sizeof c->tag, "%.*s", (int)(behind - name), name);
    out->tag = c->tag;
    return behind + 1;
}

/* "[drm] ", "[drm:function] ", "[drm:function [module]] ", "*ERROR* "; "error: [drm:pid79:function] ",
 * "drm:pid79:function ", "kern error: [drm:(FILE:LINE)function] " of other systems than Linux. */
static const char *pass_tags(struct dump_cleaner *c, const char *at, struct gpudbg_dump_line *out)
{
    static const char *const fronts[] = {"error: ", "info: ", "kern error: ", "kern warning: ", "kern info: "};
    for (size_t i = 0; *at && strchr("eik", *at) && i < sizeof fronts / sizeof *fronts; i++) {
        const char *drm = after(at, fronts[i]);
        if (drm && strncmp(drm, "[drm", 4) == 0) at = drm;
    }
    at = pass_openbsd(c, at, out);
    for (bool tagged = false;; tagged = true) {
        const char *p;
        if (strcmp(at, "*ERROR*") == 0) return at + strlen(at); /* whose message was wrapped to the next line */
        if ((p = after(at, "*ERROR* ")) || (p = after(at, "_ERROR_ ")) ||
            (tagged && (p = after(at, "ERROR ")))) { /* pages of the web take asterisks for emphasis */
            out->level = LEVEL_ERROR;
            at = p;
        } else if ((p = after(at, "[drm] "))) {
            if (!out->tag && strncmp(p, "*ERROR* ", 8) == 0) { /* of none of its functions, so of all that is known */
                snprintf(c->tag, sizeof c->tag, "drm");
                out->tag = out->module = c->tag;
            }
            at = p;
        } else if (at[0] == '[' && (strncmp(at, "[drm:", 5) == 0 || strncmp(at, "[drm ERROR :", 12) == 0)) {
            const char *name = pass_pid(at + (at[4] == ':' ? 5 : 12));   /* FreeBSD says ERROR before it */
            name += *name == '.';                                        /* PowerPC's descriptor of a function */
            const char *place = *name == '(' ? strchr(name, ')') : NULL; /* NetBSD's "(FILE:LINE)" */
            if (place) name = place + 1;
            size_t n = strcspn(name, "] ");
            const char *end = strchr(at, ']');
            if (!end || n >= sizeof c->tag) return at;
            memcpy(c->tag, name, n);
            c->tag[n] = 0;
            out->tag = c->tag;
            if (name[n] == ' ' && name[n + 1] == '[') { /* its module */
                const size_t module = (size_t)(end - (name + n + 2));
                if (module < sizeof c->module) {
                    memcpy(c->module, name + n + 2, module);
                    c->module[module] = 0;
                    out->module = c->module;
                }
            }
            at = end + 1;
            while (*at == ']') at++;
            at += *at == ' ';
        } else {
            return at;
        }
    }
}

/* Digits may differ and stand for blanks; all else is the same. */
static bool same_front(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bool x = a[i] == ' ' || isdigit((unsigned char)a[i]), y = b[i] == ' ' || isdigit((unsigned char)b[i]);
        if (a[i] != b[i] && !(x && y)) return false;
    }
    return true;
}

size_t dump_next_message(const char *text, size_t n, size_t from)
{
    size_t start = 0;
    while (start < n && start < 4 && !isalnum((unsigned char)text[start]) && text[start] != '[') start++;
    const char *end = text[start] == '[' ? "] " : " kernel: ";
    const size_t width = strlen(end);
    const char *first = memmem(text + start, n - start < 96 ? n - start : 96, end, width);
    if (!first || !dump_is_stamped(text + start)) return 0;
    const size_t front = (size_t)(first - (text + start)) + width;
    if (from < start) from = start;
    if (from + front >= n) return 0;
    for (const char *at = text + from + front; at < text + n && (at = memmem(at, (size_t)(text + n - at), end, width));
         at++) {
        const size_t next = (size_t)(at - text) + width - front;
        if (next > from && text[next - 1] == ' ' && same_front(text + start, text + next, front)) return next;
    }
    return 0;
}

/* "kernel: ", "driver: ": the name of who writes, in front of a line without a time. */
static bool begins_with_writer(const char *at)
{
    const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return n >= 3 && at[n] == ':' && at[n + 1] == ' ';
}

/* "3,301,30100000,-;": /dev/kmsg's level, number, time and flags.  "7, already busy" is a message's rest. */
static bool is_record(const char *at)
{
    for (unsigned i = 0; i < 3; i++, at++) {
        const size_t digits = strspn(at, "0123456789");
        if (!digits || at[digits] != ',') return false;
        at += digits;
    }
    return true;
}

/* Whether a logger's front, or the name of a driver, stands there. */
static bool begins_log(const char *at)
{
    struct dump_cleaner ignored = {.quoted = false};
    double time;
    if (at[0] == '[' && isalpha((unsigned char)at[1]) && strncmp(at + 1, "drm", 3) != 0)
        return pass_stamp(at, &time) != at; /* "[gfxhub0] ", "[IO_PAGE_FAULT domain=": a word, which is the message's */
    if (at[0] == '[' || at[0] == '{' || at[0] == '<' || is_record(at) || begins_with_writer(at)) return true;
    struct gpudbg_dump_line line = {0};
    const char *level = pass_level(at, &line.level), *front = pass_syslog(&ignored, level);
    front = pass_stamp(front, &time);
    return front != at || pass_clock(level) != level || pass_device(&ignored, at, &line) != at;
}

/* "[00:02.0]": a PCI device that a message names. */
static bool names_pci(const char *at)
{
    char whole[16];
    if (strnlen(at, 9) < 9 || at[8] != ']') return false;
    snprintf(whole, sizeof whole, "0000:%.7s", at + 1);
    return is_on_bus(whole);
}

bool dump_is_stamped(const char *text)
{
    if (text[0] == '[' && !isalpha((unsigned char)text[1])) return !names_pci(text); /* most lines */
    const char *at = pass_quotes(text);
    at += strspn(at, " \t");
    return begins_log(at) || pass_marks(at) != at || pass_strange(at) != at;
}

bool dump_has_writer(const char *text)
{
    if (text[0] == '(' && text[1] && text[2] && text[3] == ')') return true; /* "(EE) " of the X server */
    if (!isalpha((unsigned char)text[0])) return false;
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || (text[n] && strchr("_-./", text[n]))) n++;
    if (text[n] == '[') {
        const size_t digits = strspn(text + n + 1, "0123456789");
        n += digits && text[n + 1 + digits] == ']' ? digits + 2 : 0;
    }
    return n >= 3 && text[n] == ':' && text[n + 1] == ' ';
}

double dump_when(char *text, size_t n, char *buf, size_t size)
{
    struct dump_cleaner c = {.quoted = false};
    struct gpudbg_dump_line line = {0};
    const char *clock, *first = pass_level(text + strspn(text, " \t>|`"), &line.level);
    buf[0] = 0;
    if (dump_next_message(text, n, 0)) return -1; /* which of the messages is meant is not known */
    if (dump_has_clock(first, strnlen(first, 48), &clock) && first[0] != '{' &&
        ((clock[0] == ':' && isdigit((unsigned char)clock[1])) || clock[0] == '\t')) {
        const char *bracket = memrchr(first, '[', (size_t)(clock - first));
        if (bracket) first = bracket + 1;
        clock += strspn(clock, ":.,0123456789");
        snprintf(buf, size, "%.*s", (int)(clock - first), first);
    }
    dump_clean(&c, text, n, 2, &line);
    if (c.clock.counted) line.time = -1; /* its day alone is not known without the lines before */
    if (line.time >= 0 && !buf[0]) snprintf(buf, size, "%.6f", line.time);
    return line.time;
}

bool dump_is_packed(const char *text, size_t n)
{
    static const char name[] = "].data: ";
    enum { NAME = sizeof name - 1, MOST = 32 };
    if (n && (text[0] == '~' || text[0] == ':')) return true;
    if (!n || text[0] != '[') return false;
    const char *end = text + (n < MOST ? n : MOST), *at = text;
    while ((at = memchr(at, ']', (size_t)(end - at))) && end - at >= NAME && memcmp(at, name, NAME) != 0) at++;
    return at && end - at >= NAME;
}

/* Passes "[ 1234.567890] driver 0000:01:00.0: ", the front that the kernel itself writes and that nearly all lines of
 * drivers have, so that dump_clean need not try all other fronts first.  Returns what follows it; NULL: the line has
 * another front. */
static const char *pass_kernels_own(struct dump_cleaner *c, const char *text, struct gpudbg_dump_line *out)
{
    enum { STAMP_MOST = 64 };
    char *rest;
    if (text[0] != '[') return NULL;
    const char *p = text + 1;
    while (*p == ' ') p++;
    if (!isdigit((unsigned char)*p)) return NULL;
    const double seconds = seconds_of(p, &rest);
    if (rest[0] != ']' || rest[1] != ' ' || rest - text > STAMP_MOST || !(rest[2] >= 'a' && rest[2] <= 'z') ||
        !memchr(p, '.', (size_t)(rest - p)))
        return NULL;
    const char *driver = rest + 2, *behind = pass_device(c, driver, out);
    if (behind == driver) return NULL;
    out->time = seconds;
    c->stamped = true;
    return behind;
}

void dump_clean(struct dump_cleaner *c, char *text, size_t n, uint32_t number, struct gpudbg_dump_line *out)
{
    *out = (struct gpudbg_dump_line){.number = number, .time = -1, .level = -1};
    c->host[0] = c->driver[0] = 0;
    c->stamped = c->carried = false;
    if (number == 1 && n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* the mark of UTF-8 */
        text += 3;
        n -= 3;
    }
    const bool block = dump_is_packed(text, n);
    if (!block) {
        c->level = -1;
        n = dump_carried(c, text, n, &out->time);
        out->level = c->level;
        n = plain_blanks(text, uncolour(text, n));
        if (!c->decoded) n = dump_unquote(c, text, n);
    }
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t' || text[n - 1] == '\r' || text[n - 1] == '\n')) n--;
    text[n] = 0;
    const char *at = text, *behind_own = block ? NULL : pass_kernels_own(c, text, out);
    if (behind_own) {
        at = pass_tags(c, behind_own, out);
        if (strncmp(at, "drmn", 4) == 0) at = pass_device(c, at, out);
    } else if (!block) {
        at = pass_marks(pass_quotes(at));
        const char *first = at + strspn(at, " \t"); /* pasted logs are often indented as a whole */
        const char *level = pass_level(first, &out->level);
        const char *front = pass_syslog(c, level);
        const char *unstamped = front;
        front = pass_stream(pass_stamp(front, &out->time));
        const char *behind = pass_kernel(front);
        if (front != unstamped || memmem(behind, strnlen(behind, 16), " 0000:", 6)) front = behind;
        if (front == level) front = pass_clock(front);
        c->stamped = front != first || c->carried;
        if (out->time < 0 && front != level) out->time = dump_clock(&c->clock, level, (size_t)(front - level));
        if (front != first) at = front;
        const char *blanks = at + strspn(at, " \t");
        const char *device = pass_device(c, blanks, out);
        if (device != blanks || strncmp(device, "[drm", 4) == 0) at = device;
        at = pass_tags(c, at, out);
        const char *strange = out->device || out->tag ? at : pass_strange(at);
        if (strange != at) {
            c->stamped = true;
            at = pass_tags(c, pass_device(c, pass_stamp(strange, &out->time), out), out);
        }
        if (strncmp(at, "drmn", 4) == 0) at = pass_device(c, at, out); /* FreeBSD's newer drivers */
    }
    out->text = at;
    out->n = n - (size_t)(at - text);
    out->indent = strspn(at, " \t");
}
