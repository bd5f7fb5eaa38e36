/*
 * Ascending lists of whole numbers: sorting, searching and uniting them. Rows of neighbours,
 * members of sets and parents of a node are such lists. And numbers with quantiles.
 */
#ifndef DPC_SORTED_H
#define DPC_SORTED_H

#include <stdint.h>

/* For qsort and bsearch: structs that begin with two int32_t, by the first, then by the second. */
int dpc_by_pair(const void *left, const void *right);

/* In place; `list` may be NULL where count is 0. */
void dpc_sort_numbers(int32_t *list, int64_t count);

/* Real numbers, none NaN, ascending; and their quantile: between two of them, as R's default has
 * it; NaN of none. */
void dpc_sort_values(double *values, int64_t count);
double dpc_quantile(const double *sorted, int64_t count, double p);

/* The first place whose number is not below v; `count` where there is none. */
static inline int64_t dpc_place_for(const int32_t *list, int64_t count, int v)
{
    int64_t low = 0;
    while (low < count) {
        int64_t middle = low + (count - low) / 2;
        if (list[middle] < v)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Where v is; -1: it is not there. */
static inline int64_t dpc_place_of(const int32_t *list, int64_t count, int v)
{
    int64_t place = dpc_place_for(list, count, v);
    return place < count && list[place] == v ? place : -1;
}

/* The row that holds an item, where row i is that of the items start[i] … start[i + 1] - 1. */
int dpc_row_of(const int64_t *start, int n_rows, int64_t item);

/* The numbers of either of two ascending lists, each once, into `to`, which may be NULL; returns
 * how many. */
int dpc_unite(const int32_t *p, int np, const int32_t *q, int nq, int32_t *to);

#endif
