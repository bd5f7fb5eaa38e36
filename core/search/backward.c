/*
 * Backward equivalence search: see backward.h.
 *
 * The search is that of GES with deletions alone (greedy.h), scored as refinement scores. A
 * deletion is made only where some DAG of the class after it keeps to the knowledge. What is here
 * leads from a DAG to its class, and from the last class back to a DAG.
 */
#include "backward.h"

#include "apply_knowledge.h"
#include "graph.h"
#include "greedy.h"

/* A clique of 20 has a million subsets: so many are looked at for each edge. */
enum { MOST_SETS = 4096 };

/* Makes the class that of the DAG. */
static dpc_status enter_class(dpc_cpdag *class, dpc_families *dag)
{
    dpc_arena arena = {0};
    dpc_parents parents;
    dpc_status status = dpc_families_parents(dag, &arena, &parents);
    if (status == DPC_OK)
        status = dpc_cpdag_begin(class, &parents);
    dpc_arena_clear(&arena);
    return status;
}

/* Deletes as long as that is a gain; *deleted: has anything been? */
static dpc_status delete_all(dpc_greedy *g, bool *deleted)
{
    DPC_CHECK(dpc_ges_lists_start(&g->lists, DPC_DELETE, NULL));
    for (;;) {
        dpc_choice chosen = {0};
        DPC_CHECK(dpc_greedy_choose(g, &chosen, NULL));
        if (!chosen.found || dpc_crew_stopped(g->lists.crew, 0))
            return DPC_OK;
        DPC_CHECK(dpc_greedy_make(g, &chosen, NULL));
        *deleted = true;
        DPC_CHECK(dpc_ges_lists_renew(&g->lists, &chosen.step, NULL));
    }
}

/* A DAG of the class that keeps to the knowledge, in place of the one there is. */
static dpc_status leave_class(dpc_cpdag *class, const dpc_constraints *known, dpc_families *dag)
{
    dpc_cpdag_refresh(class);
    dpc_parents parents = dpc_cpdag_dag(class);
    dpc_graph any = {0}, graph = {0}, *member = NULL;
    dpc_status status = DPC_OK;
    DPC_TRY(status, dpc_parents_graph(&parents, &any, NULL));
    DPC_TRY(status, dpc_class_graph(&any, DPC_CPDAG, NULL, &graph, NULL));
    if (known != NULL)
        DPC_TRY(status, dpc_apply_knowledge(known, true, &graph, NULL));
    DPC_TRY(status, dpc_class_member(&graph, &member, NULL));
    dpc_families_empty(dag);
    status = dpc_families_read(dag, member);

done:
    dpc_graph_clear(&any);
    dpc_graph_clear(&graph);
    dpc_graph_free(member);
    return status;
}

static dpc_status search(dpc_greedy *g, dpc_families *dag)
{
    bool deleted = false;
    DPC_CHECK(enter_class(&g->lists.graph, dag));
    dpc_status status = delete_all(g, &deleted);
    if (status == DPC_INTERRUPTED) /* the class is as far as it got */
        status = DPC_OK;
    return status == DPC_OK && deleted ? leave_class(&g->lists.graph, g->known, dag) : status;
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
    dpc_status status = dpc_greedy_init(&g, &s->stats, &scoring, s->known, workers->crew);
    g.by_labels = true;
    if (status == DPC_OK)
        status = search(&g, dag);
    dpc_greedy_clear(&g);
    return status;
}
