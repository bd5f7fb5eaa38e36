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
#include "error.h"
#include "passes.h"

/* The pair x, z of neighbours of y, in slots ex and ez; nothing if it is no v-structure. */
static void collide(dpc_passes *p, const dpc_sepsets *sepsets, int y, int64_t ex, int64_t ez)
{
    int x = p->arrows.graph->node[ex], z = p->arrows.graph->node[ez];
    if (dpc_must(p->known, y, x) || dpc_must(p->known, y, z) || dpc_never(p->known, x, z) ||
        dpc_sepset_contains(sepsets, x, z, y))
        return;
    dpc_passes_direct(p, dpc_back(&p->arrows, ex));
    dpc_passes_direct(p, dpc_back(&p->arrows, ez));
}

/* y's turn: x → y ← z for all neighbours x, z that are not adjacent and that y does not separate.
 */
static void collide_at(dpc_passes *p, const dpc_sepsets *sepsets, int y)
{
    const dpc_adjacency *g = p->arrows.graph;
    for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++) {
        int x = g->node[ex];
        if (p->bits == NULL) {
            for (int64_t ez = g->start[y]; ez < g->start[y + 1]; ez++)
                if (ez != ex && !dpc_passes_adjacent(p, x, g->node[ez]))
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

static dpc_status direct(dpc_passes *p, const dpc_unoriented *task, dpc_error *err)
{
    dpc_crew crew;
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    dpc_passes_direct_known(p);
    for (int y = 0; y < task->skeleton->n; y++) {
        collide_at(p, task->sepsets, y);
        if (dpc_crew_stopped(&crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return task->settings->graph == DPC_CPDAG ? dpc_passes_run(p, task->settings, err) : DPC_OK;
}

dpc_status dpc_orient_relaxed(const dpc_unoriented *task, dpc_graph *out, dpc_error *err)
{
    dpc_passes p;
    dpc_status status = dpc_passes_init(task->skeleton, task->known, false, &p);
    if (status != DPC_OK)
        status = dpc_fail_memory(err, "the orientation of the edges");
    else if (task->settings->graph != DPC_SKELETON)
        status = direct(&p, task, err);
    if (status == DPC_OK && dpc_arrows_graph(&p.arrows, out) != DPC_OK)
        status = dpc_fail_memory(err, "the list of edges");
    dpc_passes_clear(&p);
    return status;
}
