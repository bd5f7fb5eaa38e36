/* Orientation by weighed triples, the slow way: see weighed_twin.h. */
#include "weighed_twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *p)
{
    if (p == NULL) {
        perror("weighed_twin");
        abort();
    }
    return p;
}

static bool *at(bool *matrix, int n, int a, int b)
{
    return &matrix[(size_t)a * n + b];
}

static bool adjacent(const struct weighed_twin *t, int a, int b)
{
    return t->adjacent[(size_t)a * t->n + b];
}

static bool arrow(const struct weighed_twin *t, int a, int b)
{
    return t->arrow[(size_t)a * t->n + b];
}

static bool undirected(const struct weighed_twin *t, int a, int b)
{
    return adjacent(t, a, b) && !arrow(t, a, b) && !arrow(t, b, a);
}

static bool must(const struct weighed_twin *t, int a, int b)
{
    return t->must != NULL && t->must[(size_t)a * t->n + b];
}

static size_t triple(const struct weighed_twin *t, int y, int x, int z)
{
    return ((size_t)y * t->n + x) * t->n + z;
}

static bool is_triple(const struct weighed_twin *t, int y, int x, int z)
{
    return x != z && adjacent(t, y, x) && adjacent(t, y, z) && !adjacent(t, x, z);
}

/* Is there a way from a to b, not by the arrow a → b itself? */
static bool reaches(const struct weighed_twin *t, int a, int b, bool *seen)
{
    seen[a] = true;
    for (int c = 0; c < t->n; c++) {
        if (!arrow(t, a, c) || seen[c])
            continue;
        if (c == b)
            return true;
        if (reaches(t, c, b, seen))
            return true;
    }
    return false;
}

static bool has_way(struct weighed_twin *t, int a, int b)
{
    bool *seen = need(calloc((size_t)t->n, sizeof *seen)), itself = arrow(t, a, b);
    *at(t->arrow, t->n, a, b) = false;
    bool found = reaches(t, a, b, seen);
    *at(t->arrow, t->n, a, b) = itself;
    free(seen);
    return found;
}

/* ---- Decide ---- */

/* Directs a → b; false: it cannot be. */
static bool direct(struct weighed_twin *t, int a, int b, bool *changed)
{
    if (arrow(t, a, b))
        return true;
    if (arrow(t, b, a) || has_way(t, b, a))
        return false;
    *at(t->arrow, t->n, a, b) = true;
    *changed = true;
    return true;
}

/* Does rule 3 give a → b, by c and some d? */
static bool given_by_two(const struct weighed_twin *t, int a, int b, int c)
{
    for (int d = 0; d < t->n; d++)
        if (undirected(t, a, d) && arrow(t, d, b) && t->apart[triple(t, a, c, d)])
            return true;
    return false;
}

/* Does one of rules 1 to 3 give a → b? */
static bool given(const struct weighed_twin *t, int a, int b)
{
    for (int c = 0; c < t->n; c++)
        if ((arrow(t, c, a) && t->apart[triple(t, a, c, b)]) ||
            (arrow(t, a, c) && arrow(t, c, b)) ||
            (undirected(t, a, c) && arrow(t, c, b) && given_by_two(t, a, b, c)))
            return true;
    return false;
}

/* Does y, decided to be none, have become a collider? */
static bool broken(const struct weighed_twin *t)
{
    for (int y = 0; y < t->n; y++)
        for (int x = 0; x < t->n; x++)
            for (int z = 0; z < t->n && arrow(t, x, y); z++)
                if (t->apart[triple(t, y, x, z)] && arrow(t, z, y))
                    return true;
    return false;
}

/* All that follows; false: there is a contradiction. */
static bool close(struct weighed_twin *t)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int a = 0; a < t->n; a++)
            for (int b = 0; b < t->n; b++)
                if (undirected(t, a, b) && given(t, a, b) && !direct(t, a, b, &changed))
                    return false;
    }
    return !broken(t);
}

static void set_apart(struct weighed_twin *t, int y, int x, int z, bool value)
{
    t->apart[triple(t, y, x, z)] = t->apart[triple(t, y, z, x)] = value;
}

static bool try_collider(struct weighed_twin *t, int y, int x, int z)
{
    bool changed;
    return direct(t, x, y, &changed) && direct(t, z, y, &changed) && close(t);
}

static void decide(struct weighed_twin *t, int y, int x, int z)
{
    size_t bytes = (size_t)t->n * t->n * sizeof *t->arrow;
    bool *before = need(malloc(bytes));
    memcpy(before, t->arrow, bytes);
    if (t->weight[triple(t, y, x, z)] <= 0 || !try_collider(t, y, x, z)) {
        memcpy(t->arrow, before, bytes);
        set_apart(t, y, x, z, true);
        if (!close(t)) {
            memcpy(t->arrow, before, bytes);
            set_apart(t, y, x, z, false);
        }
    }
    free(before);
}

struct listed {
    int64_t strength;
    int y, x, z;
};

static int by_strength(const void *pa, const void *pb)
{
    const struct listed *a = pa, *b = pb;
    if (a->strength != b->strength)
        return a->strength > b->strength ? -1 : 1;
    if (a->y != b->y)
        return a->y - b->y;
    return a->x != b->x ? a->x - b->x : a->z - b->z;
}

void twin_decide(struct weighed_twin *t)
{
    int n = t->n;
    size_t count = 0;
    struct listed *list = need(malloc((size_t)n * n * n * sizeof *list));
    memset(t->arrow, 0, (size_t)n * n * sizeof *t->arrow);
    memset(t->apart, 0, (size_t)n * n * n * sizeof *t->apart);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (adjacent(t, a, b) && must(t, a, b))
                *at(t->arrow, n, a, b) = true;
    close(t);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int z = x + 1; z < n; z++)
                if (is_triple(t, y, x, z))
                    list[count++] =
                        (struct listed){llabs((long long)t->weight[triple(t, y, x, z)]), y, x, z};
    qsort(list, count, sizeof *list, by_strength);
    for (size_t i = 0; i < count; i++)
        decide(t, list[i].y, list[i].x, list[i].z);
    free(list);
}

/* ---- Complete ---- */

static int64_t cost_of(const struct weighed_twin *t, int y, const bool *gone)
{
    int64_t cost = 0;
    for (int x = 0; x < t->n; x++) {
        if (!adjacent(t, y, x) || gone[x])
            continue;
        cost += arrow(t, y, x) ? INT64_C(1000000000) : 0;
        for (int z = x + 1; z < t->n; z++) {
            int64_t w = t->weight[triple(t, y, x, z)];
            if (is_triple(t, y, x, z) && !gone[z] && !(arrow(t, x, y) && arrow(t, z, y)))
                cost += 1000000 + (w < 0 ? -w : 0);
        }
    }
    return cost;
}

static bool waits(const struct weighed_twin *t, int y, const bool *gone)
{
    for (int x = 0; x < t->n; x++)
        if (adjacent(t, y, x) && !gone[x] && must(t, y, x))
            return true;
    return false;
}

void twin_complete(struct weighed_twin *t)
{
    int n = t->n;
    bool *gone = need(calloc((size_t)n, sizeof *gone));
    bool *dag = need(calloc((size_t)n * n, sizeof *dag));
    for (int turn = 0; turn < n; turn++) {
        int sink = -1;
        int64_t least = INT64_MAX;
        for (int y = 0; y < n; y++) {
            int64_t cost = gone[y] || waits(t, y, gone) ? INT64_MAX : cost_of(t, y, gone);
            if (cost < least) {
                least = cost;
                sink = y;
            }
        }
        gone[sink] = true;
        for (int x = 0; x < n; x++)
            if (adjacent(t, sink, x) && !gone[x])
                *at(dag, n, x, sink) = true;
    }
    memcpy(t->arrow, dag, (size_t)n * n * sizeof *dag);
    free(gone);
    free(dag);
}

/* ---- Polish ---- */

/* Σ w over the triples of y and x with the other parents of y. */
static int64_t sum_of(const struct weighed_twin *t, int y, int x)
{
    int64_t sum = 0;
    for (int z = 0; z < t->n; z++)
        if (z != x && arrow(t, z, y) && is_triple(t, y, x, z))
            sum += t->weight[triple(t, y, x, z)];
    return sum;
}

/* The best reversal that was not refused; false: none adds anything. */
static bool find_best(const struct weighed_twin *t, const bool *refused, int *from, int *to)
{
    int64_t most = 1;
    *from = -1;
    for (int a = 0; a < t->n; a++)
        for (int b = 0; b < t->n; b++) {
            if (!arrow(t, a, b) || refused[(size_t)a * t->n + b] || must(t, a, b))
                continue;
            int64_t gain = sum_of(t, a, b) - sum_of(t, b, a);
            if (gain > most) {
                most = gain;
                *from = a;
                *to = b;
            }
        }
    return *from >= 0;
}

void twin_polish(struct weighed_twin *t)
{
    int n = t->n, a, b;
    bool *refused = need(malloc((size_t)n * n * sizeof *refused)), reversed = true;
    while (reversed) {
        reversed = false;
        memset(refused, 0, (size_t)n * n * sizeof *refused);
        while (find_best(t, refused, &a, &b)) {
            if (has_way(t, a, b)) {
                *at(refused, n, a, b) = true;
                continue;
            }
            *at(t->arrow, n, a, b) = false;
            *at(t->arrow, n, b, a) = true;
            reversed = true;
        }
    }
    free(refused);
}

/* ---- Evidence ---- */

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* All chains that end at a → b with arrows whose evidence is what has been found so far. */
static int32_t best_chain(const struct weighed_twin *t, const unsigned char *says,
                          const int32_t *evidence, int a, int b)
{
    int n = t->n;
    int32_t best = evidence[a * n + b];
    for (int c = 0; c < n; c++) {
        int32_t ca = evidence[c * n + a], ac = evidence[a * n + c], cb = evidence[c * n + b];
        int32_t w = t->weight[triple(t, b, a, c)], apart = -t->weight[triple(t, a, c, b)];
        int32_t found[4] = {INT32_MIN, INT32_MIN, least(ac, cb), INT32_MIN};
        if (says[triple(t, b, a, c)] & 1)
            found[0] = w;
        if (says[triple(t, a, c, b)] & 2)
            found[1] = least(ca, apart);
        for (int d = 0; d < n; d++) {
            int32_t cd = evidence[c * n + d], db = evidence[d * n + b];
            if (adjacent(t, a, c) && adjacent(t, a, d) && says[triple(t, a, c, d)] & 2)
                found[3] = least(least(cb, db), -t->weight[triple(t, a, c, d)]);
            if (t->must != NULL && adjacent(t, a, c) && adjacent(t, a, d) &&
                says[triple(t, a, c, b)] & 2 && least(least(cd, db), apart) > found[3])
                found[3] = least(least(cd, db), apart);
            best = found[3] > best ? found[3] : best;
        }
        for (int i = 0; i < 3; i++)
            best = found[i] > best ? found[i] : best;
    }
    return best;
}

void twin_evidence(const struct weighed_twin *t, const unsigned char *says, int32_t *evidence)
{
    int n = t->n;
    bool changed = true;
    for (int i = 0; i < n * n; i++)
        evidence[i] = t->arrow[i] && t->must != NULL && t->must[i] ? INT32_MAX : INT32_MIN;
    while (changed) {
        changed = false;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) {
                int32_t found = arrow(t, a, b) ? best_chain(t, says, evidence, a, b) : INT32_MIN;
                changed = changed || found != evidence[a * n + b];
                evidence[a * n + b] = found;
            }
    }
}
