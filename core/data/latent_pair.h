/*
 * Two columns of a latent Gaussian copula model: the correlation of their latent variables, and how
 * many rows of two visible normal variables would tell as much about it.
 */
#ifndef DPC_LATENT_PAIR_H
#define DPC_LATENT_PAIR_H

#include "latent_column.h"

/* A latent correlation with a column that is not continuous is at most so large. */
#define DPC_LATENT_MOST 0.999

/* The correlation that the scores of two columns have where the latent one is r, and its slope. */
double dpc_latent_visible(const dpc_latent_column *a, const dpc_latent_column *b, double r,
                          double *slope);

/* The latent correlation, where that of the scores is m. */
double dpc_latent_r(const dpc_latent_column *a, const dpc_latent_column *b, double m);

/* ---- latent_rows.c ---- */

enum { DPC_LATENT_NODES = 16 };

/* A column beside continuous ones: the share of the rows at some values of |r|. */
typedef struct dpc_latent_curve {
    double at[DPC_LATENT_NODES];
} dpc_latent_curve;

/* Doubles of the room that the functions below need. */
int64_t dpc_latent_room(void);

void dpc_latent_curve_make(const dpc_latent_column *column, double *room, dpc_latent_curve *out);
double dpc_latent_curve_at(const dpc_latent_curve *curve, double r);

/*
 * The share of the rows: the information about r that the classes of both columns have, their cuts
 * not being known, times (1 - r²)², which is the inverse of what one row of visible variables has.
 * `slow`: never by the expansion at r = 0.
 */
double dpc_latent_share(const dpc_latent_column *a, const dpc_latent_column *b, double r, bool slow,
                        double *room);

#endif
