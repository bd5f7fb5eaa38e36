/*
 * One column of a latent Gaussian copula model: a standard normal variable Z that is seen through
 * cuts.
 *
 *     continuous   every value of Z shows: normal scores of the ranks
 *     levels       only between which cuts Z lies: L levels, L - 1 cuts
 *     atom         all Z below one cut are the same smallest value, every value above shows
 *
 * A column is replaced by scores s(Z): the mean of Z in a level, the normal score where a value
 * shows. Their derivative is a jump at each cut, and a slope above the last one where values show.
 *
 * The Hermite series of the scores, a_k = E s(Z) h_k(Z) with h_k = He_k / √k!, gives the
 * correlation of the scores of two columns whose latent variables have the correlation r (Mehler):
 *
 *     g(r) = Σ a_k b_k rᵏ
 *
 * with scores of variance 1. a_1 is the correlation of the scores with Z, and its square the
 * reliability of the column.
 */
#ifndef DPC_LATENT_COLUMN_H
#define DPC_LATENT_COLUMN_H

#include "dualpc.h"
#include "rank.h"

enum {
    DPC_LATENT_TERMS = 256, /* of the series */
    DPC_LATENT_CLASSES =
        32,               /* most of them that a column is cut into where information is counted */
    DPC_LATENT_ABOVE = 15 /* those that values above an atom are cut into */
};

typedef enum dpc_latent_kind {
    DPC_LATENT_CONTINUOUS,
    DPC_LATENT_LEVELS,
    DPC_LATENT_ATOM,
} dpc_latent_kind;

/* What the effective N of a weak correlation is made from (latent_rows.c). */
typedef struct dpc_latent_moments {
    double square, cube, fourth; /* E u₁², E u₁³, E u₁⁴; u_m is the mean of h_m in a class */
    double second, mixed, third; /* E u₂², E u₁ u₂, E u₁ u₃ */
    double square_second;        /* E u₁² u₂ */
    double nuisance;             /* what not knowing the cuts costs */
} dpc_latent_moments;

typedef struct dpc_latent_column {
    dpc_latent_kind kind;
    int n_cuts;
    double *cut, *jump; /* ascending; owned */
    double slope;       /* above the last cut */
    double share;       /* of the rows at the smallest value */
    double *series;     /* a_1 … of DPC_LATENT_TERMS terms; owned; NULL: continuous, a_1 = 1 */
    /* for the information: what is seen, cut into a few classes */
    int n_edges;
    double *edge; /* between the classes, ascending; owned */
    double lift;  /* the reliability of the column over that of the classes */
    dpc_latent_moments moments;
} dpc_latent_column;

void dpc_latent_column_clear(dpc_latent_column *column);

/* a_1: the correlation of the scores with the latent variable. */
static inline double dpc_latent_loading(const dpc_latent_column *column)
{
    return column->series != NULL ? column->series[0] : 1;
}

/*
 * How a column is to be taken that is not said to be anything: as levels where it has few distinct
 * values, as an atom where its smallest value is frequent, as continuous otherwise. `order` comes
 * from dpc_sort_rows.
 */
dpc_latent_kind dpc_latent_kind_found(const int32_t *order, int64_t n);

/*
 * The scores of a column into `scores`, and all else into `out`. `order` comes from dpc_sort_rows,
 * `table` from dpc_score_table. A column with one value has no cuts and scores of 0. False: no
 * memory. Free with dpc_latent_column_clear.
 */
bool dpc_latent_column_make(dpc_latent_kind kind, const int32_t *order, int64_t n,
                            const double *table, double *scores, dpc_latent_column *out);

#endif
