/* One try of the search over orders: see order_try.h. */
#include "order_try.h"

#include "alloc.h"
#include "backward.h"
#include "climb.h"
#include "gains.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 5, MOST_EDITS = 20 };

/* ---- What a try needs, and what comes of it ---- */

dpc_status dpc_tried_init(dpc_tried *t, int n)
{
    *t = (dpc_tried){.order = dpc_alloc(n, sizeof *t->order)};
    if (t->order == NULL)
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_families_init(&t->dag, n));
    return dpc_pool_init(&t->found, n);
}

void dpc_tried_clear(dpc_tried *t)
{
    dpc_pool_clear(&t->found);
    dpc_families_clear(&t->dag);
    free(t->order);
    *t = (dpc_tried){0};
}

dpc_status dpc_trier_init(dpc_trier *t, dpc_workers *workers, int worker,
                          const dpc_precedence *precedence, dpc_trees *trees)
{
    int n = workers->scoring->stats.n;
    dpc_scorer *scorer = &workers->each[worker];
    *t = (dpc_trier){.alone = {workers->scoring, &t->crew, scorer}};
    dpc_crew_init_within(&t->crew, workers->crew, worker);
    t->list = dpc_arena_alloc(&t->memory, n, sizeof *t->list);
    if (dpc_arena_failed(&t->memory))
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_ordering_init(&t->ordering, n));
    for (int i = 0; i < DPC_N_SCOPES; i++)
        DPC_CHECK(dpc_walker_init(&t->walkers[i], &trees[i], scorer));
    t->walker = &t->walkers[DPC_SCOPE_NEAR];
    DPC_CHECK(dpc_editor_init(&t->editor, scorer, precedence));
    DPC_CHECK(dpc_families_init(&t->dag, n));
    return dpc_pool_init(&t->pool, n);
}

void dpc_trier_clear(dpc_trier *t)
{
    dpc_pool_clear(&t->pool);
    dpc_families_clear(&t->dag);
    dpc_editor_clear(&t->editor);
    for (int i = 0; i < DPC_N_SCOPES; i++)
        dpc_walker_clear(&t->walkers[i]);
    dpc_ordering_clear(&t->ordering);
    dpc_arena_clear(&t->memory);
}

/* ---- The pool ---- */

dpc_status dpc_trier_pool(dpc_trier *t, dpc_tried *tried, int v, const int32_t *set, int count,
                          double score, bool *came)
{
    if (!(score > t->ordering.score[v] + t->alone.scoring->slack))
        return DPC_OK;
    *came = true;
    DPC_CHECK(dpc_pool_add(&t->pool, v, set, count, score));
    return dpc_pool_add(&tried->found, v, set, count, score);
}

dpc_status dpc_trier_pool_dag(dpc_trier *t, dpc_tried *tried)
{
    dpc_scorer *h = t->alone.each;
    bool came;
    for (int v = 0; v < t->dag.n; v++) {
        const dpc_relatives *pa = &t->dag.pa[v];
        DPC_CHECK(dpc_family_of(&h->family, v, pa->node, (int)pa->count));
        double score = dpc_scorer_score(h, (int)pa->count);
        DPC_CHECK(dpc_trier_pool(t, tried, v, pa->node, (int)pa->count, score, &came));
    }
    return DPC_OK;
}

/* ---- The order ---- */

void dpc_trier_settle(dpc_trier *t, const dpc_try_plan *plan)
{
    dpc_walker_rest(t->walker); /* the scorer may have been used for something else */
    dpc_ordering_take(&t->ordering, t->walker, t->ordering.order);
    dpc_ordering_settle(&t->ordering, t->walker, &t->random, plan->over, plan->context);
}

dpc_status dpc_edit_order(void *context, dpc_trier *t, dpc_tried *tried, bool *came)
{
    dpc_ordering *o = &t->ordering;
    dpc_editor *e = &t->editor;
    const dpc_relatives *candidates = t->walker->trees->candidates;
    (void)context;
    dpc_walker_rest(t->walker);
    for (int v = 0; v < o->n; v++) {
        int count = dpc_ordering_parents(o, t->walker, v, t->list);
        DPC_CHECK(t->walker->status);
        if (count == t->walker->length)
            continue; /* nothing was dropped: whoever is worth its price is there */
        dpc_edit_among(e, v, o->place, o->place[v], candidates != NULL ? &candidates[v] : NULL);
        DPC_CHECK(dpc_edit(e, t->list, count));
        dpc_walker_rest(t->walker);
        DPC_CHECK(dpc_trier_pool(t, tried, v, e->set, e->count, e->score, came));
    }
    return DPC_OK;
}

/* Edits and settles until nothing comes. */
static dpc_status edit_all(dpc_trier *t, const dpc_try_plan *plan, dpc_tried *tried)
{
    bool came = true;
    for (int i = 0; i < MOST_EDITS && came; i++) {
        came = false;
        if (plan->over(plan->context, &t->ordering))
            break;
        DPC_CHECK(
            (plan->edit != NULL ? plan->edit : dpc_edit_order)(plan->context, t, tried, &came));
        if (came)
            dpc_trier_settle(t, plan);
        DPC_CHECK(t->walker->status);
    }
    return DPC_OK;
}

/* ---- The DAG ---- */

/* That of the order, after backward search and hill climbing, into trier->dag; its score, and
 * whether climbing has raised it. */
static dpc_status find_dag(dpc_trier *t, const dpc_try_plan *plan, double *score, bool *climbed)
{
    double before;
    dpc_families_empty(&t->dag);
    dpc_walker_rest(t->walker);
    DPC_CHECK(dpc_ordering_dag(&t->ordering, t->walker, &t->dag));
    if (!plan->over(plan->context, &t->ordering))
        DPC_CHECK(dpc_backward(&t->alone, &t->dag));
    DPC_CHECK(dpc_dag_score(t->alone.each, &t->dag, &before));
    if (!plan->over(plan->context, &t->ordering))
        DPC_CHECK(dpc_climb(&t->alone, &t->dag));
    DPC_CHECK(dpc_dag_score(t->alone.each, &t->dag, score));
    *climbed = *score > before + t->alone.scoring->slack;
    return DPC_OK;
}

static dpc_status keep(dpc_trier *t, double score, dpc_tried *tried)
{
    if (!(score > tried->score))
        return DPC_OK;
    tried->score = score;
    return dpc_families_copy(&tried->dag, &t->dag);
}

/* From order to DAG and back, as long as the DAG scores higher. */
static dpc_status go_round(dpc_trier *t, const dpc_try_plan *plan, dpc_tried *tried)
{
    double slack = t->alone.scoring->slack, score;
    bool climbed = false;
    for (int i = 0; i < MOST_ROUNDS && !(climbed && tried->scope == DPC_SCOPE_NEAR); i++) {
        DPC_CHECK(edit_all(t, plan, tried));
        DPC_CHECK(find_dag(t, plan, &score, &climbed));
        DPC_CHECK(keep(t, score, tried));
        if (!(score > dpc_ordering_score(&t->ordering) + slack) ||
            plan->over(plan->context, &t->ordering))
            break;
        DPC_CHECK(dpc_trier_pool_dag(t, tried));
        dpc_families_arrange(&t->dag, t->ordering.order, t->list);
        dpc_trier_settle(t, plan);
        DPC_CHECK(t->walker->status);
    }
    return DPC_OK;
}

dpc_status dpc_trier_begin(dpc_trier *t, const dpc_pool *pool, dpc_tried *tried)
{
    dpc_ordering *o = &t->ordering;
    tried->score = -INFINITY;
    tried->settled = NAN;
    dpc_pool_empty(&tried->found);
    DPC_CHECK(dpc_pool_copy(&t->pool, pool));
    o->pool = &t->pool;
    o->near = t->walkers[DPC_SCOPE_NEAR].trees->candidates;
    t->walker = &t->walkers[tried->scope];
    dpc_walker_rest(t->walker); /* the scorer may have been used for something else */
    dpc_ordering_take(o, t->walker, tried->order);
    return t->walker->status;
}

dpc_status dpc_try_order(dpc_trier *t, const dpc_try_plan *plan, dpc_tried *tried)
{
    dpc_ordering *o = &t->ordering;
    DPC_CHECK(dpc_trier_begin(t, plan->pool, tried));
    dpc_random_start(&t->random, plan->seed, 2 * plan->number + 2);
    dpc_ordering_settle(o, t->walker, &t->random, plan->over, plan->context);
    DPC_CHECK(t->walker->status);
    if (plan->over(plan->context, o))
        return DPC_OK;
    tried->settled = dpc_ordering_score(o);
    if (plan->goes_on != NULL && !plan->goes_on(plan->context, t))
        return DPC_OK;
    return go_round(t, plan, tried);
}
