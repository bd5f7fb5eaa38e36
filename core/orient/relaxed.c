/*
 * Orientation, as the paper has it: v-structures, then Meek's rules ("relaxed": where two
 * v-structures disagree about an edge, the later one wins).
 *
 * With background knowledge the edges that it leaves one direction for have it from the start, a
 * v-structure against it is left out, and Meek's fourth rule is there too. Two nodes that cannot be
 * adjacent say nothing of what is between them.
 */
#include "relaxed.h"

#include "crew.h"
#include "evidence.h"
#include "meek_passes.h"
#include "provenance.h"
#include "status.h"

/* Do the separating sets want x → y ← z, for x and z not adjacent? */
static bool wanted(const dpc_constraints *known, const dpc_sepsets *sepsets, int x, int y, int z)
{
    return !dpc_forced(known, y, x) && !dpc_forced(known, y, z) && !dpc_forbidden(known, x, z) &&
           !dpc_sepset_contains(sepsets, x, z, y);
}

/* The pair x, z of neighbours of y, in slots ex and ez; nothing if it is no v-structure. */
static void collide(dpc_meek_passes *p, const dpc_sepsets *sepsets, int y, int64_t ex, int64_t ez)
{
    if (!wanted(p->known, sepsets, p->arrows.graph->node[ex], y, p->arrows.graph->node[ez]))
        return;
    dpc_meek_passes_direct(p, dpc_back(&p->arrows, ex));
    dpc_meek_passes_direct(p, dpc_back(&p->arrows, ez));
}

/* y's turn: x → y ← z for all neighbours x, z that are not adjacent and that y does not separate.
 */
static void collide_at(dpc_meek_passes *p, const dpc_sepsets *sepsets, int y)
{
    const dpc_adjacency *g = p->arrows.graph;
    for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++) {
        int x = g->node[ex];
        if (p->bits == NULL) {
            for (int64_t ez = g->start[y]; ez < g->start[y + 1]; ez++)
                if (ez != ex && !dpc_meek_passes_adjacent(p, x, g->node[ez]))
                    collide(p, sepsets, y, ex, ez);
            continue;
        }
        for (int64_t w = 0; w < p->words; w++) { /* 64 candidates at a glance */
            uint64_t left = p->bits[y * p->words + w] & ~p->bits[x * p->words + w];
            for (; left != 0; left &= left - 1) {
                int z = (int)(64 * w) + __builtin_ctzll(left);
                if (z != x)
                    collide(p, sepsets, y, ex, dpc_slot(g, y, z));
            }
        }
    }
}

static dpc_status direct(dpc_meek_passes *p, const dpc_unoriented *task, dpc_error *err)
{
    dpc_crew crew;
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    dpc_meek_passes_direct_known(p);
    bool stopped = false;
    for (int y = 0; y < task->skeleton->n && !stopped; y++) {
        collide_at(p, task->sepsets, y);
        stopped = dpc_crew_stopped(&crew, 0);
    }
    if (!stopped && task->settings->graph == DPC_CPDAG)
        stopped = !dpc_meek_passes_run(p, &crew);
    return stopped ? dpc_fail(err, DPC_INTERRUPTED, "interrupted") : DPC_OK;
}

/* ---- What the arrows rest on ---- */

typedef struct marking {
    const dpc_unoriented *task;
    const dpc_mixed *arrows;
    dpc_triples *triples;
} marking;

/*
 * What a triple says in the finished graph. A v-structure that a later one has taken an arrow from
 * gives the other arrow all the same, and is no collider.
 */
static void mark_said(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    const marking *m = context;
    const int32_t *node = m->triples->graph->node;
    uint8_t *mark = &m->triples->mark[entry];
    bool open = *mark == DPC_OPEN;
    bool both = dpc_arrow_in(m->arrows, ex) && dpc_arrow_in(m->arrows, ez);
    *mark = DPC_SAYS_NOTHING;
    if (open &&
        wanted(m->task->known, m->task->sepsets, node[ex], dpc_slot_node(m->arrows, ex), node[ez]))
        *mark |= DPC_GIVES_ARROWS;
    if (open && !both)
        *mark |= DPC_BARS_COLLIDER;
}

static dpc_status trace_provenance(const dpc_unoriented *task, const dpc_mixed *arrows,
                                   dpc_oriented *result, dpc_error *err)
{
    dpc_triples triples;
    dpc_status status = dpc_triples_init(task->skeleton, task->known, &triples);
    if (status != DPC_OK)
        dpc_fail_memory(err, "the triples of the graph");
    else
        status = dpc_weigh_evidence(task, &triples, err);
    if (status == DPC_OK) {
        dpc_triples_each(&triples, DPC_ALL_TRIPLES, mark_said, &(marking){task, arrows, &triples});
        status = dpc_trace_provenance(task, &triples, &result->graph, &result->provenance,
                                      &result->n_provenance, err);
    }
    dpc_triples_clear(&triples);
    return status;
}

dpc_status dpc_orient_relaxed(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    dpc_meek_passes p;
    bool directs = task->settings->graph != DPC_SKELETON;
    dpc_status status = dpc_meek_passes_init(task->skeleton, task->known, false, &p);
    if (status != DPC_OK)
        status = dpc_fail_memory(err, "the orientation of the edges");
    else if (directs)
        status = direct(&p, task, err);
    if (status == DPC_OK && dpc_mixed_graph(&p.arrows, &result->graph) != DPC_OK)
        status = dpc_fail_memory(err, "the list of edges");
    if (status == DPC_OK && directs && !task->graph_only)
        status = trace_provenance(task, &p.arrows, result, err);
    dpc_meek_passes_clear(&p);
    return status;
}
