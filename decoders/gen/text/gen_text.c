/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_text.c: the choice between the syntaxes. */
#include "text/gen_assembly.h"
#include "gpudbg/unset.h"

/* ---- The whole ---- */

/* A syntax: its text, and the parts that it cannot write.  exact: a text that reads back to the same bits. */
static char *put_prm(
    char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, bool exact, const struct gpudbg_names *names)
{
    return gen_prm_text(p, insn, i, exact, names);
}

static char *put_iga(
    char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, bool exact, const struct gpudbg_names *names)
{
    (void)insn;
    return gen_iga_text(p, i, exact, names);
}

static char *put_ldst(
    char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, bool exact, const struct gpudbg_names *names)
{
    char *end = gen_put_ldst(p, i);
    return end ? end : put_iga(p, insn, i, exact, names);
}

static const struct syntax {
    enum gen_syntax is;
    char *(*put)(char *, const struct gpudbg_insn *, const struct gen_insn *, bool exact, const struct gpudbg_names *);
    const char *(*lacks)(const struct gen_insn *); /* NULL: it can write everything */
    bool remarks;                                  /* parts that it lacks may be given as bits in a remark */
} prm = {GEN_SYNTAX_PRM, put_prm, NULL, false}, iga = {GEN_SYNTAX_IGA, put_iga, gen_iga_lacks, false},
  ldst = {GEN_SYNTAX_IGA, put_ldst, gen_iga_lacks, false},
  mesa = {GEN_SYNTAX_MESA, gen_mesa_text, gen_mesa_lacks, true};

static const struct syntax *syntax_of(const struct gpudbg_isa *isa, unsigned syntax)
{
    const char first = isa->syntaxes[syntax][0];
    return first == 'i' ? isa->syntaxes[syntax][3] ? &ldst : &iga : first == 'm' ? &mesa : &prm;
}

/* Adds the manual's text if the syntax cannot write the whole instruction. */
static char *put_readable(char *p, const struct syntax *s, const struct gpudbg_insn *insn, const struct gen_insn *i,
    const struct gpudbg_names *names)
{
    const char *lacks = s->lacks ? s->lacks(i) : NULL;
    p = s->put(p, insn, i, false, names);
    if (!lacks) return p;
    p = PUT(put(PUT(p, " // "), lacks), ": ");
    return gen_prm_text(p, insn, i, false, names);
}

/* A text that reads back to the same bits; NULL: the syntax has none. */
static char *put_exact(char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, unsigned syntax, bool drops,
    const struct gpudbg_names *names)
{
    const struct syntax *s = syntax_of(insn->isa, syntax);
    const char *lacks = s->lacks ? s->lacks(i) : NULL;
    uint64_t w[2];
    if (lacks && !s->remarks && !(drops && gen_iga_may_drop(i))) return NULL;
    if (!gen_said(insn, i, s->is, drops && !s->remarks, lacks != NULL, w)) return NULL;
    return gen_put_remark(s->put(p, insn, i, true, names), insn, w, s->remarks ? lacks : NULL);
}

char *gen_put_text(char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, unsigned syntax,
    enum gpudbg_style style, const struct gpudbg_names *names)
{
    if (style != GPUDBG_READABLE) return put_exact(p, insn, i, syntax, style == GPUDBG_DROPPING, names);
    return put_readable(p, syntax_of(insn->isa, syntax), insn, i, names);
}

bool gen_is_iga(const struct gpudbg_isa *isa, unsigned syntax) { return syntax_of(isa, syntax) == &iga; }

int gen_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names,
    char *buf, size_t size)
{
    char text[TEXT_WHOLE] GPUDBG_UNSET;
    struct gen_insn i GPUDBG_UNSET;
    if (!insn->op) return style != GPUDBG_READABLE ? -1 : gen_put_out(text, put(text, "(no instruction)"), buf, size);
    gen_unpack(insn, &i);
    const char *end = gen_put_text(text, insn, &i, syntax, style, names);
    return end ? gen_put_out(text, end, buf, size) : -1;
}

int gen_operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    char text[TEXT_OPERAND], *p = text;
    struct gen_insn i;
    const struct gpudbg_operand *o = &insn->operands[operand];
    gen_unpack(insn, &i);
    switch (o->kind) {
    case GPUDBG_CODE: p = gen_put_hex(p, (uint64_t)o->imm, 1); break;
    case GPUDBG_INTEGER:
    case GPUDBG_NUMBER: p = gen_put_imm(p, o->type, (uint64_t)o->imm, false); break;
    default:
        if (!(o->flags & GPUDBG_IMPLICIT)) {
            const struct gen_operand *of = o->imm == 0 ? &i.dst : &i.src[o->imm - 1];
            p = gen_prm_operand(p, &i, of, o->imm == 0);
            break;
        }
        p = put(p, insn->isa->files[o->file].name);
        if (insn->isa->files[o->file].indexed) p = gen_put_number(p, o->reg);
        if (o->file == GEN_F) {
            *p++ = '.';
            p = gen_put_number(p, o->sub / 2);
        }
    }
    return gen_put_out(text, p, buf, size);
}
