/*
 * The inside of a space (space.h): the tables of all nodes, who is related to whom, and which nodes
 * a block is made of.
 */
#ifndef DPC_SAMPLE_SHARED_H
#define DPC_SAMPLE_SHARED_H

#include "bits.h"
#include "patterns.h"
#include "picks.h"
#include "set_table.h"
#include "space.h"

/* Of a node that is no candidate: see `place`. */
enum { DPC_NO_PLACE = 63 };

/* The bit of a place in a set of candidates; 0: it is none. */
static inline uint32_t dpc_bit_at(uint8_t place)
{
    return (uint32_t)(UINT64_C(1) << place);
}

/* Another node of which one is a candidate, or which is a candidate of that one. */
typedef struct dpc_relation {
    int32_t node;
    uint32_t mine;   /* its bit among my candidates; 0: it is none */
    uint32_t theirs; /* my bit among its candidates; 0: I am none */
} dpc_relation;

struct dpc_space {
    int n;
    int64_t words; /* of a row of bits */
    dpc_candidate_sets sets;
    dpc_set_table *table; /* by node */
    uint64_t *candidates; /* rows of bits */
    uint8_t *place;       /* n × n: of candidate u of v, at v n + u */
    int64_t *first; /* the relations of v are relation[first[v]] … relation[first[v+1] - 1] */
    dpc_relation *relation;
    dpc_patterns patterns;
    dpc_picks first_node; /* of a block */
    dpc_picks *neighbour; /* by node: which of its relations comes next into a block */
    dpc_arena memory;     /* of the arrays but the tables */
};

/* Some nodes, as bits of the candidates of v. */
static inline uint32_t dpc_among_candidates(const dpc_space *space, int v, const uint64_t *nodes)
{
    const uint64_t *row = space->candidates + v * space->words;
    const uint8_t *place = space->place + (int64_t)v * space->n;
    uint32_t set = 0;
    for (int64_t w = 0; w < space->words; w++)
        for (uint64_t left = row[w] & nodes[w]; left != 0; left &= left - 1)
            set |= dpc_bit_at(place[64 * w + __builtin_ctzll(left)]);
    return set;
}

#endif
