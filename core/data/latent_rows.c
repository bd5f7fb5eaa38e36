/*
 * The effective number of rows of a latent correlation.
 *
 * Two columns with K and L classes are a K × L table of counts with probabilities p(r; cuts). The
 * information about r is J_rr - J_rc J_cc⁻¹ J_cr, J being Fisher's information matrix of r and the
 * K + L - 2 cuts. With F = Φ₂(s, t; r) at two cuts,
 *
 *     ∂F/∂r = φ₂(s, t; r),   ∂F/∂s = φ(s) Φ((t - r s) / √(1 - r²)),   ∂F/∂t likewise,
 *
 * and p and its derivatives are differences of these. Where |r| is small, as it is for most pairs,
 * the first terms of the expansion in r are enough. With u_m, v_m the means of the Hermite
 * polynomials h_m in the classes, p = π ρ (1 + Σ rᵐ u_m v_m), and
 *
 *     I = E u₁² E v₁² + r (4 E u₁u₂ E v₁v₂ - E u₁³ E v₁³)
 *         + r² (4 E u₂² E v₂² + 6 E u₁u₃ E v₁v₃ + E u₁⁴ E v₁⁴ - 5 E u₁²u₂ E v₁²v₂
 *               - (E v₁²)² Q - (E u₁²)² Q')
 *
 * where Q is the variance of u₁² + Σ_{cuts above} s Δu₁, which is what not knowing the cuts costs.
 * For two continuous columns that is 1 + 2 r², as it must be.
 */
#include "latent_pair.h"

#include "distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = DPC_LATENT_CLASSES, CUTS = MOST - 1, ORDER = 2 * CUTS + 1 };

static const double TWO_PI = 6.28318530717958647692;
static const double NOTHING = 1e-9; /* a class of that probability tells nothing */

/* ---- The table of two columns ---- */

typedef struct table {
    double share[MOST][MOST]; /* p */
    double slope[MOST][MOST]; /* ∂p/∂r */
    double rows[CUTS]
               [MOST]; /* ∂p/∂s of the class below the cut; of the one above it is minus that */
    double columns[MOST][CUTS];
    double matrix[ORDER * ORDER];
    double tail[2][CUTS], density[2][CUTS];
} table;

int64_t dpc_latent_room(void)
{
    return (sizeof(table) + sizeof(double) - 1) / sizeof(double);
}

static const double NODE[6] = {.1252334085114689154724, .3678314989981801937527,
                               .5873179542866174472967, .7699026741943046870369,
                               .9041172563704748566785, .9815606342467192506906};
static const double WEIGHT[6] = {.2491470458134027850006, .2334925365383548087608,
                                 .2031674267230659217491, .1600783285433462263347,
                                 .1069393259953184309603, .0471753363865118271946};

/* What Φ₂(s, t; r) has above Φ(s) Φ(t), in so many parts; in each r = sin θ with 12 nodes. */
typedef struct angles {
    int count;
    double sine[48], weight[48], divisor[48];
} angles;

static angles angles_for(double r)
{
    int parts = fabs(r) < 0.8 ? 1 : fabs(r) < 0.95 ? 2 : 4;
    angles a = {.count = 12 * parts};
    for (int i = 0; i < a.count; i++) {
        int node = i % 12;
        double x = (node % 2 ? 1 : -1) * NODE[node / 2], half = asin(r) / (2 * parts);
        int part = i / 12;
        double angle = half * (2 * part + 1 + x);
        a.sine[i] = sin(angle);
        a.weight[i] = half * WEIGHT[node / 2] / TWO_PI;
        a.divisor[i] = -0.5 / (cos(angle) * cos(angle));
    }
    return a;
}

static double excess(const angles *a, double s, double t)
{
    double squares = s * s + t * t, product = 2 * s * t, sum = 0;
    for (int i = 0; i < a->count; i++)
        sum += a->weight[i] * exp((squares - product * a->sine[i]) * a->divisor[i]);
    return sum;
}

static double density(double z)
{
    return exp(-0.5 * z * z) / sqrt(TWO_PI);
}

/* P(Z < z), quickly. */
static double below(double z)
{
    return 0.5 * erfc(-z * 0.70710678118654752440);
}

/* F and its derivatives at the cuts, in the places of the classes below both; at the end of a row
 * or column they are those of the margins. */
static void fill_corners(const dpc_latent_column *a, const dpc_latent_column *b, double r, table *t)
{
    int k = a->n_edges, l = b->n_edges;
    double left = 1 - r * r, root = sqrt(left);
    const angles angle = angles_for(r);
    for (int i = 0; i < k; i++) {
        t->tail[0][i] = below(a->edge[i]);
        t->density[0][i] = density(a->edge[i]);
    }
    for (int j = 0; j < l; j++) {
        t->tail[1][j] = below(b->edge[j]);
        t->density[1][j] = density(b->edge[j]);
    }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < l; j++) {
            double x = a->edge[i], y = b->edge[j];
            t->share[i][j] = t->tail[0][i] * t->tail[1][j] + excess(&angle, x, y);
            t->slope[i][j] = exp(-(x * x + y * y - 2 * r * x * y) / (2 * left)) / (TWO_PI * root);
            t->rows[i][j] = t->density[0][i] * below((y - r * x) / root);
            t->columns[i][j] = t->density[1][j] * below((x - r * y) / root);
        }
    for (int i = 0; i < k; i++) {
        t->share[i][l] = t->tail[0][i];
        t->rows[i][l] = t->density[0][i];
        t->slope[i][l] = 0;
    }
    for (int j = 0; j < l; j++) {
        t->share[k][j] = t->tail[1][j];
        t->columns[k][j] = t->density[1][j];
        t->slope[k][j] = 0;
    }
    t->share[k][l] = 1;
    t->slope[k][l] = 0;
}

/* From corners to classes. */
static void take_differences(int k, int l, table *t)
{
    for (int i = k; i >= 0; i--)
        for (int j = l; j >= 0; j--) {
            double p = t->share[i][j], d = t->slope[i][j];
            if (i > 0) {
                p -= t->share[i - 1][j];
                d -= t->slope[i - 1][j];
            }
            if (j > 0) {
                p -= t->share[i][j - 1] - (i > 0 ? t->share[i - 1][j - 1] : 0);
                d -= t->slope[i][j - 1] - (i > 0 ? t->slope[i - 1][j - 1] : 0);
            }
            t->share[i][j] = p;
            t->slope[i][j] = d;
            if (i < k && j > 0)
                t->rows[i][j] -= t->rows[i][j - 1];
            if (j < l && i > 0)
                t->columns[i][j] -= t->columns[i - 1][j];
        }
}

/* Fisher's information: the cuts first, r last; the lower triangle, by rows. */
static void fill_matrix(int k, int l, int order, table *t)
{
    double *m = t->matrix;
    memset(m, 0, (size_t)(order * order) * sizeof *m);
    for (int i = 0; i <= k; i++)
        for (int j = 0; j <= l; j++) {
            double p = t->share[i][j];
            if (p < NOTHING)
                continue;
            /* the parameters that this class depends on: two cuts of each column, and r */
            const int at[5] = {i - 1, i, k + j - 1, k + j, k + l};
            const double d[5] = {i > 0 ? -t->rows[i - 1][j] : 0, i < k ? t->rows[i][j] : 0,
                                 j > 0 ? -t->columns[i][j - 1] : 0, j < l ? t->columns[i][j] : 0,
                                 t->slope[i][j]};
            const bool has[5] = {i > 0, i<k, j> 0, j < l, true};
            for (int x = 0; x < 5; x++)
                for (int y = 0; y <= x && has[x]; y++)
                    if (has[y])
                        m[at[x] * order + at[y]] += d[x] * d[y] / p;
        }
}

/* What is left of the last diagonal entry when all others are eliminated. */
static double eliminate(double *m, int order)
{
    for (int i = 0; i < order; i++) {
        double *row = m + i * order;
        for (int j = 0; j <= i; j++) {
            const double *other = m + j * order;
            double sum = row[j];
            for (int c = 0; c < j; c++)
                sum -= row[c] * other[c];
            if (j == i && i == order - 1)
                return sum;
            row[j] = j < i ? sum * other[j] : sum > 1e-12 ? 1 / sqrt(sum) : 0;
        }
    }
    return 0;
}

static double share_of_table(const dpc_latent_column *a, const dpc_latent_column *b, double r,
                             table *t)
{
    int order = a->n_edges + b->n_edges + 1;
    double left = 1 - r * r;
    fill_corners(a, b, r, t);
    take_differences(a->n_edges, b->n_edges, t);
    fill_matrix(a->n_edges, b->n_edges, order, t);
    return fmax(0, fmin(1, left * left * eliminate(t->matrix, order)));
}

/* ---- Small correlations ---- */

/* The expansion; false: r is too large for it. */
static bool expand(const dpc_latent_moments *u, const dpc_latent_moments *v, double r,
                   double *share)
{
    const double most = 0.22, much = 0.15;
    double zero = u->square * v->square;
    double one = 4 * u->mixed * v->mixed - u->cube * v->cube;
    double two = 4 * u->second * v->second + 6 * u->third * v->third + u->fourth * v->fourth -
                 5 * u->square_second * v->square_second - v->square * v->square * u->nuisance -
                 u->square * u->square * v->nuisance;
    if (fabs(r) > most || fabs(one * r) + fabs(two - 2 * zero) * r * r > much * zero)
        return false;
    *share = (1 - r * r) * (1 - r * r) * (zero + r * (one + r * two));
    return true;
}

/* ---- The questions ---- */

double dpc_latent_share(const dpc_latent_column *a, const dpc_latent_column *b, double r, bool slow,
                        double *room)
{
    double share = 0;
    if (a->kind == DPC_LATENT_CONTINUOUS && b->kind == DPC_LATENT_CONTINUOUS)
        return 1;
    if (slow || !expand(&a->moments, &b->moments, r, &share))
        share = share_of_table(a, b, r, (table *)room);
    return fmin(1, a->lift * b->lift * share);
}

/* Nodes at equal angles; the share falls like the cosine at the end. */
static double angle_of(int node)
{
    return asin(DPC_LATENT_MOST) * node / (DPC_LATENT_NODES - 1);
}

void dpc_latent_curve_make(const dpc_latent_column *column, double *room, dpc_latent_curve *out)
{
    const int parts = DPC_LATENT_CLASSES;
    double edge[CUTS];
    for (int i = 1; i < parts; i++)
        edge[i - 1] = dpc_normal_quantile((double)i / parts);
    const dpc_latent_column shown = {.n_edges = parts - 1, .edge = edge};
    for (int i = 0; i < DPC_LATENT_NODES; i++)
        out->at[i] =
            share_of_table(column, &shown, sin(angle_of(i)), (table *)room) / cos(angle_of(i));
    double lift = dpc_latent_loading(column) * dpc_latent_loading(column) / out->at[0];
    for (int i = 0; i < DPC_LATENT_NODES; i++)
        out->at[i] *= lift;
}

double dpc_latent_curve_at(const dpc_latent_curve *curve, double r)
{
    double angle = asin(fmin(fabs(r), DPC_LATENT_MOST)), x = angle / angle_of(1), sum = 0;
    int first = (int)x - 1;
    first = first > DPC_LATENT_NODES - 4 ? DPC_LATENT_NODES - 4 : first;
    for (int i = 0; i < 4; i++) { /* a cubic; even at 0 */
        double term = curve->at[abs(first + i)];
        for (int j = 0; j < 4; j++)
            if (j != i)
                term *= (x - first - j) / (i - j);
        sum += term;
    }
    return fmax(0, fmin(1, sum * cos(angle)));
}
