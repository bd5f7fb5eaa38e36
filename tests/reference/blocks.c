/*
 * Variables that are several columns. A test is Wilks' lambda with Rao's F, from determinants that
 * are made anew for each test out of the columns themselves; where there are codes, a test given
 * nothing or a primal set of at most two variables is G² with adjusted degrees of freedom.
 *
 * A column that those before it determine is left out: within a variable below 1e-9, given others
 * below 1e-8. Whether an inverse exists is asked with 1e-10, as for single columns.
 */
#include "run.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ref_blocks {
    int m;
    int *first;   /* n + 1 */
    int *lead;    /* n; NULL: all */
    real *r;      /* m × m: the orthonormal columns */
    real *factor; /* scratch: rows of up to m numbers, m + 1 of them */
    int n_obs, *levels;
    const unsigned char *codes;
};

/* ---- From columns to R ---- */

static void centre(real *x, int64_t n)
{
    real mean = 0;
    for (int64_t i = 0; i < n; i++)
        mean += x[i] / (real)n;
    for (int64_t i = 0; i < n; i++)
        x[i] -= mean;
}

static real product(const real *x, const real *y, int64_t n)
{
    real sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

struct ref_blocks *ref_blocks_new(const struct reference_input *input)
{
    const struct reference_columns *in = input->columns;
    int64_t n_obs = input->n_obs;
    int n = input->n, all = in->first[n];
    struct ref_blocks *b = ref_zeroed(1, sizeof *b);
    real *q = ref_zeroed((size_t)all * (size_t)n_obs, sizeof *q);
    b->first = ref_zeroed((size_t)n + 1, sizeof *b->first);
    b->n_obs = (int)n_obs;
    b->codes = in->codes;
    b->levels = ref_zeroed((size_t)n, sizeof *b->levels);
    b->lead = in->lead != NULL ? ref_zeroed((size_t)n, sizeof *b->lead) : NULL;
    for (int v = 0; v < n; v++) {
        b->first[v] = b->m;
        b->levels[v] = in->codes != NULL ? in->levels[v] : 0;
        for (int c = in->first[v]; c < in->first[v + 1]; c++) {
            real *x = q + (int64_t)b->m * n_obs;
            for (int64_t i = 0; i < n_obs; i++)
                x[i] = in->values[c * n_obs + i];
            real size = product(x, x, n_obs);
            centre(x, n_obs);
            real before = product(x, x, n_obs);
            for (int j = b->first[v]; j < b->m && before > 0; j++) {
                real *y = q + (int64_t)j * n_obs, with = product(x, y, n_obs);
                for (int64_t i = 0; i < n_obs; i++)
                    x[i] -= with * y[i];
            }
            real left = product(x, x, n_obs), scale = sqrtl(left);
            if (!(left > 1e-9L * before) || !(before > 1e-30L * size)) /* or constant */
                continue;
            for (int64_t i = 0; i < n_obs; i++)
                x[i] /= scale;
            b->m++;
        }
        if (b->lead != NULL)
            b->lead[v] = in->lead[v];
    }
    b->first[n] = b->m;
    b->r = ref_zeroed((size_t)b->m * (size_t)b->m, sizeof *b->r);
    b->factor = ref_zeroed((size_t)(b->m + 1) * (size_t)(b->m + 1), sizeof *b->factor);
    for (int i = 0; i < b->m; i++)
        for (int j = 0; j < b->m; j++)
            b->r[i * b->m + j] = product(q + i * n_obs, q + j * n_obs, n_obs);
    free(q);
    return b;
}

void ref_blocks_free(struct ref_blocks *b)
{
    if (b == NULL)
        return;
    free(b->first);
    free(b->lead);
    free(b->levels);
    free(b->r);
    free(b->factor);
    free(b);
}

static int width_of(const struct run *run, int v)
{
    return run->blocks->first[v + 1] - run->blocks->first[v];
}

static int columns_of(const struct run *run, const int32_t *variables, int count, int *to)
{
    int columns = 0;
    for (int i = 0; i < count; i++)
        for (int c = run->blocks->first[variables[i]]; c < run->blocks->first[variables[i] + 1];
             c++)
            to[columns++] = c;
    return columns;
}

/* ---- Determinants ---- */

/* Notes how near a pivot was to the number that decides whether its column takes part. */
static void note_pivot(struct run *run, real pivot)
{
    struct reference *out = run->out;
    if (pivot < 1e-8L)
        out->largest_refused = fmax(out->largest_refused, (double)fabsl(pivot) / 100);
    else
        out->least_variance = fmin(out->least_variance, (double)pivot / 10);
}

/*
 * Adds column c to the Cholesky factor over the `kept` columns before it, unless these determine
 * it: true, and its pivot.
 */
static bool add(struct run *run, int *column, int kept, int c, real least, real *pivot)
{
    struct ref_blocks *b = run->blocks;
    real *row = b->factor + (size_t)kept * (size_t)(b->m + 1), left = b->r[c * b->m + c];
    for (int j = 0; j < kept; j++) {
        const real *above = b->factor + (size_t)j * (size_t)(b->m + 1);
        real entry = b->r[c * b->m + column[j]];
        for (int l = 0; l < j; l++)
            entry -= row[l] * above[l];
        row[j] = entry / above[j];
        left -= row[j] * row[j];
    }
    *pivot = left;
    if (left < least)
        return false;
    row[kept] = sqrtl(left);
    column[kept] = c;
    return true;
}

/* ln det of columns given the first `kept`; those that the set determines are taken out. */
static real log_det(struct run *run, int *column, int kept, int *some, int *count, bool joint)
{
    real sum = 0, pivot;
    int left = 0;
    for (int i = 0; i < *count; i++) {
        bool there = add(run, column, kept + left, some[i], joint ? -1 : 1e-8L, &pivot);
        if (joint && pivot < 1e-14L) { /* a function of the other: as dependent as can be told */
            pivot = 1e-14L;
            run->blocks
                ->factor[(size_t)(kept + left) * (size_t)(run->blocks->m + 1) + kept + left] =
                1e-7L;
            column[kept + left] = some[i];
        }
        if (!joint)
            note_pivot(run, pivot);
        if (!there && !joint)
            continue;
        sum += logl(pivot);
        some[left++] = some[i];
    }
    *count = left;
    return sum;
}

/* ---- One test ---- */

/* P(F > f) of Rao's F; NaN: nothing is left of x or y. */
static double rao(struct run *run, int *column, int kept, int *x, int p, int *y, int q, double *lnl)
{
    int m = run->blocks->m, both[m + 1];
    real det_x = log_det(run, column, kept, x, &p, false);
    real det_y = log_det(run, column, kept, y, &q, false);
    if (p == 0 || q == 0)
        return NAN;
    memcpy(both, x, (size_t)p * sizeof *both);
    memcpy(both + p, y, (size_t)q * sizeof *both);
    int all = p + q;
    real log_lambda = fminl(0, log_det(run, column, kept, both, &all, true) - det_x - det_y);
    double pq = (double)p * q, squares = p * p + q * q;
    double s = squares <= 5 || pq <= 2 ? 1 : sqrt((pq * pq - 4) / (squares - 5));
    double df2 = (run->n_obs - 1 - kept - (p + q + 1) / 2.) * s - pq / 2 + 1;
    double f = (double)expm1l(-log_lambda / (real)s) * df2 / pq;
    *lnl = (double)log_lambda / (p < q ? p : q);
    return gsl_cdf_fdist_Q(f, pq, df2);
}

static double block_p(struct run *run, int x, int y, const int32_t *set, int k, double *r)
{
    struct ref_blocks *b = run->blocks;
    int column[b->m + 1], given[b->m + 1], xs[b->m + 1], ys[b->m + 1], kept = 0;
    int columns = columns_of(run, set, k, given);
    int32_t vx = x, vy = y;
    real pivot;
    for (int i = 0; i < columns; i++) {
        kept += add(run, column, kept, given[i], 1e-8L, &pivot);
        note_pivot(run, pivot);
    }
    int p = columns_of(run, &vx, 1, xs), q = columns_of(run, &vy, 1, ys);
    int lead_x = b->lead != NULL && b->lead[x] < p ? b->lead[x] : p;
    int lead_y = b->lead != NULL && b->lead[y] < q ? b->lead[y] : q;
    double one, lnl, value;
    if (lead_x == p && lead_y == q) {
        value = rao(run, column, kept, xs, p, ys, q, &lnl);
    } else {
        double other;
        value = rao(run, column, kept, xs, lead_x, ys, q, &lnl);
        columns_of(run, &vx, 1, xs);
        columns_of(run, &vy, 1, ys);
        one = rao(run, column, kept, xs, p, ys, lead_y, &other);
        if (isnan(one) || isnan(value))
            return NAN;
        lnl = one < value ? other : lnl;
        value = fmin(1, 2 * fmin(one, value));
    }
    *r = sqrt(fmax(0, -expm1(lnl)));
    return value;
}

/* ---- By counts ---- */

static bool is_coded(const struct run *run, int x, int y, const int32_t *set, int k)
{
    const int *levels = run->blocks->levels;
    bool all = levels[x] > 0 && levels[y] > 0 && k <= 2;
    for (int i = 0; i < k && all; i++)
        all = levels[set[i]] > 0;
    return all;
}

/* NaN: no degree of freedom. */
static double counted_p(struct run *run, int x, int y, const int32_t *set, int k, double *r)
{
    const struct ref_blocks *b = run->blocks;
    int n = b->n_obs, first = k > 0 ? b->levels[set[0]] : 1, second = k > 1 ? b->levels[set[1]] : 1;
    const unsigned char *cx = b->codes + (size_t)x * n, *cy = b->codes + (size_t)y * n,
                        *c0 = k > 0 ? b->codes + (size_t)set[0] * n : NULL,
                        *c1 = k > 1 ? b->codes + (size_t)set[1] * n : NULL;
    real g2 = 0;
    double df = 0;
    for (int s = 0; s < first; s++)
        for (int t = 0; t < second; t++) {
            int cells[b->levels[x]][b->levels[y]], rows = 0, columns = 0, total = 0;
            memset(cells, 0, sizeof cells);
            for (int i = 0; i < n; i++)
                if ((c0 == NULL || c0[i] == s) && (c1 == NULL || c1[i] == t)) {
                    cells[cx[i]][cy[i]]++;
                    total++;
                }
            for (int i = 0; i < b->levels[x]; i++) {
                int row = 0;
                for (int j = 0; j < b->levels[y]; j++)
                    row += cells[i][j];
                rows += row > 0;
                for (int j = 0; j < b->levels[y]; j++) {
                    int column = 0;
                    for (int l = 0; l < b->levels[x]; l++)
                        column += cells[l][j];
                    columns += i == 0 && column > 0;
                    if (cells[i][j] > 0)
                        g2 += 2 * (real)cells[i][j] *
                              logl((real)cells[i][j] * total / ((real)row * column));
                }
            }
            df += total > 0 ? (double)(rows - 1) * (columns - 1) : 0;
        }
    int p = width_of(run, x), q = width_of(run, y), least = p < q ? p : q;
    *r = least > 0 ? sqrt(fmax(0, -expm1((double)-g2 / run->n_obs / least))) : 0;
    return df > 0 ? gsl_cdf_chisq_Q((double)fmaxl(g2, 0), df) : NAN;
}

/* ---- A test of a level ---- */

/* May it be made, by the number of its columns? */
static bool is_allowed(const struct run *run, int x, int y, const int32_t *set, int k, bool dual)
{
    int columns = width_of(run, x) + width_of(run, y);
    for (int i = 0; i < k; i++)
        columns += width_of(run, set[i]);
    return columns > 0 && run->n_obs - 1 - columns >= fmax(3, dual ? run->settings->min_ess : 0);
}

bool ref_block_test(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind,
                    int level, struct reference_sepset *found)
{
    const dpc_settings *s = run->settings;
    struct reference *out = run->out;
    bool dual = kind != DPC_SEP_PRIMAL && kind != DPC_SEP_MARGINAL;
    double alpha = dual && s->alpha_dual > 0 ? s->alpha_dual : s->alpha, p = NAN, r = 0;
    if (level == 0 && (width_of(run, x) == 0 || width_of(run, y) == 0)) {
        p = 1; /* a constant is independent of all */
    } else {
        if (!dual && is_coded(run, x, y, set, k))
            p = counted_p(run, x, y, set, k, &r);
        if (isnan(p) && is_allowed(run, x, y, set, k, dual))
            p = block_p(run, x, y, set, k, &r);
    }
    if (isnan(p))
        return false;
    out->tests++;
    out->least_margin = fmin(out->least_margin, fabs(log(fmax(p, 1e-300) / alpha)));
    if (!(p > alpha))
        return false;
    *found = (struct reference_sepset){kind, level, level > 0 ? x : -1, k, r, set};
    return true;
}

/* Is there an inverse of R over the columns of some variables? */
bool ref_block_inverse_exists(struct run *run, const int32_t *index, int size)
{
    int m = run->blocks->m, given[m + 1], column[m + 1],
        columns = columns_of(run, index, size, given);
    real pivot;
    if (columns >= run->n_obs)
        return false;
    for (int last = 0; last < columns;
         last++) { /* each of them last: what all others leave of it */
        for (int i = 0; i < columns; i++) {
            int c = given[i == columns - 1 ? last : i < last ? i : i + 1];
            if (!add(run, column, i, c, 1e-10L, &pivot))
                pivot = fminl(pivot, 0);
            if (pivot > 0 && pivot < 1e-6L)
                run->out->least_variance = fmin(run->out->least_variance, (double)pivot / 10);
            if (!(pivot >= 1e-10L)) {
                run->out->refused_inverses++;
                return false;
            }
        }
    }
    return true;
}

void ref_block_full_order(struct run *run)
{
    struct reference_sepset found;
    for (int x = 0; x < run->n; x++)
        for (int y = x + 1; y < run->n; y++) {
            int size = 0;
            for (int v = 0; v < run->n; v++)
                if (v != x && v != y && ref_usable(run, x, y, v))
                    run->set[size++] = v;
            if (!ref_required(run, x, y) && !ref_impossible(run, x, y) &&
                is_allowed(run, x, y, run->set, size, true) &&
                ref_block_test(run, x, y, run->set, size, DPC_SEP_FULL_ORDER, 0, &found)) {
                ref_delete_edge(run, x, y);
                ref_record(run, x, y, &found);
            }
        }
}
