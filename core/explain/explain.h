/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * explain.h: what a dump means.  The rules are text, share/explain/NAME.rules:
 *
 *     words client                          what short names stand for; the longest beginning counts
 *       TC  a shader's loads and stores
 *     words weight                          how much a rule, or a cause, matters: 0 to 100
 *       page-fault  90
 *
 *     rule null-page                        its name
 *       subject incident vm-fault           looked at one after another: see below
 *       family one two                      only in captures of these, or of groups that `words families` makes;
 *                                           `other` : of a generation without a database
 *       when page = 0                       all must hold
 *       cause null-page                     a fixed word for scripts
 *       text {tag:letters} read page 0      one sentence; {KEY}, {KEY:form}, {KEY?if not 0|if 0 or none}
 *       evidence REGISTER ...               named beside what the conditions looked at
 *       fold KEY                            those with the same KEY are one, told as it was last
 *       range KEY                           those that differ in KEY alone (`page`, or an address) are one where their
 *                                           pages are neighbours, told as a range
 *       source where the rule comes from
 *
 * Subjects: `capture` (each once), `incident WORD`, `register NAME` (each of that name), `busy` (each register that
 * tells what is busy), `wave`, `note WORD`, `stream WORD` (with a read pointer).
 *
 * Keys: what the subject has (values of an incident, `buffer`, fields of a register, `value`, `count`, `line`, `unit`,
 * `text`), REG or REG.FIELD of the capture (of the wave), `op` and `op.FIELD` of a wave's or a stream's instruction,
 * `family`, `chip`, `number.WORD` (incidents, notes, streams of that word; `number.told`: all of them;
 * `number.registers`, `number.waves`, `number.busy`, `number.waiting`: streams with something left to read),
 * `fact.WORD`, `minus.KEY.KEY`, `joined.REG+REG` (64 bits, the first one above the second), `bits.HI.LO.KEY`,
 * `is.LIST.KEY`, `either` (of a family "A or B" the one that has a database), `header` (the command that a register's
 * value is, by the words header and header-GENERATION). A condition is KEY, `no KEY`, or KEY OP OTHER, where OP is =
 * != < > <= >= & !& (none of these bits) and OTHER a key, a number or a word.
 *
 * Forms: `x` hex, `d` decimal, `page` times 4096 in hex, `letters` four ASCII bytes, `client` the words of that list,
 * `name` the meaning of a field, REG.FIELD or FAMILY/REG.FIELD the meaning that that field gives, `busy` `idle` `set`
 * fields of the subject register.
 */
#ifndef GPUDBG_EXPLAIN_H
#define GPUDBG_EXPLAIN_H

#include "gpudbg.h"
#include "base/folders.h"
#include "base/ticker.h"

#define EVIDENCE 8

struct evidence {
    const char *name; /* of the register, incident or note; borrowed from the dump or the rules */
    uint32_t line;    /* 0: the file has no lines */
};

struct finding {
    const char *rule, *cause, *source; /* borrowed from the rules */
    char fold[64];                     /* what findings of the rule have that are one; "": only the same text is */
    char *text;
    char *shape;            /* of a rule with a range: the text with FINDING_RANGE for its pages; else NULL */
    uint64_t from, to;      /* its first and last page */
    uint64_t pages;         /* at least so many between them, with both, are known to have faulted */
    uint32_t capture, line; /* line: of the first time, 0 if the file has none */
    unsigned weight;        /* how much it matters: the most is 100 */
    uint32_t count, last;   /* how often the same is true; line of the last time */
    struct evidence evidence[EVIDENCE];
    unsigned nevidence;
};

#define FINDING_RANGE '\1'

struct explain;

/* How it is done; borrowed for as long as it is opened. */
struct explain_options {
    const char *syntax;   /* of instructions, by its name; "": the default */
    struct ticker ticker; /* things looked at */
    uint32_t first;       /* from this capture on, a limited number */
};

/* Reads the rules, every .rules file of the folders, and applies them to a dump.  NULL with err: no rules can be read.
 */
struct explain *explain_open(
    const struct gpudbg_dump *, const struct folders *, const struct explain_options *, struct gpudbg_error *);
struct rules;
/* The same with rules that were read before, which are taken over. */
struct explain *explain_by(const struct gpudbg_dump *, const struct rules *, const struct explain_options *);
void explain_close(struct explain *);
/* Findings by capture, those that matter most first, else in the order of the rules; NULL past the end. */
const struct finding *explain_finding(const struct explain *, size_t i);
/* Lines of rules that could not be read; the first stands in *err.  false: none. */
bool explain_problem(const struct explain *, struct gpudbg_error *err);

#endif
