/*
 * The upper triangle of a matrix in square tiles, which workers share; and the pieces in which
 * an entry of R is summed, whoever makes it.
 */
#ifndef DPC_TILES_H
#define DPC_TILES_H

#include <math.h>
#include <stdbool.h>
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

/* One tile. */
typedef struct dpc_tile {
    int top, left;     /* its first row and its first column */
    int height, width; /* its rows and columns */
    bool diagonal;     /* it lies on the diagonal of the matrix */
} dpc_tile;

/* The size of a part that is `size` long, unless less is left. */
static inline int dpc_part_size(int64_t left, int size)
{
    return left < size ? (int)left : size;
}

/* Tile `index` of the upper triangle of an n × n matrix, counted column by column. */
static inline dpc_tile dpc_tile_of(int64_t index, int n, int side)
{
    int64_t column = (int64_t)((sqrt(8 * (double)index + 1) - 1) / 2);
    while (column * (column + 1) / 2 > index)
        column--;
    while ((column + 1) * (column + 2) / 2 <= index)
        column++;
    int64_t row = index - column * (column + 1) / 2;
    int top = (int)row * side, left = (int)column * side;
    return (dpc_tile){top, left, dpc_part_size(n - top, side), dpc_part_size(n - left, side),
                      row == column};
}

/* How many they are. */
static inline int64_t dpc_tiles_of(int n, int side)
{
    int64_t tiles = (n + side - 1) / side;
    return tiles * (tiles + 1) / 2;
}

#endif
