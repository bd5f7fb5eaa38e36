/*
 * Backward equivalence search: see backward.h.
 *
 * In the CPDAG, with pa, ne and ad for parents, neighbours by undirected edges and all adjacent
 * nodes, the edge x → v or x — v can be deleted for every clique C of NA = ne(v) ∩ ad(x); the
 * members of NA \ C become children of v, and of x where they were its neighbours. That gains
 * price - L(x,v | pa(v) \ x ∪ C). Every node keeps its best deletion, which stays good until its
 * parents, its neighbours or an edge among these change.
 *
 * With background knowledge a deletion stands only if its class has a member as the knowledge says.
 */
#include "backward.h"

#include "alloc.h"
#include "apply_knowledge.h"
#include "graph.h"
#include "mixed.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* A clique of 20 has a million subsets: so many are looked at for one edge. */
enum { MOST_SETS = 4096 };

/* The best deletion of an edge into a node. */
typedef struct deletion {
    double gain; /* 0: there is none */
    int32_t x;
    int32_t *set; /* C; owned */
    int32_t size;
} deletion;

/* The class of the DAG: its CPDAG. */
typedef struct class
{
    dpc_graph graph;
    const dpc_adjacency *adjacency; /* of `arrows` */
    dpc_mixed arrows;
} class;

typedef struct backward {
    dpc_workers *workers;
    dpc_families *dag;
    class now;
    deletion *best; /* per node; owned */
    atomic_bool failed;
} backward;

/* ---- The deletions at a node ---- */

/* What is looked at: x → v or x — v, and C as it grows. */
typedef struct looking {
    const backward *b;
    dpc_family *family;
    int v, x;
    int32_t *clique; /* C; n entries */
    int size;
    int sets;
    deletion *best;
    dpc_status status;
} looking;

static bool joined(const backward *b, int p, int q)
{
    return dpc_slot(b->now.adjacency, p, q) >= 0;
}

static void offer(looking *l, double square)
{
    const dpc_scoring *s = l->b->workers->scoring;
    double gain = s->price - dpc_likelihood_of(s, square);
    bool better = gain > l->best->gain + s->slack;
    if (isnan(square) || !better)
        return;
    if (l->size > 0) {
        int32_t *set = dpc_regrow(l->best->set, l->size, sizeof *set);
        if (set == NULL) {
            l->status = DPC_NO_MEMORY;
            return;
        }
        memcpy(set, l->clique, (size_t)l->size * sizeof *set);
        l->best->set = set;
    }
    l->best->gain = gain;
    l->best->x = l->x;
    l->best->size = l->size;
}

/* C as it is, then with one neighbour of v more, from its slot `from` on. */
static void grow_clique(looking *l, int64_t from)
{
    const dpc_adjacency *g = l->b->now.adjacency;
    if (l->sets++ >= MOST_SETS)
        return;
    offer(l, dpc_family_square(l->family, l->x));
    for (int64_t e = from; e < g->start[l->v + 1] && l->status == DPC_OK; e++) {
        int c = g->node[e];
        bool fits = c != l->x && dpc_undirected(&l->b->now.arrows, e) && joined(l->b, c, l->x);
        for (int i = 0; i < l->size && fits; i++)
            fits = joined(l->b, c, l->clique[i]);
        bool pushed = false;
        if (fits)
            l->status = dpc_family_push(l->family, c, &pushed);
        if (!pushed)
            continue;
        l->clique[l->size++] = c;
        grow_clique(l, e + 1);
        l->size--;
        dpc_family_pop(l->family);
    }
}

/* All C for one x, in slot e of v. */
static void look_at_edge(looking *l, int64_t e)
{
    const backward *b = l->b;
    const dpc_adjacency *g = b->now.adjacency;
    bool pushed;
    l->x = g->node[e];
    l->size = l->sets = 0;
    l->status = dpc_family_start(l->family, l->v, dpc_neighbours(g, l->v), dpc_degree(g, l->v));
    for (int64_t f = g->start[l->v]; f < g->start[l->v + 1] && l->status == DPC_OK; f++)
        if (f != e && dpc_arrow_in(&b->now.arrows, f))
            l->status = dpc_family_push(l->family, g->node[f], &pushed);
    if (l->status == DPC_OK)
        grow_clique(l, g->start[l->v]);
}

/* Where nothing is undirected at v there is only C = ∅. */
static void look_at_parents(looking *l, int count)
{
    const dpc_scoring *s = l->b->workers->scoring;
    dpc_family *h = l->family;
    l->status = dpc_family_of(h, l->v, h->list, count);
    if (l->status == DPC_OK)
        l->status = dpc_family_squares(h);
    for (int i = 0, firm = 0; i < count && l->status == DPC_OK; i++) {
        bool in = firm < h->size && h->firm[firm] == h->list[i];
        double square = in ? h->square[firm++] : 0; /* the others determine it */
        l->x = h->list[i];
        if (!dpc_required_parent(s, l->x, l->v))
            offer(l, square);
    }
}

static dpc_status find_best(const backward *b, dpc_family *family, int v)
{
    const dpc_adjacency *g = b->now.adjacency;
    looking l = {.b = b, .family = family, .v = v, .best = &b->best[v], .clique = family->list};
    int parents = 0;
    bool undirected = false;
    b->best[v].gain = 0;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
        if (dpc_arrow_in(&b->now.arrows, e))
            family->list[parents++] = g->node[e];
        undirected = undirected || dpc_undirected(&b->now.arrows, e);
    }
    if (!undirected) {
        look_at_parents(&l, parents);
        return l.status;
    }
    for (int64_t e = g->start[v]; e < g->start[v + 1] && l.status == DPC_OK; e++)
        if (!dpc_arrow_out(&b->now.arrows, e) &&
            !dpc_required(b->workers->scoring->known, g->node[e], v))
            look_at_edge(&l, e);
    return l.status;
}

static void find_best_task(void *context, int64_t v, int worker)
{
    backward *b = context;
    if (find_best(b, &b->workers->each[worker], (int)v) != DPC_OK)
        atomic_store(&b->failed, true);
}

/* ---- Making one ---- */

/* The CPDAG of the DAG, and who is adjacent in it. */
static dpc_status read_class(backward *b)
{
    DPC_CHECK(dpc_families_class(b->dag, &b->now.graph, NULL));
    DPC_CHECK(dpc_mixed_of(&b->now.graph, NULL, &b->now.arrows));
    b->now.adjacency = b->now.arrows.graph;
    return DPC_OK;
}

static void class_clear(class *class)
{
    dpc_mixed_clear(&class->arrows);
    dpc_graph_clear(&class->graph);
}

static bool in_set(const deletion *d, int c)
{
    for (int i = 0; i < d->size; i++)
        if (d->set[i] == c)
            return true;
    return false;
}

/* The partly directed graph after a deletion of an edge into v. */
static dpc_status delete_edge(const backward *b, int v, dpc_graph **out)
{
    const deletion *d = &b->best[v];
    dpc_graph *g = NULL;
    int64_t kept = 0;
    dpc_status status = dpc_graph_copy(&b->now.graph, &g, NULL);
    if (status != DPC_OK)
        return status;
    for (int64_t i = 0; i < g->n_edges; i++) {
        dpc_edge e = g->edges[i];
        bool at_v = e.a == v || e.b == v, at_x = e.a == d->x || e.b == d->x;
        if (at_v && at_x)
            continue;
        int from = at_v ? v : d->x, other = e.a == from ? e.b : e.a;
        if (e.mark == DPC_UNDIRECTED && (at_v || at_x) && !in_set(d, other) &&
            joined(b, other, at_v ? d->x : v) &&
            dpc_undirected(&b->now.arrows, dpc_slot(b->now.adjacency, v, other)))
            e.mark = e.a == from ? DPC_FORWARD : DPC_BACKWARD;
        g->edges[kept++] = e;
    }
    g->n_edges = kept;
    *out = g;
    return DPC_OK;
}

/* Does the DAG keep to the knowledge? */
static bool allowed(const dpc_scoring *s, const dpc_graph *dag)
{
    for (int64_t i = 0; i < dag->n_edges; i++) {
        const dpc_edge *e = &dag->edges[i];
        bool forward = e->mark == DPC_FORWARD;
        if (!dpc_may_be_parent(s, forward ? e->a : e->b, forward ? e->b : e->a))
            return false;
    }
    return true;
}

/* Makes the best deletion at v; *made is false where no DAG can be had. */
static dpc_status make_deletion(backward *b, int v, bool *made)
{
    const dpc_scoring *s = b->workers->scoring;
    dpc_graph *left = NULL, *dag = NULL;
    dpc_status status = delete_edge(b, v, &left);
    *made = false;
    if (status == DPC_OK && s->known != NULL)
        status = dpc_apply_knowledge(s->known, true, left, NULL);
    if (status == DPC_OK)
        status = dpc_class_member(left, &dag, NULL);
    if (status == DPC_OK && allowed(s, dag)) {
        dpc_families_empty(b->dag);
        status = dpc_families_read(b->dag, dag);
        *made = status == DPC_OK;
    }
    dpc_graph_free(left);
    dpc_graph_free(dag);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}

/* Has anything changed that the deletions at y depend on, but for edges between others? */
static bool changed_at(const class *old, const class *new, int y)
{
    const dpc_adjacency *p = old->adjacency, *q = new->adjacency;
    if (dpc_degree(p, y) != dpc_degree(q, y))
        return true;
    for (int64_t e = p->start[y], f = q->start[y]; e < p->start[y + 1]; e++, f++)
        if (p->node[e] != q->node[f] ||
            dpc_arrow_out(&old->arrows, e) != dpc_arrow_out(&new->arrows, f) ||
            dpc_arrow_in(&old->arrows, e) != dpc_arrow_in(&new->arrows, f))
            return true;
    return false;
}

/* The class after the deletion of x, v; looks again at the nodes for which that matters. */
static dpc_status renew(backward *b, int x, int v)
{
    class old = b->now;
    b->now = (class){0};
    dpc_status status = read_class(b);
    for (int y = 0; status == DPC_OK && y < b->dag->n; y++)
        if (changed_at(&old, &b->now, y) || (joined(b, x, y) && joined(b, v, y)))
            status = find_best(b, &b->workers->each[0], y);
    class_clear(&old);
    return status;
}

static dpc_status search(backward *b)
{
    int n = b->dag->n;
    bool going = dpc_crew_run(b->workers->crew, n, 2000.0 * n, find_best_task, b);
    dpc_status status = atomic_load(&b->failed) ? DPC_NO_MEMORY : DPC_OK;
    while (status == DPC_OK && going && !dpc_workers_halted(b->workers, 0)) {
        int v = 0;
        bool made;
        for (int y = 1; y < n; y++)
            if (b->best[y].gain > b->best[v].gain + b->workers->scoring->slack)
                v = y;
        if (!(b->best[v].gain > 0))
            break;
        status = make_deletion(b, v, &made);
        if (status == DPC_OK && made)
            status = renew(b, b->best[v].x, v);
        else
            b->best[v].gain = 0;
    }
    return status;
}

dpc_status dpc_backward(dpc_workers *workers, dpc_families *dag)
{
    backward b = {.workers = workers, .dag = dag};
    atomic_init(&b.failed, false);
    b.best = dpc_zalloc(dag->n, sizeof *b.best);
    dpc_status status = b.best != NULL ? read_class(&b) : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = search(&b);
    class_clear(&b.now);
    for (int v = 0; b.best != NULL && v < dag->n; v++)
        free(b.best[v].set);
    free(b.best);
    return status;
}
