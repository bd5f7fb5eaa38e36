/*
 * A patch: R over a few columns, where R itself is not there.
 *
 * Who asks for many entries over the same columns, such as a visit to a node, puts a patch under
 * its view first. Where there is an R nothing is made and nothing changes. Otherwise the patch is a
 * small R of its own, and the columns become its numbers. It stays until other columns are asked
 * for: the same node again costs nothing.
 */
#ifndef DPC_PATCH_H
#define DPC_PATCH_H

#include "view.h"

/* Belongs to one worker. Start from {0}; end with dpc_patch_clear. */
typedef struct dpc_patch {
    double *r;        /* order × order; owned */
    int32_t *columns; /* whose it is, `order` of them; owned */
    int32_t *set;     /* for whoever makes a patch; owned */
    double *room;     /* to make it; owned */
    int order;
    int64_t most; /* the largest order there is memory for */
} dpc_patch;

void dpc_patch_clear(dpc_patch *patch);

/* Memory for patches of up to that many columns. */
dpc_status dpc_patch_reserve(dpc_patch *patch, const dpc_view *view, int64_t order);

/*
 * The view of R over these columns: `columns` are then what it calls them. No more than were
 * reserved for; cannot fail. Valid until the next one.
 */
dpc_view dpc_patch_over(dpc_patch *patch, const dpc_view *view, int32_t *columns, int count);

#endif
