/* The sets of m of some places, one after the other: 0 1 … m − 1 first, in lexicographic order. */
#ifndef DPC_SUBSETS_H
#define DPC_SUBSETS_H

#include <stdbool.h>
#include <stdint.h>

static inline void dpc_first_subset(int32_t *place, int m)
{
    for (int i = 0; i < m; i++)
        place[i] = i;
}

/* The next m of `of` places; false: that was the last. */
static inline bool dpc_next_subset(int32_t *place, int m, int of)
{
    int i = m - 1;
    while (i >= 0 && place[i] == of - m + i)
        i--;
    if (i < 0)
        return false;
    place[i]++;
    for (int j = i + 1; j < m; j++)
        place[j] = place[j - 1] + 1;
    return true;
}

#endif
