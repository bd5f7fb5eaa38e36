/* The skeleton search from inside: shared by skeleton.c, stable.c and standard.c. */
#ifndef DPC_SEARCH_H
#define DPC_SEARCH_H

#include "adjacency.h"
#include "kernel.h"
#include "sepset.h"

typedef struct dpc_search {
    dpc_problem problem;
    dpc_crew crew;
    dpc_kernel **kernels; /* one per worker */
    dpc_adjacency *graph; /* what is left; with the AND rule each row is its node's own list */
    int64_t edges;        /* pairs of which at least one end lists the other */
    dpc_sepsets *sepsets;
    dpc_info *info;
    /* per node: */
    int *changed_level;    /* the level that last changed its neighbours; 0: none since level 0 */
    int64_t *changed_pair; /* standard variant: which pair of that level, in the order of visits */
    bool *refused;         /* the present neighbourhood is known to be singular */
    bool more;             /* this level has found reason for another one */
} dpc_search;

/* One level, deletions at its end; or at once. `*removed` receives the number of edges. */
dpc_status dpc_level_stable(dpc_search *search, int level, int64_t *removed, dpc_error *err);
dpc_status dpc_level_standard(dpc_search *search, int level, int64_t *removed, dpc_error *err);

#endif
