/* Tiles of R that the ranks of several ranks have made come to all of them. */
#ifndef DPC_SHARED_TILES_H
#define DPC_SHARED_TILES_H

#include "crew.h"

/* Task t made chunk t % chunks of tile t / chunks: see tiles.h. */
typedef struct dpc_shared_tiles {
    int n_vars;
    int tile; /* columns of one */
    int chunks;
    double *first;  /* where the tiles of the first chunk are: n × n */
    double *others; /* those of the later ones, one after the other */
    bool *mine;     /* by task: this rank made it */
    int64_t tasks;
} dpc_shared_tiles;

/* DPC_OK, or why not; `done` is false where this rank was called off. */
dpc_status dpc_exchange_tiles(const dpc_shared_tiles *tiles, bool done, dpc_crew *crew);

#endif
