/*
 * What to try next: dpc_advise of dualpc_explain.h.
 *
 * Other settings are tried on the same table. What each changes in the graph, and how many of the
 * independencies that its graph implies are contradicted, is that of the whole table; whether it is
 * better is judged by held-out rows alone (held_out.h): likelihood and BIC of the rows that were
 * learned from rise with every edge that fits their noise.
 *
 * Whether a hidden common cause would explain more is a question of its own (hidden_hint.h).
 *
 * Whether it is done depends on counted work, never on the clock.
 */
#include "alloc.h"
#include "held_out.h"
#include "hidden_hint.h"
#include "incomplete.h"
#include "result.h"
#include "settings.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum { MOST_VARIABLES = 200 };
static const double MOST_PRODUCTS = 3e8; /* N n²: each fold multiplies its rows */
/* Tests of the result, which each fold makes about as often; and those of any graph on the way. */
static const int64_t MOST_TESTS = 3000000, MOST_MORE = 10;

/* ---- Which ways ---- */

/* The settings as they were given, but for what a search by score refuses. */
static dpc_settings changed(const dpc_settings *given)
{
    dpc_settings s = *given;
    s.min_evidence = DPC_NO_MIN_EVIDENCE;
    s.keep_separating_sets = false;
    s.timeout = DPC_NO_TIMEOUT;
    s.ranks = NULL;
    return s;
}

static dpc_settings stricter(const dpc_settings *given)
{
    dpc_settings s = changed(given);
    s.rule = DPC_RULE_AND;
    s.alpha = 0.01;
    return s;
}

static dpc_settings refined(const dpc_settings *given, dpc_refinement how)
{
    dpc_settings s = changed(given);
    if (s.method == DPC_GES) {
        s.method = DPC_DUAL;
        s.penalty = 0;
    }
    s.refine = how;
    return s;
}

static dpc_settings without(const dpc_settings *given)
{
    dpc_settings s = changed(given);
    s.refine = DPC_REFINE_NONE;
    s.penalty = 0;
    return s;
}

typedef struct candidates {
    int count;
    int64_t most; /* tests for a graph */
    dpc_alternative_kind kind[DPC_MOST_ALTERNATIVES];
    dpc_settings settings[1 + DPC_MOST_ALTERNATIVES]; /* the first are those of the result */
} candidates;

static void add(candidates *c, dpc_alternative_kind kind, dpc_settings settings)
{
    c->kind[c->count++] = kind;
    c->settings[c->count] = settings;
}

static void choose(const dpc_result *result, const dpc_settings *given, candidates *c)
{
    const dpc_settings *used = &result->settings;
    c->settings[0] = changed(given);
    if (used->refine != DPC_REFINE_NONE) {
        add(c, DPC_TRY_WITHOUT, without(given));
        return;
    }
    if (used->method != DPC_GES && !(used->rule == DPC_RULE_AND && used->alpha <= 0.01))
        add(c, DPC_TRY_STRICT, stricter(given));
    add(c, DPC_TRY_REFINE, refined(given, DPC_REFINE_FAST));
}

/* ---- What each changes ---- */

static int64_t pairs_beyond(const dpc_graph *graph, const dpc_graph *other)
{
    int64_t count = 0;
    for (int64_t e = 0; e < graph->n_edges; e++)
        count += dpc_graph_mark(other, graph->edges[e].a, graph->edges[e].b) == DPC_NONE;
    return count;
}

static dpc_status contradicted(const dpc_result *result, const dpc_graph *graph,
                               const dpc_settings *settings, int64_t *tested, int64_t *exceed,
                               dpc_error *err)
{
    dpc_goodness *fit = NULL;
    DPC_CHECK(dpc_fit(result, graph, settings->progress, settings->progress_user, &fit, err));
    *tested = fit->implied - fit->untested;
    *exceed = fit->exceed;
    dpc_goodness_free(fit);
    return DPC_OK;
}

/*
 * A search by score asks what the rows are worth, which the correlations of a result by tests do
 * not know: they are made again for it. With missing cells nobody knows it.
 */
static dpc_status correlations_for(const dpc_table *table, const dpc_result *result,
                                   const dpc_settings *settings, dpc_correlation **out,
                                   dpc_error *err)
{
    if (dpc_by_score(settings) && !dpc_by_score(&result->settings) && !dpc_is_incomplete(table))
        return dpc_correlate(table, settings, NULL, out, err);
    *out = dpc_correlation_share(result->correlation);
    return DPC_OK;
}

static dpc_status measure_one(const dpc_table *table, const dpc_result *result,
                              const dpc_settings *settings, int64_t most, dpc_alternative *out,
                              bool *within, dpc_error *err)
{
    dpc_graph graph = {0};
    dpc_correlation *correlation = NULL;
    const dpc_graph *now = dpc_result_class(result);
    DPC_CHECK(correlations_for(table, result, settings, &correlation, err));
    dpc_status status = dpc_learn_within(correlation, settings, most, &graph, within, err);
    dpc_correlation_free(correlation);
    if (status == DPC_OK && *within)
        status = contradicted(result, &graph, settings, &out->tested, &out->exceed, err);
    if (status == DPC_OK && *within) {
        out->edges = graph.n_edges;
        out->added = pairs_beyond(&graph, now);
        out->removed = pairs_beyond(now, &graph);
    }
    dpc_graph_clear(&graph);
    return status;
}

static void choose_best(dpc_advice *advice)
{
    double most = 0;
    for (int i = 0; i < advice->count; i++) {
        const dpc_held_out *h = &advice->items[i].held_out;
        if (h->gain > fmax(most, 2 * h->se)) {
            most = h->gain;
            advice->best = i;
        }
    }
}

static dpc_status measure(const dpc_table *table, const dpc_result *result, candidates *c,
                          dpc_advice *advice, dpc_error *err)
{
    dpc_block_scores scores[1 + DPC_MOST_ALTERNATIVES];
    bool within = true;
    for (int i = 0; i <= c->count; i++) {
        dpc_settings resolved;
        DPC_CHECK(dpc_settings_or_default(&c->settings[i], &resolved, err));
        c->settings[i] = resolved;
    }
    dpc_status status =
        dpc_score_held_out(table, c->settings, 1 + c->count, c->most, scores, &within, err);
    if (status == DPC_USAGE) {
        advice->limit = DPC_ADVICE_FEW_ROWS;
        return DPC_OK;
    }
    DPC_CHECK(status);
    for (int i = 0; i < c->count && within; i++) {
        advice->items[i].kind = c->kind[i];
        DPC_CHECK(measure_one(table, result, &c->settings[1 + i], c->most, &advice->items[i],
                              &within, err));
    }
    if (!within) {
        advice->limit = DPC_ADVICE_WORK;
        return DPC_OK;
    }
    DPC_CHECK(contradicted(result, NULL, &c->settings[0], &advice->tested, &advice->exceed, err));
    for (int i = 0; i < c->count; i++)
        advice->items[i].held_out = dpc_held_out_difference(&scores[0], &scores[1 + i]);
    advice->count = c->count;
    choose_best(advice);
    return DPC_OK;
}

/* ---- Hidden causes ---- */

/* With missing cells the score takes them for rows, and hidden causes come of that. */
static dpc_status look_for_hidden(const dpc_table *table, const dpc_result *result,
                                  const dpc_settings *given, bool always, dpc_hidden_hint *out,
                                  dpc_error *err)
{
    dpc_settings full = refined(given, DPC_REFINE_FULL), resolved;
    dpc_correlation *correlation = NULL;
    bool is_refined = result->settings.refine == DPC_REFINE_FULL && result->info.complete;
    if (dpc_is_incomplete(table))
        return DPC_OK;
    full.graph = DPC_CPDAG;
    DPC_CHECK(dpc_settings_or_default(&full, &resolved, err));
    DPC_CHECK(correlations_for(table, result, &resolved, &correlation, err));
    dpc_status status =
        dpc_find_hidden_hint(correlation, &resolved, is_refined ? result : NULL, always, out, err);
    dpc_correlation_free(correlation);
    return status;
}

/* ---- All of it ---- */

static bool is_much(const dpc_result *result)
{
    const dpc_correlation *c = result->correlation;
    double n = c->n_vars;
    return c->r == NULL || n > MOST_VARIABLES || n * n * (double)c->n_obs > MOST_PRODUCTS ||
           result->info.tests + result->info.scores > MOST_TESTS;
}

static dpc_status advise(const dpc_table *table, const dpc_result *result,
                         const dpc_settings *given, bool always, dpc_advice *advice, dpc_error *err)
{
    candidates c = {.most = always ? INT64_MAX : MOST_MORE * MOST_TESTS};
    if (result->settings.graph == DPC_SKELETON) {
        advice->limit = DPC_ADVICE_SKELETON;
        return DPC_OK;
    }
    if (result->correlation->blocks != NULL) {
        advice->limit = DPC_ADVICE_COLUMNS;
        return DPC_OK;
    }
    if (!always && is_much(result)) {
        advice->limit = DPC_ADVICE_WORK;
        return DPC_OK;
    }
    if (result->settings.normalize == DPC_NORMALIZE_LATENT)
        return DPC_OK; /* rows that are held out have no likelihood that could be compared */
    choose(result, given, &c);
    DPC_CHECK(measure(table, result, &c, advice, err));
    return advice->limit == DPC_ADVICE_WHOLE
               ? look_for_hidden(table, result, given, always, &advice->hidden, err)
               : DPC_OK;
}

void dpc_advice_free(dpc_advice *advice)
{
    free(advice);
}

dpc_status dpc_advise(const dpc_table *table, const dpc_result *result, const dpc_settings *given,
                      bool always, dpc_advice **out, dpc_error *err)
{
    dpc_settings all; /* auto values stay open: another way of learning has its own */
    DPC_CHECK(dpc_settings_check(given, err));
    dpc_settings_default(&all);
    if (given != NULL)
        memcpy(&all, given, given->size);
    all.size = sizeof all;
    DPC_CHECK(dpc_table_check(table, err));
    DPC_CHECK(dpc_settings_check_no_latent(dpc_result_settings(result), "advice", err));
    if (table->n_vars != result->correlation->n_vars)
        return dpc_fail(err, DPC_USAGE, "the table has %d columns, and the result %d variables",
                        table->n_vars, result->correlation->n_vars);
    dpc_advice *advice = dpc_zalloc(1, sizeof *advice);
    if (advice == NULL)
        return dpc_fail_memory(err, "the advice");
    advice->best = -1;
    advice->hidden = (dpc_hidden_hint){.a = -1, .b = -1, .gain = NAN, .lost = NAN};
    dpc_status status = advise(table, result, &all, always, advice, err);
    if (status == DPC_OK)
        *out = advice;
    else
        dpc_advice_free(advice);
    return status;
}
