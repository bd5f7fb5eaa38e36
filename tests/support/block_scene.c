/* Variables that are blocks of columns: see block_scene.h. */
#include "block_scene.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *fine(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

/* ---- Samples ---- */

static void associate(dpc_correlation *c)
{
    const dpc_blocks *b = c->blocks;
    double *room = fine(calloc((size_t)dpc_blocks_room(b) + 1, sizeof *room));
    c->r = fine(calloc((size_t)b->n * (size_t)b->n, sizeof *c->r));
    for (int i = 0; i < b->n; i++)
        for (int j = 0; j < b->n; j++) {
            int least = dpc_block_width(b, i) < dpc_block_width(b, j) ? dpc_block_width(b, i)
                                                                      : dpc_block_width(b, j);
            c->r[i * b->n + j] =
                i == j ? 1 : dpc_association(dpc_blocks_log_lambda(b, i, j, room), least);
        }
    free(room);
}

struct block_sample block_sample_of(const double *r, const int32_t *first, int n, int64_t n_obs)
{
    struct block_sample s = {.n = n, .m = first[n]};
    size_t size = (size_t)s.m * (size_t)s.m * sizeof *r;
    s.r = fine(malloc(size + 1));
    memcpy(s.r, r, size);
    memcpy(s.first, first, ((size_t)n + 1) * sizeof *first);
    s.correlation = (dpc_correlation){.n_vars = n, .n_obs = n_obs};
    if (dpc_blocks_make(r, first, n, NULL, &s.correlation.blocks, NULL) != DPC_OK)
        abort();
    associate(&s.correlation);
    return s;
}

void block_sample_free(struct block_sample *s)
{
    dpc_blocks_free(s->correlation.blocks);
    free(s->correlation.r);
    free(s->r);
    *s = (struct block_sample){0};
}

/* What is drawn before the rows. */
struct plan {
    int n, m, order[BLOCK_NODES];
    int32_t first[BLOCK_NODES + 1];
    bool nominal[BLOCK_NODES];
    uint64_t parents[BLOCK_NODES];
    double effect[BLOCK_COLUMNS][BLOCK_COLUMNS]; /* on a column, of another */
};

static void plan_effects(struct plan *p, const struct block_model *model, gsl_rng *rng)
{
    double strength = model->strength > 0 ? model->strength : 1;
    double chance = p->n > 1 ? 2 * model->parents / (p->n - 1) : 0;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < i; j++) {
            int v = p->order[i], u = p->order[j];
            if (gsl_rng_uniform(rng) >= chance)
                continue;
            p->parents[v] |= UINT64_C(1) << u;
            for (int c = p->first[v]; c < p->first[v + 1]; c++)
                for (int d = p->first[u]; d < p->first[u + 1]; d++)
                    p->effect[c][d] = strength * (0.5 + gsl_rng_uniform(rng)) *
                                      (draw_int(rng, 0, 1) ? 1 : -1) * (p->nominal[v] ? 2 : 1);
        }
}

static void plan_rows(struct plan *p, const struct block_model *model, gsl_rng *rng)
{
    *p = (struct plan){.n = model->n};
    for (int v = 0; v < p->n; v++) {
        int width = draw_int(rng, 0, 2) == 0 ? 1 : draw_int(rng, 1, model->widest);
        p->order[v] = v;
        p->nominal[v] = model->nominal && draw_int(rng, 0, 1) == 1;
        p->first[v + 1] = p->first[v] + width;
    }
    p->m = p->first[p->n];
    gsl_ran_shuffle(rng, p->order, (size_t)p->n, sizeof *p->order);
    plan_effects(p, model, rng);
}

/* One row. The columns of levels are indicators of all but one. */
static void draw_row(const struct plan *p, gsl_rng *rng, double *row)
{
    for (int i = 0; i < p->n; i++) {
        int v = p->order[i], best = -1;
        double most = gsl_ran_gumbel1(rng, 1, 1);
        for (int c = p->first[v]; c < p->first[v + 1]; c++) {
            double sum = p->nominal[v] ? gsl_ran_gumbel1(rng, 1, 1) : gsl_ran_gaussian(rng, 1);
            for (int d = 0; d < p->m; d++)
                if (p->effect[c][d] != 0)
                    sum += p->effect[c][d] * row[d];
            row[c] = sum;
            if (sum > most) {
                most = sum;
                best = c;
            }
        }
        for (int c = p->first[v]; p->nominal[v] && c < p->first[v + 1]; c++)
            row[c] = c == best;
    }
}

/* Moments to correlations; false: a column is constant. */
static bool correlate(double *moment, const double *sum, int m, double n_obs, double *r)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            moment[i * m + j] -= sum[i] * sum[j] / n_obs;
    for (int i = 0; i < m; i++) {
        if (!(moment[i * m + i] > 3))
            return false;
        for (int j = 0; j < m; j++)
            r[i * m + j] =
                i == j ? 1 : moment[i * m + j] / sqrt(moment[i * m + i] * moment[j * m + j]);
    }
    return true;
}

struct block_sample block_sample_draw(const struct block_model *model, gsl_rng *rng)
{
    static struct plan p;
    double r[BLOCK_COLUMNS * BLOCK_COLUMNS], moment[BLOCK_COLUMNS * BLOCK_COLUMNS];
    for (;;) {
        double sum[BLOCK_COLUMNS] = {0}, row[BLOCK_COLUMNS];
        plan_rows(&p, model, rng);
        memset(moment, 0, sizeof moment);
        for (int64_t k = 0; k < model->n_obs; k++) {
            draw_row(&p, rng, row);
            for (int i = 0; i < p.m; i++) {
                sum[i] += row[i];
                for (int j = 0; j < p.m; j++)
                    moment[i * p.m + j] += row[i] * row[j];
            }
        }
        if (correlate(moment, sum, p.m, (double)model->n_obs, r))
            break;
    }
    struct block_sample s = block_sample_of(r, p.first, p.n, model->n_obs);
    memcpy(s.parents, p.parents, sizeof p.parents);
    return s;
}

/* ---- The same otherwise ---- */

/* A R Aᵀ, scaled to correlations. */
static void transform(const double *r, const double *a, int m, double *to)
{
    double *half = fine(calloc((size_t)m * (size_t)m, sizeof *half));
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; a[i * m + k] != 0 && j < m; j++)
                half[i * m + j] += a[i * m + k] * r[k * m + j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            to[i * m + j] = 0;
            for (int k = 0; k < m; k++)
                to[i * m + j] += half[i * m + k] * a[j * m + k];
        }
    for (int i = 0; i < m; i++)
        half[i] = sqrt(to[i * m + i]);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            to[i * m + j] = i == j ? 1 : to[i * m + j] / (half[i] * half[j]);
    free(half);
}

struct block_sample block_sample_mix(const struct block_sample *s, gsl_rng *rng)
{
    size_t size = (size_t)s->m * (size_t)s->m;
    double *a = fine(calloc(size, sizeof *a)), *r = fine(calloc(size, sizeof *r));
    for (int v = 0; v < s->n; v++)
        for (int i = s->first[v]; i < s->first[v + 1]; i++)
            for (int j = s->first[v]; j < s->first[v + 1]; j++)
                a[i * s->m + j] = gsl_ran_gaussian(rng, 1) + 2 * (i == j);
    transform(s->r, a, s->m, r);
    struct block_sample out = block_sample_of(r, s->first, s->n, s->correlation.n_obs);
    free(a);
    free(r);
    return out;
}

struct block_sample block_sample_permute(const struct block_sample *s, const int *order)
{
    int32_t first[BLOCK_NODES + 1] = {0};
    int column[BLOCK_COLUMNS], m = 0;
    double *r = fine(calloc((size_t)s->m * (size_t)s->m, sizeof *r));
    for (int i = 0; i < s->n; i++) {
        for (int c = s->first[order[i]]; c < s->first[order[i] + 1]; c++)
            column[m++] = c;
        first[i + 1] = m;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            r[i * m + j] = s->r[column[i] * m + column[j]];
    struct block_sample out = block_sample_of(r, first, s->n, s->correlation.n_obs);
    free(r);
    return out;
}

/* ---- The twin ---- */

/* ln det of the correlations of the columns of a set, and of one more (below 0: none), by Gauss. */
static long double log_det_with(const struct block_sample *s, uint64_t set, int more)
{
    static long double a[BLOCK_COLUMNS * BLOCK_COLUMNS];
    int column[BLOCK_COLUMNS], m = 0;
    long double sum = 0;
    for (int v = 0; v < s->n; v++)
        for (int c = s->first[v]; (set >> v & 1) && c < s->first[v + 1]; c++)
            column[m++] = c;
    if (more >= 0)
        column[m++] = more;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = s->r[column[i] * s->m + column[j]];
    for (int k = 0; k < m; k++) {
        sum += logl(a[k * m + k]);
        for (int i = k + 1; i < m; i++)
            for (int j = m - 1; j >= k; j--)
                a[i * m + j] -= a[i * m + k] / a[k * m + k] * a[k * m + j];
    }
    return sum;
}

static long double log_det(const struct block_sample *s, uint64_t set)
{
    return log_det_with(s, set, -1);
}

double block_twin_log_first(const struct block_sample *s, int v, uint64_t set)
{
    return (double)(log_det_with(s, set, s->first[v]) - log_det(s, set));
}

double block_twin_log_det(const struct block_sample *s, int v, uint64_t set)
{
    uint64_t own = UINT64_C(1) << v;
    return (double)(log_det(s, set | own) - log_det(s, set) - log_det(s, own));
}

double block_twin_family(const struct block_sample *s, int v, uint64_t set, double a, double b)
{
    int p = s->first[v + 1] - s->first[v];
    double score = -(double)s->correlation.n_obs / 2 * block_twin_log_det(s, v, set);
    for (int u = 0; u < s->n; u++)
        if (set >> u & 1)
            score -= a * p * (s->first[u + 1] - s->first[u]) + b;
    return score;
}
