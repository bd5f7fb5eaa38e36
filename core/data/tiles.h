/*
 * The upper triangle of a matrix in square tiles, to be shared among workers; and in which pieces
 * an entry of R is summed, whoever makes it.
 */
#ifndef DPC_TILES_H
#define DPC_TILES_H

#include <math.h>
#include <stdint.h>

enum {
    DPC_TILE = 512,       /* columns of a tile of R */
    DPC_ROW_BLOCK = 256,  /* rows that are multiplied at a time */
    DPC_SCALE_TILE = 128, /* columns of a tile while R is scaled, or read in both triangles */
};

/* Chunks of the rows that are summed each for itself: more than one where R is a single tile. */
static inline int dpc_row_chunks(int n_vars)
{
    return n_vars <= DPC_TILE ? 8 : 1;
}

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
