/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.h: messages of the Debug Adapter Protocol as they travel: a header "Content-Length: N", an empty line, N bytes
 * of JSON (protocol: "Base Protocol").  What comes is hostile: lengths are bounded, and a header that is not of the
 * protocol ends the conversation, so a browser that posts to the port gets nothing.
 */
#ifndef DAP_WIRE_H
#define DAP_WIRE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define WIRE_HEADER 1024               /* bytes of a header, at most */
#define WIRE_MESSAGE ((size_t)8 << 20) /* ... of a message */

struct wire {
    int in, out; /* descriptors; -1: nothing comes, or what is written goes nowhere */
    char *bytes; /* what has come and is no message yet; malloc'ed */
    size_t from, n, room;
    bool ended;         /* nothing more comes, or what came is not the protocol, or nobody reads any more */
    const char *broken; /* what was wrong with it; NULL: nothing */
};

void wire_close(struct wire *); /* frees; the descriptors stay open */
/* Takes what has come; waits for it at most so many milliseconds (-1: for ever). */
void wire_fill(struct wire *, int milliseconds);
/* The next message, if it is whole; NULL: none is.  *bad: one came that is not JSON, or no object, and why.  *mended:
 * that message with U+FFFD for each character that the program cannot take (U+0000, half of a surrogate pair, bytes
 * that are not UTF-8), so that it can be answered; NULL: it is not JSON all the same. */
json_t *wire_next(struct wire *, char *bad, size_t size, json_t **mended);
/* Sends a message and takes it over.  While the reader is slow, what it sends is taken, so neither waits for the other.
 */
void wire_send(struct wire *, json_t *);

#endif
