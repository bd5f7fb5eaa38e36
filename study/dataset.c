/* One data set of the study: drawn, learned from by every run at every level, and counted. */
#include "study.h"

#include "dualpc_explain.h"

#include "graph.h"
#include "simulate.h"
#include "sortability.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct dataset {
    dpc_progress_fn ask; /* whether to stop */
    void *user;          /* passed to `ask` */
    dpc_graph truth;     /* CPDAG */
    dpc_causal *asked;   /* the same, where the distances to it are wanted; owned */
    /* by study_kinds and dpc_normalize; NULL until asked for; owned */
    dpc_correlation *correlation[STUDY_AS_BLOCKS + 1][DPC_NORMALIZE_LATENT + 1];
    dpc_dag *dag;       /* owned */
    dpc_table *table;   /* owned */
    double sortability; /* NaN: not asked */
} dataset;

static void depart(const study_departure *from, dpc_simulation *simulation)
{
    simulation->model.structure = from->structure;
    simulation->design = from->design;
    simulation->signs = from->signs;
    simulation->noise.exponential = from->exponential;
    simulation->kinds = from->kinds;
    simulation->hidden = from->hidden;
    if (from->weight_low != 0 || from->weight_high != 0) {
        simulation->model.weight_low = from->weight_low;
        simulation->model.weight_high = from->weight_high;
    }
    if (from->variance_low > 0) {
        simulation->variance_low = from->variance_low;
        simulation->variance_high = from->variance_high;
    }
}

dpc_simulation study_simulation(const study_setting *setting, uint64_t seed)
{
    dpc_simulation simulation;
    dpc_simulation_default(&simulation);
    simulation.model.n = setting->n;
    simulation.model.parents = setting->parents;
    simulation.n_obs = setting->n_obs;
    simulation.noise.degrees = setting->degrees;
    simulation.tanh_lambda = setting->tanh;
    simulation.seed = seed;
    if (setting->departure != NULL)
        depart(setting->departure, &simulation);
    return simulation;
}

dpc_status study_draw_data(const study_setting *setting, uint64_t seed, dpc_dag **dag,
                           dpc_table **table, dpc_error *err)
{
    dpc_simulation simulation = study_simulation(setting, seed);
    return dpc_simulate(&simulation, dag, table, err);
}

static dpc_status draw(const study_setting *setting, uint64_t seed, dataset *d, dpc_error *err)
{
    dpc_status status = study_draw_data(setting, seed, &d->dag, &d->table, err);
    if (status == DPC_OK && study_asks_sortability(setting))
        status = dpc_sortability(d->dag, d->table, &d->sortability, err);
    if (status == DPC_OK)
        status = dpc_dag_graph(d->dag, DPC_CPDAG, &d->truth, err);
    if (status == DPC_OK && setting->distances)
        status = dpc_causal_new(&d->truth, NULL, false, &d->asked, err);
    return status;
}

/* With the paper's rule for directions the columns keep their order, as its authors had it. */
static dpc_settings settings_of(const study_setting *setting, const study_run *run, double level)
{
    const study_departure *from = setting->departure;
    dpc_settings s;
    dpc_settings_default(&s);
    s.method = run->method;
    s.variant = run->variant;
    s.test = run->test;
    s.normalize = run->normalize;
    s.min_ess = run->min_ess;
    s.orient = run->orient;
    s.rule = run->rule;
    s.refine = run->refine;
    if (run->kinds == STUDY_AS_BLOCKS && from != NULL && from->kinds.curved > 0)
        s.relations = DPC_CURVED;
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
    for (int g = 0; g < STUDY_GRAPHS; g++) {
        DPC_CHECK(dpc_compare(dpc_result_graph(result), &d->truth, (dpc_target)g, &metrics, err));
        point->graph[g].tp = metrics.tp;
        point->graph[g].fp = metrics.fp;
        point->graph[g].fn = metrics.fn;
    }
    point->p = metrics.p;
    const dpc_info *info = dpc_result_info(result);
    point->tests = info->tests + info->scores; /* one of them is 0 */
    return DPC_OK;
}

/* All runs whose distances are asked for return CPDAGs of DAGs. */
static dpc_status distances(const dataset *d, const dpc_result *result,
                            const dpc_settings *settings, study_point *point, dpc_error *err)
{
    dpc_causal *estimate = NULL;
    dpc_aid aid = {0};
    dpc_status status = dpc_causal_new(dpc_result_graph(result), NULL, false, &estimate, err);
    if (status == DPC_OK)
        status = dpc_distances(estimate, d->asked, DPC_AID_ALL, settings, &aid, err);
    point->aid[0] = (double)aid.parent;
    point->aid[1] = (double)aid.ancestor;
    point->aid[2] = (double)aid.oset;
    dpc_causal_free(estimate);
    return status;
}

dpc_status study_check_complete(const dpc_result *result, dpc_error *err)
{
    const dpc_refined *refined = dpc_result_info(result)->refined;
    const dpc_hidden_search *hidden = dpc_result_info(result)->hidden;
    bool complete = (refined == NULL || refined->complete) && (hidden == NULL || hidden->complete);
    return complete ? DPC_OK : dpc_fail_interrupted(err);
}

double study_processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static dpc_status learn(dataset *d, const study_setting *setting, const study_run *run,
                        double level, study_point *point, dpc_error *err)
{
    dpc_settings settings = settings_of(setting, run, level);
    settings.progress = d->ask;
    settings.progress_user = d->user;
    dpc_correlation **correlation = &d->correlation[run->kinds][run->normalize];
    dpc_result *result = NULL;
    if (*correlation == NULL) {
        DPC_CHECK(study_set_kinds(d->dag, run->kinds, d->table, err));
        DPC_CHECK(dpc_correlate(d->table, &settings, NULL, correlation, err));
    }
    double start = study_processor_seconds();
    dpc_status status = dpc_learn(*correlation, &settings, &result, err);
    point->seconds = study_processor_seconds() - start;
    if (status == DPC_OK)
        status = study_check_complete(result, err);
    if (status == DPC_OK)
        status = count(d, result, point, err);
    point->sortability = d->sortability;
    for (int i = 0; i < STUDY_AIDS; i++)
        point->aid[i] = NAN;
    if (status == DPC_OK && d->asked != NULL)
        status = distances(d, result, &settings, point, err);
    dpc_result_free(result);
    return status;
}

dpc_status study_dataset(const study_setting *setting, uint64_t seed, dpc_progress_fn ask,
                         void *user, study_point *points, dpc_error *err)
{
    dataset d = {.ask = ask, .user = user, .sortability = NAN};
    dpc_status status = draw(setting, seed, &d, err);
    for (int r = 0; r < setting->n_runs && status == DPC_OK; r++)
        for (int level = 0; level < setting->n_levels && status == DPC_OK; level++)
            status = learn(&d, setting, &setting->runs[r], setting->runs[r].levels[level],
                           &points[r * setting->n_levels + level], err);
    dpc_graph_clear(&d.truth);
    dpc_causal_free(d.asked);
    for (int k = 0; k <= STUDY_AS_BLOCKS; k++)
        for (int m = 0; m <= DPC_NORMALIZE_LATENT; m++)
            dpc_correlation_free(d.correlation[k][m]);
    dpc_dag_free(d.dag);
    dpc_table_free(d.table);
    return status;
}
