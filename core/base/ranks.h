/*
 * Ranks: processes that make the same calls with the same data at the same time, and share the work
 * of the longer lists. Rank 0 leads: it alone has the results in the end.
 *
 * The library does not know how the ranks communicate: whoever gives it several ranks brings the
 * functions for that, and mpi/ does. All ranks call them in the same order, `claim`, `close` and
 * `send` excepted.
 *
 * A rank that fails gives its status to the next function that all of them call, whichever that
 * is, and there all the others fail too. From then on all of these functions fail at once.
 */
#ifndef DPC_RANKS_H
#define DPC_RANKS_H

#include "dualpc.h"

#include <stdlib.h>

/* What another rank sent about a task comes to rank 0, on any thread, one after the other. */
typedef void (*dpc_take)(void *context, int64_t index, const void *bytes, int64_t size);

/* Called now and then by a rank that has to wait. */
typedef void (*dpc_idle)(void *context);

/* Bytes of all ranks, for all of them. */
typedef struct dpc_exchange {
    dpc_status status; /* of this rank so far; not DPC_OK: nothing is exchanged */
    const char *mine;
    int64_t size;
    dpc_idle idle; /* may be NULL */
    void *idle_context;
    char *all;   /* receives those of rank 0, of rank 1, …; owned */
    int64_t *at; /* receives where those of each rank start, and the end; owned */
} dpc_exchange;

static inline void dpc_exchange_clear(dpc_exchange *exchange)
{
    free(exchange->all);
    free(exchange->at);
}

struct dpc_ranks {
    int rank, ranks;
    int neighbours; /* ranks on the same machine, this one included: they share its memory */
    double worth;   /* lists of fewer operations are not shared: every rank does all of them */
    void *context;

    /* Begins a list of tasks. `take`, of rank 0, may be NULL: then nothing will be sent. */
    void (*begin)(void *context, dpc_take take, void *take_context);

    /*
     * The tasks *first … *end - 1 are the caller's alone; false: there are none left.
     * The first `singles` of all are dealt out one by one, later ones in runs that become shorter.
     */
    bool (*claim)(void *context, int64_t count, int64_t singles, int64_t *first, int64_t *end);

    /* No rank gets any more tasks of this list. */
    void (*close)(void *context);

    /* Brings bytes about a task to rank 0; not for rank 0 itself. */
    void (*send)(void *context, int64_t index, const void *bytes, int64_t size);

    /* The exchange; it also ends a list: rank 0 has taken all that was sent. */
    dpc_status (*exchange)(void *context, dpc_exchange *exchange, dpc_error *err);

    /* Copies bytes of rank 0 to all others, which know how many there are. */
    dpc_status (*spread)(void *context, void *bytes, int64_t size, dpc_error *err);
};

/* Does this process have the results in the end? */
static inline bool dpc_leads(const dpc_ranks *ranks)
{
    return ranks == NULL || ranks->rank == 0;
}

#endif
