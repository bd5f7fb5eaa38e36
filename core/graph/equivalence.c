/* Markov equivalence classes: see equivalence.h. */
#include "equivalence.h"

#include "alloc.h"
#include "graph.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

bool dpc_is_parent(const dpc_parents *dag, int from, int to)
{
    return dpc_place_of(dag->parent + dag->start[to], dag->start[to + 1] - dag->start[to], from) >=
           0;
}

/* Labels of edges beside dag->parent; all start as UNKNOWN. */
enum label { UNKNOWN, COMPELLED, REVERSIBLE };

/*
 * Chickering's order of the edges: by the place of the head in the topological
 * order, ascending, then by the place of the tail, descending. Fills the heads
 * and the indices of the edges in that order.
 */
static void order_edges(const dpc_parents *dag, const int32_t *place, int64_t *edge, int32_t *head)
{
    int64_t count = 0;
    for (int i = 0; i < dag->n; i++) {
        int y = dag->order[i];
        int64_t first = count;
        for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++) {
            int64_t slot = count++;
            for (; slot > first && place[dag->parent[edge[slot - 1]]] < place[dag->parent[e]];
                 slot--)
                edge[slot] = edge[slot - 1];
            edge[slot] = e;
            head[count - 1] = y;
        }
    }
}

static void label_unknown_into(const dpc_parents *dag, int y, enum label with, unsigned char *label)
{
    for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++)
        if (label[e] == UNKNOWN)
            label[e] = (unsigned char)with;
}

/* The label of the edge `parent → y`, which exists. */
static unsigned char *label_of(const dpc_parents *dag, int parent, int y, unsigned char *label)
{
    int64_t first = dag->start[y];
    return label + first + dpc_place_for(dag->parent + first, dag->start[y + 1] - first, parent);
}

/* Is there a parent of y, other than x, that is not a parent of x? */
static bool parent_apart(const dpc_parents *dag, int x, int y)
{
    for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++)
        if (dag->parent[e] != x && !dpc_is_parent(dag, dag->parent[e], x))
            return true;
    return false;
}

/* One step of the labelling: x → y is the first edge in the order that is UNKNOWN. */
static void label_edge(const dpc_parents *dag, int x, int y, unsigned char *label)
{
    for (int64_t e = dag->start[x]; e < dag->start[x + 1]; e++) {
        if (label[e] != COMPELLED)
            continue;
        int w = dag->parent[e];
        if (!dpc_is_parent(dag, w, y)) {
            memset(label + dag->start[y], COMPELLED, (size_t)(dag->start[y + 1] - dag->start[y]));
            return;
        }
        *label_of(dag, w, y, label) = COMPELLED;
    }
    label_unknown_into(dag, y, parent_apart(dag, x, y) ? COMPELLED : REVERSIBLE, label);
}

dpc_status dpc_label_compelled(const dpc_parents *dag, bool *compelled)
{
    int64_t edges = dag->start[dag->n];
    unsigned char *label = dpc_zalloc(edges, 1);
    int32_t *place = dpc_alloc(dag->n, sizeof *place);
    int64_t *edge = dpc_alloc(edges, sizeof *edge);
    int32_t *head = dpc_alloc(edges, sizeof *head);
    bool fine = label != NULL && place != NULL && edge != NULL && head != NULL;
    if (fine) {
        for (int i = 0; i < dag->n; i++)
            place[dag->order[i]] = i;
        order_edges(dag, place, edge, head);
        for (int64_t i = 0; i < edges; i++)
            if (label[edge[i]] == UNKNOWN)
                label_edge(dag, dag->parent[edge[i]], head[i], label);
        for (int64_t e = 0; e < edges; e++)
            compelled[e] = label[e] == COMPELLED;
    }
    free(label);
    free(place);
    free(edge);
    free(head);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

/* x → y is in a v-structure iff y has a parent that is not adjacent to x. */
static void label_colliders(const dpc_parents *dag, bool *compelled)
{
    for (int y = 0; y < dag->n; y++) {
        for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++) {
            int x = dag->parent[e];
            for (int64_t f = dag->start[y]; f < dag->start[y + 1]; f++) {
                int z = dag->parent[f];
                if (z != x && !dpc_is_parent(dag, x, z) && !dpc_is_parent(dag, z, x))
                    compelled[e] = true;
            }
        }
    }
}

/* The edges of the DAG, directed where compelled, or all of them where that is NULL. */
static void fill_graph(const dpc_parents *dag, const bool *compelled, dpc_edge *edges)
{
    for (int y = 0; y < dag->n; y++) {
        for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++) {
            int x = dag->parent[e];
            edges[e] = x < y ? (dpc_edge){x, y, DPC_FORWARD} : (dpc_edge){y, x, DPC_BACKWARD};
            if (compelled != NULL && !compelled[e])
                edges[e].mark = DPC_UNDIRECTED;
        }
    }
    qsort(edges, (size_t)dag->start[dag->n], sizeof *edges, dpc_by_pair);
}

dpc_status dpc_class_graph(const dpc_parents *dag, dpc_target target, dpc_graph *out,
                           dpc_error *err)
{
    int64_t edges = dag->start[dag->n];
    bool *compelled = dpc_zalloc(edges, sizeof *compelled);
    dpc_edge *list = dpc_alloc(edges, sizeof *list);
    bool fine = compelled != NULL && list != NULL;
    if (fine && target == DPC_PATTERN)
        label_colliders(dag, compelled);
    else if (fine && target == DPC_CPDAG)
        fine = dpc_label_compelled(dag, compelled) == DPC_OK;
    if (fine) {
        fill_graph(dag, compelled, list);
        *out = (dpc_graph){dag->n, edges, list};
    } else {
        free(list);
    }
    free(compelled);
    return fine ? DPC_OK : dpc_fail_memory(err, "the class of a DAG");
}

dpc_status dpc_parents_graph(const dpc_parents *dag, dpc_graph *out, dpc_error *err)
{
    int64_t edges = dag->start[dag->n];
    dpc_edge *list = dpc_alloc(edges, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the edges of a DAG");
    fill_graph(dag, NULL, list);
    *out = (dpc_graph){dag->n, edges, list};
    return DPC_OK;
}
