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
#include "blas.h"
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
    struct dpc_resamples *graphs;
    pthread_mutex_t keeping;      /* held by who adds a graph to them */
    const dpc_observer *observer; /* or NULL */
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

/* Is the time up for the resample under way? The first has one of its own. */
static bool is_late(worker *w)
{
    if (w->index == 0 || !dpc_time_is_over(w->job->end))
        return false;
    atomic_store_explicit(&w->job->late, true, memory_order_relaxed);
    return true;
}

/* A dpc_progress_fn inside a resample: worker 0 tells the caller how far all of them are. */
static int look_up(const dpc_progress *progress, void *user)
{
    (void)progress;
    worker *w = user;
    return dpc_crew_stopped(&w->job->crew, w->number) || is_late(w) ||
           atomic_load_explicit(&w->job->failed, memory_order_relaxed);
}

/* What is left of the time, for the first resample; others are ended by look_up. */
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

/* Takes the graph of a resample over; its place may be far behind those that there are. */
static dpc_status keep_one(bootstrap *job, int64_t index, dpc_graph *graph)
{
    struct dpc_resamples *all = job->graphs;
    pthread_mutex_lock(&job->keeping);
    int64_t before = all->room;
    dpc_graph *larger = dpc_make_room(all->graphs, &all->room, index + 1, sizeof *all->graphs);
    if (larger != NULL) {
        memset(larger + before, 0, (size_t)(all->room - before) * sizeof *larger);
        all->graphs = larger;
        all->graphs[index] = *graph;
        *graph = (dpc_graph){0};
    }
    pthread_mutex_unlock(&job->keeping);
    return larger != NULL ? DPC_OK : DPC_NO_MEMORY;
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

static dpc_status learn_one(worker *w, dpc_graph *out)
{
    bootstrap *job = w->job;
    const dpc_observer *observer = job->observer;
    bool complete = true;
    DPC_CHECK(draw(w));
    w->settings.timeout = time_left(w);
    DPC_CHECK(dpc_learn_graph(w->resample.correlation, &w->settings,
                              dpc_end_of_time(w->settings.timeout), out, &complete, &w->err));
    if (!complete && (w->index > 0 || atomic_load(&job->crew.stop)))
        return DPC_INTERRUPTED; /* a refinement may have been cut short */
    if (!complete)
        note_cut(w);
    if (observer != NULL)
        DPC_CHECK(observer->look(observer->context, w->index, w->resample.correlation, out,
                                 &w->settings, &w->err));
    atomic_fetch_add_explicit(&job->constant, w->resample.lost, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->crew.tests, 1, memory_order_relaxed);
    return DPC_OK;
}

/* ---- With other ranks: what one has learned goes to the one that leads ---- */

/* Before the edges; behind them is what the observer has. */
typedef struct parcel {
    int64_t edges;
    int32_t nodes, lost;
} parcel;

static dpc_status send_one(const worker *w, int64_t index, const dpc_graph *graph)
{
    const bootstrap *job = w->job;
    const dpc_ranks *ranks = job->crew.settings->ranks;
    parcel p = {graph->n_edges, graph->n_nodes, w->resample.lost};
    size_t edges = (size_t)graph->n_edges * sizeof *graph->edges;
    size_t looked = job->observer != NULL ? job->observer->bytes : 0;
    char *bytes = dpc_alloc((int64_t)(sizeof p + edges + looked), 1);
    if (bytes == NULL)
        return DPC_NO_MEMORY;
    memcpy(bytes, &p, sizeof p);
    if (edges > 0)
        memcpy(bytes + sizeof p, graph->edges, edges);
    if (looked > 0)
        memcpy(bytes + sizeof p + edges, job->observer->seen(job->observer->context, index),
               looked);
    ranks->send(ranks->context, index, bytes, (int64_t)(sizeof p + edges + looked));
    free(bytes);
    return DPC_OK;
}

static void take_one(void *context, int64_t index, const void *bytes, int64_t size)
{
    bootstrap *job = context;
    parcel p;
    memcpy(&p, bytes, sizeof p);
    size_t edges = (size_t)p.edges * sizeof(dpc_edge);
    dpc_graph graph = {p.nodes, p.edges, dpc_alloc(p.edges, sizeof(dpc_edge))};
    if (graph.edges != NULL)
        memcpy(graph.edges, (const char *)bytes + sizeof p, edges);
    if (graph.edges == NULL || keep_one(job, index, &graph) != DPC_OK) {
        dpc_graph_clear(&graph);
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
        return;
    }
    if (job->observer != NULL)
        memcpy(job->observer->seen(job->observer->context, index),
               (const char *)bytes + sizeof p + edges, (size_t)size - sizeof p - edges);
    atomic_fetch_add_explicit(&job->constant, p.lost, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->crew.tests, 1, memory_order_relaxed);
}

static void task(void *context, int64_t index, int number)
{
    bootstrap *job = context;
    worker *w = &job->workers[number];
    w->index = index;
    if (atomic_load_explicit(&job->failed, memory_order_relaxed) || is_late(w)) {
        dpc_crew_enough(&job->crew);
        return;
    }
    dpc_graph graph = {0};
    dpc_status status = learn_one(w, &graph);
    if (status == DPC_OK) {
        status = job->sends ? send_one(w, index, &graph) : keep_one(job, index, &graph);
        if (status == DPC_NO_MEMORY)
            dpc_fail_memory(&w->err, "the graphs of the resamples");
    }
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
    dpc_status status = DPC_OK;
    if (f != NULL) {
        *f = (dpc_frequencies){.n_vars = table->n_vars, .resampling = r->how, .rows = r->n_drawn};
        f->graphs = dpc_zalloc(1, sizeof *f->graphs);
    }
    if (f != NULL && f->graphs != NULL)
        f->graphs->asked = r->how.resamples;
    if (f == NULL || f->graphs == NULL)
        status = dpc_fail_memory(err, "the graphs of the resamples");
    else
        status = dpc_settings_keep(settings, &f->graphs->settings, err);
    if (status == DPC_OK && settings->order == DPC_ORDER_CANONICAL)
        status = order_columns(table, &f->graphs->labels, err);
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
    const struct dpc_resamples *all = job->graphs;
    int done = 0;
    for (int64_t i = 1; i < all->room; i++)
        done += dpc_resample_done(all, i);
    if (!job->first_cut || done == 0)
        return;
    dpc_graph_clear(&all->graphs[0]);
    job->constant -= job->first_constant;
}

/* All resamples, by all ranks of the ranks if there is one. */
static dpc_status run(bootstrap *job, dpc_error *err)
{
    const dpc_table *table = job->resampler->table;
    const dpc_list list = {
        .count = job->graphs->asked,
        .work = (double)job->graphs->asked * (double)table->n_obs * table->n_vars,
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
        done = job->sends || atomic_load(&job->crew.tests) == job->graphs->asked;
    }
    return status == DPC_OK && !done ? dpc_fail(err, DPC_INTERRUPTED, "interrupted") : status;
}

static dpc_status learn_all(const dpc_resampler *r, const dpc_settings *settings,
                            const dpc_observer *observer, double end, dpc_frequencies *f,
                            dpc_error *err)
{
    bootstrap job = {.resampler = r, .graphs = f->graphs, .observer = observer, .end = end};
    dpc_crew_init(&job.crew, settings, DPC_STAGE_BOOTSTRAP);
    job.crew.progress.level = f->graphs->asked;
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
        w->settings.progress = settings->progress != NULL || end > 0 ? look_up : NULL;
        w->settings.progress_user = w;
        w->settings.ranks = NULL;
    }
    pthread_mutex_init(&job.keeping, NULL);
    dpc_status status = run(&job, err);
    pthread_mutex_destroy(&job.keeping);
    drop_first(&job);
    f->complete = status == DPC_OK && !atomic_load(&job.late);
    f->constant = atomic_load(&job.constant);
    for (int i = 0; i < job.crew.threads; i++)
        dpc_resample_clear(&job.workers[i].resample);
    free(job.workers);
    return status;
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
    return dpc_bootstrap_looking(table, given, resampling, NULL, out, err);
}

dpc_status dpc_bootstrap_looking(const dpc_table *table, const dpc_settings *given,
                                 const dpc_resampling *resampling, const dpc_observer *observer,
                                 dpc_frequencies **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_resampler resampler = {0};
    dpc_frequencies *f = NULL;
    double start = dpc_seconds(), end = 0;
    dpc_status status = dpc_settings_or_default(given, &settings, err);
    if (status == DPC_OK)
        end = dpc_end_of_time(settings.timeout);
    settings.min_evidence = DPC_NO_MIN_EVIDENCE; /* what it leaves open would be no vote */
    if (status == DPC_OK)
        status = dpc_blas_ready(&settings, err);
    if (status == DPC_OK)
        status = check_resampling(resampling, err);
    if (status == DPC_OK)
        status = dpc_resampler_make(table, &settings, resampling, &resampler, err);
    if (status == DPC_OK)
        status = frequencies_new(table, &settings, &resampler, &f, err);
    if (status == DPC_OK)
        status = learn_all(&resampler, &settings, observer, end, f, err);
    bool leads =
        f != NULL && dpc_leads(settings.ranks); /* without it the settings may be nothing */
    if (leads && (status == DPC_OK || status == DPC_INTERRUPTED)) {
        if (!dpc_frequencies_count(f))
            status = dpc_fail_memory(err, "the frequencies");
        f->seconds = dpc_seconds() - start;
    }
    if ((status == DPC_OK && leads) ||
        (status == DPC_INTERRUPTED && f != NULL && f->resamples > 0)) {
        *out = f;
        f = NULL;
    }
    dpc_frequencies_free(f);
    dpc_resampler_clear(&resampler);
    return status;
}

bool dpc_bootstrap_did(const dpc_frequencies *frequencies, int resample)
{
    return dpc_resample_done(frequencies->graphs, resample);
}
