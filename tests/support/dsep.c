/*
 * d-separation: see dsep.h.
 *
 * x and y are d-separated by Z iff Z separates them in the moral graph of the smallest ancestral
 * set that contains x, y and Z (Lauritzen et al. 1990, Independence properties of directed Markov
 * fields). Sets of nodes are the bits of a word.
 */
#include "dsep.h"

#include <assert.h>

static uint64_t bit(int v)
{
    return (uint64_t)1 << v;
}

static uint64_t parents_of(const dpc_dag *dag, int v)
{
    uint64_t parents = 0;
    for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
        parents |= bit(dag->parent[e]);
    return parents;
}

/* The nodes and all their ancestors: children come before parents in the reversed order. */
static uint64_t ancestral(const dpc_dag *dag, uint64_t nodes)
{
    for (int i = dag->n - 1; i >= 0; i--)
        if (nodes & bit(dag->order[i]))
            nodes |= parents_of(dag, dag->order[i]);
    return nodes;
}

/* A node and its parents are pairwise adjacent in the moral graph. */
static void moralise(const dpc_dag *dag, uint64_t nodes, uint64_t *neighbours)
{
    for (int v = 0; v < dag->n; v++)
        neighbours[v] = 0;
    for (int v = 0; v < dag->n; v++) {
        if (!(nodes & bit(v)))
            continue;
        uint64_t family = parents_of(dag, v) | bit(v);
        for (int u = 0; u < dag->n; u++)
            if (family & bit(u))
                neighbours[u] |= family;
    }
}

bool d_separated(const dpc_dag *dag, int x, int y, const int32_t *set, int size)
{
    assert(dag->n <= DSEP_MAX_NODES);
    uint64_t given = 0, neighbours[DSEP_MAX_NODES];
    for (int i = 0; i < size; i++)
        given |= bit(set[i]);
    moralise(dag, ancestral(dag, given | bit(x) | bit(y)), neighbours);
    uint64_t reached = bit(x), before = 0;
    while (reached != before) {
        before = reached;
        for (int v = 0; v < dag->n; v++)
            if (before & bit(v))
                reached |= neighbours[v] & ~given;
    }
    return !(reached & bit(y));
}
