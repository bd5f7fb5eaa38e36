/* Best order score search: see order.h. */
#include "order.h"

#include "status.h"

#include <math.h>
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
    o->mine = dpc_arena_zalloc(a, o->words, sizeof *o->mine);
    o->held = dpc_arena_zalloc(a, o->words + DPC_APART / 8, sizeof *o->held);
    o->others = dpc_arena_alloc(a, n, sizeof *o->others);
    o->later = dpc_arena_alloc(a, n + 1, sizeof *o->later);
    o->most = dpc_arena_alloc(a, n + 1, sizeof *o->most);
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

/* ---- The parents of a node ---- */

/* A member that is not before the node; -1: there is none. */
static int missing_member(const dpc_pool *pool, const dpc_pooled *set, dpc_before before)
{
    const int32_t *member = dpc_pooled_members(pool, set);
    for (int i = 0; i < set->count; i++)
        if (!dpc_is_before(before, member[i]))
            return member[i];
    return -1;
}

/* The best pooled set of v that fits and scores more than its walk; NULL: there is none. */
static const dpc_pooled *find_pooled(const dpc_ordering *o, dpc_walker *walker, int v,
                                     dpc_before before, double walked)
{
    const dpc_pool *pool = o->pool;
    double least = walked + walker->trees->scoring->slack;
    int32_t i = pool != NULL ? pool->best[v] : -1;
    for (; i >= 0 && pool->set[i].score > least; i = pool->set[i].next) {
        int missing = missing_member(pool, &pool->set[i], before);
        if (missing < 0)
            return &pool->set[i];
        dpc_set_bit(walker->passed, 0, 0, missing);
    }
    return NULL;
}

/* The score of v behind those before it; the walker has what it depends on, but for the members of
 * the pooled set. */
static double find_score(const dpc_ordering *o, dpc_walker *walker, int v, dpc_before before,
                         const dpc_pooled **pooled)
{
    double score = dpc_walk(walker, v, before);
    *pooled = find_pooled(o, walker, v, before, score);
    return *pooled != NULL ? (*pooled)->score : score;
}

static double score_behind(const dpc_ordering *o, dpc_walker *walker, int v, dpc_before before)
{
    const dpc_pooled *pooled;
    return find_score(o, walker, v, before, &pooled);
}

/* What the score that was found last depends on: who was taken, and who was passed over. */
static void keep_bits(const dpc_ordering *o, const dpc_walker *walker, const dpc_pooled *pooled,
                      uint64_t *taken, uint64_t *passed)
{
    memcpy(passed, walker->passed, (size_t)o->words * sizeof *passed);
    memset(taken, 0, (size_t)o->words * sizeof *taken);
    for (int i = 0; i < walker->length; i++)
        dpc_set_bit(taken, 0, 0, walker->path[i]);
    for (int i = 0; pooled != NULL && i < pooled->count; i++)
        dpc_set_bit(taken, 0, 0, dpc_pooled_members(o->pool, pooled)[i]);
}

/* Finds the score of w, and keeps what it depends on. */
static void renew(dpc_ordering *o, dpc_walker *walker, int w)
{
    const dpc_pooled *pooled;
    o->score[w] = find_score(o, walker, w, before_node(o, w), &pooled);
    keep_bits(o, walker, pooled, o->taken + w * o->words, o->passed + w * o->words);
}

int dpc_ordering_parents(dpc_ordering *o, dpc_walker *walker, int v, int32_t *parents)
{
    const dpc_pooled *pooled;
    find_score(o, walker, v, before_node(o, v), &pooled);
    if (walker->status != DPC_OK || pooled == NULL)
        return walker->status == DPC_OK ? dpc_walk_parents(walker, v, parents) : 0;
    if (pooled->count > 0)
        memcpy(parents, dpc_pooled_members(o->pool, pooled),
               (size_t)pooled->count * sizeof *parents);
    return pooled->count;
}

void dpc_ordering_take(dpc_ordering *o, dpc_walker *walker, const int32_t *order)
{
    if (order != o->order)
        memcpy(o->order, order, (size_t)o->n * sizeof *order);
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
    double other = score_behind(o, walker, w, (dpc_before){o->place, o->place[w], v, !after});
    return after ? o->score[w] - other : other - o->score[w];
}

/* The score of v before a place; o->held and o->mine say what it depends on. */
static double own_score(dpc_ordering *o, dpc_walker *walker, int v, int limit)
{
    const dpc_pooled *pooled;
    double score = find_score(o, walker, v, (dpc_before){o->place, limit, -1, false}, &pooled);
    keep_bits(o, walker, pooled, o->held, o->mine);
    return score;
}

/* Fills o->later: what those after v score more for having it before them, if v comes before each
 * of the others, or at the end; and o->most: the most of these, on the way out from where v is. */
static void weigh_later(dpc_ordering *o, dpc_walker *walker, int v, int count, int now)
{
    o->later[count] = 0;
    for (int j = count - 1; j >= 0; j--)
        o->later[j] = o->later[j + 1] + change_of(o, walker, v, o->others[j]);
    for (int j = 0; j < now; j++)
        o->most[j] = j > 0 && o->most[j - 1] > o->later[j] ? o->most[j - 1] : o->later[j];
    for (int j = count; j > now; j--)
        o->most[j] = j < count && o->most[j + 1] > o->later[j] ? o->most[j + 1] : o->later[j];
}

/* The best place found so far. */
typedef struct best_place {
    int place;
    double score, slack;
} best_place;

static void consider(best_place *best, int place, double score)
{
    if (score > best->score + best->slack)
        *best = (best_place){place, score, best->slack};
}

/* Earlier places. With fewer before it v does not score more, so that where even the most of the
 * others would not do, no earlier place will. */
static void look_left(dpc_ordering *o, dpc_walker *walker, int v, int now, best_place *best)
{
    double own = o->score[v];
    memcpy(o->held, o->taken + v * o->words, (size_t)o->words * sizeof *o->held);
    for (int j = now - 1; j >= 0 && own + o->most[j] > best->score + best->slack; j--) {
        int w = o->others[j];
        if (dpc_bit(o->held, 0, 0, w))
            own = own_score(o, walker, v, o->place[w]);
        consider(best, j, own + o->later[j]);
    }
}

/* Later places. With all before it v scores most. */
static void look_right(dpc_ordering *o, dpc_walker *walker, int v, int count, int now,
                       best_place *best)
{
    double own = o->score[v];
    if (now == count)
        return;
    double top = fmax(own, own_score(o, walker, v, o->n));
    memcpy(o->mine, o->passed + v * o->words, (size_t)o->words * sizeof *o->mine);
    for (int j = now + 1; j <= count && top + o->most[j] > best->score + best->slack; j++) {
        int w = o->others[j - 1];
        if (dpc_bit(o->mine, 0, 0, w))
            own = own_score(o, walker, v, o->place[w] + 1);
        consider(best, j, own + o->later[j]);
    }
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

static void uncheck_all(dpc_ordering *o)
{
    memset(o->checked, false, (size_t)o->n * sizeof *o->checked);
}

/* All that a move of v may matter for has to be looked at again; where every node is a candidate of
 * every other, first those that are near. */
static void uncheck(dpc_ordering *o, int v)
{
    if (o->near == NULL) {
        uncheck_all(o);
        return;
    }
    const dpc_relatives *near = &o->near[v];
    for (int64_t i = 0; i < near->count; i++) {
        const dpc_relatives *next = &o->near[near->node[i]];
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
    uncheck(o, v);
}

bool dpc_ordering_move(dpc_ordering *o, dpc_walker *walker, int v)
{
    int low, high, now = 0;
    dpc_precedence_window(walker->trees->precedence, o->place, v, &low, &high);
    int count = find_others(o, walker->trees, v, low, high);
    while (now < count && o->place[o->others[now]] < o->place[v])
        now++;
    weigh_later(o, walker, v, count, now);
    best_place best = {now, o->score[v] + o->later[now], walker->trees->scoring->slack};
    look_left(o, walker, v, now, &best);
    look_right(o, walker, v, count, now, &best);
    if (best.place == now || walker->status != DPC_OK)
        return false;
    dpc_ordering_put(o, walker, v, o->place[o->others[best.place - (best.place > now)]]);
    return true;
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

/* All nodes once, but for those that have no better place. Has one moved? */
static bool take_turn(dpc_ordering *o, dpc_walker *walker, dpc_is_over *over, void *context)
{
    bool moved = false;
    for (int i = 0; i < o->n; i++) {
        int v = o->turn[i];
        if (o->checked[v])
            continue;
        if (walker->status != DPC_OK || over(context, o))
            return false;
        moved = dpc_ordering_move(o, walker, v) || moved;
        o->checked[v] = true;
    }
    return moved;
}

void dpc_ordering_settle(dpc_ordering *o, dpc_walker *walker, dpc_random *random, dpc_is_over *over,
                         void *context)
{
    bool moved = true, whole = true; /* all nodes were looked at in the last turn */
    for (int v = 0; v < o->n; v++)
        o->turn[v] = v;
    for (int turns = 0; (moved || !whole) && turns < MOST_TURNS; turns++) {
        whole = turns == 0 || !moved;
        if (whole && turns > 0)
            uncheck_all(o);
        dpc_shuffle(random, o->turn, o->n);
        moved = take_turn(o, walker, over, context);
        if (walker->status != DPC_OK || over(context, o))
            return;
        whole = whole || walker->trees->candidates != NULL;
    }
}

dpc_status dpc_ordering_dag(dpc_ordering *o, dpc_walker *walker, dpc_families *dag)
{
    int32_t *parents = walker->scorer->list;
    for (int v = 0; v < o->n; v++) {
        int count = dpc_ordering_parents(o, walker, v, parents);
        DPC_CHECK(walker->status);
        for (int j = 0; j < count; j++)
            DPC_CHECK(dpc_families_add(dag, parents[j], v));
    }
    return DPC_OK;
}
