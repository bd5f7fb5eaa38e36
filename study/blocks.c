/*
 * Who computes which data set of a study, and in which order the blocks are written.
 *
 * The order is fixed, and a block that is ready before its predecessors waits for them; so the file
 * is the same for any number of threads, and what a run leaves behind when it is killed is the
 * beginning of the whole.
 *
 * Several ranks share the data sets. The rank that leads has the file; the others learn from it
 * what is missing, and send it every data set as soon as they have it.
 */
#include "study.h"

#include "alloc.h"
#include "crew.h"
#include "platform.h"
#include "status.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

typedef struct run {
    const study_blocks *blocks;
    const study_work *work;
    void *context;
    study_rows *rows;
    const study_options *options;
    bool *ready; /* which are computed, and may still wait for their predecessors; owned */
    int64_t landed;
    double cost;              /* of all */
    _Atomic double cost_done; /* of those computed */
    double last_sync;
    dpc_crew crew;
    pthread_mutex_t landing;
    bool leads;
    _Atomic dpc_status status; /* the first failure of a worker */
    dpc_error *err;
} run;

dpc_status study_blocks_add(study_blocks *blocks, int setting, int rep, dpc_error *err)
{
    study_block *list =
        dpc_make_room(blocks->list, &blocks->capacity, blocks->count + 1, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the plan of the study");
    blocks->list = list;
    list[blocks->count++] = (study_block){setting, rep};
    return DPC_OK;
}

void study_blocks_clear(study_blocks *blocks)
{
    free(blocks->list);
    *blocks = (study_blocks){0};
}

/* Appends every block whose predecessors have landed. By one worker at a time. */
static void land(run *r, int64_t done)
{
    r->ready[done] = true;
    r->cost_done += r->work->cost(r->context, &r->blocks->list[done]);
    for (; r->landed < r->blocks->count && r->ready[r->landed]; r->landed++)
        if (r->status == DPC_OK)
            r->status = r->work->append(r->context, &r->blocks->list[r->landed], r->err);
    double now = dpc_seconds();
    if (r->status == DPC_OK && now - r->last_sync > 2) {
        r->status = study_rows_sync(r->rows, r->err);
        r->last_sync = now;
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
static void arrive(run *r, int64_t index, dpc_status status, const dpc_error *err)
{
    pthread_mutex_lock(&r->landing);
    if (status == DPC_OK) {
        if (r->leads)
            land(r, index);
    } else if (status != DPC_INTERRUPTED && r->status == DPC_OK) {
        r->status = status;
        if (r->err != NULL)
            *r->err = *err;
    }
    pthread_mutex_unlock(&r->landing);
}

static void compute(void *context, int64_t index, int worker)
{
    run *r = context;
    const study_block *b = &r->blocks->list[index];
    const dpc_ranks *ranks = r->options->ranks;
    int64_t bytes = r->work->bytes(r->context, b);
    void *points = r->leads ? r->work->place(r->context, b) : dpc_zalloc(bytes, 1);
    dpc_error err = {0};
    caller self = {&r->crew, worker};
    dpc_status status = points == NULL ? dpc_fail_memory(&err, "a data set") : DPC_OK;
    if (status == DPC_OK)
        status = r->work->compute(r->context, b, ask, &self, points, &err);
    if (status == DPC_OK && !r->leads)
        ranks->send(ranks->context, index, points, bytes);
    arrive(r, index, status, &err);
    if (!r->leads)
        free(points);
}

/* A data set of another rank. */
static void take(void *context, int64_t index, const void *bytes, int64_t size)
{
    run *r = context;
    memcpy(r->work->place(r->context, &r->blocks->list[index]), bytes, (size_t)size);
    arrive(r, index, DPC_OK, NULL);
}

/* The crew counts tasks; the caller receives the share of the cost. */
static int report(const dpc_progress *progress, void *user)
{
    run *r = user;
    dpc_progress shown = *progress;
    shown.fraction = r->cost > 0 ? r->cost_done / r->cost : 1;
    int stop =
        r->options->progress != NULL ? r->options->progress(&shown, r->options->progress_user) : 0;
    return stop != 0 || r->status != DPC_OK;
}

static dpc_status work_off(run *r)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = r->options->threads;
    settings.progress = report;
    settings.progress_user = r;
    settings.ranks = r->options->ranks;
    dpc_crew_init(&r->crew, &settings, DPC_STAGE_SKELETON);
    pthread_mutex_init(&r->landing, NULL);
    const dpc_list list = {
        .count = r->blocks->count,
        .singles = r->blocks->count,
        .work = INFINITY, /* a data set is always worth a thread */
        .task = compute,
        .take = take,
        .context = r,
    };
    bool finished = dpc_crew_run_shared(&r->crew, &list);
    dpc_status status = r->status;
    if (dpc_crew_shares(&r->crew, list.work)) {
        dpc_exchange end = {.status = status};
        status = dpc_crew_exchange(&r->crew, &end, r->err);
        dpc_exchange_clear(&end);
        if (status == DPC_OK)
            status = r->status; /* what came last may not have been written */
        finished = !r->leads || r->landed == r->blocks->count;
    }
    pthread_mutex_destroy(&r->landing);
    if (status == DPC_OK && !finished)
        status = study_interrupted(r->err);
    if (!r->leads)
        return status;
    dpc_error ignored;
    dpc_status synced = study_rows_sync(r->rows, status == DPC_OK ? r->err : &ignored);
    return status == DPC_OK ? synced : status;
}

/* The other ranks learn from the one that leads what is missing. */
static dpc_status spread(study_blocks *blocks, const dpc_ranks *ranks, dpc_error *err)
{
    if (ranks == NULL)
        return DPC_OK;
    DPC_CHECK(ranks->spread(ranks->context, &blocks->count, sizeof blocks->count, err));
    if (!dpc_leads(ranks))
        blocks->list = dpc_alloc(blocks->count, sizeof *blocks->list);
    if (blocks->list == NULL && blocks->count > 0)
        return dpc_fail_memory(err, "the plan of the study");
    return ranks->spread(ranks->context, blocks->list,
                         blocks->count * (int64_t)sizeof *blocks->list, err);
}

dpc_status study_blocks_run(study_blocks *blocks, const study_work *work, void *context,
                            study_rows *rows, const study_options *options, dpc_error *err)
{
    DPC_CHECK(spread(blocks, options->ranks, err));
    run r = {.blocks = blocks,
             .work = work,
             .context = context,
             .rows = rows,
             .options = options,
             .ready = dpc_zalloc(blocks->count, sizeof *r.ready),
             .leads = dpc_leads(options->ranks),
             .err = err};
    if (r.ready == NULL)
        return dpc_fail_memory(err, "the plan of the study");
    for (int64_t i = 0; i < blocks->count; i++)
        r.cost += work->cost(context, &blocks->list[i]);
    dpc_status status = work_off(&r);
    free(r.ready);
    return status;
}
