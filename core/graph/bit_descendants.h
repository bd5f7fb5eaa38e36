/*
 * Who descends from whom, for 64 nodes t at once: bit i of a word is about the i-th of them. All
 * arrays are over the nodes of the graph.
 */
#ifndef DPC_BIT_DESCENDANTS_H
#define DPC_BIT_DESCENDANTS_H

#include "causal.h"
#include "equivalence.h"

/*
 * is[v]: v is t. de[v]: v is t, or arrows lead from t to v; an[v]: the same the other way. In
 * `order` parents come before children; NULL: they do by their numbers.
 */
void dpc_bit_descend(const dpc_mixed_lists *lists, const int32_t *order, const uint64_t *is,
                     uint64_t *de);
void dpc_bit_ascend(const dpc_mixed_lists *lists, const int32_t *order, const uint64_t *is,
                    uint64_t *an);

/* The first of them for a DAG by its parents, which has an order. */
void dpc_bit_descend_in(const dpc_parents *dag, const uint64_t *is, uint64_t *de);

/* The memory of a search for unshielded paths. End with dpc_path_search_clear, also after a
 * failure. */
typedef struct dpc_path_search {
    bool *seen;      /* by slot of the lists: in the queue; owned */
    int64_t *queue;  /* slots; owned */
    int64_t *before; /* by slot: the slot that led to it; -1: none; owned */
    int32_t *from;   /* by slot: whose it is; owned */
    bool *shut;      /* per node; owned */
} dpc_path_search;

dpc_status dpc_path_search_init(const dpc_causal *graph, dpc_path_search *out);
void dpc_path_search_clear(dpc_path_search *search);

/*
 * possible[v]: v is t, or a possibly directed path leads from t to v. loose[v]: one of these begins
 * with an undirected edge, so that the pair (t, v) is not amenable.
 */
void dpc_bit_possible(const dpc_causal *graph, const uint64_t *is, dpc_path_search *search,
                      uint64_t *possible, uint64_t *loose);

/* Such a path from t to y that begins with an undirected edge, into `path` (may be NULL); its
 * length in nodes, 0: there is none. */
int dpc_loose_path(const dpc_causal *graph, dpc_path_search *search, int t, int y, int32_t *path);

#endif
