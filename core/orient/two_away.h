/*
 * The nodes two edges away from a node x, and the triples x — y — z that lead there: for those who
 * have something to find out about each pair x, z that is not adjacent but has a common neighbour.
 */
#ifndef DPC_TWO_AWAY_H
#define DPC_TWO_AWAY_H

#include "arena.h"
#include "triples.h"

/* One triple of a pair. */
typedef struct dpc_between {
    int32_t y;
    int32_t next;  /* of the same pair; -1: none */
    int64_t entry; /* of the triple */
} dpc_between;

/* Whose a pair is: that of its smaller node, of x, or of the other one. */
enum { DPC_OF_SMALLER = 0, DPC_OF_X, DPC_OF_OTHER };

typedef struct dpc_two_away {
    dpc_arena memory; /* of the arrays below */
    uint8_t *whose;   /* per node z, for the pair with x; all DPC_OF_SMALLER unless set */
    int32_t *first;   /* per node z: its first triple in `between`; -1: none */
    int32_t *ends;    /* the nodes z two edges away whose pair with x is that of x */
    int n_ends;
    dpc_between *between; /* one for each triple */
    bool *near;           /* per node, all false between calls */
} dpc_two_away;

/* End with dpc_two_away_clear, also after a failure. */
dpc_status dpc_two_away_init(const dpc_adjacency *graph, dpc_two_away *out);
void dpc_two_away_clear(dpc_two_away *away);

/* Finds the nodes two edges away from x whose pairs are those of x, and the triples in between. */
void dpc_two_away_from(dpc_two_away *away, const dpc_triples *triples, int x);

#endif
