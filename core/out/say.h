/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * say.h: a record that is described once: its members, in the order of JSON, and the text that is made of them.
 *
 *     RECORD(out, "stream", "{line:6}  stream {number}: {kind}[ of {unit}], {size} byte{size:s}[, cut off{cut}]\n",
 *         NUMBER("number", i), STRING("kind", s->kind), STRING("unit", s->unit), NUMBER("size", s->size),
 *         FLAG("cut", s->cut), NUMBER("line", s->line));
 *
 * With --json this writes the members, otherwise the text.  In the text stand:
 *
 *     {key}        the member's value
 *     {key:-12}    ... in at least 12 columns, at their left; {key:12}: at their right
 *     {key:08}     ... with at least 8 digits; {key:x08}: those without their 0x; {key:.2}: two digits after the point
 *     {key:s}      an "s", unless the member is the number 1
 *     {key|none}   ... or the word behind the bar if the member is not there
 *     {!key}       nothing; it is there if the member is not
 *     [text]       the text, if all is there that it names; pieces in brackets stand inside each other
 *     \\[ \\{      the character itself
 *
 * A member is not there if it is a string that is NULL, a condition that is false, or not true under IF.  A condition
 * that is true prints nothing.  t/house.t checks that a text names only members that stand behind it.
 */
#ifndef GPUDBG_SAY_H
#define GPUDBG_SAY_H

#include <stddef.h>
#include <stdint.h>
#include "out/out.h"

enum member_kind {
    MEMBER_NONE, /* left out */
    MEMBER_STRING,
    MEMBER_NUMBER,
    MEMBER_UNSIGNED,
    MEMBER_HEX,
    MEMBER_REAL,
    MEMBER_BOOL,
    MEMBER_NUMBERS,
    MEMBER_BYTES,
};

struct member {
    const char *key; /* NULL: an element of the open array */
    enum member_kind kind;
    bool text_only;
    unsigned digits; /* of HEX in text, at least */
    size_t n;        /* of numbers and bytes */
    union {
        const char *string; /* borrowed for the call */
        int64_t number;
        uint64_t bits;
        double real;
        bool yes;
        const uint32_t *numbers;
        const uint8_t *bytes;
    } is;
};

/* Adds the members to the open record, object or array, or writes their text; text NULL: none. */
void out_say(struct gpudbg_out *, const char *text, const struct member *, size_t n);
/* A whole record. */
void out_record(struct gpudbg_out *, const char *type, const char *text, const struct member *, size_t n);
/* A whole object inside the open record, object or array. */
void out_item(struct gpudbg_out *, const char *key, const char *text, const struct member *, size_t n);

#define SAY_MEMBERS(...) \
    (const struct member[]){__VA_ARGS__}, sizeof((const struct member[]){__VA_ARGS__}) / sizeof(struct member)
#define SAY(out, text, ...) out_say((out), (text), SAY_MEMBERS(__VA_ARGS__))
#define RECORD(out, type, text, ...) out_record((out), (type), (text), SAY_MEMBERS(__VA_ARGS__))
#define ITEM(out, key, text, ...) out_item((out), (key), (text), SAY_MEMBERS(__VA_ARGS__))
/* The beginning of a record or an object, to which arrays and more members are added until gpudbg_out_end or close. */
#define BEGIN(out, type, text, ...) (gpudbg_out_begin((out), (type)), SAY((out), (text), __VA_ARGS__))
#define BEGIN_ITEM(out, key, text, ...) (gpudbg_out_object((out), (key)), SAY((out), (text), __VA_ARGS__))

/* ---- Members ---- */

static inline struct member member_string(const char *key, const char *value)
{
    return (struct member){.key = key, .kind = value ? MEMBER_STRING : MEMBER_NONE, .is.string = value};
}

static inline struct member member_number(const char *key, int64_t value)
{
    return (struct member){.key = key, .kind = MEMBER_NUMBER, .is.number = value};
}

static inline struct member member_unsigned(const char *key, uint64_t value)
{
    return (struct member){.key = key, .kind = MEMBER_UNSIGNED, .is.bits = value};
}

static inline struct member member_hex(const char *key, uint64_t value, unsigned digits)
{
    return (struct member){.key = key, .kind = MEMBER_HEX, .digits = digits, .is.bits = value};
}

static inline struct member member_real(const char *key, double value)
{
    return (struct member){.key = key, .kind = MEMBER_REAL, .is.real = value};
}

static inline struct member member_bool(const char *key, bool value)
{
    return (struct member){.key = key, .kind = MEMBER_BOOL, .is.yes = value};
}

static inline struct member member_numbers(const char *key, const uint32_t *values, size_t n)
{
    return (struct member){.key = key, .kind = MEMBER_NUMBERS, .n = n, .is.numbers = values};
}

static inline struct member member_bytes(const char *key, const uint8_t *bytes, size_t n)
{
    return (struct member){.key = key, .kind = MEMBER_BYTES, .n = n, .is.bytes = bytes};
}

static inline struct member member_text_only(struct member m)
{
    m.text_only = true;
    return m;
}

#define STRING(key, value) member_string((key), (value))
#define NUMBER(key, value)                                                   \
    _Generic((value), unsigned long                                          \
             : member_unsigned((key), (uint64_t)(value)), unsigned long long \
             : member_unsigned((key), (uint64_t)(value)), default            \
             : member_number((key), (int64_t)(value)))
#define HEX(key, value) member_hex((key), (value), 1)
#define HEX_DIGITS(key, value, digits) member_hex((key), (value), (digits))
#define REAL(key, value) member_real((key), (value))
#define BOOL(key, value) member_bool((key), (value))                 /* false or true in JSON */
#define FLAG(key, value) IF((value), member_bool((key), true))       /* true, or left out */
#define NUMBERS(key, values, n) member_numbers((key), (values), (n)) /* an array; 1,2,3 in text */
#define BYTES(key, bytes, n) member_bytes((key), (bytes), (n))       /* in JSON alone: hex digits in memory order */
/* The member is worked out only where it is there: it may follow a pointer that is NULL elsewhere. */
#define IF(there, described) ((there) ? (described) : (struct member){.kind = MEMBER_NONE})
#define TEXT_ONLY(described) member_text_only(described)
#define TEXT(key, value) TEXT_ONLY(STRING((key), (value)))

#endif
