/*
 * The bootstrap: graphs of many resamples of the rows, and how often each edge is among them.
 *
 * A resample is a task of the crew, done by one thread from its rows to its graph. Rows come from
 * a stream of random numbers of its own, and the graph goes to a place of its own; so neither the
 * order of the work nor the number of threads changes anything. Counts are made at the end. Memory
 * grows with the resamples that are done, not with those that were asked for.
 *
 * When the time is up, resamples that are not done are given up. Only the first ends as a graph
 * that is learned in the time there is does, and counts where no other has been done.
 */
#include "bootstrap.h"

#include "alloc.h"
#include "crew.h"
#include "frequency.h"
#include "learn.h"
#include "platform.h"
#include "resample.h"
#include "settings.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bootstrap {
    const dpc_resampler *resampler;
    struct dpc_resamples *resamples; /* with their graphs, when they are done */
    pthread_mutex_t adding;          /* held by the worker that adds a graph */
    const dpc_observer *observer;    /* or NULL */
    dpc_crew crew;
    struct worker *workers;
    bool sends;          /* what this rank learns goes to another one, which leads */
    atomic_int constant; /* resamples that lost a column */
    atomic_bool failed;
    double end;          /* of the time: see dpc_time_is_over */
    atomic_bool late;    /* a resample was not done for it, or not to its end */
    bool first_cut;      /* the first was not done to its end … */
    bool first_constant; /* … and has lost a column */
} bootstrap;

typedef struct worker {
    bootstrap *job;
    int number;
    int64_t index; /* of the resample under way */
    bool ready;    /* its memory is there: made by the worker itself, with its first task */
    dpc_resample resample;
    dpc_settings settings; /* of one resample */
    dpc_error err;         /* of the one that failed */
} worker;

/* Is the time up for the resample under way? The first has a time of its own. */
static bool is_late(worker *w)
{
    if (w->index == 0 || !dpc_time_is_over(w->job->end))
        return false;
    atomic_store_explicit(&w->job->late, true, memory_order_relaxed);
    return true;
}

/* A dpc_progress_fn inside a resample: worker 0 reports to the caller how far all of them are. */
static int ask_to_stop(const dpc_progress *progress, void *user)
{
    (void)progress;
    worker *w = user;
    return dpc_crew_stopped(&w->job->crew, w->number) || is_late(w) ||
           atomic_load_explicit(&w->job->failed, memory_order_relaxed);
}

/* What is left of the time, for the first resample; others are ended by ask_to_stop. */
static double time_left(const worker *w)
{
    const double hardly_any = 1e-9;
    if (w->index > 0 || !(w->job->end > 0))
        return DPC_NO_TIMEOUT;
    return fmax(w->job->end - dpc_seconds_roughly(), hardly_any);
}

/* The first resample was learned in what time there was. */
static void note_cut(worker *w)
{
    w->job->first_cut = true;
    w->job->first_constant = w->resample.lost;
    atomic_store_explicit(&w->job->late, true, memory_order_relaxed);
}

static dpc_status keep_one(bootstrap *job, int64_t index, dpc_weighted_graph *graph)
{
    pthread_mutex_lock(&job->adding);
    dpc_status status = dpc_weighted_graphs_add(&job->resamples->graphs, index, graph);
    pthread_mutex_unlock(&job->adding);
    return status;
}

/* Its rows and their correlations. The worker makes its memory with its first resample. */
static dpc_status draw(worker *w)
{
    const dpc_resampler *resampler = w->job->resampler;
    if (!w->ready)
        DPC_CHECK(dpc_resample_make(resampler, &w->resample, &w->err));
    w->ready = true;
    dpc_status status = dpc_resample_draw(resampler, w->index, &w->settings, &w->resample);
    if (status == DPC_NO_MEMORY)
        dpc_fail_memory(&w->err, "the correlations of a resample");
    return status;
}

/* Its graph, shown to the observer. */
static dpc_status learn_one(worker *w, dpc_graph *graph)
{
    const dpc_correlation *correlation = w->resample.correlation;
    const dpc_observer *observer = w->job->observer;
    bool complete = true;
    w->settings.timeout = time_left(w);
    DPC_CHECK(dpc_learn_graph(correlation, &w->settings, dpc_end_of_time(w->settings.timeout),
                              graph, &complete, NULL, &w->err));
    if (!complete && (w->index > 0 || atomic_load(&w->job->crew.stop)))
        return DPC_INTERRUPTED; /* a refinement may have been cut short */
    if (!complete)
        note_cut(w);
    if (observer == NULL)
        return DPC_OK;
    return observer->observe(observer->context, w->index, correlation, graph, &w->settings,
                             &w->err);
}

/* One more is done. */
static void count_one(bootstrap *job, bool lost)
{
    atomic_fetch_add_explicit(&job->constant, lost, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->crew.resamples, 1, memory_order_relaxed);
}

/* ---- With other ranks: what one has learned goes to the one that leads ---- */

/* Before the edges; behind them is what the observer has kept. */
typedef struct parcel {
    int64_t n_edges, lost;
} parcel;

static dpc_status send_one(const worker *w, const dpc_weighted_graph *graph)
{
    const dpc_observer *observer = w->job->observer;
    const dpc_ranks *ranks = w->job->crew.settings->ranks;
    parcel p = {graph->n_edges, w->resample.lost};
    size_t edges = (size_t)graph->n_edges * sizeof *graph->edges;
    size_t kept = observer != NULL ? observer->bytes : 0, size = sizeof p + edges + kept;
    char *bytes = dpc_alloc((int64_t)size, 1);
    if (bytes == NULL)
        return DPC_NO_MEMORY;
    memcpy(bytes, &p, sizeof p);
    memcpy(bytes + sizeof p, graph->edges, edges);
    if (kept > 0)
        memcpy(bytes + sizeof p + edges, observer->kept(observer->context, w->index), kept);
    ranks->send(ranks->context, w->index, bytes, (int64_t)size);
    free(bytes);
    return DPC_OK;
}

static void take_one(void *context, int64_t index, const void *bytes, int64_t size)
{
    bootstrap *job = context;
    parcel p;
    memcpy(&p, bytes, sizeof p);
    const char *from = (const char *)bytes + sizeof p;
    dpc_weighted_graph graph = {1, p.n_edges, dpc_alloc(p.n_edges, sizeof *graph.edges)};
    size_t edges = (size_t)p.n_edges * sizeof *graph.edges;
    if (graph.edges != NULL)
        memcpy(graph.edges, from, edges);
    if (graph.edges == NULL || keep_one(job, index, &graph) != DPC_OK) {
        free(graph.edges);
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
        return;
    }
    if (job->observer != NULL)
        memcpy(job->observer->kept(job->observer->context, index), from + edges,
               (size_t)size - sizeof p - edges);
    count_one(job, p.lost != 0);
}

/* Keeps the graph of a resample that is done, or sends it to the rank that leads. */
static dpc_status store(worker *w, const dpc_graph *graph)
{
    dpc_weighted_graph packed = {0};
    dpc_status status = dpc_pack_graph(graph, 1, &packed);
    if (status == DPC_OK)
        status = w->job->sends ? send_one(w, &packed) : keep_one(w->job, w->index, &packed);
    free(packed.edges);
    if (status != DPC_OK)
        return dpc_fail_memory(&w->err, "the graph of a resample");
    count_one(w->job, w->resample.lost);
    return DPC_OK;
}

static void task(void *context, int64_t index, int number)
{
    bootstrap *job = context;
    worker *w = &job->workers[number];
    dpc_graph graph = {0};
    w->index = index;
    if (atomic_load_explicit(&job->failed, memory_order_relaxed) || is_late(w)) {
        dpc_crew_enough(&job->crew);
        return;
    }
    dpc_status status = draw(w);
    if (status == DPC_OK)
        status = learn_one(w, &graph);
    if (status == DPC_OK)
        status = store(w, &graph);
    dpc_graph_clear(&graph);
    if (status != DPC_OK && status != DPC_INTERRUPTED) {
        w->err.code = status;
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
    }
}

/* ---- An order of the columns ---- */

typedef struct column {
    const dpc_cells *cells;
    int64_t n;
    int32_t number;
} column;

static int by_values(const void *left, const void *right)
{
    const column *p = left, *q = right;
    for (int64_t i = 0; i < p->n; i++) {
        double x = dpc_value_at(p->cells, i, p->number), y = dpc_value_at(q->cells, i, q->number);
        if (x != y && !(isnan(x) && isnan(y))) /* a missing cell comes first */
            return isnan(x) || x < y ? -1 : 1;
    }
    return (p->number > q->number) - (p->number < q->number);
}

/* By their values, as words are by their letters: free of the places of the columns. */
static dpc_status order_columns(const dpc_table *table, dpc_labels *labels, dpc_error *err)
{
    int n = table->n_vars;
    const dpc_cells cells = dpc_table_cells(table);
    column *columns = dpc_alloc(n, sizeof *columns);
    labels->column = dpc_alloc(n, sizeof *labels->column);
    labels->label = dpc_alloc(n, sizeof *labels->label);
    bool fine = columns != NULL && labels->column != NULL && labels->label != NULL;
    for (int j = 0; fine && j < n; j++)
        columns[j] = (column){&cells, table->n_obs, j};
    if (fine)
        qsort(columns, (size_t)n, sizeof *columns, by_values);
    for (int i = 0; fine && i < n; i++) {
        labels->column[i] = columns[i].number;
        labels->label[columns[i].number] = i;
    }
    free(columns);
    return fine ? DPC_OK : dpc_fail_memory(err, "the order of the columns");
}

/* ---- All of it ---- */

static dpc_status frequencies_new(const dpc_table *table, const dpc_settings *settings,
                                  const dpc_resampler *r, dpc_frequencies **out, dpc_error *err)
{
    dpc_frequencies *f = dpc_zalloc(1, sizeof *f);
    struct dpc_resamples *resamples = dpc_zalloc(1, sizeof *resamples);
    if (f == NULL || resamples == NULL) {
        free(f);
        free(resamples);
        return dpc_fail_memory(err, "the graphs of the resamples");
    }
    resamples->graphs.n_nodes = table->n_vars;
    *f = (dpc_frequencies){
        .n_vars = table->n_vars, .resampling = r->how, .rows = r->n_drawn, .graphs = resamples};
    dpc_status status = dpc_settings_keep(settings, &resamples->settings, err);
    if (status == DPC_OK && settings->order == DPC_ORDER_CANONICAL)
        status = order_columns(table, &resamples->labels, err);
    if (status == DPC_OK)
        *out = f;
    else
        dpc_frequencies_free(f);
    return status;
}

/* The error of the first worker that has one. */
static dpc_status failure(const bootstrap *job, dpc_error *err)
{
    for (int i = 0; i < job->crew.threads; i++)
        if (job->workers[i].err.code != DPC_OK && job->workers[i].err.code != DPC_INTERRUPTED)
            return dpc_fail(err, job->workers[i].err.code, "%s", job->workers[i].err.message);
    return dpc_fail_memory(err, "the resamples");
}

/* The first resample goes, where it was cut short and others were not. */
static void drop_first(bootstrap *job)
{
    dpc_weighted_graphs *all = &job->resamples->graphs;
    bool others = false;
    for (int64_t i = 1; i < all->places && !others; i++)
        others = dpc_has_graph(all, i);
    if (!job->first_cut || !others)
        return;
    dpc_weighted_graphs_remove(all, 0);
    job->constant -= job->first_constant;
}

/* All resamples, by all ranks where there are several. */
static dpc_status run(bootstrap *job, dpc_error *err)
{
    const dpc_table *table = job->resampler->table;
    int asked = job->resampler->how.resamples;
    const dpc_list list = {
        .count = asked,
        .work = (double)asked * (double)table->n_obs * table->n_vars,
        .task = task,
        .take = take_one,
        .context = job,
    };
    bool shared = dpc_crew_shares(&job->crew, list.work);
    job->sends = shared && !dpc_leads(job->crew.settings->ranks);
    bool done = dpc_crew_run_shared(&job->crew, &list);
    dpc_exchange end = {.status = DPC_OK};
    dpc_status status = DPC_OK;
    if (atomic_load(&job->failed))
        status = end.status = failure(job, err);
    if (shared) {
        status = dpc_crew_exchange(&job->crew, &end, err);
        free(end.all);
        free(end.at);
        done = job->sends || atomic_load(&job->crew.resamples) == asked;
    }
    return status == DPC_OK && !done ? dpc_fail(err, DPC_INTERRUPTED, "interrupted") : status;
}

static dpc_status learn_all(const dpc_resampler *r, const dpc_settings *settings,
                            const dpc_observer *observer, double end, dpc_frequencies *f,
                            dpc_error *err)
{
    bootstrap job = {.resampler = r, .resamples = f->graphs, .observer = observer, .end = end};
    dpc_crew_init(&job.crew, settings, DPC_STAGE_BOOTSTRAP);
    job.crew.progress.resamples = r->how.resamples;
    job.workers = dpc_zalloc(job.crew.threads, sizeof *job.workers);
    if (job.workers == NULL)
        return dpc_fail_memory(err, "the resamples");
    for (int i = 0; i < job.crew.threads; i++) {
        worker *w = &job.workers[i];
        w->job = &job;
        w->number = i;
        w->settings = *settings;
        w->settings.threads = 1;
        w->settings.keep_separating_sets = false;
        w->settings.progress = settings->progress != NULL || end > 0 ? ask_to_stop : NULL;
        w->settings.progress_user = w;
        w->settings.ranks = NULL;
    }
    pthread_mutex_init(&job.adding, NULL);
    dpc_status status = run(&job, err);
    pthread_mutex_destroy(&job.adding);
    drop_first(&job);
    f->complete = status == DPC_OK && !atomic_load(&job.late);
    f->constant = atomic_load(&job.constant);
    for (int i = 0; i < job.crew.threads; i++)
        dpc_resample_clear(&job.workers[i].resample);
    free(job.workers);
    return status;
}

static const double SHARE_OF_WHOLE = 0.1; /* of the time there is, to learn from the table itself */

/*
 * The penalty of a search by score, where it is left open and the rows are not independent
 * (effective.h): resamples, whose rows are drawn one by one, take it from the table.
 */
static dpc_status take_penalty(const dpc_resampler *r, dpc_settings *settings, dpc_error *err)
{
    dpc_settings whole = *settings;
    dpc_result *result = NULL;
    if (!dpc_by_score(settings) || settings->penalty > 0 || r->incomplete)
        return DPC_OK;
    whole.ranks = NULL;
    whole.timeout *= SHARE_OF_WHOLE;
    DPC_CHECK(dpc_learn_table(r->given, &whole, NULL, &result, err));
    if (dpc_result_info(result)->effective_rows < (double)dpc_result_info(result)->n_obs)
        settings->penalty = dpc_result_settings(result)->penalty;
    dpc_result_free(result);
    return DPC_OK;
}

static dpc_status check_resampling(const dpc_resampling *how, dpc_error *err)
{
    if (how->resamples < 1)
        return dpc_fail(err, DPC_USAGE, "the number of resamples must be 1 or more, not %d",
                        how->resamples);
    if (how->subsample != 0 && !(how->subsample > 0 && how->subsample < 1))
        return dpc_fail(err, DPC_USAGE, "the share of a subsample must be between 0 and 1, not %g",
                        how->subsample);
    return DPC_OK;
}

dpc_status dpc_bootstrap(const dpc_table *table, const dpc_settings *given,
                         const dpc_resampling *resampling, dpc_frequencies **out, dpc_error *err)
{
    return dpc_bootstrap_observed(table, given, resampling, NULL, out, err);
}

/* Counts what was done; *f is the caller's where there is something to hand out, and else freed. */
static dpc_status finish(dpc_status status, bool leads, double start, dpc_frequencies *f,
                         dpc_frequencies **out, dpc_error *err)
{
    if (leads && (status == DPC_OK || status == DPC_INTERRUPTED)) {
        if (dpc_frequencies_count(f) != DPC_OK)
            status = dpc_fail_memory(err, "the frequencies");
        f->seconds = dpc_seconds() - start;
    }
    if ((status == DPC_OK && leads) || (status == DPC_INTERRUPTED && f->resamples > 0))
        *out = f;
    else
        dpc_frequencies_free(f);
    return status;
}

dpc_status dpc_bootstrap_observed(const dpc_table *table, const dpc_settings *given,
                                  const dpc_resampling *resampling, const dpc_observer *observer,
                                  dpc_frequencies **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_resampler resampler = {0};
    dpc_frequencies *f = NULL;
    double start = dpc_seconds();
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    if (observer != NULL)
        DPC_CHECK(dpc_settings_check_no_latent(&settings, "the bootstrap of effects", err));
    double end = dpc_end_of_time(settings.timeout);
    settings.min_evidence = DPC_NO_MIN_EVIDENCE; /* what it leaves open would be no vote */
    DPC_CHECK(check_resampling(resampling, err));
    DPC_CHECK(dpc_resampler_make(table, &settings, resampling, &resampler, err));
    dpc_status status = take_penalty(&resampler, &settings, err);
    if (status == DPC_OK)
        status = frequencies_new(table, &settings, &resampler, &f, err);
    if (status == DPC_OK) {
        status = learn_all(&resampler, &settings, observer, end, f, err);
        status = finish(status, dpc_leads(settings.ranks), start, f, out, err);
    }
    dpc_resampler_clear(&resampler);
    return status;
}

bool dpc_bootstrap_did(const dpc_frequencies *frequencies, int resample)
{
    return dpc_has_graph(&frequencies->graphs->graphs, resample);
}
