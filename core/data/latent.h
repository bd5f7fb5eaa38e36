/*
 * The correlations of a latent Gaussian copula model (docs/latent-copula.md).
 *
 * Each column is a standard normal variable that is seen through cuts (latent_column.h). The
 * columns are replaced by scores, these are correlated as any columns are, and each entry is
 * turned into the latent correlation that explains it. A latent correlation varies more than one of
 * visible variables: the effective number of rows of a pair takes the place of N in the tests, as
 * the rows of a pair do in a table with missing cells (rows.h).
 */
#ifndef DPC_LATENT_H
#define DPC_LATENT_H

#include "correlation.h"

/* What a correlation of latent variables has besides r and the rows of each pair. */
typedef struct dpc_latent {
    int64_t n_obs;      /* N, the rows of the table */
    int64_t score_rows; /* what a score counts with: a tenth of the pairs have fewer rows */
    double *visible;    /* n × n: the correlations of the scores; owned */
} dpc_latent;

void dpc_latent_free(dpc_latent *latent);

/* Refuses variables that are no cut of a normal variable. An error of the audit, and of the call.
 */
dpc_status dpc_latent_check(const dpc_table *table, dpc_audit *audit, dpc_error *err);

/* How a column is taken: as the table says, or as it looks. `order` comes from dpc_sort_rows. */
dpc_latent_kind dpc_latent_kind_of(const dpc_table *table, int column, const int32_t *order);

/* What was done to make the latent correlations those of some normal variables. */
typedef struct dpc_latent_repair {
    bool made;
    double least;   /* eigenvalue before */
    double largest; /* change of a correlation … */
    int a, b;       /* … of these columns */
} dpc_latent_repair;

/*
 * From the correlations of the scores in c->r to latent ones; c->rows, c->n_obs and c->latent are
 * set. Where all columns are continuous, everything stays as it is. DPC_OK, DPC_NO_MEMORY or
 * DPC_INTERRUPTED.
 */
dpc_status dpc_latent_correlate(const dpc_columns *columns, const dpc_settings *settings,
                                dpc_correlation *c, dpc_latent_repair *repair);

/* Warnings of the audit: how the columns were taken, the rows of the tests, the repair. */
dpc_status dpc_latent_report(const dpc_table *table, const dpc_columns *columns,
                             const dpc_correlation *c, const dpc_latent_repair *repair,
                             dpc_audit *audit);

/* Can a score be trusted? DPC_USAGE, and why not; a correlation without latent variables can. */
dpc_status dpc_latent_check_score(const dpc_correlation *c, dpc_error *err);

#endif
