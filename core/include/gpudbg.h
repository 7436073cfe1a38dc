/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpudbg.h: the public header.  A plug-in includes this file alone; the parts it includes are in gpudbg/, in reading
 * order.
 *
 * Everything gpudbg explains is a *word with fields*; an instruction is a list of such words placed at bit offsets;
 * every behaviour hangs on one table row.  An instruction set, a loader, a checker, a command or a listing is a const
 * descriptor; a plug-in is a descriptor of descriptors.  Read in this order:
 *
 *     error.h    errors                                        machine.h  memory, machines, runners, events
 *     word.h     words, fields, registers                      check.h    checkers and what they report
 *     isa.h      instructions, packets, instruction sets       command.h  output, commands, listings
 *     flow.h     the ways through code                         dump.h     captured state and its readers
 *     image.h    loaded files and loaders
 *
 * and the plug-in's own descriptor below.  Three more parts are header-only, not part of the ABI, and included where
 * they are needed: lanes.h (arithmetic for runners), text.h (text in a buffer of fixed size), endian.h (little-endian
 * words). All of them compile as C11 and as C++17.
 *
 * Rules that hold everywhere: descriptors and their strings are const and live for ever; a pointer returned is
 * borrowed; what can fail returns false (or NULL) and fills `struct gpudbg_error *`, its last argument, which may not
 * be NULL; `addr` is bytes in a space, `pc` bytes in code, `size` bytes, `n` a count, `lo` and `len` bits.  No function
 * here uses global state: a session, an image, a machine or a wave comes first.
 */
#ifndef GPUDBG_H
#define GPUDBG_H

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "gpudbg needs a little-endian host: memory of a launch and registers of a wave are words of the host"
#endif

#include "gpudbg/error.h"
#include "gpudbg/word.h"
#include "gpudbg/isa.h"
#include "gpudbg/flow.h"
#include "gpudbg/uses.h"
#include "gpudbg/reading.h"
#include "gpudbg/image.h"
#include "gpudbg/costs.h"
#include "gpudbg/machine.h"
#include "gpudbg/check.h"
#include "gpudbg/command.h"
#include "gpudbg/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of the layout of all structures and enumerations in these headers.  A plug-in that was built for another
 * number is refused.  What is promised before version 1.0: the number changes whenever a layout does, so that an old
 * plug-in is refused with that reason and never misread; build plug-ins again for each version of gpudbg.
 * (t/core/abi.t has every layout and fails when one changes without the number.) */
#define GPUDBG_ABI 9

/* ---- Plug-ins ---- */

/* A shared object exports one symbol, `gpudbg_plugin`, of this type.  All lists are NULL-terminated and may be NULL.
 * abi must be GPUDBG_ABI.  size must be at most the host's: the host copies the struct over zeros, so a shorter one is
 * taken, and what it lacks is empty.
 * start is called once a session, after registration; when it fails the plug-in is taken out again and the error shown.
 */
struct gpudbg_plugin {
    uint32_t abi, size;
    const char *name, *version, *summary;
    const struct gpudbg_isa *const *isas;
    const struct gpudbg_loader *const *loaders;
    const struct gpudbg_checker *const *checkers;
    const struct gpudbg_command *const *commands;
    const struct gpudbg_listing *const *listings;
    bool (*start)(struct gpudbg *, struct gpudbg_error *);
    void (*stop)(struct gpudbg *);
    const struct gpudbg_reader *const *readers;
    /* Gives the i-th chip that --isa finds or refuses by its name; false past the last one. */
    bool (*chip)(size_t i, struct gpudbg_chip *);
};

#ifdef __cplusplus
}
#endif

#endif
