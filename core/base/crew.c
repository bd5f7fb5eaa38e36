/* Threads that share a list of tasks: see crew.h. */
#include "crew.h"

#include "settings.h"

#include <omp.h>

/* Below this many operations starting threads costs more than it gives. */
static const double WORTH_THREADS = 2e5;

void dpc_crew_init(dpc_crew *crew, const dpc_settings *settings, dpc_stage stage)
{
    crew->settings = settings;
    crew->threads = dpc_thread_count(settings);
    crew->progress = (dpc_progress){.stage = stage};
    crew->from = 0;
    crew->to = 1;
    atomic_init(&crew->stop, false);
    atomic_init(&crew->tests, 0);
}

bool dpc_crew_stopped(dpc_crew *crew, int worker)
{
    if (worker == 0) {
        crew->progress.tests = atomic_load_explicit(&crew->tests, memory_order_relaxed);
        if (dpc_poll(crew->settings, &crew->progress))
            atomic_store_explicit(&crew->stop, true, memory_order_relaxed);
    }
    return atomic_load_explicit(&crew->stop, memory_order_relaxed);
}

/* One worker's share: takes the next task until there is none. */
static void work_off(dpc_crew *crew, int worker, atomic_llong *next, int64_t count, dpc_task task,
                     void *context)
{
    for (;;) {
        int64_t i = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
        if (i >= count)
            return;
        if (worker == 0)
            crew->progress.fraction =
                crew->from + (crew->to - crew->from) * (double)i / (double)count;
        if (dpc_crew_stopped(crew, worker))
            return;
        task(context, i, worker);
    }
}

bool dpc_crew_run(dpc_crew *crew, int64_t count, double work, dpc_task task, void *context)
{
    atomic_llong next;
    atomic_init(&next, 0);
    if (crew->threads == 1 || work < WORTH_THREADS || count < 2) {
        work_off(crew, 0, &next, count, task, context);
    } else {
#pragma omp parallel num_threads(crew->threads)
        work_off(crew, omp_get_thread_num(), &next, count, task, context);
    }
    return !dpc_crew_stopped(crew, 0);
}
