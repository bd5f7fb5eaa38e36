/*
 * Designs: which weights and which noise a random DAG has.
 *
 *     scm       as drawn: weights uniform, error variances v_j uniform (1 by default)
 *     internal  the same, but each variable is divided by its standard deviation before its
 *               children are made of it (iSCM, Ormaniec et al. 2025)
 *     onion     uniform over the correlation matrices that the DAG can have (DaO, Andrews and
 *               Kummerfeld); weights, signs and error variances follow from that
 *
 * In the population of the last two every variance is 1.
 */
#ifndef DPC_DESIGN_H
#define DPC_DESIGN_H

#include "noise.h"

typedef enum dpc_design { DPC_SCM, DPC_INTERNAL, DPC_ONION } dpc_design;
typedef enum dpc_signs { DPC_POSITIVE, DPC_MIXED_SIGNS } dpc_signs;

/* As they are typed; ended by NULL. */
extern const char *const dpc_design_words[], *const dpc_signs_words[];

/* Reverses the sign of each weight with probability 1/2. */
void dpc_design_signs(dpc_dag *dag, dpc_random *random);

/* s_j = √v_j, v_j uniform between the two. */
void dpc_design_variances(dpc_dag *dag, double low, double high, dpc_random *random);

/*
 * Makes weights and s_j those of the design, for noise of this variance, which is finite. The order
 * of the DAG may become another one of its orders. DPC_USAGE: parents of a node are so close to a
 * linear combination of one another that the onion has no coefficients for them.
 */
dpc_status dpc_design_apply(dpc_design design, double noise_variance, dpc_random *random,
                            dpc_dag *dag, dpc_error *err);

#endif
