/*
 * A valid PAG near a graph that is none.
 *
 * The nodes are put in an order, by taking the cheapest sink away one after the other: it costs the
 * arrows that leave it to what is left, a thousand each, and the unshielded colliders that it
 * becomes and was not. Along the order each edge a, b becomes a → b, or a ↔ b where there was an
 * arrowhead at a. Where a is an ancestor of b that would be no ancestral graph, and a ↔ b becomes
 * a → b. Then pairs that an inducing path joins get an edge, with an arrowhead at what is no
 * ancestor of the other end: this leaves all separations as they are (Richardson and Spirtes 2002,
 * theorem 5.1). The result is the PAG of that MAG.
 */
#include "alloc.h"
#include "ancestral.h"
#include "extension.h"
#include "pag.h"
#include "status.h"

/* ---- The order ---- */

enum { ARROW_COST = 1000 };

/* A new unshielded collider at v; the context are the marks as they are. */
static int64_t collider_cost(const void *context, int v, int64_t first, int64_t second)
{
    const dpc_mixed *pag = context;
    const dpc_adjacency *g = pag->graph;
    (void)v;
    bool was = pag->end[dpc_back(pag, first)] == DPC_END_ARROW &&
               pag->end[dpc_back(pag, second)] == DPC_END_ARROW;
    return !was && dpc_slot(g, g->node[first], g->node[second]) < 0;
}

/* when[v]: the turn in which v was taken away. */
static dpc_status order_nodes(const dpc_graph *pag, int32_t *when)
{
    dpc_mixed marks, arrows = {0};
    const dpc_sink_cost cost = {.arrow = ARROW_COST, .collider = collider_cost, .context = &marks};
    dpc_status status = dpc_mixed_of(pag, NULL, &marks);
    if (status == DPC_OK)
        status = dpc_mixed_init(marks.graph, &arrows);
    if (status == DPC_OK) {
        for (int64_t e = 0; e < dpc_slots(marks.graph); e++)
            dpc_set_arrow(&arrows, e,
                          marks.end[e] == DPC_END_ARROW &&
                              marks.end[dpc_back(&marks, e)] == DPC_END_TAIL);
        status = dpc_extend(&arrows, DPC_SINK_CHEAPEST, &cost, NULL, when, NULL);
    }
    dpc_mixed_clear(&arrows);
    dpc_mixed_clear(&marks);
    return status;
}

/* ---- The MAG ---- */

/* What goes later is earlier in the order. */
static void point_edges(const dpc_graph *pag, const int32_t *when, dpc_mag *mag)
{
    for (int64_t e = 0; e < pag->n_edges; e++) {
        const dpc_edge *edge = &pag->edges[e];
        bool turn = when[edge->a] < when[edge->b];
        int a = turn ? edge->b : edge->a, b = turn ? edge->a : edge->b;
        dpc_end at_a = turn ? dpc_end_b(edge->mark) : dpc_end_a(edge->mark);
        dpc_mag_set(mag, a, b, at_a == DPC_END_ARROW ? DPC_BIDIRECTED : DPC_FORWARD);
    }
}

/* Every a ↔ b where a is an ancestor of b becomes a → b, until there is none. */
static void break_almost_circles(const dpc_graph *pag, dpc_mag *mag)
{
    bool any = true;
    while (any) {
        any = false;
        dpc_mag_find_ancestors(mag);
        for (int64_t e = 0; e < pag->n_edges; e++) {
            int a = pag->edges[e].a, b = pag->edges[e].b;
            bool above = dpc_mag_is_ancestor(mag, a, b), below = dpc_mag_is_ancestor(mag, b, a);
            if (dpc_mag_mark(mag, a, b) != DPC_BIDIRECTED || (!above && !below))
                continue;
            dpc_mag_set(mag, a, b, above ? DPC_FORWARD : DPC_BACKWARD);
            any = true;
        }
    }
}

/* The new edges make no new ancestors, and no inducing path that was not there: one walk will do.
 */
static dpc_status join_induced(dpc_mag *mag)
{
    uint64_t *room = dpc_alloc(4 * mag->words, sizeof *room);
    if (room == NULL)
        return DPC_NO_MEMORY;
    for (int a = 0; a < mag->n; a++)
        for (int b = a + 1; b < mag->n; b++)
            if (!dpc_mag_adjacent(mag, a, b) && dpc_mag_inducing(mag, a, b, room))
                dpc_mag_set(mag, a, b,
                            dpc_mag_is_ancestor(mag, a, b)   ? DPC_FORWARD
                            : dpc_mag_is_ancestor(mag, b, a) ? DPC_BACKWARD
                                                             : DPC_BIDIRECTED);
    free(room);
    return DPC_OK;
}

static dpc_status nearest_mag(const dpc_graph *pag, dpc_graph *out)
{
    dpc_mag mag;
    int32_t *when = dpc_alloc(pag->n_nodes, sizeof *when);
    dpc_status status = dpc_mag_init(pag->n_nodes, &mag);
    if (when == NULL)
        status = DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = order_nodes(pag, when);
    if (status == DPC_OK) {
        point_edges(pag, when, &mag);
        break_almost_circles(pag, &mag);
        status = join_induced(&mag);
    }
    if (status == DPC_OK)
        status = dpc_mag_graph(&mag, out);
    dpc_mag_clear(&mag);
    free(when);
    return status;
}

dpc_status dpc_pag_repair(const dpc_graph *pag, bool selection, dpc_graph *out, bool *repaired)
{
    dpc_graph mag = {0};
    bool valid = false;
    DPC_CHECK(dpc_pag_is_valid(pag, selection, &valid));
    *repaired = !valid;
    if (valid)
        return dpc_graph_duplicate(pag, out);
    DPC_CHECK(nearest_mag(pag, &mag));
    dpc_status status = dpc_pag_of_mag(&mag, selection, out);
    dpc_graph_clear(&mag);
    return status;
}
