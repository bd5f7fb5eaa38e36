/* Total effects in the draws: see total_effects.h. */
#include "total_effects.h"

#include "linalg.h"
#include "sorted.h"
#include "status.h"
#include "variates.h"

#include <math.h>

/* Streams of a seed from here on: see run.c. A draw has one for each of its nodes. */
static const uint64_t FIRST_STREAM = UINT64_C(1) << 60;

enum { DRAWS_PER_TASK = 16 };

typedef struct job {
    const dpc_effects_plan *plan;
    dpc_ziggurat ziggurat;
    dpc_posterior_effect *effects;
    double *values;
    dpc_crew *crew;
    struct worker *workers;
} job;

typedef struct worker {
    dpc_arena arena;
    bool ready, failed;
    dpc_dag_room room;
    double *coefficient; /* beside room.parent */
    double *effect;      /* by node: of the present cause; and … */
    bool *reached;       /* … is it a descendant of any cause? */
    int32_t *columns;    /* of a family, v last */
    double *matrix;      /* of it */
    double *sorted;      /* the values of an effect */
    char apart[DPC_APART];
} worker;

/* ---- Coefficients ---- */

static double degrees_of(const dpc_effects_plan *plan, int size)
{
    switch (plan->score) {
    case DPC_SCORE_FBF:
        return plan->n_obs + size + 1;
    case DPC_SCORE_BGE:
        return plan->n_obs + size + 3;
    default:
        return fmax(plan->n_obs - 1 - size, 1);
    }
}

/*
 * The coefficients of v. The last row of the Cholesky factor of T over S and v is L⁻¹ T_Sv and
 * √T_v|S: so they are L⁻ᵀ times that row plus noise.
 */
static void draw_coefficients(const job *j, worker *w, const dpc_parents *dag, int v, int64_t place)
{
    const dpc_view *view = &j->plan->matrix->view;
    int size = (int)(dag->start[v + 1] - dag->start[v]), order = size + 1, info = 0;
    const int one = 1;
    double *b = w->coefficient + dag->start[v];
    dpc_random random;
    dpc_columns_of(view, dag->parent + dag->start[v], size, w->columns);
    w->columns[size] = dpc_column_of(view->labels, v);
    dpc_gather(view, w->columns, order, w->matrix);
    dpotrf_("L", &order, w->matrix, &order, &info);
    dpc_random_start(&random, j->plan->seed,
                     FIRST_STREAM + (uint64_t)place * (uint64_t)dag->n + (uint64_t)v);
    bool determined = info == order; /* then there is no noise */
    double left = determined ? 0 : w->matrix[(int64_t)order * order - 1];
    double chi = dpc_draw_chi_square(&random, &j->ziggurat, degrees_of(j->plan, size));
    for (int i = 0; i < size; i++)
        b[i] = w->matrix[(int64_t)i * order + size] +
               dpc_draw_normal(&random, &j->ziggurat) * left / sqrt(chi);
    if (info == 0 || determined)
        dtrsv_("L", "T", "N", &size, w->matrix, &order, b, &one);
    else
        memset(b, 0, (size_t)size * sizeof *b); /* the parents determine one another */
}

/* Those that effects of any cause need. */
static void draw_needed(const job *j, worker *w, const dpc_parents *dag, int64_t place)
{
    const dpc_effects_plan *plan = j->plan;
    memset(w->reached, 0, (size_t)dag->n * sizeof *w->reached);
    for (int i = 0; i < plan->n_causes; i++)
        w->reached[dpc_label_of(&plan->sampled->labels, plan->causes[i])] = true;
    for (int i = 0; i < dag->n; i++) {
        int v = dag->order[i];
        bool below = false;
        for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
            below = below || w->reached[dag->parent[e]];
        if (below)
            draw_coefficients(j, w, dag, v, place);
        w->reached[v] = w->reached[v] || below;
    }
}

/* ---- Effects ---- */

/* Of one cause, a label, on all nodes; 0 where it is no ancestor. */
static void propagate(worker *w, const dpc_parents *dag, int cause)
{
    memset(w->effect, 0, (size_t)dag->n * sizeof *w->effect);
    w->effect[cause] = 1;
    for (int i = 0; i < dag->n; i++) {
        int v = dag->order[i];
        double sum = 0;
        for (int64_t e = dag->start[v]; e < dag->start[v + 1] && w->reached[v]; e++)
            if (w->effect[dag->parent[e]] != 0)
                sum += w->coefficient[e] * w->effect[dag->parent[e]];
        if (v != cause)
            w->effect[v] = sum;
    }
}

/* One unit of the cause, in units of the outcome. */
static double unit_of(const dpc_effects_plan *plan, int cause, int outcome)
{
    if (plan->sd == NULL)
        return 1;
    return plan->sd[cause] > 0 ? plan->sd[outcome] / plan->sd[cause] : 0;
}

static void effects_of_draw(const job *j, worker *w, int64_t place)
{
    const dpc_effects_plan *plan = j->plan;
    const dpc_labels *labels = &plan->sampled->labels;
    int64_t all = dpc_all_draws(plan->sampled), effect = 0;
    dpc_parents dag = dpc_draw_dag(plan->sampled, place, &w->room);
    draw_needed(j, w, &dag, place);
    for (int i = 0; i < plan->n_causes; i++) {
        int cause = plan->causes[i];
        propagate(w, &dag, dpc_label_of(labels, cause));
        for (int k = 0; k < plan->n_outcomes; k++) {
            int outcome = plan->outcomes[k];
            if (outcome != cause)
                j->values[effect++ * all + place] =
                    w->effect[dpc_label_of(labels, outcome)] * unit_of(plan, cause, outcome);
        }
    }
}

/* ---- Work that threads share ---- */

static bool get_ready(const job *j, worker *w)
{
    const dpc_sampled *s = j->plan->sampled;
    enum { MOST = DPC_MOST_CANDIDATES + 1 };
    if (w->ready || w->failed)
        return w->ready;
    dpc_dag_room_init(&w->room, &w->arena, &s->sets);
    w->coefficient = dpc_arena_alloc(&w->arena, s->sets.start[s->n], sizeof *w->coefficient);
    w->effect = dpc_arena_alloc(&w->arena, s->n, sizeof *w->effect);
    w->reached = dpc_arena_alloc(&w->arena, s->n, sizeof *w->reached);
    w->columns = dpc_arena_alloc(&w->arena, MOST, sizeof *w->columns);
    w->matrix = dpc_arena_alloc(&w->arena, (int64_t)MOST * MOST, sizeof *w->matrix);
    w->sorted = dpc_arena_alloc(&w->arena, dpc_all_draws(s), sizeof *w->sorted);
    w->failed = dpc_arena_failed(&w->arena);
    w->ready = !w->failed;
    return w->ready;
}

static void draw_task(void *context, int64_t index, int number)
{
    job *j = context;
    worker *w = &j->workers[number];
    int64_t end = (index + 1) * DRAWS_PER_TASK, all = dpc_all_draws(j->plan->sampled);
    if (!get_ready(j, w))
        return;
    for (int64_t place = index * DRAWS_PER_TASK; place < end && place < all; place++)
        effects_of_draw(j, w, place);
}

/* The summary of one effect. */
static void sum_up_task(void *context, int64_t index, int number)
{
    job *j = context;
    worker *w = &j->workers[number];
    dpc_posterior_effect *to = &j->effects[index];
    int64_t all = dpc_all_draws(j->plan->sampled), nonzero = 0;
    const double *values = j->values + index * all;
    double sum = 0, squares = 0;
    if (!get_ready(j, w))
        return;
    for (int64_t i = 0; i < all; i++) {
        sum += values[i];
        nonzero += values[i] != 0;
        w->sorted[i] = values[i];
    }
    to->mean = sum / (double)all;
    for (int64_t i = 0; i < all; i++)
        squares += (values[i] - to->mean) * (values[i] - to->mean);
    to->sd = all > 1 ? sqrt(squares / (double)(all - 1)) : 0;
    dpc_sort_values(w->sorted, all);
    to->low = dpc_quantile(w->sorted, all, 0.025);
    to->high = dpc_quantile(w->sorted, all, 0.975);
    to->nonzero = (double)nonzero / (double)all;
}

int64_t dpc_count_effects(const dpc_effects_plan *plan)
{
    int64_t count = 0;
    for (int i = 0; i < plan->n_causes; i++)
        for (int k = 0; k < plan->n_outcomes; k++)
            count += plan->causes[i] != plan->outcomes[k];
    return count;
}

static void name_effects(const dpc_effects_plan *plan, dpc_posterior_effect *effects)
{
    int64_t count = 0;
    for (int i = 0; i < plan->n_causes; i++)
        for (int k = 0; k < plan->n_outcomes; k++)
            if (plan->causes[i] != plan->outcomes[k])
                effects[count++] =
                    (dpc_posterior_effect){.cause = plan->causes[i], .outcome = plan->outcomes[k]};
}

dpc_status dpc_draw_effects(const dpc_effects_plan *plan, dpc_crew *crew,
                            dpc_posterior_effect *effects, double *values, dpc_error *err)
{
    int64_t all = dpc_all_draws(plan->sampled), count = dpc_count_effects(plan);
    job j = {.plan = plan, .effects = effects, .values = values, .crew = crew};
    bool failed = false;
    dpc_ziggurat_init(&j.ziggurat);
    name_effects(plan, effects);
    j.workers = dpc_zalloc(crew->threads, sizeof *j.workers);
    if (j.workers == NULL)
        return dpc_fail_memory(err, "the effects");
    bool done = dpc_crew_run(crew, (all + DRAWS_PER_TASK - 1) / DRAWS_PER_TASK,
                             10.0 * (double)all * plan->sampled->n * (plan->n_causes + 10),
                             draw_task, &j) &&
                dpc_crew_run(crew, count, 100.0 * (double)all * (double)count, sum_up_task, &j);
    for (int i = 0; i < crew->threads; i++) {
        failed = failed || j.workers[i].failed;
        dpc_arena_clear(&j.workers[i].arena);
    }
    free(j.workers);
    if (failed)
        return dpc_fail_memory(err, "the effects");
    return done ? DPC_OK : dpc_fail_interrupted(err);
}
