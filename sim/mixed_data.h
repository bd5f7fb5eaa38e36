/*
 * Values of networks with nominal variables or curved edges: conditional Gaussian networks and
 * additive ones.
 *
 * A number, parents first, with z_i the standardised column of parent i and σ_i its deviation:
 *
 *     Y_j = Σ_i w_ij Y_i               straight edges from numbers
 *         + Σ_i w_ij σ_i g_ij(z_i)     curved ones; g_ij(z_i) is standardised
 *         + Σ_i w_ij c_ij(X_i)         shifts by the levels of nominal parents
 *         + s_j ε_j.
 *
 * A nominal variable with L levels is l with a probability in proportion to exp(η_l),
 *
 *     η_l = a_l + 1/s_j (Σ_i w_ij c_ij(l) z_i + Σ_i w_ij d_ij(l, X_i)).
 *
 * Contrasts c, one number for each level, have mean 0 and mean square 1; so have the matrices d,
 * whose rows and columns all have mean 0. So the shift of a nominal parent has about the variance
 * of a linear edge from a root, and of two levels a linear parent changes the log odds by 2 w z,
 * about what w z is beside Gaussian noise. The a_l are such that the levels have the shares that
 * were drawn for them, 1/(2L) or more.
 */
#ifndef DPC_MIXED_DATA_H
#define DPC_MIXED_DATA_H

#include "node_kinds.h"

typedef struct dpc_mixed_draw {
    dpc_noise noise;
    bool internal;       /* is each number standardised before its children are made? */
    dpc_random *random;  /* of the noise, and the levels */
    dpc_random *effects; /* of c, d and the shares of the levels */
} dpc_mixed_draw;

/* Fills the columns; those of nominal nodes with the numbers of their levels. */
dpc_status dpc_draw_mixed(const dpc_dag *dag, const dpc_mixed_draw *how, dpc_table *table,
                          dpc_error *err);

#endif
