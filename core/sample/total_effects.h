/*
 * Total effects in the draws: for each DAG that was drawn, coefficients from their posterior given
 * it, and what these make of one unit more of a cause.
 *
 * Given a DAG the families are independent. Of v with the parents S, s of them,
 *
 *     b = T_SS⁻¹ T_Sv + L⁻ᵀ z √(T_v|S / χ²_ν),    L Lᵀ = T_SS,
 *
 * with z standard normal, T_v|S what S leaves of v in T, and χ² with ν degrees of freedom: b has a
 * multivariate t distribution. It is that of the score:
 *
 *   fbf, bge  A covariance matrix Σ of n variables with a prior IW(α, T₀), α = n for fbf and n + 2
 *             for bge, has over s + 1 variables the posterior IW(N + α - n + s + 1, T), whose
 *             part σ² = Σ_v|S is T_v|S / χ²_ν with these degrees of freedom, and b given σ²
 *             N(T_SS⁻¹ T_Sv, σ² T_SS⁻¹). So ν = N + s + 1 for fbf and N + s + 3 for bge. (The prior
 *             mean is that of the data, so that T has no part of it.) A factor of T cancels: of
 *             fbf T is R, of bge ½ I + (N - 1) R.
 *   bic       the posterior of a regression with an intercept and a flat prior of b and log σ²: T
 *             is R, ν = N - 1 - s, at least 1.
 *
 * Then the effect of x on itself is 1, on a node that comes before it 0, and on v Σ b_vp (effect on
 * p) over the parents p of v.
 *
 * Each node of each draw has random numbers of its own. So an effect does not depend on what else
 * is asked, and nothing that was drawn before depends on effects.
 */
#ifndef DPC_SAMPLE_TOTAL_EFFECTS_H
#define DPC_SAMPLE_TOTAL_EFFECTS_H

#include "draws.h"
#include "family_score.h"

typedef struct dpc_effects_plan {
    const dpc_sampled *sampled;
    const dpc_score_matrix *matrix; /* T, up to a factor */
    dpc_marginal_score score;
    double n_obs;
    uint64_t seed;
    const double *sd; /* by column: the units; NULL: there are none */
    int n_causes, n_outcomes;
    const int32_t *causes, *outcomes; /* columns; ascending, all different */
} dpc_effects_plan;

/* The number of effects: pairs of a cause and another variable as its outcome. */
int64_t dpc_count_effects(const dpc_effects_plan *plan);

/*
 * Fills `effects` by cause, then outcome, and values[effect * draws + place of the draw]. DPC_OK,
 * no memory or interrupted.
 */
dpc_status dpc_draw_effects(const dpc_effects_plan *plan, dpc_crew *crew,
                            dpc_posterior_effect *effects, double *values, dpc_error *err);

#endif
