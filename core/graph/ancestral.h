/*
 * Ancestral graphs as rows of bits: who is a parent, a child or a spouse (by a ↔ b) of whom, and
 * who is an ancestor.
 *
 * A graph of arrows and double arrows is ancestral where no node is an ancestor of itself or of one
 * of its spouses; undirected edges, of selected samples, join nodes without arrowheads. It is
 * maximal where every two nodes that are not adjacent are separated by some set, which is so where
 * no inducing path joins them: one whose inner nodes are all colliders and ancestors of an end. A
 * maximal ancestral graph, a MAG, says what a DAG says of some of its nodes (Richardson and Spirtes
 * 2002).
 */
#ifndef DPC_ANCESTRAL_H
#define DPC_ANCESTRAL_H

#include "bits.h"
#include "graph.h"

/* Row v of each table has a bit for every node. The tables may be changed by hand; then
 * dpc_mag_find_ancestors makes the last one true again. */
typedef struct dpc_mag {
    int n;
    int64_t words;       /* of a row */
    uint64_t *parents;   /* a → v */
    uint64_t *children;  /* v → a */
    uint64_t *spouses;   /* v ↔ a */
    uint64_t *siblings;  /* v — a */
    uint64_t *ancestors; /* a → … → v, and v itself */
    uint64_t *memory;    /* of all of them; owned */
} dpc_mag;

/* Without edges. DPC_OK or no memory. End with dpc_mag_clear, also after a failure. */
dpc_status dpc_mag_init(int n, dpc_mag *out);
void dpc_mag_clear(dpc_mag *mag);

/* Of a graph without circles: DPC_OK or no memory. And back; the caller frees out->edges. */
dpc_status dpc_mag_of(const dpc_graph *graph, dpc_mag *out);
dpc_status dpc_mag_graph(const dpc_mag *mag, dpc_graph *out);

/* The ends at a and b of a pair, seen from a; and such an edge in the place of what was there. A
 * change leaves the ancestors as they are. */
dpc_mark dpc_mag_mark(const dpc_mag *mag, int a, int b);
void dpc_mag_set(dpc_mag *mag, int a, int b, dpc_mark mark);

/* Anew, from the parents. False: there is a directed circle. The rows are right even then. */
bool dpc_mag_find_ancestors(dpc_mag *mag);

static inline bool dpc_mag_is_ancestor(const dpc_mag *mag, int a, int of)
{
    return dpc_bit(mag->ancestors, mag->words, of, a);
}

static inline bool dpc_mag_adjacent(const dpc_mag *mag, int a, int b)
{
    return dpc_bit(mag->parents, mag->words, b, a) || dpc_bit(mag->children, mag->words, b, a) ||
           dpc_bit(mag->spouses, mag->words, b, a) || dpc_bit(mag->siblings, mag->words, b, a);
}

/* What follows reads the ancestors as they are in the table. */

/* No directed or almost directed circle, no arrowhead at a node with an undirected edge? */
bool dpc_mag_is_ancestral(const dpc_mag *mag);

/*
 * Does an inducing path join a and b, an edge apart? `room` has 4 rows of words. It costs what the
 * districts of a and b hold.
 */
bool dpc_mag_inducing(const dpc_mag *mag, int a, int b, uint64_t *room);

/* Is it maximal? If not, *a < *b (may be NULL) are the first pair that is to blame. `room` as
 * above. */
bool dpc_mag_is_maximal(const dpc_mag *mag, uint64_t *room);

/* Numbers the districts, which double arrows join, in the order of their first nodes; how many. */
int dpc_mag_districts(const dpc_mag *mag, int32_t *district);

/*
 * The MAG of a DAG over the nodes that are not hidden, which keep their order (Richardson and
 * Spirtes 2002, 4.2): adjacent where no set of them separates, with an arrowhead at what is no
 * ancestor of the other end. A DAG with a circle is DPC_BAD_INPUT. The caller frees out->edges.
 */
dpc_status dpc_mag_of_dag(const dpc_graph *dag, const bool *hidden, dpc_graph *out, dpc_error *err);

/*
 * The canonical DAG of a MAG: its nodes and arrows, then a hidden node with arrows to a and b for
 * each a ↔ b, then a node that a and b have arrows to, which is to be conditioned on, for each
 * a — b; in the order of the edges. It has the separations of the MAG. *selected: how many of the
 * last kind there are. The caller frees out->edges.
 */
dpc_status dpc_mag_canonical(const dpc_graph *mag, dpc_graph *out, int *selected);

#endif
