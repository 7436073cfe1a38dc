/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of messages.def: each is the message of some descriptor in some generation, so no row hides another; and they
 * are in the order of shared functions, by which they are found.
 */
#include "tap.h"

#include "decoders/gen/code/message.h"

static const struct {
    struct gen_span in;
    unsigned sfid;
    uint32_t mask, match;
    const char *name; /* NULL: only Mesa names it */
} rows[] = {
#define FORMAT(...)
#define FIELD(...)
#define END
#define MESSAGE(gens, sfid, mask, match, layout, does, run, payload, parameters, mesa, text) \
    {GEN_##gens, sfid, mask, match, text},
#define WORD(gens, sfid, mask, match, mesa) {GEN_##gens, sfid, mask, match, NULL},
#include "decoders/gen/code/messages.def"
};
#define ROWS (sizeof rows / sizeof *rows)

/* A row of a generation that eu.def does not have yet is met by nothing. */
static bool is_met(size_t row)
{
    bool there = false;
    for (unsigned e = 0; e < GEN_EUS; e++)
        for (uint32_t other = 0; gen_is_in(&gen_eus[e], rows[row].in) && other < 1u << 19; other += 1u << 12) {
            const struct gen_request *r = gen_request_of(
                &gen_eus[e], rows[row].sfid, rows[row].match | ((other | other >> 12) & ~rows[row].mask));
            if (r && gen_request_row(r) == row) return true;
        }
    for (unsigned e = 0; e < GEN_EUS; e++) there |= gen_is_in(&gen_eus[e], rows[row].in);
    return !there;
}

int main(void)
{
    unsigned unordered = 0;
    for (size_t i = 1; i < ROWS; i++) unordered += rows[i].sfid < rows[i - 1].sfid;
    is_int(unordered, 0, "rows are in the order of shared functions");
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].name) ok(is_met(i), "row %u, function %u: %s", (unsigned)i, rows[i].sfid, rows[i].name);
    return tap_done();
}
