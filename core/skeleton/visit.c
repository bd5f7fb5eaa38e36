/*
 * A visit to one node at one level: the memory for its tests, and what all its pairs share.
 *
 * Node x with neighbours A; for a target y ∈ A, S = A \ {y}. The matrix over {x, y} ∪ S is the
 * same for every y: U = R over A ∪ {x}. So one Cholesky factor serves all pairs of x: from it a
 * factor F of the scaled inverse T = FᵀF, whose last row are the full-S partial correlations. The
 * tests given subsets are in subsets.c.
 */
#include "visit.h"

#include "alloc.h"
#include "block_visit.h"
#include "linalg.h"
#include "sepset.h"
#include "visitor.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PAD = 8 }; /* columns are padded to whole vectors */

/* ---- Memory ---- */

typedef struct layout {
    int ld, depths;
    int64_t factor, inverse; /* doubles of F, of T and what making it takes */
    int64_t small, scratch;  /* of T over one set, of one direct test */
    int64_t rows[2];         /* of one panel's rows, per side */
    int64_t doubles, ints;   /* in all */
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
    /* Also where this neighbourhood is large: a smaller one has no more than it. */
    int64_t ld = dpc_whole_vectors(order < DPC_SMALL_ORDER ? (int)order : DPC_SMALL_ORDER);
    l.inverse = dpc_plan_inverts(plan) ? padded((ld + 4) * ld) : 0;
    l.small = padded((int64_t)(plan->m + 2) * (plan->m + 2));
    l.scratch = padded((set + 2) * (set + 2));
    /* Single elements need each row of U once: it is gathered when its turn comes. */
    l.rows[SIDE_U] = plan->subset && plan->m > 1 ? order * l.ld : l.ld;
    l.rows[SIDE_T] = plan->complement ? order * l.ld : l.ld;
    l.doubles = l.factor + l.inverse + padded(order) + l.small + l.scratch + l.ld + 2 * 2 * l.ld +
                l.depths * (l.rows[SIDE_U] + l.rows[SIDE_T] + 2 * l.ld);
    l.ints = 6 * order + 2 * (int64_t)l.ld * l.depths;
    return l;
}

dpc_status dpc_visitor_new(const dpc_problem *problem, dpc_crew *crew, int worker,
                           dpc_visitor **out)
{
    dpc_visitor *v = dpc_zalloc(1, sizeof *v);
    if (v == NULL)
        return DPC_NO_MEMORY;
    v->problem = problem;
    v->crew = crew;
    v->vector = dpc_vector_best();
    v->worker = worker;
    *out = v;
    return problem->view.blocks != NULL ? dpc_block_visitor_new(v, &v->blocks) : DPC_OK;
}

void dpc_visitor_free(dpc_visitor *v)
{
    if (v == NULL)
        return;
    free(v->doubles);
    free(v->ints);
    free(v->depths);
    dpc_patch_clear(&v->patch);
    dpc_block_visitor_free(v->blocks);
    free(v);
}

dpc_status dpc_visitor_reserve(dpc_visitor *v, const dpc_plan *plan, int degree)
{
    if (v->blocks != NULL)
        return dpc_block_visitor_reserve(v->blocks, plan, degree);
    layout l = lay_out(plan, degree);
    if (l.doubles > v->double_room) {
        free(v->doubles); /* nothing survives a visit */
        v->doubles = dpc_alloc_aligned(l.doubles);
        v->double_room = v->doubles != NULL ? l.doubles : 0;
    }
    if (l.ints > v->int_room) {
        free(v->ints);
        v->ints = dpc_alloc(l.ints, sizeof *v->ints);
        v->int_room = v->ints != NULL ? l.ints : 0;
    }
    if (l.depths > v->depth_room) {
        free(v->depths);
        v->depths = dpc_alloc(l.depths, sizeof *v->depths);
        v->depth_room = v->depths != NULL ? l.depths : 0;
    }
    bool fine = v->double_room > 0 && v->int_room > 0 && v->depth_room > 0;
    return fine ? dpc_patch_reserve(&v->patch, &v->problem->view, (int64_t)degree + 1)
                : DPC_NO_MEMORY;
}

/* Deals the slabs out to this visit. */
static void deal_out(dpc_visitor *v, const dpc_plan *plan)
{
    layout l = lay_out(plan, v->degree);
    double *d = v->doubles;
    int32_t *i = v->ints;
    int order = v->degree + 1;
    v->ld = l.ld;
    v->factor = d, d += l.factor;
    v->inverse = d, d += l.inverse;
    v->inverse_ld = dpc_whole_vectors(order);
    v->toward_x = d, d += padded(order);
    v->small = d, d += l.small;
    v->scratch = d, d += l.scratch;
    v->gathered = d, d += l.ld;
    v->prefix = i, i += order;
    v->identity = i, i += order;
    v->variable = i, i += order;
    v->of_column = i, i += order;
    v->set = i, i += order;
    v->live = i, i += order;
    for (int p = 0; p < 2; p++) {
        dpc_side *side = &v->side[p];
        side->t = d, d += l.ld;
        side->v = d, d += l.ld;
        for (int depth = 0; depth < l.depths; depth++) {
            dpc_panel *panel = &v->depths[depth].panel[p];
            panel->v = d, d += l.ld;
            panel->row = d, d += l.rows[p];
            panel->x = panel->row + l.rows[p] - l.ld; /* the row behind the last neighbour's */
        }
    }
    for (int depth = 0; depth < l.depths; depth++) {
        v->depths[depth].position = i, i += l.ld;
        v->depths[depth].column = i, i += l.ld;
    }
}

/* ---- The visit ---- */

void dpc_record_verdict(dpc_visitor *v, int position, uint8_t kind, double r, const int32_t *subset,
                        int m)
{
    const dpc_visit *visit = v->visit;
    int64_t place = visit->place != NULL ? visit->place[position] : position;
    visit->kind[place] = kind;
    visit->r[place] = r;
    for (int i = 0; i < visit->stride; i++)
        visit->subset[place * visit->stride + i] = i < m ? visit->neighbour[subset[i]] : -1;
    v->live[position] = 0;
    v->dead++;
}

static int count_live(dpc_visitor *v)
{
    const dpc_labels *labels = v->problem->view.labels;
    int live = 0;
    for (int q = 0; q < v->degree; q++) {
        v->variable[q] = dpc_column_of(labels, v->visit->neighbour[q]);
        v->identity[q] = q;
        v->live[q] = v->visit->target[q];
        live += v->live[q];
    }
    v->variable[v->degree] = dpc_column_of(labels, v->visit->x);
    v->identity[v->degree] = v->degree;
    v->view = dpc_patch_over(&v->patch, &v->problem->view, v->variable, v->degree + 1);
    return live;
}

/* F over the neighbours and x, the neighbours first; false: there is none. */
static bool make_factor(dpc_visitor *v, int worker, double *least)
{
    int order = v->degree + 1;
    dpc_gather(&v->view, v->variable, order, v->factor);
    v->has_factor = dpc_inverse_factor(v->factor, order, least, v->crew, worker);
    return v->has_factor;
}

bool dpc_factorise(dpc_visitor *v)
{
    double least;
    return v->has_factor || make_factor(v, v->worker, &least);
}

/* T over the same, of a small neighbourhood; false: it is near singular, or there is none. */
static bool make_inverse(dpc_visitor *v, double *least)
{
    int order = v->degree + 1, ld = v->inverse_ld;
    for (int i = 0; i < order; i++) {
        const double *from = dpc_column_row(&v->view, v->variable[i]);
        for (int j = i; j < order; j++)
            v->inverse[(int64_t)i * ld + j] = from[v->variable[j]];
    }
    double *room = v->inverse + (int64_t)ld * ld;
    v->has_inverse = dpc_small_inverse(v->inverse, order, room, least);
    return v->has_inverse;
}

/*
 * Is F likely to be asked for? A verdict that separates always rests on it. Of the tests given all
 * of S about 2 c in 1 do so by chance, more where there is something to separate.
 */
static bool expects_verdicts(const dpc_plan *plan, int targets)
{
    return plan->full && targets * plan->full_critical > 0.5;
}

/* The row of x in T is the last row of F. */
static void read_toward_x(dpc_visitor *v)
{
    int order = v->degree + 1;
    for (int q = 0; q < order; q++)
        v->toward_x[q] = v->factor[(int64_t)q * order + v->degree];
}

/*
 * T, and its row of x; false: there is none. F comes first where it will be needed anyway, or where
 * T is large; T is then multiplied out as far as it is asked for. Otherwise T is made at once.
 */
static bool invert(dpc_visitor *v, const dpc_plan *plan, int targets, int worker, double *least)
{
    int order = v->degree + 1;
    if (order <= DPC_SMALL_ORDER && !expects_verdicts(plan, targets) && make_inverse(v, least)) {
        const double *row = v->inverse + (int64_t)v->degree * v->inverse_ld;
        memcpy(v->toward_x, row, (size_t)order * sizeof *row);
        return true;
    }
    if (!make_factor(v, worker, least))
        return false;
    read_toward_x(v);
    return true;
}

/* The same where the plan has use for it, and counted; *least stays 0 where there is none. */
static void invert_as_planned(dpc_visitor *v, const dpc_plan *plan, int targets, int worker,
                              double *least)
{
    bool wanted = plan->too_large || dpc_plan_inverts(plan);
    bool refused = (*v->visit->condition & DPC_NO_INVERSE) != 0;
    *least = 0;
    v->has_inverse = v->has_factor = false;
    if (wanted && !refused && (plan->too_large || !invert(v, plan, targets, worker, least))) {
        *v->visit->condition |= DPC_NO_INVERSE;
        v->counts.singular_neighbourhoods++;
    }
}

/*
 * Has the neighbourhood no inverse, and more sets than half of it than can be judged one by one?
 * Counted once, as above.
 */
static bool is_left_out(dpc_visitor *v, const dpc_plan *plan, double least)
{
    uint8_t *condition = v->visit->condition;
    if (least > 0 || !plan->many || !plan->complement)
        return false;
    v->counts.left_out += (*condition & DPC_LEFT_OUT) == 0;
    *condition |= DPC_LEFT_OUT;
    return true;
}

/* Tests given a subset, from R: products of correlations, exact to rounding. */
static void use_subsets(dpc_visitor *v, const dpc_plan *plan)
{
    dpc_side *u = &v->side[SIDE_U];
    u->used = plan->subset;
    u->kind = DPC_SEP_PRIMAL;
    u->c = plan->subset ? plan->subset_critical : NAN;
    u->shaky = DPC_SHAKY;
    u->slack = 0;
    u->error = 4 * DBL_EPSILON / u->shaky;
    u->doubt = 0;
}

/*
 * Tests given a complement, from T, whose entries carry an error of about ε / least. A pivot π
 * on the way makes it that over π: the smallest pivot allowed is the one that the slack covers.
 */
static void use_complements(dpc_visitor *v, uint8_t kind, double critical, double least)
{
    dpc_side *t = &v->side[SIDE_T];
    double error = 2 * DBL_EPSILON * sqrt(v->degree + 1.) / least;
    t->used = true;
    t->kind = kind;
    t->c = critical;
    /* A slack above 1e-6 would let too much through: rather, more pivots are shaky then. */
    t->shaky = v->m > 1 ? fmin(1, fmax(1e-4, 4 * error / 1e-6)) : 1e-2;
    t->slack = 1e-9 + 4 * error / (v->m > 1 ? t->shaky : 1);
    t->error = 0;
    t->doubt = error / t->shaky;
}

/* Returns the number of targets. */
static int begin(dpc_visitor *v, const dpc_plan *plan, const dpc_visit *visit)
{
    v->degree = visit->degree;
    v->m = 0;
    v->dead = 0;
    deal_out(v, plan);
    v->prefix[0] = v->prefix[1] = 0;
    return count_live(v);
}

static void open_visit(dpc_visitor *v, const dpc_visit *visit)
{
    v->visit = visit;
    v->looks = 0;
    v->done = 0;
    v->side[SIDE_U].used = v->side[SIDE_T].used = false;
}

void dpc_visitor_prepare(dpc_visitor *v, const dpc_plan *plan, const dpc_visit *visit)
{
    open_visit(v, visit);
    int targets = begin(v, plan, visit);
    v->factor = visit->shared->factor;
    invert_as_planned(v, plan, targets, DPC_ALL_WORKERS, &visit->shared->least);
    is_left_out(v, plan, visit->shared->least); /* the shares find the answer */
}

static void make_tests(dpc_visitor *v, const dpc_plan *plan, int targets)
{
    const dpc_shared *shared = v->visit->shared;
    double least;
    if (shared != NULL) {
        v->factor = shared->factor;
        least = shared->least;
        v->has_inverse = false;
        v->has_factor = least > 0;
        if (v->has_factor)
            read_toward_x(v);
    } else {
        invert_as_planned(v, plan, targets, v->worker, &least);
    }
    v->inverted = least > 0;
    if (plan->full && v->inverted) { /* the complement of the empty subset */
        v->m = 0;
        use_complements(v, DPC_SEP_FULL_S, plan->full_critical, least);
        dpc_test_subsets(v);
        v->side[SIDE_T].used = false;
    }
    v->m = plan->m;
    v->some = plan->some;
    if (v->m == 0 || v->dead == targets || is_left_out(v, plan, least))
        return;
    use_subsets(v, plan);
    /* A dual test that T cannot make is not made; a primal one written as a complement is. */
    if (plan->complement && (v->inverted || plan->complement_kind != DPC_SEP_DUAL))
        use_complements(v, plan->complement_kind, plan->complement_critical, least);
    dpc_test_subsets(v);
}

/* ---- Progress ---- */

static void report_tests(dpc_visitor *v)
{
    atomic_fetch_add_explicit(&v->crew->tests, v->counts.tests - v->reported, memory_order_relaxed);
    v->reported = v->counts.tests;
}

/* The share of the subsets of size m of `all` elements that begin with element `first` or later. */
static double share_from(int all, int m, int first)
{
    double share = 1;
    for (int i = 0; i < m; i++)
        share *= fmax(all - first - i, 0) / (all - i);
    return share;
}

/* The share of the sets that are done, by the first two elements of the present one. */
static double share_done(const dpc_visitor *v)
{
    int d = v->degree, m = v->m, a = v->prefix[0], b = v->prefix[1];
    if (m == 0)
        return 0;
    double from = share_from(d, m, a), next = share_from(d, m, a + 1);
    double within = m > 1 && b > a ? 1 - share_from(d - a - 1, m - 1, b - a - 1) : 0;
    return 1 - from + (from - next) * within;
}

/* Adds to what is done of the visit, by all its shares. */
static double add_done(dpc_visitor *v, double done_here)
{
    dpc_shared *shared = v->visit->shared;
    double step = done_here > v->done ? done_here - v->done : 0;
    v->done += step;
    if (shared == NULL)
        return v->done;
    double done = atomic_load_explicit(&shared->done, memory_order_relaxed), sum;
    do
        sum = done + step / shared->shares;
    while (!atomic_compare_exchange_weak_explicit(&shared->done, &done, sum, memory_order_relaxed,
                                                  memory_order_relaxed));
    return sum;
}

/* The progress names the node of a visit that takes long. */
static bool is_long(const dpc_visitor *v)
{
    enum { MANY_LOOKS = 256 };
    return v->looks > MANY_LOOKS;
}

static void finish(dpc_visitor *v)
{
    int node = dpc_column_of(v->problem->view.labels, v->visit->x);
    add_done(v, 1);
    if (is_long(v))
        atomic_compare_exchange_strong(&v->crew->node, &node, -1);
}

bool dpc_look_up(dpc_visitor *v)
{
    enum { BETWEEN_LOOKS = 1 << 20 }; /* operations */
    v->budget = BETWEEN_LOOKS;
    v->looks++;
    report_tests(v);
    if (is_long(v)) {
        atomic_store_explicit(&v->crew->node_done, add_done(v, share_done(v)),
                              memory_order_relaxed);
        atomic_store_explicit(&v->crew->node, dpc_column_of(v->problem->view.labels, v->visit->x),
                              memory_order_relaxed);
    }
    v->stopped = dpc_crew_stopped(v->crew, v->worker);
    return v->stopped;
}

void dpc_visitor_visit(dpc_visitor *v, const dpc_plan *plan, const dpc_visit *visit)
{
    open_visit(v, visit);
    int targets = v->blocks == NULL ? begin(v, plan, visit) : 0;
    if (v->blocks != NULL)
        dpc_block_visit(v->blocks, plan, visit);
    else if (targets > 0)
        make_tests(v, plan, targets);
    finish(v);
}

dpc_counts dpc_visitor_take_counts(dpc_visitor *v)
{
    dpc_counts counts = v->counts;
    report_tests(v);
    v->counts = (dpc_counts){0};
    v->reported = 0;
    return counts;
}
