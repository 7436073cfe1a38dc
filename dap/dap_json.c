/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every answer is made of: strings, numbers, bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/shown.h"
#include "dap/client.h"

json_t *d_text(const char *text)
{
    const size_t n = strlen(text);
    if (shown_clean(text, n, SHOWN_TEXT) == n) return json_string(text);
    const size_t size = shown_in(NULL, 0, text, n, SHOWN_TEXT) + 1;
    char *shown = xalloc(size);
    shown_in(shown, size, text, n, SHOWN_TEXT);
    json_t *string = json_string(shown);
    free(shown);
    return string;
}

json_t *d_hex(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    return json_string(text);
}

const char *d_string(const json_t *args, const char *key) { return json_string_value(json_object_get(args, key)); }

bool d_bool(const json_t *args, const char *key, bool otherwise)
{
    const json_t *value = json_object_get(args, key);
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

json_int_t d_number_or(const json_t *args, const char *key, json_int_t otherwise)
{
    const json_t *value = json_object_get(args, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

bool d_number(const json_t *args, const char *key, json_int_t *number, struct gpudbg_error *err)
{
    const json_t *value = json_object_get(args, key);
    *number = json_integer_value(value);
    return json_is_integer(value) ||
           gpudbg_fail(
               err, "usage", value ? "\"%s\" must be a whole number" : "\"%s\" is missing: a whole number", key);
}

/* ---- Base 64 (RFC 4648, section 4) ---- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

json_t *d_base64(const uint8_t *bytes, size_t n)
{
    char *text = xalloc((n + 2) / 3 * 4 + 1), *to = text;
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 | (uint32_t)(left > 1 ? bytes[i + 1] : 0) << 8 |
                               (left > 2 ? bytes[i + 2] : 0);
        *to++ = digits[three >> 18];
        *to++ = digits[three >> 12 & 63];
        *to++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[three & 63] : '=';
    }
    json_t *string = json_string(text);
    free(text);
    return string;
}

uint8_t *d_from_base64(const char *text, size_t *n, struct gpudbg_error *err)
{
    const size_t length = strlen(text);
    uint8_t *bytes = xalloc(length / 4 * 3 + 3);
    uint32_t bits = 0;
    unsigned have = 0;
    size_t i = 0;
    *n = 0;
    for (const char *at; i < length && text[i] != '='; i++) {
        if (!(at = strchr(digits, text[i]))) break;
        bits = bits << 6 | (uint32_t)(at - digits);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        bytes[(*n)++] = (uint8_t)(bits >> have);
    }
    size_t pads = strspn(text + i, "=");
    if (i + pads == length && length % 4 == 0 && pads < 3 && pads == (4 - i % 4) % 4) return bytes;
    free(bytes);
    gpudbg_fail(err, "usage", "\"data\" is not base 64: character %zu of %zu", i + 1, length);
    return NULL;
}
