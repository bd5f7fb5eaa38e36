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
#include "oriented.h"

enum {
    DPC_SHIELDED = 0, /* x and z are adjacent: no triple */
    DPC_OPEN,         /* nothing is decided */
    DPC_NO_COLLIDER,
    DPC_COLLIDER,
    DPC_FREE, /* x and z cannot be adjacent, whatever the data say: they say nothing of y either */
};

typedef struct dpc_triples {
    const dpc_adjacency *graph;
    int32_t *places; /* see dpc_reverse_places; owned */
    int64_t *start;  /* per node, and the end: where its triangle begins; owned */
    /*
     * Evidence, or votes: see who fills it. A weight of 1 is DPC_WEIGHT_ONE; whole numbers add up
     * to the same in any order. 0 where there is no triple; owned.
     */
    int32_t *weight;
    uint8_t *mark; /* DPC_SHIELDED … DPC_FREE; owned */
} dpc_triples;

/*
 * Marks all triples as open, but those whose ends cannot be adjacent, for what is known (NULL:
 * nothing), as free. All weights are 0. End with dpc_triples_clear, also after a failure.
 */
dpc_status dpc_triples_init(const dpc_adjacency *graph, const dpc_constraints *known,
                            dpc_triples *out);
void dpc_triples_clear(dpc_triples *triples);

static inline int64_t dpc_triples_end(const dpc_triples *t)
{
    return t->start[t->graph->n];
}

/* The entry of the neighbours at places p and q, p ≠ q, of y; and of those in two slots of y. */
static inline int64_t dpc_triple_at(const dpc_triples *t, int y, int64_t p, int64_t q)
{
    int64_t low = p < q ? p : q, high = p < q ? q : p, d = dpc_degree(t->graph, y);
    return t->start[y] + low * (2 * d - low - 1) / 2 + high - low - 1;
}

static inline int64_t dpc_triple_of(const dpc_triples *t, int y, int64_t ex, int64_t ez)
{
    return dpc_triple_at(t, y, ex - t->graph->start[y], ez - t->graph->start[y]);
}

/* Is y marked as no collider between its neighbours in two slots? A dpc_meek_noncollider; the
 * context are the triples. */
bool dpc_triple_is_noncollider(const void *triples, int y, int64_t first, int64_t second);

/* Calls `visit` for all entries whose marks have one of these bits, with the slots y→x and y→z. */
typedef void dpc_triple_visit(void *context, int64_t entry, int64_t ex, int64_t ez);
void dpc_triples_each(const dpc_triples *triples, uint8_t marks, dpc_triple_visit *visit,
                      void *context);

/* All that are triples. */
enum { DPC_ALL_TRIPLES = UINT8_MAX };

/*
 * Lists the triples for which choose(context, entry, slot y→x, slot y→z, triple) is true, after it
 * has filled collider and evidence; several threads ask it. The caller frees *out.
 */
typedef bool dpc_triple_choice(const void *context, int64_t entry, int64_t ex, int64_t ez,
                               dpc_triple *triple);
dpc_status dpc_triples_list(const dpc_triples *triples, const dpc_settings *settings,
                            dpc_triple_choice *choose, const void *context, dpc_triple **out,
                            int64_t *count, dpc_error *err);

#endif
