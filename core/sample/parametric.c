/* Resamples of a correlation matrix: see parametric.h. */
#include "parametric.h"

#include "crew.h"
#include "graph.h"
#include "learn.h"
#include "linalg.h"
#include "status.h"

#include <math.h>

/* Streams of a seed from here on: see resample.c. */
static const uint64_t FIRST_STREAM = UINT64_C(2) << 32;

/* ---- One resample ---- */

static double *entry(double *a, int64_t n, int64_t row, int64_t column)
{
    return a + column * n + row;
}

/* A Cholesky factor of what need not be definite: what is determined has a column of zeros. */
static void factor_semidefinite(double *a, int n)
{
    for (int j = 0; j < n; j++) {
        double pivot = *entry(a, n, j, j);
        bool left = pivot > DPC_SINGULAR;
        double scale = left ? 1 / sqrt(pivot) : 0;
        for (int i = j; i < n; i++)
            *entry(a, n, i, j) *= scale;
        for (int k = j + 1; k < n && left; k++) {
            double factor = *entry(a, n, k, j);
            for (int i = k; i < n; i++)
                *entry(a, n, i, k) -= factor * *entry(a, n, i, j);
        }
    }
}

dpc_status dpc_parametric_init(dpc_parametric *p, dpc_arena *arena, const dpc_view *view)
{
    int64_t n = view->n;
    p->view = *view;
    p->n = view->n;
    p->m = (int)fmin((double)n, (double)(view->n_obs - 1));
    p->root = dpc_arena_alloc(arena, n * n, sizeof *p->root);
    int32_t *columns = dpc_arena_alloc(arena, n, sizeof *columns);
    if (p->root == NULL || columns == NULL)
        return DPC_NO_MEMORY;
    dpc_ziggurat_init(&p->ziggurat);
    for (int i = 0; i < n; i++)
        columns[i] = dpc_column_of(view->labels, i);
    dpc_shared_work alone = {.worker = 0};
    dpc_gather(view, columns, n, p->root);
    if (dpc_blocks_factor(p->root, p->n, &alone))
        return DPC_OK;
    dpc_gather(view, columns, n, p->root);
    factor_semidefinite(p->root, p->n);
    return DPC_OK;
}

/* A, n × m, column after column. */
static void draw_bartlett(const dpc_parametric *p, dpc_random *random, double *a)
{
    double df = (double)p->view.n_obs - 1;
    for (int64_t j = 0; j < p->m; j++)
        for (int64_t i = 0; i < p->n; i++)
            *entry(a, p->n, i, j) =
                i < j    ? 0
                : i == j ? sqrt(dpc_draw_chi_square(random, &p->ziggurat, df - (double)j))
                         : dpc_draw_normal(random, &p->ziggurat);
}

void dpc_parametric_draw(const dpc_parametric *p, dpc_random *random, double *room, double *r)
{
    const double one = 1, zero = 0;
    int n = p->n;
    int64_t size = n;
    double *a = room, *products = room + size * p->m;
    draw_bartlett(p, random, a);
    dtrmm_("L", "L", "N", "N", &n, &p->m, &one, p->root, &n, a, &n);
    dsyrk_("L", "N", &n, &p->m, &one, a, &n, &zero, products, &n);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double scale = sqrt(*entry(products, n, i, i) * *entry(products, n, j, j));
            double value = i == j ? 1 : scale > 0 ? *entry(products, n, j, i) / scale : 0;
            int64_t u = dpc_column_of(p->view.labels, i), v = dpc_column_of(p->view.labels, j);
            r[u * n + v] = r[v * n + u] = fmax(-1, fmin(1, value));
        }
}

/* ---- Their graphs ---- */

typedef struct job {
    const dpc_parametric *model;
    dpc_weighted_graphs *graphs;
    struct worker *workers;
    dpc_crew crew;
    double end;
    atomic_bool late, failed;
} job;

typedef struct worker {
    job *job;
    int number;
    int64_t index; /* of the resample under way */
    dpc_correlation *correlation;
    double *room;
    dpc_settings settings;
    dpc_error err;
} worker;

/* Is the time up for the resample under way? The first has a time of its own. */
static bool is_late(worker *w)
{
    if (w->index == 0 || !dpc_time_is_over(w->job->end))
        return false;
    atomic_store_explicit(&w->job->late, true, memory_order_relaxed);
    return true;
}

/* A dpc_progress_fn inside a resample. */
static int ask_to_stop(const dpc_progress *progress, void *user)
{
    (void)progress;
    worker *w = user;
    return dpc_crew_stopped(&w->job->crew, w->number) || is_late(w) ||
           atomic_load_explicit(&w->job->failed, memory_order_relaxed);
}

/* The worker makes its memory with its first resample. */
static dpc_status draw(worker *w)
{
    const dpc_parametric *p = w->job->model;
    dpc_random random;
    int64_t n = p->n;
    if (w->correlation == NULL)
        DPC_CHECK(dpc_correlation_new(p->n, p->view.n_obs, &w->correlation, &w->err));
    if (w->room == NULL)
        w->room = dpc_alloc(n * (n + p->m), sizeof *w->room);
    if (w->room == NULL)
        return dpc_fail_memory(&w->err, "a resample");
    dpc_random_start(&random, w->settings.seed, FIRST_STREAM + (uint64_t)w->index);
    dpc_parametric_draw(p, &random, w->room, w->correlation->r);
    return DPC_OK;
}

static dpc_status learn_one(worker *w)
{
    job *j = w->job;
    dpc_graph graph = {0};
    bool complete = true;
    DPC_CHECK(draw(w));
    DPC_CHECK(dpc_learn_graph(w->correlation, &w->settings, w->index == 0 ? j->end : 0, &graph,
                              &complete, NULL, &w->err));
    dpc_status status = DPC_OK;
    if (!complete && (w->index > 0 || atomic_load(&j->crew.stop)))
        status = DPC_INTERRUPTED; /* a refinement may have been cut short */
    else if (dpc_pack_graph(&graph, 1, &j->graphs->graphs[w->index]) != DPC_OK)
        status = dpc_fail_memory(&w->err, "the graph of a resample");
    if (!complete)
        atomic_store_explicit(&j->late, true, memory_order_relaxed);
    dpc_graph_clear(&graph);
    return status;
}

static void task(void *context, int64_t index, int number)
{
    job *j = context;
    worker *w = &j->workers[number];
    w->index = index;
    if (atomic_load_explicit(&j->failed, memory_order_relaxed) || is_late(w)) {
        dpc_crew_enough(&j->crew);
        return;
    }
    dpc_status status = learn_one(w);
    if (status == DPC_OK)
        atomic_fetch_add_explicit(&j->crew.resamples, 1, memory_order_relaxed);
    if (status != DPC_OK && status != DPC_INTERRUPTED) {
        w->err.code = status;
        atomic_store_explicit(&j->failed, true, memory_order_relaxed);
    }
}

/* The error of the first worker that has one. */
static dpc_status failure(const job *j, dpc_error *err)
{
    for (int i = 0; i < j->crew.threads; i++)
        if (j->workers[i].err.code != DPC_OK && j->workers[i].err.code != DPC_INTERRUPTED)
            return dpc_fail(err, j->workers[i].err.code, "%s", j->workers[i].err.message);
    return dpc_fail_memory(err, "the resamples");
}

static dpc_status run(job *j, int resamples, dpc_error *err)
{
    double n = j->model->n, work = resamples * n * n * (n + 1000);
    for (int i = 0; i < j->crew.threads; i++) {
        worker *w = &j->workers[i];
        w->job = j;
        w->number = i;
        w->settings = *j->crew.settings;
        w->settings.threads = 1;
        w->settings.progress =
            j->crew.settings->progress != NULL || j->end > 0 ? ask_to_stop : NULL;
        w->settings.progress_user = w;
    }
    bool done = dpc_crew_run(&j->crew, resamples, work, task, j);
    dpc_status status = DPC_OK;
    if (atomic_load(&j->failed))
        status = failure(j, err);
    else if (!done)
        status = dpc_fail_interrupted(err);
    for (int i = 0; i < j->crew.threads; i++) {
        dpc_correlation_free(j->workers[i].correlation);
        free(j->workers[i].room);
    }
    return status;
}

dpc_status dpc_parametric_graphs(const dpc_correlation *correlation, const dpc_labels *labels,
                                 const dpc_settings *settings, int resamples, double end,
                                 dpc_weighted_graphs *graphs, bool *complete, dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_view view = dpc_view_of(correlation, labels);
    dpc_parametric model;
    job j = {.model = &model, .graphs = graphs, .end = end};
    dpc_crew_init(&j.crew, settings, DPC_STAGE_BOOTSTRAP);
    j.crew.progress.resamples = resamples;
    j.workers = dpc_arena_zalloc(&arena, j.crew.threads, sizeof *j.workers);
    *graphs =
        (dpc_weighted_graphs){view.n, resamples, dpc_zalloc(resamples, sizeof *graphs->graphs)};
    dpc_status status = dpc_parametric_init(&model, &arena, &view);
    if (graphs->graphs == NULL)
        graphs->places = 0;
    if (status != DPC_OK || j.workers == NULL || graphs->graphs == NULL)
        status = dpc_fail_memory(err, "the resamples");
    if (status == DPC_OK)
        status = run(&j, resamples, err);
    *complete = !atomic_load(&j.late);
    dpc_arena_clear(&arena);
    return status;
}
