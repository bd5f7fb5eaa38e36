/*
 * A visit to one node at one level: which tests it needs, the memory for them, and what all its
 * pairs share.
 *
 * Node x with neighbours A; for a target y ∈ A, S = A \ {y}. The matrix over {x, y} ∪ S is the
 * same for every y: U = R over A ∪ {x}. So one Cholesky factor serves all pairs of x: from it a
 * factor F of the scaled inverse T = FᵀF, whose last row are the full-S partial correlations. The
 * tests given subsets are in subsets.c.
 */
#include "visit.h"

#include "linalg.h"
#include "memory.h"
#include "sepset.h"
#include "workspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PAD = 8 }; /* columns are padded to whole vectors */

/* ---- Which tests ---- */

dpc_plan dpc_plan_visit(const dpc_problem *problem, int degree, int level, int since, bool refused)
{
    const dpc_settings *settings = problem->settings;
    const dpc_critical *critical = &problem->critical;
    int64_t n_obs = problem->view.n_obs;
    int s = degree - 1;
    dpc_plan plan = {0};
    if (s < level)
        return plan;
    if (!problem->dual) {
        plan.m = level;
        plan.subset = true;
        return plan;
    }
    plan.too_large = s + 2 >= n_obs;
    /* What this very neighbourhood was asked at an earlier level is not asked again. */
    plan.full = level == since && dpc_dual_allowed(settings, n_obs, s);
    if (level == s)
        return plan;
    if (2 * level <= s) {
        plan.m = level;
        plan.subset = true;
        plan.complement = 2 * level < s && dpc_dual_allowed(settings, n_obs, s - level) &&
                          !plan.too_large && !refused;
        plan.complement_size = s - level;
        plan.complement_kind = DPC_SEP_DUAL;
        plan.complement_critical = critical->dual[s - level];
    } else {
        bool known = s - level >= since && dpc_dual_allowed(settings, n_obs, level) && !refused &&
                     critical->dual == critical->primal;
        plan.m = s - level;
        plan.complement = !known;
        plan.complement_size = level;
        plan.complement_kind = DPC_SEP_PRIMAL_COMPLEMENT;
        plan.complement_critical = critical->primal[level];
    }
    return plan;
}

/* ---- Memory ---- */

typedef struct layout {
    int ld, depths;
    int64_t factor, small, scratch; /* doubles of F, of T over one set, of one direct test */
    int64_t rows[2];                /* of one panel's rows, per side */
    int64_t doubles, ints;          /* in all */
} layout;

static int64_t padded(int64_t count)
{
    return (count + PAD - 1) / PAD * PAD;
}

static layout lay_out(const dpc_plan *plan, int degree)
{
    layout l = {.ld = (int)padded(degree), .depths = plan->m > 1 ? plan->m - 1 : 1};
    int64_t order = (int64_t)degree + 1, set = plan->m;
    if (plan->complement && plan->complement_size > set)
        set = plan->complement_size;
    if (plan->full)
        set = degree - 1;
    l.factor = dpc_plan_inverts(plan) ? padded(order * order) : 0;
    l.small = padded((int64_t)(plan->m + 2) * (plan->m + 2));
    l.scratch = padded((set + 2) * (set + 2));
    /* Single elements need each row of U once: it is gathered when its turn comes. */
    l.rows[SIDE_U] = plan->subset && plan->m > 1 ? order * l.ld : l.ld;
    l.rows[SIDE_T] = plan->complement ? order * l.ld : l.ld;
    l.doubles = l.factor + l.small + l.scratch + l.ld + 2 * 2 * l.ld +
                l.depths * (l.rows[SIDE_U] + l.rows[SIDE_T] + 2 * l.ld);
    l.ints = 6 * order + 2 * (int64_t)l.ld * l.depths;
    return l;
}

dpc_kernel *dpc_kernel_new(const dpc_problem *problem, dpc_crew *crew, int worker)
{
    dpc_kernel *k = dpc_zalloc(1, sizeof *k);
    if (k != NULL) {
        k->problem = problem;
        k->crew = crew;
        k->vector = dpc_vector_best();
        k->worker = worker;
    }
    return k;
}

void dpc_kernel_free(dpc_kernel *k)
{
    if (k == NULL)
        return;
    free(k->doubles);
    free(k->ints);
    free(k->depths);
    free(k);
}

bool dpc_kernel_reserve(dpc_kernel *k, const dpc_plan *plan, int degree)
{
    layout l = lay_out(plan, degree);
    if (l.doubles > k->double_room) {
        free(k->doubles); /* nothing survives a visit */
        k->doubles = dpc_alloc_aligned(l.doubles);
        k->double_room = k->doubles != NULL ? l.doubles : 0;
    }
    if (l.ints > k->int_room) {
        free(k->ints);
        k->ints = dpc_alloc(l.ints, sizeof *k->ints);
        k->int_room = k->ints != NULL ? l.ints : 0;
    }
    if (l.depths > k->depth_room) {
        free(k->depths);
        k->depths = dpc_alloc(l.depths, sizeof *k->depths);
        k->depth_room = k->depths != NULL ? l.depths : 0;
    }
    return k->double_room > 0 && k->int_room > 0 && k->depth_room > 0;
}

/* Deals the slabs out to this visit. */
static void settle_in(dpc_kernel *k, const dpc_plan *plan)
{
    layout l = lay_out(plan, k->degree);
    double *d = k->doubles;
    int32_t *i = k->ints;
    int order = k->degree + 1;
    k->ld = l.ld;
    k->factor = d, d += l.factor;
    k->small = d, d += l.small;
    k->scratch = d, d += l.scratch;
    k->gathered = d, d += l.ld;
    k->prefix = i, i += order;
    k->identity = i, i += order;
    k->variable = i, i += order;
    k->of_column = i, i += order;
    k->set = i, i += order;
    k->live = i, i += order;
    for (int p = 0; p < 2; p++) {
        dpc_side *side = &k->side[p];
        side->t = d, d += l.ld;
        side->v = d, d += l.ld;
        for (int depth = 0; depth < l.depths; depth++) {
            dpc_panel *panel = &k->depths[depth].panel[p];
            panel->v = d, d += l.ld;
            panel->row = d, d += l.rows[p];
            panel->x = panel->row + l.rows[p] - l.ld; /* the row behind the last neighbour's */
        }
    }
    for (int depth = 0; depth < l.depths; depth++) {
        k->depths[depth].position = i, i += l.ld;
        k->depths[depth].column = i, i += l.ld;
    }
}

/* ---- The visit ---- */

void dpc_record_verdict(dpc_kernel *k, int position, uint8_t kind, double r, const int32_t *subset,
                        int m)
{
    const dpc_visit *visit = k->visit;
    visit->kind[position] = kind;
    visit->r[position] = r;
    for (int i = 0; i < m; i++)
        visit->subset[(int64_t)position * visit->stride + i] = visit->neighbour[subset[i]];
    k->live[position] = 0;
    k->dead++;
}

static int count_live(dpc_kernel *k)
{
    const dpc_labels *labels = k->problem->view.labels;
    int live = 0;
    for (int q = 0; q < k->degree; q++) {
        k->variable[q] = dpc_column_of(labels, k->visit->neighbour[q]);
        k->identity[q] = q;
        k->live[q] = k->visit->target[q];
        live += k->live[q];
    }
    k->variable[k->degree] = dpc_column_of(labels, k->visit->x);
    k->identity[k->degree] = k->degree;
    return live;
}

/* F over the neighbours and x, the neighbours first; false: there is none. */
static bool invert(dpc_kernel *k, double *least)
{
    int order = k->degree + 1;
    dpc_gather(&k->problem->view, k->variable, order, k->factor);
    return dpc_inverse_factor(k->factor, order, least);
}

/* Tests given a subset, from R: products of correlations, exact to rounding. */
static void use_subsets(dpc_kernel *k, const dpc_plan *plan)
{
    dpc_side *u = &k->side[SIDE_U];
    u->used = plan->subset;
    u->kind = DPC_SEP_PRIMAL;
    u->c = plan->subset ? k->problem->critical.primal[plan->m] : NAN;
    u->shaky = 1e-6;
    u->slack = 4 * DBL_EPSILON / u->shaky;
    u->doubt = 0;
}

/*
 * Tests given a complement, from T, whose entries carry an error of about ε / least. A pivot π
 * on the way makes it that over π: the smallest pivot allowed is the one that the slack covers.
 */
static void use_complements(dpc_kernel *k, uint8_t kind, double critical, double least)
{
    dpc_side *t = &k->side[SIDE_T];
    double error = 2 * DBL_EPSILON * sqrt(k->degree + 1.) / least;
    t->used = true;
    t->kind = kind;
    t->c = critical;
    /* A slack above 1e-6 would let too much through: rather, more pivots are shaky then. */
    t->shaky = k->m > 1 ? fmin(1, fmax(1e-4, 4 * error / 1e-6)) : 1e-2;
    t->slack = 1e-9 + 4 * error / (k->m > 1 ? t->shaky : 1);
    t->doubt = error / t->shaky;
}

void dpc_kernel_visit(dpc_kernel *k, const dpc_plan *plan, const dpc_visit *visit)
{
    k->visit = visit;
    k->degree = visit->degree;
    k->dead = 0;
    k->side[SIDE_U].used = k->side[SIDE_T].used = false;
    settle_in(k, plan);
    int targets = count_live(k);
    if (targets == 0)
        return;
    double least = 0; /* stays 0 where there is no T */
    bool wanted = plan->too_large || dpc_plan_inverts(plan);
    if (wanted && !*visit->refused && (plan->too_large || !invert(k, &least))) {
        *visit->refused = true;
        k->counts.singular_neighbourhoods++;
    }
    k->inverted = least > 0;
    if (plan->full && k->inverted) { /* the complement of the empty subset */
        k->m = 0;
        use_complements(k, DPC_SEP_FULL_S, k->problem->critical.dual[k->degree - 1], least);
        dpc_test_subsets(k);
        k->side[SIDE_T].used = false;
    }
    k->m = plan->m;
    if (k->m == 0 || k->dead == targets)
        return;
    use_subsets(k, plan);
    /* A dual test that T cannot make is not made; a primal one written as a complement is. */
    if (plan->complement && (k->inverted || plan->complement_kind != DPC_SEP_DUAL))
        use_complements(k, plan->complement_kind, plan->complement_critical, least);
    dpc_test_subsets(k);
}

static void report_tests(dpc_kernel *k)
{
    atomic_fetch_add_explicit(&k->crew->tests, k->counts.tests - k->reported, memory_order_relaxed);
    k->reported = k->counts.tests;
}

bool dpc_look_up(dpc_kernel *k)
{
    enum { BETWEEN_LOOKS = 1 << 20 }; /* operations */
    k->budget = BETWEEN_LOOKS;
    report_tests(k);
    k->stopped = dpc_crew_stopped(k->crew, k->worker);
    return k->stopped;
}

dpc_counts dpc_kernel_take_counts(dpc_kernel *k)
{
    dpc_counts counts = k->counts;
    report_tests(k);
    k->counts = (dpc_counts){0};
    k->reported = 0;
    return counts;
}
