/*
 * One DAG on the edges of a partly directed graph (Dor and Tarsi, A simple algorithm to construct a
 * consistent extension of a partially oriented graph, 1992).
 *
 * A node can be the last of what is left if no arrow leaves it and each neighbour by an undirected
 * edge is adjacent to all its other neighbours: then pointing these edges at it makes no new
 * v-structure. Such a sink is taken away, and so on. If there is none before all nodes are gone,
 * the graph has no consistent extension. All who need a DAG, also of a graph that has no consistent
 * one, call this; they differ in the sink that is taken next.
 */
#ifndef DPC_EXTENSION_H
#define DPC_EXTENSION_H

#include "crew.h"
#include "mixed.h"

typedef enum dpc_sink {
    /* The first that can go, by a queue that begins with the nodes in the order of their numbers;
     * where none can, the nodes that are left stay. */
    DPC_SINK_FIRST,
    /* The same, but where none can go, one goes all the same: that with the fewest arrows to what
     * is left, then the fewest undirected edges, then the smallest number. */
    DPC_SINK_NEAREST,
    /* Always the cheapest, by a dpc_sink_cost; of equal ones the smallest number. */
    DPC_SINK_CHEAPEST,
} dpc_sink;

/* What a node costs as the next sink. A graph that has a consistent extension gets one, at no cost,
 * where no node has to wait. */
typedef struct dpc_sink_cost {
    int64_t arrow; /* for each arrow that leaves it to what is left */
    /* For two neighbours that are left, in two slots of v, that become a v-structure at v and were
     * none; 0 where they are adjacent. */
    int64_t (*collider)(const void *context, int v, int64_t first, int64_t second);
    /* Has v to wait until w is gone? NULL: never. There must always be a node that need not. */
    bool (*waits)(const void *context, int v, int w);
    const void *context;
} dpc_sink_cost;

/*
 * Takes the nodes away one after the other; when[v] becomes the turn in which v went, or -1 where
 * it did not. Pointing every edge at the end that went first makes a DAG, whose nodes in the order
 * of falling `when` have parents before children. *consistent (may be NULL): it is one of the
 * class; of no use with DPC_SINK_CHEAPEST, which needs `cost`. `crew` may be NULL. DPC_OK, no
 * memory or interrupted.
 */
dpc_status dpc_extend(const dpc_mixed *arrows, dpc_sink sink, const dpc_sink_cost *cost,
                      dpc_crew *crew, int32_t *when, bool *consistent);

/*
 * The same for a graph, by labels (NULL: its own numbers). An arrow against the DAG costs as much
 * as 1000 new v-structures. DPC_OK or no memory.
 */
dpc_status dpc_extension(const dpc_graph *graph, const dpc_labels *labels, dpc_sink sink,
                         int32_t *when, bool *consistent);

/* Points every edge at the end that went first; both ends must have gone. */
void dpc_point_by_turns(dpc_graph *graph, const int32_t *when);

#endif
