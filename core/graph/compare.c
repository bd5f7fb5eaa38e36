/*
 * The metrics of section 4.1 of the paper, and those of PAGs: see compare.h.
 *
 * Everything walks over sorted edge lists, so that the cost follows the edges and not n².
 */
#include "compare.h"

#include "graph.h"
#include "sorted.h"
#include "status.h"

#include <math.h>

/* ---- The form in which graphs are compared ---- */

dpc_status dpc_graphs_reduce(const dpc_graph *estimate, const dpc_graph *truth, dpc_target as,
                             dpc_graph *ours, dpc_graph *theirs, dpc_error *err)
{
    bool dag = false;
    DPC_CHECK(dpc_class_graph(truth, as, &dag, theirs, err));
    return dag ? dpc_class_graph(estimate, as, NULL, ours, err)
               : dpc_graph_reduce(estimate, as, ours, err);
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
