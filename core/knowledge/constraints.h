/*
 * Background knowledge as a search asks for it: in its labels, and with everything spelled out that
 * follows for single edges.
 *
 * Whoever asks may have NULL for `known`: nothing is known. That is the same as a single tier in
 * which nothing is required and nothing banned, so that nobody has to tell the two cases apart.
 */
#ifndef DPC_CONSTRAINTS_H
#define DPC_CONSTRAINTS_H

#include "adjacency.h"
#include "bits.h"
#include "knowledge.h"
#include "labels.h"

typedef struct dpc_constraints {
    int n;
    int64_t words;
    uint64_t *banned;   /* rows of bits: an edge from → to cannot be, for whatever reason */
    uint64_t *required; /* rows of bits: it must be */
    /*
     * The tiers, numbered from 0 without gaps. A set for the pair a, b may hold v where member[v]
     * is at most the larger of limit[a] and limit[b]. Variables in no tier may be in any set
     * (member 0), and for their pairs any set will do (limit: the last).
     */
    int32_t *limit, *member;
    int n_limits; /* 1: the tiers restrict no set */
    /* Edges that dpc_break_circles has taken away, from and to the nodes that were left; owned. */
    int32_t *broken;
    int64_t n_broken;
} dpc_constraints;

/* In the labels of a search. *out is NULL where `knowledge` is. Free with dpc_constraints_free. */
dpc_status dpc_constraints_new(const dpc_knowledge *knowledge, const dpc_labels *labels,
                               dpc_constraints **out, dpc_error *err);
void dpc_constraints_free(dpc_constraints *known);

/* Node v becomes node to[v]: from labels to columns, or back. `to` NULL: nothing changes. */
dpc_status dpc_constraints_relabel(dpc_constraints *known, const int32_t *to, dpc_error *err);

/* ---- Pairs ---- */

/* Must an edge between the two, where there is one, point from a to b? */
static inline bool dpc_forced(const dpc_constraints *known, int a, int b)
{
    return known != NULL && dpc_bit(known->banned, known->words, b, a);
}

/* Is there certainly no edge between the two? */
static inline bool dpc_forbidden(const dpc_constraints *known, int a, int b)
{
    return dpc_forced(known, a, b) && dpc_forced(known, b, a);
}

/* Is there certainly one? */
static inline bool dpc_required(const dpc_constraints *known, int a, int b)
{
    return known != NULL && (dpc_bit(known->required, known->words, a, b) ||
                             dpc_bit(known->required, known->words, b, a));
}

/* The same for the pairs of a with the nodes 64·word … 64·word + 63, as bits. */
uint64_t dpc_forbidden_word(const dpc_constraints *known, int a, int word);
uint64_t dpc_required_word(const dpc_constraints *known, int a, int word);

/* ---- Tiers ---- */

/* Limits are 0 … this - 1. */
static inline int dpc_n_limits(const dpc_constraints *known)
{
    return known != NULL ? known->n_limits : 1;
}

/* Is there a pair for whose sets not every variable will do? */
static inline bool dpc_has_tiers(const dpc_constraints *known)
{
    return dpc_n_limits(known) > 1;
}

/* Up to which tier sets for this pair may reach. */
static inline int dpc_limit(const dpc_constraints *known, int a, int b)
{
    if (known == NULL)
        return 0;
    return known->limit[a] > known->limit[b] ? known->limit[a] : known->limit[b];
}

/* May v be in a set for the pair a, b? */
static inline bool dpc_allowed(const dpc_constraints *known, int a, int b, int v)
{
    return known == NULL || known->member[v] <= dpc_limit(known, a, b);
}

/* Is the pair to be tested, and with sets that reach just to this limit? */
static inline bool dpc_in_question(const dpc_constraints *known, int a, int b, int limit)
{
    return known == NULL || (dpc_limit(known, a, b) == limit && !dpc_required(known, a, b));
}

/* The part of a list of nodes that sets up to some limit may hold. */
typedef struct dpc_part {
    const int32_t *node;  /* ascending as they are in the list */
    const int32_t *place; /* where each stands in the list; NULL: the part is the whole list */
    int size;
} dpc_part;

/* `room` has 2 · length entries, and must live as long as the part. */
dpc_part dpc_part_of(const dpc_constraints *known, int limit, const int32_t *list, int length,
                     int32_t *room);

/*
 * The smallest limit above `after` among the pairs of x and a list of nodes that are to be tested;
 * -1: there is none.
 */
int dpc_next_limit(const dpc_constraints *known, int x, const int32_t *list, int length, int after);

/* ---- Circles ---- */

/* How strong the edge between two nodes is. */
typedef double dpc_strength(const void *context, int a, int b);

/*
 * Where the directions that are left for some edges of the skeleton close a circle, not all of
 * these edges can be: the weakest of them that is not required is taken away, and so on. What goes
 * is banned both ways, and noted.
 */
dpc_status dpc_break_circles(dpc_constraints *known, dpc_strength *strength, const void *context,
                             dpc_adjacency **skeleton, dpc_error *err);

/* Was the pair taken away so? */
bool dpc_was_broken(const dpc_constraints *known, int a, int b);

#endif
