/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_rules.h: rules as read from share/explain; between explain_rules.c and explain.c. */
#ifndef GPUDBG_EXPLAIN_RULES_H
#define GPUDBG_EXPLAIN_RULES_H

#include "gpudbg.h"
#include "base/folders.h"

#define RULE_CONDITIONS 16
#define RULE_FAMILIES 16
#define RULE_EVIDENCE 6

enum subject { ON_CAPTURE, ON_INCIDENT, ON_REGISTER, ON_BUSY, ON_WAVE, ON_NOTE, ON_STREAM };

struct condition {
    const char *key, *op, *other; /* op NULL: the key is there; "no": it is not */
    bool is_number;               /* other is a number: */
    uint64_t number;
};

struct rule {
    const char *name, *cause, *text, *source, *about; /* about: word or register after the subject, or NULL */
    const char *fold, *range;                         /* keys, or NULL */
    enum subject subject;
    const char *family[RULE_FAMILIES];
    unsigned nfamilies;
    struct condition when[RULE_CONDITIONS];
    unsigned nwhen;
    const char *evidence[RULE_EVIDENCE];
    unsigned nevidence;
    long line;
    bool broken; /* a line of it could not be read: never applied */
};

struct word_entry {
    const char *list, *word, *means;
};

struct rules {
    struct rule *rule;
    size_t nrules;
    struct word_entry *word;
    size_t nwords;
    char **text; /* files, cut into words */
    size_t ntexts;
    struct gpudbg_error problem; /* the first; kind NULL: none */
};

/* Reads every .rules file of the folders, of which the first must hold one.  false: it holds none. */
bool rules_read(struct rules *, const struct folders *, struct gpudbg_error *);
/* Text of one file, which is taken over (malloc'ed, ends with 0). */
bool rules_add(struct rules *, const char *path, char *text);
void rules_free(struct rules *);
/* What a word of a list stands for: the longest entry that it begins with; NULL: none. */
const char *rules_word(const struct rules *, const char *list, const char *word);

#endif
