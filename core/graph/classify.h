/*
 * What a graph stands for. A DAG stands for itself. A CPDAG stands for all DAGs with its skeleton,
 * its arrows and no other v-structures, and has all arrows that these share. An MPDAG has more
 * arrows, from background knowledge, and again all that follow from these. Anything else stands for
 * nothing, and the reason can be told by its edges.
 *
 * A graph with circles or double arrows is a MAG, which stands for itself, or a PAG, which stands
 * for all MAGs with its separations.
 */
#ifndef DPC_CLASSIFY_H
#define DPC_CLASSIFY_H

#include "dualpc_graph.h"

/*
 * A copy of a graph that stands for something, and a DAG of its class. Where it stands for nothing:
 * DPC_BAD_INPUT, with the edges that are to blame, called by their names (NULL: by numbers); or,
 * with `extend`, the nearest one that does: all that follows is directed too, and where no DAG has
 * the arrows and v-structures of the graph, the arrows are turned that must be. Start from {0}; end
 * with dpc_classified_clear.
 */
typedef struct dpc_classified {
    dpc_graph graph, dag;
    dpc_graph_kind kind;
    int n_selected;  /* of a MAG or PAG: its DAG is the canonical one (ancestral.h) */
    int64_t changed; /* edges that are marked otherwise than those given */
    char *reason;    /* why they are; owned; NULL: none is */
} dpc_classified;

/* `pag`: it is a PAG or MAG also where no mark says so. */
dpc_status dpc_classified_init(const dpc_graph *graph, const char *const *names, bool pag,
                               bool extend, dpc_classified *out, dpc_error *err);
void dpc_classified_clear(dpc_classified *classified);

/* The nodes of a DAG, parents before children: `number` receives the place of each. DPC_OK or no
 * memory. */
dpc_status dpc_number_nodes(const dpc_graph *dag, int32_t *number);

#endif
