/*
 * Random inputs for the property tests: see cases.h.
 *
 * The correlations are computed here, not by core/, and in the plainest way: sums of products of
 * centred columns. Exact copies have exactly equal sums, so they reach the library as exact copies.
 */
#include "cases.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ok_or_abort(dpc_status status)
{
    if (status != DPC_OK)
        abort();
}

gsl_rng *seeded(uint64_t seed)
{
    gsl_rng *rng = NULL;
    ok_or_abort(dpc_rng_new(seed, &rng, NULL));
    return rng;
}

int draw_int(gsl_rng *rng, int low, int high)
{
    return low + (int)gsl_rng_uniform_int(rng, (unsigned long)(high - low + 1));
}

dpc_mark draw_mark(gsl_rng *rng)
{
    static const dpc_mark MARKS[] = {DPC_UNDIRECTED, DPC_FORWARD, DPC_BACKWARD};
    return MARKS[draw_int(rng, 0, 2)];
}

double draw_log(gsl_rng *rng, double low, double high)
{
    return low * pow(high / low, gsl_rng_uniform(rng));
}

/* ---- Samples ----------------------------------------------------------- */

/* Distinct random columns, the first of which is going to be spoilt. */
static void choose_columns(gsl_rng *rng, int n, int count, int *column)
{
    int all[n];
    for (int j = 0; j < n; j++)
        all[j] = j;
    gsl_ran_choose(rng, column, (size_t)count, all, (size_t)n, sizeof *all);
    gsl_ran_shuffle(rng, column, (size_t)count, sizeof *column);
}

static void add_columns(dpc_table *table, int into, const int *from, int count)
{
    int64_t n_obs = table->n_obs;
    for (int64_t t = 0; t < n_obs; t++) {
        double sum = 0;
        for (int i = 0; i < count; i++)
            sum += table->values[from[i] * n_obs + t];
        table->values[into * n_obs + t] = sum;
    }
}

static void add_noise(dpc_table *table, int column, gsl_rng *rng)
{
    double size = draw_log(rng, 1e-9, 1e-2);
    double *y = table->values + column * table->n_obs, square = 0;
    for (int64_t t = 0; t < table->n_obs; t++)
        square += y[t] * y[t];
    double scale = sqrt(square / (double)table->n_obs);
    for (int64_t t = 0; t < table->n_obs; t++)
        y[t] += size * scale * gsl_ran_ugaussian(rng);
}

static void spoil(dpc_table *table, struct sample *sample, gsl_rng *rng)
{
    int column[4], n = table->n_vars, terms = 1;
    if (sample->flaw == FLAW_NONE)
        return;
    if (sample->flaw == FLAW_SUM)
        terms = draw_int(rng, 2, n > 3 ? 3 : 2);
    else if (sample->flaw == FLAW_NOISE && n > 2)
        terms = draw_int(rng, 1, 2);
    choose_columns(rng, n, 1 + terms, column);
    add_columns(table, column[0], column + 1, terms);
    if (sample->flaw == FLAW_NOISE)
        add_noise(table, column[0], rng);
    if (sample->flaw == FLAW_COPY) {
        sample->copy = column[0];
        sample->original = column[1];
    }
}

static void centre(dpc_table *table)
{
    for (int j = 0; j < table->n_vars; j++) {
        double *y = table->values + j * table->n_obs, sum = 0;
        for (int64_t t = 0; t < table->n_obs; t++)
            sum += y[t];
        for (int64_t t = 0; t < table->n_obs; t++)
            y[t] -= sum / (double)table->n_obs;
    }
}

static double product(const dpc_table *table, int i, int j)
{
    const double *x = table->values + i * table->n_obs, *y = table->values + j * table->n_obs;
    double sum = 0;
    for (int64_t t = 0; t < table->n_obs; t++)
        sum += x[t] * y[t];
    return sum;
}

static double *correlate(const dpc_table *table)
{
    int n = table->n_vars;
    double length[n], *r = malloc((size_t)n * n * sizeof *r);
    if (r == NULL)
        abort();
    for (int i = 0; i < n; i++)
        length[i] = sqrt(product(table, i, i));
    for (int i = 0; i < n; i++) {
        r[i * n + i] = 1;
        for (int j = 0; j < i; j++) {
            double value = product(table, i, j) / (length[i] * length[j]);
            r[i * n + j] = r[j * n + i] = fmax(-1, fmin(1, value));
        }
    }
    return r;
}

/*
 * Keeps only the edges out of the first `roots` nodes of the order. In such a DAG it takes all
 * common parents to separate two children: separations of high order, which are rare otherwise.
 */
static void keep_roots(dpc_dag *dag, int roots)
{
    int64_t kept = 0, e = 0;
    for (int v = 0; v < dag->n; v++) {
        for (dag->start[v] = kept; e < dag->start[v + 1]; e++) {
            bool root = false;
            for (int i = 0; i < roots && i < dag->n; i++)
                root |= dag->order[i] == dag->parent[e];
            if (!root)
                continue;
            dag->parent[kept] = dag->parent[e];
            dag->weight[kept++] = dag->weight[e];
        }
    }
    dag->start[dag->n] = kept;
}

/*
 * Observations that two variables have in common, as missing cells would leave: most of them; of
 * some variables few, too few for many tests.
 */
static int32_t *draw_rows(const struct sample_model *model, gsl_rng *rng)
{
    int n = model->n, rare = draw_int(rng, 0, 2 * n);
    int32_t *rows = malloc(sizeof *rows * (size_t)n * n);
    if (rows == NULL)
        abort();
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            bool few = (i == rare || j == rare) && draw_int(rng, 0, 2) > 0;
            double share = few ? 0.3 * gsl_rng_uniform(rng) : 1 - 0.4 * gsl_rng_uniform(rng);
            int32_t common = (int32_t)(share * (double)model->n_obs);
            rows[i * n + j] = rows[j * n + i] = common < 4 ? 4 : common;
        }
    return rows;
}

struct sample sample_draw(const struct sample_model *model, gsl_rng *rng)
{
    bool possible = model->n >= (model->flaw == FLAW_SUM ? 3 : 2);
    struct sample sample = {.flaw = possible ? model->flaw : FLAW_NONE, .copy = -1, .original = -1};
    dpc_dag_model dag_model = {model->n, model->parents, 0.2, 1.2, DPC_ER};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    ok_or_abort(dpc_dag_random(&dag_model, rng, &dag, NULL));
    if (model->roots > 0)
        keep_roots(dag, model->roots);
    ok_or_abort(
        dpc_dag_sample(dag, model->n_obs, (dpc_noise){.degrees = INFINITY}, rng, &table, NULL));
    spoil(table, &sample, rng);
    centre(table);
    sample.correlation =
        (dpc_correlation){.n_vars = model->n, .n_obs = model->n_obs, .r = correlate(table)};
    if (model->holes) {
        sample.correlation.rows = draw_rows(model, rng);
        sample.correlation.mean_rows = draw_int(rng, 0, 1);
        sample.correlation.n_obs = sample.correlation.n_obs * 4 / 5;
    }
    dpc_table_free(table);
    dpc_dag_free(dag);
    return sample;
}

void sample_free(struct sample *sample)
{
    free(sample->correlation.r);
    sample->correlation.r = NULL;
    free(sample->correlation.rows);
    sample->correlation.rows = NULL;
}

void separated(const dpc_result *result, int a, int b, dpc_sepset *out, int32_t *members)
{
    ok_or_abort(dpc_separating_set(result, a, b, out, members, NULL));
}

/* ---- Words ------------------------------------------------------------- */

const char *method_name(dpc_method method)
{
    return dpc_word(DPC_WORD_METHOD, method);
}

const char *variant_name(dpc_variant variant)
{
    return variant == DPC_STABLE ? "stable" : "standard";
}

const char *target_name(dpc_target target)
{
    static const char *const names[] = {"cpdag", "pattern", "skeleton"};
    return names[target];
}

void describe_settings(const dpc_settings *s, char *text, size_t size)
{
    snprintf(
        text, size,
        "%s %s %s %s %s %s %s alpha %.17g alpha_dual %.17g min_ess %.17g max_order %d threads %d",
        method_name(s->method), variant_name(s->variant), s->rule == DPC_RULE_AND ? "and" : "or",
        s->test == DPC_FISHER_Z ? "z" : "t", target_name(s->graph),
        dpc_word(DPC_WORD_ORIENTATION, s->orient), dpc_word(DPC_WORD_ORDER, s->order), s->alpha,
        s->alpha_dual, s->min_ess, s->max_order, s->threads);
}
