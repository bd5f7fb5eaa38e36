/* A graph that can be asked, from inside: dpc_causal of dualpc_graph.h. */
#ifndef DPC_CAUSAL_H
#define DPC_CAUSAL_H

#include "arena.h"
#include "classify.h"
#include "flow.h"
#include "mixed.h"

struct dpc_causal {
    int n;
    int n_all; /* nodes of the DAG: more than n where the graph is a MAG or a PAG, whose DAG is the
                  canonical one, and of these … */
    int n_selected;            /* … the last ones are conditioned on: see ancestral.h */
    dpc_classified classified; /* the graph, and a DAG of its class */
    dpc_mixed_lists lists;     /* of the graph; of a MAG or PAG: empty, and … */
    dpc_mixed marks;           /* … this in their place */
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
    bool *in_set; /* over the nodes, of MAGs and PAGs: all false between questions */
    struct dpc_path_search *search; /* owned */
    int32_t *other;                 /* n */
    int32_t *previous, *queue;      /* 2 n: by place and direction, see adjust.c */
};

/* Is the graph a MAG or a PAG: may something be hidden? */
static inline bool dpc_has_hidden(const dpc_causal *graph)
{
    return graph->classified.kind >= DPC_GRAPH_MAG;
}

/* DPC_BAD_INPUT where it is; `what` begins "… needs a DAG or CPDAG". */
dpc_status dpc_causal_check_dags(const dpc_causal *graph, const char *what, dpc_error *err);

/*
 * adjust.c: does the set leave a path from x to y open that does not begin with an arrow on a way
 * to y, in the DAG that is asked? `path` and `length` may be NULL.
 */
bool dpc_causal_leaves_open(dpc_causal *graph, int x, int y, const int32_t *set, int size,
                            int32_t *path, int *length);

/* adjust.c: the same as a verdict on a set without forbidden members. */
void dpc_causal_check_open(dpc_causal *graph, int x, int y, const int32_t *set, int size,
                           dpc_set_check *out);

/*
 * adjust.c: leaves out one member after the other as long as no such path opens; what is left.
 * Where all of the set are among the ancestors of x and y more members never open a path, so that
 * no part of what is left would do.
 */
int dpc_causal_leave_out(dpc_causal *graph, int x, int y, int32_t *set, int size);

#endif
