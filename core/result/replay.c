/*
 * The tests of one pair made again: see replay.h.
 *
 * Which tests a visit makes is the search's own plan (plan.h), and the order is its order: given
 * all of S; then for each subset K of S the test given K and the one given S \ K. Every test that
 * matters is a factor of its own (dpc_partial_correlation). Of those given S \ K most do not: with
 * P the inverse of R over S, x and y, scaled to unit diagonal, r given S \ K is minus the partial
 * correlation of x and y given K in P, and what that puts far behind the closest call so far is
 * only counted. Tests that the search knew from an earlier level are
 * made too: it is the same set, and so the same answer. Whether the neighbourhood has an inverse is
 * asked of the same matrix as in the search.
 *
 * Where variables are blocks of columns, all tests are made by the direct way (block_answer.h).
 */
#include "replay.h"

#include "alloc.h"
#include "linalg.h"
#include "settings.h"
#include "sorted.h"
#include "status.h"
#include "subsets.h"

#include <math.h>
#include <string.h>

static const int64_t MOST_TESTS = 10000000;
static const double MOST_WORK = 3e10; /* operations */

dpc_status dpc_replay_init(const dpc_result *result, const dpc_settings *settings, dpc_crew *crew,
                           int worker, dpc_replay *out, dpc_error *err)
{
    const dpc_correlation *correlation = result->correlation;
    int n = correlation->n_vars;
    *out = (dpc_replay){
        .result = result,
        .problem = {.view = dpc_view_of(correlation, &result->sepsets->labels),
                    .settings = settings,
                    .known = result->sepsets->known,
                    .alike = result->sepsets->alike,
                    .tally = dpc_zalloc(n, sizeof *out->problem.tally),
                    .dual = settings->method == DPC_DUAL},
        .crew = crew,
        .worker = worker,
        .sets = result->sepsets,
        .most_tests = MOST_TESTS,
        .most_work = MOST_WORK,
        .list = dpc_alloc(3 * (int64_t)n, sizeof *out->list),
        .rest = dpc_alloc(n, sizeof *out->rest),
        .place = dpc_alloc(n, sizeof *out->place),
        .called = dpc_alloc(2 * (int64_t)n, sizeof *out->called),
        .set = dpc_alloc(n, sizeof *out->set),
        .weakest = {.what = dpc_no_test(), .members = dpc_alloc(n, sizeof *out->weakest.members)},
        .found = {.what = dpc_no_test(), .members = dpc_alloc(n, sizeof *out->found.members)},
    };
    dpc_status status =
        dpc_critical_init(settings, correlation->n_obs, n, &out->problem.critical, err);
    if (status == DPC_OK &&
        (!out->problem.tally || !out->list || !out->rest || !out->place || !out->set ||
         !out->called || !out->weakest.members || !out->found.members))
        status = dpc_fail_memory(err, "an explanation");
    out->direct.view = &out->problem.view;
    return status;
}

void dpc_replay_clear(dpc_replay *p)
{
    dpc_critical_clear(&p->problem.critical);
    free(p->problem.tally);
    free(p->list);
    free(p->rest);
    free(p->place);
    free(p->called);
    dpc_patch_clear(&p->patch);
    dpc_direct_clear(&p->direct);
    free(p->set);
    free(p->scratch);
    free(p->inverse);
    free(p->weakest.members);
    free(p->found.members);
    *p = (dpc_replay){0};
}

void dpc_replay_reset(dpc_replay *p)
{
    p->weakest.what = p->found.what = dpc_no_test();
    p->tests = p->last_look = 0;
    p->work = 0;
    p->exhausted = false;
}

dpc_status dpc_replay_status(const dpc_replay *p, dpc_error *err)
{
    if (p->failed)
        return dpc_fail_memory(err, "an explanation");
    return p->stopped ? dpc_fail(err, DPC_INTERRUPTED, "interrupted") : DPC_OK;
}

/* Room for a matrix of that order; false: no memory. */
static bool reserve(dpc_replay *p, int64_t order)
{
    if (order * order <= p->room)
        return true;
    free(p->scratch);
    p->scratch = dpc_alloc_aligned(order * order);
    p->room = p->scratch != NULL ? order * order : 0;
    p->failed = p->failed || p->scratch == NULL;
    return p->scratch != NULL;
}

/* Asks now and then whether to go on; `order` is that of the next factor. */
static bool may_go_on(dpc_replay *p, double order)
{
    p->work += order * order * order / 6 + 20;
    p->exhausted = p->exhausted || p->work > p->most_work || p->tests >= p->most_tests;
    int64_t look = (int64_t)(p->work / 1e6);
    if (look != p->last_look) {
        p->last_look = look;
        atomic_store_explicit(&p->crew->tests, p->tests, memory_order_relaxed);
        p->stopped = p->stopped || dpc_crew_stopped(p->crew, p->worker);
    }
    return !p->exhausted && !p->stopped && !p->failed;
}

/* ---- One test ---- */

/* Does it look more like independence? Where both p are the same, as all tiny ones are, by z. */
static bool weaker(const dpc_pair_test *a, const dpc_pair_test *b)
{
    if (b->what.kind == DPC_SEP_NONE || a->what.p != b->what.p)
        return b->what.kind == DPC_SEP_NONE || a->what.p > b->what.p;
    return sqrt((double)a->ess) * atanh(fabs(a->what.r)) <
           sqrt((double)b->ess) * atanh(fabs(b->what.r));
}

static void keep(dpc_pair_test *place, const dpc_pair_test *test)
{
    int32_t *members = place->members;
    if (test->what.size > 0)
        memcpy(members, test->members, (size_t)test->what.size * sizeof *members);
    *place = *test;
    place->members = members;
    dpc_sort_numbers(members, test->what.size);
}

/* One test: of which kind, at which level and from which end, with which N; its set is p->set. */
typedef struct asked {
    dpc_sep_kind kind;
    int level, from, size;
    int64_t n_obs;
} asked;

/* Its critical value; NaN: it is not made. */
static double critical_of(const dpc_replay *p, const asked *t)
{
    bool primal = t->kind == DPC_SEP_MARGINAL || t->kind == DPC_SEP_PRIMAL;
    if (!primal && !dpc_dual_allowed(p->problem.settings, t->n_obs, t->size))
        return NAN;
    return dpc_critical_at(&p->problem.critical, !primal, t->n_obs, t->size);
}

/* The verdict on r; true: it separates. A NaN is no test. */
static bool judge(dpc_replay *p, const asked *t, double r)
{
    double critical = critical_of(p, t);
    if (isnan(r) || isnan(critical))
        return false;
    dpc_pair_test test = {
        .what = {t->kind, t->level, t->from, t->size, r,
                 dpc_p_value(p->problem.settings->test, t->n_obs, t->size, r), t->n_obs},
        .members = p->set,
        .ess = t->n_obs - t->size - 3,
    };
    p->tests++;
    if (fabs(r) <= critical)
        keep(&p->found, &test);
    else if (weaker(&test, &p->weakest))
        keep(&p->weakest, &test);
    return fabs(r) <= critical;
}

/* ---- The same of blocks ---- */

static bool is_primal(dpc_sep_kind kind)
{
    return kind == DPC_SEP_MARGINAL || kind == DPC_SEP_PRIMAL;
}

static int64_t count_columns(const dpc_blocks *blocks, const int32_t *set, int size)
{
    int64_t columns = 0;
    for (int i = 0; i < size; i++)
        columns += dpc_block_width(blocks, set[i]);
    return columns;
}

/* The verdict on a test of blocks; true: it separates. */
static bool judge_blocks(dpc_replay *p, const asked *t, const dpc_block_answer *answer)
{
    const dpc_settings *settings = p->problem.settings;
    if (isnan(answer->p))
        return false;
    dpc_pair_test test = {
        .what = {t->kind, t->level, t->from, t->size, answer->r, answer->p, t->n_obs},
        .members = p->set,
        .ess = dpc_answer_ess(answer, t->n_obs),
    };
    bool separates = answer->p > (is_primal(t->kind) ? settings->alpha : settings->alpha_dual);
    const dpc_sepset *so_far = &p->weakest.what;
    p->tests++;
    if (separates) {
        keep(&p->found, &test);
    } else if (so_far->kind == DPC_SEP_NONE || answer->p > so_far->p ||
               (answer->p == so_far->p && answer->z < p->weakest_z)) {
        keep(&p->weakest, &test);
        p->weakest_z = answer->z;
    }
    return separates;
}

/* Of a and b given p->set; true: it separates. By its columns it may not be one that is made. */
static bool test_blocks(dpc_replay *p, int a, int b, const asked *t)
{
    const dpc_blocks *blocks = p->problem.view.blocks;
    int width_a = dpc_block_width(blocks, a), width_b = dpc_block_width(blocks, b);
    int64_t columns = count_columns(blocks, p->set, t->size);
    dpc_block_answer answer;
    bool primal = is_primal(t->kind),
         counts = primal && dpc_g2_applies(blocks, a, b, p->set, t->size);
    if ((t->size > 0 && !counts &&
         !dpc_wilks_allowed(t->n_obs, width_a, width_b, columns,
                            primal ? 0 : p->problem.settings->min_ess)) ||
        !may_go_on(p, (double)columns + width_a + width_b))
        return false;
    if ((primal ? dpc_answer_primal(&p->direct, a, b, p->set, t->size, &answer)
                : dpc_answer_given(&p->direct, a, b, p->set, t->size, p->problem.settings->min_ess,
                                   &answer)) != DPC_OK)
        return !(p->failed = true);
    return judge_blocks(p, t, &answer);
}

/* One visit. */
typedef struct visit {
    int x, y; /* columns */
    int level, s;
    bool screened; /* p->inverse is that of S, x and y, in this order */
    dpc_view view; /* of R, or of its patch over the same, which it calls p->called */
} visit;

static bool test_given(dpc_replay *p, const visit *v, dpc_sep_kind kind, int size)
{
    const dpc_view *view = &p->problem.view;
    const int32_t *chosen = p->called + p->sets->n;
    asked test = {kind, v->level, v->x, size, dpc_test_rows(view, v->x, v->y, p->set, size)};
    if (view->blocks != NULL)
        return test_blocks(p, v->x, v->y, &test);
    if (!may_go_on(p, size + 2) || !reserve(p, (int64_t)size + 2))
        return false;
    double r = dpc_partial_correlation(v->view.r, v->view.n, p->called[v->s], p->called[v->s + 1],
                                       chosen, size, DPC_SINGULAR, p->scratch);
    return judge(p, &test, r);
}

/* Puts one of S into p->set, and what the view calls it behind. */
static void choose_one(dpc_replay *p, int place, int *size)
{
    p->called[p->sets->n + *size] = p->called[place];
    p->set[(*size)++] = p->rest[place];
}

/* Puts the subset, or what it leaves of S, into p->set; returns its size. */
static int choose(dpc_replay *p, int s, int m, bool complement)
{
    int size = 0;
    for (int k = 0; k < m && !complement; k++)
        choose_one(p, p->place[k], &size);
    for (int i = 0, k = 0; i < s && complement; i++) {
        bool inside = k < m && p->place[k] == i;
        k += inside;
        if (!inside)
            choose_one(p, i, &size);
    }
    return size;
}

/* S, x and y as the view of the visit calls them; false: no memory. */
static bool open_view(dpc_replay *p, visit *v)
{
    memcpy(p->called, p->rest, (size_t)v->s * sizeof *p->called);
    p->called[v->s] = v->x;
    p->called[v->s + 1] = v->y;
    if (dpc_patch_reserve(&p->patch, &p->problem.view, (int64_t)v->s + 2) != DPC_OK)
        return !(p->failed = true);
    v->view = dpc_patch_over(&p->patch, &p->problem.view, p->called, v->s + 2);
    return true;
}

/* What the inverse says differs by less than this from r, where it is used. */
static const double SCREEN_ERROR = 1e-7, SCREEN_SAFE = 1e-6;

/* Makes the inverse for tests given S \ K, where it pays. */
static bool screen_visit(dpc_replay *p, const visit *v, const dpc_plan *plan)
{
    int64_t order = (int64_t)v->s + 2;
    double least;
    if (p->problem.view.blocks != NULL || !plan->complement || v->s - plan->m <= plan->m ||
        !may_go_on(p, 2. * (double)order))
        return false;
    if (order * order > p->inverse_room) {
        free(p->inverse);
        p->inverse = dpc_alloc_aligned(order * order);
        p->inverse_room = p->inverse != NULL ? order * order : 0;
        p->failed = p->failed || p->inverse == NULL;
    }
    if (p->failed)
        return false;
    memcpy(p->set, p->rest, (size_t)v->s * sizeof *p->set);
    p->set[v->s] = v->x;
    p->set[v->s + 1] = v->y;
    dpc_gather(&p->problem.view, p->set, order, p->inverse);
    return dpc_scaled_inverse(p->inverse, (int)order, &least, p->crew, p->worker) &&
           least > SCREEN_SAFE;
}

/* Is the test given S \ K, which is p->set, surely no closer call than the closest so far? */
static bool is_far(dpc_replay *p, const visit *v, const dpc_plan *plan, const asked *t)
{
    int m = plan->m, order = v->s + 2;
    double critical = critical_of(p, t);
    if (!v->screened || p->weakest.what.kind == DPC_SEP_NONE || !reserve(p, (int64_t)m + 2))
        return false;
    double r =
        dpc_partial_correlation(p->inverse, order, v->s, v->s + 1, p->place, m, 0, p->scratch);
    double least = fabs(r) - SCREEN_ERROR;
    return least > critical &&
           dpc_p_value(p->problem.settings->test, t->n_obs, t->size, least) < p->weakest.what.p;
}

/* The test given S \ K; true: it separates. */
static bool test_complement(dpc_replay *p, const visit *v, const dpc_plan *plan)
{
    dpc_sep_kind kind = plan->complement_kind == DPC_SEP_DUAL ? DPC_SEP_DUAL : DPC_SEP_PRIMAL;
    int size = choose(p, v->s, plan->m, true);
    asked test = {kind, v->level, v->x, size,
                  dpc_test_rows(&p->problem.view, v->x, v->y, p->set, size)};
    if (v->screened && (!may_go_on(p, plan->m + 2) || is_far(p, v, plan, &test))) {
        p->tests++;
        return false;
    }
    return test_given(p, v, kind, size);
}

/* ---- Level 0 ---- */

static bool gather(dpc_replay *p, const int32_t *variable, int order)
{
    if (!reserve(p, order))
        return false;
    dpc_gather(&p->problem.view, variable, order, p->scratch);
    return true;
}

/* R over the columns of some variables, whole; returns how many columns, or -1: no memory. */
static int gather_blocks(dpc_replay *p, const int32_t *variable, int count)
{
    const dpc_blocks *b = p->problem.view.blocks;
    int64_t order = count_columns(b, variable, count);
    if (!reserve(p, order))
        return -1;
    double *to = p->scratch;
    for (int i = 0; i < count; i++)
        for (int c = b->first[variable[i]]; c < b->first[variable[i] + 1]; c++)
            for (int j = 0; j < count; j++) {
                int width = dpc_block_width(b, variable[j]);
                memcpy(to, b->r + (int64_t)c * b->m + b->first[variable[j]],
                       (size_t)width * sizeof *to);
                to += width;
            }
    return (int)order;
}

/* The others that sets of the pair may hold, as columns into p->rest; returns how many. */
static int list_others(dpc_replay *p, int x, int y)
{
    int count = 0;
    for (int v = 0; v < p->sets->n; v++)
        if (v != x && v != y && dpc_allowed(p->problem.known, x, y, v))
            p->rest[count++] = dpc_column_of(&p->sets->labels, v);
    return count;
}

/* N of the full-order test; where none was made, any. */
static int64_t full_rows(const dpc_replay *p, int x, int y)
{
    const dpc_sepsets *sets = p->sets;
    return sets->full_rows != NULL ? sets->full_rows[dpc_limit(p->problem.known, x, y)]
                                   : p->problem.view.n_obs;
}

/* r of the full-order test of single columns. */
static double full_order_r(dpc_replay *p, int x, int y)
{
    int n = p->sets->n, size;
    double least;
    if (p->sets->full_order == NULL)
        return NAN;
    if (p->sets->precision != NULL)
        return -p->sets->precision[(int64_t)x * n + y];
    if (p->problem.settings->keep_separating_sets) /* it would be there */
        return NAN;
    size = list_others(p, x, y);
    if (!dpc_dual_allowed(p->problem.settings, full_rows(p, x, y), size))
        return NAN;
    p->rest[size] = dpc_column_of(&p->sets->labels, x);
    p->rest[size + 1] = dpc_column_of(&p->sets->labels, y);
    if (!gather(p, p->rest, size + 2) ||
        !dpc_inverse_factor(p->scratch, size + 2, &least, p->crew, p->worker))
        return NAN;
    return -p->scratch[(int64_t)size * (size + 2) + size + 1]; /* the last row of F */
}

/* The full-order test of blocks; its p is NaN where it was not made. The set is p->set. */
static dpc_block_answer full_order_answer(dpc_replay *p, int x, int y, int *size)
{
    dpc_block_answer answer = {.p = NAN, .r = NAN};
    const dpc_labels *labels = &p->sets->labels;
    *size = list_others(p, x, y);
    memcpy(p->set, p->rest, (size_t)*size * sizeof *p->set);
    if (p->sets->full_order == NULL ||
        !may_go_on(p, p->sets->precision != NULL ? 1 : p->problem.view.blocks->m))
        return answer;
    if (dpc_answer_of_rest(p->sets, &p->direct, dpc_column_of(labels, x), dpc_column_of(labels, y),
                           p->set, *size, p->problem.settings->min_ess, &answer) != DPC_OK) {
        p->failed = true;
        answer.p = NAN;
    }
    return answer;
}

void dpc_replay_full_order(dpc_replay *p, int x, int y, dpc_pair_test *test)
{
    dpc_sepset *what = &test->what;
    int size;
    if (p->problem.view.blocks == NULL) {
        what->r = full_order_r(p, x, y);
        what->p = dpc_p_value(p->problem.settings->test, what->n_obs, what->size, what->r);
        return;
    }
    dpc_block_answer answer = full_order_answer(p, x, y, &size);
    what->r = answer.r;
    what->p = answer.p;
    test->ess = dpc_answer_ess(&answer, what->n_obs);
}

/* Level 0 of blocks. */
static bool block_level_0(dpc_replay *p, int x, int y)
{
    const dpc_labels *labels = &p->sets->labels;
    int64_t n_obs = p->problem.view.n_obs;
    int size;
    if (test_blocks(p, dpc_column_of(labels, x), dpc_column_of(labels, y),
                    &(asked){DPC_SEP_MARGINAL, 0, -1, 0, n_obs}))
        return true;
    dpc_block_answer answer = full_order_answer(p, x, y, &size);
    return judge_blocks(p, &(asked){DPC_SEP_FULL_ORDER, 0, -1, size, n_obs}, &answer);
}

bool dpc_replay_level_0(dpc_replay *p, int x, int y)
{
    if (dpc_required(p->problem.known, x, y))
        return false;
    const dpc_view *view = &p->problem.view;
    if (view->blocks != NULL)
        return block_level_0(p, x, y);
    const dpc_labels *labels = view->labels;
    int64_t n_obs =
        dpc_test_rows(view, dpc_column_of(labels, x), dpc_column_of(labels, y), NULL, 0);
    if (judge(p, &(asked){DPC_SEP_MARGINAL, 0, -1, 0, n_obs}, dpc_r(view, x, y)))
        return true;
    double r = full_order_r(p, x, y);
    int size = list_others(p, x, y);
    memcpy(p->set, p->rest, (size_t)size * sizeof *p->set);
    return judge(p, &(asked){DPC_SEP_FULL_ORDER, 0, -1, size, full_rows(p, x, y)}, r);
}

/* ---- A visit ---- */

/* Have the neighbours of x in p->list, and x, an inverse? */
static bool inverse_exists(dpc_replay *p, int degree, int x)
{
    double least;
    if (!may_go_on(p, 2. * degree))
        return false;
    for (int i = 0; i < degree; i++) /* in the order of the search */
        p->set[i] = dpc_column_of(&p->sets->labels, p->list[i]);
    p->set[degree] = dpc_column_of(&p->sets->labels, x);
    if (p->problem.view.blocks != NULL) {
        int order = gather_blocks(p, p->set, degree + 1);
        return order >= 0 && dpc_scaled_inverse(p->scratch, order, &least, p->crew, p->worker);
    }
    return gather(p, p->set, degree + 1) &&
           dpc_inverse_factor(p->scratch, degree + 1, &least, p->crew, p->worker);
}

/* The same, asked once for all pairs of x at the level where its list is the same for them. */
static bool inverse_known(dpc_replay *p, int degree, int x, int level)
{
    bool same = p->sets->batches[level - 1].graph != NULL && !dpc_has_tiers(p->problem.known);
    if (p->inverses == NULL || !same)
        return inverse_exists(p, degree, x);
    atomic_uchar *known = &p->inverses[(int64_t)(level - 1) * p->sets->n + x];
    unsigned char answer = atomic_load_explicit(known, memory_order_relaxed);
    if (answer == 0) {
        answer = inverse_exists(p, degree, x) ? 2 : 1;
        if (!p->exhausted && !p->stopped && !p->failed)
            atomic_store_explicit(known, answer, memory_order_relaxed);
    }
    return answer == 2;
}

/* All tests of the level, also those that the search knew the answers of. */
static dpc_plan plan_visit(dpc_replay *p, int degree, int x, int level)
{
    dpc_row_counts rows = dpc_rows_among(&p->problem.view, x, p->list, degree);
    dpc_alike alike = dpc_count_alike(&p->problem, x, p->list, degree);
    dpc_plan plan = dpc_plan_visit(&p->problem, rows, degree, level, level, 0, alike);
    bool inverts = plan.full || (plan.complement && plan.complement_kind == DPC_SEP_DUAL);
    if ((inverts || (plan.many && plan.complement)) && !inverse_known(p, degree, x, level))
        plan = dpc_plan_visit(&p->problem, rows, degree, level, level,
                              DPC_NO_INVERSE | DPC_LEFT_OUT, alike);
    return plan;
}

/* All subsets K of S: the test given K and the one given what K leaves, as far as planned. */
static bool test_subsets(dpc_replay *p, visit *v, const dpc_plan *plan)
{
    int m = plan->m;
    v->screened = screen_visit(p, v, plan);
    dpc_first_subset(p->place, m);
    do {
        if ((plan->subset && test_given(p, v, DPC_SEP_PRIMAL, choose(p, v->s, m, false))) ||
            (plan->complement && test_complement(p, v, plan)))
            return true;
    } while (!p->exhausted && !p->stopped && !p->failed && dpc_next_subset(p->place, m, v->s));
    return false;
}

bool dpc_replay_visit(dpc_replay *p, int x, int y, int level)
{
    const dpc_labels *labels = &p->sets->labels;
    int degree = dpc_replay_list(p, x, x, y, level, p->list), s = 0;
    for (int i = 0; i < degree; i++)
        if (p->list[i] != y)
            p->rest[s++] = dpc_column_of(labels, p->list[i]);
    if (s == degree || s < level || dpc_required(p->problem.known, x, y))
        return false;
    visit v = {dpc_column_of(labels, x), dpc_column_of(labels, y), level, s, .screened = false};
    dpc_plan plan = plan_visit(p, degree, x, level);
    if (!open_view(p, &v))
        return false;
    return (plan.full && test_given(p, &v, DPC_SEP_FULL_S, choose(p, s, 0, true))) ||
           ((plan.subset || plan.complement) && test_subsets(p, &v, &plan));
}

/* With the AND rule an end that has dropped the other makes no more tests. */
static void replay_survived(dpc_replay *p, int x, int y)
{
    bool gone_x = false, gone_y = false;
    bool and_rule = p->problem.settings->rule == DPC_RULE_AND;
    dpc_replay_level_0(p, x, y);
    for (int level = 1; level < dpc_result_levels(p->result) && !p->exhausted; level++) {
        if (!gone_x)
            gone_x = dpc_replay_visit(p, x, y, level) && and_rule;
        if (!gone_y)
            gone_y = dpc_replay_visit(p, y, x, level) && and_rule;
    }
}

void dpc_replay_survived(dpc_replay *p, int a, int b)
{
    const dpc_view *view = &p->problem.view;
    int x = dpc_label_of(view->labels, a), y = dpc_label_of(view->labels, b);
    if (x != y)
        replay_survived(p, x < y ? x : y, x < y ? y : x);
    else
        judge(p, &(asked){DPC_SEP_MARGINAL, 0, -1, 0, dpc_test_rows(view, a, b, NULL, 0)},
              dpc_r_at(view, a, b));
}
