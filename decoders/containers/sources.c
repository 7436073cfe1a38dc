/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sources.c: what code is made from, which no GPU runs: sources, assembly, and what compilers keep in between.  Such a
 * file is refused, by what it is and with the command that makes code of it.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "containers.h"
#include "gpudbg/text.h"

#define SURE 20 /* a dump, or a listing with bytes, may hold the same words */
#define LINES_LEAST 3u

static bool holds(const uint8_t *b, size_t n, const char *text) { return memmem(b, n, text, strlen(text)) != NULL; }

static bool starts(const uint8_t *b, size_t n, const char *text)
{
    return n >= strlen(text) && memcmp(b, text, strlen(text)) == 0;
}

/* The word, and what may follow it, with no letter before. */
static bool has_word(const uint8_t *b, size_t n, const char *word)
{
    const size_t length = strlen(word);
    for (const uint8_t *at = b; (at = memmem(at, n - (size_t)(at - b), word, length)); at += length)
        if (at == b || !(isalnum(at[-1]) || at[-1] == '_')) return true;
    return false;
}

static bool is_visa(const uint8_t *b, size_t n)
{
    return starts(b, n, "CISA") || (starts(b, n, ".version ") && (holds(b, n, "\n.kernel ") || holds(b, n, "\n.func")));
}
static bool is_spirv(const uint8_t *b, size_t n) { return starts(b, n, "; SPIR-V"); }
static bool is_llvm(const uint8_t *b, size_t n)
{
    return holds(b, n, "\ntarget triple = ") || holds(b, n, "\ntarget datalayout = ") || starts(b, n, "; ModuleID = ");
}
static bool is_opencl(const uint8_t *b, size_t n)
{
    return has_word(b, n, "__kernel ") || has_word(b, n, "kernel void ") || has_word(b, n, "kernel __attribute__");
}
static bool is_object_text(const uint8_t *b, size_t n)
{
    return holds(b, n, ".amdhsa_kernel ") || holds(b, n, ".amdgcn_target ") || holds(b, n, ".hsa_code_object_");
}
static bool is_gcn(const uint8_t *b, size_t n) { return has_word(b, n, "s_endpgm"); }
/* Lines of AMD's instructions, of which no one ends the program: "s_mov_b32 s0, s1", "v_mov_b32 v[0:1], ...". */
static bool is_gcn_lines(const uint8_t *b, size_t n)
{
    static const char *const operands[] = {"s[", "v[", "vcc", "exec", "null"};
    unsigned found = 0;
    for (size_t i = 1; i + 8 < n && found < LINES_LEAST; i++) {
        if (b[i] != '_' || (b[i - 1] != 's' && b[i - 1] != 'v') || (i > 1 && !isspace(b[i - 2]))) continue;
        size_t at = i + 1;
        while (at < n && (islower(b[at]) || isdigit(b[at]) || b[at] == '_')) at++;
        size_t to = at;
        while (to < n && (b[to] == ' ' || b[to] == '\t')) to++;
        if (to == at || to + 5 > n) continue;
        bool is = (b[to] == 's' || b[to] == 'v') && isdigit(b[to + 1]);
        for (size_t o = 0; o < sizeof operands / sizeof *operands; o++) is |= starts(b + to, n - to, operands[o]);
        found += is;
    }
    return found == LINES_LEAST;
}
/* Lines of a debugger: "=> 0x7ffff5200008 <kernel+8>:  v_mov_b32_e32 v2, 0". */
static bool is_gcn_listing(const uint8_t *b, size_t n)
{
    static const char *const begins[] = {"s_", "v_", "ds_", "flat_", "global_", "scratch_", "buffer_", "image_"};
    unsigned found = 0;
    for (const uint8_t *at = b, *end = b + n; found < LINES_LEAST && (at = memmem(at, (size_t)(end - at), ">:", 2));) {
        for (at += 2; at < end && (*at == ' ' || *at == '\t');) at++;
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) found += starts(at, (size_t)(end - at), begins[i]);
    }
    return found == LINES_LEAST;
}
static bool is_iga(const uint8_t *b, size_t n) { return holds(b, n, "|M0)") && has_word(b, n, "send"); }

#define NO_BYTES                                                                                                   \
    "AMD's instructions without their bytes",                                                                      \
        "have them printed, too (llvm-objdump -d does; in rocgdb `disassemble /r`), or assemble the lines alone: " \
        "gpudbg --isa %CHIP --batch -e \"assemble @ code.bin\""

/* The first that fits counts. */
static const struct kind {
    bool (*is)(const uint8_t *, size_t);
    const char *what, *how; /* how: @ is the file, %WORD the instruction set that is asked for, else the chip that the
                               text names, else WORD */
} kinds[] = {
    {is_visa, "vISA, which Intel's compiler makes of a kernel before it makes code",
        "not read: open the code that the compiler makes in the end (`ocloc compile` writes a .bin)"},
    {is_spirv, "SPIR-V as text: no GPU runs it", "open what a driver or compiler makes of it"},
    {is_llvm, "LLVM's intermediate code: no GPU runs it", "open what `clang -c` makes of it for the GPU"},
    {is_opencl, "OpenCL C: compile it first, and open what comes of it",
        "clang-19 -x cl -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=gfx700 -g @ -o kernel.co, or "
        "ocloc compile -device tgllp -options -g -file @"},
    {is_object_text, "assembly of a whole object: assemble it first",
        "clang-19 -target amdgcn-amd-amdhsa -mcpu=%CHIP @ -o kernel.co, and open kernel.co"},
    {is_gcn_listing, NO_BYTES},
    {is_gcn, "assembly: assemble it first",
        "gpudbg --isa %CHIP --batch -e \"assemble @ code.bin\", and open code.bin with --isa %CHIP --raw"},
    {is_gcn_lines, NO_BYTES},
    {is_iga, "assembly: assemble it first",
        "gpudbg --isa %GENERATION --batch -e \"assemble @ code.bin\", and open code.bin with --isa %GENERATION --raw"},
};

static const struct kind *kind_of(const uint8_t *b, size_t n)
{
    for (const struct kind *k = kinds; k < kinds + sizeof kinds / sizeof *kinds; k++)
        if (k->is(b, n)) return k;
    return NULL;
}

/* The first "gfx1030" or "gfx90a" of the text; returns its length.  0: it names none. */
static size_t chip_in(const uint8_t *b, size_t n, const char **chip)
{
    for (const uint8_t *at = b, *end = b + n; (at = memmem(at, (size_t)(end - at), "gfx", 3)); at += 3) {
        size_t k = 3;
        while (at + k < end && (isdigit(at[k]) || (k > 4 && at[k] >= 'a' && at[k] <= 'f'))) k++;
        if (k < 5 || k > 7 || (at > b && isalnum(at[-1])) || (at + k < end && isalnum(at[k]))) continue;
        *chip = (const char *)at;
        return k;
    }
    return 0;
}

static int probe(const uint8_t *b, size_t n, const char **why)
{
    const struct kind *k = kind_of(b, n);
    if (k) *why = k->what;
    return k ? SURE : 0;
}

static bool load(struct gpudbg_image *image, struct gpudbg_error *err)
{
    const struct kind *k = kind_of(image->bytes, image->size);
    if (!k) return gpudbg_fail(err, "not-recognised", "this is not a source that is known");
    char how[400];
    struct text t = text_in(how, sizeof how);
    bool open = false; /* the text does not say for what it is */
    const char *chip = "";
    const size_t n = chip_in(image->bytes, image->size, &chip);
    for (const char *from = k->how; *from;) {
        const char *hole = from + strcspn(from, "@%");
        const size_t word = *hole == '%' ? strcspn(hole + 1, " ") : 0;
        text_add(&t, "%.*s", (int)(hole - from), from);
        if (*hole == '@') text_add(&t, "%.90s", image->path);
        if (word && image->isa)
            text_add(&t, "%.30s", image->isa->name);
        else if (word && n)
            text_add(&t, "%.*s", (int)n, chip);
        else if (word)
            text_add(&t, "%.*s", (int)word, hole + 1);
        open |= word && !image->isa && !n;
        from = hole + (*hole != 0) + word;
    }
    if (open) text_add(&t, " (the text does not say which: `info isa` lists them)");
    return gpudbg_fail(err, "not-recognised", "this is %s: %s", k->what, how);
}

const struct gpudbg_loader container_source = {
    .name = "source",
    .summary = "sources, assembly and compilers' intermediate code: how to make code of them",
    .probe = probe,
    .load = load,
};
