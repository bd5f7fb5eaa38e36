/*
 * What each parent is worth in a family of blocks (block_family.h), given the others.
 *
 * With M the inverse of the correlations of all columns of S, B = M Σ(S,v) the coefficients, and I
 * the columns of one parent, the others alone leave
 *
 *     Σ(v|S\I) = Σ(v|S) + B[I]ᵀ M[I,I]⁻¹ B[I].
 *
 * M comes from the levels of the family, which are the factor L D Lᵀ of these correlations.
 */
#ifndef DPC_BLOCK_FIT_H
#define DPC_BLOCK_FIT_H

#include "block_family.h"

/* Start from {0}. */
typedef struct dpc_block_fit {
    const dpc_family *family; /* not owned */
    int columns;              /* of the parents that are there, … */
    int parents;              /* … and how many these are */
    int p;                    /* columns of v */
    int32_t *first;           /* by parent: its first column; owned */
    double *memory;           /* of: owned */
    double *m, *b;            /* M; B, p for each column */
    double *left;             /* Σ(v|S) */
    double *scratch;          /* small matrices */
    int64_t capacity;
    int64_t first_capacity;
    double log_det; /* of Σ(v|S) */
} dpc_block_fit;

void dpc_block_fit_clear(dpc_block_fit *fit);

/* Of all parents of a family, in the order in which they were pushed. DPC_OK or no memory. */
dpc_status dpc_block_fit_make(dpc_block_fit *fit, const dpc_family *family);

/* r² of parent i and v given the others, as dpc_family_square would say. */
double dpc_block_fit_square(const dpc_block_fit *fit, int i);

/* Without parent i; later ones move up. */
void dpc_block_fit_drop(dpc_block_fit *fit, int i);

#endif
