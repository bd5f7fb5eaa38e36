/*
 * Possible-D-SEP: a set that holds what separates x from every y that is not adjacent to it.
 *
 * v is in pds(x) where a path from x to v exists on which each inner node b, between a and c, is a
 * collider or has a and c adjacent (Spirtes, Meek and Richardson 1999). It is found by walking over
 * ordered edges.
 */
#ifndef DPC_POSSIBLE_DSEP_H
#define DPC_POSSIBLE_DSEP_H

#include "mixed.h"

/* Memory for one walk after the other. Belongs to one worker. */
typedef struct dpc_pds_walk {
    const dpc_mixed *graph;
    uint8_t *seen;  /* by slot; all 0 between walks */
    int64_t *queue; /* slots */
    bool *is_in;    /* by node; all false between walks */
} dpc_pds_walk;

/* DPC_OK or no memory. End with dpc_pds_walk_clear, also after a failure. */
dpc_status dpc_pds_walk_init(const dpc_mixed *graph, dpc_pds_walk *out);
void dpc_pds_walk_clear(dpc_pds_walk *walk);

/* The members of pds(x), ascending, without x, into `out`, which has room for n; how many. */
int dpc_possible_dsep(dpc_pds_walk *walk, int x, int32_t *out);

#endif
