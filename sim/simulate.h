/*
 * Data sets of the simulation study (section 4 of the paper, and its departures from the Gaussian
 * model), and of other shapes and designs: one description, and one function that draws what it
 * describes.
 */
#ifndef DPC_SIMULATE_H
#define DPC_SIMULATE_H

#include "design.h"
#include "node_kinds.h"

typedef struct dpc_simulation {
    dpc_dag_model model;
    int64_t n_obs;      /* N, at least 2 */
    dpc_noise noise;    /* Gaussian, Student's t or exponential */
    double tanh_lambda; /* λ of the monotone transformation; 0: none */
    uint64_t seed;      /* every value gives other data */
    dpc_design design;
    dpc_kinds_model kinds; /* nominal and ordered variables, curved relations */
    double hidden;         /* the share of the nodes that are hidden: see dpc_simulate_hidden */
    /* What the onion does not use, and nor the weights of the model: */
    dpc_signs signs;                    /* mixed: half of the weights are negative */
    double variance_low, variance_high; /* the error variances are uniform between these */
} dpc_simulation;

/*
 * The paper's: two parents expected, weights from 0.4 to 2, Gaussian noise of variance 1, no
 * transformation; seed 1. The numbers of nodes and observations are 0, and left to the caller.
 */
void dpc_simulation_default(dpc_simulation *simulation);

/* Are the values in their ranges? dpc_simulate asks this itself. */
dpc_status dpc_simulation_check(const dpc_simulation *simulation, dpc_error *err);

/*
 * Draws a DAG, and data from it: standardised (mean 0, variance 1 with divisor N - 1), and, where
 * λ > 0, then made Y → tanh(λ (Y + ε_j)), with one ε_j ~ N(0, 1) for each variable, and
 * standardised again. Columns are named V1, V2, … A column that λ has made constant, every value
 * being 1 or -1 to the last bit, is all 0. The columns of nominal and ordered variables
 * (dag->kinds) have the numbers of their levels from 0 on.
 *
 * DAG, noise, ε_j, signs, error variances and what a design draws come from streams of the seed of
 * their own. So the same seed and model give the same edges for any design, N, noise and λ, and λ
 * is the only difference between two data sets that differ in λ. Ordered variables leave all other
 * columns as they are. One thread draws; the bytes do not
 * depend on how many there are. Free with dpc_dag_free and dpc_table_free.
 */
dpc_status dpc_simulate(const dpc_simulation *simulation, dpc_dag **dag, dpc_table **table,
                        dpc_error *err);

/*
 * Which nodes of such a DAG are hidden (hidden.h), a bool per node, from a stream of the seed of
 * their own; the data are drawn with them, so that the other columns do not depend on the share.
 * The caller frees *hidden. Its memory is the only thing that can be missing.
 */
dpc_status dpc_simulate_hidden(const dpc_simulation *simulation, const dpc_dag *dag, bool **hidden,
                               dpc_error *err);

#endif
