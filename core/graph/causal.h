/* A graph that can be asked, from inside: dpc_causal of dualpc_graph.h. */
#ifndef DPC_CAUSAL_H
#define DPC_CAUSAL_H

#include "arena.h"
#include "classify.h"
#include "flow.h"

struct dpc_causal {
    int n;
    dpc_classified classified; /* the graph, and a DAG of its class */
    dpc_mixed_lists lists;     /* of the graph */
    dpc_mixed_lists dag;       /* of the DAG, by places */
    dpc_arena memory;          /* of all arrays below */
    int32_t *place;            /* of each node in the order of the DAG, parents before children */
    int32_t *at;               /* the node at each place */
    /*
     * The nodes by their chain components, which undirected edges join; those from which arrows
     * lead to others before them. Not for an MPDAG, where arrows may lead from one to itself.
     */
    int32_t *member;
    int32_t *first; /* n_components + 1 */
    int n_components;
    /* Of questions about one pair: */
    dpc_flow flow;
    uint64_t *is, *de, *possible, *loose; /* over the nodes; `is` is 0 between questions */
    struct dpc_path_search *search;       /* owned */
    int32_t *other;                       /* n */
    int32_t *previous, *queue;            /* 2 n: by place and direction, see adjust.c */
};

#endif
