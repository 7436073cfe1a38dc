/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that are described once: the text and the JSON of the same members, as core/out/say.h promises them.  What is
 * expected was written by hand, after that comment and after printf's rules. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "out/say.h"
#include "tap.h"

/* The text of one call with these members, checked. */
#define TEXT_IS(want, text, ...)                    \
    do {                                            \
        struct gpudbg_out *out = out_memory(false); \
        SAY(out, text, __VA_ARGS__);                \
        char *got = out_taken(out, NULL);           \
        is_str(got, want, "%s", text);              \
        free(got);                                  \
        out_close(out);                             \
    } while (0)

static void test_text(void)
{
    static const uint32_t three[] = {64, 1, 2};
    TEXT_IS("a 7 0x1f.", "{s} {n} {h}.", STRING("s", "a"), NUMBER("n", 7), HEX("h", 31));
    TEXT_IS("-1 18446744073709551615", "{n} {u}", NUMBER("n", -1), NUMBER("u", UINT64_MAX));
    TEXT_IS("|    ab|ab    |", "|{s:6}|{s:-6}|", STRING("s", "ab"));
    TEXT_IS("|longer|longer|", "|{s:3}|{s:-3}|", STRING("s", "longer"));
    TEXT_IS("0x0000001f 001f |0x1f  |", "{h:08} {h:x04} |{h:-6}|", HEX("h", 31));
    TEXT_IS("0x001f", "{h}", HEX_DIGITS("h", 31, 4));
    TEXT_IS("0.333 0.333333", "{r:.3} {r}", REAL("r", 1.0 / 3));
    TEXT_IS("64,1,2", "{a}", NUMBERS("a", three, 3));
    TEXT_IS("1 wave, 2 groups, 0 lanes", "{w} wave{w:s}, {g} group{g:s}, {l} lane{l:s}", NUMBER("w", 1), NUMBER("g", 2),
        NUMBER("l", (uint64_t)0));
    TEXT_IS("", "{s}", STRING("s", NULL));
    TEXT_IS("none |-   |", "{s|none} |{s:-4|-}|", STRING("s", NULL));
    TEXT_IS("[x] {y} \\", "\\[{s}\\] \\{y} \\\\", STRING("s", "x"));
}

static void test_pieces(void)
{
    TEXT_IS("a of b!", "{a}[ of {b}][ at {c}]!", STRING("a", "a"), STRING("b", "b"), STRING("c", NULL));
    TEXT_IS("cut", "[{yes}cut][{no}whole]", BOOL("yes", true), BOOL("no", false));
    TEXT_IS("whole", "[{cut}cut][{!cut}whole]", FLAG("cut", false));
    TEXT_IS("no 3", "[{n}{m}both][{!n}no {m}]", IF(false, NUMBER("n", 2)), NUMBER("m", 3));
    TEXT_IS("(a)", "[({a}[, {b}])]", STRING("a", "a"), STRING("b", NULL));
    TEXT_IS("(a, b)", "[({a}[, {b}])]", STRING("a", "a"), STRING("b", "b"));
    TEXT_IS("", "[({a}[, {b}])]", STRING("a", NULL), STRING("b", "b"));
    TEXT_IS("value {x}", "{s}", STRING("s", "value {x}"));
}

/* Text that does not fit what is collected at once is whole. */
static void test_long(void)
{
    char *long_text = malloc(5001);
    memset(long_text, 'x', 5000);
    long_text[5000] = 0;
    struct gpudbg_out *out = out_memory(false);
    SAY(out, "<{s}>{s}", STRING("s", long_text));
    size_t n;
    char *got = out_taken(out, &n);
    is_int(n, 10002, "ten thousand bytes are written whole");
    ok(got[0] == '<' && got[5001] == '>' && got[10001] == 'x', "and in their order");
    free(got);
    out_close(out);
    free(long_text);
}

static void test_json(void)
{
    static const uint32_t two[] = {5, 6};
    static const uint8_t bytes[] = {0xab, 0x01};
    struct gpudbg_out *out = out_memory(true);
    BEGIN(out, "thing", "not in JSON\n", STRING("name", "a\"b"), STRING("gone", NULL), NUMBER("n", -3), HEX("h", 31),
        BOOL("no", false), FLAG("flag", false), FLAG("set", true), TEXT("text", "x"), NUMBERS("two", two, 2),
        BYTES("bytes", bytes, 2), IF(false, NUMBER("absent", 1)), REAL("half", 0.5));
    gpudbg_out_array(out, "items");
    ITEM(out, NULL, "{k}", NUMBER("k", 1));
    ITEM(out, NULL, "{k}", NUMBER("k", 2));
    gpudbg_out_close(out);
    ITEM(out, "inner", NULL, TEXT_ONLY(HEX("h", 1)));
    gpudbg_out_end(out);
    char *got = out_taken(out, NULL);
    is_str(got,
        "{\"type\":\"thing\",\"name\":\"a\\\"b\",\"n\":-3,\"h\":\"0x1f\",\"no\":false,\"set\":true,"
        "\"two\":[5,6],\"bytes\":\"ab01\",\"half\":0.5,\"items\":[{\"k\":1},{\"k\":2}],\"inner\":{}}\n",
        "a record holds its members in their order, without those that are not there or in the text alone");
    free(got);
    out_close(out);
}

int main(void)
{
    test_text();
    test_pieces();
    test_long();
    test_json();
    return tap_done();
}
