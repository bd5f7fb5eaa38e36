/*
 * Greedy equivalence search (Chickering 2002; with turning, Hauser and Bühlmann 2012).
 *
 * From the class of the empty graph, or of the required edges (ges_known.h), in rounds of three
 * phases: insertions, deletions, turns. A phase takes the best step of its kind (ges_moves.h) as
 * long as one improves the score. The search ends with a round that changes nothing.
 *
 * Where steps are equally good and lead to different classes (greedy.h), the search begins again,
 * with nodes that are labels in an order that does not know the places of the columns
 * (canonical.h). Where there is no such choice the order of the nodes does not matter, and labels
 * are columns.
 */
#include "ges.h"

#include "alloc.h"
#include "canonical.h"
#include "greedy.h"
#include "score.h"
#include "settings.h"
#include "status.h"

#include <math.h>

/*
 * A step must raise the score, made afresh, by this share of what it promises. Less is rounding:
 * the promise was made of variances of which nothing is left.
 */
static const double LEAST_SHARE = 0.01;

typedef struct rounds {
    dpc_greedy greedy;
    dpc_crew crew;
    double first_gain; /* of the search, for the progress */
    double promised;   /* by the steps of this round */
} rounds;

/* ---- Phases and rounds ---- */

/* How many scores there were so far, and how far the search is. */
static void tell_scores(rounds *r)
{
    int64_t scores = 0;
    for (int i = 0; i < r->greedy.lists.movers; i++)
        scores += r->greedy.lists.mover[i].scores;
    atomic_store_explicit(&r->crew.scores, scores, memory_order_relaxed);
}

static void tell_gain(rounds *r, double gain)
{
    dpc_crew *crew = &r->crew;
    if (!(r->first_gain > 0))
        r->first_gain = gain;
    crew->from = crew->to = crew->progress.fraction = fmax(crew->from, 1 - gain / r->first_gain);
    crew->progress.edges = dpc_cpdag_edges(&r->greedy.lists.graph);
}

/*
 * Has the score, made afresh, risen by what was promised? If not, nothing is left of some variance,
 * and the score is that of one DAG of the class, which depends on the order of the nodes.
 */
static dpc_status check_score(dpc_greedy *g, double gain, double *score, bool *risen,
                              dpc_error *err)
{
    double before = *score;
    dpc_status status = dpc_ges_lists_score(&g->lists, score, err);
    *risen = *score - before > LEAST_SHARE * gain;
    g->undecided = g->undecided || (!*risen && !g->by_labels);
    return status;
}

/* Turns alone could go in circles: they end when the score does not rise. */
static dpc_status run_phase(rounds *r, dpc_phase phase, int64_t *steps, dpc_error *err)
{
    dpc_greedy *g = &r->greedy;
    double score = 0;
    bool going = true;
    if (phase == DPC_TURN)
        DPC_CHECK(dpc_ges_lists_score(&g->lists, &score, err));
    DPC_CHECK(dpc_ges_lists_start(&g->lists, phase, err));
    while (going) {
        dpc_choice chosen = {0};
        tell_scores(r);
        DPC_CHECK(dpc_greedy_choose(g, &chosen, err));
        if (chosen.found)
            DPC_CHECK(dpc_greedy_make(g, &chosen, err));
        if (!chosen.found || g->undecided)
            break;
        ++*steps;
        r->promised += chosen.gain;
        tell_gain(r, chosen.gain);
        if (phase == DPC_TURN)
            DPC_CHECK(check_score(g, chosen.gain, &score, &going, err));
        if (!g->undecided)
            DPC_CHECK(dpc_ges_lists_renew(&g->lists, &chosen.step, err));
    }
    dpc_greedy_refresh(g);
    return DPC_OK;
}

/* Rounds until nothing changes, or the score has not risen by what was promised. */
static dpc_status run_rounds(rounds *r, dpc_info *info, dpc_error *err)
{
    dpc_greedy *g = &r->greedy;
    bool going = true;
    DPC_CHECK(dpc_ges_lists_score(&g->lists, &info->score, err));
    while (going && !g->undecided) {
        r->promised = 0;
        for (int phase = 0; !g->undecided && phase < DPC_N_PHASES; phase++)
            DPC_CHECK(run_phase(r, (dpc_phase)phase, &info->steps[phase], err));
        r->crew.progress.round++;
        going = r->promised > 0;
        if (going)
            DPC_CHECK(check_score(g, r->promised, &info->score, &going, err));
    }
    return DPC_OK;
}

/* ---- The search ---- */

/* What the searches of one call have in common. */
typedef struct request {
    const dpc_settings *settings;
    dpc_time_limit *limit;
    bool afresh;
} request;

/* From the class of the required edges. */
static dpc_status open_rounds(rounds *r, const dpc_view *view, const dpc_constraints *known,
                              const request *asked)
{
    dpc_stats stats = dpc_stats_of(view);
    dpc_step_scoring scoring = {
        .price = dpc_penalty(asked->settings, view->n, view->n_obs) * log((double)view->n_obs),
        .noise = DPC_NOISE_CAREFUL,
        .most_parents = dpc_parent_limit(view->n, view->n_obs),
        .most_sets = INT32_MAX,
        .most_sweeps = INT32_MAX,
    };
    stats.parameter = dpc_parameter_price(scoring.price, (double)view->n_obs);
    *r = (rounds){0};
    dpc_crew_init(&r->crew, asked->settings, DPC_STAGE_SKELETON);
    r->crew.to = 0;
    r->crew.limit = asked->limit;
    DPC_CHECK(dpc_greedy_init(&r->greedy, &stats, &scoring, known, &r->crew));
    r->greedy.lists.afresh = asked->afresh;
    return dpc_class_require(&r->greedy.lists.graph, known);
}

/* The time is up: every step has led to a class, and the last of them is the result. */
static dpc_status end_early(dpc_greedy *g, dpc_info *info, dpc_error *err)
{
    dpc_cpdag_refresh(&g->lists.graph);
    for (int i = 0; i < g->lists.movers; i++)
        g->lists.mover[i].status = DPC_OK;
    g->undecided = false;
    if (err != NULL)
        *err = (dpc_error){0};
    return dpc_ges_lists_score(&g->lists, &info->score, err);
}

/* Until it ends or is undecided; then *undecided is true, and there is no graph. */
static dpc_status search(const dpc_view *view, const dpc_constraints *known, const request *asked,
                         bool *undecided, dpc_graph *graph, dpc_info *info, dpc_error *err)
{
    rounds r;
    dpc_greedy *g = &r.greedy;
    dpc_status status = open_rounds(&r, view, known, asked);
    g->by_labels = *undecided;
    if (status == DPC_OK)
        status = run_rounds(&r, info, err);
    else
        dpc_fail_memory(err, "the greedy search");
    if (status == DPC_INTERRUPTED && r.crew.late)
        status = end_early(g, info, err);
    for (int i = 0; i < g->lists.movers; i++) {
        info->scores += g->lists.mover[i].scores;
        info->singular_tests += g->lists.mover[i].singular;
    }
    *undecided = g->undecided;
    if (status == DPC_OK && !g->undecided) {
        dpc_parents parents = dpc_cpdag_dag(&g->lists.graph);
        dpc_graph dag = {0};
        status = dpc_parents_graph(&parents, &dag, err);
        if (status == DPC_OK)
            status = dpc_class_graph(&dag, asked->settings->graph, NULL, graph, err);
        dpc_graph_clear(&dag);
    }
    dpc_greedy_clear(g);
    return status;
}

/* By the labels of the settings' order. */
static dpc_status search_by_labels(const dpc_correlation *c, dpc_constraints *known,
                                   const request *asked, dpc_graph *graph, dpc_info *info,
                                   dpc_error *err)
{
    dpc_labels labels = {0};
    bool undecided = true;
    dpc_view view = dpc_view_of(c, &labels);
    dpc_status status = DPC_OK;
    DPC_TRY(status, dpc_labels_make(c, asked->settings, &labels, err));
    DPC_TRY(status, dpc_constraints_relabel(known, labels.label, err));
    DPC_TRY(status, search(&view, known, asked, &undecided, graph, info, err));
    dpc_labels_undo_graph(&labels, graph);
    status = dpc_constraints_relabel(known, labels.column, err);

done:
    dpc_labels_clear(&labels);
    return status;
}

static dpc_status search_until_decided(const dpc_correlation *c, dpc_constraints *known,
                                       const request *asked, dpc_graph *graph, dpc_info *info,
                                       dpc_error *err)
{
    const dpc_labels columns = {0};
    dpc_view view = dpc_view_of(c, &columns);
    dpc_info fresh = *info;
    bool undecided = false;
    DPC_CHECK(search(&view, known, asked, &undecided, graph, info, err));
    if (!undecided)
        return DPC_OK;
    *info = fresh;
    return search_by_labels(c, known, asked, graph, info, err);
}

dpc_status dpc_ges(const dpc_correlation *c, dpc_constraints *known, const dpc_settings *settings,
                   dpc_time_limit *limit, dpc_graph *graph, dpc_info *info, dpc_error *err)
{
    request asked = {.settings = settings, .limit = limit};
    return search_until_decided(c, known, &asked, graph, info, err);
}

dpc_status dpc_ges_afresh(const dpc_correlation *c, dpc_constraints *known,
                          const dpc_settings *settings, dpc_graph *graph, dpc_info *info,
                          dpc_error *err)
{
    request asked = {.settings = settings, .afresh = true};
    return search_until_decided(c, known, &asked, graph, info, err);
}
