/* One column of a latent Gaussian copula model: see latent_column.h. */
#include "latent_column.h"

#include "alloc.h"
#include "distribution.h"

#include <math.h>

enum { FEW_VALUES = 10 };            /* are levels */
static const double FREQUENT = 0.05; /* a smallest value of so many rows is an atom */
static const double DENSITY = 0.39894228040143267794;

void dpc_latent_column_clear(dpc_latent_column *column)
{
    free(column->cut);
    free(column->jump);
    free(column->series);
    free(column->edge);
    *column = (dpc_latent_column){0};
}

static double density(double z)
{
    return DENSITY * exp(-0.5 * z * z);
}

/* Behind the rows that tie with the one at i. */
static int64_t next_value(const int32_t *order, int64_t n, int64_t i)
{
    for (i++; i < n && order[i] < 0; i++)
        ;
    return i;
}

static int32_t row_at(const int32_t *order, int64_t i)
{
    return order[i] < 0 ? ~order[i] : order[i];
}

static int64_t count_values(const int32_t *order, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        count += order[i] >= 0;
    return count;
}

dpc_latent_kind dpc_latent_kind_found(const int32_t *order, int64_t n)
{
    if (count_values(order, n) <= FEW_VALUES)
        return DPC_LATENT_LEVELS;
    return (double)next_value(order, n, 0) > FREQUENT * (double)n ? DPC_LATENT_ATOM
                                                                  : DPC_LATENT_CONTINUOUS;
}

/* ---- Scores ---- */

/* Those of levels; the cuts, and the jumps before they are scaled. */
static void score_levels(const int32_t *order, int64_t n, double *scores, dpc_latent_column *c)
{
    double below = 0, before = 0; /* the density at the cut below, and the score there */
    int cuts = 0;
    for (int64_t i = 0, j; i < n; i = j) {
        j = next_value(order, n, i);
        double cut = j < n ? dpc_normal_quantile((double)j / (double)n) : INFINITY;
        double above = j < n ? density(cut) : 0;
        double score = (below - above) * (double)n / (double)(j - i);
        for (int64_t k = i; k < j; k++)
            scores[row_at(order, k)] = score;
        if (i > 0)
            c->jump[cuts - 1] = score - before;
        if (j < n)
            c->cut[cuts++] = cut;
        below = above;
        before = score;
    }
}

/* Normal scores of ranks i+1 … n, ties sharing their mean rank. */
static void score_ranks(const int32_t *order, int64_t i, int64_t n, const double *table,
                        double *scores)
{
    for (int64_t j; i < n; i = j) {
        j = next_value(order, n, i);
        double score = table[i];
        if (j - i > 1)
            score = dpc_normal_quantile(0.5 * (double)(i + 1 + j) / (double)(n + 1));
        for (int64_t k = i; k < j; k++)
            scores[row_at(order, k)] = score;
    }
}

static void score_atom(const int32_t *order, int64_t n, const double *table, double *scores,
                       dpc_latent_column *c)
{
    int64_t first = next_value(order, n, 0);
    double share = (double)first / (double)n, cut = dpc_normal_quantile(share);
    double score = -density(cut) / share;
    for (int64_t k = 0; k < first; k++)
        scores[row_at(order, k)] = score;
    score_ranks(order, first, n, table, scores);
    c->cut[0] = cut;
    c->jump[0] = cut - score;
    c->slope = 1;
}

/* Of the scores; summed in the order of the values, so that the order of the rows does not matter
 */
static double deviation(const int32_t *order, int64_t n, const double *scores)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++)
        sum += scores[row_at(order, i)];
    for (int64_t i = 0; i < n; i++) {
        double left = scores[row_at(order, i)] - sum / (double)n;
        squares += left * left;
    }
    return sqrt(squares / (double)n);
}

/* ---- The series ---- */

/* √(k+1) h_{k+1} = z h_k - √k h_{k-1}; the derivative of h_k is √k h_{k-1}. */
static void add_to_series(double z, double jump, double slope, double *series)
{
    double d = density(z), last = 0, h = 1, shown = slope * dpc_normal_tail(z);
    for (int k = 1; k <= DPC_LATENT_TERMS; k++) { /* h is h_{k-1}, `shown` its part above z */
        series[k - 1] += (jump * d * h + shown) / sqrt(k);
        shown = slope * d * h / sqrt(k);
        double next = (z * h - sqrt(k - 1) * last) / sqrt(k);
        last = h;
        h = next;
    }
}

/* ---- Classes ---- */

/* Levels are classes, but no more than there may be; what shows is cut into equal shares. */
static void set_edges(dpc_latent_column *c)
{
    const int most = DPC_LATENT_CLASSES - 1;
    if (c->kind == DPC_LATENT_LEVELS) {
        double step = c->n_cuts > most ? (double)c->n_cuts / most : 1;
        c->n_edges = c->n_cuts > most ? most : c->n_cuts;
        for (int i = 0; i < c->n_edges; i++)
            c->edge[i] = c->cut[(int)(i * step)];
        return;
    }
    double below = c->kind == DPC_LATENT_ATOM ? c->share : 0;
    int parts = c->kind == DPC_LATENT_ATOM ? DPC_LATENT_ABOVE : most + 1;
    c->n_edges = 0;
    if (below > 0)
        c->edge[c->n_edges++] = c->cut[0];
    for (int i = 1; i < parts; i++)
        c->edge[c->n_edges++] = dpc_normal_quantile(below + (1 - below) * i / parts);
}

/* The means of h₁, h₂ and h₃ below an edge, times their share. */
typedef struct below {
    double share, h[3];
} below;

static below below_edge(double z)
{
    double d = density(z);
    return (below){1 - dpc_normal_tail(z), {-d, -d * z / sqrt(2), -d * (z * z - 1) / sqrt(6)}};
}

static void set_moments(dpc_latent_column *c)
{
    double q[DPC_LATENT_CLASSES], p[DPC_LATENT_CLASSES], u[DPC_LATENT_CLASSES], mean = 0;
    dpc_latent_moments m = {0};
    below last = {0};
    for (int k = 0; k <= c->n_edges; k++) {
        below b = k < c->n_edges ? below_edge(c->edge[k]) : (below){1, {0}};
        p[k] = b.share - last.share;
        double u1 = u[k] = (b.h[0] - last.h[0]) / p[k], u2 = (b.h[1] - last.h[1]) / p[k];
        double u3 = (b.h[2] - last.h[2]) / p[k];
        m.square += p[k] * u1 * u1;
        m.cube += p[k] * u1 * u1 * u1;
        m.fourth += p[k] * u1 * u1 * u1 * u1;
        m.second += p[k] * u2 * u2;
        m.mixed += p[k] * u1 * u2;
        m.third += p[k] * u1 * u3;
        m.square_second += p[k] * u1 * u1 * u2;
        last = b;
    }
    double above = 0;
    for (int k = c->n_edges; k >= 0; k--) {
        above += k < c->n_edges ? c->edge[k] * (u[k + 1] - u[k]) : 0;
        q[k] = u[k] * u[k] + above;
        mean += p[k] * q[k];
    }
    for (int k = 0; k <= c->n_edges; k++)
        m.nuisance += p[k] * (q[k] - mean) * (q[k] - mean);
    c->moments = m;
}

/* Where values show, classes are coarser than what is seen. */
static double lift_of(const dpc_latent_column *c)
{
    double d = c->kind == DPC_LATENT_ATOM ? density(c->cut[0]) : 0;
    return c->kind == DPC_LATENT_CONTINUOUS ? 1 / c->moments.square
           : c->kind == DPC_LATENT_ATOM
               ? (d * d / c->share + c->cut[0] * d + 1 - c->share) / c->moments.square
               : 1;
}

/* ---- All of it ---- */

static bool make_room(dpc_latent_column *c)
{
    bool plain = c->kind == DPC_LATENT_CONTINUOUS;
    c->cut = plain ? NULL : dpc_alloc(c->n_cuts, sizeof *c->cut);
    c->jump = plain ? NULL : dpc_zalloc(c->n_cuts, sizeof *c->jump);
    c->series = plain ? NULL : dpc_zalloc(DPC_LATENT_TERMS, sizeof *c->series);
    c->edge = dpc_alloc(DPC_LATENT_CLASSES, sizeof *c->edge);
    return c->edge != NULL && (plain || (c->cut && c->jump && c->series));
}

bool dpc_latent_column_make(dpc_latent_kind kind, const int32_t *order, int64_t n,
                            const double *table, double *scores, dpc_latent_column *out)
{
    int64_t values = count_values(order, n);
    dpc_latent_column c = {.kind =
                               kind == DPC_LATENT_ATOM && values < 2 ? DPC_LATENT_LEVELS : kind};
    c.n_cuts = c.kind == DPC_LATENT_LEVELS ? (int)(values - 1) : c.kind == DPC_LATENT_ATOM;
    c.share = (double)next_value(order, n, 0) / (double)n;
    *out = c;
    if (!make_room(out))
        return false;
    if (c.kind == DPC_LATENT_LEVELS)
        score_levels(order, n, scores, out);
    else if (c.kind == DPC_LATENT_ATOM)
        score_atom(order, n, table, scores, out);
    else
        score_ranks(order, 0, n, table, scores);
    double sd = out->n_cuts > 0 ? deviation(order, n, scores) : 1;
    for (int i = 0; i < out->n_cuts; i++) {
        out->jump[i] /= sd;
        bool last = i == out->n_cuts - 1;
        add_to_series(out->cut[i], out->jump[i], last ? out->slope / sd : 0, out->series);
    }
    out->slope /= sd;
    set_edges(out);
    set_moments(out);
    out->lift = lift_of(out);
    return true;
}
