/* Best order score search: see order.h. */
#include "order.h"

#include "memory.h"

#include <string.h>

dpc_status dpc_ordering_init(dpc_ordering *o, int n)
{
    *o = (dpc_ordering){.n = n, .words = dpc_bit_words(n)};
    o->order = dpc_alloc(n, sizeof *o->order);
    o->place = dpc_alloc(n, sizeof *o->place);
    o->score = dpc_alloc(n, sizeof *o->score);
    o->taken = dpc_zalloc(o->words * n, sizeof *o->taken);
    o->passed = dpc_zalloc(o->words * n, sizeof *o->passed);
    o->before = dpc_zalloc(o->words, sizeof *o->before);
    o->mine = dpc_zalloc(o->words, sizeof *o->mine);
    o->at = dpc_alloc(n, sizeof *o->at);
    o->change = dpc_alloc(n, sizeof *o->change);
    o->turn = dpc_alloc(n, sizeof *o->turn);
    o->checked = dpc_alloc(n, sizeof *o->checked);
    bool fine = o->order && o->place && o->score && o->taken && o->passed && o->before && o->mine &&
                o->at && o->change && o->turn && o->checked;
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_ordering_clear(dpc_ordering *o)
{
    free(o->order);
    free(o->place);
    free(o->score);
    free(o->taken);
    free(o->passed);
    free(o->before);
    free(o->mine);
    free(o->at);
    free(o->change);
    free(o->turn);
    free(o->checked);
    *o = (dpc_ordering){0};
}

static void put(uint64_t *bits, int v)
{
    bits[v / 64] |= UINT64_C(1) << (v % 64);
}

static void take_out(uint64_t *bits, int v)
{
    bits[v / 64] &= ~(UINT64_C(1) << (v % 64));
}

static void none(const dpc_ordering *o, uint64_t *bits)
{
    memset(bits, 0, (size_t)o->words * sizeof *bits);
}

/* Walks for w, and keeps what the walk has seen. o->before holds those before it. */
static void renew(dpc_ordering *o, dpc_walker *walker, int w)
{
    uint64_t *taken = o->taken + w * o->words;
    o->score[w] = dpc_walk(walker, w, o->before);
    memcpy(o->passed + w * o->words, walker->passed, (size_t)o->words * sizeof *taken);
    none(o, taken);
    for (int i = 0; i < walker->length; i++)
        put(taken, walker->path[i]);
}

void dpc_ordering_take(dpc_ordering *o, dpc_walker *walker, const int32_t *order)
{
    if (order != o->order)
        memcpy(o->order, order, (size_t)o->n * sizeof *order);
    none(o, o->before);
    for (int i = 0; i < o->n; i++) {
        int v = o->order[i];
        o->place[v] = i;
        o->checked[v] = -1;
        renew(o, walker, v);
        put(o->before, v);
    }
    o->moves = 0;
}

double dpc_ordering_score(const dpc_ordering *o)
{
    double score = 0;
    for (int v = 0; v < o->n; v++)
        score += o->score[v];
    return score;
}

/* ---- One move ---- */

/*
 * What it means for w, one of the others, that v comes before it: the score with v minus that
 * without. o->before holds those before w, but for v.
 */
static double change_of(dpc_ordering *o, dpc_walker *walker, int v, int w)
{
    if (o->place[w] > o->place[v])
        return dpc_bit(o->taken, o->words, w, v) ? o->score[w] - dpc_walk(walker, w, o->before) : 0;
    if (!dpc_bit(o->passed, o->words, w, v))
        return 0;
    put(o->before, v);
    double with = dpc_walk(walker, w, o->before);
    take_out(o->before, v);
    return with - o->score[w];
}

static double own_score(dpc_ordering *o, dpc_walker *walker, int v)
{
    double score = dpc_walk(walker, v, o->before);
    memcpy(o->mine, walker->passed, (size_t)o->words * sizeof *o->mine);
    return score;
}

static int other_at(const dpc_ordering *o, int v, int j)
{
    return o->order[j < o->place[v] ? j : j + 1];
}

/* Fills, for the places j between low and high among the others, o->at and o->change. */
static void weigh_places(dpc_ordering *o, dpc_walker *walker, int v, int low, int high)
{
    none(o, o->before);
    for (int j = 0; j < low; j++)
        put(o->before, other_at(o, v, j));
    double own = own_score(o, walker, v);
    for (int j = low; j < high; j++) {
        int w = other_at(o, v, j);
        o->at[j] = own;
        o->change[j] = change_of(o, walker, v, w);
        put(o->before, w);
        if ((o->mine[w / 64] >> (w % 64) & 1) != 0)
            own = own_score(o, walker, v);
    }
    o->at[high] = own;
}

/* The best of these places, the first of those that are equally good; better than now, or now. */
static int best_place(dpc_ordering *o, int v, int low, int high, double slack)
{
    double later = 0, best;
    int place = o->place[v];
    for (int j = high; j >= low; j--) { /* those after v have it before them */
        later += j < high ? o->change[j] : 0;
        o->at[j] += later;
    }
    best = o->at[place];
    for (int j = low; j <= high; j++)
        if (o->at[j] > best + slack) {
            best = o->at[j];
            place = j;
        }
    return place;
}

/* Puts v into place j among the others, and walks for those for whom that changes something. */
static void move_to(dpc_ordering *o, dpc_walker *walker, int v, int j)
{
    int from = o->place[v], first = from < j ? from : j, last = from < j ? j : from;
    bool earlier = j < from;
    if (earlier)
        memmove(o->order + j + 1, o->order + j, (size_t)(from - j) * sizeof *o->order);
    else
        memmove(o->order + from, o->order + from + 1, (size_t)(j - from) * sizeof *o->order);
    o->order[j] = v;
    none(o, o->before);
    for (int i = 0; i <= last; i++) {
        int w = o->order[i];
        if (i >= first) {
            o->place[w] = i;
            if (w == v || dpc_bit(earlier ? o->passed : o->taken, o->words, w, v))
                renew(o, walker, w);
        }
        put(o->before, w);
    }
}

bool dpc_ordering_move(dpc_ordering *o, dpc_walker *walker, int v)
{
    int low, high;
    dpc_precedence_window(walker->trees->precedence, o->place, v, &low, &high);
    if (low < high)
        weigh_places(o, walker, v, low, high);
    if (walker->status != DPC_OK || low >= high)
        return false;
    int place = best_place(o, v, low, high, walker->trees->scoring->slack);
    if (place == o->place[v])
        return false;
    move_to(o, walker, v, place);
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

enum { MOST_SWEEPS = 100 }; /* every move is a gain; rounding could make a circle of them */

void dpc_ordering_settle(dpc_ordering *o, dpc_walker *walker, dpc_random *random, dpc_staff *staff,
                         int worker)
{
    bool moved = true;
    for (int v = 0; v < o->n; v++)
        o->turn[v] = v;
    for (int sweep = 0; moved && sweep < MOST_SWEEPS; sweep++) {
        moved = false;
        dpc_shuffle(random, o->turn, o->n);
        for (int i = 0; i < o->n && walker->status == DPC_OK; i++) {
            int v = o->turn[i];
            if (o->checked[v] == o->moves)
                continue;
            if (dpc_staff_halted(staff, worker))
                return;
            if (dpc_ordering_move(o, walker, v)) {
                o->moves++;
                moved = true;
            }
            o->checked[v] = o->moves;
        }
    }
}

dpc_status dpc_ordering_dag(const dpc_ordering *o, dpc_walker *walker, dpc_families *dag)
{
    int32_t *parents = dpc_alloc(o->n, sizeof *parents);
    dpc_status status = parents != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK)
        none(o, o->before);
    for (int i = 0; status == DPC_OK && i < o->n; i++) {
        int v = o->order[i];
        dpc_walk(walker, v, o->before);
        int count = walker->status == DPC_OK ? dpc_walk_parents(walker, v, parents) : 0;
        status = walker->status;
        for (int j = 0; status == DPC_OK && j < count; j++)
            status = dpc_families_add(dag, parents[j], v);
        put(o->before, v);
    }
    free(parents);
    return status;
}
