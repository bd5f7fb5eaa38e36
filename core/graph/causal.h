/* A graph that can be asked, from inside: dpc_causal of dualpc.h. */
#ifndef DPC_CAUSAL_H
#define DPC_CAUSAL_H

#include "classify.h"
#include "flow.h"

struct dpc_causal {
    int n;
    dpc_classified sound;  /* the graph, and a DAG of its class */
    dpc_mixed_lists lists; /* of the graph */
    dpc_mixed_lists dag;   /* of the DAG, by places */
    int32_t *place; /* of each node in the order of the DAG, parents before children; owned */
    int32_t *at;    /* the node at each place; owned */
    /*
     * The nodes by their chain components, which undirected edges join; those from which arrows
     * lead to others before them. Not for an MPDAG, where arrows may lead from one to itself.
     */
    int32_t *member; /* owned */
    int32_t *first;  /* n_components + 1; owned */
    int n_components;
    /* Of questions about one pair: */
    dpc_flow flow;
    uint64_t *is, *de, *possible, *loose; /* over the nodes; owned */
    struct dpc_search *search;            /* owned */
    int32_t *list, *other;                /* n; owned */
    int32_t *previous, *queue;            /* 2 n: by place and direction, see adjust.c; owned */
};

#endif
