/* A DAG to be changed edge by edge: see families.h. */
#include "families.h"

#include "alloc.h"
#include "graph.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

dpc_status dpc_families_init(dpc_families *f, int n)
{
    *f = (dpc_families){.n = n};
    f->pa = dpc_zalloc(n, sizeof *f->pa);
    f->ch = dpc_zalloc(n, sizeof *f->ch);
    f->queue = dpc_alloc(n, sizeof *f->queue);
    f->left = dpc_zalloc(n, sizeof *f->left);
    return f->pa && f->ch && f->queue && f->left ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_families_clear(dpc_families *f)
{
    for (int v = 0; v < f->n; v++) {
        if (f->pa != NULL)
            free(f->pa[v].node);
        if (f->ch != NULL)
            free(f->ch[v].node);
    }
    free(f->pa);
    free(f->ch);
    free(f->queue);
    free(f->left);
    *f = (dpc_families){0};
}

/* ---- Edges ---- */

static dpc_status make_room(dpc_relatives *relatives, int64_t wanted)
{
    if (wanted <= relatives->capacity)
        return DPC_OK;
    int32_t *node =
        dpc_make_little_room(relatives->node, &relatives->capacity, wanted, sizeof *node);
    if (node == NULL)
        return DPC_NO_MEMORY;
    relatives->node = node;
    return DPC_OK;
}

static void insert(dpc_relatives *relatives, int v)
{
    int64_t place = dpc_place_for(relatives->node, relatives->count, v);
    memmove(relatives->node + place + 1, relatives->node + place,
            (size_t)(relatives->count - place) * sizeof v);
    relatives->node[place] = v;
    relatives->count++;
}

static void withdraw(dpc_relatives *relatives, int v)
{
    int64_t place = dpc_place_for(relatives->node, relatives->count, v);
    relatives->count--;
    memmove(relatives->node + place, relatives->node + place + 1,
            (size_t)(relatives->count - place) * sizeof v);
}

dpc_status dpc_relatives_add(dpc_relatives *relatives, int v)
{
    if (dpc_place_of(relatives->node, relatives->count, v) >= 0)
        return DPC_OK;
    DPC_CHECK(make_room(relatives, relatives->count + 1));
    insert(relatives, v);
    return DPC_OK;
}

dpc_status dpc_families_add(dpc_families *f, int from, int to)
{
    dpc_relatives *pa = &f->pa[to], *ch = &f->ch[from];
    DPC_CHECK(make_room(pa, pa->count + 1));
    DPC_CHECK(make_room(ch, ch->count + 1));
    insert(pa, from);
    insert(ch, to);
    return DPC_OK;
}

void dpc_families_remove(dpc_families *f, int from, int to)
{
    withdraw(&f->pa[to], from);
    withdraw(&f->ch[from], to);
}

bool dpc_families_joined(const dpc_families *f, int from, int to)
{
    return dpc_place_of(f->pa[to].node, f->pa[to].count, from) >= 0;
}

/* From the end back, along parents. */
bool dpc_families_leads(dpc_families *f, int from, int to)
{
    int head = 0, tail = 0;
    bool found = false;
    f->queue[tail++] = to;
    f->left[to] = 1;
    for (; head < tail && !found; head++) {
        int v = f->queue[head];
        for (int64_t i = 0; i < f->pa[v].count && !found; i++) {
            int u = f->pa[v].node[i];
            found = u == from && v != to;
            if (u == from || f->left[u] != 0)
                continue;
            f->left[u] = 1;
            f->queue[tail++] = u;
        }
    }
    for (int i = 0; i < tail; i++)
        f->left[f->queue[i]] = 0;
    return found;
}

void dpc_families_empty(dpc_families *f)
{
    for (int v = 0; v < f->n; v++)
        f->pa[v].count = f->ch[v].count = 0;
}

dpc_status dpc_relatives_set(dpc_relatives *to, const int32_t *nodes, int count)
{
    DPC_CHECK(make_room(to, count));
    if (count > 0)
        memcpy(to->node, nodes, (size_t)count * sizeof *nodes);
    to->count = count;
    return DPC_OK;
}

static dpc_status copy_relatives(dpc_relatives *to, const dpc_relatives *from)
{
    return dpc_relatives_set(to, from->node, (int)from->count);
}

dpc_status dpc_families_copy(dpc_families *to, const dpc_families *from)
{
    for (int v = 0; v < from->n; v++) {
        DPC_CHECK(copy_relatives(&to->pa[v], &from->pa[v]));
        DPC_CHECK(copy_relatives(&to->ch[v], &from->ch[v]));
    }
    return DPC_OK;
}

/* ---- From and to graphs ---- */

dpc_status dpc_families_require(dpc_families *f, const dpc_constraints *known)
{
    for (int64_t i = 0; known != NULL && i < known->n * known->words; i++)
        for (uint64_t bits = known->required[i]; bits != 0; bits &= bits - 1) {
            int to = (int)(i % known->words * 64) + __builtin_ctzll(bits);
            DPC_CHECK(dpc_families_add(f, (int)(i / known->words), to));
        }
    return DPC_OK;
}

dpc_status dpc_families_read(dpc_families *f, const dpc_graph *dag)
{
    for (int64_t i = 0; i < dag->n_edges; i++) {
        const dpc_edge *e = &dag->edges[i];
        bool forward = e->mark == DPC_FORWARD;
        DPC_CHECK(dpc_families_add(f, forward ? e->a : e->b, forward ? e->b : e->a));
    }
    return DPC_OK;
}

static dpc_node_row children_of(const void *context, int v)
{
    const dpc_families *f = context;
    return (dpc_node_row){f->ch[v].node, f->ch[v].count};
}

void dpc_families_order(dpc_families *f, int32_t *order)
{
    dpc_topological_order(f->n, children_of, f, f->left, order);
}

/* A parent of v that has not been put down; -1: there is none. */
static int waits_for(const dpc_families *f, int v)
{
    const dpc_relatives *pa = &f->pa[v];
    for (int64_t i = 0; i < pa->count; i++)
        if (f->left[pa->node[i]] == 0)
            return pa->node[i];
    return -1;
}

void dpc_families_arrange(dpc_families *f, int32_t *order, int32_t *from)
{
    int put = 0;
    int32_t *down = f->left, *stack = f->queue;
    memcpy(from, order, (size_t)f->n * sizeof *order);
    for (int i = 0; i < f->n; i++) {
        int depth = 0;
        if (down[from[i]] == 0)
            stack[depth++] = from[i];
        while (depth > 0) {
            int v = stack[depth - 1], before = waits_for(f, v);
            if (before >= 0) {
                stack[depth++] = before;
                continue;
            }
            down[v] = 1;
            order[put++] = v;
            depth--;
        }
    }
    memset(down, 0, (size_t)f->n * sizeof *down);
}

dpc_status dpc_families_parents(dpc_families *f, dpc_arena *arena, dpc_parents *out)
{
    int32_t *order = dpc_arena_alloc(arena, f->n, sizeof *order);
    int64_t *start = dpc_arena_alloc(arena, (int64_t)f->n + 1, sizeof *start);
    int32_t *parent = dpc_arena_alloc(arena, dpc_families_edges(f), sizeof *parent);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    dpc_families_order(f, order);
    start[0] = 0;
    for (int v = 0; v < f->n; v++) {
        const dpc_relatives *pa = &f->pa[v];
        if (pa->count > 0)
            memcpy(parent + start[v], pa->node, (size_t)pa->count * sizeof *parent);
        start[v + 1] = start[v] + pa->count;
    }
    *out = (dpc_parents){f->n, order, start, parent};
    return DPC_OK;
}

dpc_status dpc_families_class(dpc_families *f, dpc_graph *out, dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_parents parents;
    dpc_graph dag = {0};
    dpc_status status = dpc_families_parents(f, &arena, &parents) == DPC_OK
                            ? dpc_parents_graph(&parents, &dag, err)
                            : dpc_fail_memory(err, "the edges of a DAG");
    if (status == DPC_OK)
        status = dpc_class_graph(&dag, DPC_CPDAG, NULL, out, err);
    dpc_graph_clear(&dag);
    dpc_arena_clear(&arena);
    return status;
}
