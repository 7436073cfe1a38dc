/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.h: a loaded file (sections, symbols, kernels, lines), and loaders, which fill it. */
#ifndef GPUDBG_PUBLIC_IMAGE_H
#define GPUDBG_PUBLIC_IMAGE_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Images: a loaded file ---- */

enum gpudbg_section_flags { GPUDBG_CODE_BYTES = 1, GPUDBG_LOADED = 2, GPUDBG_WRITABLE = 4 };

struct gpudbg_section {
    const char *name;
    uint64_t addr, size;
    const uint8_t *bytes; /* borrowed from the mapped file or the arena; NULL: zeros */
    uint32_t flags;
};

enum gpudbg_symbol_kind {
    GPUDBG_SYM_FUNCTION,
    GPUDBG_SYM_KERNEL,
    GPUDBG_SYM_OBJECT,
    GPUDBG_SYM_LABEL,
    GPUDBG_SYM_UNDEFINED, /* the file needs it but does not contain it: its address is made up, and there are no bytes
                             */
};

struct gpudbg_symbol {
    const char *name;
    uint64_t addr, size;
    uint8_t kind;
};

enum gpudbg_param_kind {
    GPUDBG_PARAM_VALUE,
    GPUDBG_PARAM_BUFFER, /* a pointer to global or constant memory */
    GPUDBG_PARAM_LOCAL,  /* a pointer to LDS, sized at launch */
    GPUDBG_PARAM_IMAGE,
    GPUDBG_PARAM_SAMPLER,
    GPUDBG_PARAM_HIDDEN, /* filled in by the launch; name says which */
    GPUDBG_PARAM_OTHER,  /* pipes, queues: `type` says what */
    GPUDBG_PARAM_TEXT,   /* a word that the runner reads itself: bound->text */
};

struct gpudbg_param {
    const char *name, *type; /* name: NULL if the file does not say it; type: as the source spells it, or NULL */
    uint8_t kind;
    char scalar; /* VALUE: 'i' signed, 'u' unsigned, 'f' float, 0 unknown or aggregate */
    uint32_t offset, size, align;
    bool optional; /* a launch need not give it */
};

/* A fact about a kernel or a file, a name and a number ("sgprs" 16): `info` shows it, JSON has it under `key`. */
struct gpudbg_fact {
    const char *key, *text; /* text NULL: the value is the number */
    uint64_t value;
};

struct gpudbg_kernel {
    const char *name;
    uint64_t entry, size; /* code address of the first instruction; bytes of code, 0 unknown */
    struct gpudbg_param *params;
    size_t nparams;
    uint32_t lds, scratch, kernarg; /* bytes: a group, a work-item, the argument block */
    uint32_t reqd_local[3], max_local;
    bool fixed_local; /* the group has the size reqd_local, whatever the user asks for (pixels in blocks) */
    bool quads; /* its work-items are pixels: lanes 4n to 4n + 3 of a group of even sizes are a quad, (0,0) (1,0) (0,1)
                 * (1,1), and quads are counted x fastest.  gpudbg_image.quads says it for code without kernels */
    uint8_t dimensions; /* number of work-item ids that it receives, 1 to 3; 0: not known */
    struct gpudbg_fact *facts;
    size_t nfacts;
    const void *abi;      /* the loader's own, for the runner of the same decoder; in the arena of the image */
    const char *abi_name; /* "hsa-v5", "mesa", ...; NULL: bare code */
};

enum {
    GPUDBG_LINE_INSIDE = 1, /* the row is inside of a statement: no place for a breakpoint (DWARF: not is_stmt) */
    GPUDBG_LINE_READY = 2,  /* the prologue of the function ends here (DWARF: prologue_end) */
    GPUDBG_LINE_PASSED = 4, /* nothing of the row executes: a declaration; a breakpoint moves on to the next row */
};

struct gpudbg_line { /* a row of a line table */
    uint64_t addr;
    const char *file;
    uint32_t line;
    uint16_t column, flags; /* columns above 65535 are 65535 */
};

/* A word that linking would have filled in.  The memory of a launch has it; the listing shows the file. */
struct gpudbg_patch {
    uint64_t addr, value;
    uint8_t size; /* bytes: 4 or 8 */
};

struct gpudbg_image {
    const char *path; /* as given */
    const char *kind; /* name of the loader */
    const char *why;  /* what in the file says so */
    const struct gpudbg_isa *isa;
    const uint8_t *bytes; /* the whole file, uncompressed, mapped or in the arena */
    size_t size;
    struct gpudbg_section *sections;
    size_t nsections;
    struct gpudbg_symbol *symbols; /* sorted by address once loading ends */
    size_t nsymbols;
    struct gpudbg_kernel *kernels;
    size_t nkernels;
    struct gpudbg_line *lines; /* sorted by address */
    size_t nlines;
    struct gpudbg_patch *patches;
    size_t npatches;
    struct gpudbg_fact *facts; /* for `info file` */
    size_t nfacts;
    void *own;  /* core's own: arena, mapping, indices */
    bool quads; /* code without kernels shades pixels: gpudbg_kernel.quads */
};

/* For loaders, which add to the image.  Strings are copied into the arena.  A pointer returned is valid until the next
 * one of its kind is added. */
GPUDBG_PUBLIC void *gpudbg_image_alloc(
    struct gpudbg_image *, size_t size); /* zeroed; lives as long as the image; NULL: too much */
GPUDBG_PUBLIC const char *gpudbg_image_string(struct gpudbg_image *, const char *text, size_t n);
GPUDBG_PUBLIC struct gpudbg_section *gpudbg_image_section(
    struct gpudbg_image *, const char *name, uint64_t addr, uint64_t size, const uint8_t *bytes, uint32_t flags);
GPUDBG_PUBLIC struct gpudbg_symbol *gpudbg_image_symbol(
    struct gpudbg_image *, const char *name, uint64_t addr, uint64_t size, enum gpudbg_symbol_kind);
GPUDBG_PUBLIC struct gpudbg_kernel *gpudbg_image_kernel(struct gpudbg_image *, const char *name, uint64_t entry);
GPUDBG_PUBLIC struct gpudbg_param *gpudbg_kernel_param(
    struct gpudbg_image *, struct gpudbg_kernel *); /* a new one, zeroed, at the end */
GPUDBG_PUBLIC void gpudbg_kernel_fact(struct gpudbg_image *, struct gpudbg_kernel *, const char *key, uint64_t value);
/* What the elements of a type of OpenCL C are, by its name, for gpudbg_param.scalar.  NULL: 0. */
GPUDBG_PUBLIC char gpudbg_scalar_of(const char *type);
GPUDBG_PUBLIC void gpudbg_image_fact(struct gpudbg_image *, const char *key, const char *text, uint64_t value);
GPUDBG_PUBLIC void gpudbg_image_add_line(
    struct gpudbg_image *, uint64_t addr, const char *file, uint32_t line, uint32_t column);
GPUDBG_PUBLIC void gpudbg_image_patch(struct gpudbg_image *, uint64_t addr, uint64_t value, unsigned size);
/* A chip as files name it, by a number, and as users do. */
struct gpudbg_chip {
    uint32_t number;
    const char *name, *family;    /* as people say them; family: its generation, or NULL */
    const struct gpudbg_isa *isa; /* reads its code; NULL: gpudbg does not read it */
    const char *words;            /* more names for --isa, with blanks between them, or NULL */
};
/* Chooses the image's instruction set by the chip that the file names.  false: its code is not read, and the user did
 * not force an instruction set.  One that the user forced stays, with a warning if it is not the chip's. */
GPUDBG_PUBLIC bool gpudbg_image_chip(struct gpudbg_image *, const struct gpudbg_chip *, struct gpudbg_error *);
/* The bytes of a file in the folder of the image's own file, by its base name; borrowed from the image.  NULL: there is
 * no regular file of that name, it has more than `most` bytes, or memory is short. */
GPUDBG_PUBLIC const uint8_t *gpudbg_image_beside(struct gpudbg_image *, const char *name, size_t most, size_t *n);

/* What an ELF file says of itself. */
struct gpudbg_elf {
    uint16_t type, machine;
    uint8_t osabi, abi_version;
    uint32_t flags;
    bool relocatable;
};
/* Reads an ELF file, while loading: adds sections (allocated ones at their addresses; those of a relocatable file one
 * after another, from 0 on), symbols and the line table. */
GPUDBG_PUBLIC bool gpudbg_elf_load(struct gpudbg_image *, struct gpudbg_elf *, struct gpudbg_error *);
/* Adds the line table of an ELF file that lies inside the file and whose addresses count from `base`; nothing if it is
 * damaged. */
GPUDBG_PUBLIC void gpudbg_elf_lines(struct gpudbg_image *, const uint8_t *bytes, size_t size, uint64_t base);
/* Calls each(to, ...) for every note until it returns false. */
typedef bool gpudbg_note_fn(void *to, const char *owner, uint32_t type, const uint8_t *desc, size_t size);
GPUDBG_PUBLIC bool gpudbg_elf_notes(struct gpudbg_image *, gpudbg_note_fn *each, void *to, struct gpudbg_error *);
/* Calls each(to, ...) for every relocation.  place: an address of the image.  symbol: the value of the symbol, or
 * GPUDBG_UNDEFINED if it has no name; a symbol that the file does not contain becomes one of kind UNDEFINED, and a weak
 * one is 0.  addend: from the relocation, or from the 32 bits at the place. */
#define GPUDBG_UNDEFINED UINT64_MAX
typedef void gpudbg_relocation_fn(void *to, uint32_t type, uint64_t place, uint64_t symbol, int64_t addend);
GPUDBG_PUBLIC void gpudbg_elf_relocations(struct gpudbg_image *, gpudbg_relocation_fn *each, void *to);

/* Whether libyaml can load the first document of the text in a time that grows with its length only.  (libyaml compares
 * every anchor with all others and every word with all open brackets; with aliases, a small text becomes a huge tree.)
 * false: *problem says what there is too much of. */
GPUDBG_PUBLIC bool gpudbg_yaml_plain(const uint8_t *bytes, size_t n, const char **problem);

/* For everyone. */
GPUDBG_PUBLIC const struct gpudbg_section *gpudbg_image_at(
    const struct gpudbg_image *, uint64_t addr); /* the loaded section at addr, or NULL */
/* The bytes of the loaded section from addr on, and in *n how many there are; NULL: no section, or one that the file
 * does not hold (zeros). */
GPUDBG_PUBLIC const uint8_t *gpudbg_image_bytes(const struct gpudbg_image *, uint64_t addr, size_t *n);
/* Copies [addr, addr + size) as a launch sees it: with patches, and with zeros where the file has no bytes. */
GPUDBG_PUBLIC void gpudbg_image_copy(const struct gpudbg_image *, uint64_t addr, uint8_t *to, uint64_t size);
GPUDBG_PUBLIC const struct gpudbg_symbol *gpudbg_image_symbol_at(
    const struct gpudbg_image *, uint64_t addr); /* the one that covers addr, or NULL */
GPUDBG_PUBLIC const struct gpudbg_symbol *gpudbg_image_find(const struct gpudbg_image *, const char *name);
GPUDBG_PUBLIC const struct gpudbg_kernel *gpudbg_image_kernel_named(const struct gpudbg_image *, const char *name);
GPUDBG_PUBLIC const struct gpudbg_line *gpudbg_image_line(
    const struct gpudbg_image *, uint64_t addr); /* the row that covers addr, or NULL */

/* A code file inside another: a member of an archive, a device's code in a bundle.  Bytes are borrowed from the file;
 * what a loader makes itself comes from gpudbg_image_alloc. */
struct gpudbg_member {
    const char *name;     /* as its container has it */
    const char *contents; /* what it contains ("machine code", a chip), or NULL */
    const char *refused;  /* why it cannot be opened ("code of the host"); NULL: it may be */
    const char *isa;      /* bare code of the instruction set of that name; NULL: by content */
    const uint8_t *bytes;
    size_t size;
    const struct gpudbg_fact *facts; /* what the container says of it; the image that is made of it has them, too */
    size_t nfacts;
    const struct gpudbg_line *lines; /* of text that the container assembled, by address; file NULL: its own file */
    size_t nlines;
    const struct gpudbg_symbol *symbols; /* ... its labels */
    size_t nsymbols;
};
typedef bool gpudbg_member_fn(void *to, const struct gpudbg_member *); /* false: stop */

/* A loader looks at the first bytes, says how sure it is, then fills the image; or it lists what the file contains, and
 * core opens one of these. */
struct gpudbg_loader {
    const char *name, *summary;
    /* Returns 0 (not mine) or 1 to 100: how specific the evidence is.  *why: a phrase ("ELF, machine 224").  n is the
     * size of the file, or 64 KB of a larger one. */
    int (*probe)(const uint8_t *bytes, size_t n, const char **why);
    bool (*load)(struct gpudbg_image *, struct gpudbg_error *); /* bytes, size, path are set; NULL: a container */
    /* Of a container: calls each(to, ...) for what is inside, in the order of the file; nothing is read outside of it.
     * false: err says what is wrong with the container itself. */
    bool (*members)(struct gpudbg_image *, gpudbg_member_fn *each, void *to, struct gpudbg_error *);
};

#ifdef __cplusplus
}
#endif
#endif
