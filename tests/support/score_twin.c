/* The slow twin of core/refine: see score_twin.h. */
#include "score_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is left of v given S; and the least that is left of anything on the way. */
static long double eliminate(const struct score_twin *t, int v, uint64_t set, long double *least)
{
    long double a[TWIN_NODES + 1][TWIN_NODES + 1];
    int list[TWIN_NODES + 1], k = 0;
    for (int u = 0; u < t->n; u++)
        if (set >> u & 1)
            list[k++] = u;
    list[k] = v;
    for (int i = 0; i <= k; i++)
        for (int j = 0; j <= k; j++)
            a[i][j] = t->r[list[i] * t->n + list[j]];
    for (int i = 0; i < k; i++)
        for (int j = i + 1; j <= k; j++) {
            long double f = a[j][i] / a[i][i];
            for (int q = i; q <= k; q++)
                a[j][q] -= f * a[i][q];
        }
    *least = 1;
    for (int i = 0; i <= k; i++)
        *least = a[i][i] >= *least ? *least : a[i][i] > 0 ? a[i][i] : 0;
    return a[k][k];
}

double twin_family(const struct score_twin *t, int v, uint64_t set)
{
    long double least, left = eliminate(t, v, set, &least);
    return (double)(-t->n_obs / 2 * logl(left)) - t->price * __builtin_popcountll(set);
}

double twin_least_left(const struct score_twin *t, int v, uint64_t set)
{
    long double least;
    eliminate(t, v, set, &least);
    return (double)least;
}

uint64_t twin_grow_shrink(const struct score_twin *t, int v, uint64_t before)
{
    uint64_t set = 0;
    double now = twin_family(t, v, 0);
    for (bool going = true; going;) {
        double best = now;
        int add = -1;
        for (int u = 0; u < t->n; u++)
            if (u != v && (before >> u & 1) && !(set >> u & 1) &&
                __builtin_popcountll(set) < t->most_parents &&
                twin_family(t, v, set | UINT64_C(1) << u) > best) {
                best = twin_family(t, v, set | UINT64_C(1) << u);
                add = u;
            }
        going = add >= 0;
        set |= going ? UINT64_C(1) << add : 0;
        now = best;
    }
    for (bool going = true; going;) {
        double best = now;
        int drop = -1;
        for (int u = 0; u < t->n; u++)
            if ((set >> u & 1) && twin_family(t, v, set & ~(UINT64_C(1) << u)) > best) {
                best = twin_family(t, v, set & ~(UINT64_C(1) << u));
                drop = u;
            }
        going = drop >= 0;
        set &= going ? ~(UINT64_C(1) << drop) : ~UINT64_C(0);
        now = best;
    }
    return set;
}

double twin_score(const struct score_twin *t, const uint64_t *parents)
{
    double sum = 0;
    for (int v = 0; v < t->n; v++)
        sum += twin_family(t, v, parents[v]);
    return sum;
}

/* The best order of a set of nodes has a last one, and is best without it. */
double twin_best_order(const struct score_twin *t)
{
    double best[1 << TWIN_BRUTE] = {0};
    for (int set = 1; set < 1 << t->n; set++) {
        best[set] = -INFINITY;
        for (int v = 0; v < t->n; v++) {
            int before = set & ~(1 << v);
            if (before == set)
                continue;
            uint64_t parents = twin_grow_shrink(t, v, (uint64_t)before);
            best[set] = fmax(best[set], best[before] + twin_family(t, v, parents));
        }
    }
    return best[(1 << t->n) - 1];
}

/* ---- All DAGs ---- */

static bool is_family(const struct twin_dags *d, int v, uint64_t set)
{
    uint64_t required = d->required[v], bit = UINT64_C(1) << v;
    int most = d->most > __builtin_popcountll(required) ? d->most : __builtin_popcountll(required);
    return (set & (d->banned[v] | bit)) == 0 && (required & ~set) == 0 &&
           __builtin_popcountll(set) <= most;
}

/* Parents for v and all nodes after it, those before it having theirs. */
static void try_parents(const struct twin_dags *d, int v, uint64_t *parents, double score,
                        double *best)
{
    for (uint64_t set = 0; v < d->n && set < UINT64_C(1) << d->n; set++)
        if (is_family(d, v, set)) {
            parents[v] = set;
            if (!twin_leads(parents, v, v)) /* those after it have no parents yet */
                try_parents(d, v + 1, parents, score + d->local(d->context, v, set), best);
            parents[v] = 0;
        }
    if (v == d->n && score > *best)
        *best = score;
}

double twin_best_of_all(const struct twin_dags *d)
{
    uint64_t parents[TWIN_NODES] = {0};
    double best = -INFINITY;
    try_parents(d, 0, parents, 0, &best);
    return best;
}

/* The best parents of v among a set. */
static double best_within(const struct twin_dags *d, const double *local, int v, uint64_t before)
{
    double best = -INFINITY;
    for (uint64_t set = before;; set = (set - 1) & before) {
        if (is_family(d, v, set))
            best = fmax(best, local[((uint64_t)v << d->n) + set]);
        if (set == 0)
            return best;
    }
}

double twin_best_by_sets(const struct twin_dags *d)
{
    static double local[TWIN_EXACT << TWIN_EXACT], best[1 << TWIN_EXACT];
    uint64_t all = UINT64_C(1) << d->n;
    for (int v = 0; v < d->n; v++)
        for (uint64_t set = 0; set < all; set++)
            if (is_family(d, v, set))
                local[((uint64_t)v << d->n) + set] = d->local(d->context, v, set);
    best[0] = 0;
    for (uint64_t set = 1; set < all; set++) {
        best[set] = -INFINITY;
        for (int v = 0; v < d->n; v++)
            if (set >> v & 1) {
                uint64_t before = set & ~(UINT64_C(1) << v);
                best[set] = fmax(best[set], best[before] + best_within(d, local, v, before));
            }
    }
    return best[all - 1];
}

/* ---- Ways and members ---- */

bool twin_leads(const uint64_t *parents, int from, int to)
{
    uint64_t seen = 0, next = parents[to];
    while (next & ~seen) {
        int v = __builtin_ctzll(next & ~seen);
        seen |= UINT64_C(1) << v;
        next |= parents[v];
    }
    return seen >> from & 1;
}

enum { MOST_NODES = 8 };

struct members {
    uint8_t (*dag)[MOST_NODES];
    int count, most;
};

static void add_member(struct members *m, const uint8_t *dag)
{
    for (int i = 0; i < m->count; i++)
        if (memcmp(m->dag[i], dag, MOST_NODES) == 0)
            return;
    if (m->count < m->most)
        memcpy(m->dag[m->count++], dag, MOST_NODES);
}

int twin_members(int n, const uint64_t *parents, int most, twin_visit *visit, void *context)
{
    struct members m = {.dag = malloc((size_t)most * MOST_NODES), .most = most};
    uint8_t first[MOST_NODES] = {0};
    if (m.dag == NULL)
        abort();
    for (int v = 0; v < n; v++)
        first[v] = (uint8_t)parents[v];
    add_member(&m, first);
    for (int at = 0; at < m.count; at++) {
        uint64_t now[MOST_NODES] = {0};
        for (int v = 0; v < n; v++)
            now[v] = m.dag[at][v];
        visit(context, now);
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++)
                if ((now[y] >> x & 1) && now[y] == (now[x] | UINT64_C(1) << x)) { /* covered */
                    uint8_t turned[MOST_NODES];
                    memcpy(turned, m.dag[at], MOST_NODES);
                    turned[y] &= (uint8_t) ~(1 << x);
                    turned[x] |= (uint8_t)(1 << y);
                    add_member(&m, turned);
                }
    }
    free(m.dag);
    return m.count;
}

void twin_wander(gsl_rng *rng, int n, uint64_t *parents, int times)
{
    for (int i = 0; i < times; i++) {
        int from[TWIN_NODES * TWIN_NODES], to[TWIN_NODES * TWIN_NODES], count = 0;
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++)
                if ((parents[y] >> x & 1) && parents[y] == (parents[x] | UINT64_C(1) << x)) {
                    from[count] = x;
                    to[count++] = y;
                }
        if (count == 0)
            return;
        unsigned long at = gsl_rng_uniform_int(rng, (unsigned long)count);
        parents[to[at]] &= ~(UINT64_C(1) << from[at]);
        parents[from[at]] |= UINT64_C(1) << to[at];
    }
}
