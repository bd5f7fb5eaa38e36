/*
 * The second look of FCI: where something is hidden, two variables that no set of neighbours
 * separates may be separated by a set in Possible-D-SEP (graph/possible_dsep.h).
 *
 * With Q = pds(x) less y, the pair x, y is tested given all of Q, and for l = 1, 2, … up to
 * settings->pdsep given each K of l members of Q, and given Q \ K; sets of neighbours of x have
 * been tested before and are left out. Edges are deleted when all pairs are through.
 */
#ifndef DPC_POSSIBLE_SETS_H
#define DPC_POSSIBLE_SETS_H

#include "crew.h"
#include "mixed.h"
#include "sepset.h"
#include "view.h"

typedef struct dpc_second_look {
    const dpc_view *view;
    const dpc_settings *settings;
    const dpc_constraints *known; /* may be NULL */
    dpc_time_limit *limit;        /* may be NULL; when it is over the graph stays as it was */
    const dpc_mixed *colliders;   /* the skeleton with the arrowheads of R0 */
} dpc_second_look;

/*
 * What is left of the skeleton, NULL where nothing was deleted; the sets are added to `sepsets`,
 * and the tests, as one more level, to `info`.
 */
dpc_status dpc_look_again(const dpc_second_look *look, dpc_sepsets *sepsets, dpc_info *info,
                          dpc_adjacency **left, dpc_error *err);

#endif
