/*
 * The twin in quad precision: from a table to correlations, and from these to one partial
 * correlation, in numbers of 113 bits. What double gets wrong by rounding, this gets right.
 */
#ifndef QUAD_H
#define QUAD_H

#include "table.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* which has as many bits where the other type is not known */
#endif

/* n × n; a column that does not vary has 0. Free with free; aborts where memory ends. */
quad *quad_correlate(const dpc_table *table);

/* Of x and y given a set. */
struct quad_partial {
    quad r;
    quad least; /* the smallest conditional variance on the way, of the set and of both given it */
    /*
     * How much an error of all correlations may grow in such a variance: the largest (1 + |b|)²,
     * with |b| the sum of the coefficients of a variable on those before it.
     */
    double growth;
};
struct quad_partial quad_partial(const quad *r, int n, int x, int y, const int32_t *set, int size);

#endif
