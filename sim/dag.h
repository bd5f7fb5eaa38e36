/*
 * Random Gaussian Bayesian networks: a DAG with edge weights, and the graphs that it implies
 * (pattern, CPDAG).
 *
 * The model (section 4 of the paper, eq. sim) is, in a topological order,
 *
 *     Y_j = Σ_{i ∈ parents(j)} w_ij Y_i + s_j ε_j,    ε_j independent, mean 0,
 *
 * where all s_j are 1 unless a design says otherwise (design.h).
 */
#ifndef DPC_DAG_H
#define DPC_DAG_H

#include "dualpc_graph.h"
#include "equivalence.h"

/* What a node is in the data. */
typedef struct dpc_node_kind {
    dpc_variable_kind kind; /* DPC_NUMBER, DPC_ORDERED or DPC_NOMINAL */
    int n_levels;           /* of the last two */
} dpc_node_kind;

/* The parents of v are parent[start[v]] … parent[start[v + 1] - 1], ascending. */
typedef struct dpc_dag {
    int n;           /* nodes */
    int32_t *order;  /* n nodes, every parent before its children; owned */
    int64_t *start;  /* n + 1; owned */
    int32_t *parent; /* start[n] of them; owned */
    double *weight;  /* beside `parent`; owned */
    double *spread;  /* n: s_j, the factor of the noise; owned */
    /* Where data are not linear and Gaussian (kinds.h): */
    dpc_node_kind *kinds; /* n; owned; NULL: all are numbers */
    uint8_t *curve; /* beside `parent`: a dpc_edge_curve; owned; NULL: all edges are straight */
} dpc_dag;

/* The shape of a random DAG: structure.c has what each of them is. */
typedef enum dpc_structure {
    DPC_ER, /* Erdős and Rényi: every pair with the same probability, as in the paper */
    DPC_SCALE_FREE_IN,
    DPC_SCALE_FREE_OUT,
    DPC_SMALL_WORLD,
    DPC_BIPARTITE,
    DPC_HUBS,
    DPC_CHAIN,
} dpc_structure;

/* As they are typed; ended by NULL. */
extern const char *const dpc_structure_words[];

/* How a random DAG is drawn. */
typedef struct dpc_dag_model {
    int n;             /* nodes, at least 1 */
    double parents;    /* d, the expected number of parents of a node, >= 0 */
    double weight_low; /* weights are uniform on (weight_low, weight_high) */
    double weight_high;
    dpc_structure structure;
} dpc_dag_model;

/* The largest expected number of parents that n nodes can have: all pairs joined that may be. */
double dpc_most_parents(dpc_structure structure, int n);

/* The distribution of ε. */
typedef struct dpc_noise {
    double degrees;   /* of freedom of Student's t; INFINITY is N(0, 1) */
    bool exponential; /* instead: the standard exponential distribution minus its mean, 1 */
} dpc_noise;

/* Random numbers, from whoever has them. */
typedef struct dpc_dice {
    double (*uniform)(void *state);                 /* from [0, 1) */
    uint64_t (*below)(void *state, uint64_t bound); /* a whole number from 0 to bound - 1 */
    void *state;
} dpc_dice;

/* Puts the numbers from 0 to n - 1 in a random order; all are equally likely. */
void dpc_dice_shuffle(int32_t *order, int n, const dpc_dice *dice);

/* A random DAG, whose s_j are 1. Free with dpc_dag_free. */
dpc_status dpc_dag_draw(const dpc_dag_model *model, const dpc_dice *dice, dpc_dag **out,
                        dpc_error *err);
void dpc_dag_free(dpc_dag *dag);

/* The DAG as the core knows it; it stays the owner. */
dpc_parents dpc_dag_parents(const dpc_dag *dag);

/*
 * What the class of Markov equivalent DAGs has in common: its CPDAG, pattern or
 * skeleton. The caller frees out->edges with free().
 */
dpc_status dpc_dag_graph(const dpc_dag *dag, dpc_target target, dpc_graph *out, dpc_error *err);

/* The DAG itself as a graph, every edge directed. The caller frees out->edges with free(). */
dpc_status dpc_dag_edges(const dpc_dag *dag, dpc_graph *out, dpc_error *err);

#endif
