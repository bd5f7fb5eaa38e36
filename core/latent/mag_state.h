/*
 * A MAG that is changed edge by edge: a dpc_mag (ancestral.h) whose ancestors follow every change,
 * with the descendants beside them, and a key for each node that tells its parents and spouses.
 *
 * An arrow x → y that comes makes the ancestors of x ancestors of all descendants of y; one that
 * goes is followed by these descendants alone, in the order of their numbers of ancestors, which is
 * a topological one. A change that would leave the ancestral or the maximal graphs is refused.
 *
 * Inducing paths run through one district D between nodes x and y of D ∪ pa(D), and since x has an
 * arrowhead at its neighbour, both ends are descendants of other nodes of D. There are hardly ever
 * two such nodes: so whether a graph is maximal is asked of few pairs.
 */
#ifndef DPC_MAG_STATE_H
#define DPC_MAG_STATE_H

#include "ancestral.h"
#include "arena.h"

/* 128 bits: that two different districts have the same key is not to be expected. */
typedef struct dpc_key {
    uint64_t low, high;
} dpc_key;

typedef struct dpc_mag_state {
    dpc_mag mag;
    uint64_t *descendants; /* rows: v → … → a, and v itself */
    dpc_key *key;          /* per node: of its parents and spouses */
    int64_t edges, double_arrows;
    uint64_t *room; /* 8 rows */
    int32_t *list;  /* n */
    dpc_arena memory;
} dpc_mag_state;

/* Of a MAG. DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_mag_state_init(dpc_mag_state *state, const dpc_graph *mag);
void dpc_mag_state_clear(dpc_mag_state *state);

static inline dpc_mark dpc_mag_state_mark(const dpc_mag_state *state, int a, int b)
{
    return dpc_mag_mark(&state->mag, a, b);
}

/*
 * Puts another edge, or none, between a and b, without asking. The first leaves the ancestors as
 * they are, for who only wants to know a score and takes the change back; the second is not asked
 * for an arrow that closes a circle.
 */
void dpc_mag_state_mark_only(dpc_mag_state *state, int a, int b, dpc_mark mark);
void dpc_mag_state_set(dpc_mag_state *state, int a, int b, dpc_mark mark);

/* The same for several pairs at once, where the result is a MAG. If not: false, and nothing has
 * changed. */
bool dpc_mag_state_change(dpc_mag_state *state, const dpc_edge *changes, int count);

/* Would there certainly be a directed or almost directed circle? A quick answer, from the ancestors
 * as they are. Where there is an edge now, `false` says nothing. */
bool dpc_mag_state_is_hopeless(const dpc_mag_state *state, dpc_edge change);

/* Would it be a MAG? */
bool dpc_mag_state_allows(dpc_mag_state *state, dpc_edge change);

/* Is it maximal? */
bool dpc_mag_state_is_maximal(dpc_mag_state *state);

/* The district of v as bits, into a row. */
void dpc_mag_state_district(const dpc_mag_state *state, int v, uint64_t *row);

#endif
