/*
 * Variables that are blocks of columns: samples of them, and the slow twin of their score, which
 * makes determinants of the columns as they were drawn and shares no code with core/.
 */
#ifndef BLOCK_SCENE_H
#define BLOCK_SCENE_H

#include "cases.h"

enum { BLOCK_NODES = 24, BLOCK_COLUMNS = 96 };

/* Columns, cut into blocks, and the correlations of the blocks. */
struct block_sample {
    dpc_correlation correlation; /* of the blocks; r, blocks are owned */
    int n, m;
    int32_t first[BLOCK_NODES + 1]; /* of the columns as they were drawn */
    double *r;                      /* the correlations of these, m × m; owned */
    uint64_t parents[BLOCK_NODES];  /* of the DAG that they come from, as bits */
};

/* From the correlations of columns, which are copied. Aborts where memory ends. */
struct block_sample block_sample_of(const double *r, const int32_t *first, int n, int64_t n_obs);
void block_sample_free(struct block_sample *sample);

struct block_model {
    int n;
    int64_t n_obs;
    double parents;  /* expected number of parents */
    int widest;      /* columns of a variable */
    bool nominal;    /* some variables are levels, and their columns indicators */
    double strength; /* of an edge; 0: 1 */
};

/* Rows of a random DAG over numbers, several numbers, and, where these are wanted, levels. */
struct block_sample block_sample_draw(const struct block_model *model, gsl_rng *rng);

/* The same columns, those of each block mixed by a random matrix. */
struct block_sample block_sample_mix(const struct block_sample *sample, gsl_rng *rng);

/* The same variables in another order: variable i is order[i] of the other. */
struct block_sample block_sample_permute(const struct block_sample *sample, const int *order);

/* ln det Σ(v|S), Σ(v) being the identity; S as bits. */
double block_twin_log_det(const struct block_sample *sample, int v, uint64_t set);

/* The same of the first column of v alone. */
double block_twin_log_first(const struct block_sample *sample, int v, uint64_t set);

/* s(v, S) = -N/2 ln det Σ(v|S) - a p Σ q - b |S|. */
double block_twin_family(const struct block_sample *sample, int v, uint64_t set, double a,
                         double b);

#endif
