/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_carrier.c: lines that carry a message of the kernel among other things: entries of journald as JSON or in its
 * export format, records of /dev/kmsg, syslog by RFC 5424; and what web pages and /dev/kmsg write in place of
 * characters. Each takes the message out of the line, in place, since it is never longer.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/charset.h"
#include "dump/dump.h"

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* ---- journald as JSON ---- */

/* Reads the four digits behind "\\u".  A character beyond U+FFFF is a pair of such escapes: then both are read.  Moves
 * *at past what was read.  Returns a blank in place of the character 0, which would end the text. */
static uint32_t json_unit(const char **at, const char *end)
{
    uint32_t unit[2] = {0, 0};
    const char *p = *at;
    for (int k = 0; k < 2 && end - p >= 4; k++) {
        for (int i = 0; i < 4; i++) unit[k] = unit[k] << 4 | (uint32_t)(hex(p[i]) < 0 ? 0 : hex(p[i]));
        p += 4;
        if (!k) *at = p;
        if (k || unit[0] >> 10 != 0xd800 >> 10 || end - p < 2 || p[0] != '\\' || p[1] != 'u') break;
        p += 2;
    }
    if (unit[0] >> 10 == 0xd800 >> 10 && unit[1] >> 10 == 0xdc00 >> 10) {
        *at = p;
        return 0x10000 + ((unit[0] & 0x3ff) << 10 | (unit[1] & 0x3ff));
    }
    return unit[0] >> 11 == 0xd800 >> 11 ? 0xfffd : unit[0] ? unit[0] : ' '; /* U+FFFD: half of a pair */
}

/* The string at p, which stands behind its first quote; *n bytes of it to `to`, unescaped, at most `room`.  Behind its
 * last quote, or NULL. */
static const char *json_string(const char *p, const char *end, char *to, size_t room, size_t *n)
{
    *n = 0;
    while (p < end && *p != '"') {
        char utf8[4] = {*p};
        size_t size = 1;
        if (*p == '\\' && p + 1 < end) {
            const char *from = "\"\\/bfnrt";
            p++;
            const char *at = strchr(from, *p);
            if (*p == 'u' && end - p > 4) {
                p++;
                size = utf8_encode(json_unit(&p, end), utf8);
                p--;
            } else {
                utf8[0] = at ? "\"\\/    \t"[at - from] : *p;
            }
        }
        p++;
        if (*n + size <= room) {
            memcpy(to + *n, utf8, size);
            *n += size;
        }
    }
    return p < end ? p + 1 : NULL;
}

static bool is_key(const char *key, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(key, name, n) == 0;
}

/* Behind the value at p: a number, true, an array or an object, whose bytes mean nothing here. */
static const char *json_pass(const char *p, const char *end)
{
    unsigned depth = 0;
    for (; p < end; p++) {
        if (*p == '"') { /* brackets in a string are letters */
            for (p++; p < end && *p != '"'; p++) p += *p == '\\' && p + 1 < end;
            continue;
        }
        if (*p == '[' || *p == '{') depth++;
        if (!depth && (*p == ',' || *p == '}')) return p;
        if (*p == ']' || *p == '}') depth--;
    }
    return end;
}

/* A message that is no UTF-8 stands as an array of its bytes. */
static size_t json_bytes(const char *p, const char *end, char *to)
{
    size_t n = 0;
    for (p++; p < end && *p != ']';) {
        char *rest;
        const unsigned long byte = strtoul(p, &rest, 10);
        if (rest == p) break;
        to[n++] = byte ? (char)byte : ' ';
        p = rest + strspn(rest, ", ");
    }
    return n;
}

static size_t from_json(struct dump_cleaner *c, char *text, size_t n, double *time)
{
    const char *p = text + 1, *end = text + n;
    char key[64];
    size_t size = 0, length;
    bool found = false, monotonic = false;
    while (p) {
        while (p < end && (*p == ',' || *p == ' ')) p++;
        if (p >= end || *p != '"') break;
        p = json_string(p + 1, end, key, sizeof key, &length);
        while (p && p < end && (*p == ':' || *p == ' ')) p++;
        if (!p || p >= end) break;
        const bool message = is_key(key, length, "MESSAGE"), host = is_key(key, length, "_HOSTNAME");
        const bool source = is_key(key, length, "_SOURCE_MONOTONIC_TIMESTAMP");
        const bool stamp = source || (!monotonic && is_key(key, length, "__REALTIME_TIMESTAMP"));
        char value[64];
        size_t some = 0;
        if (*p == '"') {
            const size_t room = message ? n : sizeof value - 1; /* what is taken stays behind what was read */
            p = json_string(p + 1, end, message ? text : value, room, message ? &size : &some);
        } else {
            const char *behind = json_pass(p, end); /* first: json_bytes writes over the line */
            if (message && *p == '[') size = json_bytes(p, end, text);
            p = behind;
        }
        found |= message;
        value[some] = 0;
        if (is_key(key, length, "PRIORITY") && value[0] >= '0' && value[0] <= '7') c->level = (int8_t)(value[0] - '0');
        if (host && some < sizeof c->host) memcpy(c->host, value, some + 1);
        if (stamp && some) {
            *time = strtod(value, NULL) / 1e6;
            monotonic |= source;
        }
    }
    return found ? size : n;
}

/* ---- Others ---- */

/* "6,1234,5678901,-;message": level, number, microseconds, flags. */
static size_t kmsg_front(struct dump_cleaner *c, const char *text, double *time)
{
    char *rest;
    const char *p = text + strspn(text, "0123456789");
    if (p == text || *p != ',') return 0;
    p++;
    const char *q = p + strspn(p, "0123456789");
    if (q == p || *q != ',') return 0;
    const double microseconds = strtod(q + 1, &rest);
    if (rest == q + 1 || *rest != ',') return 0;
    const char *semicolon = strchr(rest, ';');
    if (!semicolon || semicolon - rest > 32) return 0;
    *time = microseconds / 1e6;
    c->level = (int8_t)(strtoul(text, NULL, 10) & 7);
    return (size_t)(semicolon + 1 - text);
}

/* "<3>1 2026-11-21T23:16:01.5Z host kernel - - - message": time, host, program, its number, kind of message, data. */
static size_t rfc5424_front(struct dump_cleaner *c, const char *text)
{
    if (text[0] != '<' || !isdigit((unsigned char)text[1])) return 0;
    const char *p = text + 1 + strspn(text + 1, "0123456789");
    if (strncmp(p, ">1 ", 3) != 0 || !isdigit((unsigned char)p[3])) return 0;
    c->level = (int8_t)(strtoul(text + 1, NULL, 10) & 7);
    p += 3;
    for (unsigned field = 0; field < 5; field++) {
        const size_t n = strcspn(p, " ");
        if (!n || p[n] != ' ') return 0;
        if (field == 1 && n < sizeof c->host && p[0] != '-') {
            memcpy(c->host, p, n);
            c->host[n] = 0;
        }
        p += n + 1;
    }
    if (*p == '-') {
        p++;
    } else if (*p == '[') { /* data, in brackets; a quoted value may have some */
        bool quoted = false;
        for (; *p && (quoted || *p != ']' || p[1] == '['); p++) {
            if (*p == '\\' && p[1])
                p++;
            else if (*p == '"')
                quoted = !quoted;
        }
        p += *p == ']';
    } else {
        return 0;
    }
    p += *p == ' ';
    if (strncmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    return (size_t)(p - text);
}

/* "&gt;" and "&#62;" of web pages, "\x09" of /dev/kmsg. */
static size_t without_entities(char *text, size_t n, bool kmsg)
{
    static const char *const names[][2] = {
        {"amp;", "&"}, {"lt;", "<"}, {"gt;", ">"}, {"quot;", "\""}, {"apos;", "'"}, {"nbsp;", " "}};
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        if (kmsg && text[i] == '\\' && i + 3 < n && text[i + 1] == 'x' && hex(text[i + 2]) >= 0 &&
            hex(text[i + 3]) >= 0) {
            const int byte = hex(text[i + 2]) << 4 | hex(text[i + 3]);
            text[to++] = byte ? (char)byte : ' ';
            i += 3;
            continue;
        }
        if (text[i] != '&') {
            text[to++] = text[i];
            continue;
        }
        size_t passed = 0;
        for (size_t k = 0; k < sizeof names / sizeof *names && !passed; k++) {
            const size_t length = strlen(names[k][0]);
            if (n - i > length && memcmp(text + i + 1, names[k][0], length) == 0) {
                text[to++] = names[k][1][0];
                passed = length;
            }
        }
        if (!passed && i + 3 < n && text[i + 1] == '#') {
            const bool sixteen = text[i + 2] == 'x' || text[i + 2] == 'X';
            char *rest;
            const unsigned long code = strtoul(text + i + 2 + sixteen, &rest, sixteen ? 16 : 10);
            if (*rest == ';' && code >= 32 && code < 127) {
                text[to++] = (char)code;
                passed = (size_t)(rest - (text + i));
            }
        }
        if (!passed) text[to++] = '&';
        i += passed;
    }
    return to;
}

size_t dump_unescape(char *text, size_t n)
{
    size_t to = 0, from = 0;
    while (from < n && (text[from] == ' ' || text[from] == '\t')) from++;
    if (from == n || !strchr("{[\"", text[from]) || !memmem(text, n, "\\n", 2) || memmem(text, n, "\"MESSAGE\"", 9))
        return 0;
    const char *first = memmem(
        text, n, "\\n", 2); /* the string begins before it: behind the last quote that opens one */
    for (size_t i = from; text + i < first; i++)
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) from = i + 1;
    for (size_t i = from; i < n; i++) {
        if (text[i] == '"') { /* the string's end; another one may begin */
            text[to++] = '\n';
            continue;
        }
        if (text[i] != '\\' || i + 1 == n) {
            text[to++] = text[i];
            continue;
        }
        const char c = text[++i];
        if (c == 'u' && i + 4 < n) {
            const char *at = text + i + 1;
            const uint32_t code = json_unit(&at, text + n);
            to += utf8_encode(code, text + to); /* at most 3 of 6 bytes, or 4 of 12 */
            i = (size_t)(at - text) - 1;
        } else if (c != 'r') {
            text[to++] = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
    }
    return to;
}

/* Tags of pages, "<br />" and "<span class=...>", without what they say; "<gfx_v7_0>" and "<3>" are none. */
static size_t without_tags(char *text, size_t n)
{
    static const char *const tags[] = {
        "br", "p", "pre", "code", "span", "div", "td", "tr", "li", "tt", "blockquote", "b", "em", "strong", "a"};
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = text + i + 1 + (i + 1 < n && text[i + 1] == '/');
        const char *end = text[i] == '<' ? memchr(text + i, '>', n - i) : NULL;
        bool is_tag = false;
        for (size_t k = 0; end && k < sizeof tags / sizeof *tags && !is_tag; k++) {
            const size_t length = strlen(tags[k]);
            is_tag = name + length <= end && strncasecmp(name, tags[k], length) == 0 &&
                     (name[length] == '>' || name[length] == '/' ||
                         (name[length] == ' ' && (memchr(name, '=', (size_t)(end - name)) || end[-1] == '/')));
        }
        if (is_tag)
            i = (size_t)(end - text);
        else
            text[to++] = text[i];
    }
    return to;
}

static size_t without_front(char *text, size_t n, size_t front)
{
    memmove(text, text + front, n - front);
    return n - front;
}

size_t dump_carried(struct dump_cleaner *c, char *text, size_t n, double *time)
{
    text[n] = 0; /* there is room; the functions above stop at it */
    const size_t before = n;
    bool kmsg = false;
    size_t front = 0;
    if (text[0] == '[') { /* most lines: no record begins so */
    } else if (text[0] == '{' && memmem(text, n, "\"MESSAGE\"", 9)) {
        n = from_json(c, text, n, time);
        c->carried = n != before;
    } else if (strncmp(text, "MESSAGE=", 8) == 0) { /* journald's export format: a line a field */
        front = 8;
        memcpy(c->host, c->export_host, sizeof c->host);
        if (c->export_time > 0) *time = c->export_time;
    } else if (strncmp(text, "_HOSTNAME=", 10) == 0) {
        const size_t length = n - 10 < sizeof c->export_host ? n - 10 : sizeof c->export_host - 1;
        memcpy(c->export_host, text + 10, length);
        c->export_host[length] = 0;
    } else if (strncmp(text, "__MONOTONIC_TIMESTAMP=", 22) == 0) {
        c->export_time = strtod(text + 22, NULL) / 1e6;
    } else if ((front = kmsg_front(c, text, time))) {
        kmsg = true;
    } else {
        front = rfc5424_front(c, text);
        if (front) *time = dump_clock(&c->clock, text, front);
    }
    if (front && front <= n) {
        n = without_front(text, n, front);
        c->carried = true;
    }
    text[n] = 0;
    if (memchr(text, '<', n) && memchr(text, '>', n)) n = without_tags(text, n);
    if (memchr(text, '&', n) || kmsg) n = without_entities(text, n, kmsg);
    return n;
}
