/*
 * The processes of an MPI run as the ranks of the library (core/base/ranks.h).
 *
 *     mpi_ranks   exchange and spread; waiting without burning a processor
 *     dealer      which rank gets which task: rank 0 has a thread that answers the others
 *     inputs      rank 0 sends what it has read to the others
 *     hush        keeps what other ranks print, so that rank 0 can print a failure
 *     main        the program
 *
 * MPI is called by one thread at a time (MPI_THREAD_SERIALIZED), under one lock, and never by a
 * call that blocks: Open MPI waits by spinning, and a rank that waited while it held the lock could
 * not answer others. So every call is started, and then looked at from time to time.
 */
#ifndef DPC_MPI_RANKS_H
#define DPC_MPI_RANKS_H

#include "ranks.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct ranks {
    dpc_ranks ranks;
    MPI_Comm all;     /* for exchange and spread … */
    MPI_Comm counter; /* … and for tasks */
    pthread_mutex_t lock;
    dpc_error failure; /* of any rank; its code is DPC_OK as long as there is none */
    int failed;        /* which rank that was */
    /* The list of tasks: */
    int64_t list;        /* how many there have been */
    int64_t sent;        /* parcels, in this one, from here … */
    atomic_bool stopped; /* … and rank 0 knows that no more tasks are to be dealt out */
    /* Rank 0, under a lock of its own: */
    pthread_mutex_t dealing;
    pthread_t dealer;
    atomic_bool over;    /* the dealer may end */
    int64_t dealt, next; /* the list that is dealt out, and its first free task */
    bool closed;         /* no rank gets any more tasks */
    dpc_take take;       /* … of list number `list`; NULL: nothing can be taken */
    void *take_context;  /* passed to it */
    atomic_llong taken;  /* parcels */
} ranks;

/* After MPI_Init_thread; ends the program where that is not enough. End with ranks_close. */
void ranks_open(ranks *r);
void ranks_close(ranks *r);

/* Starts with 0: waits a moment, and a longer one each time. */
void ranks_pause(int *patience);

/* Waits for a request. */
void ranks_wait(ranks *r, MPI_Request *request, dpc_idle idle, void *context);

/* Says why, and ends all ranks. */
void ranks_abort(const ranks *r, const char *why);

/* dealer.c: the functions of the ranks that are about tasks. */
void deal_open(ranks *r);
void deal_close(ranks *r);
void deal_begin(void *context, dpc_take take, void *take_context);
bool deal_claim(void *context, int64_t count, int64_t singles, int64_t *first, int64_t *end);
void deal_stop(void *context);
void deal_send(void *context, int64_t index, const void *bytes, int64_t size);

/* inputs.c: for the other_ranks of the program. */
dpc_status share_table(const dpc_ranks *ranks, dpc_table **table, dpc_error *err);
dpc_status share_knowledge(const dpc_ranks *ranks, dpc_knowledge **knowledge, dpc_error *err);

/* hush.c: from here on this process prints into nothing; and its last sentence, or "". */
void hush(void);
void hush_last(char *text, size_t size);

#endif
