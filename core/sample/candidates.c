/* Which other variables may be parents of each: see candidates.h. */
#include "candidates.h"

#include "alloc.h"
#include "arena.h"
#include "equivalence.h"
#include "frequency.h"
#include "parametric.h"
#include "platform.h"
#include "settings.h"
#include "sorted.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an edge of the one graph counts, in shares of resamples; and more where it is one to the
 * child in its DAG, so that a chain may start there. */
static const double IN_REFINED = 2, A_PARENT = 1;
static const double FOR_RESAMPLES = 0.7; /* of the time there is; the rest is for that graph */

/* ---- What may be a candidate ---- */

static bool is_constant(const dpc_candidate_plan *plan, int label)
{
    const double *sd = plan->correlation->sd;
    return sd != NULL && sd[dpc_column_of(plan->labels, label)] == 0;
}

static bool is_required(const dpc_candidate_plan *plan, int u, int v)
{
    const dpc_constraints *known = plan->known;
    return known != NULL && dpc_bit(known->required, known->words, u, v);
}

bool dpc_may_be_candidate(const dpc_candidate_plan *plan, int u, int v)
{
    if (u == v || dpc_forced(plan->known, v, u))
        return false;
    return is_required(plan, u, v) || (!is_constant(plan, u) && !is_constant(plan, v));
}

static dpc_status too_many_required(const dpc_candidate_plan *plan, int v, int required,
                                    dpc_error *err)
{
    return dpc_fail(err, DPC_USAGE,
                    "variable %d must have %d parents by the knowledge, and at most %d candidates "
                    "are allowed for each; raise candidates, or require fewer edges",
                    dpc_column_of(plan->labels, v) + 1, required, plan->most);
}

dpc_status dpc_candidates_check(const dpc_candidate_plan *plan, bool *all, int32_t *counts,
                                dpc_error *err)
{
    int n = plan->correlation->n_vars;
    *all = true;
    for (int v = 0; v < n; v++) {
        int required = 0, allowed = 0;
        for (int u = 0; u < n; u++) {
            required += u != v && is_required(plan, u, v);
            allowed += dpc_may_be_candidate(plan, u, v);
        }
        if (required > plan->most)
            return too_many_required(plan, v, required, err);
        if (required > plan->most_parents)
            return dpc_fail(err, DPC_BAD_INPUT,
                            "variable %d must have %d parents by the knowledge, and %lld rows are "
                            "too few to judge them; take score bge, or require fewer edges",
                            dpc_column_of(plan->labels, v) + 1, required,
                            (long long)plan->correlation->n_obs);
        *all = *all && allowed <= plan->most;
        counts[v] = allowed < plan->most ? allowed : plan->most;
    }
    return DPC_OK;
}

/* ---- Graphs of resamples, and of the data ---- */

/* A progress callback in front of the caller's: refinement ends without a word where that asks to
 * stop. */
typedef struct listener {
    const dpc_settings *settings;
    bool stopped;
} listener;

static int listen(const dpc_progress *progress, void *user)
{
    listener *l = user;
    l->stopped = l->stopped || l->settings->progress(progress, l->settings->progress_user) != 0;
    return l->stopped;
}

/* What is left of the time, or a share of it. */
static double time_left(const dpc_candidate_plan *plan, double share)
{
    const double hardly_any = 1e-9;
    if (!(plan->end > 0))
        return DPC_NO_TIMEOUT;
    return fmax(share * (plan->end - dpc_seconds_roughly()), hardly_any);
}

/* Settings of a refinement: those of the caller, as far as they have a meaning for it. */
static dpc_settings settings_for(const dpc_candidate_plan *plan, dpc_refinement refine,
                                 double share)
{
    dpc_settings s = *plan->settings;
    if (s.method == DPC_GES)
        s.method = DPC_DUAL;
    s.refine = refine;
    s.graph = DPC_CPDAG;
    s.min_evidence = DPC_NO_MIN_EVIDENCE;
    s.keep_separating_sets = false;
    s.order = DPC_ORDER_CANONICAL;
    s.timeout = time_left(plan, share);
    s.ranks = NULL;
    return s;
}

/* How often each pair is joined, as shares of the resamples. */
typedef struct joined {
    dpc_frequency *pairs; /* owned */
    int64_t count;
    double total;
} joined;

static dpc_status resample_rows(const dpc_candidate_plan *plan, const dpc_settings *settings,
                                joined *out, bool *complete, dpc_error *err)
{
    dpc_frequencies *f = NULL;
    dpc_resampling how = {.resamples = plan->resamples, .seed = settings->seed};
    dpc_status status = dpc_bootstrap(plan->table, settings, &how, &f, err);
    if (status == DPC_OK) {
        *out = (joined){f->pairs, f->n_pairs, f->total};
        *complete = f->complete;
        f->pairs = NULL;
    }
    dpc_frequencies_free(f);
    return status;
}

static dpc_status resample_normal(const dpc_candidate_plan *plan, const dpc_settings *settings,
                                  joined *out, bool *complete, dpc_error *err)
{
    dpc_settings whole;
    dpc_weighted_graphs graphs = {0};
    DPC_CHECK(dpc_settings_or_default(settings, &whole, err));
    dpc_status status =
        dpc_parametric_graphs(plan->correlation, plan->labels, &whole, plan->resamples,
                              dpc_end_of_time(whole.timeout), &graphs, complete, err);
    if (status == DPC_OK)
        status = dpc_fail_as(err, dpc_weigh_pairs(&graphs, &out->pairs, &out->count, &out->total),
                             "the resamples");
    dpc_weighted_graphs_clear(&graphs);
    return status;
}

/* One DAG of a graph in columns, in labels. There may be none, and then nothing is made. */
static dpc_status member_of(const dpc_candidate_plan *plan, const dpc_graph *graph,
                            dpc_candidates *out, dpc_error *err)
{
    const dpc_labels back = {.column = plan->labels->label, .label = plan->labels->column};
    dpc_graph in_labels = {0}, *dag = NULL;
    if (dpc_graph_duplicate(graph, &in_labels) != DPC_OK)
        return dpc_fail_memory(err, "the refined graph");
    dpc_labels_undo_graph(&back, &in_labels);
    dpc_status status = dpc_class_member(&in_labels, &dag, err);
    dpc_graph_clear(&in_labels);
    if (status == DPC_BAD_INPUT)
        return DPC_OK;
    if (status == DPC_OK) {
        out->refined = *dag;
        out->has_refined = true;
        free(dag);
    }
    return status;
}

static dpc_status refine_whole(const dpc_candidate_plan *plan, const dpc_settings *settings,
                               dpc_candidates *out, dpc_error *err)
{
    dpc_result *result = NULL;
    DPC_CHECK(dpc_learn(plan->correlation, settings, &result, err));
    out->complete = out->complete && dpc_result_info(result)->complete;
    dpc_status status = member_of(plan, dpc_result_graph(result), out, err);
    dpc_result_free(result);
    return status;
}

/* ---- The choice ---- */

typedef struct ranked {
    double weight, r;
    int32_t label;
} ranked;

static int by_rank(const void *left, const void *right)
{
    const ranked *p = left, *q = right;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    if (p->r != q->r)
        return p->r > q->r ? -1 : 1;
    return (p->label > q->label) - (p->label < q->label);
}

/* Adds to the weights of v what the pairs and the refined graph say: n × n, by child. */
static void weigh(const dpc_candidate_plan *plan, const joined *joined, const dpc_graph *refined,
                  double *weight)
{
    int64_t n = plan->correlation->n_vars;
    for (int64_t i = 0; i < joined->count; i++) {
        const dpc_frequency *f = &joined->pairs[i];
        int64_t a = dpc_label_of(plan->labels, f->a), b = dpc_label_of(plan->labels, f->b);
        weight[a * n + b] += f->edge / joined->total;
        weight[b * n + a] += f->edge / joined->total;
    }
    for (int64_t e = 0; e < refined->n_edges; e++) {
        int64_t from = dpc_edge_from(&refined->edges[e]), to = dpc_edge_to(&refined->edges[e]);
        weight[from * n + to] += IN_REFINED;
        weight[to * n + from] += IN_REFINED + A_PARENT;
    }
}

/* The best of what may be a parent of v, ascending, into `to`; returns how many. `weight` is the
 * row of v, or NULL. |r| is rounded: its last bits depend on the places of the columns. */
static int choose(const dpc_candidate_plan *plan, int v, const double *weight, ranked *line,
                  int32_t *to)
{
    const double steps = 1e9;
    const dpc_view view = dpc_view_of(plan->correlation, plan->labels);
    int count = 0;
    for (int u = 0; u < view.n; u++)
        if (dpc_may_be_candidate(plan, u, v))
            line[count++] = (ranked){is_required(plan, u, v) ? INFINITY
                                     : weight != NULL        ? weight[u]
                                                             : 0,
                                     rint(fabs(dpc_r(&view, u, v)) * steps), u};
    qsort(line, (size_t)count, sizeof *line, by_rank);
    count = count < plan->most ? count : plan->most;
    for (int i = 0; i < count; i++)
        to[i] = line[i].label;
    dpc_sort_numbers(to, count);
    return count;
}

static dpc_status choose_all(const dpc_candidate_plan *plan, const double *weight,
                             dpc_candidate_sets *sets, dpc_error *err)
{
    int n = plan->correlation->n_vars;
    int64_t most = plan->most < n ? plan->most : n;
    ranked *line = dpc_alloc(n, sizeof *line);
    *sets = (dpc_candidate_sets){n, dpc_zalloc((int64_t)n + 1, sizeof *sets->start),
                                 dpc_alloc(n * most, sizeof *sets->node)};
    bool fine = line != NULL && sets->start != NULL && sets->node != NULL;
    for (int v = 0; fine && v < n; v++)
        sets->start[v + 1] =
            sets->start[v] + choose(plan, v, weight != NULL ? weight + (int64_t)v * n : NULL, line,
                                    sets->node + sets->start[v]);
    free(line);
    return fine ? DPC_OK : dpc_fail_memory(err, "the candidates");
}

/* ---- Exchange ---- */

static const double WORTH = 0.03; /* an exchange: how probable one from outside must be */

/* The candidates of v anew, ascending, into `to`; returns how many. What is there wins ties. */
static int exchange(const dpc_candidate_plan *plan, const dpc_candidate_sets *sets, int v,
                    const double *mean, const double *outside, uint32_t keep, ranked *line,
                    int32_t *to)
{
    int count = sets->start[v + 1] - sets->start[v], all = count;
    const int32_t *node = sets->node + sets->start[v];
    for (int i = 0; i < count; i++) {
        bool stays = (keep >> i & 1) != 0 || is_required(plan, node[i], v);
        line[i] = (ranked){stays ? INFINITY : mean[sets->start[v] + i], 1, node[i]};
    }
    for (int u = 0; u < sets->n; u++)
        if (outside[u] > WORTH)
            line[all++] = (ranked){outside[u], 0, u};
    qsort(line, (size_t)all, sizeof *line, by_rank);
    count = all < plan->most ? all : plan->most;
    for (int i = 0; i < count; i++)
        to[i] = line[i].label;
    dpc_sort_numbers(to, count);
    return count;
}

dpc_status dpc_candidates_exchange(const dpc_candidate_plan *plan, const double *mean,
                                   const double *outside, const uint32_t *keep,
                                   dpc_candidate_sets *sets, bool *changed)
{
    int64_t n = sets->n, most = plan->most < n ? plan->most : n;
    ranked *line = dpc_alloc(n, sizeof *line);
    dpc_candidate_sets made = {sets->n, dpc_zalloc(n + 1, sizeof *made.start),
                               dpc_alloc(n * most, sizeof *made.node)};
    bool fine = line != NULL && made.start != NULL && made.node != NULL;
    for (int v = 0; fine && v < n; v++)
        made.start[v + 1] = made.start[v] + exchange(plan, sets, v, mean, outside + v * n, keep[v],
                                                     line, made.node + made.start[v]);
    free(line);
    if (fine) {
        *changed = made.start[n] != sets->start[n] ||
                   memcmp(made.node, sets->node, (size_t)sets->start[n] * sizeof *made.node) != 0;
        dpc_candidate_sets other = *sets;
        *sets = made;
        made = other;
    }
    dpc_candidate_sets_clear(&made);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- All of it ---- */

/* What the graphs say, where there is a choice. */
static dpc_status ask_graphs(const dpc_candidate_plan *plan, joined *joined, dpc_candidates *out,
                             dpc_error *err)
{
    listener l = {.settings = plan->settings};
    dpc_settings fast = settings_for(plan, DPC_REFINE_FAST, FOR_RESAMPLES);
    if (fast.progress != NULL) {
        fast.progress = listen;
        fast.progress_user = &l;
    }
    dpc_status status = plan->table != NULL
                            ? resample_rows(plan, &fast, joined, &out->complete, err)
                            : resample_normal(plan, &fast, joined, &out->complete, err);
    if (status == DPC_OK && !l.stopped) {
        dpc_settings full = settings_for(plan, DPC_REFINE_FULL, 1);
        full.progress = fast.progress;
        full.progress_user = &l;
        status = refine_whole(plan, &full, out, err);
    }
    return status == DPC_OK && l.stopped ? dpc_fail_interrupted(err) : status;
}

dpc_status dpc_candidates_find(const dpc_candidate_plan *plan, dpc_candidates *out, dpc_error *err)
{
    int64_t n = plan->correlation->n_vars;
    joined joined = {0};
    dpc_arena arena = {0};
    bool all = false;
    *out = (dpc_candidates){.complete = true};
    int32_t *counts = dpc_arena_alloc(&arena, n, sizeof *counts);
    dpc_status status = counts != NULL ? dpc_candidates_check(plan, &all, counts, err)
                                       : dpc_fail_memory(err, "the candidates");
    if (status == DPC_OK && all)
        status = choose_all(plan, NULL, &out->sets, err);
    else if (status == DPC_OK)
        status = ask_graphs(plan, &joined, out, err);
    if (status == DPC_OK && !all) {
        double *weight = dpc_arena_zalloc(&arena, n * n, sizeof *weight);
        if (weight != NULL)
            weigh(plan, &joined, &out->refined, weight);
        status = weight != NULL ? choose_all(plan, weight, &out->sets, err)
                                : dpc_fail_memory(err, "the candidates");
    }
    free(joined.pairs);
    dpc_arena_clear(&arena);
    return status;
}

void dpc_candidates_clear(dpc_candidates *candidates)
{
    dpc_candidate_sets_clear(&candidates->sets);
    dpc_graph_clear(&candidates->refined);
    *candidates = (dpc_candidates){0};
}
