/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_log.h: what kernel_log.c is made of.  A fault, a list of registers and a reset are several lines between which
 * other lines may stand, so each is a state machine in a file of its own: vm_fault.c (faults up to gfx8), hub_fault.c
 * (from gfx9 on), mesa_fault.c, runtime_fault.c, intel_fault.c, reset_list.c (registers at a soft reset).  phrases.c
 * reads messages of
 * one line, generations.c lists the generations that a log without a chip's name may be of.
 *
 * Each machine has a structure, which starts as zeros; NAME_line, whether the line's text from p on is a part of such a
 * thing; and NAME_end, which tells what is half read when the log ends.
 */
#ifndef KERNEL_LOG_H
#define KERNEL_LOG_H

#include "dumps.h"

/* ---- generations.c: what a log without a chip's name may be of ---- */

enum { /* bits, from the oldest on */
    GENERATION_CAYMAN = 1,
    GENERATION_6 = 2,
    GENERATION_7 = 4,
    GENERATION_8 = 8,
    GENERATION_9 = 16,
    GENERATION_10 = 32,
    GENERATION_10_3 = 64,
    GENERATION_11 = 128,
    GENERATION_12 = 256,
    GENERATION_ALL = 511,
    GENERATION_10_ON = GENERATION_10 | GENERATION_10_3 | GENERATION_11 | GENERATION_12
};
enum generation_trust { /* the last: the most */
    TRUST_FUNCTION,
    TRUST_LINE,
    TRUST_LIST,
    TRUST_BLOCK,
    TRUST_FIRMWARE,
    TRUST_CHIP
};
enum generation_fact { INTERRUPT_REPEATS_STATUS }; /* of a VM fault: client, access, vmid and checks in both */
bool generation_has(const char *family, enum generation_fact);

#define GENERATION_DEVICES 16
#define GENERATION_SIGNS 24 /* of a device, those that say the same once */
struct generations {
    struct generation_of {
        const char *device;
        struct generation_sign {
            enum generation_trust trust;
            unsigned left;
            uint32_t line;
            const char *why;
            char name[32]; /* that says it, or "" */
        } sign[GENERATION_SIGNS];
        unsigned n, agreeing;
        uint32_t capture; /* the first that it was of: it may have had no device yet */
    } of[GENERATION_DEVICES];
    size_t n;
    char typed[9][24]; /* by bit: what a person's text called the chip, or "" */
    struct intel_number {
        uint32_t capture;
        unsigned number; /* as the driver counts generations; 0: it did not say */
    } intel[GENERATION_DEVICES];
    unsigned nintel;
    const char *intel_family; /* what a person's text named, or NULL */
    char intel_name[24];
    bool intel_doubt; /* it named several */
    unsigned typed_lines;
};
/* A line that no logger wrote: a board that it names decides between generations that the driver's lines leave. */
void generation_typed(struct generations *, const char *text);
/* A line of the current device that only the generations `left` print. */
void generation_sign(struct generations *, struct gpudbg_dump *, uint32_t line, unsigned left, const char *why);
/* A sign that is passed over where a better one says something else. */
void generation_weak_sign(struct generations *, struct gpudbg_dump *, uint32_t line, unsigned left, const char *why);
/* A name that the line gives says the family (NULL: it says none); one that is trusted counts at once. */
void generation_named(struct generations *, struct gpudbg_dump *, uint32_t line, enum generation_trust,
    const char *family, const char *name);
/* A line of Intel's drivers, and the number of a generation that it gives; 0: none. */
void intel_numbered(struct generations *, struct gpudbg_dump *, uint32_t line, unsigned number);
/* A fault whose interrupt holds what its status register does, or not. */
void generation_fault(struct generations *, struct gpudbg_dump *, uint32_t line, bool agrees);
/* Says of captures what is left, where they do not say it themselves. */
void generations_end(struct generations *, struct gpudbg_dump *);

/* ---- hub_fault.c ---- */

#define HUB_DEVICES 8
struct hub_faults {
    struct hub_fault { /* being put together, one a device */
        char device[104], hub[24], client[32], die[24];
        unsigned parts, latest, have;
        bool later;  /* its register is called as from gfx10 on */
        double time; /* of its latest line */
        uint32_t first, last_line, capture, at[10];
        uint64_t values[GPUDBG_INCIDENT_VALUES];
    } fault[HUB_DEVICES];
    bool known_order, backwards; /* the log is sorted so, as far as it has shown */
};
/* Whether the line's text from p on is a part of such a fault. */
bool hub_fault_line(
    struct hub_faults *, struct generations *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void hub_faults_end(struct hub_faults *, struct gpudbg_dump *);
/* Whether the line gives the status of such a fault. */
bool hub_fault_status_line(const char *p);
/* Parts that the line tells in another way: the address in bytes, the status as gfx9 to gfx12 lay it out. */
void hub_fault_address(struct hub_faults *, struct gpudbg_dump *, const struct gpudbg_dump_line *, uint64_t address);
void hub_fault_status(struct hub_faults *, struct gpudbg_dump *, const struct gpudbg_dump_line *, uint64_t status);

/* ---- vm_fault.c ---- */

enum vm_part { VM_NONE, VM_DETECTED, VM_ADDRESS, VM_STATUS, VM_SUMMARY };
#define VM_DEVICES 8
struct vm_faults {
    struct vm_fault { /* being put together, one a device */
        char device[104];
        unsigned parts; /* bits by enum vm_part */
        enum vm_part last;
        uint32_t first_line, last_line, capture;
        uint32_t at[5]; /* line of each part */
        uint64_t source, data, page, status;
        uint64_t said_protections, said_vmid, said_pasid, said_page, said_client, said_write, said_tag;
        bool has_pasid, has_client, has_tag; /* the line may end early */
        bool signs;                          /* of its generation were read */
        double time;                         /* of its latest line */
    } fault[VM_DEVICES];
    bool backwards; /* the log is sorted so, as far as it has shown */
    bool known_order;
    bool any; /* a part of one was read */
};
bool vm_fault_line(
    struct vm_faults *, struct generations *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void vm_faults_end(struct vm_faults *, struct generations *, struct gpudbg_dump *);
/* Parts that a line tells in another way. */
void vm_fault_page(
    struct vm_faults *, struct generations *, struct gpudbg_dump *, const struct gpudbg_dump_line *, uint64_t page);
void vm_fault_status(
    struct vm_faults *, struct generations *, struct gpudbg_dump *, const struct gpudbg_dump_line *, uint64_t status);
/* Whether of the device's latest fault nothing but the status was read. */
bool vm_fault_has_status_alone(const struct vm_faults *, const char *device);

/* ---- mesa_fault.c ---- */

struct mesa_fault {
    uint64_t value;
    uint32_t line, capture; /* line: of a fault whose status is not read yet; 0: none */
    bool address;           /* in bytes; else the line does not say whether it is a page */
    double time;
};
bool mesa_fault_line(struct mesa_fault *, struct vm_faults *, struct hub_faults *, struct generations *,
    struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void mesa_fault_end(struct mesa_fault *, struct gpudbg_dump *);

/* ---- intel_fault.c ---- */

struct intel_fault {
    struct gpudbg_incident incident; /* `line` 0: none is begun */
    char unit[32], space[32];
    double time; /* of its heading */
};
bool intel_fault_line(struct intel_fault *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void intel_fault_end(struct intel_fault *, struct gpudbg_dump *);

/* ---- reset_list.c ---- */

#define OLDER_THAN_GFX7 "a generation before gfx7"
struct reset_lists {
    uint32_t list;    /* capture of the register list being read, plus 1; 0: none */
    uint32_t other;   /* the second one where lines of two are mixed, the same */
    unsigned listed;  /* registers of it so far */
    bool wrote_reset; /* the driver has written the reset registers: the next list is after it */
    uint32_t list_line;
    char last[32];   /* the register before in the list */
    uint32_t *older; /* captures that look older than gfx7; freed by the owner */
    size_t nolder;
    bool any; /* a list was read */
};
bool reset_list_line(
    struct reset_lists *, struct generations *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
/* The message that a soft reset begins with was read; older: as kernels write it that do not know gfx7. */
void reset_list_begin(struct reset_lists *, struct gpudbg_dump *, uint32_t line, bool older);

/* ---- resets.c ---- */

enum reset_step {
    RESET_BEGINS,
    RESET_GOES_ON, /* the line belongs to a reset that has begun, if one has */
    RESET_WHOLE,   /* the line is all that is told of one */
    RESET_RESUMES, /* the hardware is reset, and the driver is about to use it again */
};
#define RESETS 8
struct resets {
    struct reset_of { /* under way, one a device and engine; incident.kind NULL: none */
        char device[104], unit[64], method[48], why[160], failed[64];
        struct gpudbg_incident incident;
        uint32_t capture;
        bool begun;  /* the line of its beginning was read */
        double time; /* of its latest line */
    } reset[RESETS];
    const char *usual; /* why a driver may reset a chip that works; NULL: it has no reason */
    uint32_t usual_line;
    double usual_time;
};
/* Adds what the line tells to the reset that it belongs to; false: it is an incident of its own. */
bool reset_line(struct resets *, struct gpudbg_dump *, const struct gpudbg_dump_line *,
    const struct gpudbg_incident *told, enum reset_step);
/* Something new has failed on the device: what follows belongs to another reset.  ended: only of resets that have. */
void resets_over(struct resets *, struct gpudbg_dump *, const char *device, bool ended);
/* From this line on a driver may reset a chip that works, as it does `why`; NULL: no longer. */
void resets_usual(struct resets *, const struct gpudbg_dump_line *, const char *why);
void resets_end(struct resets *, struct gpudbg_dump *);

/* ---- xe_job.c ---- */

#define XE_QUEUES 64 /* numbers of queues whose engine is remembered */
struct xe_job {
    struct gpudbg_incident incident; /* `line` 0: none is begun */
    uint32_t capture;
    char unit[16], process[96], engine[XE_QUEUES][16];
};
bool xe_job_line(struct xe_job *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void xe_job_end(struct xe_job *, struct gpudbg_dump *);

/* ---- aca.c ---- */

enum { ACA_REGISTERS = 5 };
struct aca { /* a bank of errors */
    uint64_t bank, value[ACA_REGISTERS];
    uint32_t line, last, capture;
    unsigned have;
};
bool aca_line(struct aca *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void aca_end(struct aca *, struct gpudbg_dump *);

/* ---- guc_state.c, engine_state.c ---- */

struct guc_state {
    struct gpudbg_incident incident; /* `line` 0: none is begun */
    uint32_t capture;
    char unit[16];
};
bool guc_state_line(struct guc_state *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void guc_state_end(struct guc_state *, struct gpudbg_dump *);
struct engine_state {
    struct gpudbg_incident incident; /* `line` 0: none is begun */
    uint32_t capture;
    char unit[16];
};
/* Whether a line, without what loggers put in front, is the first of an engine, or a request. */
bool engine_state_begins(const char *p);
bool engine_state_line(struct engine_state *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void engine_state_end(struct engine_state *, struct gpudbg_dump *);

/* ---- firmware.c ---- */

#define FIRMWARE_WAITS 16
struct firmware {
    struct firmware_waits {
        char name[64], text[160]; /* name: in small letters, without its folder */
        uint32_t line, capture;
    } waits[FIRMWARE_WAITS];
    unsigned n;
};
/* Behind the folder of one of the known drivers in the text, whose name is *driver; NULL: none is there. */
const char *firmware_file(const char *text, const char **driver);
/* What a line says of the files that wait: one came, or they have waited long enough. */
void firmware_line(struct firmware *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
/* Whether the message, p, is of a file that may come under another name, or is another device's; else it is told. */
bool firmware_waits(struct firmware *, struct gpudbg_dump *, const struct gpudbg_dump_line *,
    const struct gpudbg_incident *told, const char *p);
void firmware_end(struct firmware *, struct gpudbg_dump *);

/* ---- oops.c ---- */

struct oops {
    const char *what, *driver; /* what: NULL as long as none is begun; driver: whose functions are in it, or NULL */
    char place[96], function[64], first[64]; /* function: of the driver; first: the nearest of all */
    uint32_t line, last;
    bool known, shared; /* the driver's GPUs are known; it serves all drivers */
    bool past;          /* how locks were taken before, by whomever, is listed */
};
bool oops_line(struct oops *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void oops_end(struct oops *, struct gpudbg_dump *);

/* ---- runtime_fault.c ---- */

#define RUNTIME_FAULTS 64 /* that wait for the kernel's lines */
struct runtime_faults {
    struct runtime_fault {
        uint64_t address;
        uint32_t line, capture;
        char reason[96];
    } fault[RUNTIME_FAULTS];
    size_t n;
};
/* Whether it waits; else it is an incident of its own. */
bool runtime_fault_line(struct runtime_faults *, struct gpudbg_dump *, const struct gpudbg_incident *told);
/* Behind the ends of the kernel's faults. */
void runtime_faults_end(struct runtime_faults *, struct gpudbg_dump *);

#define LOST_CONTEXTS 64 /* that wait for the kernel's lines; later ones are incidents of their own */
struct lost_contexts {
    struct lost_context {
        const struct gpudbg_incident_kind *kind; /* which it keeps if the log has no failure of the kernel */
        uint64_t error;
        unsigned have;
        uint32_t line, capture;
        char text[96];
    } lost[LOST_CONTEXTS];
    size_t n;
};
/* Keeps a program's message that its context is lost until the end of the log.  false: there is no room. */
bool lost_context_line(struct lost_contexts *, struct gpudbg_dump *, const struct gpudbg_incident *told);
/* Behind the ends of the kernel's resets. */
void lost_contexts_end(struct lost_contexts *, struct gpudbg_dump *);

/* ---- others.c ---- */

/* Whether words of the text tell of a failure. */
bool tells_of_failure(const char *p);
/* Whether the line is of a driver whose GPUs are not known; one that tells of a failure is an incident. */
bool other_vendor_line(struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
/* Whether a driver of that name is one of GPUs, known or not. */
bool is_gpus_driver(const char *name);
/* What is said of a driver whose GPUs are not known; of another, its name. */
void other_vendor_says(const char *driver, char *buf, size_t size);
extern const char *const our_drivers[]; /* those whose GPUs are known, and NULL */
/* The known driver that has the name; NULL: none. */
const char *our_driver(const char *name, size_t size);
/* Which of the known drivers wrote the line ("amdgpu"); NULL: none, or it does not say. */
const char *driver_of(const struct gpudbg_dump_line *);
/* An error of a known driver that nothing else has read: an incident. */
bool unknown_line(struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);

/* ---- phrases.c ---- */

struct phrase_told {
    struct gpudbg_incident incident[2];    /* without their lines */
    char unit[64], text[96], meaning[320]; /* what they may point at */
    enum reset_step step;                  /* of a reset */
    bool lost;                             /* a program says that its context is lost */
};
/* What a message tells that is one line; the number of incidents, 0 if it is none of those known.  The line
 * says whose message it is (NULL: that is not known); amdgpu: it counts rings as that driver does. */
unsigned phrases_read(const char *message, const struct gpudbg_dump_line *, bool amdgpu, struct phrase_told *);

/* ---- scan.c ---- */

/* "GPU HANG: ecode ..." wherever it stands in the text: an incident. */
bool take_hang(struct generations *, struct gpudbg_dump *, const struct gpudbg_dump_line *);

/* ---- kernel_log.c ---- */

/* Whether that driver writes the line, as far as it tells: in front of its device or message, or by the function's
 * name. */
bool driver_is(const struct gpudbg_dump_line *, const char *driver);

#endif
