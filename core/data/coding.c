/* Columns for regressions: see coding.h. */
#include "coding.h"

#include "alloc.h"
#include "expand.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

/* The variance of an indicator is a multiple of 1/N²: what is smaller is rounding. */
static const double LEAST_VARIANCE = 1e-12;

void dpc_coding_free(dpc_coding *d)
{
    if (d == NULL)
        return;
    free(d->first);
    free(d->base);
    free(d->from);
    free(d->spread);
    free(d->r);
    free(d->sd);
    free(d);
}

/* ---- What the columns are ---- */

static bool is_wanted(const dpc_table *table, const dpc_settings *settings)
{
    if (settings->normalize == DPC_NORMALIZE_LATENT ||
        (settings->relations == DPC_CURVED && dpc_has_blocks(table, settings)))
        return false;
    for (int v = 0; v < table->n_vars; v++)
        if (dpc_kind_of(table, v) == DPC_NOMINAL || dpc_kind_of(table, v) == DPC_BLOCK)
            return true;
    return false;
}

static int columns_of(const dpc_table *table, int v)
{
    return dpc_width_of(table, v) + (dpc_kind_of(table, v) == DPC_NOMINAL);
}

static int most_frequent(const dpc_column_kind *k)
{
    int most = 0;
    for (int i = 1; i < k->n_levels; i++)
        most = k->counts[i] > k->counts[most] ? i : most;
    return most;
}

/* Which of the correlations the columns of a variable are, the first of which is `at`. */
static void lay_out(const dpc_table *table, int v, int at, bool expanded, dpc_coding *d)
{
    int first = d->first[v], width = dpc_width_of(table, v);
    bool nominal = dpc_kind_of(table, v) == DPC_NOMINAL;
    d->base[v] = dpc_kind_of(table, v) == DPC_BLOCK ? DPC_BASE_BLOCK : DPC_BASE_NUMBER;
    for (int c = 0; c < width; c++)
        d->from[first + c] = at + c;
    if (!nominal)
        return;
    const dpc_column_kind *k = &table->variable[v];
    d->base[v] = most_frequent(k);
    if (expanded) { /* the last level has no column there */
        d->from[first + width] = -1;
    } else { /* of two levels the column is the number, which indicates the second */
        d->from[first] = -1;
        d->from[first + 1] = at;
    }
    for (int i = 0; i < k->n_levels; i++) {
        double share = (double)k->counts[i] / (double)table->n_obs;
        d->spread[first + i] = sqrt(share * (1 - share));
    }
}

static dpc_coding *allocate(int64_t n, int64_t m)
{
    dpc_coding *d = m <= INT32_MAX ? dpc_zalloc(1, sizeof *d) : NULL;
    if (d == NULL)
        return NULL;
    d->n = (int)n;
    d->m = (int)m;
    d->first = dpc_alloc(n + 1, sizeof *d->first);
    d->base = dpc_alloc(n, sizeof *d->base);
    d->from = dpc_alloc(m, sizeof *d->from);
    d->spread = dpc_zalloc(m, sizeof *d->spread);
    if (d->first && d->base && d->from && d->spread)
        return d;
    dpc_coding_free(d);
    return NULL;
}

dpc_status dpc_coding_new(const dpc_table *table, const dpc_settings *settings, dpc_coding **out,
                          dpc_error *err)
{
    int64_t m = 0;
    int n = table->n_vars;
    *out = NULL;
    if (!is_wanted(table, settings))
        return DPC_OK;
    for (int v = 0; v < n; v++)
        m += columns_of(table, v);
    dpc_coding *d = allocate(n, m);
    if (d == NULL)
        return dpc_fail_memory(err, "the columns of the variables");
    bool expanded = dpc_has_blocks(table, settings);
    d->first[0] = 0;
    for (int v = 0, at = 0; v < n; v++) {
        d->first[v + 1] = d->first[v] + columns_of(table, v);
        lay_out(table, v, at, expanded, d);
        at += dpc_width_of(table, v);
    }
    *out = d;
    return DPC_OK;
}

dpc_status dpc_coding_copy(const dpc_coding *from, dpc_coding **out, dpc_error *err)
{
    *out = NULL;
    if (from == NULL)
        return DPC_OK;
    dpc_coding *d = allocate(from->n, from->m);
    if (d == NULL)
        return dpc_fail_memory(err, "the columns of the variables");
    memcpy(d->first, from->first, ((size_t)d->n + 1) * sizeof *d->first);
    memcpy(d->base, from->base, (size_t)d->n * sizeof *d->base);
    memcpy(d->from, from->from, (size_t)d->m * sizeof *d->from);
    memcpy(d->spread, from->spread, (size_t)d->m * sizeof *d->spread);
    *out = d;
    return DPC_OK;
}

/* ---- Their correlations ---- */

static void copy_entries(dpc_coding *d, const double *r, const double *sd, int64_t count)
{
    int64_t m = d->m;
    for (int64_t i = 0; i < m; i++) {
        d->sd[i] = d->from[i] >= 0 ? sd[d->from[i]] : 0;
        for (int64_t j = 0; j < m; j++)
            d->r[i * m + j] = i == j ? 1
                              : d->from[i] >= 0 && d->from[j] >= 0
                                  ? r[d->from[i] * count + d->from[j]]
                                  : 0;
    }
}

/* Column c as what those of its variable v leave of 1: the columns before c are done. */
static void complete(dpc_coding *d, int v, int c)
{
    int64_t m = d->m;
    double variance = 0;
    for (int64_t x = 0; x < m; x++) {
        double sum = 0;
        for (int k = d->first[v]; k < d->first[v + 1]; k++)
            sum -= k != c ? d->sd[k] * d->r[k * m + x] : 0;
        if (x != c)
            d->r[c * m + x] = sum;
        if (x >= d->first[v] && x < d->first[v + 1] && x != c)
            variance -= sum * d->sd[x];
    }
    d->sd[c] = variance > LEAST_VARIANCE ? sqrt(variance) : 0;
    for (int64_t x = 0; x < m; x++)
        if (x != c) {
            double r = d->sd[c] > 0 ? d->r[c * m + x] / d->sd[c] : 0;
            d->r[c * m + x] = d->r[x * m + c] = fmax(-1, fmin(1, r));
        }
}

dpc_status dpc_coding_fill(dpc_coding *d, const double *r, const double *sd, int64_t count,
                           bool scored)
{
    int64_t m = d->m;
    if (d->r == NULL)
        d->r = dpc_alloc_aligned(m * m);
    if (d->sd == NULL)
        d->sd = dpc_alloc(m, sizeof *d->sd);
    if (d->r == NULL || d->sd == NULL)
        return DPC_NO_MEMORY;
    copy_entries(d, r, sd, count);
    for (int v = 0; v < d->n; v++)
        for (int c = d->first[v]; c < d->first[v + 1]; c++)
            if (d->from[c] < 0)
                complete(d, v, c);
    for (int64_t c = 0; c < m && scored; c++)
        d->sd[c] = d->spread[c] > 0 && d->sd[c] > 0 ? d->spread[c] : d->sd[c];
    return DPC_OK;
}
