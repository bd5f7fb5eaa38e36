/*
 * The study as a whole: which data sets are missing, which worker computes them, in which order
 * they are written to results.csv; then the summary, the figures and the page.
 *
 * The order is fixed (the first data set of every setting, then the second, …), and a block that
 * is ready before its predecessors waits for them; so the file is the same for any number of
 * threads, and what a run leaves behind when it is killed is the beginning of the whole.
 *
 * Several ranks share the data sets. The rank that leads has the file; the others learn from it
 * what is missing, and send it every data set as soon as they have it.
 */
#include "study.h"

#include "alloc.h"
#include "crew.h"
#include "platform.h"
#include "status.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct block {
    int setting, rep;
    bool ready; /* computed, but may still wait for its predecessors */
} block;

typedef struct study {
    const study_options *options;
    study_catalogue catalogue; /* owned */
    bool *settings, *figures;  /* which are wanted; owned */
    study_results results;     /* owned */
    block *blocks;             /* what is missing, in its order; owned */
    int64_t n_blocks, landed;
    double cost;              /* of the missing blocks */
    _Atomic double cost_done; /* of those computed */
    double last_sync;
    dpc_crew crew;
    pthread_mutex_t landing;
    bool leads;
    _Atomic dpc_status status; /* the first failure of a worker */
    dpc_error *err;
} study;

void study_options_default(study_options *options)
{
    *options = (study_options){.reps = 100, .seed = 1, .seconds = true, .figures = true};
}

/* ---- Planning ---- */

static bool is_called(const study_figure *figure, const char *name)
{
    return strcmp(name, figure->name) == 0 ||
           (figure->group != NULL && strcmp(name, figure->group) == 0);
}

/* Which figures the name means, and the settings that they need. */
static dpc_status choose(study *s)
{
    const study_catalogue *c = &s->catalogue;
    bool all = strcmp(s->options->name, "all") == 0, any = false;
    s->settings = dpc_zalloc(c->n_settings, sizeof *s->settings);
    s->figures = dpc_zalloc(c->n_figures, sizeof *s->figures);
    if (s->settings == NULL || s->figures == NULL)
        return dpc_fail_memory(s->err, "the plan of the study");
    for (int f = 0; f < c->n_figures; f++) {
        const study_figure *figure = &c->figures[f];
        s->figures[f] = all ? figure->group == NULL : is_called(figure, s->options->name);
        any = any || s->figures[f];
        for (int p = 0; p < figure->n_panels && s->figures[f]; p++)
            s->settings[figure->panels[p].setting] = true;
    }
    if (!any)
        return dpc_fail(s->err, DPC_USAGE,
                        "there is no study '%s'; dualpc study --list shows the names",
                        s->options->name);
    return DPC_OK;
}

static dpc_status list_missing(study *s)
{
    const study_catalogue *c = &s->catalogue;
    s->blocks = dpc_alloc((int64_t)c->n_settings * s->options->reps, sizeof *s->blocks);
    if (s->blocks == NULL)
        return dpc_fail_memory(s->err, "the plan of the study");
    for (int rep = 0; rep < s->options->reps; rep++)
        for (int i = 0; i < c->n_settings; i++) {
            if (!s->settings[i] || s->results.done[i][rep])
                continue;
            s->blocks[s->n_blocks++] = (block){i, rep, false};
            s->cost += study_cost(&c->settings[i]);
        }
    return DPC_OK;
}

/* ---- Working ---- */

/* Appends every block whose predecessors have landed. By one worker at a time. */
static void land(study *s, block *done)
{
    done->ready = true;
    s->cost_done += study_cost(&s->catalogue.settings[done->setting]);
    for (; s->landed < s->n_blocks && s->blocks[s->landed].ready; s->landed++) {
        block *next = &s->blocks[s->landed];
        if (s->status == DPC_OK)
            s->status = study_results_append(&s->results, next->setting, next->rep, s->err);
    }
    double now = dpc_seconds();
    if (s->status == DPC_OK && now - s->last_sync > 2) {
        s->status = study_results_sync(&s->results, s->err);
        s->last_sync = now;
    }
}

/* A worker, as the library sees its caller. */
typedef struct caller {
    dpc_crew *crew;
    int worker;
} caller;

static int ask(const dpc_progress *progress, void *user)
{
    const caller *c = user;
    (void)progress;
    return dpc_crew_stopped(c->crew, c->worker);
}

/* What has become of a block, whose points are where they belong. */
static void arrive(study *s, block *b, dpc_status status, const dpc_error *err)
{
    pthread_mutex_lock(&s->landing);
    if (status == DPC_OK) {
        if (s->leads)
            land(s, b);
    } else if (status != DPC_INTERRUPTED && s->status == DPC_OK) {
        s->status = status;
        if (s->err != NULL)
            *s->err = *err;
    }
    pthread_mutex_unlock(&s->landing);
}

static study_point *points_of(const study *s, const block *b)
{
    return s->results.points[b->setting] +
           (int64_t)b->rep * study_points(&s->catalogue.settings[b->setting]);
}

static void compute(void *context, int64_t index, int worker)
{
    study *s = context;
    block *b = &s->blocks[index];
    const study_setting *setting = &s->catalogue.settings[b->setting];
    const dpc_ranks *ranks = s->options->ranks;
    int64_t count = study_points(setting);
    study_point *points = s->leads ? points_of(s, b) : dpc_zalloc(count, sizeof *points);
    dpc_error err = {0};
    caller self = {&s->crew, worker};
    dpc_status status = points == NULL ? dpc_fail_memory(&err, "a data set") : DPC_OK;
    if (status == DPC_OK)
        status = study_dataset(setting, study_seed(setting, s->options->seed, b->rep), ask, &self,
                               points, &err);
    if (status == DPC_OK && !s->leads)
        ranks->send(ranks->context, index, points, count * (int64_t)sizeof *points);
    arrive(s, b, status, &err);
    if (!s->leads)
        free(points);
}

/* A data set of another rank. */
static void take(void *context, int64_t index, const void *bytes, int64_t size)
{
    study *s = context;
    block *b = &s->blocks[index];
    memcpy(points_of(s, b), bytes, (size_t)size);
    arrive(s, b, DPC_OK, NULL);
}

/* The crew counts tasks; the caller receives the share of the cost. */
static int report(const dpc_progress *progress, void *user)
{
    study *s = user;
    dpc_progress shown = *progress;
    shown.fraction = s->cost > 0 ? s->cost_done / s->cost : 1;
    int stop =
        s->options->progress != NULL ? s->options->progress(&shown, s->options->progress_user) : 0;
    return stop != 0 || s->status != DPC_OK;
}

static dpc_status work(study *s)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = s->options->threads;
    settings.progress = report;
    settings.progress_user = s;
    settings.ranks = s->options->ranks;
    dpc_crew_init(&s->crew, &settings, DPC_STAGE_SKELETON);
    pthread_mutex_init(&s->landing, NULL);
    const dpc_list list = {
        .count = s->n_blocks,
        .singles = s->n_blocks,
        .work = INFINITY, /* a data set is always worth a thread */
        .task = compute,
        .take = take,
        .context = s,
    };
    bool finished = dpc_crew_run_shared(&s->crew, &list);
    dpc_status status = s->status;
    if (dpc_crew_shares(&s->crew, list.work)) {
        dpc_exchange end = {.status = status};
        status = dpc_crew_exchange(&s->crew, &end, s->err);
        dpc_exchange_clear(&end);
        if (status == DPC_OK)
            status = s->status; /* what came last may not have been written */
        finished = !s->leads || s->landed == s->n_blocks;
    }
    pthread_mutex_destroy(&s->landing);
    if (status == DPC_OK && !finished)
        status = study_interrupted(s->err);
    if (!s->leads)
        return status;
    dpc_error ignored;
    dpc_status synced = study_results_sync(&s->results, status == DPC_OK ? s->err : &ignored);
    return status == DPC_OK ? synced : status;
}

/* ---- All of it ---- */

static dpc_status open_results(study *s)
{
    char path[PATH_MAX];
    DPC_CHECK(study_join(s->options->out, "results.csv", path, s->err));
    s->results.catalogue = &s->catalogue;
    s->results.seed = s->options->seed;
    s->results.reps = s->options->reps;
    s->results.seconds = s->options->seconds;
    return study_results_open(&s->results, s->settings, path, s->err);
}

/* What only the rank that leads does before the work. */
static dpc_status lead(study *s)
{
    if (s->options->figures)
        DPC_CHECK(study_check_gnuplot(s->err));
    DPC_CHECK(study_make_folder(s->options->out, s->err));
    DPC_CHECK(open_results(s));
    return list_missing(s);
}

/* The others learn from it what is missing. */
static dpc_status spread(study *s)
{
    const dpc_ranks *ranks = s->options->ranks;
    if (ranks == NULL)
        return DPC_OK;
    DPC_CHECK(ranks->spread(ranks->context, &s->n_blocks, sizeof s->n_blocks, s->err));
    if (!s->leads)
        s->blocks = dpc_alloc(s->n_blocks, sizeof *s->blocks);
    if (s->blocks == NULL)
        return dpc_fail_memory(s->err, "the plan of the study");
    return ranks->spread(ranks->context, s->blocks, s->n_blocks * (int64_t)sizeof *s->blocks,
                         s->err);
}

static dpc_status run(study *s)
{
    DPC_CHECK(study_catalogue_new(&s->catalogue, s->err));
    DPC_CHECK(choose(s));
    if (s->leads)
        DPC_CHECK(lead(s));
    DPC_CHECK(spread(s));
    DPC_CHECK(work(s));
    if (s->leads)
        DPC_CHECK(
            study_show(&s->results, s->options, s->options->figures ? s->figures : NULL, s->err));
    return DPC_OK;
}

dpc_status study_run_all(const study_options *options, dpc_error *err)
{
    study s = {.options = options, .results.fd = -1, .err = err};
    s.leads = dpc_leads(options->ranks);
    dpc_status status = run(&s);
    study_results_close(&s.results);
    study_catalogue_free(&s.catalogue);
    free(s.settings);
    free(s.figures);
    free(s.blocks);
    return status;
}
