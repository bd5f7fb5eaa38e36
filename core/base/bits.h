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

/*
 * The first bit of a row after one; -1: there is none. All of them:
 *
 *     for (int v = -1; (v = dpc_next_bit(row, words, v)) >= 0;)
 */
static inline int dpc_next_bit(const uint64_t *row, int64_t words, int after)
{
    int64_t word = (after + 1) / 64;
    uint64_t left = word < words ? row[word] & (~UINT64_C(0) << ((after + 1) % 64)) : 0;
    while (left == 0 && ++word < words)
        left = row[word];
    return left != 0 ? (int)(64 * word) + __builtin_ctzll(left) : -1;
}

#endif
