/* Threads that share a list of tasks: see crew.h. */
#include "crew.h"

#include "platform.h"
#include "settings.h"

/* Starting a thread pays for this many operations. */
static const double WORTH_A_THREAD = 2e5;

/* A list of fewer operations is done before anybody could wait for it. */
static const double SHORT = 1e5;

static const double BETWEEN_QUESTIONS = 0.01; /* seconds */

typedef struct list {
    dpc_crew *crew;
    dpc_task task;
    void *context;
    atomic_llong next; /* task to be taken */
    bool is_short;
    /* Of a list that is shared with other ranks: */
    const dpc_ranks *ranks; /* NULL: it is not */
    int64_t singles;
    int64_t first, end; /* what this rank has claimed and not begun; under the lock … */
    bool over;          /* … and so is this: there is nothing left to claim */
    pthread_mutex_t lock;
    int working;       /* helpers that have not finished; under the lock of the wakeup … */
    dpc_wakeup wakeup; /* … which is signalled when all have */
} list;

typedef struct helper {
    list *list;
    int number;
    pthread_t thread;
} helper;

void dpc_crew_init(dpc_crew *crew, const dpc_settings *settings, dpc_stage stage)
{
    crew->settings = settings;
    crew->limit = NULL;
    crew->late = false;
    crew->threads = settings != NULL ? dpc_thread_count(settings) : 1;
    crew->within = NULL;
    crew->worker = 0;
    crew->progress = (dpc_progress){.stage = stage, .node = -1};
    crew->from = 0;
    crew->to = 1;
    crew->count = 0;
    crew->next_question = 0;
    atomic_init(&crew->stop, false);
    atomic_init(&crew->enough, false);
    atomic_init(&crew->done, 0);
    atomic_init(&crew->tests, 0);
    atomic_init(&crew->scores, 0);
    atomic_init(&crew->resamples, 0);
    atomic_init(&crew->node, -1);
    atomic_init(&crew->node_done, 0);
}

void dpc_crew_init_within(dpc_crew *crew, dpc_crew *within, int worker)
{
    dpc_crew_init(crew, NULL, within->progress.stage);
    crew->within = within;
    crew->worker = worker;
}

/* A time shorter than the rough clock can measure is over at once. */
double dpc_end_of_time(double seconds)
{
    if (!(seconds > 0))
        return 0;
    return dpc_seconds_roughly() + (seconds < BETWEEN_QUESTIONS ? 0 : seconds);
}

bool dpc_time_is_over(double end)
{
    return end > 0 && dpc_seconds_roughly() >= end;
}

/* The time is up. */
static void call_off(dpc_crew *crew)
{
    crew->late = crew->limit->over = true;
    atomic_store_explicit(&crew->stop, true, memory_order_relaxed);
}

/* Reports the progress to the caller, unless that was done a moment ago or it has asked to stop. */
static void ask_caller(dpc_crew *crew)
{
    bool limited = crew->limit != NULL && crew->limit->end > 0;
    bool heard = crew->settings != NULL && crew->settings->progress != NULL;
    if ((!heard && !limited) || atomic_load_explicit(&crew->stop, memory_order_relaxed))
        return;
    double now = dpc_seconds_roughly();
    if (limited && now >= crew->limit->end) {
        call_off(crew);
        return;
    }
    if (!heard || now < crew->next_question)
        return;
    crew->next_question = now + BETWEEN_QUESTIONS;
    crew->progress.tests = atomic_load_explicit(&crew->tests, memory_order_relaxed);
    crew->progress.scores = atomic_load_explicit(&crew->scores, memory_order_relaxed);
    crew->progress.resamples_done = atomic_load_explicit(&crew->resamples, memory_order_relaxed);
    crew->progress.node = atomic_load_explicit(&crew->node, memory_order_relaxed);
    crew->progress.node_fraction = atomic_load_explicit(&crew->node_done, memory_order_relaxed);
    if (crew->count > 0) {
        double done = (double)atomic_load_explicit(&crew->done, memory_order_relaxed);
        double fraction = crew->from + (crew->to - crew->from) * done / (double)crew->count;
        crew->progress.fraction = fraction < 1 ? fraction : 1; /* but for rounding */
    }
    if (crew->settings->progress(&crew->progress, crew->settings->progress_user) != 0)
        atomic_store_explicit(&crew->stop, true, memory_order_relaxed);
}

bool dpc_crew_stopped(dpc_crew *crew, int worker)
{
    if (crew->within != NULL && dpc_crew_stopped(crew->within, crew->worker))
        atomic_store_explicit(&crew->stop, true, memory_order_relaxed);
    if (worker == 0)
        ask_caller(crew);
    return atomic_load_explicit(&crew->stop, memory_order_relaxed);
}

/* The next task that this rank has claimed. Tasks are claimed in the order of the list, so their
 * number says how much is done. */
static int64_t claim_task(list *l)
{
    pthread_mutex_lock(&l->lock);
    if (l->first == l->end && !l->over) {
        l->over =
            !l->ranks->claim(l->ranks->context, l->crew->count, l->singles, &l->first, &l->end);
        atomic_store_explicit(&l->crew->done, l->over ? l->crew->count : l->first,
                              memory_order_relaxed);
    }
    int64_t i = l->over ? l->crew->count : l->first++;
    pthread_mutex_unlock(&l->lock);
    return i;
}

static int64_t next_task(list *l)
{
    if (l->ranks != NULL)
        return claim_task(l);
    if (atomic_load_explicit(&l->crew->enough, memory_order_relaxed))
        return l->crew->count;
    return atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
}

void dpc_crew_enough(dpc_crew *crew)
{
    atomic_store_explicit(&crew->enough, true, memory_order_relaxed);
}

/* Before a task; a short list asks the caller with its first task only. */
static bool is_stopped(const list *l, int64_t i, int worker)
{
    if (l->is_short && i > 0)
        return atomic_load_explicit(&l->crew->stop, memory_order_relaxed);
    return dpc_crew_stopped(l->crew, worker);
}

/* One worker's share: takes the next task until there is none. */
static void work_off(list *l, int worker)
{
    dpc_crew *crew = l->crew;
    for (;;) {
        int64_t i = next_task(l);
        if (i >= crew->count || is_stopped(l, i, worker))
            return;
        l->task(l->context, i, worker);
        if (l->ranks == NULL)
            atomic_fetch_add_explicit(&crew->done, 1, memory_order_relaxed);
    }
}

/* The same where there is but one worker, and nobody to agree with about the next task. */
static void work_alone(list *l)
{
    dpc_crew *crew = l->crew;
    for (int64_t i = 0; i < crew->count; i++) {
        if (atomic_load_explicit(&crew->enough, memory_order_relaxed) || is_stopped(l, i, 0))
            return;
        l->task(l->context, i, 0);
        atomic_store_explicit(&crew->done, i + 1, memory_order_relaxed);
    }
}

static void *help(void *context)
{
    helper *h = context;
    list *l = h->list;
    work_off(l, h->number);
    pthread_mutex_lock(&l->wakeup.lock);
    if (--l->working == 0)
        pthread_cond_signal(&l->wakeup.rung);
    pthread_mutex_unlock(&l->wakeup.lock);
    return NULL;
}

/* Worker 0 has no tasks left; it only goes on asking the caller. */
static void wait_for_helpers(list *l)
{
    pthread_mutex_lock(&l->wakeup.lock);
    while (l->working > 0) {
        dpc_wakeup_wait(&l->wakeup, BETWEEN_QUESTIONS);
        pthread_mutex_unlock(&l->wakeup.lock);
        ask_caller(l->crew);
        pthread_mutex_lock(&l->wakeup.lock);
    }
    pthread_mutex_unlock(&l->wakeup.lock);
}

static void work_together(list *l, int workers)
{
    helper helpers[DPC_MOST_THREADS];
    int started = 0;
    dpc_wakeup_init(&l->wakeup);
    l->working = workers - 1;
    for (; started < workers - 1; started++) {
        helpers[started] = (helper){.list = l, .number = started + 1};
        if (!dpc_thread_start(&helpers[started].thread, help, &helpers[started]))
            break;
    }
    pthread_mutex_lock(&l->wakeup.lock);
    l->working -= workers - 1 - started; /* those that could not be started */
    pthread_mutex_unlock(&l->wakeup.lock);
    work_off(l, 0);
    wait_for_helpers(l);
    for (int i = 0; i < started; i++)
        pthread_join(helpers[i].thread, NULL);
    dpc_wakeup_clear(&l->wakeup);
}

static int useful_workers(const dpc_crew *crew, int64_t count, double work)
{
    double worth = work / WORTH_A_THREAD;
    int workers = worth < crew->threads ? (int)worth : crew->threads;
    workers = count < workers ? (int)count : workers;
    return workers > 1 ? workers : 1;
}

static bool run(list *l, int64_t count, double work)
{
    dpc_crew *crew = l->crew;
    int workers = useful_workers(crew, count, work);
    l->is_short = work < SHORT;
    atomic_init(&l->next, 0);
    atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
    crew->count = count;
    if (workers == 1 && l->ranks == NULL)
        work_alone(l);
    else if (workers == 1)
        work_off(l, 0);
    else
        work_together(l, workers);
    bool finished = !dpc_crew_stopped(crew, 0);
    crew->count = 0;
    return finished;
}

bool dpc_crew_run(dpc_crew *crew, int64_t count, double work, dpc_task task, void *context)
{
    list l = {.crew = crew, .task = task, .context = context};
    return run(&l, count, work);
}

/* ---- With other ranks ---- */

bool dpc_crew_shares(const dpc_crew *crew, double work)
{
    const dpc_ranks *ranks = crew->settings != NULL ? crew->settings->ranks : NULL;
    return ranks != NULL && ranks->ranks > 1 && work >= ranks->worth;
}

bool dpc_crew_run_shared(dpc_crew *crew, const dpc_list *what)
{
    list l = {.crew = crew, .task = what->task, .context = what->context, .singles = what->singles};
    if (!dpc_crew_shares(crew, what->work))
        return run(&l, what->count, what->work);
    l.ranks = crew->settings->ranks;
    pthread_mutex_init(&l.lock, NULL);
    l.ranks->begin(l.ranks->context, what->take, what->context);
    bool finished = run(&l, what->count, what->work / l.ranks->ranks);
    if (!finished)
        l.ranks->close(l.ranks->context);
    pthread_mutex_destroy(&l.lock);
    return finished;
}

/* A rank that waits for others asks the caller, and stops the others if it wants to stop. */
static void idle(void *context)
{
    dpc_crew *crew = context;
    const dpc_ranks *ranks = crew->settings->ranks;
    if (dpc_crew_stopped(crew, 0))
        ranks->close(ranks->context);
}

dpc_status dpc_crew_exchange(dpc_crew *crew, dpc_exchange *exchange, dpc_error *err)
{
    const dpc_ranks *ranks = crew->settings->ranks;
    exchange->idle = idle;
    exchange->idle_context = crew;
    return ranks->exchange(ranks->context, exchange, err);
}
