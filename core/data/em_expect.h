/*
 * The expectation step of EM: rows with missing cells, completed by their expected values under a
 * Gaussian, and the log-likelihood of the cells that are there.
 */
#ifndef DPC_EM_EXPECT_H
#define DPC_EM_EXPECT_H

#include "arena.h"
#include "crew.h"
#include "incomplete.h"

/* The rows are cut into so many parts, whose sums are added in their order. */
enum { DPC_EM_PARTS = 8 };

/* The rows of the columns that vary, sorted by what they lack. */
typedef struct dpc_em_rows {
    int n;           /* columns that vary */
    int32_t *column; /* which these are, in an order that does not depend on theirs */
    int64_t n_rows;  /* with a cell at least */
    double *cells;   /* row i at cells + i * n; NaN is missing */
    int64_t *end;    /* of each row: where the rows that lack the same end */
} dpc_em_rows;

/* A Gaussian: where the expectation is taken. */
typedef struct dpc_em_point {
    double *mean, *sigma, *omega; /* μ, Σ and Ω = Σ⁻¹, both triangles */
    double log_det;               /* of Σ */
} dpc_em_point;

/* What the expectation finds: of all rows in the first, of the other parts after it. */
typedef struct dpc_em_sums {
    double *first, *second; /* Σ x - μ, Σ (x - μ)(x - μ)ᵀ; upper triangle, of each part */
    double log_det[DPC_EM_PARTS]; /* Σ log |Σ_oo| over the rows */
    double cells[DPC_EM_PARTS];   /* missing ones */
    double likelihood;            /* its log, but for a constant */
} dpc_em_sums;

/* Room for the work, and for the sums. */
typedef struct dpc_em_room {
    double *work;
    int32_t *list;
} dpc_em_room;

/* What does not fit is a failure of the arena. */
dpc_em_rows dpc_em_rows_make(const dpc_incomplete *in, dpc_arena *arena);
dpc_em_sums dpc_em_sums_make(int n, dpc_arena *arena);
dpc_em_room dpc_em_room_make(int n, int threads, dpc_arena *arena);

/* False: it was called off, and the sums are of no use. */
bool dpc_em_expect(const dpc_em_rows *rows, const dpc_em_point *point, const dpc_em_room *room,
                   dpc_crew *crew, dpc_em_sums *sums);

#endif
