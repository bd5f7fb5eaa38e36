/*
 * Few variables, where an exact search tells the optimum: the full search must find it always up to
 * 14 variables, and nearly always with 15 and 16. Scores are computed afresh, at the price log N.
 */
#include "refine.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-6;
enum { CERTAIN = 14, MOST = 16, SETS = 50 };
static const double OFTEN = .9; /* of the sets with more than CERTAIN variables */

/* Easy and hard ones in turn. */
static const struct {
    double parents, low, high;
    int64_t n_obs;
} KINDS[] = {{2, .4, 2, 500}, {3, .4, 2, 500}, {4, .4, 2, 1000}, {2, .1, .5, 300}, {3, .1, 1, 500}};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

static bench_line kind_of(int n, int number)
{
    int kind = number % N_KINDS;
    return (bench_line){.name = "small",
                        .structure = DPC_ER,
                        .signs = number / N_KINDS % 2 == 0 ? DPC_POSITIVE : DPC_MIXED_SIGNS,
                        .n = n,
                        .n_obs = KINDS[kind].n_obs,
                        .parents = fmin(KINDS[kind].parents, (n - 1) / 2.0),
                        .low = KINDS[kind].low,
                        .high = KINDS[kind].high};
}

/* The score that a kind of refinement comes to; *certain: it says that none is higher. */
static dpc_status score_of(const dpc_correlation *c, dpc_refinement how, int threads, double *score,
                           bool *certain, dpc_error *err)
{
    dpc_settings settings;
    dpc_result *result = NULL;
    dpc_correlation_info about = dpc_correlation_about(c);
    dpc_settings_default(&settings);
    settings.refine = how;
    settings.threads = threads;
    settings.penalty = 1;
    dpc_status status = dpc_learn(c, &settings, &result, err);
    if (status != DPC_OK)
        return status;
    *score = bench_score_class(about.values, about.n_obs, log((double)about.n_obs),
                               dpc_result_graph(result));
    *certain = dpc_result_info(result)->refined->optimality == DPC_OPTIMUM_GLOBAL;
    dpc_result_free(result);
    return DPC_OK;
}

typedef struct small_tally {
    int sets, optimal, certain; /* of these: the optimum was found; and was said to be it */
    double worst;
    bool unknown; /* there is no exact search */
} small_tally;

static void compare(int n, int number, const bench_options *o, small_tally *t)
{
    bench_line line = kind_of(n, number);
    bench_set set;
    dpc_error err = {0};
    dpc_correlation *c = NULL;
    double full, exact;
    bool full_certain, exact_certain;
    bench_draw(&line, o->seed + (uint64_t)number, &set);
    if (dpc_correlate(set.table, NULL, NULL, &c, &err) != DPC_OK ||
        score_of(c, DPC_REFINE_FULL, o->threads, &full, &full_certain, &err) != DPC_OK)
        bench_stop(&err);
    if (score_of(c, DPC_REFINE_EXACT, o->threads, &exact, &exact_certain, &err) != DPC_OK ||
        !exact_certain) {
        t->unknown = true;
    } else {
        bool optimal = full >= exact - SAME * fmax(1, fabs(exact) * 1e-3);
        t->sets++;
        t->optimal += optimal;
        t->certain += full_certain;
        t->worst = fmin(t->worst, full - exact);
        if (o->each && !optimal)
            printf("  n %d seed %llu: %.6f below the optimum %.6f\n", n,
                   (unsigned long long)(o->seed + (uint64_t)number), exact - full, exact);
        if (full > exact + 1e-3)
            printf("  n %d seed %llu: the exact search is %.6f below the full one\n", n,
                   (unsigned long long)(o->seed + (uint64_t)number), full - exact);
    }
    dpc_correlation_free(c);
    bench_set_clear(&set);
}

static void print_tally(const char *name, const small_tally *t, double share)
{
    if (t->unknown)
        printf("%-8s no exact search: cannot be told %s\n", name, bench_bar(false));
    else
        printf("%-8s optimal %3d of %3d (at least %.0f %%) %s, worst %.4f; said to be optimal %d\n",
               name, t->optimal, t->sets, 100 * share, bench_bar(t->optimal >= share * t->sets),
               t->worst, t->certain);
    fflush(stdout);
}

void bench_small(const bench_options *o)
{
    small_tally certain = {0};
    char name[32];
    printf("\nagainst the exact search\n");
    for (int n = 2; n <= CERTAIN && !certain.unknown; n++)
        for (int i = 0; i < o->sets; i++)
            compare(n, i, o, &certain);
    print_tally("n <= 14", &certain, 1);
    for (int n = CERTAIN + 1; n <= MOST; n++) {
        small_tally t = {0};
        for (int i = 0; i < SETS && !t.unknown; i++)
            compare(n, i, o, &t);
        snprintf(name, sizeof name, "n = %d", n);
        print_tally(name, &t, OFTEN);
    }
}
