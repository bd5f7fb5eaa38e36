/* What the searches over orders have in common: see order_search.h. */
#include "order_search.h"

#include <math.h>

/* Few variables cost next to nothing, and are searched well in any case. */
enum { FEW = 20, AT_LEAST = 140 };

int dpc_restarts_for(const dpc_searching *searching, int n)
{
    return searching->restarts + (n <= FEW ? AT_LEAST / n : 0);
}

void dpc_disturb(const dpc_searching *searching, dpc_random *random, int32_t *order, int n)
{
    int swaps = (int)lround(log(n));
    for (int i = 0; i < swaps; i++) {
        int a = (int)dpc_random_below(random, (uint64_t)n);
        int b = (int)dpc_random_below(random, (uint64_t)n);
        int32_t swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
    dpc_precedence_obey(searching->precedence, order);
}
