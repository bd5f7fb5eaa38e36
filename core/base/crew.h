/*
 * The crew: threads that share a list of tasks, and can be called off.
 *
 * The only place that starts threads. Tasks are taken in order by whoever is free; a task writes
 * only what belongs to its index, so that results never depend on the number of threads.
 *
 * Worker 0 is the caller's thread. It asks the caller whether to go on, between its tasks and
 * within them, and when there are no tasks left it goes on asking until the others are done. The
 * caller is asked at the first opportunity, and then at most a hundred times a second.
 *
 * Work may have a time limit: when the time is over, the work is called off as if the caller had
 * asked for it, but `late` is set. Only a crew whose work leaves something whole behind has one.
 *
 * Threads live as long as one list. So nothing is left behind for a fork to break, and where no
 * thread can be started (a limit of the system) the others do the work.
 */
#ifndef DPC_CREW_H
#define DPC_CREW_H

#include "ranks.h"

#include <stdatomic.h>

/* The time limit of a piece of work, for all crews that do some of it one after the other. */
typedef struct dpc_time_limit {
    double end; /* by dpc_seconds_roughly; 0: there is none */
    bool over;  /* some work was called off for it */
} dpc_time_limit;

typedef struct dpc_crew {
    const dpc_settings *settings;
    dpc_time_limit *limit; /* not owned; NULL, unless set: none */
    bool late;             /* the time was up, and the caller has not asked to stop; of worker 0 */
    int threads;           /* workers are numbered 0 … threads-1 */
    struct dpc_crew *within; /* whose task this crew is, called off with it; NULL: no task */
    int worker;              /* that does the task */
    dpc_progress progress;   /* what the callback receives; only worker 0 writes it */
    double from, to;         /* the part of its stage that the work is: 0 to 1, unless set */
    int64_t count;           /* tasks of the list that is being worked off; 0: there is none */
    double next_question;    /* when worker 0 asks the caller again, in seconds */
    atomic_bool stop;        /* set once the caller has asked to stop, or the time is up */
    atomic_bool enough;      /* the tasks that are left would do nothing: they are not begun */
    atomic_llong done;       /* tasks */
    atomic_llong tests;      /* made by all workers, for the progress; and … */
    atomic_llong scores;     /* … what a search by score and the bootstrap count */
    atomic_int resamples;
    atomic_int node; /* what takes long, and how far that is: see dpc_progress */
    _Atomic double node_done;
} dpc_crew;

typedef void (*dpc_task)(void *context, int64_t index, int worker);

/* `settings` may be NULL: one thread, and no callback. */
void dpc_crew_init(dpc_crew *crew, const dpc_settings *settings, dpc_stage stage);

/* A crew of one for work within a task of another crew, by that worker. */
void dpc_crew_init_within(dpc_crew *crew, dpc_crew *within, int worker);

/*
 * Runs task(context, i, worker) for i = 0 … count-1, on as many threads as `work` (a rough number
 * of elementary operations) is worth. False: it was called off on the way.
 */
bool dpc_crew_run(dpc_crew *crew, int64_t count, double work, dpc_task task, void *context);

/*
 * Called by a task: tasks that have not begun need not be run, and the work counts as done. Tasks
 * that are shared with other ranks are dealt out all the same.
 */
void dpc_crew_enough(dpc_crew *crew);

/* When `seconds` from now are over, by dpc_seconds_roughly; 0: there is no limit. */
double dpc_end_of_time(double seconds);

/* Is it over? For work that is not a crew's. */
bool dpc_time_is_over(double end);

/* A list of tasks that several ranks may share. */
typedef struct dpc_list {
    int64_t count, singles; /* tasks, and how many of the first are dealt out one by one */
    double work;
    dpc_task task;
    dpc_take take; /* what other ranks send; may be NULL */
    void *context;
} dpc_list;

/*
 * dpc_crew_run for such a list. Where it is shared, this rank runs the tasks that it claims, and
 * all ranks must exchange their results next.
 */
bool dpc_crew_run_shared(dpc_crew *crew, const dpc_list *list);

/* Is a list of that much work shared with other ranks? The same answer on all of them. */
bool dpc_crew_shares(const dpc_crew *crew, double work);

/* The exchange between ranks; while it waits, progress is reported as usual. */
dpc_status dpc_crew_exchange(dpc_crew *crew, dpc_exchange *exchange, dpc_error *err);

/* Has the work been called off? For long tasks to ask now and then; worker 0 asks the caller. */
bool dpc_crew_stopped(dpc_crew *crew, int worker);

#endif
