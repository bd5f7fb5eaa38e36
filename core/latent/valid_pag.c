/* The last step to a PAG: see valid_pag.h. */
#include "valid_pag.h"

#include "alloc.h"
#include "extension.h"
#include "known_marks.h"
#include "pag.h"
#include "status.h"

/* ---- What is known ---- */

/* Marks that are known in the place of circles, and what follows. */
static dpc_status add_known(const dpc_constraints *known, bool selection, dpc_graph *graph)
{
    dpc_mixed from, pag = {0};
    dpc_graph mag = {0}, marked = {0};
    DPC_CHECK(dpc_mag_of_pag(graph, &mag));
    dpc_status status = dpc_mixed_of(&mag, NULL, &from);
    const dpc_pag_rules rules = dpc_rules_of_mag(&from, selection);
    if (status == DPC_OK)
        status = dpc_mixed_of(graph, NULL, &pag);
    if (status == DPC_OK && dpc_know_marks(known, &pag, NULL) > 0)
        status = dpc_pag_close(&rules, &pag);
    if (status == DPC_OK)
        status = dpc_mixed_graph(&pag, &marked);
    if (status == DPC_OK) {
        dpc_graph_clear(graph);
        *graph = marked;
    }
    dpc_mixed_clear(&pag);
    dpc_mixed_clear(&from);
    dpc_graph_clear(&mag);
    return status;
}

/* Has every edge the marks that are known of it? */
static bool obeys(const dpc_constraints *known, const dpc_graph *graph)
{
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        dpc_end a = dpc_known_end(known, edge->b, edge->a);
        dpc_end b = dpc_known_end(known, edge->a, edge->b);
        if ((a != DPC_END_CIRCLE && a != dpc_end_a(edge->mark)) ||
            (b != DPC_END_CIRCLE && b != dpc_end_b(edge->mark)) ||
            dpc_forbidden(known, edge->a, edge->b))
            return false;
    }
    return true;
}

/* Does the graph stand for MAGs, and is all that is known true of them? */
static dpc_status is_fine(const dpc_constraints *known, bool selection, const dpc_graph *graph,
                          bool *fine)
{
    DPC_CHECK(dpc_pag_is_refined(graph, selection, fine));
    *fine = *fine && obeys(known, graph);
    return DPC_OK;
}

/* ---- A DAG along what is known ---- */

/* All edges are as strong. */
static double no_strength(const void *context, int a, int b)
{
    (void)context;
    (void)a;
    (void)b;
    return 0;
}

/* All edges of a skeleton as a DAG, with the directions that are known of some; these close no
 * circle. */
static dpc_status point_skeleton(const dpc_constraints *known, const dpc_adjacency *skeleton,
                                 dpc_graph *dag)
{
    dpc_mixed arrows;
    int32_t *when = dpc_alloc(skeleton->n, sizeof *when);
    dpc_status status = dpc_mixed_init(skeleton, &arrows);
    if (when == NULL)
        status = DPC_NO_MEMORY;
    for (int a = 0; status == DPC_OK && a < skeleton->n; a++)
        for (int64_t e = skeleton->start[a]; e < skeleton->start[a + 1]; e++)
            dpc_set_arrow(&arrows, e, dpc_forced(known, a, skeleton->node[e]));
    if (status == DPC_OK)
        status = dpc_extend(&arrows, DPC_SINK_NEAREST, NULL, NULL, when, NULL);
    if (status == DPC_OK)
        status = dpc_mixed_graph(&arrows, dag);
    if (status == DPC_OK)
        dpc_point_by_turns(dag, when);
    dpc_mixed_clear(&arrows);
    free(when);
    return status;
}

/*
 * Where what is known and what was found cannot both be: the PAG of a DAG on the same edges along
 * what is known. Of edges for which that leaves no direction, one is taken away.
 */
static dpc_status follow_known(dpc_constraints *known, bool selection, dpc_graph *graph)
{
    dpc_error ignored;
    dpc_adjacency *skeleton = NULL;
    dpc_graph dag = {0}, pag = {0};
    dpc_status status = dpc_adjacency_of(graph, NULL, &skeleton);
    if (status == DPC_OK)
        status = dpc_break_circles(known, no_strength, NULL, &skeleton, &ignored);
    if (status == DPC_OK)
        status = point_skeleton(known, skeleton, &dag);
    if (status == DPC_OK)
        status = dpc_pag_of_known_mag(known, selection, &dag, &pag, &ignored);
    if (status == DPC_OK) {
        dpc_graph_clear(graph);
        *graph = pag;
    }
    dpc_adjacency_free(skeleton);
    dpc_graph_clear(&dag);
    return status;
}

/* ---- Doors ---- */

dpc_status dpc_make_valid(dpc_constraints *known, bool selection, dpc_graph *graph, bool *repaired)
{
    dpc_graph pag = {0};
    bool fine = false;
    *repaired = false;
    if (known != NULL)
        DPC_CHECK(is_fine(known, selection, graph, &fine));
    if (fine)
        return DPC_OK;
    DPC_CHECK(dpc_pag_repair(graph, selection, &pag, repaired));
    dpc_graph_clear(graph);
    *graph = pag;
    if (known == NULL)
        return DPC_OK;
    DPC_CHECK(add_known(known, selection, graph));
    DPC_CHECK(is_fine(known, selection, graph, &fine));
    *repaired = *repaired || !fine;
    return fine ? DPC_OK : follow_known(known, selection, graph);
}

dpc_status dpc_pag_of_known_mag(const dpc_constraints *known, bool selection, const dpc_graph *mag,
                                dpc_graph *pag, dpc_error *err)
{
    dpc_graph made = {0};
    dpc_status status = dpc_pag_of_mag(mag, selection, &made);
    if (status == DPC_OK && known != NULL)
        status = add_known(known, selection, &made);
    if (status == DPC_OK) {
        *pag = made;
        return DPC_OK;
    }
    dpc_graph_clear(&made);
    return dpc_fail_memory(err, "the PAG of the graph");
}

dpc_status dpc_pag_of_class(const dpc_constraints *known, bool selection, dpc_graph *graph,
                            dpc_error *err)
{
    dpc_graph *dag = NULL, pag = {0};
    DPC_CHECK(dpc_class_member(graph, &dag, err));
    dpc_status status = dpc_pag_of_known_mag(known, selection, dag, &pag, err);
    dpc_graph_free(dag);
    DPC_CHECK(status);
    dpc_graph_clear(graph);
    *graph = pag;
    return DPC_OK;
}
