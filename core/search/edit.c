/* Editing the parents of a node: see edit.h. */
#include "edit.h"

#include "alloc.h"
#include "linalg.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

enum { ONE_BY_ONE = 24, MANY = 100, MOST_ROUNDS = 50 };

/* ---- All regressions along an order ---- */

dpc_status dpc_regressions_init(dpc_regressions *g, int n)
{
    *g = (dpc_regressions){.n = n};
    g->k = dpc_alloc((int64_t)n * n, sizeof *g->k);
    return g->k != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_regressions_clear(dpc_regressions *g)
{
    free(g->k);
    *g = (dpc_regressions){0};
}

/* Turns K, entry [column][row], into rows, and puts the sums of squares above the diagonal. */
static void arrange(dpc_regressions *g)
{
    int n = g->n;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = i; j < n; j++) {
            double entry = g->k[(int64_t)i * n + j]; /* K[j][i] */
            g->k[(int64_t)j * n + i] = entry;
            if (j > i)
                g->k[(int64_t)i * n + j] = sum;
            sum += entry * entry;
        }
    }
}

void dpc_regressions_make(dpc_regressions *g, const dpc_workers *workers, const int32_t *order)
{
    const dpc_scorer *h = &workers->each[0];
    const dpc_view *view = &h->scoring->stats.view;
    dpc_shared_work work = {.crew = workers->crew, .worker = DPC_ALL_WORKERS};
    g->made = false;
    for (int i = 0; i < g->n; i++)
        h->list[i] = dpc_column_of(view->labels, order[i]);
    dpc_gather(view, h->list, g->n, g->k);
    if (!dpc_blocks_factor(g->k, g->n, &work))
        return;
    for (int i = 0; i < g->n; i++)
        if (!(g->k[(int64_t)i * g->n + i] > sqrt(DPC_SINGULAR)))
            return;
    if (!dpc_blocks_invert(g->k, g->n, &work))
        return;
    arrange(g);
    g->made = true;
}

/* ---- Editors ---- */

dpc_status dpc_editor_init(dpc_editor *e, dpc_scorer *scorer, const dpc_precedence *precedence)
{
    int64_t n = scorer->scoring->stats.n;
    *e = (dpc_editor){.scorer = scorer, .precedence = precedence};
    e->before = dpc_arena_alloc(&e->memory, n, sizeof *e->before);
    e->set = dpc_arena_alloc(&e->memory, n, sizeof *e->set);
    e->start = dpc_arena_alloc(&e->memory, n, sizeof *e->start);
    e->ranked = dpc_arena_alloc(&e->memory, 3 * n, sizeof *e->ranked);
    return dpc_arena_failed(&e->memory) ? DPC_NO_MEMORY : DPC_OK;
}

void dpc_editor_clear(dpc_editor *e)
{
    dpc_arena_clear(&e->memory);
    *e = (dpc_editor){0};
}

void dpc_edit_among(dpc_editor *e, int v, const int32_t *place, int limit,
                    const dpc_relatives *near)
{
    const dpc_scoring *s = e->scorer->scoring;
    int64_t count = near != NULL ? near->count : s->stats.n;
    e->v = v;
    e->n_before = 0;
    for (int64_t i = 0; i < count; i++) {
        int u = near != NULL ? near->node[i] : (int)i;
        if (u != v && place[u] < limit && dpc_may_be_parent(s, u, v))
            e->before[e->n_before++] = u;
    }
}

/* ---- Growing and shrinking ---- */

static void take(dpc_editor *e, const int32_t *set, int count)
{
    const dpc_relatives *required = &e->precedence->required.pa[e->v];
    e->count = dpc_unite(set, count, required->node, (int)required->count, e->set);
}

/* The family stands on the set, over all that may be parents. */
static dpc_status stand(dpc_editor *e)
{
    dpc_family *f = &e->scorer->family;
    int32_t *list = e->scorer->list;
    int count = dpc_unite(e->before, e->n_before, e->set, e->count, list);
    DPC_CHECK(dpc_family_start(f, e->v, list, count));
    return dpc_family_push_all(f, e->set, e->count);
}

/* The best that there is to be had where the family stands; false: nothing is worth its price. */
static bool find_best(dpc_editor *e, dpc_candidate *best)
{
    dpc_scorer *h = e->scorer;
    int count = dpc_scorer_candidates(h);
    if (count == 0)
        return false;
    dpc_scorer_sort(h, count);
    *best = h->candidates[0];
    return dpc_gain_of(h->scoring, best->square) > h->scoring->slack;
}

static dpc_status grow(dpc_editor *e, bool *grown)
{
    dpc_scorer *h = e->scorer;
    dpc_candidate best;
    bool pushed = true;
    while (pushed && h->family.depth < h->scoring->most_parents && find_best(e, &best)) {
        DPC_CHECK(dpc_family_push(&h->family, best.node, &pushed));
        *grown = *grown || pushed;
    }
    return DPC_OK;
}

/* What is left where the family stands becomes the set. */
static dpc_status shrink(dpc_editor *e, bool *dropped)
{
    dpc_scorer *h = e->scorer;
    double score = 0;
    DPC_CHECK(dpc_scorer_shrink(h, &score));
    *dropped = h->size < h->family.depth;
    dpc_sort_numbers(h->parent, h->size);
    take(e, h->parent, h->size);
    return DPC_OK;
}

static dpc_status find_score(dpc_editor *e)
{
    DPC_CHECK(dpc_family_of(&e->scorer->family, e->v, e->set, e->count));
    e->score = dpc_scorer_score(e->scorer, e->count);
    return DPC_OK;
}

/* Grows and shrinks the set until neither changes it. */
static dpc_status grow_and_shrink(dpc_editor *e)
{
    bool grown = true, dropped = true;
    for (int i = 0; i < MOST_ROUNDS && grown && dropped; i++) {
        grown = i == 0; /* at first there may be something to drop, too */
        DPC_CHECK(stand(e));
        DPC_CHECK(grow(e, &grown));
        DPC_CHECK(shrink(e, &dropped));
    }
    return find_score(e);
}

dpc_status dpc_edit(dpc_editor *e, const int32_t *set, int count)
{
    take(e, set, count);
    return grow_and_shrink(e);
}

/* ---- Swapping ---- */

static void put(dpc_editor *e, const int32_t *set, int count)
{
    if (count > 0)
        memcpy(e->set, set, (size_t)count * sizeof *set);
    e->count = count;
}

/* e->start without the parent in place i, into the set. */
static void leave_out(dpc_editor *e, int i, int count)
{
    put(e, e->start, i);
    memcpy(e->set + i, e->start + i + 1, (size_t)(count - i - 1) * sizeof *e->set);
    e->count = count - 1;
}

/* Parent i of e->start for the best other one: what that gains. */
static dpc_status weigh_swap(dpc_editor *e, int i, int count, double *gain, int *other)
{
    dpc_scorer *h = e->scorer;
    dpc_candidate best;
    *gain = -INFINITY;
    if (dpc_required_parent(h->scoring, e->start[i], e->v))
        return DPC_OK;
    leave_out(e, i, count);
    DPC_CHECK(stand(e));
    double own = dpc_family_square(&h->family, e->start[i]);
    if (!find_best(e, &best) || best.node == e->start[i])
        return DPC_OK;
    *gain = dpc_likelihood_of(h->scoring, best.square) -
            (isnan(own) ? 0 : dpc_likelihood_of(h->scoring, own));
    *other = best.node;
    return DPC_OK;
}

/* Makes the best swap; false: none is a gain, and the set is as it was. */
static dpc_status swap_best(dpc_editor *e, bool *swapped)
{
    int count = e->count, place = -1, other = -1;
    double most = e->scorer->scoring->slack;
    memcpy(e->start, e->set, (size_t)count * sizeof *e->set);
    for (int i = 0; i < count; i++) {
        double gain;
        int node = -1;
        DPC_CHECK(weigh_swap(e, i, count, &gain, &node));
        if (gain > most) {
            most = gain;
            place = i;
            other = node;
        }
    }
    *swapped = place >= 0;
    put(e, e->start, count);
    if (place >= 0) {
        e->set[place] = other;
        dpc_sort_numbers(e->set, count);
    }
    return DPC_OK;
}

/* Swaps, grows and shrinks until nothing gains. */
static dpc_status go_deep(dpc_editor *e)
{
    bool swapped = true;
    DPC_CHECK(grow_and_shrink(e));
    for (int i = 0; i < MOST_ROUNDS && swapped && e->count > 0; i++) {
        DPC_CHECK(swap_best(e, &swapped));
        if (swapped)
            DPC_CHECK(grow_and_shrink(e));
    }
    return DPC_OK;
}

dpc_status dpc_edit_deeply(dpc_editor *e, const int32_t *set, int count)
{
    take(e, set, count);
    return go_deep(e);
}

/* ---- From all ---- */

/* The squares of e->set given each other, from the regressions, into e->ranked. */
static void read_squares(dpc_editor *e, const dpc_regressions *g, const int32_t *place)
{
    int64_t n = g->n, at = place[e->v];
    const double *row = g->k + at * n;
    double own = row[at];
    for (int i = 0; i < e->count; i++) {
        int64_t p = place[e->set[i]];
        double b = row[p] / own, grown = b * b / g->k[p * n + at];
        e->ranked[i] = (dpc_candidate){grown / (1 / (own * own) + grown), e->set[i]};
    }
}

/* The same by a family. One that the others determine is worth nothing. */
static dpc_status make_squares(dpc_editor *e)
{
    dpc_scorer *h = e->scorer;
    DPC_CHECK(dpc_family_of(&h->family, e->v, e->set, e->count));
    DPC_CHECK(dpc_scorer_squares(h));
    for (int i = 0, at = 0; i < e->count; i++) {
        bool in = at < h->size && h->parent[at] == e->set[i];
        e->ranked[i] = (dpc_candidate){in ? h->square[at++] : 0, e->set[i]};
    }
    return DPC_OK;
}

/* Drops half of those that are not worth their price, or more where they are many. Returns whether
 * there were any. */
static bool drop_half(dpc_editor *e)
{
    const dpc_scoring *s = e->scorer->scoring;
    int losers = 0, kept = 0, count = e->count;
    dpc_sort_candidates(e->ranked, count, 0, e->ranked + count);
    while (losers < count && !(e->ranked[count - 1 - losers].square > s->least))
        losers++;
    int keep = count - (losers + 1) / 2;
    keep = keep > MANY ? MANY : keep;
    keep = keep > count - losers ? keep : count - losers;
    for (int i = 0; i < count; i++)
        if (i < keep || dpc_required_parent(s, e->ranked[i].node, e->v))
            e->set[kept++] = e->ranked[i].node;
    e->count = kept;
    dpc_sort_numbers(e->set, kept);
    return kept < count;
}

dpc_status dpc_edit_from_all(dpc_editor *e, const dpc_regressions *g, const int32_t *place)
{
    bool dropped = true;
    take(e, e->before, e->n_before);
    while (e->count > ONE_BY_ONE && dropped) {
        if (g != NULL && g->made && e->count == place[e->v])
            read_squares(e, g, place);
        else
            DPC_CHECK(make_squares(e));
        dropped = drop_half(e);
    }
    if (e->count > e->scorer->scoring->most_parents)
        take(e, e->set, 0); /* with so many nothing can be told: from none, then */
    return go_deep(e);
}
