/*
 * Latent moves: what if some nodes that are adjacent to each other had a hidden common cause?
 *
 * A hidden cause of k nodes is a clique of k (k - 1) / 2 double arrows in a MAG, and no single move
 * of a DAG towards it need gain. So for each pair that is adjacent, each triangle and each clique
 * of four: all its edges become double arrows and are held, the neighbourhood settles
 * (mag_moves.h), then they are let go, and it settles again. It counts if the score has risen in
 * the end. Moves are compared by rough fits there, and a try that takes too many changes is given
 * up.
 *
 * The tries of one wave all start from the same MAG, and can be made side by side. Then those that
 * gain are taken, the best first, as far as they still gain after those before them. A clique that
 * has gained nothing is not tried again before something near it has changed.
 */
#ifndef DPC_LATENT_MOVES_H
#define DPC_LATENT_MOVES_H

#include "mag_moves.h"

enum { DPC_LARGEST_CLIQUE = 4 };

typedef struct dpc_clique {
    int32_t node[DPC_LARGEST_CLIQUE]; /* ascending */
    int size;
} dpc_clique;

/* What a try has come to. */
typedef struct dpc_latent_try {
    dpc_clique clique;
    dpc_key near;      /* what it depends on */
    double gain;       /* 0 or less: nothing */
    dpc_edge *changes; /* all pairs that are joined otherwise then; owned */
    int64_t count;
    dpc_status status;
} dpc_latent_try;

typedef struct dpc_latent_tries {
    dpc_latent_try *each; /* owned */
    int64_t count, capacity;
} dpc_latent_tries;

/* All cliques of two to four nodes that are not all double arrows; none with a required edge. */
dpc_status dpc_latent_cliques(dpc_mag_walker *walker, dpc_latent_tries *out);
void dpc_latent_tries_clear(dpc_latent_tries *tries);

/* The clique and its neighbours, into walker->within. */
void dpc_latent_near(dpc_mag_walker *walker, const dpc_clique *clique);

/* Tries one of them, from the MAG of the walker, which is as it was afterwards. */
dpc_status dpc_latent_try_one(dpc_mag_walker *walker, dpc_latent_try *one);

#endif
