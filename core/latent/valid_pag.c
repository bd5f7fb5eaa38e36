/* The last step to a PAG: see valid_pag.h. */
#include "valid_pag.h"

#include "known_marks.h"
#include "pag.h"
#include "status.h"

/* ---- What is known ---- */

/* Has the first graph all marks of the second, which may have circles in their places? */
static bool refines(const dpc_graph *graph, const dpc_graph *pag)
{
    if (graph->n_edges != pag->n_edges)
        return false;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        dpc_mark mark = graph->edges[e].mark, other = pag->edges[e].mark;
        if ((dpc_end_a(other) != DPC_END_CIRCLE && dpc_end_a(other) != dpc_end_a(mark)) ||
            (dpc_end_b(other) != DPC_END_CIRCLE && dpc_end_b(other) != dpc_end_b(mark)))
            return false;
    }
    return true;
}

/* The PAG of the MAG of the graph; *fine: that is a MAG, and the graph has all marks of its class.
 */
static dpc_status find_class(const dpc_graph *graph, bool selection, dpc_graph *pag, bool *fine)
{
    dpc_graph mag = {0};
    bool is_mag = false;
    DPC_CHECK(dpc_mag_of_pag(graph, &mag));
    dpc_status status = dpc_graph_is_mag(&mag, &is_mag);
    if (status == DPC_OK)
        status = dpc_pag_of_mag(&mag, selection, pag);
    *fine = status == DPC_OK && is_mag && refines(graph, pag);
    dpc_graph_clear(&mag);
    return status;
}

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

/* ---- Doors ---- */

dpc_status dpc_make_valid(const dpc_constraints *known, bool selection, dpc_graph *graph,
                          bool *repaired)
{
    dpc_graph pag = {0};
    bool fine = false;
    if (known != NULL) {
        DPC_CHECK(find_class(graph, selection, &pag, &fine));
        dpc_graph_clear(&pag);
    }
    *repaired = false;
    if (fine)
        return DPC_OK;
    DPC_CHECK(dpc_pag_repair(graph, selection, &pag, repaired));
    dpc_graph_clear(graph);
    *graph = pag;
    return known != NULL ? add_known(known, selection, graph) : DPC_OK;
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
