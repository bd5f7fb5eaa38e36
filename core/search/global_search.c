/* The search over orders of all variables: see order_search.h. */
#include "order_search.h"

#include "alloc.h"
#include "lookahead.h"

#include <math.h>
#include <string.h>

typedef struct wide {
    dpc_searching *searching;
    int n, room; /* for so many tries at a time */
    dpc_trees trees;
    dpc_lookahead lookahead;
    int32_t *best; /* the best order; owned */
    double best_score;
    /* Tries from the best order, side by side: */
    int first;         /* the number of the first; 0 is that order as it is, without a restart */
    int32_t *tried;    /* per try: an order; owned */
    double *score;     /* per try: of its order once that has settled; NaN: it has not; owned */
    atomic_int better; /* the first that is better; those after it are void */
} wide;

enum { TRIES_AT_A_TIME = 8 }; /* per worker */

/* The best order, disturbed; drawn from the number of the try alone. */
static void draw_order(const wide *s, int number, int32_t *order)
{
    dpc_random random;
    memcpy(order, s->best, (size_t)s->n * sizeof *order);
    if (number == 0)
        return;
    dpc_random_start(&random, s->searching->seed, (uint64_t)number * 2 + 1);
    dpc_disturb(s->searching, &random, order, s->n);
}

/* One order settles; its index says which. The worker takes its own ordering. */
static void try_order(void *context, int64_t index, int worker)
{
    wide *s = context;
    dpc_random random;
    int number = s->first + (int)index;
    int32_t *order = s->tried + index * s->n;
    dpc_ordering *ordering = &s->lookahead.orderings[worker];
    dpc_settling settling = {s->searching->workers, worker, &s->better, (int)index,
                             s->best_score + s->searching->workers->scoring->slack};
    if (dpc_settling_over(&settling) || (index > 0 && dpc_trees_full(&s->trees)))
        return;
    dpc_random_start(&random, s->searching->seed, (uint64_t)number * 2 + 2);
    dpc_ordering_take(ordering, &s->lookahead.walkers[worker], order);
    dpc_lookahead_settle(&s->lookahead, worker, &random, settling);
    memcpy(order, ordering->order, (size_t)s->n * sizeof *order);
    s->score[index] = dpc_ordering_score(ordering);
}

/* For the progress: tries from `next` on, `count` of them, of all. */
static void tell(const wide *s, int next, int count, int all)
{
    dpc_crew *crew = s->searching->workers->crew;
    crew->progress.restarts = next > 0 ? next - 1 : 0;
    crew->progress.score = s->best_score;
    crew->from = (double)next / (all + 1);
    crew->to = (double)(next + count) / (all + 1);
}

/*
 * So many tries, each as if those before it would not succeed. If one does, its order is the best
 * from there on, and those after it are to be made again; so are those from one on that was not
 * made, since the trees were full. Returns how many count.
 */
static int make_tries(wide *s, int next, int count)
{
    if (dpc_trees_full(&s->trees))
        dpc_trees_forget(&s->trees);
    s->first = next;
    atomic_store(&s->better, count);
    for (int i = 0; i < count; i++) { /* here, for the memory of the precedence is shared */
        draw_order(s, next + i, s->tried + (int64_t)i * s->n);
        s->score[i] = NAN;
    }
    dpc_lookahead_run(&s->lookahead, count, 1e5 * s->n * count, try_order, s);
    int better = atomic_load(&s->better), made = 0;
    while (made < count && made <= better && !isnan(s->score[made]))
        made++;
    if (made <= better)
        return made;
    s->best_score = s->score[better];
    memcpy(s->best, s->tried + (int64_t)better * s->n, (size_t)s->n * sizeof *s->best);
    return made;
}

static void try_all(wide *s)
{
    dpc_searching *searching = s->searching;
    int next = 0, last = dpc_restarts_for(searching, s->n);
    while (next <= last && !dpc_workers_halted(searching->workers, 0) &&
           !dpc_lookahead_failed(&s->lookahead)) {
        int count = last - next + 1 < s->room ? last - next + 1 : s->room;
        tell(s, next, count, last);
        int made = make_tries(s, next, count);
        if (!dpc_workers_halted(searching->workers, 0))
            next += made;
        searching->restarts_done = next > 0 ? next - 1 : 0;
    }
}

static dpc_status search_all(wide *s, dpc_families *dag)
{
    dpc_ordering *ordering = &s->lookahead.orderings[0];
    dpc_walker *walker = &s->lookahead.walkers[0];
    dpc_families_order(dag, s->best);
    dpc_precedence_obey(s->searching->precedence, s->best);
    dpc_ordering_take(ordering, walker, s->best);
    s->best_score = dpc_ordering_score(ordering);
    try_all(s);
    if (dpc_lookahead_failed(&s->lookahead))
        return DPC_NO_MEMORY;
    dpc_ordering_take(ordering, walker, s->best);
    dpc_families_empty(dag);
    return dpc_ordering_dag(ordering, walker, dag);
}

dpc_status dpc_search_all(dpc_searching *searching, dpc_families *dag)
{
    wide s = {.searching = searching, .n = dag->n};
    int tries = dpc_restarts_for(searching, s.n) + 1;
    int most = TRIES_AT_A_TIME * searching->workers->crew->threads;
    s.room = tries < most ? tries : most;
    s.best = dpc_alloc(s.n, sizeof *s.best);
    s.tried = dpc_alloc((int64_t)s.room * s.n, sizeof *s.tried);
    s.score = dpc_alloc(s.room, sizeof *s.score);
    dpc_status status = s.best && s.tried && s.score ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = dpc_trees_init(&s.trees, searching->workers->scoring, searching->precedence, NULL,
                                searching->budget);
    if (status == DPC_OK)
        status = dpc_lookahead_init(&s.lookahead, searching->workers, &s.trees);
    if (status == DPC_OK)
        status = search_all(&s, dag);
    dpc_lookahead_clear(&s.lookahead);
    dpc_trees_clear(&s.trees);
    free(s.best);
    free(s.tried);
    free(s.score);
    return status;
}
