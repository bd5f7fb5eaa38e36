/* Workers that improve orders on the same trees: see lookahead.h. */
#include "lookahead.h"

#include "status.h"

#include <string.h>

static const double PATIENCE = 0.002; /* seconds until a worker without work looks around again */

static void turn_init(dpc_shown_turn *turn, int n, dpc_arena *a)
{
    turn->order = dpc_arena_alloc(a, n, sizeof *turn->order);
    turn->nodes = dpc_arena_alloc(a, n, sizeof *turn->nodes);
    turn->to = dpc_arena_alloc(a, n, sizeof *turn->to);
}

dpc_status dpc_lookahead_init(dpc_lookahead *p, dpc_workers *workers, dpc_trees *trees)
{
    int n = workers->scoring->stats.n, n_workers = workers->crew->threads;
    *p = (dpc_lookahead){.workers = workers, .trees = trees, .n = n, .n_workers = n_workers};
    dpc_wakeup_init(&p->wakeup);
    p->walkers = dpc_arena_zalloc(&p->memory, n_workers, sizeof *p->walkers);
    p->orderings = dpc_arena_zalloc(&p->memory, n_workers, sizeof *p->orderings);
    p->turns = dpc_arena_zalloc(&p->memory, n_workers, sizeof *p->turns);
    for (int w = 0; !dpc_arena_failed(&p->memory) && w < n_workers; w++) {
        turn_init(&p->turns[w], n, &p->memory);
        DPC_CHECK(dpc_ordering_init(&p->orderings[w], n));
        DPC_CHECK(dpc_walker_init(&p->walkers[w], trees, &workers->each[w]));
    }
    return dpc_arena_failed(&p->memory) ? DPC_NO_MEMORY : DPC_OK;
}

void dpc_lookahead_clear(dpc_lookahead *p)
{
    if (p->workers == NULL)
        return;
    for (int w = 0; w < p->n_workers; w++) {
        if (p->orderings != NULL)
            dpc_ordering_clear(&p->orderings[w]);
        if (p->walkers != NULL)
            dpc_walker_clear(&p->walkers[w]);
    }
    dpc_arena_clear(&p->memory);
    dpc_wakeup_clear(&p->wakeup);
    *p = (dpc_lookahead){0};
}

bool dpc_lookahead_failed(const dpc_lookahead *p)
{
    for (int w = 0; w < p->n_workers; w++)
        if (p->walkers[w].status != DPC_OK)
            return true;
    return false;
}

/* ---- Settling ---- */

/* A turn begins: shown to all. */
static void show(dpc_lookahead *p, int worker)
{
    dpc_shown_turn *turn = &p->turns[worker];
    size_t size = (size_t)p->n * sizeof *turn->order;
    pthread_mutex_lock(&p->wakeup.lock);
    memcpy(turn->order, p->orderings[worker].order, size);
    memcpy(turn->nodes, p->orderings[worker].turn, size);
    atomic_store(&turn->at, 0);
    atomic_store(&turn->next, 0);
    atomic_fetch_add(&turn->shown, 1);
    pthread_cond_broadcast(&p->wakeup.rung);
    pthread_mutex_unlock(&p->wakeup.lock);
}

/* One node has been moved, or not; those that were skipped before it have not. */
static void show_move(dpc_lookahead *p, int worker)
{
    const dpc_ordering *o = &p->orderings[worker];
    dpc_shown_turn *turn = &p->turns[worker];
    int at = atomic_load_explicit(&turn->at, memory_order_relaxed);
    for (; at < o->at_turn; at++)
        atomic_store_explicit(&turn->to[at], at == o->at_turn - 1 ? o->moved_to : -1,
                              memory_order_relaxed);
    atomic_store_explicit(&turn->at, at, memory_order_release);
}

void dpc_lookahead_settle(dpc_lookahead *p, int worker, dpc_random *random, dpc_settling settling)
{
    dpc_ordering *ordering = &p->orderings[worker];
    settling.workers = p->workers;
    settling.worker = worker;
    while (dpc_ordering_begin_turn(ordering, random)) {
        if (p->n_workers > 1)
            show(p, worker);
        while (dpc_ordering_step(ordering, &p->walkers[worker], &settling))
            show_move(p, worker);
    }
    atomic_store(&p->turns[worker].next, p->n); /* nothing is left to look at */
}

/* ---- Looking ahead ---- */

enum { AHEAD = 2 }; /* nearer than this, the other worker is as fast */

/* The next place in the turn that is worth a look: nobody has taken it. n or more: none is. */
static int next_place(const dpc_shown_turn *turn)
{
    int next = atomic_load(&turn->next), soon = atomic_load(&turn->at) + AHEAD;
    return next > soon ? next : soon;
}

/* Takes over what is shown; under the lock. NULL: there is nothing that would help. */
static dpc_shown_turn *look_around(dpc_lookahead *p, dpc_ordering *mine)
{
    size_t size = (size_t)p->n * sizeof *mine->order;
    for (int w = 0; w < p->n_workers; w++) {
        dpc_shown_turn *turn = &p->turns[w];
        if (atomic_load(&turn->shown) == 0 || next_place(turn) >= p->n)
            continue;
        memcpy(mine->order, turn->order, size);
        memcpy(mine->turn, turn->nodes, size);
        return turn;
    }
    return NULL;
}

/* Makes the moves that were made since. */
static void follow(dpc_ordering *mine, dpc_walker *walker, const dpc_shown_turn *turn)
{
    int at = atomic_load_explicit(&turn->at, memory_order_acquire);
    for (; mine->at_turn < at; mine->at_turn++) {
        int to = atomic_load_explicit(&turn->to[mine->at_turn], memory_order_relaxed);
        if (to >= 0)
            dpc_ordering_put(mine, walker, mine->turn[mine->at_turn], to);
    }
}

/* Looks at nodes whose turn comes soon, until the turn is over. What is shown meanwhile may belong
 * to the next one: then the moves are wrong, and the look in vain. */
static void follow_turn(dpc_lookahead *p, dpc_shown_turn *turn, int shown, int worker)
{
    dpc_ordering *mine = &p->orderings[worker];
    dpc_walker *walker = &p->walkers[worker];
    dpc_walker_rest(walker);
    dpc_ordering_take(mine, walker, mine->order);
    mine->at_turn = 0;
    while (walker->status == DPC_OK && atomic_load(&turn->shown) == shown &&
           !dpc_trees_full(p->trees) && !dpc_workers_halted(p->workers, worker)) {
        int next = atomic_load(&turn->next), place = next_place(turn);
        if (place >= p->n)
            return;
        if (!atomic_compare_exchange_strong(&turn->next, &next, place + 1))
            continue;
        follow(mine, walker, turn);
        dpc_ordering_weigh(mine, walker, mine->turn[place]);
    }
}

/* Waits for something to be shown, for a while. False: all is done. */
static bool find_work(dpc_lookahead *p, int worker, dpc_shown_turn **turn, int *shown)
{
    *turn = NULL;
    pthread_mutex_lock(&p->wakeup.lock);
    bool going = p->left > 0;
    if (going && !dpc_trees_full(p->trees))
        *turn = look_around(p, &p->orderings[worker]);
    if (*turn != NULL) {
        *shown = atomic_load(&(*turn)->shown);
        p->ahead++;
    } else if (going) {
        dpc_wakeup_wait(&p->wakeup, PATIENCE);
    }
    pthread_mutex_unlock(&p->wakeup.lock);
    return going;
}

static void stop_looking(dpc_lookahead *p)
{
    pthread_mutex_lock(&p->wakeup.lock);
    if (--p->ahead == 0)
        pthread_cond_broadcast(&p->wakeup.rung);
    pthread_mutex_unlock(&p->wakeup.lock);
}

static void look_ahead(dpc_lookahead *p, int worker)
{
    dpc_shown_turn *turn;
    int shown;
    while (!dpc_workers_halted(p->workers, worker) && find_work(p, worker, &turn, &shown)) {
        if (turn == NULL)
            continue;
        follow_turn(p, turn, shown, worker);
        stop_looking(p);
    }
}

void dpc_lookahead_gather(dpc_lookahead *p)
{
    pthread_mutex_lock(&p->wakeup.lock);
    while (p->ahead > 0)
        dpc_wakeup_wait(&p->wakeup, PATIENCE);
    pthread_mutex_unlock(&p->wakeup.lock);
}

static void work_or_look_ahead(void *context, int64_t index, int worker)
{
    dpc_lookahead *p = context;
    if (index >= p->count) {
        look_ahead(p, worker);
        return;
    }
    p->task(p->context, index, worker);
    pthread_mutex_lock(&p->wakeup.lock);
    if (--p->left == 0)
        pthread_cond_broadcast(&p->wakeup.rung);
    pthread_mutex_unlock(&p->wakeup.lock);
}

void dpc_lookahead_run(dpc_lookahead *p, int64_t count, double work, dpc_task task, void *context)
{
    p->task = task;
    p->context = context;
    p->count = p->left = count;
    for (int w = 0; w < p->n_workers; w++)
        atomic_store(&p->turns[w].shown, 0);
    dpc_crew_run(p->workers->crew, count + p->n_workers - 1, work, work_or_look_ahead, p);
}
