/*
 * The slow twin: see reference.h.
 *
 * Every partial correlation is computed alone, from a direct inverse P of the matrix of
 * {x, y} ∪ K: r = -P_xy / sqrt(P_xx P_yy), by Gauss-Jordan elimination in long double. Nothing
 * is shared, cached or skipped, so nothing that core/ shares, caches or skips can be wrong in the
 * same way here.
 *
 * What is singular (section 4, "never deletes an edge"), with ε = 1e-10:
 *  - a test given K is not made where a pivot of K, or the variance of x or of y given K, is
 *    below ε in a Cholesky factor (pivots are conditional variances, given what came before);
 *  - an inverse T is refused where some 1 / T_ii, the variance of i given all others, is below ε.
 *
 * The AND rule needs little here: row x of the adjacency matrix is what x lists. Each end clears
 * its own cell and keeps its own set; which of the two sets is the pair's is decided at the very
 * end.
 */
#include "reference.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

static const real EPSILON = 1e-10L;

/* What an ordered pair has been asked given all of S or nearly all, S being as it is now. */
struct asked {
    uint64_t s;      /* S, a bit per variable */
    uint64_t *given; /* the sets */
    double *critical;
    int count, capacity;
};

/* Everything of one run. */
struct run {
    int n;
    double n_obs;
    const double *r;
    const dpc_settings *settings;
    struct reference *out;
    unsigned char *adjacency; /* the skeleton as it is now; AND rule: row x is the list of x */
    struct asked *asked;      /* n × n */
    double *primal;           /* c(k) at alpha; NaN where the test cannot be made */
    double *dual;             /* c(k) at alpha_dual */
    real *matrix, *inverse;   /* scratch, n × n */
    int32_t *set, *subset;    /* scratch, n */
};

static void *need(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static void *zeroed(size_t count, size_t size)
{
    return need(calloc(count > 0 ? count : 1, size));
}

static unsigned char *cell(struct run *run, int x, int y)
{
    return run->adjacency + (size_t)x * run->n + y;
}

static struct reference_sepset *sepset(struct reference *out, int x, int y)
{
    return out->sepsets + (size_t)x * out->n + y;
}

/* ---- Background knowledge ---------------------------------------------- */

/* Must there be an edge between the two? */
static bool required(const struct run *run, int x, int y)
{
    const dpc_knowledge *k = run->settings->knowledge;
    return k != NULL && (dpc_knowledge_requires(k, x, y) || dpc_knowledge_requires(k, y, x));
}

static bool forbidden(const struct run *run, int from, int to)
{
    const dpc_knowledge *k = run->settings->knowledge;
    return k != NULL && dpc_knowledge_forbids(k, from, to);
}

/* Can there be none? */
static bool impossible(const struct run *run, int x, int y)
{
    return forbidden(run, x, y) && forbidden(run, y, x);
}

/* May v be in a set for the pair x, y? */
static bool usable(const struct run *run, int x, int y, int v)
{
    const dpc_knowledge *k = run->settings->knowledge;
    if (k == NULL)
        return true;
    int tx = dpc_knowledge_tier_of(k, x), ty = dpc_knowledge_tier_of(k, y);
    int tv = dpc_knowledge_tier_of(k, v);
    return tx < 0 || ty < 0 || tv < 0 || tv <= tx || tv <= ty;
}

/* ---- One test (section 2) ---------------------------------------------- */

/* The upper quantile of Student's t, by bisection. */
static double student_quantile(double upper, double df)
{
    double low = 0, high = 1;
    while (gsl_cdf_tdist_Q(high, df) > upper)
        high *= 2;
    for (int i = 0; i < 200; i++) {
        double middle = low + (high - low) / 2;
        if (gsl_cdf_tdist_Q(middle, df) > upper)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double *critical_values(const struct run *run, double alpha)
{
    double *c = zeroed((size_t)run->n, sizeof *c);
    for (int k = 0; k < run->n; k++) {
        double df = run->n_obs - k - 2;
        if (df - 1 < 1) {
            c[k] = NAN;
        } else if (run->settings->test == DPC_FISHER_Z) {
            c[k] = tanh(gsl_cdf_gaussian_Qinv(alpha / 2, 1) / sqrt(df - 1));
        } else {
            double t = student_quantile(alpha / 2, df);
            c[k] = t / sqrt(df + t * t);
        }
    }
    return c;
}

static bool enough_samples(const struct run *run, int k)
{
    return run->n_obs - k - 3 >= run->settings->min_ess;
}

/* Notes on which side of ε a variance lies. */
static bool vanishes(struct run *run, real variance)
{
    struct reference *out = run->out;
    if (variance < EPSILON) {
        out->largest_refused = fmax(out->largest_refused, (double)fabsl(variance));
        return true;
    }
    out->least_variance = fmin(out->least_variance, (double)variance);
    return false;
}

/* The matrix of R over `index`, into run->matrix. */
static void gather(struct run *run, const int32_t *index, int size)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            run->matrix[i * size + j] = run->r[(size_t)index[i] * run->n + index[j]];
}

static void swap(real *left, real *right)
{
    real kept = *left;
    *left = *right;
    *right = kept;
}

/*
 * The columns from `first` of the inverse of run->matrix, into those of run->inverse, by
 * Gauss-Jordan elimination with row pivoting; run->matrix is spoilt. False where a column has no
 * pivot left.
 */
static bool invert(struct run *run, int size, int first)
{
    real *a = run->matrix, *b = run->inverse;
    for (int i = 0; i < size * size; i++)
        b[i] = i / size == i % size;
    for (int c = 0; c < size; c++) {
        int pivot = c;
        for (int i = c + 1; i < size; i++)
            if (fabsl(a[i * size + c]) > fabsl(a[pivot * size + c]))
                pivot = i;
        real scale = a[pivot * size + c];
        if (scale == 0)
            return false;
        for (int j = 0; j < size; j++) {
            swap(&a[c * size + j], &a[pivot * size + j]);
            swap(&b[c * size + j], &b[pivot * size + j]);
            a[c * size + j] /= scale;
            b[c * size + j] /= scale;
        }
        for (int i = 0; i < size; i++) {
            real factor = i == c ? 0 : a[i * size + c];
            for (int j = c; j < size; j++)
                a[i * size + j] -= factor * a[c * size + j];
            for (int j = first; j < size; j++)
                b[i * size + j] -= factor * b[c * size + j];
        }
    }
    return true;
}

/* -P_xy / sqrt(P_xx P_yy) for positions x and y of run->inverse. */
static real partial_from_inverse(const struct run *run, int size, int x, int y)
{
    const real *p = run->inverse;
    return -p[x * size + y] / sqrtl(p[x * size + x] * p[y * size + y]);
}

/*
 * Cholesky factor of run->matrix (L in its lower triangle) whose last two variables are x and y
 * and whose others are K: false where K or a variance given K vanishes. *r is the partial
 * correlation by this route, *apart what x leaves of the variance of y.
 */
static bool residuals_exist(struct run *run, int size, real *r, real *apart)
{
    real *a = run->matrix;
    int x = size - 2, y = size - 1;
    for (int j = 0; j < x; j++) {
        if (vanishes(run, a[j * size + j]))
            return false;
        real root = sqrtl(a[j * size + j]);
        for (int i = j; i < size; i++)
            a[i * size + j] /= root;
        for (int k = j + 1; k < size; k++)
            for (int i = k; i < size; i++)
                a[i * size + k] -= a[i * size + j] * a[k * size + j];
    }
    if (vanishes(run, a[x * size + x]) || vanishes(run, a[y * size + y]))
        return false;
    *r = a[y * size + x] / sqrtl(a[x * size + x] * a[y * size + y]);
    *apart = a[y * size + y] * (1 - *r * *r);
    return true;
}

/* The partial correlation of x and y given K. False where it does not exist. */
static bool partial_correlation(struct run *run, int x, int y, const int32_t *set, int k, real *r)
{
    int size = k + 2;
    int32_t index[size];
    memcpy(index, set, (size_t)k * sizeof *index);
    index[k] = x;
    index[k + 1] = y;
    real apart;
    gather(run, index, size);
    if (!residuals_exist(run, size, r, &apart)) {
        run->out->refused_tests++;
        return false;
    }
    /* Where x and y are copies given K, |r| = 1 exists although the inverse does not. */
    if (apart < EPSILON)
        return true;
    gather(run, index, size);
    if (!invert(run, size, k))
        abort();
    *r = partial_from_inverse(run, size, k, k + 1);
    return true;
}

static uint64_t bits(const int32_t *set, int size)
{
    uint64_t all = 0;
    for (int i = 0; i < size; i++)
        all |= UINT64_C(1) << set[i];
    return all;
}

/* A new visit of (x, y): forgets what was asked if S has changed. */
static void look_back(struct run *run, int x, int y, int s)
{
    struct asked *asked = &run->asked[(size_t)x * run->n + y];
    uint64_t now = bits(run->set, s);
    if (asked->s != now)
        asked->count = 0;
    asked->s = now;
}

/* Has x been asked about y given this very set, at the same critical value? If not, it is now. */
static bool ask_again(struct asked *asked, uint64_t given, double critical)
{
    for (int i = 0; i < asked->count; i++)
        if (asked->given[i] == given && asked->critical[i] == critical)
            return true;
    if (asked->count == asked->capacity) {
        asked->capacity = 2 * asked->capacity + 8;
        size_t room = (size_t)asked->capacity;
        asked->given = need(realloc(asked->given, room * sizeof *asked->given));
        asked->critical = need(realloc(asked->critical, room * sizeof *asked->critical));
    }
    asked->given[asked->count] = given;
    asked->critical[asked->count++] = critical;
    return false;
}

/* The p-value of r given k variables. */
static double p_value(const struct run *run, double r, int k)
{
    double df = run->n_obs - k - 2, a = fabs(r);
    if (a >= 1)
        return 0;
    if (run->settings->test == DPC_FISHER_Z)
        return 2 * gsl_cdf_gaussian_Q(atanh(a) * sqrt(df - 1), 1);
    return 2 * gsl_cdf_tdist_Q(a * sqrt(df / (1 - a * a)), df);
}

/* The pair has survived a test given k variables. */
static void note_weakest(struct run *run, int x, int y, real r, int k)
{
    double *weakest = run->out->weakest, p = p_value(run, (double)r, k);
    size_t n = (size_t)run->n, there = x * n + y, back = y * n + x;
    weakest[there] = weakest[back] = fmax(weakest[there], p);
}

/* Counts a test; true where independence is not rejected. */
static bool independent(struct run *run, real r, double critical)
{
    struct reference *out = run->out;
    out->tests++;
    out->distinct++;
    out->least_margin = fmin(out->least_margin, fabs((double)fabsl(r) - critical));
    return fabsl(r) <= critical;
}

/* ---- Recording --------------------------------------------------------- */

static void record_at(struct reference *out, int x, int y, const struct reference_sepset *found)
{
    struct reference_sepset *place = sepset(out, x, y);
    int32_t *members = place->members;
    *place = *found;
    place->members = members;
    memcpy(members, found->members, (size_t)found->size * sizeof *members);
}

static void record(struct run *run, int x, int y, const struct reference_sepset *found)
{
    record_at(run->out, x, y, found);
    record_at(run->out, y, x, found);
}

static void delete_edge(struct run *run, int x, int y)
{
    *cell(run, x, y) = 0;
    *cell(run, y, x) = 0;
}

/* One test of a level; where it separates, *found says how. */
static bool test(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind, int level,
                 struct reference_sepset *found)
{
    bool primal = kind == DPC_SEP_PRIMAL || kind == DPC_SEP_MARGINAL;
    double critical = primal ? run->primal[k] : run->dual[k];
    real r;
    if (isnan(critical) || !partial_correlation(run, x, y, set, k, &r))
        return false;
    if (!independent(run, r, critical)) {
        note_weakest(run, x, y, r, k);
        return false;
    }
    *found = (struct reference_sepset){kind, level, level > 0 ? x : -1, k, (double)r, set};
    return true;
}

/* The same, and whether it was asked before is noted: not counted as distinct then. */
static bool test_noted(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind,
                       int level, struct reference_sepset *found)
{
    int64_t before = run->out->tests;
    double critical = kind == DPC_SEP_PRIMAL ? run->primal[k] : run->dual[k];
    bool separates = test(run, x, y, set, k, kind, level, found);
    if (run->out->tests > before &&
        ask_again(&run->asked[(size_t)x * run->n + y], bits(set, k), critical))
        run->out->distinct--;
    return separates;
}

/* ---- Level 0 (section 3) ----------------------------------------------- */

/* Is the matrix of R over `index` invertible? Leaves the inverse in run->inverse. */
static bool inverse_exists(struct run *run, const int32_t *index, int size)
{
    bool exists = true;
    gather(run, index, size);
    if (!invert(run, size, 0)) {
        vanishes(run, 0);
        exists = false;
    }
    for (int i = 0; exists && i < size; i++)
        if (vanishes(run, 1 / run->inverse[i * size + i]))
            exists = false;
    run->out->refused_inverses += !exists;
    return exists;
}

static void marginal_tests(struct run *run)
{
    struct reference_sepset found;
    for (int x = 0; x < run->n; x++) {
        for (int y = x + 1; y < run->n; y++) {
            if (impossible(run, x, y)) {
                found = (struct reference_sepset){DPC_SEP_FORBIDDEN, 0, -1, 0, NAN, run->set};
                record(run, x, y, &found);
                continue;
            }
            if (!required(run, x, y) && test(run, x, y, run->set, 0, DPC_SEP_MARGINAL, 0, &found)) {
                delete_edge(run, x, y);
                record(run, x, y, &found);
            }
        }
    }
}

/* The full-order test of one pair, given all others that its tier allows. */
static void full_order_test(struct run *run, int x, int y)
{
    int size = 0;
    for (int v = 0; v < run->n; v++)
        if (v != x && v != y && usable(run, x, y, v))
            run->set[size++] = v;
    run->set[size] = x;
    run->set[size + 1] = y;
    if (!enough_samples(run, size) || !inverse_exists(run, run->set, size + 2))
        return;
    real r = partial_from_inverse(run, size + 2, size, size + 1);
    if (!independent(run, r, run->dual[size])) {
        note_weakest(run, x, y, r, size);
        return;
    }
    struct reference_sepset found = {DPC_SEP_FULL_ORDER, 0, -1, size, (double)r, run->set};
    delete_edge(run, x, y);
    record(run, x, y, &found);
}

static void full_order_tests(struct run *run)
{
    int n = run->n;
    if (run->settings->knowledge != NULL) {
        for (int x = 0; x < n; x++)
            for (int y = x + 1; y < n; y++)
                if (!required(run, x, y) && !impossible(run, x, y))
                    full_order_test(run, x, y);
        return;
    }
    if (n < 2 || !enough_samples(run, n - 2))
        return;
    for (int v = 0; v < n; v++)
        run->set[v] = v;
    if (!inverse_exists(run, run->set, n))
        return;
    for (int x = 0; x < n; x++) {
        for (int y = x + 1; y < n; y++) {
            real r = partial_from_inverse(run, n, x, y);
            if (!independent(run, r, run->dual[n - 2])) {
                note_weakest(run, x, y, r, n - 2);
                continue;
            }
            int size = 0;
            for (int v = 0; v < n; v++)
                if (v != x && v != y)
                    run->set[size++] = v;
            struct reference_sepset found = {DPC_SEP_FULL_ORDER, 0, -1, size, (double)r, run->set};
            delete_edge(run, x, y);
            record(run, x, y, &found);
        }
    }
}

/* ---- Levels from 1 (sections 4 and 5) ---------------------------------- */

/* The next subset of {0 … s-1} of size m in lexicographic order; false after the last. */
static bool next_subset(int32_t *position, int m, int s)
{
    int i = m - 1;
    while (i >= 0 && position[i] == s - m + i)
        i--;
    if (i < 0)
        return false;
    position[i]++;
    for (int j = i + 1; j < m; j++)
        position[j] = position[j - 1] + 1;
    return true;
}

static void first_subset(int32_t *position, int m)
{
    for (int i = 0; i < m; i++)
        position[i] = i;
}

/* Splits S into the members at the positions and the others. */
static void split(const int32_t *set, int s, const int32_t *position, int m, int32_t *inside,
                  int32_t *outside)
{
    int taken = 0;
    for (int i = 0; i < s; i++) {
        if (taken < m && position[taken] == i)
            inside[taken++] = set[i];
        else
            outside[i - taken] = set[i];
    }
}

/* Does T exist? It has to be inverted anew for each pair: this twin keeps nothing. */
static bool neighbourhood_inverse_exists(struct run *run, int x, int y, const int32_t *set, int s)
{
    int32_t index[s + 2];
    index[0] = x;
    index[1] = y;
    memcpy(index + 2, set, (size_t)s * sizeof *index);
    return s + 2 < run->n_obs && inverse_exists(run, index, s + 2);
}

/* The dual PC's tests of (x, y) at a level, given S of size s ≥ level. */
static bool dual_separates(struct run *run, int x, int y, int s, int level,
                           struct reference_sepset *found)
{
    int32_t *set = run->set, position[s + 1], inside[s + 1], outside[s + 1];
    bool invertible = neighbourhood_inverse_exists(run, x, y, set, s);
    if (invertible && enough_samples(run, s) &&
        test_noted(run, x, y, set, s, DPC_SEP_FULL_S, level, found))
        return true;
    if (level == s)
        return false;
    int m = 2 * level <= s ? level : s - level;
    first_subset(position, m);
    do {
        split(set, s, position, m, inside, outside);
        memcpy(run->subset, 2 * level <= s ? inside : outside, (size_t)level * sizeof *set);
        if (2 * level <= s
                ? test(run, x, y, run->subset, level, DPC_SEP_PRIMAL, level, found)
                : test_noted(run, x, y, run->subset, level, DPC_SEP_PRIMAL, level, found))
            return true;
        if (2 * level >= s || !invertible || !enough_samples(run, s - level))
            continue;
        memcpy(run->subset, outside, (size_t)(s - level) * sizeof *set);
        if (test_noted(run, x, y, run->subset, s - level, DPC_SEP_DUAL, level, found))
            return true;
    } while (next_subset(position, m, s));
    return false;
}

/* Classic PC's tests of (x, y) at a level, given S of size s ≥ level. */
static bool classic_separates(struct run *run, int x, int y, int s, int level,
                              struct reference_sepset *found)
{
    int32_t position[s + 1], outside[s + 1];
    first_subset(position, level);
    do {
        split(run->set, s, position, level, run->subset, outside);
        if (test(run, x, y, run->subset, level, DPC_SEP_PRIMAL, level, found))
            return true;
    } while (next_subset(position, level, s));
    return false;
}

/* S = adj(x) \ {y} in the given graph, into run->set. Returns its size. */
static int neighbours(struct run *run, const unsigned char *graph, int x, int y)
{
    int s = 0;
    for (int v = 0; v < run->n; v++)
        if (graph[(size_t)x * run->n + v] && v != y && usable(run, x, y, v))
            run->set[s++] = v;
    return s;
}

/*
 * All tests of one ordered pair. `graph` gives the neighbours: the graph at the start of the
 * level (stable) or as it is now (standard). Returns whether the pair asks for another level.
 */
static bool visit_pair(struct run *run, const unsigned char *graph, int x, int y, int level)
{
    if (!graph[(size_t)x * run->n + y] || required(run, x, y))
        return false;
    int s = neighbours(run, graph, x, y);
    if (s < level)
        return false;
    bool dual = run->settings->method == DPC_DUAL;
    struct reference_sepset found;
    look_back(run, x, y, s);
    bool separated = dual ? dual_separates(run, x, y, s, level, &found)
                          : classic_separates(run, x, y, s, level, &found);
    if (separated && run->settings->rule == DPC_RULE_AND) {
        *cell(run, x, y) = 0;
        record_at(run->out, x, y, &found);
    } else if (separated) {
        /* Within a level of the stable variant, the set found from the smaller index is kept. */
        if (*cell(run, x, y))
            record(run, x, y, &found);
        delete_edge(run, x, y);
    }
    return dual ? level < s - 1 : level < s;
}

static bool run_level(struct run *run, int level)
{
    int n = run->n;
    const dpc_settings *settings = run->settings;
    bool by_column = settings->variant == DPC_STANDARD && settings->method == DPC_DUAL;
    unsigned char *start = zeroed((size_t)n * n, 1);
    memcpy(start, run->adjacency, (size_t)n * n);
    bool more = false;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int x = by_column ? j : i, y = by_column ? i : j;
            more |= visit_pair(run, settings->variant == DPC_STABLE ? start : run->adjacency, x, y,
                               level);
        }
    }
    free(start);
    return more;
}

/* ---- The AND rule ----------------------------------------------------- */

/* Of two sets found at the same level: whether the one from x, x < y, came first. */
static bool smaller_first(const dpc_settings *settings)
{
    return settings->variant == DPC_STABLE || settings->method != DPC_DUAL;
}

/* The set of the later end, which record_at is about to overwrite. */
static void keep_second(struct reference *out, int x, int y, const struct reference_sepset *late)
{
    struct reference_sepset *place = out->second + (size_t)x * out->n + y;
    int32_t *members = place->members;
    memcpy(members, late->members, (size_t)late->size * sizeof *members);
    *place = *late;
    place->members = members;
    out->second[(size_t)y * out->n + x] = *place;
}

/* Makes one graph of the lists, and leaves one set for each pair without an edge. */
static void join_lists(struct run *run)
{
    struct reference *out = run->out;
    for (int x = 0; x < run->n; x++) {
        for (int y = x + 1; y < run->n; y++) {
            struct reference_sepset *from_x = sepset(out, x, y), *from_y = sepset(out, y, x);
            if (*cell(run, x, y) || *cell(run, y, x)) {
                out->one_sided += *cell(run, x, y) != *cell(run, y, x);
                *cell(run, x, y) = *cell(run, y, x) = 1;
                from_x->kind = from_y->kind = DPC_SEP_NONE;
                continue;
            }
            if (impossible(run, x, y))
                continue;
            out->apart += from_x->level != from_y->level;
            bool x_first = from_x->level < from_y->level ||
                           (from_x->level == from_y->level && smaller_first(run->settings));
            keep_second(out, x, y, x_first ? from_y : from_x);
            if (x_first)
                record_at(out, y, x, from_x);
            else
                record_at(out, x, y, from_y);
        }
    }
}

/* Pairs of which at least one end lists the other. */
static void count_left(struct run *run)
{
    struct reference *out = run->out;
    int64_t left = 0;
    for (int x = 0; x < run->n; x++)
        for (int y = x + 1; y < run->n; y++)
            left += *cell(run, x, y) || *cell(run, y, x);
    out->left = need(realloc(out->left, ((size_t)out->n_levels + 1) * sizeof *out->left));
    out->left[out->n_levels++] = left;
}

/* ---- Orientation (section 6) ------------------------------------------- */

static bool undirected(const struct run *run, int a, int b)
{
    const unsigned char *g = run->out->adjacency;
    return g[(size_t)a * run->n + b] && g[(size_t)b * run->n + a];
}

static bool directed(const unsigned char *g, int n, int a, int b)
{
    return g[(size_t)a * n + b] && !g[(size_t)b * n + a];
}

static bool arrow(const struct run *run, int a, int b)
{
    return directed(run->out->adjacency, run->n, a, b);
}

static bool adjacent(const struct run *run, int a, int b)
{
    return run->adjacency[(size_t)a * run->n + b];
}

static void orient(struct run *run, int a, int b)
{
    run->out->adjacency[(size_t)a * run->n + b] = 1;
    run->out->adjacency[(size_t)b * run->n + a] = 0;
}

static bool separated_by(const struct run *run, int x, int z, int y)
{
    const struct reference_sepset *s = sepset(run->out, x, z);
    for (int i = 0; i < s->size; i++)
        if (s->members[i] == y)
            return true;
    return false;
}

static void v_structures(struct run *run)
{
    int n = run->n;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            for (int z = 0; z < n && adjacent(run, x, y); z++) {
                if (z != x && adjacent(run, z, y) && !adjacent(run, x, z) &&
                    !separated_by(run, x, z, y) && !impossible(run, x, z) &&
                    !forbidden(run, x, y) && !forbidden(run, z, y)) {
                    orient(run, x, y);
                    orient(run, z, y);
                }
            }
        }
    }
}

/* a → b, b — c, a and c not adjacent: b → c. */
static bool rule_1(struct run *run, int a, int b)
{
    bool changed = false;
    for (int c = 0; c < run->n; c++) {
        if (c != a && undirected(run, b, c) && !adjacent(run, a, c) && !impossible(run, a, c)) {
            orient(run, b, c);
            changed = true;
        }
    }
    return changed;
}

/* a — b and a → c → b: a → b. */
static bool rule_2(struct run *run, int a, int b)
{
    for (int c = 0; c < run->n; c++) {
        if (undirected(run, a, b) && arrow(run, a, c) && arrow(run, c, b)) {
            orient(run, a, b);
            return true;
        }
    }
    return false;
}

/* a — b, a — c → b, a — d → b, c and d not adjacent: a → b. */
static bool rule_3(struct run *run, int a, int b)
{
    for (int c = 0; c < run->n; c++) {
        for (int d = 0; d < c; d++) {
            if (undirected(run, a, b) && undirected(run, a, c) && undirected(run, a, d) &&
                arrow(run, c, b) && arrow(run, d, b) && !adjacent(run, c, d) &&
                !impossible(run, c, d)) {
                orient(run, a, b);
                return true;
            }
        }
    }
    return false;
}

/* a — b, a — c → d → b, a and d adjacent, b and c not: a → b. For background knowledge. */
static bool rule_4(struct run *run, int a, int b)
{
    for (int c = 0; c < run->n; c++) {
        for (int d = 0; d < run->n; d++) {
            if (c != b && undirected(run, a, b) && undirected(run, a, c) && arrow(run, c, d) &&
                arrow(run, d, b) && adjacent(run, a, d) && !adjacent(run, b, c) &&
                !impossible(run, b, c)) {
                orient(run, a, b);
                return true;
            }
        }
    }
    return false;
}

/* What is left one direction. */
static void orient_known(struct run *run)
{
    for (int a = 0; a < run->n; a++)
        for (int b = 0; b < run->n; b++)
            if (a != b && adjacent(run, a, b) && forbidden(run, b, a))
                orient(run, a, b);
}

/* Applies a rule to the edges a → b (or a — b) of the state at its start, column by column. */
static bool apply_rule(struct run *run, bool (*rule)(struct run *, int, int), bool to_arrows)
{
    int n = run->n;
    unsigned char *start = zeroed((size_t)n * n, 1);
    memcpy(start, run->out->adjacency, (size_t)n * n);
    bool changed = false;
    for (int b = 0; b < n; b++) {
        for (int a = 0; a < n; a++) {
            bool both = start[(size_t)a * n + b] && start[(size_t)b * n + a];
            if (to_arrows ? directed(start, n, a, b) : both)
                changed |= rule(run, a, b);
        }
    }
    free(start);
    return changed;
}

static void orient_all(struct run *run)
{
    memcpy(run->out->adjacency, run->adjacency, (size_t)run->n * run->n);
    if (run->settings->graph == DPC_SKELETON)
        return;
    orient_known(run);
    v_structures(run);
    if (run->settings->graph == DPC_PATTERN)
        return;
    bool changed = true;
    while (changed) {
        changed = apply_rule(run, rule_1, true);
        changed |= apply_rule(run, rule_2, false);
        changed |= apply_rule(run, rule_3, false);
        if (run->settings->knowledge != NULL)
            changed |= apply_rule(run, rule_4, false);
    }
}

/* ---- All of it --------------------------------------------------------- */

static struct reference *new_reference(int n)
{
    struct reference *out = zeroed(1, sizeof *out);
    size_t pairs = (size_t)n * n;
    out->n = n;
    out->adjacency = zeroed(pairs, 1);
    out->sepsets = zeroed(pairs, sizeof *out->sepsets);
    out->second = zeroed(pairs, sizeof *out->second);
    out->weakest = zeroed(pairs, sizeof *out->weakest);
    out->members = zeroed(2 * pairs * n, sizeof *out->members);
    for (size_t i = 0; i < pairs; i++) {
        out->sepsets[i] = (struct reference_sepset){.from = -1, .members = out->members + i * n};
        out->second[i] = out->sepsets[i];
        out->second[i].members += pairs * n;
        out->weakest[i] = -1;
    }
    out->least_variance = 1;
    out->least_margin = INFINITY;
    return out;
}

static void learn_skeleton(struct run *run)
{
    const dpc_settings *settings = run->settings;
    int n = run->n;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            *cell(run, x, y) = x != y && !impossible(run, x, y);
    marginal_tests(run);
    if (settings->method != DPC_CLASSIC)
        full_order_tests(run);
    count_left(run);
    bool more = true;
    for (int level = 1; more && level <= settings->max_order; level++) {
        more = run_level(run, level);
        count_left(run);
    }
    if (settings->rule == DPC_RULE_AND)
        join_lists(run);
}

struct reference *reference_learn(const dpc_correlation *correlation, const dpc_settings *settings)
{
    int n = dpc_correlation_n_vars(correlation);
    struct run run = {
        .n = n,
        .n_obs = (double)dpc_correlation_n_obs(correlation),
        .r = dpc_correlation_values(correlation),
        .settings = settings,
        .out = new_reference(n),
        .adjacency = zeroed((size_t)n * n, 1),
        .asked = zeroed((size_t)n * n, sizeof(struct asked)),
        .matrix = zeroed((size_t)n * n, sizeof(real)),
        .inverse = zeroed((size_t)n * n, sizeof(real)),
        .set = zeroed((size_t)n, sizeof(int32_t)),
        .subset = zeroed((size_t)n, sizeof(int32_t)),
    };
    run.primal = critical_values(&run, settings->alpha);
    run.dual =
        critical_values(&run, settings->alpha_dual > 0 ? settings->alpha_dual : settings->alpha);
    learn_skeleton(&run);
    orient_all(&run);
    for (int i = 0; i < n * n; i++) {
        free(run.asked[i].given);
        free(run.asked[i].critical);
    }
    free(run.asked);
    free(run.adjacency);
    free(run.matrix);
    free(run.inverse);
    free(run.set);
    free(run.subset);
    free(run.primal);
    free(run.dual);
    return run.out;
}

void reference_free(struct reference *reference)
{
    if (reference == NULL)
        return;
    free(reference->adjacency);
    free(reference->sepsets);
    free(reference->second);
    free(reference->weakest);
    free(reference->members);
    free(reference->left);
    free(reference);
}

dpc_mark reference_mark(const struct reference *reference, int a, int b)
{
    size_t n = (size_t)reference->n;
    bool out = reference->adjacency[(size_t)a * n + b],
         in = reference->adjacency[(size_t)b * n + a];
    if (out && in)
        return DPC_UNDIRECTED;
    return out ? DPC_FORWARD : in ? DPC_BACKWARD : DPC_NONE;
}
