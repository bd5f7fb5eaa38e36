/*
 * The correlation matrix of a table.
 *
 * R = ZᵀZ, scaled to unit diagonal. The product is cut into tasks of a fixed size, square tiles of
 * R times chunks of rows, each a series of single-threaded BLAS calls on a block of rows that is
 * centred into the cache first; chunks are summed in their order. So Z is never made as a whole,
 * and the bytes of the result do not depend on the number of threads.
 */
#include "arena.h"
#include "audit.h"
#include "canonical.h"
#include "correlation.h"
#include "crew.h"
#include "expand.h"
#include "halves.h"
#include "incomplete.h"
#include "kinds.h"
#include "latent.h"
#include "linalg.h"
#include "memory_plan.h"
#include "platform.h"
#include "settings.h"
#include "shared_tiles.h"
#include "status.h"
#include "table.h"
#include "test.h"
#include "tiles.h"

#include <limits.h>
#include <math.h>

enum {
    TILE = DPC_TILE,
    BLOCK = DPC_ROW_BLOCK,
};

typedef struct product_job {
    const dpc_columns *columns;
    int n_vars;
    int chunks;      /* of the rows */
    double *partial; /* R of the chunks after the first, one after the other */
    int64_t block;   /* doubles of the rows of a tile that are multiplied at a time */
    double *buffer;  /* two blocks per worker */
    bool *mine;      /* by task: made here, and not by another rank */
    dpc_correlation *correlation;
} product_job;

/* One tile over one chunk of rows. */
static void multiply_tile(void *context, int64_t index, int worker)
{
    const product_job *job = context;
    int chunk = (int)(index % job->chunks), n = job->n_vars;
    dpc_tile t = dpc_tile_of(index / job->chunks, n, TILE);
    double *r = chunk == 0 ? job->correlation->r : job->partial + (int64_t)(chunk - 1) * n * n;
    r += (int64_t)t.left * n + t.top;
    double *zj = job->buffer + worker * 2 * job->block, *zi = zj + job->block;
    int64_t all = job->columns->n_rows;
    int64_t from = all * chunk / job->chunks, end = all * (chunk + 1) / job->chunks;
    double one = 1, beta = 0; /* the first block overwrites */
    for (; from < end || beta == 0; from += BLOCK, beta = 1) {
        int rows = dpc_part_size(end - from, BLOCK), ld = rows > 0 ? rows : 1;
        dpc_columns_centre(job->columns, t.left, t.width, from, rows, zj);
        if (t.diagonal) {
            dsyrk_("U", "T", &t.width, &rows, &one, zj, &ld, &beta, r, &n);
        } else {
            dpc_columns_centre(job->columns, t.top, t.height, from, rows, zi);
            dgemm_("T", "N", &t.height, &t.width, &rows, &one, zi, &ld, zj, &ld, &beta, r, &n);
        }
    }
    job->mine[index] = true;
}

int64_t dpc_product_block(int64_t rows, int64_t n_vars)
{
    int64_t size = (rows < BLOCK ? rows : BLOCK) * (n_vars < TILE ? n_vars : TILE);
    return (size + 7) / 8 * 8; /* whole cache lines */
}

/* All tiles, by all ranks, where there are several. */
static dpc_status multiply(product_job *job, int64_t tasks, dpc_crew *crew)
{
    int n = job->n_vars;
    const dpc_list list = {
        .count = tasks,
        .singles = tasks,
        .work = (double)n * n * (double)job->columns->n_rows,
        .task = multiply_tile,
        .context = job,
    };
    const dpc_shared_tiles tiles = {n,         TILE, job->chunks, job->correlation->r, job->partial,
                                    job->mine, tasks};
    return dpc_make_shared_tiles(&tiles, &list, crew);
}

static void add_chunks(const product_job *job)
{
    int64_t n = job->n_vars;
    for (int chunk = 1; chunk < job->chunks; chunk++) {
        const double *part = job->partial + (chunk - 1) * n * n;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i <= j; i++)
                job->correlation->r[j * n + i] += part[j * n + i];
    }
}

/* The means that rounding has left in the columns, out of their products. */
static void take_out_means(const product_job *job)
{
    int64_t n = job->n_vars;
    const double *left = job->columns->left;
    double n_obs = (double)job->correlation->n_obs;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; left[j] != 0 && i <= j; i++)
            job->correlation->r[j * n + i] -= n_obs * left[i] * left[j];
}

/* ---- To unit diagonal, both triangles ---- */

typedef struct finish_job {
    dpc_correlation *correlation;
    const double *scale; /* per variable; 0: constant */
} finish_job;

/* Rounding may leave a correlation a little outside [-1, 1]. */
static void finish_tile(void *context, int64_t index, int worker)
{
    (void)worker;
    const finish_job *job = context;
    int64_t n = job->correlation->n_vars;
    double *r = job->correlation->r;
    dpc_tile t = dpc_tile_of(index, (int)n, DPC_SCALE_TILE);
    for (int64_t j = t.left; j < t.left + t.width; j++) {
        for (int64_t i = t.top; i < j && i < t.top + t.height; i++) {
            double v = r[j * n + i] * job->scale[i] * job->scale[j];
            v = v > 1 ? 1 : v < -1 ? -1 : v;
            r[j * n + i] = r[i * n + j] = v;
        }
        if (t.diagonal)
            r[j * n + j] = 1;
    }
}

dpc_status dpc_correlation_scale(dpc_correlation *c, dpc_crew *crew)
{
    int n = c->n_vars;
    double *scale = dpc_alloc(n, sizeof *scale);
    if (scale == NULL)
        return DPC_NO_MEMORY;
    for (int64_t j = 0; j < n; j++) {
        double square = c->r[j * n + j];
        scale[j] = square > 0 ? 1 / sqrt(square) : 0;
        if (c->sd != NULL)
            c->sd[j] = sqrt(square / (double)c->n_obs);
    }
    finish_job job = {c, scale};
    bool done =
        dpc_crew_run(crew, dpc_tiles_of(n, DPC_SCALE_TILE), (double)n * n, finish_tile, &job);
    free(scale);
    return done ? DPC_OK : DPC_INTERRUPTED;
}

dpc_status dpc_correlate_columns(const dpc_columns *columns, const dpc_settings *settings,
                                 dpc_correlation *c)
{
    dpc_crew crew;
    dpc_arena arena = {0};
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    int64_t n = c->n_vars;
    bool weighed = columns->row != NULL || columns->root != NULL;
    int chunks = weighed ? 1 : dpc_row_chunks(c->n_vars);
    int64_t tasks = dpc_tiles_of(c->n_vars, TILE) * chunks;
    product_job job = {
        .columns = columns,
        .n_vars = c->n_vars,
        .chunks = chunks,
        .mine = dpc_arena_zalloc(&arena, tasks, sizeof(bool)),
        .partial = dpc_arena_alloc(&arena, (chunks - 1) * n * n, sizeof(double)),
        .block = dpc_product_block(columns->n_rows, n),
        .buffer = columns->buffer,
        .correlation = c,
    };
    if (job.buffer == NULL)
        job.buffer = dpc_arena_aligned(&arena, crew.threads * 2 * job.block);
    dpc_status status = dpc_arena_failed(&arena) ? DPC_NO_MEMORY : multiply(&job, tasks, &crew);
    if (status == DPC_OK) {
        add_chunks(&job);
        take_out_means(&job);
        status = dpc_correlation_scale(c, &crew);
    }
    dpc_arena_clear(&arena);
    return status;
}

/* Of a table without missing cells. */
static dpc_status correlate_complete(const dpc_table *table, const dpc_settings *settings,
                                     dpc_audit *audit, dpc_correlation *c, dpc_error *err)
{
    dpc_columns columns = {0};
    dpc_latent_repair repair = {0};
    double start = dpc_seconds();
    DPC_CHECK(dpc_prepare(table, settings, audit, &columns, err));
    c->seconds_prepare = dpc_seconds() - start;
    dpc_status status = c->r != NULL
                            ? dpc_correlate_columns(&columns, settings, c)
                            : dpc_products_new(&columns, c->n_vars, settings, c->sd, &c->products);
    if (status == DPC_OK && columns.latent != NULL)
        status = dpc_latent_correlate(&columns, settings, c, &repair);
    if (status == DPC_OK && columns.latent != NULL)
        status = dpc_latent_report(table, &columns, c, &repair, audit);
    if (status == DPC_OK && c->r != NULL)
        status = dpc_tell_apart(&columns, settings, c);
    if (status == DPC_OK && dpc_by_score(settings) && settings->penalty == 0)
        status = dpc_correlate_halves(&columns, settings, c);
    dpc_fail_as(err, status, "the correlations");
    for (int j = 0; j < table->n_vars && status == DPC_OK; j++) /* before they were scaled */
        c->sd[j] = columns.scale[j] > 0 ? c->sd[j] / columns.scale[j] : 0;
    dpc_columns_clear(&columns);
    return status;
}

/* ---- Blocks ---- */

/* The m columns of the variables, which all have to fit into one R. */
static dpc_status correlate_expanded(const dpc_expanded *expanded, const dpc_settings *settings,
                                     dpc_correlation **out, dpc_error *err)
{
    const dpc_table *table = expanded->table;
    dpc_columns columns = {0};
    /* a few need not ask what memory there is: that takes longer than their product */
    enum { FEW = 1024 };
    bool whole = table->n_vars <= FEW && settings->memory == 0;
    if (!whole)
        DPC_CHECK(dpc_matrix_fits(table->n_vars, settings, &whole, err));
    if (!whole)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "the variables have %d columns, and their correlation matrix needs more "
                        "memory than allowed. Nominal variables, blocks and curved relations need "
                        "it; allow more with memory (--memory), or select fewer columns",
                        table->n_vars);
    DPC_CHECK(dpc_correlation_new(table->n_vars, table->n_obs, out, err));
    (*out)->sd = dpc_alloc(table->n_vars, sizeof *(*out)->sd);
    if ((*out)->sd == NULL)
        return dpc_fail_memory(err, "the standard deviations");
    DPC_CHECK(dpc_prepare(table, settings, NULL, &columns, err));
    dpc_status status = dpc_correlate_columns(&columns, settings, *out);
    for (int j = 0; j < table->n_vars && status == DPC_OK; j++)
        (*out)->sd[j] = columns.scale[j] > 0 ? (*out)->sd[j] / columns.scale[j] : 0;
    dpc_columns_clear(&columns);
    return dpc_fail_as(err, status, "the correlations");
}

dpc_status dpc_check_variables(const dpc_table *table, const dpc_settings *settings,
                               dpc_audit *audit, dpc_error *err)
{
    dpc_columns columns = {0};
    if (dpc_is_incomplete(table))
        return dpc_fail(err, DPC_BAD_INPUT,
                        "cells are missing, and a variable is nominal, a block or curved: only "
                        "complete rows can be used then (missing = rows)");
    DPC_CHECK(dpc_prepare(table, settings, audit, &columns, err));
    dpc_columns_clear(&columns);
    return DPC_OK;
}

/* The columns for regressions, from the correlations of the columns that there are. */
static dpc_status add_coding(const dpc_table *table, const dpc_settings *settings,
                             const dpc_correlation *columns, dpc_correlation *c, dpc_error *err)
{
    DPC_CHECK(dpc_coding_new(table, settings, &c->coding, err));
    return dpc_fail_as(err, dpc_correlation_code(columns, c), "the correlations");
}

/* Of a table that has variables of several columns. */
static dpc_status correlate_blocks(const dpc_table *table, const dpc_settings *given,
                                   dpc_audit *audit, dpc_correlation *c, dpc_error *err)
{
    dpc_expanded expanded = {0};
    dpc_correlation *columns = NULL;
    dpc_settings settings = *given;
    double start = dpc_seconds();
    if (settings.relations == DPC_CURVED)
        settings.normalize = DPC_NORMALIZE_NONE; /* ranks already */
    DPC_CHECK(dpc_check_variables(table, &settings, audit, err));
    dpc_status status = dpc_expand(table, &settings, &expanded, err);
    c->seconds_prepare = dpc_seconds() - start;
    if (status == DPC_OK)
        status = correlate_expanded(&expanded, &settings, &columns, err);
    if (status == DPC_OK)
        status = dpc_gather_blocks(&expanded, columns, c, err);
    c->scored = given->normalize != DPC_NORMALIZE_NONE || given->relations == DPC_CURVED;
    if (status == DPC_OK)
        status = add_coding(table, &settings, columns, c, err);
    dpc_correlation_free(columns);
    dpc_expanded_clear(&expanded);
    c->seconds_product = dpc_seconds() - start - c->seconds_prepare;
    return status;
}

/* An empty correlation for the table: with R, or without where that does not fit; blocks need it,
 * and ask for themselves. */
static dpc_status make_room(const dpc_table *table, const dpc_settings *settings, bool blocks,
                            dpc_correlation **out, dpc_error *err)
{
    bool whole = blocks;
    if (!blocks)
        DPC_CHECK(dpc_matrix_fits(table->n_vars, settings, &whole, err));
    if (dpc_is_incomplete(table) || whole) {
        DPC_CHECK(dpc_correlation_new(table->n_vars, table->n_obs, out, err));
    } else {
        DPC_CHECK(dpc_plan_without_matrix(table, settings, err));
        DPC_CHECK(dpc_correlation_new_without_matrix(table->n_vars, table->n_obs, out, err));
    }
    (*out)->sd = dpc_alloc(table->n_vars, sizeof *(*out)->sd);
    return (*out)->sd != NULL ? DPC_OK : dpc_fail_memory(err, "the standard deviations");
}

/* What a latent copula model needs: an order of the levels, all cells, and R as a whole. */
static dpc_status check_latent(const dpc_table *table, const dpc_settings *settings,
                               dpc_audit *audit, dpc_error *err)
{
    bool whole = false;
    if (settings->normalize != DPC_NORMALIZE_LATENT)
        return DPC_OK;
    DPC_CHECK(dpc_latent_check(table, audit, err));
    if (settings->categorical == DPC_CATEGORICAL_MIXTURE)
        return dpc_fail(err, DPC_USAGE,
                        "normalize = latent (--normalize latent) and categorical = mixture "
                        "(--categorical mixture) are two ways to use levels; choose one of them");
    if (dpc_has_blocks(table, settings))
        return dpc_fail(err, DPC_USAGE,
                        "normalize = latent (--normalize latent) is for single columns with "
                        "straight relations; leave it out, or leave out blocks of columns and "
                        "relations = curved (--relations curved)");
    if (dpc_is_incomplete(table))
        return dpc_fail(err, DPC_USAGE,
                        "normalize = latent (--normalize latent) needs tables without missing "
                        "cells; use missing = rows (--missing rows), or impute them");
    DPC_CHECK(dpc_matrix_fits(table->n_vars, settings, &whole, err));
    if (!whole)
        return dpc_fail(err, DPC_USAGE,
                        "normalize = latent (--normalize latent) needs the whole correlation "
                        "matrix of the %d variables; allow more with memory (--memory), or select "
                        "fewer columns",
                        table->n_vars);
    return DPC_OK;
}

/* The numbers, and what the audit finds in them. */
static dpc_status fill(const dpc_table *table, const dpc_settings *settings, dpc_audit *audit,
                       dpc_correlation *c, dpc_error *err)
{
    double start = dpc_seconds();
    DPC_CHECK(dpc_is_incomplete(table)
                  ? dpc_correlate_incomplete(table, settings, true, audit, c, err)
                  : correlate_complete(table, settings, audit, c, err));
    c->scored = settings->normalize != DPC_NORMALIZE_NONE;
    DPC_CHECK(add_coding(table, settings, c, c, err));
    c->seconds_product = dpc_seconds() - start - c->seconds_prepare;
    double multiplied = dpc_seconds();
    DPC_CHECK(dpc_audit_correlations(table->names, c, settings, audit, err));
    c->seconds_prepare += dpc_seconds() - multiplied; /* the rest of the audit */
    return DPC_OK;
}

dpc_status dpc_correlate(const dpc_table *table, const dpc_settings *given, dpc_audit *audit,
                         dpc_correlation **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_correlation *c = NULL;
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    DPC_CHECK(dpc_audit_shape(table->names, table->n_vars, table->n_obs, audit, err));
    if (table->n_obs > INT_MAX)
        return dpc_fail(err, DPC_BAD_INPUT, "more than %d rows cannot be used", INT_MAX);
    DPC_CHECK(dpc_table_check(table, err));
    DPC_CHECK(dpc_kinds_check(table, &settings, err));
    bool blocks = dpc_has_blocks(table, &settings);
    DPC_CHECK(check_latent(table, &settings, audit, err));
    dpc_status status = make_room(table, &settings, blocks, &c, err);
    if (status == DPC_OK)
        status = blocks ? correlate_blocks(table, &settings, audit, c, err)
                        : fill(table, &settings, audit, c, err);
    if (status == DPC_OK)
        *out = c;
    else
        dpc_correlation_free(c);
    return status;
}
