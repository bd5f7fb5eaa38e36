/* What follows from arrows: see closure.h. */
#include "closure.h"

#include "alloc.h"
#include "status.h"

/* Two neighbours of a that are not adjacent make it no collider, unless both point at it. */
static bool no_collider(const void *context, int a, int64_t first, int64_t second)
{
    const dpc_mixed *arrows = context;
    const dpc_adjacency *g = arrows->graph;
    (void)a;
    return first != second && dpc_slot(g, g->node[first], g->node[second]) < 0 &&
           !(dpc_arrow_in(arrows, first) && dpc_arrow_in(arrows, second));
}

static dpc_meek rules_of(const dpc_closure *c)
{
    return (dpc_meek){.arrows = &c->arrows,
                      .premise = c->arrows.end,
                      .noncollider = no_collider,
                      .context = &c->arrows};
}

static void list_loose(dpc_closure *c)
{
    const dpc_adjacency *g = c->graph;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (g->node[e] > a && dpc_undirected(&c->arrows, e))
                c->loose[c->n_loose++] = e;
}

dpc_status dpc_closure_init(const dpc_graph *graph, dpc_closure *out)
{
    *out = (dpc_closure){
        .since = dpc_alloc(graph->n_edges, sizeof *out->since),
        .loose = dpc_alloc(graph->n_edges, sizeof *out->loose),
    };
    if (out->since == NULL || out->loose == NULL)
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_mixed_of(graph, NULL, &out->arrows));
    out->graph = out->arrows.graph;
    list_loose(out);
    return DPC_OK;
}

void dpc_closure_clear(dpc_closure *c)
{
    dpc_mixed_clear(&c->arrows);
    free(c->since);
    free(c->loose);
    *c = (dpc_closure){0};
}

bool dpc_closure_direct(dpc_closure *c, int64_t slot)
{
    if (dpc_arrow_out(&c->arrows, slot))
        return true;
    if (dpc_arrow_in(&c->arrows, slot))
        return false;
    dpc_set_arrow(&c->arrows, slot, true);
    c->since[c->n_since++] = slot;
    return true;
}

static bool direct(void *context, int64_t slot)
{
    return dpc_closure_direct(context, slot);
}

/* The fourth rule, from the edges that it would direct; true: it has directed some. */
static bool apply_fourth(dpc_closure *c, const dpc_meek *rules)
{
    int32_t other[2];
    int64_t before = c->n_since;
    for (int64_t i = 0; i < c->n_loose; i++) {
        int64_t there = c->loose[i], back = dpc_back(&c->arrows, there);
        if (!dpc_undirected(&c->arrows, there))
            continue;
        if (dpc_meek_rule(rules, 4, dpc_slot_node(&c->arrows, there), there, other))
            dpc_closure_direct(c, there);
        else if (dpc_meek_rule(rules, 4, dpc_slot_node(&c->arrows, back), back, other))
            dpc_closure_direct(c, back);
    }
    return c->n_since > before;
}

bool dpc_closure_run(dpc_closure *c)
{
    dpc_meek rules = rules_of(c);
    do {
        while (c->n_followed < c->n_since)
            if (!dpc_meek_follow(&rules, c->since[c->n_followed++], direct, c))
                return false;
    } while (apply_fourth(c, &rules));
    return true;
}

void dpc_closure_undo(dpc_closure *c)
{
    for (int64_t i = 0; i < c->n_since; i++)
        dpc_set_arrow(&c->arrows, c->since[i], false);
    c->n_since = c->n_followed = 0;
}

int dpc_closure_lacks(const dpc_closure *c, int64_t *slot, int32_t other[2])
{
    dpc_meek rules = rules_of(c);
    for (int64_t i = 0; i < c->n_loose; i++)
        for (int turn = 0; turn < 2; turn++) {
            *slot = turn == 0 ? c->loose[i] : dpc_back(&c->arrows, c->loose[i]);
            int rule = dpc_undirected(&c->arrows, *slot)
                           ? dpc_meek_find(&rules, DPC_MEEK_RULES, dpc_slot_node(&c->arrows, *slot),
                                           *slot, other)
                           : 0;
            if (rule > 0)
                return rule;
        }
    return 0;
}
