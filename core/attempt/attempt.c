/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempt.c: the code, a machine of its own for it, and its run. */
#include "attempt/attempt.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble/assembler.h"
#include "base/alloc.h"
#include "image/load.h"
#include "machine/launch.h"
#include "machine/literal.h"
#include "machine/machine.h"
#include "machine/unknown.h"
#include "gpudbg/text.h"

/* ---- Code ---- */

static const struct gpudbg_alone nothing_special = {0};

static const struct gpudbg_alone *alone_of(const struct gpudbg_isa *isa)
{
    return isa->alone ? isa->alone : &nothing_special;
}

static bool one_line(const char *code)
{
    const char *end = strchr(code, '\n'), *at = code + strspn(code, " \t");
    while (isalnum((unsigned char)*at) || *at == '_') at++;
    if (*at == ':') return false; /* a label */
    return !end || strspn(end, " \t\r\n") == strlen(end);
}

/* Whether one of the lines begins with the word that the instruction begins with. */
static bool line_begins(const char *lines, const char *insn)
{
    const size_t n = strcspn(insn, " ");
    for (const char *at = lines; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, insn, n) == 0 && strchr(" \n", at[n])) return true;
    return false;
}

/* The lines before the text: the instruction set's own, then, with start=now, the launched program's declarations. */
static char *lines_before(const struct attempt *a, const struct gpudbg_alone *alone)
{
    char *lines = xstrdup(alone->before), text[1024];
    const struct gpudbg_machine *m = a->start ? a->env->now->machine : NULL;
    const struct gpudbg_section *s = m ? gpudbg_image_at(m->image, m->launch->kernel->entry) : NULL;
    struct gpudbg_insn insn;
    bool begun = !alone->whole;
    for (uint64_t at = s ? s->addr : 0; s && at < m->launch->kernel->entry; at += insn.size) {
        const size_t size = (size_t)(s->addr + s->size - at);
        if (!gpudbg_insn_at(m->isa, s->bytes + (at - s->addr), size, at, &insn)) break;
        if (m->isa->text(&insn, 0, GPUDBG_ASSEMBLER, NULL, text, sizeof text) < 0) break;
        if (!begun || line_begins(alone->before, text)) {
            begun = begun || strncmp(text, alone->whole, strlen(alone->whole)) == 0;
            continue;
        }
        const size_t n = strlen(lines) + strlen(text) + 2;
        char *longer = xalloc(n);
        snprintf(longer, n, "%s\n%s", lines, text);
        free(lines);
        lines = longer;
    }
    return lines;
}

/* The text with the lines that make a program of it, and the number of lines added before it; NULL: the text is a
 * program already. */
static char *program_of(const struct attempt *a, const char *code, long *before)
{
    const struct gpudbg_alone *alone = alone_of(a->env->isa);
    const char *start = code + strspn(code, " \t\r\n");
    *before = 0;
    if (!alone->before || (alone->whole && strncmp(start, alone->whole, strlen(alone->whole)) == 0)) return NULL;
    char *lines = lines_before(a, alone);
    const size_t n = strlen(lines) + strlen(code) + strlen(alone->after) + 3;
    char *text = xalloc(n);
    snprintf(text, n, "%s\n%s\n%s", lines, code, alone->after);
    *before = 1;
    for (const char *p = lines; *p; p++) *before += *p == '\n';
    free(lines);
    return text;
}

/* The address of the last instruction, which program_of added after the text. */
static uint64_t last_of(const struct attempt *a)
{
    struct gpudbg_insn insn;
    uint64_t last = 0;
    for (size_t at = 0; at < a->size; at += insn.size) {
        gpudbg_insn_at(a->env->isa, a->code + at, a->size - at, a->base + at, &insn);
        last = a->base + at;
    }
    return last;
}

static bool assemble(struct attempt *a, const struct attempt_line *line, struct gpudbg_error *err)
{
    const struct attempt_env *env = a->env;
    const struct gpudbg_alone *alone = alone_of(env->isa);
    struct assembler as = {.isa = env->isa, .syntax = env->syntax, .ticker = env->ticker, .image = env->image};
    if (!env->isa->run)
        return gpudbg_fail(err, "unsupported", "gpudbg decodes %s, but does not execute it", env->isa->name);
    if (one_line(line->code) && !alone->before) {
        char *text = xstrndup(line->code, strcspn(line->code, "\n"));
        a->code = xalloc(GPUDBG_INSN_BYTES + 64);
        a->size = assemble_line(&as, a->base, text, a->code, GPUDBG_INSN_BYTES, err);
        free(text);
        a->to = a->base + a->size;
        return a->size > 0;
    }
    struct gpudbg_error *errors = xcalloc(ASSEMBLER_ERRORS, sizeof *errors);
    unsigned nerrors;
    as.image = NULL; /* branches are counted from address 0 */
    long before;     /* lines that the user did not write */
    char *program = program_of(a, line->code, &before);
    const char *text = program ? program : line->code;
    const bool ok = assemble_file(&as, text, strlen(text), &a->code, &a->size, errors, &nerrors);
    if (!ok) {
        const long number = errors[0].line - before;
        if (one_line(line->code) || number < 1)
            gpudbg_fail(err, errors[0].kind, "column %ld: %.460s", errors[0].column, errors[0].message);
        else
            gpudbg_fail(err, errors[0].kind, "instruction %ld, column %ld: %.440s", number, errors[0].column,
                errors[0].message);
    } else {
        a->to = program ? last_of(a) : a->base + a->size;
    }
    free(program);
    free(errors);
    return ok;
}

/* ---- The machine ---- */

static bool is_param(const struct gpudbg_image *image, const char *name)
{
    for (size_t k = 0; k < image->nkernels; k++)
        for (size_t i = 0; i < image->kernels[k].nparams; i++)
            if (image->kernels[k].params[i].name && strcmp(image->kernels[k].params[i].name, name) == 0) return true;
    return false;
}

/* Inputs that are neither a register nor memory. */
static bool for_us(const char *name) { return strcmp(name, "pc") == 0 || strcmp(name, "start") == 0; }

/* Whether an input is a word of the launch: memory, how many lanes there are. */
static bool for_launch(const struct attempt *a, const struct attempt_word *w)
{
    if (for_us(w->name) || strchr(w->name, '+')) return false;
    if (is_param(a->image, w->name)) return true;
    if (strcmp(w->name, "mask") == 0 && alone_of(a->env->isa)->mask) return false;
    return !attempt_is_register(a->env->isa, w->name);
}

static bool is_given(const struct attempt_line *line, const char *name)
{
    for (size_t i = 0; i < line->nin; i++)
        if (strcmp(line->in[i].name, name) == 0) return true;
    return false;
}

/* start=now: resources that the text names and the line does not give are as large as those of the launch;
 * attempt_start_registers copies them. */
static void add_resources(const struct attempt *a, const struct attempt_line *line, struct text *t)
{
    const struct gpudbg_kernel *k = a->start && a->image->nkernels ? a->image->kernels : NULL;
    for (size_t i = 0; k && i < k->nparams; i++) {
        const struct gpudbg_bound *b = is_given(line, k->params[i].name)
                                           ? NULL
                                           : attempt_bound(a->env->now, k->params[i].name);
        if (b) text_add(t, " %s=zero:%" PRIu64, b->name, b->segment->size);
        if (b && b->format) text_add(t, ":%s", b->format);
    }
}

static char *launch_words(const struct attempt *a, const struct attempt_line *line)
{
    const struct gpudbg_alone *alone = alone_of(a->env->isa);
    size_t room = 256;
    for (size_t i = 0; a->start && i < a->env->now->machine->launch->nbound; i++) {
        const struct gpudbg_bound *b = &a->env->now->machine->launch->bound[i];
        room += 64 + strlen(b->name) + (b->format ? strlen(b->format) : 0);
    }
    unsigned width = a->start ? a->env->now->machine->lanes : a->env->isa->lanes;
    for (size_t i = 0; i < line->nin; i++) room += strlen(line->in[i].name) + strlen(line->in[i].value) + 2;
    char *words = xalloc(room);
    struct text t = text_in(words, room);
    bool given = false, masked = alone->mask != NULL, local = alone->local == NULL;
    for (size_t i = 0; i < line->nin; i++) {
        const struct attempt_word *w = &line->in[i];
        masked |= strcmp(w->name, "mask") == 0;
        local |= alone->local && strcmp(w->name, alone->local) == 0;
        if (!alone->width || strcmp(w->name, alone->width) != 0) continue;
        width = (unsigned)strtoul(w->value, NULL, 0);
        given = true;
    }
    if (width < 1 || width > a->env->isa->lanes) width = a->env->isa->lanes; /* the launch refuses the value */
    text_add(&t, "-g %u -l %u", width, width);
    if (alone->width && !given) text_add(&t, " %s=%u", alone->width, width);
    if (a->start && !masked) text_add(&t, " mask=%" PRIx64, a->env->isa->run->active(a->env->now));
    if (a->start && !local && a->env->now->machine->lds_size)
        text_add(&t, " %s=%" PRIu32, alone->local, a->env->now->machine->lds_size);
    for (size_t i = 0; i < line->nin; i++)
        if (for_launch(a, &line->in[i])) text_add(&t, " %s=%s", line->in[i].name, line->in[i].value);
    add_resources(a, line, &t);
    return words;
}

static bool launch(struct attempt *a, const struct attempt_line *line, struct gpudbg_error *err)
{
    const struct load_options options = {.isa = a->env->isa, .raw = !a->env->isa->traits.loader, .base = a->base};
    a->image = image_from(a->env->load, "try", a->code, a->size, &options, err);
    err->file[0] = 0;
    err->offset = -1;
    if (!a->image) return false;
    char *words = launch_words(a, line);
    struct gpudbg_launch *l = launch_parse(a->image, words, a->env->files, a->env->ticker, err);
    free(words);
    const struct machine_options machine = {
        .session = a->env->session, .ticker = a->env->ticker, .threads = 1, .brief = true};
    if (l && a->start && !attempt_start_memory(a, l, err)) {
        launch_free(l);
        return false;
    }
    a->machine = l ? machine_new(&machine, a->image, l, err) : NULL;
    if (!a->machine && strncmp(err->message, "launch: ", 8) == 0)
        memmove(err->message, err->message + 8, strlen(err->message + 8) + 1);
    a->wave = a->machine ? machine_wave(a->machine, 0, err) : NULL;
    return a->wave;
}

static bool set_inputs(struct attempt *a, const struct attempt_line *line, struct gpudbg_error *err)
{
    const char *mask = alone_of(a->env->isa)->mask;
    for (size_t i = 0; i < line->nin; i++) {
        struct attempt_word w = line->in[i];
        char hex[40];
        if (for_us(w.name) || for_launch(a, &w)) continue;
        if (mask && strcmp(w.name, "mask") == 0) { /* as of a launch, in hex */
            uint64_t value;
            if (!literal_hex_number(w.value, &value))
                return gpudbg_fail(err, "bad-argument", "mask: '%.40s': not a number in hex", w.value);
            snprintf(hex, sizeof hex, "0x%" PRIx64, value);
            w = (struct attempt_word){mask, hex};
        }
        struct attempt_place p;
        const enum attempt_named is = attempt_place(a, &w, &p, err);
        const bool ok = is == ATTEMPT_PLACE && attempt_set(a, &p, err);
        attempt_place_free(&p);
        if (is == ATTEMPT_NOBODY)
            return gpudbg_fail(err, "no-such-name", "%s names no register or memory of this attempt", w.name);
        if (!ok) return false;
    }
    return true;
}

/* ---- The run ---- */

static void add_event(struct attempt *a, const char *kind, uint64_t pc, const uint64_t *target, const char *text)
{
    a->event = xgrow(a->event, a->nevents, &a->events_room, sizeof *a->event);
    a->event[a->nevents++] = (struct attempt_event){.kind = kind,
        .pc = pc,
        .has_target = target,
        .target = target ? *target : 0,
        .text = text ? xstrdup(text) : NULL};
}

/* Keeps what is there before the first store. */
static void accessed(void *data, struct gpudbg_wave *w, const struct gpudbg_access *of)
{
    struct attempt *a = data;
    (void)w;
    if (!of->write) return;
    for (size_t i = 0; i < a->nstored; i++)
        if (a->stored[i].space == of->space && a->stored[i].addr <= of->addr &&
            of->addr + of->size <= a->stored[i].addr + a->stored[i].size)
            return;
    a->stored = xgrow(a->stored, a->nstored, &a->stored_room, sizeof *a->stored);
    struct attempt_stored *s = &a->stored[a->nstored++];
    *s = (struct attempt_stored){
        .space = of->space, .addr = of->addr, .size = of->size, .segment = of->segment, .before = xalloc(of->size)};
    memcpy(s->before, of->segment->bytes + (of->addr - of->segment->base), (size_t)of->size);
}

static void machine_events(struct attempt *a, size_t from)
{
    const struct gpudbg_event *e;
    const size_t n = gpudbg_events(a->machine, &e);
    for (; from < n; from++) add_event(a, e[from].kind, e[from].pc, NULL, e[from].text);
}

/* What an executed instruction did to the flow of control. */
static void note_flow(struct attempt *a, const struct gpudbg_insn *insn)
{
    const uint64_t does = gpudbg_insn_does(insn);
    const uint64_t next = insn->addr + insn->size;
    const bool ended = a->wave->state == GPUDBG_ENDED;
    if (does & GPUDBG_OP_BARRIER) add_event(a, "barrier", insn->addr, NULL, NULL);
    if (!ended && a->wave->pc != next)
        add_event(a, "branch", insn->addr, &a->wave->pc, NULL);
    else if (!ended && does & GPUDBG_OP_BRANCH)
        add_event(a, "falls-through", insn->addr, NULL, NULL);
}

/* Executes one instruction.  Returns false if none follows; a->end says why. */
static bool step(struct attempt *a, struct gpudbg_error *err)
{
    const struct machine_want want = {.until = MACHINE_STEPS, .count = 1, .observed = true};
    const struct gpudbg_event *ignored;
    struct gpudbg_wave *w = a->wave;
    struct gpudbg_insn insn;
    const uint64_t pc = w->pc, executed = w->executed;
    const bool decoded = unknown_decode(w, &insn);
    const size_t events = gpudbg_events(a->machine, &ignored);
    const bool moves = decoded && gpudbg_insn_does(&insn) & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE);
    const size_t before = a->nwritten;
    if (decoded) attempt_reads(a, &insn);
    if (decoded) attempt_writes(a, &insn);
    const struct machine_observer observer = {.data = a, .access = accessed};
    if (moves) machine_observe(a->machine, &observer);
    const struct gpudbg_stop stop = machine_run(a->machine, &want);
    if (moves) machine_observe(a->machine, NULL);
    if (!(a->wave = machine_wave(a->machine, 0, err))) return false;
    w = a->wave;
    if (stop.reason == GPUDBG_STOP_FAULT && w->executed == executed) {
        snprintf(a->fault, sizeof a->fault, "%s", stop.message);
        a->nwritten = before; /* it has written nothing */
        a->end = ATTEMPT_FAULT;
        return false;
    }
    a->executed += w->executed - executed;
    machine_events(a, events);
    if (decoded) note_flow(a, &insn);
    if (w->state == GPUDBG_ENDED) {
        a->end = ATTEMPT_ENDED;
        return false;
    }
    return w->pc != pc || w->executed != executed;
}

static bool run(struct attempt *a, struct gpudbg_error *err)
{
    const size_t bytes = (size_t)a->machine->wave_words * 4;
    a->before = xalloc(bytes);
    memcpy(a->before, a->wave->words, bytes);
    for (unsigned n = 0;; n++) {
        const uint64_t pc = a->wave->pc;
        const struct gpudbg_section *s = gpudbg_image_at(a->image, pc);
        a->end = pc == a->to ? ATTEMPT_DONE : s && s->flags & GPUDBG_CODE_BYTES ? ATTEMPT_ENDLESS : ATTEMPT_LEFT;
        if (a->end != ATTEMPT_ENDLESS || n == ATTEMPT_MOST) break;
        if (!step(a, err)) break;
        if (n % 1024 == 0 && !ticker_goes_on(a->env->ticker, n, 0))
            return gpudbg_fail(err, "interrupt", "interrupted after %u instructions", n + 1);
    }
    if (!a->wave) return false;
    a->pc = a->wave->pc;
    return true;
}

static bool take_own(struct attempt *a, const struct attempt_line *line, struct gpudbg_error *err)
{
    bool placed = false;
    for (size_t i = 0; i < line->nin; i++) {
        bool negative;
        const char *end;
        if (strcmp(line->in[i].name, "start") == 0) {
            a->start = true;
            if (strcmp(line->in[i].value, "now") != 0)
                return gpudbg_fail(err, "bad-argument", "start: '%.40s': only start=now is known", line->in[i].value);
            if (!a->env->now)
                return gpudbg_fail(err, "no-launch", "start=now: nothing of this instruction set is launched");
        }
        if (strcmp(line->in[i].name, "pc") != 0) continue;
        placed = true;
        if (!literal_integer(line->in[i].value, &a->base, &negative, &end) || negative || *end ||
            a->base % (a->env->isa->align ? a->env->isa->align : 1))
            return gpudbg_fail(
                err, "bad-argument", "pc: '%.40s' is not an address of an instruction", line->in[i].value);
    }
    if (a->start && !placed && !alone_of(a->env->isa)->before) a->base = a->env->now->pc;
    return true;
}

bool attempt_open(
    struct attempt *a, const struct attempt_env *env, const struct attempt_line *line, struct gpudbg_error *err)
{
    *a = (struct attempt){.env = env};
    if (!take_own(a, line, err) || !assemble(a, line, err) || !launch(a, line, err)) return false;
    a->known = xcalloc(a->machine->wave_words ? a->machine->wave_words : 1, sizeof *a->known);
    return (!a->start || attempt_start_registers(a, line, err)) && set_inputs(a, line, err) && run(a, err);
}

void attempt_close(struct attempt *a)
{
    machine_free(a->machine);
    image_close(a->image);
    free(a->code);
    free(a->before);
    free(a->known);
    free(a->assumed);
    free(a->written);
    for (size_t i = 0; i < a->nstored; i++) free(a->stored[i].before);
    free(a->stored);
    for (size_t i = 0; i < a->nevents; i++) free(a->event[i].text);
    free(a->event);
    free(a->difference);
    *a = (struct attempt){0};
}
