/*
 * Refinement: see refine.h.
 *
 * The price, where the data are to find it. A fixed price cannot be right everywhere: that of EBIC
 * is right where effects are strong or n is near N, and too high where a dense graph has many weak
 * edges. So the search walks down from it in steps of ½, as long as the edges whose gain in
 * log-likelihood lies just above the price p, in [p, p+1), are far more than chance would put
 * there: a pair without an edge gains more than p with probability erfc √p, so that of m absent
 * pairs about m (erfc √p - erfc √(p+1)) would be, times 2 for the choice of the best, times 4 to be
 * on the safe side. It never goes below the price of BIC, ½ log N. The price stays where rows are
 * not independent (effective.h), because chance explains far more then, and where there are fewer
 * of them than variables.
 */
#include "refine.h"

#include "alloc.h"
#include "apply_knowledge.h"
#include "backward.h"
#include "candidate_parents.h"
#include "climb.h"
#include "effective.h"
#include "gains.h"
#include "graph.h"
#include "order_search.h"
#include "settings.h"
#include "sorted.h"
#include "start.h"
#include "status.h"

#include <math.h>

typedef struct refining {
    const dpc_refine_plan *plan;
    dpc_scoring scoring;
    dpc_crew crew;
    dpc_parent_index index;
    dpc_workers workers;
    dpc_precedence precedence;
    dpc_families start; /* where the search starts */
    dpc_families dag;   /* the best so far */
    dpc_families other; /* of another way to it */
    int restarts;
    double rows; /* independent ones that N are worth: see effective.h */
} refining;

/* ---- The search at one price ---- */

enum { NEAR_RESTARTS = 5 };

/* A search near a DAG has few candidates: a quarter of what R takes will do. */
static double near_memory(const refining *r)
{
    double n = r->dag.n;
    return fmin(r->plan->memory, fmax(4e6, n * n * sizeof(double) / 4));
}

static dpc_searching searching_of(refining *r, int restarts)
{
    return (dpc_searching){.workers = &r->workers,
                           .precedence = &r->precedence,
                           .seed = r->plan->seed,
                           .budget = r->plan->memory,
                           .restarts = restarts};
}

/* The DAG gives way to the other one if that scores higher. */
static dpc_status keep_better(refining *r)
{
    double old, new;
    DPC_CHECK(dpc_dag_score(&r->workers.each[0], &r->dag, &old));
    DPC_CHECK(dpc_dag_score(&r->workers.each[0], &r->other, &new));
    if (new > old)
        DPC_CHECK(dpc_families_copy(&r->dag, &r->other));
    r->crew.progress.score = new > old ? new : old;
    r->crew.progress.edges = dpc_families_edges(&r->dag);
    return DPC_OK;
}

/* The part of the stage that begins, for the progress. */
static void begin(refining *r, double from, double to)
{
    r->crew.progress.fraction = r->crew.from = from;
    r->crew.to = to;
}

typedef dpc_status order_search(dpc_searching *searching, dpc_families *dag);

/* A search over orders from the DAG, and backward search; kept where it scores higher. */
static dpc_status search_orders(refining *r, order_search *search, int restarts)
{
    dpc_searching searching = searching_of(r, restarts);
    if (search == dpc_search_near)
        searching.budget = near_memory(r);
    DPC_CHECK(dpc_families_copy(&r->other, &r->dag));
    if (!dpc_workers_halted(&r->workers, 0))
        DPC_CHECK(search(&searching, &r->other));
    if (!dpc_workers_halted(&r->workers, 0))
        DPC_CHECK(dpc_backward(&r->workers, &r->other));
    r->restarts = searching.restarts_done;
    return keep_better(r);
}

/* Hill climbing, the search near its DAG and, if it is to be full, that over all variables. */
static dpc_status search_at_price(refining *r, int restarts)
{
    bool full = r->plan->full;
    begin(r, 0, 0.1);
    DPC_CHECK(dpc_climb(&r->workers, &r->dag));
    begin(r, 0.1, full ? 0.2 : 1);
    DPC_CHECK(search_orders(r, dpc_search_near, full ? 0 : NEAR_RESTARTS));
    begin(r, 0.2, 1);
    return full ? search_orders(r, dpc_search_all, restarts) : DPC_OK;
}

/* ---- The price ---- */

static const double STEP = 0.5, MORE_THAN_CHANCE = 2 * 4;

/* Are there far more edges just above the price than chance explains? */
static dpc_status too_many_above(refining *r, bool *many)
{
    double price = r->scoring.price, n = r->dag.n;
    int64_t edges = dpc_families_edges(&r->dag), above = 0;
    double *gains = dpc_alloc(edges, sizeof *gains);
    dpc_status status =
        gains != NULL ? dpc_dag_gains(&r->workers.each[0], &r->dag, gains) : DPC_NO_MEMORY;
    for (int64_t i = 0; status == DPC_OK && i < edges; i++)
        above += gains[i] >= price && gains[i] < price + 1;
    free(gains);
    double absent = n * (n - 1) / 2 - (double)edges, n_obs = r->scoring.n_obs;
    double share = fmax(n_obs - (double)edges / n - 2, 1) / n_obs; /* with few rows r varies more */
    double chance = absent * (erfc(sqrt(share * price)) - erfc(sqrt(share * (price + 1))));
    *many = (double)above > MORE_THAN_CHANCE * chance;
    return status;
}

static void set_price(refining *r, double price)
{
    dpc_stats stats = r->scoring.stats;
    dpc_scoring_init(&r->scoring, &stats, r->scoring.known, price);
}

/* The price that was given; or EBIC of the independent rows that the table is worth. */
static dpc_status find_price(refining *r)
{
    double n_obs = r->scoring.n_obs;
    if (r->plan->price > 0)
        return DPC_OK;
    DPC_CHECK(dpc_effective_rows(r->plan->correlation, r->scoring.stats.view.labels, &r->start,
                                 &r->rows));
    set_price(r, dpc_price_for(dpc_ebic(r->dag.n, r->rows), n_obs, r->rows));
    return DPC_OK;
}

/* The first price is searched in full, for the graph that tells whether to go on; those on the way
 * down without restarts, and the last one in full again. */
static dpc_status search(refining *r)
{
    double floor = log(r->scoring.n_obs) / 2, first = r->scoring.price;
    bool many = r->plan->price <= 0 && r->rows == r->scoring.n_obs && r->rows >= r->dag.n;
    DPC_CHECK(search_at_price(r, r->plan->restarts));
    while (many && !dpc_workers_halted(&r->workers, 0)) {
        DPC_CHECK(too_many_above(r, &many));
        many = many && r->scoring.price - STEP >= floor;
        if (!many)
            break;
        set_price(r, r->scoring.price - STEP);
        DPC_CHECK(search_at_price(r, 0));
    }
    return r->plan->full && r->scoring.price < first
               ? search_orders(r, dpc_search_all, r->plan->restarts)
               : DPC_OK;
}

/* ---- From graph to graph ---- */

static dpc_status make_graph(refining *r, dpc_graph *out, dpc_error *err)
{
    DPC_CHECK(dpc_families_class(&r->dag, out, err));
    return r->scoring.known != NULL ? dpc_apply_knowledge(r->scoring.known, true, out, err)
                                    : DPC_OK;
}

/* What is reported besides the graph. */
static dpc_status fill(refining *r, const dpc_graph *start, const dpc_graph *graph,
                       dpc_refined *out)
{
    dpc_scorer *scorer = &r->workers.each[0];
    DPC_CHECK(dpc_dag_score(scorer, &r->start, &out->score_before));
    DPC_CHECK(dpc_dag_score(scorer, &r->dag, &out->score_after));
    DPC_CHECK(dpc_find_changes(scorer, &r->dag, start, graph, &out->changes, &out->n_changes));
    out->price = r->scoring.price;
    out->restarts = r->restarts;
    out->effective_rows = r->rows;
    out->complete = !atomic_load(&r->crew.stop);
    return DPC_OK;
}

static dpc_status refining_init(refining *r, const dpc_view *view, const dpc_constraints *known,
                                const dpc_settings *settings)
{
    int n = view->n;
    double n_obs = (double)view->n_obs;
    double price = r->plan->price > 0 ? r->plan->price : dpc_ebic(n, n_obs) * log(n_obs);
    const dpc_stats stats = dpc_stats_of(view);
    r->rows = n_obs;
    dpc_scoring_init(&r->scoring, &stats, known, price);
    dpc_crew_init(&r->crew, settings, DPC_STAGE_REFINE);
    r->crew.limit = r->plan->limit;
    DPC_CHECK(dpc_workers_init(&r->workers, &r->scoring, &r->crew));
    DPC_CHECK(dpc_parent_index_init(&r->index, &r->scoring, settings, r->plan->limit));
    DPC_CHECK(dpc_workers_take_index(&r->workers, &r->index));
    DPC_CHECK(dpc_precedence_init(&r->precedence, n, known));
    DPC_CHECK(dpc_families_init(&r->start, n));
    DPC_CHECK(dpc_families_init(&r->dag, n));
    return dpc_families_init(&r->other, n);
}

static void refining_clear(refining *r)
{
    dpc_families_clear(&r->start);
    dpc_families_clear(&r->dag);
    dpc_families_clear(&r->other);
    dpc_precedence_clear(&r->precedence);
    dpc_workers_clear(&r->workers);
    dpc_parent_index_clear(&r->index);
}

/* The sentence for a status that came without one: no memory, or interrupted. */
static dpc_status in_words(dpc_status status, const char *what, dpc_error *err)
{
    if (status == DPC_NO_MEMORY)
        return dpc_fail_memory(err, what);
    return status == DPC_INTERRUPTED ? dpc_fail(err, status, "interrupted") : status;
}

static dpc_status refine(refining *r, const dpc_graph *start, dpc_graph *graph, dpc_refined *out,
                         dpc_error *err)
{
    DPC_CHECK(dpc_start_from(start, &r->precedence, &r->start, err));
    DPC_CHECK(in_words(dpc_families_copy(&r->dag, &r->start), "the DAG to start from", err));
    DPC_CHECK(in_words(find_price(r), "the refinement", err));
    DPC_CHECK(in_words(search(r), "the refinement", err));
    DPC_CHECK(make_graph(r, graph, err));
    return in_words(fill(r, start, graph, out), "the changes of the refinement", err);
}

dpc_status dpc_refine(const dpc_view *view, const dpc_constraints *known,
                      const dpc_settings *settings, const dpc_refine_plan *plan,
                      const dpc_graph *start, dpc_graph *graph, dpc_refined *out, dpc_error *err)
{
    refining r = {.plan = plan};
    dpc_graph found = {0};
    dpc_refined made = {0};
    dpc_status status = in_words(refining_init(&r, view, known, settings), "the refinement", err);
    if (status == DPC_OK)
        status = refine(&r, start, &found, &made, err);
    refining_clear(&r);
    if (status == DPC_OK) {
        *graph = found;
        *out = made;
    } else {
        dpc_graph_clear(&found);
        dpc_refined_clear(&made);
    }
    return status;
}

void dpc_refined_clear(dpc_refined *refined)
{
    free(refined->changes);
    *refined = (dpc_refined){0};
}

void dpc_refined_undo(const dpc_labels *labels, dpc_refined *refined)
{
    for (int64_t i = 0; i < refined->n_changes; i++) {
        dpc_change *c = &refined->changes[i];
        int a = dpc_column_of(labels, c->a), b = dpc_column_of(labels, c->b);
        c->a = a < b ? a : b;
        c->b = a < b ? b : a;
        c->before = a < b ? c->before : dpc_turned(c->before);
        c->after = a < b ? c->after : dpc_turned(c->after);
    }
    if (refined->n_changes > 0)
        qsort(refined->changes, (size_t)refined->n_changes, sizeof *refined->changes, dpc_by_pair);
}
