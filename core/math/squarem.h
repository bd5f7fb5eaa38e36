/*
 * Acceleration of a fixed-point iteration x ← F(x) by squared extrapolation (SQUAREM: Varadhan and
 * Roland 2008): from three points in a row to one that lies ahead of them.
 */
#ifndef DPC_SQUAREM_H
#define DPC_SQUAREM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dpc_squarem {
    int64_t n;      /* the length of x */
    double *before; /* the point before x, where there is one; not owned */
    bool second;    /* there is one */
    bool bounded;   /* the last extrapolation was as long as it may be */
    double longest; /* that is: in steps */
} dpc_squarem;

/* Begins; `room` has n doubles, and stays the caller's. */
void dpc_squarem_init(dpc_squarem *s, int64_t n, double *room);

/*
 * From x and F(x) the point to go on from, in place of x. True: it is an extrapolation, and the
 * caller makes sure that it is better than x; if it is not, dpc_squarem_refuse and go on from F(x).
 */
bool dpc_squarem_next(dpc_squarem *s, double *x, const double *image);
void dpc_squarem_refuse(dpc_squarem *s);

#endif
