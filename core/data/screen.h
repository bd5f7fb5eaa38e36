/*
 * Which pairs of columns are correlated, without R: the products of the columns tile by tile, of
 * which only the pairs are kept. Memory O(pairs).
 */
#ifndef DPC_SCREEN_H
#define DPC_SCREEN_H

#include "graph.h"
#include "products.h"

/* Start from {0}; end with dpc_pairs_clear. */
typedef struct dpc_pairs {
    dpc_edge *pair; /* columns, a < b, in no order; owned */
    int64_t count, capacity;
} dpc_pairs;

void dpc_pairs_clear(dpc_pairs *pairs);

/* The number of tiles of n_vars columns; each pair is in one tile. */
int64_t dpc_screen_tiles(int n_vars);

/* The error that an inner product of columns of length 1 can have in single precision. */
double dpc_screen_margin(int64_t n_rows);

/*
 * Adds the pairs with |r| > c, 0 < c < 1, in the tiles first … end-1: exactly those of which
 * dpc_product says so. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED. All ranks call it, and only the
 * one that leads has all pairs in the end.
 */
dpc_status dpc_screen(const dpc_products *products, double c, int64_t first, int64_t end,
                      dpc_crew *crew, dpc_pairs *out);

#endif
