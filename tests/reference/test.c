/* One test (section 2): the critical value, the verdict, what is counted and what is recorded. */
#include "run.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Above 1 - 1e-10 two variables are one: they stay dependent at any level. */
double reference_critical(dpc_test test, double alpha, double n_obs, int k)
{
    double df = n_obs - k - 2;
    if (df - 1 < 1)
        return NAN;
    if (test == DPC_FISHER_Z)
        return fmin(tanh(gsl_cdf_gaussian_Qinv(alpha / 2, 1) / sqrt(df - 1)), 1 - 1e-10);
    double t = student_quantile(alpha / 2, df);
    return fmin(t / sqrt(df + t * t), 1 - 1e-10);
}

double *ref_critical_values(const struct run *run, double alpha)
{
    double *c = ref_zeroed((size_t)run->n, sizeof *c);
    for (int k = 0; k < run->n; k++)
        c[k] = reference_critical(run->settings->test, alpha, run->n_obs, k);
    return c;
}

double ref_rows(const struct run *run, int x, int y, const int32_t *set, int k)
{
    int all[k + 2], least = -1, sum = 0;
    if (run->rows == NULL)
        return run->n_obs;
    for (int i = 0; i < k; i++)
        all[i] = set[i];
    all[k] = x;
    all[k + 1] = y;
    for (int i = 0; i < k + 2; i++)
        for (int j = 0; j < k + 2; j++) {
            int common = run->rows[all[i] * run->n + all[j]];
            if (i == j)
                continue;
            sum += common;
            least = least < 0 || common < least ? common : least;
        }
    return run->mean_rows ? sum / ((k + 2) * (k + 1)) : least;
}

double ref_critical(const struct run *run, dpc_sep_kind kind, double n_obs, int k)
{
    const dpc_settings *s = run->settings;
    bool primal = kind == DPC_SEP_PRIMAL || kind == DPC_SEP_MARGINAL;
    if (n_obs == run->n_obs)
        return primal ? run->primal[k] : run->dual[k];
    return reference_critical(s->test, primal || s->alpha_dual == 0 ? s->alpha : s->alpha_dual,
                              n_obs, k);
}

bool ref_enough_samples(const struct run *run, double n_obs, int k)
{
    /* of blocks each test asks for itself */
    return run->blocks != NULL || n_obs - k - 3 >= fmax(run->settings->min_ess, 1);
}

/* The p-value of r given k variables. */
static double p_value(const struct run *run, double r, double n_obs, int k)
{
    double df = n_obs - k - 2, a = fabs(r);
    if (a >= 1)
        return 0;
    if (run->settings->test == DPC_FISHER_Z)
        return 2 * gsl_cdf_gaussian_Q(atanh(a) * sqrt(df - 1), 1);
    return 2 * gsl_cdf_tdist_Q(a * sqrt(df / (1 - a * a)), df);
}

void ref_note_weakest(struct run *run, int x, int y, real r, double n_obs, int k)
{
    double *weakest = run->out->weakest, p = p_value(run, (double)r, n_obs, k);
    size_t n = (size_t)run->n, there = x * n + y, back = y * n + x;
    weakest[there] = weakest[back] = fmax(weakest[there], p);
}

bool ref_independent(struct run *run, real r, double critical)
{
    struct reference *out = run->out;
    out->tests++;
    out->distinct++;
    out->least_margin = fmin(out->least_margin, fabs((double)fabsl(r) - critical));
    return fabsl(r) <= critical;
}

void ref_record_at(struct reference *out, int x, int y, const struct reference_sepset *found)
{
    struct reference_sepset *place = ref_sepset(out, x, y);
    int32_t *members = place->members;
    *place = *found;
    place->members = members;
    memcpy(members, found->members, (size_t)found->size * sizeof *members);
}

void ref_record(struct run *run, int x, int y, const struct reference_sepset *found)
{
    ref_record_at(run->out, x, y, found);
    ref_record_at(run->out, y, x, found);
}

void ref_delete_edge(struct run *run, int x, int y)
{
    *ref_cell(run, x, y) = 0;
    *ref_cell(run, y, x) = 0;
}

bool ref_test(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind, int level,
              struct reference_sepset *found)
{
    if (run->blocks != NULL)
        return ref_block_test(run, x, y, set, k, kind, level, found);
    double n_obs = ref_rows(run, x, y, set, k), critical = ref_critical(run, kind, n_obs, k);
    real r;
    if (isnan(critical) || !ref_partial_correlation(run, x, y, set, k, &r))
        return false;
    if (!ref_independent(run, r, critical)) {
        ref_note_weakest(run, x, y, r, n_obs, k);
        return false;
    }
    *found = (struct reference_sepset){kind, level, level > 0 ? x : -1, k, (double)r, set};
    return true;
}

static uint64_t bits(const int32_t *set, int size)
{
    uint64_t all = 0;
    for (int i = 0; i < size; i++)
        all |= UINT64_C(1) << set[i];
    return all;
}

void ref_look_back(struct run *run, int x, int y, int s)
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
        asked->given = ref_need(realloc(asked->given, room * sizeof *asked->given));
        asked->critical = ref_need(realloc(asked->critical, room * sizeof *asked->critical));
    }
    asked->given[asked->count] = given;
    asked->critical[asked->count++] = critical;
    return false;
}

bool ref_test_noted(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind,
                    int level, struct reference_sepset *found)
{
    int64_t before = run->out->tests;
    if (run->blocks != NULL) /* all tests of a level are made anew */
        return ref_block_test(run, x, y, set, k, kind, level, found);
    double critical = ref_critical(run, kind, ref_rows(run, x, y, set, k), k);
    bool separates = ref_test(run, x, y, set, k, kind, level, found);
    if (run->out->tests > before &&
        ask_again(&run->asked[(size_t)x * run->n + y], bits(set, k), critical))
        run->out->distinct--;
    return separates;
}
