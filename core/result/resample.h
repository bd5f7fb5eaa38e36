/*
 * Resamples of a table, and their correlations, without making the table of any of them.
 *
 * A resample is how often each row was drawn. Its correlations are those of the rows that were
 * drawn at all, with these numbers as weights: means Σ wᵢ xᵢ / M, products Σ wᵢ zᵢ zᵢᵀ with rows
 * scaled by sqrt(wᵢ). With replacement that is 63 % of the rows.
 *
 * Of a table with variables of several columns (expand.h) the columns are made once, from the whole
 * table: so the ranks of curved relations are those of all rows. Resamples are drawn of these
 * columns, and their correlations gathered into blocks; a column that is constant in a resample,
 * such as the indicator of a level that was not drawn, is not there.
 *
 * Of a table with missing cells, or of latent variables, the rows that were drawn are copied, and
 * estimated as that table is (incomplete.h, latent.h).
 */
#ifndef DPC_RESAMPLE_H
#define DPC_RESAMPLE_H

#include "correlation.h"
#include "dualpc_explain.h"
#include "expand.h"
#include "table.h"

enum { DPC_ROOTS = 8 };

/* What all resamples of a table share. */
typedef struct dpc_resampler {
    const dpc_table *given; /* what is resampled … */
    const dpc_table *table; /* … and its columns: the same, or those of its blocks */
    dpc_expanded expanded;  /* blocks: these columns; owned */
    dpc_coding *coding;     /* of the columns of what is resampled; owned; or NULL */
    dpc_resampling how;
    int64_t n_drawn;         /* M, rows in a resample, repeated ones counted */
    double root[DPC_ROOTS];  /* of the first whole numbers */
    bool scored;             /* normal scores are wanted */
    dpc_columns whole;       /* the columns of the whole table, their values as they are */
    bool incomplete;         /* cells are missing, and nothing of what follows is made */
    dpc_column_kind *latent; /* latent variables: how each column is taken; owned; or NULL */
    bool *wide;              /* per column: its scale depends on the rows that were drawn; owned */
    int32_t *order; /* normal scores: dpc_sort_rows of each column; owned; NULL: none wanted */
    double *score;  /* normal scores: dpc_half_score_table of M; owned; NULL likewise */
} dpc_resampler;

/* Checks the table as dpc_correlate does. Free with dpc_resampler_clear. */
dpc_status dpc_resampler_make(const dpc_table *table, const dpc_settings *settings,
                              const dpc_resampling *how, dpc_resampler *out, dpc_error *err);
void dpc_resampler_clear(dpc_resampler *resampler);

/* One resample; its memory can be used again for another one. */
typedef struct dpc_resample {
    int32_t *count;               /* per row of the table: how often it was drawn; owned */
    int32_t *row;                 /* the rows that were, and room for one more; owned */
    int32_t *place;               /* normal scores: where a row stands in `row`; owned */
    double *weight, *root;        /* count and its square root, beside `row`; owned */
    dpc_column_reader *reader;    /* of the table; owned */
    dpc_columns columns;          /* mean, scale, constant and scores are owned */
    dpc_table *drawn;             /* where they are copied: the rows; owned; otherwise NULL */
    dpc_correlation *correlation; /* owned; n_obs is M, or what is left of it by missing cells */
    dpc_correlation *product;     /* blocks: of their columns; owned; otherwise NULL */
    bool lost;                    /* a column that varies in the table is constant here */
} dpc_resample;

/* Free with dpc_resample_clear, also after a failure. */
dpc_status dpc_resample_make(const dpc_resampler *resampler, dpc_resample *out, dpc_error *err);
void dpc_resample_clear(dpc_resample *resample);

/*
 * Draws resample number `index`, which is the same whoever draws it and when, and makes its
 * correlations. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_resample_draw(const dpc_resampler *resampler, int64_t index,
                             const dpc_settings *settings, dpc_resample *resample);

#endif
