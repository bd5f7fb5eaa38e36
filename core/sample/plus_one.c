/* What the candidates leave out: see plus_one.h. */
#include "plus_one.h"

#include "alloc.h"
#include "bit_descendants.h"
#include "sorted.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double WORK = 4e6; /* pairs of nodes, over all draws that are looked at, … */
enum { LEAST_DRAWS = 8, MOST_DRAWS = 40 }; /* … but at least and at most so many draws */

typedef struct job {
    const dpc_candidate_plan *plan;
    const dpc_sampled *sampled;
    const dpc_score_matrix *matrix;
    const dpc_marginal *marginal;
    int64_t draws;      /* that are looked at */
    double *all;        /* see dpc_find_outside */
    dpc_outside *found; /* by child: the most probable one */
    dpc_crew *crew;
    struct worker *workers;
} job;

typedef struct worker {
    dpc_arena arena;
    bool ready, failed;
    dpc_family_scorer scorer;
    dpc_dag_room room;
    uint64_t *is, *de;
    int32_t *outside, *set;
    double *with, *sum; /* by place in `outside` */
    char apart[DPC_APART];
} worker;

static bool get_ready(const job *j, worker *w)
{
    const dpc_sampled *s = j->sampled;
    if (w->ready || w->failed)
        return w->ready;
    dpc_dag_room_init(&w->room, &w->arena, &s->sets);
    w->is = dpc_arena_zalloc(&w->arena, s->n, sizeof *w->is);
    w->de = dpc_arena_alloc(&w->arena, s->n, sizeof *w->de);
    w->outside = dpc_arena_alloc(&w->arena, s->n, sizeof *w->outside);
    w->set = dpc_arena_alloc(&w->arena, DPC_MOST_CANDIDATES, sizeof *w->set);
    w->with = dpc_arena_alloc(&w->arena, s->n, sizeof *w->with);
    w->sum = dpc_arena_alloc(&w->arena, s->n, sizeof *w->sum);
    w->failed = dpc_family_scorer_init(&w->scorer, j->matrix, j->marginal) != DPC_OK ||
                dpc_arena_failed(&w->arena);
    w->ready = !w->failed;
    return w->ready;
}

/* Those that may be parents of v and are no candidates. */
static int list_outside(const job *j, worker *w, int v)
{
    const dpc_candidate_sets *sets = &j->sampled->sets;
    int count = 0;
    for (int u = 0; u < sets->n; u++)
        if (dpc_may_be_candidate(j->plan, u, v) &&
            dpc_place_of(sets->node + sets->start[v], sets->start[v + 1] - sets->start[v], u) < 0)
            w->outside[count++] = u;
    return count;
}

/* e^(score - base), as far as doubles go. */
static double weight_of(double score, double base)
{
    return exp(fmin(score - base, 600));
}

/* Adds the families of v with these parents and one from outside to w->with; *without: the one with
 * none. */
static dpc_status add_set(worker *w, int v, int size, int count, double *base, double *without)
{
    dpc_family *family = &w->scorer.family;
    DPC_CHECK(dpc_family_start(family, v, NULL, 0));
    DPC_CHECK(dpc_family_push_all(family, w->set, size));
    double score = dpc_family_score(&w->scorer);
    if (isnan(*base))
        *base = score;
    *without += weight_of(score, *base);
    for (int i = 0; i < count; i++)
        w->with[i] += weight_of(dpc_family_score_with(&w->scorer, w->outside[i]), *base);
    return DPC_OK;
}

/* What one draw says of v. */
static dpc_status add_draw(const job *j, worker *w, int v, int count, int64_t place)
{
    dpc_parents dag = dpc_draw_dag(j->sampled, place, &w->room);
    const int32_t *parents = dag.parent + dag.start[v];
    int size = (int)(dag.start[v + 1] - dag.start[v]);
    double base = NAN, without = 0;
    memset(w->with, 0, (size_t)count * sizeof *w->with);
    for (int dropped = -1; dropped < size; dropped++) {
        int kept = 0;
        if (dropped >= 0 && dpc_required(j->plan->known, parents[dropped], v))
            continue;
        for (int i = 0; i < size; i++)
            if (i != dropped)
                w->set[kept++] = parents[i];
        DPC_CHECK(add_set(w, v, kept, count, &base, &without));
    }
    w->is[v] = 1;
    dpc_bit_descend_in(&dag, w->is, w->de);
    w->is[v] = 0;
    for (int i = 0; i < count; i++)
        if (w->de[w->outside[i]] == 0)
            w->sum[i] += w->with[i] / (without + w->with[i]);
    return DPC_OK;
}

static void node_task(void *context, int64_t v, int number)
{
    job *j = context;
    worker *w = &j->workers[number];
    int64_t all = dpc_all_draws(j->sampled);
    j->found[v] = (dpc_outside){0, -1, (int32_t)v};
    if (!get_ready(j, w))
        return;
    int count = list_outside(j, w, (int)v);
    memset(w->sum, 0, (size_t)count * sizeof *w->sum);
    for (int64_t i = 0; i < j->draws && count > 0 && !w->failed; i++) {
        int64_t place = (2 * i + 1) * all / (2 * j->draws);
        w->failed = add_draw(j, w, (int)v, count, place) != DPC_OK;
        if (dpc_crew_stopped(j->crew, number))
            return;
    }
    for (int i = 0; i < count; i++) {
        double probability = w->sum[i] / (double)j->draws;
        if (j->all != NULL)
            j->all[v * j->sampled->n + w->outside[i]] = probability;
        if (probability > j->found[v].probability)
            j->found[v] = (dpc_outside){probability, w->outside[i], (int32_t)v};
    }
}

static dpc_status look(job *j, dpc_error *err)
{
    double n = j->sampled->n;
    bool failed = false;
    bool done = dpc_crew_run(j->crew, j->sampled->n, 50 * n * n * (double)j->draws, node_task, j);
    for (int i = 0; i < j->crew->threads; i++) {
        failed = failed || j->workers[i].failed;
        if (j->workers[i].ready || j->workers[i].failed)
            dpc_family_scorer_clear(&j->workers[i].scorer);
        dpc_arena_clear(&j->workers[i].arena);
    }
    if (failed)
        return dpc_fail_memory(err, "the variables that are no candidates");
    return done ? DPC_OK : dpc_fail_interrupted(err);
}

dpc_status dpc_find_outside(const dpc_candidate_plan *plan, const dpc_sampled *sampled,
                            const dpc_score_matrix *matrix, const dpc_marginal *marginal,
                            dpc_crew *crew, double *all, dpc_outside *out, dpc_error *err)
{
    dpc_arena arena = {0};
    int64_t n = sampled->n, draws = (int64_t)fmax(WORK / (double)(n * n), LEAST_DRAWS);
    draws = draws < MOST_DRAWS ? draws : MOST_DRAWS;
    job j = {.plan = plan,
             .sampled = sampled,
             .matrix = matrix,
             .marginal = marginal,
             .all = all,
             .draws = draws < dpc_all_draws(sampled) ? draws : dpc_all_draws(sampled),
             .found = dpc_arena_alloc(&arena, n, sizeof *j.found),
             .crew = crew,
             .workers = dpc_arena_zalloc(&arena, crew->threads, sizeof *j.workers)};
    dpc_status status = dpc_arena_failed(&arena)
                            ? dpc_fail_memory(err, "the variables that are no candidates")
                            : look(&j, err);
    *out = (dpc_outside){0, -1, -1};
    for (int v = 0; v < n && status == DPC_OK; v++)
        if (j.found[v].probability > out->probability)
            *out = j.found[v];
    dpc_arena_clear(&arena);
    return status;
}
