/*
 * Why a pair has its edge, or none: made afterwards, from the result and the correlations
 * (docs/algorithm.md, section 15).
 *
 * No edge: the recorded set. An edge: all tests of the pair are made again (replay.c), and the
 * weakest is reported. An arrow: reasons.c. GES: explain_score.c. Background knowledge that has
 * decided on the pair is reported in the place of tests. The marks of PAGs: explain_pag.c.
 */
#include "explain.h"

#include "alloc.h"
#include "block_answer.h"
#include "delta.h"
#include "distribution.h"
#include "latent.h"
#include "linalg.h"
#include "reasons.h"
#include "replay.h"
#include "rows.h"
#include "settings.h"
#include "sorted.h"
#include "stats.h"
#include "status.h"

#include <math.h>
#include <string.h>

void dpc_explanation_free(dpc_explanation *e)
{
    if (e == NULL)
        return;
    free(e->test.members);
    free(e->other.members);
    free(e->near_a);
    free(e->near_b);
    free(e->reasons);
    dpc_f_test_free(e->test_f);
    dpc_f_test_free(e->other_f);
    free(e);
}

/* Hands a test over to an explanation; its end is one of the pair, or stands for one. */
static void take(const dpc_replay *p, const dpc_explanation *e, dpc_pair_test *from,
                 dpc_pair_test *to)
{
    const dpc_labels *labels = &p->sets->labels;
    free(to->members);
    *to = *from;
    if (to->what.from >= 0)
        to->what.from =
            dpc_label_of(labels, to->what.from) == dpc_label_of(labels, e->a) ? e->a : e->b;
    *from = (dpc_pair_test){.what = dpc_no_test()};
}

/* ---- Tests ---- */

/* The p-value of a test of latent variables keeps its level by another N than the search's. */
static void correct(dpc_replay *p, int a, int b, dpc_pair_test *test)
{
    dpc_sepset *what = &test->what;
    const dpc_correlation *c = p->result->correlation;
    if (c->latent == NULL || isnan(what->r) || what->kind == DPC_SEP_NONE)
        return;
    p->failed = p->failed || dpc_delta_rows(c, a, b, test->members, what->size, what->n_obs,
                                            &what->n_obs) != DPC_OK;
    test->ess = what->n_obs - what->size - 3;
    what->p = dpc_p_value(p->problem.settings->test, what->n_obs, what->size, what->r);
}

/* The list of a node when the set was found, as columns and without both ends; NULL: no memory. */
static int32_t *list_at(const dpc_replay *p, int node, int x, int y, int level, int *count)
{
    int32_t *list = dpc_alloc(3 * (int64_t)p->sets->n, sizeof *list);
    int all = list != NULL ? dpc_replay_list(p, node, x, y, level, list) : 0, kept = 0;
    for (int i = 0; i < all; i++)
        if (list[i] != x && list[i] != y)
            list[kept++] = dpc_column_of(&p->sets->labels, list[i]);
    if (list != NULL)
        dpc_sort_numbers(list, kept);
    *count = kept;
    return list;
}

/* The set that the record of a pair says, whether or not the pair is joined in the end. */
static void recorded_test(dpc_replay *p, int a, int b, dpc_pair_test *out)
{
    dpc_block_answer answer = {0};
    if (dpc_tell_separation(p->sets, p->problem.settings, &p->direct, a, b, &out->what,
                            out->members, &answer) != DPC_OK)
        p->failed = true;
    out->ess = p->problem.view.blocks != NULL ? dpc_answer_ess(&answer, out->what.n_obs)
                                              : out->what.n_obs - out->what.size - 3;
}

/* The first set of y's that one end finds, from level 1 on, into p->found. */
static bool find_from(dpc_replay *p, int x, int y)
{
    bool found = false;
    for (int level = 1; !found && level < dpc_result_levels(p->result); level++)
        found = dpc_replay_visit(p, x, y, level);
    return found;
}

static dpc_status explain_absence(dpc_replay *p, dpc_explanation *e, dpc_error *err)
{
    const dpc_labels *labels = &p->sets->labels;
    int a = dpc_label_of(labels, e->a), b = dpc_label_of(labels, e->b);
    recorded_test(p, e->a, e->b, &p->weakest);
    dpc_sepset *what = &p->weakest.what;
    if (what->kind == DPC_SEP_FULL_ORDER && isnan(what->r))
        dpc_replay_full_order(p, a, b, &p->weakest);
    correct(p, e->a, e->b, &p->weakest);
    e->by_pdsep = p->result->pdsep_level > 0 && what->level == p->result->pdsep_level;
    if (what->level > 0 && !e->by_pdsep) {
        bool from_a = what->from == e->a;
        int x = from_a ? a : b, y = from_a ? b : a;
        e->near_a = list_at(p, a, x, y, what->level, &e->n_near_a);
        e->near_b = list_at(p, b, x, y, what->level, &e->n_near_b);
        p->failed = p->failed || e->near_a == NULL || e->near_b == NULL;
        if (p->problem.settings->rule == DPC_RULE_AND && !p->failed) {
            take(p, e, &p->weakest, &e->test); /* the replay needs a place for those it passes */
            p->weakest.members = dpc_alloc(p->sets->n, sizeof(int32_t));
            p->failed = p->weakest.members == NULL;
            if (!p->failed && find_from(p, y, x)) {
                correct(p, e->a, e->b, &p->found);
                take(p, e, &p->found, &e->other);
            }
        }
    }
    if (e->test.members == NULL)
        take(p, e, &p->weakest, &e->test);
    return dpc_replay_status(p, err);
}

/* All tests that the pair has survived. */
static dpc_status explain_presence(dpc_replay *p, dpc_explanation *e, dpc_error *err)
{
    const dpc_labels *labels = &p->sets->labels;
    int a = dpc_label_of(labels, e->a), b = dpc_label_of(labels, e->b);
    dpc_replay_survived(p, e->a, e->b);
    correct(p, e->a, e->b, &p->weakest);
    take(p, e, &p->weakest, &e->test);
    if (p->problem.settings->rule == DPC_RULE_AND &&
        dpc_sepsets_find(p->sets, a, b).record != NULL) {
        recorded_test(p, e->a, e->b, &p->found);
        correct(p, e->a, e->b, &p->found);
        take(p, e, &p->found, &e->other);
    }
    return dpc_replay_status(p, err);
}

/* Has background knowledge decided on the pair? */
static dpc_known_kind decided(const dpc_constraints *known, const dpc_labels *labels,
                              const dpc_knowledge *k, int a, int b)
{
    int la = dpc_label_of(labels, a), lb = dpc_label_of(labels, b);
    if (la == lb)
        return DPC_KNOWN_NOTHING; /* copies of each other */
    if (dpc_required(known, la, lb))
        return DPC_KNOWN_REQUIRED;
    if (dpc_was_broken(known, la, lb))
        return DPC_KNOWN_CIRCLE;
    if (!dpc_forbidden(known, la, lb))
        return DPC_KNOWN_NOTHING;
    bool tiers = dpc_knowledge_why(k, a, b) == DPC_KNOWN_TIERS &&
                 dpc_knowledge_why(k, b, a) == DPC_KNOWN_TIERS;
    return tiers ? DPC_KNOWN_TIERS : DPC_KNOWN_FORBIDDEN;
}

static dpc_status explain_tests(const dpc_result *result, const dpc_settings *settings,
                                dpc_explanation *e, dpc_error *err)
{
    dpc_replay replay;
    dpc_crew crew; /* of one, to ask whether to go on */
    e->known =
        decided(result->sepsets->known, &result->sepsets->labels, settings->knowledge, e->a, e->b);
    if (e->known != DPC_KNOWN_NOTHING)
        return dpc_separating_set(result, e->a, e->b, &e->test.what, NULL, err);
    dpc_crew_init(&crew, settings, DPC_STAGE_ORIENT);
    crew.progress.fraction = 1;
    dpc_status status = dpc_replay_init(result, settings, &crew, 0, &replay, err);
    if (status == DPC_OK)
        status = e->tested == DPC_NONE ? explain_absence(&replay, e, err)
                                       : explain_presence(&replay, e, err);
    e->tests = replay.tests;
    e->all_tests = !replay.exhausted;
    dpc_replay_clear(&replay);
    return status;
}

/* ---- Neighbours ---- */

/* The neighbours of a node in the graph, without both ends; NULL: no memory. */
static int32_t *list_now(const dpc_graph *graph, int node, int other, int *count)
{
    int32_t *list = dpc_alloc(graph->n_nodes, sizeof *list);
    *count = 0;
    for (int64_t i = 0; list != NULL && i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        if ((edge->a == node || edge->b == node) && edge->a != other && edge->b != other)
            list[(*count)++] = edge->a + edge->b - node;
    }
    if (list != NULL)
        dpc_sort_numbers(list, *count);
    return list;
}

dpc_status dpc_explain_partial(const dpc_correlation *c, dpc_test test, int a, int b,
                               const int32_t *set, int k, dpc_joint *out, dpc_error *err)
{
    const dpc_labels columns = {0};
    const dpc_view view = dpc_view_of(c, &columns);
    dpc_direct direct = {.view = &view};
    dpc_status status = DPC_OK;
    *out = (dpc_joint){.r = NAN, .p = NAN, .n_obs = dpc_test_rows(&view, a, b, set, k)};
    if (view.blocks != NULL) {
        dpc_block_answer answer = {.r = NAN, .p = NAN};
        status = dpc_answer_primal(&direct, a, b, set, k, &answer);
        out->r = answer.r;
        out->p = answer.p;
        out->ess = dpc_answer_ess(&answer, out->n_obs);
    } else {
        status = dpc_delta_rows(c, a, b, set, k, out->n_obs, &out->n_obs);
    }
    if (view.blocks == NULL && status == DPC_OK && dpc_testable(out->n_obs, k)) {
        status = dpc_direct_r(&direct, a, b, set, k, &out->r);
        out->p = dpc_p_value(test, out->n_obs, k, out->r);
        out->ess = out->n_obs - k - 3;
    }
    out->has_sign = dpc_pair_has_sign(c, a, b);
    out->r = out->has_sign ? out->r : fabs(out->r);
    dpc_direct_clear(&direct);
    return dpc_fail_as(err, status, "an explanation");
}

dpc_status dpc_explain_strength(const dpc_correlation *c, int a, int b, const int32_t *set, int k,
                                dpc_interval *out, dpc_error *err)
{
    *out = (dpc_interval){NAN, NAN, NAN};
    dpc_joint partial;
    DPC_CHECK(dpc_explain_partial(c, DPC_EXACT_T, a, b, set, k, &partial, err));
    out->r = partial.r;
    if (!isnan(partial.r) && partial.has_sign) {
        double half = dpc_normal_from_tail(0.025) / sqrt((double)partial.ess);
        out->low = tanh(atanh(out->r) - half);
        out->high = tanh(atanh(out->r) + half);
    }
    return DPC_OK;
}

static dpc_status explain_neighbours(const dpc_graph *graph, const dpc_correlation *c,
                                     dpc_explanation *e, dpc_error *err)
{
    e->near_a = list_now(graph, e->a, e->b, &e->n_near_a);
    e->near_b = list_now(graph, e->b, e->a, &e->n_near_b);
    int32_t *set = dpc_alloc((int64_t)e->n_near_a + e->n_near_b, sizeof *set);
    dpc_interval strength = {NAN, NAN, NAN};
    dpc_status status = DPC_OK;
    if (e->near_a == NULL || e->near_b == NULL || set == NULL) {
        status = dpc_fail_memory(err, "an explanation");
    } else {
        e->order = dpc_unite(e->near_a, e->n_near_a, e->near_b, e->n_near_b, set);
        status = dpc_explain_strength(c, e->a, e->b, set, e->order, &strength, err);
    }
    if (status == DPC_OK) {
        e->r = strength.r;
        e->low = strength.low;
        e->high = strength.high;
    }
    free(set);
    return status;
}

/* ---- Tests of several columns ---- */

static dpc_status add_f_test(const dpc_result *result, const dpc_explanation *e,
                             const dpc_pair_test *test, dpc_f_test **out, dpc_error *err)
{
    if (test->members == NULL || isnan(test->what.p))
        return DPC_OK;
    bool primal = test->what.kind == DPC_SEP_MARGINAL || test->what.kind == DPC_SEP_PRIMAL;
    return dpc_f_test_given(result, e->a, e->b, test->members, test->what.size, primal, out, err);
}

/* ---- All of it ---- */

static dpc_status explain(const dpc_result *result, const dpc_settings *settings,
                          dpc_explanation *e, dpc_error *err)
{
    const dpc_labels columns = {0};
    dpc_status status = result->sepsets != NULL ? explain_tests(result, settings, e, err)
                                                : dpc_explain_score(result, e, err);
    if (status == DPC_OK && result->sepsets != NULL)
        status = add_f_test(result, e, &e->test, &e->test_f, err);
    if (status == DPC_OK && result->sepsets != NULL)
        status = add_f_test(result, e, &e->other, &e->other_f, err);
    if (result->sepsets == NULL)
        e->known = decided(result->known, &columns, settings->knowledge, e->a, e->b);
    if (status == DPC_OK && e->mark != DPC_NONE)
        status = explain_neighbours(&result->found.graph, result->correlation, e, err);
    if (status == DPC_OK && settings->latent != DPC_HIDDEN_NONE)
        return dpc_explain_pag(result, settings, e, err);
    dpc_mark found = dpc_graph_mark(dpc_result_class(result), e->a, e->b);
    if (status != DPC_OK || found == DPC_NONE || found == DPC_UNDIRECTED)
        return status;
    int from = found == DPC_FORWARD ? e->a : e->b, to = e->a + e->b - from;
    e->evidence = dpc_evidence_of(
        dpc_find_provenance(result->found.provenance, result->found.n_provenance, from, to));
    return dpc_reasons(result, settings, from, to, &e->reasons, &e->n_reasons, err);
}

dpc_status dpc_explain(const dpc_result *result, int a, int b, dpc_progress_fn progress,
                       void *progress_user, dpc_explanation **out, dpc_error *err)
{
    dpc_settings settings = result->settings;
    settings.progress = progress;
    settings.progress_user = progress_user;
    DPC_CHECK(dpc_result_check_pair(result, a, b, err));
    dpc_explanation *e = dpc_zalloc(1, sizeof *e);
    if (e == NULL)
        return dpc_fail_memory(err, "an explanation");
    *e = (dpc_explanation){.a = a, .b = b, .all_tests = true};
    e->mark = dpc_graph_mark(&result->found.graph, a, b);
    e->test.what = e->other.what = dpc_no_test();
    e->tested = dpc_graph_mark(dpc_result_tested(result), a, b);
    e->r = e->low = e->high = e->gain = e->evidence = NAN;
    e->lost = (dpc_score_lost){NAN, NAN, NAN, NAN};
    dpc_status status = explain(result, &settings, e, err);
    if (status == DPC_OK)
        *out = e;
    else
        dpc_explanation_free(e);
    return status;
}
