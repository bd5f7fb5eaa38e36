/*
 * Orders of the nodes: see order_start.h.
 *
 * Between the places of its relations u1, u2, …, in their order, node v comes after the first i of
 * them with a log weight of
 *
 *     log Z_v({u1 … ui}) + Σ_{j ≤ i} [log Z_uj(before uj, without v) - log Z_uj(… with v)],
 *
 * the sum being relative to v standing before all of them. Where v, or v for uj, is a required
 * parent, this is -∞ as it should be: what stands last in the brackets never is.
 */
#include "order_start.h"

#include "variates.h"

#include <math.h>

dpc_status dpc_chain_order_init(dpc_chain_order *order, const dpc_space *space, dpc_arena *arena)
{
    int n = space->n;
    int64_t relations = space->first[n];
    *order = (dpc_chain_order){
        .space = space,
        .node = dpc_arena_alloc(arena, n, sizeof *order->node),
        .place = dpc_arena_alloc(arena, n, sizeof *order->place),
        .before = dpc_arena_alloc(arena, n, sizeof *order->before),
        .near = dpc_arena_alloc(arena, relations, sizeof *order->near),
        .weight = dpc_arena_alloc(arena, n, sizeof *order->weight),
        .room = dpc_arena_alloc(arena, n, sizeof *order->room),
    };
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int v = 0; v < n; v++)
        for (int64_t i = space->first[v]; i < space->first[v + 1]; i++)
            order->near[i] = (int32_t)(i - space->first[v]);
    return DPC_OK;
}

/* ---- Whole orders ---- */

/* Do all of these candidates of v have a place already? */
static bool all_placed(const dpc_chain_order *o, int v, uint32_t set)
{
    const int32_t *candidate = o->space->sets.node + o->space->sets.start[v];
    for (; set != 0; set &= set - 1)
        if (o->place[candidate[__builtin_ctz(set)]] < 0)
            return false;
    return true;
}

static void note_before(dpc_chain_order *o)
{
    const dpc_space *space = o->space;
    for (int v = 0; v < space->n; v++) {
        const int32_t *candidate = space->sets.node + space->sets.start[v];
        o->before[v] = 0;
        for (int i = 0; i < space->table[v].k; i++)
            if (o->place[candidate[i]] < o->place[v])
                o->before[v] |= UINT32_C(1) << i;
    }
}

/* The nodes of o->room in their order, but each after its parents; NULL: the required ones. */
static void place_after(dpc_chain_order *o, const uint32_t *parents)
{
    int n = o->space->n, left = n, placed = 0;
    for (int v = 0; v < n; v++)
        o->place[v] = -1;
    while (left > 0) {
        int later = 0;
        for (int i = 0; i < left; i++) {
            int v = o->room[i];
            if (all_placed(o, v, parents != NULL ? parents[v] : o->space->table[v].required)) {
                o->node[placed] = v;
                o->place[v] = placed++;
            } else {
                o->room[later++] = v;
            }
        }
        left = later;
    }
    note_before(o);
}

void dpc_chain_order_shuffle(dpc_chain_order *order, dpc_random *random)
{
    int n = order->space->n;
    for (int i = 0; i < n; i++) {
        int j = (int)dpc_random_below(random, (uint64_t)i + 1);
        order->room[i] = order->room[j];
        order->room[j] = i;
    }
    place_after(order, NULL);
}

void dpc_chain_order_fit(dpc_chain_order *order, const uint32_t *parents)
{
    for (int v = 0; v < order->space->n; v++)
        order->room[v] = v;
    place_after(order, parents);
}

/* ---- A move ---- */

/* The relations of v by their places; they were sorted before, and few have moved since. */
static int32_t *sort_near(dpc_chain_order *o, int v)
{
    const dpc_relation *relation = o->space->relation + o->space->first[v];
    int32_t *near = o->near + o->space->first[v];
    int count = (int)(o->space->first[v + 1] - o->space->first[v]);
    for (int i = 1; i < count; i++) {
        int32_t moved = near[i], place = o->place[relation[moved].node];
        int j = i;
        for (; j > 0 && o->place[relation[near[j - 1]].node] > place; j--)
            near[j] = near[j - 1];
        near[j] = moved;
    }
    return near;
}

/* The place of u when v has been taken out. */
static int place_without(const dpc_chain_order *o, int u, int v)
{
    return o->place[u] - (o->place[u] > o->place[v]);
}

/* The log weights of v after the first 0, 1, … of its relations; returns the highest. */
static double weigh_places(const dpc_chain_order *o, int v, const int32_t *near, int count,
                           double exponent)
{
    const dpc_space *space = o->space;
    const dpc_relation *relation = space->relation + space->first[v];
    double others = 0, most = o->weight[0] = exponent * space->table[v].log_sum[0];
    uint32_t mine = 0;
    for (int i = 0; i < count; i++) {
        dpc_relation r = relation[near[i]];
        if (r.theirs != 0) {
            const double *sum = space->table[r.node].log_sum;
            others += sum[o->before[r.node] & ~r.theirs] - sum[o->before[r.node] | r.theirs];
        }
        mine |= r.mine;
        o->weight[i + 1] = exponent * (space->table[v].log_sum[mine] + others);
        most = o->weight[i + 1] > most ? o->weight[i + 1] : most;
    }
    return most;
}

/* After how many of its relations v is to come; the first and last place for that. */
static int draw_gap(dpc_chain_order *o, int v, const int32_t *near, int count, double most,
                    dpc_random *random, int *from, int *to)
{
    const dpc_relation *relation = o->space->relation + o->space->first[v];
    double total = 0;
    int start = 0, i;
    for (i = 0; i <= count; i++) {
        int end = i < count ? place_without(o, relation[near[i]].node, v) + 1 : o->space->n;
        total += o->weight[i] = (end - start) * exp(o->weight[i] - most);
        start = end;
    }
    double t = dpc_draw_uniform(random) * total;
    int last = 0;
    for (i = 0; i <= count; i++)
        if (o->weight[i] > 0) {
            last = i;
            t -= o->weight[i];
            if (t < 0)
                break;
        }
    *from = last > 0 ? place_without(o, relation[near[last - 1]].node, v) + 1 : 0;
    *to = last < count ? place_without(o, relation[near[last]].node, v) : o->space->n - 1;
    return last;
}

static void shift_to(dpc_chain_order *o, int v, int place)
{
    int step = place > o->place[v] ? 1 : -1;
    for (int p = o->place[v]; p != place; p += step) {
        o->node[p] = o->node[p + step];
        o->place[o->node[p]] = p;
    }
    o->node[place] = v;
    o->place[v] = place;
}

void dpc_chain_order_move(dpc_chain_order *order, int v, double exponent, dpc_random *random)
{
    const dpc_relation *relation = order->space->relation + order->space->first[v];
    int count = (int)(order->space->first[v + 1] - order->space->first[v]), from, to;
    const int32_t *near = sort_near(order, v);
    double most = weigh_places(order, v, near, count, exponent);
    int gap = draw_gap(order, v, near, count, most, random, &from, &to);
    order->before[v] = 0;
    for (int i = 0; i < count; i++) {
        dpc_relation r = relation[near[i]];
        if (i < gap) {
            order->before[v] |= r.mine;
            order->before[r.node] &= ~r.theirs;
        } else {
            order->before[r.node] |= r.theirs;
        }
    }
    shift_to(order, v, from + (int)dpc_random_below(random, (uint64_t)(to - from) + 1));
}
