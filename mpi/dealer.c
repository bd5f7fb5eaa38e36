/*
 * Which rank gets which task. Rank 0 counts, and has a thread that answers the other ranks while
 * its workers are at work; it also receives the parcels that they send. A question is a few bytes,
 * and is asked once for a run of tasks.
 *
 * One-sided MPI would need no such thread in theory. In practice, between machines without special
 * networks, the answer would come when rank 0 happens to call MPI.
 */
#include "mpi_ranks.h"

#include "alloc.h"
#include "platform.h"

#include <stdio.h>
#include <string.h>

enum { TAG_QUESTION = 1, TAG_ANSWER = 2, TAG_PARCEL = 3 };

typedef struct question {
    int64_t list, count, singles;
    int64_t close; /* no rank is to get any more tasks */
} question;

typedef struct answer {
    int64_t first, end; /* the same: there are none */
} answer;

/* ---- Rank 0 ---- */

/*
 * The next run of tasks: long in the beginning, so that few questions are asked, and short in the
 * end, so that all ranks get there at the same time.
 */
static answer deal(ranks *r, const question *q)
{
    enum { RUNS = 8 }; /* for each rank, if all were as long */
    answer a = {0, 0};
    pthread_mutex_lock(&r->dealing);
    if (q->list > r->dealt) {
        r->dealt = q->list;
        r->next = 0;
        r->closed = false;
    }
    if (q->list == r->dealt) {
        r->closed = r->closed || q->close != 0;
        int64_t left = r->closed ? 0 : q->count - r->next;
        int64_t run = r->next < q->singles ? 1 : left / (RUNS * r->ranks.ranks);
        run = run > 1 ? run : left > 0 ? 1 : 0;
        a = (answer){r->next, r->next + run};
        r->next += run;
    }
    pthread_mutex_unlock(&r->dealing);
    return a;
}

/* Is there a message of this kind? Under the lock. */
static bool is_there(ranks *r, int tag, MPI_Status *status)
{
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, r->counter, &there, status);
    return there != 0;
}

static bool answer_one(ranks *r)
{
    MPI_Status status;
    question q;
    pthread_mutex_lock(&r->lock);
    bool asked = is_there(r, TAG_QUESTION, &status);
    if (asked) {
        MPI_Recv(&q, sizeof q, MPI_BYTE, status.MPI_SOURCE, TAG_QUESTION, r->counter,
                 MPI_STATUS_IGNORE);
        answer a = deal(r, &q);
        if (q.close == 0) /* so small a message leaves at once */
            MPI_Send(&a, sizeof a, MPI_BYTE, status.MPI_SOURCE, TAG_ANSWER, r->counter);
    }
    pthread_mutex_unlock(&r->lock);
    return asked;
}

/* A parcel has the number of its task before its bytes. */
static bool take_one(ranks *r)
{
    MPI_Status status;
    char *bytes = NULL;
    int size = 0;
    pthread_mutex_lock(&r->dealing);
    dpc_take take = r->take;
    void *take_context = r->take_context;
    pthread_mutex_unlock(&r->dealing);
    if (take == NULL)
        return false;
    pthread_mutex_lock(&r->lock);
    if (is_there(r, TAG_PARCEL, &status)) {
        MPI_Get_count(&status, MPI_BYTE, &size);
        bytes = dpc_alloc(size, 1);
        if (bytes == NULL)
            ranks_abort(r, "out of memory for what other ranks send");
        MPI_Recv(bytes, size, MPI_BYTE, status.MPI_SOURCE, TAG_PARCEL, r->counter,
                 MPI_STATUS_IGNORE);
    }
    pthread_mutex_unlock(&r->lock);
    if (bytes == NULL)
        return false;
    int64_t index;
    memcpy(&index, bytes, sizeof index);
    take(take_context, index, bytes + sizeof index, size - (int64_t)sizeof index);
    atomic_fetch_add(&r->taken, 1);
    free(bytes);
    return true;
}

static void *work(void *context)
{
    ranks *r = context;
    for (int patience = 0; !atomic_load(&r->over); ranks_pause(&patience)) {
        bool asked = answer_one(r), sent = take_one(r);
        if (asked || sent)
            patience = 0;
    }
    return NULL;
}

void deal_open(ranks *r)
{
    pthread_mutex_init(&r->dealing, NULL);
    if (r->ranks.rank == 0 && r->ranks.ranks > 1 && !dpc_thread_start(&r->dealer, work, r))
        ranks_abort(r, "no thread can be started to deal out the work");
}

void deal_close(ranks *r)
{
    atomic_store(&r->over, true);
    if (r->ranks.rank == 0 && r->ranks.ranks > 1)
        pthread_join(r->dealer, NULL);
    pthread_mutex_destroy(&r->dealing);
}

/* ---- Every rank ---- */

void deal_begin(void *context, dpc_take take, void *take_context)
{
    ranks *r = context;
    pthread_mutex_lock(&r->dealing);
    r->list++;
    r->take = take;
    r->take_context = take_context;
    pthread_mutex_unlock(&r->dealing);
    atomic_store(&r->stopped, false);
}

/* Starts sending, and waits until that is done. */
static void send(ranks *r, const void *bytes, int size, int tag)
{
    MPI_Request request;
    pthread_mutex_lock(&r->lock);
    MPI_Isend(bytes, size, MPI_BYTE, 0, tag, r->counter, &request);
    pthread_mutex_unlock(&r->lock);
    ranks_wait(r, &request, NULL, NULL);
}

static answer ask(ranks *r, const question *q)
{
    answer a = {0, 0};
    MPI_Request request;
    if (r->ranks.rank == 0)
        return deal(r, q);
    send(r, q, sizeof *q, TAG_QUESTION);
    if (q->close != 0)
        return a;
    pthread_mutex_lock(&r->lock);
    MPI_Irecv(&a, sizeof a, MPI_BYTE, 0, TAG_ANSWER, r->counter, &request);
    pthread_mutex_unlock(&r->lock);
    ranks_wait(r, &request, NULL, NULL);
    return a;
}

bool deal_claim(void *context, int64_t count, int64_t singles, int64_t *first, int64_t *end)
{
    ranks *r = context;
    const question q = {.list = r->list, .count = count, .singles = singles};
    answer a = ask(r, &q);
    *first = a.first;
    *end = a.end;
    return a.first < a.end;
}

void deal_stop(void *context)
{
    ranks *r = context;
    const question q = {.list = r->list, .close = 1};
    if (!atomic_exchange(&r->stopped, true))
        ask(r, &q);
}

void deal_send(void *context, int64_t index, const void *bytes, int64_t size)
{
    ranks *r = context;
    char *parcel = dpc_alloc(size + (int64_t)sizeof index, 1);
    if (parcel == NULL || size > INT32_MAX - (int64_t)sizeof index)
        ranks_abort(r, "no memory for what goes to rank 0");
    memcpy(parcel, &index, sizeof index);
    memcpy(parcel + sizeof index, bytes, (size_t)size);
    send(r, parcel, (int)(size + (int64_t)sizeof index), TAG_PARCEL);
    free(parcel);
    pthread_mutex_lock(&r->dealing);
    r->sent++;
    pthread_mutex_unlock(&r->dealing);
}
