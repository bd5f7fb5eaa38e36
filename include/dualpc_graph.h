/*
 * dualpc: graphs. What a graph is, the classes that it stands for, comparing two of them,
 * separation, adjustment sets and distances. Nothing here needs data; the rules of the house are in
 * dualpc.h.
 */
#ifndef DUALPC_GRAPH_H
#define DUALPC_GRAPH_H

#include "dualpc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Graph -------------------------------------------------------------- */

/* What an edge has at one of its ends. The values are those of pcalg's amat.pag. */
typedef enum dpc_end {
    DPC_END_NONE = 0, /* there is no edge */
    DPC_END_CIRCLE,   /* cannot tell: a tail or an arrowhead */
    DPC_END_ARROW,
    DPC_END_TAIL,
} dpc_end;

/* An edge between a and b by its two ends. */
#define DPC_MARK(at_a, at_b) ((at_a) | (at_b) << 2)

/* How the two ends of a pair a < b are joined: the ends at a and at b in one number. */
typedef enum dpc_mark {
    DPC_NONE = 0,
    DPC_UNDIRECTED = DPC_MARK(DPC_END_TAIL, DPC_END_TAIL),   /* a — b */
    DPC_FORWARD = DPC_MARK(DPC_END_TAIL, DPC_END_ARROW),     /* a → b */
    DPC_BACKWARD = DPC_MARK(DPC_END_ARROW, DPC_END_TAIL),    /* a ← b */
    DPC_BIDIRECTED = DPC_MARK(DPC_END_ARROW, DPC_END_ARROW), /* a ↔ b: a hidden cause of both */
    DPC_CIRCLES = DPC_MARK(DPC_END_CIRCLE, DPC_END_CIRCLE),  /* a o-o b */
    DPC_CIRCLE_ARROW = DPC_MARK(DPC_END_CIRCLE, DPC_END_ARROW), /* a o-> b */
    DPC_ARROW_CIRCLE = DPC_MARK(DPC_END_ARROW, DPC_END_CIRCLE), /* a <-o b */
    DPC_CIRCLE_TAIL = DPC_MARK(DPC_END_CIRCLE, DPC_END_TAIL),   /* a o-- b */
    DPC_TAIL_CIRCLE = DPC_MARK(DPC_END_TAIL, DPC_END_CIRCLE),   /* a --o b */
} dpc_mark;

static inline dpc_end dpc_end_a(dpc_mark mark)
{
    return (dpc_end)(mark & 3);
}

static inline dpc_end dpc_end_b(dpc_mark mark)
{
    return (dpc_end)(mark >> 2);
}

typedef struct dpc_edge {
    int32_t a, b; /* a < b */
    dpc_mark mark;
} dpc_edge;

/* A graph with at most one edge between two nodes. To be read; made by the functions below. */
struct dpc_graph {
    int n_nodes;
    int64_t n_edges;
    dpc_edge *edges; /* sorted by a, then b; owned */
};

/*
 * A graph of these edges, in any order and with the ends in any order (a mark is seen from a). Ends
 * out of range, a node joined with itself and a pair that is there twice are DPC_USAGE. Free with
 * dpc_graph_free.
 */
DPC_API dpc_status dpc_graph_new(int n_nodes, const dpc_edge *edges, int64_t n_edges,
                                 dpc_graph **out, dpc_error *err);
DPC_API dpc_status dpc_graph_copy(const dpc_graph *graph, dpc_graph **out, dpc_error *err);
DPC_API void dpc_graph_free(dpc_graph *graph);

/*
 * Is it a PAG: does any edge have a circle, or arrowheads at both ends? Functions that need a DAG
 * or a CPDAG refuse such a graph with DPC_BAD_INPUT.
 */
DPC_API bool dpc_graph_is_pag(const dpc_graph *graph);

/*
 * The graph as an adjacency matrix of n × n bytes, row after row: entry (i, j) is 1 where there is
 * i → j or i — j, and otherwise 0; so an undirected edge has two ones. A PAG is DPC_BAD_INPUT. And
 * a graph from such a matrix: any entry but 0 counts, and one on the diagonal is DPC_USAGE. (Column
 * after column, as R has its matrices, the arrows are turned round.)
 */
DPC_API dpc_status dpc_graph_adjacency(const dpc_graph *graph, uint8_t *matrix, dpc_error *err);
DPC_API dpc_status dpc_graph_from_adjacency(const uint8_t *matrix, int n_nodes, dpc_graph **out,
                                            dpc_error *err);

/*
 * Any graph as a matrix of the marks at the ends of its edges, pcalg's amat.pag: n × n bytes, row
 * after row; entry (i, j) is the dpc_end at j of the edge between i and j, DPC_END_NONE where there
 * is none. And a graph from such a matrix: a number that is no mark, a mark on the diagonal and an
 * edge with a mark at one end only are DPC_USAGE. (Column after column, the two ends of every edge
 * change places.)
 */
DPC_API dpc_status dpc_graph_marks(const dpc_graph *graph, uint8_t *matrix, dpc_error *err);
DPC_API dpc_status dpc_graph_from_marks(const uint8_t *matrix, int n_nodes, dpc_graph **out,
                                        dpc_error *err);

/*
 * The edges as columns of n_edges each, in the order of graph->edges: from → to where `directed` is
 * 1, from — to where it is 0. What is not wanted may be NULL. The marks of a PAG need more than
 * that: see dpc_graph_mark.
 */
DPC_API void dpc_graph_edges(const dpc_graph *graph, int32_t *from, int32_t *to, uint8_t *directed);

/* The mark between a and b (any order of the two), seen from a; DPC_NONE also of no such pair. */
DPC_API dpc_mark dpc_graph_mark(const dpc_graph *graph, int a, int b);

/*
 * One member of the class that a CPDAG or pattern stands for: a DAG with the same skeleton, the
 * same arrows and no other v-structures. DPC_BAD_INPUT where there is none, which happens to graphs
 * that are not the CPDAG of any DAG. Free with dpc_graph_free.
 */
DPC_API dpc_status dpc_class_member(const dpc_graph *cpdag, dpc_graph **dag, dpc_error *err);

/* ---- Comparing ---------------------------------------------------------- */

/* A graph whose nodes have names, such as one read from a file. */
typedef struct dpc_named_graph {
    dpc_graph graph; /* owned */
    char **names;    /* graph.n_nodes of them, all different; owned */
    bool all_nodes;  /* the file lists its nodes; an edge list has only those with an edge */
    bool pag;        /* the file says that it is a PAG, also where no mark of it does */
} dpc_named_graph;

/* Frees also the graph and its names. */
DPC_API void dpc_named_graph_free(dpc_named_graph *graph);

/*
 * How far an estimate is from the truth (section 4.1 of the paper). A pair that only the estimate
 * joins is a false positive, one that only the truth joins a false negative, one that both join
 * but mark differently half of each.
 */
typedef struct dpc_metrics {
    double tp, fp, fn; /* tp = p - fn */
    double shd;        /* structural Hamming distance, fp + fn */
    double tpr, fprp;  /* tp / p, fp / p; NaN where the truth has no edge */
    double precision;  /* tp / (tp + fp); NaN where the estimate has no edge */
    double recall, f1; /* recall is tpr; f1 = 2 tp / (2 tp + fp + fn) */
    int64_t p;         /* pairs that the truth joins */
    bool exact;        /* the same edges with the same marks */
    /* As Tetrad counts them; NaN where there is nothing to be counted. */
    double ap, ar;   /* adjacencies: common ones of those of the estimate, of the truth */
    double ahp, ahr; /* arrowheads: common ones of those of the estimate, of the truth, … */
    double ahrc;     /* … and of those of the truth at pairs that both join */
} dpc_metrics;

/*
 * Compares two graphs over the same nodes as CPDAGs, patterns or skeletons. A truth that is a DAG
 * is turned into its CPDAG first, and so is the estimate where both are DAGs; the pattern of a
 * graph has only its v-structures directed. PAGs can be compared as skeletons only;
 * dpc_compare_pags compares their marks.
 */
DPC_API dpc_status dpc_compare(const dpc_graph *estimate, const dpc_graph *truth, dpc_target as,
                               dpc_metrics *out, dpc_error *err);

/*
 * How far an estimated PAG is from the true one. Every edge has two end marks. An end mark of the
 * estimate is right where the truth has the same mark at the same end of the same pair.
 */
typedef struct dpc_pag_metrics {
    /* Adjacencies: pairs that both join, of those that the estimate or the truth joins. */
    double precision, recall, f1;
    /* End marks: right ones of those of the estimate, of the truth. */
    double arrow_precision, arrow_recall;
    double tail_precision, tail_recall;
    int64_t shd;   /* pairs that differ in any way: in the edge, or in one or both of its marks */
    bool exact;    /* the same edges with the same marks */
} dpc_pag_metrics; /* a share of nothing is NaN */

/* Compares two graphs over the same nodes by their end marks, as they are. */
DPC_API dpc_status dpc_compare_pags(const dpc_graph *estimate, const dpc_graph *truth,
                                    dpc_pag_metrics *out, dpc_error *err);

/*
 * Two graphs with names, in any order, as graphs over the same nodes, with the same numbers and
 * names. Where both list their nodes these must be the same; where one does, it must have all of
 * the other; where none does, one of them must have all of the other. If not, DPC_BAD_INPUT, with
 * the names that do not match. Free both with dpc_named_graph_free.
 */
DPC_API dpc_status dpc_match_graphs(const dpc_named_graph *estimate, const dpc_named_graph *truth,
                                    dpc_named_graph **matched_estimate,
                                    dpc_named_graph **matched_truth, dpc_error *err);

/*
 * A graph with names as one over variables with these names, in their order; DPC_BAD_INPUT where
 * the two differ, as above. Free with dpc_graph_free.
 */
DPC_API dpc_status dpc_match_variables(const dpc_named_graph *graph, const char *const *names,
                                       int n_vars, dpc_graph **out, dpc_error *err);

/* ---- What follows from a graph ------------------------------------------- */

/* What a graph may be, to be asked about effects. */
typedef enum dpc_graph_kind {
    DPC_GRAPH_DAG,   /* all edges directed: one DAG */
    DPC_GRAPH_CPDAG, /* a class of equivalent DAGs, with the arrows that all of them share */
    DPC_GRAPH_MPDAG, /* those of such a class that have certain arrows more */
    DPC_GRAPH_MAG,   /* a maximal ancestral graph: arrows, and a ↔ b where something hidden is */
    DPC_GRAPH_PAG,   /* a class of equivalent MAGs, with the marks that all of them share */
} dpc_graph_kind;

/*
 * A graph that can be asked. A copy, with all that the answers need: no question allocates. One
 * thread may ask it at a time. Opaque.
 */
typedef struct dpc_causal dpc_causal;

/*
 * DPC_BAD_INPUT where the graph is none of the above, with the edges that are to blame, called by
 * `names` (may be NULL). With `extend` the nearest graph that is takes its place: what follows by
 * Meek's rules is directed, and where no DAG has the arrows and v-structures of the graph it is
 * the DAG, or its class, that turns few arrows. Free with dpc_causal_free.
 */
DPC_API dpc_status dpc_causal_new(const dpc_graph *graph, const char *const *names, bool extend,
                                  dpc_causal **out, dpc_error *err);

/* The same where the graph is known to be a PAG or a MAG. By its marks alone one without circles
 * and double arrows looks like a DAG, whose arrows say more. It may have more marks than its class:
 * those that follow from knowledge. */
DPC_API dpc_status dpc_causal_new_pag(const dpc_graph *graph, const char *const *names, bool extend,
                                      dpc_causal **out, dpc_error *err);
DPC_API void dpc_causal_free(dpc_causal *graph);

/* All lives as long as the object. */
typedef struct dpc_causal_info {
    dpc_graph_kind kind;
    const dpc_graph *graph; /* as it is asked */
    int64_t changed;        /* how many of its edges are not marked as those given, … */
    const char *reason;     /* … and why; NULL: none is */
} dpc_causal_info;

DPC_API dpc_causal_info dpc_causal_about(const dpc_causal *graph);

/* ---- Adjustment sets and separation -------------------------------------- */

/*
 * Are x and y d-separated given some nodes, in all DAGs that the graph stands for? Where they are
 * not and `path` (may be NULL) has room for n nodes, it receives a shortest path from x to y that
 * is open in one of these DAGs, and *length its nodes; 0 otherwise.
 */
DPC_API dpc_status dpc_separated(dpc_causal *graph, int x, int y, const int32_t *given, int count,
                                 bool *separated, int32_t *path, int *length, dpc_error *err);

/* What a graph says about the effect of x on y before any set is looked at. */
typedef struct dpc_identification {
    bool identified; /* by adjustment: every possibly directed path to y begins with an arrow */
    bool possible;   /* there is such a path; if not, the effect is 0 in all DAGs */
    int32_t length;  /* not identified: the nodes of one that begins with an undirected edge, */
    int32_t *path;   /* which this receives where it is not NULL; room for n nodes */
} dpc_identification;

/* The caller sets out->path. */
DPC_API dpc_status dpc_identify(dpc_causal *graph, int x, int y, dpc_identification *out,
                                dpc_error *err);

typedef enum dpc_adjustment_kind {
    DPC_ADJUST_OPTIMAL, /* the valid set with the smallest asymptotic variance */
    DPC_ADJUST_PARENTS, /* the parents of x */
    DPC_ADJUST_MINIMAL, /* from the optimal set or the parents; no part of it is valid */
} dpc_adjustment_kind;

/*
 * A valid adjustment set for the effect of x on y, ascending, into `set`, which has room for n
 * nodes. *size is -1 where there is none of this kind; no optimal one where the effect is 0.
 */
DPC_API dpc_status dpc_adjustment(dpc_causal *graph, int x, int y, dpc_adjustment_kind kind,
                                  int32_t *set, int *size, dpc_error *err);

typedef enum dpc_verdict {
    DPC_SET_VALID,
    DPC_SET_NOT_IDENTIFIED, /* no set is: see dpc_identify */
    DPC_SET_FORBIDDEN,      /* it has a node on a causal path, or behind one */
    DPC_SET_OPEN,           /* it leaves a path open that is not causal */
} dpc_verdict;

typedef struct dpc_set_check {
    dpc_verdict verdict;
    int32_t node;    /* forbidden: which; otherwise -1 … */
    int32_t through; /* … a descendant of this one, or itself, which is on a causal path */
    int32_t length;  /* open: the nodes of a path that is open in one DAG of the class, … */
    int32_t *path;   /* … which this receives where it is not NULL; room for n nodes */
} dpc_set_check;

/* Is the set a valid adjustment set? (Perković, Textor, Kalisch and Maathuis 2018.) The caller sets
 * out->path. */
DPC_API dpc_status dpc_check_adjustment(dpc_causal *graph, int x, int y, const int32_t *set,
                                        int size, dpc_set_check *out, dpc_error *err);

/* ---- Distances ------------------------------------------------------------ */

/*
 * How wrong an estimate is about effects (adjustment identification distances of Henckel, Würtzen
 * and Weichwald, 2024): of all ordered pairs, for how many is what it says wrong in the truth?
 * docs/effects.md has the definitions.
 */
typedef struct dpc_aid {
    int64_t pairs;                  /* n (n - 1) */
    int64_t parent, ancestor, oset; /* wrong ones, by the set that is adjusted for; -1: not asked */
    int64_t sid; /* structural intervention distance: `parent` of two DAGs; -1: not both are */
} dpc_aid;

/* Which of them: some of these, or all of them. */
enum { DPC_AID_PARENT = 1, DPC_AID_ANCESTOR = 2, DPC_AID_OSET = 4, DPC_AID_ALL = 7 };

/* Of `settings` (may be NULL) threads and progress are used. Two threads may ask the same. */
DPC_API dpc_status dpc_distances(const dpc_causal *estimate, const dpc_causal *truth,
                                 unsigned which, const dpc_settings *settings, dpc_aid *out,
                                 dpc_error *err);

#ifdef __cplusplus
}
#endif

#endif
