/* 64 questions about open paths at once: see flow.h. */
#include "flow.h"

#include "alloc.h"
#include "bits.h"

#include <string.h>

enum { ARRAYS = 8, TABLES = 3 };

dpc_status dpc_flow_init(const dpc_mixed_lists *dag, dpc_flow *out)
{
    int64_t n = dag->n, words = dpc_bit_words(dag->n);
    uint64_t *memory = dpc_zalloc(ARRAYS * n + TABLES * words, sizeof *memory), *at = memory;
    *out = (dpc_flow){.dag = dag, .words = words, .memory = memory};
    if (memory == NULL)
        return DPC_NO_MEMORY;
    uint64_t **const arrays[ARRAYS] = {&out->blocked, &out->opened, &out->wanted, &out->barred,
                                       &out->up,      &out->down,   &out->go_up,  &out->go_down};
    uint64_t **const tables[TABLES] = {&out->rising, &out->falling, &out->touched};
    for (int i = 0; i < ARRAYS; i++, at += n)
        *arrays[i] = at;
    for (int i = 0; i < TABLES; i++, at += words)
        *tables[i] = at;
    return DPC_OK;
}

void dpc_flow_clear(dpc_flow *flow)
{
    free(flow->memory);
    *flow = (dpc_flow){0};
}

static void set(uint64_t *table, int v)
{
    dpc_set_bit(table, 0, 0, v);
}

/* Takes the last, or the first, node of a table; both are called until there is none. */
static int take_last(uint64_t *table, int64_t *word)
{
    while (*word >= 0 && table[*word] == 0)
        --*word;
    if (*word < 0)
        return -1;
    int bit = 63 - __builtin_clzll(table[*word]);
    table[*word] &= ~(UINT64_C(1) << bit);
    return (int)(64 * *word) + bit;
}

static int take_first(uint64_t *table, int64_t *word, int64_t words)
{
    while (*word < words && table[*word] == 0)
        ++*word;
    if (*word == words)
        return -1;
    int bit = __builtin_ctzll(table[*word]);
    table[*word] &= table[*word] - 1;
    return (int)(64 * *word) + bit;
}

void dpc_flow_block(dpc_flow *f, int v, uint64_t questions)
{
    f->blocked[v] |= questions;
    f->opened[v] |= questions;
    set(f->rising, v);
    set(f->touched, v);
}

void dpc_flow_want(dpc_flow *f, int v, uint64_t questions)
{
    f->wanted[v] |= questions;
    set(f->rising, v);
    set(f->touched, v);
}

void dpc_flow_bar(dpc_flow *f, int v, uint64_t questions)
{
    f->barred[v] |= questions;
    set(f->touched, v);
}

void dpc_flow_ascend(dpc_flow *f)
{
    int64_t word = f->words - 1;
    for (int v; (v = take_last(f->rising, &word)) >= 0;) {
        dpc_node_row parents = dpc_parents_of(f->dag, v);
        for (int64_t i = 0; i < parents.count; i++) {
            int p = parents.node[i];
            f->opened[p] |= f->opened[v];
            f->wanted[p] |= f->wanted[v];
            set(f->rising, p);
            set(f->touched, p);
        }
    }
}

void dpc_flow_put_up(dpc_flow *f, int v, uint64_t questions)
{
    uint64_t new = questions & ~f->up[v] & ~f->barred[v];
    if (new == 0)
        return;
    f->up[v] |= new;
    f->go_up[v] |= new & ~f->blocked[v];
    f->go_down[v] |= new & ~f->blocked[v];
    set(f->rising, v);
    set(f->falling, v);
    set(f->touched, v);
}

void dpc_flow_put_down(dpc_flow *f, int v, uint64_t questions)
{
    uint64_t new = questions & ~f->down[v] & ~f->barred[v];
    if (new == 0)
        return;
    f->down[v] |= new;
    f->go_down[v] |= new & ~f->blocked[v] & ~f->up[v];
    f->go_up[v] |= new & f->opened[v];
    set(f->falling, v);
    if ((new & f->opened[v]) != 0)
        set(f->rising, v);
    set(f->touched, v);
}

static bool rise(dpc_flow *f)
{
    int64_t word = f->words - 1;
    bool any = false;
    for (int v; (v = take_last(f->rising, &word)) >= 0; any = true) {
        uint64_t go = f->go_up[v];
        dpc_node_row parents = dpc_parents_of(f->dag, v);
        f->go_up[v] = 0;
        for (int64_t i = 0; go != 0 && i < parents.count; i++)
            dpc_flow_put_up(f, parents.node[i], go);
    }
    return any;
}

static bool fall(dpc_flow *f, bool everywhere)
{
    int64_t word = 0;
    bool any = false;
    for (int v; (v = take_first(f->falling, &word, f->words)) >= 0; any = true) {
        uint64_t go = f->go_down[v];
        dpc_node_row children = dpc_children_of(f->dag, v);
        f->go_down[v] = 0;
        for (int64_t i = 0; go != 0 && i < children.count; i++) {
            int c = children.node[i];
            dpc_flow_put_down(f, c, everywhere ? go : go & (f->wanted[c] | f->opened[c]));
        }
    }
    return any;
}

void dpc_flow_run(dpc_flow *f, bool everywhere)
{
    bool rose, fell;
    do {
        rose = rise(f);
        fell = fall(f, everywhere);
    } while (rose || fell);
}

void dpc_flow_reset(dpc_flow *f)
{
    int64_t word = 0;
    for (int v; (v = take_first(f->touched, &word, f->words)) >= 0;) {
        f->blocked[v] = f->opened[v] = f->wanted[v] = f->barred[v] = 0;
        f->up[v] = f->down[v] = f->go_up[v] = f->go_down[v] = 0;
    }
}
