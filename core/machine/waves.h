/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waves.h: groups and their waves.
 *
 * A group is unstarted (nothing is stored), live (its waves' registers and LDS are in memory) or ended.  The groups
 * that have ended stand in the order of their ends; since time may run back, the list may know more than has happened
 * by now. A live group that was only looked at is not touched and is no part of the state.
 */
#ifndef GPUDBG_WAVES_H
#define GPUDBG_WAVES_H

#include "gpudbg.h"

struct wave_end {
    uint64_t pc, executed;
};

struct group {
    uint32_t id;
    bool touched;                /* a wave has run or was edited */
    struct gpudbg_segment local; /* LDS */
    struct gpudbg_wave *wave;    /* waves_per_group of them */
    bool *lost;                  /* registers of an ended wave that are no longer kept; one a wave */
    struct wave_end *end;        /* where what is known of its end will go; one a wave */
    struct group *next;          /* spare ones */
};

struct ended_group {
    uint32_t id;
    uint64_t digest;       /* sum over this and all before it, whatever the order */
    struct wave_end *wave; /* one a wave */
    struct group *kept;    /* its registers and LDS, or NULL */
};

struct group_slot {
    struct group *live;
    uint32_t ended; /* index in ended, from 1; 0: never */
};

/* The registers of a wave that has ended, in a group that has not. */
struct final {
    uint32_t wave, *words;
};

struct waves {
    uint32_t ngroups;
    struct group_slot **slot; /* chunks of slots */
    struct group **live;      /* sorted by id */
    size_t nlive, live_room;
    struct ended_group *ended;
    size_t nended, known, ended_room; /* by now; in all recorded time */
    size_t kept_from;                 /* no entry before this one has `kept` */
    uint64_t kept_bytes, group_bytes; /* of one group */
    struct group *spare;
    size_t nspare;
    struct final *final; /* while time is before their ends; the oldest first */
    size_t nfinals, final_room;
};

bool waves_open(struct gpudbg_machine *, struct gpudbg_error *); /* after runner->launch */
void waves_close(struct gpudbg_machine *);

struct group *waves_live(const struct gpudbg_machine *, uint32_t group); /* or NULL */
struct group *waves_group(struct gpudbg_machine *, uint32_t group); /* made if unstarted; NULL: ended, or no memory */
const struct ended_group *waves_ended(const struct gpudbg_machine *, uint32_t group); /* or NULL */
size_t waves_end_index(
    const struct gpudbg_machine *, uint32_t group); /* in all recorded time, from 1; 0: never ended */
/* The first group behind this one that is not as it is: unstarted or ended, with all lanes of all waves.  The group
 * itself: it is none of these. */
uint32_t waves_alike(const struct gpudbg_machine *, uint32_t group);
/* Fills in who a wave is and which lanes it has; nothing of its state. */
void waves_identity(const struct gpudbg_machine *, uint32_t wave, struct gpudbg_wave *);
void waves_drop(struct gpudbg_machine *, struct group *);   /* live -> unstarted */
void waves_retire(struct gpudbg_machine *, struct group *); /* live -> ended */
/* Unstarted -> ended, without its registers: it ran in another process, and nobody will be able to look at them.
 * false: no memory. */
bool waves_retire_unkept(struct gpudbg_machine *, uint32_t group, const struct wave_end *);
/* Whether a group, the nth to end, from 0, stays to be looked at, as the two that ended last do. */
bool waves_stays(const struct gpudbg_machine *, size_t n);
/* The registers and LDS of a group that has ended, as so many bytes; and those bytes to a group that is unstarted. */
size_t waves_kept_size(const struct gpudbg_machine *);
void waves_put_kept(const struct gpudbg_machine *, const struct group *, uint8_t *);
void waves_take_kept(const struct gpudbg_machine *, const uint8_t *, const struct wave_end *, struct group *);
void waves_restart(struct gpudbg_wave *);   /* back to UNSTARTED */
void waves_forget(struct gpudbg_machine *); /* ends that have not happened by now never will */
void waves_leave(struct gpudbg_machine *);  /* before time is another: what has ended is noted */
bool waves_final(struct gpudbg_wave *);     /* has ended: it gets its registers; false: they are no longer kept */

/* Dwords of registers that a wave's state consists of: 0 unless it has begun and not ended. */
static inline size_t wave_state_words(const struct gpudbg_wave *wave)
{
    bool running = wave->state == GPUDBG_READY || wave->state == GPUDBG_AT_BARRIER;
    return running ? wave->machine->wave_words : 0;
}

#endif
