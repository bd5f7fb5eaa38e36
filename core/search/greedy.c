/* Choosing and making steps: see greedy.h. */
#include "greedy.h"

#include "alloc.h"
#include "status.h"

#include <math.h>

/* ---- Choosing ---- */

/* Of the steps into v that gain at least `limit`, the first by (u, C): its place in the list. */
static int first_of_tied(const dpc_ges_lists *l, int v, double limit)
{
    const dpc_moves *list = dpc_ges_lists_of(l, v);
    int first = l->at[v];
    for (int i = first + 1; i < list->count && list->move[i].gain >= limit; i++) {
        const dpc_move *move = &list->move[i], *best = &list->move[first];
        if (list->witness[i].count == 0 && dpc_move_is_first(move, best))
            first = i;
    }
    return first;
}

/* Of all steps that gain at least `limit` the first: its node, and its place in the list. */
static dpc_status find_first(dpc_ges_lists *l, double limit, int *v, int *place, dpc_error *err)
{
    dpc_status status = DPC_OK;
    *v = dpc_ges_lists_first(l, limit);
    const dpc_moves *list = dpc_ges_lists_of(l, *v);
    while (status == DPC_OK && list->more && list->move[list->count - 1].gain >= limit)
        status = dpc_ges_lists_lengthen(l, *v, err);
    if (status == DPC_OK)
        *place = first_of_tied(l, *v, limit);
    return status;
}

static dpc_step step_at(const dpc_ges_lists *l, int v, int place, int32_t *set)
{
    const dpc_moves *list = dpc_ges_lists_of(l, v);
    const dpc_move *move = &list->move[place];
    return (dpc_step){.phase = l->phase,
                      .u = move->u,
                      .v = v,
                      .out = move->out,
                      .directed = move->directed,
                      .set = set,
                      .size = dpc_moves_set(list, move, &l->graph, v, set)};
}

/* The length of the path that the step would close: see dpc_cpdag_find_path. */
static int find_cycle(dpc_ges_lists *l, const dpc_step *step)
{
    bool remote =
        l->phase == DPC_INSERT || l->phase == DPC_SWAP || (l->phase == DPC_TURN && step->directed);
    return remote ? dpc_cpdag_find_path(&l->graph, step) : 0;
}

/* The best step, valid or not; of several the first, where labels may decide. */
static dpc_status choose_any(dpc_greedy *g, dpc_choice *chosen, dpc_error *err)
{
    dpc_ges_lists *l = &g->lists;
    double best = dpc_ges_lists_most(l);
    int v = dpc_ges_lists_first(l, best), place = l->at[v];
    chosen->found = best > 0;
    if (!chosen->found)
        return DPC_OK;
    chosen->limit = best - fmin(dpc_ges_lists_of(l, v)->move[place].slack, best / 2);
    if (g->by_labels) {
        dpc_status status = find_first(l, chosen->limit, &v, &place, err);
        if (status != DPC_OK)
            return status;
    }
    chosen->place = place;
    chosen->step = step_at(l, v, place, g->set);
    chosen->gain = dpc_mover_gain(&l->mover[0], l->phase, &dpc_ges_lists_of(l, v)->move[place]);
    return DPC_OK;
}

/* Does the step, which closes no cycle, lead to a class that respects the knowledge? */
static dpc_status is_respectful(dpc_greedy *g, const dpc_step *step, bool *out)
{
    dpc_cpdag *graph = &g->lists.graph;
    *out = true;
    if (g->known == NULL)
        return DPC_OK;
    dpc_status status = dpc_cpdag_apply(graph, step);
    if (status == DPC_OK)
        status = dpc_class_respects(graph, g->known, out);
    if (status == DPC_OK)
        dpc_cpdag_undo(graph, step);
    g->dag_is_stale = true;
    return status;
}

/* The same that closes no cycle and respects the knowledge. */
dpc_status dpc_greedy_choose(dpc_greedy *g, dpc_choice *chosen, dpc_error *err)
{
    for (;;) {
        bool respectful = true;
        dpc_status status = choose_any(g, chosen, err);
        if (status != DPC_OK || !chosen->found)
            return status;
        int length = find_cycle(&g->lists, &chosen->step);
        if (length == 0 && is_respectful(g, &chosen->step, &respectful) != DPC_OK)
            return dpc_fail_memory(err, "a step of the greedy search");
        if (length == 0 && respectful)
            return DPC_OK;
        if (length == 0)
            length = DPC_WITNESS + 1;
        status = dpc_ges_lists_pass_over(&g->lists, chosen->step.v, chosen->place, length, err);
        if (status != DPC_OK)
            return status;
    }
}

/* ---- Steps that are equally good ---- */

/* Marks pa(v) ∪ C of a step, or takes the marks away; `seen` counts those that had one. */
static int mark_set(dpc_ges_lists *l, const dpc_step *step, bool mark, int *seen)
{
    const int32_t *pa;
    int parents = dpc_cpdag_parents(&l->graph, step->v, &pa), size = parents + step->size;
    *seen = 0;
    for (int i = 0; i < size; i++) {
        bool *here = &l->mark[i < parents ? pa[i] : step->set[i - parents]];
        *seen += *here;
        *here = mark;
    }
    return size;
}

/*
 * The same edge given the same set, seen from its other end? That is no choice: the edge is
 * covered, and the class the same. It spares most insertions the trial below.
 */
static bool is_mirrored(dpc_ges_lists *l, const dpc_step *step, const dpc_step *other)
{
    int common, none;
    if (l->phase == DPC_TURN || step->u != other->v || step->v != other->u)
        return false;
    int size = mark_set(l, step, true, &none), same = mark_set(l, other, true, &common);
    mark_set(l, step, false, &none);
    mark_set(l, other, false, &none);
    return size == same && size == common;
}

/* The class to which one of them leads must be that of all others. */
static dpc_status try_step(dpc_greedy *g, const dpc_step *step, dpc_choice *chosen)
{
    dpc_cpdag *graph = &g->lists.graph;
    bool respectful;
    if (find_cycle(&g->lists, step) > 0)
        return DPC_OK;
    dpc_status status = is_respectful(g, step, &respectful);
    if (status != DPC_OK || !respectful)
        return status;
    status = dpc_cpdag_apply(graph, step);
    if (status != DPC_OK)
        return status;
    uint64_t class = dpc_cpdag_hash(graph);
    g->undecided = g->undecided || (chosen->rivals && chosen->class != class);
    chosen->rivals = true;
    chosen->class = class;
    dpc_cpdag_undo(graph, step);
    return DPC_OK;
}

/* Tries all steps as good as the one that was chosen, but for itself. */
static dpc_status try_others(dpc_greedy *g, dpc_choice *chosen)
{
    dpc_ges_lists *l = &g->lists;
    dpc_status status = DPC_OK;
    for (int v = 0; v < l->graph.n; v++) {
        if (l->best[v] < chosen->limit)
            continue;
        const dpc_moves *list = dpc_ges_lists_of(l, v);
        for (int i = l->at[v]; i < list->count && list->move[i].gain >= chosen->limit; i++) {
            bool itself = v == chosen->step.v && i == chosen->place;
            if (itself || list->witness[i].count != 0 || g->undecided || status != DPC_OK)
                continue;
            dpc_step other = step_at(l, v, i, g->other_set);
            if (!is_mirrored(l, &chosen->step, &other))
                status = try_step(g, &other, chosen);
        }
    }
    return status;
}

/* Makes the step. Without labels that is right only where all as good lead to the same class. */
dpc_status dpc_greedy_make(dpc_greedy *g, dpc_choice *chosen, dpc_error *err)
{
    dpc_cpdag *graph = &g->lists.graph;
    dpc_status status = g->by_labels ? DPC_OK : try_others(g, chosen);
    if (status == DPC_OK)
        status = dpc_cpdag_apply(graph, &chosen->step);
    if (status != DPC_OK)
        return dpc_fail_memory(err, "a step of the greedy search");
    g->dag_is_stale = false;
    if (chosen->rivals)
        g->undecided = g->undecided || chosen->class != dpc_cpdag_hash(graph);
    return DPC_OK;
}

void dpc_greedy_refresh(dpc_greedy *g)
{
    if (g->dag_is_stale)
        dpc_cpdag_refresh(&g->lists.graph);
    g->dag_is_stale = false;
}

/* ---- Making and freeing ---- */

dpc_status dpc_greedy_init(dpc_greedy *g, const dpc_stats *stats, const dpc_step_scoring *scoring,
                           const dpc_constraints *known, dpc_crew *crew)
{
    *g = (dpc_greedy){.known = known};
    DPC_CHECK(dpc_ges_lists_init(&g->lists, stats, scoring, known, crew));
    g->set = dpc_arena_alloc(&g->lists.memory, stats->n, sizeof *g->set);
    g->other_set = dpc_arena_alloc(&g->lists.memory, stats->n, sizeof *g->other_set);
    return dpc_arena_failed(&g->lists.memory) ? DPC_NO_MEMORY : DPC_OK;
}

void dpc_greedy_clear(dpc_greedy *g)
{
    dpc_ges_lists_clear(&g->lists);
}
