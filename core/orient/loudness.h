/*
 * L = ln(1 + z) of a test of two blocks of columns, z being that of a normal variable with the same
 * two-sided p-value (wilks.h): what evidence.c weighs, where variables are blocks.
 */
#ifndef DPC_LOUDNESS_H
#define DPC_LOUDNESS_H

#include "orient.h"
#include "wilks.h"

/* Belongs to one worker. */
typedef struct dpc_loudness {
    const dpc_unoriented *task;
    dpc_direct direct;
    int32_t *first;    /* by label: its columns in P; n + 1; owned */
    int32_t *variable; /* a set, as variables; owned */
    double *w;         /* of one test from P, and room; owned */
    int64_t room;
} dpc_loudness;

/* End with dpc_loudness_clear, also after a failure. */
dpc_status dpc_loudness_init(const dpc_unoriented *task, dpc_loudness *out);
void dpc_loudness_clear(dpc_loudness *loudness);

/*
 * L of labels x and z given k others; NaN: no test. `p` (may be NULL) receives the p-value.
 * `counts`: by counts (g2.h), which then have to apply. Two L that are compared come from the same
 * kind of test.
 */
dpc_status dpc_loudness_given(dpc_loudness *l, int x, int z, const int32_t *set, int k, bool counts,
                              double *out, double *p);

/* Does a test by counts apply? */
bool dpc_loudness_counts(dpc_loudness *loudness, int x, int z, const int32_t *set, int k);

/* L given all others, or, where y is not below 0, all but y, from P; NaN: there is no P, or no
 * test. */
dpc_status dpc_loudness_of_rest(dpc_loudness *l, int x, int z, int y, double *out);

#endif
