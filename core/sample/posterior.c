/*
 * A posterior: how it is assembled from the draws, and the questions to it.
 *
 * The probability of a parent is the mean over all draws of its probability given the parents of
 * all other nodes, or exact where there are few nodes (exact_edges.h). By chance the two directions
 * of a pair may add up to a little more than 1: they are scaled then.
 */
#include "posterior.h"

#include "alloc.h"
#include "diagnostics.h"
#include "frequency.h"
#include "knowledge.h"
#include "plus_one.h"
#include "settings.h"
#include "sorted.h"
#include "status.h"
#include "total_effects.h"

#include <math.h>
#include <string.h>

/* An assembly under way. */
typedef struct assembly {
    const dpc_posterior_parts *parts;
    const dpc_sampled *sampled;
    dpc_posterior *out;
    dpc_arena arena;
    dpc_crew crew; /* nobody can call it off: it is soon done, and what was drawn is to be used */
    dpc_settings silent;
    int batches;        /* that all chains have */
    double *mean;       /* by place of the candidate sets: of the probabilities; … */
    double *batch;      /* … by place, then chain and batch */
    double *rhat, *ess; /* by place */
    int32_t *ancestors; /* n × n: in how many draws */
} assembly;

/* ---- Probabilities ---- */

/* Leading batches that every chain has. */
static int count_batches(const assembly *a)
{
    const int32_t *drawn = a->parts->run->drawn;
    int count = DPC_BATCHES;
    for (int c = 0; c < a->sampled->chains; c++)
        for (int b = 0; b < count; b++)
            if (drawn[(int64_t)c * DPC_BATCHES + b] == 0)
                count = b;
    return count;
}

/* The means of batches, of each place. */
static void average(assembly *a)
{
    const dpc_run *run = a->parts->run;
    int64_t places = a->sampled->sets.start[a->sampled->n], batches = a->batches;
    for (int64_t i = 0; i < places; i++)
        for (int64_t c = 0; c < a->sampled->chains; c++)
            for (int64_t b = 0; b < batches; b++) {
                int64_t from = c * DPC_BATCHES + b, to = (i * a->sampled->chains + c) * batches + b;
                a->batch[to] = run->batch[from * places + i] / run->drawn[from];
            }
}

/* The place of u among the candidates of v; -1: it is none. */
static int64_t place_of(const assembly *a, int u, int v)
{
    const dpc_candidate_sets *sets = &a->sampled->sets;
    int64_t at = dpc_place_of(sets->node + sets->start[v], sets->start[v + 1] - sets->start[v], u);
    return at >= 0 ? sets->start[v] + at : -1;
}

/* The Monte Carlo error of the sum of two places, either of which may be -1. */
static double error_of(assembly *a, int64_t first, int64_t second, double *room)
{
    int64_t count = (int64_t)a->sampled->chains * a->batches;
    for (int64_t i = 0; i < count; i++)
        room[i] = (first >= 0 ? a->batch[first * count + i] : 0) +
                  (second >= 0 ? a->batch[second * count + i] : 0);
    return dpc_monte_carlo_error(room, a->sampled->chains, a->batches);
}

/* Of a pair of columns that are joined. */
static dpc_probability probability_of(assembly *a, int x, int y, double *room)
{
    int n = a->sampled->n;
    int64_t u = dpc_label_of(&a->sampled->labels, x), v = dpc_label_of(&a->sampled->labels, y);
    int64_t to = place_of(a, (int)u, (int)v), back = place_of(a, (int)v, (int)u);
    double draws = (double)dpc_all_draws(a->sampled);
    dpc_probability p = {.a = x,
                         .b = y,
                         .forward = to >= 0 ? a->mean[to] : 0,
                         .backward = back >= 0 ? a->mean[back] : 0,
                         .ancestor = a->ancestors[u * n + v] / draws,
                         .descendant = a->ancestors[v * n + u] / draws,
                         .se = a->parts->run->edge != NULL ? 0 : error_of(a, to, back, room),
                         .rhat = NAN,
                         .ess = NAN};
    double sum = p.forward + p.backward;
    if (sum > 1) {
        p.forward /= sum;
        p.backward /= sum;
    }
    if (to >= 0) {
        p.rhat = a->rhat[to];
        p.ess = a->ess[to];
    }
    if (back >= 0) { /* fmax and fmin pass over NaN */
        p.rhat = fmax(p.rhat, a->rhat[back]);
        p.ess = fmin(p.ess, a->ess[back]);
    }
    return p;
}

/* Is there an edge or a path in a draw, or an edge that no draw has to show? */
static bool is_joined(const assembly *a, int x, int y)
{
    const double worth_saying = 1e-6;
    int64_t n = a->sampled->n;
    int64_t u = dpc_label_of(&a->sampled->labels, x), v = dpc_label_of(&a->sampled->labels, y);
    if (a->ancestors[u * n + v] > 0 || a->ancestors[v * n + u] > 0)
        return true;
    int64_t to = place_of(a, (int)u, (int)v), back = place_of(a, (int)v, (int)u);
    double edge = (to >= 0 ? a->mean[to] : 0) + (back >= 0 ? a->mean[back] : 0);
    return a->parts->run->edge != NULL && edge >= worth_saying;
}

static dpc_status list_pairs(assembly *a)
{
    int n = a->sampled->n;
    int64_t count = 0;
    double *room =
        dpc_arena_alloc(&a->arena, (int64_t)a->sampled->chains * DPC_BATCHES, sizeof *room);
    for (int x = 0; x < n; x++)
        for (int y = x + 1; y < n; y++)
            count += is_joined(a, x, y);
    a->out->pairs = dpc_alloc(count, sizeof *a->out->pairs);
    if (room == NULL || a->out->pairs == NULL)
        return DPC_NO_MEMORY;
    for (int x = 0; x < n; x++)
        for (int y = x + 1; y < n; y++)
            if (is_joined(a, x, y))
                a->out->pairs[a->out->n_pairs++] = probability_of(a, x, y, room);
    return DPC_OK;
}

/* ---- Diagnostics ---- */

/* The worst of all parents whose probability is not near 0 or 1. */
static void diagnose(assembly *a)
{
    const double open = 0.02;
    dpc_posterior *out = a->out;
    int64_t places = a->sampled->sets.start[a->sampled->n];
    out->rhat = out->ess = NAN;
    for (int64_t i = 0; i < places; i++)
        if (a->mean[i] >= open && a->mean[i] <= 1 - open) {
            out->rhat = fmax(out->rhat, a->rhat[i]);
            out->ess = fmin(out->ess, a->ess[i]);
        }
    dpc_mixing score = dpc_mixing_of(out->scores, out->chains, out->draws);
    out->score_rhat = score.rhat;
    out->score_ess = score.ess;
}

static dpc_status look_outside(assembly *a, dpc_error *err)
{
    const dpc_posterior_parts *parts = a->parts;
    dpc_outside outside;
    DPC_CHECK(dpc_find_outside(parts->plan, a->sampled, parts->matrix, parts->marginal, &a->crew,
                               NULL, &outside, err));
    a->out->outside = outside.probability;
    a->out->outside_parent =
        outside.parent >= 0 ? dpc_column_of(&a->sampled->labels, outside.parent) : -1;
    a->out->outside_child =
        outside.parent >= 0 ? dpc_column_of(&a->sampled->labels, outside.child) : -1;
    return DPC_OK;
}

/* ---- As weighted graphs ---- */

static dpc_status copy_labels(const dpc_labels *from, int n, dpc_labels *to)
{
    if (from->column == NULL)
        return DPC_OK;
    to->column = dpc_alloc(n, sizeof *to->column);
    to->label = dpc_alloc(n, sizeof *to->label);
    if (to->column == NULL || to->label == NULL)
        return DPC_NO_MEMORY;
    memcpy(to->column, from->column, (size_t)n * sizeof *to->column);
    memcpy(to->label, from->label, (size_t)n * sizeof *to->label);
    return DPC_OK;
}

/* The weight of an edge is its probability times the draws; its marks keep their shares. */
static void scale_pairs(const dpc_posterior *posterior, dpc_frequencies *f)
{
    const double least = 1e-9; /* of what is there at all */
    for (int64_t i = 0; i < f->n_pairs; i++) {
        dpc_frequency *pair = &f->pairs[i];
        dpc_probability p = dpc_probability_of(posterior, pair->a, pair->b);
        double factor = fmax((p.forward + p.backward) * f->total, least) / pair->edge;
        pair->edge *= factor;
        pair->forward *= factor;
        pair->backward *= factor;
        pair->undirected *= factor;
    }
}

static dpc_status weigh_draws(assembly *a, dpc_error *err)
{
    dpc_posterior *out = a->out;
    dpc_settings settings = *a->parts->plan->settings;
    dpc_frequencies *f = out->frequencies = dpc_zalloc(1, sizeof *f);
    if (f == NULL || (f->graphs = dpc_zalloc(1, sizeof *f->graphs)) == NULL)
        return dpc_fail_memory(err, "the classes of the draws");
    f->n_vars = out->n_vars;
    f->resampling =
        (dpc_resampling){.resamples = (int)dpc_all_draws(a->sampled), .seed = out->seed};
    f->rows = out->n_obs;
    f->complete = out->complete;
    settings.graph = DPC_CPDAG;
    settings.min_evidence = DPC_NO_MIN_EVIDENCE;
    DPC_CHECK(dpc_settings_or_default(&settings, &settings, err));
    DPC_CHECK(dpc_settings_keep(&settings, &f->graphs->settings, err));
    DPC_CHECK(dpc_fail_as(err, copy_labels(&a->sampled->labels, out->n_vars, &f->graphs->labels),
                          "the classes of the draws"));
    DPC_CHECK(
        dpc_draw_classes(a->sampled, a->parts->plan->known, &a->crew, &f->graphs->graphs, err));
    DPC_CHECK(dpc_fail_as(err, dpc_frequencies_count(f), "the classes of the draws"));
    scale_pairs(out, f);
    return DPC_OK;
}

/* ---- Graphs ---- */

/* A DAG by masks as a graph in columns. */
static dpc_status graph_of(const dpc_sampled *s, const uint32_t *masks, dpc_graph **out,
                           dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_dag_room room;
    dpc_graph graph = {0};
    dpc_status status = dpc_dag_room_init(&room, &arena, &s->sets)
                            ? DPC_OK
                            : dpc_fail_memory(err, "a DAG that was drawn");
    if (status == DPC_OK) {
        dpc_parents dag = dpc_dag_of_masks(&s->sets, masks, &room);
        status = dpc_parents_graph(&dag, &graph, err);
    }
    dpc_arena_clear(&arena);
    if (status != DPC_OK)
        return status;
    dpc_labels_undo_graph(&s->labels, &graph);
    return dpc_graph_release(&graph, out, err);
}

/* ---- Effects ---- */

/* Do so many numbers fit into memory? */
static dpc_status check_effects(int64_t effects, int64_t draws, dpc_error *err)
{
    dpc_memory_offer offer = dpc_memory_offered();
    double bytes = (double)effects * (double)draws * sizeof(double);
    if (bytes <= offer.bytes / 2)
        return DPC_OK;
    return dpc_fail(err, DPC_NO_MEMORY,
                    "%lld draws of %lld effects need %.3g GB, and %s %.3g GB; ask for fewer causes "
                    "or outcomes",
                    (long long)draws, (long long)effects, bytes * 1e-9, offer.who,
                    offer.bytes * 1e-9);
}

static dpc_status sample_effects(assembly *a, dpc_error *err)
{
    const dpc_posterior_parts *parts = a->parts;
    const dpc_correlation *c = parts->plan->correlation;
    dpc_posterior *out = a->out;
    dpc_effects_plan plan = {.sampled = a->sampled,
                             .matrix = parts->matrix,
                             .score = parts->sampling->score,
                             .n_obs = (double)out->n_obs,
                             .seed = out->seed,
                             .sd = c->scored ? NULL : c->sd,
                             .n_causes = parts->n_causes,
                             .n_outcomes = parts->n_outcomes,
                             .causes = parts->causes,
                             .outcomes = parts->outcomes};
    int64_t count = dpc_count_effects(&plan), draws = dpc_all_draws(a->sampled);
    if (count == 0)
        return DPC_OK;
    DPC_CHECK(check_effects(count, draws, err));
    out->effects = dpc_alloc(count, sizeof *out->effects);
    out->effect_draws = dpc_alloc(count * draws, sizeof *out->effect_draws);
    if (out->effects == NULL || out->effect_draws == NULL)
        return dpc_fail_memory(err, "the effects");
    out->n_effects = count;
    return dpc_draw_effects(&plan, &a->crew, out->effects, out->effect_draws, err);
}

/* ---- All of it ---- */

static dpc_status make_room(assembly *a)
{
    int64_t n = a->sampled->n, places = a->sampled->sets.start[n];
    int64_t batches = (int64_t)a->sampled->chains * DPC_BATCHES;
    a->mean = dpc_arena_alloc(&a->arena, places, sizeof *a->mean);
    a->batch = dpc_arena_alloc(&a->arena, places * batches, sizeof *a->batch);
    a->rhat = dpc_arena_alloc(&a->arena, places, sizeof *a->rhat);
    a->ess = dpc_arena_alloc(&a->arena, places, sizeof *a->ess);
    a->ancestors = dpc_arena_alloc(&a->arena, n * n, sizeof *a->ancestors);
    return dpc_arena_failed(&a->arena) ? DPC_NO_MEMORY : DPC_OK;
}

static dpc_status assemble(assembly *a, dpc_error *err)
{
    DPC_CHECK(dpc_fail_as(err, make_room(a), "the probabilities"));
    a->batches = count_batches(a);
    dpc_run_means(a->parts->run, a->sampled, a->mean);
    average(a);
    DPC_CHECK(dpc_count_ancestors(a->sampled, &a->crew, a->ancestors, err));
    DPC_CHECK(dpc_mixing_of_edges(a->sampled, &a->crew, a->rhat, a->ess, err));
    DPC_CHECK(dpc_fail_as(err, list_pairs(a), "the probabilities"));
    diagnose(a);
    DPC_CHECK(weigh_draws(a, err));
    DPC_CHECK(graph_of(a->sampled, a->parts->run->best, &a->out->best, err));
    DPC_CHECK(look_outside(a, err));
    return sample_effects(a, err);
}

/* What is there before anything is computed. */
static void take_over(const dpc_posterior_parts *parts, dpc_posterior *out)
{
    dpc_run *run = parts->run;
    const dpc_correlation *c = parts->plan->correlation;
    int least = 0;
    out->n_vars = c->n_vars;
    out->n_obs = c->n_obs;
    out->sampling = *parts->sampling;
    out->sampling.n_causes = out->sampling.n_outcomes = 0;
    out->sampling.causes = out->sampling.outcomes = NULL;
    out->sampling.thin = run->thin;
    out->seed = parts->plan->settings->seed;
    out->sampled = run->sampled;
    out->chains = run->sampled->chains;
    out->draws = run->sampled->draws;
    out->scores = run->scores;
    out->n_edges = run->n_edges;
    out->complete = run->complete && parts->candidates->complete && !c->unfinished;
    out->best_score = run->best_score;
    out->worst_chain = run->worst_chain;
    out->refined_score = NAN;
    out->moves = run->moves;
    out->log_moves = run->log_moves;
    out->annealed = run->annealed;
    out->exact = run->exact;
    out->seconds_start = run->seconds_start;
    out->seconds_draws = run->seconds_draws;
    out->least_variance = dpc_space_least_variance(parts->space, &least);
    out->least_variable = dpc_column_of(parts->plan->labels, least);
    run->sampled = NULL;
    run->scores = NULL;
    run->n_edges = NULL;
}

dpc_status dpc_posterior_new(const dpc_posterior_parts *parts, dpc_posterior **out, dpc_error *err)
{
    dpc_posterior *posterior = dpc_zalloc(1, sizeof *posterior);
    if (posterior == NULL)
        return dpc_fail_memory(err, "the posterior");
    take_over(parts, posterior);
    assembly a = {.parts = parts,
                  .sampled = posterior->sampled,
                  .out = posterior,
                  .silent = *parts->plan->settings};
    a.silent.progress = NULL;
    dpc_crew_init(&a.crew, &a.silent, DPC_STAGE_SAMPLE);
    dpc_status status = dpc_fail_as(
        err, copy_labels(parts->plan->labels, posterior->n_vars, &posterior->sampled->labels),
        "the posterior");
    if (status == DPC_OK)
        status = assemble(&a, err);
    dpc_arena_clear(&a.arena);
    if (status == DPC_OK)
        *out = posterior;
    else
        dpc_posterior_free(posterior);
    return status;
}

void dpc_posterior_free(dpc_posterior *p)
{
    if (p == NULL)
        return;
    free(p->pairs);
    dpc_frequencies_free(p->frequencies);
    dpc_graph_free(p->best);
    free(p->scores);
    free(p->n_edges);
    free(p->effects);
    free(p->effect_draws);
    dpc_sampled_free(p->sampled);
    free(p);
}

/* ---- Questions ---- */

dpc_status dpc_posterior_draw(const dpc_posterior *p, int chain, int draw, dpc_graph **out,
                              dpc_error *err)
{
    const dpc_sampled *s = p->sampled;
    if (chain < 0 || draw < 0 || chain >= s->chains || draw >= s->draws)
        return dpc_fail(err, DPC_USAGE,
                        "there is no draw %d of chain %d; there are %d of %d chains", draw, chain,
                        s->draws, s->chains);
    return graph_of(s, s->parents + dpc_draw_place(s, chain, draw) * s->n, out, err);
}

dpc_status dpc_posterior_graph(const dpc_posterior *p, double min_probability, dpc_graph **out,
                               dpc_error *err)
{
    if (!(min_probability > 0 && min_probability <= 1))
        return dpc_fail(err, DPC_USAGE,
                        "the least probability must be above 0 and at most 1, not %g",
                        min_probability);
    return dpc_consensus(p->frequencies, min_probability, NULL, NULL, out, err);
}

dpc_probability dpc_probability_of(const dpc_posterior *p, int a, int b)
{
    dpc_probability key = {.a = a < b ? a : b, .b = a < b ? b : a, .rhat = NAN, .ess = NAN};
    const dpc_probability *found = NULL;
    if (p->n_pairs > 0)
        found = bsearch(&key, p->pairs, (size_t)p->n_pairs, sizeof key, dpc_by_pair);
    return found != NULL ? *found : key;
}
