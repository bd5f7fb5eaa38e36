/* The slow twin of the search over MAGs: see mag_twin.h. */
#include "mag_twin.h"

#include <gsl/gsl_multimin.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random MAGs ---- */

static struct marks draw_marks(gsl_rng *rng, int n, int chance, double doubled)
{
    struct marks g = {.n = n};
    int order[MAGS_MAX];
    for (int i = 0; i < n; i++)
        order[i] = i;
    gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            int a = order[i], b = order[j];
            if (gsl_rng_uniform(rng) * 100 >= chance)
                continue;
            g.m[a][b] = DPC_END_ARROW;
            g.m[b][a] = gsl_rng_uniform(rng) < doubled ? DPC_END_ARROW : DPC_END_TAIL;
        }
    return g;
}

struct marks draw_mixed_mag(gsl_rng *rng, int n, int chance, double doubled)
{
    for (;;) {
        struct marks g = draw_marks(rng, n, chance, doubled);
        if (mag_is_ancestral(&g) && mag_is_maximal(&g))
            return g;
    }
}

/* ---- Likelihoods ---- */

struct model {
    const struct marks *mag;
    const double *r;
    int n, count;
};

/* In place; false: not positive definite. */
static bool cholesky(long double *a, int n)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            long double sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 1e-14L))
                return false;
            a[i * n + j] = i == j ? sqrtl(sum) : sum / a[j * n + j];
        }
    return true;
}

static long double log_det(const long double *l, int n)
{
    long double sum = 0;
    for (int i = 0; i < n; i++)
        sum += 2 * logl(l[i * n + i]);
    return sum;
}

/* Coefficients and covariances as they come by pairs; a null vector counts them. */
static int read_parameters(const struct model *m, const gsl_vector *x, long double *e,
                           long double *omega)
{
    int n = m->n, at = 0;
    memset(e, 0, sizeof(long double) * (size_t)(n * n));
    memset(omega, 0, sizeof(long double) * (size_t)(n * n));
    for (int i = 0; i < n; i++) {
        e[i * n + i] = 1;
        omega[i * n + i] = x != NULL ? expl((long double)gsl_vector_get(x, (size_t)at)) : 1;
        at++;
        for (int j = 0; j < n; j++) {
            if (m->mag->m[j][i] != DPC_END_ARROW)
                continue;
            bool spouse = m->mag->m[i][j] == DPC_END_ARROW;
            if (spouse && j > i)
                continue;
            long double value = x != NULL ? (long double)gsl_vector_get(x, (size_t)at) : 0;
            at++;
            if (spouse)
                omega[i * n + j] = omega[j * n + i] = value;
            else
                e[i * n + j] = -value;
        }
    }
    return at;
}

/* log det Σ + tr(Σ⁻¹ R) - n. */
static double deviance(const gsl_vector *x, void *context)
{
    const struct model *m = context;
    int n = m->n;
    long double e[MAGS_MAX * MAGS_MAX], l[MAGS_MAX * MAGS_MAX];
    read_parameters(m, x, e, l);
    if (!cholesky(l, n))
        return 1e10;
    long double sum = log_det(l, n) - n;
    for (int c = 0; c < n; c++) { /* L⁻¹ E R Eᵀ L⁻ᵀ: its trace, by F = L⁻¹ E */
        long double row[MAGS_MAX];
        (void)c;
        for (int j = 0; j < n; j++) {
            row[j] = e[c * n + j];
            for (int k = 0; k < c; k++)
                row[j] -= l[c * n + k] * e[k * n + j];
            row[j] /= l[c * n + c];
        }
        for (int j = 0; j < n; j++)
            e[c * n + j] = row[j]; /* F takes the place of E */
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                sum += row[i] * row[j] * (long double)m->r[i * n + j];
    }
    return (double)sum;
}

static void slopes(const gsl_vector *x, void *context, gsl_vector *g)
{
    const double h = 3e-6;
    gsl_vector *y = gsl_vector_alloc(x->size);
    gsl_vector_memcpy(y, x);
    for (size_t i = 0; i < x->size; i++) {
        double at = gsl_vector_get(x, i);
        gsl_vector_set(y, i, at + h);
        double above = deviance(y, context);
        gsl_vector_set(y, i, at - h);
        double below = deviance(y, context);
        gsl_vector_set(y, i, at);
        gsl_vector_set(g, i, (above - below) / (2 * h));
    }
    gsl_vector_free(y);
}

static void both(const gsl_vector *x, void *context, double *f, gsl_vector *g)
{
    *f = deviance(x, context);
    slopes(x, context, g);
}

/* From x, again and again from where it came to, until nothing changes. */
static double descend(gsl_multimin_function_fdf *f, gsl_vector *x, double step)
{
    double best = INFINITY;
    for (int turn = 0; turn < 20; turn++) {
        gsl_multimin_fdfminimizer *s =
            gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, f->n);
        gsl_multimin_fdfminimizer_set(s, f, x, step, 0.1);
        for (int i = 0; i < 1000 && gsl_multimin_fdfminimizer_iterate(s) == 0; i++)
            ;
        double now = gsl_multimin_fdfminimizer_minimum(s);
        gsl_vector_memcpy(x, gsl_multimin_fdfminimizer_x(s));
        gsl_multimin_fdfminimizer_free(s);
        if (!(now < best - 1e-13))
            break;
        best = now;
    }
    return best;
}

double twin_likelihood(const struct marks *mag, const double *r, double n_obs, double enough)
{
    struct model m = {.mag = mag, .r = r, .n = mag->n};
    long double e[MAGS_MAX * MAGS_MAX], omega[MAGS_MAX * MAGS_MAX];
    m.count = read_parameters(&m, NULL, e, omega);
    gsl_multimin_function_fdf f = {deviance, slopes, both, (size_t)m.count, &m};
    gsl_vector *x = gsl_vector_calloc((size_t)m.count);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double best = -INFINITY;
    for (int start = 0; start < 40 && !(best >= enough); start++) {
        for (size_t i = 0; i < x->size; i++)
            gsl_vector_set(x, i, start > 0 ? gsl_ran_gaussian(rng, 0.05 * start) : 0);
        best = fmax(best, -n_obs / 2 * descend(&f, x, start % 2 == 0 ? 0.01 : 1e-4));
    }
    gsl_rng_free(rng);
    gsl_vector_free(x);
    return best;
}

double twin_saturated(const double *r, int n, double n_obs)
{
    long double l[MAGS_MAX * MAGS_MAX];
    for (int i = 0; i < n * n; i++)
        l[i] = (long double)r[i];
    if (!cholesky(l, n))
        abort();
    return (double)(-(long double)n_obs / 2 * log_det(l, n));
}

/* ---- Samples ---- */

/* One row: hidden causes of all double arrows first, then the nodes, parents first. */
static void draw_row(gsl_rng *rng, const struct marks *mag, double weight[MAGS_MAX][MAGS_MAX],
                     double *x)
{
    int n = mag->n;
    bool done[MAGS_MAX] = {false};
    double noise[MAGS_MAX];
    for (int v = 0; v < n; v++)
        noise[v] = gsl_ran_ugaussian(rng);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            if (mag->m[a][b] == DPC_END_ARROW && mag->m[b][a] == DPC_END_ARROW) {
                double cause = gsl_ran_ugaussian(rng);
                noise[a] += weight[a][b] * cause;
                noise[b] += weight[b][a] * cause;
            }
    for (int left = n; left > 0;)
        for (int v = 0; v < n; v++) {
            bool ready = !done[v];
            double sum = noise[v];
            for (int u = 0; u < n; u++)
                if (mag->m[u][v] == DPC_END_ARROW && mag->m[v][u] == DPC_END_TAIL) {
                    ready = ready && done[u];
                    sum += weight[u][v] * (done[u] ? x[u] : 0);
                }
            if (ready) {
                x[v] = sum;
                done[v] = true;
                left--;
            }
        }
}

void draw_mag_sample(gsl_rng *rng, const struct marks *mag, int n_obs, double *r)
{
    int n = mag->n;
    double weight[MAGS_MAX][MAGS_MAX], mean[MAGS_MAX] = {0}, x[MAGS_MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            weight[i][j] = gsl_ran_flat(rng, 0.4, 1) * (gsl_rng_uniform(rng) < 0.5 ? -1 : 1);
            r[i * n + j] = 0;
        }
    for (int t = 0; t < n_obs; t++) {
        draw_row(rng, mag, weight, x);
        for (int i = 0; i < n; i++) {
            mean[i] += x[i] / n_obs;
            for (int j = 0; j < n; j++)
                r[i * n + j] += x[i] * x[j] / n_obs;
        }
    }
    double sd[MAGS_MAX];
    for (int i = 0; i < n; i++)
        sd[i] = sqrt(r[i * n + i] - mean[i] * mean[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            r[i * n + j] = i == j ? 1 : (r[i * n + j] - mean[i] * mean[j]) / sd[i] / sd[j];
}
