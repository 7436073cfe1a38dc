/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of other debuggers; see habits.h. */
#include "session/habits.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/text.h"

static const struct habit habits[] = {
#define SAME(program, words, command) {HABIT_SAME, program, words, command, NULL},
#define WITH(program, words, command, with) {HABIT_SAME, program, words, command, with},
#define PLACE(program, words, command, sentence) {HABIT_PLACE, program, words, command, sentence},
#define TELL(program, words, sentence) {HABIT_TELL, program, words, sentence, NULL},
#define MUTE(program, words) {HABIT_MUTE, program, words, NULL, NULL},
#define LIKE(program, words, sentence) {HABIT_LIKE, program, words, sentence, NULL},
#define FORM(program, words, command, sentence) {HABIT_FORM, program, words, command, sentence},
#define ALSO(program, words, sentence) {HABIT_ALSO, program, words, sentence, NULL},
#include "session/habits.def"
};

#define ROWS (sizeof habits / sizeof *habits)
#define BEGINNINGS 256 /* what the first words of a spelling are counted as */

/* A bit for each row. */
struct rows {
    uint64_t bits[(ROWS + 63) / 64];
};

/* The rows with spellings that begin so, and those with open spellings: lines look at few rows. */
static struct rows beginning[BEGINNINGS], open_rows;

const struct habit *habit_at(size_t i) { return i < ROWS ? &habits[i] : NULL; }

static const char *past_blanks(const char *at) { return at + strspn(at, " \t"); }

/* The rows of the first words of from..end, of a spelling or a line. */
static struct rows *rows_of(const char *from, const char *end, unsigned words)
{
    uint32_t hash = 0;
    for (from = past_blanks(from); words-- && from < end; from = past_blanks(from)) {
        for (; from < end && *from != ' ' && *from != '\t'; from++) hash = hash * 31 + (unsigned char)*from;
        hash = hash * 31 + ' ';
    }
    return &beginning[(hash ^ hash >> 8 ^ hash >> 16) % BEGINNINGS];
}

static void find_beginnings(void)
{
    for (size_t i = 0; i < ROWS; i++)
        for (const char *at = habits[i].words, *end; *at; at = *end ? end + 1 : end) {
            end = at + strcspn(at, ",");
            const char *open = strstr(at, "...");
            struct rows *rows = open && open < end ? &open_rows
                                                   : rows_of(at, end, habits[i].kind == HABIT_FORM ? 1 : 2);
            rows->bits[i / 64] |= UINT64_C(1) << i % 64;
        }
}

static void add_rows(struct rows *to, const struct rows *from)
{
    for (size_t i = 0; i < sizeof to->bits / sizeof *to->bits; i++) to->bits[i] |= from->bits[i];
}

/* Adds the rows that may have the line: those with its first word alone, those with its first two. */
static void add_candidates(struct rows *to, const char *line)
{
    const char *end = line + strlen(line);
    add_rows(to, rows_of(line, end, 1));
    add_rows(to, rows_of(line, end, 2));
}

/* The arguments of a FORM, by the letter that stands for each: at[0] is A. */
struct arguments {
    const char *at[26]; /* NULL: the row has no such letter */
    size_t len[26];
};

/* Takes the argument that `letter` stands for: a word, or what is in parentheses.  Returns what follows it; NULL: there
 * is an option, nothing, or no number where there should be one. */
static const char *argument_at(const char *line, char letter, struct arguments *to)
{
    const bool inside = *line == '(';
    const char *at = line + inside;
    const size_t len = inside ? strcspn(at, ")") : strcspn(at, " \t");
    if (!len || *at == '-' || (inside && !at[len]) || (letter == 'N' && !isdigit((unsigned char)*at))) return NULL;
    to->at[letter - 'A'] = at;
    to->len[letter - 'A'] = len;
    return at + len + inside;
}

/* How many words of the spelling from..end the line begins with, all of them, else 0; *rest: behind them.  `open`: the
 * last word may end in "...", for which anything may stand; then *rest is that.  `args` (or NULL): words of one capital
 * letter stand for arguments. */
static unsigned words_equal(
    const char *from, const char *end, const char *line, bool open, const char **rest, struct arguments *args)
{
    unsigned n = 0;
    for (from = past_blanks(from); from < end; from = past_blanks(from), n++) {
        size_t len = strcspn(from, " ,");
        if (len > (size_t)(end - from)) len = (size_t)(end - from);
        line = past_blanks(line);
        if (args && len == 1 && isupper((unsigned char)*from)) {
            if (!(line = argument_at(line, *from++, args))) return 0;
            continue;
        }
        const bool any = open && len > 3 && memcmp(from + len - 3, "...", 3) == 0;
        const size_t known = any ? len - 3 : len;
        if ((any ? strcspn(line, " \t") <= known : strcspn(line, " \t") != known) || strncmp(line, from, known) != 0)
            return 0;
        from += len;
        line += known;
    }
    *rest = past_blanks(line);
    return n;
}

/* The most words of one of the row's spellings that the line begins with. */
static unsigned row_fits(const struct habit *h, const char *line, bool open, const char **rest, struct arguments *args)
{
    unsigned most = 0;
    for (const char *at = h->kind == HABIT_LIKE || h->kind == HABIT_ALSO ? "" : h->words; *at;) {
        const char *end = at + strcspn(at, ","), *behind;
        struct arguments found = {0};
        const unsigned n = words_equal(at, end, line, open, &behind, h->kind == HABIT_FORM ? &found : NULL);
        if (n > most && (h->kind != HABIT_FORM || !*behind)) {
            if (args) *args = found;
            most = n;
            *rest = behind;
        }
        at = *end ? end + 1 : end;
    }
    return most;
}

/* An option begins here, or right before it, where the row's own spelling has its dash. */
static bool begins_option(const char *rest)
{
    return isalpha((unsigned char)rest[rest[0] == '-' && rest[1] ? 1 + (rest[1] == '-') : 0]) &&
           (rest[0] == '-' || rest[-1] == '-');
}

/* "set print pretty" for "show print pretty". */
static const char *show_as_set(const char *line, char *buf, size_t size)
{
    text_put(buf, size, "set %s", line + 5);
    return buf;
}

/* "show print pretty": the setting that `set print pretty` accepts. */
static unsigned shown_fits(const struct habit *h, const char *line, const char **rest)
{
    char as_set[80];
    if (h->kind != HABIT_MUTE || strncmp(line, "show ", 5) != 0) return 0;
    const unsigned n = row_fits(h, show_as_set(line, as_set, sizeof as_set), false, rest, NULL);
    if (n) *rest = line;
    return n;
}

const struct habit *habit_of(const char *line, const char **rest, unsigned *words)
{
    static bool indexed;
    char as_set[80];
    const struct habit *found = NULL;
    if (!indexed) find_beginnings();
    indexed = true;
    line = past_blanks(line);
    *words = 0;
    struct rows may = open_rows;
    add_candidates(&may, line);
    if (strncmp(line, "show ", 5) == 0) add_candidates(&may, show_as_set(line, as_set, sizeof as_set));
    for (size_t at = 0; at < 2 * ROWS; at++) { /* the second time, rows of open spellings, too */
        const size_t i = at % ROWS;
        const char *behind = NULL;
        if (!(may.bits[i / 64] >> i % 64 & 1)) continue;
        unsigned n = row_fits(&habits[i], line, at >= ROWS, &behind, NULL);
        if (n && habits[i].kind == HABIT_MUTE && behind[0] == '=' && behind[1] != '=') n = 0; /* set p = 3 */
        if (n && habits[i].kind == HABIT_PLACE && !begins_option(behind)) n = 0;              /* break -1 */
        if (!n) n = shown_fits(&habits[i], line, &behind);
        if (n <= *words) continue;
        *words = n;
        *rest = habits[i].kind == HABIT_FORM ? line : behind;
        found = &habits[i];
    }
    return found;
}

/* "10 @ matmul", where "x/%1i" is to be "x/10i matmul"; the number behind % is the bytes of one.  Else false. */
static bool counted(struct text *t, const char *with, const char *rest)
{
    const char *mark = with ? strchr(with, '%') : NULL, *place = strchr(rest, '@');
    if (!mark || !(isdigit((unsigned char)*rest) || *rest == '@')) return false;
    const unsigned long each = (unsigned long)(mark[1] - '0'), count = *rest == '@' ? 16 : strtoul(rest, NULL, 0);
    text_add(t, "%.*s%lu%s %s", (int)(mark - with), with, (count + each - 1) / each, mark + 2,
        place ? past_blanks(place + 1) : "$pc");
    return true;
}

const struct habit *habit_like(const char *word)
{
    const struct habit *found = NULL;
    size_t most = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (habits[i].kind != HABIT_LIKE) continue;
        for (const char *at = habits[i].words; *at; at += strspn(at, ", ")) {
            const size_t n = strcspn(at, ", ");
            if (n > most && strncmp(word, at, n) == 0) {
                most = n;
                found = &habits[i];
            }
            at += n;
        }
    }
    return found;
}

const char *habit_also(const char *line)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        const char *words = habits[i].words, *behind;
        if (habits[i].kind != HABIT_ALSO) continue;
        const unsigned n = words_equal(words, words + strlen(words), line, false, &behind, NULL);
        if (n > 1 || (n == 1 && isalpha((unsigned char)*behind))) return habits[i].text;
    }
    return NULL;
}

/* ---- Arguments in another order ---- */

/* The argument is written in hexadecimal, perhaps with 0x, perhaps with umr's VMID@ before it. */
static const char *hex_digits(const char *at, size_t *len)
{
    const char *vmid = memchr(at, '@', *len);
    const size_t skip = vmid ? (size_t)(vmid + 1 - at) : 0, x = strncmp(at + skip, "0x", 2) == 0 ? 2 : 0;
    *len -= skip + x;
    return at + skip + x;
}

/* "B-A" or "0xS", a number that is computed from arguments; false: they are no numbers, or it is not above 0. */
static bool computed(const char *term, const struct arguments *args, uint64_t *n)
{
    uint64_t value[2] = {0};
    const bool hex = term[0] == '0';
    for (unsigned i = 0; i < (hex ? 1 : 2); i++) {
        const unsigned letter = (unsigned)(term[2 * i + 2 * hex] - 'A');
        size_t len = args->len[letter];
        const char *at = hex ? hex_digits(args->at[letter], &len) : args->at[letter];
        char *end;
        value[i] = strtoull(at, &end, hex ? 16 : 0);
        if (end == at || end != at + len) return false;
    }
    *n = value[0] - value[1];
    return value[0] > value[1];
}

/* The command of a FORM with its arguments; false: one of them is not what the command takes. */
static bool formed(struct text *t, const char *form, const struct arguments *args)
{
    for (const char *at = form; *at; at++) {
        const bool hex = strncmp(at, "0x", 2) == 0 && isupper((unsigned char)at[2]);
        const unsigned letter = (unsigned)(at[2 * hex] - 'A');
        uint64_t n;
        if (*at == '(') {
            if (!computed(at + 1, args, &n)) return false;
            text_add(t, "%" PRIu64, n);
            at += strcspn(at, ")");
        } else if (letter < 26 && args->at[letter]) {
            size_t len = args->len[letter];
            const char *written = hex ? hex_digits(args->at[letter], &len) : args->at[letter];
            if (hex && strspn(written, "0123456789abcdefABCDEF") < len) return false;
            text_add(t, "%s%.*s", hex ? "0x" : "", (int)len, written);
            at += 2 * hex;
        } else
            text_add(t, "%c", *at);
    }
    return true;
}

/* ---- Options that name a place ---- */

/* What an option is followed by: a function, a file, a line, an address, a condition, nothing; 0: it is not known. */
static char option_kind(const char *option, size_t len)
{
    static const struct {
        const char *names;
        char kind;
    } rows[] = {{"n name fullname F function func fu", 'n'}, {"f file source", 'f'}, {"l line", 'l'},
        {"a address", 'a'}, {"c condition", 'c'}, {"q qualified force-condition", ' '}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *at = rows[i].names; *at; at += strspn(at, " ")) {
            const size_t n = strcspn(at, " ");
            if (n == len && memcmp(at, option, len) == 0) return rows[i].kind;
            at += n;
        }
    return 0;
}

/* The next word, without its quotes. */
static const char *word_at(const char **at, int *len)
{
    const char quote = **at == '"' || **at == '\'' ? *(*at)++ : 0, *word = *at;
    while (**at && (quote ? **at != quote : !isspace((unsigned char)**at))) ++*at;
    *len = (int)(*at - word);
    if (quote && **at) ++*at;
    *at = past_blanks(*at);
    return word;
}

/* "-n matmul -c 'n == 64'" is "break matmul if n == 64"; false: an option is not known, or there is no place. */
static bool placed(struct text *t, const char *command, const char *rest)
{
    const char *value[128] = {0};
    int length[128] = {0}, len;
    if (*rest != '-') rest--;
    while (*rest == '-') {
        const char *option = word_at(&rest, &len);
        const size_t dashes = strspn(option, "-");
        const char kind = option_kind(option + dashes, (size_t)len - dashes);
        if (!kind || (kind != ' ' && !*rest)) return false;
        if (kind != ' ') value[(unsigned char)kind] = word_at(&rest, &length[(unsigned char)kind]);
    }
    const char *file = value['f'], *name = value['n'], *line = value['l'], *address = value['a'];
    if (!file && !name && !line && !address) return false;
    text_add(t, "%s ", command);
    if (name)
        text_add(t, "%.*s", length['n'], name);
    else if (address)
        text_add(t, "*%.*s", length['a'], address);
    else if (file)
        text_add(t, "%.*s%s", length['f'], file, line ? ":" : ""); /* gdb takes -f for -function, too */
    if (line && !name && !address) text_add(t, "%.*s", length['l'], line);
    if (value['c']) text_add(t, " if %.*s", length['c'], value['c']);
    if (*rest) text_add(t, " %s", rest);
    return true;
}

char *habit_line(const struct habit *h, const char *rest)
{
    if ((h->kind != HABIT_SAME && h->kind != HABIT_PLACE && h->kind != HABIT_FORM) || !h->text) return NULL;
    const size_t size = strlen(h->text) + (h->with ? strlen(h->with) : 0) + strlen(rest) + 32;
    char *line = xalloc(size);
    struct text t = text_in(line, size);
    struct arguments args;
    const char *behind;
    if (h->kind == HABIT_PLACE && placed(&t, h->text, rest)) return line;
    if (h->kind == HABIT_FORM && row_fits(h, rest, false, &behind, &args) && formed(&t, h->text, &args)) return line;
    if (h->kind != HABIT_SAME) {
        free(line);
        return NULL;
    }
    if (counted(&t, h->with, rest)) return line;
    if (*rest == '@') rest = past_blanks(rest + 1); /* rizin's place */
    const bool with = *rest && h->with && !strchr(h->with, '%');
    text_add(&t, "%s%s%s", with ? h->with : h->text, *rest ? " " : "", rest);
    return line;
}

bool habit_tell(const struct habit *h, const char *line, const char *rest, struct gpudbg_error *err)
{
    char words[64];
    line = past_blanks(line);
    if (h->kind == HABIT_FORM) rest = line + strlen(line);
    size_t len = (size_t)(rest - line) + strcspn(rest, " \t") * (rest > line && !isspace((unsigned char)rest[-1]));
    while (len && isspace((unsigned char)line[len - 1])) len--;
    text_put(words, sizeof words, "%.*s", (int)len, line);
    return gpudbg_fail(err, "unknown-command", "\"%s\" is a command of %s, not of gpudbg: %s", words, h->program,
        h->kind == HABIT_PLACE || h->kind == HABIT_FORM ? h->with : h->text);
}
