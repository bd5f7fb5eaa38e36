/*
 * Refinement: see refine.h.
 *
 * The price, where the data are to find it. A fixed price cannot be right everywhere: where effects
 * are strong or n is near N one a little above that of EBIC is right, and where there are many weak
 * edges that is too high. So the search begins at EBIC, and looks whether the edges whose gain in
 * log-likelihood lies just above the price p, in [p, p+2), are several and far more than chance
 * would put there: a pair without an edge gains more than p with probability erfc √p, so that of m
 * absent pairs about m (erfc √p - erfc √(p+2)) would be, times 2 for the choice of the best, times
 * 4 to be on the safe side. As long as they are, the price goes down in steps of ½, but never below
 * that of BIC, ½ log N. If they are not at EBIC, it goes up by 1. It also does if a lower price
 * makes a DAG with clearly fewer edges: the one before it was then far from the optimum, and its
 * small gains came from that, not from weak effects (dense graphs). It is EBIC + 1 at once if there
 * are fewer rows than variables, and stays at EBIC where rows are not independent (effective.h),
 * because chance explains far more then.
 */
#include "refine.h"

#include "alloc.h"
#include "apply_knowledge.h"
#include "candidate_parents.h"
#include "climb.h"
#include "distribution.h"
#include "effective.h"
#include "exact.h"
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
    dpc_families start;       /* where the search starts */
    dpc_families dag;         /* the best so far */
    dpc_order_search *search; /* owned */
    int restarts;
    bool exact;  /* no DAG scores higher, at the last price */
    double rows; /* independent ones that N are worth: see effective.h */
} refining;

/* ---- The search at one price ---- */

enum { NEAR_RESTARTS = 5 };

/* The part of the stage that begins, for the progress. */
static void begin(refining *r, double from, double to)
{
    r->crew.progress.fraction = r->crew.from = from;
    r->crew.to = to;
}

static dpc_status take_best(refining *r)
{
    double score;
    return dpc_families_copy(&r->dag, dpc_order_search_best(r->search, &score));
}

/* Hill climbing, and the search near its DAG. */
static dpc_status search_near(refining *r)
{
    begin(r, 0, 0.1);
    DPC_CHECK(dpc_climb(&r->workers, &r->dag));
    begin(r, 0.1, r->plan->how == DPC_REFINE_FAST ? 1 : 0.2);
    DPC_CHECK(dpc_order_search_begin(r->search, &r->dag));
    DPC_CHECK(dpc_order_search_improve(r->search, DPC_SCOPE_NEAR));
    return take_best(r);
}

/* That over all variables, from there. */
static dpc_status search_all(refining *r)
{
    begin(r, 0.2, 1);
    DPC_CHECK(dpc_order_search_improve(r->search, DPC_SCOPE_ALL));
    int before = dpc_order_search_restarts(r->search);
    DPC_CHECK(dpc_order_search_restart(r->search, DPC_SCOPE_ALL, r->plan->restarts));
    r->restarts = dpc_order_search_restarts(r->search) - before;
    return take_best(r);
}

/* The DAG gives way to one with the highest score. */
static dpc_status search_exactly(refining *r)
{
    begin(r, 0.2, 1);
    DPC_CHECK(dpc_search_exact(&r->workers, &r->dag, &r->exact));
    DPC_CHECK(dpc_dag_score(&r->workers.each[0], &r->dag, &r->crew.progress.score));
    r->crew.progress.edges = dpc_families_edges(&r->dag);
    return DPC_OK;
}

/* A search of so few variables is exact: that takes no longer, and little memory. */
enum { FEW_FOR_FAST = 10, FEW_FOR_FULL = 14 };

/* The search that finds the price; it is the same whatever comes after it, and so is the price. */
static dpc_status search_at_price(refining *r)
{
    r->exact = false;
    return r->dag.n <= FEW_FOR_FAST ? search_exactly(r) : search_near(r);
}

/* Then, at the last price, restarts, a local optimum, and what is asked for besides. */
static dpc_status search_on(refining *r)
{
    dpc_refinement how = r->plan->how;
    if (r->exact || dpc_workers_halted(&r->workers, 0))
        return DPC_OK;
    DPC_CHECK(dpc_order_search_restart(r->search, DPC_SCOPE_NEAR, NEAR_RESTARTS));
    DPC_CHECK(dpc_order_search_settle(r->search, DPC_SCOPE_NEAR));
    DPC_CHECK(take_best(r));
    if (how == DPC_REFINE_FAST)
        return DPC_OK;
    return how == DPC_REFINE_EXACT || r->dag.n <= FEW_FOR_FULL ? search_exactly(r) : search_all(r);
}

/* ---- The price ---- */

static const double ABOVE_EBIC = 1, STEP = 0.5, WINDOW = 2, MORE_THAN_CHANCE = 2 * 4;
static const double CLEARLY_FEWER = 0.97; /* edges at a lower price than at the ones before it */

/* How often chance gains so much where an edge has so many parameters: a parameter more costs more.
 */
static double tail_of(const refining *r, double price, int parameters, double share)
{
    double more = r->scoring.stats.parameter * (parameters - 1);
    return parameters == 1 ? erfc(sqrt(share * price))
                           : dpc_chi_square_tail(2 * share * (price + more), parameters);
}

/* How often a pair without an edge gains what is just above the price; the mean over all pairs. */
static double chance_of(const refining *r, double share)
{
    const dpc_stats *stats = &r->scoring.stats;
    double price = r->scoring.price, sum = 0;
    if (dpc_stats_can(stats, DPC_ALL_SCALAR))
        return tail_of(r, price, 1, share) - tail_of(r, price + WINDOW, 1, share);
    for (int v = 0; v < stats->n; v++)
        for (int u = 0; u < v; u++) {
            int q = dpc_variable_of(stats, u).count;
            int p = stats->one_equation ? 1 : dpc_variable_of(stats, v).count;
            int parameters = p * q > 0 ? p * q : 1;
            sum += tail_of(r, price, parameters, share) -
                   tail_of(r, price + WINDOW, parameters, share);
        }
    return sum / fmax(stats->n * (stats->n - 1.0) / 2, 1);
}

/* Are there far more edges just above the price than chance explains? */
static dpc_status too_many_above(refining *r, bool *many)
{
    double price = r->scoring.price, n = r->dag.n;
    int64_t edges = dpc_families_edges(&r->dag), above = 0;
    double *gains = dpc_alloc(edges, sizeof *gains);
    dpc_status status =
        gains != NULL ? dpc_dag_gains(&r->workers.each[0], &r->dag, gains) : DPC_NO_MEMORY;
    for (int64_t i = 0; status == DPC_OK && i < edges; i++)
        above += gains[i] >= price && gains[i] < price + WINDOW;
    free(gains);
    double absent = n * (n - 1) / 2 - (double)edges, n_obs = r->scoring.n_obs;
    double share = fmax(n_obs - (double)edges / n - 2, 1) / n_obs; /* with few rows r varies more */
    double chance = absent * chance_of(r, share);
    *many = above > 1 && (double)above > MORE_THAN_CHANCE * chance;
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

/* The search, at the price that the data ask for. */
static dpc_status search(refining *r)
{
    double ebic = r->scoring.price, floor = log(r->scoring.n_obs) / 2;
    bool open = r->plan->price <= 0 && r->rows == r->scoring.n_obs, few = r->rows < r->dag.n;
    if (open && few)
        set_price(r, ebic + ABOVE_EBIC);
    DPC_CHECK(search_at_price(r));
    int64_t most = 0; /* edges so far */
    for (bool many = open && !few; many && !dpc_workers_halted(&r->workers, 0);) {
        DPC_CHECK(too_many_above(r, &many));
        int64_t edges = dpc_families_edges(&r->dag);
        bool astray = (double)edges < CLEARLY_FEWER * (double)most;
        most = edges > most ? edges : most;
        many = many && !astray;
        double price = r->scoring.price, next = many ? price - STEP : ebic + ABOVE_EBIC;
        if (many ? next < floor : price < ebic && !astray)
            break;
        set_price(r, next);
        DPC_CHECK(search_at_price(r));
    }
    return search_on(r);
}

/* ---- From graph to graph ---- */

static dpc_status make_graph(refining *r, dpc_graph *out, dpc_error *err)
{
    DPC_CHECK(dpc_families_class(&r->dag, out, err));
    return r->scoring.known != NULL ? dpc_apply_knowledge(r->scoring.known, true, out, err)
                                    : DPC_OK;
}

enum { HUB = 15 }; /* neighbours */

/* Where the fast search often misses something: measured in docs/refine.md. */
static dpc_doubt find_doubt(const refining *r)
{
    int64_t most = 0;
    if (r->plan->how != DPC_REFINE_FAST || r->exact)
        return DPC_DOUBT_NONE;
    for (int v = 0; v < r->dag.n; v++) {
        int64_t degree = r->dag.pa[v].count + r->dag.ch[v].count;
        most = degree > most ? degree : most;
    }
    return r->scoring.n_obs < r->dag.n                           ? DPC_DOUBT_ROWS
           : most >= HUB                                         ? DPC_DOUBT_HUB
           : dpc_families_edges(&r->dag) > 3 * (int64_t)r->dag.n ? DPC_DOUBT_DENSE
           : dpc_order_search_successes(r->search) > 0           ? DPC_DOUBT_RESTARTS
                                                                 : DPC_DOUBT_NONE;
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
    out->doubt = find_doubt(r);
    out->optimality = r->exact && out->complete              ? DPC_OPTIMUM_GLOBAL
                      : dpc_order_search_is_local(r->search) ? DPC_OPTIMUM_LOCAL
                                                             : DPC_OPTIMUM_UNKNOWN;
    return DPC_OK;
}

static dpc_status refining_init(refining *r, const dpc_view *view, const dpc_constraints *known,
                                const dpc_settings *settings)
{
    int n = view->n;
    double n_obs = (double)view->n_obs;
    double price = r->plan->price > 0 ? r->plan->price : dpc_ebic(n, n_obs) * log(n_obs);
    dpc_stats stats = dpc_stats_of(view);
    stats.one_equation = dpc_can_use_one_equation(view->blocks);
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
    return dpc_order_search_new(&r->workers, &r->precedence, r->plan->seed, r->plan->memory,
                                &r->search);
}

static void refining_clear(refining *r)
{
    dpc_families_clear(&r->start);
    dpc_families_clear(&r->dag);
    dpc_order_search_free(r->search);
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

/* What an exact search needs is no choice, as other searches have it. */
static dpc_status check_memory(const dpc_refine_plan *plan, int n, dpc_error *err)
{
    double bytes = plan->how == DPC_REFINE_EXACT && n > FEW_FOR_FULL ? dpc_exact_memory(n) : 0;
    if (bytes <= plan->memory)
        return DPC_OK;
    return dpc_fail(err, DPC_NO_MEMORY,
                    "refine exact of %d variables needs %.0f MB, and memory allows %.3g MB", n,
                    ceil(bytes * 1e-6), plan->memory * 1e-6);
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
    DPC_CHECK(check_memory(plan, view->n, err));
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
