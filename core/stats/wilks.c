/* Wilks' Λ with Rao's F: see wilks.h. */
#include "wilks.h"

#include "alloc.h"
#include "distribution.h"
#include "far_quantile.h"
#include "linalg.h"

#include <math.h>
#include <string.h>

static const double FEWEST_ROWS = 3; /* N - 1 - w - p - q must leave so many */
static const double GONE = 1e-8;     /* a pivot below this is none: the column is determined */
static const double LEAST = 1e-14;   /* and of the joint determinant no pivot is smaller */

/* ---- Rao's F ---- */

bool dpc_wilks_allowed(int64_t n_obs, int p, int q, int64_t w, double least)
{
    return p > 0 && q > 0 && (double)(n_obs - 1 - w - p - q) >= fmax(FEWEST_ROWS, least);
}

typedef struct shape {
    double s, df1, df2;
} shape;

static shape shape_of(int p, int q, int64_t w, int64_t n_obs)
{
    double pq = (double)p * q, squares = (double)p * p + (double)q * q;
    double s = squares <= 5 || pq <= 2 ? 1 : sqrt((pq * pq - 4) / (squares - 5));
    double m = (double)(n_obs - 1 - w) - (p + q + 1) / 2.;
    return (shape){s, pq, m * s - pq / 2 + 1};
}

/* ln P(F > f) where that is too small to be a number: the continued fraction of the beta function,
 * I_x(a, b) with x = df2 / (df2 + df1 f), a = df2 / 2, b = df1 / 2, by Lentz' method. */
static double log_tail(double f, double df1, double df2)
{
    const double tiny = 1e-300;
    double a = df2 / 2, b = df1 / 2, x = df2 / (df2 + df1 * f);
    double log_rest = -log1p(df2 / (df1 * f)); /* ln (1 - x) */
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
    for (int i = 1; i < 500; i++) {
        double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        for (int k = 0; k < 2; k++) {
            double step = k == 0 ? even : odd;
            d = 1 / fmax(1 + step * d, tiny);
            c = fmax(1 + step / c, tiny);
            h *= c * d;
        }
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    int sign;
    double log_beta = lgamma_r(a, &sign) + lgamma_r(b, &sign) - lgamma_r(a + b, &sign);
    return a * log(x) + b * log_rest - log(a) - log_beta + log(h);
}

/* The z of a two-sided p-value that is `times` P(F > f). */
static double quantile_of(double p, double times, double f, double df1, double df2)
{
    const double far = 1e-280;
    double both = fmin(1, times * p);
    if (both > far)
        return dpc_normal_from_tail(both / 2);
    return isinf(f) ? 1e8 : dpc_far_quantile(log_tail(f, df1, df2) + log(times / 2));
}

dpc_rao dpc_rao_of(dpc_wilks v, int64_t n_obs)
{
    shape sh = shape_of(v.p, v.q, v.w, n_obs);
    dpc_rao out = {.f = NAN, .df1 = sh.df1, .df2 = sh.df2, .p = NAN, .z = NAN};
    if (isnan(v.log_lambda) || !dpc_wilks_allowed(n_obs, v.p, v.q, v.w, 0))
        return out;
    out.f = expm1(-v.log_lambda / sh.s) * sh.df2 / sh.df1;
    out.p = dpc_f_tail(out.f, sh.df1, sh.df2);
    out.z = quantile_of(out.p, 1, out.f, sh.df1, sh.df2);
    return out;
}

/* A first guess of the critical -ln Λ: Wilson and Hilferty's quantile of chi-square over M. */
static double guess_critical(double alpha, double df1, double m)
{
    double k = 2 / (9 * df1), root = fmax(1 - k + dpc_normal_from_tail(alpha) * sqrt(k), 0.01);
    return df1 * root * root * root / fmax(m, 1);
}

/*
 * Secants of ln P, which is nearly straight in -ln Λ, with slope -M/2; halving where one leads out
 * of what is known to enclose the critical value.
 */
double dpc_rao_critical(double alpha, int p, int q, int64_t w, int64_t n_obs)
{
    if (!dpc_wilks_allowed(n_obs, p, q, w, 0))
        return NAN;
    shape sh = shape_of(p, q, w, n_obs);
    double m = (double)(n_obs - 1 - w) - (p + q + 1) / 2., low = 0, high = INFINITY;
    double c = guess_critical(alpha, sh.df1, m), before = NAN, value_before = NAN;
    for (int i = 0; i < 200; i++) {
        double f = expm1(c / sh.s) * sh.df2 / sh.df1;
        double value = log(dpc_f_tail(f, sh.df1, sh.df2) / alpha);
        if (value > 0)
            low = c;
        else
            high = c;
        double slope = isnan(before) ? -m / 2 : (value - value_before) / (c - before);
        double next = c - value / slope;
        if (!(next > low && next < high) || isinf(value_before))
            next = isinf(high) ? 2 * c : (low + high) / 2;
        if (value == 0 || fabs(next - c) <= 1e-14 * c)
            return value == 0 ? c : next;
        before = c;
        value_before = value;
        c = next;
    }
    return c;
}

/* ---- Critical values that are kept ---- */

dpc_status dpc_rao_table_init(int64_t n_obs, double alpha, const dpc_blocks *blocks,
                              dpc_rao_table *out)
{
    enum { MOST_WIDTH = 12, MOST_GIVEN = 2000, STEPS = 64 };
    dpc_rao_table t = {.n_obs = n_obs, .alpha = alpha, .widest = 1};
    for (int v = 0; v < blocks->n; v++)
        if (dpc_block_width(blocks, v) > t.widest)
            t.widest = dpc_block_width(blocks, v);
    t.widest = t.widest < MOST_WIDTH ? t.widest : MOST_WIDTH;
    t.most = blocks->m < MOST_GIVEN ? blocks->m : MOST_GIVEN;
    t.step = (n_obs - t.most) / STEPS;
    t.bounds = dpc_zalloc((int64_t)t.widest * t.widest * (t.most + 1), sizeof *t.bounds);
    *out = t;
    return t.bounds != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_rao_table_clear(dpc_rao_table *table)
{
    free(table->bounds);
    *table = (dpc_rao_table){0};
}

/* Λ beyond which a test is clear, given the critical -ln Λ. */
static dpc_rao_bounds bounds_of(double c)
{
    const double clear = 1e-6; /* rounding moves ln Λ by less, relative to 1 + c */
    return (dpc_rao_bounds){c, exp(-c - clear * (1 + c)), exp(-c + clear * (1 + c))};
}

dpc_rao_bounds dpc_rao_table_at(dpc_rao_table *t, int p, int q, int64_t w)
{
    if (p < 1 || q < 1 || p > t->widest || q > t->widest || w > t->most)
        return bounds_of(dpc_rao_critical(t->alpha, p, q, w, t->n_obs));
    int low = p < q ? p : q, high = p < q ? q : p;
    dpc_rao_bounds *kept =
        t->bounds + ((int64_t)(low - 1) * t->widest + high - 1) * (t->most + 1) + w;
    if (kept->critical == 0)
        *kept = bounds_of(dpc_rao_critical(t->alpha, p, q, w, t->n_obs));
    return *kept;
}

double dpc_rao_table_dependent(dpc_rao_table *t, int p, int q, int64_t w)
{
    int64_t above = w;
    if (t->step > 1) {
        above = (w + t->step - 1) / t->step * t->step;
        above = dpc_wilks_allowed(t->n_obs, p, q, above, 0) ? above : w;
    }
    return dpc_rao_table_at(t, p, q, above).dependent;
}

/* ---- Determinants ---- */

/* The product of the pivots from `first` to `end` - 1 of a, whose lower triangle is eliminated from
 * `start` on; NaN: a pivot is too small. */
static double eliminate(double *a, int order, int start, int first, int end)
{
    double product = 1;
    for (int k = start; k < end; k++) {
        double *row = a + k * order, pivot = row[k];
        if (!(pivot >= GONE))
            return NAN;
        product *= k >= first ? pivot : 1;
        for (int i = k + 1; i < end; i++) {
            double factor = a[i * order + k] / pivot;
            for (int j = k + 1; j <= i; j++)
                a[i * order + j] -= factor * a[j * order + k];
        }
    }
    return product;
}

double dpc_lambda_of(const double *w, int p, int q, double *room)
{
    int order = p + q;
    memcpy(room, w, (size_t)order * (size_t)order * sizeof *room);
    double y = eliminate(room, order, p, p, order);
    memcpy(room, w, (size_t)order * (size_t)order * sizeof *room);
    return eliminate(room, order, 0, p, order) / y;
}

/*
 * The Cholesky factor of some columns of a, `order` apart, into `to`, without those whose pivot is
 * below a tolerance; `columns` keeps the others. Returns ln det.
 */
static double log_det_of(const double *a, int order, int *columns, int *count, double tolerance,
                         double *to)
{
    double sum = 0;
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        int c = columns[i];
        double *row = to + kept * order, left = a[c * order + c];
        for (int j = 0; j < kept; j++) {
            const double *above = to + j * order;
            double entry = a[c * order + columns[j]];
            for (int l = 0; l < j; l++)
                entry -= row[l] * above[l];
            row[j] = entry / above[j];
            left -= row[j] * row[j];
        }
        if (tolerance == 0)
            left = fmax(left, LEAST);
        else if (!(left >= tolerance))
            continue;
        row[kept] = sqrt(left);
        columns[kept++] = c;
        sum += log(left);
    }
    *count = kept;
    return sum;
}

/* ln Λ of columns from_x … from_x + p - 1 with those from from_y on. */
static dpc_wilks ratio(const double *w, int order, int p, int from_y, int q, int64_t given,
                       double *room)
{
    int columns[order + 1], *x = columns, *y = columns + p;
    for (int i = 0; i < p; i++)
        x[i] = i;
    for (int i = 0; i < q; i++)
        y[i] = from_y + i;
    double det_x = log_det_of(w, order, x, &p, GONE, room);
    double det_y = log_det_of(w, order, y, &q, GONE, room);
    if (p == 0 || q == 0)
        return (dpc_wilks){.log_lambda = NAN, .p = p, .q = q, .w = given};
    memmove(x + p, y, (size_t)q * sizeof *y);
    int all = p + q;
    double det = log_det_of(w, order, columns, &all, 0, room);
    return (dpc_wilks){fmin(0, det - det_x - det_y), p, q, given};
}

void dpc_wilks_from(double *w, int p, int q, int lead_x, int lead_y, int64_t given, double *room,
                    dpc_wilks out[2], int *count)
{
    int order = p + q;
    *count = 1 + (lead_x < p || lead_y < q);
    out[0] = ratio(w, order, *count == 1 ? p : lead_x, p, q, given, room);
    if (*count == 2)
        out[1] = ratio(w, order, p, p, lead_y, given, room);
}

dpc_block_answer dpc_answer_of(const dpc_wilks *part, int count, int64_t n_obs, double least)
{
    dpc_block_answer a = {.wilks = part[0], .equations = count};
    for (int i = 0; i < count; i++)
        if (isnan(part[i].log_lambda) ||
            !dpc_wilks_allowed(n_obs, part[i].p, part[i].q, part[i].w, least)) {
            a.wilks.log_lambda = a.p = a.z = a.r = NAN;
            a.rao = dpc_rao_of(a.wilks, n_obs);
            return a;
        }
    a.rao = dpc_rao_of(part[0], n_obs);
    for (int i = 1; i < count; i++) {
        dpc_rao other = dpc_rao_of(part[i], n_obs);
        if (other.z > a.rao.z) {
            a.rao = other;
            a.wilks = part[i];
        }
    }
    a.p = fmin(1, count * a.rao.p);
    a.z = count == 1 ? a.rao.z : quantile_of(a.rao.p, count, a.rao.f, a.rao.df1, a.rao.df2);
    a.r = dpc_association(a.wilks.log_lambda, a.wilks.p < a.wilks.q ? a.wilks.p : a.wilks.q);
    return a;
}

bool dpc_block_inverse(double *a, int order)
{
    for (int k = 0; k < order; k++) {
        double pivot = a[k * order + k];
        if (!(pivot >= GONE))
            return false;
        a[k * order + k] = 1;
        for (int j = 0; j < order; j++)
            a[k * order + j] /= pivot;
        for (int i = 0; i < order; i++) {
            double factor = i != k ? a[i * order + k] : 0;
            if (i == k)
                continue;
            a[i * order + k] = 0;
            for (int j = 0; j < order; j++)
                a[i * order + j] -= factor * a[k * order + j];
        }
    }
    return true;
}

/* ---- The direct way ---- */

/* W over x and y given the set: what the direct way makes for one question. */
typedef struct given {
    const dpc_blocks *blocks;
    int64_t ld;     /* columns of all three */
    int64_t kept;   /* columns of the set that take part */
    int p, q;       /* columns of x and y */
    double *factor; /* rows over the kept columns: of these, then of x and y */
    double *w;      /* p + q; and room behind it */
    int32_t *column;
} given;

/* A row of the factor: column c over the columns that are kept; returns what is left of it. */
static double reduce(const given *g, int c, double *row)
{
    const double *r = g->blocks->r + (int64_t)c * g->blocks->m;
    double left = 1;
    for (int64_t j = 0; j < g->kept; j++) {
        const double *above = g->factor + j * g->ld;
        double sum = r[g->column[j]];
        for (int64_t l = 0; l < j; l++)
            sum -= row[l] * above[l];
        row[j] = sum / above[j];
        left -= row[j] * row[j];
    }
    return left;
}

static void keep_set(given *g, const int32_t *set, int k)
{
    for (int i = 0; i < k; i++)
        for (int c = g->blocks->first[set[i]]; c < g->blocks->first[set[i] + 1]; c++) {
            double *row = g->factor + g->kept * g->ld, left = reduce(g, c, row);
            if (!(left >= GONE))
                continue;
            row[g->kept] = sqrt(left);
            g->column[g->kept++] = c;
        }
}

/* Column i of x and y. */
static int column_of(const given *g, int x, int y, int i)
{
    return i < g->p ? g->blocks->first[x] + i : g->blocks->first[y] + i - g->p;
}

static void make_w(given *g, int x, int y)
{
    int order = g->p + g->q;
    double *rows = g->factor + g->kept * g->ld;
    for (int i = 0; i < order; i++) {
        int c = column_of(g, x, y, i);
        double *row = rows + i * g->ld;
        g->w[i * order + i] = reduce(g, c, row);
        for (int j = 0; j < i; j++) {
            const double *other = rows + j * g->ld;
            double sum = g->blocks->r[(int64_t)c * g->blocks->m + column_of(g, x, y, j)];
            for (int64_t l = 0; l < g->kept; l++)
                sum -= row[l] * other[l];
            g->w[i * order + j] = g->w[j * order + i] = sum;
        }
    }
}

dpc_status dpc_direct_reserve(dpc_direct *d, int64_t columns, int64_t pair)
{
    int64_t need = columns * columns + 3 * pair * pair + columns;
    double *scratch = dpc_make_room(d->scratch, &d->room, need, sizeof *scratch);
    d->scratch = scratch != NULL ? scratch : d->scratch;
    return scratch != NULL ? DPC_OK : DPC_NO_MEMORY;
}

/* W into `direct`'s memory; y below 0: there is only x. */
static dpc_status condition(dpc_direct *d, int x, int y, const int32_t *set, int k, given *g)
{
    const dpc_blocks *blocks = d->view->blocks;
    *g = (given){.blocks = blocks,
                 .p = dpc_block_width(blocks, x),
                 .q = y >= 0 ? dpc_block_width(blocks, y) : 0};
    int64_t order = (int64_t)g->p + g->q, columns = order;
    for (int i = 0; i < k; i++)
        columns += dpc_block_width(blocks, set[i]);
    g->ld = columns;
    DPC_CHECK(dpc_direct_reserve(d, columns, order));
    g->factor = d->scratch;
    g->w = d->scratch + columns * columns;
    g->column = (int32_t *)(g->w + 3 * order * order);
    keep_set(g, set, k);
    make_w(g, x, y);
    return DPC_OK;
}

dpc_status dpc_direct_blocks(dpc_direct *d, int x, int y, const int32_t *set, int k, double least,
                             dpc_block_answer *out)
{
    given g;
    dpc_wilks part[2];
    int count;
    DPC_CHECK(condition(d, x, y, set, k, &g));
    int order = g.p + g.q;
    double sign = order == 2 && dpc_blocks_signed(g.blocks, x, y) ? g.w[1] : 1;
    dpc_wilks_from(g.w, g.p, g.q, dpc_lead_of(g.blocks, x), dpc_lead_of(g.blocks, y), g.kept,
                   g.w + order * order, part, &count);
    *out = dpc_answer_of(part, count, d->view->n_obs, least);
    out->r = copysign(out->r, sign);
    return DPC_OK;
}

dpc_status dpc_direct_left(dpc_direct *d, int v, const int32_t *set, int k, bool lead,
                           double *log_det)
{
    given g;
    DPC_CHECK(condition(d, v, -1, set, k, &g));
    int p = lead ? dpc_lead_of(g.blocks, v) : g.p, kept = p, columns[p + 1];
    for (int i = 0; i < p; i++)
        columns[i] = i;
    *log_det = log_det_of(g.w, g.p, columns, &kept, GONE, g.w + g.p * g.p);
    if (kept < p)
        *log_det = NAN;
    return DPC_OK;
}

/* ---- By counts ---- */

dpc_status dpc_direct_reserve_counts(dpc_direct *d)
{
    int64_t need = dpc_g2_room(d->view->blocks);
    int32_t *tally = need > 0 ? dpc_make_room(d->tally, &d->tally_room, need, sizeof *tally) : NULL;
    d->tally = tally != NULL ? tally : d->tally;
    return need == 0 || tally != NULL ? DPC_OK : DPC_NO_MEMORY;
}

static dpc_block_answer answer_by_counts(const dpc_view *view, int x, int y, dpc_g2 g2)
{
    const dpc_blocks *b = view->blocks;
    int p = dpc_block_width(b, x), q = dpc_block_width(b, y);
    return (dpc_block_answer){
        .wilks = {.log_lambda = NAN, .p = p, .q = q},
        .rao = {.f = NAN, .df1 = NAN, .df2 = NAN, .p = NAN, .z = NAN},
        .equations = 1,
        .p = g2.p,
        .z = g2.z,
        .r = dpc_association(-g2.g2 / (double)view->n_obs, p < q ? p : q),
        .g2 = g2,
    };
}

dpc_status dpc_direct_primal(dpc_direct *d, int x, int y, const int32_t *set, int k,
                             dpc_block_answer *out)
{
    const dpc_blocks *blocks = d->view->blocks;
    if (dpc_g2_applies(blocks, x, y, set, k)) {
        DPC_CHECK(dpc_direct_reserve_counts(d));
        dpc_g2 g2 = dpc_g2_of(blocks, x, y, set, k, d->tally);
        if (g2.df > 0) {
            *out = answer_by_counts(d->view, x, y, g2);
            return DPC_OK;
        }
    }
    return dpc_direct_blocks(d, x, y, set, k, 0, out);
}

/* ---- Canonical correlations ---- */

/* Rows from_y … of W over x, reduced by the factor of y, then of x: C, p × q, with CᵀC what is
 * asked. */
static void whiten(const double *w, int order, const int *x, int p, const double *fx, const int *y,
                   int q, const double *fy, double *c)
{
    for (int i = 0; i < p; i++)
        for (int j = 0; j < q; j++) {
            double sum = w[x[i] * order + y[j]];
            for (int l = 0; l < j; l++)
                sum -= c[i * q + l] * fy[j * order + l];
            c[i * q + j] = sum / fy[j * order + j];
        }
    for (int j = 0; j < q; j++)
        for (int i = 0; i < p; i++) {
            double sum = c[i * q + j];
            for (int l = 0; l < i; l++)
                sum -= fx[i * order + l] * c[l * q + j];
            c[i * q + j] = sum / fx[i * order + i];
        }
}

dpc_status dpc_canonical_from(const double *w, int p, int q, double *out, int *count)
{
    int order = p + q, info, size = 8 * order;
    int *columns = dpc_alloc(order, sizeof *columns), *cy = columns + p;
    double *room = dpc_alloc(4 * (int64_t)order * order + size, sizeof *room);
    dpc_status status = columns != NULL && room != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK) {
        double *fx = room, *fy = fx + order * order, *c = fy + order * order,
               *a = c + order * order;
        for (int i = 0; i < order; i++)
            columns[i] = i;
        log_det_of(w, order, columns, &p, GONE, fx);
        log_det_of(w, order, cy, &q, GONE, fy);
        whiten(w, order, columns, p, fx, cy, q, fy, c);
        for (int i = 0; i < p; i++)
            for (int j = 0; j < p; j++) {
                a[i * p + j] = 0;
                for (int l = 0; l < q; l++)
                    a[i * p + j] += c[i * q + l] * c[j * q + l];
            }
        *count = p < q ? p : q;
        if (p > 0)
            dsyev_("N", "U", &p, a, &p, fx, a + order * order, &size, &info);
        for (int i = 0; i < *count; i++)
            out[i] = sqrt(fmin(1, fmax(0, fx[p - 1 - i])));
    }
    free(columns);
    free(room);
    return status;
}

dpc_status dpc_direct_canonical(dpc_direct *d, int x, int y, const int32_t *set, int k, double *out,
                                int *count)
{
    given g;
    bool turn = dpc_block_width(d->view->blocks, x) > dpc_block_width(d->view->blocks, y);
    DPC_CHECK(condition(d, turn ? y : x, turn ? x : y, set, k, &g)); /* the narrower one first */
    return dpc_canonical_from(g.w, g.p, g.q, out, count);
}
