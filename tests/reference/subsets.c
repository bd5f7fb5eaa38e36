/* The subsets of a set, one after the other in lexicographic order, as positions. */
#include "run.h"

bool ref_next_subset(int32_t *position, int m, int s)
{
    int i = m - 1;
    while (i >= 0 && position[i] == s - m + i)
        i--;
    if (i < 0)
        return false;
    position[i]++;
    for (int j = i + 1; j < m; j++)
        position[j] = position[j - 1] + 1;
    return true;
}

void ref_first_subset(int32_t *position, int m)
{
    for (int i = 0; i < m; i++)
        position[i] = i;
}

void ref_split(const int32_t *set, int s, const int32_t *position, int m, int32_t *inside,
               int32_t *outside)
{
    int taken = 0;
    for (int i = 0; i < s; i++) {
        if (taken < m && position[taken] == i)
            inside[taken++] = set[i];
        else
            outside[i - taken] = set[i];
    }
}
