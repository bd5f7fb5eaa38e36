/* How well chains have mixed: see diagnostics.h. */
#include "diagnostics.h"

#include <math.h>

/* The halves of the chains: half h begins at `first + …`. */
typedef struct halves {
    const double *x;
    int chains, draws;
    int count;     /* m */
    int64_t l;     /* draws of a half */
    double within; /* W */
    double all;    /* V */
} halves;

static const double *half(const halves *h, int which)
{
    const double *chain = h->x + (int64_t)(which / 2) * h->draws;
    return which % 2 == 0 ? chain : chain + h->draws - h->l;
}

static double mean_of(const double *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i];
    return sum / (double)count;
}

/* Σ (x_i - mean) (x_{i+lag} - mean) / l */
static double autocovariance(const double *x, int64_t l, double mean, int64_t lag)
{
    double sum = 0;
    for (int64_t i = 0; i + lag < l; i++)
        sum += (x[i] - mean) * (x[i + lag] - mean);
    return sum / (double)l;
}

/* The mean over the halves of their autocovariances at a lag. */
static double mean_autocovariance(const halves *h, int64_t lag)
{
    double sum = 0;
    for (int i = 0; i < h->count; i++)
        sum += autocovariance(half(h, i), h->l, mean_of(half(h, i), h->l), lag);
    return sum / h->count;
}

/* The variance of some numbers, with the divisor count - 1. */
static double variance_of(const double *x, int count)
{
    double mean = mean_of(x, count), sum = 0;
    for (int i = 0; i < count; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (count - 1);
}

/* The same of the means of the halves, without an array for them. */
static double variance_of_means(const halves *h)
{
    double sum = 0, squares = 0, first = mean_of(half(h, 0), h->l);
    for (int i = 0; i < h->count; i++) {
        double d = mean_of(half(h, i), h->l) - first;
        sum += d;
        squares += d * d;
    }
    return fmax(squares - sum * sum / h->count, 0) / (h->count - 1);
}

static double rho(const halves *h, int64_t lag)
{
    return 1 - (h->within - mean_autocovariance(h, lag)) / h->all;
}

static double effective_draws(const halves *h)
{
    double total = (double)h->count * (double)h->l, tau = -1, before = INFINITY;
    for (int64_t k = 0; k + 1 < h->l; k += 2) {
        double pair = (k == 0 ? 1 : rho(h, k)) + rho(h, k + 1);
        if (!(pair > 0))
            break;
        before = fmin(pair, before);
        tau += 2 * before;
    }
    return total / fmax(tau, 1 / log10(total));
}

dpc_mixing dpc_mixing_of(const double *x, int chains, int draws)
{
    halves h = {.x = x, .chains = chains, .draws = draws, .count = 2 * chains, .l = draws / 2};
    if (h.l < 2)
        return (dpc_mixing){NAN, NAN};
    double l = (double)h.l;
    h.within = mean_autocovariance(&h, 0) * l / (l - 1);
    h.all = h.within * (l - 1) / l + variance_of_means(&h);
    double rounding = 1e-24 * x[0] * x[0];
    if (!(h.all > rounding))
        return (dpc_mixing){NAN, NAN};
    if (!(h.within > rounding))
        return (dpc_mixing){INFINITY, h.count};
    return (dpc_mixing){sqrt(h.all / h.within), effective_draws(&h)};
}

double dpc_monte_carlo_error(const double *means, int chains, int batches)
{
    int count = chains * batches;
    if (count < 2)
        return NAN;
    double by_batches = sqrt(variance_of(means, count) / count);
    if (chains < 2)
        return by_batches;
    double sum = 0, squares = 0, first = mean_of(means, batches);
    for (int c = 0; c < chains; c++) {
        double d = mean_of(means + (int64_t)c * batches, batches) - first;
        sum += d;
        squares += d * d;
    }
    double by_chains = fmax(squares - sum * sum / chains, 0) / (chains - 1);
    return fmax(by_batches, sqrt(by_chains / chains));
}
