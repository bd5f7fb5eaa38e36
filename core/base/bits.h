/* A table of bits with n columns, by rows of whole words: a set of ordered pairs, kept small. */
#ifndef DPC_BITS_H
#define DPC_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Words of one row. */
static inline int64_t dpc_bit_words(int n)
{
    return ((int64_t)n + 63) / 64;
}

static inline bool dpc_bit(const uint64_t *bits, int64_t words, int row, int column)
{
    return (bits[row * words + column / 64] >> (column % 64) & 1) != 0;
}

static inline void dpc_set_bit(uint64_t *bits, int64_t words, int row, int column)
{
    bits[row * words + column / 64] |= UINT64_C(1) << (column % 64);
}

static inline void dpc_clear_bit(uint64_t *bits, int64_t words, int row, int column)
{
    bits[row * words + column / 64] &= ~(UINT64_C(1) << (column % 64));
}

#endif
