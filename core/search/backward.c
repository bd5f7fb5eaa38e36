/*
 * Backward equivalence search: see backward.h.
 *
 * The search is that of GES with deletions alone (greedy.h), scored as refinement scores. What is
 * here leads from a DAG to its class, and from the last class back to a DAG. That DAG is found from
 * the class before the last deletion, partly directed: without the edge x → v or x — v, and with
 * the members of ne(v) ∩ ad(x) \ C as children of v, and of x where they were its neighbours.
 */
#include "backward.h"

#include "apply_knowledge.h"
#include "graph.h"
#include "greedy.h"
#include "sorted.h"

/* A clique of 20 has a million subsets: so many are looked at for each edge. */
enum { MOST_SETS = 4096 };

/* Is c among the neighbours of v that the step makes children of v? */
static bool becomes_child(const dpc_cpdag *class, const dpc_step *step, int c)
{
    const int32_t *ne;
    int count = dpc_cpdag_neighbours(class, step->v, &ne);
    return c != step->u && dpc_place_of(ne, count, c) >= 0 && dpc_cpdag_joined(class, c, step->u) &&
           dpc_place_of(step->set, step->size, c) < 0;
}

/* What x — y, or x → y, is after a deletion; x < y. */
static dpc_mark mark_after(const dpc_cpdag *class, const dpc_step *step, int x, int y, dpc_mark now)
{
    bool x_is_end = x == step->u || x == step->v, y_is_end = y == step->u || y == step->v;
    if (x_is_end && y_is_end)
        return DPC_NONE;
    if (now != DPC_UNDIRECTED)
        return now;
    if (x_is_end && becomes_child(class, step, y))
        return DPC_FORWARD;
    return y_is_end && becomes_child(class, step, x) ? DPC_BACKWARD : now;
}

/* The partly directed graph after a deletion. */
static dpc_status delete_edge(const dpc_cpdag *class, const dpc_step *step, dpc_graph *out)
{
    dpc_edge *edges = dpc_regrow(out->edges, dpc_cpdag_edges(class), sizeof *edges);
    if (edges == NULL)
        return DPC_NO_MEMORY;
    *out = (dpc_graph){.n_nodes = class->n, .edges = edges};
    for (int x = 0; x < class->n; x++) {
        const int32_t *list;
        int count = dpc_cpdag_adjacent(class, x, &list), first = (int)out->n_edges;
        for (int i = 0; i < count; i++) {
            int64_t e = list + i - class->now.node;
            const int64_t *start = class->now.start + 3 * (int64_t)x; /* parents, neighbours, … */
            dpc_mark now = e < start[1]   ? DPC_BACKWARD
                           : e < start[2] ? DPC_UNDIRECTED
                                          : DPC_FORWARD;
            dpc_mark mark = list[i] > x ? mark_after(class, step, x, list[i], now) : DPC_NONE;
            if (mark != DPC_NONE)
                edges[out->n_edges++] = (dpc_edge){x, list[i], mark};
        }
        qsort(edges + first, (size_t)(out->n_edges - first), sizeof *edges, dpc_by_pair);
    }
    return DPC_OK;
}

/* Does the DAG keep to the knowledge? */
static bool allowed(const dpc_scoring *s, const dpc_graph *dag)
{
    for (int64_t i = 0; i < dag->n_edges; i++) {
        const dpc_edge *e = &dag->edges[i];
        bool forward = e->mark == DPC_FORWARD;
        if (!dpc_may_be_parent(s, forward ? e->a : e->b, forward ? e->b : e->a))
            return false;
    }
    return true;
}

/* A DAG of a partly directed graph, within the knowledge; *found is false where there is none. */
static dpc_status find_dag(const dpc_scoring *s, dpc_graph *graph, dpc_families *dag, bool *found)
{
    dpc_graph *member = NULL;
    *found = false;
    if (s->known != NULL)
        DPC_CHECK(dpc_apply_knowledge(s->known, true, graph, NULL));
    dpc_status status = dpc_class_member(graph, &member, NULL);
    if (status == DPC_OK && allowed(s, member)) {
        dpc_families_empty(dag);
        status = dpc_families_read(dag, member);
        *found = status == DPC_OK;
    }
    dpc_graph_free(member);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}

/*
 * Makes a deletion. With knowledge it stands only if the graph after it has a DAG within the
 * knowledge, and its class is that of this DAG; otherwise no edge into v is deleted until something
 * near v changes. *last is the graph after the last deletion that stands.
 */
static dpc_status make_deletion(dpc_greedy *g, const dpc_scoring *s, dpc_choice *chosen,
                                dpc_families *dag, dpc_graph *last)
{
    dpc_ges_lists *l = &g->lists;
    dpc_arena arena = {0};
    dpc_parents parents;
    bool found;
    DPC_CHECK(delete_edge(&l->graph, &chosen->step, last));
    if (s->known == NULL) {
        DPC_CHECK(dpc_greedy_make(g, chosen, NULL));
        return dpc_ges_lists_renew(l, &chosen->step, NULL);
    }
    DPC_CHECK(find_dag(s, last, dag, &found));
    if (!found) {
        dpc_ges_lists_drop(l, chosen->step.v);
        return DPC_OK;
    }
    dpc_status status = dpc_families_parents(dag, &arena, &parents);
    if (status == DPC_OK)
        status = dpc_cpdag_become(&l->graph, &parents, &chosen->step);
    dpc_arena_clear(&arena);
    return status == DPC_OK ? dpc_ges_lists_renew(l, &chosen->step, NULL) : status;
}

/* Deletes as long as that is a gain. */
static dpc_status delete_all(dpc_greedy *g, const dpc_scoring *s, dpc_families *dag,
                             dpc_graph *last)
{
    DPC_CHECK(dpc_ges_lists_start(&g->lists, DPC_DELETE, NULL));
    for (;;) {
        dpc_choice chosen = {0};
        DPC_CHECK(dpc_greedy_choose(g, &chosen, NULL));
        if (!chosen.found || dpc_crew_stopped(g->lists.crew, 0))
            return DPC_OK;
        DPC_CHECK(make_deletion(g, s, &chosen, dag, last));
    }
}

/* From the DAG to the last class, and back. */
static dpc_status search(dpc_greedy *g, const dpc_scoring *s, dpc_families *dag, dpc_graph *last)
{
    dpc_arena arena = {0};
    dpc_parents parents;
    bool found;
    dpc_status status = dpc_families_parents(dag, &arena, &parents);
    if (status == DPC_OK)
        status = dpc_cpdag_begin(&g->lists.graph, &parents);
    dpc_arena_clear(&arena);
    if (status == DPC_OK)
        status = delete_all(g, s, dag, last);
    if (status == DPC_INTERRUPTED) /* the class is as far as it got */
        status = DPC_OK;
    bool is_late = s->known == NULL && last->edges != NULL; /* the DAG is still the first one */
    return status == DPC_OK && is_late ? find_dag(s, last, dag, &found) : status;
}

dpc_status dpc_backward(dpc_workers *workers, dpc_families *dag)
{
    const dpc_scoring *s = workers->scoring;
    dpc_step_scoring scoring = {.price = s->price,
                                .noise = DPC_NOISE_EXACT,
                                .slack = s->slack,
                                .most_parents = s->stats.n,
                                .most_sets = MOST_SETS};
    dpc_greedy g;
    dpc_graph last = {0};
    dpc_status status = dpc_greedy_init(&g, &s->stats, &scoring, s->known, workers->crew);
    g.by_labels = true;
    g.known = NULL; /* what knowledge allows is decided here */
    if (status == DPC_OK)
        status = search(&g, s, dag, &last);
    dpc_greedy_clear(&g);
    dpc_graph_clear(&last);
    return status;
}
