/*
 * The study of hidden common causes: what is run, and one data set. Graphs are sparse with weights
 * of both signs, or the paper's; the hidden nodes are among those with two children or more.
 */
#include "hidden_causes.h"

#include "hidden.h"
#include "pag.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is run ---- */

/* The classic order has the same tests and rules as the dual one, but only small sets. */
const study_finder study_finders[STUDY_FINDERS] = {
    {"search", "search", DPC_HIDDEN_SEARCH, DPC_DUAL, 0},
    {"fci", "fci", DPC_HIDDEN_FCI, DPC_DUAL, 0},
    {"fci-classic", "fci, classic order", DPC_HIDDEN_FCI, DPC_CLASSIC, 0},
    {"fci-0.01", "fci, 0.01", DPC_HIDDEN_FCI, DPC_DUAL, 0.01},
    {"fci-classic-0.01", "fci, classic order, 0.01", DPC_HIDDEN_FCI, DPC_CLASSIC, 0.01},
    {"dag", "dag", DPC_HIDDEN_DAG, DPC_DUAL, 0},
};

/* In quotes, because of the comma: the options are a cell of a CSV file. */
#define SPARSE(text, share)                                                                        \
    {                                                                                              \
        .options = "\"--signs mixed --weights 0.25,1" text "\"", .signs = DPC_MIXED_SIGNS,         \
        .weight_low = 0.25, .weight_high = 1, .hidden = share                                      \
    }
static const study_departure NONE = SPARSE("", 0), SPARSE_5 = SPARSE(" --hidden 0.05", 0.05),
                             SPARSE_10 = SPARSE(" --hidden 0.1", 0.1),
                             SPARSE_20 = SPARSE(" --hidden 0.2", 0.2),
                             PAPER_10 = {.options = "--hidden 0.1", .hidden = 0.1},
                             PAPER_15 = {.options = "--hidden 0.15", .hidden = 0.15};

#define SETTING(n, n_obs, parents, departure)                                                      \
    {                                                                                              \
        n, n_obs, parents, INFINITY, 0, NULL, 0, 1, false, departure                               \
    }
const study_setting study_latent_settings[STUDY_LATENT_SETTINGS] = {
    SETTING(50, 1000, 1, &NONE),       SETTING(50, 5000, 1, &SPARSE_10),
    SETTING(50, 1000, 1, &SPARSE_10),  SETTING(20, 500, 1, &SPARSE_20),
    SETTING(100, 1000, 1, &SPARSE_10), SETTING(200, 2000, 1, &SPARSE_5),
    SETTING(20, 1000, 2, &PAPER_15),   SETTING(50, 1000, 2, &PAPER_10)};

const char *const study_latent_names[STUDY_LATENT_SETTINGS] = {
    "null50", "few50", "some50", "many20", "some100", "few200", "paper20", "paper50"};

static bool is_called(int setting, const char *name)
{
    char sized[32];
    snprintf(sized, sizeof sized, "latent-%s", study_latent_names[setting]);
    return strcmp(name, "latent") == 0 || strcmp(name, sized) == 0;
}

bool study_is_latent(const char *name)
{
    for (int i = 0; i < STUDY_LATENT_SETTINGS; i++)
        if (is_called(i, name))
            return true;
    return false;
}

/* ---- One data set ---- */

typedef struct dataset {
    dpc_correlation *correlation; /* owned */
    dpc_graph truth;              /* owned */
    int64_t hidden, joined;       /* nodes; ↔ of the truth */
    dpc_progress_fn ask;
    void *user;
} dataset;

static dpc_settings settings_of(const dataset *d, const study_finder *finder)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.latent = finder->latent;
    s.method = finder->method;
    s.alpha = finder->alpha;
    s.threads = 1; /* the data sets are what runs in parallel */
    s.progress = d->ask;
    s.progress_user = d->user;
    return s;
}

/* The columns that are left, and the truth about them. */
static dpc_status look_away(const dpc_simulation *simulation, const dpc_dag *dag,
                            const dpc_table *whole, dataset *d, dpc_error *err)
{
    bool *hidden = NULL;
    dpc_table *table = NULL;
    dpc_settings settings = settings_of(d, &study_finders[0]); /* by score, which asks for most */
    DPC_CHECK(dpc_simulate_hidden(simulation, dag, &hidden, err));
    for (int v = 0; v < dag->n; v++)
        d->hidden += hidden[v];
    dpc_status status = dpc_hidden_pag(dag, hidden, &d->truth, err);
    if (status == DPC_OK)
        status = dpc_hidden_table(whole, hidden, &table, err);
    if (status == DPC_OK)
        status = dpc_correlate(table, &settings, NULL, &d->correlation, err);
    for (int64_t e = 0; e < d->truth.n_edges; e++)
        d->joined += d->truth.edges[e].mark == DPC_BIDIRECTED;
    dpc_table_free(table);
    free(hidden);
    return status;
}

static dpc_status draw(const study_setting *setting, uint64_t seed, dataset *d, dpc_error *err)
{
    dpc_simulation simulation = study_simulation(setting, seed);
    dpc_dag *dag = NULL;
    dpc_table *whole = NULL;
    dpc_status status = dpc_simulate(&simulation, &dag, &whole, err);
    if (status == DPC_OK)
        status = look_away(&simulation, dag, whole, d, err);
    dpc_dag_free(dag);
    dpc_table_free(whole);
    return status;
}

static dpc_status count(const dataset *d, const dpc_result *result, study_found *found,
                        dpc_error *err)
{
    const dpc_graph *pag = dpc_result_graph(result);
    dpc_pag_metrics m;
    bool valid;
    if (dpc_pag_is_valid(pag, false, &valid) != DPC_OK)
        return dpc_fail_memory(err, "the check of a PAG");
    DPC_CHECK(dpc_compare_pags(pag, &d->truth, &m, err));
    double *value = found->value;
    value[STUDY_FOUND_HIDDEN] = (double)d->hidden;
    value[STUDY_FOUND_DOUBLE] = (double)d->joined;
    value[STUDY_FOUND_SHD] = (double)m.shd;
    value[STUDY_FOUND_EXACT] = m.exact;
    value[STUDY_FOUND_ARROW_PRECISION] = m.arrow_precision;
    value[STUDY_FOUND_ARROW_RECALL] = m.arrow_recall;
    value[STUDY_FOUND_TAIL_PRECISION] = m.tail_precision;
    value[STUDY_FOUND_TAIL_RECALL] = m.tail_recall;
    value[STUDY_FOUND_VALID] = valid;
    value[STUDY_FOUND_REPAIRED] = dpc_result_info(result)->repaired;
    return DPC_OK;
}

static dpc_status learn(const dataset *d, const study_finder *finder, study_found *found,
                        dpc_error *err)
{
    dpc_settings settings = settings_of(d, finder);
    dpc_result *result = NULL;
    double start = study_processor_seconds();
    DPC_CHECK(dpc_learn(d->correlation, &settings, &result, err));
    found->value[STUDY_FOUND_SECONDS] = study_processor_seconds() - start;
    dpc_status status = study_check_complete(result, err);
    if (status == DPC_OK)
        status = count(d, result, found, err);
    dpc_result_free(result);
    return status;
}

static dpc_status compute(const study_setting *setting, uint64_t seed, dpc_progress_fn ask,
                          void *user, void *points, dpc_error *err)
{
    study_found *found = points;
    dataset d = {.ask = ask, .user = user};
    dpc_status status = draw(setting, seed, &d, err);
    for (int f = 0; f < STUDY_FINDERS && status == DPC_OK; f++)
        status = learn(&d, &study_finders[f], &found[f], err);
    dpc_graph_clear(&d.truth);
    dpc_correlation_free(d.correlation);
    return status;
}

/* ---- All of it ---- */

static int print_row(int row, char *to)
{
    return snprintf(to, STUDY_ROW_KEY, "%s", study_finders[row].word);
}

static double *value_of(void *points, int row, int column)
{
    return &((study_found *)points)[row].value[column];
}

static double cost(const study_setting *s)
{
    return (double)s->n * (double)s->n_obs;
}

static const study_grid_form FORM = {
    .file = "latent.csv",
    .header = "n,N,parents,options,rep,seed,method,hidden,double_arrows,SHD,exact,arrow_precision,"
              "arrow_recall,tail_precision,tail_recall,valid,repaired,seconds\n",
    .settings = study_latent_settings,
    .n_settings = STUDY_LATENT_SETTINGS,
    .rows = STUDY_FINDERS,
    .values = STUDY_FOUND_VALUES,
    .bytes = STUDY_FINDERS * (int64_t)sizeof(study_found),
    .print_row = print_row,
    .value = value_of,
    .cost = cost,
    .compute = compute,
};

dpc_status study_run_latent(const study_options *options, dpc_error *err)
{
    study_grid grid = {.form = &FORM, .options = options};
    for (int i = 0; i < STUDY_LATENT_SETTINGS; i++)
        grid.wanted[i] = is_called(i, options->name);
    return study_grid_run(&grid, study_show_latent, err);
}
