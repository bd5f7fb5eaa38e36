/* The unshielded triples of a skeleton: see triples.h. */
#include "triples.h"

#include "alloc.h"
#include "crew.h"
#include "status.h"

/* Those of x with larger nodes z, over all y. */
static void mark_from(dpc_triples *t, const dpc_constraints *known, int x, const bool *near)
{
    const dpc_adjacency *g = t->graph;
    for (int64_t e = g->start[x]; e < g->start[x + 1]; e++) {
        int y = g->node[e], p = t->places[e], d = dpc_degree(g, y);
        const int32_t *z = dpc_neighbours(g, y);
        int64_t entry = dpc_triple_at(t, y, p, p + 1);
        for (int q = p + 1; q < d; q++)
            t->mark[entry++] = near[z[q]]                      ? DPC_SHIELDED
                               : dpc_forbidden(known, x, z[q]) ? DPC_FREE
                                                               : DPC_OPEN;
    }
}

static dpc_status mark_all(dpc_triples *t, const dpc_constraints *known)
{
    bool *near = dpc_zalloc(t->graph->n, sizeof *near);
    if (near == NULL)
        return DPC_NO_MEMORY;
    for (int x = 0; x < t->graph->n; x++) {
        dpc_set_near(t->graph, x, true, near);
        mark_from(t, known, x, near);
        dpc_set_near(t->graph, x, false, near);
    }
    free(near);
    return DPC_OK;
}

dpc_status dpc_triples_init(const dpc_adjacency *graph, const dpc_constraints *known,
                            dpc_triples *out)
{
    int64_t total = 0;
    *out = (dpc_triples){
        .graph = graph,
        .start = dpc_alloc((int64_t)graph->n + 1, sizeof *out->start),
    };
    if (out->start == NULL || dpc_reverse_places(graph, &out->places) != DPC_OK)
        return DPC_NO_MEMORY;
    for (int y = 0; y <= graph->n; y++) {
        int64_t d = y < graph->n ? dpc_degree(graph, y) : 0;
        out->start[y] = total;
        total += d * (d - 1) / 2;
    }
    out->weight = dpc_zalloc(total, sizeof *out->weight);
    out->mark = dpc_alloc(total, sizeof *out->mark);
    return out->weight != NULL && out->mark != NULL ? mark_all(out, known) : DPC_NO_MEMORY;
}

void dpc_triples_clear(dpc_triples *triples)
{
    free(triples->places);
    free(triples->start);
    free(triples->weight);
    free(triples->mark);
    *triples = (dpc_triples){0};
}

bool dpc_triple_is_noncollider(const void *triples, int y, int64_t first, int64_t second)
{
    const dpc_triples *t = triples;
    return t->mark[dpc_triple_of(t, y, first, second)] == DPC_NO_COLLIDER;
}

void dpc_triples_each(const dpc_triples *t, uint8_t marks, dpc_triple_visit *visit, void *context)
{
    const dpc_adjacency *g = t->graph;
    int64_t entry = 0;
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++)
                if ((t->mark[entry] & marks) != 0)
                    visit(context, entry, ex, ez);
}

/* ---- Lists ---- */

typedef struct listing {
    const dpc_triples *triples;
    dpc_triple_choice *choose;
    const void *context;
    int64_t *start;   /* per node, and the end: its first triple in the list; owned */
    dpc_triple *list; /* NULL: they are only counted */
} listing;

/* The triples at y: counted, into start[y + 1], or listed from start[y] on. */
static void list_at(void *context, int64_t y, int worker)
{
    (void)worker;
    listing *l = context;
    const dpc_triples *t = l->triples;
    const dpc_adjacency *g = t->graph;
    int64_t entry = t->start[y], count = 0;
    for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
        for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++) {
            dpc_triple triple = {.x = g->node[ex], .y = (int32_t)y, .z = g->node[ez]};
            if (t->mark[entry] == DPC_SHIELDED || !l->choose(l->context, entry, ex, ez, &triple))
                continue;
            if (l->list != NULL)
                l->list[l->start[y] + count] = triple;
            count++;
        }
    if (l->list == NULL)
        l->start[y + 1] = count;
}

dpc_status dpc_triples_list(const dpc_triples *t, const dpc_settings *settings,
                            dpc_triple_choice *choose, const void *context, dpc_triple **out,
                            int64_t *count, dpc_error *err)
{
    int n = t->graph->n;
    double work = 10 * (double)dpc_triples_end(t);
    dpc_crew crew;
    listing l = {t, choose, context, dpc_zalloc((int64_t)n + 1, sizeof *l.start), NULL};
    dpc_status status = DPC_OK;
    bool done = false;
    dpc_crew_init(&crew, settings, DPC_STAGE_ORIENT);
    if (l.start != NULL && (done = dpc_crew_run(&crew, n, work, list_at, &l))) {
        for (int y = 0; y < n; y++)
            l.start[y + 1] += l.start[y];
        l.list = dpc_alloc(l.start[n], sizeof *l.list);
    }
    if (l.start == NULL || (done && l.list == NULL))
        status = dpc_fail_memory(err, "the list of triples");
    else if (!done || !dpc_crew_run(&crew, n, work, list_at, &l))
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    if (status == DPC_OK) {
        *out = l.list;
        *count = l.start[n];
    } else {
        free(l.list);
    }
    free(l.start);
    return status;
}
