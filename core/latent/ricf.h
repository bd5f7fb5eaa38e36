/*
 * The log-likelihood of one district of a Gaussian MAG, given its parents.
 *
 * A district is a set D of nodes that double arrows join. With B the coefficients of the arrows
 * into D, E = I - B, and C the correlations of D and its parents,
 *
 *     ε = E X,   Cov ε = Ω,   Ω_ij = 0 where i ↔ j is not an edge,
 *     ℓ = -N/2 (log det Ω + tr(Ω⁻¹ A) - |D|),   A = E C Eᵀ,
 *
 * and the likelihood of a MAG is the sum over its districts. One node alone is a regression.
 *
 * Residual iterative conditional fitting (Drton, Eichler and Richardson 2009) makes ℓ larger node
 * by node: with all else as it is, X_i is regressed on its parents and on Z_s = (Ω₋ᵢ⁻¹ ε₋ᵢ)_s for
 * its spouses s; the coefficients are the new B_i and Ω_i. Its steps become slow near the maximum,
 * and MAGs of one class must have the same likelihood to the sixth decimal. So after a few sweeps
 * Newton's method takes over, with the exact second derivatives, damped where a step gains nothing.
 * Half of its decrement is what is left to gain, which tells when to end.
 *
 * The likelihood can have several maxima where a graph fits badly; this one is that of the way from
 * the regressions on parents alone, and no covariances.
 *
 * Everything is computed from R and N, and from a start that does not depend on the past: the same
 * district has the same likelihood to the bit, whoever asks.
 */
#ifndef DPC_RICF_H
#define DPC_RICF_H

#include "arena.h"
#include "view.h"

/* Larger districts are refused: their fits take long, and data hardly ever tell them. So are parts
 * of districts with more parameters (arrows, double arrows and variances): without that limit dense
 * graphs take three times as long, for 7 % less of SHD. */
enum { DPC_LARGEST_DISTRICT = 8, DPC_MOST_PARAMETERS = 48 };

typedef struct dpc_district {
    int size;                               /* |D|, at most DPC_LARGEST_DISTRICT */
    int32_t node[DPC_LARGEST_DISTRICT];     /* labels */
    uint32_t spouses[DPC_LARGEST_DISTRICT]; /* by place in `node`, as bits */
    int32_t *parents[DPC_LARGEST_DISTRICT]; /* labels, ascending; not owned */
    int n_parents[DPC_LARGEST_DISTRICT];
} dpc_district;

/* The memory of one fit after the other. Belongs to one worker. Start from {0}. */
typedef struct dpc_ricf {
    double *memory; /* owned */
    int64_t capacity;
    int32_t *place; /* by label: the place of a variable of the fit, -1: none; owned */
    int n;
} dpc_ricf;

/* For n nodes. DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_ricf_init(dpc_ricf *ricf, int n);
void dpc_ricf_clear(dpc_ricf *ricf);

/* ℓ at its maximum; -INFINITY where the correlations are singular. DPC_OK or no memory. */
dpc_status dpc_ricf_likelihood(dpc_ricf *ricf, const dpc_view *view, double n_obs,
                               const dpc_district *district, double *likelihood);

/* About ℓ, by a few sweeps: where they are, and once more what the last one has gained. */
dpc_status dpc_ricf_roughly(dpc_ricf *ricf, const dpc_view *view, double n_obs,
                            const dpc_district *district, double *likelihood);

#endif
