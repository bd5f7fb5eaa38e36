/* Tiles of a matrix: each is made by one rank, and comes to all others. */
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

/*
 * Makes the tiles, which are the tasks of the list, and brings those of other ranks here, where the
 * list is shared. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_make_shared_tiles(const dpc_shared_tiles *tiles, const dpc_list *list,
                                 dpc_crew *crew);

#endif
