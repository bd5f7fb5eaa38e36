/*
 * The metrics of section 4.1 of the paper: see compare.h.
 *
 * Everything walks over sorted edge lists, so that the cost follows the edges and not n². For the
 * pattern the parents of each y are stamped; x → y is in a v-structure iff x has fewer stamped
 * neighbours than y has other parents. That takes Σ deg² steps.
 */
#include "compare.h"

#include "adjacency.h"
#include "alloc.h"
#include "equivalence.h"
#include "graph.h"
#include "sorted.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* ---- The parents of each node ---- */

typedef struct parents {
    int64_t *start; /* n + 1: those of y begin at start[y]; owned */
    int32_t *node;  /* ascending for each y; owned */
    int64_t *edge;  /* the place of each edge in the graph; owned */
} parents;

static void parents_clear(parents *in)
{
    free(in->start);
    free(in->node);
    free(in->edge);
}

static void put_parent(parents *in, int32_t parent, int32_t child, int64_t edge)
{
    int64_t slot = in->start[child]++;
    in->node[slot] = parent;
    in->edge[slot] = edge;
}

static dpc_status parents_init(const dpc_graph *graph, parents *in)
{
    int n = graph->n_nodes;
    in->start = dpc_zalloc((int64_t)n + 1, sizeof *in->start);
    in->node = dpc_alloc(graph->n_edges, sizeof *in->node);
    in->edge = dpc_alloc(graph->n_edges, sizeof *in->edge);
    if (in->start == NULL || in->node == NULL || in->edge == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark != DPC_UNDIRECTED)
            in->start[(graph->edges[e].mark == DPC_FORWARD ? graph->edges[e].b
                                                           : graph->edges[e].a) +
                      1]++;
    for (int v = 0; v < n; v++)
        in->start[v + 1] += in->start[v];
    /* parents below their child come from forward edges, those above it from backward ones */
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark == DPC_FORWARD)
            put_parent(in, graph->edges[e].a, graph->edges[e].b, e);
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark == DPC_BACKWARD)
            put_parent(in, graph->edges[e].b, graph->edges[e].a, e);
    /* filling has moved every start to the next one */
    memmove(in->start + 1, in->start, (size_t)n * sizeof *in->start);
    in->start[0] = 0;
    return DPC_OK;
}

/* ---- Pattern ---- */

/* Copies the marks of the edges in v-structures; `stamp` has n entries of -1. */
static void mark_colliders(const dpc_graph *graph, const parents *in,
                           const dpc_adjacency *adjacency, int32_t *stamp, dpc_edge *edges)
{
    for (int y = 0; y < graph->n_nodes; y++) {
        int64_t first = in->start[y], end = in->start[y + 1];
        for (int64_t i = first; i < end; i++)
            stamp[in->node[i]] = y;
        for (int64_t i = first; i < end; i++) {
            int x = in->node[i];
            int64_t married = 0; /* other parents of y that are adjacent to x */
            for (int k = 0; k < dpc_degree(adjacency, x); k++)
                married += stamp[dpc_neighbours(adjacency, x)[k]] == y;
            if (married < end - first - 1)
                edges[in->edge[i]].mark = graph->edges[in->edge[i]].mark;
        }
    }
}

static dpc_status direct_colliders(const dpc_graph *graph, dpc_edge *edges)
{
    parents in = {0};
    dpc_adjacency *adjacency = NULL;
    int32_t *stamp = dpc_alloc(graph->n_nodes, sizeof *stamp);
    dpc_status status = stamp != NULL ? parents_init(graph, &in) : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = dpc_adjacency_of(graph, NULL, &adjacency);
    if (status == DPC_OK) {
        memset(stamp, -1, (size_t)graph->n_nodes * sizeof *stamp);
        mark_colliders(graph, &in, adjacency, stamp, edges);
    }
    parents_clear(&in);
    dpc_adjacency_free(adjacency);
    free(stamp);
    return status;
}

dpc_status dpc_graph_reduce(const dpc_graph *graph, dpc_target as, dpc_graph *out, dpc_error *err)
{
    dpc_edge *edges = dpc_alloc(graph->n_edges, sizeof *edges);
    dpc_status status = edges != NULL ? DPC_OK : DPC_NO_MEMORY;
    for (int64_t e = 0; status == DPC_OK && e < graph->n_edges; e++) {
        edges[e] = graph->edges[e];
        if (as != DPC_CPDAG)
            edges[e].mark = DPC_UNDIRECTED;
    }
    if (status == DPC_OK && as == DPC_PATTERN)
        status = direct_colliders(graph, edges);
    if (status != DPC_OK) {
        free(edges);
        return dpc_fail_memory(err, "a graph to compare");
    }
    *out = (dpc_graph){graph->n_nodes, graph->n_edges, edges};
    return DPC_OK;
}

/* ---- The class of a DAG ---- */

static bool all_directed(const dpc_graph *graph)
{
    int64_t e = 0;
    while (e < graph->n_edges && graph->edges[e].mark != DPC_UNDIRECTED)
        e++;
    return e == graph->n_edges;
}

/*
 * The nodes, parents before their children: from the back, a node comes once all its children
 * have. `children` has n zeros. False: there is a cycle.
 */
static bool order_nodes(int n, const parents *in, int32_t *children, int32_t *order)
{
    int last = n, next = n; /* order[next … n - 1] are placed, those before `last` not yet left */
    for (int64_t i = 0; i < in->start[n]; i++)
        children[in->node[i]]++;
    for (int v = 0; v < n; v++)
        if (children[v] == 0)
            order[--next] = v;
    while (last > next) {
        int y = order[--last];
        for (int64_t i = in->start[y]; i < in->start[y + 1]; i++)
            if (--children[in->node[i]] == 0)
                order[--next] = in->node[i];
    }
    return next == 0;
}

/* The CPDAG of the class, where all edges are directed and no cycle is; if not, *dag is false. */
static dpc_status reduce_dag(const dpc_graph *graph, bool *dag, dpc_graph *out, dpc_error *err)
{
    *dag = false;
    if (!all_directed(graph))
        return DPC_OK;
    int n = graph->n_nodes;
    parents in = {0};
    int32_t *children = dpc_zalloc(n, sizeof *children);
    int32_t *order = dpc_alloc(n, sizeof *order);
    dpc_status status = DPC_OK;
    if (children == NULL || order == NULL || parents_init(graph, &in) != DPC_OK) {
        status = dpc_fail_memory(err, "the class of a DAG");
    } else if (order_nodes(n, &in, children, order)) {
        dpc_parents ordered = {n, order, in.start, in.node};
        *dag = true;
        status = dpc_class_graph(&ordered, DPC_CPDAG, out, err);
    }
    parents_clear(&in);
    free(children);
    free(order);
    return status;
}

dpc_status dpc_graphs_reduce(const dpc_graph *estimate, const dpc_graph *truth, dpc_target as,
                             dpc_graph *ours, dpc_graph *theirs, dpc_error *err)
{
    bool dag = false, both = false;
    dpc_status status = DPC_OK;
    if (as == DPC_CPDAG)
        status = reduce_dag(truth, &dag, theirs, err);
    if (status == DPC_OK && dag)
        status = reduce_dag(estimate, &both, ours, err);
    if (status == DPC_OK && !dag)
        status = dpc_graph_reduce(truth, as, theirs, err);
    if (status == DPC_OK && !both)
        status = dpc_graph_reduce(estimate, as, ours, err);
    return status;
}

/* ---- Metrics ---- */

static double ratio(double part, double all)
{
    return all > 0 ? part / all : NAN;
}

/* Two sorted lists side by side: does edge e of one come first (below 0), edge t of the other, or
 * do both join the same pair (0)? One of them may be behind the end. */
static int next_pair(const dpc_graph *estimate, int64_t e, const dpc_graph *truth, int64_t t)
{
    return e == estimate->n_edges ? 1
           : t == truth->n_edges  ? -1
                                  : dpc_by_pair(&estimate->edges[e], &truth->edges[t]);
}

/* What is in one graph, in the other and in both. */
typedef struct tally {
    int64_t extra, missing;           /* edges of one alone */
    int64_t common, other_mark;       /* edges of both, and of these with other marks */
    int64_t heads, true_heads;        /* arrowheads of the estimate, of the truth */
    int64_t same_heads, shared_heads; /* of both; of the truth at edges of both */
} tally;

static tally count_edges(const dpc_graph *estimate, const dpc_graph *truth)
{
    tally n = {0};
    int64_t e = 0, t = 0;
    while (e < estimate->n_edges || t < truth->n_edges) {
        int order = next_pair(estimate, e, truth, t);
        bool both = order == 0;
        bool head = order <= 0 && estimate->edges[e].mark != DPC_UNDIRECTED;
        bool true_head = order >= 0 && truth->edges[t].mark != DPC_UNDIRECTED;
        bool same = both && estimate->edges[e].mark == truth->edges[t].mark;
        n.extra += order < 0;
        n.missing += order > 0;
        n.common += both;
        n.other_mark += both && !same;
        n.heads += head;
        n.true_heads += true_head;
        n.same_heads += same && head;
        n.shared_heads += both && true_head;
        e += order <= 0;
        t += order >= 0;
    }
    return n;
}

void dpc_measure(const dpc_graph *estimate, const dpc_graph *truth, dpc_metrics *out)
{
    tally n = count_edges(estimate, truth);
    double fp = (double)n.extra + 0.5 * (double)n.other_mark;
    double fn = (double)n.missing + 0.5 * (double)n.other_mark;
    double p = (double)truth->n_edges, tp = p - fn, same = (double)n.same_heads;
    *out = (dpc_metrics){
        .tp = tp,
        .fp = fp,
        .fn = fn,
        .shd = fp + fn,
        .tpr = ratio(tp, p),
        .fprp = ratio(fp, p),
        .precision = ratio(tp, tp + fp),
        .recall = ratio(tp, p),
        .f1 = ratio(2 * tp, 2 * tp + fp + fn),
        .p = truth->n_edges,
        .exact = fp + fn == 0,
        .ap = ratio((double)n.common, (double)estimate->n_edges),
        .ar = ratio((double)n.common, p),
        .ahp = ratio(same, (double)n.heads),
        .ahr = ratio(same, (double)n.true_heads),
        .ahrc = ratio(same, (double)n.shared_heads),
    };
}

/* ---- PAGs ---- */

/* How often each end mark is in the estimate, in the truth, and in both at the same end. */
typedef struct end_tally {
    int64_t ours[DPC_END_TAIL + 1], theirs[DPC_END_TAIL + 1], same[DPC_END_TAIL + 1];
} end_tally;

static void count_end(end_tally *n, dpc_end ours, dpc_end theirs)
{
    n->ours[ours]++;
    n->theirs[theirs]++;
    n->same[ours] += ours == theirs;
}

/* The entries of DPC_END_NONE count the ends of pairs that only one of them joins. */
static void measure_pags(const dpc_graph *estimate, const dpc_graph *truth, dpc_pag_metrics *out)
{
    end_tally n = {0};
    int64_t e = 0, t = 0, common = 0, shd = 0;
    while (e < estimate->n_edges || t < truth->n_edges) {
        int order = next_pair(estimate, e, truth, t);
        dpc_mark ours = order <= 0 ? estimate->edges[e].mark : DPC_NONE;
        dpc_mark theirs = order >= 0 ? truth->edges[t].mark : DPC_NONE;
        count_end(&n, dpc_end_a(ours), dpc_end_a(theirs));
        count_end(&n, dpc_end_b(ours), dpc_end_b(theirs));
        common += order == 0;
        shd += ours != theirs;
        e += order <= 0;
        t += order >= 0;
    }
    double arrows = (double)n.same[DPC_END_ARROW], tails = (double)n.same[DPC_END_TAIL];
    double both = (double)(estimate->n_edges + truth->n_edges);
    *out = (dpc_pag_metrics){
        .precision = ratio((double)common, (double)estimate->n_edges),
        .recall = ratio((double)common, (double)truth->n_edges),
        .f1 = ratio(2 * (double)common, both),
        .arrow_precision = ratio(arrows, (double)n.ours[DPC_END_ARROW]),
        .arrow_recall = ratio(arrows, (double)n.theirs[DPC_END_ARROW]),
        .tail_precision = ratio(tails, (double)n.ours[DPC_END_TAIL]),
        .tail_recall = ratio(tails, (double)n.theirs[DPC_END_TAIL]),
        .shd = shd,
        .exact = shd == 0,
    };
}

/* ---- All of it ---- */

static dpc_status check_sizes(const dpc_graph *estimate, const dpc_graph *truth, dpc_error *err)
{
    if (estimate->n_nodes == truth->n_nodes)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE,
                    "the estimate has %d nodes and the truth %d; both must have the same nodes",
                    estimate->n_nodes, truth->n_nodes);
}

dpc_status dpc_compare_pags(const dpc_graph *estimate, const dpc_graph *truth, dpc_pag_metrics *out,
                            dpc_error *err)
{
    DPC_CHECK(check_sizes(estimate, truth, err));
    DPC_CHECK(dpc_graph_check(estimate, "estimate", err));
    DPC_CHECK(dpc_graph_check(truth, "truth", err));
    measure_pags(estimate, truth, out);
    return DPC_OK;
}

/* Circles and bidirected edges mean nothing where only adjacencies are compared. */
static dpc_status check_marks(const dpc_graph *graph, const char *which, dpc_target as,
                              dpc_error *err)
{
    if (as == DPC_SKELETON)
        return dpc_graph_check(graph, which, err);
    return dpc_graph_check_directed(graph, which, "comparing CPDAGs or patterns", err);
}

dpc_status dpc_compare(const dpc_graph *estimate, const dpc_graph *truth, dpc_target as,
                       dpc_metrics *out, dpc_error *err)
{
    DPC_CHECK(check_sizes(estimate, truth, err));
    if (as < DPC_CPDAG || as > DPC_SKELETON)
        return dpc_fail(err, DPC_USAGE, "graphs are compared as cpdag, pattern or skeleton");
    DPC_CHECK(check_marks(estimate, "estimate", as, err));
    DPC_CHECK(check_marks(truth, "truth", as, err));
    dpc_graph ours = {0}, theirs = {0};
    dpc_status status = dpc_graphs_reduce(estimate, truth, as, &ours, &theirs, err);
    if (status == DPC_OK)
        dpc_measure(&ours, &theirs, out);
    dpc_graph_clear(&ours);
    dpc_graph_clear(&theirs);
    return status;
}
