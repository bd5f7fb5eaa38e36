/*
 * Meek's rules in passes over all edges, one rule after the other, until none directs anything.
 *
 * Where the arrows there are contradict each other the result depends on the order; it is that of
 * the paper's implementation: edges a→b by b, then by a; rule 1 starts from the arrows there were
 * when its pass began, the others from those there are.
 */
#ifndef DPC_MEEK_PASSES_H
#define DPC_MEEK_PASSES_H

#include "arena.h"
#include "constraints.h"
#include "crew.h"
#include "mixed.h"

typedef struct dpc_meek_passes {
    dpc_mixed arrows;
    dpc_arena memory;      /* of the arrays below */
    int32_t *n_in, *n_out; /* per node: arrows that end and start there */
    uint8_t *before;       /* by slot: the ends when the pass of rule 1 began */
    uint64_t *bits; /* adjacency as rows of `words`, where the graph is dense; or NULL; owned */
    int64_t words;
    const dpc_constraints *known; /* or NULL */
    bool all_tell; /* also pairs that cannot be adjacent, whatever the data say, tell that
                    * what is between them is no collider: the colliders are decided */
} dpc_meek_passes;

/* No arrows yet. End with dpc_meek_passes_clear, also after a failure. */
dpc_status dpc_meek_passes_init(const dpc_adjacency *graph, const dpc_constraints *known,
                                bool all_tell, dpc_meek_passes *out);
void dpc_meek_passes_clear(dpc_meek_passes *passes);

/* The edge at a slot a→b becomes a → b, whatever it was. */
void dpc_meek_passes_direct(dpc_meek_passes *passes, int64_t slot);

/* Directs the edges that background knowledge leaves one direction for. */
void dpc_meek_passes_direct_known(dpc_meek_passes *passes);

bool dpc_meek_passes_adjacent(const dpc_meek_passes *passes, int a, int b);

/* Applies the rules; the fourth only where something is known. False: `crew` (may be NULL) was
 * stopped. */
bool dpc_meek_passes_run(dpc_meek_passes *passes, dpc_crew *crew);

#endif
