/* Data sets of the simulation study: see simulate.h. */
#include "simulate.h"

#include "hidden.h"
#include "mixed_data.h"
#include "platform.h"
#include "standardise.h"
#include "status.h"
#include "table.h"

#include <math.h>

enum {
    STREAM_DAG,
    STREAM_NOISE,
    STREAM_SHIFT,
    STREAM_SIGNS,
    STREAM_VARIANCES,
    STREAM_DESIGN,
    STREAM_KINDS,
    STREAM_CURVES,
    STREAM_EFFECTS,
    STREAM_CUTS,
    STREAM_HIDDEN,
};

void dpc_simulation_default(dpc_simulation *simulation)
{
    *simulation = (dpc_simulation){
        .model = {.parents = 2, .weight_low = 0.4, .weight_high = 2},
        .noise = {.degrees = INFINITY},
        .seed = 1,
        .variance_low = 1,
        .variance_high = 1,
    };
}

static dpc_status check_model(const dpc_dag_model *m, dpc_error *err)
{
    double most = dpc_most_parents(m->structure, m->n);
    if (m->n < 1)
        return dpc_fail(err, DPC_USAGE, "nodes must be 1 or more, not %d", m->n);
    if (!(m->parents >= 0))
        return dpc_fail(err, DPC_USAGE, "parents must be 0 or more, not %g", m->parents);
    if (m->parents > most || isinf(m->parents))
        return dpc_fail(err, DPC_USAGE,
                        "parents must be at most %.10g, the mean where all pairs of %d nodes are "
                        "joined%s, not %g",
                        most, m->n, m->structure == DPC_BIPARTITE ? " that may be" : "",
                        m->parents);
    if (!isfinite(m->weight_low) || !isfinite(m->weight_high) || m->weight_low > m->weight_high)
        return dpc_fail(err, DPC_USAGE,
                        "weights must be two numbers, the smaller one first, not %g,%g",
                        m->weight_low, m->weight_high);
    return DPC_OK;
}

static dpc_status check_noise(const dpc_simulation *s, dpc_error *err)
{
    if (!(s->noise.degrees > 0))
        return dpc_fail(err, DPC_USAGE, "noise t needs more than 0 degrees of freedom, not %g",
                        s->noise.degrees);
    if (s->design != DPC_SCM && isinf(dpc_noise_variance(s->noise)))
        return dpc_fail(err, DPC_USAGE,
                        "design %s needs noise with a variance: t with more than 2 degrees of "
                        "freedom, not %g",
                        dpc_design_words[s->design], s->noise.degrees);
    if (!(s->variance_low > 0) || !isfinite(s->variance_high) || s->variance_low > s->variance_high)
        return dpc_fail(err, DPC_USAGE,
                        "variances must be two numbers above 0, the smaller one first, not %g,%g",
                        s->variance_low, s->variance_high);
    return DPC_OK;
}

/* Is every relation of the network linear? Ordered variables are cut from such a network. */
static bool is_linear(const dpc_simulation *s)
{
    return s->kinds.mixed == 0 && s->kinds.curved == 0;
}

dpc_status dpc_simulation_check(const dpc_simulation *s, dpc_error *err)
{
    DPC_CHECK(check_model(&s->model, err));
    if (s->n_obs < 2)
        return dpc_fail(err, DPC_USAGE, "samples must be 2 or more, not %lld", (long long)s->n_obs);
    DPC_CHECK(check_noise(s, err));
    if (!(s->tanh_lambda >= 0) || isinf(s->tanh_lambda))
        return dpc_fail(err, DPC_USAGE, "tanh must be 0 (none) or more, not %g", s->tanh_lambda);
    DPC_CHECK(dpc_kinds_model_check(&s->kinds, err));
    if (!(s->hidden >= 0) || s->hidden >= 1)
        return dpc_fail(err, DPC_USAGE, "hidden must be from 0 to below 1, not %g", s->hidden);
    if (s->design == DPC_ONION && !is_linear(s))
        return dpc_fail(err, DPC_USAGE,
                        "design onion draws correlation matrices of linear networks; it does not "
                        "go with %s",
                        s->kinds.mixed > 0 ? "mixed" : "curved");
    return DPC_OK;
}

/* The system may promise memory that it does not have, and kill the program when that is used. */
static dpc_status make_table(int64_t n_obs, int n_vars, dpc_table **out, dpc_error *err)
{
    double bytes = (double)n_obs * n_vars * sizeof(double);
    dpc_memory_offer offer = dpc_memory_offered();
    if (bytes > offer.bytes)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "out of memory for a table of %lld rows and %d columns, which needs %.1f "
                        "GB; %s %.1f GB",
                        (long long)n_obs, n_vars, bytes * 1e-9, offer.who, offer.bytes * 1e-9);
    return dpc_table_make(n_obs, n_vars, NULL, out, err);
}

/* ---- Drawing ------------------------------------------------------------- */

/* Weights and spreads as the simulation wants them, in the place of those that the DAG has. */
static dpc_status apply_design(const dpc_simulation *s, dpc_dag *dag, dpc_error *err)
{
    dpc_random random;
    if (s->signs == DPC_MIXED_SIGNS) {
        dpc_random_start(&random, s->seed, STREAM_SIGNS);
        dpc_design_signs(dag, &random);
    }
    dpc_random_start(&random, s->seed, STREAM_VARIANCES);
    dpc_design_variances(dag, s->variance_low, s->variance_high, &random);
    if (!is_linear(s))
        return DPC_OK; /* its variances are not those of the linear model */
    dpc_random_start(&random, s->seed, STREAM_DESIGN);
    return dpc_design_apply(s->design, dpc_noise_variance(s->noise), &random, dag, err);
}

/* Y_j = s_j noise + Σ w_ij Y_i, parents first; not standardised, as in the model. */
static void draw_values(const dpc_dag *dag, dpc_noise noise, uint64_t seed, dpc_table *table)
{
    dpc_random random;
    dpc_ziggurat ziggurat;
    int64_t n_obs = table->n_obs;
    dpc_random_start(&random, seed, STREAM_NOISE);
    dpc_ziggurat_init(&ziggurat);
    for (int i = 0; i < dag->n; i++) {
        int j = dag->order[i];
        double *restrict y = table->values + (int64_t)j * n_obs;
        dpc_draw_noise(&random, &ziggurat, noise, y, n_obs);
        if (dag->spread[j] != 1)
            dpc_shift_and_scale(y, n_obs, 0, dag->spread[j]);
        for (int64_t e = dag->start[j]; e < dag->start[j + 1]; e++) {
            const double *restrict x = table->values + (int64_t)dag->parent[e] * n_obs;
            double weight = dag->weight[e];
            for (int64_t t = 0; t < n_obs; t++)
                y[t] += weight * x[t];
        }
    }
}

static dpc_status draw_mixed_values(const dpc_simulation *s, const dpc_dag *dag, dpc_table *table,
                                    dpc_error *err)
{
    dpc_random noise, effects;
    dpc_random_start(&noise, s->seed, STREAM_NOISE);
    dpc_random_start(&effects, s->seed, STREAM_EFFECTS);
    const dpc_mixed_draw how = {.noise = s->noise,
                                .internal = s->design == DPC_INTERNAL,
                                .random = &noise,
                                .effects = &effects};
    return dpc_draw_mixed(dag, &how, table, err);
}

static dpc_status draw_kinds(const dpc_simulation *s, dpc_dag *dag, dpc_error *err)
{
    dpc_random random;
    dpc_random_start(&random, s->seed, STREAM_KINDS);
    DPC_CHECK(dpc_kinds_draw(&s->kinds, &random, dag, err));
    dpc_random_start(&random, s->seed, STREAM_CURVES);
    return dpc_curves_draw(&s->kinds, &random, dag, err);
}

static void transform(double *y, int64_t n, double lambda, double shift)
{
    for (int64_t t = 0; t < n; t++)
        y[t] = tanh(lambda * (y[t] + shift));
}

static dpc_status finish(const dpc_simulation *s, const dpc_dag *dag, dpc_table *table,
                         dpc_error *err)
{
    dpc_random random;
    dpc_ziggurat ziggurat;
    dpc_random_start(&random, s->seed, STREAM_SHIFT);
    dpc_ziggurat_init(&ziggurat);
    for (int j = 0; j < table->n_vars; j++) {
        double *y = table->values + j * table->n_obs, shift;
        if (dpc_node_kind_of(dag, j) == DPC_NOMINAL)
            continue;
        if (!dpc_standardise(y, table->n_obs))
            return dpc_fail(err, DPC_USAGE,
                            "the values of %s are too large for a double; take fewer parents, "
                            "smaller weights or noise with more degrees of freedom",
                            table->names[j]);
        if (s->tanh_lambda > 0) {
            dpc_draw_noise(&random, &ziggurat, (dpc_noise){.degrees = INFINITY}, &shift, 1);
            transform(y, table->n_obs, s->tanh_lambda, shift);
            dpc_standardise(y, table->n_obs);
        }
    }
    dpc_random_start(&random, s->seed, STREAM_CUTS);
    return dpc_kinds_cut(dag, &random, table, err);
}

dpc_status dpc_simulate(const dpc_simulation *s, dpc_dag **dag_out, dpc_table **table_out,
                        dpc_error *err)
{
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_random random;
    dpc_status status;
    DPC_CHECK(dpc_simulation_check(s, err));
    DPC_CHECK(make_table(s->n_obs, s->model.n, &table, err));
    dpc_random_start(&random, s->seed, STREAM_DAG);
    dpc_dice dice = dpc_random_dice(&random);
    DPC_TRY(status, dpc_dag_draw(&s->model, &dice, &dag, err));
    DPC_TRY(status, apply_design(s, dag, err));
    DPC_TRY(status, draw_kinds(s, dag, err));
    if (is_linear(s))
        draw_values(dag, s->noise, s->seed, table);
    else
        DPC_TRY(status, draw_mixed_values(s, dag, table, err));
    DPC_TRY(status, finish(s, dag, table, err));
    *dag_out = dag;
    *table_out = table;
    return DPC_OK;
done:
    dpc_dag_free(dag);
    dpc_table_free(table);
    return status;
}

dpc_status dpc_simulate_hidden(const dpc_simulation *s, const dpc_dag *dag, bool **hidden,
                               dpc_error *err)
{
    dpc_random random;
    dpc_random_start(&random, s->seed, STREAM_HIDDEN);
    return dpc_fail_as(err, dpc_hidden_draw(dag, s->hidden, &random, hidden), "hidden nodes");
}
