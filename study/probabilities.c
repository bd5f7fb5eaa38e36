/*
 * The study of probabilities of edges: what is run, one data set, and the whole. The data are drawn
 * as in the paper, or with weak weights; the same seeds have the same DAGs.
 */
#include "probabilities.h"

#include "arena.h"
#include "dualpc_explain.h"
#include "simulate.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* ---- What is run ---- */

const char *const study_claim_words[STUDY_CLAIMS] = {"skeleton", "directed", "ancestor"};

const study_way study_ways[STUDY_WAYS] = {
    {"bootstrap", "bootstrap", 200, DPC_SCORE_FBF, DPC_PRIOR_FAIR},
    {"fbf-fair", "fbf, fair", 0, DPC_SCORE_FBF, DPC_PRIOR_FAIR},
    {"fbf-order", "fbf, order", 0, DPC_SCORE_FBF, DPC_PRIOR_ORDER},
    {"bic-fair", "bic, fair", 0, DPC_SCORE_BIC, DPC_PRIOR_FAIR},
    {"bge-fair", "bge, fair", 0, DPC_SCORE_BGE, DPC_PRIOR_FAIR},
    {"bge-uniform", "bge, uniform", 0, DPC_SCORE_BGE, DPC_PRIOR_UNIFORM},
};

static const study_departure WEAK = {
    .options = "\"--weights 0.1,0.6\"", /* quoted, for it has a comma */
    .weight_low = 0.1,
    .weight_high = 0.6,
};

#define SETTING(n, n_obs, departure)                                                               \
    {                                                                                              \
        n, n_obs, 2, INFINITY, 0, NULL, 0, 1, false, departure                                     \
    }
const study_setting study_posterior_settings[STUDY_POSTERIOR_SETTINGS] = {
    SETTING(20, 100, NULL),  SETTING(50, 100, NULL),  SETTING(50, 500, NULL),
    SETTING(50, 200, &WEAK), SETTING(50, 500, &WEAK), SETTING(100, 200, NULL),
    SETTING(100, 1000, NULL)};

const char *const study_posterior_names[STUDY_POSTERIOR_SETTINGS] = {
    "20/100", "50/100", "50/500", "50/200 weak", "50/500 weak", "100/200", "100/1000"};

static bool is_called(const study_setting *setting, const char *name)
{
    char sized[32];
    snprintf(sized, sizeof sized, "posterior-%d", setting->n);
    return strcmp(name, "posterior") == 0 || strcmp(name, sized) == 0;
}

bool study_is_posterior(const char *name)
{
    for (int i = 0; i < STUDY_POSTERIOR_SETTINGS; i++)
        if (is_called(&study_posterior_settings[i], name))
            return true;
    return false;
}

/* ---- Rows as numbers ---- */

enum {
    JUDGED = sizeof(study_judged) / sizeof(double),
    VALUES = JUDGED + 3, /* rhat, ess, seconds */
};

/* The place of a number of a row, in the order of the columns. */
static double *value_of(void *points, int row, int column)
{
    study_verdict *verdict = (study_verdict *)points + row / STUDY_CLAIMS;
    double *last[] = {&verdict->rhat, &verdict->ess, &verdict->seconds};
    return column < JUDGED ? (double *)&verdict->claims[row % STUDY_CLAIMS] + column
                           : last[column - JUDGED];
}

static int print_row(int row, char *to)
{
    return snprintf(to, STUDY_ROW_KEY, "%s,%s", study_ways[row / STUDY_CLAIMS].word,
                    study_claim_words[row % STUDY_CLAIMS]);
}

/* ---- One data set ---- */

/* The truth of every claim and what a method gives it, of pairs u, v at u n + v. */
typedef struct dataset {
    int n;
    dpc_table *table;            /* owned */
    dpc_dag *dag;                /* owned */
    bool *is[STUDY_CLAIMS];      /* n²; of the joined, u < v alone */
    double *given[STUDY_CLAIMS]; /* likewise */
    study_statement *list;       /* room for n² */
    dpc_settings settings;
} dataset;

static void fill_truth(dataset *d)
{
    int n = d->n;
    for (int i = 0; i < n; i++) {
        int v = d->dag->order[i];
        for (int64_t e = d->dag->start[v]; e < d->dag->start[v + 1]; e++) {
            int u = d->dag->parent[e];
            d->is[STUDY_JOINED][u < v ? u * n + v : v * n + u] = true;
            d->is[STUDY_ARROW][u * n + v] = true;
            d->is[STUDY_ANCESTOR][u * n + v] = true;
            for (int a = 0; a < n; a++) /* the ancestors of u are known already */
                if (d->is[STUDY_ANCESTOR][a * n + u])
                    d->is[STUDY_ANCESTOR][a * n + v] = true;
        }
    }
}

static dpc_status draw(const study_setting *setting, uint64_t seed, dpc_arena *arena, dataset *d,
                       dpc_error *err)
{
    int64_t pairs = (int64_t)setting->n * setting->n;
    d->n = setting->n;
    for (int c = 0; c < STUDY_CLAIMS; c++) {
        d->is[c] = dpc_arena_zalloc(arena, pairs, sizeof *d->is[c]);
        d->given[c] = dpc_arena_zalloc(arena, pairs, sizeof *d->given[c]);
    }
    d->list = dpc_arena_alloc(arena, pairs, sizeof *d->list);
    if (dpc_arena_failed(arena))
        return dpc_fail_memory(err, "a data set");
    DPC_CHECK(study_draw_data(setting, seed, &d->dag, &d->table, err));
    fill_truth(d);
    return DPC_OK;
}

static study_judged judge(const dataset *d, study_claim claim)
{
    int64_t count = 0;
    for (int u = 0; u < d->n; u++)
        for (int v = claim == STUDY_JOINED ? u + 1 : 0; v < d->n; v++)
            if (u != v)
                d->list[count++] =
                    (study_statement){d->given[claim][u * d->n + v], d->is[claim][u * d->n + v]};
    return study_judge(d->list, count);
}

/* A pair a < b: rounding may put a sum of probabilities above 1. */
static void give(const dataset *d, int a, int b, study_claim claim, double forward, double backward)
{
    d->given[claim][a * d->n + b] = fmin(forward, 1);
    d->given[claim][b * d->n + a] = fmin(backward, 1);
}

/* An edge that a resample does not direct counts half each way. */
static dpc_status bootstrap(const dataset *d, const study_way *way, dpc_error *err)
{
    const dpc_resampling how = {.resamples = way->resamples, .seed = d->settings.seed};
    dpc_settings settings = d->settings;
    dpc_frequencies *f = NULL;
    settings.refine = DPC_REFINE_FAST;
    dpc_status status = dpc_bootstrap(d->table, &settings, &how, &f, err);
    for (int64_t i = 0; status == DPC_OK && i < f->n_pairs; i++) {
        const dpc_frequency *p = &f->pairs[i];
        double half = p->undirected / 2;
        give(d, p->a, p->b, STUDY_JOINED, p->edge / f->total, 0);
        give(d, p->a, p->b, STUDY_ARROW, (p->forward + half) / f->total,
             (p->backward + half) / f->total);
    }
    dpc_frequencies_free(f);
    return status;
}

static dpc_status sample(const dataset *d, const study_way *way, study_verdict *verdict,
                         dpc_error *err)
{
    dpc_sampling sampling;
    dpc_posterior *posterior = NULL;
    dpc_sampling_default(&sampling);
    sampling.score = way->score;
    sampling.prior = way->prior;
    dpc_status status = dpc_sample(d->table, &d->settings, &sampling, NULL, &posterior, err);
    for (int64_t i = 0; status == DPC_OK && i < posterior->n_pairs; i++) {
        const dpc_probability *p = &posterior->pairs[i];
        give(d, p->a, p->b, STUDY_JOINED, p->forward + p->backward, 0);
        give(d, p->a, p->b, STUDY_ARROW, p->forward, p->backward);
        give(d, p->a, p->b, STUDY_ANCESTOR, p->ancestor, p->descendant);
    }
    if (status == DPC_OK) {
        verdict->rhat = posterior->rhat;
        verdict->ess = posterior->ess;
    }
    dpc_posterior_free(posterior);
    return status;
}

static dpc_status learn(const dataset *d, const study_way *way, study_verdict *verdict,
                        dpc_error *err)
{
    verdict->rhat = verdict->ess = NAN;
    for (int c = 0; c < STUDY_CLAIMS; c++)
        memset(d->given[c], 0, (size_t)d->n * (size_t)d->n * sizeof *d->given[c]);
    double start = study_processor_seconds();
    DPC_CHECK(way->resamples > 0 ? bootstrap(d, way, err) : sample(d, way, verdict, err));
    verdict->seconds = study_processor_seconds() - start;
    for (int c = 0; c < STUDY_CLAIMS; c++)
        verdict->claims[c] = judge(d, (study_claim)c);
    for (int i = 0; way->resamples > 0 && i < JUDGED; i++)
        *value_of(verdict, STUDY_ANCESTOR, i) = NAN; /* a bootstrap does not say */
    return DPC_OK;
}

static double cost(const study_setting *s)
{
    return (double)s->n * (s->n + 30);
}

static dpc_status compute(const study_setting *setting, uint64_t seed, dpc_progress_fn ask,
                          void *user, void *points, dpc_error *err)
{
    study_verdict *verdicts = points;
    dpc_arena arena = {0};
    dataset d = {0};
    dpc_status status = draw(setting, seed, &arena, &d, err);
    dpc_settings_default(&d.settings);
    d.settings.threads = 1; /* the data sets are what runs in parallel */
    d.settings.seed = seed;
    d.settings.progress = ask;
    d.settings.progress_user = user;
    for (int w = 0; w < STUDY_WAYS && status == DPC_OK; w++)
        status = learn(&d, &study_ways[w], &verdicts[w], err);
    dpc_dag_free(d.dag);
    dpc_table_free(d.table);
    dpc_arena_clear(&arena);
    return status;
}

/* ---- All of it ---- */

static const study_grid_form FORM = {
    .file = "posterior.csv",
    .header =
        "n,N,parents,options,rep,seed,method,of,true,log_loss,brier,average_precision,"
        "count_1,given_1,true_1,count_2,given_2,true_2,count_3,given_3,true_3,count_4,given_4,"
        "true_4,count_5,given_5,true_5,count_6,given_6,true_6,count_7,given_7,true_7,count_8,"
        "given_8,true_8,rhat,ess,seconds\n",
    .settings = study_posterior_settings,
    .n_settings = STUDY_POSTERIOR_SETTINGS,
    .rows = STUDY_WAYS * STUDY_CLAIMS,
    .values = VALUES,
    .bytes = STUDY_WAYS * (int64_t)sizeof(study_verdict),
    .print_row = print_row,
    .value = value_of,
    .cost = cost,
    .compute = compute,
};

dpc_status study_run_posterior(const study_options *options, dpc_error *err)
{
    study_grid grid = {.form = &FORM, .options = options};
    for (int i = 0; i < STUDY_POSTERIOR_SETTINGS; i++)
        grid.wanted[i] = is_called(&study_posterior_settings[i], options->name);
    return study_grid_run(&grid, study_show_posterior, err);
}
