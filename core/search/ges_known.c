/* Background knowledge in the greedy search: see ges_known.h. */
#include "ges_known.h"

#include "alloc.h"
#include "extension.h"
#include "families.h"
#include "status.h"

/* ---- The required edges ---- */

static dpc_status begin_with(dpc_cpdag *class, dpc_families *required, dpc_arena *arena)
{
    dpc_parents dag;
    DPC_CHECK(dpc_families_parents(required, arena, &dag));
    return dag.start[dag.n] > 0 ? dpc_cpdag_begin(class, &dag) : DPC_OK;
}

dpc_status dpc_class_require(dpc_cpdag *class, const dpc_constraints *known)
{
    dpc_families required;
    dpc_arena arena = {0};
    if (known == NULL)
        return DPC_OK;
    dpc_status status = dpc_families_init(&required, known->n);
    if (status == DPC_OK)
        status = dpc_families_require(&required, known);
    if (status == DPC_OK)
        status = begin_with(class, &required, &arena);
    dpc_families_clear(&required);
    dpc_arena_clear(&arena);
    return status;
}

/* ---- Classes ---- */

/* Is an arrow of the CPDAG banned? */
static bool has_banned_arrow(const dpc_cpdag *class, const dpc_constraints *known)
{
    const int32_t *list;
    for (int v = 0; v < class->n; v++) {
        int count = dpc_cpdag_parents(class, v, &list);
        for (int i = 0; i < count; i++)
            if (dpc_forced(known, v, list[i]))
                return true;
    }
    return false;
}

/* Are there neighbours of v that must point at it and are not adjacent? `in`: how many must. */
static bool forces_collider(const dpc_cpdag *class, const dpc_constraints *known, int v, int *in)
{
    const int32_t *list;
    int count = dpc_cpdag_neighbours(class, v, &list);
    *in = 0;
    for (int i = 0; i < count; i++) {
        if (!dpc_forced(known, list[i], v))
            continue;
        ++*in;
        for (int j = 0; j < i; j++)
            if (dpc_forced(known, list[j], v) && !dpc_cpdag_joined(class, list[i], list[j]))
                return true;
    }
    return false;
}

/* The undirected edges, with the arrows that the knowledge makes of some; returns how many. */
static int64_t list_edges(const dpc_cpdag *class, const dpc_constraints *known, dpc_edge *edges)
{
    const int32_t *list;
    int64_t total = 0;
    for (int v = 0; v < class->n; v++) {
        int count = dpc_cpdag_neighbours(class, v, &list);
        for (int i = 0; i < count; i++)
            if (list[i] > v)
                edges[total++] = (dpc_edge){v, list[i],
                                            dpc_forced(known, v, list[i])   ? DPC_FORWARD
                                            : dpc_forced(known, list[i], v) ? DPC_BACKWARD
                                                                            : DPC_UNDIRECTED};
    }
    return total;
}

static dpc_status has_extension(const dpc_cpdag *class, const dpc_constraints *known, bool *out)
{
    dpc_graph graph = {.n_nodes = class->n,
                       .edges = dpc_alloc(dpc_cpdag_edges(class), sizeof *graph.edges)};
    int32_t *when = dpc_alloc(class->n, sizeof *when);
    dpc_status status = DPC_NO_MEMORY;
    if (graph.edges != NULL && when != NULL) {
        graph.n_edges = list_edges(class, known, graph.edges);
        status = dpc_extension(&graph, NULL, DPC_SINK_FIRST, when, out);
    }
    free(graph.edges);
    free(when);
    return status;
}

dpc_status dpc_class_respects(const dpc_cpdag *class, const dpc_constraints *known, bool *out)
{
    int arrows = 0, in;
    *out = true;
    if (known == NULL)
        return DPC_OK;
    *out = !has_banned_arrow(class, known);
    for (int v = 0; v < class->n && *out; v++) {
        *out = !forces_collider(class, known, v, &in);
        arrows += in;
    }
    return *out && arrows > 0 ? has_extension(class, known, out) : DPC_OK;
}

bool dpc_step_is_banned(const dpc_cpdag *class, const dpc_constraints *known, int u, int v,
                        const int32_t *set, int size, int out)
{
    const int32_t *pa;
    if (known == NULL)
        return false;
    bool edge = dpc_forced(known, v, u), banned = dpc_forbidden(known, u, v);
    for (int i = 0; i < size && !banned; i++)
        banned = set[i] != out && (edge || dpc_forced(known, v, set[i])) &&
                 !dpc_cpdag_joined(class, set[i], u);
    int count = edge && !banned ? dpc_cpdag_parents(class, v, &pa) : 0;
    for (int i = 0; i < count && !banned; i++)
        banned = pa[i] != out && !dpc_cpdag_joined(class, pa[i], u);
    return banned;
}
