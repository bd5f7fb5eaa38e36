/* One data set of the study: drawn, learned from by every run at every level, and counted. */
#include "study.h"

#include "clock.h"
#include "graph.h"
#include "simulate.h"

#include <stdlib.h>

typedef struct dataset {
    dpc_progress_fn ask;             /* whether to stop */
    void *user;                      /* passed to `ask` */
    dpc_graph truth;                 /* CPDAG */
    dpc_correlation *correlation[2]; /* by dpc_normalize; NULL until asked for; owned */
    dpc_table *table;                /* owned */
} dataset;

static dpc_status draw(const study_setting *setting, uint64_t seed, dataset *d, dpc_error *err)
{
    dpc_simulation simulation;
    dpc_dag *dag = NULL;
    dpc_simulation_default(&simulation);
    simulation.model.n = setting->n;
    simulation.model.parents = setting->parents;
    simulation.n_obs = setting->n_obs;
    simulation.noise.degrees = setting->degrees;
    simulation.tanh_lambda = setting->tanh;
    simulation.seed = seed;
    dpc_status status = dpc_simulate(&simulation, &dag, &d->table, err);
    if (status == DPC_OK)
        status = dpc_dag_graph(dag, DPC_CPDAG, &d->truth, err);
    dpc_dag_free(dag);
    return status;
}

/* The paper's way: given order of the columns, its orientation rule. */
static dpc_settings settings_of(const study_run *run, double level)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.method = run->method;
    s.variant = run->variant;
    s.test = run->test;
    s.normalize = run->normalize;
    s.min_ess = run->min_ess;
    s.orient = DPC_RELAXED;
    s.order = DPC_ORDER_GIVEN;
    s.threads = 1; /* the data sets are what runs in parallel */
    if (run->method == DPC_GES)
        s.penalty = level;
    else
        s.alpha = level;
    return s;
}

static dpc_status count(const dataset *d, const dpc_result *result, study_point *point,
                        dpc_error *err)
{
    dpc_metrics metrics = {0};
    dpc_status status = DPC_OK;
    for (int g = 0; g < STUDY_GRAPHS && status == DPC_OK; g++) {
        status = dpc_compare(dpc_result_graph(result), &d->truth, (dpc_target)g, &metrics, err);
        point->graph[g].tp = metrics.tp;
        point->graph[g].fp = metrics.fp;
        point->graph[g].fn = metrics.fn;
    }
    point->p = metrics.p;
    point->tests = dpc_result_info(result)->tests;
    return status;
}

static dpc_status learn(dataset *d, const study_run *run, double level, study_point *point,
                        dpc_error *err)
{
    dpc_settings settings = settings_of(run, level);
    settings.progress = d->ask;
    settings.progress_user = d->user;
    dpc_correlation **correlation = &d->correlation[run->normalize];
    dpc_result *result = NULL;
    dpc_status status = DPC_OK;
    if (*correlation == NULL)
        status = dpc_correlate(d->table, &settings, NULL, correlation, err);
    if (status != DPC_OK)
        return status;
    double start = dpc_seconds();
    status = dpc_learn(*correlation, &settings, &result, err);
    point->seconds = dpc_seconds() - start;
    if (status == DPC_OK)
        status = count(d, result, point, err);
    dpc_result_free(result);
    return status;
}

dpc_status study_dataset(const study_setting *setting, uint64_t seed, dpc_progress_fn ask,
                         void *user, study_point *points, dpc_error *err)
{
    dataset d = {.ask = ask, .user = user};
    dpc_status status = draw(setting, seed, &d, err);
    for (int r = 0; r < setting->n_runs && status == DPC_OK; r++)
        for (int level = 0; level < STUDY_LEVELS && status == DPC_OK; level++)
            status = learn(&d, &setting->runs[r], setting->runs[r].levels[level],
                           &points[r * STUDY_LEVELS + level], err);
    dpc_graph_clear(&d.truth);
    dpc_correlation_free(d.correlation[0]);
    dpc_correlation_free(d.correlation[1]);
    dpc_table_free(d.table);
    return status;
}
