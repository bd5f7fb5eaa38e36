/* Visits of blocks of columns: see block_visit.h. */
#include "block_visit.h"

#include "alloc.h"
#include "linalg.h"
#include "sepset.h"
#include "wilks.h"

#include <math.h>
#include <string.h>

static const double GONE = 1e-8;     /* a pivot of U below this is none, as in wilks.c */
static const double SHAKY[] = {      /* one of U, of T, below this may have lost too many digits: */
                               1e-5, /* the tests behind it are decided by the direct way */
                               1e-3};
static const double CLEAR = 1e-6; /* -ln Λ farther than this from its critical value, and … */

enum { NARROW = 2 }; /* columns of x and of y up to which there is a glance at all targets */

/* One side at one depth: what is left of the matrix given the members so far. */
typedef struct left {
    double *a;        /* order × order */
    double *diagonal; /* of it; and, a column further, what is beside the diagonal */
    double *beside;
    int64_t given; /* columns that were eliminated */
    bool shaky;
} left;

struct dpc_block_visitor {
    dpc_visitor *owner;
    const dpc_blocks *blocks;
    int32_t *widths;           /* by number of variables: the most columns they can have; n + 1 */
    dpc_rao_table table[2][2]; /* of alpha and alpha_dual; of one equation and of two */
    dpc_direct direct;
    double *doubles;
    int64_t room;
    left *depth[2]; /* by side: given 0, 1, … members */
    int depths;
    /* the visit */
    const dpc_plan *plan;
    const dpc_visit *visit;
    int32_t *variable; /* of the neighbours, then of x; n */
    int32_t *first;    /* their columns in U and T; n + 1 */
    int32_t *set, *prefix;
    uint8_t *live;
    int degree, order, dead;
    double *reduced; /* widest × order: the rows of the last member, divided by its factor */
    /* given all of K: rows of x, and the diagonal and what is beside it at all columns */
    double *toward, *diagonal, *beside;
    double *bound;  /* by width of a target: Λ below this is dependent; NaN: not known yet */
    double *w;      /* W of one test, and room to take it apart */
    double *small;  /* to invert few columns */
    dpc_side *side; /* of the owner: `used` and `kind` */
};

/* ---- Memory ---- */

static int by_width(const void *a, const void *b)
{
    return *(const int32_t *)b - *(const int32_t *)a;
}

static dpc_status find_widths(dpc_block_visitor *v)
{
    int n = v->blocks->n;
    int32_t *width = v->widths;
    width[0] = 0;
    for (int i = 0; i < n; i++)
        width[i + 1] = dpc_block_width(v->blocks, i);
    qsort(width + 1, (size_t)n, sizeof *width, by_width);
    for (int i = 0; i < n; i++)
        width[i + 1] += width[i];
    return DPC_OK;
}

dpc_status dpc_block_visitor_new(dpc_visitor *owner, dpc_block_visitor **out)
{
    const dpc_problem *problem = owner->problem;
    const dpc_settings *settings = problem->settings;
    const dpc_blocks *blocks = problem->view.blocks;
    int64_t n = blocks->n;
    dpc_block_visitor *v = dpc_zalloc(1, sizeof *v);
    if (v == NULL)
        return DPC_NO_MEMORY;
    *out = v;
    v->owner = owner;
    v->blocks = blocks;
    v->side = owner->side;
    v->direct.view = &problem->view;
    v->widths = dpc_alloc(n + 1, sizeof *v->widths);
    v->variable = dpc_alloc(n, sizeof *v->variable);
    v->first = dpc_alloc(n + 1, sizeof *v->first);
    v->set = dpc_alloc(n, sizeof *v->set);
    v->prefix = dpc_alloc(n, sizeof *v->prefix);
    v->live = dpc_alloc(n, sizeof *v->live);
    if (v->widths == NULL || v->variable == NULL || v->first == NULL || v->set == NULL ||
        v->prefix == NULL || v->live == NULL)
        return DPC_NO_MEMORY;
    for (int dual = 0; dual < 2; dual++)
        for (int two = 0; two < 2; two++) {
            double alpha = dual ? settings->alpha_dual : settings->alpha;
            DPC_CHECK(dpc_rao_table_init(problem->view.n_obs, alpha / (1 + two), blocks,
                                         &v->table[dual][two]));
        }
    return find_widths(v);
}

void dpc_block_visitor_free(dpc_block_visitor *v)
{
    if (v == NULL)
        return;
    for (int i = 0; i < 4; i++)
        dpc_rao_table_clear(&v->table[i / 2][i % 2]);
    dpc_direct_clear(&v->direct);
    free(v->widths);
    free(v->variable);
    free(v->first);
    free(v->set);
    free(v->prefix);
    free(v->live);
    free(v->doubles);
    free(v->depth[0]);
    free(v->depth[1]);
    free(v);
}

/* The numbers of a visit: matrices of both sides at all depths, reduced rows, and one test. */
static int64_t room_for(const dpc_block_visitor *v, int depths, int64_t order)
{
    int64_t widest = v->widths[1], small = DPC_SMALL_ORDER + 8;
    return 2 * depths * order * (order + 2) + (2 * widest + 2) * order + widest + 1 +
           16 * widest * widest + small * (small + 8);
}

dpc_status dpc_block_visitor_reserve(dpc_block_visitor *v, const dpc_plan *plan, int degree)
{
    int depths = plan->m > 1 ? plan->m : 1, n = v->blocks->n;
    int64_t order = v->widths[degree + 1 < n ? degree + 1 : n], need = room_for(v, depths, order);
    if (need > v->room) {
        free(v->doubles); /* nothing survives a visit */
        v->doubles = dpc_alloc_aligned(need);
        v->room = v->doubles != NULL ? need : 0;
    }
    for (int s = 0; s < 2 && depths > v->depths; s++) {
        left *all = dpc_regrow(v->depth[s], depths, sizeof *all);
        if (all == NULL)
            return DPC_NO_MEMORY;
        v->depth[s] = all;
    }
    v->depths = depths > v->depths ? depths : v->depths;
    if (v->room == 0)
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_direct_reserve_counts(&v->direct));
    return dpc_direct_reserve(&v->direct, order, 2 * (int64_t)v->widths[1]);
}

static void deal_out(dpc_block_visitor *v)
{
    int64_t order = v->order, widest = v->widths[1];
    int depths = v->plan->m > 1 ? v->plan->m : 1;
    double *d = v->doubles;
    v->small = d, d += (DPC_SMALL_ORDER + 8) * (DPC_SMALL_ORDER + 16); /* aligned */
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < depths; i++, d += order * (order + 2))
            v->depth[s][i] =
                (left){.a = d, .diagonal = d + order * order, .beside = d + order * (order + 1)};
    v->reduced = d, d += widest * order;
    v->toward = d, d += widest * order;
    v->diagonal = d, d += order;
    v->beside = d, d += order;
    v->bound = d, d += widest + 1;
    v->w = d;
}

/* ---- The matrices ---- */

static void gather(const dpc_block_visitor *v, double *u)
{
    const dpc_blocks *b = v->blocks;
    for (int i = 0; i <= v->degree; i++)
        for (int c = 0; c < dpc_block_width(b, v->variable[i]); c++, u += v->order) {
            const double *row = b->r + (int64_t)(b->first[v->variable[i]] + c) * b->m;
            for (int j = 0; j <= v->degree; j++)
                memcpy(u + v->first[j], row + b->first[v->variable[j]],
                       (size_t)(v->first[j + 1] - v->first[j]) * sizeof *u);
        }
}

/* The diagonal of what is left, and what is beside it, in rows of their own. */
static void take_diagonal(const dpc_block_visitor *v, left *of)
{
    int64_t order = v->order;
    for (int64_t i = 0; i < order; i++) {
        of->diagonal[i] = of->a[i * order + i];
        of->beside[i] = i + 1 < order ? of->a[i * order + i + 1] : 0;
    }
}

/* T, scaled, of few columns that are far from determining each other: without LAPACK. */
static bool invert_small(dpc_block_visitor *v, double *t)
{
    int order = v->order, ld = dpc_whole_vectors(order);
    const double *u = v->depth[SIDE_U][0].a;
    double least, *a = v->small;
    if (order > DPC_SMALL_ORDER)
        return false;
    for (int i = 0; i < order; i++)
        memcpy(a + i * ld + i, u + i * order + i, (size_t)(order - i) * sizeof *a);
    if (!dpc_small_inverse(a, order, a + (int64_t)ld * ld, &least))
        return false;
    for (int i = 0; i < order; i++)
        memcpy(t + i * order, a + i * ld, (size_t)order * sizeof *t);
    return true;
}

/* T, scaled, where the plan has use for it; counted as in visit.c. */
static bool invert(dpc_block_visitor *v)
{
    dpc_visitor *o = v->owner;
    const dpc_plan *plan = v->plan;
    uint8_t *condition = v->visit->condition;
    double *t = v->depth[SIDE_T][0].a, least;
    if (!(plan->too_large || dpc_plan_inverts(plan)) || (*condition & DPC_NO_INVERSE) != 0)
        return false;
    bool fine = !plan->too_large;
    if (fine && !invert_small(v, t)) {
        memcpy(t, v->depth[SIDE_U][0].a, (size_t)v->order * (size_t)v->order * sizeof *t);
        fine = dpc_scaled_inverse(t, v->order, &least, o->crew, o->worker);
    }
    if (!fine) {
        *condition |= DPC_NO_INVERSE;
        o->counts.singular_neighbourhoods++;
    }
    return fine;
}

/*
 * The rows of a member in what is left, divided by the Cholesky factor of its own block, into
 * `reduced`; returns how many there are: a column that is determined is passed over.
 */
static int reduce(dpc_block_visitor *v, const left *from, int s, int q, bool *shaky)
{
    int start = v->first[q], width = v->first[q + 1] - start, order = v->order, kept = 0;
    for (int c = 0; c < width; c++) {
        double *to = v->reduced + (int64_t)kept * order;
        memcpy(to, from->a + (int64_t)(start + c) * order, (size_t)order * sizeof *to);
        for (int i = 0; i < kept; i++) {
            const double *before = v->reduced + (int64_t)i * order;
            double factor = before[start + c];
#pragma omp simd
            for (int j = 0; j < order; j++)
                to[j] -= factor * before[j];
        }
        double pivot = to[start + c];
        *shaky = *shaky || pivot < SHAKY[s];
        if (!(pivot >= GONE))
            continue;
        double scale = 1 / sqrt(pivot);
#pragma omp simd
        for (int j = 0; j < order; j++)
            to[j] *= scale;
        kept++;
    }
    return kept;
}

/* Is the whole block of a position asked for, and not just its diagonal and what is beside it? */
static bool is_wide(const dpc_block_visitor *v, int position)
{
    return v->blocks->lead != NULL || v->first[position + 1] - v->first[position] > NARROW ||
           v->first[v->degree + 1] - v->first[v->degree] > NARROW;
}

/* One row less its part in the reduced ones. */
static void eliminate_row(const dpc_block_visitor *v, const double *row, int i, int kept,
                          double *out)
{
    int order = v->order;
    memcpy(out, row, (size_t)order * sizeof *out);
    for (int k = 0; k < kept; k++) {
        const double *g = v->reduced + (int64_t)k * order;
        double factor = g[i];
#pragma omp simd
        for (int j = 0; j < order; j++)
            out[j] -= factor * g[j];
    }
}

/* The diagonal, and what is beside it, less their parts in the reduced rows. */
static void eliminate_diagonal(const dpc_block_visitor *v, const left *from, int kept,
                               double *diagonal, double *beside)
{
    int order = v->order;
    memcpy(diagonal, from->diagonal, (size_t)order * sizeof *diagonal);
    memcpy(beside, from->beside, (size_t)order * sizeof *beside);
    for (int k = 0; k < kept; k++) {
        const double *g = v->reduced + (int64_t)k * order;
#pragma omp simd
        for (int j = 0; j < order; j++)
            diagonal[j] -= g[j] * g[j];
#pragma omp simd
        for (int j = 0; j < order - 1; j++)
            beside[j] -= g[j] * g[j + 1];
    }
}

/* One member more: the rows of x, of later members, and of wide targets. */
static void eliminate(dpc_block_visitor *v, int s, int q, int depth)
{
    const left *from = &v->depth[s][depth];
    left *to = &v->depth[s][depth + 1];
    int64_t order = v->order;
    to->shaky = from->shaky;
    int kept = reduce(v, from, s, q, &to->shaky);
    to->given = from->given + kept;
    for (int position = 0; position <= v->degree; position++)
        for (int i = v->first[position];
             i < v->first[position + 1] && (position > q || is_wide(v, position)); i++)
            eliminate_row(v, from->a + i * order, i, kept, to->a + i * order);
    eliminate_diagonal(v, from, kept, to->diagonal, to->beside);
}

/* ---- One test ---- */

/* The numbers of columns of x and of the target at a position; of all that was gathered. */
static int width(const dpc_block_visitor *v, int position)
{
    return v->first[position + 1] - v->first[position];
}

/* Are the sets of this side tested at alpha_dual, and only where min_ess rows are left? */
static int is_dual(const dpc_block_visitor *v, int s)
{
    return v->side[s].kind == DPC_SEP_DUAL || v->side[s].kind == DPC_SEP_FULL_S;
}

static double least_rows(const dpc_block_visitor *v, int s)
{
    return is_dual(v, s) ? v->owner->problem->settings->min_ess : 0;
}

/* The set of a test, as variables; returns how many. m: the members of the prefix. */
static int write_set(dpc_block_visitor *v, int s, int y, int m)
{
    int size = 0;
    for (int q = 0, i = 0; q < v->degree; q++) {
        bool member = i < m && v->prefix[i] == q;
        i += member;
        if (q != y && member == (s == SIDE_U))
            v->set[size++] = v->variable[q];
    }
    return size;
}

/*
 * The widest target that can be tested given K, or S \ K, by the number of columns: N - 1 less
 * those of x, y and the set has to leave enough. Given S \ K these are the same for all targets.
 */
static int64_t widest_allowed(const dpc_block_visitor *v, int s, int m)
{
    int64_t n_obs = v->owner->problem->view.n_obs, given = 0;
    int p = width(v, v->degree);
    for (int i = 0; i < m; i++)
        given += width(v, v->prefix[i]);
    if (s == SIDE_U) {
        double most = (double)(n_obs - 1 - given - p) - fmax(3, least_rows(v, s));
        return most < 0 ? 0 : (int64_t)most;
    }
    return dpc_wilks_allowed(n_obs, p, 1, v->order - given - p - 1, least_rows(v, s)) ? INT32_MAX
                                                                                      : 0;
}

/* The verdict by the direct way; true: separated, and recorded. */
static bool judge(dpc_block_visitor *v, int s, int y, int m)
{
    dpc_visitor *o = v->owner;
    const dpc_settings *settings = o->problem->settings;
    dpc_block_answer answer;
    int size = write_set(v, s, y, m), a = v->variable[v->degree], b = v->variable[y];
    if (is_dual(v, s)) /* the memory was reserved */
        dpc_direct_blocks(&v->direct, a, b, v->set, size, settings->min_ess, &answer);
    else
        dpc_direct_primal(&v->direct, a, b, v->set, size, &answer);
    if (isnan(answer.p)) { /* no test: what cannot be tested keeps its edge */
        o->counts.tests--;
        o->counts.singular_tests++;
        return false;
    }
    if (!(answer.p > (is_dual(v, s) ? settings->alpha_dual : settings->alpha)))
        return false;
    const dpc_visit *visit = v->visit;
    int64_t place = visit->place != NULL ? visit->place[y] : y;
    visit->kind[place] = v->side[s].kind;
    visit->r[place] = answer.r;
    for (int i = 0; i < visit->stride; i++)
        visit->subset[place * visit->stride + i] = i < m ? visit->neighbour[v->prefix[i]] : -1;
    v->live[y] = 0;
    v->dead++;
    return true;
}

/* W over x and y from what is left, less `kept` rows of a last member; of T it is its inverse. */
static void fill_w(const dpc_block_visitor *v, const left *from, int kept, int y)
{
    int p = width(v, v->degree), q = width(v, y), order = p + q;
    for (int i = 0; i < order; i++) {
        int row = i < p ? v->first[v->degree] + i : v->first[y] + i - p;
        for (int j = 0; j <= i; j++) {
            int column = j < p ? v->first[v->degree] + j : v->first[y] + j - p;
            double sum = from->a[(int64_t)row * v->order + column];
            for (int k = 0; k < kept; k++)
                sum -= v->reduced[(int64_t)k * v->order + row] *
                       v->reduced[(int64_t)k * v->order + column];
            v->w[i * order + j] = v->w[j * order + i] = sum;
        }
    }
}

/* ---- At a glance ---- */

/* What x and all targets need, given K: `kept` rows of the last member are taken out. */
static void look(dpc_block_visitor *v, const left *from, int kept)
{
    int order = v->order, p = width(v, v->degree), x = v->first[v->degree];
    for (int i = 0; i < p; i++)
        eliminate_row(v, from->a + (int64_t)(x + i) * order, x + i, kept,
                      v->toward + (int64_t)i * order);
    eliminate_diagonal(v, from, kept, v->diagonal, v->beside);
    for (int q = 0; q <= NARROW; q++)
        v->bound[q <= v->widths[1] ? q : 0] = NAN;
}

/* Λ of x and y, which are narrow. */
static double glance(const dpc_block_visitor *v, int y)
{
    int x = v->first[v->degree], at = v->first[y], p = width(v, v->degree), q = width(v, y);
    const double *row = v->toward, *next = v->toward + v->order;
    return dpc_lambda_small((dpc_small_w){
        .a11 = v->diagonal[x],
        .a12 = p > 1 ? v->beside[x] : 0,
        .a22 = p > 1 ? v->diagonal[x + 1] : 1,
        .b11 = row[at],
        .b12 = q > 1 ? row[at + 1] : 0,
        .b21 = p > 1 ? next[at] : 0,
        .b22 = p > 1 && q > 1 ? next[at + 1] : 0,
        .c11 = v->diagonal[at],
        .c12 = q > 1 ? v->beside[at] : 0,
        .c22 = q > 1 ? v->diagonal[at + 1] : 1,
    });
}

static double bound_of(dpc_block_visitor *v, int s, int q, int64_t given)
{
    if (isnan(v->bound[q]))
        v->bound[q] =
            dpc_rao_table_dependent(&v->table[is_dual(v, s)][0], width(v, v->degree), q, given);
    return v->bound[q];
}

/* Is the test of these two one ratio, and are they narrow? */
static bool is_narrow(const dpc_block_visitor *v, int y)
{
    return v->blocks->lead == NULL && width(v, y) <= NARROW && width(v, v->degree) <= NARROW;
}

/* Does the glance say that the test rejects independence, clearly? */
static bool clearly_dependent(dpc_block_visitor *v, int s, int y, int64_t given, int kept,
                              const left *from)
{
    int x = v->degree, p = width(v, x), q = width(v, y), order = p + q, count;
    int lead_x = dpc_lead_of(v->blocks, v->variable[x]);
    int lead_y = dpc_lead_of(v->blocks, v->variable[y]);
    dpc_wilks part[2];
    fill_w(v, from, kept, y);
    if (lead_x == p && lead_y == q)
        return dpc_lambda_of(v->w, p, q, v->w + order * order) <
               dpc_rao_table_dependent(&v->table[is_dual(v, s)][0], p, q, given);
    if (s == SIDE_T && (lead_x < p || lead_y < q) && !dpc_block_inverse(v->w, order))
        return false;
    dpc_wilks_from(v->w, p, q, lead_x, lead_y, given, v->w + order * order, part, &count);
    dpc_rao_table *table = &v->table[is_dual(v, s)][count - 1];
    for (int i = 0; i < count; i++) {
        double c = dpc_rao_table_at(table, part[i].p, part[i].q, given).critical;
        if (-part[i].log_lambda > c + CLEAR * (1 + c))
            return true;
    }
    return false;
}

/* Is it made by counts? There is no glance at these. */
static bool is_by_counts(dpc_block_visitor *v, int s, int y, int m)
{
    return v->blocks->codes != NULL && !is_dual(v, s) &&
           dpc_g2_applies(v->blocks, v->variable[v->degree], v->variable[y], v->set,
                          write_set(v, s, y, m));
}

/*
 * Target y given a set, K having m members; `kept` rows of the last are reduced; targets of up to
 * `most` columns can be tested. True: separated.
 */
static bool test(dpc_block_visitor *v, int s, int y, int m, int64_t most, const left *from,
                 int kept, bool shaky)
{
    bool by_counts = is_by_counts(v, s, y, m);
    if (!by_counts && width(v, y) > most)
        return false;
    v->owner->counts.tests++;
    if (by_counts)
        return judge(v, s, y, m);
    int64_t given = from->given + kept;
    if (s == SIDE_T)
        given = v->order - width(v, v->degree) - width(v, y) - given;
    if (!shaky && (is_narrow(v, y) ? glance(v, y) < bound_of(v, s, width(v, y), given)
                                   : clearly_dependent(v, s, y, given, kept, from)))
        return false;
    return judge(v, s, y, m);
}

/* ---- All tests ---- */

/* All targets given K, whose last member is q. */
static void test_set(dpc_block_visitor *v, int m)
{
    int q = v->prefix[m - 1];
    for (int s = 0; s < 2; s++) {
        if (!v->side[s].used)
            continue;
        const left *from = &v->depth[s][m - 1];
        int64_t most = widest_allowed(v, s, m);
        bool direct = s == SIDE_T && !v->owner->inverted, shaky = direct || from->shaky;
        int kept = direct ? 0 : reduce(v, from, s, q, &shaky);
        if (!shaky && width(v, v->degree) <= NARROW)
            look(v, from, kept);
        for (int y = 0, i = 0; y < v->degree; y++) {
            bool member = i < m && v->prefix[i] == y;
            i += member;
            if (!member && v->live[y])
                test(v, s, y, m, most, from, kept, shaky);
        }
    }
}

static bool stopped(dpc_block_visitor *v)
{
    return dpc_stopped(v->owner, (int64_t)v->order * (v->degree + 8));
}

/* Is nothing left of x? Then no set that holds this one makes a test. */
static bool is_determined(const dpc_block_visitor *v, const left *given)
{
    const double surely = GONE / 10;
    bool all = true;
    for (int i = v->first[v->degree]; i < v->order; i++)
        all = all && given->diagonal[i] < surely;
    return all;
}

static void enumerate(dpc_block_visitor *v, int chosen, int first, int targets)
{
    int m = v->plan->m, left = m - chosen;
    for (int q = first; q <= v->degree - left && v->dead < targets && !stopped(v); q++) {
        v->prefix[chosen] = q;
        if (left == 1) {
            test_set(v, m);
            continue;
        }
        for (int s = 0; s < 2; s++)
            if (v->side[s].used && (s == SIDE_U || v->owner->inverted))
                eliminate(v, s, q, chosen);
        if (v->side[SIDE_T].used || !is_determined(v, &v->depth[SIDE_U][chosen + 1]))
            enumerate(v, chosen + 1, q + 1, targets);
        else
            v->owner->counts.singular_tests += targets - v->dead;
    }
}

static int begin(dpc_block_visitor *v, const dpc_plan *plan, const dpc_visit *visit)
{
    const dpc_labels *labels = v->owner->problem->view.labels;
    int targets = 0;
    v->plan = plan;
    v->visit = visit;
    v->degree = visit->degree;
    v->dead = 0;
    v->first[0] = 0;
    for (int q = 0; q <= v->degree; q++) {
        int node = q < v->degree ? visit->neighbour[q] : visit->x;
        v->variable[q] = dpc_column_of(labels, node);
        v->first[q + 1] = v->first[q] + dpc_block_width(v->blocks, v->variable[q]);
        if (q < v->degree) {
            v->live[q] = visit->target[q];
            targets += visit->target[q];
        }
    }
    v->order = v->first[v->degree + 1];
    deal_out(v);
    return targets;
}

static void use(dpc_block_visitor *v, int s, bool used, uint8_t kind)
{
    v->side[s].used = used;
    v->side[s].kind = kind;
}

/* Are there too many sets to be judged one by one, because there is no T? As in visit.c. */
static bool is_left_out(dpc_block_visitor *v)
{
    uint8_t *condition = v->visit->condition;
    if (v->owner->inverted || !v->plan->many || !v->plan->complement)
        return false;
    v->owner->counts.left_out += (*condition & DPC_LEFT_OUT) == 0;
    *condition |= DPC_LEFT_OUT;
    return true;
}

void dpc_block_visit(dpc_block_visitor *v, const dpc_plan *plan, const dpc_visit *visit)
{
    int targets = begin(v, plan, visit);
    dpc_visitor *o = v->owner;
    if (targets == 0)
        return;
    gather(v, v->depth[SIDE_U][0].a);
    take_diagonal(v, &v->depth[SIDE_U][0]);
    o->inverted = invert(v);
    if (o->inverted)
        take_diagonal(v, &v->depth[SIDE_T][0]);
    if (plan->full && o->inverted) {
        use(v, SIDE_T, true, DPC_SEP_FULL_S);
        look(v, &v->depth[SIDE_T][0], 0);
        int64_t most = widest_allowed(v, SIDE_T, 0);
        for (int y = 0; y < v->degree && !stopped(v); y++)
            if (v->live[y])
                test(v, SIDE_T, y, 0, most, &v->depth[SIDE_T][0], 0, false);
    }
    if (plan->m == 0 || v->dead == targets || is_left_out(v))
        return;
    use(v, SIDE_U, plan->subset, DPC_SEP_PRIMAL);
    use(v, SIDE_T, plan->complement && (o->inverted || plan->complement_kind != DPC_SEP_DUAL),
        plan->complement_kind);
    enumerate(v, 0, 0, targets);
}
