/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumps.h: what the readers of dumps share.  Each family of formats has a file: kernel_log.c, umr_*.c, radeon_ring.c,
 * devcoredump.c, mesa.c, kfd.c, i915_error.c, lists.c, binary.c, oa.c.  What kernel_log.c is made of is in
 * kernel_log.h.  chips.c knows generations by the names and numbers that dumps give.  scan.c reads words and numbers;
 * reader.c has a reader's state and the words that it adds to a stream.
 */
#ifndef DUMPS_H
#define DUMPS_H

#include <string.h>

#include <gpudbg.h>
#include <gpudbg/endian.h>

/* ---- scan.c: each moves *p past what it takes, or leaves it and returns false ---- */

static inline bool begins(const char *p, const char *word)
{
    return *p == *word && strncmp(p, word, strlen(word)) == 0; /* most texts end at the first letter */
}
static inline bool scan_word(const char **p, const char *word)
{
    if (*word && !begins(*p, word)) return false;
    *p += strlen(word);
    return true;
}
void scan_blanks(const char **p);
/* Digits up to `most` of them; no sign, no prefix.  false also where more digits follow. */
bool scan_hex(const char **p, unsigned most, uint64_t *value);
bool scan_0x(const char **p, unsigned most, uint64_t *value); /* with 0x in front */
bool scan_decimal(const char **p, uint64_t *value);
/* Letters, digits and underscores, copied. */
bool scan_name(const char **p, char *name, size_t size);
/* Up to the stop character or string, copied; the stop is passed. */
bool scan_until(const char **p, const char *stop, char *text, size_t size);
/* The rest of a needle found anywhere. */
bool scan_find(const char **p, const char *needle);
/* Whether two times of lines are known to be that many seconds apart, or more. */
bool lines_apart(double a, double b, double seconds);
#define FAULT_SECONDS 10 /* at most between two lines of one thing, which the kernel prints at once */
/* Whether the first n bytes hold the text. */
bool head_has(const uint8_t *bytes, size_t n, const char *text);
/* The register's name without mm, ix, reg, R_00XXXX_; *addr is set where such a prefix tells it.  Points into name. */
const char *plain_register(const char *name, uint64_t *addr, bool *indirect);

/* ---- reader.c ---- */

#define NO_STREAM ((size_t)-1) /* none yet */

/* What a reader knows between lines, for its `open`: a copy of `first`, or zeros.  NULL: out of memory, the reader is
 * left out. */
void *reader_state(const void *first, size_t size);
/* `close` of a reader with nothing half read. */
void reader_state_free(void *state, struct gpudbg_dump *);
/* The stream goes on with the low `bytes` bytes of a value, the lowest first. */
void stream_add(struct gpudbg_dump *, size_t stream, uint64_t value, unsigned bytes, uint32_t line);
/* Groups of five characters, the most significant digit first, each a little-endian word; "z" is zero.  Returns how
 * many bytes were written to `to` (4 a group, n / 5 * 4 + 4 times what n characters can hold at most).  *end: where it
 * stopped. */
size_t unpack_ascii85(const char *text, size_t n, uint8_t *to, const char **end);

/* ---- chips.c ---- */

#define GFX10_ALL "gfx10 or gfx10.3"       /* one driver serves both */
const char *chip_family(const char *chip); /* "hawaii", "LIVERPOOL": NULL if unknown */
/* A board or chip that a person's text names ("RX 7900 XT", "navi 33", "gfx1201"), and its family; NULL: none. */
const char *board_family(const char *text, char *name, size_t size);
const char *block_family(const char *block); /* "gfx720", "gfx_v7_0", "gmc70", "cik_sdma": NULL if it does not say */
const char *pci_family(unsigned id);         /* Intel's PCI device id */
const char *amd_family(unsigned id);         /* AMD's PCI device id */
const char *firmware_family(const char *file, bool intel); /* "MULLINS_pfp", "gc_11_0_0_me", "tgl_guc_70" */
const char *soc_family(unsigned family);                   /* AMD's family number in decimal */
const char *intel_family(unsigned generation); /* the first number of an ecode; NULL where it leaves a doubt */
bool is_intel(const char *family);
/* Says the family of one of Intel's; what was said before may be a part of it ("gen12", then "gen12.5"). */
void intel_named(struct gpudbg_dump *, uint32_t line, const char *family);
const char *ring_engine(
    const char *ring); /* AMD's "sdma0", "uvd": the engine whose commands it holds; NULL: the command processor */

/* ---- Incidents: fixed words ---- */

/* clang-format off */
#define INCIDENTS(X) \
    X(vm_fault, "vm-fault", "an access to memory that is not mapped or not allowed", "source", "data", "page", \
        "status", "vmid", \
        "pasid", "protections", "client", "write", "tag") \
    X(soft_reset, "soft-reset", "the driver resets parts of the GPU", "mask") \
    X(stalled, "stalled", "a ring makes no progress", "milliseconds", "ring") \
    X(lockup, "lockup", "the driver gives a ring up", "current", "last", "ring") \
    X(saved, "saved", "commands saved for after the reset", "dwords", "ring") \
    X(timeout, "timeout", "a job took too long", "signaled", "emitted") \
    X(process, "process", "whose work it was", "pid", "thread") \
    X(illegal_instruction, "illegal-instruction", "an illegal instruction in a command stream") \
    X(illegal_register, "illegal-register", "an access to a forbidden register in a command stream") \
    X(refused, "commands-refused", "the driver takes no more commands of a program", "error") \
    X(ring_test, "ring-test-failed", "a ring did not run the driver's test packets", "error") \
    X(init_failed, "init-failed", "the driver could not set the GPU up", "error") \
    X(reset, "reset", "a reset whose end is not told", "number", "error", "source", "vram-lost") \
    X(reset_failed, "reset-failed", "a reset that did not help", "number", "error", "source", "vram-lost") \
    X(reset_done, "reset-done", "a reset that ended well", "number", "error", "source", "vram-lost", \
        "resuming") \
    X(soft_recovered, "soft-recovered", "a ring that went on when its job's waves were ended") \
    X(wedged, "wedged", "the driver gave the device up") \
    X(start_failed, "start-failed", "a part of the GPU could not be set up") \
    X(firmware_missing, "firmware-missing", "firmware could not be loaded, or does not start") \
    X(engine_trouble, "engine-trouble", "an engine does not do what it is told") \
    X(queue_trouble, "queue-trouble", "queues and their schedulers") \
    X(memory_trouble, "memory-trouble", "buffers and page tables") \
    X(refused_trouble, "work-refused", "work of a program is refused") \
    X(power_trouble, "power-trouble", "power, clocks, heat") \
    X(bus_trouble, "bus-trouble", "the bus and the link to the device") \
    X(display_trouble, "display-trouble", "the display") \
    X(noted, "noted", "a message that tells of no failure") \
    X(driver_stopped, "driver-stopped", "the kernel stopped in a driver, or warns of it") \
    X(ras_error, "ras-error", "an error that the hardware could not correct") \
    X(ras_count, "ras-count", "errors that the hardware has corrected") \
    X(wave_error, "wave-error", "an error that a wave of a shader met", "type", "se", "sh", "cu", "wgp", "simd", \
        "wave", "priv", "data") \
    X(waves_at, "waves-at", "waves that stand at one place of a program", "pc", "waves") \
    X(queue_dispatch, "queue-dispatch", "the dispatch that a queue was at", "rptr", "wptr", "kernel-object") \
    X(unknown_error, "unknown-error", "an error of a driver in words that gpudbg does not know") \
    X(vram_lost, "vram-lost", "what was in video memory is gone") \
    X(gpu_hang, "gpu-hang", "the driver found an engine hung", "generation", "engines", "ecode", "pid") \
    X(suppressed, "suppressed", "messages that the kernel left out, there were so many", "messages") \
    X(interrupts_lost, "interrupts-lost", "the ring of interrupts ran over") \
    X(fence_late, "fence-late", "a fence was seen by a timer and not by its interrupt") \
    X(fence_timeout, "fence-timeout", "a fence did not come in time") \
    X(wait_ended, "wait-ended", "the driver let a ring go on that waited in vain") \
    X(hardware_error, "hardware-error", "the hardware itself reported an error", "eir") \
    X(device_silent, "device-silent", "what the driver reads of the device is ones") \
    X(errors_logged, "errors-logged", "the hardware logged errors, corrected ones or others") \
    X(iommu_fault, "iommu-fault", "the IOMMU refused an access of the GPU", "address") \
    X(fault_unserved, "fault-unserved", "a page that the GPU asked for could not be given to it") \
    X(hung, "block-hung", "the driver found a block hung") \
    X(signaled, "job-done-late", "the job that was late had ended") \
    X(firmware_silent, "firmware-silent", "the firmware of a controller did not answer") \
    X(eviction, "eviction-failed", "queues could not be taken off the hardware", "queue", "pid", "pasid") \
    X(queues_taken, "queues-evicted", "queues of a process were taken off the hardware", "pasid") \
    X(vital_buffer, "vital-buffer", "a program freed a buffer that its queue needs", "address") \
    X(context_lost, "context-lost", "a program was told that its context or device is lost") \
    X(not_ours, "not-ours", "a line of a driver whose GPUs gpudbg does not know", "xid") \
    X(preemption, "preemption-failed", "queues of a process could not be taken off the hardware") \
    X(coredump, "coredump", "the driver has kept a core dump") \
    X(message_ring, "message-ring", "messages between the driver and GuC", "head", "tail", "waiting", "size", \
        "broken", "status") \
    X(queue_state, "queue-state", "a queue of GuC, and how far it came", "guc-id", "head", "tail", "begun", "ended", \
        "behind") \
    X(engine_state, "engine-state", "an engine as its driver prints it", "head", "tail", "left") \
    X(coredump_deleted, "coredump-deleted", "the driver has dropped its core dump") \
    X(runtime_told, "runtime-told", "a runtime was told of a fault that the kernel tells, too", "address") \
    X(context_told, "context-told", "a program was told that its context is lost after the kernel's failure", \
        "failure-line") \
    X(error_state, "error-state", "the driver has kept an error state", "card") \
    X(gpu_fault, "gpu-fault", "an access of Intel's GPU that failed", "address", "write", "source", "fault", "asid", \
        "level") \
    X(job_timeout, "job-timeout", "a job did not end in time", "seqno", "pid", "guc-id", "kernel") \
    X(page_fault, "page-fault", "a hub saw an access that failed", "address", "status", "vmid", "pasid", "client", \
        "write", "permissions", "mapping-error", "walker-error", "more-faults") \
    X(trace_point, "trace-point", "how far the command processor came", "point", "reached", "last") \
    X(hang_region, "hang-region", "a command of those among which the GPU stopped", "command") \
    X(trap, "trap", "a wave's trap", "pc", "trap", "host", "rewind") \
    X(page_walk, "page-walk", "how page tables translate an address", "address", "vmid", "pde", "pte", "physical", \
        "valid", "system") \
    X(buffer, "buffer", "a buffer and where it is", "start", "size", "end")
#define X(id, ...) extern const struct gpudbg_incident_kind incident_##id;
/* clang-format on */
INCIDENTS(X)
#undef X

/* "NAME pid 12 thread ...": whose work it was, an incident; nobody's ("  pid 0") is none. */
void tell_process(struct gpudbg_dump *, uint32_t line, const char *p);

/* ---- wave_groups.c: waves of any generation, by where they stand ---- */

/* One of a wave's registers. */
void wave_register(struct gpudbg_dump *, const char *unit, uint32_t line, const char *name, uint64_t value);

#define WAVE_GROUPS 48
struct wave_told {
    uint64_t pc;
    const char *place, *insn, *reason, *name; /* "kernel+0x1c4", the instruction's text, why it stopped; or NULL */
    const struct wave_state *state;           /* what its registers say; or NULL */
    unsigned count;                           /* waves that stand so; 0: this one */
};
struct wave_groups {
    struct wave_group {
        uint64_t pc;
        char place[224], insn[96], reason[48], sample[64], waits[128], outstanding[128], state[160], words[24];
        bool told; /* registers say what it waits for */
        uint32_t line, last, capture;
        unsigned waves;
    } group[WAVE_GROUPS];
    unsigned n, others;
};
void wave_group_add(struct wave_groups *, struct gpudbg_dump *, uint32_t line, const struct wave_told *);
/* Whether waves stand at an address, as far as was told. */
bool wave_group_at(const struct wave_groups *, uint64_t pc);
/* The instruction at an address, where it is told behind the waves. */
void wave_group_insn(struct wave_groups *, uint64_t pc, const char *insn);
void wave_group_place(struct wave_groups *, uint64_t pc, const char *place); /* the same, of the place's name */
void wave_group_state(struct wave_groups *, uint64_t pc, const char *state); /* what one of them has met */
void wave_groups_end(struct wave_groups *, struct gpudbg_dump *);            /* each group is an incident */

/* Waves that are told with their registers, kept until these are read. */
struct wave_stands {
    struct wave_stand {
        size_t index;
        uint64_t base, offset; /* of the program; 0, 0: not known */
        char insn[72];         /* where it stands, as the dump shows it; "": not */
    } * stand;
    size_t n, room;
};
void wave_stand_add(struct wave_stands *, size_t index);
struct wave_stand *wave_stand_latest(const struct wave_stands *); /* NULL: none */
/* Those of generations whose code does not run here are told by where they stand; rules tell those of the others one by
 * one. */
void wave_stands_end(struct wave_stands *, struct gpudbg_dump *);
size_t wave_latest(const struct gpudbg_dump *); /* the number of the wave that was added last */

/* ---- rocgdb.c: what ROCgdb prints of a GPU ---- */

enum { ROCGDB_AGENTS = 16, ROCGDB_QUEUES = 32 };
struct rocgdb {
    char unit[64], signal[48]; /* of the wave that is selected; why it stopped, until it is told */
    char stopped[64];          /* the wave that is told where it stopped */
    uint64_t pc, stopped_at;
    unsigned number, agent, waves, running;
    uint32_t awaited, signalled, running_line,
        used; /* awaited: the line whose frame follows; used: agents of waves, a bit each */
    size_t index;
    bool selected; /* by the latest line */
    struct rocgdb_agent {
        unsigned id;
        const char *family;
        uint32_t line;
    } agent_told[ROCGDB_AGENTS];
    struct rocgdb_queue {
        uint64_t agent, id, read, write;
        uint32_t line;
    } queue[ROCGDB_QUEUES];
    struct rocgdb_dispatch {
        uint64_t agent, queue;
        char told[240];
        uint32_t line;
    } dispatch[ROCGDB_QUEUES];
    size_t nagents, nqueues, ndispatches;
};
size_t function_length(const char *); /* of a function's name at the start, without its arguments */
bool rocgdb_line(
    struct rocgdb *, struct wave_groups *, struct gpudbg_dump *, const struct gpudbg_dump_line *, const char *p);
void rocgdb_end(struct rocgdb *, struct gpudbg_dump *);

/* ---- wave_state.c: what the registers of a wave say of it ---- */

struct wave_state {
    uint64_t pc;
    bool has_pc, told;     /* told: its counters are known */
    char waits[128];       /* what the instruction where it stands waits for; "" if nothing, or not known */
    char outstanding[128]; /* what it has under way */
    char state[160];       /* "halted, in the trap handler, address space 6" */
    char words[24];        /* of the instruction there */
};
/* insn: the text of the instruction where it stands, or NULL. */
void wave_state_of(struct gpudbg_dump *, const struct gpudbg_dump_wave *, const char *insn, struct wave_state *);

extern const struct gpudbg_listing listing_oa;      /* info oa */
extern const struct gpudbg_listing listing_phrases; /* info phrases */

/* ---- The readers ---- */

/* clang-format off */
#define READERS_OF_DUMPS(X) \
    X(devcoredump) X(i915_error) X(mesa_log) X(umr_registers) X(umr_waves) X(umr_ring) X(umr_harness) X(radeon_ring) \
        X(umr_vm) X(gputool) X(debug_agent) X(aql_queues) X(kfd_queues) X(intel_reg) X(guc_log) X(kernel_log) \
    X(address_list) X(word_list) X(packet_list) X(amdgpu_regs) X(amdgpu_wave) X(amdgpu_gpr) X(i915_mmio) \
        X(eu_state) X(memory) X(pm4_buffer) X(batch_buffer) X(oa_report) X(i915_perf)
#define X(name) extern const struct gpudbg_reader reader_##name;
/* clang-format on */
READERS_OF_DUMPS(X)
#undef X

#endif
