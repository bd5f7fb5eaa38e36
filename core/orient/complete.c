/*
 * The consistent rule, second step: from some arrows to a DAG.
 *
 * After Dor and Tarsi (A simple algorithm to construct a consistent extension of a partially
 * oriented graph, 1992), for a graph that need not have a consistent extension: again and again the
 * node that is cheapest as a sink of what is left is taken away, and its neighbours there become
 * its parents. It costs 1000 for each arrow that leaves it, and 1 + max(0, -w) for each collider
 * that this makes and that was none before. A graph that has a consistent extension gets one, at no
 * cost. A node with an arrow out that background knowledge demands has to wait; these arrows make
 * no circle, so there is always one that need not.
 *
 * The colliders of a node cost time to count, and a node with arrows out of it is seldom the
 * cheapest. So they are counted when a node would be the cheapest but for them, and kept up to date
 * from then on.
 */
#include "complete.h"

#include "alloc.h"
#include "best.h"
#include "crew.h"
#include "status.h"

static const int64_t AGAINST_ARROW = (int64_t)1000 * DPC_WEIGHT_ONE;

typedef struct completing {
    const dpc_triples *triples;
    dpc_acyclic *acyclic;
    const dpc_arrows *arrows;     /* of `acyclic` */
    const dpc_constraints *known; /* or NULL */
    int64_t *cost;                /* of a node as the next sink; without colliders unless counted */
    bool *counted;                /* per node: its colliders are in its cost */
    bool *gone;                   /* per node */
    int32_t *bound;               /* per node: arrows out of it that background knowledge demands */
    int32_t *when;                /* per node: its turn to go */
    dpc_best cheapest;            /* by -cost, of those that can go */
} completing;

/* What it costs to make a collider of the neighbours of y in slots ex and ez, not both parents. */
static int64_t collider_cost(const completing *c, int y, int64_t ex, int64_t ez)
{
    int64_t entry = dpc_triple_of(c->triples, y, ex, ez);
    if (c->triples->mark[entry] == DPC_SHIELDED)
        return 0;
    int32_t w = c->triples->weight[entry];
    return DPC_WEIGHT_ONE + (w < 0 ? -(int64_t)w : 0);
}

/* The colliders of a neighbour of y, in slot ex, with the others that are left, from slot `ez` on.
 */
static int64_t colliders_with(const completing *c, int y, int64_t ex, int64_t ez)
{
    const dpc_adjacency *g = c->triples->graph;
    bool parent = dpc_arrow_in(c->arrows, ex);
    int64_t cost = 0;
    for (; ez < g->start[y + 1]; ez++)
        if (ez != ex && !c->gone[g->node[ez]] && !(parent && dpc_arrow_in(c->arrows, ez)))
            cost += collider_cost(c, y, ex, ez);
    return cost;
}

static void set_key(completing *c, int y)
{
    bool waits = c->gone[y] || c->bound[y] > 0;
    dpc_best_set(&c->cheapest, y, waits ? DPC_NO_KEY : -c->cost[y]);
}

static void count_colliders(completing *c, int y)
{
    const dpc_adjacency *g = c->triples->graph;
    bool all_in = true;
    for (int64_t e = g->start[y]; e < g->start[y + 1] && all_in; e++)
        all_in = c->gone[g->node[e]] || dpc_arrow_in(c->arrows, e);
    for (int64_t ex = g->start[y]; ex < g->start[y + 1] && !all_in; ex++)
        if (!c->gone[g->node[ex]])
            c->cost[y] += colliders_with(c, y, ex, ex + 1);
    c->counted[y] = true;
    set_key(c, y);
}

/*
 * Takes a sink away. The arrows stay as they were, for the costs of the others; who is a parent of
 * whom will follow from the order in which nodes went.
 */
static void take_away(completing *c, int sink)
{
    const dpc_adjacency *g = c->triples->graph;
    c->gone[sink] = true;
    set_key(c, sink);
    for (int64_t e = g->start[sink]; e < g->start[sink + 1]; e++) {
        int y = g->node[e];
        if (c->gone[y])
            continue;
        int64_t back = dpc_back(c->arrows, e);
        if (c->arrows->out[back])
            c->cost[y] -= AGAINST_ARROW;
        if (c->counted[y])
            c->cost[y] -= colliders_with(c, y, back, g->start[y]);
        c->bound[y] -= dpc_forced(c->known, y, sink);
        set_key(c, y);
    }
}

/* All edges point to the end that went first. */
static void direct_all(const completing *c)
{
    const dpc_adjacency *g = c->triples->graph;
    dpc_acyclic *a = c->acyclic;
    for (int v = 0; v < g->n; v++) {
        a->place[v] = g->n - 1 - c->when[v];
        a->node[a->place[v]] = v;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            a->arrows.out[e] = c->when[g->node[e]] < c->when[v];
    }
}

static dpc_status take_away_all(completing *c, const dpc_settings *settings, dpc_error *err)
{
    const dpc_adjacency *g = c->triples->graph;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_ORIENT);
    for (int y = 0; y < g->n; y++) {
        for (int64_t e = g->start[y]; e < g->start[y + 1]; e++) {
            c->cost[y] += c->arrows->out[e] ? AGAINST_ARROW : 0;
            c->bound[y] += dpc_forced(c->known, y, g->node[e]);
        }
        set_key(c, y);
    }
    for (int i = 0; i < g->n; i++) {
        int sink = dpc_best_node(&c->cheapest);
        for (; !c->counted[sink]; sink = dpc_best_node(&c->cheapest))
            count_colliders(c, sink);
        c->when[sink] = i;
        take_away(c, sink);
        if (dpc_crew_stopped(&crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return DPC_OK;
}

dpc_status dpc_complete(const dpc_unoriented *task, const dpc_triples *triples,
                        dpc_acyclic *acyclic, dpc_error *err)
{
    int n = triples->graph->n;
    completing c = {
        .triples = triples,
        .acyclic = acyclic,
        .arrows = &acyclic->arrows,
        .known = task->known,
        .cost = dpc_zalloc(n, sizeof *c.cost),
        .counted = dpc_zalloc(n, sizeof *c.counted),
        .gone = dpc_zalloc(n, sizeof *c.gone),
        .bound = dpc_zalloc(n, sizeof *c.bound),
        .when = dpc_alloc(n, sizeof *c.when),
    };
    dpc_status status = dpc_best_init(n, &c.cheapest);
    if (status != DPC_OK || !c.cost || !c.counted || !c.gone || !c.bound || !c.when)
        status = dpc_fail_memory(err, "the directions of all edges");
    else
        status = take_away_all(&c, task->settings, err);
    if (status == DPC_OK)
        direct_all(&c);
    dpc_best_clear(&c.cheapest);
    free(c.cost);
    free(c.counted);
    free(c.gone);
    free(c.bound);
    free(c.when);
    return status;
}
