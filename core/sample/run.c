/* The schedule of the chains: see run.h. */
#include "run.h"

#include "alloc.h"
#include "chain.h"
#include "exact_edges.h"
#include "platform.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum {
    ANNEAL = 4000,        /* sweeps, at most; … */
    ANNEAL_EACH = 200,    /* … for each node so many … */
    LEAST_ANNEAL = 500,   /* … and at least these */
    BURN_IN = 500,        /* sweeps; … */
    SETTLE = BURN_IN / 4, /* … the first of them count for nothing */
    MOST_AGAIN = 3,       /* times that chains start again */
    ROUNDS = 40,
    MORE_THIN = 3,   /* times as many sweeps between draws, where chains mix slowly; … */
    MOST_SLOWER = 2, /* … so often at most */
};
static const double GOOD_RHAT = 1.01, GOOD_SHARE = 0.25; /* of chains that mix; effective draws */
static const double FAR_BELOW = 20; /* of a mean score, in units of log likelihood */
static const double FOR_ANNEALING = 0.35, FOR_BURN_IN = 0.15; /* of the time there is … */
static const double FOR_WEIGHTS = 0.5;                        /* … where draws are exact */

/* Streams of a seed from here on: see resample.c, parametric.c. */
static const uint64_t FIRST_STREAM = UINT64_C(3) << 32;

typedef struct member {
    dpc_chain *chain; /* owned */
    double *sum;      /* of the probabilities in the burn-in, by place of the candidate sets */
    int sums;
    double mean; /* score in the burn-in */
    uint32_t *best;
    double best_score;
    int done;        /* draws */
    double deadline; /* of the present task; 0: there is none */
    int worker;      /* that does it */
    bool again;      /* it is to start again */
    struct team *team;
    dpc_dag_room room;
    dpc_random random; /* of exact draws … */
    uint32_t *drawn;   /* … and the present one */
    char apart[DPC_APART];
} member;

typedef struct team {
    const dpc_run_plan *plan;
    dpc_run *run;
    dpc_crew crew;
    dpc_arena arena;
    member *members;
    dpc_exact_draws *exact; /* owned; NULL: chains of moves */
    int32_t *list;          /* the chains of the present list of tasks */
    int n;
    int64_t places;   /* of the candidate sets */
    double budget;    /* seconds for each task of the present list; 0: no limit */
    int goal;         /* of the present round: draws */
    atomic_bool late; /* the time has cut something short */
    bool drawn;       /* every chain has a draw */
} team;

/* ---- Time ---- */

/* Is a task to end? dpc_chain_stop. */
static bool is_over(void *context)
{
    member *m = context;
    team *t = m->team;
    if (dpc_crew_stopped(&t->crew, m->worker))
        return true;
    if (!dpc_time_is_over(m->deadline))
        return false;
    atomic_store_explicit(&t->late, true, memory_order_relaxed);
    return true;
}

/* The seconds that each of the tasks of a list may take, so that all of them take a share of the
 * time there is. */
static double budget_of(const team *t, int tasks, double share)
{
    const double hardly_any = 1e-9;
    int workers = t->crew.threads < tasks ? t->crew.threads : tasks;
    if (!(t->plan->end > 0))
        return 0;
    return fmax((t->plan->end - dpc_seconds_roughly()) * share * workers / tasks, hardly_any);
}

static member *begin(team *t, int64_t index, int worker)
{
    member *m = &t->members[t->list[index]];
    m->worker = worker;
    m->deadline = dpc_end_of_time(t->budget);
    return m;
}

static bool run_list(team *t, int tasks, double share, dpc_task task)
{
    t->budget = budget_of(t, tasks, share);
    return dpc_crew_run(&t->crew, tasks, 1e7 * tasks, task, t);
}

/* ---- The start ---- */

static void note_best(member *m)
{
    double score = dpc_chain_score(m->chain);
    if (!(score > m->best_score))
        return;
    m->best_score = score;
    memcpy(m->best, dpc_chain_parents(m->chain), (size_t)m->team->n * sizeof *m->best);
}

static void sweep(const team *t, dpc_chain *chain)
{
    if (t->plan->by_order)
        dpc_chain_order_sweep(chain);
    else
        dpc_chain_sweep(chain);
}

/* The DAG that a chain starts at, the first time; NULL: none. */
static const uint32_t *given_start(const team *t, const member *m)
{
    return m->again ? NULL : t->plan->start[m - t->members];
}

/* A start, and what is probable there: given its order, of which a draw is one. */
static void anneal_task(void *context, int64_t index, int worker)
{
    team *t = context;
    member *m = begin(t, index, worker);
    int sweeps = t->n * ANNEAL_EACH < ANNEAL ? t->n * ANNEAL_EACH : ANNEAL;
    sweeps = sweeps > LEAST_ANNEAL ? sweeps : LEAST_ANNEAL;
    const uint32_t *given = given_start(t, m);
    memset(m->sum, 0, (size_t)t->places * sizeof *m->sum);
    if (given != NULL)
        dpc_chain_set(m->chain, given);
    else
        dpc_chain_anneal(m->chain, sweeps, is_over, m);
    m->sums = 1;
    dpc_chain_add_probabilities(m->chain, given == NULL, m->sum);
    note_best(m);
}

/* The burn-in; at least one sweep. */
static void burn_in_task(void *context, int64_t index, int worker)
{
    team *t = context;
    member *m = begin(t, index, worker);
    double sum = 0;
    memset(m->sum, 0, (size_t)t->places * sizeof *m->sum);
    m->sums = 0;
    for (int i = 0; i < BURN_IN && (m->sums == 0 || !is_over(m)); i++) {
        sweep(t, m->chain);
        note_best(m);
        if (i < SETTLE && !is_over(m))
            continue;
        dpc_chain_add_probabilities(m->chain, t->plan->by_order, m->sum);
        sum += dpc_chain_score(m->chain);
        m->sums++;
    }
    m->mean = sum / m->sums;
}

/* Joins blocks by what is probable in all chains. */
static dpc_status prefer(team *t, double *probability)
{
    if (t->plan->by_order)
        return DPC_OK;
    memset(probability, 0, (size_t)t->places * sizeof *probability);
    for (int c = 0; c < t->plan->chains; c++)
        for (int64_t i = 0; i < t->places; i++)
            probability[i] += t->members[c].sum[i] / t->members[c].sums / t->plan->chains;
    return dpc_space_prefer(t->plan->space, probability);
}

/* The chains that are far below the best, into the list. */
static int find_low(team *t)
{
    int count = 0;
    double best = -INFINITY;
    for (int c = 0; c < t->plan->chains; c++)
        best = fmax(best, t->members[c].mean);
    for (int c = 0; c < t->plan->chains; c++) {
        t->members[c].again = t->members[c].mean < best - FAR_BELOW;
        if (t->members[c].again)
            t->list[count++] = c;
    }
    return count;
}

static int list_all(team *t)
{
    for (int c = 0; c < t->plan->chains; c++)
        t->list[c] = c;
    return t->plan->chains;
}

/* The part of the progress that the next list is. */
static void part(team *t, double from, double to)
{
    double all = t->plan->to - t->plan->from;
    t->crew.from = t->plan->from + all * from;
    t->crew.to = t->plan->from + all * to;
}

static dpc_status start_all(team *t, double *probability, dpc_error *err)
{
    int count = list_all(t);
    part(t, 0, 0.25);
    if (!run_list(t, count, FOR_ANNEALING, anneal_task))
        return dpc_fail_interrupted(err);
    DPC_CHECK(dpc_fail_as(err, prefer(t, probability), "the chains"));
    part(t, 0.25, 0.35);
    if (!run_list(t, count, FOR_BURN_IN, burn_in_task))
        return dpc_fail_interrupted(err);
    for (int i = 0; i < MOST_AGAIN && !atomic_load(&t->late); i++) {
        count = find_low(t);
        t->run->annealed += count;
        part(t, 0.35, 0.35);
        if (count == 0)
            break;
        if (!run_list(t, count, FOR_ANNEALING, anneal_task) ||
            !run_list(t, count, FOR_BURN_IN, burn_in_task))
            return dpc_fail_interrupted(err);
    }
    return dpc_fail_as(err, prefer(t, probability), "the chains");
}

/* ---- The draws ---- */

static void record(member *m)
{
    team *t = m->team;
    dpc_run *run = t->run;
    int chain = (int)(m - t->members);
    int64_t place = dpc_draw_place(run->sampled, chain, m->done);
    int64_t batch = (int64_t)chain * DPC_BATCHES + (int64_t)m->done * DPC_BATCHES / t->plan->draws;
    run->n_edges[place] =
        dpc_sampled_put(run->sampled, place, dpc_chain_parents(m->chain), &m->room);
    run->scores[place] = dpc_chain_score(m->chain);
    dpc_chain_add_probabilities(m->chain, t->plan->by_order, run->batch + batch * t->places);
    run->drawn[batch]++;
    note_best(m);
    m->done++;
}

/* One draw later; false: it is to end. */
static bool advance(member *m)
{
    team *t = m->team;
    if (t->exact != NULL) {
        dpc_exact_draw(t->exact, &m->random, m->drawn);
        dpc_chain_set(m->chain, m->drawn);
        return m->done == 0 || !is_over(m);
    }
    for (int i = 0; i < t->run->thin; i++) {
        if (m->done > 0 && is_over(m))
            return false;
        sweep(t, m->chain);
    }
    return true;
}

/* Draws up to the goal of the round; the first always. */
static void draw_task(void *context, int64_t index, int worker)
{
    team *t = context;
    member *m = &t->members[index];
    m->worker = worker;
    m->deadline = t->plan->end;
    while (m->done < t->goal && advance(m))
        record(m);
}

static int fewest_done(const team *t)
{
    int fewest = t->plan->draws;
    for (int c = 0; c < t->plan->chains; c++)
        fewest = t->members[c].done < fewest ? t->members[c].done : fewest;
    return fewest;
}

/* In rounds, which are a part of the progress; false: the caller has asked to stop. */
static bool draw_all(team *t, double from, double to)
{
    int draws = t->plan->draws, step = (draws + ROUNDS - 1) / ROUNDS, done = 0;
    bool goes_on = true;
    while (goes_on && done < draws && !(done > 0 && atomic_load(&t->late))) {
        t->goal = done == 0 ? 1 : done + step < draws ? done + step : draws;
        part(t, from + (to - from) * done / draws, from + (to - from) * t->goal / draws);
        goes_on = dpc_crew_run(&t->crew, t->plan->chains, 1e6 * t->plan->chains, draw_task, t);
        done = fewest_done(t);
        t->crew.progress.draws_done = done;
        if (done > 0 && done < draws && dpc_time_is_over(t->plan->end))
            atomic_store(&t->late, true);
    }
    return goes_on;
}

/* ---- Chains that mix slowly ---- */

/* Do the chains mix slowly, by the edges that are neither sure nor nearly absent? */
static dpc_status judge_mixing(team *t, double *probability, bool *slow, dpc_error *err)
{
    const double open = 0.02;
    const dpc_sampled *sampled = t->run->sampled;
    dpc_arena arena = {0};
    double *rhat = dpc_arena_alloc(&arena, t->places, sizeof *rhat);
    double *ess = dpc_arena_alloc(&arena, t->places, sizeof *ess);
    double least = GOOD_SHARE * (double)dpc_all_draws(sampled);
    dpc_status status = dpc_arena_failed(&arena)
                            ? dpc_fail_memory(err, "the chains")
                            : dpc_mixing_of_edges(sampled, &t->crew, rhat, ess, err);
    dpc_run_means(t->run, sampled, probability);
    *slow = false;
    for (int64_t i = 0; i < t->places && status == DPC_OK; i++)
        if (probability[i] > open && probability[i] < 1 - open)
            *slow = *slow || rhat[i] > GOOD_RHAT || ess[i] < least;
    dpc_arena_clear(&arena);
    return status;
}

/* What was drawn so far was burn-in. */
static dpc_status forget(team *t, const double *probability)
{
    dpc_run *run = t->run;
    int64_t batches = (int64_t)t->plan->chains * DPC_BATCHES;
    memset(run->batch, 0, (size_t)(batches * t->places) * sizeof *run->batch);
    memset(run->drawn, 0, (size_t)batches * sizeof *run->drawn);
    for (int c = 0; c < t->plan->chains; c++)
        t->members[c].done = 0;
    return t->plan->by_order ? DPC_OK : dpc_space_prefer(t->plan->space, probability);
}

/* Is there time for draws that take so many times as long? */
static bool has_time(const team *t, double seconds)
{
    return !atomic_load(&t->late) &&
           (!(t->plan->end > 0) ||
            dpc_seconds_roughly() + (MORE_THIN + 1) * seconds < t->plan->end);
}

/* Draws; where chains mix slowly, again with more sweeps between them, if the plan allows it. */
static dpc_status draw_until_mixed(team *t, double *probability, bool *done, dpc_error *err)
{
    double from = 0.35;
    for (int i = 0;; i++) {
        double begin = dpc_seconds(), to = i < MOST_SLOWER ? (1 + from) / 2 : 1;
        bool last = !t->plan->may_slow || t->exact != NULL || i == MOST_SLOWER, slow = false;
        *done = draw_all(t, from, last ? 1 : to);
        if (last || !*done || !has_time(t, dpc_seconds() - begin))
            return DPC_OK;
        part(t, to, to);
        DPC_CHECK(judge_mixing(t, probability, &slow, err));
        if (!slow)
            return DPC_OK;
        DPC_CHECK(dpc_fail_as(err, forget(t, probability), "the chains"));
        t->run->thin *= MORE_THIN;
        from = to;
    }
}

/* ---- All of it ---- */

static dpc_status make_members(team *t)
{
    const dpc_run_plan *plan = t->plan;
    t->members = dpc_arena_zalloc(&t->arena, plan->chains, sizeof *t->members);
    t->list = dpc_arena_alloc(&t->arena, plan->chains, sizeof *t->list);
    if (dpc_arena_failed(&t->arena))
        return DPC_NO_MEMORY;
    for (int c = 0; c < plan->chains; c++) {
        member *m = &t->members[c];
        m->team = t;
        m->best_score = -INFINITY;
        m->sum = dpc_arena_alloc(&t->arena, t->places, sizeof *m->sum);
        m->best = dpc_arena_alloc(&t->arena, t->n, sizeof *m->best);
        m->drawn = dpc_arena_alloc(&t->arena, t->n, sizeof *m->drawn);
        dpc_random_start(&m->random, plan->settings->seed, FIRST_STREAM + (uint64_t)c);
        if (!dpc_dag_room_init(&m->room, &t->arena, dpc_space_candidates(plan->space)) ||
            dpc_arena_failed(&t->arena))
            return DPC_NO_MEMORY;
        DPC_CHECK(dpc_chain_new(plan->space, plan->settings->seed, FIRST_STREAM + (uint64_t)c,
                                &m->chain));
    }
    return DPC_OK;
}

static dpc_status make_run(team *t, dpc_run *run)
{
    const dpc_run_plan *plan = t->plan;
    int64_t all = (int64_t)plan->chains * plan->draws,
            batches = (int64_t)plan->chains * DPC_BATCHES;
    DPC_CHECK(dpc_sampled_new(dpc_space_candidates(plan->space), plan->chains, plan->draws,
                              &run->sampled));
    run->scores = dpc_alloc(all, sizeof *run->scores);
    run->n_edges = dpc_alloc(all, sizeof *run->n_edges);
    run->batch = dpc_zalloc(batches * t->places, sizeof *run->batch);
    run->drawn = dpc_zalloc(batches, sizeof *run->drawn);
    run->best = dpc_alloc(t->n, sizeof *run->best);
    bool fine = run->scores && run->n_edges && run->batch && run->drawn && run->best;
    return fine ? make_members(t) : DPC_NO_MEMORY;
}

static double mean_of(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i];
    return sum / count;
}

/* All chains have as many draws, and what they have in common is found. */
static void close_run(team *t, dpc_run *run)
{
    int asked = run->sampled->draws, draws = fewest_done(t);
    double highest = -INFINITY, lowest = INFINITY;
    for (int c = 0; c < t->plan->chains; c++) {
        const member *m = &t->members[c];
        int64_t from = (int64_t)c * asked, to = (int64_t)c * draws;
        dpc_chain_counts counts = dpc_chain_count(m->chain);
        memmove(run->scores + to, run->scores + from, (size_t)draws * sizeof *run->scores);
        memmove(run->n_edges + to, run->n_edges + from, (size_t)draws * sizeof *run->n_edges);
        highest = fmax(highest, mean_of(run->scores + to, draws));
        lowest = fmin(lowest, mean_of(run->scores + to, draws));
        run->moves += counts.moves;
        run->log_moves += counts.log_moves;
        if (c == 0 || m->best_score > run->best_score) {
            run->best_score = m->best_score;
            memcpy(run->best, m->best, (size_t)t->n * sizeof *run->best);
        }
    }
    dpc_sampled_cut(run->sampled, draws);
    run->worst_chain = highest - lowest;
}

/* The probabilities of the edges that the weights say; not whole where the time is over. */
static dpc_status find_edges(team *t, dpc_crew *crew, dpc_error *err)
{
    dpc_run *run = t->run;
    part(t, 0.15, 0.35);
    crew->from = t->crew.from;
    crew->to = t->crew.to;
    run->edge = dpc_alloc(t->places, sizeof *run->edge);
    if (run->edge == NULL)
        return dpc_fail_memory(err, "the probabilities of the edges");
    dpc_status status = dpc_exact_edges(t->exact, crew, run->edge, err);
    if (status != DPC_OK) {
        free(run->edge);
        run->edge = NULL;
    }
    return status;
}

/* Of few nodes the weights for exact draws, where the time allows it. */
static dpc_status weigh_layers(team *t, dpc_error *err)
{
    const dpc_run_plan *plan = t->plan;
    double now = dpc_seconds_roughly();
    dpc_time_limit limit = {plan->end > 0 ? now + FOR_WEIGHTS * fmax(plan->end - now, 0) : 0,
                            false};
    dpc_crew crew;
    if (t->n > DPC_MOST_LAYERED || plan->by_order)
        return DPC_OK;
    dpc_crew_init(&crew, plan->settings, DPC_STAGE_SAMPLE);
    crew.limit = &limit;
    crew.progress.draws = plan->draws;
    part(t, 0, 0.15);
    crew.from = t->crew.from;
    crew.to = t->crew.to;
    dpc_status status = dpc_exact_draws_new(plan->space, &crew, &t->exact, err);
    if (status == DPC_OK)
        status = find_edges(t, &crew, err);
    return status == DPC_INTERRUPTED && limit.over ? DPC_OK : status;
}

static dpc_status go(team *t, dpc_run *run, dpc_error *err)
{
    double begin = dpc_seconds();
    DPC_CHECK(dpc_fail_as(err, make_run(t, run), "the chains"));
    double *probability = dpc_arena_alloc(&t->arena, t->places, sizeof *probability);
    if (probability == NULL)
        return dpc_fail_memory(err, "the chains");
    DPC_CHECK(weigh_layers(t, err));
    run->exact = t->exact != NULL;
    if (!run->exact)
        DPC_CHECK(start_all(t, probability, err));
    double middle = dpc_seconds();
    bool done = true;
    DPC_CHECK(draw_until_mixed(t, probability, &done, err));
    run->seconds_start = middle - begin;
    run->seconds_draws = dpc_seconds() - middle;
    run->complete = done && !atomic_load(&t->late);
    t->drawn = fewest_done(t) > 0;
    if (t->drawn)
        close_run(t, run);
    return done ? DPC_OK : dpc_fail_interrupted(err);
}

dpc_status dpc_run_chains(const dpc_run_plan *plan, dpc_run *run, dpc_error *err)
{
    const dpc_candidate_sets *sets = dpc_space_candidates(plan->space);
    team t = {.plan = plan, .run = run, .n = sets->n, .places = sets->start[sets->n]};
    dpc_crew_init(&t.crew, plan->settings, DPC_STAGE_SAMPLE);
    t.crew.progress.draws = plan->draws;
    *run = (dpc_run){.thin = plan->thin};
    dpc_status status = go(&t, run, err);
    for (int c = 0; t.members != NULL && c < plan->chains; c++)
        dpc_chain_free(t.members[c].chain);
    dpc_exact_draws_free(t.exact);
    dpc_arena_clear(&t.arena);
    if (!t.drawn)
        dpc_run_clear(run);
    return status;
}

void dpc_run_means(const dpc_run *run, const dpc_sampled *s, double *mean)
{
    int64_t places = s->sets.start[s->n];
    if (run->edge != NULL) {
        memcpy(mean, run->edge, (size_t)places * sizeof *mean);
        return;
    }
    memset(mean, 0, (size_t)places * sizeof *mean);
    for (int c = 0; c < s->chains; c++) {
        const double *batch = run->batch + c * DPC_BATCHES * places;
        double drawn = 0;
        for (int b = 0; b < DPC_BATCHES; b++)
            drawn += run->drawn[(int64_t)c * DPC_BATCHES + b];
        for (int b = 0; b < DPC_BATCHES; b++)
            for (int64_t i = 0; i < places; i++)
                mean[i] += batch[b * places + i] / drawn / s->chains;
    }
    for (int64_t i = 0; i < places; i++)
        mean[i] = fmin(fmax(mean[i], 0), 1);
}

void dpc_run_clear(dpc_run *run)
{
    dpc_sampled_free(run->sampled);
    free(run->scores);
    free(run->n_edges);
    free(run->batch);
    free(run->drawn);
    free(run->best);
    free(run->edge);
    *run = (dpc_run){0};
}
