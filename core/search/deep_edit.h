/*
 * The deep edit of all nodes of an order, side by side: each from the set that it has, and from all
 * before it (edit.h); the better of the two.
 */
#ifndef DPC_DEEP_EDIT_H
#define DPC_DEEP_EDIT_H

#include "edit.h"

/* The parents of a node that are being edited. */
typedef struct dpc_edited {
    dpc_relatives set; /* its list is owned */
    double score;
} dpc_edited;

typedef struct dpc_deep_edit {
    int n;
    dpc_workers *workers; /* not owned */
    dpc_editor **editors; /* one per worker; they are not owned */
    dpc_regressions regressions;
    dpc_edited *edited;              /* per node; owned */
    const int32_t *place;            /* of the order, not owned, as … */
    const dpc_relatives *candidates; /* … those that are near each node */
    atomic_bool failed;
} dpc_deep_edit;

/* DPC_OK or no memory, as below; to be cleared in either case. `editors` is taken over. */
dpc_status dpc_deep_edit_init(dpc_deep_edit *deep, dpc_workers *workers, dpc_editor **editors);
void dpc_deep_edit_clear(dpc_deep_edit *deep);

/*
 * From the sets in `edited`, ascending, along an order with its places. *finished is false where it
 * was halted.
 */
dpc_status dpc_deep_edit_run(dpc_deep_edit *deep, const int32_t *order, const int32_t *place,
                             const dpc_relatives *candidates, bool *finished);

#endif
