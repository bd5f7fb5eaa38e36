/*
 * The levels of nominal and ordered variables, row by row, one byte each: what a test by counts
 * (stats/g2.h) reads. Made once, and shared by all who keep a correlation of the table or of its
 * resamples.
 */
#ifndef DPC_CODES_H
#define DPC_CODES_H

#include "dualpc.h"

#include <stdatomic.h>

enum {
    DPC_MOST_CODES = 256,       /* levels of a nominal variable that has codes … */
    DPC_MOST_ORDERED_CODES = 10 /* … and of an ordered one: with more it is a number */
};

typedef struct dpc_codes {
    int n;           /* variables */
    int64_t n_rows;  /* N */
    int32_t *levels; /* by variable: its codes are 0 … levels - 1; 0: it has none; owned */
    int most;        /* the largest of them */
    uint8_t *code;   /* of variable v from code + v * n_rows on; owned */
    atomic_int shares;
} dpc_codes;

/* Has a variable of the table codes? */
bool dpc_is_coded(const dpc_table *table, int variable);

/* Its cells are all there. Free with dpc_codes_free. */
dpc_status dpc_codes_make(const dpc_table *table, dpc_codes **out, dpc_error *err);
dpc_codes *dpc_codes_share(dpc_codes *codes);
void dpc_codes_free(dpc_codes *codes);

#endif
