/* The N of a test of latent variables by the delta rule: see delta.h. */
#include "delta.h"

#include "alloc.h"
#include "latent.h"
#include "linalg.h"

#include <math.h>
#include <string.h>

/* The variables of a test: x, y, then the set. */
typedef struct test {
    int order;
    double n_obs;
    double *r, *m, *rows; /* order × order: latent correlations, those of the scores, rows */
    double *a, *b;        /* weights of the variables in what Z leaves of x and of y */
    double *q, *product;  /* order × order */
} test;

static bool make_room(test *t, double **all)
{
    int64_t k = t->order, cells = k * k;
    double *at = *all = dpc_alloc(5 * cells + 2 * k, sizeof *at);
    if (at == NULL)
        return false;
    t->r = at;
    t->m = t->r + cells;
    t->rows = t->m + cells;
    t->q = t->rows + cells;
    t->product = t->q + cells;
    t->a = t->product + cells;
    t->b = t->a + k;
    return true;
}

static void gather(const dpc_correlation *c, int x, int y, const int32_t *set, test *t)
{
    for (int64_t j = 0; j < t->order; j++) {
        int64_t from = (int64_t)(j == 0 ? x : j == 1 ? y : set[j - 2]) * c->n_vars;
        for (int64_t i = 0; i < t->order; i++) {
            int64_t at = from + (i == 0 ? x : i == 1 ? y : set[i - 2]);
            t->r[j * t->order + i] = c->r[at];
            t->m[j * t->order + i] = i == j ? 1 : c->latent->visible[at];
            t->rows[j * t->order + i] = c->rows[at];
        }
    }
}

/* The coefficients of x and y on Z; false: Z is singular. */
static bool find_weights(test *t)
{
    int k = t->order, size = k - 2, one = 1, info = 0;
    double *factor = t->q;
    t->a[0] = t->b[1] = 1;
    t->a[1] = t->b[0] = 0;
    for (int64_t j = 0; j < size; j++) {
        memcpy(factor + j * size, t->r + (j + 2) * k + 2, (size_t)size * sizeof *factor);
        t->a[j + 2] = -t->r[j + 2];
        t->b[j + 2] = -t->r[k + j + 2];
    }
    if (size == 0)
        return true;
    dpotrf_("U", &size, factor, &size, &info);
    for (int i = 0; i < size && info == 0; i++)
        if (factor[(int64_t)i * size + i] * factor[(int64_t)i * size + i] < DPC_SINGULAR)
            info = 1;
    if (info != 0)
        return false;
    double *side[2] = {t->a + 2, t->b + 2};
    for (int s = 0; s < 2; s++) {
        dtrsv_("U", "T", "N", &size, factor, &size, side[s], &one);
        dtrsv_("U", "N", "N", &size, factor, &size, side[s], &one);
    }
    return true;
}

/* How much more a correlation of latent variables varies than one of its scores. */
static double stretch(const test *t, int64_t at)
{
    double m = t->m[at], r = t->r[at];
    return (1 - m * m) * sqrt(t->rows[at] / t->n_obs) / (1 - r * r);
}

/* 2 tr(Q M Q M), for the latent variables, or as if they were visible. */
static double variance(test *t, bool latent)
{
    int k = t->order;
    const double *m = latent ? t->m : t->r, one = 1, none = 0;
    double sum = 0;
    for (int64_t i = 0; i < k; i++) {
        double own = 0;
        for (int64_t j = 0; j < k; j++) {
            if (j == i)
                continue;
            double q = 0.5 * (t->a[i] * t->b[j] + t->a[j] * t->b[i]);
            q /= latent ? stretch(t, i * k + j) : 1;
            t->q[i * k + j] = q;
            own -= m[i * k + j] * q;
        }
        t->q[i * k + i] = own;
    }
    dgemm_("N", "N", &k, &k, &k, &one, t->q, &k, m, &k, &none, t->product, &k);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            sum += t->product[i * k + j] * t->product[j * k + i];
    return 2 * sum;
}

dpc_status dpc_delta_rows(const dpc_correlation *c, int x, int y, const int32_t *set, int size,
                          int64_t otherwise, int64_t *rows)
{
    *rows = otherwise;
    if (c->latent == NULL)
        return DPC_OK;
    double *all = NULL;
    test t = {.order = size + 2, .n_obs = (double)c->latent->n_obs};
    if (!make_room(&t, &all))
        return DPC_NO_MEMORY;
    gather(c, x, y, set, &t);
    if (find_weights(&t)) {
        double visible = variance(&t, false), share = visible / variance(&t, true);
        if (share > 0)
            *rows = (int64_t)(t.n_obs * fmin(1, share) + 0.5);
    }
    free(all);
    return DPC_OK;
}
