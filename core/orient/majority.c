/*
 * The majority and the conservative rule: triples are colliders, no colliders, or ambiguous, as the
 * votes of all separating sets have it (Ramsey, Spirtes and Zhang, Adjacency-faithfulness and
 * conservative causal inference, 2006; Colombo and Maathuis, 2014).
 *
 * Everything is done to all edges at once, so that no order matters. Colliders that want an edge
 * both ways, and colliders with an arrow in a circle, become ambiguous. Meek's rules, 1 and 3 only
 * through triples that are no colliders, are applied in rounds: an edge that a round wants both
 * ways, an arrow that would make a collider of a triple that is none, or one that would lie in a
 * circle, is not directed, then or later. So there is never a circle of arrows; a consistent
 * extension there may not be.
 *
 * What background knowledge directs is directed before everything else; colliders against it become
 * ambiguous, and so are triples whose ends cannot be adjacent, for no set was asked for them.
 */
#include "crew.h"
#include "error.h"
#include "memory.h"
#include "set_votes.h"

#include <math.h>
#include <string.h>

typedef struct rounds {
    dpc_triples *triples;
    const dpc_constraints *known; /* or NULL */
    bool *out;                    /* by slot a→b: directed from a to b */
    bool *wanted;                 /* by slot: this round would direct it so */
    bool *frozen;                 /* by slot, both of an edge: it stays undirected */
    int32_t *left;                /* per node: arrows at its one side, while circles are searched */
    int32_t *stack;
    bool *gone; /* per node: in no circle */
} rounds;

static bool points_in(const rounds *r, const bool *arrow, int64_t slot)
{
    return arrow[dpc_back(r->triples, slot)];
}

/* Calls `visit` for every unshielded triple. */
typedef void visitor(rounds *r, int64_t entry, int64_t ex, int64_t ez);

static void for_all_triples(rounds *r, visitor *visit)
{
    const dpc_adjacency *g = r->triples->graph;
    int64_t entry = 0;
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++)
                if (r->triples->mark[entry] != DPC_SHIELDED)
                    visit(r, entry, ex, ez);
}

/* ---- Circles ---- */

/*
 * Nodes without an arrow into them, or without one out of them, that is one that matters still, are
 * in no circle. Takes them away until none is left.
 */
static void trim(rounds *r, bool forward)
{
    const dpc_adjacency *g = r->triples->graph;
    int top = 0;
    for (int v = 0; v < g->n; v++) {
        r->left[v] = 0;
        for (int64_t e = g->start[v]; e < g->start[v + 1] && !r->gone[v]; e++)
            r->left[v] +=
                !r->gone[g->node[e]] && (forward ? r->wanted[e] : points_in(r, r->wanted, e));
        if (!r->gone[v] && r->left[v] == 0)
            r->stack[top++] = v;
    }
    while (top > 0) {
        int v = r->stack[--top];
        r->gone[v] = true;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            int w = g->node[e];
            if (!r->gone[w] && (forward ? points_in(r, r->wanted, e) : r->wanted[e]) &&
                --r->left[w] == 0)
                r->stack[top++] = w;
        }
    }
}

/* After it, nodes that are not gone are in circles of wanted arrows, or between two. */
static void find_circles(rounds *r)
{
    memset(r->gone, false, (size_t)r->triples->graph->n * sizeof *r->gone);
    trim(r, true);
    trim(r, false);
}

/* ---- V-structures ---- */

static void want_collider(rounds *r, int64_t entry, int64_t ex, int64_t ez)
{
    if (r->triples->mark[entry] == DPC_COLLIDER)
        r->wanted[dpc_back(r->triples, ex)] = r->wanted[dpc_back(r->triples, ez)] = true;
}

static void want_colliders(rounds *r)
{
    const dpc_adjacency *g = r->triples->graph;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            r->wanted[e] = dpc_must(r->known, a, g->node[e]);
    for_all_triples(r, want_collider);
}

/* A collider that wants an edge which another wants the other way; slots of y. */
static void open_if_clash(rounds *r, int64_t entry, int64_t ex, int64_t ez)
{
    if (r->triples->mark[entry] == DPC_COLLIDER && (r->wanted[ex] || r->wanted[ez]))
        r->triples->mark[entry] = DPC_OPEN;
}

static void open_if_circle(rounds *r, int64_t entry, int64_t ex, int64_t ez)
{
    const int32_t *node = r->triples->graph->node;
    bool y = !r->gone[node[dpc_back(r->triples, ex)]];
    if (r->triples->mark[entry] == DPC_COLLIDER && y && (!r->gone[node[ex]] || !r->gone[node[ez]]))
        r->triples->mark[entry] = DPC_OPEN;
}

static void direct_colliders(rounds *r)
{
    want_colliders(r);
    for_all_triples(r, open_if_clash);
    want_colliders(r);
    find_circles(r);
    for_all_triples(r, open_if_circle);
    want_colliders(r);
    memcpy(r->out, r->wanted, (size_t)dpc_slots(r->triples->graph) * sizeof *r->out);
}

/* ---- Meek's rules ---- */

static bool is_undirected(const rounds *r, int64_t slot)
{
    return !r->out[slot] && !points_in(r, r->out, slot);
}

/* Meek's fourth rule at a — b, slot e of a, where c, in slot f of a, points to b. */
static bool follows_4(const rounds *r, int a, int64_t e, int64_t f)
{
    const dpc_triples *t = r->triples;
    const dpc_adjacency *g = t->graph;
    int64_t first = g->start[a];
    for (int64_t h = first; h < g->start[a + 1]; h++) {
        int64_t dc =
            h != e && h != f && is_undirected(r, h) ? dpc_slot(g, g->node[h], g->node[f]) : -1;
        if (dc >= 0 && r->out[dc] &&
            t->mark[dpc_triple_at(t, a, e - first, h - first)] == DPC_NO_COLLIDER)
            return true;
    }
    return false;
}

/* The edge a — b at slot e of a: does a rule direct it from a to b? */
static bool follows(const rounds *r, int a, int64_t e)
{
    const dpc_triples *t = r->triples;
    const dpc_adjacency *g = t->graph;
    int b = g->node[e];
    int64_t first = g->start[a];
    for (int64_t f = first; f < g->start[a + 1]; f++) {
        if (f == e)
            continue;
        if (points_in(r, r->out, f)) { /* c → a — b */
            if (t->mark[dpc_triple_at(t, a, e - first, f - first)] == DPC_NO_COLLIDER)
                return true;
            continue;
        }
        int64_t cb = dpc_slot(g, g->node[f], b);
        if (cb < 0 || !r->out[cb])
            continue;
        if (r->out[f]) /* a → c → b */
            return true;
        for (int64_t h = f + 1; h < g->start[a + 1]; h++) { /* a — c → b, a — d → b */
            int64_t db = h != e && is_undirected(r, h) ? dpc_slot(g, g->node[h], b) : -1;
            if (db >= 0 && r->out[db] &&
                t->mark[dpc_triple_at(t, a, f - first, h - first)] == DPC_NO_COLLIDER)
                return true;
        }
        if (r->known != NULL && follows_4(r, a, e, f)) /* a — d → c → b */
            return true;
    }
    return false;
}

static void freeze(rounds *r, int64_t slot)
{
    int64_t back = dpc_back(r->triples, slot);
    r->frozen[slot] = r->frozen[back] = true;
}

/* Two arrows into y, at least one of them new, at a triple that is no collider. */
static void freeze_if_collider(rounds *r, int64_t entry, int64_t ex, int64_t ez)
{
    if (r->triples->mark[entry] != DPC_NO_COLLIDER || !points_in(r, r->wanted, ex) ||
        !points_in(r, r->wanted, ez))
        return;
    if (is_undirected(r, ex))
        freeze(r, ex);
    if (is_undirected(r, ez))
        freeze(r, ez);
}

/* What the rules want, beside the arrows there are; edges wanted both ways are frozen. */
static void want_rules(rounds *r)
{
    const dpc_adjacency *g = r->triples->graph;
    memcpy(r->wanted, r->out, (size_t)dpc_slots(g) * sizeof *r->out);
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (!r->frozen[e] && is_undirected(r, e))
                r->wanted[e] = follows(r, a, e);
    for (int64_t e = 0; e < dpc_slots(g); e++)
        if (r->wanted[e] && points_in(r, r->wanted, e))
            freeze(r, e);
}

static void drop_frozen(rounds *r)
{
    for (int64_t e = 0; e < dpc_slots(r->triples->graph); e++)
        r->wanted[e] = r->wanted[e] && !r->frozen[e];
}

/* One round; false: it changed nothing. */
static bool apply_rules(rounds *r)
{
    const dpc_adjacency *g = r->triples->graph;
    bool changed = false;
    want_rules(r);
    for_all_triples(r, freeze_if_collider);
    drop_frozen(r);
    find_circles(r);
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1] && !r->gone[a]; e++)
            if (r->wanted[e] && !r->out[e] && !r->gone[g->node[e]])
                freeze(r, e);
    drop_frozen(r);
    for (int64_t e = 0; e < dpc_slots(g); e++)
        changed = changed || r->wanted[e] != r->out[e];
    memcpy(r->out, r->wanted, (size_t)dpc_slots(g) * sizeof *r->out);
    return changed;
}

/* ---- The result ---- */

static bool is_ambiguous(const void *context, int64_t entry, int64_t ex, int64_t ez,
                         dpc_triple *triple)
{
    const rounds *r = context;
    int32_t share = r->triples->weight[entry];
    triple->collider = points_in(r, r->out, ex) && points_in(r, r->out, ez);
    triple->evidence = share >= 0 ? (double)share / DPC_WEIGHT_ONE : NAN;
    return r->triples->mark[entry] == DPC_OPEN;
}

static bool list_edges(const rounds *r, dpc_graph *out)
{
    const dpc_adjacency *g = r->triples->graph;
    dpc_edge *edges = dpc_alloc(dpc_slots(g) / 2, sizeof *edges), *to = edges;
    for (int a = 0; edges != NULL && a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (g->node[e] > a)
                *to++ = (dpc_edge){a, g->node[e],
                                   r->out[e]                 ? DPC_FORWARD
                                   : points_in(r, r->out, e) ? DPC_BACKWARD
                                                             : DPC_UNDIRECTED};
    if (edges != NULL)
        *out = (dpc_graph){g->n, dpc_slots(g) / 2, edges};
    return edges != NULL;
}

static dpc_status direct(const dpc_unoriented *task, rounds *r, dpc_error *err)
{
    dpc_crew crew;
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    direct_colliders(r);
    bool changed = task->settings->graph == DPC_CPDAG;
    while (changed) {
        changed = apply_rules(r);
        if (dpc_crew_stopped(&crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return DPC_OK;
}

static bool rounds_make(const dpc_unoriented *task, dpc_triples *triples, rounds *r)
{
    const dpc_adjacency *g = task->skeleton;
    int64_t slots = dpc_slots(g);
    *r = (rounds){
        .triples = triples,
        .known = task->known,
        .out = dpc_zalloc(slots, sizeof(bool)),
        .wanted = dpc_zalloc(slots, sizeof(bool)),
        .frozen = dpc_zalloc(slots, sizeof(bool)),
        .left = dpc_alloc(g->n, sizeof(int32_t)),
        .stack = dpc_alloc(g->n, sizeof(int32_t)),
        .gone = dpc_zalloc(g->n, sizeof(bool)),
    };
    return r->out && r->wanted && r->frozen && r->left && r->stack && r->gone;
}

dpc_status dpc_orient_by_vote(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    dpc_triples triples = {0};
    rounds r = {0};
    dpc_status status = DPC_OK;
    if (!dpc_triples_make(task->skeleton, &triples) || !rounds_make(task, &triples, &r))
        status = dpc_fail_memory(err, "the triples of the graph");
    if (status == DPC_OK)
        status = dpc_count_votes(task, &triples, err);
    if (status == DPC_OK)
        status = direct(task, &r, err);
    if (status == DPC_OK &&
        (!dpc_triples_list(&triples, is_ambiguous, &r, &result->ambiguous, &result->n_ambiguous) ||
         !list_edges(&r, &result->graph)))
        status = dpc_fail_memory(err, "the directed graph");
    free(r.out);
    free(r.wanted);
    free(r.frozen);
    free(r.left);
    free(r.stack);
    free(r.gone);
    dpc_triples_clear(&triples);
    return status;
}
