/* The topological order: see topological.h. */
#include "topological.h"

#include <string.h>

int dpc_topological_order(int n, dpc_after *after, const void *context, int32_t *left,
                          int32_t *order)
{
    int count = 0;
    memset(left, 0, (size_t)n * sizeof *left);
    for (int v = 0; v < n; v++) {
        dpc_node_row row = after(context, v);
        for (int64_t i = 0; i < row.count; i++)
            left[row.node[i]]++;
    }
    for (int v = 0; v < n; v++)
        if (left[v] == 0)
            order[count++] = v;
    for (int at = 0; at < count; at++) {
        dpc_node_row row = after(context, order[at]);
        for (int64_t i = 0; i < row.count; i++)
            if (--left[row.node[i]] == 0)
                order[count++] = row.node[i];
    }
    return count;
}
