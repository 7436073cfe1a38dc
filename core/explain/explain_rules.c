/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_rules.c: the text of rules; explain.h shows what it looks like. */
#include "explain/explain_rules.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/alloc.h"
#include "base/open_file.h"

#define FILE_MOST (4 << 20)

struct reader {
    struct rules *to;
    const char *list;  /* of words, or NULL */
    struct rule *rule; /* being read, or NULL */
    char *at;
    struct gpudbg_error *err;
};

static bool bad(struct reader *r, const char *what, const char *text)
{
    return gpudbg_fail(r->err, "syntax", "%s%s%.60s%s", what, text ? " \"" : "", text ? text : "", text ? "\"" : "");
}

static char *word(struct reader *r)
{
    r->at += strspn(r->at, " \t");
    if (!*r->at) return NULL;
    char *start = r->at;
    r->at += strcspn(r->at, " \t");
    if (*r->at) *r->at++ = 0;
    r->at += strspn(r->at, " \t");
    return start;
}

static bool subject(struct reader *r)
{
    static const struct {
        const char *name;
        bool about;
    } subjects[] = {[ON_CAPTURE] = {"capture", false},
        [ON_INCIDENT] = {"incident", true},
        [ON_REGISTER] = {"register", true},
        [ON_BUSY] = {"busy", false},
        [ON_WAVE] = {"wave", false},
        [ON_NOTE] = {"note", true},
        [ON_STREAM] = {"stream", true}};
    char *name = word(r);
    for (unsigned i = 0; name && i < sizeof subjects / sizeof *subjects; i++)
        if (strcmp(subjects[i].name, name) == 0) {
            r->rule->subject = (enum subject)i;
            r->rule->about = subjects[i].about ? word(r) : NULL;
            return !subjects[i].about || r->rule->about || bad(r, "subject: what follows is missing:", name);
        }
    return bad(r, "no such subject:", name);
}

static bool when(struct reader *r)
{
    static const char *const ops[] = {"=", "!=", "<", ">", "<=", ">=", "&", "!&"};
    struct condition c = {.key = word(r)};
    if (!c.key || r->rule->nwhen == RULE_CONDITIONS)
        return bad(r, c.key ? "too many conditions in" : "when: a key is missing", c.key ? r->rule->name : NULL);
    if (strcmp(c.key, "no") == 0) {
        c.op = "no";
        c.key = word(r);
    } else if (*r->at) {
        char *op = word(r);
        for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
            if (strcmp(ops[i], op) == 0) c.op = ops[i];
        c.other = r->at;
        r->at += strlen(r->at);
        char *end = NULL;
        if (isdigit((unsigned char)*c.other)) c.number = strtoull(c.other, &end, 0);
        c.is_number = end && !*end;
        if (!c.op || !*c.other) return bad(r, "when KEY OP OTHER, where OP is = != < > <= >= & !&, not", op);
    }
    if (!c.key) return bad(r, "when: a key is missing", NULL);
    r->rule->when[r->rule->nwhen++] = c;
    return true;
}

/* Whether the words of a text hold this one. */
static bool has_word(const char *text, const char *one)
{
    const size_t length = strlen(one);
    for (size_t n; *text; text += n + strspn(text + n, " ")) {
        n = strcspn(text, " ");
        if (n == length && memcmp(text, one, n) == 0) return true;
    }
    return false;
}

static void words_of(struct reader *r, const char **to, unsigned *n, unsigned most)
{
    char *w;
    while ((w = word(r)))
        if (*n < most) to[(*n)++] = w;
}

/* Names of families, and of groups of them: `words families` lists of each family the groups that it is of. */
static void families_of(struct reader *r, struct rule *rule)
{
    const char *names[RULE_FAMILIES];
    unsigned n = 0;
    words_of(r, names, &n, RULE_FAMILIES);
    for (unsigned i = 0; i < n; i++) {
        bool group = false;
        for (size_t k = 0; k < r->to->nwords; k++) {
            const struct word_entry *w = &r->to->word[k];
            if (strcmp(w->list, "families") != 0 || !has_word(w->means, names[i])) continue;
            group = true;
            if (rule->nfamilies < RULE_FAMILIES) rule->family[rule->nfamilies++] = w->word;
        }
        if (!group && rule->nfamilies < RULE_FAMILIES) rule->family[rule->nfamilies++] = names[i];
    }
}

static bool rule_line(struct reader *r, const char *key)
{
    struct rule *rule = r->rule;
    if (strcmp(key, "subject") == 0) return subject(r);
    if (strcmp(key, "when") == 0) return when(r);
    if (strcmp(key, "family") == 0)
        families_of(r, rule);
    else if (strcmp(key, "evidence") == 0)
        words_of(r, rule->evidence, &rule->nevidence, RULE_EVIDENCE);
    else if (strcmp(key, "cause") == 0)
        rule->cause = r->at;
    else if (strcmp(key, "text") == 0)
        rule->text = r->at;
    else if (strcmp(key, "source") == 0)
        rule->source = r->at;
    else if (strcmp(key, "fold") == 0)
        rule->fold = r->at;
    else if (strcmp(key, "range") == 0)
        rule->range = r->at;
    else
        return bad(r, "a rule has no line", key);
    return true;
}

static bool word_line(struct reader *r, const char *key)
{
    r->to->word = xrealloc(r->to->word, r->to->nwords + 1, sizeof *r->to->word);
    r->to->word[r->to->nwords++] = (struct word_entry){r->list, key, r->at};
    return *r->at || bad(r, "what does it stand for:", key);
}

static bool heading(struct reader *r, long line)
{
    char *what = word(r), *name = word(r);
    r->list = NULL;
    r->rule = NULL;
    if (!name) return bad(r, "a name is missing after", what);
    if (strcmp(what, "words") == 0) {
        r->list = name;
        return true;
    }
    if (strcmp(what, "rule") != 0) return bad(r, "`rule NAME` or `words NAME` is wanted, not", what);
    r->to->rule = xrealloc(r->to->rule, r->to->nrules + 1, sizeof *r->to->rule);
    r->rule = &r->to->rule[r->to->nrules++];
    *r->rule = (struct rule){.name = name, .line = line};
    return true;
}

static void note_problem(struct rules *to, const char *path, long line, const struct gpudbg_error *err)
{
    if (to->problem.kind) return;
    to->problem = *err;
    to->problem.line = line;
    snprintf(to->problem.file, sizeof to->problem.file, "%.255s", path);
}

static void read_text(struct rules *to, const char *path, char *text)
{
    struct gpudbg_error err = {0};
    struct reader r = {.to = to, .err = &err};
    char *next;
    size_t first = to->nrules;
    for (long line = 1; text; text = next, line++) {
        next = strchr(text, '\n');
        if (next) *next++ = 0;
        text[strcspn(text, "\r")] = 0;
        bool indented = *text == ' ' || *text == '\t';
        r.at = text + strspn(text, " \t");
        if (!*r.at || *r.at == '#') continue;
        err = (struct gpudbg_error){.offset = -1};
        bool good;
        if (!indented)
            good = heading(&r, line);
        else if (r.rule)
            good = rule_line(&r, word(&r));
        else if (r.list)
            good = word_line(&r, word(&r));
        else
            good = bad(&r, "no rule before", r.at);
        if (good) continue;
        note_problem(to, path, line, &err);
        if (indented && r.rule) r.rule->broken = true;
    }
    for (size_t i = first; i < to->nrules; i++) {
        struct rule *rule = &to->rule[i];
        if (rule->broken) rule->text = NULL;
        if (rule->broken || (rule->cause && rule->text && rule->source)) continue;
        err = (struct gpudbg_error){.offset = -1};
        gpudbg_fail(&err, "syntax", "rule %.60s needs a cause, a text and a source", rule->name);
        note_problem(to, path, rule->line, &err);
        rule->text = NULL; /* never applied */
    }
}

bool rules_add(struct rules *to, const char *path, char *text)
{
    if (!text) return false;
    char **texts = xrealloc(to->text, to->ntexts + 1, sizeof *texts);
    to->text = texts;
    to->text[to->ntexts++] = text;
    read_text(to, path, text);
    return true;
}

static bool read_file(struct rules *to, const char *path, struct gpudbg_error *err)
{
    size_t n;
    return rules_add(to, path, text_named(path, FILE_MOST, &n, err));
}

static int is_rules(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 6 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 6, ".rules") == 0;
}

/* No folder is no error; a file of it that cannot be read is one, because what it would have said is missed. */
static bool read_folder(struct rules *to, const char *folder, struct gpudbg_error *err)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, is_rules, alphasort);
    if (n < 0 && errno != ENOENT && errno != ENOTDIR)
        return gpudbg_fail(err, errno == ENOMEM ? "memory" : "io", "%.400s: %s", folder, strerror(errno));
    bool done = true;
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        done = done && read_file(to, path, err);
        free(entry[i]);
    }
    free(entry);
    return done;
}

bool rules_read(struct rules *to, const struct folders *folders, struct gpudbg_error *err)
{
    *to = (struct rules){0};
    for (unsigned i = 0; i < folders->n; i++) {
        if (!read_folder(to, folders->path[i], err)) return false;
        if (!to->nrules) return gpudbg_fail(err, "missing", "%.400s: no rules", folders->path[i]);
    }
    return true;
}

void rules_free(struct rules *r)
{
    for (size_t i = 0; i < r->ntexts; i++) free(r->text[i]);
    free(r->text);
    free(r->rule);
    free(r->word);
}

const char *rules_word(const struct rules *r, const char *list, const char *w)
{
    const char *means = NULL;
    size_t best = 0;
    const int first = tolower((unsigned char)*w);
    const char *same = NULL; /* the list that was asked for, as a section of a file has it: one string for its words */
    for (size_t i = 0; i < r->nwords; i++) {
        const struct word_entry *at = &r->word[i];
        if (tolower((unsigned char)*at->word) != first || (at->list != same && strcmp(at->list, list) != 0)) continue;
        same = at->list;
        const size_t n = strlen(at->word);
        if (n > best && strncasecmp(at->word, w, n) == 0) {
            best = n;
            means = at->means;
        }
    }
    return means;
}
