/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c: words -> kernel, grid and bound arguments; bound arguments -> segments. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#include "base/words.h"
#include "machine/argument.h"
#include "machine/launch.h"
#include "machine/literal.h"
#include "gpudbg/text.h"

static char *keep_string(struct launching *l, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *s = launching_keep(l, size);
    return s ? memcpy(s, text, size) : NULL;
}

/* ---- Words ---- */

/* X[,Y[,Z]], each at least `least`, which stands for those left out. */
static bool sizes(
    const char *option, const char *text, uint32_t least, uint32_t out[3], unsigned *n, struct gpudbg_error *err)
{
    out[0] = out[1] = out[2] = least;
    *n = 0;
    for (const char *p = text;; p++) {
        uint64_t value;
        bool negative;
        if (*n == 3 || !literal_integer(p, &value, &negative, &p) || negative || (*p && *p != ','))
            return gpudbg_fail(err, "usage", "launch: %s '%s' is not %s; write X[,Y[,Z]]", option, text,
                least ? "a size" : "an offset");
        if (value < least || value > UINT32_MAX)
            return gpudbg_fail(err, "out-of-range", "launch: %s '%s': %" PRIu64 ": %s is %u to 4294967295", option,
                text, value, least ? "a size" : "an offset", least);
        out[(*n)++] = (uint32_t)value;
        if (!*p) return true;
    }
}

/* "NAME=ARG": the length of NAME, or 0. */
static size_t name_length(const char *word)
{
    if (!isalpha((unsigned char)*word) && *word != '_') return 0;
    size_t n = 0;
    while (isalnum((unsigned char)word[n]) || (word[n] && strchr("_[]:./@*", word[n]))) n++;
    return word[n] == '=' ? n : 0;
}

/* How the names of a kernel's parameters read in a message: "a, b, n". */
static const char *param_names(const struct gpudbg_kernel *k, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (size_t i = 0; i < k->nparams; i++)
        if (k->params[i].name)
            text_add(&t, "%s%s", i ? ", " : "", k->params[i].name);
        else
            text_add(&t, "%sarg%zu", i ? ", " : "", i);
    return buf;
}

static const struct gpudbg_param *param_named(const struct gpudbg_kernel *k, const char *name)
{
    for (size_t i = 0; i < k->nparams; i++)
        if (k->params[i].name && strcmp(k->params[i].name, name) == 0) return &k->params[i];
    char *end;
    unsigned long number = strncmp(name, "arg", 3) == 0 && isdigit((unsigned char)name[3]) ? strtoul(name + 3, &end, 10)
                                                                                           : k->nparams;
    return number < k->nparams && !*end ? &k->params[number] : NULL;
}

static bool is_bare(const struct gpudbg_kernel *k) { return k->abi_name == NULL && k->nparams == 0; }

/* The next parameter of a kernel whose file does not describe them: its type (NULL: none is given) by the word, its
 * place by its size. */
static bool guess_param(
    struct launching *l, const char *name, const char *type, const char *text, struct gpudbg_error *err)
{
    struct gpudbg_kernel *k = &l->bare;
    struct gpudbg_param *p = &k->params[k->nparams], *before = k->nparams ? p - 1 : NULL;
    struct literal_scalar s = {strpbrk(text, ".ep") && strncmp(text, "0x", 2) != 0 ? 'f' : 'i', 4};
    bool buffer = text[0] == '@';
    for (const char *const *form =
             (const char *const[]){"zero:", "fill:", "uninit:", "read-only:", "write-only:", NULL};
         *form && !buffer; form++)
        buffer = strncmp(text, *form, strlen(*form)) == 0;
    p->kind = buffer ? GPUDBG_PARAM_BUFFER : strncmp(text, "local:", 6) == 0 ? GPUDBG_PARAM_LOCAL : GPUDBG_PARAM_VALUE;
    if (type && strchr(type, '*') && p->kind == GPUDBG_PARAM_VALUE) p->kind = GPUDBG_PARAM_BUFFER, buffer = true;
    const unsigned count = p->kind == GPUDBG_PARAM_VALUE && type ? literal_element(type, &s) : 1;
    if (!count) return gpudbg_fail(err, "bad-argument", "launch: '%.40s' is not a type of OpenCL C", type);
    if (p->kind == GPUDBG_PARAM_VALUE) literal_scalar_prefix(text, &s, &text);
    p->type = type;
    p->name = name;
    p->scalar = p->kind == GPUDBG_PARAM_VALUE ? s.kind : 0;
    p->align = buffer ? 8 : s.size * (count == 3 ? 4 : count);
    p->size = strncmp(text, "hex:", 4) == 0 ? (uint32_t)(strlen(text) - 4) / 2 : p->align;
    p->offset = before ? before->offset + before->size : 0;
    p->offset = (p->offset + p->align - 1) & ~(p->align - 1);
    if (p->offset + p->size > 65536)
        return gpudbg_fail(err, "too-large", "launch: '%.40s': the arguments exceed 65536 bytes", text);
    k->nparams++;
    return true;
}

/* "buf0@0x1000": a buffer that lies where it says. */
static bool place_of_word(struct gpudbg_bound *b, char *word, struct gpudbg_error *err)
{
    char *at = strchr(word, '@');
    const char *end;
    bool negative;
    if (!at) return true;
    if (!literal_integer(at + 1, &b->address, &negative, &end) || *end || negative)
        return gpudbg_fail(err, "bad-argument", "launch: '%s' has no address after '@'", word);
    *at = 0;
    if (strncmp(word, "buf", 3) != 0 || !argument_is_resource(word))
        return gpudbg_fail(err, "bad-argument", "launch: '%s': only bufN can be given an address", word);
    b->placed = true;
    return true;
}

/* Notes an argument; its contents are read once all words are known. */
static bool add_word(struct launching *l, char *word, size_t *positional, struct gpudbg_error *err)
{
    const struct gpudbg_kernel *k = l->launch.kernel;
    struct gpudbg_bound *b = &l->launch.bound[l->launch.nbound];
    size_t n = name_length(word);
    char names[200], what[200];
    if (n) {
        word[n] = 0;
        b->name = word;
        b->text = word + n + 1;
        const char *type = is_bare(k) ? NULL : argument_type_of(word);
        if (!place_of_word(b, word, err)) return false;
        if (l->untyped && !guess_param(l, word, type, b->text, err)) return false;
        b->param = param_named(k, word);
        if (b->param && type && !l->untyped && !argument_typed(l, b, type, err)) return false;
        if (!b->param && !is_bare(k))
            return gpudbg_fail(err, "no-such-name", "launch: %s has no argument '%s' (%s)", k->name, word,
                k->nparams ? param_names(k, names, sizeof names) : "it has none");
    } else if (is_bare(k)) {
        return gpudbg_fail(err, "usage", "launch: '%s' has no name: bare code needs NAME=VALUE", word);
    } else {
        if (l->untyped && !guess_param(l, NULL, NULL, word, err)) return false;
        if (*positional >= k->nparams)
            return gpudbg_fail(err, "usage", "launch: '%s': %s takes %zu argument%s", word, k->name, k->nparams,
                k->nparams == 1 ? "" : "s");
        b->text = word;
        b->param = &k->params[(*positional)++];
    }
    if (b->param) {
        if (b->param->name)
            b->name = b->param->name;
        else if (!(b->name = launching_keep(l, 24)))
            return launching_no_memory(err);
        else
            snprintf((char *)b->name, 24, "arg%d", (int)(b->param - k->params));
    }
    for (size_t i = 0; i < l->launch.nbound; i++)
        if (strcmp(l->launch.bound[i].name, b->name) == 0)
            return gpudbg_fail(err, "usage", "%s is given twice", launching_what(&l->launch, b, what, sizeof what));
    l->launch.nbound++;
    return true;
}

/* ---- Which kernel ---- */

static bool bare_kernel(
    struct launching *l, const struct gpudbg_image *image, const char *word, struct gpudbg_error *err)
{
    const struct gpudbg_symbol *symbol = word ? gpudbg_image_find(image, word) : NULL;
    uint64_t entry = 0;
    bool negative, found = false;
    const char *end;
    if (symbol) {
        entry = symbol->addr;
        found = true;
    } else if (word) {
        if (!literal_integer(word, &entry, &negative, &end) || *end || negative || !gpudbg_image_at(image, entry))
            return gpudbg_fail(
                err, "no-such-name", "launch: '%s' is neither a symbol nor an address of the code", word);
        found = true;
    }
    for (size_t i = 0; i < image->nsections && !found; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES) {
            entry = image->sections[i].addr;
            found = true;
        }
    if (!found) return gpudbg_fail(err, "not-now", "launch: %s holds no code", image->path ? image->path : "the file");
    l->bare.name = symbol ? symbol->name : "code";
    l->bare.entry = entry;
    l->launch.kernel = &l->bare;
    return true;
}

static bool choose_kernel(
    struct launching *l, const struct gpudbg_image *image, const char *word, struct gpudbg_error *err)
{
    char names[300];
    struct text all = text_in(names, sizeof names);
    if (word) {
        l->launch.kernel = gpudbg_image_kernel_named(image, word);
        if (l->launch.kernel) return true;
    }
    if (image->nkernels == 0) return bare_kernel(l, image, word, err);
    if (!word && image->nkernels == 1) {
        l->launch.kernel = image->kernels;
        return true;
    }
    for (size_t i = 0; i < image->nkernels && !text_is_cut(&all); i++)
        text_add(&all, "%s%s", i ? ", " : "", image->kernels[i].name);
    return word ? gpudbg_fail(err, "no-such-name", "launch: no kernel named '%s' (%s)", word, names)
                : gpudbg_fail(err, "ambiguous", "launch: the file has several kernels, name one (%s)", names);
}

/* ---- The grid ---- */

/* Without -l: what the kernel requires, else the largest divisor of the global size up to 64 (8 x 8, 4 x 4 x 4), or to
 * what the kernel allows, so that groups are whole; a size with no fair divisor gets partial groups. */
static void default_local(struct gpudbg_launch *launch)
{
    static const uint32_t most[3] = {64, 8, 4};
    const struct gpudbg_kernel *k = launch->kernel;
    uint32_t limit[3] = {1, 1, 1};
    for (unsigned i = 0; i < launch->dimensions; i++) limit[i] = most[launch->dimensions - 1];
    if (k->max_local && launch->dimensions == 1 && limit[0] > k->max_local) limit[0] = k->max_local;
    while (k->max_local && limit[0] * limit[1] * limit[2] > k->max_local) {
        uint32_t *largest = &limit[limit[1] > limit[0]];
        *(limit[2] > *largest ? &limit[2] : largest) /= 2;
    }
    for (unsigned i = 0; i < 3; i++) {
        uint32_t local = 1;
        for (uint32_t d = 1; d <= limit[i]; d++)
            if (launch->global[i] % d == 0) local = d;
        launch->local[i] = k->reqd_local[0]                                       ? k->reqd_local[i]
                           : local * 4 < limit[i] && launch->global[i] > limit[i] ? limit[i]
                                                                                  : local;
    }
}

static bool check_grid(struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    const struct gpudbg_kernel *k = launch->kernel;
    const uint32_t *r = k->reqd_local, *l = launch->local;
    uint64_t items = (uint64_t)l[0] * l[1], groups = 1;
    if (r[0] && (r[0] != l[0] || r[1] != l[1] || r[2] != l[2]))
        return gpudbg_fail(err, "bad-argument", "launch: local size %u,%u,%u: %s requires %u,%u,%u", l[0], l[1], l[2],
            k->name, r[0], r[1], r[2]);
    items = items > UINT32_MAX ? items : items * l[2];
    if (k->max_local && items > k->max_local)
        return gpudbg_fail(err, "bad-argument", "launch: local size %u,%u,%u: %" PRIu64 " work-items, %s allows %u",
            l[0], l[1], l[2], items, k->name, k->max_local);
    if (items > 65536)
        return gpudbg_fail(err, "too-large", "launch: local size %u,%u,%u: %" PRIu64 " work-items, more than 65536",
            l[0], l[1], l[2], items);
    for (unsigned i = 0; i < 3; i++) {
        launch->groups[i] = (uint32_t)(((uint64_t)launch->global[i] + l[i] - 1) / l[i]);
        groups = groups > UINT32_MAX ? groups : groups * launch->groups[i];
    }
    if (groups * (items < 8 ? 1 : (items + 7) / 8) >= UINT32_MAX)
        return gpudbg_fail(err, "too-large", "launch: %u x %u x %u groups of %" PRIu64 ": too many", launch->groups[0],
            launch->groups[1], launch->groups[2], items);
    return true;
}

/* ---- All of it ---- */

static bool check_missing(const struct gpudbg_launch *launch, struct gpudbg_error *err)
{
    char what[200];
    for (size_t p = 0; p < launch->kernel->nparams; p++) {
        struct gpudbg_bound missing = {.param = &launch->kernel->params[p]};
        bool found = false;
        for (size_t i = 0; i < launch->nbound; i++) found |= launch->bound[i].param == missing.param;
        if (!found && !missing.param->optional)
            return gpudbg_fail(err, "usage", "%s: missing", launching_what(launch, &missing, what, sizeof what));
    }
    return true;
}

static bool parse(struct launching *l, const struct gpudbg_image *image, const char *words,
    const struct launch_files *files, struct gpudbg_error *err)
{
    struct gpudbg_launch *launch = &l->launch;
    struct gpudbg_args args = {.at = keep_string(l, words + strspn(words, " \t\n"))};
    const char *word;
    bool has_global = false, has_local = false;
    unsigned dimensions;
    size_t positional = 0;
    if (!args.at) return launching_no_memory(err);
    word = gpudbg_args_word(&args);
    bool named = word && word[0] != '-' && !name_length(word);
    if (!choose_kernel(l, image, named ? word : NULL, err)) return false;
    if (named) word = gpudbg_args_word(&args);
    if (!(launch->bound = launching_keep(l, (strlen(words) / 2 + 2) * sizeof *launch->bound)))
        return launching_no_memory(err);
    if (launch->kernel->abi_name && launch->kernel->nparams == 0 && launch->kernel->kernarg) {
        l->bare = *launch->kernel;
        l->bare.params = launching_keep(l, (strlen(words) / 2 + 2) * sizeof *l->bare.params);
        if (!l->bare.params) return launching_no_memory(err);
        l->untyped = true;
        launch->kernel = &l->bare;
    }
    while (word) {
        if (word[0] == '-' && word[1] && strchr("glo", word[1])) {
            const char option[3] = {'-', word[1], 0};
            uint32_t *to = word[1] == 'g' ? launch->global : word[1] == 'l' ? launch->local : launch->offset;
            const char *text = word + 2;
            if (!*text && !(text = gpudbg_args_word(&args)))
                return gpudbg_fail(err, "usage", "launch: %s needs X[,Y[,Z]]", option);
            if (!sizes(option, text, option[1] != 'o', to, &dimensions, err)) return false;
            if (option[1] == 'g') launch->dimensions = dimensions;
            has_global |= option[1] == 'g';
            has_local |= option[1] == 'l';
        } else if (word[0] == '-' && !isdigit((unsigned char)word[1]) && word[1] != '.') {
            return gpudbg_fail(err, "usage", "launch: unknown option '%s'", word);
        } else if (!add_word(l, (char *)word, &positional, err)) { /* of our own copy */
            return false;
        }
        word = gpudbg_args_word(&args);
    }
    if (!has_global)
        return gpudbg_fail(err, "usage", "launch: -g is missing: the global size in work-items, X[,Y[,Z]]");
    if (!has_local || launch->kernel->fixed_local) default_local(launch);
    if (!check_grid(launch, err) || !check_missing(launch, err)) return false;
    for (unsigned pass = 0; pass < 2; pass++) /* buffers first, so that parts may name them */
        for (size_t i = 0; i < launch->nbound; i++) {
            struct gpudbg_bound *b = &launch->bound[i];
            bool second = !b->param && !argument_is_resource(b->name);
            if (second == (pass == 1) &&
                !(b->param ? argument_bind(l, b, files, err) : argument_bind_part(l, b, files, err)))
                return false;
        }
    return true;
}

/* ---- The words of a launch, some of them changed ---- */

struct launch_word {
    const char *raw; /* as it was typed, quotes and an option's value with it */
    size_t length;
    const char *word;
    size_t name; /* the length of NAME in NAME=ARG */
    char kind;   /* 'g', 'l', 'o': the option; 'k': the kernel; 'a': an argument */
    bool used;
};

/* Takes words apart: copy is text once more, to be written in. */
static size_t words_of(const char *text, char *copy, bool kernel_first, struct launch_word *to)
{
    struct gpudbg_args args = {.at = copy + strspn(copy, " \t\n")};
    const char *begin = args.at, *word;
    size_t n = 0;
    for (; (word = gpudbg_args_word(&args)); begin = args.at, n++) {
        const bool option = word[0] == '-' && word[1] && strchr("glo", word[1]);
        to[n] = (struct launch_word){.raw = text + (begin - copy), .word = word};
        to[n].name = option ? 0 : name_length(word);
        to[n].kind = option ? word[1] : kernel_first && n == 0 && word[0] != '-' && !to[n].name ? 'k' : 'a';
        if (option && !word[2]) gpudbg_args_word(&args);
        to[n].length = (size_t)(args.at - begin);
        while (to[n].length && isspace((unsigned char)to[n].raw[to[n].length - 1])) to[n].length--;
    }
    return n;
}

/* Do two named arguments, or the parameter of one that is not named, mean the same? */
static bool means(const struct gpudbg_kernel *k, const struct launch_word *w, const struct gpudbg_param *param,
    const struct launch_word *change)
{
    char name[200];
    if (!change->name || change->name >= sizeof name) return false;
    if (w->name == change->name && strncmp(w->word, change->word, w->name) == 0) return true;
    memcpy(name, change->word, change->name);
    name[change->name] = 0;
    return param && param_named(k, name) == param;
}

char *launch_words_changed(
    const struct gpudbg_image *image, const char *words, const char *changes, struct gpudbg_error *err)
{
    struct launching *l = xalloc(sizeof *l);
    l->image = image;
    char *copy[2] = {xstrdup(words), xstrdup(changes)};
    struct launch_word *was = xalloc((strlen(words) / 2 + 1) * sizeof *was);
    struct launch_word *now = xalloc((strlen(changes) / 2 + 1) * sizeof *now);
    const size_t nwas = words_of(words, copy[0], true, was), nnow = words_of(changes, copy[1], false, now);
    const size_t size = strlen(words) + strlen(changes) + 2;
    char *all = NULL;
    bool anew = false; /* arguments without names are all of the arguments, in order */
    for (size_t i = 0; i < nnow; i++) anew |= now[i].kind == 'a' && !now[i].name;
    if (choose_kernel(l, image, nwas && was[0].kind == 'k' ? was[0].word : NULL, err)) {
        const struct gpudbg_kernel *k = l->launch.kernel;
        struct text t = text_in(all = xalloc(size), size);
        size_t positional = 0;
        for (size_t i = 0; i < nwas; i++) {
            const struct launch_word *w = &was[i], *by = w;
            const bool nth = w->kind == 'a' && !w->name;
            const struct gpudbg_param *param = nth && positional < k->nparams ? &k->params[positional] : NULL;
            positional += nth;
            if (anew && w->kind == 'a') continue;
            for (size_t j = 0; j < nnow; j++)
                if (w->kind == 'a' ? means(k, w, param, &now[j]) : w->kind == now[j].kind) {
                    by = &now[j];
                    now[j].used = true;
                }
            /* What stood without a name is one of a row, and stays in its place without one. */
            const bool quoted = by->raw[0] == '"' || by->raw[0] == '\'';
            const size_t drop = nth && by->name ? by->name + 1 : 0;
            if (t.n) text_add_char(&t, ' ');
            if (drop && quoted) text_add_char(&t, by->raw[0]);
            text_add_bytes(&t, by->raw + drop + (drop && quoted), by->length - drop - (drop && quoted));
        }
        for (size_t j = 0; j < nnow; j++) {
            if (now[j].used) continue;
            if (t.n) text_add_char(&t, ' ');
            text_add_bytes(&t, now[j].raw, now[j].length);
        }
    }
    free(was);
    free(now);
    free(copy[0]);
    free(copy[1]);
    launching_free(l);
    return all;
}

struct gpudbg_launch *launch_parse(const struct gpudbg_image *image, const char *words,
    const struct launch_files *files, const struct ticker *ticker, struct gpudbg_error *err)
{
    struct launching *l = xalloc(sizeof *l);
    l->image = image;
    l->ticker = ticker;
    if (parse(l, image, words, files ? files : &(struct launch_files){0}, err)) return &l->launch;
    launch_free(&l->launch);
    return NULL;
}

char *launch_file_of(const struct gpudbg_bound *b)
{
    const char *text = b->text;
    for (const char *const *p = (const char *const[]){"read-only:", "write-only:", NULL}; *p; p++)
        if (strncmp(text, *p, strlen(*p)) == 0) {
            text += strlen(*p);
            break;
        }
    if (text[0] != '@') return NULL;
    const size_t n = strlen(text + 1), format = b->format ? strlen(b->format) + 1 : 0;
    return xstrndup(text + 1, n > format ? n - format : n);
}

void launch_free(struct gpudbg_launch *launch) { launching_free((struct launching *)launch); }

static bool bind_segment(struct gpudbg_machine *m, struct gpudbg_bound *b, struct gpudbg_error *err)
{
    b->segment = b->placed ? gpudbg_machine_segment_at(m, b->name, b->address, b->size, b->bytes, b->flags, err)
                           : gpudbg_machine_segment(m, b->name, b->size, b->bytes, b->flags, err);
    if (!b->segment) return false;
    b->segment->param = b->param ? (int32_t)(b->param - m->launch->kernel->params) : -1;
    if (!b->bytes && b->value) memset(b->segment->bytes, (int)b->value, b->size);
    return true;
}

bool launch_bind(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const struct gpudbg_launch *launch = m->launch;
    for (unsigned placed = 2; placed-- > 0;) /* those with an address first, so that others keep out of their way */
        for (size_t i = 0; i < launch->nbound; i++) {
            struct gpudbg_bound *b = &launch->bound[i];
            if (b->kind == GPUDBG_BOUND_BUFFER && b->placed == placed && !bind_segment(m, b, err)) return false;
        }
    for (size_t i = 0; i < launch->nbound; i++) {
        struct gpudbg_bound *b = &launch->bound[i];
        if (b->kind == GPUDBG_BOUND_PART && b->bytes && strchr(b->text, '&') && b->text[0] != '@' &&
            !literal_contents(
                launch, b->name, b->text, (struct literal_scalar){0, 4}, (uint8_t *)b->bytes, &b->size, err))
            return false;
    }
    return true;
}

/* ---- Looking ---- */

struct gpudbg_segment *launch_buffer(const struct gpudbg_machine *m, const char *which, struct gpudbg_error *err)
{
    const struct gpudbg_launch *launch = m->launch;
    const struct gpudbg_bound *b = launch_bound_named(launch, which, strlen(which));
    char what[200], names[200], *end;
    if (!b && isdigit((unsigned char)*which)) {
        unsigned long number = strtoul(which, &end, 0);
        for (size_t i = 0; i < launch->nbound && !*end; i++)
            if (launch->bound[i].param && (unsigned long)(launch->bound[i].param - launch->kernel->params) == number)
                b = &launch->bound[i];
    }
    if (!b)
        gpudbg_fail(err, "no-such-name", "%s has no argument '%s' (%s)", launch->kernel->name, which,
            launch->kernel->nparams ? param_names(launch->kernel, names, sizeof names) : "it has none");
    else if (b->kind != GPUDBG_BOUND_BUFFER)
        gpudbg_fail(err, "no-such-name", "%s is not a buffer", launching_what(launch, b, what, sizeof what));
    else
        return b->segment;
    return NULL;
}
