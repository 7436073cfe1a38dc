/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_show.h: a dump's registers in the light of the register databases, for commands and panes. */
#ifndef GPUDBG_DUMP_SHOW_H
#define GPUDBG_DUMP_SHOW_H

#include "gpudbg.h"

/* The family whose database explains a capture: the one it says, else the one the user or the loaded code says; NULL
 * where none is known or the program has none for it.  *assumed: it was not said by the dump. */
const char *dump_family(const struct gpudbg_dump *, uint32_t capture, bool *assumed);
/* Whether registers of a capture's family are in the databases, if only some of them. */
bool dump_has_registers(const struct gpudbg_dump *, uint32_t capture);
/* Whether a field is worth a line: it is not what idle hardware or a reset leaves. */
bool dump_field_tells(const struct gpudbg_reg *, const struct gpudbg_field_iter *, uint64_t mask);
bool dump_lost(const struct gpudbg_dump *, uint32_t capture);
/* "STATUS of ring0", "0x28a40" */
int dump_record_title(const struct gpudbg_record *, char *buf, size_t size);
/* The instruction set of a stream's words ("pm4"), or NULL. */
const struct gpudbg_isa *dump_stream_isa(const struct gpudbg_dump *, const struct gpudbg_stream *);
/* The family whose commands no instruction set reads, if the stream has such; else NULL. */
const char *dump_stream_unread(const struct gpudbg_dump *, const struct gpudbg_stream *);
/* One line about an incident: its kind's summary and values. */
int dump_incident_text(const struct gpudbg_incident *, char *buf, size_t size);
/* Whether code of that instruction set may be what chips of the family run: family "one" runs one, one-pro and one2,
 * "one or other" either; NULL: it is not said, and all may be. */
bool dump_family_fits(const char *family, const struct gpudbg_isa *);

/* Incidents of a kind and device beyond those that are kept. */
unsigned long long dump_left_out(const struct gpudbg_dump *, const struct gpudbg_incident_kind *, const char *device);

#endif
