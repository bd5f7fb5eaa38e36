/*
 * The unshielded triples x — y — z of a skeleton (x and z not adjacent), and what is known of each.
 *
 * Each node y has a triangle of entries, one for each pair of its neighbours, in the order of the
 * smaller and then of the larger one. So the entries of all nodes, as they lie, are in the order
 * y, x, z. Pairs that are adjacent have an entry too, which is not used.
 */
#ifndef DPC_TRIPLES_H
#define DPC_TRIPLES_H

#include "orient.h"

enum {
    DPC_SHIELDED = 0, /* x and z are adjacent: no triple */
    DPC_OPEN,         /* nothing is decided */
    DPC_NO_COLLIDER,
    DPC_COLLIDER,
    DPC_FREE, /* x and z cannot be adjacent, whatever the data say: they say nothing of y either */
};

/* A weight of 1 in the units of `weight`. Whole numbers add up to the same in any order. */
#define DPC_WEIGHT_ONE 1000000

typedef struct dpc_triples {
    const dpc_adjacency *graph;
    int32_t *places; /* see dpc_reverse_places */
    int64_t *start;  /* per node, and the end: where its triangle begins */
    int32_t *weight; /* evidence, or votes: see who fills it */
    uint8_t *mark;   /* DPC_SHIELDED … DPC_COLLIDER */
} dpc_triples;

/* All marks DPC_SHIELDED; false: no memory. Free with dpc_triples_clear, also after a failure. */
bool dpc_triples_make(const dpc_adjacency *graph, dpc_triples *out);
void dpc_triples_clear(dpc_triples *triples);

/* The entry of the neighbours at places p and q, p ≠ q, of y. */
static inline int64_t dpc_triple_at(const dpc_triples *t, int y, int64_t p, int64_t q)
{
    int64_t low = p < q ? p : q, high = p < q ? q : p, d = dpc_degree(t->graph, y);
    return t->start[y] + low * (2 * d - low - 1) / 2 + high - low - 1;
}

/* The slot of the same edge at its other end. */
static inline int64_t dpc_back(const dpc_triples *t, int64_t slot)
{
    return dpc_reverse(t->graph, t->places, slot);
}

/*
 * Lists the triples for which choose(context, entry, slot y→x, slot y→z, triple) is true, after it
 * has filled collider and evidence. The caller frees *out; false: no memory.
 */
typedef bool dpc_triple_choice(const void *context, int64_t entry, int64_t ex, int64_t ez,
                               dpc_triple *triple);
bool dpc_triples_list(const dpc_triples *triples, dpc_triple_choice *choose, const void *context,
                      dpc_triple **out, int64_t *count);

/* ---- Pairs that are not adjacent but have a common neighbour ---- */

/* One triple of such a pair. */
typedef struct dpc_common {
    int32_t y;
    int32_t next;  /* of the same pair; -1: none */
    int64_t entry; /* of the triple */
} dpc_common;

/* The memory of a walk from one node over all nodes two edges away. */
typedef struct dpc_walk {
    bool *near;     /* per node: is it x or adjacent to x? */
    int32_t *first; /* per node z: its first triple in `common`; -1: none */
    int32_t *ends;  /* the nodes z that are two edges away */
    dpc_common *common;
    int n_ends;
} dpc_walk;

/* False: no memory. Free with dpc_walk_clear, also after a failure. */
bool dpc_walk_make(const dpc_adjacency *graph, dpc_walk *out);
void dpc_walk_clear(dpc_walk *walk);

/* Finds the nodes two edges away from x, and the triples that lead there. */
void dpc_walk_from(const dpc_triples *triples, int x, dpc_walk *walk);

/* ---- Who fills them ---- */

/* Marks all triples as open, and weighs the evidence for each; see evidence.c. */
dpc_status dpc_weigh_evidence(const dpc_unoriented *task, dpc_triples *triples, dpc_error *err);

#endif
