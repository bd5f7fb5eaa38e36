/*
 * Sampling a posterior over DAGs, from a table or a correlation matrix to what was drawn:
 *
 *     candidates (candidates.h) → tables (space.h) → chains (run.h) → probabilities (posterior.h)
 *
 * Where candidates were chosen, the chains first make a few draws. From these it is seen which
 * variables should have been candidates (plus_one.h); they become some, and the chains go on from
 * where they were, with new tables. That is done twice, and more often where much is left out.
 */
#include "candidates.h"
#include "expand.h"
#include "latent.h"
#include "platform.h"
#include "plus_one.h"
#include "posterior.h"
#include "ranks.h"
#include "settings.h"
#include "sorted.h"
#include "status.h"
#include "table.h"
#include "test.h"
#include "text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { THIN = 3 }; /* sweeps between draws, where nothing is said */
static const double FOR_CANDIDATES = 0.4, FOR_EXCHANGE = 0.4; /* of the time there is */
static const double MUCH = 0.3; /* the probability of a parent that is no candidate */
enum { EXCHANGES = 2, MOST_EXCHANGES = 5, EXCHANGE_DRAWS = 10 };

/* ---- What is asked for ---- */

static const dpc_sampling DEFAULTS = {.size = sizeof(dpc_sampling)};

static dpc_status check_size(size_t size, dpc_error *err)
{
    if (size >= offsetof(dpc_sampling, edge_probability) && size <= sizeof(dpc_sampling) &&
        size % _Alignof(dpc_sampling) == 0)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE,
                    "a dpc_sampling of %zu bytes; fill it with dpc_sampling_default", size);
}

dpc_status dpc_sampling_init(dpc_sampling *sampling, size_t size)
{
    memcpy(sampling, &DEFAULTS, size < sizeof DEFAULTS ? size : sizeof DEFAULTS);
    if (size >= sizeof sampling->size)
        sampling->size = size;
    return check_size(size, NULL);
}

/* What the caller has, whole, and defaults in the place of zeros. */
static dpc_status complete(const dpc_sampling *given, dpc_sampling *out, dpc_error *err)
{
    *out = DEFAULTS;
    if (given != NULL) {
        DPC_CHECK(check_size(given->size, err));
        memcpy(out, given, given->size);
    }
    if (out->candidates == 0)
        out->candidates = 12;
    if (out->resamples == 0)
        out->resamples = 50;
    if (out->chains == 0)
        out->chains = 4;
    if (out->draws == 0)
        out->draws = 1000;
    return DPC_OK;
}

static dpc_status check_prior(const dpc_sampling *s, dpc_error *err)
{
    if ((unsigned)s->score > DPC_SCORE_BIC)
        return dpc_fail(err, DPC_USAGE, "there is no score %d", (int)s->score);
    if ((unsigned)s->prior > DPC_PRIOR_EDGE)
        return dpc_fail(err, DPC_USAGE, "there is no prior %d", (int)s->prior);
    if (s->prior != DPC_PRIOR_EDGE && s->edge_probability != 0)
        return dpc_fail(err, DPC_USAGE,
                        "an edge probability goes with the prior by edges; leave out one of the "
                        "two");
    if (s->prior == DPC_PRIOR_EDGE && !(s->edge_probability > 0 && s->edge_probability < 1))
        return dpc_fail(err, DPC_USAGE,
                        "the prior probability of an edge must be above 0 and below 1, not %g",
                        s->edge_probability);
    return DPC_OK;
}

static dpc_status check_count(const char *what, int value, int most, dpc_error *err)
{
    if (value >= 1 && value <= most)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "%s must be from 1 to %d, not %d", what, most, value);
}

static dpc_status check_variables(const char *what, const int32_t *list, int count, int n,
                                  dpc_error *err)
{
    if (count < 0 || (count > 0 && list == NULL))
        return dpc_fail(err, DPC_USAGE, "there are %d %s", count, what);
    for (int i = 0; i < count; i++)
        if (list[i] < 0 || list[i] >= n)
            return dpc_fail(err, DPC_USAGE, "there is no variable %d among the %s; there are %d",
                            list[i], what, n);
    return DPC_OK;
}

static dpc_status check_sampling(const dpc_sampling *s, int n, dpc_error *err)
{
    enum { MANY = 1000000 };
    DPC_CHECK(check_prior(s, err));
    DPC_CHECK(check_count("candidates", s->candidates, DPC_MOST_CANDIDATES, err));
    DPC_CHECK(check_count("resamples", s->resamples, MANY, err));
    DPC_CHECK(check_count("chains", s->chains, DPC_MOST_THREADS, err));
    DPC_CHECK(check_count("draws", s->draws, MANY, err));
    if (s->thin != 0)
        DPC_CHECK(check_count("thin", s->thin, MANY, err));
    DPC_CHECK(check_variables("causes", s->causes, s->n_causes, n, err));
    return check_variables("outcomes", s->outcomes, s->n_outcomes, n, err);
}

/* ---- What can be sampled from ---- */

/* A variable of several columns, by its name; without a table, whichever it is. */
static dpc_status refuse_blocks(const dpc_table *table, dpc_error *err)
{
    char name[DPC_CLIP_SIZE];
    int v = 0;
    while (table != NULL && v < table->n_vars && dpc_width_of(table, v) < 2)
        v++;
    if (table == NULL || v == table->n_vars)
        return dpc_fail(err, DPC_BAD_INPUT,
                        "a posterior needs single columns with straight relations; leave out "
                        "blocks, nominal variables and relations = curved (--relations curved)");
    dpc_clip_name(table->names[v], name);
    return dpc_fail(err, DPC_BAD_INPUT,
                    "a posterior needs single columns of numbers, and '%s' is %s; exclude it with "
                    "--drop %s, or use --bootstrap, which takes it",
                    name,
                    dpc_kind_of(table, v) == DPC_NOMINAL ? "nominal with three or more levels"
                                                         : "a block of columns",
                    name);
}

static dpc_status check_correlation(const dpc_correlation *c, const dpc_settings *settings,
                                    dpc_error *err)
{
    if (c->blocks != NULL)
        return refuse_blocks(NULL, err);
    if (c->n_vars < 2 || !dpc_testable(c->n_obs, 0))
        return dpc_fail(err, DPC_BAD_INPUT,
                        "%d variables and %lld observations are too few to learn from", c->n_vars,
                        (long long)c->n_obs);
    if (c->r == NULL)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "the correlation matrix of %d variables was not made, for it takes more "
                        "than memory allows, and a posterior is sampled from it; allow more "
                        "memory, or choose fewer variables",
                        c->n_vars);
    DPC_CHECK(dpc_latent_check_score(c, err));
    return dpc_knowledge_check(settings->knowledge, c->n_vars, err);
}

/* ---- The work ---- */

typedef struct work {
    const dpc_settings *settings; /* checked and whole */
    const dpc_sampling *sampling; /* checked and whole */
    dpc_candidate_plan plan;
    dpc_arena arena;
    dpc_labels labels;
    dpc_constraints *known;
    dpc_candidates candidates;
    dpc_view view;
    dpc_marginal marginal;
    dpc_score_matrix matrix;
    dpc_space *space;
    dpc_run run;
    bool last;              /* it is the one whose draws are the result */
    const uint32_t **start; /* by chain: see dpc_run_plan */
    bool chosen;            /* the candidates were: not all that may be are */
    double outside;         /* the largest probability of a parent that was no candidate */
    double fraction;        /* of the progress so far */
    dpc_run before;         /* what was done before the last run: moves, seconds, … */
    double end;
    double seconds_candidates, seconds_tables, refined_score;
} work;

static double table_memory(const work *w, const int32_t *counts, int most)
{
    double bytes = 0;
    for (int v = 0; v < w->view.n; v++)
        bytes += dpc_space_memory(counts[v] < most ? counts[v] : most);
    return bytes;
}

/* Do the tables fit into memory? If not, the sentence says which would. */
static dpc_status check_memory(const work *w, const int32_t *counts, dpc_error *err)
{
    dpc_memory_offer offer = dpc_memory_offered();
    int most = w->sampling->candidates, fits = most;
    if (w->settings->memory > 0)
        offer = (dpc_memory_offer){w->settings->memory * 1e6, "memory allows"};
    else
        offer.bytes /= 2;
    while (fits > 0 && table_memory(w, counts, fits) > offer.bytes)
        fits--;
    if (fits == most)
        return DPC_OK;
    if (fits == 0)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "the tables of %d variables do not fit into the %.3g GB that %s; choose "
                        "fewer variables",
                        w->view.n, offer.bytes * 1e-9,
                        w->settings->memory > 0 ? "memory allows" : "there are");
    return dpc_fail(err, DPC_NO_MEMORY,
                    "the tables of %d variables with %d candidate parents each need %.3g GB, and "
                    "%s %.3g GB%s; candidates %d is the most that fits",
                    w->view.n, most, table_memory(w, counts, most) * 1e-9, offer.who,
                    offer.bytes * 1e-9, w->settings->memory > 0 ? "" : " for them", fits);
}

/* The parents of v as bits of its candidates; false: one is none. */
static bool mask_of(const dpc_candidate_sets *sets, int v, dpc_node_row parents, uint32_t *mask)
{
    bool inside = true;
    *mask = 0;
    for (int64_t i = 0; i < parents.count; i++) {
        int64_t at = dpc_place_of(sets->node + sets->start[v], sets->start[v + 1] - sets->start[v],
                                  parents.node[i]);
        inside = inside && at >= 0;
        *mask |= at >= 0 ? UINT32_C(1) << at : 0;
    }
    return inside;
}

/* A DAG to start at: the refined one, where all its parents are candidates; NULL: it is none. */
static dpc_status start_of(work *w, const dpc_mixed_lists *dag, const uint32_t **start)
{
    uint32_t *masks = dpc_arena_alloc(&w->arena, dag->n, sizeof *masks);
    bool inside = true;
    if (masks == NULL)
        return DPC_NO_MEMORY;
    for (int v = 0; v < dag->n && inside; v++)
        inside = mask_of(&w->candidates.sets, v, dpc_parents_of(dag, v), &masks[v]) &&
                 isfinite(dpc_space_score(w->space, v, masks[v]));
    *start = inside ? masks : NULL;
    return DPC_OK;
}

/* What the refined graph scores, and whether a chain may start there. */
static dpc_status judge_refined(work *w, dpc_error *err)
{
    const uint32_t *start = NULL;
    dpc_family_scorer scorer;
    dpc_mixed_lists dag = {0};
    w->refined_score = NAN;
    if (!w->candidates.has_refined)
        return DPC_OK;
    dpc_status status = dpc_family_scorer_init(&scorer, &w->matrix, &w->marginal);
    if (status == DPC_OK)
        status = dpc_mixed_lists_init(&w->candidates.refined, NULL, &dag);
    if (status == DPC_OK)
        status = dpc_family_score_dag(&scorer, &dag, &w->refined_score);
    if (status == DPC_OK)
        status = start_of(w, &dag, &start);
    if (w->sampling->chains > 1)
        w->start[w->sampling->chains - 1] = start; /* the others differ */
    dpc_mixed_lists_clear(&dag);
    dpc_family_scorer_clear(&scorer);
    if (!isfinite(w->refined_score))
        w->refined_score = NAN; /* a family of it has no weight */
    return dpc_fail_as(err, status, "the refined graph");
}

static dpc_status find_candidates(work *w, dpc_error *err)
{
    double start = dpc_seconds(), now = dpc_seconds_roughly();
    bool all = false;
    int32_t *counts = dpc_arena_alloc(&w->arena, w->view.n, sizeof *counts);
    if (counts == NULL)
        return dpc_fail_memory(err, "the candidates");
    w->plan.end = w->end > 0 ? now + FOR_CANDIDATES * fmax(w->end - now, 0) : 0;
    DPC_CHECK(dpc_candidates_check(&w->plan, &all, counts, err));
    DPC_CHECK(check_memory(w, counts, err));
    DPC_CHECK(dpc_candidates_find(&w->plan, &w->candidates, err));
    w->chosen = !all;
    w->seconds_candidates = dpc_seconds() - start;
    return DPC_OK;
}

/* The scores, and places for where chains start. */
static dpc_status prepare_scores(work *w, dpc_error *err)
{
    const dpc_sampling *s = w->sampling;
    dpc_status status = dpc_marginal_init(&w->marginal, &w->arena, s->score, s->prior,
                                          s->edge_probability, w->view.n, (double)w->view.n_obs);
    if (status == DPC_OK)
        status = dpc_score_matrix_init(&w->matrix, &w->view, &w->marginal);
    w->start = dpc_arena_zalloc(&w->arena, s->chains, sizeof *w->start);
    return dpc_fail_as(err, w->start != NULL ? status : DPC_NO_MEMORY, "the scores");
}

static dpc_status make_tables(work *w, dpc_error *err)
{
    const dpc_stats stats = dpc_stats_of(&w->view);
    double start = dpc_seconds();
    dpc_crew crew;
    dpc_crew_init(&crew, w->settings, DPC_STAGE_SAMPLE);
    crew.from = crew.to = w->fraction;
    crew.progress.draws = w->sampling->draws;
    dpc_space_free(w->space);
    w->space = NULL;
    DPC_CHECK(
        dpc_space_new(&stats, w->known, &w->marginal, &w->candidates.sets, &crew, &w->space, err));
    w->seconds_tables += dpc_seconds() - start;
    return DPC_OK;
}

/* ---- Chains ---- */

/* Runs the chains; `draws` of each, until `end`. */
static dpc_status run_chains(work *w, int draws, double end, double from, double to, dpc_error *err)
{
    const dpc_sampling *s = w->sampling;
    dpc_run_plan plan = {.space = w->space,
                         .settings = w->settings,
                         .chains = s->chains,
                         .draws = draws,
                         .thin = s->thin > 0 ? s->thin : THIN,
                         .may_slow = s->thin == 0 && w->last,
                         .by_order = s->prior == DPC_PRIOR_ORDER,
                         .start = w->start,
                         .end = end,
                         .from = from,
                         .to = to};
    return dpc_run_chains(&plan, &w->run, err);
}

/* Adds up what was done in a run that is not the last. */
static void note_run(work *w)
{
    w->before.moves += w->run.moves;
    w->before.log_moves += w->run.log_moves;
    w->before.annealed += w->run.annealed;
    w->before.seconds_start += w->run.seconds_start + w->run.seconds_draws;
}

/* The last draw of a chain by the bits of other candidates, into `to`. */
static void translate(const dpc_sampled *sampled, int chain, const dpc_candidate_sets *sets,
                      uint32_t *to)
{
    int64_t place = dpc_draw_place(sampled, chain, sampled->draws - 1);
    for (int v = 0; v < sets->n; v++) {
        to[v] = 0;
        for (uint32_t left = sampled->parents[place * sets->n + v]; left != 0; left &= left - 1) {
            int u = sampled->sets.node[sampled->sets.start[v] + __builtin_ctz(left)];
            to[v] |= UINT32_C(1) << dpc_place_of(sets->node + sets->start[v],
                                                 sets->start[v + 1] - sets->start[v], u);
        }
    }
}

/* Where the chains of the next run start: where those of this one have come to. */
static dpc_status go_on_from(work *w)
{
    const dpc_sampled *sampled = w->run.sampled;
    for (int c = 0; c < sampled->chains; c++) {
        uint32_t *masks = dpc_arena_alloc(&w->arena, sampled->n, sizeof *masks);
        if (masks == NULL)
            return DPC_NO_MEMORY;
        translate(sampled, c, &w->candidates.sets, masks);
        w->start[c] = masks;
    }
    return DPC_OK;
}

/* Exchanges candidates by what was drawn. */
static dpc_status exchange(work *w, dpc_arena *arena, bool *changed, dpc_error *err)
{
    const dpc_sampled *sampled = w->run.sampled;
    int64_t n = sampled->n;
    dpc_crew crew;
    dpc_outside most;
    double *mean = dpc_arena_alloc(arena, sampled->sets.start[n], sizeof *mean);
    double *outside = dpc_arena_zalloc(arena, n * n, sizeof *outside);
    uint32_t *keep = dpc_arena_zalloc(arena, n, sizeof *keep);
    if (dpc_arena_failed(arena))
        return dpc_fail_memory(err, "the candidates");
    dpc_crew_init(&crew, w->settings, DPC_STAGE_SAMPLE);
    crew.from = crew.to = w->fraction;
    crew.progress.draws = w->sampling->draws;
    dpc_run_means(&w->run, sampled, mean);
    for (int c = 0; c < sampled->chains; c++)
        for (int v = 0; v < n; v++)
            keep[v] |= sampled->parents[dpc_draw_place(sampled, c, sampled->draws - 1) * n + v];
    DPC_CHECK(
        dpc_find_outside(&w->plan, sampled, &w->matrix, &w->marginal, &crew, outside, &most, err));
    w->outside = most.probability;
    return dpc_fail_as(
        err, dpc_candidates_exchange(&w->plan, mean, outside, keep, &w->candidates.sets, changed),
        "the candidates");
}

/* A few draws, and other candidates by these; *changed: there are some, and tables of them. */
static dpc_status improve_candidates(work *w, int time, bool *changed, dpc_error *err)
{
    dpc_arena arena = {0};
    double now = dpc_seconds_roughly(), end = 0, part = 0.3 / MOST_EXCHANGES;
    if (w->end > 0)
        end = now + FOR_EXCHANGE * fmax(w->end - now, 1e-3);
    DPC_CHECK(run_chains(w, EXCHANGE_DRAWS, end, part * time, part * (time + 1), err));
    note_run(w);
    w->fraction = part * (time + 1);
    double start = dpc_seconds();
    dpc_status status = exchange(w, &arena, changed, err);
    if (status == DPC_OK)
        status = dpc_fail_as(err, go_on_from(w), "the chains");
    w->seconds_candidates += dpc_seconds() - start;
    if (!w->run.complete) {
        w->before.complete = false;
        w->candidates.complete = false;
    }
    dpc_run_clear(&w->run);
    dpc_arena_clear(&arena);
    return status == DPC_OK && *changed ? make_tables(w, err) : status;
}

/* All runs. */
static dpc_status run_all(work *w, dpc_error *err)
{
    bool go_on = w->chosen;
    for (int time = 0; time < MOST_EXCHANGES && go_on && w->candidates.complete; time++) {
        DPC_CHECK(improve_candidates(w, time, &go_on, err));
        go_on = go_on && (time + 1 < EXCHANGES || w->outside > MUCH);
    }
    w->last = true;
    dpc_status status = run_chains(w, w->sampling->draws, w->end, w->chosen ? 0.3 : 0, 1, err);
    w->run.moves += w->before.moves;
    w->run.log_moves += w->before.log_moves;
    w->run.annealed += w->before.annealed;
    w->run.seconds_start += w->before.seconds_start;
    return status;
}

/* ---- The end ---- */

/* Columns, ascending, each once; or all of them, where only the other list has some. */
static int32_t *columns_of(work *w, const int32_t *list, int given, bool other, int *count)
{
    int n = w->view.n, found = 0;
    int32_t *to = dpc_arena_alloc(&w->arena, n, sizeof *to);
    bool *named = dpc_arena_zalloc(&w->arena, n, sizeof *named);
    *count = 0;
    if (to == NULL || named == NULL)
        return NULL;
    for (int i = 0; i < given; i++)
        named[list[i]] = true;
    for (int j = 0; j < n; j++)
        if (named[j] || (given == 0 && other))
            to[found++] = j;
    *count = found;
    return to;
}

static dpc_status finish(work *w, dpc_posterior **out, dpc_error *err)
{
    const dpc_sampling *s = w->sampling;
    dpc_posterior_parts parts = {.plan = &w->plan,
                                 .candidates = &w->candidates,
                                 .matrix = &w->matrix,
                                 .marginal = &w->marginal,
                                 .space = w->space,
                                 .sampling = s,
                                 .run = &w->run};
    parts.causes = columns_of(w, s->causes, s->n_causes, s->n_outcomes > 0, &parts.n_causes);
    parts.outcomes = columns_of(w, s->outcomes, s->n_outcomes, s->n_causes > 0, &parts.n_outcomes);
    if (dpc_arena_failed(&w->arena))
        return dpc_fail_memory(err, "the posterior");
    DPC_CHECK(dpc_posterior_new(&parts, out, err));
    (*out)->refined_score = w->refined_score;
    (*out)->seconds_candidates = w->seconds_candidates;
    (*out)->seconds_tables = w->seconds_tables;
    return DPC_OK;
}

/* From labels to the posterior. A run that was called off has one where there are draws. */
static dpc_status go(work *w, dpc_posterior **out, dpc_error *err)
{
    DPC_CHECK(dpc_labels_make(w->plan.correlation, w->settings, &w->labels, err));
    DPC_CHECK(dpc_constraints_new(w->settings->knowledge, &w->labels, &w->known, err));
    w->plan.known = w->known;
    w->view = dpc_view_of(w->plan.correlation, &w->labels);
    DPC_CHECK(find_candidates(w, err));
    DPC_CHECK(prepare_scores(w, err));
    DPC_CHECK(make_tables(w, err));
    DPC_CHECK(judge_refined(w, err));
    dpc_status status = run_all(w, err);
    if (w->run.sampled != NULL)
        DPC_CHECK(finish(w, out, err));
    return status;
}

static void work_clear(work *w)
{
    dpc_run_clear(&w->run);
    dpc_space_free(w->space);
    dpc_score_matrix_clear(&w->matrix);
    dpc_candidates_clear(&w->candidates);
    dpc_constraints_free(w->known);
    dpc_labels_clear(&w->labels);
    dpc_arena_clear(&w->arena);
}

/* ---- The public functions ---- */

/* What both of them begin with: settings that are checked, whole and not resolved, without ranks.
 */
static dpc_status take_settings(const dpc_settings *given, const dpc_sampling *asked,
                                dpc_settings *settings, dpc_sampling *sampling, dpc_error *err)
{
    DPC_CHECK(dpc_settings_check(given, err));
    dpc_settings_default(settings);
    if (given != NULL)
        memcpy(settings, given, given->size);
    settings->size = sizeof *settings;
    settings->ranks = NULL;
    return complete(asked, sampling, err);
}

/* By a correlation, and a table where there is one. */
static dpc_status sample(const dpc_table *table, const dpc_correlation *correlation,
                         const dpc_settings *given, const dpc_sampling *sampling, double begin,
                         double end, dpc_posterior **out, dpc_error *err)
{
    dpc_settings settings;
    work w = {.settings = &settings, .sampling = sampling, .end = end};
    DPC_CHECK(check_correlation(correlation, given, err));
    DPC_CHECK(check_sampling(sampling, correlation->n_vars, err));
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    settings.order = DPC_ORDER_CANONICAL;
    w.plan = (dpc_candidate_plan){
        .table = table,
        .correlation = correlation,
        .labels = &w.labels,
        .settings = given,
        .most = sampling->candidates,
        .most_parents = dpc_marginal_most(sampling->score, (double)correlation->n_obs),
        .resamples = sampling->resamples};
    dpc_status status = go(&w, out, err);
    work_clear(&w);
    if (*out != NULL)
        (*out)->seconds = dpc_seconds() - begin;
    return status;
}

dpc_status dpc_sample_correlation(const dpc_correlation *correlation, const dpc_settings *given,
                                  const dpc_sampling *asked, dpc_posterior **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_sampling sampling;
    dpc_posterior *posterior = NULL;
    double begin = dpc_seconds();
    DPC_CHECK(take_settings(given, asked, &settings, &sampling, err));
    if (given != NULL && !dpc_leads(given->ranks))
        return DPC_OK; /* nothing to do for a rank that does not lead */
    dpc_status status = sample(NULL, correlation, &settings, &sampling, begin,
                               dpc_end_of_time(settings.timeout), &posterior, err);
    if (posterior != NULL)
        *out = posterior;
    return status;
}

dpc_status dpc_sample(const dpc_table *table, const dpc_settings *given, const dpc_sampling *asked,
                      dpc_audit *audit, dpc_posterior **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_sampling sampling;
    dpc_correlation *correlation = NULL;
    dpc_posterior *posterior = NULL;
    double begin = dpc_seconds();
    DPC_CHECK(take_settings(given, asked, &settings, &sampling, err));
    if (given != NULL && !dpc_leads(given->ranks))
        return DPC_OK; /* nothing to do for a rank that does not lead */
    double end = dpc_end_of_time(settings.timeout);
    DPC_CHECK(check_sampling(&sampling, table->n_vars, err));
    if (dpc_has_blocks(table, &settings))
        return refuse_blocks(table, err);
    DPC_CHECK(dpc_correlate(table, &settings, audit, &correlation, err));
    dpc_status status =
        sample(table, correlation, &settings, &sampling, begin, end, &posterior, err);
    dpc_correlation_free(correlation);
    if (posterior != NULL)
        *out = posterior;
    return status;
}
