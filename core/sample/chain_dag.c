/* The DAG of a chain: see chain_dag.h. */
#include "chain_dag.h"

dpc_status dpc_chain_dag_init(dpc_chain_dag *dag, const dpc_space *space, dpc_arena *arena)
{
    dag->space = space;
    dag->parents = dpc_arena_zalloc(arena, space->n, sizeof *dag->parents);
    dag->children = dpc_arena_zalloc(arena, space->n * space->words, sizeof *dag->children);
    return dpc_arena_failed(arena) ? DPC_NO_MEMORY : DPC_OK;
}

/* The same with one word in a row. */
static uint64_t descend_in_word(const uint64_t *children, int v, uint64_t barred)
{
    uint64_t found = UINT64_C(1) << v, open = children[v] & ~(barred | found);
    while (open != 0) {
        found |= open & -open;
        open = (open | children[__builtin_ctzll(open)]) & ~(barred | found);
    }
    return found;
}

void dpc_chain_dag_descend(const dpc_chain_dag *dag, int v, const uint64_t *barred, uint64_t *found,
                           uint64_t *room)
{
    int64_t words = dag->space->words;
    if (words == 1) {
        *found = descend_in_word(dag->children, v, *barred);
        return;
    }
    for (int64_t w = 0; w < words; w++) {
        found[w] = 0;
        room[w] = dag->children[v * words + w] & ~barred[w];
    }
    found[v / 64] |= UINT64_C(1) << (v % 64);
    for (int64_t w = 0; w < words;) {
        uint64_t open = room[w] & ~found[w];
        if (open == 0) {
            w++;
            continue;
        }
        int u = (int)(64 * w) + __builtin_ctzll(open);
        found[w] |= open & -open;
        const uint64_t *row = dag->children + u * words;
        for (int64_t i = 0; i < words; i++)
            room[i] |= row[i] & ~barred[i];
        for (int64_t i = 0; i < w; i++)
            if ((room[i] & ~found[i]) != 0) {
                w = i;
                break;
            }
    }
}
