/* The node with the largest key: see best.h. */
#include "best.h"

#include "alloc.h"

dpc_status dpc_best_init(int n, dpc_best *out)
{
    int32_t leaves = 1;
    while (leaves < n)
        leaves *= 2;
    *out = (dpc_best){
        .key = dpc_alloc(leaves, sizeof *out->key),
        .winner = dpc_alloc(2 * (int64_t)leaves, sizeof *out->winner),
        .leaves = leaves,
    };
    if (out->key == NULL || out->winner == NULL)
        return DPC_NO_MEMORY;
    for (int32_t i = 0; i < leaves; i++) {
        out->key[i] = DPC_NO_KEY;
        out->winner[leaves + i] = i;
    }
    for (int32_t i = leaves - 1; i > 0; i--)
        out->winner[i] = out->winner[2 * i];
    return DPC_OK;
}

void dpc_best_clear(dpc_best *best)
{
    free(best->key);
    free(best->winner);
    *best = (dpc_best){0};
}

void dpc_best_set(dpc_best *best, int node, int64_t key)
{
    if (best->key[node] == key)
        return;
    best->key[node] = key;
    for (int32_t i = (best->leaves + node) / 2; i > 0; i /= 2) {
        int32_t left = best->winner[2 * i], right = best->winner[2 * i + 1];
        int32_t better = best->key[right] > best->key[left] ? right : left;
        if (better == best->winner[i] && better != node)
            return; /* nothing changes further up */
        best->winner[i] = better;
    }
}
