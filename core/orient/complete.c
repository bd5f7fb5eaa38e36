/*
 * The consistent rule, second step: from some arrows to a DAG, and from there to a better one.
 *
 * Extension, after Dor and Tarsi (A simple algorithm to construct a consistent extension of a
 * partially oriented graph, 1992), for a graph that need not have one: again and again the node
 * that is cheapest as a sink of what is left is taken away, and its neighbours there become its
 * parents. It costs 1000 for each arrow that leaves it, and 1 + max(0, -w) for each collider that
 * this makes and that was none before. A graph that has a consistent extension gets one, at no
 * cost. A node with an arrow out that background knowledge demands has to wait; these arrows make
 * no circle, so there is always one that need not.
 *
 * Polish: the reversal of one edge that adds most to Σ w over all colliders, as long as one adds
 * anything, closes no circle and is not forbidden.
 */
#include "acyclic.h"
#include "crew.h"
#include "error.h"
#include "memory.h"

#include <string.h>

/* ---- Extension ---- */

static const int64_t AGAINST_ARROW = (int64_t)1000 * DPC_WEIGHT_ONE;

typedef struct extension {
    const dpc_triples *triples;
    dpc_arrows *arrows;
    int64_t *cost; /* of a node as the next sink */
    bool *gone;    /* per node */
    const dpc_constraints *known;
    int32_t *bound; /* per node: arrows out of it that background knowledge demands; or NULL */
} extension;

/* What it costs to make a collider of the neighbours of y in slots ex and ez. */
static int64_t collider_cost(const extension *x, int y, int64_t ex, int64_t ez)
{
    int64_t first = x->triples->graph->start[y];
    int64_t entry = dpc_triple_at(x->triples, y, ex - first, ez - first);
    if (x->triples->mark[entry] == DPC_SHIELDED ||
        (dpc_arrow_in(x->arrows, ex) && dpc_arrow_in(x->arrows, ez)))
        return 0;
    int32_t w = x->triples->weight[entry];
    return DPC_WEIGHT_ONE + (w < 0 ? -(int64_t)w : 0);
}

/* The share of one neighbour of y, in slot ex, in the cost of y; pairs with those from slot `ez`.
 */
static int64_t share(const extension *x, int y, int64_t ex, int64_t ez)
{
    const dpc_adjacency *g = x->triples->graph;
    int64_t cost = x->arrows->out[ex] ? AGAINST_ARROW : 0;
    for (; ez < g->start[y + 1]; ez++)
        if (ez != ex && !x->gone[g->node[ez]])
            cost += collider_cost(x, y, ex, ez);
    return cost;
}

static void set_costs(extension *x)
{
    const dpc_adjacency *g = x->triples->graph;
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++) {
            x->cost[y] += share(x, y, ex, ex + 1);
            if (x->bound != NULL)
                x->bound[y] += dpc_must(x->known, y, g->node[ex]);
        }
}

static int cheapest(const extension *x)
{
    int best = -1;
    for (int v = 0; v < x->triples->graph->n; v++)
        if (!x->gone[v] && (x->bound == NULL || x->bound[v] == 0) &&
            (best < 0 || x->cost[v] < x->cost[best]))
            best = v;
    return best;
}

/*
 * Takes a sink away. The arrows stay as they were, for the costs of the others; who is a parent of
 * whom will follow from the order in which nodes went.
 */
static void take_away(extension *x, int sink)
{
    const dpc_adjacency *g = x->triples->graph;
    x->gone[sink] = true;
    for (int64_t e = g->start[sink]; e < g->start[sink + 1]; e++) {
        int y = g->node[e];
        if (x->gone[y])
            continue;
        x->cost[y] -= share(x, y, dpc_back(x->triples, e), g->start[y]);
        if (x->bound != NULL)
            x->bound[y] -= dpc_must(x->known, y, sink);
    }
}

/* All edges point to the end that went first. */
static void direct_all(extension *x, const int32_t *when)
{
    const dpc_adjacency *g = x->triples->graph;
    dpc_arrows *a = x->arrows;
    for (int v = 0; v < g->n; v++) {
        a->place[v] = g->n - 1 - when[v];
        a->node[a->place[v]] = v;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            a->out[e] = when[g->node[e]] < when[v];
    }
}

dpc_status dpc_extend(const dpc_unoriented *task, const dpc_triples *triples, dpc_arrows *arrows,
                      dpc_error *err)
{
    int n = triples->graph->n;
    dpc_crew crew;
    dpc_status status = DPC_OK;
    extension x = {
        .triples = triples,
        .arrows = arrows,
        .cost = dpc_zalloc(n, sizeof *x.cost),
        .gone = dpc_zalloc(n, sizeof *x.gone),
        .known = task->known,
        .bound = task->known != NULL ? dpc_zalloc(n, sizeof *x.bound) : NULL,
    };
    int32_t *when = dpc_alloc(n, sizeof *when);
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    if (x.cost == NULL || x.gone == NULL || (task->known != NULL && x.bound == NULL) ||
        when == NULL) {
        status = dpc_fail_memory(err, "the extension of the graph");
    } else {
        set_costs(&x);
        for (int i = 0; i < n && status == DPC_OK; i++) {
            int sink = cheapest(&x);
            when[sink] = i;
            take_away(&x, sink);
            if (dpc_crew_stopped(&crew, 0))
                status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
        }
        if (status == DPC_OK)
            direct_all(&x, when);
    }
    free(x.cost);
    free(x.gone);
    free(x.bound);
    free(when);
    return status;
}

/* ---- Polish ---- */

typedef struct polish {
    const dpc_triples *triples;
    dpc_arrows *arrows;
    int64_t *gain; /* by slot a→b with an arrow a → b: what its reversal adds */
    int64_t *best; /* per node: its slot with the largest gain; -1: none that adds anything */
    bool *circle;  /* by slot: the reversal was refused, for it would close a circle */
    const dpc_constraints *known;
} polish;

/* Σ w over the triples at y of the neighbour in slot ex with the other parents of y. */
static int64_t colliders_with(const polish *p, int y, int64_t ex)
{
    const dpc_adjacency *g = p->triples->graph;
    int64_t sum = 0, first = g->start[y];
    for (int64_t ez = first; ez < g->start[y + 1]; ez++) {
        if (ez == ex || !dpc_arrow_in(p->arrows, ez))
            continue;
        int64_t entry = dpc_triple_at(p->triples, y, ex - first, ez - first);
        if (p->triples->mark[entry] != DPC_SHIELDED)
            sum += p->triples->weight[entry];
    }
    return sum;
}

/* The best slot of a row. */
static void choose(polish *p, int a)
{
    const dpc_adjacency *g = p->triples->graph;
    p->best[a] = -1;
    for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
        if (p->arrows->out[e] && !p->circle[e] && p->gain[e] > 1 &&
            !dpc_must(p->known, a, g->node[e]) &&
            (p->best[a] < 0 || p->gain[e] > p->gain[p->best[a]]))
            p->best[a] = e;
}

/* The gain of the edge at a slot of v, whichever way it points. */
static void set_gain(polish *p, int v, int64_t slot)
{
    int64_t back = dpc_back(p->triples, slot), e = p->arrows->out[slot] ? slot : back;
    int other = p->triples->graph->node[slot];
    int from = e == slot ? v : other, to = e == slot ? other : v;
    p->gain[e] = colliders_with(p, from, e) - colliders_with(p, to, dpc_back(p->triples, e));
}

/* The neighbour of v in `slot` has become a parent of v (sign 1), or is none any more (-1). */
static void shift(polish *p, int v, int64_t slot, int sign)
{
    const dpc_adjacency *g = p->triples->graph;
    int64_t first = g->start[v];
    for (int64_t e = first; e < g->start[v + 1]; e++) {
        int64_t entry = e != slot ? dpc_triple_at(p->triples, v, e - first, slot - first) : -1;
        if (entry < 0 || p->triples->mark[entry] == DPC_SHIELDED)
            continue;
        int64_t weight = (int64_t)sign * p->triples->weight[entry];
        if (p->arrows->out[e])
            p->gain[e] += weight;
        else
            p->gain[dpc_back(p->triples, e)] -= weight;
    }
}

/* After the gains at v have changed. */
static void choose_around(polish *p, int v)
{
    const dpc_adjacency *g = p->triples->graph;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
        if (dpc_arrow_in(p->arrows, e))
            choose(p, g->node[e]);
    choose(p, v);
}

/* After the arrow at slot e, a → b, has become b → a. */
static void refresh(polish *p, int a, int b, int64_t e)
{
    int64_t back = dpc_back(p->triples, e);
    shift(p, b, back, -1);
    shift(p, a, e, 1);
    set_gain(p, b, back);
    choose_around(p, a);
    choose_around(p, b);
}

/* The slot whose reversal adds most, of those not yet refused; -1: none. */
static int64_t best_slot(const polish *p)
{
    int64_t best = -1;
    for (int v = 0; v < p->triples->graph->n; v++)
        if (p->best[v] >= 0 && (best < 0 || p->gain[p->best[v]] > p->gain[best]))
            best = p->best[v];
    return best;
}

/* Turns the arrow a → b round; false: there is another way from a to b. */
static bool reverse(polish *p, int64_t e)
{
    p->arrows->out[e] = false;
    if (dpc_arrows_add(p->arrows, dpc_back(p->triples, e)))
        return true;
    p->arrows->out[e] = true;
    return false;
}

/* Forgets what was refused: the ways there were may be gone. */
static void forget_circles(polish *p)
{
    const dpc_adjacency *g = p->triples->graph;
    memset(p->circle, false, (size_t)dpc_slots(g) * sizeof *p->circle);
    for (int v = 0; v < g->n; v++)
        choose(p, v);
}

/* Reverses until nothing can be gained; what was refused is tried again once the others are done.
 */
static dpc_status improve(polish *p, dpc_crew *crew, dpc_error *err)
{
    const dpc_adjacency *g = p->triples->graph;
    bool reversed = true;
    while (reversed) {
        reversed = false;
        forget_circles(p);
        for (int64_t e; (e = best_slot(p)) >= 0;) {
            int b = g->node[e], a = g->node[dpc_back(p->triples, e)];
            if (dpc_crew_stopped(crew, 0))
                return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
            if (reverse(p, e)) {
                reversed = true;
                refresh(p, a, b, e);
            } else {
                p->circle[e] = true;
                choose(p, a);
            }
        }
    }
    return DPC_OK;
}

dpc_status dpc_polish(const dpc_unoriented *task, const dpc_triples *triples, dpc_arrows *arrows,
                      dpc_error *err)
{
    const dpc_adjacency *g = triples->graph;
    dpc_crew crew;
    polish p = {
        .triples = triples,
        .arrows = arrows,
        .gain = dpc_zalloc(dpc_slots(g), sizeof *p.gain),
        .best = dpc_alloc(g->n, sizeof *p.best),
        .circle = dpc_zalloc(dpc_slots(g), sizeof *p.circle),
        .known = task->known,
    };
    dpc_status status;
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    if (!p.gain || !p.best || !p.circle) {
        status = dpc_fail_memory(err, "the polish of the graph");
    } else {
        for (int v = 0; v < g->n; v++)
            for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
                if (arrows->out[e])
                    set_gain(&p, v, e);
        status = improve(&p, &crew, err);
    }
    free(p.gain);
    free(p.best);
    free(p.circle);
    return status;
}
