/*
 * Steps between equivalence classes: see ges_cpdag.h.
 *
 * To make a step, the undirected components are ordered by a maximum cardinality search: each next
 * node has as many ordered neighbours as any. On a chordal graph that order is perfect. It may
 * begin with any clique, in any order of its members, for each of them has all nodes before it as
 * neighbours. So the component of v begins with
 *
 *     insert u → v, swap        C, v        the parents of v are then pa(v) ∪ C
 *     delete u → v              C, v
 *     delete u — v              C, u, v     C ⊂ ad(u), so this is a clique
 *     turn v → u                C, v        and the component of u, which is another, with u
 *     turn v — u into u → v     C, v, u
 *
 * The last is no clique where C has nodes that are not adjacent to u. Still it can be continued: a
 * path outside of it from u to a node of C \ N would, with v, be a cycle with chords from v only;
 * all its nodes would be neighbours of v, and C ∩ N would not separate C \ N from N \ C in ne(v).
 * So what lies outside falls into parts each of which has a clique of ordered neighbours, and on
 * each part the search goes on as if it had begun with that clique.
 *
 * The DAG that follows has the edge changed, and its class is found by Chickering's labelling.
 */
#include "ges_cpdag.h"

#include "alloc.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

/* ---- Making and freeing ---- */

/* Room for `edges` edges everywhere. */
static dpc_status reserve(dpc_cpdag *c, int64_t edges)
{
    if (edges <= c->dag_capacity)
        return DPC_OK;
    int64_t wanted = edges + edges / 2 + c->n;
    int32_t *parent = dpc_regrow(c->parent, wanted, sizeof *parent);
    c->parent = parent != NULL ? parent : c->parent;
    bool *compelled = dpc_regrow(c->compelled, wanted, sizeof *compelled);
    c->compelled = compelled != NULL ? compelled : c->compelled;
    int32_t *now = dpc_regrow(c->now.node, 2 * wanted, sizeof *now);
    c->now.node = now != NULL ? now : c->now.node;
    int32_t *next = dpc_regrow(c->next.node, 2 * wanted, sizeof *next);
    c->next.node = next != NULL ? next : c->next.node;
    if (parent == NULL || compelled == NULL || now == NULL || next == NULL)
        return DPC_NO_MEMORY;
    c->dag_capacity = wanted;
    return DPC_OK;
}

dpc_status dpc_cpdag_init(dpc_cpdag *c, int n)
{
    *c = (dpc_cpdag){.n = n, .words = ((int64_t)n + 63) / 64};
    dpc_arena *a = &c->memory;
    c->bits = dpc_arena_zalloc(a, c->words * n, sizeof *c->bits);
    c->order = dpc_arena_alloc(a, n, sizeof *c->order);
    c->start = dpc_arena_zalloc(a, (int64_t)n + 1, sizeof *c->start);
    c->changed = dpc_arena_alloc(a, n, sizeof *c->changed);
    c->rank = dpc_arena_alloc(a, n, sizeof *c->rank);
    c->queue = dpc_arena_alloc(a, n, sizeof *c->queue);
    c->head = dpc_arena_alloc(a, (int64_t)n + 1, sizeof *c->head);
    c->forward = dpc_arena_alloc(a, n, sizeof *c->forward);
    c->backward = dpc_arena_alloc(a, n, sizeof *c->backward);
    c->mark = dpc_arena_zalloc(a, n, sizeof *c->mark);
    for (int v = 0; c->order != NULL && v < n; v++)
        c->order[v] = v;
    DPC_CHECK(dpc_mixed_lists_make(n, 0, &c->now));
    DPC_CHECK(dpc_mixed_lists_make(n, 0, &c->next));
    return dpc_arena_failed(a) ? DPC_NO_MEMORY : reserve(c, 1);
}

void dpc_cpdag_clear(dpc_cpdag *c)
{
    dpc_mixed_lists_clear(&c->now);
    dpc_mixed_lists_clear(&c->next);
    free(c->parent);
    free(c->compelled);
    dpc_arena_clear(&c->memory);
}

/* ---- Semi-directed paths ---- */

bool dpc_cpdag_leads(const dpc_cpdag *c, int x, int y)
{
    const int32_t *list;
    int count = dpc_cpdag_neighbours(c, x, &list);
    if (!dpc_cpdag_joined(c, x, y))
        return false;
    if (dpc_place_of(list, count, y) >= 0)
        return true;
    count = dpc_cpdag_children(c, x, &list);
    return dpc_place_of(list, count, y) >= 0;
}

/* Marks and queues what a path must avoid; returns the number of it. */
static int block(dpc_cpdag *c, const dpc_step *step)
{
    const int32_t *list;
    int seen = 0, count = step->phase == DPC_TURN ? dpc_cpdag_neighbours(c, step->u, &list) : 0;
    for (int i = 0; i < step->size; i++)
        c->mark[c->queue[seen++] = step->set[i]] = true;
    for (int i = 0; i < count; i++)
        if (!c->mark[list[i]])
            c->mark[c->queue[seen++] = list[i]] = true;
    return seen;
}

/* Breadth first; c->rank receives the node before each. The last node is u, if it is reached. */
int dpc_cpdag_find_path(dpc_cpdag *c, const dpc_step *step)
{
    int seen = block(c, step), at = seen, length = 0;
    c->mark[c->queue[seen++] = step->v] = true;
    for (; at < seen && !c->mark[step->u]; at++) {
        int x = c->queue[at];
        const int32_t *list;
        int count = dpc_cpdag_lists(c, x, 1, 2, &list); /* neighbours and children */
        for (int i = 0; i < count; i++) {
            int y = list[i];
            if (c->mark[y] || (x == step->v && y == step->u)) /* the edge itself is no path */
                continue;
            c->mark[c->queue[seen++] = y] = true;
            c->rank[y] = x;
        }
    }
    bool found = c->mark[step->u];
    for (int i = 0; i < seen; i++)
        c->mark[c->queue[i]] = false;
    for (int x = step->u; found && x != step->v; x = c->rank[x])
        c->queue[length++] = x;
    return length;
}

/* ---- Perfect orders ---- */

static void list_remove(dpc_cpdag *c, int x, int count)
{
    int before = c->backward[x], after = c->forward[x];
    if (before >= 0)
        c->forward[before] = after;
    else
        c->head[count] = after;
    if (after >= 0)
        c->backward[after] = before;
}

static void list_add(dpc_cpdag *c, int x, int count)
{
    c->forward[x] = c->head[count];
    c->backward[x] = -1;
    if (c->head[count] >= 0)
        c->backward[c->head[count]] = x;
    c->head[count] = x;
}

/* Gives x its place; `seen` counts the ordered neighbours of those that have none, as -1 - count.
 */
static void place(dpc_cpdag *c, int x, int rank, int *most)
{
    const int32_t *list;
    int count = dpc_cpdag_neighbours(c, x, &list);
    list_remove(c, x, -1 - c->rank[x]);
    c->rank[x] = rank;
    for (int i = 0; i < count; i++) {
        int y = list[i];
        if (c->rank[y] >= 0)
            continue;
        int seen = -1 - c->rank[y];
        list_remove(c, y, seen);
        list_add(c, y, seen + 1);
        c->rank[y]--;
        *most = seen + 1 > *most ? seen + 1 : *most;
    }
}

/* What is neither a step nor changes an edge: its ends are no nodes. */
static const dpc_step NO_STEP = {.phase = DPC_INSERT, .u = -1, .v = -1};

/* Fills rank: a perfect order of every component that begins as the step needs it. */
static void order_components(dpc_cpdag *c, const dpc_step *step)
{
    const int32_t *list;
    int rank = 0, most = 0;
    memset(c->head, -1, ((size_t)c->n + 1) * sizeof *c->head);
    for (int x = c->n - 1; x >= 0; x--)
        if (dpc_cpdag_neighbours(c, x, &list) > 0 || x == step->u || x == step->v) {
            c->rank[x] = -1;
            list_add(c, x, 0);
        }
    for (int i = 0; i < step->size; i++)
        place(c, step->set[i], rank++, &most);
    if (step->phase == DPC_DELETE && !step->directed)
        place(c, step->u, rank++, &most);
    if (step->v >= 0)
        place(c, step->v, rank++, &most);
    if (step->phase == DPC_TURN)
        place(c, step->u, rank++, &most);
    while (most >= 0)
        if (c->head[most] >= 0)
            place(c, c->head[most], rank++, &most);
        else
            most--;
}

/* ---- The DAG and its class ---- */

/* The parents of x in the DAG: those of the CPDAG and the earlier neighbours, merged; their number.
 */
static int64_t merge_parents(const dpc_cpdag *c, int x, int32_t *to)
{
    const int32_t *pa, *ne;
    int np = dpc_cpdag_parents(c, x, &pa), nn = dpc_cpdag_neighbours(c, x, &ne), i = 0, j = 0;
    int64_t count = 0;
    while (i < np || j < nn) {
        if (j == nn || (i < np && pa[i] < ne[j]))
            to[count++] = pa[i++];
        else if (c->rank[ne[j]] < c->rank[x])
            to[count++] = ne[j++];
        else
            j++;
    }
    return count;
}

static int64_t without(int32_t *list, int64_t count, int x)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (list[i] != x)
            list[kept++] = list[i];
    return kept;
}

static int64_t with(int32_t *list, int64_t count, int x)
{
    int64_t at = count;
    for (; at > 0 && list[at - 1] > x; at--)
        list[at] = list[at - 1];
    list[at] = x;
    return count + 1;
}

static void build_dag(dpc_cpdag *c, const dpc_step *step)
{
    int64_t edges = 0;
    for (int x = 0; x < c->n; x++) {
        int32_t *to = c->parent + edges;
        int64_t count = merge_parents(c, x, to);
        if (x == step->v && step->phase == DPC_DELETE)
            count = without(to, count, step->u);
        if (x == step->v && step->phase == DPC_SWAP)
            count = without(to, count, step->out);
        if (x == step->v && step->phase != DPC_DELETE)
            count = with(to, count, step->u);
        if (x == step->u && step->phase == DPC_TURN)
            count = without(to, count, step->v);
        c->start[x] = edges;
        edges += count;
    }
    c->start[c->n] = edges;
}

/* An edge of the CPDAG, by its place among the parents of y. */
static dpc_edge edge_into(const dpc_cpdag *c, int y, int64_t e)
{
    return (dpc_edge){c->parent[e], y, c->compelled[e] ? DPC_FORWARD : DPC_UNDIRECTED};
}

/* The lists of the CPDAG of the labelled DAG. */
static void build_lists(const dpc_cpdag *c, dpc_mixed_lists *lists)
{
    dpc_mixed_lists_begin(lists);
    for (int y = 0; y < c->n; y++)
        for (int64_t e = c->start[y]; e < c->start[y + 1]; e++)
            dpc_mixed_lists_count(lists, edge_into(c, y, e));
    dpc_mixed_lists_sum(lists);
    for (int y = 0; y < c->n; y++)
        for (int64_t e = c->start[y]; e < c->start[y + 1]; e++)
            dpc_mixed_lists_put(lists, edge_into(c, y, e));
    for (int y = 0; y < c->n; y++) {
        const int64_t *siblings = lists->start + 3 * (int64_t)y + 1;
        dpc_sort_numbers(lists->node + siblings[0], siblings[1] - siblings[0]);
    }
}

static bool same(dpc_node_row a, dpc_node_row b)
{
    return a.count == b.count &&
           (a.count == 0 || memcmp(a.node, b.node, (size_t)a.count * sizeof *a.node) == 0);
}

/* Lists the nodes whose parents or neighbours differ between the two CPDAGs. */
static void find_changed(dpc_cpdag *c)
{
    c->n_changed = 0;
    for (int x = 0; x < c->n; x++)
        if (!same(dpc_parents_of(&c->now, x), dpc_parents_of(&c->next, x)) ||
            !same(dpc_siblings_of(&c->now, x), dpc_siblings_of(&c->next, x)))
            c->changed[c->n_changed++] = x;
}

static void flip_bits(dpc_cpdag *c, int a, int b)
{
    c->bits[a * c->words + b / 64] ^= UINT64_C(1) << (b % 64);
    c->bits[b * c->words + a / 64] ^= UINT64_C(1) << (a % 64);
}

/* The other CPDAG and the adjacency that goes with it. */
static void change_over(dpc_cpdag *c, const dpc_step *step)
{
    dpc_mixed_lists old = c->now;
    c->now = c->next;
    c->next = old;
    if (step->phase != DPC_TURN)
        flip_bits(c, step->u, step->v);
    if (step->phase == DPC_SWAP)
        flip_bits(c, step->out, step->v);
}

dpc_status dpc_cpdag_apply(dpc_cpdag *c, const dpc_step *step)
{
    DPC_CHECK(reserve(c, dpc_cpdag_edges(c) + 1));
    order_components(c, step);
    build_dag(c, step);
    dpc_order_by_parents(c->n, c->start, c->parent, c->head, c->order);
    dpc_parents dag = dpc_cpdag_dag(c);
    DPC_CHECK(dpc_label_compelled(&dag, c->compelled));
    build_lists(c, &c->next);
    find_changed(c);
    change_over(c, step);
    return DPC_OK;
}

static dpc_status copy_dag(dpc_cpdag *c, const dpc_parents *dag)
{
    int64_t edges = dag->start[dag->n];
    DPC_CHECK(reserve(c, edges));
    memcpy(c->order, dag->order, (size_t)c->n * sizeof *c->order);
    memcpy(c->start, dag->start, ((size_t)c->n + 1) * sizeof *c->start);
    memcpy(c->parent, dag->parent, (size_t)edges * sizeof *c->parent);
    return DPC_OK;
}

void dpc_cpdag_undo(dpc_cpdag *c, const dpc_step *step)
{
    change_over(c, step);
}

void dpc_cpdag_refresh(dpc_cpdag *c)
{
    order_components(c, &NO_STEP);
    build_dag(c, &NO_STEP);
    dpc_order_by_parents(c->n, c->start, c->parent, c->head, c->order);
}

dpc_status dpc_cpdag_begin(dpc_cpdag *c, const dpc_parents *dag)
{
    DPC_CHECK(copy_dag(c, dag));
    dpc_parents own = dpc_cpdag_dag(c);
    DPC_CHECK(dpc_label_compelled(&own, c->compelled));
    build_lists(c, &c->now);
    memset(c->bits, 0, (size_t)(c->words * c->n) * sizeof *c->bits);
    for (int v = 0; v < c->n; v++)
        for (int64_t e = c->start[v]; e < c->start[v + 1]; e++)
            flip_bits(c, v, c->parent[e]);
    return DPC_OK;
}

uint64_t dpc_cpdag_hash(const dpc_cpdag *c)
{
    uint64_t hash = 0;
    for (int x = 0; x < c->n; x++) {
        const int64_t *start = c->now.start + 3 * (int64_t)x; /* of parents, then neighbours */
        for (int64_t e = start[0]; e < start[2]; e++) {
            uint64_t arc = ((uint64_t)x << 32 | (uint64_t)c->now.node[e]) << 1;
            hash = (hash ^ (arc | (e < start[1]))) * UINT64_C(0x9E3779B97F4A7C15);
            hash ^= hash >> 29;
        }
    }
    return hash;
}
