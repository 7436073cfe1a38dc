/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phrases.c: messages of the kernel's drivers that are one line and one incident: a row each, in phrases/, a file for
 * each subsystem.  SAYS(kind, pattern, ...) is for kinds whose values rules of explain put into words; MEANS(driver,
 * kind, pattern, meaning) says in its own words what the message means, and by its kind what it proves: `driver` writes
 * it ("": several do).  A pattern stands at the start of the message:
 *
 *     *          anything, until what follows fits           {...}      may be there; what is in it counts only as a
 *                                                                       whole
 *     $          the end of the line
 *     %0         a number in decimal: the kind's value 0     %-0  with a sign     %x0  in hex, without 0x
 *     %r1        the same, and the unit is the ring with that number
 *                (ring numbers are radeon's unless the line is amdgpu's)
 *     %u %w      the unit (a ring, an engine): up to what follows; a name
 *     %c         the same, told by the number of its class
 *     %t         the text (whose work it was): up to what follows, or the rest
 *
 * .source is whose text it is, as `info phrases` shows it: files of Linux (three at most), and the first and the last
 * version that has it of those that were searched: 4.16, 5.0, 5.4, 5.15, 6.6 and 6.11 as FreeBSD's drm-kmod has them,
 * 5.10, 6.1, 6.12 and 7.3 as Debian does (xe in the last two alone); or the program ("Mesa"); or "a public log", with
 * what wrote it where that is known.  A text that is put together has the file of its format.
 *
 * In a meaning {t}, {u}, {0} and {x0} stand for the text, the unit and value 0, in decimal and in hex; where there is
 * no text, " ({t})" is left out.
 */
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include "gpudbg/text.h"
#include "kernel_log.h"

#define LOST 1
#define CANCELLED (-125) /* ECANCELED: amdgpu's answer for a context that is lost */

static const struct phrase {
    const char *pattern;
    const struct gpudbg_incident_kind *kind, *then; /* then: a second incident of the same line, or NULL */
    const char *unit, *text;                        /* where the message implies them */
    const char *driver, *meaning;                   /* of MEANS; NULL: of SAYS */
    enum reset_step step;                           /* of a reset */
    int16_t lost;                                   /* of a program: LOST, its context is lost; or only where value 0
                                                       is this (negative) error; 0: it says something else */
    bool done;                                      /* of a trace point: it was reached, and no later one */
    bool zero;                                      /* the kind's value 0 is 0 */
    const char *source;                             /* see above */
} phrases[] = {
#define SAYS(kind_, ...) {.kind = &incident_##kind_, .pattern = __VA_ARGS__},
#define MEANS(driver_, kind_, pattern_, ...) \
    {.driver = driver_, .kind = &incident_##kind_, .pattern = pattern_, .step = 0, .meaning = __VA_ARGS__},
#include "phrases/resets.def"
#include "phrases/rings.def"
#include "phrases/engines.def"
#include "phrases/compute.def"
#include "phrases/memory.def"
#include "phrases/errors.def"
#include "phrases/power.def"
#include "phrases/start.def"
#include "phrases/display.def"
#include "phrases/others.def"
};

/* ---- Patterns ---- */

#define UNIT_MOST 63
#define TEXT_MOST 95

struct match {
    struct gpudbg_incident *incident; /* its values are written as they come; have says which count */
    uint32_t have;
    const char *unit, *text;
    size_t unit_size, text_size;
    const char *ring;
    const char *tag; /* the function that says it, or NULL */
    bool amdgpu;
};

/* Numbers of rings as the two drivers give them: radeon on all chips, amdgpu on gfx7; from gfx8 on the ring behind the
 * compute rings is the one that manages queues, so what a number above 8 is there is only known of that one, by the
 * function that tests it. */
static const char *ring_name(uint64_t ring, const struct match *m)
{
    static const char *const names[] = {"gfx", "compute 1", "compute 2", "dma0", "dma1", "uvd", "vce1", "vce2"};
    static const char *const of_amdgpu[] = {"gfx", "compute 1", "compute 2", "compute 3", "compute 4", "compute 5",
        "compute 6", "compute 7", "compute 8", "sdma0", "sdma1"};
    const char *tag = m->tag ? m->tag : "";
    const bool later = begins(tag, "gfx_v") && !begins(tag, "gfx_v7_") && !begins(tag, "gfx_v6_");
    if (!m->amdgpu) return ring < sizeof names / sizeof *names ? names[ring] : NULL;
    if (later && ring > 8) return ring == 9 ? "kiq" : NULL;
    return ring < sizeof of_amdgpu / sizeof *of_amdgpu ? of_amdgpu[ring] : NULL;
}

/* Classes of engines as Intel's GuC counts them (intel_guc_fwif.h, guc_fwif.h: GUC_*_CLASS). */
static const char *class_name(uint64_t class)
{
    static const char *const names[] = {"rcs", "vcs", "vecs", "bcs", "ccs", "gsccs"};
    return class < sizeof names / sizeof *names ? names[class] : NULL;
}

/* Behind the brace that closes the one at `pattern`. */
static const char *behind(const char *pattern)
{
    unsigned depth = 0;
    do {
        depth += *pattern == '{';
        depth -= *pattern == '}';
        pattern++;
    } while (depth);
    return pattern;
}

static bool take_number(const char **pattern, const char **p, struct match *m)
{
    const char how = isdigit((unsigned char)**pattern) ? '0' : *(*pattern)++;
    const unsigned at = (unsigned)(*(*pattern)++ - '0');
    uint64_t *value = &m->incident->values[at];
    const bool negative = how == '-' && scan_word(p, "-");
    if (!(how == 'x' ? scan_hex(p, 16, value) : scan_decimal(p, value))) return false;
    if (negative) *value = (uint64_t) - (int64_t)*value;
    if (how == 'r') m->ring = ring_name(*value, m);
    m->have |= 1u << at;
    return true;
}

static bool fits(const char *pattern, const char *p, struct match *m);

/* Some characters, as few as do, and then the rest of the pattern; all of the line where the pattern has no more. */
static bool fits_behind(const char *pattern, const char *p, size_t least, size_t most, size_t *size, struct match *m)
{
    const size_t n = strcspn(pattern, "*{}%$"); /* of what the rest must begin with */
    if (!*pattern) return *size = strlen(p), true;
    const char *end = p + strlen(p);
    for (const char *at = p + (least && *p);
         (at = n ? memmem(at, (size_t)(end - at), pattern, n) : at) && (size_t)(at - p) <= most; at++) {
        struct match whole = *m;
        if (fits(pattern, at, &whole)) {
            *m = whole;
            return *size = (size_t)(at - p), true;
        }
        if (!*at) break;
    }
    return false;
}

static bool fits(const char *pattern, const char *p, struct match *m)
{
    size_t passed;
    while (*pattern) {
        const char c = *pattern++;
        if (c == '*') return fits_behind(pattern, p, 0, SIZE_MAX, &passed, m);
        if (c == '{') {
            struct match with = *m;
            if (fits(pattern, p, &with)) return *m = with, true;
            pattern = behind(pattern - 1);
        } else if (c == '%' && (*pattern == 'u' || *pattern == 't')) {
            const bool unit = *pattern++ == 'u';
            *(unit ? &m->unit : &m->text) = p;
            size_t size;
            if (!fits_behind(pattern, p, unit, unit ? UNIT_MOST : TEXT_MOST, &size, m)) return false;
            *(unit ? &m->unit_size : &m->text_size) = size;
            return true;
        } else if (c == '%' && *pattern == 'w') {
            char name[UNIT_MOST + 1];
            pattern++;
            m->unit = p;
            if (!scan_name(&p, name, sizeof name)) return false;
            m->unit_size = strlen(name);
        } else if (c == '%' && *pattern == 'c') {
            uint64_t class;
            pattern++;
            if (!scan_decimal(&p, &class)) return false;
            m->ring = class_name(class);
        } else if (c == '%') {
            if (!take_number(&pattern, &p, m)) return false;
        } else if (c == '$' ? *p != 0 : c != '}' && *p++ != c) {
            return false;
        }
    }
    return true;
}

/* ---- Which patterns a line may fit at all ---- */

/* Most lines of a log fit no pattern: of each pattern, four characters that a line must have somewhere. */
enum { PHRASES = sizeof phrases / sizeof *phrases, PHRASE_WORDS = (PHRASES + 63) / 64, PHRASE_SLOTS = 4096 };
static struct phrase_index {
    uint16_t head[PHRASE_SLOTS], next[PHRASES]; /* numbers of patterns from 1; 0: no more */
    uint32_t gram[PHRASES];
    uint64_t always[PHRASE_WORDS]; /* patterns that have no such characters */
} the_index;                       /* of a constant table: made once */

static unsigned gram_slot(uint32_t gram) { return gram * 2654435761u >> 20; } /* of PHRASE_SLOTS */

static uint32_t gram_at(const char *p)
{
    uint32_t gram;
    memcpy(&gram, p, sizeof gram);
    return gram;
}

static_assert(PHRASES <= UINT16_MAX, "their numbers");
static_assert(PHRASE_SLOTS == 1 << 12, "what gram_slot gives");

/* Four characters that a line must have for the pattern, those that the fewest patterns before have; 0: it has none. */
static uint32_t gram_of(const struct phrase_index *index, const char *pattern)
{
    uint32_t best = 0;
    unsigned fewest = UINT_MAX, depth = 0;
    for (const char *p = pattern; *p;) { /* what may be missing tells nothing */
        const size_t n = strcspn(p, "*{}%$");
        for (size_t i = 0; !depth && i + 4 <= n; i++) {
            unsigned length = 0;
            for (unsigned k = 0; k < 4; k++) length += p[i + k] == ' ';
            for (uint16_t row = index->head[gram_slot(gram_at(p + i))]; row; row = index->next[row - 1]) length += 2;
            if (length < fewest) fewest = length, best = gram_at(p + i);
        }
        p += n;
        depth += *p == '{';
        depth -= *p == '}';
        p += *p == '%' ? 2 + (p[1] && strchr("rx-", p[1])) : *p != 0;
    }
    return best;
}

static void make_index(void)
{
    struct phrase_index *index = &the_index;
    for (size_t i = 0; i < PHRASES; i++) {
        const uint32_t gram = gram_of(index, phrases[i].pattern);
        index->gram[i] = gram;
        if (!gram) {
            index->always[i / 64] |= UINT64_C(1) << i % 64;
            continue;
        }
        uint16_t *head = &index->head[gram_slot(gram)];
        index->next[i] = *head;
        *head = (uint16_t)(i + 1);
    }
}

/* Without blanks, colons and exclamation marks around it. */
static void trim(char *text)
{
    size_t n = strlen(text);
    const size_t first = strspn(text, " \t:,-");
    while (n > first && strchr(" \t!.,:", text[n - 1])) n--;
    memmove(text, text + first, n - first);
    text[n - first] = 0;
}

static void say_meaning(
    const char *meaning, const struct gpudbg_incident *i, const char *captured, char *buf, size_t size)
{
    char said[TEXT_MOST + 1];
    struct text t = text_in(buf, size);
    snprintf(said, sizeof said, "%s", captured);
    trim(said);
    for (const char *p = meaning; *p; p++) {
        if (begins(p, " ({t})") && !said[0]) {
            p += 5;
        } else if (begins(p, "{t}")) {
            const bool joined = p > meaning && isalnum((unsigned char)p[-1]); /* "a range{t}" */
            text_add(&t, "%s%s", said[0] && joined ? " " : "", said);
            p += 2;
        } else if (begins(p, "{u}")) {
            text_add(&t, "%s", i->unit ? i->unit : "a block");
            p += 2;
        } else if (p[0] == '{' && p[1] == 'x') {
            text_add(&t, "%llx", (unsigned long long)i->values[p[2] - '0']);
            p += 3;
        } else if (p[0] == '{') {
            text_add(&t, "%lld", (long long)i->values[p[1] - '0']);
            p += 2;
        } else {
            text_add(&t, "%c", *p);
        }
    }
}

static bool driver_fits(const struct phrase *phrase, const struct gpudbg_dump_line *by)
{
    if (!phrase->driver || !phrase->driver[0] || !by) return true;
    const char *driver = driver_of(by);
    return !driver || strcmp(phrase->driver, driver) == 0 ||
           (strcmp(phrase->driver, "amdgpu") == 0 && strstr(driver, "kfd")) || strcmp(driver, "drm") == 0;
}

/* What the line tells if it fits the phrase: the number of incidents, or 0. */
static unsigned phrase_read(const struct phrase *phrase, const char *line, const struct gpudbg_dump_line *by,
    bool amdgpu, struct phrase_told *told)
{
    struct gpudbg_incident incident = {.kind = phrase->kind};
    struct match m = {.incident = &incident, .amdgpu = amdgpu, .tag = by ? by->tag : NULL};
    if (!driver_fits(phrase, by) || !fits(phrase->pattern, line, &m)) return 0;
    uint64_t ring;
    incident.have = m.have;
    if (m.unit) {
        snprintf(told->unit, sizeof told->unit, "%.*s", (int)m.unit_size, m.unit);
        const char *number = told->unit;
        if (scan_decimal(&number, &ring) && !*number) m.ring = ring_name(ring, &m);
    }
    incident.unit = phrase->unit ? phrase->unit : m.ring ? m.ring : m.unit ? told->unit : NULL;
    told->text[0] = 0;
    if (m.text && (m.text[m.text_size] || phrase->meaning)) {
        snprintf(told->text, sizeof told->text, "%.*s", (int)m.text_size, m.text);
        m.text = told->text;
    }
    incident.text = phrase->text ? phrase->text : m.text;
    if (phrase->zero) {
        incident.values[0] = 0;
        incident.have |= 1;
    }
    if (phrase->done) {
        incident.values[1] = incident.values[2] = 1;
        incident.have |= 6;
    }
    if (phrase->meaning) {
        say_meaning(phrase->meaning, &incident, told->text, told->meaning, sizeof told->meaning);
        incident.text = told->meaning;
    }
    told->step = phrase->step;
    told->lost = phrase->lost > 0 ||
                 (phrase->lost && incident.have & 1 && incident.values[0] == (uint64_t)(int64_t)phrase->lost);
    told->incident[0] = told->incident[1] = incident;
    told->incident[1].kind = phrase->then;
    return phrase->then ? 2 : 1;
}

unsigned phrases_read(const char *line, const struct gpudbg_dump_line *by, bool amdgpu, struct phrase_told *told)
{
    static once_flag once = ONCE_FLAG_INIT;
    const struct phrase_index *index = &the_index;
    call_once(&once, make_index);
    uint64_t may[PHRASE_WORDS];
    memcpy(may, index->always, sizeof may);
    const size_t length = strlen(line);
    for (size_t i = 0; i + 4 <= length; i++) {
        const uint32_t gram = gram_at(line + i);
        for (uint16_t row = index->head[gram_slot(gram)]; row; row = index->next[row - 1])
            if (index->gram[row - 1] == gram) may[(row - 1) / 64] |= UINT64_C(1) << (row - 1) % 64;
    }
    for (size_t i = 0; i < PHRASE_WORDS; i++) /* in the order of the table: the first that fits counts */
        for (; may[i]; may[i] &= may[i] - 1) {
            const size_t at = 64 * i + (unsigned)__builtin_ctzll(may[i]);
            const unsigned n = phrase_read(&phrases[at], line, by, amdgpu, told);
            if (n) return n;
        }
    return 0;
}

/* ---- info phrases ---- */

/* Whether the row is about the text: a message that it fits, or words of it. */
static bool about(const struct phrase *phrase, const char *text)
{
    struct gpudbg_incident incident = {.kind = phrase->kind};
    struct match m = {.incident = &incident};
    return strcasestr(phrase->pattern, text) || (phrase->meaning && strcasestr(phrase->meaning, text)) ||
           strcasestr(phrase->source, text) || strcasestr(phrase->kind->word, text) || fits(phrase->pattern, text, &m);
}

static bool phrase_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)g, (void)err;
    for (size_t i = 0; i < PHRASES; i++)
        if ((!*args || about(&phrases[i], args)) && !each(to, &phrases[i])) break;
    return true;
}

static int driver_cell(const void *row, char *buf, size_t size)
{
    const char *driver = ((const struct phrase *)row)->driver;
    return snprintf(buf, size, "%s", driver ? driver : "");
}
static int kind_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct phrase *)row)->kind->word);
}
static int message_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct phrase *)row)->pattern);
}
static int meaning_cell(const void *row, char *buf, size_t size)
{
    const struct phrase *phrase = row;
    return snprintf(buf, size, "%s", phrase->meaning ? phrase->meaning : phrase->kind->summary);
}
static int source_cell(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct phrase *)row)->source);
}

static const struct gpudbg_column columns[] = {
    {.key = "kind", .title = "kind", .style = GPUDBG_NAME, .cell = kind_cell},
    {.key = "driver", .title = "driver", .style = GPUDBG_NAME, .cell = driver_cell},
    {.key = "message", .title = "message", .style = GPUDBG_PLAIN, .cell = message_cell},
    {.key = "source", .title = "source", .style = GPUDBG_NOTE, .cell = source_cell},
    {.key = "meaning", .title = "meaning", .style = GPUDBG_PLAIN, .cell = meaning_cell},
};

const struct gpudbg_listing listing_phrases = {
    .name = "phrases",
    .summary = "list the messages of drivers and programs that `explain` reads in logs, what they mean, and whose text "
               "they are: files of Linux and versions, or a program; TEXT: a message, or words that they have",
    .type = "phrase",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = phrase_rows,
    .empty = "no message has these words",
};
