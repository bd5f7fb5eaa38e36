/* Best order score search: see order.h. */
#include "order.h"

#include "status.h"

#include <string.h>

dpc_status dpc_ordering_init(dpc_ordering *o, int n)
{
    *o = (dpc_ordering){.n = n, .words = dpc_bit_words(n)};
    dpc_arena *a = &o->memory;
    o->order = dpc_arena_alloc(a, n, sizeof *o->order);
    o->place = dpc_arena_alloc(a, n, sizeof *o->place);
    o->score = dpc_arena_alloc(a, n, sizeof *o->score);
    o->taken = dpc_arena_zalloc(a, o->words * n, sizeof *o->taken);
    o->passed = dpc_arena_zalloc(a, o->words * n, sizeof *o->passed);
    o->mine = dpc_arena_zalloc(a, o->words + DPC_APART / 8, sizeof *o->mine);
    o->others = dpc_arena_alloc(a, n, sizeof *o->others);
    o->at = dpc_arena_alloc(a, n, sizeof *o->at);
    o->change = dpc_arena_alloc(a, n, sizeof *o->change);
    o->turn = dpc_arena_alloc(a, n, sizeof *o->turn);
    o->checked = dpc_arena_alloc(a, (int64_t)n + DPC_APART, sizeof *o->checked);
    return dpc_arena_failed(a) ? DPC_NO_MEMORY : DPC_OK;
}

void dpc_ordering_clear(dpc_ordering *o)
{
    dpc_arena_clear(&o->memory);
    *o = (dpc_ordering){0};
}

/* Those before v, as the order is. */
static dpc_before before_node(const dpc_ordering *o, int v)
{
    return (dpc_before){o->place, o->place[v], -1, false};
}

/* Walks for w, and keeps what the walk has seen. */
static void renew(dpc_ordering *o, dpc_walker *walker, int w)
{
    uint64_t *taken = o->taken + w * o->words;
    o->score[w] = dpc_walk(walker, w, before_node(o, w));
    memcpy(o->passed + w * o->words, walker->passed, (size_t)o->words * sizeof *taken);
    memset(taken, 0, (size_t)o->words * sizeof *taken);
    for (int i = 0; i < walker->length; i++)
        dpc_set_bit(taken, 0, 0, walker->path[i]);
}

void dpc_ordering_take(dpc_ordering *o, dpc_walker *walker, const int32_t *order)
{
    if (order != o->order)
        memcpy(o->order, order, (size_t)o->n * sizeof *order);
    o->turns = 0;
    o->settled = false;
    for (int i = 0; i < o->n; i++)
        o->place[o->order[i]] = i;
    for (int v = 0; v < o->n; v++) {
        o->checked[v] = false;
        renew(o, walker, v);
    }
}

double dpc_ordering_score(const dpc_ordering *o)
{
    double score = 0;
    for (int v = 0; v < o->n; v++)
        score += o->score[v];
    return score;
}

/* ---- One move ---- */

/* The nodes that matter for v between the places low and high among the others, by place. */
static int find_others(dpc_ordering *o, const dpc_trees *trees, int v, int low, int high)
{
    int count = 0, at = o->place[v];
    if (trees->candidates == NULL) {
        for (int j = low; j < high; j++)
            o->others[count++] = o->order[j < at ? j : j + 1];
        return count;
    }
    const dpc_relatives *near = &trees->candidates[v];
    for (int64_t i = 0; i < near->count; i++) {
        int w = near->node[i], place = o->place[w] - (o->place[w] > at), j = count;
        if (place < low || place >= high)
            continue;
        for (count++; j > 0 && o->place[o->others[j - 1]] > o->place[w]; j--)
            o->others[j] = o->others[j - 1];
        o->others[j] = w;
    }
    return count;
}

/* What it means for w that v comes before it: the score with v minus that without. */
static double change_of(dpc_ordering *o, dpc_walker *walker, int v, int w)
{
    bool after = o->place[w] > o->place[v];
    if (!dpc_bit(after ? o->taken : o->passed, o->words, w, v))
        return 0;
    double other = dpc_walk(walker, w, (dpc_before){o->place, o->place[w], v, !after});
    return after ? o->score[w] - other : other - o->score[w];
}

static double own_score(dpc_ordering *o, dpc_walker *walker, int v, int limit)
{
    double score = dpc_walk(walker, v, (dpc_before){o->place, limit, -1, false});
    memcpy(o->mine, walker->passed, (size_t)o->words * sizeof *o->mine);
    return score;
}

/* Fills o->at, the score of v before each of the others and at the end, and o->change. */
static void weigh_places(dpc_ordering *o, dpc_walker *walker, int v, int count)
{
    double own = own_score(o, walker, v, o->place[o->others[0]]);
    for (int j = 0; j < count; j++) {
        int w = o->others[j];
        o->at[j] = own;
        o->change[j] = change_of(o, walker, v, w);
        if (dpc_bit(o->mine, 0, 0, w))
            own = own_score(o, walker, v, o->place[w] + 1);
    }
    o->at[count] = own;
}

/* Before which of the others v is best, the first of those that are equally good; `now` if it is
 * not better than that. */
static int best_place(dpc_ordering *o, int count, int now, double slack)
{
    double later = 0;
    for (int j = count - 1; j >= 0; j--) { /* those after v have it before them */
        later += o->change[j];
        o->at[j] += later;
    }
    int place = now;
    double best = o->at[now];
    for (int j = 0; j <= count; j++)
        if (o->at[j] > best + slack) {
            best = o->at[j];
            place = j;
        }
    return place;
}

/* Puts v into a place, and moves up those between. */
static void move_to(dpc_ordering *o, int v, int to)
{
    int from = o->place[v], first = from < to ? from : to, last = from < to ? to : from;
    if (to < from)
        memmove(o->order + to + 1, o->order + to, (size_t)(from - to) * sizeof *o->order);
    else
        memmove(o->order + from, o->order + from + 1, (size_t)(to - from) * sizeof *o->order);
    o->order[to] = v;
    for (int i = first; i <= last; i++)
        o->place[o->order[i]] = i;
}

/* All that a move of v may matter for has to be looked at again. */
static void uncheck(dpc_ordering *o, const dpc_trees *trees, int v)
{
    if (trees->candidates == NULL) {
        memset(o->checked, false, (size_t)o->n * sizeof *o->checked);
        return;
    }
    const dpc_relatives *near = &trees->candidates[v];
    for (int64_t i = 0; i < near->count; i++) {
        const dpc_relatives *next = &trees->candidates[near->node[i]];
        o->checked[near->node[i]] = false;
        for (int64_t j = 0; j < next->count; j++)
            o->checked[next->node[j]] = false;
    }
}

void dpc_ordering_put(dpc_ordering *o, dpc_walker *walker, int v, int to)
{
    int from = o->place[v];
    bool earlier = to < from;
    move_to(o, v, to);
    for (int i = earlier ? to + 1 : from; i < (earlier ? from + 1 : to); i++)
        if (dpc_bit(earlier ? o->passed : o->taken, o->words, o->order[i], v))
            renew(o, walker, o->order[i]);
    renew(o, walker, v);
    uncheck(o, walker->trees, v);
}

/* The others that matter for v, and what v and they score with it before each of them. Returns how
 * many there are, and before which of them v is now. */
static int weigh(dpc_ordering *o, dpc_walker *walker, int v, int *now)
{
    int low, high;
    dpc_precedence_window(walker->trees->precedence, o->place, v, &low, &high);
    int count = find_others(o, walker->trees, v, low, high);
    for (*now = 0; *now < count && o->place[o->others[*now]] < o->place[v];)
        ++*now;
    if (count > 0)
        weigh_places(o, walker, v, count);
    return count;
}

void dpc_ordering_weigh(dpc_ordering *o, dpc_walker *walker, int v)
{
    int now;
    weigh(o, walker, v, &now);
}

bool dpc_ordering_move(dpc_ordering *o, dpc_walker *walker, int v)
{
    int now, count = weigh(o, walker, v, &now);
    if (count == 0 || walker->status != DPC_OK)
        return false;
    int j = best_place(o, count, now, walker->trees->scoring->slack);
    if (j != now)
        dpc_ordering_put(o, walker, v, o->place[o->others[j < now ? j : j - 1]]);
    return j != now;
}

/* ---- All moves ---- */

void dpc_shuffle(dpc_random *random, int32_t *list, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)dpc_random_below(random, (uint64_t)i + 1);
        int32_t swap = list[i];
        list[i] = list[j];
        list[j] = swap;
    }
}

enum { MOST_TURNS = 100 }; /* every move is a gain; rounding could make a circle of them */

bool dpc_settling_over(const dpc_settling *settling)
{
    return (settling->better != NULL && settling->number > atomic_load(settling->better)) ||
           dpc_workers_halted(settling->workers, settling->worker);
}

/* Every move is a gain: once an order is above the goal it stays there. */
static void tell_if_better(const dpc_ordering *o, const dpc_settling *settling)
{
    if (settling->better == NULL || !(dpc_ordering_score(o) > settling->goal))
        return;
    int old = atomic_load(settling->better);
    while (settling->number < old &&
           !atomic_compare_exchange_weak(settling->better, &old, settling->number))
        ;
}

bool dpc_ordering_begin_turn(dpc_ordering *o, dpc_random *random)
{
    if (o->settled || o->turns >= MOST_TURNS)
        return false;
    for (int v = 0; o->turns == 0 && v < o->n; v++)
        o->turn[v] = v;
    o->turns++;
    o->at_turn = 0;
    o->settled = true;
    dpc_shuffle(random, o->turn, o->n);
    return true;
}

bool dpc_ordering_step(dpc_ordering *o, dpc_walker *walker, const dpc_settling *settling)
{
    while (o->at_turn < o->n && o->checked[o->turn[o->at_turn]])
        o->at_turn++;
    if (o->at_turn == o->n)
        return false;
    if (walker->status != DPC_OK || dpc_settling_over(settling)) {
        o->settled = true;
        return false;
    }
    int v = o->turn[o->at_turn++];
    bool moved = dpc_ordering_move(o, walker, v);
    o->settled = o->settled && !moved;
    o->moved_to = moved ? o->place[v] : -1;
    if (moved)
        tell_if_better(o, settling);
    o->checked[v] = true;
    return true;
}

dpc_status dpc_ordering_dag(const dpc_ordering *o, dpc_walker *walker, dpc_families *dag)
{
    int32_t *parents = walker->scorer->list;
    for (int v = 0; v < o->n; v++) {
        dpc_walk(walker, v, before_node(o, v));
        int count = walker->status == DPC_OK ? dpc_walk_parents(walker, v, parents) : 0;
        DPC_CHECK(walker->status);
        for (int j = 0; j < count; j++)
            DPC_CHECK(dpc_families_add(dag, parents[j], v));
    }
    return DPC_OK;
}
