/* PAGs and the MAGs they stand for: see pag.h. */
#include "pag.h"

#include "alloc.h"
#include "ancestral.h"
#include "status.h"

#include <string.h>

/* ---- From a MAG ---- */

/* The MAG itself says what b is; the context is its dpc_mixed. */
static dpc_triple_status judge_by_mag(const void *context, int d, int a, int b, int c)
{
    const dpc_mixed *mag = context;
    (void)d;
    bool collider = mag->end[dpc_slot(mag->graph, a, b)] == DPC_END_ARROW &&
                    mag->end[dpc_slot(mag->graph, c, b)] == DPC_END_ARROW;
    return collider ? DPC_STATUS_COLLIDER : DPC_STATUS_NONCOLLIDER;
}

dpc_pag_rules dpc_rules_of_mag(const dpc_mixed *mag, bool selection)
{
    return (dpc_pag_rules){.judge = judge_by_mag, .context = mag, .selection = selection};
}

dpc_status dpc_pag_of_mag(const dpc_graph *mag, bool selection, dpc_graph *out)
{
    dpc_mixed from = {0}, pag = {0};
    const dpc_pag_rules rules = dpc_rules_of_mag(&from, selection);
    dpc_status status = dpc_mixed_of(mag, NULL, &from);
    if (status == DPC_OK)
        status = dpc_mixed_init(from.graph, &pag);
    if (status == DPC_OK) {
        dpc_pag_start(&rules, &pag);
        status = dpc_pag_apply(&rules, &pag);
    }
    if (status == DPC_OK)
        status = dpc_mixed_graph(&pag, out);
    dpc_mixed_clear(&pag);
    dpc_mixed_clear(&from);
    return status;
}

/* ---- To a MAG ---- */

/* Of the slot a→b: is it a o–o b; and must b come after a: is it a o→ b, a → b or a —o b? */
static bool is_open(const dpc_mixed *pag, int64_t slot)
{
    return pag->end[slot] == DPC_END_CIRCLE && pag->end[dpc_back(pag, slot)] == DPC_END_CIRCLE;
}

static bool is_after(const dpc_mixed *pag, int64_t slot)
{
    return pag->end[slot] != DPC_END_TAIL && pag->end[dpc_back(pag, slot)] != DPC_END_ARROW &&
           !is_open(pag, slot);
}

/* Of the nodes without a place, the one with the most neighbours before it, of those that wait for
 * none if there are any; of equal ones the smallest. */
static int choose_next(int n, const int32_t *place, const int32_t *waits, const int32_t *weight)
{
    int best = -1;
    for (int v = 0; v < n; v++)
        if (place[v] < 0 && (best < 0 || (waits[v] == 0) > (waits[best] == 0) ||
                             ((waits[v] == 0) == (waits[best] == 0) && weight[v] > weight[best])))
            best = v;
    return best;
}

/*
 * Numbers the nodes such that each next one has the most neighbours before it. Where the o–o edges
 * make a chordal graph, as those of a PAG do, its neighbours by them are adjacent to each other.
 * A node comes after those that point to it. In a PAG that makes no difference, for no arrow joins
 * nodes that o–o edges join; marks that are known may be such arrows.
 */
static dpc_status order_by_cardinality(const dpc_mixed *pag, int32_t *place)
{
    const dpc_adjacency *g = pag->graph;
    int32_t *weight = dpc_zalloc(2 * (int64_t)g->n, sizeof *weight);
    if (weight == NULL)
        return DPC_NO_MEMORY;
    int32_t *waits = weight + g->n;
    memset(place, -1, (size_t)g->n * sizeof *place);
    for (int64_t e = 0; e < dpc_slots(g); e++)
        waits[g->node[e]] += is_after(pag, e);
    for (int turn = 0; turn < g->n; turn++) {
        int best = choose_next(g->n, place, waits, weight);
        place[best] = turn;
        for (int64_t e = g->start[best]; e < g->start[best + 1]; e++) {
            waits[g->node[e]] -= is_after(pag, e);
            weight[g->node[e]] += is_after(pag, e) || is_open(pag, e);
        }
    }
    free(weight);
    return DPC_OK;
}

/* The marks of a MAG in the place of those of a PAG, of an edge from a to b, a before b. */
static dpc_mark mark_in_mag(dpc_mark mark)
{
    dpc_end a = dpc_end_a(mark), b = dpc_end_b(mark);
    if (a == DPC_END_CIRCLE && b == DPC_END_CIRCLE)
        return DPC_FORWARD;
    if (a == DPC_END_CIRCLE)
        a = b == DPC_END_ARROW ? DPC_END_TAIL : DPC_END_ARROW;
    else if (b == DPC_END_CIRCLE)
        b = a == DPC_END_ARROW ? DPC_END_TAIL : DPC_END_ARROW;
    return (dpc_mark)DPC_MARK(a, b);
}

dpc_status dpc_mag_of_pag(const dpc_graph *pag, dpc_graph *out)
{
    dpc_mixed mixed;
    dpc_graph graph = {0};
    int32_t *place = dpc_alloc(pag->n_nodes, sizeof *place);
    dpc_status status = dpc_mixed_of(pag, NULL, &mixed);
    if (place == NULL)
        status = DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = order_by_cardinality(&mixed, place);
    if (status == DPC_OK)
        status = dpc_graph_duplicate(pag, &graph);
    for (int64_t e = 0; status == DPC_OK && e < graph.n_edges; e++) {
        dpc_edge *edge = &graph.edges[e];
        edge->mark = place[edge->a] < place[edge->b]
                         ? mark_in_mag(edge->mark)
                         : dpc_turned(mark_in_mag(dpc_turned(edge->mark)));
    }
    if (status == DPC_OK)
        *out = graph;
    dpc_mixed_clear(&mixed);
    free(place);
    return status;
}

/* ---- Is it one? ---- */

dpc_status dpc_graph_is_mag(const dpc_graph *graph, bool *yes)
{
    dpc_mag mag;
    dpc_status status = dpc_mag_of(graph, &mag);
    uint64_t *room = dpc_alloc(4 * mag.words, sizeof *room);
    if (room == NULL)
        status = DPC_NO_MEMORY;
    if (status == DPC_OK)
        *yes = dpc_mag_is_ancestral(&mag) && dpc_mag_is_maximal(&mag, room);
    free(room);
    dpc_mag_clear(&mag);
    return status;
}

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

dpc_status dpc_pag_is_refined(const dpc_graph *graph, bool selection, bool *yes)
{
    dpc_graph mag = {0}, pag = {0};
    bool is_mag = false;
    dpc_status status = dpc_mag_of_pag(graph, &mag);
    if (status == DPC_OK)
        status = dpc_graph_is_mag(&mag, &is_mag);
    if (status == DPC_OK && is_mag)
        status = dpc_pag_of_mag(&mag, selection, &pag);
    if (status == DPC_OK)
        *yes = is_mag && refines(graph, &pag);
    dpc_graph_clear(&mag);
    dpc_graph_clear(&pag);
    return status;
}

dpc_status dpc_pag_is_valid(const dpc_graph *pag, bool selection, bool *valid)
{
    dpc_graph mag = {0}, back = {0};
    bool fine = false;
    dpc_status status = dpc_mag_of_pag(pag, &mag);
    if (status == DPC_OK)
        status = dpc_graph_is_mag(&mag, &fine);
    if (status == DPC_OK && fine)
        status = dpc_pag_of_mag(&mag, selection, &back);
    for (int64_t e = 0; status == DPC_OK && fine && e < pag->n_edges; e++)
        fine = back.edges[e].mark == pag->edges[e].mark;
    if (status == DPC_OK)
        *valid = fine;
    dpc_graph_clear(&mag);
    dpc_graph_clear(&back);
    return status;
}
