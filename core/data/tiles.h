/* The upper triangle of a matrix in square tiles, to be shared among workers. */
#ifndef DPC_TILES_H
#define DPC_TILES_H

#include <math.h>
#include <stdint.h>

/* Tile `index` of the upper triangle, counted column by column. */
static inline void dpc_tile_of(int64_t index, int *row, int *column)
{
    *column = (int)((sqrt(8 * (double)index + 1) - 1) / 2);
    while ((int64_t)*column * (*column + 1) / 2 > index)
        --*column;
    while ((int64_t)(*column + 1) * (*column + 2) / 2 <= index)
        ++*column;
    *row = (int)(index - (int64_t)*column * (*column + 1) / 2);
}

static inline int64_t dpc_tiles_of(int n_vars, int tile)
{
    int64_t side = (n_vars + tile - 1) / tile;
    return side * (side + 1) / 2;
}

#endif
