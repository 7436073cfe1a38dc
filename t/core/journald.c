/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of journald as JSON: the message, the host, the priority and the time that are taken out of a line, against
 * jansson's reading of the same line.  Entries have members in any order, of any kind, escaped or not. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "dump/dump.h"
#include "tap.h"

#define ENTRIES 20000
#define LETTERS 60

static uint64_t seed = 20261201;
static unsigned below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

/* Letters, quotes, backslashes, controls, and characters of two, three and four bytes. */
static json_t *random_text(void)
{
    static const char *const letters[] = {"a", "Z", " ", "\"", "\\", "/", "\t", "\n", "\r", "\b", "\f", "\x01", "{",
        "}", ",", ":", "[", "]", "'", "0", "\xc3\xa9", "\xe2\x82\xac", "\xef\xbf\xbd", "\xf0\x9f\x98\x80", "MESSAGE",
        "u00e9"};
    char text[LETTERS * 8] = "";
    for (unsigned n = below(LETTERS); n; n--) strcat(text, letters[below(sizeof letters / sizeof *letters)]);
    return json_string(text);
}

static json_t *random_value(unsigned depth)
{
    switch (below(depth < 3 ? 8 : 5)) {
    case 0: return json_null();
    case 1: return json_integer(below(100000));
    case 2: return json_boolean(below(2));
    case 3: return json_real(below(1000) / 8.0);
    case 5: {
        json_t *array = json_array();
        for (unsigned n = below(4); n; n--) json_array_append_new(array, random_value(depth + 1));
        return array;
    }
    case 6: {
        json_t *object = json_object();
        for (unsigned n = below(4); n; n--)
            json_object_set_new(object, below(2) ? "MESSAGE" : "_HOSTNAME", random_value(depth + 1));
        return object;
    }
    default: return random_text();
    }
}

/* As an array of bytes, which journald writes where a message is no text. */
static json_t *as_bytes(const json_t *text)
{
    json_t *array = json_array();
    for (const char *p = json_string_value(text); *p; p++)
        json_array_append_new(array, json_integer((unsigned char)*p));
    return array;
}

static json_t *random_entry(void)
{
    static const char *const others[] = {
        "_PID", "__CURSOR", "CODE_FUNC", "_BOOT_ID", "MESSAGE_ID", "X", "SYSLOG_IDENTIFIER"};
    json_t *entry = json_object();
    const unsigned members = 3 + below(6);
    for (unsigned i = 0, message = below(members); i < members; i++) {
        char number[32];
        if (i == message) {
            json_t *text = random_text();
            json_object_set_new(entry, "MESSAGE", below(5) ? json_incref(text) : as_bytes(text));
            json_decref(text);
        }
        snprintf(number, sizeof number, "%u", below(8));
        if (!below(3)) json_object_set_new(entry, "PRIORITY", json_string(number));
        if (!below(3)) json_object_set_new(entry, "_HOSTNAME", json_string("box-7.lan"));
        snprintf(number, sizeof number, "%u000123", below(100000));
        if (!below(3)) json_object_set_new(entry, "_SOURCE_MONOTONIC_TIMESTAMP", json_string(number));
        json_object_set_new(entry, others[below(sizeof others / sizeof *others)], random_value(0));
    }
    return entry;
}

/* The message as jansson has it; what would end the line, or is no letter of a terminal, is a blank. */
static size_t expected(const json_t *entry, char *to)
{
    const json_t *message = json_object_get(entry, "MESSAGE");
    size_t n = 0;
    if (json_is_array(message))
        for (size_t i = 0; i < json_array_size(message); i++)
            to[n++] = (char)json_integer_value(json_array_get(message, i));
    else
        for (const char *p = json_string_value(message); *p; p++) to[n++] = strchr("\b\f\n\r", *p) ? ' ' : *p;
    return n;
}

int main(void)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < ENTRIES && wrong < 5; i++) {
        json_t *made = random_entry();
        char *line = json_dumps(made, JSON_COMPACT * below(2) | JSON_ENSURE_ASCII * below(2) |
                                          JSON_ESCAPE_SLASH * below(2) | JSON_SORT_KEYS * below(2)),
             *text = malloc(strlen(line) + 1), *want = malloc(strlen(line) + 1);
        json_t *entry = json_loads(line, 0, NULL);
        struct dump_cleaner c = {.level = -1};
        double time = -1;
        strcpy(text, line);
        const size_t n = dump_carried(&c, text, strlen(line), &time), size = expected(entry, want);
        const char *priority = json_string_value(json_object_get(entry, "PRIORITY")),
                   *host = json_string_value(json_object_get(entry, "_HOSTNAME")),
                   *stamp = json_string_value(json_object_get(entry, "_SOURCE_MONOTONIC_TIMESTAMP"));
        const bool same = n == size && memcmp(text, want, n) == 0 && c.level == (priority ? priority[0] - '0' : -1) &&
                          strcmp(c.host, host ? host : "") == 0 && time == (stamp ? strtod(stamp, NULL) / 1e6 : -1);
        if (!same) {
            ok(false, "%s", line);
            printf("# got %.*s, level %d, host %s, time %f\n", (int)n, text, c.level, c.host, time);
            wrong++;
        }
        json_decref(made);
        json_decref(entry);
        free(line);
        free(text);
        free(want);
    }
    ok(!wrong, "%d entries as jansson reads them", ENTRIES);
    return tap_done();
}
