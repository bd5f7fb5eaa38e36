/*
 * The tests of one pair made again: see replay.h.
 *
 * Which tests a visit makes is the search's own plan (plan.h), and the order is its order: given
 * all of S; then for each subset K of S the test given K and the one given S \ K. Every test is a
 * factor of its own (dpc_partial_correlation). Tests that the search knew from an earlier level are
 * made too: it is the same set, and so the same answer. Whether the neighbourhood has an inverse is
 * asked of the same matrix as in the search.
 */
#include "replay.h"

#include "error.h"
#include "linalg.h"
#include "memory.h"
#include "settings.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

static const int64_t MOST_TESTS = 10000000;
static const double MOST_WORK = 3e10; /* operations */

dpc_status dpc_replay_init(const dpc_result *result, const dpc_settings *settings, dpc_replay *out,
                           dpc_error *err)
{
    const dpc_correlation *correlation = result->correlation;
    const dpc_sepset none = {.kind = DPC_SEP_NONE, .from = -1, .r = NAN, .p = NAN};
    int n = correlation->n_vars;
    *out = (dpc_replay){
        .result = result,
        .problem = {.view = dpc_view_of(correlation, &result->sepsets->labels),
                    .settings = settings,
                    .known = result->sepsets->known,
                    .dual = settings->method == DPC_DUAL},
        .sets = result->sepsets,
        .most_tests = MOST_TESTS,
        .list = dpc_alloc(3 * (int64_t)n, sizeof *out->list),
        .rest = dpc_alloc(n, sizeof *out->rest),
        .place = dpc_alloc(n, sizeof *out->place),
        .set = dpc_alloc(n, sizeof *out->set),
        .weakest = {.what = none, .members = dpc_alloc(n, sizeof *out->weakest.members)},
        .found = {.what = none, .members = dpc_alloc(n, sizeof *out->found.members)},
    };
    dpc_crew_init(&out->crew, settings, DPC_STAGE_ORIENT);
    out->crew.progress.fraction = 1;
    dpc_status status =
        dpc_critical_init(settings, correlation->n_obs, n, &out->problem.critical, err);
    if (status == DPC_OK && (!out->list || !out->rest || !out->place || !out->set ||
                             !out->weakest.members || !out->found.members))
        status = dpc_fail_memory(err, "an explanation");
    return status;
}

void dpc_replay_clear(dpc_replay *p)
{
    dpc_critical_clear(&p->problem.critical);
    free(p->list);
    free(p->rest);
    free(p->place);
    free(p->set);
    free(p->scratch);
    free(p->weakest.members);
    free(p->found.members);
    *p = (dpc_replay){0};
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
    p->exhausted = p->exhausted || p->work > MOST_WORK || p->tests >= p->most_tests;
    int64_t look = (int64_t)(p->work / 1e6);
    if (look != p->last_look) {
        p->last_look = look;
        atomic_store_explicit(&p->crew.tests, p->tests, memory_order_relaxed);
        p->stopped = p->stopped || dpc_crew_stopped(&p->crew, 0);
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

/* The verdict on r given the p->set of that size; true: it separates. A NaN is no test. */
static bool judge(dpc_replay *p, dpc_sep_kind kind, int level, int from, int size, double r)
{
    bool primal = kind == DPC_SEP_MARGINAL || kind == DPC_SEP_PRIMAL;
    double critical = (primal ? p->problem.critical.primal : p->problem.critical.dual)[size];
    if (isnan(r) || isnan(critical))
        return false;
    int64_t n_obs = p->problem.view.n_obs;
    dpc_pair_test test = {
        .what = {kind, level, from, size, r,
                 dpc_p_value(p->problem.settings->test, n_obs, size, r)},
        .members = p->set,
        .ess = n_obs - size - 3,
    };
    p->tests++;
    if (fabs(r) <= critical)
        keep(&p->found, &test);
    else if (weaker(&test, &p->weakest))
        keep(&p->weakest, &test);
    return fabs(r) <= critical;
}

/* One visit. */
typedef struct visit {
    int x, y; /* columns */
    int level, s;
} visit;

static bool test_given(dpc_replay *p, const visit *v, dpc_sep_kind kind, int size)
{
    if (!may_go_on(p, size + 2) || !reserve(p, (int64_t)size + 2))
        return false;
    double r = dpc_partial_correlation(p->problem.view.r, p->problem.view.n, v->x, v->y, p->set,
                                       size, DPC_SINGULAR, p->scratch);
    return judge(p, kind, v->level, v->x, size, r);
}

/* ---- Level 0 ---- */

static bool gather(dpc_replay *p, const int32_t *variable, int order)
{
    if (!reserve(p, order))
        return false;
    dpc_gather(&p->problem.view, variable, order, p->scratch);
    return true;
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

double dpc_replay_full_order(dpc_replay *p, int x, int y)
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
    if (!dpc_dual_allowed(p->problem.settings, p->problem.view.n_obs, size))
        return NAN;
    p->rest[size] = dpc_column_of(&p->sets->labels, x);
    p->rest[size + 1] = dpc_column_of(&p->sets->labels, y);
    if (!gather(p, p->rest, size + 2) ||
        !dpc_inverse_factor(p->scratch, size + 2, &least, &p->crew, 0))
        return NAN;
    return -p->scratch[(int64_t)size * (size + 2) + size + 1]; /* the last row of F */
}

bool dpc_replay_level_0(dpc_replay *p, int x, int y)
{
    if (dpc_always(p->problem.known, x, y))
        return false;
    if (judge(p, DPC_SEP_MARGINAL, 0, -1, 0, dpc_r(&p->problem.view, x, y)))
        return true;
    double r = dpc_replay_full_order(p, x, y);
    int size = list_others(p, x, y);
    memcpy(p->set, p->rest, (size_t)size * sizeof *p->set);
    return judge(p, DPC_SEP_FULL_ORDER, 0, -1, size, r);
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
    return gather(p, p->set, degree + 1) &&
           dpc_inverse_factor(p->scratch, degree + 1, &least, &p->crew, 0);
}

/* All tests of the level, also those that the search knew the answers of. */
static dpc_plan plan_visit(dpc_replay *p, int degree, int x, int level)
{
    dpc_plan plan = dpc_plan_visit(&p->problem, degree, level, level, false);
    bool inverts = plan.full || (plan.complement && plan.complement_kind == DPC_SEP_DUAL);
    if (inverts && !inverse_exists(p, degree, x))
        plan = dpc_plan_visit(&p->problem, degree, level, level, true);
    return plan;
}

/* Puts the subset, or what it leaves of S, into p->set; returns its size. */
static int choose(dpc_replay *p, int s, int m, bool complement)
{
    int size = 0;
    for (int i = 0, k = 0; i < s; i++) {
        bool inside = k < m && p->place[k] == i;
        k += inside;
        if (inside != complement)
            p->set[size++] = p->rest[i];
    }
    return size;
}

/* The next subset of m places of s; false after the last. */
static bool next_subset(int32_t *place, int m, int s)
{
    int i = m - 1;
    while (i >= 0 && place[i] == s - m + i)
        i--;
    if (i < 0)
        return false;
    place[i]++;
    for (int j = i + 1; j < m; j++)
        place[j] = place[j - 1] + 1;
    return true;
}

/* All subsets K of S: the test given K and the one given what K leaves, as far as planned. */
static bool test_subsets(dpc_replay *p, const visit *v, const dpc_plan *plan)
{
    dpc_sep_kind kind = plan->complement_kind == DPC_SEP_DUAL ? DPC_SEP_DUAL : DPC_SEP_PRIMAL;
    int m = plan->m;
    for (int i = 0; i < m; i++)
        p->place[i] = i;
    do {
        if ((plan->subset && test_given(p, v, DPC_SEP_PRIMAL, choose(p, v->s, m, false))) ||
            (plan->complement && test_given(p, v, kind, choose(p, v->s, m, true))))
            return true;
    } while (!p->exhausted && !p->stopped && !p->failed && next_subset(p->place, m, v->s));
    return false;
}

bool dpc_replay_visit(dpc_replay *p, int x, int y, int level)
{
    const dpc_labels *labels = &p->sets->labels;
    int degree = dpc_replay_list(p, x, x, y, level, p->list), s = 0;
    for (int i = 0; i < degree; i++)
        if (p->list[i] != y)
            p->rest[s++] = dpc_column_of(labels, p->list[i]);
    if (s == degree || s < level || dpc_always(p->problem.known, x, y))
        return false;
    visit v = {dpc_column_of(labels, x), dpc_column_of(labels, y), level, s};
    dpc_plan plan = plan_visit(p, degree, x, level);
    return (plan.full && test_given(p, &v, DPC_SEP_FULL_S, choose(p, s, 0, true))) ||
           ((plan.subset || plan.complement) && test_subsets(p, &v, &plan));
}
