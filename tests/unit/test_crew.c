/*
 * The crew: every task once, by workers that never meet; the caller asked on its own thread, often
 * enough and not too often, also while worker 0 has nothing to do; and all that once more in a
 * child after fork.
 */
#include "crew.h"
#include "platform.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const double MUCH = 1e9; /* work that is worth all threads */
enum { HANGS = 600 };           /* seconds after which something never ends; no verdict else */

/* ---- A caller ---- */

typedef struct caller {
    pthread_t thread;
    atomic_int calls;
    int elsewhere;   /* calls on another thread */
    int patience;    /* calls after which it says stop; 0: none */
    double fraction; /* last told */
    bool goes_back;  /* the fraction has gone back */
} caller;

static int answer(const dpc_progress *progress, void *user)
{
    caller *c = user;
    c->elsewhere += !pthread_equal(c->thread, pthread_self());
    c->goes_back = c->goes_back || progress->fraction < c->fraction;
    c->fraction = progress->fraction;
    int calls = atomic_fetch_add(&c->calls, 1) + 1;
    return c->patience > 0 && calls >= c->patience;
}

static dpc_settings settings_of(caller *c, int threads)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    *c = (caller){.thread = pthread_self()};
    settings.threads = threads;
    settings.progress = answer;
    settings.progress_user = c;
    return settings;
}

static void rest(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

/* ---- Every task once ---- */

enum { TASKS = 5000 };

typedef struct tally {
    int done[TASKS];
    atomic_int busy[DPC_MOST_THREADS];
    atomic_bool met; /* two threads had the same number at the same time */
    int threads;
} tally;

static void mark(void *context, int64_t index, int worker)
{
    tally *t = context;
    if (worker < 0 || worker >= t->threads || atomic_fetch_add(&t->busy[worker], 1) != 0)
        atomic_store(&t->met, true);
    t->done[index]++;
    if (index % 500 == 0)
        rest(1e-4);
    atomic_fetch_sub(&t->busy[worker], 1);
}

static void check_tasks(int threads)
{
    tally *t = calloc(1, sizeof *t);
    caller c;
    dpc_settings settings = settings_of(&c, threads);
    dpc_crew crew;
    t->threads = threads;
    dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
    assert_int_equal(crew.threads, threads);
    for (int round = 1; round <= 3; round++) {
        assert_true(dpc_crew_run(&crew, TASKS, MUCH, mark, t));
        for (int i = 0; i < TASKS; i++)
            assert_int_equal(t->done[i], round);
    }
    assert_true(dpc_crew_run(&crew, 0, MUCH, mark, t));
    assert_false(atomic_load(&t->met));
    assert_int_equal(c.elsewhere, 0);
    assert_true(c.calls > 0);
    free(t);
}

static void test_every_task_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 9; threads++)
        check_tasks(threads);
    check_tasks(DPC_MOST_THREADS);
}

/* ---- Asking ---- */

/*
 * Worker 0 has nothing to do; another one works until the caller has been asked so often, or has
 * called it off. Were it never asked, this would never end: see HANGS.
 */
typedef struct night {
    dpc_crew *crew;
    caller *caller;
    int calls;
    atomic_int others; /* tasks that were not worker 0's */
} night;

static bool is_over(const night *n)
{
    return n->calls > 0 && atomic_load(&n->caller->calls) >= n->calls;
}

static void work_long(void *context, int64_t index, int worker)
{
    night *n = context;
    (void)index;
    if (worker == 0) {
        while (atomic_load(&n->others) == 0) /* leaves it the other task */
            rest(1e-4);
        return;
    }
    atomic_fetch_add(&n->others, 1);
    while (!is_over(n) && !dpc_crew_stopped(n->crew, worker))
        rest(1e-3);
}

static void test_asks_while_others_work(void **state)
{
    (void)state;
    caller c;
    dpc_settings settings = settings_of(&c, 2);
    dpc_crew crew;
    dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
    night n = {.crew = &crew, .caller = &c, .calls = 30};
    assert_true(dpc_crew_run(&crew, 2, MUCH, work_long, &n));
    assert_int_equal(atomic_load(&n.others), 1);
    assert_int_equal(c.elsewhere, 0);
}

static void test_is_called_off_while_others_work(void **state)
{
    (void)state;
    caller c;
    dpc_settings settings = settings_of(&c, 2);
    dpc_crew crew;
    c.patience = 10;
    dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
    night n = {.crew = &crew, .caller = &c};
    assert_false(dpc_crew_run(&crew, 2, MUCH, work_long, &n));
    assert_int_equal(atomic_load(&c.calls), 10); /* and not once more */
}

static void spin(void *context, int64_t index, int worker)
{
    (void)index;
    night *n = context;
    while (!is_over(n))
        for (int i = 0; i < 1000; i++)
            dpc_crew_stopped(n->crew, worker);
}

/* The slower the machine, the longer it takes: the bound is one from above. */
static void test_asks_a_hundred_times_a_second(void **state)
{
    (void)state;
    caller c;
    dpc_settings settings = settings_of(&c, 1);
    dpc_crew crew;
    dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
    double start = dpc_seconds();
    night n = {.crew = &crew, .caller = &c, .calls = 30};
    assert_true(dpc_crew_run(&crew, 1, MUCH, spin, &n));
    assert_true(atomic_load(&c.calls) <= 2 + 110 * (dpc_seconds() - start));
}

/* ---- Tasks that need not be begun ---- */

typedef struct few {
    dpc_crew *crew;
    atomic_int begun;
} few;

static void have_enough(void *context, int64_t index, int worker)
{
    (void)worker;
    few *f = context;
    atomic_fetch_add(&f->begun, 1);
    if (index == 3)
        dpc_crew_enough(f->crew);
}

static void test_enough(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        caller c;
        dpc_settings settings = settings_of(&c, threads);
        dpc_crew crew;
        few f = {.crew = &crew};
        dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
        assert_true(dpc_crew_run(&crew, INT64_MAX / 2, MUCH, have_enough, &f));
        if (threads == 1)
            assert_int_equal(atomic_load(&f.begun), 4);
    }
}

static void wait_a_little(void *context, int64_t index, int worker)
{
    (void)context;
    (void)index;
    (void)worker;
    rest(1e-3);
}

static void test_fraction_grows(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        caller c;
        dpc_settings settings = settings_of(&c, threads);
        dpc_crew crew;
        dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
        crew.from = 0.25;
        crew.to = 0.75;
        assert_true(dpc_crew_run(&crew, 300, MUCH, wait_a_little, NULL));
        assert_false(c.goes_back);
        assert_true(c.fraction > 0.5 && c.fraction <= 0.75);
    }
}

/* ---- Nobody to ask ---- */

static void test_without_settings(void **state)
{
    (void)state;
    tally *t = calloc(1, sizeof *t);
    dpc_crew crew;
    t->threads = 1;
    dpc_crew_init(&crew, NULL, DPC_STAGE_READ);
    assert_int_equal(crew.threads, 1);
    assert_true(dpc_crew_run(&crew, TASKS, MUCH, mark, t));
    for (int i = 0; i < TASKS; i++)
        assert_int_equal(t->done[i], 1);
    free(t);
}

/* ---- Signals and forks ---- */

static void see_mask(void *context, int64_t index, int worker)
{
    sigset_t mask;
    (void)index;
    if (worker == 0) {
        rest(0.02);
        return;
    }
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (sigismember(&mask, SIGINT) != 1 || sigismember(&mask, SIGUSR1) != 1)
        atomic_fetch_add((atomic_int *)context, 1);
}

static void test_signals_are_the_host_s(void **state)
{
    (void)state;
    caller c;
    dpc_settings settings = settings_of(&c, 4);
    dpc_crew crew;
    atomic_int open = 0;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
    assert_true(dpc_crew_run(&crew, 40, MUCH, see_mask, &open));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(atomic_load(&open), 0);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    assert_int_equal(sigismember(&before, SIGUSR1), sigismember(&after, SIGUSR1));
}

static void test_after_fork(void **state)
{
    (void)state;
    check_tasks(3); /* the parent has had threads */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(HANGS);
        tally *t = calloc(1, sizeof *t);
        caller c;
        dpc_settings settings = settings_of(&c, 3);
        dpc_crew crew;
        t->threads = 3;
        dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
        bool fine = dpc_crew_run(&crew, TASKS, MUCH, mark, t) && c.elsewhere == 0;
        for (int i = 0; i < TASKS; i++)
            fine = fine && t->done[i] == 1;
        free(t);
        _exit(fine ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    check_tasks(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_task_once),
        cmocka_unit_test(test_asks_while_others_work),
        cmocka_unit_test(test_is_called_off_while_others_work),
        cmocka_unit_test(test_asks_a_hundred_times_a_second),
        cmocka_unit_test(test_enough),
        cmocka_unit_test(test_fraction_grows),
        cmocka_unit_test(test_without_settings),
        cmocka_unit_test(test_signals_are_the_host_s),
        cmocka_unit_test(test_after_fork),
    };
    alarm(HANGS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
