/* Exchange and spread by MPI: see ranks.h. */
#include "mpi_ranks.h"

#include "alloc.h"
#include "status.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* So many operations, a millisecond, are worth dealing out a list and exchanging its results. */
static const double WORTH = 1e6;

/* MPI counts in int. */
enum { PIECE = 1 << 30 };

void ranks_abort(const ranks *r, const char *why)
{
    fprintf(stderr, "dualpc: rank %d: %s\n", r->ranks.rank, why);
    MPI_Abort(MPI_COMM_WORLD, DPC_NO_MEMORY);
}

/* ---- Waiting ---- */

void ranks_pause(int *patience)
{
    enum { QUICK = 32, SHORT = 20, LONG = 500 }; /* times; microseconds */
    int micros = (*patience)++ < QUICK ? 0 : SHORT * (*patience - QUICK);
    const struct timespec moment = {.tv_nsec = 1000L * (micros < LONG ? micros : LONG)};
    if (micros == 0)
        sched_yield();
    else
        nanosleep(&moment, NULL);
}

void ranks_wait(ranks *r, MPI_Request *request, dpc_idle idle, void *context)
{
    for (int patience = 0, done = 0; !done; ranks_pause(&patience)) {
        pthread_mutex_lock(&r->lock);
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&r->lock);
        if (done)
            return;
        if (idle != NULL)
            idle(context);
    }
}

/* Bytes of one rank to all others, however many. */
static void broadcast(ranks *r, char *bytes, int64_t size, int from)
{
    for (; size > 0; size -= PIECE, bytes += PIECE) {
        MPI_Request request;
        int count = size < PIECE ? (int)size : PIECE;
        pthread_mutex_lock(&r->lock);
        MPI_Ibcast(bytes, count, MPI_BYTE, from, r->all, &request);
        pthread_mutex_unlock(&r->lock);
        ranks_wait(r, &request, NULL, NULL);
    }
}

/* ---- Agreeing ---- */

/* What every rank says before anything is exchanged. */
typedef struct word {
    int64_t size, sent;
    int32_t status, unused;
} word;

/* The sentence of the first rank that has failed, for all. */
static dpc_status fail_together(ranks *r, const word *words, dpc_error *err)
{
    int first = 0;
    char message[DPC_MESSAGE_SIZE] = "";
    while (words[first].status == DPC_OK)
        first++;
    dpc_status status = (dpc_status)words[first].status;
    if (first == r->ranks.rank && err != NULL)
        snprintf(message, sizeof message, "%s", err->message);
    broadcast(r, message, sizeof message, first);
    if (message[0] == '\0')
        snprintf(message, sizeof message, "%s",
                 status == DPC_INTERRUPTED ? "interrupted" : "out of memory");
    r->failed = first;
    dpc_fail(&r->failure, status, "%s", message);
    return dpc_fail(err, status, "%s", message);
}

/* Hears from all ranks; not DPC_OK: one of them has failed, now or before. */
static dpc_status agree(ranks *r, const dpc_exchange *e, word *words, dpc_error *err)
{
    if (r->failure.code != DPC_OK)
        return dpc_fail(err, r->failure.code, "%s", r->failure.message);
    const word mine = {.size = e->size, .sent = r->sent, .status = e->status};
    MPI_Request request;
    pthread_mutex_lock(&r->lock);
    MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, words, sizeof mine, MPI_BYTE, r->all, &request);
    pthread_mutex_unlock(&r->lock);
    ranks_wait(r, &request, e->idle, e->idle_context);
    for (int i = 0; i < r->ranks.ranks; i++)
        if (words[i].status != DPC_OK)
            return fail_together(r, words, err);
    return DPC_OK;
}

/* Rank 0 takes what is still under way to it. */
static void take_rest(ranks *r, const word *words)
{
    int64_t sent = 0;
    int patience = 0;
    for (int i = 0; i < r->ranks.ranks; i++)
        sent += words[i].sent;
    while (r->ranks.rank == 0 && atomic_load(&r->taken) < sent)
        ranks_pause(&patience);
    r->sent = 0;
    atomic_store(&r->taken, 0);
}

/* ---- Exchange and spread ---- */

static void gather_small(ranks *r, dpc_exchange *e, const word *words, int *counts)
{
    MPI_Request request;
    int *places = counts + r->ranks.ranks;
    for (int i = 0; i < r->ranks.ranks; i++) {
        counts[i] = (int)words[i].size;
        places[i] = (int)e->at[i];
    }
    pthread_mutex_lock(&r->lock);
    MPI_Iallgatherv(e->mine, (int)e->size, MPI_BYTE, e->all, counts, places, MPI_BYTE, r->all,
                    &request);
    pthread_mutex_unlock(&r->lock);
    ranks_wait(r, &request, e->idle, e->idle_context);
}

static void gather_large(ranks *r, dpc_exchange *e)
{
    memcpy(e->all + e->at[r->ranks.rank], e->mine, (size_t)e->size);
    for (int i = 0; i < r->ranks.ranks; i++)
        broadcast(r, e->all + e->at[i], e->at[i + 1] - e->at[i], i);
}

static dpc_status exchange(void *context, dpc_exchange *e, dpc_error *err)
{
    ranks *r = context;
    int n = r->ranks.ranks;
    word *words = dpc_alloc(n, sizeof *words);
    int *counts = dpc_alloc(2 * (int64_t)n, sizeof *counts);
    int64_t *at = dpc_zalloc((int64_t)n + 1, sizeof *at);
    if (words == NULL || counts == NULL || at == NULL)
        ranks_abort(r, "out of memory for what the ranks exchange");
    dpc_status status = agree(r, e, words, err);
    if (status == DPC_OK) {
        take_rest(r, words);
        for (int i = 0; i < n; i++)
            at[i + 1] = at[i] + words[i].size;
        e->at = at;
        e->all = dpc_alloc(at[n], 1);
        if (e->all == NULL)
            ranks_abort(r, "out of memory for what the ranks exchange");
        if (at[n] <= INT_MAX)
            gather_small(r, e, words, counts);
        else
            gather_large(r, e);
    } else {
        free(at);
    }
    free(words);
    free(counts);
    return status;
}

static dpc_status spread(void *context, void *bytes, int64_t size, dpc_error *err)
{
    ranks *r = context;
    const dpc_exchange fine = {.status = DPC_OK};
    word *words = dpc_alloc(r->ranks.ranks, sizeof *words);
    if (words == NULL)
        ranks_abort(r, "out of memory for what the ranks exchange");
    dpc_status status = agree(r, &fine, words, err);
    if (status == DPC_OK)
        broadcast(r, bytes, size, 0);
    free(words);
    return status;
}

/* ---- Opening and closing ---- */

void ranks_open(ranks *r)
{
    *r = (ranks){
        .ranks = {.worth = WORTH,
                  .context = r,
                  .begin = deal_begin,
                  .claim = deal_claim,
                  .close = deal_stop,
                  .send = deal_send,
                  .exchange = exchange,
                  .spread = spread},
    };
    MPI_Comm_rank(MPI_COMM_WORLD, &r->ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->ranks.ranks);
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &r->ranks.neighbours);
    MPI_Comm_free(&here);
    MPI_Comm_dup(MPI_COMM_WORLD, &r->all);
    MPI_Comm_dup(MPI_COMM_WORLD, &r->counter);
    pthread_mutex_init(&r->lock, NULL);
    deal_open(r);
}

void ranks_close(ranks *r)
{
    deal_close(r);
    pthread_mutex_destroy(&r->lock);
    MPI_Comm_free(&r->counter);
    MPI_Comm_free(&r->all);
}
