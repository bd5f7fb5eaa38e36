/*
 * The DAGs that were drawn: see draws.h.
 *
 * What is read from them is shared among the threads by draws, by blocks of 64 nodes, or by nodes;
 * each task has places of its own to write to.
 */
#include "draws.h"

#include "alloc.h"
#include "apply_knowledge.h"
#include "bit_descendants.h"
#include "canonical.h"
#include "diagnostics.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

/* ---- What is kept ---- */

static dpc_status copy_sets(const dpc_candidate_sets *from, dpc_candidate_sets *to)
{
    int64_t n = from->n;
    *to = (dpc_candidate_sets){from->n, dpc_alloc(n + 1, sizeof *to->start),
                               dpc_alloc(from->start[n], sizeof *to->node)};
    if (to->start == NULL || to->node == NULL)
        return DPC_NO_MEMORY;
    memcpy(to->start, from->start, (size_t)(n + 1) * sizeof *to->start);
    memcpy(to->node, from->node, (size_t)from->start[n] * sizeof *to->node);
    return DPC_OK;
}

dpc_status dpc_sampled_new(const dpc_candidate_sets *sets, int chains, int draws, dpc_sampled **out)
{
    dpc_sampled *s = dpc_zalloc(1, sizeof *s);
    if (s == NULL)
        return DPC_NO_MEMORY;
    s->n = sets->n;
    s->chains = chains;
    s->draws = draws;
    s->parents = dpc_alloc(dpc_all_draws(s) * s->n, sizeof *s->parents);
    s->order = dpc_alloc(dpc_all_draws(s) * s->n, sizeof *s->order);
    if (s->parents == NULL || s->order == NULL || copy_sets(sets, &s->sets) != DPC_OK) {
        dpc_sampled_free(s);
        return DPC_NO_MEMORY;
    }
    *out = s;
    return DPC_OK;
}

void dpc_sampled_free(dpc_sampled *s)
{
    if (s == NULL)
        return;
    dpc_labels_clear(&s->labels);
    dpc_candidate_sets_clear(&s->sets);
    free(s->parents);
    free(s->order);
    free(s);
}

void dpc_sampled_cut(dpc_sampled *s, int draws)
{
    int64_t row = s->n;
    if (draws >= s->draws)
        return;
    for (int c = 1; c < s->chains; c++) {
        int64_t from = c * (int64_t)s->draws * row, to = c * (int64_t)draws * row;
        memmove(s->parents + to, s->parents + from, (size_t)(draws * row) * sizeof *s->parents);
        memmove(s->order + to, s->order + from, (size_t)(draws * row) * sizeof *s->order);
    }
    s->draws = draws;
    void *parents = dpc_regrow(s->parents, dpc_all_draws(s) * row, sizeof *s->parents);
    s->parents = parents != NULL ? parents : s->parents;
    void *order = dpc_regrow(s->order, dpc_all_draws(s) * row, sizeof *s->order);
    s->order = order != NULL ? order : s->order;
}

/* ---- A draw as a DAG ---- */

bool dpc_dag_room_init(dpc_dag_room *room, dpc_arena *arena, const dpc_candidate_sets *sets)
{
    int64_t n = sets->n;
    room->start = dpc_arena_alloc(arena, n + 1, sizeof *room->start);
    room->parent = dpc_arena_alloc(arena, sets->start[n], sizeof *room->parent);
    room->left = dpc_arena_alloc(arena, n, sizeof *room->left);
    return room->start != NULL && room->parent != NULL && room->left != NULL;
}

dpc_parents dpc_dag_of_masks(const dpc_candidate_sets *sets, const uint32_t *masks,
                             dpc_dag_room *room)
{
    int64_t count = 0;
    for (int v = 0; v < sets->n; v++) {
        room->start[v] = count;
        for (uint32_t left = masks[v]; left != 0; left &= left - 1)
            room->parent[count++] = sets->node[sets->start[v] + __builtin_ctz(left)];
    }
    room->start[sets->n] = count;
    return (dpc_parents){sets->n, NULL, room->start, room->parent};
}

dpc_parents dpc_draw_dag(const dpc_sampled *s, int64_t place, dpc_dag_room *room)
{
    dpc_parents dag = dpc_dag_of_masks(&s->sets, s->parents + place * s->n, room);
    dag.order = s->order + place * s->n;
    return dag;
}

int dpc_sampled_put(dpc_sampled *s, int64_t place, const uint32_t *masks, dpc_dag_room *room)
{
    memcpy(s->parents + place * s->n, masks, (size_t)s->n * sizeof *masks);
    dpc_parents dag = dpc_dag_of_masks(&s->sets, masks, room);
    dpc_order_by_parents(s->n, dag.start, dag.parent, room->left, s->order + place * s->n);
    return (int)dag.start[s->n];
}

/* ---- Work that threads share ---- */

typedef struct job {
    const dpc_sampled *sampled;
    const dpc_constraints *known;
    dpc_weighted_graphs *graphs; /* of dpc_draw_classes */
    int32_t *count;              /* of dpc_count_ancestors */
    double *rhat, *ess;          /* of dpc_mixing_of_edges */
    dpc_crew *crew;
    struct worker *workers;
} job;

typedef struct worker {
    dpc_arena arena;
    bool ready, failed;
    dpc_dag_room room;
    bool *compelled;
    uint64_t *is, *de;
    double *series;
    char apart[DPC_APART];
} worker;

/* The worker makes its memory with its first task; false: there is none. */
static bool get_ready(const job *j, worker *w)
{
    const dpc_sampled *s = j->sampled;
    if (w->ready || w->failed)
        return w->ready;
    dpc_dag_room_init(&w->room, &w->arena, &s->sets);
    w->compelled = dpc_arena_alloc(&w->arena, s->sets.start[s->n], sizeof *w->compelled);
    w->is = dpc_arena_zalloc(&w->arena, s->n, sizeof *w->is);
    w->de = dpc_arena_alloc(&w->arena, s->n, sizeof *w->de);
    w->series = dpc_arena_alloc(&w->arena, dpc_all_draws(s), sizeof *w->series);
    w->failed = dpc_arena_failed(&w->arena);
    w->ready = !w->failed;
    return w->ready;
}

static dpc_status share(job *j, int64_t count, double work, dpc_task task, dpc_error *err)
{
    bool failed = false;
    j->workers = dpc_zalloc(j->crew->threads, sizeof *j->workers);
    if (j->workers == NULL)
        return dpc_fail_memory(err, "the draws");
    bool done = dpc_crew_run(j->crew, count, work, task, j);
    for (int i = 0; i < j->crew->threads; i++) {
        failed = failed || j->workers[i].failed;
        dpc_arena_clear(&j->workers[i].arena);
    }
    free(j->workers);
    if (failed)
        return dpc_fail_memory(err, "the draws");
    return done ? DPC_OK : dpc_fail_interrupted(err);
}

/* ---- Classes ---- */

enum { DRAWS_PER_TASK = 16 };

/* The class of a DAG, in labels. */
static dpc_status class_of(const dpc_parents *dag, worker *w, dpc_graph *out)
{
    int64_t edges = dag->start[dag->n];
    DPC_CHECK(dpc_label_compelled(dag, w->compelled));
    dpc_edge *list = dpc_alloc(edges, sizeof *list);
    if (list == NULL)
        return DPC_NO_MEMORY;
    for (int v = 0; v < dag->n; v++)
        for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
            list[e] =
                dpc_edge_of(dag->parent[e], v, w->compelled[e] ? DPC_FORWARD : DPC_UNDIRECTED);
    qsort(list, (size_t)edges, sizeof *list, dpc_by_pair);
    *out = (dpc_graph){dag->n, edges, list};
    return DPC_OK;
}

static dpc_status class_of_draw(const job *j, worker *w, int64_t place)
{
    dpc_graph graph = {0};
    dpc_parents dag = dpc_draw_dag(j->sampled, place, &w->room);
    DPC_CHECK(class_of(&dag, w, &graph));
    dpc_status status = DPC_OK;
    if (j->known != NULL)
        status = dpc_apply_knowledge(j->known, true, &graph, NULL);
    if (status == DPC_OK) {
        dpc_labels_undo_graph(&j->sampled->labels, &graph);
        status = dpc_pack_graph(&graph, 1, &j->graphs->graphs[place]);
    }
    dpc_graph_clear(&graph);
    return status;
}

static void classes_task(void *context, int64_t index, int number)
{
    job *j = context;
    worker *w = &j->workers[number];
    int64_t end = (index + 1) * DRAWS_PER_TASK, all = dpc_all_draws(j->sampled);
    if (!get_ready(j, w))
        return;
    for (int64_t place = index * DRAWS_PER_TASK; place < end && place < all; place++)
        if (class_of_draw(j, w, place) != DPC_OK)
            w->failed = true;
}

dpc_status dpc_draw_classes(const dpc_sampled *s, const dpc_constraints *known, dpc_crew *crew,
                            dpc_weighted_graphs *out, dpc_error *err)
{
    int64_t all = dpc_all_draws(s);
    job j = {.sampled = s, .known = known, .graphs = out, .crew = crew};
    *out = (dpc_weighted_graphs){s->n, all, dpc_zalloc(all, sizeof *out->graphs)};
    if (out->graphs == NULL) {
        out->places = 0;
        return dpc_fail_memory(err, "the classes of the draws");
    }
    return share(&j, (all + DRAWS_PER_TASK - 1) / DRAWS_PER_TASK, 100.0 * (double)all * s->n,
                 classes_task, err);
}

/* ---- Ancestors ---- */

/* Of 64 nodes, who descends from them in each draw. */
static void ancestors_task(void *context, int64_t index, int number)
{
    job *j = context;
    const dpc_sampled *s = j->sampled;
    worker *w = &j->workers[number];
    int first = (int)index * 64, end = first + 64 < s->n ? first + 64 : s->n;
    if (!get_ready(j, w))
        return;
    for (int a = first; a < end; a++)
        w->is[a] = UINT64_C(1) << (a - first);
    for (int64_t place = 0; place < dpc_all_draws(s); place++) {
        dpc_parents dag = dpc_draw_dag(s, place, &w->room);
        dpc_bit_descend_in(&dag, w->is, w->de);
        for (int v = 0; v < s->n; v++)
            for (uint64_t left = w->de[v] & ~w->is[v]; left != 0; left &= left - 1)
                j->count[(first + (int64_t)__builtin_ctzll(left)) * s->n + v]++;
        if (place % 64 == 0 && dpc_crew_stopped(j->crew, number))
            break;
    }
    for (int a = first; a < end; a++)
        w->is[a] = 0;
}

dpc_status dpc_count_ancestors(const dpc_sampled *s, dpc_crew *crew, int32_t *count, dpc_error *err)
{
    job j = {.sampled = s, .count = count, .crew = crew};
    memset(count, 0, (size_t)s->n * (size_t)s->n * sizeof *count);
    return share(&j, (s->n + 63) / 64, 10.0 * (double)dpc_all_draws(s) * s->n, ancestors_task, err);
}

/* ---- Mixing ---- */

static void mixing_task(void *context, int64_t v, int number)
{
    job *j = context;
    const dpc_sampled *s = j->sampled;
    worker *w = &j->workers[number];
    int64_t all = dpc_all_draws(s);
    if (!get_ready(j, w))
        return;
    for (int64_t at = s->sets.start[v]; at < s->sets.start[v + 1]; at++) {
        int bit = (int)(at - s->sets.start[v]);
        for (int64_t place = 0; place < all; place++)
            w->series[place] = s->parents[place * s->n + v] >> bit & 1;
        dpc_mixing mixing = dpc_mixing_of(w->series, s->chains, s->draws);
        j->rhat[at] = mixing.rhat;
        j->ess[at] = mixing.ess;
        if (dpc_crew_stopped(j->crew, number))
            return;
    }
}

dpc_status dpc_mixing_of_edges(const dpc_sampled *s, dpc_crew *crew, double *rhat, double *ess,
                               dpc_error *err)
{
    job j = {.sampled = s, .rhat = rhat, .ess = ess, .crew = crew};
    return share(&j, s->n, 10.0 * (double)dpc_all_draws(s) * s->sets.start[s->n], mixing_task, err);
}
