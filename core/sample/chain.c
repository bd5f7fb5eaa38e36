/* A chain: see chain.h. */
#include "chain.h"

#include "block_move.h"
#include "order_start.h"
#include "set_draw.h"

#include <math.h>

struct dpc_chain {
    const dpc_space *space;
    dpc_random random;
    dpc_chain_dag dag;
    dpc_chain_order order;
    uint64_t *room;   /* DPC_BLOCK_ROOM rows of bits */
    uint64_t *nobody; /* a row of bits, all 0 */
    dpc_chain_counts counts;
    dpc_arena memory; /* of the arrays */
};

static dpc_status chain_init(dpc_chain *c)
{
    const dpc_space *space = c->space;
    DPC_CHECK(dpc_chain_dag_init(&c->dag, space, &c->memory));
    DPC_CHECK(dpc_chain_order_init(&c->order, space, &c->memory));
    c->room = dpc_arena_alloc(&c->memory, DPC_BLOCK_ROOM * space->words, sizeof *c->room);
    c->nobody = dpc_arena_zalloc(&c->memory, space->words, sizeof *c->nobody);
    if (dpc_arena_failed(&c->memory))
        return DPC_NO_MEMORY;
    for (int v = 0; v < space->n; v++)
        dpc_chain_dag_set(&c->dag, v, space->table[v].required);
    dpc_chain_order_fit(&c->order, c->dag.parents);
    return DPC_OK;
}

dpc_status dpc_chain_new(const dpc_space *space, uint64_t seed, uint64_t stream, dpc_chain **out)
{
    dpc_chain *chain = dpc_zalloc(1, sizeof *chain);
    if (chain == NULL)
        return DPC_NO_MEMORY;
    chain->space = space;
    dpc_random_start(&chain->random, seed, stream);
    dpc_status status = chain_init(chain);
    if (status != DPC_OK) {
        dpc_chain_free(chain);
        return status;
    }
    *out = chain;
    return DPC_OK;
}

void dpc_chain_free(dpc_chain *chain)
{
    if (chain == NULL)
        return;
    dpc_arena_clear(&chain->memory);
    free(chain);
}

/* ---- By orders ---- */

static void sweep_order(dpc_chain *c, double exponent)
{
    for (int i = 0; i < c->space->n; i++) {
        int v = (int)dpc_random_below(&c->random, (uint64_t)c->space->n);
        dpc_chain_order_move(&c->order, v, exponent, &c->random);
    }
}

void dpc_chain_draw_given_order(dpc_chain *chain)
{
    for (int v = 0; v < chain->space->n; v++)
        dpc_chain_dag_set(
            &chain->dag, v,
            dpc_draw_set(&chain->space->table[v], chain->order.before[v], &chain->random));
}

bool dpc_chain_anneal(dpc_chain *chain, int sweeps, dpc_chain_stop *stop, void *context)
{
    const double first = 0.02;
    int half = sweeps / 2;
    bool ended = false;
    dpc_chain_order_shuffle(&chain->order, &chain->random);
    for (int i = 0; i < sweeps && !ended; i++) {
        sweep_order(chain, i < half ? first + (1 - first) * i / half : 1);
        ended = stop != NULL && stop(context);
    }
    dpc_chain_draw_given_order(chain);
    return !ended;
}

void dpc_chain_order_sweep(dpc_chain *chain)
{
    sweep_order(chain, 1);
    chain->counts.moves += chain->space->n;
    dpc_chain_draw_given_order(chain);
}

/* ---- By blocks ---- */

static void move_block(dpc_chain *c)
{
    dpc_node_block block;
    uint32_t parents[DPC_BLOCK_NODES];
    dpc_block_choose(&block, c->space, &c->random);
    dpc_block_open(&block, &c->dag, c->room);
    c->counts.log_moves += dpc_block_draw(&block, c->space, false, &c->random, parents);
    for (int k = 0; k < block.size; k++)
        dpc_chain_dag_set(&c->dag, block.node[k], parents[k]);
}

void dpc_chain_sweep(dpc_chain *chain)
{
    for (int i = 0; i < chain->space->n; i++)
        move_block(chain);
    chain->counts.moves += chain->space->n;
}

/* ---- Questions ---- */

const uint32_t *dpc_chain_parents(const dpc_chain *chain)
{
    return chain->dag.parents;
}

double dpc_chain_score(const dpc_chain *chain)
{
    double sum = 0;
    for (int v = 0; v < chain->space->n; v++)
        sum += chain->space->table[v].score[chain->dag.parents[v]];
    return sum;
}

void dpc_chain_set(dpc_chain *chain, const uint32_t *parents)
{
    for (int v = 0; v < chain->space->n; v++)
        dpc_chain_dag_set(&chain->dag, v, parents[v]);
    dpc_chain_order_fit(&chain->order, parents);
}

/* The candidates that may be parents of v, given the DAG. */
static uint32_t open_to(dpc_chain *c, int v)
{
    uint64_t *below = c->room, *spare = c->room + c->space->words;
    dpc_chain_dag_descend(&c->dag, v, c->nobody, below, spare);
    return dpc_all_of(&c->space->table[v]) & ~dpc_among_candidates(c->space, v, below);
}

void dpc_chain_add_probabilities(dpc_chain *chain, bool by_order, double *sum)
{
    const dpc_space *space = chain->space;
    for (int v = 0; v < space->n; v++) {
        const dpc_levelled table = space->table[v].sum;
        uint32_t open = by_order ? chain->order.before[v] : open_to(chain, v);
        double all = table.value[open], *to = sum + space->sets.start[v];
        for (uint32_t left = open; left != 0; left &= left - 1) {
            double without = dpc_at_level(table, open & ~(left & -left), table.level[open]);
            to[__builtin_ctz(left)] += 1 - without / all;
        }
    }
}

dpc_chain_counts dpc_chain_count(const dpc_chain *chain)
{
    return chain->counts;
}
