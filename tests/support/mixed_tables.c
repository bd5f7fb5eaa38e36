/* Random tables of numbers and categories: see mixed_tables.h. */
#include "mixed_tables.h"

#include "expand.h"

#include <gsl/gsl_randist.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static void must(dpc_status status)
{
    if (status != DPC_OK)
        abort();
}

/* The level that a number falls into, with a random shift for each: not in order. */
static int level_of(double x, const double *place, int levels, gsl_rng *rng)
{
    int best = 0;
    double nearest = INFINITY;
    for (int l = 0; l < levels; l++) {
        double away = fabs(x - place[l]) + gsl_ran_gaussian(rng, 0.3);
        if (away < nearest) {
            nearest = away;
            best = l;
        }
    }
    return best;
}

/* The codes of a variable after a flaw; returns its levels. */
static int spoil(enum mixed_flaw flaw, const double *other, int levels, int64_t n, double *x,
                 gsl_rng *rng)
{
    int image[64];
    for (int l = 0; l < levels; l++)
        image[l] = flaw == MIXED_COPY ? levels - 1 - l : draw_int(rng, 0, levels - 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = flaw == MIXED_CONSTANT ? 0 : image[(int)other[i]];
    return flaw == MIXED_CONSTANT ? 2 : levels;
}

dpc_table *mixed_table(const struct mixed_model *model, gsl_rng *rng)
{
    int n = model->n, levels[64] = {0};
    bool ordered[64] = {0};
    int64_t rows = model->n_obs;
    dpc_table *table = NULL;
    double *score = room((size_t)n * (size_t)rows, sizeof *score);
    must(dpc_table_new(rows, n, NULL, &table, NULL));
    for (int v = 0; v < n; v++) {
        double *x = table->values + v * rows, *s = score + v * rows, place[64], value[64];
        if (gsl_rng_uniform(rng) < model->nominal)
            levels[v] = draw_int(rng, 2, model->widest + 1);
        else if (gsl_rng_uniform(rng) < model->ordered)
            levels[v] = draw_int(rng, 2, 6), ordered[v] = true;
        for (int64_t i = 0; i < rows; i++)
            s[i] = gsl_ran_gaussian(rng, 1);
        for (int u = 0; u < v; u++)
            if (gsl_rng_uniform(rng) * v < model->parents) {
                double weight = 0.4 + gsl_rng_uniform(rng);
                for (int64_t i = 0; i < rows; i++)
                    s[i] += weight * score[u * rows + i];
            }
        for (int l = 0; l < levels[v]; l++) {
            place[l] = ordered[v] ? 1.5 * l - levels[v] / 2 : 1.5 * gsl_ran_gaussian(rng, 1);
            value[l] = ordered[v] ? l : gsl_ran_gaussian(rng, 1);
        }
        for (int64_t i = 0; i < rows; i++) {
            x[i] = levels[v] > 0 ? level_of(s[i], place, levels[v], rng) : s[i];
            s[i] = levels[v] > 0 ? value[(int)x[i]] : s[i];
        }
    }
    for (int v = 1; v < n && model->flaw != MIXED_FINE; v++) {
        if (levels[v - 1] == 0 || ordered[v - 1])
            continue;
        double *x = table->values + v * rows, *other = x - rows;
        ordered[v] = false;
        if (model->flaw == MIXED_RARE) {
            other[draw_int(rng, 0, (int)rows - 1)] = levels[v - 1]++;
            continue;
        }
        levels[v] = spoil(model->flaw, other, levels[v - 1], rows, x, rng);
        break;
    }
    for (int v = 0; v < n; v++)
        if (levels[v] > 0)
            must(dpc_table_set_kind(table, v, ordered[v] ? DPC_ORDERED : DPC_NOMINAL, levels[v],
                                    NULL, NULL));
    free(score);
    return table;
}

/* ---- The twin ---- */

static bool has_codes(const dpc_table *table, int v)
{
    int levels = table->variable != NULL ? table->variable[v].n_levels : 0;
    return dpc_kind_of(table, v) == DPC_NOMINAL ||
           (dpc_kind_of(table, v) == DPC_ORDERED && levels > 0 && levels <= 10);
}

/* The indicators of all levels of v but one, which the last takes the place of. */
static void indicators(const dpc_table *table, int v, double *to, gsl_rng *rng)
{
    int levels = table->variable[v].n_levels, without = draw_int(rng, 0, levels - 1);
    int64_t rows = table->n_obs;
    for (int l = 0, c = 0; l < levels; l++)
        if (l != without) {
            for (int64_t i = 0; i < rows; i++)
                to[c * rows + i] = table->values[v * rows + i] == l;
            c++;
        }
}

struct reference *mixed_twin(const dpc_table *table, const dpc_settings *settings, gsl_rng *rng)
{
    int n = table->n_vars, *first = room((size_t)n + 1, sizeof *first),
        *levels = room((size_t)n, sizeof *levels), *lead = room((size_t)n, sizeof *lead);
    int64_t rows = table->n_obs;
    unsigned char *codes = room((size_t)n * (size_t)rows, 1);
    bool curved = settings->relations == DPC_CURVED;
    dpc_expanded expanded = {0};
    must(dpc_expand(table, settings, &expanded, NULL));
    for (int v = 0; v <= n; v++)
        first[v] = expanded.first[v];
    double *values = room((size_t)first[n] * (size_t)rows, sizeof *values);
    for (int v = 0; v < n; v++) {
        double *to = values + first[v] * rows;
        lead[v] = curved ? expanded.lead[v] : first[v + 1] - first[v];
        if (dpc_kind_of(table, v) == DPC_NOMINAL)
            indicators(table, v, to, rng);
        else
            memcpy(to, expanded.table->values + first[v] * rows,
                   (size_t)((first[v + 1] - first[v]) * rows) * sizeof *to);
        levels[v] = has_codes(table, v) ? table->variable[v].n_levels : 0;
        for (int64_t i = 0; i < rows && levels[v] > 0; i++)
            codes[v * rows + i] = (unsigned char)table->values[v * rows + i];
    }
    bool counts = settings->categorical == DPC_CATEGORICAL_MIXTURE;
    struct reference_columns columns = {first, values, lead, counts ? codes : NULL, levels};
    struct reference *twin = twin_learn_columns(n, rows, &columns, settings);
    dpc_expanded_clear(&expanded);
    free(first);
    free(levels);
    free(lead);
    free(codes);
    free(values);
    return twin;
}
