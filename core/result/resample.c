/* Resamples of a table and their correlations: see resample.h. */
#include "resample.h"

#include "alloc.h"
#include "audit.h"
#include "crew.h"
#include "incomplete.h"
#include "kinds.h"
#include "latent.h"
#include "random.h"
#include "rank.h"
#include "status.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Streams of a seed from here on; the simulations use the first ones of theirs. */
static const uint64_t FIRST_STREAM = UINT64_C(1) << 32;

enum { LEAST_ROWS = 5 };

/* ---- What all resamples share ---- */

typedef struct sort_job {
    int64_t n;
    int32_t *order;
    dpc_ranked *scratch; /* 2 N per worker */
} sort_job;

static void sort_column(void *context, int64_t j, const double *x, int worker)
{
    const sort_job *job = context;
    dpc_sort_rows(x, job->n, job->scratch + 2 * job->n * worker, job->order + j * job->n);
}

static dpc_status sort_columns(const dpc_settings *settings, dpc_resampler *r, dpc_error *err)
{
    const dpc_table *table = r->table;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_PREPARE);
    r->order = dpc_alloc(table->n_obs * table->n_vars, sizeof *r->order);
    r->score = dpc_half_score_table(r->n_drawn);
    sort_job job = {
        .n = table->n_obs,
        .order = r->order,
        .scratch = dpc_alloc(2 * table->n_obs * crew.threads, sizeof *job.scratch),
    };
    dpc_status status = r->order && r->score && job.scratch
                            ? dpc_for_columns(table, &crew, sort_column, &job, err)
                            : dpc_fail_memory(err, "the order of the rows");
    free(job.scratch);
    return status;
}

/*
 * Can some rows of a column need another scale than all of them? A resample may have lost the one
 * value beside which all others are nothing.
 */
static void find_wide(void *context, int64_t j, const double *x, int worker)
{
    (void)worker;
    const dpc_resampler *r = context;
    for (int64_t i = 0; i < r->table->n_obs; i++)
        r->wide[j] |= dpc_scale_for(fabs(x[i])) != 1;
}

/* Missing and infinite values are errors. */
static dpc_status look_at_columns(const dpc_settings *settings, dpc_resampler *r, dpc_error *err)
{
    dpc_crew crew;
    dpc_settings plain = *settings;
    plain.normalize = DPC_NORMALIZE_NONE;
    DPC_CHECK(dpc_prepare(r->table, &plain, NULL, &r->whole, err));
    r->wide = dpc_zalloc(r->table->n_vars, sizeof *r->wide);
    if (r->wide == NULL)
        return dpc_fail_memory(err, "the columns of the resamples");
    dpc_crew_init(&crew, settings, DPC_STAGE_PREPARE);
    return dpc_for_columns(r->table, &crew, find_wide, r, err);
}

/* The same of a table with missing cells: which of its columns are constant. */
static dpc_status look_at_incomplete(const dpc_settings *settings, dpc_resampler *r, dpc_error *err)
{
    dpc_incomplete in = {0};
    dpc_status status = dpc_incomplete_init(r->table, settings, true, NULL, &in, err);
    if (status != DPC_OK)
        return status;
    r->whole.constant = in.constant;
    in.constant = NULL;
    dpc_incomplete_clear(&in);
    return DPC_OK;
}

/* How the columns of latent variables are taken; a resample may look otherwise. */
static dpc_status look_at_latent(const dpc_settings *settings, dpc_resampler *r, dpc_error *err)
{
    dpc_columns columns = {0};
    DPC_CHECK(dpc_latent_check(r->table, NULL, err));
    if (r->incomplete)
        return dpc_fail(err, DPC_USAGE, "normalize = latent needs tables without missing cells");
    DPC_CHECK(dpc_prepare(r->table, settings, NULL, &columns, err));
    r->latent = dpc_zalloc(r->table->n_vars, sizeof *r->latent);
    for (int j = 0; j < r->table->n_vars && r->latent != NULL; j++) {
        dpc_latent_kind kind = columns.latent[j].kind;
        r->latent[j].said = true;
        r->latent[j].kind = kind == DPC_LATENT_LEVELS ? DPC_ORDERED
                            : kind == DPC_LATENT_ATOM ? DPC_ZERO
                                                      : DPC_NUMBER;
    }
    dpc_columns_clear(&columns);
    return r->latent != NULL ? DPC_OK : dpc_fail_memory(err, "the columns of the resamples");
}

/* M. A share such as 0.29 of 100 rows is 29, whatever its last bit. */
static dpc_status count_drawn(dpc_resampler *r, dpc_error *err)
{
    int64_t n = r->table->n_obs;
    double share = r->how.subsample;
    r->n_drawn = share > 0 ? (int64_t)(share * (double)n * (1 + 1e-12)) : n;
    if (share > 0 && r->n_drawn < LEAST_ROWS)
        return dpc_fail(err, DPC_USAGE,
                        "a share of %g of %lld rows is %lld, and a resample needs at least %d",
                        share, (long long)n, (long long)r->n_drawn, LEAST_ROWS);
    return DPC_OK;
}

/* The columns of variables that have several. */
static dpc_status expand(const dpc_settings *settings, dpc_resampler *r, dpc_error *err)
{
    if (!dpc_has_blocks(r->given, settings))
        return DPC_OK;
    DPC_CHECK(dpc_check_variables(r->given, settings, NULL, err));
    DPC_CHECK(dpc_expand(r->given, settings, &r->expanded, err));
    r->table = r->expanded.table;
    return DPC_OK;
}

dpc_status dpc_resampler_make(const dpc_table *table, const dpc_settings *asked,
                              const dpc_resampling *how, dpc_resampler *out, dpc_error *err)
{
    dpc_settings of_columns = *asked, *settings = &of_columns;
    bool curved = asked->relations == DPC_CURVED && dpc_has_blocks(table, asked);
    if (curved)
        of_columns.normalize = DPC_NORMALIZE_NONE; /* ranks already */
    dpc_resampler r = {.given = table,
                       .table = table,
                       .how = *how,
                       .scored = curved || asked->normalize != DPC_NORMALIZE_NONE};
    for (int i = 0; i < DPC_ROOTS; i++)
        r.root[i] = sqrt(i);
    dpc_status status = dpc_audit_shape(table->names, table->n_vars, table->n_obs, NULL, err);
    if (status == DPC_OK && table->n_obs > INT_MAX)
        status = dpc_fail(err, DPC_BAD_INPUT, "more than %d rows cannot be used", INT_MAX);
    if (status == DPC_OK)
        status = dpc_table_check(table, err);
    if (status == DPC_OK)
        status = dpc_kinds_check(table, asked, err);
    if (status == DPC_OK)
        status = expand(settings, &r, err);
    if (status == DPC_OK)
        status = dpc_coding_new(table, asked, &r.coding, err);
    if (status == DPC_OK)
        status = count_drawn(&r, err);
    if (status == DPC_OK)
        r.incomplete = dpc_is_incomplete(r.table);
    if (status == DPC_OK)
        status = r.incomplete ? look_at_incomplete(settings, &r, err)
                              : look_at_columns(settings, &r, err);
    if (status == DPC_OK && settings->normalize == DPC_NORMALIZE_LATENT)
        status = look_at_latent(settings, &r, err);
    if (status == DPC_OK && settings->normalize == DPC_NORMALIZE_COPULA && !r.incomplete)
        status = sort_columns(settings, &r, err);
    if (status == DPC_OK)
        *out = r;
    else
        dpc_resampler_clear(&r);
    return status;
}

void dpc_resampler_clear(dpc_resampler *resampler)
{
    dpc_expanded_clear(&resampler->expanded);
    dpc_coding_free(resampler->coding);
    dpc_columns_clear(&resampler->whole);
    free(resampler->wide);
    free(resampler->latent);
    free(resampler->order);
    free(resampler->score);
    *resampler = (dpc_resampler){0};
}

/* ---- Drawing ---- */

static void draw_with_replacement(dpc_random *random, int64_t n, int32_t *count)
{
    dpc_random local = *random; /* in registers */
    memset(count, 0, (size_t)n * sizeof *count);
    for (int64_t i = 0; i < n; i++)
        count[dpc_random_below(&local, (uint64_t)n)]++;
}

/* Row after row: one of those left is taken with probability wanted / left. */
static void draw_share(dpc_random *random, int64_t n, int64_t wanted, int32_t *count)
{
    for (int64_t i = 0; i < n; i++) {
        count[i] = (int64_t)dpc_random_below(random, (uint64_t)(n - i)) < wanted;
        wanted -= count[i];
    }
}

static void draw_rows(const dpc_resampler *r, int64_t index, dpc_resample *s)
{
    int64_t n = r->table->n_obs, drawn = 0;
    dpc_random random;
    dpc_random_start(&random, r->how.seed, FIRST_STREAM + (uint64_t)index);
    if (r->how.subsample > 0)
        draw_share(&random, n, r->n_drawn, s->count);
    else
        draw_with_replacement(&random, n, s->count);
    for (int64_t i = 0; i < n; i++) { /* a row that was not drawn is overwritten by the next */
        int32_t count = s->count[i];
        s->row[drawn] = (int32_t)i;
        s->weight[drawn] = count;
        s->root[drawn] = count < DPC_ROOTS ? r->root[count] : sqrt(count);
        if (s->place != NULL)
            s->place[i] = (int32_t)drawn;
        drawn += count > 0;
    }
    s->columns.n_rows = drawn;
}

/* ---- The columns of a resample ---- */

/* Σ wᵢ xᵢ over all rows: those that were not drawn cost less than finding the others. */
static double weighted_sum(const double *restrict x, const int32_t *restrict count, int64_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += count[i] * x[i];
    return sum;
}

/* The same over the rows that were drawn: what is not there may be too large for the scale. */
static double wide_sum(const double *x, const dpc_resample *s, double scale)
{
    double sum = 0;
    for (int64_t i = 0; i < s->columns.n_rows; i++)
        sum += s->weight[i] * (x[s->row[i]] * scale);
    return sum;
}

/* What rounding has left of the mean in the rows that were drawn; see prepare.h. */
static double mean_left(const double *x, const dpc_resample *s, double scale, double mean)
{
    double sum = 0, drawn = 0;
    for (int64_t i = 0; i < s->columns.n_rows; i++) {
        sum += s->weight[i] * (x[s->row[i]] * scale - mean);
        drawn += s->weight[i];
    }
    return sum / drawn;
}

/* A wider range is never constant where a part of it is not; mostly two rows tell. */
static bool is_constant(const double *x, const dpc_resample *s)
{
    double low = x[s->row[0]], high = low;
    for (int64_t i = 1; i < s->columns.n_rows && dpc_is_constant(low, high); i++) {
        double next = x[s->row[i]];
        low = next < low ? next : low;
        high = next > high ? next : high;
    }
    return dpc_is_constant(low, high);
}

static double own_scale(const double *x, const dpc_resample *s)
{
    double largest = 0;
    for (int64_t i = 0; i < s->columns.n_rows; i++)
        largest = fmax(largest, fabs(x[s->row[i]]));
    return dpc_scale_for(largest);
}

/* The scores lie beside `row`. */
static double mean_score(const dpc_resample *s, const double *score, double drawn)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < s->columns.n_rows; i++)
        sum += s->weight[i] * score[i];
    return sum / drawn;
}

/* As prepare.c does for the whole table, where all values are finite. */
static void prepare_column(const dpc_resampler *r, dpc_resample *s, int j)
{
    dpc_columns *c = &s->columns;
    int64_t n = r->table->n_obs;
    const double *x = dpc_read_column(s->reader, j);
    double drawn = (double)r->n_drawn;
    c->constant[j] = is_constant(x, s);
    c->mean[j] = c->scale[j] = c->left[j] = 0; /* what an earlier resample has left */
    s->lost = s->lost || (c->constant[j] && !r->whole.constant[j]);
    if (r->order != NULL) {
        double *scores = c->scores + j * c->cells.column_stride;
        dpc_resample_scores(r->order + j * n, n, s->count, s->place, r->score, scores);
        c->scale[j] = c->constant[j] ? 0 : 1;
        c->mean[j] = c->constant[j] ? 0 : mean_score(s, scores, drawn);
    } else if (!c->constant[j]) {
        c->scale[j] = r->wide[j] ? own_scale(x, s) : 1;
        c->mean[j] =
            (r->wide[j] ? wide_sum(x, s, c->scale[j]) : weighted_sum(x, s->count, n)) / drawn;
        if (r->whole.left[j] != 0)
            c->left[j] = mean_left(x, s, c->scale[j], c->mean[j]);
    }
}

/* The latent correlations of the rows that were drawn. */
static dpc_status estimate_latent(const dpc_resampler *r, const dpc_settings *settings,
                                  dpc_resample *s)
{
    dpc_columns columns = {0};
    dpc_latent_repair repair;
    dpc_correlation *c = s->correlation;
    dpc_error unused;
    c->n_obs = r->n_drawn; /* what an earlier resample has left */
    DPC_CHECK(dpc_prepare(s->drawn, settings, NULL, &columns, &unused));
    dpc_status status = dpc_correlate_columns(&columns, settings, c);
    if (status == DPC_OK)
        status = dpc_latent_correlate(&columns, settings, c, &repair);
    for (int j = 0; j < c->n_vars && status == DPC_OK; j++)
        c->sd[j] = columns.constant[j] ? 0 : c->sd[j];
    dpc_columns_clear(&columns);
    return status;
}

/* The rows that were drawn, as often as they were, and their estimate. */
static dpc_status estimate_drawn(const dpc_resampler *r, const dpc_settings *settings,
                                 dpc_resample *s)
{
    double *to = s->drawn->values;
    for (int j = 0; j < r->table->n_vars; j++) {
        const double *x = dpc_read_column(s->reader, j);
        for (int64_t i = 0; i < s->columns.n_rows; i++)
            for (int k = 0; k < s->count[s->row[i]]; k++)
                *to++ = x[s->row[i]];
    }
    dpc_kinds_gather(r->table, s->row, s->columns.n_rows, s->count, s->drawn);
    dpc_status status = r->latent != NULL ? estimate_latent(r, settings, s)
                                          : dpc_correlate_incomplete(s->drawn, settings, false,
                                                                     NULL, s->correlation, NULL);
    for (int j = 0; j < r->table->n_vars && status == DPC_OK; j++)
        s->lost = s->lost || (s->correlation->sd[j] == 0 && !r->whole.constant[j]);
    return status;
}

/* Were all columns of a variable constant in the table? */
static bool was_constant(const dpc_resampler *r, int variable)
{
    const int32_t *first = r->expanded.first;
    bool constant = true;
    for (int c = first[variable]; c < first[variable + 1]; c++)
        constant = constant && r->whole.constant[c];
    return constant;
}

/* The columns that were drawn as blocks. A level that was not drawn is no loss, a variable is. */
static dpc_status gather(const dpc_resampler *r, dpc_resample *s)
{
    DPC_CHECK(dpc_gather_blocks(&r->expanded, s->product, s->correlation, NULL));
    DPC_CHECK(dpc_blocks_set_times(s->correlation->blocks, s->count, NULL));
    s->lost = false;
    for (int v = 0; v < r->given->n_vars; v++)
        s->lost =
            s->lost || (dpc_block_width(s->correlation->blocks, v) == 0 && !was_constant(r, v));
    return DPC_OK;
}

dpc_status dpc_resample_draw(const dpc_resampler *r, int64_t index, const dpc_settings *settings,
                             dpc_resample *s)
{
    dpc_correlation *product = s->product != NULL ? s->product : s->correlation;
    draw_rows(r, index, s);
    s->lost = false;
    if (s->drawn != NULL) {
        DPC_CHECK(estimate_drawn(r, settings, s));
        return dpc_correlation_code(s->correlation, s->correlation);
    }
    for (int j = 0; j < r->table->n_vars; j++)
        prepare_column(r, s, j);
    dpc_status status = dpc_correlate_columns(&s->columns, settings, product);
    double *sd = product->sd;
    for (int j = 0; j < r->table->n_vars && status == DPC_OK; j++) /* before the scale */
        sd[j] = s->columns.scale[j] > 0 ? sd[j] / s->columns.scale[j] : 0;
    if (status == DPC_OK && s->product != NULL)
        status = gather(r, s);
    return status == DPC_OK ? dpc_correlation_code(product, s->correlation) : status;
}

/* ---- Memory ---- */

static dpc_status make_correlation(const dpc_resampler *r, int n_vars, dpc_correlation **out,
                                   dpc_error *err)
{
    DPC_CHECK(dpc_correlation_new(n_vars, r->n_drawn, out, err));
    (*out)->scored = r->scored;
    (*out)->sd = dpc_alloc(n_vars, sizeof *(*out)->sd);
    return (*out)->sd != NULL ? DPC_OK : dpc_fail_memory(err, "a resample");
}

dpc_status dpc_resample_make(const dpc_resampler *r, dpc_resample *out, dpc_error *err)
{
    int64_t n = r->table->n_obs, n_vars = r->table->n_vars;
    bool scores = r->order != NULL;
    int64_t most = r->n_drawn < n ? r->n_drawn : n;
    dpc_resample s = {
        .count = dpc_alloc(n, sizeof *s.count),
        .row = dpc_alloc(most + 1, sizeof *s.row),
        .place = scores ? dpc_alloc(n, sizeof *s.place) : NULL,
        .weight = dpc_alloc(most + 1, sizeof *s.weight),
        .root = dpc_alloc(most + 1, sizeof *s.root),
    };
    bool fine = dpc_columns_make((int)n_vars, scores ? most : 0, &s.columns);
    const dpc_cells cells = dpc_table_cells(r->table);
    s.columns.cells = scores ? (dpc_cells){s.columns.scores, DPC_DOUBLE, 1, most} : cells;
    s.columns.row = scores ? NULL : s.row;
    s.columns.root = s.root;
    s.columns.buffer = dpc_alloc_aligned(2 * dpc_product_block(most, n_vars));
    *out = s;
    if (!fine || !s.count || !s.row || !s.weight || !s.root || !s.columns.buffer ||
        (scores && !s.place))
        return dpc_fail_memory(err, "a resample");
    dpc_status status = dpc_column_readers_new(1, &cells, n, (int)n_vars, &out->reader, err);
    if (status == DPC_OK)
        status = make_correlation(r, r->given->n_vars, &out->correlation, err);
    if (status == DPC_OK)
        status = dpc_coding_copy(r->coding, &out->correlation->coding, err);
    if (status == DPC_OK && r->expanded.table != NULL)
        status = make_correlation(r, (int)n_vars, &out->product, err);
    if (status == DPC_OK && (r->incomplete || r->latent != NULL)) {
        status = dpc_table_make(r->n_drawn, (int)n_vars, dpc_table_about(r->table).names,
                                &out->drawn, err);
        if (status == DPC_OK)
            status = dpc_kinds_copy(r->table, out->drawn, err);
        if (status == DPC_OK)
            out->drawn->how_missing = r->table->how_missing;
    }
    if (status == DPC_OK && r->latent != NULL) {
        int64_t size = n_vars * (int64_t)sizeof *r->latent;
        out->drawn->variable = dpc_alloc(n_vars, sizeof *r->latent);
        if (out->drawn->variable == NULL)
            return dpc_fail_memory(err, "a resample");
        memcpy(out->drawn->variable, r->latent, (size_t)size);
    }
    return status;
}

void dpc_resample_clear(dpc_resample *resample)
{
    free(resample->count);
    free(resample->row);
    free(resample->place);
    free(resample->weight);
    free(resample->root);
    dpc_column_readers_free(resample->reader, 1);
    dpc_columns_clear(&resample->columns);
    if (resample->drawn != NULL) { /* which owns nothing beyond the array */
        free(resample->drawn->variable);
        resample->drawn->variable = NULL;
    }
    dpc_table_free(resample->drawn);
    dpc_correlation_free(resample->correlation);
    dpc_correlation_free(resample->product);
    *resample = (dpc_resample){0};
}
