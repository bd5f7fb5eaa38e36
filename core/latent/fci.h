/*
 * FCI after a skeleton of the dual PC algorithm: tests given Possible-D-SEP, then the marks.
 *
 * Any set that separates x and z proves that the two are not adjacent, and tells of a y between
 * them whether it is a collider: it is where the set does not have it. So the sets of dual tests
 * serve as those of the classic order do. Where the marginal test and the full-order test have both
 * separated a pair, the empty set counts: all others hold every y.
 */
#ifndef DPC_FCI_H
#define DPC_FCI_H

#include "crew.h"
#include "sepset.h"
#include "view.h"

typedef struct dpc_fci_task {
    const dpc_view *view;
    const dpc_settings *settings;
    dpc_time_limit *limit; /* may be NULL */
} dpc_fci_task;

/*
 * The marks of a skeleton, in labels: all of them circles first, then what is known beforehand
 * (sepsets->known), R0 and the other rules. Possible-D-SEP may take edges from *skeleton and add to
 * `sepsets` and `info`. The graph need not be a valid PAG: see valid_pag.h. The caller frees
 * out->edges.
 */
dpc_status dpc_fci(const dpc_fci_task *task, dpc_adjacency **skeleton, dpc_sepsets *sepsets,
                   dpc_info *info, dpc_graph *out, dpc_error *err);

#endif
